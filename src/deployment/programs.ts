import { folderOf, nameIn } from '../hcl/paths.ts'
import { treeOf } from '../parser/tree.ts'
import { sourceOf } from '../source.ts'
import { plain } from '../tree.ts'
import { givers } from './blocks.ts'
import type { ChangedFile, Fact, Policies, Repository } from './facts.ts'
import { isCode, isConfiguration, isInert, isOfTools, isProgram, isReadElsewhere, isYaml } from './kinds.ts'
import { codeRun, mentioned } from './mentions.ts'

/** A tool that deploys, and the subcommands or options that do. A text deploys only where it has both. */
interface Words {
  readonly tool: RegExp
  readonly does: RegExp
  /** What it has to be about. */
  readonly about?: RegExp
}

const anything = /(?:)/

/** What names a deployment in a pipeline or a script, where the policies are of a kind that it deploys. */
const words: Readonly<Record<'inTerraform' | 'inManifests' | 'always', readonly Words[]>> = {
  inTerraform: [
    {
      tool: /\b(?:terraform|tofu|terragrunt|terramate)\b(?!-(?:docs|lsp|ls|compliance|config-inspect)\b|[._]version|[-\w]*@)/,
      does: /\b(?:apply|destroy|import|taint|state|workspace|run-all|deploy)\b|-var(?:-file)?\b|\bterragrunt\s+run\b/,
    },
    { tool: /\bTF_(?:VAR_\w+|WORKSPACE|CLI_ARGS\w*|CLI_CONFIG_FILE|DATA_DIR)\b|-var-file[= ]/, does: anything },
  ],
  inManifests: [
    {
      tool: /\b(?:kubectl|helm|helmfile|kustomize|flux|argocd|kapp|kluctl|skaffold|oc|werf|kpt|ytt|jsonnet)\b/,
      does: /\b(?:apply|upgrade|install|build|sync|create|replace|patch|delete|deploy|template|reconcile|label|annotate|set)\b/,
    },
  ],
  always: [
    { tool: /\b(?:pulumi|cdktf)\b/, does: /\b(?:up|update|config|destroy|stack|deploy|import|refresh)\b/ },
    { tool: /\bansible-playbook\b|\bPULUMI_\w+/, does: anything },
    { tool: /\/iam\/\w+|\burn:v1:[\w:-]+/, does: anything },
    { tool: /\b(?:curl|wget|httpie?|xh)\b/, does: /\b(?:PUT|POST|PATCH|DELETE)\b/, about: /iam|polic/i },
  ],
}

/** The same for source code, and manifests: only what can hardly mean anything else. */
const commands: Readonly<Record<'inTerraform' | 'inManifests' | 'always', RegExp>> = {
  inTerraform:
    /\bTF_(?:VAR_\w+|WORKSPACE|CLI_ARGS\w*|CLI_CONFIG_FILE|DATA_DIR)\b|\b(?:terraform|tofu|terragrunt)['",\s]{1,8}(?:-chdir\S+['",\s]{1,8})?(?:apply|workspace|run|run-all|import|state|destroy)\b|-var-file[= ]/,
  inManifests:
    /\bkubectl['",\s]{1,8}(?:apply|create|replace|patch|delete|label|annotate)\b|\bhelm['",\s]{1,8}(?:upgrade|install)\b|\bkustomize['",\s]{1,8}build\b/,
  always: /\bpulumi['",\s]{1,8}(?:up|update|config|destroy)\b|['"]@pulumi\/|\bpulumi_\w+|\bcdktf\b|@cdktf\/|\/iam\/policy\b/,
}

type Way = keyof typeof commands
const ways: readonly Way[] = ['inTerraform', 'inManifests', 'always']

/** Facts of pipelines, scripts and whatever else calls what deploys, and of what they name. */
export async function programFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, text, policies } = file
  if (isInert(path) || isReadElsewhere(path) || policies.files.includes(path)) return []
  const command = commandIn(text, file)
  if (isProgram(path) || text.startsWith('#!')) return pipelineFacts(file)
  // Manifests are looked at by what they are.
  const isManifest = /\.(?:ya?ml|json)$/.test(path) && /^\s*"?apiVersion"?:/m.test(text) && /^\s*"?kind"?:/m.test(text)
  if (command !== undefined) return [{ path, why: command, mark: `${path} ${text}` }]
  if (isManifest) {
    const named =
      /^\s*kind:\s*(?:CronJob|Job|Workflow|WorkflowTemplate|CronWorkflow|Pipeline|PipelineRun|Task|TaskRun)\b/m.test(text) &&
      namedPolicies(text, file)
    return named ? [{ path, why: named, mark: `${path} ${text}` }] : []
  }
  if (isCode(path)) return codeFacts(file)
  const by = mentionedBy(file)
  // What a link leads to is there by its own name.
  if (text.startsWith('link ') && (by === undefined || !isProgram(by))) return []
  if (isOfTools(path) && (by === undefined || !isProgram(by))) return []
  if (by !== undefined) {
    // What a pipeline includes is a pipeline, and what a script includes a script.
    if (isProgram(by)) return [{ path, why: `\`${by}\` names it`, mark: `${path} ${text}` }]
    return [{ path, why: `\`${by}\` names it, or its folder`, mark: `${path} ${text}` }]
  }
  const isCompared = policies.compared.some((folder) => folder === '' || path.startsWith(`${folder}/`))
  const own = isCompared ? (ownWords(text) ?? ofUnknownPurpose(path, file)) : undefined
  return own === undefined ? [] : [{ path, why: own, mark: `${path} ${text}` }]
}

