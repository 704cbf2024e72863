import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { ioIn } from '../support/in-process.ts'

/** `history`: what its answers look like, and what is refused. That they are right is in history-laws.deep.test.ts. */

const folders: string[] = []
afterAll(() => folders.map((folder) => rmSync(folder, { recursive: true, force: true })))

/** Files by their paths; undefined removes one. */
type Files = Readonly<Record<string, string | undefined>>

interface CommitMade {
  readonly files?: Files
  readonly subject?: string
  readonly author?: string
  readonly date?: string
}

function repository(commits: readonly CommitMade[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'history-'))
  folders.push(folder)
  const git = (args: readonly string[], { author = 'carol', date = '2026-03-02T10:00:00Z' }: CommitMade = {}) =>
    execFileSync('git', ['-c', `user.name=${author}`, '-c', 'user.email=carol@example.org', '-c', 'commit.gpgsign=false', ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    }).trim()
  const commit = (made: CommitMade) => {
    for (const [name, text] of Object.entries(made.files ?? {})) {
      const file = join(folder, name)
      mkdirSync(dirname(file), { recursive: true })
      if (text === undefined) rmSync(file, { recursive: true })
      else writeFileSync(file, text)
    }
    git(['add', '--all'])
    git(['commit', '--quiet', '--allow-empty', '--cleanup=verbatim', '--message', made.subject ?? 'change'], made)
    return git(['rev-parse', 'HEAD'])
  }
  git(['init', '--quiet', '--initial-branch=main'])
  const ids = commits.map(commit)
  return { folder, git, commit, ids }
}

const now = Date.parse('2026-11-28T09:00:00Z')

async function run(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
  const { io, out } = ioIn(cwd, env)
  const exit = await main(args, { ...io, now: () => now })
  return { ...out, exit }
}

interface Granted {
  readonly name?: string
  readonly identity?: string
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
}

const kim = 'urn:v1:eu:identity:user:ab12-svc/kim'
const operators = 'urn:v1:eu:identity:group:ab12-svc/operators'

const policy = ({ name = 'servers', identity = kim, allow = [], deny = [] }: Granted) =>
  [
    `name: ${name}`,
    `identities: [${JSON.stringify(identity)}]`,
    'resources: [{ urn: "urn:v1:eu:resource:vps:*" }]',
    'permissions:',
    ...Object.entries({ allow, deny }).flatMap(([list, actions]) =>
      actions.length === 0 ? [] : [`  ${list}:`, ...actions.map((action) => `    - action: ${action}`)],
    ),
    '',
  ].join('\n')

const [get, reboot] = ['vps:apisvc:get', 'vps:apisvc:reboot']

describe('docs/history.md', () => {
  const config = (folder: string) =>
    [
      `policies: [${folder}]`,
      'world: world.yaml',
      'guardrails:',
      '  - code: org/no-public-reboot',
      '    message: servers are restarted from the office only',
      '    never: { identities: "urn:v1:eu:identity:user:*", actions: "vps:apisvc:reboot", resources: "urn:v1:eu:resource:vps:*" }',
      '',
    ].join('\n')
  const servers = (...allow: readonly string[]) => policy({ identity: operators, allow })
  const freeze = policy({ name: 'summer freeze', identity: operators, deny: ['vps:apisvc:re*'] })
  const { folder } = repository([
    {
      files: {
        '.grantwise.yaml': config('policies'),
        'world.yaml': `identities:\n  - urn: ${kim}\n    groups: [${operators}]\nresources:\n  - urn: urn:v1:eu:resource:vps:web-1\n`,
        'policies/servers.yaml': servers(get),
      },
      subject: 'Describe the operators',
      date: '2026-01-12T09:00:00Z',
    },
    {
      files: { 'policies/servers.yaml': servers(get, reboot) },
      subject: 'Let operators restart servers (#142)',
      date: '2026-03-02T10:00:00+01:00',
    },
    {
      files: { 'policies/freeze.yaml': freeze },
      subject: 'Merge pull request #150 from acme/freeze',
      author: 'dave',
      date: '2026-05-20T16:00:00Z',
    },
    {
      files: { 'policies/freeze.yaml': freeze.replace('identities', 'identites') },
      subject: 'Reword the freeze',
      author: 'dave',
      date: '2026-08-03T08:00:00Z',
    },
    {
      files: { policies: undefined, '.grantwise.yaml': config('iam'), 'iam/servers.yaml': servers(get, reboot) },
      subject: 'End the freeze, and rename the folder (#171)',
      author: 'dave',
      date: '2026-09-01T08:00:00Z',
    },
  ])
  const page = new URL('../../docs/history.md', import.meta.url)

  test('the answers on the page are those of the program', async () => {
    const text = readFileSync(page, 'utf8')
    const blocks = [...text.matchAll(/^```text\n\$ (grantwise (?:history|blame|matrix|timeline|lint) .*)\n([\s\S]*?)^```$/gm)]
    expect(blocks).toHaveLength(9)
    let updated = text
    for (const [block, line = ''] of blocks) {
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
      const { stdout, stderr } = await run(words.slice(1), folder, { NO_COLOR: '1' })
      updated = updated.replace(block, () => `\`\`\`text\n$ ${line}\n${stderr}${stdout}\`\`\``)
    }
    if (process.env.UPDATE_EXAMPLES === '1') writeFileSync(page, updated)
    else expect(text).toBe(updated)
  })
})

