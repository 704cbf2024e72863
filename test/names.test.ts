import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { partsOfAction, readAction, readActionPattern } from '../src/actions/action.ts'
import { printAddress, printRange, readAddress, readRange } from '../src/conditions/address.ts'
import { numberFrom } from '../src/conditions/sets.ts'
import { printConditionKey, printNumber, readConditionKey, readTest, subjects } from '../src/conditions/test.ts'
import { readDate, readInstant, readWeekday } from '../src/conditions/time.ts'
import { glob, matches } from '../src/glob.ts'
import {
  defaultSettings,
  type Fault,
  headerStart,
  isWideLetter,
  longestName,
  mostWildcards,
  printableFault,
  type Read,
  resourceWord,
  strangeCharacter,
  tooMuch,
  visible,
} from '../src/names.ts'
import { isServiceAccountName, printIdentity, readIdentity, readIdentityGroup } from '../src/urn/identity.ts'
import {
  printResource,
  readPermissionsGroup,
  readResource,
  readResourceGroup,
  readResourcePattern,
  typeAndName,
} from '../src/urn/resource.ts'
import { Zones } from '../src/zones.ts'
import { effort, isDeep } from './support/effort.ts'

/** Every grammar of a name, as it reads a text. */
const grammars = {
  'identity pattern': (text: string) => readIdentity(text, { pattern: true }),
  'identity group': readIdentityGroup,
  identity: (text: string) => readIdentity(text, { pattern: false }),
  'resource pattern': readResourcePattern,
  resource: (text: string) => readResource(text, { pattern: false }),
  'resource group': (text: string) => readResourceGroup(text, { pattern: false }),
  'permissions group': readPermissionsGroup,
  'action pattern': (text: string) => readActionPattern(text),
  action: (text: string) => readAction(text),
  key: (text) => readConditionKey(text, new Zones()),
  ...Object.fromEntries(
    ['request.IP', 'request.IP.IN', 'request.IP.IN_RANGE', 'date.Hour', 'date.Hour.IN', 'date.Date', 'date.WeekDay', 'date.WeekDay.IN'].map(
      (key) => [key, (text: string) => readTest(keyOf(key), text)],
    ),
  ),
} as Readonly<Record<string, (text: string) => Read<unknown>>>

function keyOf(text: string) {
  const { value } = readConditionKey(text, new Zones())
  if (!value) throw new Error(`no key: ${text}`)
  return value
}

const isLegal = (grammar: string, text: string) => grammars[grammar]?.(text).faults === undefined

describe('a name that is read and printed is the same name', () => {
  test.each([
    'urn:v1:eu:identity:account:xx1111-svc',
    'urn:v1:ca:identity:account:*',
    'urn:v1:ca:identity:account:xx*',
    'urn:v1:eu:identity:user:xx1111-svc/ann',
    'urn:v1:eu:identity:user:xx1111-svc/provider/ann@example.org',
    'urn:v1:eu:identity:user:xx1111-svc/*',
    'urn:v1:eu:identity:user:xx1111-svc/an*',
    'urn:v1:eu:identity:user:*',
    'urn:v1:us:identity:group:xx1111-svc/read only',
    'urn:v1:eu:identity:group:xx1111-svc/équipe.réseau@例',
    'urn:v1:eu:identity:group:xx1111-svc/*',
    'urn:v1:eu:identity:credential:xx1111-svc/oauth2-0123456789abcdef',
    'urn:v1:eu:identity:credential:xx1111-svc/oauth2-EU.0123456789abcdef',
    'urn:v1:eu:identity:credential:xx1111-svc/oauth2-*',
    'urn:v1:eu:identity:credential:xx1111-svc/*',
    'urn:v1:north-1:identity:account:1',
  ])('identity %s', (text) => {
    const { value } = readIdentity(text, { pattern: true })
    expect(value && printIdentity(value)).toBe(text)
    expect(readIdentity(text, { pattern: false }).value !== undefined).toBe(!text.includes('*'))
  })

  test.each([
    'urn:v1:eu:resource:vps:vps-5b48d78b.vps.example.net',
    'urn:v1:eu:resource:ldp/stream:5f1a',
    'urn:v1:eu:resource:ip:10.0.0.0/8',
    'urn:v1:eu:resource:ip:2001:db8::/32',
    'urn:v1:eu:resource:domain:example.org',
    'urn:v1:eu:resource:x:a b',
    'urn:v1:eu:resource:x:?[]{}!$^|()',
    'urn:v1:eu:resource:*',
    'urn:v1:eu:resource:*:*',
    'urn:v1:eu:resource:vps:*',
    'urn:v1:eu:resource:vps:vps-5b*',
    'urn:v1:eu:resource:*:vps-1',
    'urn:v1:eu:resource:vps:a*b*c',
  ])('resource %s', (text) => {
    const { value } = readResourcePattern(text)
    expect(value?.kind).toBe('resource')
    expect(value?.kind === 'resource' && printResource(value)).toBe(text)
    expect(readResource(text, { pattern: false }).value !== undefined).toBe(!text.includes('*'))
  })

  test.each([
    'urn:v1:eu:resourceGroup:3f2504e0-4f89-11d3-9a0c-0305e82c3301',
    'urn:v1:eu:resourceGroup:any text',
    'urn:v1:eu:resourceGroup:Büro 𝔸',
    'urn:v1:ca:resourceGroup:*',
    'urn:v1:eu:resourceGroup:a:b',
  ])('resource group %s', (text) => {
    const { value } = readResourcePattern(text)
    expect(value?.kind).toBe('group')
    expect(value?.kind === 'group' && `urn:v1:${value.region}:resourceGroup:${value.id}`).toBe(text)
  })

  test.each([
    'urn:v1:eu:permissionsGroup:svc:globalReadAccess',
    'urn:v1:eu:permissionsGroup:xx1111-svc:my group',
    'urn:v1:eu:permissionsGroup:a:b:c',
  ])('permissions group %s', (text) => {
    const { value } = readPermissionsGroup(text)
    expect(value && `urn:v1:${value.region}:permissionsGroup:${value.owner}:${value.name}`).toBe(text)
  })

  test.each([
    'vps:apisvc:get',
    'webHosting:apisvc:attachedDomain/get',
    'p2:openstack:a.b_c-d/e',
    'kmip:kmip:Get',
    'a:b:c?',
    'vps:apisvc:ips/get?ip=1.2.3.4/5:6 *'.replace(' *', ''),
    'a:b:c?d?e/:',
  ])('action %s', (text) => {
    const { value } = readAction(text)
    expect(
      value && [value.product, value.namespace, value.path + (value.parameter === undefined ? '' : `?${value.parameter}`)].join(':'),
    ).toBe(text)
    expect(value).toEqual(partsOfAction(text))
    expect(readActionPattern(text).value?.text).toBe(text)
  })

  test.each([
    ['resource.Tag(env)', 'resource.Tag(env)'],
    ['resource.Tag(env).EQ', 'resource.Tag(env)'],
    ['resource.Tag(a).b)', 'resource.Tag(a).b)'],
    ['resource.Tag(svc:env x)', 'resource.Tag(svc:env x)'],
    ['resource.Tag(env).starts_with', 'resource.Tag(env).STARTS_WITH'],
    ['resource.Tag(équipe)', 'resource.Tag(équipe)'],
    ['resource.Name', 'resource.Name'],
    ['resource.Name.In', 'resource.Name.IN'],
    ['resource.Type.ENDS_WITH', 'resource.Type.ENDS_WITH'],
    ['request.IP', 'request.IP'],
    ['request.IP.in_range', 'request.IP.IN_RANGE'],
    ['date.Hour', 'date(UTC).Hour'],
    ['date().Hour', 'date(UTC).Hour'],
    ['date(Europe/Paris).Hour.before', 'date(Europe/Paris).Hour.BEFORE'],
    ['date(America/Argentina/Buenos_Aires).WeekDay.IN', 'date(America/Argentina/Buenos_Aires).WeekDay.IN'],
    ['date(UTC).Date.AFTER', 'date(UTC).Date.AFTER'],
  ])('condition key %s is %s', (text, printed) => {
    const key = keyOf(text)
    expect(printConditionKey(key)).toBe(printed)
    expect(keyOf(printed)).toEqual(key)
  })

  test('every subject with each of its operators', () => {
    for (const [kind, { text, operators }] of Object.entries(subjects)) {
      for (const operator of operators) {
        const written = `${text.replace('<key>', 'k').replace('<zone>', 'Europe/Paris')}.${operator}`
        expect(keyOf(written)).toMatchObject({ subject: { kind }, operator })
      }
    }
  })
})

