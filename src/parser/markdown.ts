import type { Diagnostic } from '../diagnostic.ts'
import type { Settings } from '../names.ts'
import { lastStart, position, type Source, type Span, sourceOf } from '../source.ts'
import { field, type Node, type TextNode, type UnknownNode, unknownsIn } from '../tree.ts'
import { type IgnoreComment, ignoreComments, ignoreInHtml, ignoresAmong } from './comments.ts'
import { MarkdownBlocks } from './markdown-blocks.ts'
import { kindOf } from './policy.ts'
import { noFacts, type ReadSource } from './read.ts'
import { toPolicies } from './read-open.ts'
import type { Reading } from './reading.ts'
import { treeOf } from './tree.ts'

/**
 * The fenced code blocks of Markdown (CommonMark, section 4.5), also in lists and quotes, with every place in them
 * as a place of the whole text. One pass, with memory for the fences that are of a notation that is read.
 */

/** The notations of blocks in Markdown that are read, by the first word after the fence. */
const notations: ReadonlyMap<string, FenceNotation> = new Map([
  ['json', 'json'],
  ['yaml', 'yaml'],
  ['yml', 'yaml'],
  ['hcl', 'hcl'],
  ['terraform', 'hcl'],
  ['tf', 'hcl'],
  ['opentofu', 'hcl'],
  ['tofu', 'hcl'],
])

export type FenceNotation = 'json' | 'yaml' | 'hcl'

/** A fenced code block. */
export interface Fence {
  readonly notation: FenceNotation
  /** The line that opens it, without its line break. */
  readonly opening: Span
  /** Its lines, without what the lists and quotes around it put before them, each with its line break. */
  readonly lines: readonly { readonly start: number; readonly end: number }[]
  readonly isClosed: boolean
  /** The comment right above it, for what is in it. */
  readonly ignore?: IgnoreComment
}

export interface Fences {
  readonly fences: readonly Fence[]
  /** The comments that are about a fence, those that no fence follows as well. */
  readonly ignores: readonly IgnoreComment[]
}

interface Line {
  readonly number: number
  readonly start: number
  /** Without its line break, and with it. */
  readonly end: number
  readonly next: number
}

interface Open {
  readonly opening: Span
  readonly notation: FenceNotation | undefined
  readonly ignore: IgnoreComment | undefined
  readonly lines: { start: number; end: number }[]
}

/** The fenced code blocks of a text. Linear: libraries take 10 to 100 times as long over lists and quotes made to harm. */
export function fencesIn(source: Source): Fences {
  const finder = new FenceFinder(source)
  for (const line of linesOf(source.text)) finder.read(line)
  return finder.finish()
}

function* linesOf(text: string): Generator<Line> {
  let number = 0
  for (let start = text.startsWith('\ufeff') ? 1 : 0; start < text.length; ) {
    let end = start
    while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end++
    const next = end + (text.startsWith('\r\n', end) ? 2 : end < text.length ? 1 : 0)
    yield { number: ++number, start, end, next }
    start = next
  }
}

class FenceFinder {
  private readonly source: Source
  private readonly fences: Fence[] = []
  private readonly ignores: IgnoreComment[] = []
  private open: Open | undefined
  /** The comment right above, about the next fence. */
  private pending: IgnoreComment | undefined
  private inComment = false
  private number = 0
  private readonly blocks: MarkdownBlocks

  constructor(source: Source) {
    this.source = source
    this.blocks = new MarkdownBlocks(source.text)
  }

  read({ number, start, end, next }: Line): void {
    const line = this.blocks.read(start, end)
    this.number = number
    if (line.kind !== 'body' && line.kind !== 'close') this.close(false, number - 1)
    if (line.kind !== 'comment') this.inComment = false
    switch (line.kind) {
      case 'body':
        if (this.open?.notation) this.open.lines.push({ start: line.at, end: next })
        break
      case 'close':
        this.close(true, number)
        break
      case 'open':
        this.begin(line.at, line.length, number, end)
        break
      case 'comment':
        this.readComment(line.at, end)
        break
      case 'text':
        this.dropPending()
        break
      default:
    }
  }

  finish(): Fences {
    this.close(false, this.number)
    this.dropPending()
    return { fences: this.fences, ignores: this.ignores }
  }

  private readComment(at: number, end: number): void {
    const comment = this.inComment ? undefined : ignoreInHtml(this.source, at, end)
    if (comment) {
      this.dropPending()
      this.pending = comment
    }
    this.inComment = !this.source.text.slice(at, end).includes('-->')
  }

  private begin(start: number, length: number, line: number, end: number): void {
    const { source, pending } = this
    this.pending = undefined
    this.open = {
      opening: { source, start: start, end },
      notation: notationOf(source.text.slice(start + length, end)),
      ignore: pending && { ...pending, line },
      lines: [],
    }
  }

