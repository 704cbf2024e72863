import { groupedBy } from '../collections.ts'
import { endItems } from '../report/conditions.ts'
import { fieldsJson } from '../report/fields.ts'
import { shown } from '../report/safe.ts'
import { presentParts } from '../report/words.ts'
import type { Beyond } from '../symbolic/beyond.ts'
import type { AccessRow, DescribedAccess } from '../symbolic/described-access.ts'
import { printFormula } from '../symbolic/formula.ts'
import type { WhatRow } from '../symbolic/what.ts'
import { combinations } from './difference.ts'
import {
  type Answer,
  type Detail,
  decided,
  presentDetails,
  type Row,
  type RowUses,
  type Section,
  say,
  section,
  type Wording,
} from './model.ts'
import { accessSections, noneLine } from './who.ts'
import { whenPhrase } from './wording.ts'

/** The question of `who` or `what` where it is about patterns: that of `who` has an action. */
export interface AskedDescribed {
  readonly identity?: string
  readonly action?: string
  readonly resource: string | undefined
  /** The tags with which the resources have to be described, in words. */
  readonly tagged?: string | undefined
  /** Nothing is described that the question is about. */
  readonly isEmpty: boolean
  readonly at: number | undefined
}

/** The answer of `who` or `what` about patterns: rows of described identities, resources and catalogue actions. */
export function describedAnswer(asked: AskedDescribed, answer: DescribedAccess, beyond: readonly Beyond[], uses?: RowUses): Answer {
  const { identity, action, resource, tagged, isEmpty, at } = asked
  const { complete, reasons, isCut } = answer
  const of = (verdict: AccessRow['verdict']) => answer.rows.filter((row) => row.verdict === verdict)
  const rowsOf = (rows: readonly AccessRow[]) =>
    withoutSplits(rows).map((row) => {
      if (row.verdict !== 'deny' && row.reason !== 'root') uses?.askNames(row, row)
      return rowOf(row, uses)
    })
  const json = (row: AccessRow) => ({ ...rowJson(row), ...uses?.json(row) })
  for (const row of answer.rows) if (row.verdict !== 'deny' && row.reason !== 'root') uses?.askNames(row, row)
  for (const each of beyond) uses?.askNames(each, { ...each, resources: [each.resource], exceptActions: each.row.except })
  const [allowed, unknown, denied] = [of('allow'), of('unknown'), of('deny')]
  const isOneAction = action?.includes('*') === false
  const counts = { allowed: countsOf(allowed), unknown: countsOf(unknown), denied: countsOf(denied) }
  const none = action === undefined ? say.nothing : say.nobody
  return {
    subject: ({ names }) =>
      presentParts(
        action === undefined ? identityWords(identity, names) : shown(action),
        resource !== undefined && resource !== '*' && names.resource(resource),
        tagged !== undefined && `with ${shown(tagged)}`,
      ),
    given: isOneAction ? ['actions'] : [],
    sections: accessSections(rowsOf(allowed), rowsOf(unknown), rowsOf(denied), isCut, beyondSections(beyond, uses)),
    ...(!isEmpty && allowed.length + unknown.length + beyond.length === 0 && { none: noneLine(none, isCut, reasons) }),
    notes: reasons,
    at,
    json: () => ({
      ...(action === undefined
        ? { what: answer.rows.filter(({ verdict }) => verdict !== 'deny').map(json) }
        : { who: allowed.map(json), unknown: unknown.map(json) }),
      denied: denied.map(rowJson),
      counts,
      ...undescribedJson(beyond, uses),
      complete,
      reasons,
    }),
  }
}

const identityWords = (text = '*', names: Wording['names']) =>
  text
    .split(',')
    .map((each) => (each === '*' ? each : names.identity(each)))
    .join(', ')

