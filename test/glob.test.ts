import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  covers,
  fillWildcards,
  freshLetter,
  type Glob,
  glob,
  hasInnerWildcard,
  intersection,
  isPattern,
  matches,
  overlaps,
  uncovered,
} from '../src/glob.ts'
import { counted } from './support/counted.ts'
import { effort, isDeep } from './support/effort.ts'

/** Every word over the letters, up to a length. */
function words(letters: string, longest: number): string[] {
  const out = ['']
  for (let from = 0, length = 0; length < longest; length++) {
    const to = out.length
    for (; from < to; from++) for (const letter of letters) out.push(out[from] + letter)
  }
  return out
}

/** The meaning of a pattern, in the fewest words: a wildcard takes nothing, or one character and then again. */
function means(pattern: string, text: string, p = 0, t = 0): boolean {
  if (p === pattern.length) return t === text.length
  if (pattern[p] === '*') return means(pattern, text, p + 1, t) || (t < text.length && means(pattern, text, p, t + 1))
  return t < text.length && pattern[p] === text[t] && means(pattern, text, p + 1, t + 1)
}

/** A set of texts: one bit for each. */
function setOf(pattern: string, texts: readonly string[]): bigint {
  let bits = '0b0'
  for (const text of texts) bits += means(pattern, text) ? '1' : '0'
  return BigInt(bits)
}

const patterns = words('ab*', isDeep ? 6 : 5)
const texts = words('abc', 6)
const small = words('ab*', 4)

describe('matches', () => {
  // covers: M21, T16
  test(`is what the pattern means, for every pattern and text of a small alphabet (${patterns.length} × ${texts.length})`, () => {
    const wrong: string[] = []
    for (const text of patterns) {
      const pattern = glob(text)
      const expression = new RegExp(`^${text.replaceAll('*', '[^]*')}$`)
      for (const candidate of texts) {
        const found = matches(pattern, candidate)
        if (found !== means(text, candidate) || found !== expression.test(candidate)) wrong.push(`${text} ~ ${candidate}`)
      }
    }
    counted(patterns.length * texts.length)
    expect(wrong).toEqual([])
  })

  // covers: M22
  test('a pattern without a wildcard matches itself and nothing else', () => {
    for (const text of words('ab', 5)) {
      expect(isPattern(glob(text))).toBe(false)
      expect(texts.filter((candidate) => matches(glob(text), candidate))).toEqual([text])
    }
  })

  // covers: M23
  test('two wildcards in a row are one', () => {
    for (const text of patterns) {
      const doubled = glob(text.replaceAll('*', '**'))
      expect(doubled.pieces).toEqual(glob(text).pieces)
      expect(glob(text.replace(/\*+/g, '*')).pieces).toEqual(glob(text).pieces)
    }
  })

  // covers: M24
  test('whatever the wildcards are filled with matches', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 6 }),
        fc.array(fc.string({ unit: 'binary' }), { minLength: 6, maxLength: 6 }),
        (pieces, fillings) => {
          const bare = pieces.map((piece) => piece.replaceAll('*', ''))
          const text = bare.reduce((text, piece, i) => text + fillings[i] + piece)
          return matches(glob(bare.join('*')), text)
        },
      ),
      { numRuns: counted(effort(5000)) },
    )
  })

  // covers: M25, T16
  test.each([...'?[]{}!\\.+$^|()-,/:#@%&=~"\'` ', '\n', '\r', '\t', '\0', '\u2028', 'é', 'e\u0301', '😀', '\ud83d', '\uffff'])(
    '%j stands for itself',
    (character) => {
      const others = [
        '',
        'a',
        'b',
        'ab',
        'ba',
        'aa',
        `${character}a`,
        `a${character}`,
        character.toLowerCase() === character ? 'É' : character.toLowerCase(),
      ]
      for (const [pattern, own] of [
        [character, character],
        [`a${character}b`, `a${character}b`],
        [`*${character}*`, `a${character}b`],
        [`${character}*`, `${character}ab`],
        [`*a${character}`, `ba${character}`],
      ] as const) {
        expect(matches(glob(pattern), own), `${pattern} ~ ${own}`).toBe(true)
        for (const other of others) expect(matches(glob(pattern), other), `${pattern} ~ ${other}`).toBe(means(pattern, other))
      }
    },
  )

  test.each([
    ['*:apisvc:*', 'p:apisvc:a/b/c', true],
    ['webHosting:*', 'webHosting:apisvc:attachedDomain/get', true],
    ['*get', 'p:apisvc:a/get', true],
    ['*', '', true],
    ['a*', 'a', true],
    ['*a', 'a', true],
    ['ab*ba', 'aba', false],
    ['ab*ba', 'abba', true],
    ['aa*aa', 'aaa', false],
    ['a*b*c', 'acb', false],
    ['*ab*ab*', 'xabyab', true],
    ['*ab*ab', 'ab', false],
    ['*aba*ba', 'ababa', true],
    ['*aba*ba', 'abba', false],
    ['Get', 'get', false],
    ['a\n*', 'a\nb\nc', true],
    ['*', 'a\nb', true],
    ['a?b', 'acb', false],
    ['[ab]', 'a', false],
    ['{a,b}', 'a', false],
    ['\\*', '\\', true],
    ['\\*', '*', false],
    ['K', '\u212a', false],
  ])('%j and %j: %j', (pattern, text, demanded) => {
    expect(matches(glob(pattern), text)).toBe(demanded)
  })
})

