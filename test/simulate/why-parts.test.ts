import { describe, expect, test } from 'vitest'
import type { Test } from '../../src/conditions/test.ts'
import type { Policy, World } from '../../src/policy.ts'
import type { Question, Trace } from '../../src/simulate/decision.ts'
import { traces } from '../../src/simulate/reference.ts'
import {
  comparedFact,
  decidingOperands,
  dependsOnTime,
  identityMatch,
  nearestTraces,
  openGroups,
  resourceMatch,
} from '../../src/simulate/why.ts'
import { identityOf, match, resourceOf, type ShortPolicy, type ShortWorld, shortName, shortWorld } from '../support/short.ts'
import { type ConditionJson, type QuestionJson, questionOf } from '../support/worlds.ts'

const asked = (more: Partial<QuestionJson> = {}): Question =>
  questionOf({
    identity: identityOf('user:a/u'),
    action: 'vps:apisvc:reboot',
    resource: resourceOf('t:ab'),
    at: '2026-07-01T12:30:00Z',
    ...more,
  })

/** A world of one policy, and the policy. */
function only(policy: ShortPolicy, more: ShortWorld = {}): { readonly world: World; readonly policy: Policy } {
  const world = shortWorld([policy], more)
  return { world, policy: world.policies[0] as Policy }
}

const all = (...conditions: ConditionJson[]): ConditionJson => ({ operator: 'AND', conditions })
const any = (...conditions: ConditionJson[]): ConditionJson => ({ operator: 'OR', conditions })
const none = (...conditions: ConditionJson[]): ConditionJson => ({ operator: 'NOT', conditions })
const tagged = { resources: { 't:ab': { env: 'prod' } } }

/** A comparison, its subject as it is written. */
const keyOf = ({ subject, operator }: Test) => `${subject.kind}(${subject.parameter}) ${operator}`

describe('what a condition rests on', () => {
  const [prod, dev, onName, onType] = [
    match({ 'resource.Tag(env)': 'prod' }),
    match({ 'resource.Tag(env)': 'dev' }),
    match({ 'resource.Name': 'ab' }),
    match({ 'resource.Type': 't' }),
  ]
  const [starts, ends] = [match({ 'resource.Tag(env).STARTS_WITH': 'p' }), match({ 'resource.Tag(env).ENDS_WITH': 'd' })]
  const [fromNine, toSix, toTen] = [
    match({ 'date(UTC).Hour.GE': '9' }),
    match({ 'date(UTC).Hour.LT': '18' }),
    match({ 'date(Europe/Paris).Hour.LT': '22' }),
  ]
  const here = match({ 'request.IP': '192.0.2.1' })
  const strange: ConditionJson = { operator: 'MATCH', values: { 'request.Country': 'FR' } }

  /** Key and value of a comparison, whether it holds, the fact, what is together it, and whether it is below a NOT. */
  type Row = readonly [string, boolean | undefined, string | null | undefined, readonly string[], 'not'?]
  test.each<[string, ConditionJson | undefined, readonly Row[]]>([
    ['no condition', undefined, []],
    ['one that holds', prod, [['resource.Tag(env) prod', true, 'prod', []]]],
    ['one that fails', dev, [['resource.Tag(env) dev', false, 'prod', []]]],
    ['one whose fact is missing', here, [['request.IP 192.0.2.1', undefined, undefined, []]]],
    ['one that is not understood', strange, [['condition:request.Country=FR', undefined, undefined, []]]],
    ['all of which one fails', all(onName, dev, onType), [['resource.Tag(env) dev', false, 'prod', []]]],
    [
      'all that hold, of different things',
      all(onName, onType, prod),
      [
        ['resource.Name ab', true, 'ab', []],
        ['resource.Type t', true, 't', []],
        ['resource.Tag(env) prod', true, 'prod', []],
      ],
    ],
    [
      'all that hold, of one thing',
      all(starts, onName, ends),
      [
        ['resource.Tag(env).STARTS_WITH p', true, 'prod', ['tag(env) ENDS_WITH']],
        ['resource.Name ab', true, 'ab', []],
        ['resource.Tag(env).ENDS_WITH d', true, 'prod', ['tag(env) STARTS_WITH']],
      ],
    ],
    [
      'all that hold, in two time zones',
      all(fromNine, toTen, toSix),
      [
        ['date(UTC).Hour.GE 9', true, '12', ['hour(UTC) LT']],
        ['date(Europe/Paris).Hour.LT 22', true, '14', []],
        ['date(UTC).Hour.LT 18', true, '12', ['hour(UTC) GE']],
      ],
    ],
    ['any of which one holds', any(dev, onName, dev), [['resource.Name ab', true, 'ab', []]]],
    [
      'any that fail',
      any(dev, match({ 'resource.Tag(env)': 'test' })),
      [
        ['resource.Tag(env) dev', false, 'prod', []],
        ['resource.Tag(env) test', false, 'prod', []],
      ],
    ],
    ['one that must not hold and does', none(prod, dev), [['resource.Tag(env) prod', true, 'prod', [], 'not']]],
    [
      'some that must not hold and do not',
      none(dev, match({ 'resource.Name': 'b' })),
      [
        ['resource.Tag(env) dev', false, 'prod', [], 'not'],
        ['resource.Name b', false, 'ab', [], 'not'],
      ],
    ],
    [
      'all of some that must not hold together',
      none(all(starts, ends)),
      [
        ['resource.Tag(env).STARTS_WITH p', true, 'prod', ['tag(env) ENDS_WITH'], 'not'],
        ['resource.Tag(env).ENDS_WITH d', true, 'prod', ['tag(env) STARTS_WITH'], 'not'],
      ],
    ],
    ['a NOT below a NOT', none(none(prod)), [['resource.Tag(env) prod', true, 'prod', []]]],
    [
      'all of which some are open',
      all(here, prod, any(strange, dev)),
      [
        ['request.IP 192.0.2.1', undefined, undefined, []],
        ['condition:request.Country=FR', undefined, undefined, []],
      ],
    ],
  ])('%s', (_, when, rows) => {
    const { world, policy } = only({ when, allow: ['*'] }, tagged)
    const found = decidingOperands(policy, world, asked()).map(({ leaf, holds, isExcluded, together, fact }): Row => {
      const text = leaf.kind === 'match' ? `${leaf.key.value} ${leaf.value.value}` : leaf.text
      const row = [text, holds, fact, together.map(keyOf)] as const
      return isExcluded ? [...row, 'not'] : row
    })
    expect(found).toEqual(rows)
  })
})

