import { statSync } from 'node:fs'
import type { Diagnostic } from '../../diagnostic.ts'
import { type FixFile, type FixLevel, mend } from '../../fix/fix.ts'
import { knownFrom, saysTheSame } from '../../fix/prove.ts'
import type { Settings } from '../../names.ts'
import { type ReadSource, readSource } from '../../parser/read.ts'
import { paint } from '../../report/colour.ts'
import { unifiedDiff } from '../../report/diff.ts'
import { shown } from '../../report/safe.ts'
import { plural } from '../../report/words.ts'
import type { Source } from '../../source.ts'
import type { Options } from '../app/commands.ts'
import { type Io, wantsColour, writeFault } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { type Problem, readText } from '../input/files.ts'
import { type FileRead, type ReadFiles, withReads } from '../input/world.ts'
import { replace } from '../output/write.ts'

/** What `--fix`, `--fix-dry-run` and `--fix-level` ask for. */
export interface Fixing {
  readonly level: FixLevel
  /** Nothing is written: the changes are shown as a diff. */
  readonly isDry: boolean
}

/** Read the options about mending; undefined when nothing is to be mended. */
export function fixingOf(paths: readonly string[], options: Options<'lint'>): Fixing | undefined {
  const level = options.fixLevel
  const isDry = options.fixDryRun
  if (!isDry && !options.fix) {
    if (level !== undefined) throw new Refusal('--fix-level says what --fix mends', 'add --fix or --fix-dry-run')
    return undefined
  }
  if (!isDry && paths.includes('-'))
    throw new Refusal('--fix: standard input is no file that could be written', '`--fix-dry-run` prints the changes')
  if (!isDry && options.staged)
    throw new Refusal('--fix and --staged do not go together: what is staged is not rewritten', 'mend the files, then stage them')
  return { level: level ?? 'safe', isDry }
}

/** What came of mending. */
export interface MendedFiles {
  readonly read: ReadFiles
  /** See `Fixed`. */
  readonly demote: (finding: Diagnostic) => Diagnostic
  /** Whether anything was mended, or would be. */
  readonly isMended: boolean
}

/**
 * Mend the files of a run, and write them or show what would be written. `find`: what is found in them, without what is
 * to be left out. Says on standard error how much was mended; a file that cannot be written is a problem of the run.
 */
export async function mendFiles(
  run: ReadFiles,
  { level, isDry }: Fixing,
  find: (run: ReadFiles) => readonly Diagnostic[],
  settings: Settings,
  options: Options<'lint'>,
  io: Io,
): Promise<MendedFiles> {
  const known = new Map(run.each.map((each) => [each.source.path, each]))
  const whole = (files: readonly Pick<FileRead, 'source' | 'read'>[]) =>
    withReads(
      run,
      files.map((file) => ({ ...(known.get(file.source.path) as FileRead), source: file.source, read: file.read })),
    )
  const mended = await mend(run.each, level, {
    read: (source) => readAgain(source, known.get(source.path) as FileRead, run.each, settings, io),
    find: (some) => find(whole(some)),
  })
  const { count, demote } = mended
  const files = await provenTogether(mended.files, run.each, level, settings, io)
  const changed = files.filter(({ before, after }) => before !== after)
  const problems: Problem[] = []
  const inColour = wantsColour(io, options.color)
  for (const { before, after } of changed) {
    const { path } = before.source
    if (isDry) io.stdout.write(diffText(unifiedDiff(path, before.source.text, after.source.text), inColour, io.stdout.isTerminal()))
    else {
      const message = replaceFile((known.get(path) as FileRead).file, before.source.text, after.source.text)
      if (message !== undefined) problems.push({ path, message })
    }
  }
  const failed = new Set(problems.map(({ path }) => path))
  const written = files.map(({ before, after }) => (failed.has(before.source.path) ? before : after))
  if (changed.length > failed.size) {
    const where = `${plural(count, 'problem')} in ${plural(changed.length - failed.size, 'file')}`
    io.stderr.write(isDry ? `grantwise: --fix would mend ${where}\n` : `grantwise: mended ${where}\n`)
  }
  const now = whole(written)
  return {
    read: problems.length === 0 ? now : { ...now, problems: [...run.problems, ...problems], isPartial: true },
    demote,
    isMended: changed.length > 0,
  }
}

