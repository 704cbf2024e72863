import { realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Notation, sourceOf } from '../../source.ts'
import { textsIn } from '../../sources/commands.ts'
import { isBelow } from '../app/paths.ts'
import { topOf } from './folders.ts'
import { bytesIn, decode, kindAt, type Reader, scratchMemory } from './read-file.ts'

/** A script that is linted. */
interface Script {
  readonly path: string
  /** Absolute. */
  readonly file: string | undefined
  readonly notation: Notation | undefined
  /** Its content, where that comes from git. */
  readonly bytes?: Buffer
}

/**
 * The files that commands send to the service as policies (`-d @policy.json`), where they are there: in the folder of the script, in the
 * working folder, or at the top of the repository, from which pipelines run. Absolute, and none outside of that. Scripts from git are left
 * out: the files on the disk may be others.
 */
export async function sentFiles(scripts: readonly Script[], reader: Reader): Promise<readonly string[]> {
  const files = new Set<string>()
  const top = topOf(reader)
  for (const { path, file, notation, bytes: committed } of scripts) {
    if (file === undefined || committed) continue
    const { bytes } = bytesIn(file, scratchMemory())
    const text = bytes && decode(bytes).text
    // Most scripts send nothing.
    if (!text?.includes('@')) continue
    const script = sourceOf(path, text, notation)
    // A file with the name of a pipeline may be none.
    if (script.notation !== notation) continue
    const { files: sent } = await textsIn(script)
    for (const { name } of sent)
      for (const folder of [dirname(file), reader.cwd, top]) {
        const place = resolve(folder, name)
        if (isFileIn(place, top)) files.add(place)
      }
  }
  return [...files].sort()
}

/** Whether a path is that of a file below a folder, with no symbolic link on the way. */
function isFileIn(path: string, folder: string): boolean {
  return isBelow(path, folder) && kindAt(path) === 'file' && isBelow(realpathSync(path), realpathSync(folder))
}
