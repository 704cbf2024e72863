import { readActionPattern } from '../actions/action.ts'
import { readInstant } from '../conditions/time.ts'
import type { Settings } from '../names.ts'
import { digest, symbolOf, type UnknownNode } from '../tree.ts'
import { readIdentity } from '../urn/identity.ts'
import { readPermissionsGroup, readResourceGroup, readResourcePattern } from '../urn/resource.ts'
import type { Role } from './place.ts'
import { holeWords, isWhole, joinedBy } from './template.ts'

/** Names that are made up for values that are not known. */

/** How a name is made up: one of the first or the second assignment, one that covers as much as it can, one for all symbols. */
export type Naming = 'first' | 'second' | 'most' | 'alike'

/** Letters that are not expected in written names, before every name that is made up; the first sort before most names, the second after. */
export const signs = { first: 'aaxq', second: 'zzxq' } as const
/** The name of all symbols in the assignment in which they are the same. */
const alikeName = `${signs.first}alike`
/** Names that are made up, in a text. */
export const madeUp = /(?:aaxq|zzxq)[0-9a-z]{16}/g
/** A part of one at least. */
export const madeUpPart = /aaxq|zzxq/

/** For each name that is made up, the strings that contain it, with the replacement of each in messages. */
export type Words = Map<string, Map<string, string>>

/** Note the text that a name was made up for. */
export function note(words: Words, node: UnknownNode, naming: Naming, hole: number, text: string): void {
  if (naming !== 'first' && naming !== 'second') return
  const token = bareToken(node, hole, naming)
  const texts = words.get(token) ?? new Map<string, string>()
  words.set(token, texts.set(text, node.expression))
  // Of a value that is not known at all no part is anything that was written.
  if (!isWhole(node)) texts.set(token, holeWords(node, hole))
}

/** A name for a hole that depends on its symbol alone. */
function bareToken(node: UnknownNode, hole: number, naming: 'first' | 'second'): string {
  return `${signs[naming]}${digest(`${hole} ${symbolOf(node)}`)
    .padEnd(16, 'x')
    .slice(0, 16)}`
}

/** A made-up string for a hole. */
export function tokenOf(node: UnknownNode, hole: number, naming: Naming, role: Role = 'text'): string {
  if (naming === 'alike') return alikeName
  if (naming === 'most') return bareToken(node, hole, 'second')
  const token = bareToken(node, hole, naming)
  // The name of a service account is not known either.
  return naming === 'second' && role === 'identity' && (node.pieces[hole] ?? '').endsWith('/') ? `oauth2-${token}` : token
}

/** Possible values for holes in an identity, and in instants. */
const kinds = ['user', 'credential', 'account', 'group']
const instantParts = ['2999-12-31T00:00:00Z', '2999-12-31', '00:00:00Z', 'T00:00:00Z', 'Z', '2999', '12', '01', '00', '+00:00']

/** Strings for the holes of a template that make it legal; undefined where none are found. */
export function fittingFills(node: UnknownNode, role: Role, naming: Naming, settings: Settings): readonly string[] | undefined {
  const holes = node.pieces.slice(1)
  if (holes.length === 0) return []
  const tokens = holes.map((_, i) => tokenOf(node, i, naming, role))
  const attempts: (readonly string[])[] = []
  if (naming === 'most')
    attempts.push(
      holes.map(() => '*'),
      tokens.with(holes.length - 1, '*'),
    )
  attempts.push(tokens)
  const options = [...(role === 'instant' ? instantParts : role === 'identity' ? kinds : []), ...settings.regions]
  const ordered = naming === 'second' || naming === 'alike' ? options.toReversed() : options
  for (const i of holes.keys()) for (const option of ordered) attempts.push(tokens.with(i, option))
  for (const option of ordered) attempts.push(holes.map(() => option))
  return attempts.find((fills) => isLegal(joinedBy(node.pieces, fills), role, settings))
}

function isLegal(name: string, role: Role, { brand }: Settings): boolean {
  switch (role) {
    case 'identity':
      return readIdentity(name, { pattern: true }).faults === undefined
    case 'resource':
      return readResourcePattern(name).faults === undefined
    case 'resourceGroup':
      return readResourceGroup(name, { pattern: true }).faults === undefined
    case 'permissionsGroup':
      return readPermissionsGroup(name).faults === undefined
    case 'action':
      return readActionPattern(name, brand).faults === undefined
    case 'instant':
      return readInstant(name) !== undefined
    default:
      return !name.includes('*')
  }
}

/** Roles whose names are URNs. */
const named: ReadonlySet<Role> = new Set<Role>(['identity', 'resource', 'resourceGroup', 'permissionsGroup'])

/** A name for what is not known at all; the same one for the same symbol, so that what refers to a thing still does. */
export function wholeName(node: UnknownNode, role: Role, naming: Naming, { brand, regions }: Settings): string {
  const isSecond = naming === 'second'
  const region = (isSecond ? regions.at(-1) : regions[0]) ?? 'eu'
  const word = naming === 'alike' ? alikeName : bareToken(node, 0, naming === 'most' ? 'first' : naming)
  if (node.shape && named.has(role)) {
    const [head = '', ...rest] = node.shape
    // A prefix is enough: a pattern with more than one wildcard is no identity.
    if (naming === 'most' && role !== 'permissionsGroup') return `${head}${region}${rest[0]}*`
    return `${head}${region}${rest.join(word)}`
  }
  const kind = isSecond ? 'group' : 'user'
  const names: Readonly<Record<Role, readonly [one: string, most: string]>> = {
    identity: [`urn:v1:${region}:identity:${kind}:${word}/${word}`, `urn:v1:${region}:identity:user:*`],
    resource: [`urn:v1:${region}:resource:${word}:${word}`, `urn:v1:${region}:resource:*`],
    resourceGroup: [`urn:v1:${region}:resourceGroup:${word}`, `urn:v1:${region}:resourceGroup:*`],
    permissionsGroup: [`urn:v1:${region}:permissionsGroup:${word}:${word}`, `urn:v1:${region}:permissionsGroup:${word}:${word}`],
    action: [`${word}:api${brand}:${word}`, '*'],
    instant: [isSecond ? '2998-06-30T12:00:00Z' : '2999-12-31T00:00:00Z', '2000-01-01T00:00:00Z'],
    text: [word, word],
  }
  return names[role][naming === 'most' ? 1 : 0]
}
