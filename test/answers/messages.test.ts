import { describe, expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { instantFault, readInstant } from '../../src/conditions/time.ts'
import { type Code, type Diagnostic, isInSyntaxError, withoutOverlaps } from '../../src/diagnostic.ts'
import { paint } from '../../src/report/colour.ts'
import { decisionText } from '../../src/report/decision.ts'
import { remediesOf } from '../../src/report/remedy.ts'
import { unknownNames } from '../../src/report/unknown-names.ts'
import { decide, explain } from '../../src/simulate/decide.ts'
import { valueText } from '../../src/simulate/facts.ts'
import { type Source, sourceOf } from '../../src/source.ts'
import { lintExample, readExample } from '../support/examples.ts'
import { type QuestionJson, questionOf, worldOf } from '../support/worlds.ts'

/** Texts that users read: what is found in a text, and the answer to a question. Each of these was once worded worse. */

/** `code at "text": message | help` for all that is found in an example, in order. */
async function found(text: string): Promise<readonly string[]> {
  const list = await lintExample(readExample(text))
  return list.map(({ code, message, help, span }) => {
    const at = span.source.text.slice(span.start, span.end)
    return `${code} at ${JSON.stringify(at)}: ${message}${help === undefined ? '' : ` | ${help}`}`
  })
}

/** The help for the only finding of an example. */
async function help(text: string): Promise<string | undefined> {
  const list = await lintExample(readExample(text))
  expect(list.map(({ code, message }) => `${code}: ${message}`)).toHaveLength(1)
  return list[0]?.help
}

describe('a name of another kind', () => {
  test('is called what it is, and sent where it belongs', async () => {
    expect(await found('identities: ["urn:v1:eu:resource:vps:vps-1"]')).toEqual([
      'identity-urn at "resource": `urn:v1:eu:resource:vps:vps-1`: this is the URN of a resource, not of an identity | list it under `resources`',
    ])
    expect(await found('resources: [{ urn: "urn:v1:eu:identity:user:ab12-svc/ann" }]')).toEqual([
      'resource-urn at "identity": `urn:v1:eu:identity:user:ab12-svc/ann`: this is the URN of an identity, not of a resource | list it under `identities`',
    ])
    expect(await found('resources: [{ urn: "urn:v1:eu:permissionsGroup:svc:globalReadAccess" }]')).toEqual([
      'resource-urn at "permissionsGroup": `urn:v1:eu:permissionsGroup:svc:globalReadAccess`: this is the URN of a permissions group, not of a resource | list it under `permissionsGroups`',
    ])
    expect(await found('permissionsGroups: [{ urn: "urn:v1:eu:resourceGroup:0b1c" }]')).toEqual([
      'permissions-group-urn at "resourceGroup": `urn:v1:eu:resourceGroup:0b1c`: this is the URN of a resource group, not of a permissions group | list it under `resources`',
    ])
    expect(await found('permissions: { allow: [{ action: "urn:v1:eu:resource:vps:vps-1" }] }')).toEqual([
      'action-pattern at "urn:v1:eu:resource:vps:vps-1": `urn:v1:eu:resource:vps:vps-1`: this is a URN, and not an action: expected `<product>:apisvc:<path>` or `<product>:*`',
    ])
  })

  test('is refused as the group of an identity', async () => {
    const world = `
policies: []
identities:
  - urn: urn:v1:eu:identity:user:ab12-svc/ann
    groups: [urn:v1:eu:identity:user:ab12-svc/bob]`
    expect(await found(world)).toEqual([
      'identity-urn at "user": `urn:v1:eu:identity:user:ab12-svc/bob`: this is a user, not a group | a group has the form `urn:v1:eu:identity:group:<account_id>/<group>`',
    ])
  })
})

describe('a strange character', () => {
  test.each([
    ['v\u0440s:apisvc:terminate', 'looks like `p`', 'vps:apisvc:terminate'],
    ['vps:\u0430\u0440isvc:terminate', 'looks like `a`', 'vps:apisvc:terminate'],
    ['vps:apisvc:term\u03b9nate', 'looks like `i`', 'vps:apisvc:terminate'],
    ['vps:apisvc:ips\u2215get', 'looks like `/`', 'vps:apisvc:ips/get'],
    ['vps\uff1aapisvc:get', 'looks like `:`', 'vps:apisvc:get'],
    ['vps:apisvc:d\u00e9tail', 'looks like `e`', 'vps:apisvc:detail'],
    ['vps:apisvc:a\u2010b', 'looks like `-`', 'vps:apisvc:a-b'],
  ])('%j %s', async (action, says, meant) => {
    const list = await found(`permissions: { deny: [{ action: ${JSON.stringify(action)} }] }`)
    const [first = ''] = list.filter((line) => line.startsWith('stray-character'))
    expect(first).toContain(says)
    expect(first).toContain(`did you mean \`${meant}\`?`)
  })

  test('without a likeness comes without a suggestion', async () => {
    const [first = ''] = await found('permissions: { deny: [{ action: "vps:apisvc:\u5b57" }] }')
    expect(first).toContain('is not allowed in a name | write names in plain letters')
  })

  test('is reported once, though the file and the name are both searched', async () => {
    const lines = await found('permissions: { deny: [{ action: "vps:apisvc:\u200bterminate" }] }')
    expect(lines.filter((line) => line.startsWith('stray-character'))).toHaveLength(1)
  })
})

describe('what to write instead', () => {
  const conditions = (key: string, value: string) =>
    `conditions: { operator: MATCH, values: { ${JSON.stringify(key)}: ${JSON.stringify(value)} } }`
  test.each([
    ['request.IP', '192.0.2.0/24', 'to compare with a range, write `request.IP.IN_RANGE`'],
    ['request.IP.IN', '192.0.2.0/24, 192.0.2.1', 'compare with ranges in an `OR` with one `MATCH` for each, using `IN_RANGE`'],
    ['request.IP.IN_RANGE', '192.0.2.0/33', 'the prefix length, after `/`, is a number from 0 to 32'],
    ['request.IP.IN_RANGE', '2001:db8::/129', 'the prefix length, after `/`, is a number from 0 to 128'],
    ['request.IP.IN_RANGE', '192.0.2.0/24,198.51.100.0/24', '`IN_RANGE` takes one range: write an `OR` with one `MATCH` for each'],
    ['request.IP.IN_RANGE', '192.0.2.1', 'did you mean `192.0.2.1/32`?'],
    ['date().Date.BEFORE', '31.12.2094', 'did you mean `2094-12-31`?'],
    ['date().Date.BEFORE', '12/31/2094', 'did you mean `2094-12-31`?'],
    ['date().Date.BEFORE', '01/02/2094', 'write the year first, then month and day, such as `2027-01-31`'],
    ['date().Date.BEFORE', '2094-02-30', 'this day does not exist'],
    ['date().Hour.LT', '24', 'the last hour of a day is 23, and midnight is 0'],
    ['date().Hour.LT', '18:00', 'did you mean `18`?'],
    ['date().Hour.LT', '18:30', 'only whole hours are compared'],
    ['date().WeekDay', 'lundi', 'write the English names: `Monday` to `Sunday`'],
    ['resource.Tag(env).IN', 'prod, staging', 'write an `OR` with one `MATCH` for each value'],
    ['resource.Tag(env).NEQ', 'prod', 'put the `MATCH` under a `NOT`'],
    ['request.IP.NOT_IN', '192.0.2.1', 'put the `MATCH` under a `NOT`'],
    ['date().Date.GE', '2094-12-31', 'compare dates with `BEFORE` (earlier) and `AFTER` (that day or later)'],
    ['date(+02:00).Hour.GE', '8', 'write an IANA time zone or `UTC`: offsets ignore daylight saving time'],
  ])('for %s = %s', async (key, value, expected) => {
    expect(await help(conditions(key, value))).toBe(expected)
  })

  test.each([
    ['vps:reboot', 'did you mean `vps:apisvc:reboot`?'],
    ['vps:ips/get', 'did you mean `vps:apisvc:ips/get`?'],
    ['vps:apisvc', 'did you mean `vps:apisvc:*`?'],
    ['vps', 'did you mean `vps:*`?'],
  ])('for the action %s', async (action, expected) => {
    expect(await help(`permissions: { allow: [{ action: ${JSON.stringify(action)} }] }`)).toBe(expected)
  })

  test.each([
    ['identities: ["urn:v1:eu:identity:user:ann"]', 'put the account id before it: `urn:v1:eu:identity:user:<account_id>/ann`'],
    ['resources: [{ urn: "urn:v1:*:resource:vps:*" }]', 'write one entry for each region, such as `urn:v1:eu:…`'],
    [
      'permissionsGroups: [{ urn: "urn:v1:eu:permissionsGroup:care" }]',
      'put the owner, an account or the service, before it: `urn:v1:eu:permissionsGroup:<owner>:care`',
    ],
    [
      'permissionsGroups: [{ urn: "urn:v1:eu:permissionsGroup:ab12-svc/care" }]',
      'did you mean `urn:v1:eu:permissionsGroup:ab12-svc:care`?',
    ],
  ])('for %s', async (text, expected) => {
    expect(await help(text)).toBe(expected)
  })
})

describe('an expiry', () => {
  test.each([
    ['2094-12-31T23:59:59', 'has no offset', 'write `2094-12-31T23:59:59Z` if UTC is intended'],
    ['2094-12-31T23:59', 'has no offset', 'write `2094-12-31T23:59:00Z` if UTC is intended'],
    ['2094-12-31', 'has no time', '`2094-12-31T23:59:59Z`'],
    ['2094-02-30T00:00:00Z', 'names a day that does not exist', '`2094-02-28`'],
    ['2096-02-30', 'names a day that does not exist', '`2096-02-29`'],
    ['2094-12-00', 'names a day that does not exist', '`2094-12-31`'],
    ['2094-04-31', 'names a day that does not exist', '`2094-04-30`'],
    ['2100-02-29', 'names a day that does not exist', '`2100-02-28`'],
    ['0004-02-30', 'names a day that does not exist', '`0004-02-29`'],
    ['2094-13-01T00:00:00Z', 'names a month that does not exist', 'from `01` to `12`'],
    ['2094-00-01', 'names a month that does not exist', 'from `01` to `12`'],
    ['2094-12-31T24:00:00Z', 'names a time or an offset that does not exist', '`23:59:59`'],
    ['2094-12-31T12:00:60', 'names a time or an offset that does not exist', '`23:59:59`'],
    ['2094-12-31 23:59:59Z', 'has no `T`', 'did you mean `2094-12-31T23:59:59Z`?'],
    ['2094-12-31T23:59Z', 'has no seconds', 'did you mean `2094-12-31T23:59:00Z`?'],
    ['2094-12-31t23:59z', 'has no seconds', 'did you mean `2094-12-31T23:59:00z`?'],
    ['2094-12-31T23:59:59+01', 'is not written as RFC 3339', 'did you mean `2094-12-31T23:59:59+01:00`?'],
    [' 2094-12-31T23:59:59Z ', 'is not written as RFC 3339', 'did you mean `2094-12-31T23:59:59Z`?'],
    ['2094-12-31T23:59:59+0100', 'is not written as RFC 3339', 'did you mean `2094-12-31T23:59:59+01:00`?'],
    ['2094-12-31T23:59:59,5Z', 'is not written as RFC 3339', 'did you mean `2094-12-31T23:59:59.5Z`?'],
    ['31 December 2094', 'is not a date and time', 'RFC 3339'],
    ['', 'is not a date and time', 'RFC 3339'],
  ])('%j %s', async (text, says, advice) => {
    expect(readInstant(text)).toBe(undefined)
    const fault = instantFault(text)
    expect(fault.message).toContain(says)
    expect(fault.help).toContain(advice)
    for (const [, example = ''] of fault.help.matchAll(/`(\d{4}-\d\d-\d\dT[^`]*)`/g))
      expect(readInstant(example), example).toBeTypeOf('number')
    expect(await found(`expiredAt: ${JSON.stringify(text)}`)).toEqual([
      `expiry-date at ${JSON.stringify(JSON.stringify(text))}: \`${text}\` ${fault.message} | ${fault.help}`,
    ])
  })
})

