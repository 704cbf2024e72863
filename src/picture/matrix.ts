import {
  beyondNotes,
  cellWords,
  changedActions,
  changeLines,
  countsWords,
  legend,
  type MatrixAnswer,
  sinceNotes,
  sinceWords,
} from '../answers/matrix.ts'
import { type Times, timesWords } from '../answers/wording.ts'
import { sha256 } from '../lint/sha256.ts'
import type { Names } from '../report/names.ts'
import { shown } from '../report/safe.ts'
import { plural } from '../report/words.ts'
import type { Column, MatrixCell } from '../symbolic/matrix.ts'
import { drawing, type Picture, part, rounded, svgText, textWidth, truncated, truncatedAmid } from './element.ts'
import { withEnds } from './short-names.ts'

/** The access matrix as a picture, and as a page without any script. */

const [cellHeight, margin, headSize] = [26, 20, 13]
const [mostRows, mostColumns] = [200, 60]

interface Table {
  readonly title: string
  readonly since: string | undefined
  readonly columns: readonly string[]
  readonly rows: readonly { readonly name: string; readonly urn: string; readonly cells: readonly MatrixCell[] }[]
  readonly notes: readonly string[]
}

function tableOf(answer: MatrixAnswer, times: Times, names: Names): Table {
  const { identities, columns, rows, beyond = [], reasons } = answer
  const omitted = [
    ...(identities.length > mostRows ? [plural(identities.length - mostRows, 'more identity')] : []),
    ...(columns.length > mostColumns ? [plural(columns.length - mostColumns, 'more column')] : []),
  ]
  return {
    title: `${countsWords(answer)}, ${timesWords(times)}`,
    since: sinceWords(answer),
    columns: columns
      .slice(0, mostColumns)
      .map((column) => (column.name === column.type ? shown(column.name) : names.resource(column.name))),
    rows: identities.slice(0, mostRows).map((urn, i) => ({
      name: names.identity(urn),
      urn,
      cells: (rows[i] as readonly MatrixCell[]).slice(0, mostColumns),
    })),
    notes: [
      ...legend(answer),
      ...sinceNotes(answer),
      ...(omitted.length > 0 ? [`Not shown: ${omitted.join(' and ')}. --format csv lists all.`] : []),
      ...beyondNotes(beyond, names),
      ...reasons,
    ],
  }
}

function cellTitle(name: string, column: string, cell: MatrixCell): string {
  const { level, confidence, policies, isRoot, guaranteed } = cell
  const first =
    confidence === 'always' || guaranteed === undefined || guaranteed.always === 'none' || guaranteed.always === level
      ? ''
      : `${guaranteed.always} in any case; `
  const sure =
    level === 'none' || confidence === 'always' ? '' : confidence === 'sometimes' ? ', under a condition' : ', depends on unknown facts'
  const by = isRoot
    ? ', by owning it'
    : policies.length === 0
      ? ''
      : `, by ${policies
          .slice(0, 3)
          .map((each) => shown(each.name.value))
          .join(', ')}`
  const changed = cell.change ? changedActions(cell.change, 8).map((line) => `; ${line}`) : []
  return `${name} on ${column}: ${first}${level}${sure}${by}${changed.join('')}`
}

export function matrixSvg(answer: MatrixAnswer, times: Times, names: Names): Picture {
  const { title, since, columns, rows, notes } = tableOf(answer, times, names)
  const nameWidth = Math.min(300, Math.max(120, ...rows.map(({ name }) => textWidth(withEnds(name), 12) + 16)))
  const words = rows.map(({ cells }) => cells.map((cell, j) => cellWords(cell, answer.columns[j] as Column)))
  const cellWidth = Math.max(58, ...words.flat().map((each) => textWidth(each, 12) + 14))
  // Titles that are wider than their cells are slanted.
  const widestHead = Math.min(200, Math.max(0, ...columns.map((each) => textWidth(each, headSize))))
  const isAslant = widestHead > cellWidth - 8
  const headRoom = isAslant ? widestHead * 0.75 + 8 : 24
  const top = 44 + headRoom + (since === undefined ? 0 : 20)
  const lean = isAslant ? headRoom : 0
  const width = Math.max(420, 2 * margin + textWidth(since ?? '', 11), 2 * margin + nameWidth + columns.length * cellWidth + lean)
  const bottom = top + rows.length * cellHeight
  const height = bottom + 18 + notes.length * 18 + margin / 2
  const gridLeft = margin + nameWidth
  return drawing(
    { width, height },
    `Access matrix: ${title}`,
    descriptionOf(columns, rows, words),
    [
      part(
        'defs',
        {},
        part(
          'pattern',
          { id: 'hatch', width: 7, height: 7, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
          part('path', { class: 'hatch', d: 'M0 0v7' }),
        ),
      ),
    ],
    part('text', { class: 'title', x: margin, y: margin + 8 }, truncated(title, width - 2 * margin, 16)),
    ...(since === undefined ? [] : [part('text', { class: 'note', x: margin, y: margin + 28 }, truncated(since, width - 2 * margin, 11))]),
    ...columns.map((column, j) => {
      const x = rounded(gridLeft + (j + 0.5) * cellWidth)
      const text = truncated(column, isAslant ? 200 : cellWidth, headSize)
      return isAslant
        ? part('text', { class: 'head', transform: `translate(${x} ${top - 8}) rotate(-45)` }, part('title', {}, column), text)
        : part('text', { class: 'head', x, y: top - 8, 'text-anchor': 'middle' }, text)
    }),
    ...rows.map(({ name, urn, cells }, i) =>
      part(
        'g',
        { transform: `translate(0 ${top + i * cellHeight})` },
        part('text', { class: 'name', x: margin, y: 17 }, part('title', {}, urn), truncatedAmid(withEnds(name), nameWidth - 10, 12)),
        ...cells.map((cell, j) => {
          const box = { x: rounded(gridLeft + j * cellWidth), y: 0, width: rounded(cellWidth), height: cellHeight }
          const isSure = cell.level === 'none' || cell.confidence === 'always'
          return part(
            'g',
            { class: cell.level },
            part('title', {}, cellTitle(name, columns[j] as string, cell)),
            part('rect', { class: `cell ${cell.level}`, ...box }),
            ...(isSure ? [] : [part('rect', { fill: 'url(#hatch)', ...box })]),
            ...(cell.change ? [part('rect', { class: 'changed', ...inset(box) })] : []),
            part(
              'text',
              { x: rounded(gridLeft + (j + 0.5) * cellWidth), y: 17, 'text-anchor': 'middle' },
              (words[i] as readonly string[])[j] as string,
            ),
          )
        }),
      ),
    ),
    ...notes.map((note, i) => part('text', { class: 'note', x: margin, y: bottom + 26 + i * 18 }, truncated(note, width - 2 * margin, 11))),
  )
}

const inset = ({ x, y, width, height }: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }) => ({
  x: x + 1.5,
  y: y + 1.5,
  width: rounded(width - 3),
  height: height - 3,
})

