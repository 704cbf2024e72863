import { compareText, type Diagnostic, withoutDuplicates } from '../diagnostic.ts'
import { glob, matches } from '../glob.ts'
import type { Bodies } from '../hcl/around.ts'
import { readHclJson } from '../hcl/json.ts'
import { type Assigned, type Configuration, type Folder, neverApplied, readConfiguration } from '../hcl/module.ts'
import { readHcl } from '../hcl/parse.ts'
import { folderOf, joinPath, nameIn } from '../hcl/paths.ts'
import { readingOf, sourcesOf, uncreatedReadingOf } from '../hcl/read.ts'
import { type InstalledModule, installedModules, isLocalSource } from '../hcl/remote.ts'
import type { Block, HclFile } from '../hcl/syntax.ts'
import type { Tools } from '../hcl/tools.ts'
import { byCharacters } from '../hcl/values.ts'
import { resourceWord, resourceWords, type Settings, type Variables, visible } from '../names.ts'
import { settled } from '../parser/memberships.ts'
import type { ReadConfigured } from '../parser/read.ts'
import { toPolicies } from '../parser/read-open.ts'
import { isHcl, notationOf, type Source, sourceOf } from '../source.ts'
import type { ConfigurationFiles, Folders, GivenFile, RootModule } from './files.ts'
import { limits, mayHold } from './limits.ts'

/** Nothing but what is given. */
const noFolders: Folders = {
  cwd: '',
  top: '',
  nameOf: (path) => path || '.',
  list: () => [],
  read: () => undefined,
  tools: async (texts) =>
    texts.some((text) => text.includes('yamldecode')) ? { readYaml: (await import('../parser/yaml.ts')).readYaml } : {},
}

/** A file of a folder, as text. */
interface File {
  readonly source: Source
  readonly file: string
  readonly given: GivenFile | undefined
}

/**
 * Read configurations: the folders of the files that were given, each with all its files, and the local modules they call.
 * The text of a folder decides whether any of it is parsed. Files that were not given are read for their values alone;
 * they are in the answer where something is wrong in them, or what they say is part of a policy.
 */
export async function readConfigurationFiles(
  givenFiles: readonly GivenFile[],
  settings: Settings,
  around: Folders = noFolders,
): Promise<ConfigurationFiles> {
  const gathered = gather(givenFiles, around)
  const relevant = relevantFolders(gathered, settings)
  const notRead = givenFiles.map((each) => ({ ...each, read: undefined }))
  if (!relevant) return { reads: notRead, roots: [], unread: [], assumptions: [] }
  const project = await parseFolders(givenFiles, gathered, relevant, settings, around)
  const roots = rootFolders(project)
  const values = settings.variables && assignedIn(settings.variables, around)
  const evaluated = withIdleModules(evaluate(project, roots, values?.assigned), project)
  const reads = await readingsOf(project, evaluated)
  const withHidden = [...reads, ...without(await hiddenReads(givenFiles, settings, around), reads)]
  return {
    reads: [...withHidden, ...without(notRead, withHidden)],
    roots: rootModules(evaluated.configurations, project),
    unread: unreadIn(project),
    assumptions: [],
    ...(values && { variables: { diagnostics: values.diagnostics, declared: declaredIn(roots.map((path) => project.parsed.get(path))) } }),
  }
}

type ConfigurationRead = ConfigurationFiles['reads'][number]

/** The readings of sources that others are not about. */
function without(reads: readonly ConfigurationRead[], others: readonly ConfigurationRead[]): readonly ConfigurationRead[] {
  const sources = new Set(others.map(({ source }) => source))
  return reads.filter(({ source }) => !sources.has(source))
}

/** The folders that lead to policies, by their text. */
interface Relevant {
  readonly scans: ReadonlyMap<string, QuickScan>
  /** Those with files that were given, in order. */
  readonly wanted: readonly string[]
  /** All of them, with the modules that they call. */
  readonly needed: ReadonlySet<string>
  /** Whether the settings say of a module from elsewhere that it holds no policies. */
  readonly holdsNone: (source: string) => boolean
}

