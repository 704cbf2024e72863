import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { failingGit } from '../support/failing-git.ts'

/** The step of the action in a merge queue, as it is written, on repositories that are queued as GitHub queues them. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const folders: string[] = []
afterAll(() => folders.map((folder) => rmSync(folder, { recursive: true, force: true })))

const policy = (effect: string, action: string) =>
  [
    `name: ${effect} some`,
    'identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]',
    'resources: [{ urn: "urn:v1:eu:resource:vps:*" }]',
    'permissions:',
    `  ${effect}:`,
    `    - action: ${action}`,
    '',
  ].join('\n')

/** A clone whose HEAD is `second`, queued on `first`, which is queued on the main branch. */
function queue(first: (put: Put) => void, second: (put: Put) => void, isMerged: boolean) {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-'))
  folders.push(folder)
  const work = join(folder, 'work')
  mkdirSync(work)
  const git = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: work,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(stderr)
    return stdout.trim()
  }
  const put: Put = (name, text) => (text === undefined ? rmSync(join(work, name)) : writeFileSync(join(work, name), text))
  const commit = () => {
    git('add', '-A')
    git('commit', '-qm', 'change')
    return git('rev-parse', 'HEAD')
  }
  git('init', '-qb', 'main')
  put('allow.yaml', policy('allow', 'vps:apisvc:get'))
  put('guard.yaml', policy('deny', 'vps:apisvc:terminate'))
  commit()
  git('init', '-q', '--bare', '../origin')
  git('remote', 'add', 'origin', '../origin')
  git('push', '-q', 'origin', 'main')
  git('switch', '-qc', 'queued')
  first(put)
  const queued = commit()
  if (isMerged) git('switch', '-qc', 'change', 'main')
  second(put)
  commit()
  if (isMerged) {
    git('switch', '-q', 'queued')
    git('merge', '-q', '--no-ff', 'change', '-m', 'entry')
  }
  return { work, queued }
}
type Put = (name: string, text?: string) => void

interface Queue {
  readonly work: string
  readonly queued: string
  /** Where programs are searched for. */
  readonly path?: string
}

function run({ work, queued, path = process.env.PATH }: Queue, branch = 'refs/heads/main') {
  const output = join(work, '../output')
  writeFileSync(output, '')
  const { status, stdout, stderr } = spawnSync('bash', [join(root, 'integrations/merge.sh')], {
    cwd: work,
    encoding: 'utf8',
    env: {
      PATH: path,
      GRANTWISE_BIN: join(root, 'bin/grantwise.js'),
      GRANTWISE_QUEUE_BASE: queued,
      GRANTWISE_BASE_BRANCH: branch,
      GITHUB_OUTPUT: output,
      RUNNER_TEMP: tmpdir(),
    },
  })
  return { status, stdout, stderr, output: readFileSync(output, 'utf8').trim() }
}

const widen = (put: Put) => put('allow.yaml', policy('allow', 'vps:apisvc:*'))
const retire = (put: Put) => put('guard.yaml')

describe('a merge queue', () => {
  test.each([
    ['merges', true],
    ['squashes', false],
  ])('that %s: the change before removes what the change is under', (_, isMerged) => {
    const { status, stdout, output } = run(queue(retire, widen, isMerged))
    expect([status, output]).toEqual([1, 'together-exit-code=1'])
    expect(stdout).toContain('vps:apisvc:terminate')
  })
  test('changes that have nothing to do with each other', () => {
    const other = (put: Put) => put('other.yaml', policy('allow', 'vps:apisvc:reboot'))
    expect(run(queue(other, widen, false))).toMatchObject({ status: 0, output: 'together-exit-code=0' })
  })
  test('a change that is the first', () => {
    const { work } = queue(retire, widen, false)
    const main = spawnSync('git', ['rev-parse', 'main'], { cwd: work, encoding: 'utf8' }).stdout.trim()
    const { status, stderr } = run({ work, queued: main })
    expect([status, stderr]).toEqual([0, expect.stringContaining('nothing is before this change')])
  })
  test('a change that conflicts with the branch without the change before it', () => {
    const rename = (put: Put) => put('allow.yaml', policy('allow', 'vps:apisvc:reboot'))
    const { status, stderr, output } = run(queue(rename, widen, false))
    expect([status, output]).toEqual([0, 'together-exit-code=0'])
    expect(stderr).toContain('this change conflicts with the branch without those before it in the queue, and was not compared')
  })
  test.each([
    ['is too old to merge without a checkout', '--write-tree', 129, 'git 2.38 or newer is needed'],
    ['fails to merge', '--write-tree', 128, 'git failed'],
    ['fails to write a commit', 'commit-tree', 1, 'git failed'],
  ])('a git that %s is an error', (_, argument, code, message) => {
    const { work, queued } = queue(retire, widen, false)
    const { status, stderr, output } = run({ work, queued, path: failingGit(join(work, '..'), argument, code) })
    expect([status, output]).toEqual([2, 'together-exit-code=2'])
    expect(stderr).toContain(message)
  })
  test('a branch that is not there, and no commit', () => {
    const queued = queue(retire, widen, false)
    expect(run(queued, 'refs/heads/none')).toMatchObject({ status: 2, output: 'together-exit-code=2' })
    expect(run({ ...queued, queued: '--upload-pack=touch' })).toMatchObject({ status: 2 })
  })
})
