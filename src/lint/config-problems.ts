import type { Catalogue } from '../actions/catalogue.ts'
import type { Diagnostic } from '../diagnostic.ts'
import type { Settings } from '../names.ts'
import { nearest } from '../nearest.ts'
import type { Facts } from '../parser/policy.ts'
import type { Rule } from '../rules/rule.ts'
import { checkOptions } from '../rules/support/options.ts'
import type { Located, Span } from '../source.ts'
import type { LintConfig, RuleLevel } from './config.ts'
import { configProblem } from './config-fields.ts'
import { factsOf } from './guardrail-facts.ts'
import { suppressionFault } from './suppress.ts'

/** Why the level of a code cannot be set, in words; undefined when it can. */
export function levelFault(code: string, rules: readonly Rule[]): { readonly message: string; readonly help?: string } | undefined {
  const rule = rules.find((each) => each.code === code)
  if (rule) return 'reader' in rule ? { message: `\`${code}\` is found while reading and cannot be given another level` } : undefined
  const suggested = nearest(
    code,
    rules.map((each) => each.code),
  )
  return { message: `unknown rule \`${code}\``, help: suggested ? `did you mean \`${suggested}\`?` : '`grantwise rules` lists them' }
}

/** The guardrails of configurations and the rules of their modules, each code once, as far as the codes count. */
export function ownRulesOf(configs: readonly LintConfig[]): readonly Rule[] {
  const guardrails = configs.flatMap(({ guardrails = [] }) => guardrails).map((each): Rule => ({ ...factsOf(each), world: () => [] }))
  const all = [...guardrails, ...configs.flatMap(({ ownRules = [] }) => ownRules)]
  return [...new Map(all.map((rule) => [rule.code, rule])).values()]
}

/** Problems with the rules that configurations name, and with the options they give them. */
export function configProblems(configs: readonly LintConfig[], builtIn: readonly Rule[]): readonly Diagnostic[] {
  const rules = [...builtIn, ...ownRulesOf(configs)]
  const problem = (span: Span, { message, help }: { readonly message: string; readonly help?: string }) =>
    configProblem(span, message, help)
  // The codes of modules that were not loaded are unknown.
  const mayBeOwn = configs.some(({ ruleModules = [], ownRules }) => ruleModules.length > 0 && !ownRules)
  const isUnread = (code: string) => mayBeOwn && code.includes('/') && !rules.some((each) => each.code === code)
  const ofRule = ({ code, options }: RuleLevel): readonly Diagnostic[] => {
    if (isUnread(code.value)) return []
    const fault = levelFault(code.value, rules)
    if (fault) return [problem(code.span, fault)]
    const rule = rules.find((each) => each.code === code.value)
    if (!options || !rule) return []
    return checkOptions(rule, options.value).map((each) => {
      const entry = options.node.kind === 'map' ? options.node.entries.find(({ key }) => key.value === each.name) : undefined
      return problem(entry?.key ?? options.node, each)
    })
  }
  const ofIgnore = (code: Located<string>) => {
    const fault = isUnread(code.value) ? undefined : suppressionFault(code.value, rules)
    return fault ? [problem(code.span, fault)] : []
  }
  const problems = configs.flatMap(({ layers, overrides, ignores }) => [
    ...layers.flatMap((layer) => layer.rules ?? []).flatMap(ofRule),
    ...overrides.flatMap((override) => override.rules).flatMap(ofRule),
    ...ignores.flatMap((ignore) => ignore.codes).flatMap(ofIgnore),
  ])
  // A problem of a file that several configurations extend is reported once.
  return problems.filter(({ span }, i) => problems.findIndex((each) => each.span === span) === i)
}

const haveGuardrails = (configs: readonly LintConfig[]) => configs.some(({ guardrails = [] }) => guardrails.length > 0)

/** Names in guardrails that are not known, once all that is linted was read. */
export async function namesInGuardrails(
  configs: readonly LintConfig[],
  { facts, ...settingsKnown }: { readonly catalogue: Catalogue; readonly settings: Settings; readonly facts: readonly Facts[] },
): Promise<readonly Diagnostic[]> {
  if (!haveGuardrails(configs)) return []
  const [{ guardrailProblems }, { buildWorld }] = await Promise.all([import('./guardrails.ts'), import('../parser/world.ts')])
  return guardrailProblems(configs, { ...settingsKnown, world: buildWorld(facts).world })
}
