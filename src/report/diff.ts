/** Lines around a change that are shown with it. */
const context = 3
/** Past so many differing lines the whole stretch is shown as replaced: finding the least difference would take long. */
const mostDifferences = 500

/** Lines `fromA`–`toA` of the one text stand for `fromB`–`toB` of the other; from 0, ends exclusive. */
interface Change {
  readonly fromA: number
  readonly toA: number
  readonly fromB: number
  readonly toB: number
}

/**
 * Two versions of a text as a unified diff, as `git apply` and `patch -p1` read it; '' when they are the same. Lines keep
 * their line breaks: those of Windows are part of the line.
 */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return ''
  const [a, b] = [linesOf(before), linesOf(after)]
  const hunks: Change[][] = []
  for (const change of changesOf(a, b)) {
    const last = hunks.at(-1)
    if (last && change.fromA - (last.at(-1) as Change).toA <= 2 * context) last.push(change)
    else hunks.push([change])
  }
  return `--- ${named(`a/${path}`)}\n+++ ${named(`b/${path}`)}\n${hunks.map((changes) => hunkText(a, b, changes)).join('')}`
}

const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '"': '\\"', '\\': '\\\\' }

/** A name as `git apply` reads it: in quotes where a character in it would end the line or the name. */
function named(path: string): string {
  const quoted = path.replace(/[\0-\x1f"\\\x7f]/g, (c) => escapes[c] ?? `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`)
  return quoted === path ? path : `"${quoted}"`
}

/** Lines with their line breaks. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function hunkText(a: readonly string[], b: readonly string[], changes: readonly Change[]): string {
  const [first, last] = [changes[0] as Change, changes.at(-1) as Change]
  const start = Math.max(0, first.fromA - context)
  const end = Math.min(a.length, last.toA + context)
  const startB = first.fromB - (first.fromA - start)
  const endB = last.toB + (end - last.toA)
  let out = `@@ -${range(start, end)} +${range(startB, endB)} @@\n`
  let at = start
  const add = (mark: string, lines: readonly string[]) => {
    for (const line of lines) out += line.endsWith('\n') ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`
  }
  for (const { fromA, toA, fromB, toB } of changes) {
    add(' ', a.slice(at, fromA))
    add('-', a.slice(fromA, toA))
    add('+', b.slice(fromB, toB))
    at = toA
  }
  add(' ', a.slice(at, end))
  return out
}

/** Lines from 1; an empty stretch is named by the line before it. */
function range(from: number, to: number): string {
  const count = to - from
  return `${count === 0 ? from : from + 1}${count === 1 ? '' : `,${count}`}`
}

/** The stretches that differ, in order. */
function changesOf(a: readonly string[], b: readonly string[]): readonly Change[] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let [endA, endB] = [a.length, b.length]
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--
    endB--
  }
  const pairs = commonLines(a.slice(start, endA), b.slice(start, endB))
  const changes: Change[] = []
  let [fromA, fromB] = [start, start]
  for (const [x, y] of [...pairs, [endA - start, endB - start] as const]) {
    const [toA, toB] = [start + x, start + y]
    if (toA > fromA || toB > fromB) changes.push({ fromA, toA, fromB, toB })
    fromA = toA + 1
    fromB = toB + 1
  }
  return changes
}

/** Pairs of equal lines, the most there are in order (Myers, An O(ND) Difference Algorithm, 1986); none past the limit. */
function commonLines(a: readonly string[], b: readonly string[]): readonly (readonly [number, number])[] {
  const furthest = new Map<number, number>([[1, 0]])
  const trace: ReadonlyMap<number, number>[] = []
  const most = Math.min(a.length + b.length, mostDifferences)
  for (let d = 0; d <= most; d++) {
    trace.push(new Map(furthest))
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && (furthest.get(k - 1) as number) < (furthest.get(k + 1) as number))
      let x = down ? (furthest.get(k + 1) as number) : (furthest.get(k - 1) as number) + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      furthest.set(k, x)
      if (x >= a.length && x - k >= b.length) return pairsOf(trace, a.length, b.length)
    }
  }
  return []
}

function pairsOf(trace: readonly ReadonlyMap<number, number>[], lengthA: number, lengthB: number): readonly (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = []
  let [x, y] = [lengthA, lengthB]
  for (let d = trace.length - 1; d >= 0; d--) {
    const furthest = trace[d] as ReadonlyMap<number, number>
    const k = x - y
    const down = k === -d || (k !== d && (furthest.get(k - 1) as number) < (furthest.get(k + 1) as number))
    const before = down ? k + 1 : k - 1
    const fromX = d === 0 ? 0 : (furthest.get(before) as number)
    const fromY = d === 0 ? 0 : fromX - before
    // One line that only one of them has, then lines that both have.
    const [stepX, stepY] = d === 0 ? [0, 0] : down ? [fromX, fromY + 1] : [fromX + 1, fromY]
    while (x > stepX && y > stepY) pairs.push([--x, --y])
    ;[x, y] = [fromX, fromY]
  }
  return pairs.reverse()
}
