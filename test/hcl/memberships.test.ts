import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inFolder, run } from '../support/configurations.ts'
import { effort } from '../support/effort.ts'
import '../support/seed.ts'

/** An account as it is generated: users with their groups, tags of servers, and policies about users and groups. */
interface Account {
  readonly users: readonly { readonly groups: readonly number[]; readonly way: 'main' | 'more' | 'apart' }[]
  readonly tags: readonly (string | undefined)[]
  readonly policies: readonly {
    readonly who: readonly { readonly kind: 'user' | 'group'; readonly index: number; readonly isReference: boolean }[]
    readonly servers: readonly number[]
    readonly list: 'allow' | 'deny'
    readonly action: string
    readonly tag: string | undefined
  }[]
}

const groupNames = ['ops', 'dev', 'web']
const userNames = ['ann', 'bob', 'cid']
const servers = ['vps-1', 'vps-2']
const actions = ['vps:apisvc:get', 'vps:apisvc:reboot']
const pick = (count: number) => fc.integer({ min: 0, max: count - 1 })
const tag = fc.option(fc.constantFrom('prod', 'dev'), { nil: undefined })

const account: fc.Arbitrary<Account> = fc.record({
  users: fc.array(
    fc.record({
      groups: fc.uniqueArray(pick(groupNames.length), { minLength: 1, maxLength: 2 }),
      way: fc.constantFrom('main' as const, 'more' as const, 'apart' as const),
    }),
    { minLength: userNames.length, maxLength: userNames.length },
  ),
  tags: fc.array(tag, { minLength: servers.length, maxLength: servers.length }),
  policies: fc.array(
    fc.record({
      who: fc.array(fc.record({ kind: fc.constantFrom('user' as const, 'group' as const), index: pick(3), isReference: fc.boolean() }), {
        minLength: 1,
        maxLength: 2,
      }),
      servers: fc.uniqueArray(pick(servers.length), { minLength: 1, maxLength: 2 }),
      list: fc.constantFrom('allow' as const, 'allow' as const, 'deny' as const),
      action: fc.constantFrom(...actions, 'vps:apisvc:*'),
      tag,
    }),
    { minLength: 1, maxLength: 4 },
  ),
})

const urnOf = (kind: 'user' | 'group', index: number) =>
  `urn:v1:eu:identity:${kind}:ab12-svc/${(kind === 'user' ? userNames : groupNames)[index]}`
const serverUrn = (index: number) => `urn:v1:eu:resource:vps:${servers[index]}`

/** The account as a world file. */
function worldOf({ users, tags, policies }: Account): string {
  return JSON.stringify({
    account: 'ab12-svc',
    identities: users.map(({ groups }, i) => ({ urn: urnOf('user', i), groups: groups.map((group) => urnOf('group', group)) })),
    resources: tags.flatMap((value, i) => (value === undefined ? [] : [{ urn: serverUrn(i), tags: { env: value } }])),
    policies: policies.map((policy, i) => ({
      name: `p${i}`,
      identities: policy.who.map(({ kind, index }) => urnOf(kind, index)),
      resources: policy.servers.map((server) => ({ urn: serverUrn(server) })),
      permissions: { [policy.list]: [{ action: policy.action }] },
      ...(policy.tag !== undefined && { conditions: { operator: 'MATCH', values: { 'resource.Tag(env)': policy.tag } } }),
    })),
  })
}

