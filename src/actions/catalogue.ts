import type { Glob } from '../glob.ts'

/**
 * The actions, products and resource types that were seen in the service's API descriptions, and when. The live service
 * has more: "not in the catalogue" is never more than a dated warning (docs/catalogue.md).
 */
export interface Catalogue {
  /** The month the newest part was seen, `YYYY-MM`. */
  readonly seen: string
  /** By branch, the month as of which it has every operation, `YYYY-MM`; of no other branch is that known. */
  readonly complete?: Readonly<Record<string, string>> | undefined
  /** How many actions it holds. */
  readonly size: number
  /** Every product, sorted. */
  readonly products: readonly string[]
  /** Every resource type, sorted. */
  readonly types: readonly string[]
  /** The month one of the product's actions was last seen, `YYYY-MM`; undefined for an unknown product. */
  seenOf(product: string): string | undefined
  /** Whether it holds exactly this action. The names in it have no `?<parameter>`: take it off before asking. */
  has(action: string): boolean
  /** The actions of a product, sorted; empty for an unknown product. */
  actionsOf(product: string): readonly string[]
  /** The actions that a pattern designates, sorted. */
  expand(pattern: Glob): readonly string[]
  /** The resource types that a product's actions can be about, sorted; empty when nothing is known of it. */
  typesOf(product: string): readonly string[]
  /**
   * The known action that was probably intended, or undefined. For `<product>:*` and patterns that end in
   * `:*` or `/*` it is a pattern that matches something; other patterns have none.
   */
  nearestAction(action: string): string | undefined
  /** The known product that was probably intended: a typo, or the only product that serves a type of that name. */
  nearestProduct(product: string): string | undefined
  /** The deprecated actions, sorted. */
  readonly deprecated: readonly string[]
  /** The deprecation of an action; undefined for others. */
  deprecationOf(action: string): Deprecation | undefined
  /** The month an action was first seen, `YYYY-MM`; undefined if it was in the first catalogue, or is unknown. */
  sinceOf(action: string): string | undefined
  /** The known resource type that was probably intended: a typo, or the type that a product of that name serves. */
  nearestType(type: string): string | undefined
}

/** Whether the catalogue holds exactly this action of the API itself: nothing is wrong with its name. */
export function isListed(action: string, catalogue: Catalogue, brand: string): boolean {
  return catalogue.has(action) && action.includes(`:api${brand}:`)
}

/** A deprecated action: every operation that needs it is deprecated. */
export interface Deprecation {
  /** The day since which all of them are, `YYYY-MM-DD`; undefined if not specified. */
  readonly from?: string
  /** The day after which none of them is left, `YYYY-MM-DD`; undefined if not specified. */
  readonly until?: string
  /** The actions that the replacements need, sorted; empty if there is none. */
  readonly replacedBy: readonly string[]
}
