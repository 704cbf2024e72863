import { compareDiagnostics, type Diagnostic, type Related } from '../diagnostic.ts'
import { visible } from '../names.ts'
import { isWithComments, type Source, type Span } from '../source.ts'
import type { Entry, ListNode, MapNode, Node, NumberNode, TextNode } from '../tree.ts'
import { compositionProblem, isStray, loneSurrogate, strayCharacters } from './characters.ts'
import { limits } from './limits.ts'
import { duplicateKey, emptyFile, type Reading, refuse, sameKey, shortened, syntaxError } from './reading.ts'

/**
 * Reads JSON as RFC 8259 defines it, and refuses what other readers silently accept: a key given twice, half a surrogate pair,
 * more than 64 levels. Common mistakes are named, and reading continues where it is clear how. One pass, no recursion. A file
 * whose name ends in `.jsonc` may have comments and trailing commas.
 */
export function readJson(source: Source, onItem?: OnItem): Reading {
  return read(source, oneDocument, undefined, onItem)
}

/**
 * Takes each map of a list of policies as soon as it is read, as long as there is no problem: an item of a document that is a list, or of the
 * list under `policies` of one that is a map. It may release the lists in it.
 */
export type OnItem = (item: MapNode) => void

/**
 * Reads JSON between programs: all that RFC 8259 allows, except half a surrogate pair, which cannot be sent as UTF-8. `mostKeys`:
 * reading ends where there are more keys in total.
 */
export function readWire(source: Source, mostKeys = Number.POSITIVE_INFINITY): Reading {
  return read(source, oneDocument, { mostKeys })
}

function oneDocument(state: State): readonly Node[] {
  const node = readDocument(state)
  return node ? [node] : []
}

/** JSON values one behind the other, a document each, such as NDJSON. Reading ends at the first problem. */
export function readJsonLines(source: Source): Reading {
  return read(source, (state) => {
    const nodes: Node[] = []
    while (state.diagnostics.length === 0 && blanks(state) !== end) {
      const node = readValue(state)
      if (node) nodes.push(node)
    }
    return nodes
  })
}

function read(
  source: Source,
  documentsOf: (state: State) => readonly Node[],
  wire?: { readonly mostKeys: number },
  onItem?: OnItem,
): Reading {
  const isWire = wire !== undefined
  const { text } = source
  if (text.length > limits.jsonLength) {
    return refuse(
      source,
      0,
      0,
      `the file is longer than ${limits.jsonLength} characters, the most that is read of JSON`,
      'split it into several files',
    )
  }
  const state = stateAt(source, 0, wire, onItem)
  const { comments } = state
  if (text.charCodeAt(0) === 0xfeff) {
    state.unusual = true
    state.at = 1
  }
  const documents = documentsOf(state)
  const { diagnostics } = state
  const empty = documents.length === 0 && diagnostics.length === 0
  if (empty) diagnostics.push(emptyFile(source))
  if (state.unusual && !isWire) diagnostics.push(...strayCharacters(source, { controls: false, breaking: state.misplaced }))
  return {
    documents: state.tooDeep ? [] : documents,
    diagnostics: diagnostics.length > 1 ? diagnostics.sort(compareDiagnostics).slice(0, limits.problems) : diagnostics,
    refused: empty || state.tooDeep,
    ...(comments && { comments }),
  }
}

function stateAt(source: Source, start: number, wire?: { readonly mostKeys: number }, onItem?: OnItem): State {
  return {
    source,
    comments: isWithComments(source) ? [] : undefined,
    text: source.text,
    at: start,
    isWire: wire !== undefined,
    onItem,
    keysLeft: wire?.mostKeys ?? Number.POSITIVE_INFINITY,
    unusual: false,
    misplaced: new Set(),
    wide: false,
    guessed: false,
    stopped: false,
    tooDeep: false,
    diagnostics: [],
  }
}

/**
 * A list of a text without problems whose items are read again when they are asked for. A run keeps its policies to the end, and asks
 * for the nodes of their entries only where it finds something: meanwhile they would take a fifth of its memory.
 */
class ReleasedList implements ListNode {
  readonly kind = 'list'
  readonly source: Source
  readonly start: number
  readonly end: number
  readonly count: number
  private again: readonly Node[] | undefined

