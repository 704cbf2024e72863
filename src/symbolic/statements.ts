import { patternsOf } from '../conditions/sets.ts'
import type { Test } from '../conditions/test.ts'
import { fillWildcards, type Glob, isPattern } from '../glob.ts'
import { keyOf } from '../keys.ts'
import type { Memoize } from '../memo.ts'
import type { Policy, World } from '../policy.ts'
import { PatternIndex } from '../simulate/pattern-index.ts'
import type { Located } from '../source.ts'
import type { IdentityUrn } from '../urn/identity.ts'
import { type ResourceGroupUrn, readResource } from '../urn/resource.ts'
import { type Box, boxesOf, boxText, everywhere, meetBoxes } from './boxes.ts'
import {
  always,
  atomsOf,
  comparison,
  compound,
  conjunction,
  type Formula,
  formulaOf,
  groupDecides,
  isNever,
  openFact,
  printFormula,
  settled,
  until,
} from './formula.ts'
import { literal, meet, meetIfFeasible } from './patterns.ts'
import { memberships, openGroups, placeOf } from './place.ts'
import { permissionsOf } from './regions.ts'

/**
 * Policies as statements, over which inclusion is decided (docs/analysis.md, Statements). One statement for each permission
 * set and effect; what a condition says of the resource's type and name, and the members of groups, become part of what the
 * statement is about, so that only context is left in its formula.
 */

export type Dimension = 'type' | 'name' | 'action'

/** An exclusion of a statement: requests whose string in this dimension the pattern matches. */
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

/** The common subject of two statements, apart from the callers. Throws `Undecided`: see `meet`. */
export function meetStatements(a: Statement, b: Statement): Pick<Statement, 'actions' | 'boxes' | 'exclusions'> {
  return {
    actions: a.actions.flatMap(({ value, span }) =>
      b.actions.flatMap((other) => meet(value, other.value).map((met) => ({ value: met, span }))),
    ),
    boxes: a.boxes.flatMap((mine) => b.boxes.flatMap((other) => meetBoxes(mine, other))),
    exclusions: [...a.exclusions, ...b.exclusions],
  }
}

export const isAllow = ({ effect }: Statement): boolean => effect === 'allow'
export const isDeny = ({ effect }: Statement): boolean => effect === 'deny'

/** Patterns, each once, asked which of them match a name. */
export class PatternList {
  readonly all: readonly Glob[]
  /** Made when it is first asked for. */
  private index: { readonly patterns: PatternIndex; readonly byNumber: readonly Glob[]; readonly names: readonly Glob[] } | undefined

  constructor(patterns: Iterable<Glob>) {
    this.all = [...new Map(Array.from(patterns, (pattern) => [pattern.text, pattern])).values()]
  }

  matching(text: string): readonly Glob[] {
    this.index ??= indexed(this.all)
    const { patterns, byNumber, names } = this.index
    const globs = patterns.matching(text).map((number) => byNumber[number] as Glob)
    return names.length === 0 ? globs : [...globs, ...names.filter((name) => name.text === text)]
  }
}

function indexed(all: readonly Glob[]) {
  const patterns = new PatternIndex()
  const byNumber: Glob[] = []
  for (const pattern of all) if (!isStarred(pattern)) byNumber[patterns.add(pattern)] ??= pattern
  // The index takes each `*` for a wildcard, also that of a name.
  return { patterns, byNumber, names: all.filter(isStarred) }
}

const isStarred = (pattern: Glob) => !isPattern(pattern) && pattern.text.includes('*')

/** Every pattern in statements, by the kind of string that it is compared with. */
export type Patterns = Readonly<Record<'identities' | 'regions' | 'types' | 'names' | 'actions', PatternList>>

export function patternsIn(statements: readonly Statement[]): Patterns {
  const once = (globsOf: (statement: Statement) => readonly Glob[]) => new PatternList(statements.flatMap(globsOf))
  const excluded = ({ exclusions }: Statement, kind: Dimension) => exclusions.flatMap((e) => (e.dimension === kind ? [e.pattern] : []))
  return {
    identities: once((s) => s.identities.map(({ value }) => value.glob)),
    regions: once((s) => s.boxes.map((b) => b.region)),
    types: once((s) => [...s.boxes.map((b) => b.type), ...excluded(s, 'type')]),
    names: once((s) => [...s.boxes.map((b) => b.name), ...excluded(s, 'name')]),
    actions: once((s) => [...s.actions.map(({ value }) => value), ...excluded(s, 'action')]),
  }
}

