/**
 * The blocks of Markdown (CommonMark 0.31, sections 4 and 5) as far as fences need them: which lists and quotes a line is in, and
 * whether its text can open a fence there. A line is read once for each list and quote that is open, of which there are at most
 * `deepest`.
 */

/** The role of a line for the reader of fences. `at` is where its text begins, behind the marks of lists and quotes. */
export type LineRead =
  | { readonly kind: 'blank' | 'text' | 'comment' | 'body'; readonly at: number }
  | { readonly kind: 'open'; readonly at: number; readonly length: number }
  | { readonly kind: 'close' }

/** A quote, or an item of a list: then `indent` is the distance in columns from its place to its text. */
interface Container {
  readonly indent: number | undefined
  isEmpty: boolean
}

type Leaf =
  | { readonly kind: 'none' | 'paragraph' | 'indented' }
  | { readonly kind: 'fence'; readonly sign: string; readonly length: number; readonly indent: number }
  | { readonly kind: 'html'; readonly end: RegExp | undefined; readonly isComment: boolean }

const none: Leaf = { kind: 'none' }
const paragraph: Leaf = { kind: 'paragraph' }
const indented: Leaf = { kind: 'indented' }

/** Deeper lists and quotes are text: what is nested without end must not take time without end. */
const deepest = 100

