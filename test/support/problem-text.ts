import type { Diagnostic } from '../../src/diagnostic.ts'

/**
 * All that a problem says, as one text: `START-END severity code: message (help) [START-END related] {edits}`. `{edits}` are
 * those of its fix, each `START-END "text"`; a fix that is not safe has a `?` before them.
 */
export function problemText({ span, severity, code, message, help, related = [], fix }: Diagnostic): string {
  const parts = [`${placeOf(span)} ${severity} ${code}: ${message}`]
  if (help !== undefined) parts.push(`(${help})`)
  for (const each of related) parts.push(`[${placeOf(each.span)} ${each.message}]`)
  if (fix) parts.push(`{${fix.safe ? '' : '?'}${fix.edits.map(({ span, text }) => `${placeOf(span)} ${JSON.stringify(text)}`).join(' ')}}`)
  return parts.join(' ')
}

function placeOf({ start, end }: { readonly start: number; readonly end: number }): string {
  return `${start}-${end}`
}
