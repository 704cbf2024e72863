import type { Settings } from '../names.ts'
import type { ReadFiles } from '../sources/files.ts'
import { type ReadOptions, readSources as readWith } from '../sources/read.ts'
import { allReaders } from '../sources/readers.ts'
import { type FixedFiles, type FixOptions, fixFiles as fixWith } from './fix-files.ts'
import type { LintRun } from './lint-files.ts'
import type { FixLevel } from './may-fix.ts'

/** Read sources of every notation to all that they say together. See `readSources` in `src/sources/read.ts`. */
export function readSources(given: Parameters<typeof readWith>[0], settings: Settings, options: ReadOptions = {}): Promise<ReadFiles> {
  return readWith(given, settings, allReaders, options)
}

/** Fix what may be fixed in files of every notation. See `fixFiles` in `fix-files.ts`. */
export function fixFiles(run: LintRun, level: FixLevel = 'safe', options: Omit<FixOptions, 'readers'> = {}): Promise<FixedFiles> {
  return fixWith(run, level, { ...options, readers: allReaders })
}
