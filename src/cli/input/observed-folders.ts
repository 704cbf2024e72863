import { hash } from 'node:crypto'
import type { Files, Tools } from '../../hcl/tools.ts'
import { keyOf } from '../../keys.ts'
import type { Folders } from '../../sources/files.ts'

/** A question about the files around those that are linted. */
type Question = 'list' | 'read' | 'files.read' | 'files.list' | 'files.mark' | 'files.around' | 'files.text'

/** A question that was asked, and a mark of its answer. `within`: the place of the folders that it was asked about in a list. */
export type Asked = readonly [question: Question, path: string, within: number, mark: string]

/** Questions about files, in the order in which they were asked. */
export interface FoldersSeen {
  /** The folders whose files functions may read. */
  readonly folders: readonly (readonly string[])[]
  readonly asked: readonly Asked[]
}

/** Folders that note what is asked of them. */
export class ObservedFolders implements Folders {
  private readonly inner: Folders
  private readonly folders: (readonly string[])[] = []
  private readonly asked: Asked[] = []
  /** Questions about the folders themselves, whose answers are the same whenever they are asked. */
  private readonly known = new Set<string>()
  readonly cwd: string

  constructor(inner: Folders) {
    this.inner = inner
    this.cwd = inner.cwd
  }

  get top(): string {
    return this.inner.top
  }

  get seen(): FoldersSeen {
    return { folders: this.folders, asked: this.asked }
  }

  readonly nameOf = (path: string): string => this.inner.nameOf(path)
  readonly list: Folders['list'] = (path) => this.noted('list', path, -1, this.inner.list(path))
  readonly read: Folders['read'] = (path) => this.noted('read', path, -1, this.inner.read(path))

  readonly tools: Folders['tools'] = async (texts, folders) => {
    const { files, ...tools } = await this.inner.tools(texts, folders)
    return files ? { ...tools, files: this.observed(files, this.folders.push(folders) - 1) } : tools
  }

  private observed(files: Files, within: number): Files {
    return {
      side: files.side,
      read: (path) => this.noted('files.read', path, within, files.read(path)),
      list: (path) => this.noted('files.list', path, within, files.list(path)),
      mark: (path) => this.noted('files.mark', path, within, files.mark(path)),
      text: (path) => this.noted('files.text', path, within, files.text(path)),
      around: () => this.noted('files.around', '', within, files.around()),
    }
  }

  private noted<T>(question: Question, path: string, within: number, answer: T): T {
    const key = keyOf(question, path)
    if (within >= 0 || !this.known.has(key)) this.asked.push([question, path, within, markOf(answer)])
    this.known.add(key)
    return answer
  }
}

/** Whether all that was asked has the same answers now. The questions are asked in order, since some are answered up to a limit. */
export async function isStillSo({ folders: groups, asked }: FoldersSeen, folders: Folders): Promise<boolean> {
  const tools = new Map<number, Tools>()
  for (const [question, path, within, mark] of asked) {
    if (!tools.has(within)) tools.set(within, within < 0 ? {} : await folders.tools([], groups[within] ?? []))
    if (markOf(answerTo(question, path, folders, tools.get(within)?.files)) !== mark) return false
  }
  return true
}

function answerTo(question: Question, path: string, folders: Folders, files: Files | undefined): unknown {
  switch (question) {
    case 'list':
      return folders.list(path)
    case 'read':
      return folders.read(path)
    case 'files.read':
      return files?.read(path)
    case 'files.list':
      return files?.list(path)
    case 'files.mark':
      return files?.mark(path)
    case 'files.text':
      return files?.text(path)
    case 'files.around':
      return files?.around()
  }
}

/** A mark that two answers share only where they are the same. */
function markOf(answer: unknown): string {
  if (answer instanceof Uint8Array) return `bytes ${hash('sha256', answer)}`
  return hash('sha256', JSON.stringify(answer, (_, value) => (value instanceof Set ? [...value] : value)) ?? 'nothing')
}
