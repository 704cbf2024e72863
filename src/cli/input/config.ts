import { lstatSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import type { Diagnostic, Severity } from '../../diagnostic.ts'
import type { Layer, Level, LintConfig, Patterns, RuleLevel } from '../../lint/config.ts'
import { defaultSettings, type Settings, type Variables } from '../../names.ts'
import { nearest } from '../../nearest.ts'
import { defaultDocs } from '../../report/words.ts'
import { type Preset, presets } from '../../rules/rule.ts'
import { type Located, notationOf, type Source, type Span, sourceOf } from '../../source.ts'
import { field, type MapNode, type Node, plain } from '../../tree.ts'
import type { Io } from '../app/io.ts'
import type { ConfigOptions } from '../app/options.ts'
import { pair } from '../app/options.ts'
import { displayPath } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { version } from '../app/version.ts'
import { refuseAll } from '../output/diagnostics.ts'
import type { CatalogueFile } from './catalogue-file.ts'
import { readBytes, readText, withoutMark } from './files.ts'
import { globFault } from './globs.ts'
import { treeOf } from './tree.ts'

export type FailOn = Severity | 'never'

/** A configuration with all that it extends. */
export interface Config extends LintConfig {
  /** The folder that it is about: absolute. */
  readonly folder: string
  /** The files that make it up, as shown to people: itself last; none for the defaults. */
  readonly files: readonly string[]
  /** What it says of the policy language, and of what it does not say, the defaults. */
  readonly settings: Settings
  readonly given: Partial<Settings>
  /** Absolute paths or globs; undefined when it does not say. */
  readonly policies: readonly string[] | undefined
  readonly world: readonly string[] | undefined
  /** The catalogue file that it pins: absolute, and where it says so. */
  readonly catalogue: Located<string> | undefined
  /** What was read of it, by the brand it was read for. */
  readonly catalogues: Map<string, Promise<CatalogueFile>>
  readonly failOn: FailOn | undefined
  /** Where the documentation is, for links to it. */
  readonly docs: string | undefined
}

export const configNames = ['.grantwise.yaml', '.grantwise.yml', '.grantwise.json']

/** The most files that one configuration is made of. */
const mostFiles = 50

/** The configuration of the run: of `--config`, else the nearest at or above the working folder, else the defaults. */
export async function loadConfig(options: ConfigOptions, io: Io): Promise<Config> {
  return (await openConfigs(options, io)).main
}

/** The configurations of a run. */
export interface Configs {
  /** Of the working folder: it says where the policies are and what the world is. */
  readonly main: Config
  /** Read the configurations of files, given as shown to people. */
  readonly load: (paths: Iterable<string>) => Promise<void>
  /** The configuration of a file, once it is loaded: the nearest at or above it, up to the top of its repository. */
  readonly of: (path: string) => Config
  /** All that are loaded. */
  readonly all: () => readonly Config[]
}

/**
 * Open the configuration of a run. `--config` and `--no-config` hold for every file; without them a file below the working
 * folder has the nearest one above it, and any other file that of the working folder.
 */
export async function openConfigs(options: ConfigOptions, io: Io): Promise<Configs> {
  const configs = await openFound(options, io)
  const variables = variablesOf(options, io)
  if (!variables) return configs
  return { ...configs, main: { ...configs.main, settings: { ...configs.main.settings, variables } } }
}

/** Values of variables that the command line gives; undefined where it gives none. */
function variablesOf(options: ConfigOptions, io: Io): Variables | undefined {
  const given = new Map((options.var ?? []).map((each) => pair('--var', each, 'NAME=VALUE')))
  const files = (options.varFile ?? []).map((each) => {
    const { text, message } = readText(resolve(io.cwd, each))
    if (text === undefined) throw new Refusal(`--var-file \`${each}\`: ${message}`)
    return sourceOf(displayPath(resolve(io.cwd, each), io.cwd), withoutMark(text), each.endsWith('.json') ? 'hcl-json' : 'hcl')
  })
  const environment = new Map(
    Object.entries(options.varEnv ? io.env : {}).flatMap(([name, value]) =>
      name.startsWith('TF_VAR_') && value !== undefined ? [[name.slice('TF_VAR_'.length), value] as const] : [],
    ),
  )
  return given.size + files.length + environment.size === 0 ? undefined : { given, files, environment }
}

async function openFound(options: ConfigOptions, io: Io): Promise<Configs> {
  const given = options.config
  const trees: Trees = new Map()
  if (given !== undefined) {
    const main = typeof given === 'string' ? await readConfig(resolve(io.cwd, given), io, trees) : emptyConfig(io.cwd)
    return { main, load: async () => {}, of: () => main, all: () => [main] }
  }
  const byFile = new Map<string, Config>()
  const byFolder = new Map<string, Config | undefined>()
  const read = async (file: string) => {
    const config = byFile.get(file) ?? (await readConfig(file, io, trees))
    byFile.set(file, config)
    return config
  }
  const mainFile = nearestConfig(io.cwd, io)
  const main = mainFile === undefined ? emptyConfig(io.cwd) : await read(mainFile)
  const defaults = emptyConfig(io.cwd)
  const prefix = io.cwd.endsWith(sep) ? io.cwd : io.cwd + sep
  byFolder.set(io.cwd, main)

  const loadFolder = async (folder: string): Promise<Config> => {
    // Up to a folder that is known, then back down, each with what its parent has.
    const open: string[] = []
    let here = folder
    while (!byFolder.has(here) && here.startsWith(prefix)) {
      open.push(here)
      here = dirname(here)
    }
    let config = byFolder.has(here) ? byFolder.get(here) : main
    for (const inner of open.reverse()) {
      const file = configIn(inner, io)
      if (file !== undefined) config = await read(file)
      else if (exists(join(inner, '.git'))) config = defaults
      byFolder.set(inner, config)
    }
    return config ?? main
  }
  const configs = new Map<string, Config>()
  const folderOf = (path: string) => dirname(resolve(io.cwd, path))
  return {
    main,
    load: async (paths) => {
      for (const path of paths) {
        const folder = folderOf(path)
        if (!configs.has(folder)) configs.set(folder, await loadFolder(folder))
      }
    },
    of: (path) => configs.get(folderOf(path)) ?? main,
    all: () => [...new Set([main, ...configs.values()])],
  }
}

/** Where the documentation is, as an address that links begin with. */
export function docsOf({ docs }: Config): string {
  return docs ?? defaultDocs(version)
}

export function emptyConfig(folder: string): Config {
  return {
    folder,
    files: [],
    settings: defaultSettings,
    given: {},
    policies: undefined,
    world: undefined,
    catalogue: undefined,
    catalogues: new Map(),
    layers: [],
    overrides: [],
    ignores: [],
    failOn: undefined,
    docs: undefined,
  }
}

function nearestConfig(from: string, io: Io): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const file = configIn(folder, io)
    if (file !== undefined) return file
    if (dirname(folder) === folder || exists(join(folder, '.git'))) return undefined
  }
}

