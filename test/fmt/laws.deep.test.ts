import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { loadCatalogue } from '../../src/actions/load.ts'
import { converted } from '../../src/convert/convert.ts'
import { formattedFile } from '../../src/fmt/file.ts'
import { formatted } from '../../src/fmt/fmt.ts'
import { fixFiles, lintFiles, readSource, readSources } from '../../src/index.ts'
import { defaultSettings } from '../../src/names.ts'
import { commentsIn } from '../../src/parser/comments.ts'
import { treeOf } from '../../src/parser/tree.ts'
import { rules } from '../../src/rules/index.ts'
import { levelsOf } from '../../src/rules/presets.ts'
import { sourceOf } from '../../src/source.ts'
import { counted } from '../support/counted.ts'
import { type Plain, someValue, writeDocument } from '../support/documents.ts'
import { effort, some } from '../support/effort.ts'
import { examplesOf, readExample } from '../support/examples.ts'
import { format } from '../support/formatted.ts'
import { expectSame } from '../support/same.ts'
import { generate, pick, type Random, randomOf } from '../support/worlds.ts'

const root = resolve(import.meta.dirname, '../..')
const catalogue = loadCatalogue()
const now = Date.parse('2026-11-20T00:00:00Z')

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

/** A value with all lists in it sorted. */
function unordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(unordered(item))).sort()
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unordered(item)]))
}

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
})
