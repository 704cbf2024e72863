import type { Condition, Policy } from '../policy.ts'
import type { Span } from '../source.ts'
import { allOf, always, type Formula, formulaOf, notBefore, notSo, satisfy, withTime } from '../symbolic/formula.ts'
import { field, type Node } from '../tree.ts'

/** Branches of conditions that change nothing: those of an `OR` that never hold, those of an `AND` that others imply. */

export interface Branch {
  readonly condition: Condition
  /** It changes nothing from the instant on, and did before. */
  readonly isOver: boolean
}

/** How many steps it may take to show that a branch changes nothing. */
const mostSteps = 20_000

/** A policy without the branches of its condition that change nothing from an instant on, the last ones first. */
export function trimmed(policy: Policy, from: number | undefined): { readonly policy: Policy; readonly branches: readonly Branch[] } {
  const node = field(policy.node, 'conditions')
  const branches: Branch[] = []
  let condition = policy.condition
  for (let found = true; condition && node && found; ) {
    const now: Condition = condition
    found = false
    for (const less of withoutBranch(now, node)) {
      const isOver = !isSame(now, less.condition, undefined)
      if (isOver && (from === undefined || !isSame(now, less.condition, from))) continue
      branches.push({ condition: less.branch, isOver })
      condition = less.condition
      found = true
      break
    }
  }
  return branches.length > 0 && condition ? { policy: { ...policy, condition }, branches } : { policy, branches }
}

/** The condition without each of its branches, the outer ones first. It may have lost some of those at `node` already. */
function* withoutBranch(condition: Condition, node: Node): Iterable<{ readonly condition: Condition; readonly branch: Condition }> {
  const list = node.kind === 'map' ? field(node, 'conditions') : undefined
  if (condition.kind === 'match' || condition.kind === 'opaque' || list?.kind !== 'list') return
  const { kind, operands } = condition
  const items = list.items.filter((item) => operands.some(({ span }) => isWithin(span, item)))
  if (items.length !== operands.length) return
  const places = [...operands.entries()].reverse()
  if (kind !== 'not' && operands.length > 1)
    for (const [i, branch] of places) yield { condition: { ...condition, operands: operands.toSpliced(i, 1) }, branch }
  for (const [i, operand] of places) {
    for (const { condition: inner, branch } of withoutBranch(operand, items[i] as Node))
      yield { condition: { ...condition, operands: operands.with(i, inner) }, branch }
  }
}

function isWithin(inner: Span, outer: Span): boolean {
  return inner.start >= outer.start && inner.end <= outer.end
}

/** Whether two conditions hold in the same contexts, from an instant on. */
function isSame(a: Condition, b: Condition, from: number | undefined): boolean {
  const time = from === undefined ? always : notBefore(from)
  const isNever = (formulas: readonly Formula[]) =>
    satisfy(withTime([allOf(formulas)], time), { allowance: { left: mostSteps } }) === undefined
  const [first, second] = [formulaOf(a), formulaOf(b)]
  return isNever([first, notSo(second)]) && isNever([second, notSo(first)])
}
