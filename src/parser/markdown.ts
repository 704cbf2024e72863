import type { Diagnostic } from '../diagnostic.ts'
import type { Settings } from '../names.ts'
import { position, type Source, type Span, sourceOf } from '../source.ts'
import { field, type Node, type TextNode, unknownsIn } from '../tree.ts'
import { type IgnoreComment, ignoreComments, ignoreInHtml, ignoresAmong } from './comments.ts'
import { kindOf } from './policy.ts'
import { noFacts, type ReadSource, understood } from './read.ts'
import type { Reading } from './reading.ts'
import { readTree } from './tree.ts'

/**
 * The fenced code blocks of Markdown (CommonMark, section 4.5), also in lists and quotes, with every place in them told as
 * a place of the whole text. One pass, with memory for the fences that are of a notation that is read.
 */

/** What is read of the blocks in Markdown, by the first word after the fence. */
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

/** Where a line of Markdown has its own text, behind the marks of lists and quotes. */
interface Behind {
  readonly at: number
  /** How many marks of quotes. */
  readonly quotes: number
  /** How wide it is indented, from the last mark on; in columns. */
  readonly indent: number
  /** Where it begins, from the last mark of a quote on; in columns. */
  readonly column: number
  readonly hasMarker: boolean
}

interface Open {
  readonly sign: string
  readonly length: number
  readonly quotes: number
  readonly column: number
  /** Opened on the line of a list's mark: what is indented less ends the list, and the fence. */
  readonly isItem: boolean
  readonly opening: Span
  readonly notation: FenceNotation | undefined
  readonly ignore: IgnoreComment | undefined
  readonly lines: { start: number; end: number }[]
}

/** Find the fenced code blocks of a text. Linear. */
export function fencesIn(source: Source): Fences {
  const { text } = source
  const fences: Fence[] = []
  const ignores: IgnoreComment[] = []
  let open: Open | undefined
  let inComment = false
  let inList = false
  let wasBlank = true
  let pending: IgnoreComment | undefined
  const close = (isClosed: boolean, line: number) => {
    if (!open) return
    const { notation, opening, lines, ignore } = open
    open = undefined
    const ranged = ignore && { ...ignore, lastLine: line }
    if (ranged) ignores.push(ranged)
    if (notation) fences.push({ notation, opening, lines, isClosed, ...(ranged && { ignore: ranged }) })
  }
  const unused = () => {
    if (pending) ignores.push(pending)
    pending = undefined
  }
  let number = 0
  for (let start = text.startsWith('\ufeff') ? 1 : 0; start < text.length; ) {
    number++
    const end = lineEnd(text, start)
    const next = end + (text.startsWith('\r\n', end) ? 2 : end < text.length ? 1 : 0)
    if (open) {
      const at = bodyStart(text, start, end, open)
      if (at !== undefined) {
        if (closes(text, at, end, open)) close(true, number)
        else if (open.notation) open.lines.push({ start: at, end: next })
        start = next
        continue
      }
      close(false, number - 1)
    }
    const here = behind(text, start, end)
    const isBlank = here.at === end
    if (here.hasMarker) inList = true
    else if (!isBlank && here.column === 0 && wasBlank) inList = false
    wasBlank = isBlank
    if (inComment) inComment = !text.slice(here.at, end).includes('-->')
    else if (text.startsWith('<!--', here.at)) {
      const comment = ignoreInHtml(source, here.at, end)
      if (comment) unused()
      pending = comment ?? pending
      inComment = !text.slice(here.at, end).includes('-->')
    } else if (!isBlank) {
      const length = here.indent <= 3 || inList ? fenceLength(text, here.at, end) : 0
      if (length > 0) {
        const info = infoOf(text.slice(here.at + length, end))
        open = {
          sign: text[here.at] as string,
          length,
          quotes: here.quotes,
          column: here.column,
          isItem: here.hasMarker,
          opening: { source, start: here.at, end },
          notation: notations.get(info),
          ignore: pending && { ...pending, line: number },
          lines: [],
        }
        pending = undefined
      } else unused()
    }
    start = next
  }
  close(false, number)
  unused()
  return { fences, ignores }
}

function lineEnd(text: string, start: number): number {
  let i = start
  for (; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === 10 || unit === 13) break
  }
  return i
}

/** The first word after a fence, as people write it: `json`, `json title="p.json"`, `JSON`. */
function infoOf(rest: string): string {
  let i = 0
  while (rest[i] === ' ' || rest[i] === '\t') i++
  let end = i
  while (end < rest.length && isWord(rest.charCodeAt(end))) end++
  return rest.slice(i, end).toLowerCase()
}

function isWord(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122)
}

/** Step over what lists and quotes put before the text of a line. */
function behind(text: string, start: number, end: number): Behind {
  let at = start
  let quotes = 0
  let column = 0
  let indent = 0
  let hasMarker = false
  for (;;) {
    while (at < end && (text[at] === ' ' || text[at] === '\t')) {
      const width = text[at] === '\t' ? 4 - (column % 4) : 1
      column += width
      indent += width
      at++
    }
    if (text[at] === '>' && at < end) {
      quotes++
      at++
      // The blank behind the mark belongs to it.
      if (text[at] === ' ' && at < end) at++
      column = 0
      indent = 0
      continue
    }
    const length = at < end ? markerLength(text, at, end) : 0
    if (length === 0) return { at, quotes, indent, column, hasMarker }
    hasMarker = true
    at += length
    column += length
    indent = 0
  }
}

