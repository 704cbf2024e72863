import type { Budget } from '../budget.ts'
import { groupedBy, pushTo } from '../collections.ts'
import { readInstant } from '../conditions/time.ts'
import { isSameAccess } from '../lock/lock.ts'
import type { Policy, World } from '../policy.ts'
import { type Grant, inForceAt } from './grants.ts'
import { keyText } from './keys.ts'
import type { Decision } from './model.ts'
import type { ReviewFile } from './read.ts'
import { limitingDecisions } from './restored.ts'

/** A decision with the access that it is about, and its place in the list of decisions. */
export interface Decided {
  readonly decision: Decision
  readonly index: number
  readonly world: World
}

/** How a grant is decided. All but `decided` are open. */
export type Status =
  /** As it was decided, with the same access. */
  | { readonly kind: 'decided'; readonly by: Decided }
  | { readonly kind: 'undecided' }
  /** Its access is another one than the one that was decided about. */
  | { readonly kind: 'changed'; readonly by: Decided }
  /** Whether its access is the same cannot be determined within limits. */
  | { readonly kind: 'unproved'; readonly by: Decided; readonly culprits: readonly string[] }
  /** To be decided by another person. */
  | { readonly kind: 'asked'; readonly by: Decided }
  /** Decided to stay longer than was decided before, without a reason. */
  | { readonly kind: 'unexplained'; readonly by: Decided }
  /** Decided to be removed, or shortened, and not carried out. */
  | { readonly kind: 'not-removed' | 'not-shortened'; readonly by: Decided }

export interface JudgedGrant {
  readonly grant: Grant
  readonly status: Status
}

export interface Judged {
  readonly rows: readonly JudgedGrant[]
  /** The last decisions about grants that the policies no longer have. */
  readonly gone: readonly Decided[]
}

/** The last instant of a day. */
export const endOfDay = (day: string): number => readInstant(`${day}T23:59:59Z`) as number

/**
 * The status of each grant from an instant on. A decision is valid as long as the access is proved to be the one that was decided
 * about; one about a policy that was renamed goes with it, where the access is the same and no other grant has it.
 */
export function judgedGrants(grants: readonly Grant[], { review, worlds }: ReviewFile, instant: number, run: Budget): Judged {
  const last = new Map<string, Decided>()
  const { unexplained } = limitingDecisions(review.decisions)
  for (const [index, decision] of review.decisions.entries())
    last.set(keyText(decision), { decision, index, world: worlds.decisions[index] as World })
  const grantKeys = new Set(grants.map(({ key }) => keyText(key)))
  const unclaimed = [...last].flatMap(([key, decided]) => (grantKeys.has(key) ? [] : [decided]))
  const carried = carriedOver(
    grants.filter(({ key }) => !last.has(keyText(key))),
    unclaimed,
    instant,
    run,
  )
  const taken = new Set(carried.values())
  return {
    rows: grants.map((grant) => {
      const by = last.get(keyText(grant.key)) ?? carried.get(grant)
      if (!by) return { grant, status: { kind: 'undecided' } }
      const status = statusOf(grant, by, instant, run)
      const isSettled = status.kind !== 'changed' && status.kind !== 'unproved'
      return { grant, status: isSettled && unexplained.has(by.index) ? { kind: 'unexplained', by } : status }
    }),
    gone: unclaimed.filter((each) => !taken.has(each)),
  }
}

function statusOf(grant: Grant, by: Decided, instant: number, run: Budget): Status {
  const { decision } = by
  if (decision.decision === 'shorten' && decision.until !== undefined) {
    const shortened = endingBy(by.world, endOfDay(decision.until))
    if (compared(grant.world, shortened, instant, run) === 'same') return { kind: 'decided', by }
  }
  const same = compared(grant.world, by.world, instant, run)
  if (same === 'changed') return { kind: 'changed', by }
  if (same !== 'same') return { kind: 'unproved', by, culprits: same.culprits }
  const kinds = { keep: 'decided', ask: 'asked', remove: 'not-removed', shorten: 'not-shortened' } as const
  return { kind: kinds[decision.decision], by }
}

/** Whether two worlds give the same access from an instant on. */
export function compared(now: World, then: World, at: number, run: Budget): ReturnType<typeof isSameAccess> {
  return isSameAccess(inForceAt(now, at), inForceAt(then, at), undefined, run)
}

/** The world in which everything that is granted ends at an instant; what is denied stays. */
export function endingBy(world: World, end: number): World {
  return { ...world, policies: world.policies.map((policy) => (grantsNothing(policy) ? policy : endingAt(policy, end))) }
}

const grantsNothing = ({ permissions, permissionsGroups }: Policy) => permissions.allow.length === 0 && permissionsGroups.length === 0

/** A policy that ends at an instant, if it does not end before. */
export function endingAt(policy: Policy, end: number): Policy {
  if (policy.expiresAt && policy.expiresAt.value <= end) return policy
  return { ...policy, expiresAt: { value: end, span: policy.expiresAt?.span ?? policy.span } }
}

/**
 * The decisions that go with a grant under another name: about the same entry of identities, with the same access, and only where
 * neither another decision nor another grant fits as well.
 */
function carriedOver(grants: readonly Grant[], decided: readonly Decided[], instant: number, run: Budget): ReadonlyMap<Grant, Decided> {
  const byIdentity = groupedBy(decided, ({ decision }) => decision.identity)
  const fitting = new Map<Grant, Decided[]>()
  const users = new Map<Decided, Grant[]>()
  for (const grant of grants)
    for (const each of byIdentity.get(grant.key.identity) ?? []) {
      const status = statusOf(grant, each, instant, run).kind
      if (status === 'changed' || status === 'unproved') continue
      pushTo(fitting, grant, each)
      pushTo(users, each, grant)
    }
  return new Map(
    [...fitting].flatMap(([grant, [only, ...others]]) =>
      only && others.length === 0 && users.get(only)?.length === 1 ? [[grant, only] as const] : [],
    ),
  )
}
