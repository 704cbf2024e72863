import { Undecided } from '../budget.ts'
import type { Facts } from '../parser/policy.ts'
import type { WorldWith } from '../parser/world.ts'
import type { PermissionsGroup, Policy } from '../policy.ts'
import type { Span } from '../source.ts'
import { covers } from '../symbolic/covers.ts'
import { indexOf, sideOf } from '../symbolic/side.ts'
import { type Statement, statementsOf } from '../symbolic/statements.ts'
import { readIdentity } from '../urn/identity.ts'
import { readResourcePattern } from '../urn/resource.ts'

/** How many regions are looked at for one policy before nothing counts as proved: a number of steps, the same on every machine. */
const budget = 20_000

/**
 * Whether a file means the same about who may do what as before: a proof over all identities, actions, resources and contexts
 * (docs/analysis.md, The whole set). Policies and permissions groups are compared one by one, with allowed and denied actions
 * apart, so that the answer holds for any other policies; `worldWith`: the world of one policy. An unknown value is the same on both sides where it has the same
 * symbol, and otherwise anything: the answer holds for every value. False: it does not, or it could not be proved.
 */
export function isEquivalent(before: Facts, after: Facts, worldWith: WorldWith): boolean {
  if (before.policies.length !== after.policies.length || before.permissionsGroups.length !== after.permissionsGroups.length) return false
  return (
    inventory(before) === inventory(after) &&
    before.permissionsGroups.every((group, i) => sameGroup(group, after.permissionsGroups[i] as PermissionsGroup, worldWith)) &&
    before.policies.every((policy, i) => samePolicy(policy, after.policies[i] as Policy, worldWith))
  )
}

/** The facts other than policies and permissions groups. */
function inventory({ policies, permissionsGroups, ...rest }: Facts): string {
  return factsText(rest)
}

/** Facts as one text: everything but where it is written. */
export function factsText(facts: Partial<Facts>): string {
  return JSON.stringify(facts, (key, value: unknown) => {
    if (key === 'span' || key === 'node') return undefined
    // Addresses are no numbers that JSON has.
    if (typeof value === 'bigint') return { number: String(value) }
    return value instanceof Map || value instanceof Set ? [...value] : value
  })
}

function writtenText({ source, start, end }: Span): string {
  return source.text.slice(start, end)
}

function samePolicy(before: Policy, after: Policy, worldWith: WorldWith): boolean {
  if (writtenText(before.span) === writtenText(after.span)) return true
  return before.readOnly === after.readOnly && isSame(before, after, worldWith)
}

function sameGroup(before: PermissionsGroup, after: PermissionsGroup, worldWith: WorldWith): boolean {
  if (writtenText(before.span) === writtenText(after.span)) return true
  const { urn } = before
  return urn.value.text === after.urn.value.text && isSame(forEverybody(before), forEverybody(after), worldWith)
}

/** A policy that gives the permissions of a group to anybody, on anything. */
function forEverybody({ urn, permissions, open, span, node }: PermissionsGroup): Policy {
  const identity = readIdentity('urn:v1:eu:identity:user:*', { pattern: true }).value
  const resource = readResourcePattern('urn:v1:eu:resource:*').value
  return {
    name: { value: urn.value.text, span },
    identities: identity ? [{ value: identity, span }] : [],
    resources: resource ? [{ value: resource, span }] : [],
    permissions,
    permissionsGroups: [],
    ...(open && { open }),
    readOnly: false,
    span,
    node,
  }
}

function isSame(before: Policy, after: Policy, worldWith: WorldWith): boolean {
  try {
    const [a, b] = [worldWith(before), worldWith(after)]
    const [first, second] = [statementsOf(a, b), statementsOf(b, a)]
    const nothing = sideOf({ ...a, policies: [] })
    return (['allow', 'deny'] as const).every((effect) => {
      const [here, there] = [first, second].map((list) => list.filter((each) => each.effect === effect)) as [Statement[], Statement[]]
      const side = (list: readonly Statement[]) => ({ ...nothing, allows: indexOf(list) })
      return covers(side(there), here, budget).kind === 'none' && covers(side(here), there, budget).kind === 'none'
    })
  } catch (error) {
    if (error instanceof Undecided) return false
    throw error
  }
}
