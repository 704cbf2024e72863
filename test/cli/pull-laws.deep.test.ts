import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { Io } from '../../src/cli/app/io.ts'
import { main } from '../../src/cli/main.ts'
import { defaultSettings } from '../../src/names.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { readYaml } from '../../src/parser/yaml.ts'
import type { World } from '../../src/policy.ts'
import { canonical, type Fields, onlyMap, syncFields, type Value, yamlFile } from '../../src/propose/sync.ts'
import { decide } from '../../src/simulate/decide.ts'
import { sourceOf } from '../../src/source.ts'
import { plainValue } from '../../src/tree.ts'
import { type AccountServer, clientId, clientSecret, startAccount } from '../support/account-server.ts'
import { type Plain, someValue, writeDocument } from '../support/documents.ts'
import { effort } from '../support/effort.ts'
import { wellFormed } from '../support/well-formed.ts'
import { generate, pick, questionOf, type Random, randomOf, shuffled, type WorldJson, worldOf } from '../support/worlds.ts'

let server: AccountServer
let folder: string
beforeAll(async () => {
  server = await startAccount()
  folder = mkdtempSync(join(tmpdir(), 'grantwise-pull-'))
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function pull(...args: string[]): Promise<{ readonly code: number; readonly said: string }> {
  let said = ''
  const sink: Io['stdout'] = {
    write(text) {
      said += text
      return true
    },
    isTerminal: () => false,
  }
  const env = {
    GRANTWISE_BASE_URL: server.url,
    GRANTWISE_AUTH_URL: server.url,
    GRANTWISE_CLIENT_ID: clientId,
    GRANTWISE_CLIENT_SECRET: clientSecret,
  }
  const code = await main(['pull', ...args], { stdin: async function* () {}, stdout: sink, stderr: sink, env, cwd: folder, now: Date.now })
  return { code, said }
}

/** Serve a world as the service lists it: with ids and null fields, in some order. What is listed twice counts once. */
function serve(random: Random, world: WorldJson): void {
  const { lists } = server
  const ids = new Map(world.resources.map(({ urn }, i) => [urn, `resource-${i}`]))
  lists.policies = shuffled(random, world.policies).map((policy) => ({
    conditions: null,
    expiredAt: null,
    ...policy,
    id: `${world.policies.indexOf(policy)}-${policy.name}`,
    owner: world.account ?? 'ab12-svc',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: null,
    resources: policy.resources.map((resource) => ({ ...resource, id: ids.get(resource.urn) ?? 'unknown', resource: null, group: null })),
    permissions: { allow: null, except: [], deny: [], ...policy.permissions },
  }))
  lists.permissionsGroups = world.permissionsGroups.map((group) => ({ ...group, id: 'x', owner: 'ab12-svc', readOnly: true }))
  // Members are named by ids where they are known.
  lists.resourceGroups = world.resourceGroups.map((group) => ({
    ...group,
    resources: group.resources.map((member) =>
      member.urn !== undefined && ids.has(member.urn) && random() < 0.7 ? { id: ids.get(member.urn) } : member,
    ),
  }))
  lists.resources = world.resources.map((resource, i) => ({ tags: null, ...resource, id: `resource-${i}`, displayName: null }))
}

const files = () => ['world.yaml', ...readdirSync(join(folder, 'policies')).map((name) => join('policies', name))]
const state = () =>
  [...files(), '.grantwise-pull.json'].map((file) => [
    file,
    readFileSync(join(folder, file), 'utf8'),
    statSync(join(folder, file), { bigint: true }).mtimeNs,
  ])

async function worldOfFolder(): Promise<World> {
  const reads = await Promise.all(
    files().map((file) => readSource(sourceOf(file, readFileSync(join(folder, file), 'utf8'), 'yaml'), defaultSettings)),
  )
  const { world, diagnostics } = buildWorld(reads.map(({ facts }) => facts))
  const problems = [...reads.flatMap((read) => read.diagnostics), ...diagnostics].filter(({ severity }) => severity === 'error')
  expect(problems.map(({ message }) => message)).toEqual([])
  return world
}

test('the files decide as the account does, after each of many changes, and pulling twice changes nothing', async () => {
  const seed = 20_261_120
  const random = randomOf(seed)
  const verdicts = new Map<string, number>()
  // The identities are the folder's own; everything else changes from one world to the next.
  for (let i = 0; i < effort(20, 4); i++) {
    const { world, questions } = generate(random, 120)
    serve(random, world)
    const { identities, account = 'ab12-svc', ...rest } = world
    const first = await pull('--account', account, '--page-size', '3', ...(i === 0 ? [] : ['--force']))
    expect(first.code, first.said).toBe(0)
    const before = state()
    const again = await pull('--account', account)
    expect(again.code, again.said).toBe(0)
    expect(state()).toEqual(before)
    expect((await pull('--account', account, '--check')).code).toBe(0)
    writeFileSync(join(folder, 'own.json'), JSON.stringify({ identities }))
    const [theirs, ours] = [worldOf({ ...rest, account, identities }), await worldOfFolder()]
    const withIdentities: World = { ...ours, identities: theirs.identities }
    for (const written of questions) {
      const question = questionOf(written)
      const { verdict, reason, missing, caveats } = decide(theirs, question)
      const own = decide(withIdentities, question)
      const same = { verdict: own.verdict, reason: own.reason, missing: [...own.missing].sort(), caveats: [...own.caveats].sort() }
      expect(same, `seed ${seed}, world ${i}: ${JSON.stringify({ world, written })}`).toEqual({
        verdict,
        reason,
        missing: [...missing].sort(),
        caveats: [...caveats].sort(),
      })
      verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1)
    }
    rmSync(join(folder, 'own.json'))
  }
  for (const verdict of ['allow', 'deny', 'unknown']) expect(verdicts.get(verdict) ?? 0).toBeGreaterThan(effort(50, 4))
})

/** Another value, near to one. */
function near(random: Random, value: Value, depth = 3): Value {
  if (Array.isArray(value)) {
    const items = value.flatMap((item: Value): Value[] =>
      random() < 0.15 ? [] : random() < 0.3 ? [near(random, item, depth - 1)] : [item],
    )
    return random() < 0.3 ? [...items, present(someValue(random, 1))] : items
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).flatMap(([key, part]): [string, Value][] =>
      random() < 0.12 ? [] : random() < 0.3 ? [[key, near(random, part, depth - 1)]] : [[key, part]],
    )
    return random() < 0.3
      ? { ...Object.fromEntries(entries), [pick(random, ['new', 'urn', 'a b'])]: present(someValue(random, depth)) }
      : Object.fromEntries(entries)
  }
  return random() < 0.5 ? value : present(someValue(random, 1))
}

