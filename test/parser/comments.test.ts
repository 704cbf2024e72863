import { describe, expect, test } from 'vitest'
import { Lexer } from 'yaml'
import { commentsIn, type IgnoreComment, ignoreComments, ignoreInHtml, ignoresAmong } from '../../src/parser/comments.ts'
import { readTree } from '../../src/parser/tree.ts'
import { readYaml } from '../../src/parser/yaml.ts'
import { sourceOf } from '../../src/source.ts'
import { randoms } from '../hostile/mutants.ts'
import { someValue, writeDocument } from '../support/documents.ts'

const w = 'grantwise-ignore'

/** `LINE START-END codes: reason`, each code with its place. */
function shown({ codes, reason, line, span, ...rest }: IgnoreComment): string {
  const written = codes.map((code) => `${code.value}@${code.span.start}-${code.span.end}`)
  return [`${line} ${span.start}-${span.end} ${written}: ${reason}`, ...Object.entries(rest).map(String)].join(' ')
}

const ignores = (text: string) => {
  const source = sourceOf('p.yaml', text)
  return ignoreComments(source, readTree(source, readYaml).documents).map(shown)
}

describe('comments of YAML that leave findings out', () => {
  test.each<[text: string, ...comments: string[]]>([
    [`# ${w} x: y`, '2 0-23 x@19-20: y'],
    [`#${w}`, '2 0-17 : '],
    [`#\t${w}\tx,\ty \t:  y z \t`, '2 0-31 x@19-20,y@22-23: y z'],
    [`a: 1\t# ${w} :x\r\n`, '1 5-26 : x'],
    [`a: 1\r\n\t# ${w} x\r\n# c\r\n\r\nb: 1`, '4 7-27 x@26-27: '],
    [`a: 1 # ${w} x # y: z\n`, '1 5-32 x@24-25,#@26-27,y@28-29: z'],
    [`a: 1 # ${w} x:y:z`, '1 5-29 x@24-25: y:z'],
    [`# ${w} x\n# ${w} y\n  # ${w} z\n\n`, '4 0-20 x@19-20: ', '4 21-41 y@40-41: ', '4 44-64 z@63-64: '],
    [`# ${w} x\na: 1 # ${w} y\n# ${w} z\nb: 2`, '2 0-20 x@19-20: ', '2 26-46 y@45-46: ', '4 47-67 z@66-67: '],
    [`a: # ${w} x\n  - 1\n# ${w} y\n  - 2`, '1 3-23 x@22-23: ', '4 30-50 y@49-50: '],
    [`# c\na: 1 # ${w} x`, '2 9-29 x@28-29: '],
    [`#\na: 1 # ${w}: y`, '2 7-28 : y'],
    [`a: "b"# ${w} x`],
    // The comment on a line is the first one of it, and says what it says once.
    [`a: 1 # ${w} ${w}\nb: 1`, `1 5-40 ${w}@24-40: `],
    [`a: 1 # see # ${w} x\nb: 1`],
    [`a: 1 # ${w}x ${w} x\nb: 1`],
    [`a: 1 # ${w}, x\nb: 1`],
    [`${w}: 1 # ${w} x`, `1 20-40 x@39-40: `],
    [`a: "${w} #" # ${w} x`, '1 24-44 x@43-44: '],
    [`a: "# ${w} x" # ${w} y`, '1 26-46 y@45-46: '],
    [`"# ${w}": "# ${w}" # ${w} y\nb: # ${w}`, '1 43-63 y@62-63: ', '2 67-85 : '],
    [`a:\n  - '#\n    # ${w}\n    # ${w} x'\n  - b`],
    [`a: >  # ${w} x\n  # ${w} y\n# ${w} z\n`, '1 6-26 x@25-26: ', '4 50-70 z@69-70: '],
    [`a: |- # ${w} x\r\n  # ${w} y\r\n`, '1 6-26 x@25-26: '],
    [`- >\n  # ${w}\n- |\n  # ${w}\n`],
    [`[a, #${w} x\n{b: #${w} y\n1}]`, '1 4-23 x@22-23: ', '2 28-47 y@46-47: '],
    [`---\n# ${w}\n---\na: 1`, '3 4-22 : '],
    ['a: 1'],
    [''],
    [w],
  ])('%j', (text, ...comments) => {
    expect(ignores(text)).toEqual(comments)
  })

  test('end a line as programs do, whatever it ends with', () => {
    const source = sourceOf('p.yaml', `a\r# ${w} x\r# c\r\r\nb`, 'yaml')
    expect(ignoreComments(source, []).map(shown)).toEqual(['4 2-22 x@21-22: '])
    const last = sourceOf('p.yaml', `# ${w} x`, 'yaml')
    expect(ignoreComments(last, []).map(({ span }) => span)).toEqual([{ source: last, start: 0, end: 20 }])
  })
})

