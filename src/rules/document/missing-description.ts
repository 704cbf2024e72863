import type { Rule } from '../rule.ts'
import { quote } from '../support/text.ts'
import { wordsOf } from '../support/words.ts'

/** Placeholder words for a description. */
const fillers: ReadonlySet<string> = new Set(
  'todo tbd tba fixme xxx wip none na n a test desc description policy placeholder empty null undefined'.split(' '),
)

export const missingDescription: Rule = {
  code: 'missing-description',
  section: 'document',
  severity: 'info',
  preset: 'auditor',
  summary: 'A policy without a meaningful description.',
  why:
    'The entries show what is allowed, but only the description can say why. Reviewers need it to decide whether access is still ' +
    'needed. State who needs what, and why. Policies that the service manages are not reported.',
  *policy({ name, description, readOnly }) {
    if (readOnly) return
    const help = 'state who needs what, and why'
    const words = wordsOf(description?.value ?? '')
    if (!description || words.length === 0) yield { span: description?.span ?? name.span, message: 'the policy has no description', help }
    else if (words.every((word) => fillers.has(word)))
      yield { span: description.span, message: `the description ${quote(description.value)} has no meaning`, help }
    else if (words.join(' ') === wordsOf(name.value).join(' '))
      yield { span: description.span, message: 'the description only repeats the name', help }
  },
}
