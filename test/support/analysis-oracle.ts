import type { ConditionJson, PermissionsJson, PolicyJson, QuestionJson, Random, WorldJson } from './worlds.ts'
import { pick, shuffled } from './worlds.ts'

/**
 * Inclusion decided another way: by trying every question that entries of small alphabets can distinguish. Names are
 * listed outright, every text over a few letters up to some length, with a letter among them that no entry holds; then
 * those that the entries of a pair of worlds treat alike are tried once. Nothing of `src` is used: worlds are read as
 * plain JSON, and matching, conditions and decisions are written again.
 *
 * And pairs of worlds to decide, the second mostly the first with a few edits.
 */

// The alphabets. Every entry of a generated world is one of these, so that the names can be listed once.

const actionEntries = [
  ...['*', 'p:*', 'q:*', 'p*', 'p:apisvc:*', 'p:apisvc:a*', 'p:apisvc:a/*', '*a', '*b', '*/b', '*:a'],
  ...['p:apisvc:a', 'p:apisvc:b', 'p:apisvc:a/b', 'p:apisvc:ab', 'q:apisvc:a', 'q:apisvc:b'],
  ...['*:apisvc:*', 'p:*a', '*a*', 'p:*a*b', '*a*b', '*b*a', 'p:apisvc:*b', '*:*', '*:*:*', 'p:*:a'],
]
const resourceEntries = [
  ...['*', '*:*', 't:*', 'u:*', 't:a', 't:b', 't:ab', 'u:a', 't:a*', 't:ab*', 'u:a*', '*:a', '*:a*', 't*:a', 't*', 'tu:*', '*u:*'],
  ...['t:*b', 't:a*b', '*:*b', 't:*a*', 't:a:b', 't:*:b', 't*u:a*'],
].map((rest) => `urn:v1:eu:resource:${rest}`)
const otherRegion = ['*', 't:a', 't:*'].map((rest) => `urn:v1:ca:resource:${rest}`)
const members = ['t:a', 't:ab', 'u:a', 't:b'].map((rest) => `urn:v1:eu:resource:${rest}`)
const resourceGroups = ['urn:v1:eu:resourceGroup:m1', 'urn:v1:eu:resourceGroup:m2']
const unknownResourceGroups = ['urn:v1:eu:resourceGroup:m9', 'urn:v1:eu:resourceGroup:n9']
const resourceGroupPatterns = ['urn:v1:eu:resourceGroup:*', 'urn:v1:eu:resourceGroup:m*']
const selfEntries = [
  ...[
    'user:a/u',
    'user:a/v',
    'user:a/uv',
    'user:b/u',
    'user:a/*',
    'user:a/u*',
    'user:*',
    'user:a*',
    'credential:a/oauth2-u',
    'credential:a/*',
  ],
  ...['account:a', 'account:*'],
].map((rest) => `urn:v1:eu:identity:${rest}`)
const groupEntries = ['a/g', 'a/h', 'a/*', 'a/g*', '*', 'b/g'].map((rest) => `urn:v1:eu:identity:group:${rest}`)
const plainGroups = groupEntries.filter((text) => !text.endsWith('*'))
const describable = selfEntries.filter((text) => !text.endsWith('*'))
const permissionsGroups = ['urn:v1:eu:permissionsGroup:svc:r', 'urn:v1:eu:permissionsGroup:svc:w']
const unknownPermissionsGroups = ['urn:v1:eu:permissionsGroup:svc:far']
const textTests: readonly (readonly [string, string])[] = [
  ...(['k', 'e'] as const).flatMap((key) => [
    [`resource.Tag(${key})`, 'a'] as const,
    [`resource.Tag(${key})`, 'ab'] as const,
    [`resource.Tag(${key}).STARTS_WITH`, 'a'] as const,
    [`resource.Tag(${key}).ENDS_WITH`, 'b'] as const,
    [`resource.Tag(${key}).STARTS_WITH`, 'ab'] as const,
    [`resource.Tag(${key}).ENDS_WITH`, 'ab'] as const,
  ]),
  ['resource.Name', 'a'],
  ['resource.Name.STARTS_WITH', 'a'],
  ['resource.Name.ENDS_WITH', 'b'],
  ['resource.Name.ENDS_WITH', ':b'],
  ['resource.Name.IN', 'a, ab'],
  ['resource.Name', ''],
  ['resource.Type', 't'],
  ['resource.Type.IN', 'u,tu'],
  ['resource.Type.STARTS_WITH', 't'],
  ['resource.Type.ENDS_WITH', 'u'],
  ['resource.Type', 't:a'],
]
const addressTests: readonly (readonly [string, string])[] = [
  ['request.IP', '192.0.2.4'],
  ['request.IP.IN_RANGE', '192.0.2.4/31'],
  ['request.IP.IN_RANGE', '192.0.2.0/24'],
  ['request.IP.IN', '192.0.2.5, 10.0.0.1'],
  ['request.IP.IN_RANGE', '0.0.0.0/1'],
  ['request.IP.IN_RANGE', '128.0.0.0/1'],
]
const clockTests: readonly (readonly [string, string])[] = [
  ['date().Hour.LT', '9'],
  ['date(Europe/Paris).Hour.GE', '9'],
  ['date(Europe/Paris).Hour', '2'],
  ['date(America/New_York).Hour.LT', '3'],
  ['date().WeekDay', 'Monday'],
  ['date(Europe/Paris).WeekDay.AFTER', 'Saturday'],
  ['date(America/New_York).WeekDay.IN', 'Sunday,Monday'],
  ['date().Date.BEFORE', '2026-03-29'],
  ['date(Europe/Paris).Date.AFTER', '2026-03-29'],
  ['date(Europe/Paris).Date', '2026-03-29'],
]
const expiries = ['2026-03-28T23:30:00Z', '2026-07-01T12:00:00Z']
const opaqueTests: readonly (readonly [string, string])[] = [
  ['request.Country', 'FR'],
  ['request.Mood', 'good'],
]

