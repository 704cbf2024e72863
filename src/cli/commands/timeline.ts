import { timeline } from '../../diff/timeline.ts'
import { guard, json } from '../../report/safe.ts'
import { timelineJson, timelineLines, timelineMarkdown, timelineText } from '../../report/timeline.ts'
import type { Run } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import { readHorizon } from '../input/horizon.ts'
import { catalogueFor } from '../input/known.ts'
import { instantOf } from '../input/question.ts'
import { loadWorld } from '../input/world.ts'
import { coloursOf } from '../output/outputs.ts'

/** `timeline`: time-limited access, when it starts and ends. */
export const run: Run<'timeline'> = async (_, options, io) => {
  const { format, failOn } = options
  const start = options.from
  const from = start === undefined ? io.now() : instantOf('--from', start)
  const to = readHorizon(options.horizon, from)
  const loaded = await loadWorld(options, io)
  if (!loaded) return exit.error
  const catalogue = await catalogueFor(loaded.config, io)
  const found = timeline(loaded.world, { from, to, catalogue, all: options.all })
  const colour = coloursOf(options, io)
  if (format === 'json') io.stdout.write(`${json(timelineJson(found, io.tzdata))}\n`, guard)
  else if (format === 'compact') io.stdout.write(timelineLines(found))
  else if (format === 'markdown') io.stdout.write(timelineMarkdown(found))
  else io.stdout.write(timelineText(found, colour))
  const happens = (side: 'gained' | 'lost') =>
    (failOn === 'any' || failOn === side) && found.entries.some(({ difference }) => difference[side].length > 0)
  if (happens('gained') || happens('lost')) return exit.failure
  return found.until < to || found.entries.some(({ difference }) => difference.undecided.length > 0) ? exit.unknown : exit.success
}
