import { place } from '../diagnostic.ts'
import type { CompareRow, Comparison } from '../diff/compare.ts'
import { matches, writtenAs } from '../glob.ts'
import { titled, type World } from '../policy.ts'
import type { Clause } from '../simulate/decision.ts'
import type { ActionsByType } from '../symbolic/described.ts'
import { questionJson } from '../symbolic/witness.ts'
import { worded } from '../tree.ts'
import { typeAndName } from '../urn/resource.ts'
import type { Paint } from './colour.ts'
import { conditionWords, formulaWords } from './conditions.ts'
import { clauseJson } from './decision.ts'
import { policyJson, policyWords, type Times, timesJson, timesWords } from './matrix.ts'
import type { Names } from './names.ts'
import { shown } from './safe.ts'
import { entryWords, plural, some } from './words.ts'

/** Reports of `compare`: as JSON, as a line each, and for people. */

/** What a comparison is about. */
export interface Compared {
  readonly world: World
  readonly identities: readonly [string, string]
  readonly actions: ActionsByType
  readonly times: Times
}

/** The entries of a policy's identities through which it is about an identity: its groups and patterns. */
export function throughOf({ policy }: Pick<Clause, 'policy'>, identity: string, world: World): readonly string[] {
  const members = [identity, ...(world.identities.get(identity)?.groups ?? [])]
  return policy.identities.flatMap(({ value }) =>
    value.text !== identity && members.some((member) => matches(value.glob, member)) ? [value.text] : [],
  )
}

function count(rows: readonly CompareRow[]): number {
  return rows.reduce((sum, { actions, resources }) => sum + actions.length * resources.length, 0)
}

/** What is known only perhaps to differ is not decided. */
function verdictOf({ only, undecided, open }: Comparison): 'different' | 'undecided' | 'same' {
  const rows = only.flat()
  if (rows.some(({ certain }) => certain)) return 'different'
  return rows.length > 0 || undecided || open.length > 0 ? 'undecided' : 'same'
}

export function compareJson({ only, undecided, open }: Comparison, { world, identities, times }: Compared) {
  const rowsJson = (rows: readonly CompareRow[], identity: string, other: string) =>
    rows.map(({ actions, resources, condition, certain, witness, policies, grants, denies, others }) => ({
      actions,
      resources,
      condition: formulaWords(condition) ?? null,
      certain,
      witness: questionJson(witness),
      policies: policies.map(policyJson),
      grants: grants.map((clause) => ({ ...clauseJson(clause), through: throughOf(clause, identity, world) })),
      denies: denies.map((clause) => ({ ...clauseJson(clause), through: throughOf(clause, other, world) })),
      others: others.map((clause) => ({ ...clauseJson(clause), through: throughOf(clause, other, world) })),
    }))
  const [first, second] = identities
  return {
    ...timesJson(times),
    verdict: verdictOf({ only, undecided, open }),
    first: { identity: first, only: rowsJson(only[0], first, second), combinations: count(only[0]) },
    second: { identity: second, only: rowsJson(only[1], second, first), combinations: count(only[1]) },
    undecided,
    ...(open.length > 0 && { open: open.map(worded) }),
  }
}

/** The actions of a row: in one phrase where they are all that there are. */
function actionsWords({ actions, resources }: CompareRow, known: ActionsByType, most: number): string {
  const types = [...new Set(resources.map((resource) => typeAndName(resource).type))]
  const [type = ''] = types
  if (types.length === 1 && actions.length > 1 && actions.length === known.of(type).length)
    return `every action about ${shown(type)} (${actions.length})`
  const names = actions.map(shown)
  return names.length > most ? `${names.length} actions, such as ${some(names.slice(0, 3))}` : some(names, most)
}

const joinedPlaces = (clauses: readonly Clause[]) =>
  some([...new Set(clauses.map((clause) => `${shown(place(clause.entry.span))} ${entryWords(clause)}`))], 3)

export function compareLines({ only, open }: Comparison, { identities, actions }: Compared): string {
  const lines = only.flatMap((rows, side) =>
    rows.map((row) => {
      const when = conditionWords(row.condition)
      return [
        `only ${shown(identities[side] as string)}${row.certain ? '' : ' perhaps'}`,
        actionsWords(row, actions, 8),
        some(row.resources.map(shown)),
        ...(when === undefined ? [] : [`when ${when}`]),
        ...(row.grants.length > 0
          ? [`by ${joinedPlaces(row.grants)}`]
          : [
              `by ${
                row.policies.length > 0
                  ? some(
                      row.policies.map(({ name }) => shown(place(name.span))),
                      3,
                    )
                  : 'owning it'
              }`,
            ]),
        ...(row.denies.length > 0 ? [`denied by ${joinedPlaces(row.denies)}`] : []),
      ].join(' · ')
    }),
  )
  return [...lines, ...open.map((each) => `not known · ${shown(worded(each))}`)].map((line) => `${line}\n`).join('')
}

