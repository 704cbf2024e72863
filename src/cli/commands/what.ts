import { answerWhat, readWhat, type WhatAsked } from '../../ask/what.ts'
import type { Run } from '../app/commands.ts'
import { exit, verdictExit } from '../app/exit.ts'
import { Refusal } from '../app/refusal.ts'
import { loadConfig } from '../input/config.ts'
import { catalogueFor } from '../input/known.ts'
import { readContext } from '../input/question.ts'
import { noteUnknownNames } from '../input/unknown.ts'
import { loadWorld } from '../input/world.ts'
import { writeAnswer } from '../output/answer.ts'

/** `what IDENTITY [RESOURCE]`: everything the identity may do; of patterns, what described identities may do. */
export const run: Run<'what'> = async (args, options, io) => {
  const given = readContext(options, io)
  const [name, on] = args
  if (name === undefined) {
    throw new Refusal('`what` takes IDENTITY, and optionally RESOURCE', 'for example `grantwise what urn:v1:eu:identity:user:ab12-svc/ann`')
  }
  const config = await loadConfig(options, io)
  let asked: WhatAsked = { identity: name, resource: on, context: given.context }
  const loaded = await loadWorld(
    options,
    io,
    (names) => {
      const { problems, ...read } = readWhat(name, on, given, names)
      asked = read
      return problems
    },
    config,
  )
  if (!loaded) return exit.error
  const answer = answerWhat(loaded.world, asked, options, await catalogueFor(config, io), options.expand)
  await noteUnknownNames(answer.asked, loaded, answer.isDecided, io)
  writeAnswer(answer, loaded.world, options, io)
  return verdictExit[answer.verdict]
}
