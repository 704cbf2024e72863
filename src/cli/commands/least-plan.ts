import { type PlanProposal, planProposalJson, planProposalText, planVerdict } from '../../answers/apply.ts'
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
import { needsOfPlan } from '../input/changes.ts'
import { loadConfig } from '../input/config.ts'
import { faultsOf } from '../input/question.ts'
import { kindOf, startsLikePlan } from '../input/read-file.ts'

/** The plan among the files of `--from`; undefined where they hold recorded calls. */
export function planAmong(files: readonly string[], io: Io): string | undefined {
  const configuration = files.find((file) => isHcl(notationOf(file)) || (file !== '-' && kindOf(file, io.cwd) === 'folder'))
  if (configuration !== undefined)
    throw new Refusal(
      `--from ${configuration}: a configuration does not say what applying it changes`,
      'write its plan as JSON: `terraform plan -out plan.bin`, then `terraform show -json plan.bin > plan.json`',
    )
  const plan = files.find((file) => file !== '-' && startsLikePlan(file, io.cwd))
  if (plan === undefined || files.length === 1) return plan
  throw new Refusal(
    `--from ${plan}: a plan cannot be combined with other files`,
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

/** `least --from plan.json --identity URN`: policies that allow what applying a plan needs. */
export async function leastPlan(plan: string, options: Options<'least'>, io: Io): Promise<ExitCode> {
  for (const [key, [name, usual]] of Object.entries(aboutCalls))
    if (options[key as keyof typeof aboutCalls] !== usual)
      throw new Refusal(`--from ${plan}: a plan, and \`${name}\` is about recorded calls`, `omit \`${name}\``)
  if (options.policies.length > 0)
    throw new Refusal(
      `--from ${plan}: a plan, and \`-p\` compares recorded calls with policies`,
      'ask which actions are missing with `grantwise can IDENTITY --plan PLAN -p POLICIES`',
    )
  const [identity, ...others] = options.identity
  if (identity === undefined || others.length > 0)
    throw new Refusal(
      `--from ${plan}: a plan, which needs one \`--identity URN\`: who applies it`,
      'for example `--identity urn:v1:eu:identity:credential:ab12-svc/oauth2-pipeline`',
    )
  refuseProblems(faultsOf('--identity', identity, readIdentity(identity, { pattern: false })))
  const format = choice('--format', options.format ?? 'yaml', ['yaml', 'policies', 'pretty', 'json'] as const)
  const config = await loadConfig(options, io)
  const about = { identity, context: { at: io.now(), groups: [] } }
  const needed = await needsOfPlan('--from', plan, [], about, config, io)
  const policies = policiesFor(needed.needs, identity, `For applying ${needed.plan.name}`)
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
