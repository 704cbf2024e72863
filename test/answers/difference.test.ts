import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type DiffReport, differenceAnswer, differenceJson } from '../../src/answers/difference.ts'
import { answerMarkdown } from '../../src/answers/markdown.ts'
import { fullNameWording } from '../../src/answers/wording.ts'
import { type DiffRegion, diff } from '../../src/diff/diff.ts'
import { loadCatalogue } from '../../src/index.ts'
import { decide } from '../../src/simulate/decide.ts'
import { families } from '../support/analysis-oracle.ts'
import { runProgram } from '../support/scenario.ts'
import { randomOf, take, worldOf } from '../support/worlds.ts'

interface PolicyParts {
  readonly name?: string
  readonly identities?: readonly string[]
  readonly resources?: readonly string[]
  readonly allow?: readonly string[]
  readonly except?: readonly string[]
  readonly deny?: readonly string[]
  readonly conditions?: object
  readonly expiredAt?: string
  readonly permissionsGroups?: readonly { readonly urn: string }[]
}

const user = (name: string) => `urn:v1:eu:identity:user:ab12-svc/${name}`
const group = (name: string) => `urn:v1:eu:identity:group:ab12-svc/${name}`
const server = (name: string) => `urn:v1:eu:resource:vps:${name}`
const actions = (list: readonly string[] = []) => list.map((action) => ({ action }))

function policy({ name = 'p', identities = [user('ann')], resources = [server('*')], allow, except, deny, ...rest }: PolicyParts): object {
  return {
    name,
    identities,
    resources: resources.map((urn) => ({ urn })),
    permissions: { allow: actions(allow), except: actions(except), deny: actions(deny) },
    ...rest,
  }
}

const world = (...policies: readonly PolicyParts[]) => worldOf({ policies: policies.map(policy) })
const differenceOf = (before: readonly PolicyParts[], after: readonly PolicyParts[], options = {}) =>
  differenceJson(diff(world(...before), world(...after), options))

