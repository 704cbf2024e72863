import type { Catalogue } from '../actions/catalogue.ts'
import type { Budget } from '../budget.ts'
import { pushTo } from '../collections.ts'
import { compareText } from '../diagnostic.ts'
import { glob } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { Memo, type Memoize } from '../memo.ts'
import type { Policy, World } from '../policy.ts'
import { verdictOf } from '../simulate/decide.ts'
import type { Question, Verdict } from '../simulate/decision.ts'
import type { Span } from '../source.ts'
import { type CheckResult, noticesChange } from '../suite/run.ts'
import type { Suite } from '../suite/suite.ts'
import { type Entry, entriesOf, type List, lists, withEntries } from '../symbolic/entries.ts'
import { witnessOf } from '../symbolic/witness.ts'
import { printIdentity, readIdentity } from '../urn/identity.ts'
import { printResource, readResourcePattern } from '../urn/resource.ts'
import { aroundChange, inclusions, type Reach, reachOf, reachOfEntry } from './effects.ts'

/** A mistake that is made in a policy on purpose: good tests notice it. */
export interface Mutant {
  /** `widened`: the entry has a wildcard in place of its last part. `unconditional`, `unlimited`: the condition, or the expiry, is gone. */
  readonly kind: 'dropped' | 'widened' | 'unconditional' | 'unlimited'
  readonly policy: Policy
  /** Undefined for a condition and an expiry. */
  readonly list: List | undefined
  /** The entry as it is written. */
  readonly text: string
  /** The entry in its place. */
  readonly to: string | undefined
  readonly span: Span
  /** The policy with the mistake. */
  readonly now: Policy
}

/** A mutant that no test notices. */
export interface Survivor extends Mutant {
  /** A question that the mistake changes, with the verdicts before and after: a test for it would notice. Undefined where none was found. */
  readonly shown: { readonly question: Question; readonly verdict: Verdict; readonly mutated: Verdict } | undefined
}

/** The mutants of a run, in the order of their places. */
export interface MutationReport {
  readonly tried: number
  readonly noticed: number
  /** Those that change no access, which no test can notice. */
  readonly equal: number
  readonly survivors: readonly Survivor[]
}

/** The mutants of the policies of a world. `apart`: sources whose policies are not under test. */
export function mutantsOf({ policies }: World, apart: ReadonlySet<string>): readonly Mutant[] {
  return policies.filter(({ span }) => !apart.has(span.source.path)).flatMap(mutantsOfPolicy)
}

function mutantsOfPolicy(policy: Policy): readonly Mutant[] {
  const mutants: Mutant[] = lists.flatMap((list) => {
    const entries = entriesOf(policy, list)
    return entries.flatMap((entry, i): readonly Mutant[] => {
      const about = { policy, list, text: entry.value.text, span: entry.span }
      const dropped = withEntries(policy, list, entries.toSpliced(i, 1))
      const wider = widened(list, entry)
      return [
        { ...about, kind: 'dropped', to: undefined, now: dropped },
        ...(wider
          ? [{ ...about, kind: 'widened' as const, to: wider.value.text, now: withEntries(policy, list, entries.with(i, wider)) }]
          : []),
      ]
    })
  })
  const { condition, expiresAt, ...rest } = policy
  const about = { policy, list: undefined, text: '', to: undefined }
  if (condition) mutants.push({ ...about, kind: 'unconditional', span: condition.span, now: expiresAt ? { ...rest, expiresAt } : rest })
  if (expiresAt) mutants.push({ ...about, kind: 'unlimited', span: expiresAt.span, now: condition ? { ...rest, condition } : rest })
  return mutants
}

/** An entry with a wildcard: all actions of the product, all identities of the kind, all resources of the type; undefined where it has one. */
function widened(list: List, { value: { text }, span }: Entry): Entry | undefined {
  const wider = widerText(list, text)
  if (wider === undefined || wider === text) return undefined
  const value =
    list === 'identities'
      ? readIdentity(wider, { pattern: true }).value
      : list === 'resources'
        ? readResourcePattern(wider).value
        : glob(wider)
  return value && { value, span }
}

function widerText(list: List, text: string): string | undefined {
  if (list === 'allow') return /^[a-zA-Z0-9]+:/.test(text) ? `${text.slice(0, text.indexOf(':'))}:*` : undefined
  if (list === 'identities') {
    const read = readIdentity(text, { pattern: true }).value
    if (!read || read.kind === 'account' || read.account === undefined) return undefined
    return printIdentity({ ...read, account: read.account, name: '*' })
  }
  if (list !== 'resources') return undefined
  const read = readResourcePattern(text).value
  return read && 'type' in read && read.type !== undefined ? printResource({ ...read, type: read.type, name: '*' }) : undefined
}

/** A suite with its world and its results, before any mistake. */
export interface Tested {
  readonly suite: Pick<Suite, 'checks'>
  readonly world: World
  readonly results: readonly CheckResult[]
  /** The sources whose policies are not under test. */
  readonly apart: ReadonlySet<string>
}

/** A mistake in each world that has the policy. Suites may describe other groups and resources: so access may change in only one of them. */
export type MutantPlaces = readonly { readonly mutant: Mutant; readonly in: Tested }[]

