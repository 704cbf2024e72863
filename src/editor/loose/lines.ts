import { lineEnd, lineStarts, type Source } from '../../source.ts'
import type { LooseList, LooseText } from './nodes.ts'

/** Lists with something on each line, such as actions and access rules: a text for each line. What follows a `#` is a comment. */
export function looseLines(source: Source): LooseList {
  const { text } = source
  const items = lineStarts(source).flatMap((from): readonly LooseText[] => {
    const line = text.slice(from, lineEnd(source, from))
    const written = line.replace(/(?:^|[ \t])#.*$/, '')
    const value = written.replace(/^\ufeff/, '').trim()
    if (value === '') return []
    const start = from + line.indexOf(value)
    return [{ kind: 'text', value, source, start, end: start + value.length, quote: '', isClosed: true }]
  })
  return { kind: 'list', source, start: 0, end: items.at(-1)?.end ?? 0, items, style: 'flow', column: -1, dashes: [], isClosed: true }
}
