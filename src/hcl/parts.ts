import type { Span } from '../source.ts'
import type { UnknownNode } from '../tree.ts'
import { toNumber } from './convert.ts'
import type { Frame } from './frame.ts'
import { shapeCalled } from './kinds.ts'
import { isCollection, isPrimitive, isSequence, type ReferenceNode, type Type, type Value } from './types.ts'
import {
  failedNode,
  isFailed,
  isReference,
  isSet,
  isSpread,
  isUnknown,
  isUnordered,
  printValue,
  spanOf,
  spreadOf,
  textOf,
  typeOf,
  unknownAt,
  withType,
} from './values.ts'

/** A value used at a place: a wholly unknown one gets that place, others keep the place where they are written. */
export function usedAt(value: Value, span: Span): Value {
  return isUnknown(value) && value.pieces.every((piece) => piece === '') ? { ...value, ...spanOf(span) } : value
}

/** `value.name`. */
export function memberOf(value: Value, name: string, span: Span, frame: Frame): Value {
  if (value.kind === 'map') {
    const text = name.normalize('NFC')
    const entry = value.entries.find(({ key }) => key.value === text)
    return entry ? usedAt(entry.value, span) : failedNode(span, `${printValue(value)}.${name}`, frame.scope)
  }
  if (isReference(value)) {
    const member = value.member?.(name, span)
    if (member) return usedAt(member, span)
    const names = [...value.address, name]
    const isName = name === 'urn' && names.length === 3 && frame.names.isNamed(names[0] as string)
    const inputs = (names.length === 3 && frame.names.inputs?.(names)) || ''
    const unknownMember = unknownAt(span, `${value.expression}.${name}${inputs}`, value.scope)
    const node: ReferenceNode = inside(value, name, { ...unknownMember, address: names })
    if (isName) return { ...node, isName: true }
    const shape = frame.names.shapeOf(names)
    const called = shape && name === 'urn' ? value.called?.() : undefined
    return shape ? { ...node, shape: called === undefined ? shape : shapeCalled(shape, called) } : node
  }
  if (isUnknown(value) && lacks(typeOf(value), name.normalize('NFC'))) return failedNode(span, `${value.expression}.${name}`, frame.scope)
  if (isUnknown(value)) return inside(value, name, derivedUnknown(value, span, `${value.expression}.${name}`))
  return failedNode(span, `${printValue(value)}.${name}`, frame.scope)
}

/** A part of a value that is not known, with its type where that of the value says it. */
function inside<T extends UnknownNode>(of: UnknownNode, name: string | undefined, part: T): T {
  const type = partOf(typeOf(of), name)
  return type ? withType(part, type) : part
}

function partOf(whole: Type, name: string | undefined): Type | undefined {
  if (isCollection(whole)) return whole.of
  if (whole.kind === 'any') return whole
  return whole.kind === 'object' && name !== undefined ? whole.attributes.get(name) : undefined
}

/** Whether values of a type certainly have no attribute of a name. */
function lacks(type: Type, name: string): boolean {
  return type.kind === 'object' ? !type.attributes.has(name) : isPrimitive(type) || isSequence(type)
}

/** A part of an unknown value: as unknown as that, or failed like that. */
export function derivedUnknown(of: UnknownNode, span: Span, expression: string): UnknownNode {
  const node = unknownAt(span, expression, of.scope)
  return isFailed(of) ? failedNode(span, expression, of.scope) : isSpread(of) ? spreadOf(node) : node
}

/** `value[key]`. */
export function indexed(value: Value, key: Value, span: Span, frame: Frame): Value {
  const expression = () => `${printValue(value)}[${printValue(key)}]`
  if (isFailed(key)) return failedNode(span, expression(), frame.scope)
  if (isUnknown(value)) {
    const isOneOfOurs = isReference(value) && frame.names.isNamed(value.address[0] as string)
    const name = textOf(key)
    if (!isReference(value) || (isUnknown(key) && isOneOfOurs)) return inside(value, name, derivedUnknown(value, span, expression()))
    return inside(value, name, { ...unknownAt(span, expression(), value.scope), address: value.address } as ReferenceNode)
  }
  if (isUnknown(key)) return unknownAt(span, expression(), frame.scope)
  if (value.kind === 'map') {
    const name = textOf(key)
    const entry = value.entries.find((each) => each.key.value === name)
    return entry ? usedAt(entry.value, span) : failedNode(span, expression(), frame.scope)
  }
  const number = toNumber(key)
  if (number && isUnknown(number)) return unknownAt(span, expression(), frame.scope)
  const place = number?.kind === 'number' ? number.value : Number.NaN
  if (value.kind !== 'list' || isSet(value) || !Number.isInteger(place) || place < 0) return failedNode(span, expression(), frame.scope)
  if (isUnordered(value) || value.items.slice(0, place + 1).some(isSpread)) return unknownAt(span, expression(), frame.scope)
  const item = value.items[place]
  return item ? usedAt(item, span) : failedNode(span, expression(), frame.scope)
}
