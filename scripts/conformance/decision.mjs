import {
  account,
  allow,
  and,
  ann,
  ask,
  decides,
  deny,
  group,
  match,
  or,
  pairs,
  permissions,
  permissionsGroup,
  reboot,
  resource,
  resourceGroup,
  under,
  unordered,
  user,
  web,
  world,
} from './build.mjs'

const bob = user('bob')
const ops = group('ops')
const shop = resourceGroup('shop')
const past = '2026-06-30T00:00:00Z'
const isFalse = match({ 'resource.Name': 'db-1' })
const isTrue = match({ 'resource.Name': 'web-1' })

/** The four gates of a policy, open and closed. */
const gates = [
  ['it has not expired', { until: '2026-12-31T00:00:00Z' }, { until: past }],
  ['an identity matches', { who: [bob, ann] }, { who: [bob] }],
  ['a resource matches', { on: [resource('db-1'), web] }, { on: [resource('db-1')] }],
  ['its conditions hold', { when: isTrue }, { when: isFalse }],
]
const combinations = Array.from({ length: 16 }, (_, bits) => gates.map((_, i) => ((bits >> i) & 1) === 1))
const through = (open) => Object.assign({}, ...gates.map(([, yes, no], i) => (open[i] ? yes : no)))
const closedOf = (open) => gates.filter((_, i) => !open[i]).map(([what]) => what)
const said = (open) => (closedOf(open).length === 0 ? 'all of them hold' : `not: ${closedOf(open).join(', ')}`)

/** The eight permission sets that may allow, except and deny the action or not; another entry is next to it. */
const sets = Array.from({ length: 8 }, (_, bits) => ({ allows: (bits & 1) > 0, excepts: (bits & 2) > 0, denies: (bits & 4) > 0 }))
const setLists = ({ allows, excepts, denies }, other = 'vps:apisvc:get') => ({
  allow: [...(allows ? [reboot] : []), other],
  ...(excepts && { except: 'vps:apisvc:re*' }),
  ...(denies && { deny: '*:reboot' }),
})
const setWords = ({ allows, excepts, denies }) =>
  [allows && 'allow', excepts && 'except', denies && 'deny'].filter(Boolean).join(' and ') || 'nothing'
/** The verdict of sets that count: a deny first, then an allow that its own list does not except. */
const verdictOf = (counting) =>
  counting.some(({ denies }) => denies) ? 'deny' : counting.some(({ allows, excepts }) => allows && !excepts) ? 'allow' : 'deny'

const care = permissionsGroup('care')
const extra = permissionsGroup('extra')
const groupOf = (urn, lists) => ({ urn, name: urn.split(':').at(-1), permissions: permissions(lists) })

/** An instant so many milliseconds later. */
const later = (instant, ms) => new Date(Date.parse(instant) + ms).toISOString()
const ends = [
  ['the end of a year', '2026-12-31T23:59:59Z'],
  ['the beginning of a year', '2027-01-01T00:00:00Z'],
  ['a leap day', '2028-02-29T12:00:00Z'],
  ['the end of a month', '2026-04-30T23:59:59.999Z'],
  ['a fraction of a second', '2026-05-05T05:05:05.5Z'],
  ['milliseconds', '2026-05-05T05:05:05.123Z'],
  ['an offset to the east', '2026-05-05T12:00:00+05:45'],
  ['an offset to the west', '2026-05-05T12:00:00-03:30'],
  ['an offset over midnight', '2027-01-01T00:30:00+02:00'],
  ['an offset of nothing', '2026-05-05T12:00:00+00:00'],
  ['an instant when clocks are set', '2026-03-29T01:00:00Z'],
  ['the first second of 1970', '1970-01-01T00:00:01Z'],
  ['before 1970', '1969-07-20T20:17:40Z'],
  ['a far year', '2999-12-31T23:59:59Z'],
]

/** Worlds whose policies, entries and lists may be in any order. */
const mixed = [
  { name: 'reads', who: [bob, ann], allow: ['vps:apisvc:get', 'vps:*'], except: ['vps:apisvc:reinstall', 'vps:apisvc:rebuild'] },
  { name: 'guard', who: [ops, user('*')], on: [resource('db-*'), resource('web-*')], deny: ['*:terminate', 'vps:apisvc:stop'] },
  { name: 'repairs', who: ops, on: ['urn:v1:eu:resource:*', web], allow: ['vps:apisvc:reinstall'] },
]
const mixedQuestions = [
  allow(),
  deny({ action: 'vps:apisvc:reinstall' }),
  allow({ action: 'vps:apisvc:reinstall', groups: [ops] }),
  deny({ action: 'vps:apisvc:terminate', groups: [ops] }),
]
const orders = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
]
const inOrder = (order) => order.map((i) => mixed[i])
const turned = (value) => (Array.isArray(value) ? [...value].reverse() : value)
const eachList = (change) => mixed.map((each) => Object.fromEntries(Object.entries(each).map(([key, value]) => [key, change(value, key)])))
const twice = (value) => (Array.isArray(value) ? [...value, ...value] : value)

