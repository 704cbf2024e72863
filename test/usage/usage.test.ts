import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadCatalogue } from '../../src/actions/load.ts'
import { printAddress } from '../../src/conditions/address.ts'
import { lint } from '../../src/lint/run.ts'
import { defaultSettings } from '../../src/names.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { policiesFile } from '../../src/propose/insert.ts'
import { ruleContext } from '../../src/rules/context.ts'
import { rules } from '../../src/rules/index.ts'
import { levelsOf } from '../../src/rules/presets.ts'
import { decide } from '../../src/simulate/decide.ts'
import { sourceOf } from '../../src/source.ts'
import { firstNewAccess } from '../../src/symbolic/covers.ts'
import { sideOf } from '../../src/symbolic/side.ts'
import { type AccessTriple, coverOf } from '../../src/usage/cover.ts'
import { type Level, levels } from '../../src/usage/generalise.ts'
import { type LeastOptions, least, leastVerdict, questionOf } from '../../src/usage/least.ts'
import { type CallRecord, type ReadRecord, type Recorded, recordReader } from '../../src/usage/record.ts'
import { type ReplayOptions, replayCollector } from '../../src/usage/replay.ts'
import { recordCounter } from '../../src/usage/tally.ts'
import { effort } from '../support/effort.ts'
import { testService } from '../support/service.ts'
import { questionOf as asked, generate, pick, type Random, randomOf, usualKnobs, worldOf } from '../support/worlds.ts'

const now = Date.UTC(2026, 10, 1)
const catalogue = loadCatalogue()
const ann = 'urn:v1:eu:identity:user:ab12-svc/ann'
const bob = 'urn:v1:eu:identity:user:ab12-svc/bob'
const team = 'urn:v1:eu:identity:group:ab12-svc/team'
const server = (name: string) => `urn:v1:eu:resource:vps:${name}`

type Verdict = CallRecord['verdict']

/** A recorded call that needs one action. */
function call(
  identity: string,
  action: string,
  resource: string | null,
  verdict: Verdict = 'allow',
  more: Partial<CallRecord> = {},
): CallRecord {
  return {
    at: '2026-10-01T12:00:00.000Z',
    account: 'ab12-svc',
    identity,
    method: 'GET',
    path: `/v1/${action.split(':')[0]}`,
    ip: '192.0.2.7',
    operation: null,
    actions: [{ action, resource, required: true, verdict }],
    verdict,
    credential: null,
    status: verdict === 'allow' ? 200 : 403,
    ...more,
  }
}

/** The same in the access log. */
function logged({ at, account, identity, actions }: CallRecord, groups: readonly string[] = []) {
  const [one] = actions
  return {
    timestamp: at,
    account,
    identities_array: [identity, ...groups],
    requested_actions_array: actions.map(({ action }) => action),
    resource: one?.resource ?? null,
    authorized_actions_array: actions.flatMap(({ action, verdict }) => (verdict === 'allow' ? [action] : [])),
    unauthorized_actions_array: actions.flatMap(({ action, verdict }) => (verdict === 'deny' ? [action] : [])),
  }
}

const readLine = (value: unknown): ReadRecord =>
  recordReader(defaultSettings).read(typeof value === 'string' ? value : JSON.stringify(value))

function recordsOf(values: readonly unknown[]): readonly Recorded[] {
  return values.flatMap((value) => {
    const read = readLine(value)
    if (read.kind !== 'records') throw new Error(`no records: ${JSON.stringify(read)}`)
    return read.records
  })
}

function tallyOf(values: readonly unknown[]) {
  const tally = recordCounter()
  for (const record of recordsOf(values)) tally.add(record)
  return tally.end()
}

const leastOf = (values: readonly unknown[], options: Partial<LeastOptions> = {}) =>
  least(tallyOf(values), { level: 'none', catalogue, settings: defaultSettings, now, ...options })

const saying = ({ policies }: ReturnType<typeof leastOf>) =>
  policies.map(({ identities, permissions, resources }) =>
    [identities.map((each) => each.split('/')[1]), permissions.allow.map(({ action }) => action), resources.map(({ urn }) => urn)]
      .map((list) => list.join(' '))
      .join(' | '),
  )

function replayOf(world: Parameters<typeof replayCollector>[0], values: readonly unknown[], options: Partial<ReplayOptions> = {}) {
  const replay = replayCollector(world, { now, ...options })
  for (const record of recordsOf(values)) replay.add(record)
  return replay.end()
}

