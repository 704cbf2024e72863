import type { RuleFacts } from './rule.ts'

/**
 * Rules that are about the access that a policy grants, in addition to those of the section risk and to guardrails. What they find is as old
 * as that access, however it is written.
 */
const others: ReadonlySet<string> = new Set([
  'allow-everything',
  'any-address',
  'condition-bypassed',
  'control-plane-resource',
  'default-group-writes',
  'default-resource-group',
  'effectively-everything',
  'expires-too-late',
  'foreign-account',
  'foreign-resource',
  'identity-mix',
  'individual-user',
  'local-user',
  'read-only-in-name',
  'required-condition',
  'self-service-tag',
  'temporary-without-expiry',
  'unscoped-resource',
  'untagged-matches',
  'vacuous-condition',
  'whole-account-grant',
  'whole-product',
  'wide-range',
  'wildcard-growth',
  'wildcard-identity',
  'wildcard-in-product',
])

/** The codes of the rules that are about the access that policies grant. */
export const accessRules: readonly string[] = [...others]

/** Whether a rule is about the access that a policy grants, and not about how it is written. What only an exception withholds is not granted. */
const isAboutAccess = ({ code, section }: Pick<RuleFacts, 'code' | 'section'>): boolean =>
  others.has(code) || (section === 'risk' && code !== 'except-without-deny')

/** The codes of the rules that are about the access that policies grant, with those of guardrails about it. */
export const accessCodes = (rules: readonly Pick<RuleFacts, 'code' | 'section'>[], guardrails: ReadonlySet<string>): ReadonlySet<string> =>
  new Set<string>([...rules.flatMap((rule) => (isAboutAccess(rule) ? [rule.code] : [])), ...guardrails])

/** Rules whose findings also rest on access that other policies grant: such a finding may be new although the access at its place is not. */
export const restsOnOthers: ReadonlySet<string> = new Set(['condition-bypassed', 'escalates-through-resource', 'self-service-tag'])
