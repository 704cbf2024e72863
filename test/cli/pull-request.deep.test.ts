import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { component, jobOf } from '../support/component.ts'
import { binary, runProgram } from '../support/scenario.ts'

/** The changes of access in a pull request: the script for build servers and the command, over repositories of git. */

const root = resolve(import.meta.dirname, '../..')
const example = join(root, 'examples/pull-request')
const scratch = mkdtempSync(join(tmpdir(), 'grantwise-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

let count = 0
const newFolder = () => {
  const folder = join(scratch, String(count++))
  mkdirSync(folder)
  return folder
}

function git(folder: string, ...args: string[]) {
  const settings = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false', '-c', 'init.defaultBranch=main']
  const { status, stdout, stderr } = spawnSync('git', [...settings, ...args], { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout.trim()
}

function put(folder: string, files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

function commit(folder: string, message: string) {
  git(folder, 'add', '--all')
  git(folder, 'commit', '-qm', message)
  return git(folder, 'rev-parse', 'HEAD')
}

const noWorld = 'grantwise: note: no world file: people and resources are unknown\n'

/** The script as a build server runs it: a bare environment, and files that it collects. */
function script(folder: string, env: Readonly<Record<string, string>>) {
  const runner = newFolder()
  const { status, stdout, stderr } = spawnSync('bash', [join(root, 'integrations/diff.sh')], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH ?? '',
      HOME: newFolder(),
      RUNNER_TEMP: runner,
      GITHUB_OUTPUT: join(runner, 'outputs'),
      GITHUB_STEP_SUMMARY: join(runner, 'summary'),
      GRANTWISE_BIN: binary,
      ...env,
    },
  })
  const read = (name: string) => (existsSync(join(runner, name)) ? readFileSync(join(runner, name), 'utf8') : '')
  return { code: status, stdout, stderr, outputs: read('outputs'), summary: read('summary'), left: readdirSync(runner).sort() }
}

/** A repository with the story of the example: its main branch, the change on another branch, and main as it went on. */
let origin: string
let base: string
let head: string
beforeAll(() => {
  origin = newFolder()
  git(origin, 'init', '-q')
  git(origin, 'config', 'uploadpack.allowAnySHA1InWant', 'true')
  put(origin, { 'README.md': 'policies of a team\n' })
  cpSync(join(example, 'before'), join(origin, 'policies'), { recursive: true })
  base = commit(origin, 'base')
  git(origin, 'checkout', '-qb', 'change')
  rmSync(join(origin, 'policies'), { recursive: true })
  cpSync(join(example, 'after'), join(origin, 'policies'), { recursive: true })
  head = commit(origin, 'tidy up\n\nparent of nothing')
  git(origin, 'checkout', '-q', 'main')
})

const clone = (...args: string[]) => {
  const folder = newFolder()
  git(folder, 'clone', '-q', ...args, `file://${origin}`, '.')
  return folder
}

describe('the script of the action', () => {
  test('reports what a pull request opens: log, annotations, summary, outputs, exit code', () => {
    const { code, stdout, stderr, outputs, summary, left } = script(clone('--branch', 'change'), {
      GRANTWISE_DIFF_BASE: base,
      GRANTWISE_EVENT_HEAD: head,
      GRANTWISE_PATHS: 'policies\n',
    })
    expect(stderr).toBe(noWorld)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^access gained \(2 groups\)$/m)
    expect(stdout).toMatch(/^::error file=policies\/.*title=access-gained::.*vps:apisvc:terminate/m)
    expect(outputs).toBe(`access-exit-code=1\naccess-verdict=changed\ngained=2\nlost=0\nbeyond=0\naccess-base=${base}\n`)
    expect(summary).toContain('webHosting:apisvc:database/restore')
    expect(left).toEqual(['outputs', 'summary'])
  })

  test('in the checkout of a merge that holds one commit, fetches what the merge starts from, also where main went on', () => {
    git(origin, 'checkout', '-q', '--detach', 'main')
    put(origin, { 'policies/later.yaml': readFileSync(join(example, 'before/support.yaml'), 'utf8').replaceAll('support', 'helpers') })
    commit(origin, 'main went on')
    git(origin, 'merge', '-q', '--no-ff', '-m', 'merge', 'change')
    git(origin, 'branch', '-f', 'merged')
    git(origin, 'checkout', '-q', 'main')
    const folder = clone('--depth', '1', '--branch', 'merged')
    const { code, outputs, stderr } = script(folder, { GRANTWISE_DIFF_BASE: base, GRANTWISE_EVENT_HEAD: head })
    expect({ code, outputs, stderr }).toMatchObject({ code: 1, outputs: expect.stringContaining('gained=2\nlost=0\n'), stderr: noWorld })
    expect(git(folder, 'rev-list', '--count', 'HEAD')).toBe('1')
  })

  test('says so where a shallow checkout hides when the change left the base', () => {
    const { code, stdout, summary } = script(clone('--depth', '1', '--branch', 'change'), {
      GRANTWISE_DIFF_BASE: base,
      GRANTWISE_EVENT_HEAD: head,
    })
    expect(code).toBe(1)
    for (const text of [stdout, summary]) expect(text).toContain('fetch-depth: 0')
  })

  test('takes a branch for a base, and the branch where the server gives out no commits', () => {
    const folder = clone('--depth', '1', '--branch', 'change')
    expect(script(folder, { GRANTWISE_DIFF_BASE: 'main', GRANTWISE_ACCESS_FAIL_ON: 'lost' })).toMatchObject({ code: 0 })
    const other = clone('--depth', '1', '--branch', 'change')
    git(other, 'config', 'protocol.version', '0')
    git(origin, 'config', 'uploadpack.allowAnySHA1InWant', 'false')
    const unreachable = git(origin, 'rev-parse', 'change~0^{tree}')
    const answer = script(other, { GRANTWISE_DIFF_BASE: unreachable, GRANTWISE_BASE_BRANCH: 'main' })
    git(origin, 'config', 'uploadpack.allowAnySHA1InWant', 'true')
    expect(answer).toMatchObject({ code: 1, outputs: expect.stringContaining('gained=2') })
  })

  test('does not take a tag for the branch of its name, here or on the server', () => {
    git(origin, 'tag', 'main', 'change')
    const whole = clone('--branch', 'change')
    const shallow = clone('--depth', '1', '--no-tags', '--branch', 'change')
    const answers = [whole, shallow].map((folder) => script(folder, { GRANTWISE_DIFF_BASE: 'main', GRANTWISE_EVENT_HEAD: head }))
    const named = script(shallow, { GRANTWISE_DIFF_BASE: 'refs/heads/main', GRANTWISE_EVENT_HEAD: head })
    // A commit that the server does not give out by its hash comes with the branch.
    git(origin, 'config', 'uploadpack.allowAnySHA1InWant', 'false')
    const other = clone('--depth', '1', '--no-tags', '--branch', 'change')
    git(other, 'config', 'protocol.version', '0')
    const byBranch = script(other, { GRANTWISE_DIFF_BASE: git(origin, 'rev-parse', 'change^{tree}'), GRANTWISE_BASE_BRANCH: 'main' })
    git(origin, 'config', 'uploadpack.allowAnySHA1InWant', 'true')
    git(origin, 'tag', '-d', 'main')
    for (const { code, stderr } of answers)
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('`main` is ambiguous') })
    for (const { code, outputs } of [named, byBranch])
      expect({ code, outputs }).toEqual({ code: 1, outputs: expect.stringContaining('gained=2') })
  })

  test('takes the ceiling from the branch where the base itself is not given out, and says so where the base has none', () => {
    git(origin, 'checkout', '-qb', 'guarded', 'main')
    cpSync(join(example, 'before'), join(origin, 'most'), { recursive: true })
    const start = commit(origin, 'a ceiling')
    git(origin, 'commit', '-qm', 'went on', '--allow-empty')
    git(origin, 'checkout', '-qb', 'lifting', start)
    cpSync(join(example, 'after/operations.yaml'), join(origin, 'policies/operators.yaml'))
    cpSync(join(example, 'after/operations.yaml'), join(origin, 'most/operators.yaml'))
    const lifted = commit(origin, 'lift it')
    git(origin, 'checkout', '-q', 'main')
    git(origin, 'config', 'uploadpack.allowAnySHA1InWant', 'false')
    const env = { GRANTWISE_DIFF_BASE: start, GRANTWISE_EVENT_HEAD: lifted, GRANTWISE_BASE: start }
    const answer = (GRANTWISE_BASE_BRANCH: string, GRANTWISE_CEILING: string) => {
      const folder = clone('--depth', '1', '--branch', 'lifting')
      git(folder, 'config', 'protocol.version', '0')
      return script(folder, { ...env, GRANTWISE_BASE_BRANCH, GRANTWISE_CEILING })
    }
    const answers = [answer('guarded', 'most/'), answer('guarded', './x/../most'), answer('nowhere', 'most'), answer('main', 'most')]
    git(origin, 'config', 'uploadpack.allowAnySHA1InWant', 'true')
    expect(answers.map(({ code, outputs }) => [code, /beyond=\d+/.exec(outputs)?.[0]])).toEqual([
      [1, 'beyond=1'],
      [1, 'beyond=1'],
      [2, undefined],
      [0, 'beyond=0'],
    ])
    expect(answers[3]?.stderr).toContain('most: new in this change, and not in the base')
  })

  test('has no answer where the base cannot be fetched, and says what to set', () => {
    const folder = clone('--branch', 'change')
    for (const unknown of ['1'.repeat(40), '--upload-pack=touch evaluated', 'main:other', '$(touch evaluated)']) {
      const { code, stderr, outputs, summary } = script(folder, { GRANTWISE_DIFF_BASE: unknown })
      expect({ code, outputs }).toEqual({ code: 2, outputs: 'access-exit-code=2\naccess-verdict=none\n' })
      for (const text of [stderr, summary]) expect(text).toContain('fetch-depth: 0')
    }
    expect(existsSync(join(folder, 'evaluated'))).toBe(false)
    expect(git(folder, 'branch', '--list', 'other')).toBe('')
  })

  test.each([
    ['nothing', {}],
    ['the zeros of a first push', { GRANTWISE_DIFF_BASE: '0'.repeat(40) }],
  ])('compares with no access where the base is %s', (_, env) => {
    const folder = clone('--branch', 'main')
    const { code, stdout, summary, outputs } = script(folder, env)
    expect({ code, outputs }).toMatchObject({ code: 1, outputs: expect.stringContaining('access-verdict=changed') })
    for (const text of [stdout, summary]) expect(text).toContain('no commit to compare with')
  })

  test('fails by policy', () => {
    const folder = clone('--branch', 'change')
    const code = (GRANTWISE_ACCESS_FAIL_ON: string, rest = {}) =>
      script(folder, { GRANTWISE_DIFF_BASE: base, GRANTWISE_ACCESS_FAIL_ON, ...rest }).code
    expect(['gained', 'any', 'lost', 'never', 'sometimes'].map((each) => code(each))).toEqual([1, 1, 0, 0, 2])
  })

  test('takes configuration and ceiling from the base, so that a change cannot lift them', () => {
    const folder = clone('--branch', 'main')
    put(folder, { '.grantwise.yaml': 'policies: policies\n' })
    cpSync(join(example, 'before'), join(folder, 'most'), { recursive: true })
    const start = commit(folder, 'a ceiling')
    cpSync(join(example, 'after/operations.yaml'), join(folder, 'policies/operators.yaml'))
    cpSync(join(example, 'after/operations.yaml'), join(folder, 'most/operators.yaml'))
    put(folder, { '.grantwise.yaml': 'policies: nothing-here\n' })
    commit(folder, 'lift it')
    const env = { GRANTWISE_DIFF_BASE: start, GRANTWISE_CEILING: 'most/' }
    // Nothing is found beyond the ceiling of the change, which is said to have changed what is read.
    expect(script(folder, env)).toMatchObject({ code: 3, outputs: expect.stringContaining('beyond=0') })
    git(folder, 'checkout', '-q', '.')
    expect(script(folder, { ...env, GRANTWISE_BASE: start })).toMatchObject({ code: 1, outputs: expect.stringContaining('beyond=1') })
  })

  test('a copy of what the branch took away since is new access, also where attributes of the change would have the two conflict', () => {
    const own = newFolder()
    git(own, 'init', '-q')
    git(own, 'config', 'uploadpack.allowAnySHA1InWant', 'true')
    const lines = Array.from({ length: 30 }, (_, i) => `line ${i}\n`)
    const held = readFileSync(join(example, 'before/support.yaml'), 'utf8')
    put(own, { 'policies/a.yaml': held, 'NOTES.md': lines.join('') })
    const start = commit(own, 'start')
    git(own, 'checkout', '-qb', 'copy')
    put(own, { 'policies/b.yaml': held, 'NOTES.md': lines.with(2, 'two\n').join(''), '.gitattributes': '*.md -merge\n' })
    const last = commit(own, 'copy')
    git(own, 'checkout', '-q', 'main')
    rmSync(join(own, 'policies/a.yaml'))
    put(own, { 'policies/c.yaml': held.replaceAll('group:', 'user:'), 'NOTES.md': lines.with(27, 'later\n').join('') })
    commit(own, 'support leaves')
    const answer = (depth: readonly string[], env: Readonly<Record<string, string>>) => {
      const folder = newFolder()
      git(folder, 'clone', '-q', ...depth, '--branch', 'copy', `file://${own}`, '.')
      return script(folder, { GRANTWISE_PATHS: 'policies', ...env })
    }
    const byHead = answer([], { GRANTWISE_DIFF_BASE: 'origin/main', GRANTWISE_EVENT_HEAD: last })
    const byTarget = answer([], { GRANTWISE_DIFF_BASE: start, GRANTWISE_TARGET: 'main' })
    const shallow = answer(['--depth', '1'], { GRANTWISE_DIFF_BASE: start, GRANTWISE_TARGET: 'main' })
    for (const { code, stdout } of [byHead, byTarget, shallow])
      expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('would be merged into it now') })
    expect(answer([], { GRANTWISE_DIFF_BASE: start, GRANTWISE_TARGET: 'nowhere' })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('cannot be fetched: compared with where the change starts'),
    })
  })

  test('evaluates nothing of its inputs, and takes one path', () => {
    const folder = clone('--branch', 'change')
    const env = { GRANTWISE_DIFF_BASE: base, GRANTWISE_CEILING: '$(touch evaluated)', GRANTWISE_PATHS: '`touch evaluated`' }
    expect(script(folder, env).code).toBe(2)
    expect(script(folder, { GRANTWISE_DIFF_BASE: base, GRANTWISE_PATHS: 'a\nb' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('one path'),
    })
    expect(existsSync(join(folder, 'evaluated'))).toBe(false)
  })

  test('writes the files that a merge request shows, as its template asks for', () => {
    const { script: lines, variables, artifacts } = jobOf(readFileSync(join(root, 'templates/diff.yml'), 'utf8'), component(newFolder()))
    const folder = clone('--depth', '20', '--branch', 'change')
    const home = newFolder()
    const { status, stdout } = spawnSync('bash', ['-euo', 'pipefail', '-c', lines], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH ?? '',
        HOME: home,
        ...variables,
        CI_SERVER_URL: 'https://gitlab.example',
        CI_MERGE_REQUEST_TARGET_BRANCH_SHA: '',
        CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
      },
    })
    expect(status).toBe(1)
    expect(stdout).not.toContain('::error')
    expect(readFileSync(join(folder, artifacts.paths[0] as string), 'utf8')).toContain('vps:apisvc:terminate')
    const quality = JSON.parse(readFileSync(join(folder, artifacts.reports.codequality), 'utf8')) as { check_name: string }[]
    expect(quality.map((each) => each.check_name)).toEqual(['access-gained', 'access-gained'])
  })

  test('needs nothing that is not in the package', () => {
    const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] }
    expect(files).toContain('integrations')
    const hooks = parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')) as { id: string; entry: string; args?: string[] }[]
    const hook = hooks.find(({ id }) => id === 'grantwise-diff')
    const folder = clone('--branch', 'change')
    const words = [...(hook?.entry.split(' ').slice(1) ?? []), ...(hook?.args ?? [])]
    const { status, stdout } = spawnSync(process.execPath, [binary, ...words], { cwd: folder, encoding: 'utf8' })
    expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringContaining('access gained (2 groups)') })
  })
})

