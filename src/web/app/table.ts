import { csvLine } from '../../report/csv.ts'
import { add, type Child, el, fill, saveFile, set } from '../dom.ts'
import { csvFile } from './csv-file.ts'

/** A table that has only as many rows in the page as are seen, and all of them on paper. Columns sort; the headings are buttons. */
export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => HTMLElement | string | number | readonly (HTMLElement | string)[]
  /** The sort key; without it, the column does not sort. */
  readonly by?: (row: Row) => string | number
  readonly isNumber?: true
}

export interface TableOptions<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly empty?: string
  /** The page saves its rows with more than the table shows: then the table itself has no button. */
  readonly isSavedElsewhere?: true
}

/** Up to so many rows are all in the page. */
const mostPlain = 150
const rowHeight = 41

export interface TableView<Row> {
  readonly element: HTMLElement
  readonly show: (rows: readonly Row[]) => void
}

export function table<Row>({
  caption,
  columns,
  rows: allRows,
  empty = 'Nothing to show.',
  isSavedElsewhere,
}: TableOptions<Row>): TableView<Row> {
  let all = allRows
  let rows = allRows
  let order: { readonly column: Column<Row>; readonly isDown: boolean } | undefined
  const body = el('tbody')
  const heads = columns.map((column) => {
    const { by, title, isNumber } = column
    if (!by) return el('th', { scope: 'col', class: isNumber && 'number' }, title)
    const button = el('button', { type: 'button', class: 'sort', onclick: () => sort(column) }, title)
    return el('th', { scope: 'col', class: isNumber && 'number', 'aria-sort': 'none' }, button)
  })
  const grid = el('table', { class: 'list' }, el('caption', { class: 'unseen' }, caption), el('thead', {}, el('tr', {}, ...heads)), body)
  const scroller = el('div', { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': caption, onscroll: () => draw() }, grid)
  const note = el('p', { class: 'soft empty', hidden: true }, empty)
  const textOf = (content: ReturnType<Column<Row>['cell']>) =>
    typeof content === 'number' ? content : (el('span', {}, content as Child).textContent ?? '')
  const save = () => {
    const lines = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ cell }) => textOf(cell(row))))]
    saveFile('table.csv', csvFile(lines.map(csvLine)))
  }
  const saving = el(
    'p',
    { class: 'downloads', hidden: isSavedElsewhere },
    el('button', { type: 'button', class: 'quiet', onclick: save }, 'Save as CSV'),
  )
  const element = el('div', { class: 'table' }, scroller, note, saving)

  const line = (row: Row, i: number) =>
    el(
      'tr',
      { 'aria-rowindex': i + 2 },
      ...columns.map((column, j) => {
        const content = column.cell(row)
        return j === 0
          ? el('th', { scope: 'row' }, content as HTMLElement)
          : el('td', { class: column.isNumber && 'number', 'data-title': column.title }, content as HTMLElement)
      }),
    )

  function sort(column: Column<Row>): void {
    order = { column, isDown: order?.column === column ? !order.isDown : column.isNumber === true }
    arrange()
  }

  function arrange(): void {
    const { by } = order?.column ?? {}
    heads.forEach((head, i) => {
      if (columns[i]?.by) set(head, 'aria-sort', order?.column === columns[i] ? (order?.isDown ? 'descending' : 'ascending') : 'none')
    })
    if (by && order) {
      const sign = order.isDown ? -1 : 1
      const keyed = all.map((row) => [by(row), row] as const)
      keyed.sort(([a], [b]) => (a < b ? -sign : a > b ? sign : 0))
      rows = keyed.map(([, row]) => row)
    } else rows = all
    scroller.scrollTop = 0
    shownFrom = -1
    draw()
  }

  let shownFrom = -1
  function draw(whole = false): void {
    const isPlain = whole || rows.length <= mostPlain
    set(grid, 'aria-rowcount', isPlain ? undefined : rows.length + 1)
    scroller.classList.toggle('windowed', rows.length > mostPlain)
    if (isPlain) {
      if (shownFrom === -2 && !whole) return
      shownFrom = whole ? -1 : -2
      fill(body, ...rows.map(line))
      return
    }
    const seen = Math.ceil((scroller.clientHeight || 700) / rowHeight)
    const from = Math.max(0, Math.min(rows.length - seen, Math.floor(scroller.scrollTop / rowHeight)) - 15)
    if (shownFrom >= 0 && Math.abs(from - shownFrom) < 8) return
    shownFrom = from
    const to = Math.min(rows.length, from + seen + 30)
    fill(body)
    add(body, gap(from), ...rows.slice(from, to).map((row, i) => line(row, from + i)), gap(rows.length - to))
  }

  function gap(count: number): HTMLElement | undefined {
    if (count <= 0) return undefined
    const cell = el('td', { colspan: columns.length })
    cell.style.height = `${count * rowHeight}px`
    return el('tr', { class: 'gap', 'aria-hidden': 'true' }, cell)
  }

  function show(next: readonly Row[]): void {
    all = next
    set(note, 'hidden', next.length > 0)
    set(scroller, 'hidden', next.length === 0)
    set(saving, 'hidden', isSavedElsewhere || next.length === 0)
    arrange()
  }

  const print = ({ type }: Event) => {
    if (element.isConnected) draw(type === 'beforeprint')
    else for (const each of ['beforeprint', 'afterprint']) removeEventListener(each, print)
  }
  for (const each of ['beforeprint', 'afterprint']) addEventListener(each, print)
  show(allRows)
  requestAnimationFrame(() => draw())
  return { element, show }
}
