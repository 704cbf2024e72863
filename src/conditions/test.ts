import { type Fault, type Read, strangeCharacter } from '../names.ts'
import { nearest } from '../nearest.ts'
import { utc, type WallClock, type Zone, type Zones } from '../zones.ts'
import { type Address, type AddressRange, inRange, readAddress, readRange } from './address.ts'
import { readDate, readWeekday, weekdays } from './time.ts'

export type Operator = 'EQ' | 'IN' | 'STARTS_WITH' | 'ENDS_WITH' | 'IN_RANGE' | 'BEFORE' | 'AFTER' | 'LT' | 'LE' | 'GT' | 'GE'
export type SubjectKind = 'tag' | 'name' | 'type' | 'ip' | 'date' | 'hour' | 'weekday'

/** What a condition compares. `parameter` is the tag's key or the time zone; '' for the others. */
export interface Subject {
  readonly kind: SubjectKind
  readonly parameter: string
  /** Of a date, an hour or a weekday. */
  readonly zone?: Zone
}

export interface ConditionKey {
  readonly subject: Subject
  readonly operator: Operator
}

interface SubjectRow {
  /** How the subject is written; `(…)` where it takes a parameter. */
  readonly text: string
  readonly operators: readonly Operator[]
  readonly value: string
}

/** What each subject is compared by (docs/semantics.md, Conditions). */
export const subjects: Readonly<Record<SubjectKind, SubjectRow>> = {
  tag: { text: 'resource.Tag(<key>)', operators: ['EQ', 'STARTS_WITH', 'ENDS_WITH'], value: 'a string' },
  name: { text: 'resource.Name', operators: ['EQ', 'IN', 'STARTS_WITH', 'ENDS_WITH'], value: 'the name part of a resource URN' },
  type: { text: 'resource.Type', operators: ['EQ', 'IN', 'STARTS_WITH', 'ENDS_WITH'], value: 'a resource type' },
  ip: { text: 'request.IP', operators: ['EQ', 'IN', 'IN_RANGE'], value: 'an IP address such as `192.0.2.1`' },
  date: { text: 'date(<zone>).Date', operators: ['EQ', 'IN', 'BEFORE', 'AFTER'], value: 'a date written `YYYY-MM-DD`' },
  hour: { text: 'date(<zone>).Hour', operators: ['EQ', 'IN', 'BEFORE', 'AFTER', 'LT', 'LE', 'GT', 'GE'], value: 'an hour from 0 to 23' },
  weekday: {
    text: 'date(<zone>).WeekDay',
    operators: ['EQ', 'IN', 'BEFORE', 'AFTER', 'LT', 'LE', 'GT', 'GE'],
    value: 'an English weekday such as `Monday`',
  },
}

const fixed: Readonly<Record<string, SubjectKind>> = { 'resource.Name': 'name', 'resource.Type': 'type', 'request.IP': 'ip' }
const dateParts: ReadonlyMap<string, SubjectKind> = new Map([
  ['Date', 'date'],
  ['Hour', 'hour'],
  ['WeekDay', 'weekday'],
])

/** Which part of a key could not be understood: there is a rule for each. */
export type KeyProblem = Fault & { readonly part: 'key' | 'operator' | 'zone' }

/**
 * The name of a comparison that is not understood: another one for each key and value. A key that holds what stands between
 * the two, or begins as a whole condition does, is quoted.
 */
export function comparisonName(key: string, value: string): string {
  return `condition:${/[="]|^[[{]/.test(key) ? JSON.stringify(key) : key}=${value}`
}

/** Print a key in its canonical spelling, without the operator `EQ`. */
export function printConditionKey({ subject, operator }: ConditionKey): string {
  const text = printSubject(subject)
  return operator === 'EQ' ? text : `${text}.${operator}`
}

export function printSubject({ kind, parameter }: Subject): string {
  return subjects[kind].text.replace(/<.*?>/, () => parameter)
}

