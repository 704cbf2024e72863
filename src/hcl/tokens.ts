import type { Diagnostic } from '../diagnostic.ts'
import { visible } from '../names.ts'
import { shortened, syntaxError } from '../parser/reading.ts'
import type { Source, Span } from '../source.ts'

/** The most that is read of HCL. Past a limit a file is refused whole (docs/terraform.md, Limits). */
export const limits = {
  /** UTF-16 units in a file. */
  length: 1024 * 1024,
  /** A line has about fifteen. */
  tokens: 300_000,
  /** Nested brackets, strings and templates. */
  depth: 64,
  /** Operators and steps in one line of an expression. */
  chain: 400,
  /** Operators and steps in one expression, over all its lines: each is one level of its tree. */
  nested: 750,
} as const

export type TokenKind =
  | 'word'
  | 'number'
  /** The quotes of a text. */
  | 'quote'
  | 'unquote'
  /** From `<<` to the end of the line; and the word that ends it. */
  | 'heredoc'
  | 'heredoc-end'
  /** The literal text between quotes, or in a heredoc. */
  | 'text'
  /** `${` or `%{`, with `~` if there is one; and the brace that ends it. */
  | 'hole'
  | 'unhole'
  /** Operators, brackets and signs. */
  | 'sign'
  | 'newline'
  | 'end'

export interface Token {
  readonly kind: TokenKind
  readonly start: number
  readonly end: number
}

/** Thrown where a text is not HCL; caught by `readHcl`. */
export class Malformed extends Error {
  readonly problem: Diagnostic
  constructor(problem: Diagnostic) {
    super(problem.message)
    this.problem = problem
  }
}

interface Open {
  readonly kind: '{' | '[' | '(' | '"' | 'heredoc' | 'hole'
  readonly at: number
  readonly written: string
  /** The closing token; of a heredoc the word. */
  readonly closer: string
}

const closers: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' }
const tooManyTokens = `more than ${limits.tokens} words and signs, the most that is read of HCL`
const signs = ['...', '&&', '||', '==', '!=', '<=', '>=', '=>', '::']

/** Turns HCL text into tokens, in time linear in the text. Where it throws, `tokens` holds what was read until then. */
export class Scanner {
  readonly tokens: Token[] = []
  readonly comments: Span[] = []
  private readonly source: Source
  private readonly text: string
  private readonly open: Open[] = []
  private readonly numbers = /\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/y
  private readonly words = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy
  private readonly heredocWords = /[\p{ID_Continue}-]*/uy
  private chain = 0
  private at: number
  /** Just behind the line that begins a heredoc. */
  private isAtLineStart = false

  constructor(source: Source) {
    this.source = source
    this.text = source.text
    this.at = this.text.charCodeAt(0) === 0xfeff ? 1 : 0
  }

  scan(): void {
    const { text } = this
    if (text.length > limits.length)
      this.fail(0, 0, `the file is longer than ${limits.length} characters, the most that is read of HCL`, 'split it into several files')
    while (this.at < text.length) {
      if (this.tokens.length > limits.tokens) this.fail(this.at, this.at + 1, tooManyTokens, 'split it into several files')
      const top = this.open.at(-1)
      if (top?.kind === '"') this.quoted(top)
      else if (top?.kind === 'heredoc') this.heredoc(top)
      else this.plain(text[this.at] as string)
    }
    const innermost = this.open.at(-1)
    if (innermost) this.unclosed(innermost)
    this.push('newline', text.length)
    this.push('end', text.length)
  }

  private fail(start: number, end: number, message: string, help?: string, opener?: Open): never {
    const { source } = this
    const related = opener && [
      { message: `\`${opener.written}\` is opened here`, span: { source, start: opener.at, end: opener.at + opener.written.length } },
    ]
    throw new Malformed(syntaxError(source, start, end, message, help, related))
  }

  /** Adds a token from here to `end`, and goes there. */
  private push(kind: TokenKind, end: number): void {
    this.tokens.push({ kind, start: this.at, end })
    this.at = end
  }

