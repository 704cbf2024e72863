import { lineEnd, lineOf, lineStarts } from '../source.ts'
import type { LooseNode } from './loose/nodes.ts'
import type { EditorFile } from './model.ts'
import { type Part, rangeInFile } from './parts.ts'
import type { Fold } from './types.ts'

/** The ranges of a file that can be folded: lists, objects and blocks over several lines, and comments. From the line of the key on. */
export function folding({ parts }: EditorFile): readonly Fold[] {
  return parts.flatMap((part) => {
    const folds: Fold[] = []
    for (const document of part.documents) addFolds(part, document, document.start, folds)
    return [...folds, ...commentFolds(part)].map(({ kind, ...range }): Fold => ({ ...rangeInFile(part, range), kind }))
  })
}

/** Add those of a node and what is in it. `from`: where what names it begins. What is on one line holds none. */
function addFolds(part: Part, node: LooseNode, from: number, folds: Fold[]): void {
  if ((node.kind !== 'list' && node.kind !== 'map') || lineOf(part.source, from) === lineOf(part.source, node.end)) return
  folds.push({ start: from, end: node.end, kind: 'region' })
  if (node.kind === 'list') for (const [i, item] of node.items.entries()) addFolds(part, item, node.dashes[i] ?? item.start, folds)
  else for (const { key, value } of node.entries) addFolds(part, value, key.start, folds)
}

/** Comments that are lines on their own, several of them in a row. */
function commentFolds({ source, notation }: Part): readonly Fold[] {
  if (notation !== 'yaml' && notation !== 'hcl') return []
  const { text } = source
  const starts = lineStarts(source)
  const folds: Fold[] = []
  let first = -1
  for (let line = 0; line <= starts.length; line++) {
    const start = starts[line]
    const isComment = start !== undefined && /^[ \t]*#/.test(text.slice(start, start + 200))
    if (isComment && first < 0) first = line
    if (isComment || first < 0) continue
    const end = lineEnd(source, starts[line - 1] as number)
    if (first < line - 1) folds.push({ start: starts[first] as number, end, kind: 'comment' })
    first = -1
  }
  return folds
}
