import type { Diagnostic } from '../diagnostic.ts'
import { folderOf, joinPath, nameIn, pathFrom } from '../hcl/paths.ts'
import { keyOf } from '../keys.ts'
import { defaultSettings } from '../names.ts'
import { nearest } from '../nearest.ts'
import { treeOf } from '../parser/tree.ts'
import { presets } from '../rules/rule.ts'
import type { Located, Source } from '../source.ts'
import { field, type MapNode } from '../tree.ts'
import { Zones } from '../zones.ts'
import type { Configuration, RuleModule } from './config.ts'
import { configProblem, emptyConfiguration, type OwnConfiguration, type Report, readFields, textsOf } from './config-fields.ts'

/** The text of a file that a configuration extends, or why it cannot be read. */
export type ConfigurationText = { readonly source: Source } | NoText

/** Why a text cannot be read; `isMissing`: there is no file of that name. */
interface NoText {
  readonly message: string
  readonly isMissing?: boolean
}

/** Access to the files that configurations extend. */
export interface ExtendedFiles {
  /** The text of a file, by its path. */
  readonly textOf: (file: string) => ConfigurationText | Promise<ConfigurationText>
  /** The names in a folder, for suggestions; none where they are not known. */
  readonly namesIn?: (folder: string) => readonly string[]
}

/** The configuration of a text. Undefined where it has errors, all of which are in `diagnostics`. */
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
  return completed({ ...emptyConfiguration(''), folder })
}

