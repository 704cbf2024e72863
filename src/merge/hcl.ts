import { kindOfTerraform } from '../declared/attributes.ts'
import { readHcl } from '../hcl/parse.ts'
import { plainText, printed } from '../hcl/print.ts'
import type { Attribute, Block, Body, Expression } from '../hcl/syntax.ts'
import { resourceWord, type Settings } from '../names.ts'
import { buildWorld } from '../parser/world.ts'
import type { World } from '../policy.ts'
import type { Source, Span } from '../source.ts'
import { readConfigurationFiles } from '../sources/configurations.ts'
import type { Entry, MapNode, Node, TextNode } from '../tree.ts'

/** A file of a configuration, by itself: what it says as a tree, and its policies. */
export interface ReadHcl {
  readonly documents: readonly Node[]
  readonly world: World
  readonly comments: readonly string[]
}

/** A file of a configuration read for a merge, or why it is not understood. Values from other files are not known, on all sides alike. */
export async function readForMerge(source: Source, settings: Settings): Promise<ReadHcl | string> {
  const { body, comments } = readHcl(source, resourceWord(settings))
  const { reads } = await readConfigurationFiles([{ source, isNamed: true, isElsewhere: true, file: undefined }], settings)
  const all = reads.flatMap(({ read }) => read ?? [])
  const { world, diagnostics } = buildWorld(all.map(({ facts }) => facts))
  const error = [...all.flatMap((each) => each.diagnostics), ...diagnostics].find(({ severity }) => severity === 'error')
  if (error) return error.message
  if (!body || !all.some(({ holdsPolicies }) => holdsPolicies)) return 'it holds no policy'
  const words = comments.map(({ start, end }) => source.text.slice(start, end))
  return { documents: [treeOfBody(source, body, settings)], world, comments: words }
}

/**
 * A configuration as it is written: blocks by their addresses, attributes by their names. Strings, numbers and the lists of policies are
 * what they say; each other expression is one value, the same as another one that is written alike.
 */
export function treeOfBody(source: Source, body: Body, settings: Settings): MapNode {
  const prefix = settings.resourcePrefix ?? settings.brand
  const isPolicy = ({ type, labels: [label = ''] }: Block) => type === 'resource' && kindOfTerraform(label, prefix) !== undefined
  return { kind: 'map', source, start: 0, end: source.text.length, entries: entriesOf(body, isPolicy, false) }
}

/** The parts of a body, in the order of the text. `isSet`: the order of its lists does not count. */
function entriesOf({ attributes, blocks }: Body, isPolicy: (block: Block) => boolean, isSet: boolean): readonly Entry[] {
  const counts = new Map<string, number>()
  const nested = blocks.map((block): Entry => {
    const address = addressOf(block)
    const count = counts.get(address) ?? 0
    counts.set(address, count + 1)
    const entries = entriesOf(block.body, isPolicy, isPolicy(block))
    const { source, end } = block
    const value: MapNode = { kind: 'map', source, start: entries[0]?.key.start ?? block.start, end, entries }
    // Blocks of one address are distinguished by their order.
    return { key: keyAt(block.head, count === 0 ? address : `${address}[${count}]`), value }
  })
  return [...attributes.map((attribute) => attributeEntry(attribute, isSet)), ...nested].sort((a, b) => a.key.start - b.key.start)
}

const addressOf = ({ type, labels }: Block) => (type === 'resource' ? labels : [type, ...labels]).join('.')

const keyAt = ({ source, start, end }: Span, value: string): TextNode => ({ kind: 'text', source, start, end, value })

function attributeEntry({ name, nameSpan, value }: Attribute, isSet: boolean): Entry {
  const { source, start, end } = value
  const key = keyAt(nameSpan, name)
  if (isSet && value.kind === 'list') return { key, value: { kind: 'list', source, start, end, items: value.items.map(nodeOf) } }
  return { key, value: nodeOf(value) }
}

function nodeOf(expression: Expression): Node {
  const { source, start, end } = expression
  const place = { source, start, end }
  const text = plainText(expression)
  if (text !== undefined) return { kind: 'text', ...place, value: text }
  if (expression.kind === 'literal' && expression.digits === undefined) {
    const { value } = expression
    if (typeof value === 'boolean') return { kind: 'boolean', ...place, value }
    return value === null ? { kind: 'null', ...place, value } : { kind: 'number', ...place, value }
  }
  return { kind: 'unknown', ...place, expression: printed(expression), scope: '', pieces: ['', ''] }
}
