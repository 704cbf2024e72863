import { Budget, notSearched, withinBudget } from '../budget.ts'
import { groupedBy, pushTo } from '../collections.ts'
import { compareText } from '../diagnostic.ts'
import { isPattern, matches } from '../glob.ts'
import { keyOf } from '../keys.ts'
import type { Policy, World } from '../policy.ts'
import type { Clause, Fact } from '../simulate/decision.ts'
import { sortedFacts } from '../simulate/facts.ts'
import { inFileOrder } from '../simulate/reference.ts'
import { type IdentityUrn, readIdentity } from '../urn/identity.ts'
import { allOf, always, anyOf, type Formula, factsIn, isAlways, isNever, noneOf, notBefore, printFormula } from './formula.ts'
import { approximateReason, Judge, ownerUnknown, type RequestFacts } from './known.ts'
import { clausesOf, type Region, regions, unknownPermissions } from './regions.ts'

/**
 * The identities that may do an action on a resource: the regions of a world with both fixed (docs/analysis.md, Who may do
 * something). Whether a caller is allowed depends on all identities of the request, the caller and its groups: some entry must
 * allow one of them, and none may deny one. So each pattern in policies is one row, with the identities that denies remove from
 * it.
 */

/**
 * A question without the identity. `groups`: those of all callers that are asked about. Without an instant the answer is about
 * all times; with `from`, about those from this instant on.
 */
export type WhoQuestion = Omit<RequestFacts, 'identity' | 'within'> &
  Required<Pick<RequestFacts, 'action' | 'resource'>> & { readonly from?: number }

/** An identity of a row that is denied nevertheless. */
export interface ExceptedIdentity {
  readonly identity: string
  readonly condition: Formula
}

/** A described identity that is in a group, or that a pattern is about, and whether it is allowed with all its groups. */
export interface Member {
  readonly identity: string
  readonly verdict: 'allow' | 'unknown' | 'deny'
  /** The entries that deny it, where it is denied. */
  readonly clauses: readonly Clause[]
}

export interface WhoRow {
  /** As written in a policy, or as the inventory has it. */
  readonly identity: string
  /** `allow`: everybody in the row but those in `except` and `unless`, at some time at least. `unknown`: it depends on facts. */
  readonly verdict: 'allow' | 'unknown'
  readonly reason: 'granted' | 'root' | 'unknown'
  /** The rest of the conditions once all known facts are put in. */
  readonly condition: Formula
  /** The facts that the condition looks at. */
  readonly missing: readonly Fact[]
  /** The denied identities: those that match one of these patterns, or are in a group that does. */
  readonly except: readonly string[]
  /** Who is denied under a condition. */
  readonly unless: readonly ExceptedIdentity[]
  /** The entries that grant it; where there is a condition, all that may decide. In file order. */
  readonly clauses: readonly Clause[]
  /** An identity that the inventory describes, with all groups: then nothing further is removed. */
  readonly isKnown: boolean
  /** For a known identity: the groups by which it is allowed. */
  readonly groups: readonly string[]
  /** For a group or a pattern: the described identities that it matches. */
  readonly members: readonly Member[]
}

/** An identity that is denied even if something allows it; only the owning account cannot be. */
export interface DeniedRow {
  readonly identity: string
  readonly verdict: 'deny' | 'unknown'
  readonly condition: Formula
  readonly missing: readonly Fact[]
  readonly clauses: readonly Clause[]
}

export interface Who {
  readonly who: readonly WhoRow[]
  readonly unknown: readonly WhoRow[]
  readonly denied: readonly DeniedRow[]
  /** False when others might be allowed as well, or less is reported than holds: `reasons` say why. */
  readonly complete: boolean
  readonly reasons: readonly string[]
  /** The budget of the run was used up: not all identities were looked at. */
  readonly isCut: boolean
}

/** The grant, or deny, of one policy to the identities that it names: the same for each of them. */
interface Part {
  readonly formula: Formula
  readonly clauses: readonly Clause[]
}

/** The parts about one identity of a policy. */
interface Entry {
  readonly urn: IdentityUrn
  readonly grants: Part[]
  readonly denies: Part[]
}

/** How many exceptions are listed in all rows together: beyond, rows of one kind share theirs in `denied` alone. */
const mostExceptions = 500_000

