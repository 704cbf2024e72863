import type { Test } from '../conditions/test.ts'
import type { Truth } from '../conditions/truth.ts'
import { covers, glob } from '../glob.ts'
import type { Condition, Policy, World } from '../policy.ts'
import { factNames } from '../simulate/facts.ts'
import type { ResourceGroupUrn } from '../urn/resource.ts'
import { resourceGroupOf } from '../world.ts'
import { type Allowance, always, type Formula, isAlways, never, printFormula, satisfy, tooMany } from './formula.ts'

/**
 * What is left of a condition once everything that is known is put in its place: a formula over the facts that are not,
 * simplified (spec: policy language, section 3, Conditions).
 */

export function isNever(formula: Formula): boolean {
  return formula.kind === 'or' && formula.operands.length === 0
}

/** All of them hold. */
export function allOf(formulas: readonly Formula[]): Formula {
  return joined('and', formulas)
}

/** At least one holds. */
export function anyOf(formulas: readonly Formula[]): Formula {
  return joined('or', formulas)
}

/** It does not hold. */
export function notSo(formula: Formula): Formula {
  if (isAlways(formula)) return never
  if (isNever(formula)) return always
  if (formula.kind === 'not' && formula.operands.length === 1) return formula.operands[0] as Formula
  return { kind: 'not', operands: [formula] }
}

const keys = new WeakMap<Formula, string>()

/** A text that is the same for equal formulas, worked out once for each. */
export function keyOf(formula: Formula): string {
  const known = keys.get(formula) ?? printFormula(formula)
  keys.set(formula, known)
  return known
}

/** Flat, each operand once, without those that do not count; an operand that contains another one whole says nothing more. */
function joined(kind: 'and' | 'or', formulas: readonly Formula[]): Formula {
  if (formulas.length === 1) return formulas[0] as Formula
  const [neutral, decisive] = kind === 'and' ? [isAlways, isNever] : [isNever, isAlways]
  const parts = new Map<string, Formula>()
  for (const formula of formulas) {
    for (const part of formula.kind === kind ? formula.operands : [formula]) {
      if (decisive(part)) return kind === 'and' ? never : always
      if (!neutral(part)) parts.set(keyOf(part), part)
    }
  }
  const inner = kind === 'and' ? 'or' : 'and'
  const kept = [...parts.values()].filter((part) => !(part.kind === inner && part.operands.some((operand) => parts.has(keyOf(operand)))))
  return kept.length === 1 ? (kept[0] as Formula) : { kind, operands: kept }
}

/** What is left of a condition: each comparison decided by `truth`, or kept. */
export function residueOf(condition: Condition | undefined, truth: (test: Test) => Truth): Formula {
  if (!condition) return always
  switch (condition.kind) {
    case 'match': {
      const holds = truth(condition.test)
      return holds === undefined ? { kind: 'test', test: condition.test } : holds ? always : never
    }
    case 'opaque':
      return { kind: 'opaque', text: condition.text }
    case 'not':
      return notSo(anyOf(condition.operands.map((operand) => residueOf(operand, truth))))
    case 'and':
      return allOf(condition.operands.map((operand) => residueOf(operand, truth)))
    default:
      return anyOf(condition.operands.map((operand) => residueOf(operand, truth)))
  }
}

/** What is left of a formula once more comparisons are decided. */
export function settled(formula: Formula, truth: (test: Test) => Truth): Formula {
  switch (formula.kind) {
    case 'test': {
      const holds = truth(formula.test)
      return holds === undefined ? formula : holds ? always : never
    }
    case 'and':
      return allOf(formula.operands.map((part) => settled(part, truth)))
    case 'or':
      return anyOf(formula.operands.map((part) => settled(part, truth)))
    case 'not':
      return notSo(anyOf(formula.operands.map((part) => settled(part, truth))))
    default:
      return formula
  }
}

/** How many comparisons of names and types are tried both ways. */
const mostChoices = 6

/** Whether a formula holds for certain for a resource of some type and name: these can be chosen, other facts cannot. */
export function isSureSomewhere(formula: Formula, certainty: (formula: Formula) => Certainty, chosen: readonly Formula[] = []): boolean {
  const sure = certainty(formula)
  if (sure === 'never') return false
  if (sure === 'always') return certainty(allOf(chosen)) !== 'never'
  const test = chosen.length < mostChoices ? urnTest(formula) : undefined
  if (!test) return false
  const [holds, key] = [{ kind: 'test', test } as const, keyOf({ kind: 'test', test })]
  return [true, false].some((truth) =>
    isSureSomewhere(
      settled(formula, (other) => (keyOf({ kind: 'test', test: other }) === key ? truth : undefined)),
      certainty,
      [...chosen, truth ? holds : notSo(holds)],
    ),
  )
}

/** A comparison of the resource's type or name in a formula. */
function urnTest(formula: Formula): Test | undefined {
  if (formula.kind === 'test') return ['name', 'type'].includes(formula.test.subject.kind) ? formula.test : undefined
  if (formula.kind !== 'and' && formula.kind !== 'or' && formula.kind !== 'not') return undefined
  for (const part of formula.operands) {
    const found = urnTest(part)
    if (found) return found
  }
  return undefined
}

