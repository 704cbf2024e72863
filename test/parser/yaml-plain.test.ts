import { describe, expect, test } from 'vitest'
import { Lexer } from 'yaml'
import { limits } from '../../src/parser/limits.ts'
import { readTree } from '../../src/parser/tree.ts'
import { readYaml } from '../../src/parser/yaml.ts'
import { readPlainYaml } from '../../src/parser/yaml-plain.ts'
import { tooManyTokens } from '../../src/parser/yaml-tokens.ts'
import { sourceOf } from '../../src/source.ts'
import type { Node } from '../../src/tree.ts'
import { mutants, policyTexts, randoms } from '../hostile/mutants.ts'
import { effort, shareOf, some } from '../support/effort.ts'

/** Kind, place and value of every node in turn, as one text. */
function flat(documents: readonly Node[]): string {
  const out: unknown[] = []
  const visit = (node: Node) => {
    out.push(node.kind, node.start, node.end)
    if (node.kind === 'list') node.items.forEach(visit)
    else if (node.kind === 'map') {
      for (const { key, value } of node.entries) {
        visit(key)
        visit(value)
      }
    } else if (node.kind !== 'unknown')
      out.push(typeof node.value === 'number' ? `number ${Object.is(node.value, -0) ? '-0' : node.value}` : node.value)
  }
  documents.forEach(visit)
  return JSON.stringify(out)
}

/**
 * Where the plain reader answers, the full one must say the same, without a problem, and both count as many tokens. Whether it
 * answered.
 */
function agrees(text: string): boolean {
  const source = sourceOf('p.yaml', text)
  const plain = readPlainYaml(source)
  if (plain === undefined) {
    for (let most = 1; most < 12; most++) {
      if (readPlainYaml(source, most)?.refused && tooManyTokens(text, most) < 0 && text.length * 2 >= most)
        expect.fail(`${JSON.stringify(text)} has no more than ${most} tokens`)
    }
    return false
  }
  const full = readYaml(source)
  if (full.diagnostics.length > 0) expect.fail(`${JSON.stringify(text)}: ${full.diagnostics[0]?.message}`)
  const [mine, theirs] = [flat(plain.documents), flat(full.documents)]
  if (mine !== theirs) expect.fail(`${JSON.stringify(text)}\n${mine}\n${theirs}`)
  const tokens = [...new Lexer().lex(text)].length
  if (readPlainYaml(source, tokens)?.refused !== false || readPlainYaml(source, tokens - 1)?.refused !== true)
    expect.fail(`${JSON.stringify(text)} has ${tokens} tokens`)
  return true
}

/** Every text of up to `length` pieces; in a short run one in thirteen, which no number of pieces is a multiple of. */
function* every(pieces: readonly string[], length: number): Generator<string> {
  for (let size = 1; size <= length; size++) {
    for (let n = 0; n < pieces.length ** size; n += Math.round(shareOf(26))) {
      let text = ''
      for (let i = 0, rest = n; i < size; i++, rest = Math.floor(rest / pieces.length)) text += pieces[rest % pieces.length]
      yield text
    }
  }
}

/** How many of the texts were answered; all that were, agree. */
function count(texts: Iterable<string>): number {
  let answered = 0
  for (const text of texts) if (agrees(text)) answered++
  return answered
}

