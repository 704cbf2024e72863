import { type Dirent, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { type Files, type FilesAround, isAroundName, type Tools } from '../../hcl/tools.ts'
import { displayPath, portable } from '../app/paths.ts'
import { startHash } from '../output/digest.ts'
import { TrackedFiles } from './git-folder.ts'
import { type IgnoreFile, isIgnored, readIgnoreFile } from './gitignore.ts'
import { bytesAt, decode, type Reader, repositoryOf } from './read-file.ts'
import { isCache } from './walk.ts'

/**
 * The tools for functions of configurations. Slow ones are loaded only where a text needs them. `folders`: those whose files may
 * be read; none where the texts are not from them. `filesOf`: their files.
 */
export async function hclTools(
  texts: readonly string[],
  folders: readonly string[],
  reader: Reader,
  filesOf: (folders: readonly string[], reader: Reader) => Files = filesIn,
): Promise<Tools> {
  const mentions = (words: RegExp) => texts.some((text) => words.test(text))
  const hasTemplates = mentions(/\btemplate(file|string)\b/)
  return {
    ...((hasTemplates || mentions(/\bregex|\breplace\b/)) && { compile: (await import('./hcl-patterns.ts')).compile }),
    ...((hasTemplates || mentions(/\byamldecode\b/)) && { readYaml: (await import('../../parser/yaml.ts')).readYaml }),
    ...((hasTemplates || mentions(/md5|sha(1|256|512)/)) && { digest: await digest() }),
    ...(folders.length > 0 && { files: filesOf(folders, reader) }),
  }
}

async function digest(): Promise<NonNullable<Tools['digest']>> {
  const { createHash } = await import('node:crypto')
  return (algorithm, bytes) => createHash(algorithm).update(bytes).digest()
}

/** The limits for reading files other than configurations. */
const most = { files: 500, bytes: 8 * 2 ** 20, names: 5000, depth: 20, around: 100_000 } as const

/** A digest that represents a content in comparisons. */
export function contentMark(bytes: Uint8Array | string): string {
  return startHash('sha256').update(bytes).digest('hex')
}

/** A digest that represents a folder in comparisons: of the names of the files in it and below. */
export function listMark(names: readonly string[]): string {
  return contentMark(`folder\n${[...names].sort().join('\n')}`)
}

/** Folders that hold nothing that is deployed of this repository. */
const aside: ReadonlySet<string> = new Set(['.git', 'node_modules', '.terraform', '.terragrunt-cache'])

/**
 * The files around configurations in all of the repository, up to a number of names. Files that `.gitignore` names and git does
 * not track are on this machine only, and give nothing to a deployment from another one.
 */
function filesAround(top: string, reader: Reader): FilesAround {
  reader.record?.search([displayPath(top, reader.cwd)])
  const files: string[] = []
  const configured = new Set<string>()
  const tracked = new TrackedFiles()
  const open: { readonly below: string; readonly ignores: readonly IgnoreFile[] }[] = [{ below: '', ignores: [] }]
  let namesLeft = most.around as number
  for (let next = open.pop(); next && namesLeft > 0; next = open.pop()) {
    const folder = next.below === '' ? top : `${top}/${next.below.slice(0, -1)}`
    let entries: readonly Dirent[]
    try {
      entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => !isCache(entry, folder, tracked))
    } catch {
      // A folder that cannot be listed gives nothing to a deployment from here.
      continue
    }
    namesLeft -= entries.length
    const ignoreBytes = entries.some(({ name }) => name === '.gitignore')
      ? bytesAt(`${folder}/.gitignore`, 'settings', reader).bytes
      : undefined
    const ignores = ignoreBytes ? [...next.ignores, readIgnoreFile(next.below, ignoreBytes.toString('utf8'))] : next.ignores
    for (const entry of entries) {
      const { name } = entry
      const isFolder = entry.isDirectory()
      if (isFolder ? aside.has(name) : !(isAroundName(name) || isConfigurationName(name))) continue
      const path = `${folder}/${name}`
      if (isIgnored(ignores, next.below + name, isFolder) && !(isFolder ? tracked.hasBelow(path) : tracked.has(path))) continue
      if (isFolder) open.push({ below: `${next.below}${name}/`, ignores })
      else if (isAroundName(name)) files.push(path)
      else configured.add(folder)
    }
  }
  return { files: files.sort(), configured, ...(namesLeft <= 0 && { isCut: true }) }
}

