import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  allow,
  bob,
  branch,
  branches,
  call,
  committed,
  deny,
  enter,
  git,
  here,
  none,
  plain,
  policy,
  propose,
  proposed,
  refusedBody,
  run,
  server,
  write,
} from '../support/proposing.ts'

/** Branches of `call --from-403 --propose` in repositories of many kinds. */

describe('a branch', () => {
  test('is described in its commit, and in a file for the pull request', async () => {
    committed(plain)
    const { exit, stdout } = await propose('--description', 'pull-request.md', '--expires', '2027-01-31')
    expect(exit).toBe(0)
    const claim = 'gains exactly: user/bob may `vps:apisvc:reboot` on `vps:vps-1` until Sun 2027-01-31 23:59:59 UTC; nothing else changes'
    const message = git('log', '-1', '--format=%B', branch)
    expect(message.split('\n')[0]).toBe('Allow user/bob vps:apisvc:reboot until 2027-01-31')
    for (const text of [stdout, message, readFileSync(here('pull-request.md'), 'utf8')]) {
      expect(text).toContain(claim)
      expect(text).toContain('`policies/allow-bob-reboot.iamtest.yaml`: fails without this change, passes with it')
      expect(text).toContain('lint: no new finding')
      expect(text).toContain('`User not granted for this request`')
    }
    expect((await propose('--description', 'pull-request.md', '--replace')).exit).toBe(0)
    expect(stdout).toMatch(/\nbranch grantwise\/allow-bob-reboot is written: commit \w{12} on \w{12}; nothing is pushed\n$/)
  })

  test('has a new file where each policy has one, and another expiry where it allowed this before', async () => {
    committed({ 'policies/a.yaml': 'name: a\nidentities: []\nresources: []\npermissions: {}\n' })
    expect((await proposed()).files.map(({ path }) => path)).toEqual(['policies/allow-bob-reboot.yaml'])
    git('checkout', '--quiet', branch)
    write({
      'policies/allow-bob-reboot.yaml': readFileSync(here('policies/allow-bob-reboot.yaml'), 'utf8').replace('2026-12', '2026-11'),
    })
    git('commit', '--quiet', '--all', '--message', 'expired')
    const again = await proposed('--branch', 'again', '--expires', '1d')
    expect({ edit: again.edit, claim: again.claim }).toEqual({ edit: 'renewal', claim: 'exact' })
    expect(git('diff', '--numstat', branch, 'again').trim().split('\n')).toEqual([
      '19\t0\tpolicies/allow-bob-reboot-2.iamtest.yaml',
      '1\t1\tpolicies/allow-bob-reboot.yaml',
    ])
  })

  test('keeps line ends and a byte order mark, runs no hook, and is written from a folder below', async () => {
    committed({
      'policies/team.yaml': `\ufeffpolicies:\r\n  - name: watching\r\n    identities: [${bob}]\r\n    resources: []\r\n    permissions: {}\r\n`,
      'docs/readme.txt': '',
    })
    for (const hook of ['pre-commit', 'post-commit', 'reference-transaction']) {
      write({ [`.git/hooks/${hook}`]: '#!/bin/sh\ntouch hooked\nexit 1\n' })
      execFileSync('chmod', ['+x', here(`.git/hooks/${hook}`)])
    }
    enter('docs')
    const { exit, stderr } = await run(...call.map((word) => (word === '403.json' ? '../403.json' : word)), '-p', '../policies/team.yaml')
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    enter('..')
    expect(existsSync(here('hooked'))).toBe(false)
    const text = git('show', `${branch}:policies/team.yaml`)
    expect(text.startsWith('\ufeffpolicies:\r\n')).toBe(true)
    expect(
      text
        .split('\n')
        .slice(0, -1)
        .every((line) => line.endsWith('\r')),
    ).toBe(true)
    expect(git('diff', '--name-only', 'main', branch).trim().split('\n')).toHaveLength(2)
  })
})

