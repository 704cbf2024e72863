import type { Range } from '../source.ts'
import { type CodeLanguage, type LanguageFacts, languageFacts } from './languages.ts'
import { type Token, tokensOf } from './tokens.ts'

/** The structure of a program as far as calls need it: brackets, functions, blocks, and what names are given. */

/** Tokens with the place of the bracket that belongs to each bracket; -1 where there is none. */
export interface TokenList {
  readonly tokens: readonly Token[]
  readonly pair: Int32Array
}

/** A part of a list of tokens; `to` is exclusive. */
export interface Expression {
  readonly list: TokenList
  readonly from: number
  readonly to: number
}

export interface CodeFunction extends Range {
  /** '' where it has none. */
  readonly name: string
  /** '' for one that is taken apart where it is declared. */
  readonly parameters: readonly string[]
  /** It belongs to an object or a class, and is called on one. */
  readonly isMethod: boolean
  /** Its value, for a function that is one expression. */
  readonly value?: Expression
}

export interface CodeBlock extends Range {
  readonly isLoop: boolean
  readonly isClass: boolean
}

/** A place at which a name is given a value. */
export interface Binding {
  readonly name: string
  readonly at: number
  /** Undefined where it is not known: the variable of a loop, a part of a value. */
  readonly value: Expression | undefined
  /** The value is put after the one before. */
  readonly isAdded: boolean
  /** It is not under a separate condition within its block. */
  readonly isCertain: boolean
  readonly isDeclared: boolean
  readonly owner: CodeFunction | undefined
  readonly block: CodeBlock | undefined
}

export interface Program {
  readonly language: Exclude<CodeLanguage, 'shell'>
  readonly facts: LanguageFacts
  readonly list: TokenList
  readonly functions: Nested<CodeFunction>
  readonly blocks: Nested<CodeBlock>
  readonly variables: ReadonlyMap<string, readonly Binding[]>
  /** Where the names of functions are declared. */
  readonly heads: ReadonlySet<number>
  /** Values that are assigned to a part of an object, or to a field of a class. */
  readonly properties: ReadonlyMap<string, readonly Binding[]>
}

export function listOf(tokens: readonly Token[]): TokenList {
  const pair = new Int32Array(tokens.length).fill(-1)
  const open: number[] = []
  for (const [i, { kind, value }] of tokens.entries()) {
    if (kind !== 'sign' || value.length !== 1) continue
    if (value === '(' || value === '[' || value === '{') open.push(i)
    else if (value === ')' || value === ']' || value === '}') {
      const opening = value === ')' ? '(' : value === ']' ? '[' : '{'
      // A bracket that does not belong here is passed over: the inner bracket is not closed.
      let level = open.length - 1
      while (level >= 0 && open.length - level < 8 && tokens[open[level] as number]?.value !== opening) level--
      const start = open[level]
      if (start === undefined || tokens[start]?.value !== opening) continue
      open.length = level
      pair[start] = i
      pair[i] = start
    }
  }
  return { tokens, pair }
}

/** The structure of a program. */
export function programOf(text: string, language: Exclude<CodeLanguage, 'shell'>, path = ''): Program {
  return new Reader(language, listOf(tokensOf(text, language, path))).program()
}

/** Ranges that hold each other, sorted by their start, with the place of the next one around each; -1 where there is none. */
export interface Nested<T extends Range> {
  readonly ranges: readonly T[]
  readonly around: Int32Array
}

function nestedRanges<T extends Range>(all: readonly T[]): Nested<T> {
  const ranges = [...all].sort((a, b) => a.start - b.start || b.end - a.end)
  const around = new Int32Array(ranges.length).fill(-1)
  const open: number[] = []
  for (const [i, { start }] of ranges.entries()) {
    while (open.length > 0 && (ranges[open.at(-1) as number] as T).end <= start) open.pop()
    around[i] = open.at(-1) ?? -1
    open.push(i)
  }
  return { ranges, around }
}

/** Whether a function is one of a class: no other function is between the two. */
function isInClass({ start }: Range, i: number, { ranges, around }: Nested<CodeFunction>, classes: Nested<CodeBlock>): boolean {
  const own = innermost(classes, start)
  const outer = ranges[around[i] as number]
  return own !== undefined && (outer === undefined || outer.start < own.start)
}

