import type { Settings } from '../names.ts'
import type { LooseEntry, LooseMap, LooseNode, LooseText } from './loose/nodes.ts'
import type { EditorFile, Shape, Spot } from './model.ts'
import type { Part } from './parts.ts'
import { shapeOfDocument } from './shapes.ts'

/** All strings of a part whose meaning is known, in written order. */
export function spotsOf(part: Part, file: Pick<EditorFile, 'purpose'>, settings: Settings): readonly Spot[] {
  const spots: Spot[] = []
  const shapes = new KnownShapes()
  const walk = (node: LooseNode, shape: Shape | undefined, key: LooseText | undefined, field: string, around?: LooseMap): void => {
    if (shape === undefined) return
    if (node.kind === 'text') {
      if (shape.role !== undefined) spots.push({ part, node, role: shape.role, isDefinition: shape.isDefinition, key, field, around })
    } else if (node.kind === 'list') {
      for (const [i, item] of node.items.entries()) walk(item, shapes.item(shape, i), key, field)
    } else if (node.kind === 'map') {
      for (const entry of node.entries) {
        const { key: keyNode, value } = entry
        if (shape.keyRole !== undefined && keyNode.value !== '')
          spots.push({ part, node: keyNode, role: shape.keyRole, isDefinition: false, key: undefined, field, around: undefined })
        walk(
          value,
          shapes.field(shape, entry),
          keyNode,
          isLists(keyNode.value) ? keyNode.value : keyNode.value === 'action' || keyNode.value === 'urn' ? field : keyNode.value,
          node,
        )
      }
    }
  }
  for (const document of part.documents) walk(document, shapeOfDocument(file, part, document, settings), undefined, '')
  return spots
}

/** The shapes that one walk meets, each made once: a list of thousands has items of one. */
class KnownShapes {
  private readonly fields = new Map<Shape, Map<string, Shape | undefined>>()
  private readonly items = new Map<Shape, (Shape | undefined)[]>()

  field(shape: Shape, entry: LooseEntry): Shape | undefined {
    const { key, labels } = entry
    if (labels) return shape.field(key.value, entry)
    const shapesByKey = this.fields.get(shape) ?? new Map<string, Shape | undefined>()
    this.fields.set(shape, shapesByKey)
    if (!shapesByKey.has(key.value)) shapesByKey.set(key.value, shape.field(key.value, entry))
    return shapesByKey.get(key.value)
  }

  /** Items are alike from the second on. */
  item(shape: Shape, index: number): Shape | undefined {
    const shapes = this.items.get(shape) ?? []
    this.items.set(shape, shapes)
    const slot = Math.min(index, 2)
    if (!(slot in shapes)) shapes[slot] = shape.item(slot)
    return shapes[slot]
  }
}

function isLists(field: string): boolean {
  return field === 'allow' || field === 'except' || field === 'deny'
}

/** Whether a place is in what is written, so that typing there changes it: behind a comma, an item of a list within a text. */
export function holds({ source, value, start, end, quote, isClosed }: LooseText, offset: number): boolean {
  if (quote === '"' || quote === "'") return start < offset && (isClosed ? offset < end : offset <= end)
  return start <= offset && (offset <= end || (value.endsWith(',') && /^[ \t]*$/.test(source.text.slice(end, offset))))
}
