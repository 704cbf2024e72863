import { groupedBy } from '../../collections.ts'
import { readIdentity } from '../../urn/identity.ts'
import type { RouteContext, ServiceRoute } from '../api/route.ts'
import { type AskedAccess, acceptCredential, accessAsked, refuseCredential } from '../auth/credentials.ts'
import type { Reply } from '../model/exchange.ts'
import { isHeaderHost } from '../model/host.ts'
import type { CredentialState } from '../model/records.ts'
import { fieldOf, formRoute, seeOther, shows, tokenInput } from './guard.ts'
import { html, lines, messagePage, pageReply } from './html.ts'
import { errorSummary, type FieldError, facts, hidden, name, select } from './parts.ts'
import { accountsOf } from './place.ts'

/** The page of a `validationUrl`: a customer accepts or refuses what an application asks for. */

interface Rule {
  readonly method: string
  readonly path: string
}

const methodWords: Readonly<Record<string, string>> = {
  GET: 'Read',
  POST: 'Create and run',
  PUT: 'Change',
  PATCH: 'Change',
  DELETE: 'Delete',
}

/** Access rules, those of one path together, each in plain words. */
export function rulesInWords(rules: readonly Rule[]): readonly { readonly words: string; readonly rules: readonly Rule[] }[] {
  return [...groupedBy(rules, ({ path }) => path)].map(([path, same]) => {
    const verbs = [...new Set(same.map(({ method }) => methodWords[method] ?? `Call with ${method}`))]
    const listed = verbs.map((verb, i) => (i === 0 ? verb : `${verb[0]?.toLowerCase()}${verb.slice(1)}`))
    return { words: `${listed.join(', ')}: ${pathInWords(path)}`, rules: same }
  })
}

function pathInWords(path: string): string {
  if (path === '*' || path === '/*') return 'everything'
  const stars = path.split('*').length - 1
  if (stars === 0) return `only ${path}`
  if (stars === 1 && path.endsWith('*'))
    return path.endsWith('/*') ? `everything under ${path.slice(0, -1)}` : `everything that starts with ${path.slice(0, -1)}`
  return `every path like ${path}, where * is any text`
}

/** Who may answer: each account of the region, and the users of each that its policies or its inventory name. */
function whom({ service, request }: RouteContext): readonly (readonly [identity: string, words: string])[] {
  return accountsOf(service, request).flatMap(({ id, region }) => {
    const { world } = service.worldOf(id)
    const named = [...world.policies.flatMap(({ identities }) => identities.map(({ value }) => value.text)), ...world.identities.keys()]
    const users = [...new Set(named)].filter((urn) => {
      const identity = readIdentity(urn, { pattern: false }).value
      return identity?.kind === 'user' && identity.account === id
    })
    return [
      [`urn:v1:${region}:identity:account:${id}`, `the account ${id}`] as const,
      ...users.sort().map((urn) => [urn, `the user ${urn.split(':').at(-1)}`] as const),
    ]
  })
}

const purposeOf = (token: string) => `consent ${token}`

/** The page about a request that cannot be answered any more. */
const closedPages: Readonly<
  Record<Exclude<CredentialState, 'pendingValidation'> | 'unknown', readonly [status: number, title: string, sentences: readonly string[]]>
> = {
  unknown: [
    404,
    'This request is not known',
    ['The address may be incomplete, or the emulator was restarted since.', 'Go back to the application and start again from there.'],
  ],
  validated: [410, 'This request was accepted', ['It was answered before and needs no further answer.']],
  refused: [410, 'This request was refused', ['It was answered before. The application has to ask again.']],
  expired: [410, 'This request has expired', ['It was not answered in time. The application has to ask again.']],
}

/** The request for access that a token is about, or the page that says why it cannot be answered. */
function openAt({ service, request }: RouteContext, base: string, token: string): AskedAccess | Reply {
  const asked = token === '' ? undefined : accessAsked(service, request.region, token)
  if (asked?.state === 'pendingValidation') return asked
  return messagePage(base, ...closedPages[asked?.state ?? 'unknown'])
}