  constructor({ source, start, end, items }: ListNode) {
    this.source = source
    this.start = start
    this.end = end
    this.count = items.length
  }

  get items(): readonly Node[] {
    this.again ??= (readValue(stateAt(this.source, this.start)) as ListNode).items
    return this.again
  }
}

/** Releases the items of the lists in a map: of a text that was read with `readJson`, up to here without any problem. */
export function releaseLists(map: MapNode): void {
  for (const entry of map.entries as readonly OpenEntry[])
    if (entry.value.kind === 'list' && !(entry.value instanceof ReleasedList)) entry.value = new ReleasedList(entry.value)
}

interface State {
  readonly source: Source
  /** The comments so far; undefined where the notation has none. */
  readonly comments: Span[] | undefined
  readonly text: string
  at: number
  /** No text is looked at for what it looks like: see `readWire`. */
  readonly isWire: boolean
  readonly onItem: OnItem | undefined
  /** How many more keys are read. */
  keysLeft: number
  /** A character outside ASCII was met: the text as a whole is then searched for stray ones. */
  unusual: boolean
  /** The places of such characters outside of strings, where the grammar does not allow them. */
  readonly misplaced: Set<number>
  /** The text last read holds characters outside ASCII. */
  wide: boolean
  /** The last problem was got over by a guess: another one is likely its echo, so reading stops there instead. */
  guessed: boolean
  stopped: boolean
  tooDeep: boolean
  readonly diagnostics: Diagnostic[]
}

/** Nodes while they are being read. The same objects are handed out, as read-only ones, so that nothing is copied. */
interface OpenList extends ListNode {
  items: Node[]
  end: number
}
interface OpenEntry extends Entry {
  value: Node
}
interface OpenMap extends MapNode {
  entries: Entry[]
  end: number
}

/** No entries yet. The first makes a list of just one: most maps have no more, and a list that grows takes room for many. */
const none: never[] = []

function addItem(list: OpenList, item: Node): void {
  if (list.items === none) list.items = [item]
  else list.items.push(item)
}

function addEntry(map: OpenMap, entry: Entry): void {
  if (map.entries === none) map.entries = [entry]
  else map.entries.push(entry)
}

const [quote, backslash, comma, colon, openBracket, closeBracket, openBrace, closeBrace] = [34, 92, 44, 58, 91, 93, 123, 125]
const end = -1

/** Read all. Undefined when there is no value at all, or none was understood. */
function readDocument(state: State): Node | undefined {
  const root = readValue(state)
  if (state.stopped || state.tooDeep) return root
  if (blanks(state) !== end) afterDocument(state)
  return root
}

