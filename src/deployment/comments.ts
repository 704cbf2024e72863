import { readShell } from '../parser/shell.ts'

/** A part of a text: two offsets. */
type Part = readonly [start: number, end: number]

/**
 * For each line of a text, whether it begins within something of several lines: a string, a template, a document in a script, a block of
 * comments. Undefined where the reading is not sure: what is taken for a comment does not count, so that a guess could hide a change. The
 * tokens of `src/code` pass over what they do not understand, and do not say so.
 */
export function linesWithin(text: string, language: string): readonly boolean[] | undefined {
  const parts = partsIn(text, language)
  if (parts === undefined) return undefined
  const within: boolean[] = []
  let next = 0
  for (let start = 0; ; ) {
    while (next < parts.length && (parts[next] as Part)[1] <= start) next++
    within.push(next < parts.length && (parts[next] as Part)[0] < start)
    const end = text.indexOf('\n', start)
    if (end < 0) return within
    start = end + 1
  }
}

/** Where the comments at the ends of lines of a script of a shell begin, by lines: after how many characters. */
export function trailingIn(text: string): ReadonlyMap<number, number> {
  const columns = new Map<number, number>()
  let [line, start] = [0, 0]
  for (const { start: mark } of readShell(text, false).comments) {
    for (let end = text.indexOf('\n', start); end >= 0 && end < mark; end = text.indexOf('\n', start)) {
      line++
      start = end + 1
    }
    if (/\S/.test(text.slice(start, mark))) columns.set(line, mark - start)
  }
  return columns
}

/** Languages in which a comment may be behind something else, from a hash on. `''`: settings of any other form. */
const afterHash = ['', 'make', 'py', 'rb', 'pl', 'hcl', 'task', 'nix', 'ex', 'exs', 'r', 'jl', 'graphql']
const afterSlashes = 'js go java rs cs c h cc cpp hpp m mm swift dart proto'.split(' ')
export const withTrailing: ReadonlySet<string> = new Set(afterHash)

/** How the comments of a language begin. */
interface CommentForm {
  /** On a line without anything else. */
  readonly start: RegExp
  /** The parts of a line that open no string of several lines: strings, and the comment at its end. */
  readonly closed: RegExp
  /** A sign in such a line that it is more than a comment: it ends one, or begins something of several lines, or is run. */
  readonly beyond?: RegExp
}

