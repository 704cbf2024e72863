import type { Range } from '../source.ts'

/**
 * The words, heredocs and here strings of a POSIX shell script, as bash passes them to commands, with the place of each
 * character. Nothing is expanded: what an expansion would put in place is a hole. One pass over the script.
 */

/** A part of a word or heredoc: characters as they are written, the character of an escape, or an expansion. */
export interface Piece extends Range {
  readonly kind: 'literal' | 'escape' | 'hole'
  /** The characters of an escape; otherwise absent. */
  readonly value?: string
  readonly quoting: Quoting
}

/** How a piece is quoted: `raw` is a heredoc without expansions, `heredoc` one with them. */
export type Quoting = 'bare' | 'single' | 'double' | 'raw' | 'heredoc'

/** One string that a command is given. */
export interface ShellString extends Range {
  readonly kind: 'word' | 'heredoc' | 'here-string'
  readonly pieces: readonly Piece[]
}

/** A command without its operators, such as one side of a pipe. */
export interface Command extends Range {
  readonly strings: readonly ShellString[]
}

/** Commands that are joined by pipes. */
export interface Pipeline extends Range {
  readonly commands: readonly Command[]
  /** The pipeline that it is written in, as in `-d "$(cat file)"`. */
  readonly outer?: Pipeline
}

export interface ShellScript {
  /** In the order in which they begin. */
  readonly pipelines: readonly Pipeline[]
  readonly comments: readonly Range[]
  /** It has more commands than are read: those after the last one are missing. */
  readonly isCut: boolean
}

/** The most pipelines that are read of a script. */
export const mostPipelines = 200_000
/** Deeper command substitutions end the reading: what is nested without end must not take time or memory without end. */
const deepest = 40

/** Read a script. `hasExpressions`: another program replaces `${{ … }}` and `$[[ … ]]` before the shell reads it, within quotes as well. */
export function readShell(script: string, hasExpressions = false): ShellScript {
  const reader = new ShellReader(script, hasExpressions)
  reader.list(undefined, 0)
  const isCut = reader.pipelines.length >= mostPipelines
  return { pipelines: reader.pipelines.sort((a, b) => a.start - b.start), comments: reader.comments, isCut }
}

interface OpenCommand extends Command {
  start: number
  end: number
  readonly strings: ShellString[]
}

interface OpenPipeline extends Pipeline {
  start: number
  end: number
  readonly commands: OpenCommand[]
}

interface Pending {
  readonly delimiter: string
  readonly isQuoted: boolean
  readonly stripsTabs: boolean
  readonly command: OpenCommand
  readonly pipeline: OpenPipeline
}

const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

