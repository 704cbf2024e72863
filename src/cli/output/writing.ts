import { accessSync, constants, lstatSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { guardExact, shown } from '../../report/safe.ts'
import type { ExitCode } from '../app/exit.ts'
import { exit } from '../app/exit.ts'
import { type Io, wantsColour, writeFault } from '../app/io.ts'
import type { CommonOptions } from '../app/options.ts'
import { displayPath } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { writeFile } from './write.ts'

/** The options `--dry-run` and `--diff`. */
export interface WriteOptions extends CommonOptions {
  readonly dryRun: boolean
  readonly diff: boolean
}

/** A file as it is and as it is to be; undefined where it is not there. */
export interface Change {
  /** As shown. */
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/**
 * How a command writes the files that it is asked for: really, or, with `--dry-run` and `--diff`, not at all: the files are
 * listed, or their changes are printed. All writing of commands goes through here.
 */
export interface Writing {
  /** Nothing is written. */
  readonly isDry: boolean
  /** The option that has standard output for itself, for a diff; undefined where none has. */
  readonly diffOption: string | undefined
  /** Write a file that the command line names. `inNewFolder`: its folder is made if there is none. */
  readonly write: (file: string, text: string, more?: { readonly inNewFolder?: boolean }) => Promise<void>
  /** The same with a text in parts, each of which is made when the ones before it are written. */
  readonly writeParts: (file: string, parts: Generator<string>) => Promise<void>
  /** The same with a file that is no text. */
  readonly writeBytes: (file: string, bytes: Uint8Array) => void
  /** Say what would happen to a file. */
  readonly preview: (change: Change) => Promise<void>
  /** The exit code of the command: with `--diff` a success that would change a file is a failure. */
  readonly exitCode: (code: ExitCode) => ExitCode
  /** Refuse where the options ask for no file: `--diff` that shows nothing would mislead. `help`: what writes one. */
  readonly refuseIdle: (help: string) => void
}

/** The way of writing that a command line asks for. `diffOption`: the name under which a diff is asked for. */
export function writingOf(options: WriteOptions, io: Io, diffOption = '--diff'): Writing {
  const { dryRun, diff } = options
  const isDry = dryRun || diff
  let wouldChange = false
  const preview = async (change: Change) => {
    if (change.before === change.after) {
      if (dryRun) io.stderr.write(`grantwise: would not change ${shown(change.path)}\n`)
      return
    }
    wouldChange = true
    const verb = change.before === undefined ? 'create' : change.after === undefined ? 'remove' : 'change'
    if (dryRun) io.stderr.write(`grantwise: would ${verb} ${shown(change.path)}\n`)
    if (diff) await printDiff(change, options, io)
  }
  const write: Writing['write'] = async (file, text, { inNewFolder = false } = {}) => {
    if (!isDry) return writeFile(file, text, io.cwd)
    const path = displayPath(file, io.cwd)
    const there = textThere(file, path, inNewFolder)
    if (there.kind === 'text') return preview({ path, before: there.text, after: text })
    wouldChange = true
    if (dryRun) io.stderr.write(`grantwise: would write to ${shown(path)}\n`)
    if (diff) io.stderr.write(`grantwise: note: ${shown(path)}: no diff: ${there.why}\n`)
  }
  return {
    isDry,
    diffOption: diff ? diffOption : undefined,
    preview,
    write,
    async writeParts(file, parts) {
      if (isDry) await write(file, [...parts].join(''))
      else writeFile(file, parts, io.cwd)
    },
    writeBytes(file, bytes) {
      if (!isDry) return writeFile(file, bytes, io.cwd)
      wouldChange = true
      const path = displayPath(file, io.cwd)
      if (dryRun) io.stderr.write(`grantwise: would write to ${shown(path)}\n`)
      if (diff) io.stderr.write(`grantwise: note: ${shown(path)}: no diff: not a text\n`)
    },
    exitCode: (code) => (diff && wouldChange && code === exit.success ? exit.failure : code),
    refuseIdle(help) {
      if (isDry) throw new Refusal(`${diff ? diffOption : '--dry-run'} is about files that are written, and none would be`, help)
    },
  }
}

async function printDiff({ path, before, after }: Change, options: WriteOptions, io: Io): Promise<void> {
  const [{ changeDiff }, { diffText }] = await Promise.all([import('../../report/diff.ts'), import('./diff-text.ts')])
  const text = changeDiff(path, before, after)
  const isTerminal = io.stdout.isTerminal()
  io.stdout.write(diffText(text, wantsColour(io, options.color), isTerminal), guardExact)
  if (!isTerminal && guardExact(text) !== text)
    io.stderr.write(`grantwise: note: ${shown(path)}: commands to build servers are escaped in the diff: it cannot be applied\n`)
}

/** The content of a file before it is written. Throws a refusal where it could not be written, as writing it would. */
function textThere(
  file: string,
  path: string,
  inNewFolder: boolean,
): { readonly kind: 'text'; readonly text: string | undefined } | { readonly kind: 'other'; readonly why: string } {
  try {
    const stat = statSync(file, { throwIfNoEntry: false })
    if (!stat) {
      if (!inNewFolder || lstatSync(dirname(file), { throwIfNoEntry: false })) accessSync(dirname(file), constants.W_OK)
      return { kind: 'text', text: undefined }
    }
    accessSync(file, constants.W_OK)
    if (!stat.isFile()) return { kind: 'other', why: 'not a regular file' }
    const bytes = readFileSync(file)
    const text = bytes.toString('utf8')
    return Buffer.from(text).equals(bytes) ? { kind: 'text', text } : { kind: 'other', why: 'not UTF-8' }
  } catch (error) {
    throw new Refusal(`${path}: cannot be written: ${writeFault((error as NodeJS.ErrnoException).code)}`)
  }
}
