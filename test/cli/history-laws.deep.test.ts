import fc from 'fast-check'
import { expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { isWhole } from '../support/effort.ts'
import { ann, type GeneratedCommit, historyChanges, instants, type Repository, server, withRepository } from '../support/histories.ts'
import { ioIn, mainIn } from '../support/in-process.ts'

/** `history` over generated repositories, compared with deciding every commit by itself, in a checkout of it. */

const question = [ann, 'vps:apisvc:reboot', server]
const counts = isWhole ? { minLength: 30, maxLength: 300 } : { minLength: 8, maxLength: 14 }
const office = ['--ip', '192.0.2.7']

/** An answer: as far as it is compared, and its verdict. Undefined where the commit cannot be read. */
type Answer = { readonly key: string; readonly verdict: string } | undefined

const nothingGranted = { key: JSON.stringify(['deny', []]), verdict: 'deny' }

/** Whether all that is wrong is that nothing is at the paths: no mistake in the past, where they may not be there yet. */
const isNothing = (stderr: string) =>
  stderr
    .trim()
    .split('\n')
    .slice(0, -1)
    .every((line) =>
      /: (?:cannot be searched: )?(?:no such file or folder|no file to read|no policy in \d+ files?|the pattern matches no file)/.test(
        line,
      ),
    )

/** The answers of `can` in a checkout; where some paths are not there, by what is at the others. */
async function answerIn(folder: string, args: readonly string[]): Promise<Answer> {
  const asked = ['can', ...question, '--format', 'json', ...args]
  const whole = await mainIn(asked, folder)
  const isPart = whole.exit === 2 && isNothing(whole.stderr)
  const { exit, stdout, stderr } = isPart ? await mainIn([...asked, '-p', 'git:HEAD'], folder) : whole
  if (exit === 2) return isPart && isNothing(stderr) ? nothingGranted : undefined
  const { verdict, missing } = JSON.parse(stdout)
  return { key: JSON.stringify([verdict, missing]), verdict }
}

/** The answer of each commit; those with the same files and the same options have the same. */
async function answersOf<T>(
  { commits, checkOut }: Repository,
  argsOf: (commit: GeneratedCommit) => readonly string[],
  answer: (folder: string, args: readonly string[]) => Promise<T>,
) {
  const known = new Map<string, T>()
  const answers: T[] = []
  for (const commit of commits) {
    const args = argsOf(commit)
    const key = JSON.stringify([commit.tree, args])
    if (!known.has(key)) known.set(key, await answer(checkOut(commit.id), args))
    answers.push(known.get(key) as T)
  }
  return answers
}

interface CommitJson {
  readonly id: string
}
interface AccessJson {
  readonly verdict: string
  readonly when: object | null
}
/** Access gained and lost; `groups`: those in which an identity has to be besides. */
type DifferenceJson = Readonly<
  Record<'gained' | 'lost', readonly { readonly groups?: readonly string[]; readonly causes: readonly object[] }[]>
>
interface ChangeJson {
  readonly commit: CommitJson
  readonly before: AccessJson | null
  readonly after: AccessJson | null
  readonly difference?: DifferenceJson
  readonly unread: readonly CommitJson[]
}
interface HistoryJson {
  readonly changes: readonly ChangeJson[]
  readonly gaps: readonly { readonly unread: readonly CommitJson[] }[]
  readonly complete: boolean
}

const idsOf = (commits: readonly CommitJson[]) => commits.map(({ id }) => id).sort()

/** The commits that are reported as unreadable. */
function unreadIn({ changes, gaps, complete }: HistoryJson): readonly string[] {
  const unread = [...new Set(idsOf([...changes, ...gaps].flatMap((each) => each.unread)))]
  expect(complete).toBe(unread.length === 0)
  return unread
}

/** For each commit, that with which it is compared: the last readable one before it, and those between the two. */
function linesOf(commits: readonly GeneratedCommit[], allParents: boolean, isRead: (place: number) => boolean) {
  const ends: { read: number | undefined; unread: readonly string[] }[] = []
  return commits.map(({ id, parents }, i) => {
    const before = parents.slice(0, allParents ? undefined : 1).map((parent) => ends[parent] as (typeof ends)[number])
    const [first] = before
    ends.push(isRead(i) ? { read: i, unread: [] } : { read: first?.read, unread: [...new Set(before.flatMap((each) => each.unread)), id] })
    return before
  })
}

const seen = { changes: 0, unread: 0, unreadBefore: 0, onSides: 0, patterns: 0, same: 0, atTimes: 0 }

/** Hold `history` of one answer to the answers of all commits. */
async function compare({ folder, commits }: Repository, args: readonly string[], answers: readonly Answer[], allParents: boolean) {
  const parents = allParents ? ['--all-parents'] : []
  const { exit, stdout, stderr } = await mainIn(['history', ...question, '--format', 'json', ...args, ...parents], folder)
  const isAsked = ({ isOnLine }: GeneratedCommit) => allParents || isOnLine
  const asked = answers.filter((_, i) => isAsked(commits[i] as GeneratedCommit))
  if (asked.every((answer) => !answer || answer === nothingGranted)) {
    expect([exit, stdout, stderr]).toEqual([2, '', expect.stringMatching(/can be read|holds a policy/)])
    return
  }
  const lines = linesOf(commits, allParents, (place) => answers[place] !== undefined)
  const expected = commits.flatMap((commit, i) => {
    const answer = answers[i]
    if (!answer || !isAsked(commit)) return []
    const all = lines[i] ?? []
    const before = all.length === 0 ? [nothingGranted] : all.map(({ read }) => answers[read ?? -1] ?? nothingGranted)
    if (before.some(({ key }) => key === answer.key)) return []
    const unread = [...new Set(all.flatMap((each) => each.unread))].sort()
    return [{ id: commit.id, before: before[0]?.verdict, after: answer.verdict, unread }]
  })
  const history: HistoryJson = JSON.parse(stdout)
  const reported = history.changes.map(({ commit, before, after, unread }) => ({
    id: commit.id,
    before: before?.verdict ?? 'deny',
    after: after?.verdict ?? 'deny',
    unread: idsOf(unread),
  }))
  const unread = commits.filter((commit, i) => isAsked(commit) && answers[i] === undefined)
  expect({ reported, unread: unreadIn(history), stderr }).toEqual({ reported: expected.reverse(), unread: idsOf(unread), stderr: '' })
  expect(exit).toBe(unread.length > 0 ? 3 : 0)
  seen.changes += expected.length
  seen.unread += unread.length
  seen.unreadBefore += expected.filter((each) => each.unread.length > 0).length
  const sides = new Set(commits.filter(({ isOnLine }) => !isOnLine).map(({ id }) => id))
  seen.onSides += expected.filter(({ id }) => sides.has(id)).length
}

test('history reports the commits at which deciding every commit by itself gives another answer', async () => {
  await fc.assert(
    fc.asyncProperty(historyChanges(counts), fc.constantFrom([], office), (changes, facts) =>
      withRepository(changes, async (repository) => {
        const at = ['--at', instants[1] as string, ...facts]
        const answers = await answersOf(repository, () => at, answerIn)
        await compare(repository, at, answers, false)
        await compare(repository, at, answers, true)
        const ofCommits = await answersOf(repository, ({ date }) => ['--at', date, ...facts], answerIn)
        await compare(repository, ['--as-of-commit', ...facts], ofCommits, false)
      }),
    ),
    { numRuns: isWhole ? 3 : 5, endOnFailure: isWhole },
  )
  for (const kind of ['changes', 'unread', ...(isWhole ? (['unreadBefore', 'onSides'] as const) : [])] as const)
    expect([kind, seen[kind]]).not.toEqual([kind, 0])
})

test('over all times, it reports the commits at which the answer differs at some instant', async () => {
  await fc.assert(
    fc.asyncProperty(historyChanges(counts), (changes) =>
      withRepository(changes, async (repository) => {
        const verdicts = await answersOf(
          repository,
          () => office,
          async (folder, facts) => {
            const all = await Promise.all(instants.map((at) => answerIn(folder, ['--at', at, ...facts])))
            return all[0] && all.map((answer) => answer?.verdict)
          },
        )
        const { folder, commits } = repository
        const { exit, stdout } = await mainIn(['history', ...question, '--format', 'json', ...office], folder)
        if (exit === 2) return
        const changed = new Map((JSON.parse(stdout) as HistoryJson).changes.map((change) => [change.commit.id, change]))
        const lines = linesOf(commits, false, (place) => verdicts[place] !== undefined)
        for (const [i, { id, isOnLine }] of commits.entries()) {
          const [now, before] = [verdicts[i], verdicts[lines[i]?.[0]?.read ?? -1] ?? instants.map(() => 'deny')]
          const change = changed.get(id)
          if (!now || !isOnLine) expect(change).toBeUndefined()
          else if (![...now, ...before].includes('unknown')) {
            const isSame = now.join() === before.join()
            expect([id, change === undefined]).toEqual([id, isSame])
            if (!change) continue
            expect(change.after?.verdict ?? 'deny').toBe(now.includes('allow') ? 'allow' : 'deny')
            expect((change.after?.when ?? null) !== null).toBe(now.includes('allow') && now.includes('deny'))
            if (change.after?.when) seen.atTimes++
          }
        }
      }),
    ),
    { numRuns: isWhole ? 6 : 4, endOnFailure: isWhole },
  )
  if (isWhole) expect(seen.atTimes).toBeGreaterThan(0)
})

/** Run a command at a time when all that the policies say is still to come: `diff` compares access from now on. */
async function longAgo(args: readonly string[], cwd: string) {
  const { io, out } = ioIn(cwd, {})
  await main(args, { ...io, now: () => 0 })
  return out
}

/** Whether access is gained and lost, but for membership in further groups: a history is about the groups that an identity is described in. */
const sidesIn = ({ gained, lost }: DifferenceJson) => [gained, lost].map((rows) => rows.some(({ groups = [] }) => groups.length === 0))

const patterns = [
  [ann],
  [ann, 'vps:*'],
  ['*', '*:reboot'],
  ['urn:v1:eu:identity:group:ab12-svc/operators'],
  ['*'],
  ['urn:v1:eu:identity:user:*', '*:re*'],
] as const

test('patterns: access changes at the commits at which diff finds a difference', async () => {
  await fc.assert(
    fc.asyncProperty(historyChanges({ minLength: 6, maxLength: isWhole ? 40 : 9 }, true), fc.constantFrom(...patterns), (changes, asked) =>
      withRepository(changes, async (repository) => {
        const [identity, action] = asked
        const { folder, commits } = repository
        const answers = await answersOf(repository, () => office, answerIn)
        const { exit, stdout, stderr } = await mainIn(['history', ...asked, '--format', 'json'], folder)
        if (exit === 2) {
          expect(stderr).toMatch(/can be read|holds a policy/)
          return
        }
        const history: HistoryJson = JSON.parse(stdout)
        const changed = new Map(history.changes.map((change) => [change.commit.id, change]))
        const lines = linesOf(commits, false, (place) => answers[place] !== undefined)
        for (const [i, { id, isOnLine }] of commits.entries()) {
          const before = lines[i]?.[0]?.read
          if (!isOnLine || !answers[i]) expect([id, changed.has(id)]).toEqual([id, false])
          else if (before !== undefined) {
            const narrowed = [...(identity === '*' ? [] : ['--identity', identity]), ...(action === undefined ? [] : ['--action', action])]
            const sides = [`git:${commits[before]?.id}`, `git:${id}`]
            const { stdout } = await longAgo(['diff', ...sides, ...narrowed, '--format', 'json'], folder)
            const nothing = { gained: [], lost: [] }
            const [own, diff] = [sidesIn(changed.get(id)?.difference ?? nothing), sidesIn(JSON.parse(stdout))]
            expect([id, ...own]).toEqual([id, ...diff])
            seen[changed.has(id) ? 'patterns' : 'same']++
          }
        }
      }),
    ),
    { numRuns: isWhole ? 12 : 4, endOnFailure: isWhole },
  )
  for (const count of [seen.patterns, seen.same]) expect(count).toBeGreaterThan(0)
})
