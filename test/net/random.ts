/** Numbers from a seed: the same ones everywhere (mulberry32). */
export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed
  }

  /** At least 0 and less than `below`. */
  below(below: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below)
  }

  one<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T
  }

  chance(in_: number): boolean {
    return this.below(in_) === 0
  }
}
