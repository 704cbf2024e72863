import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { formatted, rewritten } from '../../src/fmt/fmt.ts'
import { formattedHcl } from '../../src/fmt/hcl.ts'
import { fixFiles, readSources } from '../../src/index.ts'
import { defaultSettings } from '../../src/names.ts'
import { limits } from '../../src/parser/limits.ts'
import { notationOf, position, sourceOf } from '../../src/source.ts'
import { testCases } from '../support/cases.ts'
import { format } from '../support/formatted.ts'
import { mainIn } from '../support/in-process.ts'

const catalogue = loadCatalogue()
const now = Date.parse('2026-11-20T00:00:00Z')
describe('strings and their layout', () => {
  testCases(new URL('layout.cases', import.meta.url), async (given, { path = 'a.yaml' }) => {
    const result = await formatted(sourceOf(path, given))
    if ('problems' in result) return result.problems.map(({ code, message }) => `${code}: ${message}`)
    expect(await format(path, result.text)).toBe(result.text)
    return result.text.endsWith('\n') ? result.text.slice(0, -1).split('\n') : [`${result.text}⟨end⟩`]
  })
})

test('a list of JSON stays on its line where that fits with the comma behind it', async () => {
  const layout = async (length: number) => (await format('a.json', `{\n  "a": ["${'x'.repeat(length)}"],\n  "b": 1\n}\n`)).split('\n')
  const widest = 140 - '  "a": [""],'.length
  expect([(await layout(widest)).length, (await layout(widest))[1]?.length]).toEqual([5, 140])
  expect((await layout(widest + 1)).length).toBe(7)
})

test.each([
  ['a.yaml', '# one\r two\nname: a\n'],
  ['a.yaml', 'name: a # one\rdescription: b\n'],
  ['main.tf', 'a = 1 # one\rb = 2\n'],
])('a carriage return alone ends lines for some readers: %s is left as it is, %j', async (path, text) => {
  const result = await formatted(sourceOf(path, text))
  expect(result).toMatchObject({ problems: [{ message: expect.stringContaining('carriage return'), span: { start: text.indexOf('\r') } }] })
  expect(await format(path, text.replace('\r', '\r\n# '))).not.toContain('\r#')
})

test('in JSON a carriage return alone is a blank', async () => {
  expect(await format('a.json', '{"name":\r"a"}')).toBe('{\n  "name": "a"\n}\n')
})

test('a list of a configuration that is not within its policy keeps its order, by which others may name its entries', async () => {
  const people = ['zoe', 'ann'].map((name) => `    "urn:v1:eu:identity:user:ab12-svc/${name}",`)
  const policy = (identities: string) => `resource "svc_iam_policy" "ops" {
  name       = "ops"
  identities = ${identities}
  resources  = ["urn:v1:eu:resource:vps:web-1"]
  allow      = ["vps:apisvc:get"]
}
`
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-fmt-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const sort = async (text: string) => {
    writeFileSync(join(folder, 'main.tf'), text)
    expect(await mainIn(['fmt', '--sort', '--no-config', 'main.tf'], folder)).toMatchObject({ exit: 0, stderr: '' })
    return readFileSync(join(folder, 'main.tf'), 'utf8')
  }
  const list = (lines: readonly string[]) => `[\n${lines.join('\n')}\n  ]`
  const inside = policy(list(people))
  expect(await sort(inside)).toMatch(/ann"[^\]]*zoe"/)
  const outside = `locals {\n  people = ${list(people)}\n}\n\n${policy('local.people')}\noutput "owner" {\n  value = local.people[0]\n}\n`
  expect(await sort(outside)).toBe(outside)
})

