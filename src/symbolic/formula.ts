import { type Allowance, isExceeded, take, unlessUndecided } from '../budget.ts'
import { pushTo } from '../collections.ts'
import type { Address } from '../conditions/address.ts'
import type { ValueSet } from '../conditions/sets.ts'
import { holdsAddress, holdsAt, holdsText, isOfTime, type Test } from '../conditions/test.ts'
import { not, type Truth } from '../conditions/truth.ts'
import type { Condition } from '../policy.ts'
import { addressClasses, textClasses } from '../simulate/completion.ts'
import type { Fact, FactValue, Question } from '../simulate/decision.ts'
import { factOf, factText } from '../simulate/facts.ts'
import { typeAndName } from '../urn/resource.ts'
import { classes } from './clock.ts'

/**
 * When something applies, as far as that depends on the context: tags, address and time of the request, and facts that
 * are not known (docs/analysis.md, Classes of contexts).
 */
export type Formula = Comparison | Until | OpenFact | Compound

/** A formula keeps its own text: many are compared again and again, and most never. */
abstract class Printable {
  #text: string | undefined

  /** The same for equal formulas. */
  get text(): string {
    this.#text ??= this.print()
    return this.#text
  }

  protected abstract print(): string
}

class Comparison extends Printable {
  readonly kind = 'test'
  readonly test: Test
  /** Under which key a model has the text that it compares; undefined where it compares none. */
  readonly key: string | undefined

  constructor(test: Test) {
    super()
    this.test = test
    this.key = test.set.kind === 'strings' ? textKey(test.subject) : undefined
  }

  protected print(): string {
    const { subject, operator, set } = this.test
    return JSON.stringify([subject.kind, subject.parameter, operator, valuesOf(set)])
  }
}

function valuesOf(set: ValueSet): readonly (string | number)[] {
  switch (set.kind) {
    case 'strings':
      return set.values
    case 'numbers':
      return set.named
    case 'addresses':
      return set.named.map(({ family, first, last }) => `${family}:${first}-${last}`)
    default:
      return set satisfies never
  }
}

/** The instant is not after `at`: an expiry. */
class Until extends Printable {
  readonly kind = 'until'
  readonly at: number

  constructor(at: number) {
    super()
    this.at = at
  }

  protected print(): string {
    return `until ${this.at}`
  }
}

/** A fact that cannot be known: its value is the same in all places. */
class OpenFact extends Printable {
  readonly kind = 'fact'
  readonly is: OpenValue
  #fact: string | undefined

  constructor(is: OpenValue) {
    super()
    this.is = is
  }

  /** The fact as models have it. */
  get fact(): string {
    this.#fact ??= openText(this.is)
    return this.#fact
  }

  protected print(): string {
    return JSON.stringify(this.fact)
  }
}

class Compound extends Printable {
  readonly kind: 'and' | 'or' | 'not'
  readonly operands: readonly Formula[]

  constructor(kind: Compound['kind'], operands: readonly Formula[]) {
    super()
    this.kind = kind
    this.operands = operands
  }

  protected print(): string {
    return `${this.kind}(${this.operands.map(printFormula).join(',')})`
  }
}

/** Facts that no question can give: only the world could. */
export type OpenValue = Exclude<FactValue, { readonly kind: 'address' | 'tag' }>

/** The comparison holds. */
export const comparison = (test: Test): Formula => new Comparison(test)

/** The instant is not after `at`. */
export const until = (at: number): Formula => new Until(at)

/** A fact that cannot be known has this value. */
export const openFact = (is: OpenValue): Formula => new OpenFact(is)

/** The formulas joined as they are, not simplified; `not`: none of them holds. */
export const compound = (kind: 'and' | 'or' | 'not', operands: readonly Formula[]): Formula => new Compound(kind, operands)

export const always: Formula = compound('and', [])
export const never: Formula = compound('or', [])

export function isAlways(formula: Formula): boolean {
  return formula.kind === 'and' && formula.operands.length === 0
}

export function isNever(formula: Formula): boolean {
  return formula.kind === 'or' && formula.operands.length === 0
}

/** The resource is in a group that an entry names. `name`: that of the group, for display. */
export function isMember(urn: string, name?: string): Formula {
  return openFact({ kind: 'resourceGroup', urn, isMember: true, ...(name !== undefined && { name }) })
}

/** A permissions group that is not known allows, or denies, what is asked. */
export function groupDecides(urn: string, outcome: 'allow' | 'deny'): Formula {
  return openFact({ kind: 'permissionsGroup', urn, outcome })
}

