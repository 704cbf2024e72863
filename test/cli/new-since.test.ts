import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mainIn } from '../support/in-process.ts'

/** The main cases of `lint --new-since` and `lint --age`. The others are in new-since.deep.test.ts and age.deep.test.ts. */

const folder = mkdtempSync(join(tmpdir(), 'new-since-'))
const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=ada', '-c', 'user.email=ada@example.org', ...args], { cwd: folder, encoding: 'utf8' })
const policy = (name: string, permissions: object) => ({
  name,
  identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
  resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
  permissions,
})
const write = (name: string, ...policies: readonly object[]) => writeFileSync(join(folder, name), JSON.stringify(policies, null, 1))
const config = (more: string) => writeFileSync(join(folder, '.grantwise.yaml'), `extends: strict\npolicies: [iam]\n${more}`)
const commit = () => {
  git('add', '--all')
  git('commit', '--quiet', '--message', 'state')
}
const lint = (...args: readonly string[]) => mainIn(['lint', '--format', 'json', '--only', 'unbounded-destruction', ...args], folder)

beforeAll(() => {
  git('init', '--quiet', '--initial-branch=main')
  mkdirSync(join(folder, 'iam'))
  config('')
  write('iam/guard.json', policy('guard', { deny: [{ action: 'vps:apisvc:terminate' }] }))
  write('iam/a.json', policy('ops', { allow: [{ action: 'vps:*' }] }))
  commit()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a policy that moves and is renamed gives no new finding, and access that a deny no longer covers does, whatever the configuration', async () => {
  renameSync(join(folder, 'iam/a.json'), join(folder, 'iam/b.json'))
  write('iam/b.json', policy('servers', { allow: [{ action: 'vps:*' }] }))
  const moved = await lint('--new-since', 'HEAD')
  expect([moved.exit, JSON.parse(moved.stdout)]).toMatchObject([0, { findings: [], newSince: { old: 1 } }])
  write('iam/guard.json')
  config('failOn: never\nrules: { unbounded-destruction: info }\n')
  const { exit, stdout } = await lint('--new-since', 'HEAD', '--age')
  expect(exit).toBe(1)
  expect(JSON.parse(stdout).findings).toMatchObject([
    {
      severity: 'warning',
      new: { reason: 'access', witness: { action: 'vps:apisvc:terminate' } },
      since: { kind: 'uncommitted', commit: null },
    },
  ])
  commit()
  const { findings } = JSON.parse((await lint('--age')).stdout)
  expect(findings[0].since).toMatchObject({ kind: 'since', commit: { id: git('rev-parse', 'HEAD').trim() } })
})

test('policies that cannot be read at the commit are an error', async () => {
  write('iam/broken.json', { ...policy('p', {}), identites: [] })
  commit()
  rmSync(join(folder, 'iam/broken.json'))
  const { exit, stdout, stderr } = await lint('--new-since', 'HEAD')
  expect([exit, stdout]).toEqual([2, ''])
  expect(stderr).toContain('so that it is not known what is new since then')
})

test('a new file where only the configuration of the commit looks is refused, and one without policies is not', async () => {
  const text = readFileSync(join(folder, '.grantwise.yaml'), 'utf8')
  mkdirSync(join(folder, 'teams'))
  write('teams/a.json', policy('ops', { allow: [{ action: 'vps:apisvc:get' }] }))
  writeFileSync(join(folder, '.grantwise.yaml'), 'extends: strict\npolicies: [iam, teams]\n')
  commit()
  rmSync(join(folder, 'iam/a.json'), { force: true })
  rmSync(join(folder, 'iam/b.json'), { force: true })
  writeFileSync(join(folder, '.grantwise.yaml'), 'extends: strict\npolicies: [teams]\n')
  writeFileSync(join(folder, 'iam/notes.json'), '{"notes": "none"}')
  expect(await lint('--new-since', 'HEAD')).toMatchObject({ exit: 0 })
  write('iam/new.json', policy('new', { allow: [{ action: 'vps:*' }] }))
  const { exit, stderr } = await lint('--new-since', 'HEAD')
  expect(exit).toBe(2)
  expect(stderr).toContain('iam/new.json differs from commit')
  git('checkout', '--quiet', '--', '.')
  rmSync(join(folder, 'iam/new.json'))
  rmSync(join(folder, 'iam/notes.json'))
  writeFileSync(join(folder, '.grantwise.yaml'), text)
})