const question = [kim, reboot, 'urn:v1:eu:resource:vps:web-1']
const allowing = { 'p.yaml': policy({ allow: [reboot] }) }
const denying = { 'p.yaml': policy({ allow: [get] }) }
const asJson = async (args: readonly string[], folder: string) => {
  const { exit, stdout, stderr } = await run(['history', ...args, '--format', 'json'], folder)
  return { exit, stderr, answer: stdout === '' ? undefined : JSON.parse(stdout) }
}
/** The subjects of the commits that are listed, newest first. */
const subjectsIn = ({ answer }: Awaited<ReturnType<typeof asJson>>) =>
  answer?.changes.map(({ commit }: { readonly commit: { readonly subject: string } }) => commit.subject)

test.each([
  ['Merge pull request #142 from acme/restarts', '#142'],
  ['Let operators restart servers (#143)', '#143'],
  ['Let operators restart servers (!13)', '!13'],
  ['Merged in restarts (pull request #7)', '#7'],
  ['Revert "Restarts (#143)"', null],
  ['Fix #12: restarts', null],
  ['Merge branch restarts', null],
])('the request in the subject %j is %s', async (subject, number) => {
  const { folder } = repository([{ files: allowing, subject }])
  const { answer } = await asJson(question, folder)
  expect(answer.changes[0].commit).toMatchObject({ subject, request: number })
})

test.each([
  [question, []],
  [['user/kim', reboot, 'urn:v1:eu:resource:vps:web-1'], []],
  [question, ['-p', 'p.yaml']],
  [question, ['-p', 'git:main']],
  [question, ['-p', 'git:main:p.yaml']],
  [['*', 'vps:*'], []],
  [['user/kim'], []],
  [['*', '*', 'urn:v1:eu:resource:vps:*'], []],
] as const)('asked with %j %j: two commits, newest first', async (asked, options) => {
  const { folder } = repository([
    {},
    { files: allowing, subject: 'open' },
    { files: { 'README.md': 'x' } },
    { files: denying, subject: 'close' },
  ])
  const answer = await asJson([...asked, ...options], folder)
  expect([answer.exit, answer.stderr, subjectsIn(answer)]).toEqual([0, '', ['close', 'open']])
  expect(answer.answer).toMatchObject({ complete: true, gaps: [], commits: { count: 4 } })
})

