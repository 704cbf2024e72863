import type { Answer } from '../../answers/model.ts'
import { type ReadContext, withWholeGroups } from '../../ask/context.ts'
import type { Verdict } from '../../simulate/decision.ts'
import { ActionsByType } from '../../symbolic/described.ts'
import type { Options } from '../app/commands.ts'
import { type ExitCode, exit, verdictExit } from '../app/exit.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { identityNamed } from '../input/account.ts'
import { catalogueFor } from '../input/known.ts'
import { noteUnknownNames } from '../input/unknown.ts'
import type { LoadedWorld, Loader } from '../input/world.ts'
import { writeAnswer } from '../output/answer.ts'

/** A run that needs many actions: the apply of a plan, or a program. */
export interface RunOfMany {
  readonly option: '--plan' | '--code'
  /** `plan` or `program`. */
  readonly noun: string
  /** Its identity in words, such as `the identity that applies the plan`. */
  readonly identity: string
  /** A command line. */
  readonly example: string
  /** Decide it. `isWhole`: the answer lists what is allowed, too. */
  readonly decide: (
    loaded: LoadedWorld,
    identity: string,
    context: ReturnType<typeof withWholeGroups>['context'],
    isWhole: boolean,
  ) => Promise<{ readonly verdict: Verdict; readonly answer: Answer }>
}

/** `can IDENTITY --plan FILE` and `can IDENTITY --code PATH`: whether an identity has all that a run needs, and what it lacks. */
export async function canRun(
  args: readonly (string | undefined)[],
  { option, noun, identity: words, example, decide }: RunOfMany,
  readContext: ReadContext,
  options: Options<'can'>,
  io: Io,
  loader: Loader,
): Promise<ExitCode> {
  const [asked, ...others] = args
  if (asked === undefined || others.length > 0)
    throw new Refusal(`\`can ${option}\` takes one argument, ${words}; ${args.length} given`, `for example \`${example}\``)
  if (options.tag.length > 0)
    throw new Refusal(`\`--tag\` is about one resource, and a ${noun} about several`, 'describe their tags in a world file')
  const loaded = await loader.world(options, io, readContext.problems)
  if (!loaded) return exit.error
  const identity = identityNamed(asked, loaded.short)
  const { context, problems } = withWholeGroups(readContext, loaded.short)
  if (problems[0]) throw new Refusal(problems[0].message, problems[0].help)
  const { verdict, answer } = await decide(loaded, identity, context, options.explain || options.format === 'compact')
  if (options.format === 'verdict') io.stdout.write(`${verdict}\n`)
  else {
    const format = options.format === 'ndjson' ? 'json' : options.format
    const actions = new ActionsByType(await catalogueFor(loaded.config, io))
    writeAnswer(answer, { names: loaded.names, actions }, { ...options, format, all: options.explain }, io)
  }
  await noteUnknownNames({ identity, groups: context.groups }, loaded, verdict === 'allow', io)
  return verdictExit[verdict]
}
