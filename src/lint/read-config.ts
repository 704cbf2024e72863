import type { Diagnostic } from '../diagnostic.ts'
import { folderOf, pathFrom } from '../hcl/paths.ts'
import { defaultSettings } from '../names.ts'
import { nearest } from '../nearest.ts'
import { treeOf } from '../parser/tree.ts'
import { presets } from '../rules/rule.ts'
import type { Located, Source } from '../source.ts'
import { field, type MapNode } from '../tree.ts'
import { Zones } from '../zones.ts'
import type { Configuration, RuleModule } from './config.ts'
import { configProblem, type OwnConfiguration, ownNothing, type Report, readFields, textsOf } from './config-fields.ts'

/** The text of a file that a configuration extends, or why it cannot be read. */
export type ConfigurationText = { readonly source: Source } | { readonly message: string }

/** What a text says as a configuration. Undefined where it has errors, all of which are in `diagnostics`. */
export interface ConfigurationRead {
  readonly configuration: Configuration | undefined
  readonly diagnostics: readonly Diagnostic[]
}

type Outcome<T> =
  | { readonly value: T; readonly errors?: undefined }
  | { readonly value?: undefined; readonly errors: readonly Diagnostic[] }

/** The most files that one configuration is made of. */
const mostFiles = 50

/** The configuration that holds where there is none. */
export function noConfiguration(folder: string): Configuration {
  return completed({ ...ownNothing(''), folder })
}

/**
 * Reads configurations. Each file is read once, so that what several of them extend is the same in all. `textOf` gives the text
 * of a file that is extended, by its path.
 */
export function configurationReader(
  textOf: (file: string) => ConfigurationText | Promise<ConfigurationText>,
): (source: Source, file: string) => Promise<ConfigurationRead> {
  const trees = new Map<string, Outcome<MapNode | undefined>>()
  return async (source, file) => {
    const { value, errors } = await assembled(source, file, { textOf, trees, chain: [], budget: { left: mostFiles } })
    if (errors) return { configuration: undefined, diagnostics: errors }
    const configuration = completed(value)
    if (value.guardrails.length === 0) return { configuration, diagnostics: [] }
    const { readGuardrails } = await import('./guardrails.ts')
    const { value: guardrails, diagnostics } = readGuardrails(value.guardrails, configuration.settings)
    return diagnostics.length > 0
      ? { configuration: undefined, diagnostics }
      : { configuration: { ...configuration, guardrails }, diagnostics }
  }
}

function completed({ given, guardrails: _, ...own }: OwnConfiguration): Configuration {
  return { ...own, settings: { ...defaultSettings, zones: new Zones(), ...given } }
}

interface Assembly {
  readonly textOf: (file: string) => ConfigurationText | Promise<ConfigurationText>
  readonly trees: Map<string, Outcome<MapNode | undefined>>
  /** The files that led here. */
  readonly chain: readonly { readonly file: string; readonly path: string }[]
  readonly budget: { left: number }
}

/** A file and all that it extends. */
async function assembled(source: Source, file: string, assembly: Assembly): Promise<Outcome<OwnConfiguration>> {
  const tree = assembly.trees.get(file) ?? (await readTree(source))
  assembly.trees.set(file, tree)
  if (tree.errors) return tree
  const node = tree.value
  if (!node) return { value: { ...ownNothing(file), files: [source.path] } }
  const problems: Diagnostic[] = []
  const report: Report = (span, message, help) => problems.push(configProblem(span, message, help))
  const inner = { ...assembly, chain: [...assembly.chain, { file, path: source.path }] }
  const parts: OwnConfiguration[] = []
  for (const item of textsOf(field(node, 'extends'))) {
    const base = await extended(item, file, inner, report)
    if (base?.errors) return base
    if (base) parts.push(base.value)
  }
  parts.push(readFields(node, file, report))
  return problems.length > 0 ? { errors: problems } : { value: merged(parts) }
}

/** The tree of a file, of the right shape; undefined for one that says nothing. */
async function readTree(source: Source): Promise<Outcome<MapNode | undefined>> {
  // A file of comments alone is a configuration that says nothing.
  if (source.notation === 'yaml' && source.text.length < 20_000 && /^(\s*(#.*)?(\n|$))*$/.test(source.text)) return { value: undefined }
  const { documents, diagnostics } = await treeOf(source)
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) return { errors }
  const [node, second] = documents
  if (!node || second) return { errors: [configProblem(second ?? { source, start: 0, end: 0 }, 'expected one document')] }
  const { shapeProblems } = await import('../parser/shape.ts')
  const wrong = shapeProblems({ shape: 'config', node }).map((problem): Diagnostic => ({ ...problem, code: 'config' }))
  return wrong.length > 0 ? { errors: wrong } : { value: node as MapNode }
}

/** What an entry of `extends` names: a preset, or another configuration. Undefined where it was reported, or says nothing. */
async function extended(
  { value, span }: Located<string>,
  from: string,
  assembly: Assembly,
  report: Report,
): Promise<Outcome<OwnConfiguration> | undefined> {
  const { textOf, chain, budget } = assembly
  const preset = presets.find((name) => name === value)
  if (preset) return { value: { ...ownNothing(''), layers: [{ preset }] } }
  if (!/\.(ya?ml|json)$/i.test(value)) {
    const near = nearest(value, presets)
    report(
      span,
      `\`${value}\` is neither a preset nor a configuration file`,
      near
        ? `did you mean \`${near}\`?`
        : `write ${presets.map((name) => `\`${name}\``).join(', ')} or the path of a \`.yaml\` or \`.json\` file`,
    )
    return undefined
  }
  const file = pathFrom(folderOf(from), value)
  const same = chain.find((each) => each.file === file)
  if (same) {
    report(span, `\`${value}\` extends itself: ${[...chain, same].map(({ path }) => path).join(' → ')}`, 'remove one of these')
    return undefined
  }
  if (budget.left-- === 0) {
    report(span, `more than ${mostFiles} files make up this configuration`, 'put some of them together')
    return undefined
  }
  const text = await textOf(file)
  if ('source' in text) return assembled(text.source, file, assembly)
  report(span, `\`${value}\` cannot be extended: ${text.message}`)
  return undefined
}

/** What several files say together, each over those before it; the last one is the configuration itself. */
function merged(parts: readonly OwnConfiguration[]): OwnConfiguration {
  const own = parts.at(-1) as OwnConfiguration
  const last = <K extends keyof OwnConfiguration>(key: K): OwnConfiguration[K] =>
    (parts.findLast((part) => part[key] !== undefined) ?? own)[key]
  return {
    folder: own.folder,
    files: parts.flatMap((part) => part.files),
    given: Object.assign({}, ...parts.map((part) => part.given)),
    policies: last('policies'),
    world: last('world'),
    catalogue: last('catalogue'),
    layers: parts.flatMap((part) => part.layers),
    overrides: parts.flatMap((part) => part.overrides),
    ignores: parts.flatMap((part) => part.ignores),
    // One with the code of an earlier one takes its place.
    guardrails: [...new Map(parts.flatMap((part) => part.guardrails).map((each) => [each.code.value, each])).values()],
    ruleModules: eachModule(parts.flatMap((part) => part.ruleModules)),
    failOn: last('failOn'),
    docs: last('docs'),
  }
}

function eachModule(modules: readonly RuleModule[]): readonly RuleModule[] {
  return [...new Map(modules.map((each) => [`${each.folder} ${each.name.value}`, each])).values()]
}
