import { readActionPattern } from '../actions/action.ts'
import type { ReaderCode } from '../codes.ts'
import { madeIn } from '../collections.ts'
import { comparisonName, readConditionKey, readTest } from '../conditions/test.ts'
import { instantFault, readInstant } from '../conditions/time.ts'
import { type Diagnostic, isInSyntaxError } from '../diagnostic.ts'
import { type Glob, glob } from '../glob.ts'
import { type HiddenPolicy, isReview, policyIn } from '../hidden.ts'
import { type Fault, printableFault, type Read, type Settings, visible } from '../names.ts'
import type {
  Condition,
  CredentialRequest,
  ListName,
  Membership,
  OpenEntry,
  OpenFact,
  PermissionSet,
  PermissionsGroup,
  Policy,
  Resource,
} from '../policy.ts'
import { inside, type Located, type Span } from '../source.ts'
import { replaceText, withFix } from '../texts.ts'
import {
  field,
  type ListNode,
  type MapNode,
  type Node,
  plainValue,
  symbolOf,
  type TextNode,
  type UnknownNode,
  unknownsIn,
} from '../tree.ts'
import { type IdentityUrn, readIdentity, readIdentityGroup } from '../urn/identity.ts'
import {
  type PermissionsGroupUrn,
  type ResourceGroupUrn,
  type ResourceUrn,
  readPermissionsGroup,
  readResource,
  readResourceGroup,
  readResourcePattern,
} from '../urn/resource.ts'
import { Zones } from '../zones.ts'
import { isCredential, readCredential } from './credential.ts'
import { foreignPolicyIn } from './foreign.ts'
import { shapeErrorAt, shortened } from './reading.ts'
import type { ShapeMismatch } from './shape.ts'

/** A resource group as written, before ids are tied to the world. */
export interface ResourceGroupFact {
  readonly urn: Located<string>
  readonly name?: string
  readonly members: readonly string[]
  /** Of the members that are named by their ids alone. */
  readonly ids: readonly string[]
  /** False when there is a member that nothing names. */
  readonly complete: boolean
  /** The symbols of the members that are not known, in order. */
  readonly open?: readonly string[]
  readonly span: Span
}

export interface IdentityFact {
  readonly urn: Located<string>
  readonly groups: readonly string[]
  /** Its groups are not given: another description may give them. */
  readonly hasNoList?: true
  /** See `Identity`. */
  readonly places?: ReadonlyMap<string, Span>
  readonly span: Span
}

export interface ResourceFact extends Resource {
  /** The id that the service knows it by. */
  readonly id?: string
  readonly span: Span
}

/** The facts of one source. Many of them make a world. */
export interface Facts {
  readonly policies: readonly Policy[]
  readonly permissionsGroups: readonly PermissionsGroup[]
  readonly resourceGroups: readonly ResourceGroupFact[]
  readonly resources: readonly ResourceFact[]
  readonly identities: readonly IdentityFact[]
  readonly accounts: readonly Located<string>[]
  readonly credentials?: readonly CredentialRequest[]
  /** Users and the groups that they are in, as configurations make them. */
  readonly memberships?: readonly Membership[]
  /** Makes plain facts of memberships, where there may be some: see `settled` in `memberships.ts`. */
  readonly settle?: Settle
}

/** Some sources with the facts that follow from `all` that is compared. */
export type Settle = (parts: readonly Facts[], all: readonly Facts[]) => readonly Facts[]

export interface ReadFacts {
  readonly facts: Facts
  /** Names, patterns and dates that cannot be understood. */
  readonly diagnostics: readonly Diagnostic[]
  /** Parts of the wrong shape: `shapeProblems` explains each. Never empty when something was left out for its shape. */
  readonly misshapen: readonly ShapeMismatch[]
}

/** The deepest nesting of conditions that is read; deeper ones are not understood. */
export const deepestCondition = 16

/** How the names of a list are read, with those that were read before. */
interface Names<T> {
  readonly code: ReaderCode
  readonly read: (text: string, settings: Settings) => Read<T>
  readonly readBefore: Map<string, T>
}

/** The state of reading documents: the facts found, and the state of the current record. */
interface Reading {
  readonly settings: Settings
  readonly zones: Zones
  /** Problems of the notation: the entries there are guesses, and left out. */
  readonly broken: readonly Diagnostic[]
  readonly early: EarlyPolicies | undefined
  readonly facts: { readonly [Part in Exclude<keyof Facts, 'memberships' | 'settle'>]-?: NonNullable<Facts[Part]>[number][] }
  readonly diagnostics: Diagnostic[]
  readonly misshapen: ShapeMismatch[]
  readonly actions: Names<Glob>
  readonly identities: Names<IdentityUrn>
  readonly resources: Names<ResourceUrn | ResourceGroupUrn>
  bad: boolean
  policy: string | undefined
  /** Whether the record holds something that is not known. */
  isOpen: boolean
}

