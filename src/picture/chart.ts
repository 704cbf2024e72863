import { keyOf } from '../keys.ts'
import type { World } from '../policy.ts'
import type { Names } from '../report/names.ts'
import { utc, Zones } from '../zones.ts'
import { type Bar, mergedBars, type TimelineChart, type TimelineRow, timelineChart } from './timeline.ts'

/** The timeline as a page holds it: for some lengths of time as it is drawn, and equal rows of bars once. */
export interface ChartData extends Omit<TimelineChart, 'rows' | 'to' | 'zone'> {
  readonly zone: string
  readonly rows: readonly (Omit<TimelineRow, 'bars'> & { readonly bars: readonly number[] })[]
  /** Four numbers for each bar: seconds from the start, its length, whether it is conditional, the number of bars merged in it. */
  readonly shapes: readonly (readonly number[])[]
}

export const chartDays = [30, 90, 365] as const
const day = 86_400_000

export function chartData(world: World, instant: number, names: Names): ChartData {
  const from = Math.floor(instant / 1000) * 1000
  const { rows, to: _, zone, ...rest } = timelineChart(world, { from, to: from + 365 * day - 1, names })
  const shapes: number[][] = []
  const numbers = new Map<string, number>()
  const shapeOf = (bars: readonly Bar[], days: number) => {
    const end = from + days * day
    const clipped = bars.flatMap((bar) => (bar.from < end ? [{ ...bar, to: Math.min(bar.to, end) }] : []))
    const shape = mergedBars(clipped, days * day).flatMap((bar) => {
      const start = Math.round((bar.from - from) / 1000)
      return [start, Math.round((bar.to - from) / 1000) - start, bar.isConditional ? 1 : 0, bar.count ?? 1]
    })
    const key = keyOf(shape)
    const number = numbers.get(key) ?? shapes.push(shape) - 1
    numbers.set(key, number)
    return number
  }
  return {
    ...rest,
    zone: zone.name,
    rows: rows.map(({ bars, ...row }) => ({ ...row, bars: chartDays.map((days) => shapeOf(bars, days)) })),
    shapes,
  }
}

/** The chart of one of the lengths of time. */
export function chartOf({ rows, shapes, zone, ...rest }: ChartData, days: (typeof chartDays)[number]): TimelineChart {
  const instantAt = (seconds: number) => rest.from + seconds * 1000
  const barsOf = (shape: readonly number[]): readonly Bar[] =>
    Array.from({ length: shape.length / 4 }, (_, i) => {
      const [start, length, isConditional, count] = shape.slice(4 * i, 4 * i + 4) as [number, number, number, number]
      return {
        from: instantAt(start),
        to: instantAt(start + length),
        ...(isConditional === 1 && { isConditional: true as const }),
        ...(count > 1 && { count }),
      }
    })
  return {
    ...rest,
    zone: new Zones().get(zone) ?? utc,
    to: rest.from + days * day - 1,
    rows: rows.map(({ bars, ...row }) => ({ ...row, bars: barsOf(shapes[bars[chartDays.indexOf(days)] as number] ?? []) })),
  }
}
