import type { Question } from '../../src/simulate/decision.ts'
import { knownNamesIn } from '../../src/symbolic/described.ts'
import { addresses, contextsFor, fewActions, someAccount } from './claims.ts'
import { pick, randomOf, worldOf } from './worlds.ts'

/** Accounts that the time changes, and words about the time, read back. */

const paris = 'Europe/Paris'
const office = { [`date(${paris}).Hour.GE`]: '8', [`date(${paris}).Hour.LT`]: '18' }
const workdays = { [`date(${paris}).WeekDay.IN`]: 'Monday,Tuesday,Wednesday,Thursday,Friday' }
const match = (values: object) => ({ operator: 'MATCH', values })
const timed = [
  undefined,
  match({ ...office, ...workdays }),
  match(office),
  { operator: 'NOT', conditions: [match({ ...office, ...workdays })] },
  match({ 'date(UTC).Hour.GE': '1', 'date(UTC).Hour.LT': '5', 'request.IP.IN_RANGE': '192.0.2.0/24' }),
  match({ 'date(UTC).WeekDay.IN': 'Saturday,Sunday' }),
  match({ 'date(UTC).Date.BEFORE': '2026-06-08' }),
  match({ [`date(${paris}).Date.BEFORE`]: '2026-06-10', ...office }),
  match({ 'date(UTC).Date.AFTER': '2026-06-06', 'date(UTC).Hour.LT': '12' }),
  match({ 'date(UTC).Date.IN': '2026-06-04,2026-06-09', 'resource.Tag(env)': 'prod' }),
  { operator: 'AND', conditions: [match(office), { operator: 'NOT', conditions: [match({ 'date(UTC).Date': '2026-06-05' })] }] },
]
const expiries = ['2026-06-05T12:00:00Z', '2026-06-09T23:59:59Z', '2026-05-01T00:00:00Z']

export const hour = 3_600_000
export const day = 24 * hour
export const [from, to] = [Date.UTC(2026, 5, 1, 0, 30), Date.UTC(2026, 5, 14, 22)]

/** Accounts in which the time alone opens and closes access. */
export function* timedAccounts(seed: number, count: number) {
  const random = randomOf(seed)
  for (let i = 0; i < count; i++) {
    const [account] = someAccount(random)
    const policies = account.policies.slice(0, 3).map(({ conditions: _, ...policy }) => {
      const conditions = pick(random, timed)
      return { ...policy, ...(conditions && { conditions }), ...(random() < 0.2 && { expiredAt: pick(random, expiries) }) }
    })
    yield { random, account: { ...account, policies } }
  }
}

// The words, read back.

const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone: paris,
  hourCycle: 'h23',
  weekday: 'short',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
})

/** The time of the clock of a zone, as `Mon 2026-06-01 08:00`. */
export function shownIn(zone: string, at: number): string {
  if (zone !== paris)
    return `${['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][new Date(at).getUTCDay()]} ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}`
  const part = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]))
  return `${part.weekday} ${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}`
}

/** The instant at which the clock of a zone shows a day and a time. */
export function instantIn(zone: string, local: string): number {
  const [, date = '', time = '', seconds = ''] = /(\d{4}-\d\d-\d\d) (\d\d:\d\d)(:\d\d)?/.exec(local) ?? []
  const near = Date.parse(`${date}T${time}${seconds || ':00'}Z`)
  const found = [0, 1, 2].map((hours) => near - hours * hour).find((at) => shownIn(zone, at).endsWith(`${date} ${time}`))
  if (found === undefined) throw new Error(`no instant: ${local} ${zone}`)
  return found
}

export const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
export const longDays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** The days in `Mon–Fri`, `Mon, Wed`, `weekends`, `daily`, `Sundays`, `Monday to Friday`, `Monday and Friday`, `day`. */
export function daysIn(words: string): readonly number[] {
  if (/^(?:daily|day)$/.test(words)) return [0, 1, 2, 3, 4, 5, 6]
  if (words === 'weekends') return [5, 6]
  return words.split(/, | and /).flatMap((part) => {
    const [first = -1, last = first] = part.split(/–| to /).map((name) => days.indexOf(name.slice(0, 3)))
    if (first < 0) throw new Error(`no days: ${words}`)
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  })
}

const hoursOfWeek = 7 * 24

