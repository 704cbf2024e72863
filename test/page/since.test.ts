import { expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { sinceWords } from '../../src/answers/blame.ts'
import { Budget } from '../../src/budget.ts'
import { Blame, blamedIn } from '../../src/history/blame.ts'
import { policyEntries } from '../../src/history/effects.ts'
import { ActionsByType } from '../../src/symbolic/described.ts'
import { pageOf } from '../support/page.ts'
import { worldOf } from '../support/worlds.ts'

/** Since when entries have their effect, on a page: an effect that is not decided has a reason, and no beginning. */

const care = 'urn:v1:eu:permissionsGroup:ab12-svc:care'
const world = worldOf({
  policies: [
    {
      name: 'open',
      identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
      resources: [{ urn: 'urn:v1:eu:resource:vps:a' }],
      permissions: { allow: [] },
      permissionsGroups: [{ urn: care }],
    },
    {
      name: 'known',
      identities: ['urn:v1:eu:identity:user:ab12-svc/bob'],
      resources: [{ urn: 'urn:v1:eu:resource:vps:a' }],
      permissions: { allow: [{ action: 'vps:apisvc:get' }] },
    },
  ],
})
const date = '2026-03-01T00:00:00Z'
const commit = { id: '0'.repeat(40), short: 'c0', parents: [], author: 'ada', date, subject: 's' }

function blamedOf(steps?: number) {
  const blame = new Blame(world.policies.flatMap(policyEntries))
  blame.add(commit, { state: { isEmpty: false, world: () => world, facts: () => [], id: Symbol('only'), delta: undefined } })
  return [...blame.results({ budget: () => new Budget(steps), proofs: 5 })]
}

test('an effect that depends on a permissions group that is not described is not decided, and says why', () => {
  const words = blamedOf().flatMap((each) => (each.effect.kind === 'undecided' ? [[each.entry.list, sinceWords(each)]] : []))
  const why = `not decided: it depends on unknown facts: \`permissionsGroup:${care} allows it\`, \`permissionsGroup:${care} denies it\``
  expect(words).toEqual(['identities', 'resources', 'permissionsGroups'].map((list) => [list, why]))
})

test('an effect that takes too many steps is not decided, and says so', () => {
  const words = blamedOf(0).flatMap((each) => (each.effect.kind === 'undecided' ? [sinceWords(each)] : []))
  expect(words.length).toBeGreaterThan(0)
  for (const each of words) expect(each).toMatch(/^not decided: too many combinations/)
})

test('on a page, an effect that is not decided is not dated', () => {
  const page = { branch: 'main', count: 1, first: 'c0', last: 'c0', notes: [], isOpen: true }
  const { policies } = pageOf(world, new ActionsByType(loadCatalogue()), new Set(), undefined, { of: blamedIn(blamedOf()), page })
  const times = policies.flatMap(({ name, identities, resources }) =>
    [...identities, ...resources].map(([, , since]) => [name, since?.[1]]),
  )
  expect(times).toEqual([...['open', 'open'].map((name) => [name, -1]), ...['known', 'known'].map((name) => [name, Date.parse(date)])])
})
