import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, expect } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { ioIn } from './in-process.ts'
import { cleanUp } from './scenario.ts'

/** Repositories with policies, and proposals of branches in them: each test has a folder. */

const top = mkdtempSync(join(tmpdir(), 'grantwise-proposed-'))
let folder = top
let count = 0
afterAll(() => cleanUp(top))

/** The folder of a test, in which programs run; another one with a name. */
export const here = (name = ''): string => join(folder, name)

/** Go to a folder, seen from the present one. */
export function enter(name: string): void {
  folder = join(folder, name)
}

const now = Date.parse('2026-11-25T12:00:00Z')
export const bob = 'urn:v1:eu:identity:user:ab12-svc/bob'
export const server = 'urn:v1:eu:resource:vps:vps-1'
export const refusedBody = '{"class": "Client::Forbidden", "message": "User not granted for this request"}'

export const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=ada', '-c', 'user.email=ada@example.org', '-c', 'core.autocrlf=false', ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
    env: { ...process.env, GIT_AUTHOR_DATE: '2026-11-01T10:00:00Z', GIT_COMMITTER_DATE: '2026-11-01T10:00:00Z' },
  })

export async function run(...args: readonly string[]) {
  const { io, out } = ioIn(folder, {})
  const exit: number = await main(args, { ...io, now: () => now })
  return { ...out, exit }
}

export const policy = (name: string, permissions: object, more: object = {}) => ({
  name,
  identities: [bob],
  resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
  permissions,
  ...more,
})
export const allow = (...actions: readonly string[]) => ({ allow: actions.map((action) => ({ action })) })
export const deny = (...actions: readonly string[]) => ({ deny: actions.map((action) => ({ action })) })

export function write(files: Readonly<Record<string, string | object>>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`)
  }
}

/** A repository with one commit that holds some files. */
export function committed(files: Readonly<Record<string, string | object>>): void {
  write({ '.grantwise.yaml': 'policies: [policies]\n', ...files })
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'ada')
  git('config', 'user.email', 'ada@example.org')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'policies')
  write({ '403.json': refusedBody })
}

beforeEach(() => {
  folder = join(top, `${count++}`)
  mkdirSync(folder)
})

export const call = ['call', 'POST', '/v1/vps/vps-1/reboot', '--identity', bob, '--from-403', '403.json', '--propose'] as const
export const propose = (...more: readonly string[]) => run(...call, ...more)

interface Proposal {
  readonly written: boolean
  readonly reason?: string
  readonly claim: string
  readonly expires: string | null
  readonly edit: string
  readonly commit: string
  readonly files: readonly { readonly path: string; readonly diff: string }[]
  readonly difference: { readonly gained: readonly object[]; readonly lost: readonly object[] }
  readonly remaining: readonly { readonly when: string }[]
  readonly already: readonly { readonly when: string }[]
  readonly replay: readonly { readonly at: string; readonly before: string; readonly after: string }[]
  readonly findings: readonly { readonly code: string }[]
  readonly notes: readonly string[]
}

export async function proposed(...more: readonly string[]): Promise<Proposal & { readonly exit: number }> {
  const { exit, stdout, stderr } = await propose(...more, '--format', 'json')
  expect(stderr).toBe('')
  return { ...JSON.parse(stdout).proposal, exit }
}

export const branch = 'grantwise/allow-bob-reboot'
export const plain = { 'policies/team.json': [policy('watching', allow('vps:apisvc:get'))] }

/** All that git keeps of a working folder, but for the branch and the objects. */
export const state = () => [
  git('status', '--porcelain'),
  git('rev-parse', 'HEAD'),
  git('symbolic-ref', 'HEAD'),
  readFileSync(join(folder, '.git/index')).toString('hex'),
]
export const branches = () => git('for-each-ref', '--format=%(refname:short)', 'refs/heads').trim().split('\n')

/** A proposal that writes no branch, with the beginning of its reason. */
export const none = async (exit: number, reason: string, ...more: readonly string[]) => {
  const refused = await propose(...more, '--format', 'json')
  expect(refused.exit).toBe(exit)
  expect(refused.stderr === '' ? JSON.parse(refused.stdout).proposal.reason : refused.stderr).toContain(reason)
  expect(branches()).toEqual(['main'])
}
