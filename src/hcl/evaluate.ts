import type { Diagnostic } from '../diagnostic.ts'
import { visible } from '../names.ts'
import { shortened } from '../parser/reading.ts'
import type { Span } from '../source.ts'
import type { Entry, Node, TextNode, UnknownNode } from '../tree.ts'
import { convert } from './convert.ts'
import { arithmetic, Inexact } from './exact.ts'
import { type Frame, markOf, spend } from './frame.ts'
import { callFunction } from './functions.ts'
import { derivedUnknown, indexed, memberOf, usedAt } from './parts.ts'
import { type Expression, type ForExpression, itemOfSplat, type Part, type Template } from './syntax.ts'
import {
  boolType,
  isCollection,
  isSequence,
  openType,
  type ReferenceNode,
  type SpreadNode,
  stringType,
  type Type,
  typesIn,
  type Value,
} from './types.ts'
import { commonType } from './unify.ts'
import {
  booleanAt,
  booleanOf,
  Exhausted,
  equal,
  failedNode,
  inexactNumber,
  isFailed,
  isKnown,
  isList,
  isReference,
  isSet,
  isSpread,
  isUnknown,
  isUnordered,
  listOf,
  longestText,
  mapAt,
  mark,
  nameInText,
  normalize,
  nullNode,
  numberAt,
  numberOf,
  printValue,
  sortedEntries,
  spanOf,
  spreadOf,
  textNode,
  textOf,
  tupleNode,
  typeOf,
  unknownAt,
  unknownComposite,
  unordered,
  withType,
} from './values.ts'

/** Values built on one another: far below what the stack holds. */
const deepest = 700

/**
 * The value of an expression. What is not known is an unknown node, named by the addresses that it comes from; what is
 * known of a text is kept. Every text knows where it is written, however it came here. Throws `Exhausted` alone.
 */
export function evaluate(expression: Expression, frame: Frame): Value {
  const { budget } = frame
  spend(budget, 1, expression)
  if (budget.depth >= deepest) throw new Exhausted(expression, `more than ${deepest} values build on one another`)
  budget.depth++
  try {
    return evaluated(expression, frame)
  } finally {
    budget.depth--
  }
}

function evaluated(e: Expression, frame: Frame): Value {
  switch (e.kind) {
    case 'literal':
      if (e.digits !== undefined) return inexactNumber(e, e.digits)
      return typeof e.value === 'number' ? numberAt(e, e.value) : typeof e.value === 'boolean' ? booleanAt(e, e.value) : nullNode(e)
    case 'template':
      return template(e, frame)
    case 'list':
      return list(e, frame)
    case 'object':
      return object(e, e.entries, frame)
    case 'name':
      return frame.bound.get(e.name) ?? address(e, [e.name], frame)
    case 'attribute':
      return attribute(e, frame)
    case 'index':
      return indexed(evaluate(e.of, frame), evaluate(e.key, frame), e, frame)
    case 'splat':
      return splat(e, frame)
    case 'call':
      return call(e, frame)
    case 'for':
      return forValue(e, frame)
    case 'unary':
      return unary(e.operator, evaluate(e.operand, frame), e, frame)
    case 'binary':
      return comparison(e, evaluate(e.left, frame), evaluate(e.right, frame), frame)
    case 'conditional':
      return conditional(e, frame)
  }
}

function list(e: Expression & { kind: 'list' }, frame: Frame): Value {
  const items = e.items.map((item) => evaluate(item, frame))
  return tupleNode(e, items)
}

function address(span: Span, names: readonly string[], { names: { prefix, inputs }, scope }: Frame): ReferenceNode {
  return { ...unknownAt(span, prefix + names.join('.') + (inputs?.(names) ?? ''), scope), address: names }
}

function attribute(e: Expression & { kind: 'attribute' }, frame: Frame): Value {
  const { names, bound } = frame
  if (e.of.kind === 'name' && !bound.has(e.of.name)) {
    const root = e.of.name
    const path = root === 'path' ? names.path?.(e.name) : undefined
    if (path !== undefined) return textNode(e, path)
    const knownValue =
      root === 'local'
        ? names.local(e.name, e)
        : root === 'var'
          ? names.variable(e.name, e)
          : root === 'module'
            ? names.child(e.name, e)
            : names.resource(root, e.name, e)
    return knownValue === undefined ? address(e, [root, e.name], frame) : usedAt(knownValue, e)
  }
  return memberOf(evaluate(e.of, frame), e.name, e, frame)
}

