import { expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { loadOperations } from '../../src/actions/operations.ts'
import { readAddress } from '../../src/conditions/address.ts'
import type { RoutedService as Service } from '../../src/emulator/api/respond.ts'
import { respond } from '../../src/emulator/api/respond.ts'
import { readSeed } from '../../src/emulator/control/seed.ts'
import type { Reply, ServiceRequest } from '../../src/emulator/model/exchange.ts'
import { openState } from '../../src/emulator/model/state.ts'
import { createService } from '../../src/emulator/service.ts'
import { glob } from '../../src/glob.ts'
import { defaultSettings } from '../../src/names.ts'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Verdict } from '../../src/simulate/decision.ts'
import { sourceOf } from '../../src/source.ts'
import { what } from '../../src/symbolic/what.ts'
import { testPorts } from '../support/service.ts'
import { pick, type Random, randomOf, shuffled, worldOfTexts } from '../support/worlds.ts'

/**
 * Seeds with several accounts: whatever an account's caller asks of the emulator is decided as `can` decides it over the
 * files of that account and the inventory. SEED=N tries other seeds, ACCOUNT_WORLDS=N more of them.
 */

const seed = Number(process.env.SEED ?? 20261122)
const rounds = Number(process.env.ACCOUNT_WORLDS ?? 8)

const catalogue = loadCatalogue()
const operations = loadOperations()
const ip = '192.0.2.1'

interface TestAccount {
  readonly id: string
  readonly region: 'eu' | 'ca'
}
const accounts: readonly TestAccount[] = [
  { id: 'ab12-svc', region: 'eu' },
  { id: 'cd34-svc', region: 'eu' },
  { id: 'ef56-svc', region: 'ca' },
]
/** An owner that is no account of the emulator. */
const stranger = 'zz99-svc'

type Row = Readonly<Record<string, unknown>>
interface OfAccount {
  readonly policies: Row[]
  readonly permissionsGroups: Row[]
  readonly resourceGroups: Row[]
}
interface Inventory {
  readonly urn: string
  readonly owner?: string
  readonly tags?: Readonly<Record<string, string>>
}
interface AssetOf {
  readonly urn: string
  readonly path: string
  readonly owner: string
}
interface Generated {
  readonly of: ReadonlyMap<string, OfAccount>
  readonly inventory: readonly Inventory[]
  readonly identities: readonly { readonly urn: string; readonly groups: readonly string[] }[]
  readonly assets: readonly AssetOf[]
}

const names = ['one', 'two', 'three']
const types = ['vps', 'webHosting', 'vrackServices', 'publicCloudProject'] as const
const actions = [
  'vps:apisvc:get',
  'vps:apisvc:put',
  'vps:apisvc:reboot',
  'vps:apisvc:snapshot/delete',
  'webHosting:apisvc:get',
  'webHosting:apisvc:edit',
  'vrackServices:apisvc:resource/get',
  'vrackServices:apisvc:resource/edit',
  'publicCloudProject:apisvc:rancher/delete',
]
const calls = [
  ['GET', '/v1/vps/{}', 'vps', 'vps:apisvc:get'],
  ['PUT', '/v1/vps/{}', 'vps', 'vps:apisvc:put'],
  ['POST', '/v1/vps/{}/reboot', 'vps', 'vps:apisvc:reboot'],
  ['DELETE', '/v1/vps/{}/snapshot', 'vps', 'vps:apisvc:snapshot/delete'],
  ['GET', '/v1/hosting/web/{}', 'webHosting', 'webHosting:apisvc:get'],
  ['PUT', '/v1/hosting/web/{}', 'webHosting', 'webHosting:apisvc:edit'],
] as const

const urnOf = (region: string, type: string, name: string) => `urn:v1:${region}:resource:${type}:${name}`
const identityOf = ({ region, id }: TestAccount, kind: string, name?: string) =>
  `urn:v1:${region}:identity:${kind}:${id}${name === undefined ? '' : `/${name}`}`
