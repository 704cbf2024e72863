import { pushTo } from '../collections.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { lineOf, type Source, type Span, sourceOf } from '../source.ts'
import { isJson } from '../texts.ts'
import type { Node } from '../tree.ts'
import { type Content, contentOf, writtenOf } from './content.ts'
import { formattedHcl } from './hcl.ts'
import { formattedJson } from './json.ts'
import { withLineBreaksOf } from './layout.ts'
import { formattedYaml } from './yaml.ts'

/** A formatted text, or why there is none. */
export type Formatted = { readonly text: string } | { readonly problems: readonly Diagnostic[] }

/**
 * A text of JSON, YAML or HCL in the layout of `fmt`. The result is read again: if it does not say the same, with the same comments and with
 * suppressions of the same entries, there is none.
 */
export async function formatted(source: Source): Promise<Formatted> {
  const before = await contentOf(source)
  if (before.problems.length > 0) return before
  const strayBreak = isJson(source) ? -1 : source.text.search(/\r(?!\n)/)
  if (strayBreak >= 0) return { problems: [strayCarriageReturn(source, strayBreak)] }
  return checked(source, before, laidOut(source, before))
}

/** A text in the place of that of a source, unless it does not say the same. */
export async function rewritten(source: Source, text: string): Promise<Formatted> {
  return checked(source, await contentOf(source), text)
}

async function checked(source: Source, before: Content, text: string): Promise<Formatted> {
  const after = sourceOf(source.path, text, source.notation)
  const difference = isRespaced(source, after) ? differenceOf(before, await contentOf(after), source) : saysOtherwise(source)
  return difference ? { problems: [difference] } : { text }
}

function laidOut(source: Source, { documents, comments }: Content): string {
  if (source.notation === 'hcl') return formattedHcl(source)
  const text = isJson(source) ? formattedJson(source, documents[0] as Node, comments) : formattedYaml(source, documents)
  return withLineBreaksOf(text, source.text)
}

/** The first thing that is another one after formatting; undefined where there is none. */
function differenceOf(before: Content, after: Content, source: Source): Diagnostic | undefined {
  const [problem] = after.problems
  if (problem) {
    const unreadable = refusal({ source, start: 0, end: 0 }, `formatted, this file could not be read: ${problem.message}`)
    return problem.help === undefined ? unreadable : { ...unreadable, help: problem.help }
  }
  if (after.values !== before.values) return saysOtherwise(source)
  const comment = firstDifferent(before.comments.map(writtenOf), after.comments.map(writtenOf))
  if (comment >= 0)
    return refusal(before.comments[comment] ?? { source, start: 0, end: 0 }, 'formatted, the file would lose or move this comment')
  const ignore = firstDifferent(ignoredBy(before), ignoredBy(after))
  return ignore < 0
    ? undefined
    : refusal(before.ignores[ignore]?.span ?? { source, start: 0, end: 0 }, 'formatted, this suppression would be about other entries')
}

/** Whether a file of HCL differs in blanks only. */
function isRespaced(before: Source, after: Source): boolean {
  const letters = ({ text }: Source) => text.replace(/[ \t\r\n\ufeff]+/g, '')
  return before.notation !== 'hcl' || letters(before) === letters(after)
}

/** Readers do not agree whether a line ends there. */
function strayCarriageReturn(source: Source, start: number): Diagnostic {
  const message = 'a carriage return without a line feed (U+000D): some programs end a line here, others do not'
  return { ...refusal({ source, start, end: start + 1 }, message), help: 'end lines with LF or CRLF' }
}

function saysOtherwise(source: Source): Diagnostic {
  return refusal({ source, start: 0, end: 0 }, 'formatted, this file would say something else')
}

function refusal(span: Span, message: string): Diagnostic {
  return { code: 'fmt', severity: 'error', message, span, help: 'write each entry here, and each comment, on a separate line' }
}

/** The index of the first item of two lists that is not the same; -1 where all are. */
function firstDifferent(before: readonly string[], after: readonly string[]): number {
  if (before.length !== after.length) return Math.min(before.length, after.length)
  return before.findIndex((each, i) => each !== after[i])
}

/** The contents that each suppression is about: the values and keys that begin on its line; in HCL, where lines stay as they are, its line. */
function ignoredBy({ ignores, starts }: Content): readonly string[] {
  const source = ignores[0]?.span.source
  if (!source) return []
  const onLine = new Map<number, number[]>()
  for (const [i, start] of starts.entries()) pushTo(onLine, lineOf(source, start) + 1, i)
  return ignores.map(({ line }) => (source.notation === 'hcl' ? `${line}` : (onLine.get(line) ?? []).join()))
}
