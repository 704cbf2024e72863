import { fork } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** How long a process may be silent beyond the time that its tests may take, in milliseconds. */
const silence = 15_000

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
    await this.answer(60_000)
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

  /** What every test reaches: { tests, leftOut, loaded }. */
  async measure(tests, longest) {
    const measured = await this.ask({ measure: tests, longest }, 600_000)
    if (!measured) throw new Error('the tests did not end')
    return measured
  }

  /** What becomes of a mutant: { by, test } when a test fails, { by } when the process is lost, { cut } when time runs out, else {}. */
  async hunt(mutant, tests, budget) {
    return (await this.ask({ mutant, tests, budget }, silence + budget)) ?? { by: 'no answer' }
  }

  /** Whether these tests still pass with no mutant: else an earlier one left something behind. */
  async isClean(tests) {
    return (await this.ask({ check: tests }, silence * 2))?.clean === true
  }
}
