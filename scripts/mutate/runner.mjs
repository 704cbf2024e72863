import { fork } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * How long a process may be silent, in milliseconds. Endless mutants are found by their steps; this is for what counts none, and
 * no slow machine reaches it.
 */
const silence = 300_000

/** A process that runs tests (worker.mjs); it is started again when it is lost. */
export class Runner {
  constructor(folder, count) {
    this.arguments = [folder, String(count)]
  }

  async start() {
    this.stop()
    this.process = fork(join(root, 'scripts/mutate/worker.mjs'), this.arguments, {
      cwd: root,
      execArgv: ['--max-old-space-size=1500'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    await this.answer(silence)
  }

  stop() {
    this.process?.removeAllListeners()
    this.process?.kill('SIGKILL')
    this.process = undefined
  }

  /** The next message, or undefined when the process ends or says nothing for so long. */
  answer(ms) {
    return new Promise((resolve) => {
      const { process } = this
      const done = (message) => {
        clearTimeout(timer)
        process.removeAllListeners()
        resolve(message)
      }
      const timer = setTimeout(done, ms)
      process.once('message', done)
      process.once('exit', () => done())
    })
  }

  async ask(message, ms) {
    if (!this.process) await this.start()
    const answer = this.answer(ms)
    this.process.send(message)
    const given = await answer
    if (!given) this.stop()
    if (given?.failed) throw new Error(given.failed)
    return given
  }

  /** The mutants that every test reaches: { tests, leftOut, loaded }. */
  async measure(tests, slow) {
    const measured = await this.ask({ measure: tests, slow }, 6 * silence)
    if (!measured) throw new Error('the tests did not end')
    return measured
  }

  /** The fate of a mutant: { by, test } when a test fails, { by } when the process is lost, else {}. */
  async hunt(mutant, tests) {
    return (await this.ask({ mutant, tests }, silence)) ?? { by: 'no answer' }
  }

  /** Whether these tests still pass with no mutant: else an earlier one left something behind. */
  async isClean(tests) {
    return (await this.ask({ check: tests }, silence))?.clean === true
  }
}
