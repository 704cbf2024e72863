import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { Diagnostic } from '../../src/diagnostic.ts'
import { lint } from '../../src/lint/run.ts'
import { defaultSettings } from '../../src/names.ts'
import { fencesIn, textOfFence } from '../../src/parser/markdown.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { rules } from '../../src/rules/index.ts'
import { position, type Span, sourceOf } from '../../src/source.ts'
import { readFences } from '../../src/sources/fences.ts'
import { isUnknownToFences, libraryFences, ownFences } from '../support/commonmark.ts'
import { contextOf } from '../support/lint-world.ts'
import '../support/seed.ts'
import { effort } from '../support/effort.ts'
import { generate, pick, type Random, randomOf, usualKnobs } from '../support/worlds.ts'

const policy = 'name: web\nidentities: [urn:v1:eu:identity:user:ab12-svc/ann]\nresources: [{ urn: "urn:v1:eu:resource:vps:vps-1" }]\n'

const found = (text: string) => fencesIn(sourceOf('r.md', text)).fences.map((fence) => textOfFence(fence).text)

describe('fences are found', () => {
  test.each([
    ['plain', '```json\n{}\n```\n', ['{}\n']],
    ['with more to say', '```JSON title="p.json"\n{}\n```', ['{}\n']],
    ['with blanks before the word', '~~~~  yml\na\n~~~\n~~~~~  \nb', ['a\n~~~\n']],
    ['with CRLF', '```json\r\n{}\r\n```\r\n', ['{}\r\n']],
    ['with CR alone', '```json\r{}\r```\r', ['{}\r']],
    ['of other words', '```jsonc\n{}\n```\n```js\n```\n```\n{}\n```\n', []],
    ['in a list', '- one\n\n  ```json\n  {\n    }\n  ```\n', ['{\n  }\n']],
    ['on the line of a mark', '1. ```json\n   {}\n   ```\n2. ```json\n   []\n\ntext', ['{}\n', '[]\n\n']],
    ['in a list, deep', '- a\n  - b\n    - c\n      ```yaml\n      x: 1\n\n      y: 2\n      ```\n', ['x: 1\n\ny: 2\n']],
    ['in a quote', '> ```json\n> {\n>   }\n> ```\n', ['{\n  }\n']],
    ['in a quote that ends', '> ```json\n> {}\ntext\n```yaml\na\n```\n', ['{}\n', 'a\n']],
    ['in quotes in a list', '- > > ```json\n  > > {}\n  > > ```\n', ['{}\n']],
    ['in code by indentation', 'text\n\n    ```json\n    {}\n    ```\n', []],
    ['in a comment', '<!--\n```json\n{}\n```\n-->\n```json\n[]\n```\n', ['[]\n']],
    ['in a line', '```json {} ```\ntext\n', []],
    ['never closed', '```json\n{}\n', ['{}\n']],
    ['nested', '````yaml\n```json\n````\n', ['```json\n']],
    ['in code by indentation in a list', '- a\n\n      ```json\n      {}\n\n  ```yaml\n  a\n  ```\n', ['a\n']],
    ['in a quote that begins within code that is never closed', '- ```json\n  {}\n> ```yaml\n> a\n', ['{}\n', 'a\n']],
    ['in a quote deeper than the one of the fence before', '> - ```json\n> > ```yaml\n> > a\n', ['', 'a\n']],
    ['in HTML', '<div>\n```json\n{}\n```\n\n```json\n[]\n```\n</div>\n', ['[]\n']],
    ['behind a line that makes a heading', 'a\n---\n    ```json\n\n```yaml\na\n```\n', ['a\n']],
    ['in an item that begins empty', '-\n  ```json\n  {}\n  ```\n', ['{}\n']],
    ['with less before it', '   ```json\n {}\n  {}\n     {}\n```\n', ['{}\n{}\n  {}\n']],
  ])('%s', (_, text, wanted) => {
    expect(found(text)).toEqual(wanted)
  })
})

