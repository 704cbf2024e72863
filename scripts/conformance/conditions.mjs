import { allow, and, ask, decides, deny, match, not, or, pairs, reboot, resource, under, unknown, unordered, web, world } from './build.mjs'
import { settledAsk, words, written } from './formulas.mjs'

const only = (when) => world({ allow: reboot, when })
const test = (key, value) => only(match({ [key]: value }))

/** Rows of a comparison: key and value, then what it is compared with and whether it holds. */
const tags = (key, value, ...rows) =>
  decides(
    `\`${key.replace('resource.Tag(env)', 'tag')}\` ${JSON.stringify(value)}: ${rows.map(([actual]) => actual).join(', ')}`,
    test(key, value),
    rows.map(([actual, holds]) => ask(holds ? 'allow' : 'deny', { tags: actual === 'no such tag' ? { team: 'web' } : { env: actual } })),
  )
const named = (key, value, ...rows) =>
  decides(
    `\`${key}\` ${JSON.stringify(value)}: ${rows.map(([actual]) => actual.split(':').slice(4).join(':')).join(', ')}`,
    world({ on: 'urn:v1:eu:resource:*', allow: reboot, when: match({ [key]: value }) }),
    rows.map(([actual, holds]) => ask(holds ? 'allow' : 'deny', { on: actual })),
  )
const addresses = (operator, value, ...rows) =>
  decides(
    `\`${operator}\` ${value}: ${rows.map(([actual]) => actual).join(', ')}`,
    test(operator === 'EQ' ? 'request.IP' : `request.IP.${operator}`, value),
    rows.map(([actual, holds]) => ask(holds ? 'allow' : 'deny', { ip: actual })),
  )

/** An instant at which the clocks of a zone show a local time, as it is `offset` from UTC there and then. */
const instant = (local, offset) => new Date(`${local}${offset}`).toISOString()
const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const weekday = (local) => days[(new Date(`${local.slice(0, 10)}T00:00:00Z`).getUTCDay() + 6) % 7]

