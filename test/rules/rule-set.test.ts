import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadOperations, type Operation } from '../../src/actions/operations.ts'
import { accessGate } from '../../src/calls/access.ts'
import { readCall, routesOf } from '../../src/calls/match.ts'
import {
  coverOfRules,
  operationsFinder,
  type PlainRule,
  type RuleLevel,
  ruleLevels,
  rulesAsAddress,
  rulesAsList,
  rulesAsRequest,
  withoutCovered,
} from '../../src/calls/rule-set.ts'
import { glob, matches } from '../../src/glob.ts'
import { readCredential } from '../../src/parser/credential.ts'
import { readTree } from '../../src/parser/tree.ts'
import type { AccessRule } from '../../src/policy.ts'
import { type Notation, sourceOf } from '../../src/source.ts'
import type { MapNode } from '../../src/tree.ts'
import type { Recorded } from '../../src/usage/record.ts'
import { leastRules, tallyingCalls } from '../../src/usage/rules.ts'
import { effort } from '../support/effort.ts'

/** Few, so that thousands of proposals are made at once. */
const operations = loadOperations().filter(({ path: at }) => /^\/(?:vps|ip|iam|me\/(?:order|api|accessRestriction))\b/.test(at))
const routes = routesOf(operations)
const levels = Object.keys(ruleLevels) as RuleLevel[]

function readBack(text: string, notation: Notation): readonly AccessRule[] {
  const { documents, diagnostics } = readTree(sourceOf('x', text, notation))
  expect(diagnostics).toEqual([])
  return documents.flatMap((document) => readCredential(document as MapNode).request.rules)
}
const plain = (rules: readonly AccessRule[]) => rules.map(({ method, path }) => ({ method: method.value, path: path.value }))
const located = (rules: readonly PlainRule[]) => readBack(rulesAsRequest(rules), 'json')

const method = fc.constantFrom('GET', 'POST', 'DELETE')
const word = fc.constantFrom('vps', 'a', 'b', '*', 'x*', 'é', '%2F', '192.0.2.0/24', 'a&b=c?d', '+33', '{name}', '..', 'a:b@c')
const path = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => `/${words.join('/')}`)
const ruleLists = fc.array(fc.record({ method, path }), { minLength: 1, maxLength: 6 })

/** Calls to known operations and to none, in either branch or without. */
const call = fc
  .tuple(fc.constantFrom(...operations), fc.constantFrom('vps-1', 'vps-2', '192.0.2.0%2F24', 'é'), fc.constantFrom('', '/'), fc.boolean())
  .map(([operation, name, end, isKnown]) => {
    const written = operation.path.replace(/\{[^}]*\}/g, name)
    return { method: operation.method, path: `/${operation.branch}${isKnown ? written : '/other/thing'}${end}` }
  })

const recorded = (each: { readonly method: string; readonly path: string }, verdict: Recorded['verdict'] = 'allow'): Recorded => ({
  at: 0,
  account: 'ab12-svc',
  identity: 'urn:v1:eu:identity:user:ab12-svc/ann',
  groups: undefined,
  ip: undefined,
  call: { ...each, operation: null },
  needs: [],
  verdict,
  credential: verdict,
})

function propose(calls: readonly { readonly method: string; readonly path: string }[], level: RuleLevel, current?: readonly AccessRule[]) {
  const tally = tallyingCalls()
  for (const each of calls) tally.add(recorded(each))
  return leastRules(tally.end(), routes, level, current)
}
const readPlain = (each: { readonly method: string; readonly path: string }) =>
  readCall(each.method, each.path).call as NonNullable<ReturnType<typeof readCall>['call']>

describe('forms of rules', () => {
  it('go round through the body of a request, an address and a list', () => {
    fc.assert(
      fc.property(ruleLists, (rules) => {
        expect(plain(located(rules))).toEqual(rules)
        expect(plain(readBack(rulesAsAddress(rules, 'https://api.example/v1/'), 'rules'))).toEqual(rules)
        expect(plain(readBack(rulesAsList(rules) ?? '', 'rules'))).toEqual(rules)
      }),
      { numRuns: effort(1000) },
    )
  })

  it('has no list for what would not be read back', () => {
    for (const at of ['/a b', '', '/a\nb', '#a', '/a\u200bb']) expect(rulesAsList([{ method: 'GET', path: at }])).toBeUndefined()
  })
})

describe('covering', () => {
  it('lets the same calls through, and is done once', () => {
    fc.assert(
      fc.property(ruleLists, fc.array(path, { maxLength: 4 }), (rules, others) => {
        const fewest = withoutCovered(rules)
        expect(withoutCovered(fewest)).toEqual(fewest)
        expect(withoutCovered([...rules].reverse())).toEqual(fewest)
        for (const rule of rules) expect(coverOfRules(fewest).covers(rule)).toBe(true)
        for (const [i, rule] of fewest.entries()) expect(coverOfRules(fewest.toSpliced(i, 1)).covers(rule)).toBe(false)
        for (const other of others.map((each) => each.replaceAll('*', 'q')))
          expect(fewest.some((rule) => matches(glob(rule.path), other))).toBe(rules.some((rule) => matches(glob(rule.path), other)))
      }),
      { numRuns: effort(1000) },
    )
  })

  it('knows branches: one rule of each covers a rule without', () => {
    const get = (at: string) => ({ method: 'GET', path: at })
    expect(coverOfRules([get('/v1/me'), get('/v2/*')]).covers(get('/me'))).toBe(true)
    expect(coverOfRules([get('/1.0/me')]).covers(get('/me'))).toBe(false)
    expect(coverOfRules([get('/*')]).covers(get('/v2/iam/policy'))).toBe(true)
    expect(withoutCovered([get('/me'), get('/v2/me'), { method: 'POST', path: '/me' }])).toHaveLength(2)
  })
})

