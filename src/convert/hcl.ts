import type { Diagnostic } from '../diagnostic.ts'
import { isSayableInHcl, hclText as quoted } from '../edits.ts'
import { visible } from '../names.ts'
import { kindOf, listingOf, worldOfListing } from '../parser/policy.ts'
import { brief } from '../parser/reading.ts'
import type { Span } from '../source.ts'
import { type Entry, field, type ListNode, type MapNode, type Node, type TextNode } from '../tree.ts'
import { type Comment, type CommentedLine, type Line, withComments } from './lines.ts'

/** What came of writing documents in HCL. */
export interface HclWritten {
  readonly text: string
  /** What HCL cannot say. Where there is any, the text is not whole. */
  readonly refused: readonly Diagnostic[]
  /** What is left out because the service gives it, and what goes by another name. */
  readonly notes: readonly Diagnostic[]
  /** What stands for the URNs of the groups that are described: for a group that is known by its id alone, `resourceGroup:` and that. */
  readonly addresses: ReadonlyMap<string, string>
}

type Kind = 'policy' | 'permissionsGroup' | 'resourceGroup'

const types: Readonly<Record<Kind, string>> = { policy: 'policy', permissionsGroup: 'permissions_group', resourceGroup: 'resource_group' }
const parts: readonly (readonly [key: string, kind: Kind])[] = [
  ['policies', 'policy'],
  ['permissionsGroups', 'permissionsGroup'],
  ['resourceGroups', 'resourceGroup'],
]

/** What only the service says of a record, or of what a list names. */
const given = new Set(['$schema', 'id', 'owner', 'readOnly', 'createdAt', 'updatedAt'])
const expansions = new Set(['id', 'resource', 'group', 'name', 'owner', 'permissions'])

interface Described {
  readonly kind: Kind
  readonly node: MapNode
  readonly label: string
}

/**
 * Policies and groups as resources of a configuration, in the layout of `terraform fmt`. A group that is described is
 * named by its resource where others name it by its URN, since it gets that from the service.
 * `prefix`: what the types of resources begin with. `comments`: those of what the documents were read from.
 */
