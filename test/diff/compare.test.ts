import { expect, test } from 'vitest'
import { compareAnswer } from '../../src/answers/compare.ts'
import { compareIdentities } from '../../src/diff/compare.ts'
import type { World } from '../../src/policy.ts'
import { ActionsByType, knownNamesIn } from '../../src/symbolic/described.ts'
import { always } from '../../src/symbolic/formula.ts'
import { Windows } from '../../src/symbolic/windows.ts'
import { machine, printed } from '../support/claims.ts'
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

test('two are not said to do the same where not all was looked at', () => {
  const world = shortWorld([{ name: 'all', who: both, on: ['t:a'], allow: ['p:x:r'] }], { members, resources: { 't:a': {} } })
  const identities = ['user:a/u', 'user:a/v'].map(identityOf) as [string, string]
  const same = compareIdentities(world, identities, knownNamesIn([world]).resources, { actions })
  const times = { at: undefined, from: 0, time: always, windows: new Windows() }
  const answerFor = (reasons: readonly string[]) => compareAnswer(same, { world, identities, times }, { found: [], reasons })
  expect(printed(answerFor([]))).toContain('may do the same on everything described')
  const open = answerFor(['not searched: 1 resource'])
  expect(printed(open)).not.toContain('may do the same')
  expect(machine(open)).toMatchObject({ verdict: 'undecided', undecided: true })
})