export function patternsTogether(parts: readonly Patterns[]): Patterns {
  const all = (key: keyof Patterns) => new PatternList(parts.flatMap((part) => part[key].all))
  return { identities: all('identities'), regions: all('regions'), types: all('types'), names: all('names'), actions: all('actions') }
}

/**
 * The statements of a world, in the order of its policies. Where worlds are compared, each is given the others, so that all have the
 * same open groups.
 */
export function statementsOf(
  world: World,
  others: World | readonly World[] = [],
  keep: Memoize = (make, key) => make(key),
): readonly Statement[] {
  const open = [world, ...[others].flat()].flatMap((each) => openGroups(each.policies, each))
  return world.policies.flatMap((policy) => (isAlone(policy) ? keep(statementsAlone, policy) : policyStatements(policy, world, open)))
}

/** Whether a policy refers to no group, and so has the same statements in every world. */
export function isAlone({ resources, permissionsGroups }: Policy): boolean {
  return permissionsGroups.length === 0 && resources.every(({ value }) => value.kind === 'resource')
}

/** The statements of a policy that refers to no group. */
export function statementsAlone(policy: Policy, parts: readonly Part[] = partsAlone(policy)): readonly Statement[] {
  return policyStatements(policy, nothing(), [], parts)
}

/** The parts of a policy that refers to no group: the same for policies with the same resources and condition. */
export function partsAlone(policy: Policy): readonly Part[] {
  return partsOf(policy, scopesOf(policy, nothing(), []))
}

function nothing(): World {
  const none = new Map<string, never>()
  return { policies: [], permissionsGroups: none, resourceGroups: none, resources: none, identities: none }
}

function policyStatements(
  policy: Policy,
  world: World,
  open: readonly ResourceGroupUrn[],
  parts = partsOf(policy, scopesOf(policy, world, open)),
): readonly Statement[] {
  const expiry: Formula = policy.expiresAt ? until(policy.expiresAt.value) : always
  const out: Statement[] = []
  for (const { set, group, isKnown } of permissionsOf(policy, world)) {
    for (const effect of ['allow', 'deny'] as const) {
      if (set[effect].length === 0) continue
      const does = group === undefined || isKnown ? always : groupDecides(group, effect)
      const excepted: Exclusion[] = effect === 'allow' ? set.except.map(({ value }) => ({ dimension: 'action', pattern: value })) : []
      for (const part of parts) {
        const formula = conjunction(conjunction(does, part.formula), expiry)
        if (hasNever(formula)) continue
        out.push(
          new PolicyStatement({
            effect,
            policy,
            group,
            identities: policy.identities,
            boxes: part.boxes,
            actions: set[effect],
            exclusions: [...excepted, ...part.exclusions],
            formula,
          }),
        )
      }
    }
  }
  return out
}

/** A set of the resources of a policy in one case of its condition. */
export interface Part {
  readonly boxes: readonly Box[]
  readonly exclusions: readonly Exclusion[]
  readonly formula: Formula
}

/** The parts of a policy: each set of resources with each case of its condition there. */
function partsOf({ condition }: Policy, scopes: readonly Scope[]): readonly Part[] {
  if (!condition) return scopes.map((scope) => ({ ...scope, exclusions: [] }))
  const formula = formulaOf(condition)
  const parts: Part[] = []
  const cases = conditionCases(formula)
  for (const scope of scopes) {
    for (const one of cases ?? []) {
      const boxes = narrowed(scope.boxes, one)
      if (!boxes) return scopes.map((whole) => unsplit(whole, formula))
      if (boxes.length > 0) parts.push({ boxes, exclusions: one.exclusions, formula: conjunction(scope.formula, one.formula) })
    }
  }
  return cases ? parts : scopes.map((scope) => unsplit(scope, formula))
}

/**
 * A condition with too many cases of type and name becomes a fact that cannot be known: it holds or it does not, the same in
 * every policy. That never hides new access; access that rests on it is only possibly new.
 */
function unsplit(scope: Scope, formula: Formula): Part {
  const is = { kind: 'condition', text: `condition ${printFormula(formula)}`, holds: true } as const
  return { ...scope, exclusions: [], formula: conjunction(scope.formula, openFact(is)) }
}

