import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { some } from '../support/effort.ts'
import { runProgram } from '../support/scenario.ts'

/** The findings of `lint` for a change: all policies are read, and only what the change can have caused is reported. */

const ann = 'urn:v1:eu:identity:user:ab12-svc/ann'
const policy = (name: string, permissions: object, more: object = {}) =>
  `${JSON.stringify({ name, identities: [ann], resources: [{ urn: 'urn:v1:eu:resource:vps:*' }], permissions, ...more }, null, 1)}\n`
const allow = (name: string, ...actions: string[]) => policy(name, { allow: actions.map((action) => ({ action })) })
const deny = (name: string, ...actions: string[]) => policy(name, { deny: actions.map((action) => ({ action })) })
const resource = (name: string, body: string) => `resource "svc_iam_policy" "${name}" {
  name       = "${name}"
  identities = ["${ann}"]
  resources  = ["urn:v1:eu:resource:vps:*"]
  allow      = ${body}
}
`
const guardrail = `brand: svc
guardrails:
  - code: acme/no-terminate
    message: nobody terminates servers
    severity: error
    never: { actions: "vps:apisvc:terminate", resources: "urn:v1:eu:resource:vps:*" }
`

let work: string
const put = (files: Readonly<Record<string, string | null>>) => {
  for (const [name, text] of Object.entries(files)) {
    const file = join(work, name)
    if (text === null) rmSync(file)
    else {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
  }
}
const git = (...args: string[]) => {
  const settings = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false', '-c', 'init.defaultBranch=main']
  const { status, stderr, stdout } = spawnSync('git', [...settings, '-c', 'protocol.file.allow=always', ...args], {
    cwd: work,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return stdout.trim()
}
const commit = (files: Readonly<Record<string, string | null>>) => {
  put(files)
  git('add', '-A')
  git('commit', '-qm', 'a commit')
}
const path = { PATH: process.env.PATH ?? '' }
/** The findings, `FILE:LINE CODE`, and the exit code. */
const lint = async (args: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = work) => {
  const { stdout, stderr, exit } = await runProgram(['lint', '--format', 'json', ...args], cwd, { ...path, ...env })
  const { findings = [] } =
    stdout === '' ? {} : (JSON.parse(stdout) as { findings: readonly { file: string; line: number; code: string }[] })
  return { found: findings.map(({ file, line, code }) => `${file}:${line} ${code}`), stderr, exit }
}
const nothing = { found: [], stderr: '', exit: 0 }

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'grantwise-changes-'))
  git('init', '-q')
})
afterEach(() => rmSync(work, { recursive: true }))

/** The ways to ask about what is staged and is in the folder as well. */
const ways = (files: readonly string[]): readonly (readonly string[])[] => [
  ['--staged'],
  ['--since', 'HEAD'],
  ['--changed'],
  ['--changed', ...files],
  ['--if-policy', ...files],
]

