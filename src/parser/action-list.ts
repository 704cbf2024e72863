import type { Settings } from '../names.ts'
import type { Source } from '../source.ts'
import { type Entry, field, type ListNode, type MapNode, type Node, type TextNode } from '../tree.ts'
import { groupBodyOf } from './policy.ts'
import type { ReadExamples } from './read.ts'
import { toPolicies } from './read-open.ts'
import { type Reading, refuse } from './reading.ts'

/**
 * Lists of actions by themselves: `["vps:apisvc:get", …]`, `{allow: […], except: […]}`, or one a line. They are read as the
 * permission set of a group without a name, and only linted. So are the bodies of calls that make groups.
 */

const lists = ['allow', 'except', 'deny']

/** The permission set that a document is, and nothing else; undefined where it is none. */
export function actionsOf(document: Node): MapNode | undefined {
  if (document.kind === 'list') {
    const isList = document.items.every((item) => item.kind === 'text' && !item.value.startsWith('urn:'))
    const isOurs = document.items.some((item) => item.kind === 'text' && item.value.includes(':'))
    return isList && isOurs ? mapAt(document, [entryAt(document, 'allow', actionsAt(document))]) : undefined
  }
  if (groupBodyOf(document) === 'permissions') return field(document as MapNode, 'permissions') as MapNode
  if (document.kind !== 'map' || document.entries.length === 0 || !document.entries.every(({ key }) => lists.includes(key.value)))
    return undefined
  return {
    ...document,
    entries: document.entries.map(({ key, value }) => ({ key, value: value.kind === 'list' ? actionsAt(value) : value })),
  }
}

/** Each text as the object that policies have in its place. */
function actionsAt(list: ListNode): ListNode {
  return { ...list, items: list.items.map((item) => (item.kind === 'text' ? mapAt(item, [entryAt(item, 'action', item)]) : item)) }
}

function mapAt({ source, start, end }: Node, entries: readonly Entry[]): MapNode {
  return { kind: 'map', source, start, end, entries }
}

function textAt({ source, start }: Node, value: string): TextNode {
  return { kind: 'text', source, start, end: start, value }
}

function entryAt(node: Node, key: string, value: Node): Entry {
  return { key: textAt(node, key), value }
}

/** Read a text with an action a line. Blank lines are nothing, and so is what follows a `#`. */
export function readActionLines(source: Source): Reading {
  const { text } = source
  const items: TextNode[] = []
  for (let start = text.startsWith('\ufeff') ? 1 : 0; start < text.length; ) {
    let end = start
    let comment: number | undefined
    for (; end < text.length && text[end] !== '\n' && text[end] !== '\r'; end++)
      if (text[end] === '#' && comment === undefined && (end === start || isBlank(text[end - 1]))) comment = end
    let from = start
    let to = comment ?? end
    while (from < to && isBlank(text[from])) from++
    while (to > from && isBlank(text[to - 1])) to--
    if (to > from) items.push({ kind: 'text', source, start: from, end: to, value: text.slice(from, to) })
    start = end + 1
  }
  const [first] = items
  if (!first) return refuse(source, 0, text.length, 'no action here', 'write an action a line')
  const { end } = items.at(-1) ?? first
  return { documents: [{ kind: 'list', source, start: first.start, end, items }], diagnostics: [], refused: false }
}

function isBlank(c: string | undefined): boolean {
  return c === ' ' || c === '\t'
}

/** The reading of a tree that is a list of actions; undefined where it is none. */
export async function readActions(source: Source, reading: Reading, settings: Settings): Promise<ReadExamples | undefined> {
  const [document, second] = reading.documents
  const isLines = source.notation === 'actions'
  const permissions =
    document && !second
      ? isLines
        ? mapAt(document, [entryAt(document, 'allow', actionsAt(document as ListNode))])
        : actionsOf(document)
      : undefined
  // Of the body of a resource group nothing is found: what it holds is named by ids.
  const isBody = document !== undefined && !second && groupBodyOf(document) === 'resources'
  if (!permissions && !isLines && !isBody) return undefined
  const documents = permissions ? [worldOf(permissions, settings)] : []
  const read = await toPolicies(source, { ...reading, documents }, settings)
  const { facts, diagnostics } = read
  return { ...read, kind: 'examples', holdsPolicies: true, apart: [{ facts, diagnostics }] }
}

function worldOf(permissions: MapNode, { regions }: Settings): Node {
  const urn = textAt(permissions, `urn:v1:${regions[0] ?? 'eu'}:permissionsGroup:list:list`)
  const group = mapAt(permissions, [entryAt(permissions, 'urn', urn), entryAt(permissions, 'permissions', permissions)])
  return mapAt(permissions, [entryAt(permissions, 'permissionsGroups', { ...permissions, kind: 'list', items: [group] } as ListNode)])
}
