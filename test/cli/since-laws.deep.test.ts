import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { isWhole } from '../support/effort.ts'
import { historyChanges, instants, withRepository } from '../support/histories.ts'
import { ioIn, mainIn } from '../support/in-process.ts'

/**
 * `--since` over generated repositories: `matrix` held against `diff --since` and the matrix of each side, `timeline` against `diff` between
 * commits and the timeline of each commit.
 */

interface RowJson {
  readonly identities: readonly string[]
  readonly resources: readonly string[]
  readonly actions: readonly string[]
}
interface LevelJson {
  readonly level: string
  readonly unconditional: string
  readonly conditional: boolean
  readonly certain: boolean
  readonly resources: number
}
interface ChangedJson {
  readonly actions: readonly string[]
  readonly resources: readonly string[]
}
interface CellJson extends LevelJson {
  readonly column: string
  readonly change?: { readonly before: LevelJson; readonly gained: readonly ChangedJson[]; readonly lost: readonly ChangedJson[] } | null
}
interface MatrixJson {
  readonly since: { readonly cells: number; readonly changed: number; readonly gained: number; readonly lost: number }
  readonly columns: readonly { readonly name: string; readonly resources: number }[]
  readonly rows: readonly { readonly identity: string; readonly cells: readonly CellJson[] }[]
}

const sides = ['gained', 'lost'] as const
const levelOf = ({ level, unconditional, conditional, certain, resources }: LevelJson) => ({
  level,
  unconditional,
  conditional,
  certain,
  resources,
})
const columnOf = (resource: string, isEach: boolean) => (isEach ? resource : (resource.split(':')[4] as string))

/** Each combination of an identity, a column, a resource and an action that one of two sides has. */
function* combinationsOf(rows: readonly RowJson[], side: string, isEach: boolean) {
  for (const { identities, resources, actions } of rows)
    for (const identity of identities)
      for (const resource of resources)
        for (const action of actions) yield [side, identity, columnOf(resource, isEach), resource, action].join(' ')
}

const seen = { changed: 0, same: 0, sides: 0, lost: 0 }

test('a cell has changed exactly where diff finds access gained or lost, and each side is the matrix of that side', async () => {
  await fc.assert(
    fc.asyncProperty(
      historyChanges({ minLength: 5, maxLength: isWhole ? 20 : 8 }, true),
      fc.constantFrom([], ['--at', instants[1] as string]),
      fc.boolean(),
      (changes, at, isEach) =>
        withRepository(changes, async ({ folder, commits }) => {
          const columns = isEach ? ['--type', 'vps', '--resources'] : []
          for (const { id } of commits.filter(({ isOnLine }) => isOnLine).slice(0, -1)) {
            const asked = ['--since', id, ...at, '--format', 'json']
            const [matrix, diff] = await Promise.all([mainIn(['matrix', ...asked, ...columns], folder), mainIn(['diff', ...asked], folder)])
            if (diff.exit === 2) {
              expect([matrix.exit, matrix.stdout]).toEqual([2, ''])
              continue
            }
            if (matrix.exit === 2) {
              expect(matrix.stderr).toMatch(/no resource of this type is described|nothing is decided|no (?:file|policy)/)
              continue
            }
            const { since, rows, columns: named }: MatrixJson = JSON.parse(matrix.stdout)
            const { described } = JSON.parse(diff.stdout) as { described: Record<(typeof sides)[number], readonly RowJson[]> }
            const expected = sides.flatMap((side) => [...combinationsOf(described[side], side, isEach)])
            const reported = rows.flatMap(({ identity, cells }) =>
              cells.flatMap(({ change, column }) =>
                sides.flatMap((side) =>
                  (change?.[side] ?? []).flatMap(({ actions, resources }) =>
                    resources.flatMap((resource) => actions.map((action) => [side, identity, column, resource, action].join(' '))),
                  ),
                ),
              ),
            )
            expect([id, reported.sort()]).toEqual([id, [...new Set(expected)].sort()])
            const cells = rows.flatMap((row) => row.cells)
            const changed = cells.filter(({ change }) => change)
            const having = (side: (typeof sides)[number]) => changed.filter(({ change }) => (change?.[side].length ?? 0) > 0).length
            expect(since).toMatchObject({ cells: cells.length, changed: changed.length, gained: having('gained'), lost: having('lost') })
            seen.changed += changed.length
            seen.same += cells.length - changed.length
            seen.lost += having('lost')

            for (const [path, levels] of [
              [id, (cell: CellJson) => levelOf(cell.change?.before ?? cell)],
              ['HEAD', levelOf],
            ] as const) {
              const alone = await mainIn(['matrix', '-p', `git:${path}`, ...at, ...columns, '--format', 'json'], folder)
              // A side that describes other resources counts others.
              if (alone.exit === 2) continue
              const side: MatrixJson = JSON.parse(alone.stdout)
              for (const { identity, cells: own } of side.rows) {
                const row = rows.find((each) => each.identity === identity)
                // Where one side describes members of a group, they have its rows, as in `diff`.
                if (!row && hasMembers(identity, [id, 'HEAD'], folder)) continue
                for (const cell of own) {
                  const counts = [side.columns, named].map((list) => list.find(({ name }) => name === cell.column)?.resources)
                  if (counts[0] !== counts[1]) continue
                  const same = row?.cells.find(({ column }) => column === cell.column)
                  expect([path, identity, cell.column, same && levels(same)]).toEqual([path, identity, cell.column, levelOf(cell)])
                  seen.sides++
                }
              }
            }
          }
        }),
    ),
    { numRuns: isWhole ? 12 : 10, endOnFailure: isWhole },
  )
  for (const [kind, count] of Object.entries(seen)) expect([kind, count]).not.toEqual([kind, 0])
})

