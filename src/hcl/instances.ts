import { visible } from '../names.ts'
import { shapeErrorAt, shortened } from '../parser/reading.ts'
import type { Span } from '../source.ts'
import { readableName, type TextNode, type UnknownNode } from '../tree.ts'
import { toNumber } from './convert.ts'
import { attributeOf } from './declarations.ts'
import { evaluate } from './evaluate.ts'
import { type Frame, type Report, spend } from './frame.ts'
import { enabledExpression } from './lifecycle.ts'
import type { Block, Expression } from './syntax.ts'
import type { Value } from './types.ts'
import {
  Exhausted,
  isSet,
  isSpread,
  isUnknown,
  mapAt,
  mark,
  numberAt,
  printValue,
  setAt,
  sortedEntries,
  spanOf,
  textNode,
  textOf,
  tupleNode,
  unknownAt,
} from './values.ts'

export interface Instance {
  /** `["a"]`, `[0]`, or nothing. */
  readonly key: string
  readonly bound: ReadonlyMap<string, Value>
  readonly perhaps: readonly UnknownNode[]
  /** The key as a text, where it goes through something that is known. */
  readonly each?: TextNode
}

/** Instances of one configuration, those of resources and of modules counted. */
export const mostInstances = 10_000

/** The instances of a block by its `count` or `for_each`, or `enabled` of its `lifecycle`. */
export function instancesOf({ body }: Block, frame: Frame, report: Report): readonly Instance[] {
  const count = attributeOf(body, 'count')
  const forEach = attributeOf(body, 'for_each')
  if (count && forEach)
    report(shapeErrorAt(forEach.nameSpan, '`for_each` is used with `count`, where only one of them may be', 'remove one'))
  if (count) return counted(count.value, frame, report)
  if (forEach) return eachOf(forEach.value, frame, report)
  const enabled = enabledExpression(body)
  const value = enabled && evaluate(enabled, frame)
  if (value && textOf(value) === 'false') return []
  return [{ key: '', bound: new Map(), perhaps: value && isUnknown(value) ? [{ ...value, ...spanOf(enabled) }] : [] }]
}

function counted(expression: Expression, frame: Frame, report: Report): readonly Instance[] {
  const evaluated = evaluate(expression, frame)
  const value = isUnknown(evaluated) ? evaluated : (toNumber(evaluated) ?? evaluated)
  const instance = (key: string, index: Value, perhaps: readonly UnknownNode[]): Instance => ({
    key,
    bound: bound('count', expression, { index }),
    perhaps,
  })
  if (isUnknown(value)) {
    const fact = { ...value, ...spanOf(expression) }
    // `x ? 1 : 0`: there is at most one.
    if (isSwitch(expression)) return [instance('[0]', numberAt(expression, 0), [fact])]
    const one = mark('count', frame.names.prefix, value.expression)
    return [instance(`[count.index${one}]`, unknownAt(expression, `count.index${one}`, frame.scope), [fact])]
  }
  const count = value.kind === 'number' ? value.value : Number.NaN
  if (!Number.isInteger(count) || count < 0) {
    report(
      shapeErrorAt(expression, `\`count\` is \`${visible(shortened(readableName(printValue(value))))}\`, where a whole number is expected`),
    )
    return []
  }
  admit(count, expression, frame)
  return Array.from({ length: count }, (_, i) => instance(`[${i}]`, numberAt(expression, i), []))
}

function eachOf(expression: Expression, frame: Frame, report: Report): readonly Instance[] {
  const value = evaluate(expression, frame)
  if (isUnknown(value)) return [openInstance(expression, frame, value)]
  const instance = (key: Value, each: Value): Instance => ({
    key: `[${printValue(key)}]`,
    bound: bound('each', expression, { key, value: each }),
    perhaps: [],
    each: key.kind === 'text' ? key : textNode(key, textOf(key) ?? printValue(key)),
  })
  if (value.kind === 'map') {
    admit(value.entries.length, expression, frame)
    return sortedEntries(value).map((entry) => instance(entry.key, entry.value))
  }
  if (value.kind !== 'list') {
    report(
      shapeErrorAt(
        expression,
        `\`for_each\` goes through a map or a set of texts, not \`${visible(shortened(readableName(printValue(value))))}\``,
      ),
    )
    return []
  }
  if (!isSet(value)) report(shapeErrorAt(expression, listInForEach, 'make a set of it: `toset(…)`'))
  admit(value.items.length, expression, frame)
  return setAt(expression, value.items).items.map((item) =>
    isSpread(item) ? openInstance(expression, frame, item, item.pieces) : instance(item, item),
  )
}

