import { compareText } from '../../diagnostic.ts'
import { lineEnd, lineStart, type Range } from '../../source.ts'
import { hclText, quotedText, textLike, yamlText } from '../../texts.ts'
import { hasComments } from '../comments.ts'
import { type Cursor, cursorAt, partAt } from '../cursor.ts'
import type { EditorFile, Shape, Workspace } from '../model.ts'
import type { Part } from '../parts.ts'
import { resourceTypes } from '../shapes.ts'
import type { Completion, CompletionKind, TextEdit } from '../types.ts'
import { methodCandidates, pathCandidates } from './access-rules.ts'
import type { Candidate } from './candidate.ts'
import { actionCandidates, candidatesAt, mostCandidates, ruleCandidates } from './candidates.ts'
import { fieldStub, inSnippet, itemStub, type Layout, layoutOf, neededFields } from './stubs.ts'

/** The completions at an offset of a file, the likeliest first: fields, names, actions and the like, as snippets. */
export function complete(workspace: Workspace, file: EditorFile, offset: number): readonly Completion[] {
  const ignore = ignoredCodes(file, offset)
  if (ignore) return finishedAll(wholeFile, ignore)
  const place = partAt(file, offset)
  if (!place) return []
  const { part, at } = place
  return finishedAll(part, lineDrafts(workspace, part, at) ?? blockHeads(workspace, part, at) ?? atCursor(workspace, file, part, at))
}

function finishedAll(part: Place, drafts: readonly Draft[]): readonly Completion[] {
  return drafts
    .slice(0, 2 * mostCandidates)
    .map((draft) => finished(part, draft))
    .sort((a, b) => compareText(a.sortText, b.sortText))
}

/** Where drafts are put. */
type Place = Pick<Part, 'toFile' | 'prefix'>

/** The place of completions that are also allowed outside of parts. */
const wholeFile: Place = { toFile: (offset) => offset, prefix: '' }

/** A completion in terms of a part. */
interface Draft {
  readonly label: string
  readonly insert: string
  readonly range: Range
  readonly kind: CompletionKind
  readonly detail?: string | undefined
  readonly documentation?: string | undefined
  readonly rank: number
  /** The text that is compared with the typed one; the label if not given. */
  readonly filter?: string
  readonly isOpen?: true | undefined
  readonly extra?: readonly TextEdit[]
}

function finished(part: Place, draft: Draft): Completion {
  const { label, insert, range, kind, detail, documentation, rank, filter = label, isOpen, extra = [] } = draft
  const inFile = ({ start, end }: Range): Range => ({ start: part.toFile(start), end: part.toFile(end) })
  return {
    label,
    insert: part.prefix.trim() === '' ? insert : insert.replaceAll('\n', `\n${part.prefix}`),
    range: inFile(range),
    kind,
    ...(detail && { detail }),
    ...(documentation && { documentation }),
    sortText: `${String(Math.min(rank, 999)).padStart(3, '0')} ${label}`,
    filterText: filter,
    ...(isOpen && { isOpen }),
    ...(extra.length > 0 && { extra: extra.map(({ text, ...at }) => ({ ...inFile(at), text })) }),
  }
}

function atCursor(workspace: Workspace, file: EditorFile, part: Part, offset: number): readonly Draft[] {
  const cursor = cursorAt(part, offset, file, workspace.settings)
  if (!cursor) return []
  if (cursor.at === 'key')
    return [...fieldDrafts(cursor), ...freeKeys(workspace, file, cursor), ...wrapped(workspace, file, cursor), ...whole(cursor)]
  return [...valueDrafts(workspace, file, cursor), ...itemDrafts(cursor), ...wrapped(workspace, file, cursor)]
}

const isFlowAt = ({ container, part }: Cursor) => container?.style === 'flow' && part.notation !== 'hcl'
const layoutAt = (cursor: Cursor): Layout => layoutOf(cursor.part.notation, isFlowAt(cursor))