const policyFields: ReadonlySet<string> = new Set(
  '$schema name description identities resources permissions permissionsGroups conditions expiredAt id owner readOnly createdAt updatedAt'.split(
    ' ',
  ),
)
const resourceFields: ReadonlySet<string> = new Set('urn id resource group'.split(' '))
const actionFields: ReadonlySet<string> = new Set(['action'])
const groupNameFields: ReadonlySet<string> = new Set('urn name owner permissions'.split(' '))
const listFields: ReadonlySet<string> = new Set(['allow', 'except', 'deny'])
const conditionFields: ReadonlySet<string> = new Set('operator conditions values'.split(' '))
const worldFields: ReadonlySet<string> = new Set(
  '$schema account policies permissionsGroups resourceGroups resources identities'.split(' '),
)
const permissionsGroupFields: ReadonlySet<string> = new Set(
  'urn name description permissions id owner readOnly createdAt updatedAt'.split(' '),
)
const resourceGroupFields: ReadonlySet<string> = new Set('urn id name resources owner readOnly createdAt updatedAt'.split(' '))
const inventoryFields: ReadonlySet<string> = new Set('urn id name displayName type owner owners tags'.split(' '))
const identityFields: ReadonlySet<string> = new Set(['urn', 'groups'])

/** The part of a world that a listing is, by the word in the URNs of its items. */
const listings: Readonly<Record<string, 'permissionsGroups' | 'resourceGroups' | 'resources'>> = {
  permissionsGroup: 'permissionsGroups',
  resourceGroup: 'resourceGroups',
  resource: 'resources',
}

/**
 * Of what a document is a list, as the service answers with one: permissions groups, resource groups or resources, each of
 * which says its own URN; one such thing alone is a list of one. Undefined where it is none. Of resources no more may be
 * given than the service gives: many files hold objects with the URN of something.
 */
export function listingOf(document: Node): 'permissionsGroups' | 'resourceGroups' | 'resources' | undefined {
  const items = document.kind === 'list' ? document.items : [document]
  let kind: ReturnType<typeof listingOf>
  for (const item of items) {
    if (item.kind !== 'map' || field(item, 'identities')) return undefined
    const urn = field(item, 'urn')
    const word = urn?.kind === 'text' && urn.value.startsWith('urn:') ? urn.value.split(':', 4)[3] : undefined
    const ownListing = word !== undefined && Object.hasOwn(listings, word) ? listings[word] : undefined
    kind ??= ownListing
    if (kind === 'resources' && (ownListing !== kind || !item.entries.every(({ key }) => inventoryFields.has(key.value)))) return undefined
  }
  if (kind === undefined || kind === 'resources') return kind
  // A name alone describes nothing.
  const holds = kind === 'resourceGroups' ? 'resources' : 'permissions'
  return items.some((item) => item.kind === 'map' && field(item, holds)) ? kind : undefined
}

/**
 * Whether a document is the body of a call that makes a permissions group or a resource group: a name, and what the group holds.
 * The service gives it its URN, so that nothing is known of who uses it; and it is no policy that lacks its other fields.
 */
export function groupBodyOf(document: Node): 'permissions' | 'resources' | undefined {
  const name = document.kind === 'map' ? field(document, 'name') : undefined
  // A name that is assumed in place of an unknown one is in a record that is known to be a policy.
  const isWritten =
    name?.kind === 'text' &&
    (name.value === '' || !name.source.text.startsWith('${', name.start + (name.source.text[name.start] === '"' ? 1 : 0)))
  if (document.kind !== 'map' || !isWritten) return undefined
  const keys = document.entries.map(({ key }) => key.value)
  const only = (own: string) => keys.includes(own) && keys.every((key) => key === own || bodyFields.has(key))
  if (only('permissions') && field(document, 'permissions')?.kind === 'map') return 'permissions'
  return only('resources') && field(document, 'resources')?.kind === 'list' ? 'resources' : undefined
}

const bodyFields: ReadonlySet<string> = new Set(['$schema', 'name', 'description'])

/** A list of things as the world that it is a part of. */
export function worldOfListing(document: Node, kind: string): MapNode {
  const { source, start, end } = document
  const value: Node = document.kind === 'list' ? document : { kind: 'list', source, start, end, items: [document] }
  return { kind: 'map', source, start, end, entries: [{ key: { kind: 'text', source, start, end: start, value: kind }, value }] }
}

/** The kind of a document, judged by its keys: a policy, a list of policies, a world or a part of one, or undefined. */
export function kindOf(document: Node): 'policy' | 'policies' | 'world' | 'listing' | undefined {
  if (listingOf(document)) return 'listing'
  if (groupBodyOf(document)) return undefined
  if (document.kind === 'list')
    return document.items.length === 0 || document.items.some((item) => kindOf(item) === 'policy') ? 'policies' : undefined
  if (document.kind !== 'map') return undefined
  const has = (key: string) => field(document, key) !== undefined
  const items = (key: string) => {
    const node = field(document, key)
    return node?.kind === 'list' ? node.items : []
  }
  const describes = (item: Node) => item.kind === 'map' && field(item, 'urn') !== undefined
  const namesIdentities = items('identities').some((item) => item.kind === 'text')
  const isWorld = field(document, 'policies')?.kind === 'list' || field(document, 'resourceGroups')?.kind === 'list'
  if (isWorld && !isOfOthers(document)) return 'world'
  if (!namesIdentities && document.entries.every((entry) => worldFields.has(entry.key.value))) {
    if ([...items('permissionsGroups'), ...items('resources'), ...items('identities')].some(describes)) return 'world'
    if (field(document, 'account')?.kind === 'text') return 'world'
  }
  const permissions = field(document, 'permissions')
  const mentionsPermissions = permissions?.kind === 'map' && permissions.entries.some((entry) => listFields.has(entry.key.value))
  const mentionsIdentities = has('identities') && ['resources', 'permissions', 'permissionsGroups', 'name'].some(has)
  const mentionsResources = items('resources').some(describes) && ['name', 'permissions', 'permissionsGroups'].some(has)
  return mentionsPermissions || mentionsIdentities || mentionsResources ? 'policy' : undefined
}