export const isConfigurationName = (name: string) => /\.(?:tf|tofu)(?:\.json)?$/.test(name)

/** The files below some folders. No link is followed below them. */
function filesIn(folders: readonly string[], reader: Reader): Files {
  const contents = new Map<string, Uint8Array | 'missing' | undefined>()
  const allowance = { files: most.files, bytes: most.bytes as number, names: most.names as number }
  const top = portable(repositoryOf(reader.cwd) ?? reader.cwd)
  let filesFound: FilesAround | undefined
  return { read, list, mark, around, text, side: 'the working folder' }

  function around(): FilesAround {
    filesFound ??= filesAround(top, reader)
    return filesFound
  }

  /** A link to a file of the repository is read as that file. */
  function text(path: string): string | undefined {
    try {
      const file = portable(realpathSync(path))
      if (!file.startsWith(`${portable(realpathSync(top))}/`)) return undefined
      const { bytes } = bytesAt(file, 'part', reader)
      return bytes && decode(bytes).text
    } catch {
      return undefined
    }
  }

  /** Of any file of the repository: of one that may not be read it is all that is known. */
  function mark(path: string): string | undefined {
    if (path !== top && !path.startsWith(`${top}/`)) return undefined
    try {
      const stats = lstatSync(path, { throwIfNoEntry: false })
      if (!stats) return 'missing'
      if (stats.isSymbolicLink()) return contentMark(`link ${readlinkSync(path)}`)
      if (stats.isDirectory()) return listMark(namesBelow(path) ?? ['*'])
      const { bytes } = bytesAt(path, 'part', reader)
      return bytes ? contentMark(bytes) : 'closed'
    } catch {
      return 'closed'
    }
  }

  function read(path: string): Uint8Array | 'missing' | undefined {
    if (!contents.has(path)) contents.set(path, readOnce(path))
    return contents.get(path)
  }

  function readOnce(path: string): Uint8Array | 'missing' | undefined {
    const state = stateOf(path)
    if (state !== 'file') return state === 'missing' ? 'missing' : undefined
    if (allowance.files-- <= 0) return undefined
    const { bytes } = bytesAt(path, 'part', reader)
    if (!bytes) return undefined
    allowance.bytes -= bytes.length
    return allowance.bytes < 0 ? undefined : bytes
  }

  function list(path: string): readonly string[] | undefined {
    if (stateOf(path) !== 'folder') return undefined
    reader.record?.search([displayPath(path, reader.cwd)])
    return namesBelow(path)
  }

  function namesBelow(path: string): readonly string[] | undefined {
    const names: string[] = []
    const open = ['']
    for (let below = open.pop(); below !== undefined; below = open.pop()) {
      if (below.split('/').length > most.depth) return undefined
      try {
        for (const entry of readdirSync(`${path}/${below}`, { withFileTypes: true })) {
          if (allowance.names-- <= 0) return undefined
          if (entry.isDirectory()) open.push(`${below}${entry.name}/`)
          else if (entry.isFile()) names.push(`${below}${entry.name}`)
          // A link may point at a file, which would be one of them.
          else return undefined
        }
      } catch {
        return undefined
      }
    }
    return names
  }

  /** The kind of a path below one of the folders, reached without a link; undefined for all others. */
  function stateOf(path: string): 'file' | 'folder' | 'missing' | undefined {
    const folder = folders.find((each) => path === each || path.startsWith(`${each}/`))
    if (folder === undefined) return undefined
    const parts = path
      .slice(folder.length)
      .split('/')
      .filter((part) => part !== '')
    if (parts.length > most.depth) return undefined
    let here = folder
    let state: 'file' | 'folder' = 'folder'
    for (const part of parts) {
      if (state !== 'folder') return 'missing'
      here += `/${part}`
      try {
        const stats = lstatSync(here, { throwIfNoEntry: false })
        if (!stats) return 'missing'
        if (!stats.isFile() && !stats.isDirectory()) return undefined
        state = stats.isFile() ? 'file' : 'folder'
      } catch {
        return undefined
      }
    }
    return state
  }
}
