import { place } from '../diagnostic.ts'
import { writtenAs } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { titled } from '../policy.ts'
import type { Clause } from '../simulate/decision.ts'
import { factText } from '../simulate/facts.ts'
import { position } from '../source.ts'
import { type Formula, printFormula } from '../symbolic/formula.ts'
import { groupedBy } from '../symbolic/lists.ts'
import type { What, WhatRow } from '../symbolic/what.ts'
import type { Member, Unless, Who, WhoRow } from '../symbolic/who.ts'
import type { Paint } from './colour.ts'
import { type ConditionTexts, conditionPhrase, conditionTexts, formulaWords } from './conditions.ts'
import { clauseJson } from './decision.ts'
import { endItems } from './ends.ts'
import { momentWords } from './instants.ts'
import type { Names } from './names.ts'
import { shown } from './safe.ts'
import { placedEntry, plural, quoted, some } from './words.ts'

/** Reports of `who` and `what`: as JSON, as a line each, and for people. */

// JSON.

const conditionJson = (formula: Formula) => formulaWords(formula) ?? null

function whoRowJson({ identity, verdict, reason, condition, missing, except, unless, clauses, isKnown, groups, members }: WhoRow) {
  return {
    identity,
    verdict,
    reason,
    condition: conditionJson(condition),
    missing: missing.map(factText),
    except,
    unless: unless.map((each) => ({ identity: each.identity, condition: conditionJson(each.condition) })),
    clauses: clauses.map(clauseJson),
    ...(isKnown && reason !== 'root' && { groups }),
    ...(members.length > 0 && { members: members.map((member) => ({ ...member, clauses: member.clauses.map(clauseJson) })) }),
  }
}

/** The answer of `who` as machines read it. */
export function whoJson({ who, unknown, denied, complete, reasons }: Who) {
  return {
    who: who.map(whoRowJson),
    unknown: unknown.map(whoRowJson),
    denied: denied.map(({ identity, verdict, condition, missing, clauses }) => ({
      identity,
      verdict,
      condition: conditionJson(condition),
      missing: missing.map(factText),
      clauses: clauses.map(clauseJson),
    })),
    complete,
    reasons,
  }
}

/** The answer of `what` as machines read it; with `expand`, each region lists its catalogue actions. */
export function whatJson({ what, complete, reasons }: What, expand: boolean) {
  return {
    what: what.map((row) => ({
      resource: row.resource,
      actions: row.actions,
      except: row.except,
      unless: row.unless.map(({ resource, actions, condition }) => ({ resource, actions, condition: conditionJson(condition) })),
      condition: conditionJson(row.condition),
      verdict: row.verdict,
      reason: row.reason,
      missing: row.missing.map(factText),
      clauses: row.clauses.map(clauseJson),
      ...(row.members.length > 0 && { members: row.members.map((member) => ({ ...member, clauses: member.clauses.map(clauseJson) })) }),
      catalogue: {
        actions: row.known.actions.length,
        conditional: row.known.conditional,
        ...(expand && { names: row.known.actions }),
      },
    })),
    complete,
    reasons,
  }
}

// A line each.

function line(parts: readonly (readonly [label: string, items: readonly string[]])[]): string {
  return parts
    .filter(([, items]) => items.length > 0)
    .map(([label, items]) => (label === '' ? items.join(' · ') : `${label} ${items.join(', ')}`))
    .join(' · ')
}

export const compactEntry = ({ entry, list }: Clause) => `${shown(place(entry.span))} ${list} ${quoted(writtenAs(entry.value))}`

/** How an answer names things: as people read them, or whole. */
interface Wording {
  readonly names: Pick<Names, 'identity' | 'resource' | 'permissionsGroup'>
  readonly when: ConditionTexts
}

const whole: Wording['names'] = { identity: shown, resource: shown, permissionsGroup: shown }

const unlessWords =
  ({ names, when }: Wording) =>
  ({ identity, condition }: Unless) =>
    `${names.identity(identity)}${whenWords(condition, when)}`

