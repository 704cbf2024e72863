import type { Cause } from '../diff/causes.ts'
import type { Policy } from '../policy.ts'
import type { useJson } from '../report/call-use.ts'
import type { ConditionTexts } from '../report/conditions.ts'
import type { Names } from '../report/names.ts'
import { placeWords, presentParts, type Said } from '../report/words.ts'
import type { Clause, Decision, Question, Verdict } from '../simulate/decision.ts'
import type { ActionsByType } from '../symbolic/described.ts'
import { always, type Formula } from '../symbolic/formula.ts'
import type { RowNames } from '../usage/targets.ts'

/**
 * The answer of a command as rows. A command makes one `Answer` of what its analysis found; renderers of text, lines, Markdown and pages
 * know no command. Cells hold URNs, entries and formulas: the renderer puts them into words, so that all formats say the same.
 */
export interface Answer {
  /** The question, for the first line: its first part is printed bold. */
  readonly subject: (wording: Wording) => readonly string[]
  /** Lines below it that summarise the rows. Each is computed from rows and claims no more than they do. */
  readonly summary?: (wording: Wording) => readonly Line[]
  readonly sections: readonly Section[]
  /** The line in the place of rows where there are none. */
  readonly none?: Line
  /** How much is not listed, and how it can be seen. In every format but JSON. */
  readonly rest?: readonly string[]
  /** The option that shows what is shortened, where it is not `--all`. */
  readonly seeAll?: string
  /** Why there may be more than is listed, and the like. */
  readonly notes: readonly string[]
  /** The cell that names a row, where it is not `who`. */
  readonly lead?: CellName
  /** The cells that the subject says already. */
  readonly given?: readonly CellName[]
  /** The instant that it is about; without one it is about all times. */
  readonly at?: number | undefined
  /** The answer as machines read it: made of what the rows of `sections` are made of. */
  readonly json: () => object
}

/** How a format names things: short for readers, or whole. */
export interface Wording {
  readonly names: Pick<Names, 'identity' | 'resource' | 'permissionsGroup' | 'identityGroups'>
  readonly when: ConditionTexts
  /** The instants before it do not count. */
  readonly from?: number | undefined
  /** Lists of actions that are all of a type are said in one phrase. */
  readonly actions?: Pick<ActionsByType, 'of'> | undefined
  /** A difference is what an edit would make: there is no BEFORE and AFTER that was given. */
  readonly isOfEdit?: boolean
  /** Nothing is shortened. */
  readonly isWhole?: boolean | undefined
}

export type CellName = 'who' | 'actions' | 'on' | 'by'

export type Tone = 'good' | 'warning' | 'error' | 'info' | 'dim' | 'bold' | 'plain'

export interface Line {
  readonly text: string
  readonly tone: Tone
}

/** Rows of which the same is said. */
export interface Section {
  /** Empty: rows without a title. */
  readonly title: string | ((wording: Wording) => string)
  readonly tone: Tone
  /** Under what it comes, with the sections around it that come under the same: when something changes, and what happens. */
  readonly heading?: readonly [name: string, what: string]
  /** The word for its rows in formats of a line a row, in the place of their verdict. */
  readonly name?: string
  /** Its rows are steps, one after the other. */
  readonly isOrdered?: true
  /** The word before actions: `may`, `could`. */
  readonly may: string
  readonly rows: readonly Row[]
}

/** Requests that are answered alike: each identity, action and resource of it. */
export interface Row {
  readonly verdict: Verdict
  /** URNs of identities, and patterns over them. */
  readonly who: readonly string[]
  /** Groups that each of them has to be in as well. */
  readonly groups?: readonly string[]
  readonly actions: readonly string[]
  /** URNs of resources and resource groups, and patterns over them. */
  readonly on: readonly string[]
  readonly condition: Formula
  /** It is only about resources of which none is described. */
  readonly isUndescribed?: boolean
  /** Reasons, the most important first. */
  readonly by: readonly Basis[]
  /** It is a change: its reasons are edits or instants, never that the account owns something. */
  readonly isChange?: true
  /** Described identities that it lists of a group or a pattern. */
  readonly members?: readonly string[]
  /** Further details, such as exceptions and members. */
  readonly details?: (wording: Wording) => readonly Detail[]
  /** The actions of the catalogue in it, where they are asked for. */
  readonly expanded?: readonly string[]
  /** One question that is answered so. */
  readonly witness?: Question
  /** How recorded calls used it, as data. */
  readonly use?: () => UseJson['use'] | undefined
}