describe('refused with exit code 2', () => {
  const { folder, git } = repository([{ files: allowing }, { files: denying }])
  const refused = (words: string | RegExp) => ({
    exit: 2,
    stdout: '',
    stderr: typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words),
  })

  test.each([
    [[...question, '-p', 'git:none'], 'git:none: no such commit'],
    [[...question, '-p', 'policys'], 'no commit of `HEAD` holds a policy at `policys`'],
    [[...question, '-p', 'p.yaml', '-p', 'policys'], 'no commit holds a file at `policys`'],
    [[...question, '-p', 'git:main', '-p', 'git:other'], 'two branches'],
    [[...question, '-p', '-'], 'standard input has no past'],
    [[...question, '--at', 'yesterday'], '`yesterday`'],
    [[...question, '--at', '2026-01-01T00:00:00Z', '--as-of-commit'], 'both give a time'],
    [[], '`history` takes IDENTITY'],
    [['user/kin', reboot, 'vps:web-1'], 'user/kin'],
    [[kim, 'vps:apisvc:', 'vps:web-1'], 'vps:apisvc:'],
    [[kim, '*', '--ip', '192.0.2.1'], 'patterns are about many'],
    [['--guardrail', 'org/none'], 'the configuration has no such guardrail'],
    [[kim, '--test', 'a.iamtest.yaml'], 'take the place of a question'],
    [['--test', 'none.iamtest.yaml'], 'none.iamtest.yaml'],
  ] as const)('%j', async (args, words) => {
    expect(await run(['history', ...args], folder)).toEqual(refused(words))
  })

  test('no repository, and one without a commit', async () => {
    const plain = mkdtempSync(join(tmpdir(), 'history-'))
    folders.push(plain)
    writeFileSync(join(plain, 'p.yaml'), policy({ allow: [reboot] }))
    expect(await run(['history', ...question], plain)).toEqual(refused('not a git repository'))
    expect(await run(['history', ...question], repository().folder)).toEqual(refused(/no commit|has no commits/))
  })

  test('a shallow clone, with the command that fetches the rest', async () => {
    const clone = mkdtempSync(join(tmpdir(), 'history-'))
    folders.push(clone)
    git(['clone', '--quiet', '--depth', '1', `file://${folder}`, clone])
    expect(await run(['history', ...question], clone)).toEqual(refused(/shallow.*`git fetch --unshallow`/s))
    execFileSync('git', ['fetch', '--quiet', '--unshallow'], { cwd: clone })
    expect((await run(['history', ...question], clone)).exit).toBe(0)
  })
})

test.each([
  ['a syntax error', { 'p.yaml': 'name: a\nidentities: [' }, 'p.yaml:'],
  ['an unknown field', { 'p.yaml': policy({ allow: [reboot] }).replace('identities', 'identites') }, 'unknown field `identites`'],
  ['a configuration with an unknown key', { '.grantwise.yaml': 'polices: [.]\n' }, 'polices'],
] as const)('%s: a commit that cannot be read is named, and the exit code is 3', async (_, broken, why) => {
  const repaired = Object.fromEntries(Object.keys(broken).map((name) => [name, name === 'p.yaml' ? denying['p.yaml'] : undefined]))
  const { folder, ids, commit } = repository([
    { files: allowing },
    { files: broken, subject: 'broken' },
    { files: { ...repaired, ...denying } },
  ])
  const { exit, answer } = await asJson(question, folder)
  expect([exit, answer.complete, answer.gaps]).toEqual([3, false, []])
  expect(answer.changes[0]).toMatchObject({ commit: { id: ids[2] }, unread: [{ id: ids[1], why: expect.stringContaining(why) }] })
  expect((await run(['history', ...question], folder)).stdout).toMatch(/or +1 commit that cannot be read, /)
  // With the same answer before and after, no commit is listed, and the stretch is.
  commit({ files: broken })
  commit({ files: { ...repaired, ...denying } })
  const again = await asJson(question, folder)
  expect([again.exit, again.answer.changes.length, again.answer.gaps]).toEqual([
    3,
    2,
    [expect.objectContaining({ after: expect.objectContaining({ id: ids[2] }) })],
  ])
})

test.each([
  ['at its start', ['broken', 'allow', 'deny'], 'open for at least 10 days, at most 20 days'],
  ['at its end', ['allow', 'broken', 'deny'], 'open for at least 10 days, at most 20 days'],
  ['within', ['allow', 'broken', 'allow', 'deny'], 'open for at most 30 days, with commits between that cannot be read'],
  ['before it', ['deny', 'broken', 'deny', 'allow', 'deny'], 'open for 10 days'],
] as const)('how long it was open, with a commit that cannot be read %s', async (_, kinds, words) => {
  const files = { allow: allowing, deny: denying, broken: { 'p.yaml': 'name: a\nidentities: [' } }
  const start = Date.parse('2026-01-01T00:00:00Z')
  const commits = ['deny' as const, ...kinds].map((kind, i) => ({
    files: files[kind],
    date: new Date(start + i * 10 * 86_400_000).toISOString(),
  }))
  const { folder } = repository(commits)
  const { exit, stdout } = await run(['history', ...question], folder)
  const line = stdout.split('\n').find((each) => each.startsWith('opened by'))
  expect([exit, line?.split(' · ').at(-1)]).toEqual([3, words])
})

