import { appliedDiff, appliedJson, appliedText, isProposed } from '../../answers/review-apply.ts'
import { wordingOf } from '../../answers/wording.ts'
import { readSource } from '../../parser/read-source.ts'
import { paint } from '../../report/colour.ts'
import { json } from '../../report/safe.ts'
import { type Applied, apply, endingsIn } from '../../review/apply.ts'
import { grantsOf } from '../../review/grants.ts'
import { judgedGrants } from '../../review/status.ts'
import type { Options } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { budgetFor, type Io, wantsColour } from '../app/io.ts'
import { choice } from '../app/options.ts'
import type { ReviewOnDisk } from '../input/reviewed.ts'
import type { LoadedWorld } from '../input/world.ts'
import { diffText } from '../output/diff-text.ts'
import { wrapLines } from '../output/fit.ts'

/** `review --apply`: the edits that carry out what was decided. Writes no file. */
export async function applyReview(
  disk: ReviewOnDisk,
  loaded: LoadedWorld,
  instant: number,
  options: Options<'review'>,
  io: Io,
): Promise<ExitCode> {
  const format = choice('--format', options.format ?? 'pretty', ['pretty', 'json', 'diff'] as const)
  const { world, settings, sources, names } = loaded
  const run = budgetFor(io)
  const { rows } = judgedGrants(grantsOf(world, instant).grants, disk.read, instant, run)
  const applied = await apply(sources, world, endingsIn(rows), instant, (source) => readSource(source, settings), run)
  const inColour = wantsColour(io, options.color)
  const diff = isProposed(applied) ? diffText(appliedDiff(applied), inColour, io.stdout.isTerminal()) : ''
  if (format === 'json') io.stdout.write(`${json(appliedJson(applied))}\n`)
  else if (format === 'diff') io.stdout.write(diff)
  else {
    io.stdout.write(wrapLines(appliedText(applied, paint(inColour), wordingOf(names, instant)), io.stdout.width?.()))
    if (diff !== '') io.stdout.write(`\n${diff}`)
  }
  return exitOf(applied)
}

function exitOf(applied: Applied): ExitCode {
  if (!isProposed(applied) || applied.left.length > 0) return exit.failure
  return applied.proof === 'undecided' ? exit.unknown : exit.success
}