describe('the claim', () => {
  test('says when the call was allowed before, and when it remains denied', async () => {
    const weekends = { conditions: { operator: 'MATCH', values: { 'date(UTC).WeekDay.IN': 'Saturday,Sunday' } } }
    const monday = { conditions: { operator: 'MATCH', values: { 'date(UTC).WeekDay': 'Monday' } } }
    committed({
      'policies/team.json': [policy('weekends', allow('vps:apisvc:reboot'), weekends), policy('mondays', deny('vps:*'), monday)],
    })
    const { exit, stdout } = await propose()
    expect(exit).toBe(0)
    expect(stdout).toContain(
      'gains no more than: user/bob may `vps:apisvc:reboot` on `vps:vps-1` until Wed 2026-12-09 12:00 UTC; nothing else',
    )
    expect(stdout).toContain('remains denied: `vps:apisvc:reboot` on `vps:vps-1`, Mondays UTC')
    expect(stdout).toContain('allowed before as well: `vps:apisvc:reboot` on `vps:vps-1`, weekends UTC')
  })

  test('is none of equality for a group, whose members may make the call: nothing is written without `--force`', async () => {
    committed(plain)
    const group = [
      'call',
      'POST',
      '/v1/vps/vps-1/reboot',
      '--identity',
      'urn:v1:eu:identity:group:ab12-svc/ops',
      '--from-403',
      '403.json',
      '--propose',
    ]
    const { exit, stdout } = await run(...group)
    expect(exit).toBe(1)
    expect(stdout).toContain('no branch is written: the edit changes more than the refused call')
    expect(stdout).toContain('also gained: group/ops may vps:apisvc:reboot on vps:vps-1 until Wed 2026-12-09 12:00 UTC')
    expect(branches()).toEqual(['main'])
    const forced = await run(...group, '--force')
    expect(forced.exit).toBe(0)
    const [, created = ''] = branches()
    expect(git('log', '-1', '--format=%B', branches().find((each) => each !== 'main') ?? created)).toContain(
      'changes more than the request',
    )
    expect(forced.stdout).not.toContain('gains exactly')
  })

  test('is none where a file that may be deployed differs', async () => {
    committed({
      ...plain,
      'policies/send.sh': '#!/bin/sh\nfor file in policies/*; do curl -X POST -d @$file https://api.example.org/v2/iam/policy; done\n',
    })
    const { exit, reason } = await proposed()
    expect({ exit, reason }).toEqual({ exit: 3, reason: 'it is not proved that the edit changes nothing but the refused call' })
    expect(await proposed('--test', 'tests/reboot.iamtest.yaml')).toMatchObject({ exit: 0, claim: 'exact' })
  })

  test('names errors of lint that the edit would add', async () => {
    const guardrail =
      'guardrails:\n  - code: acme/no-reboots\n    message: no reboots\n    severity: error\n    never: { actions: "vps:apisvc:reboot", resources: "urn:v1:eu:resource:*" }\n'
    committed({ ...plain, '.grantwise.yaml': `policies: [policies]\n${guardrail}` })
    const { exit, reason } = await proposed()
    expect({ exit, reason }).toEqual({ exit: 1, reason: 'the edit would add 1 error of lint' })
    expect(await proposed('--force')).toMatchObject({ exit: 0, findings: [{ severity: 'error' }] })
  })
})

