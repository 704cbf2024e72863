import type { RouteContext, ServiceRoute } from '../api/route.ts'
import { lastUseOf, revokeCredential, stateOf } from '../auth/credentials.ts'
import type { Reply } from '../model/exchange.ts'
import type { CredentialRecord, CredentialState } from '../model/records.ts'
import type { Service } from '../service.ts'
import { rulesInWords } from './delegation.ts'
import { does, seeOther, shows, tokenInput } from './guard.ts'
import { html, type Markup, pageReply } from './html.ts'
import { askedOf, type Listing, listingOf, mapped } from './listing.ts'
import { accountChoice, listed, name, table, time } from './parts.ts'
import { consolePage, consolePath, type Place, placed } from './place.ts'

/** Applications and the consumer keys that they were given, in the console. */

const applicationsPath = '/console/applications'
const keysPath = `${applicationsPath}/keys`

interface ApplicationRow {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly createdAt: string
  /** How many of its consumer keys are worth something now. */
  readonly keys: number
}

interface KeyRow {
  readonly id: string
  readonly application: string
  readonly identity: string | null
  readonly state: CredentialState
  readonly rules: CredentialRecord['rules']
  readonly createdAt: string
  readonly expiresAt: string | undefined
  readonly lastUse: string | undefined
  /** What its form carries; undefined: there is nothing to revoke. */
  readonly token: Markup | undefined
}

/** What names a consumer key on a page: the key itself is for the application alone. */
function keyId({ ports }: Service, { consumerKey }: CredentialRecord): string {
  return ports.digest.sha256(consumerKey).slice(0, 16)
}

/** The keys that an account accepted, and those that wait for an answer to one of its own applications. */
function keysOf({ state }: Service, account: string | undefined): readonly CredentialRecord[] {
  return [...state.table('credential').all()].filter(
    (each) => each.account === account || (each.account === null && state.table('application').get(each.application)?.account === account),
  )
}

function applications({ service, request }: RouteContext, place: Place): Reply {
  const { state, ports } = service
  const now = ports.clock.now()
  const own = [...state.table('application').all()].filter(({ account }) => account === place.account)
  const valid = new Map<string, number>()
  for (const each of state.table('credential').all())
    if (stateOf(each, now) === 'validated') valid.set(each.application, (valid.get(each.application) ?? 0) + 1)
  const listing = listingOf(own, askedOf(request.query), (each) => `${each.name} ${each.description} ${each.key}`)
  const rows = mapped(listing, ({ key, name: title, description, createdAt }) => ({
    key,
    name: title,
    description,
    createdAt,
    keys: valid.get(key) ?? 0,
  }))
  return pageReply(applicationsPage(place, rows))
}

function applicationsPage(place: Place, rows: Listing<ApplicationRow>): ReturnType<typeof consolePage> {
  const { base, account, accounts } = place
  return consolePage(
    place,
    applicationsPath,
    'Applications',
    html`${accountChoice(`${base}${applicationsPath}`, accounts, account)}
<p class="buttons"><a href="${base}/createApp">Register an application</a> <a href="${consolePath(place, keysPath)}">Consumer keys</a></p>
${
  rows.all === 0
    ? html`<div class="card"><p><strong>No application of ${account ?? 'this region'} yet.</strong></p><p>An application asks customers for delegated access: register one, then send <code>POST /1.0/auth/credential</code> with its key.</p></div>`
    : listed(`${base}${applicationsPath}`, ['application', 'applications', account], rows, { account }, (caption, items) =>
        table(
          caption,
          ['Name', 'Application key', 'Description', 'Valid consumer keys', 'Registered'],
          items.map((each) => [each.name, name(each.key), each.description, each.keys, time(each.createdAt)]),
        ),
      )
}`,
  )
}

