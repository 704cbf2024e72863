import type { Test } from '../conditions/test.ts'
import { Covering, type Glob, isPattern, overlaps, SortedNames, uncovered } from '../glob.ts'
import { keyOf } from '../keys.ts'

/**
 * Formulas of two-valued logic over a row of a table of resources, in negation normal form: simplified where they are made, equal
 * ones are the same object. Facts that no row gives are atoms, too, until `quantified` removes them.
 */
export type Formula = Constant | Literal | Joined

interface Constant {
  readonly kind: 'constant'
  readonly holds: boolean
  readonly id: number
  readonly size: 0
  readonly facts: ReadonlySet<string>
}

interface Literal {
  readonly kind: 'literal'
  readonly atom: Atom
  /** Whether the atom holds, or does not. */
  readonly holds: boolean
  readonly id: number
  readonly size: 1
  readonly facts: ReadonlySet<string>
}

interface Joined {
  readonly kind: 'and' | 'or'
  readonly parts: readonly Formula[]
  readonly id: number
  /** How many literals it is written with. */
  readonly size: number
  /** The facts that the atoms ask for. */
  readonly facts: ReadonlySet<string>
}

export type Atom =
  /** The URN of the row matches one of some patterns. */
  | { readonly kind: 'urn'; readonly urns: UrnSet }
  /** The name or the type of the row meets a comparison. */
  | { readonly kind: 'part'; readonly test: Test }
  /** A tag meets a comparison. In a row, that has to be known: a fact otherwise. */
  | { readonly kind: 'tag'; readonly fact: string; readonly test: Test }
  /** The column of tags holds an object. */
  | { readonly kind: 'hasTags' }
  /** The column of owners is an account, or `NULL`. */
  | { readonly kind: 'owner'; readonly account: string | undefined }
  /** The address of the request meets a comparison. */
  | { readonly kind: 'address'; readonly fact: string; readonly test: Test }
  /** Something is so that no row shows; `value` where it may be so in several ways. */
  | { readonly kind: 'open'; readonly fact: string; readonly value: string }

/** Patterns over URNs, none covered by another. */
export class UrnSet {
  readonly globs: readonly Glob[]
  /** Those of them with a wildcard. */
  readonly patterns: readonly Glob[]
  #covering: Covering | undefined
  #names: SortedNames | undefined

  constructor(globs: readonly Glob[]) {
    this.globs = uncovered(globs)
    this.patterns = this.globs.filter(isPattern)
  }

  covers(glob: Glob): boolean {
    this.#covering ??= new Covering(this.globs)
    return this.#covering.has(glob)
  }

  meets(glob: Glob): boolean {
    if (!isPattern(glob)) return this.covers(glob)
    this.#names ??= new SortedNames(this.globs.flatMap((each) => (isPattern(each) ? [] : [each.text])))
    return this.patterns.some((pattern) => overlaps(pattern, glob)) || this.#names.hasSome(glob)
  }
}

/** A value of a fact: whether an atom of the fact holds. */
export type FactValue = (atom: Atom) => boolean

/** A fact, with those values that some atoms distinguish; undefined where these are too many. */
export interface OpenFact {
  readonly id: string
  readonly values: (atoms: readonly Atom[]) => readonly FactValue[] | undefined
}

/** Where a formula is looked at: the URN is in some sets, or in none of others. */
interface Place {
  readonly inside?: UrnSet | undefined
  readonly outside?: UrnSet | undefined
}

/** How much a formula may grow by the values of a fact, in literals, before each literal is taken on its own. */
const mostLiterals = 20_000
/** How often the values of a fact are compared to find those that count. */
const mostCompared = 4_000_000
/** How many parts may be joined before facts are no longer tried. */
const mostJoined = 4_000_000

const noFacts: ReadonlySet<string> = new Set()