/** The same as a configuration. */
function configurationOf({ users, tags, policies }: Account): string {
  const groups = groupNames.map((name) => `resource "svc_me_identity_group" "${name}" {\n  name = "${name}"\n}`)
  const groupName = (index: number | undefined) => `svc_me_identity_group.${groupNames[index ?? 0]}.name`
  const members = users.flatMap(({ groups: [first, ...others], way }, i) => {
    const more = way === 'main' ? others.map(groupName) : []
    const head = `resource "svc_me_identity_user" "${userNames[i]}" {\n  login = "${userNames[i]}"\n  group = ${groupName(first)}`
    const list = way === 'more' || more.length > 0 ? `\n  groups = [${others.map(groupName).join(', ')}]` : ''
    const apart = (group: number) =>
      `resource "svc_me_identity_group_membership" "m${i}${group}" {\n  login = svc_me_identity_user.${userNames[i]}.login\n  group = "${groupNames[group]}"\n}`
    return [`${head}${list}\n}`, ...(way === 'apart' ? others.map(apart) : [])]
  })
  const tagged = tags.flatMap((value, i) =>
    value === undefined ? [] : [`resource "svc_iam_resource_tags" "t${i}" {\n  urn  = "${serverUrn(i)}"\n  tags = { env = "${value}" }\n}`],
  )
  const written = policies.map((policy, i) => {
    const names = policy.who.map(({ kind, index, isReference }) =>
      isReference ? `svc_me_identity_${kind}.${(kind === 'user' ? userNames : groupNames)[index]}.urn` : `"${urnOf(kind, index)}"`,
    )
    const condition =
      policy.tag === undefined
        ? ''
        : `\n  conditions {\n    operator = "MATCH"\n    values   = { "resource.Tag(env)" = "${policy.tag}" }\n  }`
    return `resource "svc_iam_policy" "p${i}" {\n  name       = "p${i}"\n  identities = [${names.join(', ')}]\n  resources  = [${policy.servers.map((server) => `"${serverUrn(server)}"`).join(', ')}]\n  ${policy.list} = ["${policy.action}"]${condition}\n}`
  })
  return [...groups, ...members, ...tagged, ...written].join('\n\n')
}

/** An answer without the places of files and the numbers of lines. */
function withoutPlaces(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlaces)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => !placeKeys.has(key))
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutPlaces(each)]))
}

const placeKeys: ReadonlySet<string> = new Set([
  'file',
  'line',
  'column',
  'endLine',
  'endColumn',
  'address',
  'described',
  'coverage',
  'note',
])

describe('an account as a configuration', () => {
  test('has the decisions of the same account as a world file', async () => {
    await fc.assert(
      fc.asyncProperty(account, async (each) => {
        const files = new Map([
          ['.grantwise.yaml', 'brand: svc\n'],
          ['plain/world.json', worldOf(each)],
          ['made/main.tf', configurationOf(each)],
          ['made/account.yaml', 'account: ab12-svc\npolicies: []\n'],
        ])
        await inFolder(files, async (folder) => {
          const questions = userNames.flatMap((_, i) =>
            actions.flatMap((action) => servers.map((__, server) => [urnOf('user', i), action, serverUrn(server)] as const)),
          )
          for (const question of questions) {
            const verdicts = []
            for (const of of ['plain', 'made']) {
              const { code, stdout } = await run(folder, ['can', ...question, '-p', of, '--format', 'json'])
              const { verdict, reason } = JSON.parse(stdout) as Readonly<Record<string, unknown>>
              verdicts.push({ code, verdict, reason })
            }
            expect(verdicts[1], question.join(' ')).toEqual(verdicts[0])
          }
          const commands = [
            ['who', 'vps:apisvc:reboot', serverUrn(0)],
            ['what', urnOf('user', 1)],
            ['matrix', '--type', 'vps', '--resources'],
          ]
          for (const command of commands) {
            const answers = []
            for (const of of ['plain', 'made']) answers.push(await run(folder, [...command, '-p', of, '--format', 'json']))
            const [plain, made] = answers as [Awaited<ReturnType<typeof run>>, Awaited<ReturnType<typeof run>>]
            expect(made.code, `${command.join(' ')}\n${made.stderr}`).toBe(plain.code)
            expect(withoutPlaces(JSON.parse(made.stdout)), command.join(' ')).toEqual(withoutPlaces(JSON.parse(plain.stdout)))
          }
          const diff = await run(folder, ['diff', 'plain', 'made', '--format', 'json'])
          const { gained, lost, undecided } = JSON.parse(diff.stdout) as Readonly<Record<string, unknown>>
          expect({ gained, lost, undecided }).toEqual({ gained: [], lost: [], undecided: [] })
        })
      }),
      { numRuns: effort(40) },
    )
  })
})

