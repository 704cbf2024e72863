import { filled, freshLetter, type Glob, matches } from '../../glob.ts'

/**
 * For each pattern the index of another of the list that matches everything it matches, or undefined. Of equal patterns
 * the first is the one that stays. The usual pattern, `*` only at its end, is looked up by its beginning; so thousands
 * of entries are compared in a moment.
 */
export function coverers(patterns: readonly Glob[]): readonly (number | undefined)[] {
  const letter = freshLetter(patterns.map((p) => p.text).join(''))
  const words = patterns.map((p) => filled(p, letter))
  const firsts = new Map<string, number>()
  const prefixes = new Map<string, number>()
  const others: number[] = []
  for (const [i, pattern] of patterns.entries()) {
    const word = words[i] as string
    if (firsts.has(word)) continue
    firsts.set(word, i)
    if (pattern.pieces.length === 2 && pattern.pieces[1] === '') prefixes.set(pattern.pieces[0] as string, i)
    else if (pattern.pieces.length > 1) others.push(i)
  }
  return words.map((word, i) => {
    const first = firsts.get(word)
    if (first !== i) return first
    for (let length = 0; length <= word.length; length++) {
      const found = prefixes.get(word.slice(0, length))
      if (found !== undefined && found !== i) return found
    }
    return others.find((other) => other !== i && matches(patterns[other] as Glob, word))
  })
}
