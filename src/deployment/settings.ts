import { glob, matches } from '../glob.ts'
import { folderOf, nameIn } from '../hcl/paths.ts'
import { treeOf } from '../parser/tree.ts'
import { sourceOf } from '../source.ts'
import { policyApplicationIn } from './applications.ts'
import { essenceIn, essenceOf } from './essence.ts'
import { type ChangedFile, type Fact, fact } from './facts.ts'
import { isCode, isConfiguration, isKustomization, isTest, languageOf } from './kinds.ts'
import { isStructured, partsOf } from './pipelines.ts'
import { programWithin, reachOf } from './reach.ts'
import { isRecord } from './records.ts'
import { settings } from './settings-of-tools.ts'
import { writtenValue } from './written.ts'

/** Facts of settings that are known by their names. */
export function settingFacts(file: ChangedFile): readonly Fact[] {
  const { path, text, policies } = file
  const found = settings.find(([pattern, needs]) => pattern.test(path) && (needs === undefined || policies[needs]))
  return found ? [fact(file, found[2], path, essenceIn(path, text))] : []
}

/** Keys of the linter's configuration that affect what is read and compared. */
const asked = ['policies', 'world', 'extends', 'brand', 'regions', 'terraform', 'deployment', 'catalogue']

/** Facts of configurations of the linter: both sides are read by the one in the working folder. */
export async function lintingFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, text } = file
  if (!/(?:^|\/)\.grantwise\.(?:ya?ml|json)$/.test(path)) return []
  const { documents } = await treeOf(sourceOf(path, text))
  const value = documents[0] && writtenValue(documents[0])
  const said = isRecord(value) ? asked.flatMap((word) => (value[word] === undefined ? [] : [[word, value[word]]])) : []
  return said.length === 0 ? [] : [fact(file, 'it says what is read and compared', path, said)]
}

/** Attributes of git that say how files are shown, merged or kept, and nothing of which are used. */
const plainAttributes =
  /^[-!]?(?:text|eol|crlf|binary|diff|merge|filter|whitespace|conflict-marker-size|delta|encoding|ident|working-tree-encoding|lockable|linguist-[\w-]+|gitlab-[\w-]+|codeowners|export-subst)(?:=|$)/

/** Facts of git attributes: line endings where the contents of files are values, and attributes by which programs may choose files. */
export async function attributeFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, name, text, policies, repository } = file
  if (name !== '.gitattributes') return []
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*(?:#|$)/.test(line))
  const facts: Fact[] = []
  const isValue = policies.inTerraform && repository.texts(isConfiguration).some((each) => /<<|file|sha|md5/.test(each.text))
  const endings = lines.filter((line) => /\s-?!?(?:text|eol|crlf)\b/.test(line))
  if (isValue && endings.length > 0) facts.push(fact(file, 'it sets the line endings of files whose contents are values', path, endings))
  const returned = await withReturns(file, lines)
  if (returned.length > 0)
    facts.push(fact(file, 'it gives lines a carriage return, which a program may take for a part of them', path, returned))
  const chosen = lines.filter((line) =>
    line
      .trim()
      .split(/\s+/)
      .slice(1)
      .some((word) => !plainAttributes.test(word)),
  )
  // A merge driver decides what of both branches is there in the end.
  const merged = lines.filter((line) => /\s-?!?merge(?:=|\b)/.test(line) && !/\smerge=(?:text|binary|grantwise)\b/.test(line))
  const isOfPolicies = ([pattern = '']: readonly string[]) => matchesAny(pattern, folderOf(path), policies.files)
  const joined = merged.filter((line) => isOfPolicies(line.trim().split(/\s+/)))
  if (joined.length > 0) facts.push(fact(file, 'it says how policies of two branches are merged', path, joined))
  const { programs } = chosen.length === 0 ? { programs: [] } : await reachOf(file)
  const by = programs.find((each) => /\battr\b|check-attr|\barchive\b|attributes|[gG]it/.test(each.text))
  if (by) facts.push(fact(file, `\`${by.path}\` may choose files by its attributes`, path, chosen))
  return facts
}

