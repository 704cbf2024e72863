import { describe, expect, test } from 'vitest'
import { mergeTexts, type Versions } from '../../src/merge/merge.ts'
import { testSettings } from '../support/settings.ts'

const header = (name: string) => [
  `name: ${name}`,
  'identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]',
  'resources: [{ urn: "urn:v1:eu:resource:vps:*" }]',
  'permissions:',
]
const allow = (...actions: readonly string[]) =>
  [...header('a'), '  allow:', ...actions.map((action) => `    - action: ${action}`), ''].join('\n')

/** What becomes of three texts of YAML where git's own merge has a conflict: the text, or why there is none. */
async function merge(versions: Versions, notation: 'yaml' | 'json' = 'yaml', lineMerge?: string) {
  const result = await mergeTexts(versions, notation, testSettings, () => lineMerge)
  return result.kind === 'merged' ? result.text : result.kind === 'left' ? `left: ${result.why}` : result.conflict
}

describe('lists', () => {
  test('entries that both add at one place', async () => {
    const [base, ours, theirs] = [
      allow('vps:apisvc:get'),
      allow('vps:apisvc:get', 'vps:apisvc:reboot'),
      allow('vps:apisvc:get', 'vps:apisvc:start # ops'),
    ]
    expect(await merge({ base, ours, theirs })).toBe(allow('vps:apisvc:get', 'vps:apisvc:reboot', 'vps:apisvc:start # ops'))
  })
  test('an entry that both add is there once', async () => {
    const base = allow('vps:apisvc:get')
    const [ours, theirs] = [allow('vps:apisvc:get', 'vps:apisvc:reboot'), allow('vps:apisvc:reboot', 'vps:apisvc:get', 'vps:apisvc:start')]
    expect(await merge({ base, ours, theirs })).toBe(allow('vps:apisvc:get', 'vps:apisvc:reboot', 'vps:apisvc:start'))
  })
  test('one removes the last entry, the other adds behind it', async () => {
    const base = allow('vps:apisvc:get', 'vps:apisvc:reboot')
    const [ours, theirs] = [allow('vps:apisvc:get'), allow('vps:apisvc:get', 'vps:apisvc:reboot', 'vps:apisvc:start')]
    expect(await merge({ base, ours, theirs })).toBe(allow('vps:apisvc:get', 'vps:apisvc:start'))
    expect(await merge({ base, ours: theirs, theirs: ours })).toBe(allow('vps:apisvc:get', 'vps:apisvc:start'))
  })
})

describe('what both together would grant', () => {
  test('a deny removed here, an allow added there', async () => {
    const deny = ['  deny:', '    - action: vps:apisvc:terminate', ''].join('\n')
    const base = allow('vps:apisvc:get') + deny
    const [ours, theirs] = [allow('vps:apisvc:get', 'vps:apisvc:terminate') + deny, allow('vps:apisvc:get')]
    expect(await merge({ base, ours, theirs })).toMatchObject({ why: 'together' })
  })
})

describe('documents', () => {
  const named = (name: string) => ['# About it.', ...header(name), '  allow: [{ action: "vps:apisvc:get" }]', ''].join('\n')
  const file = (...names: readonly string[]) => names.map(named).join('---\n')
  test('both remove another one of two: that is no edit of one document', async () => {
    expect(await merge({ base: file('a', 'b'), ours: file('a'), theirs: file('b') })).toMatchObject({ why: 'layout' })
  })
  test('one removes a document in front, in between or at the end, and both add one', async () => {
    const base = file('a', 'b', 'c')
    expect(await merge({ base, ours: file('a', 'b', 'c', 'd'), theirs: file('b', 'c', 'e') })).toBe(file('b', 'c', 'd', 'e'))
    expect(await merge({ base, ours: file('b', 'c', 'e'), theirs: file('a', 'b', 'c', 'd') })).toBe(file('b', 'c', 'e', 'd'))
    expect(await merge({ base, ours: file('a', 'b', 'c', 'd'), theirs: file('a', 'c', 'e') })).toBe(file('a', 'c', 'd', 'e'))
    expect(await merge({ base, ours: file('d', 'a', 'b', 'c'), theirs: file('e', 'a') })).toBe(file('d', 'a', 'e'))
  })
  test('with other marks than those between them, the layout is not understood', async () => {
    const [base, ours, theirs] = [file('a', 'b'), file('a', 'b', 'c'), file('a', 'b', 'd')].map((text) => text.replace('---', '--- # next'))
    expect(await merge({ base, ours, theirs } as Versions)).toMatchObject({ why: 'layout' })
  })
})
