import { pushTo } from '../collections.ts'
import { keyOf } from '../keys.ts'
import type { Deprecation } from './catalogue.ts'
import type { Description } from './describe.ts'
import type { Operation, OperationDeprecation } from './operations.ts'
import { withoutBranch } from './paths.ts'
import { type ActionRecord, type CatalogueRecord, compareOperations, sortedMap } from './record.ts'

/** A description, and the month it is of where it does not date a part of it itself, `YYYY-MM`. */
export interface DatedDescription {
  readonly description: Description
  readonly seen: string
}

/** One catalogue record merged from several descriptions. */
export interface Merged {
  readonly record: CatalogueRecord
  /** Contradictions, and parts that have no place in a catalogue; sorted. */
  readonly notes: readonly string[]
}

/**
 * Put descriptions together, over a catalogue that was there before or over none. Of an operation the newer descriptions
 * win over the base; among themselves they are united, and where they differ a note says so. The order does not matter.
 *
 * An action that the base does not hold was first seen in the month of its earliest description; without a base nothing is
 * known of what was there before, and none is dated. An action is deprecated when every operation that needs it is.
 */
export function mergeDescriptions(base: CatalogueRecord | undefined, parts: readonly DatedDescription[], brand: string): Merged {
  const notes = new Set(parts.flatMap(({ description }) => description.notes))
  const versions = new Map<string, Operation[]>()
  for (const { description, seen } of parts)
    for (const operation of description.operations) {
      const dated = { ...operation, seen: operation.seen ?? seen }
      const key = operationKey(dated)
      pushTo(versions, key, dated)
    }
  const described = new Map([...versions].map(([key, list]) => [key, unitedAll(list, notes)]))
  const all = new Map<string, Operation>((base?.operations ?? []).map((operation) => [operationKey(operation), operation]))
  for (const [key, operation] of described) {
    const seen = all.get(key)?.seen
    all.set(key, seen !== undefined && seen > operation.seen ? { ...operation, seen } : operation)
  }
  const operations = [...all.values()].sort(compareOperations)

  const months = monthsOf(parts)
  const deprecations = deprecationsOf(operations)
  const alive = new Set([...described.values()].flatMap((each) => (each.deprecated ? [] : each.actions.map(({ name }) => name))))
  const actions = new Map<string, ActionRecord>(base?.actions ?? [])
  for (const [name, { first, last }] of months) {
    const recorded = base?.actions.get(name)
    const since = recorded ? recorded.since : base && first
    actions.set(name, { seen: recorded && recorded.seen > last ? recorded.seen : last, ...(since !== undefined && { since }) })
  }
  for (const [name, { seen, since }] of actions) {
    const before = alive.has(name) ? undefined : base?.actions.get(name)?.deprecated
    const deprecated = deprecations.get(name) ?? before
    actions.set(name, { seen, ...(since !== undefined && { since }), ...(deprecated && { deprecated }) })
  }

  const { types, serves } = typesOf(base, parts)
  const seen = [...(base ? [base.seen] : []), ...[...actions.values(), ...operations].map((each) => each.seen)]
  return {
    record: {
      seen: newest(seen.length > 0 ? seen : parts.map((part) => part.seen)),
      brand,
      actions: sortedMap([...actions]),
      types,
      serves,
      operations,
    },
    notes: [...notes].sort(),
  }
}

/** A key that is the same for one operation however its parameters are called. */
function operationKey({ branch, method, path }: Pick<Operation, 'branch' | 'method' | 'path'>): string {
  return keyOf(branch, method, path.replace(/\{[^{}]*\}/g, '{}'))
}

/** All descriptions of one operation merged into one, independent of their order; a note says which of two contradicting values is kept. */
function unitedAll(list: readonly Operation[], notes: Set<string>): Operation {
  const whole = list.reduce(united)
  const name = `\`${whole.method} /${whole.branch}${whole.path}\``
  const differ = (fact: (operation: Operation) => unknown) => new Set(list.map(fact)).size > 1
  if (differ(namesOf)) notes.add(`${name} is described with different actions: all of them are kept`)
  else if (differ(needsOf)) notes.add(`${name} is described as needing an action and as perhaps needing it: it is kept as needing it`)
  if (differ((each) => each.noAuthentication))
    notes.add(`${name} is described with and without authentication: it is kept as needing a session`)
  if (differ((each) => each.deprecated === undefined))
    notes.add(`${name} is described as deprecated and as not: it is kept as not deprecated`)
  return whole
}

function namesOf({ actions }: Operation): string {
  return keyOf(actions.map(({ name }) => name).sort())
}

function needsOf({ actions }: Operation): string {
  return keyOf(actions.map(({ name, required }) => keyOf(name, required)).sort())
}

