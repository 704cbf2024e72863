import { dirname, join, resolve, sep } from 'node:path'
import type { Catalogue } from '../../actions/catalogue.ts'
import type { Operation } from '../../actions/operations.ts'
import { madeIn } from '../../collections.ts'
import type { Diagnostic } from '../../diagnostic.ts'
import type { Configuration } from '../../lint/config.ts'
import { type ConfigurationText, configurationReader, noConfiguration } from '../../lint/read-config.ts'
import type { Variables } from '../../names.ts'
import { shown } from '../../report/safe.ts'
import { defaultDocs } from '../../report/words.ts'
import { notationOf, sourceOf } from '../../source.ts'
import type { Io } from '../app/io.ts'
import { type ConfigOptions, pair } from '../app/options.ts'
import { displayPath, portable } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { refuseAll } from '../output/diagnostics.ts'
import { type ConfigFiles, onDisk } from './config-files.ts'
import { isRepository, refusals, repositoryOf, textAt, withoutMark } from './read-file.ts'
import type { ruleLoader } from './rule-modules.ts'
import { outsideProblem } from './within.ts'

/** A catalogue of actions and operations. */
export interface KnownActions {
  readonly catalogue: Catalogue
  readonly operations: () => Promise<readonly Operation[]>
}

/** A configuration, and what was read of the catalogue that holds with it, by the brand it was read for. */
export interface Config extends Configuration {
  readonly catalogues: Map<string, Promise<KnownActions>>
}

export const configNames = ['.grantwise.yaml', '.grantwise.yml', '.grantwise.json']

/** The files of a run: those of a commit, where the run is about one and names no configuration. */
async function filesFor({ config, configAt }: ConfigOptions, io: Io): Promise<ConfigFiles> {
  if (configAt === undefined || config !== undefined) return onDisk(io)
  return (await import('./config-at.ts')).configFilesOf(configAt, io)
}

/** The configuration of the run: of `--config`, else the nearest at or above the working folder, else the defaults. */
export async function loadConfig(options: ConfigOptions, io: Io, files?: ConfigFiles): Promise<Config> {
  return (await openConfigs(options, io, undefined, files)).main
}

/** The configurations of a run. */
export interface Configs {
  /** Of the working folder: it says where the policies are and what the world is. */
  readonly main: Config
  /** Read the configurations of files, given as shown to users. */
  readonly load: (paths: Iterable<string>) => Promise<void>
  /** The configuration of a file, once it is loaded: the nearest at or above it, up to the top of its repository. */
  readonly of: (path: string) => Config
  /** All that are loaded. */
  readonly all: () => readonly Config[]
}

/**
 * Open the configuration of a run. `--config` and `--no-config` hold for every file; without them a file below the working
 * folder has the nearest one above it, and any other file that of the working folder.
 *
 * `known`: configurations by their files, which are not read again; those without a file under ''.
 */
export async function openConfigs(
  options: ConfigOptions,
  io: Io,
  configsRead = new Map<string, Config>(),
  configFiles?: ConfigFiles,
): Promise<Configs> {
  const files = configFiles ?? (await filesFor(options, io))
  const opened = await openFound(options, io, configsRead, files)
  const configs = await withOwnRules(opened, options.allowRulesFrom, io)
  const variables = variablesOf(options, io)
  if (!variables) return configs
  return { ...configs, main: { ...configs.main, settings: { ...configs.main.settings, variables } } }
}

/**
 * Configurations with the rules of their modules, which are loaded from the folders that are allowed: refused where one may not be
 * loaded, or is not in order. Where nothing is linted, `allowed` is undefined, and no module counts.
 */
export async function withOwnRules(
  configs: Configs,
  allowed: readonly string[] | undefined,
  io: Io,
  report: (problems: readonly Diagnostic[]) => void = refuseAll,
): Promise<Configs> {
  if (allowed === undefined) return configs
  const loaded = new Map<Config, Config>()
  let loader: ReturnType<typeof ruleLoader> | undefined
  const loadAll = async () => {
    const problems: Diagnostic[] = []
    for (const config of configs.all()) {
      if (config.ruleModules.length === 0 || loaded.has(config)) continue
      loader ??= (await import('./rule-modules.ts')).ruleLoader(allowed, io)
      const { rules, diagnostics } = await loader(config)
      problems.push(...diagnostics)
      loaded.set(config, diagnostics.length > 0 ? config : { ...config, ownRules: rules })
    }
    report(problems)
  }
  const withRules = (config: Config) => loaded.get(config) ?? config
  await loadAll()
  return {
    main: withRules(configs.main),
    load: async (paths) => {
      await configs.load(paths)
      await loadAll()
    },
    of: (path) => withRules(configs.of(path)),
    all: () => configs.all().map(withRules),
  }
}

/** Values of variables that the command line gives; undefined where it gives none. */
function variablesOf(options: ConfigOptions, io: Io): Variables | undefined {
  const values = new Map((options.var ?? []).map((each) => pair('--var', each, 'NAME=VALUE')))
  const files = (options.varFile ?? []).map((each) => {
    const { text, message } = textAt(resolve(io.cwd, each), 'part', io)
    if (text === undefined) throw new Refusal(`--var-file \`${each}\`: ${message}`)
    return sourceOf(displayPath(resolve(io.cwd, each), io.cwd), withoutMark(text), each.endsWith('.json') ? 'hcl-json' : 'hcl')
  })
  const environment = new Map(
    Object.entries(options.varEnv ? io.env : {}).flatMap(([name, value]) =>
      name.startsWith('TF_VAR_') && value !== undefined ? [[name.slice('TF_VAR_'.length), value] as const] : [],
    ),
  )
  return values.size + files.length + environment.size === 0 ? undefined : { given: values, files, environment }
}