const hash: CommentForm = {
  start: /^\s*#(?!!)/,
  closed: /\\.|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|(?:^|\s)#.*/g,
}
const slashes: CommentForm = { start: /^\s*\/\//, beyond: /\*\//, closed: /\\.|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|(?:^|\s)\/\/.*/g }
const dashes: CommentForm = { start: /^\s*--/, beyond: /\*\//, closed: /\\.|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|(?:^|\s)--.*/g }

/** By language: in one without a form, every line counts. */
export const commentForms: Readonly<Record<string, CommentForm>> = {
  ...forEach([...afterHash, 'lines', 'shell'], hash),
  // Blocks of comments of other forms may end, or begin, in such a line.
  ...forEach(['', 'hcl', 'jl'], { ...hash, beyond: /^\s*#\[=*\[|\*\/|=#|^\s*#=/ }),
  ...forEach(afterSlashes, slashes),
  // Blocks of comments may be within others, and Java reads escapes before comments.
  ...forEach(['java', 'rs', 'swift', 'dart'], { ...slashes, beyond: /\/\*|\*\/|\\u/ }),
  sql: dashes,
  php: { start: /^\s*(?:#(?!\[)|\/\/)/, beyond: /\*\/|\?>/, closed: /\\.|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|(?:^|\s)(?:#|\/\/).*/g },
}

function forEach(languages: readonly string[], form: CommentForm): Readonly<Record<string, CommentForm>> {
  return Object.fromEntries(languages.map((each) => [each, form]))
}

/** Whether a line is a comment and nothing else. Characters that end lines in some languages only may end a comment as well. */
export const isComment = (line: string, { start, beyond }: CommentForm): boolean =>
  start.test(line) && !/\r(?!$)|[\u0085\u2028\u2029]/.test(line) && beyond?.test(line.trimEnd()) !== true

/** The longest text that is looked through. */
const most = 2 ** 20

function partsIn(text: string, language: string): readonly Part[] | undefined {
  if (text.length > most) return undefined
  if (language === 'js') return text.includes('`') ? inScript(text) : []
  if (language === 'go') return /[`]|\/\*/.test(text) ? inTokens(text, ofGo) : []
  if (language === 'py') return /"""|'''/.test(text) ? inTokens(text, ofPython) : []
  if (ofOthers.test(text) || /"""|'''/.test(text) || (language === 'nix' && text.includes("''"))) return undefined
  if (language === 'shell') return inShell(text)
  if (language === 'make') return ofSettings.test(text) ? undefined : inShell(text)
  if (language === '' || language === 'lines') return ofSettings.test(text) || hasApostrophes(text) ? undefined : inShell(text)
  if (language === 'java' && ofGroovy.test(text)) return undefined
  if (text.includes('`') || hasLongStrings(text, language)) return undefined
  return text.includes('<<') ? documentsIn(text, language) : []
}

/** Whether settings have a quote within a word: a string begins there for a shell, and for no reader of values. */
const hasApostrophes = (text: string): boolean =>
  text
    .split('\n')
    .some((line) => !hash.start.test(line) && /\w'|\w"(?=\s|$)/.test(line.replace(/(?<!\w)(?:"(?:[^"\\]|\\.)*"|'[^']*')/g, '')))

/**
 * The parts of a script of a shell, and of settings, whose comments are written as those of a shell: strings and documents of several lines, and
 * whatever looks like a comment and is none.
 */
function inShell(text: string): readonly Part[] | undefined {
  const { pipelines, comments, isCut } = readShell(text, text.includes('${{'))
  if (isCut) return undefined
  const parts: Part[] = pipelines
    .flatMap(({ commands }) => commands.flatMap(({ strings }) => strings))
    .map(({ start, end }) => [start, end] as const)
    .filter(([start, end]) => text.slice(start, end).includes('\n'))
  const starts = new Set(comments.map(({ start }) => start))
  for (const { index, 1: blanks = '' } of text.matchAll(/(?<=^|\n)([ \t]*)#|(?<=[^\s#])([ \t]+)#(?=\s)/g)) {
    const mark = text.indexOf('#', index + blanks.length)
    // A line is within a part that begins before it.
    if (!starts.has(mark)) parts.push([text.lastIndexOf('\n', mark), mark + 1])
  }
  return parts.sort(([first], [second]) => first - second)
}

/** The quotes whose strings may have several lines, by languages; in others, both. */
const longQuotes: Readonly<Record<string, string>> = { java: '', rs: '"', cs: '"', nix: '"', c: '', cpp: '', h: '' }

/** Whether a text may have a string of several lines: a quote is open at the end of a line that is no comment. */
function hasLongStrings(text: string, language: string): boolean {
  const quotes = longQuotes[language] ?? `"'`
  const closed = commentForms[language]?.closed ?? ''
  return quotes !== '' && text.split('\n').some((line) => [...line.replace(closed, '')].some((character) => quotes.includes(character)))
}

/** Strings of several lines as PHP, PowerShell, Jsonnet and Nix write them, which are not looked through. */
const ofOthers = /<<<["']?[A-Za-z_]\w*["']?\r?$|@["']\r?$|\|\|\||[=+(] ''\r?$/m

/** Strings of Groovy between slashes that do not end in their lines. */
const ofGroovy = /[=(,]\s*\/(?![/*])[^/\n]*$|(?:^|[\s=(,])\$\/(?!.*\/\$)/m

/** Strings of several lines in YAML, and values of several lines in makefiles. */
const ofSettings = /:[ \t]+[|>][-+\d]*[ \t]*\r?$|^[ \t]*(?:(?:override|export|private)[ \t]+)*define[ \t]/m

/** Strings and comments, of which some may have several lines; then the start of one that does not end as it must. */
const ofGo = /`[^`]*`|\/\*[\s\S]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|(["'`]|\/\*)/g
const ofPython = /"""(?:[^\\]|\\[\s\S])*?"""|'''(?:[^\\]|\\[\s\S])*?'''|#.*|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|(["'])/g

function inTokens(text: string, tokens: RegExp): readonly Part[] | undefined {
  const parts: Part[] = []
  for (const { 0: token, 1: open, index } of text.matchAll(tokens)) {
    // A string within another of the same kind may have hidden what a comment seems to be.
    if (open !== undefined || (/^(?:#|\/\/)/.test(token) && /"""|'''|`/.test(token))) return undefined
    // An expression in a string of Python may have a string of the same kind in it, where the first one seems to end.
    const isFormat = /[ft]r?$/i.test(text.slice(Math.max(0, index - 2), index))
    const braces = token.replace(/\{\{|\}\}/g, '')
    if (isFormat && braces.split('{').length !== braces.split('}').length) return undefined
    parts.push([index, index + token.length])
  }
  return parts
}

/** Words after which a slash begins a pattern; and those that may be one, or a name. */
const beforePattern = /(?<![\p{ID_Continue}$.]|\. )(?:return|typeof|case|in|do|else|void|delete|instanceof|new|throw)$/u
const mayBeName = /(?<![\p{ID_Continue}$])(?:return|typeof|case|in|do|else|void|delete|instanceof|new|throw|of|yield|await|async|let)$/u
const pattern = /^\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//

/**
 * Where reading goes on after a slash of JavaScript that begins no comment: it begins a pattern, or divides. Undefined where that is not sure and
 * makes a difference. `code`: the end of what is before it, in which comments are blanks and a string is a quote.
 */
function afterSlash(text: string, index: number, code: string): number | undefined {
  const before = code.trimEnd()
  const written = pattern.exec(text.slice(index))?.[0]
  if (beforePattern.test(before) || /(?:^|[([{,;:=!&|?*%~^<>])$/.test(before))
    return written === undefined ? undefined : index + written.length
  if (written === undefined || (/[\w$\]"'`]$/.test(before) && !mayBeName.test(before))) return index + 1
  return /["'`{}\\]/.test(written) || /^[/*]/.test(text.slice(index + written.length)) ? undefined : index + 1
}

/** The parts of JavaScript: comments, strings and templates. Not of elements in it, where text is no code. */
function inScript(text: string): readonly Part[] | undefined {
  if (/<\/[\w>]|\/>|<!--|-->/.test(text)) return undefined
  const parts: Part[] = []
  const signs = /\/\*[\s\S]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|[`{}/"']/g
  const templateSigns = /\\[\s\S]|`|\$\{/g
  // The braces that are open in the expression of each open template.
  const open: number[] = []
  let start = 0
  // The last code before the place that is read: enough to see how a slash is meant.
  let before = ''
  const toEndOfText = (from: number): number | undefined => {
    templateSigns.lastIndex = from
    for (let match = templateSigns.exec(text); match; match = templateSigns.exec(text)) {
      if (match[0] === '`') {
        if (open.length === 0) parts.push([start, templateSigns.lastIndex])
        before = '`'
        return templateSigns.lastIndex
      }
      if (match[0] === '${') {
        open.push(0)
        before = '{'
        return templateSigns.lastIndex
      }
    }
    return undefined
  }
  let place: number | undefined = text.startsWith('#!') ? text.indexOf('\n') + 1 || text.length : 0
  while (place !== undefined) {
    signs.lastIndex = place
    const match = signs.exec(text)
    if (!match) return open.length === 0 ? parts : undefined
    const { 0: token, index } = match
    before = `${before}${text.slice(place, index)}`.replace(/\s+/g, ' ').slice(-40)
    place = signs.lastIndex
    const depth = open.at(-1)
    const isString = token.length > 1 && !token.startsWith('/')
    if (token === '"' || token === "'") return undefined
    if (token === '`') {
      if (depth === undefined) start = index
      place = toEndOfText(place)
    } else if (token === '}' && depth === 0) {
      open.pop()
      place = toEndOfText(place)
    } else if (token === '/') {
      place = afterSlash(text, index, before)
      before = place === index + 1 ? '/' : ']'
    } else if (token === '{' || token === '}') {
      if (depth !== undefined) open[open.length - 1] = depth + (token === '{' ? 1 : -1)
      before = token
    } else {
      if (depth === undefined) parts.push([index, place])
      before = isString ? '"' : `${before} `
    }
  }
  return undefined
}

/** The documents within a script: `<<END` up to a line that is END. */
function documentsIn(text: string, language: string): readonly Part[] | undefined {
  const parts: Part[] = []
  const ends: { readonly word: string; readonly sign: string }[] = []
  let first = 0
  let start = 0
  for (const line of text.split('\n')) {
    const [end] = ends
    if (end !== undefined) {
      const plain =
        end.sign === '-' ? line.replace(/^\t+/, '') : end.sign === '~' || (language === 'rb' && end.sign !== '') ? line.trim() : line
      if (plain === end.word) {
        ends.shift()
        if (ends.length === 0) parts.push([first, start])
      } else if (/<<(?!<)/.test(line)) return undefined
    } else {
      first = start
      for (const { 0: whole, 1: sign = '', 2: quote, 3: word } of line.matchAll(
        /(?<!<)<<(?!<)([-~]?)(?:[ \t]*(["'\\]?)([A-Za-z_]\w*)(?:\2|$|(?=\W)))?/g,
      )) {
        if (language === 'rb' && (/^<<\s/.test(whole) || word === undefined)) continue
        if (word === undefined || quote === undefined) return undefined
        ends.push({ word, sign })
      }
    }
    start += line.length + 1
  }
  if (ends.length > 0) parts.push([first, text.length])
  return parts
}
