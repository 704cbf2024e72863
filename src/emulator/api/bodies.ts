import type { Catalogue } from '../../actions/catalogue.ts'
import { compareDiagnostics, type Diagnostic } from '../../diagnostic.ts'
import { lint } from '../../lint.ts'
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
import { unknownRegion } from '../../rules/document/unknown-region.ts'
import { ruleContext } from '../../rules/rule.ts'
import { position, type Span } from '../../source.ts'
import { field, type ListNode, type MapNode, type Node, plain, type TextNode } from '../../tree.ts'
import { badRequest, quote } from '../model/errors.ts'
import type { Reply } from '../model/exchange.ts'
import type { Written } from '../model/records.ts'

/**
 * The bodies of calls that write, read by the parser of policy files: what a file may not say, a body may not say either.
 * Every problem is told with its place.
 */

/** Something that is wrong with a body, and where: a JSON pointer (RFC 6901), line and column from 1. */
export interface BodyProblem {
  readonly path: string
  readonly line: number
  readonly column: number
  readonly message: string
  readonly help?: string
}

/** What a body says, or the answer that refuses it. */
export type ReadBody<T> = { readonly value: T; readonly refusal?: undefined } | { readonly value?: undefined; readonly refusal: Reply }

/** How much one body may ask for. None of it is shown in the document. */
export const bodyLimits = {
  /** Keys of all objects together: more than the largest of records has. */
  keys: 10_000,
  /** Entries of one list: identities, resources, actions of a list, members of a group. */
  entries: 1000,
  /** Characters of a name. */
  name: 255,
  /** Characters of a description. */
  description: 2000,
  /** Questions of one authorization check: actions times resources. */
  questions: 10_000,
} as const

/** Something wrong at a place, on its way to a problem. */
type Wrong = Pick<Diagnostic, 'message' | 'help' | 'span'>

/** The answer to a body that is not understood: 400, with every problem in `details.problems`. */
export function refuseBody(root: Node, wrong: readonly Wrong[]): ReadBody<never> {
  const problems = wrong.slice(0, mostProblems).map((each) => problemAt(root, each))
  const [first] = problems
  const place = first ? `line ${first.line}, column ${first.column}${first.path === '' ? '' : ` (${first.path})`}: ${first.message}` : ''
  const others = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  return { refusal: badRequest(`the body is not understood: ${place}${others}`, { problems }) }
}

const mostProblems = 100

function problemAt(root: Node, { span, message, help }: Wrong): BodyProblem {
  const { line, column } = position(span.source, span.start)
  return { path: pointerTo(root, span), line, column, message, ...(help !== undefined && { help }) }
}

/** The JSON pointer to the innermost part of a document that a place lies in; a key leads to its value. */
function pointerTo(root: Node, { start }: Span): string {
  let path = ''
  let node: Node | undefined = root
  while (node) {
    let inner: Node | undefined
    if (node.kind === 'list') {
      const index = node.items.findIndex((item) => item.start <= start && start < item.end)
      if (index >= 0) {
        inner = node.items[index]
        path += `/${index}`
      }
    } else if (node.kind === 'map') {
      const entry = node.entries.find(({ key, value }) => key.start <= start && start < value.end)
      if (entry) {
        inner = entry.value
        path += `/${entry.key.value.replaceAll('~', '~0').replaceAll('/', '~1')}`
      }
    }
    node = inner
  }
  return path
}

/** A body that is there and is an object. */
function asObject(tree: Node | undefined): ReadBody<MapNode> {
  if (!tree) return { refusal: badRequest('the body is missing: send a JSON object') }
  return tree.kind === 'map' ? { value: tree } : refuseBody(tree, [{ span: tree, message: 'expected an object' }])
}

