import { readFacts } from '../../src/parser/policy.ts'
import { readTree } from '../../src/parser/tree.ts'
import { buildWorld } from '../../src/parser/world.ts'
import type { Policy, World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Decision, Question, Verdict } from '../../src/simulate/decision.ts'
import { readBatchQuestion } from '../../src/simulate/question.ts'
import { traces } from '../../src/simulate/reference.ts'
import { sourceOf } from '../../src/source.ts'
import { testSettings } from './settings.ts'

/**
 * Random worlds and questions, aimed so that decisions depend on what they are meant to try: small overlapping alphabets,
 * policies written around one question, questions drawn near it. Everything is plain JSON that goes through the real
 * readers, so that places are real. The same seed gives the same cases everywhere.
 */

// The generated values: the JSON of a world file and of a batch question (docs/semantics.md, Records).

export interface ConditionJson {
  operator: string
  conditions?: ConditionJson[]
  values?: Record<string, string>
}
export interface PermissionsJson {
  allow?: { action: string }[]
  except?: { action: string }[]
  deny?: { action: string }[]
}
export interface PolicyJson {
  name: string
  identities: string[]
  resources: { urn: string }[]
  permissions: PermissionsJson
  permissionsGroups?: { urn: string }[]
  conditions?: ConditionJson
  expiredAt?: string
  readOnly?: boolean
}
export interface WorldJson {
  account?: string
  policies: PolicyJson[]
  permissionsGroups: { urn: string; name: string; permissions: PermissionsJson }[]
  resourceGroups: { urn?: string; id?: string; name: string; resources: { urn?: string; id?: string }[] }[]
  resources: { urn: string; owner?: string; tags?: Record<string, string> }[]
  identities: { urn: string; groups: string[] }[]
}
export interface QuestionJson {
  identity: string
  action: string
  resource: string
  at: string
  groups?: string[]
  ip?: string
  tags?: Record<string, string>
}

/** A world and a question to it, as written and as read. */
export interface Case {
  readonly world: World
  readonly question: Question
  readonly written: { readonly world: WorldJson; readonly question: QuestionJson }
}

/** Read a world that must be without fault. */
export function worldOf(written: WorldJson | PolicyJson | object): World {
  return worldOfTexts([JSON.stringify(written)])
}

/** Read one world from several files. What is wrong with them is thrown, each with its code. */
export function worldOfTexts(texts: readonly string[]): World {
  const problems: { readonly code: string; readonly message: string }[] = []
  const parts = texts.map((text, i) => {
    const tree = readTree(sourceOf(`${i}.json`, text))
    const { facts, diagnostics, misshapen } = readFacts(tree.documents, testSettings)
    problems.push(...tree.diagnostics, ...diagnostics, ...misshapen.map(({ shape }) => ({ code: 'shape', message: `no ${shape}` })))
    return facts
  })
  const { world, diagnostics } = buildWorld(parts)
  problems.push(...diagnostics)
  if (problems.length > 0)
    throw new Error(`no good world: ${problems.map((p) => `${p.code}: ${p.message}`).join('; ')}\n${texts.join('\n')}`)
  return world
}

/** Read a question that must be without fault. */
export function questionOf(written: QuestionJson): Question {
  const read = readBatchQuestion(written, { at: 0, groups: [] }, testSettings)
  if (typeof read === 'string') throw new Error(`no good question: ${read}\n${JSON.stringify(written)}`)
  return read.question
}

export function caseOf(world: WorldJson, question: QuestionJson): Case {
  return { world: worldOf(world), question: questionOf(question), written: { world, question } }
}

// Chance.

/** A number from 0 up to, not including, 1. */
export type Random = () => number

/** Mulberry32: small, fast, and the same everywhere. */
export function randomOf(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T
}

export function shuffled<T>(random: Random, list: readonly T[]): T[] {
  const out = [...list]
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[out[i], out[j]] = [out[j] as T, out[i] as T]
  }
  return out
}

function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}