describe('the difference of two worlds', () => {
  // covers: M30
  test('of a world and itself is nothing', () => {
    for (const { worlds } of take(60, families(randomOf(5), { policies: 5, unknown: 0.1 }, 1))) {
      for (const written of worlds) {
        const same = worldOf(written)
        expect(diff(same, worldOf(written))).toEqual({ verdict: 'same', gained: [], lost: [], undecided: [] })
      }
    }
  })

  // covers: M33
  test('has witnesses that both sides answer as they must', () => {
    let regions = 0
    for (const { worlds, pairs } of take(25, families(randomOf(6), { policies: 4, unknown: 0.1 }, 2))) {
      for (const [i, j] of pairs) {
        const [before, after] = [worldOf(worlds[i] as object), worldOf(worlds[j] as object)]
        const { gained, lost } = diff(before, after)
        for (const [list, from, to] of [
          [gained, before, after],
          [lost, after, before],
        ] as const) {
          for (const { witness, certain, causes } of list) {
            regions++
            const [there, here] = [decide(from, witness).verdict, decide(to, witness).verdict]
            expect(certain ? [here, there] : [here === 'deny', there === 'allow']).toEqual(certain ? ['allow', 'deny'] : [false, false])
            expect(causes.length).toBeGreaterThan(0)
          }
        }
      }
    }
    expect(regions).toBeGreaterThan(80)
  })

  test('says in words what each exception leaves out', () => {
    const seen = { nothing: 0, action: 0, type: 0, several: 0 }
    /** The patterns behind `but not`: actions as they are, types and names with the word for them. */
    const unlessIn = (words: string) => {
      const unless: [dimension: string, pattern: string][] = []
      const one = /(?:but not |, )(?:of type `([^`]*)`|named `([^`]*)`|(\S+?))(?=, |: | |$)/y
      one.lastIndex = words.indexOf('but not ')
      for (let next = one.lastIndex < 0 ? null : one.exec(words); next; next = one.exec(words)) {
        const [, type, name, action = ''] = next
        unless.push(type !== undefined ? ['type', type] : name !== undefined ? ['name', name] : ['action', action])
      }
      return unless
    }
    const wording = { ...fullNameWording(), isWhole: true }
    for (const { worlds, pairs } of take(60, families(randomOf(6), { policies: 4, unknown: 0.1 }, 2)))
      for (const [i, j] of pairs) {
        const difference = diff(worldOf(worlds[i] as object), worldOf(worlds[j] as object))
        const { sections } = differenceAnswer({ difference }, 'everything')
        for (const side of ['gained', 'lost'] as const)
          for (const [k, { except }] of difference[side].entries()) {
            const details = sections.find(({ name }) => name === side)?.rows[k]?.details?.(wording) ?? []
            const items = details.flatMap((each) => (each.label === 'except' ? each.items : []))
            expect(items.map(unlessIn)).toEqual(except.map(({ unless }) => unless))
            for (const { unless } of except) {
              if (unless.length === 0) seen.nothing++
              if (unless.length > 1) seen.several++
              for (const [dimension] of unless) if (dimension !== 'name') seen[dimension]++
            }
          }
      }
    for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
  })

  test('says who may do what on which resources, when, and by which edit', () => {
    const office = { operator: 'MATCH', values: { 'request.IP.IN_RANGE': '192.0.2.0/24' } }
    const before = [{ name: 'read', allow: ['vps:apisvc:get'] }]
    const after = [...before, { name: 'care', identities: [user('ann'), user('bob')], allow: ['vps:*'], conditions: office }]
    const { verdict, gained, lost } = differenceOf(before, after, { catalogue: loadCatalogue('svc') })
    expect({ verdict, lost }).toEqual({ verdict: 'changed', lost: [] })
    expect(gained).toMatchObject([
      {
        identities: [user('ann'), user('bob')],
        actions: ['vps:*'],
        resources: [server('*')],
        condition: '`request.IP.IN_RANGE` = `192.0.2.0/24`',
        except: [{ why: 'already', identities: [user('ann')], actions: ['vps:apisvc:get'], policy: 'read' }],
        certain: true,
        causes: [{ side: 'after', change: 'added', what: 'allow `vps:*`', policy: 'care' }],
      },
    ])
    expect(gained[0]?.catalogue?.actions).toBeGreaterThan(50)
  })

  test.each<[string, readonly PolicyParts[], readonly PolicyParts[], object]>([
    [
      'an except that is gone',
      [{ allow: ['vps:*'], except: ['vps:apisvc:terminate'] }],
      [{ allow: ['vps:*'] }],
      { actions: ['vps:apisvc:terminate'], causes: [{ side: 'before', change: 'removed', what: 'except `vps:apisvc:terminate`' }] },
    ],
    [
      'a deny that is gone',
      [{ allow: ['vps:*'] }, { name: 'stop', deny: ['vps:apisvc:terminate'] }],
      [{ allow: ['vps:*'] }],
      {
        actions: ['vps:apisvc:terminate'],
        causes: [{ side: 'before', change: 'removed', what: 'deny `vps:apisvc:terminate`', policy: 'stop' }],
      },
    ],
    [
      'an identity more',
      [{ allow: ['vps:*'] }],
      [{ identities: [user('ann'), group('ops')], allow: ['vps:*'] }],
      {
        identities: [group('ops')],
        except: [{ why: 'already', identities: [user('ann')] }],
        causes: [{ what: `identity \`${group('ops')}\`` }],
      },
    ],
    [
      'a resource more',
      [{ resources: [server('a')], allow: ['vps:*'] }],
      [{ resources: [server('a'), server('b*')], allow: ['vps:*'] }],
      { resources: [server('b*')], except: [], causes: [{ what: `resource \`${server('b*')}\``, change: 'added' }] },
    ],
    [
      'a condition that is gone',
      [{ allow: ['vps:*'], conditions: { operator: 'MATCH', values: { 'resource.Tag(env)': 'test' } } }],
      [{ allow: ['vps:*'] }],
      { condition: 'not (`resource.Tag(env)` = `test`)', causes: [{ change: 'removed', what: 'condition' }] },
    ],
    [
      'an expiry that is put off',
      [{ allow: ['vps:*'], expiredAt: '2026-06-01T00:00:00Z' }],
      [{ allow: ['vps:*'], expiredAt: '2027-06-01T00:00:00Z' }],
      { condition: expect.stringContaining('not after 2027-06-01T00:00:00'), causes: [{ change: 'changed', what: 'expiry' }] },
    ],
    [
      'two policies that grant the same: both are the cause',
      [],
      [
        { name: 'one', allow: ['vps:*'] },
        { name: 'two', allow: ['vps:*'] },
      ],
      { actions: ['vps:*'], causes: [{ policy: 'one' }, { policy: 'two' }] },
    ],
  ])('shows %s', (_, before, after, expected) => {
    const { verdict, gained, lost } = differenceOf(before, after)
    expect({ verdict, lost }).toEqual({ verdict: 'changed', lost: [] })
    expect(gained).toHaveLength(1)
    expect(gained[0]).toMatchObject(expected)
    // And the other way round it is lost.
    expect(differenceOf(after, before)).toMatchObject({ gained: [], lost: [{}] })
  })

  test('is none where only words differ', () => {
    const before = [{ name: 'a', allow: ['vps:apisvc:get', 'vps:*'] }, { allow: ['dns:*'] }]
    const after = [{ allow: ['dns:*'] }, { name: 'renamed', allow: ['vps:*'] }]
    expect(differenceOf(before, after).verdict).toBe('same')
  })

  test('marks what depends on unknown facts', () => {
    const conditions = { operator: 'MATCH', values: { 'request.Mood': 'good' } }
    const { gained } = differenceOf([], [{ allow: ['vps:*'], conditions }])
    expect(gained).toMatchObject([{ certain: false }])
    expect(differenceOf([{ allow: ['vps:*'], conditions }], [{ allow: ['vps:*'], conditions }]).verdict).toBe('same')
  })

  test('has witnesses with known names, unless what is described of them rules these out', () => {
    const inventory = {
      resources: [{ urn: server('a'), tags: { env: 'prod' } }],
      identities: [{ urn: user('ann'), groups: [group('ops')] }],
    }
    const conditions = { operator: 'MATCH', values: { 'resource.Tag(env)': 'test' } }
    const after = worldOf({ policies: [policy({ identities: [group('ops')], allow: ['vps:*'], conditions })], ...inventory })
    const { gained } = diff(worldOf({ policies: [], ...inventory }), after)
    expect(gained).toMatchObject([{ witness: { identity: user('ann'), groups: [] }, known: { identities: 1, resources: 1 } }])
    expect(gained[0]?.witness.resource).not.toBe(server('a'))
    expect(gained[0]?.witness.tags).toEqual(new Map([['env', 'test']]))
  })

  test('within a horizon is what holds at some time in it', () => {
    const before = [{ allow: ['vps:*'], expiredAt: '2026-06-01T00:00:00Z' }]
    const after = [{ allow: ['vps:*'], expiredAt: '2027-06-01T00:00:00Z' }]
    const within = (from: number, to: number) => differenceOf(before, after, { within: { from, to } })
    const expiry = Date.UTC(2026, 5, 1)
    expect(within(Date.UTC(2026, 0, 1), expiry).verdict).toBe('same')
    expect(within(Date.UTC(2027, 5, 1, 0, 0, 0, 1), Date.UTC(2029, 0, 1)).verdict).toBe('same')
    expect(within(Date.UTC(2026, 0, 1), expiry + 1).gained).toMatchObject([{ witness: { at: '2026-06-01T00:00:00.001Z' } }])
    expect(within(Date.UTC(2027, 5, 1), Date.UTC(2029, 0, 1)).gained).toMatchObject([{ witness: { at: '2027-06-01T00:00:00.000Z' } }])
    // A deny that stops holding opens what both sides allow, and only in its time.
    const deny = { deny: ['vps:*'], expiredAt: '2026-06-01T00:00:00Z' }
    const opened = (from: number, to: number) =>
      differenceOf([{ allow: ['vps:*'] }, deny], [{ allow: ['vps:*'] }], { within: { from, to } }).verdict
    expect(opened(expiry + 1, Date.UTC(2030, 0, 1))).toBe('same')
    expect(opened(expiry, Date.UTC(2030, 0, 1))).toBe('changed')
  })

  test('at an instant is what holds then', () => {
    const before = [{ allow: ['vps:*'], expiredAt: '2026-06-01T00:00:00Z' }]
    const after = [{ allow: ['vps:*'], expiredAt: '2027-06-01T00:00:00Z' }]
    expect(differenceOf(before, after, { at: Date.UTC(2026, 0, 1) }).verdict).toBe('same')
    expect(differenceOf(before, after, { at: Date.UTC(2028, 0, 1) }).verdict).toBe('same')
    const { gained } = differenceOf(before, after, { at: Date.UTC(2026, 11, 1) })
    expect(gained).toMatchObject([{ condition: null, witness: { at: '2026-12-01T00:00:00.000Z' } }])
  })

  test('is undecided where it takes too many steps, and names the patterns', () => {
    const letters = [...'abcdefghijklmnop']
    const before = letters.map((letter) => ({ name: letter, allow: ['p:apisvc:*'], except: [`*Z${letter}*`] }))
    const after = [{ allow: ['p:apisvc:*'] }, { name: 'stop', deny: ['*Zo*Zp*', '*Zp*Zo*'] }]
    const { verdict, undecided } = differenceOf(before, after, { budget: 5_000 })
    expect(verdict).not.toBe('same')
    expect(undecided[0]).toMatchObject({ side: 'gained', patterns: expect.arrayContaining([expect.stringContaining('*Z')]) })
  })

  test('of denies that are gone, each leaves out what it alone left out', () => {
    const spared = { operator: 'NOT', conditions: [{ operator: 'MATCH', values: { 'resource.Name': 'a' } }] }
    const allow = { allow: ['vps:*'] }
    const { gained } = differenceOf(
      [allow, { name: 'some', deny: ['vps:*'], conditions: spared }, { name: 'all', deny: ['vps:*'] }],
      [allow],
    )
    expect(gained).toMatchObject([{ actions: ['vps:*'], resources: [server('*')], except: [] }])
  })

  test('a deny with exceptions that is cut in two changes nothing', () => {
    const spared = { operator: 'NOT', conditions: [{ operator: 'MATCH', values: { 'resource.Name.IN': 'a, b' } }] }
    const deny = { deny: ['vps:*'], conditions: spared }
    const allow = { identities: [user('ann'), user('bob')], allow: ['vps:*'] }
    const whole = [allow, { identities: [user('ann'), user('bob')], ...deny }]
    const cut = [allow, { identities: [user('ann')], ...deny }, { identities: [user('bob')], ...deny }]
    expect(differenceOf(whole, cut).verdict).toBe('same')
    expect(differenceOf(cut, whole).verdict).toBe('same')
  })

  test('who has other groups on the two sides is excluded from the result for a group, and shown separately', () => {
    const identities = (...groups: readonly string[]) => [{ urn: user('ann'), groups }]
    const policies = [
      { identities: [group('g')], allow: ['vps:*'] },
      { identities: [user('*')], allow: ['vps:*'] },
    ].map(policy)
    const stop = policy({ name: 'stop', identities: [group('g')], deny: ['vps:*'] })
    const { lost } = differenceJson(
      diff(worldOf({ policies, identities: identities(group('g')) }), worldOf({ policies: [...policies, stop], identities: identities() })),
    )
    // In the group only before, she is allowed still.
    expect(lost.length).toBeGreaterThan(0)
    for (const { identities: who, groups, except } of lost) {
      const isOfAll = !who.includes(user('ann')) && !(groups as readonly string[] | undefined)?.includes(user('ann'))
      if (isOfAll) expect(except).toContainEqual(expect.objectContaining({ why: 'apart', identities: [user('ann')] }))
    }
  })
})