/** A document in the styles that users write, all of them mixed. */
function document(random: (below: number) => number): string {
  const pick = <T>(list: readonly T[]) => list[random(list.length)] as T
  const plainTexts = [
    'a',
    'vps:apisvc:*',
    'x y',
    'urn:v1:eu:resource:vps:*',
    'true',
    'null',
    '~',
    '12',
    '-0',
    '+1.5',
    '0x1F',
    '0o17',
    '1e3',
    '.5',
    '5.',
    '-.inf',
    '.nan',
    'yes',
    '010',
    '1.2.3',
    "it's",
    'a#b',
    'é',
    'a"b',
    '2024-01-01',
    '/a/{b}',
    'null x',
    'nullx',
    '~x',
    '0b1',
    '-a',
    '12:30',
  ]
  const quotedTexts = [
    '""',
    "''",
    '"a"',
    "'a'",
    '"a: b # c"',
    "'it''s: *'",
    '"\\"\\\\\\n\\t\\/"',
    '"é"',
    '"[a]"',
    "'{'",
    '"null"',
    "'1'",
    '" a "',
    "'*get'",
    '"\\\\"',
  ]
  const keys = [
    'a',
    'b',
    'name',
    'x y',
    'allow',
    'é',
    '"q: r"',
    "'s'",
    '"1"',
    'k-1',
    'request.IP',
    'deny',
    'e',
    'f',
    'g',
    'h',
    'resource.Tag(x)',
  ]
  const comment = () => pick(['', '', '', '', ' # c', '   ', '  # "x: [', ' #'])
  const blankLines = () => pick(['', '', '', '', '\n', '# c\n', '   \n', '      # deep\n', '\n\n'])
  const scalar = () => pick(random(3) === 0 ? quotedTexts : plainTexts)
  const inFlow = (depth: number, gap: () => string): string => {
    const items = Array.from({ length: random(4) }, (_, i) => {
      if (depth > 2 || random(3) > 0) return scalar().replace('{b}', 'b')
      return random(2) === 0 ? `[${inFlow(depth + 1, gap)}]` : `{${entriesInFlow(depth + 1, gap, i)}}`
    })
    return (
      items.map((item, i) => `${gap()}${item}${i < items.length - 1 ? pick([', ', ',', ' , ']) : pick(['', '', ' ', ', '])}`).join('') +
      gap()
    )
  }
  const entriesInFlow = (depth: number, gap: () => string, from: number): string =>
    [0, 1, 2]
      .slice(random(4))
      .map((i) => `${gap()}${keys[from + i]}: ${gap()}${random(4) === 0 ? `[${inFlow(depth + 1, gap)}]` : scalar().replace('{b}', 'b')}`)
      .join(',')
  const flow = (indent: number) => {
    const deeper = `\n${' '.repeat(indent + 1 + random(3))}`
    const gap = random(3) === 0 ? () => pick(['', ' ', deeper, `  # c${deeper}`, `\n${deeper}`]) : () => pick(['', '', ' '])
    return random(2) === 0 ? `[${inFlow(0, gap)}]` : `{${entriesInFlow(0, gap, 0)}}`
  }
  const block = (indent: number, depth: number): string => (random(2) === 0 ? list(indent, depth) : map(indent, depth))
  const value = (indent: number, depth: number, isMap: boolean): string => {
    const kind = random(depth > 3 ? 5 : 9)
    if (kind < 3) return ` ${scalar()}${comment()}\n`
    if (kind === 3) return `${comment()}\n`
    if (kind === 4) return ` ${flow(indent)}${comment()}\n`
    const next = indent + 1 + random(3)
    if (kind === 5) return `${comment()}\n${blankLines()}${' '.repeat(next)}${scalar()}${comment()}\n`
    if (kind === 6 && isMap) return `${comment()}\n${list(indent, depth + 1)}`
    if (kind === 7 && !isMap) return ` ${block(indent + 2, depth + 1).trimStart()}`
    return `${comment()}\n${blankLines()}${block(next, depth + 1)}`
  }
  const list = (indent: number, depth: number): string =>
    Array.from({ length: 1 + random(3) }, () => `${' '.repeat(indent)}-${value(indent, depth, false)}${blankLines()}`).join('')
  const map = (indent: number, depth: number): string => {
    const from = random(keys.length - 4)
    return Array.from(
      { length: 1 + random(4) },
      (_, i) => `${' '.repeat(indent)}${keys[from + i]}:${value(indent, depth, true)}${blankLines()}`,
    ).join('')
  }
  const parts = Array.from(
    { length: 1 + (random(4) === 0 ? random(3) : 0) },
    () => blankLines() + (random(8) === 0 ? `${flow(-1)}\n` : block(pick([0, 0, 0, 2]), 0)),
  )
  const text = (random(4) === 0 ? '---\n' : '') + parts.join('--- # c\n')
  const ended = random(4) === 0 ? text.trimEnd() : text
  return random(5) === 0 ? ended.replaceAll('\n', '\r\n') : ended
}

function* documents(amount: number, seed: number): Generator<string> {
  const random = randoms(seed)
  for (let i = 0; i < amount; i++) yield document(random)
}

describe('the plain reader is held to the full one', () => {
  test('over every short text', () => {
    expect(count(every([...'a: -\n[]{},#"\''], 5))).toBeGreaterThan(effort(5_000, 26))
    expect(count(every(['a: ', '- ', '\n', '  ', 'b', '[', ']', ', '], 6))).toBeGreaterThan(effort(9_000, 26))
    expect(count(every(['a:', '- ', '\n', ' ', 'b', '#', '---', '\r\n'], 5))).toBeGreaterThan(effort(5_000, 26))
    expect(count(every(['a', '1', '~', '-', '.', '<', '\\', '"', 'é', ' ', ': ', '\n'], 5))).toBeGreaterThan(effort(10_000, 26))
    expect(count(every(['a: ', '{', '}', '\n', ' ', '[', ']', ',', ' #'], 5))).toBeGreaterThan(effort(500, 26))
  })

  test('over documents in every style, nearly all of which it answers', () => {
    expect(count(documents(effort(2_000), 11))).toBeGreaterThan(effort(1_600))
  })

  test('over documents with something wrong in them', () => {
    const random = randoms(12)
    let answered = 0
    for (let i = 0; i < effort(3_000); i++) answered += count(mutants([document(random)], 1, i))
    expect(answered).toBeGreaterThan(effort(600))
    expect(count(mutants([...policyTexts.yaml, ...policyTexts.json], effort(6_000), 13))).toBeGreaterThan(effort(700))
  })
})