/** The rows as sentences, as many as one listens to. */
function descriptionOf(columns: readonly string[], rows: Table['rows'], words: readonly (readonly string[])[]): string {
  const each = rows.slice(0, 30).map(({ name }, i) => {
    const own = columns.flatMap((column, j) => (words[i]?.[j] === 'none' ? [] : [`${column} ${words[i]?.[j]}`]))
    return `${name}: ${own.join(', ') || 'nothing'}`
  })
  return `${each.join('. ')}${rows.length > each.length ? `, and ${rows.length - each.length} more` : ''}.`
}

const pageSheet = `
:root{color-scheme:light dark}
body{margin:1.5rem;font:15px/1.4 system-ui,"Segoe UI",Roboto,Arial,sans-serif;color:light-dark(#1f2328,#e6edf3);background:light-dark(#fff,#0d1117)}
h1{font-size:1.3rem}
div{overflow-x:auto}
table{border-collapse:collapse}
th,td{border:1px solid light-dark(#d0d7de,#3d444d);padding:.3rem .6rem;text-align:left}
thead th{position:sticky;top:0;background:light-dark(#f6f8fa,#161b22)}
td{text-align:center}
.none{color:light-dark(#57606a,#9ea7b3)}
.read{background-color:light-dark(#d3e7fb,#133a5e)}
.write{background-color:light-dark(#fbe3b5,#5a4005)}
.all{background-color:light-dark(#f7c9c4,#6e2621)}
.unsure{background-image:repeating-linear-gradient(135deg,transparent 0 6px,light-dark(#0002,#fff2) 6px 8px)}
.changed{outline:2px solid currentColor;outline-offset:-3px}
@media print{.read,.write,.all,.unsure{print-color-adjust:exact}}
`

/** A page that holds the table and nothing that runs. */
export function matrixHtml(answer: MatrixAnswer, times: Times, names: Names): string {
  const { title, since, columns, rows, notes } = tableOf(answer, times, names)
  const policy = `default-src 'none'; style-src 'sha256-${base64(sha256(pageSheet))}'; base-uri 'none'; form-action 'none'`
  const body = part(
    'body',
    {},
    part('h1', {}, 'Access matrix'),
    part('p', {}, title),
    ...(since === undefined ? [] : [part('p', {}, since)]),
    part(
      'div',
      { tabindex: 0, role: 'region', 'aria-label': 'Access matrix' },
      part(
        'table',
        {},
        part(
          'thead',
          {},
          part('tr', {}, part('th', { scope: 'col' }, 'identity'), ...columns.map((each) => part('th', { scope: 'col' }, each))),
        ),
        part(
          'tbody',
          {},
          ...rows.map(({ name, urn, cells }) =>
            part(
              'tr',
              {},
              part('th', { scope: 'row', title: urn }, name),
              ...cells.map((cell, j) =>
                part(
                  'td',
                  {
                    class: `${cell.level}${cell.level === 'none' || cell.confidence === 'always' ? '' : ' unsure'}${cell.change ? ' changed' : ''}`,
                    title: cellTitle(name, columns[j] as string, cell),
                  },
                  cellWords(cell, answer.columns[j] as Column),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
    part('ul', {}, ...[...changeLines(answer, names), ...notes].map((note) => part('li', {}, note))),
  )
  const head = part(
    'head',
    {},
    part('meta', { charset: 'utf-8' }),
    part('meta', { 'http-equiv': 'Content-Security-Policy', content: policy }),
    part('meta', { name: 'viewport', content: 'width=device-width,initial-scale=1' }),
    part('title', {}, `Access matrix: ${title}`),
    part('style', {}, pageSheet),
  )
  return `<!doctype html>\n${svgText(part('html', { lang: 'en' }, head, body))}`
}

/** Hexadecimal digits as base64. */
function base64(hex: string): string {
  return btoa(String.fromCharCode(...(hex.match(/../g) ?? []).map((each) => Number.parseInt(each, 16))))
}