/** What a region excludes; without the resource if it is that of the region. */
const leavingWords =
  (row: WhatRow, { names, when }: Wording) =>
  ({ resource, actions, condition }: WhatRow['unless'][number]) =>
    `${actions.map(shown).join(', ')}${resource === row.resource ? '' : ` on ${names.resource(resource)}`}${whenWords(condition, when)}`

function whenWords(condition: Formula, when: ConditionTexts): string {
  const text = when(condition)
  return text === undefined ? '' : ` ${/^(?:not )?(?:from|until|before)\b/.test(text) ? text : `when ${text}`}`
}

/** A condition as a list, empty if it always holds. */
function whenItems(condition: Formula, when: ConditionTexts): readonly string[] {
  const text = when(condition)
  return text === undefined ? [] : [text]
}

/** One line for each row of `who`, with whole URNs. `from`: the instants before it do not count. */
export function whoLines({ who, unknown }: Who, from?: number): string {
  const wording = { names: whole, when: conditionTexts({ from }) }
  return [...who, ...unknown]
    .map((row) =>
      line([
        ['', [row.verdict, shown(row.identity), ...(row.reason === 'root' ? ['owner'] : [])]],
        ['', whenItems(row.condition, wording.when).map(conditionPhrase)],
        ['except', row.except.map(shown)],
        ['unless', row.unless.map(unlessWords(wording))],
        ['by', row.clauses.map(compactEntry)],
      ]),
    )
    .map((text) => `${text}\n`)
    .join('')
}

/** One line for each region of `what`; with `expand`, one for each catalogue action of a region. */
export function whatLines({ what }: What, expand: boolean, from?: number): string {
  const wording = { names: whole, when: conditionTexts({ from }) }
  return what
    .flatMap((row) =>
      (expand ? row.known.actions.map((action) => [action]) : [row.actions]).map((actions) =>
        line([
          ['', [row.verdict, shown(row.resource), actions.map(shown).join(', '), ...(row.reason === 'root' ? ['owner'] : [])]],
          ['', whenItems(row.condition, wording.when).map(conditionPhrase)],
          ['except', expand ? [] : row.except.map(shown)],
          ['unless', row.unless.map(leavingWords(row, wording))],
          ['by', row.clauses.map(compactEntry)],
        ]),
      ),
    )
    .map((text) => `${text}\n`)
    .join('')
}

// For people.

/** The lines of an answer, past which each block is one line, the names in one list, and the lines of a later section then. */
const [mostLines, mostNames, mostLater] = [40, 8, 5]

interface Field {
  readonly label: string
  readonly items: readonly string[]
  /** Each on a line of its own. */
  readonly isList?: true
}

/** What several rows have in common, under the names in which they differ. */
interface Block {
  readonly names: string[]
  readonly fields: readonly Field[]
}

/** Rows that say the same made one block. */
function blocksOf(rows: readonly (readonly [name: string, fields: readonly Field[]])[]): readonly Block[] {
  const blocks = new Map<string, Block>()
  for (const [name, fields] of rows) {
    const key = JSON.stringify(fields)
    const block = blocks.get(key)
    if (block) block.names.push(name)
    else blocks.set(key, { names: [name], fields })
  }
  return [...blocks.values()]
}

interface Section {
  readonly title: string | undefined
  readonly blocks: readonly Block[]
}

const blockLines =
  (paint: Paint, width: number) =>
  ({ names, fields }: Block): readonly string[] => [
    ...names.slice(0, mostNames).map((name) => `  ${paint.bold(name)}`),
    ...(names.length > mostNames ? [`  ${paint.dim(`and ${names.length - mostNames} more`)}`] : []),
    ...fields.flatMap((field) => fieldLines(field, width).map((text) => `    ${text}`)),
  ]

/** A block in one line: its names, what distinguishes it, and the first entry that decides it. */
function foldedLine({ names, fields }: Block, paint: Paint): string {
  const parts = fields.flatMap(({ label, items }): readonly string[] => {
    const [first] = items
    if (first === undefined) return []
    if (label === 'may' || label === 'perhaps') return [some(items, 2)]
    if (label === 'members') return [plural(items.length, 'member')]
    if (label === 'when') return [conditionPhrase(first)]
    if (['except', 'unless', 'denied', 'partly'].includes(label)) return ['with exceptions']
    return label === 'by' ? [`by ${some(items, 1)}`] : []
  })
  return `  ${paint.bold(some(names, 2))}  ${[...new Set(parts)].join(' · ')}`
}

