import { describe, expect, test } from 'vitest'
import type { Edit } from '../src/diagnostic.ts'
import { applyEdits, hoist, removeEntries, removeItems, reorderItems, unwrap, wrapInList, wrapInObject } from '../src/edits.ts'
import { readTree } from '../src/parser/tree.ts'
import { readYaml } from '../src/parser/yaml.ts'
import { sourceOf } from '../src/source.ts'
import type { Edits } from '../src/texts.ts'
import { type ListNode, type MapNode, type Node, plainValue, type TextNode } from '../src/tree.ts'

/** A document in which items or entries are taken out, or put in another order, is the one that would have been written so. */

/** How the parts of a list or a map are written. The list or map is the value of `key`, an item by its index, or all of the document. */
interface Style {
  readonly name: string
  readonly key?: string | number
  readonly path?: string
  readonly write: (parts: readonly string[]) => string
}

const lines =
  (before: string, after = '\n') =>
  (parts: readonly string[]) =>
    parts.map((part) => `${before}${part}${after}`).join('')
const within =
  (before: string, write: Style['write'], after: string): Style['write'] =>
  (parts) =>
    before + write(parts) + after
const joined = (open: string, between: string, close: string) => (parts: readonly string[]) => open + parts.join(between) + close

/** Every style also with the line ends of Windows, and without a line break at the end. */
function* variants(styles: readonly Style[]): Generator<Style> {
  for (const style of styles) {
    const { name, write } = style
    yield style
    yield { ...style, name: `${name}, CRLF`, write: (parts) => write(parts).replaceAll('\n', '\r\n') }
    yield { ...style, name: `${name}, last line open`, write: (parts) => write(parts).replace(/\n$/, '') }
    yield { ...style, name: `${name}, CRLF, last line open`, write: (parts) => write(parts).replaceAll('\n', '\r\n').replace(/\r\n$/, '') }
  }
}

const flow = (open: string, close: string): readonly Style[] => [
  { name: 'in brackets', write: joined(open, ', ', `${close}\n`) },
  { name: 'in brackets, at a key', key: 'k', write: joined(`k: ${open}`, ', ', `${close}\nz: 1\n`) },
  { name: 'in brackets with blanks', key: 'k', write: joined(`k: ${open} `, ', ', ` ${close} # c\n`) },
  { name: 'in brackets without blanks, quoted keys', path: 'p.json', key: 'k', write: joined(`{"k":${open}`, ',', `${close},"z":[]}\n`) },
  { name: 'a line each in brackets', key: 'k', write: joined(`k: ${open}\n  `, ',\n  ', `\n${close}\n`) },
  { name: 'a line each in brackets, a comma at the end', key: 'k', write: within(`k: ${open}\n`, lines('  ', ',\n'), `${close}\nz: 1\n`) },
  {
    name: 'a line each in brackets, with comments',
    key: 'k',
    write: within(`k: ${open} # c\n`, (parts) => parts.map((part) => `  ${part}, # about ${part}\n`).join(''), `${close} # d\n`),
  },
  { name: 'in brackets, in brackets', key: 1, write: joined(`[${open}${close}, ${open}`, ', ', `${close}, x]\n`) },
  { name: 'a line each in JSON', path: 'p.json', key: 'k', write: joined(`{\n  "k": ${open}\n    `, ',\n    ', `\n  ${close}\n}\n`) },
]

const blockLists: readonly Style[] = [
  { name: 'a dash each', write: lines('- ') },
  { name: 'a dash each, at a key', key: 'k', write: within('k:\n', lines('  - '), 'z: 1\n') },
  { name: 'a dash each, under the key', key: 'k', write: within('a: 1\nk:\n', lines('- '), '# c\nz: 1\n') },
  { name: 'a dash each, last', key: 'k', write: within('a: 1\nk:\n', lines('    -   '), '') },
  {
    name: 'a dash each, with comments',
    key: 'k',
    write: within('k: # c\n', (parts) => parts.map((part) => `  - ${part} # about ${part}\n`).join(''), 'z: 1\n'),
  },
  { name: 'a dash each, values below', key: 'k', write: within('k:\n', lines('  -\n    '), 'z: 1\n') },
  { name: 'a dash each, behind a document mark', write: within('---\n', lines('- '), '') },
]

