import type { Diagnostic } from '../diagnostic.ts'
import type { Source, Span } from '../source.ts'

/** An expression. Every part has its span. */
export type Expression =
  | Literal
  | Template
  | (Span & { readonly kind: 'list'; readonly items: readonly Expression[] })
  | (Span & { readonly kind: 'object'; readonly entries: readonly ObjectEntry[] })
  | (Span & { readonly kind: 'name'; readonly name: string })
  | (Span & { readonly kind: 'attribute'; readonly of: Expression; readonly name: string })
  | (Span & { readonly kind: 'index'; readonly of: Expression; readonly key: Expression })
  /** `of[*]` with the expression for each of its items: `each` refers to the item by the name `itemOfSplat`. */
  | (Span & { readonly kind: 'splat'; readonly of: Expression; readonly each: Expression })
  | (Span & { readonly kind: 'call'; readonly name: string; readonly values: readonly Expression[]; readonly isSpread: boolean })
  | ForExpression
  | (Span & { readonly kind: 'unary'; readonly operator: string; readonly operand: Expression })
  | (Span & { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression })
  | (Span & { readonly kind: 'conditional'; readonly condition: Expression; readonly yes: Expression; readonly no: Expression })

export interface Literal extends Span {
  readonly kind: 'literal'
  readonly value: number | boolean | null
  /** A number with more digits than its value has. */
  readonly digits?: string
}

/** A string in quotes, or a heredoc. */
export interface Template extends Span {
  readonly kind: 'template'
  readonly parts: readonly Part[]
}

export interface TextPart extends Span {
  readonly kind: 'text'
  readonly value: string
  /** The offset of each unit of the value, and one for the end. */
  readonly offsets: readonly number[]
}

export type Part =
  | TextPart
  | (Span & { readonly kind: 'value'; readonly expression: Expression })
  | (Span & { readonly kind: 'if'; readonly condition: Expression; readonly yes: readonly Part[]; readonly no: readonly Part[] })
  | (Span & ForIntro & { readonly kind: 'for'; readonly body: readonly Part[] })

export interface ObjectEntry {
  readonly key: Expression
  readonly value: Expression
}

/** `for key, value in collection`. */
export interface ForIntro {
  readonly key: string | undefined
  readonly value: string
  readonly collection: Expression
}

export interface ForExpression extends Span, ForIntro {
  readonly kind: 'for'
  /** For objects, the key of each entry. */
  readonly resultKey: Expression | undefined
  readonly result: Expression
  /** Values of one key are put together in a list. */
  readonly isGrouped: boolean
  readonly condition: Expression | undefined
}

/** The name of a splat's item: not a legal name of HCL. */
export const itemOfSplat = '*'

export interface Attribute extends Span {
  readonly name: string
  readonly nameSpan: Span
  readonly value: Expression
}

export interface Block extends Span {
  readonly type: string
  readonly typeSpan: Span
  readonly labels: readonly string[]
  /** The type and its labels: what names the block. */
  readonly head: Span
  readonly body: Body
}

export interface Body {
  readonly attributes: readonly Attribute[]
  readonly blocks: readonly Block[]
}

export interface HclFile {
  readonly source: Source
  /** Undefined where it was not understood: `diagnostics` says why. */
  readonly body: Body | undefined
  readonly diagnostics: readonly Diagnostic[]
  readonly comments: readonly Span[]
}
