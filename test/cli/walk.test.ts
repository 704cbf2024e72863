import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mainIn } from '../support/in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'walk-'))
const policy = {
  name: 'ops',
  identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
  resources: [{ urn: 'urn:v1:eu:resource:vps:web-1' }],
  permissions: { allow: [{ action: 'vps:apisvc:reboot' }] },
}
const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder })

beforeAll(() => {
  git('init', '--quiet')
  mkdirSync(join(folder, 'own'))
  mkdirSync(join(folder, 'shared'))
  writeFileSync(join(folder, 'own/a.json'), JSON.stringify(policy))
  git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},shared`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a submodule that is not checked out is named as not read, and nothing is decided where it is one of the paths', async () => {
  const question = ['can', 'urn:v1:eu:identity:user:ab12-svc/ann', 'vps:apisvc:get', 'urn:v1:eu:resource:vps:web-1', '--no-config']
  const decided = await mainIn([...question, '-p', 'own', '-p', 'shared'], folder)
  expect([decided.exit, decided.stdout]).toEqual([2, ''])
  expect(decided.stderr).toContain('shared: another repository that is not checked out')
  expect((await mainIn([...question, '-p', 'own'], folder)).exit).toBe(1)
  const named = await mainIn(['lint', '--no-config', 'own', 'shared'], folder)
  expect(named.exit).toBe(2)
  const searched = await mainIn(['lint', '--no-config', '.'], folder)
  expect(searched.exit).toBe(0)
  expect(searched.stderr).toContain('note: shared/: not read: another repository that is not checked out')
})
