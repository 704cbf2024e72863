import { mayHoldReplacement, type SeedSource } from '../../emulator/control/seed.ts'
import { mayHoldPolicy, type Problem } from '../../sources/limits.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { discover, readCandidate } from './files.ts'
import { problemLines } from './world.ts'

/** A refusal of an invalid seed. */
export class SeedRefusal extends Refusal {
  /** The problems, a line or two each, ready to be printed. */
  readonly report: string
  constructor(report: string) {
    super('the seed has errors: nothing is served')
    this.report = report
  }
}

/** The files of `--seed`. Throws where one cannot be read. */
export async function readSeeds(paths: readonly string[], io: Io): Promise<readonly SeedSource[]> {
  if (paths.length === 0) return []
  const { candidates, problems: unread } = await discover({ paths }, io)
  const problems: Problem[] = [...unread]
  const sources: SeedSource[] = []
  for (const candidate of candidates) {
    const { source, message } = await readCandidate(candidate, io, 'policies')
    if (source === undefined) problems.push({ path: candidate.path, message })
    else if (candidate.isNamed || mayHoldPolicy(source.text) || mayHoldReplacement(source.text))
      sources.push({ source, mayBeOther: !candidate.isNamed })
  }
  if (sources.length === 0 && problems.length === 0)
    problems.push({ path: paths.join(', '), message: 'no file that holds a policy or `standIn`' })
  if (problems.length > 0) throw new SeedRefusal(problemLines(problems))
  return sources
}
