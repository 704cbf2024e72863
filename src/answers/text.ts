import { RiskRanking } from '../actions/risk-ranking.ts'
import { groupedBy } from '../collections.ts'
import { keyOf } from '../keys.ts'
import { lazy } from '../memo.ts'
import type { Paint } from '../report/colour.ts'
import { conditionPhrase } from '../report/conditions.ts'
import { momentWords } from '../report/instants.ts'
import { shown } from '../report/safe.ts'
import { firstFew, linesText, plural, presentParts } from '../report/words.ts'
import { printFormula } from '../symbolic/formula.ts'
import type { Answer, CellName, Detail, Line, Row, Section, Tone, Wording } from './model.ts'
import { countOf, isOwner, say } from './model.ts'
import type { RowWords } from './wording.ts'
import { identityCounts, inOrder, readRows, reasonLine, restWords, rowWords, summaryOf, titleIn } from './wording.ts'

/** Answers as text for a terminal. */

export interface TextStyle {
  readonly paint: Paint
  readonly wording: Wording
  readonly width?: number | undefined
  readonly all?: boolean | undefined
}

/** The width of a terminal that does not say it. */
export const usualWidth = 120

/** The lines of an answer, past which it is shortened, and in the end each block is one line; the lines of a later section then. */
const [mostLines, mostLater] = [40, 5]
const labelWidth = 8

/** Rows of which the same is said, under the names in which they differ. */
interface Block {
  readonly rows: readonly Row[]
  readonly names: readonly string[]
  readonly fields: readonly Detail[]
  readonly expanded: readonly string[]
}

type Laid = ReturnType<typeof layOut>

const painted = (paint: Paint, { text, tone }: Line) => (tone === 'plain' ? text : paint[tone satisfies Exclude<Tone, 'plain'>](text))

export function answerText(answer: Answer, usualStyle: TextStyle): string {
  const style = usualStyle.all ? { ...usualStyle, wording: { ...usualStyle.wording, isWhole: true } } : usualStyle
  const { paint, wording, all = false } = style
  const { lead = 'who', given = [] } = answer
  const [first = '', ...rest] = answer.subject(wording)
  const instantText = answer.at !== undefined && `at ${momentWords(answer.at)}`
  const head = [
    presentParts(paint.bold(first), rest, instantText).join('  '),
    ...summaryOf(answer, wording).map((line) => painted(paint, line)),
  ]
  const ranking = new RiskRanking()
  const mostCounted = mostLines + answer.sections.length + 1
  const laid = answer.sections
    .filter(({ rows }) => rows.length > 0)
    .map((section) => layOut(section, { lead, given, mostCounted }, style, ranking))
  const notes = answer.notes.map((note) => `${paint.warning('note:')} ${shown(note)}`)
  const linesIn = (limits: Limits) => sectionsLines(laid, paint, ({ blocks }) => blocks.first().flatMap(blockLines(style, limits)))
  const inAll = (lines: readonly string[]) => linesText(head, lines, answer.rest, notes)
  const room = mostLines - head.length - notes.length - (answer.rest?.length ?? 0)
  const isAll = all || answer.sections.some(({ rows }) => rows.some(({ expanded }) => expanded))
  // Each block takes a line at least.
  if (!isAll && laid.reduce((sum, { blocks }) => sum + blocks.fewest, 0) > room + laid.length)
    return inAll(folded(laid, room, answer, style))
  const whole = linesIn(all ? wholly : usually)
  if (isAll || (whole.length <= room && !laid.some(({ blocks }) => blocks.first().some((block) => isShortened(block, usually)))))
    return inAll(whole)
  const short = [whole, linesIn(briefly)].find((lines) => lines.length < room)
  return inAll(short ? [...short, paint.dim(`shortened: ${say.showAll(answer.seeAll)}`)] : folded(laid, room, answer, style))
}

/** The sections with their titles, each under its heading where the one before has another. */
const sectionsLines = (laid: readonly Laid[], paint: Paint, lines: (each: Laid, i: number) => readonly string[]) =>
  laid.flatMap((each, i) => {
    const { title, owners, heading } = each
    const isNew = heading && laid[i - 1]?.heading !== heading
    return presentParts(isNew && ['', `${paint.bold(heading[0])}  ${heading[1]}`], title, lines(each, i), owners)
  })

/** A row on the way to a block. */
interface Part extends Pick<Block, 'expanded'> {
  readonly row: Row
  readonly names: () => readonly string[]
  readonly fields: () => readonly Detail[]
  /** Strings that are equal where the same is said of rows: what is found fast, then what takes longer, then all. */
  readonly keys: readonly (() => string)[]
  /** The one of these by which the fewest blocks are counted. */
  readonly kind: () => string
}

