import { nameIn } from '../hcl/paths.ts'
import { treeOf } from '../parser/tree.ts'
import { sourceOf } from '../source.ts'
import { type ChangedFile, type Fact, type FileContext, fact } from './facts.ts'
import { isManifestFile } from './kinds.ts'
import { isStructured } from './pipelines.ts'
import { reachOf } from './reach.ts'
import { isRecord } from './records.ts'
import { writtenValue } from './written.ts'

/** Who may push to a repository of which pushes deploy policies: jobs that get the right to, programs of forks, and its settings. */

/** A pipeline, or an object of what applies manifests, by which a push deploys policies; undefined where none is known. */
export async function deployedBy(around: FileContext): Promise<string | undefined> {
  const { repository, policies } = around
  const byPipeline = (await reachOf(around)).programs.find(({ path }) => isStructured(path) && /^\.|ya?ml$/.test(path))?.path
  if (byPipeline !== undefined || !policies.inManifests) return byPipeline
  return repository.texts(isManifestFile).find(({ text }) => /toolkit\.fluxcd\.io|argoproj\.io\/v1alpha1|cattle\.io/.test(text))?.path
}

/** Facts of jobs that may push, or that run what a fork says with the rights and the caches of this repository. */
export async function pushFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, text } = file
  if (
    !/^\.(?:github|gitea|forgejo)\/workflows\/[^/]+\.ya?ml$/.test(path) ||
    !/\bwrite\b|write-all|pull_request_target|workflow_run|issue_comment/.test(text)
  )
    return []
  const { documents } = await treeOf(sourceOf(path, text))
  const value = documents[0] && writtenValue(documents[0])
  if (!isRecord(value) || !isRecord(value.jobs)) return []
  const jobs = Object.entries(value.jobs).filter((each): each is [string, Readonly<Record<string, unknown>>] => isRecord(each[1]))
  const isForForks = ofForks.test(JSON.stringify(value.on ?? ''))
  const ofFork = isForForks ? jobs.filter(([, job]) => takesFork.test(JSON.stringify(job))) : []
  const writing = jobs.flatMap(([name, job]) => {
    const rights = writesIn(job.permissions ?? value.permissions)
    return rights.length > 0 && !onlyReleases(job) ? [[name, rights, whatRuns(job)]] : []
  })
  const by = ofFork.length + writing.length === 0 ? undefined : await deployedBy(file)
  if (by === undefined) return []
  return [
    ...(ofFork.length === 0
      ? []
      : [
          fact(
            file,
            `it runs what a fork says, and pushes run \`${by}\`, which deploys`,
            value.on,
            ofFork.map(([name, job]) => [name, job.permissions ?? value.permissions]),
          ),
        ]),
    ...(writing.length === 0 ? [] : [fact(file, `it may push, and pushes run \`${by}\`, which deploys`, writing)]),
  ]
}

/** Events of which the jobs have the rights of this repository although others begin them. */
const ofForks = /"(?:pull_request_target|workflow_run|issue_comment)"/

