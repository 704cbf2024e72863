import type { Forbidden, ForbiddenGate } from '../calls/forbidden.ts'
import type { Grant, RefusedCall } from '../calls/grant.ts'
import { place } from '../diagnostic.ts'
import { writtenAs } from '../glob.ts'
import type { Paint } from './colour.ts'
import { clauseJson } from './decision.ts'
import { shown } from './safe.ts'

/** A refusal with what would lift it. */
export interface ToldGrant {
  readonly forbidden: Forbidden
  readonly refused: RefusedCall
  readonly grant: Grant
  /** The account whose policies decide; undefined where it is not known. */
  readonly account: string | undefined
  readonly hasPolicies: boolean
}

/** Who can lift the refusal of a gate. */
const lifters: Readonly<Record<ForbiddenGate, string>> = {
  policies: 'the account, or whoever may write its policies',
  credential: 'the application, in a new request for a credential, and the customer who accepts it',
  authentication: 'whoever sets up the authentication: the rights that the token or the consumer key was given',
}

/** The same in a word, for machines. */
const whoLifts = { policies: 'account', credential: 'application', authentication: 'authentication' } as const

const gateNames: Readonly<Record<ForbiddenGate, string>> = {
  policies: 'the policies',
  credential: 'the rules of the consumer key',
  authentication: 'the authentication',
}

function calledOf({ call, operation }: RefusedCall) {
  return call ? { branch: operation?.branch ?? call.branch ?? null, method: call.method, path: operation?.path ?? call.sent } : null
}

/** A refusal and what would lift it, as machines read it. */
export function grantJson(told: ToldGrant) {
  const { forbidden, refused, grant, account } = told
  const { policies, accessRules, suffices, obstacles, missing } = grant
  return {
    refused: {
      by: forbidden.gate,
      message: forbidden.message,
      actions: forbidden.actions,
      actionsByAuthentication: forbidden.byAuthentication,
    },
    call: calledOf(refused),
    by: { who: whoLifts[forbidden.gate], account: forbidden.gate === 'policies' ? (account ?? null) : null },
    grant: { policies, accessRules },
    suffices: suffices ?? null,
    obstacles: obstacles.map(clauseJson),
    missing,
    notes: notesOf(told),
  }
}

function notesOf({ grant, hasPolicies }: ToldGrant): readonly string[] {
  const unchecked = grant.policies.length > 0 && !hasPolicies
  return [...grant.notes, ...(unchecked ? ['no policies were given: whether one of them denies it all the same is not known'] : [])]
}

/** The same on one line. */
export function grantLine(told: ToldGrant): string {
  const { forbidden, refused, grant } = told
  const { policies, accessRules, obstacles, missing } = grant
  const called = callWords(refused)
  const parts = [`refused by ${gateNames[forbidden.gate]}`, ...(called === '' ? [] : [called])]
  for (const { identities, resources, permissions } of policies)
    parts.push(
      `grant ${shown(identities.join(', '))} ${permissions.allow.map(({ action }) => quoted(action)).join(', ')} on ${shown(resources[0]?.urn ?? '')}`,
    )
  for (const { method, path } of accessRules) parts.push(`ask for ${quoted(`${method} ${path}`)}`)
  for (const { entry, list } of obstacles) parts.push(`take away ${shown(place(entry.span))} ${list} ${quoted(writtenAs(entry.value))}`)
  if (missing.length > 0) parts.push(`missing ${missing.map(shown).join(', ')}`)
  return parts.join(' · ')
}

/** The same for people, with the text to be sent to the service. */
export function grantText(told: ToldGrant, paint: Paint): string {
  const { forbidden, refused, grant, account } = told
  const { policies, accessRules, suffices, obstacles, missing } = grant
  const lines = [`${paint.error('403')}  ${paint.bold(callWords(refused) || 'a call')}`]
  lines.push(`  refused by ${gateNames[forbidden.gate]}: ${quoted(forbidden.message)}`)
  const named = [...forbidden.actions, ...forbidden.byAuthentication]
  if (named.length > 0) lines.push(`  the service names ${named.map(quoted).join(', ')}`)
  const whose = forbidden.gate === 'policies' && account !== undefined ? ` (${shown(account)})` : ''
  lines.push(`  it is lifted by ${lifters[forbidden.gate]}${whose}`)
  for (const note of notesOf(told)) lines.push(`  ${paint.warning('note:')} ${note}`)
  for (const { entry, policy, list } of obstacles)
    lines.push(
      `  it stays denied by ${shown(place(entry.span))} ${shown(policy.name.value)} ${list} ${quoted(writtenAs(entry.value))}: that would have to go first`,
    )
  for (const fact of missing) lines.push(`  ${paint.dim(`settle it with ${remedy(fact)}`)}`)
  if (suffices) lines.push('  with this, the policies that were given allow it')
  if (policies.length > 0) lines.push(...written(policies.length === 1 ? policies[0] : policies))
  if (accessRules.length > 0) lines.push(...written({ accessRules }))
  return `${lines.join('\n')}\n`
}

function remedy(fact: string): string {
  if (fact === 'call') return 'METHOD and PATH of the call'
  if (fact.startsWith('actions(')) return '`--action ACTION` for each action that the call needs'
  if (fact.startsWith('resource(')) return `\`--resource URN\`: what ${quoted(fact.slice('resource('.length, -1))} is about`
  if (fact === 'branch') return 'a path that starts with `/v1` or `/v2`'
  return `what is known of ${quoted(fact)}: see \`grantwise can\``
}

/** A value as JSON, a field a line, with the care that is taken of every text. */
function written(value: unknown): readonly string[] {
  return JSON.stringify(value, null, 2).split('\n').map(shown)
}

function callWords(refused: RefusedCall): string {
  const called = calledOf(refused)
  return called === null ? '' : `${called.method} ${called.branch === null ? '' : `/${called.branch}`}${shown(called.path)}`
}

function quoted(text: string): string {
  return `\`${shown(text)}\``
}
