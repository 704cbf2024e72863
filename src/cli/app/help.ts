import { type Command, Help, type Option } from 'commander'
import { longName, type OptionEntry } from './options.ts'

/** Options of many commands, by what they are about: help lists them apart, behind those of the command itself. */
interface OptionGroup {
  readonly heading: string
  readonly names: readonly string[]
  /** Only listed by `--help=all`, and what it is called where that is said. */
  readonly rest?: string
}

const groups: readonly OptionGroup[] = [
  { heading: 'Question options:', names: ['--group', '--ip', '--tag', '--with-tag', '--owner', '--at'] },
  { heading: 'What-if options:', names: ['--without', '--with', '--member', '--assume-tag'], rest: 'what-if' },
  { heading: 'Terraform options:', names: ['--format-in', '--root', '--var', '--var-file', '--var-env'], rest: 'Terraform' },
  {
    heading: 'Output options:',
    names: ['--format', '--output', '--over', '--full-urns', '--coverage', '--dry-run', '--diff', '--no-progress', '--explain'],
  },
  { heading: 'Configuration options:', names: ['--config', '--no-config', '--allow-rules-from'], rest: 'configuration' },
]

/** The option that shows all options of a command. */
export const helpAll = '--help=all'

export function optionGroupOf(entry: OptionEntry): string | undefined {
  return groups.find(({ names }) => names.includes(longName(entry)))?.heading
}

/** How help is laid out; `isAll`: with the options of many commands that few need. */
export function helpLayout(isAll: boolean, helpWidth: number) {
  const usual = new Help()
  const placeOf = ({ helpGroupHeading }: Option) => groups.findIndex(({ heading }) => heading === helpGroupHeading)
  const isListed = ({ helpGroupHeading }: Option) => isAll || groups.find(({ heading }) => heading === helpGroupHeading)?.rest === undefined
  return {
    showGlobalOptions: isAll,
    helpWidth,
    visibleOptions: (command: Command) =>
      usual
        .visibleOptions(command)
        .filter(isListed)
        .sort((a, b) => placeOf(a) - placeOf(b)),
    // Groups in the order of what is listed, not of the table of options.
    groupItems: <T extends Command | Option>(_: T[], listed: T[], groupOf: (item: T) => string) =>
      usual.groupItems(listed, listed, groupOf),
    /** Commander would add the default in its own words. */
    optionDescription: ({ description }: Option) => description,
  }
}

/** Which options of a command are not listed without `--help=all`, as a line; '' where all are. */
export function restLine(name: string, options: readonly OptionEntry[]): string {
  const headings = groups.flatMap(({ heading, rest }) =>
    rest !== undefined && options.some((entry) => optionGroupOf(entry) === heading) ? [rest] : [],
  )
  return headings.length === 0 ? '' : `\nMore options (${headings.join(', ')}): grantwise ${name} ${helpAll}\n`
}
