import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { isHcl, notationOf } from '../../source.ts'
import { type Io, ioWith } from '../app/io.ts'
import { isWithin, portable } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import type { Config } from './config.ts'
import { discover, type Selection } from './files.ts'
import { git, gitEnd, names, objectOf, repositoryTop } from './git.ts'
import { gitPathOf, policySelection } from './policies.ts'
import { bytesAt } from './read-file.ts'
import { withScratchObjects } from './scratch-objects.ts'

/**
 * Merges of branches as git makes them, without a checkout: nothing is written to the repository, since new objects go to a folder
 * that is removed. Files that are in no commit are put into a separate repository there, so that all are merged in one way.
 */

/** A state, or the files in which git cannot merge without a conflict. */
export type Landed = { readonly selection: Selection; readonly conflicts?: undefined } | { readonly conflicts: readonly string[] }

/** The sides of merges: how each is called, and the states that one leads to by itself, and two together. */
export interface Landings {
  readonly sides: readonly string[]
  readonly single: (side: number) => Promise<Landed>
  readonly together: (one: number, other: number) => Promise<Landed>
}

/** Commits that git writes have an author and a date: the same each time. */
const author = ['AUTHOR', 'COMMITTER'].flatMap((who) => [
  [`GIT_${who}_NAME`, 'grantwise'],
  [`GIT_${who}_EMAIL`, 'grantwise@localhost'],
  [`GIT_${who}_DATE`, '1700000000 +0000'],
])