async function openFound(options: ConfigOptions, io: Io, byFile: Map<string, Config>, files: ConfigFiles): Promise<Configs> {
  const reader = configurationReader({ textOf: (file) => textOf(file, files, io), namesIn: files.namesIn })
  const read = async (file: string) => {
    const config = byFile.get(file) ?? (await readConfig(file, files, reader, io))
    byFile.set(file, config)
    return config
  }
  const defaults = byFile.get('') ?? defaultsIn(io.cwd)
  byFile.set('', defaults)
  const configOption = options.config
  if (configOption !== undefined) {
    const main = typeof configOption === 'string' ? await read(resolve(io.cwd, configOption)) : defaults
    return { main, load: async () => {}, of: () => main, all: () => [main] }
  }
  const byFolder = new Map<string, Config | undefined>()
  const mainFile = nearestConfig(io.cwd, files, io)
  const main = mainFile === undefined ? defaults : await read(mainFile)
  const prefix = io.cwd.endsWith(sep) ? io.cwd : io.cwd + sep
  byFolder.set(io.cwd, main)

  const isInRepository = repositoryOf(io.cwd) !== undefined
  // Folders of repositories within this one, such as submodules: what they hold is judged by this one, which names a commit of them.
  const others = new Set<string>()

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
      if (isInRepository && (others.has(dirname(inner)) || isRepository(inner))) {
        others.add(inner)
        noteOther(inner, io)
      } else {
        const file = configIn(inner, files, io)
        if (file !== undefined) config = await read(file)
        else if (isRepository(inner)) config = defaults
      }
      byFolder.set(inner, config)
    }
    return config ?? main
  }
  const configs = new Map<string, Config>()
  const folders = new Map<string, string>()
  const folderOf = (path: string) => {
    const end = path.lastIndexOf('/') + 1
    // Not for `.` and `..`, which are in other folders than the one that is written before them.
    if (sep !== '/' || path[end] === undefined || path[end] === '.') return dirname(resolve(io.cwd, path))
    return madeIn(folders, path.slice(0, end), () => dirname(resolve(io.cwd, path)))
  }
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

/** Say that the configuration of another repository does not count in this one. */
function noteOther(folder: string, io: Io): void {
  // An editor asks again and again.
  if (io.texts) return
  for (const name of configNames)
    if (onDisk(io).exists(join(folder, name)))
      io.stderr.write(
        `grantwise: note: ${shown(displayPath(join(folder, name), io.cwd))} is the configuration of another repository, and does not count in this one\n`,
      )
}

/** Where the documentation is, as an address that links begin with. */
export function docsOf({ docs }: Config): string {
  return docs ?? defaultDocs
}

function defaultsIn(folder: string): Config {
  return { ...noConfiguration(portable(folder)), catalogues: new Map() }
}

async function readConfig(file: string, files: ConfigFiles, reader: ReturnType<typeof configurationReader>, io: Io): Promise<Config> {
  const text = textOf(file, files, io)
  if ('message' in text) throw new Refusal(`${displayPath(file, io.cwd)}: ${text.message}`)
  const { configuration, diagnostics } = await reader(text.source, portable(file))
  refuseAll(diagnostics)
  const read = configuration as Configuration
  for (const path of [...(read.policies ?? []), ...(read.world ?? []), ...(read.catalogue ? [read.catalogue.value] : [])]) {
    const fault = outsideProblem(resolve(io.cwd, path), io)
    if (fault !== undefined) throw new Refusal(`${displayPath(file, io.cwd)}: \`${displayPath(resolve(io.cwd, path), io.cwd)}\`: ${fault}`)
  }
  return { ...read, catalogues: new Map() }
}

function nearestConfig(from: string, files: ConfigFiles, io: Io): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const file = configIn(folder, files, io)
    if (file !== undefined) return file
    if (dirname(folder) === folder || folder === io.within || isRepository(folder)) return undefined
  }
}

function configIn(folder: string, { exists }: ConfigFiles, { cwd }: Io): string | undefined {
  const existing = configNames.filter((name) => exists(join(folder, name)))
  if (existing.length > 1) {
    const places = existing.map((name) => `\`${displayPath(join(folder, name), cwd)}\``).join(' and ')
    throw new Refusal(`two configurations side by side: ${places}`, 'keep one of them')
  }
  return existing[0] === undefined ? undefined : join(folder, existing[0])
}

/** The text of a configuration file, or why there is none. */
function textOf(file: string, files: ConfigFiles, { cwd }: Io): ConfigurationText {
  const { text, message } = files.read(file)
  if (text === undefined) return { message, isMissing: message === refusals.missing }
  const notation = notationOf(file)
  if (notation !== 'json' && notation !== 'yaml')
    return { message: 'a configuration is YAML or JSON: expected a name that ends in `.yaml`, `.yml` or `.json`' }
  return { source: sourceOf(displayPath(file, cwd), withoutMark(text), notation) }
}
