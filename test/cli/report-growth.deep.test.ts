import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { riskCategories } from '../../src/actions/sensitive.ts'
import { main } from '../../src/cli/main.ts'
import type { PageData } from '../../src/page/data.ts'
import { sampled } from '../../src/page/growth.ts'
import { ReachIndex } from '../../src/page/reach.ts'
import { Tables } from '../../src/page/tables.ts'
import { effort } from '../support/effort.ts'
import { historyChanges, type Repository, withRepository } from '../support/histories.ts'
import { ioIn } from '../support/in-process.ts'

/** `report --since`: how sensitive access grew, by the reports of the commits in between. */

const now = Date.UTC(2026, 5, 1)

async function reportAt(instant: number, args: readonly string[], folder: string): Promise<PageData | undefined> {
  const { io, out } = ioIn(folder, {})
  const exit = await main(['report', '-o', '-', ...args], { ...io, now: () => instant })
  if (exit === 2) return undefined
  const [, text = ''] = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(out.stdout) ?? []
  return JSON.parse(text) as PageData
}

function countsIn(data: PageData): Readonly<Record<string, number>> {
  const reaches = new ReachIndex(new Tables(data))
  return Object.fromEntries(riskCategories.map((risk) => [risk, reaches.of(risk).identities.length]))
}

async function agrees({ folder, commits }: Repository, start: number, seen: { points: number; steps: number }): Promise<void> {
  const line = commits.filter(({ isOnLine }) => isOnLine).slice(start)
  const [first] = line
  const data = first && (await reportAt(now, ['--since', first.id, '-p', 'git:main'], folder))
  if (!data) return
  const { points = [] } = data.growth ?? {}
  expect(points.at(-1)).toEqual({ at: now, commit: '', counts: countsIn(data) })
  for (const [i, { at, commit, counts }] of points.slice(0, -1).entries()) {
    const its = line.find(({ id }) => id.startsWith(commit.split(' ')[0] as string))
    expect(at).toBe(Date.parse(its?.date ?? ''))
    const alone = await reportAt(at, ['-p', `git:${its?.id}`], folder)
    // Without a policy no report is made.
    expect(counts).toEqual(alone ? countsIn(alone) : Object.fromEntries(riskCategories.map((risk) => [risk, 0])))
    seen.points++
    if (i > 0 && JSON.stringify(counts) !== JSON.stringify(points[i - 1]?.counts)) seen.steps++
  }
}

describe('report --since', () => {
  test('counts at each commit what the report of the commit counts on its date', async () => {
    const seen = { points: 0, steps: 0 }
    await fc.assert(
      fc.asyncProperty(historyChanges({ minLength: 6, maxLength: 14 }, true), fc.nat(3), (changes, start) =>
        withRepository(changes, (repository) => agrees(repository, start, seen)),
      ),
      { numRuns: effort(200, 30) },
    )
    expect(seen.points).toBeGreaterThan(10)
    expect(seen.steps).toBeGreaterThan(0)
  })
})

describe('states at equal distances', () => {
  const states = (instants: readonly number[]) => instants.map((at) => ({ at }))

  test('are all states where they are few', () => {
    expect(sampled(states([1, 2, 9]), 3)).toEqual(states([1, 2, 9]))
    expect(sampled([], 3)).toEqual([])
  })

  test('are the first, the last, and those of the instants between', () => {
    expect(sampled(states([0, 1, 2, 3, 50, 98, 99, 100]), 3)).toEqual(states([0, 50, 100]))
    // Several instants have the same state.
    expect(sampled(states([0, 1, 2, 3, 4, 100]), 4)).toEqual(states([0, 4, 100]))
    // All on one day.
    expect(sampled(states([5, 5, 5, 5]), 3).map(({ at }) => at)).toEqual([5])
  })
})
