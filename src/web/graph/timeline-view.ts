import type { PagePastCommit } from '../../page/data.ts'
import { dayOf } from '../../page/ends.ts'
import { chartDays, chartOf } from '../../picture/chart.ts'
import { noteOf, type TimelineRow, timelineSvg } from '../../picture/timeline.ts'
import { momentWords } from '../../report/instants.ts'
import { shown } from '../../report/safe.ts'
import { utc, Zones } from '../../zones.ts'
import type { Page, Route } from '../app/page.ts'
import { table } from '../app/table.ts'
import { el, fill, set } from '../dom.ts'
import { draw } from './draw.ts'

/** The length of time in the address that means the past. */
const pastChoice = 'past'

/** The commits that opened or closed access since the earlier state. */
function pastParts({ data: { chart, past } }: Page): readonly HTMLElement[] {
  if (!past) return []
  const zone = new Zones().get(chart.zone)
  const title = `Commits that opened or closed access since ${dayOf(past.from)}`
  const access = ({ isOpened, isClosed }: PagePastCommit) => [isOpened && '+ opened', isClosed && '− closed'].filter(Boolean).join(', ')
  const { element, show } = table<PagePastCommit>({
    caption: title,
    columns: [
      { title: 'Date', cell: ({ at }) => momentWords(at, zone), by: ({ at }) => at },
      { title: 'Access', cell: access, by: access },
      { title: 'Commit', cell: ({ id }) => el('code', {}, id) },
      { title: 'By, and for what', cell: ({ words }) => words },
    ],
    rows: [],
    empty: 'None.',
  })
  show(past.commits)
  return [
    el('h2', {}, title),
    element,
    ...past.notes.map((note) => el('p', { class: 'soft' }, `${note[0]?.toUpperCase()}${note.slice(1)}.`)),
  ]
}

/** When policies that the time limits apply: the picture, and the same as tables. The address has the length of time and the filter. */
export function showTimeline(place: HTMLElement, route: Route, page: Page): (route: Route) => boolean {
  const { chart, past } = page.data
  const { link } = page
  const zone = new Zones().get(chart.zone)
  const policy = (number: number) => link('policy', page.data.policies[number]?.name ?? '')
  const text = el('input', {
    type: 'search',
    'aria-label': 'Filter policies and identities',
    placeholder: 'Filter policies and identities',
    oninput: () => {
      clearTimeout(waiting)
      waiting = setTimeout(go, 150)
    },
  })
  const days = el(
    'select',
    { 'aria-label': 'How far to look', onchange: () => go() },
    ...chartDays.map((each) => el('option', { value: each }, each === 365 ? 'One year' : `${each} days`)),
    past?.chart && el('option', { value: pastChoice }, `The past, since ${dayOf(past.from)}`),
  )
  const count = el('p', { class: 'soft', role: 'status' })
  const heading = el('h2')
  const scroller = el('div', { class: 'graph-scroller', tabindex: 0, role: 'region', 'aria-label': 'Timeline' })
  const rows = table<(typeof chart.rows)[number]>({
    caption: 'Policies that the time limits',
    columns: [
      { title: 'Policy', cell: (row) => policy(row.policy), by: ({ label }) => label },
      { title: 'Effect', cell: ({ effect }) => effect, by: ({ effect }) => effect },
      { title: 'When, and to whom', cell: (row) => noteOf(row, zone ?? utc) },
      {
        title: 'Next change',
        cell: (row) => changeOf(row)?.[1] ?? 'none within a year',
        by: (row) => changeOf(row)?.[0] ?? Number.MAX_SAFE_INTEGER,
      },
      {
        title: 'Ends',
        cell: ({ end }) => (end === undefined ? 'never' : momentWords(end, zone)),
        by: ({ end = Number.MAX_SAFE_INTEGER }) => end,
      },
    ],
    rows: [],
    empty: 'Nothing is limited in time.',
  })
  let waiting: ReturnType<typeof setTimeout> | undefined
  let last = route
  /** The width of the picture: that of the window, so that the bars are in sight without scrolling. */
  let room: number | undefined
  const resized = new ResizeObserver(() => {
    const { clientWidth } = scroller
    if (clientWidth === 0 || clientWidth === room) return
    room = clientWidth
    use(last)
  })

  /** When a policy next begins or ceases to apply. */
  function changeOf({ bars }: (typeof chart.rows)[number]): readonly [at: number, words: string] | undefined {
    const [start = 0, length = 0] = chart.shapes[bars[0] as number] ?? []
    const [first = 0, whole = 0] = chart.shapes[bars.at(-1) as number] ?? []
    const isSoon = length > 0 && (start > 0 || start + length < 30 * 86_400)
    const seconds = isSoon ? (start > 0 ? start : length) : first > 0 ? first : first + whole
    if (seconds === 0 || seconds >= 365 * 86_400) return undefined
    const instant = chart.from + seconds * 1000
    return [instant, `${(isSoon ? start : first) > 0 ? 'begins' : 'ceases'} ${momentWords(instant, zone)}`]
  }

  function go(): void {
    const query = new URLSearchParams()
    if (text.value !== '') query.set('text', text.value)
    if (days.value !== '90') query.set('days', days.value)
    page.go({ name: 'timeline', query }, true)
    use({ name: 'timeline', part: '', query })
  }

  function use(next: Route): boolean {
    last = next
    const { query } = next
    const isPast = past?.chart !== undefined && query.get('days') === pastChoice
    const length = chartDays.find((each) => String(each) === query.get('days')) ?? 90
    const wanted = (query.get('text') ?? '').toLowerCase()
    if (text.value.toLowerCase() !== wanted) text.value = query.get('text') ?? ''
    days.value = isPast ? pastChoice : String(length)
    const fits = (row: Pick<TimelineRow, 'label' | 'when' | 'expires' | 'who'>) =>
      `${row.label} ${noteOf(row, zone ?? utc)}`.toLowerCase().includes(wanted)
    const ownChart = isPast ? { ...past.chart, zone: new Zones().get(past.chart.zone) ?? utc } : chartOf(chart, length)
    const title = isPast ? 'When policies applied' : 'When policies apply'
    const picture = draw(timelineSvg({ ...ownChart, rows: ownChart.rows.filter(fits) }, title, room))
    for (const name of ['aria-labelledby']) set(picture, name, undefined)
    set(picture, 'aria-label', isPast ? 'When policies applied' : 'When policies apply: the table below says the same')
    fill(scroller, picture)
    fill(heading, isPast ? 'From now on, as a table' : 'The same as a table')
    const fitting = chart.rows.filter(fits)
    fill(count, `${fitting.length} of ${chart.rows.length} policies that the time limits, in ${shown(chart.zone)}`)
    rows.show(fitting)
    return true
  }

  place.append(
    el('div', { class: 'filters' }, text, days),
    count,
    scroller,
    heading,
    rows.element,
    ...pastParts(page),
    ...(chart.ended.length === 0
      ? []
      : [el('h2', {}, 'Ended before'), el('ul', { class: 'links' }, ...chart.ended.map((label) => el('li', {}, label)))]),
  )
  use(route)
  resized.observe(scroller)
  page.onLeave(() => resized.disconnect())
  return use
}
