import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { stringify } from 'yaml'

/** Generated histories of repositories with policies: of renames, merges, reverts, and commits that cannot be read. */

const account = 'ab12-svc'
export const ann = `urn:v1:eu:identity:user:${account}/ann`
const bob = `urn:v1:eu:identity:user:${account}/bob`
const operators = `urn:v1:eu:identity:group:${account}/operators`
const audit = `urn:v1:eu:identity:group:${account}/audit`
const care = `urn:v1:eu:permissionsGroup:${account}:care`
export const server = 'urn:v1:eu:resource:vps:a'

/** Commits are a day apart, from this one on. */
const firstDay = Date.UTC(2026, 0, 1)
const day = 86_400_000
/** When policies expire: between two of the first commits, late, and after all of them. */
const expiries = ['2026-01-06T12:00:00Z', '2026-03-01T00:00:00Z', '2028-01-01T00:00:00Z']
/** An instant before each of these, and one after all. */
export const instants = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z', '2027-01-01T00:00:00Z', '2029-01-01T00:00:00Z']

const policySpec = fc.record({
  identities: fc.constantFrom([ann], [ann, bob], [operators], [bob], [audit], [`urn:v1:eu:identity:user:${account}/a*`]),
  resource: fc.constantFrom(server, 'urn:v1:eu:resource:vps:*', 'urn:v1:eu:resource:vps:b', 'urn:v1:eu:resource:*'),
  allow: fc.constantFrom(['vps:apisvc:reboot'], [], ['vps:*'], ['vps:apisvc:get'], ['*']),
  deny: fc.constantFrom([], [], [], ['vps:apisvc:reboot'], ['vps:apisvc:re*']),
  group: fc.constantFrom(false, false, false, true),
  condition: fc.constantFrom(
    undefined,
    undefined,
    undefined,
    undefined,
    { 'request.IP.IN_RANGE': '192.0.2.0/24' },
    { 'request.IP.IN_RANGE': '198.51.100.0/24' },
    { 'resource.Tag(env)': 'prod' },
  ),
  expiredAt: fc.constantFrom(undefined, undefined, ...expiries),
})

const worldSpec = fc.record({
  groups: fc.constantFrom([], [operators], [audit], [operators, audit]),
  env: fc.constantFrom(undefined, 'prod', 'test'),
  care: fc.constantFrom(['vps:apisvc:reboot'], ['vps:apisvc:get'], ['vps:*']),
})

const slots = ['servers.json', 'guards.json', 'more.yaml', 'inner/guests.yaml']
const folders = ['policies', 'access', 'iam/live']
const worldFiles = ['world.yaml', 'account/world.json']

/** Configurations that can be read, by their files; `policies` and `world` are the paths of the commit. */
const readableConfigs = {
  none: () => ({}),
  yaml: (policies: string, world: string) => ({ '.grantwise.yaml': `policies: [${policies}]\nworld: ${world}\n` }),
  json: (policies: string, world: string) => ({ '.grantwise.json': JSON.stringify({ policies: [policies], world }) }),
  glob: (policies: string, world: string) => ({ '.grantwise.yaml': `policies: ['${policies}/*.json']\nworld: ${world}\n` }),
  extended: (policies: string, world: string) => ({
    '.grantwise.yaml': 'extends: settings/base.yaml\n',
    'settings/base.yaml': `policies: [../${policies}]\nworld: ../${world}\n`,
  }),
}
/** Those with which nothing is decided. */
const brokenConfigs = {
  syntax: () => ({ '.grantwise.yaml': 'policies: [policies\n' }),
  field: (policies: string) => ({ '.grantwise.yaml': `polices: [${policies}]\n` }),
  missing: () => ({ '.grantwise.yaml': 'extends: settings/none.yaml\n' }),
}
const configs = { ...readableConfigs, ...brokenConfigs }
type ConfigForm = keyof typeof configs

/** The files of a commit, as they were generated. */
interface Files {
  readonly policies: Readonly<Record<string, string>>
  readonly world: object | undefined
  readonly folder: string
  readonly worldFile: string
  readonly config: ConfigForm
  readonly others: Readonly<Record<string, string>>
}

