import type { Source } from '../source.ts'
import type { Entry, ListNode, MapNode, Node, NullNode, TextNode } from '../tree.ts'
import { hasStray, isNfc } from './characters.ts'
import { limits } from './limits.ts'
import { type Reading, refuseFlood } from './reading.ts'
import { coreValue } from './yaml-core.ts'

/**
 * Reads the YAML that most policies are written in, in one pass: block and flow lists and maps, strings of one line, comments,
 * several documents. Undefined for anything else, which the full reader then reads and reports on. Where this reader answers, its
 * tree equals the full reader's; tests check that. It only adds speed. Recursive over at most `limits.depth` levels. More than
 * `mostTokens`, as the full reader counts them, are refused.
 */
export function readPlainYaml(source: Source, mostTokens: number = limits.yamlTokens): Reading | undefined {
  // The first token is the mark that the package has where a stream of documents begins.
  const scan: Scan = { source, text: source.text, mostTokens, at: 0, column: 0, tokens: 1, flood: -1, commented: false }
  const documents = readDocuments(scan)
  if (scan.flood >= 0) return refuseFlood(source, scan.flood)
  return documents && { documents, diagnostics: [], refused: false }
}

function readDocuments(scan: Scan): Node[] | undefined {
  const { text } = scan
  const documents: Node[] = []
  if (!toContent(scan)) return undefined
  while (scan.at < text.length) {
    if (scan.column < 0) {
      scan.at += 3
      scan.tokens++
      if (!endLine(scan)) return undefined
      continue
    }
    const node = readBlock(scan, scan.column, -1, 1)
    if (node === undefined || scan.column >= 0 || (node.kind !== 'map' && node.kind !== 'list')) return undefined
    documents.push(node)
  }
  if (documents.length === 0 || isFlood(scan)) return undefined
  // A quick check: most texts are ASCII.
  return /[^\0-\x7e]/.test(text) && (hasStray(text) || !isNfc(text)) ? undefined : documents
}

interface Scan {
  readonly source: Source
  readonly text: string
  readonly mostTokens: number
  at: number
  /** Between lines: the column where the next content begins (`at` is there), or -1 at the end of the document. */
  column: number
  /** How many the package would see so far: each run of blanks, line break, comment, mark and quoted text is one, an unquoted text two. */
  tokens: number
  /** Where they passed their limit, or -1. */
  flood: number
  /** There was a line with nothing but a comment since the last content. See `readNextLine`. */
  commented: boolean
}

const [lineFeed, carriageReturn, space, doubleQuote, hash, singleQuote] = [10, 13, 32, 34, 35, 39]
const [comma, dash, colon, openBracket, backslash, closeBracket, openBrace, closeBrace] = [44, 45, 58, 91, 92, 93, 123, 125]

/** Characters that an unquoted text may begin with here; YAML allows a few more, in certain company. */
const beginsText = Uint8Array.from({ length: 128 }, (_, c) => Number(/[A-Za-z0-9_/.()+~^$;]/.test(String.fromCharCode(c))))

/** Whether a line or the text ends here, or a blank follows: what makes `-` and `:` indicators. */
function isBlankAt(text: string, at: number): boolean {
  if (at >= text.length) return true
  const c = text.charCodeAt(at)
  return c === space || c === lineFeed || c === carriageReturn
}

/** Whether the tokens passed their limit. Asked after plain content, in which they are counted as the package does. */
function isFlood(scan: Scan): boolean {
  if (scan.tokens > scan.mostTokens) scan.flood = scan.at - 1
  return scan.flood >= 0
}

/** Skip the end of a line after its content (blanks, a comment), then go to the next content. False: there is something else. */
function endLine(scan: Scan): boolean {
  const { text } = scan
  let i = blanksEnd(scan, scan.at)
  if (text.charCodeAt(i) === hash && text.charCodeAt(i - 1) === space) i = commentEnd(scan, i)
  i = lineBreak(scan, i)
  if (i < 0) return false
  scan.at = i
  return toContent(scan)
}

/** The end of the blanks at `i`. */
function blanksEnd(scan: Scan, i: number): number {
  const { text } = scan
  if (text.charCodeAt(i) !== space) return i
  scan.tokens++
  do i++
  while (text.charCodeAt(i) === space)
  return i
}

/** The place after the line break at `i`; the end of the text is one. -1: there is none here. */
function lineBreak(scan: Scan, i: number): number {
  const { text } = scan
  if (i >= text.length) return i
  scan.tokens++
  const c = text.charCodeAt(i)
  if (c === lineFeed) return i + 1
  return c === carriageReturn && text.charCodeAt(i + 1) === lineFeed ? i + 2 : -1
}

