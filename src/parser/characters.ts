import type { Diagnostic } from '../diagnostic.ts'
import type { Source } from '../source.ts'
import { isSpelling } from '../spelling.ts'
import { type Edits, withFix } from '../texts.ts'
import { limits } from './limits.ts'

/**
 * Characters that make a file read differently from what it shows: controls, invisible and direction-changing ones, line
 * breaks that only some programs honour, halves of a surrogate pair.
 */
const stray = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|\r(?!\n)/gu

/**
 * The stray characters of a text, but for those that belong to its spelling. They are warnings (but see `./weight.ts`); half a
 * surrogate pair is an error. `controls`: also those below U+0020, and a CR without LF. `breaking`: offsets where the notation
 * allows no such character.
 */
export function strayCharacters(
  source: Source,
  { controls, breaking }: { readonly controls: boolean; readonly breaking?: ReadonlySet<number> },
): Diagnostic[] {
  const problems: Diagnostic[] = []
  // A quick check: most texts are plain ASCII.
  if (!/[^\t\n\x20-\x7e]/.test(source.text)) return problems
  for (const match of source.text.matchAll(stray)) {
    const start = match.index
    const character = match[0]
    const isBreaking = breaking?.has(start) === true
    if (!isBreaking && ((!controls && character < ' ') || isSpelling(source.text, start))) continue
    const problem = strayCharacter(source, start, start + character.length)
    problems.push(isBreaking ? { ...problem, severity: 'error' } : problem)
    if (problems.length === limits.problems) break
  }
  return problems
}

function strayCharacter(source: Source, start: number, end: number): Diagnostic {
  const point = source.text.codePointAt(start) as number
  const isMark = point === 0xfeff && start === 0
  return {
    code: 'stray-character',
    severity: isSurrogate(point) ? 'error' : 'warning',
    message: `U+${point.toString(16).toUpperCase().padStart(4, '0')} ${nameOf(point, start)}`,
    span: { source, start, end },
    help: isMark ? 'save the file as UTF-8 without a byte order mark' : 'remove it',
    ...withFix('remove it', isOnlyNoise(point), [{ span: { source, start, end }, text: '' }]),
  }
}

/**
 * Whether characters may make the text around them read as something else: they change its direction, steer a terminal, or end
 * a line for some programs only.
 */
export function isMisleading({ source, start, end }: { readonly source: Source; readonly start: number; readonly end: number }): boolean {
  return misleading.test(source.text.slice(start, end))
}

/** Whether without this character the text says the same: an invisible one, but for those that join and part letters. */
function isOnlyNoise(point: number): boolean {
  return /\p{Cf}/u.test(String.fromCodePoint(point)) && point !== 0x200c && point !== 0x200d
}

function nameOf(point: number, index: number): string {
  if (point === 0xfeff && index === 0) return '(byte order mark) before the text: not every parser skips it'
  if (point === 13) return '(carriage return) without a line feed: only some programs end the line here'
  if (isSurrogate(point)) return 'is half of a surrogate pair and stands for no character'
  if (point === 0x2028 || point === 0x2029) return '(line separator) looks like the end of a line and is none'
  if (bidirectional.test(String.fromCodePoint(point))) return 'changes the direction of the text: the file would not say what it shows'
  if (point < 0x20 || (point >= 0x7f && point <= 0x9f)) return 'is a control character'
  return 'is invisible: the file would not say what it shows'
}

const bidirectional = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
const misleading = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Cc}\p{Zl}\p{Zp}]/u

function isSurrogate(point: number): boolean {
  return point >= 0xd800 && point <= 0xdfff
}

/**
 * The composed form (Unicode NFC): equal for strings that look the same. A string with too many marks on one letter is returned
 * unchanged, since composing takes time that grows with their square; see `compositionProblem`.
 */
export function toNfc(text: string): string {
  return manyMarks.test(text) ? text : text.normalize('NFC')
}

/** Thirty marks in a row: what the stream-safe text format of Unicode (UAX 15, section 13) allows. */
const manyMarks = /\p{M}{31}/u

/** Whether a text is in composed form, with no more marks on a letter than any script uses. */
export function isNfc(text: string): boolean {
  return !manyMarks.test(text) && text.normalize('NFC') === text
}

/** A text that is not in composed form: it looks like another text and is not equal to it. A warning, see `./weight.ts`. */
export function compositionProblem(value: string, source: Source, start: number, end: number): Diagnostic | undefined {
  if (isNfc(value) || isExplicit(source.text.slice(start, end))) return undefined
  const span = { source, start, end }
  if (manyMarks.test(value)) {
    return {
      code: 'stray-character',
      severity: 'warning',
      message: 'more than thirty combining marks on one letter: no script has such letters',
      span,
      help: 'remove them',
    }
  }
  return {
    code: 'stray-character',
    severity: 'warning',
    message: 'a letter is written as two characters here (letter and accent): the text looks like another one that it is not equal to',
    span,
    help: 'write it in composed form (Unicode NFC)',
    ...withFix('write it in composed form', true, composing(source, start, end)),
  }
}

/** Whether a string is written with an escape for every mark in it, so that it cannot be mistaken for another one. */
function isExplicit(raw: string): boolean {
  return isNfc(raw) && !/\p{M}/u.test(raw)
}

function composing(source: Source, start: number, end: number): Edits {
  const raw = source.text.slice(start, end)
  const text = toNfc(raw)
  return text === raw ? undefined : [{ span: { source, start, end }, text }]
}

/** Whether a text holds any stray character, controls included. */
export function hasStray(text: string): boolean {
  for (const { index } of text.matchAll(stray)) if (!isSpelling(text, index)) return true
  return false
}

/** Whether the reader need not judge this character itself, because `strayCharacters` does. */
export function isStray(point: number): boolean {
  return String.fromCodePoint(point).search(stray) === 0
}

/** The first offset at or after `from` of half a surrogate pair, or -1. */
export function loneSurrogate(text: string, from = 0): number {
  for (let i = from; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c < 0xd800 || c > 0xdfff) continue
    const next = text.charCodeAt(i + 1)
    if (c > 0xdbff || !(next >= 0xdc00 && next <= 0xdfff)) return i
    i++
  }
  return -1
}
