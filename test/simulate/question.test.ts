import { describe, expect, test } from 'vitest'
import { readAddress } from '../../src/conditions/address.ts'
import { defaultSettings } from '../../src/names.ts'
import { type Context, problemsOf, readBatchQuestion, readGroup, readQuestion, withKnownTags } from '../../src/simulate/question.ts'
import { ShortNames } from '../../src/simulate/short-names.ts'
import { testSettings } from '../support/settings.ts'
import { worldOf } from '../support/worlds.ts'

const bob = 'urn:v1:eu:identity:user:ab12-svc/bob'
const ops = 'urn:v1:eu:identity:group:ab12-svc/ops'
const reboot = 'vps:apisvc:reboot'
const web = 'urn:v1:eu:resource:vps:web'
const context: Context = { at: 0, groups: [] }
const inOrder = 'a question is IDENTITY ACTION RESOURCE, in this order'

describe('a question of three names', () => {
  const read = (identity: string, action: string, resource: string, more: Partial<Context> = {}) =>
    readQuestion(identity, action, resource, { ...context, ...more }, testSettings)

  test('holds the names and the circumstances as they are', () => {
    const tags = new Map([['env', 'prod']])
    expect(read(bob, reboot, web, { at: 5, groups: [ops], tags, owner: 'ab12-svc' })).toEqual({
      question: { identity: bob, action: reboot, resource: web, at: 5, groups: [ops], tags, owner: 'ab12-svc' },
    })
  })

  test.each([
    ['identity', ['urn:v1:eu:identity:user:ab12-svc/*', reboot, web], 'one identity is expected here, not a pattern'],
    ['action', [bob, 'vps:*', web], 'a question names one action, not a pattern'],
    ['resource', [bob, reboot, 'urn:v1:eu:resource:vps:*'], 'one resource is expected here, not a pattern'],
    ['resource', [bob, reboot, 'urn:v1:eu:resourceGroup:4f0c'], 'this is the URN of a resource group, not of a resource'],
    ['resource', [bob, reboot, ''], 'empty: expected `urn:v1:eu:resource:<type>:<name>`'],
  ] as const)('names no pattern and no group as its %s', (what, [identity, action, resource], why) => {
    const text = { identity, action, resource }[what]
    expect(read(identity, action, resource)).toStrictEqual({ problems: [{ message: `${what} \`${text}\`: ${why}` }] })
  })

  test('in the wrong order says how it is written', () => {
    expect(read(web, reboot, bob)).toEqual({
      problems: [
        { message: `identity \`${web}\`: this is the URN of a resource, not of an identity`, help: inOrder },
        { message: `resource \`${bob}\`: this is the URN of an identity, not of a resource`, help: inOrder },
      ],
    })
    expect(problemsOf('identity', web, { faults: [{ from: 0, to: 1, message: 'wrong', belongsIn: 'resources' }] }, 'turn it')).toEqual([
      { message: `identity \`${web}\`: wrong`, help: 'turn it' },
    ])
  })

  test('with a slip says what was meant', () => {
    expect(read('urn:v1:eu:identity:usr:ab12-svc/bob', reboot, web)).toEqual({
      problems: [
        {
          message:
            'identity `urn:v1:eu:identity:usr:ab12-svc/bob`: `usr` is no kind of identity: expected account, user, group, credential',
          help: `did you mean \`${bob}\`?`,
        },
      ],
    })
  })

  test.each([
    [Number.NaN, 'NaN'],
    [8.64e15 + 2, '8640000000000002'],
    [-8.64e15 - 2, '-8640000000000002'],
  ])('is at no time that no date can be: %d', (at, shown) => {
    expect(read(bob, reboot, web, { at })).toEqual({ problems: [{ message: `time \`${shown}\`: no number of milliseconds since 1970` }] })
  })

  test('without groups and settings has no groups, and the default ones', () => {
    const names = ['urn:v1:eu:identity:user:ab12-svc/ann', 'vps:apisvc:reboot', 'urn:v1:eu:resource:vps:vps-1'] as const
    expect(readQuestion(...names, { at: 0 })).toEqual(readQuestion(...names, { at: 0, groups: [] }, defaultSettings))
  })

  test.each([8.64e15, -8.64e15])('may be at the last and at the first instant: %d', (at) => {
    expect(read(bob, reboot, web, { at }).question?.at).toBe(at)
  })

  test('names groups of identities, nothing else', () => {
    expect(readGroup(ops)).toEqual({ problems: [] })
    expect(readGroup(bob)).toEqual({
      problems: [
        {
          message: `group \`${bob}\`: this is a user, not a group`,
          help: 'a group has the form `urn:v1:eu:identity:group:<account_id>/<group>`',
        },
      ],
    })
  })
})

