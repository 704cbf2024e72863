import { readAction } from '../actions/action.ts'
import { readAddress } from '../conditions/address.ts'
import { readConditionKey, readTest } from '../conditions/test.ts'
import { instantFault, readInstant } from '../conditions/time.ts'
import { entriesOf, itemsOf, listNode, mapAt, textNodeAt } from '../declared/record.ts'
import type { Code, Diagnostic, Parsed } from '../diagnostic.ts'
import { glob } from '../glob.ts'
import { type Fault, printableFault, type Read, type Settings, visible } from '../names.ts'
import { readFacts } from '../parser/policy.ts'
import { shapeProblems, shapeProblemsBy } from '../parser/shape.ts'
import { schemas } from '../parser/shape-iamtest.js'
import type { Policy } from '../policy.ts'
import type { Reason, Verdict } from '../simulate/decision.ts'
import type { Context } from '../simulate/question.ts'
import { inside, type Located, type Span } from '../source.ts'
import { type Entry, field, type MapNode, type Node, type TextNode } from '../tree.ts'
import { readIdentity, readIdentityGroup } from '../urn/identity.ts'
import { readResource } from '../urn/resource.ts'
import { Zones } from '../zones.ts'
import type { ActionScope, Check, InvariantCheck, SingleCheck, Suite, TableCheck } from './suite.ts'

interface Reading {
  readonly settings: Settings
  readonly zones: Zones
  readonly diagnostics: Diagnostic[]
}

const worldKeys: ReadonlySet<string> = new Set(['account', 'permissionsGroups', 'resourceGroups', 'resources', 'identities'])
const largestTable = 10_000

/** Understand a document of policy tests. `at`: the instant of questions that name none. With any problem, it is not to be run. */
export function readSuite(node: Node, now: number, settings: Settings): Parsed<Suite> {
  const shape = shapeProblemsBy(schemas, 'iamtest', node)
  if (shape.length > 0 || node.kind !== 'map')
    return { value: { policies: undefined, facts: undefined, usual: { groups: [] }, checks: [] }, diagnostics: shape }
  const reading: Reading = { settings, zones: settings.zones ?? new Zones(), diagnostics: [] }
  const usual: Context = { at: now, groups: [] }
  const contextNode = field(node, 'context')
  const context = contextOf(contextNode, usual, reading)
  const { at: _, ...timeless } = context
  const hasTime = contextNode?.kind === 'map' && field(contextNode, 'at') !== undefined
  const policies = field(node, 'policies')
  const checks: Check[] = [
    ...mapsAt(node, 'tests').map((item) => readSingle(item, context, reading)),
    ...(['allow', 'deny'] as const).flatMap((kind) => mapsAt(node, kind).map((item, i) => readTable(kind, item, i, context, reading))),
    ...mapsAt(node, 'invariants').flatMap((item) => readInvariant(item, reading)),
  ]
  if (checks.length === 0 && reading.diagnostics.length === 0) {
    const help = 'a file that tests nothing would pass whatever the policies say: add `tests`, `allow`, `deny` or `invariants`'
    fault(reading, 'shape', node.entries[0]?.key ?? node, 'holds no test', help)
  }
  const facts = factsOf(node, reading)
  return {
    value: {
      policies: policies && textsOf(policies),
      facts,
      usual: hasTime ? context : timeless,
      checks: checks.sort((a, b) => a.span.start - b.span.start),
    },
    diagnostics: reading.diagnostics,
  }
}

function fault(reading: Reading, code: Code, span: Span, message: string, help?: string): void {
  reading.diagnostics.push({ code, severity: 'error', message, span, ...(help !== undefined && { help }) })
}

/** The facts that the document describes, read as a separate world file. */
function factsOf(node: MapNode, reading: Reading) {
  const entries = node.entries.filter(({ key }) => worldKeys.has(key.value))
  if (entries.length === 0) return undefined
  // A document with `policies` is a world; other keys do not matter.
  const read = readFacts([mapAt(node, [...entries, entry(node, 'policies', listNode(node, []))])], reading.settings)
  // The schemas agree with the readers; were they ever not to, nothing may be left out in silence.
  reading.diagnostics.push(...read.diagnostics, ...read.misshapen.flatMap(shapeProblems))
  return read.facts
}

function readSingle(node: MapNode, usual: Context, reading: Reading): SingleCheck {
  const text = (key: string) => located(field(node, key) as TextNode)
  const [identity, action, resource] = [text('identity'), text('action'), text('resource')]
  check(identity, 'identity-urn', readIdentity(identity.value, { pattern: false }), reading)
  check(action, 'action-pattern', readAction(action.value, reading.settings.brand), reading)
  check(resource, 'resource-urn', readResource(resource.value, { pattern: false }), reading)
  const reason = field(node, 'reason')
  const because = field(node, 'because')
  const missing = field(node, 'missing')
  return {
    kind: 'test',
    name: text('name').value,
    span: field(node, 'name') as TextNode,
    asked: { identity, action, resource },
    context: contextOf(node, usual, reading),
    expected: {
      verdict: text('expect').value as Verdict,
      ...(reason && { reason: text('reason').value as Reason }),
      ...(because && { because: textsOf(because).map(({ value }) => value) }),
      ...(missing && { missing: textsOf(missing).map(({ value }) => value) }),
    },
  }
}

