import { groupedBy } from '../collections.ts'
import { weekdays } from '../conditions/time.ts'
import type { DiffRegion } from '../diff/diff.ts'
import { joined, type Recurring, recurring } from '../diff/recurring.ts'
import { type PolicyEnd, type Timeline, type TimelineEntry, timelineVerdict } from '../diff/timeline.ts'
import type { Past } from '../history/past.ts'
import { keyOf } from '../keys.ts'
import { lastWords } from '../report/conditions.ts'
import { causeJson } from '../report/fields.ts'
import { changeWords, dayWords, endWords, isoWords, localWords, momentWords, sinceWords, weeklyWords } from '../report/instants.ts'
import { andList } from '../report/lists.ts'
import { shown } from '../report/safe.ts'
import { plural, policyWords, presentParts } from '../report/words.ts'
import {
  asideWords,
  causesOf,
  type DifferenceJson,
  differenceJson,
  questionParts,
  type RegionScope,
  sectionsOf,
  tooManyWords,
  type View,
} from './difference.ts'
import {
  commitJson,
  commitWords,
  cutWords,
  gapsJson,
  gapWords,
  isOpenDifference,
  isOpenHistory,
  referenceWords,
  sectionsIn as stepSections,
  unreadJson,
} from './history.ts'
import { type Answer, type Basis, plainLines, type Row, rowOf, type Section, section } from './model.ts'
import { fullNameWording, rowWords } from './wording.ts'

/** The access that opens and closes, as data. */
export interface TimelineJson extends ReturnType<typeof timelineJson> {}

/** The answer of `timeline` as machines read it. `tzdata` is the version of the time zone rules that it rests on. */
export function timelineJson(timeline: Timeline, tzdata: string | undefined, past?: Past) {
  const { from, to, until, entries } = timeline
  return {
    ...(past && { past: pastJson(past) }),
    verdict: timelineVerdict(timeline),
    from: isoWords(from),
    to: isoWords(to),
    until: isoWords(until),
    tzdata: tzdata ?? null,
    changes: entries.map((entry) => {
      const { causes, ...when } = timedJson(entry)
      return { ...when, ...differenceJson(entry.difference), causes }
    }),
  }
}

function timedJson({ instants, pattern, zone, causes }: TimelineEntry) {
  const [start, end] = boundsOf(instants)
  const [first, last, count] = [isoWords(start), isoWords(end), instants.length]
  return {
    at: first,
    zone: zone.name,
    pattern: pattern ? { weekdays: pattern.weekdays.map((each) => weekdays[each]), time: pattern.time, first, last, count } : null,
    causes: causes.map(causeJson),
  }
}

/** Whether not all of the past was looked at, or not all of it decided. */
export function isOpenPast({ steps, stretches, gaps, cut }: Past): boolean {
  return (
    cut !== undefined ||
    isOpenHistory({ steps, gaps }) ||
    stretches.some(({ timeline: { until, to, entries } }) => until < to || entries.some(({ difference }) => isOpenDifference(difference)))
  )
}

/** The changes by commits and by time in their order; a commit is after what the time changes at its instant. */
function pastJson(past: Past) {
  const { branch, since, last, count, from, to, steps, stretches, gaps, cut, isEdited } = past
  const byTime = stretches.flatMap(({ commit, timeline: { entries } }) =>
    entries.map((entry) => {
      const { at, ...others } = timedJson(entry)
      const difference: DifferenceJson = differenceJson(entry.difference)
      const json = { kind: 'time', commit: commitJson(commit), at, difference, ...others }
      return { instant: entry.instants[0] as number, json }
    }),
  )
  const byCommit = steps.map(({ at: instant, commit, change, unread }) => {
    const difference: DifferenceJson = differenceJson(change.difference)
    return { instant, json: { kind: 'commit', commit: commitJson(commit), at: isoWords(instant), difference, unread: unreadJson(unread) } }
  })
  return {
    from: isoWords(from),
    to: isoWords(to),
    branch,
    commits: { first: commitJson(since), last: commitJson(last), count },
    complete: !isOpenPast(past),
    edited: isEdited,
    lookedAt: cut ? commitJson(cut) : null,
    changes: [...byTime, ...byCommit].sort((a, b) => a.instant - b.instant).map(({ json }) => json),
    gaps: gapsJson(gaps),
  }
}