describe('records', () => {
  test('a call as it was recorded', () => {
    expect(recordsOf([call(ann, 'vps:apisvc:get', server('a'))])).toMatchObject([
      {
        at: Date.UTC(2026, 9, 1, 12),
        account: 'ab12-svc',
        identity: ann,
        groups: undefined,
        call: { method: 'GET', path: '/v1/vps', operation: null },
        needs: [{ action: 'vps:apisvc:get', resource: server('a'), required: true, verdict: 'allow' }],
        verdict: 'allow',
        credential: undefined,
      },
    ])
  })

  const decided = {
    account: 'ab12-svc',
    identities: [team, ann],
    requested_actions: ['vps:apisvc:get', 'vps:apisvc:reboot'],
    resource: server('a'),
    authorized_actions: ['vps:apisvc:get'],
    unauthorized_actions: ['vps:apisvc:reboot'],
    '@timestamp': '2026-10-01T12:00:00Z',
  }
  const [granted, refused] = recordsOf([decided])

  test('a log record is one decision for each action', () => {
    expect([granted, refused]).toMatchObject([
      { identity: ann, groups: [team], at: Date.UTC(2026, 9, 1, 12), needs: [{ action: 'vps:apisvc:get' }], verdict: 'allow' },
      { identity: ann, needs: [{ action: 'vps:apisvc:reboot' }], verdict: 'deny' },
    ])
  })

  const { identities, requested_actions, authorized_actions, unauthorized_actions, '@timestamp': timestamp, ...rest } = decided
  test.each([
    [
      'published',
      {
        ...rest,
        identities_array: identities,
        requested_actions_array: requested_actions,
        authorized_actions_array: authorized_actions,
        unauthorized_actions_array: unauthorized_actions,
        timestamp: '2026-10-01 12:00:00.000',
      },
    ],
    [
      'camel case',
      {
        ...rest,
        identities,
        requestedActions: requested_actions,
        authorizedActions: authorized_actions,
        unauthorizedActions: unauthorized_actions,
        at: timestamp,
      },
    ],
    [
      'GELF',
      {
        version: '1.1',
        host: 'x',
        short_message: 'iam',
        timestamp: Date.UTC(2026, 9, 1, 12) / 1000,
        _account: 'ab12-svc',
        _identities_array: JSON.stringify(identities),
        _requested_actions_array: JSON.stringify(requested_actions),
        _resource: server('a'),
        _authorized_actions_array: '["vps:apisvc:get"]',
        _unauthorized_actions_array: 'vps:apisvc:reboot',
      },
    ],
    ['an envelope', { _index: 'i', _source: { ...decided, more: { deep: [1] } } }],
    ['a text in an envelope', { message: JSON.stringify(decided) }],
    ['without what was requested', { ...rest, identities, authorized_actions, unauthorized_actions, at: timestamp }],
    ['with the account beside the user', { ...decided, identities: ['urn:v1:eu:identity:account:ab12-svc', ...identities] }],
  ])('%s spelling', (_, value) => {
    expect(recordsOf([value])).toEqual([granted, refused])
  })

  test('the time of a record is its own, else that of its envelope, in whole milliseconds', () => {
    const instants = (value: object) => new Set(recordsOf([value]).map(({ at }) => at))
    const { '@timestamp': _, ...timeless } = decided
    expect(instants(timeless)).toEqual(new Set([undefined]))
    expect(instants({ '@timestamp': '2026-10-02T00:00:00Z', _source: timeless })).toEqual(new Set([Date.UTC(2026, 9, 2)]))
    expect(instants({ '@timestamp': '2026-10-02T00:00:00Z', _source: decided })).toEqual(new Set([Date.UTC(2026, 9, 1, 12)]))
    expect(instants({ ...timeless, timestamp: 1.0005004 })).toEqual(new Set([1001]))
    // The clock of the service and that of what collects its log.
    expect(instants({ ...decided, timestamp: '2026-10-01T12:00:01Z' }).size).toBe(1)
  })

  test('an action that a call needs is required unless the record says otherwise', () => {
    const needs = (more: object) => [{ action: 'vps:apisvc:get', resource: server('a'), verdict: 'allow', ...more }]
    const required = (more: object) =>
      recordsOf([call(ann, 'vps:apisvc:get', server('a'), 'allow', { actions: needs(more) as never })])[0]?.needs[0]?.required
    expect([required({}), required({ required: true }), required({ required: false })]).toEqual([true, true, false])
  })

  test('a call that the rules of its key refuse was not let through, whatever the policies allowed', () => {
    const gates = (verdict: CallRecord['verdict'], credential: CallRecord['credential']) =>
      call(ann, 'vps:apisvc:get', server('a'), verdict, { credential })
    const recorded = (verdict: CallRecord['verdict'], credential: CallRecord['credential']) =>
      recordsOf([gates(verdict, credential)])[0]?.verdict
    expect([recorded('allow', 'allow'), recorded('allow', null), recorded('allow', 'unknown')]).toEqual(['allow', 'allow', 'unknown'])
    expect([recorded('allow', 'deny'), recorded('unknown', 'deny'), recorded('deny', 'allow')]).toEqual(['deny', 'deny', 'deny'])
    expect(tallyOf([gates('allow', 'deny'), gates('allow', null), gates('unknown', null)])).toMatchObject({
      records: 3,
      letThrough: 1,
      uses: [{ action: 'vps:apisvc:get', count: 1 }],
    })
  })

  test('an IPv4 address that is mapped into IPv6 is that address', () => {
    expect(recordsOf([call(ann, 'vps:apisvc:get', null, 'allow', { ip: '::ffff:192.0.2.7' })])[0]?.ip).toMatchObject({ family: 4 })
    expect(recordsOf([call(ann, 'vps:apisvc:get', null, 'allow', { ip: '2001:db8::1' })])[0]?.ip).toMatchObject({ family: 6 })
  })

  test('other entries of a log are passed over, and blank lines', () => {
    expect(readLine({ account: 'ab12-svc', identities_array: [ann], method: 'GET', path: '/v1/vps', status_int: 200 })).toEqual({
      kind: 'other',
    })
    expect(readLine({ account: 'ab12-svc', type: 'ACCOUNT_LOGIN_SUCCESS' })).toEqual({ kind: 'other' })
    expect(readLine('  ')).toEqual({ kind: 'blank' })
  })

  test.each([
    ['{"at": "2026', 'never closed', 8],
    ['[]', 'not an object', undefined],
    ['{"a":1}', 'neither', undefined],
    ['{"identity":"a","identity":"b","actions":[]}', 'twice', 17],
    [call('ann', 'vps:apisvc:get', null), 'identity', undefined],
    [call(ann, 'vps:*', null), '`actions[0]`: action', undefined],
    [{ ...call(ann, 'vps:apisvc:get', null), actions: null }, '`actions` is not a list', undefined],
    [{ ...call(ann, 'vps:apisvc:get', null), actions: 'vps:apisvc:get' }, '`actions` is not a list', undefined],
    [call(ann, 'vps:apisvc:get', 'urn:v1:eu:resource:vps:*'), 'one resource is expected', undefined],
    [{ ...call(ann, 'vps:apisvc:get', null), at: 'today' }, '`at`', undefined],
    [{ ...call(ann, 'vps:apisvc:get', null), verdict: 'yes' }, '`verdict`', undefined],
    [{ ...call(ann, 'vps:apisvc:get', null), path: undefined }, 'missing field `path`', undefined],
    [{ ...decided, identities: [team] }, 'only groups', undefined],
    [{ ...decided, identities: [ann, bob] }, '2 identities', undefined],
    [{ ...decided, identities: [ann, 'urn:v1:eu:identity:credential:ab12-svc/oauth2-x'] }, '2 identities', undefined],
    [{ ...decided, identities: undefined }, 'no identities', undefined],
    [{ ...decided, identities_array: [ann] }, 'different things', undefined],
    [{ ...decided, unauthorized_actions: ['vps:apisvc:get'] }, 'among the authorized and among the unauthorized', undefined],
    [{ ...decided, authorized_actions: [], unauthorized_actions: null }, 'without a verdict', undefined],
    [{ ...decided, authorized_actions: [1] }, 'not a list of texts', undefined],
    [{ ...decided, '@timestamp': 'noon' }, 'no date and time', undefined],
  ])('%j is refused', (value, message, column) => {
    const read = readLine(value)
    expect(read.kind).toBe('fault')
    if (read.kind !== 'fault') return
    expect(read.fault.message).toContain(message)
    expect(read.fault.column).toBe(column)
  })
})