/** Blocks of HTML: how they begin, and the text that ends them; a blank line ends those without. The last one cannot end a paragraph. */
const htmlBlocks: readonly { readonly start: RegExp; readonly end?: RegExp; readonly endsNoParagraph?: boolean }[] = [
  { start: /^<(?:pre|script|style|textarea)(?:[\s>]|$)/i, end: /<\/(?:pre|script|style|textarea)>/i },
  { start: /^<!--/, end: /-->/ },
  { start: /^<\?/, end: /\?>/ },
  { start: /^<![a-z]/i, end: />/ },
  { start: /^<!\[CDATA\[/, end: /\]\]>/ },
  {
    start:
      /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:\s|\/?>|$)/i,
  },
  {
    start: /^<(?:\/[a-z][a-z0-9-]*\s*|[a-z][a-z0-9-]*(?:\s+[a-z_:][\w:.-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?)>\s*$/i,
    endsNoParagraph: true,
  },
]

const isBlankUnit = (unit: number) => unit === 32 || unit === 9

/** Reads the lines of a text in turn. */
export class MarkdownBlocks {
  private readonly text: string
  private containers: Container[] = []
  private leaf: Leaf = none
  /** The state of reading a line: the offset, its column, and the remaining columns of the tab in front of it. */
  private at = 0
  private column = 0
  private rest = 0
  private end = 0

  constructor(text: string) {
    this.text = text
  }

  /** The role of the next line, from `start` to `end` without its line break. An open fence may have ended before it. */
  read(start: number, end: number): LineRead {
    this.at = start
    this.end = end
    this.column = 0
    this.rest = 0
    let matched = 0
    while (matched < this.containers.length && this.continues(this.containers[matched] as Container)) matched++
    const isInside = matched === this.containers.length
    if (isInside) {
      const continued = this.readLeaf()
      if (continued) return continued
    }
    return this.readStarts(matched, isInside)
  }

  /** Whether the line is in this list item or quote as well; if so, steps over what shows it. */
  private continues({ indent, isEmpty }: Container): boolean {
    if (indent === undefined) return this.skipQuote()
    const { columns, at } = this.blanks()
    if (at === this.end) {
      this.skipColumns(columns)
      return !isEmpty
    }
    if (columns < indent) return false
    this.skipColumns(indent)
    return true
  }

  private skipQuote(): boolean {
    const { columns, at } = this.blanks()
    if (columns > 3 || at === this.end || this.text[at] !== '>') return false
    this.skipColumns(columns)
    this.at++
    this.column++
    // The blank behind the mark belongs to it.
    if (this.blanks().columns > 0) this.skipColumns(1)
    return true
  }

  /** The role of a line that continues the open leaf, if it does. */
  private readLeaf(): LineRead | undefined {
    const { leaf } = this
    const { columns, at } = this.blanks()
    const isBlank = at === this.end
    switch (leaf.kind) {
      case 'fence': {
        if (columns <= 3 && this.closes(at, leaf)) {
          this.leaf = none
          return { kind: 'close' }
        }
        this.skipColumns(Math.min(columns, leaf.indent))
        return { kind: 'body', at: this.at }
      }
      case 'html': {
        if (isBlank && !leaf.end) break
        if (leaf.end?.test(this.text.slice(this.at, this.end))) this.leaf = none
        return { kind: leaf.isComment ? 'comment' : 'text', at }
      }
      case 'indented':
        if (isBlank) return { kind: 'blank', at }
        if (columns > 3) return { kind: 'text', at }
        break
      default:
    }
    if (leaf.kind !== 'paragraph' || isBlank) this.leaf = none
    return undefined
  }

  /** The lists, the quotes and the block that begin on a line, behind the `matched` containers that it is in. */
  private readStarts(matched: number, isInside: boolean): LineRead {
    let depth = matched
    // A paragraph may continue without the marks of its containers.
    let isLazy = !isInside && this.leaf.kind === 'paragraph'
    const enter = (container?: Container) => {
      this.containers.length = depth
      this.leaf = none
      isLazy = false
      const outer = this.containers[depth - 1]
      if (outer) outer.isEmpty = false
      if (container) {
        this.containers.push(container)
        depth++
      }
    }
    for (;;) {
      const { columns, at } = this.blanks()
      const line = this.text.slice(at, this.end)
      const inParagraph = this.leaf.kind === 'paragraph'
      if (columns > 3) {
        if (line !== '' && !inParagraph) {
          enter()
          this.leaf = indented
          return { kind: 'text', at }
        }
        break
      }
      if (depth < deepest && this.skipQuote()) {
        enter({ indent: undefined, isEmpty: true })
        continue
      }
      const length = fenceLength(line)
      if (length > 0) {
        enter()
        this.leaf = { kind: 'fence', sign: line[0] as string, length, indent: columns }
        return { kind: 'open', at, length }
      }
      const html = line.startsWith('<')
        ? htmlBlocks.find((block) => block.start.test(line) && !(block.endsNoParagraph && inParagraph))
        : undefined
      if (html) {
        enter()
        const isComment = html === htmlBlocks[1]
        if (!html.end?.test(line)) this.leaf = { kind: 'html', end: html.end, isComment }
        return { kind: isComment ? 'comment' : 'text', at }
      }
      if (isHeadingOrBreak(line, inParagraph && !isLazy)) {
        enter()
        return { kind: 'text', at }
      }
      const item = depth < deepest ? this.skipMarker(columns, line, inParagraph && !isLazy) : undefined
      if (!item) break
      enter(item)
    }
    const { at } = this.blanks()
    if (at === this.end) {
      this.containers.length = depth
      this.leaf = none
      return { kind: 'blank', at }
    }
    if (!isLazy) {
      enter()
      this.leaf = paragraph
    }
    return { kind: 'text', at }
  }

  /** Skips the mark of a list item, if there is one behind so many columns of blanks. */
  private skipMarker(columns: number, line: string, inParagraph: boolean): Container | undefined {
    const mark = /^(?:[-+*]|(\d{1,9})[.)])(?=[ \t]|$)/.exec(line)
    if (!mark) return undefined
    const [{ length }, number = '1'] = mark
    const isBare = skipBlanks(line, length) === line.length
    if (inParagraph && (isBare || Number(number) !== 1)) return undefined
    this.skipColumns(columns)
    this.at += length
    this.column += length
    const behind = this.blanks().columns
    // Behind that, it is code in an item whose text begins one blank behind the mark.
    const padding = isBare || behind > 4 ? 1 : behind
    this.skipColumns(Math.min(padding, behind))
    return { indent: columns + length + padding, isEmpty: true }
  }

  /** The blanks that come next: how many columns, and where the text behind them begins. */
  private blanks(): { columns: number; at: number } {
    let columns = this.rest
    let { at } = this
    for (; at < this.end && isBlankUnit(this.text.charCodeAt(at)); at++) {
      columns += this.text[at] === '\t' ? 4 - ((this.column + columns) % 4) : 1
    }
    return { columns, at }
  }

  /** Steps over so many columns of blanks, which may end within a tab. */
  private skipColumns(count: number): void {
    const target = this.column + count
    const within = Math.min(this.rest, count)
    this.rest -= within
    this.column += within
    for (; this.column < target; this.at++) {
      const width = this.text[this.at] === '\t' ? 4 - (this.column % 4) : 1
      const taken = Math.min(width, target - this.column)
      this.column += taken
      this.rest = width - taken
    }
  }

  private closes(at: number, { sign, length }: { readonly sign: string; readonly length: number }): boolean {
    let after = at
    while (after < this.end && this.text[after] === sign) after++
    return after - at >= length && skipBlanks(this.text, after, this.end) === this.end
  }
}

function skipBlanks(text: string, start: number, end = text.length): number {
  let at = start
  while (at < end && isBlankUnit(text.charCodeAt(at))) at++
  return at
}

/** How many signs open a fence at the start of a line; 0 where none is opened. */
function fenceLength(line: string): number {
  const sign = line[0]
  if (sign !== '`' && sign !== '~') return 0
  let length = 1
  while (line[length] === sign) length++
  // With a sign behind it, it is code within a line.
  return length < 3 || (sign === '`' && line.includes('`', length)) ? 0 : length
}

function isHeadingOrBreak(line: string, inParagraph: boolean): boolean {
  if (/^#{1,6}(?:[ \t]|$)/.test(line)) return true
  if (inParagraph && /^(?:=+|-+)[ \t]*$/.test(line)) return true
  return /^(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/.test(line)
}
