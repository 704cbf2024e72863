import type { Catalogue } from '../actions/catalogue.ts'
import { Budget, notSearched, withinBudget } from '../budget.ts'
import { groupedBy } from '../collections.ts'
import { compareText } from '../diagnostic.ts'
import { covers, type Glob, glob, isPattern, matches, overlaps, uncovered } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { memoizeByText } from '../memo.ts'
import type { Policy, World } from '../policy.ts'
import { groupsOfAccount } from '../simulate/decide.ts'
import { asMemberWords, type Clause, type Fact } from '../simulate/decision.ts'
import { sortedFacts } from '../simulate/facts.ts'
import { inFileOrder } from '../simulate/reference.ts'
import { readIdentity } from '../urn/identity.ts'
import { areGroupsKnown, mayGrant, resourceGroupOf } from '../world.ts'
import { allOf, always, anyOf, type Formula, factsIn, isAlways, isMember, noneOf, notBefore, printFormula, settled } from './formula.ts'
import { approximateReason, Judge, type RequestFacts, truthAt, truthFor } from './known.ts'
import { holdsResource, openGroups, type Place, type Relation, relation } from './place.ts'
import { clausesOf, permissionsOf, type Region, regions, unknownPermissions } from './regions.ts'
import { describedMembers } from './who.ts'

/**
 * The access of an identity: the regions of a world with the identity fixed (docs/analysis.md, What an identity may do). The
 * answer is a list of rows, actions on resources as policies write them. Each has its exceptions, so that it is exact without
 * being split: an identity has the access that is in some row and in none of its exceptions.
 */

/** A question without action and resource. Without an instant it is about all times, or those from `from` on. */
export type WhatQuestion = Omit<RequestFacts, 'action' | 'resource' | 'within'> &
  Required<Pick<RequestFacts, 'identity'>> & { readonly from?: number }

/** A part of a row in which it does not hold: a deny, or another account's resources. */
export interface RowException {
  /** A resource, a pattern over resources, or a resource group. */
  readonly resource: string
  readonly actions: readonly string[]
  readonly condition: Formula
}

export interface WhatRow {
  /** A resource, a pattern over resources, or a resource group for what is in it; `*` for everything that is owned. */
  readonly resource: string
  readonly actions: readonly string[]
  /** Actions that the entries leave out, or that are denied on the whole of the resource. */
  readonly except: readonly string[]
  /** Where it does not hold. */
  readonly unless: readonly RowException[]
  /** The rest of the conditions once all known facts are put in. */
  readonly condition: Formula
  /** The facts that the row depends on. */
  readonly missing: readonly Fact[]
  /** `allow`: something in the row is allowed for certain, at some time at least. `unknown`: it depends on what is not known. */
  readonly verdict: 'allow' | 'unknown'
  readonly reason: 'granted' | 'root' | 'unknown'
  /** The entries that grant it, in file order. */
  readonly clauses: readonly Clause[]
  /** Where a group is asked about: its described members. */
  readonly members: readonly RowMember[]
  /** The catalogue actions in it; none where no catalogue is given. */
  readonly known: KnownActions
}

/** A described member of a group, and how much of a row it has. */
export interface RowMember {
  readonly identity: string
  readonly has: 'all' | 'some' | 'none'
  /** The entries that deny it the rest. */
  readonly clauses: readonly Clause[]
}

export interface KnownActions {
  /** Those that are allowed, or may be: without those that are denied in all of the row. */
  readonly actions: readonly string[]
  /** How many of them are denied on some resources of the row, or under a condition. */
  readonly conditional: number
  /** The number of matched actions that are excepted, or denied in all of the row. */
  readonly excepted: number
}

export interface What {
  readonly what: readonly WhatRow[]
  /** False when more might be allowed than is listed: `reasons` say why. */
  readonly complete: boolean
  readonly reasons: readonly string[]
  /** The budget of the run was used up: some entries were not looked at. */
  readonly isCut: boolean
}

/** One action pattern at one place, on the way to a row. */
interface Atom {
  readonly place: Place
  readonly action: Glob
  readonly except: readonly Glob[]
  readonly formula: Formula
  /** The formula as a text, and each part that has to hold. */
  readonly condition: string
  readonly terms: readonly string[]
  readonly clauses: Clause[]
}