describe('what a comparison looks at', () => {
  const factIn = (question: Question, key: string, value: string) => {
    const { world, policy } = only({ when: { [key]: value }, allow: ['*'] }, tagged)
    const { condition } = policy
    return condition?.kind === 'match' ? comparedFact(condition.test, world, question) : 'no comparison'
  }

  test.each<[string, string, string | null | undefined]>([
    ['resource.Tag(env)', 'dev', 'prod'],
    ['resource.Tag(team)', 'dev', null],
    ['resource.Name', 'x', 'ab'],
    ['resource.Type', 'x', 't'],
    ['request.IP.IN_RANGE', '10.0.0.0/8', '192.0.2.7'],
    ['date(UTC).Date', '2026-01-01', '2026-07-01'],
    ['date(Europe/Paris).Hour', '1', '14'],
    ['date(UTC).WeekDay', 'Monday', 'Wednesday'],
  ])('%s', (key, value, fact) => {
    expect(factIn(asked({ ip: '192.0.2.7' }), key, value)).toBe(fact)
  })

  test('is not known of an address that is not given, and of a resource that is not described', () => {
    expect(factIn(asked(), 'request.IP', '10.0.0.1')).toBeUndefined()
    expect(factIn(asked({ resource: resourceOf('t:b') }), 'resource.Tag(env)', 'prod')).toBeUndefined()
    expect(factIn(asked({ resource: resourceOf('t:b'), tags: { env: 'test' } }), 'resource.Tag(env)', 'prod')).toBe('test')
  })
})

