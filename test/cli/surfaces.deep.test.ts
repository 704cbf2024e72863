import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fewCatalogue, someAccount, unknownGroup } from '../support/claims.ts'
import { effort } from '../support/effort.ts'
import { mainIn } from '../support/in-process.ts'
import { plainMatch, plainVerdict } from '../support/plain-evaluator.ts'
import { expectSame } from '../support/same.ts'
import { type PolicyJson, pick, type Random, randomOf, type WorldJson } from '../support/worlds.ts'

/**
 * Commands as they are run, over accounts so small that every question can be asked: each answer is held against an evaluator that reads
 * the JSON of the policies by itself (`test/support/plain-evaluator.ts`) and shares no code with the program.
 */

const folder = mkdtempSync(join(tmpdir(), 'surfaces-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const write = (name: string, value: unknown) => writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value))

const actionsOf: Readonly<Record<string, readonly string[]>> = {
  vps: ['vps:apisvc:get', 'vps:apisvc:reboot', 'vps:apisvc:terminate'],
  domain: ['domain:apisvc:contact/update', 'domain:apisvc:get'],
  account: ['account:apisvc:iam/policy/edit', 'account:apisvc:me/identity/user/edit'],
}
const reads = new Set(['vps:apisvc:get', 'domain:apisvc:get'])
const typeOf = (resource: string) => resource.split(':')[4] as string
const user = (name: string) => `urn:v1:eu:identity:user:ab/${name}`
const users = ['ann', 'bob'].map(user)

/** Circumstances that meet each condition of these accounts, and that miss it. */
const circumstances = ['2026-06-01T03:00:00Z', '2026-06-01T12:00:00Z'].flatMap((at) =>
  ['192.0.2.4', '198.51.100.7'].map((ip) => ({ at, ip })),
)
type Circumstance = (typeof circumstances)[number]
const optionsOf = ({ at, ip }: Circumstance) => ['--at', at, '--ip', ip]

interface Asked extends Circumstance {
  readonly identity: string
  readonly action: string
  readonly resource: string
}

type Facts = Parameters<typeof plainVerdict>[2]

/** The tags that a resource may have, each with all values of what no question can give: members of a group, and what a role holds. */
function settings(world: WorldJson, resource: string): readonly (readonly Facts[])[] {
  const isDescribed = world.resources.some(({ urn, tags }) => urn === resource && tags)
  return (isDescribed ? [null] : [null, 'prod', 'dev']).map((tag) =>
    ['allow', 'deny', 'neither'].flatMap((outcome) =>
      [true, false].map(
        (isMember) =>
          new Map<string, string | null | boolean>([
            ['resource.Tag(env)', tag],
            [`permissionsGroup:${unknownGroup}`, outcome],
            ['resourceGroup:urn:v1:eu:resourceGroup:0f1e', isMember],
          ]),
      ),
    ),
  )
}

function verdict(world: WorldJson, asked: Asked): 'allow' | 'deny' | 'unknown' {
  const found = new Set(settings(world, asked.resource).flatMap((facts) => facts.map((known) => plainVerdict(world, asked, known))))
  return found.size > 1 ? 'unknown' : found.has('allow') ? 'allow' : 'deny'
}

interface Small {
  readonly world: WorldJson
  readonly after: WorldJson
  readonly random: Random
}

/** Accounts, written as `world.json`, and as `after.json` with a change. */
function* smallAccounts(seed: number, count: number): Generator<Small> {
  const random = randomOf(seed)
  const operations = Object.values(actionsOf)
    .flat()
    .map((name, i) => ({
      branch: 'v1',
      method: reads.has(name) ? 'GET' : 'POST',
      path: `/some/${i}`,
      actions: [{ name, required: true }],
      seen: '2026-01',
      noAuthentication: false,
    }))
  write('catalogue.json', { ...JSON.parse(fewCatalogue), operations })
  write('.grantwise.json', { catalogue: 'catalogue.json' })
  for (let i = 0; i < count; i++) {
    const [world, after] = someAccount(random).map(
      (each) => ({ permissionsGroups: [], resourceGroups: [], ...each }) as unknown as WorldJson,
    )
    if (!world || !after) continue
    write('world.json', world)
    write('after.json', after)
    yield { world, after, random }
  }
}

/** The JSON that a command prints. */
async function answered<T>(...args: readonly string[]): Promise<T> {
  const { stdout, stderr } = await mainIn([...args, '--format', 'json'], folder)
  try {
    return JSON.parse(stdout) as T
  } catch {
    throw new Error(`${args.join(' ')}: ${stdout}${stderr}`)
  }
}
const over = ['-p', 'world.json'] as const

test('`can --batch` answers as the policies say', async () => {
  for (const { world } of smallAccounts(1, effort(400, 60))) {
    const questions = users.flatMap((identity) =>
      world.resources.flatMap(({ urn: resource }) =>
        (actionsOf[typeOf(resource)] ?? []).flatMap((action) => circumstances.map((when) => ({ identity, action, resource, ...when }))),
      ),
    )
    write('asked.ndjson', questions.map((each) => JSON.stringify(each)).join('\n'))
    const { stdout } = await mainIn(['can', '--batch', 'asked.ndjson', '--format', 'ndjson', ...over], folder)
    const lines = stdout.trim().split('\n')
    expect(lines.length).toBe(questions.length)
    for (const [i, asked] of questions.entries())
      expectSame((JSON.parse(lines[i] as string) as { verdict: string }).verdict, verdict(world, asked), () =>
        JSON.stringify({ world, asked }),
      )
  }
})

interface WhoJson {
  readonly who: readonly WhoRowJson[]
  readonly unknown: readonly WhoRowJson[]
  readonly denied: readonly { readonly identity: string }[]
}
interface WhoRowJson {
  readonly identity: string
  readonly members?: readonly { readonly identity: string; readonly verdict: string }[]
}

test('`who` names those who may, and no others', async () => {
  for (const { world, random } of smallAccounts(2, effort(400, 60))) {
    const resource = pick(random, world.resources).urn
    const action = pick(random, actionsOf[typeOf(resource)] ?? [])
    const when = pick(random, circumstances)
    const { who, unknown } = await answered<WhoJson>('who', action, resource, ...optionsOf(when), ...over)
    const named = (rows: readonly WhoRowJson[], as: string) =>
      rows.flatMap(({ identity, members = [] }) => [
        identity,
        ...members.filter((each) => each.verdict === as).map((each) => each.identity),
      ])
    const allowed = new Set(named(who, 'allow'))
    const perhaps = new Set([...named(unknown, 'unknown'), ...named(who, 'unknown')])
    for (const identity of users) {
      const said = allowed.has(identity) ? 'allow' : perhaps.has(identity) ? 'unknown' : 'deny'
      expectSame(said, verdict(world, { identity, resource, action, ...when }), () =>
        JSON.stringify({ world, resource, action, when, identity, who, unknown }),
      )
    }
  }
})

interface MatrixJson {
  readonly columns: readonly { readonly name: string; readonly resources: number }[]
  readonly rows: readonly {
    readonly identity: string
    readonly cells: readonly { readonly column: string; readonly level: string; readonly certain: boolean; readonly resources: number }[]
  }[]
}

/** The level of what an identity may do with a resource, where all that is not described is known. */
function levelWith(world: WorldJson, identity: string, resource: string, when: Circumstance, known: Facts): string {
  const all = actionsOf[typeOf(resource)] ?? []
  const may = all.filter((action) => plainVerdict(world, { identity, action, resource, ...when }, known) === 'allow')
  if (may.length === 0) return 'none'
  if (may.length === all.length) return 'all'
  return may.every((action) => reads.has(action)) ? 'read' : 'write'
}

const levels = ['none', 'read', 'write', 'all']
const lowest = (some: readonly string[]) => levels[Math.min(...some.map((level) => levels.indexOf(level)))] as string
const highest = (some: readonly string[]) => levels[Math.max(0, ...some.map((level) => levels.indexOf(level)))] as string

test('each cell of `matrix` is the highest level of its resources', async () => {
  for (const { world, random } of smallAccounts(3, effort(400, 60))) {
    const when = pick(random, circumstances)
    const { columns, rows } = await answered<MatrixJson>('matrix', ...optionsOf(when), ...over)
    const types = [...new Set(world.resources.map(({ urn }) => typeOf(urn)))].sort()
    expect(columns.map(({ name }) => name)).toEqual(types)
    expect(users.filter((each) => !rows.some(({ identity }) => identity === each))).toEqual([])
    for (const { identity, cells } of rows.filter((row) => users.includes(row.identity)))
      for (const [i, type] of types.entries()) {
        const own = world.resources.filter(({ urn }) => typeOf(urn) === type)
        const reached = own.map(({ urn }) =>
          settings(world, urn).map((facts) => facts.map((known) => levelWith(world, identity, urn, when, known))),
        )
        const most = reached.map((tags) => highest(tags.flat()))
        const sure = reached.map((tags) => highest(tags.map(lowest)))
        const level = highest(most)
        const shown = () => JSON.stringify({ world, when, identity, type, cell: cells[i] })
        expectSame(columns[i]?.resources, own.length, shown)
        expectSame(cells[i]?.column, type, shown)
        expectSame(cells[i]?.level, level, shown)
        if (level === 'none') continue
        expectSame(cells[i]?.resources, most.filter((each) => each === level).length, shown)
        // Certain is what holds for each resource that has the level, with some tags and whatever else is not known.
        expectSame(
          cells[i]?.certain,
          most.every((each, at) => each !== level || sure[at] === level),
          shown,
        )
      }
  }
})

interface AccessJson {
  readonly actions: readonly string[]
  readonly resources: readonly string[]
  readonly certain: boolean
}

test('`compare` lists what the one may and the other may not, both ways', async () => {
  for (const { world, random } of smallAccounts(4, effort(400, 60))) {
    const when = pick(random, circumstances)
    const answer = await answered<{ readonly verdict: string } & Record<'first' | 'second', { readonly only: readonly AccessJson[] }>>(
      'compare',
      ...users,
      ...optionsOf(when),
      ...over,
    )
    const [ann = '', bob = ''] = users
    const rows = [...answer.first.only, ...answer.second.only]
    const verdictOf = rows.some(({ certain }) => certain) ? 'different' : rows.length > 0 ? 'undecided' : undefined
    if (verdictOf) expectSame(answer.verdict, verdictOf, () => JSON.stringify({ world, answer }))
    const { exit } = await mainIn(['compare', ...users, ...optionsOf(when), ...over], folder)
    expectSame(exit, { same: 0, different: 1, undecided: 3 }[answer.verdict], () => JSON.stringify({ world, answer }))
    for (const [side, one, other] of [
      ['first', ann, bob],
      ['second', bob, ann],
    ] as const) {
      const pairs = world.resources.flatMap(({ urn }) => (actionsOf[typeOf(urn)] ?? []).map((action) => ({ action, resource: urn })))
      for (const { action, resource } of pairs) {
        const facts = settings(world, resource).map((each) =>
          each.map((known) => {
            const [may, mayOther] = [one, other].map((identity) => plainVerdict(world, { identity, action, resource, ...when }, known))
            return may === 'allow' && mayOther === 'deny'
          }),
        )
        const rows = answer[side].only.filter((row) => row.actions.includes(action) && row.resources.includes(resource))
        const shown = () => JSON.stringify({ world, when, side, action, resource, rows })
        expectSame(rows.length > 0, facts.flat().includes(true), shown)
        const isCertain = facts.some((each) => each.every((differs) => differs))
        expectSame(
          rows.some(({ certain }) => certain),
          isCertain,
          shown,
        )
      }
    }
  }
})

interface WhatJson {
  readonly what: readonly {
    readonly resource: string
    readonly actions: readonly string[]
    readonly except: readonly string[]
    readonly unless: readonly { readonly resource: string; readonly actions: readonly string[]; readonly condition: string | null }[]
    readonly condition: string | null
    readonly verdict: string
  }[]
}

/** Whether an entry over resources holds one; undefined where its group is not described. */
function holdsResource(world: WorldJson, entry: string, resource: string): boolean | undefined {
  if (!entry.includes(':resourceGroup:')) return plainMatch(entry, resource)
  return world.resourceGroups.find(({ urn }) => urn === entry)?.resources.some(({ urn }) => urn === resource)
}

test('`what` lists what an identity may do, and nothing that is denied', async () => {
  for (const { world, random } of smallAccounts(5, effort(400, 60))) {
    const when = pick(random, circumstances)
    const identity = pick(random, users)
    const { what } = await answered<WhatJson>('what', identity, ...optionsOf(when), ...over)
    const isIn = (patterns: readonly string[], action: string) => patterns.some((pattern) => plainMatch(pattern, action))
    for (const { urn: resource } of world.resources)
      for (const action of actionsOf[typeOf(resource)] ?? []) {
        const covering = what.filter(
          (row) =>
            holdsResource(world, row.resource, resource) !== false &&
            isIn(row.actions, action) &&
            !isIn(row.except, action) &&
            !row.unless.some(
              (each) => each.condition === null && holdsResource(world, each.resource, resource) && isIn(each.actions, action),
            ),
        )
        const isCertain = covering.some(
          (row) =>
            row.verdict === 'allow' && row.condition === null && row.unless.length === 0 && holdsResource(world, row.resource, resource),
        )
        const expected = verdict(world, { identity, action, resource, ...when })
        const shown = () => JSON.stringify({ world, when, identity, action, resource, what })
        if (expected !== 'deny') expectSame(covering.length > 0, true, shown)
        if (expected !== 'allow') expectSame(isCertain, false, shown)
      }
  }
})

/** An identity with the groups that the account gives it. */
const namesOf = (world: WorldJson, identity: string) => [
  identity,
  ...world.identities.filter(({ urn }) => urn === identity).flatMap(({ groups }) => groups),
]

test('`policies` lists those that name an identity or hold a resource, and no others', async () => {
  for (const { world, random } of smallAccounts(6, effort(400, 60))) {
    const identity = pick(random, users)
    const resource = pick(random, world.resources).urn
    interface Json {
      readonly about: { readonly groups?: readonly string[] }
      readonly total: number
      readonly policies: readonly { readonly policy: string; readonly certain: boolean }[]
    }
    const ofIdentity = await answered<Json>('policies', identity, ...over)
    const ofResource = await answered<Json>('policies', resource, ...over)
    const listed = ({ policies }: Json) => policies.map(({ policy }) => policy).sort()
    const naming = world.policies.filter(({ identities }) =>
      identities.some((entry) => namesOf(world, identity).some((name) => plainMatch(entry, name))),
    )
    const holding = world.policies.filter(({ resources }) => resources.some(({ urn }) => holdsResource(world, urn, resource) !== false))
    const shown = () => JSON.stringify({ world, identity, resource, ofIdentity, ofResource })
    expectSame(listed(ofIdentity), naming.map(({ name }) => name).sort(), shown)
    expectSame(listed(ofResource), holding.map(({ name }) => name).sort(), shown)
    expectSame([ofIdentity.total, ofResource.total], [world.policies.length, world.policies.length], shown)
    expectSame([ofIdentity.about.groups, ofResource.about.groups], [namesOf(world, identity).slice(1), undefined], shown)
    // Certain is what says all that it grants, about a resource that it holds for certain.
    const isWhole = (name: string) => world.policies.every((each) => each.name !== name || (each.permissionsGroups ?? []).length === 0)
    const holds = (name: string) =>
      world.policies.some((each) => each.name === name && each.resources.some(({ urn }) => holdsResource(world, urn, resource)))
    for (const { policy, certain } of ofResource.policies) expectSame(certain, isWhole(policy) && holds(policy), shown)
    for (const { policy, certain } of ofIdentity.policies) expectSame(certain, isWhole(policy), shown)
  }
})

interface ReportJson {
  readonly access: readonly {
    readonly identity: string
    readonly resource: string
    readonly actions: readonly string[]
    readonly level: string
    readonly sure: string
    readonly grantedBy: readonly string[]
  }[]
  readonly policies: readonly { readonly policy: string }[]
  readonly findings: readonly { readonly rule: string; readonly message: string }[]
}

test('the data of `report` is what the policies say, and what `lint` finds', async () => {
  for (const { world } of smallAccounts(7, effort(300, 60))) {
    const { stdout } = await mainIn(['report', 'world.json', '-o', '-', '--format', 'json'], folder)
    const { access, policies, findings } = JSON.parse(stdout) as ReportJson
    const ways = (identity: string, resource: string, action: string) =>
      circumstances.map((when) =>
        settings(world, resource).map((facts) =>
          facts.map((known) => plainVerdict(world, { identity, action, resource, ...when }, known) === 'allow'),
        ),
      )
    for (const identity of users)
      for (const { urn: resource } of world.resources) {
        const rows = access.filter((each) => each.identity === identity && each.resource === resource)
        const all = (actionsOf[typeOf(resource)] ?? []).map((action) => [action, ways(identity, resource, action).flat(2)] as const)
        const may = all.filter(([, found]) => found.includes(true)).map(([action]) => action)
        const shown = () => JSON.stringify({ identity, resource, rows, world })
        expectSame(rows.flatMap(({ actions }) => actions).sort(), [...may].sort(), shown)
        for (const row of rows) {
          const own = all.filter(([action]) => row.actions.includes(action))
          expectSame(row.sure === 'without conditions', !own.some(([, found]) => found.includes(false)), shown)
          // Without the policies that it names, and those that may grant more than is known, nothing of the access is left.
          const isNamed = ({ name, permissionsGroups }: PolicyJson) =>
            permissionsGroups !== undefined || row.grantedBy.some((text) => text.startsWith(`${name} `))
          const rest = { ...world, policies: world.policies.filter((policy) => !isNamed(policy)) }
          const isLeft = (action: string) => circumstances.some((when) => verdict(rest, { identity, action, resource, ...when }) !== 'deny')
          expectSame(row.actions.filter(isLeft), [], shown)
        }
      }
    expect(policies.map(({ policy }) => policy)).toEqual(world.policies.map(({ name }) => name))
    const { stdout: linted } = await mainIn(['lint', 'world.json', '--format', 'json', '--fail-on', 'never'], folder)
    const lint = (JSON.parse(linted) as { readonly findings: readonly { readonly code: string; readonly message: string }[] }).findings
    expect(findings.map(({ rule, message }) => `${rule} ${message}`).sort()).toEqual(
      lint.map((each) => `${each.code} ${each.message}`).sort(),
    )
  }
})

interface DiffJson {
  readonly described: Readonly<
    Record<
      'gained' | 'lost',
      readonly { readonly identities: readonly string[]; readonly actions: readonly string[]; readonly resources: readonly string[] }[]
    >
  >
}

test('`diff` lists who gets and loses what of what is described', async () => {
  for (const { world, after } of smallAccounts(8, effort(400, 60))) {
    const { described } = await answered<DiffJson>('diff', 'world.json', 'after.json')
    for (const [side, from, to] of [
      ['gained', world, after],
      ['lost', after, world],
    ] as const)
      for (const identity of users)
        for (const { urn: resource } of world.resources)
          for (const action of actionsOf[typeOf(resource)] ?? []) {
            const differs = circumstances.some((when) =>
              settings(world, resource)
                .flat()
                .some((known) => {
                  const asked = { identity, action, resource, ...when }
                  return plainVerdict(from, asked, known) === 'deny' && plainVerdict(to, asked, known) === 'allow'
                }),
            )
            const isListed = described[side].some(
              (row) => row.identities.includes(identity) && row.actions.includes(action) && row.resources.includes(resource),
            )
            expectSame(isListed, differs, () => JSON.stringify({ world, after, side, identity, action, resource, described }))
          }
  }
})

test('what is supposed of a world is what the files would say', async () => {
  for (const { world, random } of smallAccounts(9, effort(400, 60))) {
    const groups = [...world.identities.flatMap((each) => each.groups), ...world.policies.flatMap((each) => each.identities)]
    const ops = pick(random, [...groups.filter((urn) => urn.includes(':group:')), 'urn:v1:eu:identity:group:ab/guests'])
    const member = pick(random, users)
    const without = pick(random, world.policies).name
    const tagged = pick(random, world.resources).urn
    const isIn = world.identities.some((each) => each.urn === member && each.groups.includes(ops))
    const supposed = pick(random, [
      {
        options: ['--without', without],
        to: { ...world, policies: world.policies.filter(({ name }) => name !== without) },
      },
      {
        options: ['--member', `${member}=${isIn ? '-' : '+'}${ops}`],
        to: {
          ...world,
          identities: world.identities.map((each) =>
            each.urn === member ? { ...each, groups: isIn ? each.groups.filter((group) => group !== ops) : [...each.groups, ops] } : each,
          ),
        },
      },
      {
        options: ['--assume-tag', `${tagged}=env=prod`],
        to: {
          ...world,
          resources: world.resources.map((each) => (each.urn === tagged ? { ...each, tags: { ...each.tags, env: 'prod' } } : each)),
        },
      },
    ])
    const questions = users.flatMap((identity) =>
      world.resources.flatMap(({ urn: resource }) =>
        (actionsOf[typeOf(resource)] ?? []).map((action) => ({ identity, action, resource, ...pick(random, circumstances) })),
      ),
    )
    write('asked.ndjson', questions.map((each) => JSON.stringify(each)).join('\n'))
    const { stdout, stderr } = await mainIn(['can', '--batch', 'asked.ndjson', '--format', 'ndjson', ...supposed.options, ...over], folder)
    expectSame(stdout.trim().split('\n').length, questions.length, () => JSON.stringify({ stderr, supposed }))
    for (const [i, line] of stdout.trim().split('\n').entries())
      expectSame((JSON.parse(line) as { verdict: string }).verdict, verdict(supposed.to, questions[i] as Asked), () =>
        JSON.stringify({ world, supposed, asked: questions[i] }),
      )
  }
})

/** Nodes by their ids, and arrows, of a GraphML file. */
function readGraph(text: string) {
  const part = (of: string, key: string) => new RegExp(`<data key="${key}">([^<]*)</data>`).exec(of)?.[1] ?? ''
  const nodes = new Map(
    [...text.matchAll(/<node id="(\w+)">(.*?)<\/node>/gs)].map(([, id = '', of = '']) => [
      id,
      { kind: part(of, 'node_kind'), name: part(of, 'node_name') },
    ]),
  )
  const edges = [...text.matchAll(/<edge [^>]*source="(\w+)" target="(\w+)"[^>]*>(.*?)<\/edge>/gs)].map(
    ([, from = '', to = '', of = '']) => ({
      from,
      to,
      kind: part(of, 'edge_kind'),
    }),
  )
  return { nodes, edges }
}

test('`graph` has a path through a policy where it is about an identity and a resource', async () => {
  for (const { world } of smallAccounts(10, effort(300, 60))) {
    const { stdout } = await mainIn(['graph', 'world.json', '--format', 'graphml'], folder)
    const { nodes, edges } = readGraph(stdout)
    const from = (ids: readonly string[]) => {
      const found = new Set(ids)
      for (const id of found) for (const edge of edges) if (edge.from === id) found.add(edge.to)
      return found
    }
    const idOf = (isIt: (node: { readonly kind: string; readonly name: string }) => boolean) =>
      [...nodes].find(([, node]) => isIt(node))?.[0]
    for (const policy of world.policies) {
      const { allow = [], except = [], deny = [] } = policy.permissions
      // A permission that is excepted whole is not granted.
      const isGranting = allow.some(({ action }) => !except.some((other) => plainMatch(other.action, action)))
      const hasEffect = isGranting || deny.length > 0 || policy.permissionsGroups !== undefined
      const node = idOf(({ kind, name }) => kind === 'policy' && new RegExp(`^policy ${policy.name}\\b`).test(name))
      const reached = node === undefined ? new Set<string>() : from([node])
      for (const { urn } of world.resources) {
        const resource = idOf(({ name }) => name === urn)
        const isAbout = hasEffect && policy.resources.some((entry) => holdsResource(world, entry.urn, urn) === true)
        expectSame(resource !== undefined && reached.has(resource), isAbout, () => JSON.stringify({ world, policy, urn }))
      }
      for (const identity of users) {
        const id = idOf(({ name }) => name === identity)
        const isNamed = policy.identities.some((entry) => namesOf(world, identity).some((name) => plainMatch(entry, name)))
        const leads = id !== undefined && node !== undefined && from([id]).has(node)
        expectSame(leads, isNamed, () => JSON.stringify({ world, policy, identity }))
      }
    }
  }
})

interface Found {
  readonly code: string
  readonly column: number
  readonly endColumn: number
  readonly policy?: string
}

test('a baseline hides as many findings of a kind as it was written from, and no more', async () => {
  const seen = { hidden: 0, left: 0 }
  for (const { after } of smallAccounts(11, effort(300, 60))) {
    write('.grantwise.json', { extends: 'auditor', catalogue: 'catalogue.json' })
    const found = async (...args: readonly string[]) => {
      const { stdout } = await mainIn(['lint', 'linted.json', '--format', 'json', '--fail-on', 'never', ...args], folder)
      return (JSON.parse(stdout) as { readonly findings: readonly Found[] }).findings
    }
    // A finding is what a rule says of a text in a policy: its words may name other policies.
    const keyOf = ({ code, column, endColumn, policy = '' }: Found) =>
      `${code} ${policy} ${JSON.stringify(linted).slice(column - 1, endColumn - 1)}`
    let linted = { ...after, policies: after.policies.slice(1) }
    write('linted.json', linted)
    const recorded = (await found()).map(keyOf)
    await found('--write-baseline', 'baseline.json')
    linted = after
    write('linted.json', linted)
    const now = (await found()).map(keyOf)
    const left = now.filter((key) => {
      const at = recorded.indexOf(key)
      if (at >= 0) recorded.splice(at, 1)
      return at < 0
    })
    const shown = (await found('--baseline', 'baseline.json')).filter(({ code }) => !code.includes('baseline')).map(keyOf)
    seen.hidden += now.length - left.length
    seen.left += left.length
    expectSame(shown.sort(), left.sort(), () => JSON.stringify({ after }))
  }
  expect(Object.values(seen).every((count) => count > 0)).toBe(true)
})