describe('tags of a question', () => {
  const world = worldOf({ policies: [], resources: [{ urn: web, tags: { env: 'prod', team: 'a' } }, { urn: `${web}-2` }] })
  const question = { identity: bob, action: reboot, resource: web, ...context }

  test('add to those that the world knows, and win over them', () => {
    const known = withKnownTags({ ...question, tags: new Map([['env', 'dev']]) }, world)
    expect(known).toEqual({
      ...question,
      tags: new Map([
        ['env', 'dev'],
        ['team', 'a'],
      ]),
    })
  })

  test.each([
    ['no tag is given', question],
    ['no tag of the resource is described', { ...question, resource: `${web}-2`, tags: new Map([['env', 'dev']]) }],
    ['the resource is not described', { ...question, resource: `${web}-3`, tags: new Map([['env', 'dev']]) }],
  ])('stay as they are where %s', (_, asked) => {
    expect(withKnownTags(asked, world)).toBe(asked)
  })
})

describe('a line of a batch', () => {
  const least = { identity: bob, action: reboot, resource: web }
  const read = (line: unknown, names?: ShortNames) => readBatchQuestion(line, context, testSettings, names)

  test('is a question with what the line leaves out taken from the context', () => {
    expect(read(least)).toStrictEqual({ id: null, question: { ...least, ...context } })
    const tags = new Map([['env', 'prod']])
    expect(readBatchQuestion(least, { at: 7, groups: [ops], tags }, testSettings)).toEqual({
      id: null,
      question: { ...least, at: 7, groups: [ops], tags },
    })
  })

  test('gives every circumstance, an id and what is expected', () => {
    const line = {
      ...least,
      id: { n: 3 },
      groups: [ops],
      ip: '192.0.2.1',
      tags: { env: 'prod' },
      at: '1970-01-01T00:00:01Z',
      owner: 'cd34-svc',
      expect: 'deny',
    }
    expect(read(line)).toEqual({
      id: { n: 3 },
      question: { ...least, groups: [ops], ip: readAddress('192.0.2.1'), tags: new Map([['env', 'prod']]), at: 1000, owner: 'cd34-svc' },
      expect: 'deny',
    })
    expect(read({ ...least, id: 0, groups: [], tags: {} })).toEqual({ id: 0, question: { ...least, at: 0, groups: [], tags: new Map() } })
  })

  test.each(['allow', 'deny', 'unknown'])('may expect %s', (verdict) => {
    expect(read({ ...least, expect: verdict })).toEqual({ id: null, question: { ...least, ...context }, expect: verdict })
  })

  const { identity, action, resource } = least
  test.each<[unknown, string]>([
    [3, 'not an object'],
    ['x', 'not an object'],
    [undefined, 'not an object'],
    [null, 'not an object'],
    [[], 'not an object'],
    [[least], 'not an object'],
    [{ ...least, resouce: web }, 'unknown field `resouce`'],
    [{ ...least, 'a\u0000b': 1 }, 'unknown field `a\\u{0}b`'],
    [{ action, resource }, 'missing field `identity`'],
    [{ identity, resource }, 'missing field `action`'],
    [{ identity, action }, 'missing field `resource`'],
    [{ ...least, identity: 1 }, '`identity` is not a text'],
    [{ ...least, action: null }, '`action` is not a text'],
    [{ ...least, resource: [web] }, '`resource` is not a text'],
    [{ ...least, expect: 'yes' }, '`expect` is not `allow`, `deny` or `unknown`'],
    [{ ...least, expect: null }, '`expect` is not `allow`, `deny` or `unknown`'],
    [{ ...least, expect: ['deny'] }, '`expect` is not `allow`, `deny` or `unknown`'],
    [{ ...least, groups: ops }, '`groups` is not a list of texts'],
    [{ ...least, groups: { 0: ops } }, '`groups` is not a list of texts'],
    [{ ...least, groups: [ops, 1] }, '`groups` is not a list of texts'],
    [
      { ...least, groups: [ops, bob] },
      `group \`${bob}\`: this is a user, not a group (a group has the form \`urn:v1:eu:identity:group:<account_id>/<group>\`)`,
    ],
    [{ ...least, ip: 1 }, '`ip` is not an IP address'],
    [{ ...least, ip: ['192.0.2.1'] }, '`ip` is not an IP address'],
    [{ ...least, ip: '1.2.3' }, '`ip` is not an IP address'],
    [{ ...least, tags: 1 }, '`tags` is not an object'],
    [{ ...least, tags: 'env' }, '`tags` is not an object'],
    [{ ...least, tags: null }, '`tags` is not an object'],
    [{ ...least, tags: ['env'] }, '`tags` is not an object'],
    [{ ...least, tags: { env: 'prod', team: 1 } }, '`tags` holds a value that is not a text'],
    [{ ...least, at: 1 }, '`at` is not an RFC 3339 date and time with an offset'],
    [{ ...least, at: ['2026-01-01T00:00:00Z'] }, '`at` is not an RFC 3339 date and time with an offset'],
    [{ ...least, at: '2026-01-01' }, '`at` is not an RFC 3339 date and time with an offset'],
    [
      { ...least, identity: `${bob}*`, resource: `${web}*` },
      `identity \`${bob}*\`: one identity is expected here, not a pattern; resource \`${web}*\`: one resource is expected here, not a pattern`,
    ],
    [{ ...least, resource: bob }, `resource \`${bob}\`: this is the URN of an identity, not of a resource (${inOrder})`],
  ])('is refused in words: %j', (line, words) => {
    expect(read(line)).toBe(words)
  })

  describe('with short names', () => {
    const names = new ShortNames(worldOf({ policies: [], identities: [{ urn: bob, groups: [ops] }], resources: [{ urn: web }] }))
    const known = 'in the policies or world files'

    test('is the question of their URNs', () => {
      expect(read({ identity: 'bob', action: reboot, resource: 'vps:web', groups: ['ops'] }, names)).toEqual({
        id: null,
        question: { ...least, at: 0, groups: [ops] },
      })
    })

    test.each<[object, string]>([
      [
        { identity: 'bbo', action: 'vps:*', resource: 'wbe' },
        `identity \`bbo\` is neither a URN nor the name of an identity ${known} (did you mean \`bob\`?); ` +
          `resource \`wbe\` is neither a URN nor the name of a resource ${known} (did you mean \`web\`?); ` +
          'action `vps:*`: a question names one action, not a pattern',
      ],
      [{ ...least, resource: 'wbe' }, `resource \`wbe\` is neither a URN nor the name of a resource ${known} (did you mean \`web\`?)`],
      [{ ...least, groups: ['opps'] }, `group \`opps\` is neither a URN nor the name of a group ${known} (did you mean \`ops\`?)`],
    ])('that stand for nothing is refused in words: %j', (line, words) => {
      expect(read(line, names)).toBe(words)
    })
  })
})
