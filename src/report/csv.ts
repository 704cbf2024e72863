import { shown } from './safe.ts'

/**
 * A field of a CSV file (RFC 4180); one that a spreadsheet would take for a formula starts with an apostrophe. In quotes, a build server
 * takes no line for a command.
 */
function field(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = shown(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\n\r]|^\s*::/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A row of a CSV file, with the end of its line. Names are escaped as everywhere. */
export const csvLine = (row: readonly (string | number)[]): string => `${row.map(field).join(',')}\n`