/** What is wrong with a text: the part, a piece of the message, what is suggested, and a piece of the help. */
type Row = readonly [grammar: string, text: string, part: string, says: string, suggests?: string | undefined, helps?: string]
const user = 'urn:v1:eu:identity:user:a/b'
const long = 'a'.repeat(longestName + 1)

const malformed: readonly Row[] = [
  ['identity pattern', '', '', 'empty: expected'],
  ['identity pattern', ' ', ' ', 'empty: expected'],
  ['identity pattern', '*', '*', 'a bare `*` is refused'],
  ['identity pattern', 'bob', 'bob', 'not a URN: expected'],
  ['identity pattern', 'urn:v1:eu', 'urn:v1:eu', 'not a URN of this kind'],
  ['identity pattern', 'urn:v1:eu:identity', 'urn:v1:eu:identity', 'ends after `identity`'],
  ['identity pattern', 'URN:v1:eu:identity:user:a/b', 'URN', 'the prefix is `URN`', user],
  ['identity pattern', 'urn:v2:eu:identity:user:a/b', 'v2', 'the version is `v2`', user],
  ['identity pattern', 'urn::eu:identity:user:a/b', ':', 'the version is missing', user],
  ['identity pattern', 'urn:v1::identity:user:a/b', ':', 'the region is missing'],
  ['identity pattern', 'urn:v1:EU:identity:user:a/b', 'EU', 'the region `EU` is malformed', user],
  ['identity pattern', 'urn:v1:e u:identity:user:a/b', 'e u', 'the region `e u` is malformed', user],
  [
    'identity pattern',
    'urn:v1:*:identity:user:a/b',
    '*',
    'a wildcard cannot stand in the region',
    undefined,
    'write one entry for each region',
  ],
  ['identity pattern', 'urn:*:eu:identity:user:a/b', '*', 'a wildcard cannot stand in the version'],
  ['identity pattern', '*:v1:eu:identity:user:a/b', '*:v1:eu:identity:user:a/b', 'not a URN'],
  ['identity pattern', 'urn:v1:eu:*:user:a/b', '*', 'a wildcard cannot stand in the word'],
  ['identity pattern', 'urn:v1:eu:Identity:user:a/b', 'Identity', 'expected `identity`', user],
  ['identity pattern', 'urn:v1:eu:resource:vps:a', 'resource', 'this is the URN of a resource, not of an identity', undefined, 'resources'],
  ['identity pattern', 'urn:v1:eu:identity:usr:a/b', 'usr', 'no kind of identity', user],
  ['identity pattern', 'urn:v1:eu:identity:User:a/b', 'User', 'no kind of identity', user],
  ['identity pattern', 'urn:v1:eu:identity:role:a/b', 'role', 'expected account, user, group, credential'],
  ['identity pattern', 'urn:v1:eu:identity:*', '*', 'a wildcard cannot stand for the kind'],
  ['identity pattern', 'urn:v1:eu:identity:user', 'user', 'the id is missing'],
  ['identity pattern', 'urn:v1:eu:identity:account:', 'account:', 'an account is written'],
  ['identity pattern', 'urn:v1:eu:identity:user:', 'user:', 'a user is written'],
  [
    'identity pattern',
    'urn:v1:eu:identity:user:a',
    'a',
    'the account id or the part after it is missing',
    undefined,
    'put the account id before it: `urn:v1:eu:identity:user:<account_id>/a`',
  ],
  ['identity pattern', 'urn:v1:eu:identity:user:a/', '/', 'the part after the account id is empty'],
  ['identity pattern', 'urn:v1:eu:identity:user:a/ b', ' b', 'surrounded by spaces'],
  ['identity pattern', 'urn:v1:eu:identity:user:/b', '/', 'the account id is missing'],
  ['identity pattern', 'urn:v1:eu:identity:user:a b/c', 'a b', 'the account id is malformed'],
  ['identity pattern', 'urn:v1:eu:identity:user:a:b/c', 'a:b', 'the account id is malformed'],
  ['identity pattern', 'urn:v1:eu:identity:group:\u0430b/c', '\u0430', 'it looks like `a`', 'urn:v1:eu:identity:group:ab/c'],
  ['identity pattern', `${user} `, `${user} `, 'has spaces around it', user],
  ['identity pattern', ` ${user}`, ` ${user}`, 'has spaces around it', user],
  ['identity pattern', 'urn:v1:eu:identity:account:a/b', '/b', 'nothing may follow the id of an account', 'urn:v1:eu:identity:account:a'],
  [
    'identity pattern',
    'urn:v1:eu:identity:user:a/*b',
    '*',
    'a wildcard is only allowed at the end of an identity',
    'urn:v1:eu:identity:user:a/*',
  ],
  [
    'identity pattern',
    'urn:v1:eu:identity:user:*/b',
    '*',
    'a wildcard is only allowed at the end of an identity',
    'urn:v1:eu:identity:user:*',
  ],
  ['identity pattern', `${user}\u200b`, '\u200b', 'U+200B (`\\u{200b}`)', user],
  ['identity pattern', `${user}\t`, '\t', 'U+0009', user],
  ['identity pattern', `${user}\n`, '\n', 'U+000A', user],
  ['identity pattern', 'urn:v1:eu:identity:group:a/\u202eb', '\u202e', 'U+202E', 'urn:v1:eu:identity:group:a/b'],
  ['identity pattern', `urn:v1:eu:identity:user:${long}`, `urn:v1:eu:identity:user:${long}`, 'longer than 2048'],
  ['identity', 'urn:v1:eu:identity:user:a/*', '*', 'one identity is expected here'],
  ['identity', '*', '*', 'a bare `*` is refused'],

  ['resource pattern', '*', '*', 'a bare `*` is refused', 'urn:v1:eu:resource:*'],
  ['resource pattern', 'vps-1', 'vps-1', 'not a URN'],
  ['resource pattern', 'arn:v1:eu:resource:vps:a', 'arn:v1:eu:resource:vps:a', 'not a URN'],
  ['resource pattern', 'urn:v1:eu:resource', 'urn:v1:eu:resource', 'ends after `resource`'],
  ['resource pattern', 'urn:v1:eu:resource:', ':', 'the resource type is missing'],
  ['resource pattern', 'urn:v1:eu:resource:vps', 'vps', 'the resource name is missing', 'urn:v1:eu:resource:vps:*'],
  ['resource pattern', 'urn:v1:eu:resource:vps:', 'vps:', 'the resource name is missing', 'urn:v1:eu:resource:vps:*'],
  ['resource pattern', 'urn:v1:eu:resource:*:', '*:', 'the resource name is missing', 'urn:v1:eu:resource:*:*'],
  ['resource pattern', 'urn:v1:eu:resource::a', ':', 'the resource type is missing'],
  ['resource pattern', 'urn:v1:eu:resource:v ps:a', 'v ps', 'the resource type is malformed'],
  ['resource pattern', 'urn:v1:eu:resource:vps/:a', 'vps/', 'the resource type is malformed'],
  ['resource pattern', 'urn:v1:eu:resource:/vps:a', '/vps', 'the resource type is malformed'],
  ['resource pattern', 'urn:v1:eu:resource:1vps:a', '1vps', 'the resource type is malformed'],
  ['resource pattern', 'urn:v1:eu:resource:vps: a', ' a', 'surrounded by spaces', 'urn:v1:eu:resource:vps:a'],
  ['resource pattern', 'urn:v1:eu:resource:vps:é', 'é', 'U+00E9 (`é`)', 'urn:v1:eu:resource:vps:e'],
  ['resource pattern', 'urn:v1:eu:resource:vps:аЬ', 'а', 'it looks like `a`', undefined, 'write names in plain letters'],
  ['resource pattern', 'urn:v1:eu:resource:vps:\0', '\0', 'U+0000'],
  ['resource pattern', 'urn:v1:eu:resource:vps:😀', '😀', 'U+1F600', undefined, 'write names in plain letters'],
  ['resource pattern', 'urn:v1:*:resource:*', '*', 'a wildcard cannot stand in the region', undefined, 'write one entry for each region'],
  ['resource pattern', 'urn:v1:eu:ressource:vps:a', 'ressource', 'expected `resource`', 'urn:v1:eu:resource:vps:a'],
  ['resource pattern', 'urn:v1:eu:resourcegroup:x', 'resourcegroup', 'expected `resourceGroup`', 'urn:v1:eu:resourceGroup:x'],
  ['resource pattern', 'urn:v1:eu:resourceGroup:', 'urn:v1:eu:resourceGroup:', 'the id of the resource group is missing'],
  [
    'resource pattern',
    'urn:v1:*:resourceGroup:x',
    '*',
    'a wildcard cannot stand in the region',
    undefined,
    'write one entry for each region',
  ],
  ['resource pattern', 'urn:v1:eu:resource:vps:*1*2*3*4*5*6*7*8*9', '*', 'more than 8 wildcards'],
  ['resource', 'urn:v1:eu:resource:vps:*', '*', 'one resource is expected here'],
  ['resource', 'urn:v1:eu:resource:vps', 'vps', 'the resource name is missing'],
  ['resource', 'urn:v1:eu:resourceGroup:x', 'resourceGroup', 'this is the URN of a resource group, not of a resource'],
  [
    'resource pattern',
    'urn:v1:eu:identity:user:a/b',
    'identity',
    'this is the URN of an identity, not of a resource',
    undefined,
    'identities',
  ],
  [
    'permissions group',
    'urn:v1:eu:identity:group:a/b',
    'identity',
    'this is the URN of an identity, not of a permissions group',
    undefined,
    'identities',
  ],
  ['resource group', '*', '*', 'a bare `*` is refused'],
  ['resource group', 'urn:v1:eu:resourceGroup:*', '*', 'defined with one id'],
  [
    'permissions group',
    'urn:v1:eu:permissionsGroup:a',
    'a',
    'the owner or the name is missing',
    undefined,
    'put the owner, an account or the service, before it: `urn:v1:eu:permissionsGroup:<owner>:a`',
  ],
  ['permissions group', 'urn:v1:eu:permissionsGroup::n', ':n', 'the owner or the name is missing'],
  ['permissions group', 'urn:v1:eu:permissionsGroup:a:', 'a:', 'the owner or the name is missing'],
  ['permissions group', 'urn:v1:eu:permissionsGroup:a:*', '*', 'without wildcards'],
  [
    'permissions group',
    'urn:v1:eu:permissionGroup:a:b',
    'permissionGroup',
    'expected `permissionsGroup`',
    'urn:v1:eu:permissionsGroup:a:b',
  ],

  ['action pattern', '', '', 'empty: expected `<product>:apisvc:<path>` or `<product>:*`'],
  ['action pattern', 'vps', 'vps', 'the namespace and the path are missing', 'vps:*'],
  ['action pattern', 'vps:', 'vps:', 'the path is missing', 'vps:*'],
  ['action pattern', 'vps:apisvc', 'vps:apisvc', 'the path is missing', 'vps:apisvc:*'],
  ['action pattern', 'vps:apisvc:', 'vps:apisvc:', 'the last word of the path is missing', 'vps:apisvc:*'],
  ['action pattern', 'vps:apisvc:a/', 'vps:apisvc:a/', 'the last word of the path is missing', 'vps:apisvc:a/*'],
  ['action pattern', 'vps:apisvc:/a', '/', 'expected a word of the path', 'vps:apisvc:a'],
  ['action pattern', 'vps:apisvc:a//b', '/', 'expected a word of the path', 'vps:apisvc:a/b'],
  ['action pattern', 'Vps:apisvc:get', 'V', 'starts with a lower-case letter', 'vps:apisvc:get'],
  ['action pattern', 'vps/apisvc/get', '/', 'in the product', 'vps:apisvc:get'],
  ['action pattern', 'vps:apisvc.ips.get', '.', 'in the namespace', 'vps:apisvc:ips/get'],
  ['action pattern', 'vps:reboot', 'vps:reboot', 'the path is missing', 'vps:apisvc:reboot'],
  ['action pattern', 'vps:ips/get', '/', 'in the namespace', 'vps:apisvc:ips/get'],
  ['action', 'vps:reboot', 'vps:reboot', 'the path is missing', 'vps:apisvc:reboot'],
  ['action pattern', 'urn:v1:eu:resource:vps:*', 'urn:v1:eu:resource:vps:*', 'this is a URN, and not an action'],
  ['action pattern', 'vps:apisvc/get', '/', 'in the namespace', 'vps:apisvc:get'],
  ['action pattern', 'vps::get', ':', 'a namespace such as `apisvc`'],
  ['action pattern', 'vps:apisvc:get ', ' ', 'a space in an action', 'vps:apisvc:get'],
  ['action pattern', '?* ', '?', 'expected a product'],
  ['action pattern', 'vps:apisvc:{a,b}', '{', 'expected a word of the path'],
  ['action pattern', 'vps:apisvc:gét', 'é', 'U+00E9', 'vps:apisvc:get'],
  ['action pattern', 'vрs:apisvc:get', 'р', 'it looks like `p`', 'vps:apisvc:get'],
  ['action pattern', 'vps:apisvc:日', '日', 'is not allowed in a name', undefined, 'write names in plain letters'],
  ['action pattern', 'vps:apisvc:get\u200b', '\u200b', 'U+200B', 'vps:apisvc:get'],
  ['action pattern', 'vps-*', '-', 'in the product', 'vps*'],
  ['action pattern', 'a*b*c*d*e*f*g*h*i*j', '*', 'more than 8 wildcards'],
  ['action pattern', long, long, 'longer than 2048'],
  ['action', 'vps:*', '*', 'a question names one action'],
  ['action', 'vps', 'vps', 'the namespace and the path are missing'],

  ['key', '', '', 'unknown condition key'],
  ['key', 'sourceIP', 'sourceIP', 'unknown condition key `sourceIP`'],
  ['key', 'resource.tag(a)', 'resource.tag(a)', 'unknown condition key', 'resource.Tag(a)'],
  ['key', 'resource.Tags(a)', 'resource.Tags(a)', 'unknown condition key', 'resource.Tag(a)'],
  ['key', 'resource.Tag[a]', 'resource.Tag[a]', 'unknown condition key', 'resource.Tag(a)'],
  ['key', 'tag:a', 'tag:a', 'unknown condition key', 'resource.Tag(a)'],
  ['key', 'resource.Tag', 'resource.Tag', 'unknown condition key'],
  ['key', 'resource.Tag()', 'resource.Tag()', 'the tag key is missing'],
  ['key', 'resource.Tag(a).CONTAINS', 'CONTAINS', 'is not an operator of `resource.Tag(a)`'],
  ['key', 'resource.Tag(a).START_WITH', 'START_WITH', 'is not an operator', 'resource.Tag(a).STARTS_WITH'],
  [
    'key',
    'resource.Tag(a).IN',
    'IN',
    'expected `EQ`, `STARTS_WITH`, `ENDS_WITH`',
    undefined,
    'write an `OR` with one `MATCH` for each value',
  ],
  ['key', 'resource.name', 'resource.name', 'unknown condition key', 'resource.Name'],
  ['key', 'Resource.Name.starts_with', 'Resource.Name.starts_with', 'unknown condition key', 'resource.Name.starts_with'],
  ['key', 'resource.Name.LT', 'LT', 'is not an operator of `resource.Name`'],
  ['key', 'request.ip', 'request.ip', 'unknown condition key', 'request.IP'],
  ['key', 'request.IP.IN_RANG', 'IN_RANG', 'is not an operator', 'request.IP.IN_RANGE'],
  ['key', 'date.weekday', 'date.weekday', 'unknown condition key', 'date.WeekDay'],
  ['key', 'Date().Hour', 'Date().Hour', 'unknown condition key', 'date().Hour'],
  ['key', 'date.Hour(Europe/Paris)', 'date.Hour(Europe/Paris)', 'unknown condition key', 'date(Europe/Paris).Hour'],
  ['key', 'date(Europe/Pari).Hour', 'Europe/Pari', 'unknown time zone `Europe/Pari`', 'date(Europe/Paris).Hour'],
  ['key', 'date(+01:00).Hour', '+01:00', 'unknown time zone', undefined, 'offsets ignore daylight saving time'],
  ['key', 'date(Mars/Olympus).Hour', 'Mars/Olympus', 'unknown time zone'],
  ['key', 'date(UTC).Date.LT', 'LT', 'is not an operator of `date(UTC).Date`', undefined, 'compare dates with `BEFORE`'],
  ['key', '\u200brequest.IP', '\u200b', 'U+200B', 'request.IP'],

  ['request.IP', '010.0.0.1', '010.0.0.1', 'is not an IP address'],
  ['request.IP', '10.0.0.0/8', '10.0.0.0/8', 'is not an IP address', undefined, 'to compare with a range, write `request.IP.IN_RANGE`'],
  ['request.IP', '', '', 'empty: expected an IP address'],
  ['request.IP.IN', '10.0.0.1, 10.0.0.256', '10.0.0.256', 'is not an IP address'],
  ['request.IP.IN', '10.0.0.1,', '', 'empty: expected an IP address'],
  ['request.IP.IN_RANGE', '10.0.0.1', '10.0.0.1', 'is not a range', '10.0.0.1/32'],
  ['request.IP.IN_RANGE', '::1', '::1', 'is not a range', '::1/128'],
  ['request.IP.IN_RANGE', '10.0.0.0/33', '10.0.0.0/33', 'is not a range', undefined, 'is a number from 0 to 32'],
  ['date.Hour', '24', '24', 'is not an hour from 0 to 23', undefined, 'the last hour of a day is 23'],
  ['date.Hour', '-1', '-1', 'is not an hour'],
  ['date.Hour', ' 1', ' 1', 'is not an hour'],
  ['date.Hour.IN', '1,x,3', 'x', 'is not an hour'],
  ['date.Date', '2026-02-29', '2026-02-29', 'is not a date', undefined, 'this day does not exist'],
  ['date.Date', '01/02/2026', '01/02/2026', 'is not a date', undefined, 'write the year first'],
  ['date.Date', '31/12/2026', '31/12/2026', 'is not a date', '2026-12-31', 'write the year first'],
  ['date.Date', '1.2.2026', '1.2.2026', 'is not a date', '2026-02-01', 'write the year first'],
  ['date.Hour', '8:00', '8:00', 'is not an hour', '8'],
  ['date.Hour', '08h30', '08h30', 'is not an hour', undefined, 'only whole hours are compared'],
  ['date.WeekDay', 'Mon', 'Mon', 'is not an English weekday', 'Monday', 'write the English names'],
  ['date.WeekDay', 'Mondya', 'Mondya', 'is not an English weekday', 'Monday', 'write the English names'],
  ['date.WeekDay', 'lundi', 'lundi', 'is not an English weekday', undefined, 'write the English names'],
  ['date.WeekDay.IN', 'mon , Sunday,tues', 'mon', 'is not an English weekday', 'Monday , Sunday,Tuesday', 'write the English names'],
  ['date.WeekDay.IN', 'lundi, mon', 'lundi', 'is not an English weekday', undefined, 'write the English names'],
  ['date.WeekDay.IN', 'mon, lundi', 'mon', 'is not an English weekday', undefined, 'write the English names'],
  ['identity pattern', 'urn:v1:eu:resource', 'resource', 'expected `identity`'],
  ['identity pattern', 'urn:v1:eu:identity::a/b', ':', 'expected account, user, group, credential'],
  ['identity pattern', `urn:v1:eu:identity:user:a/${long}`, `urn:v1:eu:identity:user:a/${long}`, 'longer than 2048'],
  ['identity pattern', 'urn:v1:eu:identity:group:b\u0430/c', '\u0430', 'it looks like `a`', 'urn:v1:eu:identity:group:ba/c'],
  ['identity pattern', 'urn:v1:eu:identity:group:日/c', '日', 'is not allowed in a name', undefined, 'write names in plain letters'],
  ['identity pattern', 'urn:v1:eu:identity:group:a/équipe\u200b', '\u200b', 'U+200B', 'urn:v1:eu:identity:group:a/équipe'],
  ['identity group', 'urn:v1:eu:identity:user:a/b', 'user', 'this is a user, not a group', undefined, ':group:<account_id>/<group>`'],
  ['identity group', 'urn:v1:eu:identity:group:a/*', '*', 'one identity is expected here'],
  ['resource pattern', `urn:v1:eu:resource:vps:${long}`, `urn:v1:eu:resource:vps:${long}`, 'longer than 2048'],
  ['resource pattern', 'urn:v1:eu:resource:vps:a\x7f', '\x7f', 'U+007F', 'urn:v1:eu:resource:vps:a'],
  ['resource pattern', 'urn:v1:eu:resource:vps:\uffffa', '\uffff', 'U+FFFF', undefined, 'write names in plain letters'],
  ['resource pattern', 'urn:v1:eu:resource:vps:\u0457', '\u0457', 'it looks like `i`', 'urn:v1:eu:resource:vps:i'],
  ['resource pattern', 'urn:v1:eu:resource-a:b:c', 'resource-a', 'expected `resource`', 'urn:v1:eu:resource:b:c'],
  ['resource group', 'urn:v1:eu:resourceGroup:a\u200b', '\u200b', 'U+200B', 'urn:v1:eu:resourceGroup:a'],
  ['resource group', 'urn:v1:eu:resourceGroup:a*', '*', 'defined with one id'],
  ['permissions group', 'urn:v1:eu:permissionsGroup:a:b\u200b', '\u200b', 'U+200B', 'urn:v1:eu:permissionsGroup:a:b'],
  ['permissions group', `urn:v1:eu:permissionsGroup:a:${long}`, `urn:v1:eu:permissionsGroup:a:${long}`, 'longer than 2048'],
  ['permissions group', 'urn:v1:eu:permissionsGroup:*', '*', 'without wildcards'],
  ['permissions group', 'urn:v1:eu:permissionsGroup:', ':', 'the owner or the name is missing'],
  ['permissions group', 'urn:v1:eu:permissionsGroup:a/b:', 'a/b:', 'the owner or the name is missing'],
  [
    'permissions group',
    'urn:v1:eu:permissionsGroup:a/b',
    'a/b',
    'the owner or the name is missing',
    'urn:v1:eu:permissionsGroup:a:b',
    'put the owner, an account or the service, before it',
  ],
  ['key', 'resource.Tag(a).NOT_EQUALS', 'NOT_EQUALS', 'is not an operator', undefined, 'put the `MATCH` under a `NOT`'],
  ['key', 'resource.Name.IN_RANGE', 'IN_RANGE', 'is not an operator'],
  ['key', 'date(UTC).Hour.BETWEEN', 'BETWEEN', 'is not an operator', undefined, 'write two comparisons, with `GE` and `LT`'],
  ['key', 'resource.Name.lt', 'lt', 'is not an operator of `resource.Name`'],
  ['key', 'request.IP.in_rang', 'in_rang', 'is not an operator of `request.IP`', 'request.IP.IN_RANGE'],
  ['key', 'date(UTC).Hour.IN_RANGE', 'IN_RANGE', 'is not an operator', undefined, 'write two comparisons, with `GE` and `LT`'],
  ['key', 'date(UTC).Date.CONTAINS', 'CONTAINS', 'is not an operator of `date(UTC).Date`'],
  ['key', 'date(Europe/Pari).WeekDay.IN', 'Europe/Pari', 'unknown time zone', 'date(Europe/Paris).WeekDay.IN'],
  ['key', 'resource.Nam', 'resource.Nam', 'unknown condition key', 'resource.Name'],
  ['key', 'date.Hours', 'date.Hours', 'unknown condition key', 'date.Hour'],
  ['key', 'resource.tag(a).STARTS_WITH', 'resource.tag(a).STARTS_WITH', 'unknown condition key', 'resource.Tag(a).STARTS_WITH'],
  ['key', 'resource.Tag(a).b)c', 'resource.Tag(a).b)c', 'unknown condition key', undefined],
  ['key', 'resource.type.IN', 'resource.type.IN', 'unknown condition key', 'resource.Type.IN'],
  ['key', 'Request.ip.IN_RANGE', 'Request.ip.IN_RANGE', 'unknown condition key', 'request.IP.IN_RANGE'],
  ['key', 'date(UTC).DATE.BEFORE', 'date(UTC).DATE.BEFORE', 'unknown condition key', 'date(UTC).Date.BEFORE'],
  ['key', 'date.hour.LT', 'date.hour.LT', 'unknown condition key', 'date.Hour.LT'],
  ['key', 'date(Europe/Paris).weekDay.IN', 'date(Europe/Paris).weekDay.IN', 'unknown condition key', 'date(Europe/Paris).WeekDay.IN'],
  ['key', 'resource.name.CONTAINS', 'resource.name.CONTAINS', 'unknown condition key'],
  ['key', 'resource.Tage', 'resource.Tage', 'unknown condition key'],
  ['key', 'date(UTC).Date.le', 'le', 'is not an operator of `date(UTC).Date`', undefined, 'compare dates with `BEFORE`'],
  ['key', 'resource.Tag(a', 'resource.Tag(a', 'unknown condition key', 'resource.Tag(a)'],
  ['key', 'resource.Tag(a)b', 'resource.Tag(a)b', 'unknown condition key'],
  ['key', 'date.WEEKDAY(UTC).EQ', 'date.WEEKDAY(UTC).EQ', 'unknown condition key', 'date(UTC).WeekDay.EQ'],
  ['key', 'RESOURCE.TYPE', 'RESOURCE.TYPE', 'unknown condition key', 'resource.Type'],
  ['request.IP', '10.0.0.*', '10.0.0.*', 'is not an IP address', undefined, 'compare with a range, using `IN_RANGE`'],
  ['request.IP.IN', '10.0.0.0/8', '10.0.0.0/8', 'is not an IP address', undefined, 'compare with ranges in an `OR`'],
  ['request.IP.IN_RANGE', '10.0.0.0/8,::/0', '10.0.0.0/8,::/0', 'is not a range', undefined, '`IN_RANGE` takes one range'],
  ['request.IP.IN_RANGE', '2001:db8::/129', '2001:db8::/129', 'is not a range', undefined, 'is a number from 0 to 128'],
  ['request.IP.IN_RANGE', 'x/8', 'x/8', 'is not a range such as'],
  ['request.IP.IN_RANGE', '/8', '/8', 'is not a range such as'],
  ['date.Date', '2026/1/2', '2026/1/2', 'is not a date', '2026-01-02', 'this day does not exist'],
  ['date.Date', '1/1/2026', '1/1/2026', 'is not a date', '2026-01-01', 'write the year first'],
  ['date.Date', '12/31/2026', '12/31/2026', 'is not a date', '2026-12-31', 'write the year first'],
  ['date.Date', '32/31/2026', '32/31/2026', 'is not a date', undefined, 'write the year first'],
  ['date.Date', '1/2/26', '1/2/26', 'is not a date', undefined, 'write the year first'],
  ['date.Hour', '25', '25', 'is not an hour'],
  ['date.Hour', '08h', '08h', 'is not an hour', '8'],
  ['date.WeekDay', 'M', 'M', 'is not an English weekday', undefined, 'write the English names'],
  ['date.WeekDay', 'SA', 'SA', 'is not an English weekday', 'Saturday', 'write the English names'],
]

