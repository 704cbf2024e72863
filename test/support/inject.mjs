// Loaded before the program: counts the calls that it makes of the system, or makes one of them fail.
// GRANTWISE_INJECT is JSON: `{ "log": FILE }` writes the calls there, a line each; `{ "at": N, "code": CODE }` makes the call
// with that number (from 0) fail, `{ "name": NAME, "code": CODE }` the first of that name; with the code `SHORT` a read or write does
// a part of what it was asked for, and with `ENDED` a thread ends when it is asked something. With
// `inThreads`, the calls of threads are counted, without it those of the main one. With `signal`, a byte is written to that
// descriptor when a call has failed.
import childProcess from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import workers from 'node:worker_threads'

const given = JSON.parse(process.env.GRANTWISE_INJECT)
const { log, at, name: chosen, code } = workers.isMainThread === (given.inThreads !== true) ? given : {}
const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
/** The program itself is loaded by the same calls. */
const isOwn = (path) => ['bin/', 'dist/', 'node_modules/', 'package.json'].some((name) => String(path).startsWith(join(root, name)))
const original = { ...fs }
const opened = new Map()
const record = log === undefined ? undefined : original.openSync(log, 'a')
let calls = 0
let isDone = false

/** Whether the call that is made now is to fail. */
function isChosen(name, path) {
  const number = calls++
  if (record !== undefined) original.writeSync(record, `${JSON.stringify([name, String(path)])}\n`)
  if (name !== chosen || isDone) return note(number === at)
  isDone = true
  return note(true)
}

/** Note that the chosen call is made. What it would have said may be lost, so that this file reports it to the test that waits for it. */
function note(isFailing) {
  if (isFailing && given.signal !== undefined) original.writeSync(given.signal, '!')
  return isFailing
}

function failure(name, path) {
  const error = new Error(`${code}: injected, ${name} '${path}'`)
  return Object.assign(error, { code, syscall: name, errno: -1, path })
}

const named = [
  'openSync',
  'readFileSync',
  'writeFileSync',
  'renameSync',
  'rmSync',
  'unlinkSync',
  'mkdirSync',
  'mkdtempSync',
  'lstatSync',
  'statSync',
  'readdirSync',
  'realpathSync',
  'accessSync',
  'linkSync',
  'copyFileSync',
  'appendFileSync',
  'truncateSync',
  'chmodSync',
  'utimesSync',
]
const byNumber = [
  'readSync',
  'writeSync',
  'fstatSync',
  'closeSync',
  'fsyncSync',
  'fdatasyncSync',
  'fchmodSync',
  'ftruncateSync',
  'futimesSync',
]

// Tests ask a program to end until it does: it ends by its own hand, not by a signal that comes too early.
if (workers.isMainThread) process.on('SIGTERM', () => {})

// The same instant in every run, and nothing takes any time.
Date.now = () => Date.UTC(2026, 10, 20)
performance.now = () => 0

for (const name of named)
  fs[name] = Object.assign((path, ...more) => {
    if (isOwn(path)) return original[name](path, ...more)
    // A file that is already open is reported by its number.
    const shown = typeof path === 'number' ? (opened.get(path) ?? path) : path
    if (isChosen(name, shown)) {
      if (code !== 'SHORT') throw failure(name, shown)
      if (name === 'writeFileSync') {
        const text = String(more[0])
        original[name](path, text.slice(0, Math.floor(text.length / 2)), ...more.slice(1))
        throw Object.assign(failure(name, shown), { code: 'ENOSPC' })
      }
    }
    const result = original[name](path, ...more)
    if (name === 'openSync') opened.set(result, path)
    return result
  }, original[name])

fs.watch = (path, ...more) => {
  if (isChosen('watch', path)) throw failure('watch', path)
  return original.watch(path, ...more)
}

for (const name of byNumber)
  fs[name] = (fd, ...more) => {
    const path = opened.get(fd) ?? fd
    if (isOwn(path)) return original[name](fd, ...more)
    if (isChosen(name, path)) {
      if (code !== 'SHORT') {
        // A failing close has closed all the same.
        if (name === 'closeSync') original.closeSync(fd)
        throw failure(name, path)
      }
      const [buffer, offset = 0, length = buffer.length - offset, position = null] = more
      if (name === 'readSync' || name === 'writeSync') return original[name](fd, buffer, offset, Math.min(length, 10), position)
    }
    return original[name](fd, ...more)
  }

for (const name of ['spawnSync', 'spawn', 'execFileSync', 'execFile']) {
  const own = childProcess[name]
  childProcess[name] = (file, ...more) => {
    if (!isChosen(name, file)) return own(file, ...more)
    if (name !== 'spawnSync') throw failure(name, file)
    const none = { pid: 0, output: [], stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), signal: null }
    if (code === 'SIGKILL') return { ...none, status: null, signal: code }
    if (code !== 'SHORT') return { ...none, status: null, error: failure(name, file) }
    const { stdout, ...result } = own(file, ...more)
    return { ...result, stdout: stdout.subarray(0, Math.floor(stdout.length / 2)), status: 128 }
  }
}

const { Worker } = workers
workers.Worker = class extends Worker {
  constructor(...given) {
    const isLost = isChosen('Worker', given[0])
    if (isLost && code !== 'ENDED') throw failure('Worker', given[0])
    super(...given)
    if (isLost) this.postMessage = () => void this.terminate()
  }
}

const { listen } = net.Server.prototype
net.Server.prototype.listen = function (...given) {
  if (!isChosen('listen', '')) return listen.apply(this, given)
  process.nextTick(() => this.emit('error', failure('listen', '')))
  return this
}

syncBuiltinESMExports()
