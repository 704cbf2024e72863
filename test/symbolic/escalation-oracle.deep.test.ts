import { expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { readAddress } from '../../src/conditions/address.ts'
import { type Escalation, escalation, escalations } from '../../src/escalation/escalation.ts'
import { glob } from '../../src/glob.ts'
import { decide } from '../../src/simulate/decide.ts'
import { ActionsByType, knownNamesIn } from '../../src/symbolic/described.ts'
import { notBefore } from '../../src/symbolic/formula.ts'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'
import { expectSame } from '../support/same.ts'
import { type ConditionJson, type PermissionsJson, type PolicyJson, pick, randomOf, type WorldJson, worldOf } from '../support/worlds.ts'

/**
 * `escalate` against a search through every state of a small account: who is in which group, which users and tokens there are,
 * what groups hold, how resources are tagged, which policies are left. The search reads policies by itself, from their JSON.
 */

const user = (name: string) => `urn:v1:eu:identity:user:ab12-svc/${name}`
const group = (name: string) => `urn:v1:eu:identity:group:ab12-svc/${name}`
const credential = (name: string) => `urn:v1:eu:identity:credential:ab12-svc/oauth2-${name}`
const [bob, ann, eve] = [user('bob'), user('ann'), 'urn:v1:eu:identity:user:cd34-svc/eve']
const abroad = 'urn:v1:eu:identity:group:cd34-svc/owners'
const account = 'urn:v1:eu:resource:account:ab12-svc'
const server = 'urn:v1:eu:resource:vps:web-1'
const foreign = 'urn:v1:eu:resource:vps:other'
const rights = 'urn:v1:eu:permissionsGroup:ab12-svc:rights'
const servers = 'urn:v1:eu:resourceGroup:4f0c8f0e-6d57-4c8b-9c2e-1f1a6b7d2c11'
const made = group('new-group')
const client = credential('0000000000000000')
const robot = credential('ci')
const newUsers = [user('new-user'), user('adm-new')]

const powers = [
  'iam/policy/edit',
  'iam/policy/create',
  'iam/policy/delete',
  'me/changeEmail',
  'iam/permissionsGroup/edit',
  'iam/resourceGroup/edit',
  'me/identity/user/edit',
  'me/identity/user/create',
  'me/identity/user/token/create',
  'me/identity/provider/edit',
  'me/identity/group/edit',
  'me/identity/group/create',
  'me/identity/group/user/add',
  'me/identity/group/user/remove',
  'me/api/oauth2/client/create',
  'iam/resource/tag/add',
  'iam/resource/tag/remove',
  'iam/resource/edit',
]
const action = (path: string) => `account:apisvc:${path}`
const onAccount = [...powers, 'me/get', 'iam/policy/get'].map(action)
const reinstall = 'vps:apisvc:reinstall'
/** With these, an identity that may do them acts as what the server runs as. */
const control = [reinstall, 'vps:apisvc:getConsoleUrl', 'vps:apisvc:openConsoleAccess']
const onServers = ['vps:apisvc:reboot', 'vps:apisvc:get', ...control]
const targets: readonly (readonly [action: string, resource: string])[] = [
  ...onAccount.map((each) => [each, account] as const),
  ['alldom:apisvc:domain/get', 'urn:v1:eu:resource:alldom:any'],
  ...[server, foreign].flatMap((urn) => onServers.map((each) => [each, urn] as const)),
]
const addresses = ['203.0.113.7', '192.0.2.1']
const values = [null, 'prod', 'dev', 'other']
const now = Date.parse('2026-03-01T00:00:00Z')

/** The parts that change as an identity acts. */
interface State {
  readonly groups: Readonly<Record<string, readonly string[]>>
  /** The groups in addition to the main one that users are put into. */
  readonly further: Readonly<Record<string, readonly string[]>>
  readonly tags: Readonly<Record<string, string | null>>
  readonly members: readonly string[]
  readonly deleted: readonly string[]
  /** Results that stay: users, tokens, a client, a policy or role over everything, an open permissions group. */
  readonly done: readonly string[]
}

interface Case {
  readonly written: WorldJson
  readonly runsAs: boolean
  /** Not documented, and so tried with both: the role of a further group counts, and users can be taken out of their main group. */
  readonly isLoose?: true
}

/** `*` is any run of characters. */
function fits(pattern: string, text: string): boolean {
  const star = pattern.indexOf('*')
  if (star < 0) return pattern === text
  if (!text.startsWith(pattern.slice(0, star))) return false
  const rest = pattern.slice(star + 1)
  for (let at = star; at <= text.length; at++) if (fits(rest, text.slice(at))) return true
  return false
}

function holds({ operator, conditions = [], values: tests = {} }: ConditionJson, tag: string | null, ip: string): boolean {
  if (operator === 'NOT') return !conditions.some((each) => holds(each, tag, ip))
  return Object.entries(tests).every(([key, value]) =>
    key.startsWith('request.IP') ? ip.startsWith('203.0.113.') && value === '203.0.113.0/24' : tag === value,
  )
}

/** The verdict of the policies in a state: null where they say nothing. */
function verdict({ written, isLoose }: Case, state: State, who: string, what: string, on: string, ip: string): boolean {
  const [main, further] = [state.groups[who] ?? [], state.further[who] ?? []]
  const names = [who, ...main, ...further]
  let isAllowed = ownGrants(state, who, isLoose ? names : [who, ...main])
  for (const policy of written.policies) {
    if (state.deleted.includes(policy.name)) continue
    if (policy.expiredAt !== undefined && Date.parse(policy.expiredAt) < now) continue
    if (!policy.identities.some((pattern) => names.some((name) => fits(pattern, name)))) continue
    if (!policy.resources.some(({ urn }) => (urn === servers ? state.members.includes(on) : fits(urn, on)))) continue
    if (policy.conditions && !holds(policy.conditions, state.tags[on] ?? null, ip)) continue
    for (const { allow = [], except = [], deny = [] } of setsOf(written, policy, state)) {
      if (deny.some((each) => fits(each.action, what))) return false
      if (allow.some((each) => fits(each.action, what)) && !except.some((each) => fits(each.action, what))) isAllowed = true
    }
  }
  return isAllowed
}

function setsOf(written: WorldJson, policy: PolicyJson, state: State): readonly PermissionsJson[] {
  const named = (policy.permissionsGroups ?? []).flatMap(({ urn }) => written.permissionsGroups.filter((each) => each.urn === urn))
  return [
    policy.permissions,
    ...named.map(({ permissions }) => (state.done.includes('rights') ? { allow: [{ action: '*' }] } : permissions)),
  ]
}

/** Whether a policy or a role that was written lets an identity do everything. */
function ownGrants({ done }: State, who: string, names: readonly string[]): boolean {
  if (!who.includes(':ab12-svc/')) return false
  if (done.includes('policy')) return true
  if (done.includes('role') && names.some((name) => name.includes(':group:ab12-svc/'))) return true
  return done.includes('group') && names.includes(made)
}

const actorsIn = ({ done }: State): readonly string[] => [
  bob,
  ...(done.includes('token') ? [ann] : []),
  ...(done.includes('user') ? newUsers : []),
  ...(done.includes('client') ? [client] : []),
  ...(done.includes('robot') ? [robot] : []),
]

/** The states that one action leads to. */
function* next({ written, runsAs, isLoose }: Case, state: State, can: (path: string) => boolean, controls: () => boolean): Iterable<State> {
  const withDone = (...names: readonly string[]): State => ({ ...state, done: [...new Set([...state.done, ...names])].sort() })
  const provider = can('me/identity/provider/edit')
  if (can('me/identity/user/token/create') || provider) yield withDone('token')
  if (can('me/identity/user/create') || provider) yield withDone('user')
  if (can('me/api/oauth2/client/create')) yield withDone('client')
  if (can('iam/permissionsGroup/edit')) yield withDone('rights')
  if (can('iam/policy/create')) yield withDone('policy')
  if (can('me/identity/group/edit')) yield withDone('role')
  if (can('me/identity/group/create')) yield withDone('group')
  if (runsAs && controls()) yield withDone('robot')
  const groups = [[], [group('ops')], [group('admins')], ...(state.done.includes('group') ? [[made]] : [])]
  const placed = (who: string) => groups.map((own): State => ({ ...state, groups: { ...state.groups, [who]: own } }))
  if (can('me/identity/user/edit')) for (const who of [bob, ann]) yield* placed(who)
  for (const who of [bob, ann]) {
    const [main, further] = [state.groups[who] ?? [], state.further[who] ?? []]
    if (can('me/identity/group/user/add'))
      for (const each of groups.flat())
        if (![...main, ...further].includes(each)) yield { ...state, further: { ...state.further, [who]: [...further, each].sort() } }
    if (!isLoose || !can('me/identity/group/user/remove')) continue
    for (const gone of [...main, ...further]) {
      const left = (some: readonly string[]) => some.filter((each) => each !== gone)
      yield { ...state, groups: { ...state.groups, [who]: left(main) }, further: { ...state.further, [who]: left(further) } }
    }
  }
  // Any number of users can be made, each in another group: one that moves stands for them.
  if (state.done.includes('user') && (can('me/identity/user/create') || can('me/identity/user/edit') || provider))
    for (const who of newUsers) yield* placed(who)
  if (can('iam/resourceGroup/edit')) for (const members of [[], [account], [server], [account, server]]) yield { ...state, members }
  const [set, remove, edit] = ['iam/resource/tag/add', 'iam/resource/tag/remove', 'iam/resource/edit'].map(can)
  for (const value of values)
    if (edit || (value === null ? remove : set))
      for (const urn of [account, server]) yield { ...state, tags: { ...state.tags, [urn]: value } }
  if (can('iam/policy/delete'))
    for (const { name, readOnly } of written.policies)
      if (!readOnly && !state.deleted.includes(name)) yield { ...state, deleted: [...state.deleted, name].sort() }
}

const mostStates = 400

/** Every state that some actions lead to; `isCut`: there are more. */
function statesOf(
  each: Case,
  allowed: (what: string, as: string) => boolean,
): { readonly states: readonly State[]; readonly isCut: boolean } {
  const { written } = each
  const first: State = {
    groups: Object.fromEntries(written.identities.map(({ urn, groups }) => [urn, groups])),
    further: {},
    tags: Object.fromEntries(written.resources.map(({ urn, tags = {} }) => [urn, tags.env ?? null])),
    members: (written.resourceGroups[0]?.resources ?? []).flatMap(({ urn }) => urn ?? []),
    deleted: [],
    done: [],
  }
  const states = new Map([[JSON.stringify(first), first]])
  for (const state of states.values()) {
    const may = (what: string, on: string) =>
      actorsIn(state).some((who) => allowed(what, who) && addresses.some((ip) => verdict(each, state, who, what, on, ip)))
    for (const after of next(
      each,
      state,
      (path) => may(action(path), account),
      () => control.some((what) => may(what, server)),
    )) {
      const key = JSON.stringify(after)
      if (!states.has(key)) states.set(key, after)
      if (states.size > mostStates) return { states: [...states.values()], isCut: true }
    }
  }
  return { states: [...states.values()], isCut: false }
}

/** How far the states lead. */
function reachOf(each: Case, states: readonly State[]): Escalation['reach'] {
  const may = (state: State, [what, on]: (typeof targets)[number], ip: string, who: string) => verdict(each, state, who, what, on, ip)
  const anywhere = (test: (state: State, who: string, ip: string) => boolean) =>
    states.some((state) => actorsIn(state).some((who) => addresses.some((ip) => test(state, who, ip))))
  const isDecisive = ['iam/policy/edit', 'me/changeEmail'].map((path) => [action(path), account] as const)
  if (anywhere((state, who, ip) => isDecisive.some((target) => may(state, target, ip, who)))) return 'any'
  const namesOf = ({ groups, further }: State, who: string) => [who, ...(groups[who] ?? []), ...(each.isLoose ? (further[who] ?? []) : [])]
  if (anywhere((state, who) => ownGrants(state, who, namesOf(state, who)))) return 'undenied'
  const [first] = states as [State]
  return anywhere((state, who, ip) => targets.some((target) => may(state, target, ip, who) && !may(first, target, ip, bob)))
    ? 'more'
    : 'none'
}

/** The world of a state, for the program. */
function worldIn({ written }: Case, state: State) {
  const everything: PolicyJson[] = ['policy', 'role', 'group'].flatMap((name) =>
    state.done.includes(name)
      ? [
          {
            name,
            identities: name === 'policy' ? [user('*'), credential('*'), group('*')] : name === 'role' ? [group('*')] : [made],
            resources: [{ urn: 'urn:v1:eu:resource:*' }],
            permissions: { allow: [{ action: '*' }] },
          },
        ]
      : [],
  )
  return worldOf({
    ...written,
    policies: [...written.policies.filter(({ name }) => !state.deleted.includes(name)), ...everything],
    permissionsGroups: written.permissionsGroups.map((each) =>
      state.done.includes('rights') ? { ...each, permissions: { allow: [{ action: '*' }] } } : each,
    ),
    resourceGroups: written.resourceGroups.map((each) => ({ ...each, resources: state.members.map((urn) => ({ urn })) })),
    resources: written.resources.map(({ urn, owner }) => {
      const tag = state.tags[urn] ?? null
      return { urn, ...(owner !== undefined && { owner }), tags: tag === null ? {} : { env: tag } }
    }),
    identities: Object.entries(state.groups).map(([urn, groups]) => ({ urn, groups: [...groups, ...(state.further[urn] ?? [])] })),
  })
}

/** Whether `can` allows something in one of some states, whatever the address is. */
function canIn(each: Case, states: readonly State[], who: string, what: string, on: string): boolean {
  return states.some((state) => {
    if (!actorsIn(state).includes(who)) return false
    const ip = addresses.find((address) => verdict(each, state, who, what, on, address))
    if (ip === undefined) return false
    const address = readAddress(ip)
    return (
      decide(worldIn(each, state), { identity: who, action: what, resource: on, groups: [], at: now, ...(address && { ip: address }) })
        .verdict === 'allow'
    )
  })
}

function caseOf(random: () => number): Case {
  const chance = (share: number) => random() < share
  // Few powers in a world, so that its states can be counted.
  const few = Array.from({ length: 1 + Math.floor(random() * 3) }, () => action(pick(random, powers)))
  const wide = ['vps:*', '*', action('iam/*'), action('me/identity/*'), action('iam/policy/*')]
  const conditionOf = (): ConditionJson => ({
    operator: 'MATCH',
    values: chance(0.25) ? { 'request.IP.IN_RANGE': '203.0.113.0/24' } : { 'resource.Tag(env)': pick(random, ['prod', 'dev']) },
  })
  const policyOf = (i: number): PolicyJson => {
    const list = [{ action: chance(0.6) ? pick(random, few) : chance(0.7) ? pick(random, onServers) : pick(random, wide) }]
    const isDeny = chance(0.25)
    const permissions: PermissionsJson = chance(0.1)
      ? { allow: [{ action: pick(random, ['*', 'vps:*']) }], except: list }
      : chance(0.08)
        ? { allow: [{ action: '*' }], deny: list }
        : isDeny
          ? { deny: list }
          : { allow: list }
    return {
      name: `p${i}`,
      identities: [
        pick(random, [
          bob,
          bob,
          bob,
          user('*'),
          group('ops'),
          group('ops'),
          group('admins'),
          group('*'),
          ann,
          user('adm-*'),
          credential('*'),
          robot,
          eve,
          abroad,
        ]),
      ],
      resources: [{ urn: pick(random, [account, account, 'urn:v1:eu:resource:*', server, 'urn:v1:eu:resource:vps:*', servers]) }],
      permissions,
      ...(chance(0.15) && { permissionsGroups: [{ urn: rights }] }),
      ...(chance(0.3) && { conditions: chance(0.3) ? { operator: 'NOT', conditions: [conditionOf()] } : conditionOf() }),
      ...(chance(0.1) && { expiredAt: '2026-01-01T00:00:00Z' }),
      ...(chance(0.1) && { readOnly: true }),
    }
  }
  const tags = () => pick(random, [{}, { env: 'prod' }, { env: 'dev' }])
  return {
    runsAs: chance(0.3),
    written: {
      account: 'ab12-svc',
      policies: [
        ...few.map((power, i): PolicyJson => {
          const who = i === 0 ? bob : pick(random, [bob, user('*'), group('ops'), group('admins'), ann, robot, credential('*')])
          const condition = chance(0.3) ? conditionOf() : undefined
          return {
            name: `power${i}`,
            identities: [who],
            resources: [{ urn: pick(random, [account, account, 'urn:v1:eu:resource:*', servers]) }],
            permissions: { allow: [{ action: power }] },
            ...(condition && { conditions: condition }),
          }
        }),
        ...Array.from({ length: 1 + Math.floor(random() * 4) }, (_, i) => policyOf(i)),
      ],
      permissionsGroups: [
        {
          urn: rights,
          name: 'rights',
          permissions: { allow: [{ action: 'vps:apisvc:get' }], ...(chance(0.4) && { deny: [{ action: pick(random, few) }] }) },
        },
      ],
      resourceGroups: [{ urn: servers, name: 'servers', resources: pick(random, [[], [{ urn: server }], [{ urn: account }]]) }],
      resources: [
        { urn: account, tags: tags() },
        { urn: server, tags: tags() },
        { urn: foreign, owner: 'cd34-svc', tags: tags() },
      ],
      identities: [
        { urn: bob, groups: pick(random, [[], [group('ops')]]) },
        { urn: ann, groups: pick(random, [[], [group('ops')], [group('admins')]]) },
        { urn: robot, groups: [] },
        // Groups that are there even if no identity is in them.
        ...['ops', 'admins'].map((name) => ({ urn: group(name), groups: [] })),
        { urn: eve, groups: [abroad] },
      ],
    },
  }
}

test('goes as far as a search through all states, by a path that can be gone, over generated accounts', () => {
  const actions = new ActionsByType(loadCatalogue('svc'))
  const random = randomOf(83)
  const seen = new Map<string, number>()
  for (let i = 0; i < effort(4_000, 80); i++) {
    const each = caseOf(random)
    const { states, isCut } = statesOf(each, () => true)
    const reach = reachOf(each, states)
    if (isCut && reach !== 'any') continue
    const loose = { ...each, isLoose: true as const }
    const all = statesOf(loose, () => true)
    counted(1)
    const found = escalation(worldOf(each.written), bob, {
      actions,
      brand: 'svc',
      time: notBefore(now),
      ...(each.runsAs && { runsAs: [{ resource: glob(server), identity: robot }] }),
    })
    const path = found.path.map((step) => `${step.as.slice(16)} ${step.action} ${step.groups} ${JSON.stringify(step.tags)}`)
    const context = JSON.stringify({ i, ...each, reach: found.reach, certain: found.certain, path, gains: found.gains })
    seen.set(`${reach} ${found.certain}`, (seen.get(`${reach} ${found.certain}`) ?? 0) + 1)
    if (found.reach === 'none' || found.certain) expect(found.reach, context).toBe(reach)
    // Where it is not certain, the oracle finds none or more.
    else expect(['none', 'more'], context).toContain(reach)
    // Nothing was found: nor is there anything by what is not documented.
    if (found.reach === 'none' && !all.isCut) expect(reachOf(loose, all.states), context).toBe('none')
    if (found.reach === 'none') continue
    expect(found.path[0]?.as, context).toBe(bob)
    const used = new Set<string>()
    for (const step of found.path) {
      expect(step.as, context).toContain(':ab12-svc/')
      if (found.certain) {
        const before = statesOf(each, (what, as) => used.has(`${what} ${as}`)).states
        expect(canIn(each, before, step.as, step.action, step.resource), `${step.action}\n${context}`).toBe(true)
      }
      used.add(`${step.action} ${step.as}`)
    }
    if (!found.certain || !found.example) continue
    const { identity, action: what, resource } = found.example.question
    const after = statesOf(each, (what, as) => used.has(`${what} ${as}`)).states
    expect(canIn(each, after, identity, what, resource), context).toBe(true)
  }
  expect([...seen.keys()].sort()).toEqual(expect.arrayContaining(['any true', 'more true', 'none true']))
})

test('several identities together come out as each by itself, over generated accounts', () => {
  const actions = new ActionsByType(loadCatalogue('svc'))
  const random = randomOf(84)
  const reached = new Set<string>()
  for (let i = 0; i < effort(600, 30); i++) {
    const { written, runsAs } = caseOf(random)
    const world = worldOf(written)
    const identities = [bob, robot, eve, ...knownNamesIn([world]).identities.slice(0, 2)]
    const options = {
      actions,
      brand: 'svc',
      time: notBefore(now),
      ...(runsAs && { runsAs: [{ resource: glob(server), identity: robot }] }),
    }
    const together = escalations(world, identities, options)
    for (const [k, identity] of identities.entries()) {
      expectSame(together[k], escalation(world, identity, options), () => JSON.stringify({ i, identity }))
      reached.add(together[k]?.reach ?? '')
    }
  }
  for (const each of ['any', 'more', 'none']) expect(reached).toContain(each)
})
