import type { Catalogue, Deprecation } from '../actions/catalogue.ts'
import type { Operation } from '../actions/operations.ts'
import type { RuleCode } from '../codes.ts'
import type { Code, Fix, Related, Severity } from '../diagnostic.ts'
import type { Settings } from '../names.ts'
import type { CredentialRequest, PermissionsGroup, Policy, World } from '../policy.ts'
import type { Span } from '../source.ts'
import { type Side, sideOf } from '../symbolic/gained.ts'

/** What a rule has to say about one place. Wording: see CONTRIBUTING, "Messages". */
export interface Finding {
  readonly span: Span
  readonly message: string
  readonly help?: string
  readonly related?: readonly Related[]
  /** Where the finding weighs more or less than the rule usually does. */
  readonly severity?: Severity
  readonly fix?: Fix
}

/** What rules know besides the policy they look at. */
export interface RuleContext {
  readonly world: World
  readonly catalogue: Catalogue
  readonly settings: Settings
  /** Milliseconds since 1970: the instant that "expired" is judged at. */
  readonly now: number
  /** What the configuration says to a rule beyond its level; empty when it says nothing. */
  readonly options: (code: RuleCode) => Readonly<Record<string, unknown>>
  /** The world taken apart for exact analysis; made when it is first asked for. */
  readonly side: () => Side
  /** Every known operation of the API, where requests for delegated access are linted; else empty. */
  readonly operations: () => readonly Operation[]
}

/** A context from what is given; `options` by rule code. */
export function ruleContext(
  given: Pick<RuleContext, 'world' | 'catalogue' | 'settings' | 'now'> & Partial<Pick<RuleContext, 'operations'>>,
  options: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map(),
): RuleContext {
  let side: Side | undefined
  return {
    operations: () => [],
    ...given,
    options: (code) => options.get(code) ?? {},
    side: () => {
      side ??= sideOf(given.world)
      return side
    },
  }
}

/** A set of rules that belong together, each holding the one before: what is surely wrong; also what is unwise; all there is. */
export const presets = ['recommended', 'strict', 'auditor'] as const
export type Preset = (typeof presets)[number]

/** One option of a rule, as the configuration gives it: `CODE: [level, {name: value}]`. */
export interface RuleOption {
  readonly name: string
  readonly type: 'number' | 'text' | 'texts' | 'flag' | 'month' | 'records'
  readonly text: string
  /** The rule says nothing until it is given. */
  readonly required?: true
  /** Of a text: what it may be. */
  readonly choices?: readonly string[]
  /** Of records: what each holds, a pattern over resources or one identity. */
  readonly fields?: Readonly<Record<string, 'resource' | 'identity'>>
}

/** An example for which the rule needs more than a text. */
export interface RuleExample {
  readonly text: string
  /** The options that the rule is given. */
  readonly options?: Readonly<Record<string, unknown>>
  /** The name of the file, where that matters; without it the notation is guessed. */
  readonly path?: string
  /** What a catalogue knows besides what is shipped. */
  readonly catalogue?: readonly KnownAction[]
}

/** An action in the catalogue of an example. */
export interface KnownAction {
  readonly name: string
  /** The month it was first seen, `YYYY-MM`. */
  readonly since?: string
  readonly deprecated?: Deprecation
}

/** What a rule is about; in the order in which the documentation lists them. */
export const sections = [
  'document',
  'identities',
  'actions',
  'resources',
  'conditions',
  'expiry',
  'whole set',
  'risk',
  'access rules',
  'upkeep',
] as const
export type Section = (typeof sections)[number]

/**
 * A rule is a value. Its examples are its tests: a `bad` one holds comment lines of carets that must be exactly what is
 * found, a `good` one must give nothing (from this rule). See `test/rules.test.ts` for the notation.
 */
export interface Rule {
  /** Kebab-case, equal to the file name; what users write in configurations. */
  readonly code: RuleCode
  readonly section: Section
  readonly severity: Severity
  /** One sentence: what is wrong. */
  readonly summary: string
  /** Why it matters and what to do, in a few sentences. */
  readonly why: string
  readonly examples: { readonly bad: readonly (string | RuleExample)[]; readonly good: readonly (string | RuleExample)[] }
  /** The smallest preset that it is on in; `recommended` when not given. */
  readonly preset?: Preset
  readonly options?: readonly RuleOption[]
  /** For rules about security: how bad it is, from above 0 to 10, as code scanning shows it. */
  readonly security?: number
  /** How often a finding is right; `high` when not given. */
  readonly precision?: 'very-high' | 'high' | 'medium' | 'low'
  /**
   * It speaks of policies as wholes, so that it says nothing of one of which a part could not be read. So do all rules
   * about the whole set.
   */
  readonly whole?: true
  /** Which fixes its findings may come with: `safe` ones change no decision, `suggested` ones are to be looked at. */
  readonly fixes?: readonly ('safe' | 'suggested')[]
  /** Codes of rules that are more exact: where one of them finds something within the place of a finding, that one is left out. */
  readonly yieldsToInner?: readonly RuleCode[]
  /** Codes of rules that say more: a finding that lies within one of theirs is left out. */
  readonly yieldsToOuter?: readonly RuleCode[]
  /** Of a rule outside of the sections about the whole set, conditions, expiry and risk: it looks at other policies too. */
  readonly looksAround?: true
  readonly check:
    | {
        readonly policy: (policy: Policy, context: RuleContext) => Iterable<Finding>
        /** The same for a permissions group that the world defines, where the rule is about permission sets. */
        readonly group?: (group: PermissionsGroup, context: RuleContext) => Iterable<Finding>
      }
    | { readonly world: (context: RuleContext) => Iterable<Finding> }
    /** About requests for delegated access. */
    | { readonly credential: (request: CredentialRequest, context: RuleContext) => Iterable<Finding> }
    /** Found while reading: such a problem also stops every deciding command, and cannot be switched off. */
    | { readonly reader: true }
    /** Found while findings are left out: about suppressions and baselines themselves. Cannot be left out in its turn. */
    | { readonly upkeep: true }
}

/** What a code means, of a rule or not. */
export type Meaning = Omit<Rule, 'code' | 'check'> & { readonly code: Code }

/** An example in its full form. */
export function ruleExample(example: string | RuleExample): RuleExample {
  return typeof example === 'string' ? { text: example } : example
}
