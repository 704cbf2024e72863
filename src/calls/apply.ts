import { partsOfAction } from '../actions/action.ts'
import type { Catalogue } from '../actions/catalogue.ts'
import type { Operation } from '../actions/operations.ts'
import { madeIn } from '../collections.ts'
import type { ResourceChange } from '../declared/changes.ts'
import { contentOf, valueAt } from '../declared/record.ts'
import { keyOf } from '../keys.ts'
import type { Node } from '../tree.ts'
import { readIdentity } from '../urn/identity.ts'
import { printResource } from '../urn/resource.ts'
import { type CallContext, planCall, type Requirement } from './judge.ts'
import { type Call, monthOfUnmatched, type Routes, readCall } from './match.ts'
import { anyName, widened } from './placeholder.ts'
import { judgeType, type OtherResource, type ProviderCall, type ProviderPart, type ProviderType, type ProviderTypes } from './provider.ts'

/** The purpose of a need: a part of a resource, and the call of the provider that needs it. */
export interface NeededFor {
  readonly address: string
  readonly type: string
  readonly part: ProviderPart
  /** `POST /cloud/project/{serviceName}/kube`. */
  readonly call: string
}

/** An action that something needs which is not made yet: an apply, or a program. */
export interface Need {
  readonly action: string
  /** The URN, or a pattern over all names of its type where the name is not known. */
  readonly resource: string
  readonly isNamed: boolean
  /** False: only some calls need it, or its call is made only in some cases. */
  readonly isCertain: boolean
}

/** An action that applying a plan needs. */
export interface ApplyNeed extends Need {
  readonly uses: readonly NeededFor[]
}

/** A part of what applying a plan needs that is not known. */
export interface ApplyGap {
  readonly address: string
  readonly type: string
  readonly part?: ProviderPart
  readonly why: string
}

export interface ApplyNeeds {
  /** Each action once for each resource, in the order in which the plan needs them. */
  readonly needs: readonly ApplyNeed[]
  readonly gaps: readonly ApplyGap[]
}

/** The tables that the calls of a plan are looked up in. */
export interface ApplyKnowledge {
  readonly provider: ProviderTypes
  readonly prefix: string
  readonly routes: Routes
  readonly catalogue: Pick<Catalogue, 'seen' | 'types' | 'typesOf'>
}

/** The actions that applying changes needs. `about`: who applies them. */
export function applyNeeds(changes: readonly ResourceChange[], knowledge: ApplyKnowledge, about: CallContext): ApplyNeeds {
  const needs = new Map<string, { need: ApplyNeed; uses: NeededFor[] }>()
  const gaps: ApplyGap[] = []
  const reasons = new Map<string, string>()
  for (const change of changes) {
    const { address, type } = change
    const types = change.isData ? knowledge.provider.data : knowledge.provider.resources
    const calls = types.get(type.slice(knowledge.prefix.length + 1))
    if (!calls) {
      gaps.push({
        address,
        type,
        why: change.isData ? 'its data source is not in the table of calls' : madeIn(reasons, type, () => unlisted(type, knowledge)),
      })
      continue
    }
    for (const { part, value } of partsOf(change)) {
      const partNeeds = needsOfPart({ change, part, value, calls }, knowledge, about)
      gaps.push(...partNeeds.gaps)
      for (const need of partNeeds.needs) {
        const key = keyOf(need.action, need.resource)
        const other = needs.get(key)
        if (!other) needs.set(key, { need, uses: [...need.uses] })
        else {
          other.uses.push(...need.uses)
          if (need.isCertain) other.need = need
        }
      }
    }
  }
  return { needs: [...needs.values()].map(({ need, uses }) => ({ ...need, uses })), gaps }
}

/** Why the calls of a type without a row are not known. */
function unlisted(type: string, { provider, prefix }: ApplyKnowledge): string {
  const judged = judgeType(type.slice(prefix.length + 1), provider)
  if (judged === 'known') return 'its type is not in the table of calls'
  const help = judged.nearest === undefined ? 'another version may have it' : `did you mean \`${prefix}_${judged.nearest}\`?`
  return `the provider is not known to have its type: ${help}`
}

interface PartOfChange {
  readonly part: ProviderPart | undefined
  /** The attributes that the calls of the part are made with. */
  readonly value: Node | undefined
}

/** The parts that applying a change goes through. What there is is read again before each apply. */
function partsOf({ actions, before, after }: ResourceChange): readonly PartOfChange[] {
  const partOf: Readonly<Record<string, PartOfChange | undefined>> = {
    create: { part: 'create', value: after },
    update: { part: 'update', value: after },
    delete: { part: 'delete', value: before },
  }
  // Without any kind of change, it is not known which one it is.
  if (actions.length === 0) return [{ part: undefined, value: undefined }]
  const isSilent = (action: string) => ['no-op', 'read', 'forget'].includes(action)
  const actionParts = actions.flatMap((action) => (isSilent(action) ? [] : [partOf[action] ?? { part: undefined, value: undefined }]))
  const isThere = before !== undefined || actions.every(isSilent)
  return isThere ? [{ part: 'read', value: before ?? after }, ...actionParts] : actionParts
}

interface Part extends PartOfChange {
  readonly change: ResourceChange
  readonly calls: ProviderType
}