/** What is wrong with fields that only the service writes, and with what is more than one body may hold. */
function fieldsWrong(node: MapNode, own: readonly string[]): Wrong[] {
  const wrong: Wrong[] = []
  for (const { key, value } of node.entries) {
    if (own.includes(key.value))
      wrong.push({ span: key, message: `\`${key.value}\` is set by the service`, help: 'leave it out: what is sent says what is wanted' })
    else if (key.value === 'name' && value.kind === 'text' && /^[ \t\r\n]*$/.test(value.value))
      wrong.push({ span: value, message: 'there is no name: it is empty or blank', help: 'say what it is for' })
    else if (key.value === 'name' && value.kind === 'text' && value.value.length > bodyLimits.name)
      wrong.push({ span: value, message: `the name has ${value.value.length} characters`, help: `keep it to ${bodyLimits.name}` })
    else if (key.value === 'description' && value.kind === 'text' && value.value.length > bodyLimits.description)
      wrong.push({
        span: value,
        message: `the description has ${value.value.length} characters`,
        help: `keep it to ${bodyLimits.description}`,
      })
  }
  return [...wrong, ...tooLong(node)]
}

/** A name that the service keeps for its own policies. */
function reservedName(node: MapNode, { brand }: Settings): Wrong[] {
  const name = field(node, 'name')
  if (name?.kind !== 'text' || !name.value.startsWith(`${brand}-`)) return []
  return [
    {
      span: name,
      message: `names that start with \`${brand}-\` are reserved for policies that the service manages`,
      help: 'choose another name',
    },
  ]
}

/** The lists of a record that hold more than they may: its own, and those of its permissions. */
function tooLong(node: MapNode): Wrong[] {
  const permissions = field(node, 'permissions')
  const entries = [...node.entries, ...(permissions?.kind === 'map' ? permissions.entries : [])]
  return entries.flatMap(({ key, value }) =>
    value.kind === 'list' && value.items.length > bodyLimits.entries
      ? [
          {
            span: key,
            message: `${quote(key.value)} has ${value.items.length} entries`,
            help: `keep it to ${bodyLimits.entries}, and make several policies of one`,
          },
        ]
      : [],
  )
}

