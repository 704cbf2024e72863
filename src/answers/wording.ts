import { RiskRanking } from '../actions/risk-ranking.ts'
import { lazy } from '../memo.ts'
import { type Policy, titled, type World } from '../policy.ts'
import { conditionPhrase, conditionTexts, conditionWords } from '../report/conditions.ts'
import { clauseJson } from '../report/decision.ts'
import { isoWords, momentWords } from '../report/instants.ts'
import { andList } from '../report/lists.ts'
import { Names } from '../report/names.ts'
import { shown } from '../report/safe.ts'
import { entryWords, firstFew, placeWords, plural, titleWords } from '../report/words.ts'
import type { Clause } from '../simulate/decision.ts'
import { entriesThrough } from '../simulate/why.ts'
import { position, type Span } from '../source.ts'
import type { Formula } from '../symbolic/formula.ts'
import { simplified } from '../symbolic/simplify.ts'
import type { Windows } from '../symbolic/windows.ts'
import { typeAndName } from '../urn/resource.ts'
import type { Answer, Basis, CellName, Detail, Line, Row, Section, Wording } from './model.ts'
import { countOf, isOwner, owner, policyBasis, say } from './model.ts'

/** How names and conditions are said. `from`: the instants before it do not count. */
export const wordingOf = (names: Wording['names'], from?: number, actions?: Wording['actions']): Wording => ({
  names,
  when: conditionTexts({ from }),
  from,
  actions,
})

/** The same with names as they are written in policies: for formats that are copied from, and searched. */
export const fullNameWording = (from?: number): Wording => wordingOf(new Names([], true), from)

/** A row in words. Texts are safe to show. `when`: undefined where it always holds. */
export type RowWords = ReturnType<typeof rowWords>

export const rowWords = (row: Row, wording: Wording) => {
  const details = lazy(() => (row.details?.(wording) ?? []).filter((detail) => countOf(detail) > 0))
  const by = lazy(() => row.by.map((basis) => reasonWords(basis, wording)))
  return {
    verdict: row.verdict,
    who: wording.names.identityGroups(row.who),
    actions: actionWords(row, wording),
    on: row.on.map((each) => wording.names.resource(each)),
    when: wording.when(row.condition),
    get details() {
      return details()
    },
    get by() {
      return by()
    },
  }
}

/** Why, in words, and where that is written; an empty place where it is written nowhere. */
export interface ReasonWords {
  readonly place: string
  readonly words: string
}

/** How many actions of a type may be lacking, and how many there must be, for the type to be named in the place of them. */
const [mostLacking, fewestNamed] = [6, 12]

/** The actions, in one phrase where they are all that there are of a type, or many but a few. */
function actionWords({ actions, on }: Row, { actions: actionsByType }: Wording): readonly string[] {
  const types = new Set(on.map((resource) => typeAndName(resource).type))
  const [type = ''] = types
  if (actionsByType && types.size === 1 && actions.length > 1) {
    const rowActions = new Set(actions)
    const lacking = actionsByType.of(type).filter((action) => !rowActions.has(action))
    const isMost = lacking.length === 0 || (lacking.length <= mostLacking && rowActions.size >= fewestNamed)
    if (isMost && lacking.length + rowActions.size === actionsByType.of(type).length)
      return [`every action about ${shown(type)}${lacking.length === 0 ? '' : ` but ${andList(lacking.map(shown))}`} (${rowActions.size})`]
  }
  return actions.map(shown)
}

export function reasonWords(basis: Basis, { names }: Wording): ReasonWords {
  switch (basis.kind) {
    case 'owner':
      return { place: '', words: say.owning }
    case 'cause':
      return causeWords(basis, names)
    case 'words':
      return { place: basis.place ?? '', words: basis.words }
    default: {
      const { policy, entry } = basis.clause
      const through = (basis.through ?? []).map((each) => names.identity(each))
      return {
        place: placeWords(entry.span),
        words: `${titleWords(policy)}: ${entryWords(basis.clause, names)}${through.length > 0 ? ` through ${firstFew(through, 3)}` : ''}`,
      }
    }
  }
}

/** Entries about an identity as reasons. `groups`: those that it is also in. */
export const throughEntries = (clauses: readonly Clause[], identity: string, world: World, groups: readonly string[] = []) =>
  clauses.map(
    (clause): Basis => ({ kind: 'entry', clause, through: [...new Set([...entriesThrough(clause, identity, world), ...groups])] }),
  )

export const throughJson = (clauses: readonly Clause[], identity: string, world: World) =>
  clauses.map((clause) => ({ ...clauseJson(clause), through: entriesThrough(clause, identity, world) }))

/** The grants of something: entries, permissions groups that are not known, or without either that the account owns it. */
export function grantedBy(granting: readonly Basis[], policies: readonly Policy[]): readonly Basis[] {
  if (granting.length + policies.length === 0) return owner
  const unknown = policies.map((policy) => policyBasis(policy, `${titleWords(policy)}: ${say.unknownPermissionsGroup}`))
  return granting.length > 0 ? granting : unknown
}

/** The cause of a difference, and its place. What a world file describes goes by its short name. */
export function causeWords({ cause, of }: Basis & { readonly kind: 'cause' }, names: Wording['names']): ReasonWords {
  const { span, side, change, what, name, address, by } = cause
  const described = address === undefined && name.startsWith('urn:')
  const subject = !described ? shown(titled(name, address)) : names[name.split(':')[3] === 'identity' ? 'identity' : 'resource'](name)
  return {
    place: lineWords(span),
    words: `${subject}: ${shown(what)}${of === 'beyond' ? '' : ` ${change}`}${by !== undefined ? ` by ${shown(by)}` : side === 'before' ? ' (in BEFORE)' : ''}`,
  }
}

