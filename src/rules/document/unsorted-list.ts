import { compareText } from '../../diagnostic.ts'
import { reorderItems, withFix } from '../../edits.ts'
import type { ListNode, Node } from '../../tree.ts'
import type { Rule } from '../rule.ts'
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
  summary: 'A list of a policy that is not in order.',
  why:
    'The order of entries means nothing. In sorted lists an entry is found, and its absence seen, at a glance; two people who add entries do not ' +
    'meet in the last line; and a change shows only what has changed. Sort by the text of the entry.',
  examples: {
    bad: [
      `
permissions:
  allow:
    - action: vps:apisvc:reboot
    - action: vps:apisvc:get
#             ^^^^^^^^^^^^^^ unsorted-list
    - action: vps:apisvc:stop`,
    ],
    good: [
      `
permissions:
  allow:
    - action: vps:apisvc:get
    - action: vps:apisvc:reboot
    - action: vps:apisvc:stop`,
    ],
  },
  check: {
    *policy({ node, readOnly }) {
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
              message: `the list is not in order: ${quote(written.value)} stands after ${quote(before)}`,
              help: 'sort the list',
              ...sorting(list, by),
            }
            break
          }
          before = written.value
        }
      }
    },
  },
}

function textOf(item: Node, by: string | undefined) {
  const node = by === undefined ? item : item.kind === 'map' ? nodeAt(item, by) : undefined
  return node?.kind === 'text' ? node : undefined
}

/** The list in order; none where an item has no text to sort it by. */
function sorting(list: ListNode, by: string | undefined) {
  const texts = list.items.map((item) => textOf(item, by)?.value)
  if (texts.includes(undefined)) return {}
  const order = [...texts.keys()].sort((a, b) => compareText(texts[a] as string, texts[b] as string) || a - b)
  return withFix('sort the list', true, reorderItems(list, order))
}
