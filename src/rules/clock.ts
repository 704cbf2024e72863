const day = 86_400_000

/**
 * The instant of a run, in milliseconds since 1970. It notes for which other instants each question that was asked of it has the same
 * answer, so that the result of the run holds for those, too.
 */
export class Clock {
  private readonly instant: number
  private first = Number.NEGATIVE_INFINITY
  private last = Number.POSITIVE_INFINITY

  constructor(instant: number) {
    this.instant = instant
  }

  /** The instant itself: what depends on it holds for no other one. */
  get now(): number {
    this.narrow(this.instant, this.instant)
    return this.instant
  }

  /** The instant as the start of all times that a claim is about: one that holds from then on also holds from any later instant on. */
  get onwards(): number {
    this.narrow(this.instant, Number.POSITIVE_INFINITY)
    return this.instant
  }

  /** The first and the last instant for which all answers are the same. */
  get holds(): readonly [first: number, last: number] {
    return [this.first, this.last]
  }

  /** Whether it is later than an instant. */
  isAfter(instant: number): boolean {
    const isLater = this.instant > instant
    if (isLater) this.narrow(instant + 1, Number.POSITIVE_INFINITY)
    else this.narrow(Number.NEGATIVE_INFINITY, instant)
    return isLater
  }

  /** The whole days until an instant. */
  daysUntil(instant: number): number {
    const days = Math.floor((instant - this.instant) / day)
    this.narrow(instant - (days + 1) * day + 1, instant - days * day)
    return days
  }

  /** The whole days since an instant; since 1970, the number of the day in UTC. */
  daysSince(instant: number): number {
    const days = Math.floor((this.instant - instant) / day)
    this.narrow(instant + days * day, instant + (days + 1) * day - 1)
    return days
  }

  private narrow(first: number, last: number): void {
    this.first = Math.max(this.first, first)
    this.last = Math.min(this.last, last)
  }
}