export function hclText(documents: readonly Node[], comments: readonly Span[], prefix: string): HclWritten {
  const refused: Diagnostic[] = []
  const notes: Diagnostic[] = []
  const refuse = (span: Span, message: string, help?: string) =>
    refused.push({ code: 'convert', severity: 'error', message, span, ...(help !== undefined && { help }) })
  const note = (span: Span, message: string) => notes.push({ code: 'convert', severity: 'info', message, span })

  const records = labelled(documents.flatMap(recordsIn))
  const addresses = new Map<string, string>()
  for (const { kind, node, label } of records) {
    const urn = kind === 'policy' ? undefined : (field(node, 'urn') ?? field(node, 'id'))
    if (urn?.kind !== 'text') continue
    const address = `${prefix}_iam_${types[kind]}.${label}`
    addresses.set(field(node, 'urn') ? urn.value : `resourceGroup:${urn.value}`, `${address}.urn`)
    note(urn, `\`${shownText(urn.value)}\` is given by the service: here it is \`${address}.urn\``)
  }
  const lines = records.flatMap(({ kind, node, label }, i): readonly Line[] => [
    { indent: 0, text: `resource ${quoted(`${prefix}_iam_${types[kind]}`)} ${quoted(label)} {`, at: node, ...(i > 0 && { isApart: true }) },
    ...bodyOf(kind, node),
    { indent: 0, text: '}' },
  ])
  const { lines: commented, foot } = withComments(lines, comments)
  return { text: laidOut(commented, foot), refused, notes, addresses }

  /** The records that a document describes. What it holds besides has no place. */
  function recordsIn(document: Node): readonly Omit<Described, 'label'>[] {
    const kind = kindOf(document)
    if (kind === 'policy') return [{ kind: 'policy', node: document as MapNode }]
    if (kind === 'policies') return maps(document).map((node) => ({ kind: 'policy', node }))
    const world = kind === 'listing' ? worldOfListing(document, listingOf(document) as string) : document
    if (world.kind !== 'map' || (kind !== 'world' && kind !== 'listing')) {
      refuse(document, 'HCL has no place for this', 'it holds policies, permissions groups and resource groups')
      return []
    }
    return world.entries.flatMap(({ key, value }) => {
      const part = parts.find(([name]) => name === key.value)
      if (part) return maps(value).map((node) => ({ kind: part[1], node }))
      if (key.value === '$schema') note(key, `\`${key.value}\` is left out: it has no place in HCL`)
      else if (value.kind !== 'null')
        refuse(key, `HCL has no place for \`${visible(brief(key.value))}\``, 'keep it in a world file of its own')
      return []
    })
  }

  function bodyOf(kind: Kind, node: MapNode): readonly Line[] {
    const lines: Line[] = []
    const blocks: Line[] = []
    const name = field(node, 'name')
    if (name?.kind !== 'text') refuse(node, '`name` is missing, and a resource needs one')
    for (const { key, value } of inOrder(node)) {
      if (value.kind === 'null' && !given.has(key.value)) continue
      switch (key.value) {
        case 'name':
        case 'description':
          lines.push(textLine(key, key.value, value))
          break
        case 'expiredAt':
          lines.push(textLine(key, 'expired_at', value))
          break
        case 'identities':
          lines.push(...listLines(key, 'identities', value, (item) => item))
          break
        case 'resources':
          lines.push(...listLines(key, 'resources', value, (item) => only(item, 'urn')))
          break
        case 'permissionsGroups':
          lines.push(...listLines(key, 'permissions_groups', value, (item) => only(item, 'urn')))
          break
        case 'permissions':
          if (value.kind === 'map')
            for (const each of value.entries)
              if (each.value.kind !== 'null') lines.push(...listLines(each.key, each.key.value, each.value, (item) => only(item, 'action')))
          break
        case 'conditions':
          if (value.kind === 'map') blocks.push(...conditionLines('conditions', value, 1, key))
          break
        case 'urn':
          break
        case 'id':
          if (kind === 'resourceGroup' && !field(node, 'urn')) break
          leftOut(key, value)
          break
        default:
          leftOut(key, value)
      }
    }
    return [...lines, ...blocks.map((line, i) => (i === 0 && lines.length > 0 ? { ...line, isApart: true } : line))]
  }

  function leftOut(key: TextNode, value: Node): void {
    const word = visible(brief(key.value))
    if (key.value === 'readOnly' && value.kind === 'boolean' && value.value)
      refuse(key, 'this is managed by the service itself, and no resource can say so', 'leave it out: it stays where it is')
    else if (given.has(key.value)) note(key, `\`${word}\` is left out: the service gives it`)
    else refuse(key, `HCL has no place for \`${word}\``)
  }

  /** The text that an entry is about. What the service says besides is left out. */
  function only(item: Node, key: string): Node {
    if (item.kind !== 'map') return item
    for (const entry of item.entries)
      if (entry.key.value !== key && expansions.has(entry.key.value))
        note(entry.key, `\`${entry.key.value}\` is left out: the service gives it`)
    const text = field(item, key)
    if (text) return text
    refuse(item, `\`${key}\` is missing, and HCL has no other name for this`)
    return item
  }

  function textLine(key: Span, word: string, value: Node): Line {
    return { indent: 1, text: word, assign: expression(value), at: key }
  }

  function expression(value: Node): string {
    if (value.kind === 'unknown') return value.expression
    if (value.kind !== 'text') {
      refuse(value, 'HCL has no place for this: a text is expected')
      return '""'
    }
    if (!isSayableInHcl(value.value))
      refuse(
        value,
        `HCL cannot say \`${shownText(value.value)}\`: it has texts in composed form only`,
        'write its letters with their accents as one character each (NFC)',
      )
    return quoted(value.value)
  }

  function listLines(key: Span, word: string, value: Node, textIn: (item: Node) => Node): readonly Line[] {
    if (value.kind !== 'list') {
      refuse(value, 'HCL has no place for this: a list is expected')
      return []
    }
    const items = value.items.map((item) => {
      const text = textIn(item)
      return { item, text: (text.kind === 'text' && addressOf(text.value, addresses)) || expression(text) }
    })
    if (items.length === 0 || (items.length === 1 && !hasComment(key, value)))
      return [{ indent: 1, text: word, assign: `[${items.map(({ text }) => text).join('')}]`, at: key }]
    return [
      { indent: 1, text: `${word} = [`, at: key },
      ...items.map(({ item, text }) => ({ indent: 2, text: `${text},`, at: item })),
      { indent: 1, text: ']' },
    ]
  }

  /** Whether a comment stands on the lines of a list. */
  function hasComment(key: Span, { source, end }: ListNode): boolean {
    const lineEnd = source.text.indexOf('\n', end)
    const isTall = source.text.slice(key.start, end).includes('\n')
    const to = isTall && lineEnd >= 0 ? lineEnd : end
    return comments.some((comment) => comment.source === source && comment.start > key.start && comment.start < Math.max(to, end))
  }

  /** A condition as a block. Its depth is within the limit of conditions. */
  function conditionLines(word: string, node: MapNode, indent: number, at: Span): readonly Line[] {
    const lines: Line[] = []
    const inner: Line[] = []
    for (const { key, value } of node.entries) {
      if (value.kind === 'null') continue
      if (key.value === 'operator') lines.push({ indent: indent + 1, text: 'operator', assign: expression(value), at: key })
      else if (key.value === 'values' && value.kind === 'map') {
        if (value.entries.length === 0) lines.push({ indent: indent + 1, text: 'values', assign: '{}', at: key })
        else
          lines.push(
            { indent: indent + 1, text: 'values = {', at: key },
            ...value.entries.map((each) => ({
              indent: indent + 2,
              text: expression(each.key),
              assign: expression(each.value),
              at: each.key,
            })),
            { indent: indent + 1, text: '}' },
          )
      } else if (key.value === 'conditions' && value.kind === 'list') {
        for (const each of value.items) {
          if (each.kind === 'map') inner.push(...conditionLines('condition', each, indent + 1, each))
          else refuse(each, 'HCL has no place for this: a condition is expected')
        }
      } else refuse(key, `HCL has no place for \`${visible(brief(key.value))}\` here`)
    }
    return [{ indent, text: `${word} {`, at }, ...lines, ...inner, { indent, text: '}' }]
  }
}

