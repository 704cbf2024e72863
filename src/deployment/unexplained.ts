import { folderOf, nameIn } from '../hcl/paths.ts'
import { treeOf } from '../parser/tree.ts'
import { sourceOf } from '../source.ts'
import { plain } from '../tree.ts'
import type { Around, DeploymentChange, Policies, Repository } from './facts.ts'
import { isCode, isDocument, isObject, isOfTools, isReadElsewhere, isTest, languageOf } from './kinds.ts'
import { mentioned } from './mentions.ts'
import { essenceOf, isRecord, isStructured } from './pipelines.ts'
import { type Reach, reachOf } from './reach.ts'
import { mentionsAccess } from './words.ts'

/**
 * Files that differ and of which nothing shows that they have no part in the deployment. `paths`: those in which nothing was found that
 * has a part. What shows it: a file's kind, or that it belongs to an application in which nothing is about policies.
 */
export async function unexplainedChanges(
  before: Repository,
  after: Repository,
  paths: readonly string[],
  policies: Policies,
): Promise<readonly DeploymentChange[]> {
  const found: DeploymentChange[] = []
  for (const path of paths) {
    const why =
      (await whyUnexplained(path, { repository: after, policies })) ?? (await whyUnexplained(path, { repository: before, policies }))
    if (why !== undefined) found.push({ path, why })
  }
  return found
}

/** Why a file of a state may have a part; undefined where it is shown to have none, or is not there. */
async function whyUnexplained(path: string, around: Around): Promise<string | undefined> {
  const { repository, policies } = around
  const text = repository.text(path)
  if (text === undefined || text.startsWith('link ') || policies.files.includes(path)) return undefined
  if (
    (isReadElsewhere(path) && !isUnreadHcl(path, policies)) ||
    isDocument(path) ||
    isTest(path) ||
    isOfTools(path) ||
    isStructured(path) ||
    isPage.test(path)
  )
    return undefined
  if (policies.parts.includes(path) || translations.test(path) || onlyBuilds(path, text)) return undefined
  if (await isOfKnownForm(path, text, policies)) return undefined
  const reach = await reachOf(around)
  if (isRunByOthers(path, around, reach)) return undefined
  return whyOfUnit(path, around, reach)
}

/** A file in HCL that is of no configuration that was read: of Terragrunt, or of another tool. */
const isUnreadHcl = (path: string, { parts }: Policies): boolean =>
  /\.hcl(?:\.json)?$/.test(path) && !/\.lock\.hcl$/.test(path) && !parts.includes(path)

/** Objects of Kubernetes that hold values for others. */
const holdsValues = /^\s*"?kind"?:\s*"?(?:ConfigMap|Secret|SealedSecret|ExternalSecret)\b/m

/** What shows what a file is for: keys that it has at its top. */
const forms: readonly (readonly string[])[] = [
  ['groups'],
  ['scrape_configs'],
  ['route', 'receivers'],
  ['services'],
  ['openapi'],
  ['swagger'],
  ['panels'],
  ['$schema', 'properties'],
  ['site_name'],
]

/** Whether a file is an object of Kubernetes that holds no values, or has a form that is known, and nothing in it is about access. */
async function isOfKnownForm(path: string, text: string, { inManifests }: Policies): Promise<boolean> {
  // What these say of policies is known.
  if (/(?:^|\/)Pulumi(?:\.[\w-]+)?\.ya?ml$/.test(path)) return true
  if (inManifests && /(?:^|\/)(?:kustomization\.ya?ml|Kustomization)$/.test(path)) return true
  if (!/\.(?:ya?ml|json)$/.test(path) || mentionsAccess(text)) return false
  if (isObject(text)) return !holdsValues.test(text)
  const { documents, refused } = await treeOf(sourceOf(path, text))
  if (refused || documents.length !== 1) return false
  const value = documents[0] && plain(documents[0])
  return isRecord(value) && forms.some((keys) => keys.every((key) => key in value))
}

