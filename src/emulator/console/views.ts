import type { NumberedCall } from '../model/call-log.ts'
import type { SchemaHistory } from '../model/schemas.ts'
import { html, lines, type Markup, type Page, type Part } from './html.ts'
import { type Listing, listSize } from './listing.ts'
import {
  accountChoice,
  errorSummary,
  type FieldError,
  facts,
  field,
  jsonText,
  listed,
  name,
  row,
  searchForm,
  select,
  table,
  time,
  type Verdict,
  verdictNames,
  verdictTag,
} from './parts.ts'
import { consolePage, consolePath, type Place } from './place.ts'
import { type PolicyRow, policyLink } from './policy-views.ts'

/** The pages of the console: what is kept for an account, and the calls that were made. */

export interface Overview {
  readonly policies: number
  readonly serviceAccounts: number
  readonly resources: number
  readonly calls: number
}

export function overviewPage(place: Place, counts: ReadonlyMap<string, Overview>): Page {
  const { base, accounts } = place
  const link = (account: string, path: string, words: Part) => html`<a href="${consolePath({ base, account }, path)}">${words}</a>`
  return consolePage(
    place,
    '/console',
    'Console',
    html`<p>What this stand-in keeps, and what is asked of it. Each call is judged by the policies below, as they are at that moment.</p>
${
  accounts.length === 0
    ? html`<div class="card"><p><strong>No account of this region yet.</strong></p><p>Accounts come with the policies that are seeded: start again with</p><pre tabindex="0" aria-label="A command that starts with policies"><code>grantwise serve --seed policies/</code></pre></div>`
    : table(
        'Accounts of this region',
        ['Account', 'Policies', 'Service accounts', 'Resources with a state', 'Calls remembered'],
        accounts.map((account) => {
          const count = counts.get(account)
          return [
            link(account, '/console/policies', account),
            count?.policies,
            link(account, '/console/service-accounts', count?.serviceAccounts),
            link(account, '/console/resources', count?.resources),
            link(account, '/console/calls', count?.calls),
          ]
        }),
      )
}
<h2>Also here</h2>
<ul><li><a href="${base}/createApp">Register an application</a> that asks customers for delegated access</li></ul>`,
  )
}

export interface ServiceAccountRow {
  readonly identity: string
  readonly name: string | undefined
  readonly clientId: string
}

export function serviceAccountsPage(
  place: Place,
  rows: Listing<ServiceAccountRow>,
  form: { readonly name: string; readonly errors: readonly FieldError[]; readonly token: Markup },
): Page {
  const { base, account } = place
  return consolePage(
    place,
    '/console/service-accounts',
    'Service accounts',
    html`${accountChoice(`${base}/console/service-accounts`, place.accounts, account)}
${
  rows.all === 0
    ? html`<p class="card"><strong>No service account yet.</strong> Make one below, then let a policy name its identity.</p>`
    : listed(`${base}/console/service-accounts`, ['service account', 'service accounts', account], rows, { account }, (caption, items) =>
        table(
          caption,
          ['Name', 'Client identifier', 'Identity, as policies name it'],
          items.map((each) => [each.name ?? html`<span class="soft">no name</span>`, name(each.clientId), name(each.identity)]),
        ),
      )
}
${
  account !== undefined &&
  html`<h2>Make a service account</h2>
<p>The document does not show how service accounts are made: this form is the stand-in's own. A new account may do nothing until a policy names it.</p>
${errorSummary(form.errors)}
<form method="post" action="${consolePath(place, '/console/service-accounts')}" class="card narrow" novalidate>
${form.token}
${field({ id: 'name', label: 'Name', hint: 'For people; it decides nothing.', value: form.name, required: true, most: 100 }, form.errors)}
<p class="buttons"><button type="submit">Make it</button></p>
</form>`
}`,
  )
}