/**
 * Whether `policies` of a document is a key of another program, as in the settings of a tool that labels changes: it is next to keys
 * that no world has, nothing in it has a field of a policy, and no word of access is anywhere in the document.
 */
function isOfOthers(document: MapNode): boolean {
  const list = field(document, 'policies')
  if (list?.kind !== 'list' || list.items.length === 0) return false
  if (document.entries.length === 1 || document.entries.some(({ key }) => key.value !== 'policies' && worldFields.has(key.value)))
    return false
  const hasField = (item: Node) => item.kind === 'map' && item.entries.some(({ key }) => policyFields.has(key.value))
  return !list.items.some(hasField) && !hasAccessWords(document)
}

function hasAccessWords(document: Node): boolean {
  const open = [document]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.kind === 'text' && /urn:|:apisvc:/i.test(node.value)) return true
    if (node.kind === 'list') open.push(...node.items)
    if (node.kind === 'map') for (const { key, value } of node.entries) open.push(key, value)
  }
  return false
}

/** Whether a document is one that is linted, such as policies: files without one are skipped when a folder is searched. */
export function holdsPolicies(document: Node): boolean {
  if (isCredential(document)) return true
  return kindOf(document) !== undefined && !(document.kind === 'list' && document.items.length === 0)
}

/**
 * Whether a document that holds no policies looks as if it were meant to: a key of ours in another case or over the wrong
 * kind of value, or policies one level too deep. Such a file is not passed over: it may hold the deny.
 */
export function resemblesPolicies(document: Node): boolean {
  const inner = document.kind === 'map' ? document.entries.map(({ value }) => value) : document.kind === 'list' ? document.items : []
  if (inner.some((node) => kindOf(node) === 'policy' || (node.kind === 'list' && node.items.some((item) => kindOf(item) === 'policy')))) {
    return true
  }
  if (document.kind !== 'map') return false
  return document.entries.filter(({ key }) => ours.has(key.value.toLowerCase())).length >= Math.min(2, document.entries.length)
}

const ours: ReadonlySet<string> = new Set(['policies', 'identities', 'resources', 'permissions', 'permissionsgroups', 'resourcegroups'])

/**
 * Read documents to facts. Returns what was understood and what was not; never throws (docs/semantics.md, Records).
 * `broken`: what is wrong with their notation. `early`: policies of theirs that were read before.
 */
export function readFacts(
  documents: readonly Node[],
  settings: Settings,
  broken: readonly Diagnostic[] = [],
  early?: EarlyPolicies,
): ReadFacts {
  const reading = readingFor(settings, broken, early)
  for (const document of documents) readDocument(document, reading)
  const { facts, diagnostics, misshapen } = reading
  return { facts, diagnostics, misshapen }
}

function readingFor(settings: Settings, broken: readonly Diagnostic[], early?: EarlyPolicies): Reading {
  return {
    settings,
    zones: settings.zones ?? new Zones(),
    broken,
    early,
    facts: { policies: [], permissionsGroups: [], resourceGroups: [], resources: [], identities: [], accounts: [], credentials: [] },
    diagnostics: [],
    misshapen: [],
    actions: namesOf('action-pattern', readAction, settings),
    identities: namesOf('identity-urn', readIdentityPattern, settings),
    resources: namesOf('resource-urn', readResourcePattern, settings),
    bad: false,
    policy: undefined,
    isOpen: false,
  }
}

function namesOf<T>(code: ReaderCode, read: Names<T>['read'], { namesRead = new Map() }: Settings): Names<T> {
  return { code, read, readBefore: madeIn(namesRead, code, () => new Map()) as Map<string, T> }
}

/**
 * Policies that are read while the rest of their text is not: what their trees hold can then be released one by one. A tree of a large file
 * takes several times the memory of what it says. Only policies with which nothing is wrong, and that say nothing of anything else.
 */
export class EarlyPolicies {
  private readonly settings: Settings
  /** Made for the first of them: most files hold a policy that is no item of a list. */
  private reading: Reading | undefined
  private readonly policies = new Map<Node, Policy>()

  constructor(settings: Settings) {
    this.settings = settings
  }

  /** Reads a policy. Whether it was one of those, of which the tree is not needed any more. */
  take(node: MapNode): boolean {
    if (!field(node, 'identities')) return false
    this.reading ??= readingFor(this.settings, [])
    const { reading } = this
    const { facts, diagnostics } = reading
    const policy = readPolicy(node, reading)
    const isClean =
      !reading.bad && !reading.isOpen && diagnostics.length === 0 && facts.resources.length === 0 && facts.permissionsGroups.length === 0
    if (isClean) this.policies.set(node, policy)
    else {
      reading.bad = false
      for (const list of [diagnostics, facts.resources, facts.permissionsGroups]) list.length = 0
    }
    return isClean
  }

  /** The policy that was read of a node. */
  of(node: Node): Policy | undefined {
    return this.policies.get(node)
  }
}

function readDocument(document: Node, reading: Reading): void {
  const kind = kindOf(document)
  if (kind === 'policies') for (const item of (document as ListNode).items) addPolicy(item, reading)
  else if (kind === 'policy') addPolicy(document, reading)
  else if (kind === 'world') readWorldDocument(document as MapNode, reading)
  else if (kind === 'listing') readWorldDocument(worldOfListing(document, listingOf(document) as string), reading)
  else if (isCredential(document)) {
    const { request, diagnostics } = readCredential(document)
    reading.facts.credentials.push(request)
    reading.diagnostics.push(...diagnostics)
  } else reading.diagnostics.push(noPolicy(document))
}

