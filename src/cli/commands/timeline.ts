import { timeline } from '../../diff/timeline.ts'
import { paint } from '../../report/colour.ts'
import { guard, json } from '../../report/safe.ts'
import { timelineJson, timelineLines, timelineMarkdown, timelineText } from '../../report/timeline.ts'
import type { Run } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import { wantsColour } from '../app/io.ts'
import { choice } from '../app/options.ts'
import { Refusal } from '../app/refusal.ts'
import { readHorizon } from '../input/horizon.ts'
import { catalogueFor } from '../input/known.ts'
import { instantOf } from '../input/question.ts'
import { loadWorld } from '../input/world.ts'

/** `timeline`: the access that opens and closes by itself (spec: command line, `timeline`). */
export const run: Run = async (args, options, io) => {
  if (args.length > 0) throw new Refusal('`timeline` takes no arguments', 'name the policies with `-p PATH`')
  const format = choice('--format', options.text('format') ?? 'pretty', ['pretty', 'compact', 'json', 'markdown'])
  const failOn = choice('--fail-on', options.text('fail-on') ?? 'never', ['gained', 'lost', 'any', 'never'])
  const start = options.text('from')
  const from = start === undefined ? io.now() : instantOf('--from', start)
  const to = readHorizon(options.text('horizon') ?? '90d', from)
  const loaded = await loadWorld(options, io)
  if (!loaded) return exit.noAnswer
  const catalogue = await catalogueFor(loaded.config, io)
  const found = timeline(loaded.world, { from, to, catalogue, all: options.flag('all') === true })
  const colour = paint(wantsColour(io, options.flag('color')))
  if (format === 'json') io.stdout.write(`${json(timelineJson(found, io.tzdata))}\n`, guard)
  else if (format === 'compact') io.stdout.write(timelineLines(found))
  else if (format === 'markdown') io.stdout.write(timelineMarkdown(found))
  else io.stdout.write(timelineText(found, colour))
  const happens = (side: 'gained' | 'lost') =>
    (failOn === 'any' || failOn === side) && found.entries.some(({ difference }) => difference[side].length > 0)
  if (happens('gained') || happens('lost')) return exit.bad
  return found.until < to || found.entries.some(({ difference }) => difference.undecided.length > 0) ? exit.uncertain : exit.good
}
