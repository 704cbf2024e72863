import { readAction } from '../actions/action.ts'
import { readAddress } from '../conditions/address.ts'
import { instantFault, readInstant } from '../conditions/time.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { printableFault, type Read, type Settings, visible } from '../names.ts'
import { nearest } from '../nearest.ts'
import { readOwner } from '../simulate/question.ts'
import { type Source, type Span, sourceOf } from '../source.ts'
import { type Entry, field, type MapNode, type Node, type TextNode } from '../tree.ts'
import { readIdentity, readIdentityGroup } from '../urn/identity.ts'
import { readResource } from '../urn/resource.ts'

/** The columns of a log that calls are made of (docs/warehouse-input.md). */
export const inputColumns = ['id', 'identity', 'action', 'resource', 'at', 'ip', 'groups', 'tags', 'owner', 'method', 'path'] as const
export type InputColumn = (typeof inputColumns)[number]

/** How a column writes its value, the usual way first. Other columns hold text. */
export const formats = {
  at: ['rfc3339', 'epoch_ms', 'epoch_s', 'timestamp'],
  groups: ['lines', 'array'],
} as const
export type InstantFormat = (typeof formats.at)[number]
export type GroupsFormat = (typeof formats.groups)[number]

/** Where a value comes from: a column, by the parts of the name, or a constant in the form that the table of calls has. */
export type Origin =
  | { readonly kind: 'column'; readonly path: readonly string[]; readonly format: InstantFormat | GroupsFormat | undefined }
  | { readonly kind: 'constant'; readonly value: string | number }

export interface Mapping {
  /** The table or view of the log, by the parts of the name. */
  readonly source: readonly string[]
  readonly columns: ReadonlyMap<InputColumn, Origin>
  /** Further columns of the log that the table of calls has as well. */
  readonly keep: readonly (readonly string[])[]
}

export type ReadMapping =
  | { readonly mapping: Mapping; readonly diagnostics?: undefined }
  | { readonly mapping?: undefined; readonly diagnostics: readonly Diagnostic[] }

/** The log where a mapping names none. */
export const usualSource = 'gw_log'

/** The names of the other columns of the table of calls. */
const taken: ReadonlySet<string> = new Set([
  ...['id', 'identity', 'action', 'resource', 'operation', 'required'],
  ...['at_ms', 'ip', 'grps', 'tags', 'owner'],
])

/**
 * Read `identity=user_arn,action=…,at=event_time:epoch_ms`: the value of `--columns`. Problems have their place in the option.
 */
export function readColumns(text: string, settings: Settings): ReadMapping {
  const source = sourceOf('--columns', text, 'json')
  const columns: Entry[] = []
  const whole: Entry[] = []
  const diagnostics: Diagnostic[] = []
  let start = 0
  for (const part of text.split(',')) {
    const equals = part.indexOf('=')
    const end = start + part.length
    const key = textNode(source, part.slice(0, Math.max(equals, 0)), start)
    const span: Span = { source, start, end }
    if (equals < 1 || equals === part.length - 1)
      diagnostics.push(
        problem(span, `\`${part}\` is not \`NAME=COLUMN\``, 'for example `identity=user_arn,action=action,resource=resource`'),
      )
    else if ([...columns, ...whole].some((entry) => entry.key.value === key.value))
      diagnostics.push(problem(key, `\`${key.value}\` is given twice`))
    else if (key.value === 'source') whole.push({ key, value: textNode(source, part.slice(equals + 1), start + equals + 1) })
    else columns.push({ key, value: columnNode(source, key.value, part.slice(equals + 1), start + equals + 1) })
    start = end + 1
  }
  if (diagnostics.length > 0) return { diagnostics }
  const all = { source, start: 0, end: text.length }
  return readMapping(
    { ...all, kind: 'map', entries: [...whole, { key: textNode(source, 'columns', 0), value: mapNode(all, columns) }] },
    settings,
  )
}

const textNode = (source: Source, value: string, start: number): TextNode => ({
  source,
  start,
  end: start + value.length,
  kind: 'text',
  value,
})
const mapNode = (span: Span, entries: readonly Entry[]): MapNode => ({ ...span, kind: 'map', entries })

/** A column, with its format behind a colon where the name has formats. */
function columnNode(source: Source, name: string, text: string, start: number): Node {
  const knownFormats: readonly string[] = formats[name as keyof typeof formats] ?? []
  const colon = text.lastIndexOf(':')
  const column = textNode(source, text, start)
  if (colon < 0 || knownFormats.length === 0) return column
  const entry = (key: string, value: TextNode): Entry => ({ key: { ...value, value: key }, value })
  return mapNode(column, [
    entry('column', textNode(source, text.slice(0, colon), start)),
    entry('format', textNode(source, text.slice(colon + 1), start + colon + 1)),
  ])
}