/** The sections between the head and the notes: whole if there is room, else a line for each of their first blocks. */
function answerText(
  head: readonly string[],
  sections: readonly Section[],
  notes: readonly string[],
  paint: Paint,
  width = usualWidth,
): string {
  const titled = ({ title }: Section, lines: readonly string[]) => [...(title === undefined ? [] : [title]), ...lines]
  const given = sections.filter(({ title, blocks }) => title !== undefined || blocks.length > 0)
  const whole = given.flatMap((each) => titled(each, each.blocks.flatMap(blockLines(paint, width))))
  const room = mostLines - head.length - notes.length
  if (whole.length <= room) return `${[...head, ...whole, ...notes].join('\n')}\n`
  let left = room - 2 * given.length - 1
  const lines = given.flatMap((each, i) => {
    const later = given.slice(i + 1).reduce((sum, { blocks }) => sum + Math.min(blocks.length, mostLater), 0)
    const own = each.blocks.slice(0, Math.max(left - later, mostLater))
    left -= own.length
    const rest = each.blocks.slice(own.length).reduce((sum, { names }) => sum + names.length, 0)
    return titled(each, [...own.map((block) => foldedLine(block, paint)), ...(rest > 0 ? [paint.dim(`  and ${rest} more`)] : [])])
  })
  const folded = paint.dim('a line each: `--format compact` lists all with exceptions and entries, `--format json` with members')
  return `${[...head, ...lines, ...notes, folded].join('\n')}\n`
}

const labelWidth = 8

/** `label  item, item, …`, broken to the width; past a handful only counted. */
function fieldLines({ label, items, isList }: Field, width: number): readonly string[] {
  if (items.length === 0) return []
  const most = isList ? mostNames : mostNames * 3
  const texts = items.slice(0, most)
  if (items.length > most) texts.push(`and ${items.length - most} more`)
  const lines: string[] = []
  for (const [i, text] of texts.entries()) {
    const item = isList || i === texts.length - 1 ? text : `${text},`
    const last = lines.at(-1)
    if (last !== undefined && !isList && last.length + 1 + item.length <= width - labelWidth - 4)
      lines[lines.length - 1] = `${last} ${item}`
    else lines.push(item)
  }
  return lines.map((text, i) => `${(i === 0 ? label : '').padEnd(labelWidth)}${text}`)
}

/** Lines that are no wider than a terminal where nobody said how wide it is. */
const usualWidth = 120

/** How an answer is printed for people. */
export interface AccessStyle {
  readonly paint: Paint
  readonly names: Pick<Names, 'identity' | 'resource' | 'permissionsGroup'>
  /** The instant that the answer is about; without one it is about all times. */
  readonly at?: number | undefined
  /** The instants before this one do not count. */
  readonly from?: number | undefined
  readonly width?: number | undefined
}

/** The instant that an answer is about, where it is about one. */
export const atWords = (at: number | undefined) => (at === undefined ? '' : `  at ${momentWords(at)}`)

/** Described identities by the entries that deny them, a line for each entry. */
function deniedItems(members: readonly Pick<Member, 'identity' | 'clauses'>[], names: AccessStyle['names']): readonly string[] {
  const byCause = groupedBy(members, ({ clauses }) => keyOf(clauses.map((clause) => placedEntry(clause, names))))
  return [...byCause].flatMap(([, own]) => {
    const who = some(own.map(({ identity }) => names.identity(identity)))
    const clauses = own[0]?.clauses ?? []
    return clauses.length === 0
      ? [who]
      : clauses.map((clause, i) => `${i === 0 ? who : ''.padEnd(who.length)}  ${placedEntry(clause, names)}`)
  })
}

