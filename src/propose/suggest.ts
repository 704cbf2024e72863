import { type Difference, type DiffRegion, diff } from '../diff/diff.ts'
import { glob } from '../glob.ts'
import { noFacts } from '../parser/read.ts'
import { buildWorld } from '../parser/world.ts'
import type { Policy, World } from '../policy.ts'
import { decide, explain } from '../simulate/decide.ts'
import type { Decision, Lift, Question, Trace } from '../simulate/decision.ts'
import { traces } from '../simulate/reference.ts'
import { type Source, sourceOf } from '../source.ts'
import { readIdentity } from '../urn/identity.ts'
import { readResourcePattern } from '../urn/resource.ts'
import { applied, type Edit, type Plan, plansToAllow, plansToDeny } from './plans.ts'
import { type File, type PolicyFields, policyFile, type Read, rewrite, withPolicy } from './write.ts'

export type { Edit } from './plans.ts'

/** What is wished of the answer. */
export type Wish = 'allow' | 'deny'

/** A file that changes: `before` is undefined where it is new, `after` where nothing is left of it. */
export interface Changed {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

export interface Suggestion {
  readonly edits: readonly Edit[]
  readonly files: readonly Changed[]
  /** The answer to the question by the files as they would be. */
  readonly decision: Decision
  /**
   * All that changes besides, exactly: what anybody gains and loses, the identity's own action on the resource left aside,
   * in whatever context. `same` is a proof that there is nothing else.
   */
  readonly others: Difference
}

export interface Suggested {
  /** Today's answer. */
  readonly today: Decision
  readonly wish: Wish
  /**
   * `already`: the answer is as wished. `unknown`: it depends on facts that were not given, and these come first. `root`:
   * the owning account cannot be denied anything. `edits`: see `suggestions`.
   */
  readonly kind: 'already' | 'unknown' | 'root' | 'edits'
  /** Those that change the least else come first. */
  readonly suggestions: readonly Suggestion[]
  /** Policies that would allow it if their condition held, which the facts of the question speak against. */
  readonly conditional: readonly Trace[]
  /** A group whose members are allowed, or perhaps. */
  readonly membership: Lift | undefined
}

/** How many suggestions are given, and how many are worked out. */
const [mostGiven, mostTried] = [5, 16]
/** How many steps the comparison of one suggestion may take on each side. */
const budget = 20_000

/**
 * The smallest edits that turn the answer to a question, each tried on the files as they would be, with all else that it
 * changes. `world` is that of the files, which must be without errors, and as `suppose` changes it.
 */
export async function suggest(
  files: readonly File[],
  world: World,
  question: Question,
  wish: Wish | undefined,
  read: Read,
  suppose: (world: World) => World = (given) => given,
): Promise<Suggested> {
  const explanation = explain(world, question)
  const today = explanation.decision
  const to = wish ?? (today.verdict === 'allow' ? 'deny' : 'allow')
  const answer = (kind: Suggested['kind'], suggestions: readonly Suggestion[] = []): Suggested => ({
    today,
    wish: to,
    kind,
    suggestions,
    conditional: kind === 'edits' && to === 'allow' ? heldByConditions(world, question) : [],
    membership: kind === 'edits' && to === 'allow' ? explanation.lift : undefined,
  })
  if (today.verdict === to) return answer('already')
  if (today.verdict === 'unknown') return answer('unknown')
  if (today.reason === 'root') return answer('root')
  const plans = (to === 'allow' ? plansToAllow : plansToDeny)(world, question, today)
  const found: Suggestion[] = []
  const seen = new Set<string>()
  for (const plan of spread(plans, mostTried)) {
    const suggestion = await carriedOut(plan, { files, world, question, wish: to, read, suppose })
    if (!suggestion) continue
    const key = JSON.stringify(suggestion.files)
    if (!seen.has(key)) found.push(suggestion)
    seen.add(key)
  }
  return answer('edits', found.sort((a, b) => weigh(a) - weigh(b) || a.edits.length - b.edits.length).slice(0, mostGiven))
}

/** The first so many, and the last whatever their number: it is the new policy, which always can be written. */
function spread(plans: readonly Plan[], most: number): readonly Plan[] {
  return plans.length <= most ? plans : [...plans.slice(0, most - 1), plans.at(-1) as Plan]
}

interface Asked {
  readonly files: readonly File[]
  readonly world: World
  readonly question: Question
  readonly wish: Wish
  readonly read: Read
  readonly suppose: (world: World) => World
}

/** A plan as files, tried; undefined where it cannot be written, or does not bring what is wished. */
async function carriedOut(plan: Plan, { files, world, question, wish, read, suppose }: Asked): Promise<Suggestion | undefined> {
  // First as it is understood, which is cheap.
  if (!plan.added && decide(applied(world, plan), question).verdict !== wish) return undefined
  const { files: rewritten, failed } = await rewrite(files, plan.revision, read)
  if (failed.length > 0) return undefined
  const pairs: { readonly before: File | undefined; readonly after: File | undefined }[] = [...rewritten]
  if (plan.added && !(await addPolicy(pairs, plan.added, read))) return undefined
  const built = buildWorld(pairs.map(({ after }) => after?.read.facts ?? noFacts))
  const after = suppose(built.world)
  const decision = decide(after, question)
  if (decision.verdict !== wish || built.diagnostics.some(({ severity }) => severity === 'error')) return undefined
  const aside = pointOf(question, (files[0] as File).source)
  const beside = (one: World): World => ({ ...one, policies: [...one.policies, aside] })
  const whole = diff(beside(world), beside(after), { budget })
  return {
    edits: plan.edits,
    files: pairs.flatMap(({ before, after }) =>
      before === after ? [] : [{ path: (after ?? before)?.source.path ?? '', before: before?.source.text, after: after?.source.text }],
    ),
    decision,
    others: {
      ...whole,
      gained: whole.gained.map((region) => withoutAside(region, aside)),
      lost: whole.lost.map((region) => withoutAside(region, aside)),
    },
  }
}

/** Put a policy into the first file with a list of policies, else into a file of its own beside the first. */
async function addPolicy(
  pairs: { readonly before: File | undefined; readonly after: File | undefined }[],
  fields: PolicyFields,
  read: Read,
): Promise<boolean> {
  for (const [i, { before, after }] of pairs.entries()) {
    const longer = after && (await withPolicy(after, fields, read))
    if (!longer) continue
    pairs[i] = { before, after: longer }
    return true
  }
  const first = pairs[0]?.before?.source.path ?? ''
  const folder = first.slice(0, first.lastIndexOf('/') + 1)
  const known = new Set(pairs.flatMap(({ before, after }) => [before?.source.path, after?.source.path]))
  let path = `${folder}new-policy.yaml`
  for (let i = 2; known.has(path); i++) path = `${folder}new-policy-${i}.yaml`
  const source = sourceOf(path, policyFile(fields), 'yaml')
  const after: File = { source, read: await read(source) }
  pairs.push({ before: undefined, after })
  return after.read.diagnostics.every(({ severity }) => severity !== 'error')
}

/** A policy that denies just what is asked: with it on both sides, a comparison shows everything else. */
function pointOf({ identity, action, resource }: Question, source: Source): Policy {
  const span = { source, start: 0, end: 0 }
  const who = readIdentity(identity, { pattern: false }).value
  const what = readResourcePattern(resource).value
  return {
    name: { value: 'the question', span },
    identities: who ? [{ value: who, span }] : [],
    resources: what ? [{ value: what, span }] : [],
    permissions: { allow: [], except: [], deny: [{ value: glob(action), span }] },
    permissionsGroups: [],
    readOnly: false,
    span,
    node: { kind: 'map', entries: [], ...span },
  }
}

function withoutAside(region: DiffRegion, aside: Policy): DiffRegion {
  return { ...region, except: region.except.filter(({ policy }) => policy !== aside) }
}

/** How much a suggestion changes besides: wildcards and groups count for more than names. */
function weigh({ others: { verdict, gained, lost } }: Suggestion): number {
  const weight = (texts: readonly string[]) =>
    texts.reduce((sum, text) => sum + (text.includes('*') ? 5 : /:group:|:resourceGroup:/.test(text) ? 3 : 1), 0)
  const regions = [...gained, ...lost].reduce(
    (sum, { identities, actions, resources }) =>
      sum + weight(identities) * weight(actions) * weight(resources.map(({ pattern }) => pattern)),
    0,
  )
  return regions + (verdict === 'undecided' ? 1_000_000 : 0)
}

/** The policies that only their condition keeps from allowing what is asked. */
function heldByConditions(world: World, question: Question): readonly Trace[] {
  return traces(world, question).filter(({ policy, stoppedAt }) => {
    if (stoppedAt !== 'condition') return false
    const { condition: _, ...free } = policy
    return decide({ ...world, policies: world.policies.map((each) => (each === policy ? free : each)) }, question).verdict === 'allow'
  })
}
