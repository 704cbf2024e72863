import type { Form, Handler, RouteContext, ServiceRoute } from '../api/route.ts'
import { formToken } from '../auth/seals.ts'
import type { Reply, ServiceRequest } from '../model/exchange.ts'
import type { Service } from '../model/service.ts'
import { type Markup, messagePage } from './html.ts'
import { hidden } from './parts.ts'

/** Protection from other pages of the web: the emulator runs on a machine whose browser visits untrusted sites. */

/** Where the addresses of a region start: `/eu`. */
export function baseOf(service: Service, { region }: Pick<ServiceRequest, 'region'>): string {
  return new URL(service.address(region)).pathname.replace(/\/$/, '')
}

/** Whether no stranger can have pointed a host's name at this machine: an address, a name without a dot, or a reserved name. */
export function isNearby(host: string): boolean {
  return /^(?:\[[0-9a-f:.]+\]|\d+\.\d+\.\d+\.\d+|[a-z0-9_-]+|(?:[a-z0-9_-]+\.)+(?:localhost|test|internal|local))$/i.test(host)
}

/** Whether a request names the address that the emulator hands out. */
function isOwnName(service: Service, { region }: Pick<ServiceRequest, 'region'>, hostname: string): boolean {
  const own = service.address(region)
  return URL.canParse(own) && new URL(own).hostname === hostname
}

/** The field of every form that proves that our own page sent it. */
const tokenField = 'form_token'

export function tokenInput(service: Service, purpose: string): Markup {
  return hidden(tokenField, formToken(service, purpose))
}

/** Why a form cannot have come from our own page; undefined where it may have. */
function foreign({ service, request, body }: RouteContext, purpose: string): string | undefined {
  const site = request.headers['sec-fetch-site']
  const origin = request.headers.origin
  if (site !== undefined && site !== 'same-origin') return 'It came from a page of another site.'
  // A proxy may write another host into the request: then the page came from the address that is handed out.
  const hosts = [request.url, service.address(request.region)].flatMap((each) => (URL.canParse(each) ? [new URL(each).host] : []))
  if (origin !== undefined && !(URL.canParse(origin) && hosts.includes(new URL(origin).host))) return 'It came from a page of another site.'
  const tokens = (body as Form | undefined)?.get(tokenField)
  if (tokens?.length !== 1 || !service.ports.digest.same(tokens[0] as string, formToken(service, purpose)))
    return 'It does not carry what our own page puts into it, or the emulator was restarted since.'
  return undefined
}

/** `base`: where the addresses of the region start. */
export type PageHandler = (context: RouteContext, base: string) => Reply

function guarded(handle: PageHandler): Handler {
  return (context) => {
    const base = baseOf(context.service, context.request)
    const { url } = context.request
    const hostname = URL.canParse(url) ? new URL(url).hostname : ''
    if (isNearby(hostname) || isOwnName(context.service, context.request, hostname)) return handle(context, base)
    return messagePage(base, 403, 'Not under this name', [
      'The pages answer under an address, such as 127.0.0.1, or a name of this network. Under any other name, a page of the web could pretend to be one of them.',
    ])
  }
}

export function shows(path: string, handle: PageHandler): ServiceRoute {
  return { method: 'GET', path, access: 'open', handle: guarded(handle) }
}

/** The route of a form. `purpose`: as its page gave it to `formToken`. */
export function formRoute(path: string, purpose: (context: RouteContext) => string, handle: PageHandler): ServiceRoute {
  return {
    method: 'POST',
    path,
    access: 'open',
    takes: 'form',
    handle: guarded((context, base) => {
      const why = foreign(context, purpose(context))
      if (why === undefined) return handle(context, base)
      return messagePage(base, 403, 'This was not accepted', [
        why,
        'Nothing was changed. Load the page again and send the form from there.',
      ])
    }),
  }
}

/** The one value of a field of a form, as it was sent; '' where there is none. */
export function rawFieldOf({ body }: RouteContext, name: string): string {
  return (body as Form | undefined)?.get(name)?.[0] ?? ''
}

/** The one value of a field of a form, without blanks around it; '' where there is none. */
export function fieldOf(context: RouteContext, name: string): string {
  return rawFieldOf(context, name).trim()
}

export function seeOther(location: string): Reply {
  return { status: 303, origin: 'stand-in', headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } }
}
