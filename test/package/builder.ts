import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root, run } from './run.ts'

/** Whether images can be built and entered here, with Debian's buildah and without an engine. */
export const hasBuilder =
  process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('buildah', ['--version']).status === 0 && mayMount()

function mayMount(): boolean {
  return spawnSync('unshare', ['--mount', 'true']).status === 0
}

const buildah = (...args: readonly string[]) => done(run('buildah', ['--storage-driver', 'vfs', ...args], root)).trim()

function done({ status, stdout, stderr }: ReturnType<typeof run>): string {
  if (status !== 0) throw new Error(`${stdout}\n${stderr}`)
  return stdout
}

/** The settings of an image for how it is run. */
export interface Settings {
  readonly User: string
  readonly WorkingDir: string
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly Healthcheck: { readonly Test: readonly string[] }
}

export interface Container {
  readonly settings: Settings
  /** The command that runs a program in it: its user, no right to write to its files, and `folder` as the working folder. */
  readonly command: (program: readonly string[], folder: string) => readonly [string, ...string[]]
  readonly remove: () => void
}

/**
 * The image of the Dockerfile, built of a packed package. Its base, which a registry has, is replaced by the Node of this
 * machine with the libraries that it asks for: all that the Dockerfile takes from the base.
 */
export function container(tarball: string): Container {
  const context = mkdtempSync(join(tmpdir(), 'grantwise-container-'))
  const [base, image] = ['localhost/grantwise-test-base', 'localhost/grantwise-test']
  baseIn(join(context, 'base'))
  buildah('build', '--isolation', 'chroot', '--tag', base, join(context, 'base'))
  for (const file of ['Dockerfile', '.dockerignore']) copyFileSync(join(root, file), join(context, file))
  cpSync(tarball, join(context, 'grantwise-0.0.0.tgz'))
  buildah('build', '--isolation', 'chroot', '--format', 'docker', '--build-arg', `BASE=${base}`, '--tag', image, context)
  const settings = JSON.parse(buildah('inspect', '--type', 'image', image)).Docker.config as Settings
  const name = buildah('from', image)
  const files = buildah('mount', name)
  const [user = '', group = ''] = settings.User.split(':')
  const enter = `mount --bind "$1" "$1" && mount --bind "$2" "$1$3" && mount -o remount,ro,bind "$1" && mount -o remount,ro,bind "$1$3" || exit 125
root=$1 folder=$3 && shift 3
exec env -i NO_COLOR=1 TZ=UTC unshare --root "$root" --wd "$folder" --setgid ${group} --setuid ${user} -- "$@"`
  return {
    settings,
    command: (program, folder) => ['unshare', '--mount', 'sh', '-c', enter, 'sh', files, folder, settings.WorkingDir, ...program],
    remove: () => {
      buildah('rm', name)
      buildah('rmi', image, base)
    },
  }
}

/** An image of this machine's Node alone, at the place where the base of the Dockerfile has it. */
function baseIn(folder: string): void {
  const node = realpathSync(process.execPath)
  const libraries = done(run('ldd', [node], root)).match(/\/\S+/g) ?? []
  for (const [from, to] of [[node, '/nodejs/bin/node'] as const, ...libraries.map((file) => [file, file] as const)]) {
    mkdirSync(join(folder, 'files', dirname(to)), { recursive: true })
    copyFileSync(realpathSync(from), join(folder, 'files', to))
  }
  writeFileSync(join(folder, 'Dockerfile'), 'FROM scratch\nCOPY files /\n')
}
