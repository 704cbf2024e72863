import { readAction } from '../../actions/action.ts'
import { readAddress } from '../../conditions/address.ts'
import type { World } from '../../policy.ts'
import { traceWords } from '../../report/decision.ts'
import { explain } from '../../simulate/decide.ts'
import { caveats, type Explanation, type Question } from '../../simulate/decision.ts'
import { factText } from '../../simulate/facts.ts'
import { problemsOf, readGroup, withKnownTags } from '../../simulate/question.ts'
import { readIdentity } from '../../urn/identity.ts'
import { readResource } from '../../urn/resource.ts'
import type { RouteContext } from '../api/route.ts'
import type { Reply } from '../model/exchange.ts'
import type { Service } from '../model/service.ts'
import { idOf } from '../model/worlds.ts'
import { html, type Markup } from './html.ts'
import { errorSummary, type FieldError, field, hidden, name, select, table, verdictTag } from './parts.ts'
import { consoleReply, type Place } from './place.ts'
import { policyLink } from './policies.ts'

const questionFields = ['identity', 'action', 'resource', 'ip', 'groups', 'tags'] as const

type Asked = Readonly<Record<(typeof questionFields)[number], string>>

interface ReadAsked {
  readonly question?: Question | undefined
  readonly errors: readonly FieldError[]
}

/** A question from the form, read by the grammars that the command line uses. */
function readAsked(asked: Asked, { settings, ports }: Service): ReadAsked {
  const errors: FieldError[] = []
  const fault = (field: string, message: string) => errors.push({ field, message })
  const linesOf = (value: string) =>
    value
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '')
  const groups = linesOf(asked.groups)
  for (const group of groups) for (const { message } of readGroup(group).problems) fault('groups', message)
  const ip = asked.ip === '' ? undefined : readAddress(asked.ip)
  if (asked.ip !== '' && !ip) fault('ip', `address \`${asked.ip}\`: not an IP address`)
  const tags = new Map<string, string>()
  for (const line of linesOf(asked.tags)) {
    const equalsIndex = line.indexOf('=')
    if (equalsIndex < 1) fault('tags', `tag \`${line}\`: expected KEY=VALUE`)
    else tags.set(line.slice(0, equalsIndex), line.slice(equalsIndex + 1))
  }
  const context = { at: ports.clock.now(), groups, ...(ip && { ip }), ...(tags.size > 0 && { tags }) }
  const { identity, action, resource } = asked
  const names = {
    identity: readIdentity(identity, { pattern: false }),
    action: readAction(action, settings.brand),
    resource: readResource(resource, { pattern: false }),
  }
  for (const part of ['identity', 'action', 'resource'] as const)
    for (const { message, help } of problemsOf(part, asked[part], names[part]))
      fault(part, help === undefined ? message : `${message}; ${help}`)
  return { question: errors.length > 0 ? undefined : { identity, action, resource, ...context }, errors }
}

const sentences: Readonly<Record<Explanation['decision']['reason'], string>> = {
  granted: 'A policy grants it.',
  denied: 'A policy denies it, whatever else allows it.',
  default: 'No policy grants it.',
  root: 'The account owns the resource, and the owning account cannot be restricted.',
  unknown: 'It depends on facts that are not known.',
}

/** Names that the form offers: those of the world without wildcards. */
function offeredBy(world: World | undefined): Readonly<Record<'identities' | 'actions' | 'resources', readonly string[]>> {
  const single = (values: Iterable<string>) => [...new Set(values)].filter((value) => !value.includes('*')).sort()
  const policies = world?.policies ?? []
  return {
    identities: single([
      ...policies.flatMap(({ identities }) => identities.map(({ value }) => value.text).filter((urn) => !urn.includes(':group:'))),
      ...(world?.identities.keys() ?? []),
    ]),
    actions: single(policies.flatMap(({ permissions }) => [...permissions.allow, ...permissions.deny].map(({ value }) => value.text))),
    resources: single([
      ...policies.flatMap(({ resources }) => resources.map(({ value }) => value.text).filter((urn) => !urn.includes(':resourceGroup:'))),
      ...(world?.resources.keys() ?? []),
    ]),
  }
}

