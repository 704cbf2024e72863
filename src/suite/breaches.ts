import { type Budget, unlessUndecided } from '../budget.ts'
import { glob, isPattern, matches, overlaps } from '../glob.ts'
import { keyOf } from '../keys.ts'
import type { Policy, World } from '../policy.ts'
import { explain } from '../simulate/decide.ts'
import type { Explanation, Question } from '../simulate/decision.ts'
import type { Span } from '../source.ts'
import { firstNewAccess, type Outcome } from '../symbolic/covers.ts'
import { allOf, type Formula } from '../symbolic/formula.ts'
import { indexOf, type Side, withStatements } from '../symbolic/side.ts'
import type { Statement } from '../symbolic/statements.ts'
import { witnessOf } from '../symbolic/witness.ts'
import { answersAgainst, boxStatements, everythingFor, meeting, type Part, type ProofContext, partsOf, sideFor } from './prove.ts'
import type { Claim } from './suite.ts'

/**
 * Where a claim is broken: `prove` finds one question that is answered against it, this every entry by which such a question
 * is. An entry breaks `never` and `only` where something that it grants, and nothing denies, is against the claim, and `always`
 * where it denies a part of what is claimed.
 */
export interface Breach {
  /** The policy and the entry; undefined where nothing grants what should always be allowed. */
  readonly at: { readonly policy: Policy; readonly span: Span; readonly inGroup?: Span } | undefined
  readonly found:
    | { readonly kind: 'refuted'; readonly question: Question; readonly explanation: Explanation; readonly when: Formula }
    /** The facts or patterns that it depends on. */
    | { readonly kind: 'undecided'; readonly culprits: readonly string[] }
}

/** How many entries are looked at for one claim, and the steps for each: past them the rest is undecided. */
const [mostEntries, mostSteps] = [2000, 10_000]

/** Every entry that breaks a claim, each once, in the order of the policies. */
export function breachesOf(claim: Claim, context: ProofContext): readonly Breach[] {
  const { world } = context
  const byPlace = new Map<string, Breach>()
  const originals = new Map(world.policies.map((policy) => [policy.span, policy]))
  const budget = { left: mostEntries }
  const add = (breach: Breach) => {
    const { at } = breach
    const key = at ? keyOf(at.span.source.path, at.span.start, at.policy.span.source.path, at.policy.span.start) : ''
    if (byPlace.get(key)?.found.kind !== 'refuted' && !(byPlace.has(key) && breach.found.kind === 'undecided')) byPlace.set(key, breach)
  }
  for (const part of partsOf(claim, world)) {
    const { side, world: seen } = sideFor(part, context)
    for (const { statement, spans, inGroup, outcome } of searches(part, side, seen, budget, context.run)) {
      const result = judged(outcome, claim, part, world)
      if (!result) continue
      const policy = statement && (originals.get(statement.policy.span) ?? statement.policy)
      if (!policy) add({ at: undefined, found: result })
      else for (const span of spansIn(policy, part, spans)) add({ at: { policy, span, ...(inGroup && { inGroup }) }, found: result })
    }
  }
  if (budget.left < 0) add({ at: undefined, found: { kind: 'undecided', culprits: [`more than ${mostEntries} entries to look at`] } })
  return [...byPlace.values()]
}

interface Searched {
  readonly statement: Statement | undefined
  readonly spans: readonly Span[]
  readonly inGroup: Span | undefined
  readonly outcome: Outcome
}

function* searches(part: Part, side: Side, world: World, budget: { left: number }, run: Budget): Iterable<Searched> {
  const search = (a: Side, b: Side): Outcome => firstNewAccess(a, b, { budget: mostSteps, run })
  const box = boxStatements(part, world)
  const none = indexOf([])
  if (part.kind === 'always') {
    const claimed: Side = { allows: indexOf(box), denies: none, groups: side.groups }
    for (const each of entriesIn(side.denies.statements, part, box, budget))
      yield { ...each, outcome: search(claimed, { ...claimed, denies: indexOf([each.piece]) }) }
    yield { statement: undefined, spans: [], inGroup: undefined, outcome: search(claimed, { ...side, denies: none }) }
    return
  }
  // A request that is granted, and would not be if the box were denied, is granted in the box.
  const denied = box.map((each): Statement => ({ ...each, effect: 'deny', key: `claim ${each.key}` }))
  const others: Side = { allows: indexOf([everythingFor(part)]), denies: none, groups: side.groups }
  for (const each of entriesIn(side.allows.statements, part, box, budget)) {
    const granted = { ...side, allows: indexOf([each.piece]) }
    const outcome =
      part.kind === 'only'
        ? (each.problem ?? search({ ...side, allows: indexOf(each.met) }, others))
        : search(granted, withStatements(granted, denied))
    yield { ...each, outcome }
  }
}