describe('comments whose places are known', () => {
  /** Comments between `<` and `>`, which are no part of the text. */
  const among = (marked: string) => {
    const spans: { start: number; end: number }[] = []
    let text = ''
    for (const c of marked) {
      if (c === '<') spans.push({ start: text.length, end: -1 })
      else if (c === '>') (spans.at(-1) as { end: number }).end = text.length
      else text += c
    }
    const source = sourceOf('m.tf', text)
    const found = ignoresAmong(
      source,
      spans.map((span) => ({ source, ...span })),
    )
    for (const { span, codes } of found) for (const place of [span, ...codes.map((code) => code.span)]) expect(place.source).toBe(source)
    return found.map(shown)
  }

  test.each<[text: string, ...comments: string[]]>([
    [`</* ${w} x: y */> a = 1`, '1 0-24 x@20-21: y'],
    [`a = 1 <# ${w} x: y>\n`, '1 6-29 x@25-26: y'],
    [`a = 1 <// ${w} x:\ty >\nb`, '1 6-30 x@26-27: y'],
    [`a = 1 <//${w}>\nb`, '1 6-24 : '],
    [`a = 1 </* ${w} x*/>\nb`, '1 6-27 x@26-27: '],
    [`a = 1 </** \t${w} x */>\nb`, '1 6-29 x@28-29: '],
    [`a = 1 </* ${w} x\n y */>\nb`, '1 6-27 x@26-27: '],
    [`</* ${w} x\n */>\nb`, '3 0-21 x@20-21: '],
    [`</* ${w} x\n */> a = 1`, '2 0-21 x@20-21: '],
    [`</* ${w} x */> </* c\n */> // no comment`, '2 0-21 x@20-21: '],
    [`<# ${w} x>\n</* c\n\n */>\n\nb`, '5 0-20 x@19-20: '],
    [`</* ${w} x */>\n  <# ${w} y>`, '3 0-21 x@20-21: ', '3 27-47 y@46-47: '],
    [`<# ${w} x>\n<// c>\n  <// ${w} y>\nb`, '4 0-20 x@19-20: ', '4 28-49 y@48-49: '],
    [`<# ${w} x>\n# no comment\nb`, '2 0-20 x@19-20: '],
    [`<# ${w} x>\r\n\t<#>\r\nb`, '3 0-20 x@19-20: '],
    [`<# c>\n<# ${w} x>\nb <# ${w} y>`, '3 4-24 x@23-24: ', '3 27-47 y@46-47: '],
    [`<# see ${w} x>\nb`],
    [`<# ${w}s>\nb`],
    [`<#>\n${w} x`],
    [`</**/> ${w} x`],
    [`<#${' '.repeat(30)}>${w}`],
    [`<# c> ${w}`],
    [`${w} <# c>`],
    [`# ${w} x`],
    [`</*/ ${w} x */> b`, '1 0-22 x@21-22: '],
  ])('%j', (text, ...comments) => {
    expect(among(text)).toEqual(comments)
  })
})