describe('files that policies are made of', () => {
  const main = resource('a', 'var.allow')
  const variables = 'variable "allow" { type = list(string) }\n'
  const values = (action: string) => `allow = ["vps:apisvc:${action}"]\n`
  const cases: readonly (readonly [string, Readonly<Record<string, string>>, Readonly<Record<string, string>>, readonly string[]])[] = [
    [
      'terraform.tfvars',
      { 'main.tf': main, 'variables.tf': variables, 'terraform.tfvars': values('reboot') },
      { 'terraform.tfvars': values('rebot') },
      ['terraform.tfvars:1 unknown-action'],
    ],
    [
      '*.auto.tfvars.json',
      { 'main.tf': main, 'variables.tf': variables, 'x.auto.tfvars.json': '{"allow":["vps:apisvc:reboot"]}' },
      { 'x.auto.tfvars.json': '{"allow":["vps:apisvc:rebot"]}' },
      ['x.auto.tfvars.json:1 unknown-action'],
    ],
    [
      'a default of a variable',
      { 'main.tf': main, 'variables.tf': 'variable "allow" { default = ["vps:apisvc:reboot"] }\n' },
      { 'variables.tf': 'variable "allow" { default = ["vps:apisvc:rebot"] }\n' },
      ['variables.tf:1 unknown-action'],
    ],
    [
      'a local value',
      { 'main.tf': resource('a', 'local.allow'), 'locals.tf': 'locals { allow = ["vps:apisvc:reboot"] }\n' },
      { 'locals.tf': 'locals { allow = ["vps:apisvc:rebot"] }\n' },
      ['locals.tf:1 unknown-action'],
    ],
    [
      'data of yamldecode',
      { 'main.tf': resource('a', 'yamldecode(file("${path.module}/data/actions.yaml"))'), 'data/actions.yaml': '- vps:apisvc:reboot\n' },
      { 'data/actions.yaml': '- vps:apisvc:rebot\n' },
      ['main.tf:5 unknown-action'],
    ],
    [
      'data of csvdecode, in a file that is never linted itself',
      { 'main.tf': resource('a', 'csvdecode(file("actions.csv"))[*].name'), 'actions.csv': 'name\nvps:apisvc:reboot\n' },
      { 'actions.csv': 'name\nvps:apisvc:rebot\n' },
      ['main.tf:5 unknown-action'],
    ],
    [
      'a template',
      { 'main.tf': resource('a', '[templatefile("action.tftpl", { verb = "reboot" })]'), 'action.tftpl': 'vps:apisvc:${verb}' },
      { 'action.tftpl': 'vps:apisvc:${verb}x' },
      ['main.tf:5 unknown-action'],
    ],
    [
      'a local module that is called',
      {
        'main.tf': 'module "team" {\n  source = "./team"\n}\n',
        'team/main.tf': resource('a', 'local.x'),
        'team/x.tf': 'locals { x = ["vps:apisvc:reboot"] }\n',
      },
      { 'team/x.tf': 'locals { x = ["vps:apisvc:rebot"] }\n' },
      ['team/x.tf:1 unknown-action'],
    ],
    [
      'a module that calls',
      {
        'main.tf': 'module "team" {\n  source = "./modules/team"\n  allow  = ["vps:apisvc:reboot"]\n}\n',
        'modules/team/main.tf': `${resource('a', 'var.allow')}variable "allow" { type = list(string) }\n`,
      },
      { 'main.tf': 'module "team" {\n  source = "./modules/team"\n  allow  = ["vps:apisvc:rebot"]\n}\n' },
      ['main.tf:3 unknown-action'],
    ],
    [
      'a permissions group that policies in other files name',
      {
        'group.yaml':
          'permissionsGroups:\n  - { name: ops, urn: "urn:v1:eu:permissionsGroup:ab12-svc:ops", permissions: { allow: [{ action: "vps:apisvc:get" }] } }\n',
        'a.json': policy('a', {}, { permissionsGroups: [{ urn: 'urn:v1:eu:permissionsGroup:ab12-svc:ops' }] }),
        '.grantwise.yaml': guardrail,
      },
      {
        'group.yaml':
          'permissionsGroups:\n  - { name: ops, urn: "urn:v1:eu:permissionsGroup:ab12-svc:ops", permissions: { allow: [{ action: "vps:apisvc:terminate" }] } }\n',
      },
      ['a.json:14 acme/no-terminate'],
    ],
  ]
  test.each(cases)('%s', async (_, base, change, found) => {
    commit(base)
    put(change)
    git('add', '-A')
    const plain = (await lint([])).found
    expect(plain).toEqual(found)
    for (const args of some(ways(Object.keys(change)), 4)) expect([args, (await lint(args)).found]).toEqual([args, found])
  })

  test.each(cases)('%s: nothing is reported of it where another file changes', async (_, base, change) => {
    commit({ ...base, ...change })
    put({ 'other.json': allow('other', 'vps:apisvc:get') })
    git('add', '-A')
    for (const args of some(ways(['other.json']).slice(1), 4)) expect([args, (await lint(args)).found]).toEqual([args, []])
  })

  test('the inventory of the configuration', async () => {
    const inventory = (group: string) => `identities:\n  - { urn: "${ann}", groups: ["urn:v1:eu:identity:group:ab12-svc/${group}"] }\n`
    const only = `brand: svc
policies: [policies]
world: [inventory.yaml]
guardrails:
  - code: acme/only-ops
    message: only operators reboot
    severity: error
    only: { identities: "urn:v1:eu:identity:group:ab12-svc/ops", actions: "vps:apisvc:reboot", resources: "urn:v1:eu:resource:vps:*" }
`
    commit({ '.grantwise.yaml': only, 'inventory.yaml': inventory('ops'), 'policies/a.json': allow('a', 'vps:apisvc:reboot') })
    expect((await lint([])).found).toEqual([])
    put({ 'inventory.yaml': inventory('web') })
    git('add', '-A')
    const found = (await lint([])).found
    expect(found).toContain('policies/a.json:4 acme/only-ops')
    for (const args of ways(['inventory.yaml'])) expect([args, (await lint(args)).found]).toEqual([args, found])
  })
})

