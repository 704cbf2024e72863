import { Memo } from '../memo.ts'
import { sideOf } from '../symbolic/side.ts'
import type { RuleContext } from './rule.ts'

const sideOfContext = ({ world, keep }: RuleContext) => sideOf(world, undefined, keep)

/** A context from what is given; `options` by rule code. */
export function ruleContext(
  given: Pick<RuleContext, 'world' | 'catalogue' | 'settings' | 'now'> & Partial<Pick<RuleContext, 'operations' | 'keep'>>,
  options: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map(),
): RuleContext {
  const made = new Map<unknown, unknown>()
  const context: RuleContext = {
    operations: () => [],
    keep: new Memo().keep,
    ...given,
    options: (code) => options.get(code) ?? {},
    side: () => context.once(sideOfContext),
    once: <T>(make: (context: RuleContext) => T): T => {
      if (!made.has(make)) made.set(make, make(context))
      return made.get(make) as T
    },
  }
  return context
}
