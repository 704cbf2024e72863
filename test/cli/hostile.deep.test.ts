import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { mainIn } from '../support/in-process.ts'

/** Commands on input that is made to have an answer left out, a log misread or a program wait: what they say instead. */

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grantwise-hostile-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const ann = 'urn:v1:eu:identity:user:ab12-svc/ann'
const machine = 'urn:v1:eu:resource:vps:vps-1'
const policy = {
  name: 'p',
  identities: [ann],
  resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
  permissions: { allow: [{ action: 'vps:apisvc:get' }] },
}
const write = (name: string, value: unknown) => writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value))

describe('patterns of files', () => {
  const many = `${'{a,b}'.repeat(17)}.json`
  beforeEach(() => {
    write(`${'a'.repeat(17)}.json`, policy)
    write(`${'b'.repeat(17)}.json`, { ...policy, name: 'q', permissions: { deny: [{ action: 'vps:apisvc:get' }] } })
  })

  test.each([
    ['can', ['can', ann, 'vps:apisvc:get', machine, '-p', many]],
    ['lint', ['lint', many, '--list-files']],
    ['diff', ['diff', many, `${'a'.repeat(17)}.json`]],
    ['fmt', ['fmt', many]],
    ['test', ['test', many]],
    ['least', ['least', '--from', `${'{a,b}'.repeat(17)}.py`]],
  ])('%s: more alternatives than are matched are refused, none is left out', async (_, args) => {
    const { stderr, exit } = await mainIn(args, folder)
    expect(stderr).toContain('…: the pattern has too many alternatives: more than 10000\n  help: write several patterns\n')
    expect(exit).toBe(2)
  })

  test.each([
    ['policies: "%"', many, ':1:11: error config: the pattern has too many alternatives: more than 10000'],
    ['policies: [., "%"]', 'a*'.repeat(40_000), ':1:15: error config: the pattern is longer than 4096 characters'],
    [
      'overrides: [{ files: "%", rules: {} }]',
      '{a,b,c,d,e}'.repeat(4),
      '` matches no file: the pattern has too many alternatives: more than 200',
    ],
  ])('in a configuration, %s is refused at its place', async (text, pattern, message) => {
    write('own.yaml', text.replace('%', pattern))
    const { stderr, exit } = await mainIn(['lint', '--config', 'own.yaml', `${'a'.repeat(17)}.json`], folder)
    expect(stderr).toContain(message)
    expect(exit).toBe(2)
  })

  test('a pattern that is too long to be matched is refused', async () => {
    const { stderr, exit } = await mainIn(['matrix', '-p', 'a*'.repeat(40_000)], folder)
    expect(stderr).toContain('…: the pattern is longer than 4096 characters\n  help: write several patterns\n')
    expect(exit).toBe(2)
  })
})

