import type { Handler, RouteContext } from '../api/route.ts'
import type { Reply, ServiceRequest } from '../model/exchange.ts'
import type { AccountRecord } from '../model/records.ts'
import type { Service } from '../model/service.ts'
import { type PageHandler, shows } from './guard.ts'
import { html, type Markup, messagePage, pageReply } from './html.ts'
import type { ListPlace } from './lists.ts'
import { accountForm, select } from './parts.ts'

export interface Place {
  readonly base: string
  /** The accounts of this region. */
  readonly accounts: readonly string[]
  readonly account: string | undefined
}

/** A page of the console. `current`: the part of the console that it belongs to. */
export function consoleReply(
  { base, account }: Place,
  current: string,
  title: string,
  main: Markup,
  { status = 200, script = false }: { readonly status?: number; readonly script?: boolean } = {},
): Reply {
  return pageReply({ title, base, nav: { current, account }, main, script }, status)
}

export function consolePath(
  { base, account }: Pick<Place, 'base' | 'account'>,
  path: string,
  also: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({ ...(account !== undefined && { account }), ...also })
  return `${base}${path}${query.size > 0 ? `?${query}` : ''}`
}

export function listAt({ base, account }: Place, path: string, one: string, many: string): ListPlace {
  return { path: `${base}${path}`, one, many, of: account, also: { account } }
}

/** The accounts of the region that a request is for. */
export function accountsOf({ state }: Service, { region }: Pick<ServiceRequest, 'region'>): readonly AccountRecord[] {
  return [...state.table('account').all()].filter((account) => account.region === region)
}

/** Which account a page is about; nothing where there is no choice. */
export function accountChoice({ base, accounts, account }: Place, path: string): Markup | undefined {
  return accounts.length < 2
    ? undefined
    : accountForm(`${base}${path}`, select('account', 'Account', accounts, account), 'Show this account')
}

type PlacedHandler = (context: RouteContext, place: Place) => Reply

/** The account of a page: the one that its address names, else the first one. */
export function placed(handle: PlacedHandler): PageHandler {
  return (context, base) => {
    const accounts = accountsOf(context.service, context.request).map(({ id }) => id)
    const account = context.request.query.get('account')
    if (account !== undefined && account !== '' && !accounts.includes(account))
      return messagePage(base, 404, 'Not found', [`No account of this region is called ${account}.`])
    return handle(context, { base, accounts, account: account || accounts[0] })
  }
}

export function showsPlaced(path: string, handle: PlacedHandler): ReturnType<typeof shows> {
  return shows(path, placed(handle))
}

/** The purpose of a form's token: the form, and the account that its address names. */
export const accountPurpose = (form: string) => (context: Parameters<Handler>[0]) =>
  `${form} ${context.request.query.get('account') || accountsOf(context.service, context.request)[0]?.id}`

export const backLink = (place: Place, path: string, words: string): Markup =>
  html`<p><a href="${consolePath(place, path)}">${words}</a></p>`
