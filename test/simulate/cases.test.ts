import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readAddress } from '../../src/conditions/address.ts'
import { defaultSettings } from '../../src/names.ts'
import { decide, explain } from '../../src/simulate/decide.ts'
import type { Caveat, Question, Reason, Verdict } from '../../src/simulate/decision.ts'
import { factText } from '../../src/simulate/facts.ts'
import { readBatchQuestion } from '../../src/simulate/question.ts'
import { type ConditionJson, type PermissionsJson, worldOf } from '../support/worlds.ts'

/**
 * The policy language, sentence by sentence: small worlds, one question each, and what must be answered because of which
 * sentence. What a case does not say is filled in from the table of usual things below, so that it shows only what
 * matters.
 */
interface WrittenCase {
  readonly name: string
  /** The sentence, and the section it comes from. */
  readonly because: string
  readonly policies?: readonly WrittenPolicy[]
  /** Whatever else a world file may hold. */
  readonly world?: object
  readonly ask?: Partial<Record<'identity' | 'action' | 'resource' | 'at' | 'ip' | 'owner', string>> & {
    groups?: string[]
    tags?: Record<string, string>
  }
  readonly verdict?: Verdict
  readonly reason?: Reason
  /** `policy/list/entry`, in written order. */
  readonly clauses?: readonly string[]
  readonly missing?: readonly string[]
  /** When not said: none, and `managed-policies` for a default deny. */
  readonly caveats?: readonly Caveat[]
  /** The verdict if wildcards inside an entry matched nothing. */
  readonly without?: Verdict
  /** The world cannot be read, and this is the code of what is wrong: nothing is decided. */
  readonly refused?: string
}
interface WrittenPolicy {
  readonly name: string
  readonly identities?: readonly string[]
  readonly resources?: readonly string[]
  readonly allow?: readonly string[]
  readonly except?: readonly string[]
  readonly deny?: readonly string[]
  readonly permissionsGroups?: readonly string[]
  readonly conditions?: ConditionJson
  readonly expiredAt?: string
  readonly readOnly?: boolean
}

const usual = {
  identity: 'urn:v1:eu:identity:user:xx1111-svc/ann',
  action: 'vps:apisvc:reboot',
  resource: 'urn:v1:eu:resource:vps:vps-1',
  /** A Friday. */
  at: '2026-11-20T12:00:00Z',
}

function policyOf({ name, identities, resources, permissionsGroups, conditions, expiredAt, readOnly, ...lists }: WrittenPolicy) {
  const permissions: PermissionsJson = Object.fromEntries(
    Object.entries(lists).map(([list, actions]) => [list, actions.map((action) => ({ action }))]),
  )
  return {
    name,
    identities: identities ?? [usual.identity],
    resources: (resources ?? [usual.resource]).map((urn) => ({ urn })),
    permissions,
    ...(permissionsGroups && { permissionsGroups: permissionsGroups.map((urn) => ({ urn })) }),
    ...(conditions && { conditions }),
    ...(expiredAt && { expiredAt }),
    ...(readOnly && { readOnly }),
  }
}

function questionOf({ owner, ...ask }: NonNullable<WrittenCase['ask']>): Question {
  const read = readBatchQuestion({ ...usual, ...ask }, { at: 0, groups: [], ...(owner !== undefined && { owner }) }, defaultSettings)
  if (typeof read === 'string') throw new Error(read)
  return read.question
}

function check(c: WrittenCase) {
  const written = { policies: (c.policies ?? []).map(policyOf), ...c.world }
  if (c.refused !== undefined) {
    expect(() => worldOf(written)).toThrow(`no good world: ${c.refused}: `)
    return
  }
  const world = worldOf(written)
  const question = questionOf(c.ask ?? {})
  const decision = decide(world, question)
  const shown = {
    verdict: decision.verdict,
    reason: decision.reason,
    clauses: decision.clauses.map(({ policy, list, entry }) => `${policy.name.value}/${list}/${entry.value.text}`),
    missing: decision.missing.map(({ fact }) => factText(fact)),
    caveats: decision.caveats,
  }
  expect(shown).toEqual({
    verdict: c.verdict,
    reason: c.reason ?? (c.verdict === 'allow' ? 'granted' : c.verdict === 'unknown' ? 'unknown' : undefined),
    clauses: c.clauses ?? (c.reason === 'default' || c.reason === 'root' ? [] : shown.clauses),
    missing: c.missing ?? [],
    caveats: c.caveats ?? (c.reason === 'default' ? ['managed-policies'] : []),
  })
  const explained = explain(world, question)
  expect(explained.decision).toEqual(decision)
  expect(explained.withoutInnerWildcards).toBe(c.without)
  expect(explained.traces.map((trace) => trace.policy)).toEqual(world.policies)
}

const folder = new URL('../cases/', import.meta.url)
const files = readdirSync(folder).sort()
const all = files.flatMap((file): readonly WrittenCase[] => parse(readFileSync(new URL(file, folder), 'utf8')))

for (const file of files) {
  const cases: readonly WrittenCase[] = parse(readFileSync(new URL(file, folder), 'utf8'))
  describe(file.replace('.yaml', ''), () => {
    for (const c of cases) test(c.name, () => check(c))
  })
}

describe('the cases', () => {
  test('have names of their own, and each says why', () => {
    expect(new Set(all.map((c) => c.name)).size).toBe(all.length)
    for (const c of all) expect(c.because, c.name).toMatch(/\S.*\(section [123][^()]*\)$/)
  })

  test('say nothing that is not read', () => {
    const known = new Set([
      'name',
      'because',
      'policies',
      'world',
      'ask',
      'verdict',
      'reason',
      'clauses',
      'missing',
      'caveats',
      'without',
      'refused',
    ])
    for (const c of all)
      expect(
        Object.keys(c).filter((key) => !known.has(key)),
        c.name,
      ).toEqual([])
    for (const c of all) expect((c.verdict === undefined) === (c.refused !== undefined), c.name).toBe(true)
  })

  test('hold every verdict, reason and caveat but the one that needs thousands of facts', () => {
    expect(new Set(all.flatMap((c) => c.verdict ?? []))).toEqual(new Set(['allow', 'deny', 'unknown']))
    expect(new Set(all.flatMap((c) => c.reason ?? []))).toEqual(new Set(['denied', 'default', 'root']))
    expect(new Set(all.flatMap((c) => c.caveats ?? []))).toEqual(
      new Set(['groups-unknown', 'inner-wildcard', 'managed-policies', 'root-unknown']),
    )
  })

  test('an address of a case is an address', () => {
    for (const c of all) if (c.ask?.ip) expect(readAddress(c.ask.ip), c.name).toBeDefined()
  })
})
