import type { GuaranteedLevels, Level } from '../actions/reads.ts'
import type { RiskCategory } from '../actions/sensitive.ts'
import type { Severity } from '../diagnostic.ts'
import type { ChartData } from '../picture/chart.ts'
import type { TimelineChart } from '../picture/timeline.ts'
import type { coverageJson } from '../report/coverage.ts'
import type { OpenRow, Review } from '../review/model.ts'
import type { Status } from '../review/status.ts'
import type { Notation } from '../source.ts'
import type { Confidence } from '../symbolic/matrix.ts'
import type { PageGiven } from './given.ts'

/**
 * The content of a page, as plain JSON. Lists refer to each other by number; a string that occurs often is stored once. All names
 * are as they were read: the code that shows one escapes it (`src/report/safe.ts`). `short` strings are already escaped.
 */
export interface PageData {
  /** Of the program. */
  readonly version: string
  readonly title: string
  /** Milliseconds since 1970: when it was made. */
  readonly made: number
  /** The instant that it is about; null for all from `made` on. */
  readonly at: number | null
  /** The address that requests come from; null for any. */
  readonly ip: string | null
  /** Tags, as `KEY=VALUE`, that every resource has in addition to its own. */
  readonly tags?: readonly string[]
  /** With which tags the resources are described that the page keeps to, in words; all resources where not given. */
  readonly tagged?: string
  /** The state that the page is of. */
  readonly evidence?: PageEvidence
  /** Where the documentation is. */
  readonly docs: string
  /** The brand word and regions of the names. */
  readonly settings: { readonly brand: string; readonly regions: readonly string[] }
  readonly files: readonly PageFile[]
  readonly policies: readonly PagePolicy[]
  readonly identities: readonly PageIdentity[]
  readonly groups: readonly PageGroup[]
  readonly resources: readonly PageResource[]
  readonly resourceGroups: readonly PageResourceGroup[]
  readonly types: readonly PageType[]
  readonly actions: readonly string[]
  /** Those of the actions that only read: a set. */
  readonly reads: Ref
  /** The sensitive ones among the actions: number, category, why. */
  readonly sensitive: readonly (readonly [action: number, risk: RiskCategory, reason: string])[]
  /** Conditions, and since when entries have their effect, in words. */
  readonly texts: readonly string[]
  readonly entries: readonly PageEntry[]
  /** Classes of identities and of resources that no policy distinguishes. */
  readonly identityClasses: readonly PageClass[]
  readonly resourceClasses: readonly PageClass[]
  /** Sets of actions, as runs: the first and how many, in turn. */
  readonly sets: readonly (readonly number[])[]
  readonly cells: readonly PageCell[]
  /**
   * For each class of identities, the cells of the classes of resources in order: runs of equal ones, as
   * length and number of the cell in turn; -1 for no access. What is missing at the end is -1.
   */
  readonly rows: readonly (readonly number[])[]
  /** Why more may be certain than is shown. */
  readonly reasons: readonly string[]
  /** The access to resources that are not described, in sentences; escaped. */
  readonly beyond?: readonly string[]
  readonly findings: readonly PageFinding[]
  readonly suppressed: number
  /** Files read, files skipped and assumptions; names as they were read, the summary escaped. */
  readonly coverage?: ReturnType<typeof coverageJson>
  readonly rules: readonly PageRule[]
  readonly difference: PageDifference | null
  /** When policies applied since the earlier state, where that is a commit, and the commits that opened or closed access. */
  readonly past?: PagePast
  /** Sensitive access since the earlier state, where that is a commit. */
  readonly growth?: PageGrowth
  /** The commits in which was looked since when entries have their effect. */
  readonly history?: PageHistory
  /** The recorded calls that were counted, in words; escaped. Absent where none are given. */
  readonly calls?: readonly string[]
  /** When policies that the time limits apply. */
  readonly chart: ChartData
  /** The review of access, where the page is made with one. */
  readonly review?: PageReview
  /** For the engine, where the page has one. */
  readonly whatIf?: PageGiven
}

/** A review of access. Strings other than those of `review` and `row` are escaped. */
export interface PageReview {
  /** The name of the file, without folders. */
  readonly file: string
  /** The recorded part; its list of open grants is empty, since `rows` has them. */
  readonly review: Review
  /** The hash of the lockfile, for further decisions; null where it could not be determined. */
  readonly lock: string | null
  readonly isOverdue: boolean
  /** How much is not listed, and why. */
  readonly notes: readonly string[]
  readonly rows: readonly PageReviewRow[]
}