export function conjunction(a: Formula, b: Formula): Formula {
  if (isAlways(a)) return b
  return isAlways(b) ? a : compound('and', [a, b])
}

export function negation(formula: Formula): Formula {
  return formula.kind === 'not' && formula.operands.length === 1 ? (formula.operands[0] as Formula) : compound('not', [formula])
}

/** The formula with its facts replaced. */
export function withFacts(formula: Formula, other: (is: OpenValue) => OpenValue): Formula {
  switch (formula.kind) {
    case 'fact':
      return openFact(other(formula.is))
    case 'and':
    case 'or':
    case 'not':
      return compound(
        formula.kind,
        formula.operands.map((part) => withFacts(part, other)),
      )
    default:
      return formula
  }
}

/** All of them hold; simplified. */
export function allOf(formulas: readonly Formula[]): Formula {
  return joined('and', formulas)
}

/** At least one holds; simplified. */
export function anyOf(formulas: readonly Formula[]): Formula {
  return joined('or', formulas)
}

/** It does not hold; simplified. */
export function noneOf(formula: Formula): Formula {
  if (isAlways(formula)) return never
  return isNever(formula) ? always : negation(formula)
}

/** Flat, each operand once, without those that do not count; an operand that contains another one whole says nothing more. */
function joined(kind: 'and' | 'or', formulas: readonly Formula[]): Formula {
  if (formulas.length === 1) return formulas[0] as Formula
  const [neutral, decisive] = kind === 'and' ? [isAlways, isNever] : [isNever, isAlways]
  const flat: Formula[] = []
  for (const formula of formulas) {
    for (const part of formula.kind === kind ? formula.operands : [formula]) {
      if (decisive(part)) return part
      if (!neutral(part)) flat.push(part)
    }
  }
  if (flat.length < 2) return flat[0] ?? compound(kind, [])
  const parts = new Map(flat.map((part) => [printFormula(part), part]))
  const inner = kind === 'and' ? 'or' : 'and'
  const remaining = [...parts.values()].filter(
    (part) => !(part.kind === inner && part.operands.some((operand) => parts.has(printFormula(operand)))),
  )
  return remaining.length === 1 ? (remaining[0] as Formula) : compound(kind, remaining)
}

/** The condition as a formula. */
export function formulaOf(condition: Condition): Formula {
  switch (condition.kind) {
    case 'match':
      return comparison(condition.test)
    case 'opaque':
      return openFact({ ...factOf(condition), holds: true })
    default:
      return compound(condition.kind, condition.operands.map(formulaOf))
  }
}

/** The rest of a formula once some comparisons are decided: simplified. `at`: the instant, which decides expiries. */
export function settled(formula: Formula, truth: (test: Test) => Truth, instant?: number): Formula {
  switch (formula.kind) {
    case 'test': {
      const holds = truth(formula.test)
      return holds === undefined ? formula : holds ? always : never
    }
    case 'and':
      return allOf(formula.operands.map((part) => settled(part, truth, instant)))
    case 'or':
      return anyOf(formula.operands.map((part) => settled(part, truth, instant)))
    case 'not':
      return noneOf(anyOf(formula.operands.map((part) => settled(part, truth, instant))))
    case 'until':
      return instant === undefined ? formula : instant <= formula.at ? always : never
    default:
      return formula
  }
}

/** Every comparison, expiry and fact of a formula, in order. */
export function* atomsOf(formula: Formula): Iterable<Formula & { readonly kind: 'test' | 'until' | 'fact' }> {
  if (formula.kind === 'test' || formula.kind === 'until' || formula.kind === 'fact') yield formula
  else for (const operand of formula.operands) yield* atomsOf(operand)
}

/** The facts that a formula looks at. Name and type of the resource, and the time, are none: they are always given. */
export function* factsIn(formula: Formula): Iterable<Fact> {
  for (const atom of atomsOf(formula)) {
    if (atom.kind === 'fact') yield atom.is
    else if (atom.kind === 'test') {
      const { kind, parameter } = atom.test.subject
      if (kind === 'ip') yield { kind: 'address' }
      if (kind === 'tag') yield { kind: 'tag', key: parameter }
    }
  }
}

/** The instants from one on. */
export function notBefore(at: number): Formula {
  return negation(until(at - 1))
}

/** Whether a formula looks at the time. */
export function isTimed(formula: Formula): boolean {
  for (const atom of atomsOf(formula)) if (atom.kind === 'until' || (atom.kind === 'test' && isOfTime(atom.test))) return true
  return false
}

/** Formulas at the instants that count: `time` is left out where none looks at the time, since any instant will do then. */
export function withTime(formulas: readonly Formula[], time: Formula): readonly Formula[] {
  return isAlways(time) || !formulas.some(isTimed) ? formulas : [...formulas, time]
}

