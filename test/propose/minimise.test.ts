import { describe, expect, test } from 'vitest'
import { minimise } from '../../src/propose/minimise.ts'
import { paint } from '../../src/report/colour.ts'
import { minimiseText } from '../../src/report/minimise.ts'
import { decide } from '../../src/simulate/decide.ts'
import { firstNewAccess } from '../../src/symbolic/covers.ts'
import { sideOf } from '../../src/symbolic/side.ts'
import { effort } from '../support/effort.ts'
import { filesOf, read, worldOf } from '../support/files.ts'
import { generate, questionOf, randomOf, usualKnobs } from '../support/worlds.ts'

async function smallest(texts: Readonly<Record<string, string>>, from?: number) {
  const files = await filesOf(texts)
  const result = await minimise(files, worldOf(files), read, from)
  const after = Object.fromEntries(result.files.flatMap((file) => (file.after ? [[file.before.source.path, file.after.source.text]] : [])))
  const steps = result.steps.map(({ policy, list, entry, reason }) =>
    [policy.name.value, ...(list ? [list, entry?.value.text] : []), reason.kind].join(' '),
  )
  return { result, after, steps }
}

const ann = 'urn:v1:eu:identity:user:ab12-svc/ann'
const bob = 'urn:v1:eu:identity:user:ab12-svc/bob'
const servers = 'urn:v1:eu:resource:vps:*'
const zone = 'urn:v1:eu:resource:dnsZone:example.org'

function policy(name: string, permissions: object, more: object = {}): object {
  return { name, identities: [ann], resources: [{ urn: servers }], permissions, ...more }
}
const allow = (...actions: readonly string[]) => ({ allow: actions.map((action) => ({ action })) })
const deny = (...actions: readonly string[]) => ({ deny: actions.map((action) => ({ action })) })
const stepsOf = async (...policies: readonly object[]) => (await smallest({ 'p.json': JSON.stringify(policies) })).steps

describe('what goes', () => {
  test('the last of equal policies, and entries that a wildcard covers', async () => {
    expect(await stepsOf(policy('one', allow('vps:*', 'vps:apisvc:get')), policy('two', allow('vps:*')))).toEqual([
      'two policies',
      'one allow vps:apisvc:get entry',
    ])
  })

  test('what a policy allows that cannot be: nothing is granted by it', async () => {
    expect(
      await stepsOf(policy('one', allow('vps:*')), policy('none', { allow: [{ action: 'dns:*' }], except: [{ action: 'dns:*' }] })),
    ).toEqual(['none nothing'])
  })

  test('what is denied, and an allow for it, but no deny for want of what it denies', async () => {
    expect(
      await stepsOf(policy('stop', deny('vps:apisvc:reinstall')), policy('go', allow('vps:apisvc:reinstall', 'vps:apisvc:get'))),
    ).toEqual(['go allow vps:apisvc:reinstall denied'])
    expect(await stepsOf(policy('stop', deny('vps:*')))).toEqual([])
    expect(await stepsOf(policy('stop', deny('vps:*')), policy('twice', deny('vps:apisvc:get')))).toEqual(['twice policies'])
  })

  test('an `except` that takes nothing from its own list, not one that another policy makes up for', async () => {
    const wide = { ...allow('vps:*'), except: [{ action: 'dns:apisvc:get' }] }
    expect(await stepsOf(policy('one', wide), policy('other', allow('dns:*'), { resources: [{ urn: 'urn:v1:eu:resource:*' }] }))).toEqual([
      'one except dns:apisvc:get nothing',
    ])
    const less = { ...allow('vps:*'), except: [{ action: 'vps:apisvc:get' }] }
    expect(await stepsOf(policy('one', less), policy('other', allow('vps:apisvc:get')))).toEqual([])
  })

  test('policies that differ in one list become one', async () => {
    const two = await smallest({
      'p.json': JSON.stringify([policy('a', allow('vps:*')), policy('b', allow('vps:*'), { identities: [bob] })], null, 2),
    })
    expect(two.steps).toEqual(['b merge'])
    expect(JSON.parse(two.after['p.json'] ?? '')).toEqual([policy('a', allow('vps:*'), { identities: [ann, bob] })])
    expect(
      await stepsOf(policy('a', allow('vps:*')), policy('b', allow('vps:*'), { identities: [bob], resources: [{ urn: zone }] })),
    ).toEqual([])
    expect(
      await stepsOf(policy('a', allow('vps:*')), policy('b', allow('vps:*'), { identities: [bob], expiredAt: '2030-01-01T00:00:00Z' })),
    ).toEqual([])
  })

  test('nothing by what a wildcard in the middle may mean, on neither side', async () => {
    const some = { resources: [{ urn: 'urn:v1:eu:resource:vps:vps-1' }] }
    expect(await stepsOf(policy('odd', allow('vps:*:get')), policy('plain', allow('vps:apisvc:get'), some))).toEqual([])
    expect(await stepsOf(policy('odd', allow('vps:apisvc:*et', 'vps:apisvc:*')))).toEqual(['odd allow vps:apisvc:*et entry'])
    expect(await stepsOf(policy('odd', allow('vps:apisvc:*et')), policy('plain', allow('vps:apisvc:get'), some))).toEqual([])
  })

  test('nothing of a read-only policy, though it counts for others', async () => {
    expect(
      await stepsOf(policy('own', allow('vps:apisvc:get')), policy('theirs', allow('vps:*', 'vps:apisvc:get'), { readOnly: true })),
    ).toEqual(['own policies'])
  })

  test('a condition and its time count', async () => {
    const office = { conditions: { operator: 'MATCH', values: { 'request.IP.IN_RANGE': '192.0.2.0/24' } } }
    expect(await stepsOf(policy('all', allow('vps:*')), policy('office', allow('vps:*'), office))).toEqual(['office policies'])
    const soon = { expiredAt: '2030-01-01T00:00:00Z' }
    expect(await stepsOf(policy('soon', allow('vps:*'), soon), policy('office', allow('vps:*'), office))).toEqual([])
  })
})

