import type { ReaderCode } from '../codes.ts'
import { attributes, computedAttributes, type Field, type Kind, kindOfTerraform, ownValue, terraformTypes } from '../declared/attributes.ts'
import { entriesSpan } from '../declared/record.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { visible } from '../names.ts'
import { nearest } from '../nearest.ts'
import { shapeErrorAt, shortened } from '../parser/reading.ts'
import type { Span } from '../source.ts'
import { type Entry, type MapNode, type Node, readableName, type UnknownNode, unknownsIn } from '../tree.ts'
import { readResource } from '../urn/resource.ts'
import { attributeOf } from './declarations.ts'
import { evaluate } from './evaluate.ts'
import { type Frame, markOf, type Report } from './frame.ts'
import { commentKey } from './json.ts'
import { disallowedShape } from './kinds.ts'
import { ignoresChanges } from './lifecycle.ts'
import type { Attribute, Block, Body } from './syntax.ts'
import type { Value } from './types.ts'
import { isSet, isUnknown, isUnordered, mapAt, printValue, sortedEntries, textNode, textOf, tupleNode, unknownAt } from './values.ts'

/** A resource with its canonical record. */
export interface FoundResource {
  /** `resource`: what is said of one, not one of ours. */
  readonly kind: Kind | 'resource'
  readonly node: MapNode
  /** Its address: `module.team["web"].svc_iam_policy.ops[0]`. */
  readonly address: string
  readonly head: Span
}

/** The tags of a resource from a block about them; undefined where not all of it is known: the tags stay unknown then. */
export function taggedResource({ body, ...span }: Block, frame: Frame): MapNode | undefined {
  // Versions of the provider have one name or the other.
  const urn = attributeOf(body, 'urn') ?? attributeOf(body, 'resource_urn')
  const tags = attributeOf(body, 'tags')
  if (!urn || !tags || ignoresChanges(body, 'tags')) return undefined
  const [name, map] = [evaluate(urn.value, frame), evaluate(tags.value, frame)]
  if (name.kind !== 'text' || map.kind !== 'map' || !readResource(name.value, { pattern: false }).value) return undefined
  const entries = map.entries.flatMap(({ key, value }): readonly Entry[] => {
    const text = textOf(value)
    return text === undefined ? [] : [{ key, value: textNode(value, text) }]
  })
  if (entries.length < map.entries.length) return undefined
  return mapAt(span.head, [
    { key: textNode(urn.nameSpan, 'urn'), value: name },
    { key: textNode(tags.nameSpan, 'tags'), value: mapAt(map, entries) },
  ])
}

/** Arguments of every resource about how it is applied. */
const meta: ReadonlySet<string> = new Set([
  'count',
  'for_each',
  'depends_on',
  'provider',
  'lifecycle',
  'provisioner',
  'connection',
  'timeouts',
  'dynamic',
])

const conditionParts = ['operator', 'values', 'condition'] as const

/** The type that was probably meant by one of ours that there is not; undefined where none is near. */
export function similarType(type: string, prefix: string): string | undefined {
  if (!type.startsWith(`${prefix}_iam_`) || kindOfTerraform(type, prefix)) return undefined
  const suggested = nearest(type.slice(prefix.length + 5), Object.keys(terraformTypes))
  return suggested && `${prefix}_iam_${suggested}`
}

/** One resource as the record that the service would hold: every node has the place where its value is written. */
export function canonical(block: Block, kind: Kind, frame: Frame, urn: UnknownNode, report: Report): MapNode {
  const fields = attributes[kind]
  const type = block.labels[0] ?? ''
  const wrong: Wrong = (span, message, help) => report(shapeErrorAt(span, message, help))
  const record: Entry[] = kind === 'policy' ? [] : [{ key: textNode(urn, 'urn'), value: urn }]
  const permissions: Entry[] = []
  const put = (field: Field, key: Span, value: Node) =>
    (field.key === 'action' ? permissions : record).push({ key: textNode(key, field.to), value })
  for (const attribute of block.body.attributes) {
    const field = ownValue(fields, attribute.name)
    const written = field && valueIn(attribute, field, frame, wrong)
    const node = written && kept(block, attribute, field, urn, written)
    if (field && node) {
      for (const problem of strangers(field.to, node)) report(problem)
      // An empty list that comes from elsewhere says as little as none.
      const isNothing = node.kind === 'list' && node.items.length === 0 && attribute.value.kind !== 'list' && !field.isRequired
      if (!isNothing) put(field, attribute.nameSpan, node)
    } else if (!field && !meta.has(attribute.name)) wrong(attribute.nameSpan, ...strange(attribute.name, type, Object.keys(fields)))
  }
  const words = Object.keys(fields)
  const [first, second] = blocksOf(block.body, 'conditions', frame, wrong, kind === 'policy' ? ['conditions'] : [], type, words)
  if (first)
    put(
      fields.conditions as Field,
      first.head,
      kept(block, { name: 'conditions', value: first.head }, fields.conditions as Field, urn, first.node),
    )
  if (second) wrong(second.head, 'a second `conditions` block: a policy has one', 'put both under one block with the operator `AND`')
  addMissing(block, fields, record, frame, wrong)
  if (kind !== 'resourceGroup') {
    const span = permissions.length > 0 ? entriesSpan(permissions) : block.head
    record.push({ key: textNode(permissions[0]?.key ?? block.head, 'permissions'), value: mapAt(span, permissions) })
  }
  return mapAt(block, record)
}

