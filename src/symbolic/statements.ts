import type { Test } from '../conditions/test.ts'
import { covers, filled, type Glob, glob, intersection, isPattern, matches, overlaps } from '../glob.ts'
import type { PermissionSet, Policy, ResourceGroup, World } from '../policy.ts'
import type { Located } from '../source.ts'
import type { IdentityUrn } from '../urn/identity.ts'
import { type ResourceGroupUrn, type ResourceUrn, readResource } from '../urn/resource.ts'
import { resourceGroupOf } from '../world.ts'
import { always, both, type Formula, formulaOf, isAlways, negation, never, printFormula } from './formula.ts'

/**
 * Policies taken apart into statements, over which inclusion is decided (spec: analysis, 6.1). One statement for each
 * permission set and effect; what a condition says of the resource's type and name, and the members of groups, become
 * part of what the statement is about, so that only context is left in its formula.
 */

/** The dimensions of a request that are texts. A resource is three of them: the type holds no `:`, the name may. */
export interface Box {
  readonly region: Glob
  readonly type: Glob
  readonly name: Glob
}

export type Dimension = 'type' | 'name' | 'action'

/** What a statement leaves out: requests whose text in this dimension the pattern matches. */
export interface Exclusion {
  readonly dimension: Dimension
  readonly pattern: Glob
}

export interface Statement {
  readonly effect: 'allow' | 'deny'
  readonly policy: Policy
  /** The URN of the permissions group it comes from. */
  readonly group: string | undefined
  readonly identities: readonly Located<IdentityUrn>[]
  readonly boxes: readonly Box[]
  readonly actions: readonly Located<Glob>[]
  readonly exclusions: readonly Exclusion[]
  readonly formula: Formula
  /** The same for statements that say the same. */
  readonly key: string
}

const everything = glob('*')
const everywhere: Box = { region: everything, type: everything, name: everything }

/**
 * The statements of a world, in the order of its policies. Where two worlds are compared, each is given the other, so
 * that both speak of the same unknown groups.
 */
export function statementsOf(world: World, other?: World): readonly Statement[] {
  const unknownGroups = [...unknownResourceGroups(world), ...(other ? unknownResourceGroups(other) : [])]
  return world.policies.flatMap((policy) => policyStatements(policy, world, unknownGroups))
}

/** Every resource group entry whose members the world does not fully tell; one with a wildcard always is. */
function unknownResourceGroups(world: World): readonly Glob[] {
  const entries = new Map<string, Glob>()
  for (const policy of world.policies) {
    for (const { value } of policy.resources) if (value.kind === 'group' && isUnknown(value, world)) entries.set(value.text, value.glob)
  }
  return [...entries.values()]
}

function isUnknown(entry: ResourceGroupUrn, world: World): boolean {
  return isPattern(entry.glob) || !resourceGroupOf(world, entry.text)?.complete
}

function policyStatements(policy: Policy, world: World, unknownGroups: readonly Glob[]): Statement[] {
  const parts = partsOf(policy, placesOf(policy, world, unknownGroups))
  const expiry: Formula = policy.expiresAt ? { kind: 'until', at: policy.expiresAt.value } : always
  const out: Statement[] = []
  const add = (set: PermissionSet, group: string | undefined, formula: Formula) => {
    for (const effect of ['allow', 'deny'] as const) {
      if (set[effect].length === 0) continue
      const excepted: Exclusion[] = effect === 'allow' ? set.except.map(({ value }) => ({ dimension: 'action', pattern: value })) : []
      for (const part of parts) {
        const whole = both(both(formula, part.formula), expiry)
        if (isNever(whole)) continue
        out.push(
          new TakenApart({
            effect,
            policy,
            group,
            identities: policy.identities,
            boxes: part.boxes,
            actions: set[effect],
            exclusions: [...excepted, ...part.exclusions],
            formula: whole,
          }),
        )
      }
    }
  }
  add(policy.permissions, undefined, always)
  for (const { value, span } of policy.permissionsGroups) {
    const group = world.permissionsGroups.get(value.text)
    if (group) add(group.permissions, value.text, always)
    else {
      // What an unknown set allows or denies cannot be told: it may be anything, the same wherever the group is named.
      const any: Located<Glob>[] = [{ value: everything, span }]
      add({ allow: any, except: [], deny: [] }, value.text, { kind: 'opaque', text: `permissionsGroup:${value.text} allows it` })
      add({ allow: [], except: [], deny: any }, value.text, { kind: 'opaque', text: `permissionsGroup:${value.text} denies it` })
    }
  }
  return out
}

