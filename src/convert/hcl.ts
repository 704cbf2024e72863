import { attributes, type Field, type Kind, terraformTypes, worldLists } from '../declared/attributes.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { keyOf } from '../keys.ts'
import { visible } from '../names.ts'
import { kindOf, listingOf, worldOfListing } from '../parser/policy.ts'
import { shortened } from '../parser/reading.ts'
import type { Span } from '../source.ts'
import { isValidInHcl, hclText as quoted } from '../texts.ts'
import { type Entry, field, type ListNode, type MapNode, type Node, type TextNode } from '../tree.ts'
import { cannotExpress, noteAt } from './findings.ts'
import { type Comment, type CommentedLine, type Line, withComments } from './lines.ts'

export interface HclWritten {
  readonly text: string
  /** Parts that HCL cannot express. Where there is any, the text is incomplete. */
  readonly refused: readonly Diagnostic[]
  /** Parts that are omitted because the service sets them, and parts that have another name. */
  readonly notes: readonly Diagnostic[]
  /** The expressions in place of the URNs of the described groups; a group that is known by its id alone has the key `resourceGroup:ID`. */
  readonly addresses: ReadonlyMap<string, string>
}

const types = Object.fromEntries(Object.entries(terraformTypes).map(([word, kind]) => [kind, word])) as Readonly<Record<Kind, string>>

/** Fields of a record, or of an item of a list, that only the service sets. */
const setByService: ReadonlySet<string> = new Set(['$schema', 'id', 'owner', 'readOnly', 'createdAt', 'updatedAt'])
const expansions: ReadonlySet<string> = new Set(['id', 'resource', 'group', 'name', 'owner', 'permissions'])

interface Described {
  readonly kind: Kind
  readonly node: MapNode
  readonly label: string
}

/** Policies and groups as resources, in the layout of `terraform fmt`. URNs of described groups become references to them. */
export function hclText(documents: readonly Node[], comments: readonly Span[], prefix: string): HclWritten {
  const writer = new HclWriter(comments, prefix)
  const records = labelled(documents.flatMap((document) => writer.recordsIn(document)))
  writer.nameGroups(records)
  const written = records.flatMap((record, i) => writer.resource(record, i > 0))
  const { lines, foot } = withComments(written, comments)
  const { refused, notes, addresses } = writer
  return { text: laidOut(lines, foot), refused, notes, addresses }
}

/** The attribute of each field of a record; not of permissions, which have their own map. */
const attributeOf: ReadonlyMap<string, readonly [word: string, field: Field]> = new Map(
  Object.entries(attributes.policy).flatMap(([word, field]) => (field.key === 'action' ? [] : [[field.to, [word, field]]])),
)

class HclWriter {
  readonly refused: Diagnostic[] = []
  readonly notes: Diagnostic[] = []
  readonly addresses = new Map<string, string>()
  private readonly comments: readonly Span[]
  private readonly prefix: string

  constructor(comments: readonly Span[], prefix: string) {
    this.comments = comments
    this.prefix = prefix
  }

  /** The records that a document describes. Anything else in it has no place in HCL. */
  recordsIn(document: Node): readonly Omit<Described, 'label'>[] {
    const world = worldOf(document)
    if (!world) {
      this.refuse(document, 'HCL has no place for this', 'it holds policies, permissions groups and resource groups')
      return []
    }
    return world.entries.flatMap(({ key, value }) => {
      const part = worldLists.find(([name]) => name === key.value)
      if (part) return maps(value).map((node) => ({ kind: part[1], node }))
      if (key.value === '$schema') this.note(key, `\`${key.value}\` is left out: it has no place in HCL`)
      else if (value.kind !== 'null')
        this.refuse(key, `HCL has no place for \`${visible(shortened(key.value))}\``, 'keep it in a separate world file')
      return []
    })
  }

  /** Records the expressions that replace the URNs of the groups. */
  nameGroups(records: readonly Described[]): void {
    for (const { kind, node, label } of records) {
      const ownUrn = field(node, 'urn')
      const urn = kind === 'policy' ? undefined : (ownUrn ?? field(node, 'id'))
      if (urn?.kind !== 'text') continue
      const address = `${this.prefix}_iam_${types[kind]}.${label}.urn`
      this.addresses.set(ownUrn ? urn.value : `resourceGroup:${urn.value}`, address)
      this.note(urn, `\`${shownText(urn.value)}\` is given by the service: here it is \`${address}\``)
    }
  }

  resource({ kind, node, label }: Described, isApart: boolean): readonly Line[] {
    const head = `resource ${quoted(`${this.prefix}_iam_${types[kind]}`)} ${quoted(label)} {`
    return [{ indent: 0, text: head, at: node, ...(isApart && { isApart }) }, ...this.bodyOf(kind, node), { indent: 0, text: '}' }]
  }

