import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { loadCatalogue } from '../../src/actions/load.ts'
import { converted } from '../../src/convert/convert.ts'
import { formattedFile } from '../../src/fmt/file.ts'
import { formatted, rewritten } from '../../src/fmt/fmt.ts'
import { formattedHcl } from '../../src/fmt/hcl.ts'
import { fixFiles, lintFiles, readSource, readSources } from '../../src/index.ts'
import { defaultSettings } from '../../src/names.ts'
import { commentsIn } from '../../src/parser/comments.ts'
import { limits } from '../../src/parser/limits.ts'
import { treeOf } from '../../src/parser/tree.ts'
import { rules } from '../../src/rules/index.ts'
import { levelsOf } from '../../src/rules/presets.ts'
import { type Notation, notationOf, position, sourceOf } from '../../src/source.ts'
import { testCases } from '../support/cases.ts'
import { counted } from '../support/counted.ts'
import { type Plain, someValue, writeDocument } from '../support/documents.ts'
import { effort, some } from '../support/effort.ts'
import { examplesOf, readExample } from '../support/examples.ts'
import { mainIn } from '../support/in-process.ts'
import { expectSame } from '../support/same.ts'
import { generate, pick, type Random, randomOf } from '../support/worlds.ts'

const root = resolve(import.meta.dirname, '../..')
const catalogue = loadCatalogue()
const now = Date.parse('2026-11-20T00:00:00Z')

/** The formatted text, which must be there. */
async function format(path: string, text: string, notation?: Notation): Promise<string> {
  const result = await formatted(notation ? sourceOf(path, text, notation) : sourceOf(path, text))
  if ('problems' in result) throw new Error(`${result.problems[0]?.message}:\n${text}`)
  return result.text
}

/** The contents of a text, by a reader that is not ours. */
function parsed(path: string, text: string): unknown {
  if (/\.jsonc?$/.test(path)) return JSON.parse(withoutComments(text.replace(/^\ufeff/, '')))
  return parseAllDocuments(text, { uniqueKeys: false }).map((document) => document.toJSON() ?? null)
}

const stringOrComment = /("(?:\\.|[^"\\])*")|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g
/** JSON without comments and trailing commas. */
const withoutComments = (text: string) =>
  text.replace(stringOrComment, (_, string = ' ') => string).replace(/("(?:\\.|[^"\\])*")|,(?=\s*[\]}])/g, (_, string = '') => string)

/** A text of JSON with comments and trailing commas. */
function commented(random: Random, text: string): string {
  let comments = 0
  const comment = () => {
    const words = `${pick(random, ['', '', 'grantwise-ignore '])}c${++comments}${pick(random, ['', ' "', ' [', ', //', ' */ /*'])}`
    return pick(random, [`//${words}\n`, `// ${words} \n`, `/* ${words} */`, `/* ${words} */ `, `\n/* ${words} */`, `\n\n  // ${words}\n`])
  }
  const some = () => (random() < 0.1 ? comment() : '')
  const parts = text.replace(/("(?:\\.|[^"\\])*")|[[\]{}:,]/g, (sign, string) => {
    if (string !== undefined) return some() + string + some()
    const isCloser = ']}'.includes(sign)
    return some() + (isCloser && random() < 0.1 ? `\u0000${sign}` : sign) + some()
  })
  // A comma in front of a closing bracket, unless nothing is in it.
  const trailing = parts.replace(/\u0000([\]}])/g, (_, sign, at, all) => {
    const before = withoutComments(all.slice(0, at)).replaceAll('\u0000', '').trimEnd()
    return /[[{]$/.test(before) ? sign : `,${sign}`
  })
  return some() + trailing + some()
}

/** The comments of a text by their words. */
async function commentsOf(path: string, text: string): Promise<readonly string[]> {
  if (path.endsWith('.jsonc'))
    return [...text.matchAll(stringOrComment)].flatMap(([all, string]) => (string === undefined ? [all.trimEnd()] : []))
  const source = sourceOf(path, text)
  if (source.notation !== 'yaml') return []
  return commentsIn(source, (await treeOf(source)).documents).map(({ start, end }) => text.slice(start, end).trimEnd())
}

/** The findings of `lint`, without places, and what is suppressed. */
async function findingsOf(path: string, text: string): Promise<unknown> {
  const files = await readSources([{ source: sourceOf(path, text) }], defaultSettings)
  const { findings, suppressed } = lintFiles({ files, catalogue, now })
  return [
    findings.map(({ code, message }) => `${code}: ${message.replace(/ on line \d+/, '')}`).sort(),
    suppressed.map(({ finding, reason }) => `${finding.code}: ${finding.message} (${reason})`).sort(),
  ]
}

/** Whether a suppression is about a line whose entries would be on several ones: such a file stays as it is. */
async function isAmbiguous(path: string, text: string): Promise<boolean> {
  const result = await formatted(sourceOf(path, text))
  return (
    'problems' in result && result.problems.every(({ message }) => message === 'formatted, this suppression would be about other entries')
  )
}

