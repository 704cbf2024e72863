import type { Budget } from '../budget.ts'
import { groupedBy, pushTo } from '../collections.ts'
import { type Difference, diff } from '../diff/diff.ts'
import { meets, reachOf } from '../history/effects.ts'
import { policiesOf } from '../lock/lock.ts'
import type { Policy, World } from '../policy.ts'
import { fieldsLike, type PolicyFields, shortNameOf } from '../propose/fields.ts'
import type { Added } from '../propose/plan.ts'
import type { Revision } from '../propose/shrink.ts'
import type { Changed } from '../propose/suggest.ts'
import { freshName } from '../propose/withdraw.ts'
import { addPolicy, expiryText, type File, type Pair, type Read, rewrite } from '../propose/write.ts'
import { firstNewAccess, type Outcome } from '../symbolic/covers.ts'
import { sideOf } from '../symbolic/side.ts'
import { mayGrant } from '../world.ts'
import { denyingPart, forIdentity, inForceAt } from './grants.ts'
import { endingAt, endOfDay, type JudgedGrant } from './status.ts'

/**
 * The edits that carry out what reviewers decided: identities are taken out of policies, or get an expiry. It is proved that nothing
 * is gained, and that nothing else is lost than what was decided about.
 */

/** A grant that is to go, or to end. */
export interface Ending {
  readonly judged: JudgedGrant
  /** The last instant of the access; undefined where all of it goes. */
  readonly end: number | undefined
}

/** One edit, in the order in which they are made. */
export type ReviewEdit =
  | { readonly kind: 'remove-identity'; readonly policy: Policy; readonly identity: string }
  | { readonly kind: 'remove-policy'; readonly policy: Policy }
  | { readonly kind: 'expire'; readonly policy: Policy; readonly end: number }
  | {
      readonly kind: 'new-policy'
      readonly policy: Policy
      readonly name: string
      readonly end: number | undefined
      readonly isDeny: boolean
    }

/** A grant that is still given, in part or whole, by others after the edits. */
export interface StillGranted {
  readonly judged: JudgedGrant
  readonly isWhole: boolean
  readonly by: readonly Policy[]
}

export interface Applied {
  readonly endings: readonly Ending[]
  readonly edits: readonly ReviewEdit[]
  readonly files: readonly Changed[]
  /** The grants whose policies cannot be edited, and why. */
  readonly left: readonly { readonly judged: JudgedGrant; readonly why: 'read-only' | 'layout' }[]
  readonly still: readonly StillGranted[]
  /** The access before and after. */
  readonly difference: Difference
  readonly proof: Proof
}

/**
 * `proved`: nothing is gained, and what is lost is within the decided grants, for `shorten` only after their last day. `gained`, `lost`,
 * `early`: that something is gained, something else is lost, or ends too early, as an unknown permissions group may make it.
 */
export type Proof = 'proved' | 'undecided' | 'gained' | 'lost' | 'early'

/** The grants that were decided to be removed or shortened, and are not. */
export function endingsIn(rows: readonly JudgedGrant[]): readonly Ending[] {
  return rows.flatMap((judged): readonly Ending[] => {
    const { status } = judged
    if (status.kind === 'not-removed') return [{ judged, end: undefined }]
    const until = status.kind === 'not-shortened' ? status.by.decision.until : undefined
    return until === undefined ? [] : [{ judged, end: endOfDay(until) }]
  })
}

/** The changes of one policy. */
interface PolicyPlan {
  readonly policy: Policy
  readonly now: Policy | undefined
  readonly added: readonly Added[]
  readonly edits: readonly ReviewEdit[]
}

