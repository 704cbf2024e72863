import { describe, expect, test } from 'vitest'
import type { Diagnostic, Fix } from '../../src/diagnostic.ts'
import { type Source, type Span, sourceOf } from '../../src/source.ts'
import type { MapNode, UnknownNode } from '../../src/tree.ts'
import { type Assignment, assignments, isSeparation, isThere } from '../../src/unknown/assignment.ts'
import { inEveryAssignment } from '../../src/unknown/certain.ts'

/** Findings of every assignment, of findings that are made up for each. */

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

/** Names that are made up for one symbol in the first and the second assignment, and what stands for them in messages. */
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
const named = (say: (name: string) => Diagnostic) => (assignment: Assignment) => [say(assignment === 'first' ? first : second)]

const fix = (description: string, text = 'x', at = span(10, 20)): Fix => ({ description, safe: true, edits: [{ span: at, text }] })

/** Where something may not be there, by the symbol on which that depends. */
function record(symbol: string, start: number, end: number): MapNode {
  const unknown: UnknownNode = { kind: 'unknown', ...span(start, start), expression: symbol, scope: '', pieces: ['', ''] }
  return { kind: 'map', ...span(start, end), entries: [], perhaps: [unknown] }
}

describe('a finding', () => {
  test.each<[string, (assignment: Assignment) => readonly Diagnostic[], readonly Diagnostic[]]>([
    ['of every assignment is kept', () => [finding('a')], [finding('a')]],
    ['is kept once', () => [finding('a'), finding('a'), finding('b')], [finding('a'), finding('b')]],
    ['of the first assignment alone is not', (assignment) => (assignment === 'first' ? [finding('a')] : []), []],
    ['of all assignments but the first is not', (assignment) => (assignment === 'first' ? [] : [finding('a')]), []],
    ...assignments
      .slice(1)
      .map((missed): [string, (assignment: Assignment) => readonly Diagnostic[], readonly Diagnostic[]] => [
        `of all assignments but ${missed} ${isSeparation(missed) ? 'is kept: that assignment is for records that may not be there' : 'is not'}`,
        (assignment) => (assignment === missed ? [] : [finding('a')]),
        isSeparation(missed) ? [finding('a')] : [],
      ]),
    ['at another place is another', (assignment) => [finding('a', { span: assignment === 'second' ? span(10, 21) : span(10, 20) })], []],
    ['that starts elsewhere is another', (assignment) => [finding('a', { span: assignment === 'most' ? span(9, 20) : span(10, 20) })], []],
    [
      'in another file is another',
      (assignment) => [finding('a', { span: assignment === 'most' ? span(10, 20, other) : span(10, 20) })],
      [],
    ],
    ['of another code is another', (assignment) => [finding('a', { code: assignment === 'most' ? 'syntax' : 'shape' })], []],
    [
      'may say something else in the later assignments',
      (assignment) => [finding(assignment === 'first' || assignment === 'second' ? 'a' : `${assignment}`)],
      [finding('a')],
    ],
    ['that says something else in the second assignment is not kept', (assignment) => [finding(assignment === 'second' ? 'b' : 'a')], []],
    [
      'is found among others of its place',
      (assignment) => [finding(assignment === 'first' ? 'a' : 'z'), finding('a')].slice(assignment === 'first' ? 1 : 0),
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
    [
      'loses a help that is another in the second assignment',
      (assignment) => [finding('a', { help: assignment === 'second' ? 'b' : 'c' })],
      [finding('a')],
    ],
    [
      'loses a help that the second assignment does not have',
      (assignment) => [finding('a', assignment === 'second' ? {} : { help: 'c' })],
      [finding('a')],
    ],
    [
      'gains none of the second assignment',
      (assignment) => [finding('a', assignment === 'second' ? { help: 'c', policy: 'p' } : {})],
      [finding('a')],
    ],
    ['loses a help with a part of a name', () => [finding('a', { help: `write ${first.slice(0, 4)}` })], [finding('a')]],
    ['loses a policy that is another', (assignment) => [finding('a', { policy: assignment === 'second' ? 'p' : 'q' })], [finding('a')]],
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
      (assignment) => [finding('a', { related: [{ message: 'b', span: span(1, assignment === 'second' ? 3 : 2) }] })],
      [finding('a')],
    ],
    [
      'loses what is beside it from elsewhere',
      (assignment) => [finding('a', { related: [{ message: 'b', span: span(assignment === 'second' ? 0 : 1, 2) }] })],
      [finding('a')],
    ],
    [
      'loses what is said beside it in other words',
      (assignment) => [finding('a', { related: [{ message: `${assignment}`, span: span(1, 2) }] })],
      [finding('a')],
    ],
    [
      'loses what the second assignment does not say beside it',
      (assignment) => [finding('a', assignment === 'second' ? {} : { related: [{ message: 'b', span: span(1, 2) }] })],
      [finding('a')],
    ],
    ['keeps its fix', named((name) => finding('a', { fix: fix(`write ${name}`) })), [finding('a', { fix: fix('write var.x') })]],
    ['loses a fix that writes something else', (assignment) => [finding('a', { fix: fix('b', `${assignment}`) })], [finding('a')]],
    [
      'loses a fix that writes it elsewhere',
      (assignment) => [finding('a', { fix: fix('b', 'x', span(10, assignment === 'second' ? 21 : 20)) })],
      [finding('a')],
    ],
    [
      'loses a fix that writes it from elsewhere',
      (assignment) => [finding('a', { fix: fix('b', 'x', span(assignment === 'second' ? 9 : 10, 20)) })],
      [finding('a')],
    ],
    ['loses a fix that writes a name that is made up', () => [finding('a', { fix: fix('b', first) })], [finding('a')]],
    ['loses a fix that is another', (assignment) => [finding('a', { fix: fix(`${assignment}`) })], [finding('a')]],
    [
      'loses a fix that the second assignment does not have',
      (assignment) => [finding('a', assignment === 'second' ? {} : { fix: fix('b') })],
      [finding('a')],
    ],
  ])('%s', (_, findIn, expected) => {
    expect(inEveryAssignment(findIn, nothing, words)).toStrictEqual(expected)
  })

  test.each<[string, Partial<Diagnostic>, Partial<Parameters<typeof inEveryAssignment>[1]>, boolean]>([
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
    expect(inEveryAssignment(() => all, { ...nothing, ...openness }, words)).toEqual(isKept ? all : [])
    // One that depends on no value is kept wherever it is.
    expect(inEveryAssignment(() => all, { ...nothing, ...openness }, words, { isSure: () => true })).toEqual(all)
  })

  test('that depends on no value is asked for once, and is where it was found', () => {
    const asked: [Assignment, readonly string[] | undefined][] = []
    const found = inEveryAssignment(
      (assignment, among) => {
        asked.push([assignment, among?.map(({ message }) => message)])
        return assignment === 'first'
          ? [finding('sure one'), finding('a', { span: span(1, 2) }), finding(`sure ${first}`)]
          : [finding('a', { span: span(1, 2) })]
      },
      nothing,
      words,
      { isSure: ({ message }) => message.startsWith('sure') },
    )
    expect(found.map(({ message }) => message)).toEqual(['sure one', 'a', 'sure var.x'])
    expect(asked).toEqual([
      ['first', undefined],
      ...assignments
        .slice(1)
        .filter((assignment) => !isSeparation(assignment))
        .map((assignment) => [assignment, ['a']]),
    ])
  })

  test('is asked for once where assignments choose the same, and always in the second', () => {
    const asked: Assignment[] = []
    const findIn = (assignment: Assignment) => {
      asked.push(assignment)
      return [finding('a')]
    }
    const choicesIn = (assignment: Assignment) => (typeof assignment === 'number' ? `${assignment % 2}` : 'same')
    expect(inEveryAssignment(findIn, nothing, words, { choicesIn })).toEqual([finding('a')])
    expect(asked).toEqual(['first', 'second', 0, 1])
  })

  test('is asked for until none is left', () => {
    const asked: Assignment[] = []
    const findIn = (assignment: Assignment) => {
      asked.push(assignment)
      return assignment === 'most' ? [] : [finding('a')]
    }
    expect([inEveryAssignment(findIn, nothing, words), asked]).toEqual([[], ['first', 'second', 'least', 'most']])
    asked.length = 0
    const findNothing = (assignment: Assignment) => {
      asked.push(assignment)
      return []
    }
    expect([inEveryAssignment(findNothing, nothing, words), asked]).toEqual([[], ['first']])
  })
})

