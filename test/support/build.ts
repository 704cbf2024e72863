import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const build = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url))

/** Build the program, so that no test runs an older one than the sources are; not again where nothing has changed. */
export default function setup(): void {
  const { status } = spawnSync(process.execPath, [build, '--no-types', '--if-changed'], { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error('the build of the program failed')
}
