import type { Difference } from '../diff/diff.ts'
import type { Access } from '../history/access.ts'
import type { ClaimChange, ClaimResult, ClaimStatus, ClaimsChange } from '../history/claims.ts'
import { type Commit, requestIn } from '../history/commit.ts'
import type { AccessChange } from '../history/differences.ts'
import type { Gap, Step, Unread } from '../history/steps.ts'
import type { VerdictChange } from '../history/verdicts.ts'
import { formulaJson } from '../report/conditions.ts'
import { clauseJson } from '../report/decision.ts'
import { isoWords, momentWords } from '../report/instants.ts'
import { shown } from '../report/safe.ts'
import { durationWords, placeJson, placeWords, plural, presentParts, titleWords } from '../report/words.ts'
import { factText } from '../simulate/facts.ts'
import { differenceJson, listEverything, type RegionScope, sectionsOf, tooManyWords, unlisted, unlistedWords } from './difference.ts'
import {
  type Answer,
  type Basis,
  type Detail,
  entries,
  type Line,
  owner,
  plainLines,
  rowOf,
  type Section,
  section,
  type Wording,
  wordsBasis,
} from './model.ts'
import { reasonLine, reasonWords, whenPhrase } from './wording.ts'

/** The change that a commit makes: of the answer to one question, of the access of many, or of the results of claims. */
export type Changed = VerdictChange | AccessChange | ClaimsChange

export type HistoryStep = Step<Changed>

/** The history of an answer: what was asked, and the commits at which it changed. */
export interface History {
  /** The question, as `can` is asked, with whole URNs; a pattern or `*` for what it is not about one of. Undefined for claims. */
  readonly asked: undefined | { readonly identity: string; readonly action: string; readonly resource: string }
  /** Oldest first. */
  readonly steps: readonly HistoryStep[]
  readonly gaps: readonly Gap[]
  /** The branch, and its commits that were looked at. */
  readonly branch: string
  readonly first: Commit
  readonly last: Commit
  readonly count: number
  /** Of one question, the answer under the policies of the last commit; undefined where that could not be read. */
  readonly one?: { readonly now: Access | undefined }
  /** Of claims, the results under the policies of the last commit; none where that could not be read. */
  readonly claims?: readonly ClaimResult[]
  /** The instant that is looked at: one, that of each commit, or all. */
  readonly times: { readonly at: number } | 'of each commit' | 'all'
  /** When it was asked. */
  readonly askedAt: number
  /** The newest commit of the branch, where the budget was used up before it: no commit after `last` was looked at. */
  readonly cut?: Commit | undefined
}

/** Whether something could not be looked at: a commit that is not read, or a difference or a claim that is not decided. */
export function isOpenHistory({ steps, gaps, cut }: Pick<History, 'steps' | 'gaps' | 'cut'>): boolean {
  return cut !== undefined || gaps.length > 0 || steps.some(({ unread, change }) => unread.length > 0 || isOpenChange(change))
}

function isOpenChange(change: Changed): boolean {
  if (change.kind === 'access') return isOpenDifference(change.difference)
  return change.kind === 'claims' && change.changes.some(({ after }) => after.status === 'undecided')
}

export const isOpenDifference = ({ undecided, described }: Difference) => undecided.length > 0 || described?.undecided === true

const timeOf = ({ date }: Commit) => Date.parse(date)

/** `3f2a1c4  2026-03-02`: the day is that of the place where it was committed. */
const nameWords = ({ short, date }: Commit) => `${short}  ${date.slice(0, 10)}`

/** Who made a commit, and for what: `dave, #171  End the freeze (#171)` */
export const commitWords = (commit: Commit) => `${byWords(commit)}  ${shown(commit.subject)}`

const byWords = (commit: Commit) => presentParts(shown(commit.author), requestIn(commit)).join(', ')

/** `3f2a1c4 (carol, 2026-03-02, #142)` */
export const referenceWords = (commit: Commit) =>
  `${commit.short} (${presentParts(shown(commit.author), commit.date.slice(0, 10), requestIn(commit)).join(', ')})`