/** One row for actions that only differ in the entries that decide them. Those without any entry rest on a group that is not described. */
const withoutSplits = (rows: readonly AccessRow[]): readonly AccessRow[] => {
  const alike = groupedBy(rows, ({ identities, resources, reason, condition, clauses }) =>
    JSON.stringify([identities, resources, reason, printFormula(condition), clauses.length === 0]),
  )
  return [...alike.values()].map((own) => ({
    ...(own[0] as AccessRow),
    actions: own.flatMap(({ actions }) => actions),
    clauses: [...new Set(own.flatMap(({ clauses }) => clauses))],
  }))
}

/** The cells of a row of described access: what grants it before what denies it at some times. */
export const cellsOf = ({ identities, actions, resources, clauses, ...row }: AccessRow) => ({
  ...decided({ ...row, clauses: clauses.toSorted((a, b) => Number(a.list === 'deny') - Number(b.list === 'deny')) }),
  who: identities,
  actions,
  on: resources,
})

const rowOf = (row: AccessRow, uses: RowUses | undefined): Row => ({
  ...cellsOf(row),
  details: (wording) => [
    { label: 'ends', items: endItems(row.condition, wording.from), isList: true },
    ...presentDetails(uses?.detail(row, wording)),
  ],
})

const rowJson = (row: AccessRow) =>
  fieldsJson(row, 'identities', 'actions', 'resources', 'verdict', 'reason', 'condition', 'missing', 'clauses')

function countsOf(rows: readonly AccessRow[]) {
  const distinct = (of: (row: AccessRow) => readonly string[]) => new Set([...new Set(rows.map(of))].flat()).size
  return {
    combinations: combinations(rows),
    identities: distinct(({ identities }) => identities),
    actions: distinct(({ actions }) => actions),
    resources: distinct(({ resources }) => resources),
  }
}

/** Access beyond what is described: on patterns that match nothing described, and on others. */
function beyondSections(beyond: readonly Beyond[], uses: RowUses | undefined): readonly Section[] {
  const rowsOf = (isOfOthers: boolean) =>
    beyond.filter(({ isDescribed }) => isDescribed === isOfOthers).map((each) => beyondRow(each, uses))
  return [section(say.noneDescribed, 'warning', rowsOf(false)), section(say.othersThanDescribed, 'warning', rowsOf(true))]
}

/** The same as machines read it; no field where there is none. */
export const undescribedJson = (beyond: readonly Beyond[], uses?: RowUses) =>
  beyond.length > 0 && {
    undescribed: beyond.map((each) => {
      const { identities, actions, resource, row } = each
      return { identities, ...whatRowJson(row), resource, actions, ...uses?.json(each) }
    }),
  }

export const beyondRow = (each: Beyond, uses?: RowUses): Row => ({
  ...decided(each.row),
  who: each.identities,
  actions: each.actions,
  on: [each.resource],
  details: (wording) => [...whatDetails(each.row, wording), ...presentDetails(uses?.detail(each, wording))],
})

/** The fields of a row, without its members and its part of the catalogue. */
export const whatRowJson = (row: Omit<WhatRow, 'members' | 'known'>) => ({
  ...fieldsJson(row, 'resource', 'actions', 'except'),
  unless: row.unless.map((each) => fieldsJson(each, 'resource', 'actions', 'condition')),
  ...fieldsJson(row, 'condition', 'verdict', 'reason', 'missing', 'clauses'),
})

/** The end of a row, and its exceptions. */
export function whatDetails(row: Omit<WhatRow, 'members' | 'known'>, wording: Wording): readonly Detail[] {
  const { names, when } = wording
  const leaving = ({ resource, actions, condition }: WhatRow['unless'][number]) =>
    `${actions.map(shown).join(', ')}${resource === row.resource ? '' : ` on ${names.resource(resource)}`}${whenPhrase(when(condition))}`
  return [
    { label: 'ends', items: endItems(row.condition, wording.from), isList: true },
    { label: 'except', items: row.except.map(shown) },
    { label: 'but not', items: row.unless.map(leaving), isList: true },
  ]
}
