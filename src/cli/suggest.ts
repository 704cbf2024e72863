import { readSource } from '../parser/read.ts'
import { type Suggested, suggest } from '../propose/suggest.ts'
import { paint } from '../report/colour.ts'
import { json } from '../report/safe.ts'
import { suggestionDiff, suggestJson, suggestText } from '../report/suggest.ts'
import type { Question } from '../simulate/decision.ts'
import { readQuestion, withKnownTags } from '../simulate/question.ts'
import type { Run } from './commands.ts'
import { type ExitCode, exit } from './exit.ts'
import { diffText } from './fix.ts'
import { wantsColour } from './io.ts'
import { choice } from './options.ts'
import { readContext } from './question.ts'
import { Refusal } from './refusal.ts'
import { loadWorld } from './world.ts'

/** `suggest IDENTITY ACTION RESOURCE`: the smallest edits that turn the answer. Writes no file. */
export const run: Run = async (args, options, io) => {
  const { context, problems } = readContext(options, io)
  const [identity, action, resource] = args
  if (identity === undefined || action === undefined || resource === undefined || args.length > 3) {
    throw new Refusal(
      `\`suggest\` takes three arguments, IDENTITY ACTION RESOURCE; ${args.length} given`,
      'for example `grantwise suggest urn:v1:eu:identity:user:ab12-svc/ann vps:apisvc:reboot urn:v1:eu:resource:vps:vps-1`',
    )
  }
  const format = choice('--format', options.text('format') ?? 'pretty', ['pretty', 'json', 'diff'])
  const to = options.text('to')
  const wish = to === undefined ? undefined : choice('--to', to, ['allow', 'deny'])
  let asked: Question | undefined
  const loaded = await loadWorld(options, io, (settings) => {
    const read = readQuestion(identity, action, resource, context, settings)
    asked = read.question
    return [...(read.problems ?? []), ...problems]
  })
  if (!loaded || !asked) return exit.noAnswer
  const { world, settings, sources } = loaded
  const question = withKnownTags(asked, world)
  const suggested = await suggest(sources, world, question, wish, (source, notation) => readSource(source, notation, settings))
  const inColour = wantsColour(io, options.flag('color'))
  const diffs = (diff: string) => diffText(diff, inColour, io.stdout.isTerminal())
  if (format === 'json') io.stdout.write(`${json(suggestJson(question, suggested, world))}\n`)
  else if (format === 'diff')
    io.stdout.write(
      suggested.suggestions
        .slice(0, 1)
        .map((first) => diffs(suggestionDiff(first)))
        .join(''),
    )
  else io.stdout.write(suggestText(question, suggested, world, paint(inColour), diffs))
  return exitOf(suggested)
}

function exitOf({ kind, suggestions }: Suggested): ExitCode {
  if (kind === 'unknown') return exit.uncertain
  return kind === 'already' || suggestions.length > 0 ? exit.good : exit.bad
}
