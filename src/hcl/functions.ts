import { Inexact } from './exact.ts'
import { type Frame, markOf, spend } from './frame.ts'
import { collectionFunctions } from './functions/collections.ts'
import { encodingFunctions } from './functions/encoding.ts'
import { fileFunctions } from './functions/files.ts'
import { networkFunctions } from './functions/network.ts'
import { numberFunctions } from './functions/numbers.ts'
import { patternFunctions } from './functions/patterns.ts'
import type { Builtin, Call, Result } from './functions/support.ts'
import { tableFunctions } from './functions/tables.ts'
import { textFunctions } from './functions/text.ts'
import { timeFunctions } from './functions/time.ts'
import { readsFiles } from './inputs.ts'
import { boolType, collectionOf, isCollection, numberType, openType, stringType, type Type, type Value } from './types.ts'
import { failedNode, isFailed, isKnown, isUnknown, mark, printValue, textOf, typeOf, unknownAt, withType } from './values.ts'

/** The functions that are evaluated. */
const functions: Readonly<Record<string, Builtin>> = {
  ...collectionFunctions,
  ...encodingFunctions,
  ...fileFunctions,
  ...networkFunctions,
  ...numberFunctions,
  ...patternFunctions,
  ...tableFunctions,
  ...textFunctions,
  ...timeFunctions,
}

/** The value of a function. What a function of another name gives, or one that reads files or the clock, is not known. */
export function callFunction(name: string, values: readonly Value[], call: Call): Value {
  const { span, frame } = call
  const expression = () => `${name}(${values.map(printValue).join(', ')})`
  spend(frame.budget, 1 + values.length, span)
  if (values.some(isFailed)) return failedNode(span, expression(), frame.scope)
  const builtin = Object.hasOwn(functions, name) ? functions[name] : undefined
  const distinction = () => (changing.has(name) ? markOf(span, frame) : readsFiles.has(name) ? fileMark(values[0], frame) : '')
  const unknown = () => {
    const node = unknownAt(span, expression() + distinction(), frame.scope)
    const type = typeOfResult(name, values)
    return type ? withType(node, type) : node
  }
  if (!builtin) return unknown()
  const [takes, give] = builtin
  if (takes === 'whole' && !values.every(isKnown)) return unknown()
  if (takes === 'open' && values.some(isUnknown)) return unknown()
  const value = given(() => give(values, call))
  if (value === 'unknown') return unknown()
  return value ?? failedNode(span, expression(), frame.scope)
}

/** The result of a function; `unknown` for a number that a double does not represent exactly. */
function given(give: () => Result): Result {
  try {
    return give()
  } catch (error) {
    if (error instanceof Inexact) return 'unknown'
    throw error
  }
}

/** A mark that distinguishes the unknown content of a file from that of another version of it. */
function fileMark(path: Value | undefined, { names, tools }: Frame): string {
  if (!tools?.files) return ''
  const pathText = path && textOf(path)
  if (pathText === undefined) return mark('side', tools.files.side)
  const place = names.place?.(pathText)
  const content = place === undefined ? undefined : tools.files.mark(place)
  return content === undefined ? '' : mark('content', content)
}

/** Functions of which two calls give two values. */
const changing: ReadonlySet<string> = new Set(['uuid', 'bcrypt', 'timestamp'])

const textList = collectionOf('list', stringType)

/** The result types of functions, independent of their arguments. */
const results: ReadonlyMap<string, Type> = new Map([
  ...'base64encode chomp format join jsonencode lower md5 replace sha1 sha256 sha512 strrev substr timestamp title tostring trim'
    .split(' ')
    .concat('trimprefix trimspace trimsuffix upper urlencode uuid'.split(' '))
    .map((name) => [name, stringType] as const),
  ...'abs ceil floor index length max min parseint signum sum tonumber'.split(' ').map((name) => [name, numberType] as const),
  ...'alltrue anytrue contains endswith fileexists startswith strcontains tobool'.split(' ').map((name) => [name, boolType] as const),
  ...'compact formatlist sort split'.split(' ').map((name) => [name, textList] as const),
  ['fileset', collectionOf('set', stringType)],
])

const collections = { tolist: 'list', toset: 'set', tomap: 'map' } as const

/** The type of what a function gives, where nothing else of it is known. */
function typeOfResult(name: string, [value]: readonly Value[]): Type | undefined {
  if (name !== 'tolist' && name !== 'toset' && name !== 'tomap') return results.get(name)
  const type = value && typeOf(value)
  return collectionOf(collections[name], type && isCollection(type) ? type.of : openType)
}