function addPolicy(node: Node, reading: Reading): void {
  const early = reading.early?.of(node)
  if (early) {
    reading.facts.policies.push(early)
    return
  }
  const before = reading.bad
  reading.bad = false
  if (node.kind === 'map') reading.facts.policies.push(readPolicy(node, reading))
  else reading.bad = true
  reading.policy = undefined
  if (reading.bad) reading.misshapen.push({ shape: 'policy', node })
  reading.bad = before
}

function readWorldDocument(node: MapNode, reading: Reading): void {
  const { facts, misshapen } = reading
  reading.bad = false
  known(node, worldFields, reading)
  optionalText(node, '$schema', reading, false)
  const account = optionalText(node, 'account', reading, false)
  if (account) facts.accounts.push(account)
  addEach(node, 'permissionsGroups', facts.permissionsGroups, readPermissionsGroupFact, reading)
  addEach(node, 'resourceGroups', facts.resourceGroups, readResourceGroupFact, reading)
  addEach(node, 'resources', facts.resources, readResourceFact, reading)
  addEach(node, 'identities', facts.identities, readIdentityFact, reading)
  const before = misshapen.length
  for (const item of listAt(node, 'policies', reading)) addPolicy(item, reading)
  // The whole document is explained by one problem, by the schema of a world.
  if (reading.bad) misshapen.splice(before, Number.POSITIVE_INFINITY, { shape: 'world', node })
  reading.bad = false
}

function addEach<T>(
  node: MapNode,
  key: string,
  list: T[],
  read: (node: MapNode, reading: Reading) => T | undefined,
  reading: Reading,
): void {
  for (const item of listAt(node, key, reading)) {
    const fact = item.kind === 'map' ? read(item, reading) : undefined
    if (item.kind !== 'map') reading.bad = true
    if (fact) list.push(fact)
  }
}

/** A policy in a document that holds none where one is read. */
export function hiddenIn(document: Node): HiddenPolicy | undefined {
  return kindOf(document) === undefined && !isCredential(document) && !isReview(document) ? policyIn(document) : undefined
}

/** That a policy is in a place where none is read. */
export function hiddenPolicy({ node, path }: HiddenPolicy): Diagnostic {
  const place = path.length === 0 ? '' : ` under \`${visible(path.join('.').slice(0, 100))}\``
  const { start } = node
  const end = node.kind === 'map' && node.entries[0] ? node.entries[0].key.end : Math.min(node.end, start + 1)
  return shapeErrorAt(
    { ...node, start: node.kind === 'map' ? (node.entries[0]?.key.start ?? start) : start, end },
    `a policy${place}, where none is read: what it allows and denies is not known here, and another program may apply it`,
    'write it as a file of its own, or under `policies`; where it is no policy in force, limit `policies` of the configuration to other folders',
  )
}

function noPolicy(document: Node): Diagnostic {
  const hidden = hiddenIn(document)
  if (hidden && (hidden.path.length > 1 || hidden.node.kind === 'text')) return hiddenPolicy(hidden)
  const foreign = foreignPolicyIn(document)
  if (foreign)
    return shapeErrorAt(
      foreign.keys[0] as TextNode,
      `no policy here: this looks like ${foreign.what}, with ${foreign.keys.map(({ value }) => `\`${value}\``).join(' and ')}`,
      'such a file means nothing to this service: leave it out, or write the policy with `name`, `identities`, `resources` and `permissions`',
    )
  const span = document.kind === 'map' ? (document.entries[0]?.key ?? document) : document
  return shapeErrorAt(
    span,
    'no policy here',
    'a policy has `name`, `identities`, `resources` and `permissions`; a world has `policies`, `permissionsGroups`, `resourceGroups`, `resources` or `identities`',
  )
}

function readPolicy(node: MapNode, reading: Reading): Policy {
  reading.isOpen = false
  known(node, policyFields, reading)
  const name = requiredText(node, 'name', reading) ?? nameless(node)
  reading.policy = name.value
  const description = optionalText(node, 'description', reading)
  if (!field(node, 'identities') || !field(node, 'resources') || !(field(node, 'permissions') || field(node, 'permissionsGroups')))
    reading.bad = true
  const identities = namedIn(listAt(node, 'identities', reading, false), text, reading, reading.identities)
  const resources = namedIn(listAt(node, 'resources', reading, false), resourceText, reading, reading.resources)
  for (const item of listAt(node, 'resources', reading, false)) readExpansion(item, reading)
  const permissionsGroups = listAt(node, 'permissionsGroups', reading).flatMap((item) => {
    const urn = located(textField(item, 'urn', groupNameFields, reading))
    const names = named(urn, reading, 'permissions-group-urn', readPermissionsGroup)
    if (item.kind === 'map' && item.entries.length > 1) readExpandedGroup(item, names[0], reading)
    return names
  })
  const permissions = readPermissions(field(node, 'permissions'), reading)
  const conditions = field(node, 'conditions')
  const condition = conditions && conditions.kind !== 'null' ? readCondition(conditions, reading, 1) : undefined
  const expiresAt = readExpiry(node, reading)
  const owner = optionalText(node, 'owner', reading, false)
  const readOnly = field(node, 'readOnly')
  if (readOnly && readOnly.kind !== 'boolean' && !isUnknown(readOnly, reading)) reading.bad = true
  for (const key of ['id', 'createdAt', '$schema']) optionalText(node, key, reading, false)
  optionalText(node, 'updatedAt', reading)
  const policy: Policy = {
    name,
    ...(description && { description }),
    identities,
    resources,
    permissions,
    permissionsGroups,
    ...(condition && { condition }),
    ...(expiresAt && { expiresAt }),
    readOnly: readOnly?.kind === 'boolean' && readOnly.value,
    ...(owner && { owner: owner.value }),
    span: node,
    node,
    ...(node.address !== undefined && { address: node.address }),
    ...(node.account && { account: openFact(node.account) }),
  }
  return reading.isOpen || node.perhaps ? withOpen(policy, node) : policy
}

function readExpiry(node: MapNode, reading: Reading): Policy['expiresAt'] {
  const written = optionalText(node, 'expiredAt', reading)
  const instant = written && readInstant(written.value)
  if (!written || instant !== undefined) return written && { value: instant as number, span: written.span }
  const { message, help, meant } = instantFault(written.value)
  reading.diagnostics.push({
    code: 'expiry-date',
    severity: 'error',
    message: `\`${visible(shortened(written.value))}\` ${message}`,
    span: written.span,
    help,
    ...(reading.policy && { policy: reading.policy }),
    ...(meant && withFix(`write \`${visible(meant.text)}\``, meant.isCertain, [replaceText(written.span, meant.text)])),
  })
  return undefined
}