// Matching, conditions and the listing of names, written again.

/** Whether a pattern matches a text: try every end of every wildcard. */
export function naiveMatch(pattern: string, text: string): boolean {
  const star = pattern.indexOf('*')
  if (star < 0) return pattern === text
  if (!text.startsWith(pattern.slice(0, star))) return false
  const rest = pattern.slice(star + 1)
  for (let from = star; from <= text.length; from++) if (naiveMatch(rest, text.slice(from))) return true
  return false
}

/** Every text over the letters, from the least to the greatest length. */
function textsOver(letters: string, least: number, most: number): string[] {
  let level = ['']
  const out: string[] = []
  for (let length = 0; length <= most; length++) {
    if (length >= least) out.push(...level)
    level = level.flatMap((text) => [...letters].map((letter) => text + letter))
  }
  return out
}

interface Name {
  readonly text: string
  readonly type: string
  readonly name: string
}

/** One name of each class that the entries distinguish. */
function distinct<T>(items: readonly T[], signature: (item: T) => string): T[] {
  const seen = new Map<string, T>()
  for (const item of items) {
    const key = signature(item)
    if (!seen.has(key)) seen.set(key, item)
  }
  return [...seen.values()]
}

function bits(truths: readonly boolean[]): string {
  return truths.map((t) => (t ? '1' : '0')).join('')
}

/** Whether each entry takes each name of a list: worked out once, since entries come from small alphabets. */
class Columns<T> {
  readonly names: readonly T[]
  private readonly truth: (entry: string, name: T) => boolean
  private readonly known = new Map<string, Uint8Array>()

  constructor(names: readonly T[], truth: (entry: string, name: T) => boolean) {
    this.names = names
    this.truth = truth
  }

  of(entry: string): Uint8Array {
    const known = this.known.get(entry) ?? Uint8Array.from(this.names, (name) => (this.truth(entry, name) ? 1 : 0))
    this.known.set(entry, known)
    return known
  }

  /** The places of one name of each class that the entries distinguish. */
  classes(entries: Iterable<string>, apart: (name: T) => number = () => 0): number[] {
    const columns = [...new Set(entries)].map((entry) => this.of(entry))
    if (columns.length > 40) throw new Error('too many entries for one number')
    const seen = new Map<number, number>()
    for (let i = 0; i < this.names.length; i++) {
      let signature = apart(this.names[i] as T)
      for (const column of columns) signature = signature * 2 + (column[i] as number)
      if (!seen.has(signature)) seen.set(signature, i)
    }
    return [...seen.values()]
  }
}

