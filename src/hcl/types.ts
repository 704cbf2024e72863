import { compareText } from '../diagnostic.ts'
import type { Span } from '../source.ts'
import type { Node, UnknownNode } from '../tree.ts'

/**
 * The type of a value, as the language has it. A list in brackets is a tuple and a map in braces an object: both have a type
 * for each part. `any` is the type of `null`, and of the items of an empty collection that nothing says more of. `open` is a
 * type that is not known here.
 */
export type Type = SimpleType | CollectionType | TupleType | ObjectType

export interface SimpleType {
  readonly kind: 'string' | 'number' | 'bool' | 'any' | 'open'
}
export interface CollectionType {
  readonly kind: 'list' | 'set' | 'map'
  readonly of: Type
}
export interface TupleType {
  readonly kind: 'tuple'
  readonly items: readonly Type[]
}
export interface ObjectType {
  readonly kind: 'object'
  readonly attributes: ReadonlyMap<string, Type>
  /** Of a type that is written for a variable: what may be left out, and what it is then. */
  readonly optional?: ReadonlyMap<string, Value | undefined>
}

/**
 * The results of expressions: nodes of the located tree, so that every value has the place where it is written. A set is a list
 * in order.
 */
export type Value = Node | TypedNode | SpreadNode | FailedNode | ReferenceNode

/** A value whose type its parts do not say: a list, set or map, `null` of a type, or something that is not known. */
export type TypedNode = Node & {
  readonly type: Type
  /** Of a list: in which order its items are is not known. */
  readonly isUnordered?: true
}

/** Any number of items of a list. */
export interface SpreadNode extends UnknownNode {
  readonly isSpread: true
}

/**
 * An expression without a value: a key that a map does not have, a string where a number is needed. `try` continues with its next
 * argument.
 */
export interface FailedNode extends UnknownNode {
  readonly isFailed: true
}

/** Something that the configuration describes or reads, by its address. */
export interface ReferenceNode extends UnknownNode {
  /** The names of the address: type and name of a resource. */
  readonly address: readonly string[]
  /** Its known attributes by name; undefined for others. */
  readonly member?: (name: string, span: Span) => Value | undefined
  /** The name that its URN ends with; undefined where it is not known. */
  readonly called?: () => string | undefined
}

export const stringType: Type = { kind: 'string' }
export const numberType: Type = { kind: 'number' }
export const boolType: Type = { kind: 'bool' }
export const anyType: Type = { kind: 'any' }
export const openType: Type = { kind: 'open' }

export function collectionOf(kind: CollectionType['kind'], of: Type): CollectionType {
  return { kind, of }
}

export function tupleOf(items: readonly Type[]): TupleType {
  return { kind: 'tuple', items }
}

export function objectOf(attributes: ReadonlyMap<string, Type>): ObjectType {
  return { kind: 'object', attributes }
}

export function isCollection(type: Type): type is CollectionType {
  return type.kind === 'list' || type.kind === 'set' || type.kind === 'map'
}

export function isPrimitive({ kind }: Type): boolean {
  return kind === 'string' || kind === 'number' || kind === 'bool'
}

/** A list, set or tuple. */
export function isSequence({ kind }: Type): boolean {
  return kind === 'list' || kind === 'set' || kind === 'tuple'
}

/** The types of which another is made. */
export function typesIn(type: Type): readonly Type[] {
  if (isCollection(type)) return [type.of]
  return type.kind === 'tuple' ? type.items : type.kind === 'object' ? [...type.attributes.values()] : []
}

/** Whether a type of some kind is in it, or it is one. */
export function holdsType(type: Type, kind: SimpleType['kind']): boolean {
  return type.kind === kind || typesIn(type).some((inner) => holdsType(inner, kind))
}

/** Whether two types are the same; undefined where that depends on a type that is not known. */
export function sameType(a: Type, b: Type): boolean | undefined {
  if (a === b && a.kind !== 'open') return holdsType(a, 'open') ? undefined : true
  if (a.kind === 'open' || b.kind === 'open') return undefined
  if (isCollection(a) && isCollection(b)) return a.kind === b.kind && sameType(a.of, b.of)
  if (a.kind === 'tuple' && b.kind === 'tuple')
    return a.items.length === b.items.length && andKnown(a.items.map((item, i) => sameType(item, b.items[i] as Type)))
  if (a.kind === 'object' && b.kind === 'object') {
    if (a.attributes.size !== b.attributes.size) return false
    return andKnown([...a.attributes].map(([name, one]) => sameType(one, b.attributes.get(name) ?? missing)))
  }
  return a.kind === b.kind
}

/** No attribute of an object has the type of a tuple with this one alone. */
const missing: Type = { kind: 'object', attributes: new Map([['\0', anyType]]) }

/** Whether all of them hold; a false one decides, whatever the unknown ones are. */
export function andKnown(all: readonly (boolean | undefined)[]): boolean | undefined {
  return all.includes(false) ? false : all.includes(undefined) ? undefined : true
}

/** A type in the notation of the language; equal for two types exactly when they are the same. */
export function typeName(type: Type): string {
  if (isCollection(type)) return `${type.kind}(${typeName(type.of)})`
  if (type.kind === 'tuple') return `tuple([${type.items.map(typeName).join(',')}])`
  if (type.kind !== 'object') return type.kind
  const attributes = [...type.attributes].sort(([a], [b]) => compareText(a, b))
  return `object({${attributes.map(([name, each]) => `${/^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name)}=${typeName(each)}`).join(',')}})`
}

/** The type of values of a type for variables: each attribute is there, if only as `null`. */
export function withoutOptional(type: Type): Type {
  if (isCollection(type)) return collectionOf(type.kind, withoutOptional(type.of))
  if (type.kind === 'tuple') return tupleOf(type.items.map(withoutOptional))
  return type.kind === 'object' ? objectOf(new Map([...type.attributes].map(([name, each]) => [name, withoutOptional(each)]))) : type
}
