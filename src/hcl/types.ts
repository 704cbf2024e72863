import { evaluate } from './evaluate.ts'
import type { Frame } from './frame.ts'
import type { Expression } from './syntax.ts'
import { booleanAt, listAt, mapAt, nullAt, numberAt, numberOf, setAt, textAt, textOf, truth, type Value } from './values.ts'

/** A value as a variable of some type holds it, a number as a text for example. What does not fit stays as it is: see `misfit`. */
export function converted(value: Value, type: Expression | undefined, frame: Frame): Value {
  if (!type || value.kind === 'unknown' || value.kind === 'null') return value
  if (type.kind === 'name') {
    const text = value.kind === 'number' || value.kind === 'boolean' ? textOf(value) : undefined
    const number = type.name === 'number' ? numberOf(value) : undefined
    const boolean = type.name === 'bool' ? truth(value) : undefined
    if (type.name === 'string' && text !== undefined) return textAt(value, text)
    if (number !== undefined) return value.kind === 'number' ? value : numberAt(value, number)
    return boolean === undefined || value.kind === 'boolean' ? value : booleanAt(value, boolean)
  }
  if (type.kind !== 'call') return value
  const [inner] = type.values
  if (value.kind === 'list' && (type.name === 'set' || type.name === 'list')) {
    const items = value.items.map((item) => converted(item, inner, frame))
    return type.name === 'set' ? setAt(value, items) : listAt(value, items)
  }
  if (value.kind === 'map' && type.name === 'map') {
    const entries = value.entries.map((entry) => ({ key: entry.key, value: converted(entry.value, inner, frame) }))
    return mapAt(value, entries)
  }
  return value.kind === 'map' && type.name === 'object' && inner?.kind === 'object' ? object(value, inner, frame) : value
}

const shapes: Readonly<Record<string, readonly [kind: Value['kind'], expected: string]>> = {
  string: ['text', 'a text'],
  number: ['number', 'a number'],
  bool: ['boolean', '`true` or `false`'],
  list: ['list', 'a list'],
  set: ['list', 'a list'],
  tuple: ['list', 'a list'],
  map: ['map', 'a map'],
  object: ['map', 'an object'],
}

/** What is expected of a value that was made one of a type and is none still; undefined where it is one, or may be. */
export function misfit(value: Value, type: Expression | undefined): string | undefined {
  if (!type || value.kind === 'unknown' || value.kind === 'null') return undefined
  const name = type.kind === 'name' || type.kind === 'call' ? type.name : ''
  const [kind, expected] = (Object.hasOwn(shapes, name) && shapes[name]) || []
  return kind === undefined || kind === value.kind ? undefined : expected
}

function object(value: Value & { kind: 'map' }, { entries }: Expression & { kind: 'object' }, frame: Frame): Value {
  const fitted = entries.flatMap((attribute) => {
    const key = evaluate(attribute.key, frame)
    if (key.kind !== 'text') return []
    const given = value.entries.find((entry) => entry.key.value === key.value)
    const isOptional = attribute.value.kind === 'call' && attribute.value.name === 'optional'
    const [inner, fallback] = isOptional && attribute.value.kind === 'call' ? attribute.value.values : [attribute.value]
    if (given && !(given.value.kind === 'null' && fallback)) return [{ key: given.key, value: converted(given.value, inner, frame) }]
    const other = fallback ? converted(evaluate(fallback, frame), inner, frame) : nullAt(attribute.key)
    return isOptional ? [{ key, value: other }] : []
  })
  return mapAt(value, fitted)
}
