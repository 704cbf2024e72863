import { readAddress } from '../../conditions/address.ts'
import type { World } from '../../policy.ts'
import { traceWords } from '../../report/decision.ts'
import { explain } from '../../simulate/decide.ts'
import { caveats, type Explanation, type Question } from '../../simulate/decision.ts'
import { readGroup, readQuestion, withKnownTags } from '../../simulate/question.ts'
import type { RouteContext, ServiceRoute } from '../api/route.ts'
import { callLog, callStream, mostRemembered, type NumberedCall } from '../model/call-log.ts'
import type { Reply } from '../model/exchange.ts'
import type { ServiceAccountRecord } from '../model/records.ts'
import { assetVersions, servedVersions, setSchemasVersion } from '../model/schemas.ts'
import { idOf } from '../model/worlds.ts'
import type { Service } from '../service.ts'
import { applicationRoutes } from './applications.ts'
import { browserScript } from './browser.ts'
import { messagePage } from './delegation.ts'
import { does, fieldOf, seeOther, shows, tokenInput } from './guard.ts'
import { pageHeaders, pageReply, scriptPath, stylePath } from './html.ts'
import { askedOf, listingOf, mapped } from './listing.ts'
import type { FieldError } from './parts.ts'
import { accountPurpose, consolePath, type Place, placed } from './place.ts'
import { policiesOf, policyPageRoutes } from './policies.ts'
import { style } from './style.ts'
import {
  type Answer,
  type AskedQuestion,
  callRow,
  callsPage,
  callText,
  callWords,
  canPage,
  type Offered,
  overviewPage,
  type ResourceCard,
  resourcesPage,
  type ServiceAccountRow,
  schemasPage,
  serviceAccountMadePage,
  serviceAccountsPage,
} from './views.ts'

/** The console: what the stand-in keeps and is asked. Its pages are the stand-in's own, and nobody logs in to them. */

function serviceAccountsOf({ state }: Service, account: string | undefined): readonly ServiceAccountRow[] {
  return [...state.table('serviceAccount').all()]
    .filter((each) => each.account === account)
    .map(({ identity, name, clientId }) => ({ identity, clientId, name: name ?? undefined }))
}

function overview({ service }: RouteContext, place: Place): Reply {
  const assets = [...service.state.table('asset').all()]
  const counts = place.accounts.map((account) => {
    const count = {
      policies: policiesOf(service, account).length,
      serviceAccounts: serviceAccountsOf(service, account).length,
      resources: assets.filter((asset) => asset.account === account).length,
      calls: callLog(service).since(0, account).length,
    }
    return [account, count] as const
  })
  return pageReply(overviewPage(place, new Map(counts)))
}

const longestName = 100

function accountsPage({ service, request }: RouteContext, place: Place, name = '', errors: readonly FieldError[] = []): Reply {
  const form = { name, errors, token: tokenInput(service, `service-accounts ${place.account}`) }
  const rows = listingOf(serviceAccountsOf(service, place.account), askedOf(request.query), (each) => `${each.name ?? ''} ${each.identity}`)
  return pageReply(serviceAccountsPage(place, rows, form), errors.length > 0 ? 400 : 200)
}

/** Make a service account. The document of record does not show how: the page says so. */
function makeServiceAccount(context: RouteContext, place: Place): Reply {
  const { service, request } = context
  const { chance, digest } = service.ports
  const name = fieldOf(context, 'name')
  const { account } = place
  if (account === undefined) return accountsPage(context, place)
  if (name === '') return accountsPage(context, place, name, [{ field: 'name', message: 'Give it a name.' }])
  if (name.length > longestName)
    return accountsPage(context, place, name, [{ field: 'name', message: `The name is longer than ${longestName} characters.` }])
  const clientId = `${request.region.toUpperCase()}.${chance.uuid().replaceAll('-', '').slice(0, 16)}`
  const secret = chance.token(32)
  const identity = `urn:v1:${request.region}:identity:credential:${account}/oauth2-${clientId}`
  const value: ServiceAccountRecord = { clientId, identity, account, secretDigest: digest.sha256(secret), name }
  service.state.commit([{ kind: 'serviceAccount', key: clientId, value }])
  return pageReply(serviceAccountMadePage(place, { clientId, identity, name, secret }, service.address(request.region)))
}

