import { pushTo } from '../collections.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { glob, matches } from '../glob.ts'
import { lazy } from '../memo.ts'
import type { Policy, World } from '../policy.ts'
import type { RuleFacts, Section } from '../rules/rule.ts'
import type { Span } from '../source.ts'
import { permissionsOf } from '../symbolic/regions.ts'
import { type PolicyEntry, policiesByFile, policyEntries } from './effects.ts'

/** The part of a policy that an entry is about: of an entry that grants or denies, that entry with all identities and resources. */
export function partOf(policy: Policy, entry: Pick<PolicyEntry, 'list' | 'text'> | undefined): Policy {
  const { permissions } = policy
  const onlyEntry = <T extends { readonly value: { readonly text: string } }>(all: readonly T[]) =>
    all.filter(({ value }) => value.text === entry?.text)
  switch (entry?.list) {
    case 'identities':
    case 'resources':
      return { ...policy, [entry.list]: onlyEntry<Policy['identities' | 'resources'][number]>(policy[entry.list]) }
    case 'permissionsGroups':
      return { ...policy, permissions: { allow: [], except: [], deny: [] }, permissionsGroups: onlyEntry(policy.permissionsGroups) }
    case 'allow':
      return { ...policy, permissions: { ...permissions, allow: onlyEntry(permissions.allow), deny: [] }, permissionsGroups: [] }
    case 'deny':
      return { ...policy, permissions: { allow: [], except: [], deny: onlyEntry(permissions.deny) }, permissionsGroups: [] }
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
 * Finds the parts of policies that findings are about: a policy with only the entries at the place of the finding or with only the actions that
 * it is about, and all of it where the finding is at no entry. One place may be of several policies, as with `for_each` of Terraform. None for a
 * finding that is in no policy, or not about access.
 */
export function partsOfFindings(
  world: World,
  rules: readonly Pick<RuleFacts, 'code' | 'section'>[],
): (finding: Pick<Diagnostic, 'code' | 'span' | 'actions'>) => readonly Policy[] {
  const policiesOf = policiesAt(world)
  const others = new Set<string>(rules.flatMap(({ code, section }) => (otherSections.has(section) ? [code] : [])))
  return ({ code, span, actions }) => {
    if (others.has(code)) return []
    const policies = policiesOf(span)
    if (actions)
      return policies.flatMap((policy) => {
        const own = policies.length === 1 ? actions : actions.filter((action) => mayGrant(policy, action, world))
        return own.length > 0 ? [ofActions(policy, own)] : []
      })
    const placed = policies.flatMap((policy) => {
      const entries = policyEntries(policy).filter((each) => isWithin(span, each.span))
      return entries.length > 0 ? [{ policy, entries }] : []
    })
    if (placed.length === 0) return policies
    // Nothing is granted by what an exception withholds.
    return placed.flatMap(({ policy, entries }) => entries.flatMap((entry) => (entry.list === 'except' ? [] : [partOf(policy, entry)])))
  }
}

function mayGrant(policy: Policy, action: string, world: World): boolean {
  const has = (entries: Policy['permissions']['allow']) => entries.some(({ value }) => matches(value, action))
  return permissionsOf(policy, world).some(({ set }) => has(set.allow) && !has(set.except))
}

/**
 * Finds the policies around a place, which may be of another reading of the same file: else those that have an entry there, such as an argument
 * that a caller gives to a module.
 */
export function policiesAt(world: World): (span: Span) => readonly Policy[] {
  const byFile = policiesByFile(world)
  const byEntry = lazy(() => {
    const out = new Map<string, { readonly policy: Policy; readonly span: Span }[]>()
    for (const policy of world.policies)
      for (const { span } of policyEntries(policy)) if (!isWithin(span, policy.span)) pushTo(out, span.source.path, { policy, span })
    return out
  })
  return (span) => {
    const { path } = span.source
    const around = (byFile.get(path) ?? []).filter((each) => isWithin(span, each.span))
    if (around.length > 0) return around
    return [...new Set((byEntry().get(path) ?? []).flatMap((each) => (isWithin(span, each.span) ? [each.policy] : [])))]
  }
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
