import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { component, jobOf, scripts } from '../support/component.ts'
import { runAction, runProgram } from '../support/composite.ts'
import { isDeep } from '../support/effort.ts'
import { type CommentServer, githubServer, gitlabServer, token } from '../support/servers.ts'

/** The action and the component of a change, as they are written, against servers that answer as GitHub and GitLab do. */

const root = resolve(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'review-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

let github: CommentServer
let gitlab: CommentServer
beforeAll(async () => {
  github = await githubServer()
  gitlab = await gitlabServer()
})
afterAll(() => Promise.all([github.close(), gitlab.close()]))
beforeEach(() => {
  for (const server of [github, gitlab]) {
    server.settings = {}
    server.comments.length = 0
    server.asked.length = 0
  }
})

let count = 0
const newFolder = () => {
  const folder = join(scratch, String(count++))
  mkdirSync(folder)
  return folder
}

const own = { full_name: 'acme/policies' }
const fork = { full_name: 'mallory/policies' }

const policy = (name: string, actions: readonly string[]) => ({
  name,
  identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
  resources: [{ urn: 'urn:v1:eu:resource:vps:vps-1' }],
  permissions: { allow: actions.map((action) => ({ action })) },
})

/** A repository with a change that allows more. */
function repository(before: object, after: object) {
  const folder = newFolder()
  const git = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: folder,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(stderr)
    return stdout.trim()
  }
  const commit = (value: object) => {
    mkdirSync(join(folder, 'policies'), { recursive: true })
    writeFileSync(join(folder, 'policies/p.json'), JSON.stringify(value, null, 2))
    git('add', '.')
    git('commit', '-qm', 'a commit', '--allow-empty')
    return git('rev-parse', 'HEAD')
  }
  git('init', '-q', '-b', 'main')
  return { folder, base: commit(before), head: commit(after), commit }
}

const before = policy('reboots', ['vps:apisvc:get'])
const after = policy('reboots', ['vps:apisvc:get', 'vps:apisvc:reboot', 'vps:apisvc:rebooot'])