function readValue(state: State): Node | undefined {
  const { source, text } = state
  const stack: (OpenList | OpenMap)[] = []
  const keys: (TextNode | undefined)[] = []
  const seen: (Map<string, TextNode> | undefined)[] = []
  let parent: OpenList | OpenMap | undefined
  let top = -1

  values: for (;;) {
    let node: Node | undefined
    const c = blanks(state)
    const start = state.at
    if (c === quote) node = readText(state)
    else if (c === openBrace || c === openBracket) {
      if (top + 1 >= limits.depth) {
        state.diagnostics.length = 0
        // Said even where other problems would be taken for echoes: nothing is refused in silence.
        report(state, syntaxError(source, start, start + 1, `more than ${limits.depth} levels of lists and objects: the file is not read`))
        state.tooDeep = true
        break
      }
      parent =
        c === openBrace
          ? { kind: 'map', entries: none, source, start, end: start }
          : { kind: 'list', items: none, source, start, end: start }
      stack[++top] = parent
      keys[top] = undefined
      seen[top] = undefined
      state.at = start + 1
      const first = blanks(state)
      if (parent.kind === 'map') {
        if (first !== closeBrace && readKey(state, parent, first, keys, seen, top)) continue
      } else if (first !== closeBracket) continue
    } else if ((c >= 48 && c <= 57) || c === 45) node = readNumber(state)
    else if (isWord(text, start, 'true')) {
      node = { kind: 'boolean', value: true, source, start, end: start + 4 }
      state.at = start + 4
    } else if (isWord(text, start, 'false')) {
      node = { kind: 'boolean', value: false, source, start, end: start + 5 }
      state.at = start + 5
    } else if (isWord(text, start, 'null')) {
      node = { kind: 'null', value: null, source, start, end: start + 4 }
      state.at = start + 4
    } else node = readOdd(state, c, parent, keys[top])

    // A value is done, or (undefined) there is none here. What follows it:
    for (;;) {
      if (state.stopped) break values
      if (parent === undefined) return node
      if (node !== undefined) {
        if (parent.kind === 'list') addItem(parent, node)
        else if (keys[top] !== undefined) addEntry(parent, { key: keys[top] as TextNode, value: node })
      }
      keys[top] = undefined
      const closer: number = parent.kind === 'list' ? closeBracket : closeBrace
      let c = blanks(state)
      if (c === comma) {
        const valueStart = state.at++
        c = blanks(state)
        if (c !== closer) {
          if (parent.kind === 'list') continue values
          if (readKey(state, parent, c, keys, seen, top)) continue values
          node = undefined
          continue
        }
        if (state.comments === undefined)
          fixable(state, valueStart, valueStart + 1, '', 'trailing comma: JSON allows none after the last entry', 'remove the comma')
        if (state.stopped) break values
      }
      if (c === closer) {
        parent.end = ++state.at
        node = parent
        parent = stack[--top]
        if (
          top <= 1 &&
          state.onItem !== undefined &&
          state.diagnostics.length === 0 &&
          node.kind === 'map' &&
          isOfPolicies(stack, keys, top)
        )
          state.onItem(node)
        continue
      }
      const next = notSeparated(state, c, parent)
      if (next === 'stop') break values
      if (next === 'close') {
        parent.end = state.at
        node = parent
        parent = stack[--top]
        continue
      }
      if (parent.kind === 'list' || readKey(state, parent, c, keys, seen, top)) continue values
      node = undefined
    }
  }
  return partialTree(stack, keys, top, state.at)
}

/** Whether the innermost open node is a list of policies: the document, or what is under `policies` in it. */
function isOfPolicies(stack: readonly (OpenList | OpenMap)[], keys: readonly (TextNode | undefined)[], top: number): boolean {
  return stack[top]?.kind === 'list' && (top === 0 || keys[0]?.value === 'policies')
}

/** The tree up to the place where reading stopped: the open lists and maps are closed there. */
function partialTree(
  stack: readonly (OpenList | OpenMap)[],
  keys: readonly (TextNode | undefined)[],
  top: number,
  offset: number,
): Node | undefined {
  let node: OpenList | OpenMap | undefined
  for (let i = 0; i <= top; i++) {
    const parent = node
    const key = keys[i - 1]
    node = stack[i] as OpenList | OpenMap
    node.end = offset
    if (parent?.kind === 'list') addItem(parent, node)
    else if (parent && key) addEntry(parent, { key, value: node })
  }
  return stack[0]
}

/** Skip blanks (and, with a problem, characters that look like blanks). The code of the character that follows, -1 at the end. */
function blanks(state: State): number {
  const { text } = state
  let i = state.at
  while (i < text.length) {
    const c = text.charCodeAt(i)
    if (c === 32 || c === 10 || c === 13 || c === 9) i++
    else if (c > 32 && c < 0x7f && c !== 35 && c !== 47) {
      state.at = i
      return c
    } else {
      state.at = i
      if (!skipOdd(state, c)) return c
      i = state.at
    }
  }
  state.at = i
  return end
}

