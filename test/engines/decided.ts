import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { World } from '../../src/policy.ts'
import type { Question } from '../../src/simulate/decision.ts'
import { compile } from '../../src/simulate/engine.ts'
import { factText } from '../../src/simulate/facts.ts'
import { readBatchQuestion } from '../../src/simulate/question.ts'
import { ShortNames } from '../../src/simulate/short-names.ts'
import { dialects } from '../../src/warehouse/dialects.ts'
import type { SqlFile } from '../../src/warehouse/files.ts'
import { sqlExport, tableFiles } from '../../src/warehouse/script.ts'
import { type ResidueRow, type SettledRows, settledColumns, settler } from '../../src/warehouse/settle.ts'
import { type CallColumn, callColumns } from '../../src/warehouse/steps.ts'
import type { WorldTables } from '../../src/warehouse/tables.ts'
import { testSettings } from '../support/settings.ts'
import type { Column, Engine, Row } from './engine.ts'

/** Calls as an engine decides them with the SQL of a world, and the decisions of the simulator. */

/** A row of the table of calls, without its number. */
export interface Call {
  readonly identity: string | null
  readonly action: string | null
  readonly resource: string | null
  readonly at_ms: number | null
  readonly ip: string | null
  /** Group URNs, one a line. */
  readonly grps: string | null
  /** A JSON object. */
  readonly tags: string | null
  readonly owner: string | null
}

/** A verdict, why, and on what it rests. */
export interface Answer {
  readonly verdict: unknown
  readonly reason: unknown
  /** Numbers of entries, in their order. */
  readonly entries: readonly number[]
  readonly missing: readonly string[]
  readonly caveats: readonly string[]
}

export interface Decided {
  /** The verdicts of SQL alone, in the order of the calls: `unknown` is left open. */
  readonly open: readonly { readonly verdict: unknown; readonly reason: unknown; readonly settled: unknown }[]
  /** The answers after the open situations were settled. */
  readonly answers: readonly Answer[]
  readonly tables: WorldTables
}

/** The statements of a script: each ends with a line that no literal has, since literals have no line breaks. */
export const statementsOf = (script: string) => script.split(/;\n+/).filter((statement) => statement !== '')

const columns: readonly Column[] = [
  ['id', 'int'],
  ['identity', 'text'],
  ['action', 'text'],
  ['resource', 'text'],
]
const typeOf = (column: CallColumn): Column => [column, column === 'at_ms' ? 'bigint' : 'text']

/** The columns that some of the calls give. */
const givenBy = (calls: readonly Call[]): ReadonlySet<CallColumn> =>
  new Set(callColumns.filter((column) => calls.some((call) => call[column] !== null)))

export interface DecideOptions {
  readonly given?: ReadonlySet<CallColumn>
  /** The instant of calls that give none. */
  readonly at?: number
  /** How many units name a wide identity pattern, at least. */
  readonly wideFrom?: number
  /** Write the tables to files in this folder, instead of INSERT statements. */
  readonly folder?: string
}

