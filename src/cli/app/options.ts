import { nearest } from '../../nearest.ts'
import { Refusal } from './refusal.ts'

/** One option. Every option takes one value or none; `many` ones may be given again. */
export interface OptionEntry {
  /** In commander's notation. */
  readonly flags: string
  readonly text: string
  readonly many?: true
  /** The values it takes, where they are a few words. */
  readonly values?: readonly string[]
}

/** The options that were given, by their long name without dashes. */
export interface Options {
  readonly text: (name: string) => string | undefined
  readonly list: (name: string) => readonly string[]
  /** Undefined when the option was not given; `--no-colour`-like options give false under the name without `no-`. */
  readonly flag: (name: string) => boolean | undefined
}

/** `--format`, with the names a command knows. */
export function formatOption(names: readonly string[], text: string, many = false): OptionEntry {
  return { flags: '--format <format>', text: `${text}: ${names.join(', ')}`, values: names, ...(many && { many }) }
}

/** Where settings come from. */
export const settingOptions: readonly OptionEntry[] = [
  { flags: '--config <file>', text: 'the configuration, in place of the nearest .grantwise.yaml' },
  { flags: '--no-config', text: 'no configuration' },
]

/** Which configuration of Terraform is meant where there are several. */
export const rootOption: OptionEntry = {
  flags: '--root <folder>',
  many: true,
  text: 'the root module of Terraform to decide over, where several call the same module; may be given again for what is applied together',
}

/** Values of variables of Terraform. */
export const variableOptions: readonly OptionEntry[] = [
  { flags: '--var <name=value>', many: true, text: 'the value of a variable of the root module; counts more than --var-file' },
  { flags: '--var-file <file>', many: true, text: 'a file with values of variables: HCL, or JSON where its name ends in .json' },
  { flags: '--var-env', text: 'also take values of variables from TF_VAR_NAME in the environment' },
]

/** Where the policies come from: on every deciding command. */
export const worldOptions: readonly OptionEntry[] = [
  {
    flags: '-p, --policies <path>',
    many: true,
    text: 'files, folders, globs, or - for standard input (default: `policies` of the configuration, else .)',
  },
  { flags: '--format-in <notation>', text: 'what the files are, in place of what their names and contents tell: policy, tfplan or hcl' },
  rootOption,
  ...variableOptions,
]

/** What is known of a request. */
export const contextOptions: readonly OptionEntry[] = [
  { flags: '--group <urn>', many: true, text: 'a group the identity is in' },
  { flags: '--ip <address>', text: 'the address the request comes from' },
  {
    flags: '--tag <key=value>',
    many: true,
    text: 'a tag of the resource, added to those of a world file; once tags are told, it has no others',
  },
  { flags: '--at <time>', text: 'the instant of the request, RFC 3339 (default: now)' },
  { flags: '--owner <account>', text: 'the account that owns the resource' },
]

/** One of a few words. Throws a refusal that names them, and the nearest. */
export function choice<T extends string>(option: string, value: string, words: readonly T[]): T {
  const known = words.find((word) => word === value)
  if (known !== undefined) return known
  const near = nearest(value, words)
  throw new Refusal(
    `${option} \`${value}\`: expected ${words.length > 1 ? 'one of ' : ''}${words.map((word) => `\`${word}\``).join(', ')}`,
    near && `did you mean \`${near}\`?`,
  )
}

/** `KEY=VALUE` or the like, split at the first `=`. */
export function pair(option: string, value: string, shape = 'KEY=VALUE'): readonly [string, string] {
  const at = value.indexOf('=')
  if (at <= 0) throw new Refusal(`${option} \`${value}\`: expected ${shape}`)
  return [value.slice(0, at), value.slice(at + 1)]
}
