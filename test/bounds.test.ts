import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { Budget } from '../src/budget.ts'
import { main } from '../src/cli/main.ts'
import { diff } from '../src/diff/diff.ts'
import { timeline } from '../src/diff/timeline.ts'
import { isSameAccess, lockOf } from '../src/lock/lock.ts'
import type { World } from '../src/policy.ts'
import { minimise } from '../src/propose/minimise.ts'
import type { ActionsByType } from '../src/symbolic/described.ts'
import { filesOf, read, worldOf } from './support/files.ts'
import { ioIn } from './support/in-process.ts'

type Files = Readonly<Record<'before.json' | 'after.json', string>>
type Shape = 'described' | 'actions' | 'identities' | 'pairsOfOr' | 'orOfPairs' | 'blocks' | 'stacked'

const shapes = (await import(new URL('../bench/shapes.mjs', import.meta.url).href)) as Readonly<Record<Shape, (size: number) => Files>> & {
  readonly zones: (all: readonly string[]) => Files
}
const zones = (count: number) => shapes.zones(Intl.supportedValuesOf('timeZone').slice(0, count))

const plenty = 10 ** 9
const from = Date.UTC(2026, 0, 1)
const everyAction = { of: () => ['vps:apisvc:get', 'vps:apisvc:terminate'] } as unknown as ActionsByType

/** How many steps something takes of a budget that is large enough. */
async function stepsOf(find: (run: Budget) => unknown): Promise<number> {
  const run = new Budget(plenty)
  await find(run)
  expect(run.isSpent).toBe(false)
  return plenty - run.left
}

async function worldsOf(files: Files): Promise<readonly [before: World, after: World]> {
  const read = await Promise.all(Object.entries(files).map(async ([path, text]) => worldOf(await filesOf({ [path]: text }))))
  return read as [World, World]
}

describe('steps grow with the input, not with its square', () => {
  const compared = async (files: Files) => {
    const [before, after] = await worldsOf(files)
    return stepsOf((run) => diff(before, after, { run, described: everyAction }))
  }
  const smaller = async (files: Files) => {
    const all = await filesOf({ 'after.json': files['after.json'] })
    return stepsOf((run) => minimise(all, worldOf(all), read, undefined, run))
  }
  const locked = async (files: Files) => {
    const [, after] = await worldsOf(files)
    return stepsOf((run) => lockOf(after, run))
  }
  const timed = async (files: Files) => {
    const [, after] = await worldsOf(files)
    return stepsOf((run) => timeline(after, { from, to: from + 30 * 86_400_000, run }))
  }

  // covers: T31
  test.each<[what: string, steps: (files: Files) => Promise<number>, files: (size: number) => Files, size: number]>([
    ['diff of many actions', compared, shapes.actions, 300],
    ['diff of many identities', compared, shapes.identities, 300],
    ['lock of many actions', locked, shapes.actions, 300],
    ['minimise of many actions', smaller, shapes.actions, 300],
    ['minimise of many identities', smaller, shapes.identities, 300],
    ['diff of hours in many time zones', compared, zones, 20],
    ['timeline of hours in many time zones', timed, zones, 20],
  ])('%s', async (_, steps, files, size) => {
    const [one, four] = [await steps(files(size)), await steps(files(4 * size))]
    expect(four).toBeLessThan(8 * Math.max(one, size))
  })

  // covers: T31
  test('minimise of conditions of many branches looks at each branch where it makes a difference', async () => {
    expect(await smaller(shapes.pairsOfOr(20))).toBeLessThan(1_000_000)
    expect(await smaller(shapes.orOfPairs(20))).toBeLessThan(2_000_000)
    const [one, two] = [await smaller(shapes.blocks(60)), await smaller(shapes.blocks(120))]
    expect(two).toBeLessThan(16 * one)
  })

  // covers: T31
  test('causes of few requests each where there are many regions', async () => {
    const [few, many] = [await compared(shapes.described(10)), await compared(shapes.described(20))]
    expect(many).toBeLessThan(8 * few)
  })
})

