import { pushTo } from '../collections.ts'
import { folderOf, nameIn } from '../hcl/paths.ts'
import type { FileContext, Policies, Repository } from './facts.ts'
import { isCode, isInert, isManifest, isManifestFile, isObject, isTest, isYaml } from './kinds.ts'
import type { Reach } from './reach.ts'
import { mentionsAccess, namedPolicies, sendsData, sentGroup } from './words.ts'

/**
 * Which applications of a repository are about policies: those in which something takes part, or says so, those that use one, and
 * those that these use.
 */

/** The outermost folder of a file that holds no policy, and what is known of the files in it. */
interface Unit {
  /** A file in it that is about policies, or takes part in the deployment. */
  readonly about: string | undefined
  /** It is too large for one file about policies to say something of all others. */
  readonly isLarge: boolean
}

/** How many files a program has at most that is taken as a whole. */
const mostOfProgram = 100

export const unknownPurpose = 'nothing shows that deployment does not use it'

/** Whether a reason is none of the file itself: nothing is known of it, or only of the application that it is in. */
export const isOfUnit = (why: string): boolean => why === unknownPurpose || why.endsWith(ofUser)

/** Why a file may have a part, by the application that it belongs to. */
export function whyOfUnit(path: string, around: FileContext, reach: Reach): string | undefined {
  const { repository, policies } = around
  const folder = unitFolder(path, policies)
  const ownPackage = packageOf(path, folder, repository)
  const { about: aboutPolicies } = applicationsAbout(around, reach)
  const by = ownPackage === undefined ? undefined : aboutPolicies?.get(ownPackage)
  if (by !== undefined && !(folder !== undefined && ownPackage === folder && unitOf(folder, around, reach).isLarge)) return mayUse(by, path)
  if (folder === undefined) return isSilentAtTop(path, around, reach) ? undefined : unknownPurpose
  if (aboutPolicies === undefined || by !== undefined) {
    const ownFolder = folderOf(path)
    const about = repository.once(`about ${ownFolder}`, () => aboutAmong(filesIn(ownFolder, repository, false), around, reach))
    if (about !== undefined) return mayUse(about, path)
    return by !== undefined || isApplication(folder, repository) ? undefined : unknownPurpose
  }
  const about = ownPackage === folder && !isCode(path) ? unitOf(folder, around, reach).about : undefined
  if (about !== undefined) return mayUse(about, path)
  return isApplication(folder, repository) ? undefined : unknownPurpose
}

const mayUse = (by: string, path: string): string => (by === path ? 'it is about policies' : `\`${by}\`${ofUser}`)

const ofUser = ' is about policies, and may use it'

/** Whether a file at the top of a repository that has no policy there is source code or of a container, and shown to have no part. */
function isSilentAtTop(path: string, around: FileContext, reach: Reach): boolean {
  const { repository, policies } = around
  if (folderOf(path) !== '' || policies.files.some((each) => folderOf(each) === '')) return false
  if (isContainer.test(path)) return takesLittle(repository.text(path) ?? '', policies, reach)
  if (!isCode(path)) return false
  // How an application is built decides which files it has.
  if (/\.config\.\w+$/.test(path) && reach.programs.some((each) => isCode(each.path) && servers.test(each.path))) return false
  return aboutAmong(filesIn('', repository, false), around, reach) === undefined
}

const isContainer = /^(?:Dockerfile|Containerfile)(?:\.[\w-]+)?$/
const servers = /^(?:src|app|pages|api|server|functions|netlify|routes|lib)\//