describe('what can never apply again', () => {
  const dates = (key: string, value: string) => ({ conditions: { operator: 'MATCH', values: { [key]: value } } })
  const both = [
    policy('kept', allow('vps:apisvc:get'), { expiredAt: '2030-01-01T00:00:00Z' }),
    policy('expired', allow('vps:*'), { expiredAt: '2026-01-01T00:00:00Z' }),
    policy('freeze', deny('vps:*'), dates('date(UTC).Date', '2025-12-24')),
    policy('next', deny('vps:apisvc:stop'), dates('date(UTC).Date', '2027-12-24')),
    policy('theirs', allow('dns:*'), { expiredAt: '2026-01-01T00:00:00Z', readOnly: true }),
  ]
  const texts = { 'p.json': JSON.stringify(both) }

  test('goes, a deny as well, and the rest is proved from that instant on', async () => {
    const { steps, result } = await smallest(texts, Date.parse('2026-01-01T00:00:01Z'))
    expect(steps).toEqual(['expired over', 'freeze over'])
    expect(result.certificate).toEqual({ gained: 'none', lost: 'none', denied: 'same' })
    expect(result.from).toBe(Date.parse('2026-01-01T00:00:01Z'))
    expect(minimiseText(result, paint(false))).toContain(
      'policy `freeze`  can never apply again: its condition held on 2025-12-24 UTC\nproved: from Thu 2026-01-01 00:00:01 UTC on, access stays the same',
    )
  })

  test('stays while it may still apply', async () => {
    expect((await smallest(texts, Date.parse('2026-01-01T00:00:00Z'))).steps).toEqual(['freeze over'])
    expect((await smallest(texts, Date.parse('2025-12-24T23:59:59Z'))).steps).toEqual([])
    expect((await smallest(texts)).steps).toEqual([])
  })
})