function times<T>(count: number, make: () => T): T[] {
  const out: T[] = []
  for (let i = 0; i < count; i++) out.push(make())
  return out
}

// The alphabets: few names, each a beginning or an end of others.

const accounts = ['ab', 'ba']
const logins = ['a', 'b', 'ab', 'a/b']
const groupNames = ['g', 'ga', 'a b']
const types = ['t', 't/s', 'u']
const names = ['a', 'ab', 'b', 'b:a', 'a/b']
const products = ['p', 'q']
const paths = ['a', 'b', 'a/b', 'b/a', 'ab']
const tagKeys = ['k', 'env']
const tagTexts = ['a', 'b', 'ab', 'ba', '']
const knownGroups = ['urn:v1:eu:resourceGroup:g1', 'urn:v1:eu:resourceGroup:g2']
const unknownGroups = ['urn:v1:eu:resourceGroup:g9', 'urn:v1:eu:resourceGroup:h9']
const groupPatterns = ['urn:v1:eu:resourceGroup:*', 'urn:v1:eu:resourceGroup:g*']
const heldPermissions = ['urn:v1:eu:permissionsGroup:svc:reader', 'urn:v1:eu:permissionsGroup:ab:mine']
const otherPermissions = ['urn:v1:eu:permissionsGroup:svc:other', 'urn:v1:eu:permissionsGroup:ba:far']
const addresses = ['192.0.2.4', '192.0.2.5', '10.0.0.1', '2001:db8::1', '::ffff:192.0.2.5']
const blocks = ['192.0.2.4/31', '192.0.2.0/24', '192.0.0.0/8', '10.0.0.0/8', '0.0.0.0/0', '::/0', '2001:db8::/32', '::ffff:192.0.2.0/120']
const zones = ['()', '(UTC)', '(Europe/Paris)', '(America/New_York)', '(Australia/Lord_Howe)', '']
/** Ends of hours, days and summer times, and quiet moments. */
const instants = [
  '2026-03-29T00:59:59.999Z',
  '2026-03-29T01:00:00Z',
  '2026-10-25T00:30:00Z',
  '2026-10-25T01:30:00+01:00',
  '2026-06-30T22:00:00Z',
  '2026-07-01T12:00:00Z',
]
const hours = ['0', '2', '3', '02', '12', '14', '23']
const dates = ['2026-03-29', '2026-07-01', '2026-10-25', '2026-07-02']
const days = ['Monday', 'wednesday', 'SUNDAY', 'Saturday', 'Thursday']

/** A condition that is not understood, so that its truth is not known. */
const opaque: readonly ConditionJson[] = [
  { operator: 'MATCH', values: { 'request.Country': 'FR' } },
  { operator: 'MATCH', values: { 'request.IP': '010.0.0.1' } },
  { operator: 'MATCH', values: { 'resource.Tag(k).CONTAINS': 'a' } },
  { operator: 'XOR', conditions: [] },
]

/** How much of each thing; chances from 0 to 1. */
export interface Knobs {
  /** The most policies in a world. */
  readonly policies: number
  /** The chance that a policy has conditions. */
  readonly conditions: number
  /** The chance that what could be left out of world and question is left out. */
  readonly missing: number
  /** The chance that a resource entry names a group. */
  readonly groups: number
}
export const usualKnobs: Knobs = { policies: 7, conditions: 0.75, missing: 0.3, groups: 0.18 }

/** The question that a world is written around. */
interface Heart {
  readonly identity: string
  readonly member: string
  readonly action: string
  readonly resource: string
  readonly at: string
  readonly ip: string
  readonly tags: Record<string, string>
}

function someIdentity(random: Random): string {
  const account = pick(random, accounts)
  const roll = random()
  if (roll < 0.62) return `urn:v1:eu:identity:user:${account}/${pick(random, logins)}`
  if (roll < 0.8) return `urn:v1:eu:identity:credential:${account}/oauth2-${pick(random, logins).replace('/', '')}`
  if (roll < 0.92) return someGroup(random)
  return `urn:v1:eu:identity:account:${account}`
}

