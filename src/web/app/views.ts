import { ask } from '../ask/view.ts'
import { graph, timeline } from '../graph/views.ts'
import { changes } from './changes.ts'
import { group, identity, policy, resource, resourceGroup } from './entities.ts'
import { findings, rule } from './findings.ts'
import { identities, policies, resources } from './lists.ts'
import { matrix, type } from './matrix.ts'
import type { View } from './page.ts'
import { print } from './print.ts'
import { action, reach } from './reach.ts'
import { review } from './review.ts'
import { search } from './search.ts'
import { summary } from './summary.ts'

/** Every view, in the order of the navigation. The first is shown where the address names none. */
export const views: readonly View[] = [
  summary,
  changes,
  matrix,
  findings,
  review,
  policies,
  identities,
  resources,
  graph,
  timeline,
  ask,
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
