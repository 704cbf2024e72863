import { type CompareRow, type Comparison, comparisonVerdict } from '../diff/compare.ts'
import type { World } from '../policy.ts'
import { fieldsJson } from '../report/fields.ts'
import { plural, someQuoted } from '../report/words.ts'
import type { Beyond, BeyondDescribed } from '../symbolic/beyond.ts'
import { readableName } from '../tree.ts'
import { beyondRow, undescribedJson } from './described.ts'
import { type Answer, type Basis, type Detail, type Row, type Section, say, section, type Wording } from './model.ts'
import { grantedBy, reasonLine, reasonWords, type Times, throughEntries, throughJson, timesJson, timesWords } from './wording.ts'

export interface Compared {
  readonly world: World
  readonly identities: readonly [string, string]
  readonly times: Times
}

/** The answer of `compare FIRST SECOND`: what one identity may do and the other may not, both ways. */
export function compareAnswer(
  { only, undecided, open }: Comparison,
  { world, identities, times }: Compared,
  { found: beyond, reasons }: BeyondDescribed = { found: [], reasons: [] },
): Answer {
  const [first, second] = identities
  const sides = ([0, 1] as const).map((side) => {
    const [who, whom, rows] = [identities[side], identities[1 - side] as string, only[side]]
    const title = ({ names }: Wording) => `${mayWords(rows, names.identity(who))} and ${names.identity(whom)} may not`
    const listed = rows.map((row) => rowOf(row, world, who, whom))
    return {
      section: section(title, 'bold', listed),
      json: {
        identity: who,
        only: rows.map((row) => rowJson(row, world, who, whom)),
        combinations: rows.reduce((sum, { actions, resources }) => sum + actions.length * resources.length, 0),
        ...undescribedJson(ownOf(who, beyond)),
      },
    }
  })
  const isSame = only.flat().length === 0 && open.length === 0 && !undecided && reasons.length === 0
  return {
    subject: ({ names }) => [`${names.identity(first)} and ${names.identity(second)}`],
    summary: ({ names }) => {
      const text = `${isSame ? 'may do the same on' : 'compared over'} everything described, ${timesWords(times)}`
      if (open.length === 0) return [{ text, tone: 'plain' }]
      const other = `what it does not allow ${names.identity(second)}, or the other way round, and no resource is described`
      return [{ text: `not known: ${someQuoted(open.map(readableName))} may allow ${names.identity(first)} ${other}`, tone: 'warning' }]
    },
    sections: [...sides.map((side) => side.section), ...identities.map((identity) => beyondCompared(identity, beyond))],
    notes: [...(undecided ? ['some conditions have too many combinations of facts: there may be more differences'] : []), ...reasons],
    lead: 'on',
    given: ['who'],
    json: () => ({
      ...timesJson(times),
      verdict: comparisonVerdict({ only, undecided: undecided || reasons.length > 0, open }, beyond),
      first: sides[0]?.json,
      second: sides[1]?.json,
      undecided: undecided || reasons.length > 0,
      ...(open.length > 0 && { open: open.map(readableName) }),
    }),
  }
}

const ownOf = (identity: string, beyond: readonly Beyond[]) => beyond.filter(({ identities }) => identities.includes(identity))

/** Access of one of the two on resources of which none is described: it is not compared. */
function beyondCompared(identity: string, beyond: readonly Beyond[]): Section {
  const title = ({ names }: Wording) => `not compared: ${names.identity(identity)} ${say.noneDescribed}`
  return section(
    title,
    'warning',
    ownOf(identity, beyond).map((each) => beyondRow(each)),
  )
}

/** As sure as the rows below it are. */
function mayWords(rows: readonly CompareRow[], who: string): string {
  if (rows.every(({ certain }) => certain)) return `${who} may`
  return `perhaps${rows.some(({ certain }) => certain) ? ', or surely,' : ''} ${who} may`
}

const rowOf = (row: CompareRow, world: World, who: string, whom: string): Row => ({
  verdict: row.certain ? 'allow' : 'unknown',
  who: [who],
  actions: row.actions,
  on: row.resources,
  condition: row.condition,
  by: grantedBy(throughEntries(row.grants, who, world), row.policies),
  details: (wording) => otherDetails(whom, throughEntries(row.denies, whom, world), throughEntries(row.others, whom, world), wording),
  witness: row.witness,
})

const rowJson = (row: CompareRow, world: World, who: string, whom: string) => ({
  ...fieldsJson(row, 'actions', 'resources', 'condition', 'certain', 'witness', 'policies'),
  grants: throughJson(row.grants, who, world),
  denies: throughJson(row.denies, whom, world),
  others: throughJson(row.others, whom, world),
})

function otherDetails(whom: string, denies: readonly Basis[], others: readonly Basis[], wording: Wording): readonly Detail[] {
  const name = wording.names.identity(whom)
  const [deny, other] = [denies[0], others[0]].map((basis) => (basis ? reasonLine(reasonWords(basis, wording)) : undefined))
  const more = denies.length > 1 ? `, and ${plural(denies.length - 1, 'more entry')}` : ''
  const denied = deny === undefined ? '' : `denied by ${deny}${more}`
  const words =
    other === undefined
      ? `nothing grants it to ${name}${denied === '' ? '' : `, and it is ${denied}`}`
      : denied === ''
        ? `${name} may only under another condition: ${other}`
        : `${name} is ${denied}`
  return [{ label: 'but', items: [words], isList: true }]
}
