import { pushTo } from '../collections.ts'
import { distinctAssumptions, type Skipped } from '../coverage.ts'
import { compareText, type Diagnostic, place } from '../diagnostic.ts'
import { folderOf, joinPath } from '../hcl/paths.ts'
import { policyIn } from '../hidden.ts'
import { keyOf } from '../keys.ts'
import { resourceWords, type Settings } from '../names.ts'
import { plainTreeOf } from '../parser/plain-tree.ts'
import { hiddenPolicy } from '../parser/policy.ts'
import { noFacts, type ReadExamples, type ReadSource, readText, type TextReaders, type UncreatedReading } from '../parser/read.ts'
import { syntaxError } from '../parser/reading.ts'
import { exampleNotationOf } from '../parser/tree.ts'
import { isExampleNotation, isHcl, type Source, sourceOf } from '../source.ts'
import { readableName } from '../tree.ts'
import { Zones } from '../zones.ts'
import {
  type Around,
  type ConfigurationFiles,
  type FencesRead,
  type FileRead,
  type Folders,
  type GivenFile,
  isMalformed,
  type ReadFiles,
  type TextGiven,
  together,
} from './files.ts'
import { isKustomization, type KustomizationFiles, kindsIn, kustomizationProblems } from './kustomization.ts'
import { isPointer, limits, mayHold, mayHoldPolicy, ownReason, type Problem } from './limits.ts'

/** Options of reading other than the settings. */
export interface ReadOptions {
  /** A file that is named may be a list of actions and nothing else. */
  readonly actionLists?: boolean
  /** The other files in the folders of configurations; without it, only the given files are read. */
  readonly folders?: Folders
  /** Gives again what was read of a source: for callers that read mostly the same sources many times. */
  readonly recall?: Recall
}

/**
 * Readers of notations that not every program needs: each is loaded when a text needs it. Without the reader of its notation a text is
 * not read; one that is named is then a problem.
 */
export interface Readers extends TextReaders {
  /** For a text of JSON or YAML, in place of the whole reading (`read`): may hand out policies that are read where their parts are asked for. */
  readonly usual?: (source: Source, settings: Settings, read: () => ReadSource | Promise<ReadSource>) => ReadSource | Promise<ReadSource>
  /** Of code blocks in documents, and of what commands of scripts are given. */
  readonly examples?: (source: Source, settings: Settings) => Promise<FencesRead>
  /** The same of a changed file, as long as nothing else in it has changed; undefined where something has. */
  readonly examplesAgain?: (before: Source, source: Source, settings: Settings) => Promise<ReadExamples | undefined>
  /** Of a file that is a list of actions and nothing else; undefined where it is none. */
  readonly actionList?: (source: Source, settings: Settings) => Promise<ReadExamples | undefined>
  /** Of the files of configurations of Terraform, which refer to one another. */
  readonly configurations?: (given: readonly GivenFile[], settings: Settings, folders?: Folders) => Promise<ConfigurationFiles>
  /** Of what manifests say of each other. */
  readonly applied?: (each: readonly FileRead[], around: readonly Around[], brand: string) => Promise<readonly FileRead[]>
}

/** The cached reading of a source, or else the result of `read`. */
export type Recall = <T>(source: Source, read: () => T | Promise<T>) => T | Promise<T>

const readAnew: Recall = (_, read) => read()

const noPolicy = 'holds no policy'
const notRead = 'this notation is not read here'

/**
 * Read sources to all that they say together: policies, groups, inventory, and what of it is not known. Never rejects for
 * what is in a text. The sources come one after the other, so that no more of them than necessary are held; one that could
 * not be read comes as the problem it is.
 */