/** The index of the innermost of ranges that holds an offset; -1 where none does. */
function innermostAt<T extends Range>({ ranges, around }: Nested<T>, offset: number): number {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranges[middle] as T).start <= offset) low = middle + 1
    else high = middle
  }
  let i = low - 1
  while (i >= 0 && (ranges[i] as T).end <= offset) i = around[i] as number
  return i
}

/** The innermost of ranges that holds an offset. */
export function innermost<T extends Range>(nested: Nested<T>, at: number): T | undefined {
  return nested.ranges[innermostAt(nested, at)]
}

/** The ranges that hold an offset, from the innermost: as many as are looked at. */
export function rangesAround<T extends Range>(nested: Nested<T>, offset: number): readonly T[] {
  const enclosing: T[] = []
  for (let i = innermostAt(nested, offset); i >= 0 && enclosing.length < mostAround; i = nested.around[i] as number)
    enclosing.push(nested.ranges[i] as T)
  return enclosing
}

/** Functions and blocks in each other that are looked at. */
const mostAround = 100

const controls: ReadonlySet<string> = new Set(
  'if for while switch catch with foreach elseif elif return match function and or not in await'.split(' '),
)
const loops: ReadonlySet<string> = new Set(['for', 'while', 'foreach', 'do'])
const classes: ReadonlySet<string> = new Set(['class', 'interface', 'trait', 'enum', 'struct'])

class Reader {
  private readonly language: Exclude<CodeLanguage, 'shell'>
  private readonly facts: LanguageFacts
  private readonly list: TokenList
  private readonly tokens: readonly Token[]
  private readonly functions: CodeFunction[] = []
  private readonly blocks: CodeBlock[] = []
  private readonly heads = new Set<number>()

  constructor(language: Exclude<CodeLanguage, 'shell'>, list: TokenList) {
    this.language = language
    this.facts = languageFacts[language]
    this.list = list
    this.tokens = list.tokens
  }

  program(): Program {
    if (this.facts.isIndented) this.indented()
    else this.braced()
    const blocks = nestedRanges(this.blocks)
    const classes = nestedRanges(this.blocks.filter(({ isClass }) => isClass))
    const plain = nestedRanges(this.functions)
    const functions: Nested<CodeFunction> = {
      ...plain,
      ranges: plain.ranges.map((each, i) => ({ ...each, isMethod: each.isMethod || isInClass(each, i, plain, classes) })),
    }
    const { variables, properties } = this.bindings(functions, blocks)
    return { language: this.language, facts: this.facts, list: this.list, functions, blocks, heads: this.heads, variables, properties }
  }

  private is(i: number, ...values: readonly string[]): boolean {
    const token = this.tokens[i]
    return token !== undefined && token.kind !== 'text' && values.includes(token.value)
  }

  private isName(i: number): boolean {
    return this.tokens[i]?.kind === 'name'
  }

  /** The index of the next token that is no end of a line. */
  private after(i: number): number {
    let next = i + 1
    while (this.tokens[next]?.kind === 'line') next++
    return next
  }

  private before(i: number): number {
    let next = i - 1
    while (this.tokens[next]?.kind === 'line') next--
    return next
  }

  private add(name: string, head: readonly [number, number], start: number, end: number, isMethod: boolean, value?: Expression): void {
    const from = this.tokens[start]?.start ?? 0
    const to = this.tokens[end]?.end ?? this.tokens.at(-1)?.end ?? from
    const parameters = this.parameters(head[0], head[1])
    this.functions.push({ name, parameters, isMethod, start: from, end: Math.max(from, to), ...(value && { value }) })
  }

  /** The names of parameters between two tokens; an object's own first one in Python is left out. */
  private parameters(from: number, to: number): readonly string[] {
    const names = splitAt(this.list, from, to, ',').map(([start, end]) => {
      for (let i = start; i < end; i++) {
        const { kind, value } = this.tokens[i] as Token
        if (kind === 'sign' && (value === '{' || value === '[')) return ''
        if (kind !== 'name') continue
        if (this.language === 'PHP' ? value.startsWith('$') : !/^(?:public|private|protected|readonly|override)$/.test(value)) return value
      }
      return ''
    })
    return this.language === 'Python' && (names[0] === 'self' || names[0] === 'cls') ? names.slice(1) : names
  }

  // Blocks of braces.

