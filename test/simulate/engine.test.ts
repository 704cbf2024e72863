import { describe, expect, it } from 'vitest'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Question } from '../../src/simulate/decision.ts'
import { compile, type Engine } from '../../src/simulate/engine.ts'
import { factText, valueText } from '../../src/simulate/facts.ts'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'
import { cases, questionOf, shown, take, worldOf } from '../support/worlds.ts'

/** How many decisions are compared whole: verdict, reason, entries, missing facts, caveats. */
const count = effort(200_000, 200)

describe('what the engine forgets', () => {
  // covers: M55
  it('changes no answer: strangers, their groups, texts', () => {
    const [c] = take(1, cases(3))
    if (!c) throw new Error('no case')
    const engine = compile(c.world)
    const expected = decide(c.world, c.question)
    const ask = (i: number) =>
      engine.verdict({
        ...c.question,
        identity: `urn:v1:eu:identity:user:zz${i}-svc/nobody`,
        groups: [`urn:v1:eu:identity:group:zz${i}-svc/none`],
        resource: `urn:v1:eu:resource:vps:${i}`,
      })
    // More than is remembered at once, of each kind: what is forgotten on the way must not change an answer.
    for (let i = counted(effort(140_000)); i > 0; i--) ask(i)
    expect(plain(engine.decide(c.question))).toEqual(plain(expected))
    expect(engine.verdict(c.question)).toBe(expected.verdict)
  })
})

describe('accounts that no policy names', () => {
  // A third of the policies name a group of one account, a third groups of every account, a third those of some.
  const identitiesOf = (i: number) => [`group:ab-svc/g${i}`, 'group:*', `group:z${i % 7}*`][i % 3]
  const world = worldOf(
    Array.from({ length: 600 }, (_, i) => ({
      name: `p${i}`,
      identities: [`urn:v1:eu:identity:${identitiesOf(i)}`],
      resources: [{ urn: i % 2 ? 'urn:v1:eu:resource:*' : `urn:v1:eu:resource:vps:v${i % 20}` }],
      permissions: { allow: [{ action: `vps:apisvc:x${i}` }], ...(i % 5 === 0 && { deny: [{ action: `vps:apisvc:x${i + 6}` }] }) },
    })),
  )
  const asked = (i: number): Question => ({
    identity: `urn:v1:eu:identity:user:${i % 50 === 0 ? 'ab' : `z${i % 9}x${i}`}-svc/u`,
    groups: i % 11 === 0 ? [`urn:v1:eu:identity:group:z${i}-svc/g`] : [],
    action: i % 4 === 0 ? 'vps:apisvc:none' : `vps:apisvc:x${i % 600}`,
    resource: `urn:v1:eu:resource:vps:v${i % 20}`,
    at: 0,
  })

  it('are answered as the reference does', () => {
    const engine = compile(world)
    for (let i = 0; i < effort(1500); i++) expect(plain(engine.decide(asked(i)))).toEqual(plain(decide(world, asked(i))))
  })

  it('cost little memory, however many they are', () => {
    const engine = compile(world)
    const buffers = () => process.memoryUsage().arrayBuffers / 2 ** 20
    for (let i = 0; i < 20; i++) engine.decide(asked(i))
    const before = buffers()
    for (let i = 0; i < effort(12_000); i++) engine.decide(asked(i))
    expect(buffers() - before).toBeLessThan(25)
  })
})

// covers: M55
describe('patterns that are one however they are written', () => {
  it('do not hide one another', () => {
    const at = '2026-01-15T12:00:00Z'
    const identity = 'urn:v1:eu:identity:user:ab12-svc/ann'
    const policy = (name: string, permissions: object) => ({
      name,
      identities: [identity],
      resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
      permissions,
    })
    const never = policy('never', { deny: [{ action: 'vps:*' }] })
    const ops = policy('ops', { allow: [{ action: 'vps:**' }] })
    for (const policies of [
      [never, ops],
      [ops, never],
    ]) {
      const world = worldOf({ policies })
      const question = questionOf({ identity, action: 'vps:apisvc:reboot', resource: 'urn:v1:eu:resource:vps:vps-1', at })
      expect(plain(compile(world).decide(question))).toEqual(plain(decide(world, question)))
      expect(compile(world).verdict(question)).toBe('deny')
    }
  })
})