/** How many pairs of entries are compared in search of what repeats another; the rest stays as it is. */
const mostPairs = 5_000_000
/** The cost of comparing the patterns of a pair in a row, in steps. */
const stepsOfPair = 4

/** The context for judging rows. */
interface Context {
  readonly world: World
  readonly known: RequestFacts
  readonly judge: Judge
}

/** The denies that may be about a place, and the relation of their place to it. */
type Denies = readonly { readonly region: Region; readonly how: Relation }[]

/**
 * Everything that an identity may do, with its groups and in the context that is given. `within`: a resource, or a
 * pattern over resources, to which the answer is restricted. With `catalogue` the actions of each row are counted.
 */
export function what(world: World, asked: WhatQuestion, within?: Glob, catalogue?: Pick<Catalogue, 'expand'>, run?: Budget): What {
  const answer = asDescribed(world, asked, within, catalogue, run)
  const reasons = byOtherGroups(world, asked, within, run, answer)
  return reasons.length === 0 ? answer : { ...answer, complete: false, reasons: [...answer.reasons, ...reasons] }
}

/** That a group of the account would bring the identity more access, or less, where no file describes its groups. */
export function byOtherGroups(
  world: World,
  asked: WhatQuestion,
  within?: Glob,
  run = new Budget(),
  { what: rows }: What = asDescribed(world, asked, within, undefined, run),
): readonly string[] {
  if (areGroupsKnown(world, asked.identity)) return []
  const granting = new Set(rows.flatMap(({ clauses }) => clauses.map(({ policy }) => policy)))
  const tried = new Set<string>()
  let [more, less]: readonly (string | undefined)[] = []
  for (const { policy, entry, group } of groupsOfAccount(world, asked.identity)) {
    if (run.isSpent) break
    const isOpen = (more === undefined && mayGrant(policy, world)) || (less === undefined && mayDeny(policy, world))
    if (!isOpen || granting.has(policy) || tried.has(group)) continue
    tried.add(group)
    const { what: asMember } = asDescribed(world, { ...asked, groups: [...asked.groups, group] }, within, undefined, run)
    const verdictOf = (of: readonly WhatRow[]) => (of.some(({ verdict }) => verdict === 'allow') ? 'allow' : 'unknown')
    const [gained, lost] = [beyondRows(asMember, rows), beyondRows(rows, asMember)]
    if (gained.length > 0) more ??= asMemberWords({ group: entry, verdict: verdictOf(gained) }, 'allowed more')
    // A deny of some resources, or under a condition, may come to nothing.
    const isSure =
      beyondRows(
        rows,
        asMember.map((row) => ({ ...row, unless: [] })),
      ).length > 0
    if (lost.length > 0) less ??= asMemberWords({ group: entry, verdict: isSure ? 'deny' : 'unknown' }, 'denied some of it')
  }
  return [more, less].flatMap((words) => (words === undefined ? [] : [`${words} (groups-unknown)`]))
}

/** Whether some set of a policy may deny something. */
const mayDeny = (policy: Policy, world: World): boolean => permissionsOf(policy, world).some(({ set }) => set.deny.length > 0)

/** The rows of which another answer does not have all. */
function beyondRows(rows: readonly WhatRow[], of: readonly WhatRow[]): readonly WhatRow[] {
  const others = groupedBy(of, placed)
  return rows.filter((row) => !others.get(placed(row))?.some((other) => isWithin(row, other)))
}

const placed = ({ resource, condition }: WhatRow) => keyOf(resource, printFormula(condition))

/** Whether a row grants nothing that another one of the same resource and condition does not: a group may also deny. */
function isWithin(row: WhatRow, other: WhatRow): boolean {
  const exceptions = ({ except, unless }: WhatRow) => [
    ...except,
    ...unless.map((each) => keyOf(each.resource, each.actions, printFormula(each.condition))),
  ]
  const [actions, excepted] = [new Set(other.actions), new Set(exceptions(row))]
  return row.actions.every((action) => actions.has(action)) && exceptions(other).every((each) => excepted.has(each))
}

