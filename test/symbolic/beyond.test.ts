import { expect, test } from 'vitest'
import type { Catalogue } from '../../src/actions/catalogue.ts'
import { beyondNotes, cellWords } from '../../src/answers/matrix.ts'
import { answerWhat, answerWho } from '../../src/ask/access.ts'
import { Budget } from '../../src/budget.ts'
import { matches } from '../../src/glob.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Context } from '../../src/simulate/question.ts'
import { differingBeyond } from '../../src/symbolic/beyond.ts'
import { ActionsByType, knownNamesIn } from '../../src/symbolic/described.ts'
import { always } from '../../src/symbolic/formula.ts'
import { beyondCells, matrix } from '../../src/symbolic/matrix.ts'
import { typeAndName } from '../../src/urn/resource.ts'
import { effort } from '../support/effort.ts'
import { identityOf, resourceOf, shortWorld } from '../support/short.ts'
import { type Case, forAll } from '../support/worlds.ts'

/** Access to resources that no file describes is part of an answer: it never says that there is nothing. */

const actions: Readonly<Record<string, readonly string[]>> = {
  p: ['a', 'b', 'a/b', 'b/a', 'ab'].map((path) => `p:apisvc:${path}`),
  q: ['a', 'b', 'a/b'].map((path) => `q:apisvc:${path}`),
}
const every = Object.values(actions).flat()

/** Products `p` about `t` and `q` about `u`; nothing is known about `t/s`. */
const catalogue = {
  products: ['p', 'q'],
  typesOf: (product: string) => (product === 'p' ? ['t'] : ['u']),
  actionsOf: (product: string) => actions[product] ?? [],
  expand: (pattern: Parameters<typeof matches>[0]) => every.filter((action) => matches(pattern, action)),
  has: (action: string) => every.includes(action),
  seen: '2026-01',
  size: every.length,
} as unknown as Catalogue

const contextOf = ({ question: { at, ip, tags } }: Case): Context => ({ at, groups: [], ...(ip && { ip }), ...(tags && { tags }) })
const given = ({ question }: Case) => ({ at: new Date(question.at).toISOString() })

const isAsked = (c: Case) =>
  c.question.groups.length === 0 && !c.question.tags && knownNamesIn([c.world]).identities.includes(c.question.identity)

test('who never says that no identity may where `can` allows something', () => {
  const judged = forAll(effort(6000, 30), 11, (c) => {
    if (!isAsked(c)) return undefined
    const { verdict, reason } = decide(c.world, c.question)
    if (verdict !== 'allow' || reason === 'root') return undefined
    const { action, resource } = c.question
    // A permission that is not about a type is not an action on it, whatever a policy allows.
    const types = catalogue.typesOf(action.split(':')[0] as string)
    const type = typeAndName(resource).type
    if (type !== 't/s' && !types.includes(type)) return undefined
    const answer = answerWho(c.world, { action, resource: '*', context: contextOf(c) }, given(c), catalogue)
    return answer.verdict === 'deny' ? `who ${action} says nobody` : ''
  })
  expect(judged).toBeGreaterThan(effort(200, 30))
})

test('what about one name and about several agree', () => {
  const judged = forAll(effort(6000, 30), 12, (c) => {
    if (!isAsked(c)) return undefined
    const { identity } = c.question
    const asked = { resource: undefined, context: contextOf(c) }
    const one = answerWhat(c.world, { ...asked, identity }, given(c), catalogue)
    const other = identityOf('user:zz/none')
    const several = answerWhat(c.world, { ...asked, identity: `${identity},${other}`, each: [identity, other] }, given(c), catalogue)
    const alone = answerWhat(c.world, { ...asked, identity: `${other},${other}`, each: [other, other] }, given(c), catalogue)
    if (alone.verdict === 'allow') return undefined
    return one.verdict === several.verdict ? '' : `one: ${one.verdict}, several: ${several.verdict}`
  })
  expect(judged).toBeGreaterThan(effort(1_500, 30))
})

const world = shortWorld(
  [
    { name: 'admins', who: ['group:a/g'], on: ['t:*'], allow: ['p:*'], except: ['p:apisvc:ab'] },
    { name: 'guest', who: ['user:a/u'], on: ['u:one'], allow: ['q:apisvc:a'] },
  ],
  { resources: { 'u:one': {} }, members: { 'user:a/u': [] } },
)
const wording = {
  names: {
    identity: (urn: string) => urn,
    resource: (urn: string) => urn,
    permissionsGroup: (urn: string) => urn,
    people: (urns: readonly string[]) => urns,
  },
  when: () => undefined,
}
const now = { at: 0, groups: [] }

test('a group on a pattern that matches nothing described is a row of who, and who does not say that there is none', () => {
  const { answer, verdict } = answerWho(world, { action: 'p:apisvc:a', resource: '*', context: now }, {}, catalogue)
  expect(verdict).toBe('unknown')
  expect(answer.none).toBeUndefined()
  const [section] = answer.sections.filter(({ rows }) => rows.length > 0)
  expect(section?.title).toBe('on resources of which none is described')
  expect(section?.rows.map(({ who, on, actions: of }) => [who, on, of])).toEqual([
    [[identityOf('group:a/g')], [resourceOf('t:*')], ['p:apisvc:a']],
  ])
  expect(answerWho(world, { action: 'p:apisvc:ab', resource: '*', context: now }, {}, catalogue).verdict).toBe('deny')
  expect(answerWho(world, { action: 'q:apisvc:b', resource: '*', context: now }, {}, catalogue).answer.none?.text).toContain('nobody')
})

