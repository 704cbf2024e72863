import type { RegionScope, View } from '../../answers/difference.ts'
import type { World } from '../../policy.ts'
import { Names } from '../../report/names.ts'
import { isDescribed } from '../../symbolic/described.ts'

/** The view of a report about differences: only described names by default, if the worlds describe identities and resources. */
export function viewOf(options: { readonly over?: RegionScope | undefined; readonly fullUrns: boolean }, worlds: readonly World[]): View {
  return { over: options.over ?? (isDescribed(worlds) ? 'known' : 'everything'), names: new Names(worlds, options.fullUrns) }
}
