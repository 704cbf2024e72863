import { ownValue } from '../declared/attributes.ts'
import { readJson } from '../parser/json.ts'
import { inside, type Source, sourceOf } from '../source.ts'
import type { Entry, MapNode, Node, TextNode } from '../tree.ts'
import { literalNumber } from './exact.ts'
import { readHcl } from './parse.ts'
import type { Attribute, Block, Body, Expression, HclFile, Part, Template } from './syntax.ts'
import { sourceText, spanOf as span } from './values.ts'

/** Blocks of the top of a file by how many labels they have. */
const labels: Readonly<Record<string, number>> = { resource: 2, data: 2, module: 1, provider: 1, variable: 1, output: 1, locals: 0 }

/** A configuration in JSON: labels are keys, strings are templates. `isValues`: it gives values to variables. Never throws. */
export function readHclJson(source: Source, isValues: boolean): HclFile {
  const { documents, diagnostics } = readJson(source)
  const [document] = documents
  // The top may be a list of objects, which together are one body.
  const maps = document?.kind === 'list' ? document.items : [document]
  const isRead = maps.every((each) => each?.kind === 'map') && !diagnostics.some(({ severity }) => severity === 'error')
  if (!isRead) return { source, body: undefined, diagnostics, comments: [] }
  const entries = maps.flatMap((each) => (each?.kind === 'map' ? each.entries : []))
  const attributes = isValues ? attributesOf(entries, valuesBlock) : []
  const knownBlocks = isValues ? [] : entries.filter(({ key }) => Object.hasOwn(labels, key.value))
  const body: Body = { attributes, blocks: knownBlocks.flatMap(({ key, value }) => blocks(key, value, labels[key.value] as number, [])) }
  return { source, body, diagnostics, comments: [] }
}

/** The name of a property that the syntax ignores in every body of a block: JSON has no comments. Inside a value it is a key like any other. */
export const commentKey = '//'

/** The kind of a file of values, in the place of the type of a block. */
const valuesBlock = 'values'

function attributesOf(entries: readonly Entry[], block = ''): readonly Attribute[] {
  return entries.filter(({ key }) => key.value !== commentKey).map((entry) => attribute(entry, block))
}

/** The blocks below a key: a map of labels, then one body or a list of them. */
function blocks(type: TextNode, node: Node, depth: number, names: readonly TextNode[]): readonly Block[] {
  if (node.kind === 'list') return node.items.flatMap((item) => blocks(type, item, depth, names))
  if (node.kind !== 'map') return []
  if (depth > 0) return node.entries.flatMap(({ key, value }) => blocks(type, value, depth - 1, [...names, key]))
  const head = names.at(-1) ?? type
  const words = { type: type.value, typeSpan: span(type), labels: names.map(({ value }) => value), head: span(head) }
  return [{ ...span(node), ...words, body: bodyOf(type.value, node) }]
}

/**
 * The properties of bodies that are nested blocks, with their numbers of labels. All others are read as attributes, even if they
 * are blocks.
 */
const inner: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  resource: { dynamic: 1, lifecycle: 0 },
  module: { lifecycle: 0 },
  dynamic: { content: 0 },
  content: { dynamic: 1 },
}

function bodyOf(type: string, node: MapNode): Body {
  const labelCounts = ownValue(inner, type) ?? {}
  const isBlock = ({ key }: Entry) => ownValue(labelCounts, key.value) !== undefined
  return {
    attributes: attributesOf(
      node.entries.filter((entry) => !isBlock(entry)),
      type,
    ),
    blocks: node.entries.filter(isBlock).flatMap(({ key, value }) => blocks(key, value, labelCounts[key.value] as number, [])),
  }
}

function attribute({ key, value }: Entry, block: string): Attribute {
  const { source, start } = key
  // The type of a variable is written as a text, and is an expression; so is the name of what `dynamic` counts with.
  const isName = (key.value === 'type' && block !== valuesBlock) || (key.value === 'iterator' && block === 'dynamic')
  const expression = isName && value.kind === 'text' ? parsed(value, 'expression') : undefined
  // Values that are given to variables are what is written: no text of theirs, and no key, is a template.
  const ofText = block === valuesBlock || (block === 'variable' && key.value === 'default') ? plainText : text
  return { source, start, end: value.end, name: key.value, nameSpan: span(key), value: expression ?? expressionOf(value, ofText) }
}

