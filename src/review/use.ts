import { matches } from '../glob.ts'
import { memoizeByObject } from '../memo.ts'
import type { World } from '../policy.ts'
import { verdictOf } from '../simulate/decide.ts'
import { groupsOf, inForce, withGroups } from '../usage/least.ts'
import type { Tally, Use } from '../usage/tally.ts'
import type { Grant } from './grants.ts'

/** How recorded calls use a grant. */
export interface GrantUse {
  /** How many allowed calls the grant allows by itself. */
  readonly count: number
  /** When the last one was, milliseconds since 1970; undefined where there is none, or no record says. */
  readonly last: number | undefined
  /** How many calls were refused that the grant would allow: before it was given, or since it is gone. */
  readonly refused: number
}

/** The calls of a tally about the identities of grants, to look up the use of each. */
export class GrantUses {
  private readonly world: World
  private readonly allowed: readonly Use[]
  private readonly refused: readonly Use[]
  private readonly at: number
  private readonly groupsAt = memoizeByObject((use: Use) => groupsOf(use, this.world))

  /** `world`: who is in which group, and which tags resources have; records add groups. */
  constructor(world: World, tally: Tally, instant: number) {
    this.world = withGroups(world, tally.groups)
    this.allowed = tally.uses
    this.refused = [...tally.left.refused, ...tally.alsoRefused]
    this.at = instant
  }

  /** The use of a grant, or of what was one, from an instant on; of calls before and after it, at least so many. */
  of({ key, world }: Pick<Grant, 'key' | 'world'>, from = Number.NEGATIVE_INFINITY): GrantUse {
    const entry = world.policies.flatMap(({ identities }) => identities).find(({ value }) => value.text === key.identity)
    if (!entry) return { count: 0, last: undefined, refused: 0 }
    const { identities, resources } = this.world
    const grantWorld = { ...inForce(world, this.at), identities, resources }
    const isOf = (use: Use): boolean => {
      const { identity, action, resource, last, ip } = use
      const groups = this.groupsAt(use) ?? []
      if (resource === null || (last ?? from) < from) return false
      if (![identity, ...groups].some((name) => matches(entry.value.glob, name))) return false
      // Facts that are not known of the call, such as its address, may have been as the grant asks for.
      return verdictOf(grantWorld, { identity, groups, action, resource, at: last ?? this.at, ...(ip && { ip }) }) !== 'deny'
    }
    const used = this.allowed.filter(isOf)
    const instants = used.flatMap(({ last }) => last ?? [])
    return {
      count: counted(used, from),
      last: instants.length > 0 ? Math.max(...instants) : undefined,
      refused: counted(this.refused.filter(isOf), from),
    }
  }
}

/** Of calls that are counted together and began before an instant, only the last is certainly from then on. */
const counted = (uses: readonly Use[], from: number) =>
  uses.reduce((sum, { count, first }) => sum + (first !== undefined && first < from ? 1 : count), 0)
