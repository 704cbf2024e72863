import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CommentServer, githubServer, token } from '../support/servers.ts'

/** The comment on a pull request, against a server that answers as GitHub does. */

type Comment = (env: Readonly<Record<string, string>>, log: (line: string) => void) => Promise<number>
const { comment } = (await import(String(new URL('../../integrations/comment/comment.mjs', import.meta.url)))) as { comment: Comment }
const scratch = mkdtempSync(join(tmpdir(), 'comment-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

let github: CommentServer
beforeAll(async () => {
  github = await githubServer()
})
afterAll(() => github.close())
beforeEach(() => {
  github.settings = {}
  github.comments.length = 0
  github.asked.length = 0
})

let count = 0
const newFolder = () => {
  const folder = join(scratch, String(count++))
  mkdirSync(folder)
  return folder
}

const gained = `## grantwise diff

access gained: user/ann may vps:apisvc:reboot on vps:*

### Access gained

| who | may do | on | when | because of |
|---|---|---|---|---|
| \`user/ann\` | \`vps:apisvc:reboot\` | \`vps:*\` |  | p.yaml:3  p: allow added |

<details><summary>gained: user/ann, in detail</summary>

- may do \`vps:apisvc:reboot\`

</details>
`
const same = '## grantwise diff\n\nthe same access: proved over all identities, actions, resources and contexts\n'
const clean = '## grantwise: no problems\n\n3 files checked.\n'

const own = { full_name: 'acme/policies' }
const fork = { full_name: 'mallory/policies' }
const pullRequest = (head: object = own) => ({ pull_request: { number: 7, head: { repo: head }, base: { repo: own } } })

interface Setting {
  readonly diff?: string
  readonly lint?: string
  readonly event?: object
  readonly env?: Readonly<Record<string, string>>
}

/** Write the comment of a workflow. */
async function onGithub({ diff, lint, event = pullRequest(), env = {} }: Setting) {
  const folder = newFolder()
  const put = (name: string, text: string | undefined) => {
    if (text === undefined) return ''
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const given = {
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: github.url,
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_REPOSITORY: 'acme/policies',
    GITHUB_RUN_ID: '99',
    GITHUB_EVENT_PATH: put('event.json', JSON.stringify(event)),
    GITHUB_OUTPUT: join(folder, 'outputs'),
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
    GRANTWISE_TOKEN: token,
    GRANTWISE_PAUSE: '1',
    GRANTWISE_DIFF_MARKDOWN: put('diff.md', diff),
    GRANTWISE_LINT_MARKDOWN: put('lint.md', lint),
    ...env,
  }
  let stdout = ''
  const code = await comment(given, (line) => {
    stdout += `${line}\n`
  })
  const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '')
  expect(`${stdout}${read('summary')}`).not.toContain(token)
  return { code, stdout, outputs: read('outputs'), summary: read('summary') }
}

describe('the comment on GitHub', () => {
  it('is written once, and written again at each push', async () => {
    const env = { GRANTWISE_REPORT_URL: 'https://github.example/acme/policies/actions/runs/99/artifacts/5' }
    const first = await onGithub({ diff: gained, lint: clean, env })
    const address = 'https://github.example/acme/policies/pull/7#issuecomment-1'
    expect(first).toMatchObject({
      code: 0,
      stdout: `grantwise: comment created: ${address}\n`,
      outputs: `comment-url=${address}\n`,
    })
    expect(github.comments[0]?.body).toBe(`<!-- grantwise comment -->
## grantwise: access gained: user/ann may vps:apisvc:reboot on vps:*; no findings

${gained.slice(gained.indexOf('### Access gained')).trimEnd()}

### Findings

3 files checked.

[Report](https://github.example/acme/policies/actions/runs/99/artifacts/5) · [log of the job](https://github.example/acme/policies/actions/runs/99)
`)
    expect((await onGithub({ diff: gained, lint: clean, env })).stdout).toBe(`grantwise: comment kept: ${address}\n`)
    expect((await onGithub({ diff: same, lint: clean })).stdout).toBe(`grantwise: comment updated: ${address}\n`)
    expect(github.comments).toHaveLength(1)
    expect(github.comments[0]?.body).toContain('## grantwise: the same access')
    expect(github.asked.filter((each) => /^(POST|PATCH)/.test(each))).toEqual([
      'POST /repos/acme/policies/issues/7/comments',
      'PATCH /repos/acme/policies/issues/comments/1',
    ])
  })

  it('is written where the access is the same only in the policies, or under an assumption', async () => {
    for (const words of [
      'the same access in the policies; what is deployed may change with `deploy.sh`',
      'the same access only if `x` is the same',
    ]) {
      github.comments.length = 0
      await onGithub({ diff: `## grantwise diff\n\n${words}\n`, lint: clean })
      expect(github.comments[0]?.body).toContain('## grantwise: the same access')
    }
  })

  it('is not written where there is nothing to say, unless there is one', async () => {
    expect(await onGithub({ diff: same, lint: clean })).toMatchObject({ code: 0, stdout: 'grantwise: nothing to comment on\n' })
    expect(github.comments).toEqual([])
  })

  it('says so where a command gave no answer, in the place of what was said before', async () => {
    await onGithub({ diff: same, lint: '## grantwise: 1 error\n\n1 file checked.\n' })
    const { code } = await onGithub({ env: { GRANTWISE_DIFF_MARKDOWN: '/nowhere/diff.md' } })
    expect(code).toBe(0)
    expect(github.comments.map(({ body }) => body)).toEqual([expect.stringContaining('## grantwise: no answer from `diff`\n\nThe log')])
  })

  it('is found on any page, and never in what another user wrote', async () => {
    const marker = '<!-- grantwise comment -->'
    const others = Array.from({ length: 120 }, (_, i) => ({
      id: i + 1,
      body: i === 3 ? `${marker}\nof somebody` : 'hello',
      author: 'mallory',
    }))
    github.comments.push(...others, { id: 121, body: `${marker}\r\nof the workflow`, author: 'github-actions[bot]' })
    expect((await onGithub({ diff: gained })).stdout).toMatch(/comment updated: .*-121\n$/)
    expect(github.comments[3]?.body).toBe(`${marker}\nof somebody`)
    github.settings = { user: 'deployer' }
    expect((await onGithub({ diff: gained })).stdout).toMatch(/comment created: .*-122\n$/)
  })

  it('is another one for another key, which cannot end the line that it is found by', async () => {
    for (const key of ['', 'eu', 'eu --> <b>']) await onGithub({ diff: gained, env: { GRANTWISE_COMMENT_KEY: key } })
    expect(github.comments.map(({ body }) => body.split('\n')[0])).toEqual([
      '<!-- grantwise comment -->',
      '<!-- grantwise comment eu -->',
      '<!-- grantwise comment eu ___ _b_ -->',
    ])
  })

  it('is left to the summary in a pull request from a fork, whose token may only read', async () => {
    github.settings = { refuse: 403 }
    const expected = { code: 0, stdout: expect.stringMatching(/^::notice title=grantwise::no comment: the change comes from a fork/) }
    expect(await onGithub({ diff: gained, event: pullRequest(fork) })).toMatchObject({ ...expected, summary: '' })
    const env = { GRANTWISE_SUMMARY: 'false' }
    const summary = expect.stringContaining('access gained: user/ann may vps:apisvc:reboot on vps:*')
    expect(await onGithub({ diff: gained, event: pullRequest(fork), env })).toMatchObject({ ...expected, summary })
  })

  it.each([
    ['a token without the permission', 403, 'the job needs `pull-requests: write`'],
    ['a server that refuses', 422, '422 no'],
    ['a server that fails', 500, '500 no'],
  ])('fails the step with %s', async (_, refuse, text) => {
    github.settings = { refuse }
    expect(await onGithub({ diff: gained })).toMatchObject({ code: 2, stdout: expect.stringContaining(text), outputs: '' })
    expect(github.comments).toEqual([])
  })

  it('fails the step without a token, with a wrong one, and where no server answers', async () => {
    expect((await onGithub({ diff: gained, env: { GRANTWISE_TOKEN: '' } })).code).toBe(2)
    expect((await onGithub({ diff: gained, env: { GRANTWISE_TOKEN: 'wrong' } })).code).toBe(2)
    const unreachable = await onGithub({ diff: gained, env: { GITHUB_API_URL: 'http://127.0.0.1:1' } })
    expect(unreachable).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/^::error title=grantwise::the comment could not be written: GET \/user: /),
    })
  })

  it('is tried again where a fault passes', async () => {
    github.settings = { faults: 2 }
    expect((await onGithub({ diff: gained })).code).toBe(0)
    github.settings = { faults: 9 }
    expect((await onGithub({ diff: gained })).code).toBe(2)
  })

  it.each(['push', 'merge_group', 'workflow_dispatch'])('is none for a run by %s', async () => {
    expect(await onGithub({ diff: gained, event: { ref: 'refs/heads/main' } })).toMatchObject({ code: 0 })
    expect(github.asked).toEqual([])
  })

  it('leaves out what there is no room for, from the end, and says so', async () => {
    const details = Array.from(
      { length: 200 },
      (_, i) => `<details><summary>gained, ${i}</summary>\n\n- ${'x'.repeat(2000)}\n\n</details>\n`,
    )
    const rows = Array.from({ length: 200 }, (_, i) => `| ${i} | \`${'y'.repeat(600)}\` |`)
    const table = `### Access gained\n\n| | who |\n|---|---|\n${rows.join('\n')}\n`
    const head = '## grantwise diff\n\naccess gained: 200 regions\n'
    for (const diff of [`${head}\n${details.join('\n')}`, `${head}\n${table}\n${details.join('\n')}`]) {
      expect((await onGithub({ diff })).code).toBe(0)
      const body = github.comments[0]?.body ?? ''
      expect(body.length).toBeLessThanOrEqual(65_000)
      expect(body.length).toBeGreaterThan(60_000)
      expect(body.match(/<details>/g)?.length).toBe(body.match(/<\/details>/g)?.length)
      expect(body).toMatch(/\n\d+ parts are left out for brevity: the summary or log of the job has all\.\n\n\[log of the job\]/)
    }
    expect(github.comments[0]?.body).toContain('| 0 |')
  })

  it('is not the one that quotes it, and the same one where the server changes line ends', async () => {
    const marker = '<!-- grantwise comment -->'
    github.comments.push({ id: 1, body: `> ${marker}\n\nan answer`, author: 'github-actions[bot]' })
    expect((await onGithub({ diff: gained })).stdout).toMatch(/comment created: .*-2\n$/)
    const written = github.comments[1]
    if (written) written.body = `${written.body.replaceAll('\n', '\r\n')}\r\n`
    expect((await onGithub({ diff: gained })).stdout).toMatch(/comment kept: .*-2\n$/)
  })

  it('is not created twice where the server fails, and left to the summary for a bot whose token may only read', async () => {
    github.settings = { refuse: 500 }
    expect((await onGithub({ diff: gained })).code).toBe(2)
    expect(github.asked.filter((each) => each.startsWith('POST'))).toHaveLength(1)
    github.settings = { refuse: 403 }
    expect((await onGithub({ diff: gained, env: { GITHUB_ACTOR: 'dependabot[bot]' } })).code).toBe(0)
  })

  it('is written where policies are the same and something else is said', async () => {
    await onGithub({ diff: `${same}\n### Names\n\n- \`a\` is \`b\` now\n` })
    expect(github.comments).toHaveLength(1)
  })

  it('refers to no user and to no issue, and says nothing that a log takes for a command', async () => {
    await onGithub({ diff: gained.replace('p.yaml:3  p', 'p.yaml:3  &#64;kim &#35;7 &#33;8') })
    expect(github.comments[0]?.body).toContain('&#64;&#8203;kim &#35;&#8203;7 &#33;&#8203;8')
    const { stdout } = await onGithub({ diff: gained, env: { GITHUB_API_URL: 'http://127.0.0.1:1/a%0A::warning::b' } })
    expect(stdout).toContain('/a%250A::warning::b/user')
  })

  it('links to nothing but an address of the web', async () => {
    for (const address of ['javascript:alert(1)', 'not an address', 'https://example.org/a)[b](c']) {
      await onGithub({ diff: gained, env: { GRANTWISE_REPORT_URL: address } })
      expect(github.comments[0]?.body).not.toContain('javascript')
    }
    expect(github.comments[0]?.body.split('\n').at(-2)).toBe(
      '[Report](https://example.org/a%29%5Bb%5D%28c) · [log of the job](https://github.example/acme/policies/actions/runs/99)',
    )
  })
})