const membersOf = (account: TestAccount) => [
  identityOf(account, 'account'),
  identityOf(account, 'user', 'ann'),
  identityOf(account, 'user', 'bob'),
  identityOf(account, 'credential', `oauth2-${account.region.toUpperCase()}.robot${account.id}`),
]
const groupOf = (account: TestAccount) => identityOf(account, 'group', 'ops')
const resourceGroupOf = ({ region, id }: TestAccount) => `urn:v1:${region}:resourceGroup:0e2dd1a1-0b1c-4b3e-9f0a-${id.slice(0, 4)}00000000`
const permissionsGroupOf = ({ region, id }: TestAccount) => `urn:v1:${region}:permissionsGroup:${id}:care`

/** The token of an identity: any identity has one in a test. */
const tokenOf = (identity: string) => btoa(identity).replaceAll('=', '')

function some<T>(random: Random, list: readonly T[], most: number): T[] {
  return shuffled(random, list).slice(0, 1 + Math.floor(random() * most))
}

function permissionsOf(random: Random) {
  const list = () => some(random, [...actions, 'vps:*', '*:apisvc:*get', '*'], 3).map((action) => ({ action }))
  return {
    allow: random() < 0.85 ? list() : [],
    ...(random() < 0.2 && { except: list() }),
    ...(random() < 0.25 && { deny: list() }),
  }
}

function generateSeed(random: Random): Generated {
  const inventory = ['eu', 'ca'].flatMap((region) =>
    types.flatMap((type) =>
      names.flatMap((name): Inventory[] => {
        if (random() < 0.15) return []
        const owner = random() < 0.15 ? undefined : pick(random, [...accounts.map(({ id }) => id), stranger])
        const tags = pick(random, [undefined, {}, { env: 'prod' }, { env: 'dev', team: 'web' }])
        return [{ urn: urnOf(region, type, name), ...(owner !== undefined && { owner }), ...(tags && { tags }) }]
      }),
    ),
  )
  const assets = inventory.flatMap(({ urn, owner }): AssetOf[] => {
    const name = urn.slice(urn.lastIndexOf(':') + 1)
    const region = accounts.find(({ id }) => id === owner)?.region
    if (owner === undefined || !urn.startsWith(`urn:v1:${region}:`) || random() < 0.2) return []
    if (urn.includes(':vrackServices:')) return [{ urn, path: `/v2/vrackServices/resource/${name}`, owner }]
    // This one is decided by its project.
    if (!urn.includes(':publicCloudProject:')) return []
    return [{ urn: `urn:v1:${region}:resource:rancher:${name}`, path: `/v2/publicCloud/project/${name}/rancher/${name}`, owner }]
  })
  const identities = accounts.flatMap((account) =>
    membersOf(account)
      .filter(() => random() < 0.4)
      .map((urn) => ({ urn, groups: [groupOf(account)] })),
  )
  const of = new Map(
    accounts.map((account) => {
      const urns = inventory.map(({ urn }) => urn).filter((urn) => urn.startsWith(`urn:v1:${account.region}:`))
      const entries = [
        ...urns,
        ...types.map((type) => urnOf(account.region, type, '*')),
        `urn:v1:${account.region}:resource:*`,
        ...accounts.map(resourceGroupOf),
      ]
      const whom = [...membersOf(account), groupOf(account), identityOf(account, 'user', '*'), ...accounts.flatMap(membersOf)]
      const policies: Row[] = Array.from({ length: 1 + Math.floor(random() * 5) }, (_, i) => ({
        name: `${account.id} ${i}`,
        identities: some(random, whom, 3),
        resources: some(random, entries, 3).map((urn) => ({ urn })),
        permissions: permissionsOf(random),
        ...(random() < 0.25 && { permissionsGroups: [{ urn: permissionsGroupOf(pick(random, accounts)) }] }),
        ...(random() < 0.3 && {
          conditions: { operator: pick(random, ['MATCH', 'NOT']), values: { 'resource.Tag(env)': pick(random, ['prod', 'dev']) } },
        }),
      }))
      for (const policy of policies)
        if ((policy.conditions as { operator: string } | undefined)?.operator === 'NOT')
          Object.assign(policy.conditions as object, {
            values: undefined,
            conditions: [{ operator: 'MATCH', values: { 'resource.Tag(env)': 'prod' } }],
          })
      if (random() < 0.85)
        policies.push({
          name: `${account.id} asks`,
          identities: membersOf(account),
          resources: [{ urn: urnOf(account.region, 'account', account.id) }],
          permissions: { allow: [{ action: 'account:apisvc:iam/*' }] },
        })
      const one: OfAccount = {
        policies,
        permissionsGroups: random() < 0.7 ? [{ urn: permissionsGroupOf(account), name: 'care', permissions: permissionsOf(random) }] : [],
        resourceGroups:
          random() < 0.7 && urns.length > 0
            ? [{ urn: resourceGroupOf(account), name: 'group', resources: some(random, urns, 4).map((urn) => ({ urn })) }]
            : [],
      }
      return [account.id, one] as const
    }),
  )
  return { of, inventory, identities, assets }
}

