import {
  and,
  ann,
  group,
  isNew,
  match,
  not,
  nothingNew,
  or,
  permissions,
  permissionsGroup,
  reboot,
  resource,
  resourceGroup,
  under,
  user,
  web,
  world,
} from './build.mjs'

const bob = user('bob')
const ops = group('ops')
const shop = resourceGroup('shop')
const care = permissionsGroup('care')

/**
 * Patterns, each with a name that it matches and with which ones of the others cover it. A name was made by filling the wildcards
 * with text that occurs in no pattern, so that exactly the patterns that cover all of it match the name.
 */
const actions = [
  ['*', 'zz:apizz:zz', []],
  ['vps:*', 'vps:apizz:zz', ['*']],
  ['vps:apisvc:*', 'vps:apisvc:zz', ['*', 'vps:*', '*:apisvc:*']],
  ['vps:apisvc:re*', 'vps:apisvc:rezz', ['*', 'vps:*', 'vps:apisvc:*', '*:apisvc:*']],
  [reboot, reboot, ['*', 'vps:*', 'vps:apisvc:*', 'vps:apisvc:re*', '*reboot', '*:apisvc:*', '*boot']],
  ['*reboot', 'zz:apizz:zzreboot', ['*', '*boot']],
  ['*boot', 'zz:apizz:zzboot', ['*']],
  ['*:apisvc:*', 'zz:apisvc:zz', ['*']],
  ['ip:apisvc:get', 'ip:apisvc:get', ['*', '*:apisvc:*']],
]
const resources = [
  ['urn:v1:eu:resource:*', resource('zz', 'zz'), []],
  [resource('*'), resource('zz'), ['urn:v1:eu:resource:*']],
  [resource('web-*'), resource('web-zz'), ['urn:v1:eu:resource:*', resource('*'), resource('web-*', '*')]],
  [web, web, ['urn:v1:eu:resource:*', resource('*'), resource('web-*'), resource('web-*', '*')]],
  [resource('web-*', '*'), resource('web-zz', 'zz'), ['urn:v1:eu:resource:*']],
  [resource('*', 'ip'), resource('zz', 'ip'), ['urn:v1:eu:resource:*']],
  ['urn:v1:ca:resource:*', resource('zz', 'zz', 'ca'), []],
]
const identities = [
  ['urn:v1:eu:identity:user:*', user('zz', 'zz'), []],
  [user('*'), user('zz'), ['urn:v1:eu:identity:user:*']],
  [user('an*'), user('anzz'), ['urn:v1:eu:identity:user:*', user('*')]],
  [ann, ann, ['urn:v1:eu:identity:user:*', user('*'), user('an*')]],
  [bob, bob, ['urn:v1:eu:identity:user:*', user('*')]],
  ['urn:v1:eu:identity:credential:ab12-svc/*', 'urn:v1:eu:identity:credential:ab12-svc/zz', []],
]
const covered = (rows, before, after) => before === after || rows.find(([pattern]) => pattern === after)[2].includes(before)
const short = (text) => text.replace(/^urn:v1:(..):(?:resource|identity):/, '$1 ')

/** From each pattern of a table to each other one. */
const each = (rows, what, worldWith, requestWith) =>
  rows.flatMap(([before]) =>
    rows.flatMap(([after, name]) => {
      if (before === after) return []
      const title = `${what}: ${short(before)} becomes ${short(after)}`
      const worlds = [worldWith(before), worldWith(after)]
      return [covered(rows, before, after) ? nothingNew(title, ...worlds) : isNew(title, ...worlds, requestWith(name))]
    }),
  )

const only = (...patterns) => world({ allow: patterns })
const under24 = match({ 'request.IP.IN_RANGE': '192.0.2.0/24' })
const under16 = match({ 'request.IP.IN_RANGE': '192.0.0.0/16' })
const env = match({ 'resource.Tag(env)': 'prod' })
const when = (condition) => world({ allow: reboot, when: condition })
const groups = (lists, rest = {}) =>
  world(
    { allow: 'vps:apisvc:get', named: care },
    { permissionsGroups: [{ urn: care, name: 'care', permissions: permissions(lists) }], ...rest },
  )
