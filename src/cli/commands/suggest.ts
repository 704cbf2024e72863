import { intendedBy } from '../../actions/suggest.ts'
import { suggestionDiff, suggestJson, suggestText } from '../../answers/suggest.ts'
import { readSource } from '../../parser/read-source.ts'
import type { World } from '../../policy.ts'
import { type Suggested, suggest } from '../../propose/suggest.ts'
import { paint } from '../../report/colour.ts'
import { json } from '../../report/safe.ts'
import { supposed } from '../../simulate/supposed.ts'
import { ActionsByType, isDescribed } from '../../symbolic/described.ts'
import type { Arguments, Options } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { budgetFor, type Io, wantsColour } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { catalogueFor } from '../input/known.ts'
import { questionArguments, readContext } from '../input/question.ts'
import { unknownNamesIn } from '../input/unknown.ts'
import { type Answer, fromFiles, loadQuestion, refuseOpen } from '../input/world.ts'
import { writeNotes } from '../output/answer.ts'
import { diffText } from '../output/diff-text.ts'
import { wrapLines } from '../output/fit.ts'
import { viewOf } from '../output/view.ts'

/** The question of a command line with its suggestions; undefined where files have errors, which were printed. */
export async function suggestionsFor(args: Arguments<'suggest'>, options: Options<'suggest'>, io: Io, loader = fromFiles) {
  const context = readContext(options, io)
  const asked = questionArguments('suggest', args)
  const read = await loadQuestion(asked, context, options, io, loader)
  if (!read) return undefined
  refuseOpen('suggest', read.loaded)
  const { world, settings, sources, config, changes } = read.loaded
  const catalogue = await catalogueFor(config, io)
  const suggested = await suggest(sources, world, read.question, options.to, (source) => readSource(source, settings), {
    run: budgetFor(io),
    actions: new ActionsByType(catalogue),
    intended: intendedBy(catalogue),
    allTimes: options.at === undefined,
    ...(changes && { suppose: (given: World) => supposed(given, changes).world }),
  })
  return { read, suggested }
}

/** `suggest IDENTITY ACTION RESOURCE`: the smallest edits that turn the answer. Writes no file. */
export const run: Answer<'suggest'> = async (args, options, io, loader = fromFiles) => {
  const result = await suggestionsFor(args, options, io, loader)
  if (!result) return exit.error
  const { read, suggested } = result
  const { question } = read
  const { world } = read.loaded
  const { format } = options
  const inColour = wantsColour(io, options.color)
  const notes = await unknownNamesIn(question, read.loaded, suggested.kind === 'already', io)
  writeNotes(notes, format, io)
  const { pick } = options
  const { suggestions } = suggested
  if (pick !== undefined && suggestions[pick - 1] === undefined)
    throw new Refusal(`--pick ${pick}: there ${suggestions.length === 1 ? 'is 1 suggestion' : `are ${suggestions.length} suggestions`}`)
  const diffs = (diff: string) => diffText(diff, inColour, io.stdout.isTerminal())
  const picked = pick === undefined ? suggested : { ...suggested, suggestions: suggestions.slice(pick - 1, pick) }
  if (format === 'json') io.stdout.write(`${json(suggestJson(question, picked, world))}\n`)
  else if (format === 'diff')
    io.stdout.write(
      picked.suggestions
        .slice(0, 1)
        .map((first) => diffs(suggestionDiff(first)))
        .join(''),
    )
  else
    io.stdout.write(
      wrapLines(
        suggestText(question, suggested, {
          ...viewOf({ ...options, over: options.over ?? 'known' }, [world]),
          paint: paint(inColour),
          all: options.all,
          pick,
          isDescribed: isDescribed([world]),
        }),
        io.stdout.width?.(),
      ),
    )
  return exitOf(suggested)
}

function exitOf({ kind, wish, suggestions }: Suggested): ExitCode {
  if (kind === 'unknown') return exit.unknown
  if (suggestions.some(({ decision }) => decision.verdict !== wish)) return exit.unknown
  return kind === 'already' || suggestions.length > 0 ? exit.success : exit.failure
}
