import { expect } from 'vitest'
import type { World } from '../../src/policy.ts'
import { explain } from '../../src/simulate/decide.ts'
import type { Verdict } from '../../src/simulate/decision.ts'
import { ShortNames } from '../../src/simulate/short-names.ts'
import { type Recorded, recordReader } from '../../src/usage/record.ts'
import { recordCounter } from '../../src/usage/tally.ts'
import { dialects } from '../../src/warehouse/dialects.ts'
import { callColumns } from '../../src/warehouse/steps.ts'
import type { WorldTables } from '../../src/warehouse/tables.ts'
import { questionViews } from '../../src/warehouse/views.ts'
import { type Call, type Decided, decided, questionOfCall } from '../engines/decided.ts'
import type { Engine, Row } from '../engines/engine.ts'
import { testSettings } from './settings.ts'

/** The views over decisions, as tests of engines use them. */

export const table = (name: string) => `gw_${name}`
export const given = new Set(callColumns)

/** Decide calls, settle what is open, and make the views. */
export async function viewed(engine: Engine, world: World, calls: readonly Call[]) {
  const found = await decided(engine, world, calls, { given, wideFrom: 2 })
  const dialect = dialects[engine.dialect]
  for (const { name, query } of questionViews({ dialect, table, given }))
    for (const sql of dialect.createView(table(name), query)) await engine.run(sql)
  return found
}

const keyOfRow = (row: Row, columns: readonly string[]) => JSON.stringify(columns.map((column) => row[column]))

/** Count calls by what they have in common, with their first and last times. */
function counted(rows: readonly { readonly key: readonly unknown[]; readonly at: number | null }[]) {
  const found = new Map<string, { calls: number; first_ms: number | null; last_ms: number | null }>()
  for (const { key, at } of rows) {
    const text = JSON.stringify(key)
    const known = found.get(text) ?? { calls: 0, first_ms: null, last_ms: null }
    known.calls++
    if (at !== null) {
      known.first_ms = Math.min(known.first_ms ?? at, at)
      known.last_ms = Math.max(known.last_ms ?? at, at)
    }
    found.set(text, known)
  }
  return found
}

const inView = (rows: readonly Row[], columns: readonly string[]) =>
  new Map(rows.map((row) => [keyOfRow(row, columns), { calls: row.calls, first_ms: row.first_ms, last_ms: row.last_ms }]))

export const recordedCall = ({ identity, action, resource, at_ms: at, grps }: Call, verdict: Verdict): Recorded => ({
  at: at ?? undefined,
  account: undefined,
  identity: identity as string,
  groups: grps === null ? undefined : grps.split('\n'),
  ip: undefined,
  call: undefined,
  needs: [{ action: action as string, resource, required: true, verdict }],
  verdict,
  credential: undefined,
})

/** Hold the views of counts to the decisions that the engine has just made. Returns how many calls have each verdict. */
export async function expectCounts(
  engine: Engine,
  world: World,
  calls: readonly Call[],
  { answers, tables }: Decided,
): Promise<Readonly<Record<Verdict, number>>> {
  const seen = { allow: 0, deny: 0, unknown: 0 }
  const rows = calls.map((call, i) => ({ call, ...(answers[i] as (typeof answers)[number]) }))
  for (const { verdict } of rows) seen[verdict as Verdict]++
  const least = rows.map(({ call, verdict }) => ({ key: [call.identity, call.action, call.resource, verdict], at: call.at_ms }))
  expect(inView(await engine.all('SELECT * FROM gw_least'), ['identity', 'action', 'resource', 'verdict'])).toEqual(counted(least))
  const [tally, counts] = [recordCounter(), recordCounter()]
  for (const { call, verdict, reason } of rows)
    tally.add({
      ...recordedCall({ ...call, grps: null }, verdict as Verdict),
      account: reason === 'root' ? call.identity?.split(':')[5] : undefined,
    })
  const reader = recordReader(testSettings)
  for (const row of await engine.all('SELECT * FROM gw_least')) {
    const read = reader.read(JSON.stringify(row))
    if (read.kind !== 'records') throw new Error(`a row that is no record: ${JSON.stringify(read)}`)
    read.records.forEach(counts.add)
  }
  expect(counts.end()).toEqual(tally.end())
  const who = rows.flatMap(({ call, verdict, entries }) =>
    (entries.length > 0 ? entries : [null]).map((entry) => ({
      key: [call.identity, call.action, call.resource, verdict, entry],
      at: call.at_ms,
    })),
  )
  expect(inView(await engine.all('SELECT * FROM gw_who_used'), ['identity', 'action', 'resource', 'verdict', 'entry'])).toEqual(
    counted(who),
  )
  await expectPerhaps(engine, world, calls, tables, answers)
  return seen
}

/** Each entry that may grant a call that is not decided is perhaps used, where it is not used. */
async function expectPerhaps(engine: Engine, world: World, calls: readonly Call[], tables: WorldTables, answers: Decided['answers']) {
  const names = new ShortNames(world)
  const perhaps = calls.flatMap((call, i) => {
    const question = answers[i]?.verdict === 'unknown' ? questionOfCall(call, 0, names) : undefined
    return question ? explain(world, question).traces.flatMap(({ grants }) => grants.map(tables.entryNumber)) : []
  })
  const rows = await engine.all('SELECT entry FROM gw_unused WHERE perhaps_used = 0')
  const unused = new Set(rows.map(({ entry }) => entry))
  expect(perhaps.filter((entry) => unused.has(entry))).toEqual([])
}