/** The edits for some endings, with the proof. `read` reads files again.  */
export async function apply(
  files: readonly File[],
  world: World,
  endings: readonly Ending[],
  instant: number,
  read: Read,
  run: Budget,
): Promise<Applied> {
  const byPolicy = new Map<Policy, Ending[]>()
  for (const ending of endings) for (const policy of ending.judged.grant.policies) pushTo(byPolicy, policy, ending)
  const isFixed = (ending: Ending) => ending.judged.grant.policies.some(({ readOnly }) => readOnly)
  const names = new Set<string>()
  const plans = [...byPolicy].flatMap(([policy, own]) => {
    const editable = own.filter((ending) => !isFixed(ending))
    return editable.length === 0 ? [] : [planFor(policy, editable, world, names)]
  })
  const revision: Revision = new Map(plans.map(({ policy, now }) => [policy, now]))
  const { files: rewritten, failed } = await rewrite(files, revision, read)
  const unwritten = new Set(failed.map(({ source }) => source))
  const written = plans.filter(({ policy }) => !unwritten.has(policy.span.source))
  const pairs: Pair[] = [...rewritten]
  for (const { added } of written)
    for (const each of added) if (!(await addPolicy(pairs, each, read))) throw new Error('a policy that was just made cannot be read')
  const changed = pairs.filter(({ before, after }) => before !== after)
  const old = new Set(changed.flatMap(({ before }) => before?.read.facts.policies ?? []))
  const after: World = {
    ...world,
    policies: [...world.policies.filter((policy) => !old.has(policy)), ...changed.flatMap((pair) => pair.after?.read.facts.policies ?? [])],
  }
  const isWritten = (ending: Ending) => !isFixed(ending) && ending.judged.grant.policies.every(({ span }) => !unwritten.has(span.source))
  const done = endings.filter(isWritten)
  const [before, now] = [world, after].map((each) => inForceAt(policiesOf(each), instant)) as [World, World]
  return {
    endings: done,
    edits: written.flatMap(({ edits }) => edits),
    files: changed.map(({ before, after }) => ({
      path: (after ?? before)?.source.path ?? '',
      before: before?.source.text,
      after: after?.source.text,
    })),
    left: endings.flatMap((ending) =>
      isWritten(ending) ? [] : [{ judged: ending.judged, why: isFixed(ending) ? ('read-only' as const) : ('layout' as const) }],
    ),
    still: done.flatMap((ending) => stillGranted(ending, now, run) ?? []),
    difference: diff(before, now, { within: { from: instant }, run }),
    proof: prove(before, now, done, run),
  }
}

function planFor(policy: Policy, endings: readonly Ending[], world: World, names: Set<string>): PolicyPlan {
  const ending = new Map(endings.map(({ judged, end }) => [judged.grant.key.identity, end]))
  const isEnding = ({ value }: Policy['identities'][number]) => ending.has(value.text)
  const remaining = policy.identities.filter((entry) => !isEnding(entry))
  const shortened = [
    ...groupedBy(
      [...ending].filter(([, end]) => end !== undefined),
      ([, end]) => end,
    ),
  ].map(([end, own]) => ({ end: end as number, identities: own.map(([identity]) => identity) }))
  const deny = denyingPart(policy, world)
  // The policy itself stays for those who keep it; else for the first who keep it for a time, unless it denies something.
  const [shortenedPolicy] = remaining.length === 0 && !deny ? shortened : []
  const split = shortened.filter((each) => each !== shortenedPolicy)
  const fieldsOf = (now: Policy, name: string, identities: readonly string[]) => {
    const fresh = freshName(name, { ...world, policies: [...world.policies, ...[...names].map((each) => named(policy, each))] })
    names.add(fresh)
    return fieldsLike(policy, now, fresh, identities)
  }
  const titleOf = (identities: readonly string[]) => `${policy.name.value} for ${identities.map(shortNameOf).slice(0, 3).join(' ')}`
  const limited = split.map(({ end, identities }) => {
    const fields = fieldsOf(withoutDenies(policy), titleOf(identities), identities)
    const isEarlier = policy.expiresAt !== undefined && policy.expiresAt.value <= end
    return { end, fields: isEarlier ? fields : { ...fields, expiredAt: expiryText(end) } }
  })
  const denying = deny && [...ending.keys()]
  const denied = deny && denying ? fieldsOf(deny, `${titleOf(denying)} denied`, denying) : undefined
  const now = shortenedPolicy
    ? endingAt(
        { ...policy, identities: policy.identities.filter(({ value }) => shortenedPolicy.identities.includes(value.text)) },
        shortenedPolicy.end,
      )
    : remaining.length > 0
      ? { ...policy, identities: remaining }
      : undefined
  const gone = policy.identities.filter((entry) => !(now?.identities ?? []).includes(entry)).map(({ value }) => value.text)
  const addedFields: readonly PolicyFields[] = [...limited.map(({ fields }) => fields), ...(denied ? [denied] : [])]
  return {
    policy,
    now,
    added: addedFields.map((fields) => ({ fields, near: policy.span.source })),
    edits: [
      ...(now ? [...new Set(gone)].map((identity) => ({ kind: 'remove-identity' as const, policy, identity })) : []),
      ...(now ? [] : [{ kind: 'remove-policy' as const, policy }]),
      ...(shortenedPolicy ? [{ kind: 'expire' as const, policy, end: shortenedPolicy.end }] : []),
      ...limited.map(({ end, fields }) => ({ kind: 'new-policy' as const, policy, name: String(fields.name), end, isDeny: false })),
      ...(denied ? [{ kind: 'new-policy' as const, policy, name: String(denied.name), end: undefined, isDeny: true }] : []),
    ],
  }
}