  private braced(): void {
    const { tokens, list } = this
    const bodies = new Set<number>()
    for (let i = 0; i < tokens.length; i++) {
      const { kind, value } = tokens[i] as Token
      if (kind === 'name' && (value === 'function' || value === 'func' || value === 'fn')) this.declared(i, bodies)
      else if (kind === 'sign' && value === '=>' && this.facts === languageFacts.JavaScript) this.arrow(i, bodies)
      else if (kind === 'name' && this.facts === languageFacts.JavaScript && this.is(i + 1, '(')) this.method(i, bodies)
    }
    for (let i = 0; i < tokens.length; i++) {
      const close = list.pair[i] as number
      if (tokens[i]?.value !== '{' || tokens[i]?.kind !== 'sign' || close < 0) continue
      const head = bodies.has(i) ? '' : this.headOf(i)
      const block = { start: (tokens[i] as Token).start, end: (tokens[close] as Token).end }
      this.blocks.push({ ...block, isLoop: loops.has(head), isClass: classes.has(head) })
      if (head === 'switch' || head === 'select') this.cases(i, close)
    }
  }

  /** The cases of a switch are blocks: what is in one is not reached from another. */
  private cases(open: number, close: number): void {
    let start = -1
    for (let i = open + 1; i <= close; i++) {
      if (i === close || this.is(i, 'case', 'default')) {
        if (start >= 0) this.blocks.push({ start, end: (this.tokens[i] as Token).start, isLoop: false, isClass: false })
        start = (this.tokens[i] as Token).start
      }
      const pair = this.list.pair[i] as number
      if (pair > i) i = pair
    }
  }

  /** The word that a block is for: of the first of its statement, or of a class. */
  private headOf(brace: number): string {
    let i = this.before(brace)
    let word = ''
    for (let steps = 0; i >= 0 && steps < 60; steps++) {
      const token = this.tokens[i] as Token
      if (token.kind === 'line' || (token.kind === 'sign' && [';', '{', '}', '=>', '='].includes(token.value))) break
      if (token.kind === 'name') {
        word = token.value
        if (classes.has(word)) return word
      }
      const pair = this.list.pair[i] as number
      if (pair >= 0 && pair < i) i = pair - 1
      else i--
    }
    return word
  }

  /** `function name(…) {`, `func (r T) name(…) results {`, `fn(…) => value`. */
  private declared(index: number, bodies: Set<number>): void {
    const { list } = this
    if (this.language === 'Go' ? !this.is(index, 'func') : this.is(index, 'func')) return
    let i = this.after(index)
    if (this.is(i, '*', '&')) i = this.after(i)
    let name = ''
    let isMethod = this.is(index - 1, ':')
    if (this.language === 'Go' && this.is(i, '(') && list.pair[i] !== -1 && this.isName((list.pair[i] as number) + 1)) {
      const next = (list.pair[i] as number) + 1
      if (this.is(next + 1, '(', '[')) {
        i = next
        isMethod = true
      }
    }
    if (this.isName(i)) {
      name = (this.tokens[i] as Token).value
      this.heads.add((this.tokens[i] as Token).start)
      i = this.after(i)
    } else name = this.givenName(index - 1)
    i = this.pastTypes(i)
    if (!this.is(i, '(')) return
    const close = list.pair[i] as number
    if (close < 0) return
    const head = [i + 1, close] as const
    i = this.after(close)
    if (this.is(index, 'fn')) {
      this.arrowValue(name, head, this.nextSign('=>', i), false)
      return
    }
    // A type follows, or the variables that a closure uses.
    for (let steps = 0; steps < 60 && i < this.tokens.length; steps++) {
      if (this.is(i, '{')) {
        const end = list.pair[i] as number
        const isType = this.is(i - 1, 'interface', 'struct')
        if (!isType || end < 0) {
          bodies.add(i)
          this.add(name, head, i, end < 0 ? this.tokens.length - 1 : end, isMethod)
          return
        }
        i = end + 1
        continue
      }
      const token = this.tokens[i] as Token
      if (token.kind === 'sign' && (token.value === ';' || token.value === '}' || token.value === ')')) return
      if (this.language === 'Go' && token.kind === 'line') return
      const pair = list.pair[i] as number
      i = pair > i ? pair + 1 : i + 1
    }
  }

  private nextSign(value: string, from: number): number {
    for (let i = from; i < from + 30; i++) if (this.is(i, value)) return i
    return -1
  }

