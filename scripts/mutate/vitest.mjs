/**
 * The module that the tests import as `vitest`, so that one process can run one test many times: suites and hooks as vitest has them, and
 * its own `expect`. What is missing makes a test fail before anything is mutated, and such a test is left out.
 */

import { format } from 'node:util'
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  customMatchers,
  GLOBAL_EXPECT,
  getState,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from '@vitest/expect'
import * as chai from 'chai'

chai.use(JestExtend)
chai.use(JestChaiExpect)
chai.use(JestAsymmetricMatchers)

export const expect = Object.assign((value, message) => chai.expect(value, message), chai.expect, {
  getState: () => getState(expect),
  setState: (state) => setState(state, expect),
  extend: (matchers) => chai.expect.extend(expect, matchers),
  fail: (message) => chai.assert.fail(message ?? 'expect.fail'),
  unreachable: (message) => chai.assert.fail(`unreachable: ${message ?? ''}`),
  soft: (value, message) => expect(value, message),
  async poll() {
    throw new Error('expect.poll is not supported')
  },
})
globalThis[GLOBAL_EXPECT] = expect
globalThis[ASYMMETRIC_MATCHERS_OBJECT] ??= {}
setState({ assertionCalls: 0, isExpectingAssertions: false }, expect)
expect.extend(customMatchers)

/** @returns an empty suite */
const suite = (name, parent) => ({ name, parent, beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] })

let current = suite('')
let tests = []

/** Starts the collection of another file: what it declares from now on is in the returned list. */
export function collect() {
  current = suite('')
  tests = []
  return tests
}

function declareTest(name, ...rest) {
  const run = rest.find((part) => typeof part === 'function')
  if (run) tests.push({ name: titleOf(current, String(name)), suite: current, run })
}

function declareSuite(name, ...rest) {
  const declare = rest.find((part) => typeof part === 'function')
  if (!declare) return
  current = suite(String(name), current)
  declare()
  current = current.parent
}

const titleOf = (inner, name) => (inner.parent ? titleOf(inner.parent, `${inner.name} > ${name}`) : name)

function withWays(declare) {
  const none = () => {}
  const each =
    (cases) =>
    (name, ...rest) => {
      const run = rest.find((part) => typeof part === 'function')
      for (const one of cases) declare(named(name, one), () => (Array.isArray(one) ? run(...one) : run(one)))
    }
  const for_ = (cases) => (name, run) => {
    for (const one of cases) declare(named(name, one), () => run(one))
  }
  return Object.assign(declare, {
    each,
    for: for_,
    concurrent: declare,
    sequential: declare,
    skip: none,
    todo: none,
    runIf: (does) => (does ? declare : none),
    skipIf: (does) => (does ? none : declare),
  })
}

function named(name, one) {
  const filled = String(name).replace(/\$(\w+)/g, (whole, field) =>
    one !== null && typeof one === 'object' && field in one ? String(one[field]) : whole,
  )
  const values = Array.isArray(one) ? one : [one]
  const places = filled.match(/%[sdifjo]/g)?.length ?? 0
  return places > 0 ? format(filled, ...values.slice(0, places).map((value) => (typeof value === 'function' ? value.name : value))) : filled
}

export const test = withWays((...parts) => declareTest(...parts))
export const it = test
export const describe = withWays((...parts) => declareSuite(...parts))
export const beforeAll = (hook) => void current.beforeAll.push(hook)
export const afterAll = (hook) => void current.afterAll.push(hook)
export const beforeEach = (hook) => void current.beforeEach.push(hook)
export const afterEach = (hook) => void current.afterEach.push(hook)
export const inject = () => undefined
/** No counts of cases are kept here. */
export const TestRunner = { getCurrentTest: () => undefined }

let finished = []
export const onTestFinished = (hook) => void finished.push(hook)

/** Runs one test with the hooks of all suites around it. @returns what it threw, else undefined */
export async function runTest({ suite: inner, run, name }) {
  const around = []
  for (let at = inner; at; at = at.parent) around.unshift(at)
  const inside = around.toReversed()
  const after = []
  finished = []
  let failure
  setState({ assertionCalls: 0, isExpectingAssertions: false, currentTestName: name }, expect)
  try {
    for (const { beforeAll } of around)
      for (const hook of beforeAll) {
        const undo = await hook()
        if (typeof undo === 'function') after.push(undo)
      }
    for (const { beforeEach } of around) for (const hook of beforeEach) await hook()
    await run({ expect, task: { name }, onTestFinished })
  } catch (error) {
    failure = error ?? new Error('failed')
  }
  const hooks = [...finished, ...inside.flatMap((at) => at.afterEach), ...inside.flatMap((at) => at.afterAll), ...after]
  for (const hook of hooks) {
    try {
      await hook()
    } catch (error) {
      failure ??= error
    }
  }
  return failure
}
