import type { Level } from '../actions/reads.ts'
import { groupedBy } from '../collections.ts'
import { compareText } from '../diagnostic.ts'
import type { Commit } from '../history/commit.ts'
import { csvLine } from '../report/csv.ts'
import { fieldsJson } from '../report/fields.ts'
import { codeSpan, prose } from '../report/markdown.ts'
import type { Names } from '../report/names.ts'
import { shown } from '../report/safe.ts'
import { firstFew, linesText, placeWords, plural, policyWords, presentParts } from '../report/words.ts'
import type { Beyond } from '../symbolic/beyond.ts'
import type { CellChange, ChangedAccess, Column, Confidence, Matrix, MatrixCell } from '../symbolic/matrix.ts'
import { simplified } from '../symbolic/simplify.ts'
import { commitJson, referenceWords } from './history.ts'
import { say } from './model.ts'
import { type TextStyle, usualWidth, wrapped } from './text.ts'
import { restWords, type Times, timesJson, timesWords, whenWords } from './wording.ts'

/** The answer of `matrix`: a table of levels of access, as text, as Markdown, as CSV, as lines and for machines. */

type LevelNames = Readonly<Record<Level, string>>
const words: LevelNames = { none: 'none', read: 'read', write: 'write', all: 'all' }
export const letters = { none: '·', read: 'R', write: 'W', all: 'A' } as const satisfies LevelNames

const marks: Readonly<Record<Confidence, string>> = { always: '', sometimes: '*', perhaps: '?' }

/** The level that needs no condition. */
const sureOf = ({ confidence, guaranteed }: Pick<MatrixCell, 'confidence' | 'guaranteed'>): Level =>
  confidence === 'always' ? 'none' : (guaranteed?.always ?? 'none')

/** The levels of a cell, with their mark: the one that needs no condition before a higher one that does. */
export function levelsText(cell: Pick<MatrixCell, 'level' | 'confidence' | 'guaranteed'>, of: LevelNames): string {
  const { level, confidence } = cell
  if (level === 'none') return of.none
  const sure = sureOf(cell)
  return `${sure === 'none' || sure === level ? '' : `${of[sure]}; `}${of[level]}${marks[confidence]}`
}

/** A cell in a word: `none`, `read`, `write*`, `read; write*`, `all 2/5`; with letters `W* 2/5`. Compared: `read → write +3 -1`. */
export function cellWords(cell: MatrixCell, column: Column, of: LevelNames = words): string {
  const now = levelWords(cell, column, of)
  if (!cell.change) return now
  const before = levelWords(cell.change.before, column, of)
  return `${before === now ? '' : `${before} → `}${now} ${changeMarks(cell.change).join(' ')}`
}

const levelWords = (cell: MatrixCell, column: Column, of: LevelNames): string =>
  `${levelsText(cell, of)}${isPart(cell, column) ? ` ${cell.resources}/${column.resources}` : ''}`

/** How many actions were added and removed: `+3`, `-1`; `+2?` where none of them is certain. */
const changeMarks = ({ gained, lost }: CellChange): readonly string[] => presentParts(markOf('+', gained), markOf('-', lost))

const markOf = (sign: string, access: readonly ChangedAccess[]) =>
  access.length > 0 && `${sign}${actionsOf(access).length}${access.some(({ certain }) => certain) ? '' : '?'}`

const actionsOf = (access: readonly ChangedAccess[]) => [...new Set(access.flatMap(({ actions }) => actions))].sort(compareText)

/** The actions that a cell gained and lost, in a line each: `+ vps:apisvc:reboot`. */
export const changedActions = ({ gained, lost }: CellChange, most: number): readonly string[] =>
  presentParts(
    (
      [
        ['+', gained],
        ['-', lost],
      ] as const
    ).map(([sign, access]) => access.length > 0 && `${sign} ${firstFew(actionsOf(access), most)}`),
  )

const isPart = ({ level, resources }: MatrixCell, column: Column) => level !== 'none' && resources < column.resources

/** When the level of a cell is reached: `when …`, and `in part …` where not all of it is whenever the condition holds. */
function cellWhen({ level, condition, isPartly }: MatrixCell, times: Times): string | undefined {
  if (level === 'none') return undefined
  const words = whenWords(condition, times)
  const when = words === undefined ? undefined : `when ${words}`
  return isPartly ? `in part ${when ?? 'always'}` : when
}