/** Fields that decide nothing: they are taken as written, even if changes of them are not applied. */
const proseFields: ReadonlySet<string> = new Set(['name', 'description'])

/** The value of an attribute: where changes of it are not applied, the present one, which is not known. */
function kept(
  { body }: Block,
  { name, value }: { readonly name: string; readonly value: Span },
  field: Field,
  urn: UnknownNode,
  written: Node,
): Node {
  if (proseFields.has(field.to) || !ignoresChanges(body, name)) return written
  return unknownAt(value, urn.expression.replace(/urn$/, name), urn.scope)
}

/** The value of an attribute as the record has it; undefined where there is none, or it is reported to be wrong. */
function valueIn(attribute: Attribute, field: Field, frame: Frame, wrong: Wrong): Node | undefined {
  const { name, nameSpan } = attribute
  // JSON has no blocks, so that it says both in the same way.
  if (field.holds === 'condition' && nameSpan.source.notation !== 'hcl-json') {
    wrong(nameSpan, `\`${name}\` is a block, and written here as an attribute`, `write \`${name} { … }\`, without \`=\``)
    return undefined
  }
  const value = evaluate(attribute.value, frame)
  if (field.holds === 'text') return oneText(name, attribute.value, value, wrong)
  return field.holds === 'texts' ? manyTexts(attribute, value, field.key, wrong) : oneCondition(value, wrong)
}

/** Reports required attributes that are missing. What is left is judged with unknown values in their place. */
function addMissing(
  { body, head, labels }: Block,
  fields: Readonly<Record<string, Field>>,
  record: Entry[],
  frame: Frame,
  wrong: Wrong,
): void {
  const names = body.attributes.map(({ name }) => name)
  // A misspelt attribute is reported as that.
  const meant = new Set(names.map((name) => nearest(name, Object.keys(fields))))
  for (const [word, { isRequired, to }] of Object.entries(fields)) {
    if (!isRequired) continue
    if (!meant.has(word) && !names.includes(word))
      wrong(head, `\`${word}\` is missing: a resource of the type \`${visible(shortened(labels[0] ?? ''))}\` needs one`)
    if (!record.some(({ key }) => key.value === to))
      record.push({ key: textNode(head, to), value: unknownAt(startOf(head), word + markOf(head, frame), frame.scope) })
  }
}

/** A place of no width: what is found about the whole is not about what is assumed there. */
function startOf({ source, start }: Span): Span {
  return { source, start, end: start }
}

type Wrong = (span: Span, message: string, help?: string) => void

function strange(word: string, type: string, words: readonly string[]): [string, string] {
  const suggested = nearest(word, words)
  if (computedAttributes.has(word)) return [`\`${word}\` is given by the service and cannot be written`, 'remove it']
  return [
    `\`${visible(shortened(word))}\` is no attribute of \`${visible(shortened(type))}\``,
    suggested ? `did you mean \`${suggested}\`?` : `it has ${words.map((each) => `\`${each}\``).join(', ')}`,
  ]
}

/** A text that is written at `span`; undefined where none is given, or what is given is reported to be wrong. */
function oneText(name: string, span: Span, value: Value, wrong: Wrong): Node | undefined {
  if (value.kind === 'null') return undefined
  if (isUnknown(value) || value.kind === 'text') return value
  const text = textOf(value)
  if (text !== undefined) return textNode(value, text)
  wrong(span, `\`${name}\` is ${kindName(value)}, where a text is expected`)
  return undefined
}

/** References in a list of names that yield names of another kind: of a resource where an identity is expected. */
function strangers(list: Field['to'], node: Node): readonly Diagnostic[] {
  const expected = ownValue(expectations, list)
  if (!expected) return []
  return unknownsIn([node]).flatMap(({ shape, expression, source, start, end }) => {
    const what = shape && disallowedShape(list, shape)
    if (what === undefined) return []
    const [code, kind, help] = expected
    const message = `\`${visible(shortened(readableName(expression)))}\` is the URN of ${what}, where ${kind} is expected`
    return [{ code, severity: 'error' as const, message, span: { source, start, end }, help }]
  })
}

