import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Refusal } from '../../src/cli/app/refusal.ts'
import { loadWorld, type QuestionOptions } from '../../src/cli/input/world.ts'
import type { World } from '../../src/policy.ts'
import { isDeep } from '../support/effort.ts'
import { ioIn } from '../support/in-process.ts'
import { pick, randomOf } from '../support/worlds.ts'
import type { Case } from './cases.ts'
import { type Call, callOf } from './decided.ts'

/** The folders of `examples/` that commands decide over, with questions about the names that they have. */

const root = fileURLToPath(new URL('../../examples/', import.meta.url))
const lists = { policies: [], with: [], without: [], group: [], tag: [], var: [], varFile: [], root: [] }
const callsOfEach = 400
/** How many folders are decided at least: fewer are a fault of what reads them. */
const fewestFolders = 15

/** A folder as `can` reads it there; undefined where it refuses to decide. */
async function worldOf(folder: string): Promise<World | undefined> {
  const { io } = ioIn(`${root}${folder}`, {})
  const loaded = await loadWorld(lists as unknown as QuestionOptions, io).catch((error) => {
    if (!(error instanceof Refusal)) throw error
  })
  return loaded && loaded.world.policies.length > 0 ? loaded.world : undefined
}

export async function examples(): Promise<readonly Case[]> {
  const cases: Case[] = []
  for (const name of readdirSync(root)) {
    const world = await worldOf(name)
    if (world) cases.push({ name: `examples/${name}`, world, calls: callsOf(world) })
  }
  if (cases.length < fewestFolders) throw new Error(`only ${cases.length} folders of examples/ are decided: ${fewestFolders} are expected`)
  return cases
}

/** For engines that take seconds for each world: the largest, and all of them in a deep run. */
export const fewExamples = async (): Promise<readonly Case[]> => (await examples()).filter(({ name }) => isDeep || name === 'examples/acme')

/** Names that patterns match. A group is also each of its members. */
const namesOf = (patterns: Iterable<string>, lone: string, members: ReadonlyMap<string, readonly string[]> = new Map()) => [
  ...new Set(
    [...patterns].flatMap((text) =>
      text === '*' ? [lone] : [...(members.get(text) ?? []), ...['x', 'prod-1'].map((part) => text.replaceAll('*', part))],
    ),
  ),
]

/** Questions of which most are about the names of one policy. */
function callsOf(world: World): readonly Call[] {
  const [user, resource, action] = ['urn:v1:eu:identity:user:ab12-svc/ann', 'urn:v1:eu:resource:vps:vps-1', 'vps:apisvc:reboot']
  const ofGroups = new Map<string, string[]>()
  for (const [member, { groups }] of world.identities)
    for (const group of groups) ofGroups.set(group, [...(ofGroups.get(group) ?? []), member])
  const ofResourceGroups = new Map([...world.resourceGroups].map(([group, { members }]) => [group, [...members]]))
  const about = (policies: World['policies']) => {
    const sets = policies.flatMap((policy) => [
      policy.permissions,
      ...policy.permissionsGroups.flatMap(({ value }) => world.permissionsGroups.get(value.text)?.permissions ?? []),
    ])
    return {
      identities: namesOf([user, ...policies.flatMap((policy) => policy.identities.map(({ value }) => value.text))], user, ofGroups),
      resources: namesOf([...policies.flatMap((policy) => policy.resources.map(({ value }) => value.text))], resource, ofResourceGroups),
      actions: namesOf(
        [action, ...sets.flatMap((set) => [...set.allow, ...set.except, ...set.deny].map(({ value }) => value.text))],
        action,
      ),
    }
  }
  const of = [...world.policies.map((policy) => about([policy])), about(world.policies)]
  const random = randomOf(1)
  const perhaps = <T>(values: readonly T[]) => (random() < 0.6 ? pick(random, values) : undefined)
  return Array.from({ length: callsOfEach }, () => {
    const { identities, resources, actions } = pick(random, of)
    const [at, ip] = [
      perhaps(['2026-03-02T09:30:00Z', '2026-12-24T23:10:00Z', '2031-06-01T04:00:00Z']),
      perhaps(['10.1.2.3', '203.0.113.9']),
    ]
    const tags = perhaps<Readonly<Record<string, string>>>([{ env: 'prod' }, { env: 'test', team: 'web' }, {}])
    return callOf({
      identity: pick(random, identities),
      action: pick(random, actions),
      resource: pick(random, resources),
      ...(at && { at }),
      ...(ip && { ip }),
      ...(tags && { tags }),
    })
  })
}
