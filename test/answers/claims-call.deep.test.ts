import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Question } from '../../src/simulate/decision.ts'
import { addresses } from '../support/claims.ts'
import { untilSeen } from '../support/effort.ts'
import { ioIn, mainIn } from '../support/in-process.ts'
import { expectSame } from '../support/same.ts'
import { accountsAsked, hour, instantIn } from '../support/timed.ts'
import { pick, worldOf } from '../support/worlds.ts'

/** Claims of `call` about a call and its refusal, against decisions, and against the policies with those that it proposes. */

let work: string
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'grantwise-'))
})
afterEach(() => rmSync(work, { recursive: true }))

const write = (name: string, value: object) => writeFileSync(join(work, name), JSON.stringify(value, null, 1))
/** Run a command line at an instant of the clock. */
async function mainAt(at: number, args: readonly string[]) {
  const { io, out } = ioIn(work, {})
  await main(args, { ...io, now: () => at })
  return out
}
const moment = String.raw`(\w{3} [-\d]+ [:\d]+) ([\w/]+)(?: \([^)]*\))?`
const machine = 'urn:v1:eu:resource:vps:web-1'

/** A question about the machine, without what no option can give: that a resource has no tags. */
const aboutMachine = ({ tags, ...question }: Question): Question => ({
  ...question,
  resource: machine,
  ...(tags && tags.size > 0 && { tags }),
})

/** The options that give what is known of a question. */
function optionsOf({ at, ip, tags }: Question): readonly string[] {
  const address = ip && (ip === addresses[0] ? '192.0.2.4' : '198.51.100.7')
  return [
    ...['--at', new Date(at).toISOString()],
    ...(address ? ['--ip', address] : []),
    ...[...(tags ?? [])].flatMap(([key, value]) => ['--tag', `${key}=${value}`]),
  ]
}