/** Reads configurations. Each file is read once, so that what several of them extend is the same in all. */
export function configurationReader(files: ExtendedFiles): (source: Source, file: string) => Promise<ConfigurationRead> {
  const trees = new Map<string, Outcome<MapNode | undefined>>()
  return async (source, file) => {
    const { value, errors } = await assembled(source, file, folderOf(file), { files, trees, chain: [], budget: { left: mostFiles } })
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
  readonly files: ExtendedFiles
  readonly trees: Map<string, Outcome<MapNode | undefined>>
  /** The files that led here. */
  readonly chain: readonly { readonly file: string; readonly path: string }[]
  readonly budget: { left: number }
}

/** A file and all that it extends. `folder`: what its patterns are relative to. */
async function assembled(source: Source, file: string, folder: string, assembly: Assembly): Promise<Outcome<OwnConfiguration>> {
  const tree = assembly.trees.get(file) ?? (await readTree(source))
  assembly.trees.set(file, tree)
  if (tree.errors) return tree
  const node = tree.value
  if (!node) return { value: { ...emptyConfiguration(file), folder, files: [source.path] } }
  const problems: Diagnostic[] = []
  const report: Report = (span, message, help) => problems.push(configProblem(span, message, help))
  const inner = { ...assembly, chain: [...assembly.chain, { file, path: source.path }] }
  const parts: OwnConfiguration[] = []
  for (const item of textsOf(field(node, 'extends'))) {
    const base = await extended(item, file, folder, inner, report)
    if (base?.errors) return base
    if (base) parts.push(base.value)
  }
  parts.push(readFields(node, file, folder, report))
  return problems.length > 0 ? { errors: problems } : { value: merged(parts) }
}

/** The tree of a file, of the right shape; undefined for one that says nothing. */
async function readTree(source: Source): Promise<Outcome<MapNode | undefined>> {
  // A file with nothing but comments is a configuration that says nothing.
  if (source.notation === 'yaml' && source.text.split(/[\r\n]/).every((line) => /^\s*(?:#|$)/.test(line))) return { value: undefined }
  const { documents, diagnostics } = await treeOf(source)
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) return { errors }
  const [node, second] = documents
  if (!node || second) return { errors: [configProblem(second ?? { source, start: 0, end: 0 }, 'expected one document')] }
  const { shapeProblems } = await import('../parser/shape.ts')
  const wrong = shapeProblems({ shape: 'config', node }).map((problem): Diagnostic => ({ ...problem, code: 'config' }))
  return wrong.length > 0 ? { errors: wrong } : { value: node as MapNode }
}

/**
 * The preset or configuration that an entry of `extends` names, in a file or in a package. Undefined where there is nothing to
 * add, or an error was reported.
 */
async function extended(
  { value, span }: Located<string>,
  from: string,
  folder: string,
  assembly: Assembly,
  report: Report,
): Promise<Outcome<OwnConfiguration> | undefined> {
  const { chain, budget } = assembly
  const preset = presets.find((name) => name === value)
  if (preset) return { value: { ...emptyConfiguration(''), layers: [{ preset, span }] } }
  const target = await fileNamed(value, from, assembly.files)
  if (target.file === undefined) {
    report(span, target.message, target.help)
    return undefined
  }
  const { file, isPackage } = target
  const same = chain.find((each) => each.file === file)
  if (same) {
    report(span, `\`${value}\` extends itself: ${[...chain, same].map(({ path }) => path).join(' → ')}`, 'remove one of these')
    return undefined
  }
  if (budget.left-- === 0) {
    report(span, `more than ${mostFiles} files make up this configuration`, 'put some of them together')
    return undefined
  }
  const text = await assembly.files.textOf(file)
  // The file settings of a package are about the files of its user.
  const isShared = isPackage || folder !== folderOf(from)
  if ('source' in text) return assembled(text.source, file, isShared ? folder : folderOf(file), assembly)
  report(span, `\`${value}\` cannot be extended: ${text.message}`)
  return undefined
}

type Found =
  | { readonly file: string; readonly isPackage: boolean }
  | { readonly file?: undefined; readonly message: string; readonly help?: string }

const packageForm = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*$/
const extension = /\.(?:ya?ml|json)$/i

/**
 * The file that an entry of `extends` names: relative to the entry's file, else in a package in the nearest `node_modules` that
 * has it. Of a package itself that is `grantwise.yaml`, or the same in another notation.
 */
async function fileNamed(value: string, from: string, { textOf, namesIn = () => [] }: ExtendedFiles): Promise<Found> {
  const home = folderOf(from)
  const isThere = async (file: string) => {
    const text = await textOf(file)
    return 'source' in text || text.isMissing !== true
  }
  const path = pathFrom(home, value)
  const isFile = extension.test(value)
  if (isFile && (await isThere(path))) return { file: path, isPackage: false }
  const [name, inner] = partsOfPackage(value)
  const names = inner === undefined ? ['yaml', 'yml', 'json'].map((each) => `grantwise.${each}`) : [inner]
  const isPackage = packageForm.test(name) && (isFile ? inner !== undefined : inner === undefined)
  for (const folder of isPackage ? foldersUp(home) : [])
    for (const each of names) {
      const file = joinPath(folder, `node_modules/${name}/${each}`)
      if (await isThere(file)) return { file, isPackage: true }
    }
  return notFound(value, isFile, isPackage ? name : undefined, home, namesIn)
}

/** The message about an entry that names nothing. */
function notFound(
  value: string,
  isFile: boolean,
  name: string | undefined,
  home: string,
  namesIn: (folder: string) => readonly string[],
): Found {
  if (isFile && !value.startsWith('@')) {
    const file = pathFrom(home, value)
    const suggested = nearest(
      nameIn(file),
      namesIn(folderOf(file)).filter((each) => extension.test(each)),
    )
    return {
      message: `\`${value}\` cannot be extended: no such file or folder`,
      ...(suggested !== undefined && { help: `did you mean \`${value.slice(0, value.length - nameIn(value).length)}${suggested}\`?` }),
    }
  }
  const message = `\`${value}\` is neither a preset nor a configuration file`
  const all = presets.map((each) => `\`${each}\``).join(', ')
  const preset = nearest(value, presets)
  if (preset !== undefined) return { message, help: `did you mean \`${preset}\`?` }
  if (name === undefined) return { message, help: `write ${all} or the path of a \`.yaml\` or \`.json\` file` }
  const scope = name.includes('/') ? `/${name.split('/')[0]}` : ''
  const installed = foldersUp(home).flatMap((folder) =>
    namesIn(joinPath(folder, `node_modules${scope}`)).map((each) => (scope === '' ? each : `${scope.slice(1)}/${each}`)),
  )
  const suggested = nearest(name, installed)
  const inner = value.slice(name.length)
  return {
    message: installed.includes(name)
      ? `the package \`${name}\` has no \`${inner === '' ? 'grantwise.yaml' : inner.slice(1)}\``
      : `${message}, and no such package is installed`,
    help:
      suggested !== undefined && suggested !== name
        ? `did you mean \`${suggested}${inner}\`?`
        : `write ${all}, the path of a \`.yaml\` or \`.json\` file, or the name of a package`,
  }
}

/** The name of a package, and the path in it. */
function partsOfPackage(value: string): readonly [name: string, inner: string | undefined] {
  const parts = value.split('/')
  const count = value.startsWith('@') ? 2 : 1
  const inner = parts.slice(count).join('/')
  return [parts.slice(0, count).join('/'), inner === '' ? undefined : inner]
}

/** A folder and all those around it, from within. */
function foldersUp(folder: string): readonly string[] {
  const out = [folder]
  for (let here = folder; here !== '' && here !== folderOf(here); here = folderOf(here)) out.push(folderOf(here))
  return out
}

/** Several files merged, each over those before it; the last one is the configuration itself. */
function merged(parts: readonly OwnConfiguration[]): OwnConfiguration {
  const lastPart = parts.at(-1) as OwnConfiguration
  const last = <K extends keyof OwnConfiguration>(key: K): OwnConfiguration[K] =>
    (parts.findLast((part) => part[key] !== undefined) ?? lastPart)[key]
  return {
    folder: lastPart.folder,
    places: new Map(parts.flatMap((part) => [...part.places])),
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
    approvers: last('approvers'),
    docs: last('docs'),
  }
}

function eachModule(modules: readonly RuleModule[]): readonly RuleModule[] {
  return [...new Map(modules.map((each) => [keyOf(each.folder, each.name.value), each])).values()]
}
