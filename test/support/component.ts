import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseAllDocuments } from 'yaml'

const root = resolve(import.meta.dirname, '../..')

/** The scripts of the pipelines as a server holds them, with the program as it is built in the place of the bundle. */
export function scripts(folder: string): string {
  cpSync(join(root, 'integrations'), join(folder, 'integrations'), { recursive: true, filter: (path) => !path.endsWith('grantwise.cjs') })
  cpSync(join(root, 'action.yml'), join(folder, 'action.yml'))
  mkdirSync(join(folder, 'integrations/action'), { recursive: true })
  writeFileSync(
    join(folder, 'integrations/action/grantwise.cjs'),
    `process.argv[1] = ${JSON.stringify(join(root, 'bin/grantwise.js'))}\nrequire(process.argv[1])\n`,
  )
  return folder
}

/** A repository that holds them, as a component is fetched from. */
export function component(folder: string): Readonly<Record<'source' | 'ref', string>> {
  scripts(folder)
  const git = (...args: string[]) => spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: folder })
  git('init', '-q')
  git('add', '--force', '.')
  git('commit', '-qm', 'a release')
  git('tag', 'v9.9.9')
  return { source: `file://${folder}`, ref: 'v9.9.9' }
}

interface Job {
  readonly script: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  readonly artifacts: { readonly paths: readonly string[]; readonly reports: Readonly<Record<'codequality' | 'junit', string>> }
}

/** The job of a template of GitLab, with its inputs filled in: what it runs, its variables and what it keeps. */
export function jobOf(text: string, inputs: Readonly<Record<string, string>> = {}) {
  type Part = Record<string, Job> & { spec?: { inputs: Record<string, { default: unknown }> } }
  const parts = parseAllDocuments(text).map((each) => each.toJS() as Part)
  const defaults = Object.entries(parts[0]?.spec?.inputs ?? {}).map(([name, input]) => [name, String(input.default)])
  const values: Record<string, string> = { ...Object.fromEntries(defaults), ...inputs }
  const [{ script, variables, artifacts }] = Object.values(parts.at(-1) ?? {}) as [Job]
  const fill = (value: string) => value.replace(/\$\[\[ inputs\.([a-z-]+) \]\]/g, (_, input: string) => values[input] ?? '')
  const filled = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, fill(value)]))
  return { script: script.join('\n'), variables: filled, artifacts }
}

/** A folder for PATH with an `npm` that installs this package from where it is. */
export function npmFrom(folder: string): string {
  const npm = join(folder, 'npm')
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    npm,
    `#!/bin/sh\nwhile [ "$1" != --prefix ]; do shift; done\nmkdir -p "$2/node_modules" && ln -s '${root}' "$2/node_modules/grantwise"\n`,
  )
  chmodSync(npm, 0o755)
  symlinkSync(process.execPath, join(folder, 'node'))
  return folder
}
