import { pushTo } from '../collections.ts'
import { folderOf, nameIn } from '../hcl/paths.ts'
import { isTerragruntName } from '../hcl/tools.ts'
import type { FileContext, FileText, Repository } from './facts.ts'
import { type Handed, isCachedFor, isHandedTo } from './handing.ts'
import {
  isCode,
  isConfiguration,
  isData,
  isInert,
  isInTestFolder,
  isManifest,
  isManifestFile,
  isOfTools,
  isProgram,
  isReadElsewhere,
  isTest,
  isYaml,
  languageOf,
} from './kinds.ts'
import { codeRun } from './mentions.ts'
import { type FileReferences, namesOf } from './named.ts'
import { isStructured, partsOf } from './pipelines.ts'
import { isSetting } from './settings-of-tools.ts'
import { commandIn, namedPolicies, sendsData, wordsIn } from './words.ts'

/**
 * The files that programs of a repository may read or run while they deploy. They are only narrowed where a program names them
 * literally: a name that is computed at run time may be any file in the program's own folder, and in those that it names.
 */
export interface Reach {
  /** The programs that take part, with the part of their text that does. */
  readonly programs: readonly Consumer[]
  /** A program that may read or run a file. */
  readonly by: (path: string) => string | undefined
  /** Whether one reads source code of its kind as data: all of it counts then. */
  readonly readsWhole: (path: string) => boolean
}

export interface Consumer extends FileText {
  readonly named: FileReferences
  /** Whose files it may find without naming them: '' where that is no folder that holds programs alone. */
  readonly home: string
  readonly language: string
  readonly target: Target
}

/** How many programs are followed into what they call. */
const mostTakers = 3000

/** How much source code is looked through for what deploys, the nearest to the top first. */
const mostCode = 16 * 2 ** 20

/** Computed once for a state of a repository. */
export function reachOf(around: FileContext): Promise<Reach> {
  return around.repository.once(reachOf, () => reachIn(around))
}

interface Unit extends FileText {
  /** Of a job. */
  readonly name?: string | undefined
  /** It is a pipeline, or a list of tasks, of which only some parts take part. */
  readonly isPart: boolean
  readonly isForAll: boolean
  readonly mayDeploy?: boolean | undefined
  /** It takes part independent of its words. */
  readonly isRoot: boolean
  /** The jobs of the same pipeline whose artifacts and outputs it takes. */
  readonly fedBy?: readonly string[] | undefined
  readonly handed?: Handed | undefined
  /** The names of archives that it makes. */
  readonly archives?: readonly string[]
}

/** Whether a program takes what another one makes: outputs and artifacts of an earlier job, an archive by its name. */
function isFed(by: Consumer, taken: Unit | FileText, unit: Unit): boolean {
  if (unit.archives?.some((name) => by.named.word(name))) return true
  if (!('isPart' in taken) || unit.name === undefined) return false
  if (taken.path === unit.path && taken.fedBy?.includes(unit.name)) return true
  if (unit.handed === undefined || taken.handed === undefined) return false
  return isCachedFor(unit.handed, taken.handed) || (taken.path !== unit.path && isHandedTo(unit.handed, taken.handed))
}

/** A file, as it is looked for in what programs say. */
interface Target {
  readonly path: string
  readonly name: string
  readonly folder: string
  readonly stem: string
  readonly language: string
  readonly isTest: boolean
  /** Its folder is a program by it. */
  readonly isEntry: boolean
  /** Other files have its name. */
  readonly isCommon: boolean
  /** The programs that read it by its name. */
  readonly runners: readonly string[]
  /** The role of Ansible whose tasks it has. */
  readonly role: string | undefined
  /** The folder of its package; '' for the whole repository. */
  readonly package: string
}