/** Makes formulas. */
export class Formulas {
  readonly always: Formula = { kind: 'constant', holds: true, id: 1, size: 0, facts: noFacts }
  readonly never: Formula = { kind: 'constant', holds: false, id: 0, size: 0, facts: noFacts }
  /** Whether a fact had too many values: the bounds of formulas are then wider than they have to be. */
  isApproximate = false
  /** How many parts were joined so far. */
  private joined = 0
  private readonly made = new Map<string, Formula>()
  private readonly opposites = new Map<Formula, Formula>()
  private readonly bounds = new Map<Formula, UrnSet | undefined>()

  literal(atom: Atom, holds = true): Formula {
    const facts = 'fact' in atom ? new Set([atom.fact]) : noFacts
    return this.once(keyOf(holds, keyOfAtom(atom)), (id) => ({ kind: 'literal', atom, holds, id, size: 1, facts }))
  }

  /** The URN matches one of the patterns. */
  urn(globs: readonly Glob[]): Formula {
    return globs.length === 0 ? this.never : this.literal({ kind: 'urn', urns: new UrnSet(globs) })
  }

  not(formula: Formula): Formula {
    const cached = this.opposites.get(formula)
    if (cached) return cached
    const opposite = this.opposite(formula)
    this.opposites.set(formula, opposite)
    this.opposites.set(opposite, formula)
    return opposite
  }

  and(parts: readonly Formula[]): Formula {
    return this.join('and', parts)
  }

  or(parts: readonly Formula[]): Formula {
    return this.join('or', parts)
  }

  /** `a` without the rows of `b`. What both have in common is written once. */
  without(a: Formula, b: Formula): Formula {
    if (a === b) return this.never
    const [conjuncts, other] = [partsOf(a, 'and'), new Set(partsOf(b, 'and'))]
    const common = new Set(conjuncts.filter((part) => other.has(part)))
    if (common.size > 0 && common.size < conjuncts.length) {
      const rest = (parts: Iterable<Formula>) => this.and([...parts].filter((part) => !common.has(part)))
      return this.and([...common, this.without(rest(conjuncts), rest(other))])
    }
    const alternatives = new Set(partsOf(b, 'or'))
    return this.and([this.or(partsOf(a, 'or').filter((part) => !alternatives.has(part))), this.not(b)])
  }

  /**
   * The rows for which the formula holds with some values of facts; without `some`, with each. Where there are too many values, each
   * literal is taken on its own.
   */
  quantified(formula: Formula, facts: readonly OpenFact[], some: boolean): Formula {
    let rest = formula
    for (const [i, fact] of facts.entries()) {
      if (this.joined > mostJoined) return this.apart(rest, new Set(facts.slice(i).map(({ id }) => id)), some)
      rest = this.withoutFact(rest, fact, some)
    }
    return rest
  }

  private withoutFact(formula: Formula, fact: OpenFact, some: boolean): Formula {
    if (!formula.facts.has(fact.id) || formula.kind === 'constant') return formula
    if (formula.kind === 'literal') return this.tried('and', [formula], fact, some)
    const { kind, parts } = formula
    if ((kind === 'or') === some)
      return this.join(
        kind,
        parts.map((part) => this.withoutFact(part, fact, some)),
      )
    const open = parts.filter(({ facts }) => facts.has(fact.id))
    const closed = parts.filter(({ facts }) => !facts.has(fact.id))
    const [only, second] = open
    return this.join(kind, [...closed, only && !second ? this.withoutFact(only, fact, some) : this.tried(kind, open, fact, some)])
  }

  /** Parts that are joined, with each value of a fact that counts. */
  private tried(kind: Joined['kind'], parts: readonly Formula[], fact: OpenFact, some: boolean): Formula {
    const values = countingValues(parts, fact, some)
    const size = parts.reduce((sum, part) => sum + part.size, 0)
    if (!values || (values.length > 1 && size * values.length > mostLiterals))
      return this.apart(this.join(kind, parts), new Set([fact.id]), some)
    return this.join(
      some ? 'or' : 'and',
      values.map((value) =>
        this.join(
          kind,
          parts.map((part) => this.replaced(part, new Set([fact.id]), ({ atom, holds }) => value(atom) === holds)),
        ),
      ),
    )
  }

