import { describe, expect, test } from 'vitest'
import { printAddress, readAddress } from '../../src/conditions/address.ts'
import type { Test } from '../../src/conditions/test.ts'
import type { Policy, World } from '../../src/policy.ts'
import { addressClasses, leaves, settle, textClasses } from '../../src/simulate/completion.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Completion, Question, Reason, Trace, Verdict } from '../../src/simulate/decision.ts'
import { type Assumptions, factText, valueText } from '../../src/simulate/facts.ts'
import { traces } from '../../src/simulate/reference.ts'
import { identityOf, match, resourceOf, type ShortPolicy, type ShortWorld, shortWorld } from '../support/short.ts'
import { type ConditionJson, questionOf } from '../support/worlds.ts'

const asked: Question = questionOf({
  identity: identityOf('user:a/u'),
  action: 'p:apisvc:x',
  resource: resourceOf('t:a'),
  at: '2026-07-01T12:00:00Z',
})
const judged = (verdict: Verdict, reason: Reason = 'granted') => ({ verdict, reason })
const relevantIn = (world: World, question = asked) => traces(world, question).filter(({ stoppedAt }) => stoppedAt === undefined)

/** The assumptions, as `name=value` in the order of the names. */
function assumedText({ ip, tags, groups, outcomes, opaque }: Assumptions): string {
  const parts: [string, unknown][] = [...tags, ...[...groups].filter(([, value]) => value !== undefined), ...outcomes, ...opaque]
  if (ip) parts.push(['ip', printAddress(ip)])
  return parts.map(([name, value]) => `${name.replace(/^.*:(?=[^:]*$)/, '')}=${value}`).join(' ')
}

/** The facts that are completed in a world, each with the values that are tried, where no completion settles anything. */
function completed(policies: readonly ShortPolicy[], more: ShortWorld = {}, question = asked) {
  const world = shortWorld(policies, more)
  const values = new Map<string, Set<unknown>>()
  const note = (fact: string, value: unknown) => values.set(fact, (values.get(fact) ?? new Set()).add(value))
  const settled = settle(world, question, relevantIn(world, question), (assumed) => {
    if (assumed.ip) note('request.IP', printAddress(assumed.ip))
    for (const map of [assumed.tags, assumed.outcomes, assumed.opaque]) for (const [fact, value] of map) note(fact, value)
    for (const [fact, value] of assumed.groups) note(fact, value)
    return judged('unknown')
  })
  expect(settled).toEqual({ verdict: 'unknown', reason: 'unknown', missing: [], approximate: false })
  return Object.fromEntries([...values].map(([fact, tried]) => [fact, [...tried]]))
}

const all = (...conditions: ConditionJson[]): ConditionJson => ({ operator: 'AND', conditions })

describe('facts that are completed', () => {
  const country = match({ 'request.Country': 'FR' })

  test('are none where all is known', () => {
    const when = all(
      match({ 'resource.Tag(k)': 'a' }),
      match({ 'request.IP': '192.0.2.1' }),
      match({ 'resource.Name': 'a' }),
      match({ 'date(UTC).Hour.LT': '18' }),
    )
    const known = { ...asked, ip: readAddress('192.0.2.1') as NonNullable<Question['ip']>, tags: new Map([['k', 'a']]) }
    expect(completed([{ when, allow: ['*'] }], { resourceGroups: { '#m': ['t:a'] } }, known)).toEqual({})
  })

  test('are the address, tags, groups and conditions of every policy, with one value of each class', () => {
    const policies: ShortPolicy[] = [
      { allow: ['*'], when: all(match({ 'resource.Tag(k)': 'a' }), match({ 'request.IP': '192.0.2.1' }), country) },
      { allow: ['*'], when: all(match({ 'resource.Tag(k).STARTS_WITH': 'ab' }), match({ 'resource.Name': 'a' }), country) },
    ]
    expect(completed(policies)).toEqual({
      'request.IP': ['0.0.0.0', '192.0.2.1'],
      k: [null, 'a', 'x', 'abx'],
      'condition:request.Country=FR': [true, false],
    })
  })

  test('are resource groups, open at first, and what permissions groups hold', () => {
    const on = ['#m', '#far', '#far', 't:a']
    expect(
      completed([{ on, groups: ['svc:known', 'svc:far'] }, { groups: ['svc:far'] }], {
        resourceGroups: { '#m': ['t:b'] },
        permissionsGroups: { 'svc:known': { allow: ['*'] } },
      }),
    ).toEqual({
      'urn:v1:eu:resourceGroup:far': [undefined, true, false],
      'urn:v1:eu:permissionsGroup:svc:far': ['allow', 'deny', 'nothing'],
    })
  })

  test('are tags only that neither the question nor the inventory gives', () => {
    const when = all(match({ 'resource.Tag(k)': 'a' }), match({ 'resource.Tag(l)': 'a' }))
    expect(completed([{ allow: ['*'], when }], { resources: { 't:a': { l: 'b' } } })).toEqual({})
    expect(completed([{ allow: ['*'], when }], {}, { ...asked, tags: new Map() })).toEqual({})
  })
})