function targetOf(path: string, repository: Repository): Target {
  return repository.once(`target ${path}`, () => {
    const name = nameIn(path)
    return {
      path,
      name,
      folder: folderOf(path),
      stem: name.replace(/\.\w+$/, ''),
      language: languageOf(path, ''),
      isTest: isTest(path, repository),
      isEntry: entries.test(name),
      isCommon: repository.once(namesTwice, () => namesTwice(repository)).has(name),
      runners: runnersOf(name),
      role: /(?:^|\/)roles\/([^/]+)\/(?:tasks|handlers)\//.exec(path)?.[1],
      package: packageOf(path, repository),
    }
  })
}

async function reachIn(around: FileContext): Promise<Reach> {
  const { repository } = around
  const units = await unitsIn(around)
  const codes = codeIn(repository)
  const takers: Consumer[] = []
  const taken = new Set<Unit | FileText>()
  const takenUnits: (Unit | FileText)[] = []
  const makers = units.filter(({ name, archives = [] }) => name !== undefined || archives.length > 0)
  const byPath = new Map<string, (Unit | FileText)[]>()
  // A configuration that only packs is run by what names its archive, not by what applies its folder.
  const isRun = (unit: Unit) => unit.isRoot || unit.archives === undefined
  for (const each of [...units.filter(isRun), ...codes]) pushTo(byPath, each.path, each)
  const targets = [...byPath].map(([path, parts]) => ({ target: targetOf(path, repository), parts }))
  const jobs = new Map<string, Set<string>>()
  for (const { path, name } of units) if (name !== undefined) jobs.set(path, (jobs.get(path) ?? new Set()).add(name))
  const take = (each: Unit | FileText) => {
    if (taken.has(each) || takers.length >= mostTakers) return
    taken.add(each)
    takenUnits.push(each)
    takers.push(takerOf(each, repository))
  }
  for (const each of units)
    if (
      each.isRoot ||
      ((!each.isForAll || each.mayDeploy) && (wordsIn(each.text, around) ?? namedPolicies(each.text, around)) !== undefined)
    )
      take(each)
  // Jobs that are given a credential which one that takes part is given, also where it only calls what deploys.
  const takeGiven = () => {
    const pipelines = new Set(takers.flatMap(({ path }) => (isPipeline(path) ? path : [])))
    const forAll = units.filter(({ path, isForAll }) => isForAll && pipelines.has(path))
    const credentials = new Set([...takers.filter(({ path }) => pipelines.has(path)), ...forAll].flatMap(({ text }) => credentialsIn(text)))
    // Credentials of all jobs of a pipeline are of use for those that run something from elsewhere.
    const giving = new Set(forAll.flatMap(({ path, text }) => (usesAny(credentials, text) ? path : [])))
    const isGiven = ({ path, text }: Unit) => usesAny(credentials, text) || (giving.has(path) && runsOthers.test(text))
    for (const each of units) if (isPipeline(each.path) && !each.isForAll && isGiven(each)) take(each)
  }
  takeGiven()
  const run = new Set(codeRun(repository).map(({ path }) => path))
  for (const each of codes) {
    if (isTest(each.path, repository)) continue
    const mayDeploy = run.has(each.path) || sendsData(each.text)
    if ((commandIn(each.text, around) ?? (mayDeploy ? namedPolicies(each.text, around) : undefined)) !== undefined) take(each)
  }
  for (let done = 0; done < takers.length; ) {
    const first = done
    // The programs that they call.
    for (; done < takers.length; done++) {
      const by = takers[done] as Consumer
      for (const unit of makers) if (!taken.has(unit) && isFed(by, takenUnits[done] as Unit | FileText, unit)) take(unit)
      for (const { target, parts } of targets) {
        if (target.path === by.path || parts.every((each) => taken.has(each))) continue
        const isCalled = calls(by, target)
        for (const each of parts)
          if (
            (isCalled && (isWhole(each) || isIncluded(target, each, by, jobs.get(by.path)))) ||
            (!isWhole(each) && runsPart(by, each, repository))
          )
            take(each)
      }
    }
    // The programs that call them, and the parts for the whole pipeline of one that takes part.
    const added = takers.slice(first)
    const paths = new Set(added.map(({ path }) => path))
    for (const each of units)
      if (
        !taken.has(each) &&
        ((each.isForAll && paths.has(each.path)) || ((!each.isForAll || each.mayDeploy) && isCaller(takerOf(each, repository), added)))
      )
        take(each)
    takeGiven()
  }
  if (takers.length >= mostTakers) repository.isCut = true
  const readers = new Map<string, string | undefined>()
  const by = (path: string) => {
    if (!readers.has(path)) readers.set(path, readerOf(path, takers, repository))
    return readers.get(path)
  }
  return {
    programs: takers,
    by,
    readsWhole: (path) =>
      takers.some(
        (each) =>
          each.path !== path && (((isCode(path) || isProgram(path)) && readsCode(each, path)) || each.named.readsText(nameIn(path))),
      ),
  }
}