/** The same as if the groups of the identity were all described. */
export function asDescribed(
  world: World,
  asked: WhatQuestion,
  within?: Glob,
  catalogue?: Pick<Catalogue, 'expand'>,
  run: Budget = new Budget(),
): What {
  // A question that was read has an action and a resource, too: here they are what is asked for.
  const { action: _action, resource: _resource, from, ...rest }: RequestFacts & Pick<WhatQuestion, 'from'> = asked
  const requestFacts: RequestFacts = within ? { ...rest, ...(isPattern(within) ? { within } : { resource: within.text }) } : rest
  const context: Context = { world, known: requestFacts, judge: new Judge(from === undefined ? always : notBefore(from), run) }
  const all = regions(world, requestFacts)
  const [granted, denied] = [all.filter(({ effect }) => effect === 'allow'), all.filter(({ effect }) => effect === 'deny')]
  const deniesOf = memoizeByText(
    ({ text }: Place) => text,
    (place): Denies => {
      run.left -= denied.length
      return denied
        .map((region) => ({ region, how: relation(region.place, place) }))
        .filter(({ how }) => how !== 'apart')
        .map(({ region, how }) => ({ region: regionAt(region, place, context), how }))
    },
  )
  // Half of what is left for the rows.
  const half = run.left / 2
  const entries = withinBudget(granted, run, (region) => atomsOf(region, deniesOf(region.place), context), policiesOf, half)
  const atoms = withoutRepeats(entries.found.flat(), context.judge)
  const members = membersOf(context, all)
  const made = withinBudget(
    gathered(atoms, context.judge),
    run,
    (row): WhatRow => ({
      ...rowOf(row, deniesOf(row.place), context),
      members: members.map((member) => memberOf(row, member, context)),
      known: catalogue ? knownActions(row, deniesOf(row.place), catalogue, context) : nothingKnown,
    }),
    ({ clauses }) => clauses.map(({ policy }) => policy.name.value),
  )
  const root = rootRows(world, requestFacts, catalogue)
  const reasons = [
    ...notSearched(entries, 'permission sets that allow something'),
    ...notSearched(made, 'rows'),
    ...(root.isUnknown ? ['the account is always allowed everything on what it owns, and the owner is not known'] : []),
    ...unknownPermissions(all).map((urn) => `permissions group \`${urn}\` is not described: it may allow or deny anything`),
    ...(context.judge.isApproximate ? [approximateReason] : []),
  ]
  return {
    what: [...made.found, ...root.rows].sort(
      (a, b) =>
        Number(b.reason === 'root') - Number(a.reason === 'root') ||
        compareText(a.resource, b.resource) ||
        compareText(a.actions.join(' '), b.actions.join(' ')),
    ),
    complete: reasons.length === 0,
    reasons,
    isCut: entries.left.length + made.left.length > 0,
  }
}

const policiesOf = ({ policy }: Region) => [policy.name.value]

/** A region as it is at a place in its own: what is known there, such as the tags of a single resource, settles comparisons. */
function regionAt(region: Region, place: Place, { world, known }: Context): Region {
  return isAlways(region.formula) ? region : { ...region, formula: settled(region.formula, (test) => truthAt(test, place, world, known)) }
}

/** How many catalogue actions a row holds, and which: those of its action patterns without those of its exceptions. */
export function catalogueActions(
  { actions, except }: Pick<WhatRow, 'actions' | 'except'>,
  catalogue: Pick<Catalogue, 'expand'>,
): readonly string[] {
  const excluded = except.map(glob)
  const lists = actions.map((pattern) => catalogue.expand(glob(pattern))).filter(({ length }) => length > 0)
  const [first = []] = lists
  const listedActions = lists.length < 2 ? first : [...new Set(lists.flat())].sort()
  return excluded.length === 0 ? listedActions : listedActions.filter((action) => !excluded.some((pattern) => matches(pattern, action)))
}

