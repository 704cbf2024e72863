import type { Blamed } from '../../history/blame.ts'
import { blamedIn } from '../../history/blame.ts'
import { policyEntries } from '../../history/effects.ts'
import type { Settings } from '../../names.ts'
import type { World } from '../../policy.ts'
import type { Grant } from '../../review/grants.ts'
import { GrantUses } from '../../review/use.ts'
import { recordCounter } from '../../usage/tally.ts'
import type { Options } from '../app/commands.ts'
import type { Io } from '../app/io.ts'
import { readBlame } from './blamed.ts'
import { readRecords } from './records.ts'

/** The facts that reviewers are given with a grant, where they are asked for. */
export interface ReviewFacts {
  /** The use of grants in the calls of `--calls`. */
  readonly uses?: GrantUses | undefined
  /** Since when the identity has had the grant, by `--blame`; undefined for one that is not committed. */
  readonly since?: ((grant: Grant) => Blamed | undefined) | undefined
}

/** Read the calls of `--calls`, to look up the use of grants; undefined where none are given. */
export async function readUses(
  { calls, skipBad = false, policies }: Pick<Options<'review'>, 'calls' | 'policies'> & { readonly skipBad?: boolean },
  world: World,
  instant: number,
  settings: Settings,
  io: Io,
): Promise<GrantUses | undefined> {
  if (calls.length === 0) return undefined
  const tallies = recordCounter()
  await readRecords(calls, { policies, skipBad }, settings, io, tallies.add)
  return new GrantUses(world, tallies.end(), instant)
}

/** Read what the options ask for. */
export async function readReviewFacts(
  options: Omit<Options<'review'>, 'owner'>,
  world: World,
  instant: number,
  settings: Settings,
  io: Io,
): Promise<ReviewFacts> {
  const { blame } = options
  const facts: { uses?: GrantUses; since?: ReviewFacts['since'] } = {}
  const uses = await readUses(options, world, instant, settings, io)
  if (uses) facts.uses = uses
  if (blame) {
    const select = (last: World) => last.policies.flatMap((policy) => policyEntries(policy).filter(({ list }) => list === 'identities'))
    const { report } = await readBlame(
      { given: options.policies, asker: '--blame', options: { ...options, policies: [] }, select, isBounded: true },
      io,
    )
    const of = blamedIn(report.blamed)
    facts.since = ({ policies, key }) =>
      policies
        .flatMap(policyEntries)
        .flatMap((entry) => (entry.list === 'identities' && entry.text === key.identity ? (of(entry) ?? []) : []))[0]
  }
  return facts
}
