// Functions for generated pages, and the descriptions of all pages.

/** A text for a page: what would be markup there is text, besides code. */
export const prose = (text) =>
  text
    .split(/(`[^`]*`)/)
    .map((part, i) => (i % 2 === 1 ? part : part.replace(/[<>{}*_]/g, (c) => `&#${c.charCodeAt(0)};`)))
    .join('')

/** A text for a cell of a table. */
export const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** A text with its parts outside of code changed. */
export const outsideCode = (text, change) => changed(text.split(/(^```.*?^```$|`[^`\n]*`)/gms), change)

/** A text with its parts outside of blocks of code changed, which are whole lines. */
export const outsideFences = (text, change) => changed(text.split(/(^```.*?^```$)/gms), change)

/** Parts of which every second one is code. */
const changed = (parts, change) => parts.map((part, i) => (i % 2 === 0 ? change(part) : part)).join('')

/** A text as a sentence. */
export const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

export const titleOf = (text) => /^# (.+)$/m.exec(text)?.[1] ?? ''

/** The characters that search engines show. */
const most = 160

/** The description of a page: the words of the first paragraph, as far as they fit; '' where it has none. */
export function descriptionOf(text) {
  const blocks = text
    .replace(/^---\n.*?\n---\n/s, '')
    .replaceAll(/^(```+).*?^\1$/gms, '')
    .split(/\n{2,}/)
    .map((block) => block.trim())
  const paragraph = blocks.find((block) => block !== '' && !/^(?:[#|<>!]|:::|[-*+] |\d+\. |\[[^\]]*\]: )/.test(block))
  return paragraph === undefined ? '' : shortened(wordsOf(paragraph))
}

/** A paragraph of Markdown without its markup. */
function wordsOf(paragraph) {
  return paragraph
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<[^>]*>|[`*]|\\(?=[^\w\s])/g, '')
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Whole sentences that fit, else words. */
function shortened(words) {
  if (words.length <= most) return words
  const fitting = words.slice(0, most + 1)
  const end = fitting.lastIndexOf('. ')
  return end > most / 2 ? fitting.slice(0, end + 1) : `${fitting.slice(0, fitting.lastIndexOf(' ', most - 1)).replace(/[,;:]$/, '')}…`
}
