import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PageData, PagePlace, PageSince } from '../../src/page/data.ts'
import { effort, isWhole } from '../support/effort.ts'
import { historyChanges, type Repository, withRepository } from '../support/histories.ts'
import { mainIn } from '../support/in-process.ts'

/** `report --blame`: since when the entries of policies have their effect, as `blame` says it of each file. */

interface EntryJson {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly effect: 'effective' | 'none' | 'never' | 'undecided'
  readonly since: { readonly id: string; readonly date: string }
  readonly orEarlier?: true
}

const beginnings = { effective: 'since', none: 'none since', never: 'never any, in the policy since', undecided: 'not decided' } as const

function dataIn(html: string): PageData {
  const [, text = ''] = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(html) ?? []
  return JSON.parse(text) as PageData
}

/** Every entry of the page that belongs to a policy itself, by its place. */
function entriesOf({ policies, entries }: PageData): readonly (readonly [place: PagePlace, since: PageSince | undefined])[] {
  return [
    ...policies.flatMap(({ identities, resources }) => [...identities, ...resources].map(([, place, since]) => [place, since] as const)),
    ...entries.flatMap(({ place, since, group }) => (group === undefined ? [[place, since] as const] : [])),
  ]
}

const columnOf = (text: string, offset: number) => offset - text.lastIndexOf('\n', offset - 1)
const lineOf = (text: string, offset: number) => text.slice(0, offset).split('\n').length

/** How many proofs `report` makes for an entry, each about another commit (docs/history.md, Since when, in reports and editors). */
const mostProofs = 5

async function agrees({ folder, commits }: Repository, seen: Set<string>): Promise<void> {
  const report = await mainIn(['report', '--blame', '-o', '-', '-p', 'git:main'], folder)
  if (report.exit === 2) return
  const data = dataIn(report.stdout)
  const byPlace = new Map<string, EntryJson>()
  let isOpen = false
  for (const file of new Set(entriesOf(data).map(([[number]]) => data.files[number]?.path as string))) {
    const blamed = await mainIn(['blame', file, '-p', 'git:main', '--format', 'json'], folder)
    expect(blamed.stderr).toBe('')
    isOpen ||= blamed.exit === 3
    for (const entry of (JSON.parse(blamed.stdout) as { readonly entries: readonly EntryJson[] }).entries)
      byPlace.set(`${file}:${entry.line}:${entry.column}`, entry)
  }
  const isEarlier = (since: PageSince | undefined) => since !== undefined && data.texts[since[0]]?.includes('or earlier') === true
  const ofGroups = data.entries.filter(({ group }) => group !== undefined)
  const isAnyEarlier = entriesOf(data).some(([, since]) => isEarlier(since)) || ofGroups.some(({ since }) => isEarlier(since))
  expect(data.history?.isOpen).toBe(isOpen || isAnyEarlier)
  const times = commits.filter(({ isOnLine }) => isOnLine).map(({ date }) => Date.parse(date))
  for (const [[number, start], since] of entriesOf(data)) {
    const { path, text } = data.files[number] as PageData['files'][number]
    const entry = byPlace.get(`${path}:${lineOf(text, start)}:${columnOf(text, start)}`)
    if (!entry || !since) throw new Error(`${path}:${start}: ${entry ? 'no effect in the report' : 'not in `blame`'}`)
    const words = data.texts[since[0]] as string
    const blamedSince = Date.parse(entry.since.date)
    if (isEarlier(since) && (entry.orEarlier !== true || since[1] > blamedSince)) {
      // Where more proofs are needed, it began with the same commit or an earlier one, and `report` says that.
      expect(words).toMatch(entry.effect === 'effective' ? /^since / : /^none since /)
      expect(since[1]).toBeGreaterThanOrEqual(blamedSince)
      expect(times.length).toBeGreaterThan(mostProofs)
      if (since[1] > blamedSince) expect(times.filter((time) => time >= since[1]).length).toBeGreaterThanOrEqual(mostProofs)
      seen.add('earlier')
      continue
    }
    expect(words.startsWith(beginnings[entry.effect])).toBe(true)
    if (entry.effect !== 'undecided') expect(words).toContain(entry.since.id.slice(0, 7))
    expect(isEarlier(since)).toBe(entry.orEarlier === true)
    expect(since[1]).toBe(entry.effect === 'undecided' ? -1 : blamedSince)
    seen.add(entry.effect)
  }
}

describe('report --blame', () => {
  test('says of each entry what `blame` says of it, or that it may have begun earlier where that takes more proofs', async () => {
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(historyChanges({ minLength: 3, maxLength: 14 }), (changes) =>
        withRepository(changes, (repository) => agrees(repository, seen)),
      ),
      { numRuns: effort(200, 30) },
    )
    for (const kind of ['effective', ...(isWhole ? ['none', 'never', 'earlier'] : [])]) expect([...seen]).toContain(kind)
  })

  describe('in a repository with two files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'grantwise-'))
    afterAll(() => rmSync(folder, { recursive: true, force: true }))
    const put = (name: string, action: string, policy = name) =>
      writeFileSync(
        join(folder, name),
        JSON.stringify({
          name: policy,
          identities: ['urn:v1:eu:identity:user:ab12-svc/kim'],
          resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
          permissions: { allow: [{ action }] },
        }),
      )
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=carol', '-c', 'user.email=carol@example.org', ...args], { cwd: folder })
    const commit = () => {
      git('add', '--all')
      git('commit', '--quiet', '--message', 'change')
    }
    beforeAll(() => {
      git('init', '--quiet', '--initial-branch=main')
      put('old.json', 'vps:apisvc:get')
      commit()
      put('new.json', 'vps:apisvc:reboot')
    })
    const run = (...args: readonly string[]) => mainIn(['report', '--blame', '-o', 'page.html', ...args], folder)

    test('policies of which nothing is committed are refused, and no page is written', async () => {
      const { exit, stderr } = await run('new.json')
      expect([exit, stderr]).toEqual([
        2,
        'grantwise: --blame: the last commit of `HEAD` has no entry of these policies\n  help: commit the policies first\n',
      ])
      expect(existsSync(join(folder, 'page.html'))).toBe(false)
    })

    test('policies of which some are committed are shown', async () => {
      expect(await run('.')).toMatchObject({ exit: 0, stderr: expect.not.stringContaining('note') })
    })

    test('next to a commit that cannot be read, a note says that not all is known, and the exit code is 3', async () => {
      writeFileSync(join(folder, 'new.json'), '{ "name": "new", "identites": [], "permissions": {} }')
      commit()
      put('new.json', 'vps:apisvc:reboot')
      commit()
      const { exit, stderr } = await run('old.json', 'new.json')
      expect([exit, stderr]).toEqual([3, expect.stringContaining('grantwise: note: --blame: since when some entries have their effect')])
    })
  })
})
