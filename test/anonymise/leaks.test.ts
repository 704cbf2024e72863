import { expect, test } from 'vitest'
import { InputWords, leakIn } from '../../src/anonymise/leaks.ts'

const input = new InputWords()
for (const text of ['Frontend-ab1', 'frontends of Ünal', 'no of']) input.add(text)
const leakOf = (output: string, open: readonly string[] = [], kept: readonly string[] = []) => leakIn(output, input, open, new Set(kept))

test('a word of the input is found in any case, and anywhere in a longer word', () => {
  for (const output of ['frontend', 'FRONTEND', 'a frontend-2', 'xfrontend', 'frontendx', 'x_FRONTENDS.y'])
    expect(leakOf(output), output).toEqual({ word: expect.stringMatching(/frontend/i), found: 'frontend' })
  expect(['ab1', 'ÜNAL', 'fronten', 'no'].map((text) => input.foundIn(text))).toEqual(['ab1', 'ünal', undefined, undefined])
  const longest = new InputWords()
  longest.add('delta')
  expect([longest.foundIn('xdelta'), longest.foundIn('delt')]).toEqual(['delta', undefined])
})

test('a name that stays as it is hides no longer word that it is a part of', () => {
  expect(leakOf('see: frontends.', ['frontends'])).toBeUndefined()
  for (const open of ['front', 'ends', 'ntend']) expect(leakOf('frontends', [open]), open).toEqual({ word: 'frontends', found: 'frontend' })
  // A word that stays as it is, and one that is in every file of ours.
  expect([leakOf('frontend', [], ['frontend']), leakOf('policies')]).toEqual([undefined, undefined])
})