const actionNames = (() => {
  const paths = textsOver('abx/', 1, 6).filter((path) => !/^\/|\/$|\/\//.test(path))
  const short = paths.filter((path) => path.length <= 3)
  const inside = ['x', 'a', 'b', 'a/b', 'xb', 'xa', 'x:a', 'a:b'].flatMap((rest) => [`:apisvc:${rest}`, `b:apisvc:${rest}`])
  const parameters = ['x:a', 'a', 'x:b', 'x', 'b', 'x/b', 'xb:a', ':a', 'b:x:b', ...inside].flatMap((rest) =>
    short.map((path) => `${path}?${rest}`),
  )
  const all: string[] = []
  for (const product of ['p', 'q', 'x', 'px', 'a'])
    for (const namespace of ['apisvc', 'x', 'a']) for (const path of [...paths, ...parameters]) all.push(`${product}:${namespace}:${path}`)
  return distinct(all, (text) => bits(actionEntries.map((entry) => naiveMatch(entry, text))))
})()

const textOperators: Record<string, (actual: string, value: string) => boolean> = {
  '': (actual, value) => actual === value,
  IN: (actual, value) => value.split(',').some((item) => item.trim() === actual),
  STARTS_WITH: (actual, value) => actual.startsWith(value),
  ENDS_WITH: (actual, value) => actual.endsWith(value),
}

function nameTest(key: string, value: string, { type, name }: Name): boolean {
  const [, subject, operator = ''] = key.split('.')
  return (textOperators[operator] as (a: string, v: string) => boolean)(subject === 'Type' ? type : name, value)
}

const nameTests = textTests.filter(([key]) => !key.startsWith('resource.Tag'))

const resourceNames: readonly Name[] = (() => {
  const all: Name[] = []
  const [long, middle, short] = [5, 3, 1].map((most) => textsOver('abxu:', 1, most)) as [string[], string[], string[]]
  // A name may hold what looks like a type of its own.
  const inside = ['', 'x', 'a', 'ab', 'b', 'abx', 'a:'].flatMap((head) =>
    ['', 'b', 'x', 'xb', 'ab', ':b', 'x:b', 'bx'].map((tail) => `${head}u:a${tail}`),
  )
  for (const [region, types, names] of [
    ['eu', ['t', 'u', 'x'], [...long, ...inside]],
    ['eu', textsOver('tux', 2, 3), middle],
    ['ca', textsOver('tux', 1, 2), middle],
    ['zz', ['x'], short],
  ] as const) {
    for (const type of types) for (const name of names) all.push({ text: `urn:v1:${region}:resource:${type}:${name}`, type, name })
  }
  const entries = [...resourceEntries, ...otherRegion, ...members]
  return distinct(all, (n) =>
    bits([...entries.map((e) => naiveMatch(e, n.text)), ...nameTests.map(([key, value]) => nameTest(key, value, n))]),
  )
})()

const selfNames = [
  ...['a', 'b', 'x', 'ax'].flatMap((account) => [
    ...['u', 'v', 'x', 'uv', 'ux'].map((login) => `urn:v1:eu:identity:user:${account}/${login}`),
    ...['oauth2-u', 'oauth2-x'].map((id) => `urn:v1:eu:identity:credential:${account}/${id}`),
    `urn:v1:eu:identity:account:${account}`,
  ]),
]
/** One who is named by no entry at all. */
const noIdentity = 'urn:v1:zz:identity:user:x/x'
const groupNames = ['a', 'b', 'x'].flatMap((account) => ['g', 'h', 'x', 'gx'].map((name) => `urn:v1:eu:identity:group:${account}/${name}`))

const tagTexts = [null, ...textsOver('abx', 0, 4)]
const addressTexts = ['192.0.2.4', '192.0.2.5', '192.0.2.6', '192.0.3.1', '10.0.0.1', '10.0.0.2', '2001:db8::1']

function v4(text: string): number {
  return text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
}

function addressTest(key: string, value: string, actual: string): boolean {
  if (actual.includes(':')) return false
  if (!key.endsWith('IN_RANGE')) return value.split(',').some((item) => item.trim() === actual)
  const [base, length] = value.split('/') as [string, string]
  const size = 2 ** (32 - Number(length))
  return Math.floor(v4(actual) / size) === Math.floor(v4(base) / size)
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** The time of a clock in a zone: the day of the week from Monday, the hour, and the date as one number. */
function clockIn(format: Intl.DateTimeFormat, at: number): Record<string, number> {
  const parts = Object.fromEntries(format.formatToParts(at).map((part) => [part.type, part.value])) as Record<string, string>
  const date = Number(`${parts.year}${parts.month}${parts.day}`)
  return { WeekDay: weekdays.indexOf(parts.weekday as string), Hour: Number(parts.hour), Date: date }
}

function clockTest(key: string, value: string, shown: (zone: string) => Record<string, number>): boolean {
  const [, zone, part, operator] = /^date\((.*)\)\.(\w+)(?:\.(\w+))?$/.exec(key) as unknown as [string, string, string, string?]
  const actual = shown(zone)[part] as number
  const bounds = value
    .split(',')
    .map((item) => (part === 'WeekDay' ? weekdays.indexOf(item) : part === 'Hour' ? Number(item) : Number(item.replace(/-/g, ''))))
  const bound = bounds[0] as number
  if (operator === 'LT' || operator === 'BEFORE') return actual < bound
  if (operator === 'GE' || operator === 'AFTER') return actual >= bound
  return bounds.includes(actual)
}

const actions = new Columns(actionNames, naiveMatch)
/** Of resources: entries, and tests on type and name, which are written in three lines. */
const resources = new Columns(resourceNames, (entry, name) => {
  const [kind, key, value] = entry.split('\n') as [string, string?, string?]
  return key === undefined ? naiveMatch(kind, name.text) : nameTest(key, value as string, name)
})
const identities = new Columns([noIdentity, ...selfNames, ...groupNames], naiveMatch)
const placeOf = new Map(identities.names.map((name, i) => [name, i]))

/** Instants of a year and a half, hour by hour, and the moments around expiries; one of each class, with its truths. */
const instants = (() => {
  const all: number[] = []
  for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 2, 1); at += 3_600_000) all.push(at)
  for (const expiry of expiries) for (const shift of [-1, 0, 1]) all.push(Date.parse(expiry) + shift)
  const numeric = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit' } as const
  const formats = ['', 'Europe/Paris', 'America/New_York'].map(
    (zone) => [zone, new Intl.DateTimeFormat('en-GB', { timeZone: zone || 'UTC', hourCycle: 'h23', weekday: 'long', ...numeric })] as const,
  )
  const truths = all.map((at) => {
    const shown = new Map(formats.map(([zone, format]) => [zone, clockIn(format, at)]))
    const truth = new Map([
      ...clockTests.map(
        ([key, value]) => [`${key}=${value}`, clockTest(key, value, (zone) => shown.get(zone) as Record<string, number>)] as const,
      ),
      ...expiries.map((expiry) => [expiry, at <= Date.parse(expiry)] as const),
    ])
    return { at, truths: truth }
  })
  return distinct(truths, (t) => bits([...t.truths.values()]))
})()

// The decision, over classes.

type Instant = (typeof instants)[number]