/** The secret of a new service account, shown once, with how to ask for a token. */
export function serviceAccountMadePage(place: Place, made: ServiceAccountRow & { readonly secret: string }, authUrl: string): Page {
  const curl = `curl ${authUrl}/auth/oauth2/token \\\n  -d grant_type=client_credentials -d scope=all \\\n  -d client_id=${made.clientId} -d client_secret=${made.secret}`
  return consolePage(
    place,
    '/console/service-accounts',
    'Service account made',
    html`<p role="status">The service account <strong>${made.name}</strong> is made. No policy names it yet.</p>
<div class="card">${facts([
      ['Client identifier', html`<code id="client-id">${made.clientId}</code>`],
      ['Client secret', html`<code id="client-secret" class="secret">${made.secret}</code>`],
      ['Identity, as policies name it', html`<code id="identity">${made.identity}</code>`],
    ])}
<p class="warn"><strong>The secret is shown this once.</strong> Store it now.</p></div>
<h2>Ask for a token</h2>
<pre tabindex="0" aria-label="A command that asks for a token"><code>${lines(curl)}</code></pre>
<p><a href="${consolePath(place, '/console/service-accounts')}">All service accounts</a></p>`,
  )
}

export function schemasPage(
  place: Place,
  versions: readonly string[],
  history: SchemaHistory,
  current: string | undefined,
  token: Markup,
  saved: boolean,
): Page {
  const { base, account } = place
  return consolePage(
    place,
    '/console/schemas',
    'Schemas version',
    html`${accountChoice(`${base}/console/schemas`, place.accounts, account)}
${saved && html`<p role="status" class="card allow">Saved: the account uses major version ${current}.</p>`}
<p>Calls to <code>/v2</code> without the header <code>X-Schemas-Version</code> use the major version that the account has chosen.</p>
${
  account !== undefined &&
  html`<form method="post" action="${consolePath(place, '/console/schemas')}" class="card narrow">
${token}
${select(
  'version',
  `Major version of ${account}`,
  versions.map((version) => [version, version] as const),
  current,
)}
<p class="buttons"><button type="submit">Save</button></p>
</form>`
}
${table(
  'Versions of resources with a state',
  ['Version', 'Since', 'What it changed'],
  history.toReversed().map(({ major, minor, releasedAt, changelog }) => [`${major}.${minor}`, time(releasedAt), changelog]),
)}`,
  )
}

export interface ResourceCard {
  readonly title: string
  readonly urn: string | undefined
  readonly path: string
  readonly current: unknown
  readonly target: unknown
  readonly tasks: readonly {
    readonly id: string
    readonly type: string
    readonly status: string
    readonly steps: string
    readonly updatedAt: string
  }[]
  readonly events: readonly { readonly createdAt: string; readonly type: string; readonly message: string }[]
}

export function resourcesPage(place: Place, cards: Listing<ResourceCard>): Page {
  return consolePage(
    place,
    '/console/resources',
    'Resources',
    html`${accountChoice(`${place.base}/console/resources`, place.accounts, place.account)}
<p>Resources of the second branch, with the state they are in and the state they are to reach. A change of the target starts a task; reload to see how far it is.</p>
${
  cards.all === 0
    ? html`<div class="card"><p><strong>No resource with a state yet.</strong></p><p>They come with a seed: <code>standIn.resources</code>, each with <code>urn</code>, <code>path</code>, <code>currentState</code> and <code>targetSpec</code>.</p></div>`
    : listed(
        `${place.base}/console/resources`,
        ['resource', 'resources'],
        cards,
        { account: place.account },
        (_, items) => html`${items.map(resourcePart)}`,
      )
}`,
  )
}

function resourcePart({ title, urn, path, current, target, tasks, events }: ResourceCard): Markup {
  return html`<section class="card">
<h2>${title}</h2>
${facts([
  ['URN', urn === undefined ? undefined : name(urn)],
  ['Path', name(path)],
])}
<h3>Current state</h3><pre tabindex="0" aria-label="Current state of ${title}"><code>${lines(jsonText(current))}</code></pre>
<h3>Target state</h3><pre tabindex="0" aria-label="Target state of ${title}"><code>${lines(jsonText(target))}</code></pre>
<h3>Tasks</h3>
${
  tasks.length === 0
    ? html`<p class="soft">None.</p>`
    : table(
        `Tasks of ${title}`,
        ['Task', 'Kind', 'Status', 'Steps', 'Last change'],
        tasks.map((task) => [name(task.id), task.type, task.status, task.steps, time(task.updatedAt)]),
      )
}
<h3>Events</h3>
${
  events.length === 0
    ? html`<p class="soft">None.</p>`
    : table(
        `Events of ${title}`,
        ['When', 'Kind', 'Message'],
        events.map((event) => [time(event.createdAt), event.type, event.message]),
      )
}
</section>`
}

