import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { ioIn } from '../support/in-process.ts'

/** `approvers` where a run is too short: what is printed is in `approvers.scenario`. */

const folder = mkdtempSync(join(tmpdir(), 'grantwise-approvers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const items = (names: readonly string[]) => names.map((action) => ({ action }))
const policy = (name: string, parts: Readonly<Record<string, readonly string[]>>) => ({
  name,
  identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
  resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
  permissions: Object.fromEntries(Object.entries(parts).map(([key, names]) => [key, items(names)])),
})

test('with `--lost`, an approval that is not decided in the other direction is not decided either', async () => {
  const many = [...'abcdefgh'].map((letter) => policy(letter, { allow: ['p:apisvc:*'], except: [`*Z${letter}*`] }))
  const files = { one: [policy('all', { allow: ['p:apisvc:*'] })], many }
  for (const [name, policies] of Object.entries(files)) writeFileSync(join(folder, `${name}.json`), JSON.stringify({ policies }))
  for (const budget of [0, 100]) {
    const approvers = async (...args: readonly string[]) => {
      const { io, out } = ioIn(folder, {})
      const exit: number = await main(['approvers', ...args, '--no-config', '--format', 'json'], { ...io, budget })
      return { exit, undecided: (JSON.parse(out.stdout) as { readonly undecided: readonly string[] }).undecided }
    }
    expect(await approvers('one.json', 'many.json')).toEqual({ exit: 0, undecided: [] })
    const back = await approvers('many.json', 'one.json')
    expect(back).toEqual({ exit: 3, undecided: expect.arrayContaining(['*Za*']) })
    expect(await approvers('one.json', 'many.json', '--lost')).toEqual(back)
  }
})