  /** `(…) => value` and `x => {`. */
  private arrow(index: number, bodies: Set<number>): void {
    let i = this.before(index)
    for (let steps = 0; steps < 40 && i >= 0 && !this.is(i, ')'); steps++) {
      const token = this.tokens[i] as Token
      // One parameter, or the type of the result.
      if (token.kind === 'name' && steps === 0 && !this.is(i - 1, ':', '|', '&', '.', 'is')) break
      if (token.kind !== 'name' && !(token.kind === 'sign' && '<>.|&[],:{}?;'.includes(token.value))) return
      const pair = this.list.pair[i] as number
      i = pair >= 0 && pair < i ? pair - 1 : i - 1
    }
    const isOne = this.isName(i)
    const open = isOne ? i : (this.list.pair[i] ?? -1)
    if (open < 0) return
    const head: readonly [number, number] = isOne ? [i, i + 1] : [open + 1, i]
    let start = open - 1
    if (this.is(start, '>')) start = this.beforeTypes(start)
    if (this.is(start, 'async')) start--
    const name = this.givenName(start)
    const next = this.after(index)
    const close = this.list.pair[next] as number
    if (this.is(next, '{') && close >= 0) {
      bodies.add(next)
      this.add(name, head, next, close, this.is(start, ':'))
    } else this.arrowValue(name, head, index, this.is(start, ':'))
  }

  private arrowValue(name: string, head: readonly [number, number], arrow: number, isMethod: boolean): void {
    if (arrow < 0) return
    const from = this.after(arrow)
    const to = valueEnd(this.list, from)
    if (to > from) this.add(name, head, from, to - 1, isMethod, { list: this.list, from, to })
  }

  /** `name(…) {` of a class or an object. */
  private method(index: number, bodies: Set<number>): void {
    const { value } = this.tokens[index] as Token
    const close = this.list.pair[index + 1] as number
    if (close < 0 || controls.has(value) || this.is(index - 1, '.', '?.', 'new', 'function', '*')) return
    let i = this.after(close)
    if (this.is(i, ':')) {
      i++
      const start = i
      for (let steps = 0; steps < 40 && !this.is(i, '{'); steps++, i++) {
        const token = this.tokens[i]
        if (token?.kind !== 'name' && !(token?.kind === 'sign' && '<>.|&[],'.includes(token.value))) return
      }
      if (i === start) return
    }
    const end = this.list.pair[i] as number
    if (!this.is(i, '{') || end < 0) return
    bodies.add(i)
    this.heads.add((this.tokens[index] as Token).start)
    this.add(value, [index + 2, close], i, end, true)
  }

  /** The name that a function is given: `name = …`, `name: …`; the index is that of the sign. */
  private givenName(index: number): string {
    if (!this.is(index, '=', ':', ':=')) return ''
    let i = index - 1
    // `const name: Type = …`
    if (this.is(index, '=')) for (let steps = 0; steps < 20 && i > 0 && !this.is(i - 1, 'const', 'let', 'var', '.', ';', '{'); steps++) i--
    if (!this.isName(i) || i < index - 20) i = index - 1
    return this.isName(i) ? (this.tokens[i] as Token).value : ''
  }

  /** Past `<T, U>`. */
  private pastTypes(i: number): number {
    if (!this.is(i, '<')) return this.is(i, '[') && this.language === 'Go' ? (this.list.pair[i] as number) + 1 : i
    return typesEnd(this.list, i) ?? i
  }

  private beforeTypes(i: number): number {
    let open = 0
    for (let index = i, steps = 0; index >= 0 && steps < 60; index--, steps++) {
      if (this.is(index, '>')) open++
      else if (this.is(index, '<') && --open === 0) return index - 1
    }
    return i
  }

  // Blocks of lines.