function someGroup(random: Random): string {
  return `urn:v1:eu:identity:group:${pick(random, accounts)}/${pick(random, groupNames)}`
}

function someAction(random: Random): string {
  return `${pick(random, products)}:apisvc:${pick(random, paths)}${random() < 0.04 ? '?x' : ''}`
}

function someResource(random: Random): string {
  return `urn:v1:${random() < 0.03 ? 'ca' : 'eu'}:resource:${pick(random, types)}:${pick(random, names)}`
}

function identityEntry(random: Random, heart: Heart): string {
  const near = random() < 0.8
  const identity = near ? (random() < 0.35 ? heart.member : heart.identity) : random() < 0.3 ? someGroup(random) : someIdentity(random)
  const roll = random()
  if (roll < 0.55) return identity
  const kindEnd = identity.indexOf(':', 'urn:v1:eu:identity:'.length) + 1
  const slash = identity.indexOf('/')
  if (slash < 0 || roll < 0.65) return `${identity.slice(0, kindEnd + between(random, 0, 2))}*`
  if (roll < 0.8) return `${identity.slice(0, slash + 1)}*`
  // A service account's pattern keeps what every client id starts with.
  const least = identity.includes('/oauth2-') ? slash + 8 : slash + 1
  return `${identity.slice(0, between(random, least, identity.length))}*`
}

function actionEntry(random: Random, heart: Heart, nearness = 0.8): { action: string } {
  const action = random() < nearness ? heart.action : someAction(random)
  const roll = random()
  if (roll < 0.38) return { action }
  const colon = action.indexOf(':')
  if (roll < 0.45) return { action: '*' }
  if (roll < 0.57) return { action: `${action.slice(0, colon)}:*` }
  if (roll < 0.67) return { action: `${action.slice(0, colon)}:apisvc:*` }
  const cut = between(random, 1, action.length)
  if (roll < 0.8) return { action: `${action.slice(0, cut)}*` }
  if (roll < 0.9) return { action: `*${action.slice(cut - 1)}` }
  const cuts = [between(random, 1, action.length), between(random, 1, action.length)].sort((a, b) => a - b)
  return { action: `${action.slice(0, cuts[0])}*${action.slice(cuts[1])}` }
}

function resourceEntry(random: Random, heart: Heart, knobs: Knobs): { urn: string } {
  if (random() < knobs.groups) {
    const unknown = random() < knobs.missing
    return { urn: pick(random, unknown ? (random() < 0.5 ? groupPatterns : unknownGroups) : knownGroups) }
  }
  const resource = random() < 0.8 ? heart.resource : someResource(random)
  const roll = random()
  if (roll < 0.5) return { urn: resource }
  const start = 'urn:v1:eu:resource:'.length
  const colon = resource.indexOf(':', start)
  const head = resource.slice(0, start)
  if (roll < 0.6) return { urn: `${head}*` }
  if (roll < 0.66) return { urn: `${head}*:*` }
  if (roll < 0.78) return { urn: `${resource.slice(0, colon)}:*` }
  if (roll < 0.9) return { urn: `${resource.slice(0, between(random, colon + 1, resource.length))}*` }
  const end = resource.slice(between(random, colon + 1, resource.length - 1))
  return {
    urn: roll < 0.95 ? `${head}*${resource.slice(colon)}` : `${resource.slice(0, between(random, colon + 1, resource.length))}*${end}`,
  }
}

function permissions(random: Random, heart: Heart): PermissionsJson {
  const roll = random()
  if (roll < 0.1) return { deny: times(between(random, 1, 2), () => actionEntry(random, heart, 0.6)) }
  return {
    allow: times(between(random, 1, 3), () => actionEntry(random, heart)),
    ...(roll < 0.58 && { except: times(between(random, 1, 2), () => actionEntry(random, heart, 0.72)) }),
    ...(roll > 0.9 && { deny: [actionEntry(random, heart, 0.55)] }),
  }
}