const short = (text: string) => visible(text.length > 60 ? `${text.slice(0, 40)}… (${text.length})` : text)

describe('a malformed name is shown where it is wrong, with what was expected and meant', () => {
  test.each(malformed.map((row) => [`${row[0]}: ${JSON.stringify(short(row[1]))}`, row] as const))(
    '%s',
    (_, [grammar, text, part, says, suggests, helps]) => {
      const faults = grammars[grammar]?.(text).faults ?? []
      const [first] = faults
      expect(first?.message).toContain(says)
      expect(first && text.slice(first.from, first.to)).toBe(part)
      expect(first?.suggestion).toBe(suggests)
      if (helps === undefined) expect(first?.help ?? first?.belongsIn).toBeUndefined()
      else expect(first?.help ?? first?.belongsIn).toContain(helps)
      if (suggests !== undefined) expect(isLegal(grammar, suggests)).toBe(true)
      // What is not said has no field: messages and reports print the fields that are there.
      expect(faults.flatMap((fault) => Object.values<unknown>({ ...fault }))).not.toContain(undefined)
    },
  )

  test('there are many of them', () => {
    expect(malformed.length).toBeGreaterThan(effort(130))
    for (const grammar of Object.keys(grammars))
      expect(
        malformed.some((row) => row[0] === grammar),
        grammar,
      ).toBe(true)
  })

  test('a character that is not allowed, in full', () => {
    expect(strangeCharacter('日')?.message).toBe('the character U+65E5 (`日`) is not allowed in a name')
    expect(strangeCharacter('\u200b')?.message).toBe('the character U+200B (`\\u{200b}`) is not allowed in a name')
    expect(strangeCharacter('\u0430')?.message).toBe('the character U+0430 (`\u0430`) is not allowed in a name: it looks like `a`')
    expect(strangeCharacter('a😀', (point) => point > 0xffff)).toBeUndefined()
    expect(strangeCharacter('😀é', (point) => point > 0xffff)).toMatchObject({ from: 2, to: 3, suggestion: '😀e' })
  })

  test('nothing is suggested for a text that is too long', () => {
    expect(strangeCharacter(`é${'a'.repeat(longestName - 1)}`)?.suggestion).toBe(`e${'a'.repeat(longestName - 1)}`)
    expect(strangeCharacter(`é${'a'.repeat(longestName)}`)).not.toHaveProperty('suggestion')
    expect(tooMuch('a'.repeat(longestName))).toBeUndefined()
    expect(tooMuch(`${'*a'.repeat(mostWildcards)}**`)).toMatchObject({ from: 2 * mostWildcards, to: 2 * mostWildcards + 1 })
  })

  test('blanks around a name are a slip, and a name of another kind is none', () => {
    expect(readIdentity(`${user} `, { pattern: true }).faults?.[0]?.stray).toBe(true)
    expect(readIdentity('urn:v1:eu:resource:vps:a', { pattern: true }).faults?.[0]).not.toHaveProperty('stray')
    expect(readResource('urn:v1:eu:resourceGroup:x', { pattern: false }).faults?.[0]).not.toHaveProperty('belongsIn')
  })

  test('every resource group, where `*` is written for it', () => {
    expect(readResourceGroup('*', { pattern: true }).faults?.[0]?.suggestion).toBe('urn:v1:eu:resourceGroup:*')
  })

  test('an account without a type gets no suggestion, in any of the faults', () => {
    const { faults = [] } = readResourcePattern('urn:v1:eu:resource:')
    expect(faults.map(({ suggestion }) => suggestion)).toEqual([undefined, undefined])
  })

  test.each([
    ['identity pattern', 'urn:v1:eu:identity:user:/b', 1],
    ['identity pattern', 'urn:v1:eu:identity:user:/ *', 2],
    ['identity pattern', 'urn:v1:eu:identity:account:/b', 2],
    ['resource pattern', 'urn:v1:eu:resource::a', 1],
    ['resource pattern', 'urn:v1:eu:resource::', 2],
  ])('each wrong part gives one fault: %s %s, %d', (grammar, text, count) => {
    expect(grammars[grammar]?.(text).faults).toHaveLength(count)
  })

  test('letters beyond ASCII are those that show something', () => {
    expect([0x41, 0x61, 0xa0, 0x3164, 0xfe0f, 0x1f600].filter(isWideLetter)).toEqual([])
    expect([0xaa, 0xe9, 0x65e5, 0x20bb7].every(isWideLetter)).toBe(true)
  })

  test('a fault in words', () => {
    const fault = { from: 0, to: 1, message: 'is wrong' }
    expect(printableFault('a\n', fault)).toStrictEqual({ message: '`a\\u{a}`: is wrong' })
    expect(printableFault('a'.repeat(300), fault)).toEqual({ message: `\`${'a'.repeat(200)}\`: is wrong` })
    expect(printableFault('a', { ...fault, help: 'do so' })).toEqual({ message: '`a`: is wrong', help: 'do so' })
    expect(printableFault('a', { ...fault, belongsIn: 'resources' })).toEqual({
      message: '`a`: is wrong',
      help: 'list it under `resources`',
    })
    expect(printableFault('a', { ...fault, help: 'do so', belongsIn: 'resources' }).help).toBe('do so')
    expect(printableFault('a', { ...fault, suggestion: 'b', help: 'do so' }).help).toBe('did you mean `b`?')
  })

  test('what the brand makes of other names', () => {
    expect(resourceWord(defaultSettings)).toBe('svc_iam_')
    expect(resourceWord({ ...defaultSettings, resourcePrefix: 'acme' })).toBe('acme_iam_')
    expect(headerStart(defaultSettings)).toBe('X-Service')
    expect(headerStart({ ...defaultSettings, brand: 'acme' })).toBe('X-Acme')
    expect(headerStart({ ...defaultSettings, headerPrefix: 'Own' })).toBe('X-Own')
  })

  test('the joiners of an emoji stay', () => {
    expect(visible('\u{1f469}\u200d\u{1f4bb}')).toBe('\u{1f469}\u200d\u{1f4bb}')
  })

  test('a range that is no block is printed with both ends', () => {
    const range = (from: string, to: string) => {
      const [first, last] = [readAddress(from), readAddress(to)]
      return first && last && printRange({ family: first.family, first: first.value, last: last.value })
    }
    expect(range('10.0.0.1', '10.0.0.4')).toBe('10.0.0.1-10.0.0.4')
    expect(range('10.0.0.0', '10.0.0.2')).toBe('10.0.0.0-10.0.0.2')
    expect(range('0.0.0.0', '0.0.0.2')).toBe('0.0.0.0-0.0.0.2')
    expect(range('10.0.0.4', '10.0.0.7')).toBe('10.0.0.4/30')
    expect(range('::1', '::2')).toBe('::1-::2')
    expect(range('::2', '::3')).toBe('::2/127')
  })

  test('a number of a clock is printed as a condition has it', () => {
    expect([0, 6].map((number) => printNumber('weekday', number))).toEqual(['Monday', 'Sunday'])
    expect([0, 8, 23].map((number) => printNumber('hour', number))).toEqual(['0', '8', '23'])
    expect([20270131, 10102].map((number) => printNumber('date', number))).toEqual(['2027-01-31', '0001-01-02'])
  })

  test('a number of a clock has another one next to it unless it is the first or the last', () => {
    expect([0, 6].flatMap((number) => [numberFrom('weekday', number, -1), numberFrom('weekday', number, 1)])).toEqual([
      undefined,
      1,
      5,
      undefined,
    ])
    expect([0, 23].flatMap((number) => [numberFrom('hour', number, -1), numberFrom('hour', number, 1)])).toEqual([
      undefined,
      1,
      22,
      undefined,
    ])
    expect([numberFrom('date', 20261231, 1), numberFrom('date', 20270301, -1)]).toEqual([20270101, 20270228])
  })

  test('the longest address, the shortest gap and the last minute of an offset are understood', () => {
    expect(readAddress('ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255')).toEqual({ family: 6, value: 2n ** 128n - 1n })
    expect(readAddress('1:2:3:4:5:6:7::')).toEqual(readAddress('1:2:3:4:5:6:7:0'))
    expect(readAddress('1:2:3:4:5:6:7:8:9')).toBeUndefined()
    expect(readAddress('1.2.3.4::')).toBeUndefined()
    expect(readInstant('2027-01-01T00:00:00+00:59')).toBe(Date.UTC(2026, 11, 31, 23, 1))
    expect(readInstant('2026-12-31T23:59:60Z')).toBe(Date.UTC(2027, 0, 1))
  })

  test('an account has no name of its own', () => {
    expect(readIdentity('urn:v1:eu:identity:account:xx', { pattern: false }).value).toMatchObject({ account: 'xx', name: '' })
    expect(isServiceAccountName('oauth2-a b')).toBe(false)
    expect(isServiceAccountName('oauth2-abc*')).toBe(true)
    expect(isServiceAccountName('oauth3-abc*')).toBe(false)
  })

  test('several faults at once, each with the text in which all are put right', () => {
    const { faults = [] } = readIdentity('URN:v2:EU:identity:user:a/b', { pattern: true })
    expect(faults.map(({ from, to }) => [from, to])).toEqual([
      [0, 3],
      [4, 6],
      [7, 9],
    ])
    expect(new Set(faults.map((fault) => fault.suggestion))).toEqual(new Set([user]))
  })

  test.each(['équipe', 'команда', '開発', '\u{20bb7}野', '\u{1d11e}', '\u{f0000}', '\u{10428}-2', '\ud842', 'x\u{e0041}'])(
    'a group or login may be written in the letters of any script, beyond the first plane too: %j',
    (name) => {
      const isOfLetters = /^[\p{L}\p{M}\p{N}-]+$/u.test(name)
      for (const kind of ['group', 'user']) {
        const read = readIdentity(`urn:v1:eu:identity:${kind}:ab12-svc/${name}`, { pattern: false })
        expect(read.value?.name).toBe(isOfLetters ? name : undefined)
        expect(read.faults?.[0]?.stray).toBe(isOfLetters ? undefined : true)
      }
      expect(readIdentity(`urn:v1:eu:identity:user:${name}/ann`, { pattern: false }).value).toBe(undefined)
    },
  )

  test.each(['identity pattern', 'action pattern', 'resource pattern'])(
    'a stray character is distinguished from a wrong name: %s',
    (grammar) => {
      const stray = (text: string) => grammars[grammar]?.(text).faults?.map((fault) => fault.stray)
      expect(stray('urn:v1:eu:x\u200b')).toEqual([true])
      expect(stray('9')?.includes(true)).toBe(false)
    },
  )
})

