import { printAddress, printRange } from '../conditions/address.ts'
import { operators, printConditionKey, printNumber, type Test, zoneOf } from '../conditions/test.ts'
import { yamlDocuments } from '../convert/yaml.ts'
import { listNode, mapAt, textNodeAt } from '../declared/record.ts'
import type { Condition, PermissionSet, Policy, World } from '../policy.ts'
import type { Decision, Question } from '../simulate/decision.ts'
import { withKnownTags } from '../simulate/question.ts'
import type { Span } from '../source.ts'
import { shellWord } from '../texts.ts'
import type { Entry, MapNode, Node } from '../tree.ts'
import { renamedAddress } from './addresses.ts'
import type { OpenNames, Renaming, Written } from './names.ts'
import type { Draft } from './portrait.ts'

/** A draft under other names, as files. */

/** A question as the options and arguments of `can` give it. */
export interface AskedText {
  readonly identity: string
  readonly action: string
  readonly resource: string
  readonly groups: readonly string[]
  readonly ip?: string
  readonly tags?: ReadonlyMap<string, string>
  readonly owner?: string
  readonly at: string
}

export interface Documents {
  /** The policies, and the facts where there are any: `policies.yaml` and `world.yaml`. */
  readonly policies: string
  readonly world?: string
  /** Both as one document. */
  readonly whole: string
  readonly asked: AskedText
  /** The question for a policy test, whose tags are all of the resource: those in the world are no more added. */
  readonly tested: AskedText
}

/** Nodes of a text that is only written have no place in one. */
const place: Span = { source: { path: '', text: '', notation: 'yaml' }, start: 0, end: 0 }

const text = (value: string): Node => textNodeAt(place, value)
const list = (items: readonly Node[]): Node => listNode(place, items)
/** A map of the values that there are. */
const map = (entries: readonly (readonly [key: string, value: Node | undefined])[]): MapNode =>
  mapAt(
    place,
    entries.flatMap(([key, value]): readonly Entry[] => (value ? [{ key: textNodeAt(place, key), value }] : [])),
  )
const listIfAny = (items: readonly Node[]): Node | undefined => (items.length === 0 ? undefined : list(items))
const urns = (names: readonly string[]): Node => list(names.map((urn) => map([['urn', text(urn)]])))

const yaml = (document: Node): string => yamlDocuments([document], [])

export function documentsOf({ world, question }: Draft, open: OpenNames, renaming: Renaming): Documents {
  const policies: Entry[] = [
    { key: textNodeAt(place, 'policies'), value: list(world.policies.map((each) => policyNode(each, open, renaming))) },
  ]
  const facts = factEntries(world, open, renaming)
  return {
    policies: yaml(mapAt(place, policies)),
    ...(facts.length > 0 && { world: yaml(mapAt(place, facts)) }),
    whole: yaml(mapAt(place, [...policies, ...facts])),
    asked: askedText(question, renaming),
    tested: askedText(withKnownTags(question, world), renaming),
  }
}

function policyNode(policy: Policy, open: OpenNames, renaming: Renaming): Node {
  const { identities, resources, permissions, permissionsGroups, condition, expiresAt, readOnly } = policy
  return map([
    ['name', text(renaming.policy(policy))],
    ['identities', list(identities.map(({ value }) => text(renaming.urn(open.identity(value)))))],
    ['resources', urns(resources.map(({ value }) => renaming.urn(open.resource(value), 'resourceGroup')))],
    ['permissions', permissionsNode(permissions, open, renaming)],
    [
      'permissionsGroups',
      permissionsGroups.length === 0 ? undefined : urns(permissionsGroups.map(({ value }) => renaming.urn(value.text))),
    ],
    ['conditions', condition && conditionNode(condition, renaming)],
    ['expiredAt', expiresAt && text(instantText(renaming.times.expiry(expiresAt.value)))],
    ['readOnly', readOnly ? { ...place, kind: 'boolean', value: true } : undefined],
  ])
}

function permissionsNode(set: PermissionSet, open: OpenNames, { action }: Renaming): Node {
  return map(
    (['allow', 'except', 'deny'] as const).map((key) => [
      key,
      listIfAny(set[key].map(({ value }) => map([['action', text(action(open.action(value)))]]))),
    ]),
  )
}

function conditionNode(condition: Condition, renaming: Renaming): Node {
  if (condition.kind === 'match' || condition.kind === 'opaque') return matchNode([writtenOf(condition, renaming)])
  const { operands } = condition
  const leaves = operands.flatMap((operand) =>
    operand.kind === 'match' || operand.kind === 'opaque' ? [writtenOf(operand, renaming)] : [],
  )
  // Comparisons of different things that must all hold are written as one.
  const isOneMatch = leaves.length > 1 && leaves.length === operands.length && new Set(leaves.map(({ key }) => key)).size === leaves.length
  if (condition.kind === 'and' && isOneMatch) return matchNode(leaves)
  return map([
    ['operator', text(condition.kind.toUpperCase())],
    ['conditions', list(operands.map((operand) => conditionNode(operand, renaming)))],
  ])
}

const matchNode = (comparisons: readonly Written[]): Node =>
  map([
    ['operator', text('MATCH')],
    ['values', map(comparisons.map(({ key, value }) => [key, text(value)] as const))],
  ])

