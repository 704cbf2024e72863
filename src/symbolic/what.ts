import type { Catalogue } from '../actions/catalogue.ts'
import type { Test } from '../conditions/test.ts'
import type { Truth } from '../conditions/truth.ts'
import { covers, type Glob, glob, isPattern, matches, overlaps, uncovered } from '../glob.ts'
import type { PermissionSet, Policy, World } from '../policy.ts'
import type { Clause, Question } from '../simulate/decision.ts'
import { factNames, nothingAssumed, testHolds } from '../simulate/facts.ts'
import { inFileOrder } from '../simulate/reference.ts'
import type { Located } from '../source.ts'
import { readIdentity } from '../urn/identity.ts'
import type { ResourceGroupUrn } from '../urn/resource.ts'
import { inResourceGroup, resourceGroupOf } from '../world.ts'
import { always, type Formula, isAlways } from './formula.ts'
import {
  allOf,
  anyOf,
  approximateReason,
  type Certainty,
  factsIn,
  inUnknownGroup,
  isNever,
  isSureSomewhere,
  judgeOf,
  keyOf,
  notSo,
  outcomeFormula,
  residueOf,
  settled,
  unknownResourceGroups,
} from './known.ts'
import { meet, Undecided } from './statements.ts'

/**
 * What an identity may do: `can`, asked for every action and resource at once (spec: command line, `what`). The answer is
 * a list of regions, actions on resources as policies write them. Each says what it leaves out, so that it is exact
 * without being cut into pieces: somebody may do what lies in some region and is not left out of it.
 */

/** What is asked: a question without action, and with a resource, a pattern over resources, or none. */
export type AskedOf = Omit<Question, 'action' | 'resource'>

/** A part of a region in which it does not hold: a deny, or what somebody else owns. */
export interface Leaving {
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
  readonly unless: readonly Leaving[]
  /** What is left of the conditions once all that is known is put in. */
  readonly condition: Formula
  /** The facts that the region depends on. */
  readonly missing: readonly string[]
  /** `allow`: something in the region is allowed for certain. `unknown`: it depends on what is not known. */
  readonly verdict: 'allow' | 'unknown'
  readonly reason: 'granted' | 'root' | 'unknown'
  /** The entries that grant it, in file order. */
  readonly clauses: readonly Clause[]
}

export interface What {
  readonly what: readonly WhatRow[]
  /** False when more might be allowed than is listed: `reasons` say why. */
  readonly complete: boolean
  readonly reasons: readonly string[]
}

/** Where an entry applies: what a pattern matches, or the members of a group. */
interface Place {
  readonly text: string
  readonly glob?: Glob
  readonly group?: {
    readonly urn: ResourceGroupUrn
    readonly members: readonly string[]
    /** Others may be members, too. */
    readonly isOpen: boolean
  }
}

/** One `deny` list, or one `allow` list with what its own `except` list takes away, at one place. */
interface Part {
  readonly place: Place
  readonly actions: readonly Located<Glob>[]
  readonly except: readonly Glob[]
  readonly formula: Formula
  readonly policy: Policy
  readonly group: string | undefined
}

/** One action pattern at one place, on the way to a row. */
interface Atom {
  readonly place: Place
  readonly action: Glob
  readonly except: readonly Glob[]
  readonly formula: Formula
  readonly clauses: Clause[]
}

/** How many pairs of entries are held against each other in search of what repeats another; the rest stays as it is. */
const mostPairs = 5_000_000

const everyAction = glob('*')

/**
 * Everything that an identity may do, with its groups and in the context that is given. `within`: a resource, or a
 * pattern over resources, to which the answer is restricted.
 */