interface Fact {
  readonly name: string
  readonly values: readonly unknown[]
}
type Setting = ReadonlyMap<string, unknown>

/** A question with new access, and what is assumed of the unknown facts. */
export interface Finding {
  readonly question: QuestionJson
  readonly assumed: ReadonlyMap<string, unknown>
}

function leaves(condition: ConditionJson | undefined, out: [string, string][] = []): [string, string][] {
  if (!condition) return out
  for (const [key, value] of Object.entries(condition.values ?? {})) out.push([key, value])
  for (const child of condition.conditions ?? []) leaves(child, out)
  return out
}

function holds(condition: ConditionJson | undefined, setting: Setting, name: Name): boolean {
  if (!condition) return true
  const children = condition.conditions ?? []
  if (condition.operator === 'AND') return children.every((child) => holds(child, setting, name))
  if (condition.operator === 'OR') return children.some((child) => holds(child, setting, name))
  if (condition.operator === 'NOT') return !children.some((child) => holds(child, setting, name))
  return Object.entries(condition.values ?? {}).every(([key, value]) => leafHolds(key, value, setting, name))
}

function leafHolds(key: string, value: string, setting: Setting, name: Name): boolean {
  const tag = /^resource\.Tag\((.)\)\.?(.*)$/.exec(key)
  if (tag) {
    const actual = setting.get(`tag ${tag[1]}`) as string | null
    return actual !== null && (textOperators[tag[2] as string] as (a: string, v: string) => boolean)(actual, value)
  }
  if (key.startsWith('resource.')) return nameTest(key, value, name)
  if (key.startsWith('request.IP')) return addressTest(key, value, setting.get('ip') as string)
  if (key.startsWith('date')) return (setting.get('at') as Instant).truths.get(`${key}=${value}`) as boolean
  return setting.get(`condition ${key}=${value}`) as boolean
}

/** Every way to set the facts that the policies look at. */
function settings(policies: readonly PolicyJson[], facts: readonly Fact[]): readonly Setting[] {
  const tags = new Map<string, [string, string][]>()
  const addresses: [string, string][] = []
  const clock: string[] = []
  const all: Fact[] = [...facts]
  const opaque = new Set<string>()
  for (const policy of policies) {
    if (policy.expiredAt) clock.push(policy.expiredAt)
    for (const [key, value] of leaves(policy.conditions)) {
      if (key.startsWith('resource.Tag')) tags.set(key[13] as string, [...(tags.get(key[13] as string) ?? []), [key.slice(16), value]])
      else if (key.startsWith('request.IP')) addresses.push([key, value])
      else if (key.startsWith('date')) clock.push(`${key}=${value}`)
      else if (!key.startsWith('resource.')) opaque.add(`condition ${key}=${value}`)
    }
  }
  for (const name of opaque) all.push({ name, values: [true, false] })
  for (const [key, tests] of tags) {
    const values = distinct(tagTexts, (text) =>
      text === null
        ? 'absent'
        : bits(tests.map(([operator, value]) => (textOperators[operator] as (a: string, v: string) => boolean)(text, value))),
    )
    all.push({ name: `tag ${key}`, values })
  }
  if (addresses.length > 0)
    all.push({ name: 'ip', values: distinct(addressTexts, (ip) => bits(addresses.map(([key, value]) => addressTest(key, value, ip)))) })
  if (clock.length > 0)
    all.push({ name: 'at', values: distinct(instants, ({ truths }) => bits(clock.map((key) => truths.get(key) as boolean))) })
  let out: Setting[] = [new Map()]
  for (const { name, values } of all) out = out.flatMap((setting) => values.map((value) => new Map([...setting, [name, value]])))
  return out
}

type Outcome = 'allow' | 'deny' | 'nothing'

/** For each class of callers, resources and settings: the classes of actions that are granted, as a set of bits. */
interface Compiled {
  readonly policy: PolicyJson
  readonly callers: readonly boolean[]
  readonly resources: readonly (boolean | readonly string[])[]
  readonly sets: readonly { readonly allowed: Mask; readonly denied: Mask; readonly unknown?: string }[]
}

interface CallerClass {
  readonly self: string
  readonly groups: readonly string[]
}

export type Answer = { readonly kind: 'none' | 'too many' } | { readonly kind: 'new'; readonly finding: Finding }

const isGroup = (text: string) => text.includes(':group:')
const entriesOf = ({ allow = [], except = [], deny = [] }: PermissionsJson) => [...allow, ...except, ...deny].map(({ action }) => action)

/** Every kind of caller that the entries distinguish: one self, and up to two groups besides those it brings. */
function callersOf(a: WorldJson, b: WorldJson, entries: readonly string[]): readonly CallerClass[] {
  const described = new Set([...a.identities, ...b.identities].map(({ urn }) => urn))
  const order = [...described]
  const classes = identities
    .classes(entries, (name) => order.indexOf(name) + (isGroup(name) ? 10 : 1))
    .map((i) => identities.names[i] as string)
  const groups = classes.filter(
    (text) => isGroup(text) && entries.some((entry) => isGroup(entry) && (identities.of(entry)[placeOf.get(text) as number] as number) > 0),
  )
  const callers: CallerClass[] = []
  for (const self of classes.filter((text) => !isGroup(text))) {
    callers.push({ self, groups: [] })
    for (const [i, group] of groups.entries()) {
      callers.push({ self, groups: [group] })
      for (const other of groups.slice(i + 1)) callers.push({ self, groups: [group, other] })
    }
  }
  return callers
}

