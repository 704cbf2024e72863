import type { Glob } from '../glob.ts'

/**
 * Cedar's notation: strings, patterns, entities and boolean expressions. Expressions are built as values, so that constants are
 * folded away and no text of a policy can break out of its place.
 */

/** A boolean expression. `unit` needs no parentheses on either side of `&&` and `||`. */
export type Expression =
  | boolean
  | { readonly kind: 'unit'; readonly text: string }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Expression[] }

export function unit(text: string): Expression {
  return { kind: 'unit', text }
}

/** All of them hold; of none: true. */
export function all(parts: readonly Expression[]): Expression {
  return joined('and', parts, false)
}

/** One of them holds; of none: false. */
export function any(parts: readonly Expression[]): Expression {
  return joined('or', parts, true)
}

/** `decisive` is the constant that settles the whole; the other one says nothing. */
function joined(kind: 'and' | 'or', parts: readonly Expression[], decisive: boolean): Expression {
  if (parts.includes(decisive)) return decisive
  const open = parts.filter((part) => typeof part !== 'boolean').flatMap((part) => (part.kind === kind ? part.parts : [part]))
  const [first, ...others] = open
  if (first === undefined) return !decisive
  return others.length === 0 ? first : { kind, parts: open }
}

export function negated(expression: Expression): Expression {
  return typeof expression === 'boolean' ? !expression : unit(`!(${printed(expression)})`)
}

const signs = { and: ' && ', or: ' || ' } as const

/** Operands side by side at most: Cedar's parser and evaluator go one call deeper for each, and their stack is small. */
const mostOperands = 32

export function printed(expression: Expression): string {
  if (typeof expression === 'boolean') return String(expression)
  if (expression.kind === 'unit') return expression.text
  return operands(expression).join(signs[expression.kind])
}

/** An expression as lines: one when it is short, else one for each operand of the outermost `&&` or `||`. */
export function printedLines(expression: Expression): readonly string[] {
  const line = printed(expression)
  if (typeof expression === 'boolean' || expression.kind === 'unit' || line.length <= 100) return [line]
  const parts = operands(expression)
  return parts.map((part, i) => (i < parts.length - 1 ? part + signs[expression.kind].trimEnd() : part))
}

function operands({ kind, parts }: Extract<Expression, { readonly kind: 'and' | 'or' }>): readonly string[] {
  const strings = parts.map((part) => (typeof part === 'boolean' || part.kind === 'unit' ? printed(part) : `(${printed(part)})`))
  return grouped(strings, signs[kind])
}

/** The same operands, in parentheses in groups of groups where there are many. */
function grouped(strings: readonly string[], sign: string): readonly string[] {
  if (strings.length <= mostOperands) return strings
  const groups: string[] = []
  for (let i = 0; i < strings.length; i += mostOperands) {
    const group = strings.slice(i, i + mostOperands)
    groups.push(group.length === 1 ? (group[0] as string) : `(${group.join(sign)})`)
  }
  return grouped(groups, sign)
}

/** A text in quotation marks. Controls, invisible and direction-changing characters are written as `\u{…}`. */
export function quoted(text: string): string {
  return `"${escaped(text)}"`
}

/** The right side of `like`: the wildcard is the same as ours, and a literal star is written `\*`. */
export function likePattern(pieces: Glob['pieces']): string {
  return `"${pieces.map((piece) => escaped(piece).replaceAll('*', '\\*')).join('*')}"`
}

function escaped(text: string): string {
  return text.replace(/["\\]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu, (c) =>
    c === '"' || c === '\\' ? `\\${c}` : `\\u{${(c.codePointAt(0) as number).toString(16)}}`,
  )
}

/** A list of items that are already in Cedar's notation. */
export function list(items: readonly string[]): string {
  return `[${items.join(', ')}]`
}
