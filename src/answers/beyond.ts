import { endItems } from '../report/ends.ts'
import { fieldsJson } from '../report/fields.ts'
import { shown } from '../report/safe.ts'
import type { Beyond } from '../symbolic/beyond.ts'
import type { WhatRow } from '../symbolic/what.ts'
import { type Detail, entries, jsonOf, type Row, type Section, type Wording } from './model.ts'
import { noneDescribed, othersThanDescribed } from './sentences.ts'
import { whenPhrase } from './wording.ts'

/** What is granted on patterns over resources, and what of it is on no described one. */

/** Rows of what is granted beyond what is described: on patterns that match nothing described, and on others. */
export function beyondSections(beyond: readonly Beyond[]): readonly Section[] {
  const rowsOf = (own: readonly Beyond[]) => own.map(beyondRow)
  const none = beyond.filter(({ isDescribed }) => !isDescribed)
  return [
    { title: noneDescribed, tone: 'warning', may: 'may', rows: rowsOf(none) },
    { title: othersThanDescribed, tone: 'warning', may: 'may', rows: rowsOf(beyond.filter((each) => !none.includes(each))) },
  ]
}

/** The same as machines read it; no field where there is none. */
export const undescribedJson = (beyond: readonly Beyond[]) => beyond.length > 0 && { undescribed: jsonOf(beyond.map(beyondRow)) }

export const beyondRow = ({ identities, actions, resource, row }: Beyond): Row => ({
  verdict: row.verdict,
  who: identities,
  actions,
  on: [resource],
  condition: row.condition,
  by: entries(row.clauses),
  details: (wording) => whatDetails(row, wording),
  json: () => ({ identities, ...whatRowJson(row), resource, actions }),
})

/** What a row says, without its members and what the catalogue has of it. */
export const whatRowJson = (row: Omit<WhatRow, 'members' | 'known'>) => ({
  ...fieldsJson(row, 'resource', 'actions', 'except'),
  unless: row.unless.map((each) => fieldsJson(each, 'resource', 'actions', 'condition')),
  ...fieldsJson(row, 'condition', 'verdict', 'reason', 'missing', 'clauses'),
})

/** When a row ends, and what it leaves out. */
export function whatDetails(row: Omit<WhatRow, 'members' | 'known'>, wording: Wording): readonly Detail[] {
  const { names, when } = wording
  const leaving = ({ resource, actions, condition }: WhatRow['unless'][number]) =>
    `${actions.map(shown).join(', ')}${resource === row.resource ? '' : ` on ${names.resource(resource)}`}${whenPhrase(when(condition))}`
  return [
    { label: 'ends', items: endItems(row.condition, wording.from), isList: true },
    { label: 'except', items: row.except.map(shown) },
    { label: 'unless', items: row.unless.map(leaving), isList: true },
  ]
}
