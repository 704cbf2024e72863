import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { dialects } from '../../src/warehouse/dialects.ts'
import { lastInstant } from '../../src/warehouse/instants.ts'
import { sqlExport, tableFiles } from '../../src/warehouse/script.ts'
import { tableColumns } from '../../src/warehouse/tables.ts'
import { callInputTests } from '../support/call-input.ts'
import { expectFiltered, expectHostile } from '../support/filtered.ts'
import { expectTexts } from '../support/sql-texts.ts'
import { expectCounts, given } from '../support/views.ts'
import { type Case, worldOfJson } from './cases.ts'
import { differences, statementsOf } from './decided.ts'
import type { Column, Engine, EngineName } from './engine.ts'
import { hostileWorld } from './hostile.ts'
import { opened } from './opened.ts'

export interface Plan {
  readonly cases: readonly Case[]
  /** Calls that are counted as well. */
  readonly counted: Case
  /** How many of the calls SQL may leave open, at most, of all. */
  readonly left: number
  /** Read the tables from files, as users do, instead of statements. */
  readonly asFiles?: boolean
  /** How many filters are tried. */
  readonly filters: number
}

const rows = [
  { id: 1, at_ms: 1_795_822_114_086, name: `it's "quoted" \`so\` \\ %_!`, note: null },
  { id: 2, at_ms: -1, name: 'a\nb\r\n\tc', note: '' },
  { id: 3, at_ms: 0, name: '\u{1f511} e\u0301 \u00e9 \u2028 a\ufeff', note: "'); DROP TABLE t; --" },
  { id: 4, at_ms: 9_007_199_254_740_991, name: 'long'.repeat(2_500), note: '\\n' },
]
const columns: readonly Column[] = [
  ['id', 'int'],
  ['at_ms', 'bigint'],
  ['name', 'text'],
  ['note', 'text'],
]

/** Hold an engine to what the tests rely on, and its decisions to those of the simulator. */
export function holds(name: EngineName, make: () => Promise<Plan>): void {
  let made: Promise<Plan> | undefined
  const plan = () => (made ??= make())
  describe(name, () => {
    const engineOf = opened(name)
    let engine: Engine
    beforeAll(async () => {
      engine = engineOf()
      await engine.load('t', columns, rows, { nullable: ['note'] })
    })

    test('gives each value as it was', async () => {
      expect(await engine.all('SELECT id, at_ms, name, note FROM t ORDER BY id')).toEqual(rows)
    })

    test('gives NULL where an outer join finds nothing', async () => {
      const found = await engine.all(
        'SELECT t.id AS id, o.id AS other FROM t LEFT JOIN (SELECT id FROM t WHERE id > 3) o ON o.id = t.id ORDER BY t.id',
      )
      expect(found).toEqual(rows.map(({ id }) => ({ id, other: id > 3 ? id : null })))
    })

    test('says what is wrong with a statement, and goes on', async () => {
      await expect(engine.run('SELECT no_such_column FROM t')).rejects.toThrow(/no_such_column/)
      expect(await engine.all('SELECT count(*) AS n FROM t')).toEqual([{ n: 4 }])
    })

    test('reads hostile texts from INSERT statements as they are', async () => {
      await readsInserts(engine)
    })

    test('finds the age of any instant', async () => {
      const { wrong, left } = await differences(engine, expiring())
      expect(wrong).toEqual([])
      expect(left).toBe(0)
    })

    test('decides as the simulator', async () => {
      const { cases, left, asFiles } = await plan()
      let [calls, open] = [0, 0]
      for (const [i, each] of cases.entries()) {
        // Worlds of tests have few policies for each identity: every other case takes two as many.
        const options = { ...(i % 2 === 0 && { wideFrom: 2 }), ...(asFiles && { folder: mkdtempSync(join(tmpdir(), 'gw-')) }) }
        const found = await differences(engine, each, options)
        expect(found.wrong.slice(0, 20), each.name).toEqual([])
        calls += each.calls.length
        open += found.left
      }
      expect(open / calls).toBeLessThan(left)
      // No text has removed what else is there.
      expect(await engine.all('SELECT count(*) AS n FROM t')).toEqual([{ n: 4 }])
    })

    test('decides as the simulator, and counts who used what', async () => {
      const { counted: some, asFiles } = await plan()
      const counted = { ...some, calls: [...some.calls, ...some.calls.slice(0, 500)] }
      const found = await differences(engine, counted, { given, ...(asFiles && { folder: mkdtempSync(join(tmpdir(), 'gw-')) }) })
      expect(found.wrong.slice(0, 20)).toEqual([])
      const seen = await expectCounts(engine, counted.world, counted.calls, found)
      expect(Math.min(...Object.values(seen))).toBeGreaterThan(10)
      const [row] = await engine.all('SELECT count(*) AS n, max(open_calls) AS open_calls FROM gw_unused')
      expect(row?.n).toBeGreaterThan(10)
      expect(row?.open_calls).toBe(seen.unknown)
    })

    describe('filters', () => {
      test('keep the rows on which `can` allows, and those of which it does not know', async () => {
        const seen = await expectFiltered(engine, 20_261_128, (await plan()).filters)
        expect(Math.min(...Object.values(seen))).toBeGreaterThan(40)
      })

      test('read each text as it is, and compare it as JavaScript does', async () => {
        expect(await expectTexts(engine)).toBeGreaterThan(100)
      })

      test('take each hostile string as it is', async () => {
        expect(await expectHostile(engine)).toBeGreaterThan(200)
      })
    })

    describe('logs', () => callInputTests(engineOf))
  })
}

