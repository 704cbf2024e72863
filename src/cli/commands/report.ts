import { resolve } from 'node:path'
import type { PageData } from '../../page/data.ts'
import { pageParts } from '../../page/html.ts'
import { ReachIndex } from '../../page/reach.ts'
import type { SheetInput } from '../../page/sheets.ts'
import { Tables } from '../../page/tables.ts'
import { shown } from '../../report/safe.ts'
import { plural } from '../../report/words.ts'
import type { Options, Run } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import { displayPath } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { formatByEnding } from '../input/endings.ts'
import { readPage } from '../input/page.ts'
import { checkTargets, guardInputs } from '../input/targets.ts'
import { pageAssets } from '../output/page-assets.ts'
import { writingOf } from '../output/writing.ts'

type Format = Exclude<NonNullable<Options<'report'>['format']>, 'md'>

const endings: Readonly<Record<Format, string>> = { html: 'html', markdown: 'md', csv: 'csv', json: 'json', xlsx: 'xlsx' }

/** The most characters of a file: no string of the runtime may be much longer. */
const mostCharacters = 256 * 2 ** 20

/** `report [PATH…]`: one HTML file with who may do what, and why; or its tables. */
export const run: Run<'report'> = async (paths, options, io) => {
  const format = formatOf(options)
  const output = options.output ?? `report.${endings[format]}`
  const file = output === '-' ? undefined : resolve(io.cwd, output)
  if (options.table !== undefined && format !== 'csv')
    throw new Refusal('`--table` chooses the table of a CSV file', 'add `--format csv`: the other formats have all tables')
  if (file === undefined && format === 'xlsx')
    throw new Refusal('`-o -`: a workbook is no text for standard output', 'name a file: -o FILE.xlsx')
  const writing = writingOf(options, io)
  if (file === undefined) writing.refuseIdle('name the file to write: -o FILE')
  const targets = file === undefined ? [] : [{ option: '-o', file }]
  checkTargets(targets, io)
  const { data } = await readPage(paths, options, io, (read, settings) => guardInputs(targets, read, [], settings, io))
  if (!data) return exit.error
  const content = await contentOf(data, format, options.table)
  let bytes = content instanceof Uint8Array ? content.length : 0
  function* countedParts(parts: Generator<string>): Generator<string> {
    for (const part of parts) {
      bytes += Buffer.byteLength(part)
      yield part
    }
  }
  if (file === undefined) {
    for (const part of content as Generator<string>) if (!io.stdout.write(part, (text) => text)) break
  } else {
    if (content instanceof Uint8Array) writing.writeBytes(file, content)
    else await writing.writeParts(file, countedParts(content))
    if (!writing.isDry)
      io.stderr.write(
        `grantwise: ${shown(displayPath(file, io.cwd))}: ${plural(data.policies.length, 'policy')}, ${plural(data.identities.length, 'identity')}, ${plural(data.resources.length, 'resource')}; ${Math.ceil(bytes / 1000)} kB\n`,
      )
  }
  if (data.history?.isOpen) {
    const why =
      data.history.notes.join('; ') || 'since when some entries have their effect is not fully known: the page says so at each of them'
    io.stderr.write(`grantwise: note: --blame: ${why}\n`)
  }
  return writing.exitCode(data.reasons.length > 0 || data.history?.isOpen ? exit.unknown : exit.success)
}

/** The format that is asked for, or that the ending of the file names. */
function formatOf({ format, output }: Pick<Options<'report'>, 'format' | 'output'>): Format {
  if (format !== undefined) return format === 'md' ? 'markdown' : format
  const formats = Object.keys(endings) as Format[]
  return output === undefined || output === '-' ? 'html' : ((formatByEnding(output, 'report', formats) as Format | undefined) ?? 'html')
}

/** The problem with a table that the report does not have, and what to do. */
function missingTable(table: Options<'report'>['table']): readonly [problem: string, help: string] {
  if (table === 'review') return ['`--table review`: no review is given', 'name its file: `--review FILE`']
  return [`\`--table ${table}\`: nothing is compared`, 'name the earlier state: `--before STATE`, or `--since DATE`']
}

function* inParts(texts: readonly string[]): Generator<string> {
  yield* texts
}

/** The content of the file: bytes for a workbook, else a text in parts. */
async function contentOf(data: PageData, format: Format, table: Options<'report'>['table']): Promise<Generator<string> | Uint8Array> {
  if (format === 'html') {
    const { 'live.js': _, ...assets } = pageAssets()
    return pageParts(data, assets)
  }
  const tables = new Tables(data)
  const input: SheetInput = { data, tables, reaches: new ReachIndex(tables) }
  const [{ allSheets, countUpTo, stateSheet }, written] = await Promise.all([
    import('../../page/sheets.ts'),
    import('../../page/written.ts'),
  ])
  const whole = (parts: Iterable<string>) => {
    const all = written.boundedParts(parts, mostCharacters)
    if (all) return inParts(all)
    throw new Refusal(
      `the file would have more than ${mostCharacters / 2 ** 20} MiB`,
      'name fewer policies, or keep to fewer resources with `--with-tag`',
    )
  }
  if (format === 'markdown') return inParts([written.markdownDocument(input)])
  if (format === 'json') return whole(written.jsonParts(input))
  const sheets = allSheets(input)
  if (format === 'csv') {
    const sheet = sheets.find(({ name }) => name === (table ?? 'access'))
    if (!sheet) throw new Refusal(...missingTable(table))
    return whole(written.csvParts(sheet))
  }
  const { mostRows, workbook } = await import('../../page/xlsx.ts')
  const tooLong = sheets.find((sheet) => countUpTo(sheet, mostRows - 1) >= mostRows)
  if (tooLong)
    throw new Refusal(
      `the table \`${tooLong.name}\` has more than ${mostRows - 1} rows, the most that a sheet may have`,
      `write it with \`--format csv --table ${tooLong.name}\`, or keep to fewer resources with \`--with-tag\``,
    )
  return workbook([stateSheet(data), ...sheets])
}