/** The action patterns of a region of which something is left after what is excepted and denied. */
function atomsOf(region: Region, denies: Denies, { judge }: Context): readonly Atom[] {
  const { place, formula } = region
  const plainFormula = judge.plain(formula, always)
  const about = { place, formula: plainFormula, condition: printFormula(plainFormula), terms: termsOf(plainFormula) }
  return region.actions.flatMap((entry): Atom[] => {
    const action = entry.value
    judge.looksAt(1 + region.except.length + denies.length)
    const except = region.except.filter((pattern) => overlaps(pattern, action))
    if (except.some((pattern) => covers(pattern, action))) return []
    // Where all of it is denied whenever it is granted, nothing is left of it.
    const denying = denies.filter(({ region: deny }) => deny.actions.some(({ value }) => covers(value, action)))
    const against = denying.flatMap(({ region: deny, how }) => (how === 'whole' ? [deny.formula] : []))
    if (judge.certainty(allOf([formula, noneOf(anyOf(against))])) === 'never') return []
    if (isWhollyDenied(place, denying, judge)) return []
    return [{ ...about, action, except: uncovered(except), clauses: [...clausesOf(region, [entry])] }]
  })
}

/** Whether something is denied for certain on each member of a group whose members are all known. */
function isWhollyDenied(place: Place, denies: Denies, judge: Judge): boolean {
  if (place.kind === 'pattern' || place.isOpen) return false
  const sure = denies.filter(({ region }) => judge.certainty(region.formula) === 'always')
  return [...place.members].every((member) => sure.some(({ region }) => holdsResource(region.place, member) === true))
}

/** Leave out what another atom grants as well, under no further condition; of equal ones the first, with the clauses of all. */
function withoutRepeats(atoms: readonly Atom[], judge: Judge): readonly Atom[] {
  const once = new Map<string, Atom>()
  for (const atom of atoms) {
    const key = JSON.stringify([atom.place.text, atom.action.text, atom.except.map(({ text }) => text).sort(), atom.condition])
    const same = once.get(key)
    if (same) same.clauses.push(...atom.clauses)
    else once.set(key, atom)
  }
  const list = [...once.values()]
  const byPlace = groupedBy(list, ({ place }) => place.text)
  const holdersOf = holdersAmong([...byPlace.values()].map(([first]) => (first as Atom).place))
  const order = new Map(list.map((atom, i) => [atom, i]))
  let pairsLeft = mostPairs
  const repeated = new Set<Atom>()
  for (const rowsOfPlace of byPlace.values()) {
    const { place } = rowsOfPlace[0] as Atom
    const holders = holdersOf(place).filter((other) => other.text !== place.text && relation(other, place) === 'whole')
    const others = [...rowsOfPlace, ...holders.flatMap(({ text }) => byPlace.get(text) ?? [])]
    const pairs = rowsOfPlace.length * others.length
    pairsLeft -= pairs
    if (pairsLeft < 0 || !judge.run.affords(pairs)) break
    for (const atom of rowsOfPlace) {
      const needed = new Set(atom.terms)
      const isRepeat = (other: Atom) => {
        if (!other.terms.every((term) => needed.has(term)) || !grants(other, atom)) return false
        // Of two that hold each other the first stays.
        const isMutual = other.condition === atom.condition && grants(atom, other) && relation(place, other.place) === 'whole'
        return !isMutual || (order.get(other) as number) < (order.get(atom) as number)
      }
      if (others.some(isRepeat)) repeated.add(atom)
    }
  }
  return list.filter((atom) => !repeated.has(atom))
}

/** The conjuncts of a formula; none for one that always holds. */
function termsOf(formula: Formula): readonly string[] {
  return formula.kind === 'and' ? formula.operands.flatMap(termsOf) : [printFormula(formula)]
}

/** The places among some that may hold a whole other one: groups, and patterns that start as all of it does. */
function holdersAmong(places: readonly Place[]): (place: Place) => readonly Place[] {
  const groups = places.filter(({ kind }) => kind === 'group')
  const patterns = places.flatMap((place) => (place.kind === 'pattern' && isPattern(place.glob) ? [place] : []))
  const byHead = groupedBy(patterns, (place) => place.glob.pieces[0] as string)
  const lengths = [...new Set([...byHead.keys()].map((head) => head.length))]
  return (place) => {
    const start = place.kind === 'pattern' ? (place.glob.pieces[0] as string) : ([...place.members][0] ?? '')
    const holding = lengths.flatMap((length) => (length <= start.length ? (byHead.get(start.slice(0, length)) ?? []) : []))
    return [...groups, ...holding]
  }
}