test('a symbolic link in the place of a policy cannot be read', async () => {
  const { folder, ids, commit } = repository([{ files: { 'policies/p.yaml': policy({ allow: [reboot] }), 'other.yaml': 'a: 1\n' } }])
  symlinkSync('../other.yaml', join(folder, 'policies/link.yaml'))
  const linked = commit({ subject: 'link' })
  const { exit, answer } = await asJson([...question, '-p', 'policies'], folder)
  expect([exit, answer.gaps.length, answer.gaps[0]?.unread[0].id, answer.changes[0].commit.id]).toEqual([3, 1, linked, ids[0]])
})

test('a manifest is read together with the kustomization that changes it, from the commit that adds it', async () => {
  const manifest = `apiVersion: iam.svc.example.org/v1alpha1
kind: Policy
metadata: { name: p }
spec: { forProvider: { name: p, identities: ["${kim}"], resources: ["urn:v1:eu:resource:vps:*"], allow: ["${get}"] } }
`
  const patch = `resources: [p.yaml]
patches:
  - target: { kind: Policy, name: p }
    patch: '[{ op: replace, path: /spec/forProvider/allow/0, value: "${reboot}" }]'
`
  const { folder, ids } = repository([{ files: { 'k8s/p.yaml': manifest } }, { files: { 'k8s/kustomization.yaml': patch } }])
  const { exit, answer } = await asJson([...question, '-p', 'k8s'], folder)
  expect([exit, answer.gaps.length, answer.gaps[0]?.unread[0].id]).toEqual([3, 1, ids[1]])
  expect(answer.gaps[0].unread[0].why).toMatch(/`patches` may change policies/)
})

describe('renames', () => {
  const moved = (from: string, to: string, text: string) => ({ [`${from}/p.yaml`]: undefined, [`${to}/p.yaml`]: text })

  test.each([['iam'], ['iam/p.yaml']])('`-p %s` follows files to the names that they had before', async (path) => {
    const { folder } = repository([
      { files: { 'old/p.yaml': denying['p.yaml'] }, subject: 'first' },
      { files: { 'old/p.yaml': allowing['p.yaml'] }, subject: 'open' },
      { files: moved('old', 'iam', allowing['p.yaml']), subject: 'rename' },
      { files: { 'iam/p.yaml': denying['p.yaml'] }, subject: 'close' },
    ])
    expect(subjectsIn(await asJson([...question, '-p', path], folder))).toEqual(['close', 'open'])
  })

  test('with the configuration', async () => {
    const { folder } = repository([
      {
        files: { '.grantwise.yaml': 'policies: [old]\n', 'old/p.yaml': allowing['p.yaml'], 'iam/p.yaml': denying['p.yaml'] },
        subject: 'open',
      },
      { files: { 'iam/p.yaml': policy({ deny: [reboot] }) }, subject: 'not in use yet' },
      { files: { '.grantwise.yaml': 'policies: [iam]\n' }, subject: 'switch' },
    ])
    expect(subjectsIn(await asJson(question, folder))).toEqual(['switch', 'open'])
  })
})

test('attributes of git that rewrite files count from the commit that sets them', async () => {
  const { folder, git, commit, ids } = repository([{ files: allowing }])
  commit({ files: { '.gitattributes': '*.json ident\n' }, subject: 'other files' })
  // A checkout of this commit has the policy in another encoding.
  writeFileSync(join(folder, '.gitattributes'), 'p.yaml working-tree-encoding=UTF-16\n')
  git(['add', '.gitattributes'])
  git(['commit', '--quiet', '--message', 'encoding'])
  const { exit, stderr } = await run(['can', ...question, '-p', 'git:HEAD:p.yaml'], folder)
  const history = await asJson(question, folder)
  expect([exit, history.exit, history.answer.gaps.length]).toEqual([2, 3, 1])
  expect(history.answer.gaps[0]).toMatchObject({ after: { subject: 'other files' }, until: null, unread: [{ subject: 'encoding' }] })
  expect(stderr).toContain(history.answer.gaps[0].unread[0].why)
  expect(history.answer.changes.map((change: { readonly commit: { readonly id: string } }) => change.commit.id)).toEqual([ids[0]])
})