const hour = (operator, value) => match({ [`date(UTC).Hour.${operator}`]: value })
const at = (time) => ({ at: `2026-07-01T${time}Z` })

const date = (operator, value, zone = 'UTC') => match({ [`date(${zone}).Date.${operator}`]: value })
const local = (zone, value) => match({ [`date(${zone}).Hour`]: value })
const anyOf = (...conditions) =>
  world(conditions.map((condition) => ({ allow: reboot, ...(typeof condition === 'string' ? { until: condition } : { when: condition }) })))
const tagged = (tags) => world({ allow: reboot, when: env }, { resources: [{ urn: web, ...(tags && { tags }) }] })
/** Changes that name what they do, with a request that is new, or none. */
const changes = [
  ['the same', only(reboot), only(reboot)],
  ['another name of the policy', world({ name: 'one', allow: reboot }), world({ name: 'two', allow: reboot })],
  ['another order of policies', world([{ allow: 'vps:*' }, { deny: reboot }]), world([{ deny: reboot }, { allow: 'vps:*' }])],
  ['an entry twice', only(reboot), only(reboot, reboot)],
  ['nothing becomes nothing', world([]), world([])],
  ['a policy is removed', only(reboot), world([])],
  ['a policy is added', world([]), only(reboot), {}],
  ['a policy that only denies is added', only('vps:*'), world([{ allow: 'vps:*' }, { deny: reboot }])],
  ['a policy that only denies is removed', world([{ allow: 'vps:*' }, { deny: reboot }]), only('vps:*'), {}],
  ['a policy that only excepts is added', only('vps:*'), world([{ allow: 'vps:*' }, { except: reboot }])],
  ['an entry that another covers is added', only('vps:*'), only('vps:*', reboot)],
  ['an entry that another covers is removed', only('vps:*', reboot), only('vps:*')],
  ['a policy split by its actions', only(reboot, 'vps:apisvc:get'), world([{ allow: reboot }, { allow: 'vps:apisvc:get' }])],
  ['a policy split by its identities', world({ who: [ann, bob], allow: reboot }), world([{ allow: reboot }, { who: bob, allow: reboot }])],
  [
    'two policies joined, whose identities and resources differ',
    world([{ allow: reboot }, { who: bob, on: resource('db-1'), allow: reboot }]),
    world({ who: [ann, bob], on: [web, resource('db-1')], allow: reboot }),
    { who: bob },
  ],
  [
    'two policies joined, whose identities and actions differ',
    world([{ allow: reboot }, { who: bob, allow: 'vps:apisvc:get' }]),
    world({ who: [ann, bob], allow: [reboot, 'vps:apisvc:get'] }),
    { who: bob },
  ],
  [
    'two policies joined, which differ in their actions only',
    world([{ allow: reboot }, { allow: 'vps:apisvc:get' }]),
    only(reboot, 'vps:apisvc:get'),
  ],
  ['an exception is added', only('vps:*'), world({ allow: 'vps:*', except: reboot })],
  ['an exception is removed', world({ allow: 'vps:*', except: reboot }), only('vps:*'), {}],
  [
    'an exception is narrowed',
    world({ allow: 'vps:*', except: '*reboot' }),
    world({ allow: 'vps:*', except: reboot }),
    { action: 'vps:apizz:reboot' },
  ],
  ['an exception is widened', world({ allow: 'vps:*', except: reboot }), world({ allow: 'vps:*', except: '*reboot' })],
  [
    'an exception is removed, and another policy denies it',
    world([{ allow: 'vps:*', except: reboot }, { deny: '*reboot' }]),
    world([{ allow: 'vps:*' }, { deny: '*reboot' }]),
  ],
  ['an exception becomes a deny', world({ allow: 'vps:*', except: reboot }), world({ allow: 'vps:*', deny: reboot })],
  ['a deny becomes an exception', world({ allow: 'vps:*', deny: reboot }), world({ allow: 'vps:*', except: reboot })],
  [
    'a deny becomes an exception, beside another allow',
    world([{ allow: 'vps:*', deny: reboot }, { allow: reboot }]),
    world([{ allow: 'vps:*', except: reboot }, { allow: reboot }]),
    {},
  ],
  [
    'an exception moves to another policy',
    world([{ allow: 'vps:*', except: reboot }, { allow: 'ip:*' }]),
    world([{ allow: 'vps:*' }, { allow: 'ip:*', except: reboot }]),
    {},
  ],
  ['a deny is widened', world([{ allow: '*' }, { deny: reboot }]), world([{ allow: '*' }, { deny: 'vps:*' }])],
  [
    'a deny is narrowed',
    world([{ allow: '*' }, { deny: 'vps:*' }]),
    world([{ allow: '*' }, { deny: reboot }]),
    { action: 'vps:apisvc:get' },
  ],
  [
    'a deny is about one identity less',
    world([
      { who: [ann, bob], allow: '*' },
      { who: [ann, bob], deny: reboot },
    ]),
    world([
      { who: [ann, bob], allow: '*' },
      { who: ann, deny: reboot },
    ]),
    { who: bob },
  ],
  [
    'a deny is about one resource less',
    world([
      { on: resource('*'), allow: '*' },
      { on: resource('*'), deny: reboot },
    ]),
    world([
      { on: resource('*'), allow: '*' },
      { on: web, deny: reboot },
    ]),
    { on: resource('zz') },
  ],
  ['a deny of what nothing grants is removed', world([{ allow: 'ip:*' }, { deny: reboot }]), only('ip:*')],
  [
    'a deny is split by resources that cover its own',
    world([
      { on: 'urn:v1:eu:resource:*', allow: '*' },
      { on: [web, resource('web-2')], deny: '*' },
    ]),
    world([
      { on: 'urn:v1:eu:resource:*', allow: '*' },
      { on: resource('web-*'), deny: '*' },
    ]),
  ],
  ['a user in place of everybody', world({ who: user('*'), allow: reboot }), only(reboot)],
  ['a group in place of a user', only(reboot), world({ who: ops, allow: reboot }), { who: user('zz'), groups: [ops] }],
  ['a user in place of a group', world({ who: ops, allow: reboot }), only(reboot), {}],
  [
    'a group beside everybody',
    world({ who: user('*'), allow: reboot }),
    world([
      { who: user('*'), allow: reboot },
      { who: ops, allow: reboot },
    ]),
    { who: 'urn:v1:eu:identity:credential:ab12-svc/zz', groups: [ops] },
  ],
  ['a deny for a group is removed', world([{ allow: '*' }, { who: ops, deny: reboot }]), only('*'), { groups: [ops] }],
  [
    'a deny for another group',
    world([{ allow: '*' }, { who: ops, deny: reboot }]),
    world([{ allow: '*' }, { who: group('dev'), deny: reboot }]),
    { groups: [ops] },
  ],
  [
    'an allow for a group under a deny for the same group',
    world([{ who: ops, deny: '*' }]),
    world([{ who: ops, allow: reboot, deny: '*' }]),
  ],
  [
    'an allow for a group under a deny for another group',
    world([{ who: ops, deny: '*' }]),
    world([
      { who: group('dev'), allow: reboot },
      { who: ops, deny: '*' },
    ]),
    { groups: [group('dev')] },
  ],
  ['entries in a permissions group', world({ allow: ['vps:apisvc:get', reboot] }), groups({ allow: reboot })],
  ['more entries in a permissions group', groups({ allow: reboot }), groups({ allow: 'vps:apisvc:re*' }), { action: 'vps:apisvc:rezz' }],
  ['fewer entries in a permissions group', groups({ allow: 'vps:apisvc:re*' }), groups({ allow: reboot })],
  ['a deny leaves a permissions group', groups({ deny: 'vps:apisvc:get' }), groups({}), { action: 'vps:apisvc:get' }],
  ['a deny enters a permissions group', groups({ allow: reboot }), groups({ allow: reboot, deny: reboot })],
  [
    'an exception of a policy moves to its permissions group',
    world(
      { allow: 'vps:*', except: reboot, named: care },
      { permissionsGroups: [{ urn: care, name: 'care', permissions: { allow: [] } }] },
    ),
    world(
      { allow: 'vps:*', named: care },
      { permissionsGroups: [{ urn: care, name: 'care', permissions: permissions({ except: reboot }) }] },
    ),
    {},
  ],
]
const changesInTime = [
  [
    'a later end',
    world({ allow: reboot, until: '2026-07-01T00:00:00Z' }),
    world({ allow: reboot, until: '2026-08-01T00:00:00Z' }),
    { at: '2026-07-15T00:00:00Z' },
  ],
  ['an earlier end', world({ allow: reboot, until: '2026-08-01T00:00:00Z' }), world({ allow: reboot, until: '2026-07-01T00:00:00Z' })],
  [
    'an end a millisecond later',
    world({ allow: reboot, until: '2026-07-01T00:00:00Z' }),
    world({ allow: reboot, until: '2026-07-01T00:00:00.001Z' }),
    { at: '2026-07-01T00:00:00.001Z' },
  ],
  [
    'the same end with another offset',
    world({ allow: reboot, until: '2026-07-01T00:00:00Z' }),
    world({ allow: reboot, until: '2026-07-01T02:00:00+02:00' }),
  ],
  ['no end any more', world({ allow: reboot, until: '2026-07-01T00:00:00Z' }), only(reboot), { at: '2026-07-02T00:00:00Z' }],
  ['an end where there was none', only(reboot), world({ allow: reboot, until: '2026-07-01T00:00:00Z' })],
  [
    'an earlier end of a deny',
    world([{ allow: '*' }, { deny: reboot, until: '2026-08-01T00:00:00Z' }]),
    world([{ allow: '*' }, { deny: reboot, until: '2026-07-01T00:00:00Z' }]),
    { at: '2026-07-15T00:00:00Z' },
  ],
  [
    'a later end of a deny',
    world([{ allow: '*' }, { deny: reboot, until: '2026-07-01T00:00:00Z' }]),
    world([{ allow: '*' }, { deny: reboot, until: '2026-08-01T00:00:00Z' }]),
  ],
  ['one hour more', when(and(hour('GE', '9'), hour('LT', '17'))), when(and(hour('GE', '9'), hour('LT', '18'))), at('17:30:00')],
  ['one hour less', when(and(hour('GE', '9'), hour('LT', '17'))), when(and(hour('GE', '10'), hour('LT', '17')))],
  ['the same hours with another operator', when(hour('GE', '9')), when(hour('GT', '8'))],
  ['the same hours, listed', when(hour('LT', '3')), when(hour('IN', '0, 1, 2'))],
  ['the same hours, all but', when(hour('LT', '9')), when(not(hour('AFTER', '9')))],
  [
    'both parts of the day in place of the day',
    only(reboot),
    world([
      { allow: reboot, when: hour('BEFORE', '12') },
      { allow: reboot, when: hour('AFTER', '12') },
    ]),
  ],
  [
    'the day in place of both of its parts',
    world([
      { allow: reboot, when: hour('BEFORE', '12') },
      { allow: reboot, when: hour('AFTER', '12') },
    ]),
    only(reboot),
  ],
  [
    'the day in place of nearly all of its hours',
    world([
      { allow: reboot, when: hour('BEFORE', '12') },
      { allow: reboot, when: hour('GT', '12') },
    ]),
    only(reboot),
    at('12:30:00'),
  ],
  [
    'a weekday more',
    when(match({ 'date(UTC).WeekDay.LE': 'Friday' })),
    when(match({ 'date(UTC).WeekDay.LE': 'Saturday' })),
    { at: '2026-07-04T12:00:00Z' },
  ],
  [
    'a zone with summer time in place of none',
    when(match({ 'date(UTC).Hour': '12' })),
    when(match({ 'date(Europe/Paris).Hour': '12' })),
    { at: '2026-07-01T10:30:00Z' },
  ],
  [
    'dates that follow each other, joined',
    world([
      { allow: reboot, when: match({ 'date(UTC).Date.BEFORE': '2026-07-01' }) },
      { allow: reboot, when: match({ 'date(UTC).Date.AFTER': '2026-07-01' }) },
    ]),
    only(reboot),
  ],
  [
    'dates with a gap of a day, joined',
    world([
      { allow: reboot, when: match({ 'date(UTC).Date.BEFORE': '2026-07-01' }) },
      { allow: reboot, when: match({ 'date(UTC).Date.AFTER': '2026-07-02' }) },
    ]),
    only(reboot),
    { at: '2026-07-01T12:00:00Z' },
  ],
  ['an end and a day that follows, joined', anyOf('2026-07-01T23:59:59.999Z', date('AFTER', '2026-07-02')), only(reboot)],
  [
    'an end and a day after a gap of some hours, joined',
    anyOf('2026-07-01T12:00:00Z', date('AFTER', '2026-07-02')),
    only(reboot),
    { at: '2026-07-01T18:00:00Z' },
  ],
  [
    'an end and a day after a gap of a millisecond, joined',
    anyOf('2026-07-01T23:59:59.998Z', date('AFTER', '2026-07-02')),
    only(reboot),
    { at: '2026-07-01T23:59:59.999Z' },
  ],
  [
    'days before, on and after a date, joined',
    anyOf(date('BEFORE', '2026-07-01'), date('EQ', '2026-07-01'), date('AFTER', '2026-07-02')),
    only(reboot),
  ],
  [
    'days before, on and after a date with a gap of a day, joined',
    anyOf(date('BEFORE', '2026-07-01'), date('EQ', '2026-07-01'), date('AFTER', '2026-07-03')),
    only(reboot),
    { at: '2026-07-02T12:00:00Z' },
  ],
  [
    'the weekday that a date has is no condition',
    when(and(date('EQ', '2026-07-04'), match({ 'date(UTC).WeekDay': 'Saturday' }))),
    when(date('EQ', '2026-07-04')),
  ],
  [
    'the weekday that a date has not',
    when(and(date('EQ', '2026-07-04'), match({ 'date(UTC).WeekDay': 'Sunday' }))),
    when(date('EQ', '2026-07-04')),
    { at: '2026-07-04T12:00:00Z' },
  ],
  ['a date on the weekday that it has not', world([]), when(and(date('EQ', '2026-07-04'), match({ 'date(UTC).WeekDay': 'Sunday' })))],
  [
    'an hour that is left out when clocks are set',
    world([]),
    when(and(date('EQ', '2026-03-29', 'Europe/Paris'), local('Europe/Paris', '2'))),
  ],
  [
    'the same hour on the day before',
    world([]),
    when(and(date('EQ', '2026-03-28', 'Europe/Paris'), local('Europe/Paris', '2'))),
    { at: '2026-03-28T01:30:00Z' },
  ],
  [
    'an hour that comes twice when clocks are set',
    when(and(date('EQ', '2026-10-25', 'Europe/Paris'), local('UTC', '0'))),
    when(and(date('EQ', '2026-10-25', 'Europe/Paris'), local('Europe/Paris', '2'))),
    { at: '2026-10-25T01:30:00Z' },
  ],
  ['two zones that are always an hour apart', when(local('Europe/London', '11')), when(local('Europe/Paris', '12'))],
  [
    'two zones that are not always six hours apart',
    when(local('America/New_York', '6')),
    when(local('Europe/Paris', '12')),
    { at: '2026-03-15T11:30:00Z' },
  ],
  [
    'a zone a quarter off the hour, within one of its hours in UTC',
    when(local('UTC', '6')),
    when(and(local('Asia/Kathmandu', '12'), local('UTC', '6'))),
  ],
  [
    'a zone a quarter off the hour, beyond one of its hours in UTC',
    when(local('UTC', '6')),
    when(local('Asia/Kathmandu', '12')),
    { at: '2026-07-01T07:10:00Z' },
  ],
  [
    'a day of a zone ahead of UTC, within two days of UTC',
    when(date('IN', '2026-07-01, 2026-07-02')),
    when(date('EQ', '2026-07-02', 'Asia/Tokyo')),
  ],
  [
    'a day of a zone ahead of UTC, beyond one day of UTC',
    when(date('EQ', '2026-07-02')),
    when(date('EQ', '2026-07-02', 'Asia/Tokyo')),
    { at: '2026-07-01T15:00:00Z' },
  ],
]
const inside = { ip: '192.0.2.7' }
const outside = { ip: '192.0.3.7' }
const changesInContext = [
  ['a condition is added', only(reboot), when(under24)],
  ['a condition is removed', when(under24), only(reboot), outside],
  ['a wider block', when(under24), when(under16), outside],
  ['a narrower block', when(under16), when(under24)],
  [
    'a block and its complement in place of nothing',
    only(reboot),
    world([
      { allow: reboot, when: under24 },
      { allow: reboot, when: not(under24) },
    ]),
  ],
  [
    'nothing in place of a block and its complement',
    world([
      { allow: reboot, when: under24 },
      { allow: reboot, when: not(under24) },
    ]),
    only(reboot),
  ],
  [
    'both halves of a block in place of the block',
    when(under24),
    when(or(match({ 'request.IP.IN_RANGE': '192.0.2.0/25' }), match({ 'request.IP.IN_RANGE': '192.0.2.128/25' }))),
  ],
  [
    'a block in place of both its halves',
    when(or(match({ 'request.IP.IN_RANGE': '192.0.2.0/25' }), match({ 'request.IP.IN_RANGE': '192.0.2.128/25' }))),
    when(under24),
  ],
  ['a block in place of one of its halves', when(match({ 'request.IP.IN_RANGE': '192.0.2.0/25' })), when(under24), { ip: '192.0.2.200' }],
  [
    'every address of both families in place of nothing',
    when(or(match({ 'request.IP.IN_RANGE': '0.0.0.0/0' }), match({ 'request.IP.IN_RANGE': '::/0' }))),
    only(reboot),
  ],
  [
    'every address of one family in place of nothing',
    when(match({ 'request.IP.IN_RANGE': '0.0.0.0/0' })),
    only(reboot),
    { ip: '2001:db8::7' },
  ],
  [
    'a mapped address in place of an address',
    when(match({ 'request.IP': '192.0.2.7' })),
    when(match({ 'request.IP': '::ffff:192.0.2.7' })),
  ],
  ['AND becomes OR', when(and(under24, env)), when(or(under24, env)), { ...inside, tags: {} }],
  ['OR becomes AND', when(or(under24, env)), when(and(under24, env))],
  ['NOT twice', when(under24), when(not(not(under24)))],
  ['NOT of AND becomes OR of NOT', when(not(and(under24, env))), when(or(not(under24), not(env)))],
  ['NOT of AND becomes NOT of OR', when(not(and(under24, env))), when(not(or(under24, env)))],
  ['NOT of OR becomes NOT of AND', when(not(or(under24, env))), when(not(and(under24, env))), { ...inside, tags: {} }],
  [
    'NOT of two, and then the second',
    when(not(under24, match({ 'request.IP.IN_RANGE': '198.51.100.0/24' }))),
    when(match({ 'request.IP.IN_RANGE': '198.51.100.0/24' })),
    { ip: '198.51.100.7' },
  ],
  [
    'NOT of two, and then elsewhere',
    when(not(under24, match({ 'request.IP.IN_RANGE': '198.51.100.0/24' }))),
    when(match({ 'request.IP.IN_RANGE': '203.0.113.0/24' })),
  ],
  [
    'a deny of NOT of two, and then of NOT of the second',
    world([{ allow: '*' }, { deny: reboot, when: not(under24, env) }]),
    world([{ allow: '*' }, { deny: reboot, when: not(env) }]),
  ],
  [
    'a deny of NOT of the second, and then of NOT of two',
    world([{ allow: '*' }, { deny: reboot, when: not(env) }]),
    world([{ allow: '*' }, { deny: reboot, when: not(under24, env) }]),
    { ...inside, tags: {} },
  ],
  ['a prefix in place of a text', when(env), when(match({ 'resource.Tag(env).STARTS_WITH': 'prod' })), { tags: { env: 'prodzz' } }],
  ['a text in place of its prefix', when(match({ 'resource.Tag(env).STARTS_WITH': 'pr' })), when(env)],
  [
    'a suffix in place of a prefix',
    when(match({ 'resource.Tag(env).STARTS_WITH': 'pro' })),
    when(match({ 'resource.Tag(env).ENDS_WITH': 'od' })),
    { tags: { env: 'zzod' } },
  ],
  [
    'a prefix, and another policy without it',
    when(env),
    world([
      { allow: reboot, when: env },
      { allow: reboot, when: not(env) },
    ]),
    { tags: {} },
  ],
  ['any text of a tag is not any tag', when(match({ 'resource.Tag(env).STARTS_WITH': '' })), only(reboot), { tags: {} }],
  ['another key of a tag', when(env), when(match({ 'resource.Tag(Env)': 'prod' })), { tags: { Env: 'prod' } }],
  [
    'a condition on the name in place of a pattern',
    world({ on: resource('web-*'), allow: reboot }),
    world({ on: resource('*'), allow: reboot, when: match({ 'resource.Name.STARTS_WITH': 'web-' }) }),
  ],
  [
    'a pattern in place of a condition on the name',
    world({ on: resource('*'), allow: reboot, when: match({ 'resource.Name.STARTS_WITH': 'web-' }) }),
    world({ on: resource('web-*'), allow: reboot }),
  ],
  [
    'a condition on another part of the name',
    world({ on: resource('web-*'), allow: reboot }),
    world({ on: resource('*'), allow: reboot, when: match({ 'resource.Name.ENDS_WITH': 'web-' }) }),
    { on: resource('zzweb-') },
  ],
  [
    'a condition on the type in place of the type',
    world({ on: resource('*'), allow: reboot }),
    world({ on: 'urn:v1:eu:resource:*', allow: reboot, when: match({ 'resource.Type': 'vps' }) }),
  ],
  [
    'a condition on more types',
    world({ on: resource('*'), allow: reboot }),
    world({ on: 'urn:v1:eu:resource:*', allow: reboot, when: match({ 'resource.Type.IN': 'vps, ip' }) }),
    { on: resource('zz', 'ip') },
  ],
  [
    'a condition of a deny is narrowed',
    world([{ allow: '*' }, { deny: reboot, when: under16 }]),
    world([{ allow: '*' }, { deny: reboot, when: under24 }]),
    outside,
  ],
  [
    'a condition of a deny is widened',
    world([{ allow: '*' }, { deny: reboot, when: under24 }]),
    world([{ allow: '*' }, { deny: reboot, when: under16 }]),
  ],
  ['a deny elsewhere in place of a condition', when(under24), world([{ allow: reboot }, { deny: reboot, when: not(under24) }])],
  ['a condition in place of a deny elsewhere', world([{ allow: reboot }, { deny: reboot, when: not(under24) }]), when(under24)],
]
const holding = (...urns) => ({ resourceGroups: [{ urn: shop, name: 'shop', resources: urns.map((urn) => ({ urn })) }] })
const inGroup = (...urns) => world({ on: shop, allow: reboot }, holding(...urns))
const member = (groups, who = ops) => world({ who, allow: reboot }, { identities: [{ urn: ann, groups }] })
const changesInFacts = [
  ['a group in place of its members', world({ on: [web, resource('db-1')], allow: reboot }), inGroup(web, resource('db-1'))],
  ['the members in place of their group', inGroup(web, resource('db-1')), world({ on: [web, resource('db-1')], allow: reboot })],
  ['a member more', inGroup(web), inGroup(web, resource('db-1')), { on: resource('db-1') }],
  ['a member less', inGroup(web, resource('db-1')), inGroup(web)],
  ['other members', inGroup(web), inGroup(resource('db-1')), { on: resource('db-1') }],
  ['a group without members', world([]), inGroup()],
  [
    'a pattern in place of a group whose members it matches',
    inGroup(web),
    world({ on: resource('web-*'), allow: reboot }),
    { on: resource('web-zz') },
  ],
  [
    'a group in place of a pattern that matches its members',
    world({ on: resource('web-*'), allow: reboot }),
    inGroup(web, resource('web-2')),
  ],
  [
    'a group in place of a pattern that matches some members',
    world({ on: resource('web-*'), allow: reboot }),
    inGroup(web, resource('db-1')),
    { on: resource('db-1') },
  ],
  [
    'a member leaves a group that is denied',
    world(
      [
        { on: resource('*'), allow: '*' },
        { on: shop, deny: '*' },
      ],
      holding(web, resource('db-1')),
    ),
    world(
      [
        { on: resource('*'), allow: '*' },
        { on: shop, deny: '*' },
      ],
      holding(web),
    ),
    { on: resource('db-1') },
  ],
  [
    'a member joins a group that is denied',
    world(
      [
        { on: resource('*'), allow: '*' },
        { on: shop, deny: '*' },
      ],
      holding(web),
    ),
    world(
      [
        { on: resource('*'), allow: '*' },
        { on: shop, deny: '*' },
      ],
      holding(web, resource('db-1')),
    ),
  ],
  ['an identity joins a group', member([]), member([ops]), {}],
  [
    'an identity leaves a group that is denied',
    world([{ allow: '*' }, { who: ops, deny: reboot }], { identities: [{ urn: ann, groups: [ops] }] }),
    world([{ allow: '*' }, { who: ops, deny: reboot }], { identities: [{ urn: ann, groups: [] }] }),
    {},
  ],
  ['an identity joins a group that nothing names', member([ops]), member([ops, group('dev')])],
  ['a resource gets the tag of a condition', tagged({ env: 'dev' }), tagged({ env: 'prod' })],
  [
    'a resource loses the tag of a condition that denies',
    world([{ allow: reboot }, { deny: reboot, when: env }], { resources: [{ urn: web, tags: { env: 'prod' } }] }),
    world([{ allow: reboot }, { deny: reboot, when: env }], { resources: [{ urn: web, tags: {} }] }),
  ],
  ['a resource is described without tags', tagged({}), tagged()],
  [
    'a condition on a tag goes that the resource is described with',
    tagged({ env: 'prod' }),
    world({ allow: reboot }, { resources: [{ urn: web, tags: { env: 'prod' } }] }),
    { tags: {} },
  ],
  [
    'a permissions group is described otherwise, and no policy names it',
    world({ allow: reboot }, { permissionsGroups: [{ urn: care, name: 'care', permissions: permissions({ allow: reboot }) }] }),
    world({ allow: reboot }, { permissionsGroups: [{ urn: care, name: 'care', permissions: permissions({ allow: '*' }) }] }),
  ],
  ['a group in a group of the same members', inGroup(web), world({ on: [shop, web], allow: reboot }, holding(web))],
]

