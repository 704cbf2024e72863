import { describe, expect, test } from 'vitest'
import { printAddress, readAddress, readRange } from '../../src/conditions/address.ts'
import { addressWords, byAddressWords } from '../../src/report/addresses.ts'
import { decide, explain } from '../../src/simulate/decide.ts'
import type { AddressVerdict } from '../../src/simulate/decision.ts'
import type { Block } from '../../src/symbolic/situation.ts'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'
import { forAll, type Knobs, type Law, usualKnobs } from '../support/worlds.ts'

/** `10.0.0.0/8`, `10.0.0.1` or `10.0.0.1-10.0.0.9` as a run. */
function run(text: string): Block {
  const [from = '', to = from] = text.split('-')
  const range = readRange(text)
  if (range) return range
  const [first, last] = [readAddress(from), readAddress(to)]
  if (!first || !last) throw new Error(`no address: ${text}`)
  return { family: first.family, first: first.value, last: last.value }
}

describe('addresses are named in the fewest words', () => {
  test.each([
    [['203.0.113.0/24'], 'from 203.0.113.0/24'],
    [['192.0.2.1', '2001:db8::1'], 'from 192.0.2.1 or 2001:db8::1'],
    [['203.0.113.0-203.0.113.9', '203.0.113.11-203.0.113.255'], 'from 203.0.113.0/24 except 203.0.113.10'],
    [['10.0.0.0/8', '203.0.113.0-203.0.113.9', '203.0.113.11-203.0.113.255'], 'from 10.0.0.0/8 or 203.0.113.0/24 except 203.0.113.10'],
    [['0.0.0.0-9.255.255.255', '11.0.0.0-255.255.255.255', '::/0'], 'not from 10.0.0.0/8'],
    [['0.0.0.0-9.255.255.255', '11.0.0.0-255.255.255.255'], 'from 0.0.0.0/0 except 10.0.0.0/8'],
    [['10.0.0.1-10.0.0.14'], 'from 10.0.0.1–10.0.0.14'],
    [['10.0.0.3-10.0.1.77'], 'from 10.0.0.3–10.0.1.77'],
  ])('%s', (runs, words) => {
    expect(addressWords(runs.map(run))).toBe(words)
  })

  test('and from where a question is allowed in the same way', () => {
    const from = (verdict: AddressVerdict['verdict'], text: string): AddressVerdict => ({ ...run(text), verdict })
    const v4 = [from('deny', '0.0.0.0-9.255.255.255'), from('allow', '10.0.0.0/8'), from('deny', '11.0.0.0-255.255.255.255')]
    expect(byAddressWords([...v4, from('deny', '::/0')], '')).toBe('allowed from 10.0.0.0/8; denied from anywhere else')
    const open = v4.map((each) => (each.verdict === 'allow' ? { ...each, verdict: 'unknown' as const } : each))
    expect(byAddressWords([...open, from('deny', '::/0')], 'resource.Tag(env)')).toBe(
      'from 10.0.0.0/8 it depends on resource.Tag(env); denied from anywhere else',
    )
  })
})

describe('where the address is missing', () => {
  const addressless: Knobs = { ...usualKnobs, policies: 4, missing: 0.65 }

  test('each run has the verdict of its addresses, and together they are all', () => {
    const law: Law = ({ world, question }) => {
      const { byAddress } = explain(world, question)
      if (!byAddress) return undefined
      for (const family of [4, 6] as const) {
        let next = 0n
        for (const { family: own, first, last } of byAddress) {
          if (own !== family) continue
          if (first !== next) return `nothing is said from ${printAddress({ family, value: next })} on`
          next = last + 1n
        }
        if (next !== 1n << (family === 4 ? 32n : 128n)) return `nothing is said of the last addresses of family ${family}`
      }
      for (const { family, first, last, verdict } of byAddress) {
        for (const value of [first, (first + last) / 2n, last]) {
          // Addresses that hold an IPv4 one are asked about as that one.
          if (family === 6 && value >> 32n === 0xffffn) continue
          const found = decide(world, { ...question, ip: { family, value } }).verdict
          if (found !== verdict) return `${printAddress({ family, value })}: ${verdict}, and asked about it ${found}`
        }
      }
      return ''
    }
    expect(counted(forAll(effort(3000), 41, law, addressless))).toBeGreaterThan(effort(150))
  })
})
