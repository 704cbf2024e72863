import { pushTo } from '../collections.ts'
import { canonicalFacts } from '../convert/convert.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { readHcl } from '../hcl/parse.ts'
import { printed } from '../hcl/print.ts'
import { commentsIn, type IgnoreComment, ignoreComments, ignoresAmong } from '../parser/comments.ts'
import { plainTreeOf } from '../parser/plain-tree.ts'
import { type Source, type Span, sourceOf } from '../source.ts'
import type { Node } from '../tree.ts'
import { formattedHcl } from './hcl.ts'
import { formattedJson } from './json.ts'
import { lineOf, withLineBreaksOf } from './layout.ts'
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
  const text = laidOut(source, before.documents)
  const difference = differenceOf(before, await contentOf(sourceOf(source.path, text, source.notation)), source)
  return difference ? { problems: [difference] } : { text }
}

function laidOut(source: Source, documents: readonly Node[]): string {
  if (source.notation === 'hcl') return formattedHcl(source)
  const text = isInJson(source) ? formattedJson(source, documents[0] as Node) : formattedYaml(source, documents)
  return withLineBreaksOf(text, source.text)
}

function isInJson({ notation }: Source): boolean {
  return notation === 'json' || notation === 'hcl-json'
}

/** All that has a meaning in a text. */
interface Content {
  readonly problems: readonly Diagnostic[]
  readonly documents: readonly Node[]
  readonly values: string
  readonly comments: readonly Span[]
  readonly ignores: readonly IgnoreComment[]
  /** Where values and keys begin, in order. */
  readonly starts: readonly number[]
}

async function contentOf(source: Source): Promise<Content> {
  if (source.notation === 'hcl') {
    const { body, diagnostics, comments } = readHcl(source, undefined)
    const values = body ? printed(body) : ''
    return { problems: errorsAmong(diagnostics), documents: [], values, comments, ignores: ignoresAmong(source, comments), starts: [] }
  }
  const json = isInJson(source)
  const { documents, diagnostics } = await plainTreeOf(json ? sourceOf(source.path, source.text, 'json') : source)
  return {
    problems: errorsAmong(diagnostics),
    documents,
    values: canonicalFacts(documents),
    comments: json ? [] : commentsIn(source, documents),
    ignores: json ? [] : ignoreComments(source, documents),
    starts: documents.flatMap(startsOf),
  }
}

function errorsAmong(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error')
}

/** Where a value and all in it begin. Depth is within the limits of the readers. */
function startsOf(node: Node): readonly number[] {
  if (node.kind === 'list') return [node.start, ...node.items.flatMap(startsOf)]
  if (node.kind === 'map') return [node.start, ...node.entries.flatMap(({ key, value }) => [key.start, ...startsOf(value)])]
  return [node.start]
}

/** The first thing that is another one after formatting; undefined where there is none. */
function differenceOf(before: Content, after: Content, source: Source): Diagnostic | undefined {
  if (after.problems.length > 0 || after.values !== before.values)
    return refusal({ source, start: 0, end: 0 }, 'formatted, this file would say something else')
  const comment = firstDifferent(before.comments.map(writtenOf), after.comments.map(writtenOf))
  if (comment >= 0)
    return refusal(before.comments[comment] ?? { source, start: 0, end: 0 }, 'formatted, the file would lose or move this comment')
  const ignore = firstDifferent(ignoredBy(before), ignoredBy(after))
  return ignore < 0
    ? undefined
    : refusal(before.ignores[ignore]?.span ?? { source, start: 0, end: 0 }, 'formatted, this suppression would be about other entries')
}

function refusal(span: Span, message: string): Diagnostic {
  return { code: 'fmt', severity: 'error', message, span, help: 'write each entry here, and each comment, on a line of its own' }
}

/** The index of the first item of two lists that is not the same; -1 where all are. */
function firstDifferent(before: readonly string[], after: readonly string[]): number {
  if (before.length !== after.length) return Math.min(before.length, after.length)
  return before.findIndex((each, i) => each !== after[i])
}

function writtenOf({ source, start, end }: Span): string {
  return source.text.slice(start, end).trimEnd()
}

/** The contents that each suppression is about: the values and keys that begin on its line; in HCL, where lines stay as they are, its line. */
function ignoredBy({ ignores, starts }: Content): readonly string[] {
  const source = ignores[0]?.span.source
  if (!source) return []
  const onLine = new Map<number, number[]>()
  for (const [i, start] of starts.entries()) pushTo(onLine, lineOf(source, start) + 1, i)
  return ignores.map(({ line }) => (source.notation === 'hcl' ? `${line}` : (onLine.get(line) ?? []).join()))
}
