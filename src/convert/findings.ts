import type { Diagnostic } from '../diagnostic.ts'
import type { Span } from '../source.ts'

/** Something that another notation cannot say. */
export function cannotExpress(span: Span, message: string, help?: string): Diagnostic {
  return { code: 'convert', severity: 'error', message, span, ...(help !== undefined && { help }) }
}

export function noteAt(span: Span, message: string): Diagnostic {
  return { code: 'convert', severity: 'info', message, span }
}
