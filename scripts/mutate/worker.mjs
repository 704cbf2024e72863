/**
 * A process that runs tests with one mutant switched on. Messages in: `{ measure: tests }` runs all tests without a mutant and
 * answers what each one reaches; `{ mutant, tests, budget }` runs those until one fails. A test is a pair of a file and a number.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { collect, runTest } from './vitest.mjs'

const [folder, count] = process.argv.slice(2)
let active = -1
let fuel = 0
const hits = new Uint32Array(Number(count))

globalThis.$m = (id) => {
  hits[id]++
  if (id !== active) return false
  if (--fuel < 0) throw new Error('endless')
  return true
}

/** What one test does with no mutant, in the number of times a mutated place may be asked. */
const plenty = 3_000_000
const files = new Map()

await import(pathToFileURL(join(folder, 'test/support/seed.mjs')).href)
// What fails is not made smaller: nobody reads it.
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

async function timed(test, mutant) {
  const start = performance.now()
  active = mutant
  fuel = plenty
  const failure = await runTest(test)
  active = -1
  return { failure, ms: performance.now() - start }
}

const reachedNow = () => [...hits.keys()].filter((id) => hits[id] > 0)

async function measure(names, longest) {
  const tests = []
  const leftOut = []
  const loaded = new Set()
  for (const file of names) {
    let found
    hits.fill(0)
    try {
      found = await testsOf(file)
    } catch (error) {
      leftOut.push(`${file}: ${firstLine(error)}`)
      continue
    }
    for (const id of reachedNow()) loaded.add(id)
    for (const [index, test] of found.entries()) {
      hits.fill(0)
      const { failure, ms } = await timed(test, -1)
      const reached = reachedNow()
      if (failure || ms > longest) leftOut.push(`${file}: ${test.name}: ${failure ? firstLine(failure) : `${Math.round(ms)} ms`}`)
      else if (reached.length > 0) tests.push({ file, index, name: test.name, ms, reached })
    }
  }
  return { tests, leftOut, loaded: [...loaded] }
}

async function hunt({ mutant, tests, budget }) {
  const end = performance.now() + budget
  for (const [file, index] of tests) {
    const test = (await testsOf(file))[index]
    const { failure } = await timed(test, mutant)
    // What a mutant left behind in memory must not count against the next one.
    if (failure)
      return {
        mutant,
        by: `${file}: ${test.name}`,
        test: [file, index],
        dirty: (await timed(test, -1)).failure !== undefined,
        why: firstLine(failure),
      }
    if (performance.now() > end) return { mutant, cut: true }
  }
  return { mutant }
}

const firstLine = (error) =>
  String(error?.message ?? error)
    .split('\n')[0]
    .slice(0, 160)

process.on('unhandledRejection', () => {})
process.on('uncaughtException', () => {})
process.on('message', async (message) => {
  process.send(message.measure ? await measure(message.measure, message.longest) : await hunt(message))
})
process.send({ ready: true })
