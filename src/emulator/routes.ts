import { hostingRoutes } from './api/hosting.ts'
import { iamRoutes } from './api/iam-routes.ts'
import type { ServiceRoute } from './api/route.ts'
import { tokenRoutes } from './api/token.ts'
import { credentialRoutes } from './auth/credentials.ts'
import { pageRoutes } from './console/delegated-pages.ts'

/** Every route with an answer of its own. What the catalogue has beyond them is answered with an empty body when allowed. */
export const serviceRoutes: readonly ServiceRoute[] = [...tokenRoutes, ...hostingRoutes, ...credentialRoutes, ...iamRoutes, ...pageRoutes]
