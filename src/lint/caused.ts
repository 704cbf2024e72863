import type { Diagnostic } from '../diagnostic.ts'
import { keyOf } from '../keys.ts'

/**
 * The findings that a change can have caused: those in what changes, and those that were not there before it. `before` finds what
 * was, and is asked only where something is found elsewhere. A finding elsewhere is the same one where it has the same rule and
 * level in the same place: its words may name another request or another number, and that is nothing new.
 */
export async function causedBy(
  after: readonly Diagnostic[],
  isChanged: (path: string) => boolean,
  before: () => Promise<readonly Diagnostic[]>,
): Promise<readonly Diagnostic[]> {
  const isHere = ({ span }: Diagnostic) => isChanged(span.source.path)
  if (after.every(isHere)) return after
  const countsLeft = new Map<string, number>()
  const was = await before()
  for (const finding of was) countsLeft.set(placeKey(finding), (countsLeft.get(placeKey(finding)) ?? 0) + 1)
  return after.filter((finding) => {
    if (isHere(finding)) return true
    const count = countsLeft.get(placeKey(finding)) ?? 0
    countsLeft.set(placeKey(finding), count - 1)
    return count <= 0
  })
}

function placeKey({ code, severity, span: { source, start, end } }: Diagnostic): string {
  return keyOf(code, severity, start, end, source.path)
}
