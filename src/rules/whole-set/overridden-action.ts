import type { Rule } from '../rule.ts'
import { quote, some } from '../support/text.ts'
import { cite, isJudged, verdicts } from '../support/verdicts.ts'
import { coveredBy, isAboutEverything, wholeSet } from '../support/whole-set.ts'

export const overriddenAction: Rule = {
  code: 'overridden-action',
  section: 'whole set',
  severity: 'info',
  preset: 'strict',
  precision: 'very-high',
  summary: 'An `allow` entry that other policies deny completely.',
  why:
    'For every identity and resource of the policy, another policy denies what this entry allows, so it grants nothing. Remove the ' +
    'entry, or narrow the deny if it is too wide.',
  *policy(policy, context) {
    if (!isJudged(policy, context) || verdicts(context).has(policy)) return
    const set = wholeSet(context)
    const inline = set?.own.get(policy)?.allows.filter(({ group }) => group === undefined) ?? []
    if (!set || inline.length === 0 || set.denies.statements.length === 0) return
    const skip = (other: { readonly policy: unknown }) => other.policy === policy
    for (const entry of policy.permissions.allow) {
      const parts = inline.map((statement) => ({ ...statement, actions: [entry], key: '' }))
      const by = coveredBy(parts, { by: set.denies, skip }, set)
      if (!by || by.some((other) => set.own.get(other)?.denies.some(isAboutEverything))) continue
      yield {
        span: entry.span,
        message: `${quote(entry.value.text)} grants nothing: ${some(by.map(({ name }) => name.value))} ${by.length === 1 ? 'denies' : 'deny'} all of it`,
        help: 'remove the entry, or narrow the deny',
        related: cite(by, () => 'this denies it'),
      }
    }
  },
}
