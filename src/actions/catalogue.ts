import type { Glob } from '../glob.ts'

/**
 * The actions, products and resource types that were seen in the service's API descriptions, and when. The live service
 * has more: "not in the catalogue" is never more than a dated warning (spec: policy language, section 4).
 */
export interface Catalogue {
  /** The month the newest part was seen, `YYYY-MM`. */
  readonly seen: string
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
   * The known action that was probably meant by an unknown one, or undefined. For `<product>:*` and patterns that end in
   * `:*` or `/*` it is the pattern probably meant, which then designates something; other patterns have none.
   */
  nearestAction(action: string): string | undefined
  /** The known product that was probably meant: a slip of the pen, or the one product that serves a type of that name. */
  nearestProduct(product: string): string | undefined
  /** The actions that are on their way out, sorted. */
  readonly deprecated: readonly string[]
  /** What is known of an action that the service is going to take away; undefined for one that stays, and for unknown ones. */
  deprecationOf(action: string): Deprecation | undefined
  /** The month an action was first seen, `YYYY-MM`; undefined for one that was there from the start, and for unknown ones. */
  sinceOf(action: string): string | undefined
  /** The known resource type that was probably meant: a slip of the pen, or the type that a product of that name serves. */
  nearestType(type: string): string | undefined
}

/** An action that is on its way out: every operation that needs it is. */
export interface Deprecation {
  /** The day since which all of them are, `YYYY-MM-DD`; undefined where it is not said. */
  readonly from?: string
  /** The day after which none of them is left, `YYYY-MM-DD`; undefined where it is not said. */
  readonly until?: string
  /** The actions needed by what takes their place, sorted; empty where nothing is named. */
  readonly replacedBy: readonly string[]
}
