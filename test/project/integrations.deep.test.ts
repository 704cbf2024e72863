import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Minimatch } from 'minimatch'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { commands } from '../../src/cli/app/commands.ts'
import { hookNames, hookText, pipelineText } from '../../src/cli/commands/init.ts'
import { component, jobOf, npmFrom } from '../support/component.ts'
import { isDeep, some } from '../support/effort.ts'

const root = resolve(import.meta.dirname, '../..')
const bin = join(root, 'bin/grantwise.js')
const scratch = mkdtempSync(join(tmpdir(), 'integrations-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const good = {
  name: 'readers',
  identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
  resources: [{ urn: 'urn:v1:eu:resource:vps:vps-1' }],
  permissions: { allow: [{ action: 'vps:apisvc:get' }] },
}
const bad = { ...good, name: 'writers', permissions: { allow: [{ action: 'vps:apisvc:rebooot' }] } }

let folder: string
let count = 0

/** A repository with one good and one bad policy, and a bare environment as a build server gives it. */
function git(...args: string[]) {
  const { status, stdout, stderr } = spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return stdout.trim()
}

const start = join(scratch, 'start')
beforeAll(() => {
  folder = start
  mkdirSync(join(folder, 'policies'), { recursive: true })
  git('init', '-q')
  writeFileSync(join(folder, 'policies/good.json'), JSON.stringify(good, null, 2))
  git('add', '.')
  git('commit', '-qm', 'base')
})
beforeEach(() => {
  folder = join(scratch, String(count++))
  cpSync(start, folder, { recursive: true })
})

function lint(env: Record<string, string>) {
  const outputs = join(folder, '.git/outputs')
  const summary = join(folder, '.git/summary')
  const run = spawnSync('bash', [join(root, 'integrations/lint.sh')], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      RUNNER_TEMP: join(folder, '.git'),
      GITHUB_OUTPUT: outputs,
      GITHUB_STEP_SUMMARY: summary,
      GRANTWISE_BIN: bin,
      ...env,
    },
  })
  const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '')
  return {
    code: run.status,
    stdout: run.stdout,
    stderr: run.stderr,
    outputs: read(outputs),
    summary: read(summary),
    sarif: read(join(folder, '.git/grantwise.sarif')),
  }
}

describe('the action', () => {
  it('annotates the value, writes summary and SARIF, and passes the exit code on', () => {
    writeFileSync(join(folder, 'policies/bad.json'), JSON.stringify(bad, null, 2))
    const { code, stdout, outputs, summary, sarif } = lint({ GRANTWISE_PATHS: 'policies/good.json\npolicies/bad.json\n' })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^::warning file=policies\/bad\.json,line=14,.*unknown-action/m)
    expect(outputs).toContain('exit-code=1\n')
    expect(summary).toContain('policies/bad.json')
    expect(summary).toMatch(/^Coverage: read 2 files; passed over 0\.$/m)
    expect(JSON.parse(sarif).runs[0].results).toHaveLength(1)
  })

  it('is green on what is right', () => {
    expect(lint({})).toMatchObject({ code: 0 })
  })

  it('evaluates nothing of its inputs', () => {
    const mark = join(folder, 'evaluated')
    const { code } = lint({ GRANTWISE_PATHS: `$(touch ${mark})\n--fix\n;touch ${mark}` })
    expect(code).toBe(2)
    expect(existsSync(mark)).toBe(false)
  })

  it('hands every input to the script through the environment', () => {
    const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as { runs: { steps: { run?: string; env?: object }[] } }
    const steps = action.runs.steps.filter(({ run }) => run !== undefined)
    expect(steps).toHaveLength(6)
    for (const { run } of steps) expect(run).not.toContain('$'.concat('{{'))
    const files = [
      'install.sh',
      'program.sh',
      'base.sh',
      'lint.sh',
      'diff.sh',
      'merge.sh',
      'report.sh',
      'comment/main.mjs',
      'comment/github.mjs',
    ]
    const script = files.map((name) => readFileSync(join(root, 'integrations', name), 'utf8')).join('')
    for (const name of steps.flatMap(({ env = {} }) => Object.keys(env))) expect(script).toContain(name)
  })

  // covers: T26
  it('knows the base of a pull request and of a merge queue, in every step that trusts it', () => {
    const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as { runs: { steps: { env?: Record<string, string> }[] } }
    const bases = action.runs.steps.flatMap(({ env }) => (env?.GRANTWISE_BASE === undefined ? [] : [env]))
    expect(bases).toHaveLength(3)
    for (const env of bases) {
      for (const event of ['pull_request.base.sha', 'merge_group.base_sha']) expect(env.GRANTWISE_BASE).toContain(`github.event.${event}`)
      for (const event of ['pull_request.base.ref', 'merge_group.base_ref'])
        expect(env.GRANTWISE_BASE_BRANCH).toContain(`github.event.${event}`)
    }
  })
})

