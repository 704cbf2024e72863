import { type Glob, glob } from '../glob.ts'
import { type Fault, isWideLetter, longestName, type Read, strangeCharacter, tooMuch } from '../names.ts'
import { nearest } from '../nearest.ts'
import { checked, urnHead } from './head.ts'

/** `credential` is a service account. */
export type IdentityKind = 'account' | 'user' | 'group' | 'credential'

/** One identity, or with a trailing `*` a pattern over identities (docs/semantics.md, Names). */
export interface IdentityUrn {
  readonly text: string
  readonly region: string
  readonly kind: IdentityKind
  /** The account that the identity belongs to; undefined in a pattern over accounts. */
  readonly account: string | undefined
  /** The text after the account and its `/`: the login, group or `oauth2-…` name; '' for an account. */
  readonly name: string
  readonly glob: Glob
}

export const identityKinds: readonly IdentityKind[] = ['account', 'user', 'group', 'credential']
const shapes: Record<IdentityKind, string> = {
  account: '<account_id>',
  user: '<account_id>/<login>',
  group: '<account_id>/<group>',
  credential: '<account_id>/oauth2-<client_id>',
}

export function printIdentity({ region, kind, account, name }: Pick<IdentityUrn, 'region' | 'kind' | 'account' | 'name'>): string {
  const id = account === undefined ? name : kind === 'account' ? account : `${account}/${name}`
  return `urn:v1:${region}:identity:${kind}:${id}`
}

/**
 * Read `urn:v1:<region>:identity:<kind>:<id>`. With `pattern` a `*` may end the id; without it none is allowed, since a question
 * is about one identity. There is one fault for every part that is wrong.
 */
export function readIdentity(text: string, options: { readonly pattern: boolean }): Read<IdentityUrn> {
  return plainIdentity(text) ?? checked(text, (candidate) => identity(candidate, options))
}

/** The form of most identities, read without the grammar: plain letters and no wildcard. */
const plainForm = /^urn:v1:([a-z][a-z0-9-]*):identity:(user|group|credential):([\w.-]+)\/([!-)+-~]+)$/

/** An identity of the plain form, at a glance. */
function plainIdentity(text: string): Read<IdentityUrn> | undefined {
  const match = text.length > longestName ? null : plainForm.exec(text)
  if (!match) return undefined
  const [, region, kind, account, name] = match as unknown as readonly [string, string, IdentityKind, string, string]
  return { value: { text, region, kind, account, name, glob: { text, pieces: [text] } } }
}

/** Read the URN of one group that identities belong to. */
export function readIdentityGroup(text: string): Read<IdentityUrn> {
  return checked(text, identityGroup)
}

function identityGroup(text: string): Read<IdentityUrn> {
  const read = readIdentity(text, { pattern: false })
  if (read.faults || read.value.kind === 'group') return read
  const { region, kind } = read.value
  const from = `urn:v1:${region}:identity:`.length
  return {
    faults: [
      {
        from,
        to: from + kind.length,
        message: `this is ${names[kind]}, not a group`,
        help: `a group has the form \`urn:v1:${region}:identity:group:${shapes.group}\``,
      },
    ],
  }
}

const names: Record<IdentityKind, string> = { account: 'an account', user: 'a user', group: 'a group', credential: 'a service account' }

