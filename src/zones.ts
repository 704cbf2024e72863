/** Local time: date as year·10000 + month·100 + day, hour 0–23, minute, weekday 0 (Monday) – 6 (Sunday). */
export interface WallClock {
  readonly date: number
  readonly hour: number
  readonly minute: number
  readonly weekday: number
}

const minute = 60_000
const week = 7 * 24 * 60 * minute

/** From each start on, until the next, local time is ahead of UTC by so many milliseconds. */
type Offsets = readonly { readonly start: number; readonly offset: number }[]

/** A time zone. It prints as its name. */
export interface Zone {
  readonly name: string
  readonly toJSON: () => string
  /** The local time at an instant (milliseconds since 1970). */
  readonly shows: (instant: number) => WallClock
  /** As `shows`, and much faster for many instants of the same years. */
  readonly at: (instant: number) => WallClock
  /** How far local time is ahead of UTC, in milliseconds. */
  readonly offset: (instant: number) => number
  /** The offsets in one year of UTC. */
  readonly offsets: (year: number) => Offsets
}

/** UTC needs no table. */
class Utc implements Zone {
  readonly name = 'UTC'

  toJSON(): string {
    return this.name
  }

  shows(instant: number): WallClock {
    return inUtc(instant)
  }

  at(instant: number): WallClock {
    return inUtc(instant)
  }

  offset(): number {
    return 0
  }

  offsets(year: number): Offsets {
    return [{ start: dayStart(year * 10000 + 101), offset: 0 }]
  }
}

/** A zone with what the machine knows of it. */
class KnownZone implements Zone {
  readonly name: string
  readonly #format: Intl.DateTimeFormat
  readonly #offsets = new Map<number, Offsets>()
  /** The latest answer: many policies are asked about one instant. */
  #latest: { readonly instant: number; readonly shows: WallClock } | undefined

  constructor(name: string, format: Intl.DateTimeFormat) {
    this.name = name
    this.#format = format
  }

  toJSON(): string {
    return this.name
  }

  shows(instant: number): WallClock {
    if (this.#latest?.instant === instant) return this.#latest.shows
    const shows = this.#read(instant)
    this.#latest = { instant, shows }
    return shows
  }

  #read(instant: number): WallClock {
    let year = 0
    let month = 0
    let day = 0
    let hour = 0
    let minute = 0
    for (const { type, value } of this.#format.formatToParts(instant)) {
      if (type === 'year') year = Number(value)
      else if (type === 'month') month = Number(value)
      else if (type === 'day') day = Number(value)
      else if (type === 'hour') hour = Number(value)
      else if (type === 'minute') minute = Number(value)
    }
    return { date: year * 10000 + month * 100 + day, hour, minute, weekday: (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7 }
  }

  at(instant: number): WallClock {
    return inUtc(instant + this.offset(instant))
  }

  offset(instant: number): number {
    let lastOffset = 0
    for (const { start, offset } of this.offsets(yearOf(instant))) {
      if (start > instant) break
      lastOffset = offset
    }
    return lastOffset
  }

  /** Found by halving the weeks in which they change. */
  offsets(year: number): Offsets {
    const cached = this.#offsets.get(year)
    if (cached) return cached
    const from = dayStart(year * 10000 + 101)
    const to = dayStart((year + 1) * 10000 + 101)
    let offset = this.#offsetAt(from)
    const steps = [{ start: from, offset }]
    for (let instant = from; instant < to; instant += week) {
      let [low, high] = [instant, Math.min(instant + week, to)]
      const after = this.#offsetAt(high)
      if (after === offset) continue
      while (high - low > minute) {
        const middle = low + Math.floor((high - low) / 2 / minute) * minute
        if (this.#offsetAt(middle) === offset) low = middle
        else high = middle
      }
      offset = after
      steps.push({ start: high, offset })
    }
    this.#offsets.set(year, steps)
    return steps
  }

  /** Local time less UTC, in milliseconds, read off the clock. */
  #offsetAt(instant: number): number {
    const { date, hour, minute: minutes } = this.shows(instant)
    return dayStart(date) + (hour * 60 + minutes) * minute - Math.floor(instant / minute) * minute
  }
}

export const utc: Zone = new Utc()

/** The most zones that are kept: more are made anew. */
const mostZones = 1000

/** The zones of a run: each is made once, which takes a third of a millisecond. */
export class Zones {
  private readonly known = new Map<string, Zone | undefined>()

  /** The zone of an IANA name; undefined where the machine knows none. */
  get(name: string): Zone | undefined {
    if (name === 'UTC') return utc
    if (this.known.has(name)) return this.known.get(name)
    const zone = zoneNamed(name)
    if (this.known.size < mostZones) this.known.set(name, zone)
    return zone
  }
}

function zoneNamed(name: string): Zone | undefined {
  // An offset such as `+01:00` is not a zone name, though some engines accept it.
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone: name,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    })
    return new KnownZone(name, format)
  } catch {
    return undefined
  }
}

function inUtc(instant: number): WallClock {
  const date = new Date(instant)
  return {
    date: date.getUTCFullYear() * 10000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    weekday: (date.getUTCDay() + 6) % 7,
  }
}

/** The date so many days after another, both as numbers: year·10000 + month·100 + day. */
export function dateFrom(date: number, days: number): number {
  return inUtc(new Date(0).setUTCFullYear(Math.floor(date / 10000), (Math.floor(date / 100) % 100) - 1, (date % 100) + days)).date
}

export function yearOf(instant: number): number {
  return new Date(instant).getUTCFullYear()
}

/** Midnight UTC of a date written as year·10000 + month·100 + day. */
export function dayStart(date: number): number {
  return new Date(0).setUTCFullYear(Math.floor(date / 10000), (Math.floor(date / 100) % 100) - 1, date % 100)
}