  private indented(): void {
    const { tokens } = this
    interface Open {
      readonly indent: number
      readonly close: (end: number) => void
    }
    const open: Open[] = []
    const closeTo = (indent: number, end: number) => {
      while (open.length > 0 && (open.at(-1) as Open).indent >= indent) open.pop()?.close(end)
    }
    let from = 0
    let indent = 0
    while (from <= tokens.length) {
      let to = from
      while (to < tokens.length && tokens[to]?.kind !== 'line') to++
      if (to > from) {
        closeTo(indent, (tokens[from] as Token).start)
        const first = this.is(from, 'async') ? from + 1 : from
        const colon = this.colon(first, to)
        const { value: word } = tokens[first] as Token
        if (colon >= 0 && (colon === to - 1 || /^(?:def|class|if|elif|else|for|while|try|except|finally|with)$/.test(word))) {
          const start = (tokens[colon] as Token).end
          const paren = first + 2
          const head: readonly [number, number] | undefined =
            word === 'def' && this.is(paren, '(') && (this.list.pair[paren] as number) > 0
              ? [paren + 1, this.list.pair[paren] as number]
              : undefined
          const name = tokens[first + 1]?.value ?? ''
          const parameters = head ? this.parameters(head[0], head[1]) : []
          const close = (end: number) => {
            this.blocks.push({ start, end, isLoop: loops.has(word), isClass: word === 'class' })
            if (word === 'def') this.functions.push({ name, parameters, isMethod: false, start, end })
          }
          if (colon === to - 1) open.push({ indent, close })
          else close((tokens[to - 1] as Token).end)
        }
      }
      indent = tokens[to]?.indent ?? 0
      from = to + 1
    }
    closeTo(-1, tokens.at(-1)?.end ?? 0)
  }

  /** The first `:` of a line outside of brackets. */
  private colon(from: number, to: number): number {
    for (let i = from; i < to; i++) {
      if (this.is(i, 'lambda')) return to - 1 === i ? i : this.is(to - 1, ':') ? to - 1 : -1
      if (this.is(i, ':')) return i
      const pair = this.list.pair[i] as number
      if (pair > i) i = pair
    }
    return -1
  }

  // Names.

  private bindings(functions: Nested<CodeFunction>, blocks: Nested<CodeBlock>) {
    const variables = new Map<string, Binding[]>()
    const properties = new Map<string, Binding[]>()
    const put = (
      i: number,
      value: Expression | undefined,
      { isAdded = false, isDeclared = false, isProperty = false, isCertain = true } = {},
    ) => {
      const { value: written, start } = this.tokens[i] as Token
      const block = innermost(blocks, start)
      const owner = innermost(functions, start)
      const isField = isProperty || (block?.isClass === true && (owner === undefined || owner.start < block.start))
      const map = isField ? properties : variables
      const name = isField ? written.replace(/^\$/, '') : written
      const all = map.get(name) ?? []
      all.push({ name, at: start, value, isAdded, isCertain, isDeclared, owner, block })
      map.set(name, all)
    }
    const { tokens, list, language } = this
    const parentheses: number[] = []
    const declared = new Set<number>()
    for (let i = 0; i < tokens.length; i++) {
      const { kind, value } = tokens[i] as Token
      if (kind === 'sign' && value === '(' && (list.pair[i] as number) > i) parentheses.push(list.pair[i] as number)
      while (parentheses.length > 0 && (parentheses.at(-1) as number) <= i) parentheses.pop()
      if (kind !== 'name') continue
      const isWithin = parentheses.length > 0
      if (/^(?:const|let|var)$/.test(value) && language !== 'Python' && !this.isMember(i)) {
        this.declaration(i, (name, given, kind) => {
          declared.add(name)
          put(name, given, kind)
        })
        continue
      }
      if ((value === 'for' || value === 'with' || value === 'as' || value === 'import') && language === 'Python' && !this.isMember(i)) {
        for (let index = i + 1; index < i + 12 && this.tokens[index]; index++) {
          if (this.is(index, 'in', ':') || tokens[index]?.kind === 'line') break
          if (value !== 'with' && this.isName(index) && !this.isMember(index)) put(index, undefined)
        }
        continue
      }
      if (language === 'PHP' && value === 'as') {
        for (let index = i + 1; index < i + 8 && !this.is(index, ')'); index++)
          if (tokens[index]?.value.startsWith('$')) put(index, undefined)
        continue
      }
      if (language === 'PHP' && value === 'define' && this.is(i + 1, '(')) {
        const name = tokens[i + 2]
        const close = list.pair[i + 1] as number
        if (name?.kind === 'text' && name.parts?.length === 1 && this.is(i + 3, ',') && close > i + 4) {
          const all = variables.get(String(name.parts[0])) ?? []
          const expression = { list, from: i + 4, to: close }
          all.push({ name: String(name.parts[0]), at: name.start, value: expression, ...alone })
          variables.set(String(name.parts[0]), all)
        }
        continue
      }
      if (language === 'PHP' && (value === 'global' || value === 'list')) {
        for (let index = i + 1; index < i + 12 && !this.is(index, ';', ')'); index++)
          if (tokens[index]?.value.startsWith('$')) put(index, undefined)
        continue
      }
      if (declared.has(i)) continue
      const isProperty = this.isMember(i)
      let next = i + 1
      if (!isProperty && this.is(next, ':') && language === 'Python' && !isWithin) {
        // `name: Type = value`
        while (tokens[next] && tokens[next]?.kind !== 'line' && !this.is(next, '=') && next < i + 20) next++
      } else if (!isProperty && this.is(next, ':', '?', '!') && language === 'TypeScript' && !isWithin && this.startsStatement(i)) {
        while (tokens[next] && !this.is(next, '=', ';', '(', '{', ',') && tokens[next]?.kind !== 'line' && next < i + 30) next++
      }
      if (!this.is(next, '=', ':=', '+=', '.=')) {
        // `a, b := f()`, and `a, b = f()`.
        if (this.is(next, ',') && (language === 'Go' || language === 'Python') && !isWithin && !isProperty) this.severalNames(i, put)
        continue
      }
      const sign = (tokens[next] as Token).value
      // Arguments with names, and parameters with values where none are given, are no variables.
      if (sign === '=' && isWithin && (language === 'Python' || this.isParameter(i, functions))) continue
      if (language === 'Go' && (this.is(i - 1, ',') || this.is(i + 1, ','))) {
        put(i, undefined, { isDeclared: sign === ':=' })
        continue
      }
      const to = valueEnd(list, next + 1)
      const isConst = this.is(i - 1, 'const', 'static', 'readonly')
      put(i, sign === '=' && this.is(i - 1, ',') && language !== 'JavaScript' ? undefined : { list, from: next + 1, to }, {
        isAdded: sign === '+=' || sign === '.=',
        isDeclared: sign === ':=' || isConst,
        isProperty,
        isCertain: isProperty || isConst || this.startsStatement(i),
      })
    }
    return { variables, properties }
  }

