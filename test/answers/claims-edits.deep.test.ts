import { expect, test } from 'vitest'
import { differenceFindings } from '../../src/answers/findings.ts'
import { suggestText } from '../../src/answers/suggest.ts'
import type { Address } from '../../src/conditions/address.ts'
import { diff } from '../../src/diff/diff.ts'
import type { World } from '../../src/policy.ts'
import { minimise } from '../../src/propose/minimise.ts'
import { suggest } from '../../src/propose/suggest.ts'
import { paint } from '../../src/report/colour.ts'
import { minimiseText } from '../../src/report/minimise.ts'
import { Names } from '../../src/report/names.ts'
import { decide } from '../../src/simulate/decide.ts'
import { knownNamesIn } from '../../src/symbolic/described.ts'
import { accounts, actions, addresses, catalogue, contextsFor, fewActions, someAccount, unknownGroup } from '../support/claims.ts'
import { effort, untilSeen } from '../support/effort.ts'
import { filesOf, read, worldOf } from '../support/files.ts'
import { expectSame } from '../support/same.ts'
import { accountsAsked, factsHold, hour, instantIn } from '../support/timed.ts'
import { pick, randomOf } from '../support/worlds.ts'

/** Claims about edits, `suggest`, `minimise` and the findings of `diff`, against the files as they would be. */

/** Questions about everything that is described, with all that the conditions look at. */
function* questionsIn(world: World) {
  const { identities, resources } = knownNamesIn([world])
  for (const identity of identities)
    for (const resource of resources)
      for (const action of fewActions.of(resource.split(':')[4] as string))
        for (const context of contextsFor(world, resource)) yield { identity, resource, action, groups: [], ...context }
}

const at = Date.UTC(2026, 5, 1, 12)

test('of `suggest`', async () => {
  const seen = { turning: 0, already: 0, none: 0, nothingElse: 0, forAnybody: 0 }
  const random = randomOf(61)
  for (let run = 0; run < effort(250, 30); run++) {
    const [account] = someAccount(random)
    const files = await filesOf({ 'p.json': JSON.stringify(account, null, 1) })
    const world = worldOf(files)
    const { identities, resources } = knownNamesIn([world])
    const resource = pick(random, resources)
    const question = {
      identity: pick(random, identities),
      action: pick(random, fewActions.of(resource.split(':')[4] as string)),
      resource,
      groups: [],
      ...pick(random, contextsFor(world, resource)),
      at,
    }
    const wish = pick(random, [undefined, undefined, 'allow', 'deny'] as const)
    const found = await suggest(files, world, question, wish, read, { intended: () => undefined, actions: fewActions })
    const text = suggestText(question, found, { names: new Names([world], true), paint: paint(false), over: 'known' })
    const turning = /edits after which it would be (allowed|denied): (\d+)$/m.exec(text)
    if (/it is (?:allowed|denied) as it is/.test(text)) {
      seen.already++
      expect(found.today.verdict).toBe(found.wish)
    }
    if (/ none was found/.test(text)) seen.none++
    const shown = [...text.matchAll(/^(\d)\. /gm)].length
    const left = Number(/^shortened, and (\d+) more suggestions?: /m.exec(text)?.[1] ?? 0)
    expect(shown + left, text).toBe(found.suggestions.length)
    const blocks = text.split(/^(?=\d\. )/m).slice(1)
    const asked = (each: { readonly identity: string; readonly action: string; readonly resource: string }) =>
      each.identity === question.identity && each.action === question.action && each.resource === question.resource
    let turned = 0
    for (const [i, suggestion] of found.suggestions.entries()) {
      const after = await filesOf(
        Object.fromEntries(
          [
            ...files.map(({ source }) => [source.path, source.text] as const),
            ...suggestion.files.map(({ path, after }) => [path, after] as const),
          ].filter((each): each is readonly [string, string] => each[1] !== undefined),
        ),
      )
      const edited = worldOf(after)
      if (decide(edited, question).verdict === found.wish) turned++
      const block = blocks[i]
      if (block === undefined) continue
      const isAll = block.includes('changes nothing else, for anybody')
      if (!isAll && !/^ {3}(?:also opens: nothing else|opens nothing)$/m.test(block)) continue
      seen[isAll ? 'forAnybody' : 'nothingElse']++
      for (const each of questionsIn(world)) {
        if (asked(each)) continue
        const [before, now] = [world, edited].map((of) => decide(of, each).verdict)
        if (isAll) expectSame(now, before, () => text)
        else if (before === 'deny') expectSame(now === 'allow', false, () => `${each.identity} ${each.action} ${each.resource}\n${text}`)
      }
    }
    if (!turning) continue
    seen.turning++
    expect(Number(turning[2]), text).toBe(turned)
    expect(turning[1]).toBe(found.wish === 'allow' ? 'allowed' : 'denied')
  }
  for (const kind of ['turning', 'already', 'forAnybody'] as const) expect(seen[kind], kind).toBeGreaterThan(0)
})