/** Whether an image takes neither policies nor what deploys from the repository. */
function takesLittle(text: string, { files }: Policies, { programs }: Reach): boolean {
  const taken = [...text.matchAll(/^[ \t\ufeff]*(?:COPY|ADD)\s+(?!--from)(.+)$/gim)].flatMap(([, list = '']) =>
    (list.match(/[^\s"',[\]]+/g) ?? []).filter((word) => !word.startsWith('--')).slice(0, -1),
  )
  const paths = taken.map((each) => each.replace(/^(?:\.?\/)+|(?<!\/)\/+$/g, ''))
  const holds = (path: string) => paths.some((each) => path === each || path.startsWith(`${each}/`))
  return paths.every((each) => /^[\w@./-]+$/.test(each) && each !== '.') && ![...files, ...programs.map((each) => each.path)].some(holds)
}

/** The outermost folder with a file and without policies; undefined where there is none. */
function unitFolder(path: string, { files }: Policies): string | undefined {
  const parts = path.split('/')
  for (let i = 1; i < parts.length; i++) {
    const folder = parts.slice(0, i).join('/')
    if (!files.some((each) => each.startsWith(`${folder}/`))) return folder
  }
  return undefined
}

function unitOf(folder: string, around: FileContext, reach: Reach): Unit {
  const { repository } = around
  return repository.once(`unit ${folder}`, () => {
    const files = filesIn(folder, repository, true)
    return { about: aboutAmong(files, around, reach), isLarge: files.length > mostOfProgram }
  })
}

/** Whether a folder has source code, or a file by which it is an application, a chart, or a set of manifests. */
function isApplication(folder: string, repository: Repository): boolean {
  return repository.once(`application ${folder}`, () => {
    const files = filesIn(folder, repository, true)
    return (
      files.some((path) => isCode(path) || isEntry(path)) || files.some((path) => isYaml(path) && isObject(repository.text(path) ?? ''))
    )
  })
}

/** Whether a file shows that its folder is a package: a manifest, an image, a chart or a role. */
const isPackage = (path: string): boolean =>
  isManifest(path) || /(?:^|\/)(?:Dockerfile|Containerfile|Chart\.ya?ml|meta\/main\.ya?ml)$/.test(path)

/** The same, or that it is an application in another way. */
const isEntry = (path: string): boolean =>
  isPackage(path) ||
  /(?:^|\/)(?:requirements\.txt|Gemfile|(?:docker-)?compose[\w.-]*\.ya?ml|kustomization\.ya?ml|tasks\/main\.ya?ml|[\w.-]+\.html?)$|\.(?:tf|tofu)$/.test(
    path,
  )

/** The files of a folder that may say something: of the folder itself, or of those below as well. */
function filesIn(folder: string, repository: Repository, isDeep: boolean): readonly string[] {
  return repository.once(`files ${folder} ${isDeep}`, () =>
    repository.paths.filter((path) => (isDeep ? path.startsWith(`${folder}/`) : folderOf(path) === folder) && maySay(path, repository)),
  )
}

const maySay = (path: string, repository: Repository): boolean =>
  !isInert(path) && !isTest(path, repository) && !nameIn(path).startsWith('.grantwise.')

/** How many files are looked into for what is about policies. */
const mostLooked = 2000

/** The first of some files that takes part, is about policies, or imports a program that takes part. */
function aboutAmong(files: readonly string[], { repository, policies }: FileContext, { programs }: Reach): string | undefined {
  const takers = repository.once(programs, () => new Set(programs.map(({ path }) => path)))
  const taker = files.find((path) => takers.has(path))
  if (taker !== undefined) return taker
  const names = repository.once(aboutAmong, () => new Set(programs.flatMap(({ path }) => namesFor(path))))
  const examined = files.slice(0, mostLooked)
  if (files.length > mostLooked) repository.isCut = true
  repository.prefetch(examined)
  return examined.find((path) => {
    const text = repository.text(path)
    if (text === undefined) return false
    return (
      mentionsAccess(`${path}\n${text}`) ||
      (isCode(path) &&
        (importedIn(text).some((word) => names.has(word)) || sendsFiles(text) || sentGroup(text, policies.groupNames) !== undefined))
    )
  })
}

/** Whether source code imports a file that is about policies. */
export function importsAccess(text: string, { repository }: FileContext): boolean {
  const stems = repository.once(importsAccess, () => {
    const examined = repository.paths.filter(isCode).slice(0, mostLooked)
    repository.prefetch(examined)
    return new Set(examined.filter((path) => mentionsAccess(repository.text(path) ?? '')).flatMap(namesFor))
  })
  return stems.size > 0 && importedIn(text).some((word) => stems.has(word))
}

/** Whether source code goes through files of the kinds that policies have, and sends what it reads: it need not say what they are. */
const sendsFiles = (text: string): boolean =>
  /\b(?:glob|rglob|iglob|globSync|readdir\w*|listdir|scandir|iterdir|ReadDir|WalkDir|Walk|newDirectoryStream|listFiles|EnumerateFiles|GetFiles|Dir|wildcard|DirectoryIterator|opendir|contentsOfDirectory|file-seq)\b/.test(
    text,
  ) &&
  /\.(?:json|ya?ml)\b|[/\\]\*\*?["'`]/.test(text) &&
  sendsData(text)

/** The words by which code may import a program: its name, or that of its folder where the program is an entry. */
function namesFor(path: string): readonly string[] {
  if (!isCode(path)) return []
  const stem = nameIn(path).replace(/\.\w+$/, '')
  return [stem, nameIn(folderOf(path))].filter((word) => word.length > 2 && !/^(?:index|main|mod|lib|src|cmd|app|__init__)$/.test(word))
}

const importing =
  /^.*\b(?:import|from|require|require_relative|include|use|using|mod|load|autoload)\b.*$|^[ \t\ufeff]*(?:\w+[ \t]+)?"[\w./-]+"$/gm

/** The words of the lines of a program that import. */
const importedIn = (text: string): readonly string[] => (text.match(importing) ?? []).flatMap((line) => line.match(/[\w-]+/g) ?? [])

/** Part of a program that others may use as a whole. */
interface Package {
  readonly folder: string
  readonly about: string | undefined
  /** By which others name it. */
  readonly names: readonly string[]
  /** The words in its imports and its manifest. */
  readonly words: ReadonlySet<string>
  /** It has source code, or a manifest: others can run it. */
  readonly isProgram: boolean
  /** The images and commands of its Kubernetes objects. */
  readonly run: ReadonlySet<string>
}

/** The applications of a repository with respect to policies. */
interface Applications {
  /**
   * Those that are about policies, and those that these use, by their folders, each with a file that is about policies; undefined where a
   * repository is too large to be looked through.
   */
  readonly about: ReadonlyMap<string, string> | undefined
  /** The names of those that are about policies. */
  readonly names: ReadonlyMap<string, string>
  /** The same for names that many other things have: they count only where an image, a chart or a folder is named. */
  readonly plainNames: ReadonlyMap<string, string>
}

/** Names of folders that are no names of applications. */
const plainNames: ReadonlySet<string> = new Set(
  'src app apps lib libs cmd main internal pkg bin ci infra deploy tools scripts services packages modules k8s config policies workflows tasks prod production staging dev test live envs environments iam access api web argocd flux gitops clusters base overlays kubernetes charts terraform ansible roles docker'.split(
    ' ',
  ),
)

/** An application about policies that a file names. */
export function policyApplicationIn(text: string, around: FileContext, reach: Reach): string | undefined {
  const { names, plainNames } = applicationsAbout(around, reach)
  const word = names.size > 0 ? (text.match(/[\w-]+/g) ?? []).find((each) => names.has(each)) : undefined
  if (word !== undefined) return names.get(word)
  if (plainNames.size === 0) return undefined
  return runIn(text)
    .map((each) => plainNames.get(each))
    .find((each) => each !== undefined)
}

/** A field by which something says what it runs: an image, a chart, a folder. */
const runnable = /\b(?:image|repository|chart|newName)"?\s*[:=]\s*["']?([\w./:@-]+)/g

/** The names of the images and charts that a text says it runs. */
const runIn = (text: string): readonly string[] => [...text.matchAll(runnable)].map(([, each = '']) => nameIn(each.replace(/[:@].*$/, '')))

/** The applications about policies. In a large repository only the programs that take part are known by their names. */
function applicationsAbout(around: FileContext, reach: Reach): Applications {
  const { repository } = around
  return repository.once(applicationsAbout, () => {
    const packages = packagesIn(around, reach)
    if (packages === undefined) return { about: undefined, names: namesOf([], reach), plainNames: new Map() }
    const byName = new Map<string, Package[]>()
    for (const each of packages) for (const name of each.names) pushTo(byName, name, each)
    const named = (words: ReadonlySet<string>, folder: string) =>
      [...words].flatMap((word) => byName.get(word) ?? []).filter((each) => each.folder !== folder)
    const about = new Map(packages.flatMap(({ folder, about }) => (about === undefined ? [] : [[folder, about] as const])))
    for (const { path, text } of repository.texts(isManifestFile))
      if (isObject(text) && namedPolicies(text, around) !== undefined)
        for (const name of runIn(text)) for (const { folder } of byName.get(name) ?? []) if (!about.has(folder)) about.set(folder, path)
    // A program that takes part asks services by the names that they have in the network.
    for (const { path, text } of reach.programs)
      for (const name of hostsIn(text)) for (const { folder } of byName.get(name) ?? []) if (!about.has(folder)) about.set(folder, path)
    const all = packages.filter(({ folder, isProgram }) => isProgram && about.has(folder))
    const distinctive = all.filter(({ folder }) => !plainNames.has(nameIn(folder)))
    const names = namesOf(distinctive, reach)
    const others = all.filter((each) => !distinctive.includes(each) && isRun(each.folder, repository))
    // An application that uses or runs one about policies is about policies too.
    for (let sizeBefore = -1; sizeBefore !== about.size; ) {
      sizeBefore = about.size
      for (const { folder, words, run } of packages) {
        if (about.has(folder)) continue
        const by =
          named(words, folder).find((each) => about.has(each.folder))?.folder ??
          [...run].map((word) => names.get(word)).find((each) => each !== undefined)
        if (by !== undefined) about.set(folder, about.get(by) ?? by)
      }
    }
    const open = packages.filter(({ folder }) => about.has(folder))
    for (let each = open.pop(); each; each = open.pop())
      for (const other of named(each.words, each.folder))
        if (!about.has(other.folder)) {
          about.set(other.folder, about.get(each.folder) as string)
          open.push(other)
        }
    return { about, names, plainNames: new Map(others.map(({ folder }) => [nameIn(folder), folder])) }
  })
}

/** The names of services that a text asks: hosts without a dot, and those of a cluster. */
const hostsIn = (text: string): readonly string[] =>
  [...text.matchAll(/\b(?:https?|grpc|wss?):\/\/([a-z][\w-]{2,62})(?=[:/"'`\s]|\.\w[\w-]*\.svc|\.(?:internal|local)\b|$)/g)].flatMap(
    ([, name = '']) => (name === 'localhost' ? [] : name),
  )

/** Whether a folder is made into an image or a chart. */
const isRun = (folder: string, { paths }: Repository): boolean =>
  paths.some((path) => folderOf(path) === folder && /^(?:Dockerfile|Containerfile|Chart\.ya?ml)$/.test(nameIn(path)))

/** The names of applications about policies, and of the folders of programs that take part. */
function namesOf(packages: readonly Package[], { programs }: Reach): ReadonlyMap<string, string> {
  const names = new Map([
    ...packages.flatMap((each) => each.names.map((name) => [name, each.folder] as const)),
    ...programs.flatMap(({ path }) => (isCode(path) ? [[nameIn(folderOf(path)), folderOf(path)] as const] : [])),
  ])
  for (const name of ['', ...plainNames]) names.delete(name)
  return names
}

/** The packages of a repository; undefined where it is too large to be looked through. */
function packagesIn(around: FileContext, reach: Reach): readonly Package[] | undefined {
  const { repository, policies } = around
  const folders = new Map<string, string[]>()
  const paths = repository.paths.filter((path) => maySay(path, repository))
  if (paths.length > mostLooked) return undefined
  for (const path of paths) {
    const folder = packageOf(path, unitFolder(path, policies), repository)
    if (folder !== undefined) pushTo(folders, folder, path)
  }
  repository.prefetch(paths)
  return [...folders].map(([folder, files]) => {
    const contents = files.map((path) => ({ path, text: repository.text(path) ?? '' }))
    const manifests = contents.filter(({ path }) => isPackage(path) && folderOf(path) === folder)
    const givenNames = manifests.flatMap(({ text }) =>
      [...text.matchAll(/(?:"name"\s*:|^name\s*=|<artifactId>|^module)\s*"?([\w@./-]+)/gm)].map(([, name]) => nameIn(name as string)),
    )
    return {
      folder,
      about: policies.files.find((path) => path.startsWith(`${folder}/`)) ?? aboutAmong(files, around, reach),
      names: [...new Set([nameIn(folder), ...givenNames])],
      words: new Set([
        ...contents.flatMap(({ path, text }) => (isCode(path) ? importedIn(text) : [])),
        ...manifests.flatMap(({ text }) => text.match(/[\w-]+/g) ?? []),
      ]),
      isProgram: manifests.length > 0 || files.some(isCode),
      run: new Set(contents.flatMap(({ path, text }) => (isYaml(path) && isObject(text) ? (text.match(/[\w-]+/g) ?? []) : []))),
    }
  })
}

/** The folder of the package of a file: one of Go, a role of Ansible, or the nearest with a manifest; else that of its unit. */
function packageOf(path: string, unit: string | undefined, repository: Repository): string | undefined {
  const roots = repository.once(packageOf, () => ({
    manifests: new Set(repository.paths.filter(isPackage).map(folderOf)),
    ofGo: new Set(repository.paths.filter((each) => each.endsWith('.go')).map(folderOf)),
  }))
  const role = /^(?:.*\/)?roles\/[^/]+(?=\/)/.exec(path)?.[0]
  if (role !== undefined) return role
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder))
    if (roots.manifests.has(folder) || (roots.ofGo.has(folder) && folder === folderOf(path))) return folder
  // The source of a program that has no manifest below the top.
  return unit === undefined || !isSource.test(path) ? unit : (/^[^/]+/.exec(path)?.[0] ?? unit)
}

const isSource = /^(?:src|source|app|lib|pkg|internal|cmd)\//