interface Part {
  readonly boxes: readonly Box[]
  readonly exclusions: readonly Exclusion[]
  readonly formula: Formula
}

/** Where and when a policy applies: each place with each way in which its condition can come out there. */
function partsOf({ condition }: Policy, places: readonly Place[]): readonly Part[] {
  if (!condition) return places.map((place) => ({ ...place, exclusions: [] }))
  const formula = formulaOf(condition, (test) => ({ kind: 'test', test }))
  const parts: Part[] = []
  const cases = conditionCases(formula)
  for (const place of places) {
    for (const one of cases ?? []) {
      const boxes = one.types.length + one.names.length === 0 ? place.boxes : narrowed(place.boxes, one)
      if (!boxes) return places.map((whole) => unsplit(whole, formula))
      if (boxes.length > 0) parts.push({ boxes, exclusions: one.exclusions, formula: both(place.formula, one.formula) })
    }
  }
  return cases ? parts : places.map((place) => unsplit(place, formula))
}

/**
 * A condition that says too many things of type and name becomes a fact that nobody can tell: it holds or it does not,
 * the same wherever it is written. That never hides a gain; what rests on it is a possible gain only.
 */
function unsplit(place: Place, formula: Formula): Part {
  return { ...place, exclusions: [], formula: both(place.formula, { kind: 'opaque', text: `condition ${printFormula(formula)}` }) }
}

function isNever(formula: Formula): boolean {
  return formula.kind === 'or' ? formula.operands.length === 0 : formula.kind === 'and' && formula.operands.some(isNever)
}

interface Place {
  readonly boxes: readonly Box[]
  readonly formula: Formula
}

/** Where a policy applies: one place for all that is written as URNs or is a known member, one for each unknown group. */
function placesOf(policy: Policy, world: World, unknownGroups: readonly Glob[]): readonly Place[] {
  const boxes: Box[] = []
  const unknown: Place[] = []
  for (const { value } of policy.resources) {
    if (value.kind === 'resource') boxes.push(...boxesOf(value))
    else {
      for (const group of groupsOf(value, world)) for (const member of group.members) boxes.push(boxOfMember(member))
      // A narrower entry's unknown groups are this entry's too.
      const facts = isUnknown(value, world)
        ? [...new Set(unknownGroups.filter((entry) => covers(value.glob, entry)).map((entry) => entry.text))].sort()
        : []
      if (facts.length > 0)
        unknown.push({
          boxes: [everywhere],
          formula: { kind: 'or', operands: facts.map((urn) => ({ kind: 'opaque', text: `resourceGroup:${urn}` })) },
        })
    }
  }
  return boxes.length > 0 ? [{ boxes, formula: always }, ...unknown] : unknown
}

/** The groups of the world that an entry names. */
function groupsOf(entry: ResourceGroupUrn, world: World): readonly ResourceGroup[] {
  if (!isPattern(entry.glob)) {
    const group = resourceGroupOf(world, entry.text)
    return group ? [group] : []
  }
  return [...world.resourceGroups]
    .filter(([urn]) => matches(entry.glob, urn.startsWith('urn:v1:*') ? urn.replace('*', entry.region) : urn))
    .map(([, group]) => group)
}

function boxOfMember(urn: string): Box {
  const [, , region = '', , ...rest] = urn.split(':')
  return { region: literal(region), type: literal(rest[0] as string), name: literal(rest.slice(1).join(':')) }
}

function literal(text: string): Glob {
  return { text, pieces: [text] }
}

/**
 * A pattern over `<type>:<name>` as boxes. The first `:` is either written, or taken by a wildcard before it; each of
 * these is a box of its own.
 */