const policyChange = fc.record({ kind: fc.constant('policy' as const), slot: fc.constantFrom(...slots), policy: policySpec })
const removal = fc.record({ kind: fc.constant('removal' as const), slot: fc.constantFrom(...slots) })
const worldChange = fc.record({ kind: fc.constant('world' as const), world: fc.option(worldSpec, { freq: 5 }) })
const folderChange = fc.record({
  kind: fc.constant('rename' as const),
  folder: fc.constantFrom(...folders),
  worldFile: fc.constantFrom(...worldFiles),
})
const configChange = fc.record({
  kind: fc.constant('config' as const),
  config: fc.constantFrom(
    ...(Object.keys(readableConfigs) as ConfigForm[]),
    'yaml' as const,
    ...(Object.keys(brokenConfigs) as ConfigForm[]),
  ),
})
const breakage = fc.record({
  kind: fc.constant('breakage' as const),
  slot: fc.constantFrom(...slots),
  how: fc.constantFrom('syntax', 'field', 'twice'),
})
const otherChange = fc.record({
  kind: fc.constant('other' as const),
  name: fc.constantFrom('README.md', 'src/main.js', 'ci.yaml'),
  text: fc.nat(3),
})
const revert = fc.record({ kind: fc.constant('revert' as const), back: fc.integer({ min: 2, max: 6 }) })

/** Changes that leave the paths and the configuration as they are. */
const plainChange = fc.oneof(
  { weight: 12, arbitrary: policyChange },
  { weight: 2, arbitrary: removal },
  { weight: 3, arbitrary: worldChange },
  { weight: 1, arbitrary: breakage },
  { weight: 2, arbitrary: otherChange },
)
const anyChange = fc.oneof(
  { weight: 21, arbitrary: plainChange },
  { weight: 2, arbitrary: folderChange },
  { weight: 3, arbitrary: configChange },
)
const mergeOf = (change: typeof anyChange) =>
  fc.record({
    kind: fc.constant('merge' as const),
    side: fc.array(change, { minLength: 1, maxLength: 3 }),
    /** Whose files the merge has: those of the side, those of the branch as they were, or those of the branch with one more change. */
    result: fc.oneof(fc.constantFrom('side' as const, 'branch' as const), change),
  })

type SimpleChange = typeof anyChange extends fc.Arbitrary<infer T> ? T : never
export type HistoryChange =
  | SimpleChange
  | { kind: 'revert'; back: number }
  | { kind: 'merge'; side: SimpleChange[]; result: 'side' | 'branch' | SimpleChange }

/** The changes of the first-parent line, a commit each. `isPlain`: with the same paths and configuration in all of them. */
export function historyChanges(
  counts: { readonly minLength: number; readonly maxLength: number },
  isPlain = false,
): fc.Arbitrary<HistoryChange[]> {
  const change = (isPlain ? plainChange : anyChange) as typeof anyChange
  return fc.array<HistoryChange>(
    fc.oneof({ weight: 16, arbitrary: change }, { weight: 1, arbitrary: revert }, { weight: 2, arbitrary: mergeOf(change) }),
    { ...counts, size: 'max' },
  )
}

const policyText = (
  name: string,
  { identities, resource, allow, deny, group, condition, expiredAt }: typeof policySpec extends fc.Arbitrary<infer T> ? T : never,
) => {
  const policy = {
    name,
    identities,
    resources: [{ urn: resource }],
    permissions: { allow: allow.map((action) => ({ action })), deny: deny.map((action) => ({ action })) },
    ...(group && { permissionsGroups: [{ urn: care }] }),
    ...(condition && { conditions: { operator: 'MATCH', values: condition } }),
    ...(expiredAt !== undefined && { expiredAt }),
  }
  return name.endsWith('.json') ? JSON.stringify(policy, null, 1) : stringify(policy)
}

const breakages: Readonly<Record<string, (text: string) => string>> = {
  syntax: (text) => text.slice(0, text.lastIndexOf('resources') + 12),
  field: (text) => text.replace('identities', 'identites'),
  twice: (text) => `${text}\n{"name"`,
}

function applied(files: Files, change: SimpleChange): Files {
  switch (change.kind) {
    case 'policy':
      return { ...files, policies: { ...files.policies, [change.slot]: policyText(change.slot, change.policy) } }
    case 'removal': {
      const { [change.slot]: _, ...policies } = files.policies
      return { ...files, policies }
    }
    case 'breakage': {
      const { [change.slot]: text } = files.policies
      const broken = text === undefined ? undefined : breakages[change.how]?.(text)
      return broken === undefined ? files : { ...files, policies: { ...files.policies, [change.slot]: broken } }
    }
    case 'world':
      return { ...files, world: change.world ? worldOf(change.world) : undefined }
    case 'rename':
      return { ...files, folder: change.folder, worldFile: change.worldFile }
    case 'config':
      return { ...files, config: change.config }
    case 'other':
      return { ...files, others: { ...files.others, [change.name]: `text: ${change.text}\n` } }
  }
}

const worldOf = ({ groups, env, care: actions }: typeof worldSpec extends fc.Arbitrary<infer T> ? T : never) => ({
  identities: [{ urn: ann, groups }],
  resources: [{ urn: server, ...(env !== undefined && { tags: { env } }) }],
  permissionsGroups: [{ urn: care, name: 'care', permissions: { allow: actions.map((action) => ({ action })) } }],
})