describe('hooks and templates', () => {
  it('no shell line has an expression of the build server in it', () => {
    const pages = [
      'docs/integrations.md',
      'docs/terraform.md',
      'docs/pulumi.md',
      'docs/formats.md',
      'docs/pull.md',
      'templates/lint.yml',
      'templates/review.yml',
    ]
    const texts = [...pages.map((page) => readFileSync(join(root, page), 'utf8')), pipelineText('github'), pipelineText('gitlab')]
    const lines = texts.flatMap((text) => text.match(/^\s*(?:- )?run: .*$/gm) ?? [])
    expect(lines.length).toBeGreaterThan(10)
    expect(lines.filter((line) => line.includes('$'.concat('{{')))).toEqual([])
  })

  const optionsOf = (command: string) =>
    new Set(commands.find(({ name }) => name === command)?.options.flatMap(({ flags }) => flags.match(/--[a-z-]+/g) ?? []))
  const flagsIn = (text: string) =>
    (text.match(/(?<=\s)--[a-z][a-z-]+/g) ?? []).filter((flag) => !['--no-audit', '--no-fund', '--prefix'].includes(flag))

  it('the pre-commit hooks use options that exist', () => {
    const hooks = parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')) as {
      id: string
      entry: string
      require_serial: boolean
    }[]
    expect(hooks.map(({ id }) => id)).toEqual(['grantwise', 'grantwise-project', 'grantwise-fmt', 'grantwise-diff'])
    for (const { entry, require_serial } of hooks) {
      expect(require_serial).toBe(true)
      for (const flag of flagsIn(entry)) expect(optionsOf(entry.split(' ')[1] as string)).toContain(flag)
    }
  })

  it('`npm pack` prints nothing but a name, which is what installs the hook from git', () => {
    expect(readFileSync(join(root, '.npmrc'), 'utf8')).toMatch(/^foreground-scripts=false$/m)
  })

  it('the hook passes over files that hold no policy, and finds those that are wrong', () => {
    writeFileSync(join(folder, 'package.json'), '{"name":"x","permissions":["a"]}')
    writeFileSync(join(folder, '.pre-commit-config.yaml'), 'repos: []\n')
    writeFileSync(join(folder, 'bad.json'), JSON.stringify(bad))
    const run = (...files: string[]) =>
      spawnSync(process.execPath, [bin, 'lint', '--no-progress', '--if-policy', ...files], { cwd: folder, encoding: 'utf8' })
    expect(run('package.json', '.pre-commit-config.yaml', 'policies/good.json')).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(run('package.json', 'bad.json').status).toBe(1)
  })
})

/** The state of one file before a change and after it; undefined where it is not there. */
type Change = Readonly<Record<string, readonly [before: string | undefined, after: string | undefined]>>

/** Whether a lint fails on what is planted there, and what is reported besides. */
interface Expected {
  readonly code: number
  /** The files that are reported, with what of it. */
  readonly reported?: readonly string[]
  /** Files whose text afterwards is that before the change, that after it, or that are gone. */
  readonly left?: Readonly<Record<string, 'before' | 'after' | 'gone'>>
}

const off = 'rules:\n  unknown-action: "off"\n'
const strict = 'extends: strict\nrules:\n  unknown-action: error\n'

