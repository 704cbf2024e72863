import type { Diagnostic } from '../diagnostic.ts'
import type { Difference } from '../diff/diff.ts'
import type { Policy, World } from '../policy.ts'
import { endWords, isoWords } from '../report/instants.ts'
import { shown } from '../report/safe.ts'
import { firstFew, firstWords, placeJson, placeWords, plural, presentParts, quoted, titleWords } from '../report/words.ts'
import type { Break } from '../review/chain.ts'
import type { Decision, GrantKey, OpenRow, Review, Verdict } from '../review/model.ts'
import type { JudgedGrant, Status } from '../review/status.ts'
import { statusWords } from '../review/status-words.ts'
import type { GrantUse } from '../review/use.ts'
import type { Meaning } from '../rules/rule.ts'
import type { Span } from '../source.ts'
import { formulaOf } from '../symbolic/formula.ts'
import { rowSentence, sectionsOf, tooManyWords } from './difference.ts'
import { type Answer, counted, type Detail, type Line, type Row, rowOf, type Section, type Tone, type Wording } from './model.ts'
import { whenPhrase } from './wording.ts'

/** Words for what is open in a review of access, in the words of `review` and of the page. */

/** A grant with what a reviewer wants to know of it. */
export interface ReviewedGrant extends JudgedGrant {
  readonly owner?: string | undefined
  /** The access that it gives, in the form of a lockfile; undefined where that cannot be determined within limits. */
  readonly access?: World | undefined
  /** How recorded calls use it, where calls are given. */
  readonly use?: GrantUse | undefined
  /** Since when the identity has it, in words, where that is asked for. */
  readonly since?: string | undefined
  /** How that differs from what was decided about, where it does. */
  readonly difference?: Difference | undefined
  /** The row in which a decision is filled in and not recorded. */
  readonly filled?: OpenRow | undefined
}

/**
 * A decision at which the chain is broken, and where it is; without one, the end of the file. `follows`: an earlier version of the file has
 * this decision, and it is not here.
 */
export interface BrokenChain {
  readonly kind: Break['kind'] | 'follows'
  readonly key?: GrantKey
  readonly span: Span
}

/** A grant that was removed, and how many calls were refused since then that it would allow. */
export interface MissedGrant {
  readonly decision: Decision
  readonly refused: number
}

export interface ReviewReport {
  /** The file, as it is shown. */
  readonly path: string
  readonly review: Review
  readonly rows: readonly ReviewedGrant[]
  /** How many grants are denied entirely, or never apply. */
  readonly idle: number
  /** How many grants that were decided about the policies no longer have. */
  readonly gone: number
  /** Removed grants that calls were refused for since, where calls are given. */
  readonly missed?: readonly MissedGrant[]
  /** How many policies only deny, and how many that grant something have expired. */
  readonly denying: number
  readonly expired: number
  readonly breaks: readonly BrokenChain[]
  readonly isOverdue: boolean
}

type OpenKind = Exclude<Status['kind'], 'decided'>

/** The reasons for which a grant is open, in the order in which they are listed, and what to do about each. */
const kinds: Readonly<Record<OpenKind, { readonly tone: Tone; readonly help: string }>> = {
  changed: {
    tone: 'warning',
    help: 'decide again: `grantwise review` lists it under `open`',
  },
  undecided: { tone: 'warning', help: 'fill in `decision` under `open`, and run `grantwise review`' },
  asked: { tone: 'warning', help: 'the person who was asked decides: it is under `open`' },
  unexplained: { tone: 'error', help: 'decide again with a `reason`: it is under `open` after `grantwise review`' },
  'not-removed': {
    tone: 'error',
    help: '`grantwise review --apply` proposes the edits',
  },
  'not-shortened': {
    tone: 'error',
    help: '`grantwise review --apply` proposes the edits',
  },
  unproved: {
    tone: 'warning',
    help: 'decide again, or name actions and resources in the place of patterns with several wildcards',
  },
}
const order = Object.keys(kinds) as readonly OpenKind[]

export const isOpen = ({ status }: Pick<JudgedGrant, 'status'>): boolean => status.kind !== 'decided'

/** The result of a review: `open` where something is to be decided or carried out, or where the chain is broken. */
export type ReviewVerdict = 'done' | 'open' | 'undecided'

export function reviewVerdict({ rows, breaks }: Pick<ReviewReport, 'rows' | 'breaks'>): ReviewVerdict {
  const open = rows.filter(isOpen)
  if (breaks.length > 0 || open.some(({ status }) => status.kind !== 'unproved')) return 'open'
  return open.length > 0 ? 'undecided' : 'done'
}

/** A decision in a few words: `keep by kim on 2026-09-30: still on call`. */
export const decisionWords = ({ decision, until, by, date, reason }: Verdict): string =>
  `${decision}${until === undefined ? '' : ` until ${shown(until)}`} by ${shown(by)} on ${shown(date)}${reason === undefined ? '' : `: ${shown(reason)}`}`

