import type { Diagnostic } from '../diagnostic.ts'
import { visible } from '../names.ts'
import type { Span } from '../source.ts'
import { digest, type Entry, type Node } from '../tree.ts'
import { attributes as fieldsOf, groupAttributesOf, kindOfTerraform } from './attributes.ts'
import {
  contentOf,
  type Declaration,
  type Declared,
  type DeclaredMember,
  entriesOf,
  itemsOf,
  listNode,
  mapAt,
  nameAt,
  shapeProblem,
  spanOf,
  textNodeAt,
  textOf,
  unknownAt,
  valueAt,
} from './record.ts'
import { providerOf, tieNames } from './references.ts'

/** A plan has two states: what is there now, and what would be there once it is applied. */
export type Side = 'before' | 'after'

/** Whether a document is what `terraform show -json` or `tofu show -json` writes, of a plan or of a state. */
export function isPlan(document: Node): boolean {
  if (document.kind !== 'map' || textOf(valueAt(document, 'format_version')) === undefined) return false
  return ['planned_values', 'resource_changes', 'prior_state', 'values', 'terraform_version'].some(
    (key) => valueAt(document, key) !== undefined,
  )
}

/** The records of one side of a plan: what its changes do not mention stays as it was. A state has the same on both sides. */
export function readPlan(document: Node, side: Side, prefix: string): Declaration {
  const fault = faultOf(document) ?? deferredFault(document, prefix)
  if (fault) return { records: [], diagnostics: [fault] }
  const kindOf = (resource: Node | undefined) =>
    textOf(valueAt(resource, 'mode')) === 'data' ? undefined : kindOfTerraform(textOf(valueAt(resource, 'type')) ?? '', prefix)
  const typeOf = (resource: Node) => textOf(valueAt(resource, 'type')) ?? ''
  const groupsOf = (resource: Node) =>
    textOf(valueAt(resource, 'mode')) === 'data' ? undefined : groupAttributesOf(typeOf(resource), prefix)
  const records: Declared[] = []
  const members: DeclaredMember[] = []
  let whole: string | undefined
  const content = () => {
    whole ??= digest(document.source.text)
    return whole
  }
  const changes = valueAt(document, 'resource_changes')
  const changed = new Set<string>()
  for (const change of itemsOf(changes)) {
    const address = textOf(valueAt(change, 'address'))
    const kind = kindOf(change)
    const groups = groupsOf(change)
    if (address === undefined || !(kind || groups)) continue
    if (valueAt(change, 'deposed') === undefined) changed.add(address)
    for (const each of statesOf(change, side)) {
      if (kind) records.push(declared(kind, address, each, document, content))
      if (groups) members.push(memberOf(typeOf(change), address, each, groups, content))
    }
  }
  const rest =
    changes === undefined && side === 'after' && valueAt(document, 'planned_values')
      ? valueAt(document, 'planned_values')
      : (valueAt(document, 'prior_state', 'values') ?? valueAt(document, 'values'))
  for (const resource of resourcesIn(valueAt(rest, 'root_module'))) {
    const address = textOf(valueAt(resource, 'address'))
    const kind = kindOf(resource)
    const groups = groupsOf(resource)
    if (address === undefined || !(kind || groups) || changed.has(address)) continue
    const isPlanned = rest === valueAt(document, 'planned_values')
    const [values, sensitive] = [valueAt(resource, 'values'), valueAt(resource, 'sensitive_values')]
    const state = { values, unknown: undefined, sensitive, isPlanned, isAfter: isPlanned, change: resource }
    if (kind) records.push(declared(kind, address, state, document, content))
    if (groups) members.push(memberOf(typeOf(resource), address, state, groups, content))
  }
  return {
    records: side === 'after' ? tieNames(records, document, prefix) : records,
    members: withAccounts(members, records, document),
    diagnostics: [],
  }
}

/** Members with what is not known of their accounts: where policies and members have several providers, each may be of another account. */
function withAccounts(members: readonly DeclaredMember[], records: readonly Declared[], plan: Node): readonly DeclaredMember[] {
  if (members.length === 0) return members
  const providers = new Map([...records, ...members].map(({ address }) => [address, providerOf(plan, address)]))
  if (new Set([...providers.values()].filter((key) => key !== undefined)).size < 2) return members
  return members.map((each) => {
    // The URN of a user holds the account.
    const isNamed = entriesOf(each.value).some(({ key, value }) => key.value === 'urn' && value.kind === 'text')
    const provider = providers.get(each.address)
    const name = provider === undefined ? 'the account' : `the account of provider ${visible(provider)}`
    return isNamed ? each : { ...each, perhaps: [unknownAt(each.span, name, plan.source.path)] }
  })
}

