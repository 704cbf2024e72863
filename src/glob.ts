import { partitionPoint, pushTo } from './collections.ts'
/**
 * The only wildcard code. `*` stands for any run of characters, the empty one included; every other character stands
 * for itself (docs/semantics.md, Names). No regular expression is ever built from a pattern.
 */
export interface Glob {
  readonly text: string
  /** The literal pieces between wildcards: `a*b` has ["a", "b"], `*` has ["", ""], `a` has ["a"]. `**` counts as `*`. */
  readonly pieces: readonly string[]
  /** The source text in its place, where not all of it is known: the pattern is then an upper bound. */
  readonly words?: string
}

/** A name or pattern as it is written in its source. */
export function writtenAs({ text, words, glob }: { readonly text: string; readonly words?: string; readonly glob?: Glob }): string {
  return words ?? glob?.words ?? text
}

/** Split a pattern once. Any text is a pattern. */
export function glob(text: string): Glob {
  const first = text.indexOf('*')
  if (first < 0) return { text, pieces: [text] }
  if (first === text.length - 1) return { text, pieces: [text.slice(0, first), ''] }
  const parts = text.split('*')
  return { text, pieces: parts.filter((piece, i) => piece !== '' || i === 0 || i === parts.length - 1) }
}

/** Whether a pattern holds a wildcard. */
export function isPattern(pattern: Glob): boolean {
  return pattern.pieces.length > 1
}

/** Whether a wildcard is neither first nor last: legal text whose meaning is not published. */
export function hasInnerWildcard({ pieces }: Glob): boolean {
  for (let star = 0; star < pieces.length - 1; star++) {
    const isFirst = star === 0 && pieces[0] === ''
    // Only the first and the last piece can be empty.
    const isLast = pieces[star + 1] === ''
    if (!isFirst && !isLast) return true
  }
  return false
}

/** Whether the pattern matches the whole text. Linear in the lengths of both. */
export function matches(pattern: Glob, text: string): boolean {
  const { pieces } = pattern
  const count = pieces.length
  if (count === 1) return pattern.text === text
  const head = pieces[0] as string
  const tail = pieces[count - 1] as string
  const end = text.length - tail.length
  if (head.length > end || !text.startsWith(head) || !text.endsWith(tail)) return false
  let from = head.length
  for (let i = 1; i < count - 1; i++) {
    const piece = pieces[i] as string
    const pieceIndex = find(text, piece, from)
    if (pieceIndex < 0 || pieceIndex + piece.length > end) return false
    from = pieceIndex + piece.length
  }
  return true
}

/** `indexOf` that stays linear for long pieces: the built-in one may take |piece| × |text| steps. */
function find(text: string, piece: string, from: number): number {
  if (piece.length < 32) return text.indexOf(piece, from)
  const fallback = new Int32Array(piece.length)
  for (let i = 1, k = 0; i < piece.length; i++) {
    while (k > 0 && piece[i] !== piece[k]) k = fallback[k - 1] as number
    if (piece[i] === piece[k]) k++
    fallback[i] = k
  }
  for (let i = from, k = 0; i < text.length; i++) {
    while (k > 0 && text[i] !== piece[k]) k = fallback[k - 1] as number
    if (text[i] === piece[k]) k++
    if (k === piece.length) return i - k + 1
  }
  return -1
}

/**
 * A letter that occurs in none of the strings: the fresh letter of the inclusion lemma (docs/analysis.md, Fresh letters). It is
 * taken from the top of the basic plane, where no readable text is.
 */
export function freshLetter(...texts: readonly string[]): string {
  for (let code = 0xffff; ; code--) {
    const letter = String.fromCharCode(code)
    if (!texts.some((text) => text.includes(letter))) return letter
  }
}

/** The pattern's own word: every wildcard filled with one letter. With a fresh letter, what matches it covers the pattern. */
export function fillWildcards(pattern: Glob, letter: string): string {
  return pattern.pieces.join(letter)
}

/**
 * Whether `wide` matches everything that `narrow` matches. Exact and linear: no piece of `wide` holds a `*`, so the wildcards of
 * `narrow` are letters that occur in none of them (docs/analysis.md, Fresh letters).
 */
export function covers(wide: Glob, narrow: Glob): boolean {
  return matches(wide, narrow.text) && (isPattern(wide) || !isPattern(narrow))
}

/** Whether some text matches both. With a wildcard on both sides only the ends can disagree. */
export function overlaps(a: Glob, b: Glob): boolean {
  if (a.pieces.length === 1) return matches(b, a.text)
  if (b.pieces.length === 1) return matches(a, b.text)
  const [headA, headB] = [a.pieces[0] as string, b.pieces[0] as string]
  const [tailA, tailB] = [a.pieces.at(-1) as string, b.pieces.at(-1) as string]
  return (
    (headA.length < headB.length ? headB.startsWith(headA) : headA.startsWith(headB)) &&
    (tailA.length < tailB.length ? tailB.endsWith(tailA) : tailA.endsWith(tailB))
  )
}

/** How many patterns an intersection may be made of before it is given up: infix pieces interleave in many ways. */
const intersectionLimit = 4096

