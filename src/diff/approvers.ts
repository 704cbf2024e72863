import type { Budget } from '../budget.ts'
import { glob, isPattern, matches } from '../glob.ts'
import { keyOf } from '../keys.ts'
import type { Policy, World } from '../policy.ts'
import { firstNewAccess, type Outcome } from '../symbolic/covers.ts'
import { type ActionsByType, knownNamesIn, Lookups } from '../symbolic/described.ts'
import { conjunction, type Formula, printFormula, settled } from '../symbolic/formula.ts'
import { truthFor } from '../symbolic/known.ts'
import { indexOf, type Side, sideOf } from '../symbolic/side.ts'
import { meetStatements, type Statement, statementsOf } from '../symbolic/statements.ts'
import { witnessOf } from '../symbolic/witness.ts'
import { readResource, typeAndName } from '../urn/resource.ts'
import type { DescribedChange } from './described.ts'
import type { Difference, DiffRegion } from './diff.ts'

/**
 * Who has to approve a change: the owners of each described resource on which it gives any identity access, by the inventories of both
 * sides. Access that no owner can approve is for a fallback: to resources without owners, and to all that is not described.
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
  private readonly byClass = new Map<string, Outcome>()

  constructor(before: World, after: World, options: ApprovalOptions) {
    ;[this.worlds, this.options] = [[before, after], options]
    this.known = new Set(knownNamesIn([before, after]).resources)
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
      const unowned = access.resources.filter((urn) => this.ownersOf(urn).length === 0)
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

  /** The owners of a resource on both sides: a change takes no owner out of the approval of that change. */
  private ownersOf(urn: string): readonly string[] {
    return [...new Set(this.worlds.flatMap(({ resources }) => resources.get(urn)?.owners ?? []))]
  }

  /** Whether any identity has new access to a described resource, with the actions about its type. Resources that are alike are asked once. */
  private newAccessTo(urn: string): Outcome {
    const about = this.worlds.map((world) => this.lookups.indexOf(world).among(undefined).about(urn, {}))
    const key = keyOf(
      about.map((each) => each.key),
      typeAndName(urn).type,
    )
    const cached = this.byClass.get(key)
    if (cached) return cached
    for (const { policies } of about) this.options.run.left -= policies.length * stepsOfPolicy
    const narrow = this.worlds.map(
      (world, i): World => ({
        ...world,
        policies: (about[i]?.policies ?? []).map((number) => world.policies[number] as Policy),
      }),
    ) as [World, World]
    const [first, second] = narrow
    const sides = [this.sideOn(urn, first, second), this.sideOn(urn, second, first)] as const
    const [old, now] = sides
    const outcome: Outcome = old && now ? firstNewAccess(now, old, { run: this.options.run }) : { kind: 'none' }
    this.byClass.set(key, outcome)
    return outcome
  }

  /** One side of the comparison, as far as it is about a resource with the tags that the side describes. */
  private sideOn(urn: string, world: World, other: World): Side | undefined {
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
    const side = sideOf(world, [other])
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
    return { ...side, allows: indexOf(met(side.allows.statements).map(timed)), denies: indexOf(met(side.denies.statements)) }
  }
}

/** Whether a resource is in a pattern, and in patterns for its type and its name where there are some. */
function isIn(urn: string, pattern: string, type: string | undefined, name: string | undefined): boolean {
  const parts = typeAndName(urn)
  const fits = (text: string | undefined, value: string) =>
    text === undefined || (isPattern(glob(text)) ? matches(glob(text), value) : text === value)
  return fits(pattern, urn) && fits(type, parts.type) && fits(name, parts.name)
}