/** The value without nulls in lists, which the service does not write. */
function present(value: Plain): Value {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(present)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, present(part)]))
  return value ?? 'none'
}

test('a text that is brought to a value says it, is as it was where nothing differs, and keeps every comment where things are only added', () => {
  const seed = 7
  const random = randomOf(seed)
  const counts = { synced: 0, given: 0, same: 0 }
  for (let i = 0; i < effort(1100, 10); i++) {
    const value = present({ name: 'x', body: someValue(random, 3), list: someValue(random, 2) }) as Fields
    const { text } = writeDocument(random, value as Plain, false)
    const source = sourceOf('d.yaml', text)
    if (!onlyMap(source, readYaml)) continue
    counts.given++
    expect(syncFields(source, value, Object.keys(value), readYaml)).toBe(text)
    const more = { ...value, ...(Array.isArray(value.list) && { list: [...value.list, 'added'] }), added: { urn: 'x' } }
    const longer = syncFields(source, more, Object.keys(more), readYaml)
    if (longer !== undefined) for (const [comment] of text.matchAll(/# c\d+;/g)) expect(longer).toContain(comment)
    const wanted = { name: 'x', ...(near(random, value) as Fields) }
    const managed = [...new Set([...Object.keys(value), ...Object.keys(wanted)])]
    const synced = syncFields(source, wanted, managed, readYaml)
    if (synced === undefined) continue
    counts.synced++
    const map = onlyMap(sourceOf('d.yaml', synced), readYaml)
    const shown = `seed ${seed}, ${i}:\n${text}\n-----\n${synced}\n-----\n${JSON.stringify(wanted)}`
    expect(map && canonical(plainValue(map) as Value), shown).toBe(canonical(wanted))
    if (canonical(wanted) === canonical(value)) expect(synced).toBe(text)
  }
  expect(counts.given).toBeGreaterThan(effort(700, 10))
  expect(counts.synced).toBeGreaterThan(0.8 * counts.given)
})

test('what is written of a value is read as that value', () => {
  const random = randomOf(3)
  for (let i = 0; i < effort(2000, 10); i++) {
    const value = { name: 'x', body: present(someValue(random, 4)) }
    const map = onlyMap(sourceOf('d.yaml', yamlFile(value)), readYaml)
    expect(map && JSON.stringify(plainValue(map)), yamlFile(value)).toBe(JSON.stringify(value))
  }
})

/** A policy as users lay it out. */
const layouts: readonly ((policy: Fields) => string)[] = [
  (policy) => `# team\n${stringify(policy)}`,
  (policy) => stringify(policy, { defaultStringType: 'QUOTE_DOUBLE', lineWidth: 0 }),
  (policy) => stringify(policy, { defaultStringType: 'QUOTE_SINGLE', lineWidth: 0, indentSeq: false }),
  (policy) => stringify(policy, { indent: 4 }).replaceAll('\n', ' # why\n'),
  (policy) => stringify(policy, { collectionStyle: 'flow' }),
  (policy) => stringify(policy, { collectionStyle: 'flow', lineWidth: 0 }),
  (policy) => JSON.stringify(policy, null, 2),
  (policy) => stringify(policy).replaceAll('\n', '\r\n'),
]

test('every policy in every usual layout can be brought to every other one', () => {
  const random = randomOf(5)
  const plainPolicy = (i: number) => JSON.parse(JSON.stringify(wellFormed(random, i))) as Fields
  for (let i = 0; i < effort(1000, 10); i++) {
    const [a, b] = [plainPolicy(i), plainPolicy(i + 7)]
    const text = pick(random, layouts)(a)
    const wanted = random() < 0.5 ? b : ({ ...a, permissions: b.permissions, resources: b.resources } as Fields)
    expect(onlyMap(sourceOf('p.yaml', text), readYaml), text).toBeDefined()
    const synced = syncFields(sourceOf('p.yaml', text), wanted, [...Object.keys(a), ...Object.keys(wanted)], readYaml)
    const map = synced === undefined ? undefined : onlyMap(sourceOf('p.yaml', synced), readYaml)
    expect(map && canonical(plainValue(map) as Value), `${text}\n-----\n${synced}\n-----\n${JSON.stringify(wanted)}`).toBe(
      canonical(wanted),
    )
  }
})
