import { paint } from '../../report/colour.ts'
import { decisionJson, decisionLine, decisionText, explanationJson } from '../../report/decision.ts'
import { json } from '../../report/safe.ts'
import { unknownNames } from '../../report/unknown-names.ts'
import { decide, explain } from '../../simulate/decide.ts'
import type { Verdict } from '../../simulate/decision.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { type Io, wantsColour } from '../app/io.ts'
import { choice, type Options } from '../app/options.ts'
import { Refusal } from '../app/refusal.ts'
import { catalogueFor } from '../input/known.ts'
import { questionArguments, readContext } from '../input/question.ts'
import { loadQuestion } from '../input/world.ts'

/** The exit code of a verdict (spec: command line, exit codes). */
export const verdictExit: Readonly<Record<Verdict, ExitCode>> = { allow: exit.good, deny: exit.bad, unknown: exit.uncertain }

/** `can IDENTITY ACTION RESOURCE`, or `can --batch FILE`. */
export async function run(args: readonly string[], options: Options, io: Io): Promise<ExitCode> {
  const batch = options.text('batch')
  const { context, problems } = readContext(options, io)
  if (batch !== undefined) {
    if (args.length > 0) throw new Refusal('`can --batch` takes its questions from the file, not from arguments')
    if (options.flag('explain')) throw new Refusal('`--explain` and `--batch` do not go together', 'ask one question with `--explain`')
    const { runBatch } = await import('./batch.ts')
    return runBatch(batch, { context, problems }, options, io)
  }
  if (options.text('jobs') !== undefined) throw new Refusal('`--jobs` goes with `--batch`: one question needs one thread')
  const asked = questionArguments('can', args)
  const format = choice('--format', options.text('format') ?? 'pretty', ['pretty', 'compact', 'json', 'ndjson'])
  const read = await loadQuestion(asked, { context, problems }, options, io)
  if (!read) return exit.noAnswer
  const { question } = read
  const { world, config } = read.loaded
  const all = options.flag('explain') === true
  if (format === 'pretty') {
    const explanation = explain(world, question)
    const notes =
      explanation.decision.reason === 'default' ? unknownNames(question, await catalogueFor(config, io), config.settings.brand) : []
    io.stdout.write(decisionText(question, explanation, world, paint(wantsColour(io, options.flag('color'))), all, notes))
    return verdictExit[explanation.decision.verdict]
  }
  if (all && format !== 'compact') {
    const explanation = explain(world, question)
    io.stdout.write(`${json(explanationJson(explanation))}\n`)
    return verdictExit[explanation.decision.verdict]
  }
  const decision = decide(world, question)
  io.stdout.write(format === 'compact' ? `${decisionLine(decision)}\n` : `${json(decisionJson(decision))}\n`)
  return verdictExit[decision.verdict]
}
