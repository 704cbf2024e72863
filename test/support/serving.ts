import { type ChildProcess, spawn } from 'node:child_process'
import { binary } from './scenario.ts'

/** An emulator that was started as users start it. */
export interface Running {
  readonly port: number
  readonly process: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  /** The code, or the signal, that it ends with. */
  readonly ended: Promise<number | string>
}

const running = new Set<ChildProcess>()

/** Start `serve` in a folder, on a free port, and wait until it listens. */
export function serving(folder: string, ...options: readonly string[]): Promise<Running> {
  return started(folder, process.execPath, [binary, 'serve', '--port', '0', '--no-config', ...options])
}

/** The same, where no file may grow beyond so many KiB, as on a full disk. */
export function servingWithin(folder: string, kibibytes: number, ...options: readonly string[]): Promise<Running> {
  const script = `ulimit -f ${kibibytes}; exec "$@"`
  return started(folder, 'bash', ['-c', script, 'bash', process.execPath, binary, 'serve', '--port', '0', '--no-config', ...options])
}

function started(folder: string, program: string, args: readonly string[]): Promise<Running> {
  const child = spawn(program, args, { cwd: folder, stdio: 'pipe' })
  running.add(child)
  let out = ''
  let err = ''
  const ended = new Promise<number | string>((done) => child.on('exit', (code, signal) => done(code ?? signal ?? '')))
  void ended.then(() => running.delete(child))
  child.stderr.on('data', (piece) => {
    err += piece
  })
  return new Promise((done, fail) => {
    void ended.then((code) => fail(new Error(`ended with ${code}: ${err}`)))
    child.stdout.on('data', (piece) => {
      out += piece
      const port = /https?:\/\/(?:127\.0\.0\.1|0\.0\.0\.0):(\d+)/.exec(out)?.[1]
      if (port !== undefined && out.includes('Try:'))
        done({ port: Number(port), process: child, stdout: () => out, stderr: () => err, ended })
    })
  })
}

/** End what is still running, whatever it does. */
export function endAll(): void {
  for (const child of running) child.kill('SIGKILL')
}
