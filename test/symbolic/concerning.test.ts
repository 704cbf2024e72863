import { describe, expect, test } from 'vitest'
import { readAddress } from '../../src/conditions/address.ts'
import { type Concern, type ConcernOptions, concerning, type Subject } from '../../src/symbolic/concerning.ts'
import type { ActionsByType } from '../../src/symbolic/described.ts'
import { negation, printFormula, until } from '../../src/symbolic/formula.ts'
import { identityOf, match, resourceOf, type ShortPolicy, type ShortWorld, shortName, shortWorld } from '../support/short.ts'

/** Resources of the type `t` are asked with three actions, others with one. */
const actions = { of: (type: string) => (type === 't' ? ['p:x:a', 'p:x:b', 'q:x:a'] : ['u:x:z']) } as unknown as ActionsByType
const subject = (kind: Subject['kind'], short: string): Subject => ({
  kind,
  urn: kind === 'identity' ? identityOf(short) : resourceOf(short),
})
const texts = (list: readonly { readonly text: string }[]) => list.map(({ text }) => text).join(' ')
const inGroup = (name: string) => `"resourceGroup:urn:v1:eu:resourceGroup:${name}"`

/** A policy in one line: its name, whom and what of it, what it grants and denies, and when. */
function line({ policy, identities, resources, effects, condition, state, certain }: Concern): string {
  const when = printFormula(condition)
  return [
    `${policy.name.value} ${state}:`,
    `${identities.map(shortName).join(' ')} on ${resources.map(shortName).join(' ')}`,
    ...effects.map(({ group, isKnown, allow, except, deny }) =>
      [
        ...(group === undefined ? [] : [`by ${shortName(group)}`]),
        ...(isKnown ? [] : ['unknown']),
        ...(allow.length > 0 ? [`allow ${texts(allow)}`] : []),
        ...(except.length > 0 ? [`except ${texts(except)}`] : []),
        ...(deny.length > 0 ? [`deny ${texts(deny)}`] : []),
      ].join(' '),
    ),
    ...(when === 'and()' ? [] : [`if ${when}`]),
    ...(certain ? [] : ['perhaps']),
  ].join(' ')
}

function about(
  kind: Subject['kind'],
  short: string,
  policies: readonly ShortPolicy[],
  world?: ShortWorld,
  options: Partial<ConcernOptions> = {},
) {
  return concerning(shortWorld(policies, world), subject(kind, short), { actions, from: 0, ...options }).map(line)
}

describe('the policies that concern an identity', () => {
  const policies: readonly ShortPolicy[] = [
    { who: ['user:a/u', 'user:a/v'], on: ['t:a', '#m'], allow: ['p:*'], except: ['p:x:b'] },
    { who: ['user:a/v'], deny: ['q:*'] },
    { who: ['group:a/g', 'group:a/h', 'user:b/*'], allow: ['q:x:a'], deny: ['p:x:a'] },
    { who: ['user:*', 'group:a/*'], allow: ['u:*'] },
  ]
  const world: ShortWorld = { members: { 'user:a/u': ['group:a/h'], 'user:a/w': ['group:a/g', 'group:b/x'] } }

  test('are those of its name and of its groups, with the entries that match it', () => {
    expect(about('identity', 'user:a/u', policies, world)).toEqual([
      'p0 applies: user:a/u on t:a #m allow p:* except p:x:b',
      'p2 applies: group:a/h on t:* allow q:x:a deny p:x:a',
      'p3 applies: user:* group:a/* on t:* allow u:*',
    ])
    expect(about('identity', 'user:a/w', policies, world)).toEqual([
      'p2 applies: group:a/g on t:* allow q:x:a deny p:x:a',
      'p3 applies: user:* group:a/* on t:* allow u:*',
    ])
    expect(about('identity', 'user:a/v', policies, world)).toEqual([
      'p0 applies: user:a/v on t:a #m allow p:* except p:x:b',
      'p1 applies: user:a/v on t:* deny q:*',
      'p3 applies: user:* on t:* allow u:*',
    ])
    expect(about('identity', 'group:a/h', policies, world)).toEqual([
      'p2 applies: group:a/h on t:* allow q:x:a deny p:x:a',
      'p3 applies: group:a/* on t:* allow u:*',
    ])
    expect(about('identity', 'credential:a/oauth2-x', policies, world)).toEqual([])
  })

  test('of a pattern are those of all that it matches', () => {
    expect(about('identity', 'user:a/*', policies.slice(0, 3), world)).toEqual([
      'p0 applies: user:a/u user:a/v on t:a #m allow p:* except p:x:b',
      'p1 applies: user:a/v on t:* deny q:*',
      'p2 applies: group:a/g group:a/h on t:* allow q:x:a deny p:x:a',
    ])
    expect(about('identity', 'user:b/*', policies.slice(0, 3), world)).toEqual(['p2 applies: user:b/* on t:* allow q:x:a deny p:x:a'])
    expect(about('identity', 'user:a/v*', policies.slice(0, 3), world)).toEqual([
      'p0 applies: user:a/v on t:a #m allow p:* except p:x:b',
      'p1 applies: user:a/v on t:* deny q:*',
    ])
  })

  test('are asked nothing about resources', () => {
    const when = { operator: 'AND', conditions: [match({ 'resource.Name': 'a' }), match({ 'resource.Tag(k)': 'x' })] }
    const condition = 'and(["name","","EQ",["a"]],["tag","k","EQ",["x"]])'
    const tags = new Map([['k', 'y']])
    expect(about('identity', 'user:a/u', [{ allow: ['p:*'], when }], {}, { given: { tags } })).toEqual([
      `p0 applies: user:a/u on t:* allow p:* if ${condition}`,
    ])
  })
})

