import { compareText } from '../../diagnostic.ts'
import { fillWildcards, freshLetter, type Glob, isPattern, matches } from '../../glob.ts'
import type { Located } from '../../source.ts'
import type { Finding } from '../rule.ts'
import type { WithFix } from './fixes.ts'
import { quote } from './text.ts'

/**
 * How many characters may be compared in search of the patterns that have no quick way. Only lists of thousands of
 * wildcards that do not end their pattern come near it; past it the rest of those patterns is not looked at, so that
 * something redundant may go unmentioned, but nothing is said that is not so.
 */
const mostCharacters = 300_000_000

/**
 * For each of the `narrow` patterns the index of one of the `wide` ones that matches everything it matches, or undefined
 * (docs/analysis.md, Fresh letters). Where both are the same list an entry does not count for itself, and of equal ones only the
 * first counts. An empty list where a quick check shows that none is covered.
 */
export function coverers(narrow: readonly Glob[], wide: readonly Glob[] = narrow): readonly (number | undefined)[] {
  if (wide.length === 0 || (narrow === wide && wide.length < 2)) return noneCovered
  // Without wildcards only the same text covers one.
  if (narrow === wide && !wide.some(isPattern) && areDistinct(wide)) return noneCovered
  const letter = freshLetter([...narrow, ...wide].map((p) => p.text).join(''))
  const words = narrow.map((p) => fillWildcards(p, letter))
  const equals = new Map<string, number>()
  const prefixes: Prefix[] = []
  const others: number[] = []
  for (const [i, pattern] of wide.entries()) {
    const word = narrow === wide ? (words[i] as string) : fillWildcards(pattern, letter)
    if (equals.has(word)) continue
    equals.set(word, i)
    if (pattern.pieces.length === 2 && pattern.pieces[1] === '') prefixes.push({ head: pattern.pieces[0] as string, index: i })
    else if (pattern.pieces.length > 1) others.push(i)
  }
  const widest = widestPrefixes(words, prefixes)
  const length = words.reduce((sum, word) => sum + word.length + 16, 0)
  others.length = Math.min(others.length, Math.ceil(mostCharacters / Math.max(length, 1)))
  const self = (i: number) => (narrow === wide ? i : -1)
  return words.map((word, i) => {
    const equal = equals.get(word)
    if (equal !== undefined && equal !== self(i)) return equal
    const prefix = widest[i]
    if (prefix !== undefined && prefix !== self(i)) return prefix
    return others.find((other) => other !== self(i) && matches(wide[other] as Glob, word))
  })
}

/**
 * Findings for the entries of a list that another one covers. `wider`: what the other one is called; `fixOf`: the fix for
 * an entry, given the one that covers it, and whether they are the same.
 */
export function* redundantEntries<T extends { readonly text: string }>(
  entries: readonly Located<T>[],
  globOf: (value: T) => Glob,
  wider: string,
  fixOf: (entry: Located<T>, other: Located<T>, same: boolean) => WithFix = () => ({}),
): Iterable<Finding> {
  const by = coverers(entries.map(({ value }) => globOf(value)))
  if (by.length === 0) return
  for (const [i, entry] of entries.entries()) {
    const other = entries[by[i] ?? -1]
    if (!other) continue
    const same = other.value.text === entry.value.text
    yield {
      span: entry.span,
      message: `${quote(entry.value.text)} is ${same ? 'listed twice' : `covered by ${quote(other.value.text)}`}`,
      help: 'remove it: it has no effect',
      related: [{ message: same ? 'the first one' : wider, span: other.span }],
      ...fixOf(entry, other, same),
    }
  }
}

/** Whether no two patterns are the same. Lists are often sorted, and then comparing neighbours is enough. */
function areDistinct(list: readonly Glob[]): boolean {
  for (let i = 1; i < list.length; i++) {
    if ((list[i - 1] as Glob).text >= (list[i] as Glob).text) return new Set(list.map(({ text }) => text)).size === list.length
  }
  return true
}

const noneCovered: readonly undefined[] = []

interface Prefix {
  readonly head: string
  readonly index: number
}

/** For each word the index of the shortest prefix it starts with. In sorted order the prefixes of a word form a stack. */
function widestPrefixes(words: readonly string[], prefixes: readonly Prefix[]): readonly (number | undefined)[] {
  const heads = [...prefixes].sort((a, b) => compareText(a.head, b.head))
  const order = [...words.keys()].sort((a, b) => compareText(words[a] as string, words[b] as string))
  const prefixLengths: (number | undefined)[] = Array<undefined>(words.length).fill(undefined)
  let open: Prefix | undefined
  let next = 0
  for (const i of order) {
    const word = words[i] as string
    if (open && !word.startsWith(open.head)) open = undefined
    for (let prefix = heads[next]; prefix && compareText(prefix.head, word) <= 0; prefix = heads[++next]) {
      // Within an open prefix a longer one adds nothing.
      if (!open && word.startsWith(prefix.head)) open = prefix
    }
    prefixLengths[i] = open?.index
  }
  return prefixLengths
}