export function boxesOf({ region, type, name }: Pick<ResourceUrn, 'region' | 'type' | 'name'>): readonly Box[] {
  const out: Box[] = []
  const add = (t: string, n: string) => out.push({ region: glob(region), type: glob(t), name: glob(n) })
  if (name !== '') add(type, name)
  for (let star = type.indexOf('*'); star >= 0; star = type.indexOf('*', star + 1)) {
    const rest = name === '' ? type.slice(star) : `${type.slice(star)}:${name}`
    add(type.slice(0, star + 1), rest)
  }
  // `*:*` and `*` are everything of the region.
  const all = out.find((box) => box.type.text === '*' && box.name.text === '*')
  return all ? [all] : out
}

/** One way in which what a condition says of type and name can come out, and the rest of the condition in that case. */
interface Case {
  readonly formula: Formula
  /** The type (the name) is matched by one of the patterns, for each list. */
  readonly types: readonly (readonly Glob[])[]
  readonly names: readonly (readonly Glob[])[]
  readonly exclusions: readonly Exclusion[]
}

/** How many cases a condition is split into: each test on type or name may double them. */
const mostCases = 64

/** Split a formula by the truth of each test on type and name in it; undefined when that makes too many cases. */
function conditionCases(formula: Formula): readonly Case[] | undefined {
  let cases: Case[] = [{ formula, types: [], names: [], exclusions: [] }]
  for (let test = resourceTest(formula); test; test = cases.map((c) => resourceTest(c.formula)).find((t) => t)) {
    if (cases.length > mostCases) return undefined
    const { kind } = test.subject
    const patterns = patternsOf(test)
    const chosen = test
    cases = cases.flatMap((before) => {
      if (!resourceTests(before.formula).some((t) => same(t, chosen))) return [before]
      const holds = {
        ...before,
        formula: assume(before.formula, chosen, true),
        ...(kind === 'type' ? { types: [...before.types, patterns] } : { names: [...before.names, patterns] }),
      }
      const fails = {
        ...before,
        formula: assume(before.formula, chosen, false),
        exclusions: [
          ...before.exclusions,
          ...patterns.map((pattern): Exclusion => ({ dimension: kind === 'type' ? 'type' : 'name', pattern })),
        ],
      }
      return [holds, fails].filter((c) => !isNever(c.formula))
    })
  }
  return cases
}

/**
 * The types or names that pass a test, as patterns. A value that no legal type or name can have, whatever a wildcard
 * beside it stands for, is passed by none.
 */
function patternsOf({ subject, operator, values = [] }: Test): readonly Glob[] {
  const legal = (text: string) => {
    const urn = subject.kind === 'type' ? `urn:v1:eu:resource:${text}:x` : `urn:v1:eu:resource:x:${text}`
    return (subject.kind === 'name' || !text.includes(':')) && readResource(urn, { pattern: false }).value !== undefined
  }
  return values
    .filter((value) => !value.includes('*'))
    .map((value) => (operator === 'STARTS_WITH' ? glob(`${value}*`) : operator === 'ENDS_WITH' ? glob(`*${value}`) : literal(value)))
    .filter((pattern) => legal(filled(pattern, 'x')))
}

function same(a: Test, b: Test): boolean {
  return a.subject.kind === b.subject.kind && a.operator === b.operator && (a.values ?? []).join('\n') === (b.values ?? []).join('\n')
}

function resourceTests(formula: Formula): readonly Test[] {
  if (formula.kind === 'test') return formula.test.subject.kind === 'type' || formula.test.subject.kind === 'name' ? [formula.test] : []
  return formula.kind === 'and' || formula.kind === 'or' || formula.kind === 'not' ? formula.operands.flatMap(resourceTests) : []
}

function resourceTest(formula: Formula): Test | undefined {
  return resourceTests(formula)[0]
}

/** Put a truth in the place of a test, and simplify. */
function assume(formula: Formula, test: Test, truth: boolean): Formula {
  switch (formula.kind) {
    case 'test':
      return same(formula.test, test) ? (truth ? always : never) : formula
    case 'not': {
      const operands = formula.operands.map((operand) => assume(operand, test, truth)).filter((operand) => !isNever(operand))
      return operands.some(isAlways)
        ? never
        : operands.length === 0
          ? always
          : operands.length === 1
            ? negation(operands[0] as Formula)
            : { kind: 'not', operands }
    }
    case 'and': {
      const operands = formula.operands.map((operand) => assume(operand, test, truth)).filter((operand) => !isAlways(operand))
      return operands.some(isNever) ? never : operands.length === 1 ? (operands[0] as Formula) : { kind: 'and', operands }
    }
    case 'or': {
      const operands = formula.operands.map((operand) => assume(operand, test, truth)).filter((operand) => !isNever(operand))
      return operands.some(isAlways) ? always : operands.length === 1 ? (operands[0] as Formula) : { kind: 'or', operands }
    }
    default:
      return formula
  }
}