/** Whether `a` grants anything that `b` does not. `settingsLimit`: pairs with more facts to set than this are left out. */
export function tryEverything(a: WorldJson, b: WorldJson, settingsLimit = 600): Answer {
  const policies = [...a.policies, ...b.policies]
  const unknowns = unknownFacts(a, b)
  const contexts = settings(policies, unknowns)
  if (contexts.length > settingsLimit) return { kind: 'too many' }

  const callers = callersOf(a, b, [...new Set(policies.flatMap((p) => p.identities))])
  const places = resources.classes([
    ...policies.flatMap((p) => p.resources.map(({ urn }) => urn)),
    ...[a, b].flatMap((world) => world.resourceGroups.flatMap((group) => group.resources.map(({ urn }) => urn as string))),
    ...policies.flatMap((p) =>
      leaves(p.conditions)
        .filter(([key]) => /^resource\.(Name|Type)/.test(key))
        .map((test) => ['', ...test].join('\n')),
    ),
  ])
  const kinds = actions.classes([
    ...policies.flatMap((p) => entriesOf(p.permissions)),
    ...[a, b].flatMap((w) => w.permissionsGroups.flatMap((g) => entriesOf(g.permissions))),
  ])
  if (kinds.length > 52) return { kind: 'too many' }
  // Sets of classes of actions, as bits: those of one half of the classes, and those of the other.
  const maskOf = (entries: readonly { action: string }[] = []): Mask => {
    const mask: [number, number] = [0, 0]
    for (const { action } of entries) {
      const column = actions.of(action)
      for (const [bit, i] of kinds.entries()) if (column[i]) mask[bit < 26 ? 0 : 1] |= 1 << (bit % 26)
    }
    return mask
  }
  const compile = (world: WorldJson): Compiled[] => {
    const brought = new Map(world.identities.map(({ urn, groups }) => [urn, groups]))
    const setOf = ({ allow, except, deny }: PermissionsJson) => {
      const [allowed, excepted] = [maskOf(allow), maskOf(except)]
      return { allowed: [allowed[0] & ~excepted[0], allowed[1] & ~excepted[1]] as Mask, denied: maskOf(deny) }
    }
    return world.policies.map((policy) => {
      const columns = policy.identities.map((entry) => identities.of(entry))
      const names = (text: string) => columns.some((column) => column[placeOf.get(text) as number])
      return {
        policy,
        callers: callers.map(({ self, groups }) => names(self) || groups.some(names) || (brought.get(self) ?? []).some(names)),
        resources: places.map((i) => {
          if (policy.resources.some(({ urn }) => isIn(world, urn, i))) return true
          const open = policy.resources.flatMap(({ urn }) => openGroups(world, urn, unknowns))
          return open.length > 0 ? open : false
        }),
        sets: [
          setOf(policy.permissions),
          ...(policy.permissionsGroups ?? []).map(({ urn }) => {
            const held = world.permissionsGroups.find((group) => group.urn === urn)
            return held ? setOf(held.permissions) : { allowed: nothing, denied: nothing, unknown: urn }
          }),
        ],
      }
    })
  }
  const [left, right] = [compile(a), compile(b)]

  for (const setting of contexts) {
    for (const [r, place] of places.entries()) {
      const open = (list: readonly Compiled[]) =>
        list.filter(({ policy, resources: at }) => {
          const there = at[r] as boolean | readonly string[]
          if (!(there === true || (there !== false && there.some((name) => setting.get(name) === true)))) return false
          if (policy.expiredAt && !(setting.get('at') as Instant).truths.get(policy.expiredAt)) return false
          return holds(policy.conditions, setting, resourceNames[place] as Name)
        })
      const here = open(left)
      if (here.length === 0) continue
      const there = open(right)
      for (const [c, caller] of callers.entries()) {
        const granted = grantedTo(here, c, setting)
        if (granted[0] === 0 && granted[1] === 0) continue
        const other = grantedTo(there, c, setting)
        const gained: Mask = [granted[0] & ~other[0], granted[1] & ~other[1]]
        const bit = kinds.findIndex((_, k) => gained[k < 26 ? 0 : 1] & (1 << (k % 26)))
        if (bit < 0) continue
        const action = actionNames[kinds[bit] as number] as string
        return { kind: 'new', finding: findingOf(caller, action, (resourceNames[place] as Name).text, setting) }
      }
    }
  }
  return { kind: 'none' }
}

type Mask = readonly [number, number]
const nothing: Mask = [0, 0]
const everything: Mask = [(1 << 26) - 1, (1 << 26) - 1]

function grantedTo(policies: readonly Compiled[], caller: number, setting: Setting): Mask {
  let [allowed0, allowed1, denied0, denied1] = [0, 0, 0, 0]
  for (const { callers, sets } of policies) {
    if (!callers[caller]) continue
    for (const set of sets) {
      const outcome = set.unknown === undefined ? undefined : (setting.get(`permissionsGroup ${set.unknown}`) as Outcome)
      const [allowed, denied] = [outcome === 'allow' ? everything : set.allowed, outcome === 'deny' ? everything : set.denied]
      allowed0 |= allowed[0]
      allowed1 |= allowed[1]
      denied0 |= denied[0]
      denied1 |= denied[1]
    }
  }
  return [allowed0 & ~denied0, allowed1 & ~denied1]
}

