import { nameIn } from '../hcl/paths.ts'
import {
  blockFacts,
  cloudFacts,
  diskLookupFacts,
  feedingFacts,
  givingFacts,
  handedFacts,
  runningFacts,
  storedFacts,
  terragruntFacts,
} from './blocks.ts'
import { chartFacts, chartFileFacts, chartPlaceFacts } from './charts.ts'
import { collisionFacts } from './collisions.ts'
import { commitChanges } from './commits.ts'
import { chooserIn, placeFacts, templateFacts } from './contents.ts'
import { digestChanges } from './digests.ts'
import { type ChangedFile, changesBetween, type DeploymentChange, type Fact, noCommits, type Policies, type Repository } from './facts.ts'
import { generatedFacts } from './generated-pages.ts'
import { checkChanges } from './judging.ts'
import { isObject, isYaml } from './kinds.ts'
import { objectFacts } from './objects.ts'
import { makeFacts, manifestFacts, programFacts, workflowFacts } from './programs.ts'
import { pushFacts, repositoryFacts } from './pushes.ts'
import { serverFacts } from './registries.ts'
import { runnerChanges } from './runners.ts'
import {
  attributeFacts,
  conventionFacts,
  defaultFacts,
  generatorFacts,
  ignoreFacts,
  imageFacts,
  languageFacts,
  lintingFacts,
  lockFacts,
  settingFacts,
  submoduleFacts,
} from './settings.ts'
import { shapeChanges } from './shapes.ts'
import { sharingChanges } from './sharing.ts'
import { showsPart, unexplainedChanges } from './unexplained.ts'
import { untrackedFacts } from './untracked.ts'
import { valueFacts } from './values.ts'

/** Who looks at a file for facts. */
const readers: readonly ((file: ChangedFile) => readonly Fact[] | Promise<readonly Fact[]>)[] = [
  settingFacts,
  templateFacts,
  lintingFacts,
  terragruntFacts,
  chartFacts,
  chartFileFacts,
  blockFacts,
  givingFacts,
  handedFacts,
  cloudFacts,
  runningFacts,
  storedFacts,
  feedingFacts,
  objectFacts,
  valueFacts,
  attributeFacts,
  ignoreFacts,
  conventionFacts,
  collisionFacts,
  submoduleFacts,
  defaultFacts,
  languageFacts,
  generatorFacts,
  lockFacts,
  serverFacts,
  imageFacts,
  programFacts,
  manifestFacts,
  makeFacts,
  workflowFacts,
  pushFacts,
  repositoryFacts,
  generatedFacts,
  diskLookupFacts,
  untrackedFacts,
]

/**
 * The difference in how two states of a repository are deployed, apart from their policies. `paths`: the files that differ;
 * `own`: facts of the policies of each; `isSame`: the policies allow the same; `commits`: those between them. Whether a change
 * leads to other access is not computed.
 */
export async function deploymentChanges(
  before: Repository,
  after: Repository,
  paths: Iterable<string>,
  policies: Policies,
  policyFacts: readonly (readonly Fact[])[] = [],
  isSame = false,
  commits = noCommits,
): Promise<readonly DeploymentChange[]> {
  const changed = [...paths]
  after.shareWith(before)
  const [old, now] = [await factsOf(before, changed, policies), await factsOf(after, changed, policies)]
  // Where access is another one anyway, files come and go with it.
  // Of policies with one name or id, the last that is sent holds: their order matters.
  const chooserOf = isSame && policyFacts.every((facts) => facts.length === 0) ? await chooserIn(policies, before, after) : undefined
  const [there, here] = isSame ? [await placeFacts(policies, before, chooserOf), await placeFacts(policies, after, chooserOf)] : [[], []]
  const reshaped = [
    ...(await shapeChanges(before, after, changed, policies)),
    ...(await runnerChanges(before, after, changed, policies)),
    ...(await sharingChanges(before, after, changed, policies)),
    ...(await checkChanges(before, after, changed)),
  ]
  const changes = changesBetween([...old, ...there, ...(policyFacts[0] ?? [])], [...now, ...here, ...(policyFacts[1] ?? [])])
  // Where facts were found, they say what counts of a file; not where it holds several objects, of which they may be about one.
  const explained = new Set([...old, ...now].flatMap(({ path }) => (holdsSeveral(path, before) || holdsSeveral(path, after) ? [] : path)))
  const others = await unexplainedChanges(
    before,
    after,
    changed.filter((path) => !explained.has(path)),
    policies,
  )
  const said = new Set([...changes, ...others.filter(({ isWithoutSign }) => !isWithoutSign)].map(({ path }) => path))
  const replaced = (await digestChanges(before, after, changed, policies)).filter(({ path }) => !said.has(path))
  const cut = before.isCut || after.isCut ? [{ path: '.', why: 'there are more files than are looked through' }] : []
  return [
    ...changes,
    ...reshaped.filter(({ path }) => !said.has(path)),
    ...others,
    ...replaced,
    ...(await commitChanges({ repository: after, policies }, commits)),
    ...cut,
  ]
}

/** Those of some files of a state that have a part in what is deployed, by what is known of them. */
export async function filesWithPart(repository: Repository, paths: readonly string[], policies: Policies): Promise<readonly string[]> {
  const withFacts = new Set((await factsOf(repository, paths, policies)).map(({ path }) => path))
  const parts: string[] = []
  for (const path of paths) if (withFacts.has(path) || (await showsPart(path, { repository, policies }))) parts.push(path)
  return parts
}

/** Whether a file holds several objects of Kubernetes. */
function holdsSeveral(path: string, repository: Repository): boolean {
  const text = isYaml(path) ? (repository.text(path) ?? '') : ''
  return isObject(text) && /\S\s*\n---/.test(text)
}

async function factsOf(repository: Repository, paths: readonly string[], policies: Policies): Promise<readonly Fact[]> {
  const facts: Fact[] = [...chartPlaceFacts(policies, repository)]
  repository.prefetch(paths)
  for (const path of paths) {
    const text = repository.text(path)
    if (text === undefined) continue
    for (const read of readers) facts.push(...(await read({ path, name: nameIn(path), text, repository, policies })))
  }
  return facts
}
