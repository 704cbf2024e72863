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
    'that use the name are ambiguous. Policies of different owners, providers, root modules or accounts may share a name.',
  *world({ world, summaryOf }) {
    const byName = new Map<string, Policy[]>()
    for (const policy of world.policies) {
      const text = summaryOf(policy)?.name ?? (nodeAt(policy.node, 'name')?.kind === 'text' ? policy.name.value : '')
      if (text.trim() === '') continue
      const key = JSON.stringify([policy.owner ?? '', text])
      const others = byName.get(key) ?? []
      byName.set(key, [...others, policy])
      const first = others.find((other) => !areOfOtherAccounts(other, policy))
      if (first) {
        yield {
          span: policy.name.span,
          message: `the name ${quote(text)} is already used by another policy`,
          help: 'give each policy a unique name',
          related: [{ message: 'the first one', span: first.name.span }],
        }
      }
    }
  },
}

/** Whether two policies belong to two accounts: each provider and each root module has its own, and identities may say so. */
function areOfOtherAccounts(one: Policy, other: Policy): boolean {
  const [first, second] = [one.account, other.account]
  if (first && second && JSON.stringify([first.scope, first.fact, first.id]) !== JSON.stringify([second.scope, second.fact, second.id]))
    return true
  const [a, b] = [accountsOf(one), accountsOf(other)]
  return a.size > 0 && b.size > 0 && [...a].every((account) => !b.has(account))
}

function accountsOf({ identities }: Policy): ReadonlySet<string> {
  const accounts = identities.map(({ value }) => value.account)
  // A pattern over accounts says nothing of whose the policy is.
  return accounts.some((account) => account === undefined || account.includes('*')) ? new Set() : new Set(accounts as string[])
}