/** The name of a record that has none, or none that is known. */
function nameless(node: MapNode): Located<string> {
  const written = field(node, 'name')
  return written?.kind === 'unknown' ? { value: written.expression, span: written } : { value: '', span: node }
}

/** A policy with what is not known of it. */
function withOpen(policy: Policy, node: MapNode): Policy {
  const resources = unknownsAt(node, 'resources', 'urn')
  const expiry = field(node, 'expiredAt')
  const perhaps = [...(node.perhaps ?? []), ...(expiry?.kind === 'unknown' ? [expiry] : [])]
  return {
    ...policy,
    resources: [...policy.resources, ...resources.flatMap((each) => (each.isName ? [groupNamed(each)] : []))],
    permissionsGroups: [
      ...policy.permissionsGroups,
      ...unknownsAt(node, 'permissionsGroups', 'urn').map((each) => ({ value: permissionsGroupNamed(each), span: each })),
    ],
    open: [
      ...unknownsAt(node, 'identities').map((each) => openEntry('identities', each)),
      ...resources.flatMap((each) => (each.isName ? [] : [openEntry('resources', each)])),
      ...openPermissions(field(node, 'permissions')),
    ],
    ...(perhaps.length > 0 && { perhaps: perhaps.map(openFact) }),
    ...(node.unread && { unread: openFact(node.unread) }),
  }
}

/** The unknown values in a list: the list itself, an item of it, or the string under `key` in an item. */
function unknownsAt(node: MapNode, list: string, key?: string): readonly UnknownNode[] {
  const value = field(node, list)
  const items = value?.kind === 'list' ? value.items : value ? [value] : []
  return items.flatMap((item) => {
    const written = item.kind === 'map' && key !== undefined ? field(item, key) : item
    return written?.kind === 'unknown' ? [written] : []
  })
}

const permissionLists = ['allow', 'except', 'deny'] as const

function openPermissions(node: Node | undefined): readonly OpenEntry[] {
  if (node?.kind === 'unknown') return [openEntry('allow', node), openEntry('deny', node)]
  if (node?.kind !== 'map') return []
  return permissionLists.flatMap((list) => unknownsAt(node, list, 'action').map((each) => openEntry(list, each)))
}

function openEntry(list: OpenEntry['list'], node: UnknownNode): OpenEntry {
  const isOwn = list === 'identities' && node.shape !== undefined
  return { list, bound: glob((node.shape ?? node.pieces).join('*')), ...(isOwn && { isOwn }), ...openFact(node) }
}

/** An unknown value as the fact that it is. */
export function openFact(node: UnknownNode): OpenFact {
  return { fact: node.expression, scope: node.scope, ...(node.id !== undefined && { id: node.id }), span: node }
}

function groupNamed(node: UnknownNode): Located<ResourceGroupUrn> {
  const text = unknownName(node)
  return { value: { kind: 'group', text, region: '', id: text, glob: { text, pieces: [text] } }, span: node }
}

function permissionsGroupNamed(node: UnknownNode): PermissionsGroupUrn {
  const text = unknownName(node)
  return { text, region: '', owner: '', name: text }
}

/** The key of a group whose name is not known yet: two different names never have the same key. */
function unknownName({ id, expression }: UnknownNode): string {
  return id ?? expression
}

/** The details that the service adds to an entry of `resources` when it lists policies: its facts of the resource. */
function readExpansion(item: Node, reading: Reading) {
  if (item.kind !== 'map') return
  for (const { key, value } of item.entries) {
    if ((key.value === 'resource' || key.value === 'group') && value.kind !== 'map' && value.kind !== 'null') reading.bad = true
    if (key.value === 'id' && value.kind !== 'text') reading.bad = true
  }
  const described = field(item, 'resource')
  const urn = field(item, 'urn')
  if (described?.kind === 'map') readMention(described, urn?.kind === 'text' ? urn : undefined, reading)
}

