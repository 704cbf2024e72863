import { join, resolve } from 'node:path'
import { type CedarEntity, type CedarExport, exportCedar } from '../../export/cedar.ts'
import { json } from '../../report/safe.ts'
import type { Options } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { loadWorld } from '../input/world.ts'
import { diagnosticLines } from '../output/diagnostics.ts'
import { makeFolder } from '../output/write.ts'
import { type Writing, writingOf } from '../output/writing.ts'

type Part = NonNullable<Options<'export'>['part']>

/** The policies last: where they are new, so is what they need. */
const fileNames: readonly (readonly [name: string, part: Part])[] = [
  ['schema.cedarschema', 'schema'],
  ['entities.json', 'entities'],
  ['NOTES.md', 'notes'],
  ['policies.cedar', 'policies'],
]

/** `export cedar`: a world in the language of an engine that enforces. */
export async function exportToCedar(options: Options<'export'>, io: Io): Promise<ExitCode> {
  const { out, part } = options
  const writing = writingOf(options, io)
  if (out === undefined) writing.refuseIdle('name the folder to write: --out FOLDER')
  if (out !== undefined && part !== undefined) throw new Refusal('`--part` and `--out` cannot be combined', '`--out` writes all parts')
  const loaded = await loadWorld(options, io)
  if (!loaded) return exit.error
  const exported = exportCedar(loaded.world)
  if (exported.doubts.length > 0 && !options.conservative) {
    io.stderr.write(diagnosticLines(exported.doubts))
    io.stderr.write('grantwise: nothing is exported: something unknown might deny access\n')
    return exit.error
  }
  if (out === undefined) io.stdout.write(textOf(exported, part ?? 'policies'))
  else await writeParts(exported, resolve(io.cwd, out), writing, io.cwd)
  if (exported.doubts.length > 0) {
    const count = exported.doubts.length
    io.stderr.write(`grantwise: conservative in ${count} ${count === 1 ? 'place' : 'places'}: the notes list what is not known\n`)
  }
  return writing.exitCode(exit.success)
}

function textOf(exported: CedarExport, part: Part): string {
  return part === 'entities' ? entitiesText(exported.entities) : exported[part]
}

/** An entity a line, so that what differs between two exports are lines. */
function entitiesText(entities: readonly CedarEntity[]): string {
  return entities.length === 0 ? '[]\n' : `[\n${entities.map((entity) => `  ${json(entity)}`).join(',\n')}\n]\n`
}

async function writeParts(exported: CedarExport, folder: string, writing: Writing, cwd: string): Promise<void> {
  if (!writing.isDry) makeFolder(folder, cwd)
  for (const [name, part] of fileNames) await writing.write(join(folder, name), textOf(exported, part), { inNewFolder: true })
}