/** That a resource is in one of the unknown groups that an entry names; a narrower entry's unknown groups are this one's too. */
export function inUnknownGroup(entry: ResourceGroupUrn, unknown: readonly ResourceGroupUrn[]): Formula {
  const texts = new Set([entry.text])
  for (const other of unknown) if (covers(entry.glob, glob(other.text))) texts.add(other.text)
  return anyOf([...texts].sort().map((text): Formula => ({ kind: 'opaque', text: factNames.group(text) })))
}

/** The resource group entries of policies whose members the world does not tell, or not all of them. */
export function unknownResourceGroups(policies: Iterable<Policy>, world: World): readonly ResourceGroupUrn[] {
  const entries = new Map<string, ResourceGroupUrn>()
  for (const { resources } of policies) {
    for (const { value } of resources) {
      if (value.kind !== 'group') continue
      if (value.glob.pieces.length > 1 || !resourceGroupOf(world, value.text)?.complete) entries.set(value.text, value)
    }
  }
  return [...entries.values()]
}

const [allowsIt, deniesIt] = [' allows it', ' denies it']

/** What a permissions group that the world does not hold may do. */
export function outcomeFormula(group: string, effect: 'allow' | 'deny'): Formula {
  return { kind: 'opaque', text: `${factNames.permissionsGroup(group)}${effect === 'allow' ? allowsIt : deniesIt}` }
}

/** Whether a formula holds however the facts in it turn out, never, or depending on them. */
export type Certainty = 'always' | 'never' | 'depends'

/** Judges formulas. */
export interface Judge {
  readonly certainty: (formula: Formula) => Certainty
  /** Whether for some formula not every combination of facts was tried: it is `depends` for want of time. */
  readonly isApproximate: () => boolean
}

/** What to say of an answer whose judge was approximate. */
export const approximateReason = 'the conditions leave too many combinations of facts to try them all: more may be certain than is shown'

/** How many comparisons are looked at in search of contexts: for one formula, and for all of an answer. */
const [mostForOne, mostForAll] = [500_000, 10_000_000]

/** Judge formulas, each once, within one budget for all of them: a number of comparisons, the same on every machine. */
export function judgeOf(): Judge {
  let left = mostForAll
  let isApproximate = false
  const known = new Map<string, Certainty>()
  const holds = (formula: Formula) => {
    const size = sizeOf(formula)
    const steps = Math.floor(Math.min(mostForOne, left) / size)
    const allowance: Allowance = { left: steps }
    const model = satisfy([formula], { allowance })
    left -= (steps - Math.max(0, allowance.left)) * size
    return model
  }
  const certainty = (formula: Formula): Certainty => {
    if (isAlways(formula)) return 'always'
    if (isNever(formula)) return 'never'
    const key = keyOf(formula)
    const found = known.get(key)
    if (found) return found
    const searchable = withTextsAsTags(formula)
    const [some, other] = [holds(searchable), holds(notSo(searchable))]
    const judged = some === undefined ? 'never' : other === undefined ? 'always' : 'depends'
    if (some === tooMany || other === tooMany) isApproximate = true
    known.set(key, judged)
    return judged
  }
  return { certainty, isApproximate: () => isApproximate }
}

function sizeOf(formula: Formula): number {
  if (formula.kind !== 'and' && formula.kind !== 'or' && formula.kind !== 'not') return 1
  return formula.operands.reduce((sum, part) => sum + sizeOf(part), 1)
}

/** Comparisons of a resource's name and type, made ones that the search for contexts knows how to vary. */
function withTextsAsTags(formula: Formula): Formula {
  switch (formula.kind) {
    case 'and':
    case 'or':
    case 'not':
      return { kind: formula.kind, operands: formula.operands.map(withTextsAsTags) }
    case 'test': {
      const { kind } = formula.test.subject
      if (kind !== 'name' && kind !== 'type') return formula
      return { kind: 'test', test: { ...formula.test, subject: { kind: 'tag', parameter: `${kind} of the resource` } } }
    }
    default:
      return formula
  }
}

/** The facts that a formula looks at, named as `can` names them; sorted. Name and type of the resource are none. */
export function factsIn(formula: Formula): readonly string[] {
  const names = new Set<string>()
  const visit = (part: Formula) => {
    if (part.kind === 'and' || part.kind === 'or' || part.kind === 'not') part.operands.forEach(visit)
    else if (part.kind === 'opaque') names.add(part.text.startsWith('permissionsGroup:') ? withoutOutcome(part.text) : part.text)
    else if (part.kind === 'test') {
      const { kind, parameter } = part.test.subject
      if (kind === 'ip') names.add(factNames.ip)
      if (kind === 'tag') names.add(factNames.tag(parameter))
    }
  }
  visit(formula)
  return [...names].sort()
}

function withoutOutcome(text: string): string {
  for (const end of [allowsIt, deniesIt]) if (text.endsWith(end)) return text.slice(0, -end.length)
  return text
}
