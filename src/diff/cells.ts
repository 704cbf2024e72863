import { Budget } from '../budget.ts'
import { groupedBy, madeIn } from '../collections.ts'
import type { World } from '../policy.ts'
import type { KnownNames } from '../symbolic/described.ts'
import { type CellChange, type ChangedAccess, type Matrix, type MatrixOptions, matrix } from '../symbolic/matrix.ts'
import { typeAndName } from '../urn/resource.ts'
import { editsBetween } from './causes.ts'
import { describedDifference } from './described.ts'

/** Two matrices of the same cells, the later one with what each cell gained and lost. */
export interface ComparedMatrices {
  readonly before: Matrix
  readonly after: Matrix
}

type Sides = { readonly [Side in 'gained' | 'lost']: ChangedAccess[] }

/**
 * The matrices of two worlds over the same identities and resources. A cell of the later one has a `change` exactly where `diff` finds
 * access of the identity that is gained or lost on a described resource of the column.
 */
export function comparedMatrices(before: World, after: World, things: KnownNames, options: MatrixOptions): ComparedMatrices {
  const run = options.run ?? new Budget()
  const [old, now] = [before, after].map((world) => matrix(world, things, { ...options, run })) as [Matrix, Matrix]
  const { actions, time, given, byResource = false } = options
  const difference = describedDifference(before, after, editsBetween(before, after, run), {
    actions,
    things,
    run,
    ...(time && { time }),
    ...(given && { given }),
  })
  const changed = new Map<string, Map<string, Sides>>()
  for (const side of ['gained', 'lost'] as const) {
    for (const { identities, actions, resources, condition, certain } of difference[side]) {
      const byColumn = groupedBy(resources, (resource) => (byResource ? resource : typeAndName(resource).type))
      for (const identity of identities) {
        const row = madeIn(changed, identity, () => new Map<string, Sides>())
        for (const [column, columnResources] of byColumn)
          madeIn(row, column, (): Sides => ({ gained: [], lost: [] }))[side].push({
            actions,
            resources: columnResources,
            condition,
            certain,
          })
      }
    }
  }
  const places = new Map(old.identities.map((identity, i) => [identity, i]))
  // Where the budget is used up, one of the two may have more rows.
  const both = now.identities.flatMap((identity, i) => (places.has(identity) ? [{ identity, i }] : []))
  const rows = both.map(({ identity, i }) => {
    const [row, sides, earlier] = [now.rows[i] ?? [], changed.get(identity), old.rows[places.get(identity) as number] ?? []]
    if (!sides) return row
    return row.map((cell, j) => {
      const own = sides.get(now.columns[j]?.name ?? '')
      const change: CellChange | undefined = own && { before: earlier[j] ?? cell, ...own }
      return change ? { ...cell, change } : cell
    })
  })
  const reasons = new Set([...now.reasons, ...old.reasons, ...(difference.undecided ? [undecidedReason] : [])])
  return { before: old, after: { ...now, identities: both.map(({ identity }) => identity), rows, reasons: [...reasons] } }
}

const undecidedReason = 'some conditions have too many combinations of facts to compare them all: more cells may have changed'
