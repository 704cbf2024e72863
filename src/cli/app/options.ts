import { readPair } from '../../ask/context.ts'
import { nearest } from '../../nearest.ts'
import { Refusal, requireValue } from './refusal.ts'

/** One option of a command. It takes one value or none. */
export interface OptionEntry {
  /** In commander's notation. */
  readonly flags: string
  /** The description for `--help`. The values and the default are added. */
  readonly text: string
  /** It may be repeated. */
  readonly many?: true
  /** The values it takes, where they are a closed list. */
  readonly values?: readonly string[]
  /** The value may be followed by `=FILE`. */
  readonly toFile?: true
  /** The value is a whole number, from the first to the second. */
  readonly range?: readonly [least: number, most: number]
  /** The value where it is not given. */
  readonly default?: string | number
  /** The default, in words, where it is not a value. */
  readonly otherwise?: string
}

/** An argument in commander's notation (`<one>`, `[perhaps]`, `[many...]`), what it is, and its values where they are a closed list. */
export type ArgumentEntry = readonly [notation: string, text: string, values?: readonly string[]]

/** A value of `--format FORMAT` or `--format FORMAT=FILE`. */
export interface FormatOutput<Format extends string> {
  readonly format: Format
  /** Undefined for standard output. */
  readonly file: string | undefined
}

type Camel<Name> = Name extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Name
type LongName<Flags> = Flags extends `${string}--${infer Long}` ? (Long extends `${infer Name} ${string}` ? Name : Long) : never
type KeyOf<Flags> = LongName<Flags> extends `no-${infer Name}` ? Camel<Name> : Camel<LongName<Flags>>
type Closed<Entry> = Entry extends { readonly values: infer Values extends readonly string[] } ? Values[number] : string
type ValueOf<Entry> = Entry extends { readonly toFile: true }
  ? FormatOutput<Closed<Entry>>
  : Entry extends { readonly range: unknown }
    ? number
    : Closed<Entry>
type GivenOf<Entry> = Entry extends { readonly flags: `${string}<${string}` }
  ? Entry extends { readonly many: true }
    ? readonly ValueOf<Entry>[]
    : Entry extends { readonly default: unknown }
      ? ValueOf<Entry>
      : ValueOf<Entry> | undefined
  : boolean

/** The values of options, by their long names in camel case. Undefined: not given. `--no-x` sets `x` to false. */
export type OptionsOf<Entries extends readonly OptionEntry[]> = {
  readonly [Entry in Entries[number] as KeyOf<Entry['flags']> & string]: GivenOf<Entry>
}

/** The arguments of a command, as its table lists them. */
export type ArgumentsOf<Entries extends readonly ArgumentEntry[]> = Entries extends readonly [
  readonly [infer Notation, string, (infer Values extends readonly string[])?],
  ...infer Rest extends readonly ArgumentEntry[],
]
  ? Notation extends `[${string}...]`
    ? readonly string[]
    : Notation extends `<${string}`
      ? readonly [Values[number], ...ArgumentsOf<Rest>]
      : readonly [Values[number]?, ...ArgumentsOf<Rest>]
  : readonly []

/** `--format` of a command that answers on standard output. The first format is the default. */
export function formatOption<const Formats extends readonly [string, ...string[]]>(values: Formats, text = 'output format') {
  return { flags: '--format <format>', text, values, default: values[0] as Formats[0] } as const
}

/** `--format` that may be repeated and may name a file. */
export function formatsOption<const Formats extends readonly string[]>(values: Formats, text = 'output format') {
  return {
    flags: '--format <format>',
    text: `${text}; FORMAT=FILE writes to a file; repeatable`,
    values,
    many: true,
    toFile: true,
  } as const
}

/** Where an answer goes, on every command that prints one. */
export const outputOption = {
  flags: '-o, --output <file>',
  text: 'write the answer to this file; its ending chooses the format, unless --format does',
  otherwise: 'standard output',
} as const satisfies OptionEntry

/** How a command answers, and where to. The first format is the default. */
export function answerOptions<const Formats extends readonly [string, ...string[]]>(values: Formats, text?: string) {
  return [formatOption(values, text), outputOption] as const
}

/** The changes that an answer about differences lists. */
export const overOption = {
  flags: '--over <what>',
  text: 'list changes for described identities, resources and catalogue actions; regions with catalogue actions; or all regions',
  values: ['known', 'catalogue', 'everything'],
  otherwise: 'known, if identities and resources are described',
} as const satisfies OptionEntry

