import { readAction } from '../../actions/action.ts'
import { overruledNotes } from '../../ask/can.ts'
import { withWholeGroups } from '../../ask/context.ts'
import { answerCall, type CallAnswer, type CallContext } from '../../calls/judge.ts'
import { readCall, routesOf } from '../../calls/match.ts'
import type { Read, Settings } from '../../names.ts'
import { callJson, callLine, callText } from '../../report/call.ts'
import { json } from '../../report/safe.ts'
import { unknownNames, unknownResource } from '../../report/unknown-names.ts'
import { overruling } from '../../simulate/decide.ts'
import type { Question } from '../../simulate/decision.ts'
import type { ResolvedName, ShortNames } from '../../simulate/short-names.ts'
import { readIdentity } from '../../urn/identity.ts'
import { readResource } from '../../urn/resource.ts'
import type { Options } from '../app/commands.ts'
import { exit, verdictExit } from '../app/exit.ts'
import { type Reason, Refusal } from '../app/refusal.ts'
import { readRules } from '../input/credential.ts'
import { catalogueFor, operationsFor } from '../input/known.ts'
import { checkRegion, faultsOf, readContext } from '../input/question.ts'
import { suppositionOf } from '../input/suppose.ts'
import { noteUnknownNames } from '../input/unknown.ts'
import { type Answer, fromFiles, settingsOf } from '../input/world.ts'
import { writeNotes } from '../output/answer.ts'
import { wrapLines } from '../output/fit.ts'
import { coloursOf } from '../output/outputs.ts'
import { answerRefused, readRefused, refusedReport, withoutPolicies } from './forbidden.ts'

/**
 * `call METHOD PATH --identity I`: the actions that a call of the API needs, and whether it is let through. With `--from-403`
 * what to grant after a 403 response; method and path are then optional.
 */
export const run: Answer<'call'> = async (args, options, io, loader = fromFiles) => {
  const format = options.format
  const refusedFile = options.from403
  const [method, path] = args
  if (args.length !== 2 && !(args.length === 0 && refusedFile !== undefined)) {
    throw new Refusal(
      `\`call\` takes two arguments, METHOD PATH; ${args.length} given`,
      'for example `grantwise call GET /v1/hosting/web/example.org --identity urn:v1:eu:identity:user:ab12-svc/ann`',
    )
  }
  const proposals = options.propose || hasProposalOption(options) ? await import('./propose.ts') : undefined
  if (!options.propose) proposals?.refuseIdle(options)
  if (refusedFile !== undefined && options.credential !== undefined)
    throw new Refusal('`--from-403` and `--credential` cannot be combined', 'a 403 response says which check failed')
  const { context, problems } = readContext(options, io)
  const read = method === undefined || path === undefined ? undefined : readCall(method, path)
  const forbidden = refusedFile === undefined ? undefined : await readRefused(refusedFile, options, io)
  const key = await readRules(options, io)
  const config = await loader.config(options, io)
  let about: CallContext = { identity: '', actions: [], resources: [], context, ...key }
  const resolve = (names?: ShortNames): readonly Reason[] => {
    const named = namesOf(options, settingsOf(config, options), forbidden?.gate !== 'credential', names)
    const whole = names ? withWholeGroups({ context, problems }, names) : { context, problems }
    about = { ...named.names, context: whole.context, ...key }
    return [...(read?.problems ?? []), ...named.problems, ...whole.problems]
  }
  if (options.propose && loader.held !== undefined)
    throw new Refusal('`--propose` reads the files of HEAD: a session has its own policies', 'run it at the command line')
  const proposing = options.propose ? proposals?.startProposal(options, config, io) : undefined
  const needsPolicies =
    !forbidden ||
    loader.held !== undefined ||
    options.policies.length > 0 ||
    config.policies !== undefined ||
    suppositionOf(options) !== undefined
  const loaded = proposing
    ? await proposing.load(resolve)
    : needsPolicies
      ? await loader.world(options, io, resolve, config)
      : withoutPolicies(config, resolve())
  if (!loaded) return exit.error
  const { world } = loaded
  const routes = routesOf(await operationsFor(config, io))
  const catalogue = await catalogueFor(config, io)
  if (forbidden && proposals && proposing) {
    const report = refusedReport(forbidden, read?.call, about, routes, catalogue, loaded, options)
    return proposals.propose(proposing, report, loaded, options, io)
  }
  if (forbidden) return answerRefused(forbidden, read?.call, about, routes, catalogue, loaded, options, io)
  if (!read?.call) return exit.error
  const answer = answerCall(world, routes, catalogue, read.call, about)
  refuseUnused(answer, about)
  const asked = answer.requirements.flatMap(({ resource }) => resource ?? [])
  const overruled = answer.requirements.flatMap((each) =>
    each.asked ? overruledNotes(overruling(world, each.asked.question, each.asked.decision)) : [],
  )
  const more = [...[...new Set(asked)].flatMap((resource) => unknownResource(resource, loaded.short)), ...new Set(overruled)]
  if (format === 'pretty') {
    const notesOn = (question: Question) => unknownNames(question, { catalogue, brand: config.settings.brand })
    const paint = coloursOf(options, io)
    const text = callText(answer, { routes, catalogue }, world, { all: options.explain, names: loaded.names, more, notesOn, paint })
    io.stdout.write(wrapLines(text, io.stdout.width?.()))
  } else io.stdout.write(format === 'compact' ? `${callLine(answer)}\n` : `${json(callJson(answer, { routes, catalogue }, world, more))}\n`)
  if (format === 'compact') writeNotes(more, format, io)
  await noteUnknownNames({ identity: about.identity, groups: context.groups }, loaded, answer.verdict === 'allow', io)
  return verdictExit[answer.verdict]
}

