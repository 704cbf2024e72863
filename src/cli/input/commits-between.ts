import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Commits, noCommits } from '../../deployment/facts.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { isShallow } from './commits.ts'
import { distinctNames, git, gitEnd, objectOf, plainDiffOptions } from './git.ts'

/** Options under which git names the files that a commit changes: of a merge, those that are as in none of its parents. */
const changing = [...plainDiffOptions, '-c', '--format=', '--name-only']

/**
 * The commits that the state AFTER has, and BEFORE has not, where each is a reference, or the tip for undefined. `differing`: the files that
 * differ in the end. Of a tree, and beyond the end of a shallow clone, none are known: `missing` says so.
 */
export function commitsBetween(from: string, to: string | undefined, differing: readonly string[], io: Io): Commits {
  const [base, head] = [from, to ?? 'HEAD'].map((each) => commitOf(each, io))
  if (base === undefined || head === undefined)
    return { ...noCommits, missing: 'the commits between the two are not known: one is a tree (name a commit: `git commit-tree`)' }
  const range = `${base}..${head}`
  // A NUL for each commit: one without a message counts.
  const messages = git(['log', '--format=%x00%B', range], io).toString('utf8')
  const ends = messages === '' || !isShallow(io) ? undefined : endsIn(range, base, io)
  // Of many commits this takes long, and few programs go through them.
  const touched = () => {
    const alike = new Set(differing)
    const all = ends === undefined ? distinctNames(git(['log', ...changing, range], io)) : [...ends.touched()]
    return [...new Set(all)].filter((name) => !alike.has(name))
  }
  const isCut = ends?.isCut === true
  return {
    messages,
    touched,
    ...(isCut && {
      missing: 'the commits between the two are not all known: the clone is shallow (fetch the whole history: `fetch-depth: 0`)',
    }),
  }
}

/** The commit that a reference names; undefined where it names a tree, as which it was read before. */
function commitOf(reference: string, io: Io): string | undefined {
  try {
    return objectOf(reference, 'commit', io, `git:${reference}`)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/**
 * The commits of a range in a shallow clone. Git takes the last ones that it has for commits without parents, which add all of their files.
 * What they change is known where their parents are there after all, and are within the range or before it.
 */
function endsIn(range: string, base: string, io: Io): { readonly isCut: boolean; readonly touched: () => Iterable<string> } {
  const linesOf = (args: readonly string[]) => git(args, io).toString('latin1').trim().split('\n')
  const ids = linesOf(['rev-list', range])
  const between = new Set(ids)
  const [place = ''] = linesOf(['rev-parse', '--git-path', 'shallow'])
  const last = new Set(readFileSync(resolve(io.cwd, place), 'latin1').split('\n'))
  const ends = ids
    .filter((id) => last.has(id))
    .map((id) => {
      const [head = ''] = git(['cat-file', 'commit', id], io).toString('latin1').split('\n\n', 1)
      return { id, parents: [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent]) => parent as string) }
    })
  const isBefore = (parent: string) => gitEnd(['merge-base', '--is-ancestor', parent, base], io).status === 0
  const isWhole = ({ parents }: (typeof ends)[number]) => parents.every((parent) => between.has(parent) || isBefore(parent))
  const whole = ends.filter(isWhole)
  const others = ids.filter((id) => !last.has(id))
  return {
    isCut: whole.length < ends.length,
    *touched() {
      if (others.length > 0) yield* distinctNames(git(['log', ...changing, '--no-walk=unsorted', '--stdin'], io, `${others.join('\n')}\n`))
      for (const { id, parents } of whole) {
        const [first = [], ...more] = parents.map((parent) =>
          distinctNames(git(['diff', '--name-only', ...plainDiffOptions, parent, id, '--'], io)),
        )
        yield* first.filter((name) => more.every((list) => list.includes(name)))
      }
    },
  }
}
