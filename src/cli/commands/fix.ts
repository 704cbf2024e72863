import { rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type FixedFiles, fixFiles } from '../../lint/fix-files.ts'
import type { LintRun } from '../../lint/lint-files.ts'
import type { FixLevel } from '../../lint/may-fix.ts'
import type { Changed } from '../../propose/suggest.ts'
import { plural } from '../../report/words.ts'
import { type ReadFiles, withReads } from '../../sources/files.ts'
import type { Problem } from '../../sources/limits.ts'
import { allReaders } from '../../sources/readers.ts'
import type { Options } from '../app/commands.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import type { Selection } from '../input/files.ts'
import { foldersOf } from '../input/folders.ts'
import { readText } from '../input/read-file.ts'
import { outsideProblem } from '../input/within.ts'
import { replace, writingFault } from '../output/write.ts'
import { type Writing, writingOf } from '../output/writing.ts'

/** The meaning of `--fix`, `--fix-dry-run`, `--diff` and `--fix-level`. */
export interface Fixing {
  readonly level: FixLevel
  /** How fixed files are written; `--fix-dry-run` is about them alone. */
  readonly writing: Writing
}

/**
 * Read the options about fixing; undefined when nothing is to be fixed. `writing`: that of the other files. `isImplied`: nothing
 * else is written, so that `--diff` and `--dry-run` are about fixes.
 */
export function fixingOf(
  paths: readonly string[],
  options: Options<'lint'>,
  writing: Writing,
  isImplied: boolean,
  io: Io,
): Fixing | undefined {
  const level = options.fixLevel
  if (!options.fixDryRun && !options.fix && !isImplied) {
    if (level !== undefined) throw new Refusal('--fix-level says what --fix fixes', 'add --fix or --fix-dry-run')
    return undefined
  }
  const isDry = options.fixDryRun || writing.isDry
  if (!isDry && paths.includes('-')) throw new Refusal('--fix: standard input cannot be written', '`--fix-dry-run` prints the changes')
  if (!isDry && options.staged)
    throw new Refusal('--fix and --staged cannot be combined: staged content is not rewritten', 'fix the files, then stage them')
  const fixWriting = options.fixDryRun && !options.diff ? writingOf({ ...options, diff: true }, io, '--fix-dry-run') : writing
  return { level: level ?? 'safe', writing: fixWriting }
}

/**
 * Fix the files of a run, and write them or show what would be written. Says on standard error how much was fixed; a file
 * that cannot be written is a problem of the run, and is left as it was. `mayChange`: whether a file is one of those that are fixed.
 */
export async function fixOnDisk(
  run: LintRun,
  { level, writing }: Fixing,
  io: Io,
  { folders = foldersOf(io), mayChange }: Pick<Selection, 'folders'> & { readonly mayChange?: (path: string) => boolean } = {},
): Promise<{ readonly read: ReadFiles; readonly fixed: FixedFiles }> {
  const fixed = await fixFiles(run, level, { readers: allReaders, actionLists: true, folders, mayChange })
  const { changed, count, files } = fixed
  const problems: Problem[] = []
  for (const { before, after } of changed) {
    const { path, text } = before.source
    if (writing.isDry) await writing.preview({ path, before: text, after: after.source.text })
    else {
      const message = replaceFile(before.file, text, after.source.text)
      if (message !== undefined) problems.push({ path, message })
    }
  }
  if (changed.length > problems.length) {
    const where = `${plural(count, 'problem')} in ${plural(changed.length - problems.length, 'file')}`
    io.stderr.write(writing.isDry ? `grantwise: --fix would fix ${where}\n` : `grantwise: fixed ${where}\n`)
  }
  if (problems.length === 0) return { read: files, fixed }
  const failed = new Set(problems.map(({ path }) => path))
  const old = new Map(changed.map(({ before }) => [before.source.path, before]))
  const each = files.each.map((file) => (failed.has(file.source.path) ? (old.get(file.source.path) ?? file) : file))
  return { read: { ...withReads(files, each), problems: [...files.problems, ...problems], isPartial: true }, fixed }
}

/**
 * Write a file whole or not at all: next to its place first, then renamed, with its permissions. A file that was changed in the
 * meantime is not overwritten. Gives the problem in words; undefined without one.
 */
export function replaceFile(file: string | undefined, before: string, after: string): string | undefined {
  if (file === undefined) return 'not written: it was not read from a file'
  if (readText(file).text !== before) return 'not written: it was changed while it was fixed'
  try {
    replace(file, after, statSync(file).mode)
    return undefined
  } catch (error) {
    return `cannot be written: ${writingFault(error)}`
  }
}

/**
 * Write the files of a proposal: each whole or not at all, in a folder that is there, over what it was made for. In words what
 * was not written.
 */
export function writeChanges(changes: readonly Changed[], io: Io): readonly Problem[] {
  return changes.flatMap(({ path, before, after }) => {
    const file = resolve(io.cwd, path)
    const message =
      outsideProblem(file, io) ??
      (before !== undefined && after !== undefined ? replaceFile(file, before, after) : createOrRemove(file, before, after))
    return message === undefined ? [] : [{ path, message }]
  })
}

/** A file that is new, or of which nothing is left. */
function createOrRemove(file: string, before: string | undefined, after: string | undefined): string | undefined {
  if (readText(file).text !== before) return 'not written: it was changed meanwhile'
  try {
    if (after === undefined) rmSync(file)
    else replace(file, after)
    return undefined
  } catch (error) {
    return `cannot be written: ${writingFault(error)}`
  }
}
