import { expect, test } from 'vitest'
import { Budget } from '../../src/budget.ts'
import { effectOf, type PolicyEntry, policyEntries } from '../../src/history/effects.ts'
import { Memo } from '../../src/memo.ts'
import type { Policy, World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import { withKnownTags } from '../../src/simulate/question.ts'
import { untilSeen } from '../support/effort.ts'
import { generate, questionOf, randomOf, usualKnobs, worldOf } from '../support/worlds.ts'

/** The effect of an entry, as decisions with and without it say: over all policies, and not only over those that were compared. */

const options = () => ({ budget: () => new Budget(), keep: new Memo().keep })

/** A world in which a policy has one entry less. */
function without(world: World, { policy, list, span }: PolicyEntry): World {
  const others = <T extends { readonly span: object }>(all: readonly T[]) => all.filter((each) => each.span !== span)
  const now: Policy =
    list === 'allow' || list === 'except' || list === 'deny'
      ? { ...policy, permissions: { ...policy.permissions, [list]: others(policy.permissions[list]) } }
      : { ...policy, [list]: others<Policy['identities' | 'resources' | 'permissionsGroups'][number]>(policy[list]) }
  return { ...world, policies: world.policies.map((each) => (each === policy ? now : each)) }
}

test('a question that shows an effect is answered otherwise without the entry, and where there is none no question is', () => {
  const seen = { effective: 0, none: 0, undecided: 0, group: 0 }
  const random = randomOf(20_261_203)
  for (const _ of untilSeen(seen, 200)) {
    const { world: written, questions } = generate(random, 20, usualKnobs)
    const world = worldOf(written)
    for (const policy of world.policies)
      for (const entry of policyEntries(policy)) {
        const effect = effectOf(world, entry, options())
        const less = without(world, entry)
        const where = () => `${policy.name.value} ${entry.list} ${entry.text} ${JSON.stringify(written)}`
        seen[effect.kind]++
        if (effect.kind === 'effective')
          expect(decide(world, effect.question).verdict, where()).not.toBe(decide(less, effect.question).verdict)
        if (effect.kind !== 'none') continue
        seen.group += Number(policy.resources.some(({ value }) => value.kind === 'group'))
        for (const each of questions.map(questionOf)) {
          const [asked, then] = [world, less].map((of) => decide(of, withKnownTags(each, of)).verdict)
          expect(asked, where()).toBe(then)
        }
      }
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})

test('what a resource group grants as well is no effect of an entry', () => {
  const [ann, server] = ['urn:v1:eu:identity:user:ab12-svc/ann', 'urn:v1:eu:resource:vps:a']
  const servers = 'urn:v1:eu:resourceGroup:5e9e3e4a-5a4b-4b5b-8b5a-0d5c5b5a5e5f'
  const policy = (name: string, urn: string) => ({
    name,
    identities: [ann],
    resources: [{ urn }],
    permissions: { allow: [{ action: 'vps:apisvc:get' }] },
  })
  const world = worldOf({
    policies: [policy('one', server), policy('all', servers)],
    resourceGroups: [{ urn: servers, name: 'servers', resources: [{ urn: server }] }],
  })
  const [one] = world.policies as [Policy]
  expect(policyEntries(one).map((entry) => effectOf(world, entry, options()).kind)).toEqual(['none', 'none', 'none'])
})
