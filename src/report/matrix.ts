import type { Level } from '../actions/reads.ts'
import type { Formula } from '../symbolic/formula.ts'
import type { Column, Matrix, MatrixCell } from '../symbolic/matrix.ts'
import { simplified } from '../symbolic/simplify.ts'
import type { Windows } from '../symbolic/windows.ts'
import { beyondJson, beyondLines, beyondNotes } from './beyond.ts'
import { conditionWords, formulaJson } from './conditions.ts'
import { isoWords, momentWords } from './instants.ts'
import { levelsText } from './levels.ts'
import { codeSpan } from './markdown.ts'
import type { Names } from './names.ts'
import { shown } from './safe.ts'
import { linesText, placeWords, policyJson, said, some } from './words.ts'

/** Reports of `matrix` as Markdown, as CSV, as JSON and as lines; for people in `answers/matrix.ts`. */

/** The instants that an answer is about: one, or all from one on. */
export interface Times {
  readonly at: number | undefined
  readonly from: number
  /** The same as a formula. */
  readonly time: Formula
  readonly windows: Windows
}

/** The instants in words. */
export function timesWords({ at }: Pick<Times, 'at'>): string {
  return at === undefined ? 'at any time from now on' : `at ${momentWords(at)}`
}

export function timesJson({ at, from }: Times) {
  return at === undefined ? { at: null, from: isoWords(from) } : { at: isoWords(at) }
}

/** A condition that holds at the instants that count, as people read it. */
export function whenWords(condition: Formula, { time, windows }: Times): string | undefined {
  return conditionWords(simplified(condition, time), windows)
}

/** When the level of a cell is reached: `when …`, and `in part …` where not all of it is whenever the condition holds. */
export function cellWhen({ condition, isPartly }: Pick<MatrixCell, 'condition' | 'isPartly'>, times: Times): string | undefined {
  const words = whenWords(condition, times)
  const when = words === undefined ? undefined : `when ${words}`
  return isPartly ? `in part ${when ?? 'always'}` : when
}

/** How a level is written in a cell. */
export type LevelNames = Readonly<Record<Level, string>>

/** A level as a whole word. */
export const words: LevelNames = { none: 'none', read: 'read', write: 'write', all: 'all' }

/** A cell in a word: `none`, `read`, `write*`, `read; write*`, `all 2/5`; with letters `W* 2/5`. */
export function cellWords(cell: MatrixCell, column: Column, of: LevelNames = words): string {
  const isPart = cell.level !== 'none' && cell.resources < column.resources
  return `${levelsText(cell, of)}${isPart ? ` ${cell.resources}/${column.resources}` : ''}`
}

/** The cells of each identity with their columns. */
export function rowsOf({ identities, columns, rows }: Matrix) {
  return identities.map((identity, i) => ({
    identity,
    cells: (rows[i] as readonly MatrixCell[]).map((cell, j) => ({ cell, column: columns[j] as Column })),
  }))
}

export function matrixJson(answer: Matrix, times: Times) {
  const { columns, unknownTypes, beyond = [], reasons } = answer
  return {
    ...timesJson(times),
    columns: columns.map(({ name, type, resources }) => ({ name, type, resources })),
    rows: rowsOf(answer).map(({ identity, cells }) => ({
      identity,
      cells: cells.map(({ cell: { level, surety, surer, resources, condition, isPartly, policies, isRoot }, column }) => ({
        column: column.name,
        level,
        unconditional: surer?.always ?? level,
        conditional: surety !== 'always',
        certain: surety !== 'perhaps',
        resources: level === 'none' ? 0 : resources,
        condition: level === 'none' ? null : formulaJson(simplified(condition, times.time)),
        partly: level !== 'none' && isPartly,
        reason: level === 'none' ? 'none' : isRoot ? 'root' : 'granted',
        policies: policies.map(policyJson),
      })),
    })),
    unknownTypes,
    ...(beyond.length > 0 && { undescribed: beyond.map(beyondJson) }),
    complete: reasons.length === 0,
    reasons,
  }
}

