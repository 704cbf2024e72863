import type { Fields } from './fields.ts'

/** The most characters of a code span that is looked at. */
const longestSpan = 400

/**
 * A text of the command line in the words of a tool: its options in code spans become fields, `--tag env=prod` is `tags: env=prod`. An
 * option that the tool does not have is said to be one of the command line.
 */
export function inFields(text: string, fields: Fields): string {
  const byOption = new Map(Object.entries(fields).flatMap(([name, { option }]) => (option === undefined ? [] : [[option, name] as const])))
  return text.replace(/`(--[a-z][a-z-]*)((?:[ =][^`\n]*)?)`( of the command line)?/g, (span, option: string, rest: string) => {
    if (span.length > longestSpan) return span
    if (option === '--format') return 'the structured content'
    if (option === '--all') return '`limit`'
    const name = byOption.get(option)
    if (name === undefined) return `\`${option}${rest}\` of the command line`
    const value = rest.slice(1)
    return value === '' ? `\`${name}\`` : `\`${name}: ${value}\``
  })
}
