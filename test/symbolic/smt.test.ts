import { execFile } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import type { World } from '../../src/policy.ts'
import { findNewAccess } from '../../src/symbolic/gained.ts'
import { sideOf } from '../../src/symbolic/side.ts'
import { families } from '../support/analysis-oracle.ts'
import { spread, writeFigures } from '../support/figures.ts'
import { differenceScript } from '../support/smt.ts'
import { randomOf, type WorldJson, worldOf } from '../support/worlds.ts'

/**
 * A second opinion on differences: is there a request that one world allows and the other does not? Put to solvers of strings and
 * booleans, cvc5 and z3 (`apt-get install z3 cvc5`), in addition to our own search. Writes figures/smt-SOLVER.json.
 */

const all = 2000
const total = Number(process.env.GRANTWISE_SMT_PAIRS ?? all)
const seconds = 2
const processes = 2
const seed = 20261125

type Verdict = 'sat' | 'unsat' | 'unknown'

const solvers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  cvc5: ['cvc5', '--strings-exp', '--lang=smt2', `--tlimit=${seconds * 1000}`],
  z3: ['z3', '-in', `-t:${seconds * 1000}`],
  z3str3: ['z3', '-in', `-t:${seconds * 1000}`, 'smt.string_solver=z3str3'],
}

/** One question, one process: z3 4.8 sometimes crashes, which is no answer, and says nothing of the next question. */
function ask([command, ...args]: readonly [string, ...string[]], script: string): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, { timeout: 2 * seconds * 1000 }, (error, stdout) => {
      if (error?.code === 'ENOENT') return reject(error)
      const verdict = stdout.trim()
      resolve(verdict === 'sat' || verdict === 'unsat' ? verdict : 'unknown')
    })
    // A solver that crashes does not read to the end.
    child.stdin?.on('error', () => {})
    child.stdin?.end(`(set-logic QF_S)\n${script}\n(check-sat)\n`)
  })
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
  test.each(Object.entries(solvers))('%s', async (name, solver) => {
    const counts = { new: 0, none: 0 }
    const answered = { new: 0, none: 0 }
    const times = { own: [] as number[], solver: [] as number[] }
    const wrong: string[] = []
    let asked = 0
    const source = pairs()
    const work = async () => {
      for (const { before, after, sides } of source) {
        const number = ++asked
        if (number > total) break
        const start = performance.now()
        const { regions, culprits } = findNewAccess(sideOf(sides[0], sides[1]), sideOf(sides[1], sides[0]))
        const middle = performance.now()
        const verdict = await ask(solver, differenceScript(before, after))
        times.own.push(middle - start)
        times.solver.push(performance.now() - middle)
        expect(culprits).toEqual([])
        const mine = regions.length > 0 ? 'new' : 'none'
        counts[mine]++
        if (verdict === 'unknown') continue
        answered[mine]++
        if ((verdict === 'sat') !== (mine === 'new'))
          wrong.push(`pair ${number}: ${mine}, but ${verdict}\nA ${JSON.stringify(after)}\nB ${JSON.stringify(before)}`)
      }
    }
    await Promise.all(Array.from({ length: processes }, work))
    const replies = answered.new + answered.none
    const figures = {
      claim: `${name} finds a difference between two worlds exactly where the program does`,
      wanted: { pairs: all, disagreements: 0 },
      reached: {
        pairs: total,
        disagreements: wrong.length,
        pairsWithDifference: counts.new,
        answered,
        withoutAnswer: total - replies,
        milliseconds: { program: spread(times.own), [name]: spread(times.solver) },
      },
      seed,
      command: 'npm run test:smt',
    }
    console.log(JSON.stringify(figures))
    if (total === all) writeFigures(`smt-${name}`, figures)
    expect(wrong.slice(0, 5)).toEqual([])
    expect(replies).toBeGreaterThan(total / 2)
    // Neither answer may be the usual one.
    expect(counts.new / total).toBeGreaterThan(0.3)
    expect(counts.new / total).toBeLessThan(0.7)
  })
})
