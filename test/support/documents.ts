import { pick, type Random } from './worlds.ts'

/** Random documents as users write them: JSON and YAML, block and flow, with comments, odd indentation, either line end. */

export type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain }

export interface Written {
  readonly path: string
  readonly text: string
  readonly value: Plain
}

const words = [
  'a',
  'vps:apisvc:ips/get',
  'urn:v1:eu:resource:vps:*',
  'x y',
  'é',
  'Monday, Tuesday',
  "it's",
  '*',
  ' a',
  'a: b',
  'true',
  '12',
  '',
  'a#b',
  '- a',
  '[x',
  '"q"',
  '#',
]
const keys = ['name', 'allow', 'deny', 'request.IP', 'resource.Tag(env)', 'a b', 'é', 'except', 'urn', 'action', 'x-1', 'k#']

export function someValue(random: Random, depth: number): Plain {
  const roll = random()
  const count = () => Math.floor(random() * 4)
  if (depth > 0 && roll < 0.35) return Array.from({ length: count() }, () => someValue(random, depth - 1))
  if (depth > 0 && roll < 0.75)
    return Object.fromEntries(Array.from({ length: count() }, () => [pick(random, keys), someValue(random, depth - 1)]))
  return roll < 0.95 ? pick(random, words) : pick(random, [1, -2.5, true, false, null])
}

/** Write a value, in JSON or in YAML. Each comment holds a number of its own. */
export function writeDocument(random: Random, value: Plain, json = random() < 0.35): Written {
  const newline = random() < 0.2 ? '\r\n' : '\n'
  const writer = new Writer(random, json)
  const body = json ? writer.flow(value, 0) : writer.document(value)
  const text = `${body}${random() < 0.85 ? '\n' : ''}`.replaceAll('\n', newline)
  return { path: json ? 'd.json' : 'd.yaml', text, value }
}

class Writer {
  readonly #random: Random
  readonly #json: boolean
  readonly #commented: boolean
  readonly #step: number
  #comments = 0

  constructor(random: Random, json: boolean) {
    this.#random = random
    this.#json = json
    this.#commented = !json && random() < 0.7
    this.#step = pick(random, [1, 2, 2, 2, 4])
  }

  document(value: Plain): string {
    const isEmpty = typeof value !== 'object' || value === null || Object.keys(value).length === 0
    const start = `${this.#above(0)}${this.#random() < 0.1 ? '---\n' : ''}${this.#above(0)}`
    if (isEmpty || this.#random() < 0.15) return `${start}${this.flow(value, 1)}`
    return `${start}${this.#block(value, 0)}`.replace(/\n$/, '')
  }

  #comment(): string {
    return `# c${++this.#comments};${pick(this.#random, ['', ' x: [', ' - "', ' {a'])}`
  }