describe('comments of HTML', () => {
  const inHtml = (text: string, start = text.indexOf('<!--'), end = text.length) => {
    const source = sourceOf('p.md', text)
    const found = ignoreInHtml(source, start, end)
    if (found) expect(found.span.source).toBe(source)
    return found && shown(found)
  }

  test.each<[text: string, comment?: string]>([
    [`<!-- ${w} x: y -->`, '1 0-26 x@22-23: y about,block'],
    [`a\n b <!--${w}-->`, '2 5-25 :  about,block'],
    [`<!--\t ${w} x, y \t--> c: d -->`, '1 0-27 x@23-24,y@26-27:  about,block'],
    [`<!-- ${w} x`, '1 0-23 x@22-23:  about,block'],
    [`<!-- ${w} x \t`, '1 0-23 x@22-23:  about,block'],
    [`<!-- ${w}-->`, '1 0-21 :  about,block'],
    [`<!-- ${w} -->`, '1 0-21 :  about,block'],
    ['--> <!-- grantwise-ignore x -->', '1 4-27 x@26-27:  about,block'],
    [`<!-- ${w}s -->`],
    [`<!-- no ${w} -->`],
    [`<!-- --> ${w}`],
    ['<!-- c -->'],
    [`<!--${' '.repeat(4)}`],
    [`<!-- x -->${w}`],
  ])('%j', (text, comment) => {
    expect(inHtml(text)).toBe(comment)
  })

  test('end with their line', () => {
    const text = `<!-- ${w} x\n: y -->`
    expect(inHtml(text, 0, text.indexOf('\n'))).toBe('1 0-23 x@22-23:  about,block')
    expect(inHtml(`  <!-- ${w} x -->  `, 2, 26)).toBe('1 2-25 x@24-25:  about,block')
  })
})

describe('all comments of YAML', () => {
  test.each<[text: string, ...comments: string[]]>([
    [''],
    ['# a', '# a'],
    ['#\n#b\r\n\t# c \nd: 1', '#', '#b', '# c '],
    ['a: 1 #b # c\n', '#b # c'],
    ['a: b#c # d', '# d'],
    ['a: "# b"'],
    ['a: "# b" # c\n"# d": # e\n', '# c', '# e'],
    ['a: |  # b\n  # c\n# d', '# b', '# d'],
    ['a: > # b\n  # c\n\n# d\nb: >\n # c', '# b', '# d'],
    ["a: '\n  # c\n  '\nb: '#'"],
    ['a: [1, #b\n2] # c', '#b', '# c'],
    ['\n\n#a\n\n', '#a'],
  ])('%j', (text, ...comments) => {
    const source = sourceOf('p.yaml', text)
    const found = commentsIn(source, readTree(source, readYaml).documents)
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(comments)
    for (const span of found) expect(span.source).toBe(source)
  })

  test('are where the tokens of the package are, in documents as users write them', () => {
    const next = randoms(3)
    const random = () => next(1_000_000) / 1_000_000
    let count = 0
    for (let i = 0; i < 150; i++) {
      const { text } = writeDocument(random, someValue(random, 3), false)
      const source = sourceOf('p.yaml', text)
      const { documents, diagnostics } = readTree(source, readYaml)
      if (diagnostics.length > 0) continue
      const wanted: string[] = []
      let [at, isText] = [0, false]
      for (const token of new Lexer().lex(text)) {
        if (!isText && (token === '\x02' || token === '\x18')) continue
        if (!isText && token.startsWith('#')) wanted.push(`${at}-${at + token.length}`)
        isText = token === '\x1f' && !isText
        if (!isText) at += token.length
      }
      expect(
        commentsIn(source, documents).map(({ start, end }) => `${start}-${end}`),
        text,
      ).toEqual(wanted)
      count += wanted.length
    }
    expect(count).toBeGreaterThan(100)
  })
})