/** Of answers that are cut to a screen. */
export const allOption = {
  flags: '--all',
  text: 'show every row, with every item of its lists',
} as const satisfies OptionEntry

export const fullUrnsOption = {
  flags: '--full-urns',
  text: 'print whole URNs in the place of short names',
} as const satisfies OptionEntry

/** On every command. */
export const commonOptions = [
  { flags: '--color', text: 'use colour' },
  { flags: '--no-color', text: 'use no colour', otherwise: 'NO_COLOR, FORCE_COLOR, else whether the output is a terminal' },
  { flags: '--cost', text: 'also print the steps that the run took, on standard error' },
] as const satisfies readonly OptionEntry[]
export interface CommonOptions {
  /** Undefined: neither was given. */
  readonly color?: boolean | undefined
  readonly cost?: boolean | undefined
}

/** Where the rule modules that configurations name may be loaded from. */
export const ownRulesOption = {
  flags: '--allow-rules-from <folder>',
  many: true,
  text: 'run the rule modules of the configuration that are in this folder; repeatable',
  otherwise: 'the folders in GRANTWISE_RULES_FROM, else none',
} as const satisfies OptionEntry

export const configOptions = [
  { flags: '--config <file>', text: 'configuration file', otherwise: 'the nearest .grantwise.yaml' },
  { flags: '--no-config', text: 'use no configuration' },
] as const satisfies readonly OptionEntry[]

/** On every command that decides. */
export const coverageOption = {
  flags: '--coverage',
  text: 'also print what was read, passed over and assumed; in JSON, the field `coverage`',
} as const satisfies OptionEntry

/** Which Terraform configuration is meant where there are several. */
const rootOption = {
  flags: '--root <folder>',
  many: true,
  text: 'Terraform root module to evaluate, where several call the same module; repeat it for modules applied together',
} as const satisfies OptionEntry

/** Values of Terraform variables. */
export const variableOptions = [
  { flags: '--var <name=value>', many: true, text: 'value of a variable of the root module; overrides --var-file' },
  { flags: '--var-file <file>', many: true, text: 'file of variable values: HCL, or JSON where the name ends in .json' },
  { flags: '--var-env', text: 'read variable values from TF_VAR_NAME in the environment' },
] as const satisfies readonly OptionEntry[]

/** Options that choose and complete Terraform configurations. */
export const terraformOptions = [rootOption, ...variableOptions] as const

export const policiesOption = {
  flags: '-p, --policies <path>',
  many: true,
  text: 'policies: files, folders, globs, git:REF or git:REF:PATH for a commit, or - for standard input',
  otherwise: '`policies` in the configuration, else .',
} as const satisfies OptionEntry

const formatInOption = {
  flags: '--format-in <notation>',
  text: 'notation of the policy files, instead of detecting it',
  values: ['policy', 'tfplan', 'hcl'],
} as const satisfies OptionEntry

/** Where the policies come from. */
export const sourceOptions = [policiesOption, formatInOption, ...terraformOptions] as const

/** Hypothetical changes of the policies and the inventory, so that a question about a change needs no edited files. */
export const supposeOptions = [
  { flags: '--without <policy>', many: true, text: 'What-if: the policy of this name is removed' },
  { flags: '--with <path>', many: true, text: 'What-if: the policies or inventory in a file are added' },
  {
    flags: '--member <identity=groups>',
    many: true,
    text: 'What-if: an identity joins or leaves groups: IDENTITY=+GROUP,-GROUP',
  },
  {
    flags: '--assume-tag <resource=tag>',
    many: true,
    text: 'What-if: a resource has a tag, or has it no more: RESOURCE=KEY=VALUE or RESOURCE=-KEY',
  },
] as const satisfies readonly OptionEntry[]

/** On every command that writes files. */
export const writeOptions = [
  { flags: '--dry-run', text: 'write no file; list the files that would be written' },
  { flags: '--diff', text: 'write no file; print what would change in files as a diff, and exit with 1 if anything would' },
] as const satisfies readonly OptionEntry[]

/** On every command that decides: where the policies come from, and what is supposed of them. */
export const worldOptions = [...sourceOptions, ...supposeOptions] as const

export const atOption = { flags: '--at <time>', text: 'time of the request, RFC 3339', otherwise: 'now' } as const satisfies OptionEntry

export const asOfOption = {
  flags: '--as-of <date>',
  text: 'decide about the past: the policies of the commit that the branch was at, and that time; a date is the end of that day in UTC',
} as const satisfies OptionEntry