describe('the command', () => {
  let work: string
  const put = (name: string, ...policies: readonly PolicyParts[]) => write(name, JSON.stringify(policies.map(policy)))
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(work, name)), { recursive: true })
    writeFileSync(join(work, name), text)
  }
  const git = (...args: string[]) => {
    const settings = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false', '-c', 'init.defaultBranch=main']
    const { status, stdout, stderr } = spawnSync('git', [...settings, ...args], { cwd: work, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    return stdout
  }
  const can = async (...options: string[]) => {
    const args = ['can', user('bob'), 'vps:apisvc:reboot', 'urn:v1:eu:resource:vps:x', '--format', 'compact', ...options]
    const { stdout, stderr } = await runProgram(args, work, { PATH: process.env.PATH ?? '' })
    return stderr || stdout.split(' ')[0]
  }
  const run = (...args: string[]) => runProgram(['diff', ...args], work, { PATH: process.env.PATH ?? '' })
  beforeEach(() => {
    work = mkdtempSync(join(tmpdir(), 'grantwise-'))
  })
  afterEach(() => rmSync(work, { recursive: true }))

  test('shows what is gained, and fails on it', async () => {
    put('old.json', { allow: ['vps:apisvc:get'] })
    put('new.json', { allow: ['vps:apisvc:get', 'vps:apisvc:reboot'] })
    const { stdout, exit, stderr } = await run('old.json', 'new.json')
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: '' })
    expect(stdout).toContain('access gained (1 person)')
    expect(stdout).toContain('new.json:1  p: allow `vps:apisvc:reboot` added')
    expect((await run('new.json', 'old.json')).exit).toBe(0)
    expect((await run('new.json', 'old.json', '--fail-on', 'lost')).exit).toBe(1)
    expect((await run('new.json', 'old.json', '--fail-on', 'any')).exit).toBe(1)
    expect((await run('old.json', 'new.json', '--fail-on', 'lost')).exit).toBe(0)
  })

  test('says so where nothing changes', async () => {
    put('p.json', { allow: ['vps:*'] })
    expect(await run('p.json', 'p.json')).toEqual({
      stdout: 'the same access: proved over all identities, actions, resources and contexts\n',
      stderr: '',
      exit: 0,
    })
  })

  test('says for which times, where a policy looks at the time', async () => {
    put('old.json', { allow: ['vps:apisvc:get'], expiredAt: '2026-06-01T00:00:00Z' })
    put('new.json', { allow: ['vps:*'], expiredAt: '2026-06-01T00:00:00Z' })
    const proved = 'the same access: proved over all identities, actions, resources and contexts'
    const both = ['old.json', 'new.json']
    for (const [options, words, time] of [
      [[], /^ from \w{3} \d{4}-\d\d-\d\d [\d:]+ UTC on$/, { from: expect.any(String) }],
      [['--at', '2026-07-01T00:00:00Z'], / at Wed 2026-07-01 00:00 UTC$/, { at: '2026-07-01T00:00:00Z' }],
      [
        ['--at', '2026-07-01T00:00:00Z', '--horizon', '30d'],
        / from Wed 2026-07-01 00:00 UTC to Fri 2026-07-31 00:00 UTC$/,
        { from: '2026-07-01T00:00:00Z', to: '2026-07-31T00:00:00Z' },
      ],
      [
        ['--at', '2026-07-01T00:00:00Z', '--at', '2026-08-01T00:00:00Z'],
        / at Wed 2026-07-01 00:00 UTC and at Sat 2026-08-01 00:00 UTC$/,
        { before: '2026-07-01T00:00:00Z', after: '2026-08-01T00:00:00Z' },
      ],
    ] as const) {
      const { stdout, exit } = await run(...both, ...options)
      expect([stdout.slice(0, proved.length), exit], options.join(' ')).toEqual([proved, 0])
      expect(stdout.slice(proved.length).trimEnd(), options.join(' ')).toMatch(words)
      const json = JSON.parse((await run(...both, ...options, '--format', 'json')).stdout)
      expect(json, options.join(' ')).toMatchObject({ verdict: 'same', time })
    }
    // At any time, where nothing depends on it.
    put('plain.json', { allow: ['vps:*'] })
    expect(JSON.parse((await run('plain.json', 'plain.json', '--format', 'json')).stdout)).not.toHaveProperty('time')
  })

  test('refuses a folder without policies: it is the wrong one', async () => {
    put('p.json', { allow: ['vps:*'] })
    mkdirSync(join(work, 'other'))
    write('other/readme.md', 'no policies')
    for (const sides of [
      ['p.json', 'other'],
      ['other', 'p.json'],
      ['other', 'other'],
    ])
      expect(await run(...sides), sides.join(' ')).toEqual({ stdout: '', stderr: expect.stringMatching(/^grantwise: other: no /), exit: 2 })
    // A file that says so is no slip.
    write('none.json', '{"policies":[]}')
    expect(await run('p.json', 'none.json', '--fail-on', 'never')).toMatchObject({ exit: 0, stdout: expect.stringContaining('lost') })
  })

  // covers: M33
  test('has a witness that `can` answers, on both sides', async () => {
    put('old.json', { identities: [user('*')], allow: ['vps:*'], except: ['vps:apisvc:ips/*'] })
    put('new.json', { identities: [user('*')], allow: ['vps:*'] })
    const { stdout } = await run('old.json', 'new.json', '--format', 'json')
    const { witness } = JSON.parse(stdout).gained[0]
    write('q.ndjson', JSON.stringify({ id: 1, ...witness }))
    for (const [file, verdict] of [
      ['old.json', 'deny'],
      ['new.json', 'allow'],
    ] as const) {
      const answer = await runProgram(['can', '--batch', 'q.ndjson', '-p', file], work)
      expect(JSON.parse(answer.stdout)).toMatchObject({ verdict })
    }
  })

  test('reads what a pipe holds', async () => {
    put('p.json', { allow: ['vps:*'] })
    spawnSync('mkfifo', [join(work, 'pipe')])
    const writer = spawn('sh', ['-c', 'cat p.json > pipe'], { cwd: work, stdio: 'ignore' })
    const closed = new Promise((done) => writer.once('close', done))
    expect(await run('pipe', 'p.json')).toMatchObject({ exit: 0, stderr: '' })
    await closed
  })

  test('names a file that shares no folder with the working folder by its whole path', async () => {
    put('p.json', { allow: ['vps:*'] })
    expect((await run('p.json', 'p.json', '--format', 'json=/nowhere/x')).stderr).toContain('grantwise: /nowhere/x: cannot be written')
  })

  describe('of a git repository', () => {
    beforeEach(() => {
      git('init', '-q')
      put('policies/a.json', { allow: ['vps:apisvc:get'] })
      git('add', '.')
      git('commit', '-qm', 'first')
    })

    test('compares a commit with the folder, and commits with each other', async () => {
      put('policies/a.json', { allow: ['vps:apisvc:get'] }, { name: 'q', allow: ['vps:apisvc:reboot'] })
      expect((await run('git:HEAD:policies', 'policies')).exit).toBe(1)
      expect((await run('git:HEAD', '.')).exit).toBe(1)
      git('commit', '-qam', 'second')
      expect((await run('git:HEAD', 'policies')).exit).toBe(0)
      expect((await run('git:HEAD~1:policies/a.json', 'git:HEAD:policies/a.json', '--format', 'compact')).stdout).toContain(
        'vps:apisvc:reboot',
      )
    })

    test('decides over a commit, and over a tree that git has merged', async () => {
      git('checkout', '-qb', 'pr')
      put('policies/b.json', { name: 'b', identities: [user('bob')], allow: ['vps:apisvc:reboot'] })
      git('add', '.')
      git('commit', '-qm', 'second')
      git('checkout', '-q', '-')
      put('policies/c.json', { name: 'c', identities: [user('bob')], allow: ['vps:apisvc:stop'] })
      git('add', '.')
      git('commit', '-qm', 'third')
      const tree = git('merge-tree', '--write-tree', 'HEAD', 'pr').trim()
      expect(await can('-p', 'git:pr:policies')).toBe('allow')
      expect(await can('-p', 'git:pr')).toBe('allow')
      expect(await can('-p', 'policies')).toBe('deny')
      expect(await can('-p', `git:${tree}:policies`)).toBe('allow')
      expect(await can('-p', `git:${tree}:policies/c.json`)).toBe('deny')
      expect(await can('-p', 'policies', '-p', 'git:pr:policies/b.json')).toBe('allow')
      expect(await can('-p', 'policies', '-p', 'git:pr:policies')).toContain('`policies/a.json` is read from the working folder as well')
      expect(await can('-p', 'git:pr:policies', '-p', 'git:HEAD:policies')).toContain('is read from git:pr as well')
      expect(await can('-p', 'git:pr:polices')).toContain('the commit does not hold `polices`')
      const { stdout } = await run('git:HEAD:policies', `git:${tree}:policies`, '--format', 'compact')
      expect(stdout).toMatch(/^gained · [^\n]*vps:apisvc:reboot[^\n]*\n$/)
    })

    test('takes the inventory of the configuration from the same commit', async () => {
      put('guard.json', { identities: ['urn:v1:eu:identity:group:ab12-svc/ops'], allow: ['vps:apisvc:reboot'] })
      write('.grantwise.yaml', 'policies: [guard.json]\nworld: [world.yaml]\n')
      const world = (groups: string) => write('world.yaml', `identities: [{urn: "${user('bob')}", groups: [${groups}]}]\n`)
      world('"urn:v1:eu:identity:group:ab12-svc/ops"')
      git('add', '.')
      git('commit', '-qm', 'inventory')
      world('')
      expect(await can()).toBe('deny')
      expect(await can('-p', 'git:HEAD')).toBe('allow')
      expect(await can('-p', 'guard.json')).toBe('deny')
      expect(await can('-p', 'git:HEAD:guard.json')).toBe('allow')
      expect(await can('-p', 'policies', '-p', 'git:HEAD:guard.json')).toBe('deny')
    })

    test('points out that a branch is not a file', async () => {
      git('branch', 'pr')
      const { stderr, exit } = await run('pr', 'policies')
      expect({ stderr, exit }).toEqual({
        stderr: 'grantwise: pr: no such file or folder\n  help: did you mean the commit, `git:pr`?\n',
        exit: 2,
      })
      expect((await run('prr', 'policies')).stderr).toBe(
        'grantwise: prr: no such file or folder\ngrantwise: nothing is decided over policies that were not fully read and understood\n',
      )
    })

    test('takes a file that is not there yet for nothing', async () => {
      put('policies/b.json', { name: 'b', identities: [user('bob')], allow: ['vps:apisvc:reboot'] })
      const { stdout, exit } = await run('git:HEAD:policies/b.json', 'policies/b.json', '--format', 'json')
      expect(exit).toBe(1)
      expect(JSON.parse(stdout)).toMatchObject({ gained: [{ identities: [user('bob')] }], lost: [] })
    })

    test.each([
      ['a folder', () => symlinkSync('policies', join(work, 'link')), 'link', 'link is a symbolic link'],
      [
        'a file in a folder',
        () => {
          mkdirSync(join(work, 'link'))
          symlinkSync('../policies/a.json', join(work, 'link/a.json'))
        },
        'link',
        'link/a.json is a symbolic link',
      ],
      [
        'a folder in a folder',
        () => {
          mkdirSync(join(work, 'link'))
          symlinkSync('../policies', join(work, 'link/more'))
        },
        'link/**/*.json',
        'link/more is a symbolic link',
      ],
      ['what is no part of the repository', () => symlinkSync('/nowhere', join(work, 'link')), 'link', 'link is a symbolic link'],
      ['a link', () => symlinkSync('policies', join(work, 'link')), 'link/a.json', 'link is a symbolic link'],
      // Where the commit is deployed there may be something at the end of it.
      [
        'what is nowhere here',
        () => symlinkSync('nowhere', join(work, 'policies/broken.json')),
        'policies',
        'policies/broken.json is a symbolic link',
      ],
    ])('does not take a link to %s for nothing', async (_, make, path, words) => {
      make()
      git('add', '.')
      git('commit', '-qm', 'link')
      const { exit, stdout, stderr } = await run(`git:HEAD:${path}`, `git:HEAD:${path}`)
      expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
      expect(stderr).toContain(`git:HEAD: ${words}, which is not followed`)
    })

    test('passes over links that hide nothing', async () => {
      symlinkSync('a.json', join(work, 'policies/same.json'))
      write('notes.md', 'none\n')
      symlinkSync('../notes.md', join(work, 'policies/notes'))
      git('add', '.')
      git('commit', '-qm', 'links')
      expect(await run('git:HEAD:policies', 'git:HEAD~1:policies')).toMatchObject({ exit: 0, stderr: '' })
    })

    test.each(['sub', '.', 'sub/policies', '**/*.json'])('does not take another repository for nothing: %s', async (path) => {
      git('init', '-q', 'sub')
      write('sub/policies/b.json', '{}')
      git('-C', 'sub', 'add', '.')
      git('-C', 'sub', 'commit', '-qm', 'first')
      git('add', 'sub')
      git('commit', '-qm', 'sub')
      const { exit, stderr } = await run(`git:HEAD:${path}`, 'policies')
      expect(exit).toBe(2)
      expect(stderr).toContain('git:HEAD: sub is another repository, which this commit only names')
      expect((await run('git:HEAD:policies', 'policies')).exit).toBe(0)
    })

    test.each(['..', '/', tmpdir(), '../*.json'])('refuses a path that no commit holds: %s', async (path) => {
      const { exit, stderr } = await run('policies', `git:HEAD:${path}`)
      expect(exit).toBe(2)
      expect(stderr).toContain(`git:HEAD:${path}: outside of the repository`)
    })

    test.each([
      ['a file of another notation', 'policies/a.txt', 'policies/a.txt: unsupported file type'],
      ['a file that holds no policy', 'policies/other.json', 'policies/other.json:1:2: error shape: no policy here'],
      ['a glob that matches nothing anywhere', 'polices/*.json', 'neither the commit nor the working folder holds `polices/*.json`'],
      ['a file that is nowhere', 'policies/b.json', 'neither the commit nor the working folder holds `policies/b.json`'],
    ])('does not take %s for nothing, next to an inventory', async (_, path, words) => {
      write('policies/a.txt', 'policies')
      write('policies/other.json', '{"a": 1}')
      write('inventory/i.json', JSON.stringify({ identities: [{ urn: user('ann'), groups: [] }] }))
      write('.grantwise.yaml', 'world: [inventory]\n')
      git('add', '.')
      git('commit', '-qm', 'more')
      const { exit, stderr } = await run(`git:HEAD:${path}`, `git:HEAD:${path}`)
      expect(stderr).toContain(words)
      expect(exit).toBe(2)
      expect((await run('git:HEAD:policies', 'git:HEAD:policies/*.json')).exit).toBe(0)
    })

    // covers: T27
    test('runs no filter and no hook', async () => {
      write('.gitattributes', '*.json filter=evil diff=evil\n')
      git('config', 'filter.evil.smudge', 'touch smudged; cat')
      git('config', 'diff.evil.textconv', 'touch shown; cat')
      git('config', 'core.fsmonitor', 'touch monitored')
      // The result of a filter for a file is what is deployed, and is not known.
      const { exit, stderr } = await run('git:HEAD', 'policies')
      expect(exit).toBe(2)
      expect(stderr).toContain('filter')
      for (const name of ['smudged', 'shown', 'monitored']) expect(existsSync(join(work, name))).toBe(false)
    })

    test.each([
      ['an unknown commit', ['git:nowhere', 'policies'], 'no such commit'],
      ['an option for a commit', ['git:--output=x', 'policies'], 'expected a commit'],
      ['no commit', ['git:', 'policies'], 'expected a commit'],
      ['an empty path', ['git:HEAD:', 'policies'], 'a path is missing'],
      ['a path that is nowhere', ['git:HEAD:polices', 'policies'], 'neither the commit nor the working folder'],
    ])('refuses %s', async (_, args, message) => {
      const { stdout, stderr, exit } = await run(...args)
      expect({ stdout, exit }).toEqual({ stdout: '', exit: 2 })
      expect(stderr).toContain(message)
    })
  })

  test.each([
    ['one side only', ['p.json'], '`diff` takes BEFORE and AFTER'],
    ['three sides', ['p.json', 'p.json', 'p.json'], '`diff` takes BEFORE and AFTER'],
    ['a file that is not there', ['p.json', 'q.json'], 'no such file'],
    ['a file that is broken', ['p.json', 'broken.json'], 'broken.json:1'],
    ['an unknown level', ['p.json', 'p.json', '--fail-on', 'gain'], '`gained`'],
    ['an unknown format', ['p.json', 'p.json', '--format', 'xml'], '--format `xml`'],
    ['two formats for one output', ['p.json', 'p.json', '--format', 'json', '--format', 'pretty'], 'two formats'],
    ['an output over what was read', ['p.json', 'p.json', '--format', 'json=p.json'], 'not overwritten'],
    ['a ceiling that is broken', ['p.json', 'p.json', '--ceiling', 'broken.json'], 'broken.json:1'],
    ['no instant', ['p.json', 'p.json', '--at', 'noon'], '--at `noon`'],
    ['a repository that is none', ['git:HEAD', 'p.json'], 'not a git repository'],
  ])('refuses %s', async (_, args, message) => {
    put('p.json', { allow: ['vps:*'] })
    write('broken.json', '{"name": "p", "permissions": {"deny": [')
    const { stdout, stderr, exit } = await run(...args)
    expect({ stdout, exit }).toEqual({ stdout: '', exit: 2 })
    expect(stderr).toContain(message)
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  test('holds the second side to a ceiling', async () => {
    put('old.json', { allow: ['vps:apisvc:get'] })
    put('new.json', { allow: ['vps:apisvc:get', 'vps:apisvc:reboot'] })
    put('ceiling.json', { allow: ['vps:*'], except: ['vps:apisvc:terminate'] })
    put('wide.json', { allow: ['vps:*'] })
    expect((await run('old.json', 'new.json', '--ceiling', 'ceiling.json')).exit).toBe(0)
    expect((await run('old.json', 'new.json', '--ceiling', 'ceiling.json', '--fail-on', 'gained')).exit).toBe(1)
    const { stdout, exit } = await run('wide.json', 'wide.json', '--ceiling', 'ceiling.json', '--format', 'json')
    expect(exit).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'same', beyond: [{ actions: ['vps:apisvc:terminate'] }] })
  })

  test('writes each format, some to files', async () => {
    put('old.json', { allow: ['vps:apisvc:get'] })
    put('new.json', { allow: ['vps:apisvc:get', 'vps:apisvc:reboot'] })
    const { stdout } = await run('old.json', 'new.json', '--format', 'github', '--format', 'sarif=out.sarif', '--format', 'markdown=out.md')
    expect(stdout).toMatch(/^::error file=new.json,line=1,.*title=access-gained::access gained: /)
    const sarif = JSON.parse(readFileSync(join(work, 'out.sarif'), 'utf8'))
    expect(sarif.runs[0].results).toMatchObject([{ ruleId: 'access-gained', level: 'error' }])
    expect(readFileSync(join(work, 'out.md'), 'utf8')).toContain('### Access gained')
    expect((await run('old.json', 'new.json', '--format', 'compact')).stdout).toMatch(
      /^gained · urn:\S+ · vps:apisvc:reboot · .* · by new.json:1 p: allow `vps:apisvc:reboot` added\n$/,
    )
  })

  test('names in an exception what no other entry of it covers, and of the callers those that may ask', async () => {
    const few = ['get', 'reboot', 'start', 'stop'].map((path) => `vps:apisvc:${path}`)
    const care = [
      { name: 'wide', identities: [user('bob'), group('ops')], allow: ['vps:apisvc:ips/*', 'vps:apisvc:ips/get'] },
      { name: 'ann', identities: [user('ann')], allow: few },
    ]
    put('old.json', ...care)
    put('new.json', ...care, { name: 'all', identities: [user('ann')], allow: ['vps:*'] })
    const { stdout } = await run('old.json', 'new.json', '--over', 'everything')
    expect(stdout).toContain('vps:apisvc:ips/* for group/ops: BEFORE also allowed it (wide)\n')
    expect(stdout).toContain('vps:apisvc:get, vps:apisvc:reboot, vps:apisvc:start and 1 more: BEFORE also allowed it (ann)\n')
    expect(stdout).toMatch(/\nshortened: `--all` shows all\n$/)
    const all = (await run('old.json', 'new.json', '--over', 'everything', '--all')).stdout
    expect(all).toContain('vps:apisvc:get, vps:apisvc:reboot, vps:apisvc:start, vps:apisvc:stop: BEFORE also allowed it (ann)\n')
    expect(all).not.toContain('shortened')
  })

  // covers: T31, P3
  test('is uncertain where it takes too many steps', async () => {
    const letters = [...'abcdefghijklmnop']
    put('old.json', ...letters.map((letter) => ({ name: letter, allow: ['p:apisvc:*'], except: [`*Z${letter}*`] })))
    put('new.json', { allow: ['p:apisvc:*'] }, { name: 'stop', deny: ['*Zo*Zp*', '*Zp*Zo*'] })
    const { stdout, exit } = await run('old.json', 'new.json')
    expect([1, 3]).toContain(exit)
    expect(stdout).toContain('not fully decided')
  })
})

