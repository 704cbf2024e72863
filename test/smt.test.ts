import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { World } from '../src/policy.ts'
import { gained } from '../src/symbolic/gained.ts'
import { sideOf } from '../src/symbolic/side.ts'
import { families } from './support/analysis-oracle.ts'
import { differenceScript } from './support/smt.ts'
import { randomOf, type WorldJson, worldOf } from './support/worlds.ts'

/**
 * A second opinion on differences: is there a request that one world allows and the other does not? Put to solvers of strings and
 * booleans, z3 and cvc5 (`apt-get install z3 cvc5`), beside our own search. Writes figures/smt.json.
 */

const total = Number(process.env.GRANTWISE_SMT_PAIRS ?? '2000')
const seconds = Number(process.env.GRANTWISE_SMT_SECONDS ?? '2')
const seed = 20261125

type Verdict = 'sat' | 'unsat' | 'unknown'

const solvers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  z3: ['z3', '-in', `-t:${seconds * 1000}`, 'smt.string_solver=z3str3'],
  cvc5: ['cvc5', '--strings-exp', '--lang=smt2', `--tlimit=${seconds * 1000}`],
}

/** One question, one process: z3 4.8 sometimes crashes, which is no answer, and says nothing of the next question. */
function ask([command, ...args]: readonly [string, ...string[]], script: string): Verdict {
  const { error, stdout } = spawnSync(command, args, {
    input: `(set-logic QF_S)\n${script}\n(check-sat)\n`,
    encoding: 'utf8',
    timeout: 2 * seconds * 1000,
  })
  if (error && 'code' in error && error.code === 'ENOENT') throw error
  const verdict = stdout.trim()
  return verdict === 'sat' || verdict === 'unsat' ? verdict : 'unknown'
}

interface Pair {
  readonly before: WorldJson
  readonly after: WorldJson
  readonly sides: readonly [World, World]
}

/** Pairs without ends, clocks, tags and addresses: each comparison becomes one that is not understood, so a free boolean. */
function* pairs(): Generator<Pair> {
  const free = (world: WorldJson): WorldJson =>
    JSON.parse(JSON.stringify({ ...world, identities: [], resources: [] }), (key, value) => {
      if (key === 'expiredAt') return undefined
      if (key !== 'values') return value
      return Object.fromEntries(Object.entries(value as object).map(([k, v]) => [`request.X${`${k}${v}`.length % 3}`, '1']))
    })
  for (const { worlds, pairs: of } of families(randomOf(seed), { policies: 4, unknown: 0 }, 3)) {
    const written = worlds.map(free)
    const read = written.map((world) => worldOf(world))
    for (const [i, j] of of)
      yield {
        before: written[j] as WorldJson,
        after: written[i] as WorldJson,
        sides: [read[i] as World, read[j] as World],
      }
  }
}

describe('a second opinion', () => {
  test.each(Object.keys(solvers))('%s', { timeout: 3_600_000 }, (name) => {
    const solver = solvers[name] as readonly [string, ...string[]]
    const counts = { new: 0, none: 0, 'no answer': 0 }
    const wrong: string[] = []
    let own = 0
    let theirs = 0
    let asked = 0
    for (const { before, after, sides } of pairs()) {
      if (asked++ === total) break
      const start = performance.now()
      const { regions, culprits } = gained(sideOf(sides[0], sides[1]), sideOf(sides[1], sides[0]))
      const middle = performance.now()
      const verdict = ask(solver, differenceScript(before, after))
      own += middle - start
      theirs += performance.now() - middle
      expect(culprits).toEqual([])
      const mine = regions.length > 0 ? 'new' : 'none'
      counts[verdict === 'unknown' ? 'no answer' : mine]++
      if (verdict !== 'unknown' && (verdict === 'sat') !== (mine === 'new'))
        wrong.push(`pair ${asked}: ${mine}, but ${verdict}\nA ${JSON.stringify(after)}\nB ${JSON.stringify(before)}`)
    }
    const figures = {
      solver: name,
      seed,
      seconds,
      pairs: total,
      ...counts,
      disagreements: wrong.length,
      ownMs: Math.round(own),
      solverMs: Math.round(theirs),
    }
    console.log(JSON.stringify(figures))
    mkdirSync(new URL('../figures/', import.meta.url), { recursive: true })
    writeFileSync(new URL(`../figures/smt-${name}.json`, import.meta.url), `${JSON.stringify(figures, null, 2)}\n`)
    expect(wrong.slice(0, 5)).toEqual([])
    expect(counts['no answer']).toBeLessThan(total / 2)
  })
})
