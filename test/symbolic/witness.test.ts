import { describe, expect, test } from 'vitest'
import { readAddress } from '../../src/conditions/address.ts'
import { glob } from '../../src/glob.ts'
import type { Question } from '../../src/simulate/decision.ts'
import { emptyModel, type Model } from '../../src/symbolic/formula.ts'
import { callerWith } from '../../src/symbolic/search.ts'
import { sideOf } from '../../src/symbolic/side.ts'
import { PatternList, type Patterns, type Statement } from '../../src/symbolic/statements.ts'
import { anyAddress, anyInstant, questionAt, questionJson, witnessOf } from '../../src/symbolic/witness.ts'
import { identityOf, type ShortWorld, shortWorld } from '../support/short.ts'

/** A region, what else entries name, and whom the two sides describe. */
interface Row {
  readonly self?: string | undefined
  readonly groups?: readonly string[]
  readonly action?: string
  readonly box?: readonly [region: string, type: string, name: string]
  readonly others?: Partial<Record<keyof Patterns, readonly string[]>>
  readonly here?: ShortWorld['members']
  readonly there?: ShortWorld['members']
  readonly model?: Partial<Model>
}

const none = new PatternList([])
const patterns: Patterns = { identities: none, regions: none, types: none, names: none, actions: none }
const identityGlob = (text: string) => glob(/^(?:\*|urn:)/.test(text) ? text : identityOf(text))

function witness({ self, groups = [], action = 'p:x:a', box = ['eu', 't', 'a'], others = {}, here, there, model }: Row): Question {
  const [a, b] = [here, there].map((members) => sideOf(shortWorld([], members && { members })))
  if (!a || !b) throw new Error('no side')
  const more = Object.entries(others).map(([kind, list]) => [kind, new PatternList(list.map(kind === 'identities' ? identityGlob : glob))])
  const caller = callerWith(self === undefined ? undefined : identityGlob(self), groups.map(identityGlob), a, b)
  const [region, type, name] = box.map(glob)
  if (!region || !type || !name) throw new Error('no box')
  return witnessOf({
    region: { caller, action: glob(action), box: { region, type, name }, formulas: [] },
    statement: {} as Statement,
    model: { ...emptyModel, ...model },
    certain: true,
    between: { sides: [a, b], patterns: { ...patterns, ...Object.fromEntries(more) } },
  })
}

/** Patterns over every short name that is tried, by its first letters. */
const taken = [...[...'zqwkjvyXZ'], 'x/x', ...Array.from({ length: 36 }, (_, i) => `x${i.toString(36)}`)].map(
  (start) => `credential:${start}*`,
)

