import type { RiskCategory } from '../../actions/sensitive.ts'
import type { PageChange, Ref } from '../../page/data.ts'
import { type Certainty, certaintyOf } from '../../page/reach.ts'
import { sensitiveSheet } from '../../page/sheets.ts'
import { noIdentityCan, riskGrades, riskOrder, riskWords } from '../../page/words.ts'
import { endsOf } from '../../picture/short-names.ts'
import { shown } from '../../report/safe.ts'
import { plural } from '../../report/words.ts'
import { el, svg } from '../dom.ts'
import { downloads } from './downloads.ts'
import { bareName, identitiesOf } from './identity-names.ts'
import type { Page } from './page.ts'
import { hrefOf } from './router.ts'

/** Who has sensitive access: by category, by condition, and with what a change adds and removes. */

const title = 'Sensitive access'
/** The heading of what a change does: it is compared for described identities only. */
const changeTitle = 'This change, for described identities'

/** The title of a category in its colour. */
export const riskBadge = (risk: RiskCategory): HTMLElement => el('span', { class: `badge ${riskGrades[risk]}` }, riskWords[risk][1])

export function sensitiveOf(page: Page): HTMLElement {
  const { data } = page
  const isOpen = riskOrder.some((risk) => page.reaches.of(risk).perhaps.length > 0)
  const columns = ['Category', 'Who', 'When', ...(data.difference ? [changeTitle] : []), ...(isOpen ? ['Unknown'] : [])]
  return el(
    'section',
    {},
    el('h2', {}, title),
    el(
      'div',
      { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': title },
      el(
        'table',
        { class: 'list stacked' },
        el('caption', { class: 'unseen' }, 'Which identities have each kind of sensitive access, and when'),
        el('thead', {}, el('tr', {}, ...columns.map((text) => el('th', { scope: 'col' }, text)))),
        el('tbody', {}, ...riskOrder.map((risk) => row(page, risk, isOpen))),
      ),
    ),
    shareLegend(),
    downloads(page, () => [sensitiveSheet(page)]),
  )
}

function row(page: Page, risk: RiskCategory, hasUnknown: boolean): HTMLElement {
  const { data, reaches } = page
  const { identities, perhaps, resources } = reaches.of(risk)
  const [can, name] = riskWords[risk]
  const all = { name: 'reach', part: risk } as const
  return el(
    'tr',
    {},
    el('th', { scope: 'row' }, el('span', { class: `dot ${riskGrades[risk]}` }), name),
    el(
      'td',
      { 'data-title': 'Who' },
      identities.length === 0
        ? noIdentityCan(can, perhaps.length, page.data)
        : [...identitiesOf(page, identities, all), ` can ${can}, on ${plural(resources, 'resource')}.`],
    ),
    el('td', { 'data-title': 'When' }, identities.length === 0 ? '' : shareOf(page, risk)),
    data.difference && el('td', { 'data-title': changeTitle }, ...changed(page, risk)),
    hasUnknown && el('td', { 'data-title': 'Unknown' }, perhaps.length === 0 ? '' : identitiesOf(page, perhaps, all)),
  )
}

/** How many of the identities have it without conditions, and how many under conditions only: a bar, and the numbers in words. */
function shareOf(page: Page, risk: RiskCategory): readonly (HTMLElement | SVGElement | string)[] {
  const { identities, of } = page.reaches.of(risk)
  const counts = { always: 0, mixed: 0, sometimes: 0, perhaps: 0 }
  for (const identity of identities) counts[certaintyOf(of(identity))]++
  const listOf = (when: Certainty, content: HTMLElement | string) =>
    el('a', { href: hrefOf({ name: 'reach', part: risk, query: new URLSearchParams({ when }) }) }, content)
  const words = [
    counts.always > 0 && [listOf('always', el('strong', {}, `${counts.always} without conditions`))],
    counts.mixed > 0 && [listOf('mixed', el('strong', {}, `${counts.mixed} on some resources without conditions`))],
    counts.sometimes > 0 && [listOf('sometimes', `${counts.sometimes} only under conditions`)],
  ].filter((each) => each !== false)
  return [
    bar([counts.always, counts.mixed, counts.sometimes], page.data.identities.length, riskGrades[risk]),
    el('div', {}, ...words.flatMap((each, i) => [i > 0 ? ', ' : '', ...each])),
  ]
}

const size = { width: 160, height: 10 } as const
const shares = ['always', 'mixed', 'sometimes'] as const

/** A bar of parts of a whole, as wide as all of it. */
function bar(counts: readonly number[], whole: number, grade: string): SVGElement {
  const { width, height } = size
  let x = 0
  const parts = counts.map((count, i) => {
    const part = svg('rect', { class: shares[i], x, y: 0, width: (count / Math.max(1, whole)) * width, height })
    x += (count / Math.max(1, whole)) * width
    return part
  })
  return svg(
    'svg',
    { class: `share ${grade}`, width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' },
    svg('rect', { class: 'whole', x: 0, y: 0, width, height }),
    ...parts,
  )
}

const shareLegend = (): HTMLElement =>
  el(
    'ul',
    { class: 'legend share-legend', 'aria-hidden': 'true' },
    ...(
      [
        ['always', 'without conditions'],
        ['mixed', 'on some resources without conditions'],
        ['sometimes', 'only under conditions'],
      ] as const
    ).map(([kind, words]) =>
      el(
        'li',
        {},
        svg('svg', { class: 'share medium', width: 22, height: 10 }, svg('rect', { class: kind, x: 0, y: 0, width: 22, height: 10 })),
        ` ${words}`,
      ),
    ),
    el('li', {}, 'The bar is as wide as all identities.'),
  )

/** The identities with new or lost access of a category. */
function changed({ data, tables, link }: Page, risk: RiskCategory): readonly (HTMLElement | string)[] {
  const { difference } = data
  if (!difference) return []
  return (['gained', 'lost'] as const).flatMap((side) => {
    const about = difference[side].filter((change) => risksOfChange(tables, change).includes(risk))
    if (about.length === 0) return []
    const who = [...new Set(about.flatMap(({ identities }) => identities))]
    const isSure = about.some(({ isCertain }) => isCertain)
    const names = who.slice(0, 3).flatMap((each, i) => [i > 0 ? ', ' : '', nameOf(each)])
    const rest = who.length > 3 ? ` and ${who.length - 3} more` : ''
    const mark = el(
      'span',
      { class: `badge ${side === 'gained' ? riskGrades[risk] : 'less'}` },
      `${side === 'gained' ? '+' : '−'} ${isSure ? '' : 'perhaps '}${side}`,
    )
    return [el('div', {}, mark, ' ', ...names, rest)]
  })

  function nameOf(each: Ref | string): HTMLElement | string {
    const known = typeof each === 'number' ? data.identities[each] : undefined
    return known ? link('identity', known.urn, bareName(known)) : endsOf(shown(String(each)), 60)
  }
}

/** The categories that actions of a change belong to, those asked for most often first. */
export function risksOfChange({ riskOfAction }: Page['tables'], { actions }: Pick<PageChange, 'actions'>): readonly RiskCategory[] {
  const found = new Set(actions.flatMap((action) => riskOfAction.get(action) ?? []))
  return riskOrder.filter((risk) => found.has(risk))
}
