import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Language, Parser, type Node as SyntaxNode } from 'web-tree-sitter'
import { itemOfSplat } from '../../src/hcl/syntax.ts'

/**
 * HCL as the tree-sitter grammar reads it, to hold our parser against. It is made for editors: it takes line breaks for blanks
 * and commas as optional, knows no exponents, and puts conditionals together from the left.
 */

const { resolve } = createRequire(import.meta.url)
await Parser.init({ wasmBinary: readFileSync(resolve('web-tree-sitter/web-tree-sitter.wasm')) })
const parser = new Parser()
parser.setLanguage(await Language.load(resolve('@tree-sitter-grammars/tree-sitter-hcl/tree-sitter-terraform.wasm')))

/** A part of a file without its source: kind, range and parts; of texts only what is not literal. */
export type Shape = { readonly [key: string]: unknown }

/** The tree of the library for a text, in the shape of our own tree; undefined where it finds an error. */
export function libraryShape(text: string): Shape | undefined {
  const tree = parser.parse(text)
  if (!tree) return undefined
  try {
    return tree.rootNode.hasError ? undefined : body(nodeOf(tree.rootNode, text).children.find(is('body')))
  } finally {
    tree.delete()
  }
}

/** The same of what our parser has made. */
export function shapeOf(part: unknown): unknown {
  if (Array.isArray(part)) return part.filter((each) => each?.kind !== 'text').map(shapeOf)
  if (typeof part !== 'object' || part === null) return part
  if ('kind' in part && part.kind === 'name' && 'name' in part && part.name === itemOfSplat) return item
  const entries = Object.entries(part).filter(([key, value]) => key !== 'source' && key !== 'digits' && value !== undefined)
  return Object.fromEntries(entries.map(([key, value]) => [key, shapeOf(value)]))
}

/** A node of the grammar without its comments, read once: every question to the library costs. */
interface Node {
  readonly type: string
  readonly startIndex: number
  readonly endIndex: number
  readonly text: string
  readonly children: readonly Node[]
}

function nodeOf(node: SyntaxNode, text: string): Node {
  const { type, startIndex, endIndex } = node
  const children = node.children.filter((each) => each !== null && each.type !== 'comment').map((each) => nodeOf(each as SyntaxNode, text))
  return { type, startIndex, endIndex, text: text.slice(startIndex, endIndex), children }
}

const constants: Readonly<Record<string, boolean>> = { true: true, false: false }
const item = { kind: 'name', name: itemOfSplat }
const is = (type: string) => (node: Node) => node.type === type
const operators = new Set(['*', '/', '%', '+', '-', '>', '>=', '<', '<=', '==', '!=', '&&', '||'])
const only = (node: Node, type: string) => node.children.find(is(type)) as Node
const expressionsOf = (node: Node) => node.children.filter(is('expression'))
const range = (from: Node, to = from) => ({ start: from.startIndex, end: to.endIndex })

function body(node: Node | undefined): Shape {
  const children = node ? node.children : []
  return { attributes: children.filter(is('attribute')).map(attribute), blocks: children.filter(is('block')).map(block) }
}

function attribute(node: Node): Shape {
  const name = only(node, 'identifier')
  return { ...range(node), name: name.text, nameSpan: range(name), value: expression(only(node, 'expression')) }
}

function block(node: Node): Shape {
  const [type, ...labels] = node.children.filter((each) => each.type === 'identifier' || each.type === 'string_lit') as [Node, ...Node[]]
  return {
    ...range(node),
    type: type.text,
    typeSpan: range(type),
    labels: labels.map((label) => (label.type === 'identifier' ? label.text : label.text.slice(1, -1))),
    head: range(type, labels.at(-1)),
    body: body(node.children.find(is('body'))),
  }
}

function expression(node: Node): Shape {
  const children = node.children
  return children[0]?.type === 'conditional' ? conditional(children[0], []) : term(children)
}

/** `((a ? b : c) ? d : e)` of the library is `a ? b : (c ? d : e)`. */
function conditional(node: Node, outer: readonly (readonly [yes: Node, no: Node])[]): Shape {
  const [condition, yes, no] = expressionsOf(node) as [Node, Node, Node]
  const inner = condition.children[0]
  const branches = [[yes, no] as const, ...outer]
  if (inner?.type === 'conditional') return conditional(inner, branches)
  const end = (branches.at(-1) as readonly [Node, Node])[1].endIndex
  const chain = (first: Node, [branch, ...others]: readonly (readonly [Node, Node])[]): Shape =>
    branch
      ? {
          kind: 'conditional',
          start: first.startIndex,
          end,
          condition: expression(first),
          yes: expression(branch[0]),
          no: chain(branch[1], others),
        }
      : expression(first)
  return chain(condition, branches)
}

/** A value and what is taken of it. */
function term(nodes: readonly Node[]): Shape {
  const first = nodes[0] as Node
  const isWrapped = first.type === '('
  const value = isWrapped ? expression(nodes[1] as Node) : operand(first)
  return nodes.slice(isWrapped ? 3 : 1).reduce((of, step) => stepped(of, step, first.startIndex), value)
}

