import { readAddress } from '../../conditions/address.ts'
import { instantFault, readInstant } from '../../conditions/time.ts'
import { printableFault, type Read } from '../../names.ts'
import { type Context, type Problem, readGroup } from '../../simulate/question.ts'
import type { ShortNames } from '../../simulate/short-names.ts'
import type { Io } from '../app/io.ts'
import type { ContextOptions } from '../app/options.ts'
import { pair } from '../app/options.ts'
import { attempt, type Reason, Refusal } from '../app/refusal.ts'

/** What the context flags say, and what is wrong with them. */
export interface ReadContext {
  readonly context: Context
  readonly problems: readonly Problem[]
}

/** The context flags of every deciding command: `--group`, `--ip`, `--tag`, `--at`, `--owner`. */
export function readContext(options: ContextOptions, io: Io): ReadContext {
  const groups = options.group
  const ip = options.ip
  const address = ip === undefined ? undefined : readAddress(ip)
  const owner = options.owner
  // A short name is read once the names in the world are known.
  const problems: Problem[] = groups.filter(isWhole).flatMap((group) => readGroup(group).problems)
  if (ip !== undefined && !address)
    problems.push({ message: `--ip \`${ip}\`: not an IP address`, help: 'write it plainly, such as `192.0.2.1` or `2001:db8::1`' })
  if (owner !== undefined && !/^[!-)+-.0-9;-~]+$/.test(owner))
    problems.push({ message: `--owner \`${owner}\`: not an account id`, help: 'write the id alone, such as `ab12-svc`, without `urn:`' })
  const tags = new Map<string, string>()
  const at = attempt(() => readAt(options, io), problems)
  for (const text of options.tag) {
    const [key, value] = attempt(() => pair('--tag', text), problems) ?? []
    if (key === undefined || value === undefined) continue
    if (tags.has(key)) problems.push({ message: `--tag \`${key}\` is given twice: a resource has one value for each tag` })
    tags.set(key, value)
  }
  const context: Context = {
    at: at ?? io.now(),
    groups,
    ...(address && { ip: address }),
    ...(tags.size > 0 && { tags }),
    ...(owner !== undefined && { owner }),
  }
  return { context, problems }
}

const isWhole = (name: string) => name.startsWith('urn:')

/** The same with whole URNs for the short names of groups. */
export function withWholeGroups({ context, problems }: ReadContext, names: ShortNames): ReadContext {
  if (context.groups.every(isWhole)) return { context, problems }
  const read = context.groups.map((group) => (isWhole(group) ? { text: group } : names.group(group)))
  const wrong = read.flatMap(({ text, problem }) => (problem ? [problem] : readGroup(text).problems))
  return { context: { ...context, groups: read.map(({ text }) => text) }, problems: [...problems, ...wrong] }
}

/** What is wrong with a name that an option gives. */
export function faultsOf(option: string, text: string, { faults = [] }: Read<unknown>): readonly Reason[] {
  return faults.map((fault) => {
    const { message, help } = printableFault(text, fault)
    return { message: `${option} ${message}`, help }
  })
}

/** `--region`, as far as its form goes. */
export function checkRegion(region: string | undefined, regions: readonly string[] = ['eu']): readonly Reason[] {
  if (region === undefined || /^[a-z]+$/.test(region)) return []
  return [{ message: `--region \`${region}\`: expected a region such as ${regions.map((each) => `\`${each}\``).join(', ')}` }]
}

/** The arguments of `can` and those like it: IDENTITY ACTION RESOURCE, as they are written. */
export function questionArguments(
  command: string,
  args: readonly (string | undefined)[],
): readonly [identity: string, action: string, resource: string] {
  const [identity, action, resource] = args
  if (identity === undefined || action === undefined || resource === undefined) {
    throw new Refusal(
      `\`${command}\` takes three arguments, IDENTITY ACTION RESOURCE; ${args.length} given`,
      `for example \`grantwise ${command} urn:v1:eu:identity:user:ab12-svc/ann vps:apisvc:reboot urn:v1:eu:resource:vps:vps-1\``,
    )
  }
  return [identity, action, resource]
}

/** `--at`, or now. */
export function readAt(options: Pick<ContextOptions, 'at'>, io: Io): number {
  const text = options.at
  return text === undefined ? io.now() : instantOf('--at', text)
}

/** The time that an answer is about: the instant of `--at`, else all from now on. */
export function timeOf<T extends Context>(options: Pick<ContextOptions, 'at'>, context: T) {
  const { at, ...open } = context
  return options.at === undefined ? { from: at, at: undefined, asked: { ...open, from: at } } : { from: undefined, at, asked: context }
}

/** The instant that an option names. Throws a refusal that says what is wrong with it. */
export function instantOf(option: string, text: string): number {
  const instant = readInstant(text)
  if (instant !== undefined) return instant
  const { message, help } = instantFault(text)
  throw new Refusal(`${option} \`${text}\` ${message}`, help)
}
