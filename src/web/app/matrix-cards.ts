import type { Ref } from '../../page/data.ts'
import { endsOf } from '../../picture/short-names.ts'
import { plural } from '../../report/words.ts'
import { el } from '../dom.ts'
import type { Page } from './page.ts'

/** The matrix on a phone: a card for each identity, with what it has access to. */

interface Cards {
  readonly page: Page
  readonly rows: readonly Ref[]
  /** The cells of an identity that are shown, each with what opens it. */
  readonly cellsOf: (identity: Ref) => readonly { readonly name: string; readonly box: HTMLElement; readonly open: () => void }[]
}

/** Up to so many cards, and cells of one, are shown at first. */
const most = { cards: 60, cells: 8 } as const

export function cardsOf(cards: Cards): HTMLElement {
  const list = el('ul', { class: 'cards' })
  append(list, cards, 0)
  if (cards.rows.length === 0) list.append(el('li', { class: 'soft' }, 'Nothing matches.'))
  return list
}

function append(list: HTMLElement, cards: Cards, from: number): void {
  const { rows } = cards
  list.append(...rows.slice(from, from + most.cards).map((identity) => card(identity, cards)))
  const omitted = rows.length - from - most.cards
  if (omitted <= 0) return
  const more = el(
    'button',
    {
      type: 'button',
      onclick: () => {
        item.remove()
        append(list, cards, from + most.cards)
      },
    },
    `Show ${Math.min(omitted, most.cards)} more of ${plural(rows.length, 'identity')}`,
  )
  const item = el('li', {}, more)
  list.append(item)
}

function card(identity: Ref, { page, cellsOf }: Cards): HTMLElement {
  const { urn = '', short = '' } = page.data.identities[identity] ?? {}
  const cells = cellsOf(identity)
  const item = ({ name, box, open }: ReturnType<Cards['cellsOf']>[number]) =>
    el('li', {}, el('button', { type: 'button', onclick: open }, box, ` ${endsOf(name, 26)}`))
  return el(
    'li',
    { class: 'card' },
    page.link('identity', urn, endsOf(short, 34)),
    cells.length === 0
      ? el('p', { class: 'soft' }, 'No access in the columns shown.')
      : el('ul', {}, ...cells.slice(0, most.cells).map(item)),
    cells.length > most.cells &&
      el(
        'details',
        {},
        el('summary', {}, `${cells.length - most.cells} more`),
        el('ul', {}, ...cells.slice(most.cells, 200).map(item)),
        cells.length > 200 && el('p', { class: 'soft' }, `and ${cells.length - 200} more: the page of the identity has all.`),
      ),
  )
}