function writtenOf(leaf: Condition & { readonly kind: 'match' | 'opaque' }, renaming: Renaming): Written {
  if (leaf.kind === 'opaque') return renaming.opaque(leaf.text)
  const { subject, operator } = leaf.test
  const named = subject.kind === 'tag' ? { ...subject, parameter: renaming.text(subject.parameter) } : subject
  return { key: printConditionKey({ subject: named, operator }), value: valuesOf(leaf.test, renaming).join(',') }
}

function valuesOf(test: Test, { text, range, times }: Renaming): readonly string[] {
  const { operator, set } = test
  switch (set.kind) {
    case 'strings':
      return set.values.map(text)
    case 'addresses':
      return set.named
        .map(range)
        .map((each) => (operators[operator].isRange ? printRange(each) : printAddress({ family: each.family, value: each.first })))
    case 'numbers':
      return set.named.map((number) => printNumber(set.part, set.part === 'date' ? times.date(zoneOf(test), number) : number))
    default:
      return set satisfies never
  }
}

function factEntries(world: World, open: OpenNames, renaming: Renaming): readonly Entry[] {
  const { text: renamed, urn } = renaming
  const groups = [...world.permissionsGroups].map(([name, { permissions }]) =>
    map([
      ['urn', text(urn(name))],
      ['permissions', permissionsNode(permissions, open, renaming)],
    ]),
  )
  const resourceGroups = [...world.resourceGroups].map(([name, { members, complete }]) => {
    const items = Array.from(members, (member) => map([['urn', text(urn(member))]]))
    // A member of which only an id is known, which nothing describes.
    if (!complete) items.push(map([['id', text('unknown')]]))
    // The region of a group that only its id names is not known.
    const head = 'urn:v1:*:resourceGroup:'
    return map([
      name.startsWith(head) ? ['id', text(renamed(name.slice(head.length)))] : ['urn', text(urn(name, 'resourceGroup'))],
      ['resources', list(items)],
    ])
  })
  const resources = [...world.resources].map(([name, { owner, tags }]) =>
    map([
      ['urn', text(urn(name))],
      ['owner', owner === undefined ? undefined : text(renamed(owner))],
      ['tags', tags && map(Array.from(tags, ([key, value]) => [renamed(key), text(renamed(value))] as const))],
    ]),
  )
  const identities = [...world.identities].map(([name, { groups: own }]) =>
    map([
      ['urn', text(urn(name))],
      ['groups', list(own.map((group) => text(urn(group))))],
    ]),
  )
  return map([
    ['account', world.account === undefined ? undefined : text(renamed(world.account))],
    ['permissionsGroups', listIfAny(groups)],
    ['resourceGroups', listIfAny(resourceGroups)],
    ['resources', listIfAny(resources)],
    ['identities', listIfAny(identities)],
  ]).entries
}

function askedText(question: Question, { text, urn, action, range, times }: Renaming): AskedText {
  const { identity, resource, groups, ip, tags, owner } = question
  return {
    identity: urn(identity),
    action: action(question.action),
    resource: urn(resource),
    groups: groups.map((group) => urn(group)),
    ...(ip && { ip: printAddress(renamedAddress(ip, range)) }),
    ...(tags && { tags: new Map(Array.from(tags, ([key, value]) => [text(key), text(value)])) }),
    ...(owner !== undefined && { owner: text(owner) }),
    at: instantText(times.at),
  }
}

const instantText = (instant: number): string => new Date(instant).toISOString().replace('.000Z', 'Z')

/** The command line that asks the question. `policies`: the paths of the policies. */
export function commandLine(asked: AskedText, policies: readonly string[]): string {
  const { identity, action, resource, groups, ip, tags, owner, at } = asked
  const option = (name: string, values: readonly (string | undefined)[]) =>
    values.flatMap((value) => (value === undefined ? [] : [name, value]))
  const words = [
    ...['grantwise', 'can', identity, action, resource],
    ...option('-p', policies),
    ...option('--group', groups),
    ...option('--ip', [ip]),
    ...option(
      '--tag',
      Array.from(tags ?? [], ([key, value]) => `${key}=${value}`),
    ),
    ...option('--owner', [owner]),
    ...option('--at', [at]),
    '--no-config',
  ]
  return words.map(shellWord).join(' ')
}

/** A policy test of the question, which passes where it is answered as here. `policies`: the paths of the policies, from the test. */
export function testText(
  asked: AskedText,
  decision: Decision,
  facts: readonly string[],
  because: readonly string[],
  policies: readonly string[],
): string {
  const { identity, action, resource, groups, ip, tags, owner, at } = asked
  const texts = (values: readonly string[]): Node => list(values.map(text))
  const test = map([
    ['name', text('reproduction')],
    ['identity', text(identity)],
    ['action', text(action)],
    ['resource', text(resource)],
    ['groups', groups.length === 0 ? undefined : texts(groups)],
    ['ip', ip === undefined ? undefined : text(ip)],
    ['tags', tags && map(Array.from(tags, ([key, value]) => [key, text(value)] as const))],
    ['owner', owner === undefined ? undefined : text(owner)],
    ['at', text(at)],
    ['expect', text(decision.verdict)],
    ['reason', text(decision.reason)],
    ['because', texts(because)],
    ['missing', texts(facts)],
  ])
  return yaml(
    map([
      ['policies', texts(policies)],
      ['tests', list([test])],
    ]),
  )
}