/** How much further in a column is than the blanks that its line begins with: editors add those blanks to every line. */
function furtherIn({ part: { source, notation } }: Cursor, offset: number): string {
  if (notation !== 'yaml') return ''
  const start = lineStart(source, offset)
  const blanks = (/^[ \t]*/.exec(source.text.slice(start, offset)) as RegExpExecArray)[0].length
  return ' '.repeat(Math.max(0, offset - start - blanks))
}

// Fields.

function fieldDrafts(cursor: Cursor): readonly Draft[] {
  const { shape, container, token, part } = cursor
  // JSON has no fields without braces.
  if (part.notation === 'json' && container?.kind !== 'map') return []
  const taken = new Set(container?.kind === 'map' ? container.entries.flatMap(({ key }) => (key === token ? [] : [key.value])) : [])
  return shape.fields.flatMap((field, i): readonly Draft[] => {
    const { name, about, isGiven, isRequired } = field
    if (isGiven || name === '$schema' || (taken.has(name) && !(field.isBlock && name === 'condition'))) return []
    const place = keyPlace(cursor, name, (layout, indent) => fieldStub(field, layout, indent))
    return [
      {
        label: name,
        ...place,
        kind: 'field',
        detail: isRequired ? 'required' : undefined,
        documentation: about,
        rank: (isRequired ? 0 : 20) + i,
      },
    ]
  })
}

/** Keys that are names themselves: of conditions, tags and rules. */
function freeKeys(workspace: Workspace, file: EditorFile, cursor: Cursor): readonly Draft[] {
  const { shape, container, token } = cursor
  if (shape.keyRole === undefined) return []
  const taken = new Set(container?.kind === 'map' ? container.entries.flatMap(({ key }) => (key === token ? [] : [key.value])) : [])
  const asKey: Cursor = { ...cursor, shape: { ...shape, role: shape.keyRole, choices: [] } }
  return candidatesAt(workspace, file, asKey, typedAt(cursor))
    .filter(({ value }) => !taken.has(value))
    .map((candidate): Draft => {
      const inner = shape.field(candidate.value)
      const value = inner?.choices.length ? `\${1|${inner.choices.join(',')}|}` : '$1'
      const stub = (layout: Layout) => keyStub(candidate.value, value, layout)
      return {
        label: candidate.value,
        ...keyPlace(cursor, candidate.value, stub),
        kind: candidate.kind,
        detail: candidate.detail,
        documentation: candidate.documentation,
        rank: candidate.rank ?? 10,
      }
    })
}

function keyStub(key: string, value: string, layout: Layout): string {
  if (layout === 'json') return `${inSnippet(quotedText(key, true))}: "${value}"`
  if (layout === 'hcl') return `${inSnippet(hclText(key))} = "${value}"`
  return `${inSnippet(yamlText(key, layout === 'yaml'))}: ${value}`
}

/** How a key is put where one types: with its value to come, unless it has one already. */
function keyPlace(
  cursor: Cursor,
  name: string,
  stub: (layout: Layout, indent: string) => string,
): Pick<Draft, 'insert' | 'range' | 'extra' | 'filter'> {
  const { token, container, offset } = cursor
  const layout = layoutAt(cursor)
  const entries = container?.kind === 'map' ? container.entries : []
  const entryOfToken = token && entries.find(({ key }) => key === token)
  const isQuoted = token !== undefined && (token.quote === '"' || token.quote === "'")
  if (entryOfToken && entryOfToken.sign >= 0) {
    // Only the key, since its value is already written.
    const range = token && tokenRange(token, offset)
    return {
      insert: isQuoted || layout !== 'json' ? inSnippet(name) : `"${inSnippet(name)}"`,
      range: range ?? { start: offset, end: offset },
      filter: name,
    }
  }
  const start = token ? token.start : offset
  const indent = furtherIn(cursor, start)
  let insert = stub(layout, indent)
  let range: Range = token ? { start: token.start, end: token.end } : { start: offset, end: offset }
  if (isQuoted && insert.startsWith('"')) {
    insert = insert.slice(1)
    range = { start: token.start + 1, end: token.isClosed ? token.end : offset }
  }
  const { before, after } = isFlowAt(cursor)
    ? commas(
        cursor,
        token?.start ?? offset,
        range.end,
        entries.map(({ key, value }) => ({ start: key.start, end: Math.max(key.end, value.end) })),
        entryOfToken && entries.indexOf(entryOfToken),
      )
    : { before: [], after: '' }
  return { insert: insert + after, range, extra: before, filter: name }
}

