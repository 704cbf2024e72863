import type { Diagnostic } from '../diagnostic.ts'
import { duplicateKey, syntaxError } from '../parser/reading.ts'
import type { Source, Span } from '../source.ts'
import { leadingBlanks, trailingBlanks } from './blanks.ts'
import { checked, firstFault } from './check.ts'
import { scan, type Token, type Tokens } from './tokens.ts'

/** A walk over what a grammar made of a text; it stands on the root at first. Offsets are UTF-16 units of the text. */
export interface Cursor {
  readonly nodeType: string
  readonly startIndex: number
  readonly endIndex: number
  gotoFirstChild(): boolean
  gotoNextSibling(): boolean
  gotoParent(): boolean
}

/** The grammar of HCL, handed in by who can load it. The cursor is good until the next text; undefined: it is not understood. */
export type Grammar = (text: string) => Cursor | undefined

/** What an expression is made of. Every part is a span of its own. */
export type Expression =
  | Literal
  | Template
  | (Span & { readonly kind: 'list'; readonly items: readonly Expression[] })
  | (Span & { readonly kind: 'object'; readonly entries: readonly ObjectEntry[] })
  | (Span & { readonly kind: 'name'; readonly name: string })
  | (Span & { readonly kind: 'attribute'; readonly of: Expression; readonly name: string })
  | (Span & { readonly kind: 'index'; readonly of: Expression; readonly key: Expression })
  /** `of[*]` and what is taken of each of its items: `each` speaks of the item as the name `itemOfSplat`. */
  | (Span & { readonly kind: 'splat'; readonly of: Expression; readonly each: Expression })
  | (Span & { readonly kind: 'call'; readonly name: string; readonly values: readonly Expression[]; readonly isSpread: boolean })
  | ForExpression
  | (Span & { readonly kind: 'unary'; readonly operator: string; readonly operand: Expression })
  | (Span & { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression })
  | (Span & { readonly kind: 'conditional'; readonly condition: Expression; readonly yes: Expression; readonly no: Expression })

export interface Literal extends Span {
  readonly kind: 'literal'
  readonly value: number | boolean | null
}

/** A text: what stands in quotes, or a heredoc. */
export interface Template extends Span {
  readonly kind: 'template'
  readonly parts: readonly Part[]
}

export type Part =
  /** `offsets`: for each unit of the value where it stands, and one for the end. */
  | (Span & { readonly kind: 'text'; readonly value: string; readonly offsets: readonly number[] })
  | (Span & { readonly kind: 'value'; readonly expression: Expression })
  | (Span & { readonly kind: 'if'; readonly condition: Expression; readonly yes: readonly Part[]; readonly no: readonly Part[] })
  | (Span & {
      readonly kind: 'for'
      readonly key: string | undefined
      readonly value: string
      readonly collection: Expression
      readonly body: readonly Part[]
    })

export interface ObjectEntry {
  readonly key: Expression
  readonly value: Expression
}

export interface ForExpression extends Span {
  readonly kind: 'for'
  readonly key: string | undefined
  readonly value: string
  readonly collection: Expression
  /** For objects, the key of each entry. */
  readonly resultKey: Expression | undefined
  readonly result: Expression
  /** Values of one key are put together in a list. */
  readonly isGrouped: boolean
  readonly condition: Expression | undefined
}

/** The name by which a splat speaks of an item: no name of HCL. */
export const itemOfSplat = '*'

export interface Attribute extends Span {
  readonly name: string
  readonly nameSpan: Span
  readonly value: Expression
}

export interface Block extends Span {
  readonly type: string
  readonly typeSpan: Span
  readonly labels: readonly string[]
  /** The type and its labels: what names the block. */
  readonly head: Span
  readonly body: Body
}

export interface Body {
  readonly attributes: readonly Attribute[]
  readonly blocks: readonly Block[]
}

/** What came of a file. */
export interface HclFile {
  readonly source: Source
  /** Undefined where it was not understood: `diagnostics` says why. */
  readonly body: Body | undefined
  readonly diagnostics: readonly Diagnostic[]
  readonly comments: readonly Span[]
}

/** A node as the grammar has it, without comments. */
interface Cst {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly children: Cst[]
}

/** Nodes of the grammar inside one another: far more than brackets within their limit make. */
const deepest = 1500

