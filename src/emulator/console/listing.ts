/** Lists as pages of the console show them: searched, and a part at a time. */

/** What the address of a page asks of its list. */
export interface Asked {
  /** Words that are looked for; empty: everything is shown. */
  readonly query: string
  /** From 1. */
  readonly page: number
}

/** A part of a list. */
export interface Listing<T> extends Asked {
  readonly items: readonly T[]
  /** How many pages there are, at least 1. */
  readonly pages: number
  /** How many records the search found, and how many there are. */
  readonly found: number
  readonly all: number
}

/** How many records a page shows. */
export const listSize = 50

/** What a query of an address asks: `q` is what is looked for, `page` the number of the page. What is no number is the first one. */
export function askedOf(query: ReadonlyMap<string, string>): Asked {
  const page = Number(query.get('page') ?? '1')
  return { query: (query.get('q') ?? '').trim().slice(0, 200), page: Number.isSafeInteger(page) && page > 0 ? page : 1 }
}

/**
 * One page of the records whose text holds every word of the query, in any case. `textOf` is asked only where something is
 * looked for. A page past the last one is the last one.
 */
export function listingOf<T>(records: readonly T[], { query, page }: Asked, textOf: (record: T) => string): Listing<T> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found =
    words.length === 0
      ? records
      : records.filter((record) => {
          const text = textOf(record).toLowerCase()
          return words.every((word) => text.includes(word))
        })
  const pages = Math.max(1, Math.ceil(found.length / listSize))
  const shown = Math.min(page, pages)
  const items = found.slice((shown - 1) * listSize, shown * listSize)
  return { query, page: shown, pages, items, found: found.length, all: records.length }
}

/** The same list with its records made into what a page shows: only of those that it shows. */
export function mapped<T, U>(listing: Listing<T>, make: (record: T) => U): Listing<U> {
  return { ...listing, items: listing.items.map(make) }
}