describe('parts of a condition', () => {
  const match = (key: string, value: string) => ({ operator: 'MATCH', values: { [key]: value } })
  const net = match('request.IP.IN_RANGE', '192.0.2.0/24')
  const host = match('request.IP', '192.0.2.7')
  const ended = match('date(UTC).Date', '2025-12-24')
  const coming = match('date(UTC).Date', '2027-12-24')
  const trimOf = async (conditions: object, from = Date.parse('2026-07-01T00:00:00Z')) => {
    const { after, steps, result } = await smallest({ 'p.json': JSON.stringify([policy('p', allow('vps:*'), { conditions })]) }, from)
    expect(result.left).toEqual([])
    return { steps, conditions: JSON.parse(after['p.json'] ?? '[]')[0]?.conditions, text: minimiseText(result, paint(false)) }
  }

  test('go where they can never hold, or hold no longer', async () => {
    const never = { operator: 'AND', conditions: [net, match('request.IP', '203.0.113.1')] }
    const found = await trimOf({ operator: 'OR', conditions: [net, ended, coming, never] })
    expect(found.steps).toEqual(['p branch', 'p branch'])
    expect(found.conditions).toEqual({ operator: 'OR', conditions: [net, coming] })
    expect(found.text).toContain('2 parts of conditions can be removed, of 1 policy and 3 entries: ')
    expect(found.text).toContain('part of the condition of `p`  changes nothing any more: `date(UTC).Date` = `2025-12-24`')
    expect(found.text).toContain('proved: from Wed 2026-07-01 00:00 UTC on, access stays the same')
    expect((await trimOf({ operator: 'OR', conditions: [net, ended] }, Date.parse('2025-12-24T12:00:00Z'))).steps).toEqual([])
  })

  test('go where others imply them, inside of others as well', async () => {
    const weekend = match('date(UTC).WeekDay.IN', 'Saturday,Sunday')
    expect((await trimOf({ operator: 'AND', conditions: [net, host, weekend] })).conditions).toEqual({
      operator: 'AND',
      conditions: [host, weekend],
    })
    const inner = { operator: 'NOT', conditions: [{ operator: 'OR', conditions: [host, net] }] }
    expect((await trimOf({ operator: 'AND', conditions: [weekend, inner] })).conditions).toEqual({
      operator: 'AND',
      conditions: [weekend, { operator: 'NOT', conditions: [{ operator: 'OR', conditions: [net] }] }],
    })
    expect((await trimOf({ operator: 'AND', conditions: [net, weekend] })).steps).toEqual([])
  })
})

describe('the files', () => {
  const yaml = [
    'policies:',
    '  - name: ops   # all of it',
    `    identities: [${ann}]`,
    `    resources: [{ urn: "${servers}" }]`,
    '    permissions:',
    '      allow:',
    '        - action: "vps:*"   # everything',
    '        - action: vps:apisvc:get',
    '  - name: bob',
    '    identities:',
    `      - "${bob}"   # bob`,
    `    resources: [{ urn: "${servers}" }]`,
    '    permissions: { allow: [{ action: "vps:*" }] }',
    '',
  ]
  const smaller = yaml.toSpliced(7, 6).with(2, `    identities: [${ann}, ${bob}]`)

  test.each([
    ['line feeds', '\n'],
    ['those of Windows', '\r\n'],
  ])('keep comments and layout: YAML with %s', async (_, ending) => {
    const { after } = await smallest({ 'p.yaml': yaml.join(ending) })
    expect(after['p.yaml']).toBe(smaller.join(ending))
  })

  test('of which nothing is left go', async () => {
    const one = JSON.stringify(policy('one', allow('vps:*')), null, 2)
    const { after, result } = await smallest({ 'a.json': one, 'b.json': one.replace('"one"', '"two"') })
    expect(after).toEqual({ 'a.json': one })
    expect(result.after).toEqual({ policies: 1, entries: 3 })
  })

  test('in a layout that is not understood are left, and others do not rest on them', async () => {
    // One of two documents in a file cannot be taken out.
    const document = (name: string, action: string) => `${JSON.stringify(policy(name, allow(action)))}\n`
    const { steps, result, after } = await smallest({
      'a.yaml': `${document('one', 'vps:*')}---\n${document('two', 'vps:*')}`,
      'b.json': document('three', 'vps:apisvc:get'),
    })
    expect(result.left.map(({ source }) => source.path)).toEqual(['a.yaml'])
    expect(steps).toEqual(['three policies'])
    expect(Object.keys(after)).toEqual(['a.yaml'])
  })
})

