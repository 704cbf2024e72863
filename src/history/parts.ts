import type { Catalogue } from '../actions/catalogue.ts'
import { type Budget, unlessUndecided } from '../budget.ts'
import { matches } from '../glob.ts'
import { keyOf } from '../keys.ts'
import type { Memoize } from '../memo.ts'
import type { ListName, PermissionSet, Policy, World } from '../policy.ts'
import { judge, verdictOf } from '../simulate/decide.ts'
import type { Question, Verdict } from '../simulate/decision.ts'
import { nothingAssumed, resourceInGroup } from '../simulate/facts.ts'
import { traces } from '../simulate/reference.ts'
import { meeting } from '../suite/prove.ts'
import { type Answer, restsOn } from '../suite/run.ts'
import { firstNewAccess } from '../symbolic/covers.ts'
import { type Entry, entriesOf, globOf, type List, withEntries } from '../symbolic/entries.ts'
import { permissionsOf } from '../symbolic/regions.ts'
import { deniesAsGrants, indexOf, type Side, sideOf, sideWith } from '../symbolic/side.ts'
import { isAllow, isDeny, type Statement, statementsOf } from '../symbolic/statements.ts'
import { witnessOf } from '../symbolic/witness.ts'
import { type Reach, reachOf, reachOfEntry, relatedTo } from './effects.ts'

/**
 * A part of what policies grant or deny: the requests that one entry is about. An entry that says for whom or on what is a part of what its
 * policy grants and another one of what it denies. An entry of a permissions group is one part, whichever policies name the group.
 */
export interface Part {
  /** For an entry of a permissions group, the first policy that names it. */
  readonly policy: Policy
  /** `except`: what the entry takes away from the grants of its list. */
  readonly effect: ListName
  readonly list: List
  readonly entry: Entry
  /** The permissions group that holds the entry. */
  readonly group: string | undefined
}

const listNames: readonly ListName[] = ['allow', 'except', 'deny']

const nothing: PermissionSet = { allow: [], except: [], deny: [] }

/** The parts of the policies of a world, policy by policy. `apart`: sources whose policies are not under test. */
export function partsOf(world: World, apart: ReadonlySet<string>): readonly Part[] {
  const groups = new Set<string>()
  return world.policies.flatMap((policy): readonly Part[] => {
    if (apart.has(policy.span.source.path)) return []
    const sets = permissionsOf(policy, world).filter(({ isKnown }) => isKnown)
    const effects = (['allow', 'deny'] as const).filter((effect) => sets.some(({ set }) => set[effect].length > 0))
    const subjects = (['identities', 'resources'] as const).flatMap((list) =>
      entriesOf(policy, list).flatMap((entry) => effects.map((effect): Part => ({ policy, effect, list, entry, group: undefined }))),
    )
    return [
      ...subjects,
      ...sets.flatMap(({ set, group }): readonly Part[] => {
        if (group !== undefined && groups.has(group)) return namingParts(policy, group, set)
        if (group !== undefined) groups.add(group)
        const held = listNames.flatMap((list) => set[list].map((entry): Part => ({ policy, effect: list, list, entry, group })))
        return group === undefined ? held : [...namingParts(policy, group, set), ...held]
      }),
    ]
  })
}

/** The parts of the entry by which a policy names a permissions group. */
function namingParts(policy: Policy, group: string, set: PermissionSet): readonly Part[] {
  const entry = policy.permissionsGroups.find(({ value }) => value.text === group)
  if (!entry) return []
  const effects = (['allow', 'deny'] as const).filter((effect) => set[effect].length > 0)
  return effects.map((effect) => ({ policy, effect, list: 'permissionsGroups', entry, group: undefined }))
}

function keyOfPart({ policy, effect, list, entry: { span }, group }: Part): string {
  const place = [effect, list, span.source.path, span.start] as const
  // Policies that are made of one text, as by `for_each`, have the same places.
  return group === undefined ? keyOf(...place, policy.name.value) : keyOf(...place)
}

/** The parts that answers rest on. */
export class CoveredParts {
  private readonly keys = new Set<string>()

  has(part: Part): boolean {
    return this.keys.has(keyOfPart(part))
  }

