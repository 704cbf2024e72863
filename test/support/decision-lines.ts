import { readAddress } from '../../src/conditions/address.ts'
import { explain } from '../../src/simulate/decide.ts'
import type { Clause, Question, Trace } from '../../src/simulate/decision.ts'
import { factText, valueText } from '../../src/simulate/facts.ts'
import { identityOf, resourceOf, type ShortPolicy, type ShortWorld, shortName, shortWorld } from './short.ts'

export interface ShortQuestion {
  readonly who?: string
  readonly what?: string
  readonly on?: string
  readonly groups?: readonly string[]
  readonly ip?: string
  readonly tags?: Readonly<Record<string, string>>
  readonly owner?: string
  readonly at?: string
}

export function askedOf({
  who = 'user:a/u',
  what = 'p:apisvc:x',
  on = 't:ab',
  groups = [],
  ip,
  tags,
  owner,
  at = '2026-07-01T12:30:00Z',
}: ShortQuestion): Question {
  const address = ip === undefined ? undefined : readAddress(ip)
  return {
    identity: identityOf(who),
    action: what,
    resource: resourceOf(on),
    groups: groups.map(identityOf),
    at: Date.parse(at),
    ...(address && { ip: address }),
    ...(tags && { tags: new Map(Object.entries(tags)) }),
    ...(owner !== undefined && { owner }),
  }
}

const clauseText = ({ policy, list, entry, group }: Clause) =>
  `${policy.name.value}${group === undefined ? '' : `/${shortName(group)}`} ${list} ${entry.value.text}`
const clausesText = (clauses: readonly Clause[]) => clauses.map(clauseText).join(', ')

function traceText({ policy, stoppedAt, applies, grants, denies, excepted, unknownGroups }: Trace): string {
  return [
    `${policy.name.value}:`,
    stoppedAt === undefined ? [] : `stopped at ${stoppedAt}`,
    `applies ${applies ?? 'perhaps'}`,
    (['grants', 'denies', 'excepted'] as const).map((key) => {
      const all = { grants, denies, excepted }[key]
      return all.length === 0 ? [] : `${key} (${clausesText(all)})`
    }),
    unknownGroups.length === 0 ? [] : `unknown ${unknownGroups.map(shortName).join(', ')}`,
  ]
    .flat(2)
    .join(' ')
}

/** A decision and its explanation, in lines. */
export function decisionLines(policies: readonly ShortPolicy[], more: ShortWorld, short: ShortQuestion): readonly string[] {
  const world = shortWorld(policies, more)
  const question = askedOf(short)
  const explanation = explain(world, question)
  const { decision, traces, nearest, lift, overruled, withoutInnerWildcards } = explanation
  const { verdict, reason, clauses, missing, caveats } = decision
  const values = (all: (typeof missing)[number]['allows']) => all.map((v) => `${factText(v)}=${valueText(v)}`).join(' ')
  return [
    [
      `${verdict} ${reason}`,
      ...(clauses.length > 0 ? [`by ${clausesText(clauses)}`] : []),
      ...(caveats.length > 0 ? [`caveats ${caveats.join(' ')}`] : []),
    ].join('; '),
    ...missing.map(({ fact, allows, denies }) =>
      // Values of many facts are more than can be read.
      missing.length > 3
        ? `missing ${factText(fact)}`
        : `missing ${factText(fact)}: allow with ${values(allows)}; deny with ${values(denies)}`,
    ),
    ...traces.map(traceText),
    ...(nearest.length > 0 ? [`nearest ${nearest.map(({ policy }) => policy.name.value).join(' ')}`] : []),
    ...('lift' in explanation ? [`lift ${lift && shortName(lift.group)} ${lift?.verdict}`] : []),
    ...('overruled' in explanation ? [`overruled ${overruled && shortName(overruled.group)} ${overruled?.verdict}`] : []),
    ...(withoutInnerWildcards ? [`without inner wildcards ${withoutInnerWildcards}`] : []),
  ]
}
