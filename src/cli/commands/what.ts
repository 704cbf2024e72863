import { answerWhat, readWhat, type WhatAsked } from '../../ask/access.ts'
import { taggedIn } from '../../ask/context.ts'
import { ActionsByType } from '../../symbolic/described.ts'
import { exit, verdictExit } from '../app/exit.ts'
import { budgetFor } from '../app/io.ts'
import { Refusal, requireValue } from '../app/refusal.ts'
import { usesOf, withUses } from '../input/call-uses.ts'
import { catalogueFor } from '../input/known.ts'
import { readContext } from '../input/question.ts'
import { noteUnknownNames, unknownNamesIn } from '../input/unknown.ts'
import { type Answer, fromFiles } from '../input/world.ts'
import { writeAnswer } from '../output/answer.ts'

/** `what IDENTITY [RESOURCE]`: everything the identity may do; of patterns, what described identities may do. */
export const run: Answer<'what'> = async (args, options, io, loader = fromFiles) => {
  const questionContext = readContext(options, io)
  const [name, on] = args
  if (name === undefined) {
    throw new Refusal('`what` takes IDENTITY, and optionally RESOURCE', 'for example `grantwise what urn:v1:eu:identity:user:ab12-svc/ann`')
  }
  let asked: WhatAsked = { identity: name, resource: on, context: questionContext.context }
  const loaded = await loader.world({ ...options, isOfAll: true }, io, (names) => {
    const { problems, ...read } = readWhat(name, on, questionContext, names)
    asked = read
    return problems
  })
  if (!loaded) return exit.error
  const tagged = requireValue(taggedIn(loaded.world, options.withTag))
  const catalogue = await catalogueFor(loaded.config, io)
  const uses = await usesOf(options, [loaded.world])
  const answer = answerWhat(loaded.world, asked, options, catalogue, options.expand, budgetFor(io), tagged, uses)
  for (const identity of asked.each ?? []) await noteUnknownNames({ identity }, loaded, false, io)
  const notes = await unknownNamesIn(answer.asked, loaded, answer.isDecided, io)
  const used = await withUses(answer.answer, uses, options, loaded.settings, io)
  writeAnswer(used, { names: loaded.names, from: answer.from, actions: new ActionsByType(catalogue) }, { ...options, notes }, io)
  return verdictExit[answer.verdict]
}
