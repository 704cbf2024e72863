import { folderOf, nameIn } from '../hcl/paths.ts'
import { importsAccess, isOfUnit, policyApplicationIn, unknownPurpose, whyOfUnit } from './applications.ts'
import { isReadable } from './blocks.ts'
import { credentialNamedIn } from './credentials.ts'
import { essenceIn, essenceOf } from './essence.ts'
import type { DeploymentChange, FileContext, Policies, Repository } from './facts.ts'
import { isOfKnownForm, isOfPages, isOfTranslations, isServed, onlyBuilds } from './forms.ts'
import {
  isCode,
  isConfiguration,
  isInert,
  isObject,
  isOfRunners,
  isOfTools,
  isProgram,
  isReadElsewhere,
  isTest,
  isYaml,
  languageOf,
} from './kinds.ts'
import { mentioned } from './mentions.ts'
import { isStructured } from './pipelines.ts'
import { type Consumer, hasValues, installing, type Reach, reachOf, readsWholeFolder } from './reach.ts'
import { mentionsAccess, sendsData, sentGroup } from './words.ts'

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
  const changes: DeploymentChange[] = []
  const isRead = async (repository: Repository, path: string) => (await reachOf({ repository, policies })).readsWhole(path)
  for (const path of paths) {
    if (isSameProgram(before, after, path) && !(await isRead(before, path)) && !(await isRead(after, path))) continue
    const isSame = isSameBut(before, after, path)
    const whyIn = (around: FileContext) => (isSame ? whyOtherVersion(path, around) : whyUnexplained(path, around))
    const why = (await whyIn({ repository: after, policies })) ?? (await whyIn({ repository: before, policies }))
    if (why !== undefined) changes.push({ path, why, ...(hasNoSign(why) && { isWithoutSign: true }) })
  }
  return changes
}

const unreadable = 'it cannot be read'

const hasNoSign = (why: string): boolean => why === unreadable || isOfUnit(why)

/** Whether something of a file of a state shows that it has a part. */
export async function showsPart(path: string, around: FileContext): Promise<boolean> {
  const why = await whyUnexplained(path, around)
  return why !== undefined && !hasNoSign(why)
}

/** Why a file that differs in versions of images may have a part: one is of an application of this repository that is about policies. */
async function whyOtherVersion(path: string, around: FileContext): Promise<string | undefined> {
  const text = around.repository.text(path) ?? ''
  const named = policyApplicationIn(text, around, await reachOf(around))
  return named === undefined ? undefined : `it may run another version of \`${named}\`, which is about policies`
}

const isThere = (path: string, repository: Repository): boolean => repository.once('all paths', () => new Set(repository.paths)).has(path)

/** Why a file of a state may have a part; undefined where it is shown to have none, or is not there. */
async function whyUnexplained(path: string, around: FileContext): Promise<string | undefined> {
  const { repository, policies } = around
  const text = repository.text(path)
  if (text === undefined) return !isInert(path) && isThere(path, repository) ? unreadable : undefined
  if (text.startsWith('link ')) return undefined
  const asking = isOfTools(path) || isInert(path) ? askingTool(path, await reachOf(around)) : undefined
  if (asking !== undefined) return `\`${asking}\` may go by what the tool says of each file`
  if (isInert(path)) return whyPage(path, around, await reachOf(around))
  if (isTest(path, repository) && cleansUp(path, text)) return 'it may change policies before or after tests'
  const reach = await reachOf(around)
  const runner = runnerOf(path, text, around, reach)
  if (runner !== undefined) return `\`${runner}\` runs it before it deploys`
  const credential = credentialNamedIn(path, text, around, reach)
  if (credential !== undefined) return `it names \`${credential.name}\`, the credential by which \`${credential.by}\` sends policies`
  const taker = isOfTools(path) && !checking.test(path) ? namedTaker(text, around, reach) : undefined
  if (taker !== undefined) return `it names \`${taker}\`, which takes part in the deployment`
  if (isConfiguration(path) && !isReadable({ path, text, repository })) return unreadable
  const gateway = ofApi.test(nameIn(path)) || ofApi.test(text) ? gatewayOf(path, repository) : undefined
  if (gateway !== undefined) return `\`${gateway}\` gives it to what lets requests in`
  const scanning = isOfPages(path) ? reach.programs.find((each) => readsWholeFolder(each, path)) : undefined
  if (scanning) return `\`${scanning.path}\` may read it`
  const isOnServer = isOfPages(path) && !isTest(path, repository) && (isServed(path, text) || importsAccess(text, around))
  const whyOnServer = isOnServer ? whyOfUnit(path, around, reach) : undefined
  if (whyOnServer !== undefined && whyOnServer !== unknownPurpose) return whyOnServer
  if (isOfItsKind(path, around)) return isOfTranslations(path) ? whyTranslations(reach) : undefined
  // The way to run an application is decided where the application is named.
  const named = isCode(path) ? undefined : policyApplicationIn(`${nameIn(path)}\n${text}`, around, reach)
  if (named !== undefined) return `it names \`${named}\`, which is about policies`
  const host = hostIn(text, around, reach)
  if (host !== undefined) return `it has \`${host.name}\`, which \`${host.by}\` sends to`
  const table = askingFor(path, text, reach)
  if (table !== undefined) return `\`${table}\` asks for a table that it changes`
  if (policies.inManifests && mayApply.test(text) && isObject(text)) return 'what applies policies, or where, may be another one'
  const store = fillsStore(path, text, reach)
  if (store !== undefined) return `\`${store}\` may take what it puts into a store`
  const members = membersIn(path, text, policies)
  if (members !== undefined) return `it may say who is in the group \`${members}\`, which a policy names`
  if (onlyBuilds(path, text) || (await isOfKnownForm(path, text, policies)) || isRunByOthers(path, around, reach)) return undefined
  const group = isCode(path) ? undefined : groupIn(path, text, policies)
  if (group !== undefined) return `it may say who is in the group \`${group}\`, which a policy names`
  return whyOfUnit(path, around, reach)
}

