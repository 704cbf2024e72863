import { compareText } from '../../diagnostic.ts'
import type { Reply } from '../model/exchange.ts'

/**
 * Lists by pages, with the cursor carried in headers (spec: service, limits). A cursor says behind which key the next page
 * begins, not how many records came before it: records that are added or taken out between two pages shift nothing. Each
 * is sealed, so that nobody can make one up.
 */

/** How many records a page holds: where the client says nothing, and at most. Neither is shown in the document. */
export const pageSizes = { usual: 100, most: 1000 } as const

/** The headers of a request, in small letters, and of an answer. */
export const pageHeaders = { size: 'x-pagination-size', cursor: 'x-pagination-cursor', next: 'X-Pagination-Cursor-Next' } as const

/** How many records a page leaves out because it is not known whether the caller sees them. */
const leftOutHeader = 'x-stand-in-left-out'

/** A page that says how many records it leaves out for want of facts; the same where it leaves out none. */
export function withLeftOut(reply: Reply, count: number): Reply {
  return count === 0 ? reply : { ...reply, origin: 'stand-in', headers: { ...reply.headers, [leftOutHeader]: String(count) } }
}

/** The page that a client asks for. */
export interface AskedPage {
  /** From 1 to the most that a page holds. */
  readonly size: number
  /** The key of the last record of the page before it; undefined: the first page. */
  readonly after: string | undefined
}

/** A page, and the headers that go with it: a cursor where more records remain. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly headers: Readonly<Record<string, string>>
}

/** What is listed by pages. */
export interface Paged {
  /** Its name: a cursor of another list is not taken for one of this. */
  readonly name: string
  /** What shows that a text comes from here: the same for the same text, and nobody else can tell it. */
  readonly seal: (text: string) => string
}

/**
 * The page that the headers of a request ask for. A size past the greatest is cut to it. `problem`: what is malformed, as a message.
 */
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
  if (after === undefined)
    return {
      problem:
        'the header `X-Pagination-Cursor` holds no cursor that was issued for this list: send what `X-Pagination-Cursor-Next` held, unchanged, or start at the first page',
    }
  return { asked: { size, after } }
}

/** Records in the order of their keys (by UTF-16 units), from the first one behind a key; undefined: from the start. */
export type InOrder<T> = (after: string | undefined) => Iterable<T>

/** Records of which there are few, put in their order for a page. */
export function ordered<T>(records: Iterable<T>, keyOf: (record: T) => string): InOrder<T> {
  return (after) =>
    [...records].filter((record) => after === undefined || keyOf(record) > after).sort((a, b) => compareText(keyOf(a), keyOf(b)))
}

/** The records of a page; each has a key of its own. Only as many are looked at as the page needs. */
export function pageOf<T>(
  list: Paged,
  records: InOrder<T>,
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

function writeCursor({ name, seal }: Paged, key: string): string {
  const text = JSON.stringify([name, key])
  return `${btoa(encodeURIComponent(text))}.${seal(text)}`
}

/** The key in a cursor; undefined where it is none that was issued for this list. */
function readCursor(list: Paged, cursor: string): string | undefined {
  try {
    const value: unknown = JSON.parse(decodeURIComponent(atob(cursor.split('.', 1)[0] as string)))
    const [from, key] = Array.isArray(value) ? (value as readonly unknown[]) : []
    return from === list.name && typeof key === 'string' && writeCursor(list, key) === cursor ? key : undefined
  } catch {
    return undefined
  }
}
