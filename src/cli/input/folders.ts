import { lstatSync, readdirSync, realpathSync } from 'node:fs'
import type { Folders } from '../../sources/files.ts'
import type { Io } from '../app/io.ts'
import { displayPath, isWithin, portable } from '../app/paths.ts'
import { hclTools } from './hcl-tools.ts'
import { repositoryOf, textAt } from './read-file.ts'
import { outsideProblem } from './within.ts'

/** The folders of configurations on the disk, up to the top of the repository. No links are followed. */
export function foldersOf(io: Pick<Io, 'cwd' | 'texts' | 'within' | 'record'>): Folders {
  const { cwd } = io
  return {
    cwd: portable(cwd),
    get top() {
      return portable(topOf(io))
    },
    nameOf: (path) => displayPath(path, cwd),
    list: (path) => {
      try {
        if (outsideProblem(path, io) !== undefined || !lstatSync(path).isDirectory() || leadsOut(path, topOf(io))) return []
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

/** The folder that files are read in, and none around it: of a workspace, or the top of the repository. */
export function topOf({ cwd, within }: Pick<Io, 'cwd' | 'within'>): string {
  return within ?? repositoryOf(cwd) ?? cwd
}

/** Whether a folder below the top is not there: a link on the way to it leads elsewhere. */
function leadsOut(path: string, top: string): boolean {
  return isWithin(path, top) && !isWithin(realpathSync(path), realpathSync(top))
}
