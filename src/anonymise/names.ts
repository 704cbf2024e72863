import { rebrand } from '../actions/rebrand.ts'
import { type AddressRange, printRange, single } from '../conditions/address.ts'
import { matchTypes, stringsIn } from '../conditions/sets.ts'
import { comparisonName, isOfTime, readConditionKey, readTest, type Test, zoneOf } from '../conditions/test.ts'
import { type Glob, glob, matches } from '../glob.ts'
import { defaultSettings } from '../names.ts'
import type { Condition, Policy } from '../policy.ts'
import type { Fact } from '../simulate/decision.ts'
import { factText } from '../simulate/facts.ts'
import { type Zone, Zones } from '../zones.ts'
import { type Length, type RenameRange, renamedRanges } from './addresses.ts'
import { type RenameTimes, renamedTimes } from './instants.ts'
import type { Draft } from './portrait.ts'
import { byLetters, byWords, type NamesToReplace, type Pieces, type Rename } from './segments.ts'

/** All names in a draft, and other names for them. */

/** The public names: those of the built-in catalogue, in the words of the brand of the input. */
export interface Public {
  readonly brand: string
  readonly types: ReadonlySet<string>
  /** The words in the names of actions. */
  readonly actionWords: ReadonlySet<string>
}

/** How names are replaced. */
export interface Manner {
  readonly names: 'words' | 'letters'
  readonly addresses: Length
  /** The actions that the catalogue does not have are renamed, too. */
  readonly actions: boolean
  /** Which of several replacements of letters. */
  readonly shift: number
  /** See `NamesToReplace`. */
  readonly mayUse: (word: string) => boolean
}

/** A comparison as a condition writes it. */
export interface Written {
  readonly key: string
  readonly value: string
}

/** Other names for everything in a draft. */
export interface Renaming {
  /** Of an account, the key or value of a tag, or a part of such. */
  readonly text: Rename
  /** `kind`: what a name that is no URN, since it is not known yet, is one of. */
  readonly urn: (urn: string, kind?: 'resourceGroup' | 'permissionsGroup') => string
  readonly action: (action: string) => string
  readonly policy: (policy: Policy) => string
  readonly range: RenameRange
  readonly times: RenameTimes
  /** A condition that is not understood, as one that is not understood either. */
  readonly opaque: (text: string) => Written
  readonly fact: (fact: Fact) => string
  /** Names that stay as they are, each as a whole, and words that do wherever they are. */
  readonly open: readonly string[]
  readonly kept: ReadonlySet<string>
}

/** Undefined where there are not enough words, or patterns that no words can replace. */
export function renamingOf(draft: Draft, open: OpenNames, publicNames: Public, manner: Manner): Renaming | undefined {
  const { world, question } = draft
  const urns = urnsOf(draft, open)
  const { brand } = publicNames
  const tests = testsOf(draft)
  const opaqueTexts = [...new Set(world.policies.flatMap(({ condition }) => opaqueIn(condition)))]
  const parsed = new Map(opaqueTexts.map((text) => [text, comparisonIn(text)]))
  const all: Pieces[] = [
    ...urns.map((urn) => piecesOf(tailOf(urn))),
    ...Array.from(literalsOf(draft), (text) => [text]),
    ...tests.flatMap(({ set }) => (set.kind === 'strings' ? set.values.map((value) => matchTypes[set.matchType].pieces(value)) : [])),
  ]
  const types = new Set(urns.flatMap((urn) => typeIn(urn) ?? []).filter((type) => publicNames.types.has(type)))
  const fixed = new Map([
    [brand, defaultSettings.brand],
    ['oauth2', 'oauth2'],
    ...[...types].flatMap(wordsOf).map((word) => [word, rebrand(word, brand, defaultSettings.brand)] as const),
  ])
  const keptWords = new Set([...types].flatMap(wordsOf).filter((word) => fixed.get(word) === word))
  const used = new Set<string>()
  const mayUse = (word: string) => manner.mayUse(word) && used.add(word).has(word)
  const text = renameBy({ names: all, kept: keptWords, fixed, mayUse }, manner)
  const action = actionsBy(draft, publicNames, { ...manner, mayUse: (word) => !used.has(word) && manner.mayUse(word) })
  if (!text || !action) return undefined
  const regions = new Map(
    [...new Set(urns.flatMap((urn) => regionIn(urn) ?? []))].map((region, i) => [region, usualRegions[i] ?? `region${i + 1}`]),
  )
  const urn: Renaming['urn'] = (name, kind = 'permissionsGroup') => renamedUrn(name, kind, regions, text)
  const range = renamedRanges(rangesOf(draft, tests), manner.addresses)
  const names = new Map([...new Set(world.policies.map(({ name }) => name.value))].map((name, i) => [name, `policy-${i + 1}`]))
  const opaque = opaqueBy(parsed, text)
  return {
    text,
    urn,
    action,
    policy: ({ name }) => names.get(name.value) ?? 'policy',
    range,
    times: renamedTimes({
      at: question.at,
      expiries: world.policies.flatMap(({ expiresAt }) => (expiresAt ? [expiresAt.value] : [])),
      dates: datesOf(tests),
      clocks: [...new Set(tests.flatMap((test) => (isOfTime(test) && test.subject.kind !== 'date' ? [zoneOf(test)] : [])))],
    }),
    opaque,
    fact: (fact) => renamedFact(fact, { text, urn, opaque }),
    open: [...actionsOf(draft, open).map(action), ...tests.flatMap((test) => (isOfTime(test) ? [zoneOf(test).name] : []))],
    kept: new Set([...keptWords, ...fixed.values()]),
  }
}

