import { madeIn } from '../collections.ts'
import { Replacements } from './replacements.ts'

/**
 * Other names for names and patterns, so that a pattern matches a name exactly where it did before. Names are cut into words where their
 * letters and digits end, and further where a wildcard of some pattern may begin or end; each piece has one replacement everywhere.
 */

/** A name or a pattern as the literal strings around its wildcards. */
export type Pieces = readonly string[]

/** The replacement of a literal string. */
export type Rename = (literal: string) => string

export interface NamesToReplace {
  readonly names: Iterable<Pieces>
  /** Words that stay wherever they are: those of the public types of resources that are named. */
  readonly kept: ReadonlySet<string>
  /** Replacements that are not free to choose: of the brand. */
  readonly fixed: ReadonlyMap<string, string>
  /** Whether a word may be used: it resembles none of the input. */
  readonly mayUse: (word: string) => boolean
}

/** The most comparisons of words with the ends of patterns. */
const mostCompared = 2_000_000

const identifier = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu
const wordForm = /(?<![\p{L}\p{M}\p{N}])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\p{L}\p{M}\p{N}])|[\p{L}\p{M}\p{N}]+/giu
const isNumber = (word: string) => /^[0-9]+$/.test(word)

/** A word at the end of a piece, next to a wildcard: others may begin with it, end with it, or hold it. */
interface End {
  readonly word: string
  readonly isOpenBefore: boolean
  readonly isOpenBehind: boolean
}

/**
 * Replacements of words by words: short, readable, and without the lengths of the names. Undefined where there are not enough words, or too
 * many patterns. Whether every pattern still matches what it matched has to be checked: a few odd ones do not.
 */
export function byWords({ names, kept, fixed, mayUse }: NamesToReplace): Rename | undefined {
  const all = [...names]
  const ends = all.flatMap(endsOf)
  const allWords = new Set(all.flatMap((pieces) => pieces.flatMap(wordsIn)))
  const keptIn = keptWords(kept, ends)
  const cuts = cutsOf(
    [...allWords].filter((word) => !keptIn(word)),
    ends,
  )
  if (!cuts) return undefined
  const numbers = new Set([...cuts].flatMap(([word, places]) => cutAt(word, places).filter(isNumber))).size
  const replacements = new Replacements(mayUse, numbers)
  const bases = new Map<string, string>()
  const variants = new Map<string, string[]>()
  const replaced = new Map<string, string>()
  let isShort = false
  const nextOr = (next: string | undefined): string => {
    if (next === undefined) isShort = true
    return next ?? ''
  }
  const replacementOf = (part: string): string => {
    if (isNumber(part)) return nextOr(replacements.number())
    const plain = part.toLowerCase()
    const base = madeIn(bases, plain, () => nextOr(replacements.word()))
    return withCase(
      base,
      part,
      madeIn(variants, plain, () => []),
    )
  }
  const replacedWhole = (word: string): string => {
    if (keptIn(word)) return word
    const usual = fixed.get(word)
    if (usual !== undefined && (cuts.get(word) ?? new Set()).size === 0) return usual
    return cutAt(word, cuts.get(word) ?? new Set())
      .map((part) => (keptIn(part) ? part : madeIn(replaced, part, replacementOf)))
      .join('')
  }
  let identifiers = 0
  const whole = new Map<string, string>()
  const rename: Rename = (literal) =>
    literal.replace(wordForm, (word) =>
      madeIn(whole, word, () =>
        identifier.test(word) && (cuts.get(word)?.size ?? 0) === 0 ? identifierOf(++identifiers, mayUse) : replacedWhole(word),
      ),
    )
  // In the order in which they are written, so that none depends on what is asked for first.
  for (const pieces of all) for (const piece of pieces) rename(piece)
  return isShort ? undefined : rename
}

/** An identifier of the usual form with a number in it. */
function identifierOf(number: number, mayUse: (word: string) => boolean): string {
  for (let i = number; ; i += 1000) {
    const last = String(i).padStart(12, '0')
    if (mayUse(last) || i > 1_000_000) return `00000000-0000-4000-8000-${last}`
  }
}

/** The identifiers that are written in the place of others. */
export const writtenIdentifier = /00000000-0000-4000-8000-\d{12}/g

function wordsIn(piece: string): readonly string[] {
  return piece.match(wordForm) ?? []
}

/** Whether a word stays: one of `kept`, or the part of one at the end of a pattern. */
function keptWords(kept: ReadonlySet<string>, ends: readonly End[]): (word: string) => boolean {
  const parts = new Set(ends.flatMap(({ word }) => ([...kept].some((whole) => whole.includes(word)) ? [word] : [])))
  return (word) => kept.has(word) || parts.has(word)
}

