import { type CodeProposal, codeProposalJson, codeProposalText, codeVerdict } from '../../answers/code.ts'
import { policiesFile } from '../../propose/insert.ts'
import { paint } from '../../report/colour.ts'
import { guardNotation, json } from '../../report/safe.ts'
import { readIdentity } from '../../urn/identity.ts'
import { tallyOfCode } from '../../usage/code.ts'
import { type Level, levels } from '../../usage/generalise.ts'
import { least } from '../../usage/least.ts'
import type { Options } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { budgetFor, type Io, wantsColour } from '../app/io.ts'
import { choice } from '../app/options.ts'
import { Refusal, refuseProblems } from '../app/refusal.ts'
import { type CodeFiles, needsOfFiles } from '../input/code.ts'
import { loadConfig } from '../input/config.ts'
import { catalogueFor } from '../input/known.ts'
import { faultsOf } from '../input/question.ts'

/** Options that are about recorded calls. */
const aboutCalls = { unused: '--unused', accessRules: '--access-rules', skipBad: '--skip-bad' } as const

const exits = { proposed: exit.success, none: exit.success, undecided: exit.unknown } as const

/** `least --from src --identity URN`: the smallest policies that allow what the calls in source code need. */
export async function leastCode(files: CodeFiles, options: Options<'least'>, io: Io): Promise<ExitCode> {
  const { name } = files
  for (const [key, option] of Object.entries(aboutCalls))
    if (options[key as keyof typeof aboutCalls])
      throw new Refusal(`--from ${name}: source code, and \`${option}\` is about recorded calls`, `omit \`${option}\``)
  if (options.policies.length > 0)
    throw new Refusal(
      `--from ${name}: source code, and \`-p\` compares recorded calls with policies`,
      'ask which actions are missing with `grantwise can IDENTITY --code CODE -p POLICIES`',
    )
  const [identity, ...others] = options.identity
  if (identity === undefined || others.length > 0)
    throw new Refusal(
      `--from ${name}: source code, which needs one \`--identity URN\`: who runs it`,
      'for example `--identity urn:v1:eu:identity:credential:ab12-svc/oauth2-backup`',
    )
  refuseProblems(faultsOf('--identity', identity, readIdentity(identity, { pattern: false })))
  const format = choice('--format', options.format ?? 'yaml', ['yaml', 'policies', 'pretty', 'json'] as const)
  const level = choice('--generalise', options.generalise, Object.keys(levels) as Level[])
  const config = await loadConfig(options, io)
  const needed = await needsOfFiles(files, { identity, context: { at: io.now(), groups: [] } }, config, io)
  const proposal: CodeProposal = {
    ...needed,
    identity,
    level,
    least: least(tallyOfCode(needed.needs, identity, needed.uses.length), {
      level,
      catalogue: await catalogueFor(config, io),
      settings: config.settings,
      now: io.now(),
      run: budgetFor(io),
      purpose: `What the calls in ${name} need`,
    }),
  }
  const { policies } = proposal.least
  const summary = (to: Io['stdout']) => to.write(codeProposalText(proposal, paint(wantsColour({ ...io, stdout: to }, options.color))))
  if (format === 'json') io.stdout.write(`${json(codeProposalJson(proposal))}\n`)
  else {
    if (format === 'pretty') summary(io.stdout)
    const written = format === 'policies' ? `${JSON.stringify(policies, null, 2)}\n` : policiesFile(policies)
    if (policies.length > 0) io.stdout.write(format === 'pretty' ? `\n${written}` : written, guardNotation)
    if (format !== 'pretty') summary(io.stderr)
  }
  return exits[codeVerdict(proposal)]
}
