import { visible } from '../names.ts'
import { shortened } from '../parser/reading.ts'
import type { Span } from '../source.ts'
import type { Cursor } from './cursor.ts'
import { literalNumber } from './exact.ts'
import { type Expression, type ForExpression, type ForIntro, itemOfSplat, type ObjectEntry, type Template } from './syntax.ts'
import {
  literals,
  nestDirectives,
  type Piece,
  type SequenceContent,
  trimmedEnd,
  trimmedStart,
  withoutIndentation,
} from './template-text.ts'
import type { Token } from './tokens.ts'

/** Operators between two values, by how tightly they bind. */
const levels: ReadonlyMap<string, number> = new Map(
  [['||'], ['&&'], ['==', '!='], ['<', '<=', '>', '>='], ['+', '-'], ['*', '/', '%']].flatMap((operators, i) =>
    operators.map((operator) => [operator, i + 1] as const),
  ),
)

/**
 * An expression. `expected` is the word for it in the message where there is none. Depth is limited, so that functions may call
 * themselves.
 */
export function expression(p: Cursor, expected: string): Expression {
  const { level } = p
  const value = conditional(p, expected)
  p.level = level
  return value
}

/** A condition with both of its values, or a value without one. */
function conditional(p: Cursor, expected: string): Expression {
  const { start } = p.peek()
  const condition = operation(p, expected, 1)
  if (!p.take('?')) return condition
  p.nest()
  const yes = expression(p, 'a value after `?`')
  p.expect(':', '`:` and the other value of the condition')
  const no = expression(p, 'a value after `:`')
  return { ...p.span(start), kind: 'conditional', condition, yes, no }
}

/** Values with operators between them that bind at least as tightly as `least`. */
function operation(p: Cursor, expected: string, least: number): Expression {
  const { start } = p.peek()
  let left = operand(p, expected)
  for (;;) {
    const token = p.peek()
    const operator = token.kind === 'sign' ? p.written(token) : ''
    const level = levels.get(operator) ?? 0
    if (level < least) return left
    p.next()
    p.nest()
    const right = operation(p, `a value after \`${operator}\``, level + 1)
    left = { ...p.span(start), kind: 'binary', operator, left, right }
  }
}

function operand(p: Cursor, expected: string): Expression {
  const { start } = p.peek()
  if (!p.is('-') && !p.is('!')) return traversal(p, start, term(p, expected))
  const operator = p.written(p.next())
  p.nest()
  const value = operand(p, `a value after \`${operator}\``)
  return { ...p.span(start), kind: 'unary', operator, operand: value }
}

/** A value and the steps behind it. While a splat is open, `value` is what is taken of each of its items. */
interface Traversal {
  readonly start: number
  value: Expression
  splat?: { readonly of: Expression; readonly isFull: boolean } | undefined
}

/** `first.name[0]…`. */
function traversal(p: Cursor, start: number, first: Expression): Expression {
  const t: Traversal = { start, value: first }
  while (step(p, t)) p.nest()
  endSplat(p, t, p.end)
  return t.value
}

function step(p: Cursor, t: Traversal): boolean {
  const { end } = p
  const token = p.peek()
  if (p.take('.')) dotStep(p, t, token, end)
  else if (p.is('[')) bracketStep(p, t, token, end)
  else return false
  return true
}

/** `.name`, `.0` or `.*`. */
function dotStep(p: Cursor, t: Traversal, dot: Token, before: number): void {
  if (p.take('*')) {
    beginSplat(p, t, dot, before, false)
    return
  }
  const { kind, start } = p.peek()
  if (kind !== 'word' && kind !== 'number') p.fail('a name after `.`')
  const name = p.written(p.next())
  if (kind === 'word') t.value = { ...p.span(t.start), kind: 'attribute', of: t.value, name }
  else legacyIndexes(p, t, dot, start, name)
}

/** `.0`; of `.0.1` the scanner makes one number. */
function legacyIndexes(p: Cursor, t: Traversal, dot: Token, start: number, written: string): void {
  let from = dot.start
  let digitsStart = start
  for (const digits of written.split('.')) {
    const end = digitsStart + digits.length
    t.value = {
      ...p.span(t.start, end),
      kind: 'index',
      of: t.value,
      key: { ...p.span(from, end), ...literalNumber(digits) },
    }
    from = end
    digitsStart = end + 1
  }
}

