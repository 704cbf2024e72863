import { levels } from '../../actions/reads.ts'
import { type RiskCategory, riskCategories } from '../../actions/sensitive.ts'
import type { PageIdentity, Ref } from '../../page/data.ts'
import { byKind } from '../../page/kinds.ts'
import { accessSheet, type Sheet } from '../../page/sheets.ts'
import type { TypeCell } from '../../page/tables.ts'
import { riskOrder, riskWords } from '../../page/words.ts'
import { endsOf } from '../../picture/short-names.ts'
import { cut, shown } from '../../report/safe.ts'
import { plural } from '../../report/words.ts'
import { type Attributes, add, el, fill, set } from '../dom.ts'
import { type ChangeAt, changeAt, changeClass, changeMark, changeWords } from './changes.ts'
import { downloads } from './downloads.ts'
import { cardsOf } from './matrix-cards.ts'
import { cellClass, cellText, cellWords, legend } from './matrix-cell.ts'
import { panelOf } from './matrix-panel.ts'
import type { Page, Route, View } from './page.ts'
import { hrefOf } from './router.ts'
import { beyond } from './summary.ts'

/**
 * The access matrix: identities × resource types, or × resources. Only the cells that are seen are in the page. The address
 * holds the filters and the open cell.
 */

const rowHeight = 36
/** So many rows and columns around those that are seen are in the page, too. */
const margin = 2
/** Limits of print: the width of A4 in pixels, the columns side by side, and the number of printed cells. */
const [paperWidth, columnsOnPaper, mostOnPaper] = [680, 20, 40_000]
/** Up to so many columns have their names across; more have them downwards. */
const mostWide = 10

const keys = ['type', 'text', 'on-text', 'level', 'conditional', 'risk', 'sort', 'who', 'on'] as const
type State = Record<(typeof keys)[number], string>

export const matrix: View = {
  name: 'matrix',
  title: 'Access matrix',
  menu: 'Matrix',
  show(place, route, page) {
    const view = new MatrixView(place, page, route)
    page.onLeave(() => view.close())
    return (next) => {
      view.use(next)
      return true
    }
  },
}

/** The matrix of one type. */
export const type: View = {
  name: 'type',
  title: 'Resource type',
  isInner: true,
  heading: ({ part }) => endsOf(shown(part), 120),
  show: (place, { part, query }, page) => {
    const next = new URLSearchParams(query)
    next.set('type', part)
    matrix.show(place, { name: 'matrix', part: '', query: next }, page)
  },
}

interface Column {
  readonly name: string
  readonly urn: string
  readonly number: Ref
}

class MatrixView {
  private readonly page: Page
  private state: State = Object.fromEntries(keys.map((key) => [key, ''])) as State
  private rows: readonly Ref[] = []
  private columns: readonly Column[] = []
  private readonly head = el('thead')
  private readonly body = el('tbody')
  private readonly grid: HTMLTableElement
  private readonly scroller: HTMLElement
  private readonly panel = el('aside', { class: 'panel', 'aria-label': 'The chosen cell', hidden: true })
  private readonly note = el('p', { class: 'on-paper' })
  private readonly sheets = el('div', { class: 'sheets' })
  /** In the place of the grid where the window is narrow. */
  private readonly cards = el('div', { class: 'card-list' })
  private readonly count = el('p', { class: 'soft', role: 'status' })
  private readonly inputs: Readonly<Record<'type' | 'text' | 'on-text' | 'level' | 'risk' | 'sort', HTMLInputElement | HTMLSelectElement>>
  private readonly conditional: HTMLInputElement
  /** The cell that the keyboard is at: -1 for the headings. */
  private at = { row: 0, column: 0 }
  private window = { row: -1, rows: 0, column: -1, columns: 0 }
  private readonly changes: ChangeAt | undefined
  private isWaiting = false
  /** Whether a cell counts, by its number. */
  private counts: Uint8Array = new Uint8Array()
  /** Whether what an owner may do counts, by the type of what it owns. */
  private countsOwned: readonly boolean[] = []
  private readonly stop: () => void

