import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Build the program from the sources as they are, so that no test runs an older one. */
export default function setup(): void {
  const script = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url))
  const { status } = spawnSync(process.execPath, [script, '--no-types'], { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error('the program cannot be built')
}
