import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { mainIn } from '../support/in-process.ts'

/** `catalogue import`: how the new catalogue differs from the one that it is made from. */

const folder = mkdtempSync(join(tmpdir(), 'grantwise-import-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const actionOf = (i: number) => `shop:apisvc:thing${String(i).padStart(2, '0')}/get`
/** A description of so many actions, each needed by one operation; some of them are deprecated. */
function describeActions(file: string, count: number, deprecated = 0): string {
  const apis = Array.from({ length: count }, (_, i) => ({
    path: `/shop/thing${i}`,
    operations: [
      {
        httpMethod: 'GET',
        iamActions: [{ name: actionOf(i), required: true }],
        ...(i < deprecated && { apiStatus: { value: 'DEPRECATED' } }),
      },
    ],
  }))
  const basePath = 'https://api.example.net/v1'
  writeFileSync(join(folder, file), JSON.stringify({ apiVersion: '1.0', basePath, resourcePath: '/shop', apis }))
  return file
}

async function imported(file: string, base: string, target = 'made.json') {
  const { stdout, stderr, exit } = await mainIn(['catalogue', 'import', file, '--base', base, '--seen', '2026-02', '-o', target], folder)
  expect({ stdout, exit, stderr }).toEqual({ stdout: '', exit: 0, stderr })
  const lines = stderr.trimEnd().split('\n')
  return lines.slice(lines.findIndex((line) => line.startsWith('compared with ')))
}

test.each([1, 2, 19, 20, 21, 22, 40])(
  '%i actions that are added are counted, at most 20 are listed, and the others are counted',
  async (count) => {
    await imported(describeActions('one.json', 1), 'none', 'base.json')
    const lines = await imported(describeActions('more.json', count + 1), 'base.json')
    const names = Array.from({ length: count }, (_, i) => actionOf(i + 1))
    expect(lines).toEqual([
      `compared with \`base.json\` (2026-02): ${count} ${count === 1 ? 'action' : 'actions'} added`,
      ...names.slice(0, 20).map((name) => `  + ${name}`),
      ...(count > 20 ? [`  + and ${count - 20} more`] : []),
    ])
  },
)

test.each([0, 3, 25])('of %i actions that are deprecated now it is said, next to those that are added', async (deprecated) => {
  await imported(describeActions('old.json', 25), 'none', 'base.json')
  const lines = await imported(describeActions('new.json', 26, deprecated), 'base.json')
  expect(lines).toEqual([
    `compared with \`base.json\` (2026-02): 1 action added${deprecated === 0 ? '' : `, ${deprecated} changed`}`,
    `  + ${actionOf(25)}`,
    ...Array.from({ length: Math.min(deprecated, 20) }, (_, i) => `  ~ ${actionOf(i)}: deprecated`),
    ...(deprecated > 20 ? [`  ~ and ${deprecated - 20} more`] : []),
  ])
})

test('the same again is no difference, and fewer actions than in the base take none away', async () => {
  await imported(describeActions('old.json', 3), 'none', 'base.json')
  for (const count of [3, 1])
    expect(await imported(describeActions('new.json', count), 'base.json')).toEqual([
      'compared with `base.json` (2026-02): no action is added, removed or changed',
    ])
})

test('`catalogue info` in short says of each product how many actions it has, and when they were seen', async () => {
  await imported(describeActions('old.json', 3), 'none', 'base.json')
  const apis = [{ path: '/desk/a', operations: [{ httpMethod: 'GET', iamActions: [{ name: 'desk:apisvc:a/get', required: true }] }] }]
  writeFileSync(
    join(folder, 'desk.json'),
    JSON.stringify({ apiVersion: '1.0', basePath: 'https://api.example.net/v1', resourcePath: '/desk', apis }),
  )
  await mainIn(['catalogue', 'import', 'desk.json', '--base', 'base.json', '--seen', '2026-03', '-o', 'both.json'], folder)
  writeFileSync(join(folder, 'both.yaml'), 'catalogue: both.json\n')
  const { stdout } = await mainIn(['catalogue', 'info', '--format', 'compact', '--config', 'both.yaml'], folder)
  expect(stdout).toBe('desk 1 2026-03\nshop 3 2026-02\n')
})