describe('what was meant with an expiry', () => {
  test.each([
    ['2094-12-31', '2094-12-31T23:59:59Z', false],
    ['2094-12-31T12:00', '2094-12-31T12:00:00Z', false],
    ['2094-12-31 12:00Z', '2094-12-31T12:00:00Z', true],
    ['2094-12-31T12:00:00-0530', '2094-12-31T12:00:00-05:30', true],
  ])('%s: %s, certain: %s', (text, meant, isCertain) => {
    expect(instantFault(text).meant).toEqual({ text: meant, isCertain })
  })

  test.each(['soon', '2094-13-01', '2094-02-29T12:00:00Z', '2094-12-31T24:00:00'])('%s: nothing that can be said', (text) => {
    expect(instantFault(text)).not.toHaveProperty('meant')
  })
})

describe('what is within a syntax error', () => {
  test.each([
    ['permissions: { allow: [{ action: * }] }', ['syntax']],
    ['permissions: { allow: [{ action: *nothing }] }', ['syntax']],
    ['conditions: { operator: MATCH, values: { request.IP: *home } }', ['syntax']],
    [
      '{"name": \'n\', "identities": [\'nobody\'], "resources": [{"urn": "urn:v1:eu:resource:vps:*"}], "permissions": {"allow": [{"action": "vps:*"}]}}',
      ['syntax', 'syntax'],
    ],
  ])('is not judged: %s', async (text, codes) => {
    expect((await lintExample(readExample(text))).map(({ code }) => code)).toEqual(codes)
  })

  test('but what is wholly read next to it is', async () => {
    expect(await found('permissions: { allow: [{ action: &all "*" }] }')).toEqual([
      expect.stringContaining('syntax at "&all"'),
      expect.stringContaining('allow-everything at "\\"*\\""'),
    ])
  })
})

