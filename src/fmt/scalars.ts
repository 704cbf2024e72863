import type { TextNode } from '../tree.ts'

/** A scalar over several lines, with the further ones indented. Their indentation has no meaning. */
export function reindented(raw: string, indent: number): string {
  if (!/[\r\n]/.test(raw)) return raw
  const [first, ...rest] = raw.split(/\r?\n/) as [string, ...string[]]
  return [first, ...rest.map((line) => line.replace(/^[ \t]+/, '')).map((line) => (line === '' ? '' : ' '.repeat(indent) + line))].join(
    '\n',
  )
}

/** A block scalar as its header and its lines, indented anew. */
export function blockScalar(
  { source, start, end, value }: TextNode,
  indent: number,
): { readonly text: string; readonly body?: string; readonly keepsBlankLines?: true } {
  const raw = source.text.slice(start, end)
  const header = (/^[|>][-+\d]*/.exec(raw) as RegExpExecArray)[0]
  const isKeeping = header.includes('+')
  const [, ...content] = raw.split(/\r?\n/)
  if (content.at(-1) === '') content.pop()
  const first = content.find((line) => line.trim() !== '')
  // A line may be indented more than the scalar: then its value begins with blanks.
  const depth = leadingBlanks(first) - leadingBlanks(value.split('\n').find((line) => line.trim() !== ''))
  const unindented = content.map((line) => (first === undefined ? '' : line.slice(depth)))
  const lines = unindented.map((line) => (line === '' ? '' : ' '.repeat(indent) + line))
  if (!isKeeping) while (lines.at(-1) === '') lines.pop()
  return {
    text: header.replace(/\d/, '2'),
    ...(lines.length > 0 && { body: lines.join('\n') }),
    ...(isKeeping && { keepsBlankLines: true as const }),
  }
}

function leadingBlanks(line = ''): number {
  let count = 0
  while (line[count] === ' ') count++
  return count
}
