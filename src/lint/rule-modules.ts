import { type Diagnostic, type OwnCode, type Parsed, place } from '../diagnostic.ts'
import { nearest } from '../nearest.ts'
import type { World } from '../policy.ts'
import { rules as builtIn } from '../rules/index.ts'
import { type Finding, presets, type Rule, type RuleContext, sections } from '../rules/rule.ts'
import { didYouMean, quote, some } from '../rules/support/text.ts'
import type { Located, Source, Span } from '../source.ts'
import type { LintConfig } from './config.ts'
import { configProblem } from './config-fields.ts'
import { RuleFault } from './rule-fault.ts'

/**
 * Rules of an organisation, as its modules export them. They are code of others: what a module exports is checked when it is
 * loaded, and what a rule reports each time it runs. Where either is wrong, there is an error and no answer.
 */

type Fields = Readonly<Record<string, unknown>>
/** A check of a value: the problem, or undefined. */
type Check = (value: unknown) => string | undefined

const expected =
  (what: string, fits: (value: unknown) => boolean): Check =>
  (value) =>
    fits(value) ? undefined : `expected ${what}`
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
const text = expected('a text', isText)
const flag = expected('`true`', (value) => value === true)
const aFunction = expected('a function', (value) => typeof value === 'function')
const oneOf = (values: readonly unknown[]) => expected(`one of ${some(values.map(String), 12)}`, (value) => values.includes(value))
const listOf = (what: string, fits: (value: unknown) => boolean) =>
  expected(`a list of ${what}`, (value) => Array.isArray(value) && value.every(fits))
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
const isAddress = (value: unknown) => isText(value) && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
const address = expected('an absolute address such as `https://wiki.example.org/iam`', isAddress)
const severities = ['error', 'warning', 'info']
const optionTypes = ['number', 'text', 'texts', 'flag', 'month', 'records']

/** The fields of a rule. Those that are not marked may be missing. */
const ruleFields: Readonly<Record<string, readonly [check: Check, isRequired?: true]>> = {
  code: [text, true],
  section: [oneOf(sections), true],
  severity: [oneOf(severities), true],
  summary: [text, true],
  why: [text, true],
  link: [address],
  preset: [oneOf(presets)],
  options: [
    listOf('options with `name`, `type` and `text`', (each) => {
      return isFields(each) && isText(each.name) && isText(each.text) && optionTypes.includes(each.type as string)
    }),
  ],
  security: [expected('a number from 0 to 10', (value) => typeof value === 'number' && value > 0 && value <= 10)],
  precision: [oneOf(['very-high', 'high', 'medium', 'low'])],
  whole: [flag],
  looksAround: [flag],
  fixes: [listOf('`safe` and `suggested`', (each) => each === 'safe' || each === 'suggested')],
  yieldsToInner: [listOf('codes', isText)],
  yieldsToOuter: [listOf('codes', isText)],
  policy: [aFunction],
  group: [aFunction],
  world: [aFunction],
  credential: [aFunction],
}
const checks = ['policy', 'world', 'credential'] as const
const codeForm = /^[a-z][a-z0-9-]*\/[a-z][a-z0-9-]*$/

/** The rules that a module exports as `rules`, each made safe to run. `name`: the module where a configuration names it. */
export function rulesOfModule(exported: Fields, name: Located<string>): Parsed<readonly Rule[]> {
  const { rules } = exported
  const problem = (message: string, help?: string) => configProblem(name.span, `${quote(name.value)}: ${message}`, help)
  const help = 'a module has `export const rules = [rule, …]`'
  if (!Array.isArray(rules)) {
    const names = Object.keys(exported)
    const exportWords = names.length === 0 ? 'it exports nothing' : `it exports ${some(names, 4)}`
    return {
      value: [],
      diagnostics: [problem(rules === undefined ? `exports no \`rules\`: ${exportWords}` : '`rules` is not a list', help)],
    }
  }
  if (rules.length === 0) return { value: [], diagnostics: [problem('`rules` is empty', help)] }
  const diagnostics = rules.flatMap((rule, i) => {
    const fault = ruleFault(rule)
    const title = isFields(rule) && isText(rule.code) ? quote(rule.code) : `rule ${i + 1}`
    return fault ? [problem(`${title}: ${fault.message}`, fault.help)] : []
  })
  return diagnostics.length > 0 ? { value: [], diagnostics } : { value: (rules as Rule[]).map((rule) => guarded(rule, name)), diagnostics }
}

type Fault = Pick<Diagnostic, 'message' | 'help'>

