import { type Dirent, readdirSync, readlinkSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { pushTo } from '../../collections.ts'
import { deploymentChanges, filesWithPart } from '../../deployment/changes.ts'
import { extendedChanges } from '../../deployment/extended.ts'
import { type Commits, type DeploymentChange, type Fact, fact, noCommits, type Policies, Repository } from '../../deployment/facts.ts'
import { isConfiguration } from '../../deployment/kinds.ts'
import { folderOf } from '../../hcl/paths.ts'
import { keyOf } from '../../keys.ts'
import type { Settings } from '../../names.ts'
import { type Policy, readsTags } from '../../policy.ts'
import { notationOf } from '../../source.ts'
import type { ReadFiles } from '../../sources/files.ts'
import { limits } from '../../sources/limits.ts'
import { field, plainValue } from '../../tree.ts'
import type { Io } from '../app/io.ts'
import { displayPath, isWithin, portable } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { commitsBetween } from './commits-between.ts'
import type { Config } from './config.ts'
import { describedAnew } from './described.ts'
import { distinctNames, git, gitEnd, objectOf, plainDiffOptions, repositoryTop } from './git.ts'
import { type JudgingConfig, judgeOf } from './judge.ts'
import { gitPathOf } from './policies.ts'
import { bytesAt, decode, isUnnameable, kindAt, reason } from './read-file.ts'
import { Blobs, bytesOf, commitTree, indexTree, linkMode, repositoryMode, type Tree } from './trees.ts'

/** The difference between two sides, apart from their policies. */
export interface ChangedDeployment {
  /** Changes that may alter what is deployed. */
  readonly deployment: readonly DeploymentChange[]
  /** The other files that differ: nothing shows that they have a part in it. */
  readonly others: readonly string[]
  /** Those that differ and that the configuration leaves out. */
  readonly ignored: readonly string[]
}

export const nothingChanged: ChangedDeployment = { deployment: [], others: [], ignored: [] }

/**
 * The difference in how two sides are deployed: files of their repositories, or of two folders, that may alter what is applied
 * though the policies are the same. None where a side is a file or standard input. `between`: the commits between them, where the caller
 * knows them.
 */
export async function changedDeployment(
  sides: readonly (readonly string[])[],
  reads: readonly ReadFiles[],
  config: JudgingConfig,
  io: Io,
  isSame: boolean,
  between?: Commits,
): Promise<ChangedDeployment> {
  const [before, after] = sides
  if (!before || !after) return nothingChanged
  const states = statesOf(before, after, between, io)
  if (!states) return nothingChanged
  const { top, folders, old, now, paths, since, commits = noCommits } = states
  const areNone = commits.messages === '' && commits.missing === undefined
  if (paths.length === 0 && !old.isCut && !now.isCut && areNone) return nothingChanged
  const { leavesOut, isStrict, changes } = await judgeOf(config, since, paths, top[0] as string, io)
  const judged = new Set(changes.map(({ path }) => path))
  const packages = config.files.flatMap(
    (file) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(portable(file))?.[1] ?? [],
  )
  const extended = extendedChanges(old, now, paths, packages).filter(({ path }) => !judged.has(path))
  const unjudged = paths.filter((path) => !judged.has(path))
  const asked = unjudged.filter((path) => leavesOut(path) !== 'by path')
  const policies = policiesIn(reads, top, folders, config.settings, io)
  const ownFacts = reads.map((each) => [...sharedIds(each), ...fineExpiries(each)])
  const described = describedAnew(reads).flatMap(({ path, why }) => {
    const place = pathIn(top, path, io) ?? path
    return leavesOut(place) === 'by path' ? [] : [{ path: place, why }]
  })
  const others = await deploymentChanges(old, now, asked, policies, ownFacts, isSame, commits)
  const isAmongPolicies = amongPolicies(reads, [old, now], policies, top, io)
  // A pattern covers files of which no part is known, and none that a program may take for a policy.
  const counted = [...described, ...others].flatMap((change: DeploymentChange) => {
    if (leavesOut(change.path) !== 'by pattern') return [change]
    return change.isWithoutSign && !isAmongPolicies(change.path) ? [] : [{ ...change, why: `${change.why}${ofPatterns}` }]
  })
  const deployment = onePerFile([...changes, ...extended, ...counted])
  const explained = new Set(deployment.map(({ path }) => path))
  const unexplained = unjudged.filter((path) => !explained.has(path))
  const compared = new Set([...policies.files, ...policies.parts])
  const isOther = (path: string) => !compared.has(path)
  const [leftOut, open] = [unexplained.filter((path) => leavesOut(path)), unexplained.filter((path) => !leavesOut(path))]
  if (!isStrict) return { deployment, others: open.filter(isOther), ignored: leftOut.filter(isOther) }
  const mistakable = leftOut.filter((path) => leavesOut(path) === 'by pattern' && isAmongPolicies(path))
  const differs = [
    ...mistakable.map((path) => ({ path, why: `it is in a folder of policies and is not read as one${ofPatterns}` })),
    ...open.map((path) => ({ path, why: 'it differs, and `deployment.strict` counts it' })),
  ]
  const touched = [...new Set(commits.touched())].filter((path) => !explained.has(path))
  const covered = touched.filter((path) => leavesOut(path) === 'by pattern')
  const parts = new Set([...(await filesWithPart(old, covered, policies)), ...(await filesWithPart(now, covered, policies))])
  const changedBack = touched.filter((path) => !leavesOut(path) || parts.has(path))
  const restored = changedBack.map((path) => ({
    path,
    why: 'one commit changes it, another changes it back, and `deployment.strict` counts it',
  }))
  const unseen =
    commits.missing === undefined ? [] : [{ path: '.', why: `${commits.missing}, and \`deployment.strict\` counts what they change back` }]
  const ignored = leftOut.filter((path) => isOther(path) && !mistakable.includes(path))
  return { deployment: [...deployment, ...differs, ...restored, ...unseen], others: [], ignored }
}

const ofPatterns = ': only its whole path in `deployment.ignore` leaves it out, no pattern does'

/** Whether a file is in a folder of policies that are files of their own, and is not read as one in a state that has it. */
function amongPolicies(
  reads: readonly ReadFiles[],
  states: readonly [Repository, Repository],
  policies: Policies,
  tops: readonly string[],
  io: Io,
): (path: string) => boolean {
  const folders = new Set(policies.files.flatMap((path) => (isConfiguration(path) ? [] : folderOf(path))))
  const isBelow = (path: string) => {
    for (let folder = folderOf(path); ; folder = folderOf(folder)) {
      if (folders.has(folder)) return folder !== '' || folderOf(path) === ''
      if (folder === '') return false
    }
  }
  const read = reads.map(
    ({ each }) =>
      new Set(each.flatMap(({ source, read: { holdsPolicies } }) => (holdsPolicies ? (pathIn(tops, source.path, io) ?? []) : []))),
  )
  const there = states.map(({ paths }) => new Set(paths))
  return (path) => isBelow(path) && there.some((paths, i) => paths.has(path) && read[i]?.has(path) !== true)
}

/** That a commit is read at the paths of the configuration, and compared with policies that are elsewhere as well. */
export function sidesApart(
  sides: readonly (readonly string[])[],
  reads: readonly ReadFiles[],
  { policies }: Config,
  { cwd }: Io,
): readonly DeploymentChange[] {
  const isWhole = sides.map(([path]) => path !== undefined && gitPathOf(path) !== undefined && gitPathOf(path)?.path === undefined)
  if (policies === undefined || !isWhole.includes(true)) return []
  const configured = policies.map((path) => resolve(cwd, path))
  return reads.flatMap(({ each }, i) => {
    if (isWhole[i]) return []
    const outside = each.find(({ source, read }) => {
      const file = resolve(cwd, source.path)
      return read.facts.policies.length > 0 && !configured.some((path) => path === file || isWithin(file, path))
    })
    const shown = configured.map((path) => `\`${displayPath(path, cwd)}\``).join(', ')
    return outside ? [{ path: outside.source.path, why: `the commit is only read at ${shown}, as the configuration says` }] : []
  })
}

interface Compared {
  /** The base of the paths: absolute, with `/`; of two folders, the second. */
  readonly top: readonly string[]
  /** The folders that are named, from there. */
  readonly folders: readonly string[]
  readonly old: Repository
  readonly now: Repository
  /** The files that differ. */
  readonly paths: readonly string[]
  /** The commit, or the tree, that is BEFORE. */
  readonly since?: string | undefined
  readonly commits?: Commits
}

function statesOf(before: readonly string[], after: readonly string[], between: Commits | undefined, io: Io): Compared | undefined {
  const [a, b] = [placeOf(before, io), placeOf(after, io)]
  if (!a || !b) return undefined
  if (a.reference === undefined && b.reference === undefined)
    return a.folder === b.folder ? undefined : foldersCompared(a.folder, b.folder, io)
  const top = repositoryTop(io)
  if (!isWithin(a.folder, top) || !isWithin(b.folder, top)) return undefined
  const [from, to] = a.reference === undefined ? [b.reference, a.reference] : [a.reference, b.reference]
  const tree = objectOf(from as string, 'tree', io, `git:${from}`)
  const other = to === undefined ? [] : [objectOf(to, 'tree', io, `git:${to}`)]
  // Untracked files are not deployed: reports and plans of a pipeline, for example.
  const files = distinctNames(git(['diff', '--name-only', ...plainDiffOptions, tree, ...other, '--'], { ...io, cwd: top }))
  const linked = [commitTree(from as string, io), to === undefined ? indexTree(io) : commitTree(to, io)].map((each) => linkedIn(each, top))
  const paths = [...files, ...differing(linked)]
  const commits = between ?? commitsBetween(from as string, to, files, { ...io, cwd: top })
  if (paths.length === 0 && commits.messages === '' && commits.missing === undefined) return undefined
  const blobs = new Blobs(io)
  // By their ids: most files are the same on both sides.
  const contents = new Map<string, string>()
  const ofSide = (reference: string | undefined) =>
    reference === undefined
      ? onDisk(top, commitTree(from as string, io), paths, linked[1] as Linked, io)
      : inTree(commitTree(reference, io), top, blobs, contents, io)
  const named = [a, b].filter(({ isNamed }) => isNamed)
  const folders = named.length === 0 ? [''] : named.map(({ folder }) => portable(relative(top, folder)))
  return { top: [portable(top)], folders, old: ofSide(a.reference), now: ofSide(b.reference), paths, since: a.reference, commits }
}

interface Place {
  readonly reference: string | undefined
  /** Absolute. */
  readonly folder: string
  /** The folder is named, and not that of a commit as a whole. */
  readonly isNamed: boolean
}

/** Where a side is; undefined where it has no folder, of a commit or on the disk. */
function placeOf(paths: readonly string[], io: Io): Place | undefined {
  for (const path of paths.length === 0 ? ['.'] : paths) {
    const commit = gitPathOf(path)
    const folder = resolve(io.cwd, commit ? (commit.path ?? '.') : path)
    if (commit ? commit.path === undefined || notationOf(commit.path) === undefined : path !== '-' && kindAt(folder) === 'folder')
      return { reference: commit?.reference, folder, isNamed: !commit || commit.path !== undefined }
  }
  return undefined
}

/** The commits of other repositories that a tree has, by their paths. */
type Linked = ReadonlyMap<string, string>

const linkedIn = (tree: Tree, top: string): Linked =>
  new Map(
    [...tree].flatMap(([file, { mode, id }]) => (mode === repositoryMode && id !== undefined ? [[portable(relative(top, file)), id]] : [])),
  )

function differing([before, after]: readonly Linked[]): readonly string[] {
  const paths = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])
  return [...paths].filter((path) => before?.get(path) !== after?.get(path))
}

