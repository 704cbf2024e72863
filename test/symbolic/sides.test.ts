import { describe, expect, test } from 'vitest'
import { matches } from '../../src/glob.ts'
import { isOddResource, publishedPolicy } from '../../src/symbolic/published.ts'
import { deniesAsGrants, type Index, indexOf, sideOf, sideWith, without, withStatements } from '../../src/symbolic/side.ts'
import type { Statement } from '../../src/symbolic/statements.ts'
import { patternsIn } from '../../src/symbolic/statements.ts'
import { identityOf, type ShortPolicy, shortWorld } from '../support/short.ts'
import { pick, randomOf } from '../support/worlds.ts'

const nameOf = ({ policy, effect }: Statement) => `${effect} ${policy.name.value}`
const names = (statements: Iterable<Statement>) => [...statements].map(nameOf)

const policies: readonly ShortPolicy[] = [
  { name: 'u', who: ['user:a/u'], allow: ['p:x:a'] },
  { name: 'uv', who: ['user:a/u', 'user:a/v', 'user:a/u'], allow: ['p:x:b'], deny: ['p:x:c'] },
  { name: 'all', who: ['user:*'], allow: ['p:x:d'], on: ['u:*'] },
  { name: 'some', who: ['user:a/v', 'group:a/*'], deny: ['p:x:e'], on: ['ca/t:a'] },
  { name: 'open', who: ['group:a/g'], on: ['#o'], allow: ['p:x:f'] },
  { name: 'twin', who: ['user:a/u'], allow: ['p:x:a'] },
]
const world = shortWorld(policies, { members: { 'user:a/u': ['group:a/g'], 'user:a/v': [] } })
const side = sideOf(world)
const all = [...side.allows.statements, ...side.denies.statements]

describe('a side', () => {
  test('has the statements of each effect, and the groups of identities', () => {
    expect(names(side.allows.statements)).toEqual(['allow u', 'allow uv', 'allow all', 'allow open', 'allow twin'])
    expect(names(side.denies.statements)).toEqual(['deny uv', 'deny some'])
    expect(side.groups).toEqual(
      new Map([
        [identityOf('user:a/u'), [identityOf('group:a/g')]],
        [identityOf('user:a/v'), []],
      ]),
    )
  })

  test('is made with and without statements', () => {
    const lines = ({ allows, denies }: typeof side) => [names(allows.statements), names(denies.statements)]
    expect(lines(without(side, ({ policy }) => policy.name.value === 'uv'))).toEqual([
      ['allow u', 'allow all', 'allow open', 'allow twin'],
      ['deny some'],
    ])
    const [first] = side.allows.statements
    const [deny] = side.denies.statements
    if (!first || !deny) throw new Error('no statement')
    expect(lines(withStatements(side, [deny, first]))).toEqual([
      ['allow u', 'allow uv', 'allow all', 'allow open', 'allow twin', 'allow u'],
      ['deny uv', 'deny some', 'deny uv'],
    ])
    expect(lines(sideWith(side, [deny, first]))).toEqual([['allow u'], ['deny uv']])
    expect(sideWith(side, []).groups).toBe(side.groups)
    expect(lines(deniesAsGrants(side))).toEqual([['deny uv', 'deny some'], []])
    expect(deniesAsGrants(side).groups).toBe(side.groups)
  })
})