export interface Detail {
  readonly label: string
  readonly items: readonly string[]
  /** How many items there are, where they are made when they are asked for. */
  readonly count?: number
  /** Each on its own line. */
  readonly isList?: true
  /** All of it or nothing: lines that are copied together. */
  readonly isWhole?: true
  /** Not in formats of a line a row. */
  readonly isAside?: true
  /** The items in a few words, where a sentence has no room for all of them. */
  readonly brief?: () => string
  /** Parts of items are left out. */
  readonly isCut?: () => boolean
}

export const callsLabel = 'calls'

/** How recorded calls used what rows are about, looked up by what they are made of. */
export interface RowUses {
  /** Has the calls counted that a row is about by its names, whatever decides them. */
  readonly askNames: (row: object, names: RowNames) => void
  /** `isNew`: no identity could use it before. */
  readonly detail: (row: object, wording: Wording, isNew?: boolean) => Detail
  readonly json: (row: object) => UseJson | undefined
}

/** The field of a row that says how recorded calls used it. */
export interface UseJson {
  readonly use: ReturnType<typeof useJson>
}

/** The details that there are. */
export const presentDetails = (...details: readonly (Detail | undefined)[]): readonly Detail[] => details.flatMap((each) => each ?? [])

/** A reason for a row: an entry of a policy, or that the account owns what is asked about. */
export type Basis =
  | { readonly kind: 'entry'; readonly clause: Clause; readonly through?: readonly string[] }
  /** An edit that a difference rests on. `of`: the side that it is on. */
  | { readonly kind: 'cause'; readonly cause: Cause; readonly of: 'gained' | 'lost' | 'beyond' }
  | { readonly kind: 'owner' }
  | { readonly kind: 'words'; readonly place?: string; readonly words: string }

export const section = (title: Section['title'], tone: Tone, rows: readonly Row[], more: Partial<Section> = {}): Section => ({
  title,
  tone,
  may: 'may',
  rows,
  ...more,
})

/** A section with the number of its rows in the title. */
export const counted = (title: string, tone: Tone, rows: readonly Row[], more?: Partial<Section>): Section =>
  section(`${title} (${rows.length})`, tone, rows, more)

/** A row of some cells: the others are empty. */
export const rowOf = (cells: Partial<Row>): Row => ({
  verdict: 'allow',
  who: [],
  actions: [],
  on: [],
  condition: always,
  by: [],
  ...cells,
})

/** The entries of a decision as reasons. */
export const entries = (clauses: readonly Clause[]): readonly Basis[] => clauses.map((clause) => ({ kind: 'entry', clause }))

/** The cells that say how it is decided: verdict, condition and reasons. */
export function decided(row: Pick<Row, 'verdict' | 'condition'> & Pick<Decision, 'reason' | 'clauses'>) {
  const { verdict, condition, reason, clauses } = row
  return { verdict, condition, by: reason === 'root' ? owner : entries(clauses) }
}

export const policyBasis = ({ name }: Policy, words: string): Basis => ({ kind: 'words', place: placeWords(name.span), words })

export const wordsBasis = (words: string): Basis => ({ kind: 'words', words })

/** Lines of a summary that need no tone. */
export const plainLines = (...parts: readonly Said[]): readonly Line[] => presentParts(parts).map((text) => ({ text, tone: 'plain' }))

export const owner: readonly Basis[] = [{ kind: 'owner' }]

// The edits of a change take long to find, and of many only a few are shown.
export const countOf = (detail: Detail): number => detail.count ?? detail.items.length

export const isOwner = (row: Pick<Row, 'by' | 'isChange'>) => !row.isChange && row.by[0]?.kind === 'owner'

/** Sentences of several answers. */
export const say = {
  owning: 'owns it: the owning account cannot be restricted',
  /** In the place of `nobody` and `nothing` where not everything was looked at: a note says what was not. */
  notLooked: 'undecided: not everything was looked at',
  onlyOwners: 'nobody but the owning account',
  nobody: 'nobody',
  nothing: 'nothing',
  noPolicy: 'no policy grants it',
  unknownPermissionsGroup: 'a permissions group that is not described',
  noneDescribed: 'on resources of which none is described',
  othersThanDescribed: 'on other resources than are described',
  listAll: (option = '`--all`') => `${option} lists them`,
  showAll: (option = '`--all`') => `${option} shows all`,
} as const
