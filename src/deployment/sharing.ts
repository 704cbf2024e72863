import { textOf, valueAt } from '../declared/record.ts'
import { folderOf } from '../hcl/paths.ts'
import { treeOf } from '../parser/tree.ts'
import { sourceOf } from '../source.ts'
import type { Node } from '../tree.ts'
import { changesBetween, type DeploymentChange, type Fact, type FileContext, fact, type Policies, type Repository } from './facts.ts'
import { isManifestFile, isObject } from './kinds.ts'
import { isRecord, textsIn } from './records.ts'
import { mentionsAccess, wordsIn } from './words.ts'
import { writtenValue } from './written.ts'

/** An object of Kubernetes that sends policies: the namespace and the secrets that it uses. */
interface Deployer {
  readonly path: string
  readonly name: string
  readonly namespace: string | undefined
  readonly secrets: readonly string[]
}

/** Differences in who has the secrets of an object that sends policies: other objects that use them, and roles in its namespace. */
export async function sharingChanges(
  before: Repository,
  after: Repository,
  paths: readonly string[],
  policies: Policies,
): Promise<readonly DeploymentChange[]> {
  const objects = (repository: Repository) =>
    paths.filter(
      (path) => isManifestFile(path) && /secret|RoleBinding/i.test(repository.text(path) ?? '') && isObject(repository.text(path) ?? ''),
    )
  const factsOf = async (repository: Repository) => {
    const deployers = await deployersIn({ repository, policies })
    const facts: Fact[] = []
    for (const path of deployers.length === 0 ? [] : objects(repository))
      for (const document of await documentsOf(path, repository)) facts.push(...sharingFacts(document, path, deployers))
    return facts
  }
  return objects(before).length + objects(after).length === 0 ? [] : changesBetween(await factsOf(before), await factsOf(after))
}

const documentsOf = async (path: string, repository: Repository): Promise<readonly Node[]> => {
  const { documents, refused } = await treeOf(sourceOf(path, repository.text(path) ?? ''))
  return refused ? [] : documents
}

const nameOf = (node: Node): string => textOf(valueAt(node, 'metadata', 'name')) ?? ''
const namespaceOf = (node: Node): string | undefined => textOf(valueAt(node, 'metadata', 'namespace'))

/** Workloads that use a secret and have words of access, or of what deploys. */
async function deployersIn(around: FileContext): Promise<readonly Deployer[]> {
  const { repository } = around
  return repository.once(deployersIn, async () => {
    const files = repository.texts(isManifestFile).filter(({ text }) => /secret/i.test(text) && isObject(text) && isAbout(text, around))
    const deployers: Deployer[] = []
    for (const { path } of files)
      for (const document of await documentsOf(path, repository)) {
        const value = writtenValue(document)
        const secrets = secretsIn(value)
        if (isWorkload(document) && secrets.length > 0 && isAbout(JSON.stringify(value), around))
          deployers.push({ path, name: nameOf(document), namespace: namespaceOf(document), secrets })
      }
    return deployers
  })
}

const isAbout = (text: string, around: FileContext): boolean => mentionsAccess(text) || wordsIn(text, around) !== undefined

const isWorkload = (node: Node): boolean =>
  /^(?:CronJob|Job|Pod|Deployment|StatefulSet|DaemonSet|ReplicaSet|Workflow|WorkflowTemplate|CronWorkflow|Task|Pipeline|Service)$/.test(
    textOf(valueAt(node, 'kind')) ?? '',
  )

/** The secrets that an object names: as variables, or as files. */
function secretsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(secretsIn)
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, each]) => {
    if (key === 'secretName') return textsIn(each)
    if (/^secret(?:Ref|KeyRef)?$/.test(key) && isRecord(each)) return [...textsIn(each.name ?? each.secretName ?? []), ...secretsIn(each)]
    return key === 'imagePullSecrets' ? [] : secretsIn(each)
  })
}

function sharingFacts(node: Node, path: string, deployers: readonly Deployer[]): readonly Fact[] {
  const [kind, name, namespace] = [textOf(valueAt(node, 'kind')) ?? '', nameOf(node), namespaceOf(node)]
  const title = `\`${kind}\` \`${name}\``
  if (/^(?:Cluster)?RoleBinding$/.test(kind)) {
    const role = textOf(valueAt(node, 'roleRef', 'name')) ?? ''
    if (role === 'view' || role.startsWith('system:')) return []
    const deployer = deployers.find(
      (each) =>
        kind === 'ClusterRoleBinding' ||
        (each.namespace === namespace && (namespace !== undefined || folderOf(each.path) === folderOf(path))),
    )
    const rights = [valueAt(node, 'roleRef'), valueAt(node, 'subjects')].map((each) => (each ? writtenValue(each) : null))
    return deployer
      ? [fact({ path }, `${title} says who may read secrets where \`${deployer.name}\` sends policies`, kind, name, rights)]
      : []
  }
  if (!isWorkload(node)) return []
  const secrets = secretsIn(writtenValue(node))
  const shared = deployers.find(
    (each) =>
      (each.name !== name || each.namespace !== namespace) &&
      (each.namespace === namespace || each.namespace === undefined || namespace === undefined) &&
      each.secrets.some((secret) => secrets.includes(secret)),
  )
  const secret = shared?.secrets.find((each) => secrets.includes(each))
  return shared
    ? [fact({ path }, `${title} uses the secret \`${secret}\`, with which \`${shared.name}\` sends policies`, kind, name, secrets)]
    : []
}
