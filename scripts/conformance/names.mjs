import {
  account,
  allow,
  ann,
  ask,
  credential,
  decides,
  deny,
  group,
  pairs,
  permissionsGroup,
  reboot,
  refuses,
  resource,
  resourceGroup,
  under,
  user,
  web,
  world,
} from './build.mjs'

/** The text with the part from `from` up to `to` replaced by a wildcard: it matches what it was made of. */
const starred = (text, ...spans) => spans.reduceRight((out, [from, to]) => `${out.slice(0, from)}*${out.slice(to)}`, text)

/** Names that differ from a name in one part: without a wildcard none of them matches it. */
const others = (what, urn, changes) => changes.map(([part, other]) => [`${what} of another ${part}`, urn.replace(...other)])

const byIdentity = (rows) =>
  rows.map(([what, named, asked, verdict]) => decides(what, world({ who: named, allow: '*' }), ask(verdict, { who: asked })))
const byResource = (rows) =>
  rows.map(([what, named, asked, verdict]) => decides(what, world({ on: named, allow: '*' }), ask(verdict, { on: asked })))
const byAction = (rows) =>
  rows.map(([what, pattern, asked, verdict]) => decides(what, world({ allow: pattern }), ask(verdict, { action: asked })))

const robot = credential('0123456789abcdef')
const ops = group('ops')

/** Actions and patterns over them that were made by replacing parts of the action. */
const long = 'ips:apisvc:block/edit'
const spansOf = [
  ['everything', [0, 21]],
  ['the product', [0, 3]],
  ['a part of the product', [1, 3]],
  ['product and namespace', [0, 10]],
  ['the namespace and the path', [4, 21]],
  ['the path', [11, 21]],
  ['the last word of the path', [17, 21]],
  ['the end of a word', [19, 21]],
  ['the beginning up to a slash', [0, 16]],
  ['nothing at the end', [21, 21]],
  ['nothing at the beginning', [0, 0]],
]
const innerSpans = [
  ['the namespace', [4, 10]],
  ['the first word of the path', [11, 16]],
  ['a colon', [3, 4]],
  ['a slash', [16, 17]],
  ['from word to word', [13, 19]],
  ['nothing in the middle', [12, 12]],
]
const twoSpans = [
  ['both ends', [0, 4], [17, 21]],
  ['the beginning and nothing at the end', [0, 11], [21, 21]],
  ['the ends of words around a slash', [0, 13], [19, 21]],
]
/** A pattern with one of its letters replaced by one that the text lacks: it cannot match. */
const spoilt = (pattern) => {
  const at = pattern.length - 1 - [...pattern].reverse().findIndex((letter) => /[a-z]/.test(letter))
  return `${pattern.slice(0, at)}Z${pattern.slice(at + 1)}`
}

/** Resources by the same construction. */
const address = resource('10.0.0.0/8:dc:1', 'ip')
const nameAt = address.indexOf(':ip:') + 4
const resourceSpans = [
  ['the whole name', [nameAt, address.length]],
  ['the end of the name', [nameAt + 3, address.length]],
  ['the end of the name from a slash on', [nameAt + 8, address.length]],
  ['the end of the name from a colon on', [nameAt + 10, address.length]],
  ['the type and the name', [nameAt - 3, address.length]],
  ['nothing, at the end', [address.length, address.length]],
]