describe('hasInnerWildcard', () => {
  test('is true when a wildcard is neither first nor last', () => {
    for (const text of patterns) expect(hasInnerWildcard(glob(text)), text).toBe(/[^*]\*+[^*]/.test(text))
  })
})

describe('covers', () => {
  // A letter that no pattern holds decides: the texts with it are the ones in which wildcards differ from letters.
  const sets = new Map(small.map((text) => [text, setOf(text, texts)]))

  test(`is inclusion of what is matched, for every two patterns (${small.length}²)`, () => {
    const wrong: string[] = []
    for (const wide of small) {
      for (const narrow of small) {
        const isIncluded = ((sets.get(narrow) as bigint) & ~(sets.get(wide) as bigint)) === 0n
        if (covers(glob(wide), glob(narrow)) !== isIncluded) wrong.push(`${wide} ⊇ ${narrow}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('a text with a `*` that is no wildcard is one text', () => {
    const literal: Glob = { text: 'a*', pieces: ['a*'] }
    expect(covers(literal, glob('a*'))).toBe(false)
    expect(covers(glob('a*'), literal)).toBe(true)
    expect(covers(literal, literal)).toBe(true)
  })

  test('a pattern filled with a letter that is in no other pattern speaks for the whole of it', () => {
    for (const text of small) expect(matches(glob(text), fillWildcards(glob(text), freshLetter(text)))).toBe(true)
    expect(freshLetter('\uffff', 'a\ufffe')).toBe('\ufffd')
  })
})

describe('overlaps', () => {
  test('is true when some text matches both, for every two patterns', () => {
    // Two patterns of four letters that meet at all meet in a text of eight at most; one of seven shows every case here.
    const long = words('ab', 8)
    const sets = small.map((text) => setOf(text, long))
    const wrong: string[] = []
    for (const [i, a] of small.entries()) {
      for (const [j, b] of small.entries()) {
        const meets = ((sets[i] as bigint) & (sets[j] as bigint)) !== 0n
        if (overlaps(glob(a), glob(b)) !== meets) wrong.push(`${a} ∩ ${b}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

describe('intersection', () => {
  const three = words('ab*', 3)
  const long = words('abc', 7)
  const sets = new Map<string, bigint>()
  const matchedBy = (text: string): bigint => {
    const known = sets.get(text) ?? setOf(text, long)
    sets.set(text, known)
    return known
  }
  const pairs = three.flatMap((a) => three.map((b) => [a, b] as const))

  test(`matches exactly what both match, for every two patterns (${three.length}²)`, () => {
    const wrong: string[] = []
    for (const [a, b] of pairs) {
      const parts = intersection(glob(a), glob(b)) as readonly Glob[]
      const together = parts.reduce((bits, part) => bits | matchedBy(part.text), 0n)
      if (together !== (matchedBy(a) & matchedBy(b))) wrong.push(`${a} ∩ ${b} = ${parts.map((part) => part.text).join(' ∪ ')}`)
    }
    expect(wrong).toEqual([])
  })

  test('has no part that another covers, is in a fixed order, and is empty exactly without an overlap', () => {
    for (const [a, b] of pairs) {
      const parts = intersection(glob(a), glob(b)) as readonly Glob[]
      expect(parts.length > 0).toBe(overlaps(glob(a), glob(b)))
      for (const part of parts) for (const other of parts) expect(part === other || !covers(other, part), `${a} ∩ ${b}`).toBe(true)
      const again = intersection(glob(a), glob(b)) as readonly Glob[]
      expect(again.map((part) => part.text)).toEqual(parts.map((part) => part.text))
      if (parts.length > 1) expect(parts.map((part) => part.text)).toEqual(parts.map((part) => part.text).sort())
    }
  })

  test('does not depend on which pattern comes first', () => {
    for (const [a, b] of pairs) {
      const there = (intersection(glob(a), glob(b)) as readonly Glob[]).map((part) => part.pieces.join('*'))
      const back = (intersection(glob(b), glob(a)) as readonly Glob[]).map((part) => part.pieces.join('*'))
      expect(there, `${a} ∩ ${b}`).toEqual(back)
    }
  })

  test.each([
    ['a*', '*b', ['a*b']],
    ['ab*', '*ba', ['ab*ba', 'aba']],
    ['a*', 'ab*', ['ab*']],
    ['*a*', '*b*', ['*a*b*', '*b*a*']],
    ['a*c', 'ab*', ['ab*c']],
    ['x*', 'y*', []],
    ['*', 'a', ['a']],
  ])('%j and %j: %j', (a, b, demanded) => {
    expect((intersection(glob(a), glob(b)) as readonly Glob[]).map((part) => part.text)).toEqual(demanded)
  })

  test('of one that covers the other is the other itself, and of two without an overlap nothing, however many wildcards they have', () => {
    const [wide, narrow] = [glob('*a*b*c*d*e*f*g*'), glob('*a*b*x*c*d*e*y*f*g*z')]
    expect(intersection(wide, narrow)).toEqual([narrow])
    expect(intersection(narrow, wide)).toEqual([narrow])
    expect(intersection(glob('x*a*b*c*d*e*f*g*'), glob('y*1*2*3*4*5*6*7*8*'))).toEqual([])
    const doubled = glob('a**')
    expect(intersection(doubled, glob('*'))?.[0]).toBe(doubled)
    expect(intersection(glob('*'), doubled)?.[0]).toBe(doubled)
  })

  // covers: T31
  test('is given up, not waited for, where stacks of inner wildcards interleave in thousands of ways', () => {
    expect(intersection(glob('*a*b*c*d*e*f*g*'), glob('*1*2*3*4*5*6*7*8*'))).toBeUndefined()
  })
})

describe('uncovered', () => {
  test('keeps what no other covers, the first of equals', () => {
    const kept = (...list: string[]) => uncovered(list.map(glob)).map((pattern) => pattern.text)
    expect(kept('a', 'a*', 'b', 'ab*')).toEqual(['a*', 'b'])
    expect(kept('a*', 'a**', 'a*')).toEqual(['a*'])
    expect(kept('a', 'b', '*')).toEqual(['*'])
    expect(kept()).toEqual([])
  })
})

/** Patterns and texts on which careless matchers take for ever. */
// covers: M26, T15
describe('long inputs come to an end', () => {
  const text = 'a'.repeat(200_000)
  const worst: readonly (readonly [shows: string, pattern: string, text: string, demanded: boolean])[] = [
    ['eight wildcards and a letter that never comes', `${'*a'.repeat(8)}b*`, text, false],
    ['256 wildcards', 'a*'.repeat(256), text, true],
    ['256 wildcards and a letter that never comes', `${'a*'.repeat(255)}b`, text, false],
    ['a long piece that fails at its last letter', `*${'a'.repeat(509)}b*`, text, false],
    ['a long piece that fails at its first letter', `*b${'a'.repeat(509)}*`, text, false],
    ['a periodic piece', `*${'ab'.repeat(254)}c*`, 'ab'.repeat(100_000), false],
    ['a periodic piece found at the very end', `*${'ab'.repeat(250)}c*`, `${'ab'.repeat(100_000)}c`, true],
    ['many periodic pieces', `*${`${'ab'.repeat(31)}c*`.repeat(8)}`, 'ab'.repeat(100_000), false],
    ['a piece that is the whole text and one letter more', `*${'a'.repeat(511)}`, 'a'.repeat(510), false],
    ['a piece that overlaps itself', `*${'aab'.repeat(100)}aac*`, 'aab'.repeat(66_000), false],
  ]
  test.each(worst)('%s', (_, pattern, long, demanded) => {
    expect(matches(glob(pattern), long)).toBe(demanded)
  })

  test('long pieces that repeat are found where short ones would be, wherever they start', () => {
    const wrong: string[] = []
    for (const unit of words('ab', 5).slice(1)) {
      const piece = unit.repeat(40).slice(0, 32)
      for (const end of ['', 'a', 'b', `a${unit}`, `b${unit}`]) {
        const long = piece + end
        for (const before of ['', 'a', 'b', unit, `${unit}a`, piece, `${piece}a`, `${piece}b`, piece.slice(3)]) {
          for (const text of [before + long, `${before + long}c`, before + long.slice(0, -1)])
            if (matches(glob(`*${long}*`), text) !== text.includes(long)) wrong.push(`${long} in ${text}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })

  test('long pieces are found where short ones would be', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 28, maxLength: 44 }),
        fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 60 }),
        fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 60 }),
        fc.nat(3),
        (piece, before, after, cut) => {
          const long = before + piece.slice(0, piece.length - cut) + after
          return matches(glob(`*${piece}*`), long) === long.includes(piece)
        },
      ),
      { numRuns: effort(5000) },
    )
  })
})
