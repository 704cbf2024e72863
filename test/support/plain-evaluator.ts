import type { ConditionJson, QuestionJson, WorldJson } from './worlds.ts'

/**
 * The meaning of a policy, written a second time from the text (policy language, section 3) for no other reader than the
 * tests: no types, tables or functions of the product, no thought for speed, and values tried rather than reasoned about.
 */

type Truth = boolean

/** A value for each missing fact, by the fact's name: an address, a text or null for "no such tag", an outcome, a truth. */
export type Known = ReadonlyMap<string, string | null | boolean>

export interface MissingFact {
  readonly name: string
  readonly values: readonly (string | null | boolean)[]
}

export function plainMatch(pattern: string, text: string): boolean {
  if (pattern === '') return text === ''
  if (pattern[0] === '*') return plainMatch(pattern.slice(1), text) || (text !== '' && plainMatch(pattern, text.slice(1)))
  return text !== '' && pattern[0] === text[0] && plainMatch(pattern.slice(1), text.slice(1))
}

/** Deny, allow, or deny for want of a grant, with every fact that is missing given in `known`. */
export function plainVerdict(world: WorldJson, q: QuestionJson, known: Known): 'allow' | 'deny' {
  const owner = world.resources.find((r) => r.urn === q.resource && r.owner !== undefined)?.owner ?? world.account
  if (owner !== undefined && q.identity.endsWith(`:identity:account:${owner}`)) return 'allow'
  let granted = false
  for (const policy of world.policies) {
    if (policy.expiredAt !== undefined && Date.parse(q.at) > Date.parse(policy.expiredAt)) continue
    if (!policy.identities.some((entry) => members(world, q).some((one) => plainMatch(entry, one)))) continue
    if (!policy.resources.some(({ urn }) => holdsResource(urn, world, q, known))) continue
    if (policy.conditions && !holds(policy.conditions, world, q, known)) continue
    const sets = [policy.permissions]
    for (const { urn } of policy.permissionsGroups ?? []) {
      const held = world.permissionsGroups.find((group) => group.urn === urn)
      const outcome = known.get(`permissionsGroup:${urn}`)
      if (held) sets.push(held.permissions)
      else if (outcome === 'allow') sets.push({ allow: [{ action: q.action }] })
      else if (outcome === 'deny') sets.push({ deny: [{ action: q.action }] })
    }
    for (const { allow = [], except = [], deny = [] } of sets) {
      const names = (list: { action: string }[]) => list.some(({ action }) => plainMatch(action, q.action))
      if (names(deny)) return 'deny'
      if (names(allow) && !names(except)) granted = true
    }
  }
  return granted ? 'allow' : 'deny'
}

function members(world: WorldJson, q: QuestionJson): string[] {
  return [q.identity, ...(q.groups ?? []), ...world.identities.filter((i) => i.urn === q.identity).flatMap((i) => i.groups)]
}

/** Whether the world says that the resource is in a group with this URN; undefined when it does not say. */
function heldMember(urn: string, world: WorldJson, q: QuestionJson): boolean | undefined {
  const group = world.resourceGroups.find((g) => (g.urn ?? `urn:v1:eu:resourceGroup:${g.id}`) === urn)
  if (!group) return undefined
  if (group.resources.some((member) => member.urn === q.resource)) return true
  return group.resources.some((member) => member.urn === undefined) ? undefined : false
}

function holdsResource(entry: string, world: WorldJson, q: QuestionJson, known: Known): boolean {
  if (!entry.includes(':resourceGroup:')) return plainMatch(entry, q.resource)
  const said = known.get(`resourceGroup:${entry}`)
  if (!entry.includes('*')) return heldMember(entry, world, q) ?? (said as boolean)
  for (const g of world.resourceGroups) {
    const urn = g.urn ?? `urn:v1:eu:resourceGroup:${g.id}`
    if (plainMatch(entry, urn) && heldMember(urn, world, q)) return true
  }
  // Some group that the world does not hold, named by this entry or by a narrower one.
  return [...known].some(([name, value]) => {
    const other = name.startsWith('resourceGroup:') ? name.slice(14) : undefined
    return value === true && other !== undefined && plainMatch(entry, other)
  })
}

