import { Refusal } from '../app/refusal.ts'

/** The words of a line, and the last of them as far as it is written. */
export interface Words {
  readonly words: readonly string[]
  /** Where the last word starts in the line. */
  readonly start: number
  /** The quote that is open at the end; `\\` where the line ends in it. */
  readonly open: string
  /** The line ends in a comment. */
  readonly isComment: boolean
}

/** Split a line as a shell does: quotes, backslashes, and a comment from a word that begins with `#`. */
export function splitWords(line: string): Words {
  const words: string[] = []
  let word: string | undefined
  let start = line.length
  let open = ''
  for (let index = 0; index < line.length; index++) {
    const c = line.charAt(index)
    if (open === "'" || open === '"') {
      if (c === open) open = ''
      else if (c === '\\' && open === '"' && /["\\]/.test(line.charAt(index + 1))) word += line.charAt(++index)
      else word += c
      continue
    }
    if (/\s/.test(c)) {
      if (word !== undefined) words.push(word)
      word = undefined
      start = line.length
      continue
    }
    if (word === undefined) {
      if (c === '#') return { words, start: line.length, open, isComment: true }
      word = ''
      start = index
    }
    if (c === "'" || c === '"') open = c
    else if (c !== '\\') word += c
    else if (index + 1 < line.length) word += line.charAt(++index)
    else open = c
  }
  if (word !== undefined) words.push(word)
  return { words, start, open, isComment: false }
}

/** The words of a whole line. Throws a refusal where a quote stays open. */
export function wordsOf(line: string): readonly string[] {
  if (!/['"\\#]/.test(line)) return line.split(/\s+/).filter((word) => word !== '')
  const { words, open } = splitWords(line)
  if (open !== '') throw new Refusal(open === '\\' ? 'the line ends in a backslash' : `the quote ${open} is not closed`)
  return words
}

/** A word as it is written in a line. */
export function quoted(word: string): string {
  if (/^[\w@%+=:,./*~-]+$/.test(word)) return word
  return `'${word.replaceAll("'", `'\\''`)}'`
}
