import type { Diagnostic } from '../diagnostic.ts'
import { visible } from '../names.ts'
import { brief, syntaxError } from '../parser/reading.ts'
import type { Source } from '../source.ts'
import type { Token } from './tokens.ts'

/**
 * The first place where words do not follow one another as HCL has it, in words of what was expected there; undefined where
 * they do. Linear in the words; brackets are within their limit, so that calling oneself for what is in them is safe.
 *
 * A grammar made for editors mends what is wrong and goes on: it takes line breaks for blanks, says nothing of what it
 * expected, and takes long over what is very wrong. So it is asked only for what is well-formed.
 */
export function firstFault(source: Source, tokens: readonly Token[]): Diagnostic | undefined {
  const read = checked(source, tokens)
  return 'code' in read ? read : undefined
}

/** What is told of words that follow one another as they should. */
export interface Checked {
  /** Line breaks that end an entry of an object, where what stands behind them could go on with it. */
  readonly ends: readonly Token[]
}

/** As `firstFault`, with what is known of the words where there is none. */
export function checked(source: Source, tokens: readonly Token[]): Checked | Diagnostic {
  const { text } = source
  let at = 0
  /** In parentheses, lists, templates and `for`, a line break is a blank. */
  let isLoose = false
  let found: Diagnostic | undefined
  const ends: Token[] = []

  body(undefined)
  return found ?? { ends }

  function peek(ahead = 0): Token {
    let i = at
    for (;;) {
      while (isLoose && (tokens[i] as Token).kind === 'newline') i++
      if (ahead-- <= 0 || (tokens[i] as Token).kind === 'end') return tokens[i] as Token
      i++
    }
  }

  function next(): Token {
    const token = peek()
    while (tokens[at] !== token) at++
    if (token.kind !== 'end') at++
    return token
  }

  function written({ start, end }: Token): string {
    return text.slice(start, end)
  }

  function is(sign: string, token = peek()): boolean {
    return token.kind === 'sign' && written(token) === sign
  }

  function isWord(word: string, token = peek()): boolean {
    return token.kind === 'word' && written(token) === word
  }

  function take(sign: string): boolean {
    if (!is(sign)) return false
    next()
    return true
  }

  /** Always false, for the sake of those who return it: what is read is wrong. */
  function wrong(expected: string, help?: string, token = peek()): boolean {
    const what =
      token.kind === 'end'
        ? 'the end of the file'
        : token.kind === 'newline'
          ? 'the end of the line'
          : token.kind === 'quote' || token.kind === 'heredoc'
            ? 'a text'
            : `\`${visible(brief(written(token)))}\``
    const end = token.kind === 'newline' ? token.start : token.end
    found ??= syntaxError(source, token.start, end, `expected ${expected}, found ${what}`, help)
    return false
  }

  function skipLines(): void {
    while ((tokens[at] as Token).kind === 'newline') at++
  }

  function body(opener: Token | undefined): boolean {
    for (let count = 0; ; count++) {
      if (opener && count > 0 && is('}')) return true
      if (count > 0 && peek().kind !== 'newline') return wrong('a line break', 'each attribute and each block stands on a line of its own')
      skipLines()
      if (opener ? is('}') : peek().kind === 'end') return true
      if (peek().kind !== 'word') return wrong('the name of an attribute or a block')
      if (!item()) return false
    }
  }

  function item(): boolean {
    const name = next()
    if (take('=')) return expression(`a value for \`${visible(brief(written(name)))}\``)
    while (peek().kind === 'word' || peek().kind === 'quote') {
      if (next().kind !== 'quote') continue
      if (peek().kind === 'text') next()
      if (peek().kind === 'hole') return wrong('the plain name of a block', 'a label holds no template')
      next()
    }
    if (!is('{')) {
      const isPair = is(':')
      return wrong(
        `\`=\` or \`{\` after \`${visible(brief(written(name)))}\``,
        isPair ? 'an attribute is written `name = value`' : undefined,
      )
    }
    const opener = next()
    if (!body(opener)) return false
    next()
    return true
  }

  function expression(expected: string): boolean {
    for (;;) {
      if (!operand(expected)) return false
      while (isBinary()) {
        const operator = written(next())
        if (!operand(`a value after \`${operator}\``)) return false
      }
      if (!take('?')) return true
      if (!expression('a value after `?`')) return false
      if (!take(':')) return wrong('`:` and the other value of the condition')
      expected = 'a value after `:`'
    }
  }

  function isBinary(): boolean {
    const token = peek()
    return token.kind === 'sign' && binary.has(written(token))
  }

  function operand(expected: string): boolean {
    while (is('-') || is('!')) expected = `a value after \`${written(next())}\``
    if (!term(expected)) return false
    for (;;) {
      if (take('.')) {
        if (take('*')) continue
        const { kind } = peek()
        if (kind !== 'word' && kind !== 'number') return wrong('a name after `.`')
        next()
      } else if (is('[')) {
        const before = isLoose
        isLoose = true
        next()
        if (take('*')) {
          if (!is(']')) return wrong('`]`')
        } else {
          if (!expression('an index')) return false
          if (!is(']')) return wrong('`]` after the index')
        }
        next()
        isLoose = before
      } else return true
    }
  }

  function term(expected: string): boolean {
    const token = peek()
    switch (token.kind) {
      case 'number':
        next()
        return true
      case 'word':
        next()
        while (take('::')) {
          if (peek().kind !== 'word') return wrong('the name of a function after `::`')
          next()
        }
        return is('(') ? call() : true
      case 'quote':
      case 'heredoc':
        next()
        return template(token.kind === 'quote' ? 'unquote' : 'heredoc-end')
      case 'sign':
        if (is('(')) return within(')', () => expression('a value'))
        if (is('[')) return list()
        if (is('{')) return object()
        return wrong(expected)
      default:
        return wrong(expected, token.kind === 'newline' ? 'a value begins on the line of its name' : undefined)
    }
  }

  /** What stands in brackets in which line breaks are blanks. */
  function within(closer: string, inner: () => boolean): boolean {
    const before = isLoose
    isLoose = true
    next()
    if (!inner()) return false
    if (!is(closer)) return wrong(`\`${closer}\``)
    next()
    isLoose = before
    return true
  }

  function call(): boolean {
    return within(')', () => {
      while (!is(')')) {
        if (!expression('a value or `)`')) return false
        if (take('...')) return is(')') || wrong('`)` after `...`')
        if (!take(',')) return is(')') || wrong('`,` or `)`')
      }
      return true
    })
  }

  function list(): boolean {
    return within(']', () => {
      if (isWord('for') && peek(1).kind === 'word') return forExpression(']')
      while (!is(']')) {
        if (!expression('a value or `]`')) return false
        if (!take(',')) return is(']') || wrong('`,` or `]`', 'put a comma between two values')
      }
      return true
    })
  }

  function forExpression(closer: string): boolean {
    next()
    if (!names()) return false
    if (!expression('what the `for` goes through')) return false
    if (!take(':')) return wrong('`:` and what the `for` gives')
    if (!expression('what the `for` gives')) return false
    if (closer === '}') {
      if (!take('=>')) return wrong('`=>` and the value under that key')
      if (!expression('a value after `=>`')) return false
      take('...')
    }
    if (isWord('if')) {
      next()
      if (!expression('a condition')) return false
    }
    return true
  }

  /** `for a in`, `for a, b in`. */
  function names(): boolean {
    if (peek().kind !== 'word') return wrong('a name after `for`')
    next()
    if (take(',')) {
      if (peek().kind !== 'word') return wrong('a second name after `,`')
      next()
    }
    if (!isWord('in')) return wrong('`in`')
    next()
    return true
  }

  function object(): boolean {
    const before = isLoose
    next()
    isLoose = true
    if (isWord('for')) {
      if (!forExpression('}')) return false
      if (!is('}')) return wrong('`}`')
      next()
      isLoose = before
      return true
    }
    isLoose = false
    for (;;) {
      skipLines()
      if (is('}')) break
      if (!expression('a key or `}`')) return false
      if (!take('=') && !take(':')) return wrong('`=` or `:` after the key')
      if (!expression('a value')) return false
      if (take(',')) continue
      const end = peek()
      if (end.kind !== 'newline' && !is('}')) return wrong('`,`, a line break or `}`')
      skipLines()
      if (is('(') || is('-')) ends.push(end)
    }
    next()
    isLoose = before
    return true
  }

  function template(closer: 'unquote' | 'heredoc-end'): boolean {
    const open: string[] = []
    const before = isLoose
    for (;;) {
      // Texts hold no line breaks of their own.
      isLoose = false
      const token = next()
      if (token.kind === closer) {
        isLoose = before
        const last = open.at(-1)
        return last === undefined || wrong(`\`%{ end${last} }\``, undefined, token)
      }
      if (token.kind !== 'hole') continue
      isLoose = true
      if (written(token).startsWith('%') ? !directive(open) : !expression('a value')) return false
      take('~')
      if (peek().kind !== 'unhole') return wrong('`}`')
      next()
    }
  }

  function directive(open: string[]): boolean {
    const word = peek()
    const name = word.kind === 'word' ? written(word) : ''
    if (!['if', 'else', 'endif', 'for', 'endfor'].includes(name)) return wrong('`if`, `else`, `endif`, `for` or `endfor`')
    next()
    if (name === 'if' || name === 'for') {
      open.push(name)
      return name === 'if' ? expression('a condition') : names() && expression('what the `for` goes through')
    }
    const expected = name === 'endfor' ? 'for' : 'if'
    if (open.at(-1) !== expected) return wrong(`what \`${name}\` belongs to`, `\`%{ ${name} }\` goes with \`%{ ${expected} … }\``, word)
    if (name !== 'else') open.pop()
    return true
  }
}

const binary: ReadonlySet<string> = new Set(['*', '/', '%', '+', '-', '>', '>=', '<', '<=', '==', '!=', '&&', '||'])