describe('a run whose budget is used up', () => {
  // covers: T31
  test('says so the same way each time, and names what it was about', async () => {
    const [before, after] = await worldsOf(shapes.stacked(16))
    const found = () => diff(before, after, { run: new Budget(1_000) })
    expect(found().undecided.length).toBeGreaterThan(0)
    expect(found().undecided.every(({ culprits }) => culprits.length > 0)).toBe(true)
    expect(found().undecided).toEqual(found().undecided)
  })

  test('finds no lockfile the same, and no smaller policies all needed', async () => {
    const [, after] = await worldsOf(shapes.pairsOfOr(6))
    const [, edited] = await worldsOf(shapes.pairsOfOr(7))
    expect(isSameAccess(after, edited, undefined, new Budget(10))).toHaveProperty('culprits')
    const files = await filesOf({ 'after.json': shapes.pairsOfOr(6)['after.json'] })
    const { steps, undecided } = await minimise(files, worldOf(files), read, undefined, new Budget(10))
    expect(steps).toEqual([])
    expect(undecided.map(({ policy }) => policy.name.value)).toContain('pairs')
  })

  const work = mkdtempSync(join(tmpdir(), 'grantwise-bounds-'))
  afterAll(() => rmSync(work, { recursive: true }))
  const put = (name: string, files: Files) => {
    for (const [file, text] of Object.entries(files)) writeFileSync(join(work, `${name}-${file}`), text)
  }
  const inputs: readonly [name: string, files: Files][] = [
    ['described', shapes.described(4)],
    ['pairs', shapes.orOfPairs(3)],
    ['stacked', shapes.stacked(4)],
    ['zones', zones(4)],
    [
      'same',
      { 'before.json': shapes.actions(5)['after.json'], 'after.json': shapes.actions(5)['after.json'].replace('"many"', '"other"') },
    ],
  ]
  const commands: readonly (readonly string[])[] = [
    ['diff', 'before.json', 'after.json', '--no-config', '--at', '2026-03-01T00:00:00Z'],
    ['diff', 'before.json', 'after.json', '--no-config', '--fail-on', 'any'],
    ['timeline', '-p', 'after.json', '--no-config', '--from', '2026-03-01T00:00:00Z', '--horizon', '40d'],
    ['timeline', '-p', 'after.json', '--no-config', '--fail-on', 'any', '--from', '2026-03-01T00:00:00Z', '--horizon', '40d'],
    ['minimise', '-p', 'after.json', '--no-config'],
    ['lock', '-p', 'after.json', '--no-config', '-o', '-'],
  ]

  // covers: T31
  test('answers as with a larger one, or not at all: never `proved` in place of a change', async () => {
    for (const [name, files] of inputs) put(name, files)
    const run = async (args: readonly string[], budget?: number) => {
      const { io, out } = ioIn(work, {})
      const exit = await main(args, { ...io, now: () => from, ...(budget !== undefined && { budget }) })
      return { exit, ...out }
    }
    let open = 0
    for (const [name] of inputs) {
      for (const command of commands) {
        const args = command.map((arg) => (arg.endsWith('.json') ? `${name}-${arg}` : arg))
        const full = await run(args)
        expect([0, 1, 3], `${args.join(' ')}\n${full.stderr}`).toContain(full.exit)
        for (const budget of [0, 30, 300, 3_000]) {
          const small = await run(args, budget)
          const words = `${args.join(' ')} with ${budget}\n${small.stdout}${small.stderr}`
          if (small.exit === 3) open++
          else expect(small.exit, words).toBe(full.exit)
          if (small.stdout.includes('proved')) expect(full.stdout, words).toContain('proved')
        }
      }
    }
    expect(open).toBeGreaterThan(20)
  })
})