/** The access of policies in the form of a lockfile, a sentence for each. */
export function accessSentences({ policies }: Pick<World, 'policies'>, wording: Wording): readonly string[] {
  const isDenying = ({ permissions }: Policy) => permissions.deny.length > 0
  return [...policies.filter((policy) => !isDenying(policy)), ...policies.filter(isDenying)].map((policy) => {
    const { permissions, permissionsGroups, resources, expiresAt } = policy
    const isDeny = isDenying(policy)
    const actions = isDeny ? permissions.deny : permissions.allow
    const groups = permissionsGroups.map(({ value }) => `what ${wording.names.permissionsGroup(value.text)} holds`)
    const except = permissions.except.map(({ value }) => shown(value.text))
    const when = policy.condition && whenPhrase(wording.when(formulaOf(policy.condition)))
    return presentParts(
      isDeny && 'not',
      firstFew([...actions.map(({ value }) => shown(value.text)), ...groups]),
      except.length > 0 && `except ${firstFew(except)}`,
      `on ${firstWords(resources, ({ value }) => wording.names.resource(value.text))}`,
      isDeny && `for ${firstWords(policy.identities, ({ value }) => wording.names.identity(value.text))}`,
      when?.trim(),
      expiresAt && `until ${endWords(expiresAt.value)}`,
    ).join(' ')
  })
}

/** How a grant is used: `12 times, last on 2026-11-03; 0 calls refused for lack of it`. */
export function useWords({ count, last, refused }: GrantUse): string {
  const used = count === 0 ? 'in no recorded call' : plural(count, 'time')
  const day = last === undefined ? '' : `, last on ${isoWords(last).slice(0, 10)}`
  return `${used}${day}; ${plural(refused, 'call')} refused for lack of it`
}

/** A difference in sentences: `gained: user/ann may … on …`. `most`: how many items of each list; without it, exceptions are counted. */
export function differenceSentences(difference: Difference, wording: Wording, most?: number): readonly string[] {
  return sectionsOf({ difference }, 'everything').flatMap(({ name = '', may, rows }) =>
    rows.map((row) => `${name}: ${rowSentence(row, may, { ...wording, isOfEdit: true }, most)}`),
  )
}

/** The answer of `review --check`: a section for each reason for which a grant is open. */
export function reviewAnswer(report: ReviewReport): Answer {
  const { path, rows, breaks } = report
  return {
    subject: () => ['review', shown(path)],
    summary: () => summaryLines(report),
    sections: [
      counted('chain broken', 'error', breaks.map(brokenRow), { may: '', name: 'chain' }),
      ...order.map((kind) => sectionOf(kind, rows)),
    ],
    notes: (report.missed ?? []).map(missedWords),
    json: () => reviewJson(report),
  }
}

function sectionOf(kind: OpenKind, rows: readonly ReviewedGrant[]): Section {
  return counted(
    statusWords[kind],
    kinds[kind].tone,
    rows.filter(({ status }) => status.kind === kind).map((row) => grantRow(row)),
    { may: '', name: kind },
  )
}

function brokenRow({ kind, key, span }: BrokenChain): Row {
  return rowOf({ who: key ? [key.identity] : [], by: [{ kind: 'words', place: placeWords(span), words: brokenWords(kind, key) }] })
}

function brokenWords(kind: BrokenChain['kind'], key: GrantKey | undefined): string {
  if (kind === 'follows')
    return `the decision about ${quoted(key?.policy ?? '')} that the earlier version has is not here: recorded decisions were removed or replaced`
  return kind === 'decision'
    ? `the decision about ${quoted(key?.policy ?? '')} was edited, or one before it was removed, inserted or moved`
    : '`chain` is not the hash of the last decision: decisions were removed or added'
}

function grantRow({ grant, status, owner, access, use, since, difference, filled }: ReviewedGrant): Row {
  const details = (wording: Wording): readonly Detail[] => [
    { label: 'access', items: access ? accessSentences(access, wording) : [], isList: true },
    { label: 'used', items: use ? [useWords(use)] : [], isList: true },
    { label: 'since', items: since === undefined ? [] : [since], isList: true },
    { label: 'owner', items: owner === undefined ? [] : [shown(owner)] },
    { label: 'decided', items: 'by' in status ? [decisionWords(status.by.decision)] : [], isList: true },
    { label: 'change', items: difference ? differenceSentences(difference, wording, 8) : [], isList: true },
    { label: 'but', items: status.kind === 'unproved' ? [tooManyWords(status.culprits)] : [], isList: true },
    { label: 'filled', items: filledWords(filled), isList: true },
  ]
  return rowOf({ who: [grant.key.identity], by: policyOf(grant.policies), details })
}

const policyOf = (policies: readonly Policy[]): Row['by'] =>
  policies.map((policy) => ({ kind: 'words', place: placeWords(policy.name.span), words: titleWords(policy) }))

const filledWords = (row: OpenRow | undefined): readonly string[] =>
  row?.decision === undefined ? [] : [`${row.decision} by ${shown(row.by ?? '')}, not recorded: run \`grantwise review\``]

