import { expect, test } from 'vitest'
import { compareIdentities } from '../../src/diff/compare.ts'
import type { World } from '../../src/policy.ts'
import { ActionsByType, knownNamesIn } from '../../src/symbolic/described.ts'
import { identityOf, type ShortPolicy, shortWorld } from '../support/short.ts'

/** Causes, order and number of the rows of a comparison. */

const actions = new ActionsByType({ products: ['p'], typesOf: () => ['t'], actionsOf: () => ['p:x:r', 'p:x:s', 'p:x:w'] })
const members = { 'user:a/u': [], 'user:a/v': [] }
const hour = (from: number, to: number) => ({ 'date(UTC).Hour.GE': `${from}`, 'date(UTC).Hour.LT': `${to}` })

function rowsOf(world: World): readonly string[] {
  const [first, second] = compareIdentities(
    world,
    ['user:a/u', 'user:a/v'].map(identityOf) as [string, string],
    knownNamesIn([world]).resources,
    {
      actions,
    },
  ).only
  const names = (list: readonly { readonly policy: { readonly name: { readonly value: string } } }[]) =>
    [...new Set(list.map(({ policy }) => policy.name.value))].join(' ')
  return [first, second].flatMap((rows, side) =>
    rows.map(
      ({ actions: of, resources, certain, grants, denies, others }) =>
        `${'uv'[side]} ${certain ? 'may' : 'perhaps'} ${of.join()} on ${resources.map((urn) => urn.split(':').at(-1)).join()}; by ${names(grants)}; denied by ${names(denies)}; granted to the other by ${names(others)}`,
    ),
  )
}

const compared = (...policies: readonly ShortPolicy[]) => rowsOf(shortWorld(policies, { members, resources: { 't:a': {}, 't:b': {} } }))
const both = ['user:a/u', 'user:a/v']

test('rows that are certain come before those that may be', () => {
  expect(
    compared(
      { name: 'perhaps', on: ['t:a'], allow: ['p:x:r'], when: { 'request.Mood': 'good' } },
      { name: 'sure', on: ['t:b'], allow: ['p:x:r'] },
    ),
  ).toEqual([
    'u may p:x:r on b; by sure; denied by ; granted to the other by ',
    'u perhaps p:x:r on a; by perhaps; denied by ; granted to the other by ',
  ])
})

test('a row names the denials that apply where it holds, and no others', () => {
  expect(
    compared(
      { name: 'morning', on: ['t:a'], allow: ['p:x:r'], when: hour(6, 12) },
      { name: 'day', who: ['user:a/v'], on: ['t:a'], allow: ['p:x:r'], when: hour(6, 23) },
      { name: 'not early', who: ['user:a/v'], on: ['t:a'], deny: ['p:x:r'], when: hour(6, 8) },
      { name: 'not late', who: ['user:a/v'], on: ['t:a'], deny: ['p:x:r'], when: hour(20, 22) },
    ),
  ).toEqual([
    'u may p:x:r on a; by morning; denied by not early; granted to the other by day',
    'v may p:x:r on a; by day; denied by ; granted to the other by morning',
  ])
})

test('actions and resources with the same cause are one row', () => {
  expect(
    compared(
      { name: 'all', allow: ['*'] },
      { name: 'some', who: both, on: ['t:a'], allow: ['p:x:r'] },
      { name: 'no', who: ['user:a/v'], deny: ['*:w'] },
    ),
  ).toEqual([
    'u may p:x:s on a; by all; denied by ; granted to the other by ',
    'u may p:x:w on a,b; by all; denied by no; granted to the other by ',
    'u may p:x:r,p:x:s on b; by all; denied by ; granted to the other by ',
  ])
})