/** Answer with a folder for the objects that git writes meanwhile. */
export async function withLandings<T>(
  base: string,
  sides: readonly string[],
  config: Config,
  io: Io,
  answer: (landings: Landings) => Promise<T>,
): Promise<T> {
  const count = [base, ...sides].filter((each) => each.startsWith('git:')).length
  if (count > 0 && count <= sides.length)
    throw new Refusal('commits are merged with commits, and files with files', 'write `git:REF` or `git:REF:PATH` for all, or for none')
  const scratch = mkdtempSync(join(tmpdir(), 'grantwise-merge-'))
  try {
    return await answer(count > 0 ? ofCommits(base, sides, config, io, scratch) : await ofFiles(base, sides, config, io, scratch))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function ofCommits(base: string, sides: readonly string[], config: Config, around: Io, scratch: string): Landings {
  const [root, ...ends] = [base, ...sides].map((text) => gitPathOf(text)) as ReturnType<typeof refOf>[]
  if (!root) throw new Refusal(`${base}: expected \`git:REF\``)
  const other = ends.findIndex(({ path }) => path !== root.path)
  if (other >= 0)
    throw new Refusal(`${sides[other]}: another path than \`${base}\`: one state of a repository is merged`, 'give the same path for all')
  repositoryTop(around)
  const io = withScratchObjects(ioWith(around, { env: { ...around.env, ...Object.fromEntries(author) } }), scratch)
  const commitOf = ({ reference, text }: ReturnType<typeof refOf>) => objectOf(reference, 'commit', io, text)
  const start = commitOf(root)
  const merging = new Merging(start, io)
  const landingOf = async (tree: Merged): Promise<Landed> =>
    typeof tree === 'string'
      ? {
          selection: await policySelection([`git:${tree}${root.path === undefined ? '' : `:${root.path}`}`], config, io, {
            mayBeEmpty: true,
          }),
        }
      : tree
  const landed = ends.map((end) => merging.onto(commitOf(end)))
  return {
    sides,
    single: (side) => landingOf(landed[side] as Merged),
    together: (one, two) => landingOf(merging.both(landed[one] as Merged, landed[two] as Merged)),
  }
}

const refOf = (text: string) => gitPathOf(text) as NonNullable<ReturnType<typeof gitPathOf>>

/** Lines are merged as a server merges them, which has no driver of a clone. */
const ownLines = ['-c', 'merge.grantwise.driver=git merge-file -q --marker-size=%L %A %O %B']

/** The id of a tree, or conflicts. */
type Merged = string | { readonly conflicts: readonly string[] }

class Merging {
  private readonly base: string
  private readonly io: Io
  private readonly root: string

  constructor(base: string, io: Io) {
    this.base = base
    this.io = io
    this.root = this.commit(this.ask('rev-parse', `${base}^{tree}`))
  }

  /** A branch merged into the base: the tree of the branch, where it has all of the base. */
  onto(commit: string): Merged {
    const { status } = gitEnd(['merge-base', '--is-ancestor', this.base, commit], this.io)
    return status === 0 ? this.ask('rev-parse', `${commit}^{tree}`) : this.merge(this.base, commit)
  }

  /** Two trees merged, both made from the base: in commits that say so, since git takes no trees. */
  both(one: Merged, other: Merged): Merged {
    if (typeof one !== 'string') return one
    if (typeof other !== 'string') return other
    return this.merge(this.commit(one, this.root), this.commit(other, this.root))
  }

  private merge(one: string, other: string): Merged {
    const { stdout, stderr, status } = gitEnd(
      [...ownLines, 'merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', one, other],
      this.io,
    )
    const [tree = '', ...files] = names(stdout)
    if (status === 0) return tree
    if (status === 1) return { conflicts: files.filter((file) => file !== '') }
    const [message = ''] = stderr.toString('utf8').split('\n')
    if (status === 129 || /usage|unknown|not a git command/i.test(message))
      throw new Refusal(
        'git cannot merge without a checkout: version 2.38 or newer is needed',
        'update git, or check the merge out and compare',
      )
    throw new Refusal(`git merge-tree: ${message}`)
  }

  private commit(tree: string, parent?: string): string {
    return this.ask('commit-tree', tree, '-m', 'merged', ...(parent === undefined ? [] : ['-p', parent]))
  }

  private ask(...args: readonly string[]): string {
    return git(args, this.io).toString('latin1').trim()
  }
}

/** The folder in which the files of a merge are shown, which exist nowhere. */
const mergedFolder = 'merged'

async function ofFiles(base: string, sides: readonly string[], config: Config, around: Io, scratch: string): Promise<Landings> {
  const io = ioWith(around, {
    cwd: scratch,
    env: {
      ...Object.fromEntries(Object.entries(around.env).filter(([name]) => !name.startsWith('GIT_'))),
      ...Object.fromEntries(author),
    },
  })
  git(['init', '-q'], io)
  const trees: string[] = []
  for (const each of [base, ...sides]) trees.push(await treeOf(each, around, io))
  const [start = '', ...ends] = trees
  const root = git(['commit-tree', start, '-m', 'merged'], io).toString('latin1').trim()
  const merging = new Merging(root, io)
  return {
    sides,
    single: async (side) => ({ selection: await policySelection([sides[side] as string], config, around, { mayBeEmpty: true }) }),
    together: async (one, two) => {
      const tree = merging.both(ends[one] as string, ends[two] as string)
      if (typeof tree !== 'string') return tree
      const listed = names(git(['ls-tree', '-r', '-z', '--name-only', tree], io)).map((name) => ({
        path: join(mergedFolder, name),
        bytes: git(['cat-file', 'blob', `${tree}:${name}`], io),
        origin: { from: 'the merge' },
      }))
      return { selection: { paths: config.world ?? [], listed, pipes: true, mayBeEmpty: true, decides: true } }
    },
  }
}

/** The files of a side as a tree of git, by their paths in it. A single file has the same name on all sides. */
async function treeOf(side: string, around: Io, io: Io): Promise<string> {
  if (side === '-') throw new Refusal('standard input cannot be merged', 'name files, folders or commits')
  const { candidates, problems } = await discover({ paths: [side], pipes: false, mayBeEmpty: true }, around)
  const [problem] = problems
  if (problem) throw new Refusal(`${problem.path}: ${problem.message}`)
  const top = resolve(around.cwd, side)
  const lines = candidates.map(({ path, file }) => {
    const place = file ?? resolve(around.cwd, path)
    if (isHcl(notationOf(place)))
      throw new Refusal(`${path}: a configuration is merged with what is around it, from commits`, 'write `git:REF` for each side')
    const { bytes, message } = bytesAt(place, 'policies', around)
    if (!bytes) throw new Refusal(`${path}: ${message}`)
    const id = git(['hash-object', '-w', '--stdin'], io, bytes).toString('latin1').trim()
    return `100644 ${id}\t${place === top ? singleName(place) : isWithin(place, top) ? portable(relative(top, place)) : portable(path)}\0`
  })
  git(['read-tree', '--empty'], io)
  git(['update-index', '-z', '--index-info'], io, lines.join(''))
  return git(['write-tree'], io).toString('latin1').trim()
}

/** The name of a file that is all of a side, with its ending, which says how it is written. */
const singleName = (file: string) => `policies${/(?:\.[a-z]+)?\.[a-z]+$/i.exec(file)?.[0] ?? ''}`