// The policy `policies/bad.json` has a warning by default.
const listedChanges: readonly (readonly [string, Change, Expected, Readonly<Record<string, string>>?])[] = [
  ['no configuration', {}, { code: 1 }],
  [
    'a configuration that only the change has is used, not silently',
    { '.grantwise.yaml': [undefined, off] },
    { code: 0, reported: ['.grantwise.yaml: new in this change'], left: { '.grantwise.yaml': 'after' } },
  ],
  [
    'a configuration that the change takes out',
    { '.grantwise.yaml': [off, undefined] },
    { code: 0, reported: ['.grantwise.yaml: this change alters it'], left: { '.grantwise.yaml': 'before' } },
  ],
  [
    'a configuration that the change weakens',
    { '.grantwise.yaml': [strict, off] },
    { code: 1, reported: ['.grantwise.yaml: this change alters it'], left: { '.grantwise.yaml': 'before' } },
  ],
  ['a configuration that the change leaves alone', { '.grantwise.yaml': [off, off] }, { code: 0, left: { '.grantwise.yaml': 'after' } }],
  [
    'a second configuration, nearer to the policies',
    { '.grantwise.yaml': [strict, strict], 'policies/.grantwise.yml': [undefined, off] },
    { code: 1, reported: ['policies/.grantwise.yml: new in this change; it counts once'], left: { 'policies/.grantwise.yml': 'gone' } },
  ],
  [
    'a second configuration, above the policies',
    { '.grantwise.json': [undefined, '{"policies":"elsewhere"}'], 'policies/.grantwise.yaml': [strict, strict] },
    { code: 1, reported: ['.grantwise.json: new in this change; it counts once'], left: { '.grantwise.json': 'gone' } },
  ],
  [
    'a second configuration, beside the first',
    { 'other/.grantwise.yaml': [strict, strict], 'policies/.grantwise.yaml': [undefined, off] },
    { code: 0, reported: ['policies/.grantwise.yaml: new in this change, and'], left: { 'policies/.grantwise.yaml': 'after' } },
  ],
  [
    'another name of the same configuration',
    { '.grantwise.yaml': [strict, undefined], '.grantwise.json': [undefined, '{"rules":{"unknown-action":"off"}}'] },
    { code: 1, left: { '.grantwise.yaml': 'before', '.grantwise.json': 'gone' } },
  ],
  [
    'what the configuration extends',
    {
      '.grantwise.yaml': ['extends: lib/a.yaml\n', 'extends: lib/a.yaml\n'],
      'lib/a.yaml': ['extends: b.json\n', off],
      'lib/b.json': ['{}', undefined],
    },
    {
      code: 1,
      reported: ['lib/a.yaml: this change alters it', 'lib/b.json: this change alters it'],
      left: { 'lib/a.yaml': 'before', 'lib/b.json': 'before' },
    },
  ],
  [
    'a folder whose name git quotes',
    {
      '.grantwise.yaml': [strict, strict],
      'policies/é "x"/.grantwise.yaml': [undefined, off],
      'policies/é "x"/bad.json': [undefined, JSON.stringify(bad)],
    },
    { code: 1, left: { 'policies/é "x"/.grantwise.yaml': 'gone' } },
    { GRANTWISE_PATHS: 'policies/é "x"' },
  ],
  [
    'a configuration that is named',
    { 'ci/g.yaml': [strict, off] },
    { code: 1, reported: ['ci/g.yaml: this change alters it'], left: { 'ci/g.yaml': 'before' } },
    { GRANTWISE_CONFIG_FILE: './ci/g.yaml' },
  ],
  [
    'a configuration that is named, and only the change has',
    { 'ci/g.yaml': [undefined, off] },
    { code: 0, reported: ['ci/g.yaml: new in this change'], left: { 'ci/g.yaml': 'after' } },
    { GRANTWISE_CONFIG_FILE: 'ci/g.yaml' },
  ],
  [
    'a baseline that only the change has',
    { 'base.json': [undefined, '{"version":1,"findings":[]}'] },
    { code: 1, reported: ['base.json: new in this change'], left: { 'base.json': 'after' } },
    { GRANTWISE_BASELINE: 'base.json' },
  ],
]

const changes = listedChanges.map(([name, change, expected, env = {}]) => [name, change, expected, env] as const)