/** Zones, a local time and how far it is from UTC. */
const clocks = [
  ['Europe/Paris', '2026-01-15T00:30:00', '+01:00', 'winter'],
  ['Europe/Paris', '2026-07-15T00:30:00', '+02:00', 'summer'],
  ['Europe/Paris', '2026-03-29T01:59:59.999', '+01:00', 'the last millisecond of winter time'],
  ['Europe/Paris', '2026-03-29T03:00:00', '+02:00', 'the first instant of summer time'],
  ['Europe/Paris', '2026-10-25T02:30:00', '+02:00', 'an hour that comes twice, first'],
  ['Europe/Paris', '2026-10-25T02:30:00', '+01:00', 'an hour that comes twice, again'],
  ['Europe/London', '2026-06-30T23:59:59', '+01:00', 'summer'],
  ['Europe/Dublin', '2026-12-24T18:00:00', '+00:00', 'winter'],
  ['America/New_York', '2026-03-08T01:59:59', '-05:00', 'the last second of winter time'],
  ['America/New_York', '2026-03-08T03:00:00', '-04:00', 'the first second of summer time'],
  ['America/New_York', '2026-11-01T01:15:00', '-04:00', 'an hour that comes twice, first'],
  ['America/New_York', '2026-11-01T01:15:00', '-05:00', 'an hour that comes twice, again'],
  ['America/Los_Angeles', '2026-12-31T20:00:00', '-08:00', 'a year that is over in UTC'],
  ['America/St_Johns', '2026-02-10T22:45:00', '-03:30', 'half an hour'],
  ['Asia/Kolkata', '2026-05-01T02:15:00', '+05:30', 'half an hour'],
  ['Asia/Kathmandu', '2026-05-01T05:30:00', '+05:45', 'three quarters of an hour'],
  ['Asia/Tokyo', '2026-04-01T08:00:00', '+09:00', 'a day that has not begun in UTC'],
  ['Australia/Lord_Howe', '2026-01-10T12:15:00', '+11:00', 'summer'],
  ['Australia/Lord_Howe', '2026-07-10T12:15:00', '+10:30', 'winter, half an hour behind summer'],
  ['Australia/Lord_Howe', '2026-04-05T01:45:00', '+11:00', 'half an hour that comes twice, first'],
  ['Australia/Lord_Howe', '2026-04-05T01:45:00', '+10:30', 'half an hour that comes twice, again'],
  ['Pacific/Chatham', '2026-01-01T00:00:00', '+13:45', 'a year that has not begun in UTC'],
  ['Pacific/Chatham', '2026-07-01T12:00:00', '+12:45', 'winter'],
  ['Pacific/Kiritimati', '2026-03-01T13:00:00', '+14:00', 'a month that has not begun in UTC'],
  ['Pacific/Pago_Pago', '2026-02-28T13:30:00', '-11:00', 'a month that is over in UTC'],
  ['America/Sao_Paulo', '2026-01-15T21:00:00', '-03:00', 'no summer time'],
  ['UTC', '2026-08-15T23:59:59.999', '+00:00', 'the last millisecond of a day'],
]
const nextDay = (date) => new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
const dayBefore = (date) => new Date(Date.parse(`${date}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)

/** Orders of numbers: whether each holds below, at and above its value. */
const orders = [
  ['EQ', false, true, false],
  ['BEFORE', true, false, false],
  ['AFTER', false, true, true],
  ['LT', true, false, false],
  ['LE', true, true, false],
  ['GT', false, false, true],
  ['GE', false, true, true],
]
const verdict = (holds) => (holds ? 'allow' : 'deny')

const letters = ['T', 'F', 'a', 't', ['NOT', 'a']]
const operators = ['AND', 'OR', 'NOT']

/** A formula in a policy that grants, and the same in a policy that denies. */
const granting = (formula) => decides(words(formula), only(written(formula)), settledAsk([['allow', formula]]))
const denying = (formula) =>
  decides(
    `of a policy that denies: ${words(formula)}`,
    world([{ allow: '*' }, { deny: reboot, when: written(formula) }]),
    settledAsk([
      ['allow', 'T'],
      ['deny', formula],
    ]),
  )

const unreadable = [
  ['another subject', 'request.Country', 'FR'],
  ['a subject in other case', 'resource.tag(env)', 'prod'],
  ['a subject without its key', 'resource.Tag()', 'prod'],
  ['a tag without brackets', 'resource.Tag', 'prod'],
  ['an operator of another subject', 'resource.Tag(env).IN', 'prod,dev'],
  ['an operator that none has', 'resource.Name.CONTAINS', 'web'],
  ['an operator that is empty', 'resource.Name.', 'web-1'],
  ['an order of texts', 'resource.Name.LT', 'web-2'],
  ['an order of addresses', 'request.IP.AFTER', '192.0.2.1'],
  ['an address that is none', 'request.IP', '192.0.2.256'],
  ['an address with a leading zero', 'request.IP', '192.0.02.1'],
  ['an address of three numbers', 'request.IP', '192.0.2'],
  ['a block in place of an address', 'request.IP', '192.0.2.0/24'],
  ['an address in place of a block', 'request.IP.IN_RANGE', '192.0.2.1'],
  ['a block of too many bits', 'request.IP.IN_RANGE', '192.0.2.0/33'],
  ['an item that is no address', 'request.IP.IN', '192.0.2.1, web'],
  ['a day that does not exist', 'date(UTC).Date', '2026-02-29'],
  ['a month that does not exist', 'date(UTC).Date', '2026-13-01'],
  ['a day in another notation', 'date(UTC).Date.AFTER', '01/02/2026'],
  ['an hour that does not exist', 'date(UTC).Hour', '24'],
  ['an hour that is no number', 'date(UTC).Hour.GE', 'noon'],
  ['a negative hour', 'date(UTC).Hour.GE', '-1'],
  ['a weekday that does not exist', 'date(UTC).WeekDay', 'Someday'],
  ['a weekday in another language', 'date(UTC).WeekDay', 'lundi'],
  ['a zone that does not exist', 'date(Europe/Atlantis).Hour.GE', '0'],
  ['a part of a date that none has', 'date(UTC).Minute', '30'],
  ['an order that dates have not', 'date(UTC).Date.GE', '2026-01-01'],
  ['an address range without a bound', 'request.IP.IN_RANGE', '192.0.2.0/'],
]

export const section = 'Conditions'
export const unreadableConditions = unreadable
export const cases = [
  under(
    '`{operator, conditions, values}`',
    decides('operator and values', test('resource.Name', 'web-1'), allow()),
    decides('operator and conditions', only(and(match({ 'resource.Name': 'web-1' }))), allow()),
    decides('conditions in conditions', only(and(or(not(match({ 'resource.Name': 'web-2' }))))), allow()),
    decides('`null`', world({ allow: reboot, when: null }), allow()),
    decides('none', world({ allow: reboot }), allow()),
    decides('eight in each other', only([1, 2, 3, 4, 5, 6, 7].reduce((inner) => and(inner), match({ 'resource.Name': 'web-2' }))), deny()),
    decides(
      'seven NOT in each other',
      only([1, 2, 3, 4, 5, 6, 7].reduce((inner) => not(inner), match({ 'resource.Name': 'web-1' }))),
      deny(),
    ),
    decides(
      'eight NOT in each other',
      only([1, 2, 3, 4, 5, 6, 7, 8].reduce((inner) => not(inner), match({ 'resource.Name': 'web-1' }))),
      allow(),
    ),
  ),
  under(
    '`MATCH` holds when every entry',
    pairs([true, false], [true, false]).map(([first, second]) =>
      decides(
        `two entries, of which the first ${first ? 'holds' : 'does not'} and the second ${second ? 'holds' : 'does not'}`,
        only(match({ 'resource.Name': first ? 'web-1' : 'db-1', 'resource.Type': second ? 'vps' : 'ip' })),
        ask(verdict(first && second)),
      ),
    ),
    pairs([true, false], [true, false]).map(([first, second]) =>
      decides(
        `under NOT, two entries, of which the first ${first ? 'holds' : 'does not'} and the second ${second ? 'holds' : 'does not'}`,
        only(not(match({ 'resource.Name': first ? 'web-1' : 'db-1', 'resource.Type': second ? 'vps' : 'ip' }))),
        ask(verdict(!(first && second))),
      ),
    ),
    decides(
      'two entries of one subject that exclude each other',
      only(match({ 'resource.Name.STARTS_WITH': 'web', 'resource.Name.ENDS_WITH': '-2' })),
      deny(),
      deny({ tags: {} }),
    ),
    decides(
      'a span of hours',
      only(match({ 'date(UTC).Hour.GE': '9', 'date(UTC).Hour.LT': '17' })),
      deny({ at: '2026-07-01T08:59:59.999Z' }),
      allow({ at: '2026-07-01T09:00:00Z' }),
      allow({ at: '2026-07-01T16:59:59.999Z' }),
      deny({ at: '2026-07-01T17:00:00Z' }),
    ),
    decides(
      'a span of hours over midnight is empty',
      only(match({ 'date(UTC).Hour.GE': '22', 'date(UTC).Hour.LT': '6' })),
      deny({ at: '2026-07-01T23:00:00Z' }),
      deny({ at: '2026-07-01T03:00:00Z' }),
    ),
    decides(
      'three entries of three subjects',
      only(match({ 'resource.Name': 'web-1', 'request.IP.IN_RANGE': '192.0.2.0/24', 'date.Hour': '12' })),
      allow({ ip: '192.0.2.9' }),
      deny({ ip: '198.51.100.9' }),
      deny({ ip: '192.0.2.9', at: '2026-07-01T13:00:00Z' }),
    ),
    decides(
      'an entry that does not hold beside one that is missing',
      only(match({ 'resource.Name': 'db-1', 'request.IP': '192.0.2.1' })),
      deny(),
    ),
    decides(
      'an entry that holds beside one that is missing',
      only(match({ 'resource.Name': 'web-1', 'request.IP': '192.0.2.1' })),
      unknown('request.IP'),
    ),
  ),
  under(
    '`AND` holds when all of its conditions do',
    operators
      .flatMap((operator) => [...letters.map((x) => [operator, x]), ...unordered(letters).map(([x, y]) => [operator, x, y])])
      .map(granting),
    pairs(
      pairs(operators, operators),
      pairs(
        unordered(['T', 'F', 'a', 't']).filter(([x, y]) => x !== y),
        ['a'],
      ),
    ).map(([[outer, inner], [[x, y], z]]) => granting([outer, [inner, x, y], z])),
    [
      ['AND', 'T', 'T', 'T'],
      ['AND', 'T', 'T', 'F'],
      ['OR', 'F', 'F', 'F'],
      ['OR', 'F', 'F', 'T'],
      ['NOT', 'F', 'F', 'F'],
      ['NOT', 'F', 'F', 'T'],
      ['NOT', 'T', 'T', 'T'],
      ['OR', ['AND', 'a', 't'], ['AND', ['NOT', 'a'], 's']],
      ['OR', ['AND', 'a', 't'], ['AND', ['NOT', 'a'], 't']],
      ['AND', ['OR', 'a', 't'], ['OR', ['NOT', 'a'], 't'], ['NOT', 't']],
      ['OR', ['AND', 'a', 't'], ['NOT', 'a'], ['NOT', 't']],
      ['AND', ['OR', 'a', 't', 's'], ['NOT', 'a', 't', 's']],
    ].map(granting),
  ),
  under(
    'Without conditions, `AND` holds',
    [
      ['AND', { operator: 'AND', conditions: [] }, true],
      ['OR', { operator: 'OR', conditions: [] }, false],
      ['NOT', { operator: 'NOT', conditions: [] }, true],
      ['MATCH', { operator: 'MATCH', values: {} }, true],
      ['AND, without the list', { operator: 'AND' }, true],
      ['OR, without the list', { operator: 'OR' }, false],
      ['NOT, without the list', { operator: 'NOT' }, true],
      ['MATCH, without the values', { operator: 'MATCH' }, true],
      ['AND in NOT', not({ operator: 'AND', conditions: [] }), false],
      ['OR in NOT', not({ operator: 'OR', conditions: [] }), true],
      ['NOT in NOT', not({ operator: 'NOT', conditions: [] }), false],
      ['MATCH in NOT', not({ operator: 'MATCH', values: {} }), false],
      ['OR in AND', and({ operator: 'OR', conditions: [] }), false],
      ['AND in OR', or({ operator: 'AND', conditions: [] }), true],
    ].flatMap(([what, when, holds]) => [
      decides(what, only(when), ask(verdict(holds))),
      decides(`${what}, of a policy that denies`, world([{ allow: '*' }, { deny: reboot, when }]), ask(verdict(!holds))),
    ]),
  ),
  under(
    'A key is `<subject>',
    [
      ['resource.Name', 'web-1'],
      ['resource.Type', 'vps'],
      ['resource.Tag(env)', 'prod'],
      ['request.IP', '192.0.2.1'],
      ['date(UTC).Date', '2026-07-01'],
      ['date(UTC).Hour', '12'],
      ['date(UTC).WeekDay', 'Wednesday'],
    ].map(([key, value]) =>
      decides(
        `\`${key}\` with \`EQ\` and without any operator`,
        world([
          { allow: reboot, when: match({ [key]: value }) },
          { allow: 'vps:apisvc:get', when: match({ [`${key}.EQ`]: value }) },
        ]),
        allow({ tags: { env: 'prod' }, ip: '192.0.2.1' }),
        allow({ action: 'vps:apisvc:get', tags: { env: 'prod' }, ip: '192.0.2.1' }),
      ),
    ),
    [
      ['a dot', 'a.b'],
      ['an operator', 'env.EQ'],
      ['brackets', 'f(x)'],
      ['blanks', 'cost centre'],
      ['a colon', 'team:web'],
      ['letters beyond ASCII', 'équipe'],
    ].map(([what, key]) =>
      decides(
        `a key of a tag with ${what}`,
        test(`resource.Tag(${key})`, 'prod'),
        allow({ tags: { [key]: 'prod' } }),
        deny({ tags: { [key]: 'dev' } }),
      ),
    ),
    decides(
      'a key of a tag in other case',
      test('resource.Tag(Env)', 'prod'),
      deny({ tags: { env: 'prod' } }),
      allow({ tags: { env: 'dev', Env: 'prod' } }),
    ),
  ),
  under(
    '`resource.Tag(<key>)` |',
    tags('resource.Tag(env)', 'prod', ['prod', true], ['Prod', false], ['pro', false], ['prods', false], ['', false]),
    tags('resource.Tag(env).STARTS_WITH', 'pr', ['pr', true], ['prod', true], ['PRod', false], ['p', false], ['a prod', false]),
    tags('resource.Tag(env).ENDS_WITH', 'od', ['od', true], ['prod', true], ['prOD', false], ['d', false], ['prods', false]),
    tags('resource.Tag(env)', '', ['', true], ['a', false], ['no such tag', false]),
    tags('resource.Tag(env).STARTS_WITH', '', ['', true], ['prod', true], ['no such tag', false]),
    tags('resource.Tag(env).ENDS_WITH', '', ['', true], ['prod', true], ['no such tag', false]),
    tags('resource.Tag(env)', 'a,b', ['a,b', true], ['a', false], ['b', false]),
    tags('resource.Tag(env)', 'pr*', ['pr*', true], ['prod', false]),
    tags('resource.Tag(env).STARTS_WITH', 'pr*', ['pr*x', true], ['prod', false]),
    tags('resource.Tag(env)', ' prod ', [' prod ', true], ['prod', false]),
    tags('resource.Tag(env)', 'été', ['été', true], ['ete', false]),
    tags('resource.Tag(env).STARTS_WITH', 'aba', ['ababa', true], ['abba', false]),
    tags('resource.Tag(env).ENDS_WITH', 'aba', ['ababa', true], ['abab', false]),
    decides(
      'the world says the tags',
      world({ allow: reboot, when: match({ 'resource.Tag(env)': 'prod' }) }, { resources: [{ urn: web, tags: { env: 'prod' } }] }),
      allow(),
    ),
    decides(
      'the question goes before the world',
      world({ allow: reboot, when: match({ 'resource.Tag(env)': 'prod' }) }, { resources: [{ urn: web, tags: { env: 'prod' } }] }),
      deny({ tags: { env: 'dev' } }),
      allow({ tags: { env: 'prod' } }),
    ),
    decides(
      'another resource has the tag',
      world(
        { allow: reboot, when: match({ 'resource.Tag(env)': 'prod' }) },
        {
          resources: [
            { urn: web, tags: { env: 'dev' } },
            { urn: resource('web-2'), tags: { env: 'prod' } },
          ],
        },
      ),
      deny(),
    ),
    decides(
      'two tags, both of which must match',
      only(match({ 'resource.Tag(env)': 'prod', 'resource.Tag(team)': 'web' })),
      allow({ tags: { env: 'prod', team: 'web' } }),
      deny({ tags: { env: 'prod', team: 'db' } }),
      deny({ tags: { env: 'prod' } }),
    ),
  ),
  under(
    '`resource.Name`, `resource.Type` |',
    named('resource.Name', 'web-1', [web, true], [resource('web-11'), false], [resource('Web-1'), false], [resource('web-1', 'ip'), true]),
    named(
      'resource.Name.IN',
      'web-1,db-1',
      [web, true],
      [resource('db-1'), true],
      [resource('web-1,db-1'), false],
      [resource('db-2'), false],
    ),
    named('resource.Name.STARTS_WITH', 'web', [web, true], [resource('web'), true], [resource('my-web'), false], [resource('we'), false]),
    named('resource.Name.ENDS_WITH', '-1', [web, true], [resource('-1'), true], [resource('web-1-2'), false], [resource('web-11'), false]),
    named(
      'resource.Type',
      'vps',
      [web, true],
      [resource('web-1', 'vpsx'), false],
      [resource('vps', 'ip'), false],
      [resource('web-1', 'VPS'), false],
    ),
    named('resource.Type.IN', 'vps,ip', [web, true], [resource('a', 'ip'), true], [resource('a', 'ipx'), false]),
    named(
      'resource.Type.STARTS_WITH',
      'ldp',
      [resource('a', 'ldp'), true],
      [resource('a', 'ldp/stream'), true],
      [resource('ldp', 'vps'), false],
    ),
    named(
      'resource.Type.ENDS_WITH',
      '/stream',
      [resource('a', 'ldp/stream'), true],
      [resource('a', 'ldp'), false],
      [resource('a/stream', 'ldp'), false],
    ),
    named('resource.Name', 'a:b/c', [resource('a:b/c'), true], [resource('a'), false], [resource('b/c', 'a'), false]),
    named('resource.Name.STARTS_WITH', '10.0.', [resource('10.0.0.0/8', 'ip'), true], [resource('10x0.0.0/8', 'ip'), false]),
    named('resource.Name', 'web*', [web, false], [resource('web'), false]),
    named('resource.Name.IN', 'a', [resource('a'), true], [resource('b'), false]),
    named('resource.Type', 'resource', [resource('a', 'resource'), true], [web, false]),
  ),
  under(
    '`request.IP` |',
    addresses('EQ', '192.0.2.1', ['192.0.2.1', true], ['192.0.2.2', false], ['192.0.2.11', false]),
    addresses('IN', '192.0.2.1,198.51.100.7', ['192.0.2.1', true], ['198.51.100.7', true], ['203.0.113.1', false]),
    addresses('EQ', '2001:db8::1', ['2001:db8::1', true], ['2001:db8::2', false], ['192.0.2.1', false]),
    addresses('IN', '192.0.2.1, 2001:db8::1', ['192.0.2.1', true], ['2001:db8::1', true], ['2001:db8::', false]),
    [
      ['10.0.0.0/8', '9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0'],
      ['172.16.0.0/12', '172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0'],
      ['192.168.0.0/16', '192.167.255.255', '192.168.0.0', '192.168.255.255', '192.169.0.0'],
      ['192.0.2.0/24', '192.0.1.255', '192.0.2.0', '192.0.2.255', '192.0.3.0'],
      ['192.0.2.64/26', '192.0.2.63', '192.0.2.64', '192.0.2.127', '192.0.2.128'],
      ['192.0.2.128/25', '192.0.2.127', '192.0.2.128', '192.0.2.255', '192.0.3.0'],
      ['192.0.2.4/30', '192.0.2.3', '192.0.2.4', '192.0.2.7', '192.0.2.8'],
      ['192.0.2.4/31', '192.0.2.3', '192.0.2.4', '192.0.2.5', '192.0.2.6'],
      ['192.0.2.4/32', '192.0.2.3', '192.0.2.4', '192.0.2.4', '192.0.2.5'],
      ['128.0.0.0/1', '127.255.255.255', '128.0.0.0', '255.255.255.255', '0.0.0.0'],
      ['2001:db8::/32', '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db9::'],
      ['2001:db8:1:2::/64', '2001:db8:1:1:ffff:ffff:ffff:ffff', '2001:db8:1:2::', '2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:3::'],
      ['fe80::/10', 'fe7f:ffff::', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fec0::'],
      ['2001:db8::8/125', '2001:db8::7', '2001:db8::8', '2001:db8::f', '2001:db8::10'],
      ['2001:db8::1/128', '2001:db8::', '2001:db8::1', '2001:db8::1', '2001:db8::2'],
      ['::/1', '8000::', '::', '7fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ffff::'],
    ].map(([block, below, first, last, above]) =>
      addresses('IN_RANGE', block, [below, false], [first, true], [last, true], [above, false]),
    ),
    addresses('IN_RANGE', '192.0.2.77/24', ['192.0.2.0', true], ['192.0.2.255', true], ['192.0.3.77', false]),
    addresses('IN_RANGE', '0.0.0.0/0', ['0.0.0.0', true], ['255.255.255.255', true], ['::', false], ['2001:db8::1', false]),
    addresses('IN_RANGE', '::/0', ['::', true], ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', true], ['192.0.2.1', false]),
    decides(
      'blocks of which one must match',
      only(or(match({ 'request.IP.IN_RANGE': '10.0.0.0/8' }), match({ 'request.IP.IN_RANGE': '192.0.2.0/24' }))),
      allow({ ip: '10.1.2.3' }),
      allow({ ip: '192.0.2.3' }),
      deny({ ip: '198.51.100.3' }),
    ),
    decides(
      'a block without a part of it',
      only(and(match({ 'request.IP.IN_RANGE': '10.0.0.0/8' }), not(match({ 'request.IP.IN_RANGE': '10.1.0.0/16' })))),
      allow({ ip: '10.2.0.0' }),
      deny({ ip: '10.1.255.255' }),
      deny({ ip: '11.0.0.0' }),
    ),
    decides(
      'a deny for everywhere else',
      world([{ allow: '*' }, { deny: reboot, when: not(match({ 'request.IP.IN_RANGE': '192.0.2.0/24' })) }]),
      allow({ ip: '192.0.2.3' }),
      deny({ ip: '192.0.3.3' }),
      deny({ ip: '2001:db8::1' }),
    ),
  ),
  under(
    '`date(<zone>).Date` |',
    clocks.map(([zone, local, offset, what]) =>
      decides(
        `${zone}, ${local.slice(0, 10)}: ${what}, ${local.slice(11)} there`,
        test(`date(${zone}).Date`, local.slice(0, 10)),
        allow({ at: instant(local, offset) }),
        deny({ at: new Date(Date.parse(`${local}${offset}`) - 86_400_000).toISOString() }),
      ),
    ),
    orders
      .slice(0, 3)
      .map(([operator, below, equal, above]) =>
        decides(
          `\`${operator}\`: the day before, the day, the day after`,
          test(`date(UTC).Date.${operator}`, '2026-03-01'),
          ask(verdict(below), { at: '2026-02-28T23:59:59.999Z' }),
          ask(verdict(equal), { at: '2026-03-01T00:00:00Z' }),
          ask(verdict(equal), { at: '2026-03-01T23:59:59.999Z' }),
          ask(verdict(above), { at: '2026-03-02T00:00:00Z' }),
        ),
      ),
    [
      ['a leap day', '2028-02-29'],
      ['the end of a year', '2026-12-31'],
      ['the beginning of a year', '2027-01-01'],
      ['another century', '1999-12-31'],
    ].map(([what, date]) =>
      decides(
        `${what}: before, from then on`,
        world([
          { allow: reboot, when: match({ 'date(UTC).Date.BEFORE': date }) },
          { allow: 'vps:apisvc:get', when: match({ 'date(UTC).Date.AFTER': date }) },
        ]),
        allow({ at: `${dayBefore(date)}T23:59:59.999Z` }),
        deny({ at: `${date}T00:00:00Z` }),
        allow({ action: 'vps:apisvc:get', at: `${date}T00:00:00Z` }),
        allow({ action: 'vps:apisvc:get', at: `${nextDay(date)}T00:00:00Z` }),
      ),
    ),
    decides(
      '`IN` three days',
      test('date(UTC).Date.IN', '2026-12-24, 2026-12-25,2026-12-26'),
      allow({ at: '2026-12-25T10:00:00Z' }),
      deny({ at: '2026-12-23T23:59:59Z' }),
      deny({ at: '2026-12-27T00:00:00Z' }),
    ),
    decides(
      'from one day until another',
      only(match({ 'date(UTC).Date.AFTER': '2026-07-01', 'date(UTC).Date.BEFORE': '2026-08-01' })),
      deny({ at: '2026-06-30T23:59:59Z' }),
      allow({ at: '2026-07-01T00:00:00Z' }),
      allow({ at: '2026-07-31T23:59:59Z' }),
      deny({ at: '2026-08-01T00:00:00Z' }),
    ),
  ),
  under(
    '`date(<zone>).Hour` |',
    clocks.map(([zone, local, offset, what]) =>
      decides(
        `${zone}, hour ${Number(local.slice(11, 13))}: ${what}, ${local} there`,
        test(`date(${zone}).Hour`, String(Number(local.slice(11, 13)))),
        allow({ at: instant(local, offset) }),
        deny({ at: instant(local, offset.startsWith('-') ? '+06:00' : '-06:00') }),
      ),
    ),
    pairs(orders, [1, 12, 22]).map(([[operator, below, equal, above], hour]) =>
      decides(
        `\`${operator}\` ${hour}: the hour before, the hour, the hour after`,
        test(`date(UTC).Hour.${operator}`, String(hour)),
        [
          [hour - 1, below],
          [hour, equal],
          [hour + 1, above],
        ].map(([h, holds]) => ask(verdict(holds), { at: `2026-07-01T${String(h).padStart(2, '0')}:59:59.999Z` })),
      ),
    ),
    decides(
      '`IN` three hours',
      test('date(UTC).Hour.IN', '0, 12,23'),
      allow({ at: '2026-07-01T00:00:00Z' }),
      allow({ at: '2026-07-01T12:59:59.999Z' }),
      deny({ at: '2026-07-01T13:00:00Z' }),
      allow({ at: '2026-07-01T23:59:59.999Z' }),
    ),
    decides(
      '`GE` 0 always holds',
      test('date(UTC).Hour.GE', '0'),
      allow({ at: '2026-07-01T00:00:00Z' }),
      allow({ at: '2026-07-01T23:59:59Z' }),
    ),
    decides(
      '`LT` 0 never holds',
      test('date(UTC).Hour.LT', '0'),
      deny({ at: '2026-07-01T00:00:00Z' }),
      deny({ at: '2026-07-01T23:59:59Z' }),
    ),
    decides(
      '`GT` 23 never holds',
      test('date(UTC).Hour.GT', '23'),
      deny({ at: '2026-07-01T00:00:00Z' }),
      deny({ at: '2026-07-01T23:59:59Z' }),
    ),
    decides(
      'an hour that is left out when clocks are set',
      test('date(Europe/Paris).Hour', '2'),
      deny({ at: '2026-03-29T00:59:59.999Z' }),
      deny({ at: '2026-03-29T01:00:00Z' }),
      allow({ at: '2026-03-28T01:00:00Z' }),
      allow({ at: '2026-03-30T00:00:00Z' }),
    ),
    decides(
      'an hour that comes twice when clocks are set',
      test('date(Europe/Paris).Hour', '2'),
      deny({ at: '2026-10-24T23:59:59.999Z' }),
      allow({ at: '2026-10-25T00:00:00Z' }),
      allow({ at: '2026-10-25T01:59:59.999Z' }),
      deny({ at: '2026-10-25T02:00:00Z' }),
    ),
    decides(
      'work hours of two zones',
      only(and(match({ 'date(Europe/Paris).Hour.GE': '9' }), match({ 'date(America/New_York).Hour.LT': '9' }))),
      allow({ at: '2026-07-01T07:00:00Z' }),
      deny({ at: '2026-07-01T06:59:59Z' }),
      deny({ at: '2026-07-01T13:00:00Z' }),
    ),
  ),
  under(
    '`date(<zone>).WeekDay` |',
    clocks.map(([zone, local, offset, what]) =>
      decides(
        `${zone}, ${weekday(local)}: ${what}, ${local} there`,
        test(`date(${zone}).WeekDay`, weekday(local)),
        allow({ at: instant(local, offset) }),
        deny({ at: new Date(Date.parse(`${local}${offset}`) + 86_400_000).toISOString() }),
      ),
    ),
    pairs(orders, [1, 3, 5]).map(([[operator, below, equal, above], day]) =>
      decides(
        `\`${operator}\` ${days[day]}: the day before, the day, the day after`,
        test(`date(UTC).WeekDay.${operator}`, days[day]),
        // 2026-06-29 is a Monday.
        [
          [day - 1, below],
          [day, equal],
          [day + 1, above],
        ].map(([d, holds]) => ask(verdict(holds), { at: new Date(Date.UTC(2026, 5, 29 + d, 12)).toISOString() })),
      ),
    ),
    days.map((day, i) =>
      decides(
        `${day} is the day ${i + 1} of seven`,
        world([{ allow: reboot, when: match({ 'date(UTC).WeekDay.LE': day }) }]),
        days.map((_, d) => ask(verdict(d <= i), { at: new Date(Date.UTC(2026, 5, 29 + d, 12)).toISOString() })),
      ),
    ),
    decides(
      '`IN` the weekend',
      test('date(UTC).WeekDay.IN', 'Saturday, Sunday'),
      deny({ at: '2026-07-03T23:59:59.999Z' }),
      allow({ at: '2026-07-04T00:00:00Z' }),
      allow({ at: '2026-07-05T23:59:59.999Z' }),
      deny({ at: '2026-07-06T00:00:00Z' }),
    ),
  ),
  under(
    '`BEFORE` is *less than*',
    decides(
      '`AFTER` Monday',
      test('date(UTC).WeekDay.AFTER', 'Monday'),
      allow({ at: '2026-06-29T00:00:00Z' }),
      allow({ at: '2026-06-29T23:59:59.999Z' }),
      allow({ at: '2026-06-28T12:00:00Z' }),
    ),
    decides(
      '`BEFORE` Monday',
      test('date(UTC).WeekDay.BEFORE', 'Monday'),
      deny({ at: '2026-06-28T23:59:59.999Z' }),
      deny({ at: '2026-06-29T00:00:00Z' }),
    ),
    decides(
      '`BEFORE` Sunday',
      test('date(UTC).WeekDay.BEFORE', 'Sunday'),
      allow({ at: '2026-07-04T23:59:59.999Z' }),
      deny({ at: '2026-07-05T00:00:00Z' }),
    ),
    decides(
      '`AFTER` an hour',
      test('date(UTC).Hour.AFTER', '9'),
      deny({ at: '2026-07-01T08:59:59.999Z' }),
      allow({ at: '2026-07-01T09:00:00Z' }),
    ),
    decides(
      '`BEFORE` an hour',
      test('date(UTC).Hour.BEFORE', '9'),
      allow({ at: '2026-07-01T08:59:59.999Z' }),
      deny({ at: '2026-07-01T09:00:00Z' }),
    ),
    decides(
      'one of `BEFORE` and `AFTER` always holds',
      only(or(match({ 'date(UTC).Hour.BEFORE': '9' }), match({ 'date(UTC).Hour.AFTER': '9' }))),
      allow({ at: '2026-07-01T08:00:00Z' }),
      allow({ at: '2026-07-01T09:00:00Z' }),
      allow({ at: '2026-07-01T10:00:00Z' }),
    ),
    decides(
      'never both of `BEFORE` and `AFTER`',
      only(match({ 'date(UTC).Date.BEFORE': '2026-07-01', 'date(UTC).Date.AFTER': '2026-07-01' })),
      deny({ at: '2026-06-30T12:00:00Z' }),
      deny({ at: '2026-07-01T12:00:00Z' }),
      deny({ at: '2026-07-02T12:00:00Z' }),
    ),
  ),
  under(
    'A resource whose tags are known',
    ['EQ', 'STARTS_WITH', 'ENDS_WITH'].flatMap((operator) => [
      decides(`\`${operator}\`, and no tags`, test(`resource.Tag(env).${operator}`, 'prod'), deny({ tags: {} })),
      decides(`\`${operator}\`, and another tag`, test(`resource.Tag(env).${operator}`, 'prod'), deny({ tags: { team: 'prod' } })),
      decides(
        `\`${operator}\` under NOT, and no tags`,
        only(not(match({ [`resource.Tag(env).${operator}`]: 'prod' }))),
        allow({ tags: {} }),
      ),
      decides(
        `\`${operator}\` of a policy that denies, and no tags`,
        world([{ allow: '*' }, { deny: '*', when: match({ [`resource.Tag(env).${operator}`]: 'prod' }) }]),
        allow({ tags: {} }),
      ),
    ]),
    decides(
      'the world says that there are none',
      world({ allow: reboot, when: match({ 'resource.Tag(env)': 'prod' }) }, { resources: [{ urn: web, tags: {} }] }),
      deny(),
    ),
    decides(
      'the world says another tag',
      world({ allow: reboot, when: not(match({ 'resource.Tag(env)': 'prod' })) }, { resources: [{ urn: web, tags: { team: 'web' } }] }),
      allow(),
    ),
    decides(
      'the question says that there are none',
      world({ allow: reboot, when: match({ 'resource.Tag(env)': 'prod' }) }, { resources: [{ urn: web, tags: { env: 'prod' } }] }),
      deny({ tags: {} }),
    ),
    decides('the prefix of nothing', test('resource.Tag(env).STARTS_WITH', ''), deny({ tags: {} })),
  ),
  under(
    'Lists are separated by commas',
    [
      ['a blank after the comma', 'web-1, db-1'],
      ['blanks around', ' web-1 ,  db-1 '],
      ['a tab', 'web-1,\tdb-1'],
      ['none', 'web-1,db-1'],
    ].map(([what, value]) => ({
      ...named('resource.Name.IN', value, [web, true], [resource('db-1'), true], [resource('db-2'), false]),
      what: `names: ${what}`,
    })),
    decides(
      'types',
      world({ on: 'urn:v1:eu:resource:*', allow: reboot, when: match({ 'resource.Type.IN': ' vps , ip ' }) }),
      allow(),
      allow({ on: resource('a', 'ip') }),
      deny({ on: resource('a', 'ipx') }),
    ),
    decides(
      'addresses',
      test('request.IP.IN', ' 192.0.2.1 , 192.0.2.3 '),
      allow({ ip: '192.0.2.1' }),
      allow({ ip: '192.0.2.3' }),
      deny({ ip: '192.0.2.2' }),
    ),
    decides(
      'dates',
      test('date(UTC).Date.IN', '2026-07-01 , 2026-07-03'),
      allow(),
      deny({ at: '2026-07-02T12:00:00Z' }),
      allow({ at: '2026-07-03T12:00:00Z' }),
    ),
    decides(
      'hours',
      test('date(UTC).Hour.IN', ' 1, 12 '),
      allow(),
      allow({ at: '2026-07-01T01:00:00Z' }),
      deny({ at: '2026-07-01T02:00:00Z' }),
    ),
    decides('weekdays', test('date(UTC).WeekDay.IN', 'Monday , Wednesday'), allow(), deny({ at: '2026-07-02T12:00:00Z' })),
    decides('the same item twice', test('date(UTC).Hour.IN', '12,12'), allow(), deny({ at: '2026-07-01T11:00:00Z' })),
    decides('only `IN` takes a list', test('resource.Name', 'web-1,db-1'), deny(), deny({ on: resource('db-1') })),
  ),
  under(
    'The default zone is UTC',
    ['Date', 'Hour', 'WeekDay'].flatMap((part, i) =>
      ['date()', 'date', 'date(UTC)'].map((subject) =>
        decides(
          `\`${subject}.${part}\``,
          test(`${subject}.${part}`, ['2026-07-01', '23', 'Wednesday'][i]),
          allow({ at: '2026-07-01T23:30:00Z' }),
          allow({ at: '2026-07-02T01:30:00+02:00' }),
          deny({ at: '2026-07-02T00:30:00Z' }),
        ),
      ),
    ),
    decides(
      'the default with an operator',
      test('date.Hour.GE', '23'),
      allow({ at: '2026-07-01T23:30:00Z' }),
      deny({ at: '2026-07-01T22:30:00Z' }),
    ),
    decides(
      'the default with empty brackets and an operator',
      test('date().Date.BEFORE', '2026-07-02'),
      allow({ at: '2026-07-01T23:30:00Z' }),
      deny({ at: '2026-07-02T00:30:00Z' }),
    ),
  ),
  under(
    'Operators and weekdays are compared without case',
    [
      ['resource.Name.starts_with', 'web'],
      ['resource.Name.Ends_With', '-1'],
      ['resource.Type.in', 'vps,ip'],
      ['resource.Tag(env).Starts_With', 'pr'],
      ['resource.Tag(env).eq', 'prod'],
      ['request.IP.in_range', '192.0.2.0/24'],
      ['request.IP.In', '192.0.2.1'],
      ['date(UTC).Date.after', '2026-07-01'],
      ['date(UTC).Hour.ge', '12'],
      ['date(UTC).Hour.Lt', '13'],
      ['date(UTC).WeekDay', 'wednesday'],
      ['date(UTC).WeekDay', 'WEDNESDAY'],
      ['date(UTC).WeekDay.in', 'wEdNeSdAy,monday'],
      ['date(UTC).WeekDay.before', 'thursDay'],
    ].map(([key, value]) =>
      decides(
        `\`${key}\` ${value}`,
        world([
          { allow: reboot, when: match({ [key]: value }) },
          { allow: 'vps:apisvc:get', when: not(match({ [key]: value })) },
        ]),
        allow({ tags: { env: 'prod' }, ip: '192.0.2.1' }),
        deny({ action: 'vps:apisvc:get', tags: { env: 'prod' }, ip: '192.0.2.1' }),
      ),
    ),
  ),
  under(
    'Addresses are compared as addresses',
    addresses(
      'EQ',
      '2001:db8::1',
      ['2001:0db8:0000:0000:0000:0000:0000:0001', true],
      ['2001:DB8::1', true],
      ['2001:db8:0:0::1', true],
      ['2001:db8::10', false],
    ),
    addresses('EQ', '2001:0DB8:0:0:0:0:0:0001', ['2001:db8::1', true], ['2001:db8::1:0', false]),
    addresses('EQ', '::', ['0:0:0:0:0:0:0:0', true], ['::1', false]),
    addresses('EQ', '::ffff:192.0.2.1', ['192.0.2.1', true], ['::ffff:c000:201', true], ['192.0.2.2', false]),
    addresses('EQ', '192.0.2.1', ['::ffff:192.0.2.1', true], ['::ffff:c000:201', true], ['::192.0.2.1', false]),
    addresses('IN', '::ffff:192.0.2.1, 2001:DB8::1', ['192.0.2.1', true], ['2001:db8::1', true], ['192.0.2.2', false]),
    addresses('IN_RANGE', '::ffff:192.0.2.0/120', ['192.0.2.255', true], ['192.0.3.0', false], ['::ffff:192.0.2.0', true]),
    addresses('IN_RANGE', '192.0.2.0/24', ['::ffff:192.0.2.9', true], ['::ffff:192.0.3.9', false]),
    addresses('IN_RANGE', '2001:DB8:0::/48', ['2001:db8::9', true], ['2001:0db8:0000:ffff::', true], ['2001:db8:1::', false]),
    addresses('EQ', '64:ff9b::192.0.2.1', ['64:ff9b::c000:201', true], ['192.0.2.1', false]),
    addresses('IN_RANGE', '::/0', ['::ffff:192.0.2.1', false], ['::fffe:192.0.2.1', true]),
  ),
]

/** Cases of the same conditions in policies that deny, for the section about missing facts. */
export const denyingFormulas = operators.flatMap((operator) => unordered(letters).map(([x, y]) => denying([operator, x, y])))
export { granting }
