import type { Blamed } from '../history/blame.ts'
import type { Commit } from '../history/commit.ts'
import type { Effect, EntryList, Idle, PolicyEntry } from '../history/effects.ts'
import type { Unread } from '../history/steps.ts'
import { clauseJson } from '../report/decision.ts'
import { cut, shown } from '../report/safe.ts'
import { placeJson, placeWords, plural, presentParts, someQuoted, titleWords } from '../report/words.ts'
import { questionJson } from '../symbolic/witness.ts'
import { tooManyWords } from './difference.ts'
import { commitJson, referenceWords, unreadJson, unreadWords } from './history.ts'
import { type Answer, type Detail, entries, plainLines, type Row, rowOf, type Section, section, type Wording } from './model.ts'
import { reasonLine, reasonWords } from './wording.ts'

/** The entries of a file, with the commits since which they have their effect. */
export interface BlameReport {
  readonly path: string
  readonly branch: string
  readonly blamed: readonly Blamed[]
  readonly first: Commit
  readonly last: Commit
  readonly count: number
  /** The commits after the last readable one: the answer is about that. */
  readonly unread: readonly Unread[]
}

/** Whether something is not known: an effect, or when it began. */
export const isOpenBlame = ({ blamed, unread }: Pick<BlameReport, 'blamed' | 'unread'>): boolean =>
  unread.length > 0 ||
  blamed.some(({ effect, isCut, unread, between }) => effect.kind === 'undecided' || isCut || unread.length + between.length > 0)

/** The commits after the last readable one, in words. */
export const unreadNotes = ({ unread }: Pick<BlameReport, 'unread'>): readonly string[] =>
  presentParts(unread.length > 0 && `${unreadWords(unread)}; the answer is about the commit before`)

const listWords: Readonly<Record<EntryList, string>> = {
  identities: 'identity',
  resources: 'resource',
  allow: 'allow',
  except: 'except',
  deny: 'deny',
  permissionsGroups: 'permissions group',
}

/** The answer of `blame`: a section for each policy. */
export function blameAnswer(report: BlameReport): Answer {
  const { path, branch, blamed, first, last, count, unread } = report
  const policies = new Set(blamed.map(({ entry }) => entry.policy))
  const idle = blamed.filter(({ effect }) => effect.kind === 'none').length
  return {
    subject: () => ['blame', shown(path)],
    summary: () =>
      plainLines(
        `${plural(blamed.length, 'entry')}, ${idle} without effect, in ${plural(count, 'commit')} of ${branch}, ${referenceWords(first)} to ${referenceWords(last)}`,
      ),
    sections: [...policies].map((policy) => sectionOf(blamed.filter(({ entry }) => entry.policy === policy))),
    notes: unreadNotes(report),
    lead: 'by',
    json: () => ({
      file: path,
      branch,
      commits: { first: commitJson(first), last: commitJson(last), count },
      complete: !isOpenBlame(report),
      entries: blamed.map(blamedJson),
      unread: unreadJson(unread),
    }),
  }
}

function sectionOf(blamed: readonly Blamed[]): Section {
  const [{ entry }] = blamed as [Blamed]
  return section(titleWords(entry.policy), 'bold', blamed.map(rowIn), { may: '', name: titleWords(entry.policy) })
}

function rowIn(blamed: Blamed): Row {
  const { entry, effect, unread, between } = blamed
  const details = (wording: Wording): readonly Detail[] => [
    { label: 'effect', items: [effectWords(blamed)], isList: true },
    { label: 'why', items: presentParts(effect.kind === 'none' && effect.idle && idleWords(entry, effect.idle, wording)), isList: true },
    { label: 'or', items: presentParts(unread.length > 0 && unreadWords(unread)), isList: true },
    { label: 'but', items: presentParts(between.length > 0 && `not known at ${unreadWords(between)}`), isList: true },
  ]
  const words = `${listWords[entry.list]} ${someQuoted([entry.text])}`
  return rowOf({ by: [{ kind: 'words', place: placeWords(entry.span), words }], details })
}

/** Since when an entry has its effect, in a line, with the commits that may change that. */
export function sinceWords(blamed: Blamed): string {
  const { unread, between } = blamed
  return presentParts(
    effectWords(blamed),
    unread.length > 0 && `or ${unreadWords(unread)}`,
    between.length > 0 && `but not known at ${unreadWords(between)}`,
  ).join('; ')
}

/** The same in a few words, by the day. */
export function shortSince({ effect, since, isNever, isCut }: Blamed): string {
  if (effect.kind === 'undecided') return 'effect not decided'
  const [day = ''] = since.date.split('T')
  const begin = effect.kind === 'effective' ? 'since' : isNever ? 'never any effect, since' : 'no effect since'
  return `${begin} ${day}${isCut ? ' or earlier' : ''}, ${cut(shown(since.author), 30)}`
}

function effectWords({ effect, since, isNever, isCut }: Blamed): string {
  const earlierWords = isCut ? ', or earlier' : ''
  switch (effect.kind) {
    case 'effective':
      return `since ${referenceWords(since)}${earlierWords}`
    case 'none':
      return `${isNever ? 'never any, in the policy since' : 'none since'} ${referenceWords(since)}${earlierWords}`
    case 'undecided':
      return `not decided: ${undecidedWords(effect)}`
  }
}

/** Why an effect is not decided: too much is to be compared, or it depends on what cannot be known. */
function undecidedWords({ culprits, facts }: Effect & { readonly kind: 'undecided' }): string {
  const dependsWords = facts.length > 0 && `it depends on unknown facts: ${someQuoted(facts)}`
  return presentParts((culprits.length > 0 || facts.length === 0) && tooManyWords(culprits), dependsWords).join('; ')
}

/** The entries that decide what an entry is about without it. */
function idleWords({ list }: PolicyEntry, { reason, clauses }: Idle, wording: Wording): string {
  const by = entries(clauses).map((basis) => reasonLine(reasonWords(basis, wording)))
  const [first] = by
  if (reason === 'default') return list === 'deny' ? 'no entry grants what it denies' : 'what it grants is excepted'
  if (first === undefined) return 'the owning account cannot be restricted'
  const others = by.length > 1 ? ` and ${by.length - 1} more` : ''
  return `${reason === 'denied' ? 'denied by' : 'also granted by'} ${first}${others}`
}

const blamedJson = ({ entry, effect, since, isNever, isCut, unread, between }: Blamed) => ({
  policy: entry.policy.name.value,
  ...placeJson(entry.span),
  list: entry.list,
  entry: entry.text,
  effect: effect.kind === 'none' ? (isNever ? 'never' : 'none') : effect.kind,
  since: commitJson(since),
  ...(isCut && { orEarlier: true }),
  ...(effect.kind === 'none' &&
    effect.idle && {
      because: { reason: effect.idle.reason, example: questionJson(effect.idle.question), clauses: effect.idle.clauses.map(clauseJson) },
    }),
  ...(effect.kind === 'undecided' && { culprits: [...effect.culprits, ...effect.facts] }),
  unread: unreadJson(unread),
  between: unreadJson(between),
})
