import type { RouteContext, ServiceRoute } from '../api/route.ts'
import { revokeCredential, stateOf } from '../auth/credentials.ts'
import type { Reply } from '../model/exchange.ts'
import type { CredentialRecord, CredentialState } from '../model/records.ts'
import type { Service } from '../model/service.ts'
import { rulesInWords } from './consent.ts'
import { formRoute, seeOther, tokenInput } from './guard.ts'
import { html, type Markup } from './html.ts'
import { listingOf, listTable } from './lists.ts'
import { emptyCard, mutedText, name, shortList, successMessage, type Tone, tag, time } from './parts.ts'
import { accountChoice, backLink, consolePath, consoleReply, listAt, type Place, placed, showsPlaced } from './place.ts'

const applicationsPath = '/console/applications'
const keysPath = `${applicationsPath}/keys`

/** The name of a consumer key on a page: the key itself is for the application alone. */
function keyId({ ports }: Service, { consumerKey }: CredentialRecord): string {
  return ports.digest.sha256(consumerKey).slice(0, 16)
}

/** The keys that an account accepted, and those of its own applications that wait for an answer. */
function keysOf({ state }: Service, account: string | undefined): readonly CredentialRecord[] {
  return [...state.table('credential').all()].filter(
    (each) => each.account === account || (each.account === null && state.table('application').get(each.application)?.account === account),
  )
}

function applications(context: RouteContext, place: Place): Reply {
  const { state, ports } = context.service
  const now = ports.clock.now()
  const ofAccount = [...state.table('application').all()].filter(({ account }) => account === place.account)
  const validKeys = (key: string) =>
    state
      .table('credential')
      .find('application', key)
      .filter((each) => stateOf(each, now) === 'validated').length
  return consoleReply(
    place,
    applicationsPath,
    'Applications',
    html`${accountChoice(place, applicationsPath)}
<p class="buttons"><a href="${place.base}/createApp">Register an application</a> <a href="${consolePath(place, keysPath)}">Consumer keys</a></p>
${listTable(
  listAt(place, applicationsPath, 'application', 'applications'),
  listingOf(context, ofAccount, (each) => `${each.name} ${each.description} ${each.key}`),
  emptyCard(
    `No application of ${place.account ?? 'this region'} yet.`,
    html`<p>An application asks customers for delegated access: register one, then send <code>POST /1.0/auth/credential</code> with its key.</p>`,
  ),
  ['Name', 'Application key', 'Description', 'Valid consumer keys', 'Registered'],
  (each) => [each.name, name(each.key), each.description, validKeys(each.key), time(each.createdAt)],
)}`,
  )
}

const stateWords: Readonly<Record<CredentialState, readonly [tone: Tone, words: string]>> = {
  validated: ['allow', 'valid'],
  pendingValidation: ['unknown', 'waits for an answer'],
  refused: ['deny', 'refused'],
  expired: ['quiet', 'expired'],
}

function keys(context: RouteContext, place: Place): Reply {
  const { service, request } = context
  const now = service.ports.clock.now()
  const applicationOf = (each: CredentialRecord) => service.state.table('application').get(each.application)?.name ?? each.application
  const listing = listingOf(context, keysOf(service, place.account).toReversed(), (each) => {
    const rules = each.rules.map(({ method, path }) => `${method} ${path}`)
    return [applicationOf(each), each.identity ?? '', stateOf(each, now), keyId(service, each), ...rules].join(' ')
  })
  const cells = (each: CredentialRecord) => {
    const { identity, rules, expiresAt } = each
    const state = stateOf(each, now)
    const lastUse = service.memory.lastUses.get(each.consumerKey)
    const id = keyId(service, each)
    return [
      applicationOf(each),
      tag(...stateWords[state]),
      identity === null ? mutedText('nobody yet') : name(identity),
      shortList(
        rulesInWords(rules).map(({ words }) => words),
        4,
      ),
      lastUse === undefined ? mutedText('not since the start') : time(lastUse),
      expiresAt === undefined ? 'no end' : time(expiresAt),
      html`${name(id)}${(state === 'validated' || state === 'pendingValidation') && revokeForm(service, place, id)}`,
    ]
  }
  return consoleReply(
    place,
    applicationsPath,
    'Consumer keys',
    html`${backLink(place, applicationsPath, 'All applications')}
${accountChoice(place, keysPath)}
${request.query.get('revoked') === 'yes' && successMessage('Revoked: calls signed with the key are refused from now on.')}
${listTable(
  listAt(place, keysPath, 'consumer key', 'consumer keys'),
  listing,
  emptyCard(
    'No consumer key yet.',
    html`<p>An application gets one with <code>POST /1.0/auth/credential</code>; it is valid once a customer accepted it on the page that <code>validationUrl</code> leads to.</p>`,
  ),
  ['Application', 'State', 'For', 'What it may do', 'Last use', 'Until', 'Key'],
  cells,
  ', newest first',
)}`,
  )
}

const revokePurpose = (id: string) => `revoke ${id}`

function revokeForm(service: Service, place: Place, id: string): Markup {
  return html`<form method="post" action="${consolePath(place, `${keysPath}/${id}/revoke`)}">${tokenInput(service, revokePurpose(id))}<button type="submit" class="danger" aria-label="Revoke the key ${id}">Revoke</button></form>`
}

function revoke({ service, params }: RouteContext, place: Place): Reply {
  const found = keysOf(service, place.account).find((each) => keyId(service, each) === params.keyId)
  if (found) revokeCredential(service, found)
  return seeOther(consolePath(place, keysPath, found ? { revoked: 'yes' } : {}))
}

export const applicationRoutes: readonly ServiceRoute[] = [
  showsPlaced(applicationsPath, applications),
  showsPlaced(keysPath, keys),
  formRoute(`${keysPath}/{keyId}/revoke`, ({ params }) => revokePurpose(params.keyId ?? ''), placed(revoke)),
]
