import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import type { Verdict } from '../../src/simulate/decision.ts'
import { ActionsByType } from '../../src/symbolic/described.ts'
import { replayCollector } from '../../src/usage/replay.ts'
import { recordCounter } from '../../src/usage/tally.ts'
import { unusedEntries } from '../../src/usage/unused.ts'
import { dialects } from '../../src/warehouse/dialects.ts'
import { sqlExport } from '../../src/warehouse/script.ts'
import { replayView } from '../../src/warehouse/views.ts'
import { worldOfJson } from '../engines/cases.ts'
import { type Call, callOf } from '../engines/decided.ts'
import { type Engine, open } from '../engines/engine.ts'
import { effort } from '../support/effort.ts'
import { expectCounts, given, recordedCall, table, viewed } from '../support/views.ts'
import { generate, pick, type Random, randomOf, usualKnobs } from '../support/worlds.ts'

/** The views over decisions, next to the commands that answer the same of records. */

let engine: Engine
beforeAll(async () => {
  engine = await open('duckdb')
})
afterAll(() => engine.close())

const dialect = dialects.duckdb

/** Calls of which some come again, at other times. */
function repeated(random: Random, calls: readonly Call[]): readonly Call[] {
  return Array.from({ length: 3 * calls.length }, () => pick(random, calls)).map((call) =>
    random() < 0.5 ? call : { ...call, at_ms: call.at_ms === null ? null : call.at_ms + 1000 },
  )
}

