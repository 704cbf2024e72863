import { allOf, always, anyOf, type Formula, negation, never, noneOf, printFormula, satisfy, withTime } from './formula.ts'

/** How many parts a conjunction may have for each of them to be tried to be left out. */
const mostParts = 40

/** How many steps it may take to find that a part follows from the rest. */
const mostSteps = 5_000

/**
 * A formula that says the same at the instants that count, in fewer parts: what one part settles is put into the others, and
 * what follows from the rest is left out.
 */
export function simplified(formula: Formula, time: Formula = always): Formula {
  const whole = propagated(formula)
  if (whole.kind !== 'and' || whole.operands.length > mostParts) return whole
  let parts = [...whole.operands]
  for (const part of whole.operands) {
    const rest = parts.filter((each) => each !== part)
    if (satisfy(withTime([...rest, negation(part)], time), { allowance: { left: mostSteps } }) === undefined) parts = rest
  }
  return allOf(parts)
}

/** A conjunction whose single comparisons and facts are put into its other parts. */
function propagated(formula: Formula): Formula {
  let current = formula
  for (;;) {
    if (current.kind !== 'and') return current
    const truthByKey = new Map<string, boolean>()
    for (const part of current.operands) {
      const literal = literalOf(part)
      if (literal) truthByKey.set(literal.text, literal.holds)
    }
    const next = allOf(current.operands.map((part) => (literalOf(part) ? part : substituted(part, truthByKey))))
    if (printFormula(next) === printFormula(current)) return next
    current = next
  }
}

/** A single comparison, expiry or fact, or that it does not hold. */
function literalOf(formula: Formula): { readonly text: string; readonly holds: boolean } | undefined {
  if (formula.kind === 'and' || formula.kind === 'or') return undefined
  if (formula.kind !== 'not') return { text: printFormula(formula), holds: true }
  const [operand, ...others] = formula.operands
  if (!operand || others.length > 0 || operand.kind === 'and' || operand.kind === 'or' || operand.kind === 'not') return undefined
  return { text: printFormula(operand), holds: false }
}

/** A formula with what is known put in. */
function substituted(formula: Formula, truthByKey: ReadonlyMap<string, boolean>): Formula {
  switch (formula.kind) {
    case 'and':
      return allOf(formula.operands.map((part) => substituted(part, truthByKey)))
    case 'or':
      return anyOf(formula.operands.map((part) => substituted(part, truthByKey)))
    case 'not':
      // None of them holds.
      return allOf(formula.operands.map((part) => noneOf(substituted(part, truthByKey))))
    default: {
      const holds = truthByKey.get(printFormula(formula))
      return holds === undefined ? formula : holds ? always : never
    }
  }
}
