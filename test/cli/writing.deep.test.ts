import { spawnSync } from 'node:child_process'
import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { type CommandEntry, commands } from '../../src/cli/app/commands.ts'
import { outputOption } from '../../src/cli/app/options.ts'
import { main } from '../../src/cli/main.ts'
import { changeDiff } from '../../src/report/diff.ts'
import { clientId, clientSecret, startAccount } from '../support/account-server.ts'
import { effort } from '../support/effort.ts'
import { ioIn } from '../support/in-process.ts'
import { type Case, cases, files, policy } from '../support/writing-cases.ts'

/** The commands that have `--dry-run` and `--diff`: every command that writes files. */

/** The commands that write files and go on until the user ends them: what they write is what happens meanwhile. */
const running = { serve: 'its state and logs', repl: 'its history', mcp: 'what an assistant asks for, with --allow-write' }

const table: readonly CommandEntry[] = commands
const flagsOf = ({ options }: CommandEntry) => options.map(({ flags }) => flags)
const folders: string[] = []
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true })
})

function folderWith(...all: readonly Readonly<Record<string, string>>[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-writing-'))
  folders.push(folder)
  for (const [name, text] of all.flatMap((each) => Object.entries(each))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** Every entry of a folder: its kind and permissions, when it changed, and what it holds. */
function entriesOf(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return new Map(
    ['.', ...names].map((name) => {
      const stat = lstatSync(join(folder, name))
      const content = stat.isFile() ? readFileSync(join(folder, name)).toString('latin1') : ''
      return [name, `${stat.mode.toString(8)} ${stat.ino} ${stat.mtimeMs} ${content}`]
    }),
  )
}

/** The files of a folder with their bytes. */
function textsOf(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const files = names.filter((name) => lstatSync(join(folder, name)).isFile() && !/\.(orig|rej)$/.test(name))
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name)).toString('latin1')]))
}

/** The announced edits of a command, as a change of each file. */
function announced(stderr: string): readonly string[] {
  return stderr
    .split('\n')
    .filter((line) => / would (create|change|remove) /.test(line))
    .map((line) => line.replace('grantwise: would ', ''))
    .sort()
}

function differences(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => before[name] !== after[name])
    .map((name) => `${before[name] === undefined ? 'create' : after[name] === undefined ? 'remove' : 'change'} ${name}`)
    .sort()
}

function apply(tool: 'git' | 'patch', diff: string, folder: string): void {
  const args = tool === 'git' ? ['apply', '-p1', '--whitespace=nowarn', '-'] : ['-p1', '--binary', '--silent', '--no-backup-if-mismatch']
  const env = { PATH: process.env.PATH, GIT_CEILING_DIRECTORIES: dirname(folder), LC_ALL: 'C.UTF-8' }
  const { status, stdout, stderr } = spawnSync(tool, args, { cwd: folder, input: diff, env, encoding: 'utf8' })
  expect({ tool, status, text: `${stdout}${stderr}` }).toEqual({ tool, status: 0, text: '' })
}

/** Run a line at the same instant each time: a report says when it was made. */
async function run(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
  const { io, out } = ioIn(cwd, env)
  const exit: number = await main(args, { ...io, now: () => Date.parse('2026-06-01T12:00:00Z') })
  return { ...out, exit }
}

/** Hold `--dry-run` and `--diff` of a line to what the line does. */
async function holds({ args, files: own = {}, first }: Case, env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const [real, dry, shown] = [folderWith(files, own), folderWith(files, own), folderWith(files, own)] as const
  if (first) for (const folder of [real, dry, shown]) await run(first, folder, env)
  const before = textsOf(real)
  const { exit } = await run(args, real, env)
  expect(exit).toBeLessThan(2)
  const after = textsOf(real)
  const changes = differences(before, after)

  const entries = entriesOf(dry)
  const listed = await run([...args, '--dry-run'], dry, env)
  expect(entriesOf(dry)).toEqual(entries)
  expect(announced(listed.stderr)).toEqual(changes)
  expect(listed.exit).toBe(exit)

  const unchanged = entriesOf(shown)
  const { stdout, exit: code } = await run([...args, '--diff'], shown, env)
  expect(entriesOf(shown)).toEqual(unchanged)
  expect(code).toBe(changes.length > 0 ? 1 : exit)
  for (const tool of ['git', 'patch'] as const) {
    const copy = mkdtempSync(join(tmpdir(), 'grantwise-writing-'))
    folders.push(copy)
    cpSync(shown, copy, { recursive: true })
    if (stdout !== '') apply(tool, stdout, copy)
    expect(textsOf(copy)).toEqual(after)
  }
  // Where everything is as it is to be, there is nothing to show.
  if (args[0] !== 'init') {
    const again = await run([...args, '--diff'], real, env)
    expect(again.stdout).toBe('')
  }
  return changes
}

