import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { comparisonName } from '../../src/conditions/test.ts'
import { type KeyPart, keyOf } from '../../src/keys.ts'
import { joinedKeysIn } from '../support/keys.ts'

/** The parts of `src` in which answers are decided and put together; the others read, write and serve. */
const deciding =
  'actions ask calls conditions diff escalation export lint lock page picture propose report rules simulate suite symbolic usage'.split(' ')

/** Joined texts that stand for several others and are right, by the reason. One that is there no longer has to go. */
const right: Readonly<Record<string, readonly string[]>> = {
  'numbers, or words of a closed set': ["lint/apply-config.ts: matching.map(Number).join('')", 'usage/cover.ts: `${i} ${r}`'],
  'what separates the parts is in none of them': [
    "calls/access.ts: `/${words.join('/')}`",
    "lock/facts.ts: pattern.pieces.join('*')",
    "rules/resources/effectively-everything.ts: urn.split(':', 5).join(':')",
    'diff/diff.ts: boxText(box)',
    'diff/diff.ts: boxText(each)',
    'suite/notes.ts: `${product}:${namespace}:${path}`',
    'symbolic/windows.ts: axisName(atom)',
    'symbolic/windows.ts: axisName(formula)',
    "rules/document/missing-description.ts: words.join(' ')",
    "rules/document/missing-description.ts: wordsOf(name.value).join(' ')",
  ],
  'a notation or a name that has its parts back': [
    "actions/operations.ts: branch === 'v1' ? path : `/${branch}${path}`",
    'calls/facts.ts: callFactText(fact)',
    "conditions/test.ts: operator === 'EQ' ? text : `${text}.${operator}`",
    'lock/condition.ts: comparisonName(key.value, value.value)',
    'lock/condition.ts: printConditionKey({ subject, operator: op })',
    'lock/condition.ts: textOf(form)',
    'lock/condition.ts: textOf(operand)',
    'lock/condition.ts: textOf({ ...form, isNegated: !form.isNegated })',
    'propose/sync.ts: canonical(plainOf(item))',
    'propose/sync.ts: canonical(plainOf(node))',
    'propose/sync.ts: canonical(value)',
    'propose/sync.ts: nameOf(plainOf(item) as Fields)',
    'report/decision.ts: factText(fact)',
    'report/decision.ts: factText(value)',
    'report/unknown-names.ts: isOne ? `${product}:${namespace}:${path}` : text',
    'rules/conditions/redundant-range.ts: rangeText(range)',
  ],
  'a text that a pattern matches': [
    "escalation/escalation.ts: entry.account === undefined ? groupUrn('any') : fillWildcards(entry.glob, 'any')",
    "escalation/escalation.ts: fillWildcards(glob, 'new')",
    "escalation/escalation.ts: fillWildcards(value.glob, 'any')",
    'rules/support/cover.ts: narrow === wide ? (words[i] as string) : fillWildcards(pattern, letter)',
    'simulate/decide.ts: entry.account === undefined ? `urn:v1:${region}:identity:group:${account}/${name}` : fillWildcards(entry.glob, letter)',
    'symbolic/witness.ts: fillWildcards(pattern, word)',
  ],
  'what is printed once': ['actions/merge.ts: `\\`${whole.method} /${whole.branch}${whole.path}\\``', 'picture/dot.ts: `${kind} ${label}`'],
}

test('no joined text stands for several others where answers are decided: `keyOf` of them does', () => {
  const root = new URL('../../src/', import.meta.url)
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /\.ts$/.test(file))
  const own = files.filter((file) => !file.includes('/') || deciding.includes(file.split('/', 1)[0] as string))
  expect(own.length).toBeGreaterThan(300)
  const modules = own.sort().map((file) => ({ file, text: readFileSync(new URL(file, root), 'utf8') }))
  expect([...joinedKeysIn(modules)].sort()).toEqual(Object.values(right).flat().sort())
})

