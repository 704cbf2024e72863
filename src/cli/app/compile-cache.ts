import { lstatSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { Module } from 'node:module'
import { dirname, isAbsolute, join, sep } from 'node:path'
import { Script } from 'node:vm'
import { makeFolders } from './folders.ts'

/** The functions that load a file, by the ending of its name. */
type Loaders = Record<string, ((module: NodeJS.Module, file: string) => void) | undefined>

/** A script whose compiled code is to be kept at the end of the run, and its text. */
interface Made {
  readonly script: Script
  readonly text: string
  readonly place: string
}

/** Around the source of a file: as Node does, it makes a function of it. */
const [opening, closing] = ['(function (exports, require, module, __filename, __dirname) {', '\n})'] as const

/**
 * Before compiled code and the text that it was made of: the checksum of both, and the length of the code. V8 needs the code at a multiple
 * of eight bytes, or copies it. The text is kept as V8 takes it: put together anew, it would be in memory twice, and be collected.
 */
const headBytes = 8

/** Compiled code of versions that are no longer installed is removed after this time. In use, it is made again. */
const longestKept = 30 * 24 * 3_600_000

/**
 * Has the files of a folder load with the code that V8 compiled in an earlier run: half of a short run is compiling. The code is kept in the
 * cache folder of the user. A first run only makes the folder, since many machines live for one run; a second one writes into it.
 *
 * Compiled code may do anything, so a folder that others may write into is not used, nor one that may come with what is judged. Node's own
 * cache of compiled code is in the folder for temporary files, and asks for no owner. Nothing here fails a run: without compiled code, it
 * takes longer.
 *
 * `Module`: the class of modules, which Node has loaded; to ask for its module `node:module` loads others. `loaders` is
 * `require.extensions`. Where something else loads `.cjs` files already, such as a tool that measures coverage, it stays.
 */
export function useCompileCache(
  folder: string,
  { createRequire }: Pick<typeof Module, 'createRequire'>,
  loaders: Loaders,
  process: NodeJS.Process,
): void {
  const { env, version, versions, arch } = process
  const usual = loaders['.js']
  if (env['NODE_DISABLE_COMPILE_CACHE'] || env['NODE_COMPILE_CACHE'] || loaders['.cjs'] || !usual) return
  // They load modules as Node does, and have an engine or compiled code of their own.
  if (versions['bun'] !== undefined || versions['deno'] !== undefined) return
  const cache = cacheFolder(process)
  if (cache === undefined) return
  const made: Made[] = []
  const ours = folder + sep
  // Installed versions have a place each. V8 refuses code of other versions of its own, and of other kinds of processors.
  const kind = `${(checksum(Buffer.from(folder), 0, 1) >>> 0).toString(16)}-${version}-${arch}`
  loaders['.cjs'] = (module, file) => {
    if (!file.startsWith(ours)) return usual(module, file)
    const source = bytesAt(file)
    if (source === undefined) return usual(module, file)
    const place = join(cache, `${file.slice(ours.length)}-${kind}`)
    const cached = compiledCode(place, source)
    // A script from a cache has lost how it imports modules: its functions that are compiled later could import none. No such code is kept.
    if (cached === undefined && source.includes('import(')) return usual(module, file)
    const text = cached?.text ?? `${opening}${source.toString('utf8')}${closing}`
    const script = new Script(text, { filename: file, ...(cached && { cachedData: cached.code }) })
    if (script.cachedDataRejected !== false) made.push({ script, text, place })
    script.runInThisContext().call(module.exports, module.exports, createRequire(file), module, file, folder)
  }
  // At the end the functions that ran are compiled, too.
  process.on('exit', () => {
    if (made.length > 0) keep(made, cache)
  })
}

/** The code that was compiled of exactly this source. V8 compares no more than lengths, and damaged code ends the process. */
function compiledCode(place: string, source: Buffer): { readonly code: Buffer; readonly text: string } | undefined {
  const bytes = bytesAt(place)
  if (bytes === undefined || bytes.length < headBytes) return undefined
  const end = headBytes + bytes.readUInt32LE(4)
  if (checksum(bytes) !== bytes.readInt32LE(0) || !source.equals(bytes.subarray(end + opening.length, -closing.length))) return undefined
  const text = bytes.toString('utf8', end)
  return text.startsWith(opening) && text.endsWith(closing) ? { code: bytes.subarray(headBytes, end), text } : undefined
}

/** The content of a file. Undefined where it cannot be read: of a file of the program, Node says why. */
function bytesAt(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

/** Of one byte in 61: whole sectors get lost, where anything does. Node's own checksums load 30 of its modules. */
function checksum(bytes: Uint8Array, from = headBytes, step = 61): number {
  let sum = bytes.length
  for (let i = from; i < bytes.length; i += step) sum = (Math.imul(sum, 31) + (bytes[i] ?? 0)) | 0
  return sum
}

function keep(made: readonly Made[], cache: string): void {
  try {
    for (const { script, text, place } of made) {
      const code = script.createCachedData()
      const bytes = Buffer.concat([Buffer.alloc(headBytes), code, Buffer.from(text)])
      bytes.writeUInt32LE(code.length, 4)
      bytes.writeInt32LE(checksum(bytes), 0)
      replace(place, bytes)
    }
    const oldest = Date.now() - longestKept
    for (const name of readdirSync(cache)) if (lstatSync(join(cache, name)).mtimeMs < oldest) rmSync(join(cache, name))
  } catch {
    // A full disk, or another run that writes the same: a later one writes it.
  }
}

/** Writes a file whole or not at all: on a full disk, no part of it is left. */
function replace(place: string, bytes: Uint8Array): void {
  const part = `${place}.${process.pid}`
  try {
    writeFileSync(part, bytes, { flag: 'wx', mode: 0o600 })
    renameSync(part, place)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

/** The folder of this user for compiled code. Undefined where it is new, others may have written into it, or the user has none. */
function cacheFolder(process: NodeJS.Process): string | undefined {
  const { env, platform, geteuid } = process
  const { XDG_CACHE_HOME: caches, HOME: home, LOCALAPPDATA: local } = env
  const above = platform === 'win32' ? local : caches || (home && join(home, '.cache'))
  // A relative path is to be ignored, by the specification of these folders.
  if (!above || !isAbsolute(above)) return undefined
  const folder = join(above, 'grantwise', 'compiled')
  const isOwn = (path: string) => {
    const stat = lstatSync(path)
    return stat.isDirectory() && (geteuid === undefined || (stat.uid === geteuid() && (stat.mode & 0o022) === 0))
  }
  try {
    const existing = [folder, above, dirname(above)].find((each) => lstatSync(each, { throwIfNoEntry: false })) ?? folder
    if (isBrought(realpathSync.native(existing), process.cwd()) || !isOwn(existing)) return undefined
    // Not made in a folder of another user, who could not use it then: `sudo` may leave `HOME` as it is.
    if (existing === folder) return isOwn(dirname(folder)) ? folder : undefined
    makeFolders(folder, 0o700)
  } catch {
    // The user has no such folder.
  }
  return undefined
}

/** Whether a folder may come with what is judged: some build servers have `HOME` in the checkout. */
function isBrought(folder: string, cwd: string): boolean {
  if (`${folder}${sep}`.startsWith(cwd.endsWith(sep) ? cwd : `${cwd}${sep}`)) return true
  for (let here = folder; dirname(here) !== here; here = dirname(here))
    if (lstatSync(join(here, '.git'), { throwIfNoEntry: false })) return true
  return false
}
