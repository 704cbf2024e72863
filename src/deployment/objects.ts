import { kindOfCrossplane, kindOfPulumi } from '../declared/attributes.ts'
import { entriesOf, itemsOf, textOf, within } from '../declared/record.ts'
import { folderOf, joinPath } from '../hcl/paths.ts'
import { treeOf } from '../parser/tree.ts'
import { sourceOf } from '../source.ts'
import { type Node, plain } from '../tree.ts'
import type { ChangedFile, Fact } from './facts.ts'

/** Facts of manifests and of programs of Pulumi in YAML or JSON, which are looked at document by document. */
export async function objectFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, name, text } = file
  const isKustomization = /^kustomization(?:\.ya?ml)?$/i.test(name)
  if (!isKustomization && (!/\.(?:ya?ml|json)$/.test(path) || !(text.includes('kind') || text.includes('resources')))) return []
  // A file with gaps of a template is no YAML; what is wrong with it is said by whoever reads it.
  const { documents, refused } = await treeOf(sourceOf(path, text))
  if (refused) return []
  if (isKustomization && !documents.some((each) => within(each, 'spec'))) return documents.flatMap((each) => kustomizationFacts(each, file))
  return documents.flatMap((document) => [document, ...itemsOf(within(document, 'items'))]).flatMap((each) => factsOf(each, file))
}

