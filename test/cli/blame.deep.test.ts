import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { diff } from '../../src/diff/diff.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { buildWorld } from '../../src/parser/world.ts'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import { sourceOf } from '../../src/source.ts'
import { effort } from '../support/effort.ts'
import { mainIn } from '../support/in-process.ts'
import { testSettings } from '../support/settings.ts'
import { questionOf } from '../support/worlds.ts'

/** `blame`: since when an entry has had an effect. */

const folder = mkdtempSync(join(tmpdir(), 'blame-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The files of a commit, by their paths; null: a text that cannot be read. */
type Files = Readonly<Record<string, PolicyText | null>>

interface PolicyText {
  readonly name: string
  readonly identities: readonly string[]
  readonly resources: readonly string[]
  readonly allow: readonly string[]
  readonly except: readonly string[]
  readonly deny: readonly string[]
}

const textOf = ({ name, identities, resources, allow, except, deny }: PolicyText): string => {
  const listOf = (actions: readonly string[]) => actions.map((action) => ({ action }))
  const permissions = { allow: listOf(allow), except: listOf(except), deny: listOf(deny) }
  return JSON.stringify({ name, identities, resources: resources.map((urn) => ({ urn })), permissions })
}

const dayOf = (i: number) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().replace('.000Z', 'Z')

/** A repository with a commit for each state, by one run of git. */
function repositoryOf(states: readonly Files[], name: string): { readonly cwd: string; readonly ids: readonly string[] } {
  const cwd = join(folder, name)
  mkdirSync(cwd)
  const git = (args: readonly string[], input = '') => execFileSync('git', args, { cwd, encoding: 'utf8', input })
  git(['init', '--quiet', '--initial-branch=main'])
  const commits = states.map((files, i) => {
    const texts = Object.entries(files).map(([path, policy]) => {
      const text = policy ? textOf(policy) : '{"name": "broken", "identities": ["urn:v1:eu:identity:user:ab12-svc/ann"], "permissions": 1}'
      return `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`
    })
    const when = Date.parse(dayOf(i)) / 1000
    const from = i === 0 ? '' : `from :${i}\n`
    return `commit refs/heads/main\nmark :${i + 1}\ncommitter carol <c@example.org> ${when} +0000\ndata 1\n${i % 10}\n${from}deleteall\n${texts.join('')}`
  })
  git(['fast-import', '--quiet'], commits.join(''))
  return { cwd, ids: git(['rev-list', '--reverse', 'main']).trim().split('\n') }
}

const blame = async (cwd: string, file: string, ...more: readonly string[]) =>
  mainIn(['blame', file, '-p', 'git:main:.', '--no-config', '--format', 'json', ...more], cwd)

interface EntryJson {
  readonly policy: string
  readonly list: keyof PolicyText
  readonly entry: string
  readonly effect: 'effective' | 'none' | 'never' | 'undecided'
  readonly since: { readonly id: string }
  readonly because?: { readonly reason: string; readonly clauses: readonly { readonly policy: string }[] }
  readonly unread: readonly { readonly id: string }[]
  readonly between: readonly { readonly id: string }[]
}

const ann = 'urn:v1:eu:identity:user:ab12-svc/ann'
const bob = 'urn:v1:eu:identity:user:ab12-svc/bob'
const ops = 'urn:v1:eu:identity:group:ab12-svc/ops'
const servers = 'urn:v1:eu:resource:vps:*'
const policy = (name: string, more: Partial<PolicyText>): PolicyText => ({
  name,
  identities: [ann],
  resources: [servers],
  allow: [],
  except: [],
  deny: [],
  ...more,
})

describe('one history', () => {
  const one = policy('one', { allow: ['vps:apisvc:get', 'vps:apisvc:reboot'] })
  const two = policy('two', { deny: ['vps:apisvc:reboot', 'ip:*'] })
  const three = policy('three', { allow: ['vps:*'] })
  const states: readonly Files[] = [
    { 'one.json': one },
    { 'one.json': one, 'two.json': two },
    { 'one.json': one, 'two.json': null },
    { 'one.json': one, 'two.json': two, 'other.json': policy('other', { identities: [bob], allow: ['ip:*'] }) },
    { 'moved/one.json': one, 'two.json': two, 'three.json': three },
  ]
  const { cwd, ids } = repositoryOf(states, 'one')
  const entriesOf = async (file: string) => {
    const { stdout, exit } = await blame(cwd, file)
    return { exit, entries: (JSON.parse(stdout) as { entries: readonly EntryJson[] }).entries }
  }

  test('an entry that another denies, one that another grants as well, and a file that was renamed', async () => {
    const { exit, entries } = await entriesOf('moved/one.json')
    const said = entries.map(({ list, entry, effect, since, because }) => [
      list,
      entry,
      effect,
      ids.indexOf(since.id),
      because?.clauses[0]?.policy,
    ])
    expect(said).toEqual([
      ['identities', ann, 'none', 4, 'three'],
      ['resources', servers, 'none', 4, 'three'],
      ['allow', 'vps:apisvc:get', 'none', 4, 'three'],
      ['allow', 'vps:apisvc:reboot', 'none', 1, 'two'],
    ])
    // Of one, a commit that cannot be read is between others with this effect.
    expect(entries.map(({ between }) => between.map(({ id }) => ids.indexOf(id)))).toEqual([[], [], [], [2]])
    expect(exit).toBe(3)
  })

  test('a deny that never had an effect, and one that may have begun with a commit that cannot be read', async () => {
    const { entries } = await entriesOf('two.json')
    const said = entries.map(({ list, entry, effect, since }) => [list, entry, effect, ids.indexOf(since.id)])
    expect(said).toContainEqual(['deny', 'ip:*', 'never', 1])
    expect(said).toContainEqual(['deny', 'vps:apisvc:reboot', 'effective', 1])
    const fresh = repositoryOf([{ 'one.json': one }, { 'one.json': one, 'two.json': null }, { 'one.json': one, 'two.json': two }], 'fresh')
    const { stdout, exit } = await blame(fresh.cwd, 'two.json')
    const [deny] = (JSON.parse(stdout) as { entries: readonly EntryJson[] }).entries.filter(({ list }) => list === 'deny')
    expect(exit).toBe(3)
    expect(deny?.unread.map(({ id }) => fresh.ids.indexOf(id))).toEqual([1])
  })

  test('in words', async () => {
    const { stdout } = await mainIn(['blame', 'two.json', '-p', 'git:main:.', '--no-config'], cwd)
    expect(stdout).toContain('effect  never any, in the policy since ')
    expect(stdout).toContain('why     no entry grants what it denies')
  })

  test.each([
    [['none.json'], 'no policy there'],
    [[], '`blame` takes a file of policies'],
  ] as const)('refused: blame %j', async (args, reason) => {
    const { exit, stdout, stderr } = await mainIn(['blame', ...args, '-p', 'git:main:.', '--no-config'], cwd)
    expect({ exit, stdout, stderr }).toEqual({ exit: 2, stdout: '', stderr: expect.stringContaining(reason) })
  })
})

const some = (values: readonly string[], minLength = 0) => fc.subarray([...values], { minLength })
const actions = ['vps:apisvc:get', 'vps:apisvc:reboot', 'vps:*', 'ip:apisvc:get', '*']
const policyText = (name: string): fc.Arbitrary<PolicyText> =>
  fc.record({
    name: fc.constant(name),
    identities: some([ann, bob, ops, 'urn:v1:eu:identity:user:ab12-svc/*'], 1),
    resources: some([servers, 'urn:v1:eu:resource:vps:a', 'urn:v1:eu:resource:ip:*'], 1),
    allow: some(actions),
    except: some(actions.slice(0, 3)),
    deny: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: some(actions) }),
  })

