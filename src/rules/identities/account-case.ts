import type { World } from '../../policy.ts'
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
  *world({ world }) {
    if (!hasSpellings(world)) return
    const uses = new Map<string, Map<string, (() => Span)[]>>()
    const use = (account: string, span: (() => Span) | undefined) => {
      const key = account.toLowerCase()
      const spellings = uses.get(key) ?? new Map<string, (() => Span)[]>()
      uses.set(key, spellings)
      const spans = spellings.get(account) ?? []
      spellings.set(account, spans)
      if (span) spans.push(span)
    }
    const owners = new Set(world.account === undefined ? [] : [world.account])
    for (const { owner } of world.policies) if (owner !== undefined) owners.add(owner)
    for (const owner of owners) use(owner, undefined)
    for (const { identities, resources } of world.policies) {
      for (const urn of identities) {
        const { account, kind } = urn.value
        // A pattern is not an account id.
        if (account !== undefined && !account.includes('*')) use(account, () => part(urn, `identity:${kind}:`, account))
      }
      for (const urn of resources) {
        const { value } = urn
        if (value.kind === 'resource' && value.type === 'account' && value.name !== '' && !value.name.includes('*'))
          use(value.name, () => part({ value, span: urn.span }, 'resource:account:', value.name))
      }
    }
    for (const spellings of uses.values()) {
      if (spellings.size < 2) continue
      const right =
        [...spellings.keys()].find((account) => owners.has(account)) ??
        ([...spellings].sort(([, a], [, b]) => b.length - a.length)[0] as [string, unknown])[0]
      for (const [account, spans] of spellings) {
        if (account === right || owners.has(account)) continue
        for (const spanOf of spans) {
          yield {
            span: spanOf(),
            message: `account ${quote(account)} is ${quote(right)} elsewhere, and names are case-sensitive`,
            help: didYouMean(right),
          }
        }
      }
    }
  },
}

/** Whether two accounts that are named differ only in capitalisation. Mostly none do, and no place has to be kept. */
function hasSpellings({ account, policies }: World): boolean {
  const accounts = new Set([account])
  for (const { owner, identities, resources } of policies) {
    accounts.add(owner)
    for (const { value } of identities) accounts.add(value.account)
    for (const { value } of resources) if (value.kind === 'resource' && value.type === 'account') accounts.add(value.name)
  }
  return new Set([...accounts].map((each) => each?.toLowerCase())).size < accounts.size
}

/** The place of the account in a URN. */
function part(urn: Located<{ readonly text: string }>, before: string, account: string): Span {
  const from = urn.value.text.indexOf(before) + before.length
  return insideUrn(urn, from, from + account.length)
}
