import type { Difference } from '../diff/diff.ts'
import { shown } from '../report/safe.ts'
import { plural, presentParts, someQuoted } from '../report/words.ts'
import {
  comparedWords,
  differenceJson,
  listEverything,
  type RegionScope,
  sectionsOf,
  tooManyWords,
  unlisted,
  unlistedWords,
} from './difference.ts'
import type { Answer, Line, Section } from './model.ts'

/** A merge of two sides, or of one with what it is merged into: the access that is new with it, or the files in conflict. */
export type Merge = { readonly sides: readonly string[] } & (
  | { readonly difference: Difference; readonly conflicts?: undefined }
  | { readonly conflicts: readonly string[] }
)

/** The answer of `diff --merge`: a section for each two sides that grant something together. */
export function togetherAnswer(merges: readonly Merge[], over: RegionScope): Answer {
  const sections = merges.flatMap((merge) => (merge.conflicts ? [] : sectionOf(merge.sides, merge.difference, over)))
  const aside = merges.reduce((sum, { difference }: Partial<Merge & { difference: Difference }>) => sum + asideIn(difference, over), 0)
  const isListed = sections.some(({ rows }) => rows.length > 0)
  return {
    subject: () => [merges.length === 1 ? lineOf(merges[0] as Merge).text : `${plural(merges.length, 'merge')}`],
    summary: () => (merges.length === 1 ? [] : merges.map(lineOf)),
    sections,
    rest: presentParts(aside > 0 && `${unlistedWords(aside, isListed)}: ${listEverything(aside)}`),
    notes: [],
    json: () => ({ verdict: verdictOf(merges), merges: merges.map(mergeJson) }),
  }
}

/** The verdict on all merges, the worst first. */
export function verdictOf(merges: readonly Merge[]): 'together' | 'conflict' | 'undecided' | 'none' {
  const all = new Set(merges.map(verdictOfOne))
  return (['together', 'conflict', 'undecided'] as const).find((each) => all.has(each)) ?? 'none'
}

function verdictOfOne(merge: Merge): 'together' | 'conflict' | 'undecided' | 'none' {
  if (merge.conflicts) return 'conflict'
  const { gained, described, undecided } = merge.difference
  if (gained.length + (described?.gained.length ?? 0) > 0) return 'together'
  return undecided.length > 0 || described?.undecided ? 'undecided' : 'none'
}

const sidesWords = (sides: readonly string[]) => sides.map(shown).join(' and ')

function lineOf(merge: Merge): Line {
  const sides = sidesWords(merge.sides)
  if (merge.conflicts) {
    const what = merge.sides.length === 1 ? `${sides} cannot be merged into what it is to be merged into` : `${sides} cannot be merged`
    return { text: `${what}: conflicts in ${someQuoted(merge.conflicts)}`, tone: 'error' }
  }
  switch (verdictOfOne(merge)) {
    case 'together':
      return { text: `${sides} grant together what neither does by itself`, tone: 'bold' }
    case 'undecided':
      return {
        text: `${sides}: not decided: ${tooManyWords(merge.difference.undecided.flatMap(({ culprits }) => culprits))}`,
        tone: 'warning',
      }
    default:
      return {
        text: `${sides} grant nothing together that neither does by itself: proved over all requests${timeWords(merge.difference)}`,
        tone: 'plain',
      }
  }
}

const timeWords = ({ time }: Difference) => (time ? ` ${comparedWords(time)}` : '')

function sectionOf(sides: readonly string[], difference: Difference, over: RegionScope): readonly Section[] {
  const [gained] = sectionsOf({ difference }, over)
  if (!gained) return []
  return [{ ...gained, title: `granted by ${sidesWords(sides)} together`, name: 'together' }]
}

const asideIn = (difference: Difference | undefined, over: RegionScope) =>
  difference && over === 'known' && difference.described ? unlisted(difference, 'gained').length : 0

function mergeJson(merge: Merge) {
  const { sides } = merge
  if (merge.conflicts) return { sides, verdict: 'conflict', conflicts: merge.conflicts, together: [], undecided: [] }
  const { gained, undecided, time, described } = differenceJson(merge.difference)
  return {
    sides,
    verdict: verdictOfOne(merge),
    together: gained,
    undecided: undecided.map(({ patterns }) => ({ patterns })),
    ...(time && { time }),
    ...(described && {
      described: { together: described.gained, combinations: described.combinations.gained, undecided: described.undecided },
    }),
  }
}
