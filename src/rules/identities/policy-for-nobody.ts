import type { Rule } from '../rule.ts'
import { isKnownToDeny } from '../support/grants.ts'
import { sameKindAs, slipFor } from '../support/inventory.ts'
import { some } from '../support/text.ts'
import { countWritten } from '../support/written.ts'

export const policyForNobody: Rule = {
  code: 'policy-for-nobody',
  section: 'identities',
  severity: 'info',
  preset: 'strict',
  whole: true,
  looksAround: true,
  precision: 'medium',
  summary: 'A policy for identities none of which the inventory has.',
  why:
    'As far as the inventory says, nobody is meant: what the policy denies stays possible, and what it allows helps nobody. Often the ' +
    'identities were renamed or deleted, or belong to another account. Only reported if the inventory has identities of the same kinds ' +
    'and accounts.',
  *policy(policy, context) {
    const { identities, readOnly, node, name } = policy
    if (readOnly || identities.length === 0 || identities.length !== countWritten(node, 'identities')) return
    if (!identities.every(({ value }) => sameKindAs(value, context) !== undefined)) return
    const denies = isKnownToDeny(policy, context.world)
    // A misspelt one is another rule's finding.
    if (denies && identities.some(({ value }) => slipFor(value, policy, context) !== undefined)) return
    const who = some(
      identities.map(({ value }) => value.name),
      3,
    )
    const loss = denies ? 'its deny reaches nobody who is described' : 'it helps nobody who is described'
    yield {
      span: name.span,
      message: `the inventory has none of the identities of this policy (${who}): ${loss}`,
      help: 'correct the identities, add them to the inventory, or delete the policy',
    }
  },
}
