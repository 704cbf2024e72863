import type { Policy } from '../../policy.ts'
import type { Rule } from '../rule.ts'
import { quote } from '../support/text.ts'
import { nodeAt } from '../support/written.ts'

export const duplicateName: Rule = {
  code: 'duplicate-name',
  section: 'document',
  severity: 'error',
  whole: true,
  summary: 'Two policies with the same name.',
  why:
    'Policy names are unique within an account, so the service refuses the second policy or replaces the first. Reports and reviews ' +
    'that use the name are ambiguous. Policies of different owners may share a name.',
  *world({ world }) {
    const firsts = new Map<string, Policy>()
    for (const policy of world.policies) {
      const { name, owner, node } = policy
      if (nodeAt(node, 'name')?.kind !== 'text' || name.value.trim() === '') continue
      const key = JSON.stringify([owner ?? '', name.value])
      const first = firsts.get(key)
      if (!first) firsts.set(key, policy)
      else {
        yield {
          span: name.span,
          message: `the name ${quote(name.value)} is already used by another policy`,
          help: 'give each policy a unique name',
          related: [{ message: 'the first one', span: first.name.span }],
        }
      }
    }
  },
}