const boundsOf = (items: readonly number[]): readonly [number, number] => [items[0] as number, items.at(-1) as number]

function weekdayWords(days: readonly number[]): string {
  const names = days.map((each) => weekdays[each] as string)
  const [first, last] = boundsOf(days)
  if (days.length === 7) return 'day'
  return days.length > 2 && last - first === days.length - 1 ? `${names[0]} to ${names.at(-1)}` : andList(names)
}

/** When it changes: an instant, or a pattern with its first and last. */
function whenWords({ instants, pattern, zone }: TimelineEntry): string {
  const [first, last] = boundsOf(instants)
  if (!pattern) return changeWords(first, zone)
  const { weekdays: days, time } = pattern
  return `every ${weekdayWords(days)} ${time} ${shown(pattern.zone.name)}, ${plural(instants.length, 'time')} from ${dayWords(first, pattern.zone)} to ${dayWords(last, pattern.zone)}`
}

/** When access is open, or closed: the window, and on which days it begins first and last. */
function windowWords({ zone, hours, instants, skipped }: Recurring): string {
  const [first, last] = boundsOf(instants).map((at) => localWords(at, zone))
  const except = skipped.length === 0 ? '' : ` except ${skipped.map((at) => dayWords(at)).join(', ')}`
  return `${weeklyWords({ zone, hours })}, ${plural(instants.length, 'time')} from ${first} to ${last}${except}`
}

interface Change {
  readonly heading: readonly [when: string, what: string]
  readonly entry: TimelineEntry
  readonly window?: Recurring
}

const changesOf = ({ entries }: Pick<Timeline, 'entries'>): readonly Change[] =>
  recurring(entries).map((each) => {
    if (!('kind' in each)) return { heading: [whenWords(each), whatWords(each)], entry: each }
    const { gained, lost } = each.entry.difference
    return { heading: [windowWords(each), `${perhaps([...gained, ...lost])}${each.kind}`], entry: each.entry, window: each }
  })

/** Before what happens, where it only may happen: none of the regions is certain. */
const perhaps = (regions: readonly DiffRegion[]) => (regions.some(({ certain }) => certain) ? '' : 'perhaps ')

function whatWords({ difference: { gained, lost, undecided } }: TimelineEntry): string {
  const parts = presentParts(gained.length > 0 && `${perhaps(gained)}opens`, lost.length > 0 && `${perhaps(lost)}closes`)
  if (undecided.length > 0) return [...parts, 'not fully decided'].join(', ')
  return parts.join(' and ') || 'no change of access'
}

/** Whether a change is none for what is described, where only that is listed. */
const isAside = ({ entry: { difference } }: Change, over: RegionScope) =>
  over === 'known' &&
  difference.verdict === 'changed' &&
  difference.described?.gained.length === 0 &&
  difference.described.lost.length === 0

/** A section, with the window that comes back in which its rows are so. */
type TimedSection = Section & Pick<Change, 'window'>

/** The changes of one of them; the sides have titles where there are both. */
function sectionsIn({ heading, entry: { difference, causes, instants }, window }: Change, over: RegionScope): readonly TimedSection[] {
  const sides = sectionsOf({ difference }, over).filter(({ rows }) => rows.length > 0)
  const culprits = difference.undecided.flatMap((each) => each.culprits)
  return [
    ...sides.map((side) => ({
      ...side,
      rows: side.rows.map((row) => askedAt(row, side.name === 'lost' ? instants[0] : undefined)),
      heading,
      ...(sides.length < 2 && { title: '' }),
      ...(window && { name: window.kind, window }),
    })),
    ...(difference.undecided.length > 0 ? [saying(heading, 'not fully decided', [], tooManyWords(culprits))] : []),
    ...(difference.verdict === 'same' ? [saying(heading, 'no change of access', causesOf(causes, 'gained'))] : []),
  ]
}

/** A row with the command that shows the access after the change. `at`: when, where the witness is of before. */
const askedAt = (row: Row, instant = row.witness?.at): Row => ({
  ...row,
  details: (wording) => {
    const details = row.details?.(wording) ?? []
    if (!row.witness || instant === undefined || details.some(({ isWhole }) => isWhole)) return details
    const command = `grantwise can ${questionParts({ ...row.witness, at: instant }, wording.names).join(' ')}`
    return [...details.filter(({ label }) => label !== 'such as'), { label: 'try', items: [command], isList: true, isAside: true }]
  },
})

