import { loadCatalogue } from './load.ts'
import { loadOperations } from './operations.ts'
import { type ActionRecord, type CatalogueRecord, sortedMap } from './record.ts'

/** All that the catalogue knows that comes with the program, for a brand word. */
export function shippedRecord(brand: string): CatalogueRecord {
  const catalogue = loadCatalogue(brand)
  const operations = loadOperations(brand)
  const seenLast = new Map<string, string>()
  for (const { actions, seen } of operations)
    for (const { name } of actions) if (seen > (seenLast.get(name) ?? '')) seenLast.set(name, seen)
  const actions = catalogue.products.flatMap((product) =>
    catalogue.actionsOf(product).map((name): [string, ActionRecord] => {
      const deprecated = catalogue.deprecationOf(name)
      return [name, { seen: seenLast.get(name) ?? catalogue.seenOf(product) ?? catalogue.seen, ...(deprecated && { deprecated }) }]
    }),
  )
  const serves = catalogue.products.flatMap((product): [string, readonly string[]][] => {
    const types = catalogue.typesOf(product)
    return types.length === 0 || (types.length === 1 && types[0] === product) ? [] : [[product, types]]
  })
  return { seen: catalogue.seen, brand, actions: sortedMap(actions), types: catalogue.types, serves: sortedMap(serves), operations }
}