// covers: T26
describe('the configuration in a pull request', () => {
  const inDeep = it.runIf(isDeep)
  const put = (files: readonly (readonly [string, string | undefined])[]) => {
    for (const [path, text] of files) {
      const file = join(folder, path)
      rmSync(file, { force: true })
      if (text === undefined) continue
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
    git('add', '--all')
    git('commit', '-qm', 'a commit', '--allow-empty')
    return git('rev-parse', 'HEAD')
  }
  const both = (change: Change) => {
    const base = put(Object.entries(change).map(([path, [before]]) => [path, before]))
    put([...Object.entries(change).map(([path, [, after]]) => [path, after] as const), ['policies/bad.json', JSON.stringify(bad, null, 2)]])
    return base
  }
  const check = (change: Change, { left = {} }: Expected) => {
    for (const [path, state] of Object.entries(left)) {
      const file = join(folder, path)
      const text = existsSync(file) ? readFileSync(file, 'utf8') : undefined
      const [before, after] = change[path] ?? []
      expect({ path, text }).toEqual({ path, text: { before, after, gone: undefined }[state] })
    }
  }

  it.each(some(changes, 6))('%s', (_, change, expected, env) => {
    const base = both(change)
    const { code, stdout, stderr } = lint({ GRANTWISE_BASE: base, GITHUB_ACTIONS: 'true', ...env })
    const said = [...`${stdout}${stderr}`.matchAll(/^::(?:notice|warning) title=grantwise::(.*)$/gm)].map(([, text]) => text)
    expect({ code, said, stderr }).toEqual({
      code: expected.code,
      said: expected.reported ? expected.reported.map((text) => expect.stringContaining(text)) : expect.anything(),
      stderr: '',
    })
    check(change, expected)
  })

  it('is not taken from where a link of the change leads', () => {
    const base = both({ '.grantwise.yaml': [strict, undefined] })
    writeFileSync(join(folder, 'weak.txt'), off)
    symlinkSync('weak.txt', join(folder, '.grantwise.yaml'))
    expect(lint({ GRANTWISE_BASE: base })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('.grantwise.yaml: this change alters it'),
    })
    expect(readFileSync(join(folder, 'weak.txt'), 'utf8')).toBe(off)
  })

  it('is never written, or removed, through a link of the change', () => {
    const before = put([
      ['conf/.grantwise.yaml', strict],
      ['lib/a.yaml', 'rules: {}\n'],
      ['.grantwise.yaml', 'extends: lib/a.yaml\n'],
    ])
    const outside = `${folder}-outside`
    mkdirSync(outside)
    writeFileSync(join(outside, '.grantwise.yaml'), 'mine\n')
    writeFileSync(join(outside, 'a.yaml'), 'mine\n')
    for (const [path, what] of [
      ['conf', 'conf/.grantwise.yaml'],
      ['lib', 'lib/a.yaml'],
    ] as const) {
      rmSync(join(folder, path), { recursive: true })
      symlinkSync(outside, join(folder, path))
      const { code, stderr } = lint({ GRANTWISE_BASE: before })
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`${what}: \`${path}\` is a symbolic link or a file`) })
      expect(readFileSync(join(outside, '.grantwise.yaml'), 'utf8')).toBe('mine\n')
      expect(readFileSync(join(outside, 'a.yaml'), 'utf8')).toBe('mine\n')
      git('checkout', '-q', '--', path)
    }
  })

  inDeep('extends a package that is installed, which no commit holds', () => {
    const base = put([
      ['.gitignore', 'node_modules/\n'],
      ['.grantwise.yaml', 'extends: [acme-lint, "@acme/rules/strict.json"]\n'],
    ])
    put([
      ['.grantwise.yaml', off],
      ['policies/bad.json', JSON.stringify(bad, null, 2)],
    ])
    for (const [path, text] of [
      ['acme-lint/grantwise.yaml', 'extends: ./base.yaml\n'],
      ['acme-lint/base.yaml', 'rules: { unknown-action: error }\n'],
      ['@acme/rules/strict.json', '{"extends": "other"}'],
      ['other/grantwise.yml', 'rules: { missing-description: error }\n'],
    ] as const) {
      mkdirSync(dirname(join(folder, 'node_modules', path)), { recursive: true })
      writeFileSync(join(folder, 'node_modules', path), text)
    }
    const { code, stdout, stderr } = lint({ GRANTWISE_BASE: base, GRANTWISE_ANNOTATIONS: 'false' })
    expect({ code, stderr, stdout }).toEqual({
      code: 1,
      stderr: expect.stringContaining('.grantwise.yaml: this change alters it'),
      stdout: expect.stringMatching(
        /error unknown-action[\s\S]*error missing-description|error missing-description[\s\S]*error unknown-action/,
      ),
    })
    // Without the package, the run says what is missing.
    rmSync(join(folder, 'node_modules'), { recursive: true })
    expect(lint({ GRANTWISE_BASE: base })).toMatchObject({ code: 2, stderr: expect.stringContaining('no such package is installed') })
  })

  it.each([
    ['a package, tracked, nearer to the configuration', 'policies/node_modules/acme-lint/grantwise.yaml'],
    ['another notation of a package, which is found first', 'node_modules/acme-lint/grantwise.yaml'],
    ['a file in the place of the file of a package', 'policies/acme-lint/strict.yaml'],
  ])('%s counts once it is merged', (_, path) => {
    const base = put([
      ['node_modules/acme-lint/grantwise.yml', 'rules: { unknown-action: error }\n'],
      ['node_modules/acme-lint/strict.yaml', 'rules: { unknown-action: error }\n'],
      ['policies/.grantwise.yaml', `extends: ${path.endsWith('strict.yaml') ? 'acme-lint/strict.yaml' : 'acme-lint'}\n`],
    ])
    put([
      [path, off],
      ['policies/bad.json', JSON.stringify(bad, null, 2)],
    ])
    const { code, stderr } = lint({ GRANTWISE_BASE: base })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`${path}: new in this change, where a configuration of the base`),
    })
    expect(existsSync(join(folder, path))).toBe(false)
  })

  inDeep('is that of the commit where its package is a folder of the repository', () => {
    const base = put([
      ['.gitignore', 'node_modules/\n'],
      ['packages/lint/grantwise.yaml', 'rules: { unknown-action: error }\n'],
      ['.grantwise.yaml', 'extends: acme-lint\n'],
    ])
    put([
      ['packages/lint/grantwise.yaml', off],
      ['policies/bad.json', JSON.stringify(bad, null, 2)],
    ])
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync('../packages/lint', join(folder, 'node_modules/acme-lint'))
    expect(lint({ GRANTWISE_BASE: base })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('packages/lint/grantwise.yaml: this change alters it'),
    })
  })

  it('does not come from a tag that is called as the branch, and not from the change where the branch is not there', () => {
    const base = both({ '.grantwise.yaml': [strict, off] })
    const origin = folder
    git('checkout', '-qb', 'target', base)
    git('commit', '-qm', 'went on', '--allow-empty')
    git('checkout', '-q', '-')
    git('tag', 'target')
    folder = `${origin}-clone`
    mkdirSync(folder)
    git('clone', '-q', '--depth=1', '--single-branch', '--no-tags', `file://${origin}`, '.')
    git('config', 'protocol.version', '0')
    expect(lint({ GRANTWISE_BASE: base, GRANTWISE_BASE_BRANCH: 'target' })).toMatchObject({ code: 1 })
    expect(lint({ GRANTWISE_BASE: base, GRANTWISE_BASE_BRANCH: 'refs/heads/target' })).toMatchObject({ code: 1 })
    expect(lint({ GRANTWISE_BASE: base, GRANTWISE_BASE_BRANCH: 'nowhere' })).toMatchObject({ code: 2 })
  })

  inDeep('is fetched with the branch, where the server gives out no commits', () => {
    const base = both({ '.grantwise.yaml': [strict, off] })
    const origin = folder
    git('checkout', '-qb', 'target', base)
    git('commit', '-qm', 'went on', '--allow-empty')
    git('checkout', '-q', '-')
    folder = `${origin}-clone`
    mkdirSync(folder)
    git('clone', '-q', '--depth=1', '--single-branch', `file://${origin}`, '.')
    git('config', 'protocol.version', '0')
    expect(lint({ GRANTWISE_BASE: base })).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be fetched') })
    expect(lint({ GRANTWISE_BASE: base, GRANTWISE_BASE_BRANCH: 'target' })).toMatchObject({ code: 1 })
  })

  const npm = npmFrom(join(scratch, 'npm'))
  const released = component(join(scratch, 'component'))
  /** A job as it runs, on a server whose registry has this package. */
  const job = (script: string, env: Readonly<Record<string, string>>) =>
    spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: `${npm}:${process.env.PATH}`,
        HOME: folder,
        TMPDIR: join(folder, '.git'),
        CI_SERVER_URL: 'https://gitlab.example',
        ...env,
      },
    })
  /** The packages of a project, as `npm ci` leaves them. */
  const packages = (script: string) => {
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(root, join(folder, 'node_modules/grantwise'))
    writeFileSync(join(folder, '.git/info/exclude'), 'node_modules\n')
    expect(script).toMatch(/^npm ci /m)
    return script.replace(/^npm ci .*$/m, '')
  }
  const github = (base: string) => {
    type Step = { readonly run?: string; readonly env?: Readonly<Record<string, string>> }
    const { jobs } = parse(pipelineText('github')) as { jobs: { lint: { steps: readonly Step[] } } }
    const steps = jobs.lint.steps.filter((step) => step.run !== undefined)
    const env = Object.assign({}, ...steps.map((step) => step.env)) as Record<string, string>
    const given = Object.entries(env).map(([name, value]) => [
      name,
      value.replace('$'.concat('{{ github.event.pull_request.base.sha }}'), base),
    ])
    return job(packages(steps.map(({ run = '' }) => run).join('\n')), { GITHUB_ACTIONS: 'true', ...Object.fromEntries(given) })
  }
  const mergeRequest = (base: string) =>
    base === ''
      ? undefined
      : { CI_MERGE_REQUEST_DIFF_BASE_SHA: base, CI_MERGE_REQUEST_TARGET_BRANCH_SHA: '', CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' }
  const gitlab = (text: string, base: string, inputs: Readonly<Record<string, string>> = released) => {
    const { script, variables } = jobOf(text, inputs)
    return job(text.includes('npm ci') ? packages(script) : script, { ...variables, ...mergeRequest(base) })
  }
  /** The merge of the change, as Azure checks it out: its first parent is the commit that it is merged into. */
  const azure = (base: string) => {
    type Step = { readonly bash?: string; readonly env?: Readonly<Record<string, string>> }
    const { steps } = parse(pipelineText('azure')) as { steps: readonly Step[] }
    const scripts = steps.filter(({ bash }) => bash !== undefined)
    const env = Object.assign({}, ...scripts.map((step) => step.env)) as Record<string, string>
    const junit = { GRANTWISE_JUNIT: String(env.GRANTWISE_JUNIT).replace('$(Agent.TempDirectory)', join(folder, '.git')) }
    const change = git('rev-parse', 'HEAD')
    git('checkout', '-q', base)
    git('merge', '-q', '--no-ff', '-m', 'merged', change)
    return job(packages(scripts.map(({ bash = '' }) => bash).join('\n')), { TF_BUILD: 'True', ...env, ...junit })
  }
  const bitbucket = (base: string) => {
    type Step = { readonly step: { readonly script: readonly string[] } }
    const { pipelines } = parse(pipelineText('bitbucket')) as { pipelines: { 'pull-requests': Readonly<Record<string, readonly Step[]>> } }
    const [entry] = pipelines['pull-requests']['**'] ?? []
    const script = packages(entry?.step.script.join('\n') ?? '')
    // The beginning of the hash is given.
    return job(script, { BITBUCKET_PR_DESTINATION_COMMIT: base.slice(0, 12), BITBUCKET_PR_DESTINATION_BRANCH: 'main' })
  }
  const template = readFileSync(join(root, 'templates/lint.yml'), 'utf8')
  const servers: readonly (readonly [string, (base: string) => ReturnType<typeof job>])[] = [
    ['init --ci github', github],
    ['init --ci gitlab', (base) => gitlab(pipelineText('gitlab'), base)],
    ['init --ci azure', azure],
    ['init --ci bitbucket', bitbucket],
    ['templates/lint.yml', (base) => gitlab(template, base)],
    ['templates/lint.yml with a package', (base) => gitlab(template, base, { package: 'grantwise' })],
  ]
  const states = changes.slice(0, 5)
  const jobs = servers.flatMap(([name, run]) => states.map(([state, change, expected]) => [name, state, change, expected, run] as const))
  it.each(some(jobs, 12))('%s: %s', (_, __, change, expected, run) => {
    const { status, stdout, stderr } = run(both(change))
    expect({ status, stderr }).toEqual({ status: expected.code, stderr: expect.anything() })
    for (const text of expected.reported ?? []) expect(`${stdout}${stderr}`).toContain(text)
    check(change, expected)
  })

  it('Azure shows findings as issues of the build, and as test results', () => {
    const { status, stdout } = azure(both({ 'x.txt': [undefined, ''] }))
    expect(status).toBe(1)
    expect(stdout).toMatch(/^##vso\[task\.logissue type=warning;sourcepath=policies\/bad\.json;linenumber=14;.*unknown-action/m)
    expect(stdout).not.toMatch(/^::/m)
    expect(readFileSync(join(folder, '.git/grantwise.junit.xml'), 'utf8')).toContain('unknown-action')
  })

  it('the template takes paths and levels as inputs, writes the reports it names, and leaves the configuration its own levels', () => {
    const base = both({ '.grantwise.yaml': ['failOn: error\n', 'failOn: error\n'], 'a b/x.txt': [undefined, ''] })
    const run = gitlab(template, base)
    expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: expect.not.stringContaining('grantwise:') })
    expect(run.stdout).toMatch(/^policies\/bad\.json:\d+:\d+: warning unknown-action/m)
    const { reports } = jobOf(template).artifacts
    expect(JSON.parse(readFileSync(join(folder, reports.codequality), 'utf8'))).toHaveLength(1)
    expect(readFileSync(join(folder, reports.junit), 'utf8')).toContain('unknown-action')
    const narrow = gitlab(template, '', { ...released, 'fail-on': 'warning', paths: 'policies/good.json  policies/b*.json' })
    expect(narrow).toMatchObject({ status: 1, stdout: expect.stringContaining('unknown-action') })
  })
})