/** Whether each hour of a week is in a window: `Mon–Fri 08:00–18:00`, `outside Fri 19:00 to Mon 08:00`, `weekends`. */
export function weekIn(words: string): readonly boolean[] {
  const week = Array.from({ length: hoursOfWeek }, () => false)
  const own = words.replace(/^outside /, '')
  const run = /^(\w{3}) (\d\d):00 to (\w{3}) (\d\d):00$/.exec(own)
  if (run) {
    const [start, end] = [days.indexOf(run[1] as string) * 24 + Number(run[2]), days.indexOf(run[3] as string) * 24 + Number(run[4])]
    for (let i = start; i % hoursOfWeek !== end; i++) week[i % hoursOfWeek] = true
  } else {
    let named: readonly number[] = []
    for (const part of own.split(' and ')) {
      const [, name = '', first, last] = /^(.*?) ?(?:(\d\d):00–(\d\d):00)?$/.exec(part) ?? []
      if (name !== '') named = daysIn(name)
      const [start, end] = [Number(first ?? 0), Number(last ?? 24)]
      for (const each of named) for (let i = start; i !== end; i = (i + 1) % 24 || (end === 24 ? 24 : 0)) week[each * 24 + i] = true
    }
  }
  return own === words ? week : week.map((each) => !each)
}

/**
 * Whether an instant is in `Mon–Fri 08:00–18:00 Europe/Paris`, `outside weekends UTC`, `on 2026-06-04 or 2026-06-09 UTC`, with days
 * from which on, before which and on which not.
 */
export function weekHolds(words: string, at: number): boolean {
  const [, rest, last = '', lastZone = ''] = /^(?:(.*) )?until (\w{3} [-\d]+ [:\d]+) (\S+)(?: \([^)]*\))?$/.exec(words) ?? []
  // An expiry still holds at its own second.
  if (last !== '') return at <= instantIn(lastZone, last) && (rest === undefined || weekHolds(rest, at))
  const dayIn = (zone: string) => shownIn(zone, at).split(' ')[1] ?? ''
  const [, not, listed = '', where = ''] = /^(not )?on ([-\d]+(?:(?:, | or )[-\d]+)*) (\S+)$/.exec(words) ?? []
  if (where !== '') return listed.split(/, | or /).includes(dayIn(where)) === (not === undefined)
  const [, side, first = '', dayZone = ''] = /^(from|before) ([-\d]+) (\S+)$/.exec(words) ?? []
  if (side !== undefined) return dayIn(dayZone) >= first === (side === 'from')
  const [, week = '', zone = '', bound, limit = '', other = zone] =
    /^(.*?) (UTC|[A-Z]\w+\/\w+)(?: (from|before) ([-\d]+)(?: (\S+))?)?$/.exec(words) ?? []
  if ((bound === 'from' && dayIn(other) < limit) || (bound === 'before' && dayIn(other) >= limit)) return false
  const [name = '', , time = ''] = shownIn(zone, at).split(' ')
  return weekIn(week)[days.indexOf(name) * 24 + Number(time.slice(0, 2))] === true
}

/** Accounts that the time changes and others, each with a question of which more or less is given. */
export function* accountsAsked(seed: number, count: number) {
  const random = randomOf(seed)
  const timedOnes = timedAccounts(seed + 1, count)
  for (let i = 0; i < count; i++) {
    const next = timedOnes.next().value
    const account = i % 2 === 0 && next ? next.account : someAccount(random)[0]
    const world = worldOf(account)
    const { identities, resources } = knownNamesIn([world])
    const resource = pick(random, resources)
    const { tags, ip } = pick(random, contextsFor(world, resource))
    const question: Question = {
      identity: pick(random, identities),
      action: pick(random, fewActions.of(resource.split(':')[4] as string)),
      resource,
      groups: [],
      at: from + Math.floor(random() * 300) * hour,
      ...(random() < 0.5 && { ip }),
      ...(tags && random() < 0.5 && { tags }),
    }
    yield { account, question, random }
  }
}

/** Whether words about a condition hold: `daily 01:00–05:00 UTC, from 192.0.2.0/24`, `on 2026-06-09 UTC, tag env = prod`. */
export function factsHold(words: string, { at, ip, tags }: Pick<Question, 'at' | 'ip' | 'tags'>): boolean {
  return words.split(', ').every((part) => {
    if (part.startsWith('from 192')) return ip === addresses[0]
    if (part.startsWith('tag env = ')) return tags?.get('env') === part.slice(10)
    return weekHolds(part, at)
  })
}