test('a configuration of Terraform is read anew for each commit', async () => {
  const main = (action: string) => `variable "action" {
  default = "${action}"
}
`
  const resource = `resource "svc_iam_policy" "p" {
  name       = "p"
  identities = ["${kim}"]
  resources  = ["urn:v1:eu:resource:vps:*"]
  allow      = [var.action]
}
`
  const { folder } = repository([
    { files: { 'variables.tf': main(get), 'policy.tf': resource }, subject: 'first' },
    { files: { 'variables.tf': main(reboot) }, subject: 'open' },
    { files: { 'README.md': 'x' }, subject: 'other' },
    { files: { 'variables.tf': main(get) }, subject: 'close' },
  ])
  const answer = await asJson(question, folder)
  expect([answer.exit, subjectsIn(answer)]).toEqual([0, ['close', 'open']])
})

test('guardrails and policy tests', async () => {
  const config = `policies: [p.yaml]
guardrails:
  - code: org/no-restart
    message: no restarts
    never: { identities: "urn:v1:eu:identity:user:*", actions: "${reboot}", resources: "urn:v1:eu:resource:vps:*" }
`
  const suite = `tests:
  - name: kim restarts
    identity: ${kim}
    action: ${reboot}
    resource: urn:v1:eu:resource:vps:web-1
    expect: allow
`
  const { folder } = repository([
    { files: { ...denying, '.grantwise.yaml': config }, subject: 'first' },
    { files: allowing, subject: 'open' },
    { files: denying, subject: 'close' },
  ])
  writeFileSync(join(folder, 'kim.iamtest.yaml'), suite)
  const kept = await asJson(['--guardrail', 'org/no-restart'], folder)
  expect([kept.exit, subjectsIn(kept), kept.answer.now[0].status]).toEqual([0, ['close', 'open'], 'passed'])
  const tested = await asJson(['--test', 'kim.iamtest.yaml'], folder)
  expect([tested.exit, subjectsIn(tested), tested.answer.now[0].status]).toEqual([0, ['close', 'open', 'first'], 'failed'])
})

test('guardrails are those of the last commit, and not those on the disk where it cannot be read', async () => {
  const config = (never: string) => `policies: [p.yaml]
guardrails:
  - code: org/a
    message: none
    never: { identities: "urn:v1:eu:identity:user:*", actions: "${never}", resources: "urn:v1:eu:resource:vps:*" }
`
  const { folder, commit } = repository([{ files: { ...allowing, '.grantwise.yaml': config(reboot) } }])
  // A policy that cannot be read: the guardrails of the commit still count.
  commit({ files: { 'p.yaml': 'name: a\nidentities: [' } })
  writeFileSync(join(folder, '.grantwise.yaml'), config(get))
  const asked = ['--guardrail', 'org/a', '--format', 'json']
  const { exit, stdout } = await run(['history', ...asked], folder)
  expect([exit, JSON.parse(stdout).changes.map((each: { readonly claims: readonly unknown[] }) => each.claims)]).toEqual([
    3,
    [[expect.objectContaining({ status: 'failed' })]],
  ])
  commit({ files: { ...allowing, '.grantwise.yaml': 'polices: [.]\n' } })
  writeFileSync(join(folder, '.grantwise.yaml'), config(reboot))
  const refused = await run(['history', ...asked], folder)
  expect([refused.exit, refused.stdout]).toEqual([2, ''])
  expect(refused.stderr).toMatch(/--guardrail.*the last commit of `HEAD`.*cannot be read: .*polices/)
  const named = await run(['history', ...asked, '--config', '.grantwise.yaml'], folder)
  expect([named.exit, JSON.parse(named.stdout).now[0].status]).toEqual([3, 'failed'])
})

test('merges: one commit of the branch, or the commits that they bring', async () => {
  const { folder, git, commit } = repository([{ files: denying, subject: 'first' }])
  git(['switch', '--quiet', '--create', 'side'])
  commit({ files: allowing, subject: 'open on the side', author: 'dave' })
  commit({ files: denying, subject: 'close on the side' })
  commit({ files: allowing, subject: 'open again' })
  git(['switch', '--quiet', 'main'])
  commit({ files: { 'README.md': 'x' } })
  git(['merge', '--quiet', '--no-ff', '--message', 'Merge pull request #9 from acme/side', 'side'])
  expect(subjectsIn(await asJson(question, folder))).toEqual(['Merge pull request #9 from acme/side'])
  expect(subjectsIn(await asJson([...question, '--all-parents'], folder))).toEqual(['open again', 'close on the side', 'open on the side'])
})