/** Facts of source code that a pipeline or a script names, or runs by what it names, and that sends policies or chooses their files. */
function codeFacts(file: ChangedFile): readonly Fact[] {
  const { path, text, repository } = file
  const by = mentioned(path, repository)
  const why = by === undefined ? undefined : (wordsIn(text, file) ?? namedPolicies(text, file))
  return by === undefined || why === undefined ? [] : [{ path, why: `\`${by}\` names it, and ${why}`, mark: `${path} ${text}` }]
}

/** What a file that is not read says in the words of policies. */
function ownWords(text: string): string | undefined {
  const found =
    /urn:v1:[\w:*-]+|"(?:identities|permissionsGroups?|permissions)"\s*:|^\s*(?:- )?(?:identities|permissionsGroups?|permissions):|\b[a-zA-Z]+:apisvc:[\w/*]+/m.exec(
      text,
    )?.[0]
  return found === undefined ? undefined : `it is not read as a policy, and has \`${found.trim()}\``
}

/** That a file of unknown purpose is in a folder of policies, or below. YAML and JSON are read there. */
function ofUnknownPurpose(path: string, { policies, repository }: ChangedFile): string | undefined {
  // Values for templates of ytt are YAML like any other.
  const isTemplated = repository.once(ofUnknownPurpose, () => policies.files.some((each) => /^\s*#@/m.test(repository.text(each) ?? '')))
  if (!isTemplated && /\.(?:ya?ml|json)$|(?:^|\/)\.[\w-]+$/.test(path)) return undefined
  const found = policies.folders.find((folder) => folder !== '' && path.startsWith(`${folder}/`))
  return found === undefined ? undefined : `its purpose is not known, and it is in \`${found}\`, a folder of policies`
}

/** A file that names another and has a part in the deployment. Files that configurations read for their policies are read with these. */
function mentionedBy({ path, repository, policies }: ChangedFile): string | undefined {
  const by = mentioned(path, repository)
  if (by === undefined || !isConfiguration(by)) return by
  const isUsed = repository.once(
    mentionedBy,
    () => givers(repository, policies).length > 0 || repository.texts(isConfiguration).some(({ text }) => usesElsewhere.test(text)),
  )
  return isUsed ? by : undefined
}

/** Resources that are made from files, and are no policies. */
const usesElsewhere = /"(?:kubernetes|kubectl|helm|argocd|flux|restapi|terracurl|http)_?\w*"/

/** How many files that scripts call are looked into. */
const mostCalled = 40

async function pipelineFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, text } = file
  const parts = await partsOf(path, text)
  const found = parts.flatMap((part) => {
    const why = programWhy(part.text, file)
    return why === undefined ? [] : [{ ...part, why }]
  })
  const [first] = found
  if (!first) return []
  // What is said for all parts counts where one of them deploys.
  const marks = [...found, ...parts.filter(({ isForAll }) => isForAll)].map((part) => part.mark)
  return [{ path, why: first.why, mark: `${path} ${[...new Set(marks)].sort().join('\n')}` }]
}

interface Part {
  readonly text: string
  readonly mark: string
  readonly isForAll: boolean
}

/** A pipeline by its jobs, and a list of scripts by these; another text as a whole. */
async function partsOf(path: string, text: string): Promise<readonly Part[]> {
  const whole = [{ text, mark: essenceOf(text), isForAll: false }]
  if (/(?:^|\/)(?:GNU|BSD)?[Mm]akefile$|\.mk$/.test(path)) return targetsOf(text)
  const isPackage = nameIn(path) === 'package.json'
  if (!isPackage && !isYaml(path)) return whole
  const { documents, refused, diagnostics } = await treeOf(sourceOf(path, text))
  const [document] = documents
  if (refused || documents.length !== 1 || !document || diagnostics.some(({ severity }) => severity === 'error')) return whole
  const value = plain(document)
  if (!isRecord(value)) return whole
  if (isPackage) {
    const { scripts = {}, config = {} } = value
    return [{ text: JSON.stringify(scripts), mark: JSON.stringify([scripts, config]), isForAll: false }]
  }
  const jobs = isRecord(value.jobs) ? value.jobs : value
  const others =
    jobs === value ? [] : Object.entries(value).filter(([key]) => !['name', 'run-name', 'jobs', 'permissions', 'concurrency'].includes(key))
  const part = ([name, job]: [string, unknown], isForAll: boolean): Part => {
    const mark = JSON.stringify([name, withoutNoise(job)])
    return { text: typeof job === 'string' ? job : JSON.stringify(job).replaceAll('\\n', '\n'), mark, isForAll }
  }
  const common = ['variables', 'include', 'default', 'env', 'before_script', 'stages']
  return [
    ...Object.entries(jobs).map((each) => part(each, jobs === value && common.includes(each[0]))),
    ...others.map((each) => part(each, true)),
  ]
}

/** A makefile by its targets: a target that another one names is part of that, and so is all that belongs to none. */
function targetsOf(text: string): readonly Part[] {
  const found: { readonly name: string; readonly lines: string[] }[] = [{ name: '', lines: [] }]
  let isContinued = false
  for (const line of essenceOf(text).split('\n')) {
    const name = isContinued ? undefined : /^([\w./%$(){} -]+?)\s*::?(?!=)/.exec(line)?.[1]
    if (name !== undefined) found.push({ name, lines: [] })
    else if (!/^\s/.test(line) && !isContinued) found.push({ name: '', lines: [] })
    isContinued = line.endsWith('\\')
    found.at(-1)?.lines.push(line)
  }
  const targets = found.filter(({ name }) => name !== '' && name !== '.PHONY')
  const withNamed = (first: (typeof found)[number]): string => {
    const all = new Set([first])
    for (const { lines } of all)
      for (const other of targets) if (!all.has(other) && lines.some((line) => line.split(/[\s:;&|]+/).includes(other.name))) all.add(other)
    return [...all].map(({ lines }) => lines.join('\n')).join('\n')
  }
  const common = found
    .filter(({ name }) => name === '')
    .map(({ lines }) => lines.join('\n'))
    .join('\n')
  return [
    ...targets.map((target) => ({ text: withNamed(target), mark: withNamed(target), isForAll: false })),
    { text: common, mark: common, isForAll: true },
  ]
}

/** Keys of a job, of a step and of its inputs that have no part in what is deployed. */
const noise: readonly ReadonlySet<string>[] = [
  'name runs-on timeout-minutes timeout permissions continue-on-error retention-days tags cache image',
  'name timeout-minutes continue-on-error',
  'terraform_version tofu_version terragrunt_version node-version python-version go-version cache cache-dependency-path retention-days',
].map((words) => new Set(words.split(' ')))

/** A job without names, machines and versions. */
function withoutNoise(job: unknown): unknown {
  if (!isRecord(job)) return job
  const [ofJob, ofStep, ofInput] = noise.map((words) => (value: unknown) => (isRecord(value) ? without(value, words) : value))
  const stepOf = (step: unknown) => {
    if (!isRecord(step)) return step
    const uses = typeof step.uses === 'string' ? step.uses.replace(/@.*$/, '') : step.uses
    return ofStep?.({ ...step, ...(uses !== undefined && { uses }), ...(step.with !== undefined && { with: ofInput?.(step.with) }) })
  }
  const steps = Array.isArray(job.steps) ? job.steps.map(stepOf) : job.steps
  return ofJob?.({ ...job, ...(steps !== undefined && { steps }) })
}

function without(value: Readonly<Record<string, unknown>>, words: ReadonlySet<string>): unknown {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !words.has(key)))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Why a pipeline or a script has a part in the deployment: by its own words, or by those of the scripts that it names. */
function programWhy(text: string, file: ChangedFile): string | undefined {
  const { repository } = file
  const own = wordsIn(text, file) ?? namedPolicies(text, file)
  if (own !== undefined) return own
  const scripts = repository.once(programWhy, () => repository.paths.filter((path) => isProgram(path)))
  const seen = new Set([file.path])
  const open = [text]
  for (let next = open.pop(); next !== undefined && seen.size <= mostCalled; next = open.pop()) {
    for (const path of namedIn(next, scripts)) {
      if (seen.has(path)) continue
      seen.add(path)
      const called = repository.text(path)
      if (called === undefined) continue
      if (wordsIn(called, file) !== undefined || namedPolicies(called, file) !== undefined)
        return `it names \`${path}\`, which takes part in the deployment`
      open.push(called)
    }
  }
  if (seen.size > mostCalled) return 'it calls more scripts than are looked into'
  // What a program of the deployment includes is part of it.
  const by = mentioned(file.path, repository)
  const caller = by !== undefined && isProgram(by) ? repository.text(by) : undefined
  return caller !== undefined && by !== undefined && (wordsIn(caller, file) ?? namedPolicies(caller, file)) !== undefined
    ? `\`${by}\` names it, which takes part in the deployment`
    : undefined
}

/** The files that a text names, by the words in it. */
function namedIn(text: string, scripts: readonly string[]): readonly string[] {
  const found = new Set(text.match(/[\w@%+~.-]+/g) ?? [])
  const isNamed = (path: string) => {
    const name = nameIn(path)
    if (found.has(name)) return true
    // These read their files by default.
    return (
      (/akefile$/.test(name) && found.has('make')) ||
      (/ustfile$/.test(name) && found.has('just')) ||
      (/^[Tt]askfile/.test(name) && found.has('task'))
    )
  }
  return scripts.filter(isNamed)
}

function wordsIn(text: string, { policies }: Pick<ChangedFile, 'policies'>): string | undefined {
  for (const way of ways) {
    if (way !== 'always' && !policies[way]) continue
    for (const { tool, does, about } of words[way]) {
      const found = tool.exec(text)?.[0]
      if (found !== undefined && does.test(text) && about?.test(text) !== false) return `it has \`${found.trim()}\``
    }
  }
  return undefined
}

function commandIn(text: string, { policies }: ChangedFile): string | undefined {
  const found = ways
    .flatMap((way) => (way === 'always' || policies[way] ? [commands[way].exec(text)?.[0]] : []))
    .find((each) => each !== undefined)
  return found === undefined ? undefined : `it has \`${found.trim()}\``
}

/** That a text names files with policies, or their folder. What applies configurations is known by its own words. */
function namedPolicies(text: string, { policies, repository }: Pick<ChangedFile, 'policies' | 'repository'>): string | undefined {
  const { names, folders } = repository.once(namedPolicies, () => {
    const sent = policies.files.filter((path) => !isConfiguration(path))
    return {
      names: new Set(sent.flatMap((path) => [path, nameIn(path)])),
      folders: new Set(sent.map(folderOf).flatMap((path) => (path === '' ? [] : [path, nameIn(path)]))),
    }
  })
  for (const [word] of text.matchAll(/[\w@%+~./-]{2,300}/g)) {
    const plainWord = word.replace(/^\.?\/+|[./]+$/g, '')
    const isFolder = folders.has(plainWord) && plainWord.length > 2
    if (names.has(plainWord) || isFolder || [...folders].some((folder) => plainWord.startsWith(`${folder}/`)))
      return `it names \`${plainWord}\``
  }
  return undefined
}

/** A text without comments on lines of their own and empty lines, where these cannot cut what is written over several lines. */
function essenceOf(text: string): string {
  if (text.includes('<<') || text.includes('<#')) return text
  // A comment at the end of a line without quotes is none of what is run.
  const lines = text.split(/\r?\n/).map((line) => (/['"`\\]/.test(line) ? line : line.replace(/\s#\s.*$/, '')).trimEnd())
  return lines.filter((line, i) => lines[i - 1]?.endsWith('\\') || (line !== '' && !/^\s*#(?!!)/.test(line))).join('\n')
}

/** Comments that are instructions to a template engine. */
const acting = /^\s*#(?:@|.*(?:\{[{%#]|[#%}]\}))/

/** Facts of comments in policies that a template engine acts on before they are applied. */
export function templateFacts({ path, text, policies }: ChangedFile): readonly Fact[] {
  if (!isYaml(path) || !policies.files.includes(path)) return []
  const lines = text.split(/\r?\n/)
  const found = lines.flatMap((line, i) => (acting.test(line) ? [`${i} ${line}`] : []))
  return found.length === 0
    ? []
    : [{ path, why: 'a template engine may act on its comments', mark: `${path} ${found.join('\n')} ${lines.length}` }]
}

/** Facts of the paths of policies, where pipelines or scripts choose files by their names and folders. */
export function placeFacts(policies: Policies, repository: Repository): readonly Fact[] {
  const paths = new Set(repository.paths)
  const own = policies.files.filter((path) => paths.has(path) && !isConfiguration(path))
  if (own.length === 0) return []
  const around = { policies, repository }
  const by = [...repository.texts(isProgram), ...codeRun(repository)].find(
    ({ text }) => wordsIn(text, around) !== undefined && namedPolicies(text, around) !== undefined,
  )
  return by === undefined ? [] : own.map((path) => ({ path, why: `\`${by.path}\` chooses files by their paths`, mark: path }))
}

/** Files that tools read by their names. */
const settings: readonly (readonly [path: RegExp, needs: 'inTerraform' | 'inManifests' | undefined, why: string])[] = [
  [/(?:^|\/)(?:atlantis|digger|env0|scalr)\.ya?ml$|^\.(?:spacelift|terrateam)\//, 'inTerraform', 'it says how configurations are applied'],
  [
    /(?:^|\/)(?:helmfile|skaffold|devspace|kluctl|\.kluctl|werf|garden|fleet|kapp|kpt|Kptfile)(?:\.[\w-]+)*(?:\.(?:ya?ml)(?:\.gotmpl)?)?$/,
    'inManifests',
    'it says what is applied',
  ],
  [/(?:^|\/)\.terraform\/environment$/, 'inTerraform', 'it chooses the workspace'],
  [
    /(?:^|\/)\.(?:terraformignore|dockerignore|krmignore|gcloudignore|slugignore|helmignore)$/,
    undefined,
    'it says which files are left out',
  ],
  [
    /\.(?:tfcomponent|tfdeploy|tfstack)\.hcl(?:\.json)?$/,
    'inTerraform',
    'it is part of a stack of Terraform, which gives values to configurations',
  ],
  [/(?:^|\/)\.sourceignore$/, 'inManifests', 'Flux leaves out the files that it names'],
  [/(?:^|\/)\.argocd-source[\w.-]*\.yaml$/, 'inManifests', 'it changes what Argo CD applies'],
  [/(?:^|\/)(?:group_vars|host_vars)\/|(?:^|\/)(?:inventory|hosts)(?:\.(?:ini|ya?ml))?$/, undefined, 'Ansible takes values from it'],
  [/(?:^|\/)PulumiPlugin\.ya?ml$/, undefined, 'it is a component of Pulumi, which is not read'],
]

/** Facts of settings that are known by their names. */
export function settingFacts({ path, text, policies }: ChangedFile): readonly Fact[] {
  const found = settings.find(([pattern, needs]) => pattern.test(path) && (needs === undefined || policies[needs]))
  return found ? [{ path, why: found[2], mark: `${path} ${essenceOf(text)}` }] : []
}

/** What a configuration of the linter says of what is read and compared. */
const asked = ['policies', 'world', 'extends', 'brand', 'regions', 'terraform', 'deployment', 'catalogue']

/** Facts of configurations of the linter: both sides are read by the one in the working folder. */
export async function ownFacts({ path, text }: ChangedFile): Promise<readonly Fact[]> {
  if (!/(?:^|\/)\.grantwise\.(?:ya?ml|json)$/.test(path)) return []
  const { documents } = await treeOf(sourceOf(path, text))
  const value = documents[0] && plain(documents[0])
  const said = isRecord(value) ? asked.flatMap((word) => (value[word] === undefined ? [] : [[word, value[word]]])) : []
  return said.length === 0 ? [] : [{ path, why: 'it says what is read and compared', mark: `${path} ${JSON.stringify(said)}` }]
}

/** Facts of git attributes that change line endings where the contents of files are values. */
export function lineEndFacts({ path, name, text, policies, repository }: ChangedFile): readonly Fact[] {
  if (name !== '.gitattributes' || !policies.inTerraform) return []
  const isValue = repository.texts(isConfiguration).some((each) => /<<|file|sha|md5/.test(each.text))
  const lines = text.split(/\r?\n/).filter((line) => /\s-?!?(?:text|eol|crlf)\b/.test(line) && !/^\s*#/.test(line))
  return isValue && lines.length > 0
    ? [{ path, why: 'it sets the line endings of files whose contents are values', mark: `${path} ${lines.join('\n')}` }]
    : []
}
