import type { Position, Range, Diagnostic as Shown } from 'vscode-languageserver'
import type { Lines } from '../source.ts'
import { differing, type Encoding, positionAt } from './positions.ts'

/** The one stretch in which two versions of a text differ. */
export interface Edited {
  readonly start: Position
  /** Its end in the earlier version. */
  readonly oldEnd: Position
  /** Its end in the later one. */
  readonly newEnd: Position
}

/** An edit that touches all of a text. */
export const everything: Edited = {
  start: { line: 0, character: 0 },
  oldEnd: { line: Number.MAX_SAFE_INTEGER, character: 0 },
  newEnd: { line: 0, character: 0 },
}

/** Undefined where both versions are the same. */
export function editedBetween(before: Lines, after: Lines, encoding: Encoding): Edited | undefined {
  const [old, present] = [before.text, after.text]
  if (old === present) return undefined
  const { start, oldEnd, newEnd } = differing(old, present)
  return {
    start: positionAt(before, start, encoding),
    oldEnd: positionAt(before, oldEnd, encoding),
    newEnd: positionAt(after, newEnd, encoding),
  }
}

/** Findings of an earlier version at their places in the later one, without those that the edit touches. */
export function carriedOver(findings: readonly Shown[], uri: string, edited: Edited): readonly Shown[] {
  return findings.flatMap((finding) => {
    const range = movedRange(finding.range, edited)
    if (!range) return []
    const related = finding.relatedInformation?.flatMap((each) => {
      if (each.location.uri !== uri) return [each]
      const moved = movedRange(each.location.range, edited)
      return moved ? [{ ...each, location: { uri, range: moved } }] : []
    })
    return [{ ...finding, range, ...(related && { relatedInformation: related }) }]
  })
}

/** Undefined where the edit touches it. */
function movedRange(range: Range, { start, oldEnd, newEnd }: Edited): Range | undefined {
  if (compare(range.end, start) < 0) return range
  if (compare(range.start, oldEnd) <= 0) return undefined
  const moved = ({ line, character }: Position): Position => ({
    line: line + newEnd.line - oldEnd.line,
    character: line === oldEnd.line ? character + newEnd.character - oldEnd.character : character,
  })
  return { start: moved(range.start), end: moved(range.end) }
}

/** Negative where a position is before another one. */
export function compare(a: Position, b: Position): number {
  return a.line - b.line || a.character - b.character
}
