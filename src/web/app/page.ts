import type { PageData } from '../../page/data.ts'
import type { ReachIndex } from '../../page/reach.ts'
import type { Tables } from '../../page/tables.ts'
import type { Client } from '../ask/client.ts'

/** A place of the page as the address bar holds it: `#/name/part?key=value`. */
export interface Route {
  readonly name: string
  /** The part after the name: the URN of an identity, for example. Empty where there is none. */
  readonly part: string
  readonly query: URLSearchParams
}

/** Kinds of objects with a separate page. */
export type Kind = 'identity' | 'group' | 'resource' | 'resource-group' | 'policy' | 'type' | 'action' | 'rule'

/** The page, as its views know it. */
export interface Page {
  readonly data: PageData
  /** The same with what is looked up often. */
  readonly tables: Tables
  readonly reaches: ReachIndex
  /** The engine over the texts of the page, started on first use. */
  readonly engine: () => Promise<Client>
  /** Go to another place. `replace`: only change the address, without a step in the history, for filters that are shown already. */
  readonly go: (route: Partial<Route> & Pick<Route, 'name'>, replace?: boolean) => void
  /** The exports of an asset: `engine`, `catalogue`, `editor`, `graph`. */
  readonly load: <T>(asset: string) => Promise<T>
  /** Whether an asset is part of the page. */
  readonly has: (asset: string) => boolean
  /** A link to the page of something, by its URN, name or code. `text`: what it shows, instead of the short name. */
  readonly link: (kind: Kind, name: string, text?: string) => HTMLElement
  /** A value that stays while other views are shown, made on first use. */
  readonly kept: <T>(name: string, make: () => T) => T
  /** Do something when another view takes the place of this one. */
  readonly onLeave: (act: () => void) => void
  /** Say something to those who do not see the page. */
  readonly announce: (text: string) => void
}

/** One view of the page. It is shown anew whenever the address changes, unless `update` takes the change. */
export interface View {
  /** The first word of its address. */
  readonly name: string
  /** In the navigation and as the title. */
  readonly title: string
  /** In the navigation, where it is shorter. */
  readonly menu?: string
  /** The heading of one place, where it is not the title: the name of an identity, for example. */
  readonly heading?: (route: Route, page: Page) => string
  /** Not in the navigation. */
  readonly isInner?: true
  /** Whether the page has anything for it; it has when not given. */
  readonly has?: (page: Page) => boolean
  /** Show it in a place. What is returned takes another address of the same view without showing all anew; false where it cannot. */
  readonly show: (place: HTMLElement, route: Route, page: Page) => Update | undefined
}

export type Update = (route: Route) => boolean
