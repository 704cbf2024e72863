import type { Level } from '../actions/reads.ts'
import { groupedBy } from '../collections.ts'
import { fieldsJson } from '../report/fields.ts'
import { codeSpan } from '../report/markdown.ts'
import type { Names } from '../report/names.ts'
import { shown } from '../report/safe.ts'
import { firstFew, linesText, placeWords, plural, policyWords, presentParts } from '../report/words.ts'
import type { Beyond } from '../symbolic/beyond.ts'
import type { Column, Confidence, Matrix, MatrixCell } from '../symbolic/matrix.ts'
import { simplified } from '../symbolic/simplify.ts'
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

/** A cell in a word: `none`, `read`, `write*`, `read; write*`, `all 2/5`; with letters `W* 2/5`. */
export const cellWords = (cell: MatrixCell, column: Column, of: LevelNames = words): string =>
  `${levelsText(cell, of)}${isPart(cell, column) ? ` ${cell.resources}/${column.resources}` : ''}`

const isPart = ({ level, resources }: MatrixCell, column: Column) => level !== 'none' && resources < column.resources

/** When the level of a cell is reached: `when …`, and `in part …` where not all of it is whenever the condition holds. */
function cellWhen({ condition, isPartly }: MatrixCell, times: Times): string | undefined {
  const words = whenWords(condition, times)
  const when = words === undefined ? undefined : `when ${words}`
  return isPartly ? `in part ${when ?? 'always'}` : when
}

/** The cells of each identity with their columns, and those of them that give access. */
const rowsOf = ({ identities, columns, rows }: Matrix) =>
  identities.map((identity, i) => {
    const cells = (rows[i] ?? []).map((cell, j) => ({ cell, column: columns[j] as Column }))
    return { identity, cells, used: cells.filter(({ cell }) => cell.level !== 'none') }
  })
type MatrixRow = ReturnType<typeof rowsOf>[number]

const isOne = ({ name, type }: Column) => name !== type
const titleOf = (column: Column, names: Names) => (isOne(column) ? names.resource(column.name) : shown(column.name))

export function matrixJson(answer: Matrix, times: Times) {
  const { columns, unknownTypes, beyond = [], reasons } = answer
  return {
    ...timesJson(times),
    columns: columns.map((column) => fieldsJson(column, 'name', 'type', 'resources')),
    rows: rowsOf(answer).map(({ identity, cells }) => ({
      identity,
      cells: cells.map(({ cell, column }) => {
        const { level, confidence, guaranteed, resources, condition, isPartly, isRoot } = cell
        const isNone = level === 'none'
        return {
          column: column.name,
          level,
          unconditional: guaranteed?.always ?? level,
          conditional: confidence !== 'always',
          certain: confidence !== 'perhaps',
          resources: isNone ? 0 : resources,
          condition: isNone ? null : fieldsJson({ condition: simplified(condition, times.time) }, 'condition').condition,
          partly: !isNone && isPartly,
          reason: isNone ? 'none' : isRoot ? 'root' : 'granted',
          ...fieldsJson(cell, 'policies'),
        }
      }),
    })),
    unknownTypes,
    ...(beyond.length > 0 && { undescribed: beyond.map(beyondJson) }),
    complete: reasons.length === 0,
    reasons,
  }
}

const policiesOf = ({ row }: Beyond) => [...new Set(row.clauses.map(({ policy }) => policy))]