/** Components of web pages: what deploys imports none. */
const isPage = /\.(?:[jt]sx|vue|svelte|astro)$/

const translations = /(?:^|\/)(?:locales?|i18n|l10n|translations)\/[\w./-]+\.(?:json|ya?ml|properties|strings|po)$/

/** Commands of scripts that build, check or test, and those around them. */
const building =
  /^(?:set|echo|printf|cd|mkdir|exit|true|time|export\s+[A-Z_]+=[\w./:-]*$|cc|gcc|g\+\+|clang|cmake|ninja|go\s+(?:build|test|vet|fmt|generate)|cargo\s+(?:build|test|fmt|clippy|check)|(?:npm|yarn|pnpm|bun)\s+(?:ci|i|install|test|lint|run\s+(?:lint|test|build|format|docs))|npx\s+(?:eslint|prettier|tsc|jest|vitest|vite)|tsc|vite|eslint|prettier|pytest|ruff|mypy|black|flake8|(?:python3?\s+-m\s+)?(?:pytest|unittest|build)|docker\s+(?:buildx\s+)?(?:build|push|tag|login)|\.?\/?(?:mvnw?|gradlew?)\s+(?:-\S+\s+)*(?:test|build|package|verify|check|assemble)|dotnet\s+(?:build|test)|shellcheck|yamllint|hadolint|if|then|else|fi|done)\b/

