import type { Span } from '../../source.ts'
import type { MapNode, Node, UnknownNode } from '../../tree.ts'
import { type Frame, spend } from '../frame.ts'
import type { Expression } from '../syntax.ts'
import type { Value } from '../types.ts'
import { longestText, normalize, numberAt, numberOf, spanOf, textNode, textOf, unknownAt } from '../values.ts'

export interface Call {
  readonly span: Span
  readonly frame: Frame
  /** For functions that evaluate what they are given. */
  readonly evaluate: (expression: Expression, frame: Frame) => Value
}

/** The result of a function; undefined where its arguments have the wrong types. */
export type Result = Value | 'unknown' | undefined

/**
 * The arguments that a function accepts, and the function. `whole`: only values without unknown parts; `open`: also lists and
 * maps with unknown parts; `any`: all values.
 */
export type Builtin = readonly ['whole' | 'open' | 'any', (values: readonly Value[], call: Call) => Result]

export function builtin(...parts: Builtin): Builtin {
  return parts
}

/** A function of known values, one for each reader; a value that its reader does not take is of another kind. */
export function withReaders<T extends readonly unknown[] | []>(
  readers: { readonly [K in keyof T]: (value: Value | undefined) => T[K] | undefined },
  give: (read: T, call: Call, values: readonly Value[]) => Result,
): Builtin {
  return builtin('whole', (values, call) => {
    const read = allKnown(readers.map((reader, i) => reader(values[i])))
    return read && give(read as unknown as T, call, values)
  })
}

export function itemsOf(value: Value | undefined): readonly Node[] | undefined {
  return value?.kind === 'list' ? value.items : undefined
}

export function allKnown<T>(values: readonly (T | undefined)[]): readonly T[] | undefined {
  return values.includes(undefined) ? undefined : (values as readonly T[])
}

export function text(value: Value | undefined): string | undefined {
  return value && textOf(value)
}

export function whole(value: Value | undefined): number | undefined {
  const number = value && numberOf(value)
  return number !== undefined && Number.isInteger(number) ? number : undefined
}

/** A text as a function changes it; one that stays as it is stays where it is written. */
export function mapped(change: (text: string, ...others: readonly string[]) => string | undefined): Builtin {
  return builtin('whole', ([value, ...others], { span, frame }) => {
    const givenText = text(value)
    const rest = allKnown(others.map(text))
    if (value === undefined || givenText === undefined || !rest) return undefined
    const result = change(givenText, ...rest)
    if (result === undefined) return undefined
    spend(frame.budget, (givenText.length + result.length) >> 3, span)
    return result === givenText && value.kind === 'text' ? value : textNode(span, result)
  })
}

export function numeric(change: (...numbers: readonly number[]) => number | undefined): Builtin {
  return builtin('whole', (values, { span }) => {
    const numbers = allKnown(values.map(numberOf))
    if (!numbers || numbers.length === 0) return undefined
    const result = change(...numbers)
    return result === undefined ? undefined : numberAt(span, result)
  })
}

/** A function from strings to another type. */
export function ofTexts(give: (texts: readonly string[], call: Call) => Result): Builtin {
  return builtin('whole', (values, call) => {
    const texts = allKnown(values.map(text))
    if (!texts) return undefined
    spend(call.frame.budget, texts.reduce((sum, each) => sum + each.length, 0) >> 3, call.span)
    return give(texts, call)
  })
}

/** A function of a list, and of others behind it. */
export function ofList(
  give: (items: readonly Node[], call: Call, others: readonly Value[]) => Result,
  takes: Builtin[0] = 'open',
): Builtin {
  return builtin(takes, ([list, ...others], call) => {
    const items = itemsOf(list)
    return items && give(items, call, others)
  })
}

export function ofMap(give: (map: MapNode, call: Call) => Result, takes: Builtin[0] = 'open'): Builtin {
  return [takes, ([map], call) => (map?.kind === 'map' ? give(map, call) : undefined)]
}

/** A text with another in the place of each part that is searched for. */
export function replaceParts(value: Value, search: string, by: string, call: Call): Result {
  const original = text(value) ?? ''
  const count = original.split(search).length
  if (original.length + count * by.length > longestText) return 'unknown'
  // An empty search string matches around each character, which may be two units.
  const [, give] = mapped((each) => (search === '' ? ['', ...each, ''].join(by) : each.replaceAll(search, () => by)))
  return give([value], call)
}

/** The places of a string that a function makes: all of it is at the call of the function. */
function placesOf(pieces: readonly string[], span: Span): Pick<UnknownNode, 'offsets' | 'holes'> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (length === 0) return {}
  return {
    offsets: Array.from({ length }, (_, i) => Math.min(span.start + i, span.end - 1)),
    holes: pieces.slice(1).map(() => spanOf(span)),
  }
}

/** A text that a function makes, of which only pieces are known. */
export function wholeText(pieces: readonly string[], expression: string, span: Span, frame: Frame): UnknownNode {
  const known = pieces.map((piece) => normalize(span, piece)[0])
  return { ...unknownAt(span, expression, frame.scope), pieces: known, ...placesOf(known, span) }
}
