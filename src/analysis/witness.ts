import { readAction } from '../actions/action.ts'
import { type Address, printAddress } from '../conditions/address.ts'
import { covers, filled, freshLetter, type Glob, isPattern, matches } from '../glob.ts'
import type { Question } from '../simulate/decision.ts'
import { readIdentity } from '../urn/identity.ts'
import { readResource } from '../urn/resource.ts'
import type { Gain } from './inclusion.ts'
import type { Statement } from './statements.ts'

/** An address of the block for documentation, and an instant: what is given where nothing depends on it. */
const anyAddress: Address = { family: 4, value: 0xc0000201n }
const anyInstant = Date.UTC(2026, 0, 1)

/**
 * One question of a gain: `decide` allows it on the first side and not on the second (spec: analysis, 6.7). Every
 * wildcard is filled with a text that no entry of either side tells from other texts, every fact that a question can give
 * is given, and the names are legal wherever legal ones will do. For a gain that is not certain, both answers may also be
 * unknown: see `Gain.certain`.
 */
export function witnessOf({ region, model, between }: Gain): Question {
  const statements = between
    .flatMap(({ allows, denies }) => [allows, denies])
    .flatMap((index) => [index, ...(index.added ? [index.added] : [])])
  const patterns = (pick: (statement: Statement) => readonly Glob[]) => statements.flatMap(({ all }) => all.flatMap(pick))
  const excluded = ({ exclusions }: Statement, dimension: string) =>
    exclusions.flatMap((exclusion) => (exclusion.dimension === dimension ? [exclusion.pattern] : []))
  const { self, groups } = region.caller
  const { box } = region

  const isDescribed = (text: string) => between.some((side) => side.groups.has(text))
  const identities = patterns((statement) => statement.identities.map(({ value }) => value.glob))
  const isIdentity = (text: string) => !isDescribed(text) && readIdentity(text, { pattern: false }).value !== undefined
  const fillIdentity = (pattern: Glob) => fill(pattern, identities, isIdentity, names)
  const regions = patterns((statement) => statement.boxes.map((b) => b.region))
  const type = fill(box.type, [...patterns((s) => s.boxes.map((b) => b.type)), ...patterns((s) => excluded(s, 'type'))], isType, names)
  const name = fill(box.name, [...patterns((s) => s.boxes.map((b) => b.name)), ...patterns((s) => excluded(s, 'name'))], isName, names)
  const actions = [...patterns((s) => s.actions.map(({ value }) => value)), ...patterns((s) => excluded(s, 'action'))]

  const members = groups.map(fillIdentity)
  const [first] = members
  // A group asks for its members, unless the world makes it a member of others: then it is somebody of no entry's region.
  const nobody = () => {
    const plates = identities.map(({ text }) => ({ text: text.split(':')[2] as string, pieces: [text.split(':')[2] as string] }))
    return `urn:v1:${fill({ text: '*', pieces: ['', ''] }, plates, isRegion, names)}:identity:user:x/x`
  }
  const identity = self ? fillIdentity(self) : first !== undefined && !isDescribed(first) ? first : nobody()
  const account = readIdentity(identity, { pattern: false }).value
  return {
    identity,
    groups: members.filter((group) => group !== identity),
    action: fill(region.action, actions, (text) => readAction(text).value !== undefined, names),
    resource: `urn:v1:${fill(box.region, regions, isRegion, ['eu', 'ca', 'us', ...names])}:resource:${type}:${name}`,
    at: model.at ?? anyInstant,
    ip: model.ip ?? anyAddress,
    tags: new Map([...model.tags].flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]))),
    // The owner of a resource is always allowed: what the policies say counts for others.
    ...(account?.kind === 'account' && { owner: account.account === 'x' ? 'z' : 'x' }),
  }
}

/** What wildcards are filled with: readable texts first, then others without end to speak of. */
const names: readonly string[] = [
  ...['x', 'z', 'q', 'w', 'k', 'j', 'v', 'y', 'x/x', 'z/z', 'xyz', 'zzz'],
  ...Array.from({ length: 500 }, (_, i) => `x${i.toString(36)}q`).flatMap((name) => [name, `${name}/${name}`]),
]

const isRegion = (text: string) => readResource(`urn:v1:${text}:resource:x:x`, { pattern: false }).value !== undefined
const isType = (text: string) => readResource(`urn:v1:eu:resource:${text}:x`, { pattern: false }).value !== undefined
const isName = (text: string) => readResource(`urn:v1:eu:resource:x:${text}`, { pattern: false }).value !== undefined

/**
 * The pattern with one word for its wildcards, such that only those of the others match it that cover the pattern. Where
 * no word will do, a letter that is in no name at all.
 */
function fill(pattern: Glob, others: readonly Glob[], isLegal: (text: string) => boolean, words: readonly string[]): string {
  if (!isPattern(pattern)) return pattern.text
  for (const word of words) {
    const text = filled(pattern, word)
    if (isLegal(text) && others.every((other) => !matches(other, text) || covers(other, pattern))) return text
  }
  return filled(pattern, freshLetter(pattern.text, ...others.map(({ text }) => text)))
}

/** A question as JSON, as `can --batch` reads it. */
export function questionJson({ identity, groups, action, resource, ip, tags, at, owner }: Question) {
  return {
    identity,
    groups,
    action,
    resource,
    ip: ip ? printAddress(ip) : null,
    tags: Object.fromEntries(tags ?? []),
    at: new Date(at).toISOString(),
    ...(owner !== undefined && { owner }),
  }
}
