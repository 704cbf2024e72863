import { partitionPoint } from '../../collections.ts'
import type { Fix } from '../../diagnostic.ts'
import { removeEntries, removeItems } from '../../edits.ts'
import type { ListName } from '../../policy.ts'
import { isInRange, type Located, type Span } from '../../source.ts'
import { type Edits, replaceText, withFix } from '../../texts.ts'
import type { ListNode, MapNode, Node } from '../../tree.ts'
import { nodeAt } from './written.ts'

/** An optional fix, to be spread into a finding. */
export type WithFix = { readonly fix?: Fix }

/** A fix that takes the entries of a list that hold these places out of it; none where the list is not written out. */
export function removal(list: Node | undefined, places: readonly Span[], safe: boolean): WithFix {
  if (list?.kind !== 'list') return {}
  return withFix(
    'remove it',
    safe,
    removeItems(
      list,
      places.map((place) => indexOfItem(list.items, place)),
    ),
  )
}

/** The same in a list of a permission set: one from which all entries go is left out whole. */
export function removalFromSet(permissions: MapNode | undefined, name: ListName, places: readonly Span[], safe: boolean): WithFix {
  const list = permissions && nodeAt(permissions, name)
  if (!permissions || list?.kind !== 'list') return {}
  return places.length < list.items.length ? removal(list, places, safe) : removalOfEntries(permissions, [name], safe)
}

/** A fix that takes entries out of a map. */
export function removalOfEntries(map: MapNode, keys: readonly string[], safe: boolean, description = 'remove it'): WithFix {
  return withFix(description, safe, removeEntries(map, keys))
}

/** A fix that writes another text; none where there is nothing to write. */
export function replacement(place: Span, value: string | undefined, safe: boolean, description = 'write it'): WithFix {
  const edits: Edits = value === undefined ? undefined : [replaceText(place, value)]
  return withFix(description, safe, edits)
}

/** A text with one part of it replaced; undefined where there is nothing to write. */
export function withPart(text: string, start: number, length: number, part: string | undefined): string | undefined {
  return part === undefined ? undefined : text.slice(0, start) + part + text.slice(start + length)
}

/** The index of the item that contains a place; items are in order. */
function indexOfItem(items: readonly Node[], { start }: Pick<Span, 'start'>): number {
  return Math.max(0, partitionPoint(items, (item) => item.start <= start) - 1)
}

/** A fix that takes a condition out of those it is joined with: the innermost list or values that hold more than it. */
export function removalOfCondition(policy: MapNode, place: Span): WithFix {
  let edits: Edits
  let node = nodeAt(policy, 'conditions')
  while (node?.kind === 'map' && !(node.start === place.start && node.end === place.end)) {
    const parts: MapNode | ListNode | undefined = [nodeAt(node, 'values'), nodeAt(node, 'conditions')].find(
      (each): each is MapNode | ListNode => (each?.kind === 'map' || each?.kind === 'list') && isInRange(place, each),
    )
    if (parts?.kind === 'map') {
      const entry = parts.entries.find(({ key }) => key.start === place.start)
      if (entry && parts.entries.length > 1) edits = removeEntries(parts, [entry.key.value])
      node = undefined
    } else if (parts?.kind === 'list') {
      const index = indexOfItem(parts.items, place)
      if (parts.items.length > 1) edits = removeItems(parts, [index])
      node = parts.items[index]
    } else return {}
  }
  return withFix('remove it', true, edits)
}

/** A fix that takes items out of the list in a text: all that are not to be kept. */
export function removalOfItems({ value }: { readonly value: Located<string> }, keeps: (i: number) => boolean): WithFix {
  const kept = value.value.split(',').filter((_, i) => keeps(i))
  return replacement(value.span, kept.join(',').trim(), true, 'remove it')
}
