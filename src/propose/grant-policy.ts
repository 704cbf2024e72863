import { groupedBy } from '../collections.ts'
import { keyOf } from '../keys.ts'
import type { Policy, World } from '../policy.ts'
import { entriesOf, type List, lists } from '../symbolic/entries.ts'
import type { GrantTime, RefusedAccess } from './claim.ts'
import { type PolicyFields, shortNameOf } from './fields.ts'
import type { Revision } from './shrink.ts'
import { freshName } from './withdraw.ts'
import { expiryText } from './write.ts'

/** An edit of policies that allows refused access. */
export type GrantEdit =
  /** A policy for each resource, which allows nothing else. */
  | { readonly kind: 'new-policies'; readonly policies: readonly PolicyFields[] }
  /** A policy that allowed exactly this and has expired gets another expiry. */
  | { readonly kind: 'renewal'; readonly policy: Policy; readonly revision: Revision }

/** The short words for refused access: `bob get`, of which the names of policies, files and branches are made. */
export function accessWords({ identity, questions }: RefusedAccess): string {
  const [first, ...others] = new Set(questions.map(({ action }) => action))
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  return `${shortNameOf(identity).slice(0, longestWord)} ${shortNameOf(first ?? '').slice(0, longestWord)}${more}`
}

/** The same in characters that the names of files and branches may have. */
export function accessSlug(access: RefusedAccess): string {
  const slug = accessWords(access)
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, longestSlug)
  return `allow-${slug === '' ? 'call' : slug}`
}

const [longestWord, longestSlug] = [80, 60]

/** The smallest edit that allows refused access until it expires, and nothing else. */
export function grantEdit(world: World, access: RefusedAccess, time: GrantTime, description: string): GrantEdit {
  const expired = world.policies.find((policy) => isExpiredGrant(policy, access, time))
  if (expired) return { kind: 'renewal', policy: expired, revision: new Map([[expired, renewed(expired, time)]]) }
  const byResource = groupedBy(access.questions, ({ resource }) => resource)
  let extended = world
  const policies = [...byResource].map(([urn, questions]): PolicyFields => {
    const name = freshName(`allow ${accessWords({ ...access, questions })}`, extended)
    extended = { ...extended, policies: [...extended.policies, named(name)] }
    return {
      name,
      description,
      identities: [access.identity],
      resources: [{ urn }],
      permissions: { allow: [...new Set(questions.map(({ action }) => action))].map((action) => ({ action })) },
      ...(time.expires !== undefined && { expiredAt: expiryText(time.expires) }),
    }
  })
  return { kind: 'new-policies', policies }
}

const named = (name: string) => ({ name: { value: name } }) as Policy

/** Whether a policy allowed exactly this, in any context, until it expired. */
function isExpiredGrant(policy: Policy, { identity, questions }: RefusedAccess, { from }: GrantTime): boolean {
  const { expiresAt, condition, readOnly } = policy
  if (readOnly || condition || expiresAt === undefined || expiresAt.value >= from) return false
  const wanted: Readonly<Record<List, readonly string[]>> = {
    identities: [identity],
    resources: [...new Set(questions.map(({ resource }) => resource))],
    allow: [...new Set(questions.map(({ action }) => action))],
    except: [],
    deny: [],
    permissionsGroups: [],
  }
  // Several resources have a policy each.
  return wanted.resources.length === 1 && lists.every((list) => isSame(textsIn(policy, list), wanted[list]))
}

const textsIn = (policy: Policy, list: List) => entriesOf(policy, list).map(({ value }) => value.text)

const isSame = (texts: readonly string[], others: readonly string[]) =>
  texts.length === others.length && keyOf(...[...texts].sort()) === keyOf(...[...others].sort())

function renewed(policy: Policy, { expires }: GrantTime): Policy {
  const { expiresAt, ...lasting } = policy
  return expires === undefined || !expiresAt ? lasting : { ...policy, expiresAt: { value: expires, span: expiresAt.span } }
}