function findingOf({ self, groups: given }: CallerClass, action: string, resource: string, setting: Setting): Finding {
  const tags: Record<string, string> = {}
  const assumed = new Map<string, unknown>()
  for (const [name, value] of setting) {
    if (name.startsWith('tag ')) {
      if (value !== null) tags[name.slice(4)] = value as string
    } else if (name !== 'ip' && name !== 'at') assumed.set(name, value)
  }
  const at = (setting.get('at') as Instant | undefined)?.at ?? Date.UTC(2026, 0, 1)
  const ip = (setting.get('ip') as string | undefined) ?? '192.0.2.200'
  return { question: { identity: self, groups: [...given], action, resource, at: new Date(at).toISOString(), ip, tags }, assumed }
}

function isResourceGroup(urn: string): boolean {
  return urn.includes(':resourceGroup:')
}

function isIn(world: WorldJson, entry: string, place: number): boolean {
  if (!isResourceGroup(entry)) return resources.of(entry)[place] === 1
  const { text } = resourceNames[place] as Name
  return world.resourceGroups.some((group) => naiveMatch(entry, group.urn as string) && group.resources.some(({ urn }) => urn === text))
}

/** The unknown facts of a pair: members of groups that a side does not hold, and what permissions groups allow. */
function unknownFacts(a: WorldJson, b: WorldJson): readonly Fact[] {
  const facts = new Map<string, Fact>()
  for (const world of [a, b]) {
    for (const policy of world.policies) {
      for (const { urn } of policy.resources) {
        if (isUnknownGroup(world, urn)) facts.set(urn, { name: `resourceGroup ${urn}`, values: [true, false] })
      }
      for (const { urn } of policy.permissionsGroups ?? []) {
        if (!world.permissionsGroups.some((group) => group.urn === urn))
          facts.set(urn, { name: `permissionsGroup ${urn}`, values: ['allow', 'deny', 'nothing'] })
      }
    }
  }
  return [...facts.values()]
}

function isUnknownGroup(world: WorldJson, urn: string): boolean {
  return isResourceGroup(urn) && (urn.includes('*') || !world.resourceGroups.some((group) => group.urn === urn))
}

/** The unknown groups that an entry may mean: itself, and those of narrower entries. */
function openGroups(world: WorldJson, entry: string, facts: readonly Fact[]): readonly string[] {
  if (!isUnknownGroup(world, entry)) return []
  return facts
    .map(({ name }) => name)
    .filter((name) => name.startsWith('resourceGroup ') && naiveMatch(entry, name.slice('resourceGroup '.length)))
}

// Pairs of worlds.

export const edits = [
  ...['same', 'remove entry', 'add entry', 'move entry', 'deny to allow', 'allow to deny', 'move except', 'expire', 'change condition'],
  ...['change members', 'change identity', 'change permissions group', 'split', 'merge', 'reorder', 'duplicate', 'widen', 'narrow'],
  ...['remove policy', 'remove condition', 'unrelated', 'add deny', 'remove deny', 'allow what is denied'],
] as const
export type Edit = (typeof edits)[number]

export interface PairOfWorlds {
  readonly a: WorldJson
  readonly b: WorldJson
  readonly edits: readonly Edit[]
}

export interface PairKnobs {
  readonly policies: number
  /** The chance of an unknown fact, where one may be. */
  readonly unknown: number
}

/** A few of the entries, so that those of one world overlap. */
interface Palette {
  readonly actions: readonly string[]
  readonly resources: readonly string[]
  readonly identities: readonly string[]
  readonly tests: readonly (readonly [string, string])[]
}

function some<T>(random: Random, list: readonly T[], count: number): T[] {
  return shuffled(random, list).slice(0, count)
}

function palette(random: Random): Palette {
  const kind = random()
  return {
    actions: some(random, actionEntries, 5),
    resources: [...some(random, resourceEntries, 4), ...(random() < 0.1 ? [pick(random, otherRegion)] : [])],
    identities: [...some(random, selfEntries, 2), ...some(random, groupEntries, 2)],
    tests: some(
      random,
      kind < 0.5 ? textTests : kind < 0.7 ? addressTests : kind < 0.85 ? clockTests : [...textTests, ...addressTests, ...clockTests],
      3,
    ),
  }
}

function count(random: Random, most: number): number {
  return 1 + Math.floor(random() * random() * most)
}

function actionsOf(random: Random, from: Palette, most: number) {
  return some(random, from.actions, count(random, most)).map((action) => ({ action }))
}

function permissionsOf(random: Random, from: Palette): PermissionsJson {
  const roll = random()
  if (roll < 0.22) return { deny: actionsOf(random, from, 2) }
  return {
    allow: actionsOf(random, from, 3),
    ...(roll < 0.6 && { except: actionsOf(random, from, 3) }),
    ...(roll > 0.93 && { deny: actionsOf(random, from, 1) }),
  }
}

