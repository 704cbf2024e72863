import type { Diagnostic } from '../diagnostic.ts'
import { nearest } from '../nearest.ts'
import { rules } from '../rules/index.ts'
import type { Rule } from '../rules/rule.ts'
import { checkOptions } from '../rules/support/options.ts'
import type { Located, Source, Span } from '../source.ts'
import type { LintConfig, RuleLevel } from './config.ts'
import { configProblem } from './config-fields.ts'
import { type ConfigurationRead, type ConfigurationText, configurationReader } from './read-config.ts'
import { suppressionFault } from './suppress.ts'

/** How the text of a configuration is read. */
export interface ConfigurationOptions {
  /** Where it lies, by default the path of its source: what it names is relative to its folder. */
  readonly file?: string
  /** The text of a file that it extends, by its path; without it, none can be read. */
  readonly textOf?: (file: string) => ConfigurationText | Promise<ConfigurationText>
}

/** Read the text of a configuration, and all that it extends, with everything that `grantwise lint` refuses in it. */
export async function readConfiguration(
  source: Source,
  { file = source.path, textOf = () => ({ message: 'no such file or folder' }) }: ConfigurationOptions = {},
): Promise<ConfigurationRead> {
  const read = await configurationReader(textOf)(source, file)
  const diagnostics = read.configuration ? configProblems([read.configuration], rules) : []
  return diagnostics.length > 0 ? { configuration: undefined, diagnostics } : read
}

/** Why the level of a code cannot be set, in words; undefined when it can. */
export function levelFault(code: string, rules: readonly Rule[]): { readonly message: string; readonly help?: string } | undefined {
  const rule = rules.find((each) => each.code === code)
  if (rule) return 'reader' in rule ? { message: `\`${code}\` is found while reading and cannot be given another level` } : undefined
  const near = nearest(
    code,
    rules.map((each) => each.code),
  )
  return { message: `unknown rule \`${code}\``, help: near ? `did you mean \`${near}\`?` : '`grantwise rules` lists them' }
}

/** What is wrong with the rules that configurations name, and with the options they give them. */
export function configProblems(configs: readonly LintConfig[], rules: readonly Rule[]): readonly Diagnostic[] {
  const problem = (span: Span, { message, help }: { readonly message: string; readonly help?: string }) =>
    configProblem(span, message, help)
  const ofRule = ({ code, options }: RuleLevel): readonly Diagnostic[] => {
    const fault = levelFault(code.value, rules)
    if (fault) return [problem(code.span, fault)]
    const rule = rules.find((each) => each.code === code.value)
    if (!options || !rule) return []
    return checkOptions(rule, options.value).map((each) => {
      const entry = options.node.kind === 'map' ? options.node.entries.find(({ key }) => key.value === each.name) : undefined
      return problem(entry?.key ?? options.node, each)
    })
  }
  const ofIgnore = (code: Located<string>) => {
    const fault = suppressionFault(code.value, rules)
    return fault ? [problem(code.span, fault)] : []
  }
  const problems = configs.flatMap(({ layers, overrides, ignores }) => [
    ...layers.flatMap((layer) => layer.rules ?? []).flatMap(ofRule),
    ...overrides.flatMap((override) => override.rules).flatMap(ofRule),
    ...ignores.flatMap((ignore) => ignore.codes).flatMap(ofIgnore),
  ])
  // What several configurations extend is one problem.
  return problems.filter(({ span }, i) => problems.findIndex((each) => each.span === span) === i)
}