/** Everybody who is allowed, each pattern with what is taken away from it. Exact; see `Who.complete`. */
export function who(world: World, asked: WhoQuestion, run: Budget = new Budget()): Who {
  // A question that was read has an identity, too: here it is what is asked for.
  const { identity: _identity, within: _within, from, ...requestFacts }: RequestFacts & Pick<WhoQuestion, 'from'> = asked
  const all = regions(world, requestFacts)
  const entries = entriesOf(all)
  const judge = new Judge(from === undefined ? always : notBefore(from), run)
  const denied = deniedRows(entries.all, judge)
  const rowsOf = new Rows(entries, asked.groups, denied, judge, run)
  const rows = new Map<string, WhoRow>()
  const open = new Map<string, IdentityUrn>()
  // A described identity has a row below; but a group represents all its members, known or not.
  const named = entries.all.filter(({ urn, grants }) => grants.length > 0 && (urn.kind === 'group' || !world.identities.has(urn.text)))
  const addNamed = ({ urn }: Entry) => {
    const row = rowsOf.row(urn.text, entries.about(urn.text), urn, [])
    if (row) {
      rows.set(row.identity, row)
      open.set(row.identity, urn)
    }
  }
  const addDescribed = ([text, { groups }]: readonly [string, { readonly groups: readonly string[] }]) => {
    const byGroup = groups.map((group) => ({ group, about: entries.about(group) }))
    const granting = byGroup.filter(({ about }) => about.some((entry) => entry.grants.length > 0)).map(({ group }) => group)
    const about = [...entries.about(text), ...byGroup.flatMap(({ about }) => about)]
    const row = rowsOf.row(text, about, undefined, [...new Set(granting)].sort())
    if (row && (granting.length > 0 || !rows.has(text))) rows.set(itself(text), row)
  }
  const examined = [
    withinBudget(named, run, addNamed, policiesOf),
    withinBudget([...world.identities], run, addDescribed, ([text, { groups }]) =>
      [text, ...groups].flatMap(entries.about).flatMap(policiesOf),
    ),
  ]
  const owner = asked.owner ?? world.resources.get(asked.resource)?.owner ?? world.account
  for (const identity of owner === undefined ? [] : ownersOf(asked.resource, owner, world)) {
    rows.delete(itself(identity))
    rows.set(identity, rootRow(identity))
  }

  const membersOf = describedMembers(world)
  const addMembers = ([text, urn]: readonly [string, IdentityUrn]) => {
    const row = rows.get(text) as WhoRow
    const members = membersOf(urn).map((identity): Member => {
      run.left--
      const ownRow = rows.get(itself(identity)) ?? rows.get(identity)
      if (ownRow) return { identity, verdict: ownRow.verdict, clauses: [] }
      const about = [identity, ...(world.identities.get(identity)?.groups ?? [])].flatMap(entries.about)
      return { identity, verdict: 'deny', clauses: rowsOf.denying(about) }
    })
    rows.set(text, { ...row, members })
  }
  const expanded = withinBudget([...open], run, addMembers, ([text]) => entries.about(text).flatMap(policiesOf))

  const reasons = [
    ...(owner === undefined ? [ownerUnknown.one] : []),
    ...unknownPermissions(all).map((urn) => `permissions group \`${urn}\` is not described: it may allow or deny`),
    ...(judge.isApproximate ? [approximateReason] : []),
    ...examined.flatMap((each) => notSearched(each, 'identities')),
    ...notSearched(expanded, 'lists of members'),
    ...(rowsOf.left < 0 ? ['there are too many exceptions to list them in each row: whoever is in `denied` is not allowed'] : []),
  ]
  const sorted = [...rows.values()].sort(
    (a, b) => Number(b.reason === 'root') - Number(a.reason === 'root') || compareText(a.identity, b.identity),
  )
  return {
    who: sorted.filter(({ verdict }) => verdict === 'allow'),
    unknown: sorted.filter(({ verdict }) => verdict === 'unknown'),
    denied: denied.map(({ urn: _, ...row }) => row),
    complete: reasons.length === 0,
    reasons,
    isCut: examined.some(({ left }) => left.length > 0),
  }
}

/** The names of the policies that an entry is of. */
function policiesOf({ grants, denies }: Entry): readonly string[] {
  return [...grants, ...denies].flatMap(({ clauses }) => clauses.map(({ policy }) => policy.name.value))
}

/** The described identities that are in a group, or that a pattern is about. */
export function describedMembers(world: World): (urn: Pick<IdentityUrn, 'text' | 'glob'>) => readonly string[] {
  const byGroup = new Map<string, string[]>()
  for (const [identity, { groups }] of world.identities)
    for (const group of new Set(groups)) {
      pushTo(byGroup, group, identity)
    }
  return ({ text, glob }) => {
    if (isPattern(glob)) {
      const named = [...byGroup].flatMap(([group, members]) => (matches(glob, group) ? members : []))
      return [...new Set([...named, ...[...world.identities.keys()].filter((identity) => matches(glob, identity))])].sort()
    }
    return [...(byGroup.get(text) ?? [])].sort()
  }
}

