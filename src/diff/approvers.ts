import type { Budget } from '../budget.ts'
import { madeIn } from '../collections.ts'
import { covers, type Glob, glob, isPattern, matches } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { lazy, Memo } from '../memo.ts'
import type { Policy, World } from '../policy.ts'
import { firstNewAccess, type Outcome } from '../symbolic/covers.ts'
import { type ActionsByType, knownNamesIn, Lookups } from '../symbolic/described.ts'
import { conjunction, type Formula, printFormula, settled } from '../symbolic/formula.ts'
import { truthFor } from '../symbolic/known.ts'
import type { NewAccess } from '../symbolic/search.ts'
import { indexOf, type Side } from '../symbolic/side.ts'
import { isAllow, isAlone, isDeny, meetStatements, PatternList, type Statement, statementsOf } from '../symbolic/statements.ts'
import { witnessOf } from '../symbolic/witness.ts'
import { readResource, typeAndName } from '../urn/resource.ts'
import { policyKey } from './causes.ts'
import { type DescribedChange, hasOtherFacts, hasOtherGroups } from './described.ts'
import type { Difference, DiffRegion } from './diff.ts'

/**
 * Who has to approve a change: the owners of each described resource on which it gives any identity access, by the inventories of both
 * sides. Access that no owner can approve is for a fallback: to resources that had no owners, and to all that is not described.
 */

/** Access that takes an approval. Its identities, actions and resources may be patterns where it reaches what is not described. */
export interface AccessToApprove extends Omit<DescribedChange, 'isPast'> {
  /** Whether the change gives or takes it. */
  readonly side: 'gained' | 'lost'
  /** It reaches resources that are not described. */
  readonly isOpen: boolean
}

export interface Approval {
  readonly owner: string
  readonly access: readonly AccessToApprove[]
}

export interface Approvals {
  /** Those of the owners, sorted by name. */
  readonly owners: readonly Approval[]
  /** Access that no owner approves. */
  readonly others: readonly AccessToApprove[]
  /** Patterns at which it was given up, or facts: there may be more. */
  readonly undecided: readonly string[]
}

export interface ApprovalOptions {
  /** The name of the access: `lost` where the worlds are in reverse order. */
  readonly side?: AccessToApprove['side']
  readonly actions: ActionsByType
  /** The instants that count. */
  readonly time: Formula
  readonly run: Budget
}

/** The approvals that new access takes: that which the second world allows and the first does not. `difference`: of the two. */
export function approvalsFor(before: World, after: World, difference: Difference, options: ApprovalOptions): Approvals {
  return new ApprovalSearch(before, after, options).find(difference.gained, difference.described?.gained ?? [], [
    ...difference.undecided.flatMap(({ side, culprits }) => (side === 'gained' ? culprits : [])),
    ...(difference.described?.undecided ? ['the changes of described resources'] : []),
  ])
}

/** The steps of the run that narrowing a policy to one resource takes. */
const stepsOfPolicy = 250

class ApprovalSearch {
  private readonly worlds: readonly [World, World]
  private readonly options: ApprovalOptions
  private readonly lookups = new Lookups()
  private readonly known: ReadonlySet<string>
  private readonly byClass = new Map<readonly World[], Map<string, Outcome>>()
  private readonly keep = new Memo().keep
  private readonly names = lazy(() => namesIn(this.worlds))
  /** The groups of the identities of each world: the same map where both worlds have the same. */
  private readonly groups: readonly [Side['groups'], Side['groups']]
  /** The worlds with the policies that can decide what is new; undefined where it takes all. */
  private readonly narrowed: readonly [World, World] | undefined

  constructor(before: World, after: World, options: ApprovalOptions) {
    ;[this.worlds, this.options] = [[before, after], options]
    this.known = new Set(knownNamesIn([before, after]).resources)
    const identities = [...before.identities.keys(), ...after.identities.keys()]
    const [old, now] = [groupsIn(before), groupsIn(after)]
    const isRegrouped = identities.some((urn) => hasOtherGroups(urn, this.worlds))
    this.groups = isRegrouped ? [old, now] : [old, old]
    this.narrowed = isRegrouped ? undefined : decisive(before, after)
  }

