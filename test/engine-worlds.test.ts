import { describe, expect, test } from 'vitest'
import { decide } from '../src/simulate/decide.ts'
import type { Decision, Question } from '../src/simulate/decision.ts'
import { compile } from '../src/simulate/engine.ts'
import { factText, valueText } from '../src/simulate/facts.ts'
import { identityOf, resourceOf, type ShortPolicy, writtenOf } from './support/short.ts'
import { pick, type Random, randomOf, worldOfTexts } from './support/worlds.ts'

/** A decision with the places of its entries, without the objects that hold them. */
function plain({ verdict, reason, clauses, missing, caveats }: Decision) {
  return {
    verdict,
    reason,
    clauses: clauses.map(({ policy, list, entry, group, ...rest }) => [
      `${entry.span.source.path}:${entry.span.start} by ${policy.name.value} ${list} ${entry.value.text}`,
      group,
      rest,
    ]),
    missing: missing.map(({ fact, allows, denies }) => [
      factText(fact),
      ...[allows, denies].map((values) => values.map((value) => `${factText(value)}=${valueText(value)}`)),
    ]),
    caveats,
  }
}

const list = (random: Random, least: number, most: number, texts: readonly string[]) => [
  ...new Set(Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, () => pick(random, texts))),
]

const actionTexts = ['p:apisvc:a', 'p:apisvc:b', 'q:apisvc:a', 'p:*', '*', '*:a', 'p*a', 'q:apisvc:a*']
const resourceTexts = ['t:a', 't:ab', 't:*', 'u:a', '*', 't:a*', '#held', '#far', '#*']
const identityTexts = [
  'user:a/u',
  'user:a/v',
  'user:b/u',
  'user:a/*',
  'user:*',
  'group:a/g',
  'group:b/g',
  'group:a/h*',
  'group:*',
  'account:a',
]
const conditions = [
  { 'resource.Name': 'a' },
  { 'resource.Tag(k)': 'a' },
  { 'request.IP': '192.0.2.1' },
  { 'resource.Type': 'u' },
  { 'date(UTC).Hour': '12' },
]

/** Policies of many units: more than one word of bits for an identity, some of them of permissions groups. */
function policiesOf(random: Random, count: number): ShortPolicy[] {
  return Array.from({ length: count }, () => {
    const [first = 'user:a/u', ...who] = list(random, 1, 3, identityTexts)
    return {
      who: [first, ...who],
      on: list(random, 1, 2, random() < 0.8 ? resourceTexts.slice(0, 6) : resourceTexts),
      allow: list(random, 0, 3, actionTexts),
      except: list(random, 0, random() < 0.3 ? 2 : 0, actionTexts),
      deny: list(random, 0, random() < 0.15 ? 1 : 0, actionTexts),
      groups: random() < 0.2 ? list(random, 1, 2, ['svc:held', 'svc:more', ...(random() < 0.2 ? ['svc:far'] : [])]) : [],
      when: random() < 0.15 ? pick(random, conditions) : undefined,
      ...(random() < 0.1 && { until: pick(random, ['2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z']) }),
    }
  })
}

/** The same world in several files, whose names are not in the order in which they are read. */
function worldFrom(random: Random, count: number) {
  const { policies, ...rest } = writtenOf(policiesOf(random, count), {
    members: { 'user:a/u': ['group:a/g'], 'user:b/u': ['group:b/g', 'group:a/h1'] },
    resourceGroups: { '#held': ['t:a', 'u:a'] },
    permissionsGroups: {
      'svc:held': { allow: ['p:apisvc:a', 'p:*'], except: ['p:apisvc:b'] },
      'svc:more': { allow: ['q:apisvc:a'], deny: ['q:apisvc:b', 'p*b'] },
    },
    resources: { 't:a': { k: 'a' }, 't:ab': {} },
  })
  const readOnly = random() < 0.5 ? policies.map((policy, i) => (i === 0 ? { ...policy, readOnly: true } : policy)) : policies
  const cut = Math.floor(random() * readOnly.length)
  const texts = [{ ...rest, policies: readOnly.slice(cut) }, { policies: readOnly.slice(0, cut) }].map((each) => JSON.stringify(each))
  const world = worldOfTexts(texts)
  return random() < 0.5 ? world : { ...world, policies: [...world.policies].reverse() }
}

function questionFrom(random: Random): Question {
  return {
    identity: identityOf(pick(random, ['user:a/u', 'user:a/v', 'user:b/u', 'user:c/w', 'account:a', 'group:a/g', 'credential:a/oauth2-x'])),
    action: pick(random, ['p:apisvc:a', 'p:apisvc:b', 'q:apisvc:a', 'q:apisvc:b', 'r:apisvc:c']),
    resource: resourceOf(pick(random, ['t:a', 't:ab', 't:b', 'u:a', 'ca/t:a'])),
    at: pick(random, [Date.UTC(2026, 1, 1), Date.UTC(2026, 1, 1, 12), Date.UTC(2026, 4, 1, 12)]),
    groups: list(random, 0, 2, ['group:a/g', 'group:b/g', 'group:a/h1']).map(identityOf),
    ...(random() < 0.3 && { owner: pick(random, ['a', 'b']) }),
    ...(random() < 0.3 && { tags: new Map([['k', pick(random, ['a', 'b'])]]) }),
  }
}

// One engine for all questions of a world: what it remembers of one must not change the next.
describe.each([2, 12, 40, 90])('an engine of a world of %i policies', (count) => {
  test.each([1, 2, 3, 4, 5, 6])('decides as the reference does (seed %i)', (seed) => {
    const random = randomOf(1000 * count + seed)
    const world = worldFrom(random, count)
    const engines = [compile(world), compile(world, { mostCopied: seed % 3 })]
    for (let i = 0; i < 40; i++) {
      const question = questionFrom(random)
      const expected = plain(decide(world, question))
      for (const engine of engines) {
        expect([question, plain(engine.decide(question))]).toStrictEqual([question, expected])
        expect(engine.verdict(question)).toBe(expected.verdict)
        const known = engine.decideKnown(question)
        expect(known && plain(known)).toStrictEqual(expected)
      }
    }
  })
})

describe('what is known of a question', () => {
  const world = worldOfTexts([JSON.stringify(writtenOf([{ allow: ['p:*'] }]))])
  const question: Question = { identity: identityOf('user:a/u'), action: 'p:apisvc:a', resource: resourceOf('t:a'), at: 0, groups: [] }
  const other = { identity: identityOf('user:a/v'), action: 'p:apisvc:b', resource: resourceOf('t:b') }

  test('is a decision where each of its names was asked about before', () => {
    const engine = compile(world)
    expect(engine.decideKnown(question)).toBeUndefined()
    const decision = engine.decide(question)
    expect(engine.decideKnown(question)).toStrictEqual(decision)
    for (const [key, value] of Object.entries(other))
      expect([key, engine.decideKnown({ ...question, [key]: value })]).toStrictEqual([key, undefined])
    engine.verdict({ ...question, ...other })
    expect(engine.decideKnown({ ...question, identity: other.identity })).toStrictEqual(
      decide(world, { ...question, identity: other.identity }),
    )
    expect(engine.decideKnown({ ...question, action: other.action })).toStrictEqual(decide(world, { ...question, action: other.action }))
  })
})
