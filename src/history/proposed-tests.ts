import type { Catalogue } from '../actions/catalogue.ts'
import type { Budget } from '../budget.ts'
import { Memo } from '../memo.ts'
import type { World } from '../policy.ts'
import { verdictOf } from '../simulate/decide.ts'
import type { Question, Reason, Verdict } from '../simulate/decision.ts'
import type { Context } from '../simulate/question.ts'
import { compareSpans } from '../simulate/reference.ts'
import type { Span } from '../source.ts'
import { concerns } from '../suite/run.ts'
import { isNoticed, mutantsIn, type Survivor, survivorOf, type Tested, withMutant } from './mutants.ts'
import { answerTo, type CoveredParts, exampleOfPart, type Part, partsOf } from './parts.ts'

/** A test that a file of policy tests lacks: no other covers a part of the access, or notices a mistake in the policies. */
export interface ProposedTest {
  readonly question: Question
  /** The verdict of the policies as they are. */
  readonly verdict: Verdict
  /** Given where the verdict may be the same without the entry that the test is for. */
  readonly reason?: Reason
  /** The entry that it is for. */
  readonly span: Span
}

export interface ProposedTests {
  readonly tests: readonly ProposedTest[]
  /** Mistakes for which no question was found that shows them, and parts for which none was found whose answer rests on them. */
  readonly open: { readonly mistakes: readonly Survivor[]; readonly parts: readonly Part[] }
  /** Parts that decide no question that gives all facts. */
  readonly idle: readonly Part[]
  /** How many further mistakes and parts were not looked at, since there are so many tests or it takes too long. */
  readonly omitted: number
}

/** The most tests that are proposed together: as many as a person can review. */
export const mostTests = 500

export interface ProposalOptions {
  /** The parts that the existing tests cover. Those of proposed tests are added. */
  readonly covered: CoveredParts
  /** The facts that the file gives to all its tests, and the time that is tried first. */
  readonly usual: Context
  readonly catalogue: Pick<Catalogue, 'expand' | 'has'>
  /** For the whole search. */
  readonly run: Budget
  /** A new one for the tests that are run again with each mistake. */
  readonly budget: () => Budget
}

/**
 * Tests for what no test covers: first one for each mistake that no test notices, about what an entry grants or takes away by itself and what
 * is just outside of it; then one for each part that no answer rests on, such as one that two policies grant. A question that
 * serves for several is proposed once. `target`: the suite that they are added to.
 */
export function proposeTests(
  target: Tested,
  others: readonly Tested[],
  { covered, usual, catalogue, run, budget }: ProposalOptions,
): ProposedTests {
  const { world, apart } = target
  const tests: ProposedTest[] = []
  const mistakes: Survivor[] = []
  const parts: Part[] = []
  const idle: Part[] = []
  let omitted = 0
  const { keep } = new Memo()
  const isFull = () => tests.length === mostTests || run.isSpent
  const propose = (proposed: ProposedTest) => {
    tests.push(proposed)
    covered.add(answerTo(world, proposed.question), world)
  }

  for (const places of mutantsIn([target, ...others])) {
    const targetPlaces = places.filter((each) => each.in === target)
    const [first] = targetPlaces
    // Mistakes in policies that only other test files are about.
    if (!first) continue
    if (isFull()) {
      omitted++
      continue
    }
    if (isNoticed(places, catalogue, budget)) continue
    const mutated = withMutant(world, first.mutant)
    const changed = [first.mutant.policy, first.mutant.now]
    if (tests.some(({ question, verdict }) => concerns(changed, world, question) && verdictOf(mutated, question) !== verdict)) continue
    const survivor = survivorOf(targetPlaces, catalogue, keep, () => run)
    if (!survivor) continue
    const { shown, span } = survivor
    if (!shown) mistakes.push(survivor)
    else {
      const { question, verdict, mutated: other } = shown
      const shows = (asked: Question) => verdictOf(world, asked) === verdict && verdictOf(mutated, asked) === other
      propose({ question: readable(question, world, shows, usual), verdict, span })
    }
  }

  for (const part of partsOf(world, apart)) {
    if (covered.has(part)) continue
    if (isFull()) {
      omitted++
      continue
    }
    const example = exampleOfPart(world, part, catalogue, keep, run)
    if (example === 'none') idle.push(part)
    else if (!example) parts.push(part)
    else {
      const { question, verdict, isDefault, shows } = example
      propose({
        question: readable(question, world, shows, usual),
        verdict,
        ...(isDefault && { reason: 'denied' }),
        span: part.entry.span,
      })
    }
  }
  return { tests: tests.sort((a, b) => compareSpans(a.span, b.span)), open: { mistakes, parts }, idle, omitted }
}

/** The most described names that are tried in the place of one that an example made up. */
const mostNames = 100

/**
 * The question with as few facts and as well-known names as still show what it is for: the usual facts, described identities and resources in
 * the place of those made up, and no address or tags that nothing looks at.
 */
function readable(question: Question, world: World, shows: (asked: Question) => boolean, usual: Context): Question {
  const { identity, resource, groups } = question
  let best = question
  const tryFirst = (candidates: Iterable<Question>) => {
    for (const candidate of candidates) {
      if (!shows(candidate)) continue
      best = candidate
      return
    }
  }
  for (const fact of ['at', 'ip', 'tags'] as const) if (usual[fact] !== undefined) tryFirst([{ ...best, [fact]: usual[fact] }])
  if (groups.length > 0) tryFirst([identity, ...groups].map((only) => ({ ...best, identity: only, groups: [] })))
  if (!world.identities.has(identity) && best.groups.length === 0)
    tryFirst(first(world.identities.keys()).map((described) => ({ ...best, identity: described })))
  if (!world.resources.has(resource)) {
    // Those that the world describes have its tags.
    const { tags: _, ...untagged } = best
    const base = usual.tags ? best : untagged
    tryFirst(first(world.resources.keys()).map((described) => ({ ...base, resource: described })))
  }
  for (const fact of ['ip', 'tags'] as const) {
    if (usual[fact] !== undefined) continue
    const { [fact]: _, ...others } = best
    tryFirst([others])
  }
  return best
}

function first(names: Iterable<string>): readonly string[] {
  const out: string[] = []
  for (const name of names) if (out.push(name) === mostNames) break
  return out
}