/** The end of a comment's line, or its first control character. */
function commentEnd(scan: Scan, i: number): number {
  const { text } = scan
  scan.tokens++
  while (text.charCodeAt(i) >= space) i++
  return i
}

/** From the start of a line to the next content: past empty lines and comments. */
function toContent(scan: Scan): boolean {
  const { text } = scan
  let i = scan.at
  scan.commented = false
  for (;;) {
    const lineStart = i
    i = blanksEnd(scan, i)
    if (i >= text.length) {
      scan.at = i
      scan.column = -1
      return true
    }
    const c = text.charCodeAt(i)
    if (c !== hash && c > space) {
      scan.at = i
      scan.column = i - lineStart
      if (i === lineStart) {
        if (isMarker(text, i, '---')) scan.column = -1
        else if (isMarker(text, i, '...')) return false
      }
      return true
    }
    if (c === hash) {
      scan.commented = true
      i = commentEnd(scan, i)
    }
    i = lineBreak(scan, i)
    if (i < 0) return false
  }
}

function isMarker(text: string, at: number, marker: string): boolean {
  return text.startsWith(marker, at) && isBlankAt(text, at + 3)
}

function isDashAt(text: string, at: number): boolean {
  return text.charCodeAt(at) === dash && isBlankAt(text, at + 1)
}

/** A node that begins its line, or follows a dash. `parent` is the column of the block list or map that it is in. */
function readBlock(scan: Scan, column: number, parent: number, depth: number): Node | undefined {
  const { text } = scan
  const start = scan.at
  const c = text.charCodeAt(start)
  if (c === dash && isBlankAt(text, start + 1)) return readList(scan, column, depth)
  if (c === openBracket || c === openBrace) return finished(scan, readFlow(scan, parent, depth, true))
  const key = readScalar(scan, c)
  if (key === undefined) return undefined
  if (isColonNext(scan)) return readMap(scan, column, depth, key)
  return finished(scan, c === doubleQuote || c === singleQuote ? key : resolved(key))
}

/**
 * A node on a line below its key or dash. After a comment the package may take an unquoted text to go on over the following
 * lines; such a text is left to it.
 */
function readNextLine(scan: Scan, parent: number, depth: number): Node | undefined {
  const { commented } = scan
  const node = readBlock(scan, scan.column, parent, depth)
  if (!commented || node === undefined || node.kind === 'map' || node.kind === 'list') return node
  const c = scan.text.charCodeAt(node.start)
  return c === doubleQuote || c === singleQuote ? node : undefined
}

function finished(scan: Scan, node: Node | undefined): Node | undefined {
  return endLine(scan) ? node : undefined
}

function isColonNext(scan: Scan): boolean {
  const { text } = scan
  let i = scan.at
  while (text.charCodeAt(i) === space) i++
  if (text.charCodeAt(i) !== colon || !isBlankAt(text, i + 1)) return false
  scan.tokens += i > scan.at ? 2 : 1
  scan.at = i
  return true
}

/** A block list whose dashes are at `column`. The scan is at the first. */
function readList(scan: Scan, column: number, depth: number): ListNode | undefined {
  if (depth > limits.depth) return undefined
  const { source, text } = scan
  const start = scan.at
  const items: Node[] = []
  let end = start
  do {
    const dashAt = scan.at
    const i = blanksEnd(scan, dashAt + 1)
    scan.tokens++
    scan.at = i
    let item: Node | undefined
    if (isLineOver(text, i)) {
      if (!endLine(scan)) return undefined
      item = scan.column > column ? readNextLine(scan, column, depth + 1) : nothing(source, i)
    } else item = readBlock(scan, column + i - dashAt, column, depth + 1)
    if (item === undefined || scan.column > column || isFlood(scan)) return undefined
    items.push(item)
    end = item.end
  } while (scan.column === column && isDashAt(text, scan.at))
  return { kind: 'list', items, source, start, end }
}

/** Whether nothing more, or only a comment, is on the line. Blanks before `i` have been passed. */
function isLineOver(text: string, i: number): boolean {
  if (i >= text.length) return true
  const c = text.charCodeAt(i)
  return c === lineFeed || c === carriageReturn || c === hash
}

function nothing(source: Source, at: number): NullNode {
  return { kind: 'null', value: null, source, start: at, end: at }
}