/** `[key]` or `[*]`. */
function bracketStep(p: Cursor, t: Traversal, bracket: Token, before: number): void {
  const outer = p.open()
  const isSplat = p.take('*')
  if (isSplat && !p.is(']')) p.fail('`]`')
  const key = isSplat ? undefined : expression(p, 'an index')
  p.close(']', outer, '`]` after the index')
  if (!key) {
    beginSplat(p, t, bracket, before, true)
    return
  }
  // An index behind `.*` is one of the whole list, behind `[*]` of each item.
  if (t.splat?.isFull === false) endSplat(p, t, before)
  t.value = { ...p.span(t.start), kind: 'index', of: t.value, key }
}

function beginSplat(p: Cursor, t: Traversal, sign: Token, before: number, isFull: boolean): void {
  endSplat(p, t, before)
  t.splat = { of: t.value, isFull }
  t.value = { ...p.span(sign.start), kind: 'name', name: itemOfSplat }
}

function endSplat(p: Cursor, t: Traversal, end: number): void {
  if (!t.splat) return
  t.value = { ...p.span(t.start, end), kind: 'splat', of: t.splat.of, each: t.value }
  t.splat = undefined
}

function term(p: Cursor, expected: string): Expression {
  const token = p.peek()
  switch (token.kind) {
    case 'number':
      return { ...p.span(p.next().start), ...literalNumber(p.written(token)) }
    case 'word':
      return word(p)
    case 'quote':
    case 'heredoc':
      return template(p)
    case 'newline':
      return p.fail(expected, 'a value begins on the line of its name')
    default:
      if (p.is('(')) return inParentheses(p)
      if (p.is('[')) return list(p)
      return p.is('{') ? object(p) : p.fail(expected)
  }
}

function inParentheses(p: Cursor): Expression {
  const outer = p.open()
  const value = expression(p, 'a value')
  p.close(')', outer)
  return value
}

const constants: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

function word(p: Cursor): Expression {
  const { start } = p.peek()
  let name = p.written(p.next())
  while (p.take('::')) name += `::${p.expectWord('the name of a function after `::`')}`
  if (p.is('(')) return call(p, start, name)
  if (name.includes('::')) p.fail(`\`(\` after \`${visible(shortened(name))}\``, 'names with `::` are those of functions')
  const constant = constants.get(name)
  return constant === undefined ? { ...p.span(start), kind: 'name', name } : { ...p.span(start), kind: 'literal', value: constant }
}

function call(p: Cursor, start: number, name: string): Expression {
  const values: Expression[] = []
  let isSpread = false
  const outer = p.open()
  while (!p.is(')')) {
    values.push(expression(p, 'a value or `)`'))
    isSpread = p.take('...')
    if (isSpread && !p.is(')')) p.fail('`)` after `...`')
    if (!p.take(',')) break
  }
  if (!p.is(')')) p.fail('`,` or `)`')
  p.close(')', outer)
  return { ...p.span(start), kind: 'call', name, values, isSpread }
}

function list(p: Cursor): Expression {
  const { start } = p.peek()
  const items: Expression[] = []
  const outer = p.open()
  const loop = p.isWord('for') && p.peekSecond().kind === 'word' ? forExpression(p, false) : undefined
  while (!loop && !p.is(']')) {
    items.push(expression(p, 'a value or `]`'))
    if (p.take(',')) continue
    if (!p.is(']')) p.fail('`,` or `]`', 'put a comma between two values')
  }
  p.close(']', outer)
  return loop ? { ...loop, ...p.span(start) } : { ...p.span(start), kind: 'list', items }
}

/** The content of the brackets of a `for`; the caller sets its places to those of the brackets. */
function forExpression(p: Cursor, isObject: boolean): Omit<ForExpression, keyof Span> {
  p.next()
  const intro = forIntro(p)
  p.expect(':', '`:` and what the `for` gives')
  const first = expression(p, 'what the `for` gives')
  if (isObject) p.expect('=>', '`=>` and the value under that key')
  const second = isObject ? expression(p, 'a value after `=>`') : undefined
  const isGrouped = isObject && p.take('...')
  const condition = p.takeWord('if') ? expression(p, 'a condition') : undefined
  return { kind: 'for', ...intro, resultKey: second && first, result: second ?? first, isGrouped, condition }
}

/** `a in b`, `a, b in c`. */
function forIntro(p: Cursor): ForIntro {
  const first = p.expectWord('a name after `for`')
  const second = p.take(',') ? p.expectWord('a second name after `,`') : undefined
  if (!p.takeWord('in')) p.fail('`in`')
  const collection = expression(p, 'what the `for` goes through')
  return { key: second === undefined ? undefined : first, value: second ?? first, collection }
}

