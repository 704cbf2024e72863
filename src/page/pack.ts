import { type Source, sourceOf } from '../source.ts'

/**
 * A value as JSON that keeps what refers to the same thing: objects, lists, maps, sets, and sources by number. What functions do
 * is lost.
 */
export interface Packed {
  /** Each by number; the first is the value itself. */
  readonly parts: readonly Part[]
  readonly sources: readonly Pick<Source, 'path' | 'text' | 'notation'>[]
}

type Part =
  | readonly ['value', string | number | boolean | null]
  /** Numbers that JSON does not have, as text: those of addresses, and those without end. */
  | readonly ['whole' | 'number', string]
  | readonly ['source' | 'list' | 'set' | 'map', ...number[]]
  | readonly ['object', ...(string | number)[]]

export function pack(value: unknown): Packed {
  const parts: Part[] = []
  const sources: Source[] = []
  const numbers = new Map<unknown, number>()
  const number = (one: unknown): number => {
    const knownNumber = numbers.get(one)
    if (knownNumber !== undefined) return knownNumber
    const index = parts.length
    numbers.set(one, index)
    parts.push(['value', null])
    parts[index] = part(one)
    return index
  }
  const part = (one: unknown): Part => {
    if (typeof one === 'bigint') return ['whole', `${one}`]
    if (typeof one === 'number' && !Number.isFinite(one)) return ['number', `${one}`]
    if (typeof one !== 'object' || one === null) return ['value', typeof one === 'function' ? null : ((one ?? null) as string)]
    if (Array.isArray(one)) return ['list', ...one.map(number)]
    if (one instanceof Set) return ['set', ...[...one].map(number)]
    if (one instanceof Map) return ['map', ...[...one].flat().map(number)]
    if (isSource(one)) return ['source', sources.push(one) - 1]
    return ['object', ...Object.entries(one).flatMap(([key, each]) => (each === undefined ? [] : [key, number(each)]))]
  }
  number(value)
  return { parts, sources: sources.map(({ path, text, notation }) => ({ path, text, notation })) }
}

const isSource = (value: object): value is Source => 'notation' in value && 'text' in value && 'path' in value

/** The value that was packed. `known`: sources to use in the place of those with the same path. */
export function unpack<T>({ parts, sources }: Packed, knownSources: ReadonlyMap<string, Source> = new Map()): T {
  const made = new Map<number, unknown>()
  const value = (at: number): unknown => {
    if (!made.has(at)) make(at, parts[at] as Part)
    return made.get(at)
  }
  const make = (index: number, [kind, ...rest]: Part): void => {
    const numbers = rest as readonly number[]
    if (kind === 'value') made.set(index, rest[0])
    else if (kind === 'whole') made.set(index, BigInt(rest[0] as string))
    else if (kind === 'number') made.set(index, Number(rest[0]))
    else if (kind === 'source') {
      const { path, text, notation } = sources[numbers[0] as number] as Source
      made.set(index, knownSources.get(path) ?? sourceOf(path, text, notation))
    } else if (kind === 'list') {
      const list: unknown[] = []
      made.set(index, list)
      for (const each of numbers) list.push(value(each))
    } else if (kind === 'set') {
      const set = new Set<unknown>()
      made.set(index, set)
      for (const each of numbers) set.add(value(each))
    } else if (kind === 'map') {
      const map = new Map<unknown, unknown>()
      made.set(index, map)
      for (let i = 0; i < numbers.length; i += 2) map.set(value(numbers[i] as number), value(numbers[i + 1] as number))
    } else {
      const object: Record<string, unknown> = {}
      made.set(index, object)
      // Defined, not assigned: `__proto__` is a name like any other.
      for (let i = 0; i < rest.length; i += 2)
        Object.defineProperty(object, rest[i] as string, {
          value: value(rest[i + 1] as number),
          enumerable: true,
          writable: true,
          configurable: true,
        })
    }
  }
  return value(0) as T
}
