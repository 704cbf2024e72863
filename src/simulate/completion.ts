import { Undecided, unlessUndecided } from '../budget.ts'
import { pushTo } from '../collections.ts'
import type { Address } from '../conditions/address.ts'
import { type MatchType, rangesIn } from '../conditions/sets.ts'
import { holdsAddress, holdsText, type Test } from '../conditions/test.ts'
import { compareText } from '../diagnostic.ts'
import { freshLetter } from '../glob.ts'
import type { Condition, Policy, World } from '../policy.ts'
import type { Completion, Fact, FactValue, Missing, Question, Reason, Trace, Verdict } from './decision.ts'
import { type Assumptions, factOf, factText, knownTag, nothingAssumed, resourceInGroup, withAssumption } from './facts.ts'

/**
 * Exact verdicts where facts are missing: every missing fact has finitely many classes that policies can distinguish
 * (docs/analysis.md, Completions), so trying one value of each class is trying them all. Used only where three-valued logic says
 * unknown.
 */

/** A missing fact, with one value for each class. */
interface MissingFact {
  readonly fact: Fact
  readonly values: readonly FactValue[]
}

type Judged = { readonly verdict: Verdict; readonly reason: Reason }
type Judge = (assumed: Assumptions) => Judged

export interface Settled {
  readonly verdict: Verdict
  readonly reason: Reason
  readonly missing: readonly Missing[]
  /** The budget ran out: the verdict is `unknown` for want of time, or not every missing fact is listed. */
  readonly approximate: boolean
}

/**
 * The limit of work before the three-valued answer is used, once to settle the verdict and once to name the facts. Entries and
 * comparisons and not time, so that it is the same on every machine: tens of thousands of completions of a few policies.
 */
const budget = 400_000

/**
 * Settle a question that three-valued logic leaves unknown. `relevant`: the traces of policies that may have a say. `share`: the part of
 * the budget that is for its verdict; less than 1 names no missing facts.
 */
export function settle(world: World, question: Question, relevant: readonly Trace[], judge: Judge, share = 1): Settled {
  const facts = unlessUndecided(
    () => missingFacts(world, question, relevant),
    () => undefined,
  )
  if (!facts) return { verdict: 'unknown', reason: 'unknown', missing: [], approximate: true }
  const groups = facts.flatMap(({ fact }) => (fact.kind === 'resourceGroup' ? [[fact.urn, undefined] as const] : []))
  const start: Assumptions = { ...nothingAssumed, groups: new Map(groups) }
  const cost = relevant.reduce((sum, { policy }) => sum + size(policy, world), 1)
  let remaining = budget * share
  let approximate = false
  /** Whether one more completion is too much. */
  const spent = () => {
    remaining -= cost
    if (remaining < 0) approximate = true
    return remaining < 0
  }

  const seen = new Set<Verdict>()
  let explicit = true
  const explore = (assumed: Assumptions, next: number) => {
    if (seen.size > 1 || spent()) return
    const judged = judge(assumed)
    const fact = facts[next]
    if (judged.verdict === 'unknown' && fact) {
      for (const value of fact.values) explore(withAssumption(assumed, value), next + 1)
      return
    }
    seen.add(judged.verdict)
    if (judged.reason === 'default') explicit = false
  }
  explore(start, 0)
  const [only, other] = seen.keys()
  if (only && !other && only !== 'unknown' && !approximate) {
    const reason = only === 'allow' ? 'granted' : explicit ? 'denied' : 'default'
    return { verdict: only, reason, missing: [], approximate }
  }
  if (share < 1) return { verdict: 'unknown', reason: 'unknown', missing: [], approximate }

  const missing: Missing[] = []
  let common = budget
  let onLast = 10 * budget
  /** Whether the budget allows one more value of the last fact. */
  const lasts = () => {
    onLast -= cost
    if (onLast < 0) approximate = true
    return onLast >= 0
  }
  for (const [i, fact] of facts.entries()) {
    // Each fact has its share of what the facts before it left over.
    const share = Math.floor(common / (facts.length - i))
    remaining = share
    const others = facts.filter((f) => f !== fact)
    const pair = flipsDecision(fact, others, start, [], judge, spent, lasts)
    if (pair) missing.push(pair)
    common -= share - Math.max(0, remaining)
  }
  return {
    verdict: 'unknown',
    reason: 'unknown',
    missing: missing.sort((a, b) => compareText(factText(a.fact), factText(b.fact))),
    approximate,
  }
}

/** Complete the other facts so that the verdict swings with this one; undefined when it never does. */
function flipsDecision(
  fact: MissingFact,
  others: readonly MissingFact[],
  assumed: Assumptions,
  givenCompletion: Completion,
  judge: Judge,
  spent: () => boolean,
  lasts: () => boolean,
): Missing | undefined {
  if (spent() || judge(assumed).verdict !== 'unknown') return undefined
  const [next, ...rest] = others
  if (next) {
    for (const value of next.values) {
      const missing = flipsDecision(fact, rest, withAssumption(assumed, value), [...givenCompletion, value], judge, spent, lasts)
      if (missing) return missing
    }
    return undefined
  }
  let allows: Completion | undefined
  let denies: Completion | undefined
  for (const value of fact.values) {
    if (!lasts()) break
    const { verdict } = judge(withAssumption(assumed, value))
    if (verdict === 'allow') allows ??= [...givenCompletion, value]
    if (verdict === 'deny') denies ??= [...givenCompletion, value]
  }
  return allows && denies && { fact: fact.fact, allows, denies }
}

const eitherWay = [true, false] as const