function wordsWithoutExample(row: Row) {
  const words = rowWords(row, fullNameWording())
  return { ...words, details: words.details.filter(({ label }) => label !== 'such as' && label !== 'try') }
}

/** The same access in several windows, such as that of weekends and that of other days, on which more opens as well, in one. */
function joinedWindows(sections: readonly TimedSection[]): readonly TimedSection[] {
  const parts = sections.flatMap((section) => (section.window ? section.rows.map((row) => ({ ...section, rows: [row] })) : [section]))
  const accessOf = ({ window, rows }: TimedSection, i: number) =>
    window ? JSON.stringify([window.zone.name, window.kind, rows.map(wordsWithoutExample)]) : `${i}`
  const alike = groupedBy([...parts.entries()], ([i, part]) => accessOf(part, i))
  const all = [...alike.values()].flatMap((same): readonly TimedSection[] => {
    const sections = same.map(([, part]) => part)
    const [first, ...others] = sections.flatMap(({ window }) => window ?? [])
    const window = first && others.length > 0 ? joined([first, ...others]) : undefined
    if (!window) return sections
    const isPerhaps = sections[0]?.rows[0]?.verdict === 'unknown'
    return sections.slice(0, 1).map((part) => ({ ...part, heading: [windowWords(window), `${isPerhaps ? 'perhaps ' : ''}${window.kind}`] }))
  })
  const sameHeading = groupedBy([...all.entries()], ([i, { heading, window }]) => (heading && window ? keyOf(...heading) : `${i}`))
  return [...sameHeading.values()].map((same) => ({ ...(same[0] as (typeof same)[number])[1], rows: same.flatMap(([, { rows }]) => rows) }))
}

/** A section about no access: why there is none, or why it is not known. */
const saying = (heading: Change['heading'], name: string, by: readonly Basis[], ...items: readonly string[]): Section =>
  section('', 'plain', [rowOf({ by, details: () => [{ label: '', items, isList: true }] })], { name, may: '', heading })

const endLines = ({ ends }: Timeline) =>
  ends.map(({ policy, ...end }) => {
    const isGuard = policy.permissions.allow.length + policy.permissionsGroups.length === 0
    return `${policyWords(policy)}: last ${isGuard ? 'denial' : 'access'} ${lastWords(end)}, then none`
  })

/** The first end after the time that was looked at, and the command that shows it. */
export interface LaterEnd {
  readonly end: PolicyEnd
  readonly command: string
}

function summaryWords(timeline: Timeline): string {
  const { from, to, until, entries } = timeline
  const count = (side: 'gained' | 'lost', isCertain: boolean) =>
    entries.reduce((sum, { difference, instants }) => {
      const regions = difference[side]
      return sum + (regions.length > 0 && (perhaps(regions) === '') === isCertain ? instants.length : 0)
    }, 0)
  const times = (side: 'gained' | 'lost') => {
    const open = count(side, false)
    return `${plural(count(side, true), 'time')}${open === 0 ? '' : ` (perhaps ${open} more)`}`
  }
  const span = `between ${sinceWords(from).replace(/^from /, '')} and ${endWords(to)}`
  const same = timeline.isPart
    ? `none of the selected changes of access happens ${span}`
    : `access stays the same ${span}: proved over all identities, actions, resources and contexts`
  return presentParts(
    timelineVerdict(timeline) === 'same' ? same : `${span} access opens ${times('gained')} and closes ${times('lost')}`,
    until < to && `not decided after ${momentWords(until)}: too many changes`,
    entries.some(({ difference }) => difference.undecided.length > 0) && 'not fully decided',
  ).join('; ')
}

function countWords(sections: readonly TimedSection[]): string {
  const changes = sections.filter(({ may }) => may !== '')
  const count = (own: readonly TimedSection[]) => new Set(own.map(({ heading }) => heading)).size
  const windows = count(changes.filter(({ window }) => window))
  const others = count(changes) - windows
  const back = `${plural(windows, 'window')} that ${windows === 1 ? 'comes' : 'come'} back`
  const parts = presentParts(windows > 0 && back, others > 0 && plural(others, windows > 0 ? 'other change' : 'change'))
  return parts.join(' and ') || 'no change'
}

