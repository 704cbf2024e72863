import { describe, expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { Budget } from '../../src/budget.ts'
import { readAddress } from '../../src/conditions/address.ts'
import { type AccessOptions, addedAccess, grantsOf, RiskyActions, riskyAccess, type Team, teamsByGroup } from '../../src/lock/budget.ts'
import {
  type AccessBudget,
  budgetFor,
  budgetText,
  departuresFrom,
  judgedTeams,
  none,
  overAsBefore,
  overWithEarlierGroups,
  readBudget,
  renewedBudget,
} from '../../src/lock/budget-file.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Question } from '../../src/simulate/decision.ts'
import { sourceOf } from '../../src/source.ts'
import { ActionsByType } from '../../src/symbolic/described.ts'
import { notBefore } from '../../src/symbolic/formula.ts'
import { withEarlierGroups } from '../../src/world.ts'
import { counted } from '../support/counted.ts'
import { untilSeen } from '../support/effort.ts'
import { testSettings } from '../support/settings.ts'
import { type ConditionJson, type PolicyJson, pick, type Random, randomOf, worldOf } from '../support/worlds.ts'

const user = (name: string) => `urn:v1:eu:identity:user:ab12-svc/${name}`
const group = (name: string) => `urn:v1:eu:identity:group:ab12-svc/${name}`
const vps = (name: string) => `urn:v1:eu:resource:vps:${name}`
const [web, ops] = [group('web'), group('ops')]
const office: ConditionJson = { operator: 'MATCH', values: { 'request.IP.IN_RANGE': '198.51.100.0/24' } }
const tagged: ConditionJson = { operator: 'MATCH', values: { 'resource.Tag(env)': 'prod' } }
const named: ConditionJson = { operator: 'MATCH', values: { 'resource.Name.STARTS_WITH': 'b' } }
const now = Date.UTC(2026, 5, 1)
const addresses = ['198.51.100.7', '192.0.2.1'].map((text) => readAddress(text) as NonNullable<Question['ip']>)
const catalogue = loadCatalogue()
// One type, so that a count takes little time.
const actions = new ActionsByType({ products: ['vps'], typesOf: () => ['vps'], actionsOf: (product) => catalogue.actionsOf(product) })
const riskyActions = new RiskyActions(actions, 'svc', ['destruction'])
const risky = riskyActions.of('vps')
const options = (): AccessOptions => ({ risky: riskyActions, time: notBefore(now), run: new Budget() })

const items = (list: readonly string[]) => list.map((action) => ({ action }))
const someOf = <T>(random: Random, list: readonly T[], most: number): T[] => [
  ...new Set(Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(random, list))),
]

function policyOf(random: Random, i: number): PolicyJson {
  const names = [...risky, 'vps:apisvc:re*', 'vps:apisvc:snapshot/*', 'vps:apisvc:get', '*']
  const isDeny = random() < 0.25
  return {
    name: `p${i}`,
    identities: someOf(random, [user('ann'), user('bob'), user('eve'), user('*'), web, ops], 2),
    resources: someOf(random, [vps('a'), vps('b'), vps('b*'), vps('*'), 'urn:v1:eu:resource:*', 'urn:v1:eu:resourceGroup:g1'], 2).map(
      (urn) => ({ urn }),
    ),
    permissions: {
      ...(isDeny ? { deny: items(someOf(random, names, 2)) } : { allow: items(someOf(random, names, 2)) }),
      ...(!isDeny && random() < 0.3 && { except: items(someOf(random, risky, 1)) }),
    },
    ...(random() < 0.1 && { permissionsGroups: [{ urn: 'urn:v1:eu:permissionsGroup:ab12-svc:rights' }] }),
    ...(random() < 0.4 && { conditions: pick(random, [office, tagged, named]) }),
    ...(random() < 0.15 && { expiredAt: pick(random, ['2026-12-01T00:00:00Z', '2025-01-01T00:00:00Z']) }),
  }
}

