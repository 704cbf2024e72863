import { describe, expect, test } from 'vitest'
import { Undecided, unlessUndecided } from '../../src/budget.ts'
import { groupedBy } from '../../src/collections.ts'
import { readConditionKey, readTest } from '../../src/conditions/test.ts'
import { type Glob, glob, matches } from '../../src/glob.ts'
import { memoizeByObject, memoizeByText } from '../../src/memo.ts'
import { type Box, boxesOf, boxText, coversBox, everywhere, holdsUrn, meetBoxes, overlapsBox } from '../../src/symbolic/boxes.ts'
import { Budget, type Cell, Cover, Exceeded } from '../../src/symbolic/cover.ts'
import { conditionText, entriesOf, globOf, joinKeys, type List, lists, withEntries } from '../../src/symbolic/entries.ts'
import {
  allOf,
  always,
  anyOf,
  comparison,
  compound,
  conjunction,
  evaluate,
  type Formula,
  isAlways,
  isMember,
  isNever,
  negation,
  never,
  noneOf,
  openText,
  printFormula,
} from '../../src/symbolic/formula.ts'
import { uncoveredBy } from '../../src/symbolic/lists.ts'
import { literal, meet, meetIfFeasible } from '../../src/symbolic/patterns.ts'
import { simplified } from '../../src/symbolic/simplify.ts'
import { readResource } from '../../src/urn/resource.ts'
import { Zones } from '../../src/zones.ts'
import { type PolicyJson, pick, type Random, randomOf, worldOf } from '../support/worlds.ts'