/**
 * Text to blocks and attributes. What is not well-formed is found before the grammar is asked (see `firstFault`). Of
 * resources only those of a type that `isOurs` are read, of others their heads. Never throws.
 */
export function readHcl(source: Source, grammar: Grammar, isOurs: (type: string) => boolean): HclFile {
  const failed = (problem: Diagnostic): HclFile => ({ source, body: undefined, diagnostics: [problem], comments: [] })
  const words = scan(source)
  if ('problem' in words) {
    const earlier = words.before && firstFault(source, words.before)
    return failed(earlier && earlier.span.start < words.problem.span.start ? earlier : words.problem)
  }
  const read = checked(source, words.tokens)
  if ('code' in read) return failed(read)
  const tree = cstOf(source, forGrammar(source.text, words, read.ends), grammar, isOurs)
  if ('code' in tree) return failed(tree)
  const body = tree.children.find((each) => each.type === 'body')
  const diagnostics: Diagnostic[] = []
  return {
    source,
    body: body ? convert(source, diagnostics).body(body) : { attributes: [], blocks: [] },
    diagnostics,
    comments: words.comments,
  }
}

/** Nodes that have nothing below them. Every question to the grammar costs, so that none is asked in vain. */
const leaves: ReadonlySet<string> = new Set(
  `identifier quoted_template_start quoted_template_end template_literal template_interpolation_start template_interpolation_end
  template_directive_start template_directive_end heredoc_identifier strip_marker ellipsis null_lit comment , . .* [*] [ ] { } ( ) = : ? =>
  - ! + * / % > >= < <= == != && || for in if else endif endfor true false`.split(/\s+/),
)
/** Leaves of which only their kind counts, not where they stand. */
const placeless: ReadonlySet<string> = new Set(
  `template_literal template_interpolation_start template_interpolation_end template_directive_start template_directive_end strip_marker
  ellipsis null_lit comment , . .* [ ] { } ) = : ? => - ! + * / % > >= < <= == != && || for in if else endif endfor true false`.split(
    /\s+/,
  ),
)

/** Blocks that others may ask for something; of all other blocks only the head is read. */
const asked: ReadonlySet<string> = new Set(['locals', 'variable', 'output', 'module'])

/**
 * The text as the grammar takes it, everything at its place. It does not know numbers with an exponent, and takes the end of
 * `$$${` for the beginning of a template: what texts hold is read from the source. To it a line break is a blank, so that
 * `a` and `(b) = 1` on the next line are a call: `ends` are those that end an entry, as a comma does.
 */
function forGrammar(text: string, { tokens, comments }: Tokens, ends: readonly Token[]): string {
  const changes: { readonly start: number; readonly instead: string }[] = []
  for (const { kind, start, end } of tokens) {
    const word = kind === 'number' || kind === 'text' ? text.slice(start, end) : ''
    if (kind === 'text' && /[$%]/.test(word)) changes.push({ start, instead: word.replace(/[$%]/g, '_') })
    const exponent = kind === 'number' ? word.search(/[eE]/) : -1
    if (exponent >= 0) changes.push({ start: start + exponent, instead: '0'.repeat(word.length - exponent) })
  }
  if (ends.length > 0) {
    // Behind a comment to the end of the line the comma would be a part of it.
    const before = new Map(comments.map((comment) => [comment.end, comment]))
    for (const { start, end } of ends) {
      const from = before.get(start)?.start ?? start
      changes.push({ start: from, instead: `,${' '.repeat(end - from - 1)}` })
    }
    changes.sort((a, b) => a.start - b.start)
  }
  let out = ''
  let done = 0
  for (const { start, instead } of changes) {
    out += text.slice(done, start) + instead
    done = start + instead.length
  }
  return out + text.slice(done)
}

