import { printAddress } from '../conditions/address.ts'
import { matches } from '../glob.ts'
import type { Policy } from '../policy.ts'
import type { Finding, RuleContext } from '../rules/rule.ts'
import { quote, some } from '../rules/support/text.ts'
import type { Question } from '../simulate/decision.ts'
import { atomsOf, type Formula, isTimed } from '../symbolic/formula.ts'

/** Words that findings of guardrails share. */

/** A condition in words, as reports have it; undefined for one that always holds. */
export type ConditionWords = (formula: Formula) => string | undefined

/** A request that breaks a guardrail, and the condition under which it is answered so. */
export interface Example {
  readonly question: Question
  readonly when: Formula
}

/** The identity of a request, with its groups where the request gives them. */
export function identityWords({ identity, groups }: Pick<Question, 'identity' | 'groups'>): string {
  return `${quote(identity)}${groups.length > 0 ? ` in ${some(groups, 2)}` : ''}`
}

/** The action and the resource of a request, and its condition. */
export function accessWords({ question, when }: Example, words: ConditionWords | undefined, now: number): string {
  const condition = words?.(when)
  return `${quote(question.action)} on ${quote(question.resource)}${condition === undefined ? contextWords(question, when, now) : ` ${condition}`}`
}

/** A request with its answer as a verb. */
export function requestWords(example: Example, verb: string, words: ConditionWords | undefined, now: number): string {
  return `${identityWords(example.question)} ${verb} ${accessWords(example, words, now)}`
}

/** The facts of a question that a condition is about. */
function contextWords({ ip, at, tags }: Question, when: Formula, now: number): string {
  const atoms = [...atomsOf(when)].filter((atom) => !(atom.kind === 'until' && atom.at === now - 1))
  const kinds = new Set(atoms.map((atom) => (atom.kind === 'test' ? atom.test.subject.kind : atom.kind)))
  return [
    ...(kinds.has('ip') && ip ? [` from ${quote(printAddress(ip))}`] : []),
    ...(atoms.some(isTimed) ? [` at ${quote(new Date(at).toISOString().replace('.000Z', 'Z'))}`] : []),
    ...(tags && tags.size > 0 ? [` with ${some([...tags].map(([key, value]) => `${key}=${value}`))}`] : []),
  ].join('')
}

/** Where the groups of an identity are described by which a policy is about it: a change may edit these, and not the entry. */
export function membershipOf(policy: Policy, { identity }: Question, { world }: RuleContext): NonNullable<Finding['related']> {
  const isNamed = (urn: string) => policy.identities.some(({ value }) => matches(value.glob, urn))
  const described = isNamed(identity) ? undefined : world.identities.get(identity)
  const namedGroups = described?.groups.filter(isNamed) ?? []
  if (!described || namedGroups.length === 0) return []
  return [{ message: `${quote(identity)} is in ${some(namedGroups, 2)} by this description`, span: described.urn.span }]
}
