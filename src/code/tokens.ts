import type { Range } from '../source.ts'
import { type CodeLanguage, codeLimits, type LanguageFacts, languageFacts } from './languages.ts'

/**
 * The tokens of a program: enough to find calls and what they are given. Comments are left out, strings are cut into what is written
 * and what is put in. No text is refused: what no language has is skipped.
 */

export type TokenKind = 'name' | 'text' | 'number' | 'sign' | 'line'

export interface Token extends Range {
  readonly kind: TokenKind
  /** The name, the sign, or for a number its text; '' for others. */
  readonly value: string
  /** Of a string: what is written, and the tokens of what is put in. */
  readonly parts?: readonly (string | readonly Token[])[]
  /** Of the end of a line: how far the next one is indented. */
  readonly indent?: number
}

/** The tokens of a program in a language that has blocks, functions and calls. */
export function tokensOf(text: string, language: Exclude<CodeLanguage, 'shell'>, path = ''): readonly Token[] {
  const hasMarkup = language === 'JavaScript' || (language === 'TypeScript' && /\.tsx$/i.test(path))
  return new Lexer(text, language, languageFacts[language], hasMarkup).all()
}

const signs =
  /===|!==|\*\*=|\?\?=|\|\|=|&&=|\.\.\.|\?->|=>|->|\?\.(?!\d)|::|:=|\+=|-=|\*=|\/=|\.=|%=|\|=|&=|\^=|\?\?|\|\||&&|==|!=|<=|>=|\+\+|--|\*\*|\/\/|./sy