/** Decide calls by the SQL of a world. */
export async function decided(
  engine: Engine,
  world: World,
  calls: readonly Call[],
  { given = givenBy(calls), at = 0, folder, wideFrom }: DecideOptions = {},
): Promise<Decided> {
  const options = {
    dialect: engine.dialect,
    prefix: 'gw_',
    calls: 'gw_call',
    given,
    asInserts: folder === undefined,
    ...(wideFrom && { wideFrom }),
  }
  const { files, world: tables } = sqlExport(world, options)
  const textOf = (path: string) => files.find((file) => file.path === path)?.content as string | undefined
  const runAll = async (script: string) => {
    for (const statement of statementsOf(script)) await engine.run(statement.replace(/(?<=['`])tables\//, `${folder}/tables/`))
  }
  const write = (files: readonly SqlFile[]) => {
    if (folder === undefined) return
    mkdirSync(join(folder, 'tables'), { recursive: true })
    for (const { path, content } of files) if (path.startsWith('tables/')) writeFileSync(join(folder, path), content)
  }
  const names = columns.map(([name]) => name)
  await engine.load(
    'gw_call',
    [...columns, ...[...given].map(typeOf)],
    calls.map((call, id) => ({ ...call, id })),
    { nullable: [...names.slice(1), ...given] },
  )
  write(files)
  await runAll(textOf('load.sql') as string)
  await runAll(textOf('decide.sql') as string)
  const verdicts = () => engine.all('SELECT id, gw_q, gw_s, gw_verdict, gw_reason, gw_settled FROM gw_decision ORDER BY id')
  const open = (await verdicts()).map((row) => ({ verdict: row.gw_verdict, reason: row.gw_reason, settled: row.gw_settled }))
  const settle = settler(world, tables, testSettings, at)
  const into: SettledRows = { settled: [], settled_entry: [], settled_missing: [] }
  for (const row of await engine.all('SELECT * FROM gw_residue')) settle(row as unknown as ResidueRow, into)
  const rows = Object.entries(into).map(([name, each]) => ({ name, rows: each }))
  const settled = tableFiles(rows, settledColumns, dialects[engine.dialect], { ...options, isThere: true })
  write(settled.files)
  await runAll(settled.load)
  const entries = bySituation(await engine.all('SELECT q, s, entry FROM gw_because'), 'entry')
  const missing = bySituation(await engine.all('SELECT q, s, fact FROM gw_settled_missing'), 'fact')
  const caveats = bySituation(await engine.all('SELECT q, s, caveat FROM gw_caveat'), 'caveat')
  const answers = (await verdicts()).map((row) => {
    const key = `${row.gw_q} ${row.gw_s}`
    return {
      verdict: row.gw_verdict,
      reason: row.gw_reason,
      entries: ((entries.get(key) ?? []) as number[]).sort((a, b) => a - b),
      missing: ((missing.get(key) ?? []) as string[]).sort(),
      caveats: ((caveats.get(key) ?? []) as string[]).sort(),
    }
  })
  const statement = textOf('statement.sql')
  // Postgres plans it without statistics: of many calls it takes long.
  if (statement !== undefined && (engine.name === 'duckdb' || calls.length < 500)) {
    const [query] = statementsOf(statement)
    const once = await engine.all(`SELECT id, gw_verdict, gw_reason FROM (${query}) z ORDER BY id`)
    const differs = once.findIndex((row, i) => row.gw_verdict !== open[i]?.verdict || row.gw_reason !== open[i]?.reason)
    if (differs >= 0 || once.length !== open.length) throw new Error(`the one statement decides call ${differs} otherwise`)
  }
  return { open, answers, tables }
}

function bySituation(rows: readonly Row[], column: string): ReadonlyMap<string, unknown[]> {
  const found = new Map<string, unknown[]>()
  for (const row of rows) {
    const key = `${row.q} ${row.s}`
    found.set(key, [...(found.get(key) ?? []), row[column]])
  }
  return found
}

/** A function that gives the answer of the simulator to a row of calls, which may be malformed. */
function simulator(world: World, { entryNumber }: WorldTables, at = 0): (call: Call) => Answer {
  const engine = compile(world)
  const names = new ShortNames(world)
  return (call) => {
    const question = questionOfCall(call, at, names)
    if (!question) return { verdict: 'error', reason: 'malformed', entries: [], missing: [], caveats: [] }
    const { verdict, reason, clauses, missing, caveats } = engine.decide(question)
    const entries = [...new Set(clauses.map(entryNumber))].sort((a, b) => a - b)
    return { verdict, reason, entries, missing: missing.map(({ fact }) => factText(fact)).sort(), caveats }
  }
}

/** The question of a row of calls; undefined where it is malformed. */
export function questionOfCall(
  { identity, action, resource, at_ms, ip, grps, tags, owner }: Call,
  at: number,
  names: ShortNames,
): Question | undefined {
  if (Math.abs(at_ms ?? at) > lastInstant) return undefined
  const line = {
    ...{ identity, action, resource },
    ...(ip !== null && { ip }),
    ...(grps && { groups: grps.split('\n') }),
    ...(tags !== null && { tags: parsed(tags) }),
    ...(owner && { owner }),
  }
  const read = readBatchQuestion(line, { at: at_ms ?? at, groups: [] }, testSettings, names)
  return typeof read === 'string' ? undefined : read.question
}

const lastInstant = 8.64e15

/** The value of a JSON text; itself, which is no object, where it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A question as a row of calls. */
export function callOf(question: {
  readonly identity: string
  readonly action: string
  readonly resource: string
  readonly at?: string
  readonly groups?: readonly string[]
  readonly ip?: string
  readonly tags?: Readonly<Record<string, string>>
  readonly owner?: string
}): Call {
  const { identity, action, resource, at, groups, ip = null, tags, owner = null } = question
  return {
    identity,
    action,
    resource,
    at_ms: at === undefined ? null : Date.parse(at),
    ip,
    grps: groups === undefined ? null : groups.join('\n'),
    tags: tags === undefined ? null : JSON.stringify(tags),
    owner,
  }
}

/**
 * The caveats that both have alike. SQL lacks that of an exception with a wildcard in the middle, and of a search that was ended; it
 * looks at no groups by which an identity would be allowed.
 */
const comparable = (answer: Answer | undefined) =>
  answer?.caveats.filter(
    (caveat) => caveat !== 'groups-unknown' && caveat !== 'approximate' && (caveat !== 'inner-wildcard' || answer.reason !== 'default'),
  )

/** Whether further groups of the identity may be known elsewhere: a configuration describes those that it puts the identity into. */
const isUndescribed = ({ identity, grps }: Call, world: World) => {
  const described = world.identities.get(identity as string)
  return !grps && (described === undefined || described.places !== undefined)
}

/** The differences between an engine and the simulator, in words; none is NULL, and what SQL decides by itself is final. */
export async function differences(
  engine: Engine,
  { name, world, calls }: { readonly name: string; readonly world: World; readonly calls: readonly Call[] },
  options: DecideOptions = {},
): Promise<Decided & { readonly wrong: readonly string[]; readonly left: number }> {
  const wrong: string[] = []
  const found = await decided(engine, world, calls, options)
  const { open, answers, tables } = found
  if (answers.length !== calls.length) wrong.push(`${name}: ${answers.length} answers to ${calls.length} calls`)
  const expectedOf = simulator(world, tables, options.at)
  for (const [i, call] of calls.entries()) {
    const { verdict, reason, settled } = open[i] ?? {}
    const answer = answers[i]
    const expected = expectedOf(call)
    const isRight = verdict === 'unknown' ? settled === 0 : settled === 1 && verdict === expected.verdict && reason === expected.reason
    const question = () => `${name} [${i}] ${JSON.stringify(call).slice(0, 400)}`
    if (!isRight) wrong.push(`${question()}: SQL alone says ${JSON.stringify(open[i])}, not ${JSON.stringify(expected)}`)
    else if (
      JSON.stringify({ ...answer, caveats: comparable(answer) }) !== JSON.stringify({ ...expected, caveats: comparable(expected) }) ||
      (expected.caveats.includes('groups-unknown') && isUndescribed(call, world) !== answer?.caveats.includes('groups-unknown'))
    )
      wrong.push(`${question()}: ${JSON.stringify(answer)}, not ${JSON.stringify(expected)}`)
  }
  return { ...found, wrong, left: open.filter(({ verdict }) => verdict === 'unknown').length }
}
