import { folderOf, nameIn } from '../hcl/paths.ts'
import { keyOf } from '../keys.ts'

/** Where the files of a state of a repository come from. Paths are from its top, with `/`. */
export interface Files {
  readonly paths: readonly string[]
  /** The text of a file; undefined where it is not there, is no text, or is too large to be read. */
  readonly text: (path: string) => string | undefined
  /** Whether a file may be run as a program. */
  readonly isExecutable?: (path: string) => boolean
  /** Fetch files that are read next, where many at a time are faster. */
  readonly prefetch?: (paths: readonly string[]) => void
}

/** A file and its text. */
export interface FileText {
  readonly path: string
  readonly text: string
}

/** The files of a repository in one of the compared states, with a cache for searches over many files. */
export class Repository {
  readonly paths: readonly string[]
  /** The folders that hold charts of Helm. */
  readonly charts: ReadonlySet<string>
  private readonly files: Files
  private readonly found = new Map<unknown, unknown>()
  private shared = new Map<unknown, Map<string, Map<string, unknown>>>()
  /** More files or text than is looked through: what was not may name or run anything. */
  isCut = false

  constructor(files: Files) {
    this.files = files
    this.paths = files.paths
    this.charts = new Set(files.paths.flatMap((path) => (/^Chart\.ya?ml$/.test(nameIn(path)) ? [folderOf(path)] : [])))
  }

  /** The text of a file; of a notebook, its code. */
  text(path: string): string | undefined {
    const text = this.files.text(path)
    return text !== undefined && path.endsWith('.ipynb') ? this.ofText(text, codeOfNotebook) : text
  }

  isExecutable(path: string): boolean {
    return this.files.isExecutable?.(path) ?? false
  }

  prefetch(paths: readonly string[]): void {
    this.files.prefetch?.(paths)
  }

  /** The files whose paths pass a test, with their contents. Kept by the function `test`. */
  texts(test: (path: string) => boolean): readonly FileText[] {
    return this.once(test, () => {
      const paths = this.paths.filter(test)
      this.prefetch(paths)
      return paths.flatMap((path) => {
        const text = this.text(path)
        return text === undefined ? [] : [{ path, text }]
      })
    })
  }

  /**
   * The result of `read` for the contents of a file, computed once for both states: most files are the same in them. `by`: the
   * other input of `read`.
   */
  ofText<T>(text: string, read: (text: string, by: string) => T, by = ''): T {
    const readers = this.shared.get(read) ?? new Map<string, Map<string, unknown>>()
    this.shared.set(read, readers)
    const readings = readers.get(by) ?? new Map<string, unknown>()
    readers.set(by, readings)
    if (!readings.has(text)) readings.set(text, read(text, by))
    return readings.get(text) as T
  }

  /** Keep what contents give together with another state. */
  shareWith(other: Repository): void {
    this.shared = other.shared
  }

  /** The result of `make`, computed once for a key. */
  once<T>(key: unknown, make: () => T): T {
    if (!this.found.has(key)) this.found.set(key, make())
    return this.found.get(key) as T
  }
}

interface Cell {
  readonly cell_type: string
  readonly source: unknown
  readonly metadata?: { readonly tags?: readonly string[] }
}

/** The code in the cells of a notebook, with their tags, by which it is run or not; all of it where it is none. */
function codeOfNotebook(text: string): string {
  try {
    const { cells } = JSON.parse(text) as { readonly cells: readonly Cell[] }
    const code = cells.filter(({ cell_type }) => cell_type === 'code')
    return code.map(({ source, metadata }) => `${(metadata?.tags ?? []).join(' ')}\n${[source].flat().join('')}`).join('\n\n')
  } catch {
    return text
  }
}

/** The policies of both sides, as far as they decide which other changes may affect their deployment. */
export interface Policies {
  /** The files that hold them, and the folders of these. */
  readonly files: readonly string[]
  readonly folders: readonly string[]
  /** Files that were read as parts of configurations: values, data, modules. */
  readonly parts: readonly string[]
  /** The folders that are compared: the whole repository is ''. */
  readonly compared: readonly string[]
  /** Some are resources of a configuration of Terraform; some are manifests of Kubernetes. */
  readonly inTerraform: boolean
  readonly inManifests: boolean
  /** An identity of one is a group, or not known. */
  readonly nameGroups: boolean
  /** The names of such groups, as identity providers have them: without the account. */
  readonly groupNames: readonly string[]
  /** One names a permissions group or a resource group that is not described. */
  readonly nameUnknown: boolean
  /** A condition of one looks at tags. */
  readonly readTags: boolean
  /** In the names of their resources (`svc_iam_policy`), types and groups. */
  readonly brand: string
  readonly prefix: string
}

/** A file that differs between two states, in one of them. */
export interface ChangedFile {
  readonly path: string
  readonly name: string
  readonly text: string
  readonly repository: Repository
  readonly policies: Policies
}

/** The commits between two states. */
export interface Commits {
  /** The concatenated messages; empty where there are no commits. */
  readonly messages: string
  /** The files that some of them change and others change back: they do not differ in the end. */
  readonly touched: () => readonly string[]
  /** Why not all of them are known; absent where they are. */
  readonly missing?: string
}

export const noCommits: Commits = { messages: '', touched: () => [] }

/** The context for judging a text: the repository that it is in, and the policies. */
export type FileContext = Pick<ChangedFile, 'policies' | 'repository'>

/**
 * Something in a file that has a part in what is deployed, or how, and that no answer takes into account. Two states that have the same
 * facts are taken to be deployed the same way, whichever files the facts are in.
 */
export interface Fact {
  readonly path: string
  /** One clause: `it sets TF_VAR_allow`. */
  readonly why: string
  /** Equal for two facts that are the same. */
  readonly mark: string
}

/** A fact of a file, which is the same as another where their reasons and `mark` are. */
export function fact({ path }: { readonly path: string }, why: string, ...mark: readonly unknown[]): Fact {
  return { path, why, mark: JSON.stringify(mark) }
}

/** A difference in how two states are deployed. */
export interface DeploymentChange {
  readonly path: string
  readonly why: string
  /** Nothing shows a part of the file itself: it counts for the application that it is in, or since nothing shows that it has none. */
  readonly isWithoutSign?: true
}

/** The facts that one of two states has and the other has not, as often; one for each file. */
export function changesBetween(before: readonly Fact[], after: readonly Fact[]): readonly DeploymentChange[] {
  const counts = new Map<string, number>()
  for (const [facts, step] of [
    [before, 1],
    [after, -1],
  ] as const)
    for (const fact of facts) counts.set(markOf(fact), (counts.get(markOf(fact)) ?? 0) + step)
  const changes = new Map<string, DeploymentChange>()
  // Those of the state after the change come first: its files are there to be looked at.
  for (const fact of [...after, ...before])
    if (counts.get(markOf(fact)) !== 0 && !changes.has(fact.path)) changes.set(fact.path, { path: fact.path, why: fact.why })
  return [...changes.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

function markOf({ why, mark }: Fact): string {
  return keyOf(why, mark)
}