  constructor(place: HTMLElement, page: Page, route: Route) {
    this.page = page
    const { data } = page
    this.changes = changeAt(page)
    const select = (label: string, options: readonly (readonly [value: string, text: string])[]) =>
      el(
        'select',
        { 'aria-label': label, onchange: () => this.changed() },
        ...options.map(([value, text]) => el('option', { value }, text)),
      )
    const search = (label: string) =>
      el('input', { type: 'search', 'aria-label': label, placeholder: label, oninput: () => this.changed() })
    const types = data.types.filter((_, i) => data.resources.some((resource) => resource.type === i && resource.class >= 0))
    this.inputs = {
      type: select('Columns', [
        ['', 'Columns: types'],
        ['*', 'Columns: all resources'],
        ...types.map(({ name }) => [name, `Resources: ${cut(shown(name), 40)}`] as const),
      ]),
      text: search('Filter identities'),
      'on-text': search('Filter columns'),
      level: select('Level', [
        ['', 'Any level'],
        ['read', 'Reads or more'],
        ['write', 'Changes or more'],
        ['all', 'Everything'],
        ['none', 'Also without access'],
      ]),
      risk: select('Can', [['', 'Any action'], ...riskOrder.map((risk) => [risk, `Can ${riskWords[risk][0]}`] as const)]),
      sort: select('Order', [
        ['', 'Users first'],
        ['most', 'Most access first'],
        ['least', 'Least access first'],
      ]),
    }
    this.conditional = el('input', { type: 'checkbox', onchange: () => this.changed() })
    this.grid = el('table', { class: 'matrix', role: 'grid', 'aria-label': 'Access matrix' }, this.head, this.body)
    this.scroller = el('div', { class: 'matrix-scroller', onscroll: () => this.scrolled() }, this.grid)
    this.grid.addEventListener('click', (event) => this.clicked(event))
    this.grid.addEventListener('keydown', (event) => this.pressed(event))
    place.append(
      el(
        'details',
        { class: 'narrowing', open: !isNarrow() },
        el('summary', {}, 'Filters and legend'),
        el(
          'div',
          { class: 'filters' },
          ...Object.values(this.inputs),
          el('label', { class: 'check' }, this.conditional, ' Only under conditions'),
        ),
        legend(this.changes !== undefined),
      ),
      el('div', { class: 'below' }, this.count),
      ...beyond(page.data),
      this.note,
      this.sheets,
      el('div', { class: 'beside' }, this.scroller, this.cards, this.panel),
      downloads(page, () => [this.sheetShown()]),
    )
    const resized = () => {
      fill(this.sheets)
      this.draw(true)
    }
    const print = () => this.print()
    addEventListener('resize', resized)
    addEventListener('beforeprint', print)
    addEventListener('afterprint', resized)
    this.stop = () => {
      removeEventListener('resize', resized)
      removeEventListener('beforeprint', print)
      removeEventListener('afterprint', resized)
    }
    this.use(route)
  }

  close(): void {
    this.stop()
  }

  /** Show what an address names. */
  use({ query }: Route): void {
    const before = this.state
    this.state = Object.fromEntries(keys.map((key) => [key, query.get(key) ?? ''])) as State
    const { state, inputs } = this
    for (const key of ['type', 'text', 'on-text', 'level', 'risk', 'sort'] as const)
      if (inputs[key].value !== state[key]) inputs[key].value = state[key]
    this.conditional.checked = state.conditional !== ''
    if (this.columns.length === 0 || keys.some((key) => key !== 'who' && key !== 'on' && before[key] !== state[key])) this.arrange()
    this.open(before.who === state.who && before.on === state.on)
  }

  /** A filter was changed by hand. */
  private changed(): void {
    const { inputs, conditional, state } = this
    for (const key of ['type', 'text', 'on-text', 'level', 'risk', 'sort'] as const) state[key] = inputs[key].value
    state.conditional = conditional.checked ? 'only' : ''
    this.go({}, true)
    this.arrange()
  }

