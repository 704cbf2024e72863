import { lineOf, lineStarts, type Range, type Source } from '../source.ts'

/** The most columns of a list or an object that is written on one line. */
export const width = 140

/** Whether a part of a text is on one line. */
export function isOnOneLine(source: Source, { start, end }: Range): boolean {
  return lineOf(source, start) === lineOf(source, Math.max(start, end - 1))
}

/** Whether only blanks are in front of an offset on its line. */
export function beginsLine({ text }: Source, offset: number): boolean {
  let i = offset
  while (isBlank(text[i - 1])) i--
  return i === 0 || text[i - 1] === '\n' || (i === 1 && text[0] === '\ufeff')
}

/** Whether a part begins its line, if need be behind brackets that are opened there, and the line above it is blank. */
export function hasBlankLineAbove(source: Source, offset: number): boolean {
  const { text } = source
  const starts = lineStarts(source)
  let start = offset
  while (' \t[{'.includes(text[start - 1] ?? '\n')) start--
  const line = lineOf(source, offset)
  return line > 0 && start === starts[line] && text.slice(starts[line - 1], start).trim() === ''
}

/** A text without the blanks at its end. */
export function withoutBlanksAtEnd(text: string): string {
  let end = text.length
  while (isBlank(text[end - 1]) || text[end - 1] === '\r') end--
  return text.slice(0, end)
}

function isBlank(c: string | undefined): boolean {
  return c === ' ' || c === '\t'
}

/** A text with the line breaks of another one: those of its first line. Written with line feeds, and without a byte order mark. */
export function withLineBreaksOf(text: string, original: string): string {
  const lineBreak = original.indexOf('\n')
  return original[lineBreak - 1] === '\r' ? text.replaceAll('\n', '\r\n') : text
}
