import { expect, test } from 'vitest'
import { answerer } from '../../src/cli/commands/answers.ts'
import { defaultSettings } from '../../src/names.ts'
import { effort } from '../support/effort.ts'
import { generate, pick, randomOf, worldOf } from '../support/worlds.ts'

const context = { at: Date.UTC(2026, 0, 1), groups: [] }
const wrong = ['{"id":1}', 'not JSON', '{"identity":"é","action":"x:apisvc:y","resource":"z"}', '{"expect":"allow"}']
const verdictIn = ({ verdict, line, error, expected }: Record<string, unknown>) =>
  error === undefined ? `${verdict}${expected === false ? ' · expected' : ''}` : `error · line ${line}`

test('verdicts of a batch are those of the full answers, a line each, with the same exit code', () => {
  const found = new Map<string, number>()
  for (let seed = 1; seed <= effort(60, 3); seed++) {
    const random = randomOf(seed)
    const { world: written, questions } = generate(random, 12)
    const lines = questions.flatMap((question, i) => [
      JSON.stringify({ id: i, ...question, ...(random() < 0.4 && { expect: pick(random, ['allow', 'deny', 'unknown']) }) }),
      ...(random() < 0.1 ? [pick(random, wrong)] : []),
    ])
    // Lines that come again are known by then.
    const bytes = Buffer.from(`${[...lines, '', ...lines].join('\n')}\n`)
    const answers = (['verdict', 'ndjson'] as const).map((format) =>
      answerer(worldOf(written), defaultSettings, context, format)({ bytes, first: 1 }),
    )
    const [short, whole] = answers.map(({ output }) => output.trimEnd().split('\n')) as [string[], string[]]
    const expected = whole.map((line) => verdictIn(JSON.parse(line) as Record<string, unknown>))
    expect(short.map((line) => /^(?:error · line \d+|\w+(?: · expected)?)/.exec(line)?.[0])).toEqual(expected)
    expect(answers[0]?.code).toBe(answers[1]?.code)
    for (const each of expected) found.set(each.replace(/\d+/, ''), (found.get(each.replace(/\d+/, '')) ?? 0) + 1)
  }
  for (const kind of ['allow', 'deny', 'unknown', 'allow · expected', 'deny · expected', 'error · line '])
    expect([kind, (found.get(kind) ?? 0) >= 10]).toEqual([kind, true])
})

test('answers to lines that come again are those of a reader that keeps none, for each form of an id and each fact', () => {
  const ids = ['"id":7,', '"id": 7,', '"id":07,', '"id":"7",', '"id":-0,', '"id":7.0,', '"id":1234567890123456,', '']
  const facts = [
    '',
    '',
    ',"ip":"192.0.2.1"',
    ',"groups":["urn:v1:eu:identity:group:aa1-svc/g"]',
    ',"tags":{"a":"b"}',
    ',"at":"2026-01-01T00:00:00Z"',
    ',"id":1',
  ]
  let reused = 0
  for (let seed = 1; seed <= effort(60, 3); seed++) {
    const random = randomOf(seed)
    const { world: written, questions } = generate(random, 12)
    const ends = questions.map((question) => {
      const expectation = random() < 0.4 ? { expect: pick(random, ['allow', 'deny', 'unknown']) } : {}
      return `${JSON.stringify({ ...question, ...expectation }).slice(1, -1)}${pick(random, facts)}}`
    })
    const lines = Array.from({ length: 200 }, (_, i) => {
      const start = random() < 0.5 ? `"id":${i},` : pick(random, ids)
      return random() < 0.05 ? pick(random, wrong.slice(0, 2)) : `{${start}${pick(random, ends)}`
    })
    for (const format of ['verdict', 'ndjson', 'compact'] as const) {
      const answer = answerer(worldOf(written), defaultSettings, context, format)
      const bytes = Buffer.from(`${lines.join('\n')}\n`)
      const first = answer({ bytes, first: 1 })
      const again = answer({ bytes, first: 1 })
      // A block that is not ASCII is read line by line.
      const plain = answerer(worldOf(written), defaultSettings, context, format)
      const each = lines.map((line, i) => plain({ bytes: Buffer.from(`${line}\n\u00e9\n`), first: i + 1 }))
      const output = each.map((one) => one.output.slice(0, one.output.indexOf('\n') + 1)).join('')
      expect(first.output).toBe(output)
      expect(again).toEqual(first)
    }
    reused += lines.length - new Set(lines.map((line) => line.replace(/"id":\d+,/, ''))).size
  }
  expect(reused).toBeGreaterThan(effort(3000, 3))
})