  add(answer: Answer, world: World): void {
    for (const part of partsIn(answer, world)) this.keys.add(keyOfPart(part))
  }
}

/** The parts that an answer rests on: of each entry that decides it, and of those that say that its policy is about the request. */
function* partsIn(answer: Answer, world: World): Iterable<Part> {
  const { question } = answer
  const members = [question.identity, ...question.groups, ...(world.identities.get(question.identity)?.groups ?? [])]
  for (const { policy, list: effect, entry, group } of restsOn(answer)) {
    yield { policy, effect, list: effect, entry, group }
    if (effect === 'except') continue
    const about = { policy, effect, group: undefined }
    for (const each of policy.identities)
      if (members.some((member) => matches(each.value.glob, member))) yield { ...about, list: 'identities', entry: each }
    for (const each of policy.resources) {
      const { value } = each
      const isOn =
        value.kind === 'resource' ? matches(value.glob, question.resource) : resourceInGroup(value, world, question, nothingAssumed)
      if (isOn) yield { ...about, list: 'resources', entry: each }
    }
    for (const each of policy.permissionsGroups) if (each.value.text === group) yield { ...about, list: 'permissionsGroups', entry: each }
  }
}

/** A question whose answer rests on a part. */
export interface Example {
  readonly question: Question
  readonly verdict: Exclude<Verdict, 'unknown'>
  /** Whether the reason has to be given: the request is denied without the entry, too. */
  readonly isDefault: boolean
  /** Whether another question shows the same. */
  readonly shows: (asked: Question) => boolean
}

/** The most policies that name a group of which an example is looked for. */
const mostNaming = 20

/** The most actions of the catalogue that are tried in the place of one that there might be. */
const mostKnown = 50

/** The answer to a question, with the part that every policy had in it. */
export function answerTo(world: World, question: Question): Answer {
  const all = traces(world, question)
  return { question, decision: judge(world, question, all), traces: all }
}

/** Whether a question has this verdict, and its answer rests on the part. */
function showsPart(world: World, part: Part, verdict: Verdict, question: Question): boolean {
  const answer = answerTo(world, question)
  if (answer.decision.verdict !== verdict) return false
  const key = keyOfPart(part)
  for (const each of partsIn(answer, world)) if (keyOfPart(each) === key) return true
  return false
}

/** A question whose answer rests on a part; `none`: it is proved that there is none with all facts given. Undefined where neither was found. */
export function exampleOfPart(
  world: World,
  part: Part,
  catalogue: Pick<Catalogue, 'expand' | 'has'>,
  keep: Memoize,
  run: Budget,
): Example | 'none' | undefined {
  let isCertain = true
  const { group } = part
  const naming =
    group === undefined ? [part.policy] : world.policies.filter((each) => each.permissionsGroups.some(({ value }) => value.text === group))
  if (naming.length > mostNaming) isCertain = false
  const undecided = () => {
    isCertain = false
    return []
  }
  for (const policy of naming.slice(0, mostNaming)) {
    for (const [a, b, of] of unlessUndecided(() => comparisons(world, part, policy, keep), undecided)) {
      const outcome = firstNewAccess(a, b, { run })
      if (outcome.kind === 'none') continue
      isCertain = false
      if (outcome.kind === 'undecided' || !outcome.newAccess.certain) continue
      const question = witnessOf(outcome.newAccess)
      const verdict = part.effect === 'allow' ? 'allow' : 'deny'
      const rests = (asked: Question) => showsPart(world, part, verdict, asked)
      const undenied = of === 'taken' ? keep(withoutDenies, world) : undefined
      const shows = (asked: Question) => rests(asked) && (!undenied || verdictOf(undenied, asked) === 'allow')
      if (!shows(question)) continue
      const isDefault = of === 'denied'
      if (catalogue.has(question.action)) return { question, verdict, isDefault, shows }
      // An action that there is says more than one that there might be, even where it is denied by default as well.
      const candidates = knownActions(policy, part, question, catalogue).map((action) => ({ ...question, action }))
      const first = candidates.find(shows)
      if (first) return { question: first, verdict, isDefault, shows }
      const second = undenied && candidates.find(rests)
      return second ? { question: second, verdict, isDefault: true, shows: rests } : { question, verdict, isDefault, shows }
    }
  }
  return isCertain ? 'none' : undefined
}