test('an unreadable commit of a merged branch is named with `--all-parents`', async () => {
  const { folder, git, commit } = repository([{ files: allowing }])
  git(['switch', '--quiet', '--create', 'side'])
  const broken = commit({ files: { 'p.yaml': 'name: a\nidentities: [' } })
  git(['switch', '--quiet', 'main'])
  git(['merge', '--quiet', '--no-ff', '--strategy=ours', '--message', 'merge', 'side'])
  expect((await asJson(question, folder)).exit).toBe(0)
  const { exit, answer } = await asJson([...question, '--all-parents'], folder)
  expect([exit, answer.gaps.map(({ unread: [first] }: { unread: { id: string }[] }) => first?.id)]).toEqual([3, [broken]])
})

test('access of one identity, where the first commit holds no policy, lists no others', async () => {
  const others = policy({ name: 'others', identity: kim.replace('kim', 'lee'), allow: ['vps:*'] })
  const { folder } = repository([{}, { files: allowing, subject: 'kim' }, { files: { 'q.yaml': others }, subject: 'lee' }])
  expect(subjectsIn(await asJson([kim], folder))).toEqual(['kim'])
})

test('access of one identity names no other that the same policy grants it to, nor changes of groups of others', async () => {
  const lee = kim.replace('kim', 'lee')
  const world = (leeGroups: readonly string[]) =>
    JSON.stringify({
      identities: [
        { urn: kim, groups: [] },
        { urn: lee, groups: leeGroups },
      ],
    })
  const both = (...allow: readonly string[]) => policy({ allow }).replace(/^identities: .*$/m, `identities: [${kim}, ${lee}, ${operators}]`)
  const { folder } = repository([
    { files: { '.grantwise.yaml': 'policies: [p.yaml]\nworld: world.json\n', 'world.json': world([]), 'p.yaml': both(get) } },
    { files: { 'p.yaml': both(get, reboot) }, subject: 'both' },
    { files: { 'world.json': world([operators]) }, subject: 'lee joins' },
  ])
  const found = await asJson([kim], folder)
  expect(subjectsIn(found)).toEqual(['both', 'change'])
  expect(found.answer.changes[0].difference.gained.flatMap(({ identities }: { identities: string[] }) => identities)).toEqual([kim])
})

test('access of one identity that ends by itself is lost with the next commit, whatever that one changes', async () => {
  const expiring = `${policy({ allow: [reboot] })}expiredAt: "2026-04-01T00:00:00Z"\n`
  const others = (...allow: readonly string[]) => policy({ name: 'domains', allow }).replace('resource:vps', 'resource:domain')
  const { folder } = repository([
    { files: { 'p.yaml': expiring, 'q.yaml': others('domain:apisvc:get') }, subject: 'open', date: '2026-03-01T00:00:00Z' },
    { files: { 'q.yaml': others('domain:apisvc:edit') }, subject: 'after the end', date: '2026-05-01T00:00:00Z' },
  ])
  const found = await asJson([kim, '--as-of-commit'], folder)
  expect(subjectsIn(found)).toEqual(['after the end', 'open'])
  const lost: readonly { actions: string[] }[] = found.answer.changes[0].difference.lost
  expect(lost.flatMap(({ actions }) => actions).sort()).toEqual(['domain:apisvc:get', reboot])
})

test('an entry that a policy had before is not named as added', async () => {
  const { folder } = repository([{ files: denying }, { files: { 'p.yaml': policy({ allow: [get, reboot] }) } }])
  const { answer } = await asJson(['*', '*:reboot'], folder)
  expect(answer.changes[0].difference.gained[0].causes).toEqual([
    expect.objectContaining({ line: 7, what: `allow \`${reboot}\``, change: 'added' }),
  ])
})

test('times: over all of them, at one, and at each commit', async () => {
  const expiring = { 'p.yaml': `${policy({ allow: [reboot] })}expiredAt: "2026-04-01T00:00:00Z"\n` }
  const { folder } = repository([
    { files: expiring, subject: 'open', date: '2026-03-01T00:00:00Z' },
    { files: { 'README.md': 'x' }, subject: 'after the end', date: '2026-05-01T00:00:00Z' },
  ])
  const all = await asJson(question, folder)
  expect([subjectsIn(all), all.answer.changes[0].after]).toEqual([
    ['open'],
    expect.objectContaining({ verdict: 'allow', when: expect.anything() }),
  ])
  expect(subjectsIn(await asJson([...question, '--as-of-commit'], folder))).toEqual(['after the end', 'open'])
  expect(subjectsIn(await asJson([...question, '--at', '2026-03-15T00:00:00Z'], folder))).toEqual(['open'])
  expect(subjectsIn(await asJson([...question, '--at', '2026-04-15T00:00:00Z'], folder))).toEqual([])
})