/**
 * Patterns that together match exactly what both match, none covered by another, in a fixed order. Empty when nothing
 * matches both; undefined when more than a few thousand would be needed, which only stacks of inner wildcards reach.
 */
export function intersection(a: Glob, b: Glob): readonly Glob[] | undefined {
  if (!overlaps(a, b)) return []
  if (covers(a, b)) return [b]
  if (covers(b, a)) return [a]
  const merged = merge(withoutDoubles(a), withoutDoubles(b))
  return merged && uncovered(merged.map(glob))
}

/** Those of the patterns that no other covers; of equal ones the first. */
export function uncovered(patterns: readonly Glob[]): readonly Glob[] {
  if (patterns.length < 2) return patterns
  const candidates = new Covering(patterns)
  return patterns.filter((pattern, i) => {
    for (const j of candidates.of(pattern)) if (j !== i && (j < i || !covers(pattern, patterns[j] as Glob))) return false
    return true
  })
}

/**
 * Patterns prepared for the question which of them cover another: of many plain names, and of many that end in their only
 * wildcard, only those are looked at that do.
 */
export class Covering {
  private readonly patterns: readonly Glob[]
  /** Literal names, and the text in front of a final wildcard by its length; each with the indices of the patterns. */
  private readonly names = new Map<string, number[]>()
  private readonly starts = new Map<number, Map<string, number[]>>()
  private readonly others: number[] = []

  constructor(patterns: readonly Glob[]) {
    this.patterns = patterns
    for (const [place, { text, pieces }] of patterns.entries()) {
      const [start = ''] = pieces
      if (pieces.length === 1) add(this.names, text, place)
      else if (pieces.length === 2 && pieces[1] === '') {
        const ofLength = this.starts.get(start.length) ?? new Map<string, number[]>()
        this.starts.set(start.length, ofLength)
        add(ofLength, start, place)
      } else this.others.push(place)
    }
  }

  /** The places of the patterns that cover a pattern, in no particular order. */
  *of(narrow: Glob): Iterable<number> {
    const { text } = narrow
    if (!isPattern(narrow)) yield* this.names.get(text) ?? []
    for (const [length, ofLength] of this.starts) if (length <= text.length) yield* ofLength.get(text.slice(0, length)) ?? []
    for (const place of this.others) if (covers(this.patterns[place] as Glob, narrow)) yield place
  }

  /** Whether some pattern covers a pattern. */
  has(narrow: Glob): boolean {
    const { text } = narrow
    if (!isPattern(narrow) && this.names.has(text)) return true
    // Asked most often of all: without a generator, and `false` needs no list.
    for (const [length, ofLength] of this.starts) if (length <= text.length && ofLength.has(text.slice(0, length))) return true
    return this.others.some((place) => covers(this.patterns[place] as Glob, narrow))
  }
}

function add(map: Map<string, number[]>, key: string, place: number): void {
  pushTo(map, key, place)
}

function withoutDoubles({ pieces }: Glob): string {
  return pieces.join('*')
}

/**
 * The two-index merge, from the ends backwards: a wildcard either ends or takes the other side's next character. Where both are
 * at a wildcard, one of the two ends first. Row by row, so that depth does not follow the input.
 */
function merge(a: string, b: string): readonly string[] | undefined {
  let below: Set<string>[] = []
  for (let i = a.length; i >= 0; i--) {
    const row: Set<string>[] = []
    for (let j = b.length; j >= 0; j--) {
      const out = new Set<string>()
      const [x, y] = [a[i], b[j]]
      const add = (prefix: string, rest: Iterable<string> | undefined) => {
        for (const r of rest ?? []) out.add(prefix + r)
      }
      if (x === undefined && y === undefined) out.add('')
      else if (x === '*' && y === '*') {
        add('*', below[j])
        add('*', row[j + 1])
      } else if (x === '*') {
        add('', below[j])
        if (y !== undefined) add(y, row[j + 1])
      } else if (y === '*') {
        add('', row[j + 1])
        if (x !== undefined) add(x, below[j])
      } else if (x === y && x !== undefined) add(x, below[j + 1])
      if (out.size > intersectionLimit) return undefined
      row[j] = out
    }
    below = row
  }
  return [...(below[0] as Set<string>)].sort()
}

/** Names, sorted: those that a pattern matches are looked for among those that begin as it does. */
export class SortedNames {
  private readonly sorted: readonly string[]

  constructor(names: Iterable<string>) {
    this.sorted = [...names].sort()
  }

  /** Whether a pattern matches one of them. */
  hasSome(pattern: Glob): boolean {
    return this.candidates(pattern).some((name) => matches(pattern, name))
  }

  /** Those that a pattern matches, sorted. */
  matching(pattern: Glob): readonly string[] {
    return this.candidates(pattern).filter((name) => matches(pattern, name))
  }

  private candidates({ pieces }: Glob): readonly string[] {
    const start = pieces[0] as string
    const first = partitionPoint(this.sorted, (name) => name < start)
    return this.sorted.slice(
      first,
      partitionPoint(this.sorted, (name) => name < start || name.startsWith(start)),
    )
  }
}