  /** A name that is a parameter with a default value: it is between the parentheses of a function. */
  private isParameter(i: number, { ranges }: Nested<CodeFunction>): boolean {
    const { value, start } = this.tokens[i] as Token
    let [low, high] = [0, ranges.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ranges[middle] as CodeFunction).start <= start) low = middle + 1
      else high = middle
    }
    return ranges.slice(low, low + 4).some(({ parameters }) => parameters.includes(value))
  }

  private isMember(i: number): boolean {
    return this.is(i - 1, ...this.facts.members)
  }

  private startsStatement(i: number): boolean {
    const last = this.tokens[i - 1]
    if (!last || last.kind === 'line') return true
    if (this.language === 'Go' && last.value === ';') return true
    if (last.kind === 'name') return /^(?:const|let|var|static|private|public|protected|readonly|export|declare)$/.test(last.value)
    return last.value === ';' || last.value === '{' || last.value === '}'
  }

  private severalNames(i: number, put: (i: number, value: undefined, kind?: { isDeclared?: boolean }) => void): void {
    if (!this.startsStatement(i) && !this.is(i - 1, 'for', 'if', 'switch')) return
    const names: number[] = []
    let index = i
    for (; index < i + 24; index += 2) {
      if (!this.isName(index)) return
      names.push(index)
      if (!this.is(index + 1, ',')) break
    }
    if (!this.is(index + 1, '=', ':=')) return
    // The last one is met on its own.
    for (const each of names.slice(0, -1)) put(each, undefined, { isDeclared: this.is(index + 1, ':=') })
  }

  /** `const a = 1, b = 2`, `const { a, b: c } = x`, `var ( … )`, `var a, b string = …`. */
  private declaration(
    index: number,
    put: (i: number, value: Expression | undefined, kind?: { isDeclared?: boolean; isCertain?: boolean }) => void,
  ): void {
    const { list } = this
    const end = this.is(index + 1, '(') && this.language === 'Go' ? (list.pair[index + 1] as number) : -1
    let i = end > 0 ? this.after(index + 1) : index + 1
    const isIn = (limit: number) => end < 0 || limit < end
    for (let count = 0; count < 2000 && i < this.tokens.length && isIn(i); count++) {
      const close = list.pair[i] as number
      if (this.is(i, '{', '[') && close > i) {
        for (let name = i + 1; name < close; name++)
          if (this.isName(name) && !this.is(name + 1, ':') && !this.isMember(name)) put(name, undefined, { isDeclared: true })
        const equals = this.is(close + 1, '=') ? close + 1 : -1
        if (equals < 0) return
        i = valueEnd(list, equals + 1)
      } else if (this.isName(i)) {
        const name = i
        let next = i + 1
        // A type, up to `=`.
        while (
          next < name + 40 &&
          this.tokens[next] &&
          !this.is(next, '=', ',', ';', ')', 'of', 'in') &&
          this.tokens[next]?.kind !== 'line'
        ) {
          const pair = list.pair[next] as number
          next = pair > next ? pair + 1 : next + 1
        }
        const to = this.is(next, '=') ? valueEnd(list, next + 1) : next
        const isGiven = this.is(next, '=') && !this.is(next + 1, 'iota')
        // Without a value, a declaration only says whose the name is.
        put(name, isGiven ? { list, from: next + 1, to } : this.is(next, 'of', 'in') ? undefined : { list, from: to, to }, {
          isDeclared: true,
          isCertain: isGiven,
        })
        i = to
      } else return
      if (this.is(i, ',') || (end > 0 && this.tokens[i]?.kind === 'line')) i = this.after(i)
      else return
    }
  }
}