/** Comments, and blanks that JSON does not know. Whether something was skipped. */
function skipOdd(state: State, c: number): boolean {
  const { text, at } = state
  const second = text.charCodeAt(at + 1)
  const isComment = c === 47 && (second === 47 || (second === 42 && text.includes('*/', at + 2)))
  if (state.comments && isComment) {
    state.at = second === 47 ? lineEnd(text, at) : text.indexOf('*/', at + 2) + 2
    state.comments.push({ source: state.source, start: at, end: state.at })
    return true
  }
  if (c === 35 || (c === 47 && second === 47)) {
    state.at = lineEnd(text, at)
    if (state.comments) problem(state, at, state.at, 'comments begin with `//` here', 'write `//` in place of `#`')
    else problem(state, at, state.at, 'JSON has no comments', 'remove it, or write the file as YAML (`.yaml`)')
    return !state.stopped
  }
  if (c === 47 && second === 42) {
    const close = text.indexOf('*/', at + 2)
    state.at = close < 0 ? text.length : close + 2
    problem(
      state,
      at,
      state.at,
      state.comments
        ? 'this comment is never closed'
        : close < 0
          ? 'a comment that is never closed, and JSON has no comments'
          : 'JSON has no comments',
      state.comments ? 'add `*/`' : 'remove it',
    )
    return !state.stopped
  }
  const character = String.fromCodePoint(text.codePointAt(at) as number)
  if (state.isWire && c > 0x7e) return false
  if (c > 0x7e && isStray(character.codePointAt(0) as number)) {
    state.unusual = true
    state.misplaced.add(at)
  } else if (character.trim() === '') {
    problem(state, at, at + 1, `${codePoint(character)} is no blank in JSON: only space, tab and line breaks are`, 'put a space instead')
  } else return false
  state.at = at + character.length
  return !state.stopped
}

/** Reads a key and its colon. True if its value comes next; else reading stopped, or continues behind it. */
function readKey(
  state: State,
  map: OpenMap,
  c: number,
  keys: (TextNode | undefined)[],
  seen: (Map<string, TextNode> | undefined)[],
  top: number,
): boolean {
  const key = c === quote ? readText(state, true) : readOddKey(state, c, map)
  if (state.stopped || key === undefined) return false
  if (--state.keysLeft < 0) {
    report(state, { ...syntaxError(state.source, key.start, key.end, 'more keys than are read'), code: 'size-limit' })
    state.stopped = true
    return false
  }
  keys[top] = claim(state, map, key, seen, top) ? key : undefined
  const next = blanks(state)
  if (next === colon) {
    state.at++
    return true
  }
  return notColon(state, next, key, map)
}

/** Whether a key is the first of its name. Few keys are compared one by one; many, or any outside ASCII, through a map. */
function claim(state: State, map: OpenMap, key: TextNode, seen: (Map<string, TextNode> | undefined)[], top: number): boolean {
  const { entries } = map
  const { value } = key
  let names = seen[top]
  let first: TextNode | undefined
  if (names === undefined && entries.length < 12 && !state.wide) {
    for (let i = 0; i < entries.length; i++) {
      const other = (entries[i] as Entry).key
      if (other.value === value) first = other
    }
  } else {
    if (names === undefined) {
      names = new Map()
      // All are ASCII so far.
      for (const entry of entries) names.set(entry.key.value, entry.key)
      seen[top] = names
    }
    const same = state.isWire ? value : sameKey(value)
    first = names.get(same)
    if (first === undefined) names.set(same, key)
  }
  if (first === undefined) return true
  report(state, duplicateKey(key, first))
  return false
}

function isWide(text: string): boolean {
  return /[^\0-\x7e]/.test(text)
}

/** The keys that policies are made of, by their lengths: each time one is met the same text is handed out. */
const commonKeys: readonly (readonly string[])[] = keysByLength(
  'urn action name description identities resources permissions allow except deny permissionsGroups conditions operator values expiredAt'.split(
    ' ',
  ),
)

function keysByLength(keys: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: 20 }, (_, length) => keys.filter((key) => key.length === length))
}

/** The common key between two offsets. */
function commonKey(text: string, from: number, to: number): string | undefined {
  for (const key of commonKeys[to - from] ?? []) if (text.startsWith(key, from)) return key
  return undefined
}

/** A text, from its opening quote. The plain case; everything else is `readEscaped`. */
function readText(state: State, isKey = false): TextNode {
  const { source, text } = state
  const start = state.at
  const { length } = text
  let i = start + 1
  let wide = false
  while (i < length) {
    const c = text.charCodeAt(i)
    if (c === quote) {
      const value = (isKey ? commonKey(text, start + 1, i) : undefined) ?? text.slice(start + 1, i)
      state.at = i + 1
      state.wide = wide
      if (wide) checkWide(state, value, start, i + 1)
      return { kind: 'text', value, source, start, end: i + 1 }
    }
    if (c === backslash || c < 32) break
    if (c > 0x7e) wide = true
    i++
  }
  return readEscaped(state, start, i, quote)
}