describe('the action, as it is written', () => {
  const artifact = 'https://github.example/acme/policies/actions/runs/99/artifacts/5'
  const run = (folder: string, event: object, inputs: Readonly<Record<string, string>>) => {
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      GITHUB_API_URL: github.url,
      GITHUB_SERVER_URL: 'https://github.example',
      GITHUB_REPOSITORY: 'acme/policies',
      GITHUB_RUN_ID: '99',
      GRANTWISE_PAUSE: '1',
    }
    const outputsOf = (uses: string): Record<string, string> =>
      uses.startsWith('actions/upload-artifact@') ? { 'artifact-url': artifact } : {}
    return runAction({ action, cwd: folder, temp: join(folder, '.git/temp'), inputs, github: { token, event }, env, outputsOf })
  }
  const all = { paths: 'policies', diff: 'true', report: 'true', comment: 'true', 'upload-sarif': 'true' }
  let action: string
  beforeAll(() => {
    action = scripts(newFolder())
  })
  const event = (sides: { base: string; head: string }, head: object = own) => ({
    pull_request: { number: 7, head: { repo: head, sha: sides.head }, base: { repo: own, sha: sides.base, ref: 'main' } },
  })

  it('lints, compares, keeps the report, comments with a link to it, and uploads the findings', async () => {
    const sides = repository(before, after)
    const first = await run(sides.folder, event(sides), all)
    expect(first.isGreen).toBe(false)
    expect(first.outputs).toMatchObject({
      'exit-code': '1',
      'access-verdict': 'changed',
      gained: '1',
      'access-exit-code': '1',
      'comment-url': 'https://github.example/acme/policies/pull/7#issuecomment-1',
      'report-url': artifact,
    })
    expect(readFileSync(first.used.artifact?.path ?? '', 'utf8')).toMatch(/^<!doctype html>/)
    expect(JSON.parse(readFileSync(first.used.upload?.sarif_file ?? '', 'utf8')).runs[0].results).toHaveLength(1)
    const { body = '' } = github.comments[0] ?? {}
    expect(body).toMatch(
      /^<!-- grantwise comment -->\n## grantwise: access gained: user\/ann may vps:apisvc:rebooot, vps:apisvc:reboot on vps:vps-1; 1 warning\n/,
    )
    expect(body.indexOf('vps:apisvc:reboot`')).toBeLessThan(body.indexOf('### Findings'))
    for (const text of ['unknown-action', `[Report](${artifact})`, '<code>policies/p.json</code>']) expect(body).toContain(text)

    const repaired = { ...sides, head: sides.commit(before) }
    const second = await run(sides.folder, event(repaired), all)
    expect(second).toMatchObject({ isGreen: true, outputs: { 'exit-code': '0', 'access-verdict': 'same' } })
    expect(github.comments).toHaveLength(1)
    expect(github.comments[0]?.body).toContain('## grantwise: the same access')
  })

  // The rest takes its time.
  if (!isDeep) return

  it('stays red in a fork where the token may not comment', async () => {
    github.settings = { refuse: 403 }
    const sides = repository(before, after)
    const { isGreen, log, summary, steps } = await run(sides.folder, event(sides, fork), { ...all, report: 'false' })
    expect({ isGreen, comment: steps.comment?.outcome }).toEqual({ isGreen: false, comment: 'success' })
    expect(log).toContain('::notice title=grantwise::no comment: the change comes from a fork')
    for (const text of ['access gained: user/ann may', 'unknown-action']) expect(summary).toContain(text)
    expect(`${log}${summary}`).not.toContain(token)
  })

  it('turns red where the comment cannot be written', async () => {
    github.settings = { refuse: 500 }
    const sides = repository(before, policy('reboots', []))
    const { isGreen, steps } = await run(sides.folder, event(sides), {
      ...all,
      report: 'false',
      'access-fail-on': 'never',
      'fail-on': 'never',
    })
    expect({ isGreen, lint: steps.lint?.outcome, diff: steps.diff?.outcome, comment: steps.comment?.outcome }).toEqual({
      isGreen: false,
      lint: 'success',
      diff: 'success',
      comment: 'failure',
    })
  })

  it('holds a merge queue to the configuration of what it merges into', async () => {
    const sides = repository(before, after)
    writeFileSync(join(sides.folder, '.grantwise.yaml'), 'rules: { unknown-action: "off" }\n')
    const merge = { merge_group: { base_sha: sides.base, base_ref: 'refs/heads/main', head_sha: sides.commit(after) } }
    expect(await run(sides.folder, merge, { paths: 'policies' })).toMatchObject({ isGreen: true })
    writeFileSync(join(sides.folder, '.grantwise.yaml'), 'rules: { unknown-action: error }\n')
    const base = sides.commit(before)
    writeFileSync(join(sides.folder, '.grantwise.yaml'), 'rules: { unknown-action: "off" }\n')
    const queued = { merge_group: { base_sha: base, base_ref: 'refs/heads/main', head_sha: sides.commit(after) } }
    const { isGreen, log, outputs } = await run(sides.folder, queued, { paths: 'policies', diff: 'true' })
    expect({ isGreen, outputs }).toEqual({ isGreen: false, outputs: expect.objectContaining({ 'exit-code': '1', gained: '1' }) })
    expect(log).toContain('.grantwise.yaml: this change alters it')
  })

  it('does at a push what needs no pull request', async () => {
    const sides = repository(before, after)
    const { log, outputs, steps } = await run(sides.folder, { before: sides.base, ref: 'refs/heads/main' }, all)
    expect(outputs).toMatchObject({ gained: '1', 'report-url': artifact, 'comment-url': '' })
    expect(steps.comment).toMatchObject({ outcome: 'success' })
    expect(log).toContain('there is nothing to comment on')
    expect(github.asked).toEqual([])
  })

  it('needs no permission where nothing is asked that needs one', async () => {
    const sides = repository(before, before)
    const { isGreen, steps, used } = await run(sides.folder, event(sides), { paths: 'policies' })
    expect({ isGreen, used }).toEqual({ isGreen: true, used: {} })
    expect(Object.entries(steps).flatMap(([name, { outcome }]) => (outcome === 'skipped' ? [name] : []))).toEqual([
      'diff',
      'together',
      'report',
      'artifact',
      'comment',
      'upload',
    ])
    expect(github.asked).toEqual([])
  })

  it('shows names as they are, whatever they hold', async () => {
    const names = [
      '@octocat please approve',
      'a` @octocat #1 `b',
      '</details><img src=x onerror=alert(1)>',
      '[click](https://evil.example)',
      '| x | y |\n/close\n## all is well',
      '-->\n<!-- grantwise comment -->',
    ]
    const sides = repository(
      [policy('start', ['vps:apisvc:get'])],
      names.map((name) => policy(name, ['vps:apisvc:reboot', 'vps:apisvc:rebooot'])),
    )
    await run(sides.folder, event(sides), { ...all, report: 'false' })
    const { body = '' } = github.comments[0] ?? {}
    expect(body.length).toBeGreaterThan(500)
    // Code is shown as it is, but for its fences; the rest is Markdown.
    const markdown = body.replace(/(`+)(?!`).*?[^`]\1(?!`)/g, '')
    for (const text of ['@octocat', '#1', '<img', '](https://evil', 'evil.example']) expect(markdown).not.toContain(text)
    expect(markdown).not.toMatch(/&#(64|35);(?!&#8203;)/)
    // No line starts as one of another meaning.
    expect(body.split('\n').filter((line) => !/^($|[|<]|- |###? |[a-zA-Z0-9[])/.test(line))).toEqual([])
    expect(body.match(/<details>/g)?.length).toBe(body.match(/^<\/details>$/gm)?.length)
    expect(body.split('\n').filter((line) => line.includes('grantwise comment -->') && line.startsWith('<'))).toHaveLength(1)
  })
})

describe('the component of GitLab, as it is written', () => {
  let released: Readonly<Record<string, string>>
  beforeAll(() => {
    released = component(newFolder())
  })
  const template = readFileSync(join(root, 'templates/review.yml'), 'utf8')
  const run = async (folder: string, base: string, env: Readonly<Record<string, string>> = {}, inputs = {}) => {
    const { script, variables, artifacts } = jobOf(template, { ...released, path: 'policies', ...inputs })
    const given = {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      TMPDIR: join(folder, '.git'),
      GITLAB_CI: 'true',
      CI_SERVER_URL: 'https://gitlab.example',
      CI_API_V4_URL: gitlab.url,
      CI_JOB_URL: 'https://gitlab.example/acme/policies/-/jobs/99',
      CI_MERGE_REQUEST_IID: '7',
      CI_MERGE_REQUEST_PROJECT_ID: '42',
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '42',
      CI_MERGE_REQUEST_PROJECT_URL: 'https://gitlab.example/acme/policies',
      CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
      CI_MERGE_REQUEST_TARGET_BRANCH_SHA: '',
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
      GRANTWISE_PAUSE: '1',
      GRANTWISE_TOKEN: token,
      ...env,
    }
    const named = Object.entries(variables).map(([name, value]) => [
      name,
      value.replace(/\$(CI_[A-Z_]+)/g, (_, each: string) => (given as Record<string, string>)[each] ?? ''),
    ])
    const ran = await runProgram('bash', ['--norc', '-eo', 'pipefail', '-c', script], folder, { ...Object.fromEntries(named), ...given })
    expect(`${ran.stdout}${ran.stderr}`).not.toContain(token)
    return { ...ran, artifacts }
  }

  it('lints, compares, keeps the report, and keeps one note with a link to it', async () => {
    const sides = repository(before, after)
    const { code, stdout, artifacts } = await run(sides.folder, sides.base)
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining('comment created: https://gitlab.example/acme/policies/-/merge_requests/7#note_1'),
    })
    for (const path of [...artifacts.paths, ...Object.values(artifacts.reports)])
      expect({ path, isThere: existsSync(join(sides.folder, path)) }).toEqual({ path, isThere: true })
    const quality = JSON.parse(readFileSync(join(sides.folder, artifacts.reports.codequality), 'utf8')) as { check_name: string }[]
    expect(quality.map((each) => each.check_name)).toEqual(['unknown-action', 'access-gained'])
    const body = gitlab.comments[0]?.body
    expect(body).toMatch(
      /^<!-- grantwise comment -->\n## grantwise: access gained: user\/ann may vps:apisvc:rebooot, vps:apisvc:reboot on vps:vps-1; 1 warning\n/,
    )
    expect(body).toContain('[Report](https://gitlab.example/acme/policies/-/jobs/99/artifacts/file/grantwise-report.html)')

    sides.commit(before)
    expect(await run(sides.folder, sides.base)).toMatchObject({ code: 0, stdout: expect.stringContaining('comment updated') })
    expect(gitlab.comments).toHaveLength(1)
  })

  if (!isDeep) return

  it('never writes over the note of another user', async () => {
    gitlab.comments.push(...Array.from({ length: 101 }, (_, i) => ({ id: i + 1, body: '<!-- grantwise comment -->', author: 'mallory' })))
    const sides = repository(before, after)
    await run(sides.folder, sides.base)
    expect(gitlab.comments).toHaveLength(102)
    expect(gitlab.asked.filter((each) => each.startsWith('GET /projects'))).toHaveLength(2)
  })

  it('says why there is no note, and fails where there should be one', async () => {
    const sides = repository(before, before)
    const notes = (env: Readonly<Record<string, string>>) => run(sides.folder, sides.base, env, { 'access-fail-on': 'never' })
    sides.commit(after)
    gitlab.settings = { refuse: 403 }
    const inFork = await notes({ CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '43' })
    expect(inFork.stdout).toContain('no comment: the change comes from a fork')
    expect((await notes({ GRANTWISE_TOKEN: '' })).stdout).toContain('no comment: there is no token')
    expect(await notes({})).toMatchObject({ code: 2, stdout: expect.stringContaining('403 refused: it needs the scope `api`') })
  })
})