const named = (policy: Policy, name: string): Policy => ({ ...policy, name: { ...policy.name, value: name } })

/** A policy without its own denies. Those of its permissions groups stay, and another policy denies the same. */
const withoutDenies = (policy: Policy): Policy => ({ ...policy, permissions: { ...policy.permissions, deny: [] } })

/** The denies of a policy, with its permissions groups that are not described, which may deny; undefined where nothing may be denied. */
function limitingPart(policy: Policy, world: World): Policy | undefined {
  const open = policy.permissionsGroups.filter(({ value }) => !world.permissionsGroups.has(value.text))
  const deny = denyingPart(policy, world)
  if (open.length === 0) return deny
  return { ...policy, permissions: { allow: [], except: [], deny: deny?.permissions.deny ?? [] }, permissionsGroups: open }
}

/** Prove that nothing is gained, and that nothing is lost but what was decided. */
function prove(before: World, after: World, endings: readonly Ending[], run: Budget): Proof {
  const grantsOf = (own: readonly Ending[]) =>
    own.flatMap(({ judged: { grant }, end }) =>
      grant.policies.map((policy) => forIdentity(end === undefined ? policy : endingAt(policy, end), grant.key.identity)),
    )
  const including = (policies: readonly Policy[]): World => ({ ...after, policies: [...after.policies, ...policies] })
  const all = endings.map(({ judged }) => ({ judged, end: undefined }))
  const denies = before.policies.flatMap((policy) => limitingPart(policy, before) ?? [])
  const shortened = { ...before, policies: [...grantsOf(endings.filter(({ end }) => end !== undefined)), ...denies] }
  const claims: readonly (readonly [Exclude<Proof, 'proved' | 'undecided'>, Outcome])[] = [
    ['gained', inclusion(after, before, run)],
    ['lost', inclusion(before, including(grantsOf(all)), run)],
    ['early', inclusion(shortened, after, run)],
  ]
  const wrong = claims.find(([, { kind }]) => kind === 'new')
  if (wrong) return wrong[0]
  return claims.every(([, { kind }]) => kind === 'none') ? 'proved' : 'undecided'
}

/** Whether one world grants nothing that another does not. */
function inclusion(a: World, b: World, run: Budget): Outcome {
  return firstNewAccess(sideOf(a, b), sideOf(b, a), { run })
}

/** The policies that still grant a removed grant, or may grant a part of it; undefined where none does. */
function stillGranted({ judged, end }: Ending, after: World, run: Budget): StillGranted | undefined {
  if (end !== undefined) return undefined
  const { grant } = judged
  const reaches = grant.policies.map((policy) => reachOf(forIdentity(policy, grant.key.identity)))
  const by = after.policies.filter((policy) => mayGrant(policy, after) && reaches.some((reach) => meets(reachOf(policy), reach)))
  if (by.length === 0) return undefined
  const isWholeBy = (policies: readonly Policy[]) => inclusion(grant.world, { ...after, policies }, run).kind === 'none'
  if (!isWholeBy(after.policies)) return { judged, by, isWhole: false }
  const single = by.filter((policy) => isWholeBy([policy]))
  return { judged, by: single.length > 0 ? single : by, isWhole: true }
}
