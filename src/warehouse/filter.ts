import { unlessUndecided } from '../budget.ts'
import { rangesIn } from '../conditions/sets.ts'
import { holdsAddress, holdsClock, holdsText, type Test, zoneOf } from '../conditions/test.ts'
import { covers, type Glob, glob, hasInnerWildcard, matches } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { type Condition, groupsOf, type PermissionSet, type Policy, type World } from '../policy.ts'
import { addressClasses, textClasses } from '../simulate/completion.ts'
import type { Fact, Outcome, Question } from '../simulate/decision.ts'
import { factOf, factText, sortedFacts } from '../simulate/facts.ts'
import { dependsOnTime } from '../simulate/why.ts'
import { readIdentity } from '../urn/identity.ts'
import type { ResourceGroupUrn } from '../urn/resource.ts'
import { groupsNamed, isOpenGroup } from '../world.ts'
import { type Atom, type FactValue, type Formula, Formulas, type OpenFact } from './filter-formula.ts'

/** A question without a resource: rows of a table give it, with its tags and its owner. */
export type FilterAsked = Pick<Question, 'identity' | 'action' | 'at' | 'groups' | 'ip'> & {
  /** Only rows whose URN matches. */
  readonly on?: Glob | undefined
}

/** The rows on which an identity is allowed an action, as formulas over a row (docs/filter.md). */
export interface RowFilter {
  readonly formulas: Formulas
  readonly allowed: Formula
  /** The verdict is unknown. */
  readonly perhaps: Formula
  /** Facts that `perhaps` may depend on and that no row gives. Tags: of rows that have none. */
  readonly missing: readonly Fact[]
  /** Too many facts are missing to try all their values: `perhaps` may hold rows that are denied or allowed. */
  readonly isApproximate: boolean
  /** A wildcard counts whose meaning is not published. */
  readonly hasInnerWildcard: boolean
  /** A policy counts that depends on the time: at another one the rows may be others. */
  readonly isTimed: boolean
  /** Whether the account that asks owns a resource is not known of all rows. */
  readonly isOwnerUnknown: boolean
}

/** The columns that a table has besides that of URNs. */
export interface HasColumns {
  readonly tags: boolean
  readonly owner: boolean
}

/**
 * The rows for which the verdict is `allow`, and those for which it is unknown. Identity, action, time and address are decided here;
 * facts that no row gives are removed by trying their values, as `decide` does for one question.
 */
export function rowFilter(world: World, asked: FilterAsked, has: HasColumns): RowFilter {
  const formulas = new Formulas()
  const place = asked.on ? formulas.urn([asked.on]) : formulas.always
  const policies = new Policies(world, asked, formulas)
  const decided = formulas.or([owned(world, asked.identity, has, formulas), policies.decided()])
  const start = formulas.within(formulas.and([place, decided]))

  const open = Array.from(policies.missing, ([id, fact]) => ({
    id,
    fact,
    values: (atoms: readonly Atom[]) => valuesOf(fact, atoms),
  })).filter(({ id }) => start.facts.has(id))
  const [tags, others] = [open.filter(({ fact }) => fact.kind === 'tag'), open.filter(({ fact }) => fact.kind !== 'tag')]
  const [allowed, possible] = [formulas.quantified(start, others, false), formulas.quantified(start, others, true)]
  const rows = withTags(world, { allowed, possible }, tags, has, formulas)
  const perhaps = formulas.within(rows.perhaps)
  return {
    formulas,
    allowed: formulas.within(rows.allowed),
    perhaps,
    missing: perhaps === formulas.never ? [] : sortedFacts(open.map(({ fact }) => fact)),
    isApproximate: formulas.isApproximate,
    hasInnerWildcard: policies.hasInnerWildcard,
    isTimed: policies.isTimed,
    isOwnerUnknown: isAccount(asked.identity) && world.account === undefined,
  }
}

const isAccount = (identity: string) => readIdentity(identity, { pattern: false }).value?.kind === 'account'

/** The account that asks owns the resource of the row: the row says so, or else the world. */
function owned(world: World, identity: string, has: HasColumns, formulas: Formulas): Formula {
  const { kind, account } = readIdentity(identity, { pattern: false }).value ?? {}
  if (kind !== 'account' || account === undefined) return formulas.never
  const isDefault = world.account === account
  const others = [...world.resources].flatMap(([urn, { owner }]) =>
    owner !== undefined && (owner === account) !== isDefault ? [name(urn)] : [],
  )
  const inWorld = isDefault ? formulas.not(formulas.urn(others)) : formulas.urn(others)
  if (!has.owner) return inWorld
  const ownerIs = (owner: string | undefined) => formulas.literal({ kind: 'owner', account: owner })
  return formulas.or([ownerIs(account), formulas.and([ownerIs(undefined), inWorld])])
}

/** A URN as a pattern that matches nothing else. */
const name = (urn: string): Glob => ({ text: urn, pieces: [urn] })

