import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { inFolder, lintFolder, run } from '../support/configurations.ts'

const team = `variable "team" {}
variable "machines" {
  type = list(string)
}

resource "svc_iam_policy" "ops" {
  name       = "ops"
  identities = [var.team]
  resources  = [for each in var.machines : "urn:v1:eu:resource:vps:\${each}"]
  allow      = ["vps:apisvc:reboot", "vps:apisvc:reebot"]
}

resource "svc_iam_policy" "freeze" {
  name       = "freeze"
  identities = ["urn:v1:eu:identity:group:ab12-svc/ops"]
  resources  = ["urn:v1:eu:resource:vps:*"]
  deny       = ["vps:apisvc:reinstall"]
}
`
const call = (...machines: string[]) => `module "iam" {
  source   = "../../modules/iam"
  team     = "urn:v1:eu:identity:group:ab12-svc/ops"
  machines = ${JSON.stringify(machines)}
}
`
const org = `resource "svc_iam_policy" "org" {
  name       = "org"
  identities = ["urn:v1:eu:identity:group:ab12-svc/ops"]
  resources  = ["urn:v1:eu:resource:vps:*"]
  allow      = ["vps:apisvc:get", "vps:apisvc:reinstall"]
}
`
const files = (more: Readonly<Record<string, string>> = {}) =>
  new Map(
    Object.entries({
      'modules/iam/main.tf': team,
      'envs/dev/main.tf': call('vps-dev'),
      'envs/prod/main.tf': call('vps-prod', 'vps-db'),
      'org/main.tf': org,
      ...more,
    }),
  )
const ops = 'urn:v1:eu:identity:group:ab12-svc/ops'
const machine = (name: string) => `urn:v1:eu:resource:vps:${name}`
const asked = [ops, 'vps:apisvc:reboot', machine('vps-prod')]

