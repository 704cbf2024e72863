import { resolve } from 'node:path'
import { appliedWords, type PlanProposal, planProposalJson, planProposalText, planVerdict } from '../../answers/apply.ts'
import { policiesFor } from '../../calls/needed-policies.ts'
import { codeEndings } from '../../code/languages.ts'
import { placeOf } from '../../code/read.ts'
import { policiesFile } from '../../propose/insert.ts'
import { paint } from '../../report/colour.ts'
import { guardNotation, json } from '../../report/safe.ts'
import { isHcl, notationOf } from '../../source.ts'
import { readIdentity } from '../../urn/identity.ts'
import type { Options } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { type Io, wantsColour } from '../app/io.ts'
import { choice } from '../app/options.ts'
import { Refusal, refuseProblems } from '../app/refusal.ts'
import { needsOfConfiguration, needsOfPlan } from '../input/changes.ts'
import { type CodeFiles, callsOfCode, codeFiles, holdsConfiguration, isCodeFile } from '../input/code.ts'
import { loadConfig } from '../input/config.ts'
import { discover } from '../input/files.ts'
import { faultsOf } from '../input/question.ts'
import { kindOf, startsLikePlan } from '../input/read-file.ts'
import { isGlob } from '../input/walk.ts'

/** A plan, or the files or the folder of a configuration, in the place of recorded calls. */
export interface Applied {
  readonly kind: 'plan' | 'configuration'
  readonly paths: readonly string[]
}

/** Source code in the place of recorded calls. */
export interface SourceCode {
  readonly kind: 'code'
  readonly files: CodeFiles
}

/** The paths of `--from`, with the files of configurations in the place of patterns over them, such as a quoted `'*.tf'`. */
export async function configurationFiles(paths: readonly string[], io: Io): Promise<readonly string[]> {
  const isPattern = (path: string) => path !== '-' && isHcl(notationOf(path)) && kindOf(path, io.cwd) === 'missing' && isGlob(path)
  const files = async (path: string): Promise<readonly string[]> => {
    const { candidates } = await discover({ paths: [path] }, io)
    if (candidates.length === 0) throw new Refusal(`--from ${path}: the pattern matches no file`)
    return candidates.map((each) => each.path)
  }
  return (await Promise.all(paths.map((path) => (isPattern(path) ? files(path) : [path])))).flat()
}

/** The plan, the configuration or the source code that `--from` names; undefined where the files hold recorded calls. */
export async function otherSource(options: Options<'least'>, io: Io): Promise<Applied | SourceCode | undefined> {
  const paths = options.from
  const isFolder = (path: string) => path !== '-' && kindOf(path, io.cwd) === 'folder'
  const isPattern = (path: string) => path !== '-' && kindOf(path, io.cwd) === 'missing' && isGlob(path)
  const isHclFile = (path: string) => isHcl(notationOf(path))
  const isPlan = (path: string) => path !== '-' && startsLikePlan(path, io.cwd)
  const isCode = (path: string) => isCodeFile(path, io) || isPattern(path)
  if (paths.length > 0 && paths.every((path) => isCode(path) || isFolder(path))) {
    const configurations = paths.filter((path) => isFolder(path) && holdsConfiguration(resolve(io.cwd, path)))
    if (configurations.length === 0) return { kind: 'code', files: await filesOfCode(paths, io) }
    const files = await codeFiles('--from', paths, io)
    const call = files.files.length === 0 ? undefined : await firstCall(files, options, io)
    const [configuration] = configurations
    if (call !== undefined)
      throw new Refusal(
        `--from ${configuration}: a configuration of Terraform, and source code with calls of the API (${call})`,
        'name one of them: the files of the configuration, or the files or a folder of the code',
      )
    if (paths.every(isFolder)) return { kind: 'configuration', paths }
    throw new Refusal(
      `--from ${configuration}: a configuration of Terraform cannot be combined with source code`,
      'ask about each separately',
    )
  }
  if (paths.length > 0 && paths.every((path) => isHclFile(path) || isFolder(path))) return { kind: 'configuration', paths }
  const strange = paths.find((path) => isHclFile(path) || isFolder(path) || isPlan(path) || isCode(path))
  if (strange === undefined) return undefined
  if (paths.length === 1) return { kind: 'plan', paths }
  throw new Refusal(
    `--from ${strange}: a plan, a configuration or source code cannot be combined with other files`,
    'ask about each of them, and about recorded calls, separately',
  )
}

async function filesOfCode(paths: readonly string[], io: Io): Promise<CodeFiles> {
  const files = await codeFiles('--from', paths, io)
  if (files.files.length + files.unread.length === 0)
    throw new Refusal(
      `--from ${files.name}: no configuration of Terraform in it, and no source code`,
      `name the folder of a root module, or files that end in ${codeEndings}`,
    )
  return files
}

/** The place of the first call of the API in source code; undefined where there is none. */
async function firstCall(files: CodeFiles, options: Options<'least'>, io: Io): Promise<string | undefined> {
  const { reading } = await callsOfCode(files, await loadConfig(options, io), io)
  const [first] = [...reading.calls, ...reading.gaps]
  return first && placeOf(first.at)
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
    if (policies.length > 0) io.stdout.write(format === 'pretty' ? `\n${written}` : written, guardNotation)
    if (format !== 'pretty') summary(io.stderr)
  }
  return exits[planVerdict(proposal)]
}
