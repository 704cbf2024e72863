import { fencesIn, textOfFence } from '../parser/markdown.ts'
import { type Notation, type Range, type Source, sourceOf } from '../source.ts'
import { FlowReader } from './loose/flow.ts'
import { looseHcl } from './loose/hcl.ts'
import { looseLines } from './loose/lines.ts'
import type { LooseNode } from './loose/nodes.ts'
import { looseYaml } from './loose/yaml.ts'

/**
 * A text with one notation: a whole file, or a fenced code block of a document. Features work on parts; only results have offsets
 * in the file.
 */
export interface Part {
  readonly notation: Notation
  /** The text of the part alone. */
  readonly source: Source
  readonly documents: readonly LooseNode[]
  /** Where an offset of the part is in the file. */
  readonly toFile: (offset: number) => number
  /** Where an offset of the file is in the part; undefined outside of it. */
  readonly fromFile: (offset: number) => number | undefined
  /** The text in front of each line of the part in the file, as in a quote or a list. */
  readonly prefix: string
}

/** The parts of a file, in order. */
export function partsOf(source: Source): readonly Part[] {
  const { notation, text } = source
  if (notation === 'markdown') return fencesIn(source).fences.map((fence) => fencePart(source, fence))
  const inside = (offset: number) => (offset >= 0 && offset <= text.length ? offset : undefined)
  return [{ notation, source, documents: looseDocuments(source), toFile: (offset) => offset, fromFile: inside, prefix: '' }]
}

type Fence = ReturnType<typeof fencesIn>['fences'][number]

function fencePart(file: Source, fence: Fence): Part {
  const { text, at } = textOfFence(fence)
  const { lines } = fence
  const source = sourceOf(file.path, text, fence.notation)
  const first = lines[0]
  const before = first ? file.text.slice(file.text.lastIndexOf('\n', first.start - 1) + 1, first.start) : ''
  return {
    notation: fence.notation,
    source,
    documents: looseDocuments(source),
    toFile: (offset) => (offset >= text.length && lines.length > 0 ? (lines.at(-1)?.end as number) : at(offset)),
    fromFile: (offset) => {
      let length = 0
      for (const { start, end } of lines) {
        if (offset < start) return undefined
        if (offset < end || (offset === end && end === lines.at(-1)?.end)) return length + offset - start
        length += end - start
      }
      return undefined
    },
    // The mark of a list is only on its first line; the lines below have blanks.
    prefix: before.replace(/[^>\s]/g, ' '),
  }
}

/** The loose trees of a text; none for notations without one. */
export function looseDocuments(source: Source): readonly LooseNode[] {
  switch (source.notation) {
    case 'json':
    case 'hcl-json':
      return new FlowReader(source).documents()
    case 'yaml':
      return looseYaml(source)
    case 'hcl':
      return [looseHcl(source)]
    case 'actions':
    case 'rules':
      return [looseLines(source)]
    default:
      return []
  }
}

/** A stretch of a part as one of its file. */
export function rangeInFile({ toFile }: Part, { start, end }: Range): Range {
  const from = toFile(start)
  return { start: from, end: Math.max(from, end > start ? toFile(end - 1) + 1 : from) }
}