/** The commas that are missing around something in brackets. */
function commas(
  { part }: Cursor,
  start: number,
  end: number,
  siblings: readonly Range[],
  ownIndex: number | undefined,
): { readonly before: readonly TextEdit[]; readonly after: string } {
  const { text } = part.source
  const others = siblings.filter((_, i) => i !== ownIndex)
  const previous = others.findLast((each) => each.end <= start)
  const next = others.find((each) => each.start >= end)
  const lacks = (from: number, to: number) => !text.slice(from, to).includes(',')
  return {
    before: previous && lacks(previous.end, start) ? [{ start: previous.end, end: previous.end, text: ',' }] : [],
    after: next && lacks(end, next.start) ? ',' : '',
  }
}

/** The replaced range of a string: of one that is not closed, only up to the cursor. */
function tokenRange(token: NonNullable<Cursor['token']>, offset: number): Range {
  if (token.quote !== '"' && token.quote !== "'") return { start: token.start, end: Math.max(token.end, offset) }
  return { start: token.start + 1, end: token.isClosed ? token.end - 1 : offset }
}

// Values.

/** The part of the token in front of the cursor. */
function typedAt({ token, offset, part }: Cursor): string {
  if (!token) return ''
  const { start } = tokenRange(token, offset)
  return part.source.text.slice(start, offset)
}

function valueDrafts(workspace: Workspace, file: EditorFile, cursor: Cursor): readonly Draft[] {
  const { shape, token } = cursor
  if (shape.holds === 'list' && shape.choices.length === 0) return listDrafts(workspace, file, cursor)
  if (shape.holds === 'flag') return ['true', 'false'].map((value, rank) => valueDraft(cursor, { value, kind: 'keyword', rank }, true))
  if (shape.holds === 'map') return []
  const typed = typedAt(cursor)
  const candidates = candidatesAt(workspace, file, cursor, lastOfList(cursor, typed))
  const listed = new Set(
    cursor.at === 'item' && cursor.container?.kind === 'list'
      ? cursor.container.items.flatMap((item) => (item.kind === 'text' && item !== token ? [item.value] : []))
      : [],
  )
  return candidates.filter(({ value }) => !listed.has(value) && value !== token?.value).map((candidate) => valueDraft(cursor, candidate))
}

/** The part after the last comma in the value of an `IN`, which has several values in one string. */
function lastOfList({ shape, entry }: Cursor, typed: string): string {
  return shape.role === 'conditionValue' && entry?.key.value.toUpperCase().endsWith('.IN')
    ? typed.slice(typed.lastIndexOf(',') + 1).trimStart()
    : typed
}

function valueDraft(cursor: Cursor, candidate: Candidate, isBare = false): Draft {
  const { token, offset } = cursor
  const { value, kind, detail, documentation, rank = 10, isOpen } = candidate
  const layout = layoutAt(cursor)
  const common = { label: value, kind, detail, documentation, rank, filter: value, isOpen }
  const typed = typedAt(cursor)
  const lastItem = lastOfList(cursor, typed)
  const before = token ? typed.slice(0, typed.length - lastItem.length) : ''
  const { insert, range } = isOpen
    ? unfinished(written(cursor, `${value}x`, layout, before.length, false))
    : written(cursor, value, layout, before.length, isBare || (cursor.shape.role === 'ruleLevel' && layout === 'yaml'))
  const { before: extra, after } = surroundings(cursor, range)
  const dash = isOwnItem(cursor) ? '- ' : ''
  return { ...common, insert: needsBlank(cursor, range, offset) + dash + insert + after, range, extra }
}

/** An unfinished string: the cursor is put inside its quotes, in place of the `x` that decided which quotes it needs. */
function unfinished({ insert, range }: { readonly insert: string; readonly range: Range }): {
  readonly insert: string
  readonly range: Range
} {
  const markIndex = insert.lastIndexOf('x')
  return { insert: `${insert.slice(0, markIndex)}$0${insert.slice(markIndex + 1)}`, range }
}

