import { columnOf, lineEnd, lineStart, type Source } from '../../source.ts'
import { quoted } from './flow.ts'
import { deepest, isSpace, type LooseEntry, type LooseMap, type LooseNode, type LooseText, nothing } from './nodes.ts'
import { Reader } from './reader.ts'

/**
 * HCL as it is being written: blocks, attributes, lists and strings. Any other expression is a string marked as an expression.
 * One pass, and never an error.
 */
export function looseHcl(source: Source): LooseMap {
  return new HclReader(source).file()
}

/** Functions that join lists: their arguments are read as items of the list. */
const joining: ReadonlySet<string> = new Set(['concat', 'flatten', 'toset', 'tolist', 'distinct', 'compact', 'setunion', 'sort'])

class HclReader extends Reader {
  file(): LooseMap {
    const entries: LooseEntry[] = []
    while (this.at < this.text.length) {
      entries.push(...this.body(0))
      // A brace that closes nothing.
      if (this.at < this.text.length) this.at++
    }
    const { source, text } = this
    return { kind: 'map', source, start: 0, end: text.length, entries, style: 'hcl', column: 0, isClosed: true }
  }

  /** Attributes and blocks, up to the brace that closes them. */
  private body(depth: number): readonly LooseEntry[] {
    const { text, source } = this
    const entries: LooseEntry[] = []
    for (this.skip(); this.at < text.length && text[this.at] !== '}'; this.skip()) {
      const key = this.word() ?? this.quoted()
      if (!key) {
        this.at++
        continue
      }
      this.skipBlanks()
      if (text[this.at] === '=' && text[this.at + 1] !== '=') {
        const sign = this.at++
        const line = lineEnd(source, sign)
        this.skipBlanks()
        const value = this.at >= line || text[this.at] === '#' ? nothing(source, sign + 1) : this.expression(depth + 1)
        entries.push({ key, sign, value })
        continue
      }
      const labels: LooseText[] = []
      for (let label = this.label(); label; label = this.label()) labels.push(label)
      if (text[this.at] === '{') entries.push({ key, sign: -1, labels, value: this.block(depth + 1) })
      else entries.push({ key, sign: -1, ...(labels.length > 0 && { labels }), value: nothing(source, labels.at(-1)?.end ?? key.end) })
    }
    return entries
  }

  private label(): LooseText | undefined {
    this.skipBlanks()
    return this.word() ?? this.quoted()
  }

  private block(depth: number): LooseNode {
    const { source, text } = this
    const start = this.at++
    if (depth > deepest) {
      this.at = text.length
      return nothing(source, start)
    }
    const entries = this.body(depth)
    const isClosed = text[this.at] === '}'
    if (isClosed) this.at++
    const column = entries[0] ? columnOf(source, entries[0].key.start) : columnOf(source, lineStart(source, start)) + 2
    return { kind: 'map', source, start, end: this.at, entries, style: 'hcl', column, isClosed }
  }

  private expression(depth: number): LooseNode {
    const { source, text } = this
    if (depth > deepest) {
      const { at } = this
      this.at = text.length
      return nothing(source, at)
    }
    const start = this.at
    const c = text[start]
    if (c === '[') return this.list(start, depth, ']')
    if (c === '{') return this.object(depth)
    if (c === '"') {
      const read = this.quoted() as LooseText
      const after = this.at
      this.skipBlanks()
      if (/[?=!<>&|+*/%-]/.test(text[this.at] ?? '') && text[this.at + 1] !== '/') return this.raw(start)
      this.at = after
      return read
    }
    const name = this.word()
    if (name && text[this.at] === '(' && joining.has(name.value)) return this.list(this.at, depth, ')')
    this.at = start
    return this.raw(start)
  }

  private list(open: number, depth: number, closer: ']' | ')'): LooseNode {
    const { source, text } = this
    this.at = open
    const items: LooseNode[] = []
    const isClosed = this.inBrackets(closer, '])}', () => {
      // An attribute that follows: the bracket was not closed.
      if (/^[A-Za-z_][\w-]*[ \t]*=[^=]/.test(text.slice(this.at, this.at + 80)) && this.isLineStart(this.at)) return false
      const before = this.at
      const item = this.expression(depth + 1)
      if (closer === ')' && item.kind === 'list') items.push(...item.items)
      else items.push(item)
      if (this.at <= before) this.at = before + 1
      return true
    })
    return { kind: 'list', source, start: open, end: this.at, items, style: 'flow', column: -1, dashes: [], isClosed }
  }

  private object(depth: number): LooseNode {
    const { source } = this
    const start = this.at
    const entries: LooseEntry[] = []
    const isClosed = this.inBrackets('}', '])', () => {
      const key = this.quoted() ?? this.word()
      if (key) entries.push(this.entry(key, depth))
      else this.at++
      return true
    })
    return { kind: 'map', source, start, end: this.at, entries, style: 'flow', column: -1, isClosed }
  }