/** Undefined where no folder of a given file leads to policies. */
function relevantFolders({ folders, unpacked }: Gathered, settings: Settings): Relevant | undefined {
  const words = resourceWords(settings)
  const patterns = (settings.modulesWithoutPolicies ?? []).map(glob)
  const holdsNone = (source: string) => patterns.some((pattern) => matches(pattern, source))
  const unpackedIn = (path: string) => [...(unpacked.get(path)?.values() ?? [])].map((each) => each.path)
  const scans = new Map([...folders].map(([path, files]) => [path, quickScan(files, path, words, unpackedIn(path), holdsNone)] as const))
  const relevant = [...folders.keys()].filter((path) => referencesGrants(path, scans))
  const wanted = relevant.filter((path) => hasGiven(folders.get(path))).sort(compareText)
  if (wanted.length === 0) return undefined
  return { scans, wanted, needed: new Set(relevant.flatMap((path) => [...closure(path, scans)])), holdsNone }
}

const hasGiven = (files: readonly File[] = []) => files.some(({ given }) => given)

/** The relevant folders with their files parsed. */
interface Project extends Gathered, Relevant {
  readonly settings: Settings
  readonly around: Folders
  readonly parsed: ReadonlyMap<string, Folder>
  readonly tools: Tools
}

async function parseFolders(
  givenFiles: readonly GivenFile[],
  gathered: Gathered,
  relevant: Relevant,
  settings: Settings,
  around: Folders,
): Promise<Project> {
  const parsed = new Map<string, Folder>()
  for (const [path, files] of gathered.folders)
    if (relevant.needed.has(path)) parsed.set(path, parse(path, files, around, settings, gathered.isComplete))
  const texts = [...parsed.values()].flatMap(({ files }) => files.map(({ source }) => source.text))
  // A file from a commit or standard input is not in its folder on the disk.
  const tools = await around.tools(texts, givenFiles.some((each) => isElsewhere(each, around)) ? [] : [...parsed.keys()])
  return { ...gathered, ...relevant, settings, around, parsed, tools }
}

/** The wanted folders that no other folder calls. */
function rootFolders({ folders, scans, wanted }: Project): readonly string[] {
  const called = new Set([...scans].flatMap(([path, { calls }]) => calls.filter((each) => each !== path)))
  return wanted.filter((path) => !called.has(path) || isAlwaysRoot(folders.get(path) ?? []))
}

/** The configurations of the wanted folders, by their root modules. */
function evaluate(project: Project, roots: readonly string[], assigned: Assigned | undefined): ReadonlyMap<string, Configuration> {
  const { folders, wanted } = project
  const configurations = new Map<string, Configuration>()
  const bodies: Bodies = new Map()
  const add = (path: string) => {
    const configuration = configurationAt(path, project, bodies, assigned)
    if (configuration) configurations.set(path, configuration)
  }
  for (const path of roots) add(path)
  for (let next = unreached(project, configurations); next.length > 0; next = unreached(project, configurations)) next.forEach(add)
  // Who calls one of them no times has not applied it.
  const made = new Set([...configurations.values()].flatMap((each) => [...each.made]))
  for (const path of wanted) if (!configurations.has(path) && !made.has(path) && isCertainlyRoot(folders.get(path) ?? [])) add(path)
  return configurations
}

/**
 * The wanted folders that no configuration reaches and none of them calls, or one of them where they call one another: folders that
 * only call one another in a circle have no root, and what looks like a call may be none, as in a comment.
 */
function unreached({ scans, wanted }: Project, configurations: ReadonlyMap<string, Configuration>): readonly string[] {
  const reached = new Set([...configurations.values()].flatMap((each) => [...each.called]))
  const rest = wanted.filter((path) => !configurations.has(path) && !reached.has(path))
  const below = new Set(rest.flatMap((path) => (scans.get(path)?.calls ?? []).filter((each) => each !== path)))
  const uncalled = rest.filter((path) => !below.has(path))
  return uncalled.length > 0 ? uncalled : rest.slice(0, 1)
}

