import type { Settings } from '../names.ts'
import { columnOf, lineEnd, lineOf, lineStart } from '../source.ts'
import type { LooseEntry, LooseList, LooseMap, LooseNode, LooseText } from './loose/nodes.ts'
import type { EditorFile, Shape } from './model.ts'
import type { Part } from './parts.ts'
import { shapeOfDocument } from './shapes.ts'
import { holds } from './spots.ts'

/** Where one types: what may be written there, and what is there already. */
export interface Cursor {
  readonly part: Part
  readonly offset: number
  /** A key of a map, the value of a key, or an item of a list. */
  readonly at: 'key' | 'value' | 'item'
  /** The shape of the value at the cursor; of a key, that of its map. */
  readonly shape: Shape
  /** The text that is already written there. */
  readonly token: LooseText | undefined
  /** The list or map around it; undefined where it begins one. */
  readonly container: LooseMap | LooseList | undefined
  /** Of a value, its key with what is around it. */
  readonly entry: LooseEntry | undefined
  /** Whether it begins on a separate line. */
  readonly isOwnLine: boolean
  /** How many items are before it. */
  readonly index: number
  /** The maps around it, the innermost last. */
  readonly around: readonly LooseMap[]
}

type Found = Omit<Cursor, 'part' | 'offset' | 'around'> & { readonly around?: readonly LooseMap[] }

/** The part of a file at an offset, with the offset in it. */
export function partAt(file: EditorFile, offset: number): { readonly part: Part; readonly at: number } | undefined {
  for (const part of file.parts) {
    const partOffset = part.fromFile(offset)
    if (partOffset !== undefined) return { part, at: partOffset }
  }
  return undefined
}

/** The cursor at an offset of a part; undefined where its shape is not known. */
export function cursorAt(part: Part, offset: number, file: Pick<EditorFile, 'purpose'>, settings: Settings): Cursor | undefined {
  const { source, documents } = part
  if (isInComment(part, offset)) return undefined
  const document = documents.findLast((each) => each.start <= offset) ?? documents[0]
  const shape = shapeOfDocument(file, part, document, settings)
  if (!shape) return undefined
  const finder = new Finder(part, offset)
  const isApart = document && part.notation === 'yaml' && /\n(?:---|\.\.\.)/.test(source.text.slice(document.end, offset))
  const position = document && !isApart && document.kind !== 'null' ? finder.inside(document, shape) : finder.beginning(shape)
  return position && { ...position, part, offset, around: finder.around }
}

/** Whether an offset is in a comment, where no fields are completed. */
export function isInComment({ source, notation }: Part, offset: number): boolean {
  if (notation !== 'yaml' && notation !== 'hcl') return false
  const line = source.text.slice(lineStart(source, offset), offset)
  return /^[ \t]*#/.test(line) || (notation === 'hcl' && /^[ \t]*\/\//.test(line))
}

class Finder {
  readonly around: LooseMap[] = []
  private readonly part: Part
  private readonly offset: number
  /** Whether only blanks are in front of it on its line. */
  private readonly isBlank: boolean
  private readonly column: number

  constructor(part: Part, offset: number) {
    const { source } = part
    this.part = part
    this.offset = offset
    this.column = columnOf(source, offset)
    this.isBlank = source.text.slice(offset - this.column, offset).trim() === ''
  }

  /** Where nothing is written yet. */
  beginning(shape: Shape): Found | undefined {
    return this.isBlank ? this.begin(shape, undefined, undefined, 0) : undefined
  }

  /** Something that begins here. */
  private begin(shape: Shape, token: LooseText | undefined, entry: LooseEntry | undefined, index: number): Found {
    const isKey = shape.holds === 'map' && shape.choices.length === 0
    return {
      at: isKey ? 'key' : entry ? 'value' : 'item',
      shape,
      token,
      container: undefined,
      entry,
      isOwnLine: this.isBlank || token !== undefined,
      index,
    }
  }