describe('what it answers, and what it hands on', () => {
  test.each(policyTexts.yaml.slice(0, 1).concat(policyTexts.json.slice(0, 1)))('a policy as users write it', (text) => {
    expect(agrees(text)).toBe(true)
  })

  const handedOn: readonly (readonly [shows: string, text: string])[] = [
    ['nothing', ''],
    ['only a comment', '# c\n'],
    ['a text alone', 'a\n'],
    ['an anchor', 'a: &x b\n'],
    ['an alias', 'a: *\n'],
    ['a tag', 'a: !x b\n'],
    ['a directive', '%YAML 1.2\n---\na: b\n'],
    ['a block scalar', 'a: |\n  b\n'],
    ['a text over two lines', 'a: b\n  c\n'],
    ['a quoted text over two lines', 'a: "b\n  c"\n'],
    ['an explicit key', '? a\n: b\n'],
    ['a merge key', '<<: a\n'],
    ['a number as key', '1: a\n'],
    ['a key twice', 'a: 1\na: 2\n'],
    ['a key twice among many', `${Array.from({ length: 30 }, (_, i) => `k${i}: 1\n`).join('')}k7: 2\n`],
    ['a key twice in flow', '{a: 1, "a": 2}\n'],
    ['a tab', 'a:\tb\n'],
    ['a carriage return alone', 'a: b\rc: d\n'],
    ['a byte order mark', '\ufeffa: b\n'],
    ['an invisible character', 'a: b\u200b\n'],
    ['a text that is not composed', 'a: e\u0301\n'],
    ['a control character in a comment', 'a: b # \x07\n'],
    ['a numeric escape', 'a: "\\u0041"\n'],
    ['the end of the document', 'a: b\n...\n'],
    ['a pair in a flow list', 'a: [b: c]\n'],
    ['65 levels of lists', `${'- '.repeat(65)}a\n`],
    ['65 levels in flow', `${'['.repeat(65)}${']'.repeat(65)}\n`],
    ['100,000 levels', '['.repeat(100_000)],
    ['100,000 levels of dashes', '- '.repeat(100_000)],
  ]

  test.each(handedOn)('%s is handed on', (_, text) => {
    expect(readPlainYaml(sourceOf('p.yaml', text))).toBe(undefined)
  })

  test('an unquoted text below a comment is handed on: the package takes it to go on', () => {
    expect(readPlainYaml(sourceOf('p.yaml', 'a:\n  b:\n#c\n    d\n  e: 1\n'))).toBe(undefined)
    expect(readPlainYaml(sourceOf('p.yaml', 'a:\n  b:\n#c\n    "d"\n  e: 1\n'))).toBeDefined()
  })

  test('what is longer than the full reader takes is read where it is plain', () => {
    const text = '- action: vps:apisvc:get\n'.repeat(50_000)
    const reading = readTree(sourceOf('p.yaml', text))
    expect(reading.diagnostics).toEqual([])
    expect(reading.documents[0]?.kind === 'list' && reading.documents[0].items.length).toBe(50_000)
    expect(readTree(sourceOf('p.yaml', '- a\n'.repeat(2_200_000)))).toMatchObject({ refused: true, documents: [] })
  })

  const lines: readonly (readonly [what: string, line: string | ((i: number) => string), tokens: number])[] = [
    ['a line of a list', '- ab\n', 5],
    ['an item of a list without anything', '-\n', 2],
    ['a line of a map', (i: number) => `k${i}: "a"\n`, 6],
    ['a list on a line', '- []\n', 5],
    ['a comment', '#\n', 2],
    ['a line break', '\n', 1],
  ]
  // covers: T6
  test.each(some(lines, 6))('no more than %s fits in addition to as many tokens as are read', (_, line, tokens) => {
    const lines = Array.from({ length: Math.floor((limits.yamlTokens - 8) / tokens) }, (_, i) =>
      typeof line === 'string' ? line : line(i),
    )
    const first = typeof line !== 'string' ? 'a: b\n' : line.startsWith('-') ? '- a\n' : 'a: b\n'
    const source = (more: number) => sourceOf('p.yaml', `${first}${lines.join('')}${'\n'.repeat(more)}`)
    const used = [...new Lexer().lex(source(0).text)].length
    expect(readPlainYaml(source(limits.yamlTokens - used))?.refused).toBe(false)
    expect(readPlainYaml(source(limits.yamlTokens - used + 1))?.refused).toBe(true)
  })
})
