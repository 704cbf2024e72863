import { describe, expect, test } from 'vitest'
import { type MatchType, stringsIn } from '../../src/conditions/sets.ts'
import type { Operator } from '../../src/conditions/test.ts'
import { type Atom, addressAxis, day, factAxis, hasHour, isWeekly, marksOf, SpanAxis, textAxis, weekAxis } from '../../src/symbolic/axes.ts'
import { comparison, isMember, isTimed, until } from '../../src/symbolic/formula.ts'
import { isUnrestricted, type Literal, type Situation, type Texts, whatAlways } from '../../src/symbolic/situation.ts'
import { utc, Zones } from '../../src/zones.ts'
import { testOf } from '../support/condition-tests.ts'

const zones = new Zones()
const zone = (name: string) => zones.get(name) ?? utc

const compare = (key: string, value: string) => comparison(testOf(key, value)) as Atom
const tag = (operator: Operator, value: string) => compare(`resource.Tag(k).${operator}`, value)
const fact = isMember('urn:v1:eu:resourceGroup:o') as Atom
const expiry = until(Date.UTC(2026, 5, 1, 12)) as Atom
const matchTypeOf = (operator: Operator): MatchType =>
  operator === 'STARTS_WITH' ? 'prefix' : operator === 'ENDS_WITH' ? 'suffix' : 'exact'
/** Which classes are in a set. */
const digits = (bits: bigint) => bits.toString(2)
const has = (bits: bigint, i: number) => ((bits >> BigInt(i)) & 1n) === 1n

describe('atoms', () => {
  test('look at the time or do not, at its place in the week or at dates', () => {
    const atoms = [
      ...[compare('date().Date', '2026-06-01'), compare('date().Hour', '9'), compare('date().WeekDay', 'Monday'), expiry],
      ...[tag('EQ', 'x'), compare('request.IP', '192.0.2.1'), compare('resource.Name', 'a'), fact],
    ]
    expect(atoms.map(isTimed)).toEqual([true, true, true, true, false, false, false, false])
    expect(atoms.flatMap((atom) => (atom.kind === 'test' ? [isWeekly(atom.test)] : []))).toEqual([false, true, true, false, false, false])
  })
})

