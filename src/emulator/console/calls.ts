import type { RouteContext } from '../api/route.ts'
import { callStream, mostRemembered, type NumberedCall } from '../model/call-log.ts'
import type { Reply } from '../model/exchange.ts'
import { html, type Markup, type Part, pageHeaders } from './html.ts'
import { holdsWords, listed, listingOf, listSize, queryOf, searchForm } from './lists.ts'
import { accountForm, block, mutedText, name, row, select, table, tag, time, verdictNames, verdictTag } from './parts.ts'
import { consolePath, consoleReply, type Place } from './place.ts'

const columns = ['When', 'Call', 'Verdict', 'Answer', 'Who', 'Actions'] as const

function cells({ record }: NumberedCall): readonly Part[] {
  const { at, method, path, verdict, status, identity, actions, credential } = record
  const inside = credential === 'allow' ? 'inside' : credential === 'deny' ? 'outside' : 'unknown'
  return [
    time(at),
    html`<code>${method} ${path}</code>`,
    html`${verdictTag(verdict)}${credential !== null && html` ${tag('quiet', `access rules: ${inside}`)}`}`,
    status,
    name(identity),
    actions.length === 0
      ? mutedText('none needed')
      : html`<ul>${actions.map(
          (each) =>
            html`<li><code>${each.action}</code> ${verdictTag(each.verdict)}${!each.required && html` ${mutedText('(optional)')}`}</li>`,
        )}</ul>`,
  ]
}

function textOf({ record: { method, path, verdict, status, identity, actions } }: NumberedCall): string {
  return [method, path, verdictNames[verdict], status, identity, ...actions.map(({ action }) => action)].join(' ')
}

/** Whose calls: an account, or every one where none is named. */
function chosenAccount({ request }: RouteContext): string | undefined {
  return request.query.get('account') || undefined
}

function firstCall(base: string): Markup {
  return html`<p><strong>No call yet.</strong> Create a service account, ask for a token, and try:</p>
${block('A command that makes a call', `curl "$HOST${base}/v1/hosting/web/example.org" -H "Authorization: Bearer $TOKEN"`)}`
}

/** The log: newest first. Without a script it is as it was when the page was loaded. */
export function calls(context: RouteContext, { base, accounts, account }: Place): Reply {
  const chosen = chosenAccount(context)
  const recordedCalls = context.service.calls.since(0, chosen)
  const listing = listingOf(context, recordedCalls.toReversed(), textOf)
  const { query, page } = listing
  const list = { path: `${base}/console/calls`, one: 'call', many: 'calls', also: { account: chosen } }
  const stream = consolePath({ base, account: chosen }, '/console/calls/stream', query === '' ? {} : { q: query })
  const data = html` data-stream="${stream}" data-newest="${recordedCalls.at(-1)?.number ?? 0}" data-most="${listSize}"`
  return consoleReply(
    { base, accounts, account },
    '/console/calls',
    'Calls',
    html`<p>The last ${mostRemembered} calls that were judged, newest first. Their bodies are not stored.</p>
${accounts.length > 1 && accountForm(list.path, select('account', 'Calls of', [['', 'every account'], ...accounts], chosen ?? ''), 'Show these calls')}
<p class="buttons"><button type="button" class="plain" id="pause" aria-pressed="false" hidden>Pause</button>
<span id="live" role="status" class="soft">Reload the page to see further calls.</span></p>
<div id="log"${page === 1 && data}>
${
  listing.found === 0
    ? html`${searchForm(list, query)}${table('Calls, newest first', columns, [], 'calls')}
<div id="none" class="card">${query === '' ? firstCall(base) : html`<p>No call holds <code>${query}</code>.</p>`}</div>`
    : listed(list, listing, (caption, items) => table(`${caption}, newest first`, columns, items.map(cells), 'calls'))
}
</div>`,
    { script: true },
  )
}

/** Further calls, as rows of the page and in a few words for screen readers. */
export function stream(context: RouteContext): Reply {
  const { service, request } = context
  const after = Number.parseInt(request.headers['last-event-id'] ?? request.query.get('after') ?? '0', 10)
  const chosen = chosenAccount(context)
  const query = queryOf(context)
  const data = (call: NumberedCall) => {
    const { account, method, path, verdict, status } = call.record
    if ((chosen !== undefined && account !== chosen) || !holdsWords(query, textOf(call))) return undefined
    return JSON.stringify({ row: row(columns, cells(call)).source, words: `${method} ${path}: ${verdictNames[verdict]}, ${status}` })
  }
  return {
    status: 200,
    origin: 'stand-in',
    headers: pageHeaders(),
    stream: callStream(service.calls, service.ports.clock, Number.isSafeInteger(after) ? after : 0, data),
  }
}
