import type { Operation } from '../actions/operations.ts'
import type { Call } from '../calls/match.ts'
import { type PlainRule, type RuleLevel, ruleLevels } from '../calls/rule-set.ts'
import { type CallTally, type LeastRules, leastRulesVerdict, type RuleWithRest } from '../usage/rules.ts'
import { linesText, plural, quoted, recordsUsed, someQuoted } from './words.ts'

export interface LeastRulesReport {
  readonly tally: CallTally
  readonly least: LeastRules
  readonly level: RuleLevel
  /** Log entries that are not decisions, and lines that could not be read. */
  readonly others: number
  readonly bad: number
}

const operationName = ({ branch, method, path }: Operation) => `${method} /${branch}${path}`
const callName = ({ branch, method, sent }: Call) => `${method} ${branch === undefined ? '' : `/${branch}`}${sent}`
const ruleName = ({ method, path }: PlainRule) => `${method} ${path}`

/** The operations that rules allow beyond the calls, a line for each rule. */
export function beyondLines(rules: readonly RuleWithRest[]): readonly string[] {
  const others = rules.filter(({ beyond }) => beyond.length > 0)
  return others.map((rule) => {
    const names = someQuoted(rule.beyond.map(operationName), 5)
    return `${quoted(ruleName(rule))} also allows ${plural(rule.beyond.length, 'operation')}: ${names}`
  })
}

export function leastRulesJson({ tally, least, level, others, bad }: LeastRulesReport) {
  const rest = ({ method, path, beyond }: RuleWithRest) => ({ method, path, beyond: beyond.map(operationName) })
  const { current } = least
  return {
    records: tally.records,
    letThrough: tally.letThrough,
    calls: tally.used.length,
    operations: least.operations,
    generalise: level,
    verdict: leastRulesVerdict(least),
    accessRules: least.rules.map(rest),
    open: least.open.map(callName),
    unknown: least.unknown.map(callName),
    left: { ...tally.left, others, bad },
    current: current
      ? {
          outside: current.outside,
          unused: current.unused.map(rest),
          wider: current.wider.map(rest),
          refusing: current.refusing.map(callName),
        }
      : null,
  }
}

const leftWords: Readonly<Record<keyof CallTally['left'], string>> = {
  refused: 'refused',
  undecided: 'not decided',
  'no-call': 'without the call of the decision',
  unreadable: 'with a malformed path',
}

export function leastRulesText({ tally, least, level, others, bad }: LeastRulesReport): string {
  const { rules, open, unknown, operations, current } = least
  const about = <T>(title: string, items: readonly T[], name: (item: T) => string) =>
    items.length > 0 && `${title}: ${someQuoted(items.map(name), 5)}`
  const skipped = (count: number, noun: string, words: string) => count > 0 && `skipped: ${plural(count, noun)} ${words}`
  return linesText(
    `${plural(rules.length, 'access rule')} for ${plural(tally.used.length, 'distinct call')} of ${plural(operations, 'operation')}, in ${recordsUsed(tally)}`,
    `generalised: ${level}: ${ruleLevels[level]}`,
    beyondLines(rules),
    about('no rule needed, because no authentication is required', open, callName),
    about('unknown operations, not widened', unknown, callName),
    Object.entries(leftWords).map(([why, words]) => skipped(tally.left[why as keyof CallTally['left']], 'record', words)),
    skipped(others, 'log entry', 'of other kinds'),
    skipped(bad, 'line', 'that cannot be read'),
    current && [
      about('the rules in force do not allow all of it', current.outside, ruleName) || 'proved: the rules in force allow all of it',
      about('recorded, but not certainly allowed by the rules in force', current.refusing, callName),
      about('in force and not used', current.unused, ruleName),
      beyondLines(current.wider).map((line) => `in force: ${line}`),
    ],
  )
}