/** A value in the quotes it has, or those that it needs. `kept`: how much of what was typed stays. */
function written(
  cursor: Cursor,
  value: string,
  layout: Layout,
  keptLength: number,
  isBare: boolean,
): { readonly insert: string; readonly range: Range } {
  const { token, offset, part } = cursor
  const { source } = part
  if (isBare) return { insert: value, range: token ? tokenRange(token, offset) : { start: offset, end: offset } }
  const isQuoted = token && (token.quote === '"' || token.quote === "'")
  const full =
    layout === 'hcl'
      ? hclText(value)
      : layout === 'json'
        ? quotedText(value, true)
        : isQuoted
          ? textLike(token.quote, value, layout === 'yaml')
          : yamlText(value, layout === 'yaml')
  if (!token) return { insert: inSnippet(full), range: { start: offset, end: offset } }
  const { start, end } = tokenRange(token, offset)
  if (!isQuoted) return { insert: inSnippet(full), range: { start: start + keptLength, end: Math.min(end, lineEnd(source, offset)) } }
  const inner = full.slice(1, -1)
  return { insert: inSnippet(inner) + (token.isClosed ? '' : token.quote), range: { start: start + keptLength, end } }
}

/** Behind a colon or an equals sign a blank is missing. */
function needsBlank({ at, token, entry, part }: Cursor, { start }: Range, offset: number): string {
  if (at !== 'value' || token || !entry || start !== offset) return ''
  return /[:=]/.test(part.source.text[offset - 1] ?? '') ? ' ' : ''
}

/** Commas around a value or an item in brackets. */
function surroundings(cursor: Cursor, range: Range): { readonly before: readonly TextEdit[]; readonly after: string } {
  const { container, token, entry, at } = cursor
  if (container?.style !== 'flow') return { before: [], after: '' }
  if (container.kind === 'list') {
    const ownIndex = token ? container.items.indexOf(token) : undefined
    return commas(cursor, token?.start ?? range.start, token?.end ?? range.end, container.items, ownIndex)
  }
  if (cursor.part.notation === 'hcl' || at !== 'value') return { before: [], after: '' }
  const ownIndex = entry ? container.entries.indexOf(entry) : -1
  const siblings = container.entries.map(({ key, value }) => ({ start: key.start, end: Math.max(key.end, value.end) }))
  return { before: [], after: commas(cursor, range.start, token?.end ?? range.end, siblings, ownIndex < 0 ? undefined : ownIndex).after }
}

/** Whether an item of a dashed list is written on a line that has no dash yet. */
function isOwnItem({ at, container, isOwnLine, token }: Cursor): boolean {
  return at === 'item' && isOwnLine && token === undefined && container?.kind === 'list' && container.style === 'block'
}

/** A list that is not begun, where a value is expected: its first item, or the brackets. */
function listDrafts(workspace: Workspace, file: EditorFile, cursor: Cursor): readonly Draft[] {
  const { shape, token, part, offset, isOwnLine } = cursor
  const item = shape.item(0)
  const layout = layoutAt(cursor)
  if (!item) return []
  // A field that also takes one text, and a half-written item.
  if (token || (layout === 'yaml' && !isOwnLine)) {
    const isText = cursor.shape.role !== undefined && item.holds === 'text'
    return isText ? valueDrafts(workspace, file, { ...cursor, shape: item }) : []
  }
  if (layout === 'yaml') {
    const list: Cursor = { ...cursor, shape: item, at: 'item', container: undefined }
    const inner = item.holds === 'map' ? [] : valueDrafts(workspace, file, list)
    return [...inner.map((draft): Draft => ({ ...draft, insert: `- ${draft.insert.trimStart()}` })), ...dashed(cursor, item)]
  }
  const { before, after } = surroundings(cursor, { start: offset, end: offset })
  const stub = `${needsBlank(cursor, { start: offset, end: offset }, offset)}[${part.notation === 'hcl' ? '"$1"' : item.holds === 'map' ? itemStub(item, layout, '') : '"$1"'}]${after}`
  return [
    {
      label: '[…]',
      insert: stub,
      range: { start: offset, end: offset },
      kind: 'snippet',
      detail: 'a list',
      rank: 0,
      filter: '[',
      extra: before,
    },
  ]
}