describe('fences are those that the reference implementation of CommonMark finds', () => {
  const unlike = (text: string) => {
    const [ours, theirs] = [ownFences(text), libraryFences(text)]
    return JSON.stringify(ours) === JSON.stringify(theirs) ? [] : [{ text, ours, theirs }]
  }

  test('in documents', () => {
    const random = randomOf(45)
    let met = 0
    for (let i = 0; i < effort(20_000, 30); i++) {
      const text = `${Array.from({ length: 1 + Math.floor(random() * 3) }, () => [...blockOf(random, 0), ''])
        .flat()
        .join('\n')}\n`
      expect(unlike(text)).toEqual([])
      met += ownFences(text).length
    }
    expect(met).toBeGreaterThan(effort(20_000, 30))
  })

  test('in lines of any signs', () => {
    const random = randomOf(46)
    let met = 0
    for (let i = 0; i < effort(200_000, 30); i++) {
      const line = () => Array.from({ length: Math.floor(random() * 5) }, () => pick(random, signs)).join('')
      const text = Array.from({ length: 1 + Math.floor(random() * 6) }, () => `${line()}\n`).join('')
      if (isUnknownToFences(text)) continue
      expect(unlike(text)).toEqual([])
      met += ownFences(text).length
    }
    expect(met).toBeGreaterThan(effort(15_000, 30))
  })
})

const signs =
  '```json|```|~~~yaml|~~~|````|> |>|- |-|* |1. |2) |    |  | |\t|text|# a|***|---|===|<!-- c -->|<!--|-->|<pre>|</pre>|<div>|<b>|<?|?>|<![CDATA[|]]>|{}|a: b|`|<!X|10.'.split(
    '|',
  )

/** The lines of a block as users nest them: text, code, comments, tables, lists and quotes. */
function blockOf(random: Random, depth: number): string[] {
  const kind = random()
  if (kind < 0.15) return ['Text of a paragraph.', ...(random() < 0.3 ? ['More of it.'] : [])]
  if (kind < 0.2) return ['# Heading']
  if (kind < 0.25) return ['    code', '    ```json', '    {}']
  if (kind < 0.3) return ['<!-- a comment -->']
  if (kind < 0.34) return ['<!--', '```json', '{}', '```', '-->']
  if (kind < 0.38) return ['| a | b |', '|---|---|', '| 1 | 2 |']
  if (kind < 0.65 || depth > 3) {
    const sign = pick(random, ['```', '~~~', '````'])
    const before = pick(random, ['', '', '', ' ', '   '])
    const inside = ['{}', 'a: b', '', '  x: 1', '    y', '- z', '# c', '<!-- c -->', '> q', '```', '~~~'].filter(
      (line) => !line.startsWith(sign),
    )
    const info = pick(random, ['json', 'yaml', ' yaml', 'hcl title="x"', '', 'text', 'JSON'])
    const body = Array.from({ length: Math.floor(random() * 4) }, () => pick(random, inside))
    return [sign + info, ...body, ...(random() < 0.93 ? [sign] : [])].map((line) => (line === '' ? '' : before + line))
  }
  const inner = Array.from({ length: 1 + Math.floor(random() * 3) }, () => [
    ...blockOf(random, depth + 1),
    ...(random() < 0.8 ? [''] : []),
  ]).flat()
  if (kind < 0.8) return inner.map((line) => (line === '' ? '>' : `> ${line}`))
  const mark = pick(random, ['- ', '* ', '1. ', '-   ', '10. '])
  return inner.map((line, i) => (i === 0 ? mark + line : line === '' ? '' : ' '.repeat(mark.length) + line))
}

/** The findings in a policy, with the line and column of each place. */
function reported(diagnostics: readonly Diagnostic[]) {
  return diagnostics.map(({ code, message, span, related = [] }) => ({
    code,
    message,
    places: [span, ...related.map((each) => each.span)].map(ends),
  }))
}

type Ends = readonly [line: number, column: number, endLine: number, endColumn: number]

