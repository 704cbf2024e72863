/**
 * Makes the repository of a case (README.md): `base` committed on the branch `main`, then `change` on the branch `change`, which
 * stays checked out. It needs nothing but Node, git and a POSIX shell.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Git without the settings of this machine and its user, with an author and a date of its own. */
export const gitEnvironment = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'someone',
  GIT_AUTHOR_EMAIL: 'someone@example.org',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'someone',
  GIT_COMMITTER_EMAIL: 'someone@example.org',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
}

/** Make the repository in a folder, which must be empty. */
export function makeRepository({ base = {}, change = {}, after_base = [], after_change = [] }, folder) {
  write(base, folder)
  run(['git init -q --template= -b main', ...commit(base, 'base'), 'git checkout -q -b change', ...after_base], folder)
  write(change, folder)
  run([...commit(change, 'change'), ...after_change], folder)
}

/** Files that are ignored are committed as well: a change can add them with `git add --force`. */
function commit(files, message) {
  const modules = Object.entries(files).filter(([, content]) => content?.commit !== undefined)
  const named = modules.map(([path, { commit }]) => `git update-index --add --cacheinfo ${quoted(`160000,${commit},${path}`)}`)
  return ['git add --all --force', ...named, `git commit -q --allow-empty -m ${message}`]
}

function write(files, folder) {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    rmSync(path, { recursive: true, force: true })
    if (content === null) continue
    mkdirSync(dirname(path), { recursive: true })
    if (typeof content === 'string') writeFileSync(path, content)
    else if (content.link !== undefined) symlinkSync(content.link, path)
    else if (content.commit !== undefined) mkdirSync(path)
    else if (content.base64 !== undefined) writeFileSync(path, Buffer.from(content.base64, 'base64'))
    else writeFileSync(path, content.text, { mode: Number.parseInt(content.mode, 8) })
  }
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`

function run(lines, folder) {
  const { status, stderr, error } = spawnSync('sh', ['-ec', lines.join('\n')], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...gitEnvironment },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the repository cannot be made: ${error?.message ?? stderr}`)
}
