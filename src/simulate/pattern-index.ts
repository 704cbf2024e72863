import { type Glob, matches } from '../glob.ts'
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
  private end = 0
  private readonly numbers = new Map<string, number>()
  private readonly exact = new Map<string, number>()
  private readonly prefixes = new Map<number, Map<string, number>>()
  private readonly others: { readonly pattern: Glob; readonly number: number }[] = []
  private remembered = new Map<string, number>()
  private classes = new Map<string, number>()
  private readonly limits: Pick<Limits, 'texts' | 'places'>

  constructor(limits: Pick<Limits, 'texts' | 'places'> = usualLimits) {
    this.limits = limits
  }

  /** How many patterns there are. */
  get count(): number {
    return this.numbers.size
  }

  /** The number of a pattern. Where strings were looked up before, their cached lists have to be dropped. */
  add(pattern: Glob): number {
    const { pieces } = pattern
    // `a**` is `a*`: patterns of the same pieces are one, however they are written.
    const key = pieces.join('*')
    const knownNumber = this.numbers.get(key)
    if (knownNumber !== undefined) return knownNumber
    const number = this.numbers.size + 1
    this.numbers.set(key, number)
    if (pieces.length === 1) this.exact.set(pattern.text, number)
    else if (pieces[1] === '') {
      const head = pieces[0] as string
      const prefixesOfLength = this.prefixes.get(head.length)
      if (prefixesOfLength) prefixesOfLength.set(head, number)
      else this.prefixes.set(head.length, new Map([[head, number]]))
    } else this.others.push({ pattern, number })
    return number
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
    const patterns: number[] = []
    const ownNumber = this.exact.get(text)
    if (ownNumber !== undefined) patterns.push(ownNumber)
    for (const [length, prefixesOfLength] of this.prefixes) {
      const number = prefixesOfLength.get(text.slice(0, length))
      if (number !== undefined) patterns.push(number)
    }
    for (const { pattern, number } of this.others) if (matches(pattern, text)) patterns.push(number)
    if (this.remembered.size >= this.limits.texts) this.remembered = new Map()
    if (this.end + patterns.length >= this.limits.places) this.forget()
    const key = patterns.join(' ')
    const place = this.classes.get(key) ?? this.keep(key, patterns)
    this.remembered.set(text, place)
    return place
  }

  private keep(key: string, list: readonly number[]): number {
    const place = this.end
    if (place + list.length + 1 > this.pool.length) {
      const grown = new Int32Array(Math.max(this.pool.length * 2, place + list.length + 1))
      grown.set(this.pool)
      this.pool = grown
    }
    this.pool[place] = list.length
    this.pool.set(list, place + 1)
    this.end = place + 1 + list.length
    this.classes.set(key, place)
    return place
  }

  /** Drop the cached lists of strings. */
  forget(): void {
    this.remembered = new Map()
    this.classes = new Map()
    this.end = 0
    this.epoch++
  }
}