test('the verdict of `call`, and of each action that it needs', async () => {
  const seen = { allow: 0, deny: 0, unknown: 0 }
  const calls = [
    ['POST', '/v1/vps/web-1/reboot', 'vps:apisvc:reboot'],
    ['POST', '/v1/vps/web-1/terminate', 'vps:apisvc:terminate'],
    ['GET', '/v1/vps/web-1', 'vps:apisvc:get'],
  ] as const
  for (const { account, question: given, random } of untilSeen(seen, 120, (count) => accountsAsked(91, count))) {
    write('p.json', account)
    const [method, path, action] = pick(random, calls)
    const question = { ...aboutMachine(given), action }
    const args = ['call', method, path, '--identity', question.identity, '-p', 'p.json', ...optionsOf(question), '--no-color']
    const { stdout: text, exit } = await mainIn(args, work)
    const { stdout } = await mainIn([...args, '--format', 'json'], work)
    const json = JSON.parse(stdout) as { verdict: string; requirements: { verdict: string; action: string; resource: string }[] }
    const { verdict } = decide(worldOf(account), question)
    seen[verdict]++
    const lines = text.split('\n')
    expect([lines[0]?.split('  ')[0]?.toLowerCase(), json.verdict], text).toEqual([verdict, verdict])
    expect(json.requirements.map((each) => each.action)).toEqual([action])
    expect(
      lines.filter((line) => /^ {2}(ALLOW|DENY|UNKNOWN) /.test(line)).map((line) => line.trim().split('  ')[0]?.toLowerCase()),
    ).toEqual([verdict])
    expect(text.includes('refused by the policies: 403'), text).toBe(verdict === 'deny')
    expect(exit).toBe({ allow: 0, deny: 1, unknown: 3 }[verdict])
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})

interface GrantJson {
  readonly grant: { readonly policies: readonly object[] }
  readonly suffices: boolean | null
  readonly obstacles: readonly { readonly policy: string; readonly entry: string }[]
}

/** The same account with a deny for two hours of each day, of which the time of a question is none: a grant holds now, and not always. */
function deniedLater<T extends { readonly policies: readonly object[] }>(
  account: T,
  { identity, at }: Question,
  named: readonly string[],
): T {
  const start = (new Date(at).getUTCHours() + 2) % 22
  const values = { 'date(UTC).Hour.GE': String(start), 'date(UTC).Hour.LT': String(start + 2) }
  const deny = { name: 'later', identities: [identity], resources: [{ urn: machine }], conditions: { operator: 'MATCH', values } }
  return { ...account, policies: [...account.policies, { ...deny, permissions: { deny: named.map((action) => ({ action })) } }] }
}

test('what `call --from-403` proposes, and what it says remains', async () => {
  const seen = { suffices: 0, remains: 0, until: 0, byItself: 0, noHelp: 0, beyond: 0, allowed: 0, settle: 0, notAlways: 0 }
  let run = 0
  for (const { account: some, question: given, random } of untilSeen(seen, 1300, (count) => accountsAsked(92, count))) {
    const named =
      random() < 0.3 ? ['vps:apisvc:terminate', 'vps:apisvc:get'] : [pick(random, ['vps:apisvc:terminate', 'vps:apisvc:reboot'])]
    write('403.json', {
      class: 'Client::Forbidden',
      message: 'User not granted for this request',
      details: { unauthorizedActionsByIAM: named.join(', ') },
    })
    const { identity } = given
    const isLater = random() < 0.1
    const account = isLater ? deniedLater(some, given, named) : some
    const isGiven = random() < 0.5
    const known = aboutMachine(given)
    // Most accounts just do not grant it: of these a few are enough.
    const before = worldOf(account)
    const today = named.map((action) => decide(before, { ...known, action }))
    const turns = named.some((action) =>
      [12, 36, 84].some((hours) => decide(before, { ...known, action, at: known.at + hours * hour }).verdict === 'allow'),
    )
    if (
      !isLater &&
      random() > (today.every(({ verdict }) => verdict === 'allow') ? 0.6 : 0.04) &&
      !today.some(({ reason }) => reason === 'denied' || reason === 'unknown') &&
      !(turns && today.some(({ verdict }) => verdict !== 'allow'))
    )
      continue
    run++
    write('p.json', account)
    const args = ['call', '--from-403', '403.json', '--identity', identity, '--resource', machine, '-p', 'p.json', '--no-color']
    const options = isGiven ? optionsOf(known) : optionsOf(known).slice(2)
    const { stdout: text, stderr } = await mainAt(known.at, [...args, ...options])
    expect(stderr).toBe('')
    const json: GrantJson | undefined =
      run % 3 === 0 ? JSON.parse((await mainAt(known.at, [...args, ...options, '--format', 'json'])).stdout) : undefined
    const shown = /^([[{][\s\S]*)$/m.exec(text)?.[1]
    const proposed = shown === undefined ? [] : [JSON.parse(shown)].flat()
    const after = worldOf({ ...account, policies: [...account.policies, ...proposed] })
    const { at } = known
    const verdictsOf = (world: typeof before, instant: number) =>
      named.map((action) => decide(world, { ...known, action, at: instant }).verdict)
    const [was, is] = [verdictsOf(before, at), verdictsOf(after, at)]
    const isAllowed = was.every((verdict) => verdict === 'allow')
    if (text.includes('the policies that were given allow it')) {
      seen.allowed++
      expect([isAllowed, proposed], text).toEqual([true, []])
    }
    for (const [, action = '', word, local = '', zone = ''] of text.matchAll(
      new RegExp(`ends by itself: \`([^\`]*)\` is allowed (from|after) ${moment}`, 'g'),
    )) {
      seen.byItself++
      const first = instantIn(zone, local) + (word === 'after' ? 1 : 0)
      const verdictAt = (instant: number) => decide(before, { ...known, action, at: instant }).verdict
      expect([verdictAt(first - 1) === 'allow', verdictAt(first)], text).toEqual([false, 'allow'])
      for (let instant = at; instant < first; instant += Math.max(hour, (first - at) / 50))
        expectSame(verdictAt(instant) === 'allow', false, () => text)
    }
    if (/with the polic(?:y|ies) below, the given policies allow it/.test(text)) {
      seen.suffices++
      expect(
        is.every((verdict) => verdict === 'allow'),
        text,
      ).toBe(true)
      expect(json?.suffices ?? true).toBe(true)
      if (text.includes('would also allow it at times at which the policies given do not')) {
        seen.beyond++
        const instants = Array.from({ length: 300 }, (_, i) => at + i * 5 * hour)
        const isAllowedIn = (world: typeof before, each: number) => verdictsOf(world, each).every((verdict) => verdict === 'allow')
        expectSame(
          instants.some((each) => isAllowedIn(after, each) && !isAllowedIn(before, each)),
          true,
          () => text,
        )
      }
      if (isGiven) continue
      const when = /, but not at all times; denied (.*)$/m.exec(text)
      if (when) seen.notAlways++
      const verdicts = Array.from({ length: 300 }, (_, i) => verdictsOf(after, at + i * 5 * hour)).flat()
      // Without more, it is allowed at all times from now on.
      if (!when) expectSame([...new Set(verdicts)], ['allow'], () => text)
      continue
    }
    // A proposal that does not turn the call into an allowed one says so.
    if (proposed.length > 0 && !is.every((verdict) => verdict === 'allow'))
      expect(/ explicitly denied by |settle it with/.test(text), text).toBe(true)
    const granting = { name: 'granting', identities: [identity], resources: [{ urn: machine }] }
    const granted = worldOf({
      ...account,
      policies: [...account.policies, { ...granting, permissions: { allow: named.map((action) => ({ action })) } }],
    })
    if (text.includes('a new grant would not help')) {
      seen.noHelp++
      expect([verdictsOf(granted, at).includes('deny'), proposed], text).toEqual([true, []])
    }
    if (text.includes('settle it with')) {
      seen.settle++
      // Next to an action that is denied, another may be one of which it is not known whether a grant would do.
      expect([...is, ...was, ...verdictsOf(granted, at)], text).toContain('unknown')
    }
    const remains = [...text.matchAll(/^ {2}explicitly denied by \S+ (\S+) deny `([^`]*)`(, as long as that applies| until (.*))?$/gm)]
    if (json) expect(remains.length, text).toBe(json.obstacles.length)
    for (const [, name, , , until] of remains) {
      seen.remains++
      expect(is, text).toContain('deny')
      // Without the policies that are named, it would not be denied.
      const names = remains.map(([, each]) => each)
      const without = worldOf({ ...account, policies: [...account.policies.filter((each) => !names.includes(each.name)), ...proposed] })
      expect(names).toContain(name)
      if (proposed.length > 0) expect(verdictsOf(without, at).includes('deny'), text).toBe(false)
      if (until === undefined) continue
      seen.until++
      const [, local = '', zone = ''] = new RegExp(`^${moment}$`).exec(until) ?? []
      const end = instantIn(zone, local)
      expect(verdictsOf(granted, end + 1), text).toEqual(named.map(() => 'allow'))
      for (let instant = at; instant < end; instant += Math.max(hour, (end - at) / 50))
        expectSame(verdictsOf(granted, instant).includes('allow'), false, () => text)
    }
    for (const [, action = '', local = '', zone = ''] of text.matchAll(
      new RegExp(`^ {2}\`([^\`]*)\` is explicitly denied until ${moment}$`, 'gm'),
    )) {
      const end = instantIn(zone, local)
      const verdictAt = (instant: number) => decide(granted, { ...known, action, at: instant }).verdict
      seen.until++
      expect(
        [at, end - 1].map((each) => verdictAt(each) === 'allow'),
        text,
      ).toEqual([false, false])
      expect(verdictAt(end + 1), text).toBe('allow')
    }
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})