/** The files of a seed, laid out in one of the ways that users have: a file for each account, or the owner at each thing. */
function filesOf(random: Random, { of, inventory, identities, assets }: Generated): readonly Row[] {
  const standIn = {
    accounts: accounts.map(({ id, region }) => ({ id, region })),
    serviceAccounts: accounts.map((account) => ({ identity: membersOf(account).at(-1), secret: 'secret' })),
  }
  const isInFiles = random() < 0.5
  const stateful = (asset: AssetOf, withOwner: boolean) => ({
    urn: asset.urn,
    path: asset.path,
    currentState: { a: 1 },
    ...(withOwner && { owner: asset.owner }),
  })
  if (isInFiles) {
    const ofAccounts = accounts.map(({ id }): Row => {
      const { policies, permissionsGroups, resourceGroups } = of.get(id) as OfAccount
      const resources = inventory.filter(({ owner }) => owner === id).map(({ owner: _, ...rest }) => rest)
      const own = assets.filter(({ owner }) => owner === id).map((asset) => stateful(asset, false))
      return { account: id, policies, permissionsGroups, resourceGroups, resources, standIn: { resources: own } }
    })
    const rest = inventory.filter(({ owner }) => owner === undefined || owner === stranger)
    return shuffled(random, [...ofAccounts, { resources: rest, identities }, { standIn }])
  }
  const owned = (list: keyof OfAccount) => [...of].flatMap(([owner, each]) => each[list].map((row) => ({ ...row, owner })))
  return [
    {
      policies: owned('policies'),
      permissionsGroups: owned('permissionsGroups'),
      resourceGroups: owned('resourceGroups'),
      resources: inventory,
      identities,
      standIn: { ...standIn, resources: assets.map((asset) => stateful(asset, true)) },
    },
  ]
}

async function serviceOf(files: readonly Row[]): Promise<Service> {
  const ports = testPorts()
  const sources = files.map((file, i) => ({
    source: sourceOf(`${i}.json`, JSON.stringify(file)),
    mayBeOther: false,
  }))
  const read = await readSeed(sources, defaultSettings, ports, operations)
  expect(read.diagnostics.map(({ message }) => message)).toEqual([])
  const state = openState()
  state.commit(read.changes)
  for (const account of accounts)
    for (const identity of membersOf(account))
      state.commit([
        {
          kind: 'token',
          key: ports.digest.sha256(tokenOf(identity)),
          value: { identity, account: account.id, scope: 'all', expiresAt: ports.clock.now() + 3_600_000 },
        },
      ])
  const onFault = (error: unknown) => {
    throw error
  }
  return createService({ settings: defaultSettings, ports, state, catalogue, operations, onFault })
}

/** Files that `can` reads for an account: its own files, and the inventory. */
function worldFor({ id }: TestAccount, { of, inventory, identities, assets }: Generated): World {
  // A resource with a state is one of the inventory, whose owner the seed gives.
  const resources = [...inventory, ...assets.filter(({ urn }) => urn.includes(':rancher:')).map(({ urn, owner }) => ({ urn, owner }))]
  return worldOfTexts([JSON.stringify({ account: id, ...of.get(id) }), JSON.stringify({ resources, identities })])
}

function send(service: Service, { region }: TestAccount, identity: string, method: string, path: string, body?: unknown): Reply {
  const request: ServiceRequest = {
    region,
    method,
    url: `http://localhost/${region}${path}`,
    path,
    query: new Map(),
    headers: { authorization: `Bearer ${tokenOf(identity)}`, 'content-type': 'application/json', 'x-pagination-size': '1000' },
    body: body === undefined ? '' : JSON.stringify(body),
    ip,
  }
  return respond(service, request)
}