/** The first problem of a rule. */
function ruleFault(rule: unknown): Fault | undefined {
  if (!isFields(rule)) return { message: 'expected a rule: an object with `code`, `summary` and a check' }
  const { code } = rule
  if (builtIn.some((each) => each.code === code))
    return { message: 'the code of a built-in rule', help: `give it a name of your own: \`acme/${code}\`` }
  const shown = isText(code) && /^[a-z][a-z0-9-]*$/.test(code) ? code : 'no-root'
  if (isText(code) && !codeForm.test(code))
    return { message: 'expected the name of the organisation, `/` and what is wrong, in lower case', help: `write it as \`acme/${shown}\`` }
  if (isText(code) && code.startsWith('grantwise/'))
    return { message: '`grantwise/` is not for other rules', help: `write it as \`acme/${code.slice('grantwise/'.length)}\`` }
  for (const [name, [check, isRequired]] of Object.entries(ruleFields)) {
    const value = rule[name]
    if (value === undefined && !isRequired) continue
    const message = value === undefined ? `has no ${quote(name)}` : check(value)
    if (message !== undefined) return { message: value === undefined ? message : `${quote(name)}: ${message}` }
  }
  for (const name of Object.keys(rule)) {
    if (Object.hasOwn(ruleFields, name)) continue
    if (name === 'reader' || name === 'upkeep') return { message: `only built-in rules have ${quote(name)}`, help: hasCheck }
    const suggested = nearest(name, Object.keys(ruleFields))
    return { message: `unknown field ${quote(name)}`, ...(suggested !== undefined && { help: didYouMean(suggested) }) }
  }
  const givenChecks = checks.filter((each) => rule[each] !== undefined)
  if (givenChecks.length !== 1)
    return { message: givenChecks.length === 0 ? 'has no check' : `has ${givenChecks.length} checks`, help: hasCheck }
  return undefined
}

const hasCheck = 'a rule has one of the functions `policy`, `world` and `credential`'

/** A rule whose faults are known by module and rule, and whose findings are such. */
function guarded(rule: Rule, module: Located<string>): Rule {
  const run = (context: RuleContext, problemSpan: Span | undefined, find: () => Iterable<Finding>): readonly Finding[] => {
    const fault = (message: string, help?: string) => {
      const where = problemSpan === undefined ? '' : ` at \`${place(problemSpan)}\``
      return new RuleFault(configProblem(module.span, `rule ${quote(rule.code)} of ${quote(module.value)} ${message}${where}`, help))
    }
    let reports: readonly unknown[]
    try {
      const returned: unknown = find()
      if (returned instanceof Promise) {
        returned.catch(() => {})
        throw fault('gives a promise: rules are synchronous')
      }
      if (typeof (returned as { readonly [Symbol.iterator]?: unknown } | undefined)?.[Symbol.iterator] !== 'function')
        throw fault('gives no findings', 'a check returns a list of findings, or yields them')
      reports = [...(returned as Iterable<unknown>)]
    } catch (error) {
      if (error instanceof RuleFault) throw error
      throw fault(`failed: ${errorText(error)}`, placeOf(error))
    }
    if (reports.length === 0) return []
    const sources = context.once(sourcesOf)
    return reports.map((finding) => {
      const wrong = findingFault(finding, sources)
      if (wrong !== undefined) throw fault(`reports something that is no finding: ${wrong}`)
      return findingOf(finding as Finding, rule)
    })
  }
  const checks =
    'policy' in rule
      ? {
          policy: (...[policy, context]: Parameters<typeof rule.policy>) => run(context, policy.span, () => rule.policy(policy, context)),
          ...(rule.group && {
            group: (...[group, context]: Parameters<NonNullable<typeof rule.group>>) =>
              run(context, group.span, () => rule.group?.(group, context) ?? []),
          }),
        }
      : 'world' in rule
        ? { world: (context: RuleContext) => run(context, undefined, () => rule.world(context)) }
        : 'credential' in rule
          ? {
              credential: (...[request, context]: Parameters<typeof rule.credential>) =>
                run(context, request.span, () => rule.credential(request, context)),
            }
          : {}
  const facts = Object.keys(ruleFields).flatMap((name) =>
    rule[name as keyof Rule] === undefined ? [] : [[name, rule[name as keyof Rule]]],
  )
  return { ...Object.fromEntries(facts), ...checks } as Rule
}

/** A thrown value, on one line. */
function errorText(error: unknown): string {
  const words = error instanceof Error ? `${error.name}: ${error.message}` : typeof error === 'string' ? error : `threw a ${typeof error}`
  return words.replace(/\s+/g, ' ').slice(0, 300)
}

/** Where in the module an error was thrown, by its stack: the file's name, line and column. */
function placeOf(error: unknown): string | undefined {
  const stack = error instanceof Error ? error.stack : undefined
  const [, where] = /[/\\]([^/\\\s()?]+\.[a-z]+(?:\?[^\s:]*)?:\d+:\d+)\)?$/m.exec(stack ?? '') ?? []
  return where === undefined ? undefined : `thrown at ${where}`
}

const sourcesOf = ({ world }: RuleContext): ReadonlySet<Source> => new Set(spansIn(world).map(({ source }) => source))