describe('the risky access of teams', () => {
  test('is what decisions over every member, action and resource say', () => {
    const seen = { described: 0, undescribed: 0, perhaps: 0, none: 0 }
    const random = randomOf(20_261_130)
    for (const _ of untilSeen(seen, counted(600))) {
      const isMember = (urn: string) => urn !== '' && random() < 0.5
      const written = {
        account: 'ab12-svc',
        policies: Array.from({ length: 1 + Math.floor(random() * 4) }, (_, i) => policyOf(random, i)),
        identities: [user('ann'), user('bob')].map((urn) => ({ urn, groups: [web, ops].filter(isMember) })),
        resources: [
          { urn: vps('a'), tags: { env: 'prod' } },
          { urn: vps('b'), tags: {} },
          { urn: vps('c'), tags: { env: pick(random, ['prod', 'dev']) } },
        ],
      }
      const world = worldOf(written)
      const teams: readonly Team[] = [
        { name: 'web', identities: [web] },
        { name: 'b-people', identities: [user('b*'), user('eve')] },
      ]
      const { teams: found } = riskyAccess(world, teams, options())
      for (const { team, members, sure, perhaps, undescribed } of found) {
        const isIn = ({ urn, groups }: (typeof written.identities)[number]) => [
          ...(groups.includes(web) ? ['web'] : []),
          ...(urn === user('bob') ? ['b-people'] : []),
        ]
        const own = written.identities.filter(
          (each) => isIn(each).includes(team.name) || (isIn(each).length === 0 && !teams.some(({ name }) => name === team.name)),
        )
        expect(members.filter((urn) => written.identities.some((each) => each.urn === urn))).toEqual(own.map(({ urn }) => urn))
        const verdictOf = (action: string, resource: string, allTags: readonly (Question['tags'] | undefined)[]) => {
          let best: 'never' | 'perhaps' | 'sure' = 'never'
          for (const identity of members)
            for (const ip of addresses)
              for (const tags of allTags)
                for (const at of [now, Date.UTC(2027, 5, 1)]) {
                  const { verdict } = decide(world, { identity, groups: [], action, resource, ip, at, ...(tags && { tags }) })
                  if (verdict === 'allow') return 'sure'
                  if (verdict === 'unknown') best = 'perhaps'
                }
          return best
        }
        const described = risky.flatMap((action) => ['a', 'b', 'c'].map((name) => verdictOf(action, vps(name), [undefined])))
        const freely = [new Map([['env', 'prod']]), new Map<string, string>()]
        const others = risky.map((action) => {
          const verdicts = ['bzz', 'zz'].map((name) => verdictOf(action, vps(name), freely))
          return verdicts.includes('sure') ? 'sure' : verdicts.includes('perhaps') ? 'perhaps' : 'never'
        })
        const count = (list: readonly string[], kind: string) => list.filter((each) => each === kind).length
        // Actions of other types are on resources that none of these worlds describes.
        const ofVps = undescribed.filter((action) => risky.includes(action))
        expect({ team: team.name, described: sure.described, perhaps: perhaps.described, others: ofVps, written }).toEqual({
          team: team.name,
          described: count(described, 'sure'),
          perhaps: count(described, 'perhaps'),
          others: risky.filter((_, i) => others[i] === 'sure').sort(),
          written,
        })
        seen.described += Number(sure.described > 0)
        seen.undescribed += Number(ofVps.length > 0)
        seen.perhaps += Number(perhaps.described > 0)
        seen.none += Number(sure.described === 0)
        const { described: grants } = grantsOf(world, teams, team.name, options())
        expect(grants.length > 0).toBe(sure.described > 0)
        // The largest come first, and none grants more than there is.
        const counts = grants.map((each) => each.count)
        expect(counts).toEqual([...counts].sort((a, b) => b - a))
        expect(Math.max(0, ...counts)).toBeLessThanOrEqual(sure.described)
      }
    }
    for (const [kind, number] of Object.entries(seen)) expect(number, kind).toBeGreaterThan(0)
  })

  test('searches once for what many identities have in common', () => {
    // Each has another policy as well, which is about no risky action.
    const stepsOf = (count: number) => {
      const all = Array.from({ length: count }, (_, i) => user(`u${i}`))
      const common = { identities: [user('*')], resources: [{ urn: 'urn:v1:eu:resource:*' }], permissions: { allow: items(['*']) } }
      const own = all.map((identity, i) => ({
        name: `own ${i}`,
        identities: [identity],
        resources: [{ urn: vps(`own${i}-*`) }],
        permissions: { allow: items([`vps:apisvc:own${i}`]) },
      }))
      const asked = options()
      const teams = all.map((identity) => ({ name: identity, identities: [identity] }))
      const { teams: found } = riskyAccess(worldOf({ policies: [{ name: 'all', ...common }, ...own] }), teams, asked)
      expect(found.every(({ undescribed }) => undescribed.length === risky.length)).toBe(true)
      return asked.run.of - asked.run.left
    }
    // A search of its own for each takes 20 steps and more an identity.
    expect(stepsOf(80) - stepsOf(40)).toBeLessThan(40 * 10)
  })

  test('after a change names what was added', () => {
    const grant = (name: string): PolicyJson => ({
      name,
      identities: [web],
      resources: [{ urn: vps(name) }],
      permissions: { allow: items([risky[0] as string]) },
    })
    const [before, after] = [worldOf({ policies: [grant('a')] }), worldOf({ policies: [grant('a'), grant('b')] })]
    const added = addedAccess(before, after, teamsByGroup(after), 'group/web', options())
    expect(added.map(({ identity, action, resource, grants }) => [identity, action, resource, grants.length])).toEqual([
      [web, risky[0], vps('b'), 1],
    ])
  })
})

