import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { mainIn } from '../support/in-process.ts'

/** `lint --new-since`: which findings are new, and what does not get past it. */

const top = mkdtempSync(join(tmpdir(), 'new-since-'))
let folder = top
let count = 0
const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=ada', '-c', 'user.email=ada@example.org', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, GIT_AUTHOR_DATE: '2026-03-01T00:00:00Z', GIT_COMMITTER_DATE: '2026-03-01T00:00:00Z' },
  }).trim()
afterAll(() => rmSync(top, { recursive: true, force: true }))

const user = (name: string) => `urn:v1:eu:identity:user:ab12-svc/${name}`
const ops = 'urn:v1:eu:identity:group:ab12-svc/ops'
const servers = 'urn:v1:eu:resource:vps:*'
interface Policy {
  readonly name: string
  readonly identities: readonly string[]
  readonly resources: readonly { readonly urn: string }[]
  readonly permissions: object
  readonly conditions?: object
}
const policy = (name: string, identities: readonly string[], actions: readonly string[], more: object = {}): Policy => ({
  name,
  identities,
  resources: [{ urn: servers }],
  permissions: { allow: actions.map((action) => ({ action })) },
  ...more,
})
const deny = (action: string): Policy => policy('guard', [user('*')], [], { permissions: { deny: [{ action }] } })
const write = (name: string, ...policies: readonly object[]) => writeFileSync(join(folder, name), JSON.stringify(policies, null, 1))
const config = (text: string) => writeFileSync(join(folder, '.grantwise.yaml'), text)

beforeEach(() => {
  folder = join(top, `${count++}`)
  mkdirSync(folder)
  git('init', '--quiet', '--initial-branch=main')
  config('extends: strict\npolicies: [iam]\n')
  mkdirSync(join(folder, 'iam'))
})

function commit(): void {
  git('add', '--all')
  git('commit', '--quiet', '--allow-empty', '--message', 'state')
  git('tag', '--force', 'v1')
}

interface Result {
  readonly codes: readonly string[]
  readonly exit: number
  readonly stderr: string
  readonly findings: readonly {
    readonly code: string
    readonly severity: string
    readonly help: string
    readonly new: { readonly reason: string }
  }[]
  readonly newSince: { readonly old: number }
}

async function lint(...args: readonly string[]): Promise<Result> {
  const { stdout, stderr, exit } = await mainIn(['lint', '--new-since', 'v1', '--format', 'json', ...args], folder)
  const { findings = [], newSince } = stdout === '' ? {} : JSON.parse(stdout)
  return { codes: [...new Set(findings.map(({ code }: { code: string }) => code))] as string[], exit, stderr, findings, newSince }
}

const rebuild = policy('rebuild', [user('ann')], ['vps:apisvc:rebuild'])
const risky = 'unbounded-destruction'

describe('nothing is new', () => {
  beforeEach(() => {
    write(
      'iam/a.json',
      policy('ops', [user('ann'), user('bob')], ['vps:apisvc:rebuild', 'vps:apisvc:reboot']),
      deny('vps:apisvc:terminate'),
    )
    commit()
  })
  const isOld = async () => {
    const { codes, exit, newSince } = await lint('--only', `${risky},individual-user`)
    expect([codes, exit]).toEqual([[], 0])
    expect(newSince.old).toBeGreaterThan(0)
  }

  test('where nothing changes', isOld)
  test('where policies move to another file', async () => {
    renameSync(join(folder, 'iam/a.json'), join(folder, 'iam/b.json'))
    await isOld()
  })
  test('where the whole folder moves, with the configuration', async () => {
    renameSync(join(folder, 'iam'), join(folder, 'policies'))
    config('extends: strict\npolicies: [policies]\n')
    await isOld()
  })
  test('where they are renamed, reordered and split', async () => {
    const actions = ['vps:apisvc:reboot', 'vps:apisvc:rebuild']
    write('iam/a.json', deny('vps:apisvc:terminate'), policy('of bob', [user('bob')], actions), policy('of ann', [user('ann')], actions))
    await isOld()
  })
  test('where access shrinks', async () => {
    write('iam/a.json', policy('ops', [user('ann')], ['vps:apisvc:rebuild']), deny('vps:apisvc:terminate'))
    await isOld()
  })
})