  private refuse(span: Span, message: string, help?: string): void {
    this.refused.push(cannotExpress(span, message, help))
  }

  private note(span: Span, message: string): void {
    this.notes.push(noteAt(span, message))
  }

  private bodyOf(kind: Kind, node: MapNode): readonly Line[] {
    const lines: Line[] = []
    const blocks: Line[] = []
    if (field(node, 'name')?.kind !== 'text') this.refuse(node, '`name` is missing, and a resource needs one')
    for (const { key, value } of inOrder(node)) {
      if (value.kind === 'null' && !setByService.has(key.value)) continue
      const [word, attribute] = attributeOf.get(key.value) ?? ['']
      if (key.value === 'permissions') lines.push(...this.permissionLines(value))
      else if (attribute?.holds === 'condition') blocks.push(...(value.kind === 'map' ? this.conditionLines(word, value, 1, key) : []))
      else if (attribute?.holds === 'texts') lines.push(...this.listLines(key, word, value, attribute.key))
      else if (attribute) lines.push({ indent: 1, text: word, assign: this.expression(value), at: key })
      else if (key.value !== 'urn' && !(key.value === 'id' && kind === 'resourceGroup' && !field(node, 'urn'))) this.leaveOut(key, value)
    }
    return [...lines, ...blocks.map((line, i) => (i === 0 && lines.length > 0 ? { ...line, isApart: true } : line))]
  }

  private permissionLines(value: Node): readonly Line[] {
    const lists = value.kind === 'map' ? value.entries.filter((each) => each.value.kind !== 'null') : []
    return lists.flatMap((each) => this.listLines(each.key, each.key.value, each.value, 'action'))
  }

  private leaveOut(key: TextNode, value: Node): void {
    const word = visible(shortened(key.value))
    if (key.value === 'readOnly' && value.kind === 'boolean' && value.value)
      this.refuse(key, 'this is managed by the service itself, and no resource can say so', 'leave it out: it stays where it is')
    else if (setByService.has(key.value)) this.note(key, `\`${word}\` is left out: the service gives it`)
    else this.refuse(key, `HCL has no place for \`${word}\``)
  }

  /** The string of an item that is an object. Its other fields are set by the service and omitted. */
  private only(item: Node, key: string | undefined): Node {
    if (key === undefined || item.kind !== 'map') return item
    for (const entry of item.entries)
      if (entry.key.value !== key && expansions.has(entry.key.value))
        this.note(entry.key, `\`${entry.key.value}\` is left out: the service gives it`)
    const text = field(item, key)
    if (text) return text
    this.refuse(item, `\`${key}\` is missing, and HCL has no other name for this`)
    return item
  }

  private expression(value: Node): string {
    if (value.kind === 'unknown') return value.expression
    if (value.kind !== 'text') {
      this.refuse(value, 'HCL has no place for this: a text is expected')
      return '""'
    }
    if (!isValidInHcl(value.value)) {
      const help = 'write its letters with their accents as one character each (NFC)'
      this.refuse(value, `HCL cannot say \`${shownText(value.value)}\`: it has texts in composed form only`, help)
    }
    return quoted(value.value)
  }

  private listLines(key: Span, word: string, value: Node, textKey: string | undefined): readonly Line[] {
    if (value.kind !== 'list') {
      this.refuse(value, 'HCL has no place for this: a list is expected')
      return []
    }
    const items = value.items.map((item) => {
      const text = this.only(item, textKey)
      return { item, text: (text.kind === 'text' && addressOf(text.value, this.addresses)) || this.expression(text) }
    })
    if (items.length === 0 || (items.length === 1 && !this.hasComment(key, value)))
      return [{ indent: 1, text: word, assign: `[${items.map(({ text }) => text).join('')}]`, at: key }]
    return [
      { indent: 1, text: `${word} = [`, at: key },
      ...items.map(({ item, text }) => ({ indent: 2, text: `${text},`, at: item })),
      { indent: 1, text: ']' },
    ]
  }

  private hasComment(key: Span, { source, end }: ListNode): boolean {
    const lineEnd = source.text.indexOf('\n', end)
    const isTall = source.text.slice(key.start, end).includes('\n')
    const to = isTall && lineEnd >= 0 ? lineEnd : end
    return this.comments.some((comment) => comment.source === source && comment.start > key.start && comment.start < Math.max(to, end))
  }