/** The facts that the policies with a say look at and that neither the world nor the question gives. */
function missingFacts(world: World, question: Question, relevant: readonly Trace[]): readonly MissingFact[] {
  const addresses: Test[] = []
  const tags = new Map<string, Test[]>()
  const conditions = new Map<string, MissingFact>()
  const groups = new Set<string>()
  const outcomes = new Set<string>()
  for (const { policy, unknownGroups } of relevant) {
    for (const urn of unknownGroups) outcomes.add(urn)
    for (const { value } of policy.resources) {
      if (value.kind === 'group' && resourceInGroup(value, world, question, nothingAssumed) === undefined) groups.add(value.text)
    }
    for (const leaf of leaves(policy.condition)) {
      if (leaf.kind === 'opaque') {
        const fact = factOf(leaf)
        conditions.set(leaf.text, { fact, values: eitherWay.map((holds) => ({ ...fact, holds })) })
      } else if (leaf.test.subject.kind === 'ip' && !question.ip) addresses.push(leaf.test)
      else if (leaf.test.subject.kind === 'tag' && knownTag(world, question, leaf.test.subject.parameter) === undefined) {
        const key = leaf.test.subject.parameter
        pushTo(tags, key, leaf.test)
      }
    }
  }
  const fact = (of: Fact, values: readonly FactValue[]): MissingFact => ({ fact: of, values })
  return [
    ...(addresses.length === 0
      ? []
      : [
          fact(
            { kind: 'address' },
            addressClasses(addresses).map((address) => ({ kind: 'address', address })),
          ),
        ]),
    ...[...tags].map(([key, tests]) =>
      fact(
        { kind: 'tag', key },
        textClasses(tests).map((text) => ({ kind: 'tag', key, text })),
      ),
    ),
    ...[...groups].map((urn) =>
      fact(
        { kind: 'resourceGroup', urn },
        eitherWay.map((isMember) => ({ kind: 'resourceGroup', urn, isMember })),
      ),
    ),
    ...[...outcomes].map((urn) =>
      fact(
        { kind: 'permissionsGroup', urn },
        outcomesOf.map((outcome) => ({ kind: 'permissionsGroup', urn, outcome })),
      ),
    ),
    ...conditions.values(),
  ]
}

const outcomesOf = ['allow', 'deny', 'nothing'] as const

/** How much there is to look at in a policy when its completions are judged. */
function size({ resources, permissions, permissionsGroups, condition }: Policy, world: World): number {
  const groups = permissionsGroups.map(({ value }) => world.permissionsGroups.get(value.text)?.permissions)
  let count = 1 + resources.length + groups.length
  for (const set of [permissions, ...groups]) if (set) count += set.allow.length + set.except.length + set.deny.length
  for (const _ of leaves(condition)) count++
  return count
}

/** The comparisons of a condition, and what of it cannot be understood. */
export function* leaves(condition: Condition | undefined): Iterable<Condition & { readonly kind: 'match' | 'opaque' }> {
  if (!condition) return
  if (condition.kind === 'match' || condition.kind === 'opaque') yield condition
  else for (const operand of condition.operands) yield* leaves(operand)
}

/** How often values are held against tests to find those that come out alike, and how many values there may be. */
const [mostCompared, mostTexts] = [2_000_000, 100_000]

/** Keep one value for each way that the tests can come out; of very many, all: to look at one twice does no harm. */
function distinct<T>(values: readonly T[], tests: readonly Test[], holds: (test: Test, value: T) => boolean): readonly T[] {
  if (values.length * tests.length > mostCompared) return [...new Set(values)]
  const seen = new Map<string, T>()
  for (const value of values) {
    const signature = tests.map((test) => (holds(test, value) ? '1' : '0')).join('')
    if (!seen.has(signature)) seen.set(signature, value)
  }
  return [...seen.values()]
}

/** One address of each elementary interval between the bounds of the tests, in both families. */
export function addressClasses(tests: readonly Test[]): readonly Address[] {
  const starts: Address[] = [
    { family: 4, value: 0n },
    { family: 6, value: 0n },
    { family: 6, value: 1n << 48n },
  ]
  for (const { family, first, last } of tests.flatMap(({ set }) => rangesIn(set))) {
    starts.push({ family, value: first })
    if (last + 1n < 1n << (family === 4 ? 32n : 128n)) starts.push({ family, value: last + 1n })
  }
  // An IPv6 address that contains an IPv4 one is that IPv4 address, and not a separate class.
  const real = starts.filter(({ value }) => value >> 32n !== 0xffffn)
  return distinct(real, tests, holdsAddress)
}

/** One string of each class that the tests distinguish, and null for "no such tag". Throws `Undecided` where these are too many. */
export function textClasses(tests: readonly Test[]): readonly (string | null)[] {
  const values: Readonly<Record<MatchType, string[]>> = { exact: [], prefix: [''], suffix: [''] }
  for (const { set } of tests) if (set.kind === 'strings') values[set.matchType].push(...set.values)
  const { exact, prefix: heads, suffix: tails } = values
  if (heads.length * tails.length > mostTexts)
    throw new Undecided([...heads.slice(1, 4).map((head) => `${head}*`), ...tails.slice(1, 4).map((tail) => `*${tail}`)])
  const letter =
    [...'xyzuvw0123456789'].find((c) => ![...exact, ...heads, ...tails].some((text) => text.includes(c))) ??
    freshLetter(...exact, ...heads, ...tails)
  // A text that is none of the exact ones passes like its longest head and tail with a letter between that nothing names.
  const strings = [...exact, ...heads.flatMap((head) => tails.map((tail) => head + letter + tail))]
  return [null, ...distinct(strings, tests, holdsText)]
}
