import { printAddress } from '../conditions/address.ts'
import { isPattern } from '../glob.ts'
import type { World } from '../policy.ts'
import { type Caveat, caveats } from '../simulate/decision.ts'
import { factText } from '../simulate/facts.ts'
import type { FilterAsked, RowFilter } from '../warehouse/filter.ts'
import type { FilterColumns, SqlFilter } from '../warehouse/filter-sql.ts'
import { isoWords } from './instants.ts'
import type { Names } from './names.ts'
import { shown } from './safe.ts'
import { linesText } from './words.ts'

/** A filter with the question that it answers. */
export interface FilterAnswer {
  readonly asked: FilterAsked
  readonly dialect: string
  readonly columns: FilterColumns
  readonly filter: RowFilter
  readonly sql: SqlFilter
  readonly world: World
}

export type Which = 'allowed' | 'perhaps'
const each: readonly Which[] = ['allowed', 'perhaps']

/** The answer for machines. */
export function filterJson({ asked, dialect, columns, filter, sql, world }: FilterAnswer) {
  const { identity, action, on, groups, ip, at } = asked
  const { urn, tags = null, name = null, type = null, owner = null } = columns
  return {
    identity,
    action,
    resource: on?.text ?? null,
    groups,
    ip: ip ? printAddress(ip) : null,
    at: isoWords(at),
    dialect,
    columns: { urn, tags, name, type, owner },
    ...sql,
    missing: filter.missing.map(factText),
    dependsOnTime: filter.isTimed,
    caveats: caveatsOf(filter, world),
  }
}

/** The expressions, each under a comment. */
export function filterText(answer: FilterAnswer, names: Names): string {
  const [allowed, perhaps] = each.map((which) => [`-- ${titleOf(which, answer, names)}`, answer.sql[which]])
  return linesText(
    notesOf(answer).map((note) => `-- note: ${note}`),
    allowed,
    perhaps,
  )
}

/** The expressions as macros of dbt, for `where {{ grantwise_allowed() }}`. */
export function filterMacros(answer: FilterAnswer, macro: string, which: readonly Which[], names: Names): string {
  return linesText(
    notesOf(answer).map((note) => `{# note: ${inMacro(note)} #}`),
    which.map((one) => [`{# ${inMacro(titleOf(one, answer, names))} #}`, `{% macro ${macro}_${one}() %}${answer.sql[one]}{% endmacro %}`]),
  )
}

/** A comment ends at the first `#}`. */
const inMacro = (text: string) => text.replaceAll('#}', '# }')

function titleOf(which: Which, { asked, filter }: FilterAnswer, names: Names): string {
  const { identity, action, on, at } = asked
  const what = `${shown(names.identity(identity))} is allowed ${shown(action)}${on && isPattern(on) ? ` on ${shown(on.text)}` : ''}`
  if (which === 'allowed') return `rows on which ${what}${filter.isTimed ? ` at ${isoWords(at)}` : ''}`
  const facts = filter.missing.map((fact) => shown(factText(fact)))
  return `rows for which that is unknown${facts.length > 0 ? `: it depends on ${facts.join(', ')}` : ''}`
}

/** Restrictions of the answer. */
export function notesOf({ filter, world }: FilterAnswer): readonly string[] {
  return [
    ...(filter.isTimed ? ['policies depend on the time: at another time the rows may be others'] : []),
    ...caveatsOf(filter, world).map((caveat) => noteWords[caveat] ?? caveats[caveat]),
  ]
}

const noteWords: Readonly<Partial<Record<Caveat, string>>> = {
  approximate: 'too many facts are missing to try every way to complete them: rows of `perhaps` may be allowed or denied',
}

function caveatsOf(filter: RowFilter, world: World): readonly Caveat[] {
  const caveats: readonly (readonly [Caveat, boolean])[] = [
    ['approximate', filter.isApproximate],
    ['inner-wildcard', filter.hasInnerWildcard],
    ['managed-policies', !world.policies.some(({ readOnly }) => readOnly)],
    ['root-unknown', filter.isOwnerUnknown],
  ]
  return caveats.flatMap(([caveat, counts]) => (counts ? [caveat] : []))
}
