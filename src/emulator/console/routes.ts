import components from '../../components.css?raw'
import answer from '../../page/answer.css?raw'
import theme from '../../theme.css?raw'
import type { ServiceRoute } from '../api/route.ts'
import type { Reply } from '../model/exchange.ts'
import { applicationRoutes } from './applications.ts'
import browserScript from './browser.js?raw'
import { calls, stream } from './calls.ts'
import { consentRoutes } from './consent.ts'
import { seeOther, shows } from './guard.ts'
import { pageHeaders, scriptPath, stylePath } from './html.ts'
import { overview } from './overview.ts'
import { showsPlaced } from './place.ts'
import { policyPageRoutes } from './policy-forms.ts'
import { can } from './question.ts'
import { registrationRoutes } from './registration.ts'
import { resources } from './resources.ts'
import { schemaRoutes } from './schemas.ts'
import { serviceAccountRoutes } from './service-accounts.ts'
import style from './style.css?raw'

const file = (type: string, content: string): Reply => ({
  status: 200,
  origin: 'stand-in',
  headers: { ...pageHeaders(), 'cache-control': 'no-cache' },
  text: { type: `${type}; charset=utf-8`, content },
})

/** The pages: registration, consent, and the console, which is the emulator's own, and needs no login. */
export const pageRoutes: readonly ServiceRoute[] = [
  ...registrationRoutes,
  ...consentRoutes,
  shows('/', (_, base) => seeOther(`${base}/console`)),
  showsPlaced('/console', overview),
  ...policyPageRoutes,
  ...applicationRoutes,
  showsPlaced('/console/can', can),
  showsPlaced('/console/calls', calls),
  showsPlaced('/console/calls/stream', stream),
  ...serviceAccountRoutes,
  showsPlaced('/console/resources', resources),
  ...schemaRoutes,
  shows(stylePath, () => file('text/css', `${theme}${components}${answer}${style}`)),
  shows(scriptPath, () => file('text/javascript', browserScript)),
]