/** States, each of which changes one file of the one before it, or breaks it; the last can be read. */
const history = fc
  .tuple(
    policyText('p0'),
    fc.array(
      fc.tuple(
        fc.constantFrom(0, 1, 2),
        fc.oneof({ weight: 8, arbitrary: policyText('p') }, { weight: 1, arbitrary: fc.constantFrom('gone', 'broken') }),
      ),
      { minLength: 1, maxLength: 6 },
    ),
  )
  .map(([first, changes]) => {
    const states: Files[] = [{ 'p0.json': first }]
    for (const [file, change] of changes) {
      const { [`p${file}.json`]: _, ...others } = states.at(-1) as Files
      const now =
        change === 'gone' ? {} : { [`p${file}.json`]: change === 'broken' ? null : { ...(change as PolicyText), name: `p${file}` } }
      states.push({ ...others, ...now })
    }
    const last = Object.fromEntries(Object.entries(states.at(-1) as Files).filter(([, each]) => each !== null))
    return [...states, { ...last, 'p0.json': first }]
  })

async function worldOf(files: Files): Promise<World | undefined> {
  const texts = Object.values(files)
  if (texts.includes(null)) return undefined
  const facts = await Promise.all(
    texts.map(async (each, i) => (await readSource(sourceOf(`${i}.json`, textOf(each as PolicyText)), testSettings)).facts),
  )
  return buildWorld(facts).world
}