/** Whether a script does nothing but build, check and test. */
function onlyBuilds(path: string, text: string): boolean {
  if (languageOf(path, text) !== 'shell' || !/\.(?:sh|bash)$|^#!/.test(path.match(/\.\w+$/)?.[0] ?? text) || mentionsAccess(text))
    return false
  const commands = essenceOf(text)
    .split(/\n|&&|\|\||;/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  return commands.every((line) => building.test(line) && !/>|\$\(|`/.test(line))
}

/** Whether a script is named by pipelines and scripts, none of which takes part. */
function isRunByOthers(path: string, { repository }: Around, { by }: Reach): boolean {
  const caller = languageOf(path, '') === 'shell' || isCode(path) ? mentioned(path, repository) : undefined
  return caller !== undefined && isStructured(caller) && by(caller) !== caller
}

/** The outermost folder of a file that holds no policy, and what is known of the files in it. */
interface Unit {
  readonly folder: string
  /** A file in it that is about policies, or takes part in the deployment. */
  readonly about: string | undefined
  /** It has source code, or a file by which it is an application, a chart, or a set of manifests. */
  readonly isApplication: boolean
  /** It is too large for one file about policies to say something of all others. */
  readonly isLarge: boolean
}

/** How many files a program has at most that is taken as a whole. */
const mostOfProgram = 100

const unknownPurpose = 'what it is for is not known'

function whyOfUnit(path: string, around: Around, reach: Reach): string | undefined {
  const { repository, policies } = around
  const folder = unitFolder(path, policies)
  const own = packageOf(path, folder, repository)
  const packages = packagesAbout(around, reach)
  const by = own === undefined ? undefined : packages?.get(own)
  if (by !== undefined && !(folder !== undefined && own === folder && unitOf(folder, around, reach).isLarge)) return mayUse(by)
  if (folder === undefined) return isSilentAtTop(path, around, reach) ? undefined : unknownPurpose
  const unit = unitOf(folder, around, reach)
  if (packages === undefined || by !== undefined) {
    const about = aboutAmong(filesIn(folderOf(path), repository, false), around, reach)
    return about === undefined ? undefined : mayUse(about)
  }
  if (unit.about !== undefined && own === folder && !isCode(path)) return mayUse(unit.about)
  return unit.isApplication ? undefined : unknownPurpose
}

const mayUse = (by: string): string => `\`${by}\` is about policies, and may use it`

/** Whether a file is source code, or of a container, at the top of a repository that has no policy there, and no file there is about policies. */
function isSilentAtTop(path: string, around: Around, reach: Reach): boolean {
  const { repository, policies } = around
  if (folderOf(path) !== '' || policies.files.some((each) => folderOf(each) === '')) return false
  if (!isCode(path) && !/^(?:Dockerfile|Containerfile|Procfile)(?:\.[\w-]+)?$/.test(path)) return false
  return aboutAmong(filesIn('', repository, false), around, reach) === undefined
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

function unitOf(folder: string, around: Around, reach: Reach): Unit {
  const { repository } = around
  return repository.once(`unit ${folder}`, () => {
    const files = filesIn(folder, repository, true)
    return {
      folder,
      about: aboutAmong(files, around, reach),
      isApplication: files.some((path) => isCode(path) || isEntry.test(path) || isObject(repository.text(path) ?? '')),
      isLarge: files.length > mostOfProgram,
    }
  })
}

const isEntry =
  /(?:^|\/)(?:package\.json|deno\.jsonc?|pyproject\.toml|requirements\.txt|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|composer\.json|Gemfile|(?:docker-)?compose[\w.-]*\.ya?ml|Chart\.ya?ml|kustomization\.ya?ml|tasks\/main\.ya?ml|Dockerfile|Containerfile|[\w.-]+\.(?:gemspec|[cf]sproj|html?))$|\.(?:tf|tofu)$/

/** The files of a folder that may say something: of the folder itself, or of those below as well. */
function filesIn(folder: string, repository: Repository, isDeep: boolean): readonly string[] {
  return repository.once(`files ${folder} ${isDeep}`, () =>
    repository.paths.filter((path) => (isDeep ? path.startsWith(`${folder}/`) : folderOf(path) === folder) && maySay(path)),
  )
}

const maySay = (path: string): boolean => !isDocument(path) && !isTest(path) && !nameIn(path).startsWith('.grantwise.')

/** How many files are looked into for what is about policies. */
const mostLooked = 2000

/** The first of some files that takes part, is about policies, or imports a program that takes part. */
function aboutAmong(files: readonly string[], { repository }: Around, { programs }: Reach): string | undefined {
  const takers = repository.once(programs, () => new Set(programs.map(({ path }) => path)))
  const own = files.find((path) => takers.has(path))
  if (own !== undefined) return own
  const names = repository.once(aboutAmong, () => new Set(programs.flatMap(({ path }) => namesFor(path))))
  const looked = files.slice(0, mostLooked)
  if (files.length > mostLooked) repository.isCut = true
  repository.prefetch(looked)
  return looked.find((path) => {
    const text = repository.text(path)
    return text !== undefined && (mentionsAccess(`${path}\n${text}`) || (isCode(path) && importedIn(text).some((word) => names.has(word))))
  })
}

/** The words by which code may import a program: its name, or that of its folder where the program is an entry. */
function namesFor(path: string): readonly string[] {
  if (!isCode(path)) return []
  const stem = nameIn(path).replace(/\.\w+$/, '')
  return [stem, nameIn(folderOf(path))].filter((word) => word.length > 2 && !/^(?:index|main|mod|lib|src|cmd|app|__init__)$/.test(word))
}

const importing = /^.*\b(?:import|from|require|require_relative|include|use|using|mod|load|autoload)\b.*$|^\s*(?:\w+\s+)?"[\w./-]+"$/gm

/** The words of the lines of a program that import. */
const importedIn = (text: string): readonly string[] => (text.match(importing) ?? []).flatMap((line) => line.match(/[\w-]+/g) ?? [])

/** Part of a program that others may use as a whole. */
interface Package {
  readonly folder: string
  readonly about: string | undefined
  /** By which others name it. */
  readonly names: readonly string[]
  /** What it names. */
  readonly words: ReadonlySet<string>
}

/**
 * The packages that those which are about policies may use, and these themselves, each with a file that is about policies; undefined
 * where a repository is too large to be looked through. A package that uses one which is about policies is about policies.
 */
function packagesAbout(around: Around, reach: Reach): ReadonlyMap<string, string> | undefined {
  return around.repository.once(packagesAbout, () => {
    const packages = packagesIn(around, reach)
    if (packages === undefined) return undefined
    const byName = new Map<string, Package[]>()
    for (const each of packages) for (const name of each.names) byName.set(name, [...(byName.get(name) ?? []), each])
    const used = ({ folder, words }: Package) =>
      [...words].flatMap((word) => byName.get(word) ?? []).filter((each) => each.folder !== folder)
    const about = new Map(packages.flatMap(({ folder, about }) => (about === undefined ? [] : [[folder, about] as const])))
    for (let known = -1; known !== about.size; ) {
      known = about.size
      for (const each of packages) {
        const by = about.has(each.folder) ? undefined : used(each).find(({ folder }) => about.has(folder))
        if (by) about.set(each.folder, about.get(by.folder) as string)
      }
    }
    const found = new Map(about)
    const open = packages.filter(({ folder }) => found.has(folder))
    for (let each = open.pop(); each; each = open.pop())
      for (const other of used(each))
        if (!found.has(other.folder)) {
          found.set(other.folder, found.get(each.folder) as string)
          open.push(other)
        }
    return found
  })
}

function packagesIn(around: Around, reach: Reach): readonly Package[] | undefined {
  const { repository, policies } = around
  const folders = new Map<string, string[]>()
  const paths = repository.paths.filter(maySay)
  if (paths.length > mostLooked) return undefined
  for (const path of paths) {
    const folder = packageOf(path, unitFolder(path, policies), repository)
    if (folder !== undefined) folders.set(folder, [...(folders.get(folder) ?? []), path])
  }
  repository.prefetch(paths)
  return [...folders].map(([folder, files]) => {
    const texts = files.map((path) => ({ path, text: repository.text(path) ?? '' }))
    const manifests = texts.filter(({ path }) => isManifest.test(path) && folderOf(path) === folder)
    const given = manifests.flatMap(({ text }) =>
      [...text.matchAll(/(?:"name"\s*:|^name\s*=|<artifactId>|^module)\s*"?([\w@./-]+)/gm)].map(([, name]) => nameIn(name as string)),
    )
    return {
      folder,
      about: policies.files.find((path) => path.startsWith(`${folder}/`)) ?? aboutAmong(files, around, reach),
      names: [...new Set([nameIn(folder), ...given])],
      words: new Set([
        ...texts.flatMap(({ path, text }) => (isCode(path) ? importedIn(text) : [])),
        ...manifests.flatMap(({ text }) => text.match(/[\w-]+/g) ?? []),
      ]),
    }
  })
}

const isManifest =
  /(?:^|\/)(?:package\.json|deno\.jsonc?|pyproject\.toml|setup\.(?:py|cfg)|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|composer\.json|Chart\.ya?ml|meta\/main\.ya?ml|[\w.-]+\.(?:gemspec|[cf]sproj))$/

/** The folder of the package of a file: one of Go, a role of Ansible, or the nearest with a manifest; else that of its unit. */
function packageOf(path: string, unit: string | undefined, repository: Repository): string | undefined {
  const roots = repository.once(packageOf, () => ({
    manifests: new Set(repository.paths.filter((each) => isManifest.test(each)).map(folderOf)),
    ofGo: new Set(repository.paths.filter((each) => each.endsWith('.go')).map(folderOf)),
  }))
  const role = /^(?:.*\/)?roles\/[^/]+(?=\/)/.exec(path)?.[0]
  if (role !== undefined) return role
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder))
    if (roots.manifests.has(folder) || (roots.ofGo.has(folder) && folder === folderOf(path))) return folder
  // The source of a program without a manifest of its own.
  return unit === undefined || !isSource.test(path) ? unit : (/^[^/]+/.exec(path)?.[0] ?? unit)
}

const isSource = /^(?:src|source|app|lib|pkg|internal|cmd)\//
