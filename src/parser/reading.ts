import type { Diagnostic, Related } from '../diagnostic.ts'
import { visible } from '../names.ts'
import type { Source, Span } from '../source.ts'
import type { Node, TextNode, UnknownNode } from '../tree.ts'
import { toNfc } from './characters.ts'
import { limits } from './limits.ts'

/** The result of reading one text. */
export interface Reading {
  /** The documents that were understood, whole or in part; one for JSON, any number for YAML. */
  readonly documents: readonly Node[]
  readonly diagnostics: readonly Diagnostic[]
  /** Nothing was read: a limit was passed, or there is nothing in it. `diagnostics` says which. */
  readonly refused: boolean
  /** Nothing was read, and the full YAML reader would: hand it in (see `readTree`). Then `refused` is true too. */
  readonly needsYaml?: true
  /** The unknown values in the documents; absent where the notation has none. */
  readonly unknowns?: readonly UnknownNode[]
  /** Its comments, for notations whose comments are found while they are read. */
  readonly comments?: readonly Span[]
}

/** A problem of notation: the file is not well-formed. */
export function syntaxError(
  source: Source,
  start: number,
  end: number,
  message: string,
  help?: string,
  related?: readonly Related[],
): Diagnostic {
  return {
    code: 'syntax',
    severity: 'error',
    message,
    span: { source, start, end },
    ...(help !== undefined && { help }),
    ...(related && { related }),
  }
}

/** The same at a place. */
export function syntaxErrorAt({ source, start, end }: Span, message: string, help?: string, related?: readonly Related[]): Diagnostic {
  return syntaxError(source, start, end, message, help, related)
}

/** A problem of shape: the file is well-formed, and is not what it should be. */
export function shapeErrorAt({ source, start, end }: Span, message: string, help?: string): Diagnostic {
  return { code: 'shape', severity: 'error', message, span: { source, start, end }, ...(help !== undefined && { help }) }
}

/** The answer for a text that is not read at all. */
export function refuse(source: Source, start: number, end: number, message: string, help?: string): Reading {
  return { documents: [], diagnostics: [syntaxError(source, start, end, message, help)], refused: true }
}

/** The answer for YAML with more tokens than are read; `at` is about where there are too many. */
export function refuseFlood(source: Source, at: number): Reading {
  return refuse(source, at, at + 1, `more than ${limits.yamlTokens} tokens: the file is not read`, 'split it into several files')
}

/** A key for comparison: two keys are the same when their strings are, after Unicode composition (NFC): they look the same to a reader. */
export function sameKey(key: string): string {
  for (let i = 0; i < key.length; i++) if (key.charCodeAt(i) > 0x7e) return toNfc(key)
  return key
}

/** The second of two entries with one key. */
export function duplicateKey(second: TextNode, first: TextNode): Diagnostic {
  return syntaxError(
    second.source,
    second.start,
    second.end,
    `the key \`${visible(shortened(second.value))}\` is given twice: other parsers silently keep only the last one, and what the first one says is lost`,
    'put everything under one key, or remove one of them',
    [{ message: 'first given here', span: { source: first.source, start: first.start, end: first.end } }],
  )
}

/** As much of the input as a message quotes. */
export function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

/** There is nothing in the file: refused, since nothing was checked. */
export function emptyFile(source: Source): Diagnostic {
  return syntaxError(
    source,
    0,
    source.text.length,
    'the file is empty',
    'a file that holds nothing is never taken for a clean one: fill it or remove it',
  )
}