describe('problems of one code', () => {
  const source = sourceOf('p', 'x'.repeat(100))
  const other: Source = sourceOf('q', source.text)
  const problem = (code: Code, start: number, end: number, message = '', of = source): Diagnostic => ({
    code,
    severity: 'error',
    message,
    span: { source: of, start, end },
  })

  test('share no place', () => {
    const list = [
      problem('shape', 5, 9, 'later'),
      problem('shape', 0, 6, 'first'),
      problem('shape', 0, 6, 'second'),
      problem('syntax', 0, 6),
      problem('shape', 9, 12),
    ]
    expect(withoutOverlaps(list).map(({ code, message, span }) => `${code} ${span.start} ${message}`)).toEqual([
      'shape 0 first',
      'syntax 0 ',
      'shape 9 ',
    ])
  })

  test('of no width are at a place too, and files are apart', () => {
    expect(withoutOverlaps([problem('shape', 3, 3), problem('shape', 3, 3), problem('shape', 3, 3, '', other)])).toHaveLength(2)
  })

  test('and a place within a syntax error is a guess', () => {
    const errors = [problem('syntax', 10, 20), problem('shape', 30, 40)]
    expect(isInSyntaxError({ source, start: 10, end: 20 }, errors)).toBe(true)
    expect(isInSyntaxError({ source, start: 12, end: 12 }, errors)).toBe(true)
    expect(isInSyntaxError({ source, start: 9, end: 20 }, errors)).toBe(false)
    expect(isInSyntaxError({ source, start: 31, end: 32 }, errors)).toBe(false)
    expect(isInSyntaxError({ source: other, start: 10, end: 20 }, errors)).toBe(false)
  })
})