/** The changes of the past in their order, each under its instant; a commit is after what the time changes at its instant. */
function pastSections({ steps, stretches }: Past, over: RegionScope): readonly Section[] {
  // Windows go on over commits that do not change them.
  const entries = stretches.flatMap(({ timeline }) => timeline.entries)
  const byTime = changesOf({ entries }).flatMap((change) =>
    isAside(change, over) ? [] : [{ at: change.entry.instants[0] as number, sections: sectionsIn(change, over) }],
  )
  const byCommit = steps.map((step) => {
    const heading = [changeWords(step.at), `commit ${step.commit.short}  ${commitWords(step.commit)}`] as const
    return { at: step.at, sections: stepSections(step, over, heading) as readonly TimedSection[] }
  })
  return joinedWindows([...byTime, ...byCommit].sort((a, b) => a.at - b.at).flatMap(({ sections }) => sections))
}

/** `since 8339341 (carol, 2026-01-12): 3 of 5 commits open or close access; time opens it 2 times and closes it 2 times` */
function pastWords({ since, count, looked, steps, stretches, gaps }: Past): string {
  const entries = stretches.flatMap(({ timeline }) => timeline.entries)
  const times = (side: 'gained' | 'lost') =>
    entries.reduce((sum, { difference, instants }) => sum + (difference[side].length > 0 ? instants.length : 0), 0)
  const unread = [...steps, ...gaps].reduce((sum, each) => sum + each.unread.length, 0)
  const open = presentParts(unread > 0 && `${unread} cannot be read`, looked < count && `${count - looked} not looked at`)
  const least = `${open.length > 0 ? 'at least ' : ''}${steps.length} of ${plural(count, 'commit')}`
  const byCommit = [`${least} ${steps.length === 1 ? 'opens or closes' : 'open or close'} access`, ...open].join(', ')
  const byTime = `time opens it ${plural(times('gained'), 'time')} and closes it ${plural(times('lost'), 'time')}`
  return `since ${referenceWords(since)}: ${presentParts(byCommit, entries.length > 0 && byTime).join('; ')}`
}

/** Why not all of the past is known, and other remarks on it. */
export const pastNotes = ({ gaps, cut, last, stretches, isEdited }: Past): readonly string[] =>
  presentParts(
    gaps.map(gapWords),
    stretches.flatMap(({ timeline: { until, to } }) =>
      until < to ? [`between ${momentWords(until)} and ${momentWords(to)} not decided: too many changes`] : [],
    ),
    isEdited && 'the last commit grants other access than what is read now: `grantwise diff --since HEAD` shows it',
    cut && cutWords(cut, last, '`--identity`'),
  )

/** The answer of `timeline`: what changes, under when it does. A window that comes back is one change. `tzdata`: see `timelineJson`. */
export function timelineAnswer(
  timeline: Timeline,
  { over }: Pick<View, 'over'>,
  { later, tzdata, past }: { readonly later?: LaterEnd | undefined; readonly tzdata?: string; readonly past?: Past | undefined } = {},
): Answer {
  const all = changesOf(timeline)
  const listedOnes = all.filter((change) => !isAside(change, over))
  const aside = all.length - listedOnes.length
  const sections = joinedWindows(listedOnes.flatMap((change) => sectionsIn(change, over)))
  const isKnown = over === 'known' && all.some(({ entry: { difference } }) => difference.verdict === 'changed' && difference.described)
  return {
    subject: () => [summaryWords(timeline)],
    summary: () => plainLines(past && pastWords(past), isKnown && `for what is described: ${countWords(sections)}`, endLines(timeline)),
    sections: [...(past ? pastSections(past, over) : []), ...sections],
    rest: asideWords(aside, 'more change', 'action, resource or member'),
    notes: presentParts(
      past && pastNotes(past),
      later &&
        `the next policy that ends is ${policyWords(later.end.policy)}, ${endWords(later.end.at - 1, later.end.zone)}: \`${later.command}\``,
    ),
    json: () => timelineJson(timeline, tzdata, past),
  }
}
