import type { RowWords } from '../../answers/wording.ts'
import { sentenceCase } from '../../page/words.ts'
import { cut, shown } from '../../report/safe.ts'
import { verdictWords } from '../../report/verdict-words.ts'
import { plural } from '../../report/words.ts'
import { prose } from '../app/words.ts'
import { el } from '../dom.ts'

/** Answers as elements. Every text is shown as it is, cut where it is long. */

/** A place in a text, as reports name it: `policies/ops.yaml:12:7`. Opens it. */
export type OpenPlace = (path: string, line: number, column: number) => void

export const text = (words: string, most = 400) => cut(shown(words), most)

/** The fields of the form, by the options of which answers say that they would settle something. */
const fields: readonly (readonly [option: string, field: string])[] = [
  ['`--ip ADDRESS`', 'the field “From the address”'],
  ['`--tag KEY=VALUE` for each tag it has', 'the field “Tags of the resource”'],
  ['`--group`', 'the field “Also in the groups”'],
]

/** The words of an answer: what they quote as code, and fields of the form in the place of options. */
export function answerWords(words: string, most = 400): (HTMLElement | string)[] {
  return prose(
    fields.reduce((so, [option, field]) => so.replaceAll(option, field), words),
    most,
  )
}

/** A place as a button that leads to it; the words alone where it names none. */
export function placeButton(place: string, open: OpenPlace): HTMLElement | string {
  const [, path, line, column = '1'] = /^(.*?):(\d+)(?::(\d+))?$/s.exec(place) ?? []
  if (path === undefined) return text(place)
  return el(
    'button',
    { type: 'button', class: 'place', title: 'Show it in the editor', onclick: () => open(path, Number(line), Number(column)) },
    text(place, 120),
  )
}

const [mostRows, mostItems, mostEntries] = [100, 8, 5]

function items(list: readonly string[]): HTMLElement | string {
  if (list.length < 2) return text(list[0] ?? '')
  const rest = list.slice(mostItems)
  return el(
    'ul',
    { class: 'plain' },
    ...list.slice(0, mostItems).map((each) => el('li', {}, text(each))),
    rest.length > 0 &&
      el(
        'li',
        {},
        el(
          'details',
          {},
          el('summary', {}, `${rest.length} more`),
          el('ul', { class: 'plain' }, ...rest.slice(0, 1000).map((each) => el('li', {}, text(each)))),
        ),
      ),
  )
}

const columns = [
  ['Who', ({ who }: RowWords) => items(who)],
  ['May do', ({ actions }: RowWords) => items(actions)],
  ['On', ({ on }: RowWords) => items(on)],
] as const

const words = { allow: 'yes', unknown: 'perhaps', deny: 'no' } as const

/** Rows of an answer as a table. `left`: the columns that the question gives already. */
export function answerTable(
  caption: string,
  rows: readonly RowWords[],
  open: OpenPlace,
  hiddenColumns: readonly (typeof columns)[number][0][] = [],
): HTMLElement {
  const shownColumns = columns.filter(([title]) => !hiddenColumns.includes(title))
  const hasWhen = rows.some(({ when, details }) => when !== undefined || details.length > 0)
  const titles = ['Allowed', ...shownColumns.map(([title]) => title), ...(hasWhen ? ['When'] : []), 'Because of']
  return el(
    'div',
    { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': caption },
    el(
      'table',
      { class: 'list answer' },
      el('caption', { class: 'unseen' }, caption),
      el('thead', {}, el('tr', {}, ...titles.map((title) => el('th', { scope: 'col' }, title)))),
      el(
        'tbody',
        {},
        ...rows
          .slice(0, mostRows)
          .map((row) =>
            el(
              'tr',
              {},
              el('td', {}, el('span', { class: `badge ${verdictWords[row.verdict].tone}` }, words[row.verdict])),
              ...shownColumns.map(([title, cell]) => el('td', { 'data-title': title }, cell(row))),
              hasWhen &&
                el(
                  'td',
                  { 'data-title': 'When' },
                  row.when === undefined ? el('span', { class: 'soft' }, 'always') : answerWords(row.when),
                  ...row.details.map((detail) => el('p', { class: 'soft' }, ...answerWords(detailWords(detail), mostOfDetail))),
                ),
              el('td', { 'data-title': 'Because of' }, ...causes(row, open)),
            ),
          ),
        rows.length > mostRows &&
          el('tr', {}, el('td', { colspan: titles.length, class: 'soft' }, `and ${plural(rows.length - mostRows, 'more row')}`)),
      ),
    ),
  )
}

/** The entries behind a row, each with its place. */
function causes({ by }: RowWords, open: OpenPlace): readonly (HTMLElement | false)[] {
  return [
    ...by
      .slice(0, mostEntries)
      .map(({ place, words: why }) => el('div', {}, place !== '' && [placeButton(place, open), ' '], ...answerWords(why))),
    by.length > mostEntries && el('div', { class: 'soft' }, `and ${by.length - mostEntries} more`),
  ]
}

/** A change as a card: the identities, the access, its times, and the causes. */
function changeCard(side: 'gained' | 'lost', row: RowWords, open: OpenPlace): HTMLElement {
  const { who, actions, on, when, details, verdict } = row
  const may = `${verdict === 'unknown' ? 'perhaps ' : ''}${side === 'gained' ? 'may now' : 'may no longer'}`
  return el(
    'div',
    { class: `change ${side} ${side === 'gained' ? 'medium' : 'less'}` },
    el('p', {}, el('strong', {}, listed(who)), ` ${may} do `, el('code', {}, listed(actions)), ' on ', listed(on)),
    when !== undefined && el('p', { class: 'soft' }, 'When: ', ...answerWords(when, 600)),
    // An example says no more than the row.
    ...details
      .filter(({ label }) => label !== 'such as' && label !== 'matches')
      .map((detail) => el('p', { class: 'soft' }, ...answerWords(sentenceCase(detailWords(detail)), mostOfDetail))),
    ...causes(row, open),
  )
}

/** How many changes of a side are shown. */
const mostChanges = 40

/** The changes of a side as cards, and the number of further ones. */
export const changeCards = (side: 'gained' | 'lost', rows: readonly RowWords[], open: OpenPlace): readonly (HTMLElement | false)[] => [
  ...rows.slice(0, mostChanges).map((row) => changeCard(side, row, open)),
  rows.length > mostChanges && el('p', { class: 'soft' }, `and ${plural(rows.length - mostChanges, 'more change')}`),
]

function listed(list: readonly string[], wordsOf = (each: string) => text(each)): string {
  const left = list.length - mostItems
  const words = list.slice(0, mostItems).map(wordsOf)
  return `${words.join(', ')}${left > 0 ? ` and ${left} more` : ''}`
}

const [mostOfItem, mostOfDetail] = [240, 2400]

/** A detail of a row, before what could act on a page is escaped: so many of its items, and how many more there are. */
function detailWords({ label, items: own }: RowWords['details'][number]): string {
  return `${label} ${listed(own, (each) => cut(each, mostOfItem))}`.trim()
}

/** A text as a command prints it, folded away. */
export function printed(output: string): HTMLElement {
  return el(
    'details',
    { class: 'printed' },
    el('summary', {}, 'As the command prints it'),
    el('pre', { tabindex: 0 }, output.slice(0, 100_000)),
  )
}