/** Whether one atom grants all actions of another, where its place holds the other's. */
function grants(wide: Atom, narrow: Atom): boolean {
  return (
    covers(wide.action, narrow.action) &&
    wide.except.every((pattern) => !overlaps(pattern, narrow.action) || narrow.except.some((other) => covers(other, pattern)))
  )
}

interface Gathered {
  readonly place: Place
  readonly formula: Formula
  readonly actions: Glob[]
  readonly except: Glob[]
  readonly clauses: Clause[]
}

/** Atoms at one place and under one condition, made one row where the exceptions of neither touch what the other grants. */
function gathered(atoms: readonly Atom[], judge: Judge): readonly Gathered[] {
  const rows = new Map<string, Gathered[]>()
  for (const { place, formula, condition, action, except, clauses } of atoms) {
    const key = keyOf(place.text, condition)
    const list = rows.get(key) ?? []
    rows.set(key, list)
    const fits = list.find(
      (row) =>
        judge.run.affords(1 + except.length * row.actions.length + row.except.length) &&
        except.every((pattern) => has(row.except, pattern) || !row.actions.some((other) => overlaps(pattern, other))) &&
        row.except.every((pattern) => has(except, pattern) || !overlaps(pattern, action)),
    )
    if (!fits) list.push({ place, formula, actions: [action], except: [...except], clauses: [...clauses] })
    else {
      fits.actions.push(action)
      for (const pattern of except) if (!has(fits.except, pattern)) fits.except.push(pattern)
      fits.clauses.push(...clauses)
    }
  }
  return [...rows.values()].flat()
}

function has(patterns: readonly Glob[], { text }: Glob): boolean {
  return patterns.some((other) => other.text === text)
}

/** A described member of the group that is asked about, with the denies that the group itself does not have. */
interface Member {
  readonly identity: string
  readonly denies: readonly Region[]
}

function membersOf({ world, known }: Context, all: readonly Region[]): readonly Member[] {
  const { identity = '' } = known
  const read = readIdentity(identity, { pattern: false }).value
  if (read?.kind !== 'group') return []
  const ownPolicies = new Set(all.map(({ policy }) => policy))
  const among = openGroups(world.policies, world)
  return describedMembers(world)(read).map((member) => ({
    identity: member,
    denies: regions(world, { ...known, identity: member }, among).filter(
      ({ effect, policy }) => effect === 'deny' && !ownPolicies.has(policy),
    ),
  }))
}

/** How much of a row a member has: what grants it to the group grants it to each, unless something else denies it. */
function memberOf({ place, formula, actions }: Gathered, { identity, denies }: Member, context: Context): RowMember {
  const { judge } = context
  judge.looksAt(denies.length)
  const hits = denies
    .map((region) => ({ region: regionAt(region, place, context), how: relation(region.place, place) }))
    .filter(
      ({ region, how }) =>
        how !== 'apart' &&
        region.actions.some(({ value }) => actions.some((action) => overlaps(value, action))) &&
        judge.certainty(allOf([formula, region.formula])) !== 'never',
    )
  if (hits.length === 0) return { identity, has: 'all', clauses: [] }
  const isDenied = (action: Glob) => {
    const covering = hits.filter(({ region }) => region.actions.some(({ value }) => covers(value, action)))
    const whole = covering.flatMap(({ region, how }) => (how === 'whole' ? [region.formula] : []))
    return judge.certainty(allOf([formula, noneOf(anyOf(whole))])) === 'never' || isWhollyDenied(place, covering, judge)
  }
  const clauses = hits.flatMap(({ region }) =>
    clausesOf(
      region,
      region.actions.filter(({ value }) => actions.some((action) => overlaps(value, action))),
    ),
  )
  return { identity, has: actions.every(isDenied) ? 'none' : 'some', clauses: inFileOrder([...new Set(clauses)]) }
}

