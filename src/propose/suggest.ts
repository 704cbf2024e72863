import { Budget } from '../budget.ts'
import { groupedBy } from '../collections.ts'
import { editsOf, policyKey } from '../diff/causes.ts'
import { type DescribedDifference, describedDifference } from '../diff/described.ts'
import { type Difference, type DiffRegion, diff, type Except } from '../diff/diff.ts'
import { glob } from '../glob.ts'
import { Memo, type Memoize } from '../memo.ts'
import { noFacts } from '../parser/read.ts'
import { buildWorld } from '../parser/world.ts'
import type { Policy, World } from '../policy.ts'
import { decide, explain } from '../simulate/decide.ts'
import type { Decision, Lift, Question, Trace, Verdict } from '../simulate/decision.ts'
import { traces } from '../simulate/reference.ts'
import type { Source } from '../source.ts'
import { type ActionsByType, isRoot, type KnownNames, knownNamesIn, Lookups, whenAllowed } from '../symbolic/described.ts'
import { always, type Formula, isAlways, noneOf, notBefore, satisfy, tooMany, withTime } from '../symbolic/formula.ts'
import { regions } from '../symbolic/regions.ts'
import { simplified } from '../symbolic/simplify.ts'
import { type Change, nextChange } from '../symbolic/windows.ts'
import { readIdentity } from '../urn/identity.ts'
import { readResourcePattern } from '../urn/resource.ts'
import { emptyWorld } from '../world.ts'
import { type Pairs, writeMembership } from './members.ts'
import { applied, type Edit, type Plan } from './plan.ts'
import { plansToAllow, plansToDeny, plansToEnd } from './plans.ts'
import { addPolicy, type File, type Read, rewrite } from './write.ts'

export type { Edit } from './plan.ts'

/** The wanted answer. */
export type Wish = 'allow' | 'deny'

