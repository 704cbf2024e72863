import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { hookText } from '../../src/cli/commands/init.ts'
import { root, run } from './run.ts'

/** pre-commit installs the packed package, from the repository of hooks and from what `init` prints, where it is installed. */

const tarball = inject('tarball')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const isThere = (() => {
  try {
    return run('pre-commit', ['--version'], root).status === 0
  } catch {
    return false
  }
})()

function git(folder: string, ...args: string[]): void {
  const { status, stderr } = run('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], folder)
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
}

/** A repository with one policy that has a finding. */
function project(config: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-mirror-'))
  git(folder, 'init', '--quiet')
  cpSync(join(root, 'examples/mistakes/misspelt-field.yaml'), join(folder, 'policy.yaml'))
  writeFileSync(join(folder, '.pre-commit-config.yaml'), config)
  git(folder, 'add', '.')
  return folder
}

/** The hooks, with the packed package in the place of the one of the registry. */
const packed = (text: string) => text.replaceAll(`"grantwise@${version}"`, JSON.stringify(tarball))

/** The repository of hooks. */
function mirror(): string {
  const scratch = mkdtempSync(join(tmpdir(), 'grantwise-mirror-'))
  const archives = join(scratch, 'archives')
  mkdirSync(archives)
  for (const platform of ['linux-arm64', 'linux-x64', 'macos-arm64', 'macos-x64'])
    writeFileSync(join(archives, `grantwise-${platform}.tar.gz`), '')
  writeFileSync(join(archives, 'grantwise-windows-x64.zip'), '')
  expect(run(process.execPath, [join(root, 'scripts/recipes.mjs'), archives, scratch], root)).toMatchObject({ status: 0 })
  const folder = join(scratch, 'pre-commit')
  const manifest = join(folder, '.pre-commit-hooks.yaml')
  writeFileSync(manifest, packed(readFileSync(manifest, 'utf8')))
  git(folder, 'init', '--quiet')
  git(folder, 'add', '.')
  git(folder, 'commit', '--quiet', '--message', 'a release')
  git(folder, 'tag', `v${version}`)
  return folder
}

test.skipIf(!isThere).each([
  ['the repository of hooks', () => `repos: [{ repo: "file://${mirror()}", rev: v${version}, hooks: [{ id: grantwise }] }]\n`],
  ['what `init --hook pre-commit` prints without a package.json', () => packed(hookText('pre-commit', false))],
])('%s', (_, config) => {
  const folder = project(config())
  const { status, stdout } = run('pre-commit', ['run', '--color=never'], folder, { PRE_COMMIT_HOME: join(folder, '.git/pre-commit') })
  expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringContaining('unknown field `denny`') })
})