/** Whether an option is given that only a proposal has. */
const hasProposalOption = ({ branch, expires, file, test, description, replace, force, dryRun }: Options<'call'>) =>
  replace || force || dryRun || [branch, expires, file, test, description].some((each) => each !== undefined)

/** The names in the options, and all problems with them. `short`: the full names of short ones. */
function namesOf(options: Options<'call'>, settings: Settings, needsIdentity: boolean, short?: ShortNames) {
  const { identity = '', action: actions, resource: resources, region } = options
  const who = identity === '' ? { text: '' } : (short?.identity(identity) ?? { text: identity })
  const on = resources.map((resource) => short?.resource(resource) ?? { text: resource })
  const problems: Reason[] = [
    ...(identity !== '' ? wrongWith('--identity', who, readIdentity(who.text, { pattern: false })) : needsIdentity ? [noIdentity] : []),
    ...actions.flatMap((action) => faultsOf('--action', action, readAction(action, settings.brand))),
    ...on.flatMap((resource) => wrongWith('--resource', resource, readResource(resource.text, { pattern: false }))),
    ...checkRegion(region, settings.regions),
  ]
  const names = { identity: who.text, actions, resources: on.map(({ text }) => text), ...(region !== undefined && { region }) }
  return { names, problems }
}

function wrongWith(option: string, { text, problem }: ResolvedName, read: Read<unknown>): readonly Reason[] {
  return problem ? [problem] : faultsOf(option, text, read)
}

const noIdentity: Reason = {
  message: '`--identity URN` is missing: the identity that makes the call',
  help: 'for example `--identity urn:v1:eu:identity:user:ab12-svc/ann`',
}

/** Refuse a resource that the answer is not about: it would be silently ignored. */
function refuseUnused({ basis, requirements }: CallAnswer, { resources }: CallContext): void {
  if (basis === 'nothing') return
  for (const resource of resources) {
    if (requirements.some((each) => each.resource === resource || each.from === 'unknown')) continue
    const isList = requirements.some(({ from }) => from === 'listing')
    throw new Refusal(
      `--resource \`${resource}\`: no action that the call needs is about it`,
      isList ? 'a list call answers with what the caller may see: ask `grantwise can` about one resource' : undefined,
    )
  }
}