/** The lists that hold names: the rule that says what is wrong with one, what is expected, and where else it may belong. */
const expectations: Readonly<Record<string, readonly [code: ReaderCode, kind: string, help: string]>> = {
  identities: ['identity-urn', 'an identity', 'name who is meant: a user, a group or a service account'],
  resources: ['resource-urn', 'a resource or a resource group', 'name what the policy is about, and put identities under `identities`'],
  permissionsGroups: ['permissions-group-urn', 'a permissions group', 'name a permissions group'],
}

function manyTexts(attribute: Attribute, value: Value, key: Field['key'], wrong: Wrong): Node | undefined {
  if (value.kind === 'null') return undefined
  if (isUnknown(value)) return value
  if (value.kind !== 'list') {
    const help = textOf(value) === undefined ? undefined : 'put it in brackets: `[…]`'
    wrong(attribute.value, `\`${attribute.name}\` is ${kindName(value)}, where a list of texts is expected`, help)
    return undefined
  }
  const items = value.items.flatMap((item): readonly Node[] => {
    const text = textOf(item)
    if (text === undefined && !isUnknown(item)) {
      const help = item.kind === 'list' ? 'put the lists together: `flatten(…)`' : undefined
      wrong(item, `${kindName(item)} in \`${attribute.name}\`, where a text is expected`, help)
      // An item that cannot be read is unknown: the list is not to be judged without it.
      return [unknownAt(startOf(item), printValue(item), '')]
    }
    const node = text === undefined || item.kind === 'text' ? item : textNode(item, text)
    return [key === undefined ? node : mapAt(node, [{ key: textNode(node, key), value: node }])]
  })
  return tupleNode(value, items)
}

function kindName(value: Value): string {
  return { text: 'a text', number: 'a number', boolean: 'a truth value', null: '`null`', list: 'a list', map: 'a map', unknown: 'unknown' }[
    value.kind
  ]
}

interface ConditionBlock {
  readonly head: Span
  readonly node: Node
}

/** The blocks of conditions in a body, those that are made by `dynamic` as well. `words`: its attributes. */
function blocksOf(
  body: Body,
  word: 'conditions' | 'condition',
  frame: Frame,
  wrong: Wrong,
  knownNames: readonly string[],
  type: string,
  words: readonly string[],
): readonly ConditionBlock[] {
  return body.blocks.flatMap((block): readonly ConditionBlock[] => {
    if (block.type === word && knownNames.includes(word))
      return [{ head: block.typeSpan, node: conditionOf(block.body, block, frame, wrong) }]
    if (block.type === 'dynamic' && block.labels[0] === word && knownNames.includes(word)) return dynamicBlocks(block, word, frame, wrong)
    if (!meta.has(block.type) || block.type === 'dynamic') {
      const written = block.type === 'dynamic' ? (block.labels[0] ?? '') : block.type
      const suggested = nearest(written, knownNames)
      const help = suggested
        ? `did you mean \`${suggested}\`?`
        : words.includes(written)
          ? `it is an attribute: \`${written} = …\``
          : undefined
      wrong(block.head, `\`${visible(shortened(written))}\` is no block of \`${visible(shortened(type))}\``, help)
    }
    return []
  })
}

function dynamicBlocks(block: Block, word: string, frame: Frame, wrong: Wrong): readonly ConditionBlock[] {
  const attribute = (called: string) => attributeOf(block.body, called)?.value
  const content = block.body.blocks.find((each) => each.type === 'content')
  const collection = attribute('for_each')
  if (!content || !collection) {
    wrong(block.head, '`dynamic` needs `for_each` and a block `content`')
    return []
  }
  const iterator = attribute('iterator')
  const bound = iterator?.kind === 'name' ? iterator.name : word
  const value = evaluate(collection, frame)
  const pairs =
    value.kind === 'map'
      ? sortedEntries(value).map((entry) => [entry.key, entry.value] as const)
      : value.kind === 'list' && !value.items.some(isUnknown)
        ? value.items.map((item, i) => [isSet(value) ? item : placeOf(value, i, collection, frame), item] as const)
        : undefined
  if (!pairs) {
    if (value.kind === 'null') return []
    if (!isUnknown(value) && value.kind !== 'list')
      wrong(collection, `\`for_each\` is ${kindName(value)}, where a map, a set or a list is expected`)
    // The content of the blocks is as unknown as this value: another `dynamic` over the same value is another condition.
    const words = isUnknown(value) ? value.expression : printValue(value)
    return [{ head: block.head, node: unknownAt(block.head, words + markOf(block, frame), isUnknown(value) ? value.scope : frame.scope) }]
  }
  return pairs.map(([key, each]) => {
    const inner = mapAt(collection, [
      { key: textNode(collection, 'key'), value: key },
      { key: textNode(collection, 'value'), value: each },
    ])
    const innerFrame = { ...frame, bound: new Map([...frame.bound, [bound, inner]]) }
    return { head: block.head, node: conditionOf(content.body, content, innerFrame, wrong) }
  })
}

