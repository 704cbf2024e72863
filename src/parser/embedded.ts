import type { Diagnostic } from '../diagnostic.ts'
import type { Settings } from '../names.ts'
import { escapeOffsets, type Notation, position, type Source, type Span, sourceOf } from '../source.ts'
import { type Entry, field, type Node, type TextNode, type UnknownNode, unknownsIn } from '../tree.ts'
import { ignoreComments, ignoresAmong } from './comments.ts'
import { kindOf } from './policy.ts'
import type { ReadPolicies } from './read.ts'
import { toPolicies } from './read-open.ts'
import type { Reading } from './reading.ts'
import { treeOf } from './tree.ts'

/** Policies within a text of another kind: a document, a script. Every place in them is a place of the whole text. */

/** The text of a part, with the mapping of its places to those of the whole text. */
export interface PlacedText {
  readonly text: string
  /** The offset in the whole text. */
  readonly at: (offset: number) => number
  /** The same for where something ends. */
  readonly endAt: (offset: number) => number
  /** The signs in it for what another program puts in place; absent where there are none. */
  readonly holes?: HoleSigns
}

/** Signs in place of what is not known. */
export interface HoleSigns {
  /** Part of a string. */
  readonly inString: string
  /** The whole string is replaced by a value of any kind, which is written without quotes. */
  readonly value: string
  /** Where the values belong: the same expression elsewhere may have another value. */
  readonly scope: string
}

/** The reading of a part. */
export interface EmbeddedRead {
  /** The text of the part. */
  readonly text: string
  /** Its policies, which are read on request: this takes most of the time. */
  readonly read: () => Promise<ReadPolicies>
  readonly documents: readonly Node[]
  /** It is not well-formed. */
  readonly hasErrors: boolean
  /** It leaves things out (`…`, `<account_id>`): what is wrong in it means nothing. */
  readonly isSketch: boolean
  /** It is well-formed, and a policy of which most is missing: only the part under discussion. */
  readonly isFragment: boolean
}

/** Reads a text of HCL by itself; handed in by who knows how. */
export type ReadHcl = (source: Source) => Reading

/** Parse a part of a text, at its places in the whole text. `readHcl`: for HCL. */
export async function readEmbedded(
  source: Source,
  placed: PlacedText,
  notation: Notation,
  settings: Settings,
  readHcl?: ReadHcl,
): Promise<EmbeddedRead> {
  const { text, holes } = placed
  const inner = sourceOf(source.path, text, notation)
  const { comments, ...read } = await readingOf(inner, readHcl)
  const relocate = relocator(source, placed)
  const open = holes ? read.documents.map((each) => withHoles(each, holes, source, placed)) : read.documents
  // A name of a field that is not known makes it unknown what the fields are.
  const reading = open.every((each) => each !== undefined) ? { ...read, documents: open } : { ...read, documents: [] }
  const isSketch = isElided(text, read)
  const ignores = comments ? ignoresAmong(inner, comments) : notation === 'json' ? [] : ignoreComments(inner, read.documents)
  const { line: first } = position(source, placed.at(0))
  const documents = reading.documents.map(relocate.node)
  const policies = async (): Promise<ReadPolicies> => ({
    ...(await toPolicies(
      source,
      {
        ...reading,
        documents,
        diagnostics: reading.diagnostics.map(relocate.diagnostic),
        unknowns: unknownsIn(documents),
        comments: [],
      },
      settings,
      notation,
    )),
    ignores: ignores.map((comment) => ({
      ...comment,
      codes: comment.codes.map(({ value, span }) => ({ value, span: relocate.span(span) })),
      span: relocate.span(comment.span),
      line: comment.line + first - 1,
    })),
  })
  return {
    text,
    documents,
    hasErrors: read.diagnostics.some(({ severity }) => severity === 'error'),
    isSketch,
    isFragment: documents.length > 0 && read.diagnostics.length === 0 && documents.every(isFragment),
    read: policies,
  }
}

async function readingOf(source: Source, readHcl: ReadHcl | undefined): Promise<Reading> {
  return source.notation === 'hcl' && readHcl ? readHcl(source) : treeOf(source)
}

/** A document with unknown values in place of the signs; undefined where a name of a field has one. Its depth is bounded by the reader. */
function withHoles(node: Node, signs: HoleSigns, source: Source, placed: PlacedText): Node | undefined {
  if (node.kind === 'text') return holding(node, signs, source, placed)
  if (node.kind === 'list') {
    const items = node.items.map((item) => {
      const open = withHoles(item, signs, source, placed)
      // A value without quotes in a list may be several.
      return open?.kind === 'unknown' && item.kind === 'text' && item.value === signs.value ? { ...open, isSpread: true as const } : open
    })
    return items.every((item) => item !== undefined) ? { ...node, items } : undefined
  }
  if (node.kind !== 'map') return node
  const entries: Entry[] = []
  for (const { key, value } of node.entries) {
    const open = withHoles(value, signs, source, placed)
    if (!open || key.value.includes(signs.inString) || key.value === signs.value) return undefined
    entries.push({ key: withOffsets(key, placed), value: open })
  }
  return { ...node, entries }
}

