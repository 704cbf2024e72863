import type { JudgedRequirement } from '../../calls/judge.ts'
import { place as placeWords } from '../../diagnostic.ts'
import { sentenceOf, withoutRepeats } from '../../report/decision.ts'
import { entryWords, titleWords } from '../../report/words.ts'
import type { Clause, Decision } from '../../simulate/decision.ts'
import { factText } from '../../simulate/facts.ts'
import type { RouteContext } from '../api/route.ts'
import { callStream, mostRemembered, type NumberedCall } from '../model/call-log.ts'
import type { Reply } from '../model/exchange.ts'
import type { Service } from '../model/service.ts'
import { idOf } from '../model/worlds.ts'
import { linksIn, placeLink } from './entries.ts'
import { html, type Markup, type Part, pageHeaders } from './html.ts'
import { holdsWords, listed, listingOf, listSize, queryOf, searchForm } from './lists.ts'
import {
  accountForm,
  block,
  choice,
  mutedText,
  name,
  prose,
  row,
  select,
  table,
  tag,
  time,
  type Verdict,
  verdictNames,
  verdictTag,
} from './parts.ts'
import { consolePath, consoleReply, type Place } from './place.ts'

const columns = ['When', 'Call', 'Verdict', 'Answer', 'Who', 'Why'] as const

type Links = Pick<Place, 'base' | 'account'>

function cells(service: Service, base: string, call: NumberedCall): readonly Part[] {
  const { at, account, method, path, verdict, status, identity, credential } = call.record
  const inside = credential === 'allow' ? 'inside' : credential === 'deny' ? 'outside' : 'unknown'
  const { requirements } = call
  return [
    time(at),
    html`<code>${method} ${path}</code>`,
    html`${verdictTag(verdict)}${credential !== null && html` ${tag('quiet', `access rules: ${inside}`)}`}`,
    status,
    name(identity),
    requirements.length === 0
      ? mutedText('no action is needed')
      : html`<ul class="reasons">${requirements.map((each) => html`<li>${reasonOf(service, { base, account }, call, each)}</li>`)}</ul>`,
  ]
}

/** The decision over one of the actions that a call needs: the entries that made it, or what is missing. */
function reasonOf(
  service: Service,
  at: Links,
  { record }: NumberedCall,
  { action, required, verdict, from, why, asked }: JudgedRequirement,
): Markup {
  const head = html`<code>${action}</code> ${verdictTag(verdict)}${!required && html` ${mutedText('(optional)')}`}`
  if (!asked)
    return html`${head} ${mutedText(from === 'listing' ? 'the answer lists what the caller may see' : `the resource is not known: ${why}`)}`
  const { question, decision } = asked
  const again = { identity: question.identity, action, resource: question.resource, ip: record.ip, at: record.at }
  return html`${head} ${sentenceOf(decision)}${decision.reason === 'default' && html` ${name(question.resource)}`}
${decision.missing.length > 0 && html` ${mutedText(`not known: ${decision.missing.map(({ fact }) => factText(fact)).join(', ')}`)}`}
${decision.clauses.length > 0 && html`<ul>${withoutRepeats(decision.clauses).map((clause) => html`<li>${entryOf(service, at, record.at, clause, decision)}</li>`)}</ul>`}
<a href="${consolePath(at, '/console/can', again)}" aria-label="Ask again whether ${action} is allowed">Ask again</a>`
}

/** An entry that decided, with a link to it in its policy, as far as the policy is there and as it was. */
function entryOf({ state }: Service, at: Links, madeAt: string, clause: Clause, decision: Decision): Markup {
  const { policy, entry } = clause
  const stored = state.table('policy').get(idOf(policy))
  const since = !stored ? 'deleted' : stored.updatedAt !== null && stored.updatedAt > madeAt ? 'changed' : undefined
  const words = placeWords(entry.span)
  const link = stored && linksIn({ decision, nearest: [] }, at).get(words)
  return html`<strong>${titleWords(policy)}</strong> ${prose(entryWords(clause))} ${placeLink(words, link)}${since && html` ${mutedText(`(${since} since)`)}`}`
}

function textOf({ record: { method, path, verdict, status, identity }, requirements }: NumberedCall): string {
  const reasons = requirements.flatMap(({ action, asked }) => [
    action,
    ...(asked?.decision.clauses ?? []).map(({ policy, entry }) => `${policy.name.value} ${placeWords(entry.span)}`),
  ])
  return [method, path, verdictNames[verdict], status, identity, ...reasons].join(' ')
}