/** Read a mapping: `source`, `columns` and `keep`. All problems are reported together. */
export function readMapping(node: Node, settings: Settings): ReadMapping {
  const reader = new Reader(settings)
  const mapping = reader.mapping(node)
  return mapping && reader.diagnostics.length === 0 ? { mapping } : { diagnostics: reader.diagnostics }
}

function problem(span: Span, message: string, help?: string): Diagnostic {
  return { code: 'config', severity: 'error', message: visible(message), span, ...(help !== undefined && { help: visible(help) }) }
}

class Reader {
  readonly diagnostics: Diagnostic[] = []
  private readonly settings: Settings

  constructor(settings: Settings) {
    this.settings = settings
  }

  mapping(node: Node): Mapping | undefined {
    if (node.kind !== 'map') return this.refuse(node, 'a mapping is an object with `columns`')
    this.refuseOthers(node, ['source', 'columns', 'keep'])
    const named = field(node, 'source')
    const source = named ? this.name(named, 'a table') : [usualSource]
    const list = field(node, 'columns')
    if (list?.kind !== 'map')
      return this.refuse(
        list ?? node,
        '`columns` is missing, or is not an object',
        'for example `columns: {identity: user_arn, action: action, resource: resource}`',
      )
    this.refuseOthers(list, inputColumns)
    const columns = new Map<InputColumn, Origin>()
    for (const { key, value } of list.entries) {
      const name = inputColumns.find((each) => each === key.value)
      const origin = name && this.origin(name, value)
      if (name && origin) columns.set(name, origin)
    }
    this.refuseGaps(list)
    const keep = field(node, 'keep')
    return source && { source, columns, keep: keep ? this.kept(keep) : [] }
  }

  private refuse(span: Span, message: string, help?: string): undefined {
    this.diagnostics.push(problem(span, message, help))
    return undefined
  }

  private refuseOthers(node: MapNode, names: readonly string[]): void {
    for (const { key } of node.entries) {
      if (names.includes(key.value)) continue
      const meant = nearest(key.value, names)
      this.refuse(
        key,
        `unknown field \`${key.value}\``,
        meant === undefined ? `expected one of ${names.join(', ')}` : `did you mean \`${meant}\`?`,
      )
    }
  }

  /** Refuses a mapping of which no call can be made. */
  private refuseGaps(list: MapNode): void {
    const has = (name: InputColumn) => field(list, name) !== undefined
    if (!has('identity')) this.refuse(list, '`identity` is missing: who asks')
    const pairs = [
      ['action', 'resource'],
      ['method', 'path'],
    ] as const
    for (const [one, other] of pairs) {
      const [specified, missing] = has(one) ? [one, other] : [other, one]
      if (has(specified) && !has(missing)) this.refuse(list, `\`${specified}\` without \`${missing}\``)
    }
    if (!pairs.some(([one, other]) => has(one) || has(other)))
      this.refuse(list, 'neither `action` and `resource` nor `method` and `path`: what is asked')
    const tags = field(list, 'tags')
    if (tags && has('method'))
      this.refuse(tags, '`tags` and `method` cannot be combined: tags are of one resource, and a call may be about several')
  }

  /** The parts of a name, parted by dots, each plain or between quotes: `a.b`, `"a.b"`. */
  private name(node: Node, what: string): readonly string[] | undefined {
    if (node.kind !== 'text') return this.refuse(node, `the name of ${what} is not a text`)
    return (
      nameParts(node.value) ??
      this.refuse(
        node,
        `\`${node.value}\` is not the name of ${what}`,
        'parts of a name are separated by dots; one with a dot is quoted: `"a.b"`',
      )
    )
  }

