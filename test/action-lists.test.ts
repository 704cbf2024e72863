import { expect, test } from 'vitest'
import { readActionList } from '../src/lint/action-lists.ts'
import { lint } from '../src/lint/run.ts'
import { defaultSettings } from '../src/names.ts'
import { buildWorld } from '../src/parser/world.ts'
import { rules } from '../src/rules/index.ts'
import { type Notation, sourceOf } from '../src/source.ts'
import { effort } from './support/effort.ts'
import { contextOf } from './support/lint-world.ts'
import './support/seed.ts'
import { pick, randomOf } from './support/worlds.ts'

async function findings(text: string, notation: Notation) {
  const read = await readActionList(sourceOf('list', text, notation), defaultSettings)
  if (!read) return undefined
  const { world, diagnostics } = buildWorld([read.facts])
  expect(world.policies).toEqual([])
  return lint(rules, contextOf(world), [...read.diagnostics, ...diagnostics]).map(({ code, message, span }) => ({
    code,
    message,
    text: text.slice(span.start, span.end).replace(/^"(.*)"$/, '$1'),
  }))
}

test('a list has the same findings in each of its forms, at the place of the action', async () => {
  const random = randomOf(20261120)
  const actions = [
    'vps:apisvc:get',
    'vps:*',
    'vps:apisvc:rebooot',
    'vps:*:get',
    'vps',
    'vps:apisvc',
    'dns:apisvc:zone get',
    'nothing:apisvc:get',
  ]
  let count = 0
  for (let i = 0; i < effort(500, 5); i++) {
    const list = Array.from({ length: 1 + Math.floor(random() * 6) }, () => pick(random, actions))
    if (!list.some((each) => each.includes(':'))) continue
    const wanted = await findings(JSON.stringify(list), 'json')
    const comment = pick(random, ['', '# all of it\n', '\n'])
    expect(await findings(`${comment}${list.map((each) => `- ${each}\n`).join('')}`, 'yaml')).toEqual(wanted)
    expect(await findings(`${comment}${list.map((each) => `  ${each} # why\r\n`).join('')}`, 'actions')).toEqual(wanted)
    expect(await findings(JSON.stringify({ allow: list }, null, 1), 'json')).toEqual(wanted)
    expect(await findings(JSON.stringify({ allow: list.map((action) => ({ action })), except: null }), 'json')).toEqual(wanted)
    for (const { text } of wanted ?? [])
      expect(
        list.some((each) => each.includes(text)),
        text,
      ).toBe(true)
    count += wanted?.length ?? 0
  }
  expect(count).toBeGreaterThan(effort(500, 5))
})

test.each([
  ['[]'],
  ['{}'],
  ['["red", "green"]'],
  ['["vps:apisvc:get", 5]'],
  ['["urn:v1:eu:resource:vps:vps-1"]'],
  ['{"allow": [], "name": "p"}'],
  ['"vps:apisvc:get"'],
])('%s is no list of actions', async (text) => {
  expect(await findings(text, 'json')).toBeUndefined()
})

test('long lists are read, and lines that hold no action are reported', async () => {
  expect(await findings(' \t#\n'.repeat(100_000), 'actions')).toMatchObject([{ code: 'syntax' }])
  const read = await readActionList(sourceOf('list', `${'vps:apisvc:get\n'.repeat(50_000)}# end`, 'actions'), defaultSettings)
  expect(read?.facts.permissionsGroups[0]?.permissions.allow).toHaveLength(50_000)
  expect(await findings(`\ufeffvps:apisvc:get\r\r\n`, 'actions')).toEqual([])
})