/** The laws of one text: it says the same, with the same comments in the same order, and nothing is left to format. */
async function checkText(path: string, text: string): Promise<string> {
  const result = await format(path, text)
  expectSame(parsed(path, result), parsed(path, text), () => text)
  expectSame(await commentsOf(path, result), await commentsOf(path, text), () => text)
  expectSame(await format(path, result), result, () => text)
  expectSame(/(?:^|[^\r])\n/.test(result), !/^[^\n]*\r\n/.test(text), () => JSON.stringify(text))
  expectSame(/[ \t]$/m.test(path.endsWith('.json') ? result : ''), false, () => text)
  return result
}

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

const blockScalar = (random: Random): string => {
  const header = pick(random, ['|', '|-', '|+', '>', '>-', '>+', '|2', '>2-', '| # c0'])
  const lead = /^.\d/.test(header) ? '   ' : ''
  const lines = ['a', 'b: c', '  deeper', '', '# no comment', '- x', '   ']
  const rest = Array.from({ length: Math.floor(random() * 4) }, () => pick(random, lines))
  return `${header}\n${[`${lead}first`, ...rest].map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n${pick(random, ['', '\n', '\n\n'])}`
}

/** A document with suppressions among its comments, block scalars and further documents, now and then. */
function someText(random: Random): { readonly path: string; readonly text: string } {
  const { path, text } = writeDocument(random, someValue(random, 4))
  if (path.endsWith('.json')) {
    const bom = random() < 0.05 ? '\ufeff' : ''
    return random() < 0.5 ? { path, text: bom + text } : { path: 'd.jsonc', text: bom + commented(random, text.replaceAll('\r\n', '\n')) }
  }
  const suppressing = random() < 0.5 ? text.replace(/# c(\d+);/g, (all, n) => (random() < 0.4 ? `# grantwise-ignore c${n}` : all)) : text
  if (random() < 0.7 || text.includes('\r')) return { path, text: suppressing }
  const scalars = `a: ${blockScalar(random)}b:\n  - ${blockScalar(random).replaceAll('\n  ', '\n    ')}`
  const last = suppressing.endsWith('\n') ? suppressing : `${suppressing}\n`
  return {
    path,
    text: `${scalars}${pick(random, ['', '# c0\n', '  # c0\n'])}---${pick(random, ['', ' # c0'])}\n${last.replace(/^---\n/m, '')}`,
  }
}

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

describe('generated documents', () => {
  test('a formatted text says the same, with the same comments, and stays as it is', async () => {
    let changed = 0
    let refused = 0
    const count = counted(effort(100_000, 400))
    for (let seed = 1; seed <= count; seed++) {
      const { path, text } = someText(randomOf(seed))
      if (path.endsWith('.jsonc') && (await isAmbiguous(path, text))) refused++
      else if ((await checkText(path, text)) !== text) changed++
    }
    expect([changed > count / 3, refused < count / 10]).toEqual([true, true])
  })

  test('policies have the same findings, suppressed ones among them', async () => {
    let suppressed = 0
    for (let seed = 1; seed <= counted(effort(1000, 50)); seed++) {
      const random = randomOf(seed)
      const { world } = generate(random, 0)
      const { path, text } = writeDocument(random, JSON.parse(JSON.stringify(world)) as Plain)
      const ignoring = text.replace(/# c\d+;/g, (all) =>
        random() < 0.5 ? '# grantwise-ignore unknown-action, unknown-type, unknown-product: known' : all,
      )
      const result = await checkText(path, ignoring)
      const [before, after] = [await findingsOf(path, ignoring), await findingsOf(path, result)]
      expectSame(after, before, () => ignoring)
      suppressed += (before as readonly (readonly unknown[])[])[1]?.length ?? 0
    }
    expect(suppressed).toBeGreaterThan(effort(400, 50))
  })
})

/** Pieces that are put into documents by chance. */
const pieces = [
  '\n',
  '\n\n',
  '  ',
  '- ',
  ': ',
  '#',
  ' # x\n',
  '# grantwise-ignore a: b\n',
  '[',
  ']',
  '{',
  '}',
  ',',
  '"',
  "'",
  '|\n',
  '>+\n',
  '---\n',
  '\t',
  '\r\n',
  'é',
  '/*',
  '*/',
  '<<EOT\n',
  '${',
  '=',
  '\ufeff',
]

/** A text in which a piece is put in, taken out or indented, at a place by chance, up to three times. */
function mistaken(random: Random, text: string): string {
  let result = text
  for (let i = 0; i <= random() * 3; i++) {
    const at = Math.floor(random() * (result.length + 1))
    const lineStart = result.lastIndexOf('\n', at) + 1
    const kind = random()
    if (kind < 0.5) result = result.slice(0, at) + pick(random, pieces) + result.slice(at)
    else if (kind < 0.75) result = result.slice(0, at) + result.slice(at + 1 + Math.floor(random() * 3))
    else result = result.slice(0, lineStart) + pick(random, [' ', '  ', '- ', '\n']) + result.slice(lineStart)
  }
  return result
}

test('of documents changed by chance, those that parse are formatted once, and others are refused at a place', async () => {
  const texts = ['examples', 'test/hcl/corpus', 'test/corpus'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:json|ya?ml|tf)$/.test(name))
      .map((name) => ({ path: name, text: readFileSync(join(root, folder, name), 'utf8') }))
      .filter(({ text }) => text.length < 4000),
  )
  let written = 0
  for (let seed = 1; seed <= counted(effort(60_000, 120)); seed++) {
    const random = randomOf(seed)
    const { path, text } = pick(random, texts)
    const source = sourceOf(path, mistaken(random, text))
    const result = await formatted(source)
    if ('problems' in result)
      expectSame(
        result.problems.every(({ span }) => span.source.text === source.text),
        true,
        () => source.text,
      )
    else if (++written) expectSame(await format(path, result.text), result.text, () => source.text)
  }
  expect(written).toBeGreaterThan(effort(20_000, 120))
})