function stepped(of: Shape, step: Node, start: number): Shape {
  const at = { start, end: step.endIndex }
  if (step.type === 'get_attr') return { ...at, kind: 'attribute', of, name: only(step, 'identifier').text }
  const inner = step.children[0] as Node
  if (step.type === 'splat') return splat(of, inner, start)
  const [key] = expressionsOf(inner)
  const written = { ...range(inner), kind: 'literal', value: Number(inner.text.slice(1).trim()) }
  return { ...at, kind: 'index', of, key: key ? expression(key) : written }
}

/** An index behind `.*` is one of the whole list, behind `[*]` of each item. */
function splat(of: Shape, node: Node, start: number): Shape {
  const [star, ...steps] = node.children as [Node, ...Node[]]
  const split = steps.findIndex((step) => node.type === 'attr_splat' && step.children[0]?.type === 'new_index')
  const inner = split < 0 ? steps : steps.slice(0, split)
  const each = inner.reduce<Shape>((value, step) => stepped(value, step, start), item)
  const value = { start, end: (inner.at(-1) ?? star).endIndex, kind: 'splat', of, each }
  return (split < 0 ? [] : steps.slice(split)).reduce<Shape>((whole, step) => stepped(whole, step, start), value)
}

function operand(node: Node): Shape {
  const at = range(node)
  const inner = node.children[0] as Node
  switch (node.type) {
    case 'literal_value':
      if (inner.type === 'string_lit') return template(inner)
      return { ...at, kind: 'literal', value: inner.type === 'numeric_lit' ? Number(inner.text) : (constants[inner.text] ?? null) }
    case 'template_expr':
      return template(inner)
    case 'collection_value':
      return inner.type === 'tuple' ? { ...at, kind: 'list', items: expressionsOf(inner).map(expression) } : object(inner)
    case 'variable_expr':
      return { ...at, kind: 'name', name: node.text }
    case 'function_call': {
      const values = node.children.find(is('function_arguments'))
      const isSpread = values ? values.children.some(is('ellipsis')) : false
      return { ...at, kind: 'call', name: inner.text, values: values ? expressionsOf(values).map(expression) : [], isSpread }
    }
    case 'for_expr':
      return forExpression(inner)
    default:
      return operation(inner)
  }
}

function object(node: Node): Shape {
  const entries = node.children.filter(is('object_elem')).map((each) => {
    const [key, value] = expressionsOf(each) as [Node, Node]
    return { key: keyOf(key), value: expression(value) }
  })
  return { ...range(node), kind: 'object', entries }
}

/** A word alone is the text of a key. */
function keyOf(node: Node): Shape {
  const [first, second] = node.children
  const isWord = first?.type === 'variable_expr' || (first?.type === 'literal_value' && first.children[0]?.type !== 'string_lit')
  return first && isWord && !second ? { ...range(first), kind: 'template', parts: [] } : expression(node)
}

function forExpression(node: Node): Shape {
  const [first, second] = expressionsOf(node) as [Node, Node?]
  const condition = node.children.find(is('for_cond'))
  return {
    ...range(node),
    kind: 'for',
    ...introOf(only(node, 'for_intro')),
    ...(second && { resultKey: expression(first) }),
    result: expression(second ?? first),
    isGrouped: node.children.some(is('ellipsis')),
    ...(condition && { condition: expression(only(condition, 'expression')) }),
  }
}

function introOf(node: Node): Shape {
  const [first, second] = node.children.filter(is('identifier')) as [Node, Node?]
  return { ...(second && { key: first.text }), value: (second ?? first).text, collection: expression(only(node, 'expression')) }
}

function operation(node: Node): Shape {
  const children = node.children
  const at = range(node)
  if (node.type === 'unary_operation')
    return { ...at, kind: 'unary', operator: (children[0] as Node).type, operand: term(children.slice(1)) }
  const split = children.findIndex((each) => operators.has(each.type))
  const operator = (children[split] as Node).type
  return { ...at, kind: 'binary', operator, left: term(children.slice(0, split)), right: term(children.slice(split + 1)) }
}

function template(node: Node): Shape {
  return { ...range(node), kind: 'template', parts: partsOf(node.children) }
}

function partsOf(nodes: readonly Node[]): readonly Shape[] {
  return nodes.flatMap((node): readonly Shape[] => {
    if (node.type === 'template_interpolation')
      return expressionsOf(node).map((inner) => ({ ...range(node), kind: 'value', expression: expression(inner) }))
    return node.type === 'template_directive' ? [directive(node.children[0] as Node)] : []
  })
}

function directive(node: Node): Shape {
  const [opener, ...inner] = node.children as [Node, ...Node[]]
  if (node.type === 'template_for') return { ...range(node), kind: 'for', ...introOf(opener), body: partsOf(inner) }
  const other = inner.findIndex(is('template_else_intro'))
  const [yes, no] = other < 0 ? [inner, []] : [inner.slice(0, other), inner.slice(other)]
  return { ...range(node), kind: 'if', condition: expression(only(opener, 'expression')), yes: partsOf(yes), no: partsOf(no) }
}
