import type { Settings } from '../names.ts'
import { type Entry, type ListNode, type MapNode, type Node, symbolOf, type TextNode, type UnknownNode } from '../tree.ts'
import { type Assignment, isThere, numberOf } from './assignment.ts'
import { fittingFills, type Naming, note, signs, tokenOf, type Words, wholeName } from './made-up.ts'
import { fieldKey, type Place, placeUnder, top, type Written } from './place.ts'
import { fillsOf, isWhole, joinedBy, templateNode } from './template.ts'

/** How documents are filled. */
export interface Filling {
  readonly assignment: Assignment
  readonly settings: Settings
  /** The strings that are written in the same documents. */
  readonly written: Written
  /** Gets the names that are made up. */
  readonly words?: Words
  /** Gets what is chosen, in order: where it is the same, the documents are filled alike. */
  readonly choices?: string[]
}

/** The value of one entry in an assignment. */
type Choice = Naming | 'absent' | { readonly written: string }

/** A document as it would be if everything in it that is not known were as one assignment says. Undefined: it would not be there. */
export function filledDocument(document: Node, filling: Filling): Node | undefined {
  return filledNode(document, top, filling)
}

function filledNode(node: Node, place: Place, filling: Filling): Node | undefined {
  switch (node.kind) {
    case 'unknown':
      return wholeOf(node, place, filling)
    case 'list':
      return { ...node, items: node.items.flatMap((item) => itemOf(item, place, filling) ?? []) } satisfies ListNode
    case 'map':
      return filledMap(node, place, filling)
    default:
      return node
  }
}

/** An item of a list: one of which nothing is known may be missing. */
function itemOf(item: Node, place: Place, filling: Filling): Node | undefined {
  if (item.kind === 'unknown') {
    if (mayBeMissing(item) && isAbsent(item, place, filling)) return undefined
    if (place.holds === 'condition') return wholeOf(item, place, filling)
    const value = textOf(item, place, filling)
    return place.key === undefined ? value : mapOf(item, place.key, value)
  }
  if (item.kind === 'map') {
    const name = item.entries.find(({ key }) => key.value === place.key)?.value
    if (name?.kind === 'unknown' && mayBeMissing(name) && isAbsent(name, place, filling)) return undefined
  }
  return filledNode(item, place, filling)
}

function filledMap(node: MapNode, place: Place, filling: Filling): MapNode | undefined {
  const isHere = isThere(node, filling.assignment)
  if (node.perhaps) filling.choices?.push(isHere ? 'there' : 'absent')
  if (!isHere) return undefined
  const entries = node.entries.flatMap((entry): Entry[] => {
    const value = filledNode(entry.value, placeUnder(entry.key.value, place), filling)
    return value ? [{ key: entry.key, value }] : []
  })
  const { perhaps: _, unread: __, ...rest } = node
  return { ...rest, entries }
}

/** The replacement of a value of which nothing is known, by the kind of its place. */
function wholeOf(node: UnknownNode, place: Place, filling: Filling): Node | undefined {
  if (place.holds === 'permissions') return permissionsOf(node, place, filling)
  const isNone = isAbsent(node, place, filling)
  switch (place.holds) {
    case 'text':
      return isNone && place.role === 'instant' ? undefined : textOf(node, place, filling)
    case 'texts':
      return listOf(node, isNone ? [] : [textOf(node, place, filling)])
    case 'maps':
      return listOf(node, isNone ? [] : [mapOf(node, place.key as string, textOf(node, place, filling))])
    case 'condition':
      return isNone ? undefined : conditionOf(node, textOf(node, place, filling))
  }
}

function conditionOf(node: UnknownNode, value: TextNode): MapNode {
  return mapOf(node, 'operator', textNode(node, 'MATCH'), 'values', mapOf(node, `resource.Tag(${signs.first})`, value))
}

function permissionsOf(node: UnknownNode, place: Place, filling: Filling): MapNode {
  const field = filling.assignment === 'refused' ? 'deny' : 'allow'
  filling.choices?.push(field)
  const fieldPlace = { ...place, field }
  if (isAbsent(node, fieldPlace, filling)) return mapOf(node)
  return mapOf(node, field, listOf(node, [mapOf(node, 'action', textOf(node, fieldPlace, filling))]))
}

function isAbsent(node: UnknownNode, place: Place, filling: Filling): boolean {
  const isNone = choiceFor(node, place, filling) === 'absent'
  filling.choices?.push(isNone ? 'absent' : 'there')
  return isNone
}

/** How many of the written values an unknown one is held against. */
const mostWritten = 8

function choiceFor(node: UnknownNode, place: Place, { assignment, written }: Filling): Choice {
  if (node.isName) return assignment === 'second' ? 'second' : 'first'
  const isAgainst = place.field === 'except' || place.field === 'deny'
  if (assignment === 'least') return 'absent'
  if (assignment === 'granted') return isAgainst ? 'absent' : 'most'
  if (assignment === 'refused') return isAgainst ? 'most' : 'absent'
  if (typeof assignment !== 'number') return assignment
  const candidates = (written.get(fieldKey(place)) ?? []).filter((text) => fillsOf(node.shape ?? node.pieces, text) !== undefined)
  const symbol = numberOf(symbolOf(node))
  // Of many those that are not the same for every value.
  const nearWritten = candidates.slice((symbol >>> 3) % Math.max(candidates.length - mostWritten + 1, 1)).slice(0, mostWritten)
  const choices: readonly Choice[] = [...nearWritten.map((text) => ({ written: text })), 'absent', 'most', 'alike', 'second']
  return choices[(symbol + assignment) % choices.length] as Choice
}

function textOf(node: UnknownNode, place: Place, filling: Filling): TextNode {
  const choice = choiceFor(node, place, filling)
  if (typeof choice === 'object') return filledText(node, fillsOf(node.pieces, choice.written) as readonly string[], filling)
  return madeUpText(node, place, choice === 'absent' ? 'second' : choice, filling)
}

function madeUpText(node: UnknownNode, { role }: Place, naming: Naming, filling: Filling): TextNode {
  const { settings, words, choices } = filling
  const fitting = isWhole(node) ? undefined : fittingFills(node, role, naming, settings)
  if (isWhole(node) || (role === 'instant' && !fitting)) {
    const text = wholeName(node, role, naming, settings)
    if (words) note(words, node, naming, 0, text)
    choices?.push(text)
    return textNode(node, text)
  }
  const fills = fitting ?? node.pieces.slice(1).map((_, i) => tokenOf(node, i, naming))
  if (words) for (const i of fills.keys()) note(words, node, naming, i, joinedBy(node.pieces, fills))
  return filledText(node, fills, filling)
}

function filledText(node: UnknownNode, fills: readonly string[], { choices }: Filling): TextNode {
  choices?.push(...fills)
  return templateNode(node, fills)
}

/** Whether an entry may be missing as a whole. */
function mayBeMissing(node: UnknownNode): boolean {
  return node.isSpread === true || (isWhole(node) && node.shape === undefined)
}

function textNode({ source, start, end }: UnknownNode, value: string): TextNode {
  return { kind: 'text', value, source, start, end }
}

function listOf({ source, start, end }: UnknownNode, items: readonly Node[]): ListNode {
  return { kind: 'list', source, start, end, items }
}

function mapOf(node: UnknownNode, ...fields: (string | Node)[]): MapNode {
  const { source, start, end } = node
  const entries: Entry[] = []
  for (let i = 0; i + 1 < fields.length; i += 2) entries.push({ key: textNode(node, fields[i] as string), value: fields[i + 1] as Node })
  return { kind: 'map', source, start, end, entries }
}