const nothingKnown: KnownActions = { actions: [], conditional: 0, excepted: 0 }

/** The catalogue actions of a row, without those that are always denied where it holds. */
function knownActions(row: Gathered, denies: Denies, catalogue: Pick<Catalogue, 'expand'>, context: Context): KnownActions {
  const { place, formula } = row
  const { world, known, judge } = context
  const hits = denies.filter(({ region }) => region.actions.some(({ value }) => row.actions.some((action) => overlaps(value, action))))
  const names = { actions: row.actions.map(({ text }) => text), except: row.except.map(({ text }) => text) }
  const deniesOf = (action: string) => hits.filter(({ region }) => region.actions.some(({ value }) => matches(value, action)))
  const stateOf = (ownDenies: Denies): 'allowed' | 'conditional' | 'denied' => {
    const against = ownDenies.filter(({ region }) => judge.certainty(allOf([formula, region.formula])) !== 'never')
    if (against.length === 0) return 'allowed'
    const isNowhere = (some: readonly Formula[], resource?: string) => {
      const left = allOf([formula, noneOf(anyOf(some))])
      const here = resource === undefined ? left : settled(left, (test) => truthFor(test, resource, world, known))
      return judge.certainty(here) === 'never'
    }
    if (isNowhere(against.flatMap(({ region, how }) => (how === 'whole' ? [region.formula] : [])))) return 'denied'
    const onMember = (member: string) =>
      isNowhere(
        against.flatMap(({ region }) => (holdsResource(region.place, member) ? [region.formula] : [])),
        member,
      )
    return place.kind === 'group' && !place.isOpen && [...place.members].every(onMember) ? 'denied' : 'conditional'
  }
  const states = groupedBy(catalogueActions(names, catalogue), (action) =>
    hits.map(({ region }) => (region.actions.some(({ value }) => matches(value, action)) ? '1' : '0')).join(''),
  )
  const actions: string[] = []
  let conditional = 0
  for (const same of states.values()) {
    const state = stateOf(deniesOf(same[0] as string))
    if (state === 'denied') continue
    actions.push(...same)
    if (state === 'conditional') conditional += same.length
  }
  const matched = catalogueActions({ ...names, except: [] }, catalogue).length
  return { actions: actions.sort(), conditional, excepted: matched - actions.length }
}

function rowOf(row: Gathered, denies: Denies, context: Context): Omit<WhatRow, 'members' | 'known'> {
  const { place, formula } = row
  const { judge } = context
  const except = [...row.except]
  const unless = new Map<string, { resource: string; actions: string[]; condition: Formula }>()
  // Whether they hold the place is not known.
  const perhaps: Place[] = []
  for (const { region, how } of denies) {
    judge.looksAt(stepsOfPair * region.actions.length * row.actions.length)
    const hit = region.actions.map(({ value }) => value).filter((value) => row.actions.some((action) => overlaps(value, action)))
    if (hit.length === 0 || judge.certainty(allOf([formula, region.formula])) === 'never') continue
    if (how === 'unknown') perhaps.push(region.place)
    const condition = judge.plain(region.formula, always)
    if (how === 'whole' && isAlways(condition)) {
      except.push(...hit)
      continue
    }
    const key = keyOf(region.place.text, printFormula(condition))
    const leaving = unless.get(key) ?? { resource: how === 'whole' ? place.text : region.place.text, actions: [], condition }
    unless.set(key, leaving)
    leaving.actions.push(...hit.map(({ text }) => text))
  }
  for (const { actions } of unless.values()) judge.looksAt(stepsOfPair * actions.length)
  judge.looksAt(stepsOfPair * except.length)
  const remaining = uncovered(except)
  const isSure = isCertain(row, denies, context)
  const facts: Fact[] = [...factsIn(formula)]
  if (!isSure) {
    for (const { condition } of unless.values()) facts.push(...factsIn(condition))
    for (const each of [place, ...perhaps]) if (each.kind === 'group' && each.isOpen) facts.push({ kind: 'resourceGroup', urn: each.text })
  }
  return {
    resource: place.text,
    actions: row.actions.map(({ text }) => text).sort(),
    except: remaining.map(({ text }) => text).sort(),
    unless: [...unless.values()]
      .map((leaving) => ({
        ...leaving,
        actions: uncovered(leaving.actions.map(glob))
          .filter((action) => !remaining.some((other) => covers(other, action)))
          .map(({ text }) => text)
          .sort(),
      }))
      .filter(({ actions }) => actions.length > 0)
      .sort((a, b) => compareText(a.resource, b.resource) || compareText(printFormula(a.condition), printFormula(b.condition))),
    condition: formula,
    missing: sortedFacts(facts),
    verdict: isSure ? 'allow' : 'unknown',
    reason: isSure ? 'granted' : 'unknown',
    clauses: inFileOrder([...new Set(row.clauses)]),
  }
}

