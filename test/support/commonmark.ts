import { Parser } from 'commonmark'
import { type FenceNotation, fencesIn, notationOf, textOfFence } from '../../src/parser/markdown.ts'
import { sourceOf } from '../../src/source.ts'

/** The fenced code blocks of a text of Markdown that are of a notation that is read, as `NOTATION: TEXT`. */

/** As the reference implementation of CommonMark finds them. */
export function libraryFences(text: string): readonly string[] {
  const found: string[] = []
  const walker = new Parser().parse(text.replaceAll(/\r\n?/g, '\n')).walker()
  for (let event = walker.next(); event; event = walker.next()) {
    const { type, info, literal } = event.node
    // Code by indentation has no info.
    const notation = type === 'code_block' && typeof info === 'string' ? notationOf(info) : undefined
    if (event.entering && notation) found.push(shown(notation, literal ?? ''))
  }
  return found
}

/** As our reader finds them. */
export function ownFences(text: string): readonly string[] {
  return fencesIn(sourceOf('r.md', text)).fences.map((fence) => shown(fence.notation, textOfFence(fence).text))
}

/** Without the blanks before each line: where a mark takes a part of a tab, the rest of it is no part of the text to us. */
function shown(notation: FenceNotation, text: string): string {
  // The library ends the last line of a file that does not.
  const lines = text === '' || /[\n\r]$/.test(text) ? text : `${text}\n`
  return `${notation}: ${lines.replaceAll(/\r\n?/g, '\n').replace(/^[ \t]+/gm, '')}`
}

/**
 * Where the two differ: definitions of links, which we do not read (a line of `=` behind one is text), an info with an escape or a
 * reference to a character, a mark of the byte order, which is no text to us, and NUL, which is another character to the library.
 */
export const isUnknownToFences = (text: string) => /\]:|^\ufeff|\0|^.*(?:`{3}|~{3}).*[\\&]/m.test(text)