const ann = 'urn:v1:eu:identity:user:ab12-svc/ann'
const ops = 'urn:v1:eu:identity:group:ab12-svc/ops'
const leads = 'urn:v1:eu:identity:group:ab12-svc/leads'
const vps = 'urn:v1:eu:resource:vps:vps-1'
const base: QuestionJson = { identity: ann, action: 'vps:apisvc:reboot', resource: vps, at: '2026-01-01T00:00:00Z' }
const grant = { identities: [ann], resources: [{ urn: vps }], permissions: { allow: [{ action: 'vps:*' }] } }

/** The answer for users, without the line of the question. */
function answer(written: object, question: QuestionJson = base, all = false): string {
  const asked = questionOf(question)
  const world = worldOf(written)
  const explanation = explain(world, asked)
  const remedies = remediesOf(explanation.nearest, world, asked)
  const text = decisionText({ question: asked, explanation, all, remedies }, world, paint(false))
  return text.split('\n').slice(1).join('\n')
}

const match = (key: string, value: string) => ({ operator: 'MATCH', values: { [key]: value } })

describe('a missing fact', () => {
  test('is described as a person would', () => {
    expect(answer({ policies: [{ ...grant, name: 'p', conditions: match('request.IP.IN_RANGE', '10.0.0.0/8') }] })).toContain(
      '\n  allowed from 10.0.0.0/8; denied from anywhere else\n',
    )
    expect(answer({ policies: [{ ...grant, name: 'p', conditions: match('resource.Tag(env)', 'prod') }] })).toContain(
      '\n  tag env: `prod` allows, no such tag denies\n',
    )
    expect(
      answer({ policies: [{ ...grant, name: 'p', conditions: { operator: 'NOT', conditions: [match('resource.Tag(env)', 'prod')] } }] }),
    ).toContain('\n  tag env: no such tag allows, `prod` denies\n')
    expect(answer({ policies: [{ ...grant, name: 'p', resources: [{ urn: 'urn:v1:eu:resourceGroup:5b0c' }] }] })).toContain(
      '\n  resource group `urn:v1:eu:resourceGroup:5b0c`: being in it allows, not being in it denies\n',
    )
    expect(
      answer({
        policies: [{ ...grant, name: 'p', permissions: null, permissionsGroups: [{ urn: 'urn:v1:eu:permissionsGroup:svc:care' }] }],
      }),
    ).toContain(
      '\n  permissions group `urn:v1:eu:permissionsGroup:svc:care` of `p` (0.json:1:148) is not described: allowed if it allows the action, denied if it denies it\n',
    )
    expect(answer({ policies: [{ ...grant, name: 'p', conditions: match('request.Weather', 'fair') }] })).toContain(
      '\n  condition `request.Weather=fair` cannot be understood: allowed if it holds, denied if it does not hold\n',
    )
  })

  test('is shown with the others that it depends on', () => {
    const both = { operator: 'AND', conditions: [match('request.IP', '10.0.0.1'), match('resource.Tag(env)', 'prod')] }
    const text = answer({ policies: [{ ...grant, name: 'p', conditions: both }] })
    expect(text).toContain('from 10.0.0.1 it depends on tag env; denied from anywhere else\n')
    expect(text).toContain('tag env: `prod` allows, no such tag denies (where the request comes from 10.0.0.1)\n')
    expect(text).toContain('settle it with `--ip ADDRESS`, `--tag KEY=VALUE` for each tag it has, or its tags in a world file\n')
  })
})

