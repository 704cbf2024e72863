import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Settings } from '../../names.ts'
import { readSource } from '../../parser/read-source.ts'
import { notationOf, sourceOf } from '../../source.ts'
import type { ReadFiles } from '../../sources/files.ts'
import { mayHoldPolicy } from '../../sources/limits.ts'
import type { Io } from '../app/io.ts'
import { displayPath } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import type { Target } from '../output/outputs.ts'
import { readText, sniff } from './read-file.ts'
import { ownFile } from './walk.ts'

/** Refuse files that output must never be written to: symbolic links, the tool's own files unless `mayBeOwn`, and one file twice. */
export function checkTargets(targets: readonly Target[], io: Io, mayBeOwn = false): void {
  const seen = new Map<string, Target>()
  for (const { option, file } of targets) {
    const path = displayPath(file, io.cwd)
    const isLink = statOf(file, lstatSync)?.isSymbolicLink() === true
    const stat = statOf(file)
    // Writing to a pipe or a device destroys nothing: `>(…)` of a shell, `/dev/stdout`.
    if (isLink && (!stat || stat.isFile() || stat.isDirectory()))
      throw new Refusal(`${option}: ${path}: a symbolic link, which is never written to`, 'name the file it points to')
    if (stat?.isDirectory()) throw new Refusal(`${option}: ${path}: a folder, expected a file`)
    if (!mayBeOwn && ownFile.test(basename(file))) throw new Refusal(`${option}: ${path}: a file of grantwise itself`, elsewhere)
    if (stat && !stat.isFile()) continue
    const key = identity(file, stat)
    const other = seen.get(key)
    if (other) throw new Refusal(`${option}: ${path}: ${other.option} writes to the same file`, elsewhere)
    seen.set(key, { option, file })
  }
}

const elsewhere = 'name another file'

/**
 * Refuse to write over files that were read, and over any other file that holds policies. `others`: files read other than
 * policies, by absolute paths.
 */
export async function guardInputs(
  targets: readonly Target[],
  { files }: Pick<ReadFiles, 'files'>,
  others: readonly string[],
  settings: Settings,
  io: Io,
): Promise<void> {
  if (targets.length === 0) return
  refuseRead(targets, [...files.map((path) => resolve(io.cwd, path)), ...others], io)
  for (const { option, file } of targets) {
    const stat = statOf(file)
    const path = displayPath(file, io.cwd)
    if (!stat?.isFile()) continue
    const { text } = readText(file)
    if (text === undefined || !mayHoldPolicy(text)) continue
    const { holdsPolicies } = await readSource(sourceOf(path, text, notationOf(file) ?? sniff(text)), settings)
    if (holdsPolicies) throw new Refusal(`${option}: ${path}: contains policies, and is not overwritten`, elsewhere)
  }
}

/** Refuse to write over what was read. `inputs`: by absolute paths. */
export function refuseRead(targets: readonly Target[], inputs: readonly string[], io: Io): void {
  const read = new Set(inputs.map((input) => identity(input, statOf(input))))
  for (const { option, file } of targets)
    if (read.has(identity(file, statOf(file))))
      throw new Refusal(`${option}: ${displayPath(file, io.cwd)}: is an input, and is not overwritten`, elsewhere)
}

/** A key for a file: the same for two names of one file, by links or other folders. */
function identity(file: string, stat: Stats | undefined): string {
  if (stat) return `${stat.dev}:${stat.ino}`
  try {
    return join(realpathSync(dirname(file)), basename(file))
  } catch {
    return file
  }
}

/** Undefined for what is not there, and for what cannot be asked about: writing to it will say why. */
function statOf(file: string, ask: (file: string) => Stats = statSync): Stats | undefined {
  try {
    return ask(file)
  } catch {
    return undefined
  }
}
