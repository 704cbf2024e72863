import { readIdentity } from '../../urn/identity.ts'
import type { RouteContext, ServiceRoute } from '../api/route.ts'
import {
  type AskedAccess,
  acceptCredential,
  accessAsked,
  applicationLimits,
  refuseCredential,
  registerApplication,
} from '../auth/credentials.ts'
import type { Reply } from '../model/exchange.ts'
import { isHeaderHost } from '../model/host.ts'
import { consentPage, messagePage, type Registration, registeredPage, registrationPage, type Who } from './delegation.ts'
import { does, fieldOf, formToken, seeOther, shows } from './guard.ts'
import { html, pageReply } from './html.ts'
import type { FieldError } from './parts.ts'
import { accountsOf } from './place.ts'
import { consoleRoutes } from './routes.ts'

/** The pages of the stand-in: registration, consent, and the console. */

function registration(
  { service, request }: RouteContext,
  base: string,
  given: Partial<Registration> = {},
  errors: readonly FieldError[] = [],
): Reply {
  const accounts = accountsOf(service, request).map(({ id }) => id)
  return pageReply(registrationPage(base, accounts, given, errors, formToken(service, 'createApp')), errors.length > 0 ? 400 : 200)
}

/** Register an application: AK and AS are shown in the answer and nowhere else. */
function register(context: RouteContext, base: string): Reply {
  const { service, request } = context
  const given = { name: fieldOf(context, 'name'), description: fieldOf(context, 'description'), account: fieldOf(context, 'account') }
  const errors: FieldError[] = []
  if (given.name === '') errors.push({ field: 'name', message: 'Give the application a name.' })
  if (given.name.length > applicationLimits.name)
    errors.push({ field: 'name', message: `The name is longer than ${applicationLimits.name} characters.` })
  if (given.description === '') errors.push({ field: 'description', message: 'Say what the application does.' })
  if (given.description.length > applicationLimits.description)
    errors.push({ field: 'description', message: `The description is longer than ${applicationLimits.description} characters.` })
  if (!accountsOf(service, request).some(({ id }) => id === given.account))
    errors.push({ field: 'account', message: 'Choose an account of this region.' })
  if (errors.length > 0) return registration(context, base, given, errors)
  const { application, problem } = registerApplication(service, given)
  if (!application) return registration(context, base, given, [{ field: problem.field, message: `${problem.message}.` }])
  return pageReply(registeredPage(base, application, service.signed.application.shown))
}

/** The request of an address that a customer was sent to; undefined where there is none, or it belongs to the other region. */
function askedAt({ service, request }: RouteContext, token: string): AskedAccess | undefined {
  return token === '' ? undefined : accessAsked(service, request.region, token)
}

/** Who may answer: each account of the region, and the users of each that its policies or its inventory name. */
function whom(context: RouteContext): readonly Who[] {
  const { service, request } = context
  return accountsOf(service, request).flatMap(({ id, region }) => {
    const { world } = service.worldOf(id)
    const named = [...world.policies.flatMap(({ identities }) => identities.map(({ value }) => value.text)), ...world.identities.keys()]
    const users = [...new Set(named)].filter((urn) => {
      const identity = readIdentity(urn, { pattern: false }).value
      return identity?.kind === 'user' && identity.account === id
    })
    const account: Who = [`urn:v1:${region}:identity:account:${id}`, `the account ${id}`]
    return [account, ...users.sort().map((urn): Who => [urn, `the user ${urn.split(':').at(-1)}`])]
  })
}

const purposeOf = (token: string) => `consent ${token}`

/** What there is to say of a request that can no longer be answered; undefined where it can. */
function closed(asked: AskedAccess | undefined, base: string): Reply | undefined {
  const say = (status: number, title: string, ...sentences: string[]) => pageReply(messagePage(base, title, sentences), status)
  switch (asked?.state) {
    case 'pendingValidation':
      return undefined
    case undefined:
      return say(
        404,
        'This request is not known',
        'The address may be incomplete, or the stand-in was started anew since it was given.',
        'Go back to the application and start again from there.',
      )
    case 'validated':
      return say(410, 'This request was accepted', 'It was answered before and needs no further answer.')
    case 'refused':
      return say(410, 'This request was refused', 'It was answered before. The application has to ask anew.')
    default:
      return say(410, 'This request has expired', 'It was not answered in time. The application has to ask anew.')
  }
}

function consent(context: RouteContext, base: string, token: string, chosen?: string, errors: readonly FieldError[] = []): Reply {
  const { service } = context
  const access = askedAt(context, token)
  const over = closed(access, base)
  if (over || !access) return over as Reply
  const { credential, application } = access
  const asked = {
    token,
    application,
    rules: credential.rules,
    redirection: credential.redirection ?? undefined,
  }
  const page = consentPage(base, asked, whom(context), chosen, errors, formToken(service, purposeOf(token)))
  return pageReply(page, errors.length > 0 ? 400 : 200, originOf(credential.redirection))
}

/** The host that the answer leads to, as a policy of the page writes it. */
function originOf(address: string | null): string | undefined {
  if (address === null || !URL.canParse(address)) return undefined
  const { origin, protocol, host } = new URL(address)
  return (protocol === 'http:' || protocol === 'https:') && isHeaderHost(host) ? origin : undefined
}

function decideConsent(context: RouteContext, base: string): Reply {
  const token = fieldOf(context, 'token')
  const answer = fieldOf(context, 'answer')
  const over = closed(askedAt(context, token), base)
  if (over) return over
  const identity = fieldOf(context, 'identity')
  if (answer !== 'accept' && answer !== 'refuse')
    return consent(context, base, token, identity, [{ field: 'identity', message: 'Accept or refuse.' }])
  if (!whom(context).some(([urn]) => urn === identity))
    return consent(context, base, token, undefined, [{ field: 'identity', message: 'Choose who you are.' }])
  const accepted = answer === 'accept'
  const { service, request } = context
  const { credential, redirection, problem } = accepted
    ? acceptCredential(service, request.region, token, { identity })
    : refuseCredential(service, request.region, token)
  if (problem !== undefined) return consent(context, base, token, identity, [{ field: 'identity', message: `${problem}.` }])
  if (redirection !== null && originOf(redirection) !== undefined) return seeOther(redirection)
  if (accepted)
    return pageReply(
      messagePage(base, 'Accepted', [
        'The application may now make the calls that you accepted.',
        'It gave no address to lead you back to: you can close this page.',
      ]),
    )
  // That a customer who refuses is led anywhere is not shown: the way back is offered, not taken.
  const back = originOf(credential.redirection) === undefined ? undefined : (credential.redirection ?? undefined)
  return pageReply(
    messagePage(base, 'Refused', [
      'The application gets no access.',
      back === undefined ? 'You can close this page.' : html`<a href="${back}">Back to the application</a>, or close this page.`,
    ]),
  )
}

export const pageRoutes: readonly ServiceRoute[] = [
  shows('/createApp', (context, base) => registration(context, base)),
  does('/createApp', () => 'createApp', register),
  shows('/auth/credential/validate', (context, base) => consent(context, base, context.request.query.get('token') ?? '')),
  does('/auth/credential/validate', (context) => purposeOf(fieldOf(context, 'token')), decideConsent),
  ...consoleRoutes,
]