export const section = 'Names'
export const cases = [
  under(
    'service account |',
    byIdentity([
      ['named whole', robot, robot, 'allow'],
      ['a client id with the region before it', credential('EU.0123'), credential('EU.0123'), 'allow'],
      ['a client id with the region before it is another one', credential('EU.0123'), credential('0123'), 'deny'],
      [
        'another name than that of a client',
        'urn:v1:eu:identity:credential:ab12-svc/backup',
        'urn:v1:eu:identity:credential:ab12-svc/backup',
        'allow',
      ],
      ...others('one', robot, [
        ['region', [':eu:', ':ca:']],
        ['account', ['ab12-svc', 'cd34-svc']],
        ['client', ['abcdef', 'abcde0']],
      ]).map(([what, other]) => [what, robot, other, 'deny']),
      ['a user of the same name', robot, user('oauth2-0123456789abcdef'), 'deny'],
    ]),
  ),
  under(
    'user, group, account |',
    byIdentity([
      ['a user, named whole', ann, ann, 'allow'],
      ...others('a user', ann, [
        ['region', [':eu:', ':us:']],
        ['account', ['ab12-svc', 'ab12-svc2']],
        ['login', ['ann', 'anne']],
      ]).map(([what, other]) => [what, ann, other, 'deny']),
      ['a federated user, with a further part', user('idp/ann@example.net'), user('idp/ann@example.net'), 'allow'],
      ['the first part of a federated user', user('idp'), user('idp/ann'), 'deny'],
      ['an account, named whole', account(), account(), 'allow'],
      ['an account of another name', account(), account('cd34-svc'), 'deny'],
      ['a login with an address in it', user('ann@example.net'), user('ann@example.net'), 'allow'],
      ['a group is no user of the same name', group('ann'), ann, 'deny'],
      ['a user is no group of the same name', user('ops'), ops, 'deny'],
      ['a group asks itself', ops, ops, 'allow'],
    ]),
    [
      ['with blanks', 'read only'],
      ['with an @', 'ops@example.net'],
      ['with dots', 'team.a.b'],
    ].map(([what, name]) =>
      decides(
        `a group ${what}`,
        world({ who: group(name), allow: '*' }),
        allow({ groups: [group(name)] }),
        deny({ groups: [group(name.slice(0, -1))] }),
      ),
    ),
  ),
  under(
    'resource | `urn:v1',
    byResource([
      ['named whole', web, web, 'allow'],
      ...others('one', web, [
        ['region', [':eu:', ':ca:']],
        ['type', [':vps:', ':vpn:']],
        ['name', ['web-1', 'web-2']],
        ['longer name', ['web-1', 'web-11']],
        ['shorter name', ['web-1', 'web-']],
        ['longer type', [':vps:', ':vps2:']],
      ]).map(([what, other]) => [what, web, other, 'deny']),
      ['a type with a slash', resource('logs', 'ldp/stream'), resource('logs', 'ldp/stream'), 'allow'],
      ['the first part of such a type', resource('logs', 'ldp'), resource('logs', 'ldp/stream'), 'deny'],
      ['another second part of it', resource('logs', 'ldp/index'), resource('logs', 'ldp/stream'), 'deny'],
    ]),
  ),
  under(
    'resource group |',
    decides(
      'a group in place of a resource',
      world(
        { on: resourceGroup('shop'), allow: '*' },
        { resourceGroups: [{ urn: resourceGroup('shop'), name: 'shop', resources: [{ urn: web }] }] },
      ),
      allow(),
      deny({ on: resource('web-2') }),
    ),
    decides(
      'an id that a machine made',
      world(
        { on: resourceGroup('5f0c1d2e-aaaa-4bbb-8ccc-0123456789ab'), allow: 'vps:*' },
        { resourceGroups: [{ urn: resourceGroup('5f0c1d2e-aaaa-4bbb-8ccc-0123456789ab'), name: 'shop', resources: [{ urn: web }] }] },
      ),
      allow(),
    ),
    decides(
      'a group of another id has other members',
      world(
        { on: resourceGroup('shop'), allow: '*' },
        {
          resourceGroups: [
            { urn: resourceGroup('shop'), name: 'shop', resources: [] },
            { urn: resourceGroup('blog'), name: 'blog', resources: [{ urn: web }] },
          ],
        },
      ),
      deny(),
    ),
    decides(
      'a group of another region has other members',
      world(
        { on: resourceGroup('shop', 'ca'), allow: '*' },
        {
          resourceGroups: [
            { urn: resourceGroup('shop', 'ca'), name: 'there', resources: [] },
            { urn: resourceGroup('shop', 'eu'), name: 'here', resources: [{ urn: web }] },
          ],
        },
      ),
      deny(),
    ),
    decides(
      'a group that is known by its id alone',
      world({ on: resourceGroup('shop'), allow: '*' }, { resourceGroups: [{ id: 'shop', name: 'shop', resources: [{ urn: web }] }] }),
      allow(),
    ),
  ),
  under(
    'permissions group |',
    [
      ['of the account', permissionsGroup('care')],
      ['of the service', permissionsGroup('care', 'svc')],
      ['with colons in its name', permissionsGroup('apisvc:global:readOnly', 'svc')],
    ].map(([what, urn]) =>
      decides(
        `a group ${what}`,
        world({ named: urn }, { permissionsGroups: [{ urn, name: 'care', permissions: { allow: [{ action: reboot }] } }] }),
        allow(),
        deny({ action: 'vps:apisvc:reinstall' }),
      ),
    ),
    [
      ['owner', permissionsGroup('care', 'cd34-svc')],
      ['name', permissionsGroup('Care')],
      ['region', permissionsGroup('care', 'ab12-svc', 'ca')],
    ].map(([what, urn]) =>
      decides(
        `a group of another ${what} is another group`,
        world(
          { named: permissionsGroup('care') },
          {
            permissionsGroups: [
              { urn: permissionsGroup('care'), name: 'care', permissions: { allow: [{ action: 'vps:apisvc:get' }] } },
              { urn, name: 'other', permissions: { allow: [{ action: reboot }] } },
            ],
          },
        ),
        deny(),
        allow({ action: 'vps:apisvc:get' }),
      ),
    ),
  ),
  under(
    'action |',
    byAction([
      ['named whole', reboot, reboot, 'allow'],
      ['another product', reboot, 'vpn:apisvc:reboot', 'deny'],
      ['another namespace', reboot, 'vps:apisvcs:reboot', 'deny'],
      ['another path', reboot, 'vps:apisvc:rebuild', 'deny'],
      ['a longer path', reboot, 'vps:apisvc:reboot/now', 'deny'],
      ['a longer word', reboot, 'vps:apisvc:reboots', 'deny'],
      ['a shorter word', reboot, 'vps:apisvc:reboo', 'deny'],
      ['a path of many words', 'vps:apisvc:a/b.c/d_e/f-g', 'vps:apisvc:a/b.c/d_e/f-g', 'allow'],
      ['a path of many words without its last', 'vps:apisvc:a/b.c/d_e/f-g', 'vps:apisvc:a/b.c/d_e', 'deny'],
    ]),
  ),
  under(
    'every action of a product |',
    byAction([
      ['a short path', 'webHosting:*', 'webHosting:apisvc:get', 'allow'],
      ['a long path', 'webHosting:*', 'webHosting:apisvc:user/logs/edit', 'allow'],
      ['another namespace', 'webHosting:*', 'webHosting:openstack:get', 'allow'],
      ['a parameter', 'webHosting:*', 'webHosting:apisvc:get?full=true', 'allow'],
      ['a product that begins with the same word', 'web:*', 'webHosting:apisvc:get', 'deny'],
      ['a product that the word begins with', 'webHosting:*', 'web:apisvc:get', 'deny'],
      ['a product in other case', 'webhosting:*', 'webHosting:apisvc:get', 'deny'],
    ]),
  ),
  under(
    'Regions are',
    pairs(['eu', 'ca', 'us'], ['eu', 'ca', 'us']).map(([named, asked]) =>
      decides(
        `a resource in ${named}, asked for in ${asked}`,
        world({ on: resource('web-1', 'vps', named), allow: '*' }),
        ask(named === asked ? 'allow' : 'deny', { on: resource('web-1', 'vps', asked) }),
      ),
    ),
    pairs(['eu', 'ca', 'us'], ['eu', 'ca', 'us']).map(([named, asked]) =>
      decides(
        `a user of ${named}, asking from ${asked}`,
        world({ who: user('ann', 'ab12-svc', named), allow: '*' }),
        ask(named === asked ? 'allow' : 'deny', { who: user('ann', 'ab12-svc', asked) }),
      ),
    ),
    decides(
      'an identity of one region and a resource of another',
      world({ who: user('ann', 'ab12-svc', 'ca'), on: resource('web-1', 'vps', 'us'), allow: '*' }),
      allow({ who: user('ann', 'ab12-svc', 'ca'), on: resource('web-1', 'vps', 'us') }),
    ),
  ),
  under(
    'The name of a resource is everything after the type',
    byResource([
      ['a colon', resource('a:b'), resource('a:b'), 'allow'],
      ['a colon, and less of the name', resource('a'), resource('a:b'), 'deny'],
      ['a colon, and other text after it', resource('a:c'), resource('a:b'), 'deny'],
      ['a slash', resource('10.0.0.0/24', 'ip'), resource('10.0.0.0/24', 'ip'), 'allow'],
      ['a slash, and other text after it', resource('10.0.0.0/25', 'ip'), resource('10.0.0.0/24', 'ip'), 'deny'],
      ['colons only between', resource('2001:db8::/32', 'ip'), resource('2001:db8::/32', 'ip'), 'allow'],
      ['a name that looks like a type and a name', resource('vps:web-1', 'group'), resource('web-1', 'vps'), 'deny'],
    ]),
    decides(
      'the part that conditions see',
      world({
        on: resource('a:b/c'),
        allow: '*',
        when: { operator: 'MATCH', values: { 'resource.Name': 'a:b/c', 'resource.Type': 'vps' } },
      }),
      allow({ on: resource('a:b/c') }),
    ),
  ),
  under(
    'A namespace may be another word',
    byAction([
      ['openstack', 'publicCloudProject:openstack:server/get', 'publicCloudProject:openstack:server/get', 'allow'],
      ['the same path in another namespace', 'okms:apisvc:key/get', 'okms:kmip:key/get', 'deny'],
      ['a parameter', 'okms:kmip:locate?type=key', 'okms:kmip:locate?type=key', 'allow'],
      ['a parameter that is not given', 'okms:kmip:locate?type=key', 'okms:kmip:locate', 'deny'],
      ['a parameter that is not named', 'okms:kmip:locate', 'okms:kmip:locate?type=key', 'deny'],
      ['another value of a parameter', 'okms:kmip:locate?type=key', 'okms:kmip:locate?type=cert', 'deny'],
      ['any parameter', 'okms:kmip:locate?*', 'okms:kmip:locate?type=key', 'allow'],
      ['any parameter, and none given', 'okms:kmip:locate?*', 'okms:kmip:locate', 'deny'],
      ['a parameter with colons and slashes', 'vps:*', 'vps:apisvc:ips/edit?ip=2001:db8::/32', 'allow'],
    ]),
  ),
  under(
    '`*` matches any text',
    spansOf.map(([what, span]) =>
      decides(`in \`allow\`, in place of ${what}`, world({ allow: starred(long, span) }), allow({ action: long })),
    ),
    spansOf
      .filter(([, [from, to]]) => to - from < 21)
      .map(([what, span]) =>
        decides(`in place of ${what}, where other text differs`, world({ allow: spoilt(starred(long, span)) }), deny({ action: long })),
      ),
    spansOf.map(([what, span]) =>
      decides(`in \`deny\`, in place of ${what}`, world([{ allow: '*' }, { deny: starred(long, span) }]), deny({ action: long })),
    ),
    spansOf.map(([what, span]) =>
      decides(`in \`except\`, in place of ${what}`, world({ allow: long, except: starred(long, span) }), deny({ action: long })),
    ),
    [...innerSpans.map(([what, span]) => [what, [span]]), ...twoSpans.map(([what, ...spans]) => [what, spans])].flatMap(([what, spans]) => [
      decides(`in place of ${what}`, world({ allow: starred(long, ...spans) }), allow({ action: long })),
      decides(`in place of ${what}, where other text differs`, world({ allow: spoilt(starred(long, ...spans)) }), deny({ action: long })),
      decides(`in \`deny\`, in place of ${what}`, world([{ allow: '*' }, { deny: starred(long, ...spans) }]), deny({ action: long })),
    ]),
    resourceSpans.flatMap(([what, span]) => [
      decides(`in a resource, in place of ${what}`, world({ on: starred(address, span), allow: '*' }), allow({ on: address })),
      decides(
        `a resource that is denied, in place of ${what}`,
        world([
          { on: address, allow: '*' },
          { on: starred(address, span), deny: 'vps:*' },
        ]),
        deny({ on: address }),
      ),
    ]),
    byAction([
      ['two wildcards, and one word for both', 'vps:apisvc:*/*', 'vps:apisvc:get', 'deny'],
      ['two wildcards, and a word for each', 'vps:apisvc:*/*', 'vps:apisvc:a/b', 'allow'],
      ['two wildcards, and a slash too many', 'vps:apisvc:*/*', 'vps:apisvc:a/b/c', 'allow'],
      ['two wildcards side by side', 'vps:**', 'vps:apisvc:get', 'allow'],
      ['the same text before and after, once in the name', 'vps:apisvc:aba*aba', 'vps:apisvc:aba', 'deny'],
      ['the same text before and after, overlapping in the name', 'vps:apisvc:aba*aba', 'vps:apisvc:ababa', 'deny'],
      ['the same text before and after, twice in the name', 'vps:apisvc:aba*aba', 'vps:apisvc:abaaba', 'allow'],
      ['text between wildcards that is only there with the end', 'vps:*get*et', 'vps:apisvc:get', 'deny'],
      ['text between wildcards, and the end once more', 'vps:*get*et', 'vps:apisvc:get/et', 'allow'],
      ['two texts between wildcards that share letters', 'vps:*aba*bab*', 'vps:apisvc:abab', 'deny'],
      ['two texts between wildcards, side by side', 'vps:*aba*bab*', 'vps:apisvc:ababab', 'allow'],
      ['two texts between wildcards in the wrong order', 'vps:*stop*start*', 'vps:apisvc:start/stop', 'deny'],
      ['a first find that leads nowhere', 'vps:apisvc:*ab*abc', 'vps:apisvc:abxabxabc', 'allow'],
      ['a text that must occur twice, and does once', '*a*pisvc:*a*', 'vps:apisvc:get', 'deny'],
      ['a text at the end that occurs before', '*get', 'vps:apisvc:get/now', 'deny'],
      ['a text at the beginning that occurs later', 'get*', 'vps:apisvc:get', 'deny'],
      ['many wildcards', '*v*p*:*:*g*t*', 'vps:apisvc:get', 'allow'],
      ['many wildcards in the wrong order', '*g*t*:*v*p*', 'vps:apisvc:get', 'deny'],
      ['text between wildcards that is not there', 'vps:*x*', 'vps:apisvc:get', 'deny'],
      ['text between wildcards that is there', 'vps:*svc*', 'vps:apisvc:get', 'allow'],
      ['text between wildcards that crosses a colon', '*s:a*', 'vps:apisvc:get', 'allow'],
    ]),
  ),
  under(
    'An entry with a `:` in the path, such as `vps:apisvc:ips:get`, matches no action, since no action has one there (I).',
    decides('in `allow`', world({ allow: 'vps:apisvc:ips:get' }), deny({ action: 'vps:apisvc:ips/get' })),
    decides('beside an entry that grants', world({ allow: ['a:b:c:d', 'vps:apisvc:get'] }), allow({ action: 'vps:apisvc:get' })),
    decides('in `deny`', world([{ allow: '*' }, { deny: 'vps:apisvc:ips:get' }]), allow({ action: 'vps:apisvc:ips/get' })),
    decides('in `except`', world({ allow: '*', except: 'vps:apisvc:ips:get' }), allow({ action: 'vps:apisvc:ips/get' })),
  ),
  under(
    'There are no other wildcards',
    byResource([
      ['`?` in a resource', resource('web-?'), web, 'deny'],
      ['`?` in a resource is a `?`', resource('web-?'), resource('web-?'), 'allow'],
      ['`[…]` in a resource', resource('web-[12]'), web, 'deny'],
      ['`[…]` in a resource is itself', resource('web-[12]'), resource('web-[12]'), 'allow'],
      ['`{…}` in a resource', resource('{web-1,web-2}'), web, 'deny'],
      ['`.` in a resource', resource('web.1'), web, 'deny'],
      ['`.` in a resource is a dot', resource('web.1'), resource('web.1'), 'allow'],
      ['`%` in a resource', resource('web-%'), web, 'deny'],
      ['`_` in a resource', resource('web_1'), web, 'deny'],
      ['`.+` in a resource', resource('web-.+'), web, 'deny'],
      ['`^…$` in a resource', resource('^web-1$'), web, 'deny'],
      ['`(…|…)` in a resource', resource('(web-1|web-2)'), web, 'deny'],
      ['`\\` before a wildcard is a `\\`', resource('web\\*'), web, 'deny'],
      ['`\\` before a wildcard leaves it one', resource('web\\*'), resource('web\\x'), 'allow'],
      ['`#` in a resource is itself', resource('a#b'), resource('a#b'), 'allow'],
      ['the case of a name', resource('Web-1'), web, 'deny'],
      ['the case of a type', resource('web-1', 'VPS'), web, 'deny'],
      ['the case of a name under a wildcard', resource('WEB*'), web, 'deny'],
    ]),
    byIdentity([
      ['`?` in a login', user('an?'), ann, 'deny'],
      ['`[…]` in a login', user('a[n]n'), ann, 'deny'],
      ['`.` in a login', user('a.n'), ann, 'deny'],
      ['the case of a login', user('Ann'), ann, 'deny'],
      ['the case of an account', user('ann', 'AB12-svc'), ann, 'deny'],
      ['the case of a login under a wildcard', user('A*'), ann, 'deny'],
    ]),
    byAction([
      ['`?` in an action begins a parameter', 'vps:apisvc:reboo?', reboot, 'deny'],
      ['`.` in an action', 'vps:apisvc:re.oot', reboot, 'deny'],
      ['`.` in an action is a dot', 'vps:apisvc:re.oot', 'vps:apisvc:re.oot', 'allow'],
      ['the case of a path', 'vps:apisvc:Reboot', reboot, 'deny'],
      ['the case of a product', 'vpS:apisvc:reboot', reboot, 'deny'],
      ['the case of a path under a wildcard', 'vps:apisvc:RE*', reboot, 'deny'],
      ['the case of a namespace', 'vps:apiSvc:reboot', reboot, 'deny'],
    ]),
    decides('the case of an action in `deny`', world([{ allow: '*' }, { deny: 'vps:apisvc:REBOOT' }]), allow()),
    decides('the case of an action in `except`', world({ allow: '*', except: 'vps:apisvc:REBOOT' }), allow()),
    decides('a `.` in `deny`', world([{ allow: '*' }, { deny: 'vps:apisvc:r.boot' }]), allow()),
  ),
  under(
    'In an identity, `*` may end the id',
    byIdentity([
      ['every user of an account', user('*'), ann, 'allow'],
      ['every user of another account', user('*', 'cd34-svc'), ann, 'deny'],
      ['users whose login begins alike', user('an*'), ann, 'allow'],
      ['the whole login, and nothing more', user('ann*'), ann, 'allow'],
      ['users whose login begins otherwise', user('anna*'), ann, 'deny'],
      ['every user', 'urn:v1:eu:identity:user:*', ann, 'allow'],
      ['accounts that begin alike', 'urn:v1:eu:identity:user:ab12*', ann, 'allow'],
      ['accounts that begin alike, of another region', 'urn:v1:ca:identity:user:ab12*', ann, 'deny'],
      ['every service account of an account', 'urn:v1:eu:identity:credential:ab12-svc/*', robot, 'allow'],
      ['every user is no service account', user('*'), robot, 'deny'],
      ['service accounts whose client begins alike', 'urn:v1:eu:identity:credential:ab12-svc/oauth2-01*', robot, 'allow'],
      ['every account', 'urn:v1:eu:identity:account:*', account(), 'allow'],
      ['federated users', user('idp/*'), user('idp/ann'), 'allow'],
      ['every user, with a further part', user('*'), user('idp/ann'), 'allow'],
    ]),
    decides(
      'every group of an account',
      world({ who: group('*'), allow: '*' }),
      deny(),
      allow({ groups: [group('any')] }),
      deny({ groups: [group('any', 'cd34-svc')] }),
    ),
    decides(
      'groups that begin alike',
      world({ who: group('team-*'), allow: '*' }),
      allow({ groups: [group('ops'), group('team-a')] }),
      deny({ groups: [group('ops'), group('teams')] }),
    ),
    [
      ['at the beginning of the id', user('*ann')],
      ['in the middle of the id', user('a*n')],
      ['twice', user('*a*')],
      ['in place of the account, before a login', user('ann', '*')],
    ].map(([what, urn]) => refuses(`a wildcard ${what} is refused`, world({ who: urn, allow: '*' }))),
  ),
  under(
    'In a resource, `*` may be the whole type',
    byResource([
      ['every resource of a region', 'urn:v1:eu:resource:*', web, 'allow'],
      ['every resource of another region', 'urn:v1:ca:resource:*', web, 'deny'],
      ['every type and every name', resource('*', '*'), web, 'allow'],
      ['every type, and one name', resource('web-1', '*'), web, 'allow'],
      ['every type, and another name', resource('web-2', '*'), web, 'deny'],
      ['every type, and names that begin alike', resource('web-*', '*'), web, 'allow'],
      ['every name of a type', resource('*'), web, 'allow'],
      ['every name of another type', resource('*', 'ip'), web, 'deny'],
      ['every name of a type that begins alike', resource('*', 'vp'), web, 'deny'],
      ['every name, and a type with a slash', resource('*', 'ldp'), resource('logs', 'ldp/stream'), 'deny'],
      ['every name of a type with a slash', resource('*', 'ldp/stream'), resource('logs', 'ldp/stream'), 'allow'],
      ['names that begin alike', resource('web-*'), web, 'allow'],
      ['names that begin otherwise', resource('db-*'), web, 'deny'],
      ['the whole name, and nothing more', resource('web-1*'), web, 'allow'],
      ['a longer name', resource('web-10*'), web, 'deny'],
      ['every type and a name with a colon', resource('*', '*'), resource('a:b/c'), 'allow'],
    ]),
  ),
  under(
    'The service refuses a bare `*`',
    [
      ['a bare `*` as an identity', { who: '*' }],
      ['a bare `*` as a resource', { on: '*' }],
      ['in the prefix of an identity', { who: ann.replace('urn', '*') }],
      ['in the prefix of a resource', { on: web.replace('urn', '*') }],
      ['in the version of an identity', { who: ann.replace(':v1:', ':*:') }],
      ['in the version of a resource', { on: web.replace(':v1:', ':v*:') }],
      ['in place of the region of an identity', { who: ann.replace(':eu:', ':*:') }],
      ['in place of the region of a resource', { on: web.replace(':eu:', ':*:') }],
      ['in the region of an identity', { who: ann.replace(':eu:', ':e*:') }],
      ['in the region of a resource', { on: web.replace(':eu:', ':*u:') }],
      ['in place of the kind of an identity', { who: ann.replace(':user:', ':*:') }],
      ['in the kind of an identity', { who: ann.replace(':user:', ':us*:') }],
      ['in place of the kind of a resource', { on: web.replace(':resource:', ':*:') }],
      ['in the kind of a resource', { on: web.replace(':resource:', ':resource*:') }],
      ['a bare `*` among resources that are understood', { on: [web, '*'] }],
      ['a bare `*` among identities that are understood', { who: [ann, '*'] }],
      ['a `*` in place of everything after the prefix', { on: 'urn:*' }],
      ['a `*` in place of everything after the version', { who: 'urn:v1:*' }],
      ['a `*` in place of everything after the region', { on: 'urn:v1:eu:*' }],
    ].map(([what, fields]) => refuses(what, world({ ...fields, allow: reboot }))),
    refuses('a bare `*` in a policy that only denies', world([{ allow: '*' }, { on: '*', deny: '*' }])),
  ),
  under(
    'A `*` inside an action',
    innerSpans.map(([what, span]) =>
      decides(
        `in place of ${what}`,
        world({ allow: starred(long, span), readOnly: true }),
        allow({ action: long, notes: ['inner-wildcard'] }),
      ),
    ),
    decides('in an entry that denies', world([{ allow: '*' }, { deny: 'vps:*:reboot' }]), deny({ notes: ['inner-wildcard'] })),
    decides('in an exception', world({ allow: '*', except: 'vps:*:reboot', readOnly: true }), deny({ notes: ['inner-wildcard'] })),
    decides(
      'in an entry of a permissions group',
      world(
        { named: permissionsGroup('care') },
        { permissionsGroups: [{ urn: permissionsGroup('care'), name: 'care', permissions: { allow: [{ action: 'vps:*:reboot' }] } }] },
      ),
      allow({ notes: ['inner-wildcard'] }),
    ),
    decides('in an entry that does not match', world([{ allow: 'vps:*' }, { allow: 'ip:*:reboot' }]), allow({ notes: [] })),
    decides(
      'in a policy that does not apply',
      world([{ allow: 'vps:*' }, { who: user('bob'), deny: 'vps:*:reboot' }]),
      allow({ notes: [] }),
    ),
    decides('in an allow that is outweighed', world([{ allow: 'vps:*:reboot' }, { deny: 'vps:*' }]), deny({ notes: [] })),
    decides('none: at both ends', world({ allow: '*reboot*' }), allow({ notes: [] })),
    decides('none: two side by side at the end', world({ allow: 'vps:**' }), allow({ notes: [] })),
    decides('at both ends and between', world({ allow: '*:*:*' }), allow({ notes: ['inner-wildcard'] })),
  ),
]
