/** A part of a text: two offsets. */
type Part = readonly [start: number, end: number]

/**
 * For each line of a text, whether it begins within something of several lines: a string, a template, a document in a script, a block of
 * comments. Undefined where the reading is not sure.
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

/** The longest text that is looked through. */
const most = 2 ** 20

function partsIn(text: string, language: string): readonly Part[] | undefined {
  if (language !== 'js' && language !== 'go' && language !== 'py' && ofOthers.test(text)) return undefined
  if (!/<<|`|"""|'''/.test(text)) return []
  if (text.length > most) return undefined
  if (language === 'js') return inScript(text)
  if (language === 'go' || language === 'py') return inTokens(text, language === 'go' ? ofGo : ofPython)
  return /"""|'''/.test(text) || (language !== '' && text.includes('`')) ? undefined : documentsIn(text, language)
}

/** Texts of several lines as PHP, PowerShell, Jsonnet and Nix write them, which are not looked through. */
const ofOthers = /<<<["']?[A-Za-z_]\w*["']?\r?$|@["']\r?$|\|\|\||[=+(] ''\r?$/m

/** Strings and comments, of which some may have several lines; then the start of one that does not end as it must. */
const ofGo = /`[^`]*`|\/\*[\s\S]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|(["'`]|\/\*)/g
const ofPython = /"""(?:[^\\]|\\[\s\S])*?"""|'''(?:[^\\]|\\[\s\S])*?'''|#.*|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|(["'])/g

function inTokens(text: string, tokens: RegExp): readonly Part[] | undefined {
  const parts: Part[] = []
  for (const { 0: token, 1: open, index } of text.matchAll(tokens)) {
    // A string within one of its own kind may have hidden what a comment seems to be.
    if (open !== undefined || (/^(?:#|\/\/)/.test(token) && /"""|'''|`/.test(token))) return undefined
    parts.push([index, index + token.length])
  }
  return parts
}

/** The parts of JavaScript: comments, strings and templates. A slash begins a pattern, or divides. */
function inScript(text: string): readonly Part[] | undefined {
  const parts: Part[] = []
  const signs = /\/\*[\s\S]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|[`{}/"']/g
  const templateSigns = /\\[\s\S]|`|\$\{/g
  const patterns = /\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y
  // The braces that are open in the expression of each open template.
  const open: number[] = []
  let start = 0
  let afterComment = 0
  const toEndOfText = (from: number): number | undefined => {
    templateSigns.lastIndex = from
    for (let match = templateSigns.exec(text); match; match = templateSigns.exec(text)) {
      if (match[0] === '`') {
        if (open.length === 0) parts.push([start, templateSigns.lastIndex])
        return templateSigns.lastIndex
      }
      if (match[0] === '${') {
        open.push(0)
        return templateSigns.lastIndex
      }
    }
    return undefined
  }
  let place: number | undefined = 0
  while (place !== undefined) {
    signs.lastIndex = place
    const match = signs.exec(text)
    if (!match) return open.length === 0 ? parts : undefined
    const { 0: token, index } = match
    place = signs.lastIndex
    const depth = open.at(-1)
    if (token === '"' || token === "'") return undefined
    if (/^\/[/*]/.test(token)) afterComment = place
    if (token === '`') {
      if (depth === undefined) start = index
      place = toEndOfText(place)
    } else if (token === '{' && depth !== undefined) open[open.length - 1] = depth + 1
    else if (token === '}' && depth !== undefined) {
      if (depth > 0) open[open.length - 1] = depth - 1
      else {
        open.pop()
        place = toEndOfText(place)
      }
    } else if (token === '/') {
      const before = text.slice(Math.max(afterComment, index - 40), index).trimEnd()
      const isFirst = before === '' && afterComment > 0
      if (
        isFirst ||
        (/(?:[\w$\])}]|\+\+|--)$/.test(before) && !/\b(?:return|typeof|case|in|of|do|else|yield|await|void|delete)$/.test(before))
      ) {
        // It divides, but for a pattern after the head of a statement.
        const rest = /.*/.exec(text.slice(place)) as RegExpExecArray
        if ((isFirst || /[)}]$/.test(before)) && /["'`]/.test(rest[0])) return undefined
        continue
      }
      patterns.lastIndex = index
      if (!patterns.test(text)) return undefined
      place = patterns.lastIndex
    } else if (depth === undefined && token.length > 1) parts.push([index, place])
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