  /** An entry of an object, behind its key. */
  private entry(key: LooseText, depth: number): LooseEntry {
    const { source, text } = this
    this.skipBlanks()
    if (text[this.at] !== '=' && text[this.at] !== ':') return { key, sign: -1, value: nothing(source, key.end) }
    const sign = this.at++
    const line = lineEnd(source, sign)
    this.skipBlanks()
    const isMissing = this.at >= line || /[,}#]/.test(text[this.at] as string)
    return { key, sign, value: isMissing ? nothing(source, sign + 1) : this.expression(depth + 1) }
  }

  /** Any other expression: up to where its line or the bracket around it ends. */
  private raw(start: number): LooseText {
    const { source, text } = this
    let open = 0
    this.at = start
    for (; this.at < text.length; this.at++) {
      const c = text[this.at] as string
      if (c === '"') {
        this.at = (this.quoted() as LooseText).end - 1
        continue
      }
      if (c === '(' || c === '[' || c === '{') open++
      else if (c === ')' || c === ']' || c === '}') {
        if (open-- === 0) break
      } else if (open === 0 && (c === ',' || c === '\n' || c === '\r' || c === '#')) break
    }
    let end = this.at
    while (end > start && isSpace(text.charCodeAt(end - 1))) end--
    if (text.startsWith('<<', start)) return this.heredoc(start)
    return { kind: 'text', value: text.slice(start, end), source, start, end, quote: '', isClosed: true, isExpression: true }
  }

  private heredoc(start: number): LooseText {
    const { source, text } = this
    const line = lineEnd(source, start)
    const word = text
      .slice(start + 2, line)
      .replace(/^-/, '')
      .trim()
    let next = line
    while (next < text.length) {
      next = text.indexOf('\n', next) + 1
      if (next === 0) next = text.length
      const end = lineEnd(source, next)
      if (text.slice(next, end).trim() === word || next >= text.length) {
        next = end
        break
      }
    }
    this.at = next
    const value = text.slice(line + 1, Math.max(line + 1, lineStart(source, next) - 1))
    return { kind: 'text', value, source, start, end: next, quote: '|', isClosed: true, isExpression: true }
  }

  private word(): LooseText | undefined {
    const { source, text } = this
    const start = this.at
    if (!/[\p{ID_Start}_]/u.test(text[start] ?? '')) return undefined
    let end = start + 1
    while (end < text.length && /[\p{ID_Continue}-]/u.test(text[end] as string)) end++
    this.at = end
    return { kind: 'text', value: text.slice(start, end), source, start, end, quote: '', isClosed: true }
  }

  /** A text in quotes, with the expressions in it. */
  private quoted(): LooseText | undefined {
    const { source, text } = this
    const start = this.at
    if (text[start] !== '"') return undefined
    const line = lineEnd(source, start)
    let holes = 0
    let hasHole = false
    let end = start + 1
    for (; end < line; end++) {
      const c = text[end]
      if (c === '\\' && holes === 0) end++
      else if ((c === '$' || c === '%') && text[end + 1] === '{') {
        // `$${` and `%%{` are literal.
        if (holes === 0 && text[end - 1] === c) continue
        holes++
        hasHole = true
        end++
      } else if (c === '{' && holes > 0) holes++
      else if (c === '}' && holes > 0) holes--
      else if (c === '"' && holes === 0) break
    }
    if (hasHole) {
      const isClosed = end < line
      this.at = isClosed ? end + 1 : line
      const value = text.slice(start + 1, isClosed ? end : line)
      return { kind: 'text', value, source, start, end: this.at, quote: '"', isClosed, isExpression: true }
    }
    const read = quoted(source, start, true)
    this.at = read.end
    return read
  }

  private isLineStart(at: number): boolean {
    return this.text.slice(lineStart(this.source, at), at).trim() === ''
  }

  /** Blanks on the line. */
  private skipBlanks(): void {
    while (this.text[this.at] === ' ' || this.text[this.at] === '\t') this.at++
  }

  /** Blanks, line breaks and comments. */
  protected override skip(): void {
    const { text, source } = this
    for (; this.at < text.length; this.at++) {
      const c = text[this.at] as string
      if (c === '#' || (c === '/' && text[this.at + 1] === '/')) this.at = lineEnd(source, this.at) - 1
      else if (c === '/' && text[this.at + 1] === '*') {
        const close = text.indexOf('*/', this.at + 2)
        this.at = close < 0 ? text.length : close + 1
      } else if (!isSpace(text.charCodeAt(this.at))) return
    }
  }
}