function holds(condition: ConditionJson, world: WorldJson, q: QuestionJson, known: Known): Truth {
  const children = () => (condition.conditions ?? []).map((child) => holds(child, world, q, known))
  switch (condition.operator) {
    case 'AND':
      return children().every((truth) => truth)
    case 'OR':
      return children().some((truth) => truth)
    case 'NOT':
      return children().every((truth) => !truth)
    case 'MATCH':
      return Object.entries(condition.values ?? {}).every(([key, value]) => holdsEntry(key, value, world, q, known))
    default:
      return known.get(`condition:${JSON.stringify(condition)}`) as boolean
  }
}

/** The parts of a key that is understood. */
interface Key {
  subject: string
  parameter: string
  operator: string
}

const keys = new Map<string, Key | undefined>()

function keyOf(text: string): Key | undefined {
  if (!keys.has(text)) keys.set(text, readKey(text))
  return keys.get(text)
}

function readKey(text: string): Key | undefined {
  const tag = /^resource\.Tag\((.+)\)(?:\.(EQ|STARTS_WITH|ENDS_WITH))?$/i.exec(text)
  if (tag) return { subject: 'Tag', parameter: tag[1] as string, operator: (tag[2] ?? 'EQ').toUpperCase() }
  const part = /^resource\.(Name|Type)(?:\.(EQ|IN|STARTS_WITH|ENDS_WITH))?$/i.exec(text)
  if (part) return { subject: part[1] as string, parameter: '', operator: (part[2] ?? 'EQ').toUpperCase() }
  const ip = /^request\.IP(?:\.(EQ|IN|IN_RANGE))?$/i.exec(text)
  if (ip) return { subject: 'IP', parameter: '', operator: (ip[1] ?? 'EQ').toUpperCase() }
  const date = /^date(?:\((.*)\))?\.(Date|Hour|WeekDay)(?:\.(EQ|IN|BEFORE|AFTER|LT|LE|GT|GE))?$/i.exec(text)
  if (date) return { subject: date[2] as string, parameter: date[1] || 'UTC', operator: (date[3] ?? 'EQ').toUpperCase() }
  return undefined
}

function isUnderstood(key: Key | undefined, value: string): key is Key {
  return (
    key !== undefined && !(key.subject === 'IP' && items(key, value).some((item) => addressOf(item.split('/')[0] as string) === undefined))
  )
}

function items(key: Key, value: string): string[] {
  return key.operator === 'IN' ? value.split(',').map((item) => item.trim()) : [value]
}

function holdsEntry(text: string, value: string, world: WorldJson, q: QuestionJson, known: Known): Truth {
  const key = keyOf(text)
  if (!isUnderstood(key, value)) return known.get(`condition:${text}=${value}`) as boolean
  const [type = '', ...name] = q.resource.split(':').slice(4)
  switch (key.subject) {
    case 'Tag': {
      const tags = q.tags ?? world.resources.find((r) => r.urn === q.resource && r.tags)?.tags
      const tag = tags ? tags[key.parameter] : known.get(`resource.Tag(${key.parameter})`)
      return typeof tag === 'string' && holdsForText(key, value, tag)
    }
    case 'Name':
      return holdsForText(key, value, name.join(':'))
    case 'Type':
      return holdsForText(key, value, type)
    case 'IP':
      return holdsForAddress(key, value, q.ip ?? (known.get('request.IP') as string))
    default:
      return holdsForDate(key, value, q.at)
  }
}

function holdsForText(key: Key, value: string, text: string): boolean {
  if (key.operator === 'STARTS_WITH') return text.startsWith(value)
  if (key.operator === 'ENDS_WITH') return text.endsWith(value)
  return items(key, value).includes(text)
}