const verdictWords = (access: Access | undefined): string => {
  if (!access) return 'no policies'
  const { verdict, when } = access
  return when && verdict === 'allow' ? 'allow at times' : verdict
}

/** A time in which the answer was `allow`: the steps that opened and closed it. */
interface Period {
  readonly opened: HistoryStep
  readonly closed: HistoryStep | undefined
}

/** The times in which it was allowed, the last one first. */
function periodsOf(steps: readonly HistoryStep[]): readonly Period[] {
  const out: Period[] = []
  let opened: HistoryStep | undefined
  for (const step of steps) {
    if (step.change.kind !== 'verdict') continue
    const isAllowed = step.change.after?.verdict === 'allow'
    if (isAllowed) opened ??= step
    else if (opened) {
      out.push({ opened, closed: step })
      opened = undefined
    }
  }
  return [...out, ...(opened ? [{ opened, closed: undefined }] : [])].reverse()
}

function periodWords(period: Period, history: History): string {
  const { opened, closed } = period
  const until = closed ? ` · closed by ${referenceWords(closed.commit)}` : ''
  // Access that ends by itself may have ended before.
  const isTimed = [opened, closed].some((step) => step?.change.kind === 'verdict' && (step.change.before?.when ?? step.change.after?.when))
  const words = isTimed ? ' · open at times' : openWords(period, history)
  return `opened by ${referenceWords(opened.commit)}${until}${words}`
}

/** How long it was open: within bounds where commits at its ends cannot be read, and at most where such commits are between. */
function openWords({ opened, closed }: Period, { askedAt, one, times, gaps }: History): string {
  const [from, to] = [timeOf(opened.commit), closed ? timeOf(closed.commit) : askedAt]
  const isOpenNow = closed !== undefined || one?.now?.verdict === 'allow'
  // Dates of commits may go back, and say nothing then about how long it was open.
  if (to < from || (times !== 'of each commit' && !isOpenNow)) return ''
  const unreadTime = (unread: readonly Unread[] = []) => unread.slice(0, 1).map(({ commit }) => timeOf(commit))
  const most = durationWords(Math.min(from, ...unreadTime(opened.unread)), to)
  const isBetween = gaps.some(({ unread }) => unread.some(({ commit }) => timeOf(commit) >= from && timeOf(commit) <= to))
  if (isBetween) return ` · open for at most ${most}, with commits between that cannot be read`
  const least = durationWords(from, Math.max(from, Math.min(to, ...unreadTime(closed?.unread))))
  return least === most ? ` · open for ${most}` : ` · open for at least ${least}, at most ${most}`
}

/** The answer of `history`. */
export function historyAnswer(history: History, over: RegionScope): Answer {
  const { steps, gaps, one } = history
  const sections = steps.toReversed().flatMap((step) => sectionsIn(step, over))
  const aside = steps.reduce((sum, { change }) => sum + (change.kind === 'access' ? asideIn(change.difference, over) : 0), 0)
  return {
    subject: (wording) => subjectWords(history, wording),
    summary: (wording) => [
      ...summaryLines(history, wording),
      ...plainLines(periodsOf(steps).map((period) => periodWords(period, history))),
    ],
    sections,
    rest: presentParts(aside > 0 && `${unlistedWords(aside, sections.length > 0)}: ${listEverything(aside)}`),
    notes: presentParts(gaps.map(gapWords), history.cut && cutWords(history.last, history.cut, 'names in the place of patterns')),
    ...(one || history.claims ? { lead: 'by' } : {}),
    json: () => historyJson(history),
  }
}

/** That commits were not looked at. `looked`: the last one that was; `last`: the newest one; `narrower`: another way to ask for less. */
export const cutWords = (looked: Commit, last: Commit, narrower: string): string =>
  `not all was looked at: no commit after ${referenceWords(looked)}, up to ${referenceWords(last)}; a later \`--since\`, or ${narrower}, narrows it`