/** Actions of the catalogue that a part is about: first those of the product whose resource is asked about. */
function knownActions(
  { permissions }: Policy,
  { list, entry, effect }: Part,
  { resource }: Question,
  catalogue: Pick<Catalogue, 'expand'>,
): readonly string[] {
  const patterns = list === effect ? [globOf(entry)] : permissions[effect].map(({ value }) => value)
  const actions = patterns.flatMap((pattern) => catalogue.expand(pattern))
  const typePrefix = `${resource.split(':')[4]}:`
  const [sameType, far] = [
    actions.filter((action) => action.startsWith(typePrefix)),
    actions.filter((action) => !action.startsWith(typePrefix)),
  ]
  return [...sameType, ...far].slice(0, mostKnown)
}

/** A world in which nothing is denied by an entry. */
function withoutDenies(world: World): World {
  const undenied = <T extends { readonly permissions: PermissionSet }>(of: T): T => ({
    ...of,
    permissions: { ...of.permissions, deny: [] },
  })
  return {
    ...world,
    policies: world.policies.map(undenied),
    permissionsGroups: new Map([...world.permissionsGroups].map(([urn, group]) => [urn, undenied(group)])),
  }
}

/** Two sides: what the first grants and the second does not is in a part: granted, taken away from what is granted, or denied at all. */
type Comparison = readonly [first: Side, second: Side, of: 'granted' | 'taken' | 'denied']

/** The comparisons for the part of a policy: what it grants, or what it takes away and then what it denies at all. */
function comparisons(world: World, part: Part, policy: Policy, keep: Memoize): readonly Comparison[] {
  const related = relatedTo(world, policy, [reachOfPart(policy, part)], keep)
  const only = { ...related, policies: [onlyPart(policy, part, world)] }
  const side = sideOf(related, only, keep)
  const of = (statements: readonly Statement[], denies: Side['denies']): Side => ({ ...side, allows: indexOf(statements), denies })
  const statements = statementsOf(only, related, keep)
  const none = indexOf([])
  switch (part.effect) {
    case 'allow':
      return [[of(statements.filter(isAllow), side.denies), of([], side.denies), 'granted']]
    case 'deny': {
      const denied = sideWith(side, statements.filter(isDeny))
      return [
        [{ ...side, denies: none }, { ...side, denies: denied.denies }, 'taken'],
        [deniesAsGrants(denied), of([], none), 'denied'],
      ]
    }
    case 'except': {
      const all = withActions(policy, { ...nothing, allow: [{ value: globOf(part.entry), span: part.entry.span }] })
      const box = statementsOf({ ...only, policies: [all] }, related, keep)
      const taken = statements.filter(isAllow).flatMap((each) => box.flatMap((one) => meeting(each, one)))
      return [[of(taken, side.denies), side, 'granted']]
    }
  }
}

const withActions = (policy: Policy, permissions: PermissionSet): Policy => ({ ...policy, permissionsGroups: [], permissions })

/** A policy with this part alone; for an `except` with all grants that it may take away from. */
function onlyPart(policy: Policy, { effect, list, entry, group }: Part, world: World): Policy {
  const set = group === undefined ? policy.permissions : (world.permissionsGroups.get(group)?.permissions ?? nothing)
  if (effect === 'except') return withActions(policy, { ...nothing, allow: set.allow })
  if (list === effect) {
    const onlyEntry = withEntries(withActions(policy, nothing), list, [entry])
    return effect === 'allow' ? withActions(onlyEntry, { ...onlyEntry.permissions, except: set.except }) : onlyEntry
  }
  return list === 'permissionsGroups'
    ? { ...policy, permissions: nothing, permissionsGroups: policy.permissionsGroups.filter((each) => each === entry) }
    : withEntries(policy, list, [entry])
}

function reachOfPart(policy: Policy, { list, effect, entry, group }: Part): Reach {
  if (group !== undefined) return { ...reachOf(policy), actions: [globOf(entry)] }
  return list === effect || list !== 'permissionsGroups' ? reachOfEntry(policy, { list, text: entry.value.text }) : reachOf(policy)
}