  find(regions: readonly DiffRegion[], changes: readonly DescribedChange[], undecided: readonly string[]): Approvals {
    const open = new Set(undecided)
    const { side = 'gained' } = this.options
    const byOwner = new Map<string, AccessToApprove[]>()
    const others: AccessToApprove[] = []
    const gained = new Map<string, Outcome>()
    // Without a region there is no new access at all.
    const patterns = regions.flatMap(({ resources }) => resources)
    const hasSteps = !this.options.run.isSpent
    const isNear = (urn: string) => patterns.some(({ pattern, type, name }) => isIn(urn, pattern, type, name))
    for (const urn of regions.length > 0 || changes.length > 0 ? this.known : []) {
      const isChanged = changes.some(({ resources }) => resources.includes(urn))
      this.options.run.left -= patterns.length
      if (!isChanged && !isNear(urn)) continue
      const outcome = this.newAccessTo(urn)
      if (outcome.kind === 'undecided') for (const culprit of outcome.culprits) open.add(culprit)
      if (outcome.kind !== 'none') gained.set(urn, outcome)
      // All that follows would be undecided as well, after as much work.
      if (hasSteps && this.options.run.isSpent) {
        open.add(urn)
        break
      }
    }
    const add = (access: AccessToApprove) => {
      const byOwners = new Map<string, string[]>()
      for (const urn of access.resources) for (const owner of this.ownersOf(urn)) byOwners.set(owner, [...(byOwners.get(owner) ?? []), urn])
      for (const [owner, resources] of byOwners) byOwner.set(owner, [...(byOwner.get(owner) ?? []), { ...access, resources }])
      // Owners whom only the change names are not the only ones to approve it.
      const unowned = access.resources.filter((urn) => (this.earlier.resources.get(urn)?.owners ?? []).length === 0)
      if (unowned.length > 0) others.push({ ...access, resources: unowned })
    }
    const shown = new Set<string>()
    for (const { isPast: _, ...change } of changes) {
      for (const urn of change.resources) shown.add(urn)
      add({ ...change, side, isOpen: false })
    }
    // Access of identities that are not described, to resources that are.
    for (const [urn, outcome] of gained) {
      if (shown.has(urn) || outcome.kind !== 'new') continue
      const { region, certain } = outcome.newAccess
      const witness = { ...witnessOf(outcome.newAccess), resource: urn }
      const causes =
        regions.find(({ resources }) => resources.some(({ pattern, type, name }) => isIn(urn, pattern, type, name)))?.causes ?? []
      const [first = this.options.time, ...rest] = region.formulas
      const condition = rest.reduce(conjunction, first)
      add({
        side,
        identities: [witness.identity],
        actions: [witness.action],
        resources: [urn],
        condition,
        certain,
        witness,
        causes,
        isOpen: false,
      })
    }
    for (const region of regions) {
      const isWhole = region.isDescribed === true && region.resources.every(({ pattern }) => this.known.has(pattern))
      if (isWhole || region.isPast) continue
      const { identities, actions, condition, certain, witness, causes } = region
      const resources = region.resources.map(({ pattern }) => pattern)
      others.push({ side, identities, actions, resources, condition, certain, witness, causes, isOpen: true })
    }
    const owners = [...byOwner].map(([owner, access]) => ({ owner, access })).sort((a, b) => (a.owner < b.owner ? -1 : 1))
    return { owners, others, undecided: [...open] }
  }

  /** The state before the change: the second one where the worlds are in reverse order. */
  private get earlier(): World {
    return this.worlds[this.options.side === 'lost' ? 1 : 0]
  }

  /** The owners of a resource on both sides: a change takes no owner out of the approval of that change. */
  private ownersOf(urn: string): readonly string[] {
    return [...new Set(this.worlds.flatMap(({ resources }) => resources.get(urn)?.owners ?? []))]
  }

  /** Whether any identity has new access to a described resource, with the actions about its type. */
  private newAccessTo(urn: string): Outcome {
    const few = this.narrowed && !hasOtherFacts(urn, this.worlds) ? this.newAccessIn(this.narrowed, urn) : undefined
    if (few && (few.kind !== 'new' || isExact(few.newAccess, this.names()))) return few
    return this.newAccessIn(this.worlds, urn)
  }

  /** The same by the policies of two worlds. Resources that are alike are asked once. */
  private newAccessIn(worlds: readonly [World, World], urn: string): Outcome {
    const about = worlds.map((world) => this.lookups.indexOf(world).among(undefined).about(urn, {}))
    const key = keyOf(
      about.map((each) => each.key),
      typeAndName(urn).type,
    )
    const byClass = madeIn(this.byClass, worlds, () => new Map<string, Outcome>())
    return madeIn(byClass, key, () => {
      for (const { policies } of about) this.options.run.left -= policies.length * stepsOfPolicy
      const [first, second] = worlds.map(
        (world, i): World => ({ ...world, policies: (about[i]?.policies ?? []).map((number) => world.policies[number] as Policy) }),
      ) as [World, World]
      const [here, there] = [this.sideOn(urn, first, second, this.groups[0]), this.sideOn(urn, second, first, this.groups[1])]
      return here && there ? firstNewAccess(there, here, { run: this.options.run }) : { kind: 'none' }
    })
  }