function identity(text: string, { pattern }: { readonly pattern: boolean }): Read<IdentityUrn> {
  const strange = strangeCharacter(text, isWideLetter) ?? tooMuch(text)
  if (strange) return { faults: [strange] }
  const head = urnHead(text, 'identity', 'urn:v1:eu:identity:user:<account_id>/<login>')
  if (head.faults) return { faults: head.faults }
  const { region, rest, at } = head.value
  const colon = rest.indexOf(':')
  const kind = colon < 0 ? rest : rest.slice(0, colon)
  const faults: Fault[] = []
  if (!isKind(kind)) {
    const suggested = nearest(kind, identityKinds)
    faults.push({
      from: at,
      to: at + kind.length,
      message: kind.includes('*')
        ? 'a wildcard cannot stand for the kind of identity'
        : `\`${kind}\` is no kind of identity: expected ${identityKinds.join(', ')}`,
      ...(suggested && { suggestion: text.slice(0, at) + suggested + text.slice(at + kind.length) }),
    })
    return { faults }
  }
  const id = colon < 0 ? '' : rest.slice(colon + 1)
  const idAt = at + kind.length + 1
  const shape = `${kind === 'account' ? 'an' : 'a'} ${kind} is written \`urn:v1:${region}:identity:${kind}:${shapes[kind]}\``
  if (id === '') return { faults: [{ from: at, to: text.length, message: `the id is missing: ${shape}` }] }
  const star = id.indexOf('*')
  if (star >= 0 && !pattern)
    return { faults: [{ from: idAt + star, to: idAt + star + 1, message: 'one identity is expected here, not a pattern' }] }
  if (star >= 0 && star !== id.length - 1) {
    return {
      faults: [
        {
          from: idAt + star,
          to: idAt + star + 1,
          message: 'a wildcard is only allowed at the end of an identity',
          suggestion: `${text.slice(0, idAt + star)}*`,
        },
      ],
    }
  }
  const slash = id.indexOf('/')
  const account = slash < 0 ? id : id.slice(0, slash)
  const name = slash < 0 ? '' : id.slice(slash + 1)
  const openAccount = star >= 0 && slash < 0
  // Only the part after the account may have non-ASCII letters.
  const odd = strangeCharacter(account)
  if (odd) {
    const { suggestion, ...rest } = odd
    faults.push({
      ...rest,
      from: idAt + odd.from,
      to: idAt + odd.to,
      ...(suggestion !== undefined && { suggestion: text.slice(0, idAt) + suggestion + text.slice(idAt + account.length) }),
    })
  } else if (account === '' || /[^!-9;-~]/.test(account)) {
    faults.push({
      from: idAt,
      to: idAt + Math.max(account.length, 1),
      message: `the account id is ${account === '' ? 'missing' : 'malformed'}: ${shape}`,
    })
  }
  if (kind === 'account' && slash >= 0) {
    faults.push({
      from: idAt + slash,
      to: text.length,
      message: `nothing may follow the id of an account: ${shape}`,
      suggestion: text.slice(0, idAt + slash),
    })
  }
  if (kind !== 'account' && !openAccount) {
    if (slash < 0)
      faults.push({
        from: idAt,
        to: text.length,
        message: `the account id or the part after it is missing: ${shape}`,
        help: `put the account id before it: \`${text.slice(0, idAt)}<account_id>/${id}\``,
      })
    else if (name === '' || name.trim() !== name)
      faults.push({
        from: idAt + slash + 1,
        to: text.length,
        message: `the part after the account id is ${name === '' ? 'empty' : 'surrounded by spaces'}: ${shape}`,
      })
  }
  if (faults.length > 0) return { faults }
  return { value: { text, region, kind, account: openAccount ? undefined : account, name: openAccount ? id : name, glob: glob(text) } }
}

function isKind(kind: string): kind is IdentityKind {
  return (identityKinds as readonly string[]).includes(kind)
}

/**
 * Whether a service account's name has the only documented form, `oauth2-<client_id>`, or a pattern may match it. Others
 * are still understood, but do not exist.
 */
export function isServiceAccountName(name: string): boolean {
  const prefix = 'oauth2-'
  if (!name.endsWith('*')) return name.startsWith(prefix) && name.length > prefix.length && !/[\s/]/.test(name)
  const start = name.slice(0, -1)
  return prefix.startsWith(start) || start.startsWith(prefix)
}

/** Whether a URN, or a pattern, is of groups. */
export const isGroupName = (urn: string): boolean => urn.includes(':identity:group:')

/** Whether a URN is of a user, a service account or an account: of neither a group nor a pattern. A request has one of these at most. */
export const isSingle = (urn: string): boolean => !urn.includes('*') && !isGroupName(urn)
