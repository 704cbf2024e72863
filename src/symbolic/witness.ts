import { readAction } from '../actions/action.ts'
import { type Address, printAddress } from '../conditions/address.ts'
import { covers, fillWildcards, freshLetter, type Glob, glob, isPattern } from '../glob.ts'
import type { World } from '../policy.ts'
import type { Question } from '../simulate/decision.ts'
import { readIdentity } from '../urn/identity.ts'
import { readResource } from '../urn/resource.ts'
import type { Model } from './formula.ts'
import type { NewAccess } from './search.ts'
import { PatternList } from './statements.ts'

/** An address of the block for documentation, and an instant: what is given where nothing depends on it. */
export const anyAddress: Address = { family: 4, value: 0xc0000201n }
export const anyInstant = Date.UTC(2026, 0, 1)

/**
 * One question of some new access: `decide` allows it on the first side and not on the second (docs/analysis.md, New access).
 * Every wildcard is filled with a string that no entry of either side distinguishes from other strings, every fact that a
 * question can give is given, and the names are legal wherever possible. For access that is not certain, both answers may also be
 * unknown: see `NewAccess.certain`.
 */
export function witnessOf({ region, model, between }: NewAccess): Question {
  const { patterns } = between
  const { self, groups } = region.caller
  const { box } = region

  const isDescribed = (text: string) => between.sides.some(({ groups }) => groups.has(text))
  const isIdentity = (text: string) => !isDescribed(text) && readIdentity(text, { pattern: false }).value !== undefined
  const fillIdentity = (pattern: Glob) =>
    isPattern(pattern) ? fill(pattern, patterns.identities, isIdentity, [...names, ...restsOfIdentities(pattern)]) : pattern.text
  const members = groups.map(fillIdentity)
  const [first] = members
  // A group asks for its members, unless the world makes it a member of others: then the caller is an identity of no entry's region.
  const noIdentity = () => {
    const plates = patterns.identities.all.map(({ text }) => glob(text.split(':')[2] ?? '*'))
    return `urn:v1:${fill(glob('*'), new PatternList(plates), isRegion, names)}:identity:user:x/x`
  }
  const identity = self ? fillIdentity(self) : first !== undefined && !isDescribed(first) ? first : noIdentity()
  const account = readIdentity(identity, { pattern: false }).value
  return {
    identity,
    groups: members.filter((group) => group !== identity),
    action: fill(region.action, patterns.actions, (text) => readAction(text).value !== undefined, names),
    resource: [
      `urn:v1:${fill(box.region, patterns.regions, isRegion, ['eu', 'ca', 'us', ...names])}:resource`,
      fill(box.type, patterns.types, isType, names),
      fill(box.name, patterns.names, isName, names),
    ].join(':'),
    at: model.at ?? anyInstant,
    ip: model.ip ?? anyAddress,
    tags: new Map([...model.tags].flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]))),
    // The owner of a resource is always allowed: what the policies say counts for others.
    ...(account?.kind === 'account' && { owner: account.account === 'x' ? 'z' : 'x' }),
  }
}

/** A question in a context: what the context does not give is any address and any instant. */
export function questionAt(
  names: Pick<Question, 'identity' | 'action' | 'resource'>,
  { at, ip, tags }: Model,
  givenFacts: { readonly at?: number; readonly ip?: Address; readonly tags?: Question['tags'] },
): Question {
  const ownTags = new Map([...tags].flatMap(([key, value]) => (value === null || key.startsWith('\0') ? [] : [[key, value] as const])))
  return {
    ...names,
    groups: [],
    at: givenFacts.at ?? at ?? anyInstant,
    ip: givenFacts.ip ?? ip ?? anyAddress,
    // Tags that the world describes are not given again: a question's tags would be all that there are.
    ...(givenFacts.tags ? { tags: givenFacts.tags } : tags.size > 0 && { tags: ownTags }),
  }
}

/**
 * A question that gives tags, none where no world describes any of its resource. Where one does, those count that are described:
 * on each side its own.
 */
export function withTagsOf(question: Question, worlds: readonly World[]): Question {
  const isDescribed = worlds.some(({ resources }) => resources.get(question.resource)?.tags !== undefined)
  return question.tags || isDescribed ? question : { ...question, tags: new Map() }
}

const words = ['x', 'z', 'q', 'w', 'k', 'j', 'v', 'y', 'xyz', 'X', 'Z']
/** The strings that wildcards are filled with: readable ones first, then hundreds of others. */
const names = [...words, ...Array.from({ length: 400 }, (_, i) => `${i % 2 ? 'x' : 'X'}${i.toString(36)}q`)].flatMap((w) => [
  w,
  `${w}/${w}`,
])

/** For a pattern that leaves open more than the name of an identity, what would make one of it. */
function restsOfIdentities({ pieces }: Glob): readonly string[] {
  const head = pieces[0] as string
  return ['eu', 'ca', 'us', ...words].flatMap((region) =>
    [`user:x/x`, `account:x`, `credential:x/oauth2-x`, `group:x/x`].flatMap((id) => {
      const text = `urn:v1:${region}:identity:${id}`
      return text.startsWith(head) ? [text.slice(head.length)] : []
    }),
  )
}

const isRegion = (text: string) => readResource(`urn:v1:${text}:resource:x:x`, { pattern: false }).value !== undefined
const isType = (text: string) => readResource(`urn:v1:eu:resource:${text}:x`, { pattern: false }).value !== undefined
const isName = (text: string) => readResource(`urn:v1:eu:resource:x:${text}`, { pattern: false }).value !== undefined

/**
 * The pattern with a word for its wildcards, such that only those of the others match it that cover the pattern. Where no
 * legal text will do, a letter that is in no name at all.
 */
function fill(pattern: Glob, others: PatternList, isLegal: (text: string) => boolean, words: readonly string[]): string {
  if (!isPattern(pattern)) return pattern.text
  for (const word of words) {
    const text = fillWildcards(pattern, word)
    if (isLegal(text) && others.matching(text).every((other) => covers(other, pattern))) return text
  }
  return fillWildcards(pattern, freshLetter(pattern.text, ...others.all.map(({ text }) => text)))
}

/** A question as JSON, as `can --batch` reads it: without the address and the tags that it does not give. */
export function questionJson({ identity, groups, action, resource, ip, tags, at, owner }: Question) {
  return {
    identity,
    groups,
    action,
    resource,
    ...(ip && { ip: printAddress(ip) }),
    ...(tags && { tags: Object.fromEntries(tags) }),
    at: new Date(at).toISOString(),
    ...(owner !== undefined && { owner }),
  }
}