/** How many rows of both sides together, names in a list, and entries of a row are shown. */
const [mostRows, mostNames, mostEntries] = [6, 6, 2]

export function compareText({ only, undecided, open }: Comparison, compared: Compared, names: Names, paint: Paint): string {
  const { identities, times } = compared
  const [first, second] = identities.map((each) => names.identity(each)) as [string, string]
  const lines: string[] = []
  const half = mostRows / 2
  for (const [side, rows] of only.entries()) {
    if (rows.length === 0) continue
    const other = only[side === 0 ? 1 : 0] as readonly CompareRow[]
    const most = Math.max(half, mostRows - other.length)
    const [who, whom] = side === 0 ? [first, second] : [second, first]
    lines.push(
      `${paint.bold(`${who} ${rows.some(({ certain }) => certain) ? 'may' : 'perhaps may'} and ${whom} may not`)} (${plural(count(rows), 'combination')} of action and resource)`,
      ...rows.slice(0, most).flatMap((row) => rowLines(row, side, compared, names, paint)),
      ...(rows.length > most ? [`  and ${plural(rows.length - most, 'more row')}: \`--format json\` lists all`] : []),
    )
  }
  if (open.length > 0)
    lines.push(
      `${paint.bold('not known')}: ${some(
        open.map((each) => `\`${shown(worded(each))}\``),
        3,
      )} may allow ${first} what it does not allow ${second}, or the other way round, and no resource is described`,
    )
  else if (lines.length === 0 && !undecided)
    lines.push(`${paint.bold(first)} and ${paint.bold(second)} may do the same on everything described, ${timesWords(times)}`)
  else lines.unshift(`compared over everything described, ${timesWords(times)}`)
  if (undecided) lines.push(`${paint.warning('note:')} some conditions have too many combinations of facts: there may be more differences`)
  return `${lines.join('\n')}\n`
}

const label = (name: string) => name.padEnd(6)

function rowLines(row: CompareRow, side: number, compared: Compared, names: Names, paint: Paint): readonly string[] {
  const { world, identities, actions, times } = compared
  const [who, whom] = (side === 0 ? identities : [...identities].reverse()) as [string, string]
  const when = conditionWords(row.condition, times.windows)
  const clauses = (list: readonly Clause[], identity: string) => {
    const shownOnes = list.slice(0, mostEntries).map((clause) => {
      const through = throughOf(clause, identity, world).map((each) => names.identity(each))
      const { policy, entry } = clause
      return (
        `${shown(place(entry.span))}  ${shown(titled(policy.name.value, policy.address))}: ${clause.list} \`${shown(writtenAs(entry.value))}\`` +
        `${through.length > 0 ? ` through ${some(through, 3)}` : ''}`
      )
    })
    return list.length > mostEntries ? [...shownOnes.slice(0, -1), `${shownOnes.at(-1)}, and ${list.length - mostEntries} more`] : shownOnes
  }
  const grants =
    row.grants.length > 0
      ? clauses(row.grants, who)
      : row.policies.length > 0
        ? row.policies.slice(0, mostEntries).map((policy) => `${policyWords(policy)}: a permissions group that is not known`)
        : ['owning it: the owning account cannot be restricted']
  const [deny] = clauses(row.denies.slice(0, 1), whom)
  const [other] = clauses(row.others.slice(0, 1), whom)
  const rest = Math.max(0, row.denies.length - 1)
  const denied = deny === undefined ? '' : `denied by ${deny}${rest > 0 ? `, and ${rest} more` : ''}`
  const name = names.identity(whom)
  const but =
    other === undefined
      ? `nothing grants it to ${name}${denied === '' ? '' : `, and it is ${denied}`}`
      : denied === ''
        ? `${name} may only under another condition: ${other}`
        : `${name} is ${denied}`
  return [
    `  ${paint.bold(`${row.certain ? '' : 'perhaps '}${actionsWords(row, actions, mostNames)}`)}`,
    `    ${label('on')}${some(
      row.resources.map((each) => names.resource(each)),
      mostNames,
    )}`,
    ...(when === undefined ? [] : [`    ${label('when')}${when}`]),
    ...grants.map((text, i) => `    ${label(i === 0 ? 'by' : '')}${text}`),
    `    ${label('but')}${but}`,
  ]
}