/** A commit as git keeps it. */
function inTree(tree: Tree, top: string, blobs: Blobs, contents: Map<string, string>, io: Io): Repository {
  const entries = new Map([...tree].map(([file, entry]) => [portable(relative(top, file)), entry]))
  const isSmall = (id: string) => (blobs.sizeOf(id) ?? 0) <= limits.file
  return new Repository({
    paths: [...entries.keys()],
    text: (path) => {
      const entry = entries.get(path)
      if (entry?.mode === repositoryMode) return `commit ${entry.id}`
      if (entry?.id === undefined || !isSmall(entry.id)) return undefined
      // Where a link leads is what it says.
      if (entry.mode === linkMode) return `link ${blobs.get(entry.id)?.toString('utf8') ?? ''}`
      const bytes = bytesOf(join(top, path), entry, blobs, 'none', io)
      if (bytes && !contents.has(entry.id)) contents.set(entry.id, wordsOf(bytes))
      return bytes && contents.get(entry.id)
    },
    isExecutable: (path) => entries.get(path)?.mode === executable,
    prefetch: (paths) => {
      const ids = paths.flatMap((path) => (entries.get(path)?.mode === repositoryMode ? [] : (entries.get(path)?.id ?? [])))
      blobs.measure(ids)
      blobs.fetch(ids.filter(isSmall))
    },
  })
}

