import type { Source } from '../../source.ts'
import type { Entry, ListNode, MapNode, NullNode, TextNode } from '../../tree.ts'

/**
 * Trees of texts that are being written. They have the shape of the trees of the readers, and also the layout of each part. Every
 * text has one: a missing value is null, an unclosed one ends where it must.
 */
export type LooseNode = LooseText | LooseMap | LooseList | LooseNull

/** A scalar. Numbers and booleans are strings here. */
export interface LooseText extends TextNode {
  /** Its notation; '' without quotes, `|` for the blocks of YAML and the heredocs of HCL. */
  readonly quote: '' | '"' | "'" | '|'
  readonly isClosed: boolean
  /** An expression of HCL, or a text with some in it. */
  readonly isExpression?: true
}

/** Nothing is written there. */
export type LooseNull = NullNode

/** How a list or map is written: in brackets, by its columns, or as blocks and attributes. */
export type Style = 'flow' | 'block' | 'hcl'

export interface LooseEntry extends Entry {
  readonly key: LooseText
  readonly value: LooseNode
  /** Where the colon or equals sign is; -1: there is none. */
  readonly sign: number
  /** Of a block of HCL, its labels. */
  readonly labels?: readonly LooseText[]
}

export interface LooseMap extends MapNode {
  readonly entries: readonly LooseEntry[]
  readonly style: Style
  /** Of a map without brackets, the column of its keys, from 0. */
  readonly column: number
  readonly isClosed: boolean
}

export interface LooseList extends ListNode {
  readonly items: readonly LooseNode[]
  readonly style: Style
  /** Of a list without brackets, the column of its dashes, from 0. */
  readonly column: number
  /** Where its dashes are; none in brackets. */
  readonly dashes: readonly number[]
  readonly isClosed: boolean
}

/** The deepest nesting that is read; deeper parts are skipped. */
export const deepest = 80

/** A place where a value is missing. */
export function nothing(source: Source, at: number): LooseNull {
  return { kind: 'null', value: null, source, start: at, end: at }
}

/** Whether a unit is a blank or a line break. */
export function isSpace(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13) || unit === 0xa0 || unit === 0xfeff || unit === 0x2028 || unit === 0x2029
}
