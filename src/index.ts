/**
 * The public names of grantwise, listed. Everything here is a pure function of its arguments: no file, clock,
 * environment or network.
 */

export type { Catalogue } from './actions/catalogue.ts'
export { loadCatalogue } from './actions/load.ts'
export { type ChangeJson, type DifferenceJson, differenceJson, type RegionJson } from './answers/difference.ts'
export { suggestionDiff } from './answers/suggest.ts'
export { type TimelineJson, timelineJson } from './answers/timeline.ts'
export { whatJson } from './answers/what.ts'
export { whoJson } from './answers/who.ts'
export { type Address, readAddress } from './conditions/address.ts'
export type { Code, Diagnostic, Edit, Fix, OwnCode, Related, Severity } from './diagnostic.ts'
export { compareDiagnostics } from './diagnostic.ts'
export type { Cause } from './diff/causes.ts'
export { type Difference, type DiffOptions, type DiffRegion, diff, type Except, type Open, type Resources } from './diff/diff.ts'
export { diffBetween, type Pattern, type Timeline, type TimelineEntry, type TimelineOptions, timeline } from './diff/timeline.ts'
export type { Escalation, RunsAs } from './escalation/escalation.ts'
export type { CedarEntity, CedarRequest, CedarUid, CedarValue } from './export/cedar.ts'
export { type WhatQuestion, type WhoQuestion, what, who } from './library/access.ts'
export { type CedarExport, exportCedar } from './library/cedar.ts'
export { type Converted, type ConvertOptions, convert } from './library/convert.ts'
export { type EscalateOptions, type EscalationTime, escalate, escalationJson, escalationText } from './library/escalate.ts'
export {
  type PolicyTestOptions,
  type PolicyTestRun,
  policyTestsJson,
  policyTestsJunit,
  policyTestsText,
  runPolicyTests,
} from './library/policy-tests.ts'
export {
  type CallsRead,
  type LeastOptions,
  least,
  leastJson,
  leastText,
  type MinimiseOptions,
  minimise,
  minimiseText,
  policiesText,
  readCalls,
  type SuggestOptions,
  suggest,
  suggestionsText,
  suggestJson,
} from './library/proposals.ts'
export { compile, decide, type Engine, explain, type GivenQuestion } from './library/questions.ts'
export { type SarifOptions, sarif } from './library/sarif.ts'
export { conditionText, type DifferenceTextOptions, differenceText, type TextOptions, whatText, whoText } from './library/words.ts'
export { type ApplyOptions, applyConfigurations, type Configurations } from './lint/apply-config.ts'
export type { Configuration } from './lint/config.ts'
export type { FixedFiles } from './lint/fix-files.ts'
export { fixFiles, type LintTextOptions, lintText, readSources, type TextFinding } from './lint/library.ts'
export { type LintResult, type LintRun, lintFiles } from './lint/lint-files.ts'
export { type Fixing, type FixLevel, mayFix, type WhyNotFixed, whyNotFixed } from './lint/may-fix.ts'
export type { Profile } from './lint/profile.ts'
export type { ConfigurationRead, ConfigurationText } from './lint/read-config.ts'
export { type ConfigurationOptions, readConfiguration } from './lint/read-configuration.ts'
export { checkExamples, type ExampleProblem, type ExamplesGiven } from './lint/rule-examples.ts'
export { RuleFault } from './lint/rule-fault.ts'
export { type Levels, lint } from './lint/run.ts'
export type { IgnoreEntry, Suppressed } from './lint/suppress.ts'
export { defaultSettings, type Settings } from './names.ts'
export { noFacts, type ReadSource } from './parser/read.ts'
export { readSource } from './parser/read-source.ts'
export { readWorld, type SourceGiven, type WorldRead } from './parser/read-world.ts'
export { type BuiltWorld, buildWorld } from './parser/world.ts'
export type { Condition, PermissionSet, PermissionsGroup, Policy, Resource, ResourceGroup, World } from './policy.ts'
export { type Minimised, minimiseVerdict } from './propose/minimise.ts'
export type { Suggested, Suggestion, Wish } from './propose/suggest.ts'
export { minimiseDiff, minimiseJson } from './report/minimise.ts'
export type { SuiteReport } from './report/suite.ts'
export { ruleExamples } from './rules/all-examples.ts'
export { ruleContext } from './rules/context.ts'
export { rules } from './rules/index.ts'
export { levelsOf } from './rules/presets.ts'
export type { Check, Finding, Preset, Rule, RuleContext, RuleExample, RuleExamples, RuleFacts, RuleOption, Section } from './rules/rule.ts'
export type {
  Caveat,
  Clause,
  Decision,
  Explanation,
  Fact,
  FactValue,
  Missing,
  Question,
  Reason,
  Trace,
  Verdict,
} from './simulate/decision.ts'
export type { EngineOptions } from './simulate/engine.ts'
export { factText, valueText } from './simulate/facts.ts'
export { type Context, type GivenContext, readQuestion } from './simulate/question.ts'
export { type Located, type Notation, type Position, position, type Source, type Span, sourceOf } from './source.ts'
export type { ReadFiles, TextGiven } from './sources/files.ts'
export type { ReadOptions } from './sources/read.ts'
export type { Formula } from './symbolic/formula.ts'
export { catalogueActions, type What, type WhatRow } from './symbolic/what.ts'
export type { Who, WhoRow } from './symbolic/who.ts'
export type { Least, LeastPolicy } from './usage/least.ts'
export type { CallRecord } from './usage/record.ts'
export type { Tally, Use } from './usage/tally.ts'
