import type { Diagnostic } from '../diagnostic.ts'
import type { Settings } from '../names.ts'
import { lastStart, type Source, type Span } from '../source.ts'
import { type IgnoreComment, ignoreInHtml } from './comments.ts'
import { type EmbeddedRead, type PlacedText, type ReadHcl, readEmbedded } from './embedded.ts'
import { MarkdownBlocks } from './markdown-blocks.ts'
import { noFacts, type ReadPolicies } from './read.ts'

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

  private readComment(start: number, end: number): void {
    const comment = this.inComment ? undefined : ignoreInHtml(this.source, start, end)
    if (comment) {
      this.dropPending()
      this.pending = comment
    }
    this.inComment = !this.source.text.slice(start, end).includes('-->')
  }

  private begin(start: number, length: number, line: number, end: number): void {
    const { source, pending } = this
    this.pending = undefined
    this.open = {
      opening: { source, start, end },
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
export function textOfFence({ opening: { source, end: opened }, lines }: Fence): PlacedText {
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
export interface FenceRead extends Omit<EmbeddedRead, 'read'> {
  readonly fence: Fence
  readonly read: ReadPolicies
}

/** Read the text in a fence, at its places in the whole text. `readHcl`: for fences of HCL. */
export async function readFence(fence: Fence, settings: Settings, readHcl?: ReadHcl): Promise<FenceRead> {
  const { source } = fence.opening
  const embedded = await readEmbedded(source, textOfFence(fence), fence.notation, settings, readHcl)
  const read = await embedded.read()
  const isOpen = !fence.isClosed && embedded.hasErrors
  return { ...embedded, fence, read: isOpen ? { ...read, facts: noFacts, diagnostics: [neverClosed(fence)] } : read }
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