/** Policies that end at instants on both sides of 1970 and of hours, and calls next to each. */
function expiring(): Case {
  const hour = 3_600_000
  const ends = [-1_000_000 * hour, -hour - 1, -hour, -1, 0, 1, hour - 1, hour, 500_000 * hour, 500_000 * hour + 1, 5_000_000 * hour]
  const [identity, action] = ['urn:v1:eu:identity:user:ab12-svc/ann', 'vps:apisvc:get']
  const urnOf = (i: number) => `urn:v1:eu:resource:vps:vps-${i}`
  const policies = ends.map((end, i) => ({
    name: `policy-${i}`,
    identities: [identity],
    resources: [{ urn: urnOf(i) }],
    permissions: { allow: [{ action }] },
    expiredAt: new Date(end).toISOString(),
  }))
  const others = { ip: null, grps: null, tags: null, owner: null }
  const calls = ends.flatMap((end, i) =>
    [-lastInstant, end - hour, end - 1, end, end + 1, lastInstant].map((at_ms) => ({
      identity,
      action,
      resource: urnOf(i),
      at_ms,
      ...others,
    })),
  )
  return { name: 'expiries', world: worldOfJson({ policies, identities: [{ urn: identity, groups: [] }] }), calls }
}

/** The tables that hold texts of policies, loaded by statements. */
async function readsInserts(engine: Engine): Promise<void> {
  const names = ['atom', 'entry', 'on_exact', 'tag'] as const
  const options = { dialect: engine.dialect, prefix: 'gw_', calls: 'gw_call', given: new Set<never>(), asInserts: true }
  const tables = sqlExport(worldOfJson(hostileWorld), options).world.tables
  const some = names.flatMap((name) => tables.get(name) ?? [])
  for (const statement of statementsOf(tableFiles(some, tableColumns, dialects[engine.dialect], options).load)) await engine.run(statement)
  for (const { name, rows, columns } of some) {
    const read = (await engine.all(`SELECT * FROM gw_${name}`)).map((row) => JSON.stringify(columns.map(([column]) => row[column])))
    expect(read.sort(), name).toEqual(rows.map((row) => JSON.stringify(row)).sort())
  }
}