describe('a witness', () => {
  test('gives every fact', () => {
    expect(witness({ self: 'user:a/u' })).toEqual({
      identity: identityOf('user:a/u'),
      groups: [],
      action: 'p:x:a',
      resource: 'urn:v1:eu:resource:t:a',
      at: Date.UTC(2026, 0, 1),
      ip: { family: 4, value: 0xc0000201n },
      tags: new Map(),
    })
    const ip = readAddress('2001:db8::1')
    const tags = new Map([
      ['k', 'v'],
      ['e', null],
      ['n', ''],
    ])
    expect(witness({ self: 'user:a/u', model: { at: 5, ...(ip && { ip }), tags } })).toMatchObject({
      at: 5,
      ip,
      tags: new Map([
        ['k', 'v'],
        ['n', ''],
      ]),
    })
  })

  test.each<[Row, identity: string, ...groups: string[]]>([
    [{ self: 'user:a/u' }, 'user:a/u'],
    [{ self: 'user:a/*' }, 'user:a/x'],
    [{ self: 'user:a/*', others: { identities: ['user:a/*'] } }, 'user:a/x'],
    [{ self: 'user:a/*', others: { identities: ['user:*', 'user:a/u'] } }, 'user:a/x'],
    [{ self: 'user:a/*', others: { identities: ['user:a/x*', 'user:a/*', 'user:a/zz'] } }, 'user:a/z'],
    [{ self: 'user:a/*', others: { identities: ['user:a/x', 'user:a/z*'] } }, 'user:a/x/x'],
    [{ self: 'user:a/*', here: { 'user:a/x': [] } }, 'user:a/x/x'],
    [{ self: 'user:a/*', there: { 'user:a/x': [] } }, 'user:a/x/x'],
    [{ self: 'user:*' }, 'user:x/x'],
    [{ self: 'user:x/*', there: { 'user:x/x': [], 'user:x/x/x': [] } }, 'user:x/z'],
    [{ self: 'account:*' }, 'account:x'],
    [{ self: 'group:*' }, 'group:x/x'],
    [{ self: '*' }, 'user:x/x'],
    [{ self: 'urn:v1:*' }, 'user:x/x'],
    [{ self: 'urn:v1:ca:*' }, 'urn:v1:ca:identity:user:x/x'],
    [{ self: 'urn:v1:w*' }, 'urn:v1:w:identity:user:x/x'],
    [{ self: 'urn:v1:eu:identity:*' }, 'user:x/x'],
    [{ self: 'urn:v1:eu:identity:c*' }, 'credential:x/oauth2-x'],
    [{ self: 'urn:v1:eu:identity:*', others: { identities: ['user:*', 'account:*'] } }, 'credential:x/oauth2-x'],
    [{ self: 'urn:v1:eu:identity:*', others: { identities: ['user:*', 'account:*', 'credential:*'] } }, 'group:x/x'],
    [{ self: 'credential:*', others: { identities: taken } }, 'credential:x/oauth2-x'],
    [{ self: 'urn:v1:*', others: { identities: ['urn:v1:eu:*', 'urn:v1:us:*'] } }, 'urn:v1:ca:identity:user:x/x'],
    [{ self: 'user:a/u', groups: ['group:a/g'] }, 'user:a/u', 'group:a/g'],
    [{ self: 'user:a/u', groups: ['group:a/g', 'group:a/*'] }, 'user:a/u', 'group:a/g', 'group:a/x'],
    [{ groups: ['group:a/g'] }, 'group:a/g'],
    [{ groups: ['group:a/g', 'group:a/h'] }, 'group:a/g', 'group:a/h'],
    [{ groups: ['group:a/*'], others: { identities: ['group:a/x'] } }, 'group:a/x/x'],
    [{ groups: ['group:a/g'], here: { 'group:a/g': ['group:a/h'] } }, 'urn:v1:x:identity:user:x/x', 'group:a/g'],
    [{ groups: ['group:a/g', 'group:a/h'], there: { 'group:a/g': ['group:a/h'] } }, 'urn:v1:x:identity:user:x/x', 'group:a/g', 'group:a/h'],
    [
      { groups: ['group:a/g'], here: { 'group:a/g': [] }, others: { identities: ['urn:v1:x:identity:user:*', 'user:a/u'] } },
      'urn:v1:z:identity:user:x/x',
      'group:a/g',
    ],
    [{ groups: ['group:a/g'], here: { 'group:a/g': [] }, others: { identities: ['*'] } }, 'urn:v1:x:identity:user:x/x', 'group:a/g'],
    [{}, 'urn:v1:x:identity:user:x/x'],
  ])('of %j is from %s', (row, identity, ...groups) => {
    const found = witness(row)
    expect([found.identity, ...found.groups]).toEqual([identity, ...groups].map((each) => identityGlob(each).text))
  })

  test.each<[pattern: string, others: readonly string[], action: string]>([
    ['p:x:a', ['p:x:a', 'p:*'], 'p:x:a'],
    ['p:x:*', [], 'p:x:x'],
    ['p:x:*', ['p:x:*', 'p:*', '*'], 'p:x:x'],
    ['p:x:*', ['p:x:x*', 'p:x:z', 'p:x:*'], 'p:x:z/z'],
    ['p:x:*', ['p:x:x', 'p:*'], 'p:x:x/x'],
    ['p:*:a', ['p:x:*'], 'p:z:a'],
    ['*:*:*', [], 'x:x:x'],
    ['*:*:a*', ['z*', '*:z:*', '*x:a*'], 'q:q:aq'],
    ['p:x:a?*', ['p:x:a?*'], 'p:x:a?x'],
    ['p:*', ['p:a'], 'p:\uffff'],
    ['p:*', ['p:\uffff', 'p:a'], 'p:\ufffe'],
    ['p:\uffff*', [], 'p:\uffff\ufffe'],
  ])('of the action %s, next to %j, asks for %s', (pattern, actions, action) => {
    expect(witness({ self: 'user:a/u', action: pattern, others: { actions } }).action).toBe(action)
  })

  test.each<[box: NonNullable<Row['box']>, others: NonNullable<Row['others']>, resource: string]>([
    [['eu', 't', 'a'], {}, 'eu:t:a'],
    [['*', '*', '*'], {}, 'eu:x:x'],
    [['*', 't*', 'a*b'], { regions: ['eu', 'ca'], types: ['t'], names: ['axxb'] }, 'us:tx:axb'],
    [['*', 't*', '*'], { regions: ['eu', 'ca', 'us'], types: ['tx', 't'], names: ['x', 'z*'] }, 'x:tx/x:x/x'],
    [['e*', '*/*', 'a/*'], { regions: ['*'], types: ['x*', '*'], names: ['a/x*'] }, 'eeu:z/z:a/z'],
    [['e*', '*', ' *'], {}, 'eeu:x: \uffff'],
    [['*', '/*', '*:*'], { types: ['/x'] }, 'eu:/\uffff:x:x'],
    [[' *', '*', '*'], { names: ['*x'] }, ' \uffff:x:z'],
  ])('of the box %j, next to %j, asks for %s', (box, others, resource) => {
    const [region, rest] = [resource.split(':')[0], resource.split(':').slice(1).join(':')]
    expect(witness({ self: 'user:a/u', box, others }).resource).toBe(`urn:v1:${region}:resource:${rest}`)
  })

  test('has an owner where an account asks, which is allowed everything of its own', () => {
    const owner = (self: string) => witness({ self }).owner
    expect(['account:x', 'account:a', 'account:*', 'user:x/u', 'group:x/g'].map(owner)).toEqual(['z', 'x', 'z', undefined, undefined])
    expect('owner' in witness({ self: 'user:x/u' })).toBe(false)
    expect(witness({ self: '*', others: { identities: ['account:x'] } }).owner).toBeUndefined()
    const odd = witness({ self: 'urn:v1:eu:identity:', model: {} })
    expect([odd.identity, odd.owner]).toEqual(['urn:v1:eu:identity:', undefined])
  })
})