/** A question as the form was filled in. */
export interface AskedQuestion {
  readonly identity: string
  readonly action: string
  readonly resource: string
  readonly ip: string
  readonly groups: string
  readonly tags: string
}

export interface Answer {
  readonly verdict: Verdict
  readonly sentence: string
  readonly entries: readonly {
    readonly policy: Pick<PolicyRow, 'id' | 'name'>
    readonly list: string
    readonly entry: string
    readonly group?: string
  }[]
  readonly nearest: readonly { readonly policy: Pick<PolicyRow, 'id' | 'name'>; readonly words: string }[]
  readonly missing: readonly string[]
  readonly caveats: readonly string[]
}

export interface Offered {
  readonly identities: readonly string[]
  readonly actions: readonly string[]
  readonly resources: readonly string[]
}

export function canPage(
  place: Place,
  asked: AskedQuestion,
  answer: Answer | undefined,
  errors: readonly FieldError[],
  offered: Offered,
): Page {
  const { base, account } = place
  const more = asked.ip !== '' || asked.groups !== '' || asked.tags !== ''
  return consolePage(
    place,
    '/console/can',
    'Ask: is it allowed?',
    html`<form method="get" action="${base}/console/can" class="card" id="question" novalidate>
${
  place.accounts.length > 1
    ? select(
        'account',
        'In the policies of',
        place.accounts.map((each) => [each, each] as const),
        account,
      )
    : html`<input type="hidden" name="account" value="${account ?? ''}">`
}
${field({ id: 'identity', label: 'Identity', hint: 'Who asks, such as urn:v1:eu:identity:user:ab12-svc/ann', value: asked.identity, required: true, exact: true, offered: offered.identities })}
${field({ id: 'action', label: 'Action', hint: 'What for, such as webHosting:apisvc:get', value: asked.action, required: true, exact: true, offered: offered.actions })}
${field({ id: 'resource', label: 'Resource', hint: 'On what, such as urn:v1:eu:resource:webHosting:example.org', value: asked.resource, required: true, exact: true, offered: offered.resources })}
<details${more && html` open`}><summary>Further facts</summary>
${field({ id: 'ip', label: 'Address of the request', hint: 'Left empty: not known.', value: asked.ip, exact: true })}
${field({ id: 'groups', label: 'Groups of the identity', hint: 'Group URNs, one a line, besides those that are known.', value: asked.groups, exact: true, tall: true })}
${field({ id: 'tags', label: 'Tags of the resource', hint: 'KEY=VALUE, one a line, besides those that are known.', value: asked.tags, exact: true, tall: true })}
</details>
<p class="buttons"><button type="submit">Ask</button></p>
</form>
<p role="status" id="said" class="verdict">${answer && html`${verdictTag(answer.verdict)} ${answer.sentence}`}</p>
<div id="answer">${errorSummary(errors)}${answer && answerParts(place, answer)}</div>`,
    true,
  )
}

function answerParts(place: Place, { entries, nearest, missing, caveats }: Answer): Markup {
  return html`<h2>Why</h2>
${
  entries.length > 0 &&
  table(
    'The entries that decide it',
    ['Policy', 'List', 'Entry', 'In the permissions group'],
    entries.map(({ policy, list, entry, group }) => [
      policyLink(place, policy),
      list,
      name(entry),
      group === undefined ? '–' : name(group),
    ]),
  )
}
${entries.length === 0 && nearest.length === 0 && html`<p>No entry of any policy had a say.</p>`}
${
  nearest.length > 0 &&
  table(
    'The policies that came nearest',
    ['Policy', 'Where it stops'],
    nearest.map(({ policy, words }) => [policyLink(place, policy), words]),
  )
}
${missing.length > 0 && html`<h3>What is not known</h3><ul>${missing.map((each) => html`<li>${name(each)}</li>`)}</ul>`}
${caveats.length > 0 && html`<h3>To be borne in mind</h3><ul>${caveats.map((each) => html`<li>${each}</li>`)}</ul>`}`
}

