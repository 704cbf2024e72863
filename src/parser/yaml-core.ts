/**
 * The value of an unquoted scalar in the core schema (YAML 1.2.2, section 10.3.2): null, a boolean, a number, or else undefined:
 * it is a string. Both YAML readers use this function; the older words (`yes`, `on`, `010` as octal) are not in it.
 */
export function coreValue(text: string): null | boolean | number | undefined {
  if (text === '') return null
  // Nearly every scalar of a policy is dismissed here: those that mean something else begin with one of few characters.
  const c = text.charCodeAt(0)
  if (beginsWord[c] === 1) return words.get(text)
  if (beginsNumber[c] !== 1) return undefined
  if (decimal.test(text)) return Number(text)
  if (octal.test(text)) return Number.parseInt(text.slice(2), 8)
  if (hexadecimal.test(text)) return Number(text)
  if (infinity.test(text)) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  if (notANumber.test(text)) return Number.NaN
  return undefined
}

const beginsWord = oneOf(/[~nNtTfF]/)
const beginsNumber = oneOf(/[-+.0-9]/)

/** Of each ASCII character, 1 where it is one of some. */
function oneOf(characters: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, c) => Number(characters.test(String.fromCharCode(c))))
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