function conditionOf(random: Random, from: Palette, knobs: PairKnobs, depth: number): ConditionJson {
  if (random() < knobs.unknown) return { operator: 'MATCH', values: Object.fromEntries([pick(random, opaqueTests)]) }
  const roll = random()
  if (depth === 0 || roll < 0.6) return { operator: 'MATCH', values: Object.fromEntries(some(random, from.tests, count(random, 2))) }
  const operator = pick(random, ['AND', 'OR', 'NOT', 'NOT'])
  const children = random() < 0.04 ? 0 : operator === 'NOT' && random() < 0.7 ? 1 : 2
  return { operator, conditions: Array.from({ length: children }, () => conditionOf(random, from, knobs, depth - 1)) }
}

function resourcesOf(random: Random, from: Palette, knobs: PairKnobs) {
  return Array.from({ length: count(random, 3) }, () => {
    if (random() < 0.15) return { urn: pick(random, resourceGroups) }
    if (random() < knobs.unknown) return { urn: pick(random, [...unknownResourceGroups, ...resourceGroupPatterns]) }
    return { urn: pick(random, from.resources) }
  })
}

function policyOf(random: Random, from: Palette, knobs: PairKnobs, name: string): PolicyJson {
  const byGroup = random()
  return {
    name,
    identities: some(random, from.identities, count(random, 3)),
    resources: resourcesOf(random, from, knobs),
    permissions: byGroup < 0.06 ? {} : permissionsOf(random, from),
    ...(byGroup < 0.14 && {
      permissionsGroups: [{ urn: random() < knobs.unknown ? pick(random, unknownPermissionsGroups) : pick(random, permissionsGroups) }],
    }),
    ...(random() < 0.5 && { conditions: conditionOf(random, from, knobs, 2) }),
    ...(random() < 0.05 && { expiredAt: pick(random, expiries) }),
  }
}

function worldJson(random: Random, from: Palette, knobs: PairKnobs): WorldJson {
  const size = 1 + Math.floor(random() * knobs.policies)
  return {
    ...(random() < 0.2 && { account: 'a' }),
    policies: Array.from({ length: size }, (_, i) => policyOf(random, from, knobs, `p${i}`)),
    permissionsGroups: permissionsGroups.map((urn) => ({ urn, name: urn.slice(-1), permissions: permissionsOf(random, from) })),
    resourceGroups: resourceGroups.map((urn) => ({
      urn,
      name: urn.slice(-2),
      resources: some(random, members, 2).map((member) => ({ urn: member })),
    })),
    // Owners and tags of a world do not count where a question gives them.
    resources: random() < 0.2 ? [{ urn: pick(random, members), owner: pick(random, ['a', 'b']), tags: { k: 'a' } }] : [],
    identities: random() < 0.4 ? [{ urn: pick(random, describable), groups: some(random, plainGroups, count(random, 2)) }] : [],
  }
}

/** The lists that edits change are copied; entries and conditions are never changed in place. */
function copyOf(world: WorldJson): WorldJson {
  const policies = world.policies.map((policy) => {
    const lists = Object.entries(policy.permissions).map(([list, entries]) => [list, [...(entries ?? [])]])
    return {
      ...policy,
      identities: [...policy.identities],
      resources: [...policy.resources],
      permissions: Object.fromEntries(lists) as PermissionsJson,
    }
  })
  const [permissions, members] = [world.permissionsGroups, world.resourceGroups].map((list) => list.map((group) => ({ ...group })))
  return {
    ...world,
    policies,
    permissionsGroups: permissions as WorldJson['permissionsGroups'],
    resourceGroups: members as WorldJson['resourceGroups'],
  }
}

const has =
  (list: 'allow' | 'except' | 'deny') =>
  ({ permissions }: PolicyJson) =>
    (permissions[list] ?? []).length > 0

/** The policies that an edit is about, where others would stay as they are: an answer seldom depends on an edit that changes nothing. */
const meant: Partial<Record<Edit, (policy: PolicyJson) => boolean>> = {
  'deny to allow': has('deny'),
  'allow to deny': has('allow'),
  'move except': has('except'),
  'add deny': has('allow'),
  'remove deny': has('deny'),
  'allow what is denied': has('deny'),
  'remove condition': ({ conditions }) => conditions !== undefined,
}

