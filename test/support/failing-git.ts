import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A search path whose git, written to a folder, fails where an argument is `argument`. */
export function failingGit(folder: string, argument: string, status: number): string {
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const lines = ['#!/bin/sh', `for each; do if [ "$each" = ${argument} ]; then exit ${status}; fi; done`, `exec ${git} "$@"`, '']
  writeFileSync(join(folder, 'git'), lines.join('\n'), { mode: 0o755 })
  return [folder, process.env.PATH].join(delimiter)
}
