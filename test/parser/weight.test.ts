import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '../../src/diagnostic.ts'
import type { Facts } from '../../src/parser/policy.ts'
import { withSeverity } from '../../src/parser/weight.ts'
import { type Source, type Span, sourceOf } from '../../src/source.ts'
import type { Node } from '../../src/tree.ts'

const source = sourceOf('p.yaml', 'aaa\u202ebbb\u200bccc\u200bddd\u200beee')
const turning = 3
const hidden = [7, 11, 15] as const

const at = (start: number, end: number, of: Source = source) => ({ source: of, start, end })
const text = (start: number, end: number, value = 'x'): Node & { kind: 'text' } => ({ kind: 'text', value, ...at(start, end) })
const map = (...entries: readonly (readonly [key: Node & { kind: 'text' }, value: Node])[]): Node => ({
  kind: 'map',
  entries: entries.map(([key, value]) => ({ key, value })),
  ...at(0, source.text.length),
})
const list = (...items: Node[]): Node => ({ kind: 'list', items, ...at(0, source.text.length) })

/** The places of what decides, of each kind of fact. */
function factsAt(spans: Partial<Record<'policies' | 'permissionsGroups' | 'resourceGroups', readonly Span[]>>): Facts {
  const facts = ({ policies = [], permissionsGroups = [], resourceGroups = [] }: typeof spans) => ({
    policies: policies.map((span) => ({ span })),
    permissionsGroups: permissionsGroups.map((span) => ({ span })),
    resourceGroups: resourceGroups.map((span) => ({ span })),
  })
  return facts(spans) as unknown as Facts
}

function problem(start: number, more: Partial<Diagnostic> = {}): Diagnostic {
  return { code: 'stray-character', severity: 'warning', message: 'm', span: at(start, start + 1), ...more }
}

const everywhere = factsAt({ policies: [at(0, source.text.length)] })
/** Where the problems are that became errors. */
const heavy = (problems: readonly Diagnostic[], facts: Facts, documents: readonly Node[]) =>
  withSeverity(problems, facts, documents)
    .filter(({ severity }) => severity === 'error')
    .map(({ span }) => span.start)
const all = [turning, ...hidden].map((start) => problem(start))

describe('stray characters that decide', () => {
  test.each<[shows: string, documents: readonly Node[], errors: readonly number[]]>([
    ['only what turns the text where no text of the tree is', [], [3]],
    ['in a text', [text(6, 9)], [3, 7]],
    ['in a text that it fills', [text(7, 8)], [3, 7]],
    ['not beside a text', [text(8, 11), text(4, 7)], [3]],
    ['in a list', [list(text(4, 9), list(text(10, 13)))], [3, 7, 11]],
    ['in a key and in its value', [map([text(4, 9), text(10, 13)])], [3, 7, 11]],
    ['not in a description', [map([text(4, 9, 'description'), text(10, 13)])], [3, 7]],
    ['in what is no text below a description', [map([text(4, 6, 'description'), list(text(10, 13))])], [3, 11]],
    ['in the second document', [text(0, 3), map([text(0, 1), map([text(0, 2), text(14, 17)])])], [3, 15]],
    ['not in a number', [{ kind: 'number', value: 1, ...at(6, 9) }], [3]],
    ['in a text that is written in the place of a map', [list(map([text(6, 6, 'action'), text(6, 9)]))], [3, 7]],
    [
      'not in what nobody wrote: a key and a text that have the place of all',
      [map([text(0, 0, 'urn'), text(0, 19)], [text(0, 2), text(4, 9)])],
      [3, 7],
    ],
    ['in the value of a key that nobody wrote', [map([text(0, 19), list(text(10, 13))])], [3, 11]],
    ['not in a description below a key that nobody wrote', [map([text(0, 19), map([text(4, 5, 'description'), text(6, 9)])])], [3]],
  ])('%s', (_, documents, errors) => {
    expect(heavy(all, everywhere, documents)).toEqual(errors)
  })

  test('are errors in a policy or a group, and warnings elsewhere', () => {
    for (const kind of ['policies', 'permissionsGroups', 'resourceGroups'] as const) {
      const facts = factsAt({ [kind]: [at(0, 2), at(3, 8), at(11, 12)] })
      expect(heavy(all, facts, [text(0, 19)])).toEqual([3, 7, 11])
    }
    const other = { ...source }
    expect(heavy(all, factsAt({ policies: [at(0, 19, other)] }), [text(0, 19)])).toEqual([])
    expect(heavy(all, everywhere, [{ ...text(0, 19), source: other }])).toEqual([3])
  })

  test('nothing but their severity changes, and nothing of other problems', () => {
    const others = [problem(7, { code: 'syntax' }), problem(7, { severity: 'info' }), problem(7, { code: 'syntax', severity: 'info' })]
    expect(withSeverity(others, everywhere, [text(0, 19)])).toBe(others)
    expect(withSeverity([...others, problem(7)], everywhere, [text(0, 19)])).toEqual([...others, problem(7, { severity: 'error' })])
  })
})