/** The cells of each identity with their columns, and those of them that give access. */
const rowsOf = ({ identities, columns, rows }: Matrix) =>
  identities.map((identity, i) => {
    const cells = (rows[i] ?? []).map((cell, j) => ({ cell, column: columns[j] as Column }))
    return { identity, cells, used: cells.filter(({ cell }) => cell.level !== 'none' || cell.change) }
  })
type MatrixRow = ReturnType<typeof rowsOf>[number]

/** A matrix, or one of which the cells say what changed since a commit. */
export interface MatrixAnswer extends Matrix {
  readonly since?: MatrixSince
}

/** The comparison with a commit, counted over all cells. */
export interface MatrixSince {
  readonly commit: Commit
  readonly cells: number
  readonly changed: number
  readonly gained: number
  readonly lost: number
  /** How many identities, and columns, were left out since no cell of theirs changed; undefined where none is. */
  readonly hidden: { readonly identities: number; readonly columns: number } | undefined
}

/** A matrix compared with that of a commit. `isWhole`: also the identities and columns of which no cell changed. */
export function matrixSince(answer: Matrix, commit: Commit, isWhole: boolean): MatrixAnswer {
  const { identities, columns, rows } = answer
  const cells = rows.flat()
  const having = (is: (change: CellChange) => boolean) => cells.filter(({ change }) => change && is(change)).length
  const changedRows = [...rows.keys()].filter((i) => rows[i]?.some(({ change }) => change))
  const changedColumns = [...columns.keys()].filter((j) => changedRows.some((i) => rows[i]?.[j]?.change))
  const counts = {
    commit,
    cells: cells.length,
    changed: having(() => true),
    gained: having(({ gained }) => gained.length > 0),
    lost: having(({ lost }) => lost.length > 0),
  }
  if (isWhole) return { ...answer, since: { ...counts, hidden: undefined } }
  const hidden = { identities: identities.length - changedRows.length, columns: columns.length - changedColumns.length }
  const some = <T>(list: readonly T[], places: readonly number[]) => places.map((place) => list[place] as T)
  return {
    ...answer,
    identities: some(identities, changedRows),
    columns: some(columns, changedColumns),
    rows: some(rows, changedRows).map((row) => some(row, changedColumns)),
    since: { ...counts, hidden },
  }
}

/** `since 9d0f11a (dave, 2026-09-01, #171): 3 of 28 cells changed, access added in 2 (+), removed in 1 (-)` */
export function sinceWords({ since, reasons }: MatrixAnswer): string | undefined {
  if (!since) return undefined
  const { cells, changed, gained, lost, commit } = since
  const sides = presentParts(gained > 0 && `added in ${gained} (+)`, lost > 0 && `removed in ${lost} (-)`).join(', ')
  const of = plural(cells, 'cell')
  const none = reasons.length > 0 ? `no change found in ${of}` : `0 of ${of} changed`
  const words = changed === 0 ? none : `${changed} of ${of} changed, access ${sides}`
  return `since ${referenceWords(commit)}: ${words}`
}

const isOne = ({ name, type }: Column) => name !== type
const titleOf = (column: Column, names: Names) => (isOne(column) ? names.resource(column.name) : shown(column.name))

export function matrixJson(answer: MatrixAnswer, times: Times) {
  const { columns, unknownTypes, beyond = [], reasons, since } = answer
  return {
    ...timesJson(times),
    ...(since && { since: { commit: commitJson(since.commit), ...fieldsJson(since, 'cells', 'changed', 'gained', 'lost') } }),
    columns: columns.map((column) => fieldsJson(column, 'name', 'type', 'resources')),
    rows: rowsOf(answer).map(({ identity, cells }) => ({
      identity,
      cells: cells.map(({ cell, column }) => ({
        column: column.name,
        ...levelJson(cell, times),
        ...fieldsJson(cell, 'policies'),
        ...(since && { change: cell.change ? changeJson(cell.change, times) : null }),
      })),
    })),
    unknownTypes,
    ...(beyond.length > 0 && { undescribed: beyond.map(beyondJson) }),
    complete: reasons.length === 0,
    reasons,
  }
}

function levelJson({ level, confidence, guaranteed, resources, condition, isPartly, isRoot }: MatrixCell, { time }: Times) {
  const isNone = level === 'none'
  return {
    level,
    unconditional: guaranteed?.always ?? level,
    conditional: confidence !== 'always',
    certain: confidence !== 'perhaps',
    resources: isNone ? 0 : resources,
    condition: isNone ? null : fieldsJson({ condition: simplified(condition, time) }, 'condition').condition,
    partly: !isNone && isPartly,
    reason: isNone ? 'none' : isRoot ? 'root' : 'granted',
  }
}

