import { type Address, readAddress } from '../../src/conditions/address.ts'
import type { World } from '../../src/policy.ts'
import type { Model } from '../../src/symbolic/formula.ts'

/** Contexts in which answers about described things are compared with decisions. */

/** Actions that generated worlds mention. */
export const actions = ['p', 'q'].flatMap((product) => ['a', 'b', 'a/b', 'b/a', 'ab'].map((path) => `${product}:apisvc:${path}`))

const addresses = ['192.0.2.4', '192.0.3.1', '10.0.0.1', '11.0.0.1', '2001:db8::1'].map((text) => readAddress(text) as Address)

export const instants = [
  '2026-03-29T00:59:59.999Z',
  '2026-03-29T01:00:00Z',
  '2026-06-30T22:00:00Z',
  '2026-07-01T12:00:00Z',
  '2026-10-25T02:30:00Z',
  '2027-01-03T03:00:00Z',
].map((text) => Date.parse(text))

export interface Point {
  readonly at: number
  readonly ip: Address
  /** Given only for a resource whose tags are not known. */
  readonly tags?: ReadonlyMap<string, string>
  /** The same as the context of a formula. */
  readonly model: Model
}

/** Every time with every address, for one resource: it has no tags where the world does not say which. */
export function gridFor(world: World, resource: string, times: readonly number[] = instants): readonly Point[] {
  const isKnown = world.resources.get(resource)?.tags !== undefined
  const none = new Map<string, null>(['k', 'env'].map((key) => [key, null]))
  return times.flatMap((at) =>
    addresses.map((ip) => ({ at, ip, ...(!isKnown && { tags: new Map() }), model: { at, ip, tags: none, assumed: new Map() } })),
  )
}
