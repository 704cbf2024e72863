import { expect, test } from 'vitest'
import { answerCan } from '../../src/ask/can.ts'
import { type Address, readAddress } from '../../src/conditions/address.ts'
import type { World } from '../../src/policy.ts'
import { paint } from '../../src/report/colour.ts'
import { decisionText, explanationJson } from '../../src/report/decision.ts'
import { Names } from '../../src/report/names.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Question } from '../../src/simulate/decision.ts'
import { ShortNames } from '../../src/simulate/short-names.ts'
import { knownNamesIn } from '../../src/symbolic/described.ts'
import { addresses, catalogue, fewActions, lineOf, unknownGroup } from '../support/claims.ts'
import { untilSeen } from '../support/effort.ts'
import { expectSame } from '../support/same.ts'
import { accountsAsked, day, factsHold, hour, instantIn, shownIn } from '../support/timed.ts'
import { worldOf } from '../support/worlds.ts'

/** The words that `can` prints for one question: the verdict, the time, what is missing, and what would have to differ. */

async function asked(world: World, question: Question, all = false) {
  const answer = await answerCan(world, new ShortNames(world), question, 'svc', async () => catalogue)
  const names = new Names([world])
  const text = decisionText({ ...answer, names, all }, world, paint(false))
  const json = JSON.parse(JSON.stringify(explanationJson(answer.explanation, world, answer.question, answer.turning)))
  return { text, json, nearest: answer.explanation.nearest }
}

const verdictAt = (world: World, question: Question, at: number) => decide(world, { ...question, at }).verdict
const turned: Readonly<Record<string, string>> = { allowed: 'allow', denied: 'deny', 'it depends on unknown facts': 'unknown' }

/** An instant and its zone, as `Wed 2026-06-03 12:00 Europe/Paris (10:00 UTC)`. */
const moment = String.raw`(\w{3} [-\d]+ [:\d]+) ([\w/]+)(?: \([^)]*\))?`
const readMoment = (local: string, zone: string) => instantIn(zone, local)

/** Hold a verdict at all hours between two instants, and just before the second. */
function holds(
  world: World,
  question: Question,
  [start, end]: readonly [number, number],
  isIt: (verdict: string) => boolean,
  said: string,
) {
  const step = Math.max(hour, Math.ceil((end - start) / 150 / hour) * hour)
  const instants = [start, end - 1]
  for (let at = start + step; at < end; at += step) instants.push(at)
  for (const at of instants)
    if (start <= at && at < end) expectSame(isIt(verdictAt(world, question, at)), true, () => `${new Date(at).toISOString()}\n${said}`)
}

/** An account that the time changes or another, as plain JSON. */
type Account = ReturnType<typeof accountsAsked> extends Generator<infer Case extends { account: object }> ? Case['account'] : never

/** The same account, where no policy lasts: often no later time changes an answer. */
function expiring(account: Account) {
  return { ...account, policies: account.policies.map((each) => ({ ...each, expiredAt: '2026-06-05T12:00:00Z' })) }
}

/** The same account, where all policies hold from one range of addresses, and one denies all there: they perhaps grant, in vain. */
function guarded(account: Account) {
  const range = { operator: 'MATCH', values: { 'request.IP.IN_RANGE': '192.0.2.0/24' } }
  const guard = { name: 'guard', identities: ['urn:v1:eu:identity:user:ab/*'], resources: [{ urn: 'urn:v1:eu:resource:*' }] }
  const policies = account.policies.map((each) => ({ ...each, conditions: range }))
  return { ...account, policies: [...policies, { ...guard, permissions: { deny: [{ action: '*' }] }, conditions: range }] }
}

