/** Words and numbers in the place of those of the input. Each is taken once, in a fixed order, so that none says anything of what it replaces. */

const spoken =
  'alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey yankee zulu'.split(
    ' ',
  )

const consonants = 'bdfgklmnprstvz'
const vowels = 'aeiou'
/** Of words after the spoken ones: each of three syllables. */
const syllables = [...consonants].flatMap((consonant) => [...vowels].map((vowel) => consonant + vowel))
const mostWords = 20_000

/** The words in order, without end but for a limit that no reproduction reaches: first those of the spelling alphabet. */
function* words(): Generator<string> {
  yield* spoken
  for (let i = 0; i < mostWords; i++) {
    // Each step is far from the one before, so that words differ at their beginnings.
    const number = (i * 7919 + 4177) % syllables.length ** 3
    const [a, b, c] = [number % 70, Math.floor(number / 70) % 70, Math.floor(number / 4900)]
    yield `${syllables[a]}${syllables[b]}${syllables[c]}`
  }
}

/** Gives words and numbers, each once, without those that may not be used. */
export class Replacements {
  readonly #words = words()
  readonly #mayUse: (word: string) => boolean
  readonly #digits: number
  #number: number

  /** `numbers`: how many numbers are needed at most: all have as many digits, so that none is the beginning of another. */
  constructor(mayUse: (word: string) => boolean, numbers: number) {
    this.#mayUse = mayUse
    this.#digits = String(Math.max(9, numbers * 2)).length
    this.#number = this.#digits === 1 ? 0 : 10 ** (this.#digits - 1)
  }

  /** The next word; undefined where there is no more. */
  word(): string | undefined {
    for (let next = this.#words.next(); !next.done; next = this.#words.next()) if (this.#mayUse(next.value)) return next.value
    return undefined
  }

  number(): string | undefined {
    while (this.#number < 10 ** this.#digits - 1) {
      const next = String(++this.#number)
      if (next.length < shortestWord || this.#mayUse(next)) return next
    }
    return undefined
  }
}

/** Shorter runs of letters and digits say nothing of where they are from, and are in every text. */
export const shortestWord = 3