  /** Lines of comments, or nothing. */
  #above(indent: number): string {
    const roll = this.#commented ? this.#random() : 1
    if (roll < 0.15) return `${' '.repeat(indent)}${this.#comment()}\n`
    return roll < 0.2 ? `\n${' '.repeat(indent)}${this.#comment()}\n` : roll < 0.25 ? '\n' : ''
  }

  #behind(): string {
    return this.#commented && this.#random() < 0.2 ? ` ${this.#comment()}` : this.#random() < 0.05 ? ' ' : ''
  }

  /** A list or map in block style: lines, each ended. The first line has no indentation of its own. */
  #block(value: Plain, indent: number): string {
    if (Array.isArray(value)) {
      return value
        .map((item, i) => {
          const gap = pick(this.#random, [' ', ' ', ' ', '   '])
          return `${i === 0 ? '' : this.#above(indent) + ' '.repeat(indent)}-${this.#child(item, indent, indent + 1 + gap.length, gap)}`
        })
        .join('')
    }
    return Object.entries(value as object)
      .map(([key, item], i) => {
        const lead = i === 0 ? '' : this.#above(indent) + ' '.repeat(indent)
        return `${lead}${this.scalar(key, false)}:${this.#child(item, indent, -1, ' ')}`
      })
      .join('')
  }

  /** The value behind a dash or a key; `inline` is the column at which a block may begin right there, -1 for none. */
  #child(value: Plain, indent: number, inline: number, gap: string): string {
    const isBlock = typeof value === 'object' && value !== null && Object.keys(value).length > 0 && this.#random() < 0.75
    if (!isBlock) {
      if (value === null && this.#random() < 0.5) return `${this.#behind()}\n`
      return this.#longText(value, gap, indent) ?? `${gap}${this.flow(value, indent + 1)}${this.#behind()}\n`
    }
    if (inline >= 0 && this.#random() < 0.7) return gap + this.#block(value, inline)
    const sameColumn = inline < 0 && Array.isArray(value) && this.#random() < 0.3
    const deeper = sameColumn ? indent : indent + this.#step
    return `${this.#behind()}\n${this.#above(deeper)}${' '.repeat(deeper)}${this.#block(value, deeper)}`
  }

  /** A text over several lines: a block scalar, or folded. Seldom. */
  #longText(value: Plain, gap: string, indent: number): string | undefined {
    if (typeof value !== 'string' || !/^[a-zA-Z][^#:]*$/.test(value) || value === 'true' || this.#random() > 0.15) return undefined
    const deeper = ' '.repeat(indent + this.#step)
    const [first, ...rest] = value.split(' ')
    if (rest.length > 0 && this.#random() < 0.5) return `${gap}${first}\n${rest.map((word) => `${deeper}${word}\n`).join('')}`
    return `${gap}${pick(this.#random, ['|-', '>-', '|-  # s'])}\n${deeper}${value}\n`
  }

  /** A value on one line, or over several lines that are indented by `indent` at least. */
  flow(value: Plain, indent: number): string {
    if (typeof value !== 'object' || value === null) return this.scalar(value, true)
    const isList = Array.isArray(value)
    const [open, close] = isList ? '[]' : '{}'
    const parts = isList ? value.map((item) => [undefined, item] as const) : Object.entries(value)
    if (parts.length === 0) return `${open}${pick(this.#random, ['', '', ' '])}${close}`
    const inside = indent + this.#step
    const write = ([key, item]: readonly [string | undefined, Plain], spread: boolean) =>
      `${key === undefined ? '' : `${this.scalar(key, true)}:${pick(this.#random, this.#json ? [' ', '', '  '] : [' '])}`}${this.flow(item, spread ? inside : indent)}`
    if (this.#random() < 0.5) {
      const blank = pick(this.#random, ['', ' '])
      const trailing = !this.#json && this.#random() < 0.1 ? ', ' : ''
      return `${open}${blank}${parts.map((part) => write(part, false)).join(pick(this.#random, [', ', ',', ' , ']))}${trailing}${blank}${close}`
    }
    const lines = parts.map((part, i) => {
      const comma = i < parts.length - 1 || (!this.#json && this.#random() < 0.2) ? ',' : ''
      const breaks = this.#random() < 0.9 || i === parts.length - 1
      return `${write(part, true)}${comma}${breaks ? `${this.#behind()}\n${this.#above(inside)}${i < parts.length - 1 ? ' '.repeat(inside) : ''}` : ' '}`
    })
    return `${open}${this.#behind()}\n${' '.repeat(inside)}${lines.join('')}${' '.repeat(indent)}${close}`
  }

  scalar(value: string | number | boolean | null, inFlow: boolean): string {
    if (typeof value !== 'string') return String(value)
    if (this.#json) return JSON.stringify(value)
    const roll = this.#random()
    const isPlain =
      /^[a-zA-Zé*]?[^\s].*$/.test(value) &&
      !/^[\s*#"[-]|: |^(true|[\d.]+)$| #|\s$/.test(value) &&
      !/#$/.test(value) &&
      (!inFlow || !/[,[\]{}]/.test(value))
    if (isPlain && roll < 0.6) return value
    return roll < 0.8 ? JSON.stringify(value) : `'${value.replaceAll("'", "''")}'`
  }
}