function splat(e: Expression & { kind: 'splat' }, frame: Frame): Value {
  const value = evaluate(e.of, frame)
  if (isFailed(value)) return value
  const inner = { ...frame, loops: (frame.loops ?? 0) + 1 }
  const each = (item: Value) => evaluate(e.each, { ...inner, bound: new Map([...frame.bound, [itemOfSplat, item]]) })
  const type = typeOf(value)
  if (isUnknown(value)) return tupleNode(e, [asSpread(each(itemOf(value, e, inner)), printValue(value), frame)])
  if (value.kind === 'null') return isSequence(type) ? failedNode(e, `${printValue(value)}[*]`, frame.scope) : tupleNode(e, [])
  if (value.kind !== 'list') return tupleNode(e, [each(value)])
  const items = value.items.map((item) => (isSpread(item) ? asSpread(each(anyOf(item, inner)), printValue(item), frame) : each(item)))
  const none = items.length === 0 && isCollection(type) ? each(typedItem(e, type.of)) : undefined
  if (none && isFailed(none)) return none
  const list = isList(value) || isSet(value) ? listOf(e, splatType(none ? [none] : items), items) : tupleNode(e, items)
  return isUnordered(value) ? unordered(list) : list
}

/** The type of what a splat takes of each item of one type. */
function splatType(items: readonly Value[]): Type {
  const [type = openType] = items.map(typeOf).filter(({ kind }) => kind !== 'open')
  return type
}

/** An item of which nothing is known but its type. */
function typedItem(span: Span, type: Type): Value {
  return withType(unknownAt(span, '[*]', ''), type)
}

/** Any item of a collection that is not known. */
function itemOf(collection: UnknownNode, span: Span, { names, loops = 0 }: Frame): UnknownNode {
  const type = typeOf(collection)
  const plain = unknownComposite(span, `${collection.expression}[*]`, collection.scope, 'item', String(loops))
  const node = isCollection(type) ? withType(plain, type.of) : plain
  if (!isReference(collection) || names.isNamed(collection.address[0] as string)) return node
  const reference: ReferenceNode = { ...node, address: collection.address }
  return reference
}

/** An item as a value; one that represents any number of items is marked with its `for`, since each `for` may mean another of them. */
function anyOf(item: Node, { loops = 0 }: Frame): Node {
  return isSpread(item) ? { ...item, expression: item.expression + mark('item', String(loops)) } : item
}

/**
 * A value that may exist any number of times, or not at all; `why`, and the value `of` which it is made, distinguish it from the
 * same elsewhere.
 */
function asSpread(value: Value, why: string, { scope, loops = 0 }: Frame, of = ''): SpreadNode {
  const closure = mark(printValue(value), why, of, String(loops))
  if (isUnknown(value)) return { ...spreadOf(value), expression: value.expression + closure }
  const node = spreadOf(unknownAt(value, `${printValue(value)} of ${why}${closure}`, scope))
  return value.kind === 'text' ? { ...node, pieces: [value.value], holes: [], ...placesOf(value) } : node
}

function placesOf({ value, offsets }: TextNode): Pick<UnknownNode, 'offsets'> {
  return offsets?.length === value.length + 1 ? { offsets: offsets.slice(0, -1) } : {}
}

function call(e: Expression & { kind: 'call' }, frame: Frame): Value {
  if (e.name === 'try' || e.name === 'can') return attempt(e, frame)
  const values = e.values.map((value) => evaluate(value, frame))
  const last = values.at(-1)
  if (e.isSpread && last) {
    if (last.kind === 'list') values.splice(-1, 1, ...last.items)
    else if (last.kind !== 'unknown') return failedNode(e, `${e.name}(…)`, frame.scope)
    else values.splice(-1, 1, spreadOf(last))
  }
  return callFunction(e.name, values, { span: e, frame, evaluate })
}

/** `try` gives the first value that is one; `can` whether there is one. Certain only where nothing before it is unknown. */
function attempt(e: Expression & { kind: 'call' }, frame: Frame): Value {
  for (const each of e.values) {
    const value = evaluate(each, frame)
    if (holdsFailed(value)) {
      if (e.name === 'can') return booleanAt(e, false)
      continue
    }
    if (e.name === 'can') return isUnknown(value) ? unknownAt(e, `can(${value.expression})`, value.scope) : booleanAt(e, true)
    if (!isUnknown(value) || e.values.length === 1) return value
    return unknownAt(e, `try(${e.values.map((one) => printValue(evaluate(one, frame))).join(', ')})`, value.scope)
  }
  return failedNode(e, `${e.name}(…)`, frame.scope)
}

