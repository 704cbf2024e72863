import type { Diagnostic } from '../../diagnostic.ts'
import { formattedFile } from '../../fmt/file.ts'
import { readSource } from '../../parser/read-source.ts'
import { guardExact, shown } from '../../report/safe.ts'
import type { Source } from '../../source.ts'
import type { TextGiven } from '../../sources/files.ts'
import type { Problem } from '../../sources/limits.ts'
import type { Options, Run } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { type Config, loadConfig } from '../input/config.ts'
import type { Selection } from '../input/files.ts'
import { pathsOf } from '../input/policies.ts'
import { findFiles, problemLines, readFound } from '../input/world.ts'
import { diagnosticLines, isError } from '../output/diagnostics.ts'
import { type Writing, writingOf } from '../output/writing.ts'
import { replaceFile } from './fix.ts'

/** `fmt [PATH…]`: policy files in one layout. */
export const run: Run<'fmt'> = async (paths, options, io) => {
  const writing = writingOf(options, io)
  const config = await loadConfig(options, io)
  const { texts, problems, diagnostics } = await formatAll(selectionOf(paths, options, config), options, config, io)
  const failed: Problem[] = []
  for (const text of texts) {
    const message = await output(text, options, writing, io)
    if (message !== undefined) failed.push({ path: text.path, message })
  }
  io.stderr.write(diagnosticLines(diagnostics))
  io.stderr.write(problemLines([...problems, ...failed]))
  if (diagnostics.length + problems.length + failed.length > 0) return exit.error
  const isDifferent = texts.some(({ before, after }) => before !== after)
  return options.check && isDifferent ? exit.failure : writing.exitCode(exit.success)
}

function selectionOf(paths: readonly string[], { stdinFilename, ifPolicy }: Options<'fmt'>, config: Config): Selection {
  if (stdinFilename !== undefined && !paths.includes('-'))
    throw new Refusal('--stdin-filename names what is read from standard input', 'add `-` to the paths')
  if (paths.includes('-') && paths.length > 1)
    throw new Refusal('standard input is formatted to standard output, and files are formatted in place', 'name either `-` or files')
  return { paths: pathsOf(paths, config), ifPolicy, mayBeEmpty: ifPolicy, ...(stdinFilename !== undefined && { stdinName: stdinFilename }) }
}

/** A text as it is, and as it is formatted. */
interface TextFormatted {
  readonly path: string
  /** Undefined for standard input. */
  readonly file: string | undefined
  readonly before: string
  readonly after: string
}

/** Write a formatted text, or say that it is not formatted; why it could not be written, if it could not. */
async function output(
  { path, file, before, after }: TextFormatted,
  { check }: Options<'fmt'>,
  writing: Writing,
  io: Io,
): Promise<string | undefined> {
  if (file === undefined && !check && !writing.isDry) {
    if (guardExact(after) !== after) return 'holds a command to a build server, which is not printed: format the file in place'
    io.stdout.write(after, (text) => text)
    return undefined
  }
  if (writing.isDry) {
    await writing.preview({ path, before, after })
    return undefined
  }
  if (before === after) return undefined
  const message = check ? undefined : replaceFile(file, before, after)
  if (message === undefined) io.stdout.write(`${shown(path)}\n`)
  return message
}

interface AllFormatted {
  readonly texts: readonly TextFormatted[]
  /** Files that could not be read. */
  readonly problems: readonly Problem[]
  /** Places for which a file is not formatted. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Format the files of a selection. One that cannot be formatted does not keep others from it. */
async function formatAll(selection: Selection, options: Options<'fmt'>, { settings }: Config, io: Io): Promise<AllFormatted> {
  const filesFound = await findFiles(selection, io)
  const sources = new Map<string, Source>()
  const { each, problems } = await readFound({ ...filesFound, texts: noted(filesFound.texts, sources) }, selection, settings, io)
  const reads = new Map(each.map((file) => [file.source.path, file]))
  const diagnostics: Diagnostic[] = []
  const texts: TextFormatted[] = []
  for (const { path, file, isNamed } of filesFound.candidates) {
    const source = sources.get(path)
    if (!source) continue
    const before = source.text
    const read = reads.get(path)?.read
    const result = await formattedFile(source, read, options.sort ? (text) => readSource(text, settings) : undefined)
    if (result && 'problems' in result) diagnostics.push(...result.problems)
    // A file that is named, or looks as if it were meant to hold policies, is never passed over in silence.
    else if (!result && read && (isNamed || read.refused) && read.diagnostics.some(isError))
      diagnostics.push(...read.diagnostics.filter(isError))
    // Editors replace a text by the output: standard input that holds no policy stays as it is.
    else if (result || (file === undefined && problems.length === 0)) texts.push({ path, file, before, after: result?.text ?? before })
  }
  return { texts, problems, diagnostics }
}

/** The same texts, which are also kept by their paths. */
function* noted(texts: Iterable<TextGiven | Problem | Promise<TextGiven | Problem>>, sources: Map<string, Source>) {
  const note = (text: TextGiven | Problem) => {
    if ('source' in text) sources.set(text.source.path, text.source)
    return text
  }
  for (const text of texts) yield text instanceof Promise ? text.then(note) : note(text)
}