describe('texts that a build server would take for commands', () => {
  const name = 'p ##[error]x ##vso[task.setvariable]y'
  beforeEach(() => write('p.json', { ...policy, name, description: 'end ##[group]' }))
  const readers = { json: JSON.parse, yaml: (text: string) => parseDocument(text).toJS() } as const
  const outputOf = async (...args: string[]) => {
    const { stdout, stderr, exit } = await mainIn(args, folder)
    expect(stderr.replace(/^grantwise: note: .*\n/gm, ''), stderr).toBe('')
    expect(exit).toBe(0)
    expect(stdout).not.toMatch(/##(vso)?\[/i)
    return stdout
  }

  test.each(['json', 'yaml'] as const)('convert --to %s stays valid, with the same texts', async (notation) => {
    const text = await outputOf('convert', 'p.json', '--to', notation)
    expect([readers[notation](text)].flat()).toMatchObject([{ name, description: 'end ##[group]' }])
  })

  test('convert --to hcl is read again as the same policy', async () => {
    write('main.tf', await outputOf('convert', 'p.json', '--to', 'hcl'))
    const text = await outputOf('convert', 'main.tf', '--to', 'json')
    expect(JSON.parse(text)).toMatchObject({ name })
  })

  test.each([
    ['lock', ['lock', '-p', 'p.json', '-o', '-']],
    ['anonymise', ['anonymise', ann, 'vps:apisvc:get', machine, '-p', 'p.json', '--keep', 'p']],
    ['lint --print-config', ['lint', '--print-config', 'p.json', '--config', 'own.yaml']],
  ])('%s has no escape that its notation does not have', async (_, args) => {
    write('own.yaml', { ignores: [{ files: '**', codes: ['redundant-action'], reason: '##[group]' }] })
    write('p.json', { ...policy, description: '##[group]', resources: [{ urn: 'urn:v1:eu:resource:vps:##[group]' }, { urn: machine }] })
    const text = await outputOf(...args)
    expect(text).not.toContain('u{5b}')
    expect(readers.yaml(text)).toBeTypeOf('object')
  })

  test('the MCP server gives the text of `convert` as it is, and writes no command', async () => {
    const request = { method: 'tools/call', params: { name: 'convert', arguments: { paths: ['p.json'], to: 'yaml' } } }
    const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
    const input =
      line({
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
      }) +
      line({ method: 'notifications/initialized' }) +
      line({ id: 2, ...request })
    write('requests', input)
    const { stdout } = await mainIn(['mcp'], folder, {}, 'requests')
    expect(stdout).not.toMatch(/##(vso)?\[/i)
    const answers = stdout
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each))
    const { text } = answers.find(({ id }) => id === 2).result.structuredContent.result
    expect(readers.yaml(text)).toMatchObject({ name })
    expect(text).toContain(name)
  })

  test.each([
    ['policies', { ...policy, name: '::error::no access' }, 'p.json'],
    ['files', policy, ' ::error::no access.json'],
  ] as const)('the table of %s in CSV has no line that GitHub takes for a command', async (table, content, file) => {
    rmSync(join(folder, 'p.json'))
    write(file, content)
    const { stdout, exit } = await mainIn(['report', '-o', '-', '--format', 'csv', '--table', table, '.'], folder)
    expect(exit).toBe(0)
    expect(stdout).not.toMatch(/^\s*::/m)
    expect(stdout).toMatch(/^" ?::error::no access/m)
  })
})

describe('names that no policy has', () => {
  test.each([
    ['--reopen', ['--reopen', 'q']],
    ['--owner', ['--owner', 'q=team']],
  ])('review %s refuses one, and says which there are', async (option, args) => {
    write('p.json', { ...policy, name: 'web servers' })
    const { stderr, exit } = await mainIn(['review', '-p', 'p.json', ...args, 'review.yaml'], folder)
    expect(stderr).toBe(`grantwise: ${option} \`q\`: no policy has this name\n  help: policies are \`web servers\`\n`)
    expect(exit).toBe(2)
    expect(existsSync(join(folder, 'review.yaml'))).toBe(false)
  })

  test('review takes a pattern that some policy matches', async () => {
    write('p.json', policy)
    expect(await mainIn(['review', '-p', 'p.json', '--owner', '*=team', '--reopen', 'p', 'review.yaml'], folder)).toMatchObject({ exit: 0 })
  })
})

describe('repositories', () => {
  const run = (...args: readonly string[]) =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'commit.gpgsign=false', ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
    })
  const commit = (action: string) => {
    write('p.json', { ...policy, permissions: { allow: [{ action }] } })
    run('add', '.')
    run('commit', '-q', '-m', action)
  }
  beforeEach(() => {
    run('init', '-q', '-b', 'main')
    commit('vps:apisvc:get')
  })

  test.each(['--staged', '--changed'])('lint %s names a file with a conflict, which the next commit cannot have', async (option) => {
    run('checkout', '-q', '-b', 'side')
    commit('vps:apisvc:stop')
    run('checkout', '-q', 'main')
    commit('vps:apisvc:start')
    expect(run('merge', 'side').status).toBe(1)
    const { stderr, exit } = await mainIn(['lint', option], folder, { PATH: process.env.PATH })
    expect(stderr).toBe('grantwise: p.json: not merged: resolve the conflict, then `git add` it\n')
    expect(exit).toBe(2)
  })

  test('a diff of a name that turns the direction of its line is quoted, and git applies it', async () => {
    const name = '\u202egnp ##[group]\u200b.json'
    write(name, policy)
    const { stdout } = await mainIn(['fmt', '--diff', name], folder)
    expect(stdout).not.toMatch(/[\u202e\u200b]|##\[|u\{/)
    write('patch', stdout)
    expect(run('apply', 'patch')).toMatchObject({ status: 0, stderr: '' })
    expect(await mainIn(['fmt', '--check', name], folder)).toMatchObject({ exit: 0 })
  })

  test.skipIf(process.platform === 'win32').each([
    ['.git/info/attributes', 'attributes'],
    ['.git/info/exclude', 'exclude'],
  ])('%s that is a pipe is refused, and not waited for', async (path) => {
    mkdirSync(join(folder, '.git/info'), { recursive: true })
    rmSync(join(folder, path), { force: true })
    expect(spawnSync('mkfifo', [join(folder, path)]).status).toBe(0)
    const { stderr, exit } = await mainIn(['lint', '--since', 'HEAD'], folder, { PATH: process.env.PATH })
    expect(stderr).toBe(`grantwise: ${path}: not a regular file, and git would read it\n  help: remove it\n`)
    expect(exit).toBe(2)
  })

  test.skipIf(process.platform === 'win32')('pipes that the configuration of a repository names are not waited for', async () => {
    spawnSync('mkfifo', [join(folder, 'pipe')])
    run('config', 'core.attributesFile', join(folder, 'pipe'))
    const lint = (...args: string[]) => mainIn(['lint', ...args], folder, { PATH: process.env.PATH })
    expect(await lint('--staged')).toMatchObject({ exit: 0 })
    expect(await lint('--since', 'HEAD')).toMatchObject({ exit: 0 })
    run('config', 'core.excludesFile', join(folder, 'pipe'))
    const { stderr, exit } = await lint('--since', 'HEAD')
    expect(stderr).toContain('grantwise: pipe: not a regular file, and git would read it\n')
    expect(exit).toBe(2)
  })

  test.skipIf(process.platform === 'win32')('a git that a signal ends is said to be', async () => {
    mkdirSync(join(folder, 'bin'))
    writeFileSync(join(folder, 'bin/git'), '#!/bin/sh\nkill -KILL $$\n', { mode: 0o755 })
    const { stderr, exit } = await mainIn(['lint', '--since', 'HEAD'], folder, { PATH: join(folder, 'bin') })
    expect(stderr).toBe('grantwise: git rev-parse: ended by SIGKILL\n')
    expect(exit).toBe(2)
  })
})

