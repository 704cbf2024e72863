import { visible } from '../names.ts'
import { readableName } from '../tree.ts'

/** Text from the input, made safe within a line: no control, invisible or direction-changing character, no command for a build server. */
export const shown = (text: string): string => breakCommands(unhidden(text))

/** The same for a text that is in no log of a build server. */
export const unhidden = (text: string): string => visible(readableName(text))

/** A whole output, before it is written: no line starts, after blanks, with a command for a build server. */
export const guardOutput = (output: string): string => guardExact(readableName(output))

/** The same for a text that has to stay as it is otherwise, such as a diff. */
export const guardExact = (output: string): string => breakCommands(output).replace(/^([^\S\n]*):(?=:)/gm, '$1\\u{3a}')

/** The same for a whole output in JSON, YAML or HCL, which stays valid: commands are in double quotes there, or in comments. */
export const guardNotation = (output: string): string => guardExact(escapeCommands(readableName(output)))

/** The same for an output of annotations for a build server: they stay, and any other command is broken as everywhere. */
export const guardAnnotations = (output: string): string =>
  output
    .split('\n')
    .map((line) => (annotation.test(line) ? breakCommands(line) : guardOutput(line)))
    .join('\n')

const annotation = /^::(error|warning|notice)( [a-zA-Z]+=[^:,]*(,[a-zA-Z]+=[^:,]*)*)?::/

/** How an issue of Azure Pipelines begins. */
export const azureCommand = '##vso[task.logissue '

/** The same for an output of such issues: what follows the first command of a line is guarded as everywhere. */
export const guardAzure = (output: string): string =>
  output
    .split('\n')
    .map((line) => {
      const head = azureIssue.exec(line)?.[0]
      return head === undefined ? guardOutput(line) : head + breakCommands(readableName(line.slice(head.length)))
    })
    .join('\n')

const azureIssue = /^##vso\[task\.logissue type=(error|warning);([a-z]+=[^;\]]*;)*\]/

/** A text cut to at most so many UTF-16 units, with a sign that it was. No pair of surrogates is parted. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const last = text.charCodeAt(most - 2)
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 2 : most - 1)}…`
}

const breakCommands = (text: string): string => (text.includes('##') ? text.replace(/##(vso)?\[/gi, '##$1\\u{5b}') : text)

/** A value as JSON on one line, with the same care: what could act on a terminal or a build log is written as an escape. */
export const json = (value: unknown): string => shownJson(JSON.stringify(value))

/** The same for a line of a text that is JSON. */
export const shownJson = (line: string): string =>
  escapeCommands(
    readableName(line).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu, (c) =>
      Array.from({ length: c.length }, (_, i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
    ),
  )

/** Commands to a build server by an escape that double quotes have in JSON, YAML and HCL alike. */
export const escapeCommands = (text: string): string => text.replace(/##(vso)?\[/gi, '##$1\\u005b')
