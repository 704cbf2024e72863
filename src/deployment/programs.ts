import { joinPath, nameIn } from '../hcl/paths.ts'
import { type ChangedFile, type Fact, isConfiguration, type Repository } from './facts.ts'

/** Pipelines, scripts and settings of tools that deploy: how they call these tools is not worked out. */
const programs: readonly RegExp[] = [
  /^\.github\/(?:workflows|actions)\//,
  /(?:^|\/)action\.ya?ml$/,
  /^\.gitlab\//,
  /(?:^|[./])gitlab-ci\.ya?ml$/,
  /(?:^|\/)(?:azure|bitbucket)-pipelines[\w.-]*\.ya?ml$/,
  /^\.(?:circleci|buildkite|woodpecker|tekton|spacelift|terrateam|azuredevops|azure-pipelines|pipelines)\//,
  /(?:^|\/)\.(?:drone|woodpecker|travis|cirrus)\.ya?ml$/,
  /(?:^|\/)(?:atlantis|digger|env0|scalr|terramate|skaffold|devspace|kluctl|kapp|helmfile|okteto|garden|werf|tilt_config)\.(?:ya?ml|json|tm|hcl)(?:\.gotmpl)?$/,
  /(?:^|\/)(?:buildspec|cloudbuild|codefresh|appveyor|Taskfile|taskfile|compose|docker-compose)[\w.-]*\.ya?ml$/,
  /(?:^|\/)(?:GNU|BSD)?[Mm]akefile(?:\.[\w.-]+)?$/,
  /(?:^|\/)(?:\.?justfile|Justfile|Jenkinsfile|Rakefile|Earthfile|Tiltfile|Procfile|Vagrantfile|Dockerfile|Containerfile|Fastfile)(?:[.-][\w.-]+)?$/,
  /\.(?:mk|just|sh|bash|zsh|ksh|fish|ps1|psm1|bat|cmd|nu|Jenkinsfile|groovy|Dockerfile|gotmpl)$/,
  /(?:^|\/)\.(?:envrc|env|terraformrc|tofurc|terraform-version|opentofu-version|tool-versions)(?:\.[\w.-]+)?$/,
  /(?:^|\/)(?:mise|\.mise|package|deno)\.(?:toml|jsonc?)$/,
  /\.(?:env|rc)$/,
]

/** What names a deployment in a pipeline or a script, where the policies are of a kind that it deploys. */
const weak = {
  inTerraform: /\b(?:terraform|tofu|terragrunt|terramate|atlantis|spacelift|tfenv|TF_[A-Z]\w*)\b|(?:^|\s)-{1,2}var(?:-file)?[= ]/,
  inManifests: /\b(?:kubectl|helm|helmfile|kustomize|flux|argocd|kapp|kluctl|skaffold|crossplane|oc|werf)\b/,
  always: /\b(?:pulumi|cdktf|ansible(?:-playbook)?|PULUMI_\w+)\b|\/iam\/policy\b/,
} as const