test('a content that git cannot read is named with its commit and its object', async () => {
  const git = (...args: readonly string[]) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' }).stdout.trim()
  git('init', '-q')
  write('p.json', policy)
  git('add', '.')
  git('-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'commit.gpgsign=false', 'commit', '-q', '-m', 'one')
  const object = git('rev-parse', 'HEAD:p.json')
  rmSync(join(folder, '.git/objects', object.slice(0, 2), object.slice(2)))
  const { stderr, exit } = await mainIn(['what', ann, '-p', 'git:HEAD:p.json'], folder, { PATH: process.env.PATH })
  expect(stderr).toBe(
    `grantwise: git:HEAD: p.json: git cannot read its content, the object ${object}\n  help: see what \`git fsck\` finds\n`,
  )
  expect(exit).toBe(2)
})

describe.skipIf(process.platform === 'win32')('named pipes', () => {
  beforeEach(() => {
    write('p.json', policy)
    expect(spawnSync('mkfifo', [join(folder, 'pipe')]).status).toBe(0)
  })

  test.each([
    ['least', ['least', '--from', 'pipe']],
    ['replay', ['replay', 'pipe', '-p', 'p.json']],
    ['who', ['who', 'vps:apisvc:get', '-p', 'p.json', '--calls', 'pipe']],
  ])('%s does not wait for one that nothing writes to', async (_, args) => {
    const { stderr, exit } = await mainIn(args, folder)
    expect(stderr).toContain('pipe: a named pipe, and nothing writes to it\n')
    expect(exit).toBe(2)
  })

  test('an output that nothing reads is not waited for', async () => {
    const { stderr, exit } = await mainIn(['graph', 'p.json', '-o', 'pipe'], folder)
    expect(stderr).toContain('pipe: cannot be written: it has no reader (ENXIO)\n')
    expect(exit).toBe(2)
  })

  test('what is written to one is read, and what is read of one is written', async () => {
    const records = new URL('../../examples/usage/calls.ndjson', import.meta.url).pathname
    spawn('sh', ['-c', 'cat "$0" > pipe', records], { cwd: folder })
    const { stdout, stderr } = await mainIn(['least', '--from', 'pipe', '--format', 'json'], folder)
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toBeTypeOf('object')
    const reader = spawn('cat', ['pipe'], { cwd: folder })
    const chunks: Buffer[] = []
    reader.stdout.on('data', (chunk) => chunks.push(chunk))
    const ended = new Promise((resolve) => reader.on('close', resolve))
    expect(await mainIn(['graph', 'p.json', '--format', 'svg', '-o', 'pipe'], folder)).toMatchObject({ exit: 0 })
    await ended
    expect(Buffer.concat(chunks).toString()).toContain('</svg>')
  })
})

describe('recorded calls', () => {
  const call = '{"at": "2026-01-01T00:00:00Z", "identity": 5}'

  test('a compressed file is said to be', async () => {
    writeFileSync(join(folder, 'calls.ndjson'), gzipSync(call))
    const { stderr, exit } = await mainIn(['least', '--from', 'calls.ndjson'], folder)
    expect(stderr).toBe(
      'grantwise: calls.ndjson: it is compressed\n  help: give what `gzip -dc FILE` writes as standard input, and name that with `-`\n',
    )
    expect(exit).toBe(2)
  })

  test('a last line without an end is taken for one that is still written to only where it is no JSON', async () => {
    write('calls.ndjson', call)
    expect((await mainIn(['least', '--from', 'calls.ndjson'], folder)).stderr).not.toContain('still written to')
    write('calls.ndjson', call.slice(0, -3))
    expect((await mainIn(['least', '--from', 'calls.ndjson'], folder)).stderr).toContain('still written to')
  })
})