  private close(isClosed: boolean, lastLine: number): void {
    if (!this.open) return
    const { notation, opening, lines, ignore } = this.open
    this.open = undefined
    const ranged = ignore && { ...ignore, lastLine }
    if (ranged) this.ignores.push(ranged)
    if (notation) this.fences.push({ notation, opening, lines, isClosed, ...(ranged && { ignore: ranged }) })
  }

  /** No fence follows the comment. */
  private dropPending(): void {
    if (this.pending) this.ignores.push(this.pending)
    this.pending = undefined
  }
}

/** Of what notation a fence is, by the first word behind its signs: `json`, `json title="p.json"`, `JSON`; undefined: of none that is read. */
export function notationOf(info: string): FenceNotation | undefined {
  const [, word = ''] = /^[ \t]*([a-z0-9]*)/i.exec(info) ?? []
  return notations.get(word.toLowerCase())
}

/** The text in a fence, with the mapping of its places to those of the whole text. */
export interface FenceText {
  readonly text: string
  /** The offset in the whole text. */
  readonly at: (offset: number) => number
  /** The same for where something ends. */
  readonly endAt: (offset: number) => number
}

export function textOfFence({ opening: { source, end: opened }, lines }: Fence): FenceText {
  const starts: number[] = []
  let length = 0
  for (const { start, end } of lines) {
    starts.push(length)
    length += end - start
  }
  const text = lines.map(({ start, end }) => source.text.slice(start, end)).join('')
  const fileOffset = (offset: number): number => {
    const i = lastStart(starts, offset)
    const line = lines[i]
    return line ? line.start + offset - (starts[i] as number) : opened
  }
  return { text, at: fileOffset, endAt: (offset) => (offset === 0 ? fileOffset(0) : fileOffset(offset - 1) + 1) }
}

/** The reading of one fence. */
export interface FenceRead {
  readonly fence: Fence
  /** The text in it. */
  readonly text: string
  readonly read: ReadSource
  /** It leaves things out (`…`, `<account_id>`): what is wrong in it means nothing. */
  readonly isSketch: boolean
  /** It is well-formed, and a policy of which most is missing: only the part under discussion. */
  readonly isFragment: boolean
}

/** Reads a text of HCL by itself; handed in by who knows how. */
export type ReadHcl = (source: Source) => Reading

/** Read the text in a fence, at its places in the whole text. `readHcl`: for fences of HCL. */
export async function readFence(fence: Fence, settings: Settings, readHcl?: ReadHcl): Promise<FenceRead> {
  const { source } = fence.opening
  const mapped = textOfFence(fence)
  const { text } = mapped
  const inner = sourceOf(source.path, text, fence.notation)
  const { comments, ...reading } = await readingOf(inner, readHcl)
  const isSketch = isElided(text, reading)
  const ignores = comments ? ignoresAmong(inner, comments) : fence.notation === 'json' ? [] : ignoreComments(inner, reading.documents)
  const { line: first } = position(source, mapped.at(0))
  const relocate = relocator(source, mapped)
  const documents = reading.documents.map(relocate.node)
  const read = await toPolicies(
    source,
    {
      ...reading,
      documents,
      diagnostics: reading.diagnostics.map(relocate.diagnostic),
      unknowns: unknownsIn(documents),
      comments: [],
    },
    settings,
    fence.notation,
  )
  const isOpen = !fence.isClosed && reading.diagnostics.some(({ severity }) => severity === 'error')
  return {
    fence,
    text,
    isSketch,
    isFragment: reading.documents.length > 0 && reading.diagnostics.length === 0 && reading.documents.every(isFragment),
    read: {
      ...read,
      ...(isOpen && { facts: noFacts, diagnostics: [neverClosed(fence)] }),
      ignores: ignores.map((comment) => ({
        ...comment,
        codes: comment.codes.map(({ value, span }) => ({ value, span: relocate.span(span) })),
        span: relocate.span(comment.span),
        line: comment.line + first - 1,
      })),
    },
  }
}

async function readingOf(source: Source, readHcl: ReadHcl | undefined): Promise<Reading> {
  return source.notation === 'hcl' && readHcl ? readHcl(source) : treeOf(source)
}

/** The report about an unclosed fence, which makes the rest not well-formed. */
function neverClosed({ opening }: Fence): Diagnostic {
  return {
    code: 'syntax',
    severity: 'error',
    message: 'this fence is never closed: all that follows it is taken for code, and is not well-formed',
    span: opening,
    help: 'close it with a line of its own, of as many signs as it is opened with',
  }
}

function relocator(source: Source, { at, endAt }: FenceText) {
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

/** The part of a text outside of fences, which fixes leave as it is. */
export function outsideOfFences(source: Source): string {
  let out = ''
  let done = 0
  for (const { lines } of fencesIn(source).fences) {
    for (const { start, end } of lines) {
      out += `${source.text.slice(done, start)}\0`
      done = end
    }
  }
  return (out + source.text.slice(done)).replace(/\0+/g, '\0')
}
