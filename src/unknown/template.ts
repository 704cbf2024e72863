import type { TextNode, UnknownNode } from '../tree.ts'

/** Whether nothing of a text is known. */
export function isWhole({ pieces }: UnknownNode): boolean {
  return pieces.every((piece) => piece === '')
}

/** The pieces of a template with strings between them. */
export function joinedBy(pieces: readonly string[], fills: readonly string[]): string {
  return pieces.map((piece, i) => (i === 0 ? piece : `${fills[i - 1]}${piece}`)).join('')
}

/**
 * The strings in the holes for which a template gives a text, each as short as possible; undefined where there are none, and
 * where it has no holes.
 */
export function fillsOf(pieces: readonly string[], text: string): readonly string[] | undefined {
  const [first = '', ...rest] = pieces
  const last = rest.at(-1)
  if (last === undefined) return undefined
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return undefined
  const end = text.length - last.length
  const fills: string[] = []
  let position = first.length
  for (const piece of rest.slice(0, -1)) {
    const pieceIndex = text.indexOf(piece, position)
    if (pieceIndex < 0 || pieceIndex + piece.length > end) return undefined
    fills.push(text.slice(position, pieceIndex))
    position = pieceIndex + piece.length
  }
  return [...fills, text.slice(position, end)]
}

/** The source expression in a hole. */
export function holeWords({ expression, pieces, holes }: UnknownNode, hole: number): string {
  const span = holes?.[hole]
  const written = span?.source.text.slice(span.start, span.end) ?? ''
  if (/^\$\{[^{}]*\}$/.test(written)) return written
  const [head = '', tail = ''] = [pieces[0], pieces.at(-1)]
  const isOnly = pieces.length === 2 && expression.startsWith(head) && expression.endsWith(tail)
  return isOnly ? expression.slice(head.length, expression.length - tail.length) : `\${${expression}}`
}

/** A template with strings in its holes: its written parts keep their places. */
export function templateNode({ source, start, end, pieces, offsets, holes }: UnknownNode, fills: readonly string[]): TextNode {
  const value = joinedBy(pieces, fills)
  if (!offsets || !holes) return { kind: 'text', value, source, start, end }
  const unitOffsets: number[] = []
  let written = 0
  for (const [i, piece] of pieces.entries()) {
    for (let unit = 0; unit < piece.length; unit++) unitOffsets.push(offsets[written++] as number)
    const hole = holes[i]
    const { length = 0 } = fills[i] ?? ''
    if (hole) for (let unit = 0; unit < length; unit++) unitOffsets.push(unit === 0 ? hole.start : hole.end)
  }
  unitOffsets.push((unitOffsets.at(-1) ?? start) + 1)
  return { kind: 'text', value, source, start, end, offsets: unitOffsets }
}