describe('what joins texts to one that stands for them is found', () => {
  test.each<[string, string, string]>([
    ['in a map', "known.get(names.join(' '))", "names.join(' ')"],
    ['of two texts', 'known.set(`${a} ${b}`, 1)', '`${a} ${b}`'],
    ['that is put together', "known.has(a + ' ' + b)", "a + ' ' + b"],
    ['under a name', "const key = list.join(',')", "list.join(',')"],
    ['that was made before', 'const text = list.join(); known.add(text)', 'list.join()'],
    ['by a function', 'const textOf = (a: A) => `${a.b}|${a.c}`; known.get(textOf(a))', 'textOf(a)'],
    ['by a function of another file', "import { textOf as text } from '../other.ts'; known.get(text(a))", 'text(a)'],
    ['for groups', 'groupedBy(items, ({ a, b }) => `${a}${b}`)', '`${a}${b}`'],
    ['for a list', 'pushTo(lists, `${a} ${b}`, a)', '`${a} ${b}`'],
    ['for a set', "addTo(sets, a, list.join(','))", "list.join(',')"],
    ['in a new map', 'new Map(items.map((each) => [`${each.a} ${each.b}`, each]))', '`${each.a} ${each.b}`'],
    ['in a new set', 'new Set([...items.map((each) => each.list.join())])', 'each.list.join()'],
    ['or not', "known.get(list ? list.join() : '')", "list ? list.join() : ''"],
    ['in another text', "const key = `at ${list.join(' ')}`", "`at ${list.join(' ')}`"],
    ['where two are compared', 'if (a.join() === b.join()) stop()', 'a.join()'],
    ['where two differ', "if (a.join(' ') !== `${b} ${c}`) stop()", "a.join(' ')"],
  ])('%s', (_, text, found) => {
    const other = 'export function textOf({ b, c }: A) { return b === undefined ? c : `${b} ${c}` }'
    expect(
      joinedKeysIn([
        { file: 'memo.ts', text },
        { file: 'other.ts', text: other },
      ])[0],
    ).toBe(`memo.ts: ${found}`)
  })

  test.each([
    'known.get(keyOf(a, b))',
    'known.get(text)',
    'known.get(`at ${text}`)',
    "known.add(list.map((each) => (each ? '1' : '0')).join(''))",
    'known.get(`urn:v1:${region}:resource:${type}`)',
    "say(list.join(' '))",
    "if (list.join(' ') === 'a b') stop()",
    'const message = `${a} ${b}`',
  ])('and nothing in %s', (text) => {
    expect(joinedKeysIn([{ file: 'memo.ts', text }])).toEqual([])
  })
})

describe('a key', () => {
  test('is that of these parts in this order, and of no others', () => {
    const texts = ['', ' ', ',', '\n', '\0', '"', '\\', '[', ']', 'a', 'null', '1', 'true', '","', '\u{d800}', '\\ud800']
    const parts: readonly KeyPart[] = [undefined, true, 1, ...texts, [], [undefined], ['a'], ['a', ''], ['a,'], [['a']]]
    const lists = [[], ...parts.map((each) => [each]), ...parts.flatMap((a) => parts.map((b) => [a, b]))]
    const keys = new Set(lists.map((list) => keyOf(...list)))
    expect(keys.size).toBe(lists.length)
    expect(keyOf('a', ['b'])).toBe(keyOf('a', ['b']))
  })

  test('of a comparison that is not understood names it as it is written, and is that of no other one', () => {
    expect(comparisonName('a.b', 'c=d')).toBe('condition:a.b=c=d')
    const pairs = [
      ['a', 'b=c'],
      ['a=b', 'c'],
      ['"a', 'b=c'],
      ['"a=b"', 'c'],
      ['"a"', 'b'],
      ['{"a":"', '"}'],
      ['[', ']'],
    ] as const
    const names = pairs.map(([key, value]) => comparisonName(key, value))
    expect(new Set(names).size).toBe(pairs.length)
  })
})