/** Attributes that give carriage returns to the lines of a file which a program that deploys may read or run. */
async function withReturns(file: ChangedFile, lines: readonly string[]): Promise<readonly string[]> {
  const ofReturns = lines.filter((line) => /\s(?:eol=crlf|crlf)(?:\s|$)/.test(line))
  if (ofReturns.length === 0) return []
  const { by } = await reachOf(file)
  const paths = file.repository.paths.filter((path) => !/\.(?:bat|cmd|ps1|psm1|sln|[cf]sproj)$/i.test(path))
  const isOfReader = ([pattern = '']: readonly string[]) =>
    matchesAny(pattern, folderOf(file.path), paths, (path) => by(path) !== undefined)
  return ofReturns.filter((line) => isOfReader(line.trim().split(/\s+/)))
}

/** Facts of files by which tools leave out others: patterns that match policies, or a program that takes part. */
export async function ignoreFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, name, text, policies } = file
  const isContext = /(?:^|\.)(?:docker|container|gcloud|slug|vercel|eb|cf)ignore$/.test(name)
  if (!isContext && !/^\.(?:git|rg|fd)?ignore$/.test(name)) return []
  const { programs } = await reachOf(file)
  const knownFiles = [...policies.files, ...programs.map((each) => each.path)]
  // One for a single image is about the folder that this is built from, which may be any.
  const folder = name.startsWith('.') ? folderOf(path) : ''
  // A program may read any file that is sent to it.
  if (isContext)
    return knownFiles.some((each) => folder === '' || each.startsWith(`${folder}/`))
      ? [fact(file, 'it says which files are left out', path, essenceIn(path, text))]
      : []
  const lines = text.split(/\r?\n/).filter((line) => /^[^#\s]/.test(line) && matchesAny(line, folderOf(path), knownFiles))
  return lines.length === 0 ? [] : [fact(file, 'tools that go by it leave out policies, or programs that deploy', path, lines)]
}

/** Whether a line of such a file matches a path, or a folder above it. */
function matchesAny(line: string, folder: string, paths: readonly string[], test = (_: string): boolean => true): boolean {
  const plainLine = line
    .trim()
    .replace(/^!/, '')
    .replace(/^\*\*\//, '')
    .replace(/\/(?:\*\*)?$/, '')
  const pattern = glob(
    plainLine
      .replace(/^\//, '')

      .replace(/\*\*|\?|\[[^\]]{0,200}\]/g, '*'),
  )
  const isName = !plainLine.includes('/')
  return paths.some((path) => {
    if (folder !== '' && !path.startsWith(`${folder}/`)) return false
    const parts = path.slice(folder === '' ? 0 : folder.length + 1).split('/')
    const isMatched = isName
      ? parts.some((part) => matches(pattern, part))
      : parts.some((_, i) => matches(pattern, parts.slice(0, i + 1).join('/')))
    return isMatched && test(path)
  })
}

/** Files about a repository itself that libraries find by their names. */
const conventions = /^(?:CODEOWNERS|OWNERS|MAINTAINERS|AUTHORS|CONTRIBUTORS|CHANGELOG|CITATION|\.mailmap|\.all-contributorsrc)(?:\.\w+)?$/i

/** Ways to ask git for authors, whom it gives the names that this file says. */
const asksForAuthors = /mailmap|\bshortlog\b|%[ac][NEL]|\bgit['",\s]{1,6}(?:-\S+\s+)*(?:log|show|blame)\b/i

/** Facts of files about the repository that programs which deploy ask for: who owns what, for example. */
export async function conventionFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, name, text } = file
  if (!conventions.test(name)) return []
  const stem = name
    .replace(/^\./, '')
    .replace(/\.\w+$/, '')
    .toLowerCase()
  const { programs } = await reachOf(file)
  const isAsked = (each: { readonly path: string; readonly text: string }) =>
    (isCode(each.path) && each.text.toLowerCase().includes(stem)) || (stem === 'mailmap' && asksForAuthors.test(each.text))
  const by = programs.find(isAsked)
  return by ? [fact(file, `\`${by.path}\` may ask for what it says`, path, text)] : []
}

/** Facts of submodules where something that deploys fetches other commits of them than the repository has. */
export async function submoduleFacts(file: ChangedFile): Promise<readonly Fact[]> {
  if (file.name !== '.gitmodules') return []
  const { programs } = await reachOf(file)
  const by = programs.find((each) => /submodule\b[^\n]*--remote/.test(each.text))
  return by ? [fact(file, `\`${by.path}\` fetches the newest commits of what it names`, file.path, essenceOf(file.text))] : []
}

/**
 * Settings that tools of a program take by default, by their paths, and which of their fields are none of it; what a program has that
 * such a tool runs, or its path.
 */
const defaults: readonly (readonly [path: RegExp, aside: RegExp | undefined, runner?: RegExp | undefined, place?: RegExp])[] = [
  [
    /(?:^|\/)(?:gradle\.properties|\.npmrc|\.yarnrc(?:\.yml)?|\.bazelrc|ansible\.cfg|cdktf\.json|vendir\.ya?ml|\.goreleaser\.ya?ml)$/,
    undefined,
  ],
  [/(?:^|\/)\.mvn\/|(?:^|\/)(?:\.?mise|\.config\/mise)[\w./-]*\.toml$|(?:^|\/)vars\/\w+\.groovy$/, undefined],
  [/(?:^|\/)(?:application|bootstrap)(?:-[\w-]+)?\.(?:ya?ml|properties)$/, undefined],
  [/^(?:config|conf|settings)\/(?:[\w.-]+\/){0,2}[\w.-]+\.(?:ya?ml|exs|toml|json|ini|conf|properties)$/, undefined],
  [/(?:^|\/)[\w.-]+\.env$/, undefined],
  [/(?:^|\/)(?:buildSrc|build-logic|gradle)\/|^(?:build|settings)\.gradle(?:\.kts)?$/, undefined, /\bgradlew?\b/],
  [/(?:^|\/)(?:nx|turbo|lerna)\.json$/, undefined, /\b(?:nx|turbo|lerna)\b/],
  // Modules and plugins in these folders come before those of the distribution.
  [
    /(?:^|\/)(?:library|module_utils|collections|\w+_plugins)\/.*\.(?:py|ps1|sh|ya?ml)$/,
    undefined,
    /\bansible\b|^ *- (?:name:.*\n +)?hosts:/m,
  ],
  [/(?:^|\/)(?:composer|tsconfig[\w.-]*|jsconfig)\.json$/, /^(?:require|require-dev|scripts|description|keywords|license|authors)$/],
  // Which kind of modules the programs of a package are.
  [/(?:^|\/)package\.json$/, /^(?!type$)/, undefined, /\.[jt]s$/],
  [/(?:^|\/)Cargo\.toml$/, /dependencies|profile|lints/],
  [/(?:^|\/)(?:\.?babel(?:rc|\.config)[\w.-]*|\.swcrc|nodemon\.json)$/, undefined, /\b(?:babel|swc|nodemon|jest|next)\b/],
  [/(?:^|\/)mkdocs\.ya?ml$/, /^(?:site_\w+|nav|theme|repo_\w+|edit_uri|copyright|extra\w*|markdown_extensions)$/, /\bmkdocs\b/],
  [/(?:^|\/)\.changeset\/|(?:^|\/)\.changes\//, undefined, /\bchange(?:set|sets|sets\/cli|ie)\b/],
  [/^\.(?:github|gitea|forgejo)\/labeler\.ya?ml$/, undefined, /\blabels?\b/],
  // Hosts of pages run functions with the variables that these set, at the times that they say.
  [/(?:^|\/)(?:vercel\.json|netlify\.toml)$/, undefined, undefined, /(?:^|\/)(?:api|netlify|(?:edge-)?functions)\//],
  [/(?:^|\/)\.releaserc[\w.-]*$/, undefined, /\bsemantic-release\b/],
]

/** Facts of settings that programs which deploy take by default: those of their folder, and of folders above it. */
export async function defaultFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, text } = file
  const defaultRow = defaults.find(([pattern]) => pattern.test(path))
  if (!defaultRow) return []
  const home = folderOf(path).replace(
    /(?:^|\/)(?:\.mvn|\.changeset|\.changes|buildSrc|build-logic|\.config|\.?mise|vars|config|conf|settings|resources|main|src|(?:roles\/[^/]+\/)?(?:library|module_utils|collections|\w+_plugins))(?=\/|$).*$/,
    '',
  )
  const { programs } = await reachOf(file)
  const [, aside, runner = /(?:)/, place = /(?:)/] = defaultRow
  const isRun = (each: { readonly path: string; readonly text: string }) => runner.test(each.text) && place.test(each.path)
  const by = programs.find((each) => (home === '' || each.path.startsWith(`${home}/`)) && isRun(each))
  if (!by) return []
  // The tasks of mise are run by their names.
  const isOfTask = (part: { readonly text: string }) => /^\s*\[+\s*tasks\b/.test(part.text)
  const mark = /mise[\w.-]*\.toml$/.test(path)
    ? (await partsOf(path, text)).filter((part) => !isOfTask(part)).map((part) => part.mark)
    : aside
      ? await withoutFields(path, text, aside)
      : essenceIn(path, text)
  return [fact(file, `\`${by.path}\` may take it by default`, path, mark)]
}

/** The fields of a file, or the sections of one of TOML, without some. */
async function withoutFields(path: string, text: string, aside: RegExp): Promise<unknown> {
  if (path.endsWith('.toml'))
    return essenceIn(path, text)
      .split(/^(?=[ \t\ufeff]*\[)/m)
      .filter((section) => !aside.test(/\[([^\]]*)/.exec(section)?.[1] ?? ''))
  const { documents } = await treeOf(sourceOf(path, text))
  const value = documents[0] && writtenValue(documents[0])
  return isRecord(value) ? Object.entries(value).filter(([key]) => !aside.test(key)) : text
}

/** Languages whose programs make what is deployed: by the files that they are written in, and what shows that they are about policies. */
const makers: readonly (readonly [path: RegExp, about: RegExp, why: string])[] = [
  [/\.(?:jsonnet|libsonnet)$/, /iam|polic/i, 'programs in Jsonnet make what is deployed'],
  [/\.(?:cue|dhall|ncl|k)$/, /iam|polic/i, 'programs of its language make what is deployed'],
  [/\.tm\.hcl$/, /./, 'Terramate makes configurations of it'],
  [
    /(?:^|\/)(?:hiera\.ya?ml|data\/[\w./-]+\.ya?ml|[\w./-]+\.pp)$/,
    /^(?=[\s\S]*?\bclass\b)[\s\S]*(?:iam|polic)/i,
    'Puppet takes values from it',
  ],
]

/** Facts of files in such languages, and of programs of Pulumi with their settings. */
export function languageFacts(file: ChangedFile): readonly Fact[] {
  const { path, name, text, repository } = file
  const maker = makers.find(([pattern]) => pattern.test(path))
  if (maker) {
    const [pattern, about, why] = maker
    const isAbout = repository.once(`maker ${pattern}`, () =>
      repository.texts((each) => pattern.test(each)).some((each) => about.test(each.text)),
    )
    return isAbout ? [fact(file, why, path, essenceIn(path, text))] : []
  }
  const project = repository.paths.find(
    (each) => /(?:^|\/)Pulumi\.ya?ml$/.test(each) && (folderOf(each) === '' || path.startsWith(`${folderOf(each)}/`)),
  )
  if (project === undefined || isTest(path, repository)) return []
  const home = folderOf(project)
  const isOfProject = (each: string) => home === '' || each.startsWith(`${home}/`)
  const isPart = /^Pulumi(?:\.[\w-]+)?\.ya?ml$/.test(name) || (isCode(path) && folderOf(path) === home)
  const isAbout = () =>
    repository.once(`pulumi ${home}`, () =>
      repository
        .texts((each) => isCode(each) && isOfProject(each) && !isTest(each, repository))
        .some((each) => /iam|polic/i.test(each.text)),
    )
  return isPart && isAbout() ? [fact(file, 'it is part of a program of Pulumi', path, essenceOf(text, languageOf(path, text)))] : []
}

/** Facts of generators of Kustomize, which put files into objects. */
export async function generatorFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, text, policies } = file
  if (!isKustomization(path) || !/Generator/.test(text)) return []
  const { documents } = await treeOf(sourceOf(path, text))
  const value = documents[0] && writtenValue(documents[0])
  const made = isRecord(value) ? [value.configMapGenerator, value.secretGenerator] : text
  const isAbout = /iam|polic/i.test(JSON.stringify(made)) || policies.files.some((each) => JSON.stringify(made).includes(nameIn(each)))
  return isAbout ? [fact(file, 'it puts files into objects', path, made)] : []
}

/** Lists of versions, and what in them is a commit of another repository. Versions of published packages do not count. */
const locks =
  /(?:^|\/)(?:flake\.lock|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|[\w-]+\.lock|Gemfile|go\.(?:mod|work)|requirements[\w-]*\.txt|\.tool-versions)$/
const ofRepository =
  /\bgit\+|\+git\b|ssh:\/\/|git@|"?resolved_reference"?|^\s*"?revision"?\s*[:=]|\bresolved-ref:|:git,|\{git,|\{ref,|:commit:|^\s*commit:|^\S+\s+(?:ref|path):|\sv\d[\w.-]*-(?:\w+\.)?(?:0\.)?\d{14}-[0-9a-f]{12}(?!\s*\/\/ indirect)\b|\bgit = "|"(?:git|rev)":|"resolved":\s*"(?!https?:)|=>|^\s*(?:use|replace|exclude)\b|^\s*(?:-[a-z]\s|--(?!hash)[a-z]|\.{1,2}\/)|^[\w.[\]-]+\s*@\s|^\s*remote: (?!https:\/\/rubygems)|\bpath: |\blink:|\bfile:|workspace:|"(?:type": "path|url": "(?!https?:))|^(?:type = "directory"|url = "(?!https?:))/
/** Modules of Go that have no versions but commits, and do nothing for one program in particular. */
const ofLanguage = /^\s*(?:require\s+)?(?:golang\.org|google\.golang\.org|k8s\.io|sigs\.k8s\.io)\//
const published = /^(?:NixOS|numtide|nix-community|nix-systems|edolstra|cachix|hercules-ci)$/i

/** Facts of lists of versions next to programs that deploy: the commits of other repositories that these use. */
export async function lockFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, text, name } = file
  if (!locks.test(path)) return []
  // Where packages are taken from a folder, their versions choose files of it.
  const isOffline = /^[ \t\ufeff]*(?:--no-index|(?:-f|--find-links)[\s=]+(?!https?:))/m.test(text)
  const lines = text.split(/\r?\n/).filter((line) => isOffline || (ofRepository.test(line) && !ofLanguage.test(line)))
  const used = name === 'flake.lock' ? await inputsOf(path, text) : name === 'composer.lock' ? [...lines, ...branchesIn(text)] : lines
  if (used.length === 0) return []
  const by = programWithin(folderOf(path), await reachOf(file))
  return by ? [fact(file, `\`${by.path}\` may use the commits of other repositories that it names`, path, used)] : []
}

