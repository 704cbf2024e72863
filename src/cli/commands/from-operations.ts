import type { Catalogue } from '../../actions/catalogue.ts'
import type { Operation } from '../../actions/operations.ts'
import { type CallContext, planCall } from '../../calls/judge.ts'
import { type Call, callMethods, matchCall, monthOfUnmatched, type Routes, readCall, routesOf } from '../../calls/match.ts'
import { type NeededAction, policiesFor } from '../../calls/needed-policies.ts'
import { anyName, widened } from '../../calls/placeholder.ts'
import { operationsFinder, type PlainRule, type RuleLevel, rulesForCall, withoutCovered } from '../../calls/rule-set.ts'
import { visible } from '../../names.ts'
import { readCredential } from '../../parser/credential.ts'
import { policiesFile } from '../../propose/insert.ts'
import { beyondLines } from '../../report/access-rules.ts'
import { guardNotation, shown } from '../../report/safe.ts'
import { readIdentity } from '../../urn/identity.ts'
import type { Options, Run } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import type { Io } from '../app/io.ts'
import { type Reason, Refusal, refuseProblems } from '../app/refusal.ts'
import { loadConfig } from '../input/config.ts'
import { readDocument } from '../input/document.ts'
import { catalogueFor, operationsFor } from '../input/known.ts'
import { checkRegion, faultsOf } from '../input/question.ts'
import { refuseErrors } from '../output/diagnostics.ts'
import { baseOf, written } from './least-rules.ts'

/** A call as written: `{serviceName}` in its path is a placeholder for every name. */
interface Asked {
  readonly text: string
  readonly call: Call
}

/** `from-operations CALL...`: access rules, or a policy, for calls that are to be made. */
export const run: Run<'from-operations'> = async (args, options, io) => {
  const { format, generalise: level, region } = options
  refuseProblems(checkRegion(region))
  const wantsPolicy = options.policy
  const base = format === 'url' && !wantsPolicy ? baseOf(options) : ''
  const identity = identityIn(options, wantsPolicy)
  const asked = callsOf([...pairsOf(args), ...(await callsInFile(options, io))])
  const config = await loadConfig(options, io)
  const operations = await operationsFor(config, io)
  const routes = routesOf(operations)
  const catalogue = await catalogueFor(config, io)
  const about = { identity, context: { at: io.now(), groups: [] }, resources: [], actions: [], ...(region !== undefined && { region }) }
  const plans = asked.map((each) => planOf(each, routes, catalogue, level, about))
  const isKnown = plans.every((plan) => plan.isKnown)
  const needs = plans.flatMap((plan) => plan.needs)
  const notes = plans.flatMap((plan) => plan.notes)
  const wanted = new Set(plans.map(({ operation }) => operation))
  const fewest = withoutCovered(plans.flatMap(({ rules }) => rules))
  const opened = operationsFinder(operations)
  notes.push(...beyondLines(fewest.map((rule) => ({ ...rule, beyond: opened(rule).filter((each) => !wanted.has(each)) }))))
  if (wantsPolicy) {
    const policies = policiesFor(needs, identity, 'For calls that an application makes for the user')
    if (policies.length > 0) io.stdout.write(policiesFile(policies), guardNotation)
    else notes.push('no policy: no action on a known resource is needed')
  } else {
    if (fewest.length > 0) io.stdout.write(written(fewest, format === 'json' ? 'request' : format, base))
    const actions = [...new Set(needs.map(({ action, resource }) => `\`${action}\` on ${resource}`))].sort()
    if (actions.length > 0) notes.push(`the policies of the user must allow, too: ${actions.map(shown).join(', ')}`)
  }
  for (const note of notes) io.stderr.write(`grantwise: ${note}\n`)
  return isKnown ? exit.success : exit.unknown
}

/** The requirements of a planned call. */
interface CallPlan {
  /** The call is one operation of the catalogue. */
  readonly isKnown: boolean
  readonly operation: Operation | undefined
  readonly rules: readonly PlainRule[]
  readonly needs: readonly NeededAction[]
  readonly notes: readonly string[]
}

