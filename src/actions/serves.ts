import type { Catalogue } from './catalogue.ts'

type Known = Pick<Catalogue, 'products' | 'typesOf'>

/** The types that some product is known to serve. */
export function servedTypes({ products, typesOf }: Known): ReadonlySet<string> {
  return new Set(products.flatMap((product) => typesOf(product)))
}

/** Whether no action of a product can be about a resource of a type, as far as the catalogue knows: false is "it may". */
export function cannotServe(product: string, type: string, catalogue: Known, served: () => ReadonlySet<string>): boolean {
  const productTypes = catalogue.typesOf(product)
  if (productTypes.length === 0 || type.includes('*')) return false
  if (productTypes.some((each) => each === type || type.startsWith(`${each}/`) || each.startsWith(`${type}/`))) return false
  return served().has(type)
}