describe('sets of contexts', () => {
  /** Three dimensions of 3, 2 and 2 classes: twelve contexts, each as the bit that it is in each dimension. */
  const whole: Cell = [7n, 3n, 3n]
  const contexts = [0, 1, 2].flatMap((a) => [0, 1].flatMap((b) => [0, 1].map((c) => [a, b, c])))
  const holds = (cell: Cell, context: readonly number[]) => context.every((bit, d) => ((cell[d] as bigint) >> BigInt(bit)) & 1n)
  const held = (cells: readonly Cell[]) => contexts.map((context) => cells.some((cell) => holds(cell, context)))
  const randomCell = (random: Random): Cell => whole.map((bits) => BigInt(1 + Math.floor(random() * Number(bits))))
  const randomCells = (random: Random, most: number) => Array.from({ length: Math.floor(random() * (most + 1)) }, () => randomCell(random))
  const cover = () => new Cover(whole, new Budget(1_000_000))

  test('are joined, met and subtracted as sets of contexts are', () => {
    const random = randomOf(1)
    for (let i = 0; i < 150; i++) {
      const [a, b, cell] = [randomCells(random, 4), randomCells(random, 4), randomCell(random)]
      const [inA, inB, inCell] = [held(a), held(b), held([cell])]
      expect(held(cover().union([a, b]))).toEqual(contexts.map((_, j) => inA[j] || inB[j]))
      expect(held(cover().intersection([a, b]))).toEqual(contexts.map((_, j) => inA[j] && inB[j]))
      expect(held(cover().without(cell, a))).toEqual(contexts.map((_, j) => inCell[j] && !inA[j]))
      expect(cover().isCovered(cell, a)).toBe(contexts.every((_, j) => !inCell[j] || inA[j]))
    }
  })

  test('are shortened without a change of what they hold', () => {
    const random = randomOf(2)
    for (let i = 0; i < 150; i++) {
      const [cells, free] = [randomCells(random, 6), randomCells(random, 2)]
      const [exact, freely] = [cover().shortened(cells), cover().shortened(cells, free)]
      const [inCells, inFree] = [held(cells), held(free)]
      expect(held(exact)).toEqual(inCells)
      for (const [j, is] of held(freely).entries()) if (!inFree[j]) expect(is).toBe(inCells[j])
      expect(freely.length).toBeLessThanOrEqual(cells.length)
      for (const cell of exact) {
        // None can be left out, and none can be wider.
        expect(
          exact.length === 1 ||
            !cover().isCovered(
              cell,
              exact.filter((other) => other !== cell),
            ),
        ).toBe(true)
        for (const [d, bits] of whole.entries()) {
          const wide = cell.with(d, bits)
          expect(wide[d] === cell[d] || held([wide]).some((is, j) => is && !inCells[j])).toBe(true)
        }
      }
    }
  })

  test('of one box stay as they are, and boxes that make one become one', () => {
    expect(cover().shortened([[1n, 1n, 1n]])).toEqual([[1n, 1n, 1n]])
    expect(cover().union([[[1n, 3n, 3n]], [[6n, 3n, 3n]]])).toEqual([whole])
    expect(cover().union([[[1n, 1n, 1n]], [[3n, 1n, 3n]]])).toEqual([[3n, 1n, 3n]])
    expect(
      cover().union([
        [
          [1n, 1n, 1n],
          [4n, 1n, 1n],
        ],
        [[2n, 1n, 1n]],
      ]),
    ).toEqual([[7n, 1n, 1n]])
    expect(
      cover().shortened(
        [[1n, 1n, 1n]],
        [
          [6n, 1n, 3n],
          [1n, 1n, 2n],
          [7n, 2n, 3n],
        ],
      ),
    ).toEqual([whole])
    expect(cover().shortened([])).toEqual([])
    // One is in the other, on either side; one that became wider joins one that was passed.
    expect(cover().union([[[3n, 1n, 3n]], [[1n, 1n, 1n]]])).toEqual([[3n, 1n, 3n]])
    expect(
      cover().union([
        [
          [3n, 2n, 1n],
          [2n, 1n, 1n],
        ],
        [[1n, 1n, 1n]],
      ]),
    ).toEqual([[3n, 3n, 1n]])
  })

  test('are shortened by the first box, too, and to no less than one', () => {
    const boxes: readonly Cell[] = [
      [1n, 3n, 2n],
      [6n, 2n, 3n],
    ]
    // The contents of the first are in the other two, half and half.
    expect(cover().shortened([[7n, 2n, 2n], ...boxes])).toEqual(boxes)
    expect(cover().shortened([...boxes, [7n, 2n, 2n]])).toEqual(boxes)
    expect(cover().shortened([[1n, 1n, 1n]], [whole])).toEqual([whole])
    expect(cover().shortened(boxes, [whole])).toEqual([whole])
  })

  test('have no boxes that hold nothing', () => {
    expect(cover().without([1n, 1n, 1n], [whole])).toEqual([])
    expect(cover().without([3n, 1n, 1n], [[1n, 3n, 3n]])).toEqual([[2n, 1n, 1n]])
    expect(cover().without([3n, 3n, 1n], [[3n, 3n, 2n]])).toEqual([[3n, 3n, 1n]])
    // The last box is left by the first subtraction, and does not meet the second.
    expect(
      cover().without(whole, [
        [1n, 3n, 2n],
        [6n, 1n, 2n],
      ]),
    ).toEqual([
      [6n, 2n, 3n],
      [6n, 1n, 1n],
      [1n, 3n, 1n],
    ])
    expect(
      cover().intersection([
        [
          [1n, 3n, 3n],
          [2n, 1n, 3n],
        ],
        [[2n, 3n, 1n]],
      ]),
    ).toEqual([[2n, 1n, 1n]])
    expect([cover().isCovered([0n, 1n, 1n], []), cover().isCovered([1n, 1n, 1n], [])]).toEqual([true, false])
    expect(cover().isCovered([1n, 1n, 1n], [[0n, 3n, 3n]])).toBe(false)
  })

  test('of one list, or of one box, are that, at no cost', () => {
    const cells: readonly Cell[] = [whole, [1n, 1n, 1n]]
    expect(new Cover(whole, new Budget(0)).union([cells])).toBe(cells)
    expect(new Cover(whole, new Budget(0)).shortened([[1n, 1n, 1n]])).toEqual([[1n, 1n, 1n]])
  })

  test('know their slices, and the smallest box around', () => {
    expect(cover().slice(0, 5n)).toEqual([[5n, 3n, 3n]])
    expect(cover().slice(2, 0n)).toEqual([])
    expect(
      cover().around([
        [1n, 1n, 1n],
        [4n, 1n, 2n],
      ]),
    ).toEqual([5n, 1n, 3n])
    expect(cover().around([])).toEqual([0n, 0n, 0n])
  })

  test('stop where the steps are used up, not before', () => {
    const budget = new Budget(5)
    budget.spend(3)
    budget.spend(2)
    expect(() => budget.spend(1)).toThrow(Exceeded)
    const many = Array.from({ length: 12 }, (_, i): Cell => [1n << BigInt(i % 3), 1n << BigInt(i % 2), 1n + BigInt(i % 3)])
    for (const work of [
      (sets: Cover) => sets.union([many, many]),
      (sets: Cover) => sets.intersection([many, many]),
      (sets: Cover) => sets.without(whole, many),
      (sets: Cover) => sets.isCovered(whole, many),
    ]) {
      expect(() => work(new Cover(whole, new Budget(2)))).toThrow(Exceeded)
      expect(() => work(new Cover(whole, new Budget(100_000)))).not.toThrow()
    }
  })
})