/** One entry of `values`; half of them hold for the question at the heart, if it says enough. */
function test(random: Random, heart: Heart): readonly [string, string] {
  const near = random() < 0.7
  const roll = random()
  const spelling = (operator: string) => (random() < 0.2 ? operator.toLowerCase() : operator)
  if (roll < 0.34) {
    const key = pick(random, tagKeys)
    const text = near ? (heart.tags[key] ?? pick(random, tagTexts)) : pick(random, tagTexts)
    const operator = random() < 0.55 ? '' : `.${spelling(pick(random, ['EQ', 'STARTS_WITH', 'ENDS_WITH']))}`
    return [`resource.Tag(${key})${operator}`, operator.length > 4 ? text.slice(0, 1) : text]
  }
  if (roll < 0.5) {
    const part = random() < 0.6 ? 'Name' : 'Type'
    const resource = near ? heart.resource : someResource(random)
    const text = part === 'Type' ? (resource.split(':')[4] as string) : resource.split(':').slice(5).join(':')
    const operator = pick(random, ['', '.EQ', '.IN', '.STARTS_WITH', '.ENDS_WITH'])
    return [`resource.${part}${operator}`, operator === '.IN' ? `${pick(random, names)} , ${text}` : text]
  }
  if (roll < 0.72) {
    const address = near ? heart.ip : pick(random, addresses)
    const operator = pick(random, ['', '.IN', '.IN_RANGE', '.in_range'])
    if (operator === '.IN') return ['request.IP.IN', `${address}, ${pick(random, addresses)}`]
    if (operator === '') return ['request.IP', address]
    return [`request.IP${operator}`, pick(random, blocks)]
  }
  const zone = pick(random, zones)
  const [part, texts, operators] = pick(random, [
    ['Hour', hours, ['', '.IN', '.BEFORE', '.AFTER', '.LT', '.LE', '.GT', '.GE']],
    ['Date', dates, ['', '.IN', '.BEFORE', '.AFTER']],
    ['WeekDay', days, ['', '.IN', '.BEFORE', '.AFTER', '.LT', '.LE', '.GT', '.GE']],
  ] as const)
  const operator = pick(random, operators)
  const text = operator === '.IN' ? `${pick(random, texts)},${pick(random, texts)}` : pick(random, texts)
  return [`date${zone}.${part}${operator}`, text]
}

function condition(random: Random, heart: Heart, knobs: Knobs, depth: number): ConditionJson {
  if (random() < 0.06 * (knobs.missing > 0 ? 1 : 0)) return pick(random, opaque)
  const roll = random()
  if (depth === 0 || roll < 0.5) {
    return { operator: 'MATCH', values: Object.fromEntries(times(random() < 0.8 ? 1 : 2, () => test(random, heart))) }
  }
  const operator = roll < 0.68 ? 'AND' : roll < 0.84 ? 'OR' : 'NOT'
  const count = random() < 0.05 ? 0 : operator === 'NOT' && random() < 0.7 ? 1 : 2
  return { operator, conditions: times(count, () => condition(random, heart, knobs, depth - 1)) }
}

function policy(random: Random, heart: Heart, knobs: Knobs, name: string): PolicyJson {
  const roll = random()
  return {
    name,
    identities: times(between(random, 1, 2), () => identityEntry(random, heart)),
    resources: times(random() < 0.75 ? 1 : 2, () => resourceEntry(random, heart, knobs)),
    permissions: roll < 0.1 ? {} : permissions(random, heart),
    ...((roll < 0.1 || roll > 0.88) && {
      permissionsGroups: times(between(random, 1, 2), () => ({
        urn: pick(random, random() < knobs.missing / 2 ? otherPermissions : heldPermissions),
      })),
    }),
    ...(random() < knobs.conditions && { conditions: condition(random, heart, knobs, between(random, 0, 2)) }),
    ...(random() < 0.06 && { expiredAt: pick(random, instants) }),
    ...(random() < 0.05 && { readOnly: true }),
  }
}

