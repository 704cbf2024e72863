import { isOfTime, zoneOf } from '../conditions/test.ts'
import { type Concerns, concernsPolicy } from '../diff/selection.ts'
import { endOfPolicy, isTimed, timedOf } from '../diff/timeline.ts'
import { keyOf } from '../keys.ts'
import { type Policy, titled, type World } from '../policy.ts'
import { conditionWords } from '../report/conditions.ts'
import { localWords } from '../report/instants.ts'
import { Names } from '../report/names.ts'
import { shown } from '../report/safe.ts'
import { firstFew, plural, presentParts } from '../report/words.ts'
import { formulaOf } from '../symbolic/formula.ts'
import { Windows } from '../symbolic/windows.ts'
import { mayGrant } from '../world.ts'
import { utc, type Zone } from '../zones.ts'
import { drawing, type Picture, part, rounded, truncated, truncatedAmid } from './element.ts'
import { mayDeny } from './graph.ts'
import { withEnds } from './short-names.ts'

/** When policies apply: a row for each policy that the time limits, a bar for each stretch. Plain JSON, so that a page can hold it. */
export interface TimelineChart {
  readonly from: number
  readonly to: number
  /** The zone of the dates on the axis. */
  readonly zone: Zone
  readonly rows: readonly TimelineRow[]
  /** The policies that had ended before. */
  readonly ended: readonly string[]
  /** The commits that opened or closed access, and the present. */
  readonly marks?: readonly TimeMark[]
}

/** A line over the rows: a commit, `+ 9d0f11a` where it opens access and `-` where it closes some, or the present. */
export interface TimeMark {
  readonly at: number
  readonly label: string
  /** Of a commit, who made it, and for what. */
  readonly note: string
}

export interface TimelineRow {
  /** The number of the policy in the world. */
  readonly policy: number
  readonly label: string
  /** When its condition holds, in words, where it has one. */
  readonly when?: string
  /** Its expiry. */
  readonly expires?: number
  /** To whom it applies, in words. */
  readonly who: string
  readonly effect: 'allow' | 'deny' | 'allow and deny'
  readonly bars: readonly Bar[]
  /** The last instant at which it applies. */
  readonly end?: number
}

export interface Bar {
  readonly from: number
  /** The first instant at which it applies no longer. */
  readonly to: number
  /** Other facts decide, such as an address or a tag. */
  readonly isConditional?: true
  /** So many stretches, too close to be drawn by themselves. */
  readonly count?: number
}

export interface ChartOptions {
  readonly from: number
  /** The last instant. */
  readonly to: number
  readonly concerns?: Concerns | undefined
  /** Only the policies of this name. */
  readonly policy?: string | undefined
  /** Only policies with an expiry, or only those with comparisons of the time. */
  readonly only?: 'expiry' | 'window' | undefined
  readonly names?: Names
}

const most = 100_000

export function timelineChart(world: World, options: ChartOptions): TimelineChart {
  const { from, to, concerns, policy: name, only, names = new Names([world]) } = options
  const windows = new Windows({ from })
  const isAsked = (policy: Policy) =>
    isTimed(policy) &&
    (!concerns || concernsPolicy(concerns, policy)) &&
    (name === undefined || policy.name.value === name) &&
    (only === undefined ||
      (only === 'expiry'
        ? policy.expiresAt !== undefined || endOfPolicy(policy, from) !== undefined
        : firstZone(policy.condition) !== undefined))
  const asked = [...world.policies.entries()].filter(([, policy]) => isAsked(policy))
  const zone = usualZone(asked.map(([, policy]) => policy))
  const rows: TimelineRow[] = []
  const ended: string[] = []
  for (const [number, policy] of asked) {
    const { expiresAt, condition } = policy
    const label = shown(titled(policy.name.value, policy.address))
    if (expiresAt && expiresAt.value < from) {
      ended.push(label)
      continue
    }
    const when = condition && conditionWords(formulaOf(condition), windows)
    rows.push({
      policy: number,
      label,
      ...(when !== undefined && { when }),
      ...(expiresAt && { expires: expiresAt.value }),
      who: firstFew(names.identityGroups(policy.identities.map(({ value }) => value.text)), 3),
      effect: effectOf(policy, world),
      bars: barsOf(policy, number, from, to),
      ...endedAt(policy, from),
    })
  }
  return { from, to, zone, rows: rows.sort(byEnd), ended }
}

/** When a policy applies and to whom, by the clock of the zone that the picture names. */
export const noteOf = ({ when, expires, who }: Pick<TimelineRow, 'when' | 'expires' | 'who'>, zone: Zone): string =>
  presentParts(when, expires !== undefined && `until ${localWords(expires, zone)}`, who).join(' · ')

