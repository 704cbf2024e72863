import { Budget, unlessUndecided } from '../budget.ts'
import { Memo, memoizeByObject } from '../memo.ts'
import { buildWorld } from '../parser/world.ts'
import type { Policy, World } from '../policy.ts'
import type { Source } from '../source.ts'
import { firstNewAccess } from '../symbolic/covers.ts'
import { entriesOf, lists } from '../symbolic/entries.ts'
import { allOf, always, formulaOf, isTimed as looksAtTime, notBefore, satisfy, until, withTime } from '../symbolic/formula.ts'
import { plainOutcome } from '../symbolic/plain.ts'
import { callerOf } from '../symbolic/search.ts'
import { deniesAsGrants, type Side, sideOf } from '../symbolic/side.ts'
import type { IdentityUrn } from '../urn/identity.ts'
import { type OpenStep, type Shrunk, type Step, shrink } from './shrink.ts'
import { trimmed } from './trim.ts'
import { type File, type Read, type Rewritten, rewrite } from './write.ts'

export type { Entry, List } from '../symbolic/entries.ts'
export type { OpenStep, Reason, Step } from './shrink.ts'
export type { File, Read } from './write.ts'

/** How large a world is. */
export interface Size {
  readonly policies: number
  /** The entries of all their lists. */
  readonly entries: number
}

/** The proved relation of the world before to the one after, over all identities, actions, resources and contexts. */
export interface Certificate {
  /** `none`: no identity gets or loses access; the denied requests are the same. `undecided`: see `Minimised.certificate`. */
  readonly gained: 'none' | 'undecided'
  readonly lost: 'none' | 'undecided'
  readonly denied: 'same' | 'undecided'
}

export interface Minimised {
  /** The removed parts, in the order in which they were found. */
  readonly steps: readonly Step[]
  /** Access from this instant on is the same; undefined: at all times. */
  readonly from?: number
  /** Parts that may be removable: that could not be decided. */
  readonly undecided: readonly OpenStep[]
  readonly before: Size
  readonly after: Size
  /** The files as they would be. */
  readonly files: Rewritten['files']
  /** How many policies are read-only: nothing of them goes, needed or not. */
  readonly readOnly: number
  /** The files that are left as they are, since their layout is not understood. */
  readonly left: readonly File[]
  /**
   * Inclusion in both directions between the world before, without policies that can never apply again, and the world after as it
   * is read from the rewritten files. Each step is proved separately, so that the whole holds even where this second proof, of
   * all together, exceeds its budget.
   */
  readonly certificate: Certificate
}

/** `smallest`: nothing can go. `smaller`: something can. `undecided`: nothing is known to, and something may. */
export function minimiseVerdict({ steps, undecided, left }: Minimised): 'smallest' | 'smaller' | 'undecided' {
  if (steps.length > 0) return 'smaller'
  return undecided.length + left.length > 0 ? 'undecided' : 'smallest'
}

/**
 * The smallest world that is easily found and says the same (docs/analysis.md, The whole set). `world` is that of the files,
 * which must be without errors. `from`: only access from this instant on counts, so that policies go that can never apply again. Throws `Undecided` where the world cannot be taken apart, and an error where the files as
 * rewritten do not say the same, which no input should bring about.
 */
