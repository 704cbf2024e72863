import { madeIn, pushTo } from '../../collections.ts'
import type { Policy } from '../../policy.ts'
import type { Located, Span } from '../../source.ts'
import type { Rule } from '../rule.ts'
import { insideUrn } from '../support/conditions.ts'
import { didYouMean, quote } from '../support/text.ts'

export const accountCase: Rule = {
  code: 'account-case',
  section: 'identities',
  severity: 'warning',
  summary: 'The same account id in different capitalisation.',
  why:
    'Names are case-sensitive. An id with different capitalisation is another account, which does not exist, so the entry applies to ' +
    'nobody and a deny protects nothing. The spelling of a known owner is assumed to be correct, otherwise the most frequent one.',
  *world({ world: { account: main, policies }, summaryOf }) {
    const owners = new Set([main, ...policies.map(({ owner }) => owner)].filter((owner) => owner !== undefined))
    const accounts = new Set([
      ...owners,
      ...policies.flatMap((policy) => summaryOf(policy)?.accounts ?? namesIn(policy).map(({ account }) => account)),
    ])
    // Mostly no two accounts differ only in capitalisation, and no place has to be kept.
    if (new Set([...accounts].map((account) => account.toLowerCase())).size === accounts.size) return
    const uses = new Map<string, Map<string, Name[]>>()
    const spellingsOf = (account: string) => madeIn(uses, account.toLowerCase(), () => new Map<string, Name[]>())
    for (const owner of owners) spellingsOf(owner).set(owner, [])
    for (const name of policies.flatMap(namesIn)) pushTo(spellingsOf(name.account), name.account, name)
    for (const spellings of uses.values()) {
      if (spellings.size < 2) continue
      const right =
        [...spellings.keys()].find((account) => owners.has(account)) ??
        ([...spellings].sort(([, a], [, b]) => b.length - a.length)[0] as [string, unknown])[0]
      for (const [account, names] of spellings) {
        if (account === right || owners.has(account)) continue
        for (const { urn, before } of names) {
          yield {
            span: part(urn, before, account),
            message: `account ${quote(account)} is ${quote(right)} elsewhere, and names are case-sensitive`,
            help: didYouMean(right),
          }
        }
      }
    }
  },
}

/** An account that a URN of a policy names, and the text before it. */
interface Name {
  readonly account: string
  readonly urn: Located<{ readonly text: string }>
  readonly before: string
}

function namesIn({ identities, resources }: Policy): readonly Name[] {
  const names: Name[] = []
  // A pattern is not an account id.
  const add = (urn: Name['urn'], before: string, account: string | undefined) => {
    if (account && !account.includes('*')) names.push({ urn, before, account })
  }
  for (const urn of identities) add(urn, `identity:${urn.value.kind}:`, urn.value.account)
  for (const urn of resources) {
    const { value } = urn
    if (value.kind === 'resource' && value.type === 'account') add(urn, 'resource:account:', value.name)
  }
  return names
}

/** The place of the account in a URN. */
function part(urn: Located<{ readonly text: string }>, before: string, account: string): Span {
  const from = urn.value.text.indexOf(before) + before.length
  return insideUrn(urn, from, from + account.length)
}
