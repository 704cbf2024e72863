/**
 * What an unquoted scalar stands for in the core schema (YAML 1.2.2, section 10.3.2): null, a boolean, a number, or else
 * undefined: it is text. Both YAML readers rest on this one reading; the older words (`yes`, `on`, `010` as octal) are not in it.
 */
export function coreValue(text: string): null | boolean | number | undefined {
  const c = text.charCodeAt(0)
  // Nearly every scalar of a policy is dismissed here: those that mean something else begin with one of few characters.
  if (text === '') return null
  if (c > 57 && (text.length > 5 || (c !== 126 && (c | 32) !== 110 && (c | 32) !== 116 && (c | 32) !== 102))) return undefined
  const word = words.get(text)
  if (word !== undefined) return word
  if (c > 57 || c < 43 || c === 44 || c === 47) return undefined
  if (decimal.test(text)) return Number(text)
  if (octal.test(text)) return Number.parseInt(text.slice(2), 8)
  if (hexadecimal.test(text)) return Number.parseInt(text.slice(2), 16)
  if (infinity.test(text)) return c === 45 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  if (notANumber.test(text)) return Number.NaN
  return undefined
}

const words: ReadonlyMap<string, null | boolean> = new Map<string, null | boolean>([
  ['~', null],
  ['null', null],
  ['Null', null],
  ['NULL', null],
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
])
const decimal = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/
const octal = /^0o[0-7]+$/
const hexadecimal = /^0x[0-9a-fA-F]+$/
const infinity = /^[-+]?\.(?:inf|Inf|INF)$/
const notANumber = /^\.(?:nan|NaN|NAN)$/