export function what(world: World, asked: AskedOf, within?: Glob): What {
  const resource = within && !isPattern(within) ? within.text : undefined
  const reasons: string[] = []
  const { allows, denies, unknownPermissions } = partsFor(world, asked, within, resource)
  const { certainty, isApproximate } = judgeOf()

  // The denies that may be about a place, each place looked at once.
  const deniesAt = new Map<string, Denies>()
  const deniesOf = (place: Place): Denies => {
    const known = deniesAt.get(place.text)
    if (known) return known
    const found: { readonly part: Part; readonly how: Relation }[] = []
    for (const part of denies) {
      const how = relation(world, part.place, place)
      if (how !== 'apart') found.push({ part, how })
    }
    deniesAt.set(place.text, found)
    return found
  }

  let atoms: Atom[] = []
  for (const part of allows) {
    for (const entry of part.actions) {
      const except = part.except.filter((pattern) => overlaps(pattern, entry.value))
      if (except.some((pattern) => covers(pattern, entry.value))) continue
      // Where all of it is denied whenever it is granted, nothing is left of it.
      const against = deniesOf(part.place)
        .filter(({ part: deny, how }) => how === 'whole' && deny.actions.some(({ value }) => covers(value, entry.value)))
        .map(({ part: deny }) => deny.formula)
      if (certainty(allOf([part.formula, notSo(anyOf(against))])) === 'never') continue
      if (isWhollyDenied(part.place, entry.value, deniesOf(part.place), certainty)) continue
      const isWritten = !isAnything(part, world)
      const clause: Clause = { policy: part.policy, list: 'allow', entry, ...(part.group !== undefined && { group: part.group }) }
      atoms.push({
        place: part.place,
        action: entry.value,
        except: uncovered(except),
        formula: certainty(part.formula) === 'always' ? always : part.formula,
        clauses: isWritten ? [clause] : [],
      })
    }
  }
  atoms = withoutRepeats(atoms, (wide, narrow) => relation(world, wide, narrow) === 'whole')

  const rows = gathered(atoms).map((row) => rowOf(row, deniesOf(row.place), world, asked, certainty))
  const root = rootRows(world, asked, within, resource)
  rows.push(...root.rows)
  if (root.isUnknown) reasons.push('the account is always allowed everything on what it owns, and the owner is not known')
  for (const urn of [...unknownPermissions].sort()) reasons.push(`permissions group \`${urn}\` is not known: it may allow or deny anything`)
  if (isApproximate()) reasons.push(approximateReason)
  return {
    what: rows.sort(
      (a, b) =>
        Number(b.reason === 'root') - Number(a.reason === 'root') ||
        order(a.resource, b.resource) ||
        order(a.actions.join(' '), b.actions.join(' ')),
    ),
    complete: reasons.length === 0,
    reasons,
  }
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** How many catalogue actions a region holds, and which: those of its action patterns without those of its exceptions. */
export function catalogueActions(
  { actions, except }: Pick<WhatRow, 'actions' | 'except'>,
  catalogue: Pick<Catalogue, 'expand'>,
): readonly string[] {
  const left = except.map(glob)
  const found = new Set(actions.flatMap((pattern) => catalogue.expand(glob(pattern))))
  return [...found].filter((action) => !left.some((pattern) => matches(pattern, action))).sort()
}

/** The permission sets of every policy that names the identity, at each place where it applies. */
function partsFor(world: World, asked: AskedOf, within: Glob | undefined, resource: string | undefined) {
  const members = [asked.identity, ...asked.groups, ...(world.identities.get(asked.identity)?.groups ?? [])]
  const policies = world.policies.filter(
    ({ identities, expiresAt }) =>
      !(expiresAt && asked.at > expiresAt.value) && identities.some(({ value }) => members.some((member) => matches(value.glob, member))),
  )
  const unknown = unknownResourceGroups(policies, world)
  const allows: Part[] = []
  const denies: Part[] = []
  const unknownPermissions = new Set<string>()
  for (const policy of policies) {
    const sets: { set: PermissionSet; group: string | undefined; allow: Formula; deny: Formula }[] = [
      { set: policy.permissions, group: undefined, allow: always, deny: always },
    ]
    for (const { value, span } of policy.permissionsGroups) {
      const held = world.permissionsGroups.get(value.text)
      if (held) sets.push({ set: held.permissions, group: value.text, allow: always, deny: always })
      else {
        const anything = [{ value: everyAction, span }]
        const set: PermissionSet = { allow: anything, except: [], deny: anything }
        sets.push({ set, group: value.text, allow: outcomeFormula(value.text, 'allow'), deny: outcomeFormula(value.text, 'deny') })
      }
    }
    for (const { place, formula } of placesOf(policy, world, unknown, within, resource)) {
      const condition = residueOf(policy.condition, (test) => truthAt(test, place, world, asked, resource))
      for (const { set, group, allow, deny } of sets) {
        const granted = allOf([formula, condition, allow])
        const denied = allOf([formula, condition, deny])
        const part = { place, policy, group }
        if (set.allow.length > 0 && !isNever(granted))
          allows.push({ ...part, actions: set.allow, except: set.except.map(({ value }) => value), formula: granted })
        if (set.deny.length > 0 && !isNever(denied)) denies.push({ ...part, actions: set.deny, except: [], formula: denied })
        if (group !== undefined && !world.permissionsGroups.has(group) && !isNever(granted)) unknownPermissions.add(group)
      }
    }
  }
  return { allows, denies, unknownPermissions }
}

/** Whether a part stands for whatever an unknown permissions group may hold. */
function isAnything({ group }: Part, world: World): boolean {
  return group !== undefined && !world.permissionsGroups.has(group)
}

/** Where a policy applies, each entry of its resources a place; cut to what was asked for. */
function* placesOf(
  policy: Policy,
  world: World,
  unknown: readonly ResourceGroupUrn[],
  within: Glob | undefined,
  resource: string | undefined,
): Iterable<{ readonly place: Place; readonly formula: Formula }> {
  if (resource !== undefined) {
    const formula = anyOf(
      policy.resources.map(({ value }): Formula => {
        if (value.kind === 'resource') return matches(value.glob, resource) ? always : anyOf([])
        const member = inResourceGroup(world, value, resource)
        return member === undefined ? inUnknownGroup(value, unknown) : member ? always : anyOf([])
      }),
    )
    if (!isNever(formula)) yield { place: { text: resource, glob: glob(resource) }, formula }
    return
  }
  for (const { value } of policy.resources) {
    if (value.kind === 'resource') {
      for (const part of within ? partsWithin(value.glob, within) : [value.glob])
        yield { place: { text: part.text, glob: part }, formula: always }
    } else {
      const members = membersOf(value, world).filter((member) => !within || matches(within, member))
      const isOpen = isPattern(value.glob) || !resourceGroupOf(world, value.text)?.complete
      if (isOpen || members.length > 0) yield { place: { text: value.text, group: { urn: value, members, isOpen } }, formula: always }
    }
  }
}

/** What two patterns have in common; the first, whole, where that takes too many patterns. */
function partsWithin(pattern: Glob, within: Glob): readonly Glob[] {
  try {
    return meet(pattern, within)
  } catch (error) {
    if (error instanceof Undecided) return [pattern]
    throw error
  }
}

/** The known members of the groups that an entry names, sorted. */
function membersOf(entry: ResourceGroupUrn, world: World): readonly string[] {
  if (!isPattern(entry.glob)) return [...(resourceGroupOf(world, entry.text)?.members ?? [])].sort()
  const members = new Set<string>()
  for (const [urn, group] of world.resourceGroups) {
    const known = urn.startsWith('urn:v1:*') ? urn.replace('*', entry.region) : urn
    if (matches(entry.glob, known)) for (const member of group.members) members.add(member)
  }
  return [...members].sort()
}

/** What is known of a comparison at a place: what the resource's URN tells, the tags that are given, address and time. */
function truthAt(test: Test, place: Place, world: World, asked: AskedOf, resource: string | undefined): Truth {
  const { kind } = test.subject
  const one = resource ?? (place.glob && !isPattern(place.glob) ? place.glob.text : undefined)
  if (one !== undefined) return testHolds(test, world, { ...asked, action: '', resource: one }, nothingAssumed)
  if (kind === 'name' || kind === 'type') return place.glob && textTruth(test, place.glob)
  return testHolds(test, world, { ...asked, action: '', resource: '' }, nothingAssumed)
}

/** What a pattern whose type is written out tells of the type or the name of all that it matches. */
function textTruth({ subject, operator, values = [] }: Test, { text }: Glob): Truth {
  const [, , , , type = '', ...rest] = text.split(':')
  if (type.includes('*') || rest.length === 0) return undefined
  const part = glob(subject.kind === 'type' ? type : rest.join(':'))
  const patterns = values
    .filter((value) => !value.includes('*'))
    .map((value) => glob(operator === 'STARTS_WITH' ? `${value}*` : operator === 'ENDS_WITH' ? `*${value}` : value))
  if (patterns.length < values.length) return undefined
  if (patterns.some((pattern) => covers(pattern, part))) return true
  return patterns.some((pattern) => overlaps(pattern, part)) ? undefined : false
}

/** How one place lies to another: it holds the whole of it, perhaps some of it, or nothing; `unknown` where nobody can tell which members it has. */
type Relation = 'whole' | 'part' | 'unknown' | 'apart'

function relation(world: World, outer: Place, inner: Place): Relation {
  if (outer.text === inner.text) return 'whole'
  if (outer.glob && inner.glob) return !overlaps(outer.glob, inner.glob) ? 'apart' : covers(outer.glob, inner.glob) ? 'whole' : 'part'
  const { group } = inner
  if (outer.glob) {
    const wide = outer.glob
    const held = group?.members.filter((member) => matches(wide, member)).length ?? 0
    if (!group?.isOpen) return held === group?.members.length ? 'whole' : held > 0 ? 'part' : 'apart'
    return 'part'
  }
  const named = outer.group as NonNullable<Place['group']>
  if (inner.glob) {
    const narrow = inner.glob
    if (!isPattern(narrow)) {
      const member = inResourceGroup(world, named.urn, narrow.text)
      return member === undefined ? 'unknown' : member ? 'whole' : 'apart'
    }
    return named.isOpen ? 'unknown' : named.members.some((member) => matches(narrow, member)) ? 'part' : 'apart'
  }
  if (group && covers(named.urn.glob, glob(group.urn.text))) return 'whole'
  if (named.isOpen) return group && !group.isOpen && group.members.every((member) => named.members.includes(member)) ? 'whole' : 'unknown'
  const held = group?.members.filter((member) => named.members.includes(member)).length ?? 0
  return group && !group.isOpen && held === group.members.length ? 'whole' : held > 0 || group?.isOpen ? 'part' : 'apart'
}

type Denies = readonly { readonly part: Part; readonly how: Relation }[]

/** Whether an action is denied for certain on each member of a group whose members are all known. */
function isWhollyDenied({ group }: Place, action: Glob, denies: Denies, certainty: (formula: Formula) => string): boolean {
  if (!group || group.isOpen) return false
  const sure = denies.filter(({ part }) => part.actions.some(({ value }) => covers(value, action)) && certainty(part.formula) === 'always')
  return sure.length > 0 && group.members.every((member) => sure.some(({ part }) => holdsMember(part.place, member)))
}

function holdsMember({ glob: pattern, group }: Place, member: string): boolean {
  return pattern ? matches(pattern, member) : group?.members.includes(member) === true
}

/** Leave out what another atom grants as well, under no further condition; of equal ones the first, with the clauses of all. */
function withoutRepeats(atoms: readonly Atom[], holdsPlace: (wide: Place, narrow: Place) => boolean): Atom[] {
  const once = new Map<string, Atom>()
  for (const atom of atoms) {
    const key = JSON.stringify([atom.place.text, atom.action.text, atom.except.map(({ text }) => text).sort(), keyOf(atom.formula)])
    const same = once.get(key)
    if (same) same.clauses.push(...atom.clauses)
    else once.set(key, { ...atom, clauses: [...atom.clauses] })
  }
  const list = [...once.values()]
  const byPlace = new Map<string, Atom[]>()
  for (const atom of list) byPlace.set(atom.place.text, [...(byPlace.get(atom.place.text) ?? []), atom])
  const holdersOf = holdersAmong([...byPlace.values()].map(([first]) => (first as Atom).place))
  const order = new Map(list.map((atom, i) => [atom, i]))
  let left = mostPairs
  const repeated = new Set<Atom>()
  for (const [text, atoms] of byPlace) {
    const { place } = atoms[0] as Atom
    const holders = holdersOf(place).filter((other) => other.text !== text && holdsPlace(other, place))
    const others = [...atoms, ...holders.flatMap((holder) => byPlace.get(holder.text) ?? [])]
    left -= atoms.length * others.length
    if (left < 0) break
    for (const atom of atoms) {
      const key = keyOf(atom.formula)
      const needed = new Set(termsOf(atom.formula))
      const isRepeat = (other: Atom) => {
        const isSame = keyOf(other.formula) === key
        if (other === atom || !(isSame || termsOf(other.formula).every((term) => needed.has(term))) || !grants(other, atom)) return false
        // Of two that hold each other the first stays.
        const isMutual = isSame && grants(atom, other) && (other.place.text === text || holdsPlace(place, other.place))
        return !isMutual || (order.get(other) as number) < (order.get(atom) as number)
      }
      if (others.some(isRepeat)) repeated.add(atom)
    }
  }
  return list.filter((atom) => !repeated.has(atom))
}

/** What all has to hold for a formula to hold; none for one that always does. */
function termsOf(formula: Formula): readonly string[] {
  if (isAlways(formula)) return []
  return formula.kind === 'and' ? formula.operands.flatMap(termsOf) : [keyOf(formula)]
}

/** The places among some that may hold a whole other one: groups, and patterns that start as all of it does. */
function holdersAmong(places: readonly Place[]): (place: Place) => readonly Place[] {
  const groups = places.filter(({ group }) => group)
  const byHead = new Map<string, Place[]>()
  for (const place of places) {
    if (!place.glob || !isPattern(place.glob)) continue
    const head = place.glob.pieces[0] as string
    const same = byHead.get(head)
    if (same) same.push(place)
    else byHead.set(head, [place])
  }
  const lengths = [...new Set([...byHead.keys()].map((head) => head.length))]
  return ({ glob, group }) => {
    const start = glob ? (glob.pieces[0] as string) : (group?.members[0] ?? '')
    const patterns = lengths.flatMap((length) => (length <= start.length ? (byHead.get(start.slice(0, length)) ?? []) : []))
    return [...groups, ...patterns]
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
function gathered(atoms: readonly Atom[]): readonly Gathered[] {
  const rows = new Map<string, Gathered[]>()
  for (const { place, formula, action, except, clauses } of atoms) {
    const key = `${place.text}\n${keyOf(formula)}`
    const list = rows.get(key) ?? []
    rows.set(key, list)
    const fits = list.find(
      (row) =>
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

function rowOf(row: Gathered, denies: Denies, world: World, asked: AskedOf, certainty: (formula: Formula) => Certainty): WhatRow {
  const { place, formula } = row
  const except = [...row.except]
  const unless = new Map<string, { resource: string; actions: string[]; condition: Formula }>()
  for (const { part, how } of denies) {
    const hit = part.actions.map(({ value }) => value).filter((value) => row.actions.some((action) => overlaps(value, action)))
    if (hit.length === 0 || certainty(allOf([formula, part.formula])) === 'never') continue
    if (how === 'whole' && certainty(part.formula) === 'always') {
      except.push(...hit)
      continue
    }
    const condition = certainty(part.formula) === 'always' ? always : part.formula
    const key = `${part.place.text}\n${keyOf(condition)}`
    const leaving = unless.get(key) ?? { resource: how === 'whole' ? place.text : part.place.text, actions: [], condition }
    unless.set(key, leaving)
    for (const { text } of hit) if (!leaving.actions.includes(text)) leaving.actions.push(text)
  }
  const left = uncovered(except)
  const isSure = isCertain(row, denies, world, asked, certainty)
  const facts = new Set([...factsIn(formula), ...(isSure ? [] : [...unless.values()].flatMap(({ condition }) => factsIn(condition)))])
  if (!isSure)
    for (const each of [place, ...denies.filter(({ how }) => how === 'unknown').map(({ part }) => part.place)])
      if (each.group?.isOpen) facts.add(factNames.group(each.text))
  return {
    resource: place.text,
    actions: row.actions.map(({ text }) => text).sort(),
    except: left.map(({ text }) => text).sort(),
    unless: [...unless.values()]
      .map((leaving) => ({
        ...leaving,
        actions: uncovered(leaving.actions.map(glob))
          .filter((action) => !left.some((other) => covers(other, action)))
          .map(({ text }) => text)
          .sort(),
      }))
      .filter(({ actions, condition }) => actions.length > 0 && !isNever(condition))
      .sort((a, b) => order(a.resource, b.resource) || order(keyOf(a.condition), keyOf(b.condition))),
    condition: formula,
    missing: [...facts].sort(),
    verdict: isSure ? 'allow' : 'unknown',
    reason: isSure ? 'granted' : 'unknown',
    clauses: inFileOrder([...new Set(row.clauses)]),
  }
}

/** How many resources that the world describes are tried, where a region depends on what is not known of others. */
const mostResources = 2_000

/**
 * Whether something in a row is allowed for certain: one of its action patterns at the place's own point, a resource that
 * only what covers the place is about (spec: analysis, 6.2, L2); or on a resource that the world describes.
 */
function isCertain(
  { place, formula, actions }: Gathered,
  denies: Denies,
  world: World,
  asked: AskedOf,
  certainty: (formula: Formula) => Certainty,
) {
  const opaque = (deny: Part): Formula => allOf([deny.formula, { kind: 'opaque', text: factNames.group(deny.place.text) }])
  const against = (action: Glob) => denies.filter(({ part }) => part.actions.some(({ value }) => covers(value, action)))
  const atPoint = (action: Glob) => {
    const denied = against(action).flatMap(({ part, how }) => (how === 'whole' ? [part.formula] : how === 'unknown' ? [opaque(part)] : []))
    return isSureSomewhere(allOf([formula, notSo(anyOf(denied))]), certainty)
  }
  const at = (resource: string) => {
    const question: Question = { ...asked, action: '', resource }
    return (action: Glob) => {
      const denied = against(action).flatMap(({ part }) => {
        const holds = holdsResource(part.place, resource, world)
        return holds ? [part.formula] : holds === undefined ? [opaque(part)] : []
      })
      const whole = settled(allOf([formula, notSo(anyOf(denied))]), (test) => testHolds(test, world, question, nothingAssumed))
      return certainty(whole) === 'always'
    }
  }
  if (place.glob && actions.some(atPoint)) return true
  let left = mostResources
  for (const resource of place.group ? place.group.members : world.resources.keys()) {
    if (!place.group && !matches(place.glob as Glob, resource)) continue
    if (--left < 0) return false
    if (actions.some(at(resource))) return true
  }
  return false
}

function holdsResource({ glob: pattern, group }: Place, resource: string, world: World): Truth {
  return pattern ? matches(pattern, resource) : group && inResourceGroup(world, group.urn, resource)
}

/** What the owning account may do in any case (spec: policy language, section 3). */
function rootRows(world: World, { identity, owner }: AskedOf, within: Glob | undefined, resource: string | undefined) {
  const read = readIdentity(identity, { pattern: false }).value
  const rows: WhatRow[] = []
  if (read?.kind !== 'account') return { rows, isUnknown: false }
  const add = (resource: string, unless: readonly Leaving[]) =>
    rows.push({
      resource,
      actions: ['*'],
      except: [],
      unless,
      condition: always,
      missing: [],
      verdict: 'allow',
      reason: 'root',
      clauses: [],
    })
  if (resource !== undefined) {
    const known = owner ?? world.resources.get(resource)?.owner ?? world.account
    if (known === read.account) add(resource, [])
    return { rows, isUnknown: known === undefined }
  }
  const known = owner ?? world.account
  const described = owner === undefined ? [...world.resources.values()].filter((r) => r.owner !== undefined) : []
  const asked = described.filter(({ urn }) => !within || matches(within, urn.value))
  if (known === read.account) {
    const others = asked
      .filter((r) => r.owner !== read.account)
      .map(({ urn }) => ({ resource: urn.value, actions: ['*'], condition: always }))
    add(within?.text ?? '*', others)
  } else for (const r of asked) if (r.owner === read.account) add(r.urn.value, [])
  return { rows, isUnknown: known === undefined }
}