function checkWide(state: State, value: string, start: number, end: number): void {
  state.unusual = true
  if (loneSurrogate(value) >= 0) {
    if (state.isWire && loneSurrogate(state.source.text.slice(start, end)) >= 0)
      problem(state, start, end, 'this holds half of a surrogate pair, which stands for no character')
    return
  }
  if (state.isWire) return
  const fault = compositionProblem(value, state.source, start, end)
  if (fault) report(state, fault)
}

/** A text with escapes or faults, from its opening quote (`'` is one of the faults). All before `i` is plain. */
function readEscaped(state: State, start: number, i: number, opener: number): TextNode {
  const { source, text } = state
  let value = text.slice(start + 1, i)
  let from = i
  for (;;) {
    const c = i < text.length ? text.charCodeAt(i) : end
    if (c === end || c === 10 || c === 13) {
      value += text.slice(from, i)
      state.at = i
      const q = String.fromCharCode(opener)
      problem(
        state,
        start,
        i,
        c === end ? 'a text that is never closed begins here' : 'a text that is not closed on its line begins here',
        `close it with \`${q}\`; a line break inside a text is written \`\\n\``,
      )
      state.guessed = true
      break
    }
    if (c === opener) {
      value += text.slice(from, i)
      state.at = i + 1
      break
    }
    if (c === backslash) {
      value += text.slice(from, i)
      const [piece, length] = readEscape(state, i)
      value += piece
      i += length
      from = i
      continue
    }
    if (c < 32) {
      const written = c === 9 ? '\\t' : `\\u${c.toString(16).padStart(4, '0')}`
      problem(state, i, i + 1, `a control character (${codePoint(String.fromCharCode(c))}) inside a text`, `write it as \`${written}\``)
    }
    i++
  }
  state.wide = isWide(value)
  if (state.wide) checkWide(state, value, start, state.at)
  return { kind: 'text', value, source, start, end: state.at }
}

const escapes: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** The string of an escape at `i`, and its length. */
function readEscape(state: State, i: number): readonly [piece: string, length: number] {
  const { text } = state
  const letter = text[i + 1] ?? ''
  const simple = escapes[letter]
  if (simple !== undefined) return [simple, 2]
  if (letter !== 'u') {
    if (letter < ' ') {
      problem(state, i, i + 1, 'a backslash with nothing to escape behind it', 'a backslash itself is written `\\\\`')
      return ['\\', 1]
    }
    const character = String.fromCodePoint(text.codePointAt(i + 1) as number)
    const to = i + 1 + character.length
    problem(state, i, to, `\`\\${visible(character)}\` is no escape in JSON`, 'a backslash itself is written `\\\\`')
    return [character, to - i]
  }
  const unit = hex4(text, i + 2)
  if (unit < 0) {
    let to = i + 2
    while (hexDigit(text.charCodeAt(to)) >= 0) to++
    problem(state, i, to, `\`${text.slice(i, to)}\` is no whole escape: \`\\u\` takes four hexadecimal digits`)
    return ['', to - i]
  }
  if (unit < 0xd800 || unit > 0xdfff) return [String.fromCharCode(unit), 6]
  const second = unit < 0xdc00 && text.charCodeAt(i + 6) === backslash && text.charCodeAt(i + 7) === 117 ? hex4(text, i + 8) : -1
  if (second >= 0xdc00 && second <= 0xdfff) return [String.fromCharCode(unit, second), 12]
  problem(
    state,
    i,
    i + 6,
    `\`${text.slice(i, i + 6)}\` is half of a surrogate pair and stands for no character`,
    'write the character itself, or both halves',
  )
  return [String.fromCharCode(unit), 6]
}

function hex4(text: string, index: number): number {
  let unit = 0
  for (let i = index; i < index + 4; i++) {
    const digit = hexDigit(text.charCodeAt(i))
    if (digit < 0) return -1
    unit = unit * 16 + digit
  }
  return unit
}

/** The value of a hexadecimal digit; negative where there is none. */
function hexDigit(c: number): number {
  if (c <= 57) return c - 48
  const lower = c | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}