export async function readSources(
  texts: Iterable<TextGiven | Problem | Promise<TextGiven | Problem>>,
  asked: Settings,
  readers: Readers,
  options: ReadOptions = {},
): Promise<ReadFiles> {
  const settings = { zones: new Zones(), namesRead: new Map(), ...asked }
  const { recall = readAnew } = options
  const each: FileRead[] = []
  const problems: Problem[] = []
  const passed: Skipped[] = []
  const configurations: (GivenFile & Pick<TextGiven, 'around'>)[] = []
  const kustomizations: TextGiven[] = []
  const manifests: Around[] = []
  const kinds = new Map<string, ReadonlySet<string> | undefined>()
  let isPartial = false
  let total = 0
  const add = ({ source, file, isNamed = false, isElsewhere = false }: TextGiven, read: ReadSource) => {
    each.push({ source, read, file: isElsewhere ? undefined : file })
    const isEmpty = isNamed && !read.holdsPolicies
    if (read.refused || (isEmpty && !isMalformed(read))) isPartial = true
    if (isEmpty && read.diagnostics.length === 0) problems.push({ path: source.path, message: noPolicy })
  }
  for (const next of texts) {
    // Nothing is waited for where nothing has to be: with many files the waiting would cost more than the reading.
    const one = next instanceof Promise ? await next : next
    if ('message' in one) {
      problems.push(one)
      continue
    }
    const { source, isNamed } = one
    const { path, text, notation } = source
    total += text.length
    if (total > limits.total) {
      problems.push({ path, message: `more than ${limits.total / 2 ** 20} MiB in all: this file and those after it are not read` })
      break
    }
    if (isKustomization(source)) kustomizations.push(one)
    if (one.file !== undefined && mayBeManifest(source)) manifests.push({ source, file: one.file })
    if (one.file !== undefined && text.includes('kind')) kinds.set(one.file, kindsIn(text))
    if (isPointer(text)) add(one, pointer(source))
    else if (one.isOwn) {
      const misplaced = await misplacedIn(source)
      if (misplaced) add(one, misplaced)
      else passed.push({ path, reason: ownReason })
    } else if (isHcl(notation) && !readers.configurations && mayConfigure(source, settings)) problems.push({ path, message: notRead })
    else if (notation === 'rules' && !readers.rules) problems.push({ path, message: notRead })
    else if (isHcl(notation)) configurations.push({ isNamed: false, isElsewhere: false, file: undefined, ...one })
    else if (!isNamed && notation !== 'rules' && !mayHoldPolicy(text)) passed.push({ path, reason: noPolicy })
    else if (isExampleNotation(notation)) {
      const { examples: read } = readers
      if (!read) {
        problems.push({ path, message: notRead })
        continue
      }
      const examples = await recall(source, () => read(source, settings))
      passed.push(...examples.passed)
      if (examples.refusal !== undefined) problems.push({ path, message: examples.refusal })
      if (isNamed || examples.read.holdsPolicies) add(one, examples.read)
      else passed.push({ path, reason: noPolicy })
    } else {
      const reading =
        notation === 'actions'
          ? undefined
          : recall(source, () => {
              const whole = () => readText(source, withAdjacentFiles(settings, one, options.folders), readers)
              return readers.usual ? readers.usual(source, settings, whole) : whole()
            })
      const read = reading instanceof Promise ? await reading : reading
      const list = isNamed && options.actionLists && !read?.holdsPolicies ? await readers.actionList?.(source, settings) : undefined
      if (list) add(one, list)
      // A file named as access rules is meant to hold some.
      else if (read && (isNamed || notation === 'rules' || read.holdsPolicies || looksBroken(read, source))) add(one, read)
      else if (isNamed) problems.push({ path, message: noPolicy })
      else passed.push({ path, reason: noPolicy })
    }
  }
  await addKustomizations(kustomizations, each, kinds, options)
  const { reads, roots, unread, assumptions, variables } = await readConfigurations(configurations, settings, readers, options)
  for (const { read, ...one } of reads) {
    const { path } = one.source
    if (read) add(one, read)
    else if (one.isNamed) problems.push({ path, message: otherPrefix(one.source, settings) ?? noPolicy })
    else passed.push(notOurs(one.source, settings))
  }
  const applied = each.some(({ read }) => read.kind === 'declared') ? await withManifests(each, manifests, settings, readers) : each
  return {
    ...together([...applied].sort((a, b) => compareText(a.source.path, b.source.path))),
    problems,
    passed,
    roots,
    unread: [...unread, ...roots.flatMap((root) => root.unread)],
    assumptions: distinctAssumptions([
      ...each.flatMap(({ read }) => read.assumptions ?? []),
      ...assumptions,
      ...roots.flatMap((root) => root.assumptions),
    ]),
    ...(variables && { variables }),
    isPartial: isPartial || problems.length > 0,
  }
}

/** Whether a text may be a manifest of Kubernetes, or a kustomization, by a glance. */
function mayBeManifest(source: Source): boolean {
  return source.text.includes('apiVersion') || isKustomization(source)
}

async function withManifests(
  each: readonly FileRead[],
  manifests: readonly Around[],
  settings: Settings,
  { applied }: Readers,
): Promise<readonly FileRead[]> {
  const { brand, resourcePrefix = brand } = settings
  return applied ? applied(each, manifests, resourcePrefix) : each
}