describe('new access is found', () => {
  const isNew = async (code = risky, ...args: readonly string[]) => {
    const { codes, exit, findings } = await lint('--only', code, ...args)
    expect([codes, exit]).toEqual([[code], 1])
    expect(findings.map((finding) => finding.new.reason)).toEqual(findings.map(() => 'access'))
  }

  test('of an entry that is widened, which had a finding', async () => {
    write('iam/a.json', policy('ops', [user('ann')], ['vps:apisvc:rebuild']))
    commit()
    write('iam/a.json', policy('ops', [user('ann')], ['vps:*']))
    await isNew()
  })
  test('of a second identity, in a file that moves', async () => {
    write('iam/a.json', rebuild)
    commit()
    rmSync(join(folder, 'iam/a.json'))
    write('iam/b.json', { ...rebuild, identities: [user('ann'), user('bob')] })
    await isNew()
  })
  test('where a deny is removed, and the entry that grants is old', async () => {
    write('iam/a.json', rebuild)
    write('iam/deny.json', deny('vps:apisvc:rebuild'))
    commit()
    rmSync(join(folder, 'iam/deny.json'))
    await isNew()
  })
  test('where a deny is removed in another file than is linted', async () => {
    write('iam/a.json', rebuild)
    write('iam/deny.json', deny('vps:apisvc:rebuild'))
    commit()
    rmSync(join(folder, 'iam/deny.json'))
    const { codes, exit } = await lint('iam/a.json', '--only', risky)
    expect([codes, exit]).toEqual([[risky], 1])
  })
  test('where a condition is removed, or an exception', async () => {
    write('iam/a.json', { ...rebuild, conditions: { operator: 'MATCH', values: { 'request.IP.IN_RANGE': '203.0.113.0/24' } } })
    commit()
    write('iam/a.json', rebuild)
    await isNew()
  })
  test('where a user joins a group that a policy names', async () => {
    write('iam/a.json', { ...rebuild, identities: [ops] })
    writeFileSync(join(folder, 'world.json'), JSON.stringify({ identities: [{ urn: user('ann'), groups: [] }] }))
    config('extends: strict\npolicies: [iam]\nworld: [world.json]\n')
    commit()
    writeFileSync(join(folder, 'world.json'), JSON.stringify({ identities: [{ urn: user('ann'), groups: [ops] }] }))
    await isNew()
  })
  test('where a resource gets the tag that a condition asks for', async () => {
    const urn = 'urn:v1:eu:resource:vps:web-1'
    const world = (env: string) =>
      writeFileSync(
        join(folder, 'world.json'),
        JSON.stringify({ identities: [{ urn: user('ann'), groups: [] }], resources: [{ urn, tags: { env } }] }),
      )
    write(
      'iam/a.json',
      policy('p', [user('ann')], ['vps:apisvc:setPassword'], { conditions: { operator: 'MATCH', values: { 'resource.Tag(env)': 'dev' } } }),
    )
    config('extends: strict\npolicies: [iam]\nworld: [world.json]\n')
    world('prod')
    commit()
    world('dev')
    await isNew('grants-credentials', '--fail-on', 'info')
  })
  test('where a policy names a permissions group that was there', async () => {
    const urn = 'urn:v1:eu:permissionsGroup:ab12-svc:all'
    const group = { permissionsGroups: [{ urn, name: 'all', permissions: { allow: [{ action: '*' }] } }] }
    writeFileSync(join(folder, 'iam/groups.json'), JSON.stringify(group))
    commit()
    write('iam/a.json', { ...policy('p', [user('ann')], []), permissions: {}, permissionsGroups: [{ urn }] })
    const { findings, exit } = await lint('--preset', 'auditor', '--only', 'allow-everything,risk')
    expect(exit).toBe(1)
    expect(findings.every((finding) => finding.new.reason === 'access')).toBe(true)
  })
  test('where a folder of policies is added to the configuration, whose files are old', async () => {
    mkdirSync(join(folder, 'more'))
    write('more/a.json', rebuild)
    write('iam/a.json', policy('p', [user('bob')], ['vps:apisvc:get']))
    commit()
    config('extends: strict\npolicies: [iam, more]\n')
    await isNew()
  })
  test('of a finding that rests on other policies, where these grant more', async () => {
    // Ann controls the server that runs as deploy, and deploy is given more.
    const deploy = (...actions: readonly string[]) => policy('deploy', [user('deploy')], ['vps:apisvc:get', ...actions])
    const control = policy('control', [user('ann')], ['vps:apisvc:get', 'vps:apisvc:getConsoleUrl'])
    const runsAs = JSON.stringify([{ resource: 'urn:v1:eu:resource:vps:web-1', identity: user('deploy') }])
    const options = ['--rule-option', `escalates-through-resource.runsAs=${runsAs}`]
    write('iam/a.json', control, deploy('vps:apisvc:reboot'))
    commit()
    expect((await lint('--only', 'escalates-through-resource', ...options)).codes).toEqual([])
    write('iam/a.json', control, deploy('vps:apisvc:reboot', 'vps:apisvc:terminate'))
    await isNew('escalates-through-resource', ...options)
  })
  test('where another policy lets an identity set the tag that its grant depends on', async () => {
    const conditions = { operator: 'MATCH', values: { 'resource.Tag(env)': 'dev' } }
    const byTag = policy('by tag', [user('ann')], ['vps:apisvc:rebuild'], { conditions })
    write('iam/a.json', byTag)
    commit()
    const resources = [{ urn: 'urn:v1:eu:resource:account:ab12-svc' }]
    write('iam/a.json', byTag, policy('tagging', [user('ann')], ['account:apisvc:iam/resource/tag/*'], { resources }))
    await isNew('self-service-tag', '--preset', 'auditor', '--fail-on', 'info')
  })
  test('where no policy existed', async () => {
    commit()
    write('iam/a.json', rebuild)
    await isNew()
  })
})