/** Whether a formula looks at a fact that cannot be known. */
export function hasOpenFacts(formula: Formula): boolean {
  for (const { kind } of atomsOf(formula)) if (kind === 'fact') return true
  return false
}

/** That a fact has a value, as a text: the same for equal ones. */
export function openText(is: OpenValue): string {
  const verb = is.kind !== 'permissionsGroup' ? '' : is.outcome === 'allow' ? ' allows it' : ' denies it'
  return `${factText(is)}${verb}`
}

/** A text that is the same for equal formulas. */
export const printFormula = ({ text }: Formula): string => text

/** A context in which a formula holds: every fact that it looks at. */
export interface Model {
  readonly ip?: Address
  /** null: no such tag. Name and type of the resource are here too, under keys that no tag has. */
  readonly tags: ReadonlyMap<string, string | null>
  readonly at?: number
  /** Assumed values of facts that cannot be known, by `openText`. */
  readonly assumed: ReadonlyMap<string, boolean>
}

export const emptyModel: Model = { tags: new Map(), assumed: new Map() }

/** A question as the context of some formulas: a tag that it does not give is none. */
export function modelOf(
  { resource, at, ip, tags }: Pick<Question, 'resource' | 'at' | 'ip' | 'tags'>,
  formulas: readonly Formula[],
  assumed: Model['assumed'] = new Map(),
): Model {
  const { type, name } = typeAndName(resource)
  const texts = new Map<string, string | null>()
  for (const atom of formulas.flatMap((formula) => [...atomsOf(formula)])) {
    if (atom.kind !== 'test' || atom.key === undefined) continue
    const { kind, parameter } = atom.test.subject
    texts.set(atom.key, kind === 'tag' ? (tags?.get(parameter) ?? null) : kind === 'type' ? type : name)
  }
  return { tags: texts, assumed, at, ...(ip && { ip }) }
}

/** The answer where more combinations of facts would have to be tried than the budget allows. */
export const tooMany = 'too many'

export interface SatisfyOptions {
  /** Whether facts that cannot be known may be assumed. Without it: a context in which the formulas hold for all their values. */
  readonly assume?: boolean
  readonly allowance?: Allowance
}

const mostSteps = 100_000
/** Each fact is one level of the search. */
const mostFacts = 1_000

/**
 * A context in which all the formulas hold, undefined when there is none, or `tooMany`. Exact: every fact has finitely
 * many classes (docs/analysis.md, Classes of contexts).
 */
export function satisfy(
  formulas: readonly Formula[],
  { assume = true, allowance = { left: mostSteps } }: SatisfyOptions = {},
): Model | undefined | typeof tooMany {
  const parts = formulas.filter((formula) => !isAlways(formula))
  if (parts.length === 0) return emptyModel
  const facts = unlessUndecided(
    () => waysToSet(parts, assume, allowance),
    () => undefined,
  )
  if (!facts || facts.length > mostFacts) return tooMany
  const size = parts.reduce((sum, part) => sum + sizeOf(part), 0)
  // One model that is filled and emptied again: each step of many copies would take longer than to look at it.
  const model: Filling = { tags: new Map(), assumed: new Map() }
  const search = (next: number): Model | undefined | typeof tooMany => {
    if (!take(allowance, size)) return tooMany
    const truth = outcome(parts, model, false)
    if (truth === true) return { ...model, tags: new Map(model.tags), assumed: new Map(model.assumed) }
    const fact = truth === false ? undefined : facts[next]
    if (!fact) return undefined
    for (const set of fact.ways) {
      set(model)
      const solution = search(next + 1)
      if (solution) return solution
    }
    fact.clear(model)
    return undefined
  }
  const solution = search(0)
  // The instants that were looked at may not be all.
  if (!solution && isExceeded(allowance)) return tooMany
  return solution && solution !== tooMany ? withoutNeedless(solution, parts) : solution
}

/** How many comparisons, facts and words between them a formula is made of. */
export function sizeOf(formula: Formula): number {
  if (formula.kind !== 'and' && formula.kind !== 'or' && formula.kind !== 'not') return 1
  return formula.operands.reduce((sum, part) => sum + sizeOf(part), 1)
}