/** Charts of one time after the other as one: a policy has a row by its name, with its bars under the policies of each time. */
export function joinedCharts(charts: readonly [TimelineChart, ...TimelineChart[]], marks: readonly TimeMark[]): TimelineChart {
  const last = charts.at(-1) as TimelineChart
  const rows = new Map<string, TimelineRow>()
  for (const { rows: chartRows, from, to } of charts) {
    for (const row of chartRows) {
      const key = keyOf(row.label, row.effect)
      const { end, ...others } = row
      // A later commit may have removed the policy before its end, or changed that.
      const isReached = end !== undefined && (to === last.to || (end >= from && end <= to))
      rows.set(key, { ...others, bars: joinedBars([...(rows.get(key)?.bars ?? []), ...row.bars]), ...(isReached && { end }) })
    }
  }
  const labels = new Set([...rows.values()].map(({ label }) => label))
  return {
    ...last,
    from: charts[0].from,
    rows: [...rows.values()].sort(byEnd),
    ended: last.ended.filter((label) => !labels.has(label)),
    marks,
  }
}

/** Bars without the joints between those that go on. */
function joinedBars(bars: readonly Bar[]): readonly Bar[] {
  const out: Bar[] = []
  for (const bar of bars) {
    const before = out.at(-1)
    if (before?.to === bar.from && before.isConditional === bar.isConditional) out[out.length - 1] = { ...before, to: bar.to }
    else out.push(bar)
  }
  return out
}

/** Rows in the order of their ends. */
function byEnd({ end: a = Number.POSITIVE_INFINITY }: TimelineRow, { end: b = Number.POSITIVE_INFINITY }: TimelineRow): number {
  return a === b ? 0 : a - b
}

/** The end of a policy: by its expiry, or with the last day of its condition. */
function endedAt(policy: Policy, from: number): Pick<TimelineRow, 'end'> {
  const last = endOfPolicy(policy, from)
  const end = last ? last.at - 1 : policy.expiresAt?.value
  return end === undefined ? {} : { end }
}

/** The zone of most comparisons of the time; UTC where there is none. */
function usualZone(policies: readonly Policy[]): Zone {
  const counts = new Map<string, { zone: Zone; count: number }>()
  for (const { condition } of policies) {
    const zone = firstZone(condition)
    if (zone) counts.set(zone.name, { zone, count: (counts.get(zone.name)?.count ?? 0) + 1 })
  }
  return [...counts.values()].sort((a, b) => b.count - a.count || (a.zone.name < b.zone.name ? -1 : 1))[0]?.zone ?? utc
}

/** The zone of the first comparison of the time. */
function firstZone(condition: Policy['condition']): Zone | undefined {
  if (!condition || condition.kind === 'opaque') return undefined
  if (condition.kind === 'match') return isOfTime(condition.test) ? zoneOf(condition.test) : undefined
  for (const each of condition.operands) {
    const zone = firstZone(each)
    if (zone) return zone
  }
  return undefined
}

function effectOf(policy: Policy, world: World): TimelineRow['effect'] {
  return mayDeny(policy, world) ? (mayGrant(policy, world) ? 'allow and deny' : 'deny') : 'allow'
}

/** The stretches of one policy: from a step to the next, those at which it does not apply left out. */
function barsOf(policy: Policy, number: number, from: number, to: number): readonly Bar[] {
  const [{ first, steps }] = timedOf(policy, number, from, to, most)
  const states = [{ at: from, state: first }, ...steps]
  const bars: { from: number; to: number; isConditional?: true }[] = []
  for (const [i, { at, state }] of states.entries()) {
    if (state === '') continue
    const isConditional = state !== 'always' && state !== 'and()'
    const end = states[i + 1]?.at ?? to + 1
    const last = bars.at(-1)
    if (last?.to === at && (last.isConditional === true) === isConditional) last.to = end
    else bars.push({ from: at, to: end, ...(isConditional && { isConditional: true as const }) })
  }
  return bars
}

/** The bars as they are drawn: where gaps would not be seen, several as one. */
export function mergedBars(bars: readonly Bar[], length: number, pixels = widestPlot): readonly Bar[] {
  const least = (2 * length) / pixels
  const drawn: { from: number; to: number; isConditional?: true; count?: number }[] = []
  for (const bar of bars) {
    const last = drawn.at(-1)
    const isNear = last && bar.from - last.to < least && (last.isConditional === true) === (bar.isConditional === true)
    if (!isNear || bar.from === last.to) drawn.push({ ...bar })
    else {
      last.to = bar.to
      last.count = (last.count ?? 1) + (bar.count ?? 1)
    }
  }
  return drawn
}

