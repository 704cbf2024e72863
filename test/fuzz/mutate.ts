import { pick, type Random } from '../support/worlds.ts'

/** Parts of mutations. */
export interface Material {
  /** Texts that were kept so far: at least one. */
  readonly texts: readonly string[]
  /** Words and signs of the notation. */
  readonly words: readonly string[]
}

/** The longest text that is made, but for `stretched`. */
export const longest = 4096

const characters = [
  ...'{}[]()<>:;,."\'`\\/#*&!|>-_?%@$^~=+ \t\n\r0129aezAZ\0\u007f\u0085\u00a0\u00ad',
  ...'\u00e9\u0301\u200b\u200d\u202e\u2028\u2066\ufeff\ufffd\uffff\ufdd0',
  '\ud800',
  '\udc00',
  '\u{1f600}',
  '\u{e0041}',
  '\r\n',
]
const numbers = [
  '0',
  '-0',
  '-1',
  '00',
  '1e999',
  '1e-999',
  '0x1f',
  '0o17',
  '.5',
  '5.',
  '9007199254740993',
  '4294967296',
  '2147483648',
  'NaN',
  '1_0',
]
const brackets = ['[]', '{}', '()', '""', "''", '``', '${}', '%{}', '<>'] as const

type Mutation = (text: string, random: Random, material: Material) => string

const below = (random: Random, bound: number) => Math.floor(random() * bound)
const stretch = (random: Random, text: string): readonly [start: number, end: number] => {
  const start = below(random, text.length + 1)
  const most = pick(random, [1, 2, 8, 32, 200])
  return [start, Math.min(text.length, start + 1 + below(random, most))]
}
const replaced = (text: string, start: number, end: number, by: string) => text.slice(0, start) + by + text.slice(end)
const linesOf = (text: string) => text.split(/(?<=\n)/)

/** Where a bracket that opens at a place is closed, roughly: texts and comments are not looked at. */
function closing(text: string, start: number): number {
  const pairs: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' }
  const close = pairs[text[start] ?? '']
  if (close === undefined) return start + 1
  let depth = 0
  for (let i = start; i < text.length; i++) {
    if (text[i] === text[start]) depth++
    else if (text[i] === close && --depth === 0) return i + 1
  }
  return text.length
}

