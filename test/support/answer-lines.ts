import type { World } from '../../src/policy.ts'
import type { Clause, Fact } from '../../src/simulate/decision.ts'
import { factText } from '../../src/simulate/facts.ts'
import { type Formula, isAlways, printFormula } from '../../src/symbolic/formula.ts'
import { resourceOf } from './short.ts'

/** Answers about access as lines, with all that they say, for tables of tests. */

/** The account of a world, and the owners of resources, by the names of `short.ts`. */
export function owned(world: World, { account, owners = {} }: { account?: string; owners?: Readonly<Record<string, string>> }): World {
  const resources = new Map(
    [...world.resources].map(([urn, resource]) => {
      const found = Object.entries(owners).find(([short]) => resourceOf(short) === urn)
      return [urn, found ? { ...resource, owner: found[1] } : resource]
    }),
  )
  return { ...world, resources, ...(account !== undefined && { account }) }
}

/** `p0 allow p:x:a`, and the permissions group in brackets. */
export function clauseLine({ policy, list, entry, group }: Clause): string {
  return `${policy.name.value} ${list} ${entry.value.text}${group === undefined ? '' : ` (${group})`}`
}

export const clauseLines = (clauses: readonly Clause[]): string => clauses.map(clauseLine).join(', ')

const factLines = (facts: readonly Fact[]) => facts.map(factText).join(', ')

/** Nothing for what is always so. */
export const formulaLine = (formula: Formula): string => (isAlways(formula) ? '' : printFormula(formula))

/** The parts of a row that say something, each after its name. */
export function rowLine(parts: Readonly<Record<string, string | boolean>>): string {
  return Object.entries(parts)
    .filter(([, text]) => text !== '' && text !== false)
    .map(([name, text]) => (text === true ? name : `${name}: ${text}`))
    .join('; ')
}

/** The words of all rows for conditions and of the entries behind them. */
export function causesOf(row: { readonly condition: Formula; readonly missing: readonly Fact[]; readonly clauses: readonly Clause[] }) {
  return { if: formulaLine(row.condition), missing: factLines(row.missing), by: clauseLines(row.clauses) }
}

/** A text without what URNs of the region `eu` begin with. */
export const shortUrns = (text: string): string =>
  text.replace(/urn:v1:eu:(?:identity|resource|permissionsGroup):/g, '').replace(/urn:v1:eu:resourceGroup:/g, '#')