export async function minimise(
  files: readonly File[],
  world: World,
  read: Read,
  from?: number,
  run: Budget = new Budget(),
): Promise<Minimised> {
  const frozen = new Set<Source>()
  const unsupportedFiles: File[] = []
  for (;;) {
    const over = new Set(
      from === undefined
        ? []
        : world.policies.filter((policy) => !policy.readOnly && !frozen.has(policy.span.source) && isOver(policy, from, run)),
    )
    const trims = world.policies.flatMap((policy) => {
      if (over.has(policy)) return []
      const isFixed = policy.readOnly || frozen.has(policy.span.source)
      return [{ origin: policy, ...(isFixed ? { policy, branches: [], isOpen: false } : trimmed(policy, from, run)) }]
    })
    const current = { ...world, policies: trims.map(({ policy }) => policy) }
    const shrunk: Shrunk = shrink(current, frozen, run)
    const removals = [...over].map((policy) => [policy, undefined] as const)
    const revision = new Map([...trims.map(({ origin, policy }) => [origin, shrunk.revision.get(policy)] as const), ...removals])
    const branchSteps = trims.flatMap(({ policy, branches }) =>
      branches.map((branch): Step => ({ policy, reason: { kind: 'branch', ...branch } })),
    )
    const isTimed = over.size > 0 || trims.some(({ branches }) => branches.some(({ isOver }) => isOver))
    const steps = [...[...over].map((policy): Step => ({ policy, reason: { kind: 'over' } })), ...branchSteps, ...shrunk.steps]
    const { files: rewritten, failed } = await rewrite(files, revision, read)
    if (failed.length > 0) {
      // Other steps may rest on what was to be written there: all is found anew without these files.
      for (const file of failed) {
        frozen.add(file.source)
        unsupportedFiles.push(file)
      }
      continue
    }
    const after = buildWorld(rewritten.flatMap((file) => (file.after ? [file.after.read.facts] : []))).world
    return {
      steps,
      ...(from !== undefined && isTimed && { from }),
      undecided: [...trims.flatMap(({ origin, isOpen }) => (isOpen ? [{ policy: origin, culprits: ['conditions'] }] : [])), ...shrunk.open],
      before: sizeOf(world),
      after: sizeOf(after),
      files: rewritten,
      readOnly: world.policies.filter((policy) => policy.readOnly).length,
      left: unsupportedFiles,
      certificate: shrunk.steps.length === 0 ? { gained: 'none', lost: 'none', denied: 'same' } : certify(current, after, run),
    }
  }
}

/** How many steps it may take to show that a policy never applies again. */
const mostSteps = 100_000

/** Whether a policy can never apply from an instant on: its expiry has passed, or the last day that its condition names. */
function isOver({ condition, expiresAt }: Policy, from: number, run: Budget): boolean {
  const applies = allOf([condition ? formulaOf(condition) : always, expiresAt ? until(expiresAt.value) : always])
  return looksAtTime(applies) && satisfy(withTime([applies], notBefore(from)), { allowance: run.share(mostSteps) }) === undefined
}

export function sizeOf({ policies }: World): Size {
  const entries = policies.reduce((sum, policy) => sum + lists.reduce((count, list) => count + entriesOf(policy, list).length, 0), 0)
  return { policies: policies.length, entries }
}

/** Prove anew that two worlds grant and deny the same. Throws where they do not. */
function certify(before: World, after: World, run: Budget): Certificate {
  const [a, b] = [sideOf(before, after), sideOf(after, before)]
  const glances = { callerOf: memoizeByObject((identity: IdentityUrn) => callerOf(identity, a, b)), keep: new Memo().keep, run }
  const isProved = (of: Side, by: Side) => {
    const open = of.allows.statements.filter(
      (each) => plainOutcome(each, of.denies, (members) => by.allows.about(members), glances) !== 'none',
    )
    const outcome = firstNewAccess(of, by, { of: open, run })
    if (outcome.kind === 'new')
      throw new Error(`the smaller policies do not say the same: ${outcome.newAccess.statement.policy.name.value}`)
    return outcome.kind === 'none'
  }
  const bothWays = (first: Side, second: Side) => [isProved(second, first), isProved(first, second)]
  return unlessUndecided(
    (): Certificate => {
      const isSame = bothWays(deniesAsGrants(a), deniesAsGrants(b)).every((each) => each)
      // Grants are compared where the same is denied: a deny of only one side is not plain to see.
      const [gained, lost] = isSame ? bothWays(a, { ...b, denies: a.denies }) : [false, false]
      return { gained: gained ? 'none' : 'undecided', lost: lost ? 'none' : 'undecided', denied: isSame ? 'same' : 'undecided' }
    },
    () => ({ gained: 'undecided', lost: 'undecided', denied: 'undecided' }),
  )
}