describe('texts', () => {
  const samples = ['', 'a', 'b', 'c', 'ab', 'ba', 'aa', 'cb', 'ac', 'x', 'y', 'xb', 'abc']
  const meets = ({ matchType, value }: Pick<Literal, 'matchType' | 'value'>, text: string | null) =>
    text !== null && { exact: text === value, prefix: text.startsWith(value), suffix: text.endsWith(value) }[matchType]
  const line = ({ join, literals }: Texts) =>
    literals.map(({ matchType, value, holds }) => `${holds ? '' : 'not '}${matchType} ${value}`).join(` ${join} `)

  const name = (operator: string, value: string) => compare(`resource.Name.${operator}`, value)
  const type = (operator: string, value: string) => compare(`resource.Type.${operator}`, value)
  const table: readonly (readonly [string, readonly Atom[]])[] = [
    ['a tag', [tag('STARTS_WITH', 'a'), tag('ENDS_WITH', 'b'), tag('EQ', 'x')]],
    ['a tag with values within another', [tag('STARTS_WITH', 'a'), tag('EQ', 'ab'), tag('STARTS_WITH', 'ab')]],
    ['a tag of one value', [tag('EQ', 'x')]],
    ['a tag that starts so', [tag('STARTS_WITH', 'a')]],
    ['a name', [name('STARTS_WITH', 'a'), name('ENDS_WITH', 'b'), name('IN', 'x, y')]],
    ['a type', [type('IN', 'x, y'), type('EQ', 'a')]],
  ]
  const axes = table.map(([text, atoms]) => {
    const [first] = atoms
    if (first?.kind !== 'test') throw new Error('no comparison')
    const { subject } = first.test
    const literals = atoms.flatMap((atom) => {
      if (atom.kind !== 'test') return []
      return stringsIn(atom.test.set).map((value) => ({ matchType: matchTypeOf(atom.test.operator), value }))
    })
    return [text, { subject, atoms, literals, axis: textAxis(subject, atoms) }] as const
  })

  test.each(axes)('of %s are classes that comparisons distinguish', (_, { subject, atoms, axis }) => {
    const all = subject.kind === 'tag' ? [...samples, null] : samples
    const classOf = (text: string | null) =>
      atoms.reduce((bits, atom) => {
        if (atom.kind !== 'test') throw new Error('no comparison')
        const { operator, set } = atom.test
        const holds = stringsIn(set).some((value) => meets({ matchType: matchTypeOf(operator), value }, text))
        const own = axis.bitsOf(atom)
        return bits & (holds ? own : axis.whole & ~own)
      }, axis.whole)
    expect(all.map(classOf).filter((bits) => bits === 0n)).toEqual([])
    expect(all.reduce((bits, text) => bits | classOf(text), 0n)).toBe(axis.whole)
  })

  test.each(axes)('of %s in a set are said in the fewest comparisons, where any say it', (_, { subject, literals, axis }) => {
    const all: readonly Literal[] = literals.flatMap((each) => [true, false].map((holds) => ({ ...each, holds })))
    const own = (literal: Literal) => {
      const bits = axis.bitsOf(
        comparison({ subject, operator: 'EQ', set: { kind: 'strings', matchType: literal.matchType, values: [literal.value] } }) as Atom,
      )
      return literal.holds ? bits : axis.whole & ~bits
    }
    const bitsOf = (join: Texts['join'], list: readonly Literal[]) =>
      list.map(own).reduce((a, b) => (join === 'and' ? a & b : a | b), join === 'and' ? axis.whole : 0n)
    const sayable = new Set<bigint>()
    for (let some = 1; some < 1 << all.length; some++) {
      const list = all.filter((_, i) => (some >> i) & 1)
      for (const join of ['and', 'or'] as const) sayable.add(bitsOf(join, list))
    }
    for (let bits = 1n; bits < axis.whole; bits++) {
      const found = axis.part(bits)
      expect([digits(bits), found !== undefined]).toEqual([digits(bits), sayable.has(bits)])
      if (!found) continue
      expect(Object.keys(found)).toEqual(['texts'])
      const [texts, ...others] = found.texts ?? []
      if (!texts) throw new Error('no text')
      expect(others).toEqual([])
      expect(texts.subject).toBe(subject)
      const without = [texts.literals, ...texts.literals.map((literal) => texts.literals.filter((other) => other !== literal))]
      expect(without.map((list) => bitsOf(texts.join, list) === bits)).toEqual(without.map((_, i) => i === 0))
    }
  })

  test('that are missing meet no comparison, and those of resources are never missing', () => {
    const said = (axis: ReturnType<typeof textAxis>, bits: bigint) => {
      const [texts] = axis.part(bits)?.texts ?? []
      return texts && line(texts)
    }
    const [x, starts] = [tag('EQ', 'x'), tag('STARTS_WITH', 'x')]
    const own = textAxis({ kind: 'tag', parameter: 'k' }, [x])
    expect([digits(own.whole), digits(own.bitsOf(x))]).toEqual(['111', '10'])
    expect(['10', '101', '100', '1', '11', '110'].map((bits) => said(own, BigInt(`0b${bits}`)))).toEqual([
      ...['exact x', 'not exact x', undefined, undefined, undefined, undefined],
    ])
    const names = textAxis({ kind: 'name', parameter: '' }, [name('EQ', 'x')])
    expect([digits(names.whole), said(names, names.bitsOf(name('EQ', 'x'))), said(names, 2n)]).toEqual(['11', 'exact x', 'not exact x'])
    expect(digits(textAxis({ kind: 'tag', parameter: 'k' }, [starts, x]).bitsOf(starts))).toBe('1010')
  })

  test('are said by one kind of comparison before both', () => {
    const atoms = [tag('STARTS_WITH', 'a'), tag('ENDS_WITH', 'b'), tag('EQ', 'x')]
    const axis = textAxis({ kind: 'tag', parameter: 'k' }, atoms)
    const [starts, ends, x] = atoms.map((atom) => axis.bitsOf(atom)) as [bigint, bigint, bigint]
    const not = (bits: bigint) => axis.whole & ~bits
    const said = (bits: bigint) => axis.part(bits)?.texts?.map(line).join('; ')
    const one = { subject: { kind: 'tag', parameter: 'k' }, literals: [{ matchType: 'prefix', value: 'a', holds: true }] }
    expect(axis.part(starts)).toEqual({ texts: [{ ...one, join: 'or' }] })
    expect(axis.part(not(starts))).toEqual({ texts: [{ ...one, join: 'and', literals: [{ ...one.literals[0], holds: false }] }] })
    expect([starts | x, starts | ends | x, not(x), not(starts | x), starts & ends, not(starts & ends)].map(said)).toEqual([
      'prefix a or exact x',
      'prefix a or suffix b or exact x',
      'not exact x',
      'not prefix a and not exact x',
      'prefix a and suffix b',
      'not prefix a or not suffix b',
    ])
    expect([starts & ~ends, not(starts & ~ends), (starts & ~ends) | (ends & ~starts)].map(said)).toEqual([
      'prefix a and not suffix b',
      'suffix b or not prefix a',
      undefined,
    ])
  })
})

