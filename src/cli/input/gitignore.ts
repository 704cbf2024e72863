/**
 * The paths that a `.gitignore` file ignores, by git's rules (gitignore(5)): the last pattern that matches decides, a nearer file
 * before a farther one, and nothing below an ignored folder is looked at. The file may come from a stranger, so that patterns are
 * matched in time linear in text times pattern. The package `ignore` gives the same answers by regular expressions, which take a
 * minute for four `**` over a path of a hundred folders.
 */
export interface IgnoreFile {
  /** Its folder, relative to the top of the search with a final `/`; '' for the top itself. */
  readonly folder: string
  readonly patterns: readonly IgnorePattern[]
}

/** A pattern of paths, as files of git have it. */
export interface PathPattern {
  readonly isFolderOnly: boolean
  /** Of one segment, and so matched against the name alone, in every folder below. */
  readonly isName: boolean
  readonly segments: readonly string[]
}

interface IgnorePattern extends PathPattern {
  readonly isNegated: boolean
}

/** A pattern, without what says that it is negated. */
export function pathPattern(written: string): PathPattern {
  const isFolderOnly = written.endsWith('/')
  let pattern = isFolderOnly ? written.slice(0, -1) : written
  const isName = !pattern.includes('/')
  if (pattern.startsWith('/')) pattern = pattern.slice(1)
  return { isFolderOnly, isName, segments: pattern.split('/') }
}

/** Whether a pattern matches a path that is relative to the folder of its file. */
export function matchesPath({ isFolderOnly, isName, segments }: PathPattern, path: string, isFolder: boolean): boolean {
  if (isFolderOnly && !isFolder) return false
  return isName ? matchSegment(segments[0] as string, path.slice(path.lastIndexOf('/') + 1)) : matchPath(segments, path.split('/'))
}

export function readIgnoreFile(folder: string, text: string): IgnoreFile {
  const patterns: IgnorePattern[] = []
  for (const line of text.replace(/^\ufeff/, '').split('\n')) {
    let pattern = trimBlanks(line.endsWith('\r') ? line.slice(0, -1) : line)
    if (pattern === '' || pattern.startsWith('#')) continue
    const isNegated = pattern.startsWith('!')
    if (isNegated) pattern = pattern.slice(1)
    if (!/^\/?\/?$/.test(pattern)) patterns.push({ isNegated, ...pathPattern(pattern) })
  }
  return { folder, patterns }
}

/** A line without final blanks; one after a backslash counts. */
function trimBlanks(line: string): string {
  let end = line.length
  while (end > 0 && line[end - 1] === ' ' && !isEscaped(line, end - 1)) end--
  return line.slice(0, end)
}

function isEscaped(line: string, at: number): boolean {
  let backslashes = 0
  while (line[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

/**
 * Whether a path is ignored. `files` are those of the folders above it, farthest first; `path` is relative to the top of the
 * search, with `/`. Its parents must have been asked before: a path in an ignored folder is ignored, even if this function denies
 * it.
 */
export function isIgnored(files: readonly IgnoreFile[], path: string, isFolder: boolean): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  for (let i = files.length - 1; i >= 0; i--) {
    const { folder, patterns } = files[i] as IgnoreFile
    const below = path.slice(folder.length).split('/')
    for (let j = patterns.length - 1; j >= 0; j--) {
      const { isNegated, isFolderOnly, isName, segments } = patterns[j] as IgnorePattern
      if (isFolderOnly && !isFolder) continue
      if (isName ? matchSegment(segments[0] as string, name) : matchPath(segments, below)) return !isNegated
    }
  }
  return false
}

/** Whether a path matches. `**` matches any number of folders; as the last segment, at least one thing below. */
function matchPath(pattern: readonly string[], path: readonly string[]): boolean {
  let p = 0
  let s = 0
  let star = -1
  let resume = 0
  while (s < path.length) {
    if (pattern[p] === '**') {
      if (p === pattern.length - 1) return true
      star = ++p
      resume = s
    } else if (p < pattern.length && matchSegment(pattern[p] as string, path[s] as string)) {
      p++
      s++
    } else if (star >= 0) {
      p = star
      s = ++resume
    } else return false
  }
  return p === pattern.length
}

/** One segment: `*` any run, `?` any character, `[…]` one of a set, `\` takes the next character as it is. */
function matchSegment(pattern: string, text: string): boolean {
  let p = 0
  let t = 0
  let star = -1
  let resume = 0
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = ++p
      resume = t
      continue
    }
    const next = p < pattern.length ? matchOne(pattern, p, text[t] as string) : undefined
    if (next !== undefined) {
      p = next
      t++
    } else if (star >= 0) {
      p = star
      t = ++resume
    } else return false
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}

/** The next place in the pattern when its part at `at` matches the character; undefined when it does not. */
function matchOne(pattern: string, index: number, character: string): number | undefined {
  const c = pattern[index]
  if (c === '?') return index + 1
  if (c === '\\') return pattern[index + 1] === character ? index + 2 : undefined
  if (c !== '[') return c === character ? index + 1 : undefined
  let i = index + 1
  const isNegated = pattern[i] === '!' || pattern[i] === '^'
  if (isNegated) i++
  let isFound = false
  for (let first = true; first || pattern[i] !== ']'; first = false) {
    if (i >= pattern.length) return undefined
    const named = /^\[:(\w+):\]/.exec(pattern.slice(i, i + 12))
    if (named) {
      const members = classes.get(named[1] as string)
      // As in git, a pattern with a class that does not exist matches nothing.
      if (!members) return undefined
      isFound ||= members.test(character)
      i += named[0].length
      continue
    }
    if (pattern[i] === '\\') i++
    const low = pattern[i++] ?? ''
    let high = low
    if (pattern[i] === '-' && pattern[i + 1] !== undefined && pattern[i + 1] !== ']') {
      i += pattern[i + 1] === '\\' ? 2 : 1
      high = pattern[i++] ?? ''
    }
    isFound ||= low <= character && character <= high
  }
  return isFound !== isNegated ? i + 1 : undefined
}

const classes: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    alnum: /[A-Za-z0-9]/,
    alpha: /[A-Za-z]/,
    blank: /[ \t]/,
    digit: /[0-9]/,
    lower: /[a-z]/,
    punct: /[!-/:-@[-`{-~]/,
    space: /\s/,
    upper: /[A-Z]/,
    xdigit: /[0-9A-Fa-f]/,
  }),
)
