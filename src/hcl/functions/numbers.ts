import type { Span } from '../../source.ts'
import { convert } from '../convert.ts'
import { exactResult } from '../exact.ts'
import { boolType, numberType, type Value } from '../types.ts'
import { booleanAt, booleanOf, numberAt, numberOf } from '../values.ts'
import { allKnown, type Builtin, builtin, itemsOf, numeric, text, whole } from './support.ts'

function truths(value: Value | undefined, span: Span, test: (all: readonly boolean[]) => boolean): Value | undefined {
  const known = allKnown(itemsOf(value)?.map(booleanOf) ?? [undefined])
  return known && booleanAt(span, test(known))
}

export const numberFunctions: Readonly<Record<string, Builtin>> = {
  tonumber: builtin('whole', ([value]) => {
    return value && convert(value, numberType)
  }),
  tobool: builtin('whole', ([value]) => {
    if (!value || value.kind === 'boolean') return value
    if (value.kind === 'null') return convert(value, boolType)
    const result = booleanOf(value)
    return result === undefined ? undefined : booleanAt(value, result)
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
    return numberAt(span, exactResult(a ** b, a, b))
  }),
  signum: numeric(Math.sign),
  sum: builtin('whole', ([value], { span }) => {
    const numbers = allKnown(itemsOf(value)?.map(numberOf) ?? [undefined])
    return numbers && numbers.length > 0
      ? numberAt(
          span,
          numbers.reduce((a, b) => exactResult(a + b, a, b)),
        )
      : undefined
  }),
  parseint: builtin('whole', ([value, base], { span }) => {
    const [numeral, radix] = [text(value), whole(base)]
    if (numeral === undefined || radix === undefined || radix < 2 || radix > 36)
      return radix !== undefined && radix <= 62 ? 'unknown' : undefined
    const digits = '0123456789abcdefghijklmnopqrstuvwxyz'.slice(0, radix)
    const plain = numeral.replace(/^[-+]/, '').toLowerCase()
    if (plain === '' || ![...plain].every((digit) => digits.includes(digit))) return undefined
    return numberAt(span, exactResult(Number.parseInt(numeral, radix) + 0))
  }),
  sensitive: ['any', ([value]) => value],
  nonsensitive: ['any', ([value]) => value],
  ephemeralasnull: ['any', () => 'unknown'],
}
