/**
 * The candidate closest to a misspelt word, or undefined when none is close enough to be a likely slip: at most a third
 * of the letters changed, counting an inserted, missing or wrong letter as one change, case as a third of one, and two swapped
 * letters as a little less than one: of two words at one letter, that with the same letters was meant.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let bestCost = Math.max(1, Math.floor(Math.min(word.length, 64) / 3)) + 0.01
  for (const candidate of candidates) {
    if (candidate === word || Math.abs(candidate.length - word.length) >= bestCost) continue
    const cost = distance(word, candidate, bestCost)
    if (cost < bestCost) {
      best = candidate
      bestCost = cost
    }
  }
  return best
}

/** The same for names of several words, of which one may be written alone: `guard` for `production guard`. */
export function nearestName(text: string, names: Iterable<string>): string | undefined {
  const all = [...names]
  const closest = nearest(text, all)
  if (closest !== undefined) return closest
  const asked = wordsIn(text)
  const isLike = (name: string, word: string) => wordsIn(name).some((own) => own === word || nearest(word, [own]) !== undefined)
  return asked.length === 0 ? undefined : all.find((name) => name !== text && asked.every((word) => word.length > 2 && isLike(name, word)))
}

const wordsIn = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/**
 * Whether two words differ as a slip makes them differ: in case alone, in a letter that was held too long, or in one letter
 * that is inserted, missing, wrong or swapped with the next one. Short words are too near to each other for the last.
 */
export function isSlip(written: string, meant: string): boolean {
  const [a, b] = [written.toLowerCase(), meant.toLowerCase()]
  if (a === b || withoutRuns(a) === withoutRuns(b)) return true
  return Math.min(a.length, b.length) > 2 && Math.max(a.length, b.length) > 3 && distance(a, b, 1) <= 1
}

function withoutRuns(text: string): string {
  return text.replace(/(.)\1+/g, '$1')
}

/** Optimal string alignment distance; gives up (Infinity) once `limit` is passed. Inputs over 64 letters never match. */
function distance(a: string, b: string, limit: number): number {
  if (a.length > 64 || b.length > 64) return Number.POSITIVE_INFINITY
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const [x, y] = [a[i - 1] as string, b[j - 1] as string]
      const swap = x === y ? 0 : x.toLowerCase() === y.toLowerCase() ? 1 / 3 : 1
      let cost = Math.min((previous[j] as number) + 1, (current[j - 1] as number) + 1, (previous[j - 1] as number) + swap)
      if (i > 1 && j > 1 && x === b[j - 2] && y === a[i - 2]) cost = Math.min(cost, (before[j - 2] as number) + 0.9)
      current.push(cost)
      least = Math.min(least, cost)
    }
    if (least > limit) return Number.POSITIVE_INFINITY
    before = previous
    previous = current
  }
  return previous[b.length] as number
}
