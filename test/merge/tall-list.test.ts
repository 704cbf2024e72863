import { describe, expect, test } from 'vitest'
import { tallEdits } from '../../src/merge/tall-list.ts'
import { spliced } from '../../src/merge/walk.ts'
import { treeOf } from '../../src/parser/tree.ts'
import { sourceOf } from '../../src/source.ts'
import type { ListNode } from '../../src/tree.ts'

async function listIn(text: string): Promise<ListNode> {
  const { documents } = await treeOf(sourceOf('list', text, 'yaml'))
  return documents[0] as ListNode
}

/** A list without some of its items, and with some of another one; undefined where a layout is not understood. */
async function edited(ours: string, removed: readonly number[], theirs: string, added: readonly number[]) {
  const [mine, other] = [await listIn(ours), await listIn(theirs)]
  const edits = tallEdits(
    mine,
    other,
    new Set(removed),
    added.map((i) => other.items[i] as ListNode),
  )
  return edits && spliced(ours, edits)
}

const tall = (...lines: readonly string[]) => ['[', ...lines, ']', ''].join('\n')

describe('lists with a line for each item', () => {
  test('the last item has a comma where it had one', async () => {
    expect(await edited(tall('  a,', '  b'), [], tall('  a,', '  c,'), [1])).toBe(tall('  a,', '  b,', '  c'))
    expect(await edited(tall('  a,', '  b,'), [], tall('  a,', '  c'), [1])).toBe(tall('  a,', '  b,', '  c,'))
    expect(await edited(tall('  a,', '  b'), [1], '[]\n', [])).toBe(tall('  a'))
  })
  test('comments go with their items', async () => {
    const ours = tall('  # About a,', '  # as agreed.', '  a, # first', '', '  # About b.', '  b, # second')
    const theirs = tall('    # About c.', '    c,   # third', '    d')
    expect(await edited(ours, [], theirs, [0, 1])).toBeUndefined()
    const closer = ours.replace('\n\n', '\n')
    expect(await edited(closer, [], theirs, [0, 1])).toBe(
      tall('  # About a,', '  # as agreed.', '  a, # first', '  # About b.', '  b, # second', '  # About c.', '  c,   # third', '  d,'),
    )
    expect(await edited(closer, [0], theirs, [1])).toBe(tall('  # About b.', '  b, # second', '  d,'))
  })
  test('a list on one line has the lines of the other where that has lines', async () => {
    expect(await edited('[a, b]\n', [0], tall('  c, # third'), [0])).toBe(tall('  b,', '  c, # third'))
    expect(await edited(tall('  a,'), [], '[b, c]\n', [1])).toBe(tall('  a,', '  c,'))
    expect(await edited('[a]\n', [], '[b]\n', [0])).toBeUndefined()
  })
  test.each([
    ['items in lines without brackets', '- a\n'],
    ['two items on a line', tall('  a, b,', '  c')],
    ['an item on the line of the bracket', '[a,\n  b\n]\n'],
    ['a bracket behind the last item', '[\n  a,\n  b]\n'],
    ['an item of several lines', tall('  {', '    a: 1', '  },')],
    ['a comment about no item', tall('  a,', '  # That is all.')],
    ['a comment on the line of the bracket', '[ # All.\n  a,\n]\n'],
    ['no item', '[\n]\n'],
  ])('%s is another layout', async (_, text) => {
    expect(await edited(text, [], tall('  z'), [0])).toBeUndefined()
    expect(await edited(tall('  y,', '  z'), [0], text, [])).toBeUndefined()
  })
})