/** A block map whose keys are at `column`. The scan is at the colon of the first. */
function readMap(scan: Scan, column: number, depth: number, first: TextNode): MapNode | undefined {
  if (depth > limits.depth) return undefined
  const { source, text } = scan
  const entries: Entry[] = []
  const names: Names = { set: undefined }
  let key = first
  let end: number
  for (;;) {
    if (!isKey(key) || scan.at - key.start > 1_000 || !isNew(key, entries, names)) return undefined
    const i = blanksEnd(scan, scan.at + 1)
    scan.at = i
    let value: Node | undefined
    if (isLineOver(text, i)) {
      if (!endLine(scan)) return undefined
      if (scan.column > column) value = readNextLine(scan, column, depth + 1)
      else if (scan.column === column && isDashAt(text, scan.at)) value = readList(scan, column, depth + 1)
      else value = nothing(source, i)
    } else {
      const c = text.charCodeAt(i)
      if (c === openBracket || c === openBrace) value = readFlow(scan, column, depth + 1, true)
      else {
        const scalar = readScalar(scan, c)
        value = scalar === undefined || c === doubleQuote || c === singleQuote ? scalar : resolved(scalar)
      }
      value = finished(scan, value)
    }
    if (value === undefined || scan.column > column || isFlood(scan)) return undefined
    entries.push({ key, value })
    end = value.end
    if (scan.column !== column) break
    const next = readScalar(scan, text.charCodeAt(scan.at))
    if (next === undefined || !isColonNext(scan)) return undefined
    key = next
  }
  return { kind: 'map', entries, source, start: first.start, end }
}

interface Names {
  set: Set<string> | undefined
}

/** Whether no entry has this key yet. The text is in composed form, or the whole is given up in the end. */
function isNew(key: TextNode, entries: readonly Entry[], names: Names): boolean {
  const { value } = key
  if (names.set === undefined) {
    if (entries.length < 12) {
      for (let i = 0; i < entries.length; i++) if ((entries[i] as Entry).key.value === value) return false
      return true
    }
    names.set = new Set(entries.map((entry) => entry.key.value))
  }
  const { size } = names.set
  return names.set.add(value).size > size
}

/** Whether a key is a string to every reader, and not the merge key. Quoted ones are always strings. */
function isKey(key: TextNode): boolean {
  const c = key.source.text.charCodeAt(key.start)
  return c === doubleQuote || c === singleQuote || coreValue(key.value) === undefined
}

/** The node of an unquoted scalar. */
function resolved(node: TextNode): Node {
  const value = coreValue(node.value)
  if (value === undefined) return node
  const { source, start, end } = node
  if (value === null) return { kind: 'null', value, source, start, end }
  if (typeof value === 'boolean') return { kind: 'boolean', value, source, start, end }
  return { kind: 'number', value, source, start, end }
}

function readScalar(scan: Scan, c: number): TextNode | undefined {
  if (c === doubleQuote) return readDoubleQuoted(scan)
  if (c === singleQuote) return readSingleQuoted(scan)
  return mayBeginText(scan, c) ? readUnquoted(scan) : undefined
}

function mayBeginText(scan: Scan, c: number): boolean {
  if (c > 0x7e) return true
  return beginsText[c === dash ? scan.text.charCodeAt(scan.at + 1) : c] === 1
}

/** An unquoted text in block context, to the end of its line, a comment, or a colon that makes it a key. */
function readUnquoted(scan: Scan): TextNode | undefined {
  const { source, text } = scan
  const start = scan.at
  const { length } = text
  let end = start + 1
  let i = end
  for (; i < length; i++) {
    const c = text.charCodeAt(i)
    if (c === space) {
      if (text.charCodeAt(i + 1) === hash) break
    } else if (c < space) break
    else {
      if (c === colon && isBlankAt(text, i + 1)) break
      end = i + 1
    }
  }
  scan.at = end
  scan.tokens += 2
  return { kind: 'text', value: text.slice(start, end), source, start, end }
}

/** An unquoted text in a flow list or map. */
function readUnquotedInFlow(scan: Scan): TextNode | undefined {
  const { source, text } = scan
  const start = scan.at
  const { length } = text
  let end = start + 1
  let i = end
  for (; i < length; i++) {
    const c = text.charCodeAt(i)
    if (c === space) {
      if (text.charCodeAt(i + 1) === hash) break
    } else if (c < space || c === comma || c === closeBracket || c === closeBrace) break
    else if (c === openBracket || c === openBrace) return undefined
    else {
      if (c === colon) {
        if (isBlankAt(text, i + 1)) break
        const next = text.charCodeAt(i + 1)
        if (next === comma || next === closeBracket || next === closeBrace) return undefined
      }
      end = i + 1
    }
  }
  scan.at = i
  scan.tokens += i > end ? 3 : 2
  return { kind: 'text', value: text.slice(start, end), source, start, end }
}

