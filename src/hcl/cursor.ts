import { visible } from '../names.ts'
import { shortened, syntaxError } from '../parser/reading.ts'
import type { Source, Span } from '../source.ts'
import { limits, Malformed, type Token } from './tokens.ts'

export class Cursor {
  readonly source: Source
  /** In parentheses, lists, templates and `for`, a line break is a blank. */
  isLoose = false
  /** How deep in the tree of an expression the next token is. The levels of a part count for that part alone. */
  level = 0
  private readonly tokens: readonly Token[]
  private at = 0
  private last: Token | undefined

  constructor(source: Source, tokens: readonly Token[]) {
    this.source = source
    this.tokens = tokens
  }

  peek(): Token {
    if (this.isLoose) this.skipLines()
    return this.tokens[this.at] as Token
  }

  /** The token behind the next one, where a line break is a blank. */
  peekSecond(): Token {
    const token = this.peek()
    let index = this.at + 1
    while (this.tokens[index]?.kind === 'newline') index++
    return this.tokens[index] ?? token
  }

  next(): Token {
    const token = this.peek()
    if (token.kind !== 'end') this.at++
    this.last = token
    return token
  }

  skipLines(): void {
    while ((this.tokens[this.at] as Token).kind === 'newline') this.at++
  }

  written({ start, end }: Span | Token): string {
    return this.source.text.slice(start, end)
  }

  is(sign: string, token = this.peek()): boolean {
    return token.kind === 'sign' && this.written(token) === sign
  }

  isWord(word: string): boolean {
    const token = this.peek()
    return token.kind === 'word' && this.written(token) === word
  }

  take(sign: string): boolean {
    if (!this.is(sign)) return false
    this.next()
    return true
  }

  takeWord(word: string): boolean {
    if (!this.isWord(word)) return false
    this.next()
    return true
  }

  expect(sign: string, expected = `\`${sign}\``, help?: string): void {
    if (!this.take(sign)) this.fail(expected, help)
  }

  expectWord(expected: string): string {
    if (this.peek().kind !== 'word') this.fail(expected)
    return this.written(this.next())
  }

  fail(expected: string, help?: string, token = this.peek()): never {
    const end = token.kind === 'newline' ? token.start : token.end
    throw new Malformed(syntaxError(this.source, token.start, end, `expected ${expected}, found ${this.described(token)}`, help))
  }

  private described(token: Token): string {
    switch (token.kind) {
      case 'end':
        return 'the end of the file'
      case 'newline':
        return 'the end of the line'
      case 'quote':
      case 'heredoc':
        return 'a text'
      default:
        return `\`${visible(shortened(this.written(token)))}\``
    }
  }

  get end(): number {
    return this.last?.end ?? 0
  }

  isLast(token: Token): boolean {
    return this.last === token
  }

  span(start: number, end = this.end): Span {
    return { source: this.source, start, end }
  }

  /** Takes a bracket in which line breaks are blanks. The result says what they are around it, for `close`. */
  open(): boolean {
    const before = this.isLoose
    this.isLoose = true
    this.next()
    return before
  }

  close(closer: string, before: boolean, expected?: string): void {
    this.expect(closer, expected)
    this.isLoose = before
  }

  /** One level deeper in the tree of an expression. */
  nest(): void {
    const { start, end } = this.last as Token
    if (++this.level <= limits.nested) return
    const message = `more than ${limits.nested} operators and steps in one expression`
    throw new Malformed(syntaxError(this.source, start, end, message, 'split it with `locals`'))
  }
}
