import { visible } from '../names.ts'
import { shortened } from '../parser/reading.ts'
import type { Entry, ListNode, MapNode, Node, UnknownNode } from '../tree.ts'
import { Inexact } from './exact.ts'
import type { Expression } from './syntax.ts'
import {
  andKnown,
  anyType,
  boolType,
  type CollectionType,
  collectionOf,
  holdsType,
  isCollection,
  isPrimitive,
  numberType,
  type ObjectType,
  openType,
  sameType,
  stringType,
  type Type,
  tupleOf,
  type Value,
  withoutOptional,
} from './types.ts'
import { commonType, convertible } from './unify.ts'
import {
  booleanAt,
  booleanOf,
  inexactNumber,
  isFailed,
  isList,
  isSet,
  isSpread,
  isUnordered,
  listOf,
  mapAt,
  mapOf,
  nullNode,
  numberAt,
  numberOf,
  printValue,
  setAt,
  textNode,
  textOf,
  tupleNode,
  typeOf,
  unordered,
  withType,
} from './values.ts'

/** Types by their keywords, also in the notation of old versions. */
const named: Readonly<Record<string, Type>> = {
  string: stringType,
  number: numberType,
  bool: boolType,
  any: anyType,
  list: collectionOf('list', anyType),
  map: collectionOf('map', anyType),
}

/** The type that is written for a variable. `evaluated`: the values of defaults in it. What is no type says nothing. */
export function typeFrom(written: Expression | undefined, evaluated: (expression: Expression) => Value): Type {
  if (written?.kind === 'template' && written.parts[0]?.kind === 'text' && written.parts.length === 1)
    return namedType(written.parts[0].value)
  if (written?.kind === 'name') return namedType(written.name)
  const [inner] = written?.kind === 'call' ? written.values : []
  if (written?.kind !== 'call' || !inner) return anyType
  if (written.name === 'list' || written.name === 'set' || written.name === 'map')
    return collectionOf(written.name, typeFrom(inner, evaluated))
  if (written.name === 'tuple' && inner.kind === 'list') return tupleOf(inner.items.map((item) => typeFrom(item, evaluated)))
  return written.name === 'object' && inner.kind === 'object' ? objectFrom(inner, evaluated) : anyType
}

function namedType(name: string): Type {
  return (Object.hasOwn(named, name) && named[name]) || anyType
}

function objectFrom({ entries }: Expression & { kind: 'object' }, evaluated: (expression: Expression) => Value): ObjectType {
  const attributes = new Map<string, Type>()
  const optional = new Map<string, Value | undefined>()
  for (const { key, value } of entries) {
    const name = evaluated(key)
    if (name.kind !== 'text') continue
    const isOptional = value.kind === 'call' && value.name === 'optional'
    const [inner, fallback] = isOptional ? value.values : [value]
    const type = typeFrom(inner, evaluated)
    attributes.set(name.value, type)
    if (isOptional) optional.set(name.value, fallback && (converted(evaluated(fallback), type) ?? evaluated(fallback)))
  }
  return { kind: 'object', attributes, optional }
}

/** A value that is not known, as one of a type. */
export function unknownOf(value: UnknownNode, type: Type): Value {
  return holdsType(type, 'any') ? value : withType(value, withoutOptional(type))
}

/** A value as a variable of a type has it, with what is left out of it; undefined where it is none of the type. */
export function converted(value: Value, type: Type): Value | undefined {
  return convert(hasDefaults(type) ? withDefaults(value, type) : value, type)
}

function hasDefaults(type: Type): boolean {
  if (isCollection(type)) return hasDefaults(type.of)
  if (type.kind === 'tuple') return type.items.some(hasDefaults)
  if (type.kind !== 'object') return false
  return [...(type.optional?.values() ?? [])].some((value) => value) || [...type.attributes.values()].some(hasDefaults)
}