function object(p: Cursor): Expression {
  const { start } = p.peek()
  const before = p.isLoose
  p.next()
  p.isLoose = true
  if (p.isWord('for')) {
    const loop = forExpression(p, true)
    p.expect('}')
    p.isLoose = before
    return { ...loop, ...p.span(start) }
  }
  p.isLoose = false
  const entries: ObjectEntry[] = []
  for (p.skipLines(); !p.is('}'); p.skipLines()) {
    entries.push(objectEntry(p))
    if (!p.take(',') && p.peek().kind !== 'newline' && !p.is('}')) p.fail('`,`, a line break or `}`')
  }
  p.next()
  p.isLoose = before
  return { ...p.span(start), kind: 'object', entries }
}

function objectEntry(p: Cursor): ObjectEntry {
  const token = p.peek()
  const read = expression(p, 'a key or `}`')
  // A word alone is the text of a key; in parentheses it is an expression.
  const isText = p.isLast(token)
  const key = isText ? keyText(p, token) : read
  if (!p.take('=')) p.expect(':', '`=` or `:` after the key')
  return { key, value: expression(p, 'a value') }
}

function keyText(p: Cursor, { start, end }: Token): Template {
  const offsets = Array.from({ length: end - start + 1 }, (_, i) => start + i)
  const at = p.span(start, end)
  return { ...at, kind: 'template', parts: [{ ...at, kind: 'text', value: p.written(at), offsets }] }
}

function template(p: Cursor): Template {
  const opener = p.next()
  const isHeredoc = opener.kind === 'heredoc'
  const closer = isHeredoc ? 'heredoc-end' : 'unquote'
  const pieces: Piece[] = []
  const open: string[] = []
  const before = p.isLoose
  let trims = false
  for (;;) {
    // The strings of a template have no line breaks.
    p.isLoose = false
    const token = p.next()
    if (token.kind === closer) {
      if (open.length > 0) p.fail(`\`%{ end${open.at(-1)?.replace('else', 'if')} }\``, undefined, token)
      break
    }
    if (token.kind === 'text') {
      const [first, ...others] = literals(p.span(token.start, token.end), isHeredoc)
      if (first) pieces.push(trims ? trimmedStart(first) : first, ...others)
      trims = false
    } else {
      const last = pieces.at(-1)
      if (p.written(token).endsWith('~') && last?.kind === 'text') pieces[pieces.length - 1] = trimmedEnd(last)
      trims = hole(p, token, open, pieces)
    }
  }
  p.isLoose = before
  if (isHeredoc && p.end === p.source.text.length) {
    p.skipLines()
    p.fail('a line break after the text')
  }
  const isFlush = p.written(opener).startsWith('<<-')
  return { ...p.span(opener.start), kind: 'template', parts: nestDirectives(isFlush ? withoutIndentation(pieces) : pieces) }
}

/** Parses the content between `${` or `%{` and its brace. True where it ends with `~}`. */
function hole(p: Cursor, opener: Token, open: string[], pieces: Piece[]): boolean {
  p.isLoose = true
  const isDirective = p.written(opener).startsWith('%')
  const content: SequenceContent = isDirective ? directive(p, open) : { kind: 'value', expression: expression(p, 'a value') }
  p.take('~')
  if (p.peek().kind !== 'unhole') p.fail('`}`')
  p.next()
  pieces.push({ ...p.span(opener.start), ...content })
  return p.source.text[p.end - 2] === '~'
}

/** `open`: the directives around it that wait for their end. */
function directive(p: Cursor, open: string[]): SequenceContent {
  const word = p.peek()
  const name = p.written(word)
  if (!['if', 'else', 'endif', 'for', 'endfor'].includes(name)) p.fail('`if`, `else`, `endif`, `for` or `endfor`')
  p.next()
  if (name === 'if' || name === 'for') {
    open.push(name)
    return name === 'if' ? { kind: 'if', condition: expression(p, 'a condition') } : { kind: 'for', ...forIntro(p) }
  }
  const expected = name === 'endfor' ? 'for' : 'if'
  const last = open.pop()
  if (last !== expected && !(name === 'endif' && last === 'else'))
    p.fail(`what \`${name}\` belongs to`, `\`%{ ${name} }\` goes with \`%{ ${expected} … }\``, word)
  if (name !== 'else') return { kind: 'end' }
  open.push('else')
  return { kind: 'else' }
}
