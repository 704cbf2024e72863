import { type Address, printAddress } from '../conditions/address.ts'
import { holdsAddress, holdsClock, holdsText, type Test } from '../conditions/test.ts'
import { every, not, some, type Truth } from '../conditions/truth.ts'
import type { Condition } from '../policy.ts'
import { addressClasses, textClasses } from '../simulate/completion.ts'
import { clockClasses, clockOf } from './clock.ts'

/**
 * When a statement applies, as far as that depends on the context: tags, address and time of the request, and facts that
 * nobody can tell (spec: analysis, 6.6). What it says about the resource's type and name is moved to its boxes before.
 */
export type Formula =
  | { readonly kind: 'test'; readonly test: Test }
  /** The instant is not after `at`: an expiry. */
  | { readonly kind: 'until'; readonly at: number }
  /** What cannot be told: equal to itself wherever the same text stands. */
  | { readonly kind: 'opaque'; readonly text: string }
  | { readonly kind: 'and' | 'or' | 'not'; readonly operands: readonly Formula[] }

export const always: Formula = { kind: 'and', operands: [] }
export const never: Formula = { kind: 'or', operands: [] }

export function isAlways(formula: Formula): boolean {
  return formula.kind === 'and' && formula.operands.length === 0
}

export function both(a: Formula, b: Formula): Formula {
  if (isAlways(a)) return b
  return isAlways(b) ? a : { kind: 'and', operands: [a, b] }
}

export function negation(formula: Formula): Formula {
  return formula.kind === 'not' && formula.operands.length === 1 ? (formula.operands[0] as Formula) : { kind: 'not', operands: [formula] }
}

/** The condition as a formula, each leaf as `leaf` gives it. */
export function formulaOf(condition: Condition, leaf: (test: Test) => Formula): Formula {
  switch (condition.kind) {
    case 'match':
      return leaf(condition.test)
    case 'opaque':
      return { kind: 'opaque', text: condition.text }
    default:
      return { kind: condition.kind, operands: condition.operands.map((operand) => formulaOf(operand, leaf)) }
  }
}

/** Whether a formula looks at a fact that cannot be told. */
export function hasOpaque(formula: Formula): boolean {
  if (formula.kind === 'and' || formula.kind === 'or' || formula.kind === 'not') return formula.operands.some(hasOpaque)
  return formula.kind === 'opaque'
}

/** A text that is the same for equal formulas. */
export function printFormula(formula: Formula): string {
  switch (formula.kind) {
    case 'test':
      return JSON.stringify([
        formula.test.subject.kind,
        formula.test.subject.parameter,
        formula.test.operator,
        formula.test.values ?? formula.test.numbers ?? formula.test.addresses?.map((r) => `${r.family}:${r.first}-${r.last}`),
      ])
    case 'until':
      return `until ${formula.at}`
    case 'opaque':
      return JSON.stringify(formula.text)
    default:
      return `${formula.kind}(${formula.operands.map(printFormula).join(',')})`
  }
}

/** A context in which a formula holds: every fact that it looks at. */
export interface Model {
  readonly ip?: Address
  /** null: no such tag. */
  readonly tags: ReadonlyMap<string, string | null>
  readonly at?: number
  /** What is assumed of facts that cannot be told. */
  readonly opaque: ReadonlyMap<string, boolean>
}

export const emptyModel: Model = { tags: new Map(), opaque: new Map() }

/** The answer where more combinations of facts would have to be tried than the budget allows. */
export const tooMany = 'too many'

/** How many steps searches may still take together: a number of steps, so that it is the same on every machine. */
export interface Allowance {
  left: number
}

const mostSteps = 100_000
/** Each fact is one level of the search. */
const mostFacts = 1_000

/**
 * A context in which all the formulas hold, undefined when there is none, or `tooMany`. Exact: every fact has finitely
 * many classes. Without `assume`, a context in which they hold whatever the facts are that nobody can tell.
 */
export function satisfy(
  formulas: readonly Formula[],
  { assume = true, allowance = { left: mostSteps } }: { readonly assume?: boolean; readonly allowance?: Allowance } = {},
): Model | undefined | typeof tooMany {
  const parts = formulas.filter((formula) => !isAlways(formula))
  if (parts.length === 0) return emptyModel
  const facts = factsOf(parts, assume)
  if (facts.length > mostFacts) return tooMany
  const search = (model: Model, next: number): Model | undefined | typeof tooMany => {
    if (--allowance.left < 0) return tooMany
    const truth = every(parts, (part) => evaluate(part, model))
    if (truth === true) return model
    const fact = truth === false ? undefined : facts[next]
    for (const extend of fact ?? []) {
      const found = search(extend(model), next + 1)
      if (found) return found
    }
    return undefined
  }
  const found = search(emptyModel, 0)
  return found && found !== tooMany ? withoutNeedless(found, parts) : found
}

