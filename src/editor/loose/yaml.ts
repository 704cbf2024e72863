import { columnOf, lineEnd, type Source } from '../../source.ts'
import { FlowReader, quoted } from './flow.ts'
import { deepest, type LooseEntry, type LooseNode, type LooseText, nothing } from './nodes.ts'
import { Reader } from './reader.ts'

/** Where something is written: its offset and its column. */
interface Token {
  readonly at: number
  readonly column: number
}

/**
 * YAML as it is being written. Columns decide what belongs where, so that a line that is not finished changes nothing of those
 * around it. One pass, and never an error.
 */
export function looseYaml(source: Source): readonly LooseNode[] {
  return new BlockReader(source).documents()
}

class BlockReader extends Reader {
  constructor(source: Source) {
    super(source, source.text.charCodeAt(0) === 0xfeff ? 1 : 0)
  }

  documents(): readonly LooseNode[] {
    const { text, source } = this
    const out: LooseNode[] = []
    while (this.at < text.length) {
      const token = this.next()
      if (!token) {
        // The marks between documents, and directives.
        if (this.at >= text.length) break
        const line = lineEnd(source, this.at)
        const isStart = text.startsWith('--- ', this.at)
        this.at = isStart ? this.at + 4 : line
        continue
      }
      const before = this.at
      out.push(this.node(token, -1, 0))
      if (this.at <= before) this.at = lineEnd(source, before) + 1
    }
    return out
  }

  /** The next token, after blanks, comments and empty lines; undefined at the end of the document. */
  private next(): Token | undefined {
    const { text, source } = this
    this.skip()
    if (this.at >= text.length) return undefined
    const column = columnOf(source, this.at)
    if (column === 0 && (isMark(text, this.at) || text[this.at] === '%')) return undefined
    return { at: this.at, column }
  }

  /** Blanks, comments and empty lines. */
  protected override skip(): void {
    const { text, source } = this
    while (this.at < text.length) {
      const c = text[this.at] as string
      if (c === ' ' || c === '\t' || c === '\n' || c === '\r') this.at++
      else if (c === '#' && (this.at === 0 || /\s/.test(text[this.at - 1] as string))) this.at = lineEnd(source, this.at)
      else return
    }
  }

  /** The node that begins at a token. `parent`: the column of what it is in. */
  private node(token: Token, parent: number, depth: number): LooseNode {
    const { text, source } = this
    if (depth > deepest) {
      this.at = text.length
      return nothing(source, token.at)
    }
    if (isDash(text, token.at)) return this.list(token, depth)
    const c = text[token.at]
    if (c === '[' || c === '{') return this.brackets(token.at, parent, depth)
    if (c === '|' || c === '>') return this.blockText(token.at, parent)
    const key = this.keyAt(token.at)
    if (key) return this.map(token, key, depth)
    return this.scalar(token.at, parent)
  }

  /** Reads a flow value that begins with a bracket. `parent`: the column of its container. */
  private brackets(offset: number, parent: number, depth: number): LooseNode {
    const reader = new FlowReader(this.source, offset, parent)
    const value = reader.value(depth)
    this.at = reader.at
    return value
  }

  private list({ at, column }: Token, depth: number): LooseNode {
    const { source, text } = this
    const items: LooseNode[] = []
    const dashes: number[] = []
    let end = at + 1
    for (let token: Token | undefined = { at, column }; token?.column === column && isDash(text, token.at); token = this.next()) {
      dashes.push(token.at)
      this.at = token.at + 1
      const line = lineEnd(source, token.at)
      const item = this.next()
      const isInside = item && (item.at < line || item.column > column)
      const value = isInside ? this.node(item, column, depth + 1) : nothing(source, token.at + 1)
      if (!isInside && item) this.at = Math.max(item.at, token.at + 1)
      items.push(value)
      end = Math.max(token.at + 1, value.end)
    }
    return { kind: 'list', source, start: at, end, items, style: 'block', column, dashes, isClosed: true }
  }

  private map({ at, column }: Token, first: Key, depth: number): LooseNode {
    const { source, text } = this
    const entries: LooseEntry[] = []
    let end = at
    let token: Token | undefined = { at, column }
    let key: Key | undefined = first
    while (token) {
      if (key) {
        this.at = key.sign + 1
        const value = this.valueBehind(key, column, depth)
        entries.push({ key: key.text, sign: key.sign, value })
      } else {
        // A key that is not finished, or something that belongs to nothing.
        const word = this.scalar(token.at, Number.POSITIVE_INFINITY)
        entries.push({ key: word, sign: -1, value: nothing(source, word.end) })
      }
      const last = entries.at(-1) as LooseEntry
      end = Math.max(end, last.key.end, last.sign + 1, last.value.end)
      token = this.next()
      // Lines indented further than the keys that belong to none of them.
      while (token && token.column > column) {
        const before = this.at
        const stray = this.node(token, column, depth + 1)
        if (this.at <= before) this.at = lineEnd(source, before)
        const entry = entries.at(-1) as LooseEntry
        if (entry.value.kind === 'null' && entry.sign >= 0) entries[entries.length - 1] = { ...entry, value: stray }
        end = Math.max(end, stray.end)
        token = this.next()
      }
      if (!token || token.column < column || isDash(text, token.at)) break
      key = this.keyAt(token.at)
    }
    return { kind: 'map', source, start: at, end, entries, style: 'block', column, isClosed: true }
  }

