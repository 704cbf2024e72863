import { describe, expect, test } from 'vitest'
import { Blocks } from '../../src/simulate/blocks.ts'
import { usualLimits } from '../../src/simulate/limits.ts'
import { anyResource, bitsPerWord, head } from '../../src/simulate/table.ts'
import { type UnitPool, Units } from '../../src/simulate/units.ts'
import { identityOf, type ShortPolicy, type ShortWorld, shortWorld } from '../support/short.ts'

/** The blocks of a world. `mostCopied`: a name or pattern with more units than this is shared. */
function blocksOf(policies: readonly ShortPolicy[], more: ShortWorld = {}, mostCopied = bitsPerWord) {
  const world = shortWorld(policies, more)
  const units = new Units(world, mostCopied, usualLimits)
  return { blocks: new Blocks(units, world, usualLimits), units }
}

/** The contents of a block, in words. */
function contents(blocks: Blocks, block: number) {
  const { data } = blocks.store
  const at = (place: number) => data[block + place] as number
  const words = at(head.words)
  const [units, shared] = [at(head.units), at(head.shared)]
  const list = (from: number, length: number) => Array.from(data.subarray(block + from, block + from + length))
  return {
    units: Array.from({ length: units }, (_, i) => blocks.unitAt(block, Math.floor(i / bitsPerWord), 1 << (i % bitsPerWord))),
    careful: list(head.length, words),
    open: list(head.length + words, words),
    shared: list(head.length + 2 * words + units, shared),
    isWherever: at(head.resources) === anyResource,
  }
}

const user = (name: string) => identityOf(`user:${name}`)
const group = (name: string) => identityOf(`group:${name}`)

describe('the block of an identity', () => {
  const members = { 'user:a/u': ['group:a/g', 'group:a/h'] }
  const policies: readonly ShortPolicy[] = [
    { who: ['user:a/u'], allow: ['*'] },
    { who: ['group:a/g', 'user:a/x'], allow: ['*'], when: { 'resource.Name': 'a' } },
    { who: ['user:a/*'], allow: ['*'] },
    { who: ['group:a/h'], groups: ['svc:far'] },
    { who: ['user:a/x'], allow: ['*'] },
    { who: ['group:a/*'], deny: ['*'] },
  ]

  test('holds the units of its name, its groups and its patterns, with those to look at and those not known', () => {
    const { blocks } = blocksOf(policies, { members })
    expect(contents(blocks, blocks.ofIdentity(user('b/nobody')))).toEqual({
      units: [],
      careful: [],
      open: [],
      shared: [],
      isWherever: false,
    })
    expect(contents(blocks, blocks.ofIdentity(user('a/u')))).toEqual({
      units: [0, 1, 3, 2, 5],
      careful: [0b00110],
      open: [0b00100],
      shared: [],
      isWherever: false,
    })
    expect(contents(blocks, blocks.ofGroup(group('a/g'))).units).toEqual([1, 5])
  })

  test('has as many words as its units need', () => {
    const { blocks } = blocksOf(
      Array.from({ length: 70 }, () => ({ allow: ['*'] })),
      {},
      100,
    )
    blocks.ofGroup(group('a/g'))
    const { units, careful } = contents(blocks, blocks.ofIdentity(user('a/u')))
    expect(units).toEqual([...Array(70).keys()])
    expect(careful).toEqual([0, 0, 0])
  })

  test('is written once', () => {
    const { blocks } = blocksOf(policies, { members })
    expect(blocks.known(user('a/u'))).toBeUndefined()
    const [block, ofGroup] = [blocks.ofIdentity(user('a/u')), blocks.ofGroup(group('a/g'))]
    const { length } = blocks.store
    expect([blocks.ofIdentity(user('a/u')), blocks.ofGroup(group('a/g')), blocks.known(user('a/u'))]).toEqual([block, ofGroup, block])
    expect(blocks.store.length).toBe(length)
  })

  test('names shared sources, whose units are not in it', () => {
    const shared = [{ who: ['user:a/*'], on: ['t:a'], allow: ['*'] }, { who: ['user:a/*', 'user:a/u'], allow: ['*'] }, { allow: ['*'] }]
    const { blocks, units } = blocksOf(shared, {}, 1)
    expect(units.shared.map((source) => source.units)).toEqual([
      [1, 2],
      [0, 1],
    ])
    expect(contents(blocks, blocks.ofIdentity(user('a/u')))).toMatchObject({ units: [], shared: [0, 1] })
    expect(contents(blocks, blocks.ofIdentity(user('a/x')))).toMatchObject({ units: [], shared: [1] })
  })
})