function ends({ source, start, end }: Span): Ends {
  const [from, to] = [position(source, start), position(source, end)]
  return [from.line, from.column, to.line, to.column]
}

function findings(facts: Parameters<typeof buildWorld>[0][number], diagnostics: readonly Diagnostic[]) {
  const { world, diagnostics: built } = buildWorld([facts])
  return lint(rules, contextOf(world), [...diagnostics, ...built])
}

/** Text with some harm done to it. */
function harmed(random: Random, text: string): string {
  const at = Math.floor(random() * text.length)
  return pick(random, [text, text, text, text.slice(0, at) + text.slice(at + 1), `${text.slice(0, at)}\t${text.slice(at)}`])
}

/** Ways to put a text into a document: what is before it, and before each of its lines. */
const homes = [
  { before: 'Text.\n\n```', prefix: '', after: '```\n\nMore.\n' },
  { before: '- item\n\n  ~~~', prefix: '  ', after: '  ~~~\n' },
  { before: '> quoted\n> ```', prefix: '> ', after: '> ```\n' },
  { before: '1. > - a\n   > -   ````', prefix: '   >     ', after: '   >     ````\n' },
]

test('what is found in a fence is what is found in a file of its own, moved', async () => {
  const random = randomOf(20261120)
  const met = { findings: 0, broken: 0 }
  for (let i = 0; i < effort(200, 4); i++) {
    const { world } = generate(random, 1, { ...usualKnobs, policies: 2 })
    const notation = pick(random, ['json', 'yaml'] as const)
    const document = i % 2 === 0 ? world : { ...world.policies[0], conditions: undefined }
    const written = notation === 'json' ? JSON.stringify(document, null, 2) : stringify(document)
    const text = `${harmed(random, written.trimEnd())}\n`
    const { before, prefix, after } = pick(random, homes)
    const ending = pick(random, ['\n', '\r\n'])
    const marked = text
      .slice(0, -1)
      .split('\n')
      .map((line) => `${prefix}${line}\n`)
      .join('')
    const markdown = `${before}${notation}\n${marked}${after}`.replaceAll('\n', ending)
    const alone = sourceOf('p', text.replaceAll('\n', ending), notation)
    const read = await readSource(alone, defaultSettings)
    const { read: inFence, passed } = await readFences(sourceOf('p', markdown), defaultSettings)
    const [part] = inFence.apart
    if (!part) {
      expect([read.holdsPolicies && passed.length === 0, passed]).toEqual([false, passed])
      continue
    }
    const lines = before.split('\n').length
    const width = prefix.length
    const moved = reported(findings(read.facts, read.diagnostics)).map((each) => ({
      ...each,
      places: each.places.map(([line, column, endLine, endColumn]): Ends => {
        // A block that ends right behind a line break ends there, and not behind what is before the next line.
        const isBehindBreak = endColumn === 1 && (line !== endLine || column !== endColumn)
        return [line + lines, column + width, endLine + lines, isBehindBreak ? 1 : endColumn + width]
      }),
    }))
    expect(reported(findings(part.facts, part.diagnostics))).toEqual(moved)
    met.findings += moved.length
    met.broken += read.diagnostics.some(({ code }) => code === 'syntax') ? 1 : 0
  }
  expect(met.findings).toBeGreaterThan(effort(300, 4))
  expect(met.broken).toBeGreaterThan(effort(10, 4))
})

