import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Terminal } from '../../src/cli/app/io.ts'
import { completions } from '../../src/cli/commands/repl-complete.ts'
import { Session } from '../../src/cli/input/session.ts'
import { wordsOf } from '../../src/cli/input/words.ts'
import { openHistory } from '../../src/cli/live/history.ts'
import { main } from '../../src/cli/main.ts'
import { ioIn } from '../support/in-process.ts'
import { until } from '../support/patience.ts'

const user = (name: string) => `urn:v1:eu:identity:user:ab12-svc/${name}`
const group = (name: string) => `urn:v1:eu:identity:group:ab12-svc/${name}`
const vps = (name: string) => `urn:v1:eu:resource:vps:${name}`
const allow = (name: string) => ({
  name,
  identities: [group('ops')],
  resources: [{ urn: vps('*') }],
  permissions: { allow: [{ action: 'vps:apisvc:*' }] },
})
const world = {
  policies: [allow('production guard'), allow("it's #1"), allow('evil \u001b[31m'), allow('plain')],
  identities: [
    { urn: user('ann'), groups: [group('ops')] },
    { urn: user('bob'), groups: [] },
  ],
  resources: [{ urn: vps('web-1'), tags: { env: 'prod' } }, { urn: vps('web-2') }, { urn: 'urn:v1:eu:resource:dnsZone:a.example' }],
}

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grantwise-terminal-'))
  writeFileSync(join(folder, 'world.json'), JSON.stringify(world))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A session at a terminal: what is typed, what the terminal shows of it, and what is answered. */
function session(...options: string[]) {
  const input = Object.assign(new PassThrough(), { isTTY: true, isRaw: false, setRawMode: (_: boolean) => input })
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 })
  let shown = ''
  output.on('data', (chunk: Buffer) => {
    shown += chunk.toString()
  })
  const { io, out } = ioIn(folder, { XDG_STATE_HOME: join(folder, 'state') })
  const terminal = { input, output } as unknown as Terminal
  const code = main(['repl', '-p', 'world.json', '--format', 'compact', ...options], { ...io, terminal: () => terminal })
  const prompts = () => shown.split('grantwise').length - 1
  return {
    out,
    code,
    shown: () => shown,
    /** Type, and wait for something to be shown. */
    async type(keys: string, awaited: () => boolean) {
      await until(() => prompts() > 0)
      input.write(keys)
      await until(awaited)
    },
  }
}

describe('at a terminal', () => {
  test('lines are completed, answered and kept', async () => {
    const { out, code, shown, type } = session()
    await type('can an', () => shown().includes('an'))
    await type('\t', () => shown().includes('ann '))
    await type('vps:apisvc:get web-1\r', () => out.stdout !== '')
    expect(out.stdout).toContain('allow · granted')
    await type('assume without pro\t', () => shown().includes('production\\ guard'))
    await type('\r', () => shown().includes('grantwise (1)> '))
    await type('\u001b[A\u001b[A', () => shown().split('vps:apisvc:get web-1').length > 2)
    await type('\r', () => out.stdout.split('\n').length > 2)
    await type('\u0004', () => shown().endsWith('\n'))
    expect(await code).toBe(0)
    expect(readFileSync(join(folder, 'state/grantwise/history'), 'utf8')).toBe(
      'can ann vps:apisvc:get web-1\nassume without production\\ guard\ncan ann vps:apisvc:get web-1\n',
    )
  })

  test('Ctrl-C abandons a line, `exit` ends the session, errors do not count', async () => {
    const { out, code, shown, type } = session('--no-history', '--without', 'plain')
    await until(() => shown() !== '')
    expect(shown()).toContain('4 policies, 2 identities, 3 resources in 1 file (world.json); `help` lists the commands\n')
    await type('undo\r', () => out.stderr.includes('there is nothing to undo'))
    await type('assume with -\r', () => out.stderr.includes('standard input holds the lines of the session'))
    out.stderr = ''
    await type('exit', () => shown().includes('exit'))
    await type('\u0003', () => shown().split('grantwise (1)> ').length > 4)
    await type('frob\r', () => out.stderr !== '')
    expect(out.stderr).toBe('grantwise: unknown command `frob`\n  help: `help` lists the commands\n')
    await type('exit\r', () => true)
    expect(await code).toBe(0)
    expect(existsSync(join(folder, 'state'))).toBe(false)
  })

  test('pasted lines are answered one after the other', async () => {
    const { out, code, shown, type } = session('--no-history')
    await type('assume bob in ops\rcan bob vps:apisvc:get web-1\rretract\rcan bob vps:apisvc:get web-1\rexit\r', () => true)
    expect(await code).toBe(0)
    expect(out.stdout.replaceAll(/ · .*/g, '')).toBe('allow\ndeny\n')
    expect(shown()).toContain('grantwise (1)> can bob vps:apisvc:get web-1\n')
  })
})

test('what was typed before the end of the terminal is answered', async () => {
  const { out, code, type } = session('--no-history')
  await type('can ann vps:apisvc:get web-1\rcan bob vps:apisvc:get web-1\r\u0004', () => true)
  expect(await code).toBe(0)
  expect(out.stdout.replaceAll(/ · .*/g, '')).toBe('allow\ndeny\n')
})