/** An address as the text of its bits, 32 or 128 of them; an IPv4 address in IPv6 notation is the IPv4 address. */
function addressOf(text: string): string | undefined {
  const bits = text.includes(':') ? bitsOf6(text) : bitsOf4(text)
  const mapped = '0'.repeat(80) + '1'.repeat(16)
  return bits?.length === 128 && bits.startsWith(mapped) ? bits.slice(96) : bits
}

function bitsOf4(text: string): string | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || parts.some((part) => String(Number(part)) !== part || Number(part) > 255)) return undefined
  return parts.map((part) => Number(part).toString(2).padStart(8, '0')).join('')
}

function bitsOf6(text: string): string {
  const last4 = /[0-9.]+\.[0-9]+$/.exec(text)?.[0]
  const tail = last4 ? (bitsOf4(last4) as string) : ''
  const [before = '', after] = (
    last4 ? text.slice(0, -last4.length).replace(/:$/, (c, at: number, all: string) => (all[at - 1] === ':' ? c : '')) : text
  ).split('::')
  const bits = (half: string) =>
    half
      .split(':')
      .filter((group) => group !== '')
      .map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0'))
      .join('')
  const left = bits(before)
  const right = bits(after ?? '') + tail
  return left + '0'.repeat(128 - left.length - right.length) + right
}

function holdsForAddress(key: Key, value: string, address: string): boolean {
  const bits = addressOf(address) as string
  if (key.operator !== 'IN_RANGE') return items(key, value).some((item) => addressOf(item) === bits)
  const [base = '', length] = value.split('/')
  const written = base.includes(':') ? bitsOf6(base) : (bitsOf4(base) as string)
  const start = written.slice(0, Number(length))
  // A block of mapped addresses is an IPv4 block.
  const mapped = '0'.repeat(80) + '1'.repeat(16)
  if (start.startsWith(mapped)) return bits.length === 32 && bits.startsWith(start.slice(96))
  return bits.length === written.length && bits.startsWith(start)
}

const clocks = new Map<string, string>()

/** `2026-03-29 03:00:00` as a clock in the zone shows it. */
function clockIn(zone: string, at: string): string {
  const known = clocks.get(zone + at)
  if (known !== undefined) return known
  const shown = new Date(at).toLocaleString('sv-SE', { timeZone: zone })
  clocks.set(zone + at, shown)
  return shown
}

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

function holdsForDate(key: Key, value: string, at: string): boolean {
  const [date = '', time = ''] = clockIn(key.parameter, at).split(' ')
  const rank = (text: string): string => {
    if (key.subject === 'Hour') return text.padStart(2, '0')
    return key.subject === 'Date' ? text : String(days.indexOf(text.toLowerCase()))
  }
  const actual =
    key.subject === 'Hour' ? time.slice(0, 2) : key.subject === 'Date' ? date : String((new Date(`${date}T12:00:00Z`).getUTCDay() + 6) % 7)
  const bound = rank(value)
  if (key.operator === 'BEFORE' || key.operator === 'LT') return actual < bound
  if (key.operator === 'AFTER' || key.operator === 'GE') return actual >= bound
  if (key.operator === 'LE') return actual <= bound
  if (key.operator === 'GT') return actual > bound
  return items(key, value).some((item) => rank(item) === actual)
}

