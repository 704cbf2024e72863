import type { Operation } from '../actions/operations.ts'
import type { Call } from '../calls/match.ts'
import { type PlainRule, type RuleLevel, ruleLevels } from '../calls/rule-set.ts'
import type { CallTally, LeastRules, RuleWithRest } from '../usage/rules.ts'
import { plural } from './lint.ts'
import { shown } from './safe.ts'
import { recordsUsed } from './usage.ts'

/** Proposals of access rules, for people and for programs. */

/** What a proposal was made with. */
export interface LeastRulesReport {
  readonly tally: CallTally
  readonly least: LeastRules
  readonly level: RuleLevel
  /** Log entries that tell of no decision, and lines that were passed over because they cannot be read. */
  readonly others: number
  readonly bad: number
}

/** `none`: no call needs a rule. `within`: the rules in force let all of it through. `beyond`: they do not. */
export type LeastRulesVerdict = 'none' | 'proposed' | 'within' | 'beyond'

export function leastRulesVerdict({ rules, current }: LeastRules): LeastRulesVerdict {
  if (rules.length === 0) return 'none'
  if (!current) return 'proposed'
  return current.outside.length > 0 ? 'beyond' : 'within'
}

const operationName = ({ branch, method, path }: Operation) => `${method} /${branch}${path}`
const callName = ({ branch, method, sent }: Call) => `${method} ${branch === undefined ? '' : `/${branch}`}${sent}`
const ruleName = ({ method, path }: PlainRule) => `${method} ${path}`

/** How many names a summary lists; machines are told all. */
const mostNames = 5

function listed(names: readonly string[]): string {
  const more = names.length - mostNames
  const first = names
    .slice(0, mostNames)
    .map((name) => `\`${shown(name)}\``)
    .join(', ')
  return more > 0 ? `${first} and ${more} more` : first
}

/** What rules open besides what is asked for, a line each. */
export function beyondLines(rules: readonly RuleWithRest[]): readonly string[] {
  return rules.flatMap((rule) =>
    rule.beyond.length === 0
      ? []
      : [`\`${shown(ruleName(rule))}\` also opens ${plural(rule.beyond.length, 'operation')}: ${listed(rule.beyond.map(operationName))}`],
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
  'no-call': 'of a decision, of which the call is not told',
  unreadable: 'of a path that cannot be read',
}

/** A proposal in a few lines. */
export function leastRulesText({ tally, least, level, others, bad }: LeastRulesReport): string {
  const { rules, open, unknown, operations, current } = least
  const lines = [
    `${plural(rules.length, 'access rule')} for ${plural(tally.used.length, 'distinct call')} of ${plural(operations, 'operation')}, in ${recordsUsed(tally)}`,
    `generalised: ${level}: ${ruleLevels[level]}`,
    ...beyondLines(rules),
  ]
  if (open.length > 0) lines.push(`no rule is needed, since no authentication is: ${listed(open.map(callName))}`)
  if (unknown.length > 0) lines.push(`not a known operation, and not widened: ${listed(unknown.map(callName))}`)
  for (const [why, words] of Object.entries(leftWords)) {
    const count = tally.left[why as keyof CallTally['left']]
    if (count > 0) lines.push(`left out: ${plural(count, 'record')} ${words}`)
  }
  if (others > 0) lines.push(`left out: ${plural(others, 'log entry').replace('entrys', 'entries')} that tell of no decision`)
  if (bad > 0) lines.push(`passed over: ${plural(bad, 'line')} that cannot be read`)
  if (current) {
    lines.push(
      current.outside.length === 0
        ? 'proven: the rules in force let all of it through'
        : `the rules in force do not let all of it through: ${listed(current.outside.map(ruleName))}`,
    )
    if (current.refusing.length > 0)
      lines.push(`recorded, and not for certain let through by the rules in force: ${listed(current.refusing.map(callName))}`)
    if (current.unused.length > 0) lines.push(`in force and not used: ${listed(current.unused.map(ruleName))}`)
    lines.push(...beyondLines(current.wider).map((line) => `in force: ${line}`))
  }
  return `${lines.join('\n')}\n`
}