describe('an index', () => {
  const members = ['user:a/u', 'user:a/v', 'user:b/w', 'group:a/g', 'group:b/g'].map(identityOf)
  const isPattern = ({ identities }: Statement) => identities.some(({ value }) => value.glob.text.includes('*'))
  /** The result of an index of a list, plainly. */
  function check(index: Index, list: readonly Statement[]) {
    expect(names(index.statements)).toEqual(names(list))
    for (const { key } of all) expect(index.has(key)).toBe(list.some((each) => each.key === key))
    expect(index.has('no key')).toBe(false)
    for (const some of [[], ...members.map((member) => [member]), members.slice(0, 2)]) {
      const found = index.about(some.map((text) => ({ text })))
      const named = list.filter(
        (each) => isPattern(each) || each.identities.some(({ value }) => some.some((member) => matches(value.glob, member))),
      )
      expect(new Set(names(found))).toEqual(new Set(names(named)))
      expect([...found].every((each) => list.includes(each))).toBe(true)
    }
  }
  const isOpen = (list: readonly Statement[]) => list.some(({ policy }) => policy.name.value === 'open')

  test('finds the statements that it was made of', () => {
    for (const list of [[], all, side.allows.statements, side.denies.statements, all.slice(2, 4)]) {
      const index = indexOf(list)
      check(index, list)
      expect(index.hasOpenFacts).toBe(isOpen(list))
      expect(index.patterns).toEqual([patternsIn(list)])
    }
  })

  test('finds those that name a member in the order in which they are written, each once', () => {
    const u = { text: identityOf('user:a/u') }
    const v = { text: identityOf('user:a/v') }
    expect(names(side.allows.about([u]))).toEqual(['allow u', 'allow uv', 'allow twin', 'allow all'])
    expect(names(side.denies.about([u, v]))).toEqual(['deny uv', 'deny some'])
  })

  test('has statements taken out and put in, any number of times', () => {
    const random = randomOf(7)
    for (let i = 0; i < 150; i++) {
      let list = all.filter(() => random() < 0.6)
      let index = indexOf(list)
      for (let step = 0; step < 4; step++) {
        const [old, before] = [index, list]
        if (random() < 0.5) {
          const gone = new Set(all.filter(() => random() < 0.4))
          index = index.without((statement) => gone.has(statement))
          list = list.filter((statement) => !gone.has(statement))
        } else {
          const more = [pick(random, all), ...all.filter(() => random() < 0.3)].filter((each) => !list.includes(each))
          index = index.with(more)
          list = [...list, ...more]
        }
        check(index, list)
        // A view changes nothing of what it is a view of.
        expect(names(old.statements)).toEqual(names(before))
        if (isOpen(list)) expect(index.hasOpenFacts).toBe(true)
        const patterns = (kind: 'actions' | 'identities') => index.patterns.flatMap((each) => each[kind].all.map(({ text }) => text))
        for (const kind of ['actions', 'identities'] as const)
          expect(patterns(kind)).toEqual(expect.arrayContaining(patternsIn(list)[kind].all.map(({ text }) => text)))
      }
    }
  })

  test('knows of open facts and of patterns in what was put in', () => {
    const [plain, open] = [all.filter((each) => !isOpen([each])), all.filter((each) => isOpen([each]))]
    expect(open).toHaveLength(1)
    expect(indexOf(plain).hasOpenFacts).toBe(false)
    expect(indexOf(plain).with(plain).hasOpenFacts).toBe(false)
    expect(indexOf(plain).with(open).hasOpenFacts).toBe(true)
    expect(indexOf(open).with(plain).hasOpenFacts).toBe(true)
    expect(indexOf(plain).with(open).patterns).toEqual([patternsIn(plain), patternsIn(open)])
  })
})

describe('what is published', () => {
  const read = (policy: ShortPolicy) => {
    const [found] = shortWorld([policy]).policies
    if (!found) throw new Error('no policy')
    return found
  }
  const odd = ['t*x:a', 't:a*b', '*:*a', 't*:*:b', 't:**', '*t:a']
  const plain = ['*', 't:*', 't*', 't:a', 't*:a*', '*:a', 'a*:*', '#m', '#a*b']

  test('of resources are wildcards at the end of the type and of the name', () => {
    const oddOf = (on: readonly string[]) => read({ on, allow: ['p:x:a'] }).resources.map((entry) => isOddResource(entry))
    expect(oddOf(odd)).toEqual(odd.map(() => true))
    expect(oddOf(plain)).toEqual(plain.map(() => false))
  })

  test('of a policy is the policy without what is not', () => {
    const whole = read({ on: plain, allow: ['p:x:a', 'p:*'] })
    expect(publishedPolicy(whole)).toBe(whole)
    const rest = publishedPolicy(read({ on: ['t:*', 't:a*b', '#m'], allow: ['p:x:a'], when: { 'resource.Tag(k)': 'x' } }))
    const expected = read({ on: ['t:*', '#m'], allow: ['p:x:a'], when: { 'resource.Tag(k)': 'x' } })
    const texts = ({ resources }: typeof rest) => resources.map(({ value }) => value.text)
    expect(texts(rest)).toEqual(texts(expected))
    const { name, permissions, condition } = rest
    expect([name.value, permissions.allow.map(({ value }) => value.text), condition !== undefined]).toEqual(['p0', ['p:x:a'], true])

    const actions = publishedPolicy(read({ on: ['t:*', 't:a'], allow: ['p:*:a', 'p:x:*'], except: ['p:x:a*b'], deny: ['*:b', 'p:*:b'] }))
    const lists = (({ allow, except, deny }) => [allow, except, deny].map((list) => list.map(({ value }) => value.text)))(
      actions.permissions,
    )
    expect([texts(actions), lists]).toEqual([['t:*', 't:a'].map((each) => `urn:v1:eu:resource:${each}`), [['p:x:*'], [], ['*:b']]])
  })
})
