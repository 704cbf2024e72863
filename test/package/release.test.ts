import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { root, run } from './run.ts'

/** A release, from the checkout to what a build server fetches, with a repository on this machine as the server. */

const scratch = mkdtempSync(join(tmpdir(), 'grantwise-release-'))
const [checkout, server] = [join(scratch, 'checkout'), join(scratch, 'server.git')]
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const tag = `v${version}`

function git(folder: string, ...args: string[]): string {
  const { status, stdout, stderr } = run('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], folder)
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout.trim()
}

const release = () => {
  const env = { GIT_AUTHOR_NAME: 't', GIT_AUTHOR_EMAIL: 't@example.org', GIT_COMMITTER_NAME: 't', GIT_COMMITTER_EMAIL: 't@example.org' }
  return run('node', ['scripts/release-tag.mjs'], checkout, env)
}

/** A commit of the server as a build server fetches it. */
function fetched(ref: string): string {
  const folder = mkdtempSync(join(scratch, 'fetched-'))
  git(scratch, '-c', 'advice.detachedHead=false', 'clone', '--quiet', '--depth=1', '--branch', ref, `file://${server}`, folder)
  return folder
}

beforeAll(() => {
  for (const path of run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], root)
    .stdout.split('\0')
    .filter(Boolean)) {
    mkdirSync(dirname(join(checkout, path)), { recursive: true })
    cpSync(join(root, path), join(checkout, path), { verbatimSymlinks: true })
  }
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'))
  git(scratch, 'init', '--quiet', '--bare', '--initial-branch=main', server)
  git(checkout, 'init', '--quiet', '--initial-branch=main')
  git(checkout, 'add', '.')
  git(checkout, 'commit', '--quiet', '--message', 'a commit')
  git(checkout, 'remote', 'add', 'origin', server)
  expect(release()).toMatchObject({ status: 0 })
  git(checkout, 'push', '--quiet', 'origin', 'main', tag)
}, 300_000)

test('the tag is one commit ahead of the branch, which stays as it was', () => {
  expect(git(checkout, 'status', '--porcelain')).toBe('')
  expect(git(checkout, 'rev-parse', `${tag}^{commit}^`)).toBe(git(checkout, 'rev-parse', 'main'))
  expect(git(checkout, 'diff', '--name-status', 'main', tag).split('\n')).toEqual([
    'A\tintegrations/action/THIRD-PARTY-LICENSES.txt',
    'A\tintegrations/action/grantwise.cjs',
  ])
})

test('the bundle in the tag runs where it is fetched, and a commit of the branch says that it has none', () => {
  const folder = fetched(tag)
  const output = join(scratch, 'output')
  expect(run('bash', ['integrations/install.sh'], folder, { GITHUB_OUTPUT: output })).toMatchObject({ status: 0, stderr: '' })
  const bin = `${folder}/integrations/action/grantwise.cjs`
  expect(readFileSync(output, 'utf8')).toBe(`bin=${bin}\n`)
  expect(run('node', [bin, '--version'], folder).stdout).toBe(`grantwise ${version}\n`)
  expect(run('node', [bin, 'lint', 'examples/quickstart/policy.json'], folder).status).toBe(0)
  expect(run('node', [bin, 'lint', 'examples/mistakes/misspelt-field.yaml'], folder).status).toBe(1)
  const none = run('bash', ['integrations/install.sh'], fetched('main'), { GITHUB_OUTPUT: output })
  expect(none.status).toBe(2)
  expect(none.stderr).toContain('this commit holds no bundle')
})

test('the report of the bundle, of the package and of the executable is the same file, with *What if*', () => {
  const bundle = join(fetched(tag), 'integrations/action/grantwise.cjs')
  const packed = join(inject('home'), 'node_modules/grantwise/bin/grantwise.js')
  const programs = [[inject('executable')], [process.execPath, packed], [process.execPath, bundle]] as const
  // A report says when it was made.
  const clock = join(scratch, 'clock.cjs')
  writeFileSync(clock, 'Date.now = () => 1_790_000_000_000\n')
  const reports = programs.map(([program, ...before], i) => {
    const file = join(scratch, `report-${i}.html`)
    const folder = join(root, 'examples/acme')
    const args = [...before, 'report', 'policies', '--before', 'pull-request', '-o', file]
    expect(run(program, args, folder, { NODE_OPTIONS: `--require ${clock}` })).toMatchObject({ status: 0 })
    return readFileSync(file)
  })
  expect(reports.map((report) => report.equals(reports[0] as Buffer))).toEqual([true, true, true])
  const names = [...String(reports[0]).matchAll(/ id="asset-(\w+)">/g)].map(([, name]) => name)
  // Those of the view; a page holds further scripts.
  expect(names).toEqual(expect.arrayContaining(['catalogue', 'editor', 'engine', 'more']))
  expect(String(reports[0])).toContain('"made":1790000000000')
})

test('a version has one tag, and what is not committed is not released', () => {
  expect(release()).toMatchObject({ status: 1, stderr: `release-tag: the tag ${tag} exists\n` })
  writeFileSync(join(checkout, 'new.txt'), '')
  expect(release()).toMatchObject({ status: 1, stderr: 'release-tag: there are changes that are not committed\n' })
})

test('the workflow moves the tag of compatible releases', () => {
  const { jobs } = parse(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')) as {
    jobs: { github: { steps: { name?: string; run?: string }[] } }
  }
  const script = jobs.github.steps.find(({ name }) => name === 'move the tag of compatible releases')?.run ?? 'false'
  const tools = join(scratch, 'tools')
  mkdirSync(tools)
  writeFileSync(join(tools, 'gh'), '#!/bin/sh\n')
  chmodSync(join(tools, 'gh'), 0o755)
  /** The tags of the server after a release of a commit, without those of versions. */
  const tagsAfter = (released: string, folder: string) => {
    const env = { VERSION: released, PATH: `${tools}:${process.env.PATH}` }
    expect(run('bash', ['-eo', 'pipefail', '-c', script], folder, env)).toMatchObject({ status: 0 })
    const tags = git(server, 'for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/tags').split('\n')
    return Object.fromEntries(tags.map((line) => line.split(' ')).filter(([name]) => name !== tag))
  }
  const [first, second] = [fetched(tag), fetched('main')]
  const [one, other] = [first, second].map((folder) => git(folder, 'rev-parse', 'HEAD'))
  expect(tagsAfter('0.4.1', first)).toEqual({ 'v0.4': one })
  expect(tagsAfter('0.4.2', second)).toEqual({ 'v0.4': other })
  expect(tagsAfter('1.0.0', first)).toEqual({ 'v0.4': other, v1: one })
  expect(tagsAfter('1.12.3', second)).toEqual({ 'v0.4': other, v1: other })
})
