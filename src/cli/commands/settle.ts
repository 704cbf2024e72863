import { resolve } from 'node:path'
import { readJsonLine } from '../../parser/json-line.ts'
import { shown } from '../../report/safe.ts'
import { plural } from '../../report/words.ts'
import { dialects } from '../../warehouse/dialects.ts'
import { tableFiles } from '../../warehouse/script.ts'
import { type ResidueRow, residueRow, type SettledRows, settledColumns, settler } from '../../warehouse/settle.ts'
import { worldTables } from '../../warehouse/tables.ts'
import type { Run } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import { displayPath } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { blocksOf, linesOf, tooLong } from '../input/lines.ts'
import { instantOf } from '../input/question.ts'
import { openBytes } from '../input/read-file.ts'
import { loadWorld } from '../input/world.ts'
import { writingOf } from '../output/writing.ts'
import { sqlTarget, writeFiles } from './export-sql.ts'

/** How many malformed rows are named. */
const mostProblems = 5

/** `settle FILE`: decide the situations that the SQL of an export leaves open, and write tables of the verdicts. */
export const run: Run<'settle'> = async ([file], options, io) => {
  if (file === undefined) throw new Refusal('the rows of `gw_residue` are missing', 'name a file of JSON lines, or `-`')
  if (file === '-' && options.policies.includes('-')) throw new Refusal('standard input cannot hold both the rows and the policies')
  const { dialect, out } = sqlTarget(options)
  const instant = options.at === undefined ? io.now() : instantOf('--at', options.at)
  const writing = writingOf(options, io)
  const input = openBytes(file, io)
  const loaded = await loadWorld(options, io)
  if (!loaded) return exit.error
  const tables = worldTables(loaded.world, dialects[dialect].likeEscape)
  const settle = settler(loaded.world, tables, loaded.settings, instant)
  const into: SettledRows = { settled: [], settled_entry: [], settled_missing: [] }
  const name = file === '-' ? '-' : displayPath(resolve(io.cwd, file), io.cwd)
  const problems: string[] = []
  for await (const { bytes, first } of blocksOf(input)) {
    const lines = bytes === undefined ? [{ fault: tooLong }] : linesOf(bytes)
    for (const [i, line] of lines.entries()) {
      const row = rowOf(line)
      if (typeof row === 'string')
        throw new Refusal(`${shown(name)}:${first + i}: ${row}`, 'write the rows of `gw_residue` as README.md of the export shows')
      if (!row) continue
      const problem = settle(row, into)
      if (problem !== undefined) problems.push(`${name}:${first + i}: ${problem}`)
    }
  }
  const rows = Object.entries(into).map(([table, each]) => ({ name: table, rows: each }))
  const { files, load } = tableFiles(rows, settledColumns, dialects[dialect], {
    prefix: options.prefix,
    asInserts: options.inserts,
    isThere: true,
  })
  await writeFiles([...files, { path: 'settled.sql', content: load }], resolve(io.cwd, out), writing, io.cwd)
  if (!writing.isDry) io.stderr.write(`grantwise: ${summary(into)}\n`)
  for (const problem of problems.slice(0, mostProblems)) io.stderr.write(`grantwise: ${shown(problem)}\n`)
  if (problems.length > mostProblems) {
    const others = plural(problems.length - mostProblems, 'further malformed row')
    io.stderr.write(`grantwise: ${others}: \`${options.prefix}settled\` has the problem of each\n`)
  }
  return writing.exitCode(problems.length > 0 ? exit.error : exit.success)
}

/** One row, what is wrong with a line, or undefined for an empty one. */
function rowOf(line: string | { readonly fault: string }): ResidueRow | string | undefined {
  if (typeof line !== 'string') return line.fault
  if (line.trim() === '') return undefined
  const read = readJsonLine(line)
  return read.fault ? read.fault.message : residueRow(read.value)
}

function summary({ settled }: SettledRows): string {
  const count = (verdict: string) => settled.filter((row) => row[5] === verdict).length
  const parts = (['allow', 'deny', 'unknown', 'error'] as const).map((verdict) => `${verdict} ${count(verdict)}`)
  return `${plural(settled.length, 'situation')} settled: ${parts.join(', ')}`
}