describe('what a rule opens', () => {
  const names = (rule: PlainRule, known: readonly Operation[] = operations) =>
    operationsFinder(known)(rule).map((each) => `/${each.branch}${each.path}`)

  it('crosses slashes where `*` does, and not where a parameter does not', () => {
    const rule = { method: 'POST', path: '/vps/*/start' }
    expect(names(rule)).toContain('/v1/vps/{serviceName}/start')
    const of = (at: string): Operation => ({ branch: 'v1', method: 'GET', path: at, actions: [], seen: '2025-01', noAuthentication: false })
    const known = ['/a', '/a/{x}', '/a/{x}/c', '/a/{x}/b/{y}/c', '/a/{x}/c/d', '/{z}/k'].map(of)
    expect(names({ method: 'GET', path: '/a/*/c' }, known)).toEqual(['/v1/a/{x}/c', '/v1/a/{x}/b/{y}/c'])
    expect(names({ method: 'GET', path: '/a/*' }, known)).toEqual(['/v1/a/{x}', '/v1/a/{x}/c', '/v1/a/{x}/b/{y}/c', '/v1/a/{x}/c/d'])
    expect(names({ method: 'GET', path: '*k' }, known)).toEqual(['/v1/{z}/k', '/v1/a/{x}'])
    expect(names({ method: 'GET', path: '/v2/a' }, known)).toEqual([])
    expect(names({ method: 'GET', path: '/a/q' }, known)).toEqual(['/v1/a/{x}'])
  })

  it('is every operation of which a call is let through', () => {
    fc.assert(
      fc.property(path, call, (at, each) => {
        const rule = { method: each.method, path: at }
        const read = readPlain(each)
        const gate = accessGate(located([rule]), read, read.branch)
        const proposed = propose([each], 'parameters')
        if (gate.verdict !== 'allow' || proposed.unknown.length > 0 || proposed.open.length > 0) return
        expect(operationsFinder(operations)(rule).length).toBeGreaterThan(0)
      }),
      { numRuns: effort(1000) },
    )
  })
})

describe('the fewest rules for recorded calls', () => {
  it('let every call through at every level, and at level none no other', () => {
    fc.assert(
      fc.property(
        fc.array(call, { minLength: 1, maxLength: 5 }),
        fc.array(call, { maxLength: 5 }),
        fc.constantFrom(...levels),
        (calls, others, level) => {
          const { rules, open } = propose(calls, level)
          const isOpen = new Set(open.map(({ method: how, sent }) => `${how} ${sent}`))
          const list = located(rules)
          const lets = (each: (typeof calls)[number]) => {
            const read = readPlain(each)
            return isOpen.has(`${read.method} ${read.sent}`) ? 'allow' : accessGate(list, read, read.branch).verdict
          }
          for (const each of calls) expect(lets(each)).toBe('allow')
          if (level !== 'none') return
          const bare = (each: (typeof calls)[number]) => `${each.method} ${each.path.replace(/^\/v[12]/, '').replace(/\/$/, '')}`
          const known = new Set(calls.map(bare))
          for (const other of others) if (!known.has(bare(other)) && !isOpen.has(bare(other))) expect(lets(other)).toBe('deny')
        },
      ),
      { numRuns: effort(1000) },
    )
  })

  it('are within what is in force exactly where that covers them, and each level within the next', () => {
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 5 }), (calls) => {
        const [none, parameters, all] = levels.map((level) => propose(calls, level).rules)
        expect(propose(calls, 'none', located(parameters ?? [])).current).toMatchObject({ outside: [], refusing: [], unused: [] })
        expect(propose(calls, 'parameters', located(all ?? [])).current).toMatchObject({ outside: [] })
        const { outside, refusing } = propose(calls, 'none', located((none ?? []).slice(1))).current ?? { outside: [], refusing: [] }
        if ((none ?? []).length > 0) expect([outside.length, refusing.length > 0]).toEqual([1, true])
      }),
      { numRuns: 300 },
    )
  })

  it('leave out what was refused, and report what was not used', () => {
    const tally = tallyingCalls()
    tally.add(recorded({ method: 'GET', path: '/v1/vps' }))
    tally.add(recorded({ method: 'GET', path: '/v1/vps' }))
    tally.add(recorded({ method: 'DELETE', path: '/v1/vps/x' }, 'deny'))
    tally.add(recorded({ method: 'GET', path: '/v1/vps/x' }, 'unknown'))
    tally.add(recorded({ method: 'GET', path: '/v1/vps/%ZZ' }))
    tally.add({ ...recorded({ method: 'GET', path: '/v1/vps' }), call: undefined })
    const tallied = tally.end()
    expect([tallied.records, tallied.letThrough, tallied.used.length, tallied.left]).toEqual([
      6,
      2,
      1,
      { refused: 1, undecided: 1, 'no-call': 1, unreadable: 1 },
    ])
    const current = located([
      { method: 'GET', path: '/vps*' },
      { method: 'POST', path: '/vps/*' },
    ])
    const least = leastRules(tallied, routes, 'none', current)
    expect(least.rules.map(({ path: at }) => at)).toEqual(['/vps'])
    expect(least.current?.unused.map(({ method: how }) => how)).toEqual(['POST'])
    expect(least.current?.wider[0]?.beyond.length).toBeGreaterThan(5)
  })

  it('takes 20,000 distinct calls', () => {
    const calls = Array.from({ length: 20_000 }, (_, i) => ({ method: 'GET', path: `/v1/vps/vps-${i}` }))
    expect(propose(calls, 'none').rules).toHaveLength(20_000)
    expect(propose(calls, 'parameters').rules.map(({ path: at }) => at)).toEqual(['/vps/*'])
  })
})