describe('guardrails and rules about all policies', () => {
  const base = {
    '.grantwise.yaml': guardrail,
    'allow.json': allow('ops', 'vps:apisvc:*'),
    'deny.json': deny('never', 'vps:apisvc:terminate'),
  }

  test('see what does not change', async () => {
    commit(base)
    put({ 'allow.json': `${base['allow.json']}\n` })
    git('add', '-A')
    for (const args of ways(['allow.json'])) expect([args, await lint(args)]).toEqual([args, nothing])
  })

  test('are broken by what is removed', async () => {
    commit(base)
    git('rm', '-q', 'deny.json')
    for (const args of [['--staged'], ['--since', 'HEAD'], ['--changed'], ['--changed', 'allow.json'], ['--if-policy', 'allow.json']])
      expect([args, (await lint(args)).found]).toEqual([args, ['allow.json:14 acme/no-terminate']])
  })

  test('are broken by what is renamed to what is not read, and not by what is only moved', async () => {
    commit(base)
    git('mv', 'deny.json', 'moved.json')
    expect(await lint(['--staged'])).toEqual(nothing)
    git('mv', 'moved.json', 'moved.txt')
    expect((await lint(['--staged'])).found).toEqual(['allow.json:14 acme/no-terminate'])
  })

  test('of a file that is not changed, what was broken before is not reported', async () => {
    commit({
      ...base,
      'old.json': policy('old', { allow: [{ action: 'vps:apisvc:rebot' }] }),
      'deny.json': deny('never', 'vps:apisvc:start'),
    })
    put({ 'new.json': allow('new', 'vps:apisvc:get') })
    git('add', '-A')
    for (const args of ways(['new.json'])) expect([args, await lint(args)]).toEqual([args, nothing])
  })

  test('what is in a changed file is reported, new or not', async () => {
    commit({ 'old.json': allow('old', 'vps:apisvc:rebot') })
    put({ 'old.json': `${allow('old', 'vps:apisvc:rebot')}\n` })
    git('add', '-A')
    for (const args of ways(['old.json'])) expect([args, (await lint(args)).found]).toEqual([args, ['old.json:14 unknown-action']])
  })

  test('a guardrail that the change adds is decided over all files', async () => {
    commit({ 'allow.json': allow('ops', 'vps:apisvc:*'), 'typo.json': allow('typo', 'vps:apisvc:rebot') })
    put({ '.grantwise.yaml': guardrail })
    git('add', '-A')
    for (const args of ways(['.grantwise.yaml']))
      expect([args, (await lint(args)).found]).toEqual([args, ['allow.json:14 acme/no-terminate']])
  })

  test('a configuration that is removed, and a catalogue that is another one: all is reported, and that is said', async () => {
    commit({ 'sub/.grantwise.yaml': 'brand: svc\nrules: { unknown-action: "off" }\n', 'sub/a.json': allow('a', 'vps:apisvc:rebot') })
    git('rm', '-q', 'sub/.grantwise.yaml')
    const { found, stderr } = await lint(['--staged'])
    expect(found).toEqual(['sub/a.json:14 unknown-action'])
    expect(stderr).toBe('grantwise: note: `sub/.grantwise.yaml` is removed: the findings of all files are reported\n')
  })

  test('a suppression that the change makes useless', async () => {
    const ignored = 'ignores:\n  - { files: "a.json", codes: [unknown-action], reason: legacy }\n'
    commit({
      '.grantwise.yaml': `brand: svc\n${ignored}`,
      'a.json': allow('a', 'vps:apisvc:rebot'),
      'b.json': allow('b', 'vps:apisvc:strt'),
    })
    expect((await lint([])).found).toEqual(['b.json:14 unknown-action'])
    put({ 'a.json': allow('a', 'vps:apisvc:reboot') })
    git('add', '-A')
    for (const args of ways(['a.json'])) expect([args, (await lint(args)).found]).toEqual([args, ['.grantwise.yaml:3 unused-ignore']])
  })
})

