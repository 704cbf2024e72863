import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mainIn } from '../support/in-process.ts'

const ann = 'urn:v1:eu:identity:user:ab12-svc/ann'

test('an expression that is too long for the dialect is refused, with its size', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'filter-'))
  const resources = Array.from({ length: 6_000 }, (_, i) => ({ urn: `urn:v1:eu:resource:vps:server-${i}.example.net` }))
  const policy = { name: 'all', identities: [ann], resources, permissions: { allow: [{ action: 'vps:*' }] } }
  writeFileSync(join(folder, 'p.json'), JSON.stringify(policy))
  const filter = (...rest: readonly string[]) =>
    mainIn(['filter', ann, 'vps:apisvc:reboot', ...rest, '-p', 'p.json', '--which', 'allowed'], folder)

  const long = await filter('--dialect', 'clickhouse')
  expect(long).toMatchObject({ stdout: '', exit: 2 })
  expect(long.stderr).toMatch(/the expression has 298,\d{3} characters: at most 250,000 are written for clickhouse/)
  expect(long.stderr).toContain('name the resources of the table')
  expect((await filter('--dialect', 'duckdb')).stdout.length).toBeGreaterThan(250_000)
  const few = await filter('urn:v1:eu:resource:vps:server-59*', '--dialect', 'clickhouse')
  expect(few.exit).toBe(0)
  expect(few.stdout.match(/server-/g)).toHaveLength(111)
  rmSync(folder, { recursive: true })
})