  private origin(name: InputColumn, node: Node): Origin | undefined {
    const knownFormats: readonly Extract<Origin, { readonly kind: 'column' }>['format'][] = formats[name as keyof typeof formats] ?? []
    if (node.kind !== 'map') {
      const path = this.name(node, 'a column')
      return path && { kind: 'column', path, format: knownFormats[0] }
    }
    this.refuseOthers(node, ['column', 'format', 'value'])
    const [column, format, value] = [field(node, 'column'), field(node, 'format'), field(node, 'value')]
    if (value) {
      if (column || format) return this.refuse(value, '`value` cannot be combined with `column` or `format`')
      if (name === 'id' || name === 'method' || name === 'path')
        return this.refuse(value, `\`${name}\` is a column: it differs from row to row`)
      const constant = this.constant(name, value)
      return constant === undefined ? undefined : { kind: 'constant', value: constant }
    }
    if (!column) return this.refuse(node, 'neither `column` nor `value`')
    const path = this.name(column, 'a column')
    if (!format) return path && { kind: 'column', path, format: knownFormats[0] }
    if (knownFormats.length === 0) return this.refuse(format, `\`${name}\` has no formats: its column holds text`)
    const chosen = knownFormats.find((each) => format.kind === 'text' && each === format.value)
    if (chosen === undefined) {
      const meant = format.kind === 'text' ? nearest(format.value, knownFormats as readonly string[]) : undefined
      return this.refuse(format, `unknown format: expected ${knownFormats.join(', ')}`, meant && `did you mean \`${meant}\`?`)
    }
    return path && { kind: 'column', path, format: chosen }
  }

  private constant(name: InputColumn, node: Node): string | number | undefined {
    if (name === 'groups') {
      if (node.kind !== 'list') return this.refuse(node, 'the constant of `groups` is not a list')
      const groups = node.items.map((item) => this.text('a group', item, (text) => this.named(item, text, readIdentityGroup(text))))
      return groups.filter((group) => group !== undefined).join('\n')
    }
    if (name === 'tags') {
      if (node.kind !== 'map') return this.refuse(node, 'the constant of `tags` is not an object')
      const tags = node.entries.map(({ key, value }) => [key.value, this.text('a tag', value, (text) => text)])
      return JSON.stringify(Object.fromEntries(tags))
    }
    if (name === 'at')
      return this.text('`at`', node, (text) => {
        const instant = readInstant(text)
        if (instant !== undefined) return instant
        const { message, help } = instantFault(text)
        return this.refuse(node, `\`${text}\` ${message}`, help)
      })
    return this.text(`\`${name}\``, node, (text) => {
      if (name === 'identity') return this.named(node, text, readIdentity(text, { pattern: false }))
      if (name === 'action') return this.named(node, text, readAction(text, this.settings.brand))
      if (name === 'resource') return this.named(node, text, readResource(text, { pattern: false }))
      if (name === 'ip') return readAddress(text) ? text : this.refuse(node, `\`${text}\` is not an IP address`)
      const wrong = readOwner(text)
      return wrong ? this.refuse(node, wrong.message, wrong.help) : text
    })
  }

  private text<T>(what: string, node: Node, read: (text: string) => T | undefined): T | undefined {
    return node.kind === 'text' ? read(node.value) : this.refuse(node, `the constant of ${what} is not a text`)
  }

  private named(node: Node, text: string, { faults: [fault] = [] }: Read<unknown>): string | undefined {
    if (!fault) return text
    const { belongsIn: _, ...rest } = fault
    const { message, help } = printableFault(text, rest)
    return this.refuse(node, message, help)
  }

  private kept(node: Node): readonly (readonly string[])[] {
    if (node.kind !== 'list') {
      this.refuse(node, '`keep` is not a list of columns')
      return []
    }
    const seen = new Set<string>()
    return node.items.flatMap((item) => {
      const path = this.name(item, 'a column')
      const name = path?.at(-1)?.toLowerCase()
      if (path === undefined || name === undefined) return []
      if (taken.has(name) || name.startsWith('gw_'))
        this.refuse(item, `\`${name}\` is the name of a column of the table of calls`, 'rename it in a view over the log')
      if (seen.has(name)) this.refuse(item, `\`${name}\` is kept twice`)
      seen.add(name)
      return [path]
    })
  }
}

/** The parts of a name; undefined where it is none. */
export function nameParts(text: string): readonly string[] | undefined {
  const parts: string[] = []
  for (let index = 0; ; index++) {
    const quote = text[index]
    let part = ''
    if (quote === '"' || quote === '`') {
      for (index++; ; index++) {
        if (index >= text.length) return undefined
        if (text[index] === quote && text[++index] !== quote) break
        part += text[index]
      }
    } else {
      const dot = text.indexOf('.', index)
      part = text.slice(index, dot < 0 ? text.length : dot)
      index += part.length
    }
    // No engine has names with line breaks or controls that need not be doubted.
    if (part === '' || /[\p{Cc}\p{Cs}]/u.test(part)) return undefined
    parts.push(part)
    if (index >= text.length) return parts
    if (text[index] !== '.') return undefined
  }
}
