import { type ContextGiven, readContext as contextOf, type ReadContext, readInstantOf } from '../../ask/context.ts'
import { printableFault, type Read } from '../../names.ts'
import type { Io } from '../app/io.ts'
import type { ContextOptions } from '../app/options.ts'
import { type Reason, Refusal, requireValue } from '../app/refusal.ts'

/** The context flags of every deciding command: `--group`, `--ip`, `--tag`, `--at`, `--owner`. */
export function readContext(options: ContextGiven, io: Io): ReadContext {
  return contextOf(options, io.now())
}

/** The problems of a name in an option. */
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

/** The instant that an option names. Throws a refusal that says what is wrong with it. */
export function instantOf(option: string, text: string): number {
  return requireValue(readInstantOf(option, text))
}
