import type { Rule } from '../rule.ts'
import { numberOption } from '../support/options.ts'
import { counted } from '../support/words.ts'

const code = 'old-catalogue'
const day = 86_400_000
const fallback = 365

export const oldCatalogue: Rule = {
  code,
  section: 'upkeep',
  severity: 'info',
  preset: 'auditor',
  summary: 'An action catalogue that is out of date.',
  why:
    'The catalogue has the actions of the service at the time it was built. Newer ones are reported as unknown, and not counted in ' +
    'wildcards. Build a new catalogue with `grantwise catalogue import`, or update grantwise. Reported once, at the first policy.',
  options: [{ name: 'days', type: 'number', text: `the maximum age of the catalogue in days; default ${fallback}` }],
  *world(context) {
    const { seen } = context.catalogue
    const [first] = context.world.policies
    const [year = Number.NaN, month = Number.NaN] = seen.split('-').map(Number)
    const days = numberOption(context, code, 'days') ?? fallback
    // A month counts from its last day.
    const end = Date.UTC(year, month, 1)
    if (!first || Number.isNaN(end) || !context.clock.isAfter(end + (days + 1) * day - 1)) return
    const age = context.clock.daysSince(end)
    yield {
      span: first.name.span,
      message: `the action catalogue is from ${seen}, ${counted(age, 'day')} ago: newer actions are missing`,
      help: 'update grantwise, or build a new catalogue with `grantwise catalogue import`',
    }
  },
}