/** The files of a commit, by their paths. */
function textsOf({ policies, world, folder, worldFile, config, others }: Files): Readonly<Record<string, string>> {
  const written = world && (worldFile.endsWith('.json') ? JSON.stringify(world) : stringify(world))
  return {
    ...Object.fromEntries(Object.entries(policies).map(([slot, text]) => [`${folder}/${slot}`, text])),
    ...(written !== undefined && { [worldFile]: written }),
    ...configs[config](folder, worldFile),
    ...others,
  }
}

const start: Files = { policies: {}, world: undefined, folder: 'policies', worldFile: 'world.yaml', config: 'yaml', others: {} }

export interface GeneratedCommit {
  readonly id: string
  /** Its parents, by their places among the commits. */
  readonly parents: readonly number[]
  readonly isOnLine: boolean
  readonly date: string
  readonly tree: string
}

export interface Repository {
  readonly folder: string
  /** Parents first. */
  readonly commits: readonly GeneratedCommit[]
  /** Make the folder `checkout` hold the files of a commit, and return its path. */
  readonly checkOut: (id: string) => string
}

/** Have something done with a repository that is made of changes in one step, and is removed afterwards. */
export async function withRepository(changes: readonly HistoryChange[], run: (repository: Repository) => Promise<void>): Promise<void> {
  const top = mkdtempSync(join(tmpdir(), 'history-'))
  const folder = join(top, 'repository')
  const checkout = join(top, 'checkout')
  try {
    const git = (cwd: string, args: readonly string[], input?: string) => execFileSync('git', args, { cwd, input, encoding: 'utf8' }).trim()
    git(top, ['init', '--quiet', '--initial-branch=main', folder])
    const { stream, commits } = fastImport(changes)
    git(folder, ['fast-import', '--quiet', '--export-marks=marks'], stream)
    const marks = new Map(
      readFileSync(join(folder, 'marks'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split(' ') as [string, string]),
    )
    rmSync(join(folder, 'marks'))
    git(folder, ['reset', '--quiet', '--hard'])
    git(folder, ['worktree', 'add', '--quiet', '--detach', checkout])
    const trees = new Map(
      git(folder, ['log', '--all', '--format=%H %T'])
        .split('\n')
        .map((line) => line.split(' ') as [string, string]),
    )
    const named = commits.map((commit, i) => {
      const id = marks.get(`:${i + 1}`) as string
      return { ...commit, id, tree: trees.get(id) as string }
    })
    const checkOut = (id: string) => {
      git(checkout, ['checkout', '--quiet', '--force', '--detach', id])
      return checkout
    }
    await run({ folder, commits: named, checkOut })
  } finally {
    rmSync(top, { recursive: true, force: true })
  }
}

/** A stream for `git fast-import`, and the commits in it. */
function fastImport(changes: readonly HistoryChange[]) {
  const commits: Omit<GeneratedCommit, 'id' | 'tree'>[] = []
  let stream = ''
  const commit = (files: Files, parents: readonly number[], isOnLine: boolean): number => {
    const place = commits.length
    const seconds = (firstDay + place * day) / 1000
    const branch = isOnLine ? 'main' : 'side'
    const [first, ...others] = parents.map((parent) => `:${parent + 1}`)
    stream += `commit refs/heads/${branch}\nmark :${place + 1}\ncommitter kim <kim@example.org> ${seconds} +0000\ndata 6\nchange\n`
    stream += `${first === undefined ? '' : `from ${first}\n`}${others.map((other) => `merge ${other}\n`).join('')}deleteall\n`
    for (const [path, text] of Object.entries(textsOf(files)))
      stream += `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`
    commits.push({ parents, isOnLine, date: new Date(seconds * 1000).toISOString() })
    return place
  }
  const line: Files[] = []
  let last: number | undefined
  let files = start
  for (const change of changes) {
    const parents: number[] = last === undefined ? [] : [last]
    if (change.kind === 'revert') files = line.at(-change.back) ?? start
    else if (change.kind === 'merge' && last !== undefined) {
      let side = files
      let end: number = last
      for (const each of change.side) {
        side = applied(side, each)
        end = commit(side, [end], false)
      }
      parents.push(end)
      if (change.result === 'side') files = side
      else if (change.result !== 'branch') files = applied(files, change.result)
    } else if (change.kind !== 'merge') files = applied(files, change)
    last = commit(files, parents, true)
    line.push(files)
  }
  // The configuration of the working folder is that of the last commit: with a broken one, every command is refused.
  if (files.config in brokenConfigs) commit({ ...files, config: 'yaml' }, last === undefined ? [] : [last], true)
  return { stream, commits }
}
