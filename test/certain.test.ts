import { describe, expect, test } from 'vitest'
import type { Diagnostic, Fix } from '../src/diagnostic.ts'
import { isSeparation, isThere, type Way, ways } from '../src/parser/assume.ts'
import { inEveryWay } from '../src/parser/certain.ts'
import { type Source, type Span, sourceOf } from '../src/source.ts'
import type { MapNode, UnknownNode } from '../src/tree.ts'

/** What is found in every way, of findings that are made up for each. */

const source = sourceOf('a.yaml', 'x'.repeat(100))
const other = sourceOf('b.yaml', 'x'.repeat(100))
const span = (start: number, end: number, at: Source = source): Span => ({ source: at, start, end })
const finding = (message: string, more: Partial<Diagnostic> = {}): Diagnostic => ({
  code: 'shape',
  severity: 'error',
  message,
  span: span(10, 20),
  ...more,
})
const nothing = { holes: [], texts: [], perhaps: [] }

/** Names that are made up for one symbol in the first and the second way, and what stands for them in messages. */
const [first, second] = ['aaxq0123456789abcdef', 'zzxq0123456789abcdef'] as const
const words = (token: string) =>
  (
    ({
      [first]: [[first, 'var.x']],
      [second]: [
        [second, 'var.x'],
        [`oauth2-${second}`, 'var.x'],
      ],
    }) as Record<string, [string, string][]>
  )[token] ?? []
const named = (say: (name: string) => Diagnostic) => (way: Way) => [say(way === 'first' ? first : second)]

const fix = (description: string, text = 'x', at = span(10, 20)): Fix => ({ description, safe: true, edits: [{ span: at, text }] })

/** Where something may not be there, by the symbol on which that hangs. */
function record(symbol: string, start: number, end: number): MapNode {
  const unknown: UnknownNode = { kind: 'unknown', ...span(start, start), expression: symbol, scope: '', pieces: ['', ''] }
  return { kind: 'map', ...span(start, end), entries: [], perhaps: [unknown] }
}