  /** A bound: each literal of some facts is taken on its own. */
  private apart(formula: Formula, facts: ReadonlySet<string>, some: boolean): Formula {
    if (![...formula.facts].some((fact) => facts.has(fact))) return formula
    this.isApproximate = true
    return this.replaced(formula, facts, () => some)
  }

  /** The formula with the literals of some facts decided. */
  private replaced(formula: Formula, facts: ReadonlySet<string>, truth: (literal: Literal) => boolean): Formula {
    if (formula.kind === 'constant') return formula
    if (formula.kind === 'literal') return 'fact' in formula.atom && facts.has(formula.atom.fact) ? this.constant(truth(formula)) : formula
    const [fact] = facts
    if (fact !== undefined && facts.size === 1 && !formula.facts.has(fact)) return formula
    return this.join(
      formula.kind,
      formula.parts.map((part) => this.replaced(part, facts, truth)),
    )
  }

  /** The formula with other formulas in the place of atoms. */
  mapped(formula: Formula, other: (atom: Atom) => Formula | undefined): Formula {
    if (formula.kind === 'constant') return formula
    if (formula.kind === 'literal') {
      const replacement = other(formula.atom)
      if (!replacement) return formula
      return formula.holds ? replacement : this.not(replacement)
    }
    return this.join(
      formula.kind,
      formula.parts.map((part) => this.mapped(part, other)),
    )
  }

  /** The formula in fewer words, where the URN is in a place: patterns that can make no difference there are left out. */
  within(formula: Formula, place: Place = {}): Formula {
    if (formula.kind === 'constant') return formula
    if (formula.kind === 'literal') {
      const { atom, holds } = formula
      if (atom.kind !== 'urn') return formula
      const urns = this.urnsWithin(atom.urns, place)
      return holds ? urns : this.not(urns)
    }
    return formula.kind === 'and' ? this.allWithin(formula.parts, place) : this.someWithin(formula.parts, place)
  }

  /** Of parts that all hold: what one says of the URN, the others need not say again. */
  private allWithin(parts: readonly Formula[], place: Place): Formula {
    const excluding = parts.filter((part) => isOfUrn(part, false))
    const others = parts.filter((part) => !isOfUrn(part, false))
    const bounds = others.map((part) => this.boundOf(part))
    const least = smallest(bounds)
    const leader = least && (others[bounds.indexOf(least)] as Formula)
    const around = smallest(bounds.filter((bound) => bound !== least)) ?? place.inside
    const first = leader && this.within(leader, outsideOf({ ...place, inside: around }, excluding))
    const inside = (first && this.boundOf(first)) ?? place.inside
    const excluded = excluding.map((part) => this.within(part, { ...place, inside }))
    const rest = outsideOf({ ...place, inside }, excluded)
    return this.and([
      ...(first ? [first] : []),
      ...excluded,
      ...others.flatMap((part) => (part === leader ? [] : [this.within(part, rest)])),
    ])
  }

  /** Of parts of which one has to hold: the URNs that are enough on their own are left out of the others. */
  private someWithin(parts: readonly Formula[], place: Place): Formula {
    const enough = parts.filter((part) => isOfUrn(part, true)).map((part) => this.within(part, place))
    const rest = outsideOf(place, enough)
    return this.or([...enough, ...parts.flatMap((part) => (isOfUrn(part, true) ? [] : [this.within(part, rest)]))])
  }

  private urnsWithin(urns: UrnSet, { inside, outside }: Place): Formula {
    const counting = urns.globs.filter((glob) => (!inside || inside.meets(glob)) && !outside?.covers(glob))
    if (inside?.globs.every((glob) => urns.covers(glob))) return this.always
    return counting.length === urns.globs.length ? this.literal({ kind: 'urn', urns }) : this.urn(counting)
  }