/** `text`: that of the source, or one as long that the grammar understands. */
function cstOf(source: Source, text: string, grammar: Grammar, isOurs: (type: string) => boolean): Cst | Diagnostic {
  const cursor = grammar(text)
  if (!cursor) return syntaxError(source, 0, 0, 'the file is not understood as HCL', 'write what is unusual in it in another way')
  const node = (): Cst => {
    const type = cursor.nodeType
    if (placeless.has(type)) return { type, start: 0, end: 0, children: [] }
    return { type, start: cursor.startIndex, end: cursor.endIndex, children: [] }
  }
  const root = node()
  const path = [root]
  for (;;) {
    const here = path.at(-1) as Cst
    if (path.length > deepest)
      return syntaxError(source, here.start, here.end, 'too many operators in one expression', 'split it with `locals`')
    // A block at the top: the file, its body, the block, its body.
    const isSkipped = path.length === 4 && here.type === 'body' && !isRead(path[2] as Cst)
    if (!isSkipped && !leaves.has(here.type) && cursor.gotoFirstChild()) {
      path.push(node())
      attach()
      continue
    }
    while (!cursor.gotoNextSibling()) {
      path.pop()
      if (path.length <= 1 || !cursor.gotoParent()) return root
    }
    path.pop()
    path.push(node())
    attach()
  }

  function attach(): void {
    const child = path.at(-1) as Cst
    if (child.type !== 'comment') (path.at(-2) as Cst).children.push(child)
  }

  function isRead({ children }: Cst): boolean {
    const [type, label] = children.map(({ start, end }) => text.slice(start, end))
    return asked.has(type ?? '') || (type === 'resource' && isOurs((label ?? '').replaceAll('"', '')))
  }
}