const scriptName = /[#@]?[\p{L}_$][\p{L}\p{N}_$]*/uy
const plainName = /[\p{L}_][\p{L}\p{N}_]*/uy
const phpName = /\$?\\?[\p{L}_][\p{L}\p{N}_]*(?:\\[\p{L}_][\p{L}\p{N}_]*)*/uy
const number = /(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?)n?/y
const blanks = /[ \t\r\f\v\u00a0\ufeff]+/y
/** After these names a value begins, so that `/` begins a regular expression and `<` an element. */
const beforeValue: ReadonlySet<string> = new Set(
  'return typeof case in of do else void delete instanceof new throw await yield default extends export'.split(' '),
)
const pythonString = /(?:[rbuft]|rb|br|fr|rf|tr|rt)?(?:'''|"""|'|")/iy
const simpleEscapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', '0': '\0', '\n': '' }

/** A longer regular expression is read as signs. */
const longestExpression = 1000

class Lexer {
  private at = 0
  private readonly text: string
  private readonly end: number
  private readonly language: Exclude<CodeLanguage, 'shell'>
  private readonly facts: LanguageFacts
  private readonly hasMarkup: boolean
  private readonly depth: number

  constructor(
    text: string,
    language: Exclude<CodeLanguage, 'shell'>,
    facts: LanguageFacts,
    hasMarkup: boolean,
    from = 0,
    to = text.length,
    depth = 0,
  ) {
    this.text = text
    this.language = language
    this.facts = facts
    this.hasMarkup = hasMarkup
    this.at = from
    this.end = to
    this.depth = depth
  }

  all(): readonly Token[] {
    const tokens: Token[] = []
    if (this.text.startsWith('#!')) this.at = this.lineEnd()
    if (this.language === 'PHP') this.outside(tokens)
    this.until(tokens, '')
    return tokens
  }

  /** Read tokens up to a closing bracket that opens none here, which is not read; '': to the end. */
  private until(tokens: Token[], closer: string): void {
    let open = 0
    while (this.at < this.end) {
      const start = this.at
      const c = this.text[start] as string
      if (closer !== '' && open === 0 && c === closer) return
      if (c === '(' || c === '[' || c === '{') open++
      else if ((c === ')' || c === ']' || c === '}') && open > 0) open--
      this.token(tokens, c, open)
      if (this.at === start) this.at++
    }
  }

  private token(tokens: Token[], c: string, open: number): void {
    const { text, facts, language } = this
    if (c === '\n') {
      this.line(tokens, open)
      return
    }
    if (this.skips(blanks)) return
    if (c === '\\' && language === 'Python' && /^\r?\n/.test(text.slice(this.at + 1, this.at + 3))) {
      this.at = text.indexOf('\n', this.at) + 1
      return
    }
    if (language === 'PHP' && text.startsWith('?>', this.at)) {
      this.sign(tokens, ';', 2)
      this.outside(tokens)
      return
    }
    if (this.skips(facts.lineComment)) return
    if (facts.hasBlockComments && text.startsWith('/*', this.at)) {
      const close = text.indexOf('*/', this.at + 2)
      this.at = close < 0 ? this.end : Math.min(close + 2, this.end)
      return
    }
    if (language === 'Python' ? this.python(tokens) : this.string(tokens, c)) return
    if (c >= '0' && c <= '9' && this.takes(number, 'number', tokens)) return
    if (this.takes(language === 'PHP' ? phpName : language === 'Python' || language === 'Go' ? plainName : scriptName, 'name', tokens))
      return
    if (facts === languageFacts.JavaScript) {
      if (c === '/' && isValueNext(tokens) && this.expression()) return
      if (c === '<' && this.hasMarkup && isValueNext(tokens) && this.element(tokens)) return
    }
    this.takes(signs, 'sign', tokens)
  }

  private line(tokens: Token[], open: number): void {
    const start = this.at
    this.at++
    if (!this.facts.hasLines || (this.facts.isIndented && open > 0)) return
    this.skips(/[ \t\f]+/y)
    const blank = /^[\r\n#]/.test(this.text.slice(this.at, this.at + 1)) || this.at >= this.end
    if (this.facts.isIndented && blank) return
    const indent = this.text.slice(start + 1, this.at).replaceAll('\t', '        ').length
    tokens.push({ kind: 'line', value: '', start, end: this.at, indent })
  }

  /** Whether a pattern fits here: it is passed then. */
  private skips(pattern: RegExp): boolean {
    pattern.lastIndex = this.at
    if (!pattern.test(this.text) || pattern.lastIndex === this.at) return false
    this.at = Math.min(pattern.lastIndex, this.end)
    return true
  }

  private takes(pattern: RegExp, kind: TokenKind, tokens: Token[]): boolean {
    const start = this.at
    if (!this.skips(pattern)) return false
    tokens.push({ kind, value: this.text.slice(start, this.at), start, end: this.at })
    return true
  }

  private sign(tokens: Token[], value: string, length: number): void {
    tokens.push({ kind: 'sign', value, start: this.at, end: this.at + length })
    this.at += length
  }

  private lineEnd(): number {
    const end = this.text.indexOf('\n', this.at)
    return end < 0 ? this.end : Math.min(end, this.end)
  }

  /** The text of PHP outside of its tags is no program. */
  private outside(tokens: Token[]): void {
    const open = /<\?(?:php\b|=)/gi
    open.lastIndex = this.at
    const match = open.exec(this.text)
    this.at = match ? open.lastIndex : this.end
    if (match) tokens.push({ kind: 'sign', value: ';', start: match.index, end: this.at })
  }

  // Strings.

  private string(tokens: Token[], c: string): boolean {
    const { language } = this
    const start = this.at
    if (language === 'PHP' && c === '<' && this.text.startsWith('<<<', start)) return this.heredoc(tokens)
    if (c !== '"' && c !== "'" && c !== '`') return false
    if (language === 'Go' && c === '`') {
      const close = this.text.indexOf('`', start + 1)
      this.at = close < 0 ? this.end : close + 1
      tokens.push({ kind: 'text', value: '', start, end: this.at, parts: [this.text.slice(start + 1, close < 0 ? this.end : close)] })
      return true
    }
    this.at++
    const isTemplate = c === '`' && language !== 'PHP'
    const isPut = isTemplate || (language === 'PHP' && c !== "'")
    const spansLines = isTemplate || language === 'PHP'
    const parts = this.parts(c, { spansLines, isRaw: false, isPut: isPut ? language : undefined })
    if (!parts) {
      // A quote that nothing closes: an apostrophe in what is no program. The rest of the line is looked at, once.
      if (spansLines) this.at = this.end
      else {
        this.at = start
        this.sign(tokens, c, 1)
      }
      return true
    }
    // A rune is a number, and a command of the shell no string.
    const isString = !(language === 'Go' && c === "'") && !(language === 'PHP' && c === '`')
    tokens.push({ kind: isString ? 'text' : 'number', value: '', start, end: this.at, ...(isString && { parts }) })
    return true
  }

  private python(tokens: Token[]): boolean {
    const start = this.at
    if (!this.skips(pythonString)) return false
    const opening = this.text.slice(start, this.at).toLowerCase()
    const prefix = opening.replace(/(?<!['"])['"]+$/, '')
    const quote = opening.slice(prefix.length)
    const parts = this.parts(quote, {
      spansLines: quote.length === 3,
      isRaw: prefix.includes('r'),
      isPut: /[ft]/.test(prefix) ? 'Python' : undefined,
    })
    if (!parts) {
      this.at = start
      this.at = quote.length === 3 ? this.end : this.lineEnd()
      return true
    }
    tokens.push({ kind: 'text', value: '', start, end: this.at, parts: prefix.includes('b') ? [] : parts })
    return true
  }

  /** The parts of a string up to its closing quote; undefined where there is none. */
  private parts(
    quote: string,
    kind: { readonly spansLines: boolean; readonly isRaw: boolean; readonly isPut: CodeLanguage | undefined },
  ): (string | readonly Token[])[] | undefined {
    const { text } = this
    const parts: (string | readonly Token[])[] = []
    let written = ''
    const put = (tokens: readonly Token[]) => {
      parts.push(written, tokens)
      written = ''
    }
    while (this.at < this.end) {
      const c = text[this.at] as string
      if (text.startsWith(quote, this.at)) {
        this.at += quote.length
        return [...parts, written]
      }
      if (c === '\\') {
        if (kind.isRaw || (this.language === 'PHP' && quote === "'")) {
          const next = text[this.at + 1] ?? ''
          written += !kind.isRaw && (next === '\\' || next === "'") ? next : c + next
          this.at += 2
        } else written += this.escape()
      } else if (c === '\n' && !kind.spansLines) return undefined
      else if (kind.isPut !== undefined && this.hole(kind.isPut, kind.spansLines ? this.end : this.lineEnd(), put)) continue
      else if (kind.isPut === 'Python' && (text.startsWith('{{', this.at) || text.startsWith('}}', this.at))) {
        written += c
        this.at += 2
      } else {
        written += c
        this.at++
      }
    }
    return undefined
  }

  private escape(): string {
    const { text } = this
    const wide = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|[uU]\{([\da-fA-F]{1,6})\}|(\r\n))/y
    wide.lastIndex = this.at
    const match = wide.exec(text)
    if (match) {
      this.at = wide.lastIndex
      const code = Number.parseInt(match[1] ?? match[2] ?? match[3] ?? '', 16)
      return Number.isNaN(code) ? '' : code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
    }
    const next = text[this.at + 1] ?? ''
    this.at += 2
    return simpleEscapes[next] ?? next
  }

  /** Read a value that is put into a string here; false where there is none. */
  private hole(language: CodeLanguage, end: number, put: (tokens: readonly Token[]) => void): boolean {
    const { text } = this
    const start = this.at
    if (language === 'PHP') {
      if (text.startsWith('{$', start) || text.startsWith('${', start)) {
        this.at += text[start] === '{' ? 1 : 2
        put(this.within('}', end))
        return true
      }
      const variable = /\$[A-Za-z_]\w*(?:\[[^\]\n]*\]|\??->[A-Za-z_]\w*)?/y
      variable.lastIndex = start
      if (!variable.test(text)) return false
      put(this.sub(start, variable.lastIndex))
      this.at = variable.lastIndex
      return true
    }
    const opening = language === 'Python' ? '{' : '${'
    if (!text.startsWith(opening, start) || (language === 'Python' && text[start + 1] === '{')) return false
    this.at += opening.length
    const tokens = this.within('}', end)
    put(language === 'Python' ? withoutFormat(tokens) : tokens)
    return true
  }

  /** Tokens up to a bracket, which is passed. */
  private within(closer: string, end: number): readonly Token[] {
    const tokens: Token[] = []
    if (this.depth > codeLimits.nested) {
      const close = this.text.indexOf(closer, this.at)
      this.at = close < 0 ? end : Math.min(close + 1, end)
      return tokens
    }
    const inner = new Lexer(this.text, this.language, this.facts, this.hasMarkup, this.at, end, this.depth + 1)
    inner.until(tokens, closer)
    this.at = Math.min(inner.at + 1, end)
    return tokens
  }

  private sub(from: number, to: number): readonly Token[] {
    const tokens: Token[] = []
    new Lexer(this.text, this.language, this.facts, this.hasMarkup, from, to, this.depth + 1).until(tokens, '')
    return tokens
  }

  private heredoc(tokens: Token[]): boolean {
    const { text } = this
    const opening = /<<<[ \t]*(?:"([A-Za-z_]\w*)"|'([A-Za-z_]\w*)'|([A-Za-z_]\w*))\r?\n/y
    opening.lastIndex = this.at
    const match = opening.exec(text)
    if (!match) return false
    const start = this.at
    const from = opening.lastIndex
    const word = (match[1] ?? match[2] ?? match[3]) as string
    const closing = /^[ \t]*([A-Za-z_]\w*)/gm
    closing.lastIndex = from
    let close = closing.exec(text)
    while (close && close[1] !== word) close = closing.exec(text)
    const to = close ? close.index : this.end
    const inner = new Lexer(text, this.language, this.facts, false, from, Math.max(from, to - (close ? 1 : 0)), this.depth + 1)
    const parts = match[2] === undefined && this.depth <= codeLimits.nested ? inner.rest() : [text.slice(from, Math.max(from, to - 1))]
    this.at = close ? closing.lastIndex : this.end
    tokens.push({ kind: 'text', value: '', start, end: this.at, parts })
    return true
  }

  /** All of the text here as what is within the quotes of a string. */
  private rest(): (string | readonly Token[])[] {
    const parts: (string | readonly Token[])[] = []
    let written = ''
    while (this.at < this.end) {
      if (this.text[this.at] === '\\') written += this.escape()
      else if (
        !this.hole('PHP', this.end, (tokens) => {
          parts.push(written, tokens)
          written = ''
        })
      )
        written += this.text[this.at++]
    }
    return [...parts, written]
  }

  // Regular expressions and elements of JavaScript.

  /** Pass a regular expression; false where none ends on this line. */
  private expression(): boolean {
    const { text } = this
    let isClass = false
    for (let offset = this.at + 1; offset < this.end && offset < this.at + longestExpression; offset++) {
      const c = text[offset]
      if (c === '\n') return false
      if (c === '\\') offset++
      else if (c === '[') isClass = true
      else if (c === ']') isClass = false
      else if (c === '/' && !isClass) {
        this.at = offset + 1
        this.skips(/[a-z]*/y)
        return true
      }
    }
    return false
  }

  /** Read an element of JSX: its tokens are those of the expressions in it. */
  private element(tokens: Token[]): boolean {
    const tag = /<(?:>|[A-Za-z_$][\w$.:-]*(?=[\s/>]))/y
    tag.lastIndex = this.at
    const opening = tag.exec(this.text)
    // `<T,>(…)` and `<T extends U>(…)` are parameters of types.
    if (!opening || /^<\w+\s*(?:,|extends\b)/.test(this.text.slice(this.at, this.at + 80)) || this.depth > codeLimits.nested) return false
    const start = this.at
    let open = 0
    while (this.at < this.end) {
      const { text } = this
      if (text.startsWith('</', this.at)) {
        const close = text.indexOf('>', this.at)
        this.at = close < 0 ? this.end : close + 1
        if (--open <= 0) break
      } else if (text[this.at] === '<') {
        tag.lastIndex = this.at
        const match = tag.exec(text)
        if (!match) {
          this.at++
          continue
        }
        this.at += match[0].length
        const isClosed = match[0] !== '<>' && this.attributes(tokens)
        if (!isClosed) open++
        if (open === 0) break
      } else if (text[this.at] === '{') this.embedded(tokens)
      else this.at++
    }
    tokens.push({ kind: 'number', value: '', start, end: this.at })
    return true
  }

  /** Read the attributes of a tag; true where it has no content. */
  private attributes(tokens: Token[]): boolean {
    const { text } = this
    while (this.at < this.end) {
      const c = text[this.at]
      if (c === '{') this.embedded(tokens)
      else if (c === '"' || c === "'") {
        const close = text.indexOf(c, this.at + 1)
        this.at = close < 0 ? this.end : close + 1
      } else if (text.startsWith('/>', this.at)) {
        this.at += 2
        return true
      } else if (c === '>') {
        this.at++
        return false
      } else this.at++
    }
    return true
  }

  private embedded(tokens: Token[]): void {
    tokens.push({ kind: 'sign', value: '{', start: this.at, end: this.at + 1 })
    this.at++
    const inner = this.within('}', this.end)
    for (const each of inner) tokens.push(each)
    tokens.push({ kind: 'sign', value: '}', start: Math.max(this.at - 1, 0), end: this.at })
  }
}

/** Whether a value begins after the tokens so far: not where one has just ended. */
function isValueNext(tokens: readonly Token[]): boolean {
  let i = tokens.length - 1
  while (tokens[i]?.kind === 'line') i--
  const last = tokens[i]
  if (!last) return true
  if (last.kind === 'name') return beforeValue.has(last.value)
  return last.kind === 'sign' && last.value !== ')' && last.value !== ']'
}

/** The tokens of what is put into a string of Python, without how it is written. */
function withoutFormat(tokens: readonly Token[]): readonly Token[] {
  let open = 0
  const end = tokens.findIndex(({ kind, value }) => {
    if (kind !== 'sign') return false
    if ('([{'.includes(value)) open++
    else if (')]}'.includes(value)) open--
    return open === 0 && (value === ':' || value === '!' || value === '=')
  })
  return end < 0 ? tokens : tokens.slice(0, end)
}