describe('least', () => {
  test('one policy where uses form a product, as few as hold nothing else where they do not', () => {
    const both = ['vps:apisvc:get', 'vps:apisvc:reboot'].flatMap((action) => [ann, bob].map((who) => call(who, action, server('a'))))
    expect(saying(leastOf(both))).toEqual([`ann bob | vps:apisvc:get vps:apisvc:reboot | ${server('a')}`])
    const { policies, isFewest } = leastOf([...both, call(ann, 'vps:apisvc:get', server('b'))])
    expect([policies.length, isFewest]).toEqual([2, true])
  })

  test('nothing of a refused call, nothing on an unknown resource, nothing for the owning account', () => {
    const values = [
      call(ann, 'vps:apisvc:get', server('a'), 'deny'),
      call(ann, 'vps:apisvc:get', null),
      call('urn:v1:eu:identity:account:ab12-svc', 'vps:apisvc:get', server('a')),
      { ...call(ann, 'vps:apisvc:reboot', server('a')), verdict: 'deny' },
      call(ann, 'vps:apisvc:stop', server('a'), 'unknown'),
    ]
    const { left, uses } = tallyOf(values)
    expect(uses).toEqual([])
    expect(Object.entries(left).map(([why, list]) => [why, list.map(({ action }) => action)])).toEqual([
      ['refused', ['vps:apisvc:get', 'vps:apisvc:reboot']],
      ['undecided', ['vps:apisvc:stop']],
      ['unknown-resource', ['vps:apisvc:get']],
      ['root', ['vps:apisvc:get']],
    ])
    expect(leastVerdict(leastOf(values))).toBe('none')
  })

  test('what was refused at other times is granted, and reported', () => {
    const tally = tallyOf(['allow', 'deny', 'allow'].map((verdict) => call(ann, 'vps:apisvc:get', server('a'), verdict as Verdict)))
    expect([tally.uses, tally.left.refused, tally.alsoRefused].map((list) => list.map(({ count }) => count))).toEqual([[2], [], [1]])
  })

  test('each account by itself', () => {
    const { policies } = leastOf(
      ['ab12-svc', 'cd34-svc'].map((account) => call(ann, 'vps:apisvc:get', server(account), 'allow', { account })),
    )
    expect(policies.map(({ description }) => description.split(', ').at(-1))).toEqual(['in account ab12-svc', 'in account cd34-svc'])
  })

  test('counts, and the first and the last time', () => {
    const at = (day: number) => `2026-10-0${day}T00:00:00.000Z`
    const { uses } = tallyOf([3, 1, 2].map((day) => call(ann, 'vps:apisvc:get', server('a'), 'allow', { at: at(day) })))
    expect(uses).toMatchObject([{ count: 3, first: Date.UTC(2026, 9, 1), last: Date.UTC(2026, 9, 3) }])
  })

  const [get, edit] = ['webHosting:apisvc:attachedDomain/get', 'webHosting:apisvc:attachedDomain/edit']
  const site = (name: string) => `urn:v1:eu:resource:webHosting:${name}`
  test.each<[Level, readonly unknown[], string]>([
    ['none', [call(ann, get, site('a')), call(ann, edit, site('a'))], `ann | ${edit} ${get} | ${site('a')}`],
    ['known', [call(ann, get, site('a')), call(ann, edit, site('a'))], `ann | ${edit} ${get} | ${site('a')}`],
    [
      'known',
      catalogue.actionsOf('webHosting').flatMap((action) => (action.includes(':attachedDomain/') ? [call(ann, action, site('a'))] : [])),
      `ann | webHosting:apisvc:attachedDomain/* | ${site('a')}`,
    ],
    ['actions', [call(ann, get, site('a')), call(ann, edit, site('a'))], `ann | webHosting:apisvc:attachedDomain/* | ${site('a')}`],
    [
      'actions',
      [call(ann, get, site('a')), call(ann, 'webHosting:apisvc:get', site('a'))],
      `ann | ${get} webHosting:apisvc:get | ${site('a')}`,
    ],
    ['resources', [call(ann, get, site('web-1')), call(ann, get, site('web-22'))], `ann | ${get} | ${site('web-*')}`],
    ['resources', [call(ann, get, site('web1')), call(ann, get, site('web22'))], `ann | ${get} | ${site('web1')} ${site('web22')}`],
    ['types', [call(ann, get, site('one')), call(ann, get, site('two'))], `ann | ${get} | ${site('*')}`],
    ['types', [call(ann, get, site('one')), call(ann, edit, site('two'))], ''],
    [
      'all',
      [get, edit].flatMap((action) => ['a', 'b'].map((name) => call(ann, action, site(name)))),
      `ann | webHosting:apisvc:attachedDomain/* | ${site('*')}`,
    ],
  ])('generalised by %s', (level, values, expected) => {
    const found = saying(leastOf(values, { level }))
    if (expected === '') expect(found.join()).not.toContain('*')
    else expect(found).toEqual([expected])
  })

  test('what a pattern stands for and what it adds is shown', () => {
    const { widened } = leastOf([call(ann, get, site('a')), call(ann, edit, site('a'))], { level: 'actions' })
    expect(widened).toMatchObject([{ kind: 'action', pattern: 'webHosting:apisvc:attachedDomain/*', used: [edit, get], identities: [ann] }])
    expect(widened[0]?.adds).toContain('webHosting:apisvc:attachedDomain/create')
    expect(widened[0]?.adds).not.toContain(get)
  })

  const grant = (more: object = {}) => ({
    name: 'servers',
    identities: [team],
    resources: [{ urn: server('*') }],
    permissions: { allow: [{ action: 'vps:*' }] },
    ...more,
  })
  const used = logged(call(ann, 'vps:apisvc:get', server('a')), [team])

  test('held against the policies in force: the groups that the log gives count', () => {
    const proposal = leastOf([used], { current: worldOf(grant()) })
    expect(leastVerdict(proposal)).toBe('within')
    expect(proposal.against?.difference.lost).not.toEqual([])
    expect(leastVerdict(leastOf([logged(call(ann, 'vps:apisvc:get', server('a')))], { current: worldOf(grant()) }))).toBe('beyond')
  })

  test('conditions and expiries of what grants a use are taken over', () => {
    const conditions = { operator: 'MATCH', values: { 'request.IP.IN_RANGE': '192.0.2.0/24' } }
    const current = worldOf(grant({ conditions, expiredAt: '2027-01-01T00:00:00Z' }))
    const proposal = leastOf([{ ...used, client_ip: '192.0.2.7' }], { current })
    expect(proposal.policies).toMatchObject([{ conditions, expiredAt: '2027-01-01T00:00:00Z' }])
    const written = worldOf(parse(policiesFile(proposal.policies)))
    expect(firstNewAccess(sideOf(proposal.world), sideOf(written)).kind).toBe('none')
    expect(firstNewAccess(sideOf(written), sideOf(proposal.world)).kind).toBe('none')
    expect([leastVerdict(proposal), proposal.unmet]).toEqual(['within', []])
    const open = worldOf([grant({ conditions }), grant({ name: 'open' })])
    for (const use of [used, { ...used, client_ip: '192.0.2.7' }])
      expect(leastOf([use], { current: open }).policies[0]).not.toHaveProperty('conditions')
  })

  test('what the policies in force deny, or no longer grant, is reported', () => {
    const denied = worldOf([grant(), { ...grant({ name: 'no' }), permissions: { deny: [{ action: 'vps:apisvc:get' }] } }])
    for (const current of [denied, worldOf(grant({ expiredAt: '2026-10-02T00:00:00Z' }))]) {
      const proposal = leastOf([used], { current })
      expect(leastVerdict(proposal)).toBe('beyond')
      expect(proposal.against?.noLonger).toHaveLength(1)
    }
  })

  test.each(Object.keys(levels) as Level[])('what is written at level %s is read again as it is, and lint finds nothing', async (level) => {
    const values = [
      ...['web-1', 'web-2', 'shop'].flatMap((name) => [get, edit].map((action) => call(ann, action, site(name)))),
      call(bob, 'vps:apisvc:get', server('a')),
      call('urn:v1:eu:identity:credential:ab12-svc/oauth2-0123456789abcdef', get, site('shop')),
    ]
    const { policies, world } = leastOf(values, { level })
    const read = await readSource(sourceOf('least.yaml', policiesFile(policies)), defaultSettings)
    const built = buildWorld([read.facts])
    const context = ruleContext({ world: built.world, catalogue, operations: () => [], settings: defaultSettings, now }, new Map())
    expect(lint(rules, context, [...read.diagnostics, ...built.diagnostics], levelsOf('recommended'))).toEqual([])
    expect(firstNewAccess(sideOf(world), sideOf(built.world)).kind).toBe('none')
    expect(firstNewAccess(sideOf(built.world), sideOf(world)).kind).toBe('none')
  })
})