/** The commits of the packages of Composer that follow a branch. */
const branchesIn = (text: string): readonly unknown[] =>
  [...text.matchAll(/"version":\s*"(?:dev-|[^"\n]*-dev")[^}]{0,2000}?"reference":\s*"(\w+)"/g)].map(([, commit]) => commit)

/** The inputs of a flake that are not collections of published packages; all of it where it cannot be read. */
async function inputsOf(path: string, text: string): Promise<readonly unknown[]> {
  const { documents, refused, diagnostics } = await treeOf(sourceOf(path, text, 'json'))
  const value = documents[0] && writtenValue(documents[0])
  if (refused || !isRecord(value) || diagnostics.some(({ severity }) => severity === 'error')) return [text]
  return Object.entries(isRecord(value.nodes) ? value.nodes : {}).filter(([, node]) => {
    const locked = isRecord(node) ? node.locked : undefined
    return isRecord(locked) && !(typeof locked.owner === 'string' && published.test(locked.owner))
  })
}

/** Facts of jobs that build the image of an application which is about policies, or run in one. */
export async function imageFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, text } = file
  if (!isStructured(path)) return []
  const reach = await reachOf(file)
  const plainText = text.replace(/\$\{\{[^}\n]*\}\}|\$\{?\w+\}?/g, 'value')
  const images = [...plainText.matchAll(/\b(?:image|container)"?:\s*(?:\{\s*)?(?:(?:name|image):\s*)?["']?([\w./:@-]+)/g)]
    .map(([whole, image]) => ({ whole, image }))
    .filter(({ whole, image = '' }) => image.includes('/') && policyApplicationIn(whole, file, reach) !== undefined)
  if (images.length > 0) return [fact(file, 'a job runs in an image of an application that is about policies', images)]
  if (!building.test(text)) return []
  const parts = (await partsOf(path, text)).filter((part) => building.test(part.text))
  const named = parts.flatMap((part) => {
    const by = policyApplicationIn(part.text, file, reach)
    return by === undefined ? [] : [{ by, mark: part.mark }]
  })
  const [first] = named
  return first
    ? [
        fact(
          file,
          `it builds \`${first.by}\`, which is about policies`,
          path,
          named.map(({ mark }) => mark),
        ),
      ]
    : []
}

const building =
  /\b(?:docker|podman|buildah|nerdctl)\s+(?:buildx\s+)?(?:build|bake)\b|kaniko|build-push-action|\bset\s+(?:env|image)\b|\b(?:ko|pack|jib|s2i)\s+build\b/