describe('what is settled', () => {
  /** Two facts of three values each: a permissions group `a` and another, `b`. Notes what is assumed when. */
  function settled(judge: (assumed: string) => ReturnType<typeof judged>) {
    const world = shortWorld([{ groups: ['svc:a', 'svc:b'] }])
    const calls: string[] = []
    const { missing, ...rest } = settle(world, asked, relevantIn(world), (assumed) => {
      const text = assumedText(assumed)
      calls.push(text)
      return judge(text)
    })
    const shown = (completion: Completion) => completion.map((value) => `${factText(value)} ${valueText(value)}`)
    return { ...rest, calls, missing: missing.map(({ fact, allows, denies }) => [factText(fact), shown(allows), shown(denies)]) }
  }
  const [a, b] = ['a', 'b'].map((name) => `permissionsGroup:urn:v1:eu:permissionsGroup:svc:${name}`)
  const isWhole = (assumed: string) => assumed.includes(' ')

  test.each<[Verdict, Reason, Reason]>([
    ['allow', 'granted', 'granted'],
    ['deny', 'denied', 'denied'],
    ['deny', 'default', 'default'],
  ])('is %s (%s) where all completions say so', (verdict, reason, said) => {
    expect(settled((assumed) => (isWhole(assumed) ? judged(verdict, reason) : judged('unknown')))).toEqual({
      ...{ verdict, reason: said, missing: [], approximate: false },
      calls: [
        '',
        ...['a=allow', 'a=allow b=allow', 'a=allow b=deny', 'a=allow b=nothing'],
        ...['a=deny', 'a=deny b=allow', 'a=deny b=deny', 'a=deny b=nothing'],
        ...['a=nothing', 'a=nothing b=allow', 'a=nothing b=deny', 'a=nothing b=nothing'],
      ],
    })
  })

  test('is a deny by default where one completion denies by default', () => {
    const judge = (assumed: string) => (assumed === '' ? judged('unknown') : judged('deny', assumed === 'a=deny' ? 'denied' : 'default'))
    expect(settled(judge)).toMatchObject({ verdict: 'deny', reason: 'default', calls: ['', 'a=allow', 'a=deny', 'a=nothing'] })
  })

  test('is nothing where two completions differ: each fact that turns the verdict is named with how it does', () => {
    const judge = (assumed: string) => {
      if (assumed === '' || assumed === 'a=deny' || assumed === 'b=nothing') return judged('unknown')
      return assumed === 'a=deny b=nothing' || assumed === 'b=allow' || assumed === 'b=allow a=deny' ? judged('allow') : judged('deny')
    }
    expect(settled(judge)).toEqual({
      ...{ verdict: 'unknown', reason: 'unknown', approximate: false },
      missing: [[b, [`${a} denies it`, `${b} says nothing of it`], [`${a} denies it`, `${b} allows it`]]],
      calls: [
        // Two verdicts end the first search.
        ...['', 'a=allow', 'a=deny', 'a=deny b=allow', 'a=deny b=deny', 'a=deny b=nothing'],
        // The others that leave it open, then each value of the fact.
        ...['', 'b=allow', 'b=deny', 'b=nothing', 'b=nothing a=allow', 'b=nothing a=deny', 'b=nothing a=nothing'],
        ...['', 'a=allow', 'a=deny', 'a=deny b=allow', 'a=deny b=deny', 'a=deny b=nothing'],
      ],
    })
  })

  test('is nothing where every completion is unknown', () => {
    expect(settled(() => judged('unknown'))).toMatchObject({ verdict: 'unknown', reason: 'unknown', missing: [], approximate: false })
  })

  test('names its facts in the order of their names, with the first completions that differ', () => {
    const judge = (assumed: string) =>
      isWhole(assumed) ? judged(/b=allow/.test(assumed) && /a=allow/.test(assumed) ? 'allow' : 'deny') : judged('unknown')
    expect(settled(judge).missing).toEqual([
      [a, [`${b} allows it`, `${a} allows it`], [`${b} allows it`, `${a} denies it`]],
      [b, [`${a} allows it`, `${b} allows it`], [`${a} allows it`, `${b} denies it`]],
    ])
  })

  test('names tags and the address, each with the others as they have to be', () => {
    const when = all(match({ 'resource.Tag(z)': '1' }), match({ 'request.IP': '192.0.2.1' }), match({ 'resource.Tag(a)': '2' }))
    const tag = (key: string, text: string | null) => ({ kind: 'tag', key, text })
    const address = (text: string) => ({ kind: 'address', address: readAddress(text) })
    const [here, there, z, a] = [address('192.0.2.1'), address('0.0.0.0'), tag('z', '1'), tag('a', '2')]
    const { verdict, missing } = decide(shortWorld([{ allow: ['*'], when }]), asked)
    expect([verdict, missing]).toEqual([
      'unknown',
      [
        { fact: { kind: 'address' }, allows: [z, a, here], denies: [z, a, there] },
        { fact: { kind: 'tag', key: 'a' }, allows: [here, z, a], denies: [here, z, tag('a', null)] },
        { fact: { kind: 'tag', key: 'z' }, allows: [here, a, z], denies: [here, a, tag('z', null)] },
      ],
    ])
  })

  test.each<[Verdict, Verdict]>([
    ['allow', 'unknown'],
    ['deny', 'unknown'],
  ])('names no fact of which one value says %s and the others %s', (one, rest) => {
    const judge = (assumed: string) => judged(assumed.includes('deny') ? one : rest)
    expect(settled(judge)).toMatchObject({ verdict: 'unknown', missing: [], approximate: false })
  })
})