export const sinceOption = {
  flags: '--since <date>',
  text: 'compare with the commit that the branch was at then, with its own configuration: a date (the end of that day in UTC), a time, a tag or a commit',
} as const satisfies OptionEntry

/** Facts of the identity that makes a request. */
const askerOptions = [
  { flags: '--group <urn>', many: true, text: 'group whose member makes the request, in addition to those of a world file' },
  { flags: '--ip <address>', text: 'IP address the request comes from' },
] as const satisfies readonly OptionEntry[]

/** Facts of a request about resources that a table gives, with theirs. */
export const requestOptions = [...askerOptions, atOption] as const

/** Facts of a request other than its time. */
export const factOptions = [
  ...askerOptions,
  {
    flags: '--tag <key=value>',
    many: true,
    text: 'tag of the resource, in addition to those of a world file; tags that are not given are then absent',
  },
  { flags: '--owner <account>', text: 'account that owns the resource' },
] as const satisfies readonly OptionEntry[]

export const withTagOption = {
  flags: '--with-tag <key=value>',
  many: true,
  text: 'only resources that are described with this tag (`--tag` supposes a tag instead); of one key, any of its values; repeatable',
} as const satisfies OptionEntry

/** Facts of a request. */
export const contextOptions = [...factOptions, atOption] as const

/** Facts of the requests that an answer is about. */
export const accessOptions = [
  ...factOptions,
  { flags: '--at <time>', text: 'time of the requests, RFC 3339', otherwise: 'all times from now on' },
] as const satisfies readonly OptionEntry[]

export type ConfigOptions = Partial<
  OptionsOf<typeof configOptions> & OptionsOf<typeof variableOptions> & OptionsOf<readonly [typeof ownRulesOption]>
> & {
  /** A commit whose configuration counts, in the place of that on the disk: of `--as-of`. */
  readonly configAt?: string | undefined
}
export type SupposeOptions = Partial<OptionsOf<typeof supposeOptions>>
export type ContextOptions = OptionsOf<typeof contextOptions>
export type WorldOptions = OptionsOf<typeof sourceOptions> & SupposeOptions & ConfigOptions & Partial<Pick<ContextOptions, 'tag' | 'group'>>
export type RootOptions = OptionsOf<readonly [typeof rootOption]>

/** One of a closed list. Throws a refusal that names them, and the nearest. */
export function choice<T extends string>(option: string, value: string, words: readonly T[]): T {
  const match = words.find((word) => word === value)
  if (match !== undefined) return match
  const suggested = nearest(value, words)
  throw new Refusal(
    `${option} \`${value}\`: expected ${words.length > 1 ? 'one of ' : ''}${words.map((word) => `\`${word}\``).join(', ')}`,
    suggested && `did you mean \`${suggested}\`?`,
  )
}

/** `KEY=VALUE` or the like, split at the first `=`. */
export function pair(option: string, value: string, shape?: string): readonly [string, string] {
  return requireValue(readPair(option, value, shape))
}

/** The long name of an option, with its dashes. */
export function longName({ flags }: OptionEntry): string {
  return /--[\w-]+/.exec(flags)?.[0] as string
}

/** The value of an option as it is given on the command line. Throws a refusal where it takes no such value. */
export function readValue(entry: OptionEntry, text: string): string | number | FormatOutput<string> {
  const { values, range, toFile } = entry
  const name = longName(entry)
  if (text === '') throw new Refusal(`${name}: the value is empty`, `give a value, or omit \`${name}\``)
  if (range) {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (number >= range[0] && number <= range[1]) return number
    throw new Refusal(`${name} \`${text}\`: expected a whole number from ${range[0]} to ${range[1]}`)
  }
  if (!toFile) return values ? choice(name, text, values) : text
  const equalsIndex = text.indexOf('=')
  const format = choice(name, equalsIndex < 0 ? text : text.slice(0, equalsIndex), values ?? [])
  if (equalsIndex === text.length - 1) throw new Refusal(`${name} \`${text}\`: a file name is missing after \`=\``)
  return { format, file: equalsIndex < 0 ? undefined : text.slice(equalsIndex + 1) }
}

/** The description of an option for `--help` and shells. */
export function textOf({ text, values, default: usual, otherwise }: OptionEntry): string {
  const fallback = otherwise ?? usual
  return `${text}${values ? `: ${values.join(', ')}` : ''}${fallback === undefined ? '' : ` (default: ${fallback})`}`
}
