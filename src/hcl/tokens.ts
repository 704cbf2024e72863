import type { Diagnostic } from '../diagnostic.ts'
import { visible } from '../names.ts'
import { brief, syntaxError } from '../parser/reading.ts'
import type { Source, Span } from '../source.ts'

/** What is read at most of HCL. Past a limit a file is refused whole (spec: hostile input, T5–T7). */
export const limits = {
  /** UTF-16 units in a file. */
  length: 1024 * 1024,
  /** A line has about fifteen. */
  tokens: 300_000,
  /** Brackets, texts and templates inside one another. */
  depth: 64,
  /** Operators and steps in one line of an expression. */
  chain: 400,
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
  /** What stands as it is in a text. */
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

/** The words of a text, and where its comments stand. */
export interface Tokens {
  readonly tokens: readonly Token[]
  readonly comments: readonly Span[]
}

/** What is wrong with the words of a text. */
export interface Stopped {
  readonly problem: Diagnostic
  /** Where brackets do not fit: the words before. One that is missing may be missed earlier than where another stands in its place. */
  readonly before?: readonly Token[]
}

interface Open {
  readonly kind: '{' | '[' | '(' | '"' | 'heredoc' | 'hole'
  readonly at: number
  /** The word that ends a heredoc. */
  readonly word?: string
}

const closers: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' }
const signs = ['...', '&&', '||', '==', '!=', '<=', '>=', '=>', '::']
const wordStart = /[\p{ID_Start}_]/u
const wordPart = /[\p{ID_Continue}-]/u

/** Words of HCL text; or what is wrong with them. Linear in the text. */
export function scan(source: Source): Tokens | Stopped {
  const tokens: Token[] = []
  const read = scanInto(source, tokens)
  if (!('code' in read)) return read
  // Of a bracket that does not fit the other one is told.
  if (!read.related) return { problem: read }
  const { start } = read.span
  return { problem: read, before: [...tokens, { kind: 'end', start, end: start }] }
}

function scanInto(source: Source, tokens: Token[]): Tokens | Diagnostic {
  const { text } = source
  if (text.length > limits.length)
    return syntaxError(
      source,
      0,
      0,
      `the file is longer than ${limits.length} characters, the most that is read of HCL`,
      'split it into several files',
    )
  const comments: Span[] = []
  const open: Open[] = []
  let chain = 0
  // Set where a heredoc begins: what follows is the start of a line.
  let isAtLineStart = false
  let i = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const fault = (start: number, end: number, message: string, help?: string) => syntaxError(source, start, end, message, help)
  const push = (kind: TokenKind, start: number, end: number) => tokens.push({ kind, start, end })

  while (i < text.length) {
    if (tokens.length > limits.tokens)
      return fault(i, i + 1, `more than ${limits.tokens} words and signs, the most that is read of HCL`, 'split it into several files')
    const top = open.at(-1)
    if (top?.kind === '"' || top?.kind === 'heredoc') {
      const problem = top.kind === '"' ? quoted(top) : heredoc(top)
      if (problem) return problem
      continue
    }
    const c = text[i] as string
    if (c === ' ' || c === '\t') i++
    else if (c === '\n' || (c === '\r' && text[i + 1] === '\n')) {
      const end = i + (c === '\r' ? 2 : 1)
      push('newline', i, end)
      chain = 0
      i = end
    } else if (c === '#' || text.startsWith('//', i)) {
      let end = text.indexOf('\n', i)
      if (end < 0) end = text.length
      if (text[end - 1] === '\r') end--
      comments.push({ source, start: i, end })
      i = end
    } else if (text.startsWith('/*', i)) {
      const end = text.indexOf('*/', i + 2)
      if (end < 0) return fault(i, i + 2, 'the comment that begins here is never closed', 'write `*/` where it ends')
      comments.push({ source, start: i, end: end + 2 })
      i = end + 2
    } else if (c === '"') {
      push('quote', i, i + 1)
      const problem = enter({ kind: '"', at: i })
      if (problem) return problem
      i++
    } else if (c === '<' && text[i + 1] === '<') {
      const problem = beginHeredoc()
      if (problem) return problem
    } else if (c === '{' || c === '[' || c === '(') {
      push('sign', i, i + 1)
      const problem = enter({ kind: c, at: i })
      if (problem) return problem
      i++
    } else if (c === '}' || c === ']' || c === ')') {
      if (c === '}' && top?.kind === 'hole') {
        open.pop()
        push('unhole', i, i + 1)
        i++
        continue
      }
      if (!top)
        return fault(i, i + 1, `\`${c}\` closes nothing: no bracket is open here`, 'remove it, or write the bracket that it is to close')
      const opened = top.kind === 'hole' ? text.slice(top.at, top.at + 2) : top.kind
      const closer = top.kind === 'hole' ? '}' : closers[top.kind]
      if (c !== closer)
        return {
          ...fault(i, i + 1, `\`${c}\` stands where \`${closer}\` is expected, which closes \`${opened}\``, `close \`${opened}\` first`),
          related: [{ message: `\`${opened}\` is opened here`, span: { source, start: top.at, end: top.at + opened.length } }],
        }
      open.pop()
      push('sign', i, i + 1)
      i++
    } else if (c >= '0' && c <= '9') {
      let end = i + 1
      while (isDigit(text[end])) end++
      if (text[end] === '.' && isDigit(text[end + 1])) {
        end += 2
        while (isDigit(text[end])) end++
      }
      if (/^[eE][-+]?\d/.test(text.slice(end, end + 3))) {
        end += 2
        while (isDigit(text[end])) end++
      }
      push('number', i, end)
      i = end
    } else if (isPlainPart(text.charCodeAt(i)) || wordStart.test(character(i))) {
      const end = wordEnd(i)
      push('word', i, end)
      i = end
    } else {
      const sign = signs.find((each) => text.startsWith(each, i)) ?? ('=.,:?+-*/%<>!~'.includes(c) ? c : undefined)
      if (sign === undefined) {
        const strange = character(i)
        const help = '“”„‟'.includes(strange)
          ? 'write `"`: word processors put curly quotes in its place'
          : strange === "'"
            ? 'texts stand in double quotes'
            : c === ';'
              ? 'write each attribute on its own line'
              : undefined
        return fault(i, i + strange.length, `\`${visible(strange)}\` has no meaning here`, help)
      }
      push('sign', i, i + sign.length)
      if (sign === ',' || sign === '=') chain = 0
      else if (++chain > limits.chain)
        return fault(i, i + sign.length, `more than ${limits.chain} operators and steps in one expression`, 'split it with `locals`')
      i += sign.length
    }
  }
  const left = open.at(-1)
  if (left) {
    if (left.kind === 'heredoc')
      return fault(
        left.at,
        left.at + 2,
        `the text that begins here is never closed: no line holds \`${visible(brief(left.word ?? ''))}\` alone`,
        `write \`${visible(brief(left.word ?? ''))}\` on a line of its own where it ends`,
      )
    if (left.kind === '"') return fault(left.at, left.at + 1, 'the text that begins here is never closed', 'write `"` where it ends')
    const opened = left.kind === 'hole' ? text.slice(left.at, left.at + 2) : left.kind
    return fault(
      left.at,
      left.at + opened.length,
      `\`${opened}\` is never closed`,
      `write \`${left.kind === 'hole' ? '}' : (closers[left.kind] ?? '"')}\` where it ends`,
    )
  }
  push('newline', text.length, text.length)
  push('end', text.length, text.length)
  return { tokens, comments }

  function character(at: number): string {
    return String.fromCodePoint(text.codePointAt(at) as number)
  }

  function wordEnd(from: number): number {
    let end = from
    while (end < text.length) {
      if (isPlainPart(text.charCodeAt(end))) end++
      else if (wordPart.test(character(end))) end += character(end).length
      else break
    }
    return end
  }

  function enter(next: Open): Diagnostic | undefined {
    open.push(next)
    return open.length > limits.depth
      ? fault(next.at, next.at + 1, `more than ${limits.depth} brackets and texts inside one another`, 'name the inner parts with `locals`')
      : undefined
  }

  /** `$${` and `%%{` stand for themselves; `${` and `%{` open a hole. True where one of them was met. */
  function sequence(from: number): Diagnostic | boolean {
    const c = text[i]
    if (c !== '$' && c !== '%') return false
    if (text[i + 1] === c && text[i + 2] === '{') {
      i += 3
      return true
    }
    if (text[i + 1] !== '{') return false
    if (i > from) push('text', from, i)
    const end = i + (text[i + 2] === '~' ? 3 : 2)
    push('hole', i, end)
    const problem = enter({ kind: 'hole', at: i })
    i = end
    return problem ?? true
  }

  function quoted({ at }: Open): Diagnostic | undefined {
    const from = i
    while (i < text.length) {
      const c = text[i] as string
      if (c === '"') {
        if (i > from) push('text', from, i)
        push('unquote', i, i + 1)
        open.pop()
        i++
        return undefined
      }
      if (c === '\n' || c === '\r')
        return fault(
          at,
          i,
          'the text that begins here is not closed on its line',
          'write `"` where it ends; for several lines use `<<-EOT`',
        )
      if (c === '\\') {
        const problem = escaped()
        if (problem) return problem
        continue
      }
      const met = sequence(from)
      if (met === false) i++
      else if (met !== true) return met
      else if (tokens.at(-1)?.kind === 'hole' && tokens.at(-1)?.end === i) return undefined
    }
    return fault(at, at + 1, 'the text that begins here is never closed', 'write `"` where it ends')
  }

  function escaped(): Diagnostic | undefined {
    const next = text[i + 1] ?? ''
    const length = next === 'u' ? 6 : next === 'U' ? 10 : 2
    const digits = text.slice(i + 2, i + length)
    const isWhole = digits.length === length - 2 && /^[0-9a-fA-F]*$/.test(digits) && Number.parseInt(digits || '0', 16) <= 0x10ffff
    if (!'nrt"\\uU'.includes(next) || next === '' || !isWhole)
      return fault(
        i,
        i + 2,
        `\`${visible(text.slice(i, i + 2))}\` is no escape`,
        'expected `\\n`, `\\r`, `\\t`, `\\"`, `\\\\`, `\\uNNNN` or `\\UNNNNNNNN`',
      )
    i += length
    return undefined
  }

  function beginHeredoc(): Diagnostic | undefined {
    const start = i
    let at = i + (text[i + 2] === '-' ? 3 : 2)
    const from = at
    at = wordEnd(at)
    const word = text.slice(from, at)
    const lineEnd = text[at] === '\r' ? at + 1 : at
    if (word === '' || text[lineEnd] !== '\n')
      return fault(
        start,
        Math.max(at, start + 2),
        'expected a word and the end of the line after `<<`',
        'write `<<-EOT`, then the lines, then `EOT` on a line of its own',
      )
    push('heredoc', start, at)
    i = lineEnd + 1
    isAtLineStart = true
    return enter({ kind: 'heredoc', at: start, word })
  }

  function heredoc({ word = '' }: Open): Diagnostic | undefined {
    const from = i
    let isStart = isAtLineStart
    isAtLineStart = false
    while (i < text.length) {
      if (isStart) {
        let at = i
        while (text[at] === ' ' || text[at] === '\t') at++
        const end = at + word.length
        const after = text[end]
        if (text.startsWith(word, at) && (after === undefined || after === '\n' || (after === '\r' && text[end + 1] === '\n'))) {
          if (i > from) push('text', from, i)
          push('heredoc-end', at, end)
          open.pop()
          i = end
          return undefined
        }
      }
      isStart = false
      const met = sequence(from)
      if (met === false) {
        if (text[i] === '\n') isStart = true
        i++
      } else if (met !== true) return met
      else if (tokens.at(-1)?.kind === 'hole' && tokens.at(-1)?.end === i) return undefined
    }
    return undefined
  }
}

/** A letter, digit or `_` of ASCII. */
function isPlainPart(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || unit === 95 || (unit >= 48 && unit <= 57)
}

function isDigit(c: string | undefined): boolean {
  return c !== undefined && c >= '0' && c <= '9'
}
