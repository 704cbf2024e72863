import { type KeyPart, keyOf } from '../keys.ts'
import type { Condition, Policy, World } from '../policy.ts'
import { leaves } from '../simulate/completion.ts'
import { explain } from '../simulate/decide.ts'
import type { Clause, Fact, Question, Trace } from '../simulate/decision.ts'
import { factText } from '../simulate/facts.ts'
import { withKnownTags } from '../simulate/question.ts'
import { decidingOperands, identityMatch, placeOf, resourceMatch } from '../simulate/why.ts'
import type { Located } from '../source.ts'

/** A world, the question to it, and the place of each policy in the world that it was taken from. */
export interface Draft {
  readonly world: World
  /** Without the tags that the world knows of its resource, unless they were given with it. */
  readonly question: Question
  readonly origins: ReadonlyMap<Policy, number>
}

/** The draft of a world as it is given. */
export function draftOf(world: World, question: Question): Draft {
  return { world, question, origins: new Map(world.policies.map((policy, i) => [policy, i])) }
}

/** A comparison, or a condition that is not understood. */
type Leaf = Condition & { readonly kind: 'match' | 'opaque' }

/** How the parts of an answer are called, so that the answers of two worlds can be compared. */
export interface Naming {
  readonly policy: (policy: Policy) => KeyPart
  readonly entry: (clause: Clause) => KeyPart
  /** An identity or a resource of a policy, or a comparison of its condition. */
  readonly part: (policy: Policy, part: Located<{ readonly text: string }> | Leaf) => KeyPart
  readonly fact: (fact: Fact) => string
  readonly urn: (urn: string) => string
  /** Whether the part that a policy has in the decision is compared, too. */
  readonly isTraced: (policy: Policy) => boolean
}

/** How many of the policies that nearly grant a default deny explain it: as many as an answer shows. */
export const mostNearest = 4

/**
 * An answer as a text: verdict, reason, deciding entries with what lets their policies apply, missing facts, caveats, the policies that
 * nearly grant it, and the parts that policies have in it. Equal for two worlds exactly where they answer alike, for the same reasons.
 */
export function portraitOf(world: World, question: Question, naming: Naming): string {
  const asked = withKnownTags(question, world)
  const { decision, traces, nearest, byAddress, lift, overruled, withoutInnerWildcards } = explain(world, asked)
  const nearestTraces = nearest.slice(0, mostNearest)
  const explaining = new Set([...decision.clauses, ...nearestTraces].map(({ policy }) => policy))
  return keyOf(
    decision.verdict,
    decision.reason,
    decision.caveats,
    sorted(decision.clauses.map((clause) => clauseKey(clause, naming))),
    sorted(decision.missing.map(({ fact }) => [fact.kind === 'expression' ? 'condition' : fact.kind, naming.fact(fact)])),
    nearestTraces.map((trace) => traceKey(trace, naming)),
    sorted([...explaining].map((policy) => gatesKey(policy, world, asked, naming))),
    byAddress?.map(({ family, verdict }) => [family, verdict]),
    lift && [naming.urn(lift.group), lift.verdict],
    overruled && [naming.urn(overruled.group), overruled.verdict],
    withoutInnerWildcards,
    traces.filter(({ policy }) => naming.isTraced(policy)).map((trace) => traceKey(trace, naming)),
  )
}

/** The entries and comparisons that let a policy apply, or keep it from applying, as an answer shows them. */
function gatesKey(policy: Policy, world: World, question: Question, naming: Naming): KeyPart {
  const identity = identityMatch(policy, world, question)
  const resource = resourceMatch(policy, world, question)
  return [
    naming.policy(policy),
    identity && [naming.part(policy, identity.entry), identity.through && naming.urn(identity.through)],
    resource && [naming.part(policy, resource.entry), resource.group !== undefined],
    decidingOperands(policy, world, question).map(({ leaf, holds, isExcluded, fact }) => [
      naming.part(policy, leaf),
      holds,
      isExcluded,
      fact === undefined ? 'unknown' : fact !== null,
    ]),
    policy.expiresAt !== undefined,
  ]
}

function clauseKey(clause: Clause, naming: Naming): KeyPart {
  return [naming.policy(clause.policy), naming.entry(clause), clause.group && naming.urn(clause.group)]
}

function traceKey({ policy, stoppedAt, applies, grants, denies, excepted, unknownGroups }: Trace, naming: Naming): KeyPart {
  const clauses = [grants, denies, excepted].map((list) => sorted(list.map((clause) => clauseKey(clause, naming))))
  return [naming.policy(policy), stoppedAt, applies, clauses, unknownGroups.map(naming.urn)]
}

/** Parts in an order that does not depend on names or places. */
function sorted(parts: readonly KeyPart[]): readonly KeyPart[] {
  return parts.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

/** The naming of a draft by what it was taken from. `isTraced`: see `Naming`, by the places of policies. */
export function originNaming({ origins }: Pick<Draft, 'origins'>, isTraced: (origin: number) => boolean): Naming {
  const originOf = (policy: Policy) => origins.get(policy) ?? -1
  return {
    policy: originOf,
    entry: ({ list, entry: { span, value } }) => [list, span.source.path, span.start, value.text],
    part: (_, part) => {
      const { source, start } = 'kind' in part ? placeOf({ leaf: part }) : part.span
      return [source.path, start]
    },
    fact: factText,
    urn: (urn) => urn,
    isTraced: (policy) => isTraced(originOf(policy)),
  }
}

/** The naming of a world by the places of its parts in it: the same for a copy of it with other names. */
export function placeNaming(world: World, fact: Naming['fact'], urn: Naming['urn']): Naming {
  const places = new Map(world.policies.map((policy, i) => [policy, i]))
  return {
    policy: (policy) => places.get(policy) ?? -1,
    entry: ({ policy, list, entry, group }) => {
      const held = group === undefined ? policy.permissions : world.permissionsGroups.get(group)?.permissions
      return [list, held?.[list].indexOf(entry) ?? -1]
    },
    part: ({ identities, resources, condition }, part) =>
      'kind' in part
        ? [...leaves(condition)].indexOf(part)
        : [identities, resources].map((list) => (list as readonly unknown[]).indexOf(part)),
    fact,
    urn,
    isTraced: () => true,
  }
}
