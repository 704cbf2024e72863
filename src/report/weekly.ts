import { weekdays } from '../conditions/time.ts'
import type { Weekly } from '../symbolic/situation.ts'
import { shown } from './safe.ts'

/** Hours of the week in words: `Mon–Fri 08:00–18:00 Europe/Paris`, `outside weekends`, `daily 01:00–05:00 UTC`. */

const hoursOfWeek = 7 * 24
const shortDays = weekdays.map((name) => name.slice(0, 3))
const wholeDay = '1'.repeat(24)

/** The hours of the week, or those that are left out where that is shorter. */
export function weeklyWords({ zone, hours }: Weekly): string {
  // A digit for each hour of the week, in order.
  const digits = [...hours.toString(2).padStart(hoursOfWeek, '0')].reverse().join('')
  const held = windowsIn(digits)
  const left = held.length === 1 && !isMost(digits) ? undefined : windowsIn(digits.replace(/./g, (digit) => (digit === '1' ? '0' : '1')))
  const isLess = left !== undefined && (left.length < held.length || isMost(digits))
  return `${isLess ? 'outside ' : ''}${(isLess ? left : held).join(' and ')} ${shown(zone.name)}`
}

/** Whether it is every day over midnight, and most of it: `outside daily 02:00–03:00` reads better than `daily 03:00–02:00`. */
function isMost(digits: string): boolean {
  const row = digits.slice(0, 24)
  return digits === row.repeat(7) && /^1+0+1+$/.test(row) && row.replaceAll('0', '').length > 16
}

function windowsIn(digits: string): readonly string[] {
  const run = longRun(digits)
  if (run !== undefined) return [run]
  const days = new Map<string, number[]>()
  for (const day of weekdays.keys()) {
    const row = digits.slice(24 * day, 24 * day + 24)
    if (row.includes('1')) days.set(row, [...(days.get(row) ?? []), day])
  }
  return [...days].map(([row, own]) => {
    if (row === wholeDay) return daysWords(own, true)
    return `${own.length === 7 ? 'daily' : daysWords(own, false)} ${hourRanges(row, own.length === 7).join(' and ')}`
  })
}

/** One window over midnight, if that is all of it: `Fri 19:00 to Mon 08:00`. */
function longRun(digits: string): string | undefined {
  const around = digits.at(-1) + digits
  const [start, end] = [around.indexOf('01'), around.indexOf('10')]
  if (start < 0 || end < 0 || start !== around.lastIndexOf('01') || end !== around.lastIndexOf('10')) return undefined
  // Whole days, and hours of one day, are said by day.
  const last = (end + hoursOfWeek - 1) % hoursOfWeek
  if ((start % 24 === 0 && end % 24 === 0) || Math.floor(start / 24) === Math.floor(last / 24)) return undefined
  const point = (hour: number) => `${shortDays[Math.floor(hour / 24)]} ${clockWords(hour % 24)}`
  return `${point(start)} to ${point(end)}`
}

/** Ranges of the hours of a day; one over midnight where every day is alike. */
export function hourRanges(row: string, isDaily: boolean): readonly string[] {
  const ranges = [...row.matchAll(/1+/g)].map(({ index, 0: run }): [number, number] => [index, index + run.length])
  const [first, last] = [ranges[0], ranges.at(-1)]
  if (isDaily && first && last && first !== last && first[0] === 0 && last[1] === 24) {
    ranges.shift()
    last[1] = first[1]
  }
  return ranges.map(([from, to]) => `${clockWords(from)}–${clockWords(to)}`)
}

const clockWords = (hour: number) => `${String(hour).padStart(2, '0')}:00`

export function daysWords(days: readonly number[], isWhole: boolean): string {
  if (days.join('') === '56') return 'weekends'
  if (days.length === 1 && isWhole) return `${weekdays[days[0] as number]}s`
  const runs: number[][] = []
  for (const day of days) {
    const last = runs.at(-1)
    if (last && last.at(-1) === day - 1) last.push(day)
    else runs.push([day])
  }
  return runs
    .flatMap((run) => {
      const names = run.map((day) => shortDays[day] as string)
      return run.length > 2 ? [`${names[0]}–${names.at(-1)}`] : names
    })
    .join(', ')
}