/** A user or a membership in a state: with its attributes that are not known. */
function memberOf(type: string, address: string, state: State, attributes: readonly string[], content: () => string): DeclaredMember {
  const { source } = state.change
  const open = state.isAfter ? `after ${content()}` : 'before'
  const value = known(state, address, source.path, open)
  const span = spanOf(state.values?.kind === 'map' ? state.values : state.change)
  const entries = entriesOf(value)
  const isOpen = value?.kind === 'unknown' || state.isPlanned === true
  const missing = ['login', ...attributes].filter((word) => isOpen && !entries.some(({ key }) => key.value === word))
  const unknowns = missing.map((word) => ({
    key: textNodeAt(span, word),
    value: unknownAt(span, `${address}.${word}`, source.path, value?.kind === 'unknown' ? value.id : open),
  }))
  return { type, address, value: mapAt(span, [...entries, ...unknowns]), span }
}

/** Why nothing can be said about a plan: its format, or that it was broken off. */
export function faultOf(document: Node): Diagnostic | undefined {
  const version = valueAt(document, 'format_version')
  const text = textOf(version) ?? ''
  if (version && !/^[01]\./.test(text)) {
    const message = `the plan is written in version \`${visible(text.slice(0, 40))}\` of its format, and only 0 and 1 are understood`
    return shapeProblem(version, `${message}: what it says would be a guess`, 'write it with a program that gives version 1')
  }
  const errored = valueAt(document, 'errored')
  if (!errored || !isTrue(errored)) return undefined
  return shapeProblem(errored, 'the plan was broken off by an error: what is missing in it may deny', 'plan again once the error is fixed')
}

/** A resource that a plan defers is in none of its changes, and may deny. */
function deferredFault(document: Node, prefix: string): Diagnostic | undefined {
  for (const deferred of itemsOf(valueAt(document, 'deferred_changes'))) {
    const type = valueAt(deferred, 'resource_change', 'type')
    if (!type) continue
    const typeName = textOf(type) ?? ''
    const isMember = groupAttributesOf(typeName, prefix) !== undefined
    if (!isMember && !kindOfTerraform(typeName, prefix)) continue
    const name = visible(textOf(valueAt(deferred, 'resource_change', 'address')) ?? textOf(type) ?? '')
    const lacking = isMember ? 'who is in which group' : 'what it allows and denies'
    const message = `\`${name}\` is put off to a later plan: ${lacking} is not known`
    return shapeProblem(type, message, 'apply what is planned, and plan again')
  }
  return undefined
}

/** The resource of a change on one side, with what is not known of it or secret as unknown values; undefined where there is none. */
export function valueOn(change: Node, side: Side): Node | undefined {
  const [state] = statesOf(change, side)
  return state && stateValue(state, side)
}

/** The same of a resource in a state. */
export function valueInState(resource: Node): Node | undefined {
  const [values, sensitive] = [valueAt(resource, 'values'), valueAt(resource, 'sensitive_values')]
  return stateValue({ values, unknown: undefined, sensitive, change: resource }, 'before')
}

function stateValue(state: State, side: Side): Node | undefined {
  const { change } = state
  return known(state, textOf(valueAt(change, 'address')) ?? '', change.source.path, side)
}

interface State {
  readonly values: Node | undefined
  readonly unknown: Node | undefined
  readonly sensitive: Node | undefined
  /** Values that are not known are left out, and nothing says so. */
  readonly isPlanned?: boolean
  /** It is what the plan leads to. */
  readonly isAfter?: boolean
  readonly change: Node
}

/**
 * The states of a resource on one side, mostly one or none; a resource that is only forgotten continues to exist next to its
 * replacement.
 */
function statesOf(change: Node, side: Side): readonly State[] {
  const changeNode = valueAt(change, 'change')
  const actions = itemsOf(valueAt(changeNode, 'actions')).map((each) => textOf(each) ?? '')
  const before: State = {
    values: valueAt(changeNode, 'before'),
    unknown: undefined,
    sensitive: valueAt(changeNode, 'before_sensitive'),
    change,
  }
  const [unknown, sensitive] = [valueAt(changeNode, 'after_unknown'), valueAt(changeNode, 'after_sensitive')]
  const after: State = { values: valueAt(changeNode, 'after'), unknown, sensitive, change, isAfter: true }
  const states = side === 'before' ? [before] : actions.includes('forget') ? [after, before] : [after]
  return states.filter(
    ({ values, unknown }) => values?.kind === 'map' || (values?.kind === 'null' && unknown?.kind === 'boolean' && unknown.value),
  )
}

