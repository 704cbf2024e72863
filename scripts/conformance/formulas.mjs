/**
 * Conditions over a few facts, whose truth follows from how they are made: `T` and `F` are known to hold or not, every other
 * letter is a missing fact. All ways to complete the facts are gone through, which are few.
 */
import { ask, match } from './build.mjs'

const leaves = {
  T: [match({ 'resource.Type': 'vps' }), 'true'],
  F: [match({ 'resource.Type': 'ip' }), 'false'],
  a: [match({ 'request.IP': '192.0.2.1' }), 'address', 'request.IP'],
  t: [match({ 'resource.Tag(env)': 'prod' }), 'tag', 'resource.Tag(env)'],
  s: [match({ 'resource.Tag(team)': 'web' }), 'other tag', 'resource.Tag(team)'],
  c: [match({ 'request.Country': 'FR' }), 'not understood', 'condition:request.Country=FR'],
}

/** A formula is a letter, or an operator with formulas: `['AND', 'a', 'T']`. */
export const written = (formula) =>
  typeof formula === 'string' ? leaves[formula][0] : { operator: formula[0], conditions: formula.slice(1).map(written) }

export const words = (formula) =>
  typeof formula === 'string' ? leaves[formula][1] : `${formula[0]}(${formula.slice(1).map(words).join(', ')})`

const lettersOf = (formula) => (typeof formula === 'string' ? [formula] : formula.slice(1).flatMap(lettersOf))
export const factsOf = (...formulas) => [...new Set(formulas.flatMap(lettersOf))].filter((letter) => leaves[letter][2] !== undefined)
export const factName = (letter) => leaves[letter][2]

/** Whether a formula holds where these facts do: AND is all, OR is one, NOT is none. */
export function holds(formula, facts) {
  if (formula === 'T' || formula === 'F') return formula === 'T'
  if (typeof formula === 'string') return facts[formula]
  const [operator, ...rest] = formula
  const each = rest.map((part) => holds(part, facts))
  return operator === 'AND' ? each.every(Boolean) : operator === 'OR' ? each.some(Boolean) : !each.some(Boolean)
}

/**
 * The verdict where it is `verdictOf` what is completed, and the facts with which it swings. `values` of each fact, where it has
 * others than to hold or not.
 */
export function settled(letters, verdictOf, values = {}) {
  const valuesOf = (letter) => values[letter] ?? [true, false]
  const all = letters.reduce(
    (ways, letter) => ways.flatMap((facts) => valuesOf(letter).map((value) => ({ ...facts, [letter]: value }))),
    [{}],
  )
  const verdicts = new Set(all.map(verdictOf))
  if (verdicts.size === 1) return { verdict: [...verdicts][0] }
  const missing = letters.filter((letter) =>
    all.some((facts) => new Set(valuesOf(letter).map((value) => verdictOf({ ...facts, [letter]: value }))).size > 1),
  )
  return { verdict: 'unknown', missing }
}

/** The usual question, with the verdict of policies of which each grants or denies under a formula. */
export function settledAsk(rows, fields = {}) {
  const letters = factsOf(...rows.map(([, formula]) => formula))
  const some = (effect, facts) => rows.some(([each, formula]) => each === effect && holds(formula, facts))
  const { verdict, missing } = settled(letters, (facts) => (some('deny', facts) ? 'deny' : some('allow', facts) ? 'allow' : 'deny'))
  return ask(verdict, { ...fields, ...(missing && { missing: missing.map(factName).sort() }) })
}
