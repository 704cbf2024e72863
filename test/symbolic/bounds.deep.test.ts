import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { Budget, Undecided } from '../../src/budget.ts'
import { main } from '../../src/cli/main.ts'
import { compareIdentities } from '../../src/diff/compare.ts'
import { diff } from '../../src/diff/diff.ts'
import { timeline } from '../../src/diff/timeline.ts'
import { escalation } from '../../src/escalation/escalation.ts'
import { isSameAccess, lockOf } from '../../src/lock/lock.ts'
import type { Policy, World } from '../../src/policy.ts'
import { minimise } from '../../src/propose/minimise.ts'
import { decide } from '../../src/simulate/decide.ts'
import { proofContextOf, prove } from '../../src/suite/prove.ts'
import type { Claim } from '../../src/suite/suite.ts'
import { decisionIntervalOf } from '../../src/symbolic/decision-interval.ts'
import { type ActionsByType, knownNamesIn } from '../../src/symbolic/described.ts'
import { describedAccess } from '../../src/symbolic/described-access.ts'
import { matrix } from '../../src/symbolic/matrix.ts'
import { what } from '../../src/symbolic/what.ts'
import { who } from '../../src/symbolic/who.ts'
import { isDeep } from '../support/effort.ts'
import { filesOf, read, worldOf } from '../support/files.ts'
import { ioIn } from '../support/in-process.ts'

type Files = Readonly<Record<'before.json' | 'after.json', string>>
type Shape = 'described' | 'actions' | 'identities' | 'pairsOfOr' | 'orOfPairs' | 'blocks' | 'stacked' | 'tagged'

const shapes = (await import(new URL('../../bench/shapes.mjs', import.meta.url).href)) as Readonly<
  Record<Shape, (size: number) => Files>
> & {
  readonly zones: (all: readonly string[]) => Files
}
const zones = (count: number) => shapes.zones(Intl.supportedValuesOf('timeZone').slice(0, count))

const plenty = 10 ** 9
const from = Date.UTC(2026, 0, 1)
const everyAction = { of: () => ['vps:apisvc:get', 'vps:apisvc:terminate'] } as unknown as ActionsByType

const everyTyped = { of: everyAction.of, types: () => ['vps', 'account'], knows: () => true } as unknown as ActionsByType

