import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { AuthorizationAnswer, CheckParseAnswer, EntityJson, ValidationAnswer } from '@cedar-policy/cedar-wasm/nodejs'
import { describe, expect, test } from 'vitest'
import { readAddress } from '../../src/conditions/address.ts'
import { type CedarEntity, type CedarExport, exportCedar } from '../../src/export/cedar.ts'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Question } from '../../src/simulate/decision.ts'
import { combine, traces } from '../../src/simulate/reference.ts'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'
import { cleanUp, prepare as prepareFolder, runBinary } from '../support/scenario.ts'
import { type Case, cases, health, type Knobs, shown, take, usualKnobs, worldOf } from '../support/worlds.ts'

/**
 * Cedar's own engine as an independent oracle: another language, other authors, a proved model. What `export` writes is
 * given to it, and it has to answer as we do. It shares matching, CIDR, logic and tags with nothing here; clocks are ours on
 * both sides.
 */
// Node 20 may stop in the middle where it has inlined calls of WebAssembly and has to take that back.
setFlagsFromString('--no-turbo-inline-js-wasm-calls')

const cedar: typeof import('@cedar-policy/cedar-wasm/nodejs') = createRequire(import.meta.url)('@cedar-policy/cedar-wasm/nodejs')

function succeed<T extends { readonly type: string }>(answer: T, what: string): Extract<T, { type: 'success' }> {
  if (answer.type !== 'success') throw new Error(`${what}: ${JSON.stringify(answer)}`)
  return answer as Extract<T, { type: 'success' }>
}

/** Have Cedar read the policies of a world; they have to be valid under the schema, without a warning. */
function prepare({ policies, schema }: CedarExport, isChecked: boolean): void {
  succeed<CheckParseAnswer>(cedar.preparsePolicySet('world', { staticPolicies: policies }), policies)
  if (!isChecked) return
  succeed<CheckParseAnswer>(cedar.preparseSchema('world', schema), schema)
  const { validationErrors, validationWarnings, otherWarnings } = succeed<ValidationAnswer>(
    cedar.validate({ schema, policies: { staticPolicies: policies }, validationSettings: { mode: 'strict' } }),
    policies,
  )
  expect([...validationErrors, ...validationWarnings, ...otherWarnings], policies).toEqual([])
}

/** Cedar's answer. With `entities`, those of the question take the place of the same ones among them, under the schema. */
function cedarVerdict(exported: CedarExport, question: Question, entities?: readonly CedarEntity[]): 'allow' | 'deny' {
  const { entities: own, ...request } = exported.request(question)
  const name = ({ uid }: CedarEntity) => `${uid.type} ${uid.id}`
  const all = entities ? [...new Map([...entities, ...own].map((entity) => [name(entity), entity])).values()] : own
  const { response } = succeed<AuthorizationAnswer>(
    cedar.statefulIsAuthorized({
      ...request,
      entities: all as unknown as EntityJson[],
      preparsedPolicySetId: 'world',
      ...(entities && { preparsedSchemaName: 'world', validateRequest: true }),
    } as Parameters<typeof cedar.statefulIsAuthorized>[0]),
    JSON.stringify(request),
  )
  expect(response.diagnostics.errors).toEqual([])
  return response.decision
}

/** The same with an address and tags given, so that no fact is missing. */
function known({ world, question, written }: Case): Case {
  const ip = question.ip ?? readAddress('192.0.2.4')
  const tags = question.tags ?? world.resources.get(question.resource)?.tags ?? new Map()
  return { world, written, question: { ...question, tags, ...(ip && { ip }) } }
}

/** The result of three-valued logic: all that Cedar can be given. */
function certain(world: World, question: Question): 'allow' | 'deny' {
  const isRoot = decide(world, question).reason === 'root'
  return isRoot || combine(traces(world, question)).verdict === 'allow' ? 'allow' : 'deny'
}

/**
 * Ask Cedar each case; the same question to the same world only once. Every so many worlds the policies are validated, and
 * their first questions asked with all entities of the world, under the schema.
 */