  /** One side of the comparison, as far as it is about a resource with the tags that the side describes. */
  private sideOn(urn: string, world: World, other: World, groups: Side['groups']): Side | undefined {
    const [like] = [...world.policies, ...other.policies]
    const resource = readResource(urn, { pattern: false }).value
    if (!like || !resource) return undefined
    const { span } = like.name
    const actions = this.options.actions.of(typeAndName(urn).type)
    const everyAction = actions.length > 0 ? actions : ['*']
    const everybody = { text: '*', region: '*', kind: 'user', account: undefined, name: '*', glob: glob('*') } as const
    const box: Policy = {
      name: like.name,
      identities: [{ value: everybody, span }],
      resources: [{ value: resource, span }],
      permissions: { allow: everyAction.map((action) => ({ value: glob(action), span })), except: [], deny: [] },
      permissionsGroups: [],
      readOnly: false,
      span,
      node: like.node,
    }
    const boxes = statementsOf({ ...world, policies: [box] }, world)
    const statements = statementsOf(world, [other], this.keep)
    const met = (statements: readonly Statement[]) =>
      statements.flatMap((statement) =>
        boxes.flatMap((each): Statement[] => {
          const common = meetStatements(statement, each)
          if (common.actions.length === 0 || common.boxes.length === 0) return []
          const formula = settled(statement.formula, (test) => truthFor(test, urn, world, { groups: [] }))
          return [{ ...statement, ...common, formula, key: keyOf(statement.key, urn, printFormula(formula)) }]
        }),
      )
    const timed = (statement: Statement): Statement => ({ ...statement, formula: conjunction(statement.formula, this.options.time) })
    return { allows: indexOf(met(statements.filter(isAllow)).map(timed)), denies: indexOf(met(statements.filter(isDeny))), groups }
  }
}

/**
 * Two worlds that have the same groups of identities, with only the policies that can decide what the second allows beyond the first;
 * undefined where it takes all. Where no denial is taken away, new access is that of changed policies, to the identities they name.
 */
function decisive(before: World, after: World): readonly [World, World] | undefined {
  if (![before, after].every(({ policies }) => policies.every(isAlone))) return undefined
  const [oldTexts, newTexts] = [before, after].map(({ policies }) => policies.map(policyKey)) as [string[], string[]]
  const [inOld, inNew] = [new Set(oldTexts), new Set(newTexts)]
  if (before.policies.some(({ permissions: { deny } }, i) => deny.length > 0 && !inNew.has(oldTexts[i] as string))) return undefined
  const changed = after.policies.filter((_, i) => !inOld.has(newTexts[i] as string))
  const named = changed.flatMap(({ identities }) => identities.map(({ value }) => value.text))
  const members = new Set(named.flatMap((text) => [text, ...(before.identities.get(text)?.groups ?? [])]))
  const counts = ({ identities }: Policy) => identities.some(({ value }) => isPattern(value.glob) || members.has(value.text))
  const narrowed = (world: World): World => ({ ...world, policies: world.policies.filter(counts) })
  return [narrowed(before), narrowed(after)]
}

function groupsIn({ identities }: World): Side['groups'] {
  return new Map([...identities].map(([urn, { groups }]) => [urn, groups]))
}

/** The identities and actions that policies of two worlds name. */
function namesIn(worlds: readonly World[]) {
  const policies = worlds.flatMap((world) => world.policies)
  return {
    identities: new PatternList(policies.flatMap(({ identities }) => identities.map(({ value }) => value.glob))),
    actions: new PatternList(
      policies.flatMap(({ permissions: { allow, except, deny } }) => [...allow, ...except, ...deny].map(({ value }) => value)),
    ),
  }
}

/**
 * Whether an example of some access is the same where all policies are looked at: no other one distinguishes the strings that its wildcards are
 * filled with from other strings.
 */
function isExact(newAccess: NewAccess, { identities, actions }: ReturnType<typeof namesIn>): boolean {
  const { caller, action } = newAccess.region
  const who = caller.self ?? caller.groups[0]
  const witness = witnessOf(newAccess)
  const isFilled = (pattern: Glob, text: string, all: PatternList) =>
    pattern.text === text || (matches(pattern, text) && all.matching(text).every((other) => covers(other, pattern)))
  return who !== undefined && isFilled(who, witness.identity, identities) && isFilled(action, witness.action, actions)
}

/** Whether a resource is in a pattern, and in patterns for its type and its name where there are some. */
function isIn(urn: string, pattern: string, type: string | undefined, name: string | undefined): boolean {
  const parts = typeAndName(urn)
  const fits = (text: string | undefined, value: string) =>
    text === undefined || (isPattern(glob(text)) ? matches(glob(text), value) : text === value)
  return fits(pattern, urn) && fits(type, parts.type) && fits(name, parts.name)
}