const changeJson = ({ before, gained, lost }: CellChange, times: Times) => ({
  before: levelJson(before, times),
  gained: gained.map(changedJson),
  lost: lost.map(changedJson),
})

const changedJson = (access: ChangedAccess) => fieldsJson(access, 'actions', 'resources', 'condition', 'certain')

const policiesOf = ({ row }: Beyond) => [...new Set(row.clauses.map(({ policy }) => policy))]

const beyondJson = (beyond: Beyond) => ({
  identities: beyond.identities,
  resources: [beyond.resource],
  actions: beyond.actions,
  ...fieldsJson(beyond.row, 'except', 'condition', 'verdict'),
  ...fieldsJson({ policies: policiesOf(beyond) }, 'policies'),
})

export function matrixCsv(answer: Matrix): string {
  const head = ['identity', ...answer.columns.map(({ name }) => name)]
  const lines = rowsOf(answer).map(({ identity, cells }) => [identity, ...cells.map(({ cell, column }) => cellWords(cell, column))])
  return [head, ...lines].map(csvLine).join('')
}

/** A line for each cell that is not `none`, or that changed, and for each grant on what is not described. */
export function matrixLines(answer: MatrixAnswer, times: Times): string {
  const by = (policies: MatrixCell['policies']) => {
    const places = policies.map(({ name }) => placeWords(name.span))
    return places.length > 0 && `by ${firstFew(places, 3)}`
  }
  const lines = rowsOf(answer).flatMap(({ identity, used }) =>
    (answer.since?.hidden ? used.filter(({ cell }) => cell.change) : used).map(({ cell, column }) => {
      const why = cell.isRoot ? 'by owning it' : by(cell.policies)
      const changed = cell.change ? changedActions(cell.change, 3) : []
      return presentParts(shown(identity), shown(column.name), cellWords(cell, column), cellWhen(cell, times), changed, why)
    }),
  )
  const beyond = (answer.beyond ?? []).flatMap((each) => {
    const which = each.isDescribed ? 'others than described' : 'none described'
    return each.identities.map((identity) => presentParts(shown(identity), shown(each.resource), which, by(policiesOf(each))))
  })
  return [...lines, ...beyond].map((parts) => `${parts.join(' · ')}\n`).join('')
}

/** The marks that occur, explained. With letters, that for nothing as well. */
export function legend({ rows, columns }: Pick<Matrix, 'rows' | 'columns'>, of: LevelNames = words): readonly string[] {
  const now = rows.flatMap((row) => row.map((cell, j) => ({ cell, column: columns[j] as Column })))
  const changed = now.filter(({ cell }) => cell.change)
  const shownCells = [...now, ...changed.flatMap(({ cell, column }) => (cell.change ? [{ cell: cell.change.before, column }] : []))]
  const cells = shownCells.map(({ cell }) => cell)
  const levels = new Set(cells.flatMap((cell) => [cell.level, sureOf(cell)]))
  const has = (confidence: Confidence) => cells.some((cell) => cell.level !== 'none' && cell.confidence === confidence)
  const marks = changed.map(({ cell, column }) => cellWords(cell, column, of))
  const isMixed = cells.some((cell) => cell.confidence === 'sometimes' && sureOf(cell) === cell.level)
  return presentParts(
    of !== words && levels.has('none') && cells.some(({ level }) => level === 'none') && `${of.none}: nothing`,
    levels.has('read') && `${of.read}: nothing but actions that only read`,
    levels.has('write') && `${of.write}: at least one action that changes something`,
    levels.has('all') && `${of.all}: every action of the catalogue about the type`,
    has('sometimes') && `*: only under a condition (time, address or tags)${isMixed ? ', on some of the resources at least' : ''}`,
    cells.some((cell) => sureOf(cell) !== 'none' && sureOf(cell) !== cell.level) &&
      `${of.read}; ${of.write}*: ${of.read} in any case, ${of.write} only under a condition`,
    has('perhaps') && '?: depends on facts that are not known',
    shownCells.some(({ cell, column }) => isPart(cell, column)) && '2/5: on 2 of 5 resources, less on the others',
    marks.some((text) => text.includes(' → ')) && `${of.read} → ${of.write}: the level then and now`,
    marks.some((text) => text.includes(' +')) && '+3: 3 actions more than then, on some of the resources or at some times',
    marks.some((text) => text.includes(' -')) && '-3: 3 actions fewer than then, on some of the resources or at some times',
    marks.some((text) => / [+-]\d+\?/.test(text)) && '+3?, -3?: whether so depends on facts that are not known',
  )
}

