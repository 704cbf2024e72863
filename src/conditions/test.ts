import { type Fault, type Read, strangeCharacter } from '../names.ts'
import { nearest } from '../nearest.ts'
import { utc, type WallClock, type Zone, type Zones } from '../zones.ts'
import { type Address, type AddressRange, inRanges, printAddress, printRange, readAddress, readRange, single } from './address.ts'
import { type ClockPart, hasNumber, hasString, type Interval, type MatchType, type ValueSet } from './sets.ts'
import { printDate, readDate, readWeekday, weekdays } from './time.ts'

export type Operator = 'EQ' | 'IN' | 'STARTS_WITH' | 'ENDS_WITH' | 'IN_RANGE' | 'BEFORE' | 'AFTER' | 'LT' | 'LE' | 'GT' | 'GE'
export type SubjectKind = 'tag' | 'name' | 'type' | 'ip' | ClockPart

/** The subject of a comparison. `parameter` is the tag's key or the time zone; '' for the others. */
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

/** The text, operators and values of each subject (docs/semantics.md, Conditions). */
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

interface OperatorRow {
  /** The value is a list with commas. */
  readonly isList?: true
  /** The value is a range of addresses. */
  readonly isRange?: true
  /** How strings match a value; `exact` unless given. */
  readonly matchType?: MatchType
  /** The numbers for which it holds, for one that is written; unless given, that number. */
  readonly interval?: (number: number) => Interval
  /** The relation of a date or an address to the value, in words; none for equality. */
  readonly relation?: string
}

const upTo = (last: number): Interval => ({ first: Number.NEGATIVE_INFINITY, last })
const onwards = (first: number): Interval => ({ first, last: Number.POSITIVE_INFINITY })

/** The set that each operator makes of the values that are written. BEFORE is `<` and AFTER is `>=`: not symmetric, as documented. */
export const operators: Readonly<Record<Operator, OperatorRow>> = {
  EQ: {},
  IN: { isList: true },
  STARTS_WITH: { matchType: 'prefix' },
  ENDS_WITH: { matchType: 'suffix' },
  IN_RANGE: { isRange: true, relation: 'in' },
  BEFORE: { interval: (number) => upTo(number - 1), relation: 'before' },
  AFTER: { interval: onwards, relation: 'on or after' },
  LT: { interval: (number) => upTo(number - 1), relation: 'before' },
  LE: { interval: upTo, relation: 'on or before' },
  GT: { interval: (number) => onwards(number + 1), relation: 'after' },
  GE: { interval: onwards, relation: 'on or after' },
}

