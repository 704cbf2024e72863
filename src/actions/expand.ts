import { pushTo } from '../collections.ts'
import type { Glob } from '../glob.ts'
import type { Catalogue } from './catalogue.ts'

/** The catalogue actions that one pattern designates. */
export interface Expansion {
  readonly pattern: string
  readonly count: number
  /** Products with at least one such action, sorted; their actions sorted. */
  readonly byProduct: readonly { readonly product: string; readonly actions: readonly string[] }[]
}

/** The actions that each pattern designates in the catalogue, in the order of the patterns. */
export function expandPatterns(patterns: readonly Glob[], catalogue: Pick<Catalogue, 'expand'>): readonly Expansion[] {
  return patterns.map((pattern) => {
    const actions = catalogue.expand(pattern)
    const byProduct = new Map<string, string[]>()
    for (const action of actions) {
      const product = action.slice(0, action.indexOf(':'))
      pushTo(byProduct, product, action)
    }
    const products = [...byProduct.keys()].sort()
    return {
      pattern: pattern.text,
      count: actions.length,
      byProduct: products.map((product) => ({ product, actions: byProduct.get(product) as string[] })),
    }
  })
}