/** A value with defaults in place of absent attributes and of null. */
function withDefaults(value: Value, type: Type): Value {
  if (value.kind === 'list') {
    const items = value.items.map((item, i) => {
      const inner = type.kind === 'tuple' ? type.items[i] : isCollection(type) ? type.of : undefined
      return inner ? withDefaults(item, inner) : item
    })
    return isSet(value) ? setAt(value, items) : isUnordered(value) ? unordered(tupleNode(value, items)) : tupleNode(value, items)
  }
  if (value.kind !== 'map') return value
  if (isCollection(type))
    return mapAt(
      value,
      value.entries.map(({ key, value: inner }) => ({ key, value: withDefaults(inner, type.of) })),
    )
  if (type.kind !== 'object') return value
  const entries = new Map(value.entries.map((entry) => [entry.key.value, entry]))
  for (const [name, fallback] of type.optional ?? []) {
    const givenEntry = entries.get(name)
    if (fallback && (!givenEntry || givenEntry.value.kind === 'null'))
      entries.set(name, { key: textNode(givenEntry?.key ?? fallback, name), value: fallback })
  }
  const inner = ({ key, value: each }: Entry) => withDefaults(each, type.attributes.get(key.value) ?? anyType)
  return mapAt(
    value,
    [...entries.values()].map((entry) => ({ key: entry.key, value: inner(entry) })),
  )
}

/** A value as one of a type, a number as a text for example; undefined where it is none and none can be made of it. */
export function convert(value: Value, to: Type): Value | undefined {
  if (to.kind === 'any' || isFailed(value)) return value
  if (to.kind === 'open') return withUnknownType(value)
  const from = typeOf(value)
  if (sameType(from, to) === true) return value
  if (value.kind === 'unknown' || value.kind === 'null') return convertible(from, to) ? ofType(value, from, to) : undefined
  switch (to.kind) {
    case 'string': {
      const text = textOf(value)
      return text === undefined ? undefined : textNode(value, text)
    }
    case 'number':
      return toNumber(value)
    case 'bool': {
      const boolean = booleanOf(value)
      return boolean === undefined ? undefined : booleanAt(value, boolean)
    }
    case 'list':
    case 'set':
      return value.kind === 'list' ? toSequence(value, to) : undefined
    case 'map':
      return value.kind === 'map' ? toMap(value, to) : undefined
    case 'tuple': {
      if (value.kind !== 'list' || isList(value) || isSet(value)) return undefined
      if (from.kind === 'open') return value
      const items = all(value.items.map((item, i) => to.items[i] && convert(item, to.items[i])))
      return items && value.items.length === to.items.length ? tupleNode(value, items) : undefined
    }
    case 'object':
      return value.kind === 'map' ? toObject(value, to) : undefined
  }
}

/** A number, or the number of a text; undefined where it is none. */
export function toNumber(value: Value): Value | undefined {
  try {
    const number = numberOf(value)
    return number === undefined ? undefined : numberAt(value, number)
  } catch (error) {
    if (error instanceof Inexact) return inexactNumber(value, `tonumber(${printValue(value)})`)
    throw error
  }
}

function all<T>(values: readonly (T | undefined)[]): readonly T[] | undefined {
  return values.includes(undefined) ? undefined : (values as readonly T[])
}

/** A null or unknown value as one of a type. */
function ofType(value: Value & { kind: 'unknown' | 'null' }, from: Type, to: Type): Value {
  if (isSpread(value)) return value
  const type = withoutOptional(to)
  return withType(value, holdsType(type, 'any') && !(value.kind === 'null' && from.kind === 'any') ? openType : type)
}

/** A value as one of a type that is not known: what numbers and collections are then is not known either. */
export function withUnknownType(value: Value): Value {
  if (value.kind === 'text' || value.kind === 'unknown' || value.kind === 'null') return value
  if (value.kind === 'list') {
    const list = withType({ ...tupleNode(value, value.items.map(withUnknownType)) }, openType)
    return isSet(value) || isUnordered(value) ? unordered(list) : list
  }
  if (value.kind !== 'map') return withType(value, openType)
  return withType(
    {
      ...mapAt(
        value,
        value.entries.map((entry) => ({ key: entry.key, value: withUnknownType(entry.value) })),
      ),
    },
    openType,
  )
}

/** Parts as those of a collection, and their type; undefined where they have none in common. */
function toParts(
  value: ListNode | MapNode,
  parts: readonly Node[],
  to: CollectionType,
): { readonly of: Type; readonly parts: readonly Node[] } | undefined {
  const from = typeOf(value)
  if (to.of.kind === 'any' && isCollection(from)) return { of: from.of, parts }
  if (parts.length === 0) return convertible(from, to) ? { of: withoutOptional(to.of), parts } : undefined
  if (!holdsType(to.of, 'any')) {
    const fitted = all(parts.map((part) => convert(part, to.of)))
    return fitted && { of: withoutOptional(to.of), parts: fitted }
  }
  const fitted = all(parts.map((part) => convert(part, to.of)))
  const of = fitted && typeOfParts(fitted.map(typeOf), to, from)
  const unifyValues = of && all(fitted.map((part) => convert(part, of)))
  return unifyValues && { of, parts: unifyValues }
}

