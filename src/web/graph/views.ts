import type { Page, Route, View } from '../app/page.ts'
import { fill, h } from '../dom.ts'

/** The views whose script is loaded when they are first opened. */

/** What the script of the pictures exports: each shows its view, and gives what takes another address of it. */
export interface Pictures {
  readonly showGraph: (place: HTMLElement, route: Route, page: Page) => (route: Route) => boolean
  readonly showTimeline: (place: HTMLElement, route: Route, page: Page) => (route: Route) => boolean
}

function later(name: string, title: string, show: keyof Pictures, has: (page: Page) => boolean): View {
  let update: ((route: Route) => boolean) | undefined
  return {
    name,
    title,
    has: (page) => page.has('graph') && has(page),
    show(place, route, page) {
      let isLeft = false
      page.onLeave(() => {
        isLeft = true
        update = undefined
      })
      fill(place, h('p', { class: 'soft' }, 'Loading …'))
      page.load<Pictures>('graph').then(
        (pictures) => {
          if (isLeft) return
          fill(place)
          update = pictures[show](place, route, page)
        },
        (error: unknown) => fill(place, h('p', { role: 'alert' }, String(error))),
      )
    },
    update: (route) => update?.(route) ?? false,
  }
}

export const graph = later('graph', 'Graph', 'showGraph', ({ data }) => data.policies.length > 0)
export const timeline = later('timeline', 'Timeline', 'showTimeline', ({ data }) => data.policies.length > 0)