/** Whether a file is a pipeline of a server, which hands credentials to its jobs. */
const isPipeline = (path: string): boolean => isYaml(path) && isStructured(path)

/** The credentials that a job names, but those for services that have nothing to do with policies. */
export const credentialsIn = (text: string): readonly string[] =>
  [
    ...text.matchAll(/\bsecrets(?:\.|\[\s*["'])(\w+)|^context: (.+)$/gim),
    ...text.matchAll(/\$\{?(\w*(?:TOKEN|SECRET|PASSWORD|CREDENTIALS?|(?:API|ACCESS|APPLICATION|CONSUMER|PRIVATE)_KEY)\w*)/g),
  ].flatMap(([, ...names]) => {
    const name = names.find((each) => each !== undefined)?.toUpperCase() ?? ''
    return otherServices.test(name) ? [] : name
  })

const otherServices =
  /GITHUB|GITLAB|\bGH_|\bCI_|NPM|NODE_AUTH|PYPI|TWINE|MAVEN|GRADLE|NUGET|CARGO|GEM|DOCKER|GHCR|REGISTRY|PACKAGE|SLACK|DISCORD|WEBHOOK|CODECOV|COVERALLS|SONAR|SENTRY|SNYK|TURBO|NX_|CHROMATIC|RENOVATE|DATADOG|LICEN[CS]E|SSH|GPG|SIGNING/

/** Ways of a job to run what is elsewhere, but for well-known actions and tools that check. */
const runsOthers =
  /\b(?:npx|bunx|uvx|pipx\s+run|(?:pnpm|yarn)\s+dlx)\s+(?:-\S+\s+)*(?!(?:eslint|prettier|tsc|jest|vitest|playwright|markdownlint\S*|ruff|mypy|black|pre-commit)\b)[\w@]|\bdocker\s+run\b|\b(?:curl|wget)\b[^\n"|]*\|\s*(?:sudo\s+)?\w*sh\b|"uses":"(?!\.|(?:actions|github|docker|codecov|pre-commit|golangci|astral-sh|hashicorp)\/|[^"@]*(?:setup|lint|cache|checkout|scan|test|check|stale|label|release|notify|slack|grantwise))/

/** Whether a job is given some of the credentials: it names one, or hands all to a workflow of another repository. */
const usesAny = (credentials: ReadonlySet<string>, text: string): boolean =>
  credentials.size > 0 &&
  ((/"secrets":"inherit"/.test(text) && /"uses":"(?!\.)/.test(text)) ||
    // All of them, or one by a name that is worked out.
    /\btoJSON\(\s*secrets\s*\)|\bsecrets\[\s*[^\s"']/i.test(text) ||
    credentialsIn(text).some((each) => credentials.has(each)))

/** Whether a part of a pipeline that another one includes has a part in it: what holds for all jobs, and jobs that the other has or names. */
function isIncluded(
  { path, runners: by }: Target,
  part: Unit | FileText,
  { text }: Consumer,
  ownNames: ReadonlySet<string> = new Set(),
): boolean {
  if (!isYaml(path) || by.length > 0) return false
  if (!('name' in part) || part.name === undefined || part.isForAll) return true
  const isInclude = /^includes?: |"includes?":/.test(text)
  return !isInclude || ownNames.has(part.name) || text.replace(/"[^"]*\.ya?ml"/g, '').includes(part.name)
}

const isWhole = (each: Unit | FileText): boolean => !('isPart' in each && each.isPart)

/** Whether a part of a program runs one that takes part, by its name or that of its folder. */
function isCaller(unit: Consumer, takers: readonly Consumer[]): boolean {
  const { named } = unit
  const commands = commandsOfFrameworks(unit.text)
  return takers.some(({ path, target, language, text }) => {
    if (path === unit.path) return false
    if (commands.some((word) => word.split(/\W+/).join('_') === target.stem || text.includes(`'${word}`) || text.includes(`"${word}`)))
      return true
    if (isNamed(unit, target) || target.runners.some(named.word) || runsScript(unit.text, target.name, text)) return true
    // Projects of a build are run by their names: `gradlew :sync:run`.
    if (language === 'java' && target.package !== '' && named.runs('java') && named.word(nameIn(target.package))) return true
    // An action is run by its folder.
    if (/^action\.ya?ml$/.test(target.name) && named.folder(target.folder)) return true
    return (
      (named.runs(language) || (language === 'py' && hasEntryPoints(unit))) &&
      ((target.isEntry && named.folder(target.folder)) || isImported(named, target))
    )
  })
}

/** Whether a manifest of Python names the functions that its commands call: `send = "sender.main:run"`. */
const hasEntryPoints = ({ path, text }: FileText): boolean =>
  /(?:^|\/)(?:pyproject\.toml|setup\.cfg)$/.test(path) && /=\s*["']?[\w.]+:\w+/.test(text)

/** The commands that a text has a framework run, which finds them in the source code by their names: `manage.py sync_policies`. */
const commandsOfFrameworks = (text: string): readonly string[] =>
  [
    ...text.matchAll(
      /(?:\bmanage\.py|\bdjango-admin|\bartisan|\bbin\/(?:console|cake|rails)|\brails|\brake|\bflask(?:\s+--app\s+\S+)?|\bmix|\bnode ace|\bspark|\bthor|\bdrush|\bwp)["',\s]{1,4}([a-z][\w:.-]{2,80})/g,
    ),
  ].flatMap(([, word = '']) => (ofFrameworks.test(word) ? [] : word))

/** Commands that frameworks have themselves. */
const ofFrameworks =
  /^(?:run\w*|serve|server|console|shell|test|migrate|makemigrations|collectstatic|compile|routes|assets\S*|db\S*|deps\S*|cache\S*|config\S*|format|spec)$/

/** Whether a text runs a script of a package, also one that is called as those that only build or test: `{"build": "node push.mjs"}`. */
function runsScript(text: string, name: string, scripts: string): boolean {
  if (name !== 'package.json') return false
  const script = /^\{"([\w:.-]{1,80})":/.exec(scripts)?.[1]
  return [...text.matchAll(/\b(?:npm|yarn|pnpm|bun)\s+(?:-\S+\s+)*(?:run\s+)?([\w:.-]+)/g)].some(([, run]) => run === script)
}

/** Whether a file is named: with its folder, where others have its name. */
function isNamed({ named, home }: Consumer, { path, isCommon }: Target): boolean {
  return isCommon ? named.hasPlace(path) || (isBelow(path, home) && named.has(path)) : named.has(path)
}

/** Whether a module, or its folder, is named as imports spell it. */
function isImported(named: FileReferences, { folder, stem, language, isEntry }: Target): boolean {
  return ((packaged.has(language) || isEntry) && named.isModule(nameIn(folder))) || (language !== 'go' && named.isModule(stem))
}

/** Whether a program runs a task, or a command that a package gives, by its name. */
function runsPart(by: Consumer, { path, text }: FileText, repository: Repository): boolean {
  const { named, target, language } = by
  const name = nameIn(path)
  if (name === 'package.json' && isAtInstall(text))
    return installing.test(by.text) && (folderOf(path) === '' || named.folder(folderOf(path)))
  const isRun = runnersOf(name).some(named.word)
  const isPackage = /^(?:pyproject\.toml|setup\.(?:cfg|py)|package\.json|Cargo\.toml)$/.test(name) && /scripts|\bbin\b|entry/.test(text)
  if (!isRun && !isPackage) return false
  if (name === 'package.json' && language === 'js' && ofOwnPackages.test(text))
    return target.package === folderOf(path) || /"workspaces":/.test(text)
  // Scripts of a package are run by its manager alone; its commands are run by their names.
  const run = name === 'package.json' && !isRun ? (/"bin":(\{[^}]{0,4000}\})/.exec(text)?.[1] ?? '') : text
  return repository.ofText(run, keysIn).some(named.word)
}

/** The keys of a list of tasks, by which they are run. */
const keysIn = (text: string): readonly string[] => {
  const keys = [...text.matchAll(/(?:^[ \t\ufeff]*|[{,]\s*)["']?([\w:.-]{2,80})["']?\s*[:=]/gm)].map(([, key]) => key as string)
  return [...new Set(keys)].filter((key) => !structural.has(key))
}

/** Whether a script of a package is one that its manager runs when it installs, and that does more than to set up hooks of git. */
const isAtInstall = (text: string): boolean =>
  /^\{"(?:(?:pre|post)?(?:install|prepare)|prepublish)":(?!"(?:husky|lefthook|simple-git-hooks)[^"&|;]*"\})/.test(text)

export const installing = /\b(?:npm|pnpm|yarn|bun)\s+(?:-\S+\s+)*(?:ci|i|install|add)\b|\byarn(?=["'\s]*(?:$|[;&|]))/m

/** References of a package to modules of its own repository. */
const ofOwnPackages = /"(?:imports|local)":\{[^}]|"workspaces":[[{]/

/** Keys of manifests that name no task and no command. */
const structural: ReadonlySet<string> = new Set(
  'bin main imports exports name version module types local workspaces image environment ports build command volumes services networks restart'.split(
    ' ',
  ),
)

/** The folder of the package that a file belongs to; '' for the whole repository. */
function packageOf(path: string, repository: Repository): string {
  const roots = repository.once(packageOf, () => new Set(repository.paths.filter(isManifest).map(folderOf)))
  let folder = folderOf(path)
  while (folder !== '' && !roots.has(folder)) folder = folderOf(folder)
  return folder
}

/** The files of tasks that runners read by default. */
const runners: Readonly<Record<string, RegExp>> = {
  make: /akefile$/,
  just: /ustfile$/,
  task: /^[Tt]askfile/,
  earthly: /^Earthfile/,
  rake: /^Rakefile/,
  tilt: /^Tiltfile/,
  mise: /mise\.toml$/,
  npm: /^package\.json$/,
  yarn: /^package\.json$/,
  pnpm: /^package\.json$/,
  bun: /^package\.json$/,
  deno: /^deno\.jsonc?$/,
  poe: /^pyproject\.toml$/,
  hatch: /^(?:pyproject|hatch)\.toml$/,
  pdm: /^pyproject\.toml$/,
  invoke: /^tasks\.py$/,
  fab: /^fabfile\.py$/,
  nox: /^noxfile\.py$/,
  tox: /^tox\.ini$/,
  docker: /(?:Docker|Container)file|compose/,
}

const runnersOf = (name: string): readonly string[] => Object.keys(runners).filter((word) => runners[word]?.test(name))

const mayRun = (path: string): boolean => isConfiguration(path) || isTerragruntName(nameIn(path))
const running = /local-exec|"external"|run_cmd|extra_arguments|_hook\b|sops_decrypt|read_tfvars|\bfile\("?\$\{(?:get|find)/

/** The parts of a program: what they are depends on its path. */
const partsIn = (text: string, path: string) => partsOf(path, text)

/** The names of the archives that a configuration packs. */
const archivesIn = (text: string): readonly string[] =>
  !text.includes('archive_file')
    ? []
    : [...text.matchAll(/\boutput_path"?\s{0,20}[=:]\s{0,20}"(?:[^"\n]{0,200}\/)?([^"\n/]{1,100})"/g)].map(([, name]) => name as string)

async function unitsIn(around: FileContext): Promise<readonly Unit[]> {
  const { repository, policies } = around
  const units: Unit[] = []
  // Programs that configurations run while they are applied.
  for (const { path, text } of repository.texts(mayRun)) {
    const archives = archivesIn(text)
    const isRoot = running.test(text) || (archives.length > 0 && commandIn(text, around) !== undefined)
    if (isRoot || archives.length > 0) units.push({ path, text, isPart: false, isForAll: !isRoot, isRoot, archives })
  }
  for (const { path, text } of repository.texts(isProgram)) {
    const parts = await repository.ofText(text, partsIn, path)
    const isPart = nameIn(path) === 'package.json' || parts.length > 1 || parts.some((part) => part.isForAll || part.name !== undefined)
    for (const { name, text: partText, isForAll, mayDeploy, fedBy, handed } of parts)
      units.push({ path, name, text: partText, isPart, isForAll, mayDeploy, isRoot: isSetting(path, policies), fedBy, handed })
  }
  // A playbook of any name; its roles are found by their names.
  for (const { path, text } of repository.texts(isManifestFile))
    if (isYaml(path) && !isProgram(path) && playbook.test(text)) units.push({ path, text, isPart: false, isForAll: false, isRoot: false })
  return units
}

/** The beginning of a play of Ansible: in the list that the file is, not as `tls` of an Ingress has it. */
const playbook = /^- (?:[\w-]{1,40}:[^\n]{0,300}\n +){0,9}hosts:/m

/** Source code, the nearest to the top first, as much as is looked through. */
function codeIn(repository: Repository): readonly FileText[] {
  const depth = (path: string) => path.split('/').length
  const paths = repository.paths.filter((path) => isCode(path) && !isProgram(path)).sort((a, b) => depth(a) - depth(b))
  repository.prefetch(paths.slice(0, 4000))
  const files: FileText[] = []
  let remaining = mostCode
  for (const path of paths.slice(0, 4000)) {
    const text = repository.text(path)
    if (text === undefined) continue
    remaining -= text.length
    if (remaining < 0) break
    files.push({ path, text })
  }
  return files
}

function takerOf(file: FileText, repository: Repository): Consumer {
  return repository.once(file, () => {
    const { path, text } = file
    const language = languageOf(path, text)
    return {
      path,
      text,
      language,
      target: targetOf(path, repository),
      home: homeOf(path),
      named: repository.ofText(text, namesOf, language),
    }
  })
}

const ofWorkflows = /^\.(?:github|gitea|forgejo)\/workflows$/

/** The folder of a program whose other files are for it; '' where that is the whole repository, or one of pipelines. */
function homeOf(path: string): string {
  const folder = folderOf(path)
  const role = /^(.*?\broles\/[^/]+)\/(?:tasks|handlers)\//.exec(path)
  if (role) return role[1] as string
  if (ofWorkflows.test(folder)) return ''
  // A pipeline in a separate folder names the files that it reads.
  return isYaml(path) && !/(?:^|\/)action\.ya?ml$/.test(path) ? '' : folder
}

const isBelow = (path: string, folder: string): boolean => folder !== '' && path.startsWith(`${folder}/`)

/** Files by which a folder is a program. */
const entries =
  /^(?:index|main|mod|__init__|__main__|default|lib|cli|app|Earthfile|[Tt]askfile|[Jj]ustfile|\.justfile|GNUmakefile|[Mm]akefile|action|BUILD|Dockerfile|Containerfile|flake|shell)(?:\.\w+)*$/

/** Whether a program may run, or import, another. */
function calls(by: Consumer, target: Target): boolean {
  const { named, home, language } = by
  const { path, folder, language: other } = target
  // Programs in other languages, and their settings, name their own tests.
  // Or name them as modules, or take all files of a folder in which a test is next to what it tests.
  if (target.isTest)
    return (
      isDotted(by, target) ||
      (language === 'py' && folder === by.target.folder && named.isImported(target.stem)) ||
      ((language === 'shell' || language === 'task') && isNamed(by, target)) ||
      (named.isDynamic && !isInTestFolder(path) && named.folder(folder))
    )
  if (isNamed(by, target)) return true
  if ((target.role !== undefined && named.word(target.role)) || (target.isEntry && named.folder(folder))) return true
  const isShell = language === 'shell' || language === 'task' || language === 'hcl'
  const isModule = isImported(named, target)
  if (other !== language && other !== '' && !(isShell && other === 'shell'))
    return isShell && named.runs(other) && (named.folder(folder) || isModule)
  const isNear = isBelow(path, home) || (home === '' && folder === by.target.folder && !ofWorkflows.test(folder))
  if (isNear && (named.isDynamic || packaged.has(language))) return true
  if (named.isDynamic && isInNamed(named, folder)) return true
  // A package of the same repository is imported as a whole.
  const isPackage = target.package !== '' && target.package !== by.target.package && named.isModule(nameIn(target.package))
  return (!isShell && isModule) || (other === language && isPackage)
}

/** Whether a module is named with its folder. */
const isDotted = ({ named }: Consumer, { folder, stem }: Target): boolean => folder !== '' && named.isDotted(folder, stem)

/** Whether a folder, or one above it, is named. */
function isInNamed(named: FileReferences, folder: string): boolean {
  for (let each = folder; each !== ''; each = folderOf(each)) if (named.folder(each)) return true
  return false
}

/** Languages whose files of one folder see each other without naming one another. */
const packaged: ReadonlySet<string> = new Set(['go', 'java', 'cs', 'swift', 'hs', 'nix', 'r', 'jl', 'ml', 'rs'])

function readerOf(path: string, takers: readonly Consumer[], repository: Repository): string | undefined {
  if (takers.some((each) => each.path === path)) return path
  const target = targetOf(path, repository)
  const named = takers.find((each) => isNamed(each, target))
  const isPage = isInert(path) && !hasValues(path, repository)
  if (named && !isPage) return named.path
  const reader = takers.find((each) => (named && isPage && readsPage(each, target)) || goesThrough(each, path, repository))
  if (reader) return reader.path
  // A page of documentation with values at its top is data for what goes through pages.
  if (hasValues(path, repository)) return takers.find((each) => readsData(each, path, repository))?.path
  if (isReadElsewhere(path) || isConfiguration(path)) return undefined
  // Whatever its name looks like, a program that computes names of its folder may take it.
  if (isPage || isOfTools(path) || target.isTest)
    return takers.find((each) => each.named.readsAny && each.named.computes(target.folder))?.path
  const caller = isCode(path) || isProgram(path) ? takers.find((each) => calls(each, target))?.path : undefined
  if (isCode(path)) return caller ?? takers.find((each) => readsCode(each, path))?.path
  if (caller !== undefined || (!isData(path, repository) && !isInert(path))) return caller
  return takers.find((each) => readsData(each, path, repository))?.path
}

/** Whether a page begins with values, as those of a site do: programs read them. */
export const hasValues = (path: string, repository: Repository): boolean =>
  /\.(?:md|mdx|markdown)$/.test(path) && /^(?:---|\+\+\+)\r?\n/.test(repository.text(path) ?? '')

/** Whether a program goes through a folder with a file and takes it, of whatever kind it is. */
function goesThrough({ named, home, path: consumerPath }: Consumer, path: string, repository: Repository): boolean {
  // Of manifests of packages only the fields that a program names count.
  if (consumerPath === path || isReadElsewhere(path) || isManifest(path)) return false
  const folder = folderOf(path)
  return named.listings().some((listing) => {
    const { places, isWhole, isOwn, isLiteral, endings } = listing
    if (endings.length > 0 && !endings.some((ending) => path.endsWith(ending))) return false
    const knownPlaces = repository.once(listing, () => places.filter((place) => isFolder(place, repository)))
    if (isOwn && isBelow(path, home)) return true
    if (knownPlaces.length === 0) return isWhole || (!isLiteral && isInNamed(named, folder))
    return knownPlaces.some((place) => `/${folder}/`.includes(`/${place}/`))
  })
}

/** Whether a path is that of a folder, or ends as one does. */
function isFolder(place: string, repository: Repository): boolean {
  const folders = repository.once(isFolder, () => {
    const allFolders = new Set<string>()
    for (const path of repository.paths)
      for (let each = folderOf(path); each !== '' && !allFolders.has(each); each = folderOf(each)) allFolders.add(each)
    return [...allFolders]
  })
  return repository.once(`folder ${place}`, () => folders.some((each) => each === place || each.endsWith(`/${place}`)))
}

/** Whether a program reads a page: named where it is, and not only written. */
function readsPage({ named, home }: Consumer, { path, name, folder }: Target): boolean {
  return named.reads(name) && (named.hasPlace(path) || isBelow(path, home) || named.folder(folder))
}

/** Whether a program goes through source code of a folder, by the ending of its files: it may look for comments in it. */
function readsCode({ named, path: own }: Consumer, path: string): boolean {
  const suffix = /\.[\w-]+$/.exec(path)?.[0] ?? ''
  const isFound = suffix !== '' && named.readsAny && isCode(own) && named.hasSuffix(suffix)
  return isFound && (isInNamed(named, folderOf(path)) || named.walks)
}

/** Whether a program reads the manifest of a package: its own, that of the whole repository, or those in a folder. */
export const readsManifest = ({ named, path: own }: Consumer, path: string): boolean => {
  const folder = folderOf(path)
  const isNear = folder === '' || isBelow(own, folder) || isInNamed(named, folderOf(folder))
  return own !== path && named.readsAny && named.word(nameIn(path)) && isNear
}

/** A program that takes part in a folder or below it: in the whole repository where the folder is ''. */
export const programWithin = (folder: string, { programs }: Reach): Consumer | undefined =>
  programs.find(({ path }) => folder === '' || isBelow(path, folder))

/** Whether a program reads all files of a folder, with any name. */
export const readsWholeFolder = ({ named, path: own, text }: Consumer, path: string): boolean =>
  isCode(own) && readsAll.test(text) && isInNamed(named, folderOf(path))

const readsAll =
  /rglob\(|iterdir\(|glob\w*\(\s*f?["'`][^"'`]{0,1000}\*\*?(?:\.\w+\*)?["'`]|os\.walk|readdir\w*\(|listdir|scandir|WalkDir|filepath\.Walk/

/** Whether a program may read a file of data that it does not name. */
function readsData({ named, home, path: consumerPath }: Consumer, path: string, repository: Repository): boolean {
  if (!named.readsAny) return false
  // A script is run rather than read.
  if (languageOf(path, '') === 'shell' && !named.hasSuffix(/\.\w+$/.exec(path)?.[0] ?? '')) return false
  if (isBelow(path, home)) return true
  // Of manifests of packages only the fields that a program names count.
  if (isManifest(path)) return false
  if (isInNamed(named, folderOf(path))) return !isOfTerraform(path, repository)
  const suffix = /\.[\w-]+$/.exec(nameIn(path))?.[0]
  return suffix !== undefined && named.hasSuffix(suffix) && (named.walks || folderOf(path) === folderOf(consumerPath))
}

/** Whether a file is in a folder of a configuration, which says itself what it reads. */
function isOfTerraform(path: string, repository: Repository): boolean {
  const folders = repository.once(isOfTerraform, () => new Set(repository.paths.filter(isConfiguration).map(folderOf)))
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) if (folders.has(folder)) return true
  return false
}

function namesTwice({ paths }: Repository): ReadonlySet<string> {
  const seen = new Set<string>()
  return new Set(paths.map(nameIn).filter((name) => seen.has(name) || !seen.add(name)))
}