describe('a finding', () => {
  test.each<[string, (way: Way) => readonly Diagnostic[], readonly Diagnostic[]]>([
    ['of every way is kept', () => [finding('a')], [finding('a')]],
    ['is kept once', () => [finding('a'), finding('a'), finding('b')], [finding('a'), finding('b')]],
    ['of the first way alone is not', (way) => (way === 'first' ? [finding('a')] : []), []],
    ['of all ways but the first is not', (way) => (way === 'first' ? [] : [finding('a')]), []],
    ...ways
      .slice(1)
      .map((missed): [string, (way: Way) => readonly Diagnostic[], readonly Diagnostic[]] => [
        `of all ways but ${missed} ${isSeparation(missed) ? 'is kept: that way is for records that may not be there' : 'is not'}`,
        (way) => (way === missed ? [] : [finding('a')]),
        isSeparation(missed) ? [finding('a')] : [],
      ]),
    ['at another place is another', (way) => [finding('a', { span: way === 'second' ? span(10, 21) : span(10, 20) })], []],
    ['that starts elsewhere is another', (way) => [finding('a', { span: way === 'most' ? span(9, 20) : span(10, 20) })], []],
    ['in another file is another', (way) => [finding('a', { span: way === 'most' ? span(10, 20, other) : span(10, 20) })], []],
    ['of another code is another', (way) => [finding('a', { code: way === 'most' ? 'syntax' : 'shape' })], []],
    ['may say something else in the later ways', (way) => [finding(way === 'first' || way === 'second' ? 'a' : `${way}`)], [finding('a')]],
    ['that says something else in the second way is not kept', (way) => [finding(way === 'second' ? 'b' : 'a')], []],
    [
      'is found among others of its place',
      (way) => [finding(way === 'first' ? 'a' : 'z'), finding('a')].slice(way === 'first' ? 1 : 0),
      [finding('a')],
    ],
    ['speaks of what was written', named((name) => finding(`no \`${name}\``)), [finding('no `var.x`')]],
    ['speaks of names in names', named((name) => finding(`no \`${name === second ? `oauth2-${name}` : name}\``)), [finding('no `var.x`')]],
    ['about a name of which nothing was written is not kept', named((name) => finding(`no \`${name.replace('0', '1')}\``)), []],
    ['about a part of a name is not kept', () => [finding(`no \`${first.slice(0, 6)}\``)], []],
    [
      'keeps its help in the words of those who wrote it',
      named((name) => finding('a', { help: `write ${name}`, policy: `of ${name}` })),
      [finding('a', { help: 'write var.x', policy: 'of var.x' })],
    ],
    ['loses a help that is another in the second way', (way) => [finding('a', { help: way === 'second' ? 'b' : 'c' })], [finding('a')]],
    ['loses a help that the second way does not have', (way) => [finding('a', way === 'second' ? {} : { help: 'c' })], [finding('a')]],
    ['gains none of the second way', (way) => [finding('a', way === 'second' ? { help: 'c', policy: 'p' } : {})], [finding('a')]],
    ['loses a help with a part of a name', () => [finding('a', { help: `write ${first.slice(0, 4)}` })], [finding('a')]],
    ['loses a policy that is another', (way) => [finding('a', { policy: way === 'second' ? 'p' : 'q' })], [finding('a')]],
    [
      'keeps what is beside it',
      named((name) =>
        finding('a', {
          related: [
            { message: `see ${name}`, span: span(1, 2) },
            { message: 'and', span: span(3, 4) },
          ],
        }),
      ),
      [
        finding('a', {
          related: [
            { message: 'see var.x', span: span(1, 2) },
            { message: 'and', span: span(3, 4) },
          ],
        }),
      ],
    ],
    [
      'loses what is beside it elsewhere',
      (way) => [finding('a', { related: [{ message: 'b', span: span(1, way === 'second' ? 3 : 2) }] })],
      [finding('a')],
    ],
    [
      'loses what is beside it from elsewhere',
      (way) => [finding('a', { related: [{ message: 'b', span: span(way === 'second' ? 0 : 1, 2) }] })],
      [finding('a')],
    ],
    [
      'loses what is said beside it in other words',
      (way) => [finding('a', { related: [{ message: `${way}`, span: span(1, 2) }] })],
      [finding('a')],
    ],
    [
      'loses what the second way does not say beside it',
      (way) => [finding('a', way === 'second' ? {} : { related: [{ message: 'b', span: span(1, 2) }] })],
      [finding('a')],
    ],
    ['keeps its fix', named((name) => finding('a', { fix: fix(`write ${name}`) })), [finding('a', { fix: fix('write var.x') })]],
    ['loses a fix that writes something else', (way) => [finding('a', { fix: fix('b', `${way}`) })], [finding('a')]],
    [
      'loses a fix that writes it elsewhere',
      (way) => [finding('a', { fix: fix('b', 'x', span(10, way === 'second' ? 21 : 20)) })],
      [finding('a')],
    ],
    [
      'loses a fix that writes it from elsewhere',
      (way) => [finding('a', { fix: fix('b', 'x', span(way === 'second' ? 9 : 10, 20)) })],
      [finding('a')],
    ],
    ['loses a fix that writes a name that is made up', () => [finding('a', { fix: fix('b', first) })], [finding('a')]],
    ['loses a fix that is another', (way) => [finding('a', { fix: fix(`${way}`) })], [finding('a')]],
    ['loses a fix that the second way does not have', (way) => [finding('a', way === 'second' ? {} : { fix: fix('b') })], [finding('a')]],
  ])('%s', (_, findIn, expected) => {
    expect(inEveryWay(findIn, nothing, words)).toStrictEqual(expected)
  })

  test.each<[string, Partial<Diagnostic>, Partial<Parameters<typeof inEveryWay>[1]>, boolean]>([
    ['in a place that holds nothing written', {}, { holes: [span(10, 20)] }, false],
    ['in one of such places', {}, { holes: [span(0, 5), span(5, 30)] }, false],
    ['that reaches beyond such a place', {}, { holes: [span(10, 19)] }, true],
    ['that begins before such a place', {}, { holes: [span(11, 30)] }, true],
    ['in the file of another such place', {}, { holes: [span(10, 20, other)] }, true],
    ['of a text that is known in part', {}, { texts: [span(10, 20)] }, false],
    ['of a part of such a text', {}, { texts: [span(10, 21)] }, true],
    ['of the end of such a text', {}, { texts: [span(9, 20)] }, true],
    ['of such a text and another place', { related: [{ message: 'b', span: span(1, 2) }] }, { texts: [span(10, 20)] }, true],
    ['of one of such texts', {}, { texts: [span(1, 2), span(10, 20)] }, false],
  ])('%s', (_, more, openness, isKept) => {
    const all = [finding('a', more)]
    expect(inEveryWay(() => all, { ...nothing, ...openness }, words)).toEqual(isKept ? all : [])
    // One that hangs on no value is kept wherever it is.
    expect(
      inEveryWay(
        () => all,
        { ...nothing, ...openness },
        words,
        () => true,
      ),
    ).toEqual(all)
  })

  test('that hangs on no value is asked for once, and stands where it was found', () => {
    const asked: [Way, readonly string[] | undefined][] = []
    const found = inEveryWay(
      (way, among) => {
        asked.push([way, among?.map(({ message }) => message)])
        return way === 'first'
          ? [finding('sure one'), finding('a', { span: span(1, 2) }), finding(`sure ${first}`)]
          : [finding('a', { span: span(1, 2) })]
      },
      nothing,
      words,
      ({ message }) => message.startsWith('sure'),
    )
    expect(found.map(({ message }) => message)).toEqual(['sure one', 'a', 'sure var.x'])
    expect(asked).toEqual([
      ['first', undefined],
      ...ways
        .slice(1)
        .filter((way) => !isSeparation(way))
        .map((way) => [way, ['a']]),
    ])
  })

  test('is asked for until none is left', () => {
    const asked: Way[] = []
    const findIn = (way: Way) => {
      asked.push(way)
      return way === 'most' ? [] : [finding('a')]
    }
    expect([inEveryWay(findIn, nothing, words), asked]).toEqual([[], ['first', 'second', 'least', 'most']])
    asked.length = 0
    expect([inEveryWay(() => (asked.push('first'), []), nothing, words), asked]).toEqual([[], ['first']])
  })
})