describe('states of a repository', () => {
  const base = {
    '.grantwise.yaml': guardrail,
    'allow.json': allow('ops', 'vps:apisvc:*'),
    'deny.json': deny('never', 'vps:apisvc:terminate'),
  }

  test('a first commit', async () => {
    put({ 'a.json': allow('a', 'vps:apisvc:rebot') })
    git('add', '-A')
    for (const args of [['--staged'], ['--changed'], ['--if-policy', 'a.json']])
      expect([args, (await lint(args)).found]).toEqual([args, ['a.json:14 unknown-action']])
  })

  test('partly staged: the index counts, and not what is in the folder', async () => {
    commit(base)
    put({ 'deny.json': deny('never', 'vps:apisvc:reboot') })
    git('add', 'deny.json')
    put({ 'deny.json': base['deny.json'] })
    expect((await lint(['--staged'])).found).toEqual(['allow.json:14 acme/no-terminate'])
    expect((await lint(['--since', 'HEAD'])).found).toEqual([])
    put({ 'deny.json': deny('never', 'vps:apisvc:start'), 'x.json': allow('x', 'vps:apisvc:get') })
    git('reset', '-q', 'deny.json')
    git('add', 'x.json')
    // The broken file of the folder is not the committed one.
    expect(await lint(['--staged'])).toEqual(nothing)
    expect(await lint(['--if-policy', 'x.json'])).toEqual(nothing)
    expect((await lint(['--since', 'HEAD'])).found).toEqual(['allow.json:14 acme/no-terminate'])
  })

  test('what git does not know belongs to no commit', async () => {
    commit({ '.grantwise.yaml': guardrail, 'allow.json': allow('ops', 'vps:apisvc:get') })
    put({ 'allow.json': allow('ops', 'vps:apisvc:*'), 'deny.json': base['deny.json'] })
    git('add', 'allow.json')
    expect((await lint(['--staged'])).found).toEqual(['allow.json:14 acme/no-terminate'])
    expect((await lint(['--changed', 'allow.json'])).found).toEqual(['allow.json:14 acme/no-terminate'])
    expect((await lint(['--since', 'HEAD'])).found).toEqual([])
    // Named, it is one of the files that are linted.
    expect((await lint(['--changed', 'allow.json', 'deny.json'])).found).toEqual([])
  })

  test('the configuration is the one that is staged', async () => {
    commit({ '.grantwise.yaml': 'brand: svc\n', 'allow.json': allow('ops', 'vps:apisvc:*') })
    put({ '.grantwise.yaml': guardrail })
    git('add', '-A')
    put({ '.grantwise.yaml': 'brand: svc\n' })
    expect((await lint(['--staged'])).found).toEqual(['allow.json:14 acme/no-terminate'])
  })

  test('from a folder of the repository', async () => {
    commit({ 'sub/.grantwise.yaml': guardrail, 'sub/allow.json': base['allow.json'], 'sub/deny.json': base['deny.json'] })
    git('rm', '-q', 'sub/deny.json')
    const found = ['allow.json:14 acme/no-terminate']
    expect((await lint(['--staged'], {}, join(work, 'sub'))).found).toEqual(found)
    // A hook names its index from the top of the repository.
    expect((await lint(['--staged'], { GIT_INDEX_FILE: '.git/index' }, join(work, 'sub'))).found).toEqual(found)
    expect((await lint(['--changed', 'allow.json'], {}, join(work, 'sub'))).found).toEqual(found)
  })

  test('paths say what is reported, and not what is read', async () => {
    commit({ ...base, 'p/a.json': allow('a', 'vps:apisvc:terminate') })
    put({ 'p/a.json': allow('a', 'vps:apisvc:terminate', 'vps:apisvc:rebot') })
    git('add', '-A')
    expect((await lint(['--staged', 'p'])).found).toEqual(['p/a.json:17 unknown-action'])
    expect((await lint(['--staged', 'allow.json'])).found).toEqual([])
  })

  test('a submodule is named and not read', async () => {
    commit(base)
    const other = mkdtempSync(join(tmpdir(), 'grantwise-other-'))
    const first = work
    work = other
    git('init', '-q')
    commit({ 'a.json': allow('a', 'vps:apisvc:rebot') })
    work = first
    git('submodule', '--quiet', 'add', other, 'policies.json')
    expect(await lint(['--staged'])).toEqual({
      ...nothing,
      stderr: 'grantwise: note: policies.json: another repository: what it holds is not read\n',
    })
    git('commit', '-qm', 'with a submodule')
    put({ 'allow.json': `${base['allow.json']}\n` })
    git('add', 'allow.json')
    expect(await lint(['--staged'])).toEqual(nothing)
    rmSync(other, { recursive: true })
  })

  test('a link to what is not read is refused where it changes, and no reason to refuse other changes', async () => {
    commit({ ...base, 'x.txt': allow('x', 'vps:apisvc:terminate') })
    symlinkSync('x.txt', join(work, 'evil.json'))
    git('add', '-A')
    expect(await lint(['--staged'])).toMatchObject({
      exit: 2,
      stderr: 'grantwise: evil.json: a symbolic link, not followed: name the file it points to\n',
    })
    git('commit', '-qm', 'a link')
    put({ 'allow.json': `${base['allow.json']}\n` })
    git('add', 'allow.json')
    expect(await lint(['--staged'])).toEqual(nothing)
  })

  test('what cannot be read and does not change is said, and refuses nothing', async () => {
    put({ 'old.json': '{"name": "\u0000"}' })
    commit(base)
    put({ 'allow.json': `${base['allow.json']}\n` })
    git('add', '-A')
    expect(await lint(['--staged'])).toEqual({
      ...nothing,
      stderr: 'grantwise: note: old.json: not a text file: it contains a NUL byte: the change is linted without it\n',
    })
    put({ 'old.json': '{"name": "\u0000\u0000"}' })
    git('add', '-A')
    expect((await lint(['--staged'])).exit).toBe(2)
  })

  test('files that git does not know are linted alone, as they are without git', async () => {
    commit(base)
    put({ 'plan.json': allow('ops', 'vps:apisvc:terminate'), '.gitignore': 'plan.json\n' })
    const { found } = await lint(['--if-policy', 'plan.json'])
    expect(found).toEqual(['plan.json:14 acme/no-terminate'])
    rmSync(join(work, '.git'), { recursive: true })
    expect((await lint(['--if-policy', 'plan.json'])).found).toEqual(found)
    expect(await lint(['--changed'])).toEqual(nothing)
  })
})

