import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

test('kills, reloads and a full disk lose no acknowledged change, and show no half-written one', () => {
  // A few seconds of what the schedule does for longer: a figure is not written of them.
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/soak.mjs', '--seconds', '15', '--no-write'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, expect.not.stringMatching(/lost|acknowledged|half/)])
  expect(JSON.parse(stdout)).toMatchObject({ problems: 0, checks: expect.any(Number), acknowledged: expect.any(Number) })
})