describe('no branch is written', () => {
  test('where a fact is missing, or the call is not known', async () => {
    committed({ 'policies/team.json': [policy('some', {}, { permissionsGroups: [{ urn: 'urn:v1:eu:permissionsGroup:ab12-svc:other' }] })] })
    await none(3, 'it depends on what is not known')
    const { exit, stdout } = await run('call', 'POST', '/v1/no/such', '--identity', bob, '--from-403', '403.json', '--propose')
    expect(exit).toBe(3)
    expect(stdout).toContain('no branch is written')
  })

  test('where the file is not the only one that it can be, differs from HEAD, or is not read', async () => {
    committed({ 'policies/a.json': [policy('a', {})], 'policies/b.json': [policy('b', {})], '.gitignore': 'ignored/\n' })
    await none(2, 'the new policy may go into several files: policies/a.json, policies/b.json')
    write({ 'policies/a.json': [policy('a', {}), policy('c', {})] })
    await none(2, 'policies/a.json: differs from HEAD', '--file', 'policies/a.json')
    await none(2, 'outside of the repository', '--file', '../x.yaml')
    await none(2, 'ignored by git', '--file', 'ignored/x.yaml')
    await none(2, 'names end in .yaml, .yml or .json', '--file', 'policies/x.tf')
    await none(1, 'the file is not among those that are read', '--file', 'elsewhere/x.yaml')
    const { exit, notes } = await proposed('--file', 'policies/b.json')
    expect({ exit, notes }).toEqual({ exit: 0, notes: ['not looked at, since they differ from HEAD: policies/a.json'] })
  })

  test('where policies are declared for a tool', async () => {
    committed({
      'policies/main.tf': `resource "svc_iam_policy" "p" {\n  name = "p"\n  identities = ["${bob}"]\n  resources = ["${server}"]\n  allow = ["vps:apisvc:get"]\n}\n`,
    })
    await none(2, 'policies/main.tf: policies are declared there for a tool')
  })

  test('where the branch exists, is in use, or cannot be', async () => {
    committed(plain)
    await none(2, 'not a name of a branch', '--branch', 'a..b')
    await none(2, 'branch `main/x` cannot exist next to `main`', '--branch', 'main/x')
    await none(2, 'branch `main` is checked out', '--branch', 'main', '--replace')
    await proposed()
    const first = git('rev-parse', branch)
    expect((await propose()).stderr).toContain(`branch \`${branch}\` exists`)
    expect(git('rev-parse', branch)).toBe(first)
    expect((await proposed('--replace', '--expires', '1d')).exit).toBe(0)
    expect(git('rev-parse', branch)).not.toBe(first)
  })

  test('by a dry run, and nothing is left of a description that has no branch', async () => {
    committed(plain)
    const objects = git('count-objects')
    expect(await proposed('--dry-run', '--description', 'd.md')).toMatchObject({ exit: 0, written: false, claim: 'exact', commit: null })
    expect([git('count-objects'), branches(), existsSync(here('d.md'))]).toEqual([objects, ['main'], false])
    await none(2, 'is an input, and is not overwritten', '--description', 'policies/team.json')
    await none(2, 'cannot be written', '--description', 'missing/d.md')
    mkdirSync(here(`.git/refs/heads/${branch}.lock`), { recursive: true })
    await none(2, 'could not be written', '--description', 'd.md')
    expect(existsSync(here('d.md'))).toBe(false)
  })

  test('without a repository, a commit, or a name for who makes it', async () => {
    write({ ...plain, '403.json': refusedBody })
    const refused = async () => (await propose('-p', 'policies')).stderr
    git('init', '--quiet', '--initial-branch=main')
    expect(await refused()).toContain('there is none yet')
    cpSync(here('policies'), here('copy'), { recursive: true })
    git('add', 'policies')
    git('commit', '--quiet', '--message', 'policies')
    expect(await refused()).toContain('git does not know who makes it')
    git('config', 'user.name', 'ada')
    git('config', 'user.email', 'ada@example.org')
    renameSync(here('policies'), here('real'))
    symlinkSync('real', here('policies'))
    git('add', '--all')
    git('commit', '--quiet', '--message', 'link')
    expect(await refused()).toContain('policies is a symbolic link, which is not followed')
    expect((await run(...call, '-p', 'real')).exit).toBe(0)
  })

  test('with options that do not belong together', async () => {
    committed(plain)
    const refusal = async (...args: readonly string[]) =>
      (await run('call', 'POST', '/v1/vps/vps-1/reboot', '--identity', bob, ...args)).stderr
    expect(await refusal('--propose')).toContain('`--propose` requires `--from-403 FILE`')
    expect(await refusal('--expires', '1d')).toContain('`--expires` requires `--propose`')
    expect((await propose('-p', 'git:main')).stderr).toContain('reads the policies of HEAD')
    expect((await propose('--without', 'watching')).stderr).toContain('cannot be combined with what is supposed')
    expect((await propose('--expires', '2026-11-24')).stderr).toContain('is not after the start')
    expect((await propose('--expires', '1h', '--at', '2026-11-26T00:00:00Z')).stderr).toContain('is before the time of the request')
    expect(branches()).toEqual(['main'])
  })
})