const missedWords = ({ decision, refused }: MissedGrant): string =>
  `at least ${plural(refused, 'call')} refused since ${decision.identity} lost what \`${decision.policy}\` granted, which would allow ${refused === 1 ? 'it' : 'them'}`

/** How much is not listed, and why; false where all is. */
export const unlistedWords = ({ idle, denying, expired }: Pick<ReviewReport, 'idle' | 'denying' | 'expired'>): string | false =>
  idle + denying + expired > 0 &&
  `not listed: ${presentParts(
    idle > 0 && `${plural(idle, 'grant')} that policies deny entirely or that ${idle === 1 ? 'never applies' : 'never apply'}`,
    denying > 0 && `${plural(denying, 'policy')} that only ${denying === 1 ? 'denies' : 'deny'}`,
    expired > 0 && `${plural(expired, 'expired policy')}`,
  ).join(', ')}`

/** How much is done and how much is open, and the last hash: it shows later that no decision was changed since. */
function summaryLines({ review, rows, gone, idle, denying, expired, isOverdue }: ReviewReport): readonly Line[] {
  const open = rows.filter(isOpen).length
  const { round, due, chain } = review
  const lines = presentParts(
    `${presentParts(round !== undefined && `round ${shown(round)}`, due !== undefined && `due ${shown(due)}`).join(', ') || 'no round'}: ${plural(rows.length, 'grant')}, ${rows.length - open} decided, ${open} open`,
    isOverdue && `overdue since ${shown(due ?? '')}`,
    gone > 0 && `${plural(gone, 'decision')} about grants that the policies no longer have`,
    unlistedWords({ idle, denying, expired }),
    chain !== undefined && `${plural(review.decisions.length, 'decision')}, last hash ${chain}`,
  )
  return lines.map((text) => ({ text, tone: text.startsWith('overdue') ? 'error' : 'plain' }))
}

// For programs.

function reviewJson(report: ReviewReport) {
  const { path, review, rows, gone, idle, denying, expired, breaks, isOverdue } = report
  return {
    version: 1,
    file: path,
    verdict: reviewVerdict(report),
    round: review.round ?? null,
    due: review.due ?? null,
    overdue: isOverdue,
    decisions: review.decisions.length,
    chain: review.chain ?? null,
    counts: {
      ...Object.fromEntries(['decided', ...order].map((kind) => [kind, rows.filter(({ status }) => status.kind === kind).length])),
      gone,
      idle,
      denying,
      expired,
    },
    broken: breaks.map(({ kind, key, span }) => ({
      ...placeJson(span),
      policy: key?.policy ?? null,
      identity: key?.identity ?? null,
      message: brokenWords(kind, key),
    })),
    grants: rows.map(grantJson),
    ...(report.missed && {
      missed: report.missed.map(({ decision, refused }) => ({
        policy: decision.policy,
        identity: decision.identity,
        date: decision.date,
        refused,
      })),
    }),
  }
}

function grantJson({ grant, status, owner, use, since, filled }: ReviewedGrant) {
  const [policy] = grant.policies as readonly [Policy, ...Policy[]]
  const decision = 'by' in status ? status.by.decision : undefined
  return {
    policy: grant.key.policy,
    identity: grant.key.identity,
    ...placeJson(policy.name.span),
    owner: owner ?? null,
    status: status.kind,
    decision: decision
      ? {
          decision: decision.decision,
          until: decision.until ?? null,
          by: decision.by,
          date: decision.date,
          reason: decision.reason ?? null,
          hash: decision.hash,
        }
      : null,
    filled: filled?.decision ?? null,
    ...(use && { use: { count: use.count, last: use.last === undefined ? null : isoWords(use.last), refused: use.refused } }),
    ...(since !== undefined && { since }),
    ...(status.kind === 'unproved' && { culprits: status.culprits }),
  }
}

// As findings.

export const reviewRules: readonly Meaning[] = [
  {
    code: 'review',
    severity: 'error',
    summary: 'A grant is to be reviewed',
    why: 'A reviewer has not decided about this access, or what was decided is not carried out.',
    section: 'risk',
  },
]

/** Open grants and broken chains, as findings at the policies and in the review. */
export function reviewFindings({ rows, breaks }: ReviewReport, wording: Wording): readonly Diagnostic[] {
  return [
    ...breaks.map(({ kind, key, span }): Diagnostic => {
      const help = 'take the decisions from an earlier version of the file'
      return { code: 'review', severity: 'error', message: brokenWords(kind, key), span, help }
    }),
    ...rows.filter(isOpen).map(({ grant, status }): Diagnostic => {
      const { help } = kinds[status.kind as OpenKind]
      const decided = 'by' in status ? ` (${decisionWords(status.by.decision)})` : ''
      const message = `access of ${wording.names.identity(grant.key.identity)} by \`${grant.key.policy}\` is ${statusWords[status.kind]}${decided}`
      return { code: 'review', severity: 'error', message, span: (grant.policies[0] as Policy).name.span, help }
    }),
  ]
}
