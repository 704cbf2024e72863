import type { Span } from '../source.ts'
import type { Entry, MapNode, UnknownNode } from '../tree.ts'
import { joinPath } from './paths.ts'
import { mapAt, spanOf, textNode } from './values.ts'

/** A module that `terraform init` has unpacked, as `.terraform/modules/modules.json` has it. */
export interface InstalledModule {
  readonly source: string
  readonly version: string | undefined
  /** The path of its folder. */
  readonly path: string
}

/**
 * The modules from elsewhere in a `modules.json`, by their keys: the names of the calls that lead to them, joined by dots. `folder`: the
 * root module that they are unpacked for. Undefined where there are none, or the text cannot be read.
 */
export function installedModules(text: string, folder: string): ReadonlyMap<string, InstalledModule> | undefined {
  const manifest = plainJson(text)
  const modules = isRecord(manifest) && Array.isArray(manifest.Modules) ? (manifest.Modules as readonly unknown[]) : []
  const entries = modules.flatMap((each): readonly (readonly [string, InstalledModule])[] => {
    if (!isRecord(each) || typeof each.Key !== 'string' || typeof each.Source !== 'string' || typeof each.Dir !== 'string') return []
    if (each.Key === '' || isLocalSource(each.Source)) return []
    const version = typeof each.Version === 'string' ? each.Version : undefined
    return [[each.Key, { source: each.Source, version, path: joinPath(folder, each.Dir) }]]
  })
  return entries.length > 0 ? new Map(entries) : undefined
}

/** The key of a module that a call makes, by that of the module with the call: '' for the root module. */
export function keyOfCall(key: string, name: string): string {
  return key === '' ? name : `${key}.${name}`
}

function plainJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Whether a source is a path from the folder of the caller: everything else is fetched from elsewhere. */
export function isLocalSource(source: string): boolean {
  return /^\.\.?(\/|$)/.test(source)
}

/** The possible content of a module that was not read: one policy of which nothing is known. */
export function unreadPolicy(part: UnknownNode, span: Span): MapNode {
  const place = spanOf(span)
  const entry = (key: string): Entry => ({ key: textNode(place, key), value: { ...part, ...place } })
  const words = ['name', 'description', 'identities', 'resources', 'permissions', 'permissionsGroups', 'conditions', 'expiredAt']
  return { ...mapAt(place, words.map(entry)), unread: part }
}

/** Whether what was unpacked is what a call asks for. */
export function isUnpackedOf({ source, version }: InstalledModule, written: string, constraint: string | undefined): boolean {
  if (plainSource(source) !== plainSource(written)) return false
  return constraint === undefined || (version !== undefined && meets(version, constraint) === true)
}

/** A source without what the tool adds to it, or leaves out. */
function plainSource(source: string): string {
  return source
    .replace(/^git::/, '')
    .replace(/^(?:https?|ssh):\/\//, '')
    .replace(/^git@([^:/]+):/, '$1/')
    .replace(/^git@/, '')
    .replace(/^registry\.(?:terraform\.io|opentofu\.org)\//, '')
    .replace(/\.git(?=\/\/|\?|$)/, '')
}

/** Whether a source and a version identify one content, as far as they are written. */
export function isExact(source: string, version: string | undefined): boolean {
  if (version !== undefined) return /^\s*=?\s*v?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?\s*$/.test(version)
  const ref = /[?&]ref=([^&]*)/.exec(source)?.[1]
  return ref !== undefined && /^(?:[0-9a-f]{40}|(?:.*\/)?v?\d+(?:\.\d+)+)$/.test(ref)
}

/** Whether a version is within a constraint such as `>= 1.2.0, < 2`; undefined where the constraint is none. */
export function meets(version: string, constraint: string): boolean | undefined {
  const ownVersion = numbersOf(version)
  if (!ownVersion) return undefined
  let isMet = true
  for (const part of constraint.split(',')) {
    const [, operator = '', text = ''] = /^\s*(=|!=|>=|<=|>|<|~>)?\s*(\S+)\s*$/.exec(part) ?? []
    const other = numbersOf(text)
    if (!other) return undefined
    isMet &&= within(ownVersion, operator, other)
  }
  return isMet
}

interface Version {
  readonly numbers: readonly number[]
  /** The part after `-`: such a version is only used where it is named. */
  readonly before: string
}

function numbersOf(version: string): Version | undefined {
  const [, digits, before = ''] = /^v?(\d+(?:\.\d+)*)(?:-([\w.-]+))?(?:\+[\w.-]+)?$/.exec(version.trim()) ?? []
  return digits === undefined ? undefined : { numbers: digits.split('.').map(Number), before }
}

function within(ownVersion: Version, operator: string, other: Version): boolean {
  const order = compare(ownVersion.numbers, other.numbers)
  const isSame = order === 0 && ownVersion.before === other.before
  if (operator === '' || operator === '=') return isSame
  if (operator === '!=') return !isSame
  if (ownVersion.before !== '') return isSame && operator !== '<' && operator !== '>'
  if (operator === '>=') return order >= 0
  if (operator === '<=') return order <= 0
  if (operator === '>') return order > 0
  if (operator === '<') return order < 0
  // `~> 1.2.3`: the last number may grow.
  const fixed = other.numbers.slice(0, -1)
  return order >= 0 && fixed.every((number, i) => (ownVersion.numbers[i] ?? 0) === number)
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