/** Names of files that may hold policies, in every notation that is read, and of files that never do. */
const policyNames = ['p.json', 'p.yaml', 'p.yml', 'main.tf', 'main.tofu', 'main.tf.json', 'main.tofu.json', 'x.auto.tfvars', 'README.md']
const otherNames = ['a.js', 'main.tf.bak', 'json', 'mytf', 'notes.txt', 'x.yaml.lock']

interface Recipe {
  readonly of: string
  readonly takes: (path: string) => boolean
}

interface HookEntry {
  readonly id: string
  readonly files?: string
  readonly types?: readonly string[]
  readonly types_or?: readonly string[]
  readonly entry?: string
}

/** As pre-commit chooses files: a regular expression that is searched for. No version knows a type for all of them. */
function byExpression(of: string, { files, types, types_or }: HookEntry): Recipe {
  const [, flags = '', source = ''] = /^(?:\(\?([a-z]+)\))?(.*)$/s.exec(files ?? '') ?? []
  const expression = new RegExp(source, flags)
  return { of, takes: (path) => files !== undefined && !types && !types_or && expression.test(path) }
}

/** As lefthook and lint-staged choose files: a glob for the last part of a path. */
function byGlob(of: string, glob: string): Recipe {
  const matcher = new Minimatch(glob, { matchBase: true, dot: true })
  return { of, takes: (path) => matcher.match(path) }
}

