import type { Policy, World } from '../policy.ts'
import { fieldsJson } from '../report/fields.ts'
import { type Times, timesJson, timesWords } from '../report/matrix.ts'
import { plural, policyJson, titleWords } from '../report/words.ts'
import type { AccessRow } from '../symbolic/described-access.ts'
import { always } from '../symbolic/formula.ts'
import type { Covered, Overlap } from '../symbolic/overlap.ts'
import { cellsOf } from './described.ts'
import type { Answer, Basis, Row } from './model.ts'
import { policyBasis } from './model.ts'
import { notLooked } from './sentences.ts'

/** The answer of `policies --overlap`: which policies grant the same to whom. A row is a set of policies. */
export function overlapAnswer({ rows, covered, reasons, isCut }: Overlap, { policies }: World, times: Times): Answer {
  const [sure, perhaps] = [rows.filter(({ verdict }) => verdict === 'allow'), rows.filter(({ verdict }) => verdict === 'unknown')]
  const involved = new Set(sure.flatMap(policiesIn))
  const more = new Set(perhaps.flatMap(policiesIn).filter((policy) => !involved.has(policy))).size
  const whole = 'over what is described, others grant all that it grants'
  const [verb, rest] = [involved.size === 1 ? 'grants' : 'grant', more === 0 ? '' : `, ${more} more perhaps`]
  return {
    subject: () => [
      `${involved.size} of ${plural(policies.length, 'policy')} ${verb} something that another one grants as well${rest}`,
      timesWords(times),
    ],
    sections: [
      { title: whole, name: 'covered', tone: 'warning', may: 'may', rows: covered.map(coveredRow) },
      { title: 'each of these grants it without the others', name: 'overlap', tone: 'good', may: 'may', rows: sure.map(rowOf) },
      { title: 'perhaps', name: 'overlap', tone: 'warning', may: 'perhaps', rows: perhaps.map(rowOf) },
    ],
    none: isCut
      ? { text: notLooked, tone: 'warning' }
      : { text: 'no two policies grant the same to a described identity on a described resource', tone: 'good' },
    notes: reasons,
    lead: 'by',
    given: [],
    json: () => ({
      ...timesJson(times),
      total: policies.length,
      covered: covered.map(coveredJson),
      overlaps: rows.map(rowJson),
      complete: reasons.length === 0,
      reasons,
    }),
  }
}

/** The policies of a row, in the order of its entries. */
const policiesIn = ({ clauses }: AccessRow): readonly Policy[] => [...new Set(clauses.map(({ policy }) => policy))]

const basisOf = (policy: Policy): Basis => policyBasis(policy, titleWords(policy))

const rowOf = (row: AccessRow): Row => ({
  ...cellsOf(row),
  by: policiesIn(row).map(basisOf),
  json: () => rowJson(row),
})

const rowJson = (row: AccessRow) => ({
  policies: policiesIn(row).map(policyJson),
  ...fieldsJson(row, 'identities', 'actions', 'resources', 'condition'),
  certain: row.verdict === 'allow',
})

const coveredRow = (each: Covered): Row => ({
  verdict: 'allow',
  who: [],
  actions: [],
  on: [],
  condition: always,
  by: [basisOf(each.policy)],
  details: () => [
    { label: 'others', items: each.by.map(titleWords) },
    { label: 'but', items: denies(each.policy) ? ['it also denies'] : [] },
  ],
  json: () => coveredJson(each),
})

const coveredJson = ({ policy, by }: Covered) => ({ ...policyJson(policy), by: by.map(policyJson), denies: denies(policy) })

/** Whether it may deny something: of a permissions group that it names that is not said. */
const denies = ({ permissions, permissionsGroups }: Policy) => permissions.deny.length > 0 || permissionsGroups.length > 0