/** The resources of a module and of the modules in it. */
export function* resourcesIn(root: Node | undefined): Iterable<Node> {
  const open = [root]
  for (let module = open.pop(); module; module = open.pop()) {
    yield* itemsOf(valueAt(module, 'resources'))
    open.push(...itemsOf(valueAt(module, 'child_modules')).toReversed())
  }
}

function declared(kind: Declared['kind'], address: string, state: State, document: Node, content: () => string): Declared {
  const scope = document.source.path
  // A value that is known only after the apply may differ between plans.
  const open = state.isAfter ? `after ${content()}` : 'before'
  const value = known(state, address, scope, open)
  const attributes = [...entriesOf(value)]
  const attributeValue = (word: string) => attributes.find(({ key }) => key.value === word)?.value
  const span = state.values?.kind === 'map' ? state.values : state.change
  // Of what is not known or secret as a whole each attribute may be anything.
  const isOpen = value?.kind === 'unknown'
  const words = Object.entries(fieldsOf[kind]).flatMap(([word, { isRequired }]) =>
    isOpen || (state.isPlanned && isRequired) ? [word] : [],
  )
  for (const word of words)
    if (!attributeValue(word))
      attributes.push({
        key: textNodeAt(span, word),
        value: unknownAt(span, `${address}.${word}`, scope, value?.kind === 'unknown' ? value.id : open),
      })
  const [urn, id] = [attributeValue('urn'), attributeValue('id')]
  // A permissions group has its URN for an id.
  const name = [urn, id].find((each) => each?.kind === 'text' && each.value.startsWith('urn:'))
  const isGiven = name === undefined && id?.kind === 'text' && kind === 'resourceGroup'
  return {
    kind,
    address,
    attributes,
    span: spanOf(span),
    ...(name ? { urn: name } : isGiven ? {} : { urn: nameAt(spanOf(urn ?? id ?? span), `${address}.urn`, scope) }),
    ...(id?.kind === 'text' && { id: id.value }),
  }
}

/** The values of one side. Sensitive values are taken as unknown: a decision that rests on one would print it. */
function known({ values, unknown, sensitive, change }: State, address: string, scope: string, open: string): Node | undefined {
  return merged(values, unknown, sensitive, address)

  function merged(value: Node | undefined, hidden: Node | undefined, secret: Node | undefined, path: string): Node | undefined {
    if (isTrue(hidden)) return unknownAt(value ?? (hidden as Node), path, scope, open)
    if (value === undefined && hidden?.kind !== 'map' && hidden?.kind !== 'list') return undefined
    // A secret that does not change is one value, which is never printed.
    if (isTrue(secret) && value?.kind !== 'null') return unknownAt(value ?? change, path, scope, value ? contentOf(value) : open)
    if (value?.kind === 'list' || (value === undefined && hidden?.kind === 'list')) {
      const items = itemsOf(value)
      const length = Math.max(items.length, itemsOf(hidden).length)
      const each = Array.from({ length }, (_, i) => merged(items[i], valueAt(hidden, i), valueAt(secret, i), `${path}[${i}]`))
      const knownItems = each.flatMap((item) => item ?? [])
      return listNode((value ?? hidden) as Span, knownItems)
    }
    if (value?.kind === 'map' || (value === undefined && hidden?.kind === 'map')) {
      const entries = entriesOf(value)
      const others = entriesOf(hidden).filter(({ key }) => !entries.some((entry) => entry.key.value === key.value))
      return mapAt((value ?? hidden) as Span, [
        ...entries.flatMap((entry) =>
          put(entry.key, merged(entry.value, valueAt(hidden, entry.key.value), valueAt(secret, entry.key.value), member(path, entry))),
        ),
        ...others.flatMap((entry) => put(entry.key, merged(undefined, entry.value, undefined, member(path, entry)))),
      ])
    }
    return value
  }
}

function put(key: Entry['key'], value: Node | undefined): readonly Entry[] {
  return value ? [{ key, value }] : []
}

function member(path: string, { key }: Entry): string {
  return /^[A-Za-z_][\w-]*$/.test(key.value) ? `${path}.${key.value}` : `${path}[${JSON.stringify(key.value)}]`
}

function isTrue(node: Node | undefined): boolean {
  return node?.kind === 'boolean' && node.value
}