test('what the commit alone reports of texts is not reported, whatever it reports of access', async () => {
  const own = mkdtempSync(join(folder, 'levels-'))
  const inOwn = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=ada', '-c', 'user.email=ada@example.org', ...args], { cwd: own })
  inOwn('init', '--quiet', '--initial-branch=main')
  const levels = (level: string) =>
    writeFileSync(
      join(own, '.grantwise.yaml'),
      `extends: recommended\npolicies: [a.json]\nrules: { whole-product: ${level}, missing-description: ${level} }\n`,
    )
  levels('error')
  writeFileSync(join(own, 'a.json'), JSON.stringify([policy('reads', { allow: [{ action: 'vps:apisvc:get' }] })]))
  inOwn('add', '--all')
  inOwn('commit', '--quiet', '--message', 'state')
  levels('"off"')
  writeFileSync(join(own, 'a.json'), JSON.stringify([policy('ops', { allow: [{ action: 'vps:*' }] })]))
  const { exit, stdout } = await mainIn(['lint', '--format', 'json', '--new-since', 'HEAD'], own)
  const codes = JSON.parse(stdout).findings.map(({ code }: { code: string }) => code)
  expect([exit, codes.includes('whole-product'), codes.includes('missing-description')]).toEqual([1, true, false])
})

test('policies of one place are each compared, and a broken file takes no level of failure from a changed configuration', async () => {
  const own = mkdtempSync(join(folder, 'terraform-'))
  const inOwn = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=ada', '-c', 'user.email=ada@example.org', ...args], { cwd: own })
  const write = (second: string, third = '') =>
    writeFileSync(
      join(own, 'main.tf'),
      `locals {
  of = {
    a = { who = "a", until = "2096-12-01T00:00:00Z" }
    b = ${second}
    ${third}
  }
}
resource "svc_iam_policy" "p" {
  for_each   = local.of
  name       = each.key
  identities = ["urn:v1:eu:identity:group:ab12-svc/\${each.value.who}"]
  resources  = ["urn:v1:eu:resource:vps:*"]
  allow      = ["vps:*"]
  expired_at = each.value.until
}
`,
    )
  const lint = async () => {
    const { exit, stdout } = await mainIn(['lint', '--format', 'json', '--only', 'whole-product', '--new-since', 'HEAD'], own)
    return [exit, JSON.parse(stdout).findings.length > 0]
  }
  inOwn('init', '--quiet', '--initial-branch=main')
  writeFileSync(join(own, '.grantwise.yaml'), 'policies: [.]\nrules: { whole-product: warning }\n')
  write('{ who = "b", until = "2096-12-01T00:00:00Z" }')
  inOwn('add', '--all')
  inOwn('commit', '--quiet', '--message', 'state')
  expect(await lint()).toEqual([0, false])
  write('{ who = "b", until = "2097-12-01T00:00:00Z" }')
  expect(await lint()).toEqual([1, true])
  write('{ who = "b", until = "2096-12-01T00:00:00Z" }', 'c = { who = "c", until = "2096-12-01T00:00:00Z" }')
  expect(await lint()).toEqual([1, true])
  writeFileSync(join(own, 'broken.tf'), 'resource "svc_iam_policy" "x" {\n')
  writeFileSync(join(own, '.grantwise.yaml'), 'policies: [.]\nfailOn: never\nrules: { whole-product: "off" }\n')
  expect(await lint()).toEqual([1, true])
  rmSync(join(own, 'broken.tf'))
  writeFileSync(join(own, '.grantwise.yaml'), 'policies: [other]\n')
  mkdirSync(join(own, 'other'))
  writeFileSync(join(own, 'other/a.json'), JSON.stringify(policy('p', { allow: [{ action: 'vps:apisvc:get' }] })))
  const { exit, stderr } = await mainIn(['lint', '--new-since', 'HEAD'], own)
  expect([exit, stderr]).toEqual([2, expect.stringContaining('main.tf differs from commit')])
})
