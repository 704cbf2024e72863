import type { RiskCategory } from '../../actions/sensitive.ts'
import type { PageData, PageSince, Ref } from '../../page/data.ts'
import { dayOf, endOf } from '../../page/ends.ts'
import { byKind } from '../../page/kinds.ts'
import { riskGrades, riskOrder, riskWords } from '../../page/words.ts'
import { plural } from '../../report/words.ts'
import { el, svg } from '../dom.ts'
import { bareName } from './identity-names.ts'
import type { Page } from './page.ts'
import { table } from './table.ts'

/** Pictures of the summary, each with the table behind it. */

interface Bar {
  readonly label: HTMLElement | string
  /** Its parts, each with the class that colours it. */
  readonly parts: readonly (readonly [count: number, kind: string])[]
  readonly words: string
}

const width = 260

/** Horizontal bars with their labels and numbers, as a table. */
function bars(caption: string, all: readonly Bar[]): HTMLElement {
  const most = Math.max(1, ...all.map(({ parts }) => parts.reduce((sum, [count]) => sum + count, 0)))
  return el(
    'table',
    { class: 'bars' },
    el('caption', { class: 'unseen' }, caption),
    el(
      'tbody',
      {},
      ...all.map(({ label, parts, words }) => {
        let x = 0
        return el(
          'tr',
          {},
          el('th', { scope: 'row' }, label),
          el(
            'td',
            {},
            svg(
              'svg',
              { class: 'bar', width, height: 12, viewBox: `0 0 ${width} 12`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
              ...parts.map(([count, kind]) => {
                const length = (count / most) * width
                x += length
                return svg('rect', { class: kind, x: x - length, y: 0, width: length, height: 12 })
              }),
            ),
          ),
          el('td', { class: 'number' }, words),
        )
      }),
    ),
  )
}

/** How many identities are in the picture; the table has all. */
const mostHolders = 8

interface Holder {
  readonly identity: Ref
  readonly counts: ReadonlyMap<RiskCategory, number>
  readonly sum: number
}

/** Who holds most sensitive access: the resources of each category, counted for each. */
export function holdersOf(page: Page): readonly HTMLElement[] {
  const { data, reaches, link } = page
  const counts = new Map<Ref, Map<RiskCategory, number>>()
  for (const risk of riskOrder) {
    const { identities, of } = reaches.of(risk)
    for (const identity of identities) {
      const identityCounts = counts.get(identity) ?? new Map<RiskCategory, number>()
      counts.set(identity, identityCounts)
      const { always, sometimes } = of(identity).counts
      identityCounts.set(risk, always + sometimes)
    }
  }
  if (counts.size === 0) return []
  const all: readonly Holder[] = byKind(data, [...counts.keys()])
    .map((identity) => {
      const own = counts.get(identity) ?? new Map<RiskCategory, number>()
      return { identity, counts: own, sum: [...own.values()].reduce((a, b) => a + b, 0) }
    })
    .sort((a, b) => b.sum - a.sum)
  const urnOf = (identity: Ref) => data.identities[identity]?.urn ?? ''
  const gradesOf = ({ counts: own }: Holder) =>
    (['high', 'medium', 'low'] as const).map(
      (grade) => [[...own].reduce((sum, [risk, count]) => sum + (riskGrades[risk] === grade ? count : 0), 0), grade] as const,
    )
  const title = 'Who holds most sensitive access'
  return [
    el(
      'section',
      { class: 'chart' },
      el('h2', {}, title),
      bars(
        title,
        all.slice(0, mostHolders).map((holder) => ({
          label: link('identity', urnOf(holder.identity), bareName(data.identities[holder.identity] as PageData['identities'][number])),
          parts: gradesOf(holder),
          words: String(holder.sum),
        })),
      ),
      el('p', { class: 'soft' }, 'Each category on each resource counts once. ', ...gradeLegend()),
      el(
        'details',
        {},
        el('summary', {}, `The numbers of ${plural(all.length, 'identity')}`),
        table<Holder>({
          caption: 'Resources with each kind of sensitive access',
          rows: all,
          columns: [
            {
              title: 'Identity',
              cell: ({ identity }) => link('identity', urnOf(identity)),
              by: ({ identity }) => data.identities[identity]?.short ?? '',
            },
            ...riskOrder.map((risk) => ({
              title: riskWords[risk][1],
              cell: ({ counts: own }: Holder) => own.get(risk) ?? '',
              by: ({ counts: own }: Holder) => own.get(risk) ?? 0,
              isNumber: true as const,
            })),
            { title: 'All', cell: ({ sum }) => sum, by: ({ sum }) => sum, isNumber: true },
          ],
        }).element,
      ),
    ),
  ]
}

/** The categories of each colour. */
const gradeLegend = (): readonly (HTMLElement | string)[] =>
  (['high', 'medium', 'low'] as const).flatMap((grade, i) => {
    const names = riskOrder.filter((risk) => riskGrades[risk] === grade).map((risk) => riskWords[risk][1])
    return [i > 0 ? '; ' : '', el('span', { class: `dot ${grade}` }), ` ${names.join(', ')}`]
  })

const day = 86_400_000

/** The ends of policies on a line of time: months from now on, and a mark for each end. The list below has the same. */
export function endsOf({ data }: Page): readonly SVGElement[] {
  const now = data.at ?? data.made
  const ends = data.policies.flatMap((policy) => endOf(policy)?.at ?? []).filter((at) => at >= now)
  if (ends.length < 2) return []
  const last = Math.max(...ends, now + 30 * day)
  const size = { width: 640, height: 46, margin: 14 }
  const x = (at: number) => Math.round(size.margin + ((size.width - 2 * size.margin) * (at - now)) / (last - now))
  const ticks = [now, now + (last - now) / 2, last]
  return [
    svg(
      'svg',
      { class: 'axis', viewBox: `0 0 ${size.width} ${size.height}`, 'aria-hidden': 'true' },
      svg('line', { class: 'ground', x1: size.margin, x2: size.width - size.margin, y1: 18, y2: 18 }),
      ...ends.map((at) => svg('circle', { class: at - now < 30 * day ? 'soon' : 'later', cx: x(at), cy: 18, r: 5 })),
      ...ticks.map((at, i) =>
        svg('text', { x: x(at), y: 42, 'text-anchor': (['start', 'middle', 'end'] as const)[i] }, i === 0 ? 'now' : dayOf(at)),
      ),
    ),
  ]
}

const ages = [
  ['less than 30 days', 30],
  ['30 days to 3 months', 91],
  ['3 months to a year', 365],
  ['1 to 3 years', 3 * 365],
  ['more than 3 years', Number.POSITIVE_INFINITY],
] as const

/** Since when entries have their effect, by age: nothing where that was not looked up. */
export function agesOf({ data }: Page): readonly HTMLElement[] {
  if (!data.history) return []
  const since = [
    ...data.policies.flatMap(({ identities, resources }) => [...identities, ...resources].map(([, , own]) => own)),
    ...data.entries.map((entry) => entry.since),
  ].filter((own): own is PageSince => own !== undefined)
  const dated = since.filter(([, at]) => at >= 0)
  if (dated.length === 0) return []
  const now = data.at ?? data.made
  const counts = ages.map(() => 0)
  for (const [, instant] of dated) counts[ages.findIndex(([, most]) => now - instant < most * day)]! += 1
  const undated = since.length - dated.length
  return [
    bars(
      'Entries of policies by the time since when they have their effect',
      ages.map(([label], i) => ({ label, parts: [[counts[i] ?? 0, 'plain']], words: plural(counts[i] ?? 0, 'entry') })),
    ),
    ...(undated > 0
      ? [el('p', { class: 'soft' }, `${plural(undated, 'entry')} without such a commit: not committed, not decided, or not looked at.`)]
      : []),
  ]
}
