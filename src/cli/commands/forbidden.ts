import type { Catalogue } from '../../actions/catalogue.ts'
import { type Forbidden, readForbidden } from '../../calls/forbidden.ts'
import { type Grant, grantFor, refusedCall } from '../../calls/grant.ts'
import type { CallContext } from '../../calls/judge.ts'
import type { Call, Routes } from '../../calls/match.ts'
import type { World } from '../../policy.ts'
import { type GrantNext, type GrantReport, type GrantTime, grantJson, grantLine, grantText } from '../../report/call.ts'
import { Names } from '../../report/names.ts'
import { json } from '../../report/safe.ts'
import { decide } from '../../simulate/decide.ts'
import { ShortNames } from '../../simulate/short-names.ts'
import { decisionIntervalOf, whenDenied } from '../../symbolic/decision-interval.ts'
import { readIdentity } from '../../urn/identity.ts'
import { emptyWorld } from '../../world.ts'
import type { Options } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import type { Io } from '../app/io.ts'
import { type Reason, Refusal, refuseProblems } from '../app/refusal.ts'
import { sameContextOptions, sameFiles } from '../input/again.ts'
import { type Config, loadConfig } from '../input/config.ts'
import { readDocument } from '../input/document.ts'
import { quoted } from '../input/words.ts'
import type { LoadedWorld } from '../input/world.ts'
import { coloursOf } from '../output/outputs.ts'

/** The refusal in the file that `--from-403` names. Anything that is none is refused. */
export async function readRefused(path: string, options: Options<'call'>, io: Io): Promise<Forbidden> {
  const { settings } = await loadConfig(options, io)
  const { name, document } = await readDocument('--from-403', path, options.policies, io, 'json')
  if (document === undefined) throw new Refusal(`--from-403 ${name}: contains no object`)
  const { forbidden, problem } = readForbidden(document, settings.brand)
  if (problem) throw new Refusal(`--from-403 ${name}: ${problem.message}`, problem.help)
  return forbidden
}

/** No policies: a refusal can be read without them. */
export function withoutPolicies(config: Config, wrong: readonly Reason[]): LoadedWorld {
  refuseProblems(wrong)
  return { world: emptyWorld, short: new ShortNames(undefined), names: new Names([]), settings: config.settings, config, sources: [] }
}

/** `call [METHOD PATH] --from-403 FILE`: what to grant, who can grant it, and whether that is enough. */
export function answerRefused(
  forbidden: Forbidden,
  call: Call | undefined,
  about: CallContext,
  routes: Routes,
  catalogue: Catalogue,
  loaded: LoadedWorld,
  options: Options<'call'>,
  io: Io,
): ExitCode {
  const report = refusedReport(forbidden, call, about, routes, catalogue, loaded, options)
  writeRefused(report, options, io)
  return refusedExit(report)
}

/** The access to grant after a refusal, and whether that is enough. */
export function refusedReport(
  forbidden: Forbidden,
  call: Call | undefined,
  about: CallContext,
  routes: Routes,
  catalogue: Catalogue,
  { world, config, names }: LoadedWorld,
  options: Options<'call'>,
): GrantReport {
  const hasPolicies = world !== emptyWorld
  const refused = refusedCall(forbidden, world, routes, catalogue, call, about)
  const grant = grantFor(forbidden, refused, about.identity, world, hasPolicies, config.settings)
  const account = about.context.owner ?? world.account ?? readIdentity(about.identity, { pattern: false }).value?.account
  const times = hasPolicies ? timesOf(grant, world, options.at === undefined) : []
  return {
    forbidden,
    refused,
    grant,
    account,
    hasPolicies,
    caller: names.identity(about.identity),
    times,
    ...(hasPolicies && { next: nextOf(about, names, catalogue, options, config) }),
  }
}

function writeRefused(report: GrantReport, options: Options<'call'>, io: Io): void {
  const { format } = options
  if (format === 'pretty') io.stdout.write(grantText(report, coloursOf(options, io)))
  else io.stdout.write(format === 'compact' ? `${grantLine(report)}\n` : `${json(grantJson(report))}\n`)
}

/** Success where there is something to grant; failure where something else blocks the call; unknown where a fact is missing. */
export function refusedExit({ forbidden, grant: { policies, accessRules, obstacles, missing } }: GrantReport): ExitCode {
  if (obstacles.length > 0 || forbidden.byAuthentication.length > 0) return exit.failure
  return missing.length > 0 || policies.length + accessRules.length === 0 ? exit.unknown : exit.success
}

/** The commands to ask next, with the options of this one. */
function nextOf(
  { identity }: CallContext,
  names: Names,
  catalogue: Catalogue,
  options: Options<'call'>,
  { settings: { brand } }: Config,
): GrantNext {
  const same = `${sameContextOptions(options)}${sameFiles(options)}`
  const edit = `account:api${brand}:iam/policy/edit`
  return {
    suggest: (action, resource) =>
      `grantwise suggest ${quoted(names.identity(identity))} ${quoted(action)} ${quoted(names.resource(resource))} --to allow${same}`,
    who: catalogue.has(edit) ? `grantwise who ${edit}${sameFiles(options)}` : undefined,
  }
}

/** How the time turns the answers. `isOverall`: no instant is given, so that all times from now on count. */
function timesOf({ needed, granted }: Grant, world: World, isOverall: boolean): readonly GrantTime[] {
  return needed.flatMap(({ action, asked }): GrantTime[] => {
    if (!asked) return []
    const { question } = asked
    const turning = decisionIntervalOf(world, question, asked.decision)
    const denied = isOverall ? whenDenied(world, question, asked.decision) : undefined
    const after = decide(granted, question)
    const deniedAfter = isOverall ? whenDenied(granted, question, after) : undefined
    const turningAfter = after.verdict === 'deny' ? decisionIntervalOf(granted, question, after) : undefined
    return turning || deniedAfter || turningAfter ? [{ action, at: question.at, turning, denied, deniedAfter, turningAfter }] : []
  })
}
