import type { CallUses } from '../../answers/call-use.ts'
import type { Answer } from '../../answers/model.ts'
import type { Settings } from '../../names.ts'
import type { World } from '../../policy.ts'
import { shown } from '../../report/safe.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'

/** The options that name recorded calls. */
export interface CallOptions {
  readonly calls: readonly string[]
  readonly skipBad: boolean
  readonly policies: readonly string[]
}

/** Refuses `--skip-bad` where no calls are read. */
export function checkCalls({ calls, skipBad }: Pick<CallOptions, 'calls' | 'skipBad'>): void {
  if (skipBad && calls.length === 0) throw new Refusal('`--skip-bad` requires `--calls`', 'name the recorded calls, or omit it')
}

/** Asks for the use of rows in the records of `--calls`, in worlds that an answer is about; undefined where there are none. */
export async function usesOf(options: Pick<CallOptions, 'calls' | 'skipBad'>, worlds: readonly World[]): Promise<CallUses | undefined> {
  checkCalls(options)
  return options.calls.length === 0 ? undefined : new (await import('../../answers/call-use.ts')).CallUses(...worlds)
}

/** The formats that have no place for what is said about all records: standard error has it. */
const withoutNotes: ReadonlySet<string> = new Set(['compact', 'sarif', 'github', 'gitlab'])

/** Counts the records, once all that is to be counted was asked for. `formats`: those that are printed. */
export async function countCalls(
  uses: CallUses,
  { calls, skipBad, policies }: CallOptions,
  formats: readonly string[],
  settings: Settings,
  io: Io,
): Promise<void> {
  const { readRecords } = await import('./records.ts')
  uses.finish(await readRecords(calls, { policies, skipBad }, settings, io, uses.counter.add))
  if (formats.some((format) => withoutNotes.has(format)))
    for (const note of uses.notes) io.stderr.write(`grantwise: note: ${shown(note)}\n`)
}

/** The answer with the use of its rows, where that was asked for. */
export async function withUses(
  answer: Answer,
  uses: CallUses | undefined,
  options: CallOptions & { readonly format: string },
  settings: Settings,
  io: Io,
): Promise<Answer> {
  if (!uses) return answer
  await countCalls(uses, options, [options.format], settings, io)
  return uses.of(answer)
}
