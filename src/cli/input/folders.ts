import { lstatSync, readdirSync } from 'node:fs'
import type { Folders } from '../../sources/files.ts'
import type { Io } from '../app/io.ts'
import { displayPath, portable } from '../app/paths.ts'
import { hclTools } from './hcl-tools.ts'
import { repositoryOf, textAt } from './read-file.ts'
import { outsideProblem } from './within.ts'

/** The folders of configurations on the disk, up to the top of the repository. No links are followed. */
export function foldersOf(io: Pick<Io, 'cwd' | 'texts' | 'within' | 'record'>): Folders {
  const { cwd, within } = io
  return {
    cwd: portable(cwd),
    get top() {
      return portable(within ?? repositoryOf(cwd) ?? cwd)
    },
    nameOf: (path) => displayPath(path, cwd),
    list: (path) => {
      try {
        if (outsideProblem(path, io) !== undefined || !lstatSync(path).isDirectory()) return []
        io.record?.search([displayPath(path, cwd)])
        return readdirSync(path)
      } catch {
        return []
      }
    },
    read: (path) => {
      if (outsideProblem(path, io) !== undefined) return undefined
      const { text } = textAt(path, 'part', io)
      if (text !== undefined) return { text }
      return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? 'link' : undefined
    },
    tools: (texts, folders) => hclTools(texts, folders, io),
  }
}
