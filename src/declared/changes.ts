import type { Diagnostic } from '../diagnostic.ts'
import type { Node } from '../tree.ts'
import { faultOf, resourcesIn, valueInState, valueOn } from './plan.ts'
import { itemsOf, shapeProblem, textOf, valueAt } from './record.ts'

/** A change of a resource that a plan has, or a data source that is read. */
export interface ResourceChange {
  /** `module.team.svc_iam_policy.ops["a"]`. */
  readonly address: string
  /** With the prefix of the provider: `svc_iam_policy`. */
  readonly type: string
  readonly isData: boolean
  /** In the words of the plan: `create`, `update`, `delete`, `read`, `no-op`, `forget`; a replacement has two. */
  readonly actions: readonly string[]
  /** Its attributes on both sides, where it is there. What is not known, or secret, is an unknown value. */
  readonly before: Node | undefined
  readonly after: Node | undefined
  /** It is of a configuration, which does not say what changes: any attribute may. */
  readonly isWritten?: true
}

/** The changes of a plan. */
export interface PlannedChanges {
  /** Those of resources of one provider, in the order of the plan. */
  readonly changes: readonly ResourceChange[]
  /** Changes that the plan puts off to a later one: nothing is known of them. */
  readonly deferred: readonly Pick<ResourceChange, 'address' | 'type'>[]
  /** The number of resources of other providers. */
  readonly others: number
  readonly diagnostics: readonly Diagnostic[]
}

/** The changes of resources whose types have a prefix, and the data sources of such types. */
export function plannedChanges(plan: Node, prefix: string): PlannedChanges {
  const fault = faultOf(plan) ?? unplannedFault(plan)
  if (fault) return { changes: [], deferred: [], others: 0, diagnostics: [fault] }
  const isOurs = ({ type }: Pick<ResourceChange, 'type'>) => type.startsWith(`${prefix}_`)
  const all = itemsOf(valueAt(plan, 'resource_changes')).map(changeOf)
  const listed = new Set(all.map(({ address }) => address))
  const read = [...resourcesIn(valueAt(plan, 'prior_state', 'values', 'root_module'))].map(sourceOf)
  const sources = read.filter(({ isData, address }) => isData && !listed.has(address))
  const changes = [...all, ...sources]
  const deferred = itemsOf(valueAt(plan, 'deferred_changes')).map((each) => namesOf(valueAt(each, 'resource_change')))
  return {
    changes: changes.filter(isOurs),
    deferred: deferred.filter(isOurs),
    others: [...changes, ...deferred].filter((each) => !isOurs(each)).length,
    diagnostics: [],
  }
}

/** A document without changes is a state, or only the values of a plan: neither says what applying does. */
function unplannedFault(plan: Node): Diagnostic | undefined {
  if (valueAt(plan, 'resource_changes')?.kind === 'list') return undefined
  // A plan without any resource may leave out its changes.
  if (valueAt(plan, 'planned_values') && [...resourcesIn(valueAt(plan, 'planned_values', 'root_module'))].length === 0) return undefined
  return shapeProblem(
    plan,
    'no `resource_changes`: a state says what there is, and not which calls applying makes',
    'write the plan with `terraform show -json PLAN > plan.json`',
  )
}

function namesOf(resource: Node | undefined): Pick<ResourceChange, 'address' | 'type' | 'isData'> {
  return {
    address: textOf(valueAt(resource, 'address')) ?? '',
    type: textOf(valueAt(resource, 'type')) ?? '',
    isData: textOf(valueAt(resource, 'mode')) === 'data',
  }
}

function changeOf(change: Node): ResourceChange {
  const actions = itemsOf(valueAt(change, 'change', 'actions')).map((each) => textOf(each) ?? '')
  return { ...namesOf(change), actions, before: valueOn(change, 'before'), after: valueOn(change, 'after') }
}

/** A data source that was read for the plan, as the state has it. */
function sourceOf(resource: Node): ResourceChange {
  return { ...namesOf(resource), actions: ['read'], before: valueInState(resource), after: undefined }
}
