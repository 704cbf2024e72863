import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { ioIn } from '../support/in-process.ts'

/** `history`: what its answers look like, and what is refused. That they are right is in history-laws.test.ts. */

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
    const blocks = [...text.matchAll(/^```text\n\$ (grantwise (?:history|blame) .*)\n([\s\S]*?)^```$/gm)]
    expect(blocks).toHaveLength(4)
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
