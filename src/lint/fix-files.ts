import type { Diagnostic } from '../diagnostic.ts'
import { defaultSettings, type Settings } from '../names.ts'
import { type ReadSource, readText } from '../parser/read.ts'
import { worldsOfOne } from '../parser/world.ts'
import { isExampleNotation, type Source } from '../source.ts'
import { type FileRead, type GivenFile, type ReadFiles, withReads } from '../sources/files.ts'
import type { Readers, ReadOptions } from '../sources/read.ts'
import { Zones } from '../zones.ts'
import { type Fixed, fixTexts } from './fix.ts'
import { type LintRun, lintFiles } from './lint-files.ts'
import type { FixFile, FixLevel } from './may-fix.ts'
import { isEquivalent } from './prove.ts'

/** The result of fixing files. */
export interface FixedFiles extends Pick<Fixed, 'count' | 'mayFix' | 'demote'> {
  /** The files as they are now. */
  readonly files: ReadFiles
  /** Those that were fixed. */
  readonly changed: readonly { readonly before: FileRead; readonly after: FileRead }[]
}

/** How the files to fix were read. */
export interface FixOptions extends ReadOptions {
  readonly readers: Readers
  /** Whether a file is one of those that are fixed, and not only read with them. */
  readonly mayChange?: ((path: string) => boolean) | undefined
}

/** Fix what may be fixed in files: exactly what `grantwise lint --fix` writes. What has no reader is not fixed. */
export async function fixFiles(asked: LintRun, level: FixLevel, options: FixOptions): Promise<FixedFiles> {
  const { files } = asked
  const settings = { zones: new Zones(), ...(asked.settings ?? defaultSettings) }
  const run = { ...asked, settings }
  const byPath = new Map(files.each.map((each) => [each.source.path, each]))
  const before = (source: Source) => byPath.get(source.path) as FileRead
  const whole = (some: readonly FixFile[]) =>
    withReads(
      files,
      some.map(({ source, read }) => ({ source, read, file: before(source).file })),
    )
  const fixed = await fixTexts(files.each, level, {
    read: (source) => readAgain(source, before(source), files.each, settings, options),
    ...(options.mayChange && { mayChange: options.mayChange }),
    find: (some): readonly Diagnostic[] => lintFiles({ ...run, files: whole(some) }).findings,
  })
  const proven = await provenTogether(fixed.files, files.each, level, settings, options)
  const now = whole(proven.map(({ after }) => after))
  const changed = now.each.flatMap((after, i) => {
    const old = files.each[i] as FileRead
    return after.source === old.source ? [] : [{ before: old, after }]
  })
  return { files: now, changed, count: fixed.count, mayFix: fixed.mayFix, demote: fixed.demote }
}

/**
 * Read a text that was fixed. Of a document or a script only its policies may have changed; a file of a configuration is read with
 * the others, which must keep their meaning.
 */
async function readAgain(
  source: Source,
  { source: before, read }: FileRead,
  each: readonly FileRead[],
  settings: Settings,
  options: FixOptions,
): Promise<ReadSource> {
  const refused = { ...read, refused: true }
  if (read.kind === 'configuration') {
    const reads = await readConfigurationAgain(new Map([[source.path, source]]), each, settings, options)
    return reads.get(source.path) ?? refused
  }
  const { examplesAgain, actionList } = options.readers
  if (isExampleNotation(source.notation)) return (await examplesAgain?.(before, source, settings)) ?? refused
  if (read.kind === 'examples') return (await actionList?.(source, settings)) ?? refused
  return readText(source, settings, options.readers)
}

/**
 * The files of configurations with other texts for some of them, by their paths; none where another parsed file no longer means
 * the same.
 */
async function readConfigurationAgain(
  texts: ReadonlyMap<string, Source>,
  each: readonly FileRead[],
  settings: Settings,
  { folders, readers: { configurations } }: FixOptions,
): Promise<ReadonlyMap<string, ReadSource>> {
  if (!configurations) return new Map()
  const configurationFiles = each.filter(({ read }) => read.kind === 'configuration')
  const givenFiles = configurationFiles.map(({ source, file }): GivenFile => {
    const text = texts.get(source.path) ?? source
    return { source: text, file, isNamed: true, isElsewhere: file === undefined }
  })
  const { reads: all } = await configurations(givenFiles, settings, folders)
  const reads = new Map(all.flatMap(({ source, read }) => (read ? [[source.path, read] as const] : [])))
  const worldWith = worldsOfOne(configurationFiles.map(({ read }) => read.facts))
  const isSame = configurationFiles.every(({ source, read }) => {
    const now = reads.get(source.path)
    return texts.has(source.path) || (now && !now.refused && isEquivalent(read.facts, now.facts, worldWith))
  })
  return isSame ? reads : new Map()
}

/** Files of configurations refer to one another: what was fixed in each must hold with all of them fixed, or none of them is. */
async function provenTogether(
  files: Fixed['files'],
  each: readonly FileRead[],
  level: FixLevel,
  settings: Settings,
  options: FixOptions,
): Promise<Fixed['files']> {
  const changed = files.filter(({ before, after }) => before !== after && before.read.kind === 'configuration')
  if (changed.length < 2) return files
  const texts = new Map(changed.map(({ after }) => [after.source.path, after.source]))
  const reads = await readConfigurationAgain(texts, each, settings, options)
  const worldWith = worldsOfOne(each.map(({ read }) => read.facts))
  const isRight = changed.every(({ before, after }) => {
    const now = reads.get(after.source.path)
    return now && !now.refused && (level !== 'safe' || isEquivalent(before.read.facts, now.facts, worldWith))
  })
  return files.map((file) => {
    if (!changed.includes(file)) return file
    const read = reads.get(file.after.source.path)
    return isRight && read ? { ...file, after: { ...file.after, read } } : { ...file, after: file.before }
  })
}
