import { madeIn } from '../../collections.ts'
import { nearest } from '../../nearest.ts'
import type { PageData } from '../../page/data.ts'
import { ReachIndex } from '../../page/reach.ts'
import { Tables } from '../../page/tables.ts'
import { momentWords } from '../../report/instants.ts'
import { cut, shown } from '../../report/safe.ts'
import { plural } from '../../report/words.ts'
import { type Client, startEngine } from '../ask/client.ts'
import { el, fill, isTyping, set } from '../dom.ts'
import { Assets } from './assets.ts'
import { linkTo } from './link.ts'
import type { Page, Route, Update, View } from './page.ts'
import { hrefOf, routeOf } from './router.ts'
import { schemeButton } from './scheme.ts'
import { views } from './views.ts'

/** Put the page together: a head with the navigation, the view that the address names, and a foot. */
function start(): void {
  const text = document.getElementById('data')?.textContent
  const data = JSON.parse(text ?? '') as PageData
  const live = el('div', { 'aria-live': 'polite', class: 'unseen' })
  const assets = new Assets()
  const tables = new Tables(data)
  let engine: Promise<Client> | undefined
  let stops: (() => void)[] = []
  const store = new Map<string, unknown>()
  const page: Page = {
    data,
    tables,
    reaches: new ReachIndex(tables),
    engine: () => {
      engine ??= startEngine(data, assets)
      return engine
    },
    go: (route, replace = false) => {
      const href = hrefOf(route)
      // Who replaces the address has shown what it names already.
      if (replace) {
        history.replaceState(null, '', href)
        last = routeOf(href, first.name)
      } else location.hash = href
    },
    load: (name) => assets.load(name),
    has: (name) => assets.has(name),
    link: (kind, name, words) => linkTo(tables, kind, name, words),
    kept: <T>(name: string, make: () => T) => madeIn(store, name, make) as T,
    onLeave: (act) => stops.push(act),
    announce: (words) => fill(live, words),
  }
  const shownViews = views.filter((view) => view.has?.(page) ?? true)
  const links = shownViews
    .filter(({ isInner }) => !isInner)
    .map((view) => [view, el('a', { href: hrefOf({ name: view.name }) }, view.menu ?? view.title)] as const)
  const heading = el('h1', { tabindex: -1 })
  const place = el('div', { class: 'view' })
  const main = el('main', { id: 'main' }, heading, place)
  const first = shownViews[0] as View
  let last: Route | undefined
  const nav = el('nav', { 'aria-label': 'Views' }, ...links.map(([, link]) => link))
  let view: View | undefined
  let update: Update | undefined

  function show(): void {
    const route = routeOf(location.hash, first.name)
    const isSame = last?.name === route.name && last.part === route.part
    const next = shownViews.find(({ name }) => name === route.name)
    if (isSame && next === view && update?.(route)) {
      last = route
      return
    }
    for (const act of stops) act()
    stops = []
    place.replaceChildren()
    view = next
    const title = next?.heading?.(route, page) ?? next?.title ?? 'No such view'
    fill(heading, next?.heading && el('span', { class: 'kind' }, `${next.title} `), title)
    document.title = `${title} · ${shown(data.title)}`
    for (const [{ name }, link] of links) {
      set(link, 'aria-current', name === next?.name ? 'page' : undefined)
      // On a phone the links are in one line that scrolls.
      if (name === next?.name) nav.scrollLeft = link.offsetLeft - nav.offsetLeft - 16
    }
    update = next?.show(place, route, page)
    if (!next) place.append(absent(route, shownViews))
    if (last && !isSame) {
      scrollTo(0, 0)
      if (document.activeElement === document.body || !place.contains(document.activeElement)) heading.focus({ preventScroll: true })
    }
    last = route
  }

  document.body.append(
    el(
      'a',
      {
        class: 'skip',
        href: '#main',
        onclick: (event: Event) => {
          event.preventDefault()
          heading.focus()
        },
      },
      'Skip to the content',
    ),
    el(
      'header',
      { class: 'top' },
      el('a', { class: 'brand', href: '#/' }, shown(data.title)),
      nav,
      el(
        'div',
        { class: 'tools' },
        el('a', { class: 'search', href: '#/search', title: 'Search (press /)' }, 'Search ', el('kbd', {}, '/')),
        schemeButton(),
      ),
    ),
    main,
    el(
      'footer',
      {},
      el(
        'p',
        {},
        `Made by grantwise ${data.version} on ${momentWords(Math.floor(data.made / 60_000) * 60_000)}, from `,
        `${plural(data.files.length, 'file')} of policies and worlds. It loads nothing from a network.`,
      ),
    ),
    live,
  )
  addEventListener('hashchange', show)
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
    event.preventDefault()
    page.go({ name: 'search' })
  })
  show()
}

start()

/** That an address asks for a view that is not there, with the nearest one that is. */
function absent({ name }: Route, shownViews: readonly View[]): HTMLElement {
  const namedView = views.find((view) => view.name === name)
  const nearestView = namedView
    ? undefined
    : nearest(
        name,
        shownViews.flatMap((view) => (view.isInner ? [] : [view.name])),
      )
  const offered = shownViews.find((view) => view.name === nearestView) ?? (shownViews[0] as View)
  const why = namedView
    ? `The address asks for ${namedView.title}, and this report was made without it.`
    : `The address asks for the view “${cut(shown(name), 80)}”, and no view has this name.`
  return el('p', {}, `${why} `, el('a', { href: hrefOf({ name: offered.name }) }, `Go to ${offered.title}`))
}