function ask(some: Iterable<Case>, expected: (world: World, question: Question) => string): number {
  let count = 0
  let worlds = 0
  let world: World | undefined
  let exported: CedarExport | undefined
  let entities: readonly CedarEntity[] | undefined
  const asked = new Set<string>()
  for (const c of some) {
    if (c.world !== world || !exported) {
      world = c.world
      exported = exportCedar(world)
      const isChecked = worlds++ % 10 === 0
      asked.clear()
      entities = isChecked ? exported.entities : undefined
      prepare(exported, isChecked)
    }
    count++
    const key = JSON.stringify(c.written.question)
    if (asked.has(key)) continue
    asked.add(key)
    const answer = cedarVerdict(exported, c.question, asked.size <= 8 ? entities : undefined)
    if (answer !== expected(c.world, c.question))
      throw new Error(`Cedar says ${answer} (case ${count})\n${shown(c)}\n${exported.policies}\n${JSON.stringify(exported.entities)}`)
  }
  return count
}

const seed = Number(process.env.SEED ?? 20261120)
/** Smaller worlds than usual, with more conditions: Cedar reads a world for longer than it decides. */
const nothingMissing: Knobs = { ...usualKnobs, policies: 5, conditions: 0.95, missing: 0 }

function* knownCases(count: number, perWorld = 100): Generator<Case> {
  for (const c of take(count, cases(seed, nothingMissing, perWorld))) yield known(c)
}

describe('Cedar decides as grantwise does', () => {
  // covers: M02
  test('questions where everything is known', () => {
    const count = effort(50_000, 200)
    expect(ask(knownCases(counted(count)), (world, question) => decide(world, question).verdict)).toBe(count)
  })

  // covers: M02
  test('where facts are missing it allows what is certain, and nothing else', () => {
    const count = effort(3_000)
    expect(ask(take(counted(count), cases(seed, usualKnobs, 40)), certain)).toBe(count)
  })

  test('the cases depend on what they are meant to try', () => {
    const { allow, denied, conditioned, unknown } = health(knownCases(effort(4_000), 2))
    expect(unknown).toBe(0)
    expect(allow).toBeGreaterThan(0.1)
    expect(allow).toBeLessThan(0.6)
    expect(denied).toBeGreaterThan(0.1)
    expect(conditioned).toBeGreaterThan(0.15)
  })
})

describe('the command', () => {
  const files = ['NOTES.md', 'entities.json', 'policies.cedar', 'schema.cedarschema']
  const policy = (more: object) =>
    JSON.stringify({
      name: 'p',
      identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
      resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
      permissions: { allow: [{ action: 'vps:*' }] },
      ...more,
    })
  const unknown = policy({ permissionsGroups: [{ urn: 'urn:v1:eu:permissionsGroup:svc:reader' }] })

  test('writes four files, the same bytes each time, and nothing where it refuses', async () => {
    const folder = prepareFolder([
      { kind: 'file', name: 'p.json', argument: '', content: policy({}) },
      { kind: 'file', name: 'unknown.json', argument: '', content: unknown },
    ])
    try {
      const run = (file: string, out: string) => runBinary(['export', '--to', 'cedar', '--no-config', '-p', file, '--out', out], folder)
      const read = (out: string) => files.map((name) => readFileSync(join(folder, out, name), 'utf8'))
      expect(await run('p.json', 'a/b')).toEqual({ stdout: '', stderr: '', exit: 0 })
      expect(readdirSync(join(folder, 'a/b')).sort()).toEqual(files)
      const first = read('a/b')
      await run('p.json', 'c')
      expect(read('c')).toEqual(first)
      expect((await run('unknown.json', 'd')).exit).toBe(2)
      expect((await run('unknown.json', 'c')).exit).toBe(2)
      expect(existsSync(join(folder, 'd'))).toBe(false)
      expect(read('c')).toEqual(first)
      expect(await run('p.json', 'p.json')).toMatchObject({ exit: 2, stderr: expect.stringContaining('p.json: cannot be made a folder') })
    } finally {
      cleanUp(folder)
    }
  })
})