/** Readers of JSON keep what is nested within their limit, so that calling oneself for what is inside is safe. */
function expressionOf(node: Node, ofText: (node: TextNode) => Expression): Expression {
  switch (node.kind) {
    case 'text':
      return ofText(node)
    case 'list':
      return { ...span(node), kind: 'list', items: node.items.map((item) => expressionOf(item, ofText)) }
    case 'map':
      return {
        ...span(node),
        kind: 'object',
        entries: node.entries.map(({ key, value }) => ({ key: ofText(key), value: expressionOf(value, ofText) })),
      }
    case 'unknown':
      return { ...span(node), kind: 'name', name: node.expression }
    case 'number':
      return { ...span(node), ...literalNumber(sourceText(node), node.value) }
    default:
      return { ...span(node), kind: 'literal', value: node.value }
  }
}

function text(node: TextNode): Expression {
  const { value } = node
  const isPlain = !value.includes('${') && !value.includes('%{')
  return (isPlain ? undefined : parsed(node, 'template')) ?? plainText(node)
}

function plainText(node: TextNode): Template {
  const { value, source } = node
  const placeAt = placesOf(node)
  const offsets = Array.from({ length: value.length + 1 }, (_, i) => placeAt(i))
  const part: Part = { source, start: node.start + 1, end: node.end - 1, kind: 'text', value, offsets }
  return { ...span(node), kind: 'template', parts: value === '' ? [] : [part] }
}

/** A function from each unit of a string to its place in the file. */
function placesOf(node: TextNode): (unit: number) => number {
  const { value, start, end } = node
  if (end - start === value.length + 2) return (unit) => start + 1 + unit
  const located = { value, span: node }
  return (unit) => inside(located, Math.min(unit, value.length), value.length).start
}

const word = 'END_OF_TEXT'

/** A template in a separate text; undefined where it is none. Its places are those of a text that holds it. */
export function readTemplate(path: string, value: string): Template | undefined {
  const { expression } = readAs(path, value, 'template')
  return expression?.kind === 'template' ? expression : undefined
}

/** An expression in a separate text; undefined where it is none. */
export function readExpression(path: string, value: string): Expression | undefined {
  return readAs(path, value, 'expression').expression
}

function readAs(path: string, value: string, as: 'template' | 'expression') {
  const before = as === 'template' ? `it = <<${word}\n` : 'it = '
  const source = sourceOf(path, `${before}${value}${as === 'template' ? `\n${word}` : ''}\n`, 'hcl')
  const { attributes = [], blocks = [] } = readHcl(source, undefined).body ?? {}
  const [only, ...others] = attributes
  const read = others.length === 0 && blocks.length === 0 ? only?.value : undefined
  const expression = read?.kind === 'template' && as === 'template' ? { ...read, parts: withoutLast(read.parts) } : read
  return { before: before.length, expression }
}

/** A string parsed as HCL, with every part at its place in the file; undefined where it is none. */
function parsed(node: TextNode, as: 'template' | 'expression'): Expression | undefined {
  const { value, source } = node
  const { before, expression } = readAs(source.path, value, as)
  if (!expression) return undefined
  const placeAt = placesOf(node)
  const place = (offset: number) => placeAt(Math.max(0, Math.min(offset - before, value.length)))
  const moved = move(expression)
  return as === 'template' ? { ...moved, ...span(node) } : moved

  /** The same with other places. What is read of HCL is nested within its limit. */
  function move<T>(part: T): T {
    if (Array.isArray(part)) return part.map(move) as T
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(
      Object.entries(part).map(([key, each]) => {
        if (key === 'source') return [key, source]
        if (key === 'start' || key === 'end') return [key, place(each as number)]
        if (key === 'offsets') return [key, (each as number[]).map(place)]
        return [key, move(each)]
      }),
    ) as T
  }
}

/** The line break before the word that ends a heredoc is none of the text. */
function withoutLast(parts: readonly Part[]): readonly Part[] {
  const last = parts.at(-1)
  if (last?.kind !== 'text') return parts
  const value = last.value.slice(0, -1)
  return value === '' ? parts.slice(0, -1) : [...parts.slice(0, -1), { ...last, value, end: last.end, offsets: last.offsets.slice(0, -1) }]
}