function convert(source: Source, diagnostics: Diagnostic[]) {
  const { text } = source
  const span = ({ start, end }: { start: number; end: number }): Span => ({ source, start, end })
  const words = ({ start, end }: Cst) => text.slice(start, end)
  const child = (node: Cst, type: string) => node.children.find((each) => each.type === type)
  const need = (node: Cst | undefined): Cst => node as Cst

  return { body }

  function body(node: Cst): Body {
    const attributes: Attribute[] = []
    const blocks: Block[] = []
    const seen = new Map<string, Attribute>()
    for (const item of node.children) {
      if (item.type === 'attribute') {
        const read = attribute(item)
        const before = seen.get(read.name)
        if (before) diagnostics.push(twice(read, before))
        else {
          seen.set(read.name, read)
          attributes.push(read)
        }
      } else if (item.type === 'block') blocks.push(block(item))
    }
    return { attributes, blocks }
  }

  function twice(second: Attribute, first: Attribute): Diagnostic {
    const key = ({ name, nameSpan: { start, end } }: Attribute) => ({ kind: 'text', value: name, source, start, end }) as const
    return duplicateKey(key(second), key(first))
  }

  function attribute(node: Cst): Attribute {
    const name = need(child(node, 'identifier'))
    return { ...span(node), name: words(name), nameSpan: span(name), value: expression(need(child(node, 'expression'))) }
  }

  function block(node: Cst): Block {
    const type = need(child(node, 'identifier'))
    const labels = node.children.filter((each) => each !== type && (each.type === 'identifier' || each.type === 'string_lit'))
    const inner = child(node, 'body')
    return {
      ...span(node),
      type: words(type),
      typeSpan: span(type),
      labels: labels.map((label) => (label.type === 'identifier' ? words(label) : words(label).slice(1, -1))),
      head: span({ start: type.start, end: (labels.at(-1) ?? type).end }),
      body: inner ? body(inner) : { attributes: [], blocks: [] },
    }
  }

  function expression(node: Cst): Expression {
    const [first] = node.children
    return first?.type === 'conditional' ? conditional(first) : term(node.children)
  }

  /** `a ? b : c ? d : e` is `a ? b : (c ? d : e)`; the grammar puts it together from the left. */
  function conditional(node: Cst): Expression {
    const branches: { readonly condition: Cst; readonly yes: Cst }[] = []
    let last: Cst | undefined
    for (let here: Cst | undefined = node; here; ) {
      const [condition, yes, no] = here.children.filter((each) => each.type === 'expression') as [Cst, Cst, Cst]
      const inner: Cst | undefined = condition.children[0]
      last ??= no
      // What the inner one has for its last value is the condition of this one.
      if (inner?.type === 'conditional') {
        const [, , innerNo] = inner.children.filter((each) => each.type === 'expression') as [Cst, Cst, Cst]
        branches.unshift({ condition: innerNo, yes })
        here = inner
      } else {
        branches.unshift({ condition, yes })
        here = undefined
      }
    }
    const end = node.end
    return branches.reduceRight<Expression>(
      (no, branch) => ({
        ...span({ start: branch.condition.start, end }),
        kind: 'conditional',
        condition: expression(branch.condition),
        yes: expression(branch.yes),
        no,
      }),
      expression(need(last)),
    )
  }

  /** A value and what is taken of it. */
  function term(nodes: readonly Cst[]): Expression {
    const first = need(nodes[0])
    const isWrapped = first.type === '('
    let value = isWrapped ? expression(need(nodes[1])) : operand(first)
    const start = first.start
    for (const step of nodes.slice(isWrapped ? 3 : 1)) value = stepped(value, step, start)
    return value
  }

  function stepped(of: Expression, step: Cst, start: number): Expression {
    const at = span({ start, end: step.end })
    switch (step.type) {
      case 'get_attr':
        return { ...at, kind: 'attribute', of, name: words(need(child(step, 'identifier'))) }
      case 'index':
        return indexed(of, need(step.children[0]), at)
      case 'splat':
        return splat(of, need(step.children[0]), start)
      default:
        return of
    }
  }

  function indexed(of: Expression, index: Cst, at: Span): Expression {
    const inner = child(index, 'expression')
    const key: Expression = inner ? expression(inner) : { ...span(index), kind: 'literal', value: Number(words(index).slice(1).trim()) }
    return { ...at, kind: 'index', of, key }
  }

  function splat(of: Expression, node: Cst, start: number): Expression {
    const steps = node.children.slice(1)
    // An index behind `.*` is one of the whole list, behind `[*]` of each item.
    const isOfWhole = (step: Cst) => node.type === 'attr_splat' && step.children[0]?.type === 'new_index'
    const split = steps.findIndex(isOfWhole)
    const inner = split < 0 ? steps : steps.slice(0, split)
    let each: Expression = { ...span(need(node.children[0])), kind: 'name', name: itemOfSplat }
    for (const step of inner) each = stepped(each, step, start)
    let value: Expression = { ...span({ start, end: (inner.at(-1) ?? need(node.children[0])).end }), kind: 'splat', of, each }
    for (const step of split < 0 ? [] : steps.slice(split)) value = stepped(value, step, start)
    return value
  }

  function operand(node: Cst): Expression {
    const at = span(node)
    const inner = need(node.children[0])
    switch (node.type) {
      case 'literal_value':
        return inner.type === 'string_lit' ? template(inner) : { ...at, kind: 'literal', value: literal(inner) }
      case 'template_expr':
        return template(inner)
      case 'collection_value':
        return inner.type === 'tuple' ? list(inner) : object(inner)
      case 'variable_expr':
        return { ...at, kind: 'name', name: words(node) }
      case 'function_call': {
        const values = child(node, 'function_arguments')
        return {
          ...at,
          kind: 'call',
          name: words(inner),
          values: (values?.children ?? []).filter((each) => each.type === 'expression').map(expression),
          isSpread: values?.children.some((each) => each.type === 'ellipsis') === true,
        }
      }
      case 'for_expr':
        return forExpression(inner)
      case 'operation':
        return operation(inner)
      default:
        return { ...at, kind: 'literal', value: null }
    }
  }

  function literal(node: Cst): number | boolean | null {
    if (node.type === 'numeric_lit') return Number(words(node))
    return node.type === 'bool_lit' ? words(node) === 'true' : null
  }

  function list(node: Cst): Expression {
    return { ...span(node), kind: 'list', items: node.children.filter((each) => each.type === 'expression').map(expression) }
  }

  function object(node: Cst): Expression {
    const entries = node.children
      .filter((each) => each.type === 'object_elem')
      .map((each): ObjectEntry => {
        const [key, value] = each.children.filter((part) => part.type === 'expression') as [Cst, Cst]
        return { key: keyOf(key), value: expression(value) }
      })
    return { ...span(node), kind: 'object', entries }
  }

  /** A word alone is the text of a key; in parentheses it is an expression. */
  function keyOf(node: Cst): Expression {
    const [only, second] = node.children
    if (second || !only || only.type === '(') return expression(node)
    const isWord = only.type === 'variable_expr' || (only.type === 'literal_value' && only.children[0]?.type !== 'string_lit')
    if (!isWord) return expression(node)
    const value = words(only)
    const offsets = Array.from({ length: value.length + 1 }, (_, i) => only.start + i)
    return { ...span(only), kind: 'template', parts: [{ ...span(only), kind: 'text', value, offsets }] }
  }

  function forExpression(node: Cst): Expression {
    const intro = need(child(node, 'for_intro'))
    const results = node.children.filter((each) => each.type === 'expression')
    const condition = child(node, 'for_cond')
    const isObject = node.type === 'for_object_expr'
    return {
      ...span(node),
      kind: 'for',
      ...introOf(intro),
      resultKey: isObject ? expression(need(results[0])) : undefined,
      result: expression(need(results[isObject ? 1 : 0])),
      isGrouped: child(node, 'ellipsis') !== undefined,
      condition: condition && expression(need(child(condition, 'expression'))),
    }
  }

  function introOf(node: Cst) {
    const names = node.children.filter((each) => each.type === 'identifier').map(words)
    return {
      key: names.length > 1 ? names[0] : undefined,
      value: names.at(-1) ?? '',
      collection: expression(need(child(node, 'expression'))),
    }
  }

  function operation(node: Cst): Expression {
    const at = span(node)
    if (node.type === 'unary_operation') {
      const [operator, ...rest] = node.children as [Cst, ...Cst[]]
      return { ...at, kind: 'unary', operator: operator.type, operand: term(rest) }
    }
    const split = node.children.findIndex((each) => operators.has(each.type))
    return {
      ...at,
      kind: 'binary',
      operator: need(node.children[split]).type,
      left: term(node.children.slice(0, split)),
      right: term(node.children.slice(split + 1)),
    }
  }

  function template(node: Cst): Expression {
    const isHeredoc = node.type === 'heredoc_template'
    const [opener, name] = node.children as [Cst, Cst]
    const closer = need(node.children.at(-1))
    const start = isHeredoc ? text.indexOf('\n', name.end) + 1 : opener.end
    const end = isHeredoc ? text.lastIndexOf('\n', closer.start) + 1 : closer.start
    const inner = node.children.slice(isHeredoc ? 2 : 1, -1)
    const isFlush = isHeredoc && words(opener) === '<<-'
    return { ...span(node), kind: 'template', parts: assemble(pieces(inner, start, end, isHeredoc, isFlush)) }
  }

  /** The pieces of a text in written order, directives not yet put together, blanks already taken away. */
  function pieces(nodes: readonly Cst[], start: number, end: number, isHeredoc: boolean, isFlush: boolean): readonly Piece[] {
    const found: Piece[] = []
    let at = start
    let trims = false
    const literal = (to: number) => {
      for (const piece of literals(at, to, isHeredoc)) {
        found.push(trims ? cut(piece, leadingBlanks(piece.value).length) : piece)
        trims = false
      }
    }
    for (const node of flattened(nodes)) {
      literal(node.start)
      const last = found.at(-1)
      if (text[node.start + 2] === '~' && last?.kind === 'text')
        found[found.length - 1] = cut(last, 0, last.value.length - trailingBlanks(last.value).length)
      found.push({ kind: 'node', node })
      trims = text[node.end - 2] === '~'
      at = node.end
    }
    literal(end)
    return isFlush ? flushed(found) : found
  }

  /**
   * What is written between two places. A heredoc has a piece for each line, and a strip marker reaches no further than the
   * piece beside it; in quotes a line break is written `\n`, and a blank like any other.
   */
  function literals(from: number, to: number, isHeredoc: boolean): readonly TextPiece[] {
    if (from >= to) return []
    if (!isHeredoc) return [unescaped(from, to, false)]
    const lines: TextPiece[] = []
    for (let at = from; at < to; ) {
      const lineBreak = text.indexOf('\n', at)
      const end = lineBreak < 0 || lineBreak >= to ? to : lineBreak + 1
      const short = text.slice(at, end).search(brokenEarly)
      if (short < 0) lines.push(unescaped(at, end, true))
      else lines.push(unescaped(at, at + short, true), unescaped(at + short, end, true))
      at = end
    }
    return lines
  }

  /** `<<-`: the lines without the blanks that all of them begin with. A line of blanks alone has no say, and keeps them. */
  function flushed(found: readonly Piece[]): readonly Piece[] {
    let least = Number.POSITIVE_INFINITY
    const first = new Set<Piece>()
    let isStart = true
    for (const piece of found) {
      if (isStart) {
        const blanks = piece.kind === 'text' ? leadingBlanks(piece.value) : ''
        const isBlankLine = piece.kind === 'text' && blanks === piece.value && blanks.endsWith('\n')
        if (!isBlankLine) {
          least = Math.min(least, blanks.match(letters)?.length ?? 0)
          first.add(piece)
        }
      }
      isStart = piece.kind === 'text' && piece.value.endsWith('\n')
    }
    return found.map((piece) => {
      if (piece.kind !== 'text' || !first.has(piece)) return piece
      return cut(piece, (piece.value.match(letters) ?? []).slice(0, least).join('').length)
    })
  }

  /** Holes and directives one after the other. */
  function* flattened(nodes: readonly Cst[]): Generator<Cst> {
    for (const node of nodes) {
      if (node.type === 'template_interpolation' || directives.has(node.type)) yield node
      else if (node.type === 'template_directive' || node.type === 'template_if' || node.type === 'template_for')
        yield* flattened(node.children)
    }
  }

  /** The parts of a text, what stands in directives within them. */
  function assemble(found: readonly Piece[]): readonly Part[] {
    interface Level {
      readonly opener: Cst
      readonly yes: Part[]
      no?: Part[]
    }
    const top: Part[] = []
    const levels: Level[] = []
    const add = (part: Part) => {
      const level = levels.at(-1)
      ;(level ? (level.no ?? level.yes) : top).push(part)
    }
    for (const piece of found) {
      if (piece.kind === 'text') {
        if (piece.value !== '') add(textPart(piece))
        continue
      }
      const { node } = piece
      const level = levels.at(-1)
      if (node.type === 'template_interpolation') {
        const inner = child(node, 'expression')
        if (inner) add({ ...span(node), kind: 'value', expression: expression(inner) })
      } else if (node.type === 'template_if_intro' || node.type === 'template_for_start') levels.push({ opener: node, yes: [] })
      else if (!level) continue
      else if (node.type === 'template_else_intro') level.no = []
      else {
        levels.pop()
        const at = span({ start: level.opener.start, end: node.end })
        if (node.type === 'template_for_end') add({ ...at, kind: 'for', ...introOf(level.opener), body: level.yes })
        else {
          const condition = expression(need(child(level.opener, 'expression')))
          add({ ...at, kind: 'if', condition, yes: level.yes, no: level.no ?? [] })
        }
      }
    }
    return top
  }

  function textPart({ value, offsets }: TextPiece): Part {
    return { ...span({ start: offsets[0] as number, end: offsets.at(-1) as number }), kind: 'text', value, offsets }
  }

  /** What is written between two places as the text that it stands for. */
  function unescaped(from: number, to: number, isHeredoc: boolean): TextPiece {
    let value = ''
    const offsets: number[] = []
    const put = (unit: string, at: number) => {
      for (let i = 0; i < unit.length; i++) offsets.push(at)
      value += unit
    }
    for (let at = from; at < to; ) {
      const c = text[at] as string
      if ((c === '$' || c === '%') && text[at + 1] === c && text[at + 2] === '{') {
        put(c, at)
        put('{', at + 2)
        at += 3
      } else if (c === '\\' && !isHeredoc) {
        const next = text[at + 1] ?? ''
        const length = next === 'u' ? 6 : next === 'U' ? 10 : 2
        put(length > 2 ? String.fromCodePoint(Number.parseInt(text.slice(at + 2, at + length), 16)) : (escapes[next] ?? next), at)
        at += length
      } else {
        put(c, at)
        at++
      }
    }
    return { kind: 'text', value, offsets: [...offsets, to] }
  }
}

interface TextPiece {
  readonly kind: 'text'
  readonly value: string
  /** For each unit of the value where it stands, and one for the end. */
  readonly offsets: readonly number[]
}
type Piece = TextPiece | { readonly kind: 'node'; readonly node: Cst }

function cut(piece: TextPiece, from: number, to = piece.value.length): TextPiece {
  return { kind: 'text', value: piece.value.slice(from, to), offsets: piece.offsets.slice(from, to + 1) }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }
/** What counts as one letter where blanks are counted. */
const letters = /\r\n|.[\p{M}\u200d]*/gsu
/** A line break behind a `$` or `%` that begins nothing, and one character at most: the language reads it as a piece of its own. */
const brokenEarly = /(?<=[$%][^{$%\n\P{ASCII}])\r?\n$|(?<=[$%])\n$/u
const operators: ReadonlySet<string> = new Set(['*', '/', '%', '+', '-', '>', '>=', '<', '<=', '==', '!=', '&&', '||'])
const directives: ReadonlySet<string> = new Set([
  'template_for_start',
  'template_for_end',
  'template_if_intro',
  'template_else_intro',
  'template_if_end',
])
