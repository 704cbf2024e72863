import { matches } from '../glob.ts'
import type { World } from '../policy.ts'
import type { Clause } from '../simulate/decision.ts'

/** The entries of a policy's identities through which it is about an identity: its groups and patterns. */
export function throughOf({ policy }: Pick<Clause, 'policy'>, identity: string, world: World): readonly string[] {
  const members = [identity, ...(world.identities.get(identity)?.groups ?? [])]
  return policy.identities.flatMap(({ value }) =>
    value.text !== identity && members.some((member) => matches(value.glob, member)) ? [value.text] : [],
  )
}