/** The model without the facts that do not matter: what is left is what has to be given, and what has to be assumed. */
function withoutNeedless(model: Model, parts: readonly Formula[]): Model {
  const without = <T>(map: ReadonlyMap<string, T>, key: string) => new Map([...map].filter(([k]) => k !== key))
  let least = model
  const drop = (less: Model) => {
    if (outcome(parts, less, false) === true) least = less
  }
  for (const text of model.assumed.keys()) drop({ ...least, assumed: without(least.assumed, text) })
  for (const key of model.tags.keys()) drop({ ...least, tags: without(least.tags, key) })
  const { ip: _ip, ...noAddress } = least
  if (least.ip) drop(noAddress)
  // The time is set last, where all else left it open: it matters.
  return least
}

/** Under which key a model has the text that a test compares: no tag's key holds a NUL. */
function textKey({ kind, parameter }: Test['subject']): string {
  return kind === 'tag' ? parameter : `\0${kind}`
}

/** Of formulas joined: `decides`, if one comes out so; else the opposite, if all are known. Those after the first that decides are not looked at. */
function outcome(formulas: readonly Formula[], model: Model, decides: boolean): Truth {
  let truth: Truth = !decides
  for (const formula of formulas) {
    const holds = evaluate(formula, model)
    if (holds === decides) return holds
    if (holds === undefined) truth = undefined
  }
  return truth
}

/** Whether a formula holds in a context, as far as the model says. */
export function evaluate(formula: Formula, model: Model): Truth {
  switch (formula.kind) {
    case 'and':
      return outcome(formula.operands, model, false)
    case 'or':
      return outcome(formula.operands, model, true)
    case 'not':
      return not(outcome(formula.operands, model, true))
    case 'fact':
      return model.assumed.get(formula.fact)
    case 'until':
      return model.at === undefined ? undefined : model.at <= formula.at
    default: {
      const { test, key } = formula
      if (key !== undefined) {
        const value = model.tags.get(key)
        return value === undefined ? undefined : value !== null && holdsText(test, value)
      }
      if (test.subject.kind === 'ip') return model.ip && holdsAddress(test, model.ip)
      return model.at === undefined ? undefined : holdsAt(test, model.at)
    }
  }
}

/** A model on the way. */
interface Filling {
  ip?: Address
  readonly tags: Map<string, string | null>
  at?: number
  readonly assumed: Map<string, boolean>
}

type Change = (model: Filling) => void

/** A fact that formulas look at, with the ways to set it that they distinguish. */
interface OneFact {
  readonly ways: Iterable<Change>
  readonly clear: Change
}

/** The facts that formulas look at. */
function waysToSet(formulas: readonly Formula[], assume: boolean, { run }: Allowance): readonly OneFact[] {
  const [ip, timed]: [Test[], Test[]] = [[], []]
  const texts = new Map<string, Test[]>()
  const expiries: number[] = []
  const open = new Set<string>()
  for (const atom of formulas.flatMap((formula) => [...atomsOf(formula)])) {
    if (atom.kind === 'fact') {
      if (assume) open.add(atom.fact)
    } else if (atom.kind === 'until') expiries.push(atom.at)
    else {
      const { test, key } = atom
      if (test.subject.kind === 'ip') ip.push(test)
      else if (key !== undefined) {
        pushTo(texts, key, test)
      } else timed.push(test)
    }
  }
  const facts = [...open].map((text): OneFact => {
    return {
      ways: [false, true].map(
        (holds) =>
          ({ assumed }) =>
            assumed.set(text, holds),
      ),
      clear: ({ assumed }) => assumed.delete(text),
    }
  })
  for (const [key, tests] of texts)
    facts.push({
      ways: textClasses(tests).map(
        (text) =>
          ({ tags }) =>
            tags.set(key, text),
      ),
      clear: ({ tags }) => tags.delete(key),
    })
  if (ip.length > 0)
    facts.push({
      ways: addressClasses(ip).map((address) => (model) => {
        model.ip = address
      }),
      clear: (model) => {
        delete model.ip
      },
    })
  if (timed.length + expiries.length > 0)
    facts.push({
      ways: new Remembered(classes(timed, expiries, run), (at) => (model: Filling) => {
        model.at = at
      }),
      clear: (model) => {
        delete model.at
      },
    })
  return facts
}

/** The items of an iterable, each made when it is first asked for: most searches end at one of the first. */
class Remembered<T, R> implements Iterable<R> {
  private readonly items: R[] = []
  private readonly rest: Iterator<T>
  private readonly make: (item: T) => R

  constructor(items: Iterable<T>, make: (item: T) => R) {
    this.rest = items[Symbol.iterator]()
    this.make = make
  }

  *[Symbol.iterator](): Iterator<R> {
    for (let i = 0; ; i++) {
      if (i === this.items.length) {
        const next = this.rest.next()
        if (next.done) return
        this.items.push(this.make(next.value))
      }
      yield this.items[i] as R
    }
  }
}
