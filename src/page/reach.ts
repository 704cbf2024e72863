import { type Level, levels } from '../actions/reads.ts'
import type { RiskCategory } from '../actions/sensitive.ts'
import type { Confidence } from '../symbolic/matrix.ts'
import type { PageCell, Ref } from './data.ts'
import type { Tables } from './tables.ts'

/** The subject of a question: changing anything, a sensitive category, or one action by its number. */
export type ReachTarget = 'change' | RiskCategory | number

/** A resource on which an identity reaches something. */
interface ReachedOn {
  readonly resource: Ref
  readonly confidence: Confidence
}

/** The resources on which an identity reaches something. */
export interface Reached {
  /** How many, by how sure it is. */
  readonly counts: Readonly<Record<Confidence, number>>
  /** Each of them, found when it is asked for. */
  readonly on: () => readonly ReachedOn[]
}

/** How sure it is of an identity: on all resources alike, or `mixed`: without conditions on some, and not on others. */
export type Certainty = Confidence | 'mixed'

/** Who reaches something, and on what. Every number is counted from the resources of each identity: no claim is wider than they are. */
export interface Reach {
  /** Those who reach it on some resource, at some time at least. */
  readonly identities: readonly Ref[]
  /** Those of whom it depends on facts that are not described, on every resource. */
  readonly perhaps: readonly Ref[]
  /** Those among `identities` who reach it without conditions on some resource. */
  readonly always: readonly Ref[]
  /** The number of resources that `identities` reach it on. */
  readonly resources: number
  /** The reach of an identity, of those in `perhaps` as well. */
  readonly of: (identity: Ref) => Reached
}

/** How sure it is that an identity reaches something on its resources: all of them. */
export function certaintyOf({ counts: { always, sometimes, perhaps } }: Pick<Reached, 'counts'>): Certainty {
  if (always === 0) return sometimes > 0 ? 'sometimes' : 'perhaps'
  return sometimes + perhaps === 0 ? 'always' : 'mixed'
}

/** Who reaches what in a page, each found once. */
export class ReachIndex {
  private readonly tables: Tables
  private readonly known = new Map<ReachTarget, Reach>()

  constructor(tables: Tables) {
    this.tables = tables
  }

  of(reached: ReachTarget): Reach {
    const found = this.known.get(reached) ?? find(this.tables, reached)
    this.known.set(reached, found)
    return found
  }
}

/** The confidence that a cell allows any change, independent of the conditions of its highest level. */
function changeConfidence({ level, confidence, guaranteed }: PageCell): Confidence | undefined {
  const changes = (own: Level) => levels.indexOf(own) >= levels.indexOf('write')
  if (!changes(level)) return undefined
  if (changes(guaranteed?.always ?? level)) return guaranteed ? 'always' : confidence
  return changes(guaranteed?.sometimes ?? level) ? 'sometimes' : confidence
}

function find(tables: Tables, reached: ReachTarget): Reach {
  const { data } = tables
  const confidences = data.cells.map((cell, i): Confidence | undefined => {
    if (reached === 'change') return changeConfidence(cell)
    if (typeof reached !== 'number') return tables.risksOf(i).get(reached)
    return cell.parts.find(({ actions }) => tables.hasAction(actions, reached))?.confidence
  })
  const ofTypes = data.types.map(({ actions }) => tables.actionsIn(actions))
  const risks = new Map(data.sensitive.map(([action, risk]) => [action, risk]))
  // An owner may do everything that there is to do with a type.
  const isOfType = ofTypes.map((actions) =>
    reached === 'change' ? undefined : actions.some((each) => each === reached || risks.get(each) === reached),
  )
  // All resources of a class are of one type.
  const typeOfClass = data.resourceClasses.map(({ names }) => data.resources[names[0] as Ref]?.type ?? -1)
  const sizes = data.resourceClasses.map(({ names }) => names.length)
  const confidenceAt = (cell: Ref, resourceClass: Ref): Confidence | undefined => {
    if (cell < 0) return undefined
    if (!data.cells[cell]?.isRoot) return confidences[cell]
    const owned = isOfType[typeOfClass[resourceClass] as Ref]
    return owned === undefined ? confidences[cell] : owned ? 'always' : undefined
  }
  const reachedClasses = new Uint8Array(data.resourceClasses.length)
  const ofClass = data.identityClasses.map((_, i): Reached => {
    const row = tables.row(i)
    const counts = { always: 0, sometimes: 0, perhaps: 0 }
    for (let j = 0; j < row.length; j++) {
      const confidence = confidenceAt(row[j] as Ref, j)
      if (confidence === undefined) continue
      counts[confidence] += sizes[j] as number
      if (confidence !== 'perhaps') reachedClasses[j] = 1
    }
    const on = () =>
      data.resourceClasses.flatMap(({ names }, j) => {
        const confidence = confidenceAt(row[j] as Ref, j)
        return confidence === undefined ? [] : names.map((resource) => ({ resource, confidence }))
      })
    return { counts, on }
  })
  const of = (identity: Ref): Reached => ofClass[data.identities[identity]?.class ?? -1] ?? nothing
  const having = (holds: (counts: Reached['counts']) => boolean) =>
    [...data.identities.keys()].filter((identity) => holds(of(identity).counts))
  return {
    identities: having(({ always, sometimes }) => always + sometimes > 0),
    perhaps: having(({ always, sometimes, perhaps }) => always + sometimes === 0 && perhaps > 0),
    always: having(({ always }) => always > 0),
    resources: reachedClasses.reduce((sum, isReached, j) => sum + (isReached ? (sizes[j] as number) : 0), 0),
    of,
  }
}

const nothing: Reached = { counts: { always: 0, sometimes: 0, perhaps: 0 }, on: () => [] }
