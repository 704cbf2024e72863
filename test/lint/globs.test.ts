import { braceExpand } from 'minimatch'
import { expect, test } from 'vitest'
import { alternatives, globFault, searchFault } from '../../src/lint/globs.ts'
import { effort } from '../support/effort.ts'
import { randomOf } from '../support/worlds.ts'

test.each([
  ['a.json', 1],
  ['{a,b}.json', 2],
  ['{a,{b,c}{d,e}}{f,g}', 10],
  ['{1..9}', 9],
  ['{1..9..2}', 5],
  ['{9..1}{a..c}', 27],
  ['{a}', 1],
  ['\\{a,b}', 2],
  ['{a},b}', 2],
])('%s stands for at most %i patterns', (pattern, count) => expect(alternatives(pattern)).toBe(count))

test('no pattern stands for more alternatives than are counted', () => {
  const seed = Number(process.env.SEED ?? 7)
  const random = randomOf(seed)
  const parts = ['.', '{', '{', '}', '}', ',', ',', 'a', 'b', '\\', '1..4', '..', '$', '{a,b}', '{x..z}', '[', ']', '/']
  let most = 0
  for (let i = effort(50_000, 10); i > 0; i--) {
    const pattern = Array.from({ length: 1 + Math.floor(random() * 14) }, () => parts[Math.floor(random() * parts.length)]).join('')
    const { length } = braceExpand(pattern)
    if (length > Math.max(alternatives(pattern), 1))
      expect.fail(`seed ${seed}, ${JSON.stringify(pattern)}: ${length}, and ${alternatives(pattern)} are counted`)
    most = Math.max(most, length)
  }
  expect(most).toBeGreaterThan(8)
})

test('a pattern that the package would cut short or refuse is not tried', () => {
  expect(searchFault(`${'{a,b}'.repeat(13)}.json`)).toBeUndefined()
  expect(searchFault(`${'{a,b}'.repeat(14)}.json`)?.message).toBe('the pattern has too many alternatives: more than 10000')
  expect(searchFault('{1..99999999}.json')?.message).toContain('too many alternatives')
  expect(searchFault('{a,'.repeat(300))?.message).toContain('too many alternatives')
  expect(searchFault('a*'.repeat(40_000))?.message).toBe('the pattern is longer than 4096 characters')
  expect(searchFault(`{a,b}${'c'.repeat(600)}${'{a,b}'.repeat(10)}`)?.message).toBe('the pattern has too many alternatives: more than 1526')
  expect(globFault('{a,b,c,d,e}{a,b,c,d,e}{a,b,c,d,e}{a,b,c,d,e}.json')?.message).toBe(
    'the pattern has too many alternatives: more than 200',
  )
  expect(globFault('{a,b,c}{a,b,c}{a,b,c}.json')).toBeUndefined()
})