describe('the time', () => {
  test.each<[ShortPolicy, boolean]>([
    [{}, false],
    [{ until: '2030-01-01T00:00:00Z' }, true],
    [{ when: { 'resource.Name': 'ab' } }, false],
    [{ when: { 'date(UTC).Hour.LT': '18' } }, true],
    [{ when: { 'date(UTC).Date': '2026-07-01' } }, true],
    [{ when: any(match({ 'resource.Name': 'ab' }), none(match({ 'date(UTC).WeekDay': 'Monday' }))) }, true],
    [{ when: all(match({ 'request.Country': 'FR' }), match({ 'request.IP': '192.0.2.1' })) }, false],
  ])('is looked at by %j: %s', (policy, looks) => {
    expect(dependsOnTime(only({ ...policy, allow: ['*'] }).policy)).toBe(looks)
  })
})

describe('groups of which it is not known whether the resource is in them', () => {
  const groupsOf = (on: readonly string[], more: ShortWorld = {}, question = asked()) => {
    const { world, policy } = only({ on, allow: ['*'] }, more)
    return openGroups(policy, world, question).map(shortName)
  }
  const known = { resourceGroups: { '#mine': ['t:ab'], '#other': ['t:b'] } }

  test.each<[readonly string[], readonly string[]]>([
    [['t:ab'], []],
    [['t:b', '#far', '#other'], ['#far']],
    [
      ['#far', 't:b', '#near'],
      ['#far', '#near'],
    ],
    // Another entry settles it.
    [['#far', 't:*'], []],
    [['#far', 't:b', 't:*'], []],
    [['#mine', '#far'], []],
    [['#far', '#other', '#mine'], []],
    [['#other'], []],
  ])('%j: %j', (on, open) => {
    expect(groupsOf(on, known)).toEqual(open)
  })
})

describe('the entry that lets a question pass', () => {
  const matchIn = (who: readonly string[], more: ShortWorld = {}, question = asked()) => {
    const { world, policy } = only({ who, allow: ['*'] }, more)
    const found = identityMatch(policy, world, question)
    return found && [shortName(found.entry.value.text), found.through && shortName(found.through), found.described?.urn.value]
  }
  const members = { 'user:a/u': ['group:a/g', 'group:a/h'] }
  const given = asked({ groups: ['k', 'l'].map((name) => identityOf(`group:a/${name}`)) })

  test.each<[readonly string[], readonly (string | undefined)[] | undefined]>([
    [['user:a/u'], ['user:a/u', undefined, undefined]],
    [
      ['user:a/x', 'user:a/*', 'user:a/u'],
      ['user:a/*', undefined, undefined],
    ],
    [
      ['group:a/h', 'user:a/u'],
      ['group:a/h', 'group:a/h', identityOf('user:a/u')],
    ],
    [['group:a/*'], ['group:a/*', 'group:a/g', identityOf('user:a/u')]],
    [['group:a/l'], ['group:a/l', 'group:a/l', undefined]],
    [['group:a/x', 'user:b/*'], undefined],
  ])('of identities, the first one written: %j', (who, found) => {
    expect(matchIn(who, { members }, given)).toEqual(found)
  })

  test('of identities may be of a group that only the question gives', () => {
    expect(matchIn(['group:a/g', 'group:a/k'], {}, given)).toEqual(['group:a/k', 'group:a/k', undefined])
  })

  const aboutIn = (on: readonly string[]) => {
    const { world, policy } = only({ on, allow: ['*'] }, { resourceGroups: { '#mine': ['t:ab'], '#other': ['t:b'] } })
    const found = resourceMatch(policy, world, asked())
    return found && [shortName(found.entry.value.text), found.group && shortName(found.group.urn.value)]
  }

  test.each<[readonly string[], readonly (string | undefined)[] | undefined]>([
    [
      ['t:b', 't:a*', 't:ab'],
      ['t:a*', undefined],
    ],
    [
      ['#other', '#mine', 't:ab'],
      ['#mine', '#mine'],
    ],
    [['#*'], ['#*', '#mine']],
    [['#other', '#far', 't:b'], undefined],
  ])('of resources, the first one written: %j', (on, found) => {
    expect(aboutIn(on)).toEqual(found)
  })
})