/**
 * Why a page may have a part: a template makes policies of pages, or a program that takes part names it, or its folder, which is none of
 * documentation, and reads what is there.
 */
function whyPage(path: string, { repository }: FileContext, { programs }: Reach): string | undefined {
  const folder = folderOf(path)
  // A generator of pages hands the values at the top of each to all others.
  const [template] = hasValues(path, repository) ? templatesIn(repository) : []
  if (template !== undefined) return `\`${template}\` makes policies of pages, and may use its values`
  const searching =
    isTest(path, repository) && !/(?:^|\/)docs?\//.test(path) ? undefined : programs.find((each) => takesFound.test(each.text))
  if (searching) return `\`${searching.path}\` takes what it finds in all files`
  if (!/\.(?:md|mdx|markdown|html?|adoc|rst)$/.test(path) || folder === '' || isTest(path, repository)) return undefined
  const mayTake = (each: Consumer) => !usualPage.test(path) || !takesOthersOnly(each, path)
  const by = programs.find((each) => !isYaml(each.path) && each.named.readsAny && each.named.folder(folder) && mayTake(each))
  if (by) return `\`${by.path}\` names its folder, and may read it`
  const asking = usualPage.test(path) ? undefined : programs.find(({ path: own, named }) => isCode(own) && named.has(path))
  return asking ? `\`${asking.path}\` names it` : undefined
}

/** A description of an API, by its name or its text. */
const ofApi = /^(?:openapi|swagger)[\w.-]*\.(?:ya?ml|json)$|^[ \t\ufeff]*"?(?:openapi|swagger)"?:/m

/** A pipeline or a script that gives a description of an API to a gateway, which then asks for what it says. */
const gatewayOf = (path: string, repository: Repository): string | undefined =>
  repository.texts(isProgram).find(({ text }) =>
    text
      .replace(/\\\r?\n/g, ' ')
      .split('\n')
      .some((line) => line.includes(nameIn(path)) && toGateway.test(line)),
  )?.path

const toGateway =
  /\b(?:deck|kong|inso|apigee\w*|apigateway|api-gateway|apim|tyk\w*|krakend|zuplo|gravitee|apisix|adc)\b[^\n]*\b(?:sync|import\w*|apply|deploy|put-\w+(?:-\w+)*|update|publish|create|push|upload|replace)\b/i

/** A search through all files of the repository whose result is used. */
const takesFound =
  /(?:[$<]\([^\n)]{0,200})\bgit\s+grep\b(?![^\n)]*\s--\s)|\bgit\s+grep\b(?![^\n|]*\s--\s)[^\n|]*\|(?!\|)|\b[ef]?grep\s+(?:-\S+\s+)*-\w*[rR]\w*\s(?![^\n|]*--include)[^\n|]*\s\.\/?\s*\|(?!\|)/