/** The value that a key is compared with, in words. */
export function valueWords(kind: SubjectKind, operator: Operator): string {
  return operators[operator].isRange ? 'a range such as `192.0.2.0/24`' : subjects[kind].value
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
 * The name of a comparison that cannot be parsed: a different one for each key and value. A key that contains the separator of
 * the two, or begins like a whole condition, is quoted.
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
  const zone = isClockPart(split.subject.kind) ? zones.get(split.subject.parameter) : undefined
  const subject = zone ? { ...split.subject, zone } : split.subject
  if (subject.kind === 'tag' && subject.parameter === '')
    return fail('key', 0, end, 'the tag key is missing: expected `resource.Tag(<key>)`')
  if (isClockPart(subject.kind) && !zone) {
    const open = text.indexOf('(')
    const nearestZone = nearest(subject.parameter, zoneNames())
    return fail(
      'zone',
      open + 1,
      open + 1 + subject.parameter.length,
      `unknown time zone \`${subject.parameter}\`: expected an IANA name such as \`Europe/Paris\``,
      nearestZone && `${text.slice(0, open + 1)}${nearestZone}${text.slice(open + 1 + subject.parameter.length)}`,
      /^[+-]?\d/.test(subject.parameter) ? 'write an IANA time zone or `UTC`: offsets ignore daylight saving time' : undefined,
    )
  }
  if (end === text.length) return { value: { subject, operator: 'EQ' } }
  const { operators } = subjects[subject.kind]
  const written = text.slice(end + 1)
  const operator = operators.find((o) => o === written.toUpperCase())
  if (operator) return { value: { subject, operator } }
  const help = instead(written.toUpperCase(), operators)
  const nearestOperator = help === undefined ? nearest(written.toUpperCase(), operators) : undefined
  return fail(
    'operator',
    end + 1,
    text.length,
    `\`${written}\` is not an operator of \`${text.slice(0, end)}\`: expected ${operators.map((o) => `\`${o}\``).join(', ')}`,
    nearestOperator && `${text.slice(0, end)}.${nearestOperator}`,
    help,
  )
}

/** The help for a subject that lacks an operator which others, or other policy languages, have. */
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

/** One parsed comparison: the key, and the values for which it holds. */
export interface Test extends ConditionKey {
  readonly set: ValueSet
}

export function stringTest(subject: Subject, operator: Operator, values: readonly string[]): Test {
  return { subject, operator, set: { kind: 'strings', matchType: operators[operator].matchType ?? 'exact', values } }
}

export function numberTest(subject: Subject & { readonly kind: ClockPart }, operator: Operator, named: readonly number[]): Test {
  const { interval = (number) => ({ first: number, last: number }) } = operators[operator]
  return { subject, operator, set: { kind: 'numbers', part: subject.kind, named, intervals: named.map(interval) } }
}

export function addressTest(operator: Operator, named: readonly AddressRange[]): Test {
  return { subject: { kind: 'ip', parameter: '' }, operator, set: { kind: 'addresses', named, ranges: named } }
}

/** The values that are written in a comparison, each in its canonical spelling. */
export function writtenValues({ operator, set }: Test): readonly string[] {
  switch (set.kind) {
    case 'strings':
      return set.values
    case 'numbers':
      return set.named.map((number) => printNumber(set.part, number))
    case 'addresses':
      return set.named.map((range) =>
        operators[operator].isRange ? printRange(range) : printAddress({ family: range.family, value: range.first }),
      )
    default:
      return set satisfies never
  }
}

/** The items of a value: of a list those between commas, without the spaces around them, else the whole. */
export function itemsIn(operator: Operator, text: string): readonly { readonly text: string; readonly from: number }[] {
  if (!operators[operator].isList) return [{ text, from: 0 }]
  let next = 0
  return text.split(',').map((part) => {
    const from = next + (part.length - part.trimStart().length)
    next += part.length + 1
    return { text: part.trim(), from }
  })
}

/** Read the value of a comparison. */
export function readTest({ subject, operator }: ConditionKey, text: string): Read<Test> {
  const items = itemsIn(operator, text)
  const { kind } = subject
  if (kind === 'tag' || kind === 'name' || kind === 'type') {
    return {
      value: stringTest(
        subject,
        operator,
        items.map((item) => item.text),
      ),
    }
  }
  const faults: Fault[] = []
  // The text with every faulty item corrected, up to `done`; undefined once an item has no likely correction.
  let corrected: string | undefined = ''
  let done = 0
  const numbers: number[] = []
  const addresses: AddressRange[] = []
  const expected = valueWords(kind, operator)
  for (const item of items) {
    let meant: string | undefined
    let help: string | undefined
    if (kind === 'ip') {
      const address = readAddress(item.text)
      const range = operators[operator].isRange ? readRange(item.text) : address && single(address)
      if (range) {
        addresses.push(range)
        continue
      }
      if (address) meant = `${item.text}/${item.text.includes(':') ? 128 : 32}`
      help = addressHelp(item.text, operator)
    } else {
      const number = clockReaders[kind](item.text)
      if (number !== undefined) {
        numbers.push(number)
        continue
      }
      ;[meant, help] = clockHelp[kind](item.text)
    }
    const message = item.text === '' ? `empty: expected ${expected}` : `\`${item.text}\` is not ${expected}`
    faults.push({ from: item.from, to: item.from + item.text.length, message, ...(help !== undefined && { help }) })
    if (meant !== undefined && corrected !== undefined) corrected += text.slice(done, item.from) + meant
    else corrected = undefined
    done = item.from + item.text.length
  }
  const suggestion = corrected === undefined ? undefined : corrected + text.slice(done)
  if (faults.length > 0) return { faults: faults.map((fault) => ({ ...fault, ...(suggestion !== undefined && { suggestion }) })) }
  return {
    value:
      kind === 'ip' ? addressTest(operator, addresses) : numberTest(subject as Subject & { readonly kind: ClockPart }, operator, numbers),
  }
}

function addressHelp(text: string, operator: Operator): string | undefined {
  if (!operators[operator].isRange) {
    if (!readRange(text)) return text.includes('*') ? 'compare with a range, using `IN_RANGE`: `192.0.2.0/24`' : undefined
    return operators[operator].isList
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
const clockHelp: Readonly<Record<ClockPart, (text: string) => Help>> = {
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

/** A number of a clock as a condition writes it. */
export function printNumber(part: ClockPart, number: number): string {
  if (part === 'date') return printDate(number)
  return part === 'hour' ? String(number) : (weekdays[number] as string)
}

function readHour(text: string): number | undefined {
  return /^(\d|[01]\d|2[0-3])$/.test(text) ? Number(text) : undefined
}

const clockReaders: Readonly<Record<ClockPart, (text: string) => number | undefined>> = {
  date: readDate,
  hour: readHour,
  weekday: readWeekday,
}

function isClockPart(kind: SubjectKind): kind is ClockPart {
  return kind in clockReaders
}

/** Whether a comparison looks at the time. */
export function isOfTime({ set }: Test): boolean {
  return set.kind === 'numbers'
}

/** Whether a string (tag value, name or type) meets the test. */
export function holdsText({ set }: Test, actual: string): boolean {
  return set.kind === 'strings' && hasString(set, actual)
}

/** Whether an address meets the test. The families never mix. */
export function holdsAddress({ set }: Test, actual: Address): boolean {
  return set.kind === 'addresses' && inRanges(set.ranges, actual)
}

/** The zone whose clock a test looks at. */
export function zoneOf({ subject: { zone } }: Test): Zone {
  return zone ?? utc
}

/** Whether a test of the time holds at an instant: quick for many of the same years. */
export function holdsAt(test: Test, instant: number): boolean {
  return holdsClock(test, zoneOf(test).at(instant))
}

/** Whether a clock meets the test. */
export function holdsClock({ set }: Test, clock: WallClock): boolean {
  if (set.kind !== 'numbers') return false
  return hasNumber(set, set.part === 'date' ? clock.date : set.part === 'hour' ? clock.hour : clock.weekday)
}