/** Whether the world file of some commit names a group: as that of a member. */
const hasMembers = (group: string, commits: readonly string[], cwd: string) =>
  group.includes(':group:') &&
  commits.some((commit) => spawnSync('git', ['grep', '--quiet', '--fixed-strings', group, commit, '--', '*world.*'], { cwd }).status === 0)

/** Run a command at an instant. */
async function runAt(now: number, args: readonly string[], cwd: string) {
  const { io, out } = ioIn(cwd, {})
  const exit = await main(args, { ...io, now: () => now })
  return { exit, ...out }
}

interface ChangeJson {
  readonly at: string
  readonly gained: readonly (RowJson & { readonly groups?: readonly string[] })[]
  readonly lost: ChangeJson['gained']
  readonly described?: Record<(typeof sides)[number], readonly RowJson[]>
}
interface PastChangeJson {
  readonly kind: 'commit' | 'time'
  readonly at: string
  readonly commit: { readonly id: string }
  readonly difference: ChangeJson
}
interface PastJson {
  readonly complete: boolean
  readonly changes: readonly PastChangeJson[]
}

/** The described access that a change opens and closes, and whether any does. */
const accessOf = ({ gained, lost, described }: Omit<ChangeJson, 'at'>) => ({
  isOpened: gained.length > 0,
  isClosed: lost.length > 0,
  described: sides.flatMap((side) => [...combinationsOf(described?.[side] ?? [], side, true)]).sort(),
})

const isChange = ({ gained, lost, described }: Omit<ChangeJson, 'at'>) =>
  [gained, lost, described?.gained ?? [], described?.lost ?? []].some(({ length }) => length > 0)

const inPast = { commits: 0, times: 0, none: 0, late: 0 }

test('the past of a timeline: diff between each commit and the one before, and the timeline of each commit while the branch had it', async () => {
  const now = Date.UTC(2026, 5, 1)
  await fc.assert(
    fc.asyncProperty(historyChanges({ minLength: 6, maxLength: isWhole ? 30 : 12 }, true), fc.nat(3), (changes, start) =>
      withRepository(changes, async ({ folder, commits }) => {
        const line = commits.filter(({ isOnLine }) => isOnLine).slice(start)
        const [first] = line
        if (!first) return
        const json = ['--over', 'known', '--format', 'json']
        const { exit, stdout, stderr } = await runAt(now, ['timeline', '--since', first.id, ...json], folder)
        if (exit === 2) {
          expect(stderr).toMatch(/nothing is decided|no (?:file|policy)/)
          return
        }
        const past: PastJson = JSON.parse(stdout).past
        let before: string | undefined
        let isRead = true
        const expected: { readonly kind: string; readonly at: number; readonly access: object }[] = []
        for (const [i, { id, date }] of line.entries()) {
          const [from, to] = [Date.parse(date), line[i + 1] ? Date.parse(line[i + 1]?.date ?? '') : now]
          const time = await runAt(
            from,
            ['timeline', '-p', `git:${id}`, '--from', date, '--horizon', new Date(to).toISOString(), ...json],
            folder,
          )
          const diff = before === undefined ? undefined : await runAt(from, ['diff', `git:${before}`, `git:${id}`, ...json], folder)
          const isEmpty = time.exit === 2 && /no file to read|no such file/.test(time.stderr)
          if (time.exit === 2 && !isEmpty) {
            isRead = false
            continue
          }
          if (diff && diff.exit !== 2) {
            const difference: ChangeJson = JSON.parse(diff.stdout)
            if (isChange(difference)) expected.push({ kind: 'commit', at: from, access: accessOf(difference) })
            else inPast.none++
          }
          before = id
          for (const change of isEmpty ? [] : (JSON.parse(time.stdout).changes as ChangeJson[]))
            expected.push({ kind: 'time', at: Date.parse(change.at), access: accessOf(change) })
        }
        const found = past.changes.map((change) => ({ kind: change.kind, at: Date.parse(change.at), access: accessOf(change.difference) }))
        expect(found).toEqual(expected)
        expect([exit, past.complete]).toEqual(isRead ? [0, true] : [3, false])
        inPast.commits += found.filter(({ kind }) => kind === 'commit').length
        inPast.times += found.filter(({ kind }) => kind === 'time').length
        inPast.late += past.changes.filter(
          ({ kind, commit, at }) =>
            kind === 'time' && !line.some(({ id, date }) => id === commit.id && Date.parse(at) - Date.parse(date) < 86_400_000),
        ).length
      }),
    ),
    { numRuns: isWhole ? 15 : 10, endOnFailure: isWhole },
  )
  for (const [kind, count] of Object.entries(inPast)) expect([kind, count]).not.toEqual([kind, 0])
})
