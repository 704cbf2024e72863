import type { Fields } from './fields.ts'

/** The most characters of a code span, and of the beginning of a line, that are looked at. */
const longestSpan = 400

/** The words in the place of options that are fields of no tool. */
const substitutes: Readonly<Record<string, string>> = {
  '--format': 'the structured content',
  '--pick': 'the structured content',
  '--all': '`limit`',
  '--fix': '`apply_fixes`',
  '--fix --fix-level suggested': '`apply_fixes` with `level: suggested`',
}

/**
 * A text of the command line in the words of a tool: its options in code spans become fields, `--tag env=prod` is `tags: env=prod`, and so
 * do those at the beginning of a message and in the request that shows a difference. An option that no tool has is said to be one of
 * the command line. `fields`: those of the tool. `facts`: those of a question, whatever the tool.
 */
export function inFields(text: string, fields: Fields, facts: Fields): string {
  const byOption = new Map(
    Object.entries({ ...facts, ...fields }).flatMap(([name, { option }]) => (option === undefined ? [] : [[option, name] as const])),
  )
  const inSpans = text.replace(/`(--[a-z][a-z-]*)((?:[ =][^`\n]*)?)`( of the command line)?/g, (span, option: string, rest: string) => {
    if (span.length > longestSpan) return span
    const name = byOption.get(option)
    if (name === undefined) return substitutes[`${option}${rest}`] ?? substitutes[option] ?? `\`${option}${rest}\` of the command line`
    const value = rest.slice(1)
    return value === '' ? `\`${name}\`` : `\`${name}: ${value}\``
  })
  return inSpans
    .replace(/`grantwise explain ([a-z][a-z-]{0,80})`/g, '`explain_rule` with `code: $1`')
    .replace(/^((?:grantwise: )?(?:(?:note|help): )?)(--[a-z][a-z-]*)(?=[: ])/gm, (all, start: string, option: string) =>
      byOption.has(option) ? `${start}\`${byOption.get(option)}\`` : all,
    )
    .replace(/^ +(?:such as |--).*$/gm, (line) =>
      line.length > longestSpan
        ? line
        : line.replace(/(^| )(--[a-z][a-z-]*)(?= )/g, (all, space: string, option: string) =>
            byOption.has(option) ? `${space}${byOption.get(option)}:` : all,
          ),
    )
    .replace(/^((?:grantwise: )?)--fix would fix (?=\d)/gm, '$1`apply_fixes` would fix ')
    .replaceAll('`grantwise rules` lists', 'the resource `grantwise://rules` lists')
}
