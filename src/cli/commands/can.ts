import { answerCan, isDecided, overruledNotes, turningOf } from '../../ask/can.ts'
import { answerJson, decisionLine, decisionText, explanationJson } from '../../report/decision.ts'
import { json, shown } from '../../report/safe.ts'
import { decide, explain, overruling } from '../../simulate/decide.ts'
import type { Decision, Overruling } from '../../simulate/decision.ts'
import { exit, verdictExit } from '../app/exit.ts'
import { budgetFor } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { catalogueFor } from '../input/known.ts'
import { questionArguments, readContext } from '../input/question.ts'
import { catalogueIfRead, unknownNamesIn } from '../input/unknown.ts'
import { type Answer, fromFiles, loadQuestion } from '../input/world.ts'
import { withNotes, writeNotes } from '../output/answer.ts'
import { wrapLines } from '../output/fit.ts'
import { coloursOf } from '../output/outputs.ts'

/** `can IDENTITY ACTION RESOURCE`, `can IDENTITY --plan FILE`, `can IDENTITY --code PATH`, or `can --batch FILE`. */
export const run: Answer<'can'> = async (args, options, io, loader = fromFiles) => {
  const batch = options.batch
  const { context, problems } = readContext(options, io)
  if (batch !== undefined) {
    if (args.length > 0) throw new Refusal('`can --batch` takes its questions from the file, not from arguments')
    if (options.plan !== undefined) throw new Refusal('`--plan` and `--batch` cannot be combined', 'ask about each plan separately')
    if (options.code.length > 0) throw new Refusal('`--code` and `--batch` cannot be combined', 'ask about each program separately')
    if (options.explain) throw new Refusal('`--explain` and `--batch` cannot be combined', '`--explain` takes one question')
    const { runBatch } = await import('./batch.ts')
    return runBatch(batch, { context, problems }, options, io)
  }
  if (options.code.length > 0) {
    if (options.plan !== undefined)
      throw new Refusal('`--code` and `--plan` cannot be combined', 'ask about the program, and about the plan, separately')
    const [{ canRun }, { codeRun }] = await Promise.all([import('./can-run.ts'), import('./can-code.ts')])
    return canRun(args, codeRun(options.code, io), { context, problems }, options, io, loader)
  }
  if (options.plan !== undefined) {
    const [{ canRun }, { planRun }] = await Promise.all([import('./can-run.ts'), import('./can-plan.ts')])
    return canRun(args, planRun(options.plan, options.policies, io), { context, problems }, options, io, loader)
  }
  if (options.jobs !== undefined) throw new Refusal('`--jobs` requires `--batch`')
  const asked = questionArguments('can', args)
  const format = options.format ?? 'pretty'
  const read = await loadQuestion(asked, { context, problems }, options, io, loader)
  if (!read) return exit.error
  const { question } = read
  const { world } = read.loaded
  const all = options.explain
  if (format === 'pretty') {
    const { config } = read.loaded
    const answer = await answerCan(
      world,
      read.loaded.short,
      question,
      config.settings.brand,
      async ({ reason }) => {
        // An action that no entry grants is compared with the catalogue, which must then be readable.
        if (reason === 'default') await catalogueFor(config, io)
        return catalogueIfRead(config, io)
      },
      budgetFor(io),
    )
    const { names } = read.loaded
    io.stdout.write(wrapLines(decisionText({ ...answer, names, all }, world, coloursOf(options, io)), io.stdout.width?.()))
    return verdictExit[answer.explanation.decision.verdict]
  }
  const { loaded: loadedWorld } = read
  const notesIn = async (decision: Decision, overruled: Overruling | undefined) => [
    ...(await unknownNamesIn(question, loadedWorld, isDecided(decision), io)),
    ...overruledNotes(overruled),
  ]
  if (all && format === 'verdict') throw new Refusal('`--explain` has no place in `--format verdict`', 'choose another format')
  if (all && format !== 'compact') {
    const explanation = explain(world, question)
    const turning = await turningOf(world, question, explanation.decision, budgetFor(io))
    const notes = await notesIn(explanation.decision, explanation.overruled)
    io.stdout.write(`${json(withNotes(explanationJson(explanation, world, question, turning), notes))}\n`)
    writeNotes(notes, format, io)
    return verdictExit[explanation.decision.verdict]
  }
  const decision = (read.loaded.decide ?? decide)(world, question)
  const notes = await notesIn(decision, overruling(world, question, decision))
  if (format === 'compact') io.stdout.write(`${[decisionLine(decision), ...notes.map((note) => `note: ${shown(note)}`)].join(' · ')}\n`)
  else if (format === 'verdict') {
    io.stdout.write(`${decision.verdict}\n`)
    writeNotes(notes, format, io)
  } else {
    const answer = answerJson(decision, world, question, await turningOf(world, question, decision, budgetFor(io)))
    io.stdout.write(`${json(withNotes(answer, notes))}\n`)
    writeNotes(notes, format, io)
  }
  return verdictExit[decision.verdict]
}