function hasNever(formula: Formula): boolean {
  return isNever(formula) || (formula.kind === 'and' && formula.operands.some(hasNever))
}

/** Where a policy applies, as boxes. */
interface Scope {
  readonly boxes: readonly Box[]
  readonly formula: Formula
}

/** One set for all resources named by URNs and all known members, one for each group whose members are not all known. */
function scopesOf(policy: Policy, world: World, openGroups: readonly ResourceGroupUrn[]): readonly Scope[] {
  const boxes: Box[] = []
  const open: Scope[] = []
  for (const { value } of policy.resources) {
    if (value.kind === 'resource') boxes.push(...boxesOf(value))
    else {
      const place = placeOf(value, world)
      if (place.kind === 'pattern') continue
      for (const member of place.members) boxes.push(boxOfMember(member))
      if (place.isOpen) open.push({ boxes: [everywhere], formula: compound('or', memberships(value, openGroups)) })
    }
  }
  return boxes.length > 0 ? [{ boxes, formula: always }, ...open] : open
}

function boxOfMember(urn: string): Box {
  const [, , region = '', , ...rest] = urn.split(':')
  return { region: literal(region), type: literal(rest[0] as string), name: literal(rest.slice(1).join(':')) }
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
  for (let test = nameTests(formula)[0]; test; test = cases.map((c) => nameTests(c.formula)[0]).find((t) => t)) {
    if (cases.length > mostCases) return undefined
    const dimension = test.subject.kind === 'type' ? 'type' : 'name'
    const patterns = legalPatterns(test)
    const key = printFormula(comparison(test))
    const isChosen = (other: Test) => printFormula(comparison(other)) === key
    cases = cases.flatMap((before) => {
      if (!nameTests(before.formula).some(isChosen)) return [before]
      const settledBy = (truth: boolean) => settled(before.formula, (other) => (isChosen(other) ? truth : undefined))
      const holds = {
        ...before,
        formula: settledBy(true),
        ...(dimension === 'type' ? { types: [...before.types, patterns] } : { names: [...before.names, patterns] }),
      }
      const fails = {
        ...before,
        formula: settledBy(false),
        exclusions: [...before.exclusions, ...patterns.map((pattern): Exclusion => ({ dimension, pattern }))],
      }
      return [holds, fails].filter((c) => !isNever(c.formula))
    })
  }
  return cases
}

/** The comparisons of the resource's type and name in a formula. */
function nameTests(formula: Formula): readonly Test[] {
  return [...atomsOf(formula)].flatMap((atom) =>
    atom.kind === 'test' && (atom.test.subject.kind === 'type' || atom.test.subject.kind === 'name') ? [atom.test] : [],
  )
}

/**
 * The types or names that pass a test, as patterns. A value that is in no legal type or name, for any match of a wildcard next to
 * it, gives none.
 */
function legalPatterns({ subject, set }: Test): readonly Glob[] {
  const legal = (text: string) => {
    const urn = subject.kind === 'type' ? `urn:v1:eu:resource:${text}:x` : `urn:v1:eu:resource:x:${text}`
    return (subject.kind === 'name' || !text.includes(':')) && readResource(urn, { pattern: false }).value !== undefined
  }
  return patternsOf(set).filter((pattern) => legal(fillWildcards(pattern, 'x')))
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
          const met = meetIfFeasible(box[dimension], pattern)
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

/** A statement whose key is made when it is first asked for. A copy of it has none: it is given one. */
class PolicyStatement implements Statement {
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
    this.made ??= statementKey(this)
    return this.made
  }
}

/** A statement as one of another policy; its key is still made when it is asked for. */
export function ofPolicy(statement: Statement, policy: Policy): Statement {
  return new PolicyStatement({ ...statement, policy })
}

function statementKey(statement: Omit<Statement, 'key'>): string {
  const texts = (list: readonly { readonly value: { readonly text: string } }[]) => [...new Set(list.map(({ value }) => value.text))].sort()
  return keyOf(
    statement.effect,
    texts(statement.identities),
    [...new Set(statement.boxes.map(boxText))].sort(),
    texts(statement.actions),
    [...new Set(statement.exclusions.map(({ dimension, pattern }) => keyOf(dimension, pattern.text)))].sort(),
    printFormula(statement.formula),
  )
}
