import type { Span } from '../source.ts'
import { rawText } from '../texts.ts'
import type { ListNode, MapNode, Node } from '../tree.ts'
import { withoutBlanksAtEnd } from './layout.ts'
import { reindented } from './scalars.ts'

interface Token {
  readonly text: string
  readonly isComment: boolean
  /** It is a scalar, not a bracket or a sign. */
  readonly isScalar: boolean
  /** It begins its line. */
  readonly isFirst: boolean
}

/**
 * A list or map in brackets with the line breaks it has: its lines are indented by `base` and two blanks for each open bracket, at least by
 * `least`.
 */
export function laidOutFlow(node: ListNode | MapNode, comments: readonly Span[], base: number, least: number): string {
  let out = ''
  let depth = 0
  let before: Token | undefined
  const tokens = tokensOf(node, comments)
  for (const [i, token] of tokens.entries()) {
    const { text, isScalar, isFirst } = token
    const next = tokens[i + 1]
    // A comma in front of the closing bracket of its line.
    if (is(token, ',') && next && !next.isFirst && is(next, ']', '}')) continue
    if (is(token, ']', '}')) depth--
    const indent = Math.max(least, base + 2 * depth)
    out += isFirst ? `\n${' '.repeat(indent)}` : before && isSpaced(before, token) ? ' ' : ''
    out += isScalar ? reindented(text, Math.max(least, indent)) : text
    if (is(token, '[', '{')) depth++
    before = token
  }
  return out
}

function is({ text, isScalar, isComment }: Token, ...signs: readonly string[]): boolean {
  return !isScalar && !isComment && signs.includes(text)
}

/** Whether a blank is between two tokens of a line. */
function isSpaced(before: Token, after: Token): boolean {
  if (after.isComment) return true
  if (is(after, ',', ':', ']')) return false
  if (is(after, '}')) return !is(before, '{')
  return !is(before, '[')
}

function tokensOf(node: ListNode | MapNode, comments: readonly Span[]): readonly Token[] {
  const { text } = node.source
  const parts = [...scalarsOf(node).filter(({ start, end }) => start < end), ...comments].sort((a, b) => a.start - b.start)
  const tokens: Token[] = []
  let index = 0
  for (let offset = node.start; offset < node.end; ) {
    const blanksStart = offset
    while (/\s/.test(text[offset] ?? '')) offset++
    const isFirst = text.slice(blanksStart, offset).includes('\n')
    const part = parts[index]
    if (part && part.start === offset) {
      index++
      const isScalar = 'kind' in part
      const raw = isScalar ? rawText(part) : withoutBlanksAtEnd(text.slice(offset, part.end))
      tokens.push({ text: raw, isComment: !isScalar, isScalar, isFirst })
      offset = part.end
    } else if (offset < node.end) {
      tokens.push({ text: text[offset] as string, isComment: false, isScalar: false, isFirst })
      offset++
    }
  }
  return tokens
}

/** The keys and scalars in a value, in written order. */
function scalarsOf(node: Node): readonly Node[] {
  if (node.kind === 'list') return node.items.flatMap(scalarsOf)
  if (node.kind === 'map') return node.entries.flatMap(({ key, value }) => [key, ...scalarsOf(value)])
  return [node]
}
