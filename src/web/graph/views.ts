import type { Page, Route, Update, View } from '../app/page.ts'
import { el, fill } from '../dom.ts'

/** The views whose script is loaded when they are first opened. */

/** The exports of the script of pictures: each shows its view, and gives a function that updates it to another address. */
export interface Pictures {
  readonly showGraph: (place: HTMLElement, route: Route, page: Page) => Update
  readonly showTimeline: (place: HTMLElement, route: Route, page: Page) => Update
}

function later(name: string, title: string, show: keyof Pictures, has: (page: Page) => boolean): View {
  return {
    name,
    title,
    has: (page) => page.has('graph') && has(page),
    show(place, route, page) {
      let update: Update | undefined
      let isLeft = false
      page.onLeave(() => {
        isLeft = true
      })
      fill(place, el('p', { class: 'soft' }, 'Loading …'))
      page.load<Pictures>('graph').then(
        (pictures) => {
          if (isLeft) return
          fill(place)
          update = pictures[show](place, route, page)
        },
        (error: unknown) => fill(place, el('p', { role: 'alert' }, String(error))),
      )
      return (next) => update?.(next) ?? false
    },
  }
}

export const graph = later('graph', 'Graph', 'showGraph', ({ data }) => data.policies.length > 0)
export const timeline = later('timeline', 'Timeline', 'showTimeline', ({ data }) => data.policies.length > 0)