describe('every command that writes files', () => {
  test('has --dry-run and --diff, and no other command has', () => {
    for (const entry of table) {
      const flags = flagsOf(entry)
      // The output of `call --propose` is a branch, whose change it prints anyway.
      const usual = entry.name === 'call' ? ['--dry-run'] : []
      expect({ name: entry.name, has: flags.filter((each) => each === '--dry-run' || each === '--diff') }).toEqual({
        name: entry.name,
        has: entry.name in cases ? ['--dry-run', '--diff'] : usual,
      })
    }
  })

  test('is one with an option that names a file to write', () => {
    // `-o` for an answer takes the place of a redirection.
    const writes = ({ options }: CommandEntry) =>
      options
        .filter((option) => option !== outputOption)
        .some(
          ({ flags, text, toFile }) =>
            toFile === true || /^(-o|--out|--write|--fix|--record|--history|--allow-write)\b/.test(flags) || /\bto write\b/.test(text),
        )
    const found = table.filter(writes).map(({ name }) => name)
    expect(found.filter((name) => !(name in cases) && !(name in running))).toEqual([])
    expect(
      Object.keys(cases).filter(
        (name) => !['init', 'pull', 'merge-driver', 'review', 'fmt', 'budget'].includes(name) && !found.includes(name),
      ),
    ).toEqual([])
  })
})

describe('what is shown is what is written', () => {
  for (const [name, list] of Object.entries(cases))
    for (const each of list)
      test(`grantwise ${each.args.join(' ')}`, async () => {
        const changes = await holds(each)
        expect(changes.length, name).toBeGreaterThan(0)
      })

  test('grantwise pull', async () => {
    const remote = (id: string, title: string, actions: readonly string[]) => ({
      id,
      owner: 'ab12-svc',
      readOnly: false,
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: null,
      name: title,
      description: '',
      identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
      resources: [{ id: 'r-1', urn: 'urn:v1:eu:resource:vps:vps-1', resource: null }],
      permissions: { allow: actions.map((action) => ({ action })), except: [], deny: null },
      conditions: null,
      expiredAt: null,
    })
    const server = await startAccount()
    try {
      const env = { GRANTWISE_CLIENT_ID: clientId, GRANTWISE_CLIENT_SECRET: clientSecret }
      const args = ['pull', '--base-url', server.url, '--auth-url', server.url, 'account']
      server.lists.policies = [remote('1', 'one', ['vps:apisvc:get']), remote('2', 'two', ['vps:apisvc:get'])]
      expect(await holds({ args }, env)).toContain('create account/policies/one.yaml')
      const pulled = folderWith(files)
      await run(args, pulled, env)
      server.lists.policies = [remote('1', 'one', ['vps:apisvc:get', 'vps:apisvc:reboot'])]
      const account = Object.fromEntries(
        Object.entries(textsOf(pulled))
          .filter(([file]) => file.startsWith('account/'))
          .map(([file, text]) => [file, Buffer.from(text, 'latin1').toString()]),
      )
      expect(await holds({ args, files: account }, env)).toEqual([
        'change account/.grantwise-pull.json',
        'change account/policies/one.yaml',
        'remove account/policies/two.yaml',
      ])
    } finally {
      await server.close()
    }
  })

  test('diffs of any texts are applied by git, and make the texts', () => {
    const line = fc.oneof(
      fc.constantFrom('', 'a', 'b', 'c', '-a', '+a', '\\ No newline', '--- a/x', '@@ -1 +1 @@', 'ü', '😀', '\t'),
      fc.string({ maxLength: 5 }).map((text) => text.replace(/[\n\r]/g, '')),
    )
    const text = fc
      .array(fc.tuple(line, fc.constantFrom('\n', '\n', '\r\n')), { maxLength: 12 })
      .chain((lines) =>
        fc.boolean().map((isCut) => lines.map(([words, end], i) => (isCut && i === lines.length - 1 ? words : words + end)).join('')),
      )
    const side = fc.option(text, { nil: undefined })
    const names = ['a.yaml', 'b c.yaml', 'd\te.yaml', 'f"g.yaml', 'ü/h.yaml', '-i.yaml', 'j\\k.yaml']
    const change = fc.record({ before: side, after: side })
    fc.assert(
      fc.property(fc.array(change, { minLength: names.length, maxLength: names.length }), (changes) => {
        const all = changes.map((each, i) => ({ ...each, path: names[i] as string }))
        const of = (which: 'before' | 'after') =>
          Object.fromEntries(all.flatMap((each) => (each[which] === undefined ? [] : [[each.path, each[which]]])))
        const folder = folderWith(of('before'))
        const diff = all.map(({ path, before, after }) => changeDiff(path, before, after)).join('')
        if (diff !== '') apply('git', diff, folder)
        expect(textsOf(folder)).toEqual(textsOf(folderWith(of('after'))))
      }),
      { numRuns: effort(300, 24) },
    )
  })
})

