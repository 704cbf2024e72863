import { answerCanNow, type CanPart, partOf, readCan } from '../../ask/can.ts'
import { readContext } from '../../ask/context.ts'
import { sentenceCase } from '../../page/words.ts'
import type { World } from '../../policy.ts'
import { paint } from '../../report/colour.ts'
import { decisionText, decisionWords } from '../../report/decision.ts'
import { Names } from '../../report/names.ts'
import { remediesOf } from '../../report/remedy.ts'
import { verdictWords } from '../../report/verdict-words.ts'
import type { GateRow } from '../../report/why.ts'
import type { Question } from '../../simulate/decision.ts'
import { ShortNames } from '../../simulate/short-names.ts'
import { decisionIntervalOf } from '../../symbolic/decision-interval.ts'
import type { RouteContext } from '../api/route.ts'
import type { Reply } from '../model/exchange.ts'
import type { Service } from '../model/service.ts'
import { type EntryLinks, linksIn, placeLink } from './entries.ts'
import { html, lines, type Markup } from './html.ts'
import { errorSummary, type FieldError, field, hidden, prose, select, table } from './parts.ts'
import { consoleReply, type Place } from './place.ts'

/** `can` as a page: the same names, the same answer, the same refusals. */

const questionFields = ['identity', 'action', 'resource', 'ip', 'at', 'owner', 'groups', 'tags'] as const

type Asked = Readonly<Record<(typeof questionFields)[number], string>>

/** The field of each part of a question. */
const fieldOf: Readonly<Record<CanPart, keyof Asked>> = {
  identity: 'identity',
  action: 'action',
  resource: 'resource',
  group: 'groups',
  ip: 'ip',
  tag: 'tags',
  at: 'at',
  owner: 'owner',
}

const linesIn = (value: string): readonly string[] =>
  value
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

interface ReadAsked {
  readonly question?: Question | undefined
  readonly errors: readonly FieldError[]
}

function readAsked({ identity, action, resource, ip, at, owner, groups, tags }: Asked, names: ShortNames, service: Service): ReadAsked {
  const circumstances = { group: linesIn(groups), tag: linesIn(tags), ...(ip && { ip }), ...(at && { at }), ...(owner && { owner }) }
  const context = readContext(circumstances, service.ports.clock.now())
  const { question, problems } = readCan([identity, action, resource], context, names, service.settings)
  const errors = problems.map((problem) => ({ field: fieldOf[partOf(problem)], ...problem }))
  return { question: errors.length > 0 ? undefined : question, errors }
}

/** Names that the form offers: short ones of what the world describes and names, and the actions of its policies. */
function offeredBy(names: ShortNames) {
  const { policies = [] } = names.world ?? {}
  const words = new Names(names.world ? [names.world] : [])
  const urns = (kind: 'identity' | 'resource') => [...names.all(kind)].filter((name) => name.startsWith('urn:'))
  const written = policies.flatMap(({ permissions: { allow, deny } }) => [...allow, ...deny].map(({ value }) => value.text))
  return {
    identities: urns('identity')
      .map((urn) => words.identity(urn))
      .sort(),
    actions: [...new Set(written)].filter((action) => !action.includes('*')).sort(),
    resources: urns('resource')
      .map((urn) => words.resource(urn).replace(/^resource group "(.*)"$/s, '$1'))
      .sort(),
  }
}

export function can({ service, request }: RouteContext, place: Place): Reply {
  const asked = Object.fromEntries(questionFields.map((key) => [key, (request.query.get(key) ?? '').trim()])) as Asked
  const world = place.account === undefined ? undefined : service.worldOf(place.account).world
  const names = new ShortNames(world)
  // The form sends its fields even where they are empty; a link to the page names none.
  const isAsked = (['identity', 'action', 'resource'] as const).some((key) => request.query.has(key))
  const { question, errors }: ReadAsked = isAsked && world ? readAsked(asked, names, service) : { errors: [] }
  const answer = question && world && answerParts(service, place, question, world, names)
  return consoleReply(
    place,
    '/console/can',
    'Ask: is it allowed?',
    html`${form(place, asked, names)}
<div role="status" id="said">${answer?.said}</div>
<div id="answer">${errorSummary(errors)}${answer?.why}</div>`,
    { script: true, status: errors.length > 0 ? 400 : 200 },
  )
}