test('sorted lists hold the same entries with the same comments, and are sorted', async () => {
  let moved = 0
  for (let seed = 1; seed <= counted(effort(1000, 50)); seed++) {
    const random = randomOf(seed)
    const { world } = generate(random, 0)
    const { path, text } = writeDocument(random, JSON.parse(JSON.stringify(world)) as Plain)
    const sort = async (given: string) => {
      const source = sourceOf(path, given)
      return formattedFile(source, await readSource(source, defaultSettings), (laidOut) => readSource(laidOut, defaultSettings))
    }
    const result = await sort(text)
    if (!result || 'problems' in result) continue
    expectSame(unordered(parsed(path, result.text)), unordered(parsed(path, text)), () => text)
    expectSame((await commentsOf(path, result.text)).toSorted(), (await commentsOf(path, text)).toSorted(), () => text)
    expectSame(await sort(result.text), result, () => text)
    if (result.text !== (await format(path, text))) moved++
  }
  expect(moved).toBeGreaterThan(effort(1000, 50) / 2)
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

/** A value with all lists in it sorted. */
function unordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(unordered(item))).sort()
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unordered(item)]))
}

/** The files of folders that are JSON or YAML, and hold no error of syntax. */
async function wellFormed(...folders: readonly string[]): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const found: { path: string; text: string }[] = []
  for (const folder of folders)
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort()) {
      if (!/\.(?:json|ya?ml)$/.test(name)) continue
      const text = readFileSync(join(root, folder, name), 'utf8')
      const { diagnostics } = await treeOf(sourceOf(name, text))
      if (diagnostics.every(({ severity }) => severity !== 'error')) found.push({ path: name, text })
    }
  return found
}

describe('files of the repository', () => {
  test('mistakes that parse, conformance cases, corpora and examples keep the law', async () => {
    const files = await wellFormed('examples', 'conformance', 'test/corpus', 'test/schemas', '.changeset')
    expect(files.length).toBeGreaterThan(300)
    for (const { path, text } of some(files, 4)) await checkText(path, text)
    counted(files.length)
  })

  test('examples of policies are formatted, but those of unformatted sources', async () => {
    const files = await wellFormed('examples')
    const different: string[] = []
    for (const { path, text } of files) if ((await format(path, text)) !== text) different.push(path)
    expect(different.filter((path) => !/^(?:sources|catalogue|compose|fmt)\//.test(path))).toEqual([])
  })
})

describe('what other commands write', () => {
  test('convert writes what is formatted', async () => {
    for (let seed = 1; seed <= counted(effort(2000, 50)); seed++) {
      const random = randomOf(seed)
      const { world } = generate(random, 0)
      const { path, text } = writeDocument(random, JSON.parse(JSON.stringify(world)) as Plain)
      const source = sourceOf(path, text)
      const { documents } = await treeOf(source)
      const comments = source.notation === 'yaml' ? commentsIn(source, documents) : []
      for (const target of ['json', 'yaml', 'hcl'] as const) {
        const { text: result } = converted({ documents, comments }, target, 'svc')
        if (result !== undefined) expectSame(await format(target === 'hcl' ? 'a.tf' : `a.${target}`, result), result, () => text)
      }
    }
  })

  test('fixes of lint leave a formatted text formatted', async () => {
    const examples = rules.flatMap(({ code }) => examplesOf(code).bad.map((example) => readExample(example).exampleSet))
    const files = await wellFormed('examples/mistakes', 'test/corpus')
    const options = new Map()
    const profileOf = () => ({ levels: levelsOf('auditor'), options })
    const fixed = new Map<string, number>()
    for (const { path, text } of [...examples, ...some(files, 4)]) {
      const result = await formatted(sourceOf(path, text))
      if ('problems' in result) continue
      const read = await readSources([{ source: sourceOf(path, result.text) }], defaultSettings)
      const { changed } = await fixFiles({ files: read, catalogue, now, profileOf }, 'suggested')
      for (const { after } of changed) {
        const { notation } = after.source
        fixed.set(notation, (fixed.get(notation) ?? 0) + 1)
        expectSame(await format(path, after.source.text), after.source.text, () => result.text)
      }
    }
    expect([fixed.get('yaml') ?? 0, fixed.get('json') ?? 0].map((count) => count > 5)).toEqual([true, true])
  })

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
