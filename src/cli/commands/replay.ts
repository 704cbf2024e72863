import type { Catalogue } from '../../actions/catalogue.ts'
import type { RegionScope } from '../../answers/difference.ts'
import { replayAnswer, replayRows } from '../../answers/usage.ts'
import type { World } from '../../policy.ts'
import { json } from '../../report/safe.ts'
import { knownNamesIn } from '../../symbolic/described.ts'
import { failingChanges, type ReplayedUse, replayCollector } from '../../usage/replay.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { Refusal } from '../app/refusal.ts'
import { readRules } from '../input/credential.ts'
import { catalogueFor } from '../input/known.ts'
import { instantOf } from '../input/question.ts'
import { readRecords } from '../input/records.ts'
import { type Answer, fromFiles } from '../input/world.ts'
import { writeAnswer } from '../output/answer.ts'
import { viewOf } from '../output/view.ts'

/** `replay FILE...`, or `replay --from FILE`: which recorded calls a changed world would refuse, or newly allow. */
export const run: Answer<'replay'> = async (args, options, io, loader = fromFiles) => {
  const { format, failOn } = options
  const atOption = options.at
  const instant = atOption === undefined ? undefined : instantOf('--at', atOption)
  const files = [...args, ...options.from]
  if (files.length === 0) throw new Refusal('no file of recorded calls', 'for example `grantwise replay --from calls.ndjson -p policies/`')
  const { rules } = await readRules(options, io)
  const loaded = await loader.world(options, io)
  if (!loaded) return exit.error
  const { world, settings } = loaded
  const calls = replayCollector(world, { now: io.now(), ...(instant !== undefined && { at: instant }), ...(rules && { rules }) })
  const passed = await readRecords(files, options, settings, io, (record) => {
    if (record.several)
      throw new Refusal(
        'rows of `gw_least` count calls of several times, and `replay` judges each call at its own',
        'hand it the log itself',
      )
    calls.add(record)
  })
  const replay = calls.end()
  const view = viewOf(options, [world])
  const isListed = format === 'compact' ? () => true : listedIn(view.over, world, await catalogueFor(loaded.config, io))
  const report = { replay, all: options.all, isListed, ...passed }
  if (format === 'ndjson') for (const row of replayRows(report)) io.stdout.write(`${json(row)}\n`)
  else writeAnswer(replayAnswer(report), view, { ...options, format }, io)
  const code: ExitCode = failingChanges[failOn].some((change) => replay.counts[change] > 0)
    ? exit.failure
    : failOn !== 'never' && replay.counts.unknown > 0
      ? exit.unknown
      : exit.success
  return code
}

/** Which uses are listed: those of described identities and resources, those of catalogue actions, or all. */
function listedIn(over: RegionScope, world: World, catalogue: Pick<Catalogue, 'has'>): (use: ReplayedUse) => boolean {
  if (over === 'everything') return () => true
  const isKnown = ({ action }: { readonly action: string }) => catalogue.has(action.split('?')[0] as string)
  if (over === 'catalogue') return ({ needs }) => needs.some(isKnown)
  const { identities, resources } = knownNamesIn([world])
  const [who, on] = [new Set(identities), new Set(resources)]
  return ({ identity, needs }) => who.has(identity) && needs.every(({ resource }) => resource === null || on.has(resource))
}
