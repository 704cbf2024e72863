// The code cache that V8 makes of the code that a command loads, so that the executable need not make it again at each start.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Commands whose start counts: users wait for them at each save, and pipelines at each change. */
const commands = [
  ['lint', 'examples/quickstart/policy.json'],
  ['lint', 'examples/mistakes'],
  ['can', 'urn:v1:eu:identity:user:ab12-svc/ann', 'vps:apisvc:get', 'urn:v1:eu:resource:vps:x', '-p', 'examples/quickstart/policy.json'],
  ['serve', '--help'],
]

const warm = fileURLToPath(new URL('warm.cjs', import.meta.url))

/** Files of code caches, by the names of what they are of. `main`: what runs the program from assets. */
export function codeCaches(main, root, scratch) {
  const folder = join(scratch, 'caches')
  for (const command of commands) {
    const { status, stderr } = spawnSync(process.execPath, [warm, main, root, folder, ...command], { cwd: root, encoding: 'utf8' })
    if (status === null || status > 1) throw new Error(`${command.join(' ')}: ${stderr}`)
  }
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.cache'))
  return new Map(files.map((name) => [name.replaceAll('\\', '/').slice(0, -'.cache'.length), join(folder, name)]))
}