// The picture.

const margin = 20
const plotTop = 84

/** Where the parts of a picture are. On a narrow one, the bars of a row are below its words. */
interface Frame {
  readonly labelWidth: number
  readonly plotWidth: number
  readonly rowHeight: number
  readonly barTop: number
  readonly barHeight: number
}

const [widestLabel, leastPlot, widestPlot] = [350, 400, 740]
const wide: Frame = { labelWidth: widestLabel, plotWidth: widestPlot, rowHeight: 44, barTop: 11, barHeight: 22 }

/** The frame of a picture that is no wider than so many pixels, as far as it can be read at that width. */
export function frameOf(room = Number.POSITIVE_INFINITY): Frame {
  const plotWidth = Math.min(widestPlot, room - widestLabel - 3 * margin)
  if (plotWidth >= leastPlot) return { ...wide, plotWidth }
  return { labelWidth: 0, plotWidth: Math.max(200, room - 3 * margin), rowHeight: 68, barTop: 42, barHeight: 18 }
}

const widthOf = ({ labelWidth, plotWidth }: Frame) => labelWidth + plotWidth + 3 * margin
const rightOf = ({ labelWidth, plotWidth }: Frame) => margin + labelWidth + plotWidth
/** The room for the words of a row. */
const wordsRoom = ({ labelWidth, plotWidth }: Frame) => (labelWidth || plotWidth) - 20

/** The chart as a picture. `room`: how wide it may be, in pixels. */
export function timelineSvg(chart: TimelineChart, title: string, room?: number): Picture {
  const { rows, ended, zone, from, to, marks } = chart
  const frame = frameOf(room)
  const top = marks ? plotTop + frame.rowHeight : plotTop
  const shownRows = rows.slice(0, mostRows)
  const notes = [
    ...(rows.length > shownRows.length ? [`${plural(rows.length - shownRows.length, 'more policy')}.`] : []),
    ...(ended.length > 0 ? [`Ended before: ${firstFew(ended, 5)}.`] : []),
    ...(rows.length === 0 ? ['No policy is limited in time.'] : []),
  ]
  const width = widthOf(frame)
  const bottom = top + shownRows.length * frame.rowHeight
  const isDense = shownRows.some(({ bars }) => mergedBars(bars, to + 1 - from, frame.plotWidth).some(({ count }) => count !== undefined))
  const signs = legend(shownRows, isDense, width - 2 * margin)
  const notesTop = bottom + 34 + signs.lines * signHeight
  return drawing(
    { width, height: notesTop - 8 + notes.length * 18 },
    title,
    descriptionOf(chart),
    [hatches],
    part('text', { class: 'title', x: margin, y: margin + 8 }, truncated(title, width - 2 * margin, 16)),
    part('text', { class: 'note', x: margin, y: margin + 28 }, `Dates in ${shown(zone.name)}`),
    ...axis(chart, frame, bottom),
    ...shownRows.map((row, i) => rowPicture(row, chart, frame, top + i * frame.rowHeight, i)),
    ...(marks ? [markLines(marks, chart, frame, bottom)] : []),
    part('g', { transform: `translate(${margin} ${bottom + 24})` }, ...signs.parts),
    ...notes.map((note, i) => part('text', { class: 'note', x: margin, y: notesTop + i * 18 }, truncated(note, width - 2 * margin, 11))),
  )
}

const mostRows = 60