describe('how much is tried', () => {
  const budget = 400_000
  /** So many entries. */
  const list = <T>(entries: readonly T[], length: number): T[] => Array.from({ length }, () => entries[0] as T)
  const world = shortWorld([{ allow: ['p:*'], except: ['q:*'], deny: ['r:*'], groups: ['svc:far', 'svc:near'] }], {
    permissionsGroups: { 'svc:near': { allow: ['*'] } },
  })
  const { permissions, ...policy } = world.policies[0] as Policy
  const [far, near] = policy.permissionsGroups as [Policy['permissionsGroups'][number], Policy['permissionsGroups'][number]]
  const bare: Policy = { ...policy, resources: [], permissions: { allow: [], except: [], deny: [] }, permissionsGroups: [] }
  const { condition } = shortWorld([{ allow: ['*'], when: { 'resource.Name': 'a' } }]).policies[0] as Policy
  const leaf = condition as NonNullable<Policy['condition']>
  const held = world.permissionsGroups.get(near.value.text) as NonNullable<ReturnType<World['permissionsGroups']['get']>>

  const traceOf = (each: Policy, unknownGroups: readonly string[] = []): Trace => ({
    ...{ policy: each, stoppedAt: undefined, applies: true, grants: [], denies: [], excepted: [], unknownGroups },
  })
  /** The search for one fact of three values: four questions, each of which costs as much as the policies are large. */
  function tried(policies: readonly Policy[], within = world, verdictOf: (outcome: string | undefined) => Verdict = () => 'allow') {
    const calls: (string | undefined)[] = []
    const [first, ...rest] = policies.map((each) => traceOf(each)) as [Trace, ...Trace[]]
    const relevant = [{ ...first, unknownGroups: ['far'] }, ...rest]
    const { verdict, approximate, missing } = settle(within, asked, relevant, ({ outcomes }) => {
      calls.push(outcomes.get('far'))
      return judged(outcomes.size === 0 ? 'unknown' : verdictOf(outcomes.get('far')))
    })
    return { verdict, approximate, calls, missing: missing.length }
  }

  /** Worlds of which each completion costs `cost`, in addition to 1 for itself and 1 for the policy. */
  test.each<[string, (cost: number) => readonly [readonly Policy[], World?]]>([
    ['resources', (cost) => [[{ ...bare, resources: list(policy.resources, cost) }]]],
    ['actions it allows', (cost) => [[{ ...bare, permissions: { ...bare.permissions, allow: list(permissions.allow, cost) } }]]],
    ['actions it excepts', (cost) => [[{ ...bare, permissions: { ...bare.permissions, except: list(permissions.except, cost) } }]]],
    ['actions it denies', (cost) => [[{ ...bare, permissions: { ...bare.permissions, deny: list(permissions.deny, cost) } }]]],
    ['permissions groups that are not known', (cost) => [[{ ...bare, permissionsGroups: list([far], cost) }]]],
    [
      'entries of a permissions group',
      (cost) => [
        [{ ...bare, permissionsGroups: [near] }],
        {
          ...world,
          permissionsGroups: new Map([
            [near.value.text, { ...held, permissions: { ...held.permissions, allow: list(held.permissions.allow, cost - 1) } }],
          ]),
        },
      ],
    ],
    [
      'comparisons',
      (cost) => [
        [
          {
            ...bare,
            condition: {
              kind: 'and',
              operands: [{ ...leaf }, { kind: 'or', operands: list([leaf], cost - 1), span: leaf.span }],
              span: leaf.span,
            },
          },
        ],
      ],
    ],
    ['policies', (cost) => [[bare, { ...bare, resources: list(policy.resources, cost - 1) }]]],
  ])('is all of it up to a limit, in %s', (_, worldOf) => {
    const most = budget / 4 - 2
    const calls = [undefined, 'allow', 'deny', 'nothing']
    expect(tried(...worldOf(most))).toEqual({ verdict: 'allow', approximate: false, calls, missing: 0 })
    expect(tried(...worldOf(most + 1))).toEqual({
      ...{ verdict: 'unknown', approximate: true, missing: 0 },
      calls: [...calls.slice(0, 3), ...calls],
    })
  })

  test('is nothing where one completion is too much', () => {
    const vast = [{ ...bare, resources: list(policy.resources, budget) }]
    expect(tried(vast)).toEqual({ verdict: 'unknown', approximate: true, calls: [], missing: 0 })
  })

  test('does not limit the values of the last fact', () => {
    const wide = [{ ...bare, resources: list(policy.resources, budget / 4) }]
    expect(tried(wide, world, (outcome) => (outcome === 'nothing' ? 'deny' : 'allow'))).toEqual({
      ...{ verdict: 'unknown', approximate: true, missing: 1 },
      calls: [undefined, 'allow', 'deny', undefined, 'allow', 'deny', 'nothing'],
    })
  })

  /** The assumptions, in turn, about two facts, where each completion costs a share of the budget. */
  function shares(cost: number, verdictOf: (assumed: string) => Verdict) {
    const calls: string[] = []
    const large = { ...bare, resources: list(policy.resources, cost - 2) }
    const trace = traceOf(large, ['svc:a', 'svc:b'])
    const { approximate, missing } = settle(world, asked, [trace], (assumed) => {
      const text = assumedText(assumed)
      calls.push(text)
      return judged(verdictOf(text))
    })
    return { approximate, calls, missing: missing.map(({ fact }) => factText(fact).slice(-1)) }
  }

  test('is shared by the facts: half for the first of two, and what it leaves for the other', () => {
    const first = ['', 'a=allow', 'a=allow b=allow', 'a=allow b=deny']
    const verdictOf = (assumed: string): Verdict => (!assumed.includes(' ') ? 'unknown' : /b=allow/.test(assumed) ? 'allow' : 'deny')
    // Two completions for each, after the four with which the first search ends.
    expect(shares(budget / 4, verdictOf)).toEqual({
      approximate: true,
      missing: ['b'],
      calls: [
        ...first,
        ...['', 'b=allow', 'b=allow a=allow', 'b=allow a=deny', 'b=allow a=nothing'],
        ...['', 'a=allow', 'a=allow b=allow', 'a=allow b=deny', 'a=allow b=nothing'],
      ],
    })
    // With less, neither finds out enough; with more, the other has what the first leaves over.
    const early = (assumed: string): Verdict => {
      if (assumed === '' || assumed === 'a=deny' || assumed === 'a=nothing') return 'unknown'
      return assumed === 'a=nothing b=nothing' || assumed === 'a=allow' ? 'allow' : 'deny'
    }
    expect(shares(budget / 4, early)).toEqual({
      ...{ approximate: true, missing: [] },
      calls: ['', 'a=allow', 'a=deny', 'a=deny b=allow', ...['', 'b=allow'], ...['', 'a=allow']],
    })
    expect(shares(budget / 8, early)).toEqual({
      approximate: false,
      missing: ['b'],
      calls: [
        ...['', 'a=allow', 'a=deny', 'a=deny b=allow'],
        ...['', 'b=allow', 'b=deny', 'b=nothing'],
        ...['', 'a=allow', 'a=deny', 'a=deny b=allow', 'a=deny b=deny', 'a=deny b=nothing'],
        ...['a=nothing', 'a=nothing b=allow', 'a=nothing b=deny', 'a=nothing b=nothing'],
      ],
    })
  })
})