  private go(changes: Partial<State>, isShown = false): void {
    const next = new URLSearchParams()
    for (const [key, value] of Object.entries({ ...this.state, ...changes })) if (value !== '') next.set(key, value)
    this.page.go({ name: 'matrix', query: next }, isShown)
  }

  /** Find the rows and columns that the filters leave. */
  private arrange(): void {
    const { data } = this.page
    const { state } = this
    const least = Math.max(0, levels.indexOf(state.level as (typeof levels)[number]))
    const risk = riskCategories.find((each) => each === state.risk)
    this.counts = Uint8Array.from(data.cells, (cell, i) => Number(this.isWanted(cell.level, cell.confidence, i, least, risk)))
    const risky = new Set(data.sensitive.flatMap(([action, category]) => (category === risk ? [action] : [])))
    this.countsOwned = data.types.map(
      ({ actions }) => risk === undefined || this.page.tables.actionsIn(actions).some((each) => risky.has(each)),
    )
    const isPlain = least <= 1 && state.level === '' && risk === undefined && state.conditional === ''
    const takesAll = state.level === 'none'

    const wantedType = data.types.findIndex(({ name }) => name === state.type)
    const byType = state.type === '' || (wantedType < 0 && state.type !== '*')
    const onText = state['on-text'].toLowerCase()
    const all: Column[] = byType
      ? data.types.map(({ name }, number) => ({ name, urn: name, number }))
      : data.resources.flatMap(({ urn, short, type: own, class: of }, number) =>
          of >= 0 && (wantedType < 0 || own === wantedType) ? [{ name: short, urn, number }] : [],
        )
    const named = onText === '' ? all : all.filter(({ name, urn }) => `${name} ${urn}`.toLowerCase().includes(onText))

    const text = state.text.toLowerCase()
    const isNamed = ({ urn, short, groups }: PageIdentity) =>
      text === '' || `${short} ${urn} ${groups.map((group) => data.groups[group]?.short).join(' ')}`.toLowerCase().includes(text)
    const identities = [...byKind(data, [...data.identities.keys()])].filter((i) => isNamed(data.identities[i] as PageIdentity))
    const isSorted = state.sort === 'most' || state.sort === 'least'
    const { used, score } = isPlain && !isSorted ? { used: undefined, score: undefined } : this.scores(named, byType, identities)
    const scoreOf = (identity: Ref) => score?.get(data.identities[identity]?.class as Ref) ?? 0
    const rows = isPlain || takesAll ? identities : identities.filter((identity) => scoreOf(identity) > 0)
    this.columns = isPlain || takesAll ? named : named.filter((_, i) => used?.[i])
    if (state.sort === 'most') rows.sort((a, b) => scoreOf(b) - scoreOf(a))
    else if (state.sort === 'least') rows.sort((a, b) => scoreOf(a) - scoreOf(b))
    else if (state.sort.startsWith('by ')) {
      const column = this.columns.find(({ urn }) => urn === state.sort.slice(3))
      const rank = (identity: Ref) => (column ? levels.indexOf(this.cellAt(identity, column)?.level ?? 'none') : 0)
      rows.sort((a, b) => rank(b) - rank(a))
    }
    this.rows = rows
    fill(
      this.count,
      `${rows.length} of ${plural(data.identities.length, 'identity')}, ${this.columns.length} of ${plural(all.length, byType ? 'resource type' : 'resource')}`,
    )
    this.at = { row: Math.min(this.at.row, rows.length - 1), column: Math.min(this.at.column, this.columns.length - 1) }
    this.scroller.scrollTo(0, 0)
    this.draw(true)
  }

