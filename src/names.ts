/**
 * What the grammars of names share. A grammar reads a text and gives either what it means or the faults in it, each with
 * the part that is wrong, what was expected, and the nearest legal text where there is one. Readers turn faults into
 * diagnostics at the right place; the command line turns them into messages about an argument.
 */
export interface Fault {
  /** The part of the text that is wrong: offsets into it, end exclusive. */
  readonly from: number
  readonly to: number
  /** What is wrong and what was expected; lower-case, no final period. */
  readonly message: string
  /** The nearest legal text, whole. */
  readonly suggestion?: string
  /** The text holds a character that no name may hold, or blanks around it: a slip rather than a wrong name. */
  readonly stray?: true
}

export type Read<T> = { readonly value: T; readonly faults?: undefined } | { readonly value?: undefined; readonly faults: readonly Fault[] }

/** What may differ between installations: the brand word in namespaces and managed names, and the regions in use. */
export interface Settings {
  readonly brand: string
  readonly regions: readonly string[]
}

/** The settings that hold where nothing else is said (spec: policy language, opening and section 1). */
export const defaultSettings: Settings = { brand: 'svc', regions: ['eu', 'ca', 'us'] }

/** The longest name or pattern understood, and the most wildcards in one. Past them a text is refused, not guessed at. */
export const longestName = 2048
export const mostWildcards = 8

/**
 * A character that no name may hold: controls, invisible and direction-changing characters, anything outside printable
 * ASCII (look-alike letters make a `deny` that denies nothing). Returns the fault for the first one, or undefined.
 */
export function strangeCharacter(text: string, allow: (code: number) => boolean = () => false): Fault | undefined {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if ((code >= 0x20 && code < 0x7f) || allow(code)) continue
    const point = text.codePointAt(i) as number
    const to = i + (point > 0xffff ? 2 : 1)
    return {
      from: i,
      to,
      message: `the character U+${hex(point)} (\`${visible(text.slice(i, to))}\`) is not allowed in a name`,
      stray: true,
    }
  }
  return undefined
}

/** A fault in words: the message quotes the text, and the help gives the nearest legal one. */
export function printableFault(text: string, { message, suggestion }: Fault): { readonly message: string; readonly help?: string } {
  return {
    message: `\`${visible(text.slice(0, 200))}\`: ${message}`,
    ...(suggestion !== undefined && { help: `did you mean \`${visible(suggestion)}\`?` }),
  }
}

/** Too long, or too many wildcards. */
export function tooMuch(text: string): Fault | undefined {
  if (text.length > longestName) return { from: 0, to: text.length, message: `longer than ${longestName} characters` }
  let stars = 0
  for (let i = text.indexOf('*'); i >= 0; i = text.indexOf('*', i + 1)) {
    if (text[i - 1] !== '*' && ++stars > mostWildcards) return { from: i, to: i + 1, message: `more than ${mostWildcards} wildcards` }
  }
  return undefined
}

function hex(point: number): string {
  return point.toString(16).toUpperCase().padStart(4, '0')
}

/**
 * Text from the input made safe to show on one line: controls, line and paragraph separators, invisible and
 * direction-changing characters are written as `\u{…}`, so that no file can move the cursor, colour a terminal or
 * forge a line (spec: hostile input, T23, T24).
 */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu, (c) => `\\u{${(c.codePointAt(0) as number).toString(16)}}`)
}
