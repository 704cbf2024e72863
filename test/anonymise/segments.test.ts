import { expect, test } from 'vitest'
import { byLetters, byWords, type NamesToReplace } from '../../src/anonymise/segments.ts'
import { glob, matches } from '../../src/glob.ts'
import { effort } from '../support/effort.ts'
import { pick, randomOf } from '../support/worlds.ts'

/** Patterns and names under other names. */

const toReplace = (texts: readonly string[], more: Partial<NamesToReplace> = {}): NamesToReplace => ({
  names: texts.map((text) => glob(text).pieces),
  kept: new Set(),
  fixed: new Map(),
  mayUse: () => true,
  ...more,
})

function renamed(texts: readonly string[], more: Partial<NamesToReplace> = {}): readonly string[] {
  const rename = byWords(toReplace(texts, more))
  if (!rename) throw new Error('no words')
  return texts.map((text) => text.split('*').map(rename).join('*'))
}

test.each([
  ['a pattern cuts a word', ['webshop-12', 'web*'], ['alfabravo-1', 'alfa*']],
  ['at its end as well', ['webshop', '*shop'], ['alfabravo', '*bravo']],
  ['and within it', ['theshops', '*shop*'], ['alfabravocharlie', '*bravo*']],
  [
    'a cut counts for words that begin alike',
    ['website', 'websites', 'web*', 'website*'],
    ['alfabravo', 'alfabravocharlie', 'alfa*', 'alfabravo*'],
  ],
  ['case is that of the word', ['prod-Prod-PROD-pRod'], ['alfa-Alfa-ALFA-aLfa']],
  ['the same word has the same replacement', ['a.b', 'b.a'], ['alfa.bravo', 'bravo.alfa']],
  ['numbers are numbers', ['7 and 42', '42*'], ['1 alfa 2', '2*']],
])('%s', (_, texts, expected) => {
  expect(renamed(texts)).toEqual(expected)
})

test('words that are kept stay, with the parts of them that patterns are about', () => {
  expect(renamed(['webHosting:shop', 'web*', '*Hosting:*'], { kept: new Set(['webHosting']) })).toEqual([
    'webHosting:alfa',
    'web*',
    '*Hosting:*',
  ])
})

test('over small alphabets, a pattern matches what it matched', () => {
  const random = randomOf(11)
  const letters = ['a', 'b', 'A', '1', '-', '.', 'é']
  const text = (most: number) => Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(random, letters)).join('')
  let same = 0
  let all = 0
  for (let i = 0; i < effort(6000, 80); i++) {
    const names = Array.from({ length: 4 }, () => text(7))
    const patterns = names.map((name) => {
      const [from, to] = [Math.floor(random() * name.length), Math.floor(random() * (name.length + 1))].sort((a, b) => a - b)
      return pick(random, [
        `${name.slice(0, to)}*`,
        `*${name.slice(from)}`,
        `${name.slice(0, from)}*${name.slice(to)}`,
        `*${name.slice(from, to)}*`,
      ])
    })
    const given = toReplace([...names, ...patterns])
    const answers = (rename: (literal: string) => string) =>
      patterns.flatMap((pattern) => names.map((name) => matches(glob(pattern.split('*').map(rename).join('*')), rename(name)))).join()
    const before = answers((literal) => literal)
    expect(answers(byLetters(given, 3)), `${names} ${patterns}`).toBe(before)
    const rename = byWords(given)
    all++
    if (rename && answers(rename) === before) same++
  }
  // The rest are found by deciding again, and have their letters replaced.
  expect(same / all).toBeGreaterThan(0.97)
})
