import { columnOf, lineEnd, type Source } from '../../source.ts'
import { deepest, isSpace, type LooseEntry, type LooseNode, type LooseText, nothing } from './nodes.ts'
import { Reader } from './reader.ts'

/**
 * JSON, and the brackets of YAML, as they are being written: with brackets, quotes, commas and values that are still missing.
 * One pass, and never an error.
 */
export class FlowReader extends Reader {
  private readonly isJson: boolean
  private readonly parent: number

  /** `parent`: in YAML, the column of the keys or dashes around the brackets. */
  constructor(source: Source, at = 0, parent = -1) {
    super(source, at)
    this.isJson = source.notation === 'json' || source.notation === 'hcl-json'
    this.parent = parent
  }

  /** All values, one behind the other. */
  documents(): readonly LooseNode[] {
    const out: LooseNode[] = []
    for (this.skip(); this.at < this.text.length; this.skip()) {
      const before = this.at
      out.push(this.value(0))
      // A bracket that closes nothing.
      if (this.at === before) this.at++
    }
    return out
  }

  /** The value at the position; null where there is none. */
  value(depth: number): LooseNode {
    const { text, source } = this
    this.skip()
    const c = text[this.at]
    if (depth > deepest) {
      const start = this.at
      this.at = text.length
      return nothing(source, start)
    }
    if (c === '{') return this.map(depth)
    if (c === '[') return this.list(depth)
    if (this.isOutside()) return nothing(source, this.at)
    if (c === undefined || c === ',' || c === '}' || c === ']' || c === ':') return nothing(source, this.at)
    return this.scalar()
  }

  /** Whether a line begins here that is no further in than what is around the brackets: their end is missing. */
  private isOutside(): boolean {
    const column = columnOf(this.source, this.at)
    return column <= this.parent && this.text.slice(this.at - column, this.at).trim() === ''
  }

  private map(depth: number): LooseNode {
    const { source } = this
    const start = this.at
    const entries: LooseEntry[] = []
    const isClosed = this.inBrackets('}', ']', (c) => {
      if (this.isOutside()) return false
      if (c === '{' || c === '[') {
        // A value without its key.
        const position = this.at
        entries.push({ key: this.missingKey(position), sign: -1, value: this.value(depth + 1) })
      } else this.entry(c === ':' ? this.missingKey(this.at) : this.scalar(), entries, depth)
      return true
    })
    return { kind: 'map', source, start, end: this.at, entries, style: 'flow', column: -1, isClosed }
  }

  /** Reads the value of a key. */
  private entry(key: LooseText, entries: LooseEntry[], depth: number): void {
    const { text, source } = this
    const behind = this.at
    this.skip()
    if (text[this.at] !== ':') {
      this.at = behind
      entries.push({ key, sign: -1, value: nothing(source, key.end) })
      return
    }
    const sign = this.at++
    const value = this.value(depth + 1)
    if (value.kind === 'text') {
      const after = this.at
      this.skip()
      if (text[this.at] === ':' && value.quote !== '') {
        // The value is missing: this is the next key.
        entries.push({ key, sign, value: nothing(source, sign + 1) })
        this.entry(value, entries, depth)
        return
      }
      this.at = after
    }
    entries.push({ key, sign, value: value.kind === 'null' ? nothing(source, sign + 1) : value })
  }

  private missingKey(at: number): LooseText {
    return { kind: 'text', value: '', source: this.source, start: at, end: at, quote: '', isClosed: true }
  }

  private list(depth: number): LooseNode {
    const { source } = this
    const start = this.at
    const items: LooseNode[] = []
    const isClosed = this.inBrackets(']', '}', (c) => {
      if (this.isOutside()) return false
      if (c === ':') this.at++
      else items.push(this.value(depth + 1))
      return true
    })
    return { kind: 'list', source, start, end: this.at, items, style: 'flow', column: -1, dashes: [], isClosed }
  }