describe('the policies that one gate keeps from granting it', () => {
  const nearest = (policies: readonly ShortPolicy[], more: ShortWorld = {}) => {
    const world = shortWorld(policies, more)
    const question = asked({ groups: [identityOf('group:a/g')] })
    return nearestTraces(world, question, traces(world, question)).map(({ policy }: Trace) => policy.name.value)
  }
  const past = '2026-01-01T00:00:00Z'
  const [group, both, user] = [['group:a/g'], ['user:a/u', 'group:a/g'], ['user:a/u']]

  /** Each closed gate with what closes it, nearest first. */
  const gates: readonly (readonly [string, ShortPolicy])[] = [
    ['except', { except: ['*:reboot'] }],
    ['condition', { when: { 'resource.Name': 'b' } }],
    ['expiry', { until: past }],
    ['resource', { on: ['t:b'] }],
  ]

  test('come by gate, then by product, then by group', () => {
    const policies: ShortPolicy[] = gates.flatMap(([gate, closed]) => [
      { ...closed, name: `${gate}, product, group`, who: both, allow: ['dns:*', 'vps:*'] },
      { ...closed, name: `${gate}, product, user`, who: user, allow: ['*'] },
      { ...closed, name: `${gate}, any, group`, who: group, allow: ['vp*'] },
      { ...closed, name: `${gate}, any, user`, who: user, allow: ['v*', 'dns:*'] },
    ])
    policies.push(
      { name: 'action, product, group', who: both, allow: ['vps:apisvc:get'] },
      { name: 'action, product, user', who: user, allow: ['dns:*', 'vps:apisvc:get'] },
      { name: 'action, any, group', who: both, allow: ['dns:*'] },
      { name: 'action, any, user', who: user, allow: ['dns:*', 'vpsx:*'] },
      { name: 'identity, product, group', who: ['user:a/x', 'group:a/h'], allow: ['vps:*'] },
      { name: 'identity, product, user', who: ['user:a/x'], allow: ['vps:apisvc:reboot'] },
      { name: 'identity, any, group', who: ['group:a/h'], allow: ['vp*'] },
      { name: 'identity, any, user', who: ['user:a/x'], allow: ['v*'] },
    )
    const wanted = policies.map(({ name }) => name)
    expect(nearest(policies)).toEqual(wanted)
    expect(nearest([...policies].reverse())).toEqual(wanted)
  })

  test('are in written order where they are as near', () => {
    expect(nearest(['b', 'a', 'c'].map((name) => ({ name, on: ['t:b'], allow: ['vps:*'] })))).toEqual(['b', 'a', 'c'])
  })

  test('count as far as their actions where they grant it', () => {
    const granting = { name: 'grants', allow: ['vps:*'] }
    const resource = { name: 'resource', on: ['t:b'], allow: ['vps:*'] }
    const identity = { name: 'identity', who: ['user:a/x'], allow: ['vps:*'] }
    expect(nearest([identity, granting, resource])).toEqual(['resource', 'grants', 'identity'])
  })

  test.each<[string, ShortPolicy]>([
    ['it denies and grants nothing', { deny: ['vps:*'] }],
    ['it denies and grants something else', { deny: ['vps:*'], allow: ['dns:*'] }],
    ['it denies something else', { deny: ['dns:*'] }],
    ['no gate is closed and it may grant it', { groups: ['svc:far'] }],
    ['it would say nothing of the action', { on: ['t:b'], allow: ['dns:*'] }],
    ['it would only deny', { until: past, allow: ['dns:*'], deny: ['vps:*'] }],
    ['it would not grant because of an except', { on: ['t:b'], allow: ['vps:*'], except: ['vps:*'] }],
    ['its condition fails too', { on: ['t:b'], when: { 'resource.Name': 'b' }, allow: ['vps:*'] }],
    ['it is for others too', { who: ['user:a/x'], on: ['t:b'], allow: ['vps:*'] }],
    ['its condition fails and it is over', { until: past, when: { 'resource.Name': 'b' }, allow: ['vps:*'] }],
    ['it is over and for others', { until: past, who: ['user:a/x'], allow: ['vps:*'] }],
  ])('are none where %s', (_, policy) => {
    expect(nearest([policy])).toEqual([])
  })

  test('may name a permissions group that is not known', () => {
    const unknown = { name: 'unknown', on: ['t:b'], groups: ['svc:far'] }
    expect(nearest([unknown, { name: 'empty', on: ['t:b'], groups: ['svc:near'] }], { permissionsGroups: { 'svc:near': {} } })).toEqual([
      'unknown',
    ])
  })
})