/** The calls that are chosen: of an account, and of a verdict. */
function chosenIn({ request }: RouteContext) {
  const verdict = request.query.get('verdict') ?? ''
  return {
    account: request.query.get('account') || undefined,
    verdict: Object.hasOwn(verdictNames, verdict) ? (verdict as Verdict) : undefined,
  }
}

function firstCall(base: string): Markup {
  return html`<p><strong>No call yet.</strong> Create a service account, ask for a token, and try:</p>
${block('A command that makes a call', `curl "$HOST${base}/v1/hosting/web/example.org" -H "Authorization: Bearer $TOKEN"`)}`
}

/** The log: newest first. Without a script it is as it was when the page was loaded. */
export function calls(context: RouteContext, { base, accounts, account }: Place): Reply {
  const { service } = context
  const chosen = chosenIn(context)
  const recordedCalls = service.calls.since(0, chosen.account)
  const ofVerdict = recordedCalls.filter(({ record }) => chosen.verdict === undefined || record.verdict === chosen.verdict)
  const listing = listingOf(context, ofVerdict.toReversed(), textOf)
  const { query, page } = listing
  const kind = chosen.verdict === undefined ? '' : `${verdictNames[chosen.verdict]} `
  const verdicts = [['', 'every verdict'], ...Object.entries(verdictNames)] as const
  const list = {
    path: `${base}/console/calls`,
    one: `${kind}call`,
    many: `${kind}calls`,
    also: { account: chosen.account },
    choices: { fields: choice('verdict', 'Verdict', verdicts, chosen.verdict), chosen: { verdict: chosen.verdict } },
  }
  const narrowed = { ...(query !== '' && { q: query }), ...(chosen.verdict && { verdict: chosen.verdict }) }
  const stream = consolePath({ base, account: chosen.account }, '/console/calls/stream', narrowed)
  const data = html` data-stream="${stream}" data-newest="${recordedCalls.at(-1)?.number ?? 0}" data-most="${listSize}"`
  return consoleReply(
    { base, accounts, account },
    '/console/calls',
    'Calls',
    html`<p>The last ${mostRemembered} calls that were judged, newest first, each with the entries that decided it. Their bodies are not stored. Calls that fail before that, such as those without a valid token, are in <code>--request-log</code>.</p>
${accounts.length > 1 && accountForm(list.path, select('account', 'Calls of', [['', 'every account'], ...accounts], chosen.account ?? ''), 'Show these calls')}
<p class="buttons"><button type="button" class="plain" id="pause" aria-pressed="false" hidden>Pause</button>
<span id="live" role="status" class="soft">Reload the page to see further calls.</span></p>
<div id="log"${page === 1 && data}>
${
  listing.found === 0
    ? html`${searchForm(list, query)}${table('Calls, newest first', columns, [], 'calls')}
<div id="none" class="card">${recordedCalls.length === 0 ? firstCall(base) : noneFound(kind, query)}</div>`
    : listed(list, listing, (caption, items) =>
        table(
          `${caption}, newest first`,
          columns,
          items.map((call) => cells(service, base, call)),
          'calls',
        ),
      )
}
</div>`,
    { script: true },
  )
}

function noneFound(kind: string, query: string): Markup {
  return html`<p>No ${kind}call${query === '' ? ' yet' : html` holds <code>${query}</code>`}.</p>`
}

/** Further calls, as rows of the page and in a few words for screen readers. */
export function stream(context: RouteContext, { base }: Place): Reply {
  const { service, request } = context
  const after = Number.parseInt(request.headers['last-event-id'] ?? request.query.get('after') ?? '0', 10)
  const chosen = chosenIn(context)
  const query = queryOf(context)
  const data = (call: NumberedCall) => {
    const { account, method, path, verdict, status } = call.record
    if (chosen.account !== undefined && account !== chosen.account) return undefined
    if (chosen.verdict !== undefined && verdict !== chosen.verdict) return undefined
    if (!holdsWords(query, textOf(call))) return undefined
    const words = `${method} ${path}: ${verdictNames[verdict]}, ${status}`
    return JSON.stringify({ row: row(columns, cells(service, base, call)).source, words })
  }
  return {
    status: 200,
    origin: 'stand-in',
    headers: pageHeaders(),
    stream: callStream(service.calls, service.ports.clock, Number.isSafeInteger(after) ? after : 0, data),
  }
}
