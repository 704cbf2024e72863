import { weekdays } from '../conditions/time.ts'
import type { DiffRegion } from '../diff/diff.ts'
import type { PolicyEnd, Timeline, TimelineEntry } from '../diff/timeline.ts'
import type { Paint } from '../report/colour.ts'
import { lastWords } from '../report/ends.ts'
import { changeWords, dayWords, endWords, isoWords, localWords, momentWords, sinceWords } from '../report/instants.ts'
import { codeSpan, prose } from '../report/markdown.ts'
import { type Recurring, recurring } from '../report/recurring.ts'
import { shown } from '../report/safe.ts'
import { weeklyWords } from '../report/weekly.ts'
import { linesText, plural, policyWords, said } from '../report/words.ts'
import { answerLines } from './compact.ts'
import { differenceWords, layout, sectionsOf, sideLines, type View, viewWording } from './difference.ts'
import { causeJson, differenceJson } from './difference-json.ts'
import { sectionsMarkdown } from './markdown.ts'
import type { Section, Wording } from './model.ts'
import { showAll } from './sentences.ts'
import { sectionsText } from './text.ts'
import { reasonLine, reasonWords, wholeWording } from './wording.ts'

/** Reports of `timeline`: as JSON, as a line each, for people, and as Markdown. */

/** Whether anything changes: `same` is a proof for the whole of the time. */
function timelineVerdict({ entries, until, to }: Timeline): 'same' | 'changed' | 'undecided' {
  if (entries.some(({ difference }) => difference.verdict === 'changed')) return 'changed'
  return until < to || entries.some(({ difference }) => difference.verdict === 'undecided') ? 'undecided' : 'same'
}

/** The answer of `timeline` as machines read it. `tzdata` is the version of the time zone rules that it rests on. */
export function timelineJson(timeline: Timeline, tzdata: string | undefined) {
  const { from, to, until, entries } = timeline
  return {
    verdict: timelineVerdict(timeline),
    from: isoWords(from),
    to: isoWords(to),
    until: isoWords(until),
    tzdata: tzdata ?? null,
    changes: entries.map(({ instants, pattern, zone, difference, causes }) => {
      const [start, end] = boundsOf(instants)
      const [first, last, count] = [isoWords(start), isoWords(end), instants.length]
      return {
        at: first,
        zone: zone.name,
        pattern: pattern ? { weekdays: pattern.weekdays.map((each) => weekdays[each]), time: pattern.time, first, last, count } : null,
        ...differenceJson(difference),
        causes: causes.map(causeJson),
      }
    }),
  }
}

/** The first of some, and the last. */
const boundsOf = (items: readonly number[]): readonly [number, number] => [items[0] as number, items.at(-1) as number]

// In words.

function weekdayWords(days: readonly number[]): string {
  const names = days.map((each) => weekdays[each] as string)
  const [first, last] = boundsOf(days)
  if (days.length === 7) return 'day'
  if (days.length > 2 && last - first === days.length - 1) return `${names[0]} to ${names.at(-1)}`
  return names.length < 2 ? (names[0] as string) : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
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

/** Whether an entry changes nothing for what is described, where only that is listed. */
function isAside({ difference: { verdict, described } }: TimelineEntry, view: View): boolean {
  return view.over === 'known' && described !== undefined && verdict === 'changed' && described.gained.length + described.lost.length === 0
}

/** The entries that are listed. */
function listed(timeline: Timeline, view: View): Timeline {
  return { ...timeline, entries: timeline.entries.filter((entry) => !isAside(entry, view)) }
}

/** What kind of changes there are, where those for described things are listed. A window that comes back is one. */
function kindLines(timeline: Timeline, view: View): readonly string[] {
  const changes = blocksOf(timeline).filter(([, , { difference }]) => difference.verdict === 'changed')
  if (view.over !== 'known' || changes.every(([, , { difference }]) => difference.described === undefined)) return []
  const aside = changes.filter(([, , entry]) => isAside(entry, view)).length
  const known = changes.length - aside
  const words = known === 0 ? 'no change for what is described' : `${plural(known, 'change')} for what is described`
  if (aside === 0) return [words]
  const [verb, object] = aside === 1 ? ['concerns', 'it'] : ['concern', 'them']
  return [
    `${words}; ${aside}${known === 0 ? '' : ' more'} ${verb} no known action, resource or member, and \`--over everything\` lists ${object}`,
  ]
}

/** The entries as they are printed: when, what happens, the entry with its regions, and of a window what it is. */
function blocksOf({
  entries,
}: Timeline): readonly (readonly [when: string, what: string, entry: TimelineEntry, window?: Recurring['kind']])[] {
  return recurring(entries).map((each) => {
    if (!('kind' in each)) return [whenWords(each), whatWords(each), each]
    const { gained, lost } = each.entry.difference
    return [windowWords(each), `${perhaps([...gained, ...lost])}${each.kind}`, each.entry, each.kind]
  })
}

/** Before what happens, where it only may happen: none of the regions is certain. */
const perhaps = (regions: readonly DiffRegion[]) => (regions.some(({ certain }) => certain) ? '' : 'perhaps ')

/** The sides of an entry; of a window, what it opens or closes, which its head says already. */
function sectionsIn({ difference }: TimelineEntry, view: View, isWindow: boolean): readonly Section[] {
  const sections = sectionsOf({ difference, beyond: undefined }, view.over)
  return isWindow ? sections.map((section) => ({ ...section, title: '' })) : sections
}

/** What an entry rests on, where it changes nothing. */
const causesIn = ({ causes }: TimelineEntry, wording: Wording) =>
  causes.map((cause) => reasonLine(reasonWords({ kind: 'cause', cause, of: 'gained' }, wording)))

const differenceIn = ({ difference }: TimelineEntry, view: View, wording: Wording) =>
  differenceWords({ difference, beyond: undefined }, view.over, wording)

/** What happens to the access, in a word or two. */
function whatWords({ difference: { gained, lost, undecided } }: TimelineEntry): string {
  const parts = said(gained.length > 0 && `${perhaps(gained)}opens`, lost.length > 0 && `${perhaps(lost)}closes`)
  if (undecided.length > 0) return [...parts, 'not fully decided'].join(', ')
  return parts.join(' and ') || 'no change of access'
}

/** What ends for ever, other than by an expiry. */
function endLines({ ends }: Timeline): readonly string[] {
  return ends.map(({ policy, ...end }) => {
    const { permissions, permissionsGroups } = policy
    const isGuard = permissions.allow.length + permissionsGroups.length === 0
    return `${policyWords(policy)}: last ${isGuard ? 'denial' : 'access'} ${lastWords(end)}, then none`
  })
}

/** What ends first after the time that was looked at, and the command that shows it. */
export interface LaterEnd {
  readonly end: PolicyEnd
  readonly command: string
}

const laterLines = (later: LaterEnd | undefined) =>
  later
    ? [`the next policy that ends is ${policyWords(later.end.policy)}, ${endWords(later.end.at - 1, later.end.zone)}: \`${later.command}\``]
    : []

/** All of it in one line. */
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
  return said(
    timelineVerdict(timeline) === 'same' ? same : `${span} access opens ${times('gained')} and closes ${times('lost')}`,
    until < to && `not decided after ${momentWords(until)}: too many changes`,
    entries.some(({ difference }) => difference.undecided.length > 0) && 'not fully decided',
  ).join('; ')
}