/** Templates of a site that make policies: pages themselves, with values at their top, or layouts. Others are not given what pages say. */
const templatesIn = (repository: Repository): readonly string[] =>
  repository.once(templatesIn, () =>
    repository
      .texts((path) => /\.(?:njk|liquid|ejs|hbs|html|vto|webc|tmpl|gotmpl|xml|haml|slim|pug|mustache)$/.test(path))
      .filter(({ path, text }) => /^(?:---|\+\+\+)\r?\n/.test(text) || /(?:^|\/)_?layouts\//.test(path))
      .filter(({ text }) => /\bpermissions\b/.test(text) && /\bidentities\b/.test(text))
      .map(({ path }) => path),
  )

/** Whether all places that a program goes through are gone through for files with other endings. */
function takesOthersOnly({ named }: Consumer, path: string): boolean {
  const listings = named.listings()
  return (
    !named.has(path) &&
    listings.length > 0 &&
    listings.every(({ endings }) => endings.length > 0 && !endings.some((each) => path.endsWith(each)))
  )
}

const usualPage = /(?:^|\/)(?:README|CHANGELOG|CONTRIBUTING|SECURITY|index)\.\w+$/i

/** Whether a test does something to policies before or after all others: what is set up, and what is cleaned up. */
const cleansUp = (path: string, text: string): boolean =>
  /(?:^|\/)conftest\.py$|(?:teardown|tear_down|setup|set_up|cleanup|clean_up|fixtures?)[\w.-]*$/i.test(path) &&
  mentionsAccess(text) &&
  sendsData(text)

/**
 * A program that takes part and first runs tests, or a tool whose settings are a program or name one: what these change in the folder is
 * deployed as well.
 */
function runnerOf(path: string, text: string, { repository }: FileContext, { programs }: Reach): string | undefined {
  const isProgramOfTests =
    isTest(path, repository) && !/(?:^|\/)(?:docs?|documentation)\//.test(path) && (isCode(path) || languageOf(path, text) === 'shell')
  const tool = isProgramOfTests ? undefined : toolOf(path, text)
  if (!isProgramOfTests && tool === undefined) return undefined
  const shells = programs.filter((each) => !isCode(each.path))
  if (tool === undefined) return shells.find((each) => testing.test(each.text))?.path
  const isNamed = (each: { readonly text: string }) => tool.test(each.text)
  const isNamedByTasks = repository.once(`tasks ${tool.source}`, () => repository.texts(hasTasks).some(isNamed))
  const isRunAtInstall =
    !ofFolders.test(path) &&
    repository.texts((each) => nameIn(each) === 'package.json').some((each) => atInstall(each.text).some(tool.test, tool))
  return shells.find(
    (each) => isNamed(each) || (isNamedByTasks && tasking.test(each.text)) || (isRunAtInstall && installing.test(each.text)),
  )?.path
}

/** The scripts of a package that its manager runs when it installs. */
const atInstall = (text: string): readonly string[] =>
  [...text.matchAll(/"(?:(?:pre|post)?(?:install|prepare)|prepublish)"\s*:\s*"([^"\n]*)"/g)].map(([, command]) => command as string)

/** Commands that run the tests of a repository. */
const testing =
  /\b(?:pytest|unittest|jest|vitest|mocha|ava|jasmine|karma|cypress|playwright|rspec|phpunit|bats|tox|nox|behave|nose2?|gotestsum)\b|\bnode\s+(?:--\S+\s+)*--test\b|\b(?:npm|pnpm|yarn|bun|deno|go|cargo|dotnet|mix|rake|make|just|task|bazel|composer)\s+(?:-\S+\s+)*(?:run\s+)?(?:t|tests?|check|(?:unit-?)?tests?[:-]\S+)(?=["'\s;|&]|$)|\bmvnw?\s[^\n;|&"]*\b(?:test|verify|package|install|deploy)\b|\bgradlew?\s[^\n;|&"]*\b(?:test|check|build)\b/

/** Commands that run tasks which are called after what tools do: `npm ci` runs none called `ci`. */
const tasking =
  /\b(?:npm|pnpm|yarn|bun|deno|make|just|task|mise|poe|hatch|composer)\s+(?:-\S+\s+)*(?:run\s+)?(?:t|tests?|lint|check|(?<!\b(?:npm|pnpm|bun)\s+(?:-\S+\s+){0,9})ci|format|fmt|style|verify|pre\w*)\b/

const hasTasks = (path: string): boolean => isStructured(path) && !/^\.|ya?ml$/.test(path)

/** The tool of whose settings a file is, where they may have it run something: they are a program, or name one, a plugin or a command. */
function toolOf(path: string, text: string): RegExp | undefined {
  const [pattern, command] = (isOfTools(path) && tools.find(([own]) => own.test(path))) || []
  return command !== undefined && (pattern === ofFolders || isCode(path) || running.test(text)) ? command : undefined
}

/** Folders of settings of which each file may be run. */
const ofFolders = /^\.(?:devcontainer|husky)\//

/** Tools that run something, by the paths of their settings, and how they are called. */
const tools: readonly (readonly [path: RegExp, command: RegExp])[] = [
  [ofFolders, /\b(?:devcontainers?|husky)\b|\bgit\s[^\n;|&"]*\bcommit\b/],
  [/eslint/, /\beslint\b/],
  [/prettier/, /\bprettier\b/],
  [/stylelint/, /\bstylelint\b/],
  [/markdownlint/, /\bmarkdownlint/],
  [/commitlint/, /\bcommitlint\b/],
  [/mocha/, /\bmocha\b/],
  [/nyc/, /\bnyc\b/],
  [/lintstaged/, /\blint-staged\b/],
  [/pre-commit/, /\bpre-commit\b|\bprek\b/],
  [/checkov/, /\bcheckov\b/],
  [/flake8/, /\bflake8\b/],
  [/pylint/, /\bpylint\b/],
  [/mypy/, /\bmypy\b/],
  [/rubocop/, /\brubocop\b/],
  [/golangci/, /\bgolangci-lint\b/],
  [/mega-linter/, /\b(?:mega-?linter)\b/],
  [/biome/, /\bbiome\b/],
  [/textlint/, /\btextlint\b/],
  [/ansible-lint/, /\bansible-lint\b/],
  [/tflint/, /\btflint\b/],
  [/pytest/, /\bpytest\b/],
]

/** Words in settings by which a tool loads or runs something. */
const running =
  /\b(?:plugins?|require|import|extends|hooks?|entry|repos?|loader|parser|processor|customSyntax|formatters?|presets?|init-hook|load-plugins|addopts|external-checks\S*|customRules|rulesdir|jsPlugins)\b|["'\s=:]\.{1,2}\//

/** Settings of tools that look at files, and run none. */
const checking =
  /(?:eslint|prettier|stylelint|markdownlint|yamllint|commitlint|renovate|dependabot|checkov|tfsec|infracost|codecov|flake8|pylint|cspell|codespell|lychee|typos|vale|gitleaks|trivy|semgrep|mypy|ruff|golangci|rubocop|sqlfluff|ls-lint|textlint|yamlfmt|biome|dprint)/

/** A program that takes part and is named by settings of a tool: not a pipeline, which has names that many files have. */
const namedTaker = (text: string, { repository }: FileContext, { programs }: Reach): string | undefined => {
  const words = repository.ofText(text, wordsOf)
  return programs.find(({ path, target }) => !target.isCommon && !isStructured(path) && words.has(target.name))?.path
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.match(/[\w@%+~.-]{3,200}/g) ?? [])

/** A program that takes part and asks a tool about single files, where a file has settings of that tool. */
function askingTool(path: string, { programs }: Reach): string | undefined {
  const tool = isOfTools(path) ? checking.exec(nameIn(path))?.[0] : /^\.editorconfig$/.test(nameIn(path)) ? 'editorconfig' : undefined
  if (tool === undefined) return undefined
  const isAsked = ({ path: own, text }: Consumer) =>
    text.split('\n').some((line) => line.includes(tool) && (isCode(own) ? /["'`]/.test(line) : /\$/.test(line.slice(line.indexOf(tool)))))
  return programs.find(isAsked)?.path
}

/** Why translations may have a part: a program that takes part asks for them. */
function whyTranslations({ programs }: Reach): string | undefined {
  const by = programs.find(({ path, text }) => isCode(path) && /i18n|gettext|\blocales?\b|translat/i.test(text))
  return by ? `\`${by.path}\` may ask for it` : undefined
}

/** Whether a file has no part by its path, or is looked at elsewhere. */
const isOfItsKind = (path: string, { policies, repository }: FileContext): boolean =>
  (isReadElsewhere(path) && !isUnreadHcl(path, policies)) ||
  policies.files.includes(path) ||
  policies.parts.includes(path) ||
  isTest(path, repository) ||
  [isOfTools, isOfRunners, isStructured, isOfPages].some((test) => test(path))

/** An address to which a program that takes part sends, and that is not a well-known one, where a file has it. */
function hostIn(
  text: string,
  { repository }: FileContext,
  { programs }: Reach,
): { readonly name: string; readonly by: string } | undefined {
  const hosts = repository.once(hostIn, () => {
    const pathByHost = new Map<string, string>()
    for (const { path, text: programText } of programs)
      for (const [, name = ''] of programText.matchAll(/\bhttps?:\/\/(?:[^\s@/"'`]*@)?([a-z][\w-]*(?:\.[\w-]+)+)/gi))
        if (!wellKnown.test(name)) pathByHost.set(name, path)
    return [...pathByHost].map(([name, by]) => ({ name, by }))
  })
  return hosts.find(({ name }) => text.includes(name))
}

const wellKnown =
  /(?:^|\.)(?:github|gitlab|githubusercontent|bitbucket|npmjs|pypi|pythonhosted|docker|quay|ghcr|hashicorp|terraform|apache|debian|ubuntu|alpinelinux|nodejs|golang|rubygems|maven|w3|json-schema|schemastore|kubernetes|k8s|slack|pagerduty)\.\w+$/i

/** A program that takes part and asks for what a file says of a database: statements, or a seed or a fixture, called after its table. */
function askingFor(path: string, text: string, { programs }: Reach): string | undefined {
  const table = /(?:^|\/)(?:seeds?|fixtures)\/(?:[\w.-]+\/)*(\w+)\.\w+$/.exec(path)?.[1]
  // A model is the table that it is called after.
  const isSql = path.endsWith('.sql') || (languageOf(path, text) === 'shell' && /\b(?:psql|mysql|sqlite3)\b/.test(text))
  const statements = isSql ? `${text}\ntable ${nameIn(path).replace(/\.sql$/, '')}` : table && `table ${table}`
  return statements === undefined ? undefined : programs.find((each) => asksFor(each.text, statements))?.path
}

/** Stores that scripts fill by a command of their own. */
const stores: readonly (readonly [command: RegExp, client: RegExp])[] = [
  [/\bredis-cli\b/, /redis|valkey/i],
  [/\bmongo(?:sh|import)?\b/, /mongo/i],
]

/** A program that takes part and uses a store that a script fills. */
const fillsStore = (path: string, text: string, { programs }: Reach): string | undefined =>
  languageOf(path, text) !== 'shell'
    ? undefined
    : programs.find((each) => each.path !== path && stores.some(([command, client]) => command.test(text) && client.test(each.text)))?.path

/** A group that a policy names and of which data says who is in it, or which users are in: `"groups": ["ops"]`, `ops: { members: [ann] }`. */
function groupIn(path: string, text: string, { groupNames }: Policies): string | undefined {
  if (groupNames.length === 0) return undefined
  const names = new Set(groupNames)
  const said = [
    ...[
      ...text.matchAll(/\b(?:groups?|teams?|memberOf)["']?\s{0,4}[\s:=>-][\s"'[{(-]{0,12}((?:[\w./@-]{1,100}["',\s]{0,12}){1,20})/gi),
    ].flatMap(([, list = '']) => list.match(/[\w.-]+/g) ?? []),
    ...[...text.matchAll(/(?<![\w.-])([\w.-]{1,100})(?![\w.-])["']?\s{0,4}[,:=]?[\s"'{-]{0,12}(?:members?|users|uniqueMember)\b/g)].map(
      ([, name = '']) => name,
    ),
    ...(/(?:^|\/)(?:groups?|teams?|members?)\//.test(path) ? [nameIn(path).replace(/\.\w+$/, '')] : []),
  ]
  return said.find((name) => names.has(name))
}

/** A group that a policy names and whose members source code sends, or an object says. */
function membersIn(path: string, text: string, policies: Policies): string | undefined {
  if (isCode(path)) return sentGroup(text, policies.groupNames)
  if (policies.groupNames.length === 0 || !isObject(text)) return undefined
  const documents = text.split(/^---/m).filter((each) => ofMembers.test(each))
  const isNamed = (each: string, name: string) =>
    [...each.matchAll(/\b(?:name|id)"?:\s{0,4}["']?([\w.@-]{1,100})/g)].some(([, other]) => other === name)
  return policies.groupNames.find((name) => documents.some((each) => isNamed(each, name) || groupIn(path, each, policies) === name))
}

/** Objects that are a group or a user, and say who is in which. */
const ofMembers =
  /^(?=[\s\S]*^(?:kind|\s*"kind"):\s*"?(?:\w*[a-z])?(?:Group|Team|User|Member|Membership)s?\b)[\s\S]*\b(?:members?\w*|users?|memberOf|groups?|teams?)"?:/m

/** Whether a program asks a database for a table, or a view, that statements change. */
function asksFor(program: string, statements: string): boolean {
  if (!/\b(?:SELECT|FROM|JOIN)\b|\b(?:query|execute|cursor|objects|Model)\b/i.test(program)) return false
  const changed = statements.matchAll(
    /\b(?:table|into|update|view|from|join)\s+(?:if\s+(?:not\s+)?exists\s+)?["`[]?(?:\w+["`\]]?\.["`[]?)?(\w{3,})/gi,
  )
  const words = new Set(program.toLowerCase().match(/\w+/g))
  // Models have the names of tables without the name of the application: `access_teammember`, `team_members`.
  const models = [...program.matchAll(/\b([A-Z]\w{3,})\.(?:objects|query|where|find\w*|all|select|get|scan)\b/g)].map(([, name]) =>
    plainTable(name as string),
  )
  return [...changed].some(([, name]) => {
    const table = plainTable(name as string)
    return words.has((name as string).toLowerCase()) || models.some((each) => table.endsWith(each))
  })
}

const plainTable = (name: string): string => name.toLowerCase().replaceAll('_', '').replace(/s$/, '')

/** Objects of Kubernetes by which policies may be applied in another way: namespaces, and operators that are not known to do something else. */
const mayApply =
  /^[ \t\ufeff]*"?kind"?:\s*"?Namespace\b|\b(?:image|name)"?:\s*"?(?![\w./:-]{0,500}(?:cert-manager|ingress|nginx|traefik|external-dns|prometheus|grafana|loki|kyverno|sealed-secrets|metrics|keda|istio|linkerd|velero|autoscaler|postgres|mysql|redis|kafka|strimzi|elastic|minio|longhorn|rook|csi|kube-))[\w./:-]{0,500}(?:operator|controller)\b/m

/** A file in HCL that is of no configuration that was read: of Terragrunt, or of another tool. */
const isUnreadHcl = (path: string, { parts }: Policies): boolean =>
  /\.hcl(?:\.json)?$/.test(path) && !/\.(?:lock|tftest|tofutest)\.hcl(?:\.json)?$/.test(path) && !parts.includes(path)

/** Whether a script is named by pipelines and scripts, none of which takes part. */
function isRunByOthers(path: string, { repository }: FileContext, { by }: Reach): boolean {
  const caller = languageOf(path, '') === 'shell' || isCode(path) ? mentioned(path, repository) : undefined
  return caller !== undefined && isStructured(caller) && by(caller) !== caller
}

/** The contents of a file in two states; undefined where it is only in one, or may be run in only one. */
function bothTexts(before: Repository, after: Repository, path: string): readonly [string, string] | undefined {
  const [old, now] = [before.text(path), after.text(path)]
  if (old === undefined || now === undefined || before.isExecutable(path) !== after.isExecutable(path)) return undefined
  return [old, now]
}

/** Whether a program, or a list of settings, differs only in comments. */
function isSameProgram(before: Repository, after: Repository, path: string): boolean {
  const texts = isProgram(path) ? bothTexts(before, after, path) : undefined
  return texts !== undefined && essenceIn(path, texts[0]) === essenceIn(path, texts[1])
}

/** Whether a file differs only in comments and in versions of images. */
function isSameBut(before: Repository, after: Repository, path: string): boolean {
  const texts = /\.(?:ya?ml|tpl)$/.test(path) ? bothTexts(before, after, path) : undefined
  return texts !== undefined && withoutVersions(texts[0]) === withoutVersions(texts[1])
}

const withoutVersions = (text: string): string =>
  essenceOf(text)
    .replace(/^([ \t\ufeff]*(?:- )?)(?:newTag|tag):.*$/gm, '$1')
    .replace(/(\bimage"?:\s*["']?(?:[\w.-]+(?::\d+)?\/)*[\w.-]+)(?:[:@][\w.:@-]+)/g, '$1')
