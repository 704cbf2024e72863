import { dirname, resolve } from 'node:path'
import { applyBaseline, type BaselineEntry, baselineOf, readBaseline, suppressRecorded } from '../../lint/baseline.ts'
import type { Baseline } from '../../lint/lint-files.ts'
import { readJson } from '../../parser/json.ts'
import { baselineText } from '../../report/lint.ts'
import { type Located, sourceOf } from '../../source.ts'
import type { Options } from '../app/commands.ts'
import type { Io } from '../app/io.ts'
import { displayPath, pathFrom } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { refuseAll } from '../output/diagnostics.ts'
import type { Writing } from '../output/writing.ts'
import { textAt, withoutMark } from './read-file.ts'

/** The baseline of a run. Its paths are relative to its folder, so that it means the same in any working folder. */
export interface BaselineFile {
  /** `covers`: whether all of a folder, or a file, was looked at: absolute paths. */
  readonly apply: (covers: (path: string) => boolean) => Baseline
  /** Write what was found, where that was asked for. */
  readonly finish: (writing: Writing) => Promise<void>
}

/** The baseline of `--baseline FILE`, or the one that `--write-baseline FILE` is to make. */
export function openBaseline(options: Pick<Options<'lint'>, 'baseline' | 'writeBaseline'>, io: Io): BaselineFile | undefined {
  const [used, written] = [options.baseline, options.writeBaseline]
  if (used !== undefined && written !== undefined)
    throw new Refusal('--baseline and --write-baseline cannot be combined', 'write the baseline first, then use it')
  const name = used ?? written
  if (name === undefined) return undefined
  const file = resolve(io.cwd, name)
  const folder = dirname(file)
  const pathOf = (path: string) => pathFrom(folder, path, io.cwd)
  if (used !== undefined) {
    const entries = readEntries(file, io)
    return {
      apply: (covers) => (findings, isOn, rules) =>
        applyBaseline(findings, entries, rules, pathOf, (entry) => {
          const path = resolve(folder, entry.file)
          return covers(path) && isOn(entry.code, displayPath(path, io.cwd))
        }),
      finish: async () => {},
    }
  }
  let entries: readonly BaselineEntry[] = []
  return {
    // Findings that are being recorded are already suppressed.
    apply: () => (findings, _, rules) => {
      entries = baselineOf(findings, rules, pathOf)
      return suppressRecorded(findings, rules)
    },
    finish: (writing) => writing.write(file, baselineText(entries)),
  }
}

function readEntries(file: string, io: Io): readonly Located<BaselineEntry>[] {
  const path = displayPath(file, io.cwd)
  const { text, message } = textAt(file, 'settings', io)
  if (text === undefined) throw new Refusal(`${path}: ${message}`, 'a baseline is written with `--write-baseline FILE`')
  const reading = readJson(sourceOf(path, withoutMark(text)))
  refuseAll(reading.diagnostics, 'baseline')
  const root = reading.documents[0]
  const { entries, problems } = root ? readBaseline(root) : { entries: [], problems: [] }
  refuseAll(problems, 'baseline')
  return entries
}