  /** Patterns that match the URN of each row for which the formula holds; undefined where it holds for others, too. */
  boundOf(formula: Formula): UrnSet | undefined {
    if (formula.kind === 'literal') return formula.atom.kind === 'urn' && formula.holds ? formula.atom.urns : undefined
    if (formula.kind === 'constant') return undefined
    if (!this.bounds.has(formula)) this.bounds.set(formula, this.boundOfParts(formula))
    return this.bounds.get(formula)
  }

  private boundOfParts({ kind, parts }: Joined): UrnSet | undefined {
    const bounds = parts.map((part) => this.boundOf(part))
    if (kind === 'and') return smallest(bounds)
    if (!bounds.every((bound) => bound !== undefined)) return undefined
    return new UrnSet(bounds.flatMap(({ globs }) => globs))
  }

  private opposite(formula: Formula): Formula {
    switch (formula.kind) {
      case 'constant':
        return this.constant(!formula.holds)
      case 'literal':
        return this.literal(formula.atom, !formula.holds)
      default:
        return this.join(
          formula.kind === 'and' ? 'or' : 'and',
          formula.parts.map((part) => this.not(part)),
        )
    }
  }

  private constant(holds: boolean): Formula {
    return holds ? this.always : this.never
  }

  /** Flat, each part once. Patterns over URNs are one list; a part that says more than another, or less, is left out. */
  private join(kind: Joined['kind'], parts: readonly Formula[]): Formula {
    const [neutral, deciding] = kind === 'and' ? [this.always, this.never] : [this.never, this.always]
    const distinct = new Set<Formula>()
    const lists = new Map<Formula, readonly Glob[]>()
    this.joined += parts.length
    for (const part of parts.flatMap((each) => (each.kind === kind ? each.parts : [each]))) {
      if (part === deciding) return deciding
      if (part === neutral) continue
      if (part.kind === 'literal' && part.atom.kind === 'urn' && part.holds === (kind === 'or')) lists.set(part, part.atom.urns.globs)
      else distinct.add(part)
    }
    const [list] = lists.keys()
    const urns = lists.size > 1 ? this.urn([...lists.values()].flat()) : undefined
    if (urns) distinct.add(kind === 'or' ? urns : this.not(urns))
    else if (list) distinct.add(list)
    for (const part of distinct) if (part.kind === 'literal' && distinct.has(this.not(part))) return deciding
    const inner = kind === 'and' ? 'or' : 'and'
    const unabsorbed = [...distinct].filter((part) => !(part.kind === inner && part.parts.some((each) => distinct.has(each))))
    if (unabsorbed.length < 2) return unabsorbed[0] ?? neutral
    const sorted = unabsorbed.sort((a, b) => a.id - b.id)
    const ids = sorted.map(({ id }) => id)
    return this.once(keyOf(kind, ids), (id) => ({
      kind,
      parts: sorted,
      id,
      size: sorted.reduce((sum, part) => sum + part.size, 0),
      facts: union(sorted.map(({ facts }) => facts)),
    }))
  }

  private once(key: string, make: (id: number) => Formula): Formula {
    const cached = this.made.get(key)
    if (cached) return cached
    const formula = make(this.made.size + 2)
    this.made.set(key, formula)
    return formula
  }
}

/** The formulas that are joined by a word; one that is not is the only one. */
export const partsOf = (formula: Formula, kind: Joined['kind']): readonly Formula[] => (formula.kind === kind ? formula.parts : [formula])

/** Every atom of a formula, each as often as it is written. */
export function* atomsOf(formula: Formula): Iterable<Atom> {
  if (formula.kind === 'literal') yield formula.atom
  else if (formula.kind !== 'constant') for (const part of formula.parts) yield* atomsOf(part)
}

/** Whether patterns are fewer: only names are fewer than any. */
const isSmaller = (a: UrnSet, b: UrnSet): boolean => (a.patterns.length - b.patterns.length || a.globs.length - b.globs.length) < 0
const smallest = (bounds: readonly (UrnSet | undefined)[]): UrnSet | undefined =>
  bounds.reduce((least, bound) => (bound && (!least || isSmaller(bound, least)) ? bound : least), undefined)