  /** The scores of each class of identities over the counted cells, and the columns with one. Each class is computed once. */
  private scores(named: readonly Column[], byType: boolean, identities: readonly Ref[]) {
    const { data, tables } = this.page
    const typeOf = (names: readonly Ref[]) => data.resources[names[0] as Ref]?.type as Ref
    const ranks = Uint8Array.from(data.cells, ({ level }, i) => (this.counts[i] ? levels.indexOf(level) : 0))
    const types = data.resourceClasses.map(({ names }) => typeOf(names))
    const wanted = new Set(named.map(({ number }) => (byType ? number : (data.resources[number]?.class as Ref))))
    const keyOf = data.resourceClasses.map(({ names }, i) => (byType ? typeOf(names) : i))
    const sizes = Uint32Array.from(data.resourceClasses, ({ names }, i) => (wanted.has(keyOf[i] as Ref) ? names.length : 0))
    const usedClass = new Uint8Array(sizes.length)
    const score = new Map<Ref, number>()
    for (const identity of identities) {
      const ownClass = data.identities[identity]?.class as Ref
      if (score.has(ownClass)) continue
      const row = tables.row(ownClass)
      let sum = 0
      for (let i = 0; i < row.length; i++) {
        const cell = row[i] as number
        if (cell < 0 || sizes[i] === 0) continue
        const rank = ranks[cell] as number
        if (rank === 0 || !this.isCounted(cell, types[i] as Ref)) continue
        sum += rank * (sizes[i] as number)
        usedClass[i] = 1
      }
      score.set(ownClass, sum)
    }
    const usedKeys = new Set(keyOf.filter((_, i) => usedClass[i]))
    const used = named.map(({ number }) => usedKeys.has(byType ? number : (data.resources[number]?.class as Ref)))
    return { used, score }
  }

  private isWanted(level: string, confidence: string, number: number, least: number, risk: RiskCategory | undefined): boolean {
    if (levels.indexOf(level as (typeof levels)[number]) < least) return false
    if (this.state.conditional !== '' && confidence === 'always') return false
    return risk === undefined || this.page.tables.risksOf(number).has(risk)
  }

  private get isByType(): boolean {
    return this.columns.length > 0 && this.page.data.types[this.columns[0]?.number ?? -1]?.name === this.columns[0]?.urn
  }

  /** The content of a cell; undefined where it is empty or filtered out. */
  private cellAt(identity: Ref, { number }: Column): (Pick<TypeCell, 'level' | 'confidence'> & Partial<TypeCell>) | undefined {
    const { data, tables } = this.page
    if (this.isByType) {
      const cell = tables.byType(identity)[number]
      return cell && cell.level !== 'none' && cell.cells.some(([each]) => this.isCounted(each, number)) ? cell : undefined
    }
    const cell = tables.cellNumber(identity, number)
    return cell >= 0 && this.isCounted(cell, data.resources[number]?.type as Ref) ? data.cells[cell] : undefined
  }

  /** Whether a cell counts for resources of a type: an owner may do what there is to do with it, and no more. */
  private isCounted(cell: Ref, type: Ref): boolean {
    return this.counts[cell] === 1 && (!this.page.data.cells[cell]?.isRoot || this.countsOwned[type] === true)
  }

  /** At most once for each picture that the screen shows. */
  private scrolled(): void {
    if (this.isWaiting) return
    this.isWaiting = true
    requestAnimationFrame(() => {
      this.isWaiting = false
      this.draw()
    })
  }

