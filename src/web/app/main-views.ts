import { ask } from '../ask/view.ts'
import { graph, timeline } from '../graph/views.ts'
import { changes } from './changes.ts'
import { findings } from './findings.ts'
import { identities, policies, resources } from './lists.ts'
import { matrix } from './matrix.ts'
import type { View } from './page.ts'
import { review } from './review.ts'
import { summary } from './summary.ts'

/** The views of the navigation, in its order. */
export const mainViews: readonly View[] = [
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
]