/** Whether evaluating some part of it has failed. Values that are known have no such parts. */
function holdsFailed(value: Value): boolean {
  const open: Node[] = [value]
  for (let node = open.pop(); node; node = open.pop()) {
    if (isFailed(node)) return true
    if (isKnown(node)) continue
    if (node.kind === 'list') for (const item of node.items) open.push(item)
    else if (node.kind === 'map') for (const entry of node.entries) open.push(entry.value)
  }
  return false
}

/** The keys and values that a `for` iterates over; `isMany`: the item represents any number of items. */
function pairs(
  collection: Value,
  span: Span,
  frame: Frame,
): readonly { readonly key: Value; readonly value: Value; readonly isMany: boolean }[] | undefined {
  if (collection.kind === 'map') return sortedEntries(collection).map(({ key, value }) => ({ key, value, isMany: false }))
  if (collection.kind === 'list') {
    let isShifted = false
    return collection.items.map((item, i) => {
      const value = anyOf(item, frame)
      isShifted ||= isSpread(value) || isUnordered(collection)
      const key = isSet(collection)
        ? value
        : isShifted
          ? unknownAt(span, `index(${printValue(value)})${mark(markOf(span, frame), String(i))}`, '')
          : numberAt(span, i)
      return { key, value, isMany: isSpread(value) }
    })
  }
  if (isUnknown(collection)) {
    const key = unknownComposite(span, `keys(${collection.expression})[*]`, collection.scope, 'key', String(frame.loops ?? 0))
    return [{ key, value: itemOf(collection, span, frame), isMany: true }]
  }
  return undefined
}

function forValue(e: ForExpression, frame: Frame): Value {
  const collection = evaluate(e.collection, frame)
  const failed = () => failedNode(e, `for ${printValue(collection)}`, frame.scope)
  const loops = (frame.loops ?? 0) + 1
  const iterated = isFailed(collection) ? undefined : pairs(collection, e.collection, { ...frame, loops })
  if (!iterated) return failed()
  const items: Value[] = []
  const entries: { readonly key: Value; readonly value: Value }[] = []
  for (const { key, value, isMany } of iterated) {
    const bound = new Map(frame.bound)
    if (e.key !== undefined) bound.set(e.key, key)
    bound.set(e.value, value)
    const inner = { ...frame, bound, loops }
    const condition = e.condition && evaluate(e.condition, inner)
    if (condition) {
      const isKept = booleanOf(condition)
      if (isKept === false) continue
      if (isKept === undefined && (!isUnknown(condition) || isFailed(condition))) return failed()
    }
    const result = evaluate(e.result, inner)
    if (isFailed(result)) return failed()
    const isOpen = isMany || condition?.kind === 'unknown'
    if (!e.resultKey) {
      items.push(isOpen ? asSpread(result, printValue(condition ?? collection), inner, isMany ? printValue(value) : '') : result)
      continue
    }
    const resultKey = evaluate(e.resultKey, inner)
    if (isNoKey(resultKey)) return failed()
    if (isOpen || textOf(resultKey) === undefined) {
      const name = `{for ${printValue(collection)} : ${printValue(resultKey)} => ${printValue(result)}}`
      const parts = [collection, condition ?? collection, resultKey, result].map(printValue)
      return unknownComposite(e, name, frame.scope, ...parts, `${e.isGrouped} ${loops}`)
    }
    entries.push({ key: resultKey, value: result })
  }
  if (!e.resultKey) return isUnordered(collection) ? unordered(tupleNode(e, items)) : tupleNode(e, items)
  return e.isGrouped || new Set(entries.map(({ key }) => textOf(key))).size === entries.length ? keyed(e, entries, e.isGrouped) : failed()
}

/** Whether a value certainly names no entry of a map. */
function isNoKey(key: Value): boolean {
  return isFailed(key) || (!isUnknown(key) && textOf(key) === undefined)
}

