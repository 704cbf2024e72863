import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { commands } from '../src/cli/commands.ts'

const root = resolve(import.meta.dirname, '..')
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

beforeEach(() => {
  folder = join(scratch, String(count++))
  mkdirSync(join(folder, 'policies'), { recursive: true })
  git('init', '-q')
  writeFileSync(join(folder, 'policies/good.json'), JSON.stringify(good, null, 2))
  git('add', '.')
  git('commit', '-qm', 'base')
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
    expect(JSON.parse(sarif).runs[0].results).toHaveLength(1)
  })

  it('is green on what is right', () => {
    expect(lint({})).toMatchObject({ code: 0 })
  })

  it('takes the configuration from the base commit, so that a change cannot switch its checks off', () => {
    const base = git('rev-parse', 'HEAD')
    writeFileSync(join(folder, 'policies/bad.json'), JSON.stringify(bad, null, 2))
    writeFileSync(join(folder, '.grantwise.yaml'), 'rules:\n  unknown-action: off\n')
    git('add', '.')
    git('commit', '-qm', 'change')
    expect(lint({})).toMatchObject({ code: 0 })
    expect(lint({ GRANTWISE_BASE: base })).toMatchObject({ code: 1 })
  })

  it('evaluates nothing of its inputs', () => {
    const mark = join(folder, 'evaluated')
    const { code } = lint({ GRANTWISE_PATHS: `$(touch ${mark})\n--fix\n;touch ${mark}` })
    expect(code).toBe(2)
    expect(existsSync(mark)).toBe(false)
  })

  it('hands every input to the script through the environment', () => {
    const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as { runs: { steps: { run: string; env: object }[] } }
    for (const { run } of action.runs.steps) expect(run).not.toContain('$'.concat('{{'))
    const script = ['install', 'lint', 'diff'].map((name) => readFileSync(join(root, `integrations/${name}.sh`), 'utf8')).join('')
    for (const name of action.runs.steps.flatMap(({ env }) => Object.keys(env))) expect(script).toContain(name)
  })
})

describe('hooks and templates', () => {
  const optionsOf = (command: string) =>
    new Set(commands.find(({ name }) => name === command)?.options.flatMap(({ flags }) => flags.match(/--[a-z-]+/g) ?? []))
  const options = optionsOf('lint')
  const flagsIn = (text: string) =>
    (text.match(/(?<=\s)--[a-z][a-z-]+/g) ?? []).filter((flag) => !['--no-audit', '--no-fund', '--prefix'].includes(flag))

  it('the pre-commit hooks use options that exist', () => {
    const hooks = parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')) as {
      id: string
      entry: string
      require_serial: boolean
    }[]
    expect(hooks.map(({ id }) => id)).toEqual(['grantwise', 'grantwise-project', 'grantwise-diff'])
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

  it('the pipeline template uses options that exist', () => {
    const [, job] = parseAllDocuments(readFileSync(join(root, 'templates/lint.yml'), 'utf8'))
    const jobs = job?.toJS() as Record<string, { script: string[] }> | undefined
    const line = jobs?.['grantwise-lint']?.script.find((each) => each.includes('grantwise lint')) as string
    for (const flag of flagsIn(line)) expect(options).toContain(flag)
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