describe('boxes', () => {
  const written = [
    ...[
      '*',
      '*:*',
      't:*',
      't:a',
      't*:a',
      '*:a',
      't*',
      '*a',
      't*a',
      '*t:a*',
      't:a:b',
      't:*:b',
      't*u:a*b',
      '*:a:*',
      't**:a',
      '*u*',
      'u*:*:b',
      't:a*',
    ],
  ]
  const urns = ['eu', 'ca'].flatMap((plate) =>
    ['t:a', 't:b', 'tu:a', 'ut:ab', 't:a:b', 't:xa', 'tu:a:xb', 'u:a', 'ta:a', 'tuu:a', 'u:x:b', 'u:ub', 'xt:a'].map(
      (rest) => `urn:v1:${plate}:resource:${rest}`,
    ),
  )
  const all = written.flatMap((rest) => {
    const { value } = readResource(`urn:v1:eu:resource:${rest}`, { pattern: true })
    return (value ? ['eu', '*', 'e*'] : []).map((region) => {
      const text = `urn:v1:${region}:resource:${rest}`
      return { text, pattern: glob(text), boxes: boxesOf({ type: '', name: '', ...value, region }) }
    })
  })

  test('of a pattern hold what it matches', () => {
    expect(all.length).toBeGreaterThan(40)
    for (const { text, pattern, boxes } of all)
      for (const urn of urns) expect([text, urn, boxes.some((box) => holdsUrn(box, urn))]).toEqual([text, urn, matches(pattern, urn)])
  })

  test('of everything are one', () => {
    const boxes = all.filter(({ text }) => text === 'urn:v1:*:resource:*' || text === 'urn:v1:*:resource:*:*')
    expect(boxes.map(({ boxes: found }) => found.map(boxText))).toEqual([[boxText(everywhere)], [boxText(everywhere)]])
  })

  test('cover, overlap and meet as what they hold does', () => {
    const boxes = all.flatMap((each) => each.boxes)
    const some = boxes.filter((_, i) => i % 2 === 0)
    for (const a of some) {
      for (const b of some) {
        const shared = urns.filter((urn) => holdsUrn(a, urn) && holdsUrn(b, urn))
        if (coversBox(a, b)) expect(urns.filter((urn) => holdsUrn(b, urn))).toEqual(shared)
        if (shared.length > 0) expect(overlapsBox(a, b)).toBe(true)
        const met = meetBoxes(a, b)
        expect(met.length > 0).toBe(overlapsBox(a, b))
        expect(urns.filter((urn) => met.some((box) => holdsUrn(box, urn)))).toEqual(shared)
      }
    }
  })

  test('cover another only with all of type, name and region', () => {
    const box = (region: string, type: string, name: string): Box => ({ region: glob(region), type: glob(type), name: glob(name) })
    const narrow = box('eu', 't', 'a')
    expect(coversBox(everywhere, narrow)).toBe(true)
    expect(coversBox(narrow, narrow)).toBe(true)
    for (const other of [box('ca', '*', '*'), box('*', 'u', '*'), box('*', '*', 'b')]) {
      expect(coversBox(other, narrow)).toBe(false)
      expect(overlapsBox(other, narrow)).toBe(false)
      expect(meetBoxes(other, narrow)).toEqual([])
    }
    expect(overlapsBox(box('e*', 't*', 'a*'), box('*u', '*u', '*b'))).toBe(true)
    expect(boxText(box('eu', 't', 'a:b'))).toBe('eu:t:a:b')
  })
})