/** A number, from its first digit or minus. */
function readNumber(state: State): NumberNode | undefined {
  const { source, text } = state
  const start = state.at
  let i = start
  let c = text.charCodeAt(i)
  if (c === 45) c = text.charCodeAt(++i)
  const digits = i
  while (c >= 48 && c <= 57) c = text.charCodeAt(++i)
  let good = i > digits && (text.charCodeAt(digits) !== 48 || i === digits + 1)
  if (c === 46) {
    const from = ++i
    while (isDigit(text.charCodeAt(i))) i++
    good &&= i > from
    c = text.charCodeAt(i)
  }
  if (c === 101 || c === 69) {
    c = text.charCodeAt(++i)
    if (c === 43 || c === 45) i++
    const from = i
    while (isDigit(text.charCodeAt(i))) i++
    good &&= i > from
    c = text.charCodeAt(i)
  }
  if (!good || isWordCharacter(c) || c === 46 || c === 43 || c === 45) return readOddWord(state) as NumberNode | undefined
  state.at = i
  return { kind: 'number', value: Number(text.slice(start, i)), source, start, end: i }
}

function isDigit(c: number): boolean {
  return c >= 48 && c <= 57
}

function isWordCharacter(c: number): boolean {
  return isDigit(c) || ((c | 32) >= 97 && (c | 32) <= 122) || c === 95 || c === 36 || c >= 0x80
}

/** Whether a whole literal is at `at`. */
function isWord(text: string, at: number, word: string): boolean {
  return text.startsWith(word, at) && !isWordCharacter(text.charCodeAt(at + word.length))
}

// From here on: what is wrong, and how to go on.

function problem(state: State, start: number, end: number, message: string, help?: string, related?: readonly Related[]): void {
  if (state.guessed) state.stopped = true
  else report(state, syntaxError(state.source, start, end, message, help, related))
}

/** A problem with a safe fix. */
function fixable(state: State, start: number, end: number, text: string, message: string, help: string): void {
  if (state.guessed) state.stopped = true
  else {
    const { source } = state
    const fix = { description: help, edits: [{ span: { source, start, end }, text }], safe: true }
    report(state, { ...syntaxError(source, start, end, message, help), fix })
  }
}

function report(state: State, diagnostic: Diagnostic): void {
  state.diagnostics.push(diagnostic)
  if (state.diagnostics.length >= limits.problems) state.stopped = true
}

function stop(state: State, start: number, end: number, message: string, help?: string, related?: readonly Related[]): void {
  problem(state, start, end, message, help, related)
  state.stopped = true
}

/** Reads a value that begins with an illegal character. Undefined when none can be read. */
function readOdd(state: State, c: number, parent: OpenList | OpenMap | undefined, key: TextNode | undefined): Node | undefined {
  const { text, at } = state
  if (c === 39) return readSingleQuoted(state)
  if (isWordCharacter(c) || c === 43 || c === 46 || c === 42) return readOddWord(state)
  if (c === end) {
    if (parent) unclosed(state, parent)
    else if (state.diagnostics.length > 0) stop(state, text.length, text.length, 'the file holds no value')
    return undefined
  }
  if (c === comma && parent?.kind === 'list') {
    fixable(state, at, at + 1, '', 'a comma with no value before it', 'remove it')
    return undefined
  }
  if ((c === comma || c === closeBrace) && parent?.kind === 'map') {
    const place = key ?? { start: at, end: at + 1 }
    problem(state, place.start, place.end, `no value for this key: expected one after the colon, found ${shown(state)}`)
    return undefined
  }
  const expected = parent?.kind === 'list' ? 'a value or `]`' : 'a value'
  stop(state, at, tokenEnd(state), `expected ${expected}, found ${shown(state)}`)
  return undefined
}

const noSuchNumber = 'JSON has no such number; leave the entry out, or write `null`'
const words: ReadonlyMap<string, string> = new Map([
  ['NaN', noSuchNumber],
  ['Infinity', noSuchNumber],
  ['undefined', 'leave the entry out, or write `null`'],
  ['None', 'write `null`'],
  ['nil', 'write `null`'],
  ['NULL', 'write `null`'],
  ['Null', 'write `null`'],
  ['True', 'write `true`'],
  ['TRUE', 'write `true`'],
  ['False', 'write `false`'],
  ['FALSE', 'write `false`'],
])

