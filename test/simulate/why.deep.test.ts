import { describe, expect, test } from 'vitest'
import { glob } from '../../src/glob.ts'
import type { Policy, World } from '../../src/policy.ts'
import { Names } from '../../src/report/names.ts'
import { gateRows } from '../../src/report/why.ts'
import { decide, explain } from '../../src/simulate/decide.ts'
import { type Gate, gates, type Question, type Trace } from '../../src/simulate/decision.ts'
import { nothingAssumed, testHolds } from '../../src/simulate/facts.ts'
import { traces } from '../../src/simulate/reference.ts'
import { decidingOperands, identityMatch, openGroups, resourceMatch } from '../../src/simulate/why.ts'
import { decisionIntervalOf } from '../../src/symbolic/decision-interval.ts'
import { mayGrant } from '../../src/world.ts'
import { effort } from '../support/effort.ts'
import { expectSame } from '../support/same.ts'
import { cases, questionOf, take, usualKnobs, worldOf } from '../support/worlds.ts'

const count = effort(20_000, 20)

/** A policy that has only one of its first four gates, and its permissions. */
function onlyGate(policy: Policy, gate: Gate | undefined): Policy {
  const { expiresAt, condition, identities, resources, ...rest } = policy
  const [anybody] = identities
  const [anything] = resources
  const everything = glob('*')
  return {
    ...rest,
    ...(gate === 'expiry' && expiresAt && { expiresAt }),
    ...(gate === 'condition' && condition && { condition }),
    identities: gate === 'identity' || !anybody ? identities : [{ ...anybody, value: { ...anybody.value, glob: everything } }],
    resources:
      gate === 'resource' || !anything
        ? resources
        : [{ ...anything, value: { kind: 'resource', text: '*', region: '*', type: '*', name: '', glob: everything } }],
  }
}

function closedGates(policy: Policy, world: World, question: Question): readonly Gate[] {
  const stops = (gate: Gate | undefined) => traces({ ...world, policies: [onlyGate(policy, gate)] }, question)[0]?.stoppedAt
  return gates.filter((gate) => (gate === 'action' ? stops(undefined) === 'action' : stops(gate) === gate))
}

/** Whether a policy was let through a gate: undefined where it stopped before. */
function passed({ stoppedAt }: Trace, gate: Gate): boolean | undefined {
  if (stoppedAt === undefined) return true
  const [stopped, at] = [gates.indexOf(stoppedAt), gates.indexOf(gate)]
  return stopped < at ? undefined : stopped > at
}

describe('what a gate rests on', () => {
  test('agrees with the part of every policy', () => {
    const seen = new Set<string>()
    for (const { world, question } of take(count, cases(31))) {
      for (const trace of traces(world, question)) {
        const { policy, stoppedAt, applies } = trace
        seen.add(`${stoppedAt} ${applies}`)
        if (passed(trace, 'identity') !== undefined)
          expect(identityMatch(policy, world, question) !== undefined).toBe(passed(trace, 'identity'))
        const isAbout = resourceMatch(policy, world, question) !== undefined
        if (passed(trace, 'resource') !== undefined)
          expect(isAbout || openGroups(policy, world, question).length > 0).toBe(passed(trace, 'resource'))
        if (applies === true) expect(isAbout).toBe(true)
        const operands = decidingOperands(policy, world, question)
        for (const { leaf, holds, isExcluded } of operands) {
          expect(leaf.kind === 'match' ? testHolds(leaf.test, world, question, nothingAssumed) : undefined).toBe(holds)
          if (stoppedAt === 'condition') expect(holds).toBe(isExcluded)
          if (applies === true) expect(holds).toBe(!isExcluded)
        }
      }
    }
    expect([...seen].sort()).toEqual([
      'action true',
      'action undefined',
      ...['condition', 'expiry', 'identity', 'resource'].map((gate) => `${gate} false`),
      'undefined true',
      'undefined undefined',
    ])
  })

  test('is printed for each gate that a policy passed, and for no other', () => {
    const names = new Names([], true)
    for (const { world, question } of take(effort(3_000, 20), cases(32))) {
      for (const { policy, stoppedAt, applies } of traces(world, question)) {
        const printed = new Set(gateRows(policy, { world, question, names }, stoppedAt).map(([, gate]) => gate))
        const before = gates.slice(0, stoppedAt ? gates.indexOf(stoppedAt) : gates.length)
        if (before.includes('identity')) expect(printed.has('identity')).toBe(true)
        if (before.includes('resource') && applies === true) expect(printed.has('resource')).toBe(true)
        for (const gate of printed) expect(gate === 'expiry' ? policy.expiresAt !== undefined : before.includes(gate as Gate)).toBe(true)
      }
    }
  })
})