describe('a module from elsewhere', () => {
  const call = 'module "iam" {\n  source  = "acme/iam/svc"\n  version = "1.2.0"\n}\n'
  const policy =
    'resource "svc_iam_policy" "p" {\n  name       = "p"\n  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]\n  resources  = ["urn:v1:eu:resource:vps:*"]\n  allow      = ["vps:apisvc:reboot"]\n}\n'
  const asked = ['can', 'urn:v1:eu:identity:user:ab12-svc/ann', 'vps:apisvc:reboot', 'urn:v1:eu:resource:vps:a', '--format', 'compact']

  /** The decision where `modules.json` has an entry for the module with this folder. */
  async function decidedWith(dir: string, prepare: (repository: string, outside: string) => void): Promise<string> {
    const top = mkdtempSync(join(tmpdir(), 'grantwise-modules-'))
    const [repository, outside] = [join(top, 'repository'), join(top, 'outside')]
    try {
      mkdirSync(join(repository, '.git'), { recursive: true })
      mkdirSync(join(repository, '.terraform/modules'), { recursive: true })
      mkdirSync(join(outside, 'iam'), { recursive: true })
      writeFileSync(join(repository, '.grantwise.yaml'), 'brand: svc\n')
      writeFileSync(join(repository, 'main.tf'), call)
      writeFileSync(join(outside, 'iam/main.tf'), policy)
      const Modules = [{ Key: 'iam', Source: 'registry.terraform.io/acme/iam/svc', Version: '1.2.0', Dir: dir.replace('OUTSIDE', outside) }]
      writeFileSync(join(repository, '.terraform/modules/modules.json'), JSON.stringify({ Modules }))
      prepare(repository, outside)
      const { stdout } = await run(repository, asked)
      return stdout.split(' ')[0] ?? ''
    } finally {
      rmSync(top, { recursive: true, force: true })
    }
  }

  const unpack = (repository: string) => {
    mkdirSync(join(repository, '.terraform/modules/iam'))
    writeFileSync(join(repository, '.terraform/modules/iam/main.tf'), policy)
  }

  test('is read where it is unpacked', async () => expect(await decidedWith('.terraform/modules/iam', unpack)).toBe('allow'))

  test.each<[string, string, (repository: string, outside: string) => void]>([
    ['a folder above the repository', '../outside/iam', () => {}],
    ['an absolute path', 'OUTSIDE/iam', () => {}],
    [
      'a link out of the repository',
      '.terraform/modules/iam',
      (repository, outside) => symlinkSync(join(outside, 'iam'), join(repository, '.terraform/modules/iam')),
    ],
    [
      'a folder behind a link out of the repository',
      '.terraform/modules/link/iam',
      (repository, outside) => symlinkSync(outside, join(repository, '.terraform/modules/link')),
    ],
    ['the folder that calls it', '.', () => {}],
    ['a folder that is missing', '.terraform/modules/iam', () => {}],
    [
      'no text',
      '.terraform/modules/iam',
      (repository) => {
        unpack(repository)
        writeFileSync(join(repository, '.terraform/modules/modules.json'), '{"Modules":[{"Key":"iam","Source":7,"Dir":["."]},null,3')
      },
    ],
    [
      'nested brackets without end',
      '.terraform/modules/iam',
      (repository) => {
        unpack(repository)
        writeFileSync(join(repository, '.terraform/modules/modules.json'), '['.repeat(200_000))
      },
    ],
  ])('is not read, and stays unknown, where its folder is %s', async (_, dir, prepare) =>
    expect(await decidedWith(dir, prepare)).toBe('unknown'),
  )
})