/** The files that a recipe in YAML or JSON is for. */
function recipesIn(of: string, value: unknown): readonly Recipe[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((each, i) => recipesIn(`${of}.${i}`, each))
  if ('glob' in value && typeof value.glob === 'string') return [byGlob(of, value.glob)]
  if ('entry' in value && !('pass_filenames' in value)) return [byExpression(of, value as HookEntry)]
  return Object.entries(value).flatMap(([key, each]) =>
    key.startsWith('*.') ? [byGlob(`${of} ${key}`, key)] : recipesIn(`${of}.${key}`, each),
  )
}

describe('every recipe takes every notation that is read', () => {
  const blocks = [...readFileSync(join(root, 'docs/integrations.md'), 'utf8').matchAll(/^```(?:yaml|json)\n(.*?)^```/gms)]
  const printed = hookNames
    .filter((name) => name !== 'husky' && name !== 'git')
    .flatMap((name) => [true, false].map((isNode) => [`init --hook ${name}`, hookText(name, isNode)] as const))
  const recipes = [
    ['.pre-commit-hooks.yaml', readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')] as const,
    ...blocks.map(([, text = ''], i) => [`docs/integrations.md, block ${i + 1}`, text] as const),
    ...printed,
  ].flatMap(([of, text]) => recipesIn(of, parse(text)))

  it('has them all', () => {
    expect(recipes.map(({ of }) => of.replace(/[. ,].*/s, ''))).toEqual([
      '',
      '',
      'docs/integrations',
      'docs/integrations',
      'init',
      'init',
      'init',
      'init',
    ])
  })

  it.each(recipes.map((recipe) => [recipe.of, recipe] as const))('%s', (_, { takes }) => {
    const folders = ['', 'policies/', 'a b/envs.dev/']
    const taken = (names: readonly string[]) => folders.flatMap((at) => names.map((name) => `${at}${name}`)).filter(takes)
    expect(taken(policyNames)).toHaveLength(folders.length * policyNames.length)
    expect(taken(otherNames)).toEqual([])
  })

  it('what they take is read where it is named, and a hook that lists no files reads Markdown as well', () => {
    for (const name of policyNames) writeFileSync(join(folder, name), '')
    const { stdout, status } = spawnSync(process.execPath, [bin, 'lint', '--if-policy', '--list-files', ...policyNames], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(status).toBe(0)
    expect(stdout).not.toContain('unsupported file type')
    const project = (parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')) as HookEntry[]).find(
      ({ id }) => id === 'grantwise-project',
    )
    expect(project?.entry).toMatch(/^grantwise lint .*--fences/)
  })

  it('Markdown and configurations that are staged', () => {
    const broken = JSON.stringify(bad, null, 2)
    writeFileSync(join(folder, 'README.md'), `# Access\n\n\`\`\`json\n${broken}\n\`\`\`\n`)
    writeFileSync(
      join(folder, 'main.tf'),
      `resource "svc_iam_policy" "p" {\n  name = "p"\n  identities = ["${good.identities[0]}"]\n  resources = ["${good.resources[0]?.urn}"]\n  allow = ["vps:apisvc:rebooot"]\n}\n`,
    )
    git('add', '.')
    const line = hookText('husky')
      .split('\n')
      .find((each) => each.startsWith('npx')) as string
    const { stdout, status } = spawnSync(process.execPath, [bin, ...line.replace(/^npx --no-install grantwise /, '').split(' ')], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect([...stdout.matchAll(/^(\S+?):\d+:\d+: warning unknown-action/gm)].map(([, path]) => path)).toEqual(['README.md', 'main.tf'])
  })

  it('a hook of git sees what each form of `git commit` would commit, and prints what to do', () => {
    const deny = { ...good, name: 'never', permissions: { deny: [{ action: 'vps:apisvc:terminate' }] } }
    const all = { ...good, name: 'all', permissions: { allow: [{ action: 'vps:apisvc:*' }] } }
    writeFileSync(
      join(folder, '.grantwise.yaml'),
      'guardrails: [{ code: acme/x, message: nobody terminates, never: { actions: "vps:apisvc:terminate", resources: "urn:v1:eu:resource:*" } }]\n',
    )
    writeFileSync(join(folder, 'policies/deny.json'), JSON.stringify(deny))
    writeFileSync(join(folder, 'policies/all.json'), JSON.stringify(all))
    git('add', '.')
    git('commit', '-qm', 'all but terminate')
    const line = hookText('husky').replace('npx --no-install grantwise', `${process.execPath} ${bin}`)
    writeFileSync(join(folder, '.git/hooks/pre-commit'), `#!/bin/sh\n${line}`, { mode: 0o755 })
    const committed = (...args: string[]) => {
      const run = spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qm', 'x', ...args], {
        cwd: folder,
        encoding: 'utf8',
      })
      if (run.status === 0) git('reset', '-q', '--soft', 'HEAD~1')
      return run.status === 0 ? 'committed' : `${run.stdout}${run.stderr}`
    }
    const refused = /error\[acme\/x\][\s\S]*= help: remove or narrow this entry/
    writeFileSync(join(folder, 'policies/deny.json'), JSON.stringify({ ...deny, permissions: { deny: [{ action: 'vps:apisvc:get' }] } }))
    writeFileSync(join(folder, 'policies/all.json'), `${JSON.stringify(all)}\n`)
    expect(committed('-a')).toMatch(refused)
    expect(committed('policies/deny.json')).toMatch(refused)
    expect(committed('policies/all.json')).toBe('committed')
    git('add', 'policies/all.json')
    expect(committed()).toBe('committed')
    git('rm', '-qf', 'policies/deny.json')
    expect(committed()).toMatch(refused)
    expect(committed('--no-verify')).toBe('committed')
  })

  it('the action reads Markdown too, unless an input says not to', () => {
    writeFileSync(join(folder, 'README.md'), `\`\`\`json\n${JSON.stringify(bad)}\n\`\`\`\n`)
    expect(lint({})).toMatchObject({ code: 1, stdout: expect.stringContaining('file=README.md') })
    expect(lint({ GRANTWISE_FENCES: 'false' })).toMatchObject({ code: 0 })
  })
})

describe('pre-commit', () => {
  const manifest = readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')
  const hooks = parse(manifest) as (HookEntry & { readonly stages?: readonly string[]; readonly minimum_pre_commit_version: string })[]

  // `pre-push` came with 3.2 and made the whole manifest unreadable before; `push` is announced to be taken out.
  it('finds no stage in the manifest that some version does not know', () => {
    const always = new Set(['commit-msg', 'post-checkout', 'post-commit', 'post-merge', 'post-rewrite', 'prepare-commit-msg', 'manual'])
    for (const { id, stages = [] } of hooks) expect({ id, stages: stages.filter((each) => !always.has(each)) }).toEqual({ id, stages: [] })
  })

  it('is asked for the same version by every hook', () => {
    expect(new Set(hooks.map((each) => each.minimum_pre_commit_version))).toEqual(new Set(['2.9.0']))
  })

  const isThere = spawnSync('pre-commit', ['--version']).status === 0
  it('loads the manifest, where it is installed', () => {
    if (!isThere) return
    const { status, stdout } = spawnSync('pre-commit', ['validate-manifest', join(root, '.pre-commit-hooks.yaml')], { encoding: 'utf8' })
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  })

  it('runs what `init --hook pre-commit` prints, where it is installed', () => {
    if (!isThere) return
    writeFileSync(join(folder, 'main.tf'), `resource "svc_iam_policy" "p" {\n  name = "p"\n  identites = []\n}\n`)
    writeFileSync(join(folder, 'README.md'), `\`\`\`json\n${JSON.stringify(bad)}\n\`\`\`\n`)
    const config = hookText('pre-commit').replace('npx --no-install grantwise', `${process.execPath} ${bin}`)
    writeFileSync(join(folder, '.pre-commit-config.yaml'), config)
    git('add', '.')
    const run = spawnSync('pre-commit', ['run', '--color=never'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PRE_COMMIT_HOME: join(folder, '.git/pre-commit') },
    })
    expect(run.status).toBe(1)
    expect(run.stdout).toMatch(/^ --> README\.md:\d+:\d+$/m)
    expect(run.stdout).toMatch(/^ --> main\.tf:\d+:\d+$/m)
    expect(run.stdout).toContain('  = help: ')
  })
})

