import type { Catalogue } from '../actions/catalogue.ts'
import type { Related, Severity } from '../diagnostic.ts'
import type { Settings } from '../names.ts'
import type { PermissionsGroup, Policy, World } from '../policy.ts'
import type { Span } from '../source.ts'

/** What a rule has to say about one place. Wording: see CONTRIBUTING, "Messages". */
export interface Finding {
  readonly span: Span
  readonly message: string
  readonly help?: string
  readonly related?: readonly Related[]
  /** Where the finding weighs more or less than the rule usually does. */
  readonly severity?: Severity
}

/** What rules know besides the policy they look at. */
export interface RuleContext {
  readonly world: World
  readonly catalogue: Catalogue
  readonly settings: Settings
  /** Milliseconds since 1970: the instant that "expired" is judged at. */
  readonly now: number
}

/** What a rule is about; in the order in which the documentation lists them. */
export const sections = ['document', 'identities', 'actions', 'resources', 'conditions', 'expiry'] as const
export type Section = (typeof sections)[number]

/**
 * A rule is a value. Its examples are its tests: a `bad` one holds comment lines of carets that must be exactly what is
 * found, a `good` one must give nothing (from this rule). See `test/rules.test.ts` for the notation.
 */
export interface Rule {
  /** Kebab-case, equal to the file name; what users write in configurations. */
  readonly code: string
  readonly section: Section
  readonly severity: Severity
  /** One sentence: what is wrong. */
  readonly summary: string
  /** Why it matters and what to do, in a few sentences. */
  readonly why: string
  readonly examples: { readonly bad: readonly string[]; readonly good: readonly string[] }
  readonly check:
    | {
        readonly policy: (policy: Policy, context: RuleContext) => Iterable<Finding>
        /** The same for a permissions group that the world defines, where the rule is about permission sets. */
        readonly group?: (group: PermissionsGroup, context: RuleContext) => Iterable<Finding>
      }
    | { readonly world: (context: RuleContext) => Iterable<Finding> }
    /** Found while reading: such a problem also stops every deciding command, and cannot be switched off. */
    | { readonly reader: true }
}