describe('the file of a budget', () => {
  const access = (described: number, undescribed = 0, perhaps = none) => ({
    teams: [{ team: { name: 'web', identities: [web] }, members: [web], sure: { described, undescribed }, perhaps, undescribed: [] }],
    actions: 1,
    resources: 1,
    isUndecided: false,
  })
  const budget = (described: number, undescribed = 0): AccessBudget => budgetFor(['destruction'], access(described, undescribed))
  const renewed = (old: AccessBudget, now: ReturnType<typeof access>, reason?: string) =>
    renewedBudget(old, judgedTeams(old, now), reason === undefined ? undefined : { reason, date: '2026-06-01' })

  test('is read as it was written', async () => {
    const written = renewed(budget(3, 1), access(5, 2, { described: 1, undescribed: 0 }), 'why: "so"')
    const read = await readBudget(sourceOf('access-budget.yaml', budgetText(written), 'yaml'), testSettings)
    expect(read.diagnostics).toEqual([])
    expect(JSON.parse(JSON.stringify(read.budget))).toEqual(JSON.parse(JSON.stringify(written)))
  })

  test('never rises without a reason', () => {
    const random = randomOf(7)
    const number = () => Math.floor(random() * 4)
    for (let n = counted(200); n > 0; n--) {
      const [old, now] = [budget(number(), number()), access(number(), number(), { described: number(), undescribed: number() })]
      const after = renewed(old, now)
      expect(departuresFrom(old, after)).toEqual([])
      const [team, was] = [after.teams[0], old.teams[0]]
      if (!team || !was) throw new Error('a team is lost')
      expect(team.described).toBeLessThanOrEqual(was.described)
      expect(team.described + team.perhaps.described).toBeLessThanOrEqual(was.described + was.perhaps.described)
      // The remaining access is only over where it was over before.
      const status = judgedTeams(old, now)[0]?.status
      expect(judgedTeams(after, now)[0]?.status).toBe(status === 'below' ? 'within' : status)
      expect(judgedTeams(renewed(old, now, 'asked for'), now)[0]?.status).toBe('within')
    }
  })

  test('departs from an earlier one exactly where it lets some access through that the earlier one does not', () => {
    const random = randomOf(11)
    const seen = { departs: 0, byPerhaps: 0, not: 0 }
    const numbers = () => ({ described: Math.floor(random() * 3), undescribed: Math.floor(random() * 3) })
    const most = [0, 1, 2, 3, 4, 5]
    const lets = ({ teams: [team] }: AccessBudget, sure: number, perhaps: number, kind: 'described' | 'undescribed') => {
      const now = access(0, 0, { ...none, [kind]: perhaps })
      const judged = judgedTeams(
        { categories: [], teams: team ? [team] : [], raised: [] },
        {
          ...now,
          teams: now.teams.map((each) => ({ ...each, sure: { ...none, [kind]: sure } })),
        },
      )
      return judged.every(({ status }) => status === 'within' || status === 'below')
    }
    for (const _ of untilSeen(seen, counted(400))) {
      const some = (): AccessBudget => ({
        ...budget(0),
        teams: budget(0).teams.map((team) => ({ ...team, ...numbers(), perhaps: numbers() })),
      })
      const [old, now] = [some(), some()]
      const isWider = (['described', 'undescribed'] as const).some((kind) =>
        most.some((sure) => most.some((perhaps) => lets(now, sure, perhaps, kind) && !lets(old, sure, perhaps, kind))),
      )
      expect({ departs: departuresFrom(old, now).length > 0, old, now }).toEqual({ departs: isWider, old, now })
      const isHigher = (['described', 'undescribed'] as const).some((kind) => (now.teams[0]?.[kind] ?? 0) > (old.teams[0]?.[kind] ?? 0))
      seen[!isWider ? 'not' : isHigher ? 'departs' : 'byPerhaps']++
    }
    for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
  })

  test('with other identities in its teams is held to those that they had, as far as it would not pass with them', () => {
    const random = randomOf(12)
    const seen = { over: 0, unknown: 0, passes: 0, same: 0 }
    const numbers = () => ({ described: Math.floor(random() * 3), undescribed: Math.floor(random() * 3) })
    for (const _ of untilSeen(seen, counted(200))) {
      const [web, ops] = ['web', 'ops'].map((name) => ({ name, identities: [group(name)], ...numbers(), perhaps: numbers() }))
      if (!web || !ops) throw new Error('two teams')
      const earlier: AccessBudget = { categories: ['destruction'], teams: [web, ops], raised: [] }
      const isSame = random() < 0.2
      const teams = isSame
        ? [web, ops]
        : [
            { ...web, identities: ops.identities },
            { ...ops, identities: web.identities },
          ]
      const access = [web, ops].map((team) => ({ team, members: [], sure: numbers(), perhaps: numbers(), undescribed: [] }))
      const counts: (readonly Team[])[] = []
      const words = overAsBefore(earlier, { ...earlier, teams }, (asked) => {
        counts.push(asked)
        return { teams: access, actions: 1, resources: 1, isUndecided: false }
      })
      const judged = judgedTeams(earlier, { teams: access, actions: 1, resources: 1, isUndecided: false })
      const failing = judged.filter(({ status }) => status === 'over' || status === 'unknown').map(({ budget }) => budget.name)
      expect(words.map((each) => /^`(.*?)`/.exec(each)?.[1])).toEqual(isSame ? [] : failing)
      if (!isSame) expect(counts.map((each) => each.map(({ identities }) => identities))).toEqual([[[group('web')], [group('ops')]]])
      seen.same += Number(isSame)
      for (const { status } of isSame ? [] : judged) seen[status === 'over' || status === 'unknown' ? status : 'passes']++
    }
    for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
  })

  test('departs from an earlier one where a number was edited', () => {
    expect(departuresFrom(budget(3), budget(4))).toEqual(['`web` was raised without a recorded reason: `described` from 3 to 4'])
    expect(departuresFrom(budget(3), renewed(budget(3), access(4), 'asked for'))).toEqual([])
    expect(departuresFrom(budget(3), { ...budget(3), categories: [] })).toEqual(['`destruction` is no longer counted'])
    expect(departuresFrom(budget(3), { ...budget(3), teams: [] })).toEqual(['the team `web` is no longer in it'])
  })

  test('departs from an earlier one where a recorded reason was edited, or another one is in its place', () => {
    const raised = renewed(budget(3), access(4), 'asked for')
    const [record] = raised.raised
    if (!record) throw new Error('no reason is recorded')
    const words = ['recorded reasons were changed or removed']
    expect(departuresFrom(raised, { ...raised, raised: [{ ...record, reason: 'approved' }] })).toEqual(words)
    expect(departuresFrom(raised, { ...raised, raised: [{ ...record, reason: 'other' }, record] })).toEqual(words)
    expect(departuresFrom(raised, { ...raised, raised: [] })).toEqual(words)
    expect(departuresFrom(raised, renewed(raised, access(5), 'once more'))).toEqual([])
  })

  test('refuses a day that is none', async () => {
    const written = budgetText(renewed(budget(3), access(4), 'asked for')).replace('2026-06-01', '2026-02-30')
    const { budget: read, diagnostics } = await readBudget(sourceOf('access-budget.yaml', written, 'yaml'), testSettings)
    expect([read, diagnostics.map(({ message }) => message)]).toEqual([undefined, ['`2026-02-30` is not a day']])
  })

  test('keeps what there may be more where there is more than it allows', () => {
    const old = budgetFor(['destruction'], access(2, 0, { described: 3, undescribed: 0 }))
    expect(renewed(old, access(4)).teams[0]).toMatchObject({ described: 2, perhaps: { described: 2, undescribed: 0 } })
  })

  test('has teams of names that other readers of YAML take for something else', async () => {
    for (const name of ['y', 'N', 'on', 'No', '~', 'null', '1e3', '0x1f', '12:30']) {
      const written = { ...budget(1), teams: budget(1).teams.map((team) => ({ ...team, name })) }
      expect(budgetText(written)).toContain(`name: "${name}"\n`)
    }
  })
})

