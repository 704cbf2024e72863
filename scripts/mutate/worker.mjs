/**
 * A process that runs tests with one mutant switched on. Messages in: `{ measure: tests }` runs all tests without a mutant and
 * answers what each one reaches; `{ mutant, tests }` runs those until one fails; `{ check: tests }` answers whether all
 * pass without a mutant. A test is a file, a number, and how many mutated places it asks.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { collect, runTest } from './vitest.mjs'

const [folder, count] = process.argv.slice(2)
let active = -1
let steps = 0
let most = Number.POSITIVE_INFINITY
const hits = new Uint32Array(Number(count))

globalThis.$m = (id) => {
  hits[id]++
  if (++steps > most) throw new Error('endless')
  return id === active
}

/** How often all mutated places may be asked by a test that asks so often with no mutant. */
const plenty = (usual) => 10 * usual + 100_000
const files = new Map()

await import(pathToFileURL(join(folder, 'test/support/seed.mjs')).href)
// A failing case is not made smaller: it is not read.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true })

/** The tests of a file, loaded once. */
async function testsOf(file) {
  if (!files.has(file)) {
    const found = collect()
    await import(pathToFileURL(join(folder, file.replace(/\.ts$/, '.mjs'))).href)
    files.set(file, found)
  }
  return files.get(file)
}

/** Only the time of this process: another one next to it must not change the result. */
const spent = (since) => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

async function timed(test, mutant) {
  const start = process.cpuUsage()
  active = mutant
  steps = 0
  most = mutant < 0 ? Number.POSITIVE_INFINITY : plenty(test.usual)
  const failure = await runTest(test)
  active = -1
  most = Number.POSITIVE_INFINITY
  return { failure, ms: spent(start) }
}

const reachedNow = () => [...hits.keys()].filter((id) => hits[id] > 0)

async function measure(names, slow) {
  const tests = []
  const leftOut = []
  const loaded = new Set()
  for (const file of names) {
    hits.fill(0)
    const found = await testsOf(file)
    for (const id of reachedNow()) loaded.add(id)
    for (const [index, test] of found.entries()) {
      const key = `${file}: ${test.name}`
      if (slow.includes(key)) continue
      hits.fill(0)
      const { failure, ms } = await timed(test, -1)
      const reached = reachedNow()
      if (failure) leftOut.push(`${key}: ${firstLine(failure)}`)
      else if (reached.length > 0) tests.push({ key, file, index, name: test.name, ms, usual: steps, reached })
    }
  }
  return { tests, leftOut, loaded: [...loaded] }
}

async function hunt({ mutant, tests }) {
  for (const [file, index, usual] of tests) {
    const test = (await testsOf(file))[index]
    const { failure } = await timed({ ...test, usual }, mutant)
    if (failure) return { by: `${file}: ${test.name}`, test: [file, index], why: firstLine(failure) }
  }
  return {}
}

async function check(tests) {
  for (const [file, index] of tests) if ((await timed((await testsOf(file))[index], -1)).failure) return { clean: false }
  return { clean: true }
}

const firstLine = (error) =>
  String(error?.message ?? error)
    .split('\n')[0]
    .slice(0, 160)

process.on('unhandledRejection', () => {})
process.on('uncaughtException', () => {})
process.on('message', async (message) => {
  try {
    if (message.measure) process.send(await measure(message.measure, message.slow))
    else process.send(message.check ? await check(message.check) : await hunt(message))
  } catch (error) {
    // A file of tests that cannot be loaded: without it the result would be another one.
    process.send({ failed: firstLine(error) })
  }
})
process.send({ ready: true })