/** A map of entries; of two with one key the later one counts, or both where they are grouped. */
function keyed(span: Span, entries: readonly { readonly key: Value; readonly value: Value }[], isGrouped: boolean): Value {
  const valuesByKey = new Map<string, { key: TextNode; values: Value[] }>()
  for (const { key, value } of entries) {
    const name = textOf(key) ?? ''
    const node = key.kind === 'text' ? key : textNode(key, name)
    const before = valuesByKey.get(name)
    if (before && isGrouped) before.values.push(value)
    else valuesByKey.set(name, { key: node, values: [value] })
  }
  const together = (values: readonly Value[]) => (isGrouped ? tupleNode(span, values) : (values[0] as Node))
  const all = [...valuesByKey.values()].map(({ key, values }): Entry => ({ key, value: together(values) }))
  return mapAt(span, all)
}

function object(span: Span, entries: readonly { readonly key: Expression; readonly value: Expression }[], frame: Frame): Value {
  const evaluated = entries.map(({ key, value }) => ({ key: evaluate(key, frame), value: evaluate(value, frame) }))
  if (evaluated.some(({ key }) => isNoKey(key))) return failedNode(span, 'object', frame.scope)
  if (evaluated.every(({ key }) => textOf(key) !== undefined)) return keyed(span, evaluated, false)
  return unknownAt(span, `{${evaluated.map(({ key, value }) => `(${printValue(key)}) = ${printValue(value)}`).join(', ')}}`, frame.scope)
}

function conditional(e: Expression & { kind: 'conditional' }, frame: Frame): Value {
  const condition = evaluate(e.condition, frame)
  const isTrue = booleanOf(condition)
  const yes = evaluate(e.yes, frame)
  const no = evaluate(e.no, frame)
  const type = chosenType(yes, no)
  if (!type || (isTrue === undefined && (!isUnknown(condition) || isFailed(condition))))
    return failedNode(e, `${printValue(condition)} ? …`, frame.scope)
  if (isTrue !== undefined) return chosen(e, isTrue ? yes : no, isTrue ? no : yes, type, frame)
  if (equal(yes, no) === true) return yes
  // Which of the two lists it is decides over the items of both.
  const areTexts = (items: readonly Node[]) => items.every(({ kind }) => kind === 'text')
  if (yes.kind === 'list' && no.kind === 'list' && !isSet(yes) && !isSet(no) && areTexts(yes.items) && areTexts(no.items)) {
    const items = [
      ...yes.items.map((item) => asSpread(item, printValue(condition), frame)),
      ...no.items.map((item) => asSpread(item, `!(${printValue(condition)})`, frame)),
    ]
    return isCollection(type) ? listOf(e, type.of, items) : tupleNode(e, items)
  }
  const parts = [condition, yes, no].map(printValue)
  const plain = unknownComposite(e, `${parts[0]} ? ${parts[1]} : ${parts[2]}`, frame.scope, ...parts)
  const node = isCertain(type) ? withType(plain, type) : plain
  if (isUnknown(yes) && isUnknown(no) && yes.shape && yes.shape === no.shape) return { ...node, shape: yes.shape }
  const pieces = shared(yes, no)
  return pieces ? { ...node, pieces } : node
}

/** Whether a type says all of what a value has to be. */
function isCertain(type: Type): boolean {
  return type.kind !== 'any' && type.kind !== 'open' && typesIn(type).every(isCertain)
}

/** The type of both choices: of a number and a string it is string. A failed value has any type as long as it is not chosen. */
function chosenType(yes: Value, no: Value): Type | undefined {
  if (isFailed(yes) || isFailed(no)) return openType
  const [one, other] = [typeOf(yes), typeOf(no)]
  return one.kind === 'any' ? other : other.kind === 'any' ? one : commonType([one, other])
}

function chosen(e: Expression, choice: Value, other: Value, type: Type, { scope }: Frame): Value {
  return isFailed(other) ? choice : (convert(choice, type) ?? failedNode(e, printValue(choice), scope))
}

/** The common beginning and end of two strings. */
function shared(a: Value, b: Value): readonly string[] | undefined {
  const [one, other] = [a, b].map((value) => (value.kind === 'text' ? [value.value] : value.kind === 'unknown' ? value.pieces : undefined))
  if (!one || !other) return undefined
  const [left, right] = [one[0] ?? '', other[0] ?? '']
  let start = 0
  while (start < left.length && left[start] === right[start]) start++
  const [tail, otherTail] = [one.at(-1) ?? '', other.at(-1) ?? '']
  const most = Math.min(tail.length - (one.length === 1 ? start : 0), otherTail.length - (other.length === 1 ? start : 0))
  let end = 0
  while (end < most && tail.at(-1 - end) === otherTail.at(-1 - end)) end++
  return start + end === 0 ? undefined : [left.slice(0, start), tail.slice(tail.length - end)]
}