describe('what is printed', () => {
  const hostile = '::error file=a::\u001b[31mred\u0007 %0A\u202e ##vso[task.complete] `x` | y <b>'
  const { folder } = repository([
    { files: denying },
    { files: allowing, subject: hostile, author: '\u001b]0;title\u0007::warning::Zoë 山田 אבג' },
  ])

  test.each(['pretty', 'compact', 'markdown', 'json'])(
    '%s: nothing in a subject or a name acts on a terminal or a build server',
    async (format) => {
      const { exit, stdout } = await run(['history', ...question, '--format', format], folder)
      expect(exit).toBe(0)
      for (const character of ['\u001b', '\u0007', '\u202e']) expect(stdout).not.toContain(character)
      expect(stdout).not.toMatch(/^\s*(?:::|##vso)/m)
      if (format !== 'compact') expect(stdout).toMatch(/Zoë 山田/)
      if (format === 'markdown') expect(stdout).not.toMatch(/<b>|\| y/)
    },
  )

  test.each([20, 40, 200])('a terminal of %i columns', async (columns) => {
    const { stdout } = await run(['history', ...question], folder, { COLUMNS: `${columns}`, NO_COLOR: '1' })
    expect(stdout).toContain('deny → allow')
    expect(stdout).not.toContain('\u001b')
  })
})

describe('a part of the past', () => {
  const { folder, ids } = repository([
    { files: allowing, subject: 'open', date: '2026-01-02T10:00:00Z' },
    { files: { ...allowing, 'other.txt': '1' }, subject: 'other', date: '2026-02-02T10:00:00Z' },
    { files: denying, subject: 'close', date: '2026-03-02T10:00:00Z' },
    { files: allowing, subject: 'open again', date: '2026-04-02T10:00:00Z' },
  ])

  test.each([
    [question, 'one question'],
    [['*'], 'patterns'],
  ])('is looked at with `--since`: its first commit is what the others are compared with', async (asked) => {
    const whole = await asJson(asked, folder)
    expect(subjectsIn(whole)).toEqual(['open again', 'close', 'open'])
    const part = await asJson([...asked, '--since', '2026-02-15'], folder)
    expect([part.exit, subjectsIn(part), part.answer.commits.count]).toEqual([0, ['open again', 'close'], 3])
    expect(part.answer.changes).toEqual(whole.answer.changes.slice(0, 2))
    expect(subjectsIn(await asJson([...asked, '--since', ids[2] as string], folder))).toEqual(['open again'])
  })

  test('`--since` is refused with all parents, for a commit of another branch, and in the future', async () => {
    const refusedWith = async (...more: readonly string[]) => {
      const { exit, stdout, stderr } = await run(['history', ...question, ...more], folder)
      expect([exit, stdout]).toEqual([2, ''])
      return stderr
    }
    expect(await refusedWith('--since', 'main', '--all-parents')).toMatch(/`--since` is about the branch itself/)
    expect(await refusedWith('--since', '2999-01-01')).toMatch(/is in the future/)
    const other = execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit-tree', '-m', 'x', 'HEAD^{tree}'], {
      cwd: folder,
      encoding: 'utf8',
    }).trim()
    expect(await refusedWith('--since', other)).toMatch(/the commit is not one of `HEAD` by first parents/)
  })

  test('ends where the budget does: the last commit that was looked at is named, and the exit code is 3', async () => {
    const { io, out } = ioIn(folder, {})
    const exit = await main(['history', '*', '--format', 'json'], { ...io, now: () => now, budget: 0 })
    const answer = JSON.parse(out.stdout)
    expect([exit, answer.complete]).toEqual([3, false])
    expect(answer.commits).toMatchObject({ count: 1, first: { id: ids[0] }, last: { id: ids[0] } })
    const printed = ioIn(folder, {})
    expect(await main(['history', '*'], { ...printed.io, now: () => now, budget: 0 })).toBe(3)
    expect(printed.out.stdout).toMatch(
      /not all was looked at: no commit after [0-9a-f]{7} .*, up to [0-9a-f]{7} .*; a later `--since`, or names in the place of patterns, narrows it/,
    )
  })
})
