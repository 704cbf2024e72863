import type { JudgedRequirement } from '../../calls/judge.ts'
import { place as placeWords } from '../../diagnostic.ts'
import { policiesFile } from '../../propose/insert.ts'
import { sentenceOf, withoutRepeats } from '../../report/decision.ts'
import { entryWords, plural, titleWords } from '../../report/words.ts'
import type { Clause, Decision } from '../../simulate/decision.ts'
import { factText } from '../../simulate/facts.ts'
import type { RouteContext } from '../api/route.ts'
import { callStream, type FailedCall, isOf, type JudgedCall, mostRemembered, type NumberedCall } from '../model/call-log.ts'
import type { Reply } from '../model/exchange.ts'
import { mostOpen, type Open } from '../model/needed.ts'
import type { Service } from '../model/service.ts'
import { idOf } from '../model/worlds.ts'
import { linksIn, placeLink } from './entries.ts'
import { html, type Markup, type Part, pageHeaders } from './html.ts'
import { holdsWords, listed, listingOf, listSize, queryOf, searchForm } from './lists.ts'
import { accountForm, block, choice, mutedText, name, prose, row, select, table, tag, time, verdictNames, verdictTag } from './parts.ts'
import { consolePath, consoleReply, type Place } from './place.ts'

const columns = ['When', 'Call', 'Verdict', 'Answer', 'Who', 'Why'] as const

type Links = Pick<Place, 'base' | 'account'>

/** The verdicts over calls, with that of a call that failed before there was one. */
const kinds = { ...verdictNames, failed: 'failed' } as const

type Kind = keyof typeof kinds

const kindOf = ({ record }: NumberedCall): Kind => record?.verdict ?? 'failed'

const headOf = (call: NumberedCall) => call.record ?? call.failure

function cells(service: Service, base: string, call: NumberedCall): readonly Part[] {
  return call.record ? judgedCells(service, base, call) : failedCells(call)
}

function failedCells({ failure: { at, method, path, status, why } }: FailedCall): readonly Part[] {
  return [time(at), html`<code>${method} ${path}</code>`, tag('quiet', kinds.failed), status, mutedText('not known'), prose(why)]
}