test('a change does not say of itself how little a group holds', () => {
  const earlier = worldOf({
    resourceGroups: [{ urn: 'urn:v1:eu:resourceGroup:g1', resources: [{ urn: vps('a') }, { urn: vps('b') }] }],
  })
  const grant = (resource: string) => ({
    policies: [{ name: 'p', identities: [web], resources: [{ urn: resource }], permissions: { allow: items(risky) } }],
  })
  const changed = worldOf({
    ...grant('urn:v1:eu:resourceGroup:g1'),
    resourceGroups: [{ urn: 'urn:v1:eu:resourceGroup:g1', resources: [{ urn: vps('a') }] }],
  })
  const budgeted: AccessBudget = {
    raised: [],
    categories: ['destruction'],
    teams: [{ name: 'web', identities: [web], described: risky.length, undescribed: 0, perhaps: none }],
  }
  const judged = judgedTeams(budgeted, riskyAccess(changed, budgeted.teams, options()))
  expect(judged.map(({ status }) => status)).toEqual(['within'])
  const asBefore = withEarlierGroups(earlier, { ...changed, resources: new Map([...changed.resources, ...earlier.resources]) })
  const access = asBefore && riskyAccess(asBefore, budgeted.teams, options())
  expect(access && overWithEarlierGroups(judged, budgeted, access)).toEqual([
    `\`web\` is over its budget with the groups as they were described before: \`described\` ${2 * risky.length} of ${risky.length}, \`undescribed\` 0 of 0`,
  ])
  expect(withEarlierGroups(changed, changed)).toBeUndefined()
})