describe('the nearest policies', () => {
  test('are those that one gate keeps from granting it', () => {
    let found = 0
    for (const { world, question } of take(count, cases(33))) {
      const { decision, nearest, traces: all } = explain(world, question)
      if (decision.reason !== 'default') continue
      for (const trace of all) {
        const closed = closedGates(trace.policy, world, question)
        const isNear = trace.stoppedAt !== undefined && closed.length === 1 && mayGrant(trace.policy, world)
        if (isNear) found++
        if (trace.stoppedAt !== undefined) expect(nearest.includes(trace)).toBe(isNear && !onlyDenies(trace, world, question))
      }
    }
    expect(found).toBeGreaterThan(count / 10)
  })
})

/** Whether a policy, once its gate is open, would say something of the action and grant nothing, or deny it, too. */
function onlyDenies({ policy, stoppedAt }: Trace, world: World, question: Question): boolean {
  if (stoppedAt === 'action') return false
  const [open] = traces({ ...world, policies: [onlyGate(policy, undefined)] }, question)
  return open !== undefined && (open.denies.length > 0 || open.grants.length + open.unknownGroups.length === 0)
}

describe('when the time turns an answer', () => {
  const hour = 3_600_000

  test('agrees with the answers at other instants, and is found where there is one', () => {
    const seen = new Map<string, number>()
    const all = take(effort(1_000, 5), cases(34, { ...usualKnobs, missing: 0 }))
    for (const { world, question } of all) {
      const decision = decide(world, question)
      const verdictAt = (at: number) => decide(world, { ...question, at }).verdict
      const turning = decisionIntervalOf(world, question, decision)
      const [next, after] = [turning?.next, turning?.after]
      // Every hour of a week, then some of two years.
      const later = [...Array(168).keys(), ...Array.from({ length: 100 }, (_, i) => 168 * (i + 1) + i)].map(
        (i) => question.at + (i + 1) * hour,
      )
      if (next) {
        expect(verdictAt(next.at)).toBe(next.verdict)
        expect(verdictAt(next.at - 1)).toBe(decision.verdict)
        if (after) expect([verdictAt(after.at - 1), verdictAt(after.at)]).toEqual([next.verdict, after.verdict])
      }
      for (const at of later) {
        if (!next || at < next.at) expectSame(verdictAt(at), decision.verdict)
        else if (!after || at < after.at) expectSame(verdictAt(at), next.verdict)
      }
      const kind = !turning ? 'timeless' : turning.isFinal ? 'final' : after ? 'twice' : next ? 'once' : 'open'
      seen.set(kind, (seen.get(kind) ?? 0) + 1)
    }
    for (const kind of ['once', 'timeless', 'twice']) expect(seen.get(kind) ?? 0).toBeGreaterThan(2)
  })
  test('is the first such instant where a fact is missing', () => {
    const [identity, action, resource] = ['urn:v1:eu:identity:user:acme-svc/bob', 'vps:apisvc:reboot', 'urn:v1:eu:resource:vps:web-1']
    const world = worldOf({
      policies: [
        {
          name: 'until evening',
          identities: [identity],
          resources: [{ urn: 'urn:v1:eu:resourceGroup:7c9a1b52-3d4e-4f60-8a7b-000000000001' }],
          permissions: { allow: [{ action }] },
          conditions: { operator: 'MATCH', values: { 'date(UTC).Hour.BEFORE': '18' } },
          expiredAt: '2026-12-31T00:00:00Z',
        },
      ],
    })
    const question = questionOf({ identity, action, resource, at: '2026-11-23T10:00:00Z' })
    const turning = decisionIntervalOf(world, question, decide(world, question))
    expect(turning).toMatchObject({
      verdict: 'unknown',
      next: { verdict: 'deny', at: Date.parse('2026-11-23T18:00:00Z') },
      after: { verdict: 'unknown', at: Date.parse('2026-11-24T00:00:00Z') },
      isFinal: false,
    })
  })
})