describe('the report as Markdown', () => {
  const differenceMarkdown = (report: DiffReport) =>
    answerMarkdown(differenceAnswer(report, 'everything'), { title: 'grantwise diff', wording: fullNameWording() })
  const region = (policies: readonly PolicyParts[]) => diff(world(), world(...policies))

  test('has a table with the gist, and the details folded away', () => {
    const difference = region([{ name: 'care', allow: ['vps:*'], except: ['vps:apisvc:terminate'] }])
    const text = differenceMarkdown({ difference })
    expect(text).toMatch(
      /^\| `urn:v1:eu:identity:user:ab12-svc\/ann` \| `vps:\*` \| `urn:v1:eu:resource:vps:\*` \| with 1 exception \| .*care: allow `vps:\*` added \|$/m,
    )
    expect(text).toMatch(/<details><summary>[^<]*<\/summary>\n\n(- .*\n)+\n<\/details>\n/)
    expect(text).toMatch(/^- such as `urn:v1:eu:identity:user:ab12-svc\/ann vps:.* --ip .*`$/m)
  })

  test('says of an exception for callers that another row has whom it is for', () => {
    const difference = region([{ name: 'care', allow: ['vps:*'], except: ['vps:apisvc:terminate'] }])
    const [one] = difference.gained as [DiffRegion]
    const exceptOf = (identities: readonly string[]) =>
      one.except.map((except) => ({ ...except, identities, actions: null, resources: null }))
    const wordsOf = (identities: readonly string[]) =>
      differenceMarkdown({ difference: { ...difference, gained: [{ ...one, identities: [user('ann')], except: exceptOf(identities) }] } })
    expect(wordsOf([user('bob'), group('ops')])).toContain(`except for ${group('ops')}: excepted`)
    expect(wordsOf([user('bob')])).toContain(`except for ${user('bob')}: excepted`)
  })

  // covers: T29
  test('gives no meaning to what policies hold', () => {
    const difference = region([{ name: '</details> | <img src=x> @all `a', allow: ['vps:*'], resources: [server('`*|<i>')] }])
    const text = differenceMarkdown({ difference })
    const row = text.split('\n').find((line) => line.startsWith('| `')) ?? ''
    expect(row.split(/(?<!\\)\|/)).toHaveLength(7)
    // Outside of code, there are no tags but its own.
    const outside = text.replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '')
    expect([...new Set(outside.match(/<[^>]*>/g))].sort()).toEqual(['</details>', '</summary>', '<details>', '<summary>'])
    expect(outside).not.toContain('@all')
  })

  test('is no longer than a build server takes', () => {
    const [one] = region([{ allow: ['vps:*'] }]).gained
    const long = (text: string) => Array.from({ length: 20 }, (_, i) => `${text}${i}${'é'.repeat(1000)}`)
    const wide = {
      ...(one as NonNullable<typeof one>),
      identities: long('urn:v1:eu:identity:user:'),
      actions: long('vps:'),
      resources: long('urn:v1:eu:resource:vps:').map((pattern) => ({ ...one?.resources[0], pattern }) as never),
    }
    const many = Array.from({ length: 60 }, () => wide)
    const text = differenceMarkdown({ difference: { verdict: 'changed', gained: many, lost: many, undecided: [] } })
    expect(Buffer.byteLength(text)).toBeLessThan(2 ** 20)
    expect(text).toMatch(/^\d+ more rows, about 20 people: `--all` lists them/m)
    expect(text).toContain('### Access lost')
  })
})