/** A name in a draft, and how it is renamed. */
export interface Named {
  readonly name: string
  readonly renamed: (renaming: Renaming) => string
}

/** The names in a draft, each once. */
export function namesIn(draft: Draft, open: OpenNames): readonly Named[] {
  const { world, question } = draft
  const literals = literalsOf(draft)
  const instants = [question.at, ...world.policies.flatMap(({ expiresAt }) => expiresAt?.value ?? [])]
  const iso = (instant: number) => new Date(instant).toISOString()
  const named: readonly Named[] = [
    ...urnsOf(draft, open).map((name): Named => ({ name, renamed: ({ urn }) => urn(name) })),
    ...Array.from(literals, (name): Named => ({ name, renamed: ({ text }) => text(name) })),
    ...world.policies.map((policy): Named => ({ name: policy.name.value, renamed: (renaming) => renaming.policy(policy) })),
    ...actionsOf(draft, open).map((name): Named => ({ name, renamed: ({ action }) => action(name) })),
    ...rangesOf(draft, testsOf(draft)).map(
      (range): Named => ({ name: printRange(range), renamed: (renaming) => printRange(renaming.range(range)) }),
    ),
    ...instants.map(
      (instant, i): Named => ({ name: iso(instant), renamed: ({ times }) => iso(i === 0 ? times.at : times.expiry(instant)) }),
    ),
  ]
  return [...new Map(named.map((each) => [each.name, each])).values()]
}

const testsOf = ({ world }: Draft): readonly Test[] => world.policies.flatMap(({ condition }) => testsIn(condition))

/** Strings that are no names of something by themselves: tags, accounts, and parts of conditions. */
function literalsOf({ world, question }: Draft): ReadonlySet<string> {
  const { policies, resources } = world
  const tags = [question.tags, ...Array.from(resources.values(), (resource) => resource.tags)].flatMap((each) => [...(each ?? [])].flat())
  const owners = [question.owner, world.account, ...Array.from(resources.values(), ({ owner }) => owner)]
  const tests = policies.flatMap(({ condition }) => testsIn(condition))
  return new Set([
    ...tags,
    ...owners.flatMap((owner) => owner ?? []),
    ...tests.flatMap(({ subject }) => (subject.kind === 'tag' ? [subject.parameter] : [])),
    ...tests.flatMap(({ set }) => stringsIn(set)),
    ...policies.flatMap(({ condition }) => opaqueIn(condition)).flatMap((text) => Object.values(comparisonIn(text) ?? {}) as string[]),
  ])
}