test('who used what by which entry, and what was done, are counts of the decisions', async () => {
  const seen = { allow: 0, deny: 0, unknown: 0 }
  for (let seed = 1; seed <= effort(200, 40); seed++) {
    const random = randomOf(seed)
    const { world: written, questions } = generate(random, 10)
    const world = await worldOfJson(written)
    const calls = repeated(random, questions.map(callOf))
    for (const [verdict, count] of Object.entries(await expectCounts(engine, world, calls, await viewed(engine, world, calls))))
      seen[verdict as Verdict] += count
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(3)
})

test('an entry that `least --unused` calls unused is unused, and without conditions no other is', async () => {
  const catalogue = loadCatalogue()
  const actions = new ActionsByType(catalogue)
  const found = { unused: 0, used: 0, alike: 0 }
  for (let seed = 1; seed <= effort(400, 40); seed++) {
    const random = randomOf(seed)
    const isPlain = seed % 2 === 0
    const { world: written, questions } = generate(random, 10, isPlain ? { ...usualKnobs, conditions: 0, missing: 0 } : usualKnobs)
    const at = Date.UTC(2026, 5, 1)
    const calls = questions.map((question) => ({ ...callOf(question), at_ms: at }))
    // Where groups are not known, any may be meant: the record knows them.
    const identities = [...new Set(questions.map(({ identity }) => identity))].map((urn) => ({
      urn,
      groups: written.identities?.find((each) => each.urn === urn)?.groups ?? [],
    }))
    const world = await worldOfJson(isPlain ? { ...written, identities } : written)
    const plainCalls = isPlain ? calls.map((call) => ({ ...call, grps: null })) : calls
    const { answers, tables } = await viewed(engine, world, plainCalls)
    const tally = recordCounter()
    for (const [i, call] of plainCalls.entries()) {
      // Calls of the owning account need no entry.
      if (answers[i]?.reason !== 'root') tally.add(recordedCall(call, answers[i]?.verdict as Verdict))
    }
    const { entries, of } = unusedEntries(world, tally.end(), { catalogue, actions, at })
    const whole = new Set(entries.filter(({ isWhole }) => isWhole).map(({ clause }) => tables.entryNumber(clause)))
    const rows = await engine.all('SELECT entry, perhaps_used FROM gw_unused')
    const unused = new Set(rows.map(({ entry }) => entry as number))
    expect([seed, [...whole].filter((entry) => !unused.has(entry))]).toEqual([seed, []])
    const isDecided = isPlain && answers.every(({ verdict }) => verdict !== 'unknown')
    found.unused += whole.size
    found.used += of - whole.size
    if (!isDecided) continue
    found.alike++
    const expired = new Set(world.policies.filter(({ expiresAt }) => expiresAt && expiresAt.value < at))
    const inForce = (await engine.all('SELECT entry, policy_name FROM gw_unused')).filter(
      ({ policy_name: name }) => ![...expired].some((policy) => policy.name.value === name),
    )
    expect([seed, inForce.map(({ entry }) => entry).sort()]).toEqual([seed, [...whole].sort()])
  }
  for (const [kind, count] of Object.entries(found)) expect([kind, count > 3]).toEqual([kind, true])
})

test('an entry that may have granted a call is perhaps used, and no other', async () => {
  const identity = 'urn:v1:eu:identity:user:ab12-svc/ann'
  const policyOf = (name: string, action: string, more: object = {}) => ({
    name,
    identities: [identity],
    resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
    permissions: { allow: [{ action }] },
    ...more,
  })
  const conditions = { operator: 'MATCH', values: { 'request.IP': '192.0.2.1' } }
  const policies = [
    policyOf('open', 'vps:apisvc:get', { conditions }),
    policyOf('used', 'vps:apisvc:edit'),
    policyOf('other', 'vps:apisvc:delete', { conditions }),
  ]
  const calls = ['vps:apisvc:get', 'vps:apisvc:edit'].map((action) => callOf({ identity, action, resource: 'urn:v1:eu:resource:vps:a' }))
  await viewed(engine, worldOfJson({ policies } as never), calls)
  expect(await engine.all('SELECT policy_name, perhaps_used, open_calls FROM gw_unused ORDER BY policy_name')).toEqual([
    { policy_name: 'open', perhaps_used: 1, open_calls: 1 },
    { policy_name: 'other', perhaps_used: 0, open_calls: 1 },
  ])
})

test('calls before and after change as `replay` finds', async () => {
  const seen: Record<string, number> = { refused: 0, allowed: 0, same: 0, unknown: 0 }
  for (let seed = 1; seed <= effort(120, 15); seed++) {
    const random = randomOf(seed)
    const { world: written, questions } = generate(random, 60)
    const fewer = { ...written, policies: written.policies.filter(() => random() < 0.5) }
    const [before, world] = await Promise.all((seed % 2 === 0 ? [fewer, written] : [written, fewer]).map(worldOfJson))
    if (!before || !world) throw new Error('no world')
    const calls = questions.map((question) => ({ ...callOf(question), tags: null }))
    const old = sqlExport(before, { dialect: 'duckdb', prefix: 'gwb_', calls: 'gw_call', given, asInserts: true })
    await viewed(engine, world, calls)
    for (const path of ['load.sql', 'decide.sql'])
      for (const sql of String(old.files.find((file) => file.path === path)?.content)
        .split(/;\n+/)
        .filter(Boolean))
        await engine.run(sql)
    const { name, query } = replayView({ table }, (each) => `gwb_${each}`)
    for (const sql of dialect.createView(table(name), query)) await engine.run(sql)
    const rows = await engine.all('SELECT id, before_verdict, gw_change FROM gw_replay ORDER BY id')
    expect(rows.map(({ id }) => id)).toEqual(calls.map((_, id) => id))
    for (const { id, before_verdict: was, gw_change: change } of rows) {
      seen[change as string] = (seen[change as string] ?? 0) + 1
      // Records have neither tags nor, for others than the owning account, owners; an undecided record counts as refused.
      if (was === 'unknown') expect(change).toBe('unknown')
      else {
        const call = calls[id as number] as Call
        const replay = replayCollector(world, { now: 0 })
        if (call.ip !== null) continue
        replay.add(recordedCall(call, was as Verdict))
        expect([seed, id, change]).toEqual([seed, id, replay.end().uses[0]?.change])
      }
    }
  }
  for (const [kind, count] of Object.entries(seen)) expect([kind, count > 3]).toEqual([kind, true])
})