  /** Put the cells in the page that are seen. */
  private draw(isNew = false): void {
    const isOnCards = isNarrow()
    set(this.scroller, 'hidden', isOnCards)
    if (isOnCards) {
      if (isNew) this.drawCards()
      return
    }
    fill(this.cards)
    const { scroller, rows, columns } = this
    const isFew = columns.length <= mostWide
    const room = scroller.clientWidth || 1000
    const headWidth = this.headWidth
    const width = isFew ? Math.max(84, Math.floor((room - headWidth - 2) / Math.max(1, columns.length))) : 40
    // Names across may take several lines, each as long as the longest word.
    const longest = Math.max(0, ...columns.slice(0, mostWide).flatMap(({ name }) => wordsIn(name).map((word) => Math.min(word.length, 24))))
    const isWide = isFew && width >= longest * 7.2 + 16
    const seenRows = Math.ceil((scroller.clientHeight || 600) / rowHeight) + 1
    const seenColumns = Math.ceil(room / width) + 1
    const row = Math.max(0, Math.min(rows.length - seenRows, Math.floor(scroller.scrollTop / rowHeight)))
    const column = Math.max(0, Math.min(columns.length - seenColumns, Math.floor(scroller.scrollLeft / width)))
    const old = this.window
    if (!isNew && old.row >= 0 && Math.abs(row - old.row) < margin && Math.abs(column - old.column) < margin) return
    this.window = { row, rows: seenRows, column, columns: seenColumns }
    this.fillGrid(
      Math.max(0, row - margin),
      Math.min(rows.length, row + seenRows + margin),
      Math.max(0, column - margin),
      Math.min(columns.length, column + seenColumns + margin),
      width,
      isWide,
    )
  }

  /** A card for each identity, with the cells that have access. */
  private drawCards(): void {
    const { rows, columns, page } = this
    const cellsOf = (identity: Ref) =>
      columns.flatMap((column) => {
        const cell = this.cellAt(identity, column)
        const change = this.changes?.(identity, column.number, this.isByType)
        if (!cell && !change) return []
        const box = el(
          'span',
          { class: 'boxes' },
          cell && el('span', { class: `box ${cellClass(cell)}`, 'aria-label': cellWords(cell) }, cellText(cell)),
          change && el('small', { class: `mark ${changeClass(change)}`, 'aria-label': changeWords(change) }, changeMark(change)),
        )
        const open = () => this.go({ who: page.data.identities[identity]?.urn ?? '', on: column.urn })
        return [{ name: column.name, box, open }]
      })
    fill(this.cards, cardsOf({ page, rows, cellsOf }))
  }

  /** The access of the identities to what the columns are about, as far as the risk is the one that is chosen. */
  private sheetShown(): Sheet {
    const { data } = this.page
    const numbers = new Set(this.columns.map(({ number }) => number))
    const resources = this.isByType ? data.resources.flatMap(({ type: own }, i) => (numbers.has(own) ? [i] : [])) : [...numbers]
    return accessSheet(this.page, { identities: this.rows, resources, risk: riskCategories.find((each) => each === this.state.risk) })
  }

  /** Of the names of identities: less where there is little room. */
  private get headWidth(): number {
    return innerWidth < 800 ? 136 : 208
  }

  /** On paper: as many columns as a page is wide, the next below them with their own heads. */
  private print(): void {
    const { columns, rows } = this
    const seen = Math.min(columns.length, Math.max(columnsOnPaper, Math.floor(mostOnPaper / Math.max(1, rows.length))))
    const hiddenCount = columns.length - seen
    fill(
      this.note,
      hiddenCount > 0 &&
        `${hiddenCount} of ${columns.length} columns are not on paper, which would be too much for one print: filter the columns or the identities to print them.`,
    )
    const sheets: HTMLElement[] = []
    for (let from = 0; from < seen; from += columnsOnPaper) sheets.push(this.sheet(from, Math.min(seen, from + columnsOnPaper)))
    fill(this.sheets, ...sheets)
  }