/** That no identity may do what the first policy allows. */
function claimIn({ policies: [first] }: World): Claim {
  const box = first as Policy
  return { kind: 'never', box: { ...box, condition: undefined, expiresAt: undefined } as unknown as Policy }
}

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
  const u0 = 'urn:v1:eu:identity:user:ab12-svc/u0'
  const asked = { groups: [], action: 'vps:apisvc:reboot', resource: 'urn:v1:eu:resource:vps:v1' }
  const looks: readonly [what: string, look: (world: World, run: Budget) => unknown][] = [
    ['who', (world, run) => who(world, asked, run)],
    ['what', (world, run) => what(world, { identity: u0, groups: [] }, undefined, undefined, run)],
    ['matrix', (world, run) => matrix(world, knownNamesIn([world]), { actions: everyAction, reads: new Set(), run })],
    ['escalate', (world, run) => escalation(world, u0, { actions: everyTyped, brand: 'svc', run })],
    ['who over what is described', (world, run) => describedAccess(world, { ...knownNamesIn([world]), actionsOf: everyAction.of, run })],
    ['compare', (world, run) => compareIdentities(world, [u0, `${u0}1`], knownNamesIn([world]).resources, { actions: everyAction, run })],
    ['a test', (world, run) => prove(claimIn(world), proofContextOf(world, run))],
    [
      'how time turns an answer',
      (world, run) =>
        decisionIntervalOf(world, { ...asked, identity: u0, at: from }, decide(world, { ...asked, identity: u0, at: from }), run),
    ],
  ]

  // covers: T31
  test.each(looks)('is not looked at much longer: %s', async (_, look) => {
    for (const files of [
      shapes.described(20),
      shapes.tagged(200),
      shapes.orOfPairs(20),
      shapes.blocks(200),
      zones(20),
      shapes.actions(500),
    ]) {
      const [, world] = await worldsOf(files)
      const run = new Budget(20_000)
      try {
        look(world, run)
      } catch (error) {
        expect(error).toBeInstanceOf(Undecided)
      }
      expect(run.left).toBeGreaterThan(-30_000)
    }
  })

  // covers: T31
  test('is said of each answer that is cut, with what was not looked at', async () => {
    const [, world] = await worldsOf(shapes.described(20))
    const cut = matrix(world, knownNamesIn([world]), { actions: everyAction, reads: new Set(), run: new Budget(2_000) })
    const whole = matrix(world, knownNamesIn([world]), { actions: everyAction, reads: new Set() })
    expect(cut.identities.length).toBeLessThan(80)
    expect(cut.reasons[0]).toBe(
      `there is too much to look at in one run: ${80 - cut.identities.length} of 80 identities not looked at; it ended at ${cut.reasons[0]?.split(' ended at ')[1]}`,
    )
    expect(cut.reasons[0]).toMatch(/it ended at `p\d+`/)
    expect([whole.identities.length, whole.reasons]).toEqual([80, []])
    expect(whole.rows.slice(0, cut.rows.length).map((row) => row.map(({ level }) => level))).toEqual(
      cut.rows.map((row) => row.map(({ level }) => level)),
    )
    const none = who(world, asked, new Budget(-1))
    expect([none.isCut, none.complete, none.who.filter(({ reason }) => reason !== 'root')]).toEqual([true, false, []])
  })

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
    ['described', shapes.described(isDeep ? 4 : 2)],
    ['pairs', shapes.orOfPairs(isDeep ? 3 : 2)],
    ['stacked', shapes.stacked(4)],
    ['zones', zones(isDeep ? 4 : 2)],
    [
      'same',
      { 'before.json': shapes.actions(5)['after.json'], 'after.json': shapes.actions(5)['after.json'].replace('"many"', '"other"') },
    ],
  ]
  const question = ['urn:v1:eu:identity:user:ab12-svc/u0', 'vps:apisvc:reboot', 'urn:v1:eu:resource:vps:v1'] as const
  const used = {
    account: 'ab12-svc',
    identities_array: [question[0]],
    requested_actions_array: [question[1]],
    authorized_actions_array: [question[1]],
    resource: question[2],
    timestamp: '2026-03-01T00:00:00Z',
  }
  const shared: Readonly<Record<string, string>> = {
    'calls.ndjson': `${JSON.stringify(used)}\n`,
    'claims.iamtest.yaml': [
      'invariants:',
      '  - { name: none, never: { actions: "vps:apisvc:terminate", resources: "urn:v1:eu:resource:*" } }',
      '  - { name: u0, only: { identities: ["urn:v1:eu:identity:user:ab12-svc/u0"], actions: "vps:apisvc:reboot", resources: "urn:v1:eu:resource:vps:v1" } }',
    ].join('\n'),
  }
  const commands: readonly (readonly string[])[] = [
    ['diff', 'before.json', 'after.json', '--no-config', '--at', '2026-03-01T00:00:00Z'],
    ['diff', 'before.json', 'after.json', '--no-config', '--fail-on', 'any'],
    ['timeline', '-p', 'after.json', '--no-config', '--from', '2026-03-01T00:00:00Z', '--horizon', '40d'],
    ['timeline', '-p', 'after.json', '--no-config', '--fail-on', 'any', '--from', '2026-03-01T00:00:00Z', '--horizon', '40d'],
    ['minimise', '-p', 'after.json', '--no-config'],
    ['lock', '-p', 'after.json', '--no-config', '-o', '-'],
    ['lock', '--check', '-p', 'after.json', '--no-config', '-o', 'own.lock'],
    ['lock', '--check', '-p', 'after.json', '--no-config', '-o', 'before.lock'],
    ['suggest', ...question, '-p', 'after.json', '--no-config', '--at', '2026-03-01T00:00:00Z'],
    ['suggest', ...question, '--to', 'deny', '-p', 'after.json', '--no-config', '--at', '2026-03-01T00:00:00Z'],
    ['can', ...question, '-p', 'after.json', '--no-config', '--at', '2026-03-01T00:00:00Z'],
    ['who', question[1], question[2], '-p', 'after.json', '--no-config'],
    ['who', 'vps:apisvc:*', 'urn:v1:eu:resource:*', '-p', 'after.json', '--no-config'],
    ['what', question[0], '-p', 'after.json', '--no-config'],
    ['what', 'urn:v1:eu:identity:user:*', '-p', 'after.json', '--no-config'],
    ['compare', question[0], 'urn:v1:eu:identity:user:ab12-svc/u1', '-p', 'after.json', '--no-config'],
    ['matrix', '-p', 'after.json', '--no-config'],
    ['report', '-p', 'after.json', '--no-config', '-o', '-'],
    ['escalate', question[0], '-p', 'after.json', '--no-config'],
    ['least', '--from', 'calls.ndjson', '-p', 'after.json', '--no-config', '--format', 'pretty'],
    ['test', 'claims.iamtest.yaml', '-p', 'after.json', '--no-config'],
  ]
  /** Claims that are made only where all was looked at, or where their subject was. */
  const claims = [
    /(?<!neither )proved/,
    /opens: nothing else/,
    /^nobody/m,
    /^nothing$/m,
    /has no way/,
    /may do the same/,
    /[Ff]ewer cannot/,
    /up to date/,
  ]

  // covers: T31
  test('answers as with a larger one, or not at all: never `proved` in place of a change', async () => {
    for (const [name, files] of inputs) put(name, files)
    for (const [file, text] of Object.entries(shared)) writeFileSync(join(work, file), text)
    const run = async (args: readonly string[], budget?: number) => {
      const { io, out } = ioIn(work, {})
      const exit = await main(args, { ...io, now: () => from, ...(budget !== undefined && { budget }) })
      return { exit, ...out }
    }
    for (const [name] of inputs) {
      for (const [lock, policies] of [
        ['own', 'after'],
        ['before', 'before'],
      ])
        await run(['lock', '-p', `${name}-${policies}.json`, '--no-config', '-o', `${name}-${lock}.lock`])
    }
    const open = new Map<string, number>()
    for (const [name] of inputs) {
      for (const command of commands) {
        const args = command.map((arg) => (/\.(json|lock)$/.test(arg) ? `${name}-${arg}` : arg))
        const full = await run(args)
        expect([0, 1, 3], `${args.join(' ')}\n${full.stderr}`).toContain(full.exit)
        for (const budget of isDeep ? [0, 30, 300, 3_000] : [0, 300]) {
          const small = await run(args, budget)
          const words = `${args.join(' ')} with ${budget}\n${small.stdout}${small.stderr}`
          if (small.exit !== 3) expect(small.exit, words).toBe(full.exit)
          else if (full.exit !== 3) open.set(command[0] as string, (open.get(command[0] as string) ?? 0) + 1)
          if (command[0] === 'report') continue
          expect(
            claims.filter((claim) => claim.test(small.stdout) && !claim.test(full.stdout)),
            words,
          ).toEqual([])
        }
      }
    }
    // `can` is decided by a budget of its own question, and `suggest` says of each edit what was not looked at.
    const expected = ['compare', 'diff', 'escalate', 'least', 'lock', 'matrix', 'minimise', 'report', 'test', 'timeline', 'what', 'who']
    expect([...open.keys()].sort()).toEqual(expected)
  })
})