/**
 * Read a text that was mended. Of Markdown only what stands in its fences may have changed; a file of a configuration is
 * read with the others, which must say what they said.
 */
async function readAgain(
  source: Source,
  { source: before, read }: FileRead,
  each: readonly FileRead[],
  settings: Settings,
  io: Io,
): Promise<ReadSource> {
  if (read.kind === 'configuration')
    return (
      (await readConfigurationAgain(new Map([[source.path, source]]), each, settings, io)).get(source.path) ?? { ...read, refused: true }
    )
  const { notation } = source
  if (read.kind === 'examples' && notation !== 'markdown')
    return (await (await import('../input/action-lists.ts')).readActionList(source, settings)) ?? { ...read, refused: true }
  if (notation !== 'markdown') return readSource(source, settings)
  const { isOutsideKept, readFences } = await import('../input/fences.ts')
  return isOutsideKept(before, source) ? (await readFences(source, settings)).read : { ...read, refused: true }
}

/**
 * The files of configurations as they are with other texts in some of them, by their paths; none where another file that
 * was understood no longer says the same.
 */
async function readConfigurationAgain(
  texts: ReadonlyMap<string, Source>,
  each: readonly FileRead[],
  settings: Settings,
  io: Io,
): Promise<ReadonlyMap<string, ReadSource>> {
  const { readTerraform } = await import('../input/terraform.ts')
  const own = each.filter(({ read }) => read.kind === 'configuration')
  const given = own.map(({ source, file }) => ({
    source: texts.get(source.path) ?? source,
    file,
    isNamed: true,
    isElsewhere: file === undefined,
  }))
  const reads = new Map(
    (await readTerraform(given, settings, io)).reads.flatMap(({ source, read }) => (read ? [[source.path, read] as const] : [])),
  )
  const known = knownFrom(own.map(({ read }) => read.facts))
  const isSame = own.every(({ source, read }) => {
    const now = reads.get(source.path)
    return texts.has(source.path) || (now && !now.refused && saysTheSame(read.facts, now.facts, known))
  })
  return isSame ? reads : new Map()
}

interface FixedFile {
  readonly before: FixFile
  readonly after: FixFile
}

/** Files of configurations speak of one another: what was mended in each must hold with all of them mended, or none of them is. */
async function provenTogether(
  files: readonly FixedFile[],
  each: readonly FileRead[],
  level: FixLevel,
  settings: Settings,
  io: Io,
): Promise<readonly FixedFile[]> {
  const changed = files.filter(({ before, after }) => before !== after && before.read.kind === 'configuration')
  if (changed.length < 2) return files
  const reads = await readConfigurationAgain(new Map(changed.map(({ after }) => [after.source.path, after.source])), each, settings, io)
  const known = knownFrom(each.map(({ read }) => read.facts))
  const isRight = changed.every(({ before, after }) => {
    const now = reads.get(after.source.path)
    return now && !now.refused && (level !== 'safe' || saysTheSame(before.read.facts, now.facts, known))
  })
  return files.map((file) => {
    if (!changed.includes(file)) return file
    const read = reads.get(file.after.source.path)
    return isRight && read ? { ...file, after: { ...file.after, read } } : { ...file, after: file.before }
  })
}

/** A diff as it is printed: on a terminal nothing in it may act on the terminal, and changes are coloured. */
export function diffText(diff: string, inColour: boolean, isTerminal: boolean): string {
  if (!isTerminal && !inColour) return diff
  const colours = paint(inColour)
  const tones: Readonly<Record<string, (text: string) => string>> = { '+': colours.good, '-': colours.error, '@': colours.info }
  return diff
    .split('\n')
    .map((line) => {
      const text = isTerminal ? shown(line.replace(/\r$/, '')) : line
      return tones[line[0] ?? '']?.(text) ?? text
    })
    .join('\n')
}

/**
 * Write a file whole or not at all: beside it first, then in its place, with the permissions it has. Nothing is written
 * over what somebody else has written in the meantime. In words what went wrong; undefined when nothing did.
 */
function replaceFile(file: string | undefined, before: string, after: string): string | undefined {
  if (file === undefined) return 'not written: it was not read from a file'
  if (readText(file).text !== before) return 'not written: it was changed while it was mended'
  try {
    replace(file, after, statSync(file).mode)
    return undefined
  } catch (error) {
    return `cannot be written: ${writeFault((error as NodeJS.ErrnoException).code)}`
  }
}