/** A run of characters that is neither text, number nor literal: say which it nearly is, and take it for text. */
function readOddWord(state: State): TextNode | NumberNode | undefined {
  const { source, text, at } = state
  let i = at
  for (; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c <= 34 || c === comma || c === closeBrace || c === closeBracket || c === openBrace || c === openBracket) break
    if (c === 39 || (c === 47 && (text.charCodeAt(i + 1) === 47 || text.charCodeAt(i + 1) === 42))) break
  }
  const word = text.slice(at, i)
  state.at = i
  const literal = words.get(word.replace(/^[-+]/, ''))
  const fault = numberFault(word)
  const written = visible(shortened(word))
  if (literal !== undefined) problem(state, at, i, `\`${written}\` is no JSON value`, literal)
  else if (fault) problem(state, at, i, `\`${written}\` is no JSON number: ${fault}`)
  else
    problem(
      state,
      at,
      i,
      `\`${written}\` is neither a number nor \`true\`, \`false\` or \`null\``,
      `if it is meant as text, quote it: ${quoted(word)}`,
    )
  if (fault !== undefined) return { kind: 'number', value: Number(word.replace(/^\+/, '')), source, start: at, end: i }
  return { kind: 'text', value: word, source, start: at, end: i }
}

/** Why something that looks like a number is none in JSON; undefined when it does not look like one. */
function numberFault(word: string): string | undefined {
  if (word.length > 60) return undefined
  for (const [looks, fault] of numberFaults) if (looks.test(word)) return fault
  return undefined
}

const numberFaults: readonly (readonly [looks: RegExp, fault: string])[] = [
  [/^[-+]?0[xob][0-9a-f]+$/i, 'only decimal notation'],
  [/^\+[0-9.]+$/, 'no `+` before it'],
  [/^[-+]?0[0-9]+(\.[0-9]*)?$/, 'no leading zero'],
  [/^-?\.[0-9]+$/, 'a digit before the point'],
  [/^-?[0-9]+\.$/, 'a digit after the point'],
  [/^-?[0-9]+\.[eE][-+0-9]*$/, 'a digit after the point'],
  [/^-?[0-9.]+[eE][-+]?$/, 'a digit in the exponent'],
  [/^[-+]?[0-9]+(_[0-9]+)+$/, 'no `_` between digits'],
  [/^[-+]+$/, 'a digit after the sign'],
  [/^-?[0-9]+(\.[0-9]*){2,}$/, 'only one point; if it is meant as text, quote it'],
]

function readSingleQuoted(state: State): TextNode {
  const start = state.at
  const before = state.diagnostics.length
  const node = readEscaped(state, start, start + 1, 39)
  if (state.diagnostics.length === before && !state.guessed) {
    const message = 'a text in single quotes: JSON knows only double quotes'
    fixable(state, start, node.end, JSON.stringify(node.value), message, `write ${quoted(node.value)}`)
  }
  return node
}

function readOddKey(state: State, c: number, map: OpenMap): TextNode | undefined {
  const { source, text, at } = state
  if (c === end) unclosed(state, map)
  else if (c === 39) return readSingleQuoted(state)
  else if (c === comma) fixable(state, at, at + 1, '', 'a comma with no entry before it', 'remove it')
  else if (isWordCharacter(c) || c === 42 || c === 45 || c === 60) {
    let i = at
    while (text.charCodeAt(i) > 34 && !":,{}[]'".includes(text[i] as string)) i++
    state.at = i
    const value = text.slice(at, i)
    state.wide = isWide(value)
    fixable(state, at, i, JSON.stringify(value), `the key \`${visible(shortened(value))}\` is not quoted`, `write ${quoted(value)}`)
    return { kind: 'text', value, source, start: at, end: i }
  } else stop(state, at, tokenEnd(state), `expected a key in double quotes or \`}\`, found ${shown(state)}`)
  return undefined
}