/** The parts of boxes in which type and name are as a case has them; undefined where that takes too many patterns. */
function narrowed(boxes: readonly Box[], { types, names }: Case): readonly Box[] | undefined {
  let parts = boxes
  for (const [dimension, lists] of [
    ['type', types],
    ['name', names],
  ] as const) {
    for (const patterns of lists) {
      const next: Box[] = []
      for (const box of parts) {
        for (const pattern of patterns) {
          const met = metBy(box[dimension], pattern)
          if (!met || next.length + met.length > mostBoxes) return undefined
          for (const part of met) next.push({ ...box, [dimension]: part })
        }
      }
      parts = next
    }
  }
  return parts
}

/** How many boxes a condition may leave of the places where its policy applies. */
const mostBoxes = 10_000

/**
 * What both patterns match. Throws `Undecided` where that takes too many patterns, and counts the work against the
 * allowance, if one is given: it grows with the square of how many there are.
 */
export function meet(a: Glob, b: Glob, allowance?: { left: number }): readonly Glob[] {
  const patterns = metBy(a, b)
  if (!patterns) throw new Undecided([a.text, b.text])
  if (allowance) allowance.left -= Math.floor((patterns.length * patterns.length) / 100)
  return patterns
}

/** How many ways to order the inner pieces of two patterns are followed up, and how many pairs of their letters. */
const [mostOrders, mostCells] = [300, 250_000]

function metBy(a: Glob, b: Glob): readonly Glob[] | undefined {
  if (!overlaps(a, b)) return []
  // Short of wildcards on both sides one covers the other, or few patterns do; else work may grow beyond all bounds.
  const small = !isPattern(a) || !isPattern(b) || (a.text.length * b.text.length < mostCells && orders(a, b) <= mostOrders)
  return small || covers(a, b) || covers(b, a) ? intersection(a, b) : undefined
}

/** In how many orders the pieces between wildcards can follow each other. */
function orders(a: Glob, b: Glob): number {
  const [m, n] = [a.pieces.length - 2, b.pieces.length - 2]
  let count = 1
  for (let i = 1; i <= n; i++) count = (count * (m + i)) / i
  return count
}

/** The analysis gave up, inside its budget: a stack of inner wildcards, or too many facts. Names the patterns at fault. */
export class Undecided extends Error {
  readonly culprits: readonly string[]

  constructor(culprits: readonly string[]) {
    super(`too many combinations: ${culprits.join(', ')}`)
    this.culprits = culprits
  }
}

/** A statement whose key is made when it is first asked for. A copy of it has none: it is given one. */
class TakenApart implements Statement {
  readonly effect: Statement['effect']
  readonly policy: Policy
  readonly group: string | undefined
  readonly identities: Statement['identities']
  readonly boxes: readonly Box[]
  readonly actions: Statement['actions']
  readonly exclusions: readonly Exclusion[]
  readonly formula: Formula
  private made: string | undefined

  constructor({ effect, policy, group, identities, boxes, actions, exclusions, formula }: Omit<Statement, 'key'>) {
    this.effect = effect
    this.policy = policy
    this.group = group
    this.identities = identities
    this.boxes = boxes
    this.actions = actions
    this.exclusions = exclusions
    this.formula = formula
    this.made = undefined
  }

  get key(): string {
    this.made ??= keyOf(this)
    return this.made
  }
}

function keyOf(statement: Omit<Statement, 'key'>): string {
  const texts = (list: readonly { readonly value: { readonly text: string } }[]) => [...new Set(list.map(({ value }) => value.text))].sort()
  return JSON.stringify([
    statement.effect,
    texts(statement.identities),
    [...new Set(statement.boxes.map(({ region, type, name }) => `${region.text}:${type.text}:${name.text}`))].sort(),
    texts(statement.actions),
    [...new Set(statement.exclusions.map(({ dimension, pattern }) => `${dimension} ${pattern.text}`))].sort(),
    printFormula(statement.formula),
  ])
}
