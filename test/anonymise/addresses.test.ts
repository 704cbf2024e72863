import { expect, test } from 'vitest'
import { type Length, renamedRanges } from '../../src/anonymise/addresses.ts'
import { type AddressRange, inRange, printRange, readAddress, readRange, single } from '../../src/conditions/address.ts'
import { effort } from '../support/effort.ts'
import { pick, randomOf } from '../support/worlds.ts'

const range = (text: string): AddressRange => {
  const address = readAddress(text)
  const read = address ? single(address) : readRange(text)
  if (!read) throw new Error(text)
  return read
}

function renamed(texts: readonly string[], length: Length = 'short'): readonly string[] {
  const ranges = texts.map(range)
  const rename = renamedRanges(ranges, length)
  return ranges.map((each) => printRange(rename(each)))
}

test('addresses and blocks come from those for documentation, and one that contains another does so still', () => {
  expect(renamed(['10.20.0.0/16', '10.20.30.0/24', '10.20.30.40'])).toEqual(['192.0.2.0/24', '192.0.2.32/27', '192.0.2.37/32'])
  expect(renamed(['fd00:1::/32', 'fd00:1:2::9'])).toEqual(['2001:db8::/32', '2001:db8:2000::1/128'])
  expect(renamed(['172.16.5.6'])).toEqual(['192.0.2.1/32'])
})

test('all addresses stay all addresses', () => {
  expect(renamed(['0.0.0.0/0', '::/0', '172.16.0.0/12'])).toEqual(['0.0.0.0/0', '::/0', '192.0.2.0/24'])
})

test('many blocks within one another take larger blocks', () => {
  const nested = Array.from({ length: 12 }, (_, i) => `10.85.0.0/${10 + i}`)
  const [first = ''] = renamed(nested)
  expect(first).toBe('198.18.0.0/15')
})

/** How two ranges are to each other, apart from their sizes. */
function relation(a: AddressRange, b: AddressRange): string {
  if (a.family !== b.family) return 'families'
  const within = (inner: AddressRange, outer: AddressRange) =>
    [inner.first, inner.last].every((value) => inRange(outer, { family: inner.family, value }))
  return [within(a, b), within(b, a), a.first < b.first, a.last < b.first].join(' ')
}

test('containment and order stay; with lengths that stay, so does what is next to each other', () => {
  const random = randomOf(7)
  const bits = () => Math.floor(random() * 256)
  for (let i = 0; i < effort(4000, 160); i++) {
    const near = `${pick(random, [10, 172])}.${pick(random, [0, 255])}.${pick(random, [0, 3, 255])}`
    const texts = Array.from({ length: 1 + Math.floor(random() * 6) }, () => {
      const address = `${random() < 0.8 ? near : `${bits()}.${bits()}.${bits()}`}.${pick(random, [0, 1, 127, 128, 255])}`
      return random() < 0.4 ? address : `${address}/${8 + Math.floor(random() * 25)}`
    })
    const ranges = texts.map(range)
    for (const length of ['short', 'same'] as const) {
      const rename = renamedRanges(ranges, length)
      for (const a of ranges) {
        for (const b of ranges) {
          const [c, d] = [rename(a), rename(b)]
          expect(relation(c, d), `${length}: ${texts.join(' ')}`).toBe(relation(a, b))
          if (length === 'same') expect(c.last + 1n === d.first, texts.join(' ')).toBe(a.last + 1n === b.first)
        }
      }
    }
  }
})