/** Facts of a resource in a policy or group that names it; none of a pattern. */
function readMention(node: MapNode, urn: TextNode | undefined, reading: Reading) {
  for (const key of ['id', 'name', 'displayName', 'type']) optionalText(node, key, reading)
  const owner = optionalText(node, 'owner', reading)
  const id = optionalText(node, 'id', reading)
  const tags = tagsOf(node, reading)
  const value = urn && readOneResource(urn.value).value
  if (!value) return
  reading.facts.resources.push({
    urn: { value: value.text, span: urn },
    ...(owner && { owner: owner.value }),
    ...(id && { id: id.value }),
    ...(tags && { tags }),
    mentioned: true,
    span: node,
  })
}

/** The service's description of a permissions group where a policy names it; lists that are all null say nothing. */
function readExpandedGroup(node: MapNode, urn: Located<PermissionsGroupUrn> | undefined, reading: Reading) {
  const name = optionalText(node, 'name', reading)
  optionalText(node, 'owner', reading)
  const written = field(node, 'permissions')
  const wasOpen = reading.isOpen
  const permissions = readPermissions(written, reading)
  const isGiven = written?.kind === 'map' && permissionLists.some((list) => field(written, list)?.kind === 'list')
  if (!urn || !isGiven || reading.isOpen !== wasOpen) return
  reading.facts.permissionsGroups.push({ urn, name: name?.value ?? urn.value.name, permissions, span: node, node })
}

function readPermissions(node: Node | undefined, reading: Reading): PermissionSet {
  if (!node || node.kind === 'null' || isUnknown(node, reading)) return { allow: [], except: [], deny: [] }
  if (node.kind !== 'map') {
    reading.bad = true
    return { allow: [], except: [], deny: [] }
  }
  known(node, listFields, reading)
  return {
    allow: readActions(node, 'allow', reading),
    except: readActions(node, 'except', reading),
    deny: readActions(node, 'deny', reading),
  }
}

function readActions(node: MapNode, list: ListName, reading: Reading): readonly Located<Glob>[] {
  return namedIn(listAt(node, list, reading), actionText, reading, reading.actions)
}

function readIdentityPattern(urn: string): Read<IdentityUrn> {
  return readIdentity(urn, { pattern: true })
}

function resourceText(item: Node, reading: Reading): TextNode | undefined {
  return textField(item, 'urn', resourceFields, reading)
}

function actionText(item: Node, reading: Reading): TextNode | undefined {
  return textField(item, 'action', actionFields, reading)
}

function readAction(action: string, { brand }: Settings): Read<Glob> {
  return readActionPattern(action, brand)
}

const combinations: Readonly<Record<string, 'and' | 'or' | 'not'>> = { AND: 'and', OR: 'or', NOT: 'not' }

function readCondition(node: Node, reading: Reading, depth: number): Condition {
  if (isUnknown(node, reading)) return openCondition(node.expression, node, node)
  const opaque = (): Condition => ({ kind: 'opaque', text: `condition:${JSON.stringify(plainValue(node))}`, span: node })
  if (node.kind !== 'map') {
    reading.bad = true
    return opaque()
  }
  known(node, conditionFields, reading)
  const operator = requiredText(node, 'operator', reading)
  const children = listAt(node, 'conditions', reading)
  const values = mapAt(node, 'values', reading)
  for (const { value } of values) if (value.kind !== 'text' && !isUnknown(value, reading)) reading.bad = true
  const operands = children.map((child) => readCondition(child, reading, depth + 1))
  const part = ['conditions', 'values'].map((key) => field(node, key)).find((each) => each?.kind === 'unknown')
  if (part?.kind === 'unknown')
    return openCondition(
      `condition:${JSON.stringify(plainValue(node))}`,
      { scope: part.scope, id: unknownsIn([node]).map(symbolOf).join(' ') },
      node,
    )
  if (!operator || depth > deepestCondition) return opaque()
  if (operator.value === 'MATCH' && children.length === 0) {
    const matches = values.flatMap(({ key, value }) =>
      value.kind === 'text' ? [readMatch(key, value, reading)] : value.kind === 'unknown' ? [openMatch(key, value)] : [],
    )
    return matches.length === 1 ? (matches[0] as Condition) : { kind: 'and', operands: matches, span: node }
  }
  const kind = Object.hasOwn(combinations, operator.value) ? combinations[operator.value] : undefined
  return kind && values.length === 0 ? { kind, operands, span: node } : opaque()
}

function readMatch(key: TextNode, value: TextNode, { zones }: Reading): Condition {
  const read = readConditionKey(key.value, zones)
  const test = read.value && readTest(read.value, value.value).value
  const span = { source: key.source, start: key.start, end: value.end }
  if (!test) return { kind: 'opaque', text: comparisonName(key.value, value.value), span }
  return { kind: 'match', key: { value: key.value, span: key }, value: { value: value.value, span: value }, test, span }
}

/** A comparison with a value that is not known: its truth is not known either. */
function openMatch(key: TextNode, value: UnknownNode): Condition {
  return openCondition(`${value.expression} as ${key.value}`, value, value)
}

/** A partly unknown condition, under a separate name. */
function openCondition(text: string, { scope, id }: Pick<UnknownNode, 'scope' | 'id'>, span: Span): Condition {
  return { kind: 'opaque', text, scope, ...(id !== undefined && { id: `${text} ${id}` }), span }
}