/** The decision that a status stands for. */
function verdictOf({ status, body }: Reply): Verdict {
  if (status === 403) return 'deny'
  return status === 501 && (body as { class: string }).class === 'StandIn::Unknown' ? 'unknown' : 'allow'
}

test('the emulator decides as `can` over seeds with several accounts, for all callers and questions', async () => {
  const random = randomOf(seed)
  const met: Record<string, number> = {}
  const count = (key: string) => {
    met[key] = (met[key] ?? 0) + 1
  }
  for (let i = 0; i < rounds; i++) {
    const generated = generateSeed(random)
    const files = filesOf(random, generated)
    const service = await serviceOf(files)
    const at = service.ports.clock.now()
    const ownerOf = new Map(generated.inventory.map(({ urn, owner }) => [urn, owner]))
    // The description of a failure is made only where there is one: it is long, and there are many comparisons.
    const same = (got: unknown, wanted: unknown, ...about: readonly unknown[]) => {
      if (JSON.stringify(got) === JSON.stringify(wanted)) return
      expect(got, `seed ${seed}, world ${i}: ${JSON.stringify([...about, files])}`).toEqual(wanted)
    }
    for (const account of accounts) {
      const world = worldFor(account, generated)
      for (const identity of membersOf(account)) {
        const asked = { identity, at, groups: [], ip: readAddress(ip) as NonNullable<ReturnType<typeof readAddress>> }
        const wanted = (action: string, resource: string) => decide(world, { ...asked, action, resource }).verdict
        const tally = (kind: string, verdict: Verdict, urn: string) => {
          count(kind)
          count(verdict)
          const owner = ownerOf.get(urn)
          if (owner !== undefined && owner !== account.id) count(identity.includes(':account:') ? 'root on foreign' : 'foreign')
        }
        const onAccount = (action: string) => wanted(action, urnOf(account.region, 'account', account.id))

        for (const [method, path, type, action] of calls) {
          const name = pick(random, names)
          const urn = urnOf(account.region, type, name)
          const reply = send(service, account, identity, method, path.replace('{}', name), method === 'GET' ? undefined : {})
          const verdict = wanted(action, urn)
          same(verdictOf(reply), verdict, identity, method, path, name)
          tally(`${method} resource`, verdict, urn)
        }

        // Resources with states: that a resource of another account exists is not revealed.
        const name = pick(random, names)
        const urn = urnOf(account.region, 'vrackServices', name)
        const asset = generated.assets.find((each) => each.urn === urn)
        for (const [method, verb, body] of [
          ['GET', 'get', undefined],
          ['PUT', 'edit', { targetSpec: { a: 1 } }],
        ] as const) {
          const reply = send(service, account, identity, method, `/v2/vrackServices/resource/${name}`, body)
          const verdict = wanted(`vrackServices:apisvc:resource/${verb}`, urn)
          same(verdictOf(reply), verdict, identity, method, urn)
          if (verdict === 'allow') same(reply.status, asset?.owner === account.id ? 200 : 404, identity, method, urn)
          tally(`${method} with state`, verdict, urn)
        }

        // The authorization check, of one resource and of many.
        const urns = generated.inventory.map((each) => each.urn).filter((each) => each.startsWith(`urn:v1:${account.region}:`))
        const target = pick(random, [...urns, urnOf(account.region, 'vps', 'none')])
        for (const [path, body] of [
          [`/v2/iam/resource/${encodeURIComponent(target)}/authorization/check`, { actions }],
          ['/v2/iam/authorization/check', { actions, resourceURNs: [target, ...some(random, urns.length > 0 ? urns : [target], 3)] }],
        ] as const) {
          const reply = send(service, account, identity, 'POST', path, body)
          same(reply.status, 200, identity, path)
          for (const checked of [reply.body].flat() as Row[]) {
            const about = (checked.resourceURN as string | undefined) ?? target
            const unknown = ((checked.standIn as { unknownActions: { action: string }[] } | undefined)?.unknownActions ?? []).map(
              ({ action }) => action,
            )
            const got = (action: string): Verdict =>
              (checked.authorizedActions as string[]).includes(action) ? 'allow' : unknown.includes(action) ? 'unknown' : 'deny'
            for (const action of actions) {
              same(got(action), wanted(action, about), identity, 'check', action, about)
              tally('check', got(action), about)
            }
          }
        }

        // Lists: of policies, the account's own; of resources, those that the caller may do something with.
        const policies = send(service, account, identity, 'GET', '/v2/iam/policy')
        same(verdictOf(policies), onAccount('account:apisvc:iam/policy/get'), identity)
        if (policies.status === 200) {
          count('policies')
          same(
            (policies.body as Row[]).map((each) => each.name).sort(),
            (generated.of.get(account.id)?.policies ?? []).map((each) => each.name).sort(),
            identity,
          )
        }
        const listed = send(service, account, identity, 'GET', '/v2/iam/resource')
        if (listed.status === 200) {
          count('resources')
          const all: readonly Inventory[] = [...generated.inventory, ...generated.assets.filter(({ urn }) => urn.includes(':rancher:'))]
          const seen = all.filter(
            (each) =>
              !accounts.some(({ id }) => id === each.owner && id !== account.id) &&
              what(world, asked, glob(each.urn)).what.some(({ verdict }) => verdict === 'allow'),
          )
          same((listed.body as Row[]).map((each) => each.urn).sort(), seen.map((each) => each.urn).sort(), identity)
        }
        const stateful = send(service, account, identity, 'GET', '/v2/vrackServices/resource')
        if (stateful.status === 200) {
          count('resources with state')
          const own = generated.assets.filter(
            (each) =>
              each.path.includes('vrackServices') &&
              each.owner === account.id &&
              wanted('vrackServices:apisvc:resource/get', each.urn) === 'allow',
          )
          same((stateful.body as { iam: { urn: string } }[]).map(({ iam }) => iam.urn).sort(), own.map((each) => each.urn).sort(), identity)
        }

        // Tags: of what the account owns. A change that is let through changes the facts, and is the last thing that is asked.
        const tagged = pick(random, generated.inventory)
        if (tagged && tagged.owner !== undefined && tagged.owner !== account.id) {
          const change = send(service, account, identity, 'PUT', `/v2/iam/resource/${encodeURIComponent(tagged.urn)}`, {
            tags: { env: 'x' },
          })
          same([403, 404, 501].includes(change.status), true, identity, 'tags', tagged)
          expect(service.state.table('inventory').get(tagged.urn)?.tags ?? null).toEqual(tagged.tags ?? null)
          count('foreign tags')
        }
      }
    }
    // Deletions: of what is ours, and of nothing else.
    for (const asset of generated.assets.filter(({ urn }) => urn.includes(':rancher:'))) {
      const account = pick(
        random,
        accounts.filter(({ region }) => asset.urn.startsWith(`urn:v1:${region}:`)),
      )
      const identity = pick(random, membersOf(account))
      const project = asset.urn.replace(':rancher:', ':publicCloudProject:')
      const verdict = decide(worldFor(account, generated), {
        identity,
        action: 'publicCloudProject:apisvc:rancher/delete',
        resource: project,
        at,
        groups: [],
      }).verdict
      const reply = send(service, account, identity, 'DELETE', asset.path)
      same(verdictOf(reply), verdict, identity, 'DELETE', asset)
      const isGone = verdict === 'allow' && asset.owner === account.id
      same(service.state.table('asset').has(`${account.region} ${asset.path}`), !isGone, identity, 'DELETE', asset)
      expect(service.state.table('inventory').has(asset.urn)).toBe(!isGone)
      count('DELETE with state')
      if (isGone) count('gone')
    }
  }
  for (const kind of ['GET resource', 'PUT resource', 'POST resource', 'DELETE resource', 'GET with state', 'PUT with state', 'check'])
    expect(met[kind] ?? 0, kind).toBeGreaterThan(4 * rounds)
  for (const kind of [
    'allow',
    'deny',
    'unknown',
    'root on foreign',
    'foreign',
    'policies',
    'resources',
    'resources with state',
    'foreign tags',
  ])
    expect(met[kind] ?? 0, kind).toBeGreaterThan(rounds)
  for (const kind of ['DELETE with state', 'gone']) expect(met[kind] ?? 0, kind).toBeGreaterThan(rounds / 4)
})
