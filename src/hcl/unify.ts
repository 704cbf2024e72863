import {
  anyType,
  type CollectionType,
  collectionOf,
  isCollection,
  isPrimitive,
  isSequence,
  type ObjectType,
  objectOf,
  openType,
  sameType,
  type TupleType,
  type Type,
  tupleOf,
  typeName,
} from './types.ts'

/**
 * The type that values of several types have in common, as the language finds it for lists, sets, maps and conditionals;
 * undefined where there is none, `open` where that depends on a type that is not known.
 */
export function commonType(all: readonly Type[]): Type | undefined {
  const types = [...new Map(all.map((type) => [typeName(type), type])).values()]
  const [first] = types
  if (!first) return anyType
  if (types.length === 1) return first
  const knownTypes = types.filter(({ kind }) => kind !== 'open')
  if (knownTypes.length < types.length) {
    const common = commonType(knownTypes)
    return common && typeWithOpen(common)
  }
  const kinds = new Set(types.map(({ kind }) => kind))
  if (kinds.has('any') && types.some((type) => type.kind !== 'any' && !isPrimitive(type))) return typeWithNull
  if (kinds.size === 1 && isCollection(first)) {
    const of = commonType(types.map((type) => (type as CollectionType).of))
    return of && collectionOf(first.kind, of)
  }
  if (kinds.size === 1 && first.kind === 'object') return commonObject(types as readonly ObjectType[])
  if (kinds.size === 1 && first.kind === 'tuple') return commonTuple(types as readonly TupleType[])
  if (kinds.has('object') && kinds.has('tuple')) return undefined
  return mixed(types, kinds, 'map', 'object') ?? mixed(types, kinds, 'list', 'tuple') ?? preferred(types)
}

/** The common type of null and values with parts depends on their order, and on the version of the language. */
const typeWithNull: Type = { kind: 'open' }

/** The common type of a type and an unknown one, if there is one. */
function typeWithOpen(type: Type): Type {
  if (type.kind === 'string') return type
  return type.kind === 'list' || type.kind === 'map' ? collectionOf(type.kind, typeWithOpen(type.of)) : openType
}

/** The common type of maps and objects, or of lists and tuples: the latter are converted to the former, where they can be. */
function mixed(
  types: readonly Type[],
  kinds: ReadonlySet<Type['kind']>,
  collection: 'map' | 'list',
  structure: 'object' | 'tuple',
): Type | undefined {
  if (kinds.size !== 2 || !kinds.has(collection) || !kinds.has(structure)) return undefined
  const parts = types.flatMap((type) => (type.kind === structure ? partsOf(type) : []))
  const of = parts.length === 0 ? undefined : commonType(parts)
  if (!of || of === typeWithNull) return of && openType
  return commonType([...types.filter(({ kind }) => kind === collection), collectionOf(collection, of)])
}

function partsOf(type: Type): readonly Type[] {
  return type.kind === 'tuple' ? type.items : type.kind === 'object' ? [...type.attributes.values()] : []
}

/** Objects with the same attributes are unified one by one, others become maps. */
function commonObject(types: readonly ObjectType[]): Type | undefined {
  const [first] = types as readonly [ObjectType]
  const names = [...first.attributes.keys()]
  const isTable = types.every(({ attributes }) => attributes.size === names.length && names.every((name) => attributes.has(name)))
  if (!isTable) return collected('map', types)
  const common = names.map((name) => [name, commonType(types.map(({ attributes }) => attributes.get(name) as Type))] as const)
  return common.some(([, type]) => !type) ? undefined : objectOf(new Map(common as readonly (readonly [string, Type])[]))
}

/** Tuples of one length are unified place by place, others become lists. */
function commonTuple(types: readonly TupleType[]): Type | undefined {
  const [first] = types as readonly [TupleType]
  if (types.some(({ items }) => items.length !== first.items.length)) return collected('list', types)
  const common = first.items.map((_, i) => commonType(types.map(({ items }) => items[i] as Type)))
  return common.includes(undefined) ? undefined : tupleOf(common as readonly Type[])
}