export const lineWords = ({ source, start }: Span) => `${shown(source.path)}:${position(source, start).line}`

/** Lines that a shell reads as one, as one. */
export const joinedLines = ({ items }: Pick<Detail, 'items'>) => items.map((each) => each.replace(/ \\$/, '')).join(' ')

export const reasonLine = ({ place: where, words }: ReasonWords) => (where === '' ? words : `${where}  ${words}`)

/** The lines that summarise an answer, and the one in the place of rows where there are none. */
export function summaryOf({ summary, none, sections }: Answer, wording: Wording): readonly Line[] {
  const isNone = none && sections.every(({ rows }) => rows.length === 0)
  return [...(summary?.(wording) ?? []), ...(isNone ? [none] : [])]
}

export const titleIn = ({ title }: Section, wording: Wording) => (typeof title === 'string' ? title : title(wording))

/** When something holds, to follow a name: ` from 192.0.2.0/24`, ` when weekends UTC`; empty for always. */
export function whenPhrase(words: string | undefined): string {
  if (words === undefined) return ''
  return ` ${/^(?:not )?(?:from|until|before)\b/.test(words) ? words : conditionPhrase(words) === words ? `when ${words}` : conditionPhrase(words)}`
}

/** Kinds of identities, in the order in which they are listed, with the nouns for one and for several. */
const kinds: readonly (readonly [kind: string, one: string, several: string])[] = [
  ['user', 'person', 'people'],
  ['group', 'group', 'groups'],
  ['pattern', 'pattern', 'patterns'],
  ['credential', 'service account', 'service accounts'],
  ['account', 'account', 'accounts'],
]

function kindOf(urn: string): number {
  const kind = urn.includes('*') ? 'pattern' : (urn.split(':')[4] ?? '')
  const found = kinds.findIndex(([each]) => each === kind)
  return found < 0 ? kinds.length : found
}

/** Identities with users first and owning accounts last; the order within a kind is kept. */
export const usersFirst = (urns: readonly string[]): readonly string[] => urns.toSorted((a, b) => kindOf(a) - kindOf(b))

/** The rows of a section in the order in which they are read. */
export function inOrder({ rows, isOrdered }: Pick<Section, 'rows' | 'isOrdered'>, ranking: RiskRanking): readonly Row[] {
  if (isOrdered) return rows
  const isLast = (row: Row) => Number(isOwner(row) || row.isUndescribed === true)
  const rank = (row: Row) => [isLast(row), ranking.ofAll(row.actions), Math.min(...row.who.map(kindOf), kinds.length)] as const
  return rows
    .map((row) => [row, rank(row)] as const)
    .sort(([, a], [, b]) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
    .map(([row]) => row)
}

/** The same with their actions, those of the highest risk first. */
export const readRows = (section: Pick<Section, 'rows' | 'isOrdered'>, ranking: RiskRanking): readonly Row[] =>
  inOrder(section, ranking).map((row) =>
    row.actions.length < 2
      ? row
      : withActions(
          row,
          lazy(() => ranking.ordered(row.actions)),
        ),
  )

/** A row with other actions. What is only looked for when it is asked for stays so. */
const withActions = (row: Row, actions: () => readonly string[]): Row =>
  Object.defineProperty(row.isChange ? Object.create(row) : { ...row }, 'actions', { get: actions, enumerable: true })

/**
 * The rows of an answer in words, in the order in which they are read: for pages, which lay them out themselves. They are data, which the
 * engine of a page hands on from its worker.
 */
export function answerRows({ sections }: Pick<Answer, 'sections'>, wording: Wording): readonly RowWords[] {
  const ranking = new RiskRanking()
  return sections.flatMap((section) =>
    readRows(section, ranking).map((row) => {
      const { details, by, ...words } = rowWords(row, wording)
      return { ...words, details: details.map(({ brief: _brief, isCut: _isCut, ...detail }) => detail), by }
    }),
  )
}

/** The number of identities of each kind that rows are about, and of the members that they list besides. */
export function identityCounts(rows: readonly Pick<Row, 'who' | 'members'>[]): string {
  const who = new Set(rows.flatMap((row) => row.who))
  const members = new Set(rows.flatMap((row) => row.members ?? []).filter((member) => !who.has(member)))
  const listing = members.size === 0 ? '' : `; members: ${identityCounts([{ who: [...members] }])}`
  const kindsOfWho = [...who].map(kindOf)
  const parts = [...kinds, ['', 'identity', 'identities'] as const].flatMap(([, one, several], kind) => {
    const count = kindsOfWho.filter((each) => each === kind).length
    return count === 0 ? [] : [`${count} ${count === 1 ? one : several}`]
  })
  return `${andList(parts)}${listing}`
}

/** The rows left out: how many, and about identities of which kinds. */
export const restWords = (rows: readonly Pick<Row, 'who'>[], lead: CellName) =>
  `${plural(rows.length, lead === 'by' ? 'more policy' : 'more row')}${lead === 'who' ? `, about ${identityCounts(rows)}` : ''}`

/** The instants that an answer is about: one, or all from one on. */
export interface Times {
  readonly at: number | undefined
  readonly from: number
  /** The same as a formula. */
  readonly time: Formula
  readonly windows: Windows
}

export const timesWords = ({ at }: Pick<Times, 'at'>) => (at === undefined ? 'now or later' : `at ${momentWords(at)}`)

export const timesJson = ({ at, from }: Times) => (at === undefined ? { at: null, from: isoWords(from) } : { at: isoWords(at) })

/** A condition that holds at the instants that count, as it is printed. */
export const whenWords = (condition: Formula, { time, windows }: Times) => conditionWords(simplified(condition, time), windows)