  private enter(kind: Open['kind'], end: number, closer: string): void {
    const start = this.at
    this.push(kind === '"' ? 'quote' : kind === 'heredoc' || kind === 'hole' ? kind : 'sign', end)
    const written = kind === 'hole' || kind === 'heredoc' ? this.text.slice(start, start + 2) : kind
    if (this.open.push({ kind, at: start, written, closer }) > limits.depth)
      this.fail(start, start + 1, `more than ${limits.depth} brackets and texts inside one another`, 'name the inner parts with `locals`')
  }

  private plain(c: string): void {
    const { text, at } = this
    if (c === ' ' || c === '\t') this.at++
    else if (c === '\n' || text.startsWith('\r\n', at)) {
      this.push('newline', at + (c === '\r' ? 2 : 1))
      this.chain = 0
    } else if (c === '#' || text.startsWith('//', at)) this.lineComment()
    else if (text.startsWith('/*', at)) this.blockComment()
    else if (c === '"') this.enter('"', at + 1, '"')
    else if (text.startsWith('<<', at)) this.beginHeredoc()
    else if (c === '{' || c === '[' || c === '(') this.enter(c, at + 1, closers[c] as string)
    else if (c === '}' || c === ']' || c === ')') this.close(c)
    else if (c >= '0' && c <= '9') this.push('number', this.matchEnd(this.numbers, at))
    else {
      const end = this.matchEnd(this.words, at)
      if (end > at) this.push('word', end)
      else this.sign(c)
    }
  }

  /** Where a match of a sticky expression ends; `from` where there is none. */
  private matchEnd(expression: RegExp, from: number): number {
    expression.lastIndex = from
    return expression.test(this.text) ? expression.lastIndex : from
  }

  private lineComment(): void {
    const { text, source, at } = this
    const lineBreak = text.indexOf('\n', at)
    let end = lineBreak < 0 ? text.length : lineBreak
    if (text[end - 1] === '\r') end--
    this.comments.push({ source, start: at, end })
    this.at = end
  }

  private blockComment(): void {
    const { text, source, at } = this
    const end = text.indexOf('*/', at + 2) + 2
    if (end < 2) this.fail(at, at + 2, 'the comment that begins here is never closed', 'write `*/` where it ends')
    this.comments.push({ source, start: at, end })
    this.at = end
  }

  private close(c: string): void {
    const { at } = this
    const top = this.open.pop()
    if (!top)
      this.fail(at, at + 1, `\`${c}\` closes nothing: no bracket is open here`, 'remove it, or write the bracket that it is to close')
    const { written, closer } = top
    if (c !== closer) {
      const message = `\`${c}\` is where \`${closer}\` is expected, which closes \`${written}\``
      this.fail(at, at + 1, message, `close \`${written}\` first`, top)
    }
    this.push(top.kind === 'hole' ? 'unhole' : 'sign', at + 1)
  }

  private sign(c: string): void {
    const { text, at } = this
    const sign = signs.find((each) => text.startsWith(each, at)) ?? ('=.,:?+-*/%<>!~'.includes(c) ? c : undefined)
    if (sign === undefined) {
      const strange = String.fromCodePoint(text.codePointAt(at) as number)
      this.fail(at, at + strange.length, `\`${visible(strange)}\` has no meaning here`, helpFor(strange))
    }
    this.push('sign', at + sign.length)
    if (sign === ',' || sign === '=') this.chain = 0
    else if (++this.chain > limits.chain)
      this.fail(at, this.at, `more than ${limits.chain} operators and steps in one expression`, 'split it with `locals`')
  }

  /** Scans a quoted string: to its end, or to its next hole. */
  private quoted({ at }: Open): void {
    const { text } = this
    const from = this.at
    for (let i = from; i < text.length; ) {
      const c = text[i] as string
      if (c === '"') {
        this.endText(from, i, 'unquote', i + 1)
        return
      }
      if (c === '\n' || c === '\r')
        this.fail(at, i, 'the text that begins here is not closed on its line', 'write `"` where it ends; for several lines use `<<-EOT`')
      if (c === '\\') i = this.escapeEnd(i)
      else if (this.isHole(i)) {
        this.hole(from, i)
        return
      } else i += isEscapedHole(text, i) ? 3 : 1
    }
    this.fail(at, at + 1, 'the text that begins here is never closed', 'write `"` where it ends')
  }