describe('what is a change, and what is not', () => {
  const urn = { ops: 'urn:v1:eu:identity:group:ab12-svc/ops', web: 'urn:v1:eu:identity:group:ab12-svc/web' }
  interface Parts {
    readonly identities?: readonly string[]
    readonly allow?: readonly string[]
    readonly except?: readonly string[]
    readonly deny?: readonly string[]
    readonly expiredAt?: string
  }
  const list = (actions: readonly string[] = []) => actions.map((action) => ({ action }))
  const policy = (name: string, { identities = [urn.ops], allow, except, deny, expiredAt }: Parts) => ({
    name,
    identities,
    resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
    permissions: { allow: list(allow), except: list(except), deny: list(deny) },
    ...(expiredAt !== undefined && { expiredAt }),
  })
  const file = (...policies: readonly object[]) => JSON.stringify(policies.length === 1 ? policies[0] : policies, null, 2)
  const [reboot, stop, terminate] = ['vps:apisvc:reboot', 'vps:apisvc:stop', 'vps:apisvc:terminate']

  const care = policy('care', { identities: [urn.ops, urn.web], allow: ['vps:*'], except: [terminate] })
  const view = policy('view', { allow: ['vps:apisvc:get', reboot, terminate] })
  const guard = policy('guard', { identities: [urn.ops, urn.web], deny: [terminate, stop] })
  const written = { 'policies/care.json': file(care), 'policies/view.json': file(view), 'policies/guard.json': file(guard) }

  let folder: string
  beforeEach(() => {
    folder = newFolder()
    git(folder, 'init', '-q')
    put(folder, written)
    commit(folder, 'base')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const differs = async (files: Readonly<Record<string, string | undefined>>) => {
    for (const [name, text] of Object.entries(files)) {
      if (text === undefined) rmSync(join(folder, name))
      else put(folder, { [name]: text })
    }
    const { stdout, stderr, exit } = await runProgram(['diff', 'git:HEAD:policies', 'policies', '--format', 'json'], folder, {
      PATH: process.env.PATH ?? '',
    })
    expect(stderr).toBe(noWorld)
    return { exit, ...(JSON.parse(stdout) as { verdict: string; gained: object[]; lost: object[] }) }
  }

  test.each<[string, Readonly<Record<string, string | undefined>>]>([
    [
      'reordering',
      {
        'policies/care.json': file(policy('care', { identities: [urn.web, urn.ops], allow: ['vps:*'], except: [terminate] })),
        'policies/view.json': file(policy('view', { allow: [terminate, reboot, 'vps:apisvc:get'] })),
      },
    ],
    [
      'splitting a policy',
      {
        'policies/guard.json': file(
          policy('guard ops', { deny: [terminate, stop] }),
          policy('guard web: terminate', { identities: [urn.web], deny: [terminate] }),
          policy('guard web: stop', { identities: [urn.web], deny: [stop] }),
        ),
      },
    ],
    [
      'merging policies of one team',
      {
        'policies/view.json': undefined,
        'policies/guard.json': file(policy('all', { identities: [urn.ops, urn.web], deny: [stop, terminate] }), view),
      },
    ],
    [
      'merging files',
      { ...Object.fromEntries(Object.keys(written).map((name) => [name, undefined])), 'policies/all.json': file(guard, care, view) },
    ],
    ['renaming files', { 'policies/care.json': undefined, 'policies/teams/operations.json': file(care) }],
    ['renaming policies', { 'policies/care.json': file({ ...care, name: 'care, under another name' }) }],
    [
      'duplicates',
      {
        'policies/copy.json': file({ ...care, name: 'a copy' }),
        'policies/view.json': file(
          policy('view', { identities: [urn.ops, urn.ops], allow: ['vps:apisvc:get', reboot, terminate, reboot] }),
        ),
      },
    ],
    ['an allow that is denied', { 'policies/new.json': file(policy('new', { allow: [terminate] })) }],
  ])('%s is none', async (_, files) => {
    expect(await differs(files)).toEqual({ exit: 0, verdict: 'same', gained: [], lost: [], undecided: [] })
  })

  test.each<[string, Readonly<Record<string, string | undefined>>, object]>([
    [
      'a deny that is gone with its file',
      { 'policies/guard.json': undefined },
      // `care` still leaves terminating out for the web team; for operations, `view` allows it.
      [{ actions: [stop] }, { actions: [terminate], identities: [urn.ops] }],
    ],
    [
      'a deny that is gone',
      { 'policies/guard.json': file(policy('guard', { identities: [urn.ops, urn.web], deny: [terminate] })) },
      [
        {
          actions: [stop],
          identities: [urn.ops, urn.web],
          causes: [{ file: 'policies/guard.json', change: 'removed', what: `deny \`${stop}\`` }],
        },
      ],
    ],
    [
      'a deny that expires',
      { 'policies/guard.json': file({ ...guard, expiredAt: '2027-01-01T00:00:00Z' }) },
      [
        { actions: [stop], condition: expect.stringMatching(/after 2027-01-01T00:00:00/), causes: [{ what: 'expiry' }] },
        { actions: [terminate], condition: expect.stringMatching(/after 2027-01-01T00:00:00/) },
      ],
    ],
    [
      'an except that has moved',
      {
        'policies/guard.json': file(policy('guard', { identities: [urn.ops, urn.web], deny: [stop] })),
        'policies/view.json': file(policy('view', { allow: ['vps:apisvc:get', reboot], except: [terminate] })),
        'policies/care.json': file(policy('care', { identities: [urn.ops, urn.web], allow: ['vps:*'] })),
      },
      [{ actions: [terminate], identities: [urn.ops, urn.web] }],
    ],
  ])('%s is one', async (_, files, gained) => {
    const answer = await differs(files)
    expect(answer).toMatchObject({ exit: 1, verdict: 'changed', lost: [], gained })
  })
})