/** The policies as formulas over a row, with the facts that they look at. */
class Policies {
  readonly missing = new Map<string, Fact>()
  hasInnerWildcard = false
  isTimed = false
  private readonly world: World
  private readonly asked: FilterAsked
  private readonly formulas: Formulas
  private readonly openGroups = new Map<string, ResourceGroupUrn>()

  constructor(world: World, asked: FilterAsked, formulas: Formulas) {
    this.world = world
    this.asked = asked
    this.formulas = formulas
  }

  /** Some policy grants it, and none denies it. */
  decided(): Formula {
    const { and, not } = { and: (parts: Formula[]) => this.formulas.and(parts), not: (part: Formula) => this.formulas.not(part) }
    const concerned = this.concerned()
    for (const { policy } of concerned)
      for (const { value } of policy.resources)
        if (value.kind === 'group' && isOpenGroup(this.world, value)) this.openGroups.set(value.text, value)
    const grants = new Map<Formula, Formula[]>()
    const denies = new Map<Formula, Formula[]>()
    for (const { policy, granting, denying } of concerned) {
      const about = this.formulas.or(policy.resources.map(({ value }) => this.matchesEntry(value)))
      const holds = policy.condition ? this.conditionHolds(policy.condition) : this.formulas.always
      for (const [says, where] of [
        [granting, grants],
        [denying, denies],
      ] as const) {
        const when = and([holds, says])
        const abouts = where.get(when)
        if (abouts) abouts.push(about)
        else where.set(when, [about])
      }
    }
    const some = (says: ReadonlyMap<Formula, readonly Formula[]>) =>
      this.formulas.or(Array.from(says, ([when, abouts]) => and([when, this.formulas.or(abouts)])))
    return and([some(grants), not(some(denies))])
  }

  /** The policies that are about the identity, the action and the time, with what they say when they apply. */
  private concerned(): readonly { readonly policy: Policy; readonly granting: Formula; readonly denying: Formula }[] {
    const { identity, groups, at } = this.asked
    const members = [identity, ...groups, ...(this.world.identities.get(identity)?.groups ?? [])]
    return this.world.policies.flatMap((policy) => {
      if (policy.expiresAt && at > policy.expiresAt.value) return []
      if (!policy.identities.some(({ value }) => members.some((member) => matches(value.glob, member)))) return []
      const [granting, denying] = [this.says(policy, 'allow'), this.says(policy, 'deny')]
      const isSilent = granting === this.formulas.never && denying === this.formulas.never
      if (isSilent) return []
      if (dependsOnTime(policy)) this.isTimed = true
      return [{ policy, granting, denying }]
    })
  }

  /** Whether the permission sets of a policy grant the action, or deny it. */
  private says(policy: Policy, outcome: Exclude<Outcome, 'nothing'>): Formula {
    const sets = groupsOf(policy).map(({ value }) => {
      const group = this.world.permissionsGroups.get(value.text)
      if (group) return this.setSays(group.permissions, outcome)
      return this.open({ kind: 'permissionsGroup', urn: value.text }, outcome)
    })
    return this.formulas.or([this.setSays(policy.permissions, outcome), ...sets])
  }

  private setSays({ allow, except, deny }: PermissionSet, outcome: Exclude<Outcome, 'nothing'>): Formula {
    const hits = (list: PermissionSet['allow']) => list.filter(({ value }) => matches(value, this.asked.action))
    const matching = hits(outcome === 'deny' ? deny : allow)
    const taken = outcome === 'allow' && matching.length > 0 ? hits(except) : []
    if ([...matching, ...taken].some(({ value }) => hasInnerWildcard(value))) this.hasInnerWildcard = true
    return matching.length > 0 && taken.length === 0 ? this.formulas.always : this.formulas.never
  }

  /** An assumption about a narrower entry's groups counts for a wider one, as in `resourceInGroup`. */
  private matchesEntry(entry: Policy['resources'][number]['value']): Formula {
    if (entry.kind === 'resource') return this.formulas.urn([entry.glob])
    const members = this.formulas.urn([...new Set(groupsNamed(this.world, entry).flatMap((group) => [...group.members]))].map(name))
    if (!isOpenGroup(this.world, entry)) return members
    const narrower = [...this.openGroups.values()].filter(({ text }) => text === entry.text || covers(entry.glob, glob(text)))
    return this.formulas.or([members, ...narrower.map(({ text }) => this.open({ kind: 'resourceGroup', urn: text }, 'member'))])
  }

  private conditionHolds(condition: Condition): Formula {
    switch (condition.kind) {
      case 'match':
        return this.testHolds(condition.test)
      case 'opaque':
        return this.open(factOf(condition), 'holds')
      case 'and':
        return this.formulas.and(condition.operands.map((each) => this.conditionHolds(each)))
      case 'or':
        return this.formulas.or(condition.operands.map((each) => this.conditionHolds(each)))
      default:
        return this.formulas.not(this.formulas.or(condition.operands.map((each) => this.conditionHolds(each))))
    }
  }