describe('documents made to be slow', () => {
  const read = (text: string) => readFences(sourceOf('r.md', text), defaultSettings)

  test.each([
    ['fences of something else', '```json\n{"a": 1}\n```\n'.repeat(100_000)],
    ['fences that are opened again and again', '```json\n'.repeat(100_000)],
    ['fences in quotes that end', '> ```json\n\n'.repeat(100_000)],
    ['marks of quotes', '>'.repeat(300_000)],
    ['marks of lists', `${'- '.repeat(150_000)}\`\`\`json\n${' '.repeat(300_000)}{}\n`],
    ['signs', '`'.repeat(300_000)],
    ['comments', '<!-- grantwise-ignore -->\n'.repeat(50_000)],
    ['comments that do not end', '<!--'.repeat(100_000)],
    ['blank lines', ' \n'.repeat(300_000)],
  ])('%s', async (_, text) => {
    const { read: result } = await read(text)
    expect(result.apart).toEqual([])
  })

  test('many policies are refused past a number', async () => {
    const { read: result, refusal } = await read(`\`\`\`yaml\n${policy}permissions: {}\n\`\`\`\n`.repeat(1002))
    expect(result.apart).toHaveLength(1000)
    expect(refusal).toMatch(/^more than 1000 fenced code blocks with policies: those after r\.md:6001:1 are not read$/)
  })
})

describe('parts and sketches of policies', () => {
  const reasons = async (text: string) => {
    const { read, passed } = await readFences(sourceOf('r.md', `\`\`\`yaml\n${text}\`\`\`\n`), defaultSettings)
    return [read.apart.length, ...passed.map(({ reason }) => reason)]
  }

  test.each([
    ['all of one', `${policy}permissions: { allow: [{ action: "vps:*" }] }\n`, [1]],
    ['text that trails off', `${policy}description: and so on…\npermissions: { allow: [{ action: "vps:*" }] }\n`, [1]],
    ['one field short', 'name: web\nidentities: [urn:v1:eu:identity:user:ab12-svc/ann]\npermissions: {}\n', [1]],
    ['a part', 'permissions: { allow: [{ action: "vps:*" }] }\n', [0, 'a part of a policy']],
    ['something left out', `${policy}permissions: { allow: [...] }\n`, [0, 'a sketch: it leaves things out']],
    ['lines left out', `${policy}permissions:\n  # …\n  deny: [{ action: "vps:*" }]\n`, [0, 'a sketch: it leaves things out']],
    [
      'names to be put in',
      `${policy.replace('ab12-svc/ann', '<account>/<login>')}permissions: {}\n`,
      [0, 'a sketch: it leaves things out'],
    ],
    ['not well-formed', `${policy}permissions: { allow: [ }\n`, [1]],
    ['something else', 'jobs: { lint: { run: grantwise lint } }\n', [0]],
    ['something else, not well-formed', 'at: urn:v1:eu:resource:vps:vps-1\nb: [ }\n', [0]],
  ])('%s', async (_, text, wanted) => {
    expect(await reasons(text)).toEqual(wanted)
  })
})

test('the policies in the documents of this program are in order', async () => {
  const root = new URL('../..', import.meta.url)
  const paths = ['README.md', 'CONTRIBUTING.md', ...['docs', 'examples'].flatMap((folder) => markdownIn(folder))]
  const wrong: string[] = []
  for (const path of paths) {
    const { read } = await readFences(sourceOf(path, readFileSync(new URL(path, root), 'utf8')), defaultSettings)
    for (const { facts, diagnostics } of read.apart) {
      for (const { code, severity, span, message } of findings(facts, diagnostics)) {
        const { line } = position(span.source, span.start)
        const isIgnored = read.ignores.some(
          (each) => line >= each.line && line <= (each.lastLine ?? each.line) && each.codes.some(({ value }) => value === code),
        )
        if (severity !== 'info' && !isIgnored) wrong.push(`${path}:${line}: ${code}: ${message}`)
      }
    }
  }
  expect(paths.length).toBeGreaterThan(20)
  expect(wrong).toEqual([])

  /** Those that are wrong on purpose, and tried elsewhere, are left out: the documents of the rules, and an example. */
  function markdownIn(folder: string): readonly string[] {
    return readdirSync(fileURLToPath(new URL(folder, root)), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
      .map((entry) => `${entry.parentPath}/${entry.name}`.slice(fileURLToPath(root).length))
      .filter((path) => !path.startsWith('docs/rules/') && path !== 'examples/sources/HANDBOOK.md')
  }
})
