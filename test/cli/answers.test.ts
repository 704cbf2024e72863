import { expect, test } from 'vitest'
import { answerer } from '../../src/cli/commands/answers.ts'
import { defaultSettings } from '../../src/names.ts'
import { generate, pick, randomOf, worldOf } from '../support/worlds.ts'

const context = { at: Date.UTC(2026, 0, 1), groups: [] }
const wrong = ['{"id":1}', 'not JSON', '{"identity":"é","action":"x:apisvc:y","resource":"z"}', '{"expect":"allow"}']
const verdictIn = ({ verdict, line, error, expected }: Record<string, unknown>) =>
  error === undefined ? `${verdict}${expected === false ? ' · expected' : ''}` : `error · line ${line}`

test('verdicts of a batch are those of the full answers, a line each, with the same exit code', () => {
  const found = new Map<string, number>()
  for (let seed = 1; seed <= 60; seed++) {
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