export interface PageReviewRow {
  /** As it is written where it is open; null where what it grants cannot be determined. */
  readonly row: OpenRow | null
  readonly policy: string
  readonly identity: string
  /** In a few words, as reports name it. */
  readonly short: string
  readonly place: PagePlace
  readonly status: Status['kind']
  /** A reviewer has to decide. */
  readonly isOpen: boolean
  /** The last decision; empty for none. */
  readonly decided: string
  /** Its access, a sentence for each part. */
  readonly access: readonly string[]
  /** How that differs from what was decided about. */
  readonly changed: readonly string[]
  readonly owner?: string
  readonly used?: string
  readonly since?: string
}

/** The state that a page is of, for those who keep it as evidence. Names are as they were read. */
export interface PageEvidence {
  /** The accounts of the described identities and resources, and of the identities that policies name. */
  readonly accounts: readonly string[]
  readonly commit?: PageCommit | undefined
  /** Why there is no one commit that the files are of. */
  readonly why?: string
  /**
   * The SHA-256 of the lines that `sha256sum` prints for so many of the files that were read, in the order of their paths; `others`: of how
   * many that were read, such as logs of calls, it is not.
   */
  readonly inputs: { readonly files: number; readonly others: number; readonly sha256: string }
}

export interface PageCommit {
  readonly id: string
  readonly short: string
  /** Absent where no branch is checked out. */
  readonly branch?: string
  /** Milliseconds since 1970: when it was committed. */
  readonly at: number
  readonly author: string
  readonly subject: string
  /** How many of the files that were read are not in it as they were read. */
  readonly changed: number
}

/** A number in a list; -1: none. */
export type Ref = number

export interface PageHistory {
  readonly branch: string
  readonly count: number
  /** The first and last commit, in words. */
  readonly first: string
  readonly last: string
  /** Entries that were not looked at, and commits that could not be read; escaped. */
  readonly notes: readonly string[]
  /** Since when some entry has its effect is not known for certain. */
  readonly isOpen: boolean
}

export interface PagePast {
  /** With the name of the zone of its dates. Its rows are not those of the policies of the page. Absent where no state could be read. */
  readonly chart?: Omit<TimelineChart, 'zone'> & { readonly zone: string }
  readonly from: number
  readonly commits: readonly PagePastCommit[]
  /** Why not all is known; escaped. */
  readonly notes: readonly string[]
}

export interface PagePastCommit {
  readonly at: number
  /** Who made it, and for what, escaped. */
  readonly words: string
  readonly id: string
  readonly isOpened: boolean
  readonly isClosed: boolean
}

export interface PageGrowth {
  /** Oldest first; the last one is of the policies of the page. */
  readonly points: readonly PageGrowthPoint[]
  /** Why points are left out. */
  readonly notes: readonly string[]
}

export interface PageGrowthPoint {
  /** Milliseconds since 1970: from when on the branch had the policies. */
  readonly at: number
  /** The commit in words, escaped; empty for the policies of the page. */
  readonly commit: string
  /** How many identities had each kind of access from then on. */
  readonly counts: Readonly<Record<RiskCategory, number>>
}

/** Since when an entry has its effect, or has none: in words, and when that was committed; -1 for one that is not committed, and where it is not decided. */
export type PageSince = readonly [words: Ref, at: number]

/** A stretch of a file: its number, and UTF-16 offsets, end exclusive. */
export type PagePlace = readonly [file: Ref, start: number, end: number]

export interface PageFile {
  readonly path: string
  readonly text: string
  readonly notation: Notation
  /** Of the state before the change. */
  readonly isBefore?: true
}

export interface PagePolicy {
  readonly name: string
  readonly address?: string
  readonly description?: string
  /** Of the name, and of the whole policy. */
  readonly place: PagePlace
  readonly span: PagePlace
  readonly identities: readonly PageName[]
  readonly resources: readonly PageName[]
  readonly permissionsGroups: readonly string[]
  readonly entries: readonly Ref[]
  /** Its condition in words; -1: none. */
  readonly when: Ref
  /** Milliseconds since 1970. */
  readonly expires?: number
  /** The last instant of its condition, and that in words, where no expiry comes first. */
  readonly last?: readonly [at: number, words: string]
  readonly readOnly?: true
  readonly owner?: string
  /** Whether an entry of its identities names everybody of a kind. */
  readonly isOpen?: true
}