interface Entry extends Omit<Searched, 'outcome'> {
  /** The statement with this entry alone, and its part in the box. */
  readonly piece: Statement
  readonly met: readonly Statement[]
  /** Why its part in the box is not known. */
  readonly problem: Outcome | undefined
}

/** The entries of statements that have a part in the box: of actions, and of identities where the claim is about these. */
function* entriesIn(
  statements: readonly Statement[],
  part: Part,
  box: readonly Statement[],
  budget: { left: number },
): Iterable<Entry & { readonly statement: Statement }> {
  const isNear = nearness(part, box)
  for (const statement of statements) {
    if (!isNear(statement)) continue
    const byIdentity = part.kind === 'only'
    const pieces = byIdentity
      ? statement.identities.map((each) => ({ ...statement, identities: [each] }))
      : statement.actions.map((each) => ({ ...statement, actions: [each] }))
    for (const piece of pieces) {
      let problem: Outcome | undefined
      const met = unlessUndecided(
        () => box.flatMap((each) => meeting(piece, each)),
        (culprits): readonly Statement[] => {
          problem = { kind: 'undecided', culprits }
          return []
        },
      )
      if (met.length === 0 && !problem) continue
      if (budget.left-- <= 0) return
      const written = (byIdentity ? piece.identities[0]?.span : piece.actions[0]?.span) ?? statement.policy.span
      const reference = statement.policy.permissionsGroups.find(({ value }) => value.text === statement.group)?.span
      const isElsewhere = !byIdentity && reference !== undefined
      yield { statement, spans: [isElsewhere ? reference : written], inGroup: isElsewhere ? written : undefined, piece, met, problem }
    }
  }
}

const anyGroup = glob('urn:v1:*:identity:group:*')

/**
 * Whether a statement can have a part in the box, by what is quick to see: one that names none of its actions has none, nor one
 * for users alone of whom none is in the box. Members of groups may be anybody.
 */
function nearness({ kind, caller, box: { identities } }: Part, box: readonly Statement[]): (statement: Statement) => boolean {
  const actions = box.flatMap((each) => each.actions.map(({ value }) => value))
  const byText = new Map<string, boolean>()
  const hasAction = ({ value }: Statement['actions'][number]) => {
    const known = byText.get(value.text) ?? actions.some((action) => overlaps(action, value))
    byText.set(value.text, known)
    return known
  }
  const mayBeGroup = identities.some(({ value }) => overlaps(value.glob, anyGroup))
  const isInBox = ({ value }: Statement['identities'][number]) =>
    mayBeGroup ||
    isPattern(value.glob) ||
    !(value.kind === 'user' || value.kind === 'credential') ||
    identities.some((each) => matches(each.value.glob, value.text))
  const byIdentity = kind !== 'only' && !caller
  return (statement) => statement.actions.some(hasAction) && (!byIdentity || statement.identities.some(isInBox))
}

/** For an identity whose groups are known, each entry by which the policy is about it. */
function spansIn({ identities }: Policy, { kind, caller }: Part, spans: readonly Span[]): readonly Span[] {
  if (kind !== 'only' || !caller) return spans
  const about = identities.filter(({ value }) => caller.members.some((member) => matches(value.glob, member)))
  return about.length > 0 ? about.map(({ span }) => span) : spans
}

function judged(outcome: Outcome, claim: Claim, part: Part, world: World): Breach['found'] | undefined {
  if (outcome.kind === 'none') return undefined
  if (outcome.kind === 'undecided') return outcome
  const { newAccess } = outcome
  if (!newAccess.certain) return { kind: 'undecided', culprits: [...newAccess.model.assumed.keys()] }
  const witness = witnessOf(newAccess)
  const question = part.caller ? { ...witness, groups: part.caller.given } : witness
  const explanation = explain(world, question)
  if (!answersAgainst(claim, part, question, explanation, world))
    return { kind: 'undecided', culprits: ['a counterexample that the simulator does not confirm'] }
  return { kind: 'refuted', question, explanation, when: allOf(newAccess.region.formulas) }
}
