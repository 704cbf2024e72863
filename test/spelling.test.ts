import { describe, expect, test } from 'vitest'
import { isWideLetter, visible } from '../src/names.ts'
import { isSpelling } from '../src/spelling.ts'
import { readIdentity } from '../src/urn/identity.ts'

/** The invisible characters of a text that are no part of its spelling. */
const hidden = (text: string) =>
  [...text.matchAll(/\p{Cf}/gu)].filter(({ index }) => !isSpelling(text, index)).map(([c]) => c.codePointAt(0)?.toString(16))

describe('what belongs to a text', () => {
  test.each([
    ['a technician', '👩\u200d💻'],
    ['one with a colour of skin', 'on call: 🧑🏿\u200d🚒!'],
    ['a family', '👨\u200d👩\u200d👧\u200d👦'],
    ['a sign with a selector on either side', '👁️\u200d🗨️'],
    ['a sign that was no picture at first', '🏴\u200d☠️ 🤷\u200d♀️'],
    ['the flag of Scotland', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
    ['Persian', 'نمی\u200cخواهم کتاب\u200cها'],
    ['Persian, an abbreviation', 'ه\u200d.ش'],
    ['Hindi', 'क्\u200dष क्\u200cष'],
    ['Sinhala', 'ශ්\u200dරී'],
    ['Malayalam, at the end of a word', 'അവന്\u200d'],
    ['Bengali', 'র\u200d্যাব'],
    ['Khmer', 'ភាសា\u200bខ្មែរ'],
    ['Thai', 'ภาษา\u200bไทย'],
    ['a script beyond the basic plane', '\u{1e900}\u200d\u{1e901}'],
  ])('%s', (_, text) => {
    expect(hidden(text)).toEqual([])
    expect(visible(text)).toBe(text)
  })

  test.each([
    ['between Latin letters', 'ad\u200dmin', ['200d']],
    ['between Cyrillic letters', 'и\u200cл', ['200c']],
    ['behind an emoji', '💻\u200d', ['200d']],
    ['before an emoji', 'a\u200d💻', ['200d']],
    ['twice between two emoji', '👩\u200d\u200d💻', ['200d', '200d']],
    ['between digits', '1\u200d2', ['200d']],
    ['behind a word of Persian', 'کتاب\u200c', ['200c']],
    ['between a word of Persian and one of English', 'کتاب\u200ca', ['200c']],
    ['a flag without an end', '🏴\u{e0067}\u{e0062}', ['e0067', 'e0062']],
    ['letters that are not seen behind a letter', 'a\u{e0067}\u{e007f}', ['e0067', 'e007f']],
    ['a blank of no width in a word of Persian', 'کتاب\u200bها', ['200b']],
    ['direction-changing in a word of Persian', 'کتاب\u200fها', ['200f']],
    ['a soft hyphen', 'Welt\u00adraum', ['ad']],
  ])('not %s', (_, text, wanted) => {
    expect(hidden(text)).toEqual(wanted)
  })

  test('in a name of the service nothing invisible has a place, not even what Unicode calls letters and marks', () => {
    for (const point of [0x200c, 0x200d, 0x034f, 0x115f, 0x180b, 0x3164, 0xfe0f, 0xffa0, 0xe0100]) {
      expect(isWideLetter(point), point.toString(16)).toBe(false)
      const { faults } = readIdentity(`urn:v1:eu:identity:group:ab12-svc/é${String.fromCodePoint(point)}è`, { pattern: false })
      expect(faults?.map(({ stray, suggestion }) => [stray, suggestion])).toEqual([[true, 'urn:v1:eu:identity:group:ab12-svc/éè']])
    }
  })
})