describe('any text', () => {
  // Texts of the pieces that names are made of get further into a grammar than random ones.
  const pieces = [
    'urn',
    ':',
    'v1',
    'eu',
    'identity',
    'resource',
    'resourceGroup',
    'permissionsGroup',
    'user',
    'account',
    'credential',
    'oauth2-',
    '/',
    '*',
    'a',
    'B',
    '1',
    ' ',
    '.',
    ',',
    '?',
    '-',
    'vps',
    'apisvc',
    'get',
    'resource.Tag(',
    ')',
    'request.IP',
    'date(',
    'Europe/Paris',
    '.Hour',
    '.IN',
    'é',
    '\u200b',
    '10.0.0.1',
    '/8',
    'Monday',
    '2026-01-01',
    '\ud800',
    '😀',
    '',
  ]
  const texts = fc.oneof(
    { weight: 3, arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((list) => list.join('')) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(
          fc.constantFrom(...malformed.map((row) => row[1]), user, 'urn:v1:eu:resource:vps:a', 'vps:apisvc:get'),
          fc.nat(60),
          fc.nat(2),
          fc.constantFrom(...pieces),
        )
        .map(([text, at, drop, put]) => text.slice(0, at) + put + text.slice(at + drop)),
    },
  )

  test.each(Object.entries(grammars))('is read without a throw, and what is suggested is legal: %s', (grammar, read) => {
    fc.assert(
      fc.property(texts, (text) => {
        const { value, faults } = read(text)
        if (faults === undefined) return value !== undefined
        return faults.length > 0 && faults.every((fault) => isSound(grammar, text, fault))
      }),
      { numRuns: effort(1500) },
    )
  })

  function isSound(grammar: string, text: string, { from, to, message, suggestion }: Fault): boolean {
    const isInside = from >= 0 && from <= to && to <= text.length && (from < to || to === 0 || /empty|``/.test(message))
    const isWorded = /^[^A-Z]/.test(message) && !message.endsWith('.')
    return isInside && isWorded && (suggestion === undefined || (suggestion !== text && isLegal(grammar, suggestion)))
  }
})