const callColumns = ['When', 'Call', 'Verdict', 'Answer', 'Who', 'Actions'] as const

/** One row of the log, as the page and the stream write it. */
export function callRow(call: NumberedCall): Markup {
  return row(callColumns, callCells(call))
}

function callCells({ record }: NumberedCall): readonly Part[] {
  const { at, method, path, verdict, status, identity, actions, credential } = record
  return [
    time(at),
    html`<code>${method} ${path}</code>`,
    html`${verdictTag(verdict)}${credential !== null && html` <span class="tag quiet">access rules: ${credential === 'allow' ? 'inside' : credential === 'deny' ? 'outside' : 'unknown'}</span>`}`,
    status,
    name(identity),
    actions.length === 0
      ? html`<span class="soft">none needed</span>`
      : html`<ul>${actions.map(
          (each) =>
            html`<li><code>${each.action}</code> ${verdictTag(each.verdict)}${!each.required && html` <span class="soft">(optional)</span>`}</li>`,
        )}</ul>`,
  ]
}

/** In a few words, for those who hear it. */
export function callWords({ record: { method, path, verdict, status } }: NumberedCall): string {
  return `${method} ${path}: ${verdict === 'allow' ? 'allowed' : verdict === 'deny' ? 'refused' : 'unknown'}, ${status}`
}

function firstCall(base: string): Markup {
  return html`<p><strong>No call yet.</strong> Make a service account, ask for a token, and try:</p>
<pre tabindex="0" aria-label="A command that makes a call"><code>${lines(`curl "$HOST${base}/v1/hosting/web/example.org" -H "Authorization: Bearer $TOKEN"`)}</code></pre>`
}

/** The text of a call that a search looks through. */
export function callText({ record: { method, path, verdict, status, identity, actions } }: NumberedCall): string {
  return [method, path, verdictNames[verdict], status, identity, ...actions.map(({ action }) => action)].join(' ')
}

/** The log: newest first. Without a script it is as it was when the page was loaded. */
export function callsPage(place: Place, calls: Listing<NumberedCall>, newest: number, chosen: string | undefined, most: number): Page {
  const { query, page } = calls
  const path = `${place.base}/console/calls`
  const stream = consolePath({ base: place.base, account: chosen }, '/console/calls/stream', query === '' ? {} : { q: query })
  return consolePage(
    place,
    '/console/calls',
    'Calls',
    html`<p>The last ${most} calls that were judged, newest first. Nothing of their bodies is kept here.</p>
${
  place.accounts.length > 1 &&
  html`<form method="get" action="${place.base}/console/calls" class="narrow">${select(
    'account',
    'Calls of',
    [['', 'every account'] as const, ...place.accounts.map((each) => [each, each] as const)],
    chosen ?? '',
  )}<p><button type="submit" class="plain">Show these calls</button></p></form>`
}
<p class="buttons"><button type="button" class="plain" id="pause" aria-pressed="false" hidden>Pause</button>
<span id="live" role="status" class="soft">Reload the page to see further calls.</span></p>
<div id="log"${page === 1 && html` data-stream="${stream}" data-newest="${newest}" data-most="${listSize}"`}>
${
  calls.found === 0
    ? html`${searchForm(path, 'Search calls', query, { account: chosen })}${table('Calls, newest first', callColumns, [], 'calls')}
<div id="none" class="card">${query === '' ? firstCall(place.base) : html`<p>No call holds <code>${query}</code>.</p>`}</div>`
    : listed(path, ['call', 'calls'], calls, { account: chosen }, (caption, items) =>
        table(`${caption}, newest first`, callColumns, items.map(callCells), 'calls'),
      )
}
</div>`,
    true,
  )
}
