import { compareText } from '../../diagnostic.ts'
import { cursorSeal } from '../auth/seals.ts'
import { badRequest } from '../model/errors.ts'
import type { Origin, Reply } from '../model/exchange.ts'
import type { RouteContext } from './route.ts'

/**
 * Lists by pages, with the cursor in headers (docs/service.md, Row by row). A cursor holds the key after which the next page
 * begins, not a number of records: records that are added or removed between two pages shift nothing. Each is sealed, so that no
 * client can forge one.
 */

/** How many records a page holds: by default, and at most. Neither is shown in the document. */
export const pageSizes = { usual: 100, most: 1000 } as const

/** The headers of a request, in small letters, and of an answer. */
export const pageHeaders = { size: 'x-pagination-size', cursor: 'x-pagination-cursor', next: 'X-Pagination-Cursor-Next' } as const

/** How many records a page leaves out because it is not known whether the caller may see them. */
const leftOutHeader = 'x-stand-in-left-out'

export interface AskedPage {
  readonly size: number
  /** The key of the last record of the page before it; undefined: the first page. */
  readonly after: string | undefined
}

/** A page, and the headers that go with it: a cursor where more records remain. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly headers: Readonly<Record<string, string>>
}

export interface Paged {
  /** A cursor of another list is refused. */
  readonly name: string
  /** Proves that a text was issued here. */
  readonly seal: (text: string) => string
}

/** The page that the headers of a request ask for; or what is malformed. A size above the greatest is cut to it. */
export function readPage(
  list: Paged,
  headers: Readonly<Record<string, string | undefined>>,
): { readonly asked: AskedPage; readonly problem?: undefined } | { readonly asked?: undefined; readonly problem: string } {
  const written = headers[pageHeaders.size]
  const cursor = headers[pageHeaders.cursor]
  if (written !== undefined && !/^0*[1-9][0-9]*$/.test(written))
    return { problem: 'the header `X-Pagination-Size` is not an integer of 1 or more' }
  const size = written === undefined ? pageSizes.usual : Math.min(Number(written), pageSizes.most)
  if (cursor === undefined) return { asked: { size, after: undefined } }
  const after = readCursor(list, cursor)
  if (after !== undefined) return { asked: { size, after } }
  return {
    problem:
      'the header `X-Pagination-Cursor` holds no cursor that was issued for this list: send what `X-Pagination-Cursor-Next` held, unchanged, or start at the first page',
  }
}

/** Records in the order of their keys (by UTF-16 units), from the first one behind a key; undefined: from the start. */
export type OrderedScan<T> = (after: string | undefined) => Iterable<T>

/** Records of which there are few, sorted for a page. */
export function ordered<T>(records: Iterable<T>, keyOf: (record: T) => string): OrderedScan<T> {
  return (after) =>
    [...records].filter((record) => after === undefined || keyOf(record) > after).sort((a, b) => compareText(keyOf(a), keyOf(b)))
}

/** The records of a page, by their keys. Only as many are looked at as the page needs. */
export function pageOf<T>(
  list: Paged,
  records: OrderedScan<T>,
  keyOf: (record: T) => string,
  { size, after }: AskedPage,
  isShown: (record: T) => boolean = () => true,
): Page<T> {
  const items: T[] = []
  let last = ''
  for (const record of records(after)) {
    if (!isShown(record)) continue
    if (items.length === size) return { items, headers: { [pageHeaders.next]: writeCursor(list, last) } }
    items.push(record)
    last = keyOf(record)
  }
  return { items, headers: {} }
}

export interface Listing<T> {
  /** The list's name, for its cursors. */
  readonly list: string
  readonly records: OrderedScan<T>
  readonly keyOf: (record: T) => string
  readonly bodyOf: (record: T) => unknown
  /** Records that are unknown are left out, and counted in a header. */
  readonly isShown?: (record: T) => boolean | 'unknown'
  /** `public` by default. */
  readonly origin?: Origin | ((records: readonly T[]) => Origin)
}

/** The page of a list that a request asks for, with the cursor of the next one where more records remain. */
export function listReply<T>({ service, request }: RouteContext, listing: Listing<T>): Reply {
  const { list, records, keyOf, bodyOf, isShown = () => true, origin = 'public' } = listing
  const paged = { name: list, seal: cursorSeal(service) }
  const { asked, problem } = readPage(paged, request.headers)
  if (!asked) return badRequest(problem)
  let leftOut = 0
  const page = pageOf(paged, records, keyOf, asked, (record) => {
    const shown = isShown(record)
    if (shown === 'unknown') leftOut++
    return shown === true
  })
  const body = page.items.map(bodyOf)
  if (leftOut > 0) return { status: 200, origin: 'stand-in', headers: { ...page.headers, [leftOutHeader]: String(leftOut) }, body }
  return { status: 200, origin: typeof origin === 'string' ? origin : origin(page.items), headers: page.headers, body }
}

function writeCursor({ name, seal }: Paged, key: string): string {
  const text = JSON.stringify([name, key])
  return `${btoa(encodeURIComponent(text))}.${seal(text)}`
}

/** The key in a cursor; undefined where it was not issued for this list. */
function readCursor(list: Paged, cursor: string): string | undefined {
  try {
    const value: unknown = JSON.parse(decodeURIComponent(atob(cursor.split('.', 1)[0] as string)))
    const [from, key] = Array.isArray(value) ? (value as readonly unknown[]) : []
    return from === list.name && typeof key === 'string' && writeCursor(list, key) === cursor ? key : undefined
  } catch {
    return undefined
  }
}