/** Rows of which the same is said as far as they were compared. */
class Alike {
  private readonly parts: readonly Part[]
  private readonly level: number
  private readonly finer = lazy(() => {
    const groups = groupedBy(this.parts, ({ keys }) => keys[this.level]?.() ?? '')
    return new Map(Array.from(groups, ([text, own]) => [text, new Alike(own, this.level + 1)]))
  })

  constructor(parts: readonly Part[], level = 0) {
    this.parts = parts
    this.level = level
  }

  /** The rows of which the same is said as of one of them. */
  of(part: Part): readonly Part[] {
    const text = this.parts.length === 1 ? undefined : part.keys[this.level]
    return text === undefined ? this.parts : (this.finer().get(text())?.of(part) ?? [])
  }
}

/** The blocks of a section, in the order of their first rows, each made when it is asked for: of very many only the first are shown. */
class Blocks {
  /** There are no fewer blocks. Of very many only as many are counted as an answer has room for. */
  readonly fewest: number
  private readonly parts: readonly Part[]
  private readonly alike: Alike
  private readonly made: Block[] = []
  private readonly done = new Set<Part>()
  private next = 0

  constructor(parts: readonly Part[], mostCounted: number) {
    this.parts = parts
    this.alike = new Alike(parts)
    const kinds = new Set<string>()
    for (const { kind } of parts) if (kinds.size < mostCounted) kinds.add(kind())
    this.fewest = kinds.size
  }

  first(count = Number.POSITIVE_INFINITY): readonly Block[] {
    for (; this.made.length < count && this.next < this.parts.length; this.next++) {
      const part = this.parts[this.next] as Part
      if (this.done.has(part)) continue
      const alikeRows = this.alike.of(part)
      for (const each of alikeRows) this.done.add(each)
      this.made.push({
        rows: alikeRows.map(({ row }) => row),
        names: alikeRows.flatMap(({ names }) => names()),
        fields: part.fields(),
        expanded: part.expanded,
      })
    }
    return this.made.slice(0, count)
  }

  /** The rows of all blocks but the first so many. */
  rowsAfter(count: number): readonly Row[] {
    const shownRows = new Set(this.first(count).flatMap(({ rows }) => rows))
    return this.parts.flatMap(({ row }) => (shownRows.has(row) ? [] : [row]))
  }
}

type Layout = Required<Pick<Answer, 'lead' | 'given'>>

/**
 * A section with its rows in blocks, what several have in common under the names in which they differ, and those of owners apart.
 * Rows are put into words when they are compared or shown: those of a large account together take most of the memory of a run.
 */
function layOut(section: Section, answer: Layout & { readonly mostCounted: number }, style: TextStyle, ranking: RiskRanking) {
  const { wording } = style
  const rows = readRows(section, ranking)
  const parts = rows
    .filter((row) => !isOwner(row))
    .map((row, i): Part => {
      const words = lazy(() => rowWords(row, wording))
      const number = section.isOrdered && rows.length > 1 ? `${i + 1}. ` : ''
      const fields = lazy(() => fieldsOf(words(), section, answer))
      const expanded = row.expanded ?? []
      const groups = row.groups?.map((group) => wording.names.identity(group))
      const kind = lazy(() => JSON.stringify([cellsOf(words(), section, answer), words().when, groups, expanded, number]))
      return {
        row,
        names: () => (answer.lead === 'by' ? words().by.map(reasonLine) : words()[answer.lead]).map((name) => `${number}${name}`),
        fields,
        expanded,
        kind,
        keys: [
          lazy(() => endsOf(itemsIn(answer, 'on', row.on), (each) => wording.names.resource(each))),
          kind,
          lazy(() => JSON.stringify(fields().filter(({ count }) => count === undefined))),
          lazy(() => JSON.stringify([fields(), expanded, number])),
        ],
      }
    })
  return {
    heading: section.heading,
    title: titleOf(section, answer, style),
    blocks: new Blocks(parts, answer.mostCounted),
    owners: ownersOf(rows).map((row) => ownerLine(rowWords(row, wording), answer, style)),
  }
}

function titleOf(section: Section, answer: Layout, { paint, wording }: TextStyle): string | undefined {
  const text = titleIn(section, wording)
  const kinds = answer.lead === 'who' && !text.endsWith(')') && !section.rows.every(isOwner) ? ` (${identityCounts(section.rows)})` : ''
  return text === '' ? undefined : painted(paint, { text, tone: section.tone }) + kinds
}