function readPermissionsGroupFact(node: MapNode, reading: Reading): PermissionsGroup | undefined {
  known(node, permissionsGroupFields, reading)
  const name = optionalText(node, 'name', reading, false)
  checkServerFields(node, reading)
  optionalText(node, 'description', reading)
  reading.isOpen = false
  const written = field(node, 'urn')
  const [urn] =
    written?.kind === 'unknown'
      ? [{ value: permissionsGroupNamed(written), span: written }]
      : named(requiredText(node, 'urn', reading), reading, 'permissions-group-urn', readPermissionsGroup)
  const permissions = readPermissions(field(node, 'permissions'), reading)
  const open = reading.isOpen ? openPermissions(field(node, 'permissions')) : []
  return urn && { urn, name: name?.value ?? urn.value.name, permissions, ...(open.length > 0 && { open }), span: node, node }
}

function readResourceGroupFact(node: MapNode, reading: Reading): ResourceGroupFact | undefined {
  known(node, resourceGroupFields, reading)
  const id = optionalText(node, 'id', reading, false)
  checkServerFields(node, reading)
  const name = optionalText(node, 'name', reading, false)
  const urnNode = field(node, 'urn')
  const unknown = urnNode?.kind === 'unknown' ? { value: unknownName(urnNode), span: urnNode } : undefined
  const written = optionalText(node, 'urn', reading, false)
  if (!written && !id && !unknown) reading.bad = true
  const [urn] = written ? named(written, reading, 'resource-urn', (t) => readResourceGroup(t, { pattern: false })) : []
  if (urn && id && urn.value.id !== id.value)
    reading.diagnostics.push({
      code: 'resource-urn',
      severity: 'error',
      message: `\`${visible(shortened(id.value))}\` is the id of another group than the one that \`urn\` names: which of the two is meant would be a guess`,
      span: id.span,
      help: 'leave out the one that is wrong',
    })
  const members = readMembers(node, reading)
  const open = [...new Set(unknownsAt(node, 'resources', 'urn').map(symbolOf))].sort()
  const rest = { ...members, ...(name && { name: name.value }), ...(open.length > 0 && { open }), span: node }
  if (urn) return { urn: { value: urn.value.text, span: urn.span }, ...rest }
  if (unknown) return { urn: unknown, ...rest }
  return written || !id ? undefined : { urn: { value: `urn:v1:*:resourceGroup:${id.value}`, span: id.span }, ...rest }
}

function readMembers(node: MapNode, reading: Reading): Pick<ResourceGroupFact, 'members' | 'ids' | 'complete'> {
  const members: string[] = []
  const ids: string[] = []
  let complete = field(node, 'resources')?.kind !== 'unknown'
  for (const item of listAt(node, 'resources', reading)) {
    const urn = item.kind === 'map' ? field(item, 'urn') : undefined
    if (item.kind === 'unknown' || urn?.kind === 'unknown') {
      complete = false
      continue
    }
    if (item.kind !== 'map') {
      reading.bad = true
      continue
    }
    known(item, inventoryFields, reading)
    const member = optionalText(item, 'urn', reading)
    if (item.entries.length > 1) readMention(item, urn?.kind === 'text' ? urn : undefined, reading)
    const id = optionalText(item, 'id', reading)
    if (member) members.push(...named(member, reading, 'resource-urn', readOneResource).map(({ value }) => value.text))
    else if (id) ids.push(id.value)
    else if (urn || field(item, 'id')) complete = false
    else reading.bad = true
  }
  return { members, ids, complete }
}

function readOneResource(urn: string) {
  return readResource(urn, { pattern: false })
}

function readResourceFact(node: MapNode, reading: Reading): ResourceFact | undefined {
  known(node, inventoryFields, reading)
  for (const key of ['name', 'type']) optionalText(node, key, reading, false)
  const id = optionalText(node, 'id', reading, false)
  optionalText(node, 'displayName', reading)
  const owner = optionalText(node, 'owner', reading, false)
  const [urn] = named(requiredText(node, 'urn', reading), reading, 'resource-urn', readOneResource)
  const tags = tagsOf(node, reading)
  const owners = listAt(node, 'owners', reading, false).flatMap((item) => text(item, reading)?.value ?? [])
  return (
    urn && {
      urn: { value: urn.value.text, span: urn.span },
      ...(owner && { owner: owner.value }),
      ...(owners.length > 0 && { owners }),
      ...(id && { id: id.value }),
      ...(tags && { tags }),
      span: node,
    }
  )
}

/** The tags of a resource; undefined where they are not given. */
function tagsOf(node: MapNode, reading: Reading): ReadonlyMap<string, string> | undefined {
  const tags = new Map<string, string>()
  for (const { key, value } of mapAt(node, 'tags', reading)) {
    if (value.kind === 'text') tags.set(key.value, value.value)
    else reading.bad = true
  }
  return field(node, 'tags')?.kind === 'map' ? tags : undefined
}

function readIdentityFact(node: MapNode, reading: Reading): IdentityFact | undefined {
  known(node, identityFields, reading)
  const [urn] = named(requiredText(node, 'urn', reading), reading, 'identity-urn', (t) => readIdentity(t, { pattern: false }))
  const groups: string[] = []
  for (const item of listAt(node, 'groups', reading)) {
    for (const group of named(located(text(item, reading)), reading, 'identity-urn', readIdentityGroup)) groups.push(group.value.text)
  }
  const list = field(node, 'groups')
  const hasNoList = !list || list.kind === 'unknown'
  return urn && { urn: { value: urn.value.text, span: urn.span }, groups, ...(hasNoList && { hasNoList }), span: node }
}