const listInForEach = '`for_each` does not go through a list, in which one item may appear twice'

/** Any number of instances, of items that are not known. */
function openInstance(expression: Expression, { names, scope }: Frame, fact: UnknownNode, pieces: readonly string[] = []): Instance {
  // The same key for all that goes through the same: what is named by a key is what is described under it.
  const one = mark('each', names.prefix, fact.expression)
  const part = (word: string): UnknownNode => {
    const node = unknownAt(expression, `each.${word}${one}`, scope)
    return pieces.some((piece) => piece !== '') ? { ...node, pieces } : node
  }
  const key = part('key')
  return {
    key: `[${printValue(key)}]`,
    bound: bound('each', expression, { key, value: part('value') }),
    perhaps: [{ ...fact, ...spanOf(expression) }],
  }
}

function bound(word: 'count' | 'each', span: Span, values: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  const entries = Object.entries(values).map(([name, value]) => ({ key: textNode(span, name), value }))
  return new Map([[word, mapAt(span, entries)]])
}

function admit(count: number, span: Span, { budget }: Frame): void {
  spend(budget, count, span)
  if (count > mostInstances) throw new Exhausted(span, `more than ${mostInstances} instances`)
}

/** `… ? 1 : 0`, or the other way round. */
function isSwitch(expression: Expression): boolean {
  if (expression.kind !== 'conditional') return false
  return [expression.yes, expression.no].every((each) => each.kind === 'literal' && (each.value === 0 || each.value === 1))
}

/** The instance that a block would have if it had any, and why it has none; undefined where it has some, or what it says is wrong. */
export function absentInstance(block: Block, frame: Frame): { readonly instance: Instance; readonly why: string } | undefined {
  const count = attributeOf(block.body, 'count')
  const expression = (count ?? attributeOf(block.body, 'for_each'))?.value
  const enabled = enabledExpression(block.body)
  if (!expression && enabled && textOf(evaluate(enabled, frame)) === 'false')
    return { instance: { key: '', bound: new Map(), perhaps: [] }, why: '`enabled` is false' }
  if (!expression) return undefined
  const value = evaluate(expression, frame)
  const word = count ? 'count' : 'each'
  // Of the block alone: nothing is gone through.
  const one = mark('none', frame.names.prefix, block.source.path, String(block.start))
  const unknown = (name: string) => unknownAt(expression, `${word}.${name}${one}`, frame.scope)
  const values: Readonly<Record<string, Value>> = count ? { index: unknown('index') } : { key: unknown('key'), value: unknown('value') }
  const instance: Instance = { key: '', bound: bound(word, expression, values), perhaps: [] }
  if (count) return textOf(value) === '0' ? { instance, why: '`count` is 0' } : undefined
  const size = value.kind === 'map' ? value.entries.length : value.kind === 'list' ? value.items.length : undefined
  return size === 0 ? { instance, why: '`for_each` is empty' } : undefined
}

/** The value of a name with instances: a single one, or all of them by their keys. */
export function instancesValue(
  block: Block,
  span: Span,
  all: readonly { readonly instance: Instance; readonly value: Value }[],
): Value | undefined {
  const [only] = all
  if (only?.instance.key === '') return only.value
  // A conditional instance has a fixed key; the number of other uncertain ones is not known.
  if (all.some(({ instance }) => instance.perhaps.length > 0))
    return only?.instance.key === '[0]' ? tupleNode(span, [only.value]) : undefined
  const values = all.map(({ value }) => value)
  if (attributeOf(block.body, 'count')) return tupleNode(span, values)
  if (!attributeOf(block.body, 'for_each')) return undefined
  return mapAt(
    span,
    all.map(({ instance, value }) => ({ key: instance.each as TextNode, value })),
  )
}
