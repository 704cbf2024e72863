import type { Span } from '../../source.ts'
import { convert } from '../convert.ts'
import { boolType, numberType } from '../types.ts'
import { booleanAt, decimal, numberAt, numberOf, truth, type Value } from '../values.ts'
import { all, type Builtin, builtin, itemsOf, numeric, text, whole } from './support.ts'

function truths(value: Value | undefined, span: Span, test: (all: readonly boolean[]) => boolean): Value | undefined {
  const known = all(itemsOf(value)?.map(truth) ?? [undefined])
  return known && booleanAt(span, test(known))
}

export const numberFunctions: Readonly<Record<string, Builtin>> = {
  tonumber: builtin('whole', ([value]) => {
    if (!value || value.kind === 'number') return value
    if (value.kind === 'null') return convert(value, numberType)
    const number = numberOf(value)
    return number === undefined ? undefined : numberAt(value, number)
  }),
  tobool: builtin('whole', ([value]) => {
    if (!value || value.kind === 'boolean') return value
    if (value.kind === 'null') return convert(value, boolType)
    const known = truth(value)
    return known === undefined ? undefined : booleanAt(value, known)
  }),
  alltrue: ['whole', ([value], { span }) => truths(value, span, (all) => all.every(Boolean))],
  anytrue: ['whole', ([value], { span }) => truths(value, span, (all) => all.some(Boolean))],
  abs: numeric(Math.abs),
  ceil: numeric(Math.ceil),
  floor: numeric(Math.floor),
  max: numeric(Math.max),
  min: numeric(Math.min),
  pow: builtin('whole', ([base, exponent], { span }) => {
    const [a, b] = [base && numberOf(base), exponent && numberOf(exponent)]
    if (a === undefined || b === undefined) return undefined
    // What has more digits than a number has here is written with others of them elsewhere.
    const power = a ** b
    const isExact = Number.isInteger(power) ? Number.isSafeInteger(power) : decimal(power) === power
    return Number.isFinite(power) && !isExact ? 'unknown' : numberAt(span, power)
  }),
  signum: numeric(Math.sign),
  sum: builtin('whole', ([value], { span }) => {
    const numbers = all(itemsOf(value)?.map(numberOf) ?? [undefined])
    const sum = (a: number, b: number) => decimal(a + b)
    return numbers && numbers.length > 0 ? numberAt(span, numbers.reduce(sum, 0)) : undefined
  }),
  parseint: builtin('whole', ([value, base], { span }) => {
    const [given, radix] = [text(value), whole(base)]
    if (given === undefined || radix === undefined || radix < 2 || radix > 36)
      return radix !== undefined && radix <= 62 ? 'unknown' : undefined
    const digits = '0123456789abcdefghijklmnopqrstuvwxyz'.slice(0, radix)
    const plain = given.replace(/^-/, '').toLowerCase()
    return plain !== '' && [...plain].every((digit) => digits.includes(digit)) ? numberAt(span, Number.parseInt(given, radix)) : undefined
  }),
  sensitive: ['any', ([value]) => value],
  nonsensitive: ['any', ([value]) => value],
  ephemeralasnull: ['any', () => 'unknown'],
}