/** How long the mark of a list item is that stands there: `-`, `+`, `*`, `1.` or `1)`, and a blank. */
function markerLength(text: string, at: number, end: number): number {
  let i = at
  if ('-+*'.includes(text[i] as string)) i++
  else {
    while (i < end && i - at < 9 && text.charCodeAt(i) >= 48 && text.charCodeAt(i) <= 57) i++
    if (i === at || (text[i] !== '.' && text[i] !== ')')) return 0
    i++
  }
  return i < end && (text[i] === ' ' || text[i] === '\t') ? i - at : 0
}

/** How many signs open a fence there; 0 where none is opened. */
function fenceLength(text: string, at: number, end: number): number {
  const sign = text[at]
  if (sign !== '`' && sign !== '~') return 0
  let i = at
  while (i < end && text[i] === sign) i++
  if (i - at < 3) return 0
  // With a sign behind it, it is code within a line.
  return sign === '`' && text.slice(i, end).includes('`') ? 0 : i - at
}

/** Where a line of an open fence has its text; undefined where the line is no longer in what the fence stands in. */
function bodyStart(text: string, start: number, end: number, { quotes, column, isItem }: Open): number | undefined {
  let at = start
  for (let i = 0; i < quotes; i++) {
    let blanks = 0
    while (at < end && text[at] === ' ' && blanks < 3) {
      at++
      blanks++
    }
    if (text[at] !== '>' || at >= end) return undefined
    at++
    if (text[at] === ' ' && at < end) at++
  }
  let width = 0
  while (at < end && width < column && (text[at] === ' ' || text[at] === '\t')) {
    width += text[at] === '\t' ? 4 - (width % 4) : 1
    at++
  }
  return isItem && width < column && at < end ? undefined : at
}

function closes(text: string, start: number, end: number, { sign, length }: Open): boolean {
  let at = start
  while (at < end && text[at] === ' ' && at - start < 3) at++
  const from = at
  while (at < end && text[at] === sign) at++
  if (at - from < length) return false
  while (at < end && (text[at] === ' ' || text[at] === '\t')) at++
  return at === end
}

/** What stands in a fence, and how its places are places of the whole text. */
export interface FenceText {
  readonly text: string
  /** Where an offset of it stands. */
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
  const at = (offset: number): number => {
    let low = 0
    let high = lines.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] as number) <= offset) low = middle
      else high = middle - 1
    }
    const line = lines[low]
    return line ? line.start + offset - (starts[low] as number) : opened
  }
  return { text, at, endAt: (offset) => (offset === 0 ? at(0) : at(offset - 1) + 1) }
}

/** What came of one fence. */
export interface FenceRead {
  readonly fence: Fence
  /** What stands in it. */
  readonly text: string
  readonly read: ReadSource
  /** It leaves things out (`…`, `<account_id>`): what is wrong in it tells nothing. */
  readonly isSketch: boolean
  /** It is well-formed, and a policy of which most is missing: the part of it that is spoken of. */
  readonly isFragment: boolean
}

/** Reads a text of HCL by itself; handed in by who knows how. */
export type ReadHcl = (source: Source) => Reading

/** Read what stands in a fence, at its places in the whole text. `readHcl`: for fences of HCL. */
export async function readFence(fence: Fence, settings: Settings, readHcl?: ReadHcl): Promise<FenceRead> {
  const { source } = fence.opening
  const mapped = textOfFence(fence)
  const { text } = mapped
  const inner = sourceOf(source.path, text, fence.notation)
  const { unknowns = [], comments, ...reading } = await readingOf(inner, readHcl)
  const isSketch = isElided(text, reading)
  const ignores = comments ? ignoresAmong(inner, comments) : fence.notation === 'json' ? [] : ignoreComments(inner, reading.documents)
  const { line: first } = position(source, mapped.at(0))
  const relocate = relocator(source, mapped)
  const documents = reading.documents.map(relocate.node)
  const read = await understood(
    source,
    {
      ...reading,
      documents,
      diagnostics: reading.diagnostics.map(relocate.diagnostic),
      ...(unknowns.length > 0 && { unknowns: unknownsIn(documents) }),
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
  if (source.notation === 'hcl' && readHcl) return readHcl(source)
  const reading = readTree(source)
  return reading.needsYaml ? readTree(source, (await import('./yaml.ts')).readYaml) : reading
}

/** That what follows is not well-formed is told as what it comes from. */
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
  // Readers bound how deep a tree is.
  const node = (tree: Node): Node => {
    if (tree.kind === 'list') return { ...tree, ...span(tree), items: tree.items.map(node) }
    if (tree.kind === 'map')
      return { ...tree, ...span(tree), entries: tree.entries.map(({ key, value }) => ({ key: text(key), value: node(value) })) }
    return { ...tree, ...span(tree) }
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

/** A line that stands for others: nothing but the sign, or a comment of it. */
function isElidedLine(line: string): boolean {
  if (line.length > 100) return false
  const bare = line.trim()
  const said = bare.startsWith('//') ? bare.slice(2).trim() : bare.startsWith('#') ? bare.slice(1).trim() : bare
  return elisions.includes(said.endsWith(',') ? said.slice(0, -1) : said)
}

/** What of a text is in no fence: mending what is in them leaves it as it is. */
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
