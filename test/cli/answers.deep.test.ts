import { expect, test } from 'vitest'
import { answerer, type BatchFormat } from '../../src/cli/commands/answers.ts'
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

/**
 * The answers to the lines of a text by the reader of all JSON, each by one that knows no name yet: with a space at its end no line is
 * read as bytes.
 */
function linesAnsweredAlone(written: ReturnType<typeof generate>['world'], format: BatchFormat, text: Buffer): string {
  const world = worldOf(written)
  let output = ''
  for (let from = 0, first = 1; from < text.length; first++) {
    const end = text.includes(10, from) ? text.indexOf(10, from) : text.length
    const bytes = Buffer.concat([text.subarray(from, end), Buffer.from(' ')])
    output += answerer(world, defaultSettings, context, format)({ bytes, first }).output
    from = end + 1
  }
  return output
}

const bytesOfJson = Buffer.from('{}[]":, \\\n\t\r0123e.-\0\x7f\x80\xc3\xa9\xff\ufeffiaredx')

test.each([
  ['all', true],
  ['none', false],
])('a line of changed bytes is answered as by the reader of all JSON, where %s of its names are known', (_, areKnown) => {
  const found = { answers: 0, errors: 0 }
  for (let seed = 1; seed <= effort(150, 5); seed++) {
    const random = randomOf(seed)
    const { world: written, questions } = generate(random, 12)
    // Lines of the plain fields, whose names are found by their bytes; each with a short name for its resource once, too.
    const whole = questions.flatMap(({ identity, action, resource }, i) =>
      [resource, resource.split(':').at(-1)].map((name) => JSON.stringify({ id: i, identity, action, resource: name })),
    )
    const text = Buffer.from(`${whole.join('\n')}\n`)
    const changed = Buffer.from(text)
    for (let change = 0; change < 12; change++) changed[Math.floor(random() * changed.length)] = pick(random, [...bytesOfJson])
    for (const format of ['verdict', 'compact'] as const) {
      const answer = answerer(worldOf(written), defaultSettings, context, format)
      if (areKnown) answer({ bytes: text, first: 1 })
      const { output } = answer({ bytes: changed, first: 1 })
      expect(output).toBe(linesAnsweredAlone(written, format, changed))
      for (const line of output.split('\n')) found[/error/.test(line) ? 'errors' : 'answers']++
    }
  }
  expect(Math.min(found.answers, found.errors)).toBeGreaterThan(effort(500, 5))
})

test('lines of unusual forms are answered as by the reader of all JSON, with names that are known and that are not', () => {
  const long = 'x'.repeat(2100)
  const found = { answers: 0, errors: 0 }
  for (let seed = 1; seed <= effort(40, 4); seed++) {
    const random = randomOf(seed)
    const { world: written, questions } = generate(random, 12)
    const names = questions.slice(0, 4).flatMap(({ identity, action, resource }) => [identity, action, resource])
    // Names of the other kinds, short ones, patterns, those that only JSON can read, and those that no grammar takes.
    const odd = (name: string) =>
      pick(random, [
        ...Array<string>(40).fill(name),
        name.replace(/^./, (first) => `\\u00${first.charCodeAt(0).toString(16)}`),
        `${name}\\n`,
        `${name}\t`,
        `${name}\x7f`,
        `${name}é`,
        `${name}*`,
        ` ${name}`,
        name.split(':').at(-1) as string,
        name.slice(0, -1),
        `${name}${long.slice(0, pick(random, [1, 1000, 2100]))}`,
        '',
        'urn:',
        pick(random, names),
      ])
    const lineOf = ({ identity, action, resource }: (typeof questions)[number], i: number) => {
      const fields = [
        `"id":${pick(random, [String(i), String(i), String(i), ` ${i}`, '"7"', 'null', '1e3', '00', '9007199254740993'])}`,
        `"identity":${pick(random, ['', ' '])}"${odd(identity)}"`,
        `"action":"${odd(action)}"`,
        `"resource":"${odd(resource)}"`,
        ...(random() < 0.2 ? [`"expect":"${pick(random, ['allow', 'deny', 'unknown', 'other'])}"`] : []),
        ...(random() < 0.1 ? [`"action":"${action}"`] : []),
        ...(random() < 0.1 ? [`"other":"${action}"`] : []),
      ].sort(() => random() - 0.5)
      if (random() < 0.1) fields.pop()
      const line = `{${fields.join(pick(random, [',', ',', ',', ', ', ', ', ' ,', ',,']))}}`
      return pick(random, [line, line, line, `${line}\r`, `\ufeff${line}`, ` ${line}`, `${line}}`, line.slice(0, -1), `[${line}]`])
    }
    const lines = questions.flatMap((question, i) => [lineOf(question, i), lineOf(question, i)])
    const text = Buffer.from(`${lines.join('\n')}${pick(random, ['', '\n', '\n\n', '\r\n'])}`)
    for (const format of ['verdict', 'compact'] as const) {
      const answer = answerer(worldOf(written), defaultSettings, context, format)
      const expected = linesAnsweredAlone(written, format, text)
      expect(answer({ bytes: text, first: 1 }).output).toBe(expected)
      expect(answer({ bytes: text, first: 1 }).output).toBe(expected)
      for (const line of expected.split('\n')) found[/error/.test(line) ? 'errors' : 'answers']++
    }
  }
  expect(Math.min(found.answers, found.errors)).toBeGreaterThan(effort(200, 4))
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
  for (let seed = 1; seed <= effort(60, 6); seed++) {
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
      expect(first.output).toBe(linesAnsweredAlone(written, format, Buffer.from(lines.join('\n'))))
      expect(again).toEqual(first)
    }
    reused += lines.length - new Set(lines.map((line) => line.replace(/"id":\d+,/, ''))).size
  }
  expect(reused).toBeGreaterThan(effort(3000, 6))
})