/** A file that changes: `before` is undefined where it is new, `after` where nothing is left of it. */
export interface Changed {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

export interface Suggestion {
  readonly edits: readonly Edit[]
  readonly files: readonly Changed[]
  /** The answer to the question by the files as they would be. */
  readonly decision: Decision
  /** When it would be as wished, from the instant of the question on; undefined: always. */
  readonly when: Formula | undefined
  /**
   * All other changes from the instant of the question on, exactly: the access that any identity gets or loses, apart from the
   * identity's own action on the resource, in any context. `same` is a proof that there is nothing else. With the changes for
   * described names.
   */
  readonly others: Difference & { readonly described: DescribedDifference }
}

export interface Suggested {
  /** The answer at `at`. */
  readonly today: Decision
  /**
   * The instant of the question; for a question over all times where its answer is as wished then and not at all times, the first at
   * which it is not, or one at which it is not known.
   */
  readonly at: number
  readonly wish: Wish
  /** When it is allowed; undefined for a question about one instant. */
  readonly when: Formula | undefined
  /** For a question over all times: when the answer becomes as wished without an edit. */
  readonly change: Change | undefined
  /**
   * `already`: the answer is as wished. `unknown`: it depends on facts that were not given, and these come first. `root`:
   * the owning account cannot be denied anything. `edits`: see `suggestions`.
   */
  readonly kind: 'already' | 'unknown' | 'root' | 'edits'
  /**
   * Those that change the least else come first. Where none brings what is wished: those that end a denial, after which the
   * answer is unknown.
   */
  readonly suggestions: readonly Suggestion[]
  /** The files that an edit could not be written into. */
  readonly unwritten: readonly string[]
  /** Policies that would allow it if their condition held, which the facts of the question speak against. */
  readonly conditional: readonly Trace[]
  /** A group whose members are allowed, or perhaps. */
  readonly membership: Lift | undefined
}

export interface SuggestOptions {
  /** The actions that are counted for each resource that is described. */
  readonly actions: ActionsByType
  /** The question is about all times from its instant on. Otherwise it is about this instant. */
  readonly allTimes?: boolean
  /** The action, or the URN of a resource, that a misspelt one probably means; undefined for one that is known, or of which that cannot be said. */
  readonly intended: (text: string) => string | undefined
  /** Hypothetical changes on top of the files. */
  readonly suppose?: (world: World) => World
  /** The budget of the whole run; by default a new one. */
  readonly run?: Budget
}

/** How many suggestions are given, and how many are computed. */
const [mostGiven, mostTried] = [5, 24]
/** How many steps the comparison of one suggestion may take on each side. */
const budget = 20_000

/**
 * The smallest edits that turn the answer to a question, each tried on the files as they would be, with all else that it
 * changes. `world` is that of the files, which must be without errors, and with what is supposed.
 */
export async function suggest(
  files: readonly File[],
  world: World,
  asked: Question,
  wish: Wish | undefined,
  read: Read,
  options: SuggestOptions,
): Promise<Suggested> {
  const allowed = options.allTimes ? whenQuestion(world, asked) : undefined
  const now = decide(world, asked)
  const to = wish ?? (now.verdict === 'allow' ? 'deny' : 'allow')
  const until = allowed && now.verdict === to ? nextChange(allowed, asked.at, { to: to === 'deny' }) : undefined
  const open = allowed && now.verdict === to && !until ? whenOpen(allowed, asked.at, to) : undefined
  const question = { ...asked, at: until?.at ?? open ?? asked.at }
  const explanation = explain(world, question)
  const today = explanation.decision
  const isEdited = today.verdict !== to && today.verdict !== 'unknown' && today.reason !== 'root'
  const change = allowed && isEdited ? nextChange(allowed, question.at, { to: to === 'allow' }) : undefined
  const answer = (kind: Suggested['kind'], suggestions: readonly Suggestion[] = [], unwritten: readonly string[] = []): Suggested => ({
    today,
    at: question.at,
    wish: to,
    when: allowed && simplified(allowed, notBefore(asked.at)),
    change,
    kind,
    suggestions,
    unwritten,
    conditional: kind === 'edits' && to === 'allow' ? heldByConditions(world, question, change) : [],
    membership: kind === 'edits' && to === 'allow' ? explanation.lift : undefined,
  })
  if (today.verdict === to) return answer('already')
  if (today.verdict === 'unknown') return answer('unknown')
  if (today.reason === 'root') return answer('root')
  const asking = { ...question, isMoment: !options.allTimes, intended: options.intended }
  const plans = (to === 'allow' ? plansToAllow : plansToDeny)(world, asking, today)
  const aside = pointOf(question, (files[0] as File).source)
  const before = withPolicies(world, aside)
  const { keep } = new Memo()
  const context: Context = {
    files,
    world,
    question,
    wish: to,
    read,
    options,
    from: asked.at,
    aside,
    before,
    things: knownNamesIn([before]),
    lookups: new Lookups(),
    keep,
    byContent: groupedBy(before.policies, (policy) => keep(policyKey, policy)),
    run: options.run ?? new Budget(),
    reached: to,
    unwritten: new Set(),
  }
  const tried = plans.slice(0, mostTried)
  // A policy that only denies goes only where nothing smaller will do.
  const isLast = ({ edits }: Plan) => edits.some(removesGuard)
  let drafts = await best(
    tried.filter((plan) => !isLast(plan)),
    context,
  )
  if (drafts.length === 0) drafts = await best(tried.filter(isLast), context)
  if (drafts.length === 0 && to === 'allow') {
    const ends = plansToEnd(world, asking, today).slice(0, mostTried)
    drafts = await best(ends, { ...context, reached: 'unknown' })
  }
  const suggestions = drafts.map((draft) => compared(draft, context))
  return answer(
    'edits',
    suggestions.sort((a, b) => compare(weights(a, to), weights(b, to))),
    [...context.unwritten],
  )
}

/**
 * The plans that can be carried out and change the least for described things; of equal ones the first. What looks narrow is
 * tried first, since the others are compared only as far as they change no more.
 */
async function best(plans: readonly Plan[], context: Context): Promise<readonly Draft[]> {
  let drafts: readonly { readonly draft: Draft; readonly place: number; readonly key: string }[] = []
  const placesByKey = new Map<string, number>()
  for (const [place, plan] of [...plans.entries()].sort(([, a], [, b]) => reachOf(a) - reachOf(b))) {
    const last = drafts.length < mostGiven ? undefined : drafts.at(-1)
    const worst = last?.draft
    // Whatever it changes, it would not be among the best.
    if (last && compare([...leastWeights(plan.edits, context.wish), place], [...firstWeights(last.draft, context.wish), last.place]) > 0)
      continue
    // A plan that keeps a deny is given before one that does not, whatever else the two change.
    const isBehind = worst !== undefined && denyWeight(plan.edits, context.wish) >= denyWeight(worst.edits, context.wish)
    const draft = await carriedOut(plan, context, isBehind ? worst : undefined)
    const key = draft && JSON.stringify(draft.files.map(changeKey))
    if (!draft || key === undefined || (placesByKey.get(key) ?? place) < place) continue
    placesByKey.set(key, place)
    drafts = [...drafts.filter((each) => each.key !== key), { draft, place, key }]
      .sort((a, b) => compare([...firstWeights(a.draft, context.wish), a.place], [...firstWeights(b.draft, context.wish), b.place]))
      .slice(0, mostGiven)
  }
  return drafts.map(({ draft }) => draft)
}

/** The change of a file: where it begins, and what is put there. Texts as a whole would take as much memory as the files, for each plan. */
function changeKey({ path, before = '', after }: Changed): readonly unknown[] {
  if (after === undefined) return [path]
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start++
  let end = 0
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  return [path, start, end, after.slice(start, after.length - end)]
}

/** An estimate of how much a plan changes other than the asked access. */
function reachOf({ edits }: Plan): number {
  const reach = ({ kind }: Edit) =>
    kind === 'leave' || kind === 'join' ? 100 : kind === 'remove' || kind === 'remove-policy' ? 10 : kind === 'add' ? 1 : 0
  return edits.reduce((sum, edit) => sum + reach(edit), 0)
}

function removesGuard({ kind, policy }: Edit): boolean {
  return kind === 'remove-policy' && policy !== undefined && policy.permissions.allow.length + policy.permissionsGroups.length === 0
}

/** When a question is allowed, over all times; the facts that are given with it stay as they are. */
function whenQuestion(world: World, question: Question): Formula {
  const { at: _, ...timeless } = question
  const owned = question.owner === undefined ? world : { ...world, resources: new Map(), account: question.owner }
  if (isRoot(owned, question.identity, question.resource)) return always
  const all = regions(world, timeless)
  const of = (effect: 'allow' | 'deny') => all.filter((region) => region.effect === effect)
  return whenAllowed({ allows: of('allow'), denies: of('deny'), isRoot: false }, question.action)
}

/** An instant at which facts that are not given may bring another answer than the one that is wished; undefined where none is found. */
function whenOpen(allowed: Formula, from: number, wish: Wish): number | undefined {
  const model = satisfy(withTime([wish === 'allow' ? noneOf(allowed) : allowed], notBefore(from)))
  return model === undefined || model === tooMany ? undefined : model.at
}

interface Context {
  readonly files: readonly File[]
  readonly world: World
  readonly question: Question
  readonly wish: Wish
  readonly read: Read
  readonly options: SuggestOptions
  /** Changes from this instant on count. */
  readonly from: number
  /** Denies just what is asked: with it on both sides, a comparison shows everything else. */
  readonly aside: Policy
  /** The world with it, and the things in that. */
  readonly before: World
  readonly things: KnownNames
  readonly lookups: Lookups
  readonly keep: Memoize
  /** The policies of the world by all that counts of them but their names. */
  readonly byContent: ReadonlyMap<string, readonly Policy[]>
  readonly run: Budget
  /** The verdict that an edit has to bring. */
  readonly reached: Verdict
  /** The files that an edit could not be written into. */
  readonly unwritten: Set<string>
}

/** A suggestion that is not yet compared over all requests. */
interface Draft extends Omit<Suggestion, 'others'> {
  /** The world as it would be. Policies that stay are those of the world as it is: of files that change, all others are not kept. */
  readonly after: World
  /** The names of these policies, at their places in the files as they would be. */
  readonly names: ReadonlyMap<Policy, Policy['name']>
  readonly described: DescribedDifference
}

/** A plan as files, tried; undefined where it cannot be written, does not bring what is wished, or changes more than `worst`. */
async function carriedOut(plan: Plan, context: Context, worst: Draft | undefined): Promise<Draft | undefined> {
  const { files, world, question, wish, reached, read, options, from, before, unwritten } = context
  // First as it is understood, which is cheap.
  if (!plan.added && decide(applied(world, plan), question).verdict !== reached) return undefined
  const { files: rewritten, failed } = await rewrite(files, plan.revision, read)
  for (const { source } of failed) unwritten.add(source.path)
  if (failed.length > 0) return undefined
  const pairs: Pairs = [...rewritten]
  for (const membership of plan.memberships ?? []) if (!(await writeMembership(pairs, membership, read))) return undefined
  for (const added of plan.added ?? []) if (!(await addPolicy(pairs, added, read))) return undefined
  const { edited, after, names, isWrong } = worldsOf(
    pairs.map((pair) => pair.after),
    context,
  )
  const decision = decide(edited, question)
  if (decision.verdict !== reached || isWrong) return undefined
  const when = options.allTimes && reached === wish ? whenTurned(whenQuestion(edited, question), wish, from) : undefined
  if (worst && when && !worst.when) return undefined
  // The causes of a change are not searched: the cause is this plan.
  const edits = editsOf(emptyWorld, emptyWorld, [], context.run)
  const described = describedDifference(before, after, edits, {
    actions: options.actions,
    lookups: context.lookups,
    keep: context.keep,
    run: context.run,
    time: notBefore(from),
    things: plan.memberships ? knownNamesIn([before, after]) : context.things,
    ...(worst && !worst.described.undecided && Boolean(worst.when) === Boolean(when) && { most: sizeOf(worst.described) }),
  })
  if (described.isCut) return undefined
  return {
    edits: plan.edits,
    files: pairs.flatMap(({ before, after }) =>
      before === after ? [] : [{ path: (after ?? before)?.source.path ?? '', before: before?.source.text, after: after?.source.text }],
    ),
    decision,
    when,
    after,
    names,
    described,
  }
}

/** The world of files as they would be, without what is supposed and with it; and whether there is an error in them. */
function worldsOf(files: readonly (File | undefined)[], { options, aside, byContent }: Pick<Context, 'options' | 'aside' | 'byContent'>) {
  const { world, diagnostics } = buildWorld(files.map((file) => file?.read.facts ?? noFacts))
  const edited = options.suppose?.(world) ?? world
  const policies = known(edited.policies, byContent)
  const names = new Map(policies.map((policy, i) => [policy, (edited.policies[i] as Policy).name]))
  const after = withPolicies({ ...edited, policies }, aside)
  return { edited, after, names, isWrong: diagnostics.some(({ severity }) => severity === 'error') }
}

/** Policies, each as the known one that is the same, so that what was found of it need not be found again. */
function known(policies: readonly Policy[], byContent: Context['byContent']): readonly Policy[] {
  const used = new Set<Policy>()
  return policies.map((policy) => {
    const same = byContent.get(policyKey(policy))?.find((each) => each.name.value === policy.name.value && !used.has(each)) ?? policy
    used.add(same)
    return same
  })
}

/** When a question comes out as wished, from an instant on; undefined where that is always. */
function whenTurned(allowed: Formula, wish: Wish, from: number): Formula | undefined {
  const [turned, other] = wish === 'allow' ? [allowed, noneOf(allowed)] : [noneOf(allowed), allowed]
  const time = notBefore(from)
  return satisfy(withTime([other], time)) === undefined ? undefined : simplified(turned, time)
}

/** A suggestion with all else that it changes. */
function compared({ after, names, described, ...draft }: Draft, context: Context): Suggestion {
  const { before, from, aside, run, keep } = context
  const others = diff(before, after, { budget, run, within: { from }, found: described, keep })
  return {
    ...draft,
    others: {
      ...others,
      gained: others.gained.map((region) => placed(withoutAside(region, aside), ({ why }) => why !== 'already', names)),
      lost: others.lost.map((region) => placed(withoutAside(region, aside), ({ why }) => why === 'already', names)),
      described,
    },
  }
}

/** How many combinations of identity, action and resource change. */
function sizeOf({ gained, lost }: DescribedDifference): number {
  return [...gained, ...lost].reduce(
    (sum, { identities, actions, resources }) => sum + identities.length * actions.length * resources.length,
    0,
  )
}

/** How many of them change in any case: what opens under a condition alone is less. */
function unconditional({ gained, lost, ...rest }: DescribedDifference): number {
  const of = (list: DescribedDifference['gained']) => list.filter(({ condition }) => isAlways(condition))
  return sizeOf({ ...rest, gained: of(gained), lost: of(lost) })
}

/** The first weights of edits that bring what is wished at all times and change nothing else that is described. */
function leastWeights(edits: readonly Edit[], wish: Wish): readonly number[] {
  return firstWeights({ when: undefined, described: { gained: [], lost: [], undecided: false }, edits }, wish)
}

/** The weights of a suggestion, the most important first; the least is the best. */
function firstWeights({ when, described, edits }: Pick<Draft, 'when' | 'described' | 'edits'>, wish: Wish): readonly number[] {
  // A policy for the question alone changes nothing else.
  const isExact = edits.every(({ kind }) => kind === 'new-policy')
  return [
    denyWeight(edits, wish),
    when ? 1 : 0,
    described.undecided ? 1 : 0,
    correctionWeight(edits),
    sizeOf(described),
    unconditional(described),
    isExact ? 0 : 1,
    ...editWeights(edits),
  ]
}

function weights(suggestion: Suggestion, wish: Wish): readonly number[] {
  const { when, edits, others } = suggestion
  const isOpen = others.verdict === 'undecided' || others.undecided.length > 0
  return [
    denyWeight(edits, wish),
    when ? 1 : 0,
    isOpen ? 1 : 0,
    correctionWeight(edits),
    sizeOf(others.described),
    unconditional(others.described),
    regionWeight(others),
    ...editWeights(edits),
  ]
}

/** Edits that only exempt the asked request from a deny, as opposed to removing the deny. */
const sparing: readonly Edit['kind'][] = ['exclude', 'narrow', 'expand', 'leave']

/** Whether edits that are to allow something weaken a deny (1), remove one (2) or evade one (3): it was written on purpose. */
function denyWeight(edits: readonly Edit[], wish: Wish): number {
  if (wish === 'deny') return 0
  const weight = ({ kind, list, evades }: Edit) => {
    if (evades) return 3
    if (kind === 'remove-policy' || (kind === 'remove' && list === 'deny')) return 2
    return sparing.includes(kind) || (kind === 'remove' && list !== 'except') ? 1 : 0
  }
  return Math.max(0, ...edits.map(weight))
}

/** A misspelt entry is corrected rather than that another one is added: the first would stay, and grant nothing. */
const correctionWeight = (edits: readonly Edit[]) => (edits.some(({ kind }) => kind === 'correct') ? 0 : 1)

/** To edit a policy is less than to write one. */
const editWeights = (edits: readonly Edit[]) => [edits.filter(({ kind }) => kind === 'new-policy').length, edits.length]

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [i, weight] of a.entries()) if (weight !== b[i]) return weight - (b[i] as number)
  return 0
}