/** A field of a CSV file (RFC 4180); one that a spreadsheet would take for a formula starts with an apostrophe. */
function field(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function matrixCsv(answer: Matrix): string {
  const head = ['identity', ...answer.columns.map(({ name }) => name)]
  const lines = rowsOf(answer).map(({ identity, cells }) => [identity, ...cells.map(({ cell, column }) => cellWords(cell, column))])
  return [head, ...lines].map((line) => `${line.map((text) => field(shown(text))).join(',')}\n`).join('')
}

/** A line for each cell that is not `none`, and for each grant on what is not described. */
export function matrixLines(answer: Matrix, times: Times): string {
  const lines = rowsOf(answer).flatMap(({ identity, cells }) =>
    cells.map(({ cell, column }) => {
      if (cell.level === 'none') return ''
      const when = cellWhen(cell, times)
      const places = cell.policies.map(({ name }) => placeWords(name.span))
      const by = cell.isRoot ? 'owning it' : some(places, mostPolicies)
      const parts = [shown(identity), shown(column.name), cellWords(cell, column)]
      return `${said(parts, when !== undefined && when, by !== '' && `by ${by}`).join(' · ')}\n`
    }),
  )
  return [...lines, ...(answer.beyond ?? []).flatMap(beyondLines)].join('')
}

/** How many policies are shown. */
const mostPolicies = 3

/** The marks that occur, explained. With letters, that for nothing as well. */
export function legend({ rows, columns }: Pick<Matrix, 'rows' | 'columns'>, of: LevelNames = words): readonly string[] {
  const cells = rows.flat()
  const sureOf = ({ surety, surer }: MatrixCell) => (surety === 'always' || !surer ? 'none' : surer.always)
  const isMixed = cells.some((cell) => cell.surety === 'sometimes' && sureOf(cell) === cell.level)
  const shownLevels = new Set(cells.flatMap((cell) => [cell.level, sureOf(cell)]))
  const isPart = rows.some((row) => row.some(({ level, resources }, j) => level !== 'none' && resources < (columns[j] as Column).resources))
  const has = (surety: MatrixCell['surety']) => cells.some((cell) => cell.level !== 'none' && cell.surety === surety)
  return said(
    of !== words && cells.some(({ level }) => level === 'none') && `${of.none}: nothing`,
    shownLevels.has('read') && `${of.read}: nothing but actions that only read`,
    shownLevels.has('write') && `${of.write}: at least one action that changes something`,
    shownLevels.has('all') && `${of.all}: every action of the catalogue about the type`,
    has('sometimes') && `*: only under a condition (time, address or tags)${isMixed ? ', on some of the resources at least' : ''}`,
    cells.some((cell) => sureOf(cell) !== 'none' && sureOf(cell) !== cell.level) &&
      `${of.read}; ${of.write}*: ${of.read} in any case, ${of.write} only under a condition`,
    has('perhaps') && '?: depends on facts that are not known',
    isPart && '2/5: on 2 of 5 resources, less on the others',
  )
}

/** What a reader must know besides the cells. */
export function notes({ unknownTypes, beyond = [], reasons }: Matrix, names: Names, all = false): readonly string[] {
  return said(
    beyondNotes(beyond, names, all).map((text) => `${text}; \`what IDENTITY\` lists them`),
    unknownTypes.length > 0 && `no action of the catalogue is about ${some(unknownTypes.map(shown))}: not shown`,
    reasons,
  )
}

/** Whether a column is a resource. */
export const isOne = ({ name, type }: Column) => name !== type

export const titleOf = (column: Column, names: Names) => (isOne(column) ? names.resource(column.name) : shown(column.name))

export function matrixMarkdown(answer: Matrix, times: Times, names: Names): string {
  const { columns } = answer
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const plainStars = (text: string) => text.replaceAll('*', '\\*')
  return linesText(
    `## Access by resource type, ${timesWords(times)}\n`,
    line(['identity', ...columns.map((column) => codeSpan(titleOf(column, names)))]),
    `|---|${columns.map(() => '---|').join('')}`,
    rowsOf(answer).map(({ identity, cells }) =>
      line([codeSpan(names.identity(identity)), ...cells.map(({ cell, column }) => plainStars(cellWords(cell, column)))]),
    ),
    '',
    [...legend(answer), ...notes(answer, names)].map((text) => `- ${plainStars(text)}`),
  )
}
