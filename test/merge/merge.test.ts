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