test('the verdict of `can`, and the times at which it turns', async () => {
  const seen = { none: 0, final: 0, until: 0, again: 0, from: 0, fromUntil: 0, last: 0 }
  for (const { account: some, question, random } of untilSeen(seen, 2500, (count) => accountsAsked(81, count))) {
    const account = random() < 0.1 ? expiring(some) : some
    const world = worldOf(account)
    const { text, json } = await asked(world, question)
    const [head = ''] = text.split('\n')
    const second = lineOf(text, '  at ') ?? ''
    const { verdict } = decide(world, question)
    expect([head.split('  ')[0]?.toLowerCase(), json.verdict]).toEqual([verdict, verdict])
    const is = (wanted: string) => (found: string) => found === wanted
    const [, now, zone = '', rest] = new RegExp(`^ {2}at ${moment.replace('([\\w/]+)', '([\\w/]+)')}(?:; (.*))?$`).exec(second) ?? []
    const later = question.at + 60 * day
    if (now === undefined) {
      seen.none++
      expect(json.time?.next ?? null).toBe(null)
      holds(world, question, [question.at, later], is(verdict), text)
      continue
    }
    expect(shownIn(zone, question.at)).toBe(now)
    if (rest === undefined) continue
    if (rest === 'no later time changes this') {
      seen.final++
      holds(world, question, [question.at, later], is(verdict), text)
      continue
    }
    const until = new RegExp(`^allowed until ${moment}(?: and again (from|after) ${moment})?$`).exec(rest)
    if (until) {
      const [, last = '', lastZone = '', word, first = '', firstZone = ''] = until
      const end = readMoment(last, lastZone)
      seen.until++
      if (word) seen.again++
      expect(verdict).toBe('allow')
      holds(world, question, [question.at, end], is('allow'), text)
      expect(verdictAt(world, question, end + 1), text).not.toBe('allow')
      if (!word) continue
      const again = readMoment(first, firstZone) + (word === 'after' ? 1 : 0)
      holds(world, question, [end + 1, again], (found) => found !== 'allow', text)
      expect(verdictAt(world, question, again), text).toBe('allow')
      continue
    }
    const turn = new RegExp(`^(allowed|denied|it depends on unknown facts) (from|after) ${moment}(?: until ${moment})?$`).exec(rest)
    const [, words = '', word, first = '', firstZone = '', last, lastZone = ''] = turn ?? []
    if (!turn) throw new Error(rest)
    const next = readMoment(first, firstZone) + (word === 'after' ? 1 : 0)
    expect(turned[words]).not.toBe(verdict)
    holds(world, question, [question.at, next], is(verdict), text)
    const end = last === undefined ? later : readMoment(last, lastZone)
    seen[last === undefined ? 'last' : 'fromUntil']++
    seen.from++
    holds(world, question, [next, Math.max(end, next + 1)], is(turned[words] as string), text)
    if (last !== undefined) expect(verdictAt(world, question, end + 1), text).not.toBe(turned[words])
    expect(Date.parse(json.time.next.at), text).toBe(next)
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
  expect(seen.final).toBeLessThan(seen.from)
})

interface Facts {
  ip?: Address
  tags?: ReadonlyMap<string, string>
  group?: 'allow' | 'deny' | 'nothing'
  /** Of the resource group that no account need describe. */
  isMember?: boolean
}
const resourceGroup = 'urn:v1:eu:resourceGroup:0f1e'

/** An account and a question with further facts. */
function withFacts(account: object, question: Question, { ip, tags, group, isMember }: Facts) {
  const { action, resource } = question
  const permissions = group === 'nothing' ? {} : { [group ?? '']: [{ action }] }
  const whole = {
    ...account,
    ...(group && { permissionsGroups: [{ urn: unknownGroup, name: 'unknown', permissions }] }),
    ...(isMember !== undefined && {
      resourceGroups: [{ urn: resourceGroup, name: 'g', resources: isMember ? [{ urn: resource }] : [] }],
    }),
  }
  return { world: worldOf(whole), question: { ...question, ...(ip && { ip }), ...(tags && { tags }) } }
}

const says = {
  'allows the action': 'allow',
  'denies the action': 'deny',
  'denies it': 'deny',
  'allows it': 'allow',
  'says nothing of the action': 'nothing',
} as const
const tagsOf = (words: string) => new Map(/`([^`]*)`$/.exec(words) ? [['env', /`([^`]*)`$/.exec(words)?.[1] as string]] : [])

