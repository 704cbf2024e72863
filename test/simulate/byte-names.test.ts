import { describe, expect, test } from 'vitest'
import { ByteNames, hashed, hashedWord, type Span } from '../../src/simulate/byte-names.ts'
import { effort } from '../support/effort.ts'
import { pick, randomOf } from '../support/worlds.ts'

const viewOf = (text: string): DataView => {
  const bytes = Uint8Array.from(Buffer.from(text))
  return new DataView(bytes.buffer)
}

/** A part of a view, hashed as it is documented. */
function spanOf(view: DataView, from = 0, to = view.byteLength): Span {
  let hash = 0
  let index = from
  for (; index + 4 <= to; index += 4) hash = hashedWord(hash, view.getInt32(index, true))
  for (; index < to; index++) hash = hashed(hash, view.getUint8(index))
  return { from, to, hash }
}

function tableOf(limits?: ConstructorParameters<typeof ByteNames>[0]) {
  const names = new ByteNames(limits)
  return {
    get: (name: string) => names.get(viewOf(name), spanOf(viewOf(name))),
    set: (name: string, value: number) => names.set(viewOf(name), spanOf(viewOf(name)), value),
    clear: () => names.clear(),
  }
}

describe('numbers of names by their bytes', () => {
  test('are those of a map or seldom missing, for names that differ in a byte or in their length', () => {
    const random = randomOf(1)
    const parts = ['urn:v1:eu:', 'resource:', 'vps:', 'a', 'b', '0', '1', '']
    const table = tableOf()
    const map = new Map<string, number>()
    let [right, missing] = [0, 0]
    for (let i = 0; i < effort(200_000, 40); i++) {
      const name = Array.from({ length: 6 }, () => pick(random, parts)).join('') || 'x'
      const [found, wanted] = [table.get(name), map.get(name) ?? -1]
      if (found === -1 && wanted >= 0) missing++
      else expect(found).toBe(wanted)
      if (found >= 0) right++
      if (random() < 0.5) continue
      table.set(name, i)
      map.set(name, i)
    }
    expect(map.size).toBeGreaterThan(1000)
    // Where sixteen other names are in the way, one has no place.
    expect(missing).toBeLessThan(right / 1000)
  })

  test('are found inside a larger text', () => {
    const names = new ByteNames()
    const text = viewOf('"alice","bob"')
    names.set(text, spanOf(text, 1, 6), 7)
    expect(names.get(viewOf('alice'), spanOf(viewOf('alice')))).toBe(7)
    expect(names.get(text, spanOf(text, 9, 12))).toBe(-1)
    expect(names.get(viewOf('alicf'), { ...spanOf(viewOf('alicf')), hash: spanOf(viewOf('alice')).hash })).toBe(-1)
    expect(names.get(viewOf('blice'), { ...spanOf(viewOf('blice')), hash: spanOf(viewOf('alice')).hash })).toBe(-1)
  })

  test('are not kept of an empty name, and of one that is too long', () => {
    const table = tableOf({ names: 10, bytes: 100, ofName: 4 })
    for (const name of ['', '12345', '1234']) table.set(name, 1)
    expect(['', '12345', '1234'].map(table.get)).toEqual([-1, -1, 1])
  })

  test.each([
    ['names', { names: 3, bytes: 100, ofName: 4 }],
    ['bytes', { names: 100, bytes: 6, ofName: 4 }],
  ])('are dropped when there are too many %s', (_, limits) => {
    const table = tableOf(limits)
    for (const [i, name] of ['aa', 'bb', 'cc', 'dd'].entries()) table.set(name, i)
    expect(['aa', 'bb', 'cc', 'dd'].map(table.get)).toEqual([-1, -1, -1, 3])
  })

  test('are none once they are cleared', () => {
    const table = tableOf()
    table.set('a', 1)
    table.clear()
    expect(table.get('a')).toBe(-1)
  })

  test('are right or missing where thousands of names have one hash', () => {
    const names = Array.from({ length: 4096 }, (_, i) => `name-${i}`)
    const table = new ByteNames()
    const sameHash = (name: string) => ({ ...spanOf(viewOf(name)), hash: 7 })
    for (const [i, name] of names.entries()) table.set(viewOf(name), sameHash(name), i)
    const found = names.map((name) => table.get(viewOf(name), sameHash(name)))
    expect(found.filter((value, i) => value !== i && value !== -1)).toEqual([])
    expect(found.filter((value) => value >= 0).length).toBeGreaterThan(0)
  })
})