describe('a record that may not be there', () => {
  const [a, b] = [record('var.a', 10, 30), record('var.b', 40, 60)]
  const inA = finding('a', { span: span(10, 30) })
  const inB = finding('b', { span: span(45, 50) })
  const both = finding('both', { span: span(70, 80) })
  const thereIn = (way: Way) => [isThere(a, way), isThere(b, way)]

  test('is there, or not, in every mixture with another', () => {
    expect(new Set(ways.map((way) => thereIn(way).join()))).toEqual(new Set(['true,true', 'false,false', 'true,false', 'false,true']))
    expect(isThere({ kind: 'map', ...span(0, 1), entries: [] }, 'least')).toBe(true)
  })

  test('has its findings where it is there', () => {
    const findIn = (way: Way) =>
      [isThere(a, way) ? [inA] : [], isThere(b, way) ? [inB] : [], thereIn(way).every(Boolean) ? [both] : []].flat()
    expect(inEveryWay(findIn, { ...nothing, perhaps: [a, b] }, words)).toEqual([inA, inB])
    // Where it is there and they are not found, they are none.
    expect(
      inEveryWay((way) => findIn(way).filter((each) => each !== inA || way !== 'most'), { ...nothing, perhaps: [a, b] }, words),
    ).toEqual([inB])
  })

  test('is told apart from another in ways of its own', () => {
    const separation = ways.find((way) => isSeparation(way) && isThere(a, way)) as Way
    const findIn = (way: Way) => (isThere(a, way) && way !== separation ? [inA] : [])
    expect(inEveryWay(findIn, { ...nothing, perhaps: [a] }, words)).toEqual([inA])
    expect(inEveryWay(findIn, { ...nothing, perhaps: [a, b] }, words)).toEqual([])
    expect(inEveryWay(findIn, { ...nothing, perhaps: [a, { ...b, source: other }] }, words)).toEqual([])
  })
})