/** Patterns that convey what colour alone would. */
const hatches = part(
  'defs',
  {},
  part(
    'pattern',
    { id: 'hatch', width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
    part('rect', { class: 'paper', width: 3, height: 6 }),
  ),
  part(
    'pattern',
    { id: 'comb', width: 4, height: 8, patternUnits: 'userSpaceOnUse' },
    part('rect', { class: 'paper', width: 1.5, height: 8 }),
  ),
)

/** Where an instant is on the axis. */
const placeOn = ({ from, to }: Pick<TimelineChart, 'from' | 'to'>, { labelWidth, plotWidth }: Frame, at: number) =>
  margin + labelWidth + ((Math.min(Math.max(at, from), to + 1) - from) / (to + 1 - from)) * plotWidth

/** How many pixels the label of a mark takes. */
const markWidth = 66

/** A row of marks, each with a line over the rows below it. Labels that would overlap are only in the titles. */
function markLines(marks: readonly TimeMark[], chart: TimelineChart, frame: Frame, bottom: number): Picture {
  const top = plotTop + frame.barTop + 7
  let free = Number.NEGATIVE_INFINITY
  const lines = marks.map(({ at, label, note }) => {
    const x = rounded(placeOn(chart, frame, at))
    const isLeft = x > rightOf(frame) - markWidth
    const start = isLeft ? x - markWidth : x
    const isShown = start >= free
    if (isShown) free = start + markWidth
    return part(
      'g',
      {},
      part('title', {}, `${label}  ${minuteWords(at, chart.zone)}  ${note}`),
      part('path', { class: 'mark', d: `M${x} ${top + (isShown ? -12 : 8)}V${bottom}` }),
      ...(isShown
        ? [part('text', { class: 'note', x: isLeft ? x - 4 : x + 4, y: top, ...(isLeft && { 'text-anchor': 'end' }) }, label)]
        : []),
    )
  })
  return part(
    'g',
    {},
    part('text', { class: 'name', x: margin + 6, y: plotTop + 18 }, 'commits'),
    part('text', { class: 'note', x: margin + 6, y: plotTop + 34 }, '+ opens access, - closes access'),
    ...lines,
  )
}

function rowPicture(row: TimelineRow, { from, to, zone }: TimelineChart, frame: Frame, y: number, i: number): Picture {
  const { label, effect, bars, end } = row
  const note = noteOf(row, zone)
  const { rowHeight, barTop, barHeight } = frame
  const x = (at: number) => placeOn({ from, to }, frame, at)
  const isDeny = effect !== 'allow'
  const drawn = mergedBars(bars, to + 1 - from, frame.plotWidth)
  return part(
    'g',
    { class: `row ${isDeny ? 'deny' : 'allow'}` },
    part('title', {}, `${label}: ${effect === 'allow' ? 'allows' : effect === 'deny' ? 'denies' : 'allows and denies'}, ${note}`),
    ...(i % 2 === 0 ? [part('rect', { class: 'stripe', x: margin, y, width: rightOf(frame) - margin, height: rowHeight })] : []),
    part('text', { class: 'name', x: margin + 6, y: y + 18 }, truncatedAmid(isDeny ? `${effect}: ${label}` : label, wordsRoom(frame), 12)),
    part('text', { class: 'note', x: margin + 6, y: y + 34 }, truncatedAmid(withEnds(note), wordsRoom(frame), 11)),
    ...drawn.flatMap((bar) => {
      const box = {
        x: rounded(x(bar.from)),
        y: y + barTop,
        width: Math.max(1, rounded(x(bar.to) - x(bar.from))),
        height: barHeight,
      }
      const words = `${minuteWords(bar.from, zone)} to ${minuteWords(bar.to, zone)}${bar.count === undefined ? '' : `, ${bar.count} times`}${bar.isConditional ? ', if the rest of the condition holds' : ''}`
      return [
        part('rect', { class: 'span', ...box }, part('title', {}, words)),
        ...(bar.isConditional ? [part('rect', { class: 'pattern', fill: 'url(#hatch)', ...box })] : []),
        ...(bar.count === undefined ? [] : [part('rect', { class: 'pattern', fill: 'url(#comb)', ...box })]),
      ]
    }),
    ...(end === undefined || end > to
      ? []
      : [
          part('path', { class: 'end', d: `M${rounded(x(end))} ${y + barTop - 5}v${barHeight + 10}` }),
          part(
            'text',
            x(end) > rightOf(frame) - 90
              ? { class: 'note', x: rounded(x(end) - 5), y: y + barTop + barHeight / 2 + 4, 'text-anchor': 'end' }
              : { class: 'note', x: rounded(x(end) + 5), y: y + barTop + barHeight / 2 + 4 },
            `ends ${localDate(end, zone)}`,
          ),
        ]),
  )
}

const signHeight = 18

/** The signs, in as many lines as they need in a width. */
function legend(
  rows: readonly TimelineRow[],
  isDense: boolean,
  width: number,
): { readonly parts: readonly Picture[]; readonly lines: number } {
  const all = rows.flatMap(({ bars }) => bars)
  const has = (isDeny: boolean) => rows.some(({ effect }) => (effect !== 'allow') === isDeny)
  const signs = [
    ...(has(false) ? [['allow', undefined, 'allows'] as const] : []),
    ...(has(true) ? [['deny', undefined, 'denies'] as const] : []),
    ...(all.some(({ isConditional }) => isConditional) ? [['allow', 'hatch', 'if the rest of the condition holds'] as const] : []),
    ...(isDense ? [['allow', 'comb', 'many short windows'] as const] : []),
  ]
  let x = 0
  let line = 0
  const parts = signs.map(([effect, fill, words]) => {
    const needed = 80 + words.length * 6.2
    if (x > 0 && x + needed - 30 > width) {
      x = 0
      line++
    }
    const box = { x: 0, y: 0, width: 30, height: 12 }
    const sign = part(
      'g',
      { class: `row ${effect}`, transform: `translate(${x} ${line * signHeight - 10})` },
      part('rect', { class: 'span', ...box }),
      ...(fill === undefined ? [] : [part('rect', { class: 'pattern', fill: `url(#${fill})`, ...box })]),
      part('text', { class: 'key', x: 38, y: 10 }, words),
    )
    x += needed
    return sign
  })
  return { parts, lines: line + 1 }
}

function descriptionOf({ rows, from, to, zone, marks = [] }: TimelineChart): string {
  const each = rows.slice(0, 20).map((row) => `${row.label} (${row.effect}): ${noteOf(row, zone)}`)
  const omitted = rows.length - each.length
  const rowsSentence = rows.length === 0 ? '' : ` ${each.join('. ')}${omitted > 0 ? `, and ${omitted} more` : ''}.`
  return `${plural(rows.length, 'policy')} limited in time, from ${localDate(from, zone)} to ${localDate(to, zone)}, in ${shown(zone.name)}.${rowsSentence}${marksSentence(marks, zone)}`
}

function marksSentence(marks: readonly TimeMark[], zone: Zone): string {
  const each = marks.slice(0, 20).map(({ at, label, note }) => `${label} on ${localDate(at, zone)}: ${note}`)
  const left = marks.length - each.length
  return marks.length === 0 ? '' : ` Marked: ${each.join('; ')}${left > 0 ? `; and ${left} more` : ''}.`
}

// The axis.

const [hour, day] = [3_600_000, 86_400_000]
/** Distances of ticks; beyond a week, ticks are at months. */
const steps = [hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 7 * day]
const months = [1, 3, 6, 12, 24, 60, 120, 600]
const mostTicks = 9
/** How many pixels the label of a tick takes. */
const tickWidth = 80

function axis(chart: TimelineChart, frame: Frame, bottom: number): readonly Picture[] {
  const { from, to, zone } = chart
  return ticks(from, to, zone, Math.floor(frame.plotWidth / tickWidth)).flatMap(({ at, label }) => {
    const x = rounded(placeOn(chart, frame, at))
    return [
      part('path', { class: 'tick', d: `M${x} ${plotTop - 8}V${bottom}` }),
      part('text', { class: 'note', x, y: plotTop - 14, 'text-anchor': x < tickWidth / 2 ? 'start' : 'middle' }, label),
    ]
  })
}

/** Round local times between two instants, few enough to be read. */
export function ticks(from: number, to: number, zone: Zone, most = mostTicks): readonly { readonly at: number; readonly label: string }[] {
  const locals = localTicks(from + zone.offset(from), to + zone.offset(to), most)
  return locals.flatMap((local) => {
    const guess = local - zone.offset(local)
    const instant = local - zone.offset(guess)
    if (instant < from || instant > to) return []
    const text = new Date(local).toISOString()
    return [{ at: instant, label: local % day === 0 ? text.slice(0, 10) : text.slice(5, 16).replace('T', ' ') }]
  })
}

function localTicks(from: number, to: number, most: number): readonly number[] {
  const step = steps.find((each) => (to - from) / each <= most)
  if (step !== undefined) {
    // Weeks begin on Monday: the first one of 1970 was the fifth of January.
    const start = step === 7 * day ? 4 * day : 0
    const first = Math.ceil((from - start) / step) * step + start
    return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, i) => first + i * step)
  }
  const monthOf = (at: number) => new Date(at).getUTCFullYear() * 12 + new Date(at).getUTCMonth()
  const size = months.find((each) => (monthOf(to) - monthOf(from)) / each <= most) ?? 1200
  const first = Math.ceil(monthOf(from) / size) * size
  return Array.from({ length: Math.max(0, Math.floor((monthOf(to) - first) / size) + 1) }, (_, i) => monthStart(first + i * size))
}

function monthStart(month: number): number {
  const date = new Date(0)
  date.setUTCFullYear(Math.floor(month / 12), month % 12)
  return date.getTime()
}

/** An instant to the minute: a bar is drawn no more exactly. */
const minuteWords = (at: number, zone: Zone) => localWords(Math.floor(at / 60_000) * 60_000, zone)

function localDate(at: number, zone: Zone): string {
  return new Date(at + zone.offset(at)).toISOString().slice(0, 10)
}
