import { isPattern, matches } from '../../glob.ts'
import type { Rule, RuleContext } from '../rule.ts'
import { monthOption } from '../support/options.ts'
import { everySet } from '../support/sets.ts'
import { quote, some } from '../support/text.ts'
import { counted } from '../support/words.ts'

const code = 'wildcard-growth'

export const wildcardGrowth: Rule = {
  code,
  section: 'actions',
  severity: 'info',
  preset: 'auditor',
  summary: 'A wildcard that grants actions added since the last review.',
  why:
    'A wildcard grants every new action with a matching name. Set `since` to the month of the last review, and the actions added since ' +
    'then are reported. The dates come from a catalogue built with `grantwise catalogue import` over an older one; the built-in ' +
    'catalogue has none.',
  options: [{ name: 'since', type: 'month', required: true, text: 'the month of the last review, such as `2026-01`' }],
  ...everySet(function* ({ permissions: { allow, except, deny } }, context) {
    const month = monthOption(context, code, 'since')
    if (month === undefined) return
    const taken = [...except, ...deny]
    const added = addedAfter(month, context).filter((action) => !taken.some(({ value }) => matches(value, action)))
    if (added.length === 0) return
    for (const { value, span } of allow) {
      if (!isPattern(value)) continue
      const granted = added.filter((action) => matches(value, action))
      if (granted.length === 0) continue
      yield {
        span,
        message: `${quote(value.text)} grants ${counted(granted.length, 'action')} added after ${month}: ${some(granted)}`,
        help: 'remove unintended ones with `except`, then set `since` to the current month',
      }
    }
  }),
}

const answers = () => new Map<string, readonly string[]>()

/** The actions that the catalogue first saw after a month, sorted. */
function addedAfter(month: string, context: RuleContext): readonly string[] {
  const { catalogue } = context
  const actionsByPattern = context.once(answers)
  const before = actionsByPattern.get(month)
  if (before) return before
  const added = catalogue.products.flatMap((product) =>
    catalogue.actionsOf(product).filter((action) => (catalogue.sinceOf(action) ?? '') > month),
  )
  actionsByPattern.set(month, added)
  return added
}
