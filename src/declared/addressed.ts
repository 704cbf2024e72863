import type { Diagnostic } from '../diagnostic.ts'
import { visible } from '../names.ts'
import { isInSpan, type Span } from '../source.ts'
import type { Address } from './declared.ts'

/** A tool's address for the part of a source that contains a place; the innermost where several do. */
export function addressAt(span: Span, addresses: readonly Address[]): string | undefined {
  let innermost: Address | undefined
  for (const each of addresses) {
    if (isInSpan(span, each.span) && (!innermost || each.span.start >= innermost.span.start)) innermost = each
  }
  return innermost?.address
}

/** A finding in a tool's output. It names the resource, since such a file is not read by users, and has no fix. */
export function addressed(finding: Diagnostic, addresses: readonly Address[]): Diagnostic {
  const { fix: _, ...rest } = finding
  const address = addressAt(finding.span, addresses)
  return address === undefined ? rest : { ...rest, message: `${finding.message} (in \`${visible(address)}\`)` }
}
