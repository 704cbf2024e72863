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

/** The words in the place of commands that no tool is named after, or not with these words. */
const commandSubstitutes: Readonly<Record<string, string>> = {
  rules: 'the resource `grantwise://rules`',
  'lint -': 'the `text` of `lint`',
  'call METHOD PATH': '`call` with `method` and `path`',
}

/** The keys under which results have sentences. All else are names, files and edits, and stays as it is. */
const sentences: ReadonlySet<string> = new Set('message help summary why because reason reasons notes caveats what missing'.split(' '))

/** A tool as far as words need it. */
export interface NamedTool {
  readonly name: string
  /** The words of the command line that it runs. */
  readonly command: readonly string[]
  readonly fields: Fields
}

/**
 * A text of the command line in the words of a tool: its options in code spans become fields, `--tag env=prod` is `tags: env=prod`, and so
 * do those at the beginning of a message and in the request that shows a difference; commands become the tools that run them. An option
 * or a command that no tool has is said to be one of the command line. `fields`: those of the tool. `facts`: those of a question,
 * whatever the tool.
 */
export function inFields(text: string, fields: Fields, facts: Fields, tools: readonly NamedTool[]): string {
  const byOption = namesByOption({ ...facts, ...fields })
  const inSpans = text.replace(/`(--[a-z][a-z-]*)((?:[ =][^`\n]*)?)`( of the command line)?/g, (span, option: string, rest: string) => {
    if (span.length > longestSpan) return span
    const name = byOption.get(option)
    if (name === undefined) return substitutes[`${option}${rest}`] ?? substitutes[option] ?? `\`${option}${rest}\` of the command line`
    return fieldWords(name, rest)
  })
  return inSpans
    .replace(/`([^`\n]*) \| grantwise lint -`/g, '`$1`, as the `text` of `lint`')
    .replace(
      /`(grantwise )?([a-z][a-z-]*)((?: [^`\n]*)?)`(?! of the command line)/g,
      (span, program: string | undefined, command: string, rest: string) => {
        const isCommandLine = program !== undefined || (/^ --[a-z]/.test(rest) && tools.some((each) => isRunBy(command, each)))
        return span.length > longestSpan || !isCommandLine ? span : commandWords(command, rest, tools)
      },
    )
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
}

/** A result with its sentences in the words of tools. `inWords`: those of one text. */
export function resultInFields(result: unknown, inWords: (text: string) => string, isSentence = false): unknown {
  if (typeof result === 'string') return isSentence ? inWords(result) : result
  if (Array.isArray(result)) return result.map((each) => resultInFields(each, inWords, isSentence))
  if (typeof result !== 'object' || result === null) return result
  return Object.fromEntries(Object.entries(result).map(([key, value]) => [key, resultInFields(value, inWords, sentences.has(key))]))
}

function namesByOption(fields: Fields): ReadonlyMap<string, string> {
  return new Map(Object.entries(fields).flatMap(([name, { option }]) => (option === undefined ? [] : [[option, name]])))
}

/** A field with what follows its option on the command line. */
function fieldWords(name: string, rest: string): string {
  const value = rest.slice(1)
  return value === '' ? `\`${name}\`` : `\`${name}: ${value}\``
}

const isRunBy = (command: string, tool: NamedTool) => tool.name === command && tool.command.join() === command

/** The tool that a command line is run by, with its options as fields. `rest`: what follows the name of the command. */
function commandWords(command: string, rest: string, tools: readonly NamedTool[]): string {
  const [, code] = /^ ([a-z][a-z-]*)$/.exec(rest) ?? []
  if (command === 'explain' && code !== undefined) return `\`explain_rule\` with \`code: ${code}\``
  const substitute = commandSubstitutes[`${command}${rest}`]
  if (substitute !== undefined) return substitute
  const tool = tools.find((each) => isRunBy(command, each))
  if (tool && rest === '') return `\`${command}\``
  const [, option = '', value = ''] = /^ (--[a-z][a-z-]*)((?:[ =].*)?)$/.exec(rest) ?? []
  const field = tool && namesByOption(tool.fields).get(option)
  return field === undefined ? `\`grantwise ${command}${rest}\` of the command line` : `\`${command}\` with ${fieldWords(field, value)}`
}
