/** How much an engine remembers of the questions it was asked, so that memory does not follow them. Answers do not depend on it. */
export interface Limits {
  /** The number of strings that are cached with the patterns that match them. */
  readonly texts: number
  /** How long the lists of matching patterns may get together before they are all forgotten. */
  readonly places: number
  /**
   * Identities and groups that neither policies nor the inventory name, as numbers in blocks: 65,536 of them, or fewer where
   * many patterns match each.
   */
  readonly strange: number
  /** Answers about further groups. */
  readonly lifts: number
}

export const usualLimits: Limits = { texts: 1 << 17, places: 1 << 22, strange: 1 << 24, lifts: 1 << 18 }