describe('covers', () => {
  const random = randomOf(20261101)
  const some = (count: number): readonly AccessTriple[] => {
    const triples = Array.from({ length: count }, () => ({
      identity: pick(random, ['i', 'j', 'k']),
      action: pick(random, ['a', 'b', 'c']),
      resource: pick(random, ['r', 's', 't']),
    }))
    return [...new Map(triples.map((triple) => [Object.values(triple).join(), triple])).values()]
  }

  test('hold the triples and nothing else; a claim of fewest holds', () => {
    let claims = 0
    for (let run = 0; run < effort(1500); run++) {
      const triples = some(1 + (run % 12))
      const { products, isFewest } = coverOf(triples)
      const held = products.flatMap(({ identities, actions, resources }) =>
        identities.flatMap((i) => actions.flatMap((a) => resources.map((r) => [i, a, r].join()))),
      )
      expect([...new Set(held)].sort()).toEqual(triples.map((triple) => Object.values(triple).join()).sort())
      if (!isFewest) continue
      claims++
      expect(products.length).toBeLessThanOrEqual(fewest(triples))
    }
    expect(claims).toBeGreaterThan(effort(1000))
  })

  /** As many products as are needed, by trying: triples are put into groups whose product holds nothing else. */
  function fewest(triples: readonly AccessTriple[]): number {
    const known = new Set(triples.map((triple) => Object.values(triple).join()))
    const fits = (group: readonly AccessTriple[]) =>
      group.every((x) => group.every((y) => group.every((z) => known.has([x.identity, y.action, z.resource].join()))))
    let best = triples.length
    const place = (at: number, groups: readonly (readonly AccessTriple[])[]) => {
      if (groups.length >= best) return
      const next = triples[at]
      if (!next) {
        best = groups.length
        return
      }
      groups.forEach((group, i) => {
        if (fits([...group, next]))
          place(
            at + 1,
            groups.map((each, k) => (k === i ? [...group, next] : each)),
          )
      })
      place(at + 1, [...groups, [next]])
    }
    place(0, [])
    return best
  }
})