export function can({ service, request }: RouteContext, place: Place): Reply {
  const asked = Object.fromEntries(questionFields.map((key) => [key, (request.query.get(key) ?? '').trim()])) as Asked
  const world = place.account === undefined ? undefined : service.worldOf(place.account).world
  const isEmpty = asked.identity === '' && asked.action === '' && asked.resource === ''
  const { question, errors }: ReadAsked = isEmpty || !world ? { errors: [] } : readAsked(asked, service)
  const knownQuestion = question && world && withKnownTags(question, world)
  const answer = knownQuestion && world && explain(world, knownQuestion)
  return consoleReply(
    place,
    '/console/can',
    'Ask: is it allowed?',
    html`${form(place, asked, world)}
<p role="status" id="said" class="verdict">${answer && html`${verdictTag(answer.decision.verdict)} ${sentences[answer.decision.reason]}`}</p>
<div id="answer">${errorSummary(errors)}${answer && world && knownQuestion && answerParts(place, answer, world, knownQuestion)}</div>`,
    { script: true, status: errors.length > 0 ? 400 : 200 },
  )
}

function form({ base, account, accounts }: Place, asked: Asked, world: World | undefined): Markup {
  const offered = offeredBy(world)
  const hasMore = asked.ip !== '' || asked.groups !== '' || asked.tags !== ''
  const name = { required: true, exact: true }
  return html`<form method="get" action="${base}/console/can" class="card" id="question" novalidate>
${accounts.length > 1 ? select('account', 'In the policies of', accounts, account) : hidden('account', account ?? '')}
${field({ ...name, id: 'identity', label: 'Identity', hint: 'Who asks, such as urn:v1:eu:identity:user:ab12-svc/ann', value: asked.identity, offered: offered.identities })}
${field({ ...name, id: 'action', label: 'Action', hint: 'What for, such as webHosting:apisvc:get', value: asked.action, offered: offered.actions })}
${field({ ...name, id: 'resource', label: 'Resource', hint: 'On what, such as urn:v1:eu:resource:webHosting:example.org', value: asked.resource, offered: offered.resources })}
<details${hasMore && html` open`}><summary>Further facts</summary>
${field({ id: 'ip', label: 'Address of the request', hint: 'Left empty: not known.', value: asked.ip, exact: true })}
${field({ id: 'groups', label: 'Groups of the identity', hint: 'Group URNs, one a line, besides those that are known.', value: asked.groups, exact: true, tall: true })}
${field({ id: 'tags', label: 'Tags of the resource', hint: 'KEY=VALUE, one a line, besides those that are known.', value: asked.tags, exact: true, tall: true })}
</details>
<p class="buttons"><button type="submit">Ask</button></p>
</form>`
}

const mostNearest = 3

function answerParts(place: Place, { decision, nearest }: Explanation, world: World, question: Question): Markup {
  const { clauses, missing } = decision
  const policyOf = (policy: World['policies'][number]) => policyLink(place, idOf(policy), policy.name.value)
  return html`<h2>Why</h2>
${
  clauses.length > 0 &&
  table(
    'The entries that decide it',
    ['Policy', 'List', 'Entry', 'In the permissions group'],
    clauses.map(({ policy, list, entry, group }) => [
      policyOf(policy),
      list,
      name(entry.value.text),
      group === undefined ? '–' : name(group),
    ]),
  )
}
${clauses.length === 0 && nearest.length === 0 && html`<p>No entry of any policy applies.</p>`}
${
  nearest.length > 0 &&
  table(
    'The policies that came nearest',
    ['Policy', 'Where it stops'],
    nearest.slice(0, mostNearest).map((trace) => [policyOf(trace.policy), traceWords(trace, world, question)]),
  )
}
${missing.length > 0 && html`<h3>What is not known</h3><ul>${missing.map(({ fact }) => html`<li>${name(factText(fact))}</li>`)}</ul>`}
${decision.caveats.length > 0 && html`<h3>Note</h3><ul>${decision.caveats.map((each) => html`<li>${caveats[each]}</li>`)}</ul>`}`
}
