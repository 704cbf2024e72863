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
  /** The resources that `identities` reach it on. */
  readonly resources: ReadonlySet<Ref>
  /** The resources of each identity, of those in `perhaps` as well. */
  readonly of: ReadonlyMap<Ref, readonly ReachedOn[]>
}

/** How sure it is that an identity reaches something on its resources: all of them. */
export function certaintyOf(own: readonly ReachedOn[]): Certainty {
  const has = (confidence: Confidence) => own.some((each) => each.confidence === confidence)
  if (!has('always')) return has('sometimes') ? 'sometimes' : 'perhaps'
  return own.every(({ confidence }) => confidence === 'always') ? 'always' : 'mixed'
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
  const ofClass = data.identityClasses.map((_, i) => {
    const out: ReachedOn[] = []
    tables.row(i).forEach((cell, j) => {
      if (cell < 0) return
      const { isRoot } = data.cells[cell] as (typeof data.cells)[number]
      for (const resource of data.resourceClasses[j]?.names ?? []) {
        const owned = isRoot ? isOfType[data.resources[resource]?.type ?? -1] : undefined
        const confidence = owned === undefined ? confidences[cell] : owned ? 'always' : undefined
        if (confidence !== undefined) out.push({ resource, confidence })
      }
    })
    return out
  })
  const of = new Map(
    data.identities.flatMap((identity, i) =>
      (ofClass[identity.class]?.length ?? 0) > 0 ? [[i, ofClass[identity.class] ?? []] as const] : [],
    ),
  )
  const isPerhaps = (own: readonly ReachedOn[]) => own.every(({ confidence }) => confidence === 'perhaps')
  const identities = [...of].filter(([, own]) => !isPerhaps(own))
  return {
    identities: identities.map(([identity]) => identity),
    perhaps: [...of].filter(([, own]) => isPerhaps(own)).map(([identity]) => identity),
    always: identities.filter(([, own]) => own.some(({ confidence }) => confidence === 'always')).map(([identity]) => identity),
    resources: new Set(
      identities.flatMap(([, own]) => own.filter(({ confidence }) => confidence !== 'perhaps').map(({ resource }) => resource)),
    ),
    of,
  }
}
