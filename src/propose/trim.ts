import type { Budget } from '../budget.ts'
import type { Condition, Policy } from '../policy.ts'
import { isInRange } from '../source.ts'
import { always, type Formula, formulaOf, noneOf, notBefore, satisfy, tooMany, withTime } from '../symbolic/formula.ts'
import { field, type Node } from '../tree.ts'

/** Branches of conditions that change nothing: those of an `OR` that never hold, those of an `AND` that others imply. */

export interface Branch {
  readonly condition: Condition
  /** It changes nothing from the instant on, and did before. */
  readonly isOver: boolean
}

/** How many steps it may take to show that a branch changes nothing. */
const mostSteps = 20_000

/** A policy without some branches of its condition. */
export interface Trimmed {
  readonly policy: Policy
  readonly branches: readonly Branch[]
  /** Of some branch it could not be decided whether it changes anything. */
  readonly isOpen: boolean
}

/** A policy without the branches of its condition that change nothing from an instant on, the last ones first. */
export function trimmed(policy: Policy, from: number | undefined, run: Budget): Trimmed {
  const node = field(policy.node, 'conditions')
  const branches: Branch[] = []
  let condition = policy.condition
  let isOpen = false
  const counts = (context: readonly Formula[], time: Formula) => {
    const found = satisfy(withTime(context, time), { allowance: run.share(mostSteps) })
    if (found === tooMany) isOpen = true
    return found !== undefined
  }
  for (let hasRemoved = true; condition && node && hasRemoved; ) {
    const now: Condition = condition
    ;[hasRemoved, isOpen] = [false, false]
    for (const less of withoutBranch(now, node, [])) {
      const isOver = counts(less.context, always)
      if (isOver && (from === undefined || counts(less.context, notBefore(from)))) continue
      branches.push({ condition: less.branch, isOver })
      condition = less.condition
      hasRemoved = true
      break
    }
  }
  return branches.length > 0 && condition ? { policy: { ...policy, condition }, branches, isOpen } : { policy, branches, isOpen }
}

interface Less {
  /** The condition without the branch. */
  readonly condition: Condition
  readonly branch: Condition
  /** All hold exactly where the branch makes a difference: what it is joined with by AND holds, what by OR or NOT does not. */
  readonly context: readonly Formula[]
}

/**
 * The condition without each of its branches, the outer ones first. It may have lost some of those at `node` already.
 * `around`: where it makes a difference itself.
 */
function* withoutBranch(condition: Condition, node: Node, around: readonly Formula[]): Iterable<Less> {
  const list = node.kind === 'map' ? field(node, 'conditions') : undefined
  if (condition.kind === 'match' || condition.kind === 'opaque' || list?.kind !== 'list') return
  const { kind, operands } = condition
  const items = list.items.filter((item) => operands.some(({ span }) => isInRange(span, item)))
  if (items.length !== operands.length) return
  const places = [...operands.entries()].reverse()
  const formulas = operands.map(formulaOf)
  const silent = kind === 'and' ? formulas : formulas.map(noneOf)
  const others = (i: number) => [...around, ...silent.toSpliced(i, 1)]
  if (kind !== 'not' && operands.length > 1) {
    for (const [i, branch] of places) {
      const formula = formulas[i] as Formula
      const context = [...others(i), kind === 'and' ? noneOf(formula) : formula]
      yield { condition: { ...condition, operands: operands.toSpliced(i, 1) }, branch, context }
    }
  }
  for (const [i, operand] of places) {
    for (const { condition: inner, ...less } of withoutBranch(operand, items[i] as Node, others(i)))
      yield { condition: { ...condition, operands: operands.with(i, inner) }, ...less }
  }
}