function needsOfPart({ change, part, value, calls }: Part, knowledge: ApplyKnowledge, about: CallContext): ApplyNeeds {
  const { address, type } = change
  if (part === undefined)
    return {
      needs: [],
      gaps: [{ address, type, why: `a change of a kind that is not known: ${change.actions.join(', ') || 'none is given'}` }],
    }
  const gap = (why: string): ApplyGap => ({ address, type, part, why })
  const { calls: all, isWhole } = calls[part]
  const gaps: ApplyGap[] = []
  if (part === 'update' && isWhole && all.length === 0 && !change.isWritten) gaps.push(gap('the table of calls has no update of this type'))
  if (!isWhole) gaps.push(gap('the provider makes further calls, which are not in the table'))
  const needs = all.flatMap((call): readonly ApplyNeed[] => {
    const when = isMade(call, change, part)
    if (when === 'no') return []
    const callNeeds = needsOfCall(call, value, calls.others, knowledge, about)
    gaps.push(...callNeeds.gaps.map(gap))
    const use = { address, type, part, call: callNeeds.call }
    return callNeeds.needs.map((need) => ({ ...need, isCertain: need.isCertain && when === 'yes', uses: [use] }))
  })
  return { needs, gaps }
}

/** Whether the provider makes a call for this change. */
function isMade({ when }: ProviderCall, { before, after, isWritten }: ResourceChange, part: ProviderPart): 'yes' | 'no' | 'perhaps' {
  if (when === 'always') return 'yes'
  if (when === 'sometimes' || part === 'read' || part === 'delete' || isWritten) return 'perhaps'
  const [old, next] = [part === 'create' ? undefined : before, after].map((side) => valueAt(side, when.attribute))
  if (next?.kind === 'unknown' || old?.kind === 'unknown') return 'perhaps'
  return contentAt(old) === contentAt(next) ? 'no' : 'yes'
}

/** An attribute that is not set is `null` or left out; lists and blocks are then empty. */
function contentAt(node: Node | undefined): string {
  const isUnset = !node || node.kind === 'null' || (node.kind === 'list' && node.items.length === 0)
  return isUnset ? '' : contentOf(node)
}

function needsOfCall(
  { method, path }: ProviderCall,
  value: Node | undefined,
  others: readonly OtherResource[],
  { routes, catalogue }: ApplyKnowledge,
  about: CallContext,
) {
  const missing = new Set<string>()
  const written = path.replace(/\{(\w*)\}/g, (_, attribute: string) => {
    const text = attribute === '' ? undefined : wordOf(valueAt(value, attribute))
    if (text === undefined && attribute !== '') missing.add(attribute)
    return text ?? anyName
  })
  const readable = `${method} ${path}`
  const read = readCall(method, written)
  if (!read.call)
    return { call: readable, needs: [], gaps: [`\`${readable}\`: ${(read.problems ?? []).map(({ message }) => message).join('; ')}`] }
  const resources = others.flatMap((other) => otherResource(other, value, about) ?? [])
  // The provider puts the branch before the paths of v2 only.
  const call: Call = { ...read.call, branch: read.call.branch ?? 'v1' }
  const { operation, basis, needs, gaps } = needsOfCallTo(call, routes, catalogue, { ...about, resources })
  if (basis === 'nothing') {
    const without = missing.size === 0 ? '' : `, without the values of ${[...missing].map((each) => `\`${each}\``).join(' and ')}`
    return {
      call: readable,
      needs: [],
      gaps: [`\`${readable}\` is not an operation known in ${monthOfUnmatched(routes, call, catalogue)}${without}`],
    }
  }
  return { call: operation ? nameOfOperation(operation) : readable, needs, gaps }
}

/** The actions that a call needs, with a placeholder for each value that is not known. `gaps`: those whose resource has no known type. */
export function needsOfCallTo(call: Call, routes: Routes, catalogue: Pick<Catalogue, 'types' | 'typesOf'>, about: CallContext) {
  const { operation, requirements, basis } = planCall({}, routes, catalogue, call, about)
  const gaps: string[] = []
  const needs = requirements.flatMap((each): readonly Need[] => {
    if (each.from === 'listing') return []
    const resource = resourceOf(each, catalogue, about)
    if (resource === undefined) {
      const name = operation ? `\`${nameOfOperation(operation)}\`` : 'the call'
      gaps.push(`${name} needs \`${each.action}\` on a resource that is not known: ${each.why ?? 'it is not named'}`)
    }
    return resource === undefined ? [] : [{ action: each.action, resource, isNamed: !resource.endsWith(':*'), isCertain: each.required }]
  })
  return { operation, basis, needs, gaps }
}

/** `POST /vps/{serviceName}/reboot`, `GET /v2/iam/policy`. */
export const nameOfOperation = ({ branch, method, path }: Operation): string => `${method} ${branch === 'v1' ? '' : `/${branch}`}${path}`

/** The value of an attribute as a word of a path; undefined where it is not known or not set. */
function wordOf(node: Node | undefined): string | undefined {
  if (node?.kind === 'number') return String(node.value)
  return node?.kind === 'text' && node.value !== '' ? encoded(node.value) : undefined
}

/** Half a surrogate pair has no encoding. */
function encoded(text: string): string | undefined {
  try {
    return encodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The resource of a requirement, or a pattern over its type; undefined where not even the type is known. */
function resourceOf({ action, resource }: Requirement, catalogue: Pick<Catalogue, 'types' | 'typesOf'>, about: CallContext) {
  if (resource !== undefined) return widened(resource)
  const { product } = partsOfAction(action)
  const served = catalogue.typesOf(product)
  const type = catalogue.types.includes(product) || product === 'account' ? product : served.length === 1 ? served[0] : undefined
  return type === undefined ? undefined : printResource({ region: regionOf(about), type, name: '*' })
}

function otherResource({ type, attribute }: OtherResource, value: Node | undefined, about: CallContext): string | undefined {
  const node = valueAt(value, attribute)
  return node?.kind === 'text' && node.value !== '' ? printResource({ region: regionOf(about), type, name: node.value }) : undefined
}

function regionOf({ region, identity }: CallContext): string {
  return region ?? readIdentity(identity, { pattern: false }).value?.region ?? 'eu'
}