describe('a configuration of the same change does not hide new access', () => {
  beforeEach(() => {
    write('iam/a.json', rebuild)
    commit()
    write('iam/a.json', { ...rebuild, identities: [user('ann'), user('bob')] })
  })
  test.each([
    ['a rule that is switched off', `rules: { ${risky}: off }`],
    ['a lower level', `rules: { ${risky}: info }`],
    ['a finding that is ignored', `ignores:\n  - { codes: [${risky}], files: "iam/*", reason: later }`],
    ['nothing fails any more', 'failOn: never'],
    ['another preset', ''],
  ])('%s', async (about, text) => {
    config(`${about === 'another preset' ? '' : 'extends: strict\n'}policies: [iam]\n${text}\n`)
    const { codes, exit, findings } = await lint()
    expect(codes).toContain(risky)
    expect(exit).toBe(1)
    expect(findings.find(({ code }) => code === risky)?.severity).toBe('warning')
  })
  test('a finding that only the earlier configuration has says so', async () => {
    config(`extends: strict\npolicies: [iam]\nrules: { ${risky}: off }\n`)
    expect((await lint()).findings.find(({ code }) => code === risky)?.help).toMatch(/the configuration of commit \w+ reports this/)
  })
})

describe('other findings are new with their text', () => {
  test('an unknown action that was there is old, and another one is new', async () => {
    write('iam/a.json', policy('p', [user('ann')], ['vps:apisvc:rebot']))
    commit()
    expect((await lint('--only', 'unknown-action')).codes).toEqual([])
    write('iam/a.json', policy('p', [user('ann')], ['vps:apisvc:rebot', 'vps:apisvc:stopp']))
    const { findings, newSince } = await lint('--only', 'unknown-action')
    expect(findings.map((finding) => finding.new.reason)).toEqual(['text'])
    expect(newSince.old).toBe(1)
  })
  test('a second finding of the same text is new', async () => {
    write('iam/a.json', policy('p', [user('ann')], ['vps:apisvc:rebot']))
    commit()
    write('iam/b.json', policy('p', [user('bob')], ['vps:apisvc:rebot']))
    expect((await lint('--only', 'unknown-action')).codes).toEqual(['unknown-action'])
  })
})

describe('where it cannot be known', () => {
  test('policies that cannot be read at the commit are an error', async () => {
    write('iam/a.json', { ...rebuild, identites: [] })
    commit()
    write('iam/a.json', rebuild)
    const { exit, stderr, findings } = await lint()
    expect([exit, findings]).toEqual([2, []])
    expect(stderr).toMatch(/--new-since `v1`: the policies of commit \w+ cannot be read/)
  })
  test('every finding on access is new where the policies of now are not understood', async () => {
    write('iam/a.json', rebuild)
    commit()
    write('iam/b.json', { ...rebuild, identites: [] })
    const { exit, findings } = await lint()
    expect(exit).toBe(1)
    expect(findings.find(({ code }) => code === risky)?.new.reason).toBe('undecided')
  })
  test('a commit that a shallow clone does not have is an error', async () => {
    write('iam/a.json', rebuild)
    commit()
    const first = git('rev-parse', 'HEAD')
    write('iam/a.json', { ...rebuild, identities: [user('bob')] })
    commit()
    const clone = join(top, `${count++}`)
    execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${folder}`, clone])
    const { exit, stderr } = await mainIn(['lint', '--new-since', first], clone)
    expect(exit).toBe(2)
    expect(stderr).toContain('shallow')
  })
  test.each([['nope'], [''], ['-x'], ['2099-01-01'], ['1999-01-01']])('`%s` is refused', async (reference) => {
    write('iam/a.json', rebuild)
    commit()
    const { exit, stderr, stdout } = await mainIn(['lint', `--new-since=${reference}`], folder)
    expect([exit, stdout]).toEqual([2, ''])
    expect(stderr).toContain('--new-since')
  })
  test.each([[['--since', 'v1']], [['--staged']], [['--baseline', 'b.json']], [['--fix']], [['-']]])(
    '%j is refused with it',
    async (more) => {
      const { exit, stderr } = await mainIn(['lint', '--new-since', 'v1', ...more], folder)
      expect(exit).toBe(2)
      expect(stderr).toContain('--new-since')
    },
  )
  test('a folder without git is refused', async () => {
    const bare = mkdtempSync(join(tmpdir(), 'no-git-'))
    writeFileSync(join(bare, 'a.json'), JSON.stringify(rebuild))
    expect((await mainIn(['lint', '--new-since', 'v1'], bare)).exit).toBe(2)
    rmSync(bare, { recursive: true })
  })
})
