import { type LooseNode, lineEnd, lineOf } from './loose/nodes.ts'
import { type Part, rangeInFile } from './parts.ts'
import type { Fold } from './types.ts'
import type { EditorFile } from './workspace.ts'

/** What of a file can be folded: lists, objects and blocks over several lines, and comments. From the line of the key on. */
export function folding({ parts }: EditorFile): readonly Fold[] {
  return parts.flatMap((part) =>
    [...part.documents.flatMap((document) => foldsOf(document, document.start)), ...commentFolds(part)]
      .filter(({ start, end }) => lineOf(part.source, start) < lineOf(part.source, end))
      .map(({ kind, ...range }): Fold => ({ ...rangeInFile(part, range), kind })),
  )
}

/** Of a node and what is in it. `from`: where what names it begins. */
function foldsOf(node: LooseNode, from: number): readonly Fold[] {
  if (node.kind !== 'list' && node.kind !== 'map') return []
  const own: Fold = { start: from, end: node.end, kind: 'region' }
  const inner =
    node.kind === 'list'
      ? node.items.flatMap((item, i) => foldsOf(item, node.dashes[i] ?? item.start))
      : node.entries.flatMap(({ key, value }) => foldsOf(value, key.start))
  return [own, ...inner]
}

/** Comments that are lines on their own, several of them in a row. */
function commentFolds({ source, notation }: Part): readonly Fold[] {
  if (notation !== 'yaml' && notation !== 'hcl') return []
  const { text, lineStarts } = source
  const folds: Fold[] = []
  let first = -1
  for (let line = 0; line <= lineStarts.length; line++) {
    const start = lineStarts[line]
    const isComment = start !== undefined && /^[ \t]*#/.test(text.slice(start, start + 200))
    if (isComment && first < 0) first = line
    if (isComment || first < 0) continue
    folds.push({
      start: lineStarts[first] as number,
      end: lineEnd(source, lineStarts[line - 1] as number),
      kind: 'comment',
    })
    first = -1
  }
  return folds
}
