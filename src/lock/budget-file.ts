import { type RiskCategory, riskCategories } from '../actions/sensitive.ts'
import { readDate } from '../conditions/time.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { type Settings, visible } from '../names.ts'
import { shapeProblemsBy } from '../parser/shape.ts'
import { schemas } from '../parser/shape-budget.js'
import { treeOf } from '../parser/tree.ts'
import type { Source, Span } from '../source.ts'
import { field, type MapNode, type Node, plainValue } from '../tree.ts'
import { readIdentity } from '../urn/identity.ts'
import { type Numbers, otherTeam, type RiskyAccess, type Team, type TeamAccess } from './budget.ts'
import { scalar } from './text.ts'

/** The file of an access budget: the most risky access that each team may have. Its numbers only go down, unless a reason is recorded. */

/** The version of the format that is written, and the newest that is read. */
export const formatVersion = 1

/** The key that the file begins with. */
export const budgetKey = 'grantwise-budget'

export interface TeamBudget extends Team, Numbers {
  /** How much more there may be, by facts that are not known. */
  readonly perhaps: Numbers
}

/** A number that was raised on purpose. */
export interface Raise {
  readonly team: string
  readonly from: Numbers
  readonly to: Numbers
  /** The day, `YYYY-MM-DD`. */
  readonly date: string
  readonly reason: string
}

export interface AccessBudget {
  readonly categories: readonly RiskCategory[]
  readonly teams: readonly TeamBudget[]
  readonly raised: readonly Raise[]
}

