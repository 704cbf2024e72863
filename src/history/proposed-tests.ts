import type { World } from '../policy.ts'
import { verdictOf } from '../simulate/decide.ts'
import type { Question, Verdict } from '../simulate/decision.ts'
import { concerns } from '../suite/run.ts'
import { type MutationReport, type Survivor, withMutant } from './mutants.ts'

/** A test that a file of policy tests lacks: without it, no test notices some mistake in the policies. */
export interface ProposedTest {
  readonly question: Question
  /** The verdict of the policies as they are. */
  readonly verdict: Verdict
}

export interface ProposedTests {
  readonly tests: readonly ProposedTest[]
  /** Mistakes for which no question was found that shows them. */
  readonly open: readonly Survivor[]
  /** How many further mistakes were not looked at, since there are so many tests. */
  readonly omitted: number
}

/** The most tests that are proposed together: as many as a person can review. */
export const mostTests = 500

/**
 * Tests for the parts of access that no test covers: what an entry grants or takes away by itself, and what is just outside of it. One
 * question for each mistake that no test notices, unless one of an earlier mistake shows it too. `usualAt`: the time that is
 * tried first, so that a file can have one time for all.
 */
export function proposeTests(world: World, { survivors }: Pick<MutationReport, 'survivors'>, usualAt: number): ProposedTests {
  const tests: ProposedTest[] = []
  const open: Survivor[] = []
  let omitted = 0
  const own = new Set(world.policies)
  for (const survivor of survivors) {
    // Mistakes in policies that only other test files are about.
    if (!own.has(survivor.policy)) continue
    const mutated = withMutant(world, survivor)
    const changed = [survivor.policy, survivor.now]
    if (tests.some(({ question, verdict }) => concerns(changed, world, question) && verdictOf(mutated, question) !== verdict)) continue
    const { shown } = survivor
    if (!shown) open.push(survivor)
    else if (tests.length === mostTests) omitted++
    else tests.push({ question: readable(shown, world, mutated, usualAt), verdict: shown.verdict })
  }
  return { tests, open, omitted }
}

/** The most described names that are tried in the place of one that an example made up. */
const mostNames = 100

/**
 * The question with as few facts and as well-known names as still show the mistake: the usual time, described identities and resources in
 * the place of those made up, and no address or tags that nothing looks at.
 */
function readable(
  { question, verdict, mutated: other }: NonNullable<Survivor['shown']>,
  world: World,
  mutated: World,
  usualAt: number,
): Question {
  const shows = (asked: Question) => verdictOf(world, asked) === verdict && verdictOf(mutated, asked) === other
  const { identity, resource, at, groups } = question
  let best = question
  const tryFirst = (candidates: Iterable<Partial<Question>>) => {
    for (const candidate of candidates) {
      const asked = { ...best, ...candidate }
      if (!shows(asked)) continue
      best = asked
      return
    }
  }
  if (usualAt !== at) tryFirst([{ at: usualAt }])
  if (!world.identities.has(identity) && groups.length === 0)
    tryFirst(first(world.identities.keys()).map((described) => ({ identity: described })))
  if (!world.resources.has(resource)) {
    const { tags: _, ...others } = best
    const untagged = first(world.resources.keys()).map((described) => ({ ...others, resource: described }))
    const known = untagged.find(shows)
    if (known) best = known
  }
  for (const fact of ['ip', 'tags'] as const) {
    const { [fact]: _, ...others } = best
    if (shows(others)) best = others
  }
  return best
}

function first(names: Iterable<string>): readonly string[] {
  const out: string[] = []
  for (const name of names) if (out.push(name) === mostNames) break
  return out
}
