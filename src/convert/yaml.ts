import type { Span } from '../source.ts'
import { yamlText } from '../texts.ts'
import type { Node } from '../tree.ts'
import { type Comment, type Line, withComments } from './lines.ts'

/** Documents in YAML, a block for each list and map, with the comments of what they were read from. */
export function yamlDocuments(documents: readonly Node[], comments: readonly Span[]): string {
  const lines = documents.flatMap((document, i): readonly Line[] => [
    ...(i === 0 ? [] : [{ indent: 0, text: '---' }]),
    ...linesOf(document, 0, ''),
  ])
  const commented = withComments(lines, comments)
  const out: string[] = []
  const add = (above: readonly Comment[], indent: number) => {
    for (const { text, isApart } of above) {
      out.push(`${' '.repeat(indent)}#${text}`)
      if (isApart) out.push('')
    }
  }
  for (const { indent, text, above, behind } of commented.lines) {
    add(above, indent)
    out.push(`${' '.repeat(indent)}${text}${behind === undefined ? '' : ` #${behind}`}`)
  }
  add(commented.foot, 0)
  return `${out.join('\n').trimEnd()}\n`
}

/** The lines of a value; `lead` begins the first one, behind its indentation. Depth is within the limits of the readers. */
function linesOf(node: Node, indent: number, lead: string): readonly Line[] {
  const inner = indent + lead.length
  if (node.kind === 'list' && node.items.length > 0) {
    return node.items.flatMap((item, i) => (i === 0 ? linesOf(item, indent, `${lead}- `) : linesOf(item, inner, '- ')))
  }
  if (node.kind === 'map' && node.entries.length > 0) {
    return node.entries.flatMap(({ key, value }, i): readonly Line[] => {
      const head = { indent: i === 0 ? indent : inner, at: key }
      const text = `${i === 0 ? lead : ''}${yamlText(key.value, false)}:`
      const isShort = !(value.kind === 'list' && value.items.length > 0) && !(value.kind === 'map' && value.entries.length > 0)
      return isShort ? [{ ...head, text: `${text} ${scalar(value)}` }] : [{ ...head, text }, ...linesOf(value, inner + 2, '')]
    })
  }
  return [{ indent, text: `${lead}${scalar(node)}`, at: node }]
}

function scalar(node: Node): string {
  switch (node.kind) {
    case 'text':
      return yamlText(node.value, true)
    case 'list':
      return '[]'
    case 'map':
      return '{}'
    case 'unknown':
      return JSON.stringify(node.expression)
    default:
      return JSON.stringify(node.value)
  }
}
