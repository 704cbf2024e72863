import type { Diagnostic } from '../diagnostic.ts'
import { glob } from '../glob.ts'
import type { Policy, World } from '../policy.ts'
import type { RuleFacts, Section } from '../rules/rule.ts'
import type { Span } from '../source.ts'
import { type PolicyEntry, policiesByFile, policyEntries } from './effects.ts'

/** The part of a policy that an entry is about: of an entry that grants or denies, that entry with all identities and resources. */
export function partOf(policy: Policy, entry: Pick<PolicyEntry, 'list' | 'text'> | undefined): Policy {
  const { permissions } = policy
  const own = <T extends { readonly value: { readonly text: string } }>(all: readonly T[]) =>
    all.filter(({ value }) => value.text === entry?.text)
  switch (entry?.list) {
    case 'identities':
    case 'resources':
      return { ...policy, [entry.list]: own<Policy['identities' | 'resources'][number]>(policy[entry.list]) }
    case 'permissionsGroups':
      return { ...policy, permissions: { allow: [], except: [], deny: [] }, permissionsGroups: own(policy.permissionsGroups) }
    case 'allow':
      return { ...policy, permissions: { ...permissions, allow: own(permissions.allow), deny: [] }, permissionsGroups: [] }
    case 'deny':
      return { ...policy, permissions: { allow: [], except: [], deny: own(permissions.deny) }, permissionsGroups: [] }
    default:
      return policy
  }
}

/** A policy that grants only some actions: those that it is known to grant, by its own entries or by a permissions group. */
export function ofActions(policy: Policy, actions: readonly string[]): Policy {
  const { span } = policy.name
  const allow = actions.map((action) => ({ value: glob(action), span }))
  return { ...policy, permissions: { allow, except: [], deny: [] }, permissionsGroups: [] }
}

/** Sections of rules that are not about what a policy grants or denies. */
const otherSections: ReadonlySet<Section> = new Set(['document', 'access rules', 'upkeep'])

/**
 * Finds the parts of policies that findings are about: a policy with only the entry at the place of the finding or with only the actions that
 * it is about, and all of it where the finding is at no entry. Undefined for a finding that is in no policy, or not about access.
 */
export function partsOfFindings(
  world: World,
  rules: readonly Pick<RuleFacts, 'code' | 'section'>[],
): (finding: Pick<Diagnostic, 'code' | 'span' | 'actions'>) => Policy | undefined {
  const policyAt = policiesAt(world)
  const others = new Set<string>(rules.flatMap(({ code, section }) => (otherSections.has(section) ? [code] : [])))
  return ({ code, span, actions }) => {
    if (others.has(code)) return undefined
    const policy = policyAt(span)
    if (!policy) return undefined
    if (actions) return ofActions(policy, actions)
    const entry = policyEntries(policy).find((each) => isWithin(span, each.span))
    // Nothing is granted by what an exception withholds.
    return entry?.list === 'except' ? undefined : partOf(policy, entry)
  }
}

/** Finds the policy around a place, which may be of another reading of the same file. */
export function policiesAt(world: World): (span: Span) => Policy | undefined {
  const byFile = policiesByFile(world)
  return (span) => byFile.get(span.source.path)?.find((each) => isWithin(span, each.span))
}

/** Finds the parts of the policies that name the permissions group around a place: what they grant by it. None where no group is there. */
export function partsByGroup(world: World): (span: Span) => readonly Policy[] {
  return (span) =>
    [...world.permissionsGroups].flatMap(([urn, group]) =>
      isWithin(span, group.span)
        ? world.policies.flatMap((policy) =>
            policy.permissionsGroups.some(({ value }) => value.text === urn)
              ? [partOf(policy, { list: 'permissionsGroups', text: urn })]
              : [],
          )
        : [],
    )
}

/** Whether a place is in another one of the same text. */
const isWithin = (inner: Span, outer: Span) =>
  inner.source.path === outer.source.path &&
  inner.start >= outer.start &&
  inner.end <= outer.end &&
  (inner.source === outer.source || inner.source.text === outer.source.text)