describe('root modules that call one module', () => {
  test('are linted each as a world of its own, and a problem in the module is reported once', () =>
    inFolder(files(), async (folder) => {
      const { findings } = await lintFolder(folder)
      expect(findings.map(({ code, file, line }) => `${file}:${line} ${code}`)).toEqual(['modules/iam/main.tf:10 unknown-action'])
    }))

  test('are not held against one another by any rule', () =>
    inFolder(files(), async (folder) => {
      const { stdout } = await run(folder, ['lint', '.', '--no-config', '--preset', 'auditor', '--format', 'compact'])
      expect(stdout).toContain('missing-description')
      expect(stdout).not.toMatch(/duplicate|mergeable|equivalent|redundant/)
    }))

  test('are held each against what is not of theirs, and what holds in some of them only says in which', () =>
    inFolder(
      files({
        'envs/prod/more.tf': org.replaceAll('"org"', '"more"'),
        'policy.json': JSON.stringify({
          name: 'more',
          identities: [ops],
          resources: [{ urn: machine('vps-1') }],
          permissions: { allow: [{ action: 'vps:apisvc:get' }] },
        }),
      }),
      async (folder) => {
        const { findings } = await lintFolder(folder)
        expect(findings.filter(({ code }) => code === 'duplicate-name').map(({ file, message }) => `${file} ${message}`)).toEqual([
          'policy.json the name `more` is already used by another policy (in `envs/prod`)',
        ])
      },
    ))

  test('are held each against root modules that share nothing, whose problems are reported once', () =>
    inFolder(files({ 'org/main.tf': org.replace('vps:apisvc:get', 'vps:apisvc:gett') }), async (folder) => {
      const { findings } = await lintFolder(folder)
      expect(findings.map(({ code, file, line }) => `${file}:${line} ${code}`).sort()).toEqual([
        'modules/iam/main.tf:10 unknown-action',
        'org/main.tf:5 unknown-action',
      ])
    }))

  test('are fixed in what they share only as is right in each', () =>
    inFolder(
      files({
        'modules/iam/main.tf': team.replace('"vps:apisvc:reebot"', '"vps:apisvc:reboot"'),
        'envs/dev/main.tf': call('vps-dev', 'vps-dev'),
      }),
      async (folder) => {
        const { stderr } = await run(folder, ['lint', '.', '--no-config', '--fix'])
        expect(stderr).toContain('fixed 1 problem')
        expect(readFileSync(join(folder, 'modules/iam/main.tf'), 'utf8')).toBe(team.replace(', "vps:apisvc:reebot"', ''))
      },
    ))

  test.each([
    ['can', ...asked],
    ['call', 'POST', '/v1/vps/vps-prod/reboot', '--identity', ops],
    ['who', ...asked.slice(1)],
    ['what', ops],
    ['diff', '.', 'org'],
    ['diff', 'org', '.'],
    ['timeline'],
    ['minimise'],
    ['suggest', ...asked],
    ['least', '--from', 'calls.ndjson', '-p', '.'],
    ['replay', 'calls.ndjson'],
    ['export', '--to', 'cedar'],
    ['lock'],
    ['test'],
  ])('are two worlds, of which `%s` asks for one', (command, ...args) =>
    inFolder(
      files({
        'calls.ndjson': '',
        'a.iamtest.yaml': `tests:\n  - { name: reboot, identity: '${ops}', action: 'vps:apisvc:reboot', resource: '${machine('vps-1')}', expect: allow }\n`,
      }),
      async (folder) => {
        const { code, stdout, stderr } = await run(folder, [command, ...args, '--no-config'])
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
        expect(stderr).toMatch(
          /^grantwise: 2 root modules call the same module, and each is a separate configuration: `envs\/dev`, `envs\/prod`\n {2}help: /,
        )
      },
    ),
  )

  test('are decided over one by one: by `--root`, or by the folder', () =>
    inFolder(files(), async (folder) => {
      const verdict = async (...args: string[]) =>
        (await run(folder, ['can', ...asked, '--no-config', '--format', 'compact', ...args])).stdout
      expect(await verdict('--root', 'envs/prod')).toMatch(/^allow .*modules\/iam\/main\.tf:10:/)
      expect(await verdict('--root', 'envs/dev/')).toMatch(/^deny /)
      expect(await verdict('-p', 'envs/prod')).toMatch(/^allow /)
      expect(await verdict('-p', 'envs/dev')).toMatch(/^deny /)
    }))

  test('are put together where `--root` names each, and others are left out', () =>
    inFolder(files(), async (folder) => {
      const reinstall = [ops, 'vps:apisvc:reinstall', machine('vps-prod')]
      const verdict = async (...args: string[]) =>
        (await run(folder, ['can', ...reinstall, '--no-config', '--format', 'compact', ...args])).stdout
      expect(await verdict('--root', 'org')).toMatch(/^allow /)
      expect(await verdict('--root', 'org', '--root', 'envs/dev')).toMatch(/^deny · denied /)
      const { stdout } = await run(folder, [
        'who',
        'vps:apisvc:reboot',
        machine('vps-dev'),
        '--no-config',
        '--root',
        'envs/dev',
        '--root',
        'envs/prod',
      ])
      expect(stdout).toContain('modules/iam/main.tf')
    }))

  test('are listed where `--root` names none of them', () =>
    inFolder(files(), async (folder) => {
      expect(await run(folder, ['can', ...asked, '--no-config', '--root', 'envs/staging'])).toEqual({
        code: 2,
        stdout: '',
        stderr:
          'grantwise: --root `envs/staging`: no root module with policies is read from this folder\n  help: there are `envs/dev`, `envs/prod`, `org`\n',
      })
    }))

  test('are compared with one another, and one of them with what a commit holds', () =>
    inFolder(files(), async (folder) => {
      const { code, stdout } = await run(folder, ['diff', 'envs/dev', 'envs/prod', '--no-config', '--format', 'compact'])
      expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/^gained .*vps-prod.*\nlost .*vps-dev/) })
      const git = (...args: string[]) => spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: folder })
      for (const args of [
        ['init', '-q'],
        ['add', '.'],
        ['commit', '-qm', 'first'],
      ])
        expect(git(...args).status).toBe(0)
      writeFileSync(join(folder, 'envs/prod/main.tf'), call('vps-prod', 'vps-db', 'vps-web'))
      const changed = await run(folder, ['diff', 'git:HEAD:.', '.', '--no-config', '--format', 'compact', '--root', 'envs/prod'])
      expect(changed).toMatchObject({ code: 1, stdout: expect.stringMatching(/^gained .*vps-web/) })
      expect(await run(folder, ['diff', 'git:HEAD:.', '.', '--no-config', '--root', 'envs/dev'])).toMatchObject({ code: 0 })
    }))

  test('that is wrong stops no decision over the others', () =>
    inFolder(files({ 'envs/dev/main.tf': 'module "iam" {\n  source = "../../modules/iam"\n  team = local.none\n}\n' }), async (folder) => {
      expect((await run(folder, ['can', ...asked, '--no-config', '--format', 'compact', '--root', 'envs/prod'])).stdout).toMatch(/^allow /)
      expect(await run(folder, ['can', ...asked, '--no-config', '--root', 'envs/dev'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('`local.none` is declared nowhere'),
      })
    }))
})

describe('root modules that share no module of policies', () => {
  const label = 'output "name" {\n  value = "x"\n}\n'
  const stack = (name: string, action: string, list = 'allow') => `module "label" {
  source = "../label"
}
resource "svc_iam_policy" "${name}" {
  name       = "${name}"
  identities = ["${ops}"]
  resources  = ["urn:v1:eu:resource:vps:*"]
  ${list} = ["${action}"]
}
`

  test('are one world, as all policies of one account are', () =>
    inFolder(
      new Map([
        ['label/main.tf', label],
        ['a/main.tf', stack('a', 'vps:*')],
        ['b/main.tf', stack('b', 'vps:apisvc:reboot', 'deny')],
      ]),
      async (folder) => {
        const verdict = async (...args: string[]) =>
          (await run(folder, ['can', ...asked, '--no-config', '--format', 'compact', ...args])).stdout
        expect(await verdict()).toMatch(/^deny · denied /)
        expect(await verdict('--root', 'a')).toMatch(/^allow /)
      },
    ))
})
