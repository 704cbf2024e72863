import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PageData } from '../../src/page/data.ts'
import { some } from '../support/effort.ts'
import { mainIn } from '../support/in-process.ts'

/** `--since` with paths of files and folders that were renamed since: all commands read them by their earlier names. */

const folder = mkdtempSync(join(tmpdir(), 'since-'))
const git = (args: readonly string[], date: string) =>
  execFileSync('git', ['-c', 'user.name=carol', '-c', 'user.email=carol@example.org', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
  })

function put(path: string, ...actions: readonly string[]) {
  const text = {
    name: 'kim',
    identities: ['urn:v1:eu:identity:user:ab12-svc/kim'],
    resources: [{ urn: 'urn:v1:eu:resource:vps:web-1' }],
    permissions: { allow: actions.map((action) => ({ action })) },
  }
  writeFileSync(join(folder, path), JSON.stringify(text))
}

function commit(subject: string, date: string) {
  git(['add', '--all'], date)
  git(['commit', '--quiet', '--message', subject], date)
}

beforeAll(() => {
  git(['init', '--quiet', '--initial-branch=main'], '2026-01-01T00:00:00Z')
  mkdirSync(join(folder, 'policies'))
  put('policies/kim.json', 'vps:apisvc:get')
  commit('start', '2026-01-01T00:00:00Z')
  git(['mv', 'policies', 'access'], '2026-02-01T00:00:00Z')
  commit('rename', '2026-02-01T00:00:00Z')
  git(['mv', 'access', 'iam'], '2026-03-01T00:00:00Z')
  commit('rename again', '2026-03-01T00:00:00Z')
  put('iam/kim.json', 'vps:apisvc:get', 'vps:apisvc:reboot')
  commit('allow more', '2026-04-01T00:00:00Z')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Granted {
  readonly actions: readonly string[]
}

const gainedBy = {
  diff: ({ gained }: { readonly gained: readonly Granted[] }) => gained.flatMap(({ actions }) => actions),
  matrix: ({
    rows,
  }: {
    readonly rows: readonly { readonly cells: readonly { readonly change: { readonly gained: readonly Granted[] } }[] }[]
  }) => rows.flatMap(({ cells }) => cells.flatMap(({ change }) => change.gained.flatMap(({ actions }) => actions))),
  timeline: ({
    past,
  }: {
    readonly past: { readonly changes: readonly { readonly difference: { readonly gained: readonly Granted[] } }[] }
  }) => past.changes.flatMap(({ difference: { gained } }) => gained.flatMap(({ actions }) => actions)),
}

const commands = Object.keys(gainedBy) as (keyof typeof gainedBy)[]
const paths = ['iam', 'iam/kim.json', 'git:main:iam', 'git:main:iam/kim.json']
const times = ['2026-01-15', '2026-02-15', '2026-03-15', 'HEAD~1', 'HEAD~3']

// No number of a part is a multiple of the share: each command, each path and each time is tried.
const all = commands.flatMap((command) => paths.flatMap((path) => times.map((since) => [command, path, since] as const)))
test.each(some(all, 7))('%s -p %s --since %s', async (command, path, since) => {
  const { stdout } = await mainIn([command, '--since', since, '-p', path, '--format', 'json'], folder)
  expect(gainedBy[command](JSON.parse(stdout))).toEqual(['vps:apisvc:reboot'])
})

test('the page of a report', async () => {
  const { stdout } = await mainIn(['report', '--since', '2026-01-15', '-p', 'iam', '-o', '-'], folder)
  const [, text = ''] = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(stdout) ?? []
  const { difference } = JSON.parse(text) as PageData
  expect(JSON.stringify(difference?.gained)).toContain('vps:apisvc:reboot')
  expect(JSON.stringify(difference?.gained)).not.toContain('vps:apisvc:get')
})
