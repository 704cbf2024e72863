import type { Paint } from '../report/colour.ts'
import { letters } from '../report/levels.ts'
import {
  cellWhen,
  cellWords,
  isOne,
  type LevelNames,
  legend,
  notes,
  rowsOf,
  type Times,
  timesWords,
  titleOf,
  words,
} from '../report/matrix.ts'
import type { Names } from '../report/names.ts'
import { linesText, plural, policyWords, said, some } from '../report/words.ts'
import type { Column, Matrix } from '../symbolic/matrix.ts'
import { listAll, owning } from './model.ts'
import { usualWidth, wrapped } from './text.ts'
import { restWords } from './wording.ts'

/** The answer of `matrix` as people read it in a terminal. */

export interface MatrixStyle {
  readonly names: Names
  readonly paint: Paint
  readonly width?: number | undefined
  /** Every row and column, whatever the width. */
  readonly all?: boolean
}

/** How many rows, cells of one identity, and identities without access are shown. */
const [mostRows, mostCells, mostIdle] = [24, 10, 12]
/** How far a name moves the columns to the right; a longer one moves only its own row. */
const longestName = 60

export function matrixText(answer: Matrix, times: Times, style: MatrixStyle): string {
  const { identities, columns } = answer
  const { paint } = style
  const rows = rowsOf(answer)
  const count = `${plural(identities.length, 'identity')}, ${plural(columns.length, columns.some(isOne) ? 'resource' : 'resource type')}`
  const only = identities.length === 1 ? rows[0] : undefined
  const { lines, levels } = only ? { lines: oneRow(only, times, style), levels: words } : table(rows, answer, style)
  const explained = legend(answer, levels)
  return linesText(
    `${paint.bold(count)}, ${timesWords(times)}`,
    ['', ...lines],
    explained.length > 0 && ['', ...explained.map(paint.dim)],
    notes(answer, style.names, style.all).map((note) => `${paint.warning('note:')} ${note}`),
  )
}

type MatrixRow = ReturnType<typeof rowsOf>[number]

const titlesOf = (columns: readonly Column[], names: Names) => columns.map((column) => titleOf(column, names))

/** How a table is written: its levels, and whether columns have numbers in the place of their titles. */
interface Form {
  readonly levels: LevelNames
  readonly isNumbered: boolean
}

/** From the widest to the narrowest. */
const forms: readonly Form[] = [
  { levels: words, isNumbered: false },
  { levels: letters, isNumbered: false },
  { levels: letters, isNumbered: true },
]

/** A table in one form, with the width of each column. */
interface Grid extends Form {
  readonly titles: readonly string[]
  readonly cells: readonly (readonly string[])[]
  readonly widths: readonly number[]
}

function gridOf(form: Form, rows: readonly MatrixRow[], columns: readonly Column[], names: Names): Grid {
  const titles = form.isNumbered ? columns.map((_, j) => `${j + 1}`) : titlesOf(columns, names)
  const cells = rows.map((row) => row.cells.map(({ cell, column }) => cellWords(cell, column, form.levels)))
  return { ...form, titles, cells, widths: titles.map((title, j) => Math.max(title.length, ...cells.map((row) => row[j]?.length ?? 0))) }
}

/** How many columns fit beside names. */
function fittingOf({ widths }: Grid, head: number, width: number): number {
  let total = head
  const past = widths.findIndex((each) => {
    total += 2 + each
    return total > width
  })
  return past < 0 ? widths.length : Math.max(past, 1)
}

function table(
  rows: readonly MatrixRow[],
  { columns, beyond = [] }: Matrix,
  { names, paint, width = usualWidth, all = false }: MatrixStyle,
) {
  const isUsed = ({ cells }: MatrixRow) => cells.some(({ cell }) => cell.level !== 'none')
  const used = rows.filter(isUsed)
  const others = new Set(beyond.flatMap((each) => each.identities))
  const idle = rows.filter((row) => !isUsed(row) && !others.has(row.identity)).map(({ identity }) => names.identity(identity))
  const first = all ? used : used.slice(0, mostRows)
  const titles = first.map(({ identity }) => names.identity(identity))
  const head = Math.min(longestName, Math.max(8, ...titles.map((title) => title.length)))
  const grids = forms.map((form) => gridOf(form, first, columns, names))
  const grid = grids.find((each) => fittingOf(each, head, width) === columns.length) ?? (grids.at(-1) as Grid)
  const fitting = all ? columns.length : fittingOf(grid, head, width)
  const line = (name: string, cells: readonly string[]) =>
    [name.padEnd(head), ...cells.slice(0, fitting).map((text, j) => text.padEnd(grid.widths[j] as number))].join('  ').trimEnd()
  const left = columns.slice(fitting)
  const numbered = titlesOf(columns.slice(0, fitting), names).map((title, j) => `${j + 1} ${title}`)
  const rest = used.slice(first.length).map(({ identity }) => ({ who: [identity] }))
  return {
    levels: used.length > 0 ? grid.levels : words,
    lines: said(
      used.length > 0 && [
        grid.isNumbered && wrapped(numbered, width),
        paint.bold(line('', grid.titles)),
        titles.map((title, i) => line(title, grid.cells[i] as readonly string[])),
      ],
      rest.length > 0 && `${restWords(rest, 'who')}: ${listAll()}`,
      left.length > 0 &&
        used.length > 0 &&
        `${plural(left.length, 'more column')} (${some(titlesOf(left, names), 2)}): ${listAll()}, \`--type\` chooses`,
      idle.length > 0 && `${paint.dim('nothing:')} ${some(idle, all ? idle.length : mostIdle)}`,
    ),
  }
}

/** One identity: a line for each column, with when and why. */
function oneRow(row: MatrixRow, times: Times, { names, paint, all = false }: MatrixStyle): readonly string[] {
  const cells = row.cells.filter(({ cell }) => cell.level !== 'none')
  const idle = row.cells.filter(({ cell }) => cell.level === 'none').map(({ column }) => titleOf(column, names))
  const wide = Math.max(0, ...cells.map(({ column }) => titleOf(column, names).length))
  const [most, mostPolicies, mostNone] = all ? [cells.length, Number.POSITIVE_INFINITY, idle.length] : [mostCells, 2, mostIdle]
  return said(
    paint.bold(names.identity(row.identity)),
    cells.slice(0, most).map(({ cell, column }) => {
      const when = cellWhen(cell, times)
      const more = cell.policies.length - mostPolicies
      return [
        `  ${titleOf(column, names).padEnd(wide)}  ${cellWords(cell, column)}${when === undefined ? '' : `  ${when}`}`,
        cell.isRoot ? `    ${owning}` : cell.policies.slice(0, mostPolicies).map((policy) => `    by ${policyWords(policy)}`),
        !cell.isRoot && more > 0 && `    and ${plural(more, 'more policy')}`,
      ]
    }),
    cells.length > most && `  and ${cells.length - most} more: ${listAll()}`,
    idle.length > 0 && `  ${paint.dim('none on')} ${some(idle, mostNone)}`,
  )
}