describe('--dry-run and --diff', () => {
  test.each([
    ['convert', '--to', 'json', 'policies/plain.yaml'],
    ['export', '--to', 'cedar', '-p', 'policies'],
    ['graph', 'policies'],
    ['report', 'policies', '-o', '-'],
    ['lock', '-p', 'policies', '--check'],
    ['lock', '-p', 'policies', '-o', '-'],
    ['catalogue', 'info'],
    ['catalogue', 'import', 'api.json', '--seen', '2026-01'],
    ['test', 'tests'],
    ['diff', 'policies', 'wider'],
    ['init', '--hook', 'husky'],
    ['pull', '--check', '--base-url', 'http://127.0.0.1:9', '--auth-url', 'http://127.0.0.1:9'],
  ])('of `%s %s …` are refused where no file would be written', async (...args) => {
    const folder = folderWith(files)
    for (const option of ['--dry-run', '--diff']) {
      const { stdout, stderr, exit } = await run([...args, option], folder)
      expect({ stdout, exit }).toEqual({ stdout: '', exit: 2 })
      expect(stderr).toMatch(new RegExp(`^grantwise: ${option} is about files that are written, and none would be\n {2}help: `))
    }
  })

  test('of `lint` are about fixes where nothing else is written', async () => {
    const folder = folderWith(files)
    const diff = await run(['lint', '--diff', 'policies'], folder)
    expect(diff).toEqual(await run(['lint', '--fix-dry-run', 'policies'], folder))
    expect(diff.exit).toBe(1)
    expect((await run(['lint', '--dry-run', 'policies'], folder)).stderr).toContain('grantwise: would change policies/a.yaml\n')
  })

  test('say what could not be written', async () => {
    const folder = folderWith(files)
    for (const option of ['--dry-run', '--diff']) {
      const outcome = await run(['convert', '--to', 'json', 'policies/plain.yaml', '--out', 'gone/x.json', option], folder)
      const earnest = await run(['convert', '--to', 'json', 'policies/plain.yaml', '--out', 'gone/x.json'], folder)
      expect(outcome).toEqual(earnest)
      expect(outcome.exit).toBe(2)
    }
  })

  test('show no diff of what is no text, and say so', async () => {
    const folder = folderWith(files)
    writeFileSync(join(folder, 'access.dot'), Buffer.from([0xff, 0xfe, 0x0a]))
    const { stdout, stderr, exit } = await run(['graph', 'policies', '-o', 'access.dot', '--diff'], folder)
    expect({ stdout, stderr, exit }).toEqual({ stdout: '', stderr: 'grantwise: note: access.dot: no diff: not UTF-8\n', exit: 1 })
  })

  test('let no command through to a build server, and say that the diff cannot be applied', async () => {
    const text = policy('a', ['vps:apisvc:reboot', 'vps:apisvc:reboot']).replace('    - action', '    # ##vso[task.complete]\n    - action')
    const folder = folderWith({ 'a.yaml': text })
    const { stdout, stderr } = await run(['lint', '--diff', 'a.yaml'], folder)
    expect(stdout).not.toContain('##vso[')
    expect(stderr).toContain('grantwise: note: a.yaml: commands to build servers are escaped in the diff: it cannot be applied\n')
  })

  test('of `init` refuse what is already there', async () => {
    const folder = folderWith({ '.grantwise.yaml': '' })
    expect((await run(['init', '--diff'], folder)).exit).toBe(2)
  })
})
