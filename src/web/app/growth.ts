import type { PageGrowth, PageGrowthPoint } from '../../page/data.ts'
import { dayOf } from '../../page/ends.ts'
import { riskOrder, riskWords } from '../../page/words.ts'
import { shown } from '../../report/safe.ts'
import { plural } from '../../report/words.ts'
import { el, svg } from '../dom.ts'
import type { Page } from './page.ts'
import { table } from './table.ts'

/** Sensitive access since an earlier state: a line for each category, and the numbers behind it. */

const size = { width: 240, height: 36, margin: 4 }

/** For the summary; nothing where no earlier commit is compared with. */
export function growthOf({ data }: Page): readonly HTMLElement[] {
  const { growth } = data
  const [first, last] = [growth?.points[0], growth?.points.at(-1)]
  if (!growth || !first || !last || growth.points.length < 2) return notesOf(growth)
  const title = 'Sensitive access over time'
  return [
    el(
      'section',
      {},
      el('h2', {}, title),
      el(
        'p',
        {},
        `How many identities had each kind of access, counted as above, at each state of the policies from ${dayOf(first.at)} to now.`,
      ),
      el(
        'div',
        { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': title },
        el(
          'table',
          { class: 'list' },
          el('caption', { class: 'unseen' }, title),
          el('thead', {}, el('tr', {}, el('td'), head(dayOf(first.at)), el('td'), head('now'))),
          el('tbody', {}, ...riskOrder.map((risk) => growthRow(growth, risk, [first, last]))),
        ),
      ),
      ...notesOf(growth),
      el('details', {}, el('summary', {}, `The numbers at ${plural(growth.points.length, 'state')}`), numbers(growth)),
    ),
  ]
}

const head = (text: string) => el('th', { scope: 'col', class: 'number' }, text)

type Risk = (typeof riskOrder)[number]

function growthRow({ points }: PageGrowth, risk: Risk, [first, last]: readonly [PageGrowthPoint, PageGrowthPoint]): HTMLElement {
  const [before, now] = [first.counts[risk], last.counts[risk]]
  const change = now === before ? '' : now > before ? ` (+${now - before})` : ` (−${before - now})`
  return el(
    'tr',
    {},
    el('th', { scope: 'row' }, riskWords[risk][1]),
    el('td', { class: 'number' }, before),
    el('td', {}, lineOf(points, risk)),
    el('td', { class: 'number' }, el('strong', {}, now), change),
  )
}

/** A count over time, as a line with steps: the table has the numbers. */
function lineOf(points: readonly PageGrowthPoint[], risk: Risk): SVGElement {
  const { width, height, margin } = size
  const [start, end] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0]
  const most = Math.max(1, ...points.map(({ counts }) => counts[risk]))
  const x = (at: number) => Math.round(margin + ((width - 2 * margin) * (at - start)) / Math.max(1, end - start))
  const y = (count: number) => Math.round(height - margin - ((height - 2 * margin) * count) / most)
  const corners = points.flatMap(({ at, counts }, i) => {
    const before = points[i - 1]
    return [...(before ? [`${x(at)},${y(before.counts[risk])}`] : []), `${x(at)},${y(counts[risk])}`]
  })
  return svg(
    'svg',
    { class: 'growth', width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' },
    svg('line', { class: 'ground', x1: margin, x2: width - margin, y1: height - margin, y2: height - margin }),
    svg('polyline', { class: 'count', points: corners.join(' ') }),
  )
}

/** The counts at each state. */
const numbers = ({ points }: PageGrowth): HTMLElement =>
  table<PageGrowthPoint>({
    caption: 'The numbers',
    rows: points,
    columns: [
      { title: 'From', cell: ({ at }) => dayOf(at) },
      { title: 'Commit', cell: ({ commit }) => (commit === '' ? 'the policies of this page' : shown(commit)) },
      ...riskOrder.map((risk) => ({
        title: riskWords[risk][1],
        cell: ({ counts }: PageGrowthPoint) => counts[risk],
        isNumber: true as const,
      })),
    ],
  }).element

const notesOf = (growth: PageGrowth | undefined): readonly HTMLElement[] =>
  (growth?.notes ?? []).map((note) => el('p', { class: 'soft' }, `${note[0]?.toUpperCase()}${note.slice(1)}.`))