describe('the policies that concern a resource', () => {
  const policies: readonly ShortPolicy[] = [
    {
      who: ['user:a/u', 'group:a/g'],
      on: ['t:a', 't:b*', '*:a'],
      allow: ['p:*', 'u:*'],
      except: ['p:x:b', 'u:x:*'],
      deny: ['q:x:a', 'r:*'],
    },
    { on: ['#m', 'u:*', '#n'], allow: ['p:x:a'] },
    { on: ['t:*'], allow: ['r:*'], except: ['p:*'] },
    { on: ['t:*'], except: ['p:*'], deny: ['p:x:b'] },
    { on: ['u:a'], allow: ['u:x:*'] },
  ]
  const world: ShortWorld = { resourceGroups: { '#m': ['t:a', 't:c'], '#n': ['t:a'] } }

  test('are those whose entries match it, with what they say of its actions', () => {
    expect(about('resource', 't:a', policies, world)).toEqual([
      'p0 applies: user:a/u group:a/g on t:a *:a allow p:* except p:x:b deny q:x:a',
      'p1 applies: user:a/u on #m #n allow p:x:a',
      'p2 applies: user:a/u on t:*',
      'p3 applies: user:a/u on t:* deny p:x:b',
    ])
    expect(about('resource', 't:c', policies, world)).toEqual([
      'p1 applies: user:a/u on #m allow p:x:a',
      'p2 applies: user:a/u on t:*',
      'p3 applies: user:a/u on t:* deny p:x:b',
    ])
    expect(about('resource', 'u:a', policies, world)).toEqual([
      'p0 applies: user:a/u group:a/g on *:a allow u:* except u:x:*',
      'p1 applies: user:a/u on u:*',
      'p4 applies: user:a/u on u:a allow u:x:*',
    ])
    expect(about('resource', 'ca/t:a', policies, world)).toEqual([])
  })

  test('of a pattern are those of all that it matches, with the actions of its type', () => {
    expect(about('resource', 't:b*', policies, world)).toEqual([
      'p0 applies: user:a/u group:a/g on t:b* *:a allow p:* except p:x:b deny q:x:a',
      'p2 applies: user:a/u on t:*',
      'p3 applies: user:a/u on t:* deny p:x:b',
    ])
    expect(about('resource', 't:*', policies.slice(1, 2), world)).toEqual(['p0 applies: user:a/u on #m #n allow p:x:a'])
    expect(about('resource', 't:d*', policies.slice(1, 2), world)).toEqual([])
    expect(about('resource', 't*:c*', policies.slice(1), { ...world, resources: { 't:c': {} } })).toEqual([
      'p0 applies: user:a/u on #m allow p:x:a',
      'p1 applies: user:a/u on t:* allow r:* except p:*',
      'p2 applies: user:a/u on t:* deny p:x:b',
    ])
  })

  test('may be in a group that is not known: one of them will do', () => {
    const open: readonly ShortPolicy[] = [
      { on: ['#x', 'u:*', '#y'], allow: ['p:x:a'], when: { 'resource.Tag(k)': 'x' } },
      { on: ['#x', 't:a'], allow: ['p:x:a'] },
      { on: ['#m', '#x'], allow: ['p:x:b'] },
      { on: ['#*'], allow: ['p:x:b'] },
    ]
    expect(about('resource', 't:a', open, world)).toEqual([
      `p0 applies: user:a/u on #x #y allow p:x:a if and(or(${inGroup('x')},${inGroup('y')}),["tag","k","EQ",["x"]]) perhaps`,
      'p1 applies: user:a/u on #x t:a allow p:x:a',
      'p2 applies: user:a/u on #m #x allow p:x:b',
      'p3 applies: user:a/u on #* allow p:x:b',
    ])
    expect(about('resource', 't:z', open.slice(1), world)).toEqual([
      `p0 applies: user:a/u on #x allow p:x:a if ${inGroup('x')} perhaps`,
      `p1 applies: user:a/u on #x allow p:x:b if ${inGroup('x')} perhaps`,
      `p2 applies: user:a/u on #* allow p:x:b if ${inGroup('*')} perhaps`,
    ])
  })

  test('grant by permissions groups, too; one that is not known may say anything', () => {
    const shared: ShortWorld = {
      permissionsGroups: { 'svc:r': { allow: ['p:x:a', 'r:*'], except: ['p:x:b', 'r:x:a'] }, 'svc:w': { deny: ['r:*'] } },
    }
    expect(about('resource', 't:a', [{ allow: ['q:*'], groups: ['svc:r', 'svc:w', 'svc:far'] }], shared)).toEqual([
      'p0 applies: user:a/u on t:* allow q:* by svc:r allow p:x:a except p:x:b by svc:far unknown allow * deny *',
    ])
    expect(about('identity', 'user:a/u', [{ groups: ['svc:r', 'svc:w', 'svc:far'] }], shared)).toEqual([
      'p0 applies: user:a/u on t:* by svc:r allow p:x:a r:* except p:x:b r:x:a by svc:w deny r:* by svc:far unknown allow * deny *',
    ])
  })

  test('are asked about it: its name, its type and its tags', () => {
    const when = (key: string, value: string) => [{ allow: ['p:x:a'], when: { [key]: value } }]
    const state = (
      key: string,
      value: string,
      short = 't:a',
      options: Partial<ConcernOptions> = {},
      tags: Record<string, string> = { k: 'x' },
    ) =>
      about('resource', short, when(key, value), { resources: { 't:a': tags } }, options).map((text) =>
        text.replace('user:a/u on t:* allow p:x:a', '').trim(),
      )
    expect(state('resource.Name', 'a')).toEqual(['p0 applies:'])
    expect(state('resource.Name', 'b')).toEqual(['p0 never:  if or()'])
    expect(state('resource.Type', 't')).toEqual(['p0 applies:'])
    expect(state('resource.Tag(k)', 'x')).toEqual(['p0 applies:'])
    expect(state('resource.Tag(k)', 'y')).toEqual(['p0 never:  if or()'])
    expect(state('resource.Tag(k)', 'x', 't:b')).toEqual(['p0 applies:  if ["tag","k","EQ",["x"]]'])
    expect(state('resource.Tag(k)', 'x', 't:b', { given: { tags: new Map([['k', 'x']]) } })).toEqual(['p0 applies:'])
    expect(state('resource.Tag(k)', 'x', 't:*')).toEqual(['p0 applies:  if ["tag","k","EQ",["x"]]'])
    expect(state('resource.Name', 'b', 't:*')).toEqual(['p0 applies:  if ["name","","EQ",["b"]]'])
    expect(state('resource.Tag(k)', 'x', 't:*', { given: { tags: new Map([['k', 'y']]) } })).toEqual([
      'p0 applies:  if ["tag","k","EQ",["x"]]',
    ])
  })
})

