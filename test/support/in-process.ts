import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Io } from '../../src/cli/app/io.ts'
import { main } from '../../src/cli/main.ts'
import { guardOutput } from '../../src/report/safe.ts'

/** The streams of a run of the program within this process, and what it writes to them. */
export function ioIn(cwd: string, env: Io['env'], interrupted?: Promise<void>) {
  const out = { stdout: '', stderr: '' }
  const sink = (name: 'stdout' | 'stderr'): Io['stdout'] => ({
    write(text, care = guardOutput) {
      out[name] += care(text)
      return true
    },
    isTerminal: () => false,
  })
  const io: Io = {
    stdin: async function* () {},
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    env,
    cwd,
    now: Date.now,
    ...(interrupted && { interrupted: () => interrupted }),
  }
  return { io, out }
}

/** Run a command line in this process, as `runBinary` runs it in one of its own. */
export async function mainIn(args: readonly string[], cwd: string, env: Io['env'] = {}, input?: string) {
  const { io, out } = ioIn(cwd, env)
  const stdin = async function* () {
    if (input !== undefined) yield readFileSync(join(cwd, input))
  }
  const exit: number = await main(args, { ...io, stdin })
  return { ...out, exit }
}

/** The same with what it writes as one text, in order, as on a terminal. */
export async function mainTogether(args: readonly string[], cwd: string, env: Io['env']) {
  const { io, out } = ioIn(cwd, env)
  const status: number = await main(args, { ...io, stderr: io.stdout })
  return { output: out.stdout, status }
}

/** Serve in a folder while something is done. */
export async function servingIn<T>(cwd: string, options: readonly string[], run: (url: string) => Promise<T>): Promise<T> {
  let end = () => {}
  const { io, out } = ioIn(cwd, {}, new Promise<void>((done) => (end = done)))
  const ended = main(['serve', '--port', '0', '--quiet', ...options], io)
  let isOver = false
  void ended.then(() => (isOver = true))
  let url: string | undefined
  while (url === undefined && !isOver) {
    await new Promise((done) => setTimeout(done, 5))
    url = /http:\/\/127\.0\.0\.1:\d+/.exec(out.stdout)?.[0]
  }
  if (url === undefined) throw new Error(`nothing is served: ${out.stderr}`)
  try {
    return await run(`${url}/eu`)
  } finally {
    end()
    expect(await ended).toBe(0)
  }
}