/** That identities are granted something on resources that no cell is about: so many patterns are named, and identities of each. */
export function beyondNotes(beyond: readonly Beyond[], names: Pick<Names, 'identity' | 'resource'>, all = false): readonly string[] {
  const [mostPatterns, mostIdentities] = all ? [beyond.length, Number.POSITIVE_INFINITY] : [8, 4]
  const of = (isDescribed: boolean, words: string) => {
    const matching = beyond.filter((each) => each.isDescribed === isDescribed)
    const parts = [...groupedBy(matching, ({ resource }) => resource)].map(([resource, grants]) => {
      const who = [...new Set(grants.flatMap(({ identities }) => identities))].map((urn) => names.identity(urn))
      return `${firstFew(who, mostIdentities)} on ${names.resource(resource)}`
    })
    return parts.length > 0 && `not shown: grants ${words}: ${firstFew(parts, mostPatterns)}`
  }
  return presentParts(of(false, say.noneDescribed), of(true, say.othersThanDescribed))
}

/** Notes on the parts that the comparison leaves out. */
export const sinceNotes = ({ since, beyond = [] }: MatrixAnswer): readonly string[] =>
  presentParts(
    since?.hidden &&
      since.hidden.identities + since.hidden.columns > 0 &&
      `not shown, since nothing changed: ${presentParts(
        since.hidden.identities > 0 && plural(since.hidden.identities, 'identity'),
        since.hidden.columns > 0 && plural(since.hidden.columns, 'column'),
      ).join(' and ')}; ${say.showAll()}`,
    since && beyond.length > 0 && 'grants that no cell is about are not compared: `grantwise diff --since` compares them',
  )

const notes = (answer: MatrixAnswer, names: Names, all = false): readonly string[] => {
  const { unknownTypes, beyond = [], reasons } = answer
  return presentParts(
    sinceNotes(answer),
    beyondNotes(beyond, names, all).map((text) => `${text}; \`what IDENTITY\` lists them`),
    unknownTypes.length > 0 && `no action of the catalogue is about ${firstFew(unknownTypes.map(shown))}: not shown`,
    reasons,
  )
}

const mostActions = 8

/** A line for each cell that changed: the actions that it gained and lost. */
export const changeLines = (answer: MatrixAnswer, names: Names): readonly string[] =>
  rowsOf(answer).flatMap(({ identity, cells }) =>
    cells.flatMap(({ cell, column }) => {
      if (!cell.change) return []
      return [`${names.identity(identity)} on ${titleOf(column, names)}: ${changedActions(cell.change, mostActions).join('; ')}`]
    }),
  )

export function matrixMarkdown(answer: MatrixAnswer, times: Times, names: Names): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const plainStars = (text: string) => text.replaceAll('*', '\\*')
  return linesText(
    `## Access by resource type, ${timesWords(times)}\n`,
    answer.since && `${prose(sinceWords(answer) ?? '')}\n`,
    line(['identity', ...answer.columns.map((column) => codeSpan(titleOf(column, names)))]),
    `|---|${answer.columns.map(() => '---|').join('')}`,
    rowsOf(answer).map(({ identity, cells }) =>
      line([codeSpan(names.identity(identity)), ...cells.map(({ cell, column }) => plainStars(cellWords(cell, column)))]),
    ),
    '',
    [...changeLines(answer, names), ...legend(answer), ...notes(answer, names)].map((text) => `- ${plainStars(text)}`),
  )
}

/** `7 identities, 4 resource types`, those that are left out included. */
export function countsWords({ identities, columns, since }: MatrixAnswer): string {
  const hidden = since?.hidden ?? { identities: 0, columns: 0 }
  const noun = columns.some(isOne) ? 'resource' : 'resource type'
  return `${plural(identities.length + hidden.identities, 'identity')}, ${plural(columns.length + hidden.columns, noun)}`
}

export type MatrixStyle = Omit<TextStyle, 'wording'> & { readonly names: Names }

const [mostRows, mostCells, mostIdle] = [24, 10, 12]
/** How far a name moves the columns to the right; a longer one moves only its own row. */
const longestName = 60

export function matrixText(answer: MatrixAnswer, times: Times, style: MatrixStyle): string {
  const { paint } = style
  const rows = rowsOf(answer)
  const [only] = rows
  const { lines, levels } = rows.length === 1 && only ? { lines: oneRow(only, times, style), levels: words } : table(rows, answer, style)
  const explained = legend(answer, levels)
  const since = sinceWords(answer)
  return linesText(
    `${paint.bold(countsWords(answer))}, ${timesWords(times)}`,
    since,
    lines.length > 0 && ['', lines],
    explained.length > 0 && ['', explained.map(paint.dim)],
    notes(answer, style.names, style.all).map((note) => `${paint.warning('note:')} ${note}`),
  )
}