/** Read `<subject>[.<OPERATOR>]`. Operators are compared without case; subjects are not. */
export function readConditionKey(
  text: string,
  zones: Pick<Zones, 'get'>,
): { readonly value: ConditionKey; readonly faults?: undefined } | { readonly value?: undefined; readonly faults: readonly KeyProblem[] } {
  const fail = (part: KeyProblem['part'], from: number, to: number, message: string, suggestion?: string, help?: string) => ({
    faults: [
      {
        part,
        from,
        to,
        message,
        ...(suggestion !== undefined && readConditionKey(suggestion, zones).value && { suggestion }),
        ...(help !== undefined && { help }),
      },
    ],
  })
  const strange = text.startsWith('resource.Tag(') ? undefined : strangeCharacter(text)
  if (strange) {
    const { suggestion, ...rest } = strange
    return { faults: [{ ...(suggestion !== undefined && readConditionKey(suggestion, zones).value ? strange : rest), part: 'key' }] }
  }
  const split = splitKey(text)
  if (!split) {
    const suggestion = likelyKey(text)
    return fail(
      'key',
      0,
      text.length,
      `unknown condition key \`${text}\`: expected ${Object.values(subjects)
        .map((s) => `\`${s.text}\``)
        .join(', ')}`,
      suggestion,
    )
  }
  const { end } = split
  const zone = ofTime.has(split.subject.kind) ? zones.get(split.subject.parameter) : undefined
  const subject = zone ? { ...split.subject, zone } : split.subject
  if (subject.kind === 'tag' && subject.parameter === '')
    return fail('key', 0, end, 'the tag key is missing: expected `resource.Tag(<key>)`')
  if (ofTime.has(subject.kind) && !zone) {
    const open = text.indexOf('(')
    const near = nearest(subject.parameter, zoneNames())
    return fail(
      'zone',
      open + 1,
      open + 1 + subject.parameter.length,
      `unknown time zone \`${subject.parameter}\`: expected an IANA name such as \`Europe/Paris\``,
      near && `${text.slice(0, open + 1)}${near}${text.slice(open + 1 + subject.parameter.length)}`,
      /^[+-]?\d/.test(subject.parameter) ? 'write an IANA time zone or `UTC`: offsets ignore daylight saving time' : undefined,
    )
  }
  if (end === text.length) return { value: { subject, operator: 'EQ' } }
  const { operators } = subjects[subject.kind]
  const written = text.slice(end + 1)
  const operator = operators.find((o) => o === written.toUpperCase())
  if (operator) return { value: { subject, operator } }
  const help = instead(written.toUpperCase(), operators)
  const near = help === undefined ? nearest(written.toUpperCase(), operators) : undefined
  return fail(
    'operator',
    end + 1,
    text.length,
    `\`${written}\` is not an operator of \`${text.slice(0, end)}\`: expected ${operators.map((o) => `\`${o}\``).join(', ')}`,
    near && `${text.slice(0, end)}.${near}`,
    help,
  )
}

/** What to do if a subject lacks an operator that others, or other policy languages, have. */
function instead(written: string, operators: readonly Operator[]): string | undefined {
  if (/^(?:IS_?)?(?:NOT?|NE|NEQ|NIN|!=?)(?:_?(?:EQUALS?|EQ|IN|IN_?RANGE|STARTS_?WITH|ENDS_?WITH))?$/.test(written))
    return 'put the `MATCH` under a `NOT`'
  if (written === 'IN') return 'write an `OR` with one `MATCH` for each value'
  if (written === 'IN_RANGE' || written === 'BETWEEN')
    return operators.includes('GE') ? 'write two comparisons, with `GE` and `LT`: all values of a `MATCH` must hold' : undefined
  if (['LT', 'LE', 'GT', 'GE'].includes(written) && operators.includes('BEFORE'))
    return 'compare dates with `BEFORE` (earlier) and `AFTER` (that day or later)'
  return undefined
}

function zoneNames(): readonly string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone')]
}

function splitKey(text: string): { readonly subject: Subject; readonly end: number } | undefined {
  if (text.startsWith('resource.Tag(')) {
    const end = text.lastIndexOf(')') + 1
    const rest = text.slice(end)
    if (rest !== '' && !rest.startsWith('.')) return undefined
    return { subject: { kind: 'tag', parameter: text.slice(13, end - 1) }, end }
  }
  const date = /^date(?:\(([^()]*)\))?\.([A-Za-z]+)(?=\.|$)/.exec(text)
  if (date) {
    const kind = dateParts.get(date[2] as string)
    return kind && { subject: { kind, parameter: date[1] || 'UTC' }, end: date[0].length }
  }
  for (const [name, kind] of Object.entries(fixed)) {
    if (text === name || text.startsWith(`${name}.`)) return { subject: { kind, parameter: '' }, end: name.length }
  }
  return undefined
}

/** The key that was probably intended: other case, the zone after the part, or a typo. */
function likelyKey(text: string): string | undefined {
  const lower = text.toLowerCase()
  const moved = /^date\.(date|hour|weekday)\(([^()]*)\)(\..+)?$/.exec(lower)
  const spellings: [RegExp, string][] = [
    [/^resource\.tag\(/i, 'resource.Tag('],
    [/^resource\.name(?=\.|$)/i, 'resource.Name'],
    [/^resource\.type(?=\.|$)/i, 'resource.Type'],
    [/^request\.ip(?=\.|$)/i, 'request.IP'],
    [/^(date(?:\([^()]*\))?)\.date(?=\.|$)/i, '$1.Date'],
    [/^(date(?:\([^()]*\))?)\.hour(?=\.|$)/i, '$1.Hour'],
    [/^(date(?:\([^()]*\))?)\.weekday(?=\.|$)/i, '$1.WeekDay'],
  ]
  const candidates = spellings.map(([from, to]) => text.replace(from, to).replace(/^date(?=[(.])/i, 'date'))
  if (moved) {
    const zone = text.slice(text.indexOf('(') + 1, text.indexOf(')'))
    const part = [...dateParts.keys()].find((p) => p.toLowerCase() === moved[1]) as string
    candidates.unshift(`date(${zone}).${part}${text.slice(text.indexOf(')') + 1)}`)
  }
  const tag = /^(?:resource\.)?tags?[.:/([]([^\])]+)[\])]?$/i.exec(text)
  if (tag) candidates.push(`resource.Tag(${tag[1]})`)
  // A malformed tag is still a tag.
  if (!lower.startsWith('resource.tag'))
    candidates.push(nearest(text, [...Object.keys(fixed), ...Array.from(dateParts.keys(), (part) => `date.${part}`)]) ?? '')
  return candidates.find((candidate) => splitKey(candidate))
}

/** One comparison, understood: the key, and the value to compare with. */
export type Test = { readonly subject: Subject; readonly operator: Operator } & (
  | { readonly values: readonly string[]; readonly numbers?: undefined; readonly addresses?: undefined }
  | { readonly numbers: readonly number[]; readonly values?: undefined; readonly addresses?: undefined }
  | { readonly addresses: readonly AddressRange[]; readonly values?: undefined; readonly numbers?: undefined }
)

/** Read the value of a comparison. Lists (`IN`) are comma-separated; spaces around items do not count. */
export function readTest(key: ConditionKey, text: string): Read<Test> {
  const { subject, operator } = key
  const items: { readonly text: string; readonly from: number }[] = []
  if (operator === 'IN') {
    let from = 0
    for (const part of text.split(',')) {
      items.push({ text: part.trim(), from: from + (part.length - part.trimStart().length) })
      from += part.length + 1
    }
  } else items.push({ text, from: 0 })

  if (subject.kind === 'tag' || subject.kind === 'name' || subject.kind === 'type') {
    return { value: { subject, operator, values: items.map((item) => item.text) } }
  }
  const faults: Fault[] = []
  // The text with every faulty item corrected, up to `done`; undefined once an item has no likely correction.
  let corrected: string | undefined = ''
  let done = 0
  const numbers: number[] = []
  const addresses: AddressRange[] = []
  const expected = operator === 'IN_RANGE' ? 'a range such as `192.0.2.0/24`' : subjects[subject.kind].value
  for (const item of items) {
    let meant: string | undefined
    let help: string | undefined
    if (subject.kind === 'ip') {
      const read = operator === 'IN_RANGE' ? readRange(item.text) : single(readAddress(item.text))
      if (read) {
        addresses.push(read)
        continue
      }
      if (readAddress(item.text)) meant = `${item.text}/${item.text.includes(':') ? 128 : 32}`
      help = addressHelp(item.text, operator)
    } else {
      const number =
        subject.kind === 'date' ? readDate(item.text) : subject.kind === 'weekday' ? readWeekday(item.text) : readHour(item.text)
      if (number !== undefined) {
        numbers.push(number)
        continue
      }
      ;[meant, help] = clockHelp[subject.kind](item.text)
    }
    const message = item.text === '' ? `empty: expected ${expected}` : `\`${item.text}\` is not ${expected}`
    faults.push({ from: item.from, to: item.from + item.text.length, message, ...(help !== undefined && { help }) })
    if (meant !== undefined && corrected !== undefined) corrected += text.slice(done, item.from) + meant
    else corrected = undefined
    done = item.from + item.text.length
  }
  const suggestion = corrected === undefined ? undefined : corrected + text.slice(done)
  if (faults.length > 0) return { faults: faults.map((fault) => ({ ...fault, ...(suggestion !== undefined && { suggestion }) })) }
  return { value: subject.kind === 'ip' ? { subject, operator, addresses } : { subject, operator, numbers } }
}