describe('lists', () => {
  test('are grouped in the order in which the texts come first', () => {
    expect([...groupedBy(['b1', 'a1', 'b2', 'a2', 'c1'], (text) => text.charAt(0))]).toEqual([
      ['b', ['b1', 'b2']],
      ['a', ['a1', 'a2']],
      ['c', ['c1']],
    ])
  })

  test('what is remembered is worked out once', () => {
    const asked: string[] = []
    const upper = memoizeByText(
      (text: string) => text.trim(),
      (text) => {
        asked.push(text)
        return text.trim().toUpperCase()
      },
    )
    expect([' a', 'a', 'b', 'a '].map(upper)).toEqual(['A', 'A', 'B', 'A'])
    expect(asked).toEqual([' a', 'b'])
    let calls = 0
    const count = memoizeByObject((_: object) => ++calls)
    const [x, y] = [{}, {}]
    expect([x, y, x, y].map(count)).toEqual([1, 2, 1, 2])
  })

  test('keep what no other covers, and the first of equal ones', () => {
    const divides = (wide: { n: number }, { n }: { n: number }) => n % wide.n === 0
    const items = [6, 4, 3, 3, 8, 2, 9, 5].map((n, i) => ({ n, i }))
    expect(uncoveredBy(items, divides)).toEqual([items[2], items[5], items[7]])
    expect(uncoveredBy([], divides)).toEqual([])
  })
})

describe('patterns', () => {
  const texts = ['', 'a', 'b', 'ab', 'ba', 'aab', 'aba', 'abab', 'bab', 'bb', 'abb', 'aabb', '*', 'a*b']
  const globs = ['', 'a', 'ab', '*', 'a*', '*b', 'a*b', '*a*', '*ab*', 'a*b*', '*a*b*', 'ab*ab'].map((text) => glob(text))

  test('meet in what both match', () => {
    for (const a of globs)
      for (const b of globs)
        for (const text of texts)
          expect([a.text, b.text, text, meet(a, b).some((each) => matches(each, text))]).toEqual([
            a.text,
            b.text,
            text,
            matches(a, text) && matches(b, text),
          ])
  })

  test('that are literal match their own text alone', () => {
    expect(texts.filter((text) => matches(literal('a*b'), text))).toEqual(['a*b'])
    expect(meetIfFeasible(literal('a'), glob('a*'))?.map(({ text }) => text)).toEqual(['a'])
  })

  const stack = (letter: string): Glob => glob(`*${Array.from({ length: 8 }, (_, i) => `${letter}${i}`).join('*')}*`)

  test('are given up where they meet in too many ways, and only there', () => {
    const [a, b] = [stack('a'), stack('b')]
    expect(meetIfFeasible(a, b)).toBeUndefined()
    expect(() => meet(a, b)).toThrow(Undecided)
    expect(
      unlessUndecided(
        () => meet(a, b).length,
        (culprits) => culprits,
      ),
    ).toEqual([a.text, b.text])
    expect(
      unlessUndecided(
        () => meet(a, a).map(({ text }) => text),
        () => 'given up',
      ),
    ).toEqual([a.text])
    expect(meetIfFeasible(a, glob('*'))?.map(({ text }) => text)).toEqual([a.text])
    expect(meetIfFeasible(glob('*'), a)?.map(({ text }) => text)).toEqual([a.text])
    expect(meetIfFeasible(a, glob('x'))).toEqual([])
    const broken = () => {
      throw new RangeError('else')
    }
    expect(() => unlessUndecided(broken, () => undefined)).toThrow(RangeError)
  })

  test('are not given up where one covers the other, or nothing matches both', () => {
    const [a, b] = [stack('a'), stack('b')]
    const inner = glob(a.text.replace('a3', 'a3*x*a3'))
    expect(meetIfFeasible(a, inner)?.map(({ text }) => text)).toEqual([inner.text])
    expect(meetIfFeasible(inner, a)?.map(({ text }) => text)).toEqual([inner.text])
    expect(meetIfFeasible(glob(`x${a.text}`), glob(`y${b.text}`))).toEqual([])
    const name = `${'a'.repeat(600)}b`
    for (const long of [glob(`*${'a'.repeat(590)}*`), glob(`${'a'.repeat(600)}*`), glob(name)]) {
      expect(meetIfFeasible(glob(name), long)).toEqual([glob(name)])
      expect(meetIfFeasible(long, glob(name))).toEqual([glob(name)])
    }
  })

  test('are given up beyond three hundred orders of their inner pieces, or a quarter of a million pairs of letters', () => {
    const pieces = (letter: string, count: number) => glob(`*${Array.from({ length: count }, (_, i) => `${letter}${i}`).join('*')}*`)
    // Pieces on both sides, and in how many orders they can follow each other.
    const orders = [
      [2, 23, 300],
      [3, 10, 286],
      [4, 7, 330],
      [5, 5, 252],
      [2, 24, 325],
      [3, 11, 364],
      [4, 6, 210],
      [5, 6, 462],
    ] as const
    for (const [m, n, count] of orders) {
      for (const [a, b] of [
        [pieces('a', m), pieces('b', n)],
        [pieces('a', n), pieces('b', m)],
      ] as const)
        expect([m, n, meetIfFeasible(a, b)?.length]).toEqual([m, n, count <= 300 ? count : undefined])
    }
    const long = (letter: string, length: number) => glob(`*${letter.repeat(length - 2)}*`)
    expect(meetIfFeasible(long('a', 500), long('b', 499))).toHaveLength(2)
    expect(meetIfFeasible(long('a', 499), long('b', 501))).toHaveLength(2)
    expect(meetIfFeasible(long('a', 500), long('b', 500))).toBeUndefined()
    expect(meetIfFeasible(long('a', 5_000), long('b', 50))).toBeUndefined()
  })

  test('take from the allowance with the square of how many they are', () => {
    const few = { left: 100 }
    meet(glob('a*'), glob('*b'), few)
    expect(few.left).toBe(100)
    const [a, b] = [glob('*a*b*c*'), glob('*d*e*f*')]
    const many = { left: 100_000 }
    const { length } = meet(a, b, many)
    expect(length).toBeGreaterThanOrEqual(20)
    expect(many.left).toBe(100_000 - Math.floor(length ** 2 / 100))
  })
})