function readTable(kind: 'allow' | 'deny', node: MapNode, index: number, usual: Context, reading: Reading): TableCheck {
  const name = field(node, 'name') as TextNode | undefined
  const texts = (key: string) => textsOf(field(node, key))
  const lists = { identities: texts('identities'), actions: texts('actions'), resources: texts('resources') }
  const span = name ?? node.entries[0]?.key ?? node
  const size = lists.identities.length * lists.actions.length * lists.resources.length
  const tooLarge = `this table stands for ${size} questions, more than the ${largestTable} that are asked`
  if (size > largestTable) fault(reading, 'shape', span, tooLarge, 'split it, or use patterns')
  const context = contextOf(node, usual, reading)
  const box = boxOf(node, undefined, reading)
  // A name combined with an account or a group has no single answer: the identity behind a pattern is not known.
  const isOpen = [...lists.actions, ...lists.resources].some(({ value }) => isProved(value))
  for (const { value, span: place } of lists.identities) {
    if (value.includes('*') && context.groups.length > 0)
      fault(
        reading,
        'shape',
        place,
        '`groups` are those of one identity, and this is a pattern',
        'name the identities, or leave `groups` out',
      )
    const unproved = 'an account may do everything on what it owns: nothing can be proved for it over all names'
    if (isOpen && value.includes(':identity:account:')) fault(reading, 'shape', place, unproved, 'name the actions and the resources')
  }
  return { kind, name: name?.value ?? `${kind} ${index + 1}`, span, ...lists, context, over: overOf(node), box }
}

/** Whether an entry of a table matches many names, so that it is proved and not asked. */
export function isProved(text: string): boolean {
  return text.includes('*') || text.includes(':resourceGroup:')
}

const claims = ['never', 'only', 'always'] as const

function readInvariant(node: MapNode, reading: Reading): readonly InvariantCheck[] {
  const name = field(node, 'name') as TextNode
  const [kind, second] = claims.filter((each) => field(node, each) !== undefined)
  if (second !== undefined) {
    const claimNode = node.entries.find(({ key }) => key.value === second)?.key ?? node
    fault(reading, 'shape', claimNode, `\`${kind}\` and \`${second}\` in one invariant`, 'give each a separate invariant')
  }
  const body = kind && field(node, kind)
  if (body?.kind !== 'map') return []
  const box = boxOf(body, everybodyAt(body), reading)
  return [{ kind: kind as (typeof claims)[number], name: name.value, span: name, over: overOf(body), box }]
}

/** The scope of action patterns in a claim. */
export function overOf(node: MapNode): ActionScope {
  const over = field(node, 'over')
  return over?.kind === 'text' && over.value === 'catalogue' ? 'catalogue' : 'all'
}

/**
 * The subject of a claim, as the policy that allows it: `identities` (by default all), `actions`, `resources` and `when`.
 * `outside`: a condition that must not hold, in addition.
 */
export function readBox(body: MapNode, settings: Settings, outside?: Node): Parsed<Policy> {
  const reading: Reading = { settings, zones: settings.zones ?? new Zones(), diagnostics: [] }
  const when = field(body, 'when')
  const not = outside && conditionAt(outside, 'NOT', [outside])
  const conditions = [...(when ? [when] : []), ...(not ? [not] : [])]
  const entries = ['identities', 'actions', 'resources'].flatMap((key) => body.entries.filter((each) => each.key.value === key))
  const [first] = conditions
  const condition = conditions.length > 1 ? conditionAt(body, 'AND', conditions) : first
  const node = mapAt(body, condition ? [...entries, entry(body, 'when', condition)] : entries)
  const box = boxOf(node, everybodyAt(body), reading)
  return { value: box, diagnostics: reading.diagnostics }
}

function conditionAt(span: Span, operator: string, conditions: readonly Node[]): MapNode {
  return mapAt(span, [entry(span, 'operator', textNodeAt(span, operator)), entry(span, 'conditions', listNode(span, conditions))])
}

function everybodyAt(span: Span): Policy['identities'] {
  return [{ value: { text: '*', region: '*', kind: 'user', account: undefined, name: '*', glob: glob('*') }, span }]
}