/** How wide regions are: wildcards and groups count for more than names. */
function regionWeight({ gained, lost }: Difference): number {
  const weight = (texts: readonly string[]) =>
    texts.reduce((sum, text) => sum + (text.includes('*') ? 5 : /:group:|:resourceGroup:/.test(text) ? 3 : 1), 0)
  return [...gained, ...lost].reduce(
    (sum, { identities, actions, resources }) =>
      sum + weight(identities) * weight(actions) * weight(resources.map(({ pattern }) => pattern)),
    0,
  )
}

function withPolicies(world: World, ...added: readonly Policy[]): World {
  return { ...world, policies: [...world.policies, ...added] }
}

/** A policy that denies just what is asked. */
function pointOf({ identity, action, resource }: Question, source: Source): Policy {
  const span = { source, start: 0, end: 0 }
  const who = readIdentity(identity, { pattern: false }).value
  const what = readResourcePattern(resource).value
  return {
    name: { value: 'the question', span },
    identities: who ? [{ value: who, span }] : [],
    resources: what ? [{ value: what, span }] : [],
    permissions: { allow: [], except: [], deny: [{ value: glob(action), span }] },
    permissionsGroups: [],
    readOnly: false,
    span,
    node: { kind: 'map', entries: [], ...span },
  }
}

function withoutAside(region: DiffRegion, aside: Policy): DiffRegion {
  // Also finds its witness: until then it holds on to both worlds.
  return { ...region, except: region.except.filter(({ policy }) => policy !== aside) }
}

/** A region with the places of policies in the files as they would be, for the exceptions that those make. */
function placed(region: DiffRegion, isOfEdited: (except: Except) => boolean, names: Draft['names']): DiffRegion {
  const except = region.except.map((each) => {
    const name = each.policy && isOfEdited(each) ? names.get(each.policy) : undefined
    return each.policy && name ? { ...each, policy: { ...each.policy, name } } : each
  })
  return { ...region, except }
}

/** The policies that only their condition keeps from allowing what is asked, apart from those that time alone brings back. */
function heldByConditions(world: World, question: Question, change: Change | undefined): readonly Trace[] {
  const later = change ? decide(world, { ...question, at: change.at }).clauses.map(({ policy }) => policy) : []
  return traces(world, question).filter(({ policy, stoppedAt }) => {
    if (stoppedAt !== 'condition' || later.includes(policy)) return false
    const { condition: _, ...free } = policy
    return decide({ ...world, policies: world.policies.map((each) => (each === policy ? free : each)) }, question).verdict === 'allow'
  })
}