/** An item of a list of maps, with its dash. */
function dashed(cursor: Cursor, item: Shape): readonly Draft[] {
  if (item.holds !== 'map') return []
  const { offset } = cursor
  const stub = itemStub(item, 'yaml', '')
  const [first] = neededFields(item)
  return [
    {
      label: `- ${first?.name ?? ''}`,
      insert: `- ${stub}`,
      range: { start: offset, end: offset },
      kind: 'snippet',
      detail: 'a new item',
      rank: 0,
      filter: '-',
    },
  ]
}

// Items that are objects.

/** An object as an item of a list, with the fields that it needs. */
function itemDrafts(cursor: Cursor): readonly Draft[] {
  const { shape, at, token, offset } = cursor
  if (at !== 'item' || shape.holds !== 'map' || token) return []
  if (isOwnItem(cursor)) return dashed(cursor, shape)
  const layout = layoutAt(cursor)
  if (layout === 'yaml') return []
  const { before, after } = surroundings(cursor, { start: offset, end: offset })
  const insert = itemStub(shape, layout, furtherIn(cursor, offset)) + after
  return [
    {
      label: `{ ${neededFields(shape)
        .map(({ name }) => name)
        .join(', ')} }`,
      insert,
      range: { start: offset, end: offset },
      kind: 'snippet',
      detail: 'a new item',
      rank: 0,
      filter: '{',
      extra: before,
    },
  ]
}

/** Values of the only field of an object, inserted with the object around them. */
function wrapped(workspace: Workspace, file: EditorFile, cursor: Cursor): readonly Draft[] {
  const { shape, container, token, offset, at } = cursor
  const fields = shape.fields.filter(({ isGiven }) => !isGiven)
  const [only] = fields
  if (!only || fields.length > 1 || only.shape.holds !== 'text' || shape.holds !== 'map') return []
  const isItem = container === undefined || container.kind === 'list'
  if (!isItem || (at === 'key' && token && token.quote !== '')) return []
  const layout = layoutAt(cursor)
  const typed = token ? cursor.part.source.text.slice(token.quote === '' ? token.start : token.start + 1, offset) : ''
  const range: Range = token
    ? { start: token.start, end: token.quote === '' || token.isClosed ? token.end : offset }
    : { start: offset, end: offset }
  const { before, after } = surroundings(cursor, range)
  const quote = token && token.quote !== '' ? token.quote : ''
  const candidates = candidatesAt(workspace, file, { ...cursor, shape: only.shape }, typed).filter(({ isOpen }) => !isOpen)
  return candidates.map(({ value, kind, detail, documentation, rank = 10 }): Draft => {
    const inside =
      layout === 'json'
        ? `{ "${only.name}": ${quotedText(value, true)} }`
        : layout === 'flow'
          ? `{ ${only.name}: ${yamlText(value, false)} }`
          : `${only.name}: ${yamlText(value, true)}`
    const dash = isOwnItem(cursor) ? '- ' : ''
    return {
      label: value,
      insert: dash + inSnippet(inside) + after,
      range,
      kind,
      detail,
      documentation,
      rank: rank + 30,
      filter: quote + value,
      extra: before,
    }
  })
}

/** A whole policy, where nothing is written yet. */
function whole(cursor: Cursor): readonly Draft[] {
  const { shape, container, offset, part, token } = cursor
  const isEmpty = container?.kind !== 'map' || container.entries.every(({ key }) => key === token)
  const names = ['name', 'identities', 'resources', 'permissions']
  const fields = shape.fields.filter(({ name }) => names.includes(name))
  if (!isEmpty || fields.length < names.length || token || part.notation === 'hcl') return []
  const layout = layoutAt(cursor)
  if (layout === 'flow') return []
  const policy: Shape = { ...shape, fields: fields.map((field) => ({ ...field, isRequired: true })) }
  const text = itemStub(policy, layout, furtherIn(cursor, offset))
  const isInBraces = layout === 'json' && container !== undefined
  // Where its fields are begins a line already, they are no further in than that.
  const isFlat = layout === 'yaml' || (isInBraces && cursor.isOwnLine)
  const body = isFlat ? text.replace(/\n {2}/g, '\n') : text
  const insert = isInBraces ? body.slice(1, -1).trim() : body
  return [{ label: 'policy', insert, range: { start: offset, end: offset }, kind: 'snippet', detail: 'a whole policy', rank: 0 }]
}