/** One world and the questions put to it. */
export function generate(random: Random, questions: number, knobs: Knobs = usualKnobs): { world: WorldJson; questions: QuestionJson[] } {
  const heart: Heart = {
    identity: someIdentity(random),
    member: someGroup(random),
    action: someAction(random),
    resource: someResource(random),
    at: pick(random, instants),
    ip: pick(random, addresses),
    tags: random() < 0.9 ? { [pick(random, tagKeys)]: pick(random, tagTexts), [pick(random, tagKeys)]: pick(random, tagTexts) } : {},
  }
  const others = [...new Set([heart.resource, someResource(random), someResource(random)])]
  const members = () => others.filter(() => random() < 0.45).map((urn) => ({ urn }))
  const count = between(random, 1, knobs.policies)
  const world: WorldJson = {
    ...(random() < 0.3 && { account: pick(random, accounts) }),
    policies: [],
    permissionsGroups: heldPermissions.map((urn) => ({ urn, name: urn.slice(-6), permissions: permissions(random, heart) })),
    resourceGroups: knownGroups.map((urn, i) => ({
      ...(random() < 0.85 ? { urn } : { id: urn.slice(-2) }),
      name: `group ${i}`,
      resources: [...members(), ...(random() < knobs.missing / 6 ? [{ id: '5b0c' }] : [])],
    })),
    resources: others
      .filter(() => random() > knobs.missing / 2)
      .map((urn) => ({
        urn,
        ...(random() < 0.25 && { owner: pick(random, accounts) }),
        ...(random() > knobs.missing + 0.2 && { tags: urn === heart.resource ? heart.tags : { k: pick(random, tagTexts) } }),
      })),
    identities: random() < 0.6 ? [{ urn: heart.identity, groups: [heart.member] }] : [],
  }
  for (let i = 0; i < count; i++) world.policies.push(policy(random, heart, knobs, `p${i}`))
  return { world, questions: times(questions, () => question(random, heart, knobs)) }
}

function question(random: Random, heart: Heart, knobs: Knobs): QuestionJson {
  const own = random()
  return {
    identity: random() < 0.85 ? heart.identity : someIdentity(random),
    action: random() < 0.78 ? heart.action : someAction(random),
    resource: random() < 0.85 ? heart.resource : someResource(random),
    at: random() < 0.7 ? heart.at : pick(random, instants),
    ...(random() < 0.4 && { groups: [random() < 0.7 ? heart.member : someGroup(random)] }),
    ...(random() > knobs.missing + 0.05 && { ip: random() < 0.7 ? heart.ip : pick(random, addresses) }),
    ...(own > knobs.missing + 0.3 && { tags: own > 0.95 ? {} : random() < 0.8 ? heart.tags : { env: pick(random, tagTexts) } }),
  }
}

/** Questions to each world, where nothing else is asked for: reading a world costs more than asking it. */
const questionsPerWorld = 10

/** Cases without end. */
export function* cases(seed: number, knobs: Knobs = usualKnobs, perWorld = questionsPerWorld): Generator<Case, never> {
  const random = randomOf(seed)
  for (;;) {
    const { world, questions } = generate(random, perWorld, knobs)
    const read = worldOf(world)
    for (const written of questions) yield { world: read, question: questionOf(written), written: { world, question: written } }
  }
}

// Laws.

/** '' when the law holds for the case, a sentence when it does not, undefined when the case is none of its own. */
export type Law = (c: Case, random: Random) => string | undefined

/** Hold a law to many cases; a case that breaks it is cut down before it is shown. Returns how many the law spoke of. */
export function forAll(count: number, seed: number, law: Law, knobs: Knobs = usualKnobs): number {
  let judged = 0
  let i = 0
  for (const c of cases(seed, knobs)) {
    if (i++ === count) break
    const said = law(c, randomOf(i))
    if (said === '') judged++
    else if (said !== undefined) {
      const least = smallest(c, (other) => law(other, randomOf(i)) || undefined)
      throw new Error(`${least.said} (seed ${seed}, case ${i})\n${shown(least.c)}`)
    }
  }
  return judged
}