  /** The value of a key: behind it, or on the lines below. */
  private valueBehind(key: Key, column: number, depth: number): LooseNode {
    const { source, text } = this
    const line = lineEnd(source, key.sign)
    const token = this.next()
    if (!token) return nothing(source, key.sign + 1)
    if (token.at < line) {
      const c = text[token.at]
      if (c === '[' || c === '{') return this.brackets(token.at, column, depth + 1)
      if (c === '|' || c === '>') return this.blockText(token.at, column)
      return this.scalar(token.at, column)
    }
    if (token.column > column || (token.column === column && isDash(text, token.at))) return this.node(token, column, depth + 1)
    return nothing(source, key.sign + 1)
  }

  /** The key that begins there, with its colon; undefined where none does. */
  private keyAt(offset: number): Key | undefined {
    const { source, text } = this
    const line = lineEnd(source, offset)
    const c = text[offset]
    if (c === '"' || c === "'") {
      const read = quoted(source, offset, false)
      if (read.end > line) return undefined
      const sign = pastBlanks(text, read.end)
      return read.isClosed && text[sign] === ':' && isBreak(text, sign + 1) ? { text: read, sign } : undefined
    }
    for (let i = offset; i < line; i++) {
      if (text[i] === '#' && i > offset && /\s/.test(text[i - 1] as string)) return undefined
      if (text[i] !== ':' || !isBreak(text, i + 1)) continue
      const value = text.slice(offset, i).trimEnd()
      return { text: { kind: 'text', value, source, start: offset, end: offset + value.length, quote: '', isClosed: true }, sign: i }
    }
    return undefined
  }

  /** A text, with the lines that belong to it: those further in than `parent` which are neither items nor keys. */
  private scalar(offset: number, parent: number): LooseText {
    const { source, text } = this
    const c = text[offset]
    if (c === '"' || c === "'") {
      const read = quoted(source, offset, false)
      // Text behind a quoted string on its line belongs to nothing.
      this.at = Math.max(read.end, lineEnd(source, read.end))
      return read
    }
    let end = plainEnd(source, offset)
    let value = text.slice(offset, end)
    this.at = lineEnd(source, offset)
    for (let token = this.next(); token && token.column > parent; token = this.next()) {
      const isApart = /\n[ \t]*\r?\n|#/.test(text.slice(end, token.at))
      if (isApart || isDash(text, token.at) || this.keyAt(token.at)) break
      end = plainEnd(source, token.at)
      value += ` ${text.slice(token.at, end)}`
      this.at = lineEnd(source, token.at)
    }
    return { kind: 'text', value, source, start: offset, end, quote: '', isClosed: true }
  }

  /** A text over several lines, from its `|` or `>`. */
  private blockText(offset: number, parent: number): LooseText {
    const { source, text } = this
    let end = lineEnd(source, offset)
    const lines: string[] = []
    for (let next = text.indexOf('\n', end) + 1; next > 0 && next < text.length; next = text.indexOf('\n', next) + 1) {
      const line = text.slice(next, lineEnd(source, next))
      const indent = line.search(/\S/)
      if (indent >= 0 && indent <= parent) break
      lines.push(line)
      if (indent >= 0) end = lineEnd(source, next)
      if (text.indexOf('\n', next) < 0) break
    }
    const indent = lines.reduce((least, line) => (line.trim() === '' ? least : Math.min(least, line.search(/\S/))), Number.MAX_SAFE_INTEGER)
    const value = lines.map((line) => line.slice(indent)).join(text[offset] === '>' ? ' ' : '\n')
    this.at = end
    return { kind: 'text', value: value.trimEnd(), source, start: offset, end, quote: '|', isClosed: true }
  }
}

interface Key {
  readonly text: LooseText
  readonly sign: number
}

function isDash(text: string, at: number): boolean {
  return text[at] === '-' && isBreak(text, at + 1)
}

function isBreak(text: string, at: number): boolean {
  return at >= text.length || /\s/.test(text[at] as string)
}

/** Whether a line separates documents. */
function isMark(text: string, at: number): boolean {
  return /^(?:---|\.\.\.)(?:\s|$)/.test(text.slice(at, at + 4))
}

function pastBlanks(text: string, at: number): number {
  let i = at
  while (text[i] === ' ' || text[i] === '\t') i++
  return i
}

/** Where a text without quotes ends on its line: before a comment and the blanks around it. */
function plainEnd(source: Source, at: number): number {
  const line = source.text.slice(at, lineEnd(source, at))
  const comment = line.search(/\s#/)
  return at + (comment < 0 ? line : line.slice(0, comment)).trimEnd().length
}