  inside(written: LooseNode, shape: Shape | undefined, entry?: LooseEntry, index = 0): Found | undefined {
    if (!shape) return undefined
    const node = shape.holds === 'text' ? this.asText(written) : written
    if (node.kind === 'text') {
      if (!holds(node, this.offset)) return undefined
      if (node.isExpression) return undefined
      if (shape.holds === 'map' && shape.choices.length === 0 && node.quote === '')
        return { ...this.begin(shape, node, entry, index), at: 'key' }
      return { at: entry ? 'value' : 'item', shape, token: node, container: undefined, entry, isOwnLine: false, index }
    }
    if (node.kind === 'null') return undefined
    if (node.kind === 'list') return node.style === 'flow' ? this.flowList(node, shape, entry) : this.blockList(node, shape)
    this.around.push(node)
    return node.style === 'block' ? this.blockMap(node, shape) : this.braces(node, shape)
  }

  /** A text that ends with a colon where one types looks like a key: `urn:v1:` as an item of a list. */
  private asText(node: LooseNode): LooseNode {
    if (node.kind !== 'map' || node.style !== 'block' || node.entries.length !== 1) return node
    const { key, sign, value } = node.entries[0] as LooseEntry
    if (value.kind !== 'null' || key.quote !== '' || sign + 1 !== this.offset) return node
    return { ...key, value: `${key.value}:`, end: this.offset }
  }

  /** Whether the offset is between the brackets of something. */
  private isWithin({ start, end, isClosed }: LooseMap | LooseList): boolean {
    return start < this.offset && (isClosed ? this.offset < end : this.offset <= end || this.isBlankTo(end))
  }

  /** Whether nothing is written between a place and the offset. */
  private isBlankTo(end: number): boolean {
    return this.part.source.text.slice(end, this.offset).trim() === ''
  }

  private flowList(list: LooseList, shape: Shape, entry: LooseEntry | undefined): Found | undefined {
    if (!this.isWithin(list)) return undefined
    const index = list.items.filter(({ start }) => start < this.offset).length
    for (const [i, item] of list.items.entries()) {
      const inner = shape.item(i)
      if (item.kind === 'text' ? holds(item, this.offset) : item.kind !== 'null' && this.isWithin(item)) {
        const inItem = this.inside(item, inner, undefined, i)
        return inItem && { ...inItem, container: inItem.container ?? list, entry: inItem.entry ?? entry }
      }
    }
    if (list.items.some(({ start, end }) => start < this.offset && this.offset < end)) return undefined
    const inner = shape.item(index)
    return inner && { at: 'item', shape: inner, token: undefined, container: list, entry, isOwnLine: this.isBlank, index }
  }

  /** A map in braces, or the body of a block. */
  private braces(map: LooseMap, shape: Shape): Found | undefined {
    const isRoot = map.style === 'hcl' && map.start === 0
    if (!isRoot && !this.isWithin(map)) return undefined
    const { offset } = this
    const { source } = this.part
    for (const [i, entry] of map.entries.entries()) {
      const { key, value, sign, labels = [] } = entry
      if (holds(key, offset)) return this.key(map, shape, key)
      if (labels.some((label) => holds(label, offset))) return undefined
      const inner = shape.field(key.value, entry)
      if (value.kind === 'text' ? holds(value, offset) : value.kind !== 'null' && this.isWithin(value)) {
        const inValue = this.inside(value, inner, entry)
        return inValue && { ...inValue, container: inValue.container ?? map, entry: inValue.entry ?? entry }
      }
      const next = map.entries[i + 1]
      const isBehind = sign >= 0 && value.kind === 'null' && offset > sign && (next === undefined || offset <= next.key.start)
      const isHere =
        isBehind &&
        !source.text.slice(sign + 1, offset).includes(',') &&
        (map.style === 'flow' || lineOf(source, offset) === lineOf(source, sign))
      // On a line below, the next key is meant as often: a value is not missing for long.
      if (isHere && inner) return { at: 'value', shape: inner, token: undefined, container: map, entry, isOwnLine: false, index: i }
    }
    if (map.entries.some(({ key, value }) => key.start < offset && offset < Math.max(key.end, value.end))) return undefined
    return map.style === 'hcl' && !this.isBlank && !this.isBehindBrace() ? undefined : this.key(map, shape, undefined)
  }

