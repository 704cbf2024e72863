import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ordered, type Paged, pageHeaders, pageOf, pageSizes, readPage } from '../../src/emulator/api/pagination.ts'
import { effort } from '../support/effort.ts'

const same = (key: string) => key
const paged = (name: string, secret = 'secret'): Paged => ({
  name,
  seal: (text) =>
    createHash('sha256')
      .update(secret + text)
      .digest('hex'),
})
const letters = paged('letters')

/** The page that follows a cursor, as a client asks for it. */
function get(keys: readonly string[], size?: number | string, cursor?: string, isShown?: (key: string) => boolean) {
  const headers = {
    ...(size !== undefined && { [pageHeaders.size]: String(size) }),
    ...(cursor !== undefined && { [pageHeaders.cursor]: cursor }),
  }
  const { asked, problem } = readPage(letters, headers)
  if (problem !== undefined) throw new Error(problem)
  const { items, headers: answer } = pageOf(letters, ordered(keys, same), same, asked, isShown)
  return { items, next: answer[pageHeaders.next] }
}

test('X-Pagination-Size: the number of items of a page; X-Pagination-Cursor-Next: only where more remain', () => {
  const first = get(['c', 'a', 'b'], 2)
  expect(first.items).toEqual(['a', 'b'])
  expect(first.next).toBeTypeOf('string')
  const second = get(['c', 'a', 'b'], 2, first.next)
  expect(second).toEqual({ items: ['c'], next: undefined })
  expect(get(['a', 'b'], 2).next).toBeUndefined()
  expect(get([], 2)).toEqual({ items: [], next: undefined })
})

test('X-Pagination-Size: what is no integer of 1 or more is refused', () => {
  for (const size of ['0', '-1', '1.5', '', ' ', 'two', '1e3', '0x10', '2, 2', '٣'])
    expect(readPage(letters, { [pageHeaders.size]: size }).problem, size).toMatch(/X-Pagination-Size/)
  expect(readPage(letters, { [pageHeaders.size]: '010' }).asked?.size).toBe(10)
})

test('default and greatest page size: not shown, chosen in one place', () => {
  expect(readPage(letters, {}).asked).toEqual({ size: pageSizes.usual, after: undefined })
  expect(readPage(letters, { [pageHeaders.size]: '99999999999999999999' }).asked?.size).toBe(pageSizes.most)
})

test('X-Pagination-Cursor: what was never given out is refused, and so is the cursor of another list', () => {
  const { next } = get(['a', 'b'], 1)
  for (const cursor of [
    '',
    'a',
    '====',
    `${next} `,
    `${next}=`,
    next?.slice(1) ?? '',
    btoa('["letters"]'),
    btoa('{}'),
    btoa('%'),
    '\u{1F600}',
  ])
    expect(readPage(letters, { [pageHeaders.cursor]: cursor }).problem, cursor).toMatch(/X-Pagination-Cursor/)
  expect(readPage(paged('digits'), { [pageHeaders.cursor]: next }).problem).toMatch(/no cursor that was issued for this list/)
  expect(readPage(letters, { [pageHeaders.cursor]: next }).asked?.after).toBe('a')
  // One that is well-formed and was made up: of another key, without a seal, or with the seal of another program.
  const [, seal] = (next ?? '').split('.')
  const forged = (key: string) => btoa(encodeURIComponent(JSON.stringify(['letters', key])))
  for (const cursor of [forged('a'), `${forged('b')}.${seal}`, `${forged('a')}.`, `${next}.x`])
    expect(readPage(letters, { [pageHeaders.cursor]: cursor }).problem, cursor).toMatch(/issued for this list/)
  expect(readPage(paged('letters', 'other'), { [pageHeaders.cursor]: next }).problem).toMatch(/issued for this list/)
})

test('a page asks about no more records than it needs', () => {
  let asked = 0
  const { items } = get(['a', 'b', 'c', 'd', 'e', 'f'], 2, undefined, (key) => {
    asked++
    return key !== 'a'
  })
  expect(items).toEqual(['b', 'c'])
  expect(asked).toBe(4)
})

test('a cursor outlives its record, and holds any key', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 8 }), (keys) => {
      const first = get(keys, 1)
      const left = keys.filter((key) => key !== first.items[0])
      const rest = get(left, pageSizes.most, first.next)
      expect(rest.items).toEqual([...left].sort())
    }),
    { numRuns: effort(1000) },
  )
})

test('walking the pages gives each record that was there throughout exactly once, while others come and go', () => {
  const letter = fc.string({ minLength: 1, maxLength: 2, unit: fc.constantFrom(...'abcdef', 'é', '𝒳') })
  const change = fc.record({
    size: fc.integer({ min: 1, max: 4 }),
    added: fc.array(letter, { maxLength: 3 }),
    removed: fc.array(fc.nat(), { maxLength: 3 }),
  })
  let walkedOn = 0
  fc.assert(
    fc.property(
      fc.uniqueArray(letter, { maxLength: 12 }),
      fc.uniqueArray(letter, { maxLength: 8 }),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      (staying, others, changes) => {
        const kept = new Set(staying)
        let keys = [...new Set([...others, ...staying])]
        const seen: string[] = []
        let cursor: string | undefined
        for (let i = 0; i < 100; i++) {
          const { size, added, removed } = changes[i % changes.length] as (typeof changes)[number]
          const page = get(keys, size, cursor)
          expect(page.items.length).toBeLessThanOrEqual(size)
          seen.push(...page.items)
          cursor = page.next
          if (cursor === undefined) break
          if (page.items.length > 0) walkedOn++
          // A record that comes and goes may be the very one that the cursor is at, or be before it.
          const going = new Set(removed.map((n) => keys[n % Math.max(keys.length, 1)]))
          keys = [...new Set([...keys.filter((key) => kept.has(key) || !going.has(key)), ...(i < 20 ? added : [])])]
        }
        expect(cursor).toBeUndefined()
        expect(new Set(seen).size).toBe(seen.length)
        for (const key of staying) expect(seen).toContain(key)
      },
    ),
    { numRuns: effort(2000) },
  )
  expect(walkedOn).toBeGreaterThan(effort(2000))
})
