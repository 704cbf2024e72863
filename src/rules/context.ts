import { Memo, madeOnce } from '../memo.ts'
import { sideOf } from '../symbolic/side.ts'
import { Clock } from './clock.ts'
import type { RuleContext } from './rule.ts'

const sideOfContext = ({ world, keep }: RuleContext) => sideOf(world, undefined, keep)

/** A context from what is given; `options` by rule code. */
export function ruleContext(
  contextGiven: Pick<RuleContext, 'world' | 'catalogue' | 'settings' | 'now'> &
    Partial<Pick<RuleContext, 'operations' | 'keep' | 'shared' | 'clock' | 'summaryOf'>>,
  options: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map(),
): RuleContext {
  const { clock = new Clock(contextGiven.now) } = contextGiven
  const context: RuleContext = {
    operations: () => [],
    summaryOf: () => undefined,
    keep: new Memo().keep,
    shared: madeOnce(contextGiven),
    ...contextGiven,
    clock,
    get now() {
      return clock.now
    },
    options: (code) => options.get(code) ?? {},
    side: () => context.once(sideOfContext),
    once: (make) => once(make),
  }
  const once = madeOnce(context)
  return context
}
