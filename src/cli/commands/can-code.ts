import { codeAnswer, isWholeProgram } from '../../answers/code.ts'
import { type ReadContext, withWholeGroups } from '../../ask/context.ts'
import { proofContextOf } from '../../suite/prove.ts'
import { ActionsByType } from '../../symbolic/described.ts'
import { decideNeeds } from '../../usage/apply.ts'
import type { Options } from '../app/commands.ts'
import { type ExitCode, exit, verdictExit } from '../app/exit.ts'
import { budgetFor, type Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { identityNamed } from '../input/account.ts'
import { codeFiles, needsOfFiles } from '../input/code.ts'
import { catalogueFor } from '../input/known.ts'
import { noteUnknownNames } from '../input/unknown.ts'
import type { Loader } from '../input/world.ts'
import { writeAnswer } from '../output/answer.ts'

/** `can IDENTITY --code PATH`: whether an identity may make the calls that are in source code, and which actions are missing. */
export async function canCode(
  args: readonly (string | undefined)[],
  paths: readonly string[],
  given: ReadContext,
  options: Options<'can'>,
  io: Io,
  loader: Loader,
): Promise<ExitCode> {
  const [asked, ...others] = args
  if (asked === undefined || others.length > 0)
    throw new Refusal(
      `\`can --code\` takes one argument, the identity that runs the program; ${args.length} given`,
      'for example `grantwise can urn:v1:eu:identity:credential:ab12-svc/oauth2-backup --code src/`',
    )
  if (options.tag.length > 0)
    throw new Refusal('`--tag` is about one resource, and a program about several', 'describe their tags in a world file')
  const loaded = await loader.world(options, io, given.problems)
  if (!loaded) return exit.error
  const { config, world, short } = loaded
  const identity = identityNamed(asked, short)
  const { context, problems } = withWholeGroups(given, short)
  if (problems[0]) throw new Refusal(problems[0].message, problems[0].help)
  const needed = await needsOfFiles(await codeFiles('--code', paths, io), { identity, context }, config, io)
  const decided = decideNeeds(
    needed.needs,
    isWholeProgram(needed),
    identity,
    context,
    loaded.settings,
    proofContextOf(world, budgetFor(io)),
  )
  const answer = { ...needed, ...decided, identity }
  if (options.format === 'verdict') io.stdout.write(`${answer.verdict}\n`)
  else {
    const format = options.format === 'ndjson' ? 'json' : options.format
    const actions = new ActionsByType(await catalogueFor(config, io))
    writeAnswer(
      codeAnswer(answer, options.explain || options.format === 'compact'),
      { names: loaded.names, actions },
      { ...options, format, all: options.explain },
      io,
    )
  }
  await noteUnknownNames({ identity, groups: context.groups }, loaded, answer.verdict === 'allow', io)
  return verdictExit[answer.verdict]
}
