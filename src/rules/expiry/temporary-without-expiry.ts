import type { Condition } from '../../policy.ts'
import { mayGrant } from '../../world.ts'
import type { Rule } from '../rule.ts'
import { quote } from '../support/text.ts'
import { wordsOf } from '../support/words.ts'
import { nodeAt } from '../support/written.ts'

const temporary: ReadonlySet<string> = new Set('temp tmp temporary temporarily interim'.split(' '))

export const temporaryWithoutExpiry: Rule = {
  code: 'temporary-without-expiry',
  section: 'expiry',
  severity: 'warning',
  preset: 'strict',
  security: 4,
  summary: 'A grant described as temporary that never expires.',
  why: 'Temporary access tends to stay long after it is needed. Set `expiredAt`, or a condition on the date.',
  *policy(policy, { world }) {
    const { name, description, condition, node } = policy
    const expiry = nodeAt(node, 'expiredAt')
    if ((expiry && expiry.kind !== 'null') || !mayGrant(policy, world) || namesDate(condition)) return
    for (const text of [name, ...(description ? [description] : [])]) {
      const word = wordsOf(text.value).find((each) => temporary.has(each))
      if (word === undefined) continue
      yield {
        span: text.span,
        message: `${quote(word)} suggests temporary access, but the policy never expires`,
        help: 'set `expiredAt`',
      }
      return
    }
  },
}

/** Whether a condition compares the date, or cannot be understood: it may end the grant. */
function namesDate(condition: Condition | undefined): boolean {
  if (!condition) return false
  if (condition.kind === 'match') return condition.test.subject.kind === 'date'
  return condition.kind === 'opaque' || condition.operands.some(namesDate)
}
