import type { CodeGap, OtherCall } from '../code/calls.ts'
import type { CodeLanguage } from '../code/languages.ts'
import type { CodeNeed, CodeNeeds, CodeUse } from '../code/needs.ts'
import type { Paint } from '../report/colour.ts'
import { decisionJson } from '../report/decision.ts'
import { shown } from '../report/safe.ts'
import { firstFew, linesText, placeJson, placeWords, plural, presentParts, quoted } from '../report/words.ts'
import type { Verdict } from '../simulate/decision.ts'
import type { DecidedNeed } from '../usage/apply.ts'
import type { Level } from '../usage/generalise.ts'
import type { Least } from '../usage/least.ts'
import { besides, rowOfDecided, verdictTones } from './apply.ts'
import { type Answer, counted, type Detail, type Line, say } from './model.ts'

/** Answers about what running a program needs, by the calls of the API in its source code. */

/** A program as answers name it, with how much of it was looked at. */
export interface CodeSubject {
  /** The files and folders, as they are given. */
  readonly name: string
  readonly files: readonly { readonly language: CodeLanguage; readonly count: number }[]
  /** Files that may hold calls and were not read. */
  readonly unread: readonly UnreadFile[]
  /** Files and folders that are no part of the program. */
  readonly passed: readonly UnreadFile[]
  /** Calls that are written alike and are none of the API. */
  readonly others: readonly OtherCall[]
  /** The month of the catalogue. */
  readonly seen: string
}

interface UnreadFile {
  readonly path: string
  readonly reason: string
}

export interface CodeAnswer extends CodeNeeds {
  readonly subject: CodeSubject
  readonly identity: string
}

/** Whether all that was found is known, and something was found. */
export const isWholeProgram = ({ gaps, uses, subject }: Pick<CodeAnswer, 'gaps' | 'uses' | 'subject'>): boolean =>
  gaps.length === 0 && subject.unread.length === 0 && uses.length > 0

const operationsOf = (uses: readonly CodeUse[]) => new Set(uses.map(({ operation }) => operation)).size

const callWords = (uses: readonly CodeUse[]) => `${plural(uses.length, 'call')} of ${plural(operationsOf(uses), 'operation')}`

const freeWords = (uses: readonly CodeUse[]) => `its ${callWords(uses)} need${uses.length === 1 ? 's' : ''} no action`

/** How much was looked at, and what is not seen. */
function scopeWords({ subject, uses, free }: CodeAnswer): readonly string[] {
  const { files, others, passed, seen } = subject
  const count = files.reduce((sum, each) => sum + each.count, 0)
  const languages = files.map((each) => `${each.count} ${each.language}`).join(', ')
  return presentParts(
    `${plural(count, 'file')} read${languages === '' ? '' : ` (${languages})`}${
      passed.length === 0
        ? ''
        : `; not looked at: ${firstFew(
            passed.map(({ path }) => shown(path)),
            3,
          )}`
    }`,
    `${callWords(uses)}, by the catalogue of ${seen}`,
    free.length > 0 &&
      `${plural(free.length, 'call')} of them need${free.length === 1 ? 's' : ''} no action: lists, or what a session is enough for`,
    others.length > 0 &&
      `not counted: ${plural(others.length, 'call')} of other paths, hosts or clients: ${firstFew(
        others.map(({ at, shown: call }) => `${placeWords(at)} ${quoted(call)}`),
        2,
      )}`,
    'not seen: calls made by other means, such as other clients, generated code and reflection',
  )
}

/** The calls that are not fully known, and the files that were not read. */
function gapWords({ gaps, subject, uses }: CodeAnswer): readonly string[] {
  const words = gaps.map(
    ({ at, shown: call, why, help }) =>
      `not known: ${placeWords(at)}: ${quoted(call)}: ${shown(why)}${help === undefined ? '' : `: ${shown(help)}`}`,
  )
  return presentParts(
    uses.length === 0 && gaps.length === 0 && 'no call of the API was found: nothing is known of what it needs',
    words.slice(0, mostGaps),
    words.length > mostGaps && `not known: ${words.length - mostGaps} more calls: ${say.listAll('`--format json`')}`,
    subject.unread.map(({ path, reason }) => `not read: ${shown(path)}: ${shown(reason)}`),
  )
}

const mostGaps = 20

// `can IDENTITY --code`.

export interface DecidedCode extends CodeAnswer {
  readonly verdict: Verdict
  readonly needs: readonly DecidedNeed<CodeNeed>[]
}

function verdictLine(answer: DecidedCode): Line {
  const { verdict, needs, gaps, uses, subject } = answer
  const denied = needs.filter((need) => need.isCertain && need.verdict === 'deny').length
  const open = needs.filter((need) => need.verdict !== 'allow').length
  const unread = subject.unread.length
  const words: Readonly<Record<Verdict, string>> = {
    allow:
      needs.length === 0
        ? freeWords(uses)
        : `all ${plural(needs.length, 'action')} that it needs at least ${needs.length === 1 ? 'is' : 'are'} allowed`,
    deny: `${denied} of ${plural(needs.length, 'action')} that it needs at least ${denied === 1 ? 'is' : 'are'} not allowed`,
    unknown:
      uses.length + gaps.length === 0
        ? 'no call of the API was found'
        : presentParts(
            open > 0 && `${open} of ${plural(needs.length, 'action')} cannot be decided`,
            gaps.length > 0 && `what ${plural(gaps.length, 'call')} need${gaps.length === 1 ? 's' : ''} is not known`,
            unread > 0 && `${plural(unread, 'file')} ${unread === 1 ? 'was' : 'were'} not read`,
          ).join(', and '),
  }
  return { text: `${verdict.toUpperCase()}  ${shown(subject.name)}: ${words[verdict]}`, tone: verdictTones[verdict] }
}