/** A key is followed by something else than a colon. Whether it is taken for one, and the value comes next. */
function notColon(state: State, c: number, key: TextNode, map: OpenMap): boolean {
  const { text, at } = state
  if (c === end) unclosed(state, map)
  else if (c === comma || c === closeBrace) {
    problem(state, key.start, key.end, `no value for this key: expected \`:\`, found ${shown(state)}`)
  } else if (c === 61) {
    const to = at + (text[at + 1] === '>' ? 2 : 1)
    fixable(state, at, to, ':', `expected \`:\` after the key, found \`${text.slice(at, to)}\``, 'write `:`')
    state.at = to
    return !state.stopped
  } else if (beginsValue(c)) {
    problem(state, at, tokenEnd(state), `expected \`:\` after the key, found ${shown(state)}`, 'put a colon between key and value')
    return !state.stopped
  } else stop(state, at, tokenEnd(state), `expected \`:\` after the key, found ${shown(state)}`)
  return false
}

/** A value is followed by neither comma nor the closing bracket. */
function notSeparated(state: State, c: number, parent: OpenList | OpenMap): 'comma' | 'close' | 'stop' {
  const { source, at } = state
  const closer = parent.kind === 'list' ? ']' : '}'
  if (c === end) unclosed(state, parent)
  else if (c === closeBracket || c === closeBrace) {
    const help = `put \`${closer}\` before it, or remove it`
    problem(state, at, at + 1, `expected \`,\` or \`${closer}\`, found ${shown(state)}`, help, [
      { message: `what \`${closer}\` would close begins here`, span: { source, start: parent.start, end: parent.start + 1 } },
    ])
    // Where it does not close what is around this either, that is the next problem, and taken for an echo.
    if (!state.stopped) {
      state.guessed = true
      return 'close'
    }
  } else if (c === colon && parent.kind === 'list') {
    stop(state, at, at + 1, 'expected `,` or `]`, found `:`: a list holds values, not keys', 'use `{ }` for keys and values')
  } else if (beginsValue(c)) {
    problem(state, at, tokenEnd(state), `expected \`,\` or \`${closer}\`, found ${shown(state)}`, 'put a comma between the entries')
    if (!state.stopped) return 'comma'
  } else stop(state, at, tokenEnd(state), `expected \`,\` or \`${closer}\`, found ${shown(state)}`)
  return 'stop'
}

/** Reports text after the whole value. */
function afterDocument(state: State): void {
  const { text, at } = state
  const c = text.charCodeAt(at)
  if (c === closeBrace || c === closeBracket)
    stop(state, at, at + 1, `${shown(state)} closes nothing`, 'remove it, or put in what opens it')
  else if (c === comma || beginsValue(c)) {
    const message = c === comma ? 'expected the end of the file, found `,`' : 'a second value: a JSON file holds one'
    stop(state, at, tokenEnd(state), message, 'put several values into a list: `[…, …]`')
  } else stop(state, at, tokenEnd(state), `expected the end of the file, found ${shown(state)}`)
}

/** The text ends within a list or object: the bracket that is not closed is shown. */
function unclosed(state: State, parent: OpenList | OpenMap): void {
  const [opener, closer] = parent.kind === 'list' ? ['[', ']'] : ['{', '}']
  stop(state, parent.start, parent.start + 1, `this \`${opener}\` is never closed`, `the file ends where \`${closer}\` was expected`)
}

function beginsValue(c: number): boolean {
  return c === quote || c === 39 || c === openBrace || c === openBracket || c === 45 || isWordCharacter(c)
}

/** The end of the token at the current place: a string, a word, or a single character. */
function tokenEnd({ text, at }: State): number {
  const c = text.charCodeAt(at)
  let i = at + 1
  if (c === quote || c === 39) {
    for (; i < text.length; i++) {
      const d = text.charCodeAt(i)
      if (d === c) return i + 1
      if (d < 32) return i
      if (d === backslash) i++
    }
    return Math.min(i, text.length)
  }
  if (isWordCharacter(c)) while (isWordCharacter(text.charCodeAt(i))) i++
  return i
}

/** The token at the current place, for a message. */
function shown(state: State): string {
  const word = state.text.slice(state.at, tokenEnd(state))
  return `\`${visible(shortened(word))}\``
}

function quoted(text: string): string {
  return `\`${visible(JSON.stringify(shortened(text)))}\``
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`
}

function lineEnd(text: string, from: number): number {
  let i = from
  while (i < text.length && text.charCodeAt(i) !== 10 && text.charCodeAt(i) !== 13) i++
  return i
}

/** Whether the language accepts a text as JSON, as most readers do: of a key that is given twice, it takes the last. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
