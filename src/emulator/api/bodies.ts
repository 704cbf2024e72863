import type { Catalogue } from '../../actions/catalogue.ts'
import { listNode, mapAt, textNodeAt } from '../../declared/record.ts'
import { compareDiagnostics, type Diagnostic } from '../../diagnostic.ts'
import { lint } from '../../lint/run.ts'
import type { Settings } from '../../names.ts'
import { deepestCondition, kindOf, readFacts } from '../../parser/policy.ts'
import { shapeProblems } from '../../parser/shape.ts'
import { buildWorld } from '../../parser/world.ts'
import type { Condition } from '../../policy.ts'
import { conditionKey } from '../../rules/conditions/condition-key.ts'
import { conditionOperator } from '../../rules/conditions/condition-operator.ts'
import { conditionShape } from '../../rules/conditions/condition-shape.ts'
import { conditionTimezone } from '../../rules/conditions/condition-timezone.ts'
import { conditionValue } from '../../rules/conditions/condition-value.ts'
import { ruleContext } from '../../rules/context.ts'
import { unknownRegion } from '../../rules/document/unknown-region.ts'
import { field, type MapNode, type Node, plainValue } from '../../tree.ts'
import type { WrittenFields } from '../model/records.ts'

import { asObject, type FieldProblem, fieldProblem, fieldsWrong, missing, type ReadBody, refuseBody } from './body-problems.ts'

/** The bodies of calls that write, read by the parser of policy files: what a file may not say, a body may not say either. */

const policyFields = ['name', 'description', 'identities', 'resources', 'permissions', 'permissionsGroups', 'conditions', 'expiredAt']
const serverFields = ['id', 'owner', 'readOnly', 'createdAt', 'updatedAt', '$schema']
/** Parts that files may have and the service refuses: conditions and regions without a meaning for it. */
const policyRules = [conditionKey, conditionOperator, conditionTimezone, conditionValue, conditionShape, unknownRegion]

function reservedName(node: MapNode, { brand }: Settings): readonly FieldProblem[] {
  const name = field(node, 'name')
  if (name?.kind !== 'text' || !name.value.startsWith(`${brand}-`)) return []
  const message = `names that start with \`${brand}-\` are reserved for policies that the service manages`
  return [fieldProblem(name, message, 'choose another name')]
}

export interface BodyContext {
  readonly settings: Settings
  readonly catalogue: Catalogue
  /** Milliseconds since 1970. */
  readonly now: number
}

/** A policy as it is sent: the record without what the service adds. */
export function readPolicyBody(tree: Node | undefined, { settings, catalogue, now }: BodyContext): ReadBody<WrittenFields> {
  const { value: node, refusal } = asObject(tree)
  if (refusal) return { refusal }
  const wrong = [...fieldsWrong(node, serverFields), ...expansionsWrong(node), ...reservedName(node, settings)]
  if (wrong.length > 0) return refuseBody(node, wrong)
  if (kindOf(node) !== 'policy') {
    const problems = shapeProblems({ shape: 'policy', node })
    return refuseBody(node, problems.length > 0 ? problems : [fieldProblem(node, 'this is not a policy')])
  }
  const { facts, errors } = readStrictly(node, settings)
  if (errors.length > 0) return refuseBody(node, errors)
  // The public schema wants it, also where the rights come from permissions groups alone.
  const absent = missing(node, ['permissions'])
  if (absent.length > 0) return refuseBody(node, absent)
  const { world } = buildWorld([facts])
  const policyErrors = lint(policyRules, ruleContext({ world, catalogue, settings, now })).filter(({ severity }) => severity === 'error')
  if (policyErrors.length > 0) return refuseBody(node, policyErrors)
  const opaque = world.policies.flatMap(({ condition }) => (condition ? opaqueIn(condition) : []))
  return opaque.length > 0 ? refuseBody(node, opaque) : { value: picked(node, policyFields) }
}

/** Opaque conditions that no other check reports: those that are too deep. */
function opaqueIn(condition: Condition): FieldProblem[] {
  const wrong: FieldProblem[] = []
  const waiting: Condition[] = [condition]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.kind === 'opaque')
      wrong.push(fieldProblem(next.span, 'this condition is not understood', `keep conditions within ${deepestCondition} levels`))
    else if (next.kind !== 'match') waiting.push(...next.operands)
  }
  return wrong
}

/** Problems with fields that listings add to the resources of a policy: they must not be sent back. */
function expansionsWrong(node: MapNode): FieldProblem[] {
  return expansions.flatMap(({ list, keys, help }) => {
    const items = field(node, list)
    return (items?.kind === 'list' ? items.items : []).flatMap((item) =>
      item.kind === 'map'
        ? item.entries
            .filter(({ key }) => keys.includes(key.value))
            .map(({ key }) => fieldProblem(key, `\`${key.value}\` is set by the service`, help))
        : [],
    )
  })
}