function schemas({ service, request }: RouteContext, place: Place): Reply {
  const at = new Date(service.ports.clock.now()).toISOString()
  const versions = servedVersions(assetVersions, at).map(({ major }) => String(major))
  const record = place.account === undefined ? undefined : service.state.table('account').get(place.account)
  const token = tokenInput(service, `schemas ${place.account}`)
  const current = record && String(record.schemasVersion)
  return pageReply(schemasPage(place, versions, assetVersions, current, token, request.query.get('saved') === 'yes'))
}

function chooseSchemas(context: RouteContext, place: Place): Reply {
  const problem = setSchemasVersion(context.service, place.account ?? '', fieldOf(context, 'version'))
  if (problem !== undefined) return pageReply(messagePage(place.base, 'This was not accepted', [`${problem}.`]), 400)
  return seeOther(consolePath(place, '/console/schemas', { saved: 'yes' }))
}

/** How many tasks and events of a resource are shown: the last ones. */
const mostShown = 20

/** The last of records that are numbered from 0 under a key, newest first. */
function lastOf<R>(table: { readonly get: (key: string) => R | undefined }, key: string, count: number): readonly R[] {
  const records: R[] = []
  for (let number = count - 1; number >= 0 && records.length < mostShown; number--) {
    const record = table.get(`${key} ${number}`)
    if (record !== undefined) records.push(record)
  }
  return records
}

function resources({ service: { state }, request }: RouteContext, place: Place): Reply {
  const own = [...state.table('asset').entries()].filter(([, asset]) => asset.account === place.account)
  const listing = listingOf(own, askedOf(request.query), ([, { urn, path, currentState, targetSpec }]) =>
    [urn, path, JSON.stringify(currentState), JSON.stringify(targetSpec)].join(' '),
  )
  const cards = mapped(
    listing,
    ([key, { urn, path, currentState, targetSpec, tasks, events }]): ResourceCard => ({
      title: urn.split(':').slice(4).join(':'),
      urn,
      path,
      current: currentState,
      target: targetSpec,
      tasks: lastOf(state.table('task'), key, tasks).map(({ id, type, status, progress, updatedAt }) => ({
        id,
        type,
        status,
        steps: progress.map((step) => `${step.name} ${step.status}`).join(', '),
        updatedAt,
      })),
      events: lastOf(state.table('event'), key, events),
    }),
  )
  return pageReply(resourcesPage(place, cards))
}

/** A question from the form, read by the grammars that the command line uses. */
function readAsked(
  asked: AskedQuestion,
  { settings, ports }: Service,
): { readonly question?: Question; readonly errors: readonly FieldError[] } {
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
    const at = line.indexOf('=')
    if (at < 1) fault('tags', `tag \`${line}\`: expected KEY=VALUE`)
    else tags.set(line.slice(0, at), line.slice(at + 1))
  }
  const context = { at: ports.clock.now(), groups, ...(ip && { ip }), ...(tags.size > 0 && { tags }) }
  const read = readQuestion(asked.identity, asked.action, asked.resource, context, settings)
  for (const { message, help } of read.problems ?? [])
    fault(message.split(' ', 1)[0] ?? 'identity', help === undefined ? message : `${message}; ${help}`)
  return errors.length > 0 || !read.question ? { errors } : { question: read.question, errors }
}

const sentences: Readonly<Record<Explanation['decision']['reason'], string>> = {
  granted: 'A policy grants it.',
  denied: 'A policy denies it, whatever else allows it.',
  default: 'No policy grants it.',
  root: 'The account owns the resource, and the owning account cannot be restricted.',
  unknown: 'It depends on what is not known.',
}

const mostNearest = 3

