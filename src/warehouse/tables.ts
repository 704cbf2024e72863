import { madeIn } from '../collections.ts'
import { compareText } from '../diagnostic.ts'
import { type Glob, glob, hasInnerWildcard } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { groupsOf, type ListName, type PermissionSet, type Policy, type World } from '../policy.ts'
import type { Clause } from '../simulate/decision.ts'
import { compareSpans } from '../simulate/reference.ts'
import { position, type Span } from '../source.ts'
import type { ResourceGroupUrn } from '../urn/resource.ts'
import { areGroupsKnown, groupsNamed, isOpenGroup } from '../world.ts'
import { addressTables } from './addresses.ts'
import { Conditions } from './conditions.ts'
import { ageTables, instantTables } from './instants.ts'
import { isPortable, portable } from './portable.ts'
import type { SqlText } from './sql-text.ts'

/** Policies as small tables of numbers and strings, for engines that join and aggregate (docs/warehouse.md). */

export type ColumnType = 'int' | 'bigint' | 'text'
export type Value = number | string

export interface Table {
  readonly name: TableName
  readonly columns: readonly (readonly [name: string, type: ColumnType])[]
  readonly rows: readonly (readonly Value[])[]
}

const patternColumns = [
  ['pat', 'int'],
  ['txt', 'text'],
] as const
const prefixColumns = [...patternColumns, ['len', 'int']] as const