/** The working folder: what a commit has, and what differs from it. */
function onDisk(top: string, tree: Tree, changed: readonly string[], linked: Linked, io: Io): Repository {
  const entries = new Map([...tree].map(([file, entry]) => [portable(relative(top, file)), entry]))
  const recorded = hasFileModes(io) ? undefined : indexTree(io)
  const knownPaths = [...entries.keys()]
  const differing = new Set(changed)
  // A file that cannot be opened by its name may be there.
  const isHere = (path: string) => isUnnameable(path) || kindAt(join(top, path)) !== 'missing'
  const paths = [...new Set([...knownPaths, ...changed])].filter((path) => !differing.has(path) || isHere(path))
  // On a disk without this mode, git uses the recorded one.
  const isExecutable = (path: string) => {
    if (!differing.has(path)) return entries.get(path)?.mode === executable
    return recorded ? recorded.get(join(top, path))?.mode === executable : mayRun(join(top, path))
  }
  const text = (path: string) => {
    const commit = linked.get(path)
    return commit === undefined ? textOf(join(top, path), io) : `commit ${commit}`
  }
  return new Repository({ paths, text, isExecutable })
}

/** Git's mode of an executable file. */
const executable = '100755'

/** Whether files on the disk say whether they are executable, and git asks them. */
const hasFileModes = (io: Io): boolean =>
  process.platform !== 'win32' &&
  gitEnd(['config', '--type=bool', '--get', 'core.fileMode'], io).stdout.toString('latin1').trim() !== 'false'