const beyondJson = (beyond: Beyond) => ({
  identities: beyond.identities,
  resources: [beyond.resource],
  actions: beyond.actions,
  ...fieldsJson(beyond.row, 'except', 'condition', 'verdict'),
  ...fieldsJson({ policies: policiesOf(beyond) }, 'policies'),
})

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
  const by = (policies: MatrixCell['policies']) => {
    const places = policies.map(({ name }) => placeWords(name.span))
    return places.length > 0 && `by ${firstFew(places, 3)}`
  }
  const lines = rowsOf(answer).flatMap(({ identity, used }) =>
    used.map(({ cell, column }) => {
      const why = cell.isRoot ? 'by owning it' : by(cell.policies)
      return presentParts(shown(identity), shown(column.name), cellWords(cell, column), cellWhen(cell, times), why)
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
  const cells = rows.flat()
  const levels = new Set(cells.flatMap((cell) => [cell.level, sureOf(cell)]))
  const has = (confidence: Confidence) => cells.some((cell) => cell.level !== 'none' && cell.confidence === confidence)
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
    rows.some((row) => row.some((cell, j) => isPart(cell, columns[j] as Column))) && '2/5: on 2 of 5 resources, less on the others',
  )
}

/** That identities are granted something on resources that no cell is about: so many patterns are named, and identities of each. */
export function beyondNotes(beyond: readonly Beyond[], names: Pick<Names, 'identity' | 'resource'>, all = false): readonly string[] {
  const [mostPatterns, mostIdentities] = all ? [beyond.length, Number.POSITIVE_INFINITY] : [8, 4]
  const of = (isDescribed: boolean, words: string) => {
    const own = beyond.filter((each) => each.isDescribed === isDescribed)
    const parts = [...groupedBy(own, ({ resource }) => resource)].map(([resource, grants]) => {
      const who = [...new Set(grants.flatMap(({ identities }) => identities))].map((urn) => names.identity(urn))
      return `${firstFew(who, mostIdentities)} on ${names.resource(resource)}`
    })
    return parts.length > 0 && `not shown: grants ${words}: ${firstFew(parts, mostPatterns)}`
  }
  return presentParts(of(false, say.noneDescribed), of(true, say.othersThanDescribed))
}

const notes = ({ unknownTypes, beyond = [], reasons }: Matrix, names: Names, all = false): readonly string[] =>
  presentParts(
    beyondNotes(beyond, names, all).map((text) => `${text}; \`what IDENTITY\` lists them`),
    unknownTypes.length > 0 && `no action of the catalogue is about ${firstFew(unknownTypes.map(shown))}: not shown`,
    reasons,
  )

export function matrixMarkdown(answer: Matrix, times: Times, names: Names): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const plainStars = (text: string) => text.replaceAll('*', '\\*')
  return linesText(
    `## Access by resource type, ${timesWords(times)}\n`,
    line(['identity', ...answer.columns.map((column) => codeSpan(titleOf(column, names)))]),
    `|---|${answer.columns.map(() => '---|').join('')}`,
    rowsOf(answer).map(({ identity, cells }) =>
      line([codeSpan(names.identity(identity)), ...cells.map(({ cell, column }) => plainStars(cellWords(cell, column)))]),
    ),
    '',
    [...legend(answer), ...notes(answer, names)].map((text) => `- ${plainStars(text)}`),
  )
}

export type MatrixStyle = Omit<TextStyle, 'wording'> & { readonly names: Names }

const [mostRows, mostCells, mostIdle] = [24, 10, 12]
/** How far a name moves the columns to the right; a longer one moves only its own row. */
const longestName = 60

export function matrixText(answer: Matrix, times: Times, style: MatrixStyle): string {
  const { identities, columns } = answer
  const { paint } = style
  const rows = rowsOf(answer)
  const [only] = rows
  const count = `${plural(identities.length, 'identity')}, ${plural(columns.length, columns.some(isOne) ? 'resource' : 'resource type')}`
  const { lines, levels } = rows.length === 1 && only ? { lines: oneRow(only, times, style), levels: words } : table(rows, answer, style)
  const explained = legend(answer, levels)
  return linesText(
    `${paint.bold(count)}, ${timesWords(times)}`,
    ['', lines],
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
        cell.isRoot ? `    ${say.owning}` : cell.policies.slice(0, mostBy).map((policy) => `    by ${policyWords(policy)}`),
        !cell.isRoot && cell.policies.length > mostBy && `    and ${plural(cell.policies.length - mostBy, 'more policy')}`,
      ]),
    used.length > most && `  and ${used.length - most} more: ${say.listAll()}`,
    idle.length > 0 && `  ${paint.dim('none on')} ${firstFew(idle, mostNone)}`,
  )
}