function configIn(folder: string, { cwd }: Io): string | undefined {
  const found = configNames.filter((name) => exists(join(folder, name)))
  if (found.length > 1) {
    const places = found.map((name) => `\`${displayPath(join(folder, name), cwd)}\``).join(' and ')
    throw new Refusal(`two configurations side by side: ${places}`, 'keep one of them')
  }
  return found[0] === undefined ? undefined : join(folder, found[0])
}

function exists(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** Each file is read once, so that what several configurations extend is the same in all of them. */
type Trees = Map<string, MapNode | undefined>

async function readConfig(file: string, io: Io, trees: Trees): Promise<Config> {
  const root = await readConfigTree(file, io, trees)
  if (root === undefined) return { ...emptyConfig(dirname(file)), files: [displayPath(file, io.cwd)] }
  return assemble(file, root, { io, trees, chain: [file], budget: { left: mostFiles } })
}

/** The tree of a configuration, of the right shape; undefined for one that says nothing. */
async function readConfigTree(file: string, io: Io, trees: Trees): Promise<MapNode | undefined> {
  if (trees.has(file)) return trees.get(file)
  const path = displayPath(file, io.cwd)
  const { text: decoded, message } = readText(file)
  if (decoded === undefined) throw new Refusal(`${path}: ${message}`)
  const text = withoutMark(decoded)
  const source = sourceOf(path, text)
  const notation = notationOf(path)
  if (notation !== 'json' && notation !== 'yaml')
    throw new Refusal(`${path}: a configuration is YAML or JSON: expected a name that ends in \`.yaml\`, \`.yml\` or \`.json\``)
  // A file of comments alone is a configuration that says nothing.
  const isEmpty = notation === 'yaml' && text.length < 20_000 && /^(\s*(#.*)?(\n|$))*$/.test(text)
  const node = isEmpty ? undefined : await readShape(source)
  trees.set(file, node)
  return node
}

async function readShape(source: Source): Promise<MapNode> {
  const reading = await treeOf(source)
  refuseAll(reading.diagnostics)
  const node = reading.documents[0]
  if (!node || reading.documents.length > 1) throw new Refusal(`${source.path}: expected one document`)
  const { shapeProblems } = await import('../../parser/shape.ts')
  refuseAll(shapeProblems({ shape: 'config', node }).map((problem) => ({ ...problem, code: 'config' })))
  return node as MapNode
}

type Report = (span: Span, message: string, help?: string) => void

interface Assembly {
  readonly io: Io
  readonly trees: Trees
  /** The files that led here, the one at hand last. */
  readonly chain: readonly string[]
  readonly budget: { left: number }
}

/** A configuration and all that it extends. */
async function assemble(file: string, node: MapNode, assembly: Assembly): Promise<Config> {
  const { io } = assembly
  const problems: Diagnostic[] = []
  const report: Report = (span, message, help) => {
    problems.push({ code: 'config', severity: 'error', message, span, ...(help !== undefined && { help }) })
  }
  const bases: (Config | Preset)[] = []
  for (const item of textsOf(field(node, 'extends'))) {
    const base = await extended(item, file, assembly, report)
    if (base) bases.push(base)
  }
  const own = understand(node, dirname(file), displayPath(file, io.cwd), report)
  refuseAll(problems)
  const configs = bases.filter((base) => typeof base !== 'string')
  const last = <K extends keyof Config>(key: K): Config[K] => own[key] ?? (configs.findLast((base) => base[key] !== undefined) ?? own)[key]
  const given = Object.assign({}, ...configs.map((base) => base.given), own.given) as Partial<Settings>
  return {
    folder: own.folder,
    settings: { ...defaultSettings, ...given },
    given,
    files: [...configs.flatMap((base) => base.files), ...own.files],
    policies: last('policies'),
    world: last('world'),
    catalogue: last('catalogue'),
    catalogues: new Map(),
    layers: [...bases.flatMap((base): readonly Layer[] => (typeof base === 'string' ? [{ preset: base }] : base.layers)), ...own.layers],
    overrides: [...configs.flatMap((base) => base.overrides), ...own.overrides],
    ignores: [...configs.flatMap((base) => base.ignores), ...own.ignores],
    failOn: last('failOn'),
    docs: last('docs'),
  }
}

/** What an entry of `extends` names: a preset, or another configuration. */
async function extended(
  { value, span }: Located<string>,
  from: string,
  assembly: Assembly,
  report: Report,
): Promise<Config | Preset | undefined> {
  const { io, trees, chain, budget } = assembly
  const preset = presets.find((name) => name === value)
  if (preset) return preset
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
  const file = resolve(dirname(from), value)
  if (chain.includes(file)) {
    report(
      span,
      `\`${value}\` extends itself: ${[...chain, file].map((each) => displayPath(each, io.cwd)).join(' → ')}`,
      'remove one of these',
    )
    return undefined
  }
  if (budget.left-- === 0) {
    report(span, `more than ${mostFiles} files make up this configuration`, 'put some of them together')
    return undefined
  }
  const { bytes, message } = readBytes(file)
  if (!bytes) {
    report(span, `\`${value}\` cannot be extended: ${message}`)
    return undefined
  }
  const node = await readConfigTree(file, io, trees)
  return node && assemble(file, node, { ...assembly, chain: [...chain, file] })
}

/** What one file says, understood. */
function understand(node: MapNode, folder: string, shownPath: string, report: Report): Config {
  const path = (text: string) => resolve(folder, text)
  const paths = (key: string) => field(node, key) && textsOf(field(node, key)).map((text) => path(text.value))
  const rules = field(node, 'rules')
  const brand = textOf(field(node, 'brand'))
  const headers = textOf(field(node, 'headerPrefix'))
  const regions = field(node, 'regions')
  const catalogue = field(node, 'catalogue')
  const terraform = field(node, 'terraform')
  const docs = field(node, 'docs')
  const prefix = terraform?.kind === 'map' ? textOf(field(terraform, 'prefix')) : undefined
  return {
    ...emptyConfig(folder),
    files: [shownPath],
    given: {
      ...(brand !== undefined && { brand }),
      ...(regions && { regions: textsOf(regions).map((text) => text.value) }),
      ...(prefix !== undefined && { resourcePrefix: prefix }),
      ...(headers !== undefined && { headerPrefix: headers }),
    },
    policies: paths('policies'),
    world: paths('world'),
    catalogue: catalogue && { value: path(textOf(catalogue) ?? ''), span: catalogue },
    layers: rules ? [{ rules: rulesOf(rules) }] : [],
    overrides: itemsOf(field(node, 'overrides')).map((item) => ({
      files: patternsOf(item, folder, report),
      rules: rulesOf(field(item, 'rules')),
    })),
    ignores: itemsOf(field(node, 'ignores')).map((item) => {
      const until = field(item, 'until')
      const day = until && endOfDay(textOf(until) ?? '')
      if (until && day === undefined) report(until, 'expected a day', 'write it as `2027-01-31`')
      return {
        files: patternsOf(item, folder, report),
        codes: textsOf(field(item, 'codes')),
        policy: textOf(field(item, 'policy')),
        reason: textOf(field(item, 'reason')) ?? '',
        until: until && day !== undefined ? { value: day, span: until } : undefined,
        span: item,
      }
    }),
    failOn: textOf(field(node, 'failOn')) as FailOn | undefined,
    docs: docs && addressOf(docs, report),
  }
}

/** An address that links can begin with; without a slash at its end. */
function addressOf(node: Node, report: Report): string | undefined {
  const text = textOf(node) ?? ''
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') return url.href.replace(/\/+$/, '')
  report(node, `\`${text}\` is not a URL that links can start with`, 'write it as `https://docs.example.org/grantwise`')
  return undefined
}

function rulesOf(map: Node | undefined): readonly RuleLevel[] {
  return (map?.kind === 'map' ? map.entries : []).map(({ key, value }) => {
    const [level, options] = value.kind === 'list' ? value.items : [value]
    return {
      code: { value: key.value, span: key },
      level: (textOf(level) ?? 'warning') as Level,
      options: options && { value: plain(options) as Readonly<Record<string, unknown>>, node: options },
    }
  })
}

function patternsOf(item: MapNode, folder: string, report: Report): Patterns {
  const files = textsOf(field(item, 'files'))
  for (const { value, span } of files) {
    const fault = globFault(value)
    if (fault) report(span, `\`${value}\` matches no file: ${fault.message}`, fault.help)
  }
  return { folder, patterns: files.map((file) => file.value) }
}

function textOf(node: Node | undefined): string | undefined {
  return node?.kind === 'text' ? node.value : undefined
}

/** A text or a list of texts. */
function textsOf(node: Node | undefined): readonly Located<string>[] {
  if (node?.kind === 'text') return [{ value: node.value, span: node }]
  return node?.kind === 'list' ? node.items.flatMap((item) => textsOf(item)) : []
}

function itemsOf(node: Node | undefined): readonly MapNode[] {
  return node?.kind === 'list' ? node.items.filter((item) => item.kind === 'map') : []
}

function endOfDay(text: string): number | undefined {
  const start = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return Number.isNaN(start) || !new Date(start).toISOString().startsWith(text) ? undefined : start + 86_400_000 - 1
}
