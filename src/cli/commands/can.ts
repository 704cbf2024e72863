import { answerJson, decisionLine, decisionText, explanationJson } from '../../report/decision.ts'
import { Names } from '../../report/names.ts'
import { json } from '../../report/safe.ts'
import { decide, explain } from '../../simulate/decide.ts'
import type { Decision, Verdict } from '../../simulate/decision.ts'
import { turningOf } from '../../symbolic/turns.ts'
import type { Run } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { Refusal } from '../app/refusal.ts'
import { catalogueFor } from '../input/known.ts'
import { questionArguments, readContext } from '../input/question.ts'
import { noteUnknownNames, unknownNamesIn } from '../input/unknown.ts'
import { loadQuestion } from '../input/world.ts'
import { coloursOf } from '../output/outputs.ts'

/** The exit code of a verdict. */
export const verdictExit: Readonly<Record<Verdict, ExitCode>> = { allow: exit.success, deny: exit.failure, unknown: exit.unknown }

/** `can IDENTITY ACTION RESOURCE`, or `can --batch FILE`. */
export const run: Run<'can'> = async (args, options, io) => {
  const batch = options.batch
  const { context, problems } = readContext(options, io)
  if (batch !== undefined) {
    if (args.length > 0) throw new Refusal('`can --batch` takes its questions from the file, not from arguments')
    if (options.explain) throw new Refusal('`--explain` and `--batch` cannot be combined', '`--explain` takes one question')
    const { runBatch } = await import('./batch.ts')
    return runBatch(batch, { context, problems }, options, io)
  }
  if (options.jobs !== undefined) throw new Refusal('`--jobs` requires `--batch`')
  const asked = questionArguments('can', args)
  const format = options.format ?? 'pretty'
  const read = await loadQuestion(asked, { context, problems }, options, io)
  if (!read) return exit.error
  const { question } = read
  const { world } = read.loaded
  const all = options.explain
  if (format === 'pretty') {
    const explanation = explain(world, question)
    // What nothing grants is compared with the catalogue, which must then be readable.
    if (explanation.decision.reason === 'default') await catalogueFor(read.loaded.config, io)
    const notes = await unknownNamesIn(question, read.loaded, isDecided(explanation.decision), io)
    const turning = turningOf(world, question, explanation.decision)
    io.stdout.write(
      decisionText(question, explanation, world, coloursOf(options, io), {
        all,
        notes,
        turning,
        names: new Names([world], options.fullUrns),
      }),
    )
    return verdictExit[explanation.decision.verdict]
  }
  if (all && format !== 'compact') {
    const explanation = explain(world, question)
    io.stdout.write(`${json(explanationJson(explanation, world, question))}\n`)
    await noteUnknownNames(question, read.loaded, isDecided(explanation.decision), io)
    return verdictExit[explanation.decision.verdict]
  }
  const decision = decide(world, question)
  io.stdout.write(format === 'compact' ? `${decisionLine(decision)}\n` : `${json(answerJson(decision, world, question))}\n`)
  await noteUnknownNames(question, read.loaded, isDecided(decision), io)
  return verdictExit[decision.verdict]
}

/** Whether an entry decided, so that the names in the question fit something. */
function isDecided({ reason }: Decision): boolean {
  return reason !== 'default' && reason !== 'unknown'
}