describe('a record that may not be there', () => {
  const [a, b] = [record('var.a', 10, 30), record('var.b', 40, 60)]
  const inA = finding('a', { span: span(10, 30) })
  const inB = finding('b', { span: span(45, 50) })
  const both = finding('both', { span: span(70, 80) })
  const thereIn = (assignment: Assignment) => [isThere(a, assignment), isThere(b, assignment)]

  test('is there, or not, in every mixture with another', () => {
    expect(new Set(assignments.map((assignment) => thereIn(assignment).join()))).toEqual(
      new Set(['true,true', 'false,false', 'true,false', 'false,true']),
    )
    expect(isThere({ kind: 'map', ...span(0, 1), entries: [] }, 'least')).toBe(true)
  })

  test('has its findings where it is there', () => {
    const findIn = (assignment: Assignment) =>
      [isThere(a, assignment) ? [inA] : [], isThere(b, assignment) ? [inB] : [], thereIn(assignment).every(Boolean) ? [both] : []].flat()
    expect(inEveryAssignment(findIn, { ...nothing, perhaps: [a, b] }, words)).toEqual([inA, inB])
    // Where it is there and they are not found, they are none.
    expect(
      inEveryAssignment(
        (assignment) => findIn(assignment).filter((each) => each !== inA || assignment !== 'most'),
        { ...nothing, perhaps: [a, b] },
        words,
      ),
    ).toEqual([inB])
  })

  test('is distinguished from another in its own assignments', () => {
    const separation = assignments.find((assignment) => isSeparation(assignment) && isThere(a, assignment)) as Assignment
    const findIn = (assignment: Assignment) => (isThere(a, assignment) && assignment !== separation ? [inA] : [])
    expect(inEveryAssignment(findIn, { ...nothing, perhaps: [a] }, words)).toEqual([inA])
    expect(inEveryAssignment(findIn, { ...nothing, perhaps: [a, b] }, words)).toEqual([])
    expect(inEveryAssignment(findIn, { ...nothing, perhaps: [a, { ...b, source: other }] }, words)).toEqual([])
  })
})