function mayRun(file: string): boolean {
  return ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o100) !== 0
}

function textOf(file: string, io: Io): string | undefined {
  const kind = kindAt(file)
  if (kind === 'link') return `link ${readlinkSync(file)}`
  if (kind !== 'file') return undefined
  const { bytes } = bytesAt(file, 'none', io)
  return bytes && wordsOf(bytes)
}

/** The text of a file, in any encoding: only words of ASCII are searched in it. */
function wordsOf(bytes: Buffer): string {
  const { text } = decode(bytes)
  if (text !== undefined) return text
  return bytes.includes(0) && /^(?:\xff\xfe|\xfe\xff)/.test(bytes.toString('latin1', 0, 2))
    ? bytes.toString('latin1').replaceAll('\0', '')
    : bytes.toString('latin1')
}

/** Two folders, each searched whole but for what no repository holds. */
function foldersCompared(before: string, after: string, io: Io): Compared {
  const [old, now] = [filesBelow(before), filesBelow(after)]
  const sides = [
    [before, old],
    [after, now],
  ] as const
  const [a, b] = sides.map(
    ([folder, files]) =>
      new Repository({ paths: files, text: (path) => textOf(join(folder, path), io), isExecutable: (path) => mayRun(join(folder, path)) }),
  ) as [Repository, Repository]
  for (const each of [a, b]) each.isCut = each.paths.length > mostFiles
  const paths = [...new Set([...old, ...now])].filter(
    (path) => a.text(path) !== b.text(path) || a.isExecutable(path) !== b.isExecutable(path),
  )
  return { top: [portable(before), portable(after)], folders: [''], old: a, now: b, paths }
}

/** How many files of a folder are compared. */
const mostFiles = 10 * limits.files

const neverDeployed: ReadonlySet<string> = new Set(['.git', 'node_modules'])

function filesBelow(folder: string): readonly string[] {
  const paths: string[] = []
  const open = ['']
  for (let inner = open.pop(); inner !== undefined; inner = open.pop()) {
    for (const entry of entriesIn(join(folder, inner))) {
      const path = inner === '' ? entry.name : `${inner}/${entry.name}`
      if (entry.isDirectory() && !neverDeployed.has(entry.name)) open.push(path)
      else if (entry.isFile()) paths.push(path)
    }
    if (paths.length > mostFiles) break
  }
  return paths
}

function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    throw new Refusal(`${folder}: cannot be listed: ${reason(error)}`, 'make it readable: what is in it may decide what is deployed')
  }
}