describe('one value of each class', () => {
  const testsOf = (...keys: readonly (readonly [string, string])[]): readonly Test[] => {
    const [{ condition }] = shortWorld([{ allow: ['*'], when: all(...keys.map(([key, value]) => match({ [key]: value }))) }]).policies as [
      Policy,
    ]
    return [...leaves(condition)].flatMap((leaf) => (leaf.kind === 'match' ? [leaf.test] : []))
  }

  test.each<[readonly string[], readonly string[]]>([
    [[], ['0.0.0.0']],
    [['10.0.0.0/8'], ['0.0.0.0', '10.0.0.0']],
    [['0.0.0.0/8'], ['0.0.0.0', '::']],
    [['::/16'], ['0.0.0.0', '::']],
    [
      ['10.0.0.0/8', '10.0.0.0/9'],
      ['0.0.0.0', '10.0.0.0', '10.128.0.0'],
    ],
    [
      ['0.0.0.0/0', '::/0'],
      ['0.0.0.0', '::'],
    ],
    [
      ['255.0.0.0/8', 'ffff::/16'],
      ['0.0.0.0', '255.0.0.0', 'ffff::'],
    ],
  ])('of addresses in %j', (blocks, classes) => {
    const tests = testsOf(...blocks.map((block) => ['request.IP.IN_RANGE', block] as const))
    expect(addressClasses(tests).map(printAddress)).toEqual(classes)
  })

  const tag = (operator: string, text: string) => [`resource.Tag(k)${operator}`, text] as const
  test.each<[string, readonly (readonly [string, string])[], readonly (string | null)[]]>([
    ['nothing', [], [null, 'x']],
    ['one text', [tag('', 'a')], [null, 'a', 'x']],
    ['a text with the usual letter', [tag('', 'x')], [null, 'x', 'y']],
    ['a head', [tag('.STARTS_WITH', 'ab')], [null, 'x', 'abx']],
    ['a tail with the usual letter', [tag('.ENDS_WITH', 'xy')], [null, 'z', 'zxy']],
    ['a head and a tail', [tag('.STARTS_WITH', 'a'), tag('.ENDS_WITH', 'b')], [null, 'x', 'xb', 'ax', 'axb']],
    ['a text of a head', [tag('', 'ab'), tag('.STARTS_WITH', 'a')], [null, 'ab', 'x', 'ax']],
    ['all of the usual letters', [tag('', 'xyzuvw0123456789')], [null, 'xyzuvw0123456789', '\uffff']],
    ['one of a list of names', [['resource.Name.IN', 'a, b']], [null, 'a', 'x']],
  ])('of texts that are compared with %s', (_, keys, classes) => {
    expect(textClasses(testsOf(...keys))).toEqual(classes)
  })
})
