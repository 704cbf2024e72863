import { place } from '../diagnostic.ts'
import { type Policy, titled } from '../policy.ts'
import type { Formula } from '../symbolic/formula.ts'
import type { Column, Matrix, MatrixCell } from '../symbolic/matrix.ts'
import { simplified } from '../symbolic/simplify.ts'
import type { Windows } from '../symbolic/windows.ts'
import type { Paint } from './colour.ts'
import { conditionWords, formulaWords } from './conditions.ts'
import { isoWords, momentWords } from './instants.ts'
import { codeSpan } from './markdown.ts'
import type { Names } from './names.ts'
import { shown } from './safe.ts'
import { placeJson, plural, some } from './words.ts'

/** Reports of `matrix`: for people, as Markdown, as CSV and as JSON. */

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

/** A policy with the place of its name. */
export function policyJson({ name, address }: Policy) {
  return { policy: name.value, ...(address !== undefined && { address }), ...placeJson(name.span) }
}

/** The same for people. */
export function policyWords({ name, address }: Policy): string {
  return `${shown(place(name.span))}  ${shown(titled(name.value, address))}`
}

/** A condition that holds at the instants that count, as people read it. */
export function whenWords(condition: Formula, { time, windows }: Times): string | undefined {
  return conditionWords(simplified(condition, time), windows)
}

const marks = { always: '', sometimes: '*', perhaps: '?' } as const

/** A cell in a word: `none`, `read`, `write*`, `all 2/5`. */
export function cellWords({ level, surety, resources }: MatrixCell, column: Column): string {
  if (level === 'none') return level
  return `${level}${marks[surety]}${resources < column.resources ? ` ${resources}/${column.resources}` : ''}`
}

export function matrixJson({ identities, columns, rows, unknownTypes, reasons }: Matrix, times: Times) {
  return {
    ...timesJson(times),
    columns: columns.map(({ name, type, resources }) => ({ name, type, resources })),
    rows: identities.map((identity, i) => ({
      identity,
      cells: (rows[i] as readonly MatrixCell[]).map(({ level, surety, resources, condition, policies, isRoot }, j) => ({
        column: columns[j]?.name,
        level,
        conditional: surety !== 'always',
        certain: surety !== 'perhaps',
        resources: level === 'none' ? 0 : resources,
        condition: level === 'none' ? null : (formulaWords(simplified(condition, times.time)) ?? null),
        reason: level === 'none' ? 'none' : isRoot ? 'root' : 'granted',
        policies: policies.map(policyJson),
      })),
    })),
    unknownTypes,
    complete: reasons.length === 0,
    reasons,
  }
}