/**
 * The type of all parts. If there are only nulls and one type, the values of a map keep that type; a list or set has no type for
 * both. Items of a set, and of a value that was not a tuple, are only converted to the written type: then they have to be of one
 * type.
 */
function typeOfParts(types: readonly Type[], to: CollectionType, from: Type): Type | undefined {
  const [first] = types
  const isOne = first && andKnown(types.map((type) => sameType(first, type)))
  if (isOne === false && to.of.kind !== 'any' && (to.kind === 'set' || (to.kind === 'list' && from.kind !== 'tuple'))) return undefined
  const [only, ...others] = types.filter((type) => type.kind !== 'any')
  if (!only || isPrimitive(only) || only.kind === 'open' || others.length + 1 === types.length) return commonType(types)
  return to.kind === 'map' && others.every((type) => sameType(only, type)) ? only : undefined
}

function toSequence(value: ListNode, to: CollectionType): Value | undefined {
  const converted = toParts(value, value.items, to)
  if (!converted) return undefined
  const { of, parts } = converted
  if (to.kind === 'set') return setAt(value, parts, of)
  const list = listOf(value, of, parts)
  return isUnordered(value) ? unordered(list) : list
}

function toMap(value: MapNode, to: CollectionType): Value | undefined {
  const parts = toParts(
    value,
    value.entries.map((entry) => entry.value),
    to,
  )
  return (
    parts &&
    mapOf(
      value,
      parts.of,
      value.entries.map(({ key }, i) => ({ key, value: parts.parts[i] as Node })),
    )
  )
}

function toObject(value: MapNode, { attributes, optional }: ObjectType): Value | undefined {
  const givenEntries = new Map(value.entries.map((entry) => [entry.key.value, entry]))
  const entries = [...attributes].map(([name, type]): Entry | undefined => {
    const entry = givenEntries.get(name)
    if (!entry)
      return optional?.has(name) ? { key: textNode(value, name), value: withType(nullNode(value), withoutOptional(type)) } : undefined
    const fitted = convert(entry.value, type)
    return fitted && { key: entry.key, value: fitted }
  })
  const whole = all(entries)
  return whole && mapAt(value, whole)
}

/** Values as values of one type, as lists and conditionals have them; undefined where they have none in common. */
export function unified(values: readonly Value[]): readonly Value[] | undefined {
  const type = commonType(values.map(typeOf))
  return type && all(values.map((value) => convert(value, type)))
}

const kinds: Readonly<Record<Type['kind'], readonly [kind: Value['kind'] | undefined, expected: string]>> = {
  string: ['text', 'a text'],
  number: ['number', 'a number'],
  bool: ['boolean', '`true` or `false`'],
  list: ['list', 'a list'],
  set: ['list', 'a list'],
  tuple: ['list', 'a list'],
  map: ['map', 'a map'],
  object: ['map', 'an object'],
  any: [undefined, 'a value'],
  open: [undefined, 'a value'],
}

/**
 * The expected type in a message, of a value that does not fit a type, or of the first part of it that does not; undefined where
 * it fits.
 */
export function typeMismatch(value: Value, type: Type): string | undefined {
  if (converted(value, type) !== undefined) return undefined
  const [kind, expected] = kinds[type.kind]
  if (value.kind !== kind) return expected
  if (type.kind === 'object' && value.kind === 'map') {
    const has = new Set(value.entries.map(({ key }) => key.value))
    const lacks = [...type.attributes.keys()].find((name) => !has.has(name) && !type.optional?.has(name))
    if (lacks !== undefined) return `an object with \`${visible(shortened(lacks))}\``
  }
  const inner = partsOf(value).map(([name, part], i) => {
    const of =
      type.kind === 'object' ? type.attributes.get(name) : type.kind === 'tuple' ? type.items[i] : isCollection(type) ? type.of : undefined
    return of && typeMismatch(part, of)
  })
  const firstMismatch = inner.find((each) => each !== undefined)
  if (firstMismatch !== undefined) return firstMismatch
  return type.kind === 'tuple' ? `a list of ${type.items.length}` : `${expected} of values of one type`
}

function partsOf(value: Value): readonly (readonly [name: string, part: Node])[] {
  if (value.kind === 'list') return value.items.map((item) => ['', item])
  return value.kind === 'map' ? value.entries.map(({ key, value: part }) => [key.value, part]) : []
}
