import { group, identity, policy, resource, resourceGroup } from './entities.ts'
import { rule } from './findings.ts'
import { mainViews } from './main-views.ts'
import { type } from './matrix.ts'
import type { View } from './page.ts'
import { print } from './print.ts'
import { action, reach } from './reach.ts'
import { search } from './search.ts'

/** Every view. The first is shown where the address names none. */
export const views: readonly View[] = [
  ...mainViews,
  identity,
  group,
  resource,
  resourceGroup,
  policy,
  type,
  action,
  rule,
  reach,
  search,
  print,
]
