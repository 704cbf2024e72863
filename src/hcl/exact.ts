/**
 * Numbers as the language has them, with 512 binary digits, as far as a double represents them. A number that is written with few
 * digits means its decimals, and is compared and printed as such; a computed one is exact, or unknown.
 */

/** Thrown for a number that a double does not say all of, and caught where the value is: there it is not known. */
export class Inexact extends Error {}

/** Digits of which no two numbers are one double. */
const mostDigits = 15

/** How far from 1 what is written may be: further out, doubles have fewer digits. */
const farthest = 1e300

/** Whether a number in decimals is all that its double says. Below zero there is another zero, which a double prints as zero. */
export function isExact(written: string, value: number): boolean {
  const [mantissa = ''] = written.split(/[eE]/, 1)
  const digits = mantissa.replace(/[-+.]/g, '').replace(/^0+|0+$/g, '')
  if (digits === '') return !written.startsWith('-')
  const size = Math.abs(value)
  if (digits.length <= mostDigits) return size < farthest && size > 1 / farthest
  return Number.isSafeInteger(value) && /^[-+]?\d+$/.test(written)
}

/** A number of a text; undefined where it is none. Throws `Inexact`. */
export function readNumber(text: string): number | undefined {
  if (/^[-+]?inf$/i.test(text) || /^[-+]?[\d.]*\d[\d.]*p[-+]?\d+$/i.test(text)) throw new Inexact()
  if (!/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(text)) return undefined
  const value = Number(text)
  if (!isExact(text, value)) throw new Inexact()
  return value
}

/** A number as the language writes it: with all of its digits, however many zeros there are. */
export function numberText(value: number): string {
  const written = String(value)
  const [, sign = '', first = '', rest = '', power = '0'] = /^(-?)(\d)(?:\.(\d+))?e([-+]\d+)$/.exec(written) ?? []
  if (first === '') return written
  const digits = first + rest
  const point = 1 + Number(power)
  return sign + (point > 0 ? digits.padEnd(point, '0') : `0.${'0'.repeat(-point)}${digits}`)
}

/** Fractions whose digits are all computed: those in parts of 256, below a size up to which doubles have them all. */
const parts = 256
const mostWithParts = 1e7

function isWorkedOut(value: number): boolean {
  if (Object.is(value, -0)) return false
  return Number.isSafeInteger(value) || (Math.abs(value) < mostWithParts && Number.isInteger(value * parts))
}

/** A computed number, if all of its digits are known. Throws `Inexact`. */
export function exactResult(result: number, ...of: readonly number[]): number {
  const isWhole = of.every(Number.isInteger)
  if (![result, ...of].every(isWorkedOut) || !(isWhole || Math.abs(result) < mostWithParts)) throw new Inexact()
  return result
}

/** The results of operators; undefined where there is none. Throws `Inexact`. */
export const arithmetic: Readonly<Record<string, (a: number, b: number) => number | boolean | undefined>> = {
  '+': (a, b) => exactResult(a + b, a, b),
  '-': (a, b) => exactResult(a - b, a, b),
  '*': (a, b) => exactResult(a * b, a, b),
  '/': (a, b) => {
    if (b === 0 && a === 0) return undefined
    // Of what is divided by zero the language has an infinite number; a third has no end.
    if (b === 0 || (a * parts) % b !== 0) throw new Inexact()
    return exactResult(a / b, a, b)
  },
  // The remainder of negative operands depends on the version of the tool, that of fractions on their digits.
  '%': (a, b) => {
    if (b === 0 || !Number.isInteger(a) || !Number.isInteger(b)) throw new Inexact()
    return exactResult((a % b) + 0, a, b)
  },
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
}

/** A number as it is written, with its digits where a double has not all of them. */
export function literalNumber(written: string, value = Number(written)): NumberLiteral {
  return { kind: 'literal', value, ...(!isExact(written, value) && { digits: written }) }
}

interface NumberLiteral {
  readonly kind: 'literal'
  readonly value: number
  readonly digits?: string
}