/** The settings for a source that may depend on files next to it, as a program of Pulumi does. */
function withAdjacentFiles(settings: Settings, { source, file, around }: TextGiven, folders: Folders | undefined): Settings {
  const filesAround = around ?? folders
  if (!filesAround || file === undefined || source.notation !== 'yaml' || !source.text.includes('resources')) return settings
  const folder = folderOf(file)
  const read = (path: string) => {
    const found = filesAround.read(joinPath(folder, path))
    return typeof found === 'object' ? found.text : undefined
  }
  return { ...settings, adjacent: { names: () => filesAround.list(folder), read } }
}

/** Adds the problems of kustomizations that change policies which were read without them. */
async function addKustomizations(
  texts: readonly TextGiven[],
  each: FileRead[],
  kinds: ReadonlyMap<string, ReadonlySet<string> | undefined>,
  { folders }: ReadOptions,
): Promise<void> {
  if (texts.length === 0) return
  const ours = new Set(
    each.flatMap(({ read }) => (read.kind === 'declared' ? read.addresses.map(({ address }) => address.split('/', 1)[0] as string) : [])),
  )
  for (const { source, file, around = folders } of texts) {
    const kustomizationFiles: KustomizationFiles = {
      ours,
      kindsOf: (path) => kinds.get(path),
      textOf: (path) => {
        const found = around?.read(path)
        return typeof found === 'object' ? found.text : undefined
      },
    }
    const problems = await kustomizationProblems(source, file, kustomizationFiles)
    if (problems.length === 0) continue
    const readIndex = each.findIndex((read) => read.source === source)
    const readBefore = each[readIndex]
    const read = readBefore ? { ...readBefore.read, diagnostics: [...readBefore.read.diagnostics, ...problems] } : unread(problems)
    if (readBefore) each[readIndex] = { ...readBefore, read }
    else each.push({ source, read, file })
  }
}

/** Files of configurations, read together with those of the same commit, or with those in their folders on the disk. */
async function readConfigurations(
  givenFiles: readonly (GivenFile & Pick<TextGiven, 'around'>)[],
  settings: Settings,
  readers: Readers,
  { folders }: ReadOptions,
): Promise<ConfigurationFiles> {
  const apart = new Map<Folders | undefined, GivenFile[]>()
  for (const { around = folders, ...each } of givenFiles) pushTo(apart, around, each)
  const all: ConfigurationFiles[] = []
  for (const [around, files] of apart) all.push(await readTogether(files, settings, around, readers))
  if (all.length === 1) return all[0] as ConfigurationFiles
  const variables = all.flatMap((each) => each.variables ?? [])
  const declared = variables.map((each) => each.declared)
  return {
    reads: all.flatMap(({ reads }) => reads),
    roots: all.flatMap(({ roots }) => roots),
    unread: all.flatMap(({ unread }) => unread),
    assumptions: all.flatMap(({ assumptions }) => assumptions),
    ...(variables[0] && {
      variables: {
        diagnostics: variables[0].diagnostics,
        declared: declared.includes(undefined) ? undefined : declared.flatMap((names) => names ?? []),
      },
    }),
  }
}

/** Whether a file may be part of a configuration with policies, by the words in it. */
function mayConfigure({ text }: Source, settings: Settings): boolean {
  return resourceWords(settings).some((word) => mayHold(text, word)) || text.includes('module')
}

/** None of the files is parsed where no word of theirs asks for it. */
async function readTogether(
  givenFiles: readonly GivenFile[],
  settings: Settings,
  folders: Folders | undefined,
  { configurations }: Readers,
): Promise<ConfigurationFiles> {
  const isOurs = givenFiles.some(({ source }) => mayConfigure(source, settings))
  // Other files of the folder may refer to policies that a named file does not mention.
  if (!isOurs || !configurations)
    return { reads: givenFiles.map((each) => ({ ...each, read: undefined })), roots: [], unread: [], assumptions: [] }
  return configurations(givenFiles, settings, folders)
}

/** A file of a configuration without policies. One of the form of ours, with another prefix, is probably meant to be read. */
function notOurs(source: Source, settings: Settings): Skipped {
  const { path, text } = source
  const hint = /^[ \t]*identities[ \t]*=/m.test(text) ? otherPrefix(source, settings) : undefined
  return hint === undefined ? { path, reason: noPolicy } : { path, reason: hint, isOfOtherPrefix: true }
}

/** The message about a file with resources of another prefix. */
function otherPrefix({ text }: Source, { brand, resourcePrefix = brand }: Settings): string | undefined {
  const other = /"([a-z][a-z0-9]*)_iam_(?:policy|permissions_group|resource_group)"/.exec(text)?.[1]
  if (other === undefined || other === resourcePrefix) return undefined
  return `${noPolicy}: it has \`${other}_iam_…\`, and \`${resourcePrefix}_iam_…\` is what is read. Set \`brand\`, or \`prefix\` under \`terraform\`, in the configuration`
}