describe('formulas', () => {
  const facts = ['a', 'b', 'c'].map((name) => isMember(`urn:v1:eu:resourceGroup:${name}`))
  const zones = new Zones()
  const tagged = (operator: string, value: string): Formula => {
    const key = readConditionKey(`resource.Tag(k).${operator}`, zones).value
    const read = key && readTest(key, value).value
    if (!read) throw new Error(value)
    return comparison(read)
  }
  const atoms = [...facts, tagged('EQ', 'x'), tagged('STARTS_WITH', 'x')]
  const models = [undefined, true, false].flatMap((a) =>
    [undefined, true, false].flatMap((b) =>
      [undefined, true, false].flatMap((c) =>
        [undefined, null, 'x', 'xy'].map((tag) => ({
          tags: new Map(tag === undefined ? [] : [['k', tag]]),
          assumed: new Map(
            [a, b, c].flatMap((holds, i) => {
              const fact = facts[i]
              return holds === undefined || fact?.kind !== 'fact' ? [] : [[openText(fact.is), holds] as const]
            }),
          ),
        })),
      ),
    ),
  )
  const complete = models.filter(({ tags, assumed }) => tags.size === 1 && assumed.size === 3)

  function random(of: Random, depth: number): Formula {
    if (depth === 0 || of() < 0.3) return of() < 0.1 ? pick(of, [always, never]) : pick(of, atoms)
    const parts = Array.from({ length: Math.floor(of() * 4) }, () => random(of, depth - 1))
    return compound(pick(of, ['and', 'or', 'not']), parts)
  }

  test('joined hold where their parts do, in three-valued logic', () => {
    const of = randomOf(3)
    for (let i = 0; i < 60; i++) {
      const parts = Array.from({ length: Math.floor(of() * 4) }, () => random(of, 2))
      const [first = always, second = never] = parts
      for (const model of models.filter((_, j) => j % 5 === i % 5)) {
        expect(evaluate(allOf(parts), model)).toBe(evaluate(compound('and', parts), model))
        expect(evaluate(anyOf(parts), model)).toBe(evaluate(compound('or', parts), model))
        expect(evaluate(conjunction(first, second), model)).toBe(evaluate(compound('and', [first, second]), model))
        expect(evaluate(noneOf(first), model)).toBe(evaluate(compound('not', [first]), model))
        expect(evaluate(negation(first), model)).toBe(evaluate(compound('not', [first]), model))
      }
    }
  })

  test('joined are flat, each part once, and without parts that say nothing more', () => {
    const [a, b, c] = facts as [Formula, Formula, Formula]
    const texts = (...formulas: Formula[]) => formulas.map(printFormula)
    expect(texts(allOf([]), anyOf([]), allOf([always, always]), anyOf([never, never]))).toEqual(texts(always, never, always, never))
    expect(texts(allOf([a, never]), anyOf([a, always]), allOf([a, always]), anyOf([never, a]))).toEqual(texts(never, always, a, a))
    expect(texts(allOf([a, a]), allOf([a, allOf([b, c])]), anyOf([anyOf([a, b]), c]))).toEqual(
      texts(a, compound('and', [a, b, c]), compound('or', [a, b, c])),
    )
    expect(texts(allOf([a, anyOf([a, b])]), anyOf([a, allOf([a, b])]), allOf([a, anyOf([b, c])]))).toEqual(
      texts(a, a, compound('and', [a, compound('or', [b, c])])),
    )
    expect(texts(noneOf(always), noneOf(never), noneOf(noneOf(a)), conjunction(always, a), conjunction(a, always))).toEqual(
      texts(never, always, a, a, a),
    )
    expect([always, never, a, compound('and', [a]), compound('or', [a])].map(isAlways)).toEqual([true, false, false, false, false])
    expect([always, never, a, compound('and', [a]), compound('or', [a])].map(isNever)).toEqual([false, true, false, false, false])
  })

  test('simplified hold at the same contexts', () => {
    const of = randomOf(4)
    for (let i = 0; i < 150; i++) {
      const formula = allOf(Array.from({ length: 1 + Math.floor(of() * 4) }, () => random(of, 2)))
      const short = simplified(formula)
      for (const model of complete)
        expect([printFormula(formula), evaluate(short, model)]).toEqual([printFormula(formula), evaluate(formula, model)])
      expect(printFormula(simplified(short)).length).toBeLessThanOrEqual(printFormula(short).length)
    }
  })

  test('simplified lose what one part settles in the others, and what follows from the rest', () => {
    const [a, b, c] = facts as [Formula, Formula, Formula]
    const [exact, starts] = [tagged('EQ', 'x'), tagged('STARTS_WITH', 'x')]
    const table: readonly (readonly [Formula, Formula])[] = [
      [allOf([a, anyOf([negation(a), b])]), allOf([a, b])],
      [allOf([negation(a), anyOf([a, b])]), allOf([negation(a), b])],
      [allOf([a, compound('not', [b, negation(a)])]), allOf([a, negation(b)])],
      [allOf([a, compound('not', [negation(a)])]), a],
      [allOf([a, anyOf([negation(a), allOf([b, c])])]), allOf([a, b, c])],
      [allOf([exact, starts]), exact],
      [allOf([starts, exact]), exact],
      [allOf([a, anyOf([negation(a), b]), anyOf([negation(b), c])]), allOf([a, b, c])],
      [allOf([a, compound('not', [a, b])]), never],
      [anyOf([a, b]), anyOf([a, b])],
      [allOf([a, compound('not', [compound('and', [a, b])])]), allOf([a, negation(b)])],
      [allOf([a, compound('not', [compound('or', [negation(a), b])])]), allOf([a, negation(b)])],
      [allOf([a, compound('not', [compound('not', [b, negation(a)])])]), allOf([a, b])],
      [allOf([a, compound('not', [])]), a],
      [compound('not', [compound('not', [])]), compound('not', [compound('not', [])])],
    ]
    for (const [formula, short] of table) expect(printFormula(simplified(formula))).toBe(printFormula(short))
  })
})

