import type { Budget } from '../budget.ts'
import { type Difference, type DiffRegion, diff } from '../diff/diff.ts'
import type { World } from '../policy.ts'
import { decide } from '../simulate/decide.ts'
import type { Question, Verdict } from '../simulate/decision.ts'
import { whenAnswered } from '../symbolic/decision-interval.ts'
import { allOf, conjunction, type Formula, noneOf, notBefore, satisfy, tooMany, until, withTime } from '../symbolic/formula.ts'
import { simplified } from '../symbolic/simplify.ts'
import { readIdentity } from '../urn/identity.ts'

/** The access that was refused: actions of one identity, each on one resource, as the policies were asked about it. */
export interface RefusedAccess {
  readonly identity: string
  readonly questions: readonly Question[]
}

/** From when to when an edit is to allow it. Without `expires` it is to allow it permanently. */
export interface GrantTime {
  readonly from: number
  readonly expires: number | undefined
}

/**
 * How the difference between two worlds compares with refused access. `exact`: every request of that access is allowed, from first to
 * last, and nothing else differs. `narrower`: nothing else differs, and some of its requests remain denied. `wider`: something else
 * differs. `undecided`: there may be more than was found.
 */
export type ClaimKind = 'exact' | 'narrower' | 'wider' | 'undecided'

/** A question that was refused, before and after an edit. */
export interface Replayed {
  readonly question: Question
  readonly before: Verdict
  readonly after: Verdict
}

/** Part of refused access: at some times, from some addresses or with some tags. */
export interface Remaining {
  readonly question: Question
  /** Undefined: this cannot be said. */
  readonly when: Formula | undefined
}

export interface Claim {
  readonly kind: ClaimKind
  readonly difference: Difference
  /** New access that was not asked for. */
  readonly others: readonly DiffRegion[]
  readonly remaining: readonly Remaining[]
  /** The part of it that was allowed before as well. */
  readonly already: readonly Remaining[]
  /** The refused questions at the first and the last instant, and after it. */
  readonly replay: readonly Replayed[]
}

/** The instants of `replay`. An expiry is written in whole seconds, and still holds at its own. */
const instantsOf = ({ from, expires }: GrantTime) => [from, ...(expires === undefined ? [] : [expires, expires + 1000])]

/** Compare what differs between two worlds with the access that was refused. `complete`: completes the comparison by what the worlds do not say. */
export async function claimOf(
  before: World,
  after: World,
  access: RefusedAccess,
  time: GrantTime,
  { run, complete }: { readonly run: Budget; readonly complete: (difference: Difference) => Promise<Difference> },
): Promise<Claim> {
  const difference = await complete(diff(before, after, { within: { from: time.from }, run }))
  const isAsked = regionTest(access)
  const fits = difference.gained.map((region) => (isAsked(region) ? endsInTime(region, time) : false))
  const others = difference.gained.filter((_, i) => fits[i] !== true)
  const remaining = access.questions.flatMap((question) => partOf(after, question, time, 'denied'))
  const already = access.questions.flatMap((question) => partOf(before, question, time, 'allowed'))
  const isOpen =
    difference.verdict === 'undecided' ||
    difference.undecided.length > 0 ||
    (difference.taken ?? []).length > 0 ||
    (difference.deployment ?? []).length > 0 ||
    fits.includes(undefined) ||
    remaining.some(({ when }) => when === undefined)
  const isWider = fits.includes(false) || difference.lost.length > 0
  const replay = instantsOf(time).flatMap((at) =>
    access.questions.map((asked): Replayed => {
      const question = { ...asked, at }
      return { question, before: decide(before, question).verdict, after: decide(after, question).verdict }
    }),
  )
  const kind = isWider ? 'wider' : isOpen ? 'undecided' : remaining.length > 0 ? 'narrower' : 'exact'
  return { kind, difference, others, remaining, already, replay }
}

/** Whether all requests of a region are among the refused ones, at any time. */
function regionTest({ identity, questions }: RefusedAccess): (region: DiffRegion) => boolean {
  const pairs = new Set(questions.map(({ action, resource }) => JSON.stringify([action, resource])))
  // A group means its members, and an account only itself.
  const isOne = readIdentity(identity, { pattern: false }).value?.kind !== 'group'
  return ({ identities, actions, resources }) =>
    isOne &&
    identities.every((each) => each === identity) &&
    resources.every(
      ({ pattern, type, name }) =>
        type === undefined && name === undefined && actions.every((action) => pairs.has(JSON.stringify([action, pattern]))),
    ) &&
    !actions.some((action) => action.includes('*'))
}

/** Whether nothing of a region is left after the expiry; undefined where that cannot be decided. */
function endsInTime({ condition }: DiffRegion, { expires }: GrantTime): boolean | undefined {
  if (expires === undefined) return true
  const later = satisfy(withTime([condition], notBefore(expires + 1)))
  return later === tooMany ? undefined : later === undefined
}

/**
 * The part of a refused question that is allowed, or is not, between the first and the last instant, from any address and with any tags that
 * are not described.
 */
function partOf(world: World, question: Question, { from, expires }: GrantTime, which: 'allowed' | 'denied'): readonly Remaining[] {
  const { ip: _, tags: __, ...asked } = question
  const time = expires === undefined ? notBefore(from) : conjunction(notBefore(from), until(expires))
  const allowed = whenAnswered(world, asked)
  const part = which === 'allowed' ? allowed : noneOf(allowed)
  const solution = satisfy(withTime([part], time))
  if (solution === undefined) return []
  return [
    { question, when: solution === tooMany ? undefined : simplified(expires === undefined ? part : allOf([part, until(expires)]), time) },
  ]
}