function answerOf(explanation: Explanation, world: World, question: Question): Answer {
  const { decision, nearest } = explanation
  const policyOf = (each: World['policies'][number]) => ({ id: idOf(each), name: each.name.value })
  return {
    verdict: decision.verdict,
    sentence: sentences[decision.reason],
    entries: decision.clauses.map(({ policy, list, entry, group }) => ({
      policy: policyOf(policy),
      list,
      entry: entry.value.text,
      ...(group !== undefined && { group }),
    })),
    nearest: nearest.slice(0, mostNearest).map((trace) => ({ policy: policyOf(trace.policy), words: traceWords(trace, world, question) })),
    missing: decision.missing.map(({ fact }) => fact),
    caveats: decision.caveats.map((caveat) => caveats[caveat]),
  }
}

/** Names that a form may offer: those of the world that stand for one thing. */
function offeredBy(world: World | undefined): Offered {
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

function can({ service, request }: RouteContext, place: Place): Reply {
  const given = (key: string) => (request.query.get(key) ?? '').trim()
  const asked: AskedQuestion = {
    identity: given('identity'),
    action: given('action'),
    resource: given('resource'),
    ip: given('ip'),
    groups: given('groups'),
    tags: given('tags'),
  }
  const world = place.account === undefined ? undefined : service.worldOf(place.account).world
  const offered = offeredBy(world)
  const empty = asked.identity === '' && asked.action === '' && asked.resource === ''
  if (empty || !world) return pageReply(canPage(place, asked, undefined, [], offered))
  const { question, errors } = readAsked(asked, service)
  if (!question) return pageReply(canPage(place, asked, undefined, errors, offered), 400)
  const known = withKnownTags(question, world)
  return pageReply(canPage(place, asked, answerOf(explain(world, known), world, known), [], offered))
}

/** Whose calls: an account, or every one where none is named. */
function chosenAccount({ request }: RouteContext): string | undefined {
  return request.query.get('account') || undefined
}

function calls(context: RouteContext, place: Place): Reply {
  const chosen = chosenAccount(context)
  const calls = callLog(context.service).since(0, chosen)
  const listing = listingOf(calls.toReversed(), askedOf(context.request.query), callText)
  return pageReply(callsPage(place, listing, calls.at(-1)?.number ?? 0, chosen, mostRemembered))
}

function stream(context: RouteContext): Reply {
  const { service, request } = context
  const after = Number.parseInt(request.headers['last-event-id'] ?? request.query.get('after') ?? '0', 10)
  const chosen = chosenAccount(context)
  const { query } = askedOf(request.query)
  const wants = (call: NumberedCall) =>
    (chosen === undefined || call.record.account === chosen) && listingOf([call], { query, page: 1 }, callText).found > 0
  return {
    status: 200,
    origin: 'stand-in',
    headers: pageHeaders(),
    stream: callStream(service, Number.isSafeInteger(after) ? after : 0, wants, (call) =>
      JSON.stringify({ row: callRow(call).source, words: callWords(call) }),
    ),
  }
}

const file = (type: string, content: string): Reply => ({
  status: 200,
  origin: 'stand-in',
  headers: { ...pageHeaders(), 'cache-control': 'no-cache' },
  text: { type: `${type}; charset=utf-8`, content },
})

export const consoleRoutes: readonly ServiceRoute[] = [
  shows('/', (_, base) => seeOther(`${base}/console`)),
  shows('/console', placed(overview)),
  ...policyPageRoutes,
  ...applicationRoutes,
  shows('/console/can', placed(can)),
  shows('/console/calls', placed(calls)),
  shows('/console/calls/stream', placed(stream)),
  shows(
    '/console/service-accounts',
    placed((context, place) => accountsPage(context, place)),
  ),
  does('/console/service-accounts', accountPurpose('service-accounts'), placed(makeServiceAccount)),
  shows('/console/resources', placed(resources)),
  shows('/console/schemas', placed(schemas)),
  does('/console/schemas', accountPurpose('schemas'), placed(chooseSchemas)),
  shows(stylePath, () => file('text/css', style)),
  shows(scriptPath, () => file('text/javascript', browserScript)),
]
