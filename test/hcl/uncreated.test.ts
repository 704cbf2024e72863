import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { inFolder, lintFolder, run } from '../support/configurations.ts'

const ops = 'urn:v1:eu:identity:group:ab12-svc/ops'
const asked = [ops, 'vps:apisvc:reboot', 'urn:v1:eu:resource:vps:vps-1']
/** A policy that grants what is asked for, with an action that there is not in its ninth line, or below what is put before. */
const policy = (name: string, first = '', label = name) => `resource "svc_iam_policy" "${name}" {
${first}  name       = "${label}"
  identities = ["${ops}"]
  resources  = ["urn:v1:eu:resource:vps:*"]
  allow      = ["vps:apisvc:reboot", "vps:apisvc:reebot"]
}
`
const team = `variable "team" {}
${policy('team').replace(`"${ops}"`, 'var.team')}`
const call = (first: string) => `module "iam" {
${first}  source = "./modules/iam"
  team   = "${ops}"
}
`

/** How it comes to nothing, in which files, what it is called, and why it is not made. */
const cases: readonly (readonly [string, Record<string, string>, address: string, place: string, why: string])[] = [
  ['`count = 0`', { 'main.tf': policy('off', '  count = 0\n') }, 'svc_iam_policy.off', 'main.tf:1:1', '`count` is 0'],
  [
    'a count by a variable that is off',
    { 'main.tf': `variable "on" {\n  default = false\n}\n${policy('off', '  count = var.on ? 1 : 0\n', 'ops $${count.index}')}` },
    'svc_iam_policy.off',
    'main.tf:4:1',
    '`count` is 0',
  ],
  [
    '`enabled = false`',
    { 'main.tf': policy('off', '  lifecycle {\n    enabled = false\n  }\n') },
    'svc_iam_policy.off',
    'main.tf:1:1',
    '`enabled` is false',
  ],
  [
    '`count = 0` beside `enabled = false`',
    { 'main.tf': policy('off', '  count = 0\n  lifecycle {\n    enabled = false\n  }\n') },
    'svc_iam_policy.off',
    'main.tf:1:1',
    '`count` is 0',
  ],
  [
    'an empty `for_each`',
    { 'main.tf': policy('off', '  for_each = toset([])\n', 'ops $${each.key}') },
    'svc_iam_policy.off',
    'main.tf:1:1',
    '`for_each` is empty',
  ],
  [
    'a module that is called no times',
    { 'main.tf': call('  count = 0\n'), 'modules/iam/main.tf': team },
    'module.iam.svc_iam_policy.team',
    'modules/iam/main.tf:2:1',
    '`count` of `module.iam` is 0',
  ],
  [
    'a module that is called for nothing',
    { 'main.tf': call('  for_each = {}\n'), 'modules/iam/main.tf': team },
    'module.iam.svc_iam_policy.team',
    'modules/iam/main.tf:2:1',
    '`for_each` of `module.iam` is empty',
  ],
  [
    'a module that nobody calls',
    { 'main.tf': 'resource "svc_iam_resource_group" "g" {\n  name = "g"\n}\n', 'modules/iam/main.tf': team },
    'svc_iam_policy.team',
    'modules/iam/main.tf:2:1',
    'no configuration that is read calls `modules/iam`',
  ],
]
const filesOf = (files: Record<string, string>) =>
  new Map(Object.entries(files).map(([name, text]) => [name, text.replaceAll('$${', '${')]))

describe.each(cases)('what is described and never made: %s', (_, files, address, place, why) => {
  test('is linted, with what is not known of it', () =>
    inFolder(filesOf(files), async (folder) => {
      const { findings } = await lintFolder(folder)
      expect(findings.map(({ code }) => code)).toEqual(['unknown-action'])
    }))

  test('is reported as made zero times', () =>
    inFolder(filesOf(files), async (folder) => {
      const { stdout } = await run(folder, ['lint', '.', '--no-config', '--format', 'json'])
      const [file, line, column] = place.split(':')
      expect(JSON.parse(stdout).uncreated).toEqual([
        { address, file, line: Number(line), column: Number(column), why: why.replaceAll('`', '') },
      ])
      const { stderr } = await run(folder, ['lint', '.', '--no-config', '--format', 'compact'])
      expect(stderr).toBe(`grantwise: note: \`${address}\` at ${place} is created zero times: ${why}\n`)
    }))

  test('grants nothing, and the answer says so', () =>
    inFolder(filesOf(files), async (folder) => {
      const { code, stdout, stderr } = await run(folder, ['can', ...asked, '--no-config', '--format', 'json'])
      expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 1, verdict: 'deny', reason: 'default', clauses: [] })
      expect(stderr).toBe(`grantwise: note: \`${address}\` at ${place} is created zero times: ${why}\n`)
    }))
})