describe('what other commands write', () => {
  test.each([
    [
      'a.json',
      '{\n  "name": "a",\n  "identities": [],\n  "resources": ["urn:v1:eu:resource:vps:*"],\n  "permissions": { "allow": ["vps:apisvc:get"] }\n}\n',
    ],
    ['a.yaml', 'name: a\nidentities: []\nresources: ["urn:v1:eu:resource:vps:*"]\npermissions:\n  allow:\n    - vps:apisvc:get\n'],
  ])('a text that becomes an object in %s has the layout of one', async (path, text) => {
    expect(await format(path, text)).toBe(text)
    const files = await readSources([{ source: sourceOf(path, text) }], defaultSettings)
    const { changed } = await fixFiles({ files, catalogue, now }, 'suggested')
    const result = changed[0]?.after.source.text ?? ''
    expect(result).toMatch(/\{ "?urn"?: /)
    expect(await format(path, result)).toBe(result)
  })
})

// `reference.json` holds texts and what `hclwrite.Format` of version 2 of the language makes of them; `reference/main.go` asks it.
describe('HCL', () => {
  const reference: readonly (readonly [given: string, expected: string])[] = JSON.parse(
    readFileSync(new URL('reference.json', import.meta.url), 'utf8'),
  )

  it.each(reference.map(([given, expected], i) => [i, given, expected] as const))(
    'as the reference formats text %i',
    async (_, given, expected) => {
      const result = await format('a.tf', given)
      expect(result).toBe(expected)
      expect(formattedHcl(sourceOf('a.tf', result))).toBe(result)
    },
  )
})

describe('a result is refused where', () => {
  const yaml = '# first\nallow: [{ action: a }, { action: b }] # grantwise-ignore x: y\ndeny: [] # last\n'
  it.each([
    ['a value differs', 'a.yaml', yaml, yaml.replace('b }', 'c }'), 'would say something else', 1],
    ['an entry is missing', 'a.yaml', yaml, yaml.replace(', { action: b }', ''), 'would say something else', 1],
    ['entries change places', 'a.yaml', yaml, yaml.replace(/(\{.*?\}), (\{.*?\})/, '$2, $1'), 'would say something else', 1],
    ['it cannot be read', 'a.yaml', yaml, yaml.replace(']', ''), 'could not be read', 1],
    ['a comment is missing', 'a.yaml', yaml, yaml.replace(' # last', ''), 'lose or move this comment', 3],
    ['a comment is added', 'a.yaml', yaml, `${yaml}# more\n`, 'lose or move this comment', 1],
    ['comments change places', 'a.yaml', yaml, yaml.replace('first', 'last').replace(/last\n$/, 'first\n'), 'lose or move this comment', 1],
    [
      'a suppression is about fewer entries',
      'a.yaml',
      yaml,
      yaml.replace('}, {', '},\n  {'),
      'suppression would be about other entries',
      2,
    ],
    [
      'a suppression is about more entries',
      'a.yaml',
      'allow:\n  # grantwise-ignore x: y\n  - a\n  - b\n',
      'allow:\n  # grantwise-ignore x: y\n  [a, b]\n',
      'about other entries',
      2,
    ],
    [
      'a suppression is about another entry',
      'a.yaml',
      'allow:\n  - a\n  # grantwise-ignore x: y\n  - b\n  - c\n',
      'allow:\n  - a\n  - b\n  # grantwise-ignore x: y\n  - c\n',
      'about other entries',
      3,
    ],
    ['a key differs', 'a.json', '{"a": 1}', '{"b": 1}', 'would say something else', 1],
    ['more than blanks differ', 'a.tf', 'a = "b"\n', 'a = ("b")\n', 'would say something else', 1],
    ['blanks in a string differ', 'a.tf', 'a = "b c"\n', 'a = "b  c"\n', 'would say something else', 1],
    [
      'a comment of HCL is in another place',
      'a.tf',
      'a = 1 # grantwise-ignore x: y\n',
      'a = 1\n# grantwise-ignore x: y\n',
      'about other entries',
      1,
    ],
  ] as const)('%s', async (_, path, before, after, message, line) => {
    const source = sourceOf(path, before)
    const result = await rewritten(source, after)
    const [problem] = 'problems' in result ? result.problems : []
    expect(problem?.message).toContain(message)
    expect(problem && position(problem.span.source, problem.span.start).line).toBe(line)
  })
})

test('a result that is too long to be read is refused, with the remedy for that', async () => {
  const result = await rewritten(sourceOf('a.json', '[]'), `[${' '.repeat(limits.jsonLength)}]`)
  expect('problems' in result && result.problems.map(({ message, help }) => [message.includes('longer than'), help])).toEqual([
    [true, 'split it into several files'],
  ])
})

test('a text that is not well-formed has problems, and no layout', async () => {
  for (const [path, text] of [
    ['a.json', '{"a": 1,}'],
    ['a.yaml', 'a: [1'],
    ['a.yaml', 'a: &b 1'],
    ['a.yaml', ''],
    ['a.tf', 'a = ['],
  ] as const) {
    const result = await formatted(sourceOf(path, text, notationOf(path)))
    expect('problems' in result && result.problems.length, path).toBeGreaterThan(0)
  }
})