/** The same for files that are no pipeline and no script by their names: only what can hardly mean anything else. */
const strong = {
  inTerraform:
    /\bTF_(?:VAR_\w+|WORKSPACE|CLI_ARGS\w*|CLI_CONFIG_FILE|DATA_DIR)\b|\b(?:terraform|tofu|terragrunt)['",\s]{1,8}(?:apply|plan|init|workspace|run|run-all|import|state|destroy)\b|-var-file[= ]/,
  inManifests:
    /\bkubectl['",\s]{1,8}(?:apply|create|replace|patch|delete)\b|\bhelm['",\s]{1,8}(?:upgrade|install|template)\b|\bkustomize['",\s]{1,8}build\b/,
  always: /\bpulumi['",\s]{1,8}(?:up|update|preview|config|destroy)\b|['"]@pulumi\/|\bpulumi_\w+|\bcdktf\b|@cdktf\//,
} as const

/** What people read, what is compiled or drawn, and what lists versions: it deploys nothing. */
const inert =
  /\.(?:md|mdx|markdown|rst|adoc|txt|html?|css|scss|svg|png|jpe?g|gif|ico|pdf|webp|woff2?|lock|sum|csv|tsv|snap|map|po|log|patch|diff|ipynb)$|(?:^|\/)(?:LICEN[CS]E|NOTICE|README|CHANGELOG|CODEOWNERS|AUTHORS|package-lock\.json|pnpm-lock\.yaml|go\.mod|\.gitignore|\.gitattributes|\.editorconfig)$/

/** What else is read for what it says of policies. */
const readElsewhere = /\.(?:tf|tofu|tfvars)(?:\.json)?$|\.hcl(?:\.json)?$/

/** Facts of pipelines, scripts and whatever else calls what deploys. */
export function programFacts(file: ChangedFile): readonly Fact[] {
  const { path, text, repository } = file
  if (inert.test(path) || readElsewhere.test(path)) return []
  const isProgram = isProgramPath(path) || text.startsWith('#!')
  // Manifests are looked at by what they are.
  if (!isProgram && /^apiVersion:/m.test(text) && /^kind:/m.test(text)) return []
  const why = isProgram ? programWhy(file, repository) : wordsIn(text, strong, file)
  return why === undefined ? [] : [{ path, why, mark: `${path} ${essenceOf(text)}` }]
}

function isProgramPath(path: string): boolean {
  return programs.some((each) => each.test(path))
}

/** How many files that scripts call are looked into. */
const mostCalled = 40

/** Why a pipeline or a script has a part in the deployment: by its own words, or by those of the scripts that it names. */
function programWhy(file: ChangedFile, repository: Repository): string | undefined {
  const own = wordsIn(file.text, weak, file) ?? namedPolicies(file.text, file)
  if (own !== undefined) return own
  const scripts = repository.once(isProgramPath, () => repository.paths.filter((path) => isProgramPath(path) && !inert.test(path)))
  const seen = new Set([file.path])
  const open = [file.text]
  for (let text = open.pop(); text !== undefined && seen.size <= mostCalled; text = open.pop()) {
    for (const path of scripts) {
      if (seen.has(path) || !mentions(text, path)) continue
      seen.add(path)
      const called = repository.text(path)
      if (called === undefined) continue
      if (wordsIn(called, weak, file) !== undefined || namedPolicies(called, file) !== undefined)
        return `it names \`${path}\`, which takes part in the deployment`
      open.push(called)
    }
  }
  return undefined
}

/** Whether a text has the name of a file, as a word of its own. */
function mentions(text: string, path: string): boolean {
  const name = nameIn(path)
  const isWordAt = (at: number) => !/[\w.-]/.test(text[at - 1] ?? ' ') && !/[\w-]/.test(text[at + name.length] ?? ' ')
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) if (isWordAt(at)) return true
  // `make` reads its file without being told its name.
  return /akefile$/.test(name) && /\bmake\b/.test(text)
}

function wordsIn(text: string, words: Readonly<Record<keyof typeof weak, RegExp>>, { policies }: ChangedFile): string | undefined {
  const kinds = (['inTerraform', 'inManifests', 'always'] as const).filter((kind) => kind === 'always' || policies[kind])
  const found = kinds.map((kind) => words[kind].exec(text)?.[0]).find((word) => word !== undefined)
  return found === undefined ? undefined : `it has \`${found.trim()}\``
}

/** That a text names files with policies, or their folder. */
function namedPolicies(text: string, { policies }: ChangedFile): string | undefined {
  const folders = new Set(policies.files.map((path) => path.slice(0, Math.max(path.lastIndexOf('/'), 0))))
  const words = [...policies.files.slice(0, 200), ...[...folders].flatMap((folder) => (folder === '' ? [] : [`${folder}/`]))]
  const found = words.find((word) => text.includes(word))
  return found === undefined ? undefined : `it names \`${found}\``
}

/** A text without comments on lines of their own, empty lines, and the versions of actions that a pipeline uses. */
function essenceOf(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/^(\s*(?:- )?uses:\s*['"]?[\w./-]+)@.*$/, '$1').trimEnd())
    .filter((line) => line !== '' && !/^\s*#(?!!)/.test(line))
    .join('\n')
}

/** Files that only lie where what deploys looks for them. */
const settings: readonly (readonly [path: RegExp, needs: 'inTerraform' | 'inManifests', why: string])[] = [
  [/(?:^|\/)(?:atlantis|digger|env0|scalr)\.ya?ml$|^\.(?:spacelift|terrateam)\//, 'inTerraform', 'it says how configurations are applied'],
  [
    /(?:^|\/)(?:helmfile|skaffold|devspace|kluctl|\.kluctl|werf|garden|deployment)(?:\.[\w-]+)*\.(?:ya?ml)(?:\.gotmpl)?$/,
    'inManifests',
    'it says what is applied',
  ],
  [/(?:^|\/)\.terraform\/environment$/, 'inTerraform', 'it chooses the workspace'],
  [
    /\.(?:tfcomponent|tfdeploy|tfstack)\.hcl(?:\.json)?$/,
    'inTerraform',
    'it is part of a stack of Terraform, which gives values to configurations',
  ],
  [/(?:^|\/)\.sourceignore$/, 'inManifests', 'Flux leaves out the files that it names'],
  [/(?:^|\/)\.argocd-source[\w.-]*\.yaml$/, 'inManifests', 'it changes what Argo CD applies'],
]

/** Facts of settings that are known by their names. */
export function settingFacts({ path, text, policies }: ChangedFile): readonly Fact[] {
  // What says which files are not looked at here is looked at.
  if (/(?:^|\/)\.grantwise\.(?:ya?ml|json)$/.test(path) && /\bdeployment\b/.test(text))
    return [{ path, why: 'it says of which files `diff` says nothing', mark: `${path} ${essenceOf(text)}` }]
  const found = settings.find(([pattern, needs]) => pattern.test(path) && policies[needs])
  return found ? [{ path, why: found[2], mark: `${path} ${essenceOf(text)}` }] : []
}

/** Facts of attributes of git by which the ends of lines are other ones where texts are values. */
export function lineEndFacts({ path, name, text, policies, repository }: ChangedFile): readonly Fact[] {
  if (name !== '.gitattributes' || !policies.inTerraform) return []
  const isValue = repository.texts(isConfiguration).some((each) => /<<|file|sha|md5/.test(each.text))
  const lines = text.split(/\r?\n/).filter((line) => /\s-?!?(?:text|eol|crlf)\b/.test(line) && !/^\s*#/.test(line))
  return isValue && lines.length > 0
    ? [{ path, why: 'it sets the ends of lines of files whose texts are values', mark: `${joinPath(path, '')} ${lines.join('\n')}` }]
    : []
}
