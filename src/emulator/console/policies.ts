import { place as placeWords } from '../../diagnostic.ts'
import { formulaWords } from '../../report/conditions.ts'
import { formulaOf } from '../../symbolic/formula.ts'
import type { RouteContext } from '../api/route.ts'
import type { Reply } from '../model/exchange.ts'
import type { PolicyRecord, WrittenFields } from '../model/records.ts'
import type { Service } from '../model/service.ts'
import { idOf, policyDocument } from '../model/worlds.ts'
import { html, lines, type Markup, messagePage, type Part } from './html.ts'
import { listingOf, listTable } from './lists.ts'
import { block, emptyCard, facts, jsonText, name, names, seedCommand, successMessage, type Tone, tag, time } from './parts.ts'
import { accountChoice, backLink, consolePath, consoleReply, listAt, type Place, placed } from './place.ts'

export const policiesPath = '/console/policies'

export function policyPath(place: Pick<Place, 'base' | 'account'>, id: string, act?: 'edit' | 'delete'): string {
  return consolePath(place, `${policiesPath}/${encodeURIComponent(id)}${act === undefined ? '' : `/${act}`}`)
}

export function policyLink(place: Place, id: string, words: string): Markup {
  return html`<a href="${policyPath(place, id)}">${words}</a>`
}

const textsIn = (value: unknown, key: string): readonly string[] =>
  Array.isArray(value) ? value.map((each: WrittenFields | null) => each?.[key]).filter((each) => typeof each === 'string') : []

export const nameOf = ({ id, written }: PolicyRecord): string => (typeof written.name === 'string' ? written.name : id)

/** The policies of an account, in the order in which they were created. */
export function policiesOf({ state }: Service, account: string | undefined): readonly PolicyRecord[] {
  return [...state.table('policy').all()].filter((policy) => policy.account === account)
}

/** The lists of a policy, as its page shows them. */
export type PolicyList = 'identities' | 'resources' | 'allow' | 'except' | 'deny' | 'permissionsGroups'

/** The anchor of an item of a list on the page of its policy. */
export const anchorOf = (list: PolicyList, index: number): string => `${list}-${index + 1}`

function listsOf({ written }: PolicyRecord): Readonly<Record<PolicyList, readonly string[]>> {
  const permissions = (written.permissions ?? {}) as WrittenFields
  return {
    identities: Array.isArray(written.identities) ? written.identities.filter((each) => typeof each === 'string') : [],
    resources: textsIn(written.resources, 'urn'),
    allow: textsIn(permissions.allow, 'action'),
    except: textsIn(permissions.except, 'action'),
    deny: textsIn(permissions.deny, 'action'),
    permissionsGroups: textsIn(written.permissionsGroups, 'urn'),
  }
}

function granted(policy: PolicyRecord): Markup {
  const { allow, except, deny, permissionsGroups } = listsOf(policy)
  const part = (words: string, urns: readonly string[], tone: Tone) =>
    urns.length > 0 && html`<li>${tag(tone, words)}${names(urns, 3)}</li>`
  const isConditional = typeof policy.written.conditions === 'object' && policy.written.conditions !== null
  return html`<ul>${part('allow', allow, 'allow')}${part('except', except, 'unknown')}${part('deny', deny, 'deny')}${part(
    'permissions groups',
    permissionsGroups,
    'quiet',
  )}${isConditional && html`<li>${tag('quiet', 'under conditions')}</li>`}</ul>`
}

function expiry({ written: { expiredAt } }: PolicyRecord, now: number): Part {
  if (typeof expiredAt !== 'string') return 'never'
  return Date.parse(expiredAt) < now ? html`${time(expiredAt)} ${tag('deny', 'expired')}` : time(expiredAt)
}

const readOnlyTag = ({ readOnly }: PolicyRecord) => readOnly && html` ${tag('quiet', 'read-only')}`

export function list(context: RouteContext, place: Place): Reply {
  const { service, request } = context
  const now = service.ports.clock.now()
  const deleted = request.query.get('deleted')
  const listing = listingOf(context, policiesOf(service, place.account), ({ id, written }) => `${id} ${JSON.stringify(written)}`)
  return consoleReply(
    place,
    policiesPath,
    'Policies',
    html`${accountChoice(place, policiesPath)}
${deleted !== undefined && successMessage(html`The policy <strong>${deleted}</strong> was deleted.`)}
${place.account !== undefined && html`<p class="buttons"><a href="${consolePath(place, `${policiesPath}/new`)}">Create a policy</a></p>`}
${listTable(
  listAt(place, policiesPath, 'policy', 'policies'),
  listing,
  emptyCard(
    'No policy yet: every call that needs an action is refused.',
    html`<p>Create one here, send one with <code>POST /v2/iam/policy</code>, or start with the policies of a folder:</p>${seedCommand}`,
  ),
  ['Name', 'Identities', 'Resources', 'Grants and denies', 'Expires'],
  (policy) => {
    const { identities, resources } = listsOf(policy)
    return [
      html`${policyLink(place, policy.id, nameOf(policy))}${readOnlyTag(policy)}`,
      names(identities, 3),
      names(resources, 3),
      granted(policy),
      expiry(policy, now),
    ]
  },
)}`,
  )
}

type PolicyHandler = (context: RouteContext, place: Place, policy: PolicyRecord) => Reply

/** A page about one policy, and about the account that has it. */
export function withPolicy(handle: PolicyHandler): ReturnType<typeof placed> {
  return placed((context, place) => {
    const policy = context.service.state.table('policy').get(context.params.policyId ?? '')
    if (!policy || !place.accounts.includes(policy.account))
      return messagePage(place.base, 404, 'Not found', ['No policy of this region has this identifier. It may have been deleted.'])
    return handle(context, { ...place, account: policy.account }, policy)
  })
}

export const show: PolicyHandler = ({ service, request }, place, policy) => {
  const { id, account, written, readOnly } = policy
  const { description } = written
  const parsed = service.worldOf(account).world.policies.find((each) => idOf(each) === id)
  const condition = parsed?.condition
  const lists = listsOf(policy)
  const shown = (list: keyof typeof lists) =>
    lists[list].length === 0
      ? html`<span class="soft">none</span>`
      : html`<ul>${lists[list].map((text, i) => html`<li id="${anchorOf(list, i)}">${name(text)}</li>`)}</ul>`
  return consoleReply(
    place,
    policiesPath,
    nameOf(policy),
    html`${backLink(place, policiesPath, 'All policies')}
${request.query.get('saved') === 'yes' && successMessage('Saved: it holds from the next call on.')}
${!readOnly && html`<p class="buttons"><a href="${policyPath(place, id, 'edit')}">Edit</a> <a href="${policyPath(place, id, 'delete')}">Delete</a></p>`}
${typeof description === 'string' && description !== '' && html`<p class="written">${lines(description)}</p>`}
<div class="card">${facts([
      ['Identifier', name(id)],
      ['In the seed', policy.origin && parsed && name(placeWords(parsed.span))],
      ['Owner', html`${account}${readOnlyTag(policy)}`],
      ['Expires', expiry(policy, service.ports.clock.now())],
      ['Identities', shown('identities')],
      ['Resources', shown('resources')],
      ['Allows', shown('allow')],
      ['Except', shown('except')],
      ['Denies', shown('deny')],
      ['Permissions groups', shown('permissionsGroups')],
      ['Only where', condition && formulaWords(formulaOf(condition))],
    ])}</div>
<h2>As it is stored</h2>
${block('The policy as JSON', jsonText(policyDocument(policy)))}`,
  )
}