/** The fields that must be there (those of the public schema), where they are not. */
function missing(node: MapNode, names: readonly string[]): Wrong[] {
  const absent = names.filter((name) => field(node, name) === undefined)
  if (absent.length === 0) return []
  const last = node.entries[0]?.key ?? node
  return [{ span: last, message: `missing ${absent.length === 1 ? 'field' : 'fields'} ${absent.map((name) => `\`${name}\``).join(', ')}` }]
}

const policyFields = ['name', 'description', 'identities', 'resources', 'permissions', 'permissionsGroups', 'conditions', 'expiredAt']
const serverFields = ['id', 'owner', 'readOnly', 'createdAt', 'updatedAt', '$schema']
/** What files may have and a service refuses: conditions and regions that mean nothing to it. */
const policyRules = [conditionKey, conditionOperator, conditionTimezone, conditionValue, conditionShape, unknownRegion]

/** What the body of a policy is held against. */
export interface BodyContext {
  readonly settings: Settings
  readonly catalogue: Catalogue
  /** Milliseconds since 1970. */
  readonly now: number
}

/** A policy as it is sent: the record without what the service adds (spec: policy language, section 2). */
export function readPolicyBody(tree: Node | undefined, { settings, catalogue, now }: BodyContext): ReadBody<Written> {
  const { value: node, refusal } = asObject(tree)
  if (refusal) return { refusal }
  const wrong = [...fieldsWrong(node, serverFields), ...expansionsWrong(node), ...reservedName(node, settings)]
  if (wrong.length > 0) return refuseBody(node, wrong)
  if (kindOf(node) !== 'policy') {
    const problems = shapeProblems({ shape: 'policy', node })
    return refuseBody(node, problems.length > 0 ? problems : [{ span: node, message: 'this is no policy' }])
  }
  const read = readFacts([node], settings)
  const misread = [...read.diagnostics, ...read.misshapen.flatMap(shapeProblems)].filter(({ severity }) => severity === 'error')
  if (misread.length > 0) return refuseBody(node, misread.sort(compareDiagnostics))
  // The public schema wants it, also where the rights come from permissions groups alone.
  const absent = missing(node, ['permissions'])
  if (absent.length > 0) return refuseBody(node, absent)
  const { world } = buildWorld([read.facts])
  const found = lint(policyRules, ruleContext({ world, catalogue, settings, now })).filter(({ severity }) => severity === 'error')
  if (found.length > 0) return refuseBody(node, found)
  const opaque = world.policies.flatMap(({ condition }) => (condition ? opaqueIn(condition) : []))
  return opaque.length > 0 ? refuseBody(node, opaque) : { value: picked(node, policyFields) }
}

/** The conditions that nothing above finds fault with, and that are not understood: those that lie too deep. */
function opaqueIn(condition: Condition): Wrong[] {
  const wrong: Wrong[] = []
  const waiting: Condition[] = [condition]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.kind === 'opaque')
      wrong.push({
        span: next.span,
        message: 'this condition is not understood',
        help: `keep conditions within ${deepestCondition} levels`,
      })
    else if (next.kind !== 'match') waiting.push(...next.operands)
  }
  return wrong
}

/** What a listing adds to the resources of a policy is not sent back. */
function expansionsWrong(node: MapNode): Wrong[] {
  return expansions.flatMap(({ list, keys, help }) => {
    const items = field(node, list)
    return (items?.kind === 'list' ? items.items : []).flatMap((item) =>
      item.kind === 'map'
        ? item.entries
            .filter(({ key }) => keys.includes(key.value))
            .map(({ key }) => ({ span: key, message: `\`${key.value}\` is set by the service`, help }))
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
): ReadBody<{ readonly urn: string; readonly written: Written }> {
  const { value: node, refusal } = asObject(tree)
  if (refusal) return { refusal }
  const name = field(node, 'name')
  const wrong = [...fieldsWrong(node, [...serverFields, 'urn']), ...missing(node, ['name', 'description', 'permissions'])]
  if (wrong.length > 0) return refuseBody(node, wrong)
  // The name is a part of the URN, where it could not be told from others.
  if (name?.kind === 'text' && name.value.trim() !== name.value)
    return refuseBody(node, [{ span: name, message: 'the name starts or ends with a blank' }])
  const urn = urnOf(name?.kind === 'text' ? name.value : '')
  // Read as a group of a file, whose URN stands where the name does: what is wrong with the one is wrong with the other.
  const problems = worldProblems('permissionsGroups', node, { key: 'urn', value: urn, at: name ?? node }, settings)
  if (problems.length > 0) return refuseBody(node, problems)
  return { value: { urn, written: picked(node, ['name', 'description', 'permissions']) } }
}

/**
 * A resource group as it is sent: a name and members, each named by `id` or `urn`. `urnOf`: the URN of the resource that has
 * an id. `all`: the list of members must be there.
 */
export function readResourceGroupBody(
  tree: Node | undefined,
  settings: Settings,
  urnOf: (id: string) => string | undefined,
  all: boolean,
): ReadBody<Written> {
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
    const found = urn?.kind === 'text' ? urn.value : id?.kind === 'text' ? urnOf(id.value) : undefined
    if (found === undefined)
      wrong.push({ span: id ?? item, message: 'no resource of this account has such an id', help: 'list them with `GET /v2/iam/resource`' })
    else resources.add(found)
  }
  if (wrong.length > 0) return refuseBody(node, wrong)
  return { value: { ...picked(node, ['name']), resources: [...resources].map((urn) => ({ urn })) } }
}

function members(node: MapNode): readonly MapNode[] {
  const list = field(node, 'resources')
  return list?.kind === 'list' ? list.items.filter((item) => item.kind === 'map') : []
}

