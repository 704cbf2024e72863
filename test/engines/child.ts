import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** A program that ends when its input does, which is also when the test does: none is left behind. */
export interface Child {
  readonly write: (line: string) => void
  /** The next line that it prints; an error where it has ended without one. */
  readonly line: () => Promise<string>
  /** End its input, and wait until it has ended. */
  readonly close: () => Promise<void>
}

export function start(program: string, args: readonly string[], user: { readonly uid?: number; readonly gid?: number } = {}): Child {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'], ...user })
  // All lines are taken as they come: a program whose output is not read would stop.
  const lines: (string | undefined)[] = []
  const waiting: ((line: string | undefined) => void)[] = []
  const put = (line: string | undefined) => {
    const first = waiting.shift()
    if (first) first(line)
    else lines.push(line)
  }
  createInterface({ input: child.stdout }).on('line', put)
  const ended = new Promise<void>((done) => {
    child.on('error', () => done())
    child.on('close', () => done())
  })
  void ended.then(() => put(undefined))
  // To a program that has ended nothing can be written; that shows in the line that is then missing.
  child.stdin.on('error', () => {})
  return {
    write: (line) => child.stdin.write(`${line}\n`),
    line: async () => {
      const line = lines.length > 0 ? lines.shift() : await new Promise<string | undefined>((done) => waiting.push(done))
      if (line === undefined) throw new Error(`it has ended: ${program} ${args.join(' ')}`)
      return line
    },
    close: async () => {
      child.stdin.end()
      await ended
    },
  }
}

/** The forms of a line, of which the first that matches counts. */
export async function awaited(child: Child, pattern: RegExp): Promise<string> {
  for (;;) {
    const [, found] = pattern.exec(await child.line()) ?? []
    if (found !== undefined) return found
  }
}
