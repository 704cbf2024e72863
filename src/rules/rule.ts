import { type Catalogue, type Deprecation, isListed } from '../actions/catalogue.ts'
import type { Operation } from '../actions/operations.ts'
import type { RuleCode } from '../codes.ts'
import type { Code, Fix, OwnCode, Related, Severity } from '../diagnostic.ts'
import { type Glob, isPattern } from '../glob.ts'
import type { Memoize } from '../memo.ts'
import type { Settings } from '../names.ts'
import type { CredentialRequest, PermissionsGroup, Policy, World } from '../policy.ts'
import type { Span } from '../source.ts'
import type { Side } from '../symbolic/side.ts'
import type { Clock } from './clock.ts'

/** A report of a rule about one place. Wording: see CONTRIBUTING, "Messages". */
export interface Finding {
  readonly span: Span
  readonly message: string
  readonly help?: string
  readonly related?: readonly Related[]
  /** If it differs from that of the rule. */
  readonly severity?: Severity
  readonly fix?: Fix
  /** Where it is explained, if not on the page of a built-in rule. */
  readonly link?: string
  /** The actions that it is about, of all that the policy grants; absent where it is about whatever is granted at its place. */
  readonly actions?: readonly string[]
}

/** The context of a rule, next to the policy. */
export interface RuleContext {
  readonly world: World
  readonly catalogue: Catalogue
  readonly settings: Settings
  /** Milliseconds since 1970: the instant for expiry. Rules that compare it ask `clock`, so that their findings can be used again. */
  readonly now: number
  readonly clock: Clock
  /** The configured options of a rule. */
  readonly options: (code: RuleCode | OwnCode) => Readonly<Record<string, unknown>>
  /** The world in the form for exact analysis; built when first needed. */
  readonly side: () => Side
  /** The result of a function over the context, computed once: caches of rules end with the context. */
  readonly once: <T>(make: (context: RuleContext) => T) => T
  /**
   * The result of a function over the catalogue and the settings, computed once for all worlds of a run: one for each assignment
   * of unknowns.
   */
  readonly shared: <T>(make: (known: Pick<RuleContext, 'catalogue' | 'settings'>) => T) => T
  /** The result of a function over a policy alone, computed once. */
  readonly keep: Memoize
  /** Every known API operation if requests for delegated access are linted, otherwise empty. */
  readonly operations: () => readonly Operation[]
  /** The summary of a policy that is read when its parts are asked for; undefined for others. */
  readonly summaryOf: (policy: Policy) => Summary | undefined
}

/** The facts known of a policy that has not been read: it has no conditions, its names are no patterns, and it denies nothing. */
export interface Summary {
  readonly name: string
  /** The first in the order of strings. */
  readonly firstIdentity: string
  /** The accounts of identities, each once. */
  readonly accounts: readonly string[]
  readonly has: (part: Part, context: RuleContext) => boolean
}

/** Sets of rules, each including the one before: mistakes; also what is unwise; everything. */
export const presets = ['recommended', 'strict', 'auditor'] as const
export type Preset = (typeof presets)[number]

/** One option of a rule, as the configuration gives it: `CODE: [level, {name: value}]`. */
export interface RuleOption {
  readonly name: string
  readonly type: 'number' | 'text' | 'texts' | 'flag' | 'month' | 'records'
  readonly text: string
  /** The rule reports nothing without it. */
  readonly required?: true
  /** Of a text: what it may be. */
  readonly choices?: readonly string[]
  /** Of records: what each holds, a pattern over resources or one identity. */
  readonly fields?: Readonly<Record<string, 'resource' | 'identity'>>
}

/** An input to try a rule on, with its settings. */
export interface RuleExample {
  readonly text: string
  /** The options that the rule is given. */
  readonly options?: Readonly<Record<string, unknown>>
  /** The name of the file, if it matters; otherwise the notation is guessed. */
  readonly path?: string
  /** Actions to add to the catalogue. */
  readonly catalogue?: readonly KnownAction[]
}

/** In a `bad` example, comment lines of carets are exactly what the rule finds; in a `good` one it finds nothing. */
export interface RuleExamples {
  readonly bad: readonly RuleExample[]
  readonly good: readonly RuleExample[]
}

/** An action in the catalogue of an example. */
export interface KnownAction {
  readonly name: string
  /** The month it was first seen, `YYYY-MM`. */
  readonly since?: string
  readonly deprecated?: Deprecation
}

/** The sections of rules, in the order of the documentation. */
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

