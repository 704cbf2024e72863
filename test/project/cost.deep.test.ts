import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('../../bench/cost.mjs', import.meta.url))

test('no command takes more steps per policy, where policies grow, than is recorded in bench/exponents.json', { timeout: 900_000 }, () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--check'], { encoding: 'utf8' })
  expect({ status, problems: stderr.split('\n').filter((line) => line.startsWith('bench: ')) }).toEqual({ status: 0, problems: [] })
  expect(stdout).toMatch(/^[3-9]\d commands grow as recorded$/m)
})