function renameBy(names: NamesToReplace, { names: how, shift }: Manner): Rename | undefined {
  return how === 'words' ? byWords(names) : byLetters(names, shift)
}

const usualRegions = defaultSettings.regions

/** The words of a text that are replaced as a whole. */
export function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

// Entries that are not known in full are written as the names that the question is about.

export interface OpenNames {
  readonly identity: (entry: { readonly text: string; readonly glob: Glob }) => string
  readonly resource: (entry: { readonly text: string; readonly glob: Glob }) => string
  readonly action: (entry: Glob) => string
}

/** The names that are written for entries: of one that is not known, the name in the question that it may be. */
export function openNames({ world, question }: Draft): OpenNames {
  const members = [question.identity, ...question.groups, ...(world.identities.get(question.identity)?.groups ?? [])]
  const named = (pattern: Glob, written: string, names: readonly string[]) =>
    pattern.words === undefined ? written : (names.find((name) => matches(pattern, name)) ?? names[0] ?? written)
  return {
    identity: (entry) => named(entry.glob, entry.text, members),
    resource: (entry) => named(entry.glob, entry.text, [question.resource]),
    action: (entry) => named(entry, entry.text, [question.action]),
  }
}

function urnsOf({ world, question }: Draft, open: OpenNames): readonly string[] {
  return [
    question.identity,
    question.resource,
    ...question.groups,
    ...world.policies.flatMap(({ identities, resources, permissionsGroups }) => [
      ...identities.map(({ value }) => open.identity(value)),
      ...resources.map(({ value }) => open.resource(value)),
      ...permissionsGroups.map(({ value }) => value.text),
    ]),
    ...world.permissionsGroups.keys(),
    ...[...world.resourceGroups].flatMap(([urn, { members }]) => [urn, ...members]),
    ...world.resources.keys(),
    ...[...world.identities].flatMap(([urn, { groups }]) => [urn, ...groups]),
  ]
}

// URNs.

const urnForm = /^urn:v1:([^:]*):((?:identity:(?:account|user|group|credential)|resource|resourceGroup|permissionsGroup):)(.*)$/s

/** The part of a URN that is a name, or a pattern over names; all of a name that is no URN. */
const tailOf = (urn: string): string => urnForm.exec(urn)?.[3] ?? urn

function regionIn(urn: string): string | undefined {
  const region = urnForm.exec(urn)?.[1]
  return region === '*' ? undefined : region
}

function typeIn(urn: string): string | undefined {
  const [, , kind, tail] = urnForm.exec(urn) ?? []
  return kind === 'resource:' ? tail?.split(':', 1)[0] : undefined
}

const piecesOf = (tail: string): Pieces => glob(tail).pieces

function renamedUrn(urn: string, kindOf: 'resourceGroup' | 'permissionsGroup', regions: ReadonlyMap<string, string>, text: Rename): string {
  const [, region, kind, tail] = urnForm.exec(urn) ?? []
  const renamed = (tail ?? urn).split('*').map(text).join('*')
  if (region === undefined || kind === undefined) {
    const owner = kindOf === 'permissionsGroup' ? `${defaultSettings.brand}:` : ''
    return `urn:v1:${usualRegions[0]}:${kindOf}:${owner}${renamed.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-')}`
  }
  return `urn:v1:${regions.get(region) ?? region}:${kind}${renamed}`
}

// Actions.

/** The actions and the patterns over them in a draft. */
export function actionsOf({ world, question }: Draft, open: OpenNames): readonly string[] {
  const sets = [...world.policies, ...world.permissionsGroups.values()].map(({ permissions }) => permissions)
  return [
    ...new Set([
      question.action,
      ...sets.flatMap(({ allow, except, deny }) => [...allow, ...except, ...deny].map(({ value }) => open.action(value))),
    ]),
  ]
}