describe('pre-commit', () => {
  test('compares with the commit that the run begins at', async () => {
    commit({ '.grantwise.yaml': guardrail, 'allow.json': allow('ops', 'vps:apisvc:*'), 'deny.json': deny('never', 'vps:apisvc:terminate') })
    const from = git('rev-parse', 'HEAD')
    commit({ 'deny.json': null })
    commit({ 'z.json': allow('z', 'vps:apisvc:get') })
    const env = { PRE_COMMIT: '1', PRE_COMMIT_FROM_REF: from, PRE_COMMIT_TO_REF: 'HEAD' }
    expect((await lint(['--changed', 'z.json'], env)).found).toEqual(['allow.json:14 acme/no-terminate'])
    expect(await lint(['--changed', 'z.json'])).toEqual(nothing)
  })

  test('prints what to do, as every hook does', async () => {
    put({ 'a.json': allow('a', 'vps:apisvc:rebot') })
    git('add', '-A')
    for (const env of [{ PRE_COMMIT: '1' }, { GIT_INDEX_FILE: '.git/index' }]) {
      const { stdout } = await runProgram(['lint', '--changed', 'a.json'], work, { ...path, ...env })
      expect(stdout).toContain('= help: did you mean `vps:apisvc:reboot`?')
    }
  })
})

describe('fixes', () => {
  test('are made in the files that change, and in no others', async () => {
    const twice = (name: string) => allow(name, 'vps:apisvc:get', 'vps:apisvc:get')
    commit({ 'old.json': twice('old'), 'a.json': allow('a', 'vps:apisvc:get') })
    put({ 'a.json': twice('a') })
    git('add', '-A')
    const { exit } = await lint(['--fix', '--if-policy', 'a.json'])
    expect(exit).toBe(0)
    expect(readFileSync(join(work, 'old.json'), 'utf8')).toBe(twice('old'))
    expect(JSON.parse(readFileSync(join(work, 'a.json'), 'utf8')).permissions.allow).toHaveLength(1)
  })
})