/** How many resources that the world describes are tried, where a row depends on what is not known of others. */
const mostResources = 2_000

/**
 * Whether something in a row is allowed for certain: one of its action patterns at the place's own point, a resource that
 * only what covers the place is about (docs/analysis.md, Fresh letters); or on a resource that the world describes.
 */
function isCertain({ place, formula, actions }: Gathered, denies: Denies, { world, known, judge }: Context): boolean {
  const without = (action: Glob, isDenied: (deny: Region, how: Relation) => boolean | undefined): Formula => {
    judge.looksAt(denies.length)
    const denied = denies.flatMap(({ region, how }) => {
      if (!region.actions.some(({ value }) => covers(value, action))) return []
      const is = isDenied(region, how)
      return is === undefined
        ? [allOf([region.formula, isMember(region.place.text, resourceGroupOf(world, region.place.text)?.name)])]
        : is
          ? [region.formula]
          : []
    })
    return allOf([formula, noneOf(anyOf(denied))])
  }
  const atPoint = (_: Region, how: Relation) => (how === 'unknown' ? undefined : how === 'whole')
  if (place.kind === 'pattern' && actions.some((action) => judge.isSureSomewhere(without(action, atPoint)))) return true
  let resourcesLeft = mostResources
  for (const resource of place.kind === 'group' ? place.members : world.resources.keys()) {
    if (place.kind === 'pattern' && !matches(place.glob, resource)) continue
    if (--resourcesLeft < 0 || !judge.looksAt(1)) return false
    const isSure = (action: Glob) => {
      const granted = without(action, (deny) => holdsResource(deny.place, resource))
      return judge.isSureAtTimes(settled(granted, (test) => truthFor(test, resource, world, known)))
    }
    if (actions.some(isSure)) return true
  }
  return false
}

const everyAction = glob('*')

/** The unconditional access of the owning account (docs/semantics.md, Decision). */
function rootRows(
  world: World,
  { identity = '', owner, resource, within }: RequestFacts,
  catalogue: Pick<Catalogue, 'expand'> | undefined,
) {
  const read = readIdentity(identity, { pattern: false }).value
  const rows: WhatRow[] = []
  if (read?.kind !== 'account') return { rows, isUnknown: false }
  const add = (of: string, unless: readonly RowException[] = []) =>
    rows.push({
      resource: of,
      actions: ['*'],
      except: [],
      unless,
      condition: always,
      missing: [],
      verdict: 'allow',
      reason: 'root',
      clauses: [],
      members: [],
      known: catalogue ? { ...nothingKnown, actions: catalogue.expand(everyAction) } : nothingKnown,
    })
  if (resource !== undefined) {
    const account = owner ?? world.resources.get(resource)?.owner ?? world.account
    if (account === read.account) add(resource)
    return { rows, isUnknown: account === undefined }
  }
  const account = owner ?? world.account
  const described = owner === undefined ? [...world.resources.values()].filter((r) => r.owner !== undefined) : []
  const asked = described.filter(({ urn }) => !within || matches(within, urn.value))
  if (account === read.account) {
    const others = asked.filter((r) => r.owner !== read.account)
    add(
      within?.text ?? '*',
      others.map(({ urn }) => ({ resource: urn.value, actions: ['*'], condition: always })),
    )
  } else for (const r of asked) if (r.owner === read.account) add(r.urn.value)
  return { rows, isUnknown: account === undefined }
}