/** Without the rows of described identities that say no more than the row of a group or a pattern that lists them. */
function withoutListed(rows: readonly WhoRow[]): readonly WhoRow[] {
  const listing = new Map<string, WhoRow[]>()
  for (const row of rows)
    for (const { identity, verdict } of row.members)
      if (verdict === row.verdict) listing.set(identity, [...(listing.get(identity) ?? []), row])
  return rows.filter(
    (row) =>
      !row.isKnown ||
      row.reason === 'root' ||
      !(listing.get(row.identity) ?? []).some(
        ({ condition, clauses }) =>
          printFormula(condition) === printFormula(row.condition) &&
          row.clauses.every(({ entry }) => clauses.some((other) => other.entry === entry)),
      ),
  )
}

/** That groups are allowed, and none of those who are known to be in them. */
function nobodyDescribed({ who, unknown }: Who, names: AccessStyle['names']): readonly string[] {
  const rows = [...who, ...unknown].filter(({ reason }) => reason !== 'root')
  const members = rows.flatMap((row) => row.members)
  if (members.length === 0 || members.some(({ verdict }) => verdict !== 'deny') || rows.some(({ isKnown }) => isKnown)) return []
  const noun = members.every(({ identity }) => identity.includes(':identity:user:')) ? 'user' : 'identity'
  const parts = rows.flatMap((row) => {
    const list = row.members.map(({ identity }) => names.identity(identity))
    if (list.length === 0) return []
    const clauses = [...new Set(row.members.flatMap((member) => member.clauses))]
    const causes = [...new Set(clauses.map(causeWords))]
    const are = `${some(list)} ${list.length === 1 ? 'is' : 'are'} in ${names.identity(row.identity)}`
    return [causes.length === 0 ? are : `${are}, denied by ${some(causes, 3)}`]
  })
  return [`no described ${noun} can: ${parts.join('; ')}`]
}

function causeWords({ policy, entry }: Clause): string {
  const { source, start } = entry.span
  return `${shown(titled(policy.name.value, policy.address))} (${shown(source.path)}:${position(source, start).line})`
}

/** How much of the catalogue a row holds. */
function knownWords({ actions, conditional }: WhatRow['known']): string {
  if (actions.length === 0) return 'no action of the catalogue'
  return `${plural(actions.length, 'action')} of the catalogue${conditional > 0 ? `, ${conditional} of them not always or not everywhere` : ''}`
}

/** In the place of "nobody" and "nothing" where somebody or something was not looked at: a note says who or what. */
export const notLooked = 'undecided: not everything was looked at'

/** The title of a section of owning accounts alone: no policy grants it to anybody. */
export const onlyOwners = 'nobody but the owning account'

/** The answer of `who` for people. */
export function whoText(
  action: string,
  resource: string,
  answer: Who,
  { paint, names, at, from, width = usualWidth }: AccessStyle,
): string {
  const { who, unknown, denied, reasons, isCut } = answer
  const wording = { names, when: conditionTexts({ from }) }
  const fieldsOf = (row: WhoRow): readonly Field[] => [
    { label: 'when', items: whenItems(row.condition, wording.when), isList: true },
    { label: 'except', items: row.except.map((each) => names.identity(each)) },
    { label: 'unless', items: row.unless.map(unlessWords(wording)), isList: true },
    { label: 'through', items: row.groups.map((each) => names.identity(each)) },
    {
      label: 'members',
      items: row.members.flatMap(({ identity, verdict }) =>
        verdict === 'deny'
          ? []
          : [`${names.identity(identity)}${verdict === row.verdict ? '' : verdict === 'allow' ? ' (allowed)' : ' (perhaps)'}`],
      ),
    },
    {
      label: 'denied',
      items: deniedItems(
        row.members.filter(({ verdict }) => verdict === 'deny'),
        names,
      ),
      isList: true,
    },
    row.reason === 'root'
      ? { label: 'by', items: ['owning the resource: the owning account cannot be restricted'], isList: true }
      : { label: 'by', items: row.clauses.map((clause) => placedEntry(clause, names)), isList: true },
  ]
  const section = <T extends { readonly identity: string }>(title: string, rows: readonly T[], fields: (row: T) => readonly Field[]) =>
    rows.length === 0 ? [] : [{ title, blocks: blocksOf(rows.map((row) => [names.identity(row.identity), fields(row)])) }]
  const isOwnersOnly = !isCut && who.length > 0 && unknown.length === 0 && who.every(({ reason }) => reason === 'root')
  const allowed = isOwnersOnly ? paint.error(onlyOwners) : `${paint.good('allowed')} (${who.length}${kindsOf(who)})`
  const head = [
    `${paint.bold(shown(action))}  ${names.resource(resource)}${atWords(at)}`,
    ...nobodyDescribed(answer, names).map(paint.warning),
  ]
  const sections = [
    ...section(allowed, withoutListed(who), fieldsOf),
    ...section(`${paint.warning('perhaps')} (${unknown.length}${kindsOf(unknown)})`, withoutListed(unknown), fieldsOf),
    ...(who.length + unknown.length === 0 ? [{ title: isCut ? paint.warning(notLooked) : paint.error('nobody'), blocks: [] }] : []),
    ...section(`${paint.error('explicitly denied')} (${denied.length})`, denied, ({ condition, clauses }) => [
      { label: 'when', items: whenItems(condition, wording.when), isList: true },
      { label: 'by', items: clauses.map((clause) => placedEntry(clause, names)), isList: true },
    ]),
  ]
  return answerText(head, sections, noteLines(reasons, paint), paint, width)
}

