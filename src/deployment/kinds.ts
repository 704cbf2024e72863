import { folderOf } from '../hcl/paths.ts'
import type { Repository } from './facts.ts'

/** Kinds of files by their paths: tables, so that one line gives the relation of a kind to a deployment. */

/** Pipelines, scripts and settings of tools that deploy: how they call these tools is not analysed. */
const programs: readonly RegExp[] = [
  /^\.(?:github|gitea|forgejo)\/(?:workflows|actions)\//,
  /(?:^|\/)action\.ya?ml$/,
  /^\.(?:gitlab|circleci|buildkite|woodpecker|tekton|spacelift|terrateam|azuredevops|azure-pipelines|pipelines|semaphore|harness|concourse)\//,
  /(?:^|[./])gitlab-ci\.ya?ml$/,
  /(?:^|\/)(?:azure|bitbucket)-pipelines[\w.-]*\.ya?ml$/,
  /(?:^|\/)\.(?:drone|woodpecker|travis|cirrus|build)\.ya?ml$/,
  /(?:^|\/)(?:terramate|okteto|tilt_config)\.(?:ya?ml|json|tm|hcl)$/,
  /(?:^|\/)(?:buildspec|cloudbuild|codefresh|appveyor|Taskfile|taskfile|compose|docker-compose|playbook|site)[\w.-]*\.ya?ml$/,
  /(?:^|\/)(?:GNU|BSD)?[Mm]akefile(?:\.[\w.-]+)?$/,
  /(?:^|\/)(?:\.?justfile|Justfile|Jenkinsfile|Rakefile|Earthfile|Tiltfile|Procfile|Vagrantfile|Dockerfile|Containerfile|Fastfile)(?:[.-][\w.-]+)?$/,
  /\.(?:mk|just|sh|bash|zsh|ksh|fish|ps1|psm1|bat|cmd|nu|Jenkinsfile|groovy|Dockerfile|gotmpl)$/,
  /(?:^|\/)\.(?:envrc|env|terraformrc|tofurc)(?:\.[\w.-]+)?$/,
  /(?:^|\/)(?:mise|\.mise|package|deno)\.(?:toml|jsonc?)$/,
  /\.(?:env|rc|nix|bzl|bazel|star|jsonnet|libsonnet|cue|psd1|rego|service|timer|cron|tm|dhall|hook)$/,
  /(?:^|\/)(?:pyproject|hatch|pixi|dagger|lefthook)\.(?:toml|json|ya?ml)$|(?:^|\/)\.?(?:lefthook|pre-commit-config|overcommit)\.ya?ml$/,
  /(?:^|\/)(?:tox|setup)\.(?:ini|cfg)$|^\.husky\//,
  /(?:^|\/)(?:BUILD|WORKSPACE|MODULE|CMakeLists\.txt|SConstruct|Snakefile|wscript|crontab|meson\.build)(?:\.\w+)?$/,
  /(?:^|\/)(?:ci|pipelines?|jobs|playbooks?|tasks|handlers|ansible)\/(?:[\w-]+\/)?[\w.-]+\.ya?ml$/,
  /(?:^|\/)(?:atlantis|digger|env0|scalr|helmfile|skaffold|devspace|kluctl|werf|garden|fleet|kapp)[\w.-]*\.(?:ya?ml|gotmpl)$/,
]

/** A file without an ending may be run by its first line, or by a tool that knows only its name. */
const withoutEnding = /(?:^|\/)[\w-]+$/

