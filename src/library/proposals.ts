import type { Catalogue } from '../actions/catalogue.ts'
import { loadCatalogue } from '../actions/load.ts'
import { intendedBy } from '../actions/suggest.ts'
import { suggestJson as suggestReportJson, suggestText } from '../answers/suggest.ts'
import { leastAnswer, leastJson as leastReportJson } from '../answers/usage.ts'
import { defaultSettings, type Settings } from '../names.ts'
import { readSource } from '../parser/read-source.ts'
import type { World } from '../policy.ts'
import { policiesFile } from '../propose/insert.ts'
import { type Minimised, minimise as minimiseWith } from '../propose/minimise.ts'
import { type Suggested, suggest as suggestWith, type Wish } from '../propose/suggest.ts'
import type { File } from '../propose/write.ts'
import { paint } from '../report/colour.ts'
import { minimiseText as minimisedText } from '../report/minimise.ts'
import { Names } from '../report/names.ts'
import { ActionsByType, isDescribed } from '../symbolic/described.ts'
import type { Level } from '../usage/generalise.ts'
import { type Least, type LeastPolicy, least as leastWith } from '../usage/least.ts'
import { type LineFault, recordReader } from '../usage/record.ts'
import { recordCounter, type Tally } from '../usage/tally.ts'
import { type GivenQuestion, withGroups } from './questions.ts'
import { printed, type TextOptions } from './words.ts'

/** Edits and policies that are proposed. */

/** How `suggest` looks for edits. */
export interface SuggestOptions {
  /** The wanted answer; by default the opposite of the one that there is. */
  readonly to?: Wish
  /** The answer is wanted at all times from the instant of the question on. Otherwise at this instant. */
  readonly allTimes?: boolean
  readonly settings?: Settings
  /** The one of the brand unless it is given. */
  readonly catalogue?: Catalogue
}

/**
 * The smallest edits that turn the answer to a question, each with the files as they would be and with all else that it changes.
 * `world` and `files` are those of one `readWorld`. Writes nothing. Rejects with a `RangeError` where there is no file.
 */
export async function suggest(
  world: World,
  files: readonly File[],
  question: GivenQuestion,
  options: SuggestOptions = {},
): Promise<Suggested> {
  const { to, allTimes = false, settings = defaultSettings, catalogue = await loadCatalogue(settings.brand) } = options
  if (files.length === 0) throw new RangeError('suggest: `files` are those of `readWorld`, and there is none to edit')
  const common = { actions: new ActionsByType(catalogue), intended: intendedBy(catalogue) }
  return suggestWith(files, world, withGroups(question), to, (source) => readSource(source, settings), { ...common, allTimes })
}

/** Suggestions as `grantwise suggest` prints them. */
export function suggestionsText(world: World, question: GivenQuestion, suggested: Suggested, options: TextOptions = {}): string {
  const { fullUrns = false, all = false } = options
  const isKnown = isDescribed([world])
  const view = { over: isKnown ? ('known' as const) : ('everything' as const), names: new Names([world], fullUrns), isDescribed: isKnown }
  return suggestText(withGroups(question), suggested, { ...view, paint: paint(false), all })
}

/** Suggestions as `grantwise suggest --format json` prints them. */
export function suggestJson(question: GivenQuestion, suggested: Suggested, world: World) {
  return suggestReportJson(withGroups(question), suggested, world)
}

/** How `minimise` looks for what can go. */
export interface MinimiseOptions {
  /** Only access from this instant on counts, in milliseconds since 1970; by default access at any time. */
  readonly from?: number
  readonly settings?: Settings
}

/**
 * The smallest policies that are found to grant the same access, with the proof of it, and the files as they would be. `world` and `files`
 * are those of one `readWorld`. Rejects with an error where the policies are too complex.
 */
export function minimise(world: World, files: readonly File[], options: MinimiseOptions = {}): Promise<Minimised> {
  const { from, settings = defaultSettings } = options
  return minimiseWith(files, world, (source) => readSource(source, settings), from)
}

/** The parts that can be removed, as `grantwise minimise` prints it, without the diff. */
export const minimiseText = (minimised: Minimised): string => minimisedText(minimised, paint(false))

/** Recorded calls that were read. */
export interface CallsRead {
  /** Who used which action on which resource, and how often. */
  readonly tally: Tally
  /** The lines that cannot be read, from 1, and why. */
  readonly faults: readonly (LineFault & { readonly line: number })[]
  /** How many entries are no decisions. */
  readonly others: number
}

/** Read recorded calls, a JSON object on each line: what `grantwise serve --record` and the access log write. */
export function readCalls(text: string, settings: Settings = defaultSettings): CallsRead {
  const [reader, counter] = [recordReader(settings), recordCounter()]
  const faults: CallsRead['faults'][number][] = []
  let others = 0
  for (const [i, line] of text.split('\n').entries()) {
    const read = reader.read(line)
    if (read.kind === 'fault') faults.push({ ...read.fault, line: i + 1 })
    else if (read.kind === 'other') others++
    else if (read.kind === 'records') for (const record of read.records) counter.add(record)
  }
  return { tally: counter.end(), faults, others }
}

/** How `least` makes policies. */
export interface LeastOptions {
  /** Milliseconds since 1970: where a record has no time, and from when on worlds are compared. */
  readonly now: number
  /** How far names are widened to patterns: `none` unless it is given. */
  readonly generalise?: Level
  /** The policies in force: conditions are taken over from them, and the proposal is compared with them. */
  readonly current?: World
  readonly settings?: Settings
  /** The one of the brand unless it is given. */
  readonly catalogue?: Catalogue
}

/** The smallest policies that allow what was used. Throws an error where the uses are too many for the budget. */
export async function least({ tally }: Pick<CallsRead, 'tally'>, options: LeastOptions): Promise<Least> {
  const { now, generalise: level = 'none', current, settings = defaultSettings } = options
  const { catalogue = await loadCatalogue(settings.brand) } = options
  const described = current && isDescribed([current]) && { described: new ActionsByType(catalogue) }
  return leastWith(tally, { level, catalogue, settings, now, ...(current && { current }), ...described })
}

/** The proposal as `grantwise least --format json` prints it. */
export function leastJson(calls: CallsRead, proposed: Least, generalise: Level = 'none') {
  return leastReportJson(reportOf(calls, proposed, generalise))
}

/** The summary of the proposal as `grantwise least` prints it, without the policies. */
export function leastText(calls: CallsRead, proposed: Least, generalise: Level = 'none'): string {
  return printed(leastAnswer(reportOf(calls, proposed, generalise)), [], {})
}

const reportOf = ({ tally, others, faults }: CallsRead, proposed: Least, level: Level) => ({
  tally,
  least: proposed,
  level,
  others,
  bad: faults.length,
})

/** Policies as a YAML file that `lint` and `readWorld` read. */
export const policiesText = (policies: readonly LeastPolicy[]): string => policiesFile(policies)
