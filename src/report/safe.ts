import { visible } from '../names.ts'

/**
 * Text from the input, made safe to stand within a line: no control, invisible or direction-changing character, and no
 * command that a build server would take from the middle of a line (spec: hostile input, T23, T24).
 */
export function shown(text: string): string {
  return breakCommands(visible(text))
}

/** A whole output, before it is written: no line starts, after blanks, with a command for a build server. */
export function guard(output: string): string {
  return breakCommands(output).replace(/^([^\S\n]*):(?=:)/gm, '$1\\u{3a}')
}

function breakCommands(text: string): string {
  return text.includes('##') ? text.replace(/##(vso)?\[/gi, '##$1\\u{5b}') : text
}

/** A value as JSON on one line, with the same care: what could act on a terminal or a build log is written as an escape. */
export function json(value: unknown): string {
  return JSON.stringify(value)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu, (c) =>
      Array.from({ length: c.length }, (_, i) => unicodeEscape(c.charCodeAt(i))).join(''),
    )
    .replace(/##(vso)?\[/gi, (command) => `${command.slice(0, -1)}\\u005b`)
}

function unicodeEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}
