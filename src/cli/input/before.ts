import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'

/** The paths of the state that `--before` names: a file or folder, or what a commit holds of the paths that are given. */
export async function pathsBefore(state: string, paths: readonly string[], io: Io): Promise<readonly string[]> {
  if (state.startsWith('git:') || existsSync(resolve(io.cwd, state))) return [state]
  if (!(await import('./git.ts')).isReference(state, io))
    throw new Refusal(`--before \`${state}\`: no such commit, file or folder`, 'for example `--before origin/main`')
  if (paths.some((path) => path === '-' || path.startsWith('git:')))
    throw new Refusal(`--before \`${state}\`: a commit holds neither standard input nor other commits`, 'name files and folders')
  return paths.length === 0 ? [`git:${state}`] : paths.map((path) => `git:${state}:${path}`)
}