function ownersOf(rows: readonly Row[]): readonly Row[] {
  const byOwner = groupedBy(rows.filter(isOwner), ({ who, condition }) => keyOf(who, printFormula(condition)))
  return [...byOwner.values()].map((own) => ({ ...(own[0] as Row), on: [...new Set(own.flatMap(({ on }) => on))] }))
}

function ownerLine({ who, on, when }: RowWords, { given, lead }: Layout, { paint, all }: TextStyle): string {
  const most = all ? Number.POSITIVE_INFINITY : 3
  const names = lead === 'on' ? on : who
  const of = lead === 'on' || given.includes('on') ? '' : `  on ${firstFew(on, most)}`
  return `  ${paint.bold(firstFew(names, most))}${of}  ${say.owning}${when === undefined ? '' : `, ${conditionPhrase(when)}`}`
}

function cellsOf({ verdict, who, actions, on }: RowWords, { may }: Section, layout: Layout): readonly Detail[] {
  return [
    { label: 'to', items: itemsIn(layout, 'who', who) },
    { label: verdict === 'unknown' ? 'perhaps' : may, items: itemsIn(layout, 'actions', actions) },
    { label: 'on', items: itemsIn(layout, 'on', on) },
  ]
}

const itemsIn = ({ lead, given }: Layout, name: CellName, items: readonly string[]) => (name !== lead && !given.includes(name) ? items : [])

/** The length of a list, and the words of its ends: equal where those of all of it are, and soon made. */
const endsOf = (list: readonly string[], wordOf: (name: string) => string) =>
  JSON.stringify([list.length, [...list.slice(0, 1), ...list.slice(-1)].map(wordOf)])

/** Reasons as lines, each once: an entry that holds by several unknown values is there for each of them. */
const linesOf = (by: RowWords['by']): readonly string[] => [...new Set(by.map(reasonLine))]

function fieldsOf(words: RowWords, section: Section, layout: Layout): readonly Detail[] {
  const { when, details, by } = words
  const { lead } = layout
  const condition: Detail = { label: 'when', items: presentParts(when), isList: true }
  const fields: readonly Detail[] = [
    ...cellsOf(words, section, layout),
    ...(lead === 'by' ? [...details, condition] : [condition, ...details]),
    { label: 'by', items: itemsIn(layout, 'by', linesOf(by)), isList: true },
  ]
  return fields.filter((field) => countOf(field) > 0)
}

type Limits = Readonly<Record<'names' | 'items' | 'lines', number>>

const wholly: Limits = { names: Number.POSITIVE_INFINITY, items: Number.POSITIVE_INFINITY, lines: Number.POSITIVE_INFINITY }
const usually: Limits = { names: 8, items: 24, lines: 8 }
const briefly: Limits = { names: 2, items: 3, lines: 1 }

const isShortened = ({ names, fields }: Block, limits: Limits) =>
  names.length > limits.names ||
  fields.some((field) => (!field.isWhole && countOf(field) > (field.isList ? limits.lines : limits.items)) || field.isCut?.())

const blockLines =
  ({ paint, width = usualWidth }: TextStyle, limits: Limits) =>
  ({ names, fields, expanded }: Block): readonly string[] => {
    const hiddenCount = names.length - limits.names
    const listed = presentParts(names.slice(0, limits.names), hiddenCount > 0 && `and ${hiddenCount} more`)
    return [
      ...wrapped(listed, width - 2).map((line) => `  ${paint.bold(line)}`),
      ...fields.flatMap((field) => fieldLines(field, width, limits).map((text) => `    ${text}`)),
      ...expanded.map((action) => `      ${action}`),
    ]
  }

/** `item, item, …`, broken to the width. */
export function wrapped(items: readonly string[], width: number): readonly string[] {
  const lines: string[] = []
  for (const [i, text] of items.entries()) {
    const item = i === items.length - 1 ? text : `${text},`
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + item.length <= width) lines[lines.length - 1] = `${last} ${item}`
    else lines.push(item)
  }
  return lines
}

/** `label  item, item, …`, broken to the width; past a handful only counted. */
function fieldLines({ label, items, isList, isWhole }: Detail, width: number, limits: Limits): readonly string[] {
  const most = isWhole ? items.length : isList ? limits.lines : limits.items
  const texts = items.slice(0, most)
  const hiddenCount = items.length - texts.length
  if (hiddenCount > 0 && isList && most === 1) texts[0] = `${texts[0]}, and ${hiddenCount} more`
  else if (hiddenCount > 0) texts.push(`and ${hiddenCount} more`)
  const lines = isList ? texts : wrapped(texts, width - labelWidth - 4)
  return lines.map((text, i) => `${(i === 0 ? label : '').padEnd(labelWidth)}${text}`)
}

