import { escalationAnswer, escalationsAnswer } from '../../answers/escalation.ts'
import { type Escalation, escalations } from '../../escalation/escalation.ts'
import { ActionsByType } from '../../symbolic/described.ts'
import { exit } from '../app/exit.ts'
import { budgetFor } from '../app/io.ts'
import { identitiesNamed, readAccountContext, withTags } from '../input/account.ts'
import { catalogueFor } from '../input/known.ts'
import { runsAsIn } from '../input/runs-as.ts'
import { noteUnknownNames } from '../input/unknown.ts'
import { type Answer, fromFiles } from '../input/world.ts'
import { wordsOf, writeAnswer, writeAnswers } from '../output/answer.ts'

/** `escalate IDENTITY`: whether it can raise its own rights. */
export const run: Answer<'escalate'> = async (args, options, io, loader = fromFiles) => {
  const { given, times, tags, problems } = readAccountContext(options, io)
  const { format } = options
  const loaded = await loader.world({ ...options, isOfAll: true }, io, problems)
  if (!loaded) return exit.error
  const { checkCodes } = await import('../input/levels.ts')
  checkCodes([loaded.config])
  const world = withTags(loaded.world, tags)
  const identities = identitiesNamed(args.length > 0 ? args : ['*'], loaded.short, world)
  const actions = new ActionsByType(await catalogueFor(loaded.config, io))
  const { brand } = loaded.settings
  const run = budgetFor(io)
  const runsAs = runsAsIn(loaded.config)
  const perIdentity = escalations(world, identities, { actions, brand, runsAs, time: times.time, given, run })
  const all = perIdentity.map((answer, i) => ({ answer, asked: { world, identity: identities[i] as string, times } }))
  for (const identity of identities) await noteUnknownNames({ identity }, loaded, false, io)
  const words = wordsOf(loaded, times, actions)
  const isSummed = all.length > 1 && format === 'pretty'
  if (isSummed) writeAnswer(escalationsAnswer(all, options.all), words, options, io)
  if (isSummed && options.all) io.stdout.write('\n')
  if (!isSummed || options.all)
    writeAnswers(
      (isSummed ? all.toSorted((a, b) => rankOf(a) - rankOf(b)) : all).map(({ answer, asked }) => escalationAnswer(answer, asked)),
      words,
      options,
      io,
    )
  if (perIdentity.some(({ reach, certain }) => certain && reach !== 'none')) return exit.failure
  return perIdentity.every(({ certain }) => certain) ? exit.success : exit.unknown
}

/** Those that can raise their rights first, then those of which it is not known. */
const rankOf = ({ answer: { reach, certain } }: { readonly answer: Escalation }) =>
  reach === 'none' ? 2 + Number(certain) : Number(!certain)