describe('a gate', () => {
  const and = (...conditions: object[]) => ({ operator: 'AND', conditions })
  const or = (...conditions: object[]) => ({ operator: 'OR', conditions })
  const none = (...conditions: object[]) => ({ operator: 'NOT', conditions })
  const ip = match('request.IP.IN_RANGE', '10.0.0.0/8')
  const tag = match('resource.Tag(env)', 'prod')
  const name = match('resource.Name', 'vps-2')
  const hour = match('date(Europe/Paris).Hour.GE', '8')
  /** The part of the one policy, in words. */
  const part = (conditions: object, question: Partial<QuestionJson> = {}, resource = vps) =>
    answer({ policies: [{ ...grant, name: 'p', conditions, resources: [{ urn: resource }] }] }, { ...base, ...question }, true)
      .split('\n')
      .findLast((line) => line.includes('  p  '))
      ?.split('  p  ')[1]

  test('that is closed shows the comparisons that closed it, with what the facts are', () => {
    expect(part(and(ip, tag, name), { ip: '10.1.1.1', tags: { env: 'prod' } })).toBe('stops at condition: resource name = vps-1, not vps-2')
    expect(part(and(ip, or(tag, name)), { ip: '192.0.2.1', tags: {} })).toBe(
      'stops at condition: 192.0.2.1 is not in 10.0.0.0/8, the resource has no tag env; it must be prod, resource name = vps-1, not vps-2',
    )
    expect(part(none(tag, name), { tags: { env: 'prod' } })).toBe('stops at condition: tag env = prod, which is excluded')
    expect(part(none(none(hour)))).toBe('stops at condition: hour 1 in Europe/Paris is not within 08:00–24:00')
    expect(part(match('date(UTC).WeekDay.IN', 'Friday,Saturday,Sunday'))).toBe('stops at condition: Thursday in UTC is not within Fri–Sun')
    expect(part(match('date(UTC).Date', '2026-01-02'))).toBe('stops at condition: 2026-01-01 in UTC is not 2026-01-02')
    expect(part(match('date(UTC).Date.BEFORE', '2026-01-01'))).toBe('stops at condition: 2026-01-01 in UTC is not before 2026-01-01')
    expect(part(match('resource.Name.STARTS_WITH', 'web-'))).toBe('stops at condition: resource name = vps-1 does not start with web-')
    expect(part(or())).toBe('stops at condition: it never holds')
    expect(part(and(...['a', 'b', 'c', 'd'].map((other) => match('resource.Name', other))))).toMatch(/ and 1 more$/)
  })

  test('that is open is named, with the comparisons that are not decided', () => {
    const group = 'urn:v1:eu:resourceGroup:5b0c'
    expect(part(and(ip, tag, none(name)), { tags: { env: 'prod' } })).toBe(
      'perhaps allow `vps:*`; open at condition: whether the address is in 10.0.0.0/8',
    )
    expect(part(or(none(ip), tag, name))).toBe(
      'perhaps allow `vps:*`; open at condition: whether the address is in 10.0.0.0/8, whether tag env is prod',
    )
    expect(part(and(), {}, group)).toBe(`perhaps allow \`vps:*\`; open at resource: whether it is in ${group}`)
    expect(part(tag, {}, group)).toMatch(/; open at resource: .*; open at condition: whether tag env is prod$/)
    expect(part(match('request.Weather', 'fair'))).toMatch(/open at condition: .*request\.Weather.* \(cannot be understood\)$/)
    expect(part(and())).toBe('allow `vps:*`')
  })
})

