import { matchesPath, type PathPattern, pathPattern } from './gitignore.ts'

/**
 * The attributes of paths in `.gitattributes` files, by git's rules (gitattributes(5)): a nearer file before a farther one, a
 * later line before an earlier one, each attribute by itself. Parsed here, since git reads those of a commit only since 2.43, and
 * is not started where no commit is named.
 */
export interface AttributeFile {
  /** Its folder, relative to the top of the repository with a final `/`; '' for the top itself. */
  readonly folder: string
  readonly lines: readonly AttributeLine[]
  /** It has precedence over all others, in any folder: that of a clone. */
  readonly isLast?: true
}

interface AttributeLine {
  readonly pattern: PathPattern
  readonly states: readonly State[]
  /** The line defines this macro, and is about no path. */
  readonly macro?: string
}

interface State {
  readonly name: string
  readonly value: AttributeValue
}

/** Set, unset, or a text; undefined where a line says that it is not specified. */
type AttributeValue = boolean | string | undefined

/** The longest line that every version of git reads. */
const longest = 2047

/** Read a file, or say why its lines do not mean the same to every version of git. */
export function readAttributeFile(folder: string, text: string, isTop = folder === ''): AttributeFile | string {
  const lines: AttributeLine[] = []
  for (const written of text.replace(/^\ufeff/, '').split('\n')) {
    if (Buffer.byteLength(written) > longest) return `a line of more than ${longest} bytes, which not every version of git reads`
    if (written.includes('\0')) return 'a NUL byte'
    const line = readLine(written, isTop)
    if (line) lines.push(line)
  }
  return { folder, lines }
}

function readLine(line: string, isTop: boolean): AttributeLine | undefined {
  const [first = '', rest] = firstWord(line.replace(/^[ \t\r]+/, ''))
  if (first === '' || first.startsWith('#') || first.startsWith('!')) return undefined
  const states = rest
    .split(/[ \t\r]+/)
    .filter(Boolean)
    .map(stateOf)
  // A line with a name that is none is left out whole.
  if (states.some(({ name }) => !/^[\w.][-\w.]*$/.test(name))) return undefined
  if (!first.startsWith('[attr]')) return { pattern: pathPattern(first), states }
  const macro = first.slice('[attr]'.length)
  return isTop && macro !== '' ? { pattern: pathPattern(''), states, macro } : undefined
}

/** The pattern at the start of a line, and the rest. It may be quoted like a string of C. */
function firstWord(line: string): readonly [string, string] {
  const quoted = /^"((?:[^"\\]|\\.)*)"(?=[ \t\r]|$)/.exec(line)
  if (quoted) return [unquoted(quoted[1] as string), line.slice(quoted[0].length)]
  const end = line.search(/[ \t\r]/)
  return end < 0 ? [line, ''] : [line.slice(0, end), line.slice(end)]
}

const escapes: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

function unquoted(text: string): string {
  const bytes = text.replace(/\\([0-7]{3}|.)/g, (_, each: string) =>
    each.length === 3 ? String.fromCharCode(Number.parseInt(each, 8)) : (escapes[each] ?? each),
  )
  // Escaped bytes may be those of one character.
  return /\\[0-7]{3}/.test(text) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes
}

function stateOf(word: string): State {
  if (word.startsWith('-')) return { name: word.slice(1), value: false }
  if (word.startsWith('!')) return { name: word.slice(1), value: undefined }
  const equals = word.indexOf('=')
  return equals < 0 ? { name: word, value: true } : { name: word.slice(0, equals), value: word.slice(equals + 1) }
}

/** The attributes of a path in files above it, farthest first. `isFolder`: the path is one of a folder. */
export function attributesOf(files: readonly AttributeFile[], path: string, isFolder = false): ReadonlyMap<string, AttributeValue> {
  const values = new Map<string, AttributeValue>()
  const ordered = [...files.filter(({ isLast }) => !isLast), ...files.filter(({ isLast }) => isLast)]
  const all = ordered.flatMap(({ folder, lines }) => lines.map((line) => ({ folder, line }))).reverse()
  const macros = new Map<string, readonly State[]>()
  for (const { line } of all) if (line.macro !== undefined && !macros.has(line.macro)) macros.set(line.macro, line.states)
  const fill = (states: readonly State[]) => {
    for (const { name, value } of [...states].reverse()) {
      if (values.has(name)) continue
      values.set(name, value)
      if (value === true) fill(macros.get(name) ?? [])
    }
  }
  for (const { folder, line } of all) {
    if (line.macro !== undefined || !path.startsWith(folder)) continue
    if (matchesPath(line.pattern, path.slice(folder.length), isFolder)) fill(line.states)
  }
  return values
}

/** How what is deployed of a file may differ from what a commit holds of it. */
export interface Rewriting {
  /** The attribute, as it is written. */
  readonly attribute: string
  /** The reason, in words. */
  readonly why: string
  /** It only happens where the text holds this. */
  readonly mark?: string
}

/**
 * The attributes by which a checkout, or an archive, has other content of a file than the commit. Line ends do not count: no
 * notation of policies gives them a meaning within a name, a pattern or an address.
 */
export function rewritingsOf(files: readonly AttributeFile[], path: string): readonly Rewriting[] {
  if (files.length === 0) return []
  const attributes = attributesOf(files, path)
  const rewritings: Rewriting[] = []
  const encoding = attributes.get('working-tree-encoding')
  if (encoding === true || (typeof encoding === 'string' && !/^utf-?8$/i.test(encoding)))
    rewritings.push({
      attribute: typeof encoding === 'string' ? `working-tree-encoding=${encoding}` : 'working-tree-encoding',
      why: 'a checkout holds it in another encoding than the commit',
    })
  const filter = attributes.get('filter')
  if (typeof filter === 'string') rewritings.push({ attribute: `filter=${filter}`, why: 'a checkout holds what the filter makes of it' })
  if (attributes.get('ident') === true) rewritings.push({ attribute: 'ident', why: 'a checkout writes a hash into it', mark: '$Id' })
  if (attributes.get('export-subst') === true)
    rewritings.push({ attribute: 'export-subst', why: 'an archive holds other words in it', mark: '$Format:' })
  const parts = path.split('/')
  const isLeftOut = parts.some((_, i) => {
    const isFolder = i < parts.length - 1
    const states = isFolder ? attributesOf(files, parts.slice(0, i + 1).join('/'), true) : attributes
    return states.get('export-ignore') === true
  })
  if (isLeftOut) rewritings.push({ attribute: 'export-ignore', why: 'an archive does not hold it', mark: 'urn:v1:' })
  return rewritings
}

/** The rewriting that happens to a text; undefined where none does. */
export function rewritingOf(rewritings: readonly Rewriting[], text: string): Rewriting | undefined {
  return rewritings.find(({ mark }) => mark === undefined || text.includes(mark))
}

/** The message about it. */
export function rewritingMessage({ attribute, why }: Rewriting): string {
  return `\`${attribute}\` of \`.gitattributes\`: ${why}, so that what is read is not what is deployed`
}