function spansIn(world: World): readonly Span[] {
  return [
    ...[...world.policies, ...world.permissionsGroups.values(), ...world.resourceGroups.values(), ...(world.credentials ?? [])].map(
      ({ span }) => span,
    ),
    ...[...world.resources.values(), ...world.identities.values()].map(({ urn }) => urn.span),
  ]
}

/** The problem of a rule's report; undefined for a valid finding. */
function findingFault(finding: unknown, sources: ReadonlySet<Source>): string | undefined {
  if (!isFields(finding)) return 'expected an object with `span` and `message`'
  const { span, message, help, severity, link, related, fix } = finding
  const isSpan = (value: unknown): value is Span => {
    if (!isFields(value)) return false
    const { source, start, end } = value as Partial<Span>
    if (!source || !sources.has(source) || !Number.isInteger(start) || !Number.isInteger(end)) return false
    return (start as number) >= 0 && (start as number) <= (end as number) && (end as number) <= source.text.length
  }
  if (!isText(message)) return '`message` is not a text'
  if (!isSpan(span)) return '`span` is not a place in what was read: take it from a policy or one of its parts'
  if (help !== undefined && !isText(help)) return '`help` is not a text'
  if (severity !== undefined && !severities.includes(severity as string)) return `\`severity\` is not one of ${some(severities, 3)}`
  if (link !== undefined && !isAddress(link)) return '`link` is not an absolute address'
  const isRelated = (each: unknown) => isFields(each) && isText(each.message) && isSpan(each.span)
  if (related !== undefined && !(Array.isArray(related) && related.every(isRelated)))
    return '`related` is not a list of places, each with `message` and `span`'
  const isEdit = (each: unknown) => isFields(each) && typeof each.text === 'string' && isSpan(each.span)
  const isFix =
    isFields(fix) && isText(fix.description) && typeof fix.safe === 'boolean' && Array.isArray(fix.edits) && fix.edits.every(isEdit)
  if (fix !== undefined && !isFix) return '`fix` is not a `description`, `safe` and a list of `edits`, each with `span` and `text`'
  return undefined
}

const oneLine = (words: string) => words.replace(/\s+/g, ' ').trim()

/** A finding with only its own fields. */
function findingOf({ span, message, help, severity, related, fix, ...more }: Finding, rule: Rule): Finding {
  const link = more.link ?? rule.link

  return {
    span,
    message: oneLine(message),
    ...(help !== undefined && { help: oneLine(help) }),
    ...(severity !== undefined && { severity }),
    ...(link !== undefined && { link }),
    ...(related !== undefined && { related: related.map((each) => ({ span: each.span, message: oneLine(each.message) })) }),
    ...(fix !== undefined && {
      fix: {
        description: oneLine(fix.description),
        safe: fix.safe,
        edits: fix.edits.map((edit) => ({ span: edit.span, text: edit.text })),
      },
    }),
  }
}

/** Problems of rules that several modules, or a module and a guardrail, have under one code. */
export function codeClashes(rules: readonly { readonly rule: Rule; readonly module: Located<string> }[], guardrails: readonly OwnCode[]) {
  return rules.flatMap(({ rule, module }, i): readonly Diagnostic[] => {
    const other = rules.slice(0, i).find((each) => each.rule.code === rule.code)
    const what = other
      ? `a rule of ${quote(other.module.value)}`
      : guardrails.some((code) => code === rule.code)
        ? 'a guardrail'
        : undefined
    if (what === undefined) return []
    return [configProblem(module.span, `${quote(module.value)}: ${what} has the code ${quote(rule.code)}, too`, 'give each its own code')]
  })
}

/**
 * The rules of the modules of configurations, each about the files whose configuration has it. `configOf`: the configuration of a
 * file, as shown to users.
 */
export function rulesOfConfigurations(configs: readonly LintConfig[], configOf: (path: string) => LintConfig): readonly Rule[] {
  const all = [...new Set(configs.flatMap(({ ownRules = [] }) => ownRules))]
  return all.map((rule) => {
    if (configs.every(({ ownRules = [] }) => ownRules.includes(rule))) return rule
    const isAbout = ({ source }: Span) => configOf(source.path).ownRules?.includes(rule) === true
    if ('policy' in rule) {
      const { policy, group } = rule
      return {
        ...rule,
        policy: (each, context) => (isAbout(each.span) ? policy(each, context) : []),
        ...(group && { group: (each, context) => (isAbout(each.span) ? group(each, context) : []) }),
      }
    }
    if ('world' in rule) return { ...rule, world: (context) => [...rule.world(context)].filter(({ span }) => isAbout(span)) }
    if ('credential' in rule) return { ...rule, credential: (each, context) => (isAbout(each.span) ? rule.credential(each, context) : []) }
    return rule
  })
}
