import { type Glob, matches } from '../glob.ts'
import { hashedWord } from './byte-names.ts'
import { type Limits, usualLimits } from './limits.ts'

/**
 * Numbers for patterns, from 1, and for a string the numbers of all patterns that match it. Strings that the same patterns match
 * share one list, so that the place of the list identifies their class.
 */
export class PatternIndex {
  /** Lists one after another, each behind its length. Replaced when it grows: read it anew for each use. */
  pool: Int32Array = new Int32Array(1 << 10)
  /** Changes when places of lists lose their meaning. */
  epoch = 0
  /** How many patterns there are. */
  count = 0
  private end = 0
  private readonly exact = new Map<string, number>()
  private readonly prefixes = new Map<number, Map<string, number>>()
  private readonly otherNumbers = new Map<string, number>()
  private readonly others: { readonly pattern: Glob; readonly number: number }[] = []
  private remembered = new Map<string, number>()
  /** Lists by their numbers: one more than the place of each, 0 where a slot is free. */
  private classes = new Int32Array(1 << 8)
  private classCount = 0
  private readonly limits: Pick<Limits, 'texts' | 'places'>

  constructor(limits: Pick<Limits, 'texts' | 'places'> = usualLimits) {
    this.limits = limits
  }

  /** The number of a pattern. Where strings were looked up before, their cached lists have to be dropped. */
  add(pattern: Glob): number {
    // `a**` is `a*`: patterns of the same pieces are one, however they are written.
    const { pieces, text } = pattern
    if (pieces.length === 1) return this.numberIn(this.exact, text)
    const [head, second] = pieces as [string, string]
    if (second === '') {
      let prefixesOfLength = this.prefixes.get(head.length)
      if (!prefixesOfLength) {
        prefixesOfLength = new Map()
        this.prefixes.set(head.length, prefixesOfLength)
      }
      return this.numberIn(prefixesOfLength, head)
    }
    const before = this.count
    const number = this.numberIn(this.otherNumbers, pieces.join('*'))
    if (number > before) this.others.push({ pattern, number })
    return number
  }

  /** The number under a key, which is given the next one where it has none. */
  private numberIn(numbers: Map<string, number>, key: string): number {
    const existing = numbers.get(key)
    if (existing !== undefined) return existing
    numbers.set(key, ++this.count)
    return this.count
  }

  /** The same where the text is remembered. */
  known(text: string): number | undefined {
    return this.remembered.get(text)
  }

  /** The place in the pool of the list of a text: its length, then the numbers. */
  of(text: string): number {
    const known = this.remembered.get(text)
    return known === undefined ? this.learn(text) : known
  }

  /** The numbers of all patterns that match a text. */
  matching(text: string): readonly number[] {
    const place = this.of(text)
    return [...this.pool.subarray(place + 1, place + 1 + (this.pool[place] as number))]
  }

  private learn(text: string): number {
    if (this.remembered.size >= this.limits.texts) this.remembered = new Map()
    const place = this.find(text)
    this.remembered.set(text, place)
    return place
  }

  /** The same place, of a text that is neither looked up nor remembered: for callers that remember it themselves. */
  find(text: string): number {
    const patterns: number[] = []
    const ownNumber = this.exact.get(text)
    if (ownNumber !== undefined) patterns.push(ownNumber)
    for (const [length, prefixesOfLength] of this.prefixes) {
      const number = prefixesOfLength.get(text.slice(0, length))
      if (number !== undefined) patterns.push(number)
    }
    for (const { pattern, number } of this.others) if (matches(pattern, text)) patterns.push(number)
    if (this.end + patterns.length >= this.limits.places) this.forget()
    return this.classOf(patterns)
  }

  /** The place of a list, which is written where it is not there. */
  private classOf(list: readonly number[]): number {
    if (2 * (this.classCount + 1) > this.classes.length) this.growClasses()
    const { classes, pool } = this
    let slot = classSlot(list, 0, list.length, classes.length)
    for (let place = (classes[slot] as number) - 1; place >= 0; place = (classes[slot] as number) - 1) {
      let i = 0
      if (pool[place] === list.length) while (i < list.length && pool[place + 1 + i] === list[i]) i++
      if (pool[place] === list.length && i === list.length) return place
      slot = slot + 1 === classes.length ? 0 : slot + 1
    }
    const place = this.keep(list)
    classes[slot] = place + 1
    this.classCount++
    return place
  }

  private growClasses(): void {
    const grown = new Int32Array(2 * this.classes.length)
    for (const placeAndOne of this.classes) {
      if (placeAndOne === 0) continue
      const length = this.pool[placeAndOne - 1] as number
      let slot = classSlot(this.pool, placeAndOne, length, grown.length)
      while (grown[slot] !== 0) slot = slot + 1 === grown.length ? 0 : slot + 1
      grown[slot] = placeAndOne
    }
    this.classes = grown
  }

  private keep(list: readonly number[]): number {
    const place = this.end
    if (place + list.length + 1 > this.pool.length) {
      const grown = new Int32Array(Math.max(this.pool.length * 2, place + list.length + 1))
      grown.set(this.pool)
      this.pool = grown
    }
    this.pool[place] = list.length
    this.pool.set(list, place + 1)
    this.end = place + 1 + list.length
    return place
  }

  /** Drop the cached lists of strings. */
  forget(): void {
    this.remembered = new Map()
    this.classes = new Int32Array(1 << 8)
    this.classCount = 0
    this.end = 0
    this.epoch++
  }
}

/** Where in a table of some size, a power of two, the search for a list of numbers starts. */
function classSlot(numbers: ArrayLike<number>, from: number, length: number, size: number): number {
  let hash = length
  for (let i = from; i < from + length; i++) hash = hashedWord(hash, numbers[i] as number)
  return hash & (size - 1)
}