describe('which actions and patterns are legal', () => {
  /** The grammar of the policy language, section 1, word for word. */
  const action = /^[a-z][A-Za-z0-9]*:[A-Za-z][A-Za-z0-9]*:[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*(\?.*)?$/

  function words(letters: string, longest: number): string[] {
    const out = ['']
    for (let from = 0, length = 0; length < longest; length++) {
      const to = out.length
      for (; from < to; from++) for (const letter of letters) out.push(out[from] + letter)
    }
    return out
  }

  test.each(['', 'a:a:', 'a:a:a/'])('an action is, exactly when the grammar says so: every text that starts with %j', (start) => {
    for (const text of words('aA1.:/?-', start !== '' ? 4 : isDeep ? 6 : 5).map((word) => start + word)) {
      expect(readAction(text).faults === undefined, text).toBe(action.test(text))
    }
  })

  test('a pattern is, exactly when it matches some legal action: every pattern of four characters', () => {
    const actions = words('a:/?', 9).filter((text) => action.test(text))
    expect(actions.length).toBeGreaterThan(effort(200))
    let legal = 0
    for (const text of words('a:/?*', 4)) {
      const pattern = glob(text)
      const matchesSome = actions.some((candidate) => matches(pattern, candidate))
      if (matchesSome) legal++
      expect(readActionPattern(text).faults === undefined, text).toBe(matchesSome)
    }
    expect(legal).toBeGreaterThan(effort(100))
  })
})

// covers: T18
describe('addresses', () => {
  const accepted: readonly (readonly [text: string, printed: string])[] = [
    ['0.0.0.0', '0.0.0.0'],
    ['255.255.255.255', '255.255.255.255'],
    ['10.0.0.1', '10.0.0.1'],
    ['192.0.2.1', '192.0.2.1'],
    ['1.2.3.4', '1.2.3.4'],
    ['127.0.0.1', '127.0.0.1'],
    ['100.100.100.100', '100.100.100.100'],
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:DB8::A', '2001:db8::a'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['0:0:1:0:0:1:1:1', '::1:0:0:1:1:1'],
    ['0:0:1:0:0:0:1:1', '0:0:1::1:1'],
    ['0:0:0:1:1:1:0:0', '::1:1:1:0:0'],
    ['fe80::1', 'fe80::1'],
    ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['::2:3:4:5:6:7:8', '0:2:3:4:5:6:7:8'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::FFFF:10.0.0.1', '10.0.0.1'],
    ['::ffff:a00:1', '10.0.0.1'],
    ['0:0:0:0:0:ffff:10.0.0.1', '10.0.0.1'],
    ['0:0:0:0:0:ffff:a00:1', '10.0.0.1'],
    ['::10.0.0.1', '::a00:1'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:102:304'],
    ['::fffe:10.0.0.1', '::fffe:a00:1'],
    ['::ffff:0:0', '0.0.0.0'],
  ]
  test.each(accepted)('%s is %s', (text, printed) => {
    const address = readAddress(text)
    expect(address && printAddress(address)).toBe(printed)
    expect(readAddress(printed)).toEqual(address)
  })

  const refused = [
    '',
    ' ',
    '1',
    '10',
    '10.1',
    '10.0.1',
    '10.0.0.0.1',
    '10.0.0.',
    '.10.0.0.1',
    '10..0.1',
    '10.0.0.1.',
    '010.0.0.1',
    '10.00.0.1',
    '10.0.0.01',
    '00.0.0.0',
    '0x7f.0.0.1',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '256.0.0.1',
    '10.0.0.256',
    '10.0.0.999',
    '10.0.0.1000',
    '-1.0.0.1',
    '+1.0.0.1',
    '1e1.0.0.1',
    '10.0.0.1 ',
    ' 10.0.0.1',
    '10.0.0.1\n',
    '10.0.0.1\0',
    '10. 0.0.1',
    '10.0.0.1/32',
    '10.0.0.1:80',
    '[10.0.0.1]',
    '１０.0.0.1',
    '10。0。0。1',
    '١٠.0.0.1',
    'localhost',
    'a.b.c.d',
    ':',
    ':::',
    '::::',
    '1:2',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '::1:2:3:4:5:6:7:8',
    '1:2:3:4::5:6:7:8',
    '1::2::3',
    ':1::',
    '::1:',
    '1:',
    ':1',
    '12345::',
    '::12345',
    '::g',
    '::-1',
    '::1%eth0',
    'fe80::1%25eth0',
    'fe80::1%',
    '[::1]',
    '[::1]:80',
    '::1/128',
    ' ::1',
    '::1 ',
    '::1\n',
    '::ffff:010.0.0.1',
    '::ffff:10.0.0',
    '::ffff:10.0.0.256',
    '::ffff:10.0.0.1.2',
    '::10.0.0.1:1',
    '10.0.0.1::',
    '1.2.3.4:5:6:7:8:9:10',
    '1:2:3:4:5:6:7:1.2.3.4',
    '::ffff:0x0a.0.0.1',
    '::٠',
    '0000:00000::',
    '::ffff:1.2.3.4%1',
  ]
  test.each(refused)('%j is none', (text) => {
    expect(readAddress(text)).toBeUndefined()
  })

  test('120 forms and more are tried', () => {
    expect(accepted.length + refused.length + blocks.length + badBlocks.length).toBeGreaterThanOrEqual(120)
  })

  const blocks: readonly (readonly [block: string, printed: string, size: bigint, hostBits: boolean])[] = [
    ['0.0.0.0/0', '0.0.0.0/0', 1n << 32n, false],
    ['10.0.0.0/8', '10.0.0.0/8', 1n << 24n, false],
    ['10.1.2.3/8', '10.0.0.0/8', 1n << 24n, true],
    ['192.0.2.0/24', '192.0.2.0/24', 256n, false],
    ['192.0.2.255/31', '192.0.2.254/31', 2n, true],
    ['192.0.2.1/32', '192.0.2.1/32', 1n, false],
    ['128.0.0.0/1', '128.0.0.0/1', 1n << 31n, false],
    ['::/0', '::/0', 1n << 128n, false],
    ['2001:db8::/32', '2001:db8::/32', 1n << 96n, false],
    ['2001:db8::1/32', '2001:db8::/32', 1n << 96n, true],
    ['::1/128', '::1/128', 1n, false],
    ['::ffff:10.0.0.0/104', '10.0.0.0/8', 1n << 24n, false],
    ['::ffff:0:0/96', '0.0.0.0/0', 1n << 32n, false],
    ['::ffff:10.0.0.1/128', '10.0.0.1/32', 1n, false],
  ]
  test.each(blocks)('%s is %s', (text, printed, size, hostBits) => {
    const range = readRange(text)
    expect(range && printRange(range)).toBe(printed)
    expect(range && range.last - range.first + 1n).toBe(size)
    expect(range?.hostBits).toBe(hostBits)
  })

  const badBlocks = [
    '',
    '/',
    '/8',
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/08',
    '10.0.0.0/+8',
    '10.0.0.0/8 ',
    '10.0.0.0 /8',
    '10.0.0.0/8/8',
    '10.0.0.0/255.0.0.0',
    '10/8',
    '10.0.0/24',
    '::/129',
    '::/',
    '::',
    '2001:db8::/032',
    'fe80::%1/64',
    '10.0.0.0/1e1',
    '10.0.0.0/8.0',
    '0x0a.0.0.0/8',
  ]
  test.each(badBlocks)('%j is no block', (text) => {
    expect(readRange(text)).toBeUndefined()
  })

  // covers: M46
  test('reading what is printed gives the address back, in both families', () => {
    const four = fc.bigInt({ min: 0n, max: (1n << 32n) - 1n }).map((value) => ({ family: 4 as const, value }))
    const six = fc
      .tuple(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }))
      // Zeros in long runs, as addresses have them.
      .map(([value, mask]) => ({ family: 6 as const, value: value & mask & (value << 17n) & ((1n << 128n) - 1n) }))
      .filter(({ value }) => value >> 32n !== 0xffffn)
    fc.assert(
      fc.property(fc.oneof(four, six), (address) => {
        const read = readAddress(printAddress(address))
        return read?.family === address.family && read.value === address.value
      }),
      { numRuns: effort(5000) },
    )
  })

  // covers: M29b
  test('a shorter prefix holds what a longer one holds, and twice as much', () => {
    for (const [base, most] of [
      ['203.0.113.77', 32],
      ['2001:db8:77::1', 128],
    ] as const) {
      let inner = readRange(`${base}/${most}`)
      expect(inner && inner.last - inner.first).toBe(0n)
      for (let length = most - 1; length >= 0; length--) {
        const outer = readRange(`${base}/${length}`)
        if (!outer || !inner) throw new Error('no block')
        expect(outer.first <= inner.first && outer.last >= inner.last).toBe(true)
        expect(outer.last - outer.first + 1n).toBe(2n * (inner.last - inner.first + 1n))
        inner = outer
      }
    }
  })
})

describe('instants', () => {
  const at = Date.UTC
  const accepted: readonly (readonly [text: string, instant: number])[] = [
    ['1970-01-01T00:00:00Z', 0],
    ['1970-01-01t00:00:00z', 0],
    ['2026-11-20T12:00:00Z', at(2026, 10, 20, 12)],
    ['2026-11-20T12:00:00+00:00', at(2026, 10, 20, 12)],
    ['2026-11-20T12:00:00-00:00', at(2026, 10, 20, 12)],
    ['2026-11-20T12:00:00+01:00', at(2026, 10, 20, 11)],
    ['2026-11-20T12:00:00-05:30', at(2026, 10, 20, 17, 30)],
    ['2026-11-20T12:00:00+14:00', at(2026, 10, 19, 22)],
    ['2026-11-20T00:30:00+23:59', at(2026, 10, 19, 0, 31)],
    ['2026-11-20T12:00:00.5Z', at(2026, 10, 20, 12, 0, 0, 500)],
    ['2026-11-20T12:00:00.001Z', at(2026, 10, 20, 12, 0, 0, 1)],
    ['2026-11-20T12:00:00.999Z', at(2026, 10, 20, 12, 0, 0, 999)],
    ['2026-11-20T12:00:00.9999999Z', at(2026, 10, 20, 12, 0, 0, 999)],
    [`2026-11-20T12:00:00.${'9'.repeat(40)}Z`, at(2026, 10, 20, 12, 0, 0, 999)],
    ['2026-11-20T12:00:00.0009Z', at(2026, 10, 20, 12)],
    ['2024-02-29T00:00:00Z', at(2024, 1, 29)],
    ['2000-02-29T00:00:00Z', at(2000, 1, 29)],
    ['1969-12-31T23:59:59Z', -1000],
    ['1969-12-31T23:59:59.25Z', -750],
    ['0001-01-01T00:00:00Z', -62_135_596_800_000],
    ['0000-01-01T00:00:00Z', -62_167_219_200_000],
    ['9999-12-31T23:59:59Z', 253_402_300_799_000],
    // Leap seconds stand at the end of a day in UTC, and count as the second after it.
    ['2016-12-31T23:59:60Z', at(2017, 0, 1)],
    ['2017-01-01T00:59:60+01:00', at(2017, 0, 1)],
    ['2016-12-31T23:59:60.75Z', at(2017, 0, 1, 0, 0, 0, 750)],
    ['1968-12-31T23:59:60.5Z', at(1969, 0, 1, 0, 0, 0, 500)],
    ['2015-06-30T19:59:60-04:00', at(2015, 6, 1)],
  ]
  test.each(accepted)('%s', (text, instant) => {
    expect(readInstant(text)).toBe(instant)
  })

  // Every thousandth: a fraction is cut off, not rounded, and never by the way a number is kept.
  test('every millisecond of a second', () => {
    for (let ms = 0; ms < effort(1000); ms++)
      expect(readInstant(`2026-11-20T12:00:00.${String(ms).padStart(3, '0')}Z`)).toBe(at(2026, 10, 20, 12) + ms)
  })

  test('every instant that a machine prints', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }),
        (date) => readInstant(date.toISOString()) === date.getTime(),
      ),
      { numRuns: effort(3000) },
    )
  })

  test.each([
    '',
    '2026',
    '2026-11-20',
    '2026-11-20T12:00Z',
    '2026-11-20T12:00:00',
    '2026-11-20 12:00:00Z',
    '2026-11-20T12:00:00 Z',
    ' 2026-11-20T12:00:00Z',
    '2026-11-20T12:00:00Z ',
    '2026-11-20T12:00:00Z\n',
    '2026-11-20T12:00:00+0100',
    '2026-11-20T12:00:00+01',
    '2026-11-20T12:00:00+1:00',
    '2026-11-20T12:00:00.Z',
    '2026-11-20T12:00:00,5Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T25:00:00Z',
    '2026-11-20T12:60:00Z',
    '2026-11-20T12:00:61Z',
    '2026-11-20T12:00:00+24:00',
    '2026-11-20T12:00:00+01:60',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-32T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '20261120T120000Z',
    '2026-W47-5T12:00:00Z',
    '+12026-11-20T12:00:00Z',
    '-0001-11-20T12:00:00Z',
    '26-11-20T12:00:00Z',
    '2026-11-20T12:00:00EST',
    '2026-11-20T12:00:00[Europe/Paris]',
    '1763640000',
    'tomorrow',
    '2026-11-20T12:00:60Z',
    '2016-12-31T22:59:60Z',
    '2016-12-31T23:59:60+01:00',
    '２026-11-20T12:00:00Z',
  ])('%j is none', (text) => {
    expect(readInstant(text)).toBeUndefined()
  })
})