describe('a tag whose text is `absent`', () => {
  const { missing } = decide(
    worldOf({ policies: [{ ...grant, name: 'p', conditions: match('resource.Tag(env)', 'absent') }] }),
    questionOf(base),
  )

  test('is another value than no tag', () => {
    expect(missing.map(({ allows, denies }) => [...allows, ...denies].map(valueText))).toEqual([['absent', null]])
    expect(answer({ policies: [{ ...grant, name: 'p', conditions: match('resource.Tag(env)', 'absent') }] })).toContain(
      '\n  tag env: `absent` allows, no such tag denies\n',
    )
  })
})

describe('a name that the catalogue does not know', () => {
  const notes = (action: string, resource = vps) => unknownNames({ action, resource }, { catalogue: loadCatalogue('svc'), brand: 'svc' })

  test('is noted with what was probably meant', () => {
    expect(notes('vps:apisvc:rebooot', 'urn:v1:eu:resource:vpss:vps-1')).toEqual([
      expect.stringMatching(/^the action `vps:apisvc:rebooot` is not in the catalogue of \d{4}-\d\d: did you mean `vps:apisvc:reboot`\?$/),
      expect.stringMatching(/^the resource type `vpss` is not in the catalogue of \d{4}-\d\d: did you mean `vps`\?$/),
    ])
    expect(notes('vps:apiSvc:reboot')).toEqual([expect.stringContaining('did you mean `vps:apisvc:reboot`?')])
    expect(notes('vps:apisvc:zzzz/qqqq')).toEqual([expect.stringContaining('it may be a typo, or newer than the catalogue')])
  })

  test('is noted where no call asks for it there', () => {
    const misfit = 'actions of `vps` apply to vps, not to ldp/stream: no known call asks for `vps:apisvc:reboot` there'
    expect(notes('vps:apisvc:reboot', 'urn:v1:eu:resource:ldp/stream:s1')).toEqual([misfit])
    expect(notes('vps:apisvc:reboot', 'urn:v1:eu:resource:*')).toEqual([])
  })

  test('is not noted where the catalogue cannot know it', () => {
    expect(notes('vps:apisvc:reboot')).toEqual([])
    expect(notes('vps:apisvc:reboot?force')).toEqual([])
    expect(notes('publicCloudProject:openstack:server/list')).toEqual([])
    expect(notes('ldp:apisvc:output/graylog/stream/get', 'urn:v1:eu:resource:ldp/stream:s1')).toEqual([])
    expect(notes('publicCloudProject:openstack:server/list', vps)).toEqual([])
  })
})