function planOf({ text, call }: Asked, routes: Routes, catalogue: Catalogue, level: RuleLevel, about: CallContext): CallPlan {
  const quoted = `\`${shown(visible(text))}\``
  const matched = matchCall(routes, call)
  const operation = matched.kind === 'one' ? matched.match.operation : undefined
  const isKnown = operation !== undefined
  if (operation?.noAuthentication)
    return { isKnown, operation: undefined, rules: [], needs: [], notes: [`${quoted} needs no authentication, so no rule`] }
  const notes = unmatched(quoted, matched, () => monthOfUnmatched(routes, call, catalogue))
  const needs: NeededAction[] = []
  const { requirements, basis } = planCall({}, routes, catalogue, call, about)
  if (basis === 'session') notes.push(`no action is known for ${quoted}: the policy that allows it cannot be determined`)
  for (const { action, required, resource, from, why } of requirements) {
    if (!required) notes.push(`${quoted} may need \`${action}\` as well`)
    else if (resource !== undefined) needs.push({ action, resource: widened(resource) })
    else if (from === 'listing') notes.push(`${quoted} lists what \`${action}\` is allowed on: no entry of its own`)
    else notes.push(`${quoted} needs \`${action}\` on a resource that is not known: ${why ?? 'it is not named'}`)
  }
  const rules = rulesForCall(call, operation, level).map(({ method, path }) => ({ method, path: path.replaceAll(anyName, '*') }))
  return { isKnown, operation, rules, needs, notes }
}

/** Why a call is not one operation of the catalogue; nothing where it is. */
function unmatched(quoted: string, matched: ReturnType<typeof matchCall>, month: () => string): string[] {
  if (matched.kind === 'one') return []
  if (matched.kind === 'several') {
    const names = matched.operations.map(({ branch, path }) => `\`/${branch}${path}\``)
    return [`${quoted} may be any of ${names.join(', ')}: prefix the path with the branch`]
  }
  const { methods, near } = matched
  const hint =
    methods.length > 0 ? `: known with ${methods.join(', ')}` : near === undefined ? '' : `: did you mean \`${shown(readable(near))}\`?`
  return [`${quoted} is not an operation known in ${month()}${hint}`]
}

function readable(path: string): string {
  return path.replaceAll(anyName, '{name}')
}

/** Who calls. Without a policy to be written, it does not matter who. */
function identityIn(options: Options<'from-operations'>, isNeeded: boolean): string {
  const identity = options.identity
  if (identity === undefined) {
    if (isNeeded)
      throw new Refusal(
        '`--policy` needs `--identity URN`: who is to be allowed',
        'for example `--identity urn:v1:eu:identity:user:ab12-svc/ann`',
      )
    return ''
  }
  refuseProblems(faultsOf('--identity', identity, readIdentity(identity, { pattern: false })).slice(0, 1))
  return identity
}

/** `GET /me` as one argument or as two. */
function pairsOf(args: readonly string[]): readonly string[] {
  const out: string[] = []
  for (let i = 0; i < args.length; i++) {
    const text = args[i] as string
    const isMethod = callMethods.some((method) => method === text.toUpperCase())
    out.push(isMethod && args[i + 1] !== undefined ? `${text} ${args[++i]}` : text)
  }
  return out
}

/** The lines of `--from FILE`: a list, or access rules in any other form. */
async function callsInFile(options: Options<'from-operations'>, io: Io): Promise<readonly string[]> {
  const file = options.from
  if (file === undefined) return []
  const { name, document } = await readDocument('--from', file, [], io)
  if (document?.kind !== 'map')
    throw new Refusal(`--from ${name}: contains no list of calls`, 'write `GET /hosting/web/{serviceName}` on each line')
  const { request, diagnostics } = readCredential(document)
  refuseErrors(diagnostics)
  return request.rules.map(({ method, path }) => `${method.value} ${path.value}`)
}

function callsOf(texts: readonly string[]): readonly Asked[] {
  if (texts.length === 0)
    throw new Refusal('no call given', "for example `grantwise from-operations 'GET /hosting/web/{serviceName}'`, or `--from FILE`")
  const problems: Reason[] = []
  const asked = texts.flatMap((text): readonly Asked[] => {
    const blank = text.indexOf(' ')
    if (blank <= 0) {
      problems.push({ message: `\`${visible(text)}\` is not a call`, help: 'write a method, a space and a path: `GET /me`' })
      return []
    }
    const path = text.slice(blank + 1).trim()
    const words = path.split('/').map((word) => (/^\{\w+\}$/.test(word) ? anyName : word))
    const read = readCall(text.slice(0, blank), words.join('/'))
    if (read.call) return [{ text, call: read.call }]
    problems.push(...(read.problems ?? []).map(({ message, help }) => ({ message: readable(message), help })))
    return []
  })
  refuseProblems(problems)
  return asked
}