describe('dates, weekdays and zones', () => {
  test.each([
    ['2026-11-20', 20261120],
    ['2024-02-29', 20240229],
    ['0001-01-01', 10101],
    ['2026-02-29', undefined],
    ['2026-2-1', undefined],
    ['2026-11-31', undefined],
    ['20261120', undefined],
    ['2026-11-20T00:00:00Z', undefined],
    [' 2026-11-20', undefined],
  ])('date %j: %j', (text, value) => {
    expect(readDate(text)).toBe(value)
  })

  test.each([
    ['Monday', 0],
    ['monday', 0],
    ['SUNDAY', 6],
    ['wEdNeSdAy', 2],
    ['Mon', undefined],
    ['', undefined],
    ['0', undefined],
    [' Monday', undefined],
  ])('weekday %j: %j', (text, value) => {
    expect(readWeekday(text)).toBe(value)
  })

  // covers: T19
  test.each([
    ['UTC', true],
    ['Europe/Paris', true],
    ['America/Argentina/Buenos_Aires', true],
    ['Asia/Kathmandu', true],
    ['Etc/GMT+5', true],
    ['GMT', true],
    ['', false],
    ['Europe', false],
    ['Europe/Atlantis', false],
    ['+01:00', false],
    ['-05:00', false],
    ['Z', false],
    ['Europe/Paris ', false],
    ['../Europe/Paris', false],
    ['Europe/Paris\0', false],
  ])('zone %j: %j', (text, known) => {
    expect(new Zones().get(text) !== undefined).toBe(known)
  })
})

