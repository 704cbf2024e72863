import { appliedWords, type PlanProposal, planProposalJson, planProposalText, planVerdict } from '../../answers/apply.ts'
import { policiesFor } from '../../calls/needed-policies.ts'
import { policiesFile } from '../../propose/insert.ts'
import { paint } from '../../report/colour.ts'
import { json } from '../../report/safe.ts'
import { isHcl, notationOf } from '../../source.ts'
import { readIdentity } from '../../urn/identity.ts'
import type { Options } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { type Io, wantsColour } from '../app/io.ts'
import { choice } from '../app/options.ts'
import { Refusal, refuseProblems } from '../app/refusal.ts'
import { needsOfConfiguration, needsOfPlan } from '../input/changes.ts'
import { loadConfig } from '../input/config.ts'
import { faultsOf } from '../input/question.ts'
import { kindOf, startsLikePlan } from '../input/read-file.ts'

/** A plan, or the files or the folder of a configuration, in the place of recorded calls. */
export interface Applied {
  readonly kind: 'plan' | 'configuration'
  readonly paths: readonly string[]
}

/** The plan or configuration that `--from` names; undefined where the files hold recorded calls. */
export function appliedAmong(files: readonly string[], io: Io): Applied | undefined {
  const isConfiguration = (file: string) => isHcl(notationOf(file)) || (file !== '-' && kindOf(file, io.cwd) === 'folder')
  const isPlan = (file: string) => file !== '-' && startsLikePlan(file, io.cwd)
  if (files.length > 0 && files.every(isConfiguration)) return { kind: 'configuration', paths: files }
  const strange = files.find((file) => isConfiguration(file) || isPlan(file))
  if (strange === undefined) return undefined
  if (files.length === 1) return { kind: 'plan', paths: files }
  throw new Refusal(
    `--from ${strange}: a plan or a configuration cannot be combined with other files`,
    'ask about the plan, and about recorded calls, separately',
  )
}

/** Options that are about recorded calls, with their values where they are not given. */
const aboutCalls = {
  unused: ['--unused', false],
  accessRules: ['--access-rules', false],
  skipBad: ['--skip-bad', false],
  generalise: ['--generalise', 'none'],
} as const

const exits = { proposed: exit.success, none: exit.success, undecided: exit.unknown } as const

/** `least --from plan.json --identity URN`: policies that allow what applying a plan needs, or applying and destroying a configuration. */
export async function leastPlan({ kind, paths }: Applied, options: Options<'least'>, io: Io): Promise<ExitCode> {
  const plan = paths.join(', ')
  for (const [key, [name, usual]] of Object.entries(aboutCalls))
    if (options[key as keyof typeof aboutCalls] !== usual)
      throw new Refusal(`--from ${plan}: a ${kind}, and \`${name}\` is about recorded calls`, `omit \`${name}\``)
  if (options.policies.length > 0)
    throw new Refusal(
      `--from ${plan}: a ${kind}, and \`-p\` compares recorded calls with policies`,
      'ask which actions are missing with `grantwise can IDENTITY --plan PLAN -p POLICIES`',
    )
  const [identity, ...others] = options.identity
  if (identity === undefined || others.length > 0)
    throw new Refusal(
      `--from ${plan}: a ${kind}, which needs one \`--identity URN\`: who applies it`,
      'for example `--identity urn:v1:eu:identity:credential:ab12-svc/oauth2-pipeline`',
    )
  refuseProblems(faultsOf('--identity', identity, readIdentity(identity, { pattern: false })))
  const format = choice('--format', options.format ?? 'yaml', ['yaml', 'policies', 'pretty', 'json'] as const)
  const config = await loadConfig(options, io)
  const about = { identity, context: { at: io.now(), groups: [] } }
  const needed =
    kind === 'plan'
      ? await needsOfPlan('--from', plan, [], about, config, io)
      : await needsOfConfiguration('--from', paths, about, config, io)
  const policies = policiesFor(needed.needs, identity, `For ${appliedWords(needed.plan)}`)
  const proposal: PlanProposal = { ...needed, identity, policies }
  const summary = (to: Io['stdout']) => to.write(planProposalText(proposal, paint(wantsColour({ ...io, stdout: to }, options.color))))
  if (format === 'json') io.stdout.write(`${json(planProposalJson(proposal))}\n`)
  else {
    if (format === 'pretty') summary(io.stdout)
    const written = format === 'policies' ? `${JSON.stringify(policies, null, 2)}\n` : policiesFile(policies)
    if (policies.length > 0) io.stdout.write(format === 'pretty' ? `\n${written}` : written)
    if (format !== 'pretty') summary(io.stderr)
  }
  return exits[planVerdict(proposal)]
}
