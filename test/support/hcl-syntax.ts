import type { Expression } from '../../src/hcl/syntax.ts'
import { position, type Span } from '../../src/source.ts'
import { hclFile } from './hcl.ts'

const slice = ({ source, start, end }: Span) => source.text.slice(start, end)

/** Problems of a text: where, with the text that is pointed at, the message, the help and what is related. */
export function problemOf(text: string): string | undefined {
  const [problem, ...others] = hclFile(text).diagnostics
  if (!problem) return undefined
  const place = (span: Span) => {
    const { line, column } = position(span.source, span.start)
    return `${line}:${column} ${JSON.stringify(slice(span))}`
  }
  const { message, help, span, related = [] } = problem
  return [
    `${place(span)} ${message}${help === undefined ? '' : ` (${help})`}`,
    ...related.map((each) => `${place(each.span)} ${each.message}`),
    ...others.map(({ message: other }) => other),
  ].join('; ')
}

/** An expression as its parts: the kind of each, its text where that is not all of its parts, and what is in it. */
export function partsOf(text: string): string {
  const { body, diagnostics } = hclFile(`x = ${text}\n`)
  const expression = body?.attributes[0]?.value
  return expression ? shown(expression) : (diagnostics[0]?.message ?? 'nothing')
}

function shown(part: unknown): string {
  if (Array.isArray(part)) return `[${part.map(shown).join(' ')}]`
  if (typeof part !== 'object' || part === null) return JSON.stringify(part) ?? 'none'
  const { kind, source, start, end, offsets, ...rest } = part as Expression & { readonly offsets?: readonly number[] }
  const letters = offsets
    ? ` letters ${JSON.stringify(
        offsets
          .slice(0, -1)
          .map((at) => source.text[at])
          .join(''),
      )}`
    : ''
  const inner = Object.entries(rest).map(([key, value]) => `${key} ${shown(value)}`)
  const own = source ? `‹${source.text.slice(start, end)}›` : ''
  return `${kind ?? ''}${own}${letters}${inner.length > 0 ? `(${inner.join(', ')})` : ''}`
}
