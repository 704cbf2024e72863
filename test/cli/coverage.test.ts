import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs, { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { RunRecord } from '../../src/cli/app/record.ts'
import { decidable } from '../../src/cli/input/world.ts'
import { main } from '../../src/cli/main.ts'
import { exitCodeOf } from '../../src/cli/output/recorded.ts'
import { type Assumption, type Coverage, distinctAssumptions, isOpen } from '../../src/coverage.ts'
import { defaultSettings } from '../../src/names.ts'
import { coverageLine, coverageMarkdown } from '../../src/report/coverage.ts'
import { sourceOf } from '../../src/source.ts'
import { readSources } from '../../src/sources/read.ts'
import { allReaders } from '../../src/sources/readers.ts'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'
import { gitEnvironment } from '../support/gate-cases.ts'
import { ioIn } from '../support/in-process.ts'

const unread: Assumption = { kind: 'module', what: 'module.iam', why: 'its files are not here', matters: true, inWorld: true }
const open: Assumption = { kind: 'module', what: 'module.iam', why: 'its files are not here', matters: true }

test('an assumption that is made twice counts once, and as the more serious one', () => {
  const idle: Assumption = { ...open, matters: false }
  const other: Assumption = { ...unread, what: 'module.web' }
  expect(distinctAssumptions([idle, other, unread])).toEqual([unread, other])
  expect(distinctAssumptions([unread, open, other])).toEqual([open, other])
  expect(distinctAssumptions([open, unread, idle])).toEqual([open])
})

test('what is in the world as unknown is not open, nor what changes no answer', () => {
  expect(isOpen(unread)).toBe(false)
  expect(isOpen({ ...unread, matters: false })).toBe(false)
  expect(isOpen(open)).toBe(true)
})

describe('the one line', () => {
  const coverage: Coverage = {
    searched: ['.'],
    read: [
      { path: 'a.yaml', as: 'policies' },
      { path: 'b.json', as: 'none' },
    ],
    passed: Array.from({ length: 5 }, (_, i) => ({ path: `${i}.json`, reason: 'named by `.gitignore`' })),
    assumptions: [unread, { ...open, what: 'the time', matters: false }],
  }

  test('counts what was read, names what was passed over and what is assumed and may change answers', () => {
    expect(coverageLine(coverage)).toBe(
      'read 2 files, 1 of them without policies; passed over 5: 0.json (named by `.gitignore`), 1.json (named by `.gitignore`), 2.json (named by `.gitignore`) and 2 more; assumes: module.iam (its files are not here)',
    )
    expect(coverageLine({ searched: [], read: [], passed: [], assumptions: [] })).toBe('read 0 files; passed over 0')
  })

  test('names cannot act: neither on a terminal nor as Markdown', () => {
    const odd = '\u001b[31m</details>\n::error::<img src=x>'
    const one: Coverage = { searched: [], read: [{ path: odd, as: 'policies' }], passed: [{ path: odd, reason: odd }], assumptions: [] }
    expect(coverageLine(one)).not.toMatch(/[\u001b\n]/)
    const markdown = coverageMarkdown({ ...one, assumptions: [{ ...open, what: odd, why: odd }] })
    expect(markdown.replace(/`[^`]*`/g, '')).not.toMatch(/<img|\u001b|<\/details>.*<\/details>/s)
  })
})

describe('an answer is held to the record', () => {
  const line = { name: 'diff', args: [], isFormatGiven: false, options: { coverage: false } }
  const held = async (code: 0 | 1 | 2 | 3, assumption: Assumption, options: object = {}) => {
    const { io, out } = ioIn('/', {})
    const record = new RunRecord()
    record.assume([assumption])
    return { code: await exitCodeOf(record, code, { ...line, options: { ...line.options, ...options } }, io), ...out }
  }

  test('what is in the world as unknown is said, and the exit code is that of the answer', async () => {
    const help = { ...unread, help: 'run `terraform init`' }
    expect(await held(0, help)).toEqual({
      code: 0,
      stdout: '',
      stderr: 'grantwise: note: `module.iam`: its files are not here\n  help: run `terraform init`\n',
    })
  })

  test('what is open is no success, and neither a failure nor an error is taken back', async () => {
    for (const [given, wanted] of [
      [0, 3],
      [1, 1],
      [2, 2],
      [3, 3],
    ] as const)
      expect((await held(given, open)).code).toBe(wanted)
    expect((await held(0, open)).stderr).toContain('grantwise: unknown: the answer depends on what was not read\n')
    expect((await held(0, { ...open, matters: false })).code).toBe(0)
    // Who asks for 0 gets it.
    expect((await held(0, open, { exitZero: true })).code).toBe(0)
  })

  test('nothing is decided over files of which something is open', async () => {
    const read = await readSources([{ source: sourceOf('a.json', policy('a', 'ann', '*')), isNamed: true }], defaultSettings, allReaders)
    const { io, out } = ioIn('/', {})
    expect(decidable(read, io)?.policies).toHaveLength(1)
    expect(decidable({ ...read, assumptions: [unread] }, io)?.policies).toHaveLength(1)
    expect(out.stderr).toBe('')
    expect(decidable({ ...read, assumptions: [open] }, io)).toBeUndefined()
    expect(out.stderr).toBe(
      'grantwise: module.iam: its files are not here\ngrantwise: nothing is decided over policies that were not fully read and understood\n',
    )
  })
})

/** The files below a folder that are opened while something is done: what the record of a run is compared with. */
async function openedIn(folder: string, run: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  const opened = new Set<string>()
  const real = { openSync: fs.openSync, readFileSync: fs.readFileSync, createReadStream: fs.createReadStream }
  const note = (path: unknown) => {
    if (typeof path !== 'string') return
    const inside = relative(folder, resolve(folder, path))
    if (inside !== '' && !inside.startsWith('..') && !inside.startsWith('.git/')) opened.add(inside)
  }
  const noting =
    (call: (...args: never[]) => unknown) =>
    (...args: never[]) => {
      const result = call(...args)
      note(args[0])
      return result
    }
  for (const [name, call] of Object.entries(real)) Object.assign(fs, { [name]: noting(call as never) })
  syncBuiltinESMExports()
  try {
    await run()
    return opened
  } finally {
    Object.assign(fs, real)
    syncBuiltinESMExports()
  }
}

const user = (name: string) => `urn:v1:eu:identity:user:ab12-svc/${name}`
const policy = (name: string, who: string, action: string, list = 'allow') =>
  JSON.stringify({
    name,
    identities: [user(who)],
    resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
    permissions: { [list]: [{ action }] },
  })
const terraform = (name: string, who: string) =>
  `resource "svc_iam_policy" "${name}" {\n  name = "${name}"\n  identities = ["${user(who)}"]\n  resources = ["urn:v1:eu:resource:vps:*"]\n  allow = jsondecode(file("\${path.module}/actions.json"))\n}\n`

/** Files that may be in a repository, by their paths; each is there or not. */
const parts: Readonly<Record<string, readonly string[]>> = {
  'policies/a.json': [policy('a', 'ann', 'vps:apisvc:reboot'), policy('a', 'bob', '*')],
  'policies/sub/b.yaml': [policy('b', 'ann', 'vps:apisvc:*', 'deny'), 'some: thing\n'],
  'policies/package.json': ['{"name":"none"}', '{"identities":1}'],
  'policies/notes.md': ['# Notes\n'],
  'policies/.gitignore': ['/old.json\n', '/sub/\n'],
  'policies/old.json': [policy('old', 'eve', '*')],
  'policies/node_modules/x/p.json': [policy('x', 'eve', '*')],
  'policies/sub/.gitignore': ['*.tmp.json\n'],
  'policies/sub/x.tmp.json': [policy('tmp', 'eve', '*')],
  'stack/main.tf': [terraform('t', 'kim'), `variable "who" {}\n${terraform('t', 'kim').replace(`"${user('kim')}"`, 'var.who')}`],
  'stack/actions.json': ['["vps:apisvc:get"]', '["vps:*"]'],
  'stack/terraform.tfvars': [`who = "${user('kim')}"\n`],
  'stack/other.tfvars': [`who = "${user('eve')}"\n`],
  'stack/modules/m/main.tf': [terraform('m', 'eve').replace('path.module', 'path.root'), 'variable "unused" {}\n'],
  'stack/call.tf': ['module "m" {\n  source = "./modules/m"\n}\n'],
  'world.yaml': ['resources:\n  - urn: urn:v1:eu:resource:vps:vps-1\nidentities:\n  - urn: urn:v1:eu:identity:user:ab12-svc/ann\n'],
  'elsewhere/p.json': [policy('elsewhere', 'eve', '*')],
  'policies/p.iamtest.yaml': [
    `tests:\n  - name: t\n    identity: ${user('ann')}\n    action: vps:apisvc:reboot\n    resource: urn:v1:eu:resource:vps:vps-1\n    expect: allow\n`,
  ],
}
const configurations = [
  undefined,
  'policies: [policies, stack]\nworld: [world.yaml]\n',
  'policies: [policies]\n',
  'policies: [policies/a.json, stack/main.tf]\n',
]

const repository = fc.record({
  files: fc
    .tuple(
      ...Object.entries(parts).map(([path, texts]) =>
        fc.option(fc.constantFrom(...texts), { nil: undefined, freq: 3 }).map((text) => [path, text] as const),
      ),
    )
    .map((all) => all.flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const]))),
  configuration: fc.constantFrom(...configurations),
})

const reboot = ['vps:apisvc:reboot', 'urn:v1:eu:resource:vps:vps-1']
const commands: readonly (readonly string[])[] = [
  ['can', user('ann'), ...reboot],
  ['who', ...reboot],
  ['what', user('eve')],
  ['lint'],
  ['diff', 'git:HEAD', 'policies'],
  ['diff', 'git:HEAD:policies', 'policies'],
  ['timeline', '--from', '2027-01-01T00:00:00Z'],
  ['escalate', user('ann')],
  ['test', 'policies'],
  ['policies', user('ann')],
]

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

type Repository = { readonly files: readonly (readonly [string, string])[]; readonly configuration: string | undefined }

/** `isCommitted`: it is a repository of git with one commit. */
function made({ files, configuration }: Repository, isCommitted: boolean): string {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-'))
  folders.push(folder)
  for (const [path, text] of files) write(folder, path, text)
  if (configuration !== undefined) write(folder, '.grantwise.yaml', configuration)
  if (!isCommitted) return folder
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, env: { PATH: process.env.PATH, ...gitEnvironment }, stdio: 'pipe' })
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('commit', '--quiet', '--allow-empty', '--message=one')
  return folder
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** The answer of a command, without its record; the record, and what was opened. */
async function asked(command: readonly string[], folder: string) {
  const { io, out } = ioIn(folder, { PATH: process.env.PATH, ...gitEnvironment })
  let code: number | undefined
  const opened = await openedIn(folder, async () => {
    code = await main([...command, '--format', 'json', '--coverage'], { ...io, now: () => Date.parse('2027-01-01T00:00:00Z') })
  })
  const text = out.stdout.startsWith('{') ? (JSON.parse(out.stdout) as Record<string, unknown>) : undefined
  const { coverage, ...answer } = text ?? {}
  return { code, answer, opened, coverage: coverage as (Coverage & { readonly summary: string }) | undefined, out }
}

// covers: P10
test('the record holds just the files that were opened, and what it does not hold changes no answer', { timeout: 600_000 }, async () => {
  let answers = 0
  await fc.assert(
    fc.asyncProperty(repository, fc.constantFrom(...commands), async (given, command) => {
      const folder = made(
        given,
        command.some((word) => word.startsWith('git:')),
      )
      const { code, answer, opened, coverage } = await asked(command, folder)
      if (code === 2 || coverage === undefined) return
      answers++
      const read = coverage.read.filter(({ from }) => from === undefined).map(({ path }) => path)
      expect(read.toSorted()).toEqual([...opened].sort())
      // The ids are those of git, whose way of making them is known.
      const texts = new Map([...given.files, ['.grantwise.yaml', given.configuration ?? '']])
      for (const { path, blob } of coverage.read) {
        const text = texts.get(path) ?? ''
        expect(blob, path).toBe(
          createHash('sha1')
            .update(`blob ${Buffer.byteLength(text)}\0${text}`)
            .digest('hex'),
        )
      }
      // A file that was not read may be anything, and what is added where nothing is searched is not found.
      const isRead = new Set(read)
      // Where a commit is compared with the working folder, what differs of all that git tracks counts for what is deployed.
      const isCompared = command[0] === 'diff' && command.some((word) => word.startsWith('git:'))
      const others = isCompared ? [] : given.files.filter(([path]) => !isRead.has(path))
      for (const [path] of others) write(folder, path, policy('other', 'ann', '*'))
      const isSearched = (path: string) => coverage.searched.some((top) => top === '.' || path === top || path.startsWith(`${top}/`))
      for (const path of ['added.json', 'new/added.tf', 'stack/added.tf', 'policies/added.yaml'])
        if (!isSearched(path)) write(folder, path, policy('added', 'ann', '*', 'deny'))
      const again = await asked(command, folder)
      expect({ code: again.code, answer: again.answer }).toEqual({ code, answer })
    }),
    { numRuns: counted(effort(1_000)) },
  )
  // Most are answered, else nothing was compared.
  expect(answers).toBeGreaterThan(effort(1_000) / 4)
})

test('the page of a report has the record of what it was made from', async () => {
  const folder = made({ files: [['a.json', policy('a', 'ann', '*')]], configuration: undefined }, false)
  const { io, out } = ioIn(folder, {})
  expect(await main(['report', '-o', '-'], io)).toBe(0)
  const blob = createHash('sha1')
    .update(`blob ${policy('a', 'ann', '*').length}\0${policy('a', 'ann', '*')}`)
    .digest('hex')
  expect(out.stdout).toContain(
    `"coverage":{"summary":"read 1 file; passed over 0","searched":["."],"read":[{"path":"a.json","as":"policies","blob":"${blob}"}]`,
  )
})