/** The facts of a clause after `where`. */
function readWhere(words: string | undefined): Facts {
  const facts: Facts = {}
  for (const clause of words?.split(' and ') ?? []) {
    const group = /^permissions group `[^`]*` (.*)$/.exec(clause)?.[1]
    if (group) facts.group = says[group as keyof typeof says] ?? (group === 'says nothing of it' ? 'nothing' : 'deny')
    else if (clause.startsWith('the request comes from ')) facts.ip = readAddress(clause.slice(23)) as Address
    else if (clause.startsWith('the resource has no tag ')) facts.tags = new Map()
    else if (clause.startsWith('the tag ')) facts.tags = tagsOf(clause)
    else if (/^the resource is (?:not )?in /.test(clause)) facts.isMember = !clause.includes('is not in')
    else throw new Error(clause)
  }
  return facts
}

/** The claims of a line about a missing fact: the values that allow and deny, with the others. */
function readMissing(line: string): { readonly allows: Facts; readonly denies: Facts } | undefined {
  const [, head = '', allowing = '', denying = '', where] =
    /^ {2}(\S.*): (.* allows|allowed if .*?), (.* denies|denied if [^(]*?)(?: \(where (.*)\))?$/.exec(line) ?? []
  if (head === '') return undefined
  const others = readWhere(where)
  const factsOf = (words: string): Facts => {
    const isGroup = /^(?:allowed|denied) if it (.*)$/.exec(words)?.[1]
    if (isGroup) return { group: says[isGroup as keyof typeof says] ?? (isGroup.startsWith('says nothing') ? 'nothing' : 'deny') }
    const value = words.replace(/ (?:allows|denies)$/, '')
    if (value.endsWith('being in it')) return { isMember: !value.startsWith('not') }
    if (value === 'no such tag') return { tags: new Map() }
    const address = readAddress(value)
    return address ? { ip: address } : { tags: tagsOf(value) }
  }
  return { allows: { ...others, ...factsOf(allowing) }, denies: { ...others, ...factsOf(denying) } }
}

test('what is missing in `can`, with what each value decides', async () => {
  const seen = { facts: 0, addresses: 0, where: 0, members: 0, settled: 0 }
  for (const { account, question } of untilSeen(seen, 4000, (count) => accountsAsked(82, count))) {
    const world = worldOf(account)
    const { text, json } = await asked(world, question)
    for (const line of text.split('\n')) {
      const missing = readMissing(line)
      if (missing) {
        seen.facts++
        if (line.includes('(where ')) seen.where++
        for (const [facts, wanted] of [
          [missing.allows, 'allow'],
          [missing.denies, 'deny'],
        ] as const) {
          const other = withFacts(account, question, facts)
          expectSame(decide(other.world, other.question).verdict, wanted, () => `${wanted}: ${line}\n${JSON.stringify(account)}\n${text}`)
        }
      }
      const [, one = '', two = ''] =
        /^ {2}((?:allowed|denied) from [\d.].*|from [\d.].*|.*); (.* from anywhere else|from anywhere else.*)$/.exec(line) ?? []
      if (two !== '' && !line.startsWith('  at ')) {
        seen.addresses++
        for (const ip of addresses) {
          // Of the two addresses one is in the range of the conditions.
          const words = ip === addresses[0] ? one : two
          const wanted = words.includes('it depends on') ? 'unknown' : words.startsWith('allowed') ? 'allow' : 'deny'
          expectSame(decide(world, { ...question, ip }).verdict, wanted, () => `${line}\n${text}`)
        }
      }
      const member = /note: a member of `([^`]*)` (would|might) be allowed/.exec(line)
      if (member) {
        seen.members++
        const { verdict } = decide(world, { ...question, groups: [`urn:v1:eu:identity:${member[1]?.replace('/', ':ab/')}`] })
        expect(verdict, text).toBe(member[2] === 'would' ? 'allow' : 'unknown')
      }
    }
    // With all that is missing it is decided.
    if (json.verdict !== 'unknown') continue
    const settle = /settle it with (.*)/.exec(text)?.[1] as string
    const facts: Facts = {
      ...(settle.includes('--ip') && { ip: addresses[0] as Address }),
      ...(settle.includes('--tag') && { tags: new Map() }),
      ...(settle.includes('the permissions group') && { group: 'nothing' as const }),
      ...(settle.includes('the resource group') && { isMember: false }),
    }
    seen.settled++
    const other = withFacts(account, question, facts)
    expectSame(decide(other.world, other.question).verdict !== 'unknown', true, () => text)
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})