const statusWords: Readonly<Record<ClaimStatus, string>> = { passed: 'holds', failed: 'does not hold', undecided: 'not decided' }

function subjectWords({ asked, one, claims, gaps }: History, { names }: Wording): readonly string[] {
  if (!asked) return ['history', ...(claims ?? []).map(({ name, status }) => `${shown(name)}: ${statusWords[status]}`)]
  const isUnread = gaps.some(({ until }) => until === undefined)
  const verdict = one ? (isUnread ? 'unknown' : verdictWords(one.now)).toUpperCase() : 'history'
  return [verdict, names.identity(asked.identity), asked.action, names.resource(asked.resource)]
}

function summaryLines({ steps, branch, count, first, last, times, one }: History, wording: Wording): readonly Line[] {
  const change = steps.length === 0 ? 'no change' : plural(steps.length, 'change')
  const time = times === 'all' ? 'at any time' : times === 'of each commit' ? 'at the time of each commit' : `at ${momentWords(times.at)}`
  const of = `${plural(count, 'commit')} of ${branch}, ${referenceWords(first)} to ${referenceWords(last)}`
  const when = one?.now?.when ? ` · now allowed${whenPhrase(wording.when(one.now.when))}` : ''
  return plainLines(`${change} in ${of}, ${time}${when}`)
}

const asideIn = (difference: Difference, over: RegionScope) =>
  over === 'known' ? unlisted(difference, 'gained').length + unlisted(difference, 'lost').length : 0

/** The changes of one commit. `heading`: by default its id and day, and who made it. */
export function sectionsIn(
  { commit, change, unread }: HistoryStep,
  over: RegionScope,
  heading: NonNullable<Section['heading']> = [nameWords(commit), commitWords(commit)],
): readonly Section[] {
  const orWords = unread.length === 0 ? [] : [unreadWords(unread)]
  if (change.kind === 'verdict') return [verdictSection(change, heading, orWords)]
  if (change.kind === 'claims') return change.changes.map((each) => claimSection(each, heading, orWords))
  const { difference } = change
  const sides = sectionsOf({ difference }, over).filter(({ rows }) => rows.length > 0)
  const culprits = difference.undecided.flatMap((each) => each.culprits)
  const isUnlisted = sides.length === 0 && !isOpenDifference(difference)
  return [
    ...sides.map((side) => ({ ...side, heading })),
    ...(isUnlisted ? [said('not listed', 'access of what is not described', heading)] : []),
    ...(isOpenDifference(difference) ? [said('undecided', `not fully decided: ${tooManyWords(culprits)}`, heading)] : []),
    ...orWords.map((words) => said('unread', `or by ${words}`, heading)),
  ]
}

/** A remark on the change of a commit, which is about no access. `name`: see `Section`. */
const said = (name: string, words: string, heading: NonNullable<Section['heading']>): Section =>
  section('', 'plain', [rowOf({ details: () => [listed('', [words])] })], { name, may: '', heading })

const listed = (label: string, items: readonly string[]): Detail => ({ label, items, isList: true })

/** The change of one answer, with the entries behind it, or where nothing grants it any more, those that did. */
function verdictSection({ before, after }: VerdictChange, heading: NonNullable<Section['heading']>, orWords: readonly string[]): Section {
  const title = `${verdictWords(before)} → ${verdictWords(after)}`
  const tone = after?.verdict === 'allow' ? 'good' : after?.verdict === 'unknown' ? 'warning' : 'error'
  const clauses = after?.clauses ?? []
  const gone = clauses.length > 0 || after?.reason === 'root' || before?.verdict === 'deny' ? [] : (before?.clauses ?? [])
  const none = wordsBasis(after ? 'no policy grants it' : 'no file holds a policy')
  const by = after?.reason === 'root' ? owner : clauses.length > 0 ? entries(clauses) : [none]
  const details = (wording: Wording) => [
    listed('when', presentParts(after?.when && wording.when(after.when))),
    listed(
      'before',
      entries(gone).map((basis) => reasonLine(reasonWords(basis, wording))),
    ),
    listed(
      'missing',
      (after?.missing ?? []).map(({ fact }) => shown(factText(fact))),
    ),
    listed('or', orWords),
  ]
  return section(title, tone, [rowOf({ verdict: after?.verdict ?? 'deny', by, details })], { name: title, may: '', heading })
}

