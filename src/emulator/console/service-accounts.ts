import type { RouteContext, ServiceRoute } from '../api/route.ts'
import type { Reply } from '../model/exchange.ts'
import type { ServiceAccountRecord } from '../model/records.ts'
import type { Service } from '../model/service.ts'
import { fieldOf, formRoute, tokenInput } from './guard.ts'
import { html } from './html.ts'
import { listingOf, listTable } from './lists.ts'
import { block, errorSummary, type FieldError, facts, field, mutedText, name } from './parts.ts'
import { accountChoice, accountPurpose, backLink, consolePath, consoleReply, listAt, type Place, placed, showsPlaced } from './place.ts'

const path = '/console/service-accounts'

export function serviceAccountsOf({ state }: Service, account: string | undefined): readonly ServiceAccountRecord[] {
  return [...state.table('serviceAccount').all()].filter((each) => each.account === account)
}

const longestName = 100

function list(context: RouteContext, place: Place, typed = '', errors: readonly FieldError[] = []): Reply {
  const { service } = context
  const listing = listingOf(context, serviceAccountsOf(service, place.account), (each) => `${each.name ?? ''} ${each.identity}`)
  const form = html`<h2>Create a service account</h2>
<p>The document does not show how service accounts are created: this form is the emulator's own. A new account may do nothing until a policy names it.</p>
${errorSummary(errors)}
<form method="post" action="${consolePath(place, path)}" class="card narrow" novalidate>
${tokenInput(service, accountPurpose('service-accounts')(context))}
${field({ id: 'name', label: 'Name', hint: 'For people; no decision depends on it.', value: typed, required: true, most: longestName }, errors)}
<p class="buttons"><button type="submit" class="primary">Create</button></p>
</form>`
  return consoleReply(
    place,
    path,
    'Service accounts',
    html`${accountChoice(place, path)}
${listTable(
  listAt(place, path, 'service account', 'service accounts'),
  listing,
  html`<p class="card"><strong>No service account yet.</strong> Create one below, then let a policy name its identity.</p>`,
  ['Name', 'Client identifier', 'Identity, as policies name it'],
  (each) => [each.name ?? mutedText('no name'), name(each.clientId), name(each.identity)],
)}
${place.account !== undefined && form}`,
    { status: errors.length > 0 ? 400 : 200 },
  )
}

/** The page shows the secret once, with how to ask for a token. */
function create(context: RouteContext, place: Place): Reply {
  const { service, request } = context
  const { chance, digest } = service.ports
  const title = fieldOf(context, 'name')
  const { account } = place
  if (account === undefined) return list(context, place)
  const problem =
    title === '' ? 'Enter a name.' : title.length > longestName ? `The name is longer than ${longestName} characters.` : undefined
  if (problem !== undefined) return list(context, place, title, [{ field: 'name', message: problem }])
  const clientId = `${request.region.toUpperCase()}.${chance.uuid().replaceAll('-', '').slice(0, 16)}`
  const secret = chance.token(32)
  const identity = `urn:v1:${request.region}:identity:credential:${account}/oauth2-${clientId}`
  const value: ServiceAccountRecord = { clientId, identity, account, secretDigest: digest.sha256(secret), name: title }
  service.state.commit([{ kind: 'serviceAccount', key: clientId, value }])
  const curl = `curl ${service.address(request.region)}/auth/oauth2/token \\\n  -d grant_type=client_credentials -d scope=all \\\n  -d client_id=${clientId} -d client_secret=${secret}`
  return consoleReply(
    place,
    path,
    'Service account created',
    html`<p role="status">The service account <strong>${title}</strong> was created. No policy names it yet.</p>
<div class="card">${facts([
      ['Client identifier', html`<code id="client-id">${clientId}</code>`],
      ['Client secret', html`<code id="client-secret" class="secret">${secret}</code>`],
      ['Identity, as policies name it', html`<code id="identity">${identity}</code>`],
    ])}
<p class="callout warning"><strong>The secret is shown this once.</strong> Store it now.</p></div>
<h2>Ask for a token</h2>
${block('A command that asks for a token', curl)}
${backLink(place, path, 'All service accounts')}`,
  )
}

export const serviceAccountRoutes: readonly ServiceRoute[] = [
  showsPlaced(path, (context, place) => list(context, place)),
  formRoute(path, accountPurpose('service-accounts'), placed(create)),
]
