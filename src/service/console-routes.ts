import { readAddress } from '../conditions/address.ts'
import type { World } from '../policy.ts'
import { conditionWords, traceWords } from '../report/decision.ts'
import { explain } from '../simulate/decide.ts'
import { caveats, type Explanation, type Question } from '../simulate/decision.ts'
import { readGroup, readQuestion, withKnownTags } from '../simulate/question.ts'
import { browserScript } from './browser.ts'
import { callLog, callStream, mostRemembered } from './call-log.ts'
import {
  type Answer,
  type AskedQuestion,
  callRow,
  callsPage,
  callWords,
  canPage,
  consolePath,
  type Offered,
  overviewPage,
  type Place,
  type PolicyRow,
  policiesPage,
  policyPage,
  type ResourceCard,
  resourcesPage,
  type ServiceAccountRow,
  schemasPage,
  serviceAccountMadePage,
  serviceAccountsPage,
} from './console-pages.ts'
import { messagePage } from './delegation.ts'
import type { Reply, ServiceRequest } from './exchange.ts'
import { does, fieldOf, seeOther, shows, tokenInput } from './guard.ts'
import { pageHeaders, pageReply, scriptPath, stylePath } from './html.ts'
import type { FieldError } from './parts.ts'
import type { AccountRecord, PolicyRecord, ServiceAccountRecord, Written } from './records.ts'
import type { RouteContext, ServiceRoute } from './route.ts'
import { assetVersions, servedVersions, setSchemasVersion } from './schemas.ts'
import type { Service } from './service.ts'
import { style } from './style.ts'
import { policyDocument } from './worlds.ts'

/** The console: what the stand-in keeps and is asked. Its pages are the stand-in's own, and nobody logs in to them. */

export function accountsOf({ state }: Service, { region }: Pick<ServiceRequest, 'region'>): readonly AccountRecord[] {
  return [...state.table('account').all()].filter((account) => account.region === region)
}

/** What a page is about: the account that its address names, else the first one. A name that is not known is told, not passed over. */
function placed(handle: (context: RouteContext, place: Place) => Reply): (context: RouteContext, base: string) => Reply {
  return (context, base) => {
    const accounts = accountsOf(context.service, context.request).map(({ id }) => id)
    const given = context.request.query.get('account')
    if (given !== undefined && given !== '' && !accounts.includes(given))
      return pageReply(messagePage(base, 'Not found', [`No account of this region is called ${given}.`]), 404)
    return handle(context, { base, accounts, account: given || accounts[0] })
  }
}

const texts = (value: unknown, key: string): readonly string[] =>
  Array.isArray(value) ? value.map((each: Written | null) => each?.[key]).filter((each) => typeof each === 'string') : []
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** A policy for people. Its fields were checked before they were kept; what is not of the expected form is shown with the record. */
function policyRow(policy: PolicyRecord, now: number): PolicyRow {
  const { written } = policy
  const permissions = (written.permissions ?? {}) as Written
  const expiredAt = text(written.expiredAt)
  return {
    id: policy.id,
    name: text(written.name) ?? policy.id,
    description: text(written.description),
    owner: policy.account,
    readOnly: policy.readOnly,
    expiredAt,
    expired: expiredAt !== undefined && Date.parse(expiredAt) < now,
    identities: Array.isArray(written.identities) ? written.identities.filter((each) => typeof each === 'string') : [],
    resources: texts(written.resources, 'urn'),
    allow: texts(permissions.allow, 'action'),
    except: texts(permissions.except, 'action'),
    deny: texts(permissions.deny, 'action'),
    permissionsGroups: texts(written.permissionsGroups, 'urn'),
    conditional: typeof written.conditions === 'object' && written.conditions !== null,
    record: policyDocument(policy),
  }
}

function policiesOf({ state, ports }: Service, account: string | undefined): readonly PolicyRow[] {
  const now = ports.clock.now()
  return [...state.table('policy').all()].filter((policy) => policy.account === account).map((policy) => policyRow(policy, now))
}

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

function policies({ service }: RouteContext, place: Place): Reply {
  return pageReply(policiesPage(place, policiesOf(service, place.account)))
}

function policy({ service, params }: RouteContext, place: Place): Reply {
  const kept = service.state.table('policy').get(params.policyId ?? '')
  if (!kept || !place.accounts.includes(kept.account))
    return pageReply(messagePage(place.base, 'Not found', ['No policy of this region has this identifier. It may have been deleted.']), 404)
  const own = { ...place, account: kept.account }
  const condition = service.worldOf(kept.account).world.policies.find((each) => idOf(each) === kept.id)?.condition
  return pageReply(policyPage(own, policyRow(kept, service.ports.clock.now()), condition && conditionWords(condition)))
}

/** The id of a policy of a world: that of the record it was read from. */
function idOf({ span }: World['policies'][number]): string {
  return span.source.path.replace(/^policy /, '')
}

const longestName = 100

function accountsPage({ service }: RouteContext, place: Place, name = '', errors: readonly FieldError[] = []): Reply {
  const form = { name, errors, token: tokenInput(service, `service-accounts ${place.account}`) }
  return pageReply(serviceAccountsPage(place, serviceAccountsOf(service, place.account), form), errors.length > 0 ? 400 : 200)
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

function resources({ service: { state } }: RouteContext, place: Place): Reply {
  const cards = [...state.table('asset').entries()]
    .filter(([, asset]) => asset.account === place.account)
    .map(
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
  return pageReply(callsPage(place, callLog(context.service).since(0, chosen), chosen, mostRemembered))
}

function stream(context: RouteContext): Reply {
  const { service, request } = context
  const after = Number.parseInt(request.headers['last-event-id'] ?? request.query.get('after') ?? '0', 10)
  return {
    status: 200,
    origin: 'stand-in',
    headers: pageHeaders(),
    stream: callStream(service, Number.isSafeInteger(after) ? after : 0, chosenAccount(context), (call) =>
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

const purposeOf = (form: string) => (context: RouteContext) =>
  `${form} ${context.request.query.get('account') || accountsOf(context.service, context.request)[0]?.id}`

export const consoleRoutes: readonly ServiceRoute[] = [
  shows('/', (_, base) => seeOther(`${base}/console`)),
  shows('/console', placed(overview)),
  shows('/console/policies', placed(policies)),
  shows('/console/policies/{policyId}', placed(policy)),
  shows('/console/can', placed(can)),
  shows('/console/calls', placed(calls)),
  shows('/console/calls/stream', placed(stream)),
  shows(
    '/console/service-accounts',
    placed((context, place) => accountsPage(context, place)),
  ),
  does('/console/service-accounts', purposeOf('service-accounts'), placed(makeServiceAccount)),
  shows('/console/resources', placed(resources)),
  shows('/console/schemas', placed(schemas)),
  does('/console/schemas', purposeOf('schemas'), placed(chooseSchemas)),
  shows(stylePath, () => file('text/css', style)),
  shows(scriptPath, () => file('text/javascript', browserScript)),
]
