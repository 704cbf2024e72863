import type { RouteContext, ServiceRoute } from '../api/route.ts'
import { applicationLimits, type Registration, registerApplication } from '../auth/credentials.ts'
import type { Reply } from '../model/exchange.ts'
import { fieldOf, formRoute, shows, tokenInput } from './guard.ts'
import { html, pageReply } from './html.ts'
import { errorSummary, type FieldError, facts, field, name, select } from './parts.ts'
import { accountsOf } from './place.ts'

const purpose = 'createApp'

function form(
  { service, request }: RouteContext,
  base: string,
  registration: Partial<Registration> = {},
  errors: readonly FieldError[] = [],
): Reply {
  const accounts = accountsOf(service, request).map(({ id }) => id)
  const main = html`<p>An application acts for customers who accept what it asks for. It gets an application key (AK), which may be known, and an application secret (AS), which signs its requests.</p>
${errorSummary(errors)}
<form method="post" action="${base}/createApp" class="card narrow" novalidate>
${tokenInput(service, purpose)}
${field({ id: 'name', label: 'Application name', hint: 'Customers see it when they are asked.', value: registration.name ?? '', required: true, most: applicationLimits.name }, errors)}
${field({ id: 'description', label: 'Application description', hint: 'What it does, in a sentence that customers understand.', value: registration.description ?? '', required: true, most: applicationLimits.description, tall: true }, errors)}
${select('account', 'Your account', accounts, registration.account)}
<p class="hint">The service asks for a login here. The emulator has no passwords: choose whose application it is.</p>
<p class="buttons"><button type="submit" class="primary">Register</button></p>
</form>`
  return pageReply({ title: 'Register an application', base, main }, errors.length > 0 ? 400 : 200)
}

/** AK and AS are shown in the answer and nowhere else. */
function register(context: RouteContext, base: string): Reply {
  const { service, request } = context
  const registration = {
    name: fieldOf(context, 'name'),
    description: fieldOf(context, 'description'),
    account: fieldOf(context, 'account'),
  }
  const registered = registerApplication(service, request.region, registration)
  if (!('key' in registered)) return form(context, base, registration, registered)
  const main = html`<p role="status">The application <strong>${registered.name}</strong> is registered.</p>
<div class="card">${facts([
    ['Application key (AK)', html`<code id="application-key">${registered.key}</code>`],
    ['Application secret (AS)', html`<code id="application-secret" class="secret">${registered.secret}</code>`],
  ])}
<p class="callout warning"><strong>The secret is shown this once.</strong> Store it now; only the application needs it.</p></div>
<h2>What comes next</h2>
<p>Ask for delegated access with ${name('POST /1.0/auth/credential')}, the header ${name(service.signed.application.shown)} with the application key, and a body that lists <code>accessRules</code> and a <code>redirection</code>. Then send the customer to the <code>validationUrl</code> of the answer.</p>
<p><a href="${base}/createApp">Register another application</a></p>`
  return pageReply({ title: 'Application registered', base, main })
}

export const registrationRoutes: readonly ServiceRoute[] = [
  shows('/createApp', (context, base) => form(context, base)),
  formRoute('/createApp', () => purpose, register),
]