/** The mistakes in the policies of some suites, each once. */
export function mutantsIn(tested: readonly Tested[]): readonly MutantPlaces[] {
  const placesByMutant = new Map<string, { readonly mutant: Mutant; readonly in: Tested }[]>()
  for (const each of tested)
    for (const mutant of mutantsOf(each.world, each.apart))
      pushTo(placesByMutant, keyOf(mutant.span.source.path, mutant.span.start, mutant.kind, mutant.list ?? ''), { mutant, in: each })
  return [...placesByMutant.values()]
}

/** Whether a test of some suite notices a mistake. */
export function isNoticed(places: MutantPlaces, catalogue: Pick<Catalogue, 'expand' | 'has'>, run: () => Budget): boolean {
  return places.some(({ mutant, in: { suite, world, results } }) =>
    noticesChange(suite, withMutant(world, mutant), [mutant.policy, mutant.now], results, catalogue, run()),
  )
}

/** Make each mistake in turn, and see which of them no test notices: one of any suite is enough. */
export function mutate(tested: readonly Tested[], catalogue: Pick<Catalogue, 'expand' | 'has'>, run: () => Budget): MutationReport {
  const survivors: Survivor[] = []
  let noticed = 0
  let equal = 0
  const { keep } = new Memo()
  const all = mutantsIn(tested)
  for (const places of all) {
    if (isNoticed(places, catalogue, run)) {
      noticed++
      continue
    }
    const survivor = survivorOf(places, catalogue, keep, run)
    if (survivor) survivors.push(survivor)
    else equal++
  }
  return {
    tried: all.length,
    noticed,
    equal,
    survivors: survivors.sort((a, b) => compareText(a.span.source.path, b.span.source.path) || a.span.start - b.span.start),
  }
}

/** A mistake with a question that shows it in one of the worlds; undefined where it changes access in none of them. */
export function survivorOf(
  places: MutantPlaces,
  catalogue: Pick<Catalogue, 'expand' | 'has'>,
  keep: Memoize,
  run: () => Budget,
): Survivor | undefined {
  let open: Survivor | undefined
  for (const { mutant, in: tested } of places) {
    const shown = changeBy(tested.world, mutant, catalogue, keep, run)
    if (shown === 'none') continue
    if (shown) return { ...mutant, shown }
    open ??= { ...mutant, shown }
  }
  return open
}

/** A world with a mistake in it. */
export function withMutant(world: World, { policy, now }: Mutant): World {
  return { ...world, policies: world.policies.map((each) => (each === policy ? now : each)) }
}

/** The most actions of the catalogue that are looked at for an example. */
const mostKnown = 50

/** Actions of the catalogue that a mutant may be about, first those of the product that an action is of. */
function knownActions({ policy, list, text, to }: Mutant, action: string, catalogue: Pick<Catalogue, 'expand'>): readonly string[] {
  const isAction = list === 'allow' || list === 'except' || list === 'deny'
  const patterns = isAction ? [glob(to ?? text)] : policy.permissions.allow.map(({ value }) => value)
  const product = action.slice(0, action.indexOf(':') + 1)
  return patterns.flatMap((pattern) => {
    const known = catalogue.expand(pattern)
    const [near, far] = [known.filter((each) => each.startsWith(product)), known.filter((each) => !each.startsWith(product))]
    return [...near, ...far].slice(0, mostKnown)
  })
}

/** The requests that a mutant may be about, as those of what is changed and of what is in its place. */
function reachesOf({ policy, list, text, to, now }: Mutant): readonly Reach[] {
  if (list === undefined) return [reachOf(policy)]
  return [reachOfEntry(policy, { list, text }), ...(to === undefined ? [] : [reachOfEntry(now, { list, text: to })])]
}

/** A question that is answered otherwise; `none`: it is proved that there is none. Undefined where neither was found. */
function changeBy(
  world: World,
  mutant: Mutant,
  catalogue: Pick<Catalogue, 'expand' | 'has'>,
  keep: Memoize,
  run: () => Budget,
): Survivor['shown'] | 'none' {
  const [before, after] = aroundChange(world, mutant.policy, mutant.now, reachesOf(mutant), keep)
  const mistaken = withMutant(world, mutant)
  let isCertain = true
  for (const outcome of inclusions(before, after, { budget: run, keep })) {
    if (outcome.kind === 'new') {
      const question = witnessOf(outcome.newAccess)
      const shownBy = (action: string) => {
        const asked = { ...question, action }
        const [verdict, mutated] = [verdictOf(world, asked), verdictOf(mistaken, asked)]
        return verdict === mutated ? undefined : { question: asked, verdict, mutated }
      }
      // An action that there is says more than one that there might be.
      const candidates = catalogue.has(question.action) ? [] : knownActions(mutant, question.action, catalogue)
      for (const action of candidates) {
        const change = shownBy(action)
        if (change) return change
      }
      const change = shownBy(question.action)
      if (change) return change
      isCertain = false
    }
    if (outcome.kind === 'undecided') isCertain = false
  }
  return isCertain ? 'none' : undefined
}
