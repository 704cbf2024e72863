import { expect, test } from 'vitest'
import { effort } from '../support/effort.ts'
import { generate, randomOf } from '../support/worlds.ts'
import { mixed, together, worldOfJson } from './cases.ts'
import { callOf, differences } from './decided.ts'
import { type EngineName, open } from './engine.ts'

/** A share of what `npm run test:engines` tries, on the engines that need Node alone. */

test.each<[EngineName, number, number]>([
  ['duckdb', 20, 32],
  ['duckdb', 19, 1],
  ['duckdb', 18, 2],
  ['pglite', 80, 2],
])('%s decides as the simulator, of a share of %i and patterns that are wide from %i units', async (name, share, wideFrom) => {
  const engine = await open(name)
  expect((await differences(engine, together('a share', mixed(share)), { wideFrom })).wrong).toEqual([])
  await engine.close()
})

test('a group that all policies name decides as the simulator, with and without classes', async () => {
  const everyone = 'urn:v1:eu:identity:group:ab12-svc/everyone'
  const engine = await open('duckdb')
  for (let seed = 1; seed <= effort(40, 8); seed++) {
    const { world, questions } = generate(randomOf(seed), 40)
    const written = {
      ...world,
      policies: (world.policies ?? []).map((policy) => ({ ...policy, identities: [...policy.identities, everyone] })),
      identities: [...new Set(questions.map(({ identity }) => identity))].map((urn, i) => ({
        urn,
        groups: [...(world.identities?.find((each) => each.urn === urn)?.groups ?? []), ...(i % 4 === 3 ? [] : [everyone])],
      })),
    }
    const one = { name: `seed ${seed}`, world: worldOfJson(written), calls: questions.map(callOf) }
    for (const wideFrom of [1, 3, 1000]) expect((await differences(engine, one, { wideFrom })).wrong).toEqual([])
  }
  await engine.close()
})

test('a resource that matches nothing may be of a group that is not described, also for classes', async () => {
  const identity = 'urn:v1:eu:identity:user:ab12-svc/ann'
  const resources = [{ urn: 'urn:v1:eu:resourceGroup:aaaaaaaa-0000-4000-8000-000000000001' }]
  const policies = ['one', 'two'].map((name) => ({
    name,
    identities: [identity],
    resources,
    permissions: { allow: [{ action: 'vps:*' }] },
  }))
  const world = worldOfJson({ policies, identities: [{ urn: identity, groups: [] }] })
  const engine = await open('duckdb')
  const calls = [callOf({ identity, action: 'vps:apisvc:get', resource: 'urn:v1:eu:resource:vps:other' })]
  for (const wideFrom of [1, 32]) {
    const found = await differences(engine, { name: `from ${wideFrom}`, world, calls }, { wideFrom })
    expect(found).toMatchObject({ wrong: [], left: 1 })
  }
  await engine.close()
})
