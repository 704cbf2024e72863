import { keyOf } from '../../keys.ts'
import type { RuleContext } from '../rule.ts'

/** How many different names are compared with the whole catalogue in one run. Past it, names go without a suggestion. */
const mostSuggestions = 500

const nothingGiven = () => new Map<string, string | undefined>()

/** The known name that was probably meant. A file full of unknown names must not take minutes to say so. */
export function suggestion(context: RuleContext, kind: 'action' | 'product' | 'type', name: string): string | undefined {
  const suggestions = context.once(nothingGiven)
  const key = keyOf(kind, name)
  if (!suggestions.has(key) && suggestions.size < mostSuggestions) suggestions.set(key, look(context, kind, name))
  return suggestions.get(key)
}

function look({ catalogue }: RuleContext, kind: 'action' | 'product' | 'type', name: string): string | undefined {
  if (kind === 'action') return catalogue.nearestAction(name)
  return kind === 'product' ? catalogue.nearestProduct(name) : catalogue.nearestType(name)
}