/** The columns of each table. Names are no reserved words of any engine. */
export const tableColumns = {
  /** Patterns by the kind of their matching: `pat` is the number of a pattern, which may have several rows. */
  who_exact: patternColumns,
  who_prefix: prefixColumns,
  who_like: patternColumns,
  on_exact: patternColumns,
  on_prefix: prefixColumns,
  on_like: patternColumns,
  /** Resource groups of which more members may exist than are known: any resource may be one. */
  on_perhaps: [['pat', 'int']],
  act_exact: patternColumns,
  act_prefix: prefixColumns,
  act_like: patternColumns,
  /** A permission set of a policy, with the number of its condition; 0: none. */
  unit: [
    ['unit', 'int'],
    ['cond', 'int'],
  ],
  /** The identity and the resource patterns through which a unit is reached. */
  gate: [
    ['who', 'int'],
    ['res', 'int'],
    ['unit', 'int'],
  ],
  /** The gates of wide identity patterns, which are in no other table: those that many units name. */
  wide_gate: [
    ['who', 'int'],
    ['res', 'int'],
    ['unit', 'int'],
  ],
  /** The units of wide gates, in blocks of one condition, within which each has a bit. */
  wide_unit: [
    ['unit', 'int'],
    ['cond', 'int'],
    ['block_no', 'int'],
    ['bit_value', 'bigint'],
  ],
  /** The effect of an action pattern in a unit: it allows, excepts or denies, or is open: any of these. */
  effect: [
    ['unit', 'int'],
    ['act', 'int'],
    ['al', 'int'],
    ['ex', 'int'],
    ['de', 'int'],
    ['op', 'int'],
    ['entry', 'int'],
  ],
  /** The entries of policies, in the order of their files. `grp`: the permissions group that holds it. */
  entry: [
    ['entry', 'int'],
    ['policy_name', 'text'],
    ['effect', 'text'],
    ['action_pattern', 'text'],
    ['permissions_group', 'text'],
    ['file_name', 'text'],
    ['line_no', 'int'],
    ['column_no', 'int'],
    ['inner_wildcard', 'int'],
  ],
  member: [
    ['identity', 'text'],
    ['grp', 'text'],
  ],
  /** The identities whose groups are known; none where no policy is for a group. */
  known: [['identity', 'text']],
  /** Conditions in disjunctive form: one of the clauses holds, each a conjunction of literals. */
  literal: [
    ['cond', 'int'],
    ['clause', 'int'],
    ['atom', 'int'],
    ['negated', 'int'],
  ],
  /** Comparisons of strings, those that cannot be determined (`open`), and those that are left to the engine (`left`). */
  atom: [
    ['atom', 'int'],
    ['kind', 'text'],
    ['tag_key', 'text'],
    ['op', 'text'],
    ['txt', 'text'],
  ],
  /** IPv4 addresses in classes; `first_byte` splits the ranges, so that they can be joined by equality. */
  address: [
    ['first_byte', 'int'],
    ['lo', 'bigint'],
    ['hi', 'bigint'],
    ['class', 'int'],
  ],
  address_holds: [
    ['class', 'int'],
    ['atom', 'int'],
  ],
  /** Instants in ages, which begin and end with what dates and expiries are compared with; each age is in a group. */
  age_group: [
    ['grp', 'int'],
    ['lo', 'bigint'],
    ['hi', 'bigint'],
  ],
  age: [
    ['grp', 'int'],
    ['lo', 'bigint'],
    ['hi', 'bigint'],
    ['age', 'int'],
  ],
  /** The first and the last of ages in which a comparison holds. */
  age_holds: [
    ['atom', 'int'],
    ['first_age', 'int'],
    ['last_age', 'int'],
  ],
  /** Instants in periods within which each week looks like the next. */
  period: [
    ['lo', 'bigint'],
    ['hi', 'bigint'],
    ['week', 'int'],
  ],
  /** The class of each hour, or quarter of an hour, of such a week. */
  week: [
    ['week', 'int'],
    ['slot', 'int'],
    ['class', 'int'],
  ],
  instant_holds: [
    ['class', 'int'],
    ['atom', 'int'],
  ],
  owner: [
    ['resource', 'text'],
    ['owner', 'text'],
  ],
  /** Resources whose tags are known, and those with tags that no engine can hold. */
  described: [['resource', 'text']],
  tags_left: [['resource', 'text']],
  tag: [
    ['resource', 'text'],
    ['tag_key', 'text'],
    ['tag_value', 'text'],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly [string, ColumnType])[]>>

export type TableName = keyof typeof tableColumns

/** The dimensions of a question that have patterns. */
export type Dimension = 'who' | 'on' | 'act'

export interface WorldTables {
  readonly tables: ReadonlyMap<TableName, Table>
  /** How many gates there are, wide ones included. */
  readonly gates: number
  /** Milliseconds of a slot of a week: an hour, or a quarter of one where a zone needs it. */
  readonly slot: number
  readonly account: string | undefined
  /** Whether a policy of the service itself is known: without one, denials by default carry a caveat. */
  readonly hasReadOnly: boolean
  /** Whether a policy is for a group: of identities that are not described, denials by default carry a caveat. */
  readonly hasGroups: boolean
  /** The parts that the tables leave to the engine, and why: in words, with how often. */
  readonly left: readonly string[]
  /** The number of an entry in the table of entries. */
  readonly entryNumber: (clause: Clause) => number
  /** The entries, by their numbers less one. */
  readonly clauses: readonly Clause[]
}

/** The most gates of an export: they are identities × resources of each policy. */
export const mostGates = 50_000_000

/**
 * How many units name a wide identity pattern, at least. Such a pattern tends to be a group of many: questions meet its units by
 * classes (`DecisionSteps`), which costs fewer joins for them and some more for all others.
 */
export const unitsOfWide = 32

/** A problem of an export that no table can solve. */
export class TooLarge extends Error {}

const codePoints = (text: string) => [...text].length

type LikeEscape = SqlText['likeEscape']

const likeOf = (pieces: readonly string[], likeEscape: LikeEscape): string =>
  pieces.map((piece) => piece.replace(likeEscape === '!' ? /[!%_]/g : /[\\%_]/g, (character) => likeEscape + character)).join('%')

/** Numbers for the patterns of one dimension, and their rows by kind. */
class Patterns {
  readonly rows: { readonly exact: Value[][]; readonly prefix: Value[][]; readonly like: Value[][]; readonly perhaps: Value[][] } = {
    exact: [],
    prefix: [],
    like: [],
    perhaps: [],
  }
  private readonly numbers = new Map<string, number>()
  private readonly likeEscape: LikeEscape
  constructor(likeEscape: LikeEscape) {
    this.likeEscape = likeEscape
  }

  of(pattern: Glob): number {
    const existing = this.numbers.get(pattern.text)
    if (existing !== undefined) return existing
    const number = this.take(pattern.text)
    const { pieces } = pattern
    if (pieces.length === 1) this.addExact(number, pattern.text)
    else if (pieces.length === 2 && pieces[1] === '') this.rows.prefix.push([number, pieces[0] as string, codePoints(pieces[0] as string)])
    else this.rows.like.push([number, likeOf(pieces, this.likeEscape)])
    return number
  }

  /** The number of a group of resources: that of its members, and where more may exist, of any resource, perhaps. */
  ofGroup(key: string, members: Iterable<string>, isOpen: boolean): number {
    const existing = this.numbers.get(key)
    if (existing !== undefined) return existing
    const number = this.take(key)
    for (const member of members) this.addExact(number, member)
    if (isOpen) this.rows.perhaps.push([number])
    return number
  }

  private take(key: string): number {
    const number = this.numbers.size + 1
    this.numbers.set(key, number)
    return number
  }

  private addExact(number: number, text: string): void {
    if (isPortable(text)) this.rows.exact.push([number, text])
  }
}

interface EntryDraft {
  readonly unit: number
  readonly action: number
  readonly list: ListName
  readonly policy: Policy
  readonly entry: PermissionSet['allow'][number]
  readonly group: string
}

/** The tables of a world. `likeEscape`: how LIKE escapes in the dialect that reads them. */
export function worldTables(world: World, likeEscape: LikeEscape, wideFrom: number = unitsOfWide): WorldTables {
  const who = new Patterns(likeEscape)
  const on = new Patterns(likeEscape)
  const act = new Patterns(likeEscape)
  const conditions = new Conditions()
  const rows = Object.fromEntries(Object.keys(tableColumns).map((name) => [name, [] as Value[][]])) as Record<TableName, Value[][]>
  const drafts: EntryDraft[] = []
  const unitsOf = new Map<number, number>()
  let units = 0
  for (const policy of world.policies) {
    const identities = new Set(policy.identities.map(({ value }) => who.of(value.glob)))
    const resources = new Set(
      policy.resources.map(({ value }) => (value.kind === 'resource' ? on.of(value.glob) : groupNumber(on, world, value))),
    )
    const cond = conditions.numberOf(policy)
    for (const { set, group } of setsOf(policy, world)) {
      if (set && set.allow.length + set.deny.length === 0) continue
      const unit = ++units
      rows.unit.push([unit, cond])
      if (rows.gate.length + identities.size * resources.size > mostGates)
        throw new TooLarge(
          `policy \`${policy.name.value}\` brings the table of gates, identities × resources of each policy, over ${mostGates.toLocaleString('en')} rows`,
        )
      for (const identity of identities) {
        unitsOf.set(identity, (unitsOf.get(identity) ?? 0) + 1)
        for (const resource of resources) rows.gate.push([identity, resource, unit])
      }
      if (!set) rows.effect.push([unit, act.of(glob('*')), 0, 0, 0, 1, 0])
      else
        for (const list of ['allow', 'except', 'deny'] as const)
          for (const entry of set[list]) drafts.push({ unit, action: act.of(entry.value), list, policy, entry, group })
    }
  }
  const gates = rows.gate.length
  const isWide = ([identity]: readonly Value[]) => (unitsOf.get(identity as number) as number) >= wideFrom
  if ([...unitsOf.values()].some((count) => count >= wideFrom)) {
    rows.wide_gate = rows.gate.filter(isWide)
    rows.gate = rows.gate.filter((gate) => !isWide(gate))
    const wide = new Set(rows.wide_gate.map(([, , unit]) => unit))
    rows.wide_unit = inBlocks(rows.unit.filter(([unit]) => wide.has(unit as number)))
  }
  const clauses = writeEntries(drafts, rows.effect, rows.entry)
  for (const [dimension, patterns] of [
    ['who', who],
    ['on', on],
    ['act', act],
  ] as const)
    for (const kind of ['exact', 'prefix', 'like'] as const) rows[`${dimension}_${kind}`] = patterns.rows[kind]
  rows.on_perhaps = on.rows.perhaps
  writeFacts(world, rows)
  const hasGroups = world.policies.some(({ identities }) => identities.some(({ value }) => value.kind === 'group'))
  if (hasGroups)
    rows.known = [...world.identities.keys()]
      .filter((urn) => areGroupsKnown(world, urn))
      .sort(compareText)
      .map((urn) => [urn])
  const addresses = addressTables(conditions.addressTests)
  const instants = instantTables(conditions.clockTests)
  const ages = ageTables(conditions.ageTests)
  Object.assign(rows, {
    literal: conditions.literals,
    atom: conditions.atoms,
    address: addresses.ranges,
    address_holds: addresses.holds,
    age_group: ages.groups,
    age: ages.ages,
    age_holds: ages.holds,
    period: instants.periods,
    week: instants.weeks,
    instant_holds: instants.holds,
  })
  const tables = new Map(
    (Object.keys(tableColumns) as TableName[]).map((name) => [name, { name, columns: tableColumns[name], rows: rows[name] }]),
  )
  return {
    tables,
    gates,
    slot: instants.slot,
    account: world.account,
    hasReadOnly: world.policies.some(({ readOnly }) => readOnly),
    hasGroups,
    left: conditions.left(),
    entryNumber: numbersOf(clauses),
    clauses,
  }
}

/** The units of a block: their bits make a number that every engine and JSON hold exactly. */
const unitsOfBlock = 50

/** Units with their conditions in blocks, each of one condition. */
function inBlocks(units: readonly (readonly Value[])[]): Value[][] {
  const filled = new Map<Value, { block: number; units: number }>()
  let blocks = 0
  return units.map(([unit, cond]) => {
    const last = filled.get(cond as Value)
    const into = last && last.units < unitsOfBlock ? last : { block: ++blocks, units: 0 }
    filled.set(cond as Value, into)
    return [unit as Value, cond as Value, into.block, 2 ** into.units++]
  })
}

function groupNumber(on: Patterns, world: World, urn: ResourceGroupUrn): number {
  const members = new Set(groupsNamed(world, urn).flatMap((group) => [...group.members]))
  return on.ofGroup(keyOf('group', urn.text), members, isOpenGroup(world, urn))
}

function setsOf(policy: Policy, world: World): readonly { readonly set: PermissionSet | undefined; readonly group: string }[] {
  const groups = groupsOf(policy).map(({ value: { text } }) => ({ set: world.permissionsGroups.get(text)?.permissions, group: text }))
  return [{ set: policy.permissions, group: '' }, ...groups]
}

/** Number entries in the order of their files, so that lists of numbers are in that order. */
function writeEntries(drafts: readonly EntryDraft[], effects: Value[][], entries: Value[][]): readonly Clause[] {
  const inOrder = [...drafts].sort(
    (a, b) => compareSpans(a.entry.span, b.entry.span) || compareSpans(a.policy.span, b.policy.span) || a.unit - b.unit,
  )
  return inOrder.map(({ unit, action, list, policy, entry, group }, index) => {
    const number = index + 1
    effects.push([unit, action, list === 'allow' ? 1 : 0, list === 'except' ? 1 : 0, list === 'deny' ? 1 : 0, 0, number])
    const inner = hasInnerWildcard(entry.value) ? 1 : 0
    entries.push([number, portable(policy.name.value), list, portable(entry.value.text), portable(group), ...placeOf(entry.span), inner])
    return { policy, list, entry, ...(group !== '' && { group }) }
  })
}

/** The numbers of clauses, computed when they are first asked for. An anchor of YAML may put one entry into several lists. */
function numbersOf(clauses: readonly Clause[]): (clause: Clause) => number {
  type Numbers = Map<Policy, Map<ListName, Map<Clause['entry'], number>>>
  let numbers: Numbers | undefined
  const made = () => {
    const all: Numbers = new Map()
    for (const [index, { policy, list, entry }] of clauses.entries())
      madeIn(
        madeIn(all, policy, () => new Map()),
        list,
        () => new Map<Clause['entry'], number>(),
      ).set(entry, index + 1)
    return all
  }
  return ({ policy, list, entry }) => {
    numbers ??= made()
    return numbers.get(policy)?.get(list)?.get(entry) as number
  }
}

function placeOf({ source, start }: Span): readonly [file: string, line: number, column: number] {
  const { line, column } = position(source, start)
  return [portable(source.path), line, column]
}

function writeFacts(world: World, rows: Record<TableName, Value[][]>): void {
  const byUrn = <T>(map: ReadonlyMap<string, T>) => [...map].sort(([a], [b]) => compareText(a, b))
  for (const [urn, { groups }] of byUrn(world.identities)) for (const group of new Set(groups)) rows.member.push([urn, group])
  for (const [urn, { owner, tags }] of byUrn(world.resources)) {
    if (owner !== undefined) rows.owner.push([urn, owner])
    if (!tags) continue
    const portable = [...tags].filter(([key, value]) => isPortable(key) && isPortable(value))
    if (portable.length < tags.size) {
      rows.tags_left.push([urn])
      continue
    }
    rows.described.push([urn])
    for (const [key, value] of portable) rows.tag.push([urn, key, value])
  }
}

/** Whether a table has rows: steps over empty ones are left out. */
export const hasRows = ({ tables }: WorldTables, name: TableName): boolean => (tables.get(name) as Table).rows.length > 0
