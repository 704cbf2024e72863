// Plants each fault of test/faults/faults.mjs in turn and demands that a test notices it: node scripts/faults.mjs [--share N | ID…]
// With `--share`, one fault in N, others at each commit. Prints which test noticed it, and writes figures/faults.json after all. Fails where a fault is not noticed, or only by a test that timed out, or is not where it is said to be.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { faults, misplaced } from '../test/faults/faults.mjs'
import { outcomeOf } from '../test/faults/outcome.mjs'
import { turnOf } from './turn.mjs'

const root = join(import.meta.dirname, '..')
const asked = process.argv.slice(2)
const chosen =
  asked.length === 0 ? faults : asked[0] === '--share' ? turnOf(faults, Number(asked[1])) : faults.filter(({ id }) => asked.includes(id))

/** How long the tests of a fault may run, in milliseconds: longer than one test waits. A loop without an end stops the runner as well. */
const longestRun = 40 * 60_000

/**
 * The result of the tests with a fault planted. A run that ends at its first failed test may write a report without that test, where tests
 * run next to each other: it then has failed and says nothing failed. All tests of the fault are run once more.
 */
async function planted(fault) {
  const first = await tried(fault, [])
  return first.hasFailed && first.isSilent ? tried(fault, ['--bail=0']) : first
}

/** One run of these tests, with further arguments for vitest. */
function tried({ id, tests }, args) {
  return new Promise((done) => {
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--mode', 'faults', '--reporter=json', ...args, ...tests]
    const child = spawn(process.execPath, vitest, {
      cwd: root,
      env: { ...process.env, GRANTWISE_FAULT: id },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: longestRun,
    })
    let [out, errors] = ['', '']
    child.stdout.on('data', (text) => {
      out += text
    })
    child.stderr.on('data', (text) => {
      errors += text
    })
    child.on('close', (status, signal) => {
      if (signal) return done({ why: `the tests did not end, and were stopped by ${signal}` })
      try {
        done({ hasFailed: status !== 0, ...outcomeOf(JSON.parse(out.slice(out.indexOf('{')))) })
      } catch {
        done({ why: `the tests could not be run: ${errors.slice(0, 400)}` })
      }
    })
  })
}

const missed = []
const queue = [...chosen]
const start = performance.now()
async function work() {
  for (let fault = queue.shift(); fault; fault = queue.shift()) {
    const from = performance.now()
    const why = misplaced(fault)
    const result = why ? { why } : await planted(fault)
    const seconds = ((performance.now() - from) / 1000).toFixed(1)
    console.log(`${result.caught ? 'caught' : 'MISSED'}  ${fault.id.padEnd(26)} ${seconds.padStart(5)} s  ${result.caught ?? result.why}`)
    if (!result.caught) missed.push(fault.id)
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work))
const caught = chosen.length - missed.length
console.log(`\n${caught} of ${chosen.length} faults caught, in ${Math.round((performance.now() - start) / 1000)} s`)
if (asked.length === 0) {
  mkdirSync(join(root, 'figures'), { recursive: true })
  const figures = {
    claim: 'semantic faults, each noticed by a test',
    wanted: faults.length,
    reached: caught,
    command: 'npm run test:faults',
    at: new Date().toISOString().slice(0, 10),
  }
  writeFileSync(join(root, 'figures/faults.json'), `${JSON.stringify(figures, null, 2)}\n`)
}
if (missed.length > 0) {
  console.error(`not caught: ${missed.join(', ')}`)
  process.exit(1)
}
