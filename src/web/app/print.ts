import { accessSheet } from '../../page/sheets.ts'
import { endsOf } from '../../picture/short-names.ts'
import { shown } from '../../report/safe.ts'
import { firstFew, plural } from '../../report/words.ts'
import { ask } from '../ask/view.ts'
import { el, fill } from '../dom.ts'
import { evidenceOf } from './evidence.ts'
import { mainViews } from './main-views.ts'
import { matrix } from './matrix.ts'
import type { Page, View } from './page.ts'

/** A document of chosen views, to print or to save as PDF: with contents, page numbers and a place to sign. */

/** How many rows of the access are in the document. */
const mostRows = 1000
/** Up to so many items of a list that is folded on the page are on paper. */
const mostOpened = 60

const causesView: View = {
  name: 'causes',
  title: 'Access and its causes',
  show: (place, _, page) => {
    place.append(...causes(page))
  },
}

/** The views that a document may have, in its order: what is asked on paper has no answer there. */
const parts: readonly View[] = mainViews.flatMap((view) => (view === ask ? [] : view === matrix ? [matrix, causesView] : [view]))
const usual: ReadonlySet<string> = new Set(['summary', 'changes', 'matrix', 'causes', 'findings'])

export const print: View = {
  name: 'print',
  title: 'Print',
  isInner: true,
  show(place, { query }, page) {
    const offered = parts.filter((part) => part.has?.(page) ?? true)
    const asked = query.get('views')?.split(',')
    const boxes = offered.map((part) => {
      const checked = asked ? asked.includes(part.name) : usual.has(part.name)
      return [part, el('input', { type: 'checkbox', checked, onchange: () => choose() })] as const
    })
    const chosen = () => boxes.filter(([, box]) => box.checked).map(([part]) => part)
    const sheet = el('div', { class: 'document' })
    const choose = () => {
      page.go(
        {
          name: 'print',
          query: new URLSearchParams({
            views: chosen()
              .map(({ name }) => name)
              .join(','),
          }),
        },
        true,
      )
      show()
    }
    const show = () => {
      fill(sheet, ...documentOf(page, chosen()))
      // On paper nothing can be opened. Longer lists are on the page.
      for (const details of sheet.querySelectorAll('details'))
        if (details.querySelectorAll('li, tbody tr').length <= mostOpened) details.open = true
    }
    place.append(
      el(
        'fieldset',
        { class: 'choices' },
        el('legend', {}, 'What to print'),
        ...boxes.map(([{ title }, box]) => el('label', { class: 'check' }, box, ` ${title}`)),
        el('button', { type: 'button', onclick: () => window.print() }, 'Print or save as PDF'),
      ),
      sheet,
    )
    show()
  },
}

function documentOf(page: Page, chosen: readonly View[]): readonly HTMLElement[] {
  const { data } = page
  const titles = [...chosen.map(({ title }) => title), 'Signature']
  return [
    el(
      'section',
      { class: 'cover' },
      el('p', { class: 'document-title' }, shown(data.title)),
      evidenceOf(data),
      el('h2', {}, 'Contents'),
      el('ol', {}, ...titles.map((title) => el('li', {}, title))),
    ),
    ...chosen.map((view, i) => {
      const content = el('div', { class: 'view' })
      view.show(content, { name: view.name, part: '', query: new URLSearchParams() }, page)
      return el('section', { class: 'chapter' }, el('h2', { class: 'chapter-title' }, `${i + 1}. ${view.title}`), content)
    }),
    signature(chosen.length + 1),
  ]
}

/** Who reviewed it, when, and with which result. */
function signature(number: number): HTMLElement {
  const line = (label: string) => el('div', { class: 'line-to-sign' }, el('span', {}, label))
  return el(
    'section',
    { class: 'chapter signature' },
    el('h2', { class: 'chapter-title' }, `${number}. Signature`),
    el('p', {}, 'I have reviewed the access in this document, in the state that is named at its head.'),
    el('div', { class: 'lines-to-sign' }, ...['Name and role', 'Date', 'Decision and remarks', 'Signature'].map(line)),
  )
}

/** Each access with the policies that grant and limit it, by file and line. */
function causes(page: Page): readonly HTMLElement[] {
  const { tables } = page
  const rows: HTMLElement[] = []
  let count = 0
  for (const [who, , on, , , sure, when, actions, , grantedBy, limitedBy] of accessSheet(page).rows()) {
    if (++count > mostRows) continue
    const short = (urn: string) => endsOf(tables.shortNames.get(urn) ?? shown(urn), 60)
    const list = actions as readonly string[]
    const limits = limitedBy as readonly string[]
    rows.push(
      el(
        'tr',
        {},
        el('th', { scope: 'row' }, short(String(who))),
        el('td', {}, short(String(on))),
        el('td', {}, `${plural(list.length, 'action')}: ${shown(firstFew(list, 3))}`),
        el('td', {}, when === '' ? String(sure) : String(when)),
        el('td', {}, shown((grantedBy as readonly string[]).join(', ')), limits.length > 0 && ` limited by ${shown(limits.join(', '))}`),
      ),
    )
  }
  return [
    el(
      'div',
      { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': 'Access and its causes' },
      el(
        'table',
        { class: 'list causes' },
        el('caption', { class: 'unseen' }, 'Access and its causes'),
        el(
          'thead',
          {},
          el('tr', {}, ...['Identity', 'Resource', 'Actions', 'When', 'Granted by'].map((text) => el('th', { scope: 'col' }, text))),
        ),
        el('tbody', {}, ...rows),
      ),
    ),
    ...(count > mostRows
      ? [el('p', {}, `${plural(count - mostRows, 'more row')}: `, el('code', {}, 'report --format csv'), ' has all.')]
      : []),
  ]
}
