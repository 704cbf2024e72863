import type { AddedAccess, CountedGrant, Numbers, RiskyAccess } from '../lock/budget.ts'
import type { AccessBudget, JudgedTeam, Raise, TeamStatus } from '../lock/budget-file.ts'
import { position } from '../source.ts'
import type { Names } from './names.ts'
import { shown } from './safe.ts'
import { firstFew, placedEntry, plural, presentParts } from './words.ts'

/** The words of `budget`. */

/** A team, with what its access rests on where it is over its budget. */
export interface BudgetRow extends JudgedTeam {
  /** The entries that grant the described combinations, and those that reach resources that are not described. */
  readonly grants: readonly CountedGrant[]
  readonly beyond: readonly CountedGrant[]
  readonly added: readonly AddedAccess[]
}

export interface BudgetReport {
  /** The path of the file, as shown. */
  readonly file: string
  readonly budget: AccessBudget
  readonly access: RiskyAccess
  readonly rows: readonly BudgetRow[]
  readonly departures: readonly string[]
  /** The raises that were recorded since the earlier version. */
  readonly raised: readonly Raise[]
}

export type BudgetVerdict = 'within' | 'over' | 'undecided'

export function budgetVerdict({ rows, departures, access }: BudgetReport): BudgetVerdict {
  if (departures.length > 0 || rows.some(({ status }) => status === 'over')) return 'over'
  return access.isUndecided || rows.some(({ status }) => status === 'unknown') ? 'undecided' : 'within'
}

const statusWords: Readonly<Record<TeamStatus, string>> = {
  over: 'over its budget',
  unknown: 'perhaps over its budget, by facts that are not known',
  below: 'below its budget: `grantwise budget --update` lowers it',
  within: '',
}

const kinds = ['described', 'undescribed'] as const

/** Of a number: `14 of 12`, with what more there may be. */
function numberWords(kind: keyof Numbers, { access, budget }: JudgedTeam): string {
  const [perhaps, allowed] = [access.perhaps[kind], budget.perhaps[kind]]
  const more = (count: number) => (count > 0 ? `+${count}?` : '')
  return `${access.sure[kind]}${more(perhaps)} of ${budget[kind]}${more(allowed)}`
}

/** The report as text. `most`: how many grants and combinations of a team are listed. */
export function budgetText(report: BudgetReport, names: Names, most: number): string {
  const { file, budget, access, rows, departures, raised } = report
  const over = rows.filter(({ status }) => status === 'over').length
  const unknown = rows.filter(({ status }) => status === 'unknown').length
  const verdict = budgetVerdict(report)
  const headline = presentParts(
    over > 0 && `${over} of ${plural(rows.length, 'team')} over the access budget`,
    unknown > 0 &&
      `${over > 0 ? unknown : `${unknown} of ${plural(rows.length, 'team')}`} perhaps over ${over > 0 ? 'it' : 'the access budget'}`,
    departures.length > 0 && 'the budget departs from the earlier version',
    access.isUndecided && 'not everything could be counted within limits',
    verdict === 'within' && `${plural(rows.length, 'team')} within the access budget`,
    raised.length > 0 && `${plural(raised.length, 'raise')} recorded since the earlier version`,
  ).join(', ')
  const width = Math.max(0, ...rows.map(({ access: { team } }) => shown(team.name).length))
  const columns = kinds.map((kind) => Math.max(0, ...rows.map((row) => numberWords(kind, row).length)))
  const rowLines = rows.flatMap((row) => {
    const { access: teamAccess, status } = row
    const numbers = kinds.map((kind, i) => numberWords(kind, row).padStart(columns[i] as number))
    const line = `  ${shown(teamAccess.team.name).padEnd(width)}  ${numbers[0]} described  ${numbers[1]} not described`
    return [`${line}${statusWords[status] === '' ? '' : `  ${statusWords[status]}`}`, ...detailLines(row, names, most)]
  })
  return `${[
    `${shown(file)}: ${headline}`,
    `counted: ${budget.categories.join(', ')}, ${plural(access.actions, 'action')} of the catalogue on ${plural(access.resources, 'described resource')}`,
    'not described: how many of these actions on resources that no world file describes',
    ...departures.map((each) => `  ${each}`),
    ...raised.map((each) => `  ${raiseWords(each)}`),
    ...rowLines,
  ].join('\n')}\n`
}

/** A raise in words: the numbers that rose, the day and the reason. */
function raiseWords({ team, from, to, date, reason }: Raise): string {
  const numbers = kinds.filter((kind) => to[kind] !== from[kind]).map((kind) => `\`${kind}\` from ${from[kind]} to ${to[kind]}`)
  return `\`${shown(team)}\` was raised on ${shown(date)}${numbers.length > 0 ? `, ${numbers.join(', ')}` : ''}: ${shown(reason)}`
}

function detailLines(
  { status, access: { undescribed, sure }, budget, grants, beyond, added }: BudgetRow,
  names: Names,
  most: number,
): readonly string[] {
  if (status !== 'over') return []
  const andMore = (count: number, noun: string) => (count > most ? [`      and ${plural(count - most, `more ${noun}`)}`] : [])
  const addedLines = added
    .slice(0, most)
    .map(({ identity, action, resource, grants: [grant] }) =>
      presentParts(
        `      ${names.identity(identity)}  ${shown(action)}  ${names.resource(resource)}`,
        grant && `by ${placedEntry(grant)}`,
      ).join('  '),
    )
  return presentParts(
    added.length > 0 && ['    added', ...addedLines, ...andMore(added.length, 'combination')],
    added.length === 0 &&
      sure.described > budget.described && [
        '    by',
        ...grants.slice(0, most).map(({ clause, count }) => `      ${plural(count, 'combination')}  ${placedEntry(clause)}`),
        ...andMore(grants.length, 'entry'),
      ],
    sure.undescribed > budget.undescribed && [
      `    not described: ${firstFew(undescribed.map(shown), most)}`,
      ...beyond.slice(0, most).map(({ clause, count }) => `      ${plural(count, 'action')}  ${placedEntry(clause)}`),
      ...andMore(beyond.length, 'entry'),
    ],
  )
}

/** The report as JSON. */
export function budgetJson(report: BudgetReport): object {
  const { file, budget, access, rows, departures, raised } = report
  const placed = ({ clause: { entry, policy }, count }: CountedGrant) => ({
    file: entry.span.source.path,
    ...position(entry.span.source, entry.span.start),
    policy: policy.name.value,
    entry: entry.value.text,
    count,
  })
  return {
    version: 1,
    file,
    verdict: budgetVerdict(report),
    categories: budget.categories,
    actions: access.actions,
    resources: access.resources,
    departures,
    raised,
    teams: rows.map(({ access: teamAccess, budget: { described, undescribed, perhaps }, status, grants, beyond, added }) => ({
      name: teamAccess.team.name,
      status,
      members: teamAccess.members,
      access: teamAccess.sure,
      perhaps: teamAccess.perhaps,
      budget: { described, undescribed, perhaps },
      undescribed: teamAccess.undescribed,
      grants: grants.map(placed),
      beyond: beyond.map(placed),
      added: added.map(({ identity, action, resource }) => ({ identity, action, resource })),
    })),
  }
}
