import { dirname, join, resolve } from 'node:path'
import { shown } from '../../report/safe.ts'
import { plural } from '../../report/words.ts'
import { dialects } from '../../warehouse/dialects.ts'
import type { SqlFile } from '../../warehouse/files.ts'
import { operationTables } from '../../warehouse/operations.ts'
import { sqlExport } from '../../warehouse/script.ts'
import type { DialectName } from '../../warehouse/sql-text.ts'
import { callColumns } from '../../warehouse/steps.ts'
import { TooLarge } from '../../warehouse/tables.ts'
import type { Options } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import type { Io } from '../app/io.ts'
import { displayPath } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { pathsBefore } from '../input/before.ts'
import { mappingOf } from '../input/columns.ts'
import { catalogueFor, operationsFor } from '../input/known.ts'
import { type LoadedWorld, loadWorld } from '../input/world.ts'
import { makeFolder } from '../output/write.ts'
import { type Writing, writingOf } from '../output/writing.ts'

/** `export sql`: policies as tables, and SQL that decides about a table of calls. */
export async function exportToSql(options: Options<'export'>, io: Io): Promise<ExitCode> {
  for (const option of ['part', 'conservative'] as const)
    if (options[option]) throw new Refusal(`\`--${option}\` is an option of \`export cedar\``, 'omit it')
  const { dialect, out } = sqlTarget(options)
  const { prefix } = options
  const calls = tableName('--calls', options.calls)
  if (options.as === 'dbt' && options.before !== undefined)
    throw new Refusal('`--as dbt` and `--before` cannot be combined', 'export each state with a separate prefix')
  const writing = writingOf(options, io)
  const loaded = await loadWorld(options, io)
  if (!loaded) return exit.error
  const { before } = options
  const old =
    before === undefined ? undefined : await loadWorld({ ...options, policies: await pathsBefore(before, options.policies, io) }, io)
  if (before !== undefined && !old) return exit.error
  const input = options.columns === undefined ? undefined : await inputOf(options.columns, loaded, io)
  const { files, world } = exported(() =>
    sqlExport(loaded.world, {
      dialect,
      prefix,
      calls,
      given: new Set(callColumns),
      asInserts: options.inserts,
      asDbt: options.as === 'dbt',
      ...(input && { input }),
      ...(old && { before: old.world }),
    }),
  )
  await writeFiles(files, resolve(io.cwd, out), writing, io.cwd)
  if (!writing.isDry) {
    io.stderr.write(
      `grantwise: ${plural(world.tables.get('entry')?.rows.length ?? 0, 'entry')} and ${plural(world.gates, 'gate')} (identities × resources of each policy) for ${dialect}: see ${shown(displayPath(join(resolve(io.cwd, out), 'README.md'), io.cwd))}\n`,
    )
  }
  return writing.exitCode(exit.success)
}

/** The mapping of a log, with the operations of its calls. */
async function inputOf(columns: string, { settings, config }: LoadedWorld, io: Io) {
  const mapping = await mappingOf(columns, settings, io)
  const [operations, catalogue] = [await operationsFor(config, io), await catalogueFor(config, io)]
  return { mapping, operations: () => operationTables(operations, catalogue) }
}

/** The dialect and the folder that a command writes SQL for, which have to be given. */
export function sqlTarget(options: Pick<Options<'export'>, 'dialect' | 'out' | 'prefix'>): {
  readonly dialect: DialectName
  readonly out: string
} {
  const { dialect, out, prefix } = options
  if (dialect === undefined)
    throw new Refusal('`--dialect` is missing: the engine that runs the SQL', `use one of ${Object.keys(dialects).join(', ')}`)
  if (out === undefined) throw new Refusal('`--out` is missing: the folder to write', 'add `--out FOLDER`')
  if (prefix !== '') tableName('--prefix', prefix)
  if (out === '-') throw new Refusal('`--out -`: several files are written, which go to no output', 'name a folder')
  return { dialect, out }
}

/** A name of a table that needs no quotes in any dialect. */
function tableName(option: string, text: string): string {
  if (/^[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*$/.test(text) && text.length <= 100) return text
  throw new Refusal(`\`${option}\` is \`${text}\`: not a name of small letters, digits and underscores`, 'such as `gw_call`')
}

function exported<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof TooLarge) throw new Refusal(error.message, 'export fewer policies with `-p`, or split the policy')
    throw error
  }
}

/** Write files into a folder and folders of it, which are made. */
export async function writeFiles(files: readonly SqlFile[], folder: string, writing: Writing, cwd: string): Promise<void> {
  for (const { path, content } of files) {
    const file = join(folder, path)
    if (!writing.isDry) makeFolder(dirname(file), cwd)
    if (typeof content === 'string') await writing.write(file, content, { inNewFolder: true })
    else writing.writeBytes(file, content)
  }
}