/** The report about a file with one of the tool's own names that holds a policy, or may hold one; undefined where it holds none. */
async function misplacedIn(source: Source): Promise<ReadSource | undefined> {
  if (!mayHoldPolicy(source.text)) return undefined
  const { documents, diagnostics, refused } = await plainTreeOf(source)
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  // A file that could not be read to the end may hold one there.
  if (refused || errors.some(({ code }) => code === 'syntax')) return unread(errors)
  const hidden = documents.map((document) => policyIn(document)).find((each) => each !== undefined)
  if (!hidden) return undefined
  const { message, ...rest } = hiddenPolicy(hidden)
  return unread([{ ...rest, message: `${message}: the name of the file is one of grantwise's own` }])
}

/** A source of which nothing is read, and why. */
function unread(diagnostics: readonly Diagnostic[]): ReadSource {
  return { kind: 'policies', facts: noFacts, diagnostics, refused: false, holdsPolicies: false, resemblesPolicies: true, ignores: [] }
}

/** A file that only points to its content: what is deployed is not here. */
function pointer(source: Source): ReadSource {
  const end = source.text.search(/[\r\n]|$/)
  const problem = syntaxError(
    source,
    0,
    end,
    'a pointer of Git LFS: what the file holds is not here',
    'fetch it with `git lfs pull`, or keep policies out of Git LFS: in a commit there is only the pointer',
  )
  return unread([problem])
}

/**
 * Whether a file that was found and holds no policy is reported nevertheless: when it has URNs and is not well-formed, or looks
 * as if it were meant to hold one: the broken part may hide a deny.
 */
function looksBroken(read: ReadSource, { path, text }: Source): boolean {
  if (read.hidesPolicies || (read.resemblesPolicies && text.includes('urn:v1:'))) return true
  // Anchors and tags are usual in pipelines, which apply policies by their commands only: these are read where that is asked for.
  if (exampleNotationOf(path) === 'steps' && sourceOf(path, text, 'steps').notation === 'steps') return false
  const isWrong = isMalformed(read) || read.diagnostics.some((each) => each.code === 'stray-character' && each.severity === 'error')
  const isEscaped = ['\\u', '\\x', '\\U'].some((sign) => text.includes(sign))
  return isWrong && (isEscaped || (text.includes('urn:v1:') && ownKey.test(text)))
}

/**
 * The keys of policies, groups and inventories, or a word that goes on in the next line, which may be one. A text without is none of them,
 * such as a pipeline with anchors that calls `grantwise can URN`.
 */
const ownKey =
  /\b(?:identities|resources|permissions|policies|resourceGroups|permissionsGroups|accessRules)\b|\burn["']?\s*:(?!v\d)|[A-Za-z]\\[\r\n]/

/** Resources that configurations describe and do not create, each once and in order. */
export function uncreatedIn(reads: readonly Pick<ReadFiles, 'each'>[]): readonly UncreatedReading['each'][number][] {
  const all = reads.flatMap(({ each }) => each.flatMap(({ read }) => uncreatedOf(read)?.each ?? []))
  const byName = new Map(all.map((each) => [keyOf(place(each.head), each.address, each.why), each]))
  return [...byName.values()].sort(
    (a, b) => compareText(a.head.source.path, b.head.source.path) || a.head.start - b.head.start || compareText(a.address, b.address),
  )
}

export function uncreatedOf(read: ReadSource): UncreatedReading | undefined {
  return read.kind === 'configuration' ? read.uncreated : undefined
}

/** The unknown values by their symbols: the expressions that give them, as users see them. */
export function unknownSymbolsIn({ each }: Pick<ReadFiles, 'each'>): ReadonlyMap<string, string> {
  const unknowns = each.flatMap(({ read: { open } }) => open?.unknowns ?? []).filter(({ isName }) => !isName)
  return new Map(unknowns.map(({ scope, id, expression }) => [keyOf(scope, id ?? expression), readableName(expression)]))
}

/** The values that are not known, by the expressions that give them; sorted, each once. */
export function unknownIn({ each }: Pick<ReadFiles, 'each'>): readonly string[] {
  const names = each.flatMap(({ read: { open } }) => open?.unknowns ?? []).filter(({ isName }) => !isName)
  return [...new Set(names.map(({ expression }) => expression))].sort(compareText)
}
