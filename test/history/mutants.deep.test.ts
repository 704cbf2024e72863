import { describe, expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { Budget } from '../../src/budget.ts'
import { type Mutant, mutantsOf, mutate } from '../../src/history/mutants.ts'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import { sourceOf } from '../../src/source.ts'
import { runSuite } from '../../src/suite/run.ts'
import type { SingleCheck } from '../../src/suite/suite.ts'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'
import {
  generate,
  type PolicyJson,
  type QuestionJson,
  questionOf,
  randomOf,
  type WorldJson,
  worldOf,
  worldOfTexts,
} from '../support/worlds.ts'

/** Mistakes that are made in policies on purpose, and the tests that notice them. */

const catalogue = loadCatalogue()
const span = { source: sourceOf('t.yaml', ''), start: 0, end: 0 }
const none = new Set<string>()

/** A suite of questions, each with the answer that it has. */
function suiteOf(world: WorldJson, questions: readonly QuestionJson[]): { readonly checks: readonly SingleCheck[] } {
  const built = worldOf(world)
  const located = (value: string) => ({ value, span })
  return {
    checks: questions.map((written, i) => {
      const { identity, action, resource, ...context } = questionOf(written)
      const { verdict } = decide(built, { identity, action, resource, ...context })
      const asked = { identity: located(identity), action: located(action), resource: located(resource) }
      return { kind: 'test', name: `${i}`, span, asked, context, expected: { verdict } }
    }),
  }
}

/** The world with a mistake, made in what is written. */
function mistaken(world: WorldJson, { kind, policy, list, text, to }: Mutant): WorldJson {
  const policies = world.policies.map((each): PolicyJson => {
    if (each.name !== policy.name.value) return each
    const { conditions, expiredAt, ...rest } = each
    if (kind === 'unconditional') return { ...rest, ...(expiredAt !== undefined && { expiredAt }) }
    if (kind === 'unlimited') return { ...rest, ...(conditions && { conditions }) }
    const inList = list === 'allow' || list === 'except' || list === 'deny' ? each.permissions[list] : each[list as 'identities']
    const entries = (inList ?? []) as readonly (string | { urn?: string; action?: string })[]
    const textOf = (entry: (typeof entries)[number]) => (typeof entry === 'string' ? entry : (entry.urn ?? entry.action ?? ''))
    const at = entries.findIndex((entry) => textOf(entry) === text)
    const wider = (entry: (typeof entries)[number]) =>
      (typeof entry === 'string' ? to : 'urn' in entry ? { urn: to } : { action: to }) as (typeof entries)[number]
    const changed = entries.flatMap((entry, i) => (i !== at ? [entry] : to === undefined ? [] : [wider(entry)]))
    if (list === 'allow' || list === 'except' || list === 'deny')
      return { ...each, permissions: { ...each.permissions, [list]: changed } as PolicyJson['permissions'] }
    return { ...each, [list as string]: changed }
  })
  return { ...world, policies }
}

describe('mutate', () => {
  const policy = (name: string, others: object): PolicyJson => ({
    name,
    identities: ['urn:v1:eu:identity:user:ab/ann'],
    resources: [{ urn: 'urn:v1:eu:resource:vps:vps-1' }],
    permissions: { allow: [{ action: 'vps:apisvc:get' }], except: [], deny: [] },
    ...others,
  })
  const world = (...policies: readonly PolicyJson[]): WorldJson => ({
    policies: [...policies],
    permissionsGroups: [],
    resourceGroups: [],
    resources: [],
    identities: [],
  })
  const question = (action: string, who = 'ann', on = 'vps-1'): QuestionJson => ({
    identity: `urn:v1:eu:identity:user:ab/${who}`,
    action,
    resource: `urn:v1:eu:resource:vps:${on}`,
    at: '2026-06-01T12:00:00Z',
    groups: [],
  })
  const survivorsOf = (written: WorldJson, questions: readonly QuestionJson[]) => {
    const suite = suiteOf(written, questions)
    const built = worldOf(written)
    const report = mutate([{ suite, world: built, results: runSuite(suite, built, catalogue), apart: none }], catalogue, () => new Budget())
    return {
      ...report,
      survivors: report.survivors.map(({ kind, list, to }) => [kind, list, to].filter((each) => each !== undefined).join(' ')),
    }
  }

  test('a question that is allowed notices what is dropped, and those that are denied what is widened', () => {
    const one = world(policy('one', {}))
    expect(survivorsOf(one, [])).toMatchObject({ tried: 6, noticed: 0, equal: 0 })
    expect(survivorsOf(one, [question('vps:apisvc:get')]).survivors).toEqual([
      'widened identities urn:v1:eu:identity:user:ab/*',
      'widened resources urn:v1:eu:resource:vps:*',
      'widened allow vps:*',
    ])
    const all = [
      question('vps:apisvc:get'),
      question('vps:apisvc:reboot'),
      question('vps:apisvc:get', 'bob'),
      question('vps:apisvc:get', 'ann', 'vps-2'),
    ]
    expect(survivorsOf(one, all)).toMatchObject({ tried: 6, noticed: 6, survivors: [] })
  })

  test('what changes no access is counted apart', () => {
    const twice = policy('twice', {
      permissions: { allow: [{ action: 'vps:apisvc:get' }, { action: 'vps:apisvc:get' }], except: [], deny: [] },
    })
    const { equal, survivors } = survivorsOf(world(twice), [])
    expect(equal).toBe(2)
    expect(survivors).not.toContain('dropped allow')
  })

  test('conditions and expiries are taken away', () => {
    const limited = policy('limited', {
      expiredAt: '2026-05-01T00:00:00Z',
      conditions: { operator: 'MATCH', values: { 'date(UTC).Hour.GE': '13' } },
    })
    expect(
      survivorsOf(world(limited), [])
        .survivors.filter((each) => each.startsWith('un'))
        .sort(),
    ).toEqual(['unconditional', 'unlimited'])
  })

  test('a mistake that changes access in the world of one suite alone is not counted as equal', () => {
    const web = 'urn:v1:eu:resourceGroup:web'
    const policies = JSON.stringify({ policies: [policy('grouped', { resources: [{ urn: web }] })] })
    const withMembers = (...resources: readonly string[]) =>
      worldOfTexts([
        policies,
        JSON.stringify({ resourceGroups: [{ urn: web, name: 'web', resources: resources.map((urn) => ({ urn })) }] }),
      ])
    const [empty, filled] = [withMembers(), withMembers('urn:v1:eu:resource:vps:vps-1')]
    const report = (...worlds: readonly World[]) =>
      mutate(
        worlds.map((each) => ({ suite: { checks: [] }, world: each, results: [], apart: none })),
        catalogue,
        () => new Budget(),
      )
    const all = report(filled)
    expect(all).toMatchObject({ tried: 5, equal: 0 })
    expect(report(empty)).toMatchObject({ tried: 5, equal: 5, survivors: [] })
    expect(report(empty, filled).survivors.map(({ shown }) => shown)).toEqual(all.survivors.map(({ shown }) => shown))
    expect(report(filled, empty)).toMatchObject({ tried: 5, equal: 0 })
  })

  test('a question that shows a mistake uses an action of the catalogue where there is one', () => {
    const suite = suiteOf(world(policy('one', {})), [])
    const built = worldOf(world(policy('one', {})))
    const { survivors } = mutate([{ suite, world: built, results: [], apart: none }], catalogue, () => new Budget())
    const wider = survivors.find(({ kind, list }) => kind === 'widened' && list === 'allow')
    expect(catalogue.has(wider?.shown?.question.action ?? '')).toBe(true)
  })
})

test('the reports hold for generated worlds and suites, with each mistake made in what is written', () => {
  const seen = { noticed: 0, survivors: 0, equal: 0, shown: 0 }
  for (let seed = 1; seed <= counted(effort(2000, 320)); seed++) {
    const { world, questions } = generate(randomOf(seed), 30)
    // Policies with one name could not be distinguished in what is written.
    world.policies = world.policies.slice(0, 3).map((each, i) => ({ ...each, name: `policy ${i}` }))
    const [asked, others] = [questions.slice(0, 10), questions.slice(10)]
    const suite = suiteOf(world, asked)
    const built = worldOf(world)
    const results = runSuite(suite, built, catalogue)
    expect(results.every(({ status }) => status === 'passed')).toBe(true)
    const report = mutate([{ suite, world: built, results, apart: none }], catalogue, () => new Budget())
    expect(report.tried).toBe(mutantsOf(built, none).length)
    expect(report.noticed + report.equal + report.survivors.length).toBe(report.tried)
    const survives = new Set(report.survivors.map(({ policy, kind, span }) => `${policy.name.value} ${kind} ${span.start}`))
    for (const mutant of mutantsOf(built, none)) {
      const other = worldOf(mistaken(world, mutant))
      const isAnswered = (question: QuestionJson) =>
        decide(other, questionOf(question)).verdict === decide(built, questionOf(question)).verdict
      const isNoticed = !asked.every(isAnswered)
      const key = `${mutant.policy.name.value} ${mutant.kind} ${mutant.span.start}`
      if (isNoticed) {
        seen.noticed++
        expect(survives.has(key)).toBe(false)
      } else if (survives.has(key)) {
        seen.survivors++
        const { shown } = report.survivors.find(({ kind, span, policy }) => `${policy.name.value} ${kind} ${span.start}` === key) ?? {}
        if (!shown) continue
        seen.shown++
        expect(decide(built, shown.question).verdict).toBe(shown.verdict)
        expect(decide(other, shown.question).verdict).toBe(shown.mutated)
        expect(shown.mutated).not.toBe(shown.verdict)
      } else {
        // It is said to change nothing.
        seen.equal++
        expect(others.every(isAnswered)).toBe(true)
      }
    }
  }
  expect(
    Object.values(seen).every((count) => count > 0),
    JSON.stringify(seen),
  ).toBe(true)
})
