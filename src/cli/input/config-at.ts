import { basename, dirname } from 'node:path'
import type { Io } from '../app/io.ts'
import { isWithin } from '../app/paths.ts'
import type { ConfigFiles } from './config-files.ts'
import { repositoryTop } from './git.ts'
import { decode, refusals, type Text, textAt } from './read-file.ts'
import { Blobs, commitTree, isRegular, type Tree } from './trees.ts'

/** The files of configurations as a commit has them. Those of packages, which no commit has, are the installed ones. */
export function configFilesAt(tree: Tree, top: string, blobs: Blobs, io: Io): ConfigFiles {
  const readCommitted = (file: string): Text => {
    const entry = tree.get(file)
    if (entry?.id === undefined) return { message: refusals.missing }
    if (!isRegular(entry)) return { message: refusals.link }
    const bytes = blobs.get(entry.id)
    return bytes ? decode(bytes) : { message: 'git does not have its content here' }
  }
  return {
    exists: (file) => tree.has(file),
    read: (file) => (isWithin(file, top) && !isOfPackage.test(file) ? readCommitted(file) : textAt(file, 'settings', io)),
    namesIn: (folder) => [...tree.keys()].flatMap((file) => (dirname(file) === folder ? [basename(file)] : [])),
  }
}

/** The same of a commit by its id. */
export function configFilesOf(commit: string, io: Io): ConfigFiles {
  return configFilesAt(commitTree(commit, io), repositoryTop(io), new Blobs(io), io)
}

const isOfPackage = /[/\\]node_modules[/\\]/
