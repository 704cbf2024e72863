import type { Deprecation } from './catalogue.ts'
import { deprecatedActionsTable } from './deprecated-actions-table.ts'
import { branded, unfold } from './unfold.ts'

/** The deprecated actions of the built-in catalogue, for a brand word. `about`: only the lines that name this product. */
export function deprecatedActions(brand: string, about?: string): ReadonlyMap<string, Deprecation> {
  const whole = (name: string) => branded(name, brand).replace(':', `:api${brand}:`)
  return new Map(
    deprecatedActionsTable
      .trimEnd()
      .split('\n')
      .filter((line) => about === undefined || branded(line, brand).includes(`${about}:`))
      .flatMap((line) => {
        const [from, until, replacedBy = '', folded = ''] = line.split(' ')
        const deprecation = { ...daysOf(from, until), replacedBy: replacedBy === '-' ? [] : replacedBy.split(',').map(whole).sort() }
        return unfold(folded).map((name): [string, Deprecation] => [whole(name), deprecation])
      }),
  )
}

/** Two days of a table, where `-` is none. */
export function daysOf(from = '-', until = '-'): { readonly from?: string; readonly until?: string } {
  return { ...(from !== '-' && { from }), ...(until !== '-' && { until }) }
}