/** Whether an identity may run a program. `isListed`: with the actions that are allowed. */
export function codeAnswer(answer: DecidedCode, isListed: boolean): Answer {
  const { identity, needs } = answer
  const rowsOf = (verdict: Verdict, ...certain: readonly boolean[]) =>
    needs.filter((need) => need.verdict === verdict && certain.includes(need.isCertain)).map((need) => rowOfDecided(need, forCalls(need)))
  const titled = { may: 'needs' }
  const allowed = rowsOf('allow', true, false)
  return {
    subject: ({ names }) => [names.identity(identity)],
    summary: () => [verdictLine(answer), ...scopeWords(answer).map((text): Line => ({ text: `  ${text}`, tone: 'plain' }))],
    sections: [
      counted('not allowed', 'error', rowsOf('deny', true), titled),
      counted('not allowed, and needed only in some cases', 'warning', rowsOf('deny', false), titled),
      counted('not decided', 'warning', rowsOf('unknown', true, false), titled),
      ...(isListed ? [counted('allowed', 'good', allowed, titled)] : []),
    ],
    rest: presentParts(!isListed && allowed.length > 0 && `${plural(allowed.length, 'action')} allowed: ${say.listAll('`--explain`')}`),
    seeAll: '`--explain`',
    notes: gapWords(answer),
    lead: 'on',
    given: ['who'],
    json: () => ({
      verdict: answer.verdict,
      identity,
      ...subjectJson(answer),
      needs: needs.map((need) => ({ ...needJson(need), ...decisionJson(need.decision), verdict: need.verdict })),
      ...restJson(answer),
    }),
  }
}

const forCalls = ({ uses }: Pick<CodeNeed, 'uses'>): Detail => ({
  label: 'for',
  items: [
    firstFew(
      uses.map(({ call, operation }) => `${shown(operation)} at ${placeWords(call.at)}`),
      3,
    ),
  ],
  isList: true,
})

// `least --from CODE`.

/** A proposal of policies for a program. */
export interface CodeProposal extends CodeAnswer {
  readonly least: Least
  readonly level: Level
}

export const codeVerdict = (proposal: CodeAnswer): 'proposed' | 'undecided' | 'none' =>
  !isWholeProgram(proposal) ? 'undecided' : proposal.needs.length > 0 ? 'proposed' : 'none'

/** The summary of the policies that `least` proposes for a program. */
export function codeProposalText(proposal: CodeProposal, paint: Paint): string {
  const { needs, subject, least, level } = proposal
  const { policies, widened, isFewest } = least
  const allow = policies.length === 1 ? 'allows' : 'allow'
  const fewest = policies.length === 1 ? '' : isFewest ? '; fewer policies would allow more than that' : '; fewer were not found'
  return linesText(
    policies.length === 0
      ? `${shown(subject.name)}: ${isWholeProgram(proposal) ? freeWords(proposal.uses) : 'no action is known to be needed'}`
      : `${plural(policies.length, 'policy')} ${allow} ${plural(needs.length, 'action')} that ${shown(subject.name)} needs at least${fewest}`,
    scopeWords(proposal),
    besides(
      needs.filter(({ isNamed }) => !isNamed),
      'on every name, as the code does not give it',
    ),
    besides(
      needs.filter(({ isCertain }) => !isCertain),
      'needed only in some cases',
    ),
    level !== 'none' && widened.length === 0 && 'nothing was widened',
    widened.map(
      ({ pattern, used, adds }) =>
        `widened: ${quoted(pattern)} in place of ${firstFew(used.map(quoted), 3)}${adds === undefined || adds.length === 0 ? '' : `, adds ${firstFew(adds.map(quoted), 3)}`}`,
    ),
    gapWords(proposal).map((text) => `${paint.warning('note:')} ${text}`),
  )
}

/** The same as machines read it. */
export const codeProposalJson = (proposal: CodeProposal) => ({
  verdict: codeVerdict(proposal),
  identity: proposal.identity,
  ...subjectJson(proposal),
  policies: proposal.least.policies,
  fewest: proposal.least.isFewest,
  generalise: proposal.level,
  widened: proposal.least.widened.map(({ kind, pattern, used, adds }) => ({ kind, pattern, used, adds: adds ?? null })),
  needs: proposal.needs.map(needJson),
  ...restJson(proposal),
})

const subjectJson = ({ subject, uses, free }: CodeAnswer) => ({
  code: subject.name,
  files: Object.fromEntries(subject.files.map(({ language, count }) => [language, count])),
  catalogue: subject.seen,
  calls: uses.map(useJson),
  withoutActions: free.length,
})

const restJson = ({ gaps, subject }: CodeAnswer) => ({
  unknown: gaps.map(gapJson),
  others: subject.others.map(({ at, shown: call }) => ({ ...placeJson(at), call })),
  unread: subject.unread.map(({ path, reason }) => ({ file: path, why: reason })),
  skipped: subject.passed.map(({ path, reason }) => ({ file: path, why: reason })),
})

const useJson = ({ call, operation }: CodeUse) => ({ ...placeJson(call.at), language: call.language, call: call.shown, operation })

const gapJson = ({ at, language, shown: call, why, help }: CodeGap) => ({ ...placeJson(at), language, call, why, help: help ?? null })

const needJson = ({ action, resource, isNamed, isCertain, uses }: CodeNeed) => ({
  action,
  resource,
  named: isNamed,
  certain: isCertain,
  for: uses.map(useJson),
})
