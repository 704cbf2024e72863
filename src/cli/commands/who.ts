import { answerWho, isAboutSeveral, readWho, type WhoAsked } from '../../ask/access.ts'
import { type ReadContext, taggedIn } from '../../ask/context.ts'
import { ActionsByType } from '../../symbolic/described.ts'
import { exit, verdictExit } from '../app/exit.ts'
import { budgetFor } from '../app/io.ts'
import { Refusal, requireValue } from '../app/refusal.ts'
import { usesOf, withUses } from '../input/call-uses.ts'
import { catalogueFor } from '../input/known.ts'
import { readContext } from '../input/question.ts'
import { unknownNamesIn } from '../input/unknown.ts'
import { type Answer, fromFiles } from '../input/world.ts'
import { writeAnswer } from '../output/answer.ts'

/** `who ACTION RESOURCE`: every identity pattern that is allowed; of patterns, the described identities. */
export const run: Answer<'who'> = async (args, options, io, loader = fromFiles) => {
  const questionContext: ReadContext = readContext(options, io)
  const [action, name = '*'] = args
  if (action === undefined) {
    throw new Refusal(
      '`who` takes ACTION, and optionally RESOURCE: without one, it is about every resource that is described',
      'for example `grantwise who vps:apisvc:reboot urn:v1:eu:resource:vps:vps-1`',
    )
  }
  let asked: WhoAsked = { action, resource: name, context: questionContext.context }
  const loaded = await loader.world({ ...options, isOfAll: true }, io, (names, settings) => {
    const { problems, ...read } = readWho(action, name, questionContext, names, settings.brand)
    asked = read
    return problems
  })
  if (!loaded) return exit.error
  const tagged = requireValue(taggedIn(loaded.world, options.withTag))
  const catalogue = tagged || isAboutSeveral(asked) ? await catalogueFor(loaded.config, io) : undefined
  const actions = catalogue && new ActionsByType(catalogue)
  const uses = await usesOf(options, [loaded.world])
  const answer = answerWho(loaded.world, asked, options, catalogue, budgetFor(io), tagged, uses)
  const notes = await unknownNamesIn(answer.asked, loaded, answer.isDecided, io)
  const used = await withUses(answer.answer, uses, options, loaded.settings, io)
  writeAnswer(used, { names: loaded.names, from: answer.from, actions }, { ...options, notes }, io)
  return verdictExit[answer.verdict]
}
