import { canonicalFacts } from '../convert/convert.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { readHcl } from '../hcl/parse.ts'
import { printed } from '../hcl/print.ts'
import { commentsIn, type IgnoreComment, ignoreComments, ignoresAmong } from '../parser/comments.ts'
import { plainTreeOf } from '../parser/plain-tree.ts'
import { type Source, type Span, sourceOf } from '../source.ts'
import { isJson } from '../texts.ts'
import type { Node } from '../tree.ts'
import { withoutBlanksAtEnd } from './layout.ts'

/** All that has a meaning in a text. */
export interface Content {
  readonly problems: readonly Diagnostic[]
  readonly documents: readonly Node[]
  /** Its values without their places, as JSON. */
  readonly values: string
  readonly comments: readonly Span[]
  readonly ignores: readonly IgnoreComment[]
  /** Where values and keys begin, in order. */
  readonly starts: readonly number[]
}

/** Reads a text: its content, and its problems. */
export async function contentOf(source: Source): Promise<Content> {
  if (source.notation === 'hcl') {
    const { body, diagnostics, comments } = readHcl(source, undefined)
    const values = body ? printed(body) : ''
    return { problems: errorsAmong(diagnostics), documents: [], values, comments, ignores: ignoresAmong(source, comments), starts: [] }
  }
  const json = isJson(source)
  const { documents, diagnostics, comments = [] } = await plainTreeOf(json ? sourceOf(source.path, source.text, 'json') : source)
  return {
    problems: errorsAmong(diagnostics),
    documents,
    values: canonicalFacts(documents),
    comments: json ? comments : commentsIn(source, documents),
    ignores: json ? ignoresAmong(source, comments) : ignoreComments(source, documents),
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

/** A part of a text as it is written. */
export function writtenOf({ source, start, end }: Span): string {
  return withoutBlanksAtEnd(source.text.slice(start, end))
}