const noteLines = (reasons: readonly string[], paint: Paint) => reasons.map((reason) => `${paint.warning('note:')} ${shown(reason)}`)

/** How many rows of a long list are about each kind of identity. */
function kindsOf(rows: readonly WhoRow[]): string {
  if (rows.length <= mostNames) return ''
  const kinds = groupedBy(rows, ({ identity }) => identity.split(':')[4] ?? '')
  return `: ${[...kinds].map(([kind, own]) => plural(own.length, kind)).join(', ')}`
}

/** The answer of `what` for people; with `expand`, with the catalogue actions of each region. */
export function whatText(
  identity: string,
  answer: What,
  expand: boolean,
  { paint, names, at, from, width = usualWidth }: AccessStyle,
): string {
  const wording = { names, when: conditionTexts({ from }) }
  const fieldsOf = (row: WhatRow): readonly Field[] => [
    { label: row.verdict === 'allow' ? 'may' : 'perhaps', items: row.actions.map(shown) },
    { label: 'except', items: row.except.map(shown) },
    { label: 'unless', items: row.unless.map(leavingWords(row, wording)), isList: true },
    { label: 'when', items: whenItems(row.condition, wording.when), isList: true },
    { label: 'ends', items: endItems(row.condition, from) },
    row.reason === 'root'
      ? { label: 'by', items: ['owning it: the owning account cannot be restricted'], isList: true }
      : { label: 'by', items: row.clauses.map((clause) => placedEntry(clause, names)), isList: true },
    { label: 'members', items: row.members.flatMap(({ identity, has }) => (has === 'all' ? [names.identity(identity)] : [])) },
    ...(['some', 'none'] as const).map((amount) => ({
      label: amount === 'some' ? 'partly' : 'denied',
      items: deniedItems(
        row.members.filter(({ has }) => has === amount),
        names,
      ),
      isList: true as const,
    })),
    { label: 'known', items: [knownWords(row.known)] },
  ]
  const head = [
    `${paint.bold(names.identity(identity))}${atWords(at)}`,
    ...(answer.what.length > 0 ? [] : [answer.isCut ? paint.warning(notLooked) : paint.error('nothing')]),
  ]
  const notes = noteLines(answer.reasons, paint)
  const rows = answer.what.map((row) => [names.resource(row.resource), fieldsOf(row)] as const)
  if (!expand) return answerText(head, [{ title: undefined, blocks: blocksOf(rows) }], notes, paint, width)
  const lines = rows.flatMap(([name, fields], i) => [
    ...blockLines(paint, width)({ names: [name], fields }),
    ...(answer.what[i]?.known.actions ?? []).map((action) => `      ${action}`),
  ])
  return `${[...head, ...lines, ...notes].join('\n')}\n`
}