/** What stands for the URN of a group that is described; undefined for all others. */
function addressOf(urn: string, addresses: ReadonlyMap<string, string>): string | undefined {
  const id = /^urn:v1:[^:]*:(resourceGroup:.*)$/s.exec(urn)?.[1]
  return addresses.get(urn) ?? (id === undefined ? undefined : addresses.get(id))
}

/**
 * What documents say that HCL can say, in one order of fields: two of the same are the same policies and groups, each
 * with the same entries in the same order. `addresses`: see `HclWritten`.
 */
export function essence(documents: readonly Node[], addresses: ReadonlyMap<string, string>): string {
  const own = documents.flatMap((document): readonly { readonly key: string; readonly items: readonly Node[] }[] => {
    const kind = kindOf(document)
    if (kind === 'policy') return [{ key: 'policies', items: [document] }]
    if (kind === 'policies') return [{ key: 'policies', items: maps(document) }]
    const world = kind === 'listing' ? worldOfListing(document, listingOf(document) as string) : document
    return world.kind === 'map' ? world.entries.map(({ key, value }) => ({ key: key.value, items: maps(value) })) : []
  })
  return JSON.stringify(
    parts.map(([name, kind]) =>
      own.filter(({ key }) => key === name).flatMap(({ items }) => items.map((item) => sayingOf(kind, item, addresses))),
    ),
  )
}

/** A record by its fields. What is `null` is as if absent, and a list of no conditions as well: neither is written in HCL. */
function sayingOf(kind: Kind, node: Node, addresses: ReadonlyMap<string, string>): unknown {
  const at = (map: Node | undefined, key: string) => (map?.kind === 'map' ? field(map, key) : undefined)
  const text = (value: Node | undefined): unknown => {
    if (value?.kind === 'unknown') return { name: value.expression }
    if (value?.kind !== 'text') return value?.kind === 'null' ? undefined : value
    const address = addressOf(value.value, addresses)
    return address === undefined ? value.value : { name: address }
  }
  const texts = (value: Node | undefined, key?: string) =>
    value?.kind === 'list' ? value.items.map((item) => text(key !== undefined && item.kind === 'map' ? field(item, key) : item)) : undefined
  const condition = (value: Node | undefined): unknown => {
    if (value?.kind !== 'map') return undefined
    const [values, inner] = [field(value, 'values'), field(value, 'conditions')]
    return [
      text(field(value, 'operator')),
      values?.kind === 'map' ? values.entries.map((entry) => [entry.key.value, text(entry.value)]) : undefined,
      inner?.kind === 'list' && inner.items.length > 0 ? inner.items.map(condition) : undefined,
    ]
  }
  const permissions = at(node, 'permissions')
  return [
    kind,
    text(at(node, 'name')),
    text(at(node, 'description')),
    texts(at(node, 'identities')),
    texts(at(node, 'resources'), 'urn'),
    ['allow', 'except', 'deny'].map((list) => texts(at(permissions, list), 'action') ?? null),
    texts(at(node, 'permissionsGroups'), 'urn'),
    condition(at(node, 'conditions')),
    text(at(node, 'expiredAt')),
  ].map((value) => value ?? null)
}