/** The effect of an entry in a state, by taking it out of the text: of the whole of access, and of the questions of a grid. */
async function effectOf(files: Files, { policy, list, entry }: EntryJson): Promise<'absent' | 'unread' | 'effective' | 'none'> {
  const own = Object.entries(files).find(([, each]) => each?.name === policy)
  if (Object.values(files).includes(null)) return 'unread'
  const text = own?.[1]
  const items = text?.[list] as readonly string[] | undefined
  if (!own || !text || !items?.includes(entry)) return 'absent'
  const shorter = { ...files, [own[0]]: { ...text, [list]: items.filter((each) => each !== entry) } }
  const [whole, less] = [(await worldOf(files)) as World, (await worldOf(shorter)) as World]
  const { verdict } = diff(whole, less)
  expect(verdict).not.toBe('undecided')
  for (const identity of [ann, bob])
    for (const groups of [[], [ops]])
      for (const action of ['vps:apisvc:get', 'vps:apisvc:reboot', 'ip:apisvc:get', 'web:apisvc:x'])
        for (const resource of ['urn:v1:eu:resource:vps:a', 'urn:v1:eu:resource:vps:b', 'urn:v1:eu:resource:ip:a']) {
          const question = { ...questionOf({ identity, action, resource, at: '2026-01-01T00:00:00Z' }), groups, owner: 'other' }
          if (decide(whole, question).verdict !== decide(less, question).verdict) expect(verdict).toBe('changed')
        }
  return verdict === 'same' ? 'none' : 'effective'
}

test('each entry has the effect that removing it at each commit shows', { timeout: 0 }, async () => {
  const seen = new Set<string>()
  let run = 0
  await fc.assert(
    fc.asyncProperty(history, async (states) => {
      const { cwd, ids } = repositoryOf(states, `run-${run++}`)
      for (const file of Object.keys(states.at(-1) as Files)) {
        const { stdout, stderr } = await blame(cwd, file)
        expect(stderr).toBe('')
        for (const entry of (JSON.parse(stdout) as { entries: readonly EntryJson[] }).entries) {
          const effects = await Promise.all(states.map((files) => effectOf(files, entry)))
          const now = effects.at(-1)
          const readable = effects.flatMap((effect, i) => (effect === 'unread' ? [] : [{ effect, i }]))
          const other = readable.findLastIndex(({ effect }) => effect !== now)
          const since = readable[other + 1] as { readonly i: number }
          const isNever = now === 'none' && !effects.includes('effective')
          expect([entry.effect, ids.indexOf(entry.since.id)]).toEqual([isNever ? 'never' : now, since.i])
          // The commits right before it that cannot be read.
          let unread = since.i
          while (effects[unread - 1] === 'unread') unread--
          expect(entry.unread.map(({ id }) => ids.indexOf(id))).toEqual(Array.from({ length: since.i - unread }, (_, i) => unread + i))
          // And those after it, between others with this effect.
          const between = effects.flatMap((effect, i) => (effect === 'unread' && i > since.i ? [i] : []))
          expect(entry.between.map(({ id }) => ids.indexOf(id))).toEqual(between)
          seen.add(entry.effect)
        }
      }
      rmSync(cwd, { recursive: true })
    }),
    { numRuns: effort(50, 20), seed: 36 },
  )
  expect(seen).toEqual(new Set(['effective', 'none', 'never']))
})
