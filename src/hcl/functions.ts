import type { Span } from '../source.ts'
import { type Frame, markOf, spend } from './evaluate.ts'
import { coreFunctions } from './functions/core.ts'
import { encodingFunctions } from './functions/encoding.ts'
import { fileFunctions } from './functions/files.ts'
import { networkFunctions } from './functions/network.ts'
import { patternFunctions } from './functions/patterns.ts'
import type { Builtin } from './functions/support.ts'
import { tableFunctions } from './functions/tables.ts'
import { timeFunctions } from './functions/time.ts'
import { failedAt, isFailed, isKnown, isUnknown, shown, unknownAt, type Value } from './values.ts'

/** The functions whose values are worked out (public reference of the configuration language, one page for each). */
const functions: Readonly<Record<string, Builtin>> = {
  ...coreFunctions,
  ...encodingFunctions,
  ...fileFunctions,
  ...networkFunctions,
  ...patternFunctions,
  ...tableFunctions,
  ...timeFunctions,
}

/** The value of a function. What a function of another name gives, or one that reads files or the clock, is not known. */
export function callFunction(name: string, values: readonly Value[], span: Span, frame: Frame): Value {
  const expression = () => `${name}(${values.map(shown).join(', ')})`
  spend(frame.budget, 1 + values.length, span)
  if (values.some(isFailed)) return failedAt(span, expression(), frame.scope)
  const known = Object.hasOwn(functions, name) ? functions[name] : undefined
  const unknown = () => unknownAt(span, expression() + (changing.has(name) ? markOf(span, frame) : ''), frame.scope)
  if (!known) return unknown()
  const [takes, give] = known
  if (takes === 'whole' && !values.every(isKnown)) return unknown()
  if (takes === 'open' && values.some(isUnknown)) return unknown()
  const value = give(values, { span, frame })
  if (value === 'unknown') return unknown()
  return value ?? failedAt(span, expression(), frame.scope)
}

/** Functions of which two calls give two values. */
const changing: ReadonlySet<string> = new Set(['uuid', 'bcrypt', 'timestamp'])