/** A string, or the unknown value that it is where it has a sign. */
function holding(node: TextNode, { inString, value: whole, scope }: HoleSigns, source: Source, placed: PlacedText): Node {
  const { value, source: inner, start, end } = node
  const written = (at: number) => source.text.slice(placed.at(at), placed.endAt(at + 1))
  if (value === whole) {
    const sign = inner.text.indexOf(whole, start)
    return { kind: 'unknown', expression: written(sign), scope, pieces: ['', ''], source: inner, start, end }
  }
  if (!value.includes(inString)) return withOffsets(node, placed)
  const offsets = escapeOffsets(inner.text.slice(start, end), value)?.map((each) => start + each)
  const holes: Span[] = []
  for (let index = inner.text.indexOf(inString, start); index >= 0 && index < end; index = inner.text.indexOf(inString, index + 1))
    holes.push({ source: inner, start: index, end: index + 1 })
  const expression = value.split(inString).reduce((all, piece, i) => `${all}${written((holes[i - 1] as Span).start)}${piece}`)
  return {
    kind: 'unknown',
    expression,
    scope,
    pieces: value.split(inString),
    source: inner,
    start,
    end,
    offsets: Array.from({ length: value.length }, (_, i) => offsets?.[i] ?? start).filter((_, i) => value[i] !== inString),
    holes,
  }
}

/** A string with the place of each of its characters, where they are not next to one another in the whole text. */
function withOffsets(node: TextNode, { at, endAt }: PlacedText): TextNode {
  const { source, start, end, value } = node
  if (end === start || endAt(end) - at(start) === end - start) return node
  const offsets = escapeOffsets(source.text.slice(start, end), value)
  return offsets ? { ...node, offsets: offsets.map((each) => start + each) } : node
}

function relocator(source: Source, { at, endAt }: PlacedText) {
  const span = ({ start, end, offsets }: Span): Span => ({
    source,
    start: at(start),
    end: Math.max(at(start), endAt(end)),
    ...(offsets && { offsets: offsets.map(at) }),
  })
  const text = (node: TextNode): TextNode => ({ ...node, ...span(node) })
  const unknown = (node: UnknownNode): UnknownNode => ({ ...node, ...span(node), ...(node.holes && { holes: node.holes.map(span) }) })
  // Readers bound how deep a tree is.
  const node = (tree: Node): Node => {
    if (tree.kind === 'list') return { ...tree, ...span(tree), items: tree.items.map(node) }
    if (tree.kind === 'map')
      return {
        ...tree,
        ...span(tree),
        entries: tree.entries.map(({ key, value }) => ({ key: text(key), value: node(value) })),
        ...(tree.perhaps && { perhaps: tree.perhaps.map(unknown) }),
      }
    return tree.kind === 'unknown' ? unknown(tree) : { ...tree, ...span(tree) }
  }
  const diagnostic = (problem: Diagnostic): Diagnostic => ({
    ...problem,
    span: span(problem.span),
    ...(problem.related && { related: problem.related.map((each) => ({ ...each, span: span(each.span) })) }),
    ...(problem.fix && { fix: { ...problem.fix, edits: problem.fix.edits.map((edit) => ({ ...edit, span: span(edit.span) })) } }),
  })
  return { span, node, diagnostic }
}

const mainFields: readonly (readonly string[])[] = [['name'], ['identities'], ['resources'], ['permissions', 'permissionsGroups']]

function isFragment(document: Node): boolean {
  if (kindOf(document) !== 'policy' || document.kind !== 'map') return false
  return mainFields.filter((names) => names.some((name) => field(document, name))).length < 3
}

const elisions = ['…', '...']

/** Whether a text shows what goes where and is none to be used: with `…` or `...` for what is left out, or names in `<…>`. */
function isElided(text: string, { documents, diagnostics }: Reading): boolean {
  const leavesOut = elisions.some((sign) => text.includes(sign))
  if (!leavesOut && !text.includes('<')) return false
  if (leavesOut && diagnostics.some(({ severity }) => severity === 'error')) return true
  if (leavesOut && text.split('\n').some(isElidedLine)) return true
  const waiting: Node[] = [...documents]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.kind === 'list') for (const item of next.items) waiting.push(item)
    else if (next.kind === 'map') {
      for (const { key, value } of next.entries) {
        if (elisions.includes(key.value)) return true
        if (key.value !== 'name' && key.value !== 'description') waiting.push(value)
      }
    } else if (next.kind === 'text' && isElidedText(next.value)) return true
  }
  return false
}

function isElidedText(value: string): boolean {
  return elisions.some((sign) => value.includes(sign)) || /<[- .]{0,8}[A-Za-z][^<>]{0,60}>/.test(value)
}

/** Whether a line is a placeholder for others: nothing but the sign, or a comment of it. */
function isElidedLine(line: string): boolean {
  if (line.length > 100) return false
  const bare = line.trim()
  const words = bare.startsWith('//') ? bare.slice(2).trim() : bare.startsWith('#') ? bare.slice(1).trim() : bare
  return elisions.includes(words.endsWith(',') ? words.slice(0, -1) : words)
}
