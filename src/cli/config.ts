import { lstatSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Catalogue } from '../actions/catalogue.ts'
import { loadCatalogue } from '../actions/load.ts'
import { compareDiagnostics, type Diagnostic, type Severity } from '../diagnostic.ts'
import { defaultSettings, type Settings } from '../names.ts'
import { nearest } from '../nearest.ts'
import { notationOf, readTree } from '../parser/tree.ts'
import { compactLine } from '../report/lint.ts'
import type { Rule } from '../rules/rule.ts'
import type { Located, Span } from '../source.ts'
import { field, type MapNode, type Node } from '../tree.ts'
import { decode, displayPath, readBytes } from './files.ts'
import type { Io } from './io.ts'
import type { Options } from './options.ts'
import { Refusal } from './refusal.ts'

export type Level = Severity | 'off'
export type FailOn = Severity | 'never'

export const levels: readonly Level[] = ['off', 'info', 'warning', 'error']
export const failLevels: readonly FailOn[] = ['error', 'warning', 'info', 'never']

export interface RuleLevel {
  readonly code: Located<string>
  readonly level: Level
}

/** Other levels for the files that a pattern matches. */
export interface Override {
  readonly files: readonly string[]
  readonly rules: readonly RuleLevel[]
}

/** Findings to leave out. */
export interface Ignore {
  readonly files: readonly string[]
  readonly codes: readonly Located<string>[]
  readonly policy: string | undefined
  readonly reason: string
  /** Milliseconds since 1970: the end of the last day on which it holds. */
  readonly until: number | undefined
  readonly span: Span
}

/** The configuration (spec: command line, Configuration). */
export interface Config {
  /** The folder that its paths and patterns are relative to: absolute. */
  readonly folder: string
  readonly settings: Settings
  /** Absolute paths or globs; undefined when it does not say. */
  readonly policies: readonly string[] | undefined
  readonly world: readonly string[]
  /** Absolute. */
  readonly catalogue: string | undefined
  readonly rules: readonly RuleLevel[]
  readonly overrides: readonly Override[]
  readonly ignores: readonly Ignore[]
  readonly failOn: FailOn
}

const names = ['.grantwise.yaml', '.grantwise.yml', '.grantwise.json']

/** The configuration that holds for a run: of `--config`, else the nearest at or above the working folder, else the defaults. */
export async function loadConfig(options: Options, io: Io): Promise<Config> {
  const given = options.text('config')
  const file = given !== undefined ? resolve(io.cwd, given) : options.flag('config') === false ? undefined : nearestConfig(io)
  return file === undefined ? emptyConfig(io.cwd) : readConfig(file, io)
}

export function emptyConfig(folder: string): Config {
  return {
    folder,
    settings: defaultSettings,
    policies: undefined,
    world: [],
    catalogue: undefined,
    rules: [],
    overrides: [],
    ignores: [],
    failOn: 'warning',
  }
}

function nearestConfig({ cwd }: Io): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const found = names.filter((name) => exists(join(folder, name)))
    if (found.length > 1) {
      const places = found.map((name) => `\`${displayPath(join(folder, name), cwd)}\``).join(' and ')
      throw new Refusal(`two configurations side by side: ${places}`, 'keep one of them')
    }
    if (found[0] !== undefined) return join(folder, found[0])
    if (dirname(folder) === folder) return undefined
  }
}

