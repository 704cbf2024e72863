import type { RouteContext } from '../api/route.ts'
import type { Reply, ServiceRequest } from '../model/exchange.ts'
import type { AccountRecord } from '../model/records.ts'
import type { Service } from '../service.ts'
import { messagePage } from './delegation.ts'
import { type Markup, type Page, pageReply } from './html.ts'

/** What every page of the console is about. */
export interface Place {
  readonly base: string
  /** The accounts of this region. */
  readonly accounts: readonly string[]
  /** Undefined where there is none. */
  readonly account: string | undefined
}

/** A page of the console. `current`: the part of it that the page belongs to. */
export function consolePage({ base, account }: Place, current: string, title: string, main: Markup, script = false): Page {
  return { title, base, nav: { current, account }, main, script }
}

/** An address of the console, about an account. */
export function consolePath(
  { base, account }: Pick<Place, 'base' | 'account'>,
  path: string,
  also: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({ ...(account !== undefined && { account }), ...also })
  return `${base}${path}${query.size > 0 ? `?${query}` : ''}`
}

/** The accounts of the region that a request is for. */
export function accountsOf({ state }: Service, { region }: Pick<ServiceRequest, 'region'>): readonly AccountRecord[] {
  return [...state.table('account').all()].filter((account) => account.region === region)
}

/** What a page is about: the account that its address names, else the first one. A name that is not known is told, not passed over. */
export function placed(handle: (context: RouteContext, place: Place) => Reply): (context: RouteContext, base: string) => Reply {
  return (context, base) => {
    const accounts = accountsOf(context.service, context.request).map(({ id }) => id)
    const given = context.request.query.get('account')
    if (given !== undefined && given !== '' && !accounts.includes(given))
      return pageReply(messagePage(base, 'Not found', [`No account of this region is called ${given}.`]), 404)
    return handle(context, { base, accounts, account: given || accounts[0] })
  }
}

/** What the token of a form is for: the form, and the account that its address names. */
export const accountPurpose = (form: string) => (context: RouteContext) =>
  `${form} ${context.request.query.get('account') || accountsOf(context.service, context.request)[0]?.id}`