/** A field of a CSV file (RFC 4180); one that a spreadsheet would take for a formula starts with an apostrophe. */
function field(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function matrixCsv({ identities, columns, rows }: Matrix): string {
  const lines = [
    ['identity', ...columns.map(({ name }) => name)],
    ...identities.map((identity, i) => [
      identity,
      ...(rows[i] as readonly MatrixCell[]).map((cell, j) => cellWords(cell, columns[j] as Column)),
    ]),
  ]
  return lines.map((line) => `${line.map((text) => field(shown(text))).join(',')}\n`).join('')
}

/** A line for each cell that is not `none`. */
export function matrixLines({ identities, columns, rows }: Matrix, { time, windows }: Times): string {
  return identities
    .flatMap((identity, i) =>
      (rows[i] as readonly MatrixCell[]).flatMap((cell, j) => {
        if (cell.level === 'none') return []
        const when = conditionWords(simplified(cell.condition, time), windows)
        const column = columns[j] as Column
        const parts = [
          `${shown(identity)} · ${shown(column.name)} · ${cellWords(cell, column)}`,
          ...(when === undefined ? [] : [`when ${when}`]),
          ...byWords(cell),
        ]
        return [`${parts.join(' · ')}\n`]
      }),
    )
    .join('')
}

function byWords({ policies, isRoot }: MatrixCell): readonly string[] {
  if (isRoot) return ['by owning it']
  return policies.length === 0
    ? []
    : [
        `by ${some(
          policies.map(({ name }) => shown(place(name.span))),
          mostPolicies,
        )}`,
      ]
}

/** How many rows and policies are shown, and how wide a table may be. */
const [mostRows, mostPolicies, widest] = [24, 3, 120]

/** The marks that occur, explained. */
export function legend({ rows, columns }: Matrix): readonly string[] {
  const cells = rows.flat()
  const shownLevels = new Set(cells.map(({ level }) => level))
  const isPart = rows.some((row) => row.some(({ level, resources }, j) => level !== 'none' && resources < (columns[j] as Column).resources))
  const has = (surety: MatrixCell['surety']) => cells.some((cell) => cell.level !== 'none' && cell.surety === surety)
  return [
    ...(shownLevels.has('read') ? ['read: nothing but actions that only read'] : []),
    ...(shownLevels.has('write') ? ['write: at least one action that changes something'] : []),
    ...(shownLevels.has('all') ? ['all: every action of the catalogue about the type'] : []),
    ...(has('sometimes') ? ['*: only under a condition (time, address or tags)'] : []),
    ...(has('perhaps') ? ['?: depends on facts that are not known'] : []),
    ...(isPart ? ['2/5: on 2 of 5 resources, less on the others'] : []),
  ]
}

function notes({ unknownTypes, reasons }: Matrix): readonly string[] {
  return [
    ...(unknownTypes.length === 0 ? [] : [`no action of the catalogue is about ${some(unknownTypes.map(shown))}: not shown`]),
    ...reasons,
  ]
}

const isNothing = (row: readonly MatrixCell[]) => row.every(({ level }) => level === 'none')

export function matrixText(answer: Matrix, times: Times, names: Names, paint: Paint, width = widest): string {
  const { identities, columns, rows } = answer
  const count = `${plural(identities.length, 'identity')}, ${plural(columns.length, columns.some(isOne) ? 'resource' : 'resource type')}`
  const lines = [`${paint.bold(count)}, ${timesWords(times)}`, '']
  const only = identities.length === 1 ? rows[0] : undefined
  if (only) lines.push(...oneRow(identities[0] as string, only, answer, times, names, paint))
  else lines.push(...table(answer, names, paint, width))
  const explained = legend(answer)
  if (explained.length > 0) lines.push('', ...explained.map(paint.dim))
  return `${[...lines, ...notes(answer).map((note) => `${paint.warning('note:')} ${note}`)].join('\n')}\n`
}

/** Whether a column is a resource. */
const isOne = ({ name, type }: Column) => name !== type

const titleOf = (column: Column, names: Names) => (isOne(column) ? names.resource(column.name) : shown(column.name))

/** How far a name moves the columns to the right; a longer one moves only its own row. */
const longestName = 60

function table({ identities, columns, rows }: Matrix, names: Names, paint: Paint, width: number): readonly string[] {
  const used = identities.flatMap((identity, i) => {
    const row = rows[i] as readonly MatrixCell[]
    return isNothing(row) ? [] : [{ name: names.identity(identity), cells: row.map((cell, j) => cellWords(cell, columns[j] as Column)) }]
  })
  const idle = identities.flatMap((identity, i) => (isNothing(rows[i] as readonly MatrixCell[]) ? [names.identity(identity)] : []))
  const first = used.slice(0, mostRows)
  const head = Math.min(longestName, Math.max(8, ...first.map(({ name }) => name.length)))
  const titles = columns.map((column) => titleOf(column, names))
  const widths = titles.map((title, j) => Math.max(title.length, ...first.map(({ cells }) => cells[j]?.length ?? 0)))
  let fitting = 0
  for (let total = head; fitting < widths.length; fitting++) {
    total += 2 + (widths[fitting] as number)
    if (total > width && fitting > 0) break
  }
  const line = (name: string, cells: readonly string[]) =>
    [name.padEnd(head), ...cells.slice(0, fitting).map((text, j) => text.padEnd(widths[j] as number))].join('  ').trimEnd()
  const left = columns.length - fitting
  return [
    ...(used.length > 0 ? [paint.bold(line('', titles)), ...first.map(({ name, cells }) => line(name, cells))] : []),
    ...(used.length > first.length ? [`and ${plural(used.length - first.length, 'more identity')}: \`--format csv\` lists all`] : []),
    ...(left > 0 ? [`and ${plural(left, 'more column')}: choose with \`--type\`, or \`--format csv\``] : []),
    ...(idle.length > 0 ? [`${paint.dim('nothing:')} ${some(idle, 12)}`] : []),
  ]
}

/** One identity: a line for each column, with when and why. */
function oneRow(
  identity: string,
  row: readonly MatrixCell[],
  { columns }: Matrix,
  times: Times,
  names: Names,
  paint: Paint,
): readonly string[] {
  const cells = row.flatMap((cell, j) => (cell.level === 'none' ? [] : [{ cell, column: columns[j] as Column }]))
  const idle = row.flatMap((cell, j) => (cell.level === 'none' ? [titleOf(columns[j] as Column, names)] : []))
  const mostCells = 10
  const wide = Math.max(0, ...cells.map(({ column }) => titleOf(column, names).length))
  return [
    paint.bold(names.identity(identity)),
    ...cells.slice(0, mostCells).flatMap(({ cell, column }) => {
      const when = whenWords(cell.condition, times)
      return [
        `  ${titleOf(column, names).padEnd(wide)}  ${cellWords(cell, column)}${when === undefined ? '' : `  when ${when}`}`,
        ...(cell.isRoot
          ? ['    by owning it: the owning account cannot be restricted']
          : cell.policies.slice(0, 2).map((policy) => `    by ${policyWords(policy)}`)),
        ...(cell.policies.length > 2 ? [`    and ${plural(cell.policies.length - 2, 'more policy')}`] : []),
      ]
    }),
    ...(cells.length > mostCells ? [`  and ${cells.length - mostCells} more: \`--format json\` lists all`] : []),
    ...(idle.length > 0 ? [`  ${paint.dim('none on')} ${some(idle, 12)}`] : []),
  ]
}

export function matrixMarkdown(answer: Matrix, times: Times, names: Names): string {
  const { identities, columns, rows } = answer
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const lines = [
    `## Access by resource type, ${timesWords(times)}\n`,
    line(['identity', ...columns.map((column) => codeSpan(titleOf(column, names)))]),
    `|---|${columns.map(() => '---|').join('')}`,
    ...identities.map((identity, i) =>
      line([
        codeSpan(names.identity(identity)),
        ...(rows[i] as readonly MatrixCell[]).map((cell, j) => cellWords(cell, columns[j] as Column).replaceAll('*', '\\*')),
      ]),
    ),
    '',
    ...[...legend(answer), ...notes(answer)].map((text) => `- ${text.replaceAll('*', '\\*')}`),
  ]
  return `${lines.join('\n')}\n`
}
