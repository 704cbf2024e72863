import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readHcl } from '../../src/hcl/parse.ts'
import { sourceOf } from '../../src/source.ts'
import { libraryShape, type Shape, shapeOf } from '../support/hcl-library.ts'
import { pick, type Random, randomOf } from '../support/worlds.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const texts = ['test', 'examples', 'integrations', 'docs']
  .flatMap((folder) => readdirSync(`${root}/${folder}`, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && /\.(tf|tofu|tfvars|hcl)$/.test(entry.name))
  .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, 'utf8'))
const evaluations: readonly { readonly expression: string }[] = ['evaluation', 'functions', 'templates'].flatMap((name) =>
  JSON.parse(readFileSync(`${root}/test/hcl/${name}.json`, 'utf8')),
)

/** The tree that our parser makes of a text; a message where it refuses it. */
function ours(text: string): Shape | string {
  const { body, diagnostics } = readHcl(sourceOf('main.tf', text), '')
  const [first] = diagnostics
  return first ? first.message : (shapeOf(body) as Shape)
}

/** The tree of the library for it. */
function theirs(text: string): Shape | undefined {
  return libraryShape(text) as Shape | undefined
}

/** Numbers with an exponent, `$$${` and comments in a splat, which the library does not know, and a line that begins with a bracket. */
const isUnknownToLibrary = (text: string) => /\d[eE][-+]?\d|\$\$\$\{|%%%\{|\n\s*[(-]|\[\s*\*\s*[#/]/.test(text)

describe('what is well-formed is read as the library reads it, at the same places', () => {
  test.each(texts.filter((text) => typeof ours(text) !== 'string' && !isUnknownToLibrary(text)))('file %#', (text) => {
    expect(ours(text)).toEqual(theirs(text))
  })

  test('expressions that were evaluated by the real thing', () => {
    const read = evaluations.map(({ expression }) => `a = ${expression}\n`).filter((text) => !isUnknownToLibrary(text))
    expect(read.length).toBeGreaterThan(400)
    for (const text of read) if (typeof ours(text) !== 'string') expect(ours(text), text).toEqual(theirs(text))
  })

  test.each([1, 2, 3, 4, 5])('generated texts, seed %i', (seed) => {
    const random = randomOf(seed)
    for (let i = 0; i < 200; i++) {
      const text = `a = ${written(random, 4)}\n`
      expect(ours(text), `seed ${seed}: ${text}`).toEqual(theirs(text))
    }
  })
})

/** A random expression. */
function written(random: Random, depth: number): string {
  const inner = () => written(random, depth - 1)
  const blank = () => pick(random, ['', ' ', '  ', ' /* c */ '])
  const simple = ['a', 'b-c', 'true', 'null', '1', '1.50', '"x"', '"é\\n$${y}"', 'f()', '[]', '{}', 'x.*', '"%%{z}"']
  if (depth === 0) return pick(random, simple)
  const forms: readonly (() => string)[] = [
    () => `(${blank()}${inner()}${blank()})`,
    () => `${inner()} ${blank()}${pick(random, ['+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', '&&', '||'])} ${inner()}`,
    () => `${inner()} ? ${inner()} :${blank()}${inner()}`,
    () => `${pick(random, ['-', '!'])}${blank()}${inner()}`,
    () => `(${inner()})${pick(random, ['.a', '[0]', '.0', '.0.1', '[*]', '.*', '[*].a[0].b', '.*.a[0].b', '[*].a[*].b', '["k"]'])}`,
    () => `a${pick(random, ['.b', '[b]', '.*.c.0', '.b.0.c'])}`,
    () => `f(${inner()},\n ${inner()}${pick(random, ['', ',', '...'])})`,
    () => `[${inner()}, ${inner()}${pick(random, ['', ',', ',\n'])}]`,
    () => `{\n k = ${inner()}\n "l" : ${inner()}, 1 = ${inner()}\n}`,
    () => `{ (${inner()}) = ${inner()} }`,
    () => `[for x in ${inner()} : ${inner()}${pick(random, ['', ' if x'])}]`,
    () => `{for x, y in ${inner()} : x => ${inner()}${pick(random, ['', '...', ' if y', '... if y'])}}`,
    () => `"é\${${pick(random, ['', '~'])}${inner()}${pick(random, ['', '~'])}}z"`,
    () => `"%{ if ${inner()} }y\${a}%{ else ~}n%{ endif }"`,
    () => `"%{ for x in ${inner()} }\${x}%{ endfor }"`,
    () => `(<<${pick(random, ['', '-'])}E\n  a \${${inner()}}\n%{ if a }\n b\n%{ endif }\n  E\n)`,
  ]
  return pick(random, forms)()
}

describe('what one of the two refuses and the other accepts is known, and why', () => {
  test.each([
    ['a line break ends an attribute', 'a = 1 b = 2\n', 'accepts'],
    ['a value begins on the line of its name', 'a =\n1\n', 'accepts'],
    ['entries of an object are separated', 'a = { b = 1 c = 2 }\n', 'accepts'],
    ['a number is decimal', 'a = 0x1f\n', 'accepts'],
    ['a name with `::` is that of a function', 'a = b::c\n', 'accepts'],
    ['an interpolation holds a value', 'a = "${}"\n', 'accepts'],
    ['a directive holds no second `else`', 'a = "%{ if b }%{ else }%{ else }%{ endif }"\n', 'refuses'],
    ['a heredoc ends with a line break', 'a = <<E\nx\nE', 'refuses'],
  ])('we refuse: %s', (_, text, library) => {
    expect(ours(text)).toEqual(expect.any(String))
    expect(theirs(text) === undefined ? 'refuses' : 'accepts').toBe(library)
  })

  test.each([
    ['blanks in a splat', 'a = b[ * ]\n'],
    ['blanks in the splat of attributes', 'a = b. *\n'],
    ['exponents', 'a = 1e5\n'],
    ['blanks behind the word that ends a heredoc', 'a = <<E\nx\nE  \n'],
    ['functions that are called as constants are', 'a = true()\n'],
  ])('we accept, as the language does: %s', (_, text) => {
    expect(ours(text)).toEqual(expect.any(Object))
  })

  /**
   * Why we refuse what the library takes: to it a line break is a blank, `inside` two words, and `::` part of a name; an
   * interpolation may be empty, and where a directive or a heredoc is wrong, it ends texts at places of its own.
   */
  const stricter =
    /line break|end of the line|on its line|given twice|the name of an attribute or a block|a key or|`in`|a value, found `[}~]`|has no meaning/
  const isLexedOtherwise = (text: string) => /::|%\{|<</.test(text)

  test.each([1, 2, 3, 4])('texts with mistakes in them, seed %i', (seed) => {
    const random = randomOf(seed)
    const sources = [...evaluations.map(({ expression }) => `a = ${expression}\n`), ...texts.filter((text) => text.length < 1500)]
    let bothRefuse = 0
    for (let i = 0; i < 700; i++) {
      const text = mutated(pick(random, sources), random)
      const [mine, library] = [ours(text), theirs(text)]
      if (typeof mine === 'string' && !library) bothRefuse++
      else if (typeof mine === 'string') expect(isLexedOtherwise(text) || stricter.test(mine), `seed ${seed}: ${mine}: ${text}`).toBe(true)
      else if (!isUnknownToLibrary(text)) expect(mine, `seed ${seed}: ${text}`).toEqual(library)
    }
    expect(bothRefuse).toBeGreaterThan(100)
  })
})

const slips = ['"', '${', '%{', '}', '{', '[', ']', '(', ')', ',', '\n', '.', '*', '=', '=>', ':', '::', '?', 'for', 'in', 'if', 'else']
const more = [
  'endif',
  'endfor',
  '...',
  '-',
  '!',
  '&&',
  '<<E\n',
  '\nE\n',
  '~',
  '1',
  '.0',
  'a',
  'true',
  ' ',
  '#c\n',
  '/* c */',
  '\\',
  '$',
  'é',
]

/** A text with up to three slips: something more, something less, or something from elsewhere. */
function mutated(text: string, random: Random): string {
  const place = () => Math.floor(random() * (text.length + 1))
  for (let i = Math.ceil(random() * 3); i > 0; i--) {
    const [at, from, length] = [place(), place(), Math.floor(random() * 12)]
    const [before, after] = [text.slice(0, at), text.slice(at)]
    text = pick(random, [
      before + pick(random, [...slips, ...more]) + after,
      before + after.slice(1 + Math.floor(random() * 3)),
      before + text.slice(from, from + length) + after,
    ])
  }
  return text
}