/** The first with one more edit. */
function edited(random: Random, world: WorldJson, from: Palette, knobs: PairKnobs): { readonly world: WorldJson; readonly edit: Edit } {
  const edit = pick(random, edits)
  const next = copyOf(world)
  const fitting = next.policies.filter(meant[edit] ?? (() => true))
  const policy = pick(random, fitting.length > 0 ? fitting : next.policies)
  const at = next.policies.indexOf(policy)
  const lists = Object.values(policy.permissions).filter((entries) => entries.length > 0)
  const list = (lists.length > 0 ? pick(random, lists) : []) as { action: string }[]
  const entries: unknown[] = pick(random, [policy.identities, policy.resources, list, list, list] as unknown[][])
  const fresh = () =>
    entries === policy.identities
      ? pick(random, from.identities)
      : entries === policy.resources
        ? { urn: pick(random, from.resources) }
        : { action: pick(random, from.actions) }
  const replaceMatching = (test: (from: string, to: string) => boolean) => {
    if (entries.length === 0) return
    const i = Math.floor(random() * entries.length)
    const old = entries[i] as string | { urn?: string; action?: string }
    const text = typeof old === 'string' ? old : ((old.urn ?? old.action) as string)
    const pool = typeof old === 'string' ? [...selfEntries, ...groupEntries] : old.urn === undefined ? actionEntries : resourceEntries
    const fits = pool.filter((other) => other !== text && test(text, other))
    if (fits.length > 0)
      entries[i] =
        typeof old === 'string' ? pick(random, fits) : old.urn === undefined ? { action: pick(random, fits) } : { urn: pick(random, fits) }
  }
  const apply: Record<Edit, () => void> = {
    same: () => {},
    'remove entry': () => entries.splice(Math.floor(random() * entries.length), entries.length > 1 || entries === list ? 1 : 0),
    'add entry': () => entries.push(fresh()),
    'move entry': () => {
      const [moved] = list.splice(0, 1)
      const other = pick(random, next.policies).permissions
      if (moved) other.allow = [...(other.allow ?? []), moved]
    },
    'deny to allow': () => {
      policy.permissions = {
        ...policy.permissions,
        allow: [...(policy.permissions.allow ?? []), ...(policy.permissions.deny ?? [])],
        deny: [],
      }
    },
    'allow to deny': () => {
      const [moved, ...rest] = policy.permissions.allow ?? []
      if (moved) policy.permissions = { ...policy.permissions, allow: rest, deny: [...(policy.permissions.deny ?? []), moved] }
    },
    'add deny': () => {
      next.policies.push({ ...policy, name: `${policy.name}n`, permissions: { deny: actionsOf(random, from, 2) } })
    },
    'remove deny': () => {
      const { deny: _, ...rest } = policy.permissions
      policy.permissions = rest
    },
    'allow what is denied': () => {
      next.policies.push({ ...policy, name: `${policy.name}o`, permissions: { allow: policy.permissions.deny ?? [] } })
    },
    'move except': () => {
      const { except = [], ...rest } = policy.permissions
      const other = pick(random, next.policies)
      policy.permissions = rest
      other.permissions = { ...other.permissions, except: [...(other.permissions.except ?? []), ...except] }
    },
    expire: () => {
      policy.expiredAt = pick(random, expiries)
    },
    'change condition': () => {
      policy.conditions = conditionOf(random, from, knobs, 1)
    },
    'remove condition': () => {
      delete policy.conditions
    },
    'change members': () => {
      ;(next.resourceGroups[0] as WorldJson['resourceGroups'][number]).resources = some(random, members, 2).map((urn) => ({ urn }))
    },
    'change identity': () => {
      next.identities =
        random() < 0.2
          ? []
          : [{ urn: next.identities[0]?.urn ?? pick(random, describable), groups: some(random, plainGroups, count(random, 2)) }]
    },
    'change permissions group': () => {
      ;(next.permissionsGroups[0] as WorldJson['permissionsGroups'][number]).permissions = permissionsOf(random, from)
    },
    split: () => {
      const { allow = [], ...rest } = policy.permissions
      const half = (from: number, to?: number) => ({ ...policy, permissions: { ...rest, allow: allow.slice(from, to) } })
      next.policies.splice(at, 1, half(0, 1), { ...half(1), name: `${policy.name}s` })
    },
    merge: () => {
      const other = next.policies[(at + 1) % next.policies.length] as PolicyJson
      if (other === policy) return
      policy.identities = [...new Set([...policy.identities, ...other.identities])]
      policy.resources = [...policy.resources, ...other.resources]
      next.policies.splice(next.policies.indexOf(other), 1)
    },
    reorder: () => {
      next.policies = shuffled(random, next.policies)
    },
    duplicate: () => {
      next.policies.push({ ...(copyOf({ ...next, policies: [policy] }).policies[0] as PolicyJson), name: `${policy.name}d` })
    },
    widen: () => replaceMatching((old, other) => other.includes('*') && naiveMatch(other, old.replace(/\*/g, 'x'))),
    narrow: () => replaceMatching((old, other) => old.includes('*') && naiveMatch(old, other.replace(/\*/g, 'x'))),
    'remove policy': () => {
      if (next.policies.length > 1) next.policies.splice(at, 1)
    },
    unrelated: () => {
      next.policies = worldJson(random, from, knobs).policies
    },
  }
  apply[edit]()
  return { world: next, edit }
}

/** Worlds in families: each with several edited copies, so that a world is read once for many pairs. */
export function* families(
  random: Random,
  knobs: PairKnobs,
  copies: number,
): Generator<{ worlds: readonly WorldJson[]; pairs: readonly (readonly [number, number, readonly Edit[]])[] }> {
  for (;;) {
    const from = palette(random)
    const worlds = [worldJson(random, from, knobs)]
    const pairs: [number, number, Edit[]][] = []
    for (let i = 1; i <= copies; i++) {
      let world = worlds[0] as WorldJson
      const made: Edit[] = []
      for (let left = 1 + Math.floor(random() * 3); left > 0; left--) {
        const step = edited(random, world, from, knobs)
        world = step.world
        made.push(step.edit)
      }
      worlds.push(world)
      pairs.push([0, i, made], [i, 0, made])
      if (i > 1) pairs.push([i - 1, i, made], [i, i - 1, made])
    }
    yield { worlds, pairs }
  }
}
