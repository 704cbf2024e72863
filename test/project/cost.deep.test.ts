import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isWhole, shareOf } from '../support/effort.ts'

const program = fileURLToPath(new URL('../../bench/cost.mjs', import.meta.url))

// One command of the program in three, others at each commit, where a deep run leaves something out.
test('no command takes more steps per policy, where policies grow, than is recorded in bench/exponents.json', { timeout: 900_000 }, () => {
  const args = [program, '--check', '--share', String(Math.round(shareOf(3)))]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect({ status, problems: stderr.split('\n').filter((line) => line.startsWith('bench: ')) }).toEqual({ status: 0, problems: [] })
  const [, count] = /^(\d+) commands grow as recorded$/m.exec(stdout) ?? []
  expect(Number(count)).toBeGreaterThanOrEqual(isWhole ? 30 : 8)
})
