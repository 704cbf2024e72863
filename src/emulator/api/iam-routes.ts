import { checkRoutes } from './iam-checks.ts'
import { groupRoutes } from './iam-groups.ts'
import { policyRoutes } from './iam-policies.ts'
import { resourceRoutes } from './iam-resources.ts'
import type { ServiceRoute } from './route.ts'

/** Every route under `/v2/iam` with an answer of its own. */
export const iamRoutes: readonly ServiceRoute[] = [...policyRoutes, ...groupRoutes, ...resourceRoutes, ...checkRoutes]