/** Their first part is behind another dash. */
const blockListsBehind: readonly Style[] = [
  { name: 'a dash each, behind a dash', key: 0, write: (parts) => `- ${parts.map((part) => `- ${part}\n`).join('  ')}- z\n` },
  { name: 'a dash each, behind a second dash', key: 1, write: (parts) => `- z\n-   ${parts.map((part) => `- ${part}\n`).join('    ')}` },
]

const blockMapsBehind: readonly Style[] = [
  { name: 'a line each, behind a dash', key: 0, write: (parts) => `- ${parts.map((part) => `${part}\n`).join('  ')}- z\n` },
  { name: 'a line each, behind a second dash', key: 1, write: (parts) => `- z\n-   ${parts.map((part) => `${part} # c\n`).join('    ')}` },
]

const blockMaps: readonly Style[] = [
  { name: 'a line each', write: lines('') },
  { name: 'a line each, at a key', key: 'k', write: within('k:\n', lines('  '), 'z: 1\n') },
  {
    name: 'a line each, with comments',
    key: 'k',
    write: within('k:\n', (parts) => parts.map((part) => `    ${part}\t# about ${part}\n`).join(''), '# c\n'),
  },
]

function subsets(count: number): readonly (readonly number[])[] {
  return Array.from({ length: 2 ** count }, (_, bits) => Array.from({ length: count }, (_, i) => i).filter((i) => bits & (1 << i)))
}

function orders(count: number): readonly (readonly number[])[] {
  if (count === 0) return [[]]
  return orders(count - 1).flatMap((order) => Array.from({ length: count }, (_, at) => order.toSpliced(at, 0, count - 1)))
}

function nodeIn({ key, path = 'p.yaml' }: Style, text: string): Node {
  const { documents, diagnostics } = readTree(sourceOf(path, text), readYaml)
  expect(diagnostics, text).toEqual([])
  const [root] = documents as readonly [Node]
  if (key === undefined) return root
  if (typeof key === 'number') return (root as ListNode).items[key] as Node
  return (root as MapNode).entries.find((entry) => entry.key.value === key)?.value as Node
}

function edited(style: Style, text: string, edit: (node: Node) => Edits): string {
  const edits = edit(nodeIn(style, text))
  return edits ? applyEdits(text, [edits as readonly Edit[]]).text : 'not edited'
}

const parts = {
  list: ['a', '"b"', "'c d'", 'e'],
  json: ['"a"', '"b"', '12', '{"c": ["d"]}'],
  map: ['a: 1', '"b": x', 'c: [d]', 'e: "f"'],
  jsonMap: ['"a": 1', '"b": "x"', '"c": ["d"]', '"e": {}'],
}
const keys = ['a', 'b', 'c', 'e']

describe('items that are taken out', () => {
  test.each([...variants([...blockLists, ...blockListsBehind, ...flow('[', ']')])].map((style) => [style.name, style] as const))(
    '%s',
    (_, style) => {
      for (const count of [1, 2, 3, 4]) {
        const items = (style.path ? parts.json : parts.list).slice(0, count)
        for (const gone of subsets(count).filter(({ length }) => length < count)) {
          const left = items.filter((_, i) => !gone.includes(i))
          expect(
            edited(style, style.write(items), (node) => removeItems(node as ListNode, gone)),
            `${items} without ${gone}`,
          ).toBe(style.write(left))
        }
      }
    },
  )
})

describe('entries that are taken out', () => {
  test.each([...variants([...blockMaps, ...blockMapsBehind, ...flow('{', '}')])].map((style) => [style.name, style] as const))(
    '%s',
    (_, style) => {
      for (const count of [1, 2, 3, 4]) {
        const entries = (style.path ? parts.jsonMap : parts.map).slice(0, count)
        for (const gone of subsets(count).filter(({ length }) => length < count)) {
          const left = entries.filter((_, i) => !gone.includes(i))
          const names = gone.map((i) => keys[i] as string)
          expect(
            edited(style, style.write(entries), (node) => removeEntries(node as MapNode, names)),
            `${entries} without ${gone}`,
          ).toBe(style.write(left))
        }
      }
    },
  )
})

describe('items in another order', () => {
  const styles = [...blockLists, ...flow('[', ']').filter(({ name }) => !name.includes('comments'))]
  test.each([...variants(styles)].map((style) => [style.name, style] as const))('%s', (_, style) => {
    for (const count of [1, 2, 3, 4]) {
      const items = (style.path ? parts.json : parts.list).slice(0, count)
      for (const order of orders(count)) {
        const after = style.write(order.map((i) => items[i] as string))
        expect(
          edited(style, style.write(items), (node) => reorderItems(node as ListNode, order)),
          `${items} as ${order}`,
        ).toBe(after)
      }
    }
  })
})

const rootOf = (text: string, path = 'p.yaml') => nodeIn({ name: '', path, write: () => '' }, text)
const valueIn = (text: string, path?: string): Node => {
  const root = rootOf(text, path)
  if (root.kind === 'list') return root.items.at(-1) as Node
  return (root as MapNode).entries[0]?.value as Node
}
const made = (text: string, edits: Edits) => (edits ? applyEdits(text, [edits as readonly Edit[]]).text : undefined)

/** The new value of the first key, or of the last item of a list. */
describe('a list or a map from which all goes', () => {
  test.each([
    ['k:\n  - a\n  - b\nz: 1\n', 'k: []\nz: 1\n'],
    ['k:\r\n  - a\r\n  - b\r\nz: 1\r\n', 'k: []\r\nz: 1\r\n'],
    ['k:\n- a\n\nz: 1\n', 'k: []\n\nz: 1\n'],
    ['k:\n  - a # c', 'k: []'],
    ['k: # c\n  - a\nz: 1\n', 'k: # c\n    []\nz: 1\n'],
    ['k:\n  # c\n  - a\n', 'k:\n  # c\n    []\n'],
    ['k: [a, b] # c\n', 'k: [] # c\n'],
    ['"a#b":\n  - a\n', '"a#b":\n    []\n'],
    ['k:\t\n  - a\n', 'k: []\n'],
    ['k:\n  - a\n  # c', 'k: []\n  # c'],
    ['k:\n  - |\n    x\n\n\nz: 1\n', 'k: []\n\n\nz: 1\n'],
    ['k: [\n  a\n]\n', 'k: []\n'],
    ['- x\n- - a\n  - b\n', '- x\n- []\n'],
    ['-\n  - a\n', '- []\n'],
    ['"k":\n  - a\n', '"k": []\n'],
    ['? x\n: - a\n', '? x\n: []\n'],
    ['k:\n  a: 1\n  b: 2\nz: 1\n', 'k: {}\nz: 1\n'],
    ['- a: 1\n  b: 2\n', '- {}\n'],
    ['k: { a: 1 }\n', 'k: {}\n'],
    ['k: {a: 1, b: 2}', 'k: {}'],
  ])('%j', (text, expected) => {
    const node = valueIn(text)
    const edits = node.kind === 'list' ? removeItems(node, node.items.keys()) : removeEntries(node as MapNode, ['a', 'b'])
    expect(made(text, edits)).toBe(expected)
  })

  test.each([
    ['- a\n- b\n', '[]\n'],
    ['# c\n- a\n', '# c\n  []\n'],
    ['---\n- a\n', '---\n  []\n'],
    ['\n\n- a\n', '\n\n[]\n'],
    [' - a\n', ' []\n'],
    ['[a]', '[]'],
  ])('all of a document: %j', (text, expected) => {
    const root = rootOf(text) as ListNode
    expect(made(text, removeItems(root, root.items.keys()))).toBe(expected)
  })

  test('nothing is taken out', () => {
    expect(removeItems(rootOf('- a\n') as ListNode, [])).toEqual([])
    expect(removeEntries(rootOf('a: 1\n') as MapNode, ['b'])).toEqual([])
  })
})

describe('a text that becomes an object', () => {
  test.each([
    ['- a\n', '- action: a\n'],
    ['- x\n- a # c\n', '- x\n- action: a # c\n'],
    ['- - a\n', '- - action: a\n'],
    ['- "a: b"\n', '- action: "a: b"\n'],
    ['- "a\n  b"\n', '- action: "a b"\n'],
    ['- |\n  a\n', '- action: "a\\n"\n'],
    ['  - a\n', '  - action: a\n'],
    ['- a\n  b\n', '- action: a b\n'],
    ['[x, a]\n', '[x, { action: a }]\n'],
    ['k: a\n', 'k: { action: a }\n'],
    ['k: a, b\n', 'k: { action: "a, b" }\n'],
    ['k: "a, b"\n', 'k: { action: "a, b" }\n'],
    ['k: a\n  b\n', 'k: { action: a b }\n'],
    ['k: a- b\n', 'k: { action: a- b }\n'],
  ])('%j', (text, expected) => {
    const item = valueIn(text)
    const node = item.kind === 'list' ? (item.items[0] as TextNode) : (item as TextNode)
    expect(made(text, [wrapInObject(node, 'action')])).toBe(expected)
  })

  test('JSON', () => {
    expect(made('["a"]', [wrapInObject(valueIn('["a"]', 'p.json') as TextNode, 'action')])).toBe('[{ "action": "a" }]')
  })
})

describe('a text or an object that becomes a list', () => {
  test.each([
    ['k: a\n', 'k: [a]\n'],
    ['k: a, b # c\n', 'k: ["a, b"] # c\n'],
    ['k: "a\n  b"\n', 'k: ["a b"]\n'],
    ['k: a\n  b\n', 'k: [a b]\n'],
    ['k: a}\n', 'k: ["a}"]\n'],
    ["k: 'a'\n", "k: ['a']\n"],
    ['k: |\n  x\n', 'k: ["x\\n"]\n'],
    ['k:\n  a: 1', 'k:\n  - a: 1'],
    ['k: { a: 1 } # c\n', 'k: [{ a: 1 }] # c\n'],
    ['k:\n  a: 1\n  b: 2\nz: 1\n', 'k:\n  - a: 1\n    b: 2\nz: 1\n'],
    ['k:\n  a: 1\n\n  b: 2\n', 'k:\n  - a: 1\n\n    b: 2\n'],
    ['k:\r\n  a: 1\r\n\r\n  b: 2', 'k:\r\n  - a: 1\r\n\r\n    b: 2'],
    ['k:\n  a: 1\n  # c\n  b: |\n    x\n\n    y\nz: 1\n', 'k:\n  - a: 1\n    # c\n    b: |\n      x\n\n      y\nz: 1\n'],
  ])('%j', (text, expected) => {
    expect(made(text, wrapInList(valueIn(text) as TextNode | MapNode))).toBe(expected)
  })
})

describe('an object of one text that becomes the text', () => {
  test.each([
    ['- a: x\n', '- x\n'],
    ['- a:   x # c\n', '- x # c\n'],
    ['- a :\n    x\n', '- x\n'],
    ['- # c\n  a: x\n', '- # c\n  x\n'],
    ['k: { a: x }\n', 'k: x\n'],
    ['k: {a: "x",}\n', 'k: "x"\n'],
    ['k: { # c\n  a: x\n  }\n', 'k:  # c\n   x\n'],
    ['k: { a: x # c\n  }\n', 'k: x # c\n  \n'],
    ['k: { a: x, # c\n  }\n', 'k: x # c\n  \n'],
    ['k: { a: x # c\n  , }\n', 'k: x # c\n   \n'],
    ['k: {\n  # c\n  a: x}\n', 'k: \n  # c\n   x\n'],
    ['k: { "a" : x }\n', 'k: x\n'],
    ['k: { a: x? }\n', 'k: x?\n'],
    ['- a: x?\n', '- x?\n'],
    ['- a: x # c, d\n', '- x # c, d\n'],
    ['k: { a: x, b: y }\n', undefined],
    ['k: { a: 1 }\n', undefined],
    ['k: { a: [x] }\n', undefined],
    ['k: {}\n', undefined],
    ['- a: |\n    x\n', undefined],
    ['- a: >-\n    x\n', undefined],
    ['- ? a\n  : x\n', undefined],
    ['k: { ? a : x }\n', undefined],
  ])('%j', (text, expected) => {
    expect(made(text, unwrap(valueIn(text) as MapNode))).toBe(expected)
  })
})

describe('a part that takes the place of an object', () => {
  test.each([
    ['k: { a: x, b: y }\n', 'k: x\n'],
    ['k: { a: [x] }\n', 'k: [x]\n'],
    ['k:\n  a: x\n  b: y\n', 'k:\n  x\n'],
    ['k:\n  a: "x\n    y"\n', undefined],
    ['k:\n  a: [x,\n    y]\n', 'k:\n  [x,\n    y]\n'],
    ['k:\n  a:\n    - x\n    - y\n', 'k:\n  - x\n  - y\n'],
    ['k:\n  a:\n    b: x\n\n    c: y\nz: 1\n', 'k:\n  b: x\n\n  c: y\nz: 1\n'],
    ['k:\n  a:\n  - x\n  - y\n', 'k:\n  - x\n  - y\n'],
    ['k:\n  a:\n      b:\n        - x\n', 'k:\n  b:\n    - x\n'],
    ['- a:\n  - x\n', '- - x\n'],
    ['k:\n  # c\n  a: x\n', 'k:\n  # c\n  x\n'],
    ['k: { # c\n  a: x }\n', undefined],
    ['k:\n  a: x # c\n  b: y\n', undefined],
  ])('%j', (text, expected) => {
    const map = valueIn(text) as MapNode
    expect(made(text, hoist(map, map.entries[0]?.value as Node))).toBe(expected)
  })
})

describe('items are left in their order', () => {
  test.each([
    ['a comment between items in brackets', 'k: [a, # about a\n  b]\n'],
    ['a comment behind the last in brackets', 'k: [a, b # about b\n  ]\n'],
    ['a comment above the first', 'k:\n  # about a, or about all\n  - a\n  - b\n'],
    ['the first behind a dash', '- - a\n  - b\n'],
  ])('%s', (_, text) => {
    expect(reorderItems(valueIn(text) as ListNode, [1, 0])).toBeUndefined()
  })
})

describe('comments above what is left stay, those that only leave out its findings go with it', () => {
  test.each([
    ['k:\n  # c\n  - a\n  # d\n  - b\n', 'k:\n  # c\n  # d\n  - b\n'],
    ['k:\n  - a\n  # d\n  - b # e\n', 'k:\n  # d\n  - b # e\n'],
    ['k:\n  # grantwise-ignore x: y\n  # grantwise-ignore y: z\n  - a\n  - b\n', 'k:\n  - b\n'],
    ['# grantwise-ignore x: y\n- a\n- b\n', '- b\n'],
    ['k: [ # c\n  a, b]\n', 'k: [ # c\n  b]\n'],
    ['k: [a # c\n  , b]\n', 'k: [b]\n'],
    ['k: [a, # c\n  b]\n', 'k: [ # c\n  b]\n'],
    ['k: [a # x, y\n  , b]\n', 'k: [b]\n'],
    ['k: [\n  # grantwise-ignore x: y\n  a,\n  b ]\n', 'k: [\n  b ]\n'],
    ['k: [ # grantwise-ignore x: y\n  a,\n  b ]\n', 'k: [ # grantwise-ignore x: y\n  b ]\n'],
  ])('%j', (text, expected) => {
    const node = text.startsWith('#') ? rootOf(text) : valueIn(text)
    expect(made(text, removeItems(node as ListNode, [0]))).toBe(expected)
  })
})

describe('items in brackets, with commas and comments between them', () => {
  test.each<[text: string, gone: readonly number[], expected: string | undefined]>([
    ['k: [a, b # c\n  ]\n', [1], 'k: [a # c\n  ]\n'],
    ['k: [a, b\n  # c\n  ]\n', [1], 'k: [a\n  # c\n  ]\n'],
    ['k: [a, # c\n  b # d\n  ]\n', [1], 'k: [a # c\n  ]\n'],
    ['k: [a, # c\n  b, # d\n  e]\n', [2], 'k: [a, # c\n  b # d\n  ]\n'],
    ['k: [a, # c\n  b, # d\n  e]\n', [1, 2], 'k: [a # c\n  ]\n'],
    ['k: [a # c\n  , b]\n', [1], 'k: [a # c\n   ]\n'],
    ['k: [a\n  , b\n  , c]\n', [0], 'k: [b\n  , c]\n'],
    ['k: [a\n  , b\n  , c]\n', [1], 'k: [a\n  , c]\n'],
    ['k: [a\n  , b\n  , c]\n', [2], 'k: [a\n  , b]\n'],
    ['k: [a, b,]\n', [0], 'k: [b,]\n'],
    ['k: [a, b,]\n', [1], 'k: [a, ]\n'],
    ['k: [a, b , ]\n', [1], 'k: [a, ]\n'],
    ['k: [\ta, b]\n', [0], 'k: [\tb]\n'],
    ['k: [? a, b]\n', [0], undefined],
    ['k: [a, ? b]\n', [1], undefined],
    ['k: [a, ? b, c]\n', [0], undefined],
  ])('%j without %j', (text, gone, expected) => {
    expect(made(text, removeItems(valueIn(text) as ListNode, gone))).toBe(expected)
  })

  test.each([
    ['k: [a, b, c, d]\n', 'k: [b]\n'],
    ['k:\n  - a\n  - b\n  - c\n  - d\n', 'k:\n  - b\n'],
    ['- - a\n  - b\n  - c\n  - d\n', '- - b\n'],
  ])('in whatever order they are named: %j', (text, expected) => {
    expect(made(text, removeItems(valueIn(text) as ListNode, [3, 0, 2]))).toBe(expected)
  })
})

/** A text of a file, and nodes on it by what is written there. */
function nodesOn(text: string, path = 'main.tf') {
  const source = sourceOf(path, text)
  const textAt = (written: string): TextNode => {
    const start = text.indexOf(written)
    return { kind: 'text', value: written.replaceAll('"', ''), source, start, end: start + written.length } as TextNode
  }
  const around = (first: string, last: string) => ({ source, start: text.indexOf(first), end: text.indexOf(last) + last.length })
  return { source, textAt, around }
}

describe('a configuration, of which parts may be anywhere', () => {
  const text = 'policy {\n  name = "x"\n  allow  = ["y"]\n  conditions {\n    z = "z"\n  }\n}\n'
  const { textAt, around } = nodesOn(text)
  const other = nodesOn('locals {\n  allow = ["y"]\n}\n', 'locals.tf')
  const entry = (key: string, value: Node) => ({ key: textAt(key), value })
  const block = { kind: 'map', entries: [entry('z ', textAt('"z"'))], ...around('{\n    z', '  }') } as unknown as MapNode
  const mapOf = (...entries: readonly ReturnType<typeof entry>[]) =>
    ({ kind: 'map', entries, ...around('policy', '\n}\n') }) as unknown as MapNode
  const whole = mapOf(entry('name', textAt('"x"')), entry('allow', textAt('["y"]')), entry('conditions', block))

  test.each<[name: string, map: MapNode, key: string, expected: string | undefined]>([
    ['an attribute', whole, 'name', text.replace('  name = "x"\n', '')],
    ['an attribute, aligned', whole, 'allow', text.replace('  allow  = ["y"]\n', '')],
    ['a block', whole, 'conditions', undefined],
    ['a value of another file', mapOf(entry('name', other.textAt('["y"]')), entry('conditions', block)), 'name', undefined],
    ['a value above its key', mapOf(entry('allow', textAt('"x"')), entry('conditions', block)), 'allow', undefined],
    ['a value that is not right behind its key', mapOf(entry('name', textAt('"z"')), entry('conditions', block)), 'name', undefined],
  ])('entries are taken out where they are attributes: %s', (_, map, key, expected) => {
    expect(made(text, removeEntries(map, [key]))).toBe(expected)
  })

  test('items of another file are not put in another order', () => {
    const list = (...items: readonly Node[]) => ({ kind: 'list', items, ...around('["y"', ']') }) as unknown as ListNode
    expect(reorderItems(list(textAt('"y"'), other.textAt('"y"')), [1, 0])).toBeUndefined()
    expect(reorderItems(list(other.textAt('"y"'), other.textAt('["y"]')), [1, 0])).toBeUndefined()
  })

  test('items of another file are not taken out of a list of lines', () => {
    const lines = nodesOn('- a\n- b\n- c\n', 'p.yaml')
    const list = (...items: readonly Node[]) => ({ kind: 'list', items, ...lines.around('- a', 'c') }) as unknown as ListNode
    const [a, b, c] = ['a', 'b', 'c'].map(lines.textAt) as [Node, Node, Node]
    const out = other.textAt('"y"')
    expect(removeItems(list(a, b, c), [1])).toHaveLength(1)
    expect(removeItems(list(a, out, c), [1])).toBeUndefined()
    expect(removeItems(list(out, b, c), [1])).toBeUndefined()
    expect(removeItems(list(a, b, out), [2])).toBeUndefined()
  })
})

describe('an item over several lines, or of nothing', () => {
  test.each<[text: string, gone: readonly number[], expected: string]>([
    ['- |\n  - x\n\n- b\n- c\n', [0], '\n- b\n- c\n'],
    ['- |\n  - x\n\n- b\n- c\n', [1], '- |\n  - x\n\n- c\n'],
    ['- |\n  x\n- b', [1], '- |\n  x\n'],
    ['- a\n- |\n  x\n- b\n- c', [2, 3], '- a\n- |\n  x\n'],
    ['- a\n- |\n  x', [1], '- a'],
    ['- - x\n  - y\n- b\n', [1], '- - x\n  - y\n'],
    ['- - x\n  - y\n- b\n', [0], '- b\n'],
    ['-\n-\n- a\n', [1], '-\n- a\n'],
    ['- a\n-\n', [1], '- a\n'],
    ['- a\n-', [1], '- a'],
    ['- a:\n  - x\n- b\n', [1], '- a:\n  - x\n'],
    ['- a:\n  - x\n- b\n', [0], '- b\n'],
    ['- a # - b\n- c\n', [1], '- a # - b\n'],
    ['- a\n# - b\n- c\n', [1], '- a\n# - b\n'],
    ['- a\n\n  # c\n- - b\n', [1], '- a\n\n  # c\n'],
    ['- "a\n\n  - b"\n- c\n', [1], '- "a\n\n  - b"\n'],
    ['- a\n  -b\n- c\n', [1], '- a\n  -b\n'],
    ['- a\n-\tb\n', [1], '- a\n'],
  ])('%j without %j', (text, gone, expected) => {
    const list = rootOf(text) as ListNode
    const left = plainValue(list) as readonly unknown[]
    const changed = made(text, removeItems(list, gone)) as string
    expect(changed).toBe(expected)
    expect(plainValue(rootOf(changed))).toEqual(left.filter((_, i) => !gone.includes(i)))
  })

  test.each<[text: string, gone: readonly string[], expected: string]>([
    ['a: |\n  x\nb: 1', ['b'], 'a: |\n  x\n'],
    ['a: |\n  x\nb: 1', ['a'], 'b: 1'],
    ['a:\n  - x\nb: 1\n', ['a'], 'b: 1\n'],
    ['a:\nb: 1\n', ['a'], 'b: 1\n'],
    ['a:\nb:', ['b'], 'a:'],
    ['a: 1\n? b\n: 2\n', ['a'], '? b\n: 2\n'],
    ['a: 1\nb: 2\n', ['b', 'z'], 'a: 1\n'],
  ])('%j without %j', (text, gone, expected) => {
    const map = rootOf(text) as MapNode
    const changed = made(text, removeEntries(map, gone)) as string
    expect(changed).toBe(expected)
    expect(plainValue(rootOf(changed))).toEqual(
      Object.fromEntries(Object.entries(plainValue(map) as object).filter(([key]) => !gone.includes(key))),
    )
  })
})

describe('edits that are made together', () => {
  const source = sourceOf('p.yaml', 'abcdef')
  const edit = (start: number, end: number, text = ''): Edit => ({ span: { source, start, end }, text })

  test.each<[name: string, before: readonly Edit[], next: Edit, isApplied: boolean]>([
    ['behind what is next to it', [edit(1, 2)], edit(2, 3), true],
    ['before what is next to it', [edit(2, 3)], edit(1, 2), true],
    ['within', [edit(1, 4)], edit(2, 3), false],
    ['around', [edit(2, 3)], edit(1, 4), false],
    ['over the end', [edit(1, 3)], edit(2, 4), false],
    ['over the start', [edit(2, 4)], edit(1, 3), false],
    ['from the same start', [edit(2, 3)], edit(2, 4), false],
    ['to the same end', [edit(2, 4)], edit(3, 4), false],
    ['the same place, another text', [edit(2, 4, 'x')], edit(2, 4, 'y'), false],
    ['the same place and text', [edit(2, 4, 'x')], edit(2, 4, 'x'), true],
    ['the same text from the same start', [edit(2, 4, 'x')], edit(2, 3, 'x'), false],
    ['the same text to the same end', [edit(2, 4, 'x')], edit(3, 4, 'x'), false],
    ['an insertion at the start', [edit(2, 4)], edit(2, 2, 'x'), false],
    ['an insertion at the end', [edit(2, 4)], edit(4, 4, 'x'), false],
    ['what begins at an insertion', [edit(2, 2, 'x')], edit(2, 4), false],
    ['what ends at an insertion', [edit(4, 4, 'x')], edit(2, 4), false],
    ['the same insertion', [edit(2, 2, 'x')], edit(2, 2, 'x'), true],
    ['between two', [edit(0, 1), edit(4, 5)], edit(2, 3), true],
    ['between two, over the later one', [edit(0, 1), edit(4, 5)], edit(2, 5), false],
    ['between two, over the earlier one', [edit(0, 2), edit(4, 5)], edit(1, 3), false],
  ])('%s', (_, before, next, isApplied) => {
    const { applied, text } = applyEdits('abcdef', [...before.map((each) => [each]), [next]])
    expect(applied).toEqual([...before.map(() => true), isApplied])
    // In whatever order they are given.
    if (isApplied) expect(applyEdits('abcdef', [[next], ...before.map((each) => [each])]).text).toBe(text)
  })
})