const fields = 'name description identities resources permissions permissionsGroups expiredAt'.split(' ')

/** The fields of a record as they are mostly written, what is none of them at last. */
function inOrder(node: MapNode): readonly Entry[] {
  const rank = ({ key }: Entry) => fields.indexOf(key.value) + 1 || fields.length + 1
  return node.entries.toSorted((a, b) => rank(a) - rank(b))
}

function shownText(text: string): string {
  return visible(brief(text))
}

function maps(node: Node): readonly MapNode[] {
  return node.kind === 'list' ? node.items.flatMap((item) => (item.kind === 'map' ? [item] : [])) : []
}

/** Each record with a label made of its name, no two of one kind alike. */
function labelled(records: readonly Omit<Described, 'label'>[]): readonly Described[] {
  const taken = new Set<string>()
  return records.map(({ kind, node }) => {
    const [name, urn] = [field(node, 'name'), field(node, 'urn')]
    // One that stands in a configuration already is named there by its address.
    const own = urn?.kind === 'unknown' && urn.isName ? urn.expression.split('.')[1] : undefined
    const base = own ?? (labelOf(name?.kind === 'text' ? name.value : '') || types[kind])
    let label = base
    for (let i = 2; taken.has(`${kind} ${label}`); i++) label = `${base}_${i}`
    taken.add(`${kind} ${label}`)
    return { kind, node, label }
  })
}

/** A name as a label: small letters, digits and underscores, beginning with a letter. */
function labelOf(name: string): string {
  const word = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .slice(0, 60)
  return /^\d/.test(word) ? `_${word}` : word
}

/** Lines as `terraform fmt` leaves them: `=` and comments of lines that follow one another in one column each. */
function laidOut(lines: readonly CommentedLine[], foot: readonly Comment[]): string {
  interface Cells {
    readonly lead: string
    readonly assign?: string
    readonly comment?: string
  }
  const rows: Cells[] = []
  const add = (above: readonly Comment[], indent: number) => {
    for (const { text, isApart } of above) {
      rows.push({ lead: `${'  '.repeat(indent)}#${text}` })
      if (isApart) rows.push({ lead: '' })
    }
  }
  for (const { indent, text, assign, isApart, above, behind } of lines) {
    if (isApart) rows.push({ lead: '' })
    add(above, indent)
    rows.push({
      lead: '  '.repeat(indent) + text,
      ...(assign !== undefined && { assign }),
      ...(behind !== undefined && { comment: `#${behind}` }),
    })
  }
  if (foot.length > 0) rows.push({ lead: '' })
  add(foot, 0)
  const texts = inColumn(
    rows,
    ({ assign }) => assign !== undefined,
    ({ lead }) => lead,
    (row, lead) => (row.assign === undefined ? lead : `${lead} = ${row.assign}`),
  )
  const whole = inColumn(
    rows.map((row, i) => ({ ...row, text: texts[i] as string })),
    ({ comment }) => comment !== undefined,
    ({ text }) => text,
    (row, text) => (row.comment === undefined ? text : `${text} ${row.comment}`),
  )
  return (
    whole
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trimEnd() + (whole.length > 0 ? '\n' : '')
  )
}

/** Rows written so that what follows the leads of those that belong together begins in one column. */
function inColumn<T>(
  rows: readonly T[],
  isIn: (row: T) => boolean,
  leadOf: (row: T) => string,
  write: (row: T, lead: string) => string,
): readonly string[] {
  const out: string[] = []
  for (let i = 0; i < rows.length; ) {
    let end = i
    while (end < rows.length && isIn(rows[end] as T)) end++
    if (end === i) end++
    const run = rows.slice(i, end)
    const widest = run.length > 1 || isIn(run[0] as T) ? Math.max(...run.map((row) => width(leadOf(row)))) : 0
    for (const row of run) {
      const lead = leadOf(row)
      out.push(write(row, isIn(row) ? lead + ' '.repeat(widest - width(lead)) : lead))
    }
    i = end
  }
  return out
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** How many characters people see. */
function width(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : [...graphemes.segment(text)].length
}
