import { type Level, levels } from '../../lint/config.ts'
import { configProblems, levelFault } from '../../lint/config-problems.ts'
import type { GivenLevels, Profile, SelectedRules } from '../../lint/profile.ts'
import { nearest } from '../../nearest.ts'
import { shown } from '../../report/safe.ts'
import { rules } from '../../rules/index.ts'
import { type Rule, type RuleOption, sections } from '../../rules/rule.ts'
import { checkOptions } from '../../rules/support/options.ts'
import type { Options } from '../app/commands.ts'
import type { Io } from '../app/io.ts'
import { choice, pair } from '../app/options.ts'
import { Refusal } from '../app/refusal.ts'
import { refuseAll } from '../output/diagnostics.ts'
import type { Config } from './config.ts'

/** Refuse configurations that name unknown rules, or options that a rule does not take. */
export function checkCodes(configs: readonly Config[]): void {
  refuseAll(configProblems(configs, rules))
}

/** The levels on the command line. */
export function givenLevels(
  {
    preset,
    rule,
    ruleOption,
    only: names = [],
  }: Pick<Options<'lint'>, 'preset' | 'rule' | 'ruleOption'> & Partial<Pick<Options<'lint'>, 'only'>>,
  ownRules: readonly Rule[] = [],
): GivenLevels {
  const allRules = [...rules, ...ownRules]
  const ruleLevels = new Map(rule.map((text) => ruleLevel(text, allRules)))
  const only = names.length === 0 ? undefined : onlyRules(names, allRules)
  const off = [...ruleLevels].find(([code, level]) => level === 'off' && only?.all.has(code))
  if (off) throw new Refusal(`--only and --rule contradict each other: \`${off[0]}\` is off`, 'omit one of them')
  return { preset, rules: ruleLevels, options: givenOptions(ruleOption, allRules), ...(only && { only }) }
}

/** The name of a group of rules on the command line: its section, as one word. */
const groupName = (section: string) => section.replaceAll(' ', '-')

/** The rules that `--only` names, by their codes or by their groups. */
function onlyRules(texts: readonly string[], knownRules: readonly Rule[]): SelectedRules {
  const groups = sections.map(groupName)
  const [all, byName] = [new Set<string>(), new Set<string>()]
  for (const name of texts.flatMap((text) => text.split(',').map((each) => each.trim()))) {
    const namedRules = knownRules.filter(({ code, section }) => code === name || groupName(section) === name)
    for (const { code } of namedRules) all.add(code)
    if (namedRules[0]?.code === name) byName.add(name)
    if (namedRules.length > 0) continue
    const suggested = nearest(name, [...knownRules.map(({ code }) => code), ...groups])
    throw new Refusal(
      name === '' ? '--only: the name of a rule is missing' : `--only: unknown rule or group \`${shown(name)}\``,
      suggested ? `did you mean \`${suggested}\`?` : `\`grantwise rules\` lists the rules; groups: ${groups.join(', ')}`,
    )
  }
  return { all, byName }
}

/** The options of `--rule-option CODE.NAME=VALUE`, by rule. */
function givenOptions(texts: readonly string[], rules: readonly Rule[]): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  const out = new Map<string, Record<string, unknown>>()
  for (const text of texts) {
    const [place, value] = pair(flag, text, 'CODE.NAME=VALUE')
    const [code = '', name, ...more] = place.split('.')
    if (name === undefined || more.length > 0) throw new Refusal(`${flag} \`${text}\`: expected CODE.NAME=VALUE`)
    const fault = levelFault(code, rules)
    if (fault) throw new Refusal(`${flag}: ${fault.message}`, fault.help)
    const rule = rules.find((each) => each.code === code) as Rule
    const ownOptions = out.get(code) ?? {}
    const type = rule.options?.find((option) => option.name === name)?.type
    if (Object.hasOwn(ownOptions, name))
      throw new Refusal(`${flag}: \`${place}\` is given twice`, listed(type) ? 'separate the values with commas' : '')
    const read = { [name]: valueFrom(value, type) }
    for (const problem of checkOptions(rule, read))
      if (problem.name !== undefined || !rule.options) throw new Refusal(`${flag}: ${problem.message}`, problem.help)
    out.set(code, { ...ownOptions, ...read })
  }
  return out
}

const flag = '--rule-option'
const listed = (type: RuleOption['type'] | undefined) => type === 'texts'

/** A value as it is written on the command line: a list separated by commas, or JSON. */
function valueFrom(text: string, type: RuleOption['type'] | undefined): unknown {
  if (type === 'number') return /^\d{1,15}$/.test(text) ? Number(text) : text
  if (type === 'flag') return text === 'true' || (text === 'false' ? false : text)
  if (type === 'records' || (listed(type) && text.startsWith('['))) {
    try {
      return JSON.parse(text)
    } catch {
      return text
    }
  }
  return listed(type) ? text.split(',').map((each) => each.trim()) : text
}

/**
 * Warn, once for each, of rules that are switched on by name and report nothing without an option that is not given, and of
 * options on the command line for rules that are off.
 */
export function warnIdleRules(
  profiles: Iterable<Profile>,
  { options: optionsByRule }: GivenLevels,
  ownRules: readonly Rule[],
  io: Io,
): void {
  const all = [...new Set(profiles)]
  const warn = (message: string, help: string) => io.stderr.write(`grantwise: warning: ${message}\n  help: ${help}\n`)
  for (const { code, severity, options = [] } of [...rules, ...ownRules]) {
    const on = all.filter(({ levels }) => levels.get(code) !== 'off')
    const [first] = options.filter(
      ({ required, name }) => required && on.some((profile) => profile.named?.has(code) && profile.options.get(code)?.[name] === undefined),
    )
    if (first)
      warn(
        `rule \`${code}\` is on, but reports nothing without its option \`${first.name}\`: ${first.text}`,
        `give it as \`${flag} ${code}.${first.name}=…\`, or in the configuration as \`${code}: [${severity}, { ${first.name}: … }]\``,
      )
    if (all.length > 0 && on.length === 0 && optionsByRule?.has(code))
      warn(`${flag} has no effect: rule \`${code}\` is off`, `switch it on with \`--rule ${code}=${severity}\``)
  }
}

function ruleLevel(text: string, rules: readonly Rule[]): readonly [string, Level] {
  const [code, level] = pair('--rule', text, 'CODE=LEVEL')
  const fault = levelFault(code, rules)
  if (fault) throw new Refusal(`--rule: ${fault.message}`, fault.help)
  return [code, choice('--rule', level, levels)]
}
