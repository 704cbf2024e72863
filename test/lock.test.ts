import { expect, test } from 'vitest'
import { isSameAccess, lockOf } from '../src/lock/lock.ts'
import { readLock } from '../src/lock/read.ts'
import { defaultSettings } from '../src/names.ts'
import type { World } from '../src/policy.ts'
import { decide } from '../src/simulate/decide.ts'
import { emptyWorld } from '../src/world.ts'
import { generate, type PolicyJson, questionOf, type Random, randomOf, shuffled, type WorldJson, worldOf } from './support/worlds.ts'

async function reread(text: string): Promise<World> {
  const { world, diagnostics } = await readLock({ path: 'grantwise.lock', text }, defaultSettings)
  if (!world) throw new Error(`${JSON.stringify(diagnostics.map(({ message }) => message))}\n${text}`)
  return world
}

function textOf(world: World): string {
  const { text, culprits } = lockOf(world)
  if (text === undefined) throw new Error(`not told: ${culprits.join(', ')}`)
  return text
}

function shown(written: WorldJson, text: string): string {
  return `${JSON.stringify(written, undefined, 1)}\n${text}`
}

/** What a lockfile is about: policies and the groups they name, without who is in which group. */
function withoutIdentities({ policies, permissionsGroups, resourceGroups }: World): World {
  return { ...emptyWorld, policies, permissionsGroups, resourceGroups }
}

/** Policies that say the same: in another order, under other names, doubled, cut in pieces. */
function rewritten(world: WorldJson, random: Random): WorldJson {
  const half = <T>(list: readonly T[]): T[][] => {
    const at = Math.floor(random() * (list.length + 1))
    return [list.slice(0, at), list.slice(at)].filter((part) => part.length > 0)
  }
  const pieces = (policy: PolicyJson): PolicyJson[] => {
    const name = `policy ${Math.floor(random() * 1e6)}`
    switch (Math.floor(random() * 4)) {
      case 0:
        return half(policy.identities).map((identities) => ({ ...policy, name, identities: shuffled(random, identities) }))
      case 1:
        return half(policy.resources).map((resources) => ({ ...policy, name, resources: shuffled(random, resources) }))
      case 2: {
        const { allow = [], except, deny = [] } = policy.permissions
        const { permissionsGroups: _, ...own } = policy
        return [
          ...half(allow).map((part) => ({ ...own, name, permissions: { allow: part, ...(except && { except }) } })),
          ...half(deny).map((part) => ({ ...own, name, permissions: { deny: part } })),
          ...(policy.permissionsGroups ? [{ ...policy, name, permissions: {} }] : []),
        ]
      }
      default:
        return [policy, { ...policy, name }]
    }
  }
  return { ...world, policies: shuffled(random, world.policies.flatMap(pieces)) }
}

test('the lockfile says what the policies say, is read as it was written, and is the same for the same said otherwise', async () => {
  const random = randomOf(11)
  let verdicts = 0
  let others = 0
  for (let i = 0; i < 200; i++) {
    const { world: written, questions } = generate(random, 6)
    const world = worldOf(written)
    const text = textOf(world)
    const locked = await reread(text)
    expect(isSameAccess(world, locked), shown(written, text)).toBe('same')
    for (const each of questions) {
      const question = questionOf(each)
      const { verdict } = decide(withoutIdentities(world), question)
      const context = { resources: world.resources, ...(world.account !== undefined && { account: world.account }) }
      expect(decide({ ...locked, ...context }, question).verdict, `${JSON.stringify(each)}\n${shown(written, text)}`).toBe(
        decide({ ...withoutIdentities(world), ...context }, question).verdict,
      )
      if (verdict === 'allow') verdicts++
    }
    const other = rewritten(written, random)
    if (textOf(worldOf(other)) !== text) others++
    if (i % 5 === 0) expect(isSameAccess(worldOf(other), locked), shown(other, text)).toBe('same')
  }
  expect(verdicts).toBeGreaterThan(100)
  // Now and then the same is said by other patterns: then it is the same by proof only.
  expect(others).toBeLessThan(10)
})