describe('formulas of many parts', () => {
  const fact = (name: string) => isMember(`urn:v1:eu:resourceGroup:${name}`)
  const texts = (formula: Formula) => (formula.kind === 'and' ? formula.operands.map(printFormula) : [printFormula(formula)])

  test('are shortened up to forty of them', () => {
    const chain = (count: number) => Array.from({ length: count }, (_, i) => anyOf([fact(`a${i}`), negation(fact(`a${i + 1}`))]))
    // The last follows from all the others: what holds at the end of the chain holds at its beginning.
    const follows = (count: number) => allOf([...chain(count), anyOf([fact('a0'), negation(fact(`a${count}`))])])
    expect(texts(simplified(follows(39)))).toEqual(chain(39).map(printFormula))
    expect(simplified(follows(40))).toEqual(follows(40))
    expect(texts(follows(40))).toHaveLength(41)
  })

  test('keep what takes too long to prove', () => {
    const groups = (count: number) => Array.from({ length: count }, (_, i) => fact(`g${i}`))
    const [b, c] = [fact('b'), fact('c')]
    // Whichever of the groups it is in, `b` follows; that it does is tried for each combination of them.
    const proof = (count: number) =>
      allOf([anyOf(groups(count)), ...groups(count).map((group) => anyOf([negation(group), b])), anyOf([b, c])])
    expect(texts(simplified(proof(4)))).toEqual(texts(proof(4)).slice(0, -1))
    expect(texts(simplified(proof(14)))).toEqual(texts(proof(14)))
  })
})