test('so is a pattern over identities that no described one matches', () => {
  const open = shortWorld([{ who: ['user:b/*'], on: ['t:one'], allow: ['p:apisvc:a'] }], { resources: { 't:one': {} } })
  const { answer, verdict } = answerWho(open, { action: 'p:apisvc:a', resource: '*', context: now }, {}, catalogue)
  expect(verdict).toBe('unknown')
  expect(answer.sections.flatMap(({ rows }) => rows.map(({ who }) => who))).toEqual([[identityOf('user:b/*')]])
})

test('a matrix has grants that no column is about, and names those who have them', () => {
  const byType = new ActionsByType(catalogue)
  const options = { actions: byType, reads: new Set<string>() }
  const found = matrix(world, knownNamesIn([world]), options)
  const asked = { world, withPatterns: true, given: {}, catalogue, actions: byType, run: new Budget() }
  const { found: beyond } = beyondCells(found, asked)
  expect(beyond.map(({ identities, resource }) => [identities, resource])).toEqual([[[identityOf('group:a/g')], resourceOf('t:*')]])
  expect(beyondNotes(beyond, wording.names)).toEqual([
    `not shown: grants on resources of which none is described: ${identityOf('group:a/g')} on ${resourceOf('t:*')}`,
  ])
})

test('a cell without access says nothing about resources that are not described', () => {
  const byType = new ActionsByType(catalogue)
  const closed = shortWorld(
    [
      { on: ['t:*'], allow: ['p:apisvc:a'] },
      { on: ['t:one'], deny: ['p:apisvc:a'] },
    ],
    {
      resources: { 't:one': {} },
      members: { 'user:a/u': [] },
    },
  )
  const found = matrix(closed, knownNamesIn([closed]), { actions: byType, reads: new Set<string>() })
  expect(found.rows[0]?.map(({ level }) => level)).toEqual(['none'])
  const asked = { world: closed, withPatterns: true, given: {}, catalogue, actions: byType, run: new Budget() }
  expect(beyondCells(found, asked).found.map(({ identities, resource }) => [identities, resource])).toEqual([
    [[identityOf('user:a/u')], resourceOf('t:*')],
  ])
})

test('identities that are compared are not the same where one has a grant on what is not described', () => {
  const byType = new ActionsByType(catalogue)
  const asked = { world, given: {}, catalogue, actions: byType, run: new Budget() }
  const two = [identityOf('group:a/g'), identityOf('group:a/h')]
  expect(differingBeyond({ ...asked, identities: two }).found.map(({ identities }) => identities)).toEqual([[two[0]]])
  expect(differingBeyond({ ...asked, identities: [two[1] as string, identityOf('group:a/i')] }).found).toEqual([])
})

test('a level that needs no condition is shown before one that does', () => {
  const column = { name: 't', type: 't', resources: 1 }
  const cell = {
    level: 'all',
    confidence: 'sometimes',
    resources: 1,
    condition: always,
    isPartly: false,
    policies: [],
    isRoot: false,
  } as const
  expect(cellWords({ ...cell, guaranteed: { always: 'write', sometimes: 'all' } }, column)).toBe('write; all*')
  expect(cellWords({ ...cell, guaranteed: { always: 'none', sometimes: 'all' } }, column)).toBe('all*')
  const limited = shortWorld([{ allow: ['p:*'] }, { deny: ['p:apisvc:b'], until: '2026-12-31T00:00:00Z' }], {
    resources: { 't:one': {} },
    members: { 'user:a/u': [] },
  })
  const { rows } = matrix(limited, knownNamesIn([limited]), { actions: new ActionsByType(catalogue), reads: new Set() })
  expect(rows[0]?.map((each) => cellWords(each, column))).toEqual(['write; all*'])
})

test('what of several names has what an account owns, of a type that the catalogue does not know as well', () => {
  const account = identityOf('account:ab')
  const owned = shortWorld([], { resources: { 't/s:one': {} }, members: { 'account:ab': [], 'user:a/u': [] } })
  const resources = new Map([...owned.resources].map(([urn, resource]) => [urn, { ...resource, owner: 'ab' }]))
  for (const world of [
    { ...owned, resources },
    { ...owned, account: 'ab' },
  ]) {
    const each = [account, identityOf('user:a/u')]
    const { answer, verdict } = answerWhat(world, { identity: each.join(), each, resource: undefined, context: now }, {}, catalogue)
    expect(verdict).toBe('allow')
    expect(answer.none).toBeUndefined()
    const rows = answer.sections.flatMap(({ rows }) => rows)
    expect(rows.map(({ who, on, actions: of }) => [who, on, of])).toEqual([
      [[account], [world.account === undefined ? resourceOf('t/s:one') : '*'], ['*']],
    ])
  }
})
