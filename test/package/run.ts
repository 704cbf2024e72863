import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

export interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Run a program to its end. `env` is added to that of this process. */
export function run(program: string, args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): Ran {
  const settings = {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 28,
    shell: program === 'npm' && process.platform === 'win32',
  }
  const { status, stdout, stderr, error } = spawnSync(program, args, { ...settings, encoding: 'utf8' })
  if (error) throw error
  return { status, stdout, stderr }
}
