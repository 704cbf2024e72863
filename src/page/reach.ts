import { levels } from '../actions/reads.ts'
import type { RiskCategory } from '../actions/sensitive.ts'
import type { Surety } from '../symbolic/matrix.ts'
import type { Ref } from './data.ts'
import type { Tables } from './tables.ts'

/** What is asked about: changing anything, a sensitive category, or one action by its number. */
export type Reached = 'change' | RiskCategory | number

/** Who reaches something, and on what. */
export interface Reach {
  readonly identities: readonly Ref[]
  /** Those who reach it on some resource in any case. */
  readonly always: readonly Ref[]
  readonly resources: ReadonlySet<Ref>
  /** The resources of each identity. */
  readonly of: ReadonlyMap<Ref, readonly { readonly resource: Ref; readonly surety: Surety }[]>
}

/** Who reaches what in a page, each found once. */
export class Reaches {
  private readonly tables: Tables
  private readonly known = new Map<Reached, Reach>()

  constructor(tables: Tables) {
    this.tables = tables
  }

  of(reached: Reached): Reach {
    const found = this.known.get(reached) ?? find(this.tables, reached)
    this.known.set(reached, found)
    return found
  }
}

function find(tables: Tables, reached: Reached): Reach {
  const { data } = tables
  const sureties = data.cells.map((cell, i): Surety | undefined => {
    if (reached === 'change') return levels.indexOf(cell.level) >= 2 ? cell.surety : undefined
    if (typeof reached !== 'number') return tables.risksOf(i).get(reached)
    if (cell.isRoot) return 'always'
    return cell.parts.find(({ actions }) => tables.hasAction(actions, reached))?.surety
  })
  const ofClass = data.identityClasses.map((_, i) => {
    const out: { resource: Ref; surety: Surety }[] = []
    tables.row(i).forEach((cell, j) => {
      const surety = cell < 0 ? undefined : sureties[cell]
      if (surety !== undefined) for (const resource of data.resourceClasses[j]?.names ?? []) out.push({ resource, surety })
    })
    return out
  })
  const of = new Map(
    data.identities.flatMap((identity, i) =>
      (ofClass[identity.class]?.length ?? 0) > 0 ? [[i, ofClass[identity.class] ?? []] as const] : [],
    ),
  )
  return {
    identities: [...of.keys()],
    always: [...of].filter(([, own]) => own.some(({ surety }) => surety === 'always')).map(([identity]) => identity),
    resources: new Set(ofClass.flatMap((own) => own.map(({ resource }) => resource))),
    of,
  }
}