/** The first change of each file. */
const onePerFile = (changes: readonly DeploymentChange[]): readonly DeploymentChange[] =>
  [...new Map(changes.toReversed().map(({ path, why }) => [path, { path, why }])).values()].reverse()

/** The path of a file from the top of its repository; undefined where it is in none of them. */
function pathIn(tops: readonly string[], path: string, io: Io): string | undefined {
  const file = portable(resolve(io.cwd, path))
  const top = tops.find((each) => file.startsWith(`${each}/`))
  return top === undefined ? undefined : file.slice(top.length + 1)
}

/** The policies of both sides, as far as their deployment depends on them. */
function policiesIn(
  reads: readonly ReadFiles[],
  tops: readonly string[],
  compared: readonly string[],
  settings: Settings,
  io: Io,
): Policies {
  const holding = reads.flatMap(({ each }) => each.filter(({ read }) => read.holdsPolicies))
  const inRepository = (path: string) => pathIn(tops, path, io) ?? []
  const files = holding.flatMap(({ source }) => inRepository(source.path))
  const parts = (io.record?.coverage().read ?? []).filter(({ as }) => as === 'part').flatMap(({ path }) => inRepository(path))
  const policies = reads.flatMap(({ facts }) => facts.flatMap((each) => each.policies))
  const isNone = policies.length === 0
  const described = new Set(
    reads.flatMap(({ facts }) =>
      facts.flatMap((each) => [
        ...each.permissionsGroups.map(({ urn }) => urn.value.text),
        ...each.resourceGroups.map(({ urn }) => urn.value),
      ]),
    ),
  )
  const { brand, resourcePrefix = brand } = settings
  return {
    files: [...new Set(files)],
    folders: [...new Set(files.map(folderOf))],
    parts: [...new Set(parts)],
    compared,
    inTerraform: isNone || holding.some(({ read }) => read.kind === 'configuration'),
    inManifests: isNone || holding.some(({ read }) => read.kind === 'declared'),
    nameUnknown: policies.some(
      ({ permissionsGroups, resources, open }) =>
        open !== undefined ||
        permissionsGroups.some(({ value }) => !described.has(value.text)) ||
        resources.some(({ value }) => value.text.includes(':resourceGroup:') && !described.has(value.text)),
    ),
    groupNames: [
      ...new Set(
        policies.flatMap(({ identities }) =>
          identities.flatMap(({ value }) => (value.kind === 'group' && value.name !== '' ? [value.name] : [])),
        ),
      ),
    ],
    nameGroups: policies.some(({ identities, open }) => open !== undefined || identities.some(({ value }) => value.kind === 'group')),
    readTags: policies.some(({ condition }) => condition !== undefined && readsTags(condition)),
    brand,
    prefix: resourcePrefix,
  }
}

/** Policies with one id, or with one name in files that are sent as they are: the service has one of each. */
function sharedIds({ each }: ReadFiles): readonly Fact[] {
  const byId = new Map<string, Policy[]>()
  for (const policy of each.flatMap(({ read }) => (read.kind === 'policies' ? read.facts.policies : [])))
    for (const word of ['id', 'name']) {
      const id = field(policy.node, word)
      if (id?.kind === 'text') pushTo(byId, keyOf(word, id.value), policy)
    }
  return [...byId].flatMap(([id, policies]) => {
    const texts = policies.map(({ node }) => JSON.stringify(plainValue(node))).sort()
    const [first, second] = policies
    if (!first || !second || texts.every((text) => text === texts[0])) return []
    const [word, value] = JSON.parse(id) as readonly [string, string]
    const why = `its policy has the ${word} \`${value}\`, as the one in \`${first.span.source.path}\``
    return [fact(second.span.source, why, id, texts)]
  })
}

/** Ends of policies that are written more finely than they are compared. */
function fineExpiries({ each }: ReadFiles): readonly Fact[] {
  return each.flatMap(({ read }) =>
    read.facts.policies.flatMap(({ node, span }) => {
      const end = field(node, 'expiredAt')
      if (end?.kind !== 'text' || !/\.\d{3}\d*[1-9]/.test(end.value)) return []
      return [fact(span.source, `the end \`${end.value}\` is only compared to the millisecond`, JSON.stringify(plainValue(node)))]
    }),
  )
}