function form({ base, account, accounts }: Place, asked: Asked, names: ShortNames): Markup {
  const offered = offeredBy(names)
  const { identity, action, resource, ...facts } = asked
  const hasMore = Object.values(facts).some((value) => value !== '')
  const named = { required: true, exact: true }
  const text = (id: keyof Asked, label: string, hint: string, more: { readonly tall?: boolean } = {}) =>
    field({ id, label, hint, value: asked[id], exact: true, ...more })
  return html`<form method="get" action="${base}/console/can" class="card" id="question" novalidate>
${accounts.length > 1 ? select('account', 'In the policies of', accounts, account) : hidden('account', account ?? '')}
<div class="asked">
${field({ ...named, id: 'identity', label: 'Identity', hint: 'Who asks, such as user/ann, or a URN', value: identity, offered: offered.identities })}
${field({ ...named, id: 'action', label: 'Action', hint: 'What for, such as webHosting:apisvc:get', value: action, offered: offered.actions })}
${field({ ...named, id: 'resource', label: 'Resource', hint: 'On what, such as webHosting:example.org, or a URN', value: resource, offered: offered.resources })}
</div>
<details${hasMore && html` open`}><summary>Circumstances</summary>
${text('ip', 'Address of the request', 'As --ip: 203.0.113.7. Left empty: not known.')}
${text('at', 'Time', 'As --at: 2027-01-31T09:00:00Z. Left empty: the clock of the emulator.')}
${text('owner', 'Account that owns the resource', 'As --owner. Left empty: as the inventory says.')}
${text('groups', 'Groups of the identity', 'As --group, one a line, in addition to those that are known: group/ops', { tall: true })}
${text('tags', 'Tags of the resource', 'As --tag, one a line, in addition to those that are known: env=prod', { tall: true })}
</details>
<p class="buttons"><button type="submit" class="primary">Ask</button></p>
</form>`
}

/** The answer: in a sentence, and why. */
function answerParts(service: Service, place: Place, asked: Question, world: World, short: ShortNames) {
  const { settings, catalogue } = service
  const answer = answerCanNow(world, short, asked, settings.brand, catalogue, { decisionIntervalOf, remediesOf })
  const { question, explanation } = answer
  const names = new Names([world])
  const explained = { ...answer, names }
  const words = decisionWords(explained, world)
  const { word, tone, may } = verdictWords[explanation.decision.verdict]
  const links = linksIn(explanation, place)
  const said = html`<p class="verdict ${tone}"><strong>${word}.</strong> ${names.identity(question.identity)} ${may} <code>${question.action}</code> on ${names.resource(question.resource)}${words.turning !== undefined && `, ${words.turning}`}</p>`
  const why = html`<h2>Why</h2>
<p>${sentenceCase(words.sentence)}</p>
${
  words.entries.length > 0 &&
  html`<ol class="entries">${words.entries.map(
    ({ row: [at, policy, entry], gates }) =>
      html`<li><p><strong>${policy}</strong> ${prose(entry)} ${placeLink(at, links.get(at))}</p>${gates.length > 0 && rowsTable(`What lets ${policy} apply`, 'Gate', gates, links)}</li>`,
  )}</ol>`
}
${
  words.missing.length > 0 &&
  html`<ul class="facts">${words.missing.map((each) => html`<li>${prose(each)}</li>`)}${words.settling.length > 0 && html`<li class="soft">Settle it with ${prose(words.settling.join(', '))}</li>`}</ul>`
}
${
  words.nearest &&
  (words.nearest.rows.length === 0
    ? html`<p class="soft">No policy would grant it if only one thing were different.</p>`
    : html`${rowsTable('The nearest policies', 'Policy', words.nearest.rows, links)}${words.nearest.left > 0 && html`<p class="soft">and ${words.nearest.left} more</p>`}`)
}
${[...words.notes, ...words.caveats.map(([each]) => each)].map((each) => html`<p class="remark">Note: ${prose(each)}</p>`)}
<details class="printed"><summary>As the command prints it</summary>
<pre tabindex="0" id="printed" aria-label="As the command prints it">${lines(decisionText(explained, world, paint(false)))}</pre></details>`
  return { said, why }
}

function rowsTable(caption: string, first: string, rows: readonly GateRow[], links: EntryLinks): Markup {
  return table(
    caption,
    [first, 'Why', 'Where'],
    rows.map(([at, about, words]) => [about, prose(words), placeLink(at, links.get(at))]),
  )
}