function judgedCells(service: Service, base: string, call: JudgedCall): readonly Part[] {
  const { at, account, method, path, verdict, status, identity, credential } = call.record
  const inside = credential === 'allow' ? 'inside' : credential === 'deny' ? 'outside' : 'unknown'
  const { requirements } = call
  return [
    time(at),
    html`<code>${method} ${path}</code>`,
    html`${verdictTag(verdict)}${service.needed.has(call.record) && html` ${tag('quiet', 'let through')}`}${credential !== null && html` ${tag('quiet', `access rules: ${inside}`)}`}`,
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
  links: Links,
  { record }: JudgedCall,
  { action, required, verdict, from, why, asked }: JudgedRequirement,
): Markup {
  const head = html`<code>${action}</code> ${verdictTag(verdict)}${!required && html` ${mutedText('(optional)')}`}`
  if (!asked)
    return html`${head} ${mutedText(from === 'listing' ? 'the answer lists what the caller may see' : `the resource is not known: ${why}`)}`
  const { question, decision } = asked
  const again = { identity: question.identity, action, resource: question.resource, ip: record.ip, at: record.at }
  return html`${head} ${sentenceOf(decision)}${decision.reason === 'default' && html` ${name(question.resource)}`}
${decision.missing.length > 0 && html` ${mutedText(`not known: ${decision.missing.map(({ fact }) => factText(fact)).join(', ')}`)}`}
${decision.clauses.length > 0 && html`<ul>${withoutRepeats(decision.clauses).map((clause) => html`<li>${entryOf(service, links, record.at, clause, decision)}</li>`)}</ul>`}
<a href="${consolePath(links, '/console/can', again)}" aria-label="Ask again whether ${action} is allowed">Ask again</a>`
}

/** An entry that decided, with a link to it in its policy, as far as the policy is there and as it was. */
function entryOf({ state }: Service, links: Links, madeAt: string, clause: Clause, decision: Decision): Markup {
  const { policy, entry } = clause
  const stored = state.table('policy').get(idOf(policy))
  const since = !stored ? 'deleted' : stored.updatedAt !== null && stored.updatedAt > madeAt ? 'changed' : undefined
  const words = placeWords(entry.span)
  const link = stored && linksIn({ decision, nearest: [] }, links).get(words)
  return html`<strong>${titleWords(policy)}</strong> ${prose(entryWords(clause))} ${placeLink(words, link)}${since && html` ${mutedText(`(${since} since)`)}`}`
}

function textOf(call: NumberedCall): string {
  const { method, path, status } = headOf(call)
  const parts = [method, path, kinds[kindOf(call)], status]
  if (!call.record) return [...parts, call.failure.why].join(' ')
  const reasons = call.requirements.flatMap(({ action, asked }) => [
    action,
    ...(asked?.decision.clauses ?? []).map(({ policy, entry }) => `${policy.name.value} ${placeWords(entry.span)}`),
  ])
  return [...parts, call.record.identity, ...reasons].join(' ')
}

/** Which calls are chosen: of an account, and of a verdict. */
function chosenIn({ request }: RouteContext) {
  const verdict = request.query.get('verdict') ?? ''
  return {
    account: request.query.get('account') || undefined,
    kind: Object.hasOwn(kinds, verdict) ? (verdict as Kind) : undefined,
  }
}

function firstCall(base: string): Markup {
  return html`<p><strong>No call yet.</strong> Create a service account, ask for a token, and try:</p>
${block('A command that makes a call', `curl "$HOST${base}/v1/hosting/web/example.org" -H "Authorization: Bearer $TOKEN"`)}`
}

/** The policies that calls needed which soft mode let through. */
function neededPart({ needed }: Service): Markup {
  const { calls, policies, denied, undecided, withoutResource, omitted } = needed.list()
  const others = denied.length + undecided.length + withoutResource.length
  return html`<h2>Needed policies</h2>
<p>Soft mode is on: calls that policies refuse go through. ${calls === 0 ? 'None was let through yet.' : `${plural(calls, 'call')} went through.`}</p>
${omitted > 0 && html`<p>${plural(omitted, 'further refusal')} not listed: ${mostOpen} different ones are remembered.</p>`}
${policies.length > 0 && block('The smallest policies that allow what was refused', policiesFile(policies))}
${
  others > 0 &&
  html`<ul>${denied.map((each) => html`<li>${openWords(each)}: denied by ${each.by.join(', ')}, which no further policy changes</li>`)}${undecided.map((each) => html`<li>${openWords(each)}: depends on ${each.missing.join(', ')}</li>`)}${withoutResource.map((each) => html`<li>${openWords(each)}: the call does not say on which resource</li>`)}</ul>`
}`
}

function openWords({ identity, action, resource }: Open): Markup {
  return html`${name(identity)} <code>${action}</code>${resource !== null && html` ${name(resource)}`}`
}

/** The log: newest first. Without a script it is as it was when the page was loaded. */
export function calls(context: RouteContext, { base, accounts, account }: Place): Reply {
  const { service } = context
  const chosen = chosenIn(context)
  const recordedCalls = service.calls.since(0, chosen.account)
  const ofKind = recordedCalls.filter((call) => chosen.kind === undefined || kindOf(call) === chosen.kind)
  const listing = listingOf(context, ofKind.toReversed(), textOf)
  const { query, page } = listing
  const words = chosen.kind === undefined ? '' : `${kinds[chosen.kind]} `
  const verdicts = [['', 'every verdict'], ...Object.entries(kinds)] as const
  const list = {
    path: `${base}/console/calls`,
    one: `${words}call`,
    many: `${words}calls`,
    also: { account: chosen.account },
    choices: { fields: choice('verdict', 'Verdict', verdicts, chosen.kind), chosen: { verdict: chosen.kind } },
  }
  const narrowed = { ...(query !== '' && { q: query }), ...(chosen.kind && { verdict: chosen.kind }) }
  const stream = consolePath({ base, account: chosen.account }, '/console/calls/stream', narrowed)
  const data = html` data-stream="${stream}" data-newest="${recordedCalls.at(-1)?.number ?? 0}" data-most="${listSize}"`
  return consoleReply(
    { base, accounts, account },
    '/console/calls',
    'Calls',
    html`<p>The last ${mostRemembered} calls that policies decided, newest first, each with the entries that decided it; and those that failed before that, such as without a valid token. Their bodies are not stored.</p>
${accounts.length > 1 && accountForm(list.path, select('account', 'Calls of', [['', 'every account'], ...accounts], chosen.account ?? ''), 'Show these calls')}
${service.isSoft && neededPart(service)}
<p class="buttons"><button type="button" id="pause" aria-pressed="false" hidden>Pause</button>
<span id="live" role="status" class="soft">Reload the page to see further calls.</span></p>
<div id="log"${page === 1 && data}>
${
  listing.found === 0
    ? html`${searchForm(list, query)}${table('Calls, newest first', columns, [], 'calls')}
<div id="none" class="card">${recordedCalls.length === 0 ? firstCall(base) : noneFound(words, query)}</div>`
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

function noneFound(words: string, query: string): Markup {
  return html`<p>No ${words}call${query === '' ? ' yet' : html` holds <code>${query}</code>`}.</p>`
}

/** Further calls, as rows of the page and in a few words for screen readers. */
export function stream(context: RouteContext, { base }: Place): Reply {
  const { service, request } = context
  const after = Number.parseInt(request.headers['last-event-id'] ?? request.query.get('after') ?? '0', 10)
  const chosen = chosenIn(context)
  const query = queryOf(context)
  const data = (call: NumberedCall) => {
    if (!isOf(call, chosen.account) || (chosen.kind !== undefined && kindOf(call) !== chosen.kind)) return undefined
    if (!holdsWords(query, textOf(call))) return undefined
    const { method, path, status } = headOf(call)
    const words = `${method} ${path}: ${kinds[kindOf(call)]}, ${status}`
    return JSON.stringify({ row: row(columns, cells(service, base, call)).source, words })
  }
  return {
    status: 200,
    origin: 'stand-in',
    headers: pageHeaders(),
    stream: callStream(service.calls, service.ports.clock, Number.isSafeInteger(after) ? after : 0, data),
  }
}