describe('the owner of a resource', () => {
  it('is the one that the question gives, whatever the inventory says', () => {
    const resource = 'urn:v1:eu:resource:vps:vps-1'
    const world = worldOf({ resources: [{ urn: resource, owner: 'ab12-svc' }], account: 'ef56-svc' })
    for (const [account, owner, verdict] of [
      ['ab12-svc', undefined, 'allow'],
      ['ab12-svc', 'cd34-svc', 'deny'],
      ['cd34-svc', 'cd34-svc', 'allow'],
      ['ef56-svc', undefined, 'deny'],
    ] as const) {
      const asked = { identity: `urn:v1:eu:identity:account:${account}`, action: 'vps:apisvc:reboot', resource }
      const question = { ...questionOf({ ...asked, at: '2026-01-15T12:00:00Z' }), ...(owner && { owner }) }
      expect([decide(world, question).verdict, compile(world).verdict(question)]).toEqual([verdict, verdict])
    }
  })
})

// covers: M01, P1
describe('the engine and the reference', () => {
  // Half of the worlds with tables that identities share, which ordinary worlds of this size are too small for.
  it(`agree on ${count} aimed random decisions, compared whole`, () => {
    const engines = new WeakMap<object, Engine>()
    let differences = 0
    let first: string | undefined
    let worlds = 0
    for (const c of take(counted(count), cases(20261120))) {
      let engine = engines.get(c.world)
      if (!engine) {
        engine = compile(c.world, worlds++ % 2 === 0 ? {} : { mostCopied: worlds % 4 })
        engines.set(c.world, engine)
      }
      const expected = decide(c.world, c.question)
      const actual = engine.decide(c.question)
      if (JSON.stringify(plain(actual)) === JSON.stringify(plain(expected)) && engine.verdict(c.question) === expected.verdict) continue
      differences++
      first ??= `${shown(c)}\nexpected ${JSON.stringify(plain(expected))}\nactual ${JSON.stringify(plain(actual))}`
    }
    expect(first ?? '').toBe('')
    expect(differences).toBe(0)
  })
})

describe('verdicts of names that were asked about before', () => {
  it('follow the time, the groups, the owner and the rest of the question', () => {
    const asked = new WeakMap<object, { readonly engine: Engine; readonly questions: Question[] }>()
    for (const { world, question } of take(counted(effort(20_000, 20)), cases(20261130))) {
      const { engine, questions } = asked.get(world) ?? { engine: compile(world, { mostCopied: 2 }), questions: [] }
      asked.set(world, { engine, questions })
      questions.push(question)
      for (const { identity, action, resource } of questions.slice(-3)) {
        const again = { ...question, identity, action, resource }
        expect(engine.verdict(again)).toBe(decide(world, again).verdict)
      }
    }
  })

  it('follow what a change of the policies and of the tables makes of them', () => {
    const resource = 'urn:v1:eu:resource:vps:vps-1'
    const identity = 'urn:v1:eu:identity:user:ab12-svc/ann'
    const policy = (name: string, action: string) => ({
      name,
      identities: [identity],
      resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
      permissions: { allow: [{ action }] },
    })
    const question = questionOf({ identity, action: 'vps:apisvc:reboot', resource, at: '2026-01-15T12:00:00Z' })
    const world = worldOf({ policies: [policy('a', 'vps:apisvc:get'), policy('b', 'vps:apisvc:reboot')] })
    const [first] = world.policies as [World['policies'][number]]
    // Two strings are remembered: each further one moves the lists of patterns.
    const engine = compile(world, { limits: { texts: 2, places: 4 } })
    for (let i = 0; i < 50; i++) {
      expect(engine.verdict(question)).toBe('allow')
      expect(engine.verdict({ ...question, action: `vps:apisvc:other${i}` })).toBe('deny')
      expect(engine.verdict({ ...question, action: 'vps:apisvc:get', resource: `urn:v1:eu:resource:vps:${i}` })).toBe('allow')
      expect(engine.verdict({ ...question, resource: `urn:v1:eu:resource:domain:${i}` })).toBe('deny')
    }
    engine.change({ ...world, policies: [first] }, world.policies.slice(1), [])
    expect(engine.verdict(question)).toBe('deny')
    expect(engine.verdict({ ...question, action: 'vps:apisvc:get' })).toBe('allow')
  })
})

function plain({ verdict, reason, clauses, missing, caveats }: ReturnType<typeof decide>) {
  return {
    verdict,
    reason,
    clauses: clauses.map(({ policy, list, entry, group }) => [policy.name.span.start, list, entry.span.start, group ?? null]),
    missing: missing.map(({ fact, allows, denies }) => [
      factText(fact),
      ...[allows, denies].map((values) => values.map((value) => [factText(value), valueText(value)])),
    ]),
    caveats,
  }
}