function exists(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

async function readConfig(file: string, io: Io): Promise<Config> {
  const path = displayPath(file, io.cwd)
  const { bytes, message } = readBytes(file)
  if (!bytes) throw new Refusal(`${path}: ${message}`)
  const { text, message: fault } = decode(bytes)
  if (text === undefined) throw new Refusal(`${path}: ${fault}`)
  const source = { path, text }
  const notation = notationOf(path)
  if (!notation)
    throw new Refusal(`${path}: a configuration is YAML or JSON: expected a name that ends in \`.yaml\`, \`.yml\` or \`.json\``)
  // A file of comments alone is a configuration that says nothing.
  if (notation === 'yaml' && /^(\s*(#.*)?(\n|$))*$/.test(text.slice(0, 20_000)) && text.length < 20_000) return emptyConfig(dirname(file))
  let reading = readTree(source, notation)
  if (reading.needsYaml) reading = readTree(source, notation, (await import('../parser/yaml.ts')).readYaml)
  refuseAll(reading.diagnostics)
  const node = reading.documents[0]
  if (!node || reading.documents.length > 1) throw new Refusal(`${path}: expected one document`)
  const { shapeProblems } = await import('../parser/shape.ts')
  refuseAll(shapeProblems({ shape: 'config', node }).map((problem) => ({ ...problem, code: 'config' })))
  return understand(node as MapNode, dirname(file))
}

/** End with the problems of a configuration, if there are any. */
export function refuseAll(problems: readonly Diagnostic[]): void {
  if (problems.length === 0) return
  const lines = [...problems]
    .sort(compareDiagnostics)
    .map((problem) => `${compactLine(problem)}${problem.help ? `\n  help: ${problem.help}` : ''}`)
  throw new Refusal(`the configuration cannot be used\n${lines.join('\n')}`)
}

/** A configuration of the right shape, understood. */
function understand(node: MapNode, folder: string): Config {
  const problems: Diagnostic[] = []
  const path = (text: string) => resolve(folder, text)
  const rules = (map: Node | undefined): RuleLevel[] =>
    (map?.kind === 'map' ? map.entries : []).map(({ key, value }) => {
      const [level, settings] = value.kind === 'list' ? value.items : [value]
      if (settings)
        problems.push({
          code: 'config',
          severity: 'error',
          message: `\`${key.value}\` has no options`,
          span: settings,
          help: 'give its level alone',
        })
      return { code: { value: key.value, span: key }, level: (level?.kind === 'text' ? level.value : 'warning') as Level }
    })
  const policies = field(node, 'policies')
  const config: Config = {
    folder,
    settings: {
      brand: textOf(field(node, 'brand')) ?? defaultSettings.brand,
      regions: field(node, 'regions') ? textsOf(field(node, 'regions')).map((text) => text.value) : defaultSettings.regions,
    },
    policies: policies && textsOf(policies).map((text) => path(text.value)),
    world: textsOf(field(node, 'world')).map((text) => path(text.value)),
    catalogue: field(node, 'catalogue') && path(textOf(field(node, 'catalogue')) ?? ''),
    rules: rules(field(node, 'rules')),
    overrides: itemsOf(field(node, 'overrides')).map((item) => ({
      files: textsOf(field(item, 'files')).map((text) => text.value),
      rules: rules(field(item, 'rules')),
    })),
    ignores: itemsOf(field(node, 'ignores')).map((item) => {
      const until = field(item, 'until')
      const day = until && endOfDay(textOf(until) ?? '')
      if (until && day === undefined)
        problems.push({ code: 'config', severity: 'error', message: 'expected a day', span: until, help: 'write it as `2027-01-31`' })
      return {
        files: textsOf(field(item, 'files')).map((text) => text.value),
        codes: textsOf(field(item, 'codes')),
        policy: textOf(field(item, 'policy')),
        reason: textOf(field(item, 'reason')) ?? '',
        until: day,
        span: item,
      }
    }),
    failOn: (textOf(field(node, 'failOn')) ?? 'warning') as FailOn,
  }
  refuseAll(problems)
  return config
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

/** The catalogue that holds for a run. */
export function catalogueFor(config: Config): Catalogue {
  if (config.catalogue !== undefined)
    throw new Refusal('`catalogue` in the configuration: this version knows the built-in catalogue only', 'remove the key')
  return loadCatalogue(config.settings.brand)
}

/** Codes that are always in force: of problems found while reading, which stop every deciding command as well. */
const fixedCodes = new Set(['syntax', 'shape'])

function codeFault(
  code: string,
  rules: readonly Rule[],
  isLevel: boolean,
): { readonly message: string; readonly help?: string } | undefined {
  const rule = rules.find((each) => each.code === code)
  if (fixedCodes.has(code) || (rule && 'reader' in rule.check))
    return { message: `\`${code}\` is found while reading and cannot be ${isLevel ? 'given another level' : 'ignored'}` }
  if (rule) return undefined
  const near = nearest(
    code,
    rules.map((each) => each.code),
  )
  return { message: `unknown rule \`${code}\``, help: near ? `did you mean \`${near}\`?` : '`grantwise rules` lists them' }
}

/** Refuse a configuration that names rules that there are not. */
export function checkCodes(config: Config, rules: readonly Rule[]): void {
  const fault = (isLevel: boolean) => (code: Located<string>) => {
    const found = codeFault(code.value, rules, isLevel)
    return found ? [{ code: 'config', severity: 'error' as const, span: code.span, ...found }] : []
  }
  const levelCodes = [...config.rules, ...config.overrides.flatMap((override) => override.rules)].map((rule) => rule.code)
  refuseAll([...levelCodes.flatMap(fault(true)), ...config.ignores.flatMap((ignore) => ignore.codes).flatMap(fault(false))])
}

/** Refuse a code of the command line that there is not. */
export function checkCode(option: string, code: string, rules: readonly Rule[]): void {
  const found = codeFault(code, rules, true)
  if (found) throw new Refusal(`${option}: ${found.message}`, found.help)
}