class ShellReader {
  readonly pipelines: OpenPipeline[]
  readonly comments: Range[] = []
  private at: number
  private readonly plain = /[^\s;&|<>()\\'"$`]+/y
  private readonly inDouble = /[^\\"$`]+/y
  private readonly inAnsi = /[^\\']+/y
  /** To the end of a line, since lines are read one after the other. */
  private readonly inHeredoc = /[^\\$`\n]+\n?|\n/y
  private readonly variable = /\$(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-])/y
  private readonly numberEscape = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3}))/y
  private readonly text: string
  private readonly hasExpressions: boolean
  /** Before here no parentheses are those of an arithmetic expression. */
  private withoutArithmetic = 0

  constructor(text: string, hasExpressions: boolean, start = text.startsWith('\ufeff') ? 1 : 0, pipelines: OpenPipeline[] = []) {
    this.text = text
    this.hasExpressions = hasExpressions
    this.at = start
    this.pipelines = pipelines
  }

  /** Reads commands up to the `)` that closes a substitution, or to the end. */
  list(outer: OpenPipeline | undefined, depth: number): void {
    const { text } = this
    if (depth > deepest || this.pipelines.length >= mostPipelines) {
      this.at = text.length
      return
    }
    let pipeline: OpenPipeline | undefined
    let command: OpenCommand | undefined
    let pending: Pending[] = []
    let parentheses = 0
    let cases = 0
    let isPiped = false
    const openPipeline = (): OpenPipeline => {
      if (!pipeline) {
        pipeline = { start: this.at, end: this.at, commands: [], ...(outer && { outer }) }
        this.pipelines.push(pipeline)
      }
      return pipeline
    }
    const openCommand = (): OpenCommand => {
      const { commands } = openPipeline()
      if (!command) {
        command = { start: this.at, end: this.at, strings: [] }
        commands.push(command)
      }
      return command
    }
    const add = (kind: ShellString['kind']) => {
      const inCommand = openCommand()
      const inPipeline = openPipeline()
      isPiped = false
      const string = this.word(kind, inPipeline, depth)
      inCommand.strings.push(string)
      inCommand.end = this.at
      inPipeline.end = this.at
      return { string, isFirst: inCommand.strings.length === 1 }
    }
    while (this.at < text.length && (pipeline || this.pipelines.length < mostPipelines)) {
      const c = text[this.at] as string
      if (c === '\n') {
        this.at++
        for (const each of pending) this.heredoc(each, depth)
        pending = []
        command = undefined
        // A pipe at the end of a line continues on the next one.
        if (!isPiped) pipeline = undefined
      } else if (c === ' ' || c === '\t' || c === '\r') this.at++
      else if (c === '\\' && this.isLineBreak(this.at + 1)) this.skipContinuation()
      else if (c === '#') {
        const start = this.at
        this.at = this.lineEnd(start)
        this.comments.push({ start, end: this.at })
      } else if (c === ';' || c === '&') {
        // `&>` and `>&` are redirections.
        this.at++
        if (c === '&' && text[this.at] === '>') continue
        command = pipeline = undefined
      } else if (c === '|') {
        this.at++
        command = undefined
        if (text[this.at] === '|') {
          this.at++
          pipeline = undefined
        } else {
          if (text[this.at] === '&') this.at++
          isPiped = true
        }
      } else if (c === '(') {
        if (!command && text[this.at + 1] === '(' && this.skipArithmetic(this.at)) continue
        parentheses++
        this.at++
        command = pipeline = undefined
      } else if (c === ')') {
        this.at++
        command = pipeline = undefined
        if (parentheses > 0) parentheses--
        else if (depth > 0 && cases === 0) return
      } else if (c === '<' || c === '>') {
        if (text[this.at + 1] === '(') {
          const within = openPipeline()
          openCommand()
          this.at += 2
          this.list(within, depth + 1)
        } else if (text.startsWith('<<<', this.at)) {
          this.at += 3
          this.skipBlanks()
          if (!this.isWordEnd()) add('here-string')
        } else if (text.startsWith('<<', this.at)) {
          this.at += 2
          const stripsTabs = text[this.at] === '-'
          if (stripsTabs) this.at++
          this.skipBlanks()
          const delimiter = this.delimiter()
          if (delimiter) pending.push({ ...delimiter, stripsTabs, command: openCommand(), pipeline: openPipeline() })
        } else {
          this.at++
          while (text[this.at] === '>' || text[this.at] === '&' || text[this.at] === '|') this.at++
        }
      } else {
        const { string, isFirst } = add('word')
        if (isFirst && string.end - string.start === 4) {
          const word = text.slice(string.start, string.end)
          if (word === 'case') cases++
          else if (word === 'esac' && cases > 0) cases--
        }
      }
    }
    for (const each of pending) this.heredoc(each, depth)
  }

  /** A word, up to a blank or an operator. */
  private word(kind: ShellString['kind'], pipeline: OpenPipeline, depth: number): ShellString {
    const { text } = this
    const start = this.at
    const pieces: Piece[] = []
    while (!this.isWordEnd()) {
      const c = text[this.at]
      if (c === "'") this.single(pieces)
      else if (c === '"') this.double(pieces, pipeline, depth)
      else if (c === '\\') {
        if (this.isLineBreak(this.at + 1)) this.skipContinuation()
        else this.escape(pieces, 'bare')
      } else if (c === '$' && text[this.at + 1] === "'") this.ansi(pieces)
      else if (c === '$' && text[this.at + 1] === '"') {
        this.at++
        this.double(pieces, pipeline, depth)
      } else if (c === '$' || c === '`') this.expansion(pieces, 'bare', pipeline, depth)
      else this.run(this.plain, pieces, 'bare')
    }
    return { kind, pieces, start, end: this.at }
  }

  private run(expression: RegExp, pieces: Piece[], quoting: Quoting): void {
    expression.lastIndex = this.at
    const end = expression.test(this.text) ? expression.lastIndex : this.at + 1
    pieces.push({ kind: 'literal', start: this.at, end, quoting })
    this.at = end
  }

  private single(pieces: Piece[]): void {
    const closing = this.text.indexOf("'", this.at + 1)
    const end = closing < 0 ? this.text.length : closing
    literalPieces(this.text, this.at + 1, end, 'single', this.hasExpressions, pieces)
    this.at = Math.min(end + 1, this.text.length)
  }

  private double(pieces: Piece[], pipeline: OpenPipeline, depth: number): void {
    const { text } = this
    this.at++
    // An empty string in quotes is a word as well.
    pieces.push({ kind: 'literal', start: this.at, end: this.at, quoting: 'double' })
    while (this.at < text.length && text[this.at] !== '"') {
      const c = text[this.at]
      if (c === '\\') this.escapeAmong('"$`\\', pieces, 'double')
      else if (c === '$' || c === '`') this.expansion(pieces, 'double', pipeline, depth)
      else this.run(this.inDouble, pieces, 'double')
    }
    this.at = Math.min(this.at + 1, text.length)
  }

  /** A backslash, which is only an escape before some characters. */
  private escapeAmong(escaped: string, pieces: Piece[], quoting: Quoting): void {
    if (this.isLineBreak(this.at + 1)) this.skipContinuation()
    else if (this.at + 1 < this.text.length && escaped.includes(this.text[this.at + 1] as string)) this.escape(pieces, quoting)
    else {
      pieces.push({ kind: 'literal', start: this.at, end: this.at + 1, quoting })
      this.at++
    }
  }

  private escape(pieces: Piece[], quoting: Quoting): void {
    const value = this.text[this.at + 1] ?? ''
    const start = this.at
    this.at = Math.min(start + 2, this.text.length)
    pieces.push({ kind: 'escape', value, start, end: this.at, quoting })
  }

  /** `$'…'`, with the escapes of C. */
  private ansi(pieces: Piece[]): void {
    const { text } = this
    this.at += 2
    while (this.at < text.length && text[this.at] !== "'") {
      const start = this.at
      if (text[start] !== '\\') {
        this.run(this.inAnsi, pieces, 'double')
        continue
      }
      this.numberEscape.lastIndex = start
      const number = this.numberEscape.exec(text)
      const next = text[start + 1] ?? ''
      let value: string
      if (number) {
        const [all, hex, short, long, octal] = number
        const code = octal === undefined ? Number.parseInt(hex ?? short ?? long ?? '', 16) : Number.parseInt(octal, 8)
        value = code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
        this.at += all.length
      } else {
        value = simpleEscapes[next] ?? ('\\\'"?'.includes(next) ? next : `\\${next}`)
        this.at += 2
      }
      pieces.push({ kind: 'escape', value, start, end: Math.min(this.at, text.length), quoting: 'double' })
    }
    this.at = Math.min(this.at + 1, text.length)
  }

  /** Reads an expansion, which begins with `$` or a backtick. */
  private expansion(pieces: Piece[], quoting: Quoting, pipeline: OpenPipeline, depth: number): void {
    const { text } = this
    const start = this.at
    const end = this.hasExpressions ? expressionEnd(text, start) : undefined
    if (end !== undefined) this.at = end
    else if (text[start] === '`') this.backticks()
    else if (text[start + 1] === '(') {
      if (text[start + 2] !== '(' || !this.skipArithmetic(start + 1)) {
        this.at += 2
        this.list(pipeline, depth + 1)
      }
    } else if (text[start + 1] === '{') this.parameter(pipeline, depth)
    else {
      this.variable.lastIndex = start
      if (!this.variable.test(text)) {
        this.at++
        pieces.push({ kind: 'literal', start, end: this.at, quoting })
        return
      }
      this.at = this.variable.lastIndex
    }
    pieces.push({ kind: 'hole', start, end: this.at, quoting })
  }

  private backticks(): void {
    const { text } = this
    this.at++
    while (this.at < text.length && text[this.at] !== '`') this.at += text[this.at] === '\\' ? 2 : 1
    this.at = Math.min(this.at + 1, text.length)
  }

  /** `${…}`, with what is nested in it. */
  private parameter(pipeline: OpenPipeline, depth: number): void {
    const { text } = this
    const ignored: Piece[] = []
    this.at += 2
    if (depth > deepest) this.at = text.length
    while (this.at < text.length && text[this.at] !== '}') {
      const c = text[this.at]
      if (c === '\\') this.at += 2
      else if (c === '"') this.double(ignored, pipeline, depth + 1)
      else if (c === '$' || c === '`') this.expansion(ignored, 'bare', pipeline, depth + 1)
      else this.at++
    }
    this.at = Math.min(this.at + 1, text.length)
  }

  /** Skips `((…))` where its parentheses are balanced. */
  private skipArithmetic(start: number): boolean {
    const { text } = this
    if (start < this.withoutArithmetic) return false
    let open = 0
    let offset = start
    for (; offset < text.length && offset < start + longestExpression; offset++) {
      if (text[offset] === '(') open++
      else if (text[offset] === ')' && --open === 0) {
        if (text[offset - 1] !== ')') break
        this.at = offset + 1
        return true
      }
    }
    this.withoutArithmetic = offset
    return false
  }

  /** The word that ends a heredoc, without its quotes. */
  private delimiter(): Pick<Pending, 'delimiter' | 'isQuoted'> | undefined {
    const { text } = this
    const start = this.at
    let delimiter = ''
    let isQuoted = false
    while (!this.isWordEnd()) {
      const c = text[this.at] as string
      if (c === "'" || c === '"') {
        const end = text.indexOf(c, this.at + 1)
        if (end < 0) break
        delimiter += text.slice(this.at + 1, end)
        isQuoted = true
        this.at = end + 1
      } else {
        if (c === '\\') {
          isQuoted = true
          this.at++
        }
        delimiter += text[this.at] ?? ''
        this.at++
      }
    }
    return this.at === start ? undefined : { delimiter, isQuoted }
  }

  /** The lines of a heredoc, from the start of a line. */
  private heredoc({ delimiter, isQuoted, stripsTabs, command, pipeline }: Pending, depth: number): void {
    const { text } = this
    const start = this.at
    const pieces: Piece[] = []
    const lines: Range[] = []
    let next = start
    while (next < text.length) {
      let from = next
      if (stripsTabs) while (text[from] === '\t') from++
      const end = this.lineEnd(from)
      const after = Math.min(end + (text.startsWith('\r\n', end) ? 2 : 1), text.length)
      next = after
      if (text.slice(from, end) === delimiter) break
      lines.push({ start: from, end: after })
    }
    const last = lines.at(-1)?.end ?? start
    if (isQuoted) for (const line of lines) literalPieces(text, line.start, line.end, 'raw', this.hasExpressions, pieces)
    else new ShellReader(text.slice(0, last), this.hasExpressions, start, this.pipelines).expanded(lines, pieces, pipeline, depth)
    const string: ShellString = { kind: 'heredoc', pieces, start, end: last }
    command.strings.push(string)
    command.end = Math.max(command.end, last)
    pipeline.end = Math.max(pipeline.end, last)
    this.at = next
  }

  /** The lines of a heredoc with expansions, which may take several of them. */
  private expanded(lines: readonly Range[], pieces: Piece[], pipeline: OpenPipeline, depth: number): void {
    for (const { start, end } of lines) {
      this.at = Math.max(this.at, start)
      while (this.at < end) {
        const c = this.text[this.at]
        if (c === '\\') this.escapeAmong('$`\\', pieces, 'heredoc')
        else if (c === '$' || c === '`') this.expansion(pieces, 'heredoc', pipeline, depth)
        else {
          this.inHeredoc.lastIndex = this.at
          this.inHeredoc.test(this.text)
          const to = Math.min(this.inHeredoc.lastIndex, end)
          pieces.push({ kind: 'literal', start: this.at, end: to, quoting: 'heredoc' })
          this.at = to
        }
      }
    }
  }

  private isWordEnd(): boolean {
    const c = this.text[this.at]
    return c === undefined || ' \t\r\n;&|<>()'.includes(c)
  }

  private isLineBreak(at: number): boolean {
    return this.text[at] === '\n' || this.text.startsWith('\r\n', at)
  }

  private skipContinuation(): void {
    this.at += this.text[this.at + 1] === '\r' ? 3 : 2
  }

  private skipBlanks(): void {
    for (;;) {
      const c = this.text[this.at]
      if (c === ' ' || c === '\t') this.at++
      else if (c === '\\' && this.isLineBreak(this.at + 1)) this.skipContinuation()
      else return
    }
  }

  private lineEnd(at: number): number {
    const end = this.text.indexOf('\n', at)
    if (end < 0) return this.text.length
    return end > at && this.text[end - 1] === '\r' ? end - 1 : end
  }
}

/** Adds characters that the shell takes as they are. `hasExpressions`: but for what another program replaces before. */
export function literalPieces(text: string, start: number, end: number, quoting: Quoting, hasExpressions: boolean, pieces: Piece[]): void {
  let from = start
  for (let offset = hasExpressions ? text.indexOf('$', from) : -1; offset >= 0 && offset < end; offset = text.indexOf('$', offset + 1)) {
    const close = expressionEnd(text, offset)
    if (close === undefined || close > end) continue
    pieces.push({ kind: 'literal', start: from, end: offset, quoting }, { kind: 'hole', start: offset, end: close, quoting })
    from = close
    offset = close - 1
  }
  pieces.push({ kind: 'literal', start: from, end, quoting })
}

/** The end of an expression that is replaced before the shell reads the script; undefined where none begins. */
function expressionEnd(text: string, offset: number): number | undefined {
  const close = text.startsWith('${{', offset) ? '}}' : text.startsWith('$[[', offset) ? ']]' : undefined
  if (close === undefined) return undefined
  const end = text.slice(offset, offset + longestExpression).indexOf(close)
  return end < 0 ? undefined : offset + end + 2
}

/** How many characters an arithmetic expression, or one of a pipeline, may have. */
const longestExpression = 4000