function keys({ service, request }: RouteContext, place: Place): Reply {
  const now = service.ports.clock.now()
  const nameOf = (each: CredentialRecord) => service.state.table('application').get(each.application)?.name ?? each.application
  const found = listingOf(keysOf(service, place.account).toReversed(), askedOf(request.query), (each) =>
    [
      nameOf(each),
      each.identity ?? '',
      stateOf(each, now),
      keyId(service, each),
      ...each.rules.map(({ method, path }) => `${method} ${path}`),
    ].join(' '),
  )
  const rows = mapped(found, (each): KeyRow => {
    const state = stateOf(each, now)
    const id = keyId(service, each)
    return {
      id,
      application: nameOf(each),
      identity: each.identity,
      state,
      rules: each.rules,
      createdAt: each.createdAt,
      expiresAt: each.expiresAt,
      lastUse: lastUseOf(service, each),
      token: state === 'validated' || state === 'pendingValidation' ? tokenInput(service, revokePurpose(id)) : undefined,
    }
  })
  return pageReply(keysPage(place, rows, request.query.get('revoked') === 'yes'))
}

const stateWords: Readonly<Record<CredentialState, readonly [css: string, words: string]>> = {
  validated: ['allow', 'valid'],
  pendingValidation: ['unknown', 'waits for an answer'],
  refused: ['deny', 'refused'],
  expired: ['quiet', 'expired'],
}

function keysPage(place: Place, rows: Listing<KeyRow>, revoked: boolean): ReturnType<typeof consolePage> {
  const { base, account, accounts } = place
  const state = (each: CredentialState) => html`<span class="tag ${stateWords[each][0]}">${stateWords[each][1]}</span>`
  return consolePage(
    place,
    applicationsPath,
    'Consumer keys',
    html`<p><a href="${consolePath(place, applicationsPath)}">All applications</a></p>
${accountChoice(`${base}${keysPath}`, accounts, account)}
${revoked && html`<p role="status" class="card allow">Revoked: calls signed with the key are refused from now on.</p>`}
${
  rows.all === 0
    ? html`<div class="card"><p><strong>No consumer key yet.</strong></p><p>An application gets one with <code>POST /1.0/auth/credential</code>; it is worth something once a customer accepted it on the page that <code>validationUrl</code> leads to.</p></div>`
    : listed(`${base}${keysPath}`, ['consumer key', 'consumer keys'], rows, { account }, (caption, items) =>
        table(
          `${caption}, newest first`,
          ['Application', 'State', 'For', 'What it may do', 'Last use', 'Until', 'Key'],
          items.map((each) => [
            each.application,
            state(each.state),
            each.identity === null ? html`<span class="soft">nobody yet</span>` : name(each.identity),
            rulesPart(each.rules),
            each.lastUse === undefined ? html`<span class="soft">not since the start</span>` : time(each.lastUse),
            each.expiresAt === undefined ? 'no end' : time(each.expiresAt),
            html`${name(each.id)}${
              each.token &&
              html`<form method="post" action="${consolePath(place, `${keysPath}/${each.id}/revoke`)}">${each.token}<button type="submit" class="danger" aria-label="Revoke the key ${each.id}">Revoke</button></form>`
            }`,
          ]),
        ),
      )
}`,
  )
}

const mostRules = 4

function rulesPart(rules: CredentialRecord['rules']): Markup {
  const worded = rulesInWords(rules)
  const more = worded.length - mostRules
  return html`<ul>${worded.slice(0, mostRules).map(({ words }) => html`<li>${words}</li>`)}${more > 0 && html`<li class="soft">and ${more} more</li>`}</ul>`
}

const revokePurpose = (id: string) => `revoke ${id}`

/** End a key. One that has ended already stays so. */
function revoke({ service, params }: RouteContext, place: Place): Reply {
  const found = keysOf(service, place.account).find((each) => keyId(service, each) === params.keyId)
  if (found) revokeCredential(service, found)
  return seeOther(consolePath(place, keysPath, found ? { revoked: 'yes' } : {}))
}

export const applicationRoutes: readonly ServiceRoute[] = [
  shows(applicationsPath, placed(applications)),
  shows(keysPath, placed(keys)),
  does(`${keysPath}/{keyId}/revoke`, ({ params }) => revokePurpose(params.keyId ?? ''), placed(revoke)),
]