function collected(kind: 'list' | 'map', types: readonly Type[]): Type | undefined {
  const of = commonType(types.flatMap(partsOf))
  return of && collectionOf(kind, of)
}

/** Types of which more than this many are compared with each other: what they have in common is not looked for. */
const most = 100

/** The most general of types of several kinds that all others can be made. */
function preferred(types: readonly Type[]): Type | undefined {
  if (types.some(isPrimitive) && types.some((type) => !isPrimitive(type) && type.kind !== 'any')) return undefined
  if (types.length > most) return openType
  return inOrder(types).find((wanted) => types.every((type) => sameType(type, wanted) || convertible(type, wanted)))
}

/** From the more general to the less, otherwise in their order. */
function inOrder(types: readonly Type[]): readonly Type[] {
  const pending = types.map((type) => ({ type, before: types.filter((other) => generality(other, type) < 0).length }))
  const queue = pending.filter(({ before }) => before === 0)
  for (const { type } of queue) for (const other of pending) if (generality(type, other.type) < 0 && --other.before === 0) queue.push(other)
  return queue.map(({ type }) => type)
}

const ranks: Partial<Record<Type['kind'], number>> = { list: 0, tuple: 1, set: 2 }

/** Below zero where the first type is the more general one, above where the second is. */
function generality(a: Type, b: Type): number {
  if (a.kind === 'any' || b.kind === 'any') return Number(a.kind === 'any') - Number(b.kind === 'any')
  if (isPrimitive(a) && isPrimitive(b)) return Number(b.kind === 'string') - Number(a.kind === 'string')
  if (isCollection(a) && isCollection(b) && a.kind === b.kind) return generality(a.of, b.of)
  if (a.kind === 'map' && b.kind === 'object') return -1
  if (a.kind === 'object' && b.kind === 'map') return 1
  if (isSequence(a) && isSequence(b) && a.kind !== b.kind) return Math.sign((ranks[a.kind] ?? 0) - (ranks[b.kind] ?? 0))
  if (a.kind === 'tuple' && b.kind === 'tuple' && a.items.length === b.items.length)
    return agreed(a.items.map((item, i) => generality(item, b.items[i] as Type)))
  if (a.kind === 'object' && b.kind === 'object' && a.attributes.size === b.attributes.size) {
    const pairs = [...a.attributes].map(([name, type]) => [type, b.attributes.get(name)] as const)
    return pairs.some(([, other]) => !other) ? 0 : agreed(pairs.map(([type, other]) => generality(type, other as Type)))
  }
  return 0
}

function agreed(all: readonly number[]): number {
  const [less, more] = [all.some((each) => each < 0), all.some((each) => each > 0)]
  return less === more ? 0 : less ? -1 : 1
}

/** Whether there is a conversion of values of one type into another; of some values it may fail all the same. */
export function convertible(from: Type, to: Type): boolean {
  if (to.kind === 'any' || from.kind === 'any' || to.kind === 'open' || from.kind === 'open') return true
  if (isPrimitive(from) && isPrimitive(to)) return from.kind === to.kind || from.kind === 'string' || to.kind === 'string'
  if (to.kind === 'tuple')
    return (
      from.kind === 'tuple' &&
      from.items.length === to.items.length &&
      from.items.every((item, i) => convertible(item, to.items[i] as Type))
    )
  if (to.kind === 'object') {
    const { attributes, optional } = to
    if (from.kind === 'map') return [...attributes].every(([name, type]) => convertible(from.of, type) || optional?.has(name))
    if (from.kind !== 'object') return false
    return [...attributes].every(([name, type]) => {
      const given = from.attributes.get(name)
      return given ? convertible(given, type) : optional?.has(name) === true
    })
  }
  if (!isCollection(to)) return false
  if (isCollection(from)) return (from.kind === 'map') === (to.kind === 'map') && convertible(from.of, to.of)
  if ((to.kind === 'map') !== (from.kind === 'object') || (from.kind !== 'object' && from.kind !== 'tuple')) return false
  const parts = partsOf(from)
  if (to.of.kind !== 'any') return parts.every((part) => convertible(part, to.of))
  return parts.length === 0 || commonType(parts) !== undefined
}