describe('entries', () => {
  const base: PolicyJson = {
    name: 'p',
    identities: ['urn:v1:eu:identity:user:a/u'],
    resources: [{ urn: 'urn:v1:eu:resource:t:a' }],
    permissions: { allow: [{ action: 'p:apisvc:a' }], except: [{ action: 'p:apisvc:b' }], deny: [{ action: 'p:apisvc:c' }] },
  }
  const read = (changes: Partial<PolicyJson>) => {
    const { policies } = worldOf({
      policies: [{ ...base, ...changes }],
      permissionsGroups: [],
      resourceGroups: [],
      resources: [],
      identities: [],
    })
    const [policy] = policies
    if (!policy) throw new Error('no policy')
    return policy
  }
  const policy = read({})
  const texts = (list: List, of = policy) => entriesOf(of, list).map(({ value }) => value.text)

  test('of each list are read and replaced', () => {
    expect(lists.map((list) => texts(list))).toEqual([
      ['urn:v1:eu:identity:user:a/u'],
      ['urn:v1:eu:resource:t:a'],
      ['p:apisvc:a'],
      ['p:apisvc:b'],
      ['p:apisvc:c'],
      [],
    ])
    for (const list of lists) {
      const emptied = withEntries(policy, list, [])
      for (const other of lists) expect(texts(other, emptied)).toEqual(other === list ? [] : texts(other))
    }
    expect(lists.flatMap((list) => entriesOf(policy, list).map((entry) => globOf(entry).text))).toEqual(
      lists.flatMap((list) => texts(list)),
    )
  })

  test('differ in one list alone where the keys of that list are equal', () => {
    const keys = (changes: Partial<PolicyJson>) => new Map(joinKeys(read(changes)))
    const own = keys({})
    const equal = (changes: Partial<PolicyJson>) => [...keys(changes)].flatMap(([list, key]) => (own.get(list) === key ? [list] : []))
    const { permissions } = base
    const all = ['identities', 'resources', 'allow', 'deny', 'permissionsGroups']
    expect([...own.keys()]).toEqual(all)
    expect(equal({ name: 'other' })).toEqual(all)
    expect(equal({ resources: [{ urn: 'urn:v1:eu:resource:t:b' }] })).toEqual(['resources'])
    expect(equal({ identities: ['urn:v1:eu:identity:user:a/v'] })).toEqual(['identities'])
    expect(equal({ permissions: { ...permissions, allow: [{ action: 'p:apisvc:d' }] } })).toEqual(['allow'])
    expect(equal({ permissions: { ...permissions, deny: [{ action: 'p:apisvc:d' }] } })).toEqual(['deny'])
    expect(equal({ permissions: { ...permissions, except: [{ action: 'p:apisvc:d' }] } })).toEqual([])
    expect(equal({ expiredAt: '2030-01-01T00:00:00Z' })).toEqual([])
    const condition = { operator: 'MATCH', values: { 'resource.Tag(k)': 'x' } }
    expect(equal({ conditions: condition })).toEqual([])
    expect(equal({ resources: [...base.resources, ...base.resources] })).toEqual(all)
    expect(conditionText(policy)).toBe('')
    expect(conditionText(read({ conditions: condition }))).toBe(conditionText(read({ name: 'other', conditions: condition })))
  })
})
