import type { Rule } from '../rule.ts'
import { quote } from '../support/text.ts'
import { wordsOf } from '../support/words.ts'

/** Words that stand where a description is to be written some day. */
const fillers = new Set('todo tbd tba fixme xxx wip none na n a test desc description policy placeholder empty null undefined'.split(' '))

export const missingDescription: Rule = {
  code: 'missing-description',
  section: 'document',
  severity: 'info',
  preset: 'auditor',
  summary: 'A policy without a description, or with one that says nothing.',
  why:
    'The entries say what is allowed; only the description can say what for. Who reviews the policy next year decides by it whether the grant is ' +
    'still needed. Say who needs what, and why. Policies that the service manages are not reported.',
  examples: {
    bad: [
      `
name: web readers
#     ^^^^^^^^^^^ missing-description`,
      `
name: web readers
description: tbd
#            ^^^ missing-description`,
      `
name: web readers
description: Web-Readers
#            ^^^^^^^^^^^ missing-description`,
    ],
    good: [
      `
name: web readers
description: The support desk looks up the state of customer websites`,
    ],
  },
  check: {
    *policy({ name, description, readOnly }) {
      if (readOnly) return
      const help = 'say who needs what, and why'
      const words = wordsOf(description?.value ?? '')
      if (!description || words.length === 0) yield { span: description?.span ?? name.span, message: 'the policy has no description', help }
      else if (words.every((word) => fillers.has(word)))
        yield { span: description.span, message: `the description ${quote(description.value)} says nothing`, help }
      else if (words.join(' ') === wordsOf(name.value).join(' '))
        yield { span: description.span, message: 'the description only repeats the name', help }
    },
  },
}