function checkServerFields(node: MapNode, reading: Reading) {
  for (const key of ['id', 'owner', 'createdAt']) optionalText(node, key, reading, false)
  optionalText(node, 'updatedAt', reading)
  const readOnly = field(node, 'readOnly')
  if (readOnly && readOnly.kind !== 'boolean') reading.bad = true
}

// The parts of records. Each marks the reading as bad when a part has the wrong shape; the schema then says what is wrong.

function known(node: MapNode, fields: ReadonlySet<string>, reading: Reading) {
  for (const { key } of node.entries) if (!fields.has(key.value)) reading.bad = true
}

/** A node that is a text: it is its own place. */
function text(node: Node, reading: Reading): TextNode | undefined {
  if (node.kind === 'text') return node
  if (!isUnknown(node, reading)) reading.bad = true
  return undefined
}

/** Whether a value is unknown: it may have any shape, so that none is wrong. */
function isUnknown(node: Node, reading: Reading): node is UnknownNode {
  if (node.kind !== 'unknown') return false
  reading.isOpen = true
  return true
}

function located(node: TextNode | undefined): Located<string> | undefined {
  return node && { value: node.value, span: node }
}

function requiredText(node: MapNode, key: string, reading: Reading): Located<string> | undefined {
  return located(requiredNode(node, key, reading))
}

function requiredNode(node: MapNode, key: string, reading: Reading): TextNode | undefined {
  const value = field(node, key)
  if (value) return text(value, reading)
  reading.bad = true
  return undefined
}

function optionalText(node: MapNode, key: string, reading: Reading, nullable = true): Located<string> | undefined {
  const value = field(node, key)
  return value && !(nullable && value.kind === 'null') ? located(text(value, reading)) : undefined
}

function textField(node: Node, key: string, fields: ReadonlySet<string>, reading: Reading): TextNode | undefined {
  if (node.kind !== 'map') {
    if (!isUnknown(node, reading)) reading.bad = true
    return undefined
  }
  known(node, fields, reading)
  return requiredNode(node, key, reading)
}

function listAt(node: MapNode, key: string, reading: Reading, nullable = true): readonly Node[] {
  const value = field(node, key)
  if (!value || (nullable && value.kind === 'null')) return []
  if (value.kind === 'list') return value.items
  if (!isUnknown(value, reading)) reading.bad = true
  return []
}

function mapAt(node: MapNode, key: string, reading: Reading): MapNode['entries'] {
  const value = field(node, key)
  if (!value || value.kind === 'null') return []
  if (value.kind === 'map') return value.entries
  if (!isUnknown(value, reading)) reading.bad = true
  return []
}

/** Read a name; its faults become diagnostics, each at the part that is wrong. A list, so that what failed drops out. */
function named<T>(written: Located<string> | undefined, reading: Reading, code: ReaderCode, read: (text: string) => Read<T>): Located<T>[] {
  if (!written || (reading.broken.length > 0 && isInSyntaxError(written.span, reading.broken))) return []
  const result = read(written.value)
  if (result.faults === undefined) return [{ value: result.value, span: written.span }]
  for (const fault of result.faults) reading.diagnostics.push(faultDiagnostic(written, fault, code, reading.policy))
  return []
}

/** The names of a list, each read from the text that `textOf` finds in its item. */
function namedIn<T>(
  items: readonly Node[],
  textOf: (item: Node, reading: Reading) => TextNode | undefined,
  reading: Reading,
  { code, read, readBefore }: Names<T>,
): readonly Located<T>[] {
  if (items.length === 0) return none
  const out: Located<T>[] = []
  for (const item of items) {
    const node = textOf(item, reading)
    if (!node || (reading.broken.length > 0 && isInSyntaxError(node, reading.broken))) continue
    const before = readBefore.get(node.value)
    const { value, faults } = before === undefined ? read(node.value, reading.settings) : { value: before }
    if (faults) {
      for (const fault of faults) reading.diagnostics.push(faultDiagnostic({ value: node.value, span: node }, fault, code, reading.policy))
      continue
    }
    if (before === undefined) readBefore.set(node.value, value as T)
    out.push({ value: value as T, span: placeOf(node) })
  }
  return out
}

/** Where a name is written, without the node: a run keeps the places of all names to its end. */
function placeOf(node: TextNode): Span {
  const { source, start, end, offsets } = node
  return offsets ? node : { source, start, end }
}

const none: readonly never[] = []

function faultDiagnostic(written: Located<string>, fault: Fault, code: ReaderCode, policy: string | undefined): Diagnostic {
  const { message, help } = printableFault(written.value, fault)
  const { suggestion } = fault
  // Blanks and invisible characters can only be a slip; any other suggestion is a guess at what was meant.
  const isSlip = suggestion !== undefined && bare(suggestion) === bare(written.value)
  return {
    code: fault.stray ? 'stray-character' : code,
    severity: 'error',
    message,
    span: inside(written, fault.from, fault.to),
    ...(help && { help }),
    ...(policy && { policy }),
    ...(suggestion !== undefined && withFix(`write \`${visible(suggestion)}\``, isSlip, [replaceText(written.span, suggestion)])),
  }
}

function bare(text: string): string {
  return text.replace(/[\s\p{Cf}]/gu, '')
}