function addressHelp(text: string, operator: Operator): string | undefined {
  if (operator !== 'IN_RANGE') {
    if (!readRange(text)) return text.includes('*') ? 'compare with a range, using `IN_RANGE`: `192.0.2.0/24`' : undefined
    return operator === 'IN'
      ? 'compare with ranges in an `OR` with one `MATCH` for each, using `IN_RANGE`'
      : 'to compare with a range, write `request.IP.IN_RANGE`'
  }
  if (text.includes(',')) return '`IN_RANGE` takes one range: write an `OR` with one `MATCH` for each'
  const slash = text.lastIndexOf('/')
  const address = slash < 0 ? undefined : readAddress(text.slice(0, slash))
  return address && `the prefix length, after \`/\`, is a number from 0 to ${text.includes(':') ? 128 : 32}`
}

type Help = readonly [meant?: string | undefined, help?: string]

/** The likely correction of a malformed date, hour or weekday, or what to do. */
const clockHelp: Readonly<Record<'date' | 'hour' | 'weekday', (text: string) => Help>> = {
  date: (text) => {
    const [, first = '', second = '', third = ''] = /^(\d{1,4})[-./](\d{1,2})[-./](\d{1,4})$/.exec(text) ?? []
    const iso = (year: string, month: string, day: string) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
    if (first.length === 4) {
      const meant = iso(first, second, third)
      return [readDate(meant) === undefined ? undefined : meant, 'this day does not exist']
    }
    const meant = [iso(third, second, first), iso(third, first, second)].filter((date) => readDate(date) !== undefined)
    // Day and month in either order: only one of them is a date, or dots show that the day comes first.
    const isPlain = meant.length === 1 || meant[0] === meant[1] || text.includes('.')
    return [isPlain ? meant[0] : undefined, 'write the year first, then month and day, such as `2027-01-31`']
  },
  hour: (text) => {
    const [, hour = '', minutes = ''] = /^(\d{1,2})(?:[:h]([0-5]\d)?(?::00)?)?h?$/i.exec(text) ?? []
    if (hour === '24') return [undefined, 'the last hour of a day is 23, and midnight is 0']
    if (readHour(hour) === undefined) return []
    return Number(minutes) === 0 ? [String(Number(hour))] : [undefined, 'only whole hours are compared']
  },
  weekday: (text) => [
    weekdays.find((day) => text.length >= 2 && day.toLowerCase().startsWith(text.toLowerCase())) ?? nearest(text, weekdays),
    'write the English names: `Monday` to `Sunday`',
  ],
}