  private isBehindBrace(): boolean {
    const { source } = this.part
    return source.text.slice(lineStart(source, this.offset), this.offset).trimEnd().endsWith('{')
  }

  private key(container: LooseMap | undefined, shape: Shape, token: LooseText | undefined): Found {
    return { at: 'key', shape, token, container, entry: undefined, isOwnLine: this.isBlank, index: 0 }
  }

  private blockMap(map: LooseMap, shape: Shape): Found | undefined {
    const { offset, column } = this
    const { source } = this.part
    const entryIndex = map.entries.findLastIndex(({ key }) => key.start <= offset)
    const entry = map.entries[entryIndex]
    if (!entry) return this.isBlank && column <= map.column ? this.key(map, shape, undefined) : undefined
    const { key, value, sign } = entry
    if (holds(key, offset)) return this.key(map, shape, key)
    const inner = shape.field(key.value, entry)
    const line = lineOf(source, offset)
    if (value.kind === 'text' && holds(value, offset) && offset <= lineEnd(source, offset)) {
      const inValue = this.inside(value, inner, entry)
      return inValue && { ...inValue, container: inValue.at === 'value' ? map : inValue.container }
    }
    if (value.kind !== 'null' && value.kind !== 'text') {
      const isInside = value.style === 'block' ? this.isInBlock(value, map.column) : this.isWithin(value)
      if (isInside) {
        const inValue = this.inside(value, inner, entry)
        return inValue && { ...inValue, entry: inValue.entry ?? entry }
      }
    } else if (value.kind === 'null' && sign >= 0 && sign < offset) {
      const isSameLine = line === lineOf(source, sign)
      if (isSameLine && inner)
        return { at: 'value', shape: inner, token: undefined, container: map, entry, isOwnLine: false, index: entryIndex }
      const isBelow = this.isBlank && column > map.column
      if (isBelow && inner) return { ...this.begin(inner, undefined, entry, 0), isOwnLine: true }
    }
    return this.isBlank && this.isBlankLineOf(map) ? this.key(map, shape, undefined) : undefined
  }

  /** Whether a new key of a map may begin here: not indented further than its keys where the last value continues. */
  private isBlankLineOf(map: LooseMap): boolean {
    const last = map.entries.findLast(({ key }) => key.start < this.offset)
    return this.column <= map.column || last === undefined || last.value.kind !== 'text'
  }

  /** Whether an offset belongs to a block list or map, by its column. */
  private isInBlock(value: LooseMap | LooseList, outer: number): boolean {
    if (this.offset < value.start) return false
    const { source } = this.part
    if (!this.isBlank) return this.offset <= lineEnd(source, Math.max(value.start, value.end))
    // An empty line: its column says where it belongs.
    return this.column >= value.column && (this.column > outer || value.kind === 'list')
  }

  private blockList(list: LooseList, shape: Shape): Found | undefined {
    const { offset, column, isBlank } = this
    const { source } = this.part
    const dashIndex = list.dashes.findLastIndex((dash) => dash < offset)
    const item = list.items[dashIndex]
    const inner = shape.item(Math.max(dashIndex, 0))
    if (!inner) return undefined
    if (item && item.kind === 'text' && holds(item, offset)) {
      const inItem = this.inside(item, inner, undefined, dashIndex)
      return inItem && { ...inItem, container: list }
    }
    if (item && item.kind !== 'null' && item.kind !== 'text') {
      const isInside = item.style === 'block' ? this.isInBlock(item, list.column) : this.isWithin(item)
      const inItem = isInside ? this.inside(item, inner, undefined, dashIndex) : undefined
      if (isInside) return inItem && { ...inItem, container: inItem.container ?? list }
    }
    if (item?.kind === 'null' && !isBlank && lineOf(source, offset) === lineOf(source, list.dashes[dashIndex] as number))
      return { ...this.begin(inner, undefined, undefined, dashIndex), container: list, isOwnLine: false }
    if (isBlank && column >= list.column)
      return { at: 'item', shape: inner, token: undefined, container: list, entry: undefined, isOwnLine: true, index: dashIndex + 1 }
    return undefined
  }
}