describe('addresses', () => {
  const size = { 4: 1n << 32n, 6: 1n << 128n } as const
  const block = (family: 4 | 6, first: bigint, last = size[family] - 1n) => ({ family, first, last })
  const everything = [block(4, 0n), block(6, 0n)]

  test('are cut where ranges begin and end', () => {
    const [ten, last, one] = [
      compare('request.IP.IN_RANGE', '10.0.0.0/8'),
      compare('request.IP', '255.255.255.255'),
      compare('request.IP', '1.2.3.4'),
    ]
    const [six, top] = [compare('request.IP.IN_RANGE', '::1:0:0/96'), compare('request.IP.IN', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff')]
    const atoms = [ten, last, six, one]
    const axis = addressAxis(atoms)
    expect([axis.whole, ...atoms.map((atom) => axis.bitsOf(atom))].map(digits)).toEqual(['111111111', '1000', '100000', '10000000', '10'])
    expect(axis.part(axis.whole)).toEqual({ addresses: everything })
    const [tenFirst, tenLast, end] = [10n << 24n, (11n << 24n) - 1n, size[4] - 1n]
    expect(axis.part(axis.bitsOf(ten))).toEqual({ addresses: [block(4, tenFirst, tenLast)] })
    expect(axis.part(axis.whole & ~axis.bitsOf(ten))).toEqual({
      addresses: [block(4, 0n, tenFirst - 1n), block(4, tenLast + 1n), block(6, 0n)],
    })
    expect(axis.part(axis.bitsOf(last))).toEqual({ addresses: [block(4, end, end)] })
    // The first address of the block follows, as a number, on the last of the other family.
    expect(axis.part(axis.bitsOf(six) | axis.bitsOf(last))).toEqual({
      addresses: [block(4, end, end), block(6, size[4], 2n * size[4] - 1n)],
    })
    const high = addressAxis([top])
    expect([high.whole, high.bitsOf(top)].map(digits)).toEqual(['111', '100'])
    expect(high.part(4n)).toEqual({ addresses: [block(6, size[6] - 1n)] })
    expect(addressAxis([compare('request.IP.IN_RANGE', '0.0.0.0/0')]).whole).toBe(3n)
  })
})

describe('facts', () => {
  test('hold or do not', () => {
    if (fact.kind !== 'fact') throw new Error('no fact')
    const axis = factAxis(fact.is)
    expect([axis.whole, axis.bitsOf(fact)]).toEqual([3n, 1n])
    expect([1n, 2n].map((bits) => axis.part(bits))).toEqual([
      { facts: [{ is: fact.is, holds: true }] },
      { facts: [{ is: fact.is, holds: false }] },
    ])
  })
})

describe('hours of the week', () => {
  test('are bits, from Monday on', () => {
    const axis = weekAxis(utc)
    const nine = axis.bitsOf(compare('date().Hour', '9'))
    const tuesday = axis.bitsOf(compare('date().WeekDay', 'Tuesday'))
    expect(axis.whole).toBe((1n << 168n) - 1n)
    expect([...Array(168).keys()].filter((i) => has(nine, i))).toEqual([9, 33, 57, 81, 105, 129, 153])
    expect(tuesday).toBe(((1n << 24n) - 1n) << 24n)
    expect(axis.part(tuesday)).toEqual({ weekly: [{ zone: utc, hours: tuesday }] })
    const at = (text: string) => hasHour(tuesday, zone('Europe/Paris'), Date.parse(text))
    expect(['2026-06-01T21:59Z', '2026-06-01T22:00Z', '2026-06-02T21:59Z', '2026-06-02T22:00Z'].map(at)).toEqual([false, true, true, false])
  })
})

describe('the instants', () => {
  const iso = (at: number) => new Date(at).toISOString()
  const date = (name: string, dates: string, operator = 'IN') => compare(`date(${name}).Date.${operator}`, dates)
  /** Stretches of time in words, `date` after a bound that is the beginning of a day. */
  const spansOf = (axis: SpanAxis, bits: bigint) =>
    axis
      .part(bits)
      .spans?.map(({ from, to }) =>
        [from, to]
          .map((bound) => (bound ? `${iso(bound.at)}${bound.date ? ` ${bound.date.zone} ${bound.date.day}` : ''}` : ''))
          .join(' - '),
      )

  test('at which something changes are those of expiries and dates', () => {
    expect(
      marksOf([date('UTC', '2026-06-01'), expiry, compare('date().Hour', '9'), fact, date('Europe/Paris', '2026-06-01, 2026-06-02')]).map(
        iso,
      ),
    ).toEqual([
      '2026-05-31T22:00:00.000Z',
      '2026-06-01T00:00:00.000Z',
      '2026-06-01T12:00:00.001Z',
      '2026-06-01T22:00:00.000Z',
      '2026-06-02T00:00:00.000Z',
      '2026-06-02T22:00:00.000Z',
    ])
    expect(marksOf([compare('date().Hour', '9'), compare('date().WeekDay', 'Monday'), fact, tag('EQ', 'x')])).toEqual([])
    // Days of 23 and of 25 hours, cut where their clocks change.
    expect(marksOf([date('Europe/Paris', '2026-03-29, 2026-10-25')]).map(iso)).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T01:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T01:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
    ])
  })

  test('are cut there, and are said by dates where days begin', () => {
    const june = date('Europe/Paris', '2026-06-01')
    const axis = new SpanAxis([expiry, june], undefined)
    expect([axis.whole, axis.bitsOf(expiry), axis.bitsOf(june)].map(digits)).toEqual(['1111', '11', '110'])
    const [first, last] = ['2026-05-31T22:00:00.000Z Europe/Paris 20260601', '2026-06-01T22:00:00.000Z Europe/Paris 20260602']
    expect(spansOf(axis, axis.bitsOf(expiry))).toEqual([' - 2026-06-01T12:00:00.001Z'])
    expect(spansOf(axis, 12n)).toEqual(['2026-06-01T12:00:00.001Z - '])
    expect(spansOf(axis, axis.bitsOf(june))).toEqual([`${first} - ${last}`])
    expect(spansOf(axis, 9n)).toEqual([` - ${first}`, `${last} - `])
    expect(spansOf(axis, axis.whole)).toEqual([' - '])
    expect(axis.stretches(6n)).toEqual([[Date.parse('2026-05-31T22:00Z'), Date.parse('2026-06-01T22:00Z')]])
    expect(axis.stretches(10n)).toHaveLength(2)
    expect(axis.stretches(1n)).toEqual([[Number.NEGATIVE_INFINITY, Date.parse('2026-05-31T22:00Z')]])
  })

  test('begin with the one that is given', () => {
    const at = expiry.kind === 'until' ? expiry.at : 0
    const wholes = [at - 1, at, at + 1, at + 2].map((from) => digits(new SpanAxis([expiry], from).whole))
    expect(wholes).toEqual(['11', '11', '1', '1'])
    const axis = new SpanAxis([expiry], at)
    expect(axis.bitsOf(expiry)).toBe(1n)
    expect(axis.stretches(3n)).toEqual([[at, Number.POSITIVE_INFINITY]])
    expect([1n, 2n, 3n].map((bits) => spansOf(axis, bits))).toEqual([
      [' - 2026-06-01T12:00:00.001Z'],
      ['2026-06-01T12:00:00.001Z - '],
      [' - '],
    ])
    expect(digits(new SpanAxis([expiry], at + 1).bitsOf(expiry))).toBe('0')
  })

  test('are not said by dates where clocks change then', () => {
    const spans = (name: string, day: string) => {
      const atom = date(name, day)
      const axis = new SpanAxis([atom], undefined)
      return spansOf(axis, axis.bitsOf(atom))
    }
    // The first hour of that day comes twice, or is left out.
    expect(spans('Atlantic/Azores', '2026-10-25')).toEqual(['2026-10-25T00:00:00.000Z - 2026-10-26T01:00:00.000Z Atlantic/Azores 20261026'])
    expect(spans('Africa/Cairo', '2026-04-24')).toEqual(['2026-04-23T22:00:00.000Z - 2026-04-24T21:00:00.000Z Africa/Cairo 20260425'])
    expect(spans('America/Santiago', '2026-09-06')).toEqual([
      '2026-09-06T04:00:00.000Z - 2026-09-07T03:00:00.000Z America/Santiago 20260907',
    ])
    expect(spans('America/Santiago', '2026-04-04')).toEqual([
      '2026-04-04T03:00:00.000Z America/Santiago 20260404 - 2026-04-05T04:00:00.000Z',
    ])
    expect(day).toBe(86_400_000)
  })
})

describe('a situation', () => {
  const [whole] = whatAlways.any
  const texts: Texts = { subject: { kind: 'tag', parameter: 'k' }, join: 'or', literals: [] }
  const parts: readonly Partial<Situation>[] = [
    { spans: [] },
    { addresses: [] },
    { weekly: [{ zone: utc, hours: 1n }] },
    { texts: [texts] },
    { facts: fact.kind === 'fact' ? [{ is: fact.is, holds: true }] : [] },
  ]

  test('without parts restricts nothing', () => {
    if (!whole) throw new Error('nothing')
    expect(isUnrestricted(whole)).toBe(true)
    for (const part of parts) expect(isUnrestricted({ ...whole, ...part })).toBe(false)
    for (const one of parts) for (const other of parts) expect(isUnrestricted({ ...whole, ...one, ...other })).toBe(false)
    for (const part of parts) expect(isUnrestricted({ ...whole, ...part, ...parts[4] })).toBe(false)
  })
})
