import { type Glob, glob, overlaps } from '../glob.ts'
import type { Policy, World } from '../policy.ts'
import { type IdentityUrn, readIdentity } from '../urn/identity.ts'

/** Whether an identity of a policy or region is one that is asked for, or a group of one. */
export type Concerns = (identity: string) => boolean

/** Undefined where the text is neither a URN nor a kind with a name. */
export function concernsOf(text: string, { identities }: World): Concerns | undefined {
  const isUrn = text.startsWith('urn:')
  if (isUrn ? readIdentity(text, { pattern: true }).faults : !/^(account|user|group|credential)(\/.+)?$/.test(text)) return undefined
  const asked = glob(text)
  const isConcerned = (identity: string) => overlaps(asked, globOf(identity, isUrn))
  const groups: Glob[] = []
  for (const [urn, { groups: joined }] of identities) if (isConcerned(urn)) for (const group of joined) groups.push(glob(group))
  return (identity) => isConcerned(identity) || groups.some((group) => overlaps(group, glob(identity)))
}

/**
 * The same in several worlds. The groups of an identity that none of them describes are not known: access of any group may be its own.
 * A pattern matches such identities, too, unless it is one over groups.
 */
export function concernsInAny(text: string, worlds: readonly World[]): Concerns | undefined {
  const each = worlds.flatMap((world) => concernsOf(text, world) ?? [])
  const isPattern = text.includes('*')
  const isOpen = isPattern ? !isOverGroups(text) : !worlds.some(({ identities }) => identities.has(text))
  return each.length === 0 ? undefined : (urn) => each.some((isOne) => isOne(urn)) || (isOpen && urn.split(':')[4] === 'group')
}

const isOverGroups = (pattern: string) => (pattern.startsWith('urn:') ? pattern.split(':')[4] === 'group' : pattern.startsWith('group/'))

function globOf(urn: string, isUrn: boolean): Glob {
  const { value } = isUrn ? {} : readIdentity(urn, { pattern: true })
  return glob(value ? shortOf(value) : urn)
}

/** `user/kim`, `group/*`; an account without its id. */
function shortOf({ kind, name }: IdentityUrn): string {
  return kind === 'account' ? kind : `${kind}/${name}`
}

export function concernsPolicy(concerns: Concerns, { identities }: Policy): boolean {
  return identities.some(({ value }) => concerns(value.text))
}