/** The words of a pattern that are next to a wildcard. */
function endsOf(pieces: Pieces): readonly End[] {
  return pieces.flatMap((piece, i): readonly End[] => {
    const [isOpenBefore, isOpenBehind] = [i > 0, i < pieces.length - 1]
    const matched = [...piece.matchAll(wordForm)]
    const [first, last] = [matched[0], matched.at(-1)]
    if (!first || !last) return []
    const begins = isOpenBefore && first.index === 0
    const finishes = isOpenBehind && last.index + last[0].length === piece.length
    if (first === last) return begins || finishes ? [{ word: first[0], isOpenBefore: begins, isOpenBehind: finishes }] : []
    return [
      ...(begins ? [{ word: first[0], isOpenBefore: true, isOpenBehind: false }] : []),
      ...(finishes ? [{ word: last[0], isOpenBefore: false, isOpenBehind: true }] : []),
    ]
  })
}

/** The places at which words have to be cut; undefined where these are too many to look for. */
function cutsOf(words: readonly string[], ends: readonly End[]): ReadonlyMap<string, ReadonlySet<number>> | undefined {
  const cuts = new Map(words.map((word) => [word, new Set<number>()]))
  let remaining = mostCompared
  for (let before = -1, count = 0; before !== count; ) {
    before = count
    for (const [word, places] of cuts) {
      for (const end of ends) {
        if (end.word.length >= word.length) continue
        remaining -= word.length
        if (remaining < 0) return undefined
        for (const offset of occurrences(end, word)) {
          // Where one word is within another, both are cut alike.
          const inner = cuts.get(end.word) ?? []
          for (const place of [0, end.word.length, ...inner])
            if (offset + place > 0 && offset + place < word.length) places.add(offset + place)
        }
      }
    }
    count = [...cuts.values()].reduce((sum, { size }) => sum + size, 0)
  }
  return cuts
}

function occurrences({ word: part, isOpenBefore, isOpenBehind }: End, word: string): readonly number[] {
  if (!isOpenBefore) return word.startsWith(part) ? [0] : []
  if (!isOpenBehind) return word.endsWith(part) ? [word.length - part.length] : []
  const offsets: number[] = []
  for (let offset = word.indexOf(part); offset >= 0; offset = word.indexOf(part, offset + 1)) offsets.push(offset)
  return offsets
}

function cutAt(word: string, places: ReadonlySet<number>): readonly string[] {
  const bounds = [0, ...[...places].sort((a, b) => a - b), word.length]
  return bounds.slice(1).map((end, i) => word.slice(bounds[i], end))
}

/** A word with the case and the kind of letters of another. `variants`: those of mixed case that have the same word. */
function withCase(base: string, like: string, variants: string[]): string {
  const marked = /[^\0-\x7f]/.test(like) ? `${base}${like.normalize('NFC') === like ? 'é' : 'e\u0301'}` : base
  if (like === like.toLowerCase()) return marked
  if (like === like.toUpperCase()) return marked.toUpperCase()
  const capital = marked.charAt(0).toUpperCase() + marked.slice(1)
  if (like === like.charAt(0).toUpperCase() + like.slice(1).toLowerCase()) return capital
  if (!variants.includes(like)) variants.push(like)
  const place = 1 + (variants.indexOf(like) % (base.length - 1))
  return marked.slice(0, place) + marked.charAt(place).toUpperCase() + marked.slice(place + 1)
}

/**
 * Replacements of letters by letters, for patterns that cut names where words cannot: a pattern matches exactly what it matched, whatever it is.
 * Lengths stay, and so does the place of each letter. `shift`: which of several such replacements.
 */
export function byLetters({ names, kept, fixed }: NamesToReplace, shift: number): Rename {
  const all = [...names]
  const keptIn = keptWords(kept, all.flatMap(endsOf))
  const alphabets = ['abcdefghijklmnopqrstuvwxyz', '0123456789'].map((letters) => ({ letters, given: new Map<string, string>() }))
  const plainOf = (letter: string): string => {
    const alphabet = alphabets.find(({ letters }) => letters.includes(letter))
    if (!alphabet) return letter
    const { letters, given } = alphabet
    return madeIn(given, letter, () => letters.charAt((given.size + shift) % letters.length))
  }
  const wide = new Map<string, string>()
  const letterOf = (letter: string): string => {
    const lower = letter.toLowerCase()
    if (/[a-z0-9]/.test(lower)) return letter === lower ? plainOf(letter) : plainOf(lower).toUpperCase()
    return /[\p{L}\p{N}]/u.test(letter) ? madeIn(wide, letter, () => String.fromCodePoint(0x4e00 + wide.size)) : letter
  }
  const rename: Rename = (literal) =>
    literal.replace(wordForm, (word) => (keptIn(word) ? word : (fixed.get(word) ?? [...word].map(letterOf).join(''))))
  for (const pieces of all) for (const piece of pieces) rename(piece)
  return rename
}