function configurationAt(
  path: string,
  { settings, around, folders, unpacked, parsed, tools, holdsNone }: Project,
  bodies: Bodies,
  assigned: Assigned | undefined,
): Configuration | undefined {
  const folder = parsed.get(path)
  const installed = unpacked.get(path)
  return (
    folder &&
    readConfiguration(folder, parsed, {
      prefix: settings.resourcePrefix ?? settings.brand,
      tools,
      ...(installed && { unpacked: installed }),
      holdsNone,
      bodies,
      isModule: mayBeModule(folder, folders.get(path) ?? [], around),
      ...(assigned && { assigned }),
    })
  )
}

/** The configurations with what of them policies are made of. */
interface Evaluated {
  /** By their root modules. */
  readonly configurations: ReadonlyMap<string, Configuration>
  /** These, and modules that no configuration calls. */
  readonly all: readonly Configuration[]
  /** The sources that policies take values from. */
  readonly used: ReadonlySet<Source>
  /** The sources with resources of ours, created or not. */
  readonly described: ReadonlySet<Source>
}

/** The readings of the files of wanted folders, and of others with resources of ours. */
async function readingsOf(project: Project, evaluated: Evaluated): Promise<readonly ConfigurationRead[]> {
  const reads: ConfigurationRead[] = []
  for (const [path, folder] of project.parsed) {
    if (!project.wanted.includes(path) && !folder.files.some(({ source }) => evaluated.described.has(source))) continue
    for (const file of [...folder.files, ...folder.values]) {
      const read = await fileRead(file, path, project, evaluated)
      if (read) reads.push(read)
    }
  }
  return reads
}

/** The reading of one file; undefined where it was not asked for and matters to no policy. */
async function fileRead(
  file: HclFile,
  path: string,
  { folders, settings }: Project,
  { configurations, all, used }: Evaluated,
): Promise<ConfigurationRead | undefined> {
  const files = folders.get(path) ?? []
  const { file: place, given } = files.find(({ source }) => source === file.source) ?? {}
  const isPart = used.has(file.source)
  // Of a folder of which only some files were given, the policies in the others are not asked for.
  const isAsked = given !== undefined || !hasGiven(files)
  if (!given?.isNamed && !isPart && readingOf(file, all).diagnostics.length === 0) return undefined
  const readIn = (some: readonly Configuration[]) => policiesIn(file, some, { isAsked, isPart }, settings)
  const result = await readIn(all)
  const apart = new Map<string, ReadConfigured>()
  if (configurations.size > 1) {
    const parts = [...configurations].filter(([root, { called }]) => root === path || called.has(path))
    for (const [root, configuration] of parts) apart.set(root, parts.length === 1 ? result : await readIn([configuration]))
  }
  const diagnostics = withoutDuplicates([...apart.values()].flatMap((each) => each.diagnostics))
  return {
    source: file.source,
    file: given?.isElsewhere ? undefined : place,
    isNamed: given?.isNamed === true,
    read: apart.size > 0 ? { ...result, diagnostics, configurations: apart } : result,
  }
}

/** The policies that a file describes in some configurations. `isPart`: policies take values from it. */
async function policiesIn(
  file: HclFile,
  some: readonly Configuration[],
  { isAsked, isPart }: { readonly isAsked: boolean; readonly isPart: boolean },
  settings: Settings,
): Promise<ReadConfigured> {
  const reading = readingOf(file, some)
  const result = await toPolicies(file.source, isAsked ? reading : { ...reading, documents: [], unknowns: [] }, settings)
  const { each, ...never } = uncreatedReadingOf(file, some)
  const uncreated = isAsked && each.length > 0 ? { ...(await toPolicies(file.source, never, settings)), each } : undefined
  const memberships = isAsked ? some.flatMap((configuration) => configuration.memberships.get(file.source) ?? []) : []
  const facts = { ...result.facts, memberships, settle: settled }
  // A file that is named and only gives values to policies is one of those that were meant.
  const holds = result.holdsPolicies || isPart
  const declares = declaresPolicies(file, settings)
  return { ...result, facts, kind: 'configuration', holdsPolicies: holds, declaresPolicies: declares, ...(uncreated && { uncreated }) }
}

function declaresPolicies({ body }: HclFile, settings: Settings): boolean {
  const word = resourceWord(settings)
  return body?.blocks.some(({ type, labels: [label = ''] }) => type === 'resource' && label.startsWith(word)) === true
}