/** The change of one claim, with the entries by which it fails. */
function claimSection({ name, before, after }: ClaimChange, heading: NonNullable<Section['heading']>, orWords: readonly string[]): Section {
  const title = `${shown(name)}: ${before ? `${statusWords[before]} → ` : ''}${statusWords[after.status]}`
  const tone = after.status === 'passed' ? 'good' : after.status === 'failed' ? 'error' : 'warning'
  const by =
    after.by.length > 0
      ? after.by.map(({ policy, span }): Basis => ({ kind: 'words', place: placeWords(span), words: titleWords(policy) }))
      : [wordsBasis(after.status === 'passed' ? 'no entry is against it any more' : statusWords[after.status])]
  return section(title, tone, [rowOf({ by, details: () => [listed('or', orWords)] })], { name: title, may: '', heading })
}

export function unreadWords(unread: readonly Unread[]): string {
  const [first, last] = [unread[0] as Unread, unread.at(-1) as Unread]
  const names = unread.length === 1 ? first.commit.short : `${first.commit.short} to ${last.commit.short}`
  return `${plural(unread.length, 'commit')} that cannot be read, ${names}: ${first.why}`
}

export function gapWords({ unread, after, until }: Gap): string {
  const between = presentParts(after && `after ${after.short}`, until ? `before ${until.short}` : 'up to the last commit').join(' and ')
  return `${unreadWords(unread)}; ${between} the answer is not known`
}

export const commitJson = (commit: Commit) => ({
  id: commit.id,
  author: commit.author,
  date: isoWords(timeOf(commit)),
  subject: commit.subject,
  request: requestIn(commit) ?? null,
})

export const unreadJson = (unread: readonly Unread[]) => unread.map(({ commit, why }) => ({ ...commitJson(commit), why }))

const accessJson = (access: Access | undefined) =>
  access
    ? {
        verdict: access.verdict,
        reason: access.reason,
        when: access.when ? formulaJson(access.when) : null,
        missing: access.missing.map(({ fact }) => factText(fact)),
        clauses: access.clauses.map(clauseJson),
      }
    : null

function changeJson(change: Changed) {
  switch (change.kind) {
    case 'verdict':
      return { before: accessJson(change.before), after: accessJson(change.after) }
    case 'access':
      return { difference: differenceJson(change.difference) }
    case 'claims':
      return { claims: change.changes.map(({ before, after }) => ({ ...claimJson(after), before: before ?? null })) }
  }
}

const claimJson = ({ name, status, by }: ClaimResult) => ({
  name,
  status,
  by: by.map(({ policy, span }) => ({ policy: policy.name.value, ...placeJson(span) })),
})

/** Commits that cannot be read, with the same answer before and after them. */
export const gapsJson = (gaps: readonly Gap[]) =>
  gaps.map(({ unread, after, until }) => ({
    after: after ? commitJson(after) : null,
    until: until ? commitJson(until) : null,
    unread: unreadJson(unread),
  }))

function historyJson(history: History) {
  const { asked, branch, first, last, count, steps, gaps, one, claims, times } = history
  return {
    question: asked ?? null,
    branch,
    commits: { first: commitJson(first), last: commitJson(last), count },
    times: typeof times === 'object' ? isoWords(times.at) : times === 'all' ? null : 'commit',
    ...(one && { now: accessJson(one.now) }),
    ...(claims && { now: claims.map(claimJson) }),
    complete: !isOpenHistory(history),
    changes: steps
      .toReversed()
      .map(({ commit, change, unread }) => ({ commit: commitJson(commit), ...changeJson(change), unread: unreadJson(unread) })),
    gaps: gapsJson(gaps),
  }
}