describe('the edges of names', () => {
  // covers: T31
  test('eight wildcards are understood, and nine are not', () => {
    expect(tooMuch('a*'.repeat(mostWildcards))).toBe(undefined)
    expect(tooMuch('a**'.repeat(mostWildcards))).toBe(undefined)
    expect(tooMuch('a*'.repeat(mostWildcards + 1))?.message).toBe(`more than ${mostWildcards} wildcards`)
  })

  test('the name of a resource begins at the first colon behind its type', () => {
    expect(typeAndName('urn:v1:eu:resource:ldp/stream:a:b:c')).toEqual({ type: 'ldp/stream', name: 'a:b:c' })
  })

  test('the name of a service account has something behind its prefix, unless a wildcard stands there', () => {
    expect(['oauth2-', 'oauth2-a', 'oauth2-*', 'oauth2*', 'oauth3*'].map(isServiceAccountName)).toEqual([false, true, true, true, false])
  })

  test('a wildcard behind the account leaves the account known', () => {
    const of = (text: string) => readIdentity(text, { pattern: true }).value
    expect(of('urn:v1:eu:identity:user:ab12-svc/x*')).toMatchObject({ account: 'ab12-svc', name: 'x*' })
    expect(of('urn:v1:eu:identity:user:ab12*')).toMatchObject({ account: undefined, name: 'ab12*' })
  })
})