/** The problems of links that are not followed, and of files that only one of the programs applies. */
function unreadIn({ folders, links, needed, settings }: Project): readonly Diagnostic[] {
  return [
    ...links.filter(({ path }) => needed.has(path)).flatMap((link) => linkProblem(link, folders)),
    ...[...needed].flatMap((path) => programProblems(folders.get(path) ?? [], settings)),
  ]
}

/**
 * The configurations without the modules that are not called: folders below `modules`, as in the recommended layout, with nothing that
 * only a root module has. Where there is no other root module they are what was asked about, and stay.
 */
function withIdleModules(evaluated: ReadonlyMap<string, Configuration>, { folders, around }: Project): Evaluated {
  const isIdle = ([path, { isDeployed }]: readonly [string, Configuration]) =>
    !isDeployed && isBelowModules(path, around) && !isCertainlyRoot(folders.get(path) ?? [])
  const applied = [...evaluated].filter((each) => !isIdle(each))
  const configurations = applied.length > 0 ? new Map(applied) : evaluated
  const idle = [...evaluated].flatMap(([path, configuration]) =>
    configurations.has(path) ? [] : [neverApplied(configuration, `no configuration that is read calls \`${around.nameOf(path)}\``)],
  )
  const all = [...configurations.values(), ...idle]
  return {
    configurations,
    all,
    used: new Set(all.flatMap((each) => [...sourcesOf(each)])),
    described: new Set(all.flatMap((each) => [...each.found.keys(), ...each.uncreated.keys(), ...each.memberships.keys()])),
  }
}

/**
 * Whether a folder may be a module that others call: it has nothing that only a root module has, and is at the usual place of
 * modules or needs a value that nothing in it gives.
 */
function mayBeModule({ path, files: read }: Folder, files: readonly File[], around: Folders): boolean {
  if (isCertainlyRoot(files)) return false
  const needs = ({ type, body }: Block) => type === 'variable' && !body.attributes.some(({ name }) => name === 'default')
  return isBelowModules(path, around) || read.some(({ body }) => body?.blocks.some(needs))
}

const isBelowModules = (path: string, { nameOf }: Folders) => /(?:^|\/)modules\//.test(nameOf(path))

const isCertainlyRoot = (files: readonly File[]) =>
  files.some(({ file, source }) => valuesName.test(nameIn(file)) || rootOnly.test(source.text))

/** Whether files are only of use in a root module: calling their folder as a module would be another configuration. */
const isAlwaysRoot = (files: readonly File[]) =>
  files.some(({ file, source }) => valuesName.test(nameIn(file)) || keepsState.test(source.text))