/** Ways to check out the commits of a fork. */
const takesFork =
  /github\.event\.(?:pull_request|workflow_run)\.head|github\.head_ref|\bevent\.(?:pull_request|workflow_run)\.head_|refs\/pull\/|\bgh\s+pr\s+(?:checkout|diff)\b|\bpull\/[^\s"]{0,200}\/(?:head|merge)\b/

/** The rights by which a job changes branches, or starts what does. */
export function writesIn(permissions: unknown): readonly string[] {
  if (permissions === 'write-all') return [permissions]
  return isRecord(permissions) ? ['actions', 'contents'].filter((key) => permissions[key] === 'write') : []
}

/** The commands and actions of a job, without versions, and a workflow that it calls. */
const whatRuns = ({ steps, uses, container, if: condition }: Readonly<Record<string, unknown>>): unknown => [
  uses,
  container === undefined ? null : 'container',
  condition,
  stepsOf(steps).map(({ uses: action, run, with: inputs }) => [
    typeof action === 'string' ? action.replace(/@.*$/, '') : null,
    run,
    typeof action === 'string' && /checkout|setup|cache/.test(action) && isRecord(inputs) ? inputs.ref : inputs,
  ]),
]

const stepsOf = (steps: unknown): readonly Readonly<Record<string, unknown>>[] => (Array.isArray(steps) ? steps.filter(isRecord) : [])

/** Whether a job with such rights publishes a release, a tag or pages, ends runs or marks issues, and else builds, as far as can be seen. */
function onlyReleases({ steps, uses }: Readonly<Record<string, unknown>>): boolean {
  if (typeof uses === 'string') return !uses.startsWith('.') && publishing.test(nameIn(uses.replace(/@.*$/, '')))
  const ownSteps = stepsOf(steps)
  const isPublishing = ({ uses: action, run }: Readonly<Record<string, unknown>>) =>
    typeof action === 'string' ? publishing.test(action) : typeof run === 'string' && publishes.test(run)
  const isPlain = (step: Readonly<Record<string, unknown>>) =>
    isPublishing(step) ||
    (typeof step.uses === 'string' ? plainActions.test(step.uses) : typeof step.run !== 'string' || onlyBuild(step.run))
  return ownSteps.every(isPlain) && (ownSteps.some(isPublishing) || ownSteps.every(({ run }) => run === undefined))
}

const publishing =
  /release|gh-?pages|github-pages|deploy-pages|tag|changelog|changesets|semantic|cancel|stale|label|dependency-submission|sbom|provenance|slsa|sign/i
const publishes =
  /\bgh\s+release\b|\bgh\s+run\s+cancel\b|\bgit\s+tag\b|\bgit\s+push\b[^\n]{0,400}(?:--tags\b|gh-pages|refs\/tags\b|\bv?\$\{?\w*(?:tag|version))|\b(?:semantic-release|goreleaser|release-it|release-please|cargo-release|mike\s+deploy|mkdocs\s+gh-deploy|gh-pages)\b/i

/** Actions that get what a job needs, and run nothing that it says. */
const plainActions =
  /^(?!actions\/github-script)(?:(?:actions|github|docker|codecov|pre-commit|astral-sh|hashicorp|ossf|sigstore|step-security|aquasecurity|goreleaser)\/|[^@]*(?:setup|checkout|cache))/

/** Whether each line of a script builds, or prepares it. */
const onlyBuild = (script: string): boolean =>
  script
    .split(/\n|&&|\|\||;/)
    .map((line) => line.trim())
    .every((line) => line === '' || line.startsWith('#') || builds.test(line) || publishes.test(line))

const builds =
  /^(?:set|echo|cd|mkdir|export|cp|mv|ls|tar|zip|gzip|sha\d+sum|git\s+(?:config|fetch|log|describe|rev-parse|tag)|(?:npm|yarn|pnpm|bun)\s+(?:ci|i|install|publish|run\s+(?:build|docs|site)\S*|build)|corepack|go\s+(?:build|mod)|cargo\s+(?:build|publish)|make\s+(?:build|dist|docs|site|release)|pip\s+install|python3?\s+-m\s+(?:build|pip)|twine|hugo|mkdocs\s+build|mdbook|jekyll|bundle\s+(?:install|exec\s+jekyll)|docker\s+(?:build|buildx|push|login|tag))\b/

/** Settings of a repository that are kept as a file: who may push, which branches are protected, and environments. */
const repositorySettings =
  /^\.(?:github|gitea|forgejo)\/(?:(?:safe-)?settings|repository|repo|branch[-_]?protections?|rulesets?|collaborators|teams|environments|access|members|permissions)\.(?:ya?ml|json|toml)$|^\.(?:github|gitea|forgejo)\/(?:rulesets?|repos|suborgs|branch[-_]?protections?|environments)\/[\w./-]+\.(?:ya?ml|json)$|^\.asf\.ya?ml$/

/** Keys of such a file that are shown to readers of the repository. */
const shown: ReadonlySet<string> = new Set(
  'labels milestones description homepage topics has_issues has_projects has_wiki has_downloads has_discussions notifications'.split(' '),
)

/** Facts of settings of a repository of which pushes deploy policies. */
export async function repositoryFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, text } = file
  if (!repositorySettings.test(path)) return []
  const by = await deployedBy(file)
  if (by === undefined) return []
  const { documents, refused } = await treeOf(sourceOf(path, text))
  const value = documents[0] && writtenValue(documents[0])
  const mark = refused || documents.length !== 1 || !isRecord(value) ? text : withoutShown(value)
  return [fact(file, `it may say who pushes, and pushes run \`${by}\`, which deploys`, path, mark)]
}

const withoutShown = (value: Readonly<Record<string, unknown>>): unknown =>
  Object.entries(value)
    .filter(([key]) => !shown.has(key))
    .map(([key, each]) => [key, /^(?:repository|github)$/.test(key) && isRecord(each) ? withoutShown(each) : each])