describe('what is written', () => {
  const heart = {
    identities: ['urn:v1:eu:identity:user:ab/a'],
    resources: [{ urn: 'urn:v1:eu:resource:t:a' }],
    permissions: { allow: [{ action: 'p:*' }] },
  }
  const asked: Question = {
    identity: 'urn:v1:eu:identity:user:ab/a',
    action: 'p:apisvc:a',
    resource: 'urn:v1:eu:resource:t:a',
    at: Date.UTC(2026, 6, 1),
    groups: [],
    tags: new Map(),
  }
  const match = (values: Record<string, string>) => ({ operator: 'MATCH', values })

  test('texts cannot break out of their places', () => {
    const odd = ['"', '\\', '*', '"; permit(principal, action, resource); //', 'é\u0301', '\\u{0}', '\\*', '*"', '@id("x")', '😀', "'"]
    for (const text of odd) {
      for (const operator of ['', '.STARTS_WITH', '.ENDS_WITH']) {
        const conditions = match({ [`resource.Tag(${text})${operator}`]: text })
        const world = worldOf({ policies: [{ name: text, description: text, ...heart, conditions }] })
        const exported = exportCedar(world)
        prepare(exported, true)
        for (const value of [text, `${text}x`, `x${text}`, 'x', '', text.replace('*', 'xx')]) {
          const question = { ...asked, tags: new Map([[text, value]]) }
          expect([text, operator, value, cedarVerdict(exported, question, exported.entities)]).toEqual([
            text,
            operator,
            value,
            decide(world, question).verdict,
          ])
        }
      }
    }
  })

  test('long lists are read, and each entry counts', () => {
    const actions = Array.from({ length: 3000 }, (_, i) => ({ action: `p:apisvc:a${i}/*` }))
    const world = worldOf({ policies: [{ name: 'long', ...heart, permissions: { allow: actions } }] })
    const exported = exportCedar(world)
    prepare(exported, true)
    for (const i of [0, 1, 31, 32, 33, 1023, 1024, 1025, 2998, 2999, 3000])
      expect(cedarVerdict(exported, { ...asked, action: `p:apisvc:a${i}/b` })).toBe(i < 3000 ? 'allow' : 'deny')
  })

  test('instants without a year of four digits', () => {
    const last = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
    const world = worldOf({ policies: [{ name: 'late', ...heart, expiredAt: '9999-12-31T23:59:59.999-01:00' }] })
    const exported = exportCedar(world)
    prepare(exported, true)
    for (const at of [-62_167_219_200_000, 0, last, last + 1, last + 3_600_000, last + 3_600_001])
      expect([at, cedarVerdict(exported, { ...asked, at })]).toEqual([at, decide(world, { ...asked, at }).verdict])
  })

  test('a missing fact neither lifts a denial nor gives a permission', () => {
    const [office, prod] = [match({ 'request.IP.IN_RANGE': '192.0.2.0/24' }), match({ 'resource.Tag(env)': 'prod' })]
    const not = (condition: object) => ({ operator: 'NOT', conditions: [condition] })
    const both = (operator: string) => ({ operator, conditions: [office, prod] })
    const all = { name: 'all', ...heart }
    const ips = [undefined, '192.0.2.4', '198.51.100.7'].map((text) => (text === undefined ? undefined : readAddress(text)))
    const { tags: _, ...untagged } = asked
    const seen = { allow: 0, deny: 0, unknown: 0 }
    for (const conditions of [office, prod, not(office), not(prod), both('AND'), both('OR'), not(both('AND')), not(both('OR'))]) {
      const deny = { ...heart, name: 'deny', permissions: { deny: [{ action: 'p:*' }] }, conditions }
      for (const policies of [[all, deny], [{ ...all, conditions }]]) {
        const world = worldOf({ policies })
        const exported = exportCedar(world)
        prepare(exported, true)
        for (const ip of ips)
          for (const tags of [undefined, {}, { env: 'prod' }, { env: 'dev' }]) {
            const question: Question = { ...untagged, ...(ip && { ip }), ...(tags && { tags: new Map(Object.entries(tags)) }) }
            const { verdict } = decide(world, question)
            seen[verdict]++
            expect([policies, question, cedarVerdict(exported, question, exported.entities)]).toEqual([
              policies,
              question,
              verdict === 'allow' ? 'allow' : 'deny',
            ])
          }
      }
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10)
  })

  test('a request that lacks what policies read is forbidden, whatever they permit', () => {
    const conditions = match({ 'date(Europe/Paris).Hour.GE': '0' })
    const world = worldOf({
      policies: [
        { name: 'day', ...heart, conditions },
        { name: 'any', ...heart },
      ],
    })
    const exported = exportCedar(world)
    prepare(exported, false)
    const whole = exported.request(asked)
    const decisionOf = (request: object) =>
      succeed<AuthorizationAnswer>(
        cedar.statefulIsAuthorized({ ...whole, ...request, preparsedPolicySetId: 'world' } as Parameters<
          typeof cedar.statefulIsAuthorized
        >[0]),
        'request',
      ).response.decision
    expect(decisionOf({})).toBe('allow')
    for (const name of Object.keys(whole.context)) {
      const { [name]: _, ...context } = whole.context
      expect([name, decisionOf({ context })]).toEqual([name, 'deny'])
    }
    expect(decisionOf({ context: { ...whole.context, clock: {} } })).toBe('deny')
    for (const [i, entity] of whole.entities.entries()) {
      expect(decisionOf({ entities: whole.entities.toSpliced(i, 1) })).toBe('deny')
      for (const name of Object.keys(entity.attrs)) {
        const { [name]: _, ...attrs } = entity.attrs
        expect([name, decisionOf({ entities: whole.entities.with(i, { ...entity, attrs }) })]).toEqual([name, 'deny'])
      }
    }
  })

  test('a request shows the clocks that policies look at, Monday as 1', () => {
    const world = worldOf({
      policies: [{ name: 'day', ...heart, conditions: match({ 'date(Asia/Tokyo).WeekDay': 'Thursday', 'date.Hour': '22' }) }],
    })
    const exported = exportCedar(world)
    const question = { ...asked, at: Date.UTC(2026, 6, 1, 22, 30), groups: ['urn:v1:eu:identity:group:ab/g'], tags: new Map([['k', 'v']]) }
    expect(exported.request(question)).toEqual({
      principal: { type: 'Identity', id: question.identity },
      action: { type: 'Action', id: 'call' },
      resource: { type: 'Resource', id: question.resource },
      context: {
        action: question.action,
        now: { __extn: { fn: 'datetime', arg: '2026-07-01T22:30:00.000Z' } },
        clock: { 'Asia/Tokyo': { date: 20260702, hour: 7, weekday: 4 }, UTC: { date: 20260701, hour: 22, weekday: 3 } },
      },
      entities: [
        {
          uid: { type: 'Identity', id: question.identity },
          attrs: { urn: question.identity },
          parents: [{ type: 'Group', id: 'urn:v1:eu:identity:group:ab/g' }],
        },
        {
          uid: { type: 'Resource', id: question.resource },
          attrs: { urn: question.resource, type: 't', name: 'a', tagsKnown: true },
          parents: [],
          tags: { k: 'v' },
        },
      ],
    })
    prepare(exported, true)
    expect(cedarVerdict(exported, question, exported.entities)).toBe('allow')
  })

  test('a group that only a wildcard names is found by its members', () => {
    const identities = ['urn:v1:eu:identity:group:ab/*']
    const world = worldOf({ policies: [{ name: 'groups', ...heart, identities }] })
    const exported = exportCedar(world)
    prepare(exported, true)
    const verdict = (group: string) =>
      cedarVerdict(exported, { ...asked, groups: [`urn:v1:eu:identity:group:${group}`] }, exported.entities)
    expect([verdict('ab/new'), verdict('ba/new')]).toEqual(['allow', 'deny'])
  })
})