function actionsBy(draft: Draft, publicNames: Public, manner: Manner): ((action: string) => string) | undefined {
  const { brand } = publicNames
  const usual = (action: string) => {
    const renamed = rebrand(action, brand, defaultSettings.brand)
    return brand === defaultSettings.brand ? renamed : renamed.replaceAll(brand, defaultSettings.brand)
  }
  if (!manner.actions) return usual
  const actions = actionsOf(draft, openNames(draft)).map(usual)
  const text = renameBy({ names: actions.map(piecesOf), kept: publicNames.actionWords, fixed: new Map(), mayUse: manner.mayUse }, manner)
  return text && ((action) => usual(action).split('*').map(text).join('*'))
}

// Conditions.

function testsIn(condition: Condition | undefined): readonly Test[] {
  if (!condition || condition.kind === 'opaque') return []
  return condition.kind === 'match' ? [condition.test] : condition.operands.flatMap(testsIn)
}

function opaqueIn(condition: Condition | undefined): readonly string[] {
  if (!condition || condition.kind === 'match') return []
  return condition.kind === 'opaque' ? [condition.text] : condition.operands.flatMap(opaqueIn)
}

function datesOf(tests: readonly Test[]): ReadonlyMap<Zone, readonly number[]> {
  const dates = new Map<Zone, number[]>()
  for (const test of tests) {
    if (test.set.kind !== 'numbers' || test.set.part !== 'date') continue
    dates.set(zoneOf(test), [...(dates.get(zoneOf(test)) ?? []), ...test.set.named])
  }
  return dates
}

function rangesOf({ question: { ip } }: Draft, tests: readonly Test[]): readonly AddressRange[] {
  return [...(ip ? [single(ip)] : []), ...tests.flatMap(({ set }) => (set.kind === 'addresses' ? set.named : []))]
}

/** The key and the value of a comparison that is not understood, by its name; undefined for other conditions. */
function comparisonIn(text: string): Written | undefined {
  const [, plain, quoted, value = ''] = /^condition:(?:([^"[{=][^=]*)|("(?:[^"\\]|\\.)*"))=(.*)$/s.exec(text) ?? []
  if (plain === undefined && quoted === undefined) return undefined
  const key = plain ?? (JSON.parse(quoted as string) as string)
  return comparisonName(key, value) === text ? { key, value } : undefined
}

/** The words of keys of conditions. */
const keyWords: ReadonlySet<string> = new Set(
  'resource request date Tag Name Type IP Date Hour WeekDay EQ IN STARTS WITH ENDS RANGE BEFORE AFTER LT LE GT GE'.split(' '),
)

/** The key of a condition that says nothing but that it is not understood. */
const ownKey = /^unknown\.fact\d+$/

function opaqueBy(parsed: ReadonlyMap<string, Written | undefined>, text: Rename): (text: string) => Written {
  const zones = new Zones()
  const written = new Map<string, Written>()
  const taken = new Set<string>()
  for (const [name, comparison] of parsed) {
    const alike = comparison &&
      !ownKey.test(comparison.key) && {
        key: comparison.key.replace(/[\p{L}\p{M}\p{N}]+/gu, (word) => (keyWords.has(word) ? word : text(word))),
        value: text(comparison.value),
      }
    const isFree = alike && !taken.has(comparisonName(alike.key, alike.value)) && !isUnderstood(alike, zones)
    const made = isFree ? alike : { key: `unknown.fact${written.size + 1}`, value: 'x' }
    taken.add(comparisonName(made.key, made.value))
    written.set(name, made)
  }
  return (name) => written.get(name) ?? { key: 'unknown.fact', value: 'x' }
}

function isUnderstood({ key, value }: Written, zones: Zones): boolean {
  const read = readConditionKey(key, zones)
  return read.value !== undefined && readTest(read.value, value).value !== undefined
}

function renamedFact(fact: Fact, { text, urn, opaque }: Pick<Renaming, 'text' | 'urn' | 'opaque'>): string {
  switch (fact.kind) {
    case 'tag':
      return factText({ ...fact, key: text(fact.key) })
    case 'resourceGroup':
    case 'permissionsGroup':
      return factText({ ...fact, urn: urn(fact.urn, fact.kind) })
    case 'condition':
    case 'expression': {
      const { key, value } = opaque(fact.text)
      return comparisonName(key, value)
    }
    default:
      return factText(fact)
  }
}