describe('random worlds', () => {
  test('are the same to everybody when they are smaller, and then are smallest', async () => {
    const random = randomOf(11)
    const hit = { policies: 0, entries: 0, merges: 0, allowed: 0, same: 0, undecided: 0, over: 0, branches: 0 }
    for (let i = 0; i < effort(100, 30); i++) {
      const { world: written, questions } = generate(random, 12, { ...usualKnobs, policies: 6, conditions: 0.3 })
      // Copies, so that there is something to leave out and to merge.
      const copy = written.policies[0]
      if (copy && i % 2 === 0) written.policies.push({ ...copy, name: 'copy', identities: [`urn:v1:eu:identity:user:ab/${i}`] })
      // A condition with parts that may or may not matter from the instant on.
      const days = ['2025-12-24', '2026-03-29', '2027-01-01'].map((day) => ({ operator: 'MATCH', values: { 'date(UTC).Date': day } }))
      for (const [j, each] of written.policies.entries())
        if (each.conditions && i % 2 === 1)
          written.policies[j] = {
            ...each,
            conditions: { operator: j % 2 === 0 ? 'OR' : 'AND', conditions: [each.conditions, each.conditions, ...days.slice(j % 4)] },
          }
      const [first] = written.policies
      if (first && i % 3 === 1) written.policies[0] = { ...first, expiredAt: '2026-03-29T01:00:00Z', readOnly: false }
      const { policies, ...inventory } = written
      const texts = { 'p.json': JSON.stringify({ policies }, null, i % 3 === 0 ? 2 : 0), 'w.json': JSON.stringify(inventory) }
      const files = await filesOf(texts)
      const before = worldOf(files)
      const { result, after } = await smallest(texts)
      const now = worldOf(await filesOf(after))
      hit.undecided += result.undecided.length
      hit.merges += result.steps.filter(({ reason }) => reason.kind === 'merge').length
      hit.entries += result.steps.filter(({ entry }) => entry).length
      hit.policies += result.before.policies - result.after.policies
      if (result.steps.length === 0) hit.same++
      const [a, b] = [sideOf(before, now), sideOf(now, before)]
      expect([firstNewAccess(a, b).kind, firstNewAccess(b, a).kind]).toEqual(['none', 'none'])
      for (const question of questions.map(questionOf)) {
        const [then, today] = [decide(before, question), decide(now, question)]
        if (then.verdict === 'allow') hit.allowed++
        expect([today.verdict, today.reason]).toEqual([then.verdict, then.reason])
      }
      expect((await smallest(after)).steps).toEqual([])
      const from = Date.parse('2026-07-01T00:00:00Z')
      const later = await smallest(texts, from)
      const then = worldOf(await filesOf(later.after))
      hit.over += later.steps.filter((step) => step.endsWith(' over')).length
      hit.branches += later.steps.filter((step) => step.endsWith(' branch')).length
      for (const question of questions.map(questionOf)) {
        if (question.at < from) continue
        expect([decide(then, question).verdict, decide(then, question).reason]).toEqual([
          decide(before, question).verdict,
          decide(before, question).reason,
        ])
      }
      expect(result.left).toEqual([])
    }
    expect(hit.policies).toBeGreaterThan(effort(50, 30))
    expect(hit.entries).toBeGreaterThan(effort(50, 30))
    expect(hit.over).toBeGreaterThan(0)
    expect(hit.branches).toBeGreaterThan(effort(20, 30))
    expect(hit.merges).toBeGreaterThan(effort(20, 30))
    expect(hit.allowed).toBeGreaterThan(effort(100, 30))
    expect(hit.same).toBeGreaterThan(effort(3, 30) - 1)
  })
})
