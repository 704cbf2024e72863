import { readInstant } from '../conditions/time.ts'
import { timeline } from '../diff/timeline.ts'
import { paint } from '../report/colour.ts'
import { guard, json } from '../report/safe.ts'
import { timelineJson, timelineLines, timelineMarkdown, timelineText } from '../report/timeline.ts'
import type { Run } from './commands.ts'
import { exit } from './exit.ts'
import { wantsColour } from './io.ts'
import { catalogueFor } from './known.ts'
import { choice } from './options.ts'
import { instantOf } from './question.ts'
import { Refusal } from './refusal.ts'
import { loadWorld } from './world.ts'

const day = 86_400_000
const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: day, w: 7 * day }
/** Years and months are no length by themselves: a duration is told in weeks, days, hours, minutes and seconds. */
const isoDuration = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/
const shortDuration = /^(\d+)([mhdw])$/

/** A duration in milliseconds: `30d`, `12h`, `P30D`, `PT12H`; undefined when it is none, or nothing at all. */
export function readDuration(text: string): number | undefined {
  const [, count, unit = ''] = shortDuration.exec(text) ?? []
  if (count !== undefined) return Number(count) * (units[unit] as number) || undefined
  const parts = isoDuration.exec(text)
  if (!parts || text.endsWith('T')) return undefined
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((each) => Number(each ?? 0))
  return (weeks * 7 + days) * day + ((hours * 60 + minutes) * 60 + seconds) * 1000 || undefined
}

/** The first and last instants that can be written. */
const [earliest, latest] = [-62135596800000, 253402300799999]

function readHorizon(text: string, from: number): number {
  const duration = readDuration(text)
  const to = duration === undefined ? readInstant(text) : from + duration
  if (to === undefined) {
    const help = 'write a length such as `30d`, `12h` or `P30D`, or an instant such as `2027-01-31T23:59:59Z`'
    if (/^\d{4}-/.test(text)) return instantOf('--horizon', text)
    throw new Refusal(
      `--horizon \`${text}\` is neither a length of time nor an instant`,
      /^P.*[YM](?!.*T)/.test(text) ? 'months and years differ in length: count days, such as `P90D`' : help,
    )
  }
  if (to <= from) throw new Refusal(`--horizon \`${text}\` is not after the start`, 'the horizon ends later than `--from`')
  if (to > latest || from < earliest) throw new Refusal(`--horizon \`${text}\` leads beyond the year 9999`)
  return to
}

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