  /** A condition as a block. Its depth is within the limit of conditions. */
  private conditionLines(word: string, node: MapNode, indent: number, place: Span): readonly Line[] {
    const lines: Line[] = []
    const inner: Line[] = []
    for (const { key, value } of node.entries) {
      if (value.kind === 'null') continue
      if (key.value === 'operator') lines.push({ indent: indent + 1, text: 'operator', assign: this.expression(value), at: key })
      else if (key.value === 'values' && value.kind === 'map') {
        if (value.entries.length === 0) lines.push({ indent: indent + 1, text: 'values', assign: '{}', at: key })
        else {
          lines.push({ indent: indent + 1, text: 'values = {', at: key })
          for (const { key: subject, value: text } of value.entries)
            lines.push({ indent: indent + 2, text: this.expression(subject), assign: this.expression(text), at: subject })
          lines.push({ indent: indent + 1, text: '}' })
        }
      } else if (key.value === 'conditions' && value.kind === 'list') {
        for (const each of value.items) {
          if (each.kind === 'map') inner.push(...this.conditionLines('condition', each, indent + 1, each))
          else this.refuse(each, 'HCL has no place for this: a condition is expected')
        }
      } else this.refuse(key, `HCL has no place for \`${visible(shortened(key.value))}\` here`)
    }
    return [{ indent, text: `${word} {`, at: place }, ...lines, ...inner, { indent, text: '}' }]
  }
}

/** The expression for the URN of a described group; undefined for all others. */
function addressOf(urn: string, addresses: ReadonlyMap<string, string>): string | undefined {
  const id = /^urn:v1:[^:]*:(resourceGroup:.*)$/s.exec(urn)?.[1]
  return addresses.get(urn) ?? (id === undefined ? undefined : addresses.get(id))
}

/** The part of documents that HCL can express, with fields in a fixed order, for comparison. `addresses`: see `HclWritten`. */
export function canonicalText(documents: readonly Node[], addresses: ReadonlyMap<string, string>): string {
  const worldEntries = documents.flatMap((document) => worldOf(document)?.entries ?? [])
  const sayings = worldLists.map(([name, kind]) =>
    worldEntries.filter(({ key }) => key.value === name).flatMap(({ value }) => maps(value).map((item) => sayingOf(kind, item, addresses))),
  )
  return JSON.stringify(sayings)
}

/** A record by its fields. What is `null` is as if absent, and a list of no conditions as well: neither is written in HCL. */
function sayingOf(kind: Kind, node: Node, addresses: ReadonlyMap<string, string>): unknown {
  const fieldOf = (map: Node | undefined, key: string) => (map?.kind === 'map' ? field(map, key) : undefined)
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
  const permissions = fieldOf(node, 'permissions')
  return [
    kind,
    text(fieldOf(node, 'name')),
    text(fieldOf(node, 'description')),
    texts(fieldOf(node, 'identities')),
    texts(fieldOf(node, 'resources'), 'urn'),
    ['allow', 'except', 'deny'].map((list) => texts(fieldOf(permissions, list), 'action') ?? null),
    texts(fieldOf(node, 'permissionsGroups'), 'urn'),
    condition(fieldOf(node, 'conditions')),
    text(fieldOf(node, 'expiredAt')),
  ].map((value) => value ?? null)
}

const fields = 'name description identities resources permissions permissionsGroups expiredAt'.split(' ')

/** The fields of a record as they are mostly written, what is none of them at last. */
function inOrder(node: MapNode): readonly Entry[] {
  const rank = ({ key }: Entry) => fields.indexOf(key.value) + 1 || fields.length + 1
  return node.entries.toSorted((a, b) => rank(a) - rank(b))
}

/** A document as a world: policies alone as one that holds nothing else. Undefined: it is nothing of ours. */
export function worldOf(document: Node): MapNode | undefined {
  const kind = kindOf(document)
  if (kind === undefined) return undefined
  if (kind === 'world') return document as MapNode
  return worldOfListing(document, kind === 'listing' ? (listingOf(document) as string) : 'policies')
}

function shownText(text: string): string {
  return visible(shortened(text))
}

function maps(node: Node): readonly MapNode[] {
  return node.kind === 'list' ? node.items.flatMap((item) => (item.kind === 'map' ? [item] : [])) : []
}

/** Each record with a label made of its name, no two of one kind alike. */
function labelled(records: readonly Omit<Described, 'label'>[]): readonly Described[] {
  const taken = new Set<string>()
  return records.map(({ kind, node }) => {
    const [name, urn] = [field(node, 'name'), field(node, 'urn')]
    // A group that a configuration already describes has its label there.
    const resourceName = urn?.kind === 'unknown' && urn.isName ? urn.expression.split('.')[1] : undefined
    const base = resourceName ?? (labelOf(name?.kind === 'text' ? name.value : '') || types[kind])
    let label = base
    for (let i = 2; taken.has(keyOf(kind, label)); i++) label = `${base}_${i}`
    taken.add(keyOf(kind, label))
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
  const rows: { readonly lead: string; readonly assign?: string; readonly comment?: string }[] = []
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

/** The displayed width in characters. */
function width(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : [...graphemes.segment(text)].length
}