const alone = { isAdded: false, isCertain: true, isDeclared: true, owner: undefined, block: undefined } as const

/** The ranges between separators, outside of brackets; none where there is nothing. */
export function splitAt(
  { tokens, pair }: TokenList,
  from: number,
  to: number,
  ...separators: readonly string[]
): readonly (readonly [number, number])[] {
  const ranges: (readonly [number, number])[] = []
  let start = from
  for (let i = from; i < to; i++) {
    const { kind, value } = tokens[i] as Token
    if (kind !== 'text' && separators.includes(value)) {
      ranges.push([start, i])
      start = i + 1
    } else if ((pair[i] as number) > i) i = pair[i] as number
  }
  if (start < to) ranges.push([start, to])
  return ranges
}

/** The end of types in `<…>` that begin here, and belong to a call or a function; undefined where these are other signs. */
export function typesEnd({ tokens, pair }: TokenList, index: number): number | undefined {
  let open = 0
  for (let i = index; i < index + 200 && tokens[i]; i++) {
    const { kind, value } = tokens[i] as Token
    if (kind === 'sign' && value === '<') open++
    else if (kind === 'sign' && value === '>') {
      if (--open === 0) return i + 1
    } else if (kind === 'sign' && (pair[i] as number) > i) i = pair[i] as number
    else if (kind === 'sign' && !'.,|&?:='.includes(value) && value !== '=>') return undefined
  }
  return undefined
}

/** Signs after which, or before which, an expression goes on over the end of a line. */
const joining: ReadonlySet<string> = new Set(
  '+ - * / % . ?. -> ?-> :: ? : ?? || && = += .= := == === != !== < > <= >= , => | & ^ !'.split(' '),
)
const joiningFirst: ReadonlySet<string> = new Set('+ . ?. -> ?-> ? : ?? || && == === != !== | & ^ %'.split(' '))

/** The tokens of a value, outside of its brackets, that are looked at: the string that a longer one may be is not known. */
export const longestValue = 300

/** The end of a value that begins here: a comma, a bracket that is not its own, `;`, or the end of a statement's line. */
export function valueEnd({ tokens, pair }: TokenList, from: number): number {
  for (let i = from, steps = 0; i < tokens.length; i++, steps++) {
    if (steps > longestValue) return i
    const { kind, value } = tokens[i] as Token
    if (kind === 'sign') {
      if (value === ',' || value === ';' || value === ')' || value === ']' || value === '}') return i
      if ((pair[i] as number) > i) i = pair[i] as number
    } else if (kind === 'line' && i > from) {
      const last = tokens[i - 1] as Token
      let next = i + 1
      while (tokens[next]?.kind === 'line') next++
      const following = tokens[next]
      const goesOn = (last.kind === 'sign' && joining.has(last.value)) || (following?.kind === 'sign' && joiningFirst.has(following.value))
      if (!goesOn) return i
    }
  }
  return tokens.length
}