/** Questions that differ in one thing alone, by the gate that it opens. */
function othersOf(world: World, question: Question) {
  const { identities, resources } = knownNamesIn([world])
  const plain = (text: string) => text.replace('*', 'zed')
  const named = world.policies.flatMap((policy) => policy.identities.map(({ value }) => plain(value.text)))
  const tags = question.tags ?? world.resources.get(question.resource)?.tags
  const own = { ...question, ...(tags && { tags }) }
  const elsewhere = [...world.policies.flatMap((policy) => policy.resources.map(({ value }) => plain(value.text))), ...resources]
  return {
    identity: [...identities, ...named].map((identity) => ({ ...own, identity })),
    resource: elsewhere
      .filter((urn) => urn.includes(':resource:'))
      .map((resource) => ({ ...own, resource, tags: tags ?? new Map([['env', 'prod']]) })),
    action: ['zed:apisvc:terminate', ...['vps', 'domain', 'account'].flatMap((type) => fewActions.of(type))].map((action) => ({
      ...own,
      action,
    })),
  }
}

test('the nearest policies of `can`, and what would have to differ', async () => {
  const seen = { none: 0, perhaps: 0, identity: 0, resource: 0, action: 0, except: 0, expiry: 0, condition: 0, remedy: 0, more: 0 }
  for (const { account: some, question: asks, random } of untilSeen(seen, 3000, (count) => accountsAsked(83, count))) {
    const kind = random()
    const isGuarded = kind < 0.2
    const account = isGuarded ? guarded(some) : kind < 0.3 ? expiring(some) : some
    const { ip: _, ...anywhere } = asks
    const question: Question = isGuarded ? anywhere : asks
    const isMany = random() < 0.1
    const policies = isMany
      ? [0, 1, 2].flatMap((i) => account.policies.map((each) => ({ ...each, name: `${each.name}-${i}` })))
      : account.policies
    const world = worldOf({ ...account, policies })
    const { text, nearest } = await asked(world, question)
    const others = othersOf(world, question)
    const alone = (policy: World['policies'][number]): World => ({ ...world, account: 'other', policies: [policy] })
    if (text.includes('no policy would grant it if only one thing were different')) {
      seen.none++
      for (const policy of world.policies)
        for (const each of Object.values(others).flat())
          expectSame(
            decide(alone(policy), { ...each, owner: 'other' }).verdict === 'allow',
            false,
            () => `${policy.name.value} ${each.identity} ${each.action} ${each.resource}\n${text}`,
          )
      continue
    }
    const [, list] = /\n {2}nearest policies\n((?: {4}.*\n)+)/.exec(text) ?? []
    if (list === undefined) continue
    const rows = [...list.matchAll(/^ {4}0\.json:\S+ +(\S+) +(?:stops at (\w+): )?(.*)$/gm)]
    const left = Number(/and (\d+) more: /.exec(list)?.[1] ?? 0)
    if (left > 0) seen.more++
    expect(rows.length + left, text).toBe(nearest.length)
    for (const row of rows) {
      const [, name, gate, words = ''] = row
      const policy = world.policies.find((each) => each.name.value === name) as World['policies'][number]
      const mayBy = (own: World['policies'][number], each: Question) => decide(alone(own), { ...each, owner: 'other' }).verdict !== 'deny'
      const may = (each: Question) => mayBy(policy, each)
      if (gate === undefined) {
        seen.perhaps++
        expect(words, text).toMatch(/^perhaps allow/)
        expect(decide(alone(policy), { ...question, owner: 'other' }).verdict).toBe('unknown')
        continue
      }
      expect(may(question), text).toBe(false)
      const isExcept = words.startsWith('allowed, but')
      seen[(isExcept ? 'except' : gate) as keyof typeof seen]++
      if (gate === 'action') {
        // Its lists are what would differ, so that it allows this action, too.
        const written = { ...policies.find((each) => each.name === name), permissions: { allow: [{ action: '*' }] } }
        const [wider] = worldOf({ ...account, policies: [written] }).policies as [World['policies'][number]]
        expectSame(mayBy(wider, question), true, () => `${name} ${gate}\n${text}\n${JSON.stringify(account)}`)
        continue
      }
      if (gate === 'expiry') {
        const { expiresAt: _, ...lasting } = policy
        expectSame(mayBy(lasting, question), true, () => text)
        continue
      }
      if (gate !== 'condition') {
        expectSame(
          (others[gate as keyof typeof others] ?? []).some(may),
          true,
          () => `${name} ${gate}\n${text}\n${JSON.stringify(account)}`,
        )
        continue
      }
      const remedy = /; (?:applies|would apply where) (.*)$/.exec(words)?.[1]
      if (remedy === undefined) continue
      seen.remedy++
      // The facts that the words name may be any; the others are as asked.
      const tags = question.tags ?? world.resources.get(question.resource)?.tags ?? new Map()
      const isTimed = remedy.split(', ').some((part) => !/^(?:from 192|tag )/.test(part))
      const instants = isTimed ? Array.from({ length: 90 }, (_, i) => question.at + (i + 1) * 3 * hour) : [question.at]
      for (const at of instants)
        for (const ip of remedy.includes('from 192') ? addresses : [question.ip ?? (addresses[0] as Address)])
          for (const own of remedy.includes('tag ') ? [new Map(), new Map([['env', 'prod']]), new Map([['env', 'dev']])] : [tags]) {
            const each = { ...question, at, ip, tags: own, owner: 'other' }
            expectSame(
              may(each),
              factsHold(remedy, each),
              () =>
                `${name}: ${remedy} ${JSON.stringify({ at: new Date(at), ip: addresses.indexOf(ip), tags: [...own] })}\n${text}\n${JSON.stringify(account)}`,
            )
          }
    }
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})

test('how many policies are near in `can`, and how many `can --explain` leaves out', async () => {
  const seen = { near: 0, more: 0, all: 0, aside: 0 }
  for (const { account, question, random } of untilSeen(seen, 600, (count) => accountsAsked(84, count))) {
    const isMany = random() < 0.4
    const written = isMany
      ? Array.from({ length: 10 }, (_, i) => account.policies.map((each) => ({ ...each, name: `${each.name}-${i}` }))).flat()
      : account.policies
    const world = worldOf({ ...account, policies: written })
    const verdictOf = (policy: object) =>
      decide(worldOf({ ...account, account: 'other', policies: [policy] }), { ...question, owner: 'other' }).verdict
    const free = { conditions: undefined, expiredAt: undefined }
    const openings = [
      { identities: [question.identity] },
      { resources: [{ urn: question.resource }] },
      { permissions: { allow: [{ action: '*' }] } },
      { conditions: undefined },
      { expiredAt: undefined },
    ]
    // Copies are as near as what they are copies of.
    const copies = isMany ? 10 : 1
    const { text } = await asked(world, question)
    const [, list] = /\n {2}nearest policies\n((?: {4}.*\n)+)/.exec(text) ?? []
    if (list !== undefined) {
      seen.near++
      const near = account.policies.filter((policy) => {
        if (!('allow' in policy.permissions) && !policy.permissionsGroups) return false
        const verdict = verdictOf(policy)
        return verdict === 'unknown' || (verdict === 'deny' && openings.some((opening) => verdictOf({ ...policy, ...opening }) !== 'deny'))
      })
      const left = Number(/and (\d+) more: /.exec(list)?.[1] ?? 0)
      if (left > 0) seen.more++
      expectSame([...list.matchAll(/^ {4}0\.json:/gm)].length + left, near.length * copies, () => `${text}\n${JSON.stringify(account)}`)
    }
    const { text: whole } = await asked(world, question, true)
    const [, count, rows = ''] = /\n {2}policies \((\d+)\)\n((?: {4}.*\n)+)/.exec(whole) ?? []
    const shown = new Set([...rows.matchAll(/^ {4}0\.json:\S+ +(\S+)/gm)].map(([, name]) => name))
    const left = Number(/^ {4}(\d+) polic(?:y|ies) about other identities or resources/m.exec(rows)?.[1] ?? 0)
    expectSame([Number(count), shown.size + left], [written.length, written.length], () => whole)
    if (left === 0) seen.all++
    else seen.aside++
    // Whatever they allowed and whenever, it would be to others or on other things.
    for (const policy of account.policies.filter(({ name }) => !shown.has(isMany ? `${name}-0` : name)))
      expectSame(
        verdictOf({ ...policy, ...free, permissionsGroups: undefined, permissions: { allow: [{ action: '*' }] } }),
        'deny',
        () => whole,
      )
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})