const keepsState = /^[ \t]*(?:backend[ \t]+"|cloud[ \t]*\{|"backend"[ \t]*:)/m

/** Blocks that only a root module has: the place of the state, and the configuration of the provider. */
const rootOnly = /^[ \t]*(?:provider[ \t]+"|backend[ \t]+"|cloud[ \t]*\{|"(?:provider|backend)"[ \t]*:)/m

/** The configurations that were read, by the folders that they begin in. */
function rootModules(configurations: ReadonlyMap<string, Configuration>, { scans, around: { nameOf } }: Project): readonly RootModule[] {
  const callers = new Map<string, number>()
  const modules = (called: ReadonlySet<string>) => [...called].filter((path) => referencesGrants(path, scans))
  for (const [root, { called }] of configurations)
    for (const path of new Set([root, ...modules(called)])) callers.set(path, (callers.get(path) ?? 0) + 1)
  return [...configurations]
    .map(([path, { called, unread, assumptions }]) => ({
      path,
      name: nameOf(path),
      isVariant: [path, ...modules(called)].some((each) => (callers.get(each) ?? 0) > 1),
      unread,
      assumptions,
    }))
    .sort((a, b) => compareText(a.path, b.path))
}

/** Values of variables that the run gives. */
function assignedIn(
  { environment, files, given }: Variables,
  { values = (source) => source }: Folders,
): {
  readonly assigned: Assigned
  readonly diagnostics: readonly Diagnostic[]
} {
  const here = files.flatMap((source) => values(source) ?? [])
  const read = here.map((source) => (source.notation === 'hcl-json' ? readHclJson(source, true) : readHcl(source, undefined)))
  return { assigned: { environment, files: read, given }, diagnostics: read.flatMap(({ diagnostics }) => diagnostics) }
}

/** The variables that root modules declare; undefined where not all of them could be read. */
function declaredIn(roots: readonly (Folder | undefined)[]): readonly string[] | undefined {
  if (roots.length === 0 || !roots.every((root) => root?.files.every(({ body }) => body !== undefined))) return undefined
  const blocks = roots.flatMap((root) => root?.files.flatMap(({ body }) => body?.blocks ?? []) ?? [])
  return blocks.flatMap(({ type, labels }) => (type === 'variable' ? labels : []))
}

/** The file that OpenTofu takes in the place of one of Terraform. */
function inOpenTofu(name: string): string | undefined {
  return /\.tf(\.json)?$/.test(name) ? name.replace(/\.tf(\.json)?$/, '.tofu$1') : undefined
}

const isOfOpenTofu = (name: string) => /^(?!\.).*\.tofu(\.json)?$/.test(name)

/** Problems with files that only one of the programs applies, or that they read differently, where the program is not specified. */
function programProblems(files: readonly File[], { program }: Settings): readonly Diagnostic[] {
  if (program !== undefined) return []
  const inTerraform = new Map(files.flatMap((each) => (inOpenTofu(nameIn(each.file)) ? [[inOpenTofu(nameIn(each.file)), each]] : [])))
  if (inTerraform.size === 0) return []
  return files.flatMap(({ source, file }): readonly Diagnostic[] => {
    if (!isOfOpenTofu(nameIn(file))) return []
    const other = inTerraform.get(nameIn(file))
    if (other && other.source.text === source.text) return []
    const ownPath = visible(source.path)
    return [
      {
        code: 'syntax',
        severity: 'error',
        message: other
          ? `Terraform applies \`${visible(other.source.path)}\`, and OpenTofu \`${ownPath}\` in its place: which of the two allows and denies is not known`
          : `OpenTofu applies \`${ownPath}\` with the \`.tf\` files next to it, and Terraform without: whether what it allows and denies applies is not known`,
        span: { source: (other ?? { source }).source, start: 0, end: 0 },
        help: 'say which program it is: `program: terraform` or `program: opentofu` under `terraform` in the configuration',
      },
    ]
  })
}

/**
 * The readings of files that OpenTofu replaces with others: Terraform applies them, and the program is not specified. Nothing is
 * decided over them together, and each is a separate world.
 */
async function hiddenReads(givenFiles: readonly GivenFile[], settings: Settings, around: Folders): Promise<ConfigurationFiles['reads']> {
  if (settings.program !== undefined) return []
  const pathOf = ({ file, source }: GivenFile) => file ?? joinPath(around.cwd, source.path)
  const paths = new Set(givenFiles.map(pathOf))
  const isHidden = (each: GivenFile) => {
    const [folder, other] = [folderOf(pathOf(each)), inOpenTofu(nameIn(pathOf(each)))]
    return (
      other !== undefined && (paths.has(joinPath(folder, other)) || (!isElsewhere(each, around) && around.list(folder).includes(other)))
    )
  }
  const hidden = new Set(givenFiles.filter(isHidden).map(({ source }) => source))
  if (hidden.size === 0) return []
  const { reads } = await readConfigurationFiles(givenFiles, { ...settings, program: 'terraform' }, around)
  return reads.flatMap((each): ConfigurationFiles['reads'] => {
    const { read } = each
    if (!hidden.has(each.source) || read?.kind !== 'configuration') return []
    const { facts, diagnostics, open } = read
    return [{ ...each, read: { ...read, kind: 'examples', apart: [{ facts, diagnostics, ...(open && { open }) }] } }]
  })
}

/** The problem of a link to a file, which is part of this folder, and has its names, wherever else it is read. */
function linkProblem({ path, name }: Link, folders: ReadonlyMap<string, readonly File[]>): readonly Diagnostic[] {
  const source = folders.get(path)?.[0]?.source
  if (!source) return []
  const link = joinPath(folderOf(source.path), name)
  return [
    {
      code: 'syntax',
      severity: 'error',
      message: `\`${visible(link)}\`, a file of the same folder, is a symbolic link, which is not followed: what it allows and forbids here is not known`,
      span: { source, start: 0, end: 0 },
      help: 'put the file itself there, or make what it holds a module',
    },
  ]
}

/** A file of a folder that is a symbolic link. */
interface Link {
  readonly path: string
  readonly name: string
}

/** The remaining limits for reading further files. */
interface Budget {
  left: number
  files: number
  readonly links: Link[]
  /** Something that is there was not read. */
  isShort: boolean
}

/** The names of files that are part of a configuration, and of those with values that are read without being asked for. */
const configurationName = /^(?!\.).*\.(tf|tofu)(\.json)?$/
const valuesName = /^(terraform\.tfvars|.*\.auto\.tfvars)(\.json)?$/

interface Gathered {
  readonly folders: ReadonlyMap<string, readonly File[]>
  readonly isComplete: boolean
  readonly links: readonly Link[]
  /** The unpacked modules from elsewhere, by the folders that they are unpacked for. */
  readonly unpacked: ReadonlyMap<string, ReadonlyMap<string, InstalledModule>>
}

/** A name for a text in no file: of standard input, and of an editor that has not saved it, one of a configuration. */
function placeNameOf({ path, notation }: Source): string {
  return isHcl(notationOf(path)) ? path : `${nameIn(path)}${notation === 'hcl' ? '.tf' : '.tf.json'}`
}

/** The folders of the files that were given, with what else is in them; and the folders of local modules, as far as they are there. */
function gather(givenFiles: readonly GivenFile[], around: Folders): Gathered {
  const folders = new Map<string, File[]>()
  const isApart = givenFiles.some((each) => isElsewhere(each, around))
  const unpacked = new Map<string, ReadonlyMap<string, InstalledModule>>()
  for (const each of givenFiles) {
    const { source } = each
    const file = each.file ?? joinPath(around.cwd, placeNameOf(source))
    const path = folderOf(file)
    const files = folders.get(path) ?? []
    folders.set(path, files)
    files.push({ source, file, given: each })
  }
  const budget: Budget = { left: limits.total, files: limits.files, links: [], isShort: false }
  if (!isApart) for (const [path, files] of folders) addOthers(path, files, around, budget)
  const { top } = around
  const open = [...folders.keys()]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const ownFiles = folders.get(path) ?? []
    const fetched = !isApart && ownFiles.some(({ source: { text } }) => callsElsewhere(text)) ? unpackedAt(path, around) : undefined
    if (fetched) unpacked.set(path, fetched)
    for (const target of [...callsIn(ownFiles, path), ...[...(fetched?.values() ?? [])].map((each) => each.path)]) {
      if (folders.has(target) || isApart || !(target === top || target.startsWith(`${top}/`))) continue
      const files: File[] = []
      addOthers(target, files, around, budget)
      folders.set(target, files)
      open.push(target)
    }
  }
  return { folders, isComplete: !budget.isShort && budget.left >= 0 && budget.files > 0, links: budget.links, unpacked }
}

/** The modules that `terraform init` has unpacked for a folder. */
function unpackedAt(path: string, { read }: Folders): ReadonlyMap<string, InstalledModule> | undefined {
  const modulesFile = read(`${path}/.terraform/modules/modules.json`)
  if (typeof modulesFile !== 'object') return undefined
  return installedModules(modulesFile.text, path)
}

/** Whether what was given is not what its folder holds. */
function isElsewhere(given: GivenFile, { isSameState = false }: Folders): boolean {
  return given.isElsewhere && !isSameState
}

/** The files of a folder that are not among those given: no links are followed. */
function addOthers(path: string, files: File[], { list, read, nameOf }: Folders, budget: Budget): void {
  const knownNames = new Set(files.map(({ file }) => nameIn(file)))
  for (const name of list(path).toSorted(byCharacters)) {
    if (knownNames.has(name) || !(configurationName.test(name) || valuesName.test(name)) || budget.files-- <= 0) continue
    const file = `${path}/${name}`
    const text = read(file)
    if (text === 'link' || text === undefined) {
      budget.isShort = true
      if (text === 'link') budget.links.push({ path, name })
      continue
    }
    budget.left -= text.text.length
    if (budget.left < 0) return
    files.push({ source: sourceOf(nameOf(file), text.text), file, given: undefined })
  }
}

/** Facts of a folder's text that need no parsing. */
interface QuickScan {
  readonly mentionsGrants: boolean
  readonly calls: readonly string[]
}

function quickScan(
  files: readonly File[],
  path: string,
  words: readonly string[],
  unpacked: readonly string[],
  holdsNone: (source: string) => boolean,
): QuickScan {
  const mentionsGrants = ({ source: { text } }: File) => words.some((word) => mayHold(text, word)) || callsElsewhere(text, holdsNone)
  return { mentionsGrants: files.length === 0 || files.some(mentionsGrants), calls: [...callsIn(files, path), ...unpacked] }
}

/** Whether a text may call a module that is not a local folder: such a module may hold policies. */
function callsElsewhere(text: string, holdsNone: (source: string) => boolean = () => false): boolean {
  if (!text.includes('module')) return false
  const isJson = /^\s*\{/.test(text)
  const blocks = isJson ? (text.includes('"module"') ? [text] : []) : text.split(/^[ \t]*module[ \t]+"/m).slice(1)
  return blocks.some((block) => {
    // To the end of the block, as it is mostly written; more of the text may only find too much.
    const body = isJson ? block : block.split(/^\}/m, 1).join('')
    const sources = [...body.matchAll(/\bsource"?\s{0,40}[=:]\s{0,40}(?:"([^"\n$%]{0,1000})")?/g)].map((match) => match[1])
    return sources.length === 0 || sources.some((source) => source === undefined || !(isLocalSource(source) || holdsNone(source)))
  })
}

/** The paths of local modules that a folder calls, as far as they are written plainly. */
function callsIn(files: readonly File[], path: string): readonly string[] {
  return files.flatMap(({ source: { text } }) => {
    if (!text.includes('"./') && !text.includes('"../') && !text.includes('".."')) return []
    return [...text.matchAll(/\bsource"?\s{0,40}[=:]\s{0,40}"(\.\.?(?:\/[^"\n$%]*)?)"/g)].map((match) => joinPath(path, match[1] as string))
  })
}

/** Whether a folder, or one that it calls, mentions grants; one of which nothing is there to be read may do so. */
function referencesGrants(path: string, texts: ReadonlyMap<string, QuickScan>): boolean {
  return [...closure(path, texts)].some((each) => texts.get(each)?.mentionsGrants !== false)
}

function closure(path: string, texts: ReadonlyMap<string, QuickScan>): ReadonlySet<string> {
  const seen = new Set([path])
  for (const each of seen) for (const target of texts.get(each)?.calls ?? []) seen.add(target)
  return seen
}

function parse(path: string, files: readonly File[], around: Folders, settings: Settings, isComplete: boolean): Folder {
  const names = new Set(files.map(({ file }) => nameIn(file)))
  const isHidden = settings.program === 'terraform' ? isOfOpenTofu : (name: string) => names.has(inOpenTofu(name) ?? '')
  const sorted = [...files].sort((a, b) => byCharacters(a.file, b.file))
  const read = ({ source, file }: File): HclFile =>
    source.notation === 'hcl-json' ? readHclJson(source, valuesName.test(nameIn(file))) : readHcl(source, resourceWord(settings))
  const values = sorted.filter(({ file }) => valuesName.test(nameIn(file)))
  return {
    path,
    name: around.nameOf(path),
    isWhole: isComplete && !files.some(({ given }) => given && isElsewhere(given, around)),
    files: sorted.filter(({ file }) => configurationName.test(nameIn(file)) && !isHidden(nameIn(file))).map(read),
    values: [
      ...values.filter(({ file }) => /^terraform\./.test(nameIn(file))),
      ...values.filter(({ file }) => !/^terraform\./.test(nameIn(file))),
    ].map(read),
  }
}