function unary(operator: string, value: Value, span: Span, frame: Frame): Value {
  if (isUnknown(value)) return derivedUnknown(value, span, `${operator}${printValue(value)}`)
  if (operator === '!') {
    const isTrue = booleanOf(value)
    return isTrue === undefined ? failedNode(span, `!${printValue(value)}`, frame.scope) : booleanAt(span, !isTrue)
  }
  return worked(span, `-${printValue(value)}`, frame, () => {
    const number = numberOf(value)
    return number === undefined ? undefined : -number
  })
}

/** The result of a comparison; reports a list, set or map that is compared with brackets or braces. */
function comparison(e: Expression & { kind: 'binary' }, left: Value, right: Value, frame: Frame): Value {
  if (e.operator === '==' || e.operator === '!=') {
    const warning = neverEqual(e, e.left, right) ?? neverEqual(e, e.right, left)
    if (warning) frame.report?.(warning)
  }
  return binary(e.operator, left, right, e, frame)
}

/** The problem of a comparison between a value and a literal, if the two never have the same type. */
function neverEqual({ operator, ...span }: Expression & { kind: 'binary' }, written: Expression, value: Value): Diagnostic | undefined {
  const type = typeOf(value)
  const isEmpty = written.kind === 'list' ? written.items.length === 0 : written.kind === 'object' && written.entries.length === 0
  if ((written.kind !== 'list' && written.kind !== 'object') || !isCollection(type)) return undefined
  const text = written.source.text.slice(written.start, written.end)
  const what = written.kind === 'list' ? 'a tuple' : 'an object'
  const always = operator === '==' ? 'never true' : 'always true'
  const other = written === span.left ? span.right : span.left
  const size = `length(${visible(shortened(other.source.text.slice(other.start, other.end)))}) ${operator} 0`
  const convert = `to${type.kind}(${visible(shortened(text))})`
  return {
    code: 'never-equal',
    severity: 'warning',
    message: `this is ${always}: \`${visible(shortened(text))}\` is ${what}, and a \`${type.kind}\` of one type never equals it, whatever is in it`,
    span: spanOf(span),
    help: `write \`${visible(isEmpty ? size : convert)}\``,
  }
}

function binary(operator: string, left: Value, right: Value, span: Span, frame: Frame): Value {
  const expression = () => `${printValue(left)} ${operator} ${printValue(right)}${mark(printValue(left), operator, printValue(right))}`
  if (isFailed(left) || isFailed(right)) return failedNode(span, expression(), frame.scope)
  if (operator === '==' || operator === '!=') {
    const same = equal(left, right)
    return same === undefined
      ? withType(unknownAt(span, expression(), frame.scope), boolType)
      : booleanAt(span, same === (operator === '=='))
  }
  if (operator === '&&' || operator === '||') {
    const deciding = operator === '||'
    const [a, b] = [booleanOf(left), booleanOf(right)]
    if ([left, right].some((each) => !isUnknown(each) && booleanOf(each) === undefined)) return failedNode(span, expression(), frame.scope)
    if (a === deciding || b === deciding) return booleanAt(span, deciding)
    return a === undefined || b === undefined ? unknownAt(span, expression(), frame.scope) : booleanAt(span, !deciding)
  }
  if (isUnknown(left) || isUnknown(right)) return unknownAt(span, expression(), frame.scope)
  return worked(span, expression(), frame, () => {
    const [a, b] = [numberOf(left), numberOf(right)]
    return a === undefined || b === undefined ? undefined : arithmetic[operator]?.(a, b)
  })
}

/** The result of an operator on numbers: it fails for other operands, and is unknown where a double does not represent it exactly. */
function worked(span: Span, expression: string, { scope }: Frame, give: () => number | boolean | undefined): Value {
  try {
    const result = give()
    if (result === undefined) return failedNode(span, expression, scope)
    return typeof result === 'boolean' ? booleanAt(span, result) : numberAt(span, result)
  } catch (error) {
    if (error instanceof Inexact) return unknownAt(span, expression, scope)
    throw error
  }
}

/** A text that is put together: what is known of it with its places, and what is not. */
interface Draft {
  readonly pieces: string[]
  readonly offsets: number[]
  readonly holes: Span[]
  readonly names: string[]
  scope: string
  /** Where what was put together so far ends. */
  end: number
  isFailed: boolean
}