export const section = 'Decision'
export const cases = [
  under(
    'A policy **applies** to a question',
    combinations.map((open) =>
      decides(
        `a policy that grants; ${said(open)}`,
        world({ ...through(open), allow: reboot }),
        ask(open.every(Boolean) ? 'allow' : 'deny'),
      ),
    ),
    combinations.map((open) =>
      decides(
        `a policy that denies; ${said(open)}`,
        world([{ allow: '*' }, { ...through(open), deny: reboot }]),
        ask(open.every(Boolean) ? 'deny' : 'allow'),
      ),
    ),
    combinations
      .filter((open) => open.filter(Boolean).length === 3)
      .flatMap((open, i, all) =>
        all.slice(i + 1).map((other) =>
          decides(
            `two policies, each stopped otherwise: ${said(open)}; ${said(other)}`,
            world([
              { ...through(open), allow: reboot },
              { ...through(other), allow: reboot },
            ]),
            deny(),
          ),
        ),
      ),
  ),
  under(
    'it has not expired',
    ends.map(([what, until]) =>
      decides(
        `${what}: a millisecond before, at, and a millisecond after`,
        world({ allow: reboot, until }),
        allow({ at: later(until, -1) }),
        allow({ at: later(until, 0) }),
        deny({ at: later(until, 1) }),
      ),
    ),
    ends
      .slice(0, 6)
      .map(([what, until]) =>
        decides(
          `${what}, of a policy that denies: a millisecond before, at, and a millisecond after`,
          world([{ allow: '*' }, { deny: 'vps:*', until }]),
          deny({ at: later(until, -1) }),
          deny({ at: later(until, 0) }),
          allow({ at: later(until, 1) }),
        ),
      ),
    decides(
      'a question whose time has an offset',
      world({ allow: reboot, until: '2026-07-01T12:00:00Z' }),
      allow({ at: '2026-07-01T14:00:00+02:00' }),
      deny({ at: '2026-07-01T14:00:01+02:00' }),
      allow({ at: '2026-07-01T08:00:00-04:00' }),
    ),
    decides(
      'an earlier day in one zone that is later in time',
      world({ allow: reboot, until: '2026-07-02T01:00:00+09:00' }),
      allow({ at: '2026-07-01T16:00:00Z' }),
      deny({ at: '2026-07-01T16:00:01Z' }),
    ),
    decides(
      'two policies that end one after the other',
      world([
        { allow: reboot, until: '2026-07-01T00:00:00Z' },
        { allow: reboot, until: '2026-08-01T00:00:00Z' },
      ]),
      allow({ at: '2026-06-30T00:00:00Z' }),
      allow({ at: '2026-07-15T00:00:00Z' }),
      deny({ at: '2026-08-15T00:00:00Z' }),
    ),
    decides(
      'a deny that ends before the allow',
      world([
        { allow: reboot, until: '2026-08-01T00:00:00Z' },
        { deny: reboot, until: '2026-07-01T00:00:00Z' },
      ]),
      deny({ at: '2026-06-30T00:00:00Z' }),
      allow({ at: '2026-07-15T00:00:00Z' }),
      deny({ at: '2026-08-15T00:00:00Z' }),
    ),
    decides('no end', world({ allow: reboot }), allow({ at: '1970-01-01T00:00:00Z' }), allow({ at: '2999-01-01T00:00:00Z' })),
  ),
  under(
    'one of its identities matches',
    decides('the last of three', world({ who: [bob, user('eve'), ann], allow: '*' }), allow()),
    decides('none of three', world({ who: [bob, user('eve'), user('kim')], allow: '*' }), deny()),
    decides(
      'a group that the world gives',
      world({ who: ops, allow: '*' }, { identities: [{ urn: ann, groups: [ops] }] }),
      allow(),
      deny({ who: bob }),
    ),
    decides('a group that the question gives', world({ who: ops, allow: '*' }), allow({ groups: [ops] }), deny({ groups: [] }), deny()),
    decides('one of several groups', world({ who: ops, allow: '*' }), allow({ groups: [group('dev'), ops, group('audit')] })),
    decides(
      'one group of the world and one of the question',
      world(
        [
          { who: ops, allow: 'vps:*' },
          { who: group('audit'), deny: 'vps:apisvc:reinstall' },
        ],
        { identities: [{ urn: ann, groups: [ops] }] },
      ),
      allow(),
      allow({ action: 'vps:apisvc:reinstall' }),
      deny({ action: 'vps:apisvc:reinstall', groups: [group('audit')] }),
    ),
    decides(
      'a group and the identity itself',
      world({ who: [ops, ann], allow: '*' }),
      allow(),
      allow({ groups: [ops] }),
      allow({ who: bob, groups: [ops] }),
      deny({ who: bob }),
    ),
    decides(
      'a deny for a group',
      world([
        { who: ann, allow: '*' },
        { who: ops, deny: reboot },
      ]),
      allow(),
      deny({ groups: [ops] }),
    ),
    decides(
      'a pattern that matches a group',
      world({ who: group('o*'), allow: '*' }),
      allow({ groups: [ops] }),
      deny({ groups: [group('dev')] }),
    ),
    decides(
      'a group of another account',
      world({ who: group('ops', 'cd34-svc'), allow: '*' }),
      deny({ groups: [ops] }),
      allow({ groups: [group('ops', 'cd34-svc')] }),
    ),
    decides(
      'a service account in a group',
      world({ who: ops, allow: '*' }, { identities: [{ urn: 'urn:v1:eu:identity:credential:ab12-svc/oauth2-77', groups: [ops] }] }),
      allow({ who: 'urn:v1:eu:identity:credential:ab12-svc/oauth2-77' }),
    ),
    decides(
      'a group that grants and a group that denies',
      world([
        { who: ops, allow: '*' },
        { who: group('audit'), deny: '*' },
      ]),
      allow({ groups: [ops] }),
      deny({ groups: [ops, group('audit')] }),
      deny({ groups: [group('audit')] }),
    ),
    decides(
      'an identity of another region in the same group',
      world({ who: ops, allow: '*' }),
      allow({ who: user('ann', 'ab12-svc', 'ca'), groups: [ops] }),
    ),
  ),
  under(
    'The URN of an account stands',
    decides('a user of the account', world({ who: account(), allow: '*' }), deny()),
    decides(
      'a service account of the account',
      world({ who: account(), allow: '*' }),
      deny({ who: 'urn:v1:eu:identity:credential:ab12-svc/oauth2-77' }),
    ),
    decides('a group of the account', world({ who: account(), allow: '*' }), deny({ who: ops })),
    decides('a member of a group of the account', world({ who: account(), allow: '*' }), deny({ groups: [ops] })),
    decides('the account', world({ who: account(), allow: '*' }), allow({ who: account() })),
    decides('a deny for the account leaves its users', world([{ allow: '*' }, { who: account(), deny: '*' }]), allow()),
    decides(
      'a pattern over accounts leaves users',
      world({ who: 'urn:v1:eu:identity:account:*', allow: '*' }),
      deny(),
      allow({ who: account() }),
    ),
    decides(
      'a pattern over accounts that deny leaves users',
      world([{ allow: '*' }, { who: 'urn:v1:eu:identity:account:ab*', deny: '*' }]),
      allow(),
    ),
  ),
  under(
    'one of its resources matches',
    decides('the last of three', world({ on: [resource('a'), resource('b'), web], allow: '*' }), allow()),
    decides('none of three', world({ on: [resource('a'), resource('b'), resource('c')], allow: '*' }), deny()),
    decides(
      'a group that contains it',
      world({ on: shop, allow: '*' }, { resourceGroups: [{ urn: shop, name: 'shop', resources: [{ urn: resource('a') }, { urn: web }] }] }),
      allow(),
      deny({ on: resource('b') }),
    ),
    decides(
      'a group without members',
      world({ on: shop, allow: '*' }, { resourceGroups: [{ urn: shop, name: 'shop', resources: [] }] }),
      deny(),
    ),
    decides(
      'a group that contains it, in a policy that denies',
      world(
        [
          { on: resource('*'), allow: '*' },
          { on: shop, deny: '*' },
        ],
        { resourceGroups: [{ urn: shop, name: 'shop', resources: [{ urn: web }] }] },
      ),
      deny(),
      allow({ on: resource('a') }),
    ),
    decides(
      'a group and the resource itself',
      world({ on: [shop, web], allow: '*' }, { resourceGroups: [{ urn: shop, name: 'shop', resources: [{ urn: resource('a') }] }] }),
      allow(),
      allow({ on: resource('a') }),
      deny({ on: resource('b') }),
    ),
    decides(
      'two groups, the second of which contains it',
      world(
        { on: [shop, resourceGroup('blog')], allow: '*' },
        {
          resourceGroups: [
            { urn: shop, name: 'shop', resources: [{ urn: resource('a') }] },
            { urn: resourceGroup('blog'), name: 'blog', resources: [{ urn: web }] },
          ],
        },
      ),
      allow(),
    ),
    decides(
      'two groups that both contain it',
      world(
        [
          { on: shop, allow: '*' },
          { on: resourceGroup('blog'), deny: 'vps:apisvc:reinstall' },
        ],
        {
          resourceGroups: [
            { urn: shop, name: 'shop', resources: [{ urn: web }] },
            { urn: resourceGroup('blog'), name: 'blog', resources: [{ urn: web }] },
          ],
        },
      ),
      allow(),
      deny({ action: 'vps:apisvc:reinstall' }),
    ),
    decides(
      'members of different types',
      world(
        { on: shop, allow: '*' },
        { resourceGroups: [{ urn: shop, name: 'shop', resources: [{ urn: web }, { urn: resource('10.0.0.1', 'ip') }] }] },
      ),
      allow({ on: resource('10.0.0.1', 'ip') }),
      deny({ on: resource('10.0.0.1') }),
    ),
    decides(
      'a member that is known by its id',
      world(
        { on: shop, allow: '*' },
        {
          resourceGroups: [{ urn: shop, name: 'shop', resources: [{ id: 'r-7' }] }],
          resources: [
            { id: 'r-7', urn: web },
            { id: 'r-8', urn: resource('a') },
          ],
        },
      ),
      allow(),
      deny({ on: resource('a') }),
    ),
    decides(
      'a name that looks like a group',
      world({ on: resource('resourceGroup:shop'), allow: '*' }),
      allow({ on: resource('resourceGroup:shop') }),
      deny(),
    ),
    decides(
      'a pattern over the members, beside the group',
      world(
        [
          { on: shop, allow: 'vps:*' },
          { on: resource('web-*'), deny: 'vps:apisvc:stop' },
        ],
        { resourceGroups: [{ urn: shop, name: 'shop', resources: [{ urn: web }, { urn: resource('db-1') }] }] },
      ),
      deny({ action: 'vps:apisvc:stop' }),
      allow({ action: 'vps:apisvc:stop', on: resource('db-1') }),
    ),
  ),
  under(
    'its conditions hold',
    [
      ['one that holds', isTrue, 'allow', 'deny'],
      ['one that does not hold', isFalse, 'deny', 'allow'],
      ['two that hold', and(isTrue, isTrue), 'allow', 'deny'],
      ['one of two holds, and both must', and(isTrue, isFalse), 'deny', 'allow'],
      ['one of two holds, and one must', or(isTrue, isFalse), 'allow', 'deny'],
      ['two that do not hold, and one must', or(isFalse, isFalse), 'deny', 'allow'],
    ].flatMap(([what, when, granting, denying]) => [
      decides(`${what}, of a policy that grants`, world({ allow: reboot, when }), ask(granting)),
      decides(`${what}, of a policy that denies`, world([{ allow: '*' }, { deny: reboot, when }]), ask(denying)),
    ]),
    decides(
      'each policy has its own',
      world([
        { allow: reboot, when: isFalse },
        { allow: 'vps:apisvc:get', when: isTrue },
      ]),
      deny(),
      allow({ action: 'vps:apisvc:get' }),
    ),
    decides(
      'they are about all entries of the policy',
      world({ allow: ['vps:apisvc:get', reboot], deny: ['vps:apisvc:stop'], when: isFalse }),
      deny(),
      deny({ action: 'vps:apisvc:get' }),
    ),
    decides(
      'they are about the permissions groups of the policy',
      world([{ named: care, when: isFalse }, { allow: 'vps:apisvc:get' }], {
        permissionsGroups: [groupOf(care, { allow: reboot, deny: 'vps:apisvc:get' })],
      }),
      deny(),
      allow({ action: 'vps:apisvc:get' }),
    ),
  ),
  under(
    'The permission sets of a policy',
    sets.flatMap((own) =>
      sets.map((named) =>
        decides(
          `its own: ${setWords(own)}; of its group: ${setWords(named)}`,
          world({ ...setLists(own), named: care }, { permissionsGroups: [groupOf(care, setLists(named, 'vps:apisvc:start'))] }),
          ask(verdictOf([own, named])),
        ),
      ),
    ),
    decides(
      'a group that the policy does not name',
      world({ allow: 'vps:apisvc:get' }, { permissionsGroups: [groupOf(care, { allow: '*' })] }),
      deny(),
    ),
    decides(
      'a group that denies, and that the policy does not name',
      world({ allow: '*' }, { permissionsGroups: [groupOf(care, { deny: '*' })] }),
      allow(),
    ),
    decides(
      'a group without entries',
      world({ allow: reboot, named: care }, { permissionsGroups: [groupOf(care, { allow: [] })] }),
      allow(),
      deny({ action: 'vps:apisvc:get' }),
    ),
    decides(
      'a group that two policies name, for other resources',
      world([{ named: care }, { on: resource('db-1'), named: care }], { permissionsGroups: [groupOf(care, { allow: reboot })] }),
      allow(),
      allow({ on: resource('db-1') }),
      deny({ on: resource('db-2') }),
    ),
    decides(
      'a group that denies where another policy grants',
      world([{ allow: '*' }, { who: ops, named: care }], { permissionsGroups: [groupOf(care, { deny: reboot })] }),
      allow(),
      deny({ groups: [ops] }),
    ),
  ),
  under(
    'Each set is evaluated separately',
    unordered(sets).map(([a, b]) =>
      decides(
        `two groups: ${setWords(a)}; ${setWords(b)}`,
        world(
          { named: [care, extra] },
          { permissionsGroups: [groupOf(care, setLists(a)), groupOf(extra, setLists(b, 'vps:apisvc:start'))] },
        ),
        ask(verdictOf([a, b])),
      ),
    ),
    [
      [1, 1, 2],
      [1, 2, 2],
      [3, 3, 1],
      [3, 2, 2],
      [3, 1, 4],
      [3, 3, 3],
      [0, 2, 1],
      [2, 2, 1],
    ].map((three) => {
      const [own, first, second] = three.map((bits) => sets[bits])
      return decides(
        `its own: ${setWords(own)}; of two groups: ${setWords(first)}; ${setWords(second)}`,
        world(
          { ...setLists(own), named: [care, extra] },
          { permissionsGroups: [groupOf(care, setLists(first, 'vps:apisvc:start')), groupOf(extra, setLists(second, 'vps:apisvc:stop'))] },
        ),
        ask(verdictOf([own, first, second])),
      )
    }),
  ),
  under(
    'it **denies** the action',
    [
      ['the first of its patterns', [reboot, 'vps:apisvc:get'], 'deny'],
      ['the last of its patterns', ['vps:apisvc:get', 'ip:*', reboot], 'deny'],
      ['none of its patterns', ['vps:apisvc:get', 'ip:*'], 'allow'],
      ['a pattern for every action', ['*'], 'deny'],
      ['a pattern for every action of the product', ['vps:*'], 'deny'],
      ['several of its patterns', ['*', 'vps:*', reboot], 'deny'],
    ].map(([what, patterns, verdict]) => decides(what, world([{ allow: '*' }, { deny: patterns }]), ask(verdict))),
    [
      ['its own `except` does not lift it', { allow: '*', except: reboot, deny: reboot }, 'deny'],
      ['its own `except` for everything does not lift it', { allow: '*', except: '*', deny: reboot }, 'deny'],
      ['its own `allow` does not lift it', { allow: reboot, deny: '*' }, 'deny'],
      ['an exception and a deny of another action', { allow: '*', except: 'vps:apisvc:get', deny: 'vps:apisvc:stop' }, 'allow'],
    ].map(([what, lists, verdict]) => decides(what, world(lists), ask(verdict))),
    decides('the `except` of another policy does not lift it', world([{ allow: '*' }, { deny: 'vps:*' }, { except: reboot }]), deny()),
    decides('the `except` beside a `deny` does not narrow it', world([{ allow: '*' }, { deny: 'vps:*', except: reboot }]), deny()),
  ),
  under(
    'it **grants** the action',
    [
      ['the first of its patterns', { allow: [reboot, 'vps:apisvc:get'] }, 'allow'],
      ['the last of its patterns', { allow: ['vps:apisvc:get', 'ip:*', reboot] }, 'allow'],
      ['none of its patterns', { allow: ['vps:apisvc:get', 'ip:*'] }, 'deny'],
      ['several of its patterns', { allow: ['*', 'vps:*', reboot] }, 'allow'],
      ['an exception of the same action', { allow: reboot, except: reboot }, 'deny'],
      ['an exception of another action', { allow: '*', except: 'vps:apisvc:get' }, 'allow'],
      ['the last of its exceptions', { allow: '*', except: ['vps:apisvc:get', 'ip:*', reboot] }, 'deny'],
      ['an exception of everything', { allow: reboot, except: '*' }, 'deny'],
      ['an exception wider than the allow', { allow: reboot, except: 'vps:*' }, 'deny'],
      ['an exception narrower than the allow', { allow: 'vps:*', except: reboot }, 'deny'],
      ['an exception that overlaps the allow, inside', { allow: 'vps:apisvc:re*', except: '*boot' }, 'deny'],
      ['an exception that overlaps the allow, outside', { allow: 'vps:apisvc:re*', except: '*start' }, 'allow'],
      ['an exception without an allow', { except: 'vps:apisvc:get' }, 'deny'],
      ['an allow of the same set that names the action again', { allow: ['vps:*', reboot], except: reboot }, 'deny'],
    ].map(([what, lists, verdict]) => decides(what, world(lists), ask(verdict))),
  ),
  under(
    'some applying policy has a set that denies',
    unordered(sets)
      .filter(([a, b]) => a.denies || b.denies)
      .map(([a, b]) =>
        decides(`two policies: ${setWords(a)}; ${setWords(b)}`, world([setLists(a), setLists(b, 'vps:apisvc:start')]), deny()),
      ),
    decides(
      'a deny for everybody, and an allow for one',
      world([
        { who: ann, allow: reboot },
        { who: user('*'), deny: 'vps:*' },
      ]),
      deny(),
    ),
    decides(
      'a deny for one, and an allow for everybody',
      world([{ who: user('*'), allow: '*' }, { deny: reboot }]),
      deny(),
      allow({ who: bob }),
    ),
    decides(
      'a deny on one resource, and an allow on all',
      world([{ on: 'urn:v1:eu:resource:*', allow: '*' }, { deny: '*' }]),
      deny(),
      allow({ on: resource('web-2') }),
    ),
    decides('a deny of all actions, and an allow of one', world([{ allow: reboot }, { deny: '*' }]), deny()),
    decides(
      'five allows and one deny',
      world([
        { allow: reboot },
        { allow: 'vps:*' },
        { allow: '*' },
        { deny: '*:reboot' },
        { allow: 'vps:apisvc:*' },
        { who: user('*'), allow: reboot },
      ]),
      deny(),
    ),
  ),
  under(
    'otherwise some applying policy',
    unordered(sets)
      .filter(([a, b]) => !a.denies && !b.denies && verdictOf([a, b]) === 'allow')
      .map(([a, b]) =>
        decides(`two policies: ${setWords(a)}; ${setWords(b)}`, world([setLists(a), setLists(b, 'vps:apisvc:start')]), allow()),
      ),
    pairs([1, 3, 4, 5], gates).map(([bits, [what, , closed]]) =>
      decides(
        `a policy: ${setWords(sets[bits])}; another that denies does not apply, as not ${what}`,
        world([setLists(sets[bits]), { ...closed, deny: '*' }]),
        ask(verdictOf([sets[bits]])),
      ),
    ),
    decides('a deny of another action', world([{ allow: reboot }, { deny: 'vps:apisvc:get' }]), allow()),
    decides('a deny for another identity', world([{ allow: reboot }, { who: bob, deny: '*' }]), allow()),
    decides('a deny on another resource', world([{ allow: reboot }, { on: resource('web-2'), deny: '*' }]), allow()),
    decides('a deny that has expired', world([{ allow: reboot }, { deny: '*', until: past }]), allow()),
  ),
  under(
    'otherwise | **deny**',
    unordered(sets)
      .filter(([a, b]) => !a.denies && !b.denies && verdictOf([a, b]) === 'deny')
      .map(([a, b]) =>
        decides(`two policies: ${setWords(a)}; ${setWords(b)}`, world([setLists(a), setLists(b, 'vps:apisvc:start')]), deny()),
      ),
    gates.map(([what, , closed]) => decides(`the only policy does not apply, as not ${what}`, world({ ...closed, allow: '*' }), deny())),
    decides(
      'who and what are granted, each with another',
      world([{ on: resource('db-1'), allow: reboot }, { who: bob, allow: reboot }, { allow: 'vps:apisvc:get' }]),
      deny(),
      allow({ on: resource('db-1') }),
      allow({ who: bob }),
      allow({ action: 'vps:apisvc:get' }),
    ),
    decides('an exception grants nothing', world({ except: reboot }), deny()),
    decides('a deny of another action grants nothing', world({ deny: 'vps:apisvc:get' }), deny()),
  ),
  under(
    '`except` only limits the `allow` of the same set',
    decides('another policy grants it by name', world([{ allow: 'vps:*', except: reboot }, { allow: reboot }]), allow()),
    decides('another policy grants it by a pattern', world([{ allow: 'vps:*', except: reboot }, { allow: '*' }]), allow()),
    decides(
      'another policy for a group grants it',
      world([
        { allow: 'vps:*', except: reboot },
        { who: ops, allow: reboot },
      ]),
      deny(),
      allow({ groups: [ops] }),
    ),
    decides(
      'another policy on all resources grants it',
      world([
        { allow: 'vps:*', except: reboot },
        { on: resource('*'), allow: 'vps:apisvc:re*' },
      ]),
      allow(),
    ),
    decides(
      'another policy that excepts it too',
      world([
        { allow: 'vps:*', except: reboot },
        { allow: '*', except: 'vps:apisvc:re*' },
      ]),
      deny(),
    ),
    decides(
      'another policy that excepts something else',
      world([
        { allow: 'vps:*', except: reboot },
        { allow: '*', except: 'vps:apisvc:get' },
      ]),
      allow(),
      allow({ action: 'vps:apisvc:get' }),
    ),
    decides('a policy that only excepts', world([{ allow: 'vps:*' }, { except: '*' }]), allow()),
    decides(
      'a policy that only excepts, for everybody',
      world([{ allow: 'vps:*' }, { who: user('*'), on: 'urn:v1:eu:resource:*', except: reboot }]),
      allow(),
    ),
    decides(
      'the policy excepts what its group grants',
      world({ allow: 'vps:*', except: reboot, named: care }, { permissionsGroups: [groupOf(care, { allow: reboot })] }),
      allow(),
    ),
    decides(
      'the group excepts what its policy grants',
      world({ allow: reboot, named: care }, { permissionsGroups: [groupOf(care, { allow: 'vps:*', except: reboot })] }),
      allow(),
    ),
    decides(
      'the policy only excepts, and its group grants',
      world({ except: '*', named: care }, { permissionsGroups: [groupOf(care, { allow: reboot })] }),
      allow(),
    ),
    decides(
      'one group excepts what another grants',
      world(
        { named: [care, extra] },
        { permissionsGroups: [groupOf(care, { allow: 'vps:*', except: reboot }), groupOf(extra, { allow: reboot })] },
      ),
      allow(),
    ),
    decides(
      'the other policy does not apply',
      world([
        { allow: 'vps:*', except: reboot },
        { allow: reboot, until: past },
      ]),
      deny(),
    ),
    decides(
      'exceptions that cover each other crosswise',
      world([
        { allow: 'vps:apisvc:re*', except: '*boot' },
        { allow: '*boot', except: 'vps:apisvc:fo*' },
      ]),
      allow(),
    ),
  ),
  under(
    'Order and duplicates do not matter',
    orders.map((order) =>
      decides(`policies in the order ${order.map((i) => mixed[i].name).join(', ')}`, world(inOrder(order)), mixedQuestions),
    ),
    ['who', 'on', 'allow', 'except', 'deny'].map((list) =>
      decides(
        `the entries of \`${{ who: 'identities', on: 'resources' }[list] ?? list}\` turned`,
        world(eachList((value, key) => (key === list ? turned(value) : value))),
        mixedQuestions,
      ),
    ),
    ['who', 'on', 'allow', 'except', 'deny'].map((list) =>
      decides(
        `the entries of \`${{ who: 'identities', on: 'resources' }[list] ?? list}\` twice`,
        world(eachList((value, key) => (key === list ? twice(value) : value))),
        mixedQuestions,
      ),
    ),
    decides('every entry turned', world(eachList(turned)), mixedQuestions),
    decides('every entry twice', world(eachList(twice)), mixedQuestions),
    decides('every policy twice', world([...mixed, ...mixed]), mixedQuestions),
    decides('every policy twice, turned', world([...mixed, ...[...mixed].reverse()]), mixedQuestions),
    mixed.map((each) => decides(`the policy ${each.name} three times`, world([each, ...mixed, each]), mixedQuestions)),
    decides(
      'every policy split into one for each identity',
      world(mixed.flatMap((each) => [each.who].flat().map((who) => ({ ...each, who })))),
      mixedQuestions,
    ),
    decides(
      'every policy split into one for each resource',
      world(mixed.flatMap((each) => [each.on ?? web].flat().map((on) => ({ ...each, on })))),
      mixedQuestions,
    ),
    decides('a deny split from its allow', world([{ allow: 'vps:*' }, { deny: reboot }]), deny(), allow({ action: 'vps:apisvc:get' })),
    decides('a deny beside its allow', world({ allow: 'vps:*', deny: reboot }), deny(), allow({ action: 'vps:apisvc:get' })),
    decides(
      'groups of the question turned',
      world([
        { who: ops, allow: '*' },
        { who: group('audit'), deny: reboot },
      ]),
      deny({ groups: [group('audit'), ops] }),
      deny({ groups: [ops, group('audit')] }),
    ),
    decides('a group of the question twice', world({ who: ops, allow: '*' }), allow({ groups: [ops, ops] })),
    decides(
      'a group in the world and in the question',
      world({ who: ops, allow: '*' }, { identities: [{ urn: ann, groups: [ops] }] }),
      allow({ groups: [ops] }),
    ),
    decides(
      'a permissions group named twice',
      world({ named: [care, care] }, { permissionsGroups: [groupOf(care, { allow: reboot })] }),
      allow(),
    ),
    decides(
      'permissions groups named in another order',
      world(
        { named: [extra, care] },
        { permissionsGroups: [groupOf(care, { allow: reboot }), groupOf(extra, { deny: 'vps:apisvc:stop' })] },
      ),
      allow(),
      deny({ action: 'vps:apisvc:stop' }),
    ),
    decides(
      'a member of a resource group twice',
      world({ on: shop, allow: '*' }, { resourceGroups: [{ urn: shop, name: 'shop', resources: [{ urn: web }, { urn: web }] }] }),
      allow(),
      deny({ on: resource('web-2') }),
    ),
  ),
  under(
    '**The account itself.**',
    [
      ['no policies', [], 'allow'],
      ['a policy that denies everything to it', [{ who: account(), deny: '*' }], 'allow'],
      [
        'a policy that denies everything to every account',
        [{ who: 'urn:v1:eu:identity:account:*', on: 'urn:v1:eu:resource:*', deny: '*' }],
        'allow',
      ],
      ['a policy that grants it something else', [{ who: account(), allow: 'vps:apisvc:get' }], 'allow'],
      ['a policy that grants and excepts it', [{ who: account(), allow: '*', except: reboot }], 'allow'],
      ['a policy about missing facts', [{ who: account(), deny: '*', when: match({ 'request.IP': '192.0.2.1' }) }], 'allow'],
    ].flatMap(([what, policies, verdict]) => [
      decides(
        `${what}, the owner of the resource`,
        world(policies, { resources: [{ urn: web, owner: 'ab12-svc' }] }),
        ask(verdict, { who: account() }),
      ),
      decides(`${what}, the owner of the world`, world(policies, { account: 'ab12-svc' }), ask(verdict, { who: account() })),
    ]),
    decides('another account', world([], { resources: [{ urn: web, owner: 'ab12-svc' }] }), deny({ who: account('cd34-svc') })),
    decides(
      'another account that a policy grants it',
      world({ who: account('cd34-svc'), allow: '*' }, { account: 'ab12-svc' }),
      allow({ who: account('cd34-svc') }),
    ),
    decides(
      'another account that a policy denies it',
      world(
        [
          { who: account('cd34-svc'), allow: '*' },
          { who: account('cd34-svc'), deny: reboot },
        ],
        { account: 'ab12-svc' },
      ),
      deny({ who: account('cd34-svc') }),
    ),
    decides('a user of the account', world([], { account: 'ab12-svc' }), deny()),
    decides('a user of the account, with a deny', world([{ allow: '*' }, { deny: '*' }], { account: 'ab12-svc' }), deny()),
    decides('a user whose login is the account', world([], { account: 'ab12-svc' }), deny({ who: user('ab12-svc') })),
    decides(
      'a service account of the account',
      world([], { account: 'ab12-svc' }),
      deny({ who: 'urn:v1:eu:identity:credential:ab12-svc/oauth2-77' }),
    ),
    decides(
      'the owner of the resource goes before the owner of the world',
      world([], { account: 'ab12-svc', resources: [{ urn: web, owner: 'cd34-svc' }] }),
      deny({ who: account() }),
      allow({ who: account('cd34-svc') }),
      allow({ who: account(), on: resource('web-2') }),
    ),
    decides(
      'the owner of another resource',
      world([], { resources: [{ urn: resource('web-2'), owner: 'ab12-svc' }] }),
      deny({ who: account() }),
      allow({ who: account(), on: resource('web-2') }),
    ),
    decides('the URN of the account in another region', world([], { account: 'ab12-svc' }), allow({ who: account('ab12-svc', 'ca') })),
    decides(
      'the owner of a policy is not the owner of a resource',
      world({ who: bob, allow: '*', owner: 'ab12-svc' }),
      deny({ who: account() }),
    ),
  ),
  under(
    'If the owner is unknown, policies decide',
    decides('no policy', world([]), deny({ who: account(), notes: ['managed-policies', 'root-unknown'] })),
    decides('a policy that grants it', world({ who: account(), allow: '*' }), allow({ who: account(), notes: ['root-unknown'] })),
    decides(
      'a policy that denies it',
      world([
        { who: account(), allow: '*' },
        { who: account(), deny: reboot },
      ]),
      deny({ who: account(), notes: ['root-unknown'] }),
    ),
    decides(
      'another resource has an owner',
      world({ who: account(), allow: '*' }, { resources: [{ urn: web }, { urn: resource('web-2'), owner: 'ab12-svc' }] }),
      allow({ who: account(), notes: ['root-unknown'] }),
      allow({ who: account(), on: resource('web-2'), notes: [] }),
    ),
    decides('a user asks', world({ allow: '*' }), allow({ notes: [] })),
    decides(
      'another account is known to own it',
      world({ who: account(), allow: '*' }, { account: 'cd34-svc' }),
      allow({ who: account(), notes: [] }),
    ),
    decides(
      'an address is missing, too',
      world({ who: account(), allow: '*', when: match({ 'request.IP': '192.0.2.1' }) }),
      ask('unknown', { who: account(), missing: ['request.IP'], notes: ['root-unknown'] }),
    ),
  ),
  under(
    'They count only if they are in the world',
    decides('none, and nothing grants', world([]), deny({ notes: ['managed-policies'] })),
    decides('none, and a policy grants', world({ allow: '*' }), allow({ notes: [] })),
    decides('none, and a policy denies', world({ deny: '*' }), deny({ notes: [] })),
    decides('none, and a policy denies what another grants', world([{ allow: '*' }, { deny: '*' }]), deny({ notes: [] })),
    decides('one that grants', world({ allow: '*', readOnly: true }), allow({ notes: [] })),
    decides('one that denies', world([{ allow: '*' }, { deny: reboot, readOnly: true }]), deny({ notes: [] })),
    decides('one about somebody else', world({ who: bob, allow: '*', readOnly: true }), deny({ notes: [] })),
    decides('one that has expired', world({ allow: '*', readOnly: true, until: past }), deny({ notes: [] })),
    decides('one that says that it is not', world({ who: bob, allow: '*', readOnly: false }), deny({ notes: ['managed-policies'] })),
    decides('an exception takes it away', world({ allow: '*', except: reboot }), deny({ notes: ['managed-policies'] })),
  ),
]