  /** A text in quotes, or a word. */
  scalar(): LooseText {
    const { text, source, isJson } = this
    const c = text[this.at]
    if (c === '"' || (c === "'" && !isJson)) {
      const read = quoted(source, this.at, isJson)
      this.at = read.end
      return source.notation === 'hcl-json' && /[$%]\{/.test(read.value) ? { ...read, isExpression: true } : read
    }
    const start = this.at
    const end = lineEnd(source, start)
    let i = start
    for (; i < end; i++) {
      const c = text[i] as string
      if (c === ',' || c === '[' || c === ']' || c === '{' || c === '}') break
      if (isJson && (c === ':' || c === '"' || c === ' ' || c === '\t')) break
      if (c === ':' && (i + 1 === end || /[\s,[\]{}]/.test(text[i + 1] as string))) break
      if (c === '#' && i > start && /\s/.test(text[i - 1] as string)) break
    }
    while (i > start && /\s/.test(text[i - 1] as string)) i--
    // A character that begins no value is skipped.
    if (i === start) i = Math.min(start + 1, text.length)
    this.at = i
    return { kind: 'text', value: text.slice(start, i), source, start, end: i, quote: '', isClosed: true }
  }

  /** Blanks and comments: in JSON too, where users write them though it has none. */
  protected override skip(): void {
    const { text, source, isJson } = this
    for (; this.at < text.length; this.at++) {
      if (isSpace(text.charCodeAt(this.at))) continue
      const c = text[this.at] as string
      if (c === '#' && (isJson || this.at === 0 || /\s/.test(text[this.at - 1] as string))) this.at = lineEnd(source, this.at) - 1
      else if (isJson && c === '/' && text[this.at + 1] === '/') this.at = lineEnd(source, this.at) - 1
      else if (isJson && c === '/' && text[this.at + 1] === '*') {
        const close = text.indexOf('*/', this.at + 2)
        this.at = close < 0 ? text.length : close + 1
      } else return
    }
  }
}

/** A text in quotes. One that is not closed on its line ends there, unless what follows can only be the rest of it. */
export function quoted(source: Source, start: number, isJson: boolean): LooseText {
  const { text } = source
  const quote = text[start] as '"' | "'"
  const plain = plainText(text, start + 1, quote)
  if (plain) return { kind: 'text', value: plain, source, start, end: start + plain.length + 2, quote, isClosed: true }
  const line = lineEnd(source, start)
  let end = closing(text, start, line, quote)
  if (end < 0 && !isJson) {
    const below = closing(text, start, text.length, quote)
    if (below > 0 && /^[ \t]*(?:$|[\r\n,:\]}#])/.test(text.slice(below + 1, below + 100))) end = below
  }
  const isClosed = end >= 0
  const stop = isClosed ? end + 1 : line
  const { value, offsets } = unescaped(text, start + 1, isClosed ? end : line, quote)
  return { kind: 'text', value, source, start, end: stop, quote, isClosed, ...(offsets && { offsets }) }
}

/** The string between quotes, if it has no escapes, as nearly all; else undefined. */
function plainText(text: string, start: number, quote: string): string | undefined {
  const end = text.indexOf(quote, start)
  if (end < 0 || end - start > longestPlain || text[end + 1] === "'") return undefined
  const value = text.slice(start, end)
  return /[\\\r\n]/.test(value) ? undefined : value
}

/** Beyond it, a search for the quote that closes a text may read much that follows. */
const longestPlain = 1000

function closing(text: string, start: number, end: number, quote: string): number {
  for (let i = start + 1; i < end; i++) {
    if (text[i] === '\\' && quote === '"') i++
    else if (text[i] === quote) {
      if (quote === "'" && text[i + 1] === "'") i++
      else return i
    }
  }
  return -1
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0', e: '\x1b', a: '\x07', v: '\v' }

/** The value of a quoted range, with the offsets of its units where they do not follow from it. */
function unescaped(text: string, from: number, to: number, quote: string): { readonly value: string; readonly offsets?: number[] } {
  const raw = text.slice(from, to)
  if (quote === "'" ? !/['\n]/.test(raw) : !/[\\\n]/.test(raw)) return { value: raw }
  let value = ''
  const offsets: number[] = []
  for (let i = 0; i < raw.length; ) {
    let [unit, width] = [raw[i] as string, 1]
    if (unit === "'" && quote === "'") width = 2
    else if (unit === '\r' && raw[i + 1] === '\n') [unit, width] = [' ', folded(raw, i)]
    else if (unit === '\n') [unit, width] = [' ', folded(raw, i)]
    else if (unit === '\\' && quote === '"') {
      const next = raw[i + 1] ?? ''
      const digits = next === 'u' ? 4 : next === 'x' ? 2 : next === 'U' ? 8 : 0
      const code = digits > 0 ? Number.parseInt(raw.slice(i + 2, i + 2 + digits), 16) : Number.NaN
      ;[unit, width] =
        code >= 0 && code <= 0x10ffff ? [String.fromCodePoint(code), 2 + digits] : [escapes[next] ?? next, Math.min(2, raw.length - i)]
    }
    for (let n = 0; n < unit.length; n++) offsets.push(from + i)
    value += unit
    i += width
  }
  offsets.push(to)
  return { value, offsets }
}

/** How much a line break takes with the blanks behind it. */
function folded(raw: string, at: number): number {
  let i = at
  while (i < raw.length && /\s/.test(raw[i] as string)) i++
  return i - at
}