type DeniedEntry = DeniedRow & { readonly urn: IdentityUrn }

function deniedRows(entries: readonly Entry[], judge: Judge): readonly DeniedEntry[] {
  const rows: DeniedEntry[] = []
  for (const { urn, denies } of entries) {
    const formula = anyOf(possible(denies, judge).map((part) => part.formula))
    const sure = judge.certainty(formula)
    if (sure === 'never') continue
    const condition = sure === 'always' ? always : formula
    const isSure = judge.isSureAtTimes(formula)
    rows.push({
      urn,
      identity: urn.text,
      verdict: isSure ? 'deny' : 'unknown',
      condition,
      missing: sortedFacts(factsIn(condition)),
      clauses: clausesBehind(denies, isSure, judge),
    })
  }
  return rows.sort((a, b) => compareText(a.identity, b.identity))
}

/** Makes rows, and counts the exceptions in them. */
class Rows {
  /** How many exceptions may still be listed. */
  left = mostExceptions
  private readonly given: readonly Entry[]
  private readonly denied: readonly DeniedEntry[]
  private readonly judge: Judge
  private readonly run: Budget

  constructor(entries: Entries, groups: readonly string[], denied: readonly DeniedEntry[], judge: Judge, run: Budget) {
    this.given = groups.flatMap((group) => entries.about(group))
    this.denied = denied
    this.judge = judge
    this.run = run
  }

  /** The row of an identity; `open`: of a pattern or a name whose other groups are not known. */
  row(identity: string, about: readonly Entry[], open: IdentityUrn | undefined, groups: readonly string[]): WhoRow | undefined {
    const { judge } = this
    const all = [...new Set([...about, ...this.given])]
    const grants = possible(
      all.flatMap((entry) => entry.grants),
      judge,
    )
    const granted = anyOf(grants.map((part) => part.formula))
    if (isNever(granted)) return undefined
    const denies = possible(
      all.flatMap((entry) => entry.denies),
      judge,
    )
    const formula = allOf([granted, noneOf(anyOf(denies.map((part) => part.formula)))])
    const certainty = judge.certainty(formula)
    if (certainty === 'never') return undefined
    const isSure = judge.isSureAtTimes(formula)
    const condition = certainty === 'always' ? always : formula
    return {
      identity,
      verdict: isSure ? 'allow' : 'unknown',
      reason: isSure ? 'granted' : 'unknown',
      condition,
      missing: sortedFacts(factsIn(condition)),
      ...(open ? this.exceptions(open, all, formula) : { except: [], unless: [] }),
      clauses: [...clausesBehind(grants, isSure, judge), ...clausesBehind(denies, false, judge)],
      isKnown: open === undefined,
      groups,
      members: [],
    }
  }

  /** The entries that deny an identity. */
  denying(about: readonly Entry[]): readonly Clause[] {
    const denies = [...new Set([...about, ...this.given])].flatMap((entry) => entry.denies)
    return clausesBehind(possible(denies, this.judge), true, this.judge)
  }

  /** The identities of a row that are denied, apart from those in its formula. */
  private exceptions(open: IdentityUrn, about: readonly Entry[], formula: Formula): Pick<WhoRow, 'except' | 'unless'> {
    const except: string[] = []
    const unless: ExceptedIdentity[] = []
    this.run.left -= this.denied.length
    for (const { urn, identity, condition } of this.denied) {
      if (!mayComeWith(open, urn) || about.some((entry) => entry.urn.text === identity)) continue
      if (--this.left < 0) break
      if (isAlways(condition)) except.push(identity)
      else if (this.judge.certainty(allOf([formula, condition])) !== 'never') unless.push({ identity, condition })
    }
    return { except: withoutNarrower(except), unless }
  }
}

/** The key of a row about an identity of the inventory, which differs from that of an entry with the same string. */
const itself = (identity: string) => keyOf(identity, 'itself')

/** The account that owns a resource, and those of the same id that the world knows in other regions: each is the owner, too. */
function ownersOf(resource: string, owner: string, { identities, policies }: World): ReadonlySet<string> {
  const region = resource.split(':')[2] ?? 'eu'
  const knownUrns = [...identities.keys(), ...policies.flatMap((policy) => policy.identities.map(({ value }) => value.text))]
  const isOwner = (text: string) => {
    const read = readIdentity(text, { pattern: false }).value
    return read?.kind === 'account' && read.account === owner
  }
  return new Set([
    `urn:v1:${region}:identity:account:${owner}`,
    ...knownUrns.filter((text) => text.endsWith(`:account:${owner}`) && isOwner(text)),
  ])
}

