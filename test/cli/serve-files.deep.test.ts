import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sqlite from 'node-sqlite3-wasm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRecord } from '../../src/cli/live/record-file.ts'
import { openStateFile } from '../../src/cli/live/state-file.ts'
import { binary } from '../support/scenario.ts'

/** The files that the emulator writes, where something else is in their place. */

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'grantwise-files-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const at = (name: string) => join(folder, name)
const open = (name: string) => openStateFile(at(name), name)

function pipe(name: string): string {
  execFileSync('mkfifo', [at(name)])
  return at(name)
}

/** Where an emulator that was started listens. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    let out = ''
    child.on('exit', (code) => fail(new Error(`ended with ${code}`)))
    child.stdout?.on('data', (piece) => {
      out += piece
      const found = /http:\/\/127\.0\.0\.1:\d+\/eu/.exec(out)?.[0]
      if (found !== undefined) done(found)
    })
  })
}

describe('--state', () => {
  test('is a file: nothing else is opened, waited for or changed', () => {
    mkdirSync(at('folder'))
    symlinkSync(at('nothing'), at('dangling'))
    pipe('state-pipe')
    expect(() => open('folder')).toThrow('a folder, expected a file')
    expect(() => open('state-pipe')).toThrow('a device or a pipe, expected a file')
    expect(() => open('dangling')).toThrow('a link that leads to nothing')
    expect(statSync(at('state-pipe')).mode & 0o777).not.toBe(0o600)
    expect(readdirSync(folder).sort()).toEqual(['dangling', 'folder', 'state-pipe'])
  })

  test('of another program is left as it is', () => {
    const database = new sqlite.Database(at('other.db'))
    database.exec('CREATE TABLE other (a)')
    database.close()
    execFileSync('chmod', ['644', at('other.db')])
    const before = readFileSync(at('other.db'))
    expect(() => open('other.db')).toThrow('a database of another program')
    expect(readFileSync(at('other.db'))).toEqual(before)
    expect(statSync(at('other.db')).mode & 0o777).toBe(0o644)
    expect(existsSync(at('other.db-journal'))).toBe(false)
  })

  test('is one file, whatever links lead to it', () => {
    const store = open('one.db')
    symlinkSync(at('one.db'), at('link.db'))
    mkdirSync(at('real'))
    symlinkSync(at('real'), at('linked'))
    try {
      expect(() => open('link.db')).toThrow(`process ${process.pid} has it`)
    } finally {
      store.close()
    }
    const inLinked = open('linked/two.db')
    try {
      expect(() => open('real/two.db')).toThrow('has it')
    } finally {
      inLinked.close()
    }
    open('link.db').close()
  })

  test('that is damaged is refused with what is wrong', () => {
    const store = open('damaged.db')
    store.commit([{ kind: 'account', key: 'a', value: { id: 'a' } }])
    store.close()
    const write = (value: string) => {
      const database = new sqlite.Database(at('damaged.db'))
      database.run('UPDATE records SET value = ?', [value])
      database.close()
    }
    for (const value of ['{"id":', 'null', '7']) {
      write(value)
      const damaged = open('damaged.db')
      expect(() => [...damaged.load()]).toThrow('--state damaged.db: the file is damaged')
      damaged.close()
    }
  })

  test('that a change could not be written to takes the next one', () => {
    const store = open('refused.db')
    const account = { kind: 'account', key: 'a', value: { id: 'a' } }
    expect(() => store.commit([account, { ...account, key: null as unknown as string }])).toThrow('NOT NULL')
    expect([...store.load()]).toEqual([])
    store.commit([account])
    expect([...store.load()]).toEqual([account])
    store.close()
  })

  test.runIf(existsSync('/proc/self/stat'))('of a process that ended, and whose exit code was not read, is taken over', async () => {
    // The shell starts a child and, before that ends, becomes a program that never asks for its end, and prints its number.
    const parent = spawn('sh', ['-c', 'sleep 1 & echo $!; exec sleep 20'], { stdio: ['ignore', 'pipe', 'ignore'] })
    try {
      const pid = await new Promise<string>((done) => parent.stdout.on('data', (text) => done(String(text).trim())))
      const stat = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      await expect.poll(() => stat()[0]).toBe('Z')
      writeFileSync(at('dead.db.owner'), `${pid} ${stat()[19]}\n`)
      open('dead.db').close()
    } finally {
      parent.kill('SIGKILL')
    }
  })
})

describe('--record', () => {
  test('to a pipe without a reader is refused; one whose reader leaves or sleeps stops nothing', () => {
    const path = pipe('record-pipe')
    expect(() => openRecord(path)).toThrow('ENXIO')
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const record = openRecord(path)
    record.write('first\n')
    let written = 1
    const line = `${'x'.repeat(3000)}\n`
    expect(() => {
      for (; written < 1000; written++) record.write(line)
    }).toThrow('EAGAIN')
    // Who has fallen behind is not waited for again: else this would take longer than a test may.
    for (let i = 0; i < 1000; i++) expect(() => record.write(line)).toThrow('EAGAIN')
    const bytes = Buffer.alloc(2 ** 20)
    let text = ''
    const drain = () => {
      try {
        for (let count = readSync(reader, bytes); count > 0; count = readSync(reader, bytes)) text += bytes.toString('utf8', 0, count)
      } catch (error) {
        expect((error as NodeJS.ErrnoException).code).toBe('EAGAIN')
      }
    }
    drain()
    record.write('again\n')
    drain()
    const lines = text.split('\n')
    expect(lines[0]).toBe('first')
    expect(lines.at(-2)).toBe('again')
    expect(new Set(lines.slice(1, written))).toEqual(new Set([line.trim()]))
    closeSync(reader)
    expect(() => record.write('last\n')).toThrow('EPIPE')
    record.close()
  })

  test('to a file holds whole lines, also where there was no room for one', async () => {
    const identity = 'urn:v1:eu:identity:credential:ab12-svc/oauth2-EU.robot'
    writeFileSync(at('seed.json'), JSON.stringify({ standIn: { serviceAccounts: [{ identity, secret: 'of the tests' }] } }))
    // 4 or 2 KiB, by the shell: a line is written in part, and then nothing is.
    const command = ['sh', process.execPath, binary, 'serve', '--port', '0', '--no-config', '--quiet', '--seed', 'seed.json']
    const child = spawn('sh', ['-c', 'ulimit -f 4; exec "$@"', ...command, '--record', 'full.ndjson'], { cwd: folder })
    try {
      const base = await addressOf(child)
      const form = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'EU.robot',
        client_secret: 'of the tests',
        scope: 'all',
      })
      const answer = await fetch(`${base}/auth/oauth2/token`, { method: 'POST', body: form })
      const { access_token: token } = (await answer.json()) as { access_token: string }
      for (let i = 0; i < 25; i++)
        expect((await fetch(`${base}/v1/vps/vps-${i}`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(403)
    } finally {
      child.kill('SIGKILL')
    }
    const lines = readFileSync(at('full.ndjson'), 'utf8').split('\n')
    expect(lines.pop()).toBe('')
    expect(lines.map((line) => JSON.parse(line).path)).toEqual(lines.map((_, i) => `/v1/vps/vps-${i}`))
    expect(lines.length).toBeGreaterThan(2)
    expect(lines.length).toBeLessThan(25)
  })
})

test.runIf(existsSync('/dev/full'))('calls are answered where standard error cannot be written', async () => {
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [binary, 'serve', '--port', '0', '--no-config'], { cwd: folder, stdio: ['ignore', 'pipe', full] })
  try {
    const base = await addressOf(child)
    expect((await fetch(`${base}/v1/auth/time`)).status).toBe(200)
  } finally {
    child.kill('SIGKILL')
    closeSync(full)
  }
})