/** A number of a clock as a condition has it; undefined where there is none such. */
export function printNumber(kind: 'date' | 'hour' | 'weekday', number: number): string | undefined {
  if (kind === 'weekday') return weekdays[number]
  if (kind === 'hour') return number >= 0 && number < 24 ? String(number) : undefined
  return String(number)
    .padStart(8, '0')
    .replace(/(..)(..)$/, '-$1-$2')
}

function single(address: Address | undefined): AddressRange | undefined {
  return address && { family: address.family, first: address.value, last: address.value, hostBits: false }
}

function readHour(text: string): number | undefined {
  return /^(\d|[01]\d|2[0-3])$/.test(text) ? Number(text) : undefined
}

const ofTime: ReadonlySet<SubjectKind> = new Set<SubjectKind>(['date', 'hour', 'weekday'])

/** Whether a comparison looks at the time. */
export function isOfTime({ subject }: Test): boolean {
  return ofTime.has(subject.kind)
}

/** Whether a string (tag value, name or type) meets the test. */
export function holdsText({ operator, values = [] }: Test, actual: string): boolean {
  const part = values[0] as string
  switch (operator) {
    case 'STARTS_WITH':
      return actual.startsWith(part)
    case 'ENDS_WITH':
      return actual.endsWith(part)
    default:
      return values.includes(actual)
  }
}

/** Whether an address meets the test. The families never mix. */
export function holdsAddress({ addresses = [] }: Test, actual: Address): boolean {
  return addresses.some((range) => inRange(range, actual))
}

/** The zone whose clock a test looks at. */
export function zoneOf({ subject: { zone } }: Test): Zone {
  return zone ?? utc
}

/** Whether a test of the time holds at an instant: quick for many of the same years. */
export function holdsAt(test: Test, instant: number): boolean {
  return holdsClock(test, zoneOf(test).at(instant))
}

/** Whether a clock meets the test. BEFORE is `<` and AFTER is `>=`: not symmetric, as documented. */
export function holdsClock({ subject, operator, numbers = [] }: Test, clock: WallClock): boolean {
  const actual = subject.kind === 'date' ? clock.date : subject.kind === 'hour' ? clock.hour : clock.weekday
  const bound = numbers[0] as number
  switch (operator) {
    case 'BEFORE':
    case 'LT':
      return actual < bound
    case 'LE':
      return actual <= bound
    case 'GT':
      return actual > bound
    case 'AFTER':
    case 'GE':
      return actual >= bound
    default:
      return numbers.includes(actual)
  }
}
