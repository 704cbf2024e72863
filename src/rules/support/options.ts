import type { RuleCode } from '../../codes.ts'
import { nearest } from '../../nearest.ts'
import { readIdentity } from '../../urn/identity.ts'
import { readResource } from '../../urn/resource.ts'
import type { Rule, RuleContext, RuleOption } from '../rule.ts'
import { didYouMean, quote, some } from './text.ts'

/** A problem with the options that a configuration gives to a rule. */
export interface OptionProblem {
  /** The option it is about, as written; undefined when it is about all of them. */
  readonly name: string | undefined
  readonly message: string
  readonly help?: string
}

const expected: Readonly<Record<RuleOption['type'], string>> = {
  number: 'a whole number of at least 0',
  text: 'a string',
  texts: 'a list of strings',
  flag: 'true or false',
  month: 'a month such as `2026-01`',
  records: 'a list of maps',
}

const fits: Readonly<Record<RuleOption['type'], (value: unknown) => boolean>> = {
  number: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  text: (value) => typeof value === 'string' && value !== '',
  texts: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== ''),
  flag: (value) => typeof value === 'boolean',
  month: (value) => typeof value === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(value),
  records: (value) => Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item)),
}

/** Hold options against what the rule takes. Empty when they are in order. */
export function checkOptions(rule: Pick<Rule, 'code' | 'options'>, value: unknown): readonly OptionProblem[] {
  const declared = rule.options ?? []
  if (declared.length === 0) return [{ name: undefined, message: `${quote(rule.code)} has no options`, help: 'only set its level' }]
  const names = declared.map((option) => option.name)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ name: undefined, message: `expected the options of ${quote(rule.code)} as a map`, help: `it takes ${some(names, 8)}` }]
  const values = value as Readonly<Record<string, unknown>>
  const problems: OptionProblem[] = []
  for (const name of Object.keys(values)) {
    const option = declared.find((each) => each.name === name)
    if (!option) {
      const suggested = nearest(name, names)
      problems.push({
        name,
        message: `${quote(rule.code)} has no option ${quote(name)}`,
        help: suggested === undefined ? `it takes ${some(names, 8)}` : didYouMean(suggested),
      })
      continue
    }
    const written = values[name]
    if (!fits[option.type](written)) {
      problems.push({ name, message: `expected ${expected[option.type]} for ${quote(name)}`, help: option.text })
    } else if (option.type === 'records') {
      const message = (written as readonly Readonly<Record<string, unknown>>[]).flatMap((record) => recordFault(record, option))[0]
      if (message !== undefined) problems.push({ name, message, help: option.text })
    } else if (option.choices && !option.choices.includes(written as string)) {
      const suggested = nearest(written as string, option.choices)
      problems.push({
        name,
        message: `${quote(written as string)} is not a valid ${quote(name)}: expected ${some(option.choices, 8)}`,
        ...(suggested !== undefined && { help: didYouMean(suggested) }),
      })
    }
  }
  const missing = declared.filter((option) => option.required && !Object.hasOwn(values, option.name))
  if (missing.length > 0) {
    problems.push({
      name: undefined,
      message: `${quote(rule.code)} requires ${some(
        missing.map((option) => option.name),
        8,
      )}`,
    })
  }
  return problems
}

/** The type of an option, in words. */
export function optionKind({ type, choices, fields }: RuleOption): string {
  if (fields) return `a list of maps with ${Object.keys(fields).join(' and ')}`
  return choices ? `one of ${choices.join(', ')}` : expected[type]
}

/** The first problem of one of the maps of an option. */
function recordFault(record: Readonly<Record<string, unknown>>, { name, fields = {} }: RuleOption): readonly string[] {
  const odd = Object.keys(record).find((key) => !Object.hasOwn(fields, key))
  if (odd !== undefined) return [`the maps of ${quote(name)} have no ${quote(odd)}`]
  for (const [key, kind] of Object.entries(fields)) {
    const value = record[key]
    if (typeof value !== 'string') return [`each map of ${quote(name)} needs a string under ${quote(key)}`]
    const read = kind === 'resource' ? readResource(value, { pattern: true }) : readIdentity(value, { pattern: false })
    if (read.faults) return [`${quote(value)} is not a valid ${quote(key)}: ${read.faults[0]?.message ?? 'it cannot be understood'}`]
  }
  return []
}

/** An option of the right type, or undefined. What is of the wrong type has been refused before. */
export function numberOption({ options }: RuleContext, code: RuleCode, name: string): number | undefined {
  const value = options(code)[name]
  return fits.number(value) ? (value as number) : undefined
}

export function textOption({ options }: RuleContext, code: RuleCode, name: string): string | undefined {
  const value = options(code)[name]
  return fits.text(value) ? (value as string) : undefined
}

export function textsOption({ options }: RuleContext, code: RuleCode, name: string): readonly string[] | undefined {
  const value = options(code)[name]
  return fits.texts(value) ? (value as string[]) : undefined
}

export function monthOption({ options }: RuleContext, code: RuleCode, name: string): string | undefined {
  const value = options(code)[name]
  return fits.month(value) ? (value as string) : undefined
}

/** The maps of an option, where each is in order. */
export function recordsOption({ options }: RuleContext, code: RuleCode, option: RuleOption): readonly Readonly<Record<string, string>>[] {
  const value = options(code)[option.name]
  if (!fits.records(value)) return []
  return (value as Readonly<Record<string, string>>[]).filter((record) => recordFault(record, option).length === 0)
}

export function flagOption({ options }: RuleContext, code: RuleCode, name: string): boolean {
  return options(code)[name] === true
}