describe('a batch that something else shares out', () => {
  it('comes to the same answers, in the same order', () => {
    const { identities, resources } = good
    const lines = Array.from({ length: 1000 }, (_, id) =>
      JSON.stringify({
        id,
        identity: identities[0],
        action: id % 3 === 0 ? 'vps:apisvc:get' : 'vps:apisvc:reboot',
        resource: resources[0]?.urn,
      }),
    )
    writeFileSync(join(folder, 'q.ndjson'), `${lines.join('\n')}\n`)
    const command = `${process.execPath} ${bin} can --batch - -p policies`
    // GNU parallel where it is installed, else what every GNU system has.
    const isThere = spawnSync('parallel', ['--version']).status === 0
    const share = isThere ? `parallel --will-cite --pipe --keep-order -N 300 '${command}'` : `split -l 300 --filter '${command}'`
    const run = (script: string) => spawnSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8' })
    const alone = run(`${command} < q.ndjson`)
    const shared = run(`${share} < q.ndjson`)
    expect(shared).toMatchObject({ status: 0, stderr: '', stdout: alone.stdout })
    expect(alone.stdout.match(/"verdict":"allow"/g)).toHaveLength(334)
  })
})

it('no step of the documents runs what a registry names, or puts an expression into a shell', () => {
  const docs = join(root, 'docs')
  const files = readdirSync(docs).filter((name) => name.endsWith('.md'))
  expect(files).toContain('integrations.md')
  const steps = files.flatMap((name) => {
    const lines = readFileSync(join(docs, name), 'utf8').split('\n')
    return lines.filter((line) => /\bnpx grantwise\b/.test(line) || /^\s*-? *run: .*\$\{\{/.test(line)).map((line) => `${name}: ${line}`)
  })
  expect(steps).toEqual([])
})