describe('a question in a context', () => {
  const names = { identity: identityOf('user:a/u'), action: 'p:x:a', resource: 'urn:v1:eu:resource:t:a' }
  const ip = { family: 6, value: 1n } as const
  const context = (tags: readonly (readonly [string, string | null])[], rest: Partial<Model> = {}): Model => ({
    ...emptyModel,
    ...rest,
    tags: new Map(tags),
  })
  const asked = (model: Model, given: Parameters<typeof questionAt>[2] = {}) => questionAt(names, model, given)

  test('is about any instant and any address where nothing is said of them', () => {
    expect(asked(context([]))).toEqual({ ...names, groups: [], at: anyInstant, ip: anyAddress })
    expect(asked(context([], { at: 7, ip }))).toEqual({ ...names, groups: [], at: 7, ip })
    expect(asked(context([], { at: 7, ip }), { at: 0, ip: anyAddress })).toEqual({ ...names, groups: [], at: 0, ip: anyAddress })
  })

  test('gives the tags that there are, and no name or type among them', () => {
    const model = context([
      ['k', 'v'],
      ['missing', null],
      ['\0name', 'a'],
      ['odd\0', 'w'],
      ['empty', ''],
    ])
    const own = new Map([
      ['k', 'v'],
      ['odd\0', 'w'],
      ['empty', ''],
    ])
    const tags = new Map([['other', 'x']])
    expect(asked(model)).toEqual({ ...names, groups: [], at: anyInstant, ip: anyAddress, tags: own })
    expect(asked(model, { tags })).toEqual({ ...names, groups: [], at: anyInstant, ip: anyAddress, tags })
    expect(asked(context([['missing', null]])).tags).toEqual(new Map())
    expect('tags' in asked(context([]))).toBe(false)
  })

  test('is written as JSON', () => {
    const question = { ...names, groups: ['g'], at: anyInstant }
    expect(questionJson({ ...question, ip: anyAddress, tags: new Map([['k', 'v']]), owner: 'z' })).toEqual({
      ...names,
      groups: ['g'],
      at: '2026-01-01T00:00:00.000Z',
      ip: '192.0.2.1',
      tags: { k: 'v' },
      owner: 'z',
    })
    // Tags that a question does not give are not there: no tags are others than the tags that the inventory says.
    expect(questionJson(question)).toStrictEqual({ ...names, groups: ['g'], at: '2026-01-01T00:00:00.000Z' })
    expect(questionJson({ ...question, tags: new Map() }).tags).toEqual({})
  })
})