  private escapeEnd(index: number): number {
    const { text } = this
    const next = text[index + 1] ?? ''
    const length = next === 'u' ? 6 : next === 'U' ? 10 : 2
    const digits = text.slice(index + 2, index + length)
    const isWhole = digits.length === length - 2 && /^[0-9a-fA-F]*$/.test(digits) && Number.parseInt(digits || '0', 16) <= 0x10ffff
    const help = 'expected `\\n`, `\\r`, `\\t`, `\\"`, `\\\\`, `\\uNNNN` or `\\UNNNNNNNN`'
    if (!'nrt"\\uU'.includes(next) || next === '' || !isWhole) {
      const end = Math.min(index + 1 + String.fromCodePoint(text.codePointAt(index + 1) ?? 0).length, text.length)
      this.fail(index, end, `\`${visible(text.slice(index, end))}\` is no escape`, help)
    }
    return index + length
  }

  /** Whether `${` or `%{` opens a hole here; `$${` and `%%{` are literal. */
  private isHole(at: number): boolean {
    const c = this.text[at]
    return (c === '$' || c === '%') && this.text[at + 1] === '{'
  }

  private hole(from: number, at: number): void {
    if (at > from) this.push('text', at)
    this.enter('hole', at + (this.text[at + 2] === '~' ? 3 : 2), '}')
  }

  /** The end of a text: what was literal `from` there until `at`, then what closes it. */
  private endText(from: number, textEnd: number, kind: 'unquote' | 'heredoc-end', end: number, closer = textEnd): void {
    if (textEnd > from) this.push('text', textEnd)
    this.at = closer
    this.push(kind, end)
    this.open.pop()
  }

  private beginHeredoc(): void {
    const { text, at } = this
    const from = at + (text[at + 2] === '-' ? 3 : 2)
    const end = this.matchEnd(this.heredocWords, from)
    const lineEnd = text[end] === '\r' ? end + 1 : end
    const help = 'write `<<-EOT`, then the lines, then `EOT` on a separate line'
    if (end === from || text[lineEnd] !== '\n')
      this.fail(at, Math.max(end, at + 2), 'expected a word and the end of the line after `<<`', help)
    this.enter('heredoc', end, text.slice(from, end))
    this.at = lineEnd + 1
    this.isAtLineStart = true
  }

  /** Scans a heredoc: to its end, or to its next hole. */
  private heredoc({ closer: word }: Open): void {
    const { text } = this
    const from = this.at
    let isStart = this.isAtLineStart
    this.isAtLineStart = false
    let i = from
    while (i < text.length) {
      if (isStart) {
        let lineStart = i
        while (text[lineStart] === ' ' || text[lineStart] === '\t') lineStart++
        const end = lineStart + word.length
        if (text.startsWith(word, lineStart) && isLineEnd(text, end)) {
          this.endText(from, i, 'heredoc-end', end, lineStart)
          return
        }
      }
      isStart = text[i] === '\n'
      if (this.isHole(i)) {
        this.hole(from, i)
        return
      }
      i += isEscapedHole(text, i) ? 3 : 1
    }
    this.at = i
  }

  private unclosed({ kind, at, written, closer }: Open): never {
    if (kind === '"') this.fail(at, at + 1, 'the text that begins here is never closed', 'write `"` where it ends')
    const quoted = visible(shortened(closer))
    const never = `the text that begins here is never closed: no line holds \`${quoted}\` alone`
    if (kind === 'heredoc') this.fail(at, at + 2, never, `write \`${quoted}\` on a separate line where it ends`)
    this.fail(at, at + written.length, `\`${written}\` is never closed`, `write \`${closer}\` where it ends`)
  }
}

function isEscapedHole(text: string, at: number): boolean {
  const c = text[at]
  return (c === '$' || c === '%') && text[at + 1] === c && text[at + 2] === '{'
}

function isLineEnd(text: string, at: number): boolean {
  while (text[at] === ' ' || text[at] === '\t') at++
  return at === text.length || text[at] === '\n' || text.startsWith('\r\n', at)
}

function helpFor(strange: string): string | undefined {
  if ('“”„‟'.includes(strange)) return 'write `"`: word processors put curly quotes in its place'
  if (strange === "'") return 'strings are in double quotes'
  return strange === ';' ? 'write each attribute on its own line' : undefined
}
