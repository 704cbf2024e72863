import { expect, test } from 'vitest'
import { lint } from '../../src/lint/run.ts'
import { defaultSettings } from '../../src/names.ts'
import { readActionLines } from '../../src/parser/action-list.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { rules } from '../../src/rules/index.ts'
import { type Notation, sourceOf } from '../../src/source.ts'
import { readActionList } from '../../src/sources/action-lists.ts'
import { plainValue } from '../../src/tree.ts'
import { effort } from '../support/effort.ts'
import { contextOf } from '../support/lint-world.ts'
import '../support/seed.ts'
import { pick, randomOf } from '../support/worlds.ts'

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
  for (let i = 0; i < effort(500, 20); i++) {
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
  expect(count).toBeGreaterThan(effort(500, 20))
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

test.each<[string, [value: string, start: number][]]>([
  ['a:b', [['a:b', 0]]],
  ['a:b \t\n', [['a:b', 0]]],
  [
    '\ufeffa:b\n \tc:d',
    [
      ['a:b', 1],
      ['c:d', 7],
    ],
  ],
  [
    'a:b\r\nc:d\re:f',
    [
      ['a:b', 0],
      ['c:d', 5],
      ['e:f', 9],
    ],
  ],
  ['a:b#c', [['a:b#c', 0]]],
  ['a:b # c # d', [['a:b', 0]]],
  [
    'a:b\t#c\n# d\n  # e\nf',
    [
      ['a:b', 0],
      ['f', 17],
    ],
  ],
  ['  \n\na b', [['a b', 4]]],
])('the lines of %j that hold something are actions, without blanks and comments', (text, wanted) => {
  const { documents, diagnostics, refused } = readActionLines(sourceOf('list', text, 'actions'))
  expect([diagnostics, refused, documents.length]).toEqual([[], false, 1])
  const [list] = documents
  if (list?.kind !== 'list') throw new Error('no list')
  expect(list.items.map((item) => [plainValue(item), item.start, item.end])).toEqual(
    wanted.map(([value, start]) => [value, start, start + value.length]),
  )
  expect([list.start, list.end]).toEqual([list.items[0]?.start, list.items.at(-1)?.end])
})

test('what is meant as a list of actions by its notation is one, whatever it holds', async () => {
  expect((await findings('get\nurn:v1:eu:resource:vps:vps-1\n', 'actions'))?.map(({ text }) => text)).toEqual([
    'get',
    'urn:v1:eu:resource:vps:vps-1',
  ])
  const read = await readActionList(sourceOf('list', 'vps:apisvc:get', 'actions'), { ...defaultSettings, regions: ['ca'] })
  expect([read?.kind, read?.holdsPolicies, read?.facts.permissionsGroups.map(({ urn }) => urn.value.region)]).toEqual([
    'examples',
    true,
    ['ca'],
  ])
})

test('a text that is refused, and several documents, are no list of actions', async () => {
  expect(await findings('', 'json')).toBeUndefined()
  expect(await findings('- vps:apisvc:get\n---\n- vps:apisvc:get\n', 'yaml')).toBeUndefined()
})