function factsOf(document: Node, file: ChangedFile): readonly Fact[] {
  const [version, kind] = [textOf(within(document, 'apiVersion')), textOf(within(document, 'kind'))]
  if (version === undefined || kind === undefined) return pulumiFacts(document, file)
  if (!file.policies.inManifests && !/^pulumi\.com\//.test(version)) return []
  const [group = ''] = version.split('/')
  const about: Manifest = { node: document, kind, group, name: textOf(within(document, 'metadata', 'name')) ?? '' }
  if (group.split('.').includes(file.policies.brand)) return ownFacts(about, file)
  return deployerFacts(about, file)
}

interface Manifest {
  readonly node: Node
  readonly kind: string
  readonly group: string
  readonly name: string
}

const titleOf = ({ kind, name }: Manifest) => (name === '' ? `\`${kind}\`` : `\`${kind}\` \`${name}\``)

function fact({ path }: ChangedFile, why: string, ...mark: readonly unknown[]): Fact {
  return { path, why, mark: JSON.stringify(mark) }
}

const plainOf = (node: Node | undefined) => (node === undefined ? null : plain(node))

// What applies manifests.

/** What names, in a group, the kinds that say which manifests are applied and how; undefined: any kind of the group. */
const deployers: readonly (readonly [group: RegExp, kinds: RegExp | undefined, what: string])[] = [
  [/(?:^|\.)toolkit\.fluxcd\.io$/, undefined, 'Flux'],
  [/^argoproj\.io$/, /^(?:Application|ApplicationSet|AppProject)$/, 'Argo CD'],
  [/^(?:fleet|helm)\.cattle\.io$/, undefined, 'Fleet'],
  [/^apiextensions\.crossplane\.io$/, undefined, 'Crossplane'],
  [/^(?:pkg|protection|ops)\.crossplane\.io$/, undefined, 'Crossplane'],
]

/** Groups whose objects are made into nothing else: those of Kubernetes, and of what is widely installed. */
const plainGroups =
  /^(?:|apps|batch|autoscaling|policy|extensions|v1)$|(?:^|\.)(?:k8s\.io|kubernetes\.io|x-k8s\.io|istio\.io|cert-manager\.io|coreos\.com|traefik\.(?:io|containo\.us)|external-secrets\.io|cilium\.io|projectcalico\.org|keda\.sh|knative\.dev|linkerd\.io|grafana\.(?:com|integreatly\.org)|elastic\.co|bitnami\.com|openshift\.io|metallb\.io|longhorn\.io|velero\.io|kyverno\.io|gatekeeper\.sh|opentelemetry\.io|strimzi\.io|postgresql\.cnpg\.io|tekton\.dev|kubevirt\.io|argoproj\.io|jaegertracing\.io|nginx\.org|konghq\.com|hashicorp\.com|aquasecurity\.github\.io|karpenter\.sh|azure\.com|amazonaws\.com|gke\.io|google\.com|crossplane\.io|upbound\.io)$/

function deployerFacts(manifest: Manifest, file: ChangedFile): readonly Fact[] {
  const { node, group, kind } = manifest
  const found = deployers.find(([groups, kinds]) => groups.test(group) && (kinds === undefined || kinds.test(kind)))
  if (found && isApart(node, file)) return []
  const what = found?.[2] ?? (isMade(manifest) ? 'a composition' : undefined)
  if (what === undefined) return []
  const { apiVersion: _, kind: __, metadata, status: ___, ...rest } = plain(node) as Record<string, unknown>
  const { annotations, labels } = (metadata ?? {}) as Record<string, unknown>
  const why =
    what === 'a composition'
      ? `${titleOf(manifest)} is of no kind that is known here: a composition may make policies of it`
      : `${titleOf(manifest)} says to ${what} what is applied`
  return [fact(file, why, group, manifest.name, rest, annotations ?? null, what === 'Flux' ? (labels ?? null) : null)]
}

/** Whether an object may be one that a composition makes others of. */
function isMade({ node, group, kind }: Manifest): boolean {
  // What a provider is handed, and how it is set up, is made into nothing else.
  if (within(node, 'spec', 'forProvider') !== undefined || /ProviderConfig$/.test(kind)) return false
  return !plainGroups.test(group) && !/^(?:CustomResourceDefinition|List|Kustomization|Component)$/.test(kind)
}

/** Whether what an object applies lies where no policy does: the path that it names is written, and leads elsewhere. */
function isApart(node: Node, { policies, path, text }: ChangedFile): boolean {
  const paths = pathsIn(node)
  const brand = policies.brand.toLowerCase()
  if (paths === undefined) return false
  if (paths.length === 0) return /\bchart:|"chart"/.test(text) && !text.includes('urn:v1:') && !text.toLowerCase().includes(`.${brand}.`)
  return paths.every((written) => {
    const places = [joinPath('', written), joinPath(folderOf(path), written)]
    return !policies.files.some((each) => places.some((place) => place === '' || each === place || each.startsWith(`${place}/`)))
  })
}

/** The paths that an object names; undefined where one is made from something else. */
function pathsIn(node: Node): readonly string[] | undefined {
  const spec = within(node, 'spec')
  const sources = [within(spec, 'source'), ...itemsOf(within(spec, 'sources'))]
  const nodes = [within(spec, 'path'), ...sources.map((each) => within(each, 'path')), within(spec, 'chart', 'spec', 'chart')]
  if (within(spec, 'generators') || within(spec, 'compositeTypeRef')) return undefined
  const texts = nodes.flatMap((each) => (each === undefined ? [] : [textOf(each)]))
  if (texts.some((each) => each === undefined || each.includes('{{') || each.includes('${'))) return undefined
  return texts.filter((each) => each !== undefined)
}

/** What a kustomization says that changes nothing of which policies are applied, or that is read with them. */
const harmless: ReadonlySet<string> = new Set(
  'apiVersion kind metadata images replicas commonLabels labels commonAnnotations resources bases configMapGenerator secretGenerator generatorOptions'.split(
    ' ',
  ),
)

/** Facts of a kustomization that may list policies: what it does besides listing files. */
function kustomizationFacts(node: Node, file: ChangedFile): readonly Fact[] {
  const { policies, path, text } = file
  const folder = folderOf(path)
  const isNear = text.includes('..') || policies.files.some((each) => folder === '' || each.startsWith(`${folder}/`))
  if (!policies.inManifests || !isNear) return []
  const remote = ['resources', 'bases', 'components'].flatMap((word) =>
    itemsOf(within(node, word)).flatMap((item) =>
      /:\/\/|\?ref=|^git@|^[\w.-]+\.\w+\/[\w.-]+\/[\w.-]+/.test(textOf(item) ?? '') ? [textOf(item)] : [],
    ),
  )
  const rest = entriesOf(node).flatMap(({ key, value }) => (harmless.has(key.value) ? [] : [[key.value, plain(value)]]))
  return remote.length + rest.length === 0 ? [] : [fact(file, 'it says how manifests are put together', path, remote, rest)]
}

// Manifests of our provider.

/** Annotations and labels by which something is applied in another way, or not at all, or taken over. */
const deploying =
  /(?:^|\.)(?:argoproj\.io|helm\.sh|fluxcd\.io|fluxcd\.controlplane\.io|crossplane\.io|cattle\.io|config\.kubernetes\.io|kapp\.k14s\.io|kluctl\.io|werf\.io)\//

function ownFacts(manifest: Manifest, file: ChangedFile): readonly Fact[] {
  const { node, kind, group, name } = manifest
  const { policies } = file
  const title = titleOf(manifest)
  const own: Fact[] = []
  const said = ['annotations', 'labels'].flatMap((word) =>
    entriesOf(within(node, 'metadata', word)).flatMap(({ key, value }) => (deploying.test(key.value) ? [[key.value, plainOf(value)]] : [])),
  )
  if (said.length > 0) own.push(fact(file, `an annotation or a label of ${title} says how it is applied`, group, kind, name, said.sort()))
  if (kindOfCrossplane(kind) !== undefined) return own
  const given = ['forProvider', 'initProvider'].map((word) => within(node, 'spec', word))
  for (const { attribute, why, isAsked } of memberships) {
    if (!isAsked(policies)) continue
    const found = given.flatMap((each) =>
      entriesOf(each).flatMap(({ key, value }) => (attribute.test(key.value) ? [[key.value, plainOf(value)]] : [])),
    )
    if (found.length > 0) own.push(fact(file, `${title} ${why}`, group, kind, identified(given), found))
  }
  return own
}

/** Attributes of other resources than policies that have a part in who is granted what. */
export const memberships: readonly {
  readonly attribute: RegExp
  readonly why: string
  readonly isAsked: (policies: ChangedFile['policies']) => boolean
}[] = [
  {
    attribute: /^(?:groups?|members?|group(?:_?[nN]ame|_?[iI]d|Ref|Selector)|users?|user_?[iI]ds?)s?$/,
    why: 'says who is in which group',
    isAsked: ({ nameGroups }) => nameGroups,
  },
  { attribute: /^roles?$/, why: 'has a role, by which the service grants access of its own', isAsked: () => true },
  { attribute: /^tags?(?:_all|All)?$/, why: 'has tags, which conditions look at', isAsked: ({ readTags }) => readTags },
]

/** What tells resources of one kind apart, besides their names. */
function identified(given: readonly (Node | undefined)[]): unknown {
  return given.flatMap((each) => ['login', 'name', 'urn'].map((word) => plainOf(within(each, word))))
}

// Programs of Pulumi in YAML.

function pulumiFacts(document: Node, file: ChangedFile): readonly Fact[] {
  const { policies, name } = file
  if (!/^(?:Pulumi|Main)\.(?:ya?ml|json)$/.test(name)) return []
  return entriesOf(within(document, 'resources')).flatMap(({ key, value }) => {
    const type = textOf(within(value, 'type')) ?? ''
    if (!type.startsWith(`${policies.brand}:`)) return []
    const title = `\`${key.value}\``
    const options = within(value, 'options')
    const taken = ['import', 'aliases', 'deletedWith', 'provider', 'providers', 'retainOnDelete'].flatMap((word) => {
      const node = within(options, word)
      return node === undefined ? [] : [[word, plain(node)]]
    })
    if (kindOfPulumi(type, policies.brand) !== undefined) {
      const imported = taken.filter(([word]) => word === 'import' || word === 'retainOnDelete')
      return imported.length === 0 ? [] : [fact(file, `${title} takes over what there is already, or leaves it`, type, key.value, imported)]
    }
    const properties = within(value, 'properties')
    return memberships.flatMap(({ attribute, why, isAsked }) => {
      const found = entriesOf(properties).flatMap((entry) =>
        attribute.test(entry.key.value) ? [[entry.key.value, plainOf(entry.value)]] : [],
      )
      return isAsked(policies) && found.length > 0 ? [fact(file, `${title} ${why}`, type, identified([properties]), found)] : []
    })
  })
}