describe('completion', () => {
  const complete = async (line: string) => {
    const { io } = ioIn(folder, {})
    const none = { group: [], tag: [], without: [], with: [], member: [], assumeTag: [], ip: undefined, at: undefined, owner: undefined }
    const options = { policies: ['world.json'], formatIn: undefined, root: [], var: [], varFile: [], varEnv: false, ...none }
    const opened = await Session.open(options, io)
    if (!opened) throw new Error('nothing is opened')
    return completions(line, opened, io)
  }

  test.each<[string, readonly string[]]>([
    ['ca', ['call', 'can']],
    ['es', ['escalate ']],
    ['can ', ['group/', 'user/']],
    ['can user/', ['user/ann', 'user/bob']],
    ['can b', ['bob ']],
    ['can urn:v1:eu:identity:user:ab12-svc/b', [`${user('bob')} `]],
    ['can bob vps:apisvc:reb', ['vps:apisvc:reboot', 'vps:apisvc:rebuild']],
    ['can bob vps:apisvc:st', ['vps:apisvc:start', 'vps:apisvc:statistics/', 'vps:apisvc:status/', 'vps:apisvc:stop']],
    ['can bob vps:apisvc:get ', ['dnsZone:', 'vps:']],
    ['can --explain bob vps:apisvc:get web', ['web-1', 'web-2']],
    ['can bob vps:apisvc:get web-1 --for', ['--format', '--format-in']],
    ['can bob vps:apisvc:get web-1 --format c', ['compact ']],
    ['assume without p', ['plain', 'production\\ guard']],
    ["assume without 'pro", ["'production guard' "]],
    ['assume without "pro', ['"production guard" ']],
    ['assume without i', ["it\\'s\\ \\#1 "]],
    ['assume without e', []],
    ['assume bob n', ['not ']],
    ['assume bob not in ', ['ops ']],
    ['assume vps:web-1 tag ', ['env=prod ']],
    ['assume with w', ['world.json ']],
    ['retract ', ['all ']],
    ['help ret', ['retract ']],
    ['frobnicate x', []],
    ['can bob # x', []],
  ])('%j', async (line, expected) => {
    const [found, part] = await complete(line)
    expect(found).toEqual(expected)
    // Each begins with what was typed, as the terminal needs it, and is read as one word.
    for (const each of found) {
      expect(each.startsWith(part)).toBe(true)
      if (each.endsWith(' '))
        expect(wordsOf(line.slice(0, line.length - part.length) + each)).toHaveLength(
          wordsOf(each).length + wordsOf(line.slice(0, line.length - part.length)).length,
        )
    }
  })

  test('lists no more than a screen takes', async () => {
    const resources = Array.from({ length: 300 }, (_, i) => ({ urn: vps(`${i}-machine`) }))
    writeFileSync(join(folder, 'world.json'), JSON.stringify({ ...world, resources }))
    const [found] = await complete('can bob vps:apisvc:get vps:')
    expect(found).toHaveLength(101)
    expect(found.at(-1)).toBe('… 200 more')
  })
})

describe('history', () => {
  const open = (options: { readonly history?: string | boolean } = {}, env: Readonly<Record<string, string>> = {}) => {
    const { io, out } = ioIn(folder, env)
    return { history: openHistory(options, io), out }
  }
  const file = () => join(folder, 'h')

  test('is readable by its owner alone, and comes back the last line first', () => {
    const { history } = open({ history: 'h' })
    for (const line of ['a', ' b ', 'b', '', 'c']) history.add(line)
    expect(readFileSync(file(), 'utf8')).toBe('a\nb\nc\n')
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    chmodSync(file(), 0o644)
    expect(open({ history: 'h' }).history.lines).toEqual(['c', 'b', 'a'])
    expect(statSync(file()).mode & 0o777).toBe(0o600)
  })

  test('is cut where it is long, and offers nothing that acts on a terminal', () => {
    const lines = Array.from({ length: 30_000 }, (_, i) => `line ${i}${i % 2 ? ' \u001b[2J' : ''}`)
    writeFileSync(file(), `${lines.join('\n')}\n`)
    const { history, out } = open({ history: 'h' })
    expect(history.lines).toHaveLength(500)
    expect(history.lines[0]).toBe('line 29998')
    expect(readFileSync(file(), 'utf8').split('\n')).toHaveLength(1001)
    expect(out.stderr).toBe('')
  })

  test.each([
    ['world.json/x', /EEXIST|ENOTDIR/],
    ['.', /not a regular file/],
    ['/dev/null', /not a regular file/],
  ])('%s: one note, and the session goes on', (name, why) => {
    const { history, out } = open({ history: name })
    history.add('a')
    history.add('b')
    expect(history.lines).toEqual([])
    expect(out.stderr.match(/no history is kept/g)).toHaveLength(1)
    expect(out.stderr).toMatch(why)
  })

  test('is in the folder for state, or nowhere', () => {
    open({}, { XDG_STATE_HOME: join(folder, 'x'), HOME: '/nowhere' }).history.add('a')
    expect(readFileSync(join(folder, 'x/grantwise/history'), 'utf8')).toBe('a\n')
    open({}, { XDG_STATE_HOME: 'relative', HOME: folder }).history.add('a')
    expect(readFileSync(join(folder, '.local/state/grantwise/history'), 'utf8')).toBe('a\n')
    for (const none of [open({}, {}), open({ history: false }, { HOME: '/nowhere' })]) {
      none.history.add('a')
      expect(none.out.stderr).toBe('')
    }
  })
})