/** A case as text, one policy a line; of one that was cut down, any list may be left out. */
export function shown({ written: { world, question } }: Case): string {
  const { policies = [], ...rest }: Partial<WorldJson> = world
  return [...policies.map((p) => JSON.stringify(p)), JSON.stringify(rest), JSON.stringify(question)].join('\n')
}

/** Cut a failing case down by leaving out one part after the other for as long as it still fails. */
function smallest(start: Case, fails: (c: Case) => string | undefined): { c: Case; said: string } {
  let best = { c: start, said: fails(start) as string }
  for (let improved = true; improved; ) {
    improved = false
    for (const written of smaller(best.c.written)) {
      let said: string | undefined
      let c: Case
      try {
        c = caseOf(written.world, written.question)
        said = fails(c)
      } catch {
        continue
      }
      if (said === undefined) continue
      best = { c, said }
      improved = true
      break
    }
  }
  return best
}

/** The same with one part left out, for each part; a condition is also replaced by each of its own. */
function* smaller<T>(value: T): Generator<T> {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) yield value.toSpliced(i, 1) as T
    for (let i = 0; i < value.length; i++) for (const item of smaller(value[i])) yield value.with(i, item) as T
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    const children: unknown = 'operator' in value && 'conditions' in value ? value.conditions : []
    if (Array.isArray(children)) yield* children
    for (const [key] of entries) yield Object.fromEntries(entries.filter(([k]) => k !== key)) as T
    for (const [key, part] of entries) for (const item of smaller(part)) yield { ...value, [key]: item }
  }
}

// The parts of the cases, and the kinds that they hit.

/** How many of the cases were of each kind. */
export interface Health {
  readonly cases: number
  readonly allow: number
  readonly unknown: number
  /** An entry of a `deny` list decided. */
  readonly denied: number
  /** Without any `except` the verdict would be another. */
  readonly excepted: number
  /** Without any condition the verdict would be another. */
  readonly conditioned: number
  /** Two permission sets or more are about the action on the resource to the identity. */
  readonly several: number
  /** The owning account asked. */
  readonly root: number
}

/** Measure what cases hit, as shares from 0 to 1. */
export function health(some: Iterable<Case>, decideOne: (world: World, question: Question) => Decision = decide): Health {
  let count = 0
  const hits = { allow: 0, unknown: 0, denied: 0, excepted: 0, conditioned: 0, several: 0, root: 0 }
  for (const { world, question } of some) {
    count++
    const { verdict, reason } = decideOne(world, question)
    const verdictOf = (other: World): Verdict => decideOne(other, question).verdict
    if (verdict === 'allow') hits.allow++
    if (verdict === 'unknown') hits.unknown++
    if (reason === 'denied') hits.denied++
    if (reason === 'root') hits.root++
    if (verdictOf(withoutExcepts(world)) !== verdict) hits.excepted++
    const free = withPolicies(world, ({ condition: _, ...rest }) => rest)
    if (verdictOf(free) !== verdict) hits.conditioned++
    const speaking = traces(free, question).flatMap((t) => [
      ...new Set([...t.grants, ...t.denies, ...t.excepted].map((c) => c.group)),
      ...t.unknownGroups,
    ])
    if (speaking.length > 1) hits.several++
  }
  const shares = Object.fromEntries(Object.entries(hits).map(([key, n]) => [key, n / count])) as Record<keyof typeof hits, number>
  return { cases: count, ...shares }
}

export function withPolicies(world: World, change: (policy: Policy) => Policy): World {
  return { ...world, policies: world.policies.map(change) }
}

function withoutExcepts(world: World): World {
  const groups = new Map([...world.permissionsGroups].map(([urn, g]) => [urn, { ...g, permissions: { ...g.permissions, except: [] } }]))
  return withPolicies({ ...world, permissionsGroups: groups }, (p) => ({ ...p, permissions: { ...p.permissions, except: [] } }))
}

/** The first so many. */
export function* take<T>(count: number, items: Iterable<T>): Generator<T> {
  let left = count
  for (const item of items) {
    if (left-- <= 0) return
    yield item
  }
}