const isOfUrn = (formula: Formula, holds: boolean): boolean =>
  formula.kind === 'literal' && formula.atom.kind === 'urn' && formula.holds === holds

/** A place without the URNs that some literals name. */
function outsideOf(place: Place, parts: readonly Formula[]): Place {
  const globs = parts.flatMap((part) => (part.kind === 'literal' && part.atom.kind === 'urn' ? part.atom.urns.globs : []))
  return globs.length === 0 ? place : { ...place, outside: new UrnSet([...(place.outside?.globs ?? []), ...globs]) }
}

function union(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const filled = sets.filter(({ size }) => size > 0)
  const [first = noFacts] = filled
  return filled.every((set) => set === first) ? first : new Set(filled.flatMap((set) => [...set]))
}

/**
 * The values of a fact of which the others are weaker: of two values, one that makes the same literals hold and more is the only one
 * that counts where some value has to satisfy the formula, and the other one where each has to.
 */
function countingValues(parts: readonly Formula[], { id, values: valuesOf }: OpenFact, some: boolean): readonly FactValue[] | undefined {
  const literals = [...new Set(parts.flatMap((part) => [...literalsOf(part, id)]))]
  const values = valuesOf([...new Set(literals.map(({ atom }) => atom))])
  const best = values && firstOf(values, literals, some)
  if (best) return [best]
  if (!values || values.length * literals.length > mostCompared) return undefined
  const byTruth = new Map<string, FactValue>()
  for (const value of values) {
    const truth = literals.map(({ atom, holds }) => (value(atom) === holds ? '1' : '0')).join('')
    if (!byTruth.has(truth)) byTruth.set(truth, value)
  }
  if (byTruth.size ** 2 * literals.length > mostCompared) return [...byTruth.values()]
  const isWeaker = (a: string, b: string) => {
    for (let i = 0; i < a.length; i++) if (a.charCodeAt(i) > b.charCodeAt(i)) return false
    return true
  }
  const truths = [...byTruth.keys()]
  return Array.from(byTruth).flatMap(([truth, value]) =>
    truths.some((other) => other !== truth && (some ? isWeaker(truth, other) : isWeaker(other, truth))) ? [] : [value],
  )
}

/** A value with which all literals hold, or none where each value has to satisfy them: no other one counts then. */
function firstOf(values: readonly FactValue[], literals: readonly Literal[], some: boolean): FactValue | undefined {
  let left = mostCompared
  return values.find((value) => left > 0 && literals.every(({ atom, holds }) => left-- > 0 && (value(atom) === holds) === some))
}

function* literalsOf(formula: Formula, fact: string): Iterable<Literal> {
  if (!formula.facts.has(fact)) return
  if (formula.kind === 'literal') yield formula
  else if (formula.kind !== 'constant') for (const part of formula.parts) yield* literalsOf(part, fact)
}

function keyOfAtom(atom: Atom): string {
  switch (atom.kind) {
    case 'urn':
      // A list may have more items than a call takes arguments.
      return keyOf(atom.kind, atom.urns.globs.map(({ pieces }) => pieces.join('*')).sort())
    case 'part':
    case 'tag':
    case 'address':
      return keyOf(atom.kind, keyOfTest(atom.test))
    case 'owner':
      return keyOf(atom.kind, atom.account)
    case 'open':
      return keyOf(atom.kind, atom.fact, atom.value)
    default:
      return atom.kind
  }
}

function keyOfTest({ subject, set }: Test): string {
  const what = keyOf(subject.kind, subject.parameter)
  switch (set.kind) {
    case 'strings':
      return keyOf(what, set.matchType, set.values)
    case 'addresses':
      return keyOf(
        what,
        set.ranges.map(({ family, first, last }) => [family, String(first), String(last)]),
      )
    default:
      return keyOf(
        what,
        set.part,
        set.intervals.map(({ first, last }) => [String(first), String(last)]),
      )
  }
}