const expansions: readonly { readonly list: string; readonly keys: readonly string[]; readonly help: string }[] = [
  { list: 'resources', keys: ['id', 'resource', 'group'], help: 'a resource is named by its `urn` alone' },
  { list: 'permissionsGroups', keys: ['name', 'owner', 'permissions'], help: 'a permissions group is named by its `urn` alone' },
]

/** A permissions group as it is sent; `urnOf`: the URN that a group of a name has. */
export function readPermissionsGroupBody(
  tree: Node | undefined,
  settings: Settings,
  urnOf: (name: string) => string,
): ReadBody<{ readonly urn: string; readonly written: WrittenFields }> {
  const { value: node, refusal } = asObject(tree)
  if (refusal) return { refusal }
  const name = field(node, 'name')
  const wrong = [...fieldsWrong(node, [...serverFields, 'urn']), ...missing(node, ['name', 'description', 'permissions'])]
  if (wrong.length > 0) return refuseBody(node, wrong)
  // The name is a part of the URN, where such blanks would not be seen.
  if (name?.kind === 'text' && name.value.trim() !== name.value)
    return refuseBody(node, [fieldProblem(name, 'the name starts or ends with a blank')])
  const urn = urnOf(name?.kind === 'text' ? name.value : '')
  // Read as a group of a file, with a URN in place of the name: both have the same problems.
  const problems = worldProblems('permissionsGroups', node, { key: 'urn', value: urn, at: name ?? node }, settings)
  if (problems.length > 0) return refuseBody(node, problems)
  return { value: { urn, written: picked(node, ['name', 'description', 'permissions']) } }
}

/** `urnOf`: the URN of the resource that has an id. `all`: the list of members must be there. */
export function readResourceGroupBody(
  tree: Node | undefined,
  settings: Settings,
  urnOf: (id: string) => string | undefined,
  all: boolean,
): ReadBody<WrittenFields> {
  const { value: node, refusal } = asObject(tree)
  if (refusal) return { refusal }
  const name = field(node, 'name')
  const wrong = [...fieldsWrong(node, [...serverFields, 'urn']), ...missing(node, all ? ['name', 'resources'] : ['name'])]
  if (wrong.length > 0) return refuseBody(node, wrong)
  const problems = worldProblems('resourceGroups', node, { key: 'id', value: 'new', at: name ?? node }, settings)
  if (problems.length > 0) return refuseBody(node, problems)
  const resources = new Set<string>()
  for (const item of members(node)) {
    const urn = field(item, 'urn')
    const id = field(item, 'id')
    const groupUrn = urn?.kind === 'text' ? urn.value : id?.kind === 'text' ? urnOf(id.value) : undefined
    if (groupUrn === undefined)
      wrong.push(fieldProblem(id ?? item, 'no resource of this account has such an id', 'list them with `GET /v2/iam/resource`'))
    else resources.add(groupUrn)
  }
  if (wrong.length > 0) return refuseBody(node, wrong)
  return { value: { ...picked(node, ['name']), resources: [...resources].map((urn) => ({ urn })) } }
}

function members(node: MapNode): readonly MapNode[] {
  const list = field(node, 'resources')
  return list?.kind === 'list' ? list.items.filter((item) => item.kind === 'map') : []
}

/** The problems of a group as the only one in a world, with a field that the service adds to it. */
function worldProblems(
  list: 'permissionsGroups' | 'resourceGroups',
  node: MapNode,
  added: { readonly key: string; readonly value: string; readonly at: Node },
  settings: Settings,
): readonly Diagnostic[] {
  const group = mapAt(node, [...node.entries, { key: textNodeAt(added.at, added.key), value: textNodeAt(added.at, added.value) }])
  const world = mapAt(node, [{ key: textNodeAt(node, list), value: listNode(node, [group]) }])
  return readStrictly(world, settings).errors
}

function readStrictly(document: Node, settings: Settings) {
  const { facts, diagnostics, misshapen } = readFacts([document], settings)
  const errors = [...diagnostics, ...misshapen.flatMap(shapeProblems)].filter(({ severity }) => severity === 'error')
  return { facts, errors: errors.sort(compareDiagnostics) }
}

/** The plain values of some fields, in this order; those that are not there are left out. */
function picked(node: MapNode, names: readonly string[]): WrittenFields {
  const out: Record<string, unknown> = {}
  for (const name of names) {
    const value = field(node, name)
    if (value) out[name] = plainValue(value)
  }
  return out
}