test('of `suggest`: what turns the answer without an edit, a time or a membership', async () => {
  const seen = { wait: 0, from: 0, member: 0, now: 0, only: 0, held: 0, already: 0, always: 0 }
  let run = 0
  for (const { account: some, question: asks, random } of untilSeen(seen, 1000, (count) => accountsAsked(65, count))) {
    // Of some accounts it is not known what one policy grants, at night only.
    const isOpen = run++ % 10 === 7
    const night = { operator: 'MATCH', values: { 'date(UTC).Hour.GE': '1', 'date(UTC).Hour.LT': '5' } }
    const unknown = { ...some.policies[0], name: 'unknown', permissions: {}, permissionsGroups: [{ urn: unknownGroup }], conditions: night }
    const account = isOpen
      ? { ...some, policies: [{ ...unknown, identities: [asks.identity], resources: [{ urn: asks.resource }] }] }
      : some
    const range = addresses[random() < 0.5 ? 0 : 1]
    // An identity that is not described may be in any group.
    const identity = random() < 0.2 ? 'urn:v1:eu:identity:user:ab/zed' : asks.identity
    const question = { ...asks, identity, ip: range as Address, tags: asks.tags ?? new Map<string, string>() }
    const source = JSON.stringify(account, null, 1)
    const files = await filesOf({ 'p.json': source })
    const world = worldOf(files)
    const picked = pick(random, [undefined, 'allow', 'deny'] as const)
    const wished = isOpen ? 'deny' : picked
    const isOverAll = random() < 0.8
    const found = await suggest(files, world, question, wished, read, {
      intended: () => undefined,
      actions: fewActions,
      allTimes: isOverAll,
    })
    const text = suggestText(question, found, { names: new Names([world], true), paint: paint(false), over: 'known' })
    const verdictAt = (at: number) => decide(world, { ...question, at }).verdict
    const wish = found.wish as string
    const where = () => `${text}\n${source}`
    const wait = /alternative: wait: it will be (allowed|denied) (from|after) (\w{3} [-\d]+ [:\d]+) ([\w/]+)/.exec(text)
    if (wait) {
      seen.wait++
      const turn = instantIn(wait[4] as string, wait[3] as string) + (wait[2] === 'after' ? 1 : 0)
      expectSame([wait[1], verdictAt(turn)], [wish === 'allow' ? 'allowed' : 'denied', wish], where)
      // Until then it is not.
      for (let at = found.at; at < turn; at += Math.max(hour, Math.ceil((turn - found.at) / 100 / hour) * hour))
        expectSame(verdictAt(at) === wish, false, () => `${new Date(at).toISOString()} ${where()}`)
    }
    const later = /it will be (?:allowed|denied) (from|after) (\w{3} [-\d]+ [:\d]+) ([\w/]+)(?: \([^)]*\))?; edits after/.exec(text)
    if (later) {
      seen.from++
      const turn = instantIn(later[3] as string, later[2] as string) + (later[1] === 'after' ? 1 : 0)
      expectSame([verdictAt(turn - 1) === wish, verdictAt(turn) === wish], [true, false], where)
    }
    const member = /alternative: add \S+ to (\S+), whose members (are|may be) allowed/.exec(text)
    if (member) {
      seen.member++
      expectSame(decide(world, { ...question, groups: [member[1] as string] }).verdict, member[2] === 'are' ? 'allow' : 'unknown', where)
    }
    const now = /^ {2}it is (allowed|denied) now;/m.exec(text)
    if (now) {
      seen.now++
      expectSame(verdictAt(question.at), now[1] === 'allowed' ? 'allow' : 'deny', where)
    }
    // A policy that would allow it, and when it does: as the policy by itself answers, whatever the facts are.
    for (const [, name, words] of text.matchAll(
      /^ {2}note: `([^`]*)` \(\S+\) (?:allows it only (?:when )?(.*)|would allow it if its condition held)$/gm,
    )) {
      const policies = world.policies.filter((each) => each.name.value === name)
      const alone: World = { ...world, account: 'other', resources: new Map(), policies }
      seen[words === undefined ? 'held' : 'only']++
      for (let i = 0; i < 100; i++)
        for (const ip of addresses)
          for (const tags of [new Map(), new Map([['env', 'prod']]), new Map([['env', 'dev']])]) {
            const context = { at: found.at + i * 3 * hour, ip, tags }
            if (policies.some(({ expiresAt }) => expiresAt && expiresAt.value < context.at)) continue
            const { verdict } = decide(alone, { ...question, ...context, owner: 'other' })
            const holds = words !== undefined && factsHold(words, context)
            expectSame(verdict !== 'deny', holds, () => `${name} ${words} ${JSON.stringify({ ...context, tags: [...tags] })} ${where()}`)
          }
    }
    const already = /^ {2}it is (allowed|denied) as it is/m.exec(text)
    if (already) {
      seen.already++
      for (let i = 0; isOverAll && i < 60; i++)
        expectSame(verdictAt(question.at + i * 5 * hour), already[1] === 'allowed' ? 'allow' : 'deny', where)
    }
    const always = /^ {2}it is (allowed|denied); edits/m.exec(text)
    if (!always) continue
    // No time turns it.
    seen.always++
    for (let i = 0; i < 60; i++) expectSame(verdictAt(question.at + i * 5 * hour), always[1] === 'allowed' ? 'allow' : 'deny', where)
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})

test('of `minimise`', async () => {
  const seen = { smallest: 0, smaller: 0, proved: 0 }
  const random = randomOf(62)
  const sizeOf = ({ policies }: World) => ({
    policies: policies.length,
    entries: policies.reduce(
      (sum, { identities, resources, permissions: { allow, except, deny }, permissionsGroups }) =>
        sum + [identities, resources, allow, except, deny, permissionsGroups].flat().length,
      0,
    ),
  })
  for (const _ of untilSeen(seen, 500)) {
    const [account] = someAccount(random)
    const policies = account.policies.slice(0, 3).map((policy) => ({ ...policy, ...(random() < 0.25 && { readOnly: true }) }))
    const all = random() < 0.5 ? [...policies, { ...policies[0], name: 'again' }] : policies
    const files = await filesOf({ 'p.json': JSON.stringify({ ...account, policies: all }, null, 1) })
    const world = worldOf(files)
    const found = await minimise(files, world, read)
    const text = minimiseText(found, paint(false))
    const after = worldOf(
      await filesOf(
        Object.fromEntries(found.files.flatMap(({ before, after }) => (after ? [[before.source.path, after.source.text]] : []))),
      ),
    )
    const sizes = [...text.matchAll(/(\d+) polic(?:y|ies) and (\d+) entr(?:y|ies)/g)].map(([, many, entries]) => ({
      policies: Number(many),
      entries: Number(entries),
    }))
    const [was, is] = [sizeOf(world), sizeOf(after)]
    if (/^nothing can be removed/.test(text)) {
      seen.smallest++
      expect(sizes, text).toEqual([was])
      expect(is).toEqual(was)
      // All are needed: without any policy that grants, access is other.
      if (text.includes('all needed'))
        for (const policy of world.policies.filter(({ permissions }) => permissions.deny.length === 0))
          expect(
            diff(world, { ...world, policies: world.policies.filter((each) => each !== policy) }).verdict,
            `${policy.name.value}\n${text}`,
          ).not.toBe('same')
    } else if (/ can become /.test(text)) {
      seen.smaller++
      expect(sizes, text).toEqual([was, is])
      expect(text.split('\n').filter((line) => line.startsWith('  ')).length).toBe(found.steps.length)
    }
    if (!/^proved/m.test(text)) continue
    seen.proved++
    for (const question of questionsIn(world)) expectSame(decide(after, question).verdict, decide(world, question).verdict, () => text)
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})

test('of the findings of `diff`', () => {
  const seen = { one: 0, counted: 0, rest: 0, perhaps: 0 }
  for (const { world, after } of untilSeen(seen, 400, (count) => accounts(63, count))) {
    const difference = diff(world, after, { catalogue, described: actions })
    const findings = differenceFindings({ difference }, () => true, 'known')
    const others = (side: 'gained' | 'lost') => difference[side].filter(({ isDescribed }) => !isDescribed)
    const named = [...others('gained'), ...others('lost')].filter(({ identities }) => identities.every((each) => !each.includes('*')))
    const regions = named.map((each) => ({ ...each, resources: each.resources.map(({ pattern }) => pattern) }))
    const rows = [...(difference.described?.gained ?? []), ...(difference.described?.lost ?? []), ...regions]
    for (const { message } of findings) {
      const rest = /: (\d+) (?:more )?changes? for things that are not described$/.exec(message)
      if (rest) {
        seen.rest++
        const side = message.startsWith('access gained') ? 'gained' : 'lost'
        const unnamed = others(side).filter((each) => !named.includes(each)).length
        expect(Number(rest[1])).toBeGreaterThanOrEqual(unnamed)
        expect(Number(rest[1])).toBeLessThanOrEqual(others(side).length)
        continue
      }
      const isPerhaps = / perhaps (?:may|could) do /.test(message)
      if (isPerhaps) seen.perhaps++
      const count = Number(/: (\d+) combinations of identity, action and resource$/.exec(message)?.[1] ?? 1)
      seen[count === 1 ? 'one' : 'counted']++
      const own = rows.filter(
        ({ certain, identities, actions: of, resources }) =>
          certain !== isPerhaps && identities.length * of.length * resources.length === count && message.includes(`\`${identities[0]}\``),
      )
      expect(own.length, message).toBeGreaterThan(0)
    }
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})