/** The key of an item of a list: its place, where that is known. */
function placeOf(list: Value, place: number, span: Span, frame: Frame): Node {
  return isUnordered(list) ? unknownAt(span, `index(${place})${markOf(span, frame)}`, frame.scope) : textNode(span, String(place))
}

/** A condition as written in a block. Brackets are within their limit, so that blocks are as well. */
function conditionOf(body: Body, block: Block, frame: Frame, wrong: Wrong): Node {
  const entries: Entry[] = []
  const inner: Node[] = []
  let key: Span | undefined
  for (const attribute of body.attributes) {
    const value = evaluate(attribute.value, frame)
    if (attribute.name === 'operator') {
      const text = oneText(attribute.name, attribute.value, value, wrong)
      if (text) entries.push({ key: textNode(attribute.nameSpan, 'operator'), value: text })
    } else if (attribute.name === 'values') {
      const node = valuesOf(attribute.value, value, wrong)
      if (node) entries.push({ key: textNode(attribute.nameSpan, 'values'), value: node })
    } else if (attribute.name === 'condition') {
      key = attribute.nameSpan
      inner.push(...(value.kind === 'list' ? value.items : [value]).flatMap((item) => oneCondition(item, wrong) ?? []))
    } else wrong(attribute.nameSpan, ...strange(attribute.name, 'conditions', conditionParts))
  }
  for (const each of blocksOf(body, 'condition', frame, wrong, ['condition'], 'conditions', ['operator', 'values'])) {
    key ??= each.head
    inner.push(each.node)
  }
  if (key) entries.push({ key: textNode(key, 'conditions'), value: tupleNode(block, inner) })
  const missing = '`operator` is missing: whether all of it has to hold, or one of it, is not specified'
  if (!attributeOf(body, 'operator')) wrong(block.typeSpan, missing, 'write `AND`, `OR`, `NOT` or `MATCH`')
  if (!entries.some((entry) => entry.key.value === 'operator'))
    entries.push({ key: textNode(block.typeSpan, 'operator'), value: textNode(block.typeSpan, key ? 'AND' : 'MATCH') })
  return mapAt(block, entries)
}

/** The values that a condition compares: strings by their names. `span`: where they are written. */
function valuesOf(span: Span, value: Value, wrong: Wrong): Node | undefined {
  if (value.kind === 'null') return undefined
  if (isUnknown(value)) return value
  if (value.kind !== 'map') {
    wrong(span, `\`values\` is ${kindName(value)}, where a map is expected`)
    return undefined
  }
  return mapAt(
    value,
    value.entries.flatMap((entry): readonly Entry[] => {
      const text = textOf(entry.value)
      if (text !== undefined) return [{ key: entry.key, value: entry.value.kind === 'text' ? entry.value : textNode(entry.value, text) }]
      if (isUnknown(entry.value)) return [entry]
      wrong(entry.value, `${kindName(entry.value)} under \`${visible(shortened(entry.key.value))}\`, where a text is expected`)
      return []
    }),
  )
}

/** A condition as a value: a map, or a list of one. */
function oneCondition(value: Value, wrong: Wrong): Node | undefined {
  if (value.kind === 'null' || (value.kind === 'list' && value.items.length === 0)) return undefined
  const map = value.kind === 'list' && value.items.length === 1 ? (value.items[0] as Node) : value
  if (map.kind === 'unknown') return map
  if (map.kind === 'map') {
    const entries = map.entries.flatMap((entry) => conditionEntry(entry, wrong) ?? [])
    return mapAt(map, entries)
  }
  wrong(map, `${kindName(map)}, where a condition is expected`)
  return undefined
}

function conditionEntry(entry: Entry, wrong: Wrong): Entry | undefined {
  const { key, value } = entry
  // In JSON the body of the block is written as a value.
  if (value.kind === 'null' || (key.value === commentKey && key.source.notation === 'hcl-json')) return undefined
  if (key.value === 'operator' || key.value === 'values') {
    const node = key.value === 'operator' ? oneText('operator', value, value, wrong) : valuesOf(value, value, wrong)
    return node && { key, value: node }
  }
  if (key.value !== 'condition' && key.value !== 'conditions') {
    wrong(key, ...strange(key.value, 'conditions', conditionParts))
    return undefined
  }
  const to = textNode(key, 'conditions')
  if (value.kind === 'unknown') return { key: to, value }
  const items = (value.kind === 'list' ? value.items : [value]).flatMap((item) => oneCondition(item, wrong) ?? [])
  return { key: to, value: tupleNode(value, items) }
}
