import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { readInstant } from '../../src/conditions/time.ts'
import { Zones } from '../../src/zones.ts'
import type { QuestionJson, WorldJson } from './worlds.ts'

/** The evaluator that is extracted from the proofs (proofs/oracle): lines of JSON in, a line of text out for each. */

/** Where `make -C proofs oracle` leaves the evaluator. */
export const oraclePath = fileURLToPath(new URL('../../proofs/oracle/oracle', import.meta.url))

const zones = new Zones()

/** Times of the clocks that a world may ask for; the oracle knows no time zones. */
function clocksAt(world: string, at: string): Record<string, unknown> {
  const names = new Set(['UTC', ...[...world.matchAll(/"date\(([^()"]*)\)/g)].map((m) => m[1] || 'UTC')])
  const instant = readInstant(at) as number
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const zone = zones.get(name)
      return zone ? [[name, zone.shows(instant)]] : []
    }),
  )
}

/** One line: a world with its questions. The answer has a verdict for each, with blanks between them. */
export function decisionLine(world: WorldJson, questions: readonly QuestionJson[]): string {
  const text = JSON.stringify(world)
  return JSON.stringify({ world, questions: questions.map((each) => ({ ...each, clocks: clocksAt(text, each.at) })) })
}

/** One line: two worlds without conditions. The answer is `none`, or resource, action and identities of a request that only `after` allows. */
export function differenceLine(before: WorldJson, after: WorldJson, at: string): string {
  return JSON.stringify({ before, after, at })
}

/**
 * One line: two worlds whose conditions are not understood, each known by its text. The answer has a digit for each choice of which of
 * them hold: whether there is new access then.
 */
export function unknownDifferenceLine(before: WorldJson, after: WorldJson): string {
  return JSON.stringify({ before, after, at: '2026-07-01T12:00:00Z', unknown: true })
}

/** Ask the oracle line by line; answers come in the same order. `feed` is read as fast as the oracle answers. */
export async function askOracle(feed: Iterable<string>, use: (answer: string, index: number) => void): Promise<void> {
  const child = spawn(oraclePath, [], { stdio: ['pipe', 'pipe', 'inherit'] })
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  const answers = (async () => {
    let index = 0
    for await (const answer of createInterface({ input: child.stdout })) use(answer, index++)
  })()
  const questions = (async () => {
    for (const line of feed) if (!child.stdin.write(`${line}\n`)) await once(child.stdin, 'drain')
    child.stdin.end()
  })()
  await Promise.race([Promise.all([answers, questions]), failed])
}