describe('what is described and never made', () => {
  test('is reported by every command that decides, once', () =>
    inFolder(new Map([['main.tf', policy('off', '  count = 0\n')]]), async (folder) => {
      const note = /^grantwise: note: `svc_iam_policy\.off` at main\.tf:1:1 is created zero times: `count` is 0\n/
      for (const args of [
        ['who', ...asked.slice(1)],
        ['what', ops],
        ['diff', '.', '.'],
        ['call', 'POST', '/v1/vps/vps-1/reboot', '--identity', ops],
      ]) {
        const { stderr } = await run(folder, [...args, '--no-config'])
        expect(stderr.match(/created zero times/g), args[0]).toHaveLength(1)
        expect(stderr).toMatch(note)
      }
    }))

  test('is not held against what is made', () =>
    inFolder(new Map([['main.tf', policy('off', '  count = 0\n', 'ops') + policy('on', '', 'ops')]]), async (folder) => {
      const { findings } = await lintFolder(folder)
      expect(findings.map(({ code, line }) => `${line} ${code}`)).toEqual(['6 unknown-action', '12 unknown-action'])
    }))

  test('refers to groups of the same configuration that are made, and to some that are not', () =>
    inFolder(
      new Map([
        [
          'main.tf',
          `resource "svc_iam_resource_group" "made" {
  name      = "made"
  resources = ["urn:v1:eu:resource:vps:vps-1"]
}
resource "svc_iam_permissions_group" "off" {
  count = 0
  name  = "off"
  allow = ["vps:apisvc:get"]
}
resource "svc_iam_policy" "off" {
  count              = 0
  name               = "off"
  identities         = ["${ops}"]
  resources          = [svc_iam_resource_group.made.urn]
  permissions_groups = svc_iam_permissions_group.off[*].urn
  allow              = ["vps:apisvc:reboot"]
}
`,
        ],
      ]),
      async (folder) => expect((await lintFolder(folder)).findings).toEqual([]),
    ))

  test('is not fixed, nor what is made elsewhere from the same lines', () => {
    const text = team.replace('"vps:apisvc:reebot"', '"vps:apisvc:reboot"')
    return inFolder(
      new Map([
        ['main.tf', call('') + call('  count = 0\n').replace('"iam"', '"off"')],
        ['modules/iam/main.tf', text],
      ]),
      async (folder) => {
        expect((await lintFolder(folder)).findings.map(({ code }) => code)).toEqual(['redundant-action'])
        await run(folder, ['lint', '.', '--no-config', '--fix'])
        expect(readFileSync(join(folder, 'modules/iam/main.tf'), 'utf8')).toBe(text)
      },
    )
  })

  test('may be asked about by its own folder: then a module counts, with inputs that are not known', () =>
    inFolder(
      new Map([
        ['main.tf', policy('on')],
        ['modules/iam/main.tf', team],
      ]),
      async (folder) => {
        const { stdout, stderr } = await run(folder, ['can', ...asked, '--no-config', '-p', 'modules/iam', '--format', 'compact'])
        expect(stdout).toBe('unknown · unknown · modules/iam/main.tf:6:17 allow `vps:apisvc:reboot` · missing var.team\n')
        expect(stderr).toBe('grantwise: note: no world file: people and resources are unknown\n')
      },
    ))

  test('is no root module, however much it looks like one below `modules`, unless it has what only a root module has', () =>
    inFolder(
      new Map([
        ['main.tf', policy('on').replace('vps:apisvc:reboot', 'vps:apisvc:get')],
        ['modules/a/main.tf', `provider "svc" {}\n${policy('a')}`],
        ['modules/b/main.tf', policy('b')],
      ]),
      async (folder) => {
        const { stdout, stderr } = await run(folder, ['can', ...asked, '--no-config', '--format', 'compact'])
        expect(stdout).toBe('allow · granted · modules/a/main.tf:6:17 allow `vps:apisvc:reboot`\n')
        expect(stderr).toContain('no configuration that is read calls `modules/b`')
        expect(stderr).not.toContain('modules/a')
      },
    ))

  test('is named up to five times', () =>
    inFolder(
      new Map([['main.tf', ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => policy(name, '  count = 0\n')).join('')]]),
      async (folder) => {
        const { stderr } = await run(folder, ['what', ops, '--no-config'])
        expect(stderr.split('\n')).toHaveLength(7)
        expect(stderr).toMatch(/grantwise: note: 2 more are created zero times\n$/)
      },
    ))
})

