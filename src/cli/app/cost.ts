import { Session } from 'node:inspector'
import { isSea } from 'node:sea'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'

/**
 * Steps of a run: calls of functions of the program, and the further turns of loops in them. The same for the same input on every machine;
 * what Node does inside one call, such as a sort, is no step.
 */
export interface Steps {
  readonly calls: number
  readonly turns: number
}

/** Counts the steps of this process from its making on. */
export interface StepCounter {
  readonly steps: () => Steps
}

/**
 * A counter of the steps in the files of a folder. It has to be made before they are loaded, and their code must not come from a cache:
 * code that is compiled without counters has none. Undefined where the process does not count: in a single executable, whose code is
 * compiled beforehand, with `NODE_COMPILE_CACHE`, and where Node is run without the right to.
 */
export function counterOf(folder: string): StepCounter | undefined {
  if (isSea() || process.env['NODE_COMPILE_CACHE']) return undefined
  // A call that the compiler replaces by the body of the function is not always counted, depending on when it was compiled.
  for (const flag of ['--no-turbo-inlining', '--no-maglev']) setFlagsFromString(flag)
  const session = new Session()
  try {
    session.connect()
    session.post('Profiler.enable')
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  } catch {
    return undefined
  }
  const ours = pathToFileURL(`${folder}/`).href
  return {
    steps() {
      let [calls, turns] = [0, 0]
      session.post('Profiler.takePreciseCoverage', (error, taken) => {
        if (error) throw error
        for (const { url, functions } of taken.result) {
          if (!url.startsWith(ours)) continue
          for (const { ranges } of functions) {
            calls += ranges[0]?.count ?? 0
            turns += turnsIn(ranges)
          }
        }
      })
      return { calls, turns }
    },
  }
}

interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

/** How often parts of a function ran beyond the parts around them: only loops do. `ranges`: nested, the outer ones first. */
function turnsIn(ranges: readonly Range[]): number {
  const around: Range[] = []
  let turns = 0
  for (const range of ranges) {
    while ((around.at(-1)?.endOffset ?? Number.POSITIVE_INFINITY) <= range.startOffset) around.pop()
    turns += Math.max(0, range.count - (around.at(-1)?.count ?? range.count))
    around.push(range)
  }
  return turns
}