/** Two descriptions of one operation as one: in the order of the actions that both have, else sorted. */
function united(a: Operation, b: Operation): Operation {
  const required = new Map<string, boolean>()
  for (const { name, required: isRequired } of [...a.actions, ...b.actions]) required.set(name, required.get(name) === true || isRequired)
  const inOrder = a.actions.map(({ name }) => name)
  const isSameOrder = keyOf(inOrder) === keyOf(b.actions.map(({ name }) => name))
  const deprecated = a.deprecated && b.deprecated && latest([a.deprecated, b.deprecated])
  return {
    branch: a.branch,
    method: a.method,
    path: a.path <= b.path ? a.path : b.path,
    actions: (isSameOrder ? inOrder : [...required.keys()].sort()).map((name) => ({ name, required: required.get(name) === true })),
    seen: newest([a.seen, b.seen]),
    noAuthentication: a.noAuthentication && b.noAuthentication,
    ...(deprecated && { deprecated }),
  }
}

/** The months in which each described action was seen, first and last. */
function monthsOf(parts: readonly DatedDescription[]): ReadonlyMap<string, { readonly first: string; readonly last: string }> {
  const months = new Map<string, { first: string; last: string }>()
  const note = (name: string, seen: string) => {
    const span = months.get(name)
    if (span === undefined) months.set(name, { first: seen, last: seen })
    else {
      if (seen < span.first) span.first = seen
      if (seen > span.last) span.last = seen
    }
  }
  for (const { description, seen } of parts) {
    for (const { name } of description.actions) note(name, seen)
    for (const operation of description.operations) for (const { name } of operation.actions) note(name, operation.seen ?? seen)
  }
  return months
}

/** The actions that no operation needs any more but deprecated ones, and what is to be called in place of those. */
export function deprecationsOf(operations: readonly Operation[]): ReadonlyMap<string, Deprecation> {
  const users = new Map<string, Operation[]>()
  for (const operation of operations)
    for (const { name } of operation.actions) {
      pushTo(users, name, operation)
    }
  const byKey = new Map(operations.map((operation) => [operationKey(operation), operation]))
  const out = new Map<string, Deprecation>()
  for (const [name, list] of users) {
    const deprecated = list.flatMap((operation) => operation.deprecated ?? [])
    if (deprecated.length < list.length) continue
    const { from, until } = latest(deprecated)
    const replacedBy = new Set(list.flatMap((operation) => replacementsOf(operation, byKey)))
    replacedBy.delete(name)
    out.set(name, { ...(from !== undefined && { from }), ...(until !== undefined && { until }), replacedBy: [...replacedBy].sort() })
  }
  return out
}

/**
 * The actions of the operation that takes the place of one, on the path that is named: by the same method, or by the only one that changes
 * something, if the deprecated one did.
 */
function replacementsOf({ branch, method, deprecated }: Operation, byKey: ReadonlyMap<string, Operation>): readonly string[] {
  const path = deprecated?.replacement
  if (path === undefined) return []
  const { branch: pathBranch = branch, rest } = withoutBranch(path)
  const by = (each: Operation['method']) => byKey.get(operationKey({ branch: pathBranch, method: each, path: rest }))
  const writing = method === 'GET' ? [] : changing.flatMap((each) => by(each) ?? [])
  const replacement = by(method) ?? (writing.length === 1 ? writing[0] : undefined)
  return replacement && !replacement.deprecated ? replacement.actions.map(({ name }) => name) : []
}

/** The methods of calls that change something. */
const changing = ['DELETE', 'PATCH', 'POST', 'PUT'] as const

/** The days when the last of several things was deprecated and is removed; none where one of them is not said. */
function latest(all: readonly OperationDeprecation[]): OperationDeprecation {
  const last = (days: readonly (string | undefined)[]) =>
    days.every((day) => day !== undefined) ? newest(days as readonly string[]) : undefined
  const from = last(all.map((each) => each.from))
  const until = last(all.map((each) => each.until))
  const replacement = all
    .flatMap((each) => each.replacement ?? [])
    .sort()
    .at(0)
  return { ...(from !== undefined && { from }), ...(until !== undefined && { until }), ...(replacement !== undefined && { replacement }) }
}

function newest(dates: readonly string[]): string {
  return dates.reduce((a, b) => (a > b ? a : b))
}

/** The resource types, and by product those that its actions are about. */
function typesOf(base: CatalogueRecord | undefined, parts: readonly DatedDescription[]): Pick<CatalogueRecord, 'types' | 'serves'> {
  const types = new Set([...(base?.types ?? []), ...parts.flatMap(({ description }) => description.types)])
  const serves = new Map<string, Set<string>>([...(base?.serves ?? [])].map(([product, served]) => [product, new Set(served)]))
  for (const { description } of parts)
    for (const { name, type } of description.actions) {
      if (type === undefined) continue
      const product = name.slice(0, name.indexOf(':'))
      const served = serves.get(product) ?? new Set(base?.types.includes(product) ? [product] : [])
      serves.set(product, served.add(type))
    }
  const servesItself = ([product, served]: readonly [string, ReadonlySet<string>]) => served.size === 1 && served.has(product)
  return {
    types: [...types].sort(),
    serves: sortedMap([...serves].filter((each) => !servesItself(each)).map(([product, served]) => [product, [...served].sort()])),
  }
}
