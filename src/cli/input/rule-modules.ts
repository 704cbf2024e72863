import { readFileSync, realpathSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Diagnostic } from '../../diagnostic.ts'
import type { Configuration } from '../../lint/config.ts'
import { configProblem } from '../../lint/config-fields.ts'
import { codeClashes, rulesOfModule } from '../../lint/rule-modules.ts'
import type { Rule } from '../../rules/rule.ts'
import type { Located } from '../../source.ts'
import type { Io } from '../app/io.ts'
import { displayPath, isWithin } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { repositoryOf } from './read-file.ts'
import { outsideProblem } from './within.ts'

/**
 * Rule modules of an organisation. They are code: none is run unless it is in a folder that the user who runs the program names,
 * on the command line or in the environment. A configuration names modules, and never such a folder.
 */

/** A folder that modules may be loaded from. */
interface Allowed {
  /** As it was given. */
  readonly name: string
  /** With no link in it. */
  readonly folder: string
}

const variable = 'GRANTWISE_RULES_FROM'
const flag = '--allow-rules-from'

/** The rules that the modules of a configuration export, and problems with them. */
interface ModulesRead {
  readonly rules: readonly Rule[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Loads the modules of configurations, each file once, from the folders that are allowed. */
export function ruleLoader(given: readonly string[], io: Io): (config: Configuration) => Promise<ModulesRead> {
  const allowed = allowedFolders(given, io)
  const known = new Map<string, Promise<ModulesRead>>()
  return (config) => rulesOf(config, allowed, known, io)
}

/** The folders that the command line and the environment name. */
function allowedFolders(allowedPaths: readonly string[], { cwd, env }: Io): readonly Allowed[] {
  const inEnvironment = (env[variable] ?? '').split(delimiter).filter((path) => path !== '')
  const relative = inEnvironment.find((path) => !isAbsolute(path))
  if (relative !== undefined)
    throw new Refusal(`${variable}: \`${relative}\` is not an absolute path`, 'in another folder it would name another one')
  return [...allowedPaths.map((path) => [flag, path] as const), ...inEnvironment.map((path) => [variable, path] as const)].map(
    ([from, path]) => {
      try {
        const folder = realpathSync(resolve(cwd, path))
        if (statSync(folder).isDirectory()) return { name: path, folder }
      } catch {
        throw new Refusal(`${from}: \`${path}\`: no such folder`)
      }
      throw new Refusal(`${from}: \`${path}\` is not a folder`)
    },
  )
}

async function rulesOf(
  { ruleModules, guardrails = [], folder }: Configuration,
  allowed: readonly Allowed[],
  modulesRead: Map<string, Promise<ModulesRead>>,
  io: Io,
): Promise<ModulesRead> {
  const diagnostics: Diagnostic[] = []
  const all: { readonly rule: Rule; readonly module: Located<string> }[] = []
  for (const module of ruleModules) {
    const { name } = module
    const moduleFile = fileOf(name.value, resolve(io.cwd, module.folder), allowed, resolve(io.cwd, folder), io)
    if (moduleFile.file === undefined) {
      diagnostics.push(configProblem(name.span, moduleFile.message, moduleFile.help))
      continue
    }
    const reading = modulesRead.get(moduleFile.file) ?? load(moduleFile.file, name)
    modulesRead.set(moduleFile.file, reading)
    const read = await reading
    diagnostics.push(...read.diagnostics)
    all.push(...read.rules.map((rule) => ({ rule, module: name })))
  }
  diagnostics.push(
    ...codeClashes(
      all,
      guardrails.map(({ code }) => code.value),
    ),
  )
  return { rules: all.map(({ rule }) => rule), diagnostics }
}

async function load(file: string, name: Located<string>): Promise<ModulesRead> {
  let exported: Readonly<Record<string, unknown>>
  try {
    exported = await import(/* @vite-ignore */ pathToFileURL(file).href)
  } catch (error) {
    const words = (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).replace(/\s+/g, ' ').slice(0, 300)
    return { rules: [], diagnostics: [configProblem(name.span, `\`${name.value}\` cannot be loaded: ${words}`)] }
  }
  const { value, diagnostics } = rulesOfModule(exported, name)
  return { rules: value, diagnostics }
}

type Found =
  | { readonly file: string; readonly message?: undefined }
  | { readonly file?: undefined; readonly message: string; readonly help: string }

/** The file of a module, with no link in its path; or why it is not loaded. `home`: the folder of the configuration. */
function fileOf(name: string, from: string, allowed: readonly Allowed[], home: string, io: Io): Found {
  const help = `\`${flag} FOLDER\` or ${variable} names the folder whose rule modules may be run`
  if (allowed.length === 0) return { message: `\`${name}\` is a rule module, which is code, and nothing allows running it`, help }
  const isPath = isAbsolute(name) || /^\.\.?([/\\]|$)/.test(name) || /\.[cm]?[jt]s$/.test(name)
  const places = isPath ? [resolve(from, name)] : allowed.flatMap(({ folder }) => placesIn(folder, name))
  const fault = isPath ? outsideProblem(places[0] as string, io) : undefined
  if (fault !== undefined) return { message: `\`${name}\`: ${fault}`, help }
  const file = places.map((place) => moduleAt(place)).find((each) => each !== undefined)
  if (file === undefined) {
    const folders = allowed.map((each) => `\`${each.name}\``).join(', ')
    const where = isPath ? 'no such file, or a folder without one' : `no such module in ${folders}`
    return { message: `\`${name}\`: ${where}`, help: isPath ? help : 'write the path of a file as `./rules.mjs`' }
  }
  const holding = allowed.filter(({ folder }) => isWithin(file, folder))
  if (holding.length === 0) {
    const folders = allowed.map((each) => `\`${each.name}\``).join(', ')
    return { message: `\`${name}\` is \`${displayPath(file, io.cwd)}\`, which is not in ${folders}`, help }
  }
  // If a folder around the repository is allowed, users who change the repository could change the code that is run.
  const real = realpathSync(home)
  const repository = repositoryOf(real) ?? real
  if (isWithin(file, repository) && !holding.some(({ folder }) => isWithin(folder, repository)))
    return {
      message: `\`${name}\` is \`${displayPath(file, io.cwd)}\`, in the repository itself, and the folder that is allowed is around it`,
      help: `where everybody who changes the repository may change the rules, allow that folder with \`${flag}\``,
    }
  return { file }
}

/** Possible paths of a module in a folder: the folder itself may be the package. */
function placesIn(folder: string, name: string): readonly string[] {
  const paths = [join(folder, name), join(folder, 'node_modules', name)]
  const itself = fieldOf(manifestOf(folder), 'name') === name ? [folder] : []
  return [...itself, ...paths.flatMap((path) => [path, `${path}.mjs`, `${path}.js`])]
}

/** The file of a module: itself, or of a folder what its `package.json` names, else its index; with no link in its path. */
function moduleAt(path: string): string | undefined {
  const file = fileAt(path)
  if (file !== undefined) return file
  try {
    if (!statSync(path).isDirectory()) return undefined
  } catch {
    return undefined
  }
  const entry = entryOf(path)
  return [...(entry === undefined ? [] : [entry]), 'index.mjs', 'index.js'].map((each) => fileAt(resolve(path, each))).find((each) => each)
}

function fileAt(path: string): string | undefined {
  try {
    const real = realpathSync(path)
    return statSync(real).isFile() ? real : undefined
  } catch {
    return undefined
  }
}

function manifestOf(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  } catch {
    return undefined
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}

/** The file that a package exports as itself. */
function entryOf(folder: string): string | undefined {
  const manifest = manifestOf(folder)
  let entry = fieldOf(manifest, 'exports') ?? fieldOf(manifest, 'main')
  while (typeof entry === 'object') entry = ['.', 'import', 'node', 'default'].map((name) => fieldOf(entry, name)).find((each) => each)
  return typeof entry === 'string' ? entry : undefined
}