  /** Some columns of all rows as a table for paper. */
  private sheet(from: number, to: number): HTMLTableElement {
    const { rows, page, headWidth } = this
    const { data } = page
    const columns = this.columns.slice(from, to)
    const width = Math.min(84, Math.floor((paperWidth - headWidth) / Math.min(columnsOnPaper, Math.max(1, this.columns.length))))
    const isWide = width > 60
    const table = el(
      'table',
      { class: `matrix ${isWide ? 'wide' : 'narrow'}` },
      this.columns.length > columns.length && el('caption', {}, `Columns ${from + 1} to ${to} of ${this.columns.length}`),
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          sized(el('td', { class: 'corner' }, this.cornerWords), headWidth),
          ...columns.map(({ name }) => sized(el('th', { scope: 'col' }, el('span', {}, ...headWords(name, isWide))), width)),
        ),
      ),
      el(
        'tbody',
        {},
        ...rows.map((identity) =>
          el(
            'tr',
            {},
            el('th', { scope: 'row' }, endsOf(data.identities[identity]?.short ?? '', (headWidth - 24) / 8)),
            ...columns.map((column) => this.cellOf(identity, column, isWide)),
          ),
        ),
      ),
    )
    table.style.width = `${headWidth + columns.length * width}px`
    return table
  }

  private get cornerWords(): string {
    return this.isByType ? 'Identity / type' : 'Identity / resource'
  }

  /** A cell as it looks, on the screen and on paper: its level, what changes, on how many resources. */
  private cellOf(identity: Ref, column: Column, isWide: boolean, attributes: Attributes = {}, more = ''): HTMLTableCellElement {
    const cell = this.cellAt(identity, column)
    const partly = cell?.of !== undefined && cell.resources !== undefined && cell.resources < cell.of ? ` ${cell.resources}/${cell.of}` : ''
    const change = this.changes?.(identity, column.number, this.isByType)
    const isHidden = !cell && this.hasAccess(identity, column)
    const words = cell ? `${cellWords(cell)}${partly && `, on ${partly.replace('/', ' of ')}`}` : isHidden ? 'filtered out' : 'no access'
    return el(
      'td',
      {
        ...attributes,
        class: `${cell ? cellClass(cell) : 'cell none'}${more}${change ? ` changed ${changeClass(change)}` : ''}`,
        'aria-label': `${words}${change ? `, ${changeWords(change)}` : ''}`,
      },
      cell ? cellText(cell) : isHidden || change ? '' : cellText({ level: 'none', confidence: 'always' }),
      change && el('small', { class: `mark ${changeClass(change)}` }, changeMark(change)),
      isWide && partly !== '' && el('small', {}, partly),
    )
  }

  private hasAccess(identity: Ref, { number }: Column): boolean {
    const { tables } = this.page
    return this.isByType ? tables.byType(identity)[number]?.level !== 'none' : tables.cellNumber(identity, number) >= 0
  }

  private fillGrid(top: number, bottom: number, left: number, right: number, width: number, isWide: boolean): void {
    const count = this.columns.length
    const { rows, columns, grid, page, state, headWidth } = this
    const { data, link } = page
    const hadFocus = grid.contains(document.activeElement)
    this.at = {
      row: Math.min(Math.max(this.at.row, -1), rows.length - 1),
      column: Math.min(Math.max(this.at.column, -1), columns.length - 1),
    }
    const isIn =
      this.at.row < 0 ||
      (this.at.row >= top && this.at.row < bottom && (this.at.column < 0 || (this.at.column >= left && this.at.column < right)))
    const tab = isIn ? this.at : { row: top, column: left }
    const tabOf = (row: number, column: number) => (tab.row === row && tab.column === column ? 0 : -1)
    const gap = (count: number) => {
      if (count <= 0) return undefined
      const cell = el('td', { 'aria-hidden': 'true', class: 'gap' })
      cell.style.width = `${count * width}px`
      return cell
    }
    const seen = columns.slice(left, right)
    set(grid, 'class', `matrix ${isWide ? 'wide' : 'narrow'}`)
    grid.style.width = `${headWidth + count * width}px`
    set(grid, 'aria-rowcount', rows.length + 1)
    set(grid, 'aria-colcount', columns.length + 1)
    const heading = (column: Column, j: number) => {
      const isSorted = state.sort === `by ${column.urn}`
      const button = el(
        'button',
        {
          type: 'button',
          class: 'sort',
          tabindex: tabOf(-1, left + j),
          'data-sort': column.urn,
          title: `Sort by ${cut(shown(column.urn), 200)}`,
        },
        el('span', {}, ...headWords(column.name, isWide)),
      )
      return sized(
        el(
          'th',
          {
            scope: 'col',
            'aria-colindex': left + j + 2,
            'aria-sort': isSorted ? 'descending' : undefined,
            'data-row': -1,
            'data-column': left + j,
          },
          button,
        ),
        width,
      )
    }
    fill(
      this.head,
      el(
        'tr',
        { 'aria-rowindex': 1 },
        sized(el('td', { class: 'corner', 'aria-colindex': 1 }, this.cornerWords), headWidth),
        gap(left),
        ...seen.map(heading),
        gap(count - right),
      ),
    )
    const blank = (count: number) => {
      if (count <= 0) return undefined
      const cell = el('td', { colspan: seen.length + 3 })
      cell.style.height = `${count * rowHeight}px`
      return el('tr', { 'aria-hidden': 'true', class: 'gap' }, cell)
    }
    fill(this.body)
    add(
      this.body,
      blank(top),
      ...rows.slice(top, bottom).map((identity, i) => {
        const row = top + i
        const name = link(
          'identity',
          data.identities[identity]?.urn ?? '',
          endsOf(data.identities[identity]?.short ?? '', (headWidth - 24) / 8),
        )
        set(name, 'tabindex', tabOf(row, -1))
        const before = data.identities[rows[row - 1] as Ref]
        const isFirst = state.sort === '' && before !== undefined && before.kind !== data.identities[identity]?.kind
        return el(
          'tr',
          { 'aria-rowindex': row + 2, class: isFirst && 'next-kind' },
          el('th', { scope: 'row', 'aria-colindex': 1, 'data-row': row, 'data-column': -1 }, name),
          gap(left),
          ...seen.map((column, j) => {
            const isOpen = state.who === data.identities[identity]?.urn && state.on === column.urn
            const attributes = {
              role: 'gridcell',
              'aria-colindex': left + j + 2,
              tabindex: tabOf(row, left + j),
              'data-row': row,
              'data-column': left + j,
              'aria-selected': isOpen ? 'true' : undefined,
            }
            return this.cellOf(identity, column, width >= 60, attributes, isOpen ? ' chosen' : '')
          }),
          gap(count - right),
        )
      }),
      blank(rows.length - bottom),
    )
    if (rows.length === 0 || columns.length === 0)
      fill(this.body, el('tr', {}, el('td', { class: 'soft', colspan: 3 }, 'Nothing matches.')))
    if (hadFocus) this.target(tab.row, tab.column)?.focus({ preventScroll: true })
  }

  /** The element that takes the focus at a place of the grid: the cell, or the link or button of a heading. */
  private target(row: number, column: number): HTMLElement | undefined {
    const cell = this.grid.querySelector<HTMLElement>(`[data-row="${row}"][data-column="${column}"]`)
    return cell?.querySelector<HTMLElement>('a, button') ?? cell ?? undefined
  }

  private clicked(event: Event): void {
    const target = event.target as HTMLElement
    const sort = target.closest<HTMLElement>('[data-sort]')?.dataset.sort
    if (sort !== undefined) {
      this.state.sort = this.state.sort === `by ${sort}` ? '' : `by ${sort}`
      this.go({}, true)
      this.arrange()
      return
    }
    const cell = target.closest<HTMLElement>('td[data-row]')
    if (cell) this.choose(Number(cell.dataset.row), Number(cell.dataset.column))
  }

  private choose(row: number, column: number): void {
    this.at = { row, column }
    this.go({ who: this.page.data.identities[this.rows[row] as Ref]?.urn ?? '', on: this.columns[column]?.urn ?? '' })
  }

  private pressed(event: KeyboardEvent): void {
    const { row, column } = this.placeOf(event.target as HTMLElement)
    const page = Math.max(1, this.window.rows - 2)
    const last = { row: this.rows.length - 1, column: this.columns.length - 1 }
    const next: Readonly<Record<string, readonly [row: number, column: number]>> = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      PageUp: [Math.max(row < 0 ? -1 : 0, row - page), column],
      PageDown: [row + page, column],
      Home: event.ctrlKey ? [0, 0] : [row, -1],
      End: event.ctrlKey ? [last.row, last.column] : [row, last.column],
    }
    const to = next[event.key]
    if (to) {
      event.preventDefault()
      this.move(Math.min(Math.max(to[0], -1), last.row), Math.min(Math.max(to[1], to[0] < 0 ? 0 : -1), last.column))
    } else if ((event.key === 'Enter' || event.key === ' ') && row >= 0 && column >= 0) {
      event.preventDefault()
      this.choose(row, column)
    } else if (event.key === 'Escape' && this.state.who !== '') this.go({ who: '', on: '' })
  }

  private placeOf(element: HTMLElement): { readonly row: number; readonly column: number } {
    const cell = element.closest<HTMLElement>('[data-row]')
    return cell ? { row: Number(cell.dataset.row), column: Number(cell.dataset.column) } : this.at
  }

  private move(row: number, column: number): void {
    this.at = { row, column }
    const { scroller, headWidth } = this
    const head = this.head.getBoundingClientRect().height
    const width = (this.grid.getBoundingClientRect().width - headWidth) / Math.max(1, this.columns.length)
    if (row >= 0) {
      const top = row * rowHeight
      if (top < scroller.scrollTop) scroller.scrollTop = top
      else if (top + rowHeight + head > scroller.scrollTop + scroller.clientHeight)
        scroller.scrollTop = top + rowHeight + head - scroller.clientHeight
    }
    if (column >= 0) {
      const columnStart = column * width
      if (columnStart < scroller.scrollLeft) scroller.scrollLeft = columnStart
      else if (columnStart + width + headWidth > scroller.scrollLeft + scroller.clientWidth)
        scroller.scrollLeft = columnStart + width + headWidth - scroller.clientWidth
    }
    this.draw(true)
    this.target(row, column)?.focus({ preventScroll: true })
  }

  /** Show the panel of the cell that the address names. */
  private open(isSame: boolean): void {
    const { data } = this.page
    const { who, on } = this.state
    const identity = data.identities.findIndex(({ urn }) => urn === who)
    if (isSame && this.panel.hidden === identity < 0) return
    const wasOpen = !this.panel.hidden
    const column = this.columns.find(({ urn }) => urn === on)
    set(this.panel, 'hidden', identity < 0)
    this.panel.replaceChildren()
    if (identity >= 0) {
      const heading = panelOf(this.panel, this.page, identity, on, () => this.go({ who: '', on: '' }), hrefOf)
      this.panel.onkeydown = (event) => {
        if (event.key === 'Escape') this.go({ who: '', on: '' })
      }
      if (column) this.at = { row: this.rows.indexOf(identity), column: this.columns.indexOf(column) }
      this.draw(true)
      heading.focus({ preventScroll: matchMedia('(min-width: 60rem)').matches })
    } else if (wasOpen) {
      this.draw(true)
      this.target(this.at.row, this.at.column)?.focus()
    }
  }
}

/** Whether the window is too narrow for a grid. */
const isNarrow = () => innerWidth < 600

/** The words of a name: `publicCloudProject` has three. */
const wordsIn = (name: string): readonly string[] => name.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[:/._-])/)

/** The name in the head of a column: a wide one breaks between words, a narrow one is one line that runs upwards. */
const headWords = (name: string, isWide: boolean) => (isWide ? breakable(endsOf(shown(name), 60)) : [endsOf(shown(name), 22)])

/** A name that may be broken between its words. */
const breakable = (name: string): (HTMLElement | string)[] => wordsIn(name).flatMap((word, i) => (i > 0 ? [el('wbr'), word] : [word]))

function sized<T extends HTMLElement>(cell: T, size: number): T {
  cell.style.width = `${size}px`
  return cell
}
