import { readAction } from '../actions/action.ts'
import type { Settings } from '../names.ts'
import type { World } from '../policy.ts'
import type { FilterAnswer } from '../report/filter.ts'
import type { Problem } from '../simulate/decision.ts'
import { problemsOf } from '../simulate/question.ts'
import type { ShortNames } from '../simulate/short-names.ts'
import { readIdentity } from '../urn/identity.ts'
import { readResourcePattern } from '../urn/resource.ts'
import { type FilterAsked, rowFilter } from '../warehouse/filter.ts'
import { type FilterColumns, filterSql } from '../warehouse/filter-sql.ts'
import { type DialectName, sqlTexts } from '../warehouse/sql-text.ts'
import { problemsOfResource, type ReadContext, withWholeGroups } from './context.ts'

/** Read the question of a filter: IDENTITY ACTION, and a pattern for the resources of the table. */
export function readFilter(
  identity: string,
  action: string,
  on: string | undefined,
  readContext: ReadContext,
  names: ShortNames,
  { brand }: Settings,
): { readonly asked: FilterAsked; readonly problems: readonly Problem[] } {
  const order = 'a question is IDENTITY ACTION [RESOURCE], in this order'
  const who = names.identity(identity)
  const which = on === undefined ? undefined : names.resource(on)
  const { context, problems } = withWholeGroups(readContext, names)
  const pattern = which && readResourcePattern(which.text).value
  const { at, groups, ip } = context
  return {
    asked: { identity: who.text, action, at, groups, ...(ip && { ip }), ...(pattern && { on: pattern.glob }) },
    problems: [
      ...(who.problem ? [who.problem] : problemsOf('identity', who.text, readIdentity(who.text, { pattern: false }), order)),
      ...problemsOf('action', action, readAction(action, brand), order),
      ...(which ? problemsOfResource(which, order) : []),
      ...(pattern?.kind === 'group' ? [{ message: 'resource: a filter takes a resource or a pattern over resources, not a group' }] : []),
      ...problems,
    ],
  }
}

/** Answer it in a dialect. */
export function answerFilter(
  world: World,
  asked: FilterAsked,
  dialect: DialectName,
  columns: FilterColumns,
  options: Parameters<typeof filterSql>[3],
): FilterAnswer {
  const filter = rowFilter(world, asked, { tags: columns.tags !== undefined, owner: columns.owner !== undefined })
  return { asked, dialect, columns, filter, sql: filterSql(filter, sqlTexts[dialect], columns, options), world }
}
