import type { Catalogue } from '../actions/catalogue.ts'
import { Memo } from '../memo.ts'
import type { Settings } from '../names.ts'
import type { Policy } from '../policy.ts'
import { rules as builtIn } from '../rules/index.ts'
import type { Check, Finding, Rule, RuleContext } from '../rules/rule.ts'

type OnPolicy = Extract<Check, { readonly policy: unknown }>['policy']

/**
 * A cache of findings in policies, for callers that lint the same policies again and again. Only findings of built-in rules that
 * depend on nothing but the policy, the catalogue, the settings and the rule's options are kept: none that depend on other
 * policies, on an instant, or on an allowance.
 */
export class RuleMemo {
  /** For each policy what each rule found, in the place of the rule with its options. */
  private known = new WeakMap<Policy, (readonly Finding[] | undefined)[]>()
  private readonly places = new Map<string, number>()
  readonly keep = new Memo().keep
  /** Called before each rule; throws where the findings of the run are not wanted any more. */
  checkpoint: () => void = () => {}
  private catalogue: Catalogue | undefined
  private settings: Settings | undefined

  /** Forget all that was found with another catalogue or with other settings. */
  use(catalogue: Catalogue, settings: Settings): void {
    if (this.catalogue !== catalogue || this.settings !== settings) this.known = new WeakMap()
    this.catalogue = catalogue
    this.settings = settings
  }

  /** A rule's check of a policy that uses cached findings where there are any. */
  remembering(rule: Rule & { readonly policy: OnPolicy }, context: RuleContext): OnPolicy {
    if (!ownRules.has(rule)) return rule.policy
    const place = this.placeOf(`${rule.code} ${JSON.stringify(context.options(rule.code))}`)
    const { watched, hasLooked } = watching(context)
    return (policy) => {
      const cached = this.foundIn(policy)
      const before = cached[place]
      if (before) return before
      const findings = [...rule.policy(policy, watched)]
      if (!hasLooked()) cached[place] = findings.length === 0 ? nothing : findings
      return findings
    }
  }

  private placeOf(key: string): number {
    const place = this.places.get(key) ?? this.places.size
    this.places.set(key, place)
    return place
  }

  private foundIn(policy: Policy): (readonly Finding[] | undefined)[] {
    let cached = this.known.get(policy)
    if (!cached) {
      cached = []
      this.known.set(policy, cached)
    }
    return cached
  }
}

const nothing: readonly Finding[] = []

const ownRules: ReadonlySet<Rule> = new Set(builtIn)

/** A context that notices whether anything that may be another one in the next run was looked at since it was last asked. */
export function watching(context: RuleContext): { readonly watched: RuleContext; readonly hasLooked: () => boolean } {
  let isAccessed = false
  const noticed = <T>(value: T): T => {
    isAccessed = true
    return value
  }
  const { catalogue, settings, options, keep, shared, summaryOf } = context
  return {
    watched: {
      catalogue,
      settings,
      options,
      keep,
      shared,
      summaryOf,
      get world() {
        return noticed(context.world)
      },
      get now() {
        return noticed(context.now)
      },
      get clock() {
        return noticed(context.clock)
      },
      get side() {
        return noticed(context.side)
      },
      // A value that is made once for a run may count the budget of the whole run.
      get once() {
        return noticed(context.once)
      },
      get operations() {
        return noticed(context.operations)
      },
    },
    hasLooked: () => {
      const was = isAccessed
      isAccessed = false
      return was
    },
  }
}