const made = ([what, before, after, request]) =>
  request === undefined ? nothingNew(what, before, after) : isNew(what, before, after, request)

export const section = 'Differences'
export const cases = [
  under('A world grants *new access*', changes.map(made), changesInTime.map(made), changesInContext.map(made)),
  under(
    'Every request counts',
    each(
      actions,
      'actions',
      (action) => world({ allow: action }),
      (action) => ({ action }),
    ),
    each(
      resources,
      'resources',
      (on) => world({ on, allow: reboot }),
      (on) => ({ on }),
    ),
    each(
      identities,
      'identities',
      (who) => world({ who, allow: reboot }),
      (who) => ({ who }),
    ),
  ),
  under('The groups of an identity', changesInFacts.map(made)),
  under(
    'The account that owns a resource',
    nothingNew(
      'the account grants itself nothing new',
      world([], { account: 'ab12-svc' }),
      world({ who: 'urn:v1:eu:identity:account:ab12-svc', allow: '*', deny: '*' }, { account: 'ab12-svc' }),
    ),
    nothingNew(
      'another owner of the world',
      world({ allow: reboot }, { account: 'ab12-svc' }),
      world({ allow: reboot }, { account: 'cd34-svc' }),
    ),
    nothingNew(
      'another owner of a resource',
      world({ allow: reboot }, { resources: [{ urn: web, owner: 'ab12-svc' }] }),
      world({ allow: reboot }, { resources: [{ urn: web, owner: 'cd34-svc' }] }),
    ),
  ),
]