/** Documentation, images and lists of versions: they deploy nothing. */
const inert =
  /\.(?:md|mdx|markdown|rst|adoc|html?|css|scss|svg|png|jpe?g|gif|ico|pdf|webp|woff2?|lock|sum|snap|\w+\.map|log|swp)$|(?:~|#)$|(?:^|\/)(?:LICEN[CS]E|NOTICE|README|CHANGELOG|AUTHORS|COPYING)(?:\.\w+)?$|(?:^|\/)(?:CODEOWNERS|requirements[\w-]*\.txt|package-lock\.json|pnpm-lock\.yaml|go\.mod|\.gitignore|\.gitattributes|\.gitmodules|\.editorconfig|\.npmrc|\.nvmrc|\.[\w-]+-version|\.tool-versions)$/

/** Settings of development tools, reports of this one, and what is only said of the repository itself. */
const tools: readonly RegExp[] = [
  /(?:^|\/)(?:grantwise|gl)-[\w-]+\.(?:json|html|sarif|md|xml)$|^\.(?:vscode|idea|devcontainer|husky)\/|^\.github\/(?!workflows\/|actions\/)/,
  /(?:^|\/)(?:tsconfig[\w.-]*\.json|jsconfig\.json|renovate\.json5?|\.tflint\.hcl|pyproject\.toml|setup\.cfg|tox\.ini|pytest\.ini|poetry\.toml|sonar-project\.properties|mkdocs\.ya?ml|angular\.json|vercel\.json|netlify\.toml|openapi[\w.-]*\.(?:ya?ml|json)|swagger[\w.-]*\.(?:ya?ml|json)|\.git-blame-ignore-revs|\.mailmap|VERSION(?:\.txt)?)$/,
  /(?:^|\/)\.(?:eslint|prettier|stylelint|markdownlint|yamllint|commitlint|releaserc|babel|swc|nyc|mocha|lintstaged|dependabot|pre-commit-config|checkov|tfsec|terraform-docs|infracost|codecov|flake8|pylint|hadolint|shellcheck|ansible-lint|cspell|codespell|lychee|typos|vale|gitleaks|trivy|semgrep|mypy|ruff|isort|coveragerc|golangci|rubocop|sqlfluff|mega-linter|ls-lint|markdown-link-check|textlint|yamlfmt)[\w.-]*$/,
  // Other files may begin with the name of a tool, too.
  /(?:^|\/)_?(?:eslint|prettier|stylelint|markdownlint|yamllint|commitlint|lintstaged|lint-staged|dependabot|checkov|tfsec|terraform-docs|infracost|codecov|flake8|pylint|hadolint|shellcheck|ansible-lint|cspell|codespell|lychee|typos|gitleaks|trivy|mypy|ruff|golangci|biome|dprint)(?:rc|[.-](?:config|conf|setup|usage|cli2))*\.(?:jsonc?|json5|ya?ml|toml|ini|cfg|[cm]?[jt]s)$/,
  /(?:^|\/)(?:babel|swc|nyc|mocha)(?:rc|[.-](?:config|conf|setup))\.(?:jsonc?|json5|ya?ml|[cm]?[jt]s)$/,
]

/** Source code: it deploys something only where its words say so. */
const code =
  /\.(?:[cm]?[jt]sx?|py|pyi|rb|rake|go|java|kt|kts|scala|cs|fs|vb|rs|c|h|cc|cpp|hpp|m|mm|swift|php|pl|lua|r|jl|ex|exs|erl|clj|hs|ml|elm|dart|vue|svelte|astro|sql|proto|graphql|thrift|tmpl|erb|hbs|pug|xml|xsd|wasm|class|jar|ipynb)$/

/** Values, lists and settings for other programs. */
const data =
  /\.(?:ya?ml|jsonc?|json5|jsonl|ndjson|csv|tsv|txt|list|lst|ini|cfg|conf|toml|properties|env|in|dat|data|tpl|tmpl|j2|jinja2?|gotmpl|mustache|liquid|erb|cue|dhall|libsonnet|jsonnet|patch|diff|pem|pub|asc|gpg|sops|age|enc|db|sqlite|avro|xml|star|rego|wasm)$/

const languages: readonly (readonly [string, RegExp])[] = [
  ['py', /\.(?:py|pyi|pyw|ipynb)$/],
  ['js', /\.(?:[cm]?[jt]sx?|vue|svelte)$/],
  ['java', /\.(?:java|kts?|groovy|scala|sc|clj|Jenkinsfile)$|(?:^|\/)Jenkinsfile/],
  ['go', /\.go$/],
  ['rb', /\.(?:rb|rake)$|(?:^|\/)Rakefile$/],
  ['shell', /\.(?:sh|bash|zsh|ksh|fish|ps1|psm1|bat|cmd|nu)$|(?:^|\/)\.envrc$/],
  ['hcl', /\.(?:tf|tofu|hcl)(?:\.json)?$/],
  ['nix', /\.nix$/],
  ['pl', /\.p[lm]$/],
  ['cs', /\.(?:cs|csx|fs|fsx|vb)$/],
  ['task', /\.(?:ya?ml|toml|jsonc?|mk|just)$|[Mm]akefile$|[Jj]ustfile$|(?:Docker|Container|Earth)file/],
]

/** Files that other readers read for policies. */
const readElsewhere = /\.(?:tf|tofu|tfvars)(?:\.json)?$|\.hcl(?:\.json)?$/

export const isConfiguration = (path: string): boolean => /\.(?:tf|tofu)(?:\.json)?$/.test(path)
export const isProgram = (path: string): boolean =>
  (withoutEnding.test(path) || programs.some((each) => each.test(path))) && !inert.test(path)
/** Whether a file is a program only if its first line says so, and may as well be a list. */
export const isUnnamed = (path: string): boolean => withoutEnding.test(path) && !programs.some((each) => each.test(path))
/** Files in which a comment has a line without anything else: behind a value, it is part of the value. */
export const hasLinesOnly = (path: string): boolean =>
  /(?:^|\/)\.env(?:\.[\w.-]+)?$|\.(?:env|service|timer|cron|ini|cfg)$|\.[\w-]*ignore$|(?:^|\/)crontab$|(?:^|\/|\.)(?:Docker|Container|Earth)file/.test(
    path,
  )
/** Files that are programs only if their content shows it: they may hold values for other programs. */
export const mayBeData = (path: string): boolean => /\.(?:jsonnet|libsonnet|cue|dhall|star|nix|psd1|rego|env)$|(?:^|\/)[\w-]+$/.test(path)
/** A test, an example or a page of documentation: nothing that deploys imports it without naming it. */
export const isTest = (path: string, repository: Repository): boolean =>
  (isInTestFolder(path) || /(?:^|\/)(?:test_[\w-]+\.py|conftest\.py)$|[._](?:test|spec)\.(?!rego$)\w+$/.test(path)) &&
  !isOfStage(path, repository)
/**
 * Whether `test` in a path is a stage that things are deployed to: its folder is one of stages, what has the name of another stage is next
 * to it, or it is a folder without a single test.
 */
function isOfStage(path: string, repository: Repository): boolean {
  const [, before = '', after = ''] = /^(|.*?[/._])test([/.].*)$/.exec(path) ?? []
  if (after === '' || isInTestFolder(before)) return false
  if (/(?:^|\/)(?:env(?:ironment)?s?|stages?|stacks?|overlays|inventor(?:y|ies)|landscapes|tiers)\/$/.test(before)) return true
  const { starts, tested } = repository.once(isOfStage, () => ({
    starts: new Set(repository.paths.flatMap(startsOfStages)),
    tested: new Set(repository.paths.filter(mayTest).flatMap(testFolders)),
  }))
  return starts.has(`${before}${after[0]}`) || (after.startsWith('/') && /(?:^|\/)$/.test(before) && !tested.has(before))
}
/** Whether a file in a folder of tests may be one: a program, or cases in a form of their own. */
const mayTest = (path: string): boolean => isCode(path) || /\.(?:sh|bash|bats|rego)$|\.(?:iam|tf|tofu)test\.\w+$|[._]test\.\w+$/.test(path)
/** The places of folders called `test` in a path: the part before each. */
const testFolders = (path: string): readonly string[] => [...path.matchAll(/(?<=^|\/)test(?=\/)/g)].map(({ index }) => path.slice(0, index))
/** The parts of a path before the names of stages, with the sign after each. */
const startsOfStages = (path: string): readonly string[] =>
  [...path.matchAll(/(?<=^|[/._])(?:prod|production|prd|live|staging|stg|preprod|uat|qa)(?=([/.]))/g)].map(
    ({ index, 1: sign }) => `${path.slice(0, index)}${sign}`,
  )
/** Whether a file is in a folder of tests, or in one of documentation and no data. */
export const isInTestFolder = (path: string): boolean =>
  /(?:^|\/)(?:tests?|__tests__|spec|specs|testdata|__snapshots__)\//.test(path) ||
  (/(?:^|\/)(?:docs?|documentation)\//.test(path) && !/\.(?:ya?ml|json[5l]?|toml|csv|tsv|txt|ini)$/.test(path))
/** The language of a file; '' where only its first line would show it. */
export const languageOf = (path: string, text: string): string => {
  // Commands that a package gives name its modules.
  if (/(?:^|\/)(?:pyproject\.toml|setup\.cfg)$/.test(path) && /=\s*["']?[\w.]+:\w+/.test(text)) return 'py'
  const language = languages.find(([, names]) => names.test(path))?.[0]
  if (language !== undefined) return language
  const ending = /\.(\w+)$/.exec(path)?.[1]
  if (ending !== undefined && isCode(path)) return ending
  const first = /^#!.*?\b(python|node|deno|ruby|perl|bash|sh|zsh)/.exec(text)?.[1]
  return first === undefined ? (text === '' ? '' : 'shell') : (interpreted[first] ?? 'shell')
}
const interpreted: Readonly<Record<string, string>> = { python: 'py', node: 'js', deno: 'js', ruby: 'rb', perl: 'pl' }
/** Data that a program may read: no object of Kubernetes, and no file of a chart that holds no policy. */
export const isData = (path: string, repository: Repository): boolean => {
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) if (repository.charts.has(folder)) return false
  return data.test(path) || !/\.\w+$/.test(path) ? !isObject(repository.text(path) ?? '') : !isCode(path)
}
export const isObject = (text: string): boolean => /^[ \t\ufeff]*"?apiVersion"?:/m.test(text) && /^[ \t\ufeff]*"?kind"?:/m.test(text)
/** Settings of what runs the tasks of a repository: looked at where something that deploys runs it. */
export const isOfRunners = (path: string): boolean => /(?:^|\/)(?:nx|turbo|lerna)\.json$/.test(path)
/** Manifests of packages: name and dependencies. */
export const isManifest = (path: string): boolean =>
  /(?:^|\/)(?:package\.json|deno\.jsonc?|pyproject\.toml|setup\.(?:py|cfg)|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|composer\.json|[\w.-]+\.(?:gemspec|[cf]sproj))$/.test(
    path,
  )
/** A list of manifests for Kustomize, which finds it by these names; on some systems in any case. */
export const isKustomization = (path: string): boolean => /(?:^|\/)kustomization(?:\.ya?ml)?$/i.test(path)
/** Documentation, images and lists of versions. */
export const isInert = (path: string): boolean => inert.test(path)
export const isCode = (path: string): boolean => code.test(path)
export const isReadElsewhere = (path: string): boolean => readElsewhere.test(path)
export const isOfTools = (path: string): boolean => tools.some((each) => each.test(path))
export const isYaml = (path: string): boolean => /\.ya?ml$/.test(path)
/** A chart's templates are no YAML, and are looked at for the words in them. */
export const isManifestFile = (path: string): boolean => /\.(?:ya?ml|json|tpl)$/.test(path)