/** A part of a text that means something by itself: in brackets, in quotes, a word, a line. */
function part(text: string, random: Random): readonly [start: number, end: number] {
  const from = below(random, text.length + 1)
  const way = below(random, 4)
  if (way === 0) {
    const start = text.slice(from).search(/[[{(]/)
    if (start >= 0) return [from + start, closing(text, from + start)]
  }
  const pattern = way === 1 ? /"(?:[^"\\\n]|\\.)*"/g : way === 2 ? /[\w.:*/-]+/g : /[^\n]*\n/g
  pattern.lastIndex = from
  const found = pattern.exec(text)
  return found ? [found.index, found.index + found[0].length] : stretch(random, text)
}

const mutations: readonly Mutation[] = [
  // One character: put in, replaced, with a bit turned.
  (text, random) => {
    const at = below(random, text.length + 1)
    return replaced(text, at, at, pick(random, characters))
  },
  (text, random) => {
    const at = below(random, text.length + 1)
    return replaced(text, at, at + 1, pick(random, characters))
  },
  (text, random) => {
    const at = below(random, text.length)
    return text === '' ? text : replaced(text, at, at + 1, String.fromCharCode(text.charCodeAt(at) ^ (1 << below(random, 8))))
  },
  // A stretch: left out, doubled, moved.
  (text, random) => replaced(text, ...stretch(random, text), ''),
  (text, random) => {
    const [start, end] = stretch(random, text)
    return replaced(text, end, end, text.slice(start, end).repeat(1 + below(random, 4)))
  },
  (text, random) => {
    const [start, end] = stretch(random, text)
    const rest = replaced(text, start, end, '')
    const at = below(random, rest.length + 1)
    return replaced(rest, at, at, text.slice(start, end))
  },
  // A word of the notation: put in, in the place of a part, in the place of a word.
  (text, random, { words }) => {
    const at = below(random, text.length + 1)
    return replaced(text, at, at, pick(random, words))
  },
  (text, random, { words }) => replaced(text, ...part(text, random), pick(random, words)),
  (text, random, { words }) => replaced(text, ...part(text, random), `"${pick(random, words)}"`),
  (text, random) => replaced(text, ...part(text, random), pick(random, numbers)),
  // Parts: left out, doubled, in the place of another, nested.
  (text, random) => replaced(text, ...part(text, random), ''),
  (text, random) => {
    const [start, end] = part(text, random)
    return replaced(text, end, end, pick(random, ['', ',', ', ', '\n', ' ']) + text.slice(start, end))
  },
  (text, random) => {
    const [start, end] = part(text, random)
    return replaced(text, ...part(text, random), text.slice(start, end))
  },
  (text, random) => {
    const [start, end] = part(text, random)
    const pair = pick(random, brackets)
    const depth = pick(random, [1, 1, 2, 5, 33, 65])
    const half = pair.length / 2 + (pair.length % 2) / 2
    return replaced(text, start, end, pair.slice(0, half).repeat(depth) + text.slice(start, end) + pair.slice(half).repeat(depth))
  },
  // Lines: left out, doubled, swapped, moved to the right or left.
  (text, random) => {
    const lines = linesOf(text)
    const [a, b] = [below(random, lines.length), below(random, lines.length)]
    return lines.map((line, i) => (i === a ? lines[b] : i === b ? lines[a] : line)).join('')
  },
  (text, random) => {
    const lines = linesOf(text)
    const from = below(random, lines.length)
    const to = from + 1 + below(random, 5)
    const by = pick(random, ['  ', ' ', '\t', '- ', '> ', '# '])
    const isBack = random() < 0.5
    return lines
      .map((line, i) => (i < from || i >= to ? line : !isBack ? by + line : line.startsWith(by) ? line.slice(by.length) : line.trimStart()))
      .join('')
  },
  // Two texts: a part of one in the other, or the first half of one and the second of the other.
  (text, random, { texts }) => {
    const other = pick(random, texts)
    const [start, end] = part(other, random)
    return replaced(text, ...part(text, random), other.slice(start, end))
  },
  (text, random, { texts }) => {
    const other = pick(random, texts)
    const [start, end] = part(other, random)
    const at = below(random, text.length + 1)
    return replaced(text, at, at, other.slice(start, end))
  },
  (text, random, { texts }) => {
    const other = pick(random, texts)
    return text.slice(0, below(random, text.length + 1)) + other.slice(below(random, other.length + 1))
  },
  // The whole.
  (text) => text.replaceAll('\n', '\r\n'),
  (text, random) => text.slice(0, below(random, text.length + 1)),
]

/** A text of the material with one to eight things done to it. */
export function mutated(material: Material, random: Random): string {
  let text = pick(random, material.texts)
  for (let times = pick(random, [1, 1, 1, 2, 2, 3, 5, 8]); times > 0; times--) text = pick(random, mutations)(text, random, material)
  return text.slice(0, longest)
}

/** A text made long out of a short one: something in it is repeated until it has `length` characters. */
export function stretched(material: Material, random: Random, length: number): string {
  const text = pick(random, material.texts).slice(0, longest)
  const [start, end] = random() < 0.3 ? [0, text.length] : random() < 0.5 ? part(text, random) : stretch(random, text)
  const piece = random() < 0.1 ? pick(random, characters) : text.slice(start, end)
  if (piece === '') return text
  const times = Math.floor((length - text.length) / piece.length)
  return replaced(text, end, end, piece.repeat(Math.max(0, times)))
}