describe('random worlds', () => {
  /** Calls that were made in a world: questions near its policies, with the answers that it gives. */
  function usedIn(random: Random, withoutDenies = false) {
    const { world: written, questions } = generate(random, 12, usualKnobs)
    if (withoutDenies) for (const { permissions } of [...written.policies, ...written.permissionsGroups]) delete permissions.deny
    const world = worldOf(written)
    const calls = questions.map((each) => {
      const { identity, action, resource, at, ip, groups = [] } = asked(each)
      const where = ip ? { ip: printAddress(ip) } : { ip: '' }
      const { verdict } = decide(world, { identity, action, resource, at, groups, ...(ip && { ip }) })
      return { value: call(identity, action, resource, verdict, { at: new Date(at).toISOString(), ...where }), groups }
    })
    return { calls, world }
  }

  test('at level none all that was used is allowed and, by proof, nothing else; at any level what was used', () => {
    let allowed = 0
    for (let seed = 1; seed <= effort(150, 12); seed++) {
      const { calls } = usedIn(randomOf(seed))
      const values = calls.map(({ value }) => value)
      const tally = tallyOf(values)
      const each = worldOf({
        policies: tally.uses.map(({ identity, action, resource }, i) => ({
          name: `use ${i}`,
          identities: [identity],
          resources: [{ urn: resource }],
          permissions: { allow: [{ action }] },
        })),
      })
      const exact = leastOf(values)
      if (tally.uses.length > 0) {
        expect(firstNewAccess(sideOf(exact.world), sideOf(each)).kind).toBe('none')
        expect(firstNewAccess(sideOf(each), sideOf(exact.world)).kind).toBe('none')
      }
      for (const level of Object.keys(levels) as Level[]) {
        const { world, unmet } = leastOf(values, { level })
        expect(unmet).toEqual([])
        for (const use of tally.uses) {
          allowed++
          expect(decide(world, questionOf(use, now)).verdict).toBe('allow')
        }
      }
      // The log takes no identity for a group, and has no word for what could not be decided.
      const both = values.filter(({ identity, verdict }) => verdict !== 'unknown' && !identity.includes(':group:'))
      expect(saying(leastOf(both.map((value) => logged(value))))).toEqual(saying(leastOf(both)))
    }
    expect(allowed).toBeGreaterThan(effort(300))
  })

  test('held against the world that allowed it, a proposal grants no more, whatever grants it and when', () => {
    const seen = { within: 0, beyond: 0, undecided: 0, guarded: 0 }
    for (let seed = 1; seed <= effort(60, 8); seed++) {
      const { calls, world } = usedIn(randomOf(seed), true)
      const allowed = calls.filter(({ value }) => value.verdict === 'allow' && !value.identity.includes(':group:'))
      for (const { value, groups } of allowed) {
        const at = Date.parse(value.at)
        const proposal = leastOf([{ ...logged(value, groups), ...(value.ip !== '' && { client_ip: value.ip }) }], {
          current: world,
          now: at,
        })
        const verdict = leastVerdict(proposal)
        if (verdict === 'none' || verdict === 'proposed') continue
        if (proposal.policies.some((policy) => 'conditions' in policy || 'expiredAt' in policy)) seen.guarded++
        seen[verdict]++
        expect([verdict, proposal.against?.noLonger], `seed ${seed}`).not.toEqual(['beyond', []])
      }
    }
    expect(seen.within).toBeGreaterThan(effort(100))
    expect(seen.guarded).toBeGreaterThan(effort(30))
  })

  test('a replay agrees with decide, and changes nothing in the world of the records', () => {
    const seen = { refused: 0, allowed: 0, unknown: 0, same: 0 }
    for (let seed = 1; seed <= effort(300, 12); seed++) {
      const random = randomOf(seed)
      const { calls, world } = usedIn(random)
      const { world: other } = usedIn(random)
      for (const { value, groups } of calls) {
        // An account owns what it asks for where nothing else is known: see the test of its own.
        if (value.identity.includes(':account:') || value.identity.includes(':group:') || value.verdict === 'unknown') continue
        const line = { ...logged(value, groups), ...(value.ip !== '' && { client_ip: value.ip }) }
        const [record] = recordsOf([line])
        const { action, resource } = record?.needs[0] ?? {}
        if (!record || !action || !resource) throw new Error('a record is one decision')
        const { identity, groups: memberships = [], at = now, ip } = record
        const { verdict, clauses } = decide(other, { identity, groups: memberships, action, resource, at, ...(ip && { ip }) })
        const { uses } = replayOf(other, [line])
        expect([uses[0]?.verdict, uses[0]?.needs[0]?.clauses]).toEqual([verdict, clauses])
        const isAllowed = verdict === 'allow'
        const expected =
          verdict === 'unknown' ? 'unknown' : isAllowed === (value.verdict === 'allow') ? 'same' : isAllowed ? 'allowed' : 'refused'
        expect(uses[0]?.change, `seed ${seed}`).toBe(expected)
        seen[expected]++
        expect(replayOf(world, [line]).counts.same, `seed ${seed}`).toBe(1)
      }
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(effort(30))
  })
})

describe('replay', () => {
  const world = worldOf({
    policies: [
      {
        name: 'until',
        identities: [ann],
        resources: [{ urn: server('*') }],
        permissions: { allow: [{ action: 'vps:*' }] },
        expiredAt: '2026-10-02T00:00:00Z',
      },
      { name: 'team', identities: [team], resources: [{ urn: server('b') }], permissions: { allow: [{ action: 'vps:apisvc:get' }] } },
    ],
  })
  const late = { at: '2026-10-03T00:00:00.000Z' }

  test('each call at its own time, or all at one', () => {
    const values = [call(ann, 'vps:apisvc:get', server('a')), call(ann, 'vps:apisvc:get', server('a'), 'allow', late)]
    expect(replayOf(world, values).uses.map(({ change, count }) => [change, count])).toEqual([
      ['refused', 1],
      ['same', 1],
    ])
    expect(replayOf(world, values, { at: Date.UTC(2026, 9, 1) }).counts).toMatchObject({ refused: 0, same: 2 })
  })

  test('calls that are alike are one row, with the first and the last time', () => {
    const hours = [9, 7, 11].map((hour) => new Date(Date.UTC(2026, 8, 1, hour)).toISOString())
    const values = hours.map((at) => call(ann, 'vps:apisvc:get', server('a'), 'allow', { at }))
    expect(replayOf(world, values).uses.map(({ count, first, last }) => [count, first, last])).toEqual([
      [3, Date.UTC(2026, 8, 1, 7), Date.UTC(2026, 8, 1, 11)],
    ])
  })

  test('groups of the log, and what decides', () => {
    const value = logged(call(bob, 'vps:apisvc:get', server('b'), 'deny'), [team])
    const { uses } = replayOf(world, [value, value])
    expect(uses).toMatchObject([{ change: 'allowed', count: 2, groups: [team] }])
    expect(uses[0]?.needs[0]?.clauses.map(({ policy }) => policy.name.value)).toEqual(['team'])
  })

  test('the call as a whole: an action that it can do without does not refuse it', () => {
    const actions = [
      { action: 'vps:apisvc:get', resource: server('a'), required: true, verdict: 'allow' as const },
      { action: 'dns:apisvc:get', resource: server('a'), required: false, verdict: 'allow' as const },
    ]
    expect(replayOf(world, [call(ann, 'x:apisvc:y', null, 'allow', { actions })]).counts.same).toBe(1)
    const all = actions.map((each) => ({ ...each, required: true }))
    expect(replayOf(world, [call(ann, 'x:apisvc:y', null, 'allow', { actions: all })]).counts.refused).toBe(1)
  })

  test('a call that lists is refused by no policy; what was refused on no known resource cannot be determined', () => {
    expect(replayOf(world, [call(bob, 'vps:apisvc:get', null)]).counts.same).toBe(1)
    const { uses } = replayOf(world, [call(bob, 'vps:apisvc:get', null, 'deny')])
    expect(uses).toMatchObject([{ change: 'unknown', needs: [{ missing: [{ kind: 'resource', action: 'vps:apisvc:get' }] }] }])
  })

  test('a call with unknown needs stays unknown; one that needs no action stays allowed', () => {
    const bare = (verdict: Verdict, operation: string | null) => ({ ...call(bob, 'x:apisvc:y', null), actions: [], verdict, operation })
    expect(replayOf(world, [bare('unknown', null)]).counts.unknown).toBe(1)
    expect(replayOf(world, [bare('allow', '/v1/auth/time')]).counts.same).toBe(1)
  })

  test('both gates: what was recorded of the consumer key counts, unless its rules are given', () => {
    const keyed = (credential: Verdict, verdict: Verdict) => ({ ...call(ann, 'vps:apisvc:get', server('a')), credential, verdict })
    expect(replayOf(world, [keyed('deny', 'deny')]).uses).toMatchObject([
      { change: 'same', verdict: 'deny', credential: { recorded: 'deny', verdict: 'deny' } },
    ])
    const span = { source: sourceOf('', ''), start: 0, end: 0 }
    const rule = (path: string) => ({ method: { value: 'GET', span }, path: { value: path, span }, span })
    expect(replayOf(world, [keyed('deny', 'deny')], { rules: [rule('/vps')] }).counts.allowed).toBe(1)
    expect(replayOf(world, [keyed('allow', 'allow')], { rules: [rule('/me')] }).counts.refused).toBe(1)
    expect(replayOf(world, [call(ann, 'vps:apisvc:get', server('a'))], { rules: [rule('/me')] }).counts.same).toBe(1)
  })
})

describe('what the emulator records', () => {
  const calls = [
    ['GET', '/v1/hosting/web/example.org'],
    ['GET', '/v1/hosting/web/shop.example.org'],
    ['GET', '/v1/hosting/web'],
    ['GET', '/v1/vps/vps-1'],
    ['POST', '/v1/vps/vps-1/reboot'],
    ['POST', '/v1/vps/vps-1/stop'],
    ['GET', '/v2/iam/policy'],
  ] as const

  /** The calls under some policies: the status of each, and the records. */
  function recorded(grants: readonly (readonly [actions: readonly string[], resources: readonly string[]])[]) {
    const { service, call: send, allow } = testService()
    const lines: string[] = []
    service.sinks.add((record) => void lines.push(JSON.stringify(record)))
    for (const [actions, resources] of grants) allow(actions, resources)
    return { statuses: calls.map(([method, path]) => send(method, path).status), lines }
  }

  test('is enough for a proposal under which it answers the same', () => {
    const before = recorded([[['webHosting:*', 'vps:*get', 'vps:apisvc:reboot'], ['*']]])
    expect(before.statuses).toEqual([200, 200, 200, 200, 200, 403, 403])
    const proposal = leastOf(before.lines)
    expect(proposal.policies.flatMap(({ permissions }) => permissions.allow.map(({ action }) => action)).sort()).toEqual([
      'vps:apisvc:get',
      'vps:apisvc:reboot',
      'webHosting:apisvc:get',
    ])
    const grants = proposal.policies.map(
      ({ permissions, resources }) => [permissions.allow.map(({ action }) => action), resources.map(({ urn }) => urn)] as const,
    )
    expect(recorded(grants).statuses).toEqual(before.statuses)
    expect(replayOf(proposal.world, before.lines).counts).toEqual({ refused: 0, allowed: 0, unknown: 0, same: before.lines.length })
    expect(replayOf(worldOf({ policies: [] }), before.lines).counts.refused).toBe(4)
  })
})