/** The model without the facts that do not matter: what is left is what has to be given, and what has to be assumed. */
function withoutNeedless(model: Model, parts: readonly Formula[]): Model {
  const holds = (less: Model) => every(parts, (part) => evaluate(part, less)) === true
  const without = <T>(map: ReadonlyMap<string, T>, key: string) => new Map([...map].filter(([k]) => k !== key))
  let least = model
  const drop = (less: Model) => {
    if (holds(less)) least = less
  }
  for (const text of model.opaque.keys()) drop({ ...least, opaque: without(least.opaque, text) })
  for (const key of model.tags.keys()) drop({ ...least, tags: without(least.tags, key) })
  const { ip: _ip, ...noAddress } = least
  if (least.ip) drop(noAddress)
  const { at: _at, ...timeless } = least
  if (least.at !== undefined) drop(timeless)
  return least
}

/** Whether a formula holds in a context, as far as the model tells. */
export function evaluate(formula: Formula, model: Model): Truth {
  switch (formula.kind) {
    case 'and':
      return every(formula.operands, (operand) => evaluate(operand, model))
    case 'or':
      return some(formula.operands, (operand) => evaluate(operand, model))
    case 'not':
      return not(some(formula.operands, (operand) => evaluate(operand, model)))
    case 'opaque':
      return model.opaque.get(formula.text)
    case 'until':
      return model.at === undefined ? undefined : model.at <= formula.at
    default: {
      const { test } = formula
      if (test.subject.kind === 'ip') return model.ip && holdsAddress(test, model.ip)
      if (test.subject.kind === 'tag') {
        const value = model.tags.get(test.subject.parameter)
        return value === undefined ? undefined : value !== null && holdsText(test, value)
      }
      return model.at === undefined ? undefined : holdsClock(test, clockOf(test.subject.parameter, model.at))
    }
  }
}

type Extend = (model: Model) => Model

/** The facts that formulas look at, each as the list of ways to set it that they can tell apart. */
function factsOf(formulas: readonly Formula[], assume: boolean): readonly (readonly Extend[])[] {
  const ip: Test[] = []
  const tags = new Map<string, Test[]>()
  const clock: Test[] = []
  const expiries: number[] = []
  const opaque = new Set<string>()
  const visit = (formula: Formula) => {
    if (formula.kind === 'opaque') {
      if (assume) opaque.add(formula.text)
    } else if (formula.kind === 'until') expiries.push(formula.at)
    else if (formula.kind === 'test') {
      const { kind, parameter } = formula.test.subject
      if (kind === 'ip') ip.push(formula.test)
      else if (kind === 'tag') tags.set(parameter, [...(tags.get(parameter) ?? []), formula.test])
      else clock.push(formula.test)
    } else formula.operands.forEach(visit)
  }
  formulas.forEach(visit)
  const facts: Extend[][] = [...opaque].map((text) =>
    [false, true].map((holds) => (model) => ({ ...model, opaque: new Map([...model.opaque, [text, holds]]) })),
  )
  for (const [key, tests] of tags)
    facts.push(textClasses(tests).map((text) => (model) => ({ ...model, tags: new Map([...model.tags, [key, text]]) })))
  if (ip.length > 0) facts.push(addressClasses(ip).map((address) => (model) => ({ ...model, ip: address })))
  if (clock.length + expiries.length > 0) facts.push(clockClasses(clock, expiries).map((at) => (model) => ({ ...model, at })))
  return facts
}

/** A model in words, for messages: `request.IP 192.0.2.1, resource.Tag(env) absent`. */
export function modelWords({ ip, tags, at, opaque }: Model): string {
  return [
    ...(ip ? [`request.IP ${printAddress(ip)}`] : []),
    ...[...tags].map(([key, value]) => `resource.Tag(${key}) ${value === null ? 'absent' : `\`${value}\``}`),
    ...(at === undefined ? [] : [`at ${new Date(at).toISOString()}`]),
    ...[...opaque].map(([text, holds]) => `${text} ${holds ? 'holds' : 'does not hold'}`),
  ].join(', ')
}