/** An entry of the identities or resources of a policy. */
export type PageName = readonly [text: string, place: PagePlace, since?: PageSince]

export interface PageIdentity {
  readonly urn: string
  readonly short: string
  readonly kind: 'user' | 'group' | 'credential' | 'account'
  readonly groups: readonly Ref[]
  readonly class: Ref
}

export interface PageGroup {
  readonly urn: string
  readonly short: string
  readonly members: readonly Ref[]
  /** The policies that are about its members. */
  readonly policies: readonly Ref[]
}

export interface PageResource {
  readonly urn: string
  readonly short: string
  readonly type: Ref
  readonly owner?: string
  readonly tags?: readonly (readonly [key: string, value: string])[]
  readonly groups: readonly Ref[]
  /** -1: the catalogue knows no action about its type. */
  readonly class: Ref
}

export interface PageResourceGroup {
  readonly urn: string
  readonly short: string
  readonly members: readonly Ref[]
  /** False: it may have others. */
  readonly isComplete: boolean
  readonly policies: readonly Ref[]
  readonly place: PagePlace
}

export interface PageType {
  readonly name: string
  /** Of the catalogue, about the type: a set. */
  readonly actions: Ref
}

/** An item of a list of actions of a policy, or of a permissions group. */
export interface PageEntry {
  readonly policy: Ref
  readonly list: 'allow' | 'except' | 'deny'
  readonly text: string
  readonly place: PagePlace
  /** The permissions group that it is an item of. */
  readonly group?: string
  /** Of an item of a permissions group, since when the group has its effect in the policy. */
  readonly since?: PageSince
  /** How recorded calls used it by itself, in words, and how often; escaped. */
  readonly calls?: readonly [words: Ref, count: number]
}

export interface PageClass {
  readonly names: readonly Ref[]
  /** The policies about them. */
  readonly policies: readonly Ref[]
}

/** The access of a class of identities to a class of resources. */
export interface PageCell {
  readonly level: Level
  readonly confidence: Confidence
  /** The levels that are guaranteed more strongly; where absent, `level` is. */
  readonly guaranteed?: GuaranteedLevels
  /** When the level is reached; -1: always. */
  readonly when: Ref
  /** No time is known at which all of it is: then it holds in part. */
  readonly isPartly?: true
  readonly isRoot?: true
  /** Actions that are allowed at the same time. */
  readonly parts: readonly PagePart[]
}

export interface PagePart {
  /** A set. */
  readonly actions: Ref
  readonly confidence: Confidence
  readonly when: Ref
  readonly allow: readonly Ref[]
  readonly deny: readonly Ref[]
}

export interface PageFinding {
  readonly code: string
  readonly severity: Severity
  readonly message: string
  readonly help?: string
  readonly policy?: string
  readonly place: PagePlace
  readonly related: readonly (readonly [message: string, place: PagePlace])[]
  /** How recorded calls used what it is about; escaped. */
  readonly calls?: readonly string[]
  /** Since when the access exists that it is about; escaped. */
  readonly since?: string
  /** The effect of a fix, and whether it changes no access. */
  readonly fix?: readonly [description: string, isSafe: boolean]
}

export interface PageRule {
  readonly code: string
  readonly summary: string
}

export interface PageDifference {
  /** The name of the other side, as given. */
  readonly before: string
  readonly gained: readonly PageChange[]
  readonly lost: readonly PageChange[]
  /** There may be more. */
  readonly isOpen: boolean
  /** The numbers of changes beyond the described names. */
  readonly beyond: { readonly gained: number; readonly lost: number }
}

export interface PageChange {
  /** Numbers in the lists of the page; strings for those that exist only on the side before. */
  readonly identities: readonly (Ref | string)[]
  readonly resources: readonly (Ref | string)[]
  readonly actions: readonly string[]
  /** Its condition in words; -1: always. */
  readonly when: Ref
  readonly isCertain: boolean
  readonly causes: readonly (readonly [words: string, place: PagePlace])[]
  /** How recorded calls used it; escaped. */
  readonly calls?: readonly string[]
}