/** What is wrong with a group that stands as the only one in a world, with a field that the service gives it. */
function worldProblems(
  list: 'permissionsGroups' | 'resourceGroups',
  node: MapNode,
  added: { readonly key: string; readonly value: string; readonly at: Node },
  settings: Settings,
): readonly Diagnostic[] {
  const textAt = (value: string, { source, start, end }: Span): TextNode => ({ kind: 'text', value, source, start, end })
  const group: MapNode = { ...node, entries: [...node.entries, { key: textAt(added.key, added.at), value: textAt(added.value, added.at) }] }
  const groups: ListNode = { kind: 'list', items: [group], source: node.source, start: node.start, end: node.end }
  const world: MapNode = { ...node, entries: [{ key: textAt(list, node), value: groups }] }
  const read = readFacts([world], settings)
  return [...read.diagnostics, ...read.misshapen.flatMap(shapeProblems)]
    .filter(({ severity }) => severity === 'error')
    .sort(compareDiagnostics)
}

/** The plain values of some fields, in this order; those that are not there are left out. */
function picked(node: MapNode, names: readonly string[]): Written {
  const out: Record<string, unknown> = {}
  for (const name of names) {
    const value = field(node, name)
    if (value) out[name] = plain(value)
  }
  return out
}

/** A field of a small body: what it must be, and what is wrong with a value that is. */
export interface FieldRule {
  readonly kind: 'text' | 'texts' | 'map of texts'
  readonly required?: boolean
  /** Null is legal, and says the same as an empty value. */
  readonly nullable?: boolean
  /** What is wrong with a text; `key` where it is one of a map. */
  readonly fault?: (text: string, key: boolean) => Pick<Wrong, 'message' | 'help'> | undefined
}

/** What a small body says, by its fields. */
export interface SmallBody {
  readonly text: (name: string) => string
  readonly texts: (name: string) => readonly string[]
  readonly map: (name: string) => Readonly<Record<string, string>>
}

const expected: Readonly<Record<FieldRule['kind'], string>> = {
  text: 'a text',
  texts: 'a list of texts',
  'map of texts': 'an object whose values are texts',
}

/** Read a body of a few fields; `own`: those that only the service writes. */
export function readSmallBody(
  tree: Node | undefined,
  rules: Readonly<Record<string, FieldRule>>,
  own: readonly string[] = [],
): ReadBody<SmallBody> {
  const { value: node, refusal } = asObject(tree)
  if (refusal) return { refusal }
  const wrong = [...fieldsWrong(node, own)]
  const required = Object.keys(rules).filter((name) => rules[name]?.required)
  wrong.push(...missing(node, required))
  for (const { key, value } of node.entries) {
    if (own.includes(key.value)) continue
    const rule = Object.hasOwn(rules, key.value) ? rules[key.value] : undefined
    if (!rule) {
      const known = Object.keys(rules).map((name) => `\`${name}\``)
      wrong.push({ span: key, message: `unknown field ${quote(key.value)}`, help: `known fields here: ${known.join(', ')}` })
    } else if (!(rule.nullable && value.kind === 'null')) wrong.push(...valueWrong(rule, value))
  }
  if (wrong.length > 0) return refuseBody(node, wrong)
  const at = (name: string) => field(node, name)
  return {
    value: {
      text: (name) => textOf(at(name)),
      texts: (name) => {
        const list = at(name)
        return list?.kind === 'list' ? list.items.map(textOf) : []
      },
      map: (name) => {
        const map = at(name)
        return Object.fromEntries(map?.kind === 'map' ? map.entries.map(({ key, value }) => [key.value, textOf(value)]) : [])
      },
    },
  }
}

function textOf(node: Node | undefined): string {
  return node?.kind === 'text' ? node.value : ''
}

function valueWrong({ kind, fault }: FieldRule, value: Node): Wrong[] {
  const faultOf = (node: Node, isKey = false): Wrong[] => {
    if (node.kind !== 'text') return [{ span: node, message: 'expected a text' }]
    const found = fault?.(node.value, isKey)
    return found ? [{ span: node, ...found }] : []
  }
  if (kind === 'text' && value.kind === 'text') return faultOf(value)
  if (kind === 'texts' && value.kind === 'list') return value.items.flatMap((item) => faultOf(item))
  if (kind === 'map of texts' && value.kind === 'map')
    return value.entries.flatMap((entry) => [...faultOf(entry.key, true), ...faultOf(entry.value)])
  return [{ span: value, message: `expected ${expected[kind]}` }]
}