/** A line for each block of each section, as far as there is room, and how many of what kind are left out. */
function folded(all: readonly Laid[], room: number, { lead = 'who', seeAll }: Answer, { paint }: TextStyle): readonly string[] {
  let used = 2
  const laid = all.filter(({ heading, title, blocks, owners }) => {
    used += (heading ? 2 : 0) + (title === undefined ? 0 : 1) + blocks.first(mostLater).length + owners.length
    return !heading || used <= room
  })
  let spareRoom = room - 2 * laid.length - laid.reduce((sum, { owners }) => sum + owners.length, 0) - 1
  const lines = sectionsLines(laid, paint, ({ blocks }, i) => {
    const later = laid.slice(i + 1).reduce((sum, each) => sum + each.blocks.first(mostLater).length, 0)
    const firstBlocks = blocks.first(Math.max(spareRoom - later, mostLater))
    spareRoom -= firstBlocks.length
    const rest = blocks.rowsAfter(firstBlocks.length)
    const lines = firstBlocks.map((block) => foldedLine(block, paint))
    return presentParts(lines, rest.length > 0 && paint.dim(`  ${restWords(rest, lead)}: ${say.listAll(seeAll)}`))
  })
  const others = headingsIn(all) - headingsIn(laid)
  return [...lines, paint.dim(`shortened${others > 0 ? `, and ${plural(others, 'more change')}` : ''}: ${say.showAll(seeAll)}`)]
}

const headingsIn = (laid: readonly Laid[]) => new Set(presentParts(laid.map(({ heading }) => heading?.[0]))).size

const exceptions: ReadonlySet<string> = new Set(['except', 'but not', 'denied', 'partly'])

/** A block in one line: its names, what distinguishes it, and the first entry that decides it. */
function foldedLine({ names, fields }: Block, paint: Paint): string {
  const parts = fields.flatMap((field): readonly string[] => {
    const { label, isList } = field
    if (exceptions.has(label) && (isList || label === 'except')) return ['with exceptions']
    const { items } = field
    const [first] = items
    if (first === undefined) return []
    if (label === 'when') return [conditionPhrase(first)]
    if (label === 'by') return [`by ${firstFew(items, 1)}`]
    if (label === 'members') return [plural(items.length, 'member')]
    if (label === 'on') return [`on ${firstFew(items, 2)}`]
    return isList ? [] : [`${label === 'perhaps' || label === 'denied' ? `${label} ` : ''}${firstFew(items, 2)}`]
  })
  return `  ${paint.bold(firstFew(names, 2))}  ${[...new Set(parts)].join(' · ')}`
}

/** One line for each row, with whole names: to search, to sort and to count. */
export function answerLines(answer: Pick<Answer, 'sections' | 'given' | 'rest'>, usualWording: Wording, all = false): string {
  const wording = { ...usualWording, isWhole: all }
  const ranking = new RiskRanking()
  const most = all ? Number.POSITIVE_INFINITY : 8
  const lines = answer.sections.flatMap((section) =>
    inOrder(section, ranking)
      .flatMap((row) => row.expanded?.map((action) => ({ ...row, actions: [action] })) ?? [row])
      .map((row) => presentParts(section.heading?.[0], lineOf(row, section.name, answer, wording, most)).join(' · ')),
  )
  return [...lines, ...(answer.rest ?? [])].map((line) => `${line}\n`).join('')
}

function lineOf(row: Row, name: string | undefined, { given = [] }: Pick<Answer, 'given'>, wording: Wording, most: number): string {
  const { verdict, who, actions, on, when, details, by } = rowWords(row, wording)
  const cells = { who, actions, on }
  const isSaid = ({ isAside, label }: Detail) => !isAside && !(row.expanded && label === 'except')
  // Of what one identity may do each line says who, since lines of several are read together.
  const isSaidIn = (cell: 'who' | 'actions' | 'on') => !given.includes(cell) || (cell === 'who' && name === undefined && given.length === 1)
  return presentParts(
    name === undefined ? verdict : `${name}${verdict === 'unknown' ? ' perhaps' : ''}`,
    (['who', 'actions', 'on'] as const).map((cell) => isSaidIn(cell) && cells[cell].length > 0 && firstFew(cells[cell], most)),
    isOwner(row) && 'owner',
    when !== undefined && conditionPhrase(when),
    details.filter(isSaid).map(({ label, items }) => [label, items.join(', ')].filter((text) => text !== '').join(' ')),
    by.length > 0 &&
      !isOwner(row) &&
      `by ${linesOf(by)
        .map((line) => line.replace('  ', ' '))
        .join(', ')}`,
  ).join(' · ')
}