/** A line for each identity that has access, and the identities that have none. */
function table(rows: readonly MatrixRow[], answer: Matrix, { names, paint, width = usualWidth, all = false }: MatrixStyle) {
  const others = new Set(answer.beyond?.flatMap(({ identities }) => identities))
  const used = rows.filter((row) => row.used.length > 0)
  const idle = rows.filter((row) => !used.includes(row) && !others.has(row.identity)).map(({ identity }) => names.identity(identity))
  const first = all ? used : used.slice(0, mostRows)
  const titles = answer.columns.map((column) => titleOf(column, names))
  const head = Math.min(longestName, Math.max(8, ...first.map(({ identity }) => names.identity(identity).length)))
  /** With whole words, with letters, or with numbers in the place of titles as well: as many columns as fit next to the names. */
  const gridOf = (levels: LevelNames, heads = titles) => {
    const texts = first.map(({ cells }) => cells.map(({ cell, column }) => cellWords(cell, column, levels)))
    const widths = heads.map((title, j) => Math.max(title.length, ...texts.map((row) => row[j]?.length ?? 0)))
    const wideTo = (last: number) => widths.slice(0, last + 1).reduce((sum, each) => sum + 2 + each, head)
    const past = widths.findIndex((_, last) => wideTo(last) > width)
    return { levels, heads, texts, widths, fitting: past < 0 ? titles.length : Math.max(past, 1) }
  }
  const numbers = titles.map((_, j) => `${j + 1}`)
  const numbered = gridOf(letters, numbers)
  const grid = [gridOf(words), gridOf(letters)].find((each) => each.fitting === titles.length) ?? numbered
  const fitting = all ? titles.length : grid.fitting
  const line = (name: string, cells: readonly string[]) =>
    [name.padEnd(head), ...cells.slice(0, fitting).map((text, j) => text.padEnd(grid.widths[j] as number))].join('  ').trimEnd()
  const [hiddenTitles, named] = [titles.slice(fitting), titles.map((title, j) => `${numbers[j]} ${title}`)]
  const rest = used.slice(first.length).map(({ identity }) => ({ who: [identity] }))
  return {
    levels: used.length > 0 ? grid.levels : words,
    lines: presentParts(
      used.length > 0 && [
        grid === numbered && wrapped(named.slice(0, fitting), width),
        paint.bold(line('', grid.heads)),
        first.map(({ identity }, i) => line(names.identity(identity), grid.texts[i] ?? [])),
        rest.length > 0 && `${restWords(rest, 'who')}: ${say.listAll()}`,
        hiddenTitles.length > 0 &&
          `${plural(hiddenTitles.length, 'more column')} (${firstFew(hiddenTitles, 2)}): ${say.showAll()}, \`--type\` chooses`,
      ],
      idle.length > 0 && `${paint.dim('nothing:')} ${firstFew(idle, all ? idle.length : mostIdle)}`,
    ),
  }
}

/** One identity: a line for each column, with when and why. */
function oneRow({ identity, cells, used }: MatrixRow, times: Times, { names, paint, all = false }: MatrixStyle): readonly string[] {
  const idle = cells.filter((each) => !used.includes(each)).map(({ column }) => titleOf(column, names))
  const wide = Math.max(0, ...used.map(({ column }) => titleOf(column, names).length))
  const [most, mostBy, mostNone] = all ? [used.length, Number.POSITIVE_INFINITY, idle.length] : [mostCells, 2, mostIdle]
  return presentParts(
    paint.bold(names.identity(identity)),
    used
      .slice(0, most)
      .map(({ cell, column }) => [
        `  ${presentParts(titleOf(column, names).padEnd(wide), cellWords(cell, column), cellWhen(cell, times)).join('  ')}`,
        cell.change && changedActions(cell.change, all ? Number.POSITIVE_INFINITY : mostActions).map((line) => `    ${line}`),
        cell.isRoot ? `    ${say.owning}` : cell.policies.slice(0, mostBy).map((policy) => `    by ${policyWords(policy)}`),
        !cell.isRoot && cell.policies.length > mostBy && `    and ${plural(cell.policies.length - mostBy, 'more policy')}`,
      ]),
    used.length > most && `  and ${used.length - most} more: ${say.listAll()}`,
    idle.length > 0 && `  ${paint.dim('none on')} ${firstFew(idle, mostNone)}`,
  )
}
