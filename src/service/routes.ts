import { credentialRoutes } from './credentials.ts'
import { hostingRoutes } from './hosting.ts'
import { iamRoutes } from './iam-routes.ts'
import { pageRoutes } from './pages.ts'
import type { ServiceRoute } from './route.ts'
import { tokenRoutes } from './token.ts'

/** Every route with an answer of its own. What the catalogue has beyond them is answered with an empty body when allowed. */
export const serviceRoutes: readonly ServiceRoute[] = [...tokenRoutes, ...hostingRoutes, ...credentialRoutes, ...iamRoutes, ...pageRoutes]