/** The reading of a budget. Undefined if there is any error in it. */
export interface BudgetRead {
  readonly budget: AccessBudget | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** Read a budget. Never rejects for what is in the text. */
export async function readBudget(source: Source, _settings: Settings): Promise<BudgetRead> {
  const reading = await treeOf(source)
  const wrong = reading.diagnostics.filter(({ severity }) => severity === 'error')
  if (wrong.length > 0) return { budget: undefined, diagnostics: wrong }
  const [document, second] = reading.documents
  if (document?.kind !== 'map' || document.entries.every(({ key }) => key.value !== budgetKey))
    return refused(
      document ?? { source, start: 0, end: 0 },
      `no access budget: it has no \`${budgetKey}\``,
      'name another file, or remove this one',
    )
  const version = field(document, budgetKey)
  if (version?.kind === 'number' && Number.isInteger(version.value) && version.value > formatVersion)
    return refused(
      version,
      `the access budget is in format ${version.value}: this version of grantwise reads format ${formatVersion}`,
      'use the newer version that wrote it',
    )
  if (second) return refused(second, 'an access budget is one document, and here a second one begins', 'remove what is below the first')
  const shape = shapeProblemsBy(schemas, 'budget', document)
  if (shape.length > 0) return { budget: undefined, diagnostics: shape }
  return budgetIn(document)
}

function refused({ source, start, end }: Span, message: string, help: string): BudgetRead {
  return { budget: undefined, diagnostics: [{ code: 'budget', severity: 'error', message, span: { source, start, end }, help }] }
}

const kinds = ['described', 'undescribed'] as const

interface Written {
  readonly categories: readonly RiskCategory[]
  readonly teams: readonly (Omit<TeamBudget, 'identities' | 'perhaps'> & {
    readonly identities?: readonly string[]
    readonly perhaps?: Numbers
  })[]
  readonly raised?: readonly Raise[]
}

/** The numbers of a team. */
function numbersIn(team: MapNode): readonly Node[] {
  const perhaps = field(team, 'perhaps')
  const of = (map: MapNode) => kinds.flatMap((kind) => field(map, kind) ?? [])
  return [...of(team), ...(perhaps?.kind === 'map' ? of(perhaps) : [])]
}

/** The budget of a document whose shape is right. */
function budgetIn(document: MapNode): BudgetRead {
  const diagnostics: Diagnostic[] = []
  const report = (span: Span, message: string, help: string) => diagnostics.push(...refused(span, message, help).diagnostics)
  const value = plainValue(document) as Written
  const teams = field(document, 'teams')
  const seen = new Set<string>()
  for (const node of teams?.kind === 'list' ? teams.items : []) {
    if (node.kind !== 'map') continue
    const [name, identities] = [field(node, 'name'), field(node, 'identities')]
    for (const each of numbersIn(node))
      if (each.kind === 'number' && !(Number.isSafeInteger(each.value) && each.value >= 0))
        report(each, 'expected a whole number of at least 0', 'restore it from an earlier version')
    if (name?.kind === 'text') {
      if (seen.has(name.value)) report(name, `another team is called \`${visible(name.value)}\``, 'give each its own name')
      seen.add(name.value)
      if (name.value === otherTeam && identities)
        report(
          identities,
          `the team \`${otherTeam}\` has the identities that no other team has`,
          'omit `identities`, or give it another name',
        )
      if (name.value !== otherTeam && !identities)
        report(
          name,
          `the team \`${visible(name.value)}\` has no identities`,
          'add `identities`: URNs or patterns of users, groups or service accounts',
        )
    }
    for (const each of identities?.kind === 'list' ? identities.items : [])
      if (each.kind === 'text') {
        const [fault] = readIdentity(each.value, { pattern: true }).faults ?? []
        if (fault) report(each, `\`${visible(each.value)}\`: ${fault.message}`, 'write it as in policies')
      }
  }
  const raised = field(document, 'raised')
  for (const node of raised?.kind === 'list' ? raised.items : []) {
    const date = node.kind === 'map' ? field(node, 'date') : undefined
    if (date?.kind === 'text' && readDate(date.value) === undefined)
      report(date, `\`${visible(date.value)}\` is not a day`, 'write year, month and day, such as `2026-12-31`')
  }
  if (diagnostics.length > 0) return { budget: undefined, diagnostics }
  return {
    budget: {
      categories: riskCategories.filter((each) => value.categories.includes(each)),
      teams: value.teams.map((team) => ({ ...team, identities: team.identities ?? [], perhaps: team.perhaps ?? none })),
      raised: value.raised ?? [],
    },
    diagnostics,
  }
}

export const none: Numbers = { described: 0, undescribed: 0 }

const header = `# The risky access that each team may have at most, written by \`grantwise budget --update\`, which only lowers numbers.
# \`described\`: combinations of an action and a described resource. \`undescribed\`: actions on resources that no world file describes.
# The names and the identities of teams may be edited.
${budgetKey}: ${formatVersion}
`

/** A budget as a file: the same budget gives the same text. */
export function budgetText({ categories, teams, raised }: AccessBudget): string {
  const numbers = ({ described, undescribed }: Numbers) => `{ described: ${described}, undescribed: ${undescribed} }`
  const ofTeam = ({ name, identities, described, undescribed, perhaps }: TeamBudget) =>
    [
      `  - name: ${scalar(name)}`,
      ...(identities.length > 0 ? ['    identities:', ...identities.map((each) => `      - ${scalar(each)}`)] : []),
      `    described: ${described}`,
      `    undescribed: ${undescribed}`,
      ...(perhaps.described + perhaps.undescribed > 0 ? [`    perhaps: ${numbers(perhaps)}`] : []),
    ].join('\n')
  const ofRaise = ({ team, from, to, date, reason }: Raise) =>
    [
      `  - team: ${scalar(team)}`,
      `    from: ${numbers(from)}`,
      `    to: ${numbers(to)}`,
      `    date: ${JSON.stringify(date)}`,
      `    reason: ${scalar(reason)}`,
    ].join('\n')
  return [
    header,
    `categories: [${categories.join(', ')}]\n`,
    teams.length > 0 ? `teams:\n${teams.map(ofTeam).join('\n')}\n` : 'teams: []\n',
    raised.length > 0 ? `raised:\n${raised.map(ofRaise).join('\n')}\n` : '',
  ].join('')
}

/** How the access of a team compares with its budget: the worst of both numbers. */
export type TeamStatus = 'over' | 'unknown' | 'below' | 'within'

export interface JudgedTeam {
  readonly access: TeamAccess
  readonly budget: TeamBudget
  readonly status: TeamStatus
}

/** Each team with its budget, and those of the budget that have no identity. A team that the budget does not name has none. */
export function judgedTeams({ teams }: AccessBudget, access: RiskyAccess): readonly JudgedTeam[] {
  const nothing = (team: TeamBudget): TeamAccess => ({ team, members: [], sure: none, perhaps: none, undescribed: [] })
  const all = [...access.teams, ...teams.filter(({ name }) => !access.teams.some(({ team }) => team.name === name)).map(nothing)]
  return all.map((each) => {
    const budget = teams.find(({ name }) => name === each.team.name) ?? { ...each.team, ...none, perhaps: none }
    return { access: each, budget, status: statusOf(each, budget) }
  })
}

function statusOf({ sure, perhaps }: TeamAccess, budget: TeamBudget): TeamStatus {
  if (kinds.some((kind) => sure[kind] > budget[kind])) return 'over'
  if (kinds.some((kind) => sure[kind] + perhaps[kind] > budget[kind] + budget.perhaps[kind])) return 'unknown'
  return kinds.some((kind) => sure[kind] < budget[kind] || sure[kind] + perhaps[kind] < budget[kind] + budget.perhaps[kind])
    ? 'below'
    : 'within'
}

/** Whether a file has a team: all other identities only if they have some access that counts. */
const isUsed = ({ name, described, undescribed, perhaps }: TeamBudget) =>
  name !== otherTeam || described + undescribed + perhaps.described + perhaps.undescribed > 0

/** The budget that exactly allows some access. */
export function budgetFor(categories: readonly RiskCategory[], { teams }: RiskyAccess): AccessBudget {
  return {
    categories,
    teams: teams.map(({ team, sure, perhaps }) => ({ ...team, ...sure, perhaps })).filter(isUsed),
    raised: [],
  }
}

/** A budget with its numbers lowered to the access; with a reason, those of teams that are over it are raised, which it records. */
export function renewedBudget(
  budget: AccessBudget,
  judged: readonly JudgedTeam[],
  raise?: { readonly reason: string; readonly date: string },
): AccessBudget {
  const raised: Raise[] = []
  const teams = judged.map(({ access: { team, sure, perhaps }, budget: old, status }): TeamBudget => {
    if (raise && (status === 'over' || status === 'unknown')) {
      const from = { described: old.described, undescribed: old.undescribed }
      raised.push({ team: team.name, from, to: sure, ...raise })
      return { ...team, ...sure, perhaps }
    }
    const least = (kind: keyof Numbers) => Math.min(sure[kind], old[kind])
    const numbers = { described: least('described'), undescribed: least('undescribed') }
    const more = (kind: keyof Numbers) => Math.min(sure[kind] + perhaps[kind], old[kind] + old.perhaps[kind]) - numbers[kind]
    return { ...team, ...numbers, perhaps: { described: more('described'), undescribed: more('undescribed') } }
  })
  return { ...budget, teams: teams.filter(isUsed), raised: [...budget.raised, ...raised] }
}

/** The departures of a budget from an earlier version of it, in words: numbers that went up without a recorded reason, and what it no longer counts. */
export function departuresFrom(earlier: AccessBudget, budget: AccessBudget): readonly string[] {
  const isRecorded = newlyRaised(earlier, budget)
  const keepsReasons = earlier.raised.every((each, i) => JSON.stringify(each) === JSON.stringify(budget.raised[i]))
  return [
    ...earlier.categories.filter((each) => !budget.categories.includes(each)).map((each) => `\`${each}\` is no longer counted`),
    ...(keepsReasons ? [] : ['recorded reasons were changed or removed']),
    ...budget.teams.flatMap(({ name, ...now }) => {
      const old = earlier.teams.find((each) => each.name === name)
      const most = (team: TeamBudget | Omit<TeamBudget, 'name'>, kind: keyof Numbers) => team[kind] + team.perhaps[kind]
      const risen = kinds.filter((kind) => now[kind] > (old?.[kind] ?? 0) || most(now, kind) > (old ? most(old, kind) : 0))
      if (risen.length === 0 || isRecorded(name)) return []
      const numbers = risen.map((kind) => `\`${kind}\` from ${old?.[kind] ?? 0} to ${now[kind]}`)
      return [`\`${visible(name)}\` was raised without a recorded reason: ${numbers.join(', ')}`]
    }),
    ...earlier.teams.flatMap(({ name }) => {
      const isThere = name === otherTeam || budget.teams.some((each) => each.name === name)
      return isThere || isRecorded(name) ? [] : [`the team \`${visible(name)}\` is no longer in it`]
    }),
  ]
}

/** The raises that were recorded since an earlier version, with the numbers that the two versions have: those of a record can be edited. */
export function raisedSince(earlier: AccessBudget, budget: AccessBudget): readonly Raise[] {
  const numbersOf = ({ teams }: AccessBudget, team: string): Numbers => {
    const { described, undescribed } = teams.find(({ name }) => name === team) ?? none
    return { described, undescribed }
  }
  return newRaises(earlier, budget).map((each) => ({ ...each, from: numbersOf(earlier, each.team), to: numbersOf(budget, each.team) }))
}

const newRaises = (earlier: AccessBudget, budget: AccessBudget) => budget.raised.slice(earlier.raised.length)

const newlyRaised = (earlier: AccessBudget, budget: AccessBudget) => (name: string) =>
  newRaises(earlier, budget).some(({ team }) => team === name)

/**
 * The teams that would be over their budget with the identities that they had, in words: an identity that goes to a team with room takes its
 * access there. Nothing where all teams have the identities that they had. `count`: the access of teams.
 */
export function overAsBefore(
  earlier: AccessBudget,
  budget: AccessBudget,
  count: (teams: readonly Team[]) => RiskyAccess,
): readonly string[] {
  const named = ({ teams }: AccessBudget) => teams.filter(({ identities }) => identities.length > 0)
  const identitiesOf = (of: AccessBudget) => JSON.stringify(named(of).map(({ name, identities }) => [name, identities]))
  if (identitiesOf(earlier) === identitiesOf(budget)) return []
  const access = count(named(earlier))
  const isRecorded = newlyRaised(earlier, budget)
  const over = judgedTeams(earlier, access).flatMap((each) =>
    isOver(each) && !isRecorded(each.access.team.name) ? [`${overWords(each)} with the identities that it had: ${numbersOf(each)}`] : [],
  )
  return access.isUndecided ? [...over, 'the access of teams with the identities that they had could not be counted within limits'] : over
}

/** Teams that are over their budgets only where groups hold what an earlier version says: the change says itself that they hold less. */
export function overWithEarlierGroups(judged: readonly JudgedTeam[], budget: AccessBudget, access: RiskyAccess): readonly string[] {
  const reported = new Set(judged.filter(isOver).map((each) => each.access.team.name))
  const over = judgedTeams(budget, access).filter((each) => isOver(each) && !reported.has(each.access.team.name))
  const words = over.map((each) => `${overWords(each)} with the groups as they were described before: ${numbersOf(each)}`)
  return access.isUndecided
    ? [...words, 'the access of teams with the groups as they were described before could not be counted within limits']
    : words
}

const isOver = ({ status }: JudgedTeam): boolean => status === 'over' || status === 'unknown'

const overWords = ({ access: { team }, status }: JudgedTeam): string =>
  `\`${visible(team.name)}\` ${status === 'over' ? 'is' : 'may be'} over its budget`

const numbersOf = ({ access: { sure, perhaps }, budget }: JudgedTeam): string =>
  kinds.map((kind) => `\`${kind}\` ${sure[kind]}${perhaps[kind] > 0 ? `+${perhaps[kind]}?` : ''} of ${budget[kind]}`).join(', ')