function consent(context: RouteContext, base: string, token: string, chosen?: string, errors: readonly FieldError[] = []): Reply {
  const asked = openAt(context, base, token)
  if ('status' in asked) return asked
  const { application, credential } = asked
  const { rules, redirection } = credential
  const isWide = rules.some(({ path, method }) => (path === '*' || path === '/*') && method !== 'GET')
  const main = html`${errorSummary(errors)}
<div class="card">
<h2>Who asks</h2>
${facts([
  ['Application', html`<strong>${application.name}</strong>`],
  [
    'What it says of itself',
    application.description === '' ? undefined : html`<span class="written">${lines(application.description)}</span>`,
  ],
  ['You are then led to', redirection === null ? undefined : name(redirection)],
])}
<h2>What it wants to do for you</h2>
${
  rules.length === 0
    ? html`<p>Nothing: it lists no access rules, so that no call will be granted.</p>`
    : html`<ul id="rules" class="rules">${rulesInWords(rules).map(
        ({ words, rules }) =>
          html`<li>${words}<span class="soft">${rules.map((rule) => html` <code>${rule.method} ${rule.path}</code>`)}</span></li>`,
      )}</ul>`
}
${isWide && html`<p class="callout warning"><strong>This is wide:</strong> with such rules the application may do almost all that you may do.</p>`}
<p class="soft">It can do none of this beyond your own rights: each call is checked against these rules and against the policies about you.</p>
</div>
<form method="post" action="${base}/auth/credential/validate" class="card narrow">
<h2>Your answer</h2>
${tokenInput(context.service, purposeOf(token))}${hidden('token', token)}
${select('identity', 'Answer as', whom(context), chosen)}
<p class="hint">The service asks for a login here. The emulator has no passwords: choose who you are.</p>
<p class="buttons"><button type="submit" name="answer" value="accept" class="primary">Accept</button>
<button type="submit" name="answer" value="refuse">Refuse</button></p>
</form>`
  return pageReply({ title: 'An application asks for access', base, main }, errors.length > 0 ? 400 : 200, originOf(redirection))
}

/** The host that the answer leads to, as a policy of the page writes it. */
function originOf(address: string | null): string | undefined {
  if (address === null || !URL.canParse(address)) return undefined
  const { origin, protocol, host } = new URL(address)
  return (protocol === 'http:' || protocol === 'https:') && isHeaderHost(host) ? origin : undefined
}

function decide(context: RouteContext, base: string): Reply {
  const { service, request } = context
  const token = fieldOf(context, 'token')
  const asked = openAt(context, base, token)
  if ('status' in asked) return asked
  const [answer, identity] = [fieldOf(context, 'answer'), fieldOf(context, 'identity')]
  const again = (message: string, chosen?: string) => consent(context, base, token, chosen, [{ field: 'identity', message }])
  if (answer !== 'accept' && answer !== 'refuse') return again('Accept or refuse.', identity)
  if (!whom(context).some(([urn]) => urn === identity)) return again('Choose who you are.')
  const { redirection } = asked.credential
  const leadsOn = redirection !== null && originOf(redirection) !== undefined
  if (answer === 'refuse') {
    refuseCredential(service, request.region, token)
    // Whether the service leads a customer who refuses anywhere is not shown: the way back is a link.
    const back = leadsOn ? html`<a href="${redirection}">Back to the application</a>, or close this page.` : 'You can close this page.'
    return messagePage(base, 200, 'Refused', ['The application gets no access.', back])
  }
  const accepted = acceptCredential(service, request.region, token, identity)
  if ('problem' in accepted) return again(`${accepted.problem}.`, identity)
  if (leadsOn) return seeOther(redirection)
  return messagePage(base, 200, 'Accepted', [
    'The application may now make the calls that you accepted.',
    'It gave no address to lead you back to: you can close this page.',
  ])
}

export const consentRoutes: readonly ServiceRoute[] = [
  shows('/auth/credential/validate', (context, base) => consent(context, base, context.request.query.get('token') ?? '')),
  formRoute('/auth/credential/validate', (context) => purposeOf(fieldOf(context, 'token')), decide),
]