describe('tests of configurations', () => {
  const names = ['a.tftest.hcl', 'b.tftest.json', 'c.tofutest.hcl', 'd.tofutest.json']
  const text = '{ "run": { "x": { "command": "plan" } }, "policies": [{ "name": 3 }] }'
  const reason = 'a test of `terraform test` or `tofu test`, which is not read'

  test('are passed over in folders, and named by `--list-files`', () =>
    inFolder(new Map([['main.tf', policy('on')], ...names.map((name) => [`tests/${name}`, text] as const)]), async (folder) => {
      const { stdout } = await run(folder, ['lint', '.', '--no-config', '--list-files'])
      expect(stdout).toBe(`main.tf: linted\n${names.map((name) => `tests/${name}: skipped: ${reason}\n`).join('')}`)
      expect((await lintFolder(folder)).findings.map(({ file }) => file)).toEqual(['main.tf'])
    }))

  test.each(names)('are not read where they are named: %s', (name) =>
    inFolder(new Map([[name, text]]), async (folder) => {
      const answer = { code: 2, stdout: '', stderr: `grantwise: ${name}: ${reason}: name the folder of the configuration\n` }
      expect(await run(folder, ['lint', name, '--no-config'])).toEqual(answer)
      expect(await run(folder, ['lint', '-', '--stdin-filename', name, '--no-config'], text)).toEqual(answer)
      expect(await run(folder, ['lint', name, '--no-config', '--if-policy'])).toEqual({ code: 0, stdout: '', stderr: '' })
    }),
  )
})

describe('what a variable of a module is left out of unless it is given', () => {
  const thin = (allow: string, more = '') => ({
    'main.tf': `variable "identities" {}
variable "allow" { default = ${allow} }
variable "deny" { default = ${allow} }
resource "svc_iam_policy" "this" {
  name       = "this"
  identities = var.identities
  resources  = ["urn:v1:eu:resource:vps:*"]
  allow      = var.allow
  deny       = var.deny
}
${more}`,
  })
  const codes = (files: Readonly<Record<string, string>>) =>
    inFolder(new Map(Object.entries(files)), async (folder) => (await lintFolder(folder)).findings.map(({ code }) => code))

  test('is not known where nothing calls the module, by itself or next to others', async () => {
    expect(await codes(thin('null'))).toEqual([])
    const [[, text] = ['', '']] = Object.entries(thin('null'))
    expect(await codes({ 'envs/main.tf': policy('ops').replace(', "vps:apisvc:reebot"', ''), 'modules/iam/main.tf': text })).toEqual([])
  })

  test('is left out where a caller leaves it out, in what is certainly a root, and where a list is empty', async () => {
    const [[, text] = ['', '']] = Object.entries(thin('null'))
    const caller = `module "iam" {\n  source = "./iam"\n  identities = ["${ops}"]\n}\n`
    expect(await codes({ 'main.tf': caller, 'iam/main.tf': text })).toEqual(['no-permissions'])
    expect(await codes(thin('null', 'provider "svc" {\n}\n'))).toEqual(['no-permissions'])
    expect(await codes(thin('[]'))).toEqual(['no-permissions'])
  })

  test('is not known in a fence, which is found behind a byte order mark as well', async () => {
    const [[, text] = ['', '']] = Object.entries(thin('null'))
    const fence = (inner: string) => `\`\`\`hcl\n${inner}\`\`\`\n`
    const lint = (document: string) =>
      inFolder(new Map([['module.md', document]]), (folder) => run(folder, ['lint', 'module.md', '--no-config', '--format', 'compact']))
    expect((await lint(fence(text))).stdout).toBe('')
    expect((await lint(`\ufeff${fence(policy('ops'))}`)).stdout).toContain('module.md:6:38: warning unknown-action')
  })
})