/** Every fact that is missing, with values among which every policy has each of its results. */
export function plainMissing(world: WorldJson, q: QuestionJson): MissingFact[] {
  const facts = new Map<string, MissingFact>()
  const add = (name: string, values: MissingFact['values']) => facts.set(name, { name, values })
  const entries: [string, string][] = []
  const walk = (condition: ConditionJson) => {
    if (!['AND', 'OR', 'NOT', 'MATCH'].includes(condition.operator)) add(`condition:${JSON.stringify(condition)}`, [true, false])
    else if (condition.operator === 'MATCH') entries.push(...Object.entries(condition.values ?? {}))
    else for (const child of condition.conditions ?? []) walk(child)
  }
  for (const policy of world.policies) {
    if (policy.conditions) walk(policy.conditions)
    for (const { urn } of policy.permissionsGroups ?? []) {
      if (!world.permissionsGroups.some((group) => group.urn === urn)) add(`permissionsGroup:${urn}`, ['allow', 'deny', 'nothing'])
    }
    for (const { urn } of policy.resources) {
      if (!urn.includes(':resourceGroup:')) continue
      if (urn.includes('*') ? !holdsResource(urn, world, q, new Map()) : heldMember(urn, world, q) === undefined)
        add(`resourceGroup:${urn}`, [true, false])
    }
  }
  const understood: { text: string; key: Key; value: string }[] = []
  for (const [text, value] of entries) {
    const key = keyOf(text)
    if (isUnderstood(key, value)) understood.push({ text, key, value })
    else add(`condition:${text}=${value}`, [true, false])
  }
  const hasTags = q.tags !== undefined || world.resources.some((r) => r.urn === q.resource && r.tags)
  for (const { key } of understood) {
    const name = key.subject === 'IP' ? 'request.IP' : `resource.Tag(${key.parameter})`
    const isMissing = key.subject === 'IP' ? q.ip === undefined : key.subject === 'Tag' && !hasTags
    if (!isMissing || facts.has(name)) continue
    const tests = understood.filter((other) => other.key.subject === key.subject && other.key.parameter === key.parameter)
    const values = key.subject === 'IP' ? someAddresses(tests.map((t) => t.value)) : [null, ...everyText]
    // One value of each kind that the policies distinguish: the others would only be tried again.
    const kinds = new Map<string, string | null>()
    for (const value of values) {
      const kind = tests.map((t) => holdsEntry(t.text, t.value, world, q, new Map([[name, value]]))).join()
      if (!kinds.has(kind)) kinds.set(kind, value)
    }
    add(name, [...kinds.values()])
  }
  return [...facts.values()]
}

/** Every text over the letters of the generator's tags and one more, up to four letters long. */
const everyText: string[] = ['']
for (let from = 0, length = 0; length < 4; length++) {
  const to = everyText.length
  for (; from < to; from++) for (const letter of 'abz') everyText.push(everyText[from] + letter)
}

/** The addresses at and around the ends of every block and address that is written. */
function someAddresses(values: string[]): string[] {
  const out = ['0.0.0.0', '192.0.2.77', '198.51.100.1', '255.255.255.255', '::', '2001:db8::77', 'ffff::']
  for (const text of values.flatMap((value) => value.split(',')).map((item) => item.trim())) {
    const [base = '', length] = text.split('/')
    const bits = addressOf(base) as string
    const kept = length === undefined ? bits.length : Number(length) - (base.includes(':') && bits.length === 32 ? 96 : 0)
    const first = BigInt(`0b${bits.slice(0, kept).padEnd(bits.length, '0')}`)
    const last = BigInt(`0b${bits.slice(0, kept).padEnd(bits.length, '1')}`)
    const most = (1n << BigInt(bits.length)) - 1n
    for (const value of [first - 1n, first, last, last + 1n]) if (value >= 0n && value <= most) out.push(printed(value, bits.length))
  }
  return out
}

function printed(value: bigint, bits: number): string {
  const text = value.toString(2).padStart(bits, '0')
  const parts = text.match(bits === 32 ? /.{8}/g : /.{16}/g) ?? []
  return parts.map((part) => Number.parseInt(part, 2).toString(bits === 32 ? 10 : 16)).join(bits === 32 ? '.' : ':')
}

/** Whether a condition holds for a resource with these tags and this name, asked about from this address. */
export function plainHolds(
  condition: ConditionJson,
  { tags, ip, name }: { readonly tags: Readonly<Record<string, string>>; readonly ip: string; readonly name: string },
): boolean {
  const world: WorldJson = { policies: [], permissionsGroups: [], resourceGroups: [], resources: [], identities: [] }
  const resource = `urn:v1:eu:resource:t:${name}`
  return holds(condition, world, { identity: '', action: '', resource, at: '2026-01-01T00:00:00Z', ip, tags: { ...tags } }, new Map())
}
