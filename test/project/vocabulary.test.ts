import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { commentsAndTitlesIn, proseIn, type Wording, wordingsIn, wordsOf } from '../support/vocabulary.ts'

interface Word {
  /** Words that a comment does not have, as alternatives of a pattern. */
  readonly comment: string
  /** Unless one of these words follows. */
  readonly before?: string
  /** The words that a name does not have. */
  readonly name?: string
  readonly instead: string
  readonly why: string
}

interface Vocabulary {
  readonly words: readonly Word[]
  readonly exceptions: readonly { readonly file: string; readonly text: string; readonly why: string }[]
  /** Words of pages, comments and titles outside of `src` that stay, by file. */
  readonly outside: readonly { readonly file: string; readonly words: string; readonly why: string }[]
  /** Words of the glossary's last column that have another, proper meaning in code, with that meaning. */
  readonly notEnforced: Readonly<Record<string, string>>
  /** Names of how a value was come by, not of what it is: functions of so many lines or more declare no local of these. */
  readonly locals: {
    readonly names: readonly string[]
    readonly lines: number
    readonly exceptions: Vocabulary['exceptions']
  }
  /** How many wordings of a folder are still to be replaced: the number may only fall. */
  readonly remaining: Readonly<Record<string, number>>
}

const vocabulary = JSON.parse(readFileSync(new URL('vocabulary.json', import.meta.url), 'utf8')) as Vocabulary

const banned = vocabulary.words.map(({ comment, before, name, instead }) => ({
  comment: new RegExp(`\\b(?:${comment})\\b${before === undefined ? '' : `(?! (?:${before})\\b)`}`, 'i'),
  names: new Set(name?.split('|')),
  instead,
}))

/** Faults of wordings: the word with its replacement, and where it is. */
function faultsOf(wordings: readonly Wording[]): readonly { readonly wording: Wording; readonly fault: string }[] {
  return wordings.flatMap((wording) => {
    const { kind, text } = wording
    const words = kind === 'name' ? wordsOf(text) : []
    const faults = banned.flatMap(({ comment, names, instead }) => {
      const found = kind === 'name' ? words.find((word) => names.has(word)) : comment.exec(text)?.[0]
      return found === undefined ? [] : [`\`${found}\`: write ${instead}`]
    })
    if (kind === 'comment' && /^What\b/.test(text)) faults.push('a comment begins with `What`: begin with a noun or a verb')
    return faults.map((fault) => ({ wording, fault }))
  })
}

const folderOf = ({ file }: Wording) => (file.includes('/') ? (file.split('/', 1)[0] as string) : '')

const root = new URL('../../src/', import.meta.url)
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
const wordings = wordingsIn(files.sort().map((file) => ({ file, text: readFileSync(new URL(file, root), 'utf8') })))

describe('the words of comments and names', () => {
  const faults = faultsOf(wordings)
  const isException = ({ file, text }: Wording) => vocabulary.exceptions.some((each) => each.file === file && each.text === text)

  test('are those of the glossary', () => {
    expect(wordings.length).toBeGreaterThan(10_000)
    const found = faults.filter(({ wording }) => !isException(wording))
    const counts = new Map<string, number>()
    for (const { wording } of found) counts.set(folderOf(wording), (counts.get(folderOf(wording)) ?? 0) + 1)
    const over = found.filter(({ wording }) => (counts.get(folderOf(wording)) ?? 0) > (vocabulary.remaining[folderOf(wording)] ?? 0))
    expect(over.map(({ wording: { file, line, text }, fault }) => `src/${file}:${line}: ${fault}: ${text.slice(0, 100)}`)).toEqual([])
  })

  test('have no exception that is not needed', () => {
    const unneeded = vocabulary.exceptions.filter(
      ({ file, text }) => !faults.some(({ wording }) => wording.file === file && wording.text === text),
    )
    expect(unneeded).toEqual([])
  })
})

describe('the words of comments, titles of tests, and pages outside of `src`', () => {
  const base = new URL('../../', import.meta.url)
  const filesIn = (folder: string, ending: RegExp) =>
    readdirSync(new URL(folder, base), { recursive: folder !== 'site/', encoding: 'utf8' })
      .filter((file) => ending.test(file))
      .map((file) => `${folder}${file}`)
  const read = (file: string) => ({ file, text: readFileSync(new URL(file, base), 'utf8') })
  const programs = ['test/', 'scripts/', 'bench/', 'site/', 'site/.vitepress/theme/', 'editors/vscode/src/'].flatMap((folder) =>
    filesIn(folder, /\.(?:ts|mjs|js)$/),
  )
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...filesIn('docs/', /^(?!rules).*\.md$/),
    ...filesIn('examples/', /README\.md$/),
  ]
  const wordings = [...programs.map(read).flatMap(commentsAndTitlesIn), ...pages.map(read).flatMap(proseIn)]
  const faults = faultsOf(wordings)
  const isException = ({ wording, fault }: (typeof faults)[number]) =>
    vocabulary.outside.some(({ file, words }) => file === wording.file && words.split('|').some((word) => fault.startsWith(`\`${word}\``)))

  test('are those of the glossary', () => {
    for (const kind of ['comment', 'prose']) expect(wordings.filter((each) => each.kind === kind).length).toBeGreaterThan(3_000)
    const found = faults.filter((each) => !isException(each))
    expect(found.map(({ wording: { file, line, text }, fault }) => `${file}:${line}: ${fault}: ${text.slice(0, 100)}`)).toEqual([])
  })

  test('have no exception that is not needed', () => {
    const unneeded = vocabulary.outside.flatMap(({ file, words }) =>
      words.split('|').filter((word) => !faults.some(({ wording, fault }) => wording.file === file && fault.startsWith(`\`${word}\``))),
    )
    expect(unneeded).toEqual([])
  })

  test.each([
    ['a comment of a line', '// it lies there\nconst a = 1', 'lies'],
    ['a doc comment', '/** What it holds. */\nconst a = 1', 'What'],
    ['the title of a test', "test('nobody may', () => {})", 'nobody'],
    ['the title of a table', "test.each([\n  1,\n])('is beside %s', () => {})", 'beside'],
  ])('are read: %s', (_, text, word) => {
    expect(faultsOf(commentsAndTitlesIn({ file: 'a.ts', text })).map(({ fault }) => fault)).toEqual([
      expect.stringContaining(`\`${word}\``),
    ])
  })

  test('are read: a page, without its code', () => {
    const text = 'It lies `beside` it.\n```\nnobody\n```\nHere whoever.'
    expect(faultsOf(proseIn({ file: 'a.md', text })).map(({ wording, fault }) => [wording.line, fault.slice(0, 9)])).toEqual([
      [1, '`lies`: w'],
      [5, '`whoever`'],
    ])
  })
})

