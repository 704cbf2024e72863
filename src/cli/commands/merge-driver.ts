import { isUtf8 } from 'node:buffer'
import { resolve } from 'node:path'
import { conflictSentence } from '../../answers/merge.ts'
import { mergeTexts, type Versions } from '../../merge/merge.ts'
import { defaultSettings, type Settings } from '../../names.ts'
import { shown } from '../../report/safe.ts'
import { notationOf } from '../../source.ts'
import type { Run } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { loadConfig } from '../input/config.ts'
import { conflictStyle, type MarkStyle, marked, mergeLines } from '../input/line-merge.ts'
import { readBytes } from '../input/read-file.ts'
import { type Writing, writingOf } from '../output/writing.ts'

/** The longest text that is merged by what it says. */
const longest = 2 ** 20

type Files = Readonly<Record<keyof Versions, Buffer>>

/** `merge-driver BASE OURS THEIRS [PATH]`: merges policies for git, into OURS. */
export const run: Run<'merge-driver'> = async ([base = '', ours = '', theirs = '', path = ours], options, io) => {
  const files = { base: bytesOf(base, io), ours: bytesOf(ours, io), theirs: bytesOf(theirs, io) }
  const style = { size: options.markerSize, style: conflictStyle(io) }
  const writing = writingOf(options, io)
  const say = (text: string) => io.stderr.write(`grantwise: ${shown(path)}: ${shown(text)}\n`)
  const target = resolve(io.cwd, ours)
  const leave = (why: string) => leftToGit(files, style, target, writing, (end) => say(`${why}: ${end}`), io)
  const notation = notationOf(path)
  if (notation !== 'json' && notation !== 'yaml' && notation !== 'hcl')
    return leave('only policies in JSON, YAML and HCL are merged by what they say')
  const all = Object.values(files)
  if (all.some(({ length }) => length > longest)) return leave(`longer than ${longest} bytes`)
  if (all.some((bytes) => !isUtf8(bytes))) return leave('it is not UTF-8')
  const versions = { base: files.base.toString('utf8'), ours: files.ours.toString('utf8'), theirs: files.theirs.toString('utf8') }
  const lineMerge = (texts: Versions) => {
    const merge = mergeLines(texts, style, io)
    return merge && !merge.hasConflicts ? merge.bytes.toString('utf8') : undefined
  }
  const result = await mergeTexts(versions, notation, await settingsIn(io), lineMerge)
  if (result.kind === 'left') return leave(result.why)
  if (result.kind === 'merged') {
    await writing.write(target, result.text)
    return writing.exitCode(exit.success)
  }
  say(`conflict: ${conflictSentence(result.conflict, result.worlds)}`)
  const merge = mergeLines(files, style, io)
  await writing.write(target, merge?.hasConflicts ? merge.bytes.toString('utf8') : marked(versions, style))
  return exit.failure
}

/** The settings of the configuration; the usual ones where that cannot be read, as one that has a conflict itself. */
async function settingsIn(io: Io): Promise<Settings> {
  try {
    return (await loadConfig({}, io)).settings
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return defaultSettings
  }
}

function bytesOf(path: string, { cwd }: Io): Buffer {
  const { bytes, message } = readBytes(resolve(cwd, path), Number.MAX_SAFE_INTEGER)
  if (!bytes) throw new Refusal(`${path}: ${message}`)
  return bytes
}

/** Files merged by git itself; of files that it does not merge, ours stays, with a conflict. */
async function leftToGit(
  files: Files,
  style: MarkStyle,
  target: string,
  writing: Writing,
  say: (end: string) => void,
  io: Io,
): Promise<ExitCode> {
  const merge = mergeLines(files, style, io)
  if (!merge) {
    say('git does not merge it, either: ours stays, with a conflict')
    return exit.failure
  }
  if (isUtf8(merge.bytes)) await writing.write(target, merge.bytes.toString('utf8'))
  else writing.writeBytes(target, merge.bytes)
  say(`git merged its lines${merge.hasConflicts ? ', with conflicts' : ''}`)
  return merge.hasConflicts ? exit.failure : writing.exitCode(exit.success)
}
