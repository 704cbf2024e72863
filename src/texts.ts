import type { Edit, Fix } from './diagnostic.ts'
import type { Source, Span } from './source.ts'
import type { BooleanNode, NumberNode, TextNode } from './tree.ts'

/** Strings in each notation, and the edits that replace one with another. */

/** The edits of one change; undefined where the layout is not understood. */
export type Edits = readonly Edit[] | undefined

/** The part of a finding that holds its fix; empty without edits, or where they would touch more than plain values of HCL. */
export function withFix(description: string, safe: boolean, edits: Edits): { readonly fix?: Fix } {
  return edits && edits.length > 0 && edits.every(isPlain) ? { fix: { description, edits, safe } } : {}
}

/** A word as shells take it for this text, in one line: control characters are written by number, as bash and zsh read them. */
export function shellWord(word: string): string {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(word)) {
    const inner = word
      .replace(/[\\']/g, '\\$&')
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
    return `$'${inner}'`
  }
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** Whether HCL can express a string: it holds strings in composed form (NFC), and no half of a surrogate pair. */
export function isValidInHcl(value: string): boolean {
  return value.normalize('NFC') === value && !/\p{Surrogate}/u.test(value)
}

/**
 * A text as it is written in HCL, in quotes. `${` and `%{` are written `$${` and `%%{`; behind another such sign by number,
 * since not all read `$$${` alike.
 */
export function hclText(value: string): string {
  const inner = value
    .replace(/["\\]/g, '\\$&')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
    .replace(/\t/g, '\\t')
    .replace(/(\$+|%+)\{/g, (_, signs: string) =>
      signs.length === 1 ? `${signs}${signs}{` : `${signs.replaceAll('$', '\\u0024').replaceAll('%', '\\u0025')}{`,
    )
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (c) => {
      const number = (c.codePointAt(0) as number).toString(16)
      return number.length > 4 ? `\\U${number.padStart(8, '0')}` : `\\u${number.padStart(4, '0')}`
    })
  return `"${inner}"`
}

/**
 * Whether an edit may be offered. In HCL it removes something, or replaces one quoted string that is a whole value or key by
 * another. A configuration in JSON gets no fixes: its strings may be expressions.
 */
function isPlain({ span: { source, start, end }, text: replacement }: Edit): boolean {
  if (source.notation === 'hcl-json') return false
  if (source.notation !== 'hcl' || replacement === '') return true
  const { text } = source
  return (
    isLiteral(text.slice(start, end)) &&
    isLiteral(replacement) &&
    replacement.normalize('NFC') === replacement &&
    (isBetween(source, start, end, /[[,=]\s*$/, /^[ \t]*(?:[\],}#\r\n]|\/\/|$)/) ||
      isBetween(source, start, end, /[{,\n]\s*$/, /^[ \t]*=[^=]/))
  )
}

function isBetween({ text }: Source, start: number, end: number, before: RegExp, behind: RegExp): boolean {
  return before.test(text.slice(Math.max(0, start - 200), start)) && behind.test(text.slice(end, end + 200))
}

/** Whether a stretch is one text in quotes, with nothing to be evaluated in it. */
function isLiteral(raw: string): boolean {
  if (!/^"(?:[^"\\\r\n]|\\[^\r\n])*"$/.test(raw)) return false
  return !/[$%]\{/.test(raw.replace(/\$\$\{|%%\{/g, ''))
}

// Strings.

/** Put another text in the place of one, with the quotes it has; an unquoted one gets quotes where it needs them. */
export function replaceText(span: Span, value: string): Edit {
  const { source, start } = span
  const raw = rawText(span)
  if (source.notation === 'hcl') return { span: { source, start, end: start + raw.length }, text: hclText(value) }
  const inBlock = isUnquoted(raw) && /[,[\]{}]/.test(raw)
  return { span: { source, start, end: start + raw.length }, text: textLike(raw, value, inBlock, isJson(source)) }
}

/** Write another key, with the quotes the one has. */
export function renameKey(key: TextNode, name: string): Edit {
  return replaceText(key, name)
}

/** Put a number, `true` or `false` in quotes, spelt as it is. */
export function quote(node: NumberNode | BooleanNode): Edit {
  return { span: { source: node.source, start: node.start, end: node.end }, text: `"${rawText(node)}"` }
}

/** A text as it is written; without the line break that ends a block scalar. A space of another kind at its end is part of it. */
export function rawText({ source, start, end }: Span): string {
  return source.text.slice(start, end).replace(/(?<![ \t\r\n])[ \t\r\n]+$/, '')
}

export function isUnquoted(raw: string): boolean {
  return !/^["'|>]/.test(raw)
}

/** The notation of a text in the style of another. */
export function textLike(raw: string, value: string, inBlock: boolean, inJson = false): string {
  const isSeen = value.search(unseen) < 0 && isComposed(value)
  if (isUnquoted(raw) && isSeen && needsNoQuotes(value, inBlock)) return value
  if (raw.startsWith("'") && isSeen) return `'${value.replaceAll("'", "''")}'`
  return quotedText(value, inJson)
}

/** Invisible characters, and the two that YAML does not count among its characters. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffe\uffff]/u

/**
 * A text in double quotes, invisible characters by number. So are, in a text that is not composed, the characters that composing
 * would touch.
 */
export function quotedText(value: string, inJson: boolean): string {
  const quoted = JSON.stringify(value).replace(/[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\ufffe\uffff]/gu, (c) => byNumber(c, inJson))
  return isComposed(value) ? quoted : quoted.replace(/\P{ASCII}/gu, (c) => (isApart(c) ? c : byNumber(c, inJson)))
}

/** Whether a character stays the same next to any other: no mark, no part of a syllable, and composed itself. */
function isApart(c: string): boolean {
  return !/[\p{M}\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/u.test(c) && c.normalize('NFC') === c
}

function isComposed(value: string): boolean {
  // Composing takes time that grows with the square of the marks on one letter; no script has so many.
  return !/\p{M}{31}/u.test(value) && value.normalize('NFC') === value
}

/** JSON knows characters of sixteen bits alone, two for one of more; in YAML two would be two. */
function byNumber(c: string, inJson: boolean): string {
  if (c.length > 1 && !inJson) return `\\U${(c.codePointAt(0) as number).toString(16).padStart(8, '0')}`
  return Array.from({ length: c.length }, (_, i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')
}

/** A text as it is written in YAML where nothing says how: without quotes where it needs none. `inBlock`: not within brackets. */
export function yamlText(value: string, inBlock: boolean): string {
  // Other readers may take a string that begins like a number for a date or a time; a command to a build server is escaped in quotes.
  return /^[\d.]|##(?:vso)?\[/i.test(value) ? textLike('"', value, inBlock) : textLike('', value, inBlock)
}

/** Whether YAML, and any older reader of it, takes an unquoted text for exactly this text. Narrower than YAML allows. */
export function needsNoQuotes(value: string, inBlock: boolean): boolean {
  return (
    /^(?:[\p{L}\p{N}_/.(]|-[\p{L}])(?:[\p{L}\p{M}\p{N} !"$%&'()*+,./:;<=>?@[\\\]^_`{|}~#-]*[^\s:])?$/u.test(value) &&
    !/: | #/.test(value) &&
    (inBlock || !/[,[\]{}]/.test(value)) &&
    !/^(?:null|true|false|yes|no|on|off|y|n)$/i.test(value) &&
    !/^[\d.][\d_.,:+-]*(?:e[-+]?\d+)?$|^0[xob][\da-f_]+$|^\.(?:inf|nan)$/i.test(value)
  )
}

/** Whether a text is JSON, be it policies or a configuration. */
export function isJson({ notation }: Source): boolean {
  return notation === 'json' || notation === 'hcl-json'
}