/** The policy that allows what a table or an invariant is about. `everybody`: its identities where none are given. */
function boxOf(node: MapNode, everybody: Policy['identities'] | undefined, reading: Reading): Policy {
  const wrapped = (key: string, wrapIn?: string) => {
    const items = textNodes(field(node, key)).map((text) => (wrapIn === undefined ? text : mapAt(text, [entry(text, wrapIn, text)])))
    return listNode(node, items)
  }
  const when = field(node, 'when')
  if (when) checkCondition(when, reading)
  const written = mapAt(node, [
    entry(node, 'name', textNodeAt(node, '')),
    entry(node, 'identities', wrapped('identities')),
    entry(node, 'resources', wrapped('resources', 'urn')),
    entry(node, 'permissions', mapAt(node, [entry(node, 'allow', wrapped('actions', 'action'))])),
    ...(when ? [entry(node, 'conditions', when)] : []),
  ])
  const { facts, diagnostics, misshapen } = readFacts([written], reading.settings)
  reading.diagnostics.push(...diagnostics.map(({ policy: _, ...rest }) => rest), ...misshapen.flatMap(shapeProblems))
  const policy = facts.policies[0] as Policy
  return policy.identities.length === 0 && everybody && !field(node, 'identities') ? { ...policy, identities: everybody } : policy
}

/** Reports unreadable parts of a claim's condition: a claim with an open part would prove nothing. */
function checkCondition(root: Node, reading: Reading): void {
  const open = [{ node: root, depth: 1 }]
  for (let here = open.pop(); here; here = open.pop()) {
    const { node, depth } = here
    if (node.kind !== 'map') continue
    const operatorNode = field(node, 'operator') as TextNode
    const operator = operatorNode.value
    const values = entriesOf(field(node, 'values'))
    const children = itemsOf(field(node, 'conditions'))
    if (!['AND', 'OR', 'NOT', 'MATCH'].includes(operator))
      fault(reading, 'condition-shape', operatorNode, `\`${visible(operator)}\` is no operator`, 'write `AND`, `OR`, `NOT` or `MATCH`')
    else if (operator === 'MATCH' && children.length > 0) fault(reading, 'condition-shape', node, 'MATCH has `values`, and no `conditions`')
    else if (operator !== 'MATCH' && values.length > 0)
      fault(reading, 'condition-shape', node, `${operator} has \`conditions\`, and no \`values\``)
    if (depth > 16) fault(reading, 'condition-shape', node, 'more than 16 conditions within one another')
    for (const { key, value } of values) {
      if (value.kind !== 'text') continue
      const subject = readConditionKey(key.value, reading.zones)
      if (!subject.value) check(located(key), 'condition-key', subject, reading)
      else check(located(value), 'condition-value', readTest(subject.value, value.value), reading)
    }
    for (const child of children) open.push({ node: child, depth: depth + 1 })
  }
}

/** The request's facts in an object, over the default ones. */
function contextOf(node: Node | undefined, usual: Context, reading: Reading): Context {
  if (node?.kind !== 'map') return usual
  const written = (key: string) => {
    const value = field(node, key)
    return value?.kind === 'text' ? located(value) : undefined
  }
  const [time, ip, owner] = [written('at'), written('ip'), written('owner')]
  const groups = field(node, 'groups')
  const tags = field(node, 'tags')
  const instant = time && readInstant(time.value)
  if (time && instant === undefined) {
    const { message, help } = instantFault(time.value)
    fault(reading, 'time', time.span, `\`${visible(time.value.slice(0, 100))}\` ${message}`, help)
  }
  const address = ip && readAddress(ip.value)
  if (ip && !address) {
    const message = `\`${visible(ip.value.slice(0, 100))}\` is not an IP address`
    fault(reading, 'address', ip.span, message, 'write it plainly, such as `192.0.2.1` or `2001:db8::1`')
  }
  for (const group of groups ? textsOf(groups) : []) check(group, 'identity-urn', readIdentityGroup(group.value), reading)
  return {
    ...usual,
    ...(instant !== undefined && { at: instant }),
    ...(address && { ip: address }),
    ...(groups && { groups: textsOf(groups).map(({ value }) => value) }),
    ...(tags && {
      tags: new Map(entriesOf(tags).flatMap(({ key, value }) => (value.kind === 'text' ? [[key.value, value.value] as const] : []))),
    }),
    ...(owner && { owner: owner.value }),
  }
}

/** Report the faults of a name, each at the part that is wrong. */
function check(written: Located<string>, code: Code, read: Read<unknown>, reading: Reading): void {
  for (const each of (read.faults ?? []) as readonly Fault[]) {
    const { belongsIn: _, ...rest } = each
    const { message, help } = printableFault(written.value, rest)
    fault(reading, each.stray ? 'stray-character' : code, inside(written, each.from, each.to), message, help)
  }
}

function located(node: TextNode): Located<string> {
  return { value: node.value, span: node }
}

function textNodes(node: Node | undefined): readonly TextNode[] {
  if (node?.kind === 'text') return [node]
  return itemsOf(node).filter((item) => item.kind === 'text')
}

function textsOf(node: Node | undefined): readonly Located<string>[] {
  return textNodes(node).map(located)
}

function mapsAt(node: MapNode, key: string): readonly MapNode[] {
  return itemsOf(field(node, key)).filter((item) => item.kind === 'map')
}

function entry(span: Span, key: string, value: Node): Entry {
  return { key: textNodeAt(span, key), value }
}