describe('a local of a function that is longer than a few lines', () => {
  const { names, lines, exceptions } = vocabulary.locals
  const vagueIn = (all: readonly Wording[]) => all.filter(({ text, functionLines = 0 }) => functionLines >= lines && names.includes(text))

  test('says what it holds', () => {
    const vague = vagueIn(wordings)
    const isException = ({ file, text }: Wording) => exceptions.some((each) => each.file === file && each.text === text)
    expect(vague.filter((each) => !isException(each)).map(({ file, line, text }) => `src/${file}:${line}: ${text}`)).toEqual([])
    expect(exceptions.filter(({ file, text }) => !vague.some((each) => each.file === file && each.text === text))).toEqual([])
  })

  const body = '\n  a()\n  b()\n  c()\n  return d\n'
  test.each([
    ['a parameter', `function f(known: string) {${body}}`, ['known']],
    ['a variable', `const f = () => {\n  const found = 1${body}}`, ['found']],
    ['an item of a list', `const f = ([, own]: string[]) => {${body}}`, ['own']],
    ['a field by another name', `const f = ({ clause: at }: Clause) => {${body}}`, ['at']],
    ['but not the name of a field', `const f = ({ at }: Clause) => {${body}}`, []],
    ['but not in a few lines', 'function f(known: string) {\n  return known\n}', []],
    ['but not in a callback of one line', `const f = () => {\n  a((known) => known)${body}}`, []],
    ['but not in a type', `const f = (g: (at: number) => string) => {${body}}`, []],
  ])('%s', (_, text, vague) => {
    expect(vagueIn(wordingsIn([{ file: 'a.ts', text }])).map((each) => each.text)).toEqual(vague)
  })
})

test('every word that the glossary replaces is enforced, or has a reason why it is not', () => {
  const contributing = readFileSync(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8')
  const [, table = ''] = contributing.split('| write | for | not |')
  const rows = table.split('\n\n', 1)[0]?.split('\n').slice(2) ?? []
  const replaced = rows.flatMap((row) =>
    (row.split('|')[3] ?? '')
      .replace(/\(.*?\)/g, '')
      .split(',')
      .map((word) => word.trim()),
  )
  expect(replaced.length).toBeGreaterThan(30)
  const isEnforced = (word: string) => faultsOf([{ file: '', line: 1, kind: 'comment', text: `a ${word} of it` }]).length > 0
  expect(replaced.filter((word) => word !== '' && !isEnforced(word) && vocabulary.notEnforced[word] === undefined)).toEqual([])
})

describe('a word of a private dialect is found', () => {
  test.each([
    ['in a doc comment', '/** The gain of a change. */\nconst a = 1', 'gain'],
    ['in a comment of several lines', 'const a = 1 // one\n// that lies\n// there', 'lies'],
    ['behind code', 'const a = [1, /* beside */ 2]', 'beside'],
    ['at the start of a doc comment', '/** What a policy grants. */\nconst a = 1', 'What'],
    ['in a variable', 'const newGain = 1', 'gain'],
    ['in a field', 'interface A { readonly surety: string }', 'surety'],
    ['in a parameter', 'function f({ a: told }: { a: string }) {}', 'told'],
    ['in a function', 'export function areaOf() {}', 'area'],
  ])('%s', (_, text, word) => {
    expect(faultsOf(wordingsIn([{ file: 'a.ts', text }])).map(({ fault }) => fault)).toEqual([expect.stringContaining(`\`${word}\``)])
  })

  test.each([
    ['a string', "const text = 'it lies beside // nobody'"],
    ['a template', 'const text = `it stands ${1 /* one */} there`'],
    ['a regular expression', 'const form = /told|\\/\\/ gain/'],
    ['a name that is used and not declared', "import { gain } from './other.ts'\ngain()"],
    ['a word that contains it', '/** Against believing understanding. */\nconst again = 1'],
    ['what the field says', '/** `*` stands for any run of characters. */\nconst a = 1'],
  ])('but not in %s', (_, text) => {
    expect(faultsOf(wordingsIn([{ file: 'a.ts', text }]))).toEqual([])
  })
})
