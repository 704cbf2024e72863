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
  summary: 'An action catalogue that is so old that what it says may no longer hold.',
  why:
    'The catalogue holds the actions that the service had when it was made. What was added since is reported as unknown, and is not counted in what ' +
    'a wildcard grants. Build a new one with `grantwise catalogue import`, or update the program. It is said once, at the first policy.',
  options: [{ name: 'days', type: 'number', text: `how many days old the catalogue may be; ${fallback} when not given` }],
  examples: {
    bad: [
      {
        options: { days: 30 },
        text: `
name: web readers
#     ^^^^^^^^^^^ old-catalogue`,
      },
    ],
    good: ['\nname: web readers'],
  },
  check: {
    *world(context) {
      const { seen } = context.catalogue
      const [first] = context.world.policies
      const [year = Number.NaN, month = Number.NaN] = seen.split('-').map(Number)
      const days = numberOption(context, code, 'days') ?? fallback
      // A month counts from its last day: the catalogue is at least so old.
      const age = Math.floor((context.now - Date.UTC(year, month, 1)) / day)
      if (!first || Number.isNaN(age) || age <= days) return
      yield {
        span: first.name.span,
        message: `the action catalogue is of ${seen}, ${counted(age, 'day')} ago: actions added since are not in it`,
        help: 'update the program, or build a new catalogue with `grantwise catalogue import`',
      }
    },
  },
}