describe('the policies that concern a resource group', () => {
  test('are those that name it, or a pattern that may', () => {
    const policies: readonly ShortPolicy[] = [
      { on: ['#m', 't:a', '#m*'], allow: ['p:*', 'u:*'] },
      { on: ['#n'], allow: ['p:x:a'] },
      { on: ['*'], allow: ['p:x:a'] },
      { on: ['#*'], deny: ['p:x:a'], when: { 'resource.Name': 'a' } },
    ]
    const condition = '["name","","EQ",["a"]]'
    expect(about('resourceGroup', '#m', policies)).toEqual([
      'p0 applies: user:a/u on #m #m* allow p:* u:*',
      `p3 applies: user:a/u on #* deny p:x:a if ${condition}`,
    ])
    expect(about('resourceGroup', '#n*', policies)).toEqual([
      'p1 applies: user:a/u on #n allow p:x:a',
      `p3 applies: user:a/u on #* deny p:x:a if ${condition}`,
    ])
  })
})

describe('whether a policy still applies', () => {
  const end = '1970-01-01T00:00:02Z'
  const policies: readonly ShortPolicy[] = [{ allow: ['p:*'] }, { allow: ['p:*'], until: end }]
  const states = (options: Partial<ConcernOptions>, list = policies) =>
    about('identity', 'user:a/u', list, {}, options).map((text) => text.replace(' user:a/u on t:* allow p:*', ''))

  test('depends on its end, and the first instant that counts', () => {
    expect(states({ from: 1_999 })).toEqual(['p0 applies:', 'p1 applies: if until 2000'])
    expect(states({ from: 2_000 })).toEqual(['p0 applies:', 'p1 applies: if until 2000'])
    expect(states({ from: 2_001 })).toEqual(['p0 applies:', 'p1 expired: if until 2000'])
    expect(states({ from: 5_000, given: { at: 2_000 } })).toEqual(['p0 applies:', 'p1 applies:'])
    expect(states({ from: 1, given: { at: 2_001 } })).toEqual(['p0 applies:', 'p1 expired:'])
  })

  test('depends on its condition: address and time, where they are given', () => {
    const ip = (text: string) => {
      const read = readAddress(text)
      if (!read) throw new Error(text)
      return read
    }
    const list = [
      { allow: ['p:*'], when: { 'request.IP': '192.0.2.1' } },
      { allow: ['p:*'], when: { 'date().Hour.LT': '9' } },
      { allow: ['p:*'], when: { 'date().Date.BEFORE': '1970-01-02' } },
    ]
    const conditions = ['["ip","","EQ",["4:3221225985-3221225985"]]', '["hour","UTC","LT",[9]]', '["date","UTC","BEFORE",[19700102]]']
    const open = (i: number) => `p${i} applies: if ${conditions[i]}`
    expect(states({}, list)).toEqual([open(0), open(1), open(2)])
    expect(states({ given: { ip: ip('192.0.2.1') } }, list)).toEqual(['p0 applies:', open(1), open(2)])
    expect(states({ given: { ip: ip('192.0.2.2') } }, list)).toEqual(['p0 never: if or()', open(1), open(2)])
    expect(states({ given: { at: 8 * 3_600_000 } }, list)).toEqual([open(0), 'p1 applies:', 'p2 applies:'])
    expect(states({ given: { at: 33 * 3_600_000 } }, list)).toEqual([open(0), 'p1 never: if or()', 'p2 never: if or()'])
    // Of the instants that count, none is before that day.
    expect(states({ time: negation(until(25 * 3_600_000)) }, list)).toEqual([open(0), open(1), `p2 never: if ${conditions[2]}`])
  })

  test('and is given with what a policy says, in the order of the world', () => {
    const world = shortWorld([
      { name: 'b', deny: ['p:*'] },
      { name: 'a', allow: ['p:*'] },
    ])
    const found = concerning(world, subject('identity', 'user:a/u'), { actions, from: 0 })
    expect(found.map(({ policy }) => policy)).toEqual([...world.policies])
  })
})
