import { type Glob, matches } from '../glob.ts'
import { keyOf } from '../keys.ts'
import type { Condition, World } from '../policy.ts'
import { type Formula, withFacts } from './formula.ts'

/**
 * Facts about the caller: whether an unknown entry means it, or whether an unread part is about it. They are exact for one
 * caller; two callers have separate facts. A caller is identified by its names: its own, and its groups.
 */
export class Askers {
  /** The bounds of such facts, by their strings. */
  private readonly facts = new Map<string, { readonly words: string; readonly bounds: Glob[] }>()

  constructor({ policies }: Pick<World, 'policies'>) {
    for (const { condition } of policies) if (condition) this.add(condition)
  }

  private add(condition: Condition): void {
    if (condition.kind === 'match') return
    if (condition.kind !== 'opaque') {
      for (const operand of condition.operands) this.add(operand)
      return
    }
    const { text, askers = [] } = condition
    for (const asker of askers) {
      const askersOfFact = this.facts.get(text) ?? { words: asker.words ?? text, bounds: [] }
      this.facts.set(text, askersOfFact)
      if (!askersOfFact.bounds.some((bound) => bound.text === asker.text)) askersOfFact.bounds.push(asker)
    }
  }

  /** The facts that may hold for one of two callers and not for the other, as messages name what is not known. */
  between(one: readonly string[], other: readonly string[]): readonly string[] {
    return [...new Set([...this.apart(one, other).keys()].flatMap((text) => this.facts.get(text)?.words ?? []))].sort()
  }

  /**
   * Renames the facts in the formulas of one caller where those of another one are compared: facts that may differ get the
   * caller's name.
   */
  renamedFor(ownNames: readonly string[], other: readonly string[]): (formula: Formula) => Formula {
    const apart = this.apart(ownNames, other)
    if (apart.size === 0) return (formula) => formula
    const owner = (text: string) => `${text} for ${(apart.get(text) ?? []).join(' or ')}`
    return (formula) => withFacts(formula, (is) => (is.kind === 'expression' && apart.has(is.text) ? { ...is, text: owner(is.text) } : is))
  }

  /** The names of a caller that such facts may mean, where they may mean others of another caller. */
  private apart(ownGroups: readonly string[], others: readonly string[]): ReadonlyMap<string, readonly string[]> {
    const out = new Map<string, readonly string[]>()
    for (const [text, { bounds }] of this.facts) {
      const within = (members: readonly string[]) =>
        [...new Set(members)].filter((member) => bounds.some((bound) => matches(bound, member))).sort()
      const [mine, theirs] = [within(ownGroups), within(others)]
      if (mine.length > 0 && theirs.length > 0 && keyOf(mine) !== keyOf(theirs)) out.set(text, mine)
    }
    return out
  }
}