  private testHolds(test: Test): Formula {
    const { at, ip } = this.asked
    const { kind, parameter } = test.subject
    switch (test.set.kind) {
      case 'numbers':
        return holdsClock(test, zoneOf(test).shows(at)) ? this.formulas.always : this.formulas.never
      case 'addresses':
        if (ip) return holdsAddress(test, ip) ? this.formulas.always : this.formulas.never
        if (rangesIn(test.set).length === 0) return this.formulas.never
        return this.formulas.literal({ kind: 'address', fact: this.fact({ kind: 'address' }), test })
      case 'strings':
        if (kind !== 'tag') return this.formulas.literal({ kind: 'part', test })
        return this.formulas.literal({ kind: 'tag', fact: this.fact({ kind: 'tag', key: parameter }), test })
      default:
        return test.set satisfies never
    }
  }

  private open(fact: Fact, value: string): Formula {
    return this.formulas.literal({ kind: 'open', fact: this.fact(fact), value })
  }

  private fact(fact: Fact): string {
    // Two conditions of the same words are the same fact, whether a value or a part of them is not understood.
    const id = keyOf(fact.kind === 'expression' ? 'condition' : fact.kind, factText(fact))
    if (!this.missing.has(id)) this.missing.set(id, fact)
    return id
  }
}

/** The values of a fact that some atoms distinguish; undefined where they are too many. */
function valuesOf(fact: Fact, atoms: readonly Atom[]): readonly FactValue[] | undefined {
  const tests = atoms.flatMap((atom) => ('test' in atom ? [atom.test] : []))
  const isText = (text: string) => (atom: Atom) => atom.kind === 'open' && atom.value === text
  switch (fact.kind) {
    case 'address':
      return addressClasses(tests).map((address) => (atom) => atom.kind === 'address' && holdsAddress(atom.test, address))
    case 'tag':
      return unlessUndecided(
        () => textClasses(tests).map((text) => (atom: Atom) => atom.kind === 'tag' && text !== null && holdsText(atom.test, text)),
        () => undefined,
      )
    case 'permissionsGroup':
      return ['allow', 'deny', 'nothing'].map(isText)
    case 'resourceGroup':
      return ['member', ''].map(isText)
    default:
      return ['holds', ''].map(isText)
  }
}

/** The rows, with tags where they are known: those of the row, or else those of the world. Where they are not, each value is tried. */
function withTags(
  world: World,
  { allowed, possible }: { readonly allowed: Formula; readonly possible: Formula },
  facts: readonly OpenFact[],
  has: HasColumns,
  formulas: Formulas,
): Pick<RowFilter, 'allowed' | 'perhaps'> {
  if (!facts.some(({ id }) => allowed.facts.has(id) || possible.facts.has(id)))
    return { allowed, perhaps: formulas.without(possible, allowed) }
  const bound = formulas.boundOf(possible)
  const described = [...world.resources].flatMap(([urn, { tags }]) => (tags && bound?.covers(name(urn)) !== false ? [{ urn, tags }] : []))
  const inRow = has.tags ? formulas.literal({ kind: 'hasTags' }) : formulas.never
  const rowIsDescribed = formulas.or([inRow, formulas.urn(described.map(({ urn }) => name(urn)))])
  const shownTest = (test: Test) => {
    const inWorld = described.flatMap(({ urn, tags }) => {
      const value = tags.get(test.subject.parameter)
      return value !== undefined && holdsText(test, value) ? [name(urn)] : []
    })
    const ofWorld = formulas.and([formulas.not(inRow), formulas.urn(inWorld)])
    return has.tags ? formulas.or([formulas.literal({ kind: 'part', test }), ofWorld]) : ofWorld
  }
  const tests = new Map<Test, Formula>()
  const shown = (formula: Formula) =>
    formulas.mapped(formula, (atom) => {
      if (atom.kind !== 'tag') return undefined
      const shownBefore = tests.get(atom.test) ?? shownTest(atom.test)
      tests.set(atom.test, shownBefore)
      return shownBefore
    })
  // A row without known tags meets no comparison. Where comparisons only add rows, that is the worst case, and the best one where they
  // only remove some: such rows need no separate words.
  const sure = isMonotonic(allowed, true)
    ? shown(allowed)
    : formulas.or([formulas.quantified(allowed, facts, false), formulas.and([rowIsDescribed, shown(allowed)])])
  const apart = formulas.or([
    formulas.and([rowIsDescribed, formulas.without(shown(possible), shown(allowed))]),
    formulas.and([
      formulas.not(rowIsDescribed),
      formulas.without(formulas.quantified(possible, facts, true), formulas.quantified(allowed, facts, false)),
    ]),
  ])
  if (!isMonotonic(possible, false)) return { allowed: sure, perhaps: apart }
  const [first, second] = [formulas.within(apart), formulas.within(formulas.without(shown(possible), sure))]
  return { allowed: sure, perhaps: first.size <= second.size ? first : second }
}

/** Whether each comparison of a tag can only make the formula hold; without `adds`, only make it not hold. */
function isMonotonic(formula: Formula, adds: boolean): boolean {
  if (formula.kind === 'literal') return formula.holds === adds || formula.atom.kind !== 'tag'
  return formula.kind === 'constant' || formula.parts.every((part) => isMonotonic(part, adds))
}