function readSingleQuoted(scan: Scan): TextNode | undefined {
  const { source, text } = scan
  const start = scan.at
  for (let i = start + 1; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === singleQuote) {
      if (text.charCodeAt(i + 1) === singleQuote) {
        i++
        continue
      }
      scan.at = i + 1
      scan.tokens++
      return { kind: 'text', value: text.slice(start + 1, i).replaceAll("''", "'"), source, start, end: i + 1 }
    }
    if (c < space) return undefined
  }
  return undefined
}

const escapes: ReadonlyMap<number, string> = new Map(
  [...'"\\/nrtbf'].map((letter, i) => [letter.charCodeAt(0), '"\\/\n\r\t\b\f'[i] as string]),
)

function readDoubleQuoted(scan: Scan): TextNode | undefined {
  const { source, text } = scan
  const start = scan.at
  let value = ''
  let from = start + 1
  for (let i = from; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === doubleQuote) {
      scan.at = i + 1
      scan.tokens++
      return { kind: 'text', value: value + text.slice(from, i), source, start, end: i + 1 }
    }
    if (c === backslash) {
      const piece = escapes.get(text.charCodeAt(i + 1))
      if (piece === undefined) return undefined
      value += text.slice(from, i) + piece
      i++
      from = i + 1
    } else if (c < space) return undefined
  }
  return undefined
}

/**
 * A flow list or map. `parent` is the column of the block around it: further lines are indented more, but for the closing
 * bracket of all of it.
 */
function readFlow(scan: Scan, parent: number, depth: number, outermost: boolean): ListNode | MapNode | undefined {
  if (depth > limits.depth) return undefined
  const { source, text } = scan
  const start = scan.at
  const isList = text.charCodeAt(start) === openBracket
  const closer = isList ? closeBracket : closeBrace
  const items: Node[] = []
  const entries: Entry[] = []
  const names: Names = { set: undefined }
  scan.at++
  scan.tokens++
  for (;;) {
    if (!flowBlanks(scan, parent, outermost)) return undefined
    if (text.charCodeAt(scan.at) === closer) break
    if (isList) {
      const item = readFlowValue(scan, parent, depth)
      if (item === undefined) return undefined
      items.push(item)
    } else {
      const c = text.charCodeAt(scan.at)
      const key = readFlowScalar(scan, c)
      if (key === undefined || text.charCodeAt(scan.at) !== colon || !isKey(key) || !isNew(key, entries, names)) return undefined
      scan.at++
      scan.tokens++
      if (!flowBlanks(scan, parent, outermost)) return undefined
      const value = readFlowValue(scan, parent, depth)
      if (value === undefined) return undefined
      entries.push({ key, value })
    }
    if (!flowBlanks(scan, parent, outermost)) return undefined
    const c = text.charCodeAt(scan.at)
    if (c === closer) break
    if (c !== comma || isFlood(scan)) return undefined
    scan.at++
    scan.tokens++
  }
  const end = ++scan.at
  scan.tokens++
  return isList ? { kind: 'list', items, source, start, end } : { kind: 'map', entries, source, start, end }
}

function readFlowValue(scan: Scan, parent: number, depth: number): Node | undefined {
  const c = scan.text.charCodeAt(scan.at)
  if (c === openBracket || c === openBrace) return readFlow(scan, parent, depth + 1, false)
  const scalar = readFlowScalar(scan, c)
  return scalar === undefined || c === doubleQuote || c === singleQuote ? scalar : resolved(scalar)
}

function readFlowScalar(scan: Scan, c: number): TextNode | undefined {
  if (c === doubleQuote) return readDoubleQuoted(scan)
  if (c === singleQuote) return readSingleQuoted(scan)
  return mayBeginText(scan, c) ? readUnquotedInFlow(scan) : undefined
}

/** Blanks, line breaks and comments within a flow list or map. False where the next line is not its own, or the text ends. */
function flowBlanks(scan: Scan, parent: number, outermost: boolean): boolean {
  const { text } = scan
  let i = scan.at
  let lineStart = -1
  for (; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === space) {
      if (text.charCodeAt(i - 1) !== space) scan.tokens++
      continue
    }
    if (c === lineFeed) {
      scan.tokens++
      lineStart = i + 1
      continue
    }
    if (c === carriageReturn && text.charCodeAt(i + 1) === lineFeed) continue
    if (c === hash) {
      const before = text.charCodeAt(i - 1)
      if (before !== space && before !== lineFeed) return false
      i = commentEnd(scan, i) - 1
      continue
    }
    scan.at = i
    if (lineStart < 0) return true
    const column = i - lineStart
    if (column === 0 && isMarker(text, i, '...')) return false
    return column > parent || (outermost && column === parent && (c === closeBracket || c === closeBrace))
  }
  return false
}