describe('a default denial', () => {
  const denying = { ...grant, name: 'only denies', permissions: { deny: [{ action: 'vps:apisvc:terminate' }] } }
  const elsewhere = { ...grant, name: 'elsewhere', resources: [{ urn: 'urn:v1:eu:resource:vps:vps-2' }] }

  test('names the nearest policies, and none that cannot grant', () => {
    const group = 'urn:v1:eu:permissionsGroup:ab12-svc:locks'
    const viaGroup = { ...grant, name: 'via group', permissions: null, permissionsGroups: [{ urn: group }] }
    const world = { policies: [denying, elsewhere, viaGroup], permissionsGroups: [{ urn: group, permissions: denying.permissions }] }
    const text = answer(world)
    expect(text).toContain('nearest policies')
    expect(text).toContain('elsewhere')
    expect(text).not.toContain('only denies')
    expect(text).not.toContain('via group')
  })

  test('names the group that would lift it, and says how sure that is', () => {
    const byGroup = (group: string, more: object = {}) => ({ ...grant, name: group, identities: [group], ...more })
    const onlyAt = { conditions: match('request.IP', '10.0.0.1') }
    expect(answer({ policies: [byGroup(ops)] })).toContain(
      `note: a member of \`${ops}\` would be allowed: give the groups of the identity with \`--group\` to be sure (groups-unknown)`,
    )
    expect(answer({ policies: [byGroup(ops, onlyAt)] })).toContain(`note: a member of \`${ops}\` might be allowed`)
    // A sure one comes before one that depends.
    expect(answer({ policies: [byGroup(ops, onlyAt), byGroup(leads)] })).toContain(`note: a member of \`${leads}\` would be allowed`)
    expect(answer({ policies: [byGroup('urn:v1:eu:identity:group:ab12-svc/te*')] })).toContain(
      'note: a member of a group that fits `urn:v1:eu:identity:group:ab12-svc/te*` would be allowed',
    )
    expect(answer({ policies: [byGroup(ops)] }, { ...base, groups: [leads] })).toContain('groups-unknown')
    expect(answer({ policies: [elsewhere] })).not.toContain('groups-unknown')
  })

  test('carries its caveats as plain words for machines', () => {
    const { caveats } = decide(worldOf({ policies: [{ ...grant, name: 'p', identities: [ops] }] }), questionOf(base))
    expect(caveats).toEqual(['groups-unknown', 'managed-policies'])
  })
})
