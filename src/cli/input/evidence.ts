import { resolve } from 'node:path'
import type { FileCovered } from '../../coverage.ts'
import type { Commit } from '../../history/commit.ts'
import type { PageEvidence } from '../../page/data.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { blobOf } from '../output/coverage.ts'
import { startHash } from '../output/digest.ts'
import { commitsRead } from './commits.ts'
import { entriesOf, git, gitEnd, names, objectOf, repositoryTop } from './git.ts'
import { repositoryOf } from './read-file.ts'

/** The evidence of what a page was made from: the state of the repository, and a digest of the files. */

/** Digests of the content of files that a run reads, by the ids that git gives to them. */
export class Digests {
  private readonly digests = new Map<string, string>()

  note(bytes: Uint8Array): void {
    const blob = blobOf(bytes)
    if (!this.digests.has(blob)) this.digests.set(blob, startHash('sha256').update(bytes).digest('hex'))
  }

  /** The SHA-256 of lines as `sha256sum` prints them, in the order of the paths. Files that were read as they came have none, and are counted apart. */
  of(read: readonly FileCovered[]): PageEvidence['inputs'] {
    const lines = read.flatMap(({ path, blob }) => {
      const digest = this.digests.get(blob ?? '')
      return digest === undefined ? [] : [`${digest}  ${path}\n`]
    })
    return { files: lines.length, others: read.length - lines.length, sha256: startHash('sha256').update(lines.join('')).digest('hex') }
  }
}

/**
 * The commit that policies and world files are of, and how many files differ from it, settings included; or why there is no one commit.
 */
export function stateOf(read: readonly FileCovered[], io: Io): Pick<PageEvidence, 'commit' | 'why'> {
  const origins = new Set(read.flatMap(({ as, from }) => (as === 'settings' ? [] : [from ?? ''])))
  const [origin] = origins
  if (origin === undefined) return { why: 'no file was read' }
  const reference = origin === '' ? 'HEAD' : origin.startsWith('git:') ? origin.slice('git:'.length) : undefined
  if (origins.size > 1 || reference === undefined)
    return { why: `files from ${[...origins].map((from) => from || 'the disk').join(' and ')}` }
  // Where there is no repository, git is not started: a machine without it makes the same page.
  if (origin === '' && repositoryOf(io.cwd) === undefined) return { why: 'not a git repository' }
  try {
    return { commit: commitOf(reference, read, io) }
  } catch (error) {
    // A page is made outside of repositories as well, and where git refuses to read one.
    if (error instanceof Refusal) return { why: error.message }
    throw error
  }
}

function commitOf(reference: string, read: readonly FileCovered[], io: Io): PageEvidence['commit'] {
  const id = objectOf(reference, 'commit', io, reference === 'HEAD' ? 'the last commit' : reference)
  const [commit] = commitsRead([id], io)
  const { short, date, author, subject } = commit as Commit
  const { stdout, status } = gitEnd(['symbolic-ref', '--quiet', '--short', 'HEAD'], io)
  const branch = reference !== 'HEAD' ? reference : status === 0 ? stdout.toString('utf8').trim() : undefined
  return {
    id,
    short,
    at: Date.parse(date),
    author,
    subject,
    ...(branch !== undefined && !id.startsWith(branch) && { branch }),
    changed: changedIn(
      read.filter(({ from }) => from === undefined),
      id,
      io,
    ),
  }
}

/** How many of the files on the disk are not in a commit as they were read. */
function changedIn(read: readonly FileCovered[], commit: string, io: Io): number {
  if (read.length === 0) return 0
  const top = repositoryTop(io)
  const committed = new Set(entriesOf(objectOf(commit, 'tree', io, commit), top, io).map(({ path }) => path))
  const modified = new Set(
    names(git(['diff', '--name-only', '--no-ext-diff', '--no-renames', '-z', commit], io)).map((path) => resolve(top, path)),
  )
  return read.filter(({ path }) => {
    const file = resolve(io.cwd, path)
    return !committed.has(file) || modified.has(file)
  }).length
}
