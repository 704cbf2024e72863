import type { Operation } from '../actions/operations.ts'
import type { Call } from '../calls/match.ts'
import { type PlainRule, type RuleLevel, ruleLevels } from '../calls/rule-set.ts'
import type { CallTally, LeastRules, RuleWithRest } from '../usage/rules.ts'
import { plural, quoted, recordsUsed, some } from './words.ts'

/** Proposals of access rules, for people and for programs. */

/** What a proposal was made with. */
export interface LeastRulesReport {
  readonly tally: CallTally
  readonly least: LeastRules
  readonly level: RuleLevel
  /** Log entries that are not decisions, and lines that could not be read. */
  readonly others: number
  readonly bad: number
}

/** `none`: no call needs a rule. `within`: the rules in force allow all of it. `beyond`: they do not. */
export type LeastRulesVerdict = 'none' | 'proposed' | 'within' | 'beyond'

export function leastRulesVerdict({ rules, current }: LeastRules): LeastRulesVerdict {
  if (rules.length === 0) return 'none'
  if (!current) return 'proposed'
  return current.outside.length > 0 ? 'beyond' : 'within'
}

const operationName = ({ branch, method, path }: Operation) => `${method} /${branch}${path}`
const callName = ({ branch, method, sent }: Call) => `${method} ${branch === undefined ? '' : `/${branch}`}${sent}`
const ruleName = ({ method, path }: PlainRule) => `${method} ${path}`

const listed = (names: readonly string[]) => some(names.map(quoted), 5)

/** What rules allow beyond the calls, a line each. */
export function beyondLines(rules: readonly RuleWithRest[]): readonly string[] {
  return rules.flatMap((rule) =>
    rule.beyond.length === 0
      ? []
      : [`${quoted(ruleName(rule))} also allows ${plural(rule.beyond.length, 'operation')}: ${listed(rule.beyond.map(operationName))}`],
  )
}

/** A proposal as machines read it. */
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

/** A proposal in a few lines. */
export function leastRulesText({ tally, least, level, others, bad }: LeastRulesReport): string {
  const { rules, open, unknown, operations, current } = least
  const lines = [
    `${plural(rules.length, 'access rule')} for ${plural(tally.used.length, 'distinct call')} of ${plural(operations, 'operation')}, in ${recordsUsed(tally)}`,
    `generalised: ${level}: ${ruleLevels[level]}`,
    ...beyondLines(rules),
  ]
  if (open.length > 0) lines.push(`no rule needed, because no authentication is required: ${listed(open.map(callName))}`)
  if (unknown.length > 0) lines.push(`unknown operations, not widened: ${listed(unknown.map(callName))}`)
  for (const [why, words] of Object.entries(leftWords)) {
    const count = tally.left[why as keyof CallTally['left']]
    if (count > 0) lines.push(`skipped: ${plural(count, 'record')} ${words}`)
  }
  if (others > 0) lines.push(`skipped: ${plural(others, 'log entry')} of other kinds`)
  if (bad > 0) lines.push(`skipped: ${plural(bad, 'line')} that cannot be read`)
  if (current) {
    lines.push(
      current.outside.length === 0
        ? 'proved: the rules in force allow all of it'
        : `the rules in force do not allow all of it: ${listed(current.outside.map(ruleName))}`,
    )
    if (current.refusing.length > 0)
      lines.push(`recorded, but not certainly allowed by the rules in force: ${listed(current.refusing.map(callName))}`)
    if (current.unused.length > 0) lines.push(`in force and not used: ${listed(current.unused.map(ruleName))}`)
    lines.push(...beyondLines(current.wider).map((line) => `in force: ${line}`))
  }
  return `${lines.join('\n')}\n`
}