/** The answer of `timeline` for people. A window that comes back is one block. */
export function timelineText(timeline: Timeline, paint: Paint, view: View, all = false, later?: LaterEnd): string {
  const wording = viewWording(view)
  const blocks = blocksOf(listed(timeline, view))
  const lines = blocks.flatMap(([when, what, entry, window]) => {
    const { difference } = entry
    const own = said(
      sectionsText({ ...layout, sections: sectionsIn(entry, view, window !== undefined) }, { paint, wording, all }),
      difference.undecided.length > 0 && differenceIn(entry, view, wording),
      difference.verdict === 'same' && causesIn(entry, wording).map((cause) => `by ${cause}`),
    )
    return [`${paint.bold(when)}  ${what}`, ...own.map((line) => (window ? line : `  ${line}`)), '']
  })
  const kind = kindLines(timeline, view)
  const isLong = !all && view.over === 'known' && lines.length > mostLines
  const shownLines = isLong ? foldedLines(blocks, view, wording, paint) : lines
  return linesText(kind, kind.length > 0 && '', shownLines, endLines(timeline), summaryWords(timeline), laterLines(later))
}

/** The lines for all changes together, past which each change has one or two, and of how many then. */
const [mostLines, mostChanges] = [40, 15]

function foldedLines(blocks: ReturnType<typeof blocksOf>, view: View, wording: Wording, paint: Paint): readonly string[] {
  const left = blocks.length - mostChanges
  return [
    ...blocks
      .slice(0, mostChanges)
      .flatMap(([when, what, { difference }]) => [
        `${paint.bold(when)}  ${what}`,
        ...sideLines(difference, view.over, wording).map((line) => `  ${line}`),
      ]),
    paint.dim(`shortened${left > 0 ? `, ${plural(left, 'more change')}` : ''}: ${showAll}; \`--identity\` and \`--policy\` choose some`),
    '',
  ]
}

/** One line for each region of each change, or of each window that comes back. */
export function timelineLines(timeline: Timeline, view: View, all = false): string {
  const wording = wholeWording()
  const shownEntries = listed(timeline, view)
  const rest = shownEntries.entries.length < timeline.entries.length ? kindLines(timeline, view) : []
  const lines = blocksOf(shownEntries).flatMap(([when, what, entry, window]) => {
    const rows = sectionsIn(entry, view, window !== undefined).map((section) => (window ? { ...section, name: window } : section))
    const own = answerLines({ ...layout, sections: rows }, wording, all)
      .split('\n')
      .slice(0, -1)
    const by = causesIn(entry, wording).join(', ')
    return (own.length > 0 ? own : [`${what}${by === '' ? '' : ` · by ${by}`}`]).map((line) => `${when} · ${line}`)
  })
  return [...lines, ...rest].map((line) => `${line}\n`).join('')
}

/** A comment or a report, as Markdown. */
export function timelineMarkdown(timeline: Timeline, view: View, later?: LaterEnd): string {
  const wording = viewWording(view)
  const list = (items: readonly string[]) => `${items.map((item) => `- ${codeSpan(item)}`).join('\n')}\n`
  const ends = endLines(timeline)
  return linesText(
    '## grantwise timeline\n',
    kindLines(timeline, view).map((line) => `${prose(line)}.\n`),
    [summaryWords(timeline), ...laterLines(later)].map((line) => `${line}.\n`),
    ends.length > 0 && list(ends),
    blocksOf(listed(timeline, view)).map(([when, what, entry, window]) => [
      `### ${codeSpan(when)}: ${what}\n`,
      entry.difference.undecided.length > 0 && `${prose(differenceIn(entry, view, wording))}\n`,
      entry.difference.verdict === 'same'
        ? list(causesIn(entry, wording))
        : sectionsMarkdown({ ...layout, sections: sectionsIn(entry, view, window !== undefined) }, wording, '####'),
    ]),
  )
}
