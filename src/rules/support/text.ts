import { visible } from '../../names.ts'

const longest = 120

/** The user's text in a message: in backticks, on one line, cut when it is very long. */
export function quote(text: string): string {
  return `\`${visible(text.length > longest ? `${text.slice(0, longest)}…` : text)}\``
}

/** `a`, `b` and 3 more: at most `most` of the strings, each quoted. */
export function some(texts: readonly string[], most = 4): string {
  const shown = texts.slice(0, texts.length > most + 1 ? most : texts.length).map(quote)
  if (shown.length < texts.length) return `${shown.join(', ')} and ${texts.length - shown.length} more`
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

/** The help for a word with a likely intention behind it. */
export function didYouMean(suggestion: string): string {
  return `did you mean ${quote(suggestion)}?`
}
