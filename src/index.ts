/**
 * The public names of grantwise, listed. Everything here is a pure function of its arguments: no file, clock,
 * environment or network.
 */

export { catalogueActions, type What, type WhatRow, what } from './access/what.ts'
export { type Who, type WhoRow, who } from './access/who.ts'
export type { Catalogue } from './actions/catalogue.ts'
export { loadCatalogue } from './actions/load.ts'
export type { Diagnostic, Related, Severity } from './diagnostic.ts'
export { compareDiagnostics } from './diagnostic.ts'
export type { Cause } from './diff/causes.ts'
export { type Difference, type DiffOptions, type DiffRegion, diff, type Except, type Open, type Resources } from './diff/diff.ts'
export { type CedarEntity, type CedarExport, type CedarRequest, type CedarUid, type CedarValue, exportCedar } from './export/cedar.ts'
export { type Levels, lint } from './lint.ts'
export { defaultSettings, type Settings } from './names.ts'
export { noFacts, type ReadSource, readSource } from './parser/read.ts'
export { readWorld, type SourceGiven, type WorldRead } from './parser/read-world.ts'
export type { Notation } from './parser/tree.ts'
export { type BuiltWorld, buildWorld } from './parser/world.ts'
export type { Condition, PermissionSet, PermissionsGroup, Policy, Resource, ResourceGroup, World } from './policy.ts'
export { differenceJson } from './report/difference.ts'
export { rules } from './rules/index.ts'
export { type Finding, type Rule, type RuleContext, ruleContext } from './rules/rule.ts'
export { decide, explain } from './simulate/decide.ts'
export type { Caveat, Clause, Decision, Explanation, Missing, Question, Reason, Trace, Verdict } from './simulate/decision.ts'
export { compile, type Engine, type EngineOptions } from './simulate/engine.ts'
export { type Context, readQuestion } from './simulate/question.ts'
export { type Located, type Position, position, type Source, type Span } from './source.ts'