/** All about a rule but what it does. Its examples, which are its tests, are in `examples/rules/CODE.yaml`. */
export interface RuleFacts {
  /** Kebab-case, equal to the file name; what users write in configurations. That of an organisation has its name before a `/`. */
  readonly code: RuleCode | OwnCode
  readonly section: Section
  readonly severity: Severity
  /** One sentence: what is wrong. */
  readonly summary: string
  /** Why it matters and what to do, in a few sentences. */
  readonly why: string
  /** Where it is explained, if not on the page of a built-in rule: an absolute address. */
  readonly link?: string
  /** The smallest preset that it is on in; `recommended` when not given. */
  readonly preset?: Preset
  readonly options?: readonly RuleOption[]
  /** For security rules: the severity from above 0 to 10, as code scanning shows it. */
  readonly security?: number
  /** How often a finding is right; `high` when not given. */
  readonly precision?: 'very-high' | 'high' | 'medium' | 'low'
  /** It is about whole policies, so that it skips those with unread parts. So are all rules about the whole set. */
  readonly whole?: true
  /** The fixes of its findings: `safe` ones change no decision, `suggested` ones need a review. */
  readonly fixes?: readonly ('safe' | 'suggested')[]
  /** Rules that are more exact: a finding is omitted if one of theirs is within it. */
  readonly yieldsToInner?: readonly (RuleCode | OwnCode)[]
  /** Rules that are more important: a finding is omitted if it is within one of theirs. */
  readonly yieldsToOuter?: readonly (RuleCode | OwnCode)[]
  /** It also looks at other policies. Implied in the sections whole set, conditions, expiry and risk. */
  readonly looksAround?: true
}

/** The parts that a policy may lack: whether it has them. */
export const parts = {
  condition: ({ condition }: Policy) => condition !== undefined,
  expiry: ({ expiresAt }: Policy) => expiresAt !== undefined,
  except: ({ permissions }: Policy) => permissions.except.length > 0,
  deny: ({ permissions }: Policy) => permissions.deny.length > 0,
  denyOrGroup: ({ permissions, permissionsGroups }: Policy) => permissions.deny.length > 0 || permissionsGroups.length > 0,
  actionPattern: (policy: Policy) => hasAction(policy, isPattern),
  /** An action that the catalogue does not list, or a pattern. */
  unlistedAction: (policy: Policy, { catalogue, settings }: Pick<RuleContext, 'catalogue' | 'settings'>) =>
    hasAction(policy, ({ text }) => !isListed(text, catalogue, settings.brand)),
  resourcePattern: ({ resources }: Policy) => resources.some(({ value }) => isPattern(value.glob)),
  /** A character or a word that patterns of other languages or placeholders are written with. */
  sign: (policy: Policy) =>
    [policy.identities, policy.resources, policy.permissionsGroups].some((names) => names.some(({ value }) => signs.test(value.text))) ||
    hasAction(policy, ({ text }) => signs.test(text)),
}

/**
 * Parts that only a summary can rule out: an entry, a list or a name that may be wrong in itself; a type that may not be in the
 * catalogue, or a region in the settings, or several regions; an action that may be deprecated, sensitive, or about none of the resources.
 */
export const summaryParts = ['mayBeOdd', 'mayBeUnlisted', 'mayBeDeprecated', 'mayBeSensitive', 'mayBeUnserved'] as const
export type Part = keyof typeof parts | (typeof summaryParts)[number]

function hasAction({ permissions: { allow, except, deny } }: Policy, is: (action: Glob) => boolean): boolean {
  return [allow, except, deny].some((list) => list.some(({ value }) => is(value)))
}

/** A part that each placeholder, and each notation of another pattern, has one of: where there is none, one search answers for all of them. */
export const signs = /[<{$%?[]|(?:YOUR|MY|THE|your|my)[_-]|CHANGE|REPLACE|PLACEHOLDER|TODO|FIXME|x{4}|X{4}|0{8}/

/** How a rule finds something, by what it looks at. */
export type Check =
  | {
      readonly policy: (policy: Policy, context: RuleContext) => Iterable<Finding>
      /** The part without which it finds nothing in a policy: it is not asked about policies that lack the part. */
      readonly needs?: Part
      /** The same for a permissions group that the world defines, where the rule is about permission sets. */
      readonly group?: (group: PermissionsGroup, context: RuleContext) => Iterable<Finding>
    }
  | {
      readonly world: (context: RuleContext) => Iterable<Finding>
      /** It also reports what holds for some values of unknowns and not for others. */
      readonly reportsPossible?: true
    }
  /** About requests for delegated access. */
  | { readonly credential: (request: CredentialRequest, context: RuleContext) => Iterable<Finding> }
  /** Found while reading: it stops every command that decides, and cannot be disabled. */
  | { readonly reader: true }
  /** About suppressions and baselines. Cannot be suppressed. */
  | { readonly upkeep: true }

/** A rule is a value. */
export type Rule = RuleFacts & Check

/** The explanation of a code, of a rule or not. */
export type Meaning = Omit<RuleFacts, 'code'> & { readonly code: Code; readonly examples?: RuleExamples }

/** The examples of a rule; none of one that is not built in. */
export function examplesIn(examples: Readonly<Partial<Record<Code, RuleExamples>>>, code: Code): RuleExamples {
  return examples[code] ?? { bad: [], good: [] }
}