/** The owning account cannot be restricted (docs/semantics.md, Decision). */
function rootRow(identity: string): WhoRow {
  return {
    identity,
    verdict: 'allow',
    reason: 'root',
    condition: always,
    missing: [],
    except: [],
    unless: [],
    clauses: [],
    isKnown: true,
    groups: [],
    members: [],
  }
}

interface Entries {
  readonly all: readonly Entry[]
  /** The entries that match a text, or cover a pattern. */
  readonly about: (text: string) => readonly Entry[]
}

/** The regions by the identities that their policies name. A pattern over identities has its only wildcard at its end. */
function entriesOf(all: readonly Region[]): Entries {
  const byText = new Map<string, Entry>()
  const lengths = new Set<number>()
  const byPolicy = new Map<Policy, Region[]>()
  for (const region of all) pushTo(byPolicy, region.policy, region)
  for (const [policy, ownRegions] of byPolicy) {
    const [grants, denies] = [
      partOf(ownRegions.filter(({ effect }) => effect === 'allow')),
      partOf(ownRegions.filter(({ effect }) => effect === 'deny')),
    ]
    for (const { value } of policy.identities) {
      const entry = byText.get(value.text) ?? { urn: value, grants: [], denies: [] }
      byText.set(value.text, entry)
      if (value.text.endsWith('*')) lengths.add(value.text.length - 1)
      if (grants) entry.grants.push(grants)
      if (denies) entry.denies.push(denies)
    }
  }
  const about = (text: string) => {
    const strings = [text, ...[...lengths].map((length) => `${text.slice(0, length)}*`)]
    return [...new Set(strings.flatMap((each) => byText.get(each) ?? []))]
  }
  return { all: [...byText.values()], about }
}

/** The regions of one policy and one effect, at the one place that is asked about; undefined where there are none. */
function partOf(regions: readonly Region[]): Part | undefined {
  const [first] = regions
  return (
    first && {
      formula: allOf([first.applies, anyOf(regions.map(({ does }) => does))]),
      clauses: regions.flatMap((region) => clausesOf(region)),
    }
  )
}

/**
 * Whether a caller in a row may also be another identity, other than by being covered by it: any identity may be in any group,
 * and a member of a group may be any identity; but none is two users.
 */
function mayComeWith(row: IdentityUrn, other: IdentityUrn): boolean {
  if (row.kind === 'group' || other.kind === 'group') return true
  return row.text.endsWith('*') && other.text.startsWith(row.text.slice(0, -1))
}

/** Those that no other one, with a wildcard at its end, covers. */
function withoutNarrower(strings: readonly string[]): readonly string[] {
  const patterns = new Set(strings.filter((text) => text.endsWith('*')))
  const lengths = new Set([...patterns].map((text) => text.length - 1))
  return strings.filter((text) => {
    for (const length of lengths) {
      const wider = `${text.slice(0, length)}*`
      if (length < text.length && wider !== text && patterns.has(wider)) return false
    }
    return true
  })
}

/** The parts that may hold: an expiry that has passed leaves none. */
function possible(parts: readonly Part[], judge: Judge): readonly Part[] {
  return parts.filter(({ formula }) => judge.certainty(formula) !== 'never')
}

/** The entries behind parts: where something is certain, those that make it so, if one alone does. */
function clausesBehind(parts: readonly Part[], isSure: boolean, judge: Judge): readonly Clause[] {
  const once = [...new Set(parts)]
  const always = isSure ? once.filter(({ formula }) => judge.certainty(formula) === 'always') : []
  const sure = isSure && always.length === 0 ? once.filter(({ formula }) => judge.isSureAtTimes(formula)) : always
  return inFileOrder((sure.length > 0 ? sure : once).flatMap(({ clauses }) => clauses))
}

/** Without the rows of described identities that say no more than the row of a group or a pattern that lists them. */
export function withoutListed(rows: readonly WhoRow[]): ReadonlySet<WhoRow> {
  const members = rows.flatMap((row) =>
    row.members.flatMap(({ identity, verdict }) => (verdict === row.verdict ? [{ identity, row }] : [])),
  )
  const listing = groupedBy(members, ({ identity }) => identity)
  const saysNoMore = (own: WhoRow, { verdict, condition, clauses }: WhoRow) =>
    verdict === own.verdict &&
    printFormula(condition) === printFormula(own.condition) &&
    own.clauses.every(({ entry }) => clauses.some((other) => other.entry === entry))
  const isListed = (own: WhoRow) =>
    own.isKnown && own.reason !== 'root' && (listing.get(own.identity) ?? []).some(({ row }) => saysNoMore(own, row))
  return new Set(rows.filter((row) => !isListed(row)))
}
