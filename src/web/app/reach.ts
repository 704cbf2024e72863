import { riskCategories } from '../../actions/sensitive.ts'
import { byKind } from '../../page/kinds.ts'
import { type Certainty, certaintyOf, type ReachTarget } from '../../page/reach.ts'
import { accessSheet } from '../../page/sheets.ts'
import { certaintyWords, noIdentityCan, riskWords } from '../../page/words.ts'
import { endsOf } from '../../picture/short-names.ts'
import { shown } from '../../report/safe.ts'
import { plural } from '../../report/words.ts'
import { el } from '../dom.ts'
import { downloads } from './downloads.ts'
import type { Page, View } from './page.ts'
import { hrefOf } from './router.ts'
import { riskBadge } from './sensitive.ts'
import { table } from './table.ts'

/** A table of who reaches something, and on what. */
function reachTable(
  page: Page,
  reached: ReachTarget,
  caption: string,
  which: 'identities' | 'always' | 'perhaps',
  only?: Certainty,
): HTMLElement {
  const { data, reaches, link } = page
  const { of, ...lists } = reaches.of(reached)
  const isCertain = which === 'always'
  const countOf = (i: number) => {
    const { always, sometimes, perhaps } = of(i).counts
    return isCertain ? always : always + sometimes + perhaps
  }
  const whenOf = (i: number) => (isCertain ? 'always' : certaintyOf(of(i)))
  return table({
    caption,
    rows: byKind(data, lists[which]).filter((i) => only === undefined || whenOf(i) === only),
    empty: 'No described identity.',
    isSavedElsewhere: true,
    columns: [
      { title: 'Identity', cell: (i) => link('identity', data.identities[i]?.urn ?? ''), by: (i) => data.identities[i]?.short ?? '' },
      { title: 'Resources', cell: countOf, by: countOf, isNumber: true },
      {
        title: 'On',
        cell: (i) => {
          const labels = of(i)
            .on()
            .filter(({ confidence }) => !isCertain || confidence === 'always')
          const some = labels
            .slice(0, 6)
            .flatMap(({ resource }, k) => [k > 0 ? ', ' : '', link('resource', data.resources[resource]?.urn ?? '')])
          return labels.length > 6 ? [...some, ` and ${labels.length - 6} more`] : some
        },
      },
      { title: 'When', cell: (i) => certaintyWords[whenOf(i)], by: (i) => certaintyOrder.indexOf(whenOf(i)) },
    ],
  }).element
}

const certaintyOrder = ['always', 'mixed', 'sometimes', 'perhaps'] as const

/** The identities whose access depends on facts that are not described, in a separate table. */
function perhapsTable(page: Page, reached: ReachTarget, can: string): readonly HTMLElement[] {
  if (page.reaches.of(reached).perhaps.length === 0) return []
  return [el('h2', {}, 'Depends on facts that are not known'), reachTable(page, reached, `Identities that perhaps can ${can}`, 'perhaps')]
}

/** The category that the last part of an address names, if any. */
const targetOf = (part: string) => (part === 'change' ? part : riskCategories.find((each) => each === part))

const canWords = (reached: NonNullable<ReturnType<typeof targetOf>>) => (reached === 'change' ? 'change something' : riskWords[reached][0])

/** The list behind a number of the summary. */
export const reach: View = {
  name: 'reach',
  title: 'Access',
  isInner: true,
  heading: ({ part }) => {
    const reached = targetOf(part)
    return reached === undefined ? endsOf(shown(part), 120) : `Who can ${canWords(reached)}`
  },
  show(place, { part, query }, page) {
    const { data, reaches } = page
    const reached = targetOf(part)
    if (reached === undefined)
      return void place.append(
        el(
          'p',
          {},
          'This report has no category of access with this name. ',
          el('a', { href: hrefOf({ name: 'summary' }) }, 'Go to Summary'),
        ),
      )
    const isCertain = query.get('sure') === 'yes'
    const only = certaintyOrder.find((certainty) => certainty === query.get('when'))
    const { always, identities, perhaps, of } = reaches.of(reached)
    const can = canWords(reached)
    const listed = only === undefined ? (isCertain ? always : identities) : identities.filter((i) => certaintyOf(of(i)) === only)
    const count = listed.length
    const limit = only === undefined ? (isCertain ? ' on some resource without conditions' : '') : `, ${certaintyWords[only]}`
    const some = `${plural(count, 'identity')} can ${can}${limit}.`
    const filter: Record<string, string> = reached === 'change' ? { level: 'write' } : { risk: reached }
    const actions = data.sensitive.flatMap(([action, risk, reason]) =>
      risk === reached ? [[data.actions[action] ?? '', reason] as const] : [],
    )
    place.append(
      el(
        'p',
        {},
        `${count === 0 && !isCertain && only === undefined ? noIdentityCan(can, perhaps.length, data) : some} `,
        el('a', { href: hrefOf({ name: 'matrix', query: new URLSearchParams(filter) }) }, 'See it in the matrix'),
      ),
      reachTable(page, reached, `Identities that can ${can}`, isCertain ? 'always' : 'identities', only),
      ...(isCertain || only !== undefined ? [] : perhapsTable(page, reached, can)),
      downloads(page, () => [
        accessSheet(page, {
          risk: reached === 'change' ? undefined : reached,
          identities: [...listed, ...(isCertain || only !== undefined ? [] : perhaps)],
        }),
      ]),
    )
    if (actions.length === 0) return
    const item = ([action, reason]: readonly [string, string]) => el('li', {}, page.link('action', action), `: ${reason}`)
    place.append(
      el('h2', {}, 'The actions that count'),
      el('ul', {}, ...actions.slice(0, 30).map(item)),
      ...(actions.length > 30
        ? [el('details', {}, el('summary', {}, `${actions.length - 30} more`), el('ul', {}, ...actions.slice(30).map(item)))]
        : []),
    )
  },
}

/** Who may do one action. */
export const action: View = {
  name: 'action',
  title: 'Action',
  isInner: true,
  heading: ({ part }) => endsOf(shown(part), 120),
  show(place, { part }, page) {
    const { data } = page
    const number = data.actions.indexOf(part)
    if (number < 0) return void place.append(el('p', {}, 'This report holds no action of this name.'))
    const reason = data.sensitive.find(([each]) => each === number)
    if (reason) place.append(el('p', {}, riskBadge(reason[1]), ` With it, ${reason[2]}.`))
    place.append(
      el('h2', {}, 'Who may do it'),
      reachTable(page, number, 'Identities that may do it', 'identities'),
      ...perhapsTable(page, number, 'do it'),
      downloads(page, () => [accessSheet(page, { action: number })]),
    )
  },
}
