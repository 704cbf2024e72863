import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/**
 * Build a program of Go from the packages of Debian; whether that went well. What is compiled is kept in the checkout: the standard
 * library and that of HCL take half a minute of CPU time, and each program here needs both.
 */
export function goBuild(source, program) {
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: join(root, 'node_modules/.cache/go') }
  return spawnSync('go', ['build', '-o', program, source], { env, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0
}