function template(e: Template, frame: Frame): Value {
  const [only] = e.parts
  if (!only) return textNode(e, '')
  if (e.parts.length === 1 && only.kind === 'value') return usedAt(evaluate(only.expression, frame), e)
  if (e.parts.length === 1 && only.kind === 'text') {
    const isRaw = only.value.length === only.end - only.start && normalize(e, only.value)[0] === only.value
    return textNode(e, only.value, isRaw && only.start === e.start + 1 ? undefined : only.offsets)
  }
  const draft: Draft = { pieces: [''], offsets: [], holes: [], names: [], scope: frame.scope, end: e.start, isFailed: false }
  addParts(e.parts, frame, draft, undefined)
  if (draft.isFailed) return failedNode(e, draft.names.join(''), frame.scope)
  spend(frame.budget, draft.offsets.length >> 3, e)
  const { pieces, offsets, holes } = draft
  if (holes.length === 0) return textNode(e, pieces[0] as string, [...offsets, draft.end])
  const node = withType(unknownAt(e, draft.names.join(''), draft.scope), stringType)
  const literals: string[] = []
  const places: number[] = []
  let before = 0
  for (const written of pieces) {
    const [piece, normalOffsets = []] = normalize(e, written, offsets.slice(before, before + written.length))
    before += written.length
    literals.push(piece)
    for (const place of normalOffsets) places.push(place)
  }
  return { ...node, pieces: literals, ...(places.length > 0 && { offsets: places }), holes }
}

/** `place`: the place of all parts; undefined where each has the place at which it is written. */
function addParts(parts: readonly Part[], frame: Frame, draft: Draft, place: Span | undefined): void {
  for (const part of parts) {
    spend(frame.budget, 1, part)
    if (part.kind === 'text') addText(part.value, place ? undefined : part.offsets, place ?? part, draft)
    else if (part.kind === 'value') addValue(evaluate(part.expression, frame), place ?? part, draft)
    else if (part.kind === 'if') {
      const condition = evaluate(part.condition, frame)
      const isTrue = booleanOf(condition)
      if (isTrue !== undefined) addParts(isTrue ? part.yes : part.no, frame, draft, place)
      else if (isUnknown(condition))
        addValue(unknownAt(part, `${condition.expression} ? … : …${markOf(part, frame)}`, condition.scope), place ?? part, draft)
      else draft.isFailed = true
    } else {
      const collection = evaluate(part.collection, frame)
      const collectionPairs = isFailed(collection) ? undefined : pairs(collection, part, frame)
      if (!collectionPairs) draft.isFailed = true
      else if (collectionPairs.some(({ isMany }) => isMany) || isUnordered(collection))
        addValue(unknownAt(part, `for ${printValue(collection)}${markOf(part, frame)}`, frame.scope), place ?? part, draft)
      else
        for (const { key, value } of collectionPairs) {
          const bound = new Map(frame.bound)
          if (part.key !== undefined) bound.set(part.key, key)
          bound.set(part.value, value)
          addParts(part.body, { ...frame, bound }, draft, place ?? part)
        }
    }
  }
}

/** Adds a string. Units without places are placed along the value that they come from. */
function addText(value: string, offsets: readonly number[] | undefined, place: Span, draft: Draft): void {
  const last = Math.max(place.end - place.start - 1, 0)
  if (draft.offsets.length + value.length > longestText) throw new Exhausted(place, `this text is longer than ${longestText} characters`)
  for (let i = 0; i < value.length; i++) draft.offsets.push(offsets?.[i] ?? place.start + Math.min(i, last))
  draft.pieces[draft.pieces.length - 1] += value
  draft.names.push(value)
  draft.end = offsets?.at(-1) ?? place.end
}

function addValue(value: Value, place: Span, draft: Draft): void {
  const text = textOf(value)
  if (text !== undefined) {
    addText(text, undefined, place, draft)
    return
  }
  if (!isUnknown(value) || isFailed(value)) {
    draft.isFailed = true
    return
  }
  draft.scope = value.scope === '' ? draft.scope : value.scope
  draft.names.push(nameInText(value))
  const [first = '', ...others] = value.pieces
  const names = draft.names.length
  addText(first, undefined, place, draft)
  for (const piece of others) {
    draft.holes.push(spanOf(place))
    draft.pieces.push('')
    addText(piece, undefined, place, draft)
  }
  // The name says it already.
  draft.names.length = names
}
