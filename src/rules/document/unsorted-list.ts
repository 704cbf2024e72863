import { compareText } from '../../diagnostic.ts'
import { reorderItems } from '../../edits.ts'
import type { Policy } from '../../policy.ts'
import { withFix } from '../../texts.ts'
import type { ListNode, Node } from '../../tree.ts'
import type { Finding, Rule } from '../rule.ts'
import { quote } from '../support/text.ts'
import { nodeAt } from '../support/written.ts'

/** The lists of a policy, and the field of their items that they are sorted by. */
const lists: readonly { readonly path: readonly string[]; readonly by?: string }[] = [
  { path: ['identities'] },
  { path: ['resources'], by: 'urn' },
  { path: ['permissions', 'allow'], by: 'action' },
  { path: ['permissions', 'except'], by: 'action' },
  { path: ['permissions', 'deny'], by: 'action' },
  { path: ['permissionsGroups'], by: 'urn' },
]

export const unsortedList: Rule = {
  code: 'unsorted-list',
  section: 'document',
  severity: 'info',
  preset: 'auditor',
  fixes: ['safe'],
  summary: 'A list in a policy that is not sorted.',
  why:
    'The order of entries has no meaning. In a sorted list, entries are easy to find, missing ones are easy to notice, and merges cause ' +
    'fewer conflicts. Sort by the text of the entries.',
  policy: unsortedIn,
}

/** The unsorted lists of a policy, each with the edits that sort it where that is possible. */
export function* unsortedIn({ node, readOnly }: Pick<Policy, 'node' | 'readOnly'>): Generator<Finding> {
  if (readOnly) return
  for (const { path, by } of lists) {
    const list = nodeAt(node, ...path)
    if (list?.kind !== 'list') continue
    let before: string | undefined
    for (const item of list.items) {
      const written = textOf(item, by)
      if (!written) continue
      if (before !== undefined && compareText(written.value, before) < 0) {
        yield {
          span: written,
          message: `the list is not sorted: ${quote(written.value)} comes after ${quote(before)}`,
          help: 'sort the list',
          ...sorting(list, by),
        }
        break
      }
      before = written.value
    }
  }
}

function textOf(item: Node, by: string | undefined) {
  const node = by === undefined ? item : item.kind === 'map' ? nodeAt(item, by) : undefined
  return node?.kind === 'text' ? node : undefined
}

/** The sorted list, if every item has a text to sort by. */
function sorting(list: ListNode, by: string | undefined) {
  const texts = list.items.map((item) => textOf(item, by)?.value)
  if (texts.includes(undefined)) return {}
  const order = [...texts.keys()].sort((a, b) => compareText(texts[a] as string, texts[b] as string) || a - b)
  return withFix('sort the list', true, reorderItems(list, order))
}