// Lists with something on each line.

/** The completions on a line of a list of actions, or of access rules. */
function lineDrafts(
  { catalogue, settings, operations }: Workspace,
  { source, notation }: Part,
  offset: number,
): readonly Draft[] | undefined {
  if (notation !== 'actions' && notation !== 'rules') return undefined
  const before = source.text.slice(lineStart(source, offset), offset).trimStart()
  if (before.includes('#')) return []
  const behind = /^[^ \t\r\n#]*/.exec(source.text.slice(offset, lineEnd(source, offset)))?.[0].length ?? 0
  const draft = (word: string, { value, rank = 10, ...rest }: Candidate, after = ''): Draft => ({
    ...rest,
    label: value,
    insert: inSnippet(value) + after,
    range: { start: offset - word.length, end: offset + behind },
    rank,
    filter: value,
  })
  if (notation === 'actions') return actionCandidates(catalogue, before, settings.brand).map((each) => draft(before, each))
  const [method = '', ...paths] = before.split(/[ \t]+/)
  const [path] = paths
  if (path === undefined) return methodCandidates(operations()).map((each) => draft(method, each, behind === 0 ? ' ' : ''))
  return paths.length > 1 ? [] : pathCandidates(operations(), method.toUpperCase(), path).map((each) => draft(path, each))
}

// Configurations of Terraform.

/** The heads of resources, where a block begins. */
function blockHeads(workspace: Workspace, part: Part, offset: number): readonly Draft[] | undefined {
  if (part.notation !== 'hcl') return undefined
  const { source, documents } = part
  const start = lineStart(source, offset)
  const before = source.text.slice(start, offset)
  const [root] = documents
  const isInside =
    root?.kind === 'map' &&
    root.entries.some(({ value }) => value.start < offset && (offset < value.end || (value.kind === 'map' && !value.isClosed)))
  if (isInside || (!/^[ \t]*[a-z]*$/.test(before) && !/^[ \t]*resource[ \t]+"[^"]*$/.test(before))) return undefined
  const word = before.trimStart()
  const range = { start: offset - word.length, end: offset }
  return resourceTypes(workspace.settings).map((type, rank): Draft => {
    const attributes = type.endsWith('_policy')
      ? '  name       = "$2"\n  identities = ["$3"]\n  resources  = ["$4"]\n  allow      = ["$5"]'
      : type.endsWith('_permissions_group')
        ? '  name  = "$2"\n  allow = ["$3"]'
        : '  name      = "$2"\n  resources = ["$3"]'
    const head = `resource "${type}"`
    return { label: head, insert: `${head} "$1" {\n${attributes}\n}`, range, kind: 'snippet', detail: 'a new resource', rank, filter: head }
  })
}

// Comments.

/** The codes of rules in a comment that suppresses findings: in Markdown also in one that is in no fence. */
function ignoredCodes({ source }: EditorFile, offset: number): readonly Draft[] | undefined {
  if (!hasComments(source)) return undefined
  const line = source.text.slice(lineStart(source, offset), offset)
  const word = /(?:#|\/\/|<!--).*\bgrantwise-ignore[ \t]+(?:[\w-]+[ \t]*,[ \t]*)*([\w-]*)$/.exec(line)?.[1]
  if (word === undefined) return undefined
  const isEnd = /^[ \t]*(?:-->.*)?$/.test(source.text.slice(offset, lineEnd(source, offset)))
  return ruleCandidates(false).map(
    ({ value, detail, documentation }, rank): Draft => ({
      label: value,
      insert: isEnd ? `${value}: \${1:reason}` : value,
      range: { start: offset - word.length, end: offset },
      kind: 'rule',
      detail,
      documentation,
      rank,
    }),
  )
}