describe('the block of a shared source', () => {
  test('holds its units about a resource, whichever it is', () => {
    const { blocks, units } = blocksOf(
      [
        { on: ['t:a'], allow: ['*'] },
        { on: ['t:b'], allow: ['*'] },
        { on: ['t:a', 't:c'], allow: ['*'] },
      ],
      {},
      1,
    )
    const [source] = units.shared as [UnitPool]
    const numberOf = (name: string) =>
      units.resources.add({ text: `urn:v1:eu:resource:t:${name}`, pieces: [`urn:v1:eu:resource:t:${name}`] })
    const block = blocks.ofShared(source, numberOf('a'))
    expect(contents(blocks, block)).toEqual({ units: [0, 2], careful: [0], open: [0], shared: [], isWherever: true })
    expect(blocks.accountOf(block)).toBe(-1)
    expect(contents(blocks, blocks.ofShared(source, numberOf('b'))).units).toEqual([1])
    expect(blocks.ofShared(source, numberOf('a'))).toBe(block)
    expect(blocks.ofShared(source, numberOf('z'))).toBe(-1)
    const { length } = blocks.store
    expect([blocks.ofShared(source, numberOf('z')), blocks.store.length]).toEqual([-1, length])
  })
})

describe('the account of a block', () => {
  test('is that of a user or service account, and below -1 where it is the account', () => {
    const { blocks } = blocksOf([])
    const accountOf = (urn: string) => blocks.accountOf(blocks.ofIdentity(urn))
    const urns = ['user:a/u', 'account:b', 'credential:c/oauth2-x', 'user:b/u', 'account:a', 'user:a/v'].map(identityOf)
    expect(urns.map(accountOf)).toEqual([0, -3, 2, 1, -2, 0])
    expect(blocks.accounts).toEqual(['a', 'b', 'c'])
  })

  test.each([group('a/g'), user('a/*'), user('a'), 'urn:v1:eu:resource:t:a', ''])('is none of %j', (text) => {
    const { blocks } = blocksOf([])
    expect([blocks.accountOf(blocks.ofIdentity(text)), blocks.accountOf(blocks.ofGroup(text))]).toEqual([-1, -1])
    expect(blocks.accounts).toEqual([])
  })
})

describe('what is remembered', () => {
  /** So many strangers fit, each with an empty block. */
  const most = Math.floor(2 ** 24 / (256 + head.length))
  const policies: readonly ShortPolicy[] = [{ who: ['user:a/named', 'group:a/named'], allow: ['*'] }]
  const members = { 'user:a/described': ['group:a/described'], 'user:a/other': ['group:a/other'] }

  test.each<[string, (blocks: Blocks, urn: string) => void, (name: string) => string]>([
    ['identities', (blocks, urn) => blocks.ofIdentity(urn), user],
    ['groups', (blocks, urn) => blocks.ofGroup(urn), group],
  ])('of %s that no policy names is bounded', (_, remember, named) => {
    const { blocks } = blocksOf(policies, { members })
    for (let i = 0; i < most; i++) remember(blocks, named(`b/${i}`))
    expect(blocks.isFull()).toBe(false)
    // Names of policies or of the inventory do not count, nor those that are remembered.
    for (const name of ['a/named', 'a/described', 'a/other', 'b/0']) remember(blocks, named(name))
    expect(blocks.isFull()).toBe(false)
    remember(blocks, named('b/last'))
    expect(blocks.isFull()).toBe(true)
  })

  test('is less where many patterns match a stranger', () => {
    const many = Array.from({ length: 400 }, (_, i) => ({ who: ['user:*'], on: [`t:${i}`], allow: ['*'] }))
    const { blocks } = blocksOf(many, {}, 1000)
    blocks.ofIdentity(user('b/0'))
    const size = 256 + blocks.store.length
    const fit = Math.floor(2 ** 24 / size)
    expect(fit).toBeLessThan(most / 10)
    for (let i = 1; i < fit; i++) blocks.ofIdentity(user(`b/${i}`))
    expect(blocks.isFull()).toBe(false)
    blocks.ofIdentity(user(`b/${fit}`))
    expect(blocks.isFull()).toBe(true)
  })

  test('is nothing after it was time to forget', () => {
    const { blocks, units } = blocksOf([{ allow: ['*'] }, { allow: ['*'] }], {}, 1)
    const [source] = units.shared as [UnitPool]
    for (let i = 0; i <= most; i++) blocks.ofGroup(group(`b/${i}`))
    blocks.ofIdentity(user('a/u'))
    blocks.ofShared(source, 0)
    blocks.forget()
    expect([blocks.isFull(), blocks.store.length, blocks.accounts, blocks.known(user('a/u'))]).toEqual([false, 0, [], undefined])
    expect(source.blocks.size).toBe(0)
    // Resources that are asked for again have places in the new store.
    const ofGroup = blocks.ofGroup(group('b/1'))
    const ofUser = blocks.ofIdentity(user('c/u'))
    expect([ofGroup, ofUser, blocks.accountOf(ofUser), blocks.accounts]).toEqual([0, head.length, 0, ['c']])
    expect(contents(blocks, blocks.ofIdentity(user('a/u')))).toMatchObject({ units: [], shared: [0] })
  })
})
