import { kindOfCrossplane, kindOfPulumi } from '../declared/attributes.ts'
import { entriesOf, itemsOf, textOf, valueAt } from '../declared/record.ts'
import { folderOf, joinPath } from '../hcl/paths.ts'
import { treeOf } from '../parser/tree.ts'
import { sourceOf } from '../source.ts'
import type { Node } from '../tree.ts'
import { clusterFacts } from './cluster.ts'
import { type ChangedFile, type Fact, fact, type Policies, type Repository } from './facts.ts'
import { isPlainGroup } from './groups.ts'
import { isKustomization, isManifestFile } from './kinds.ts'
import { fileWithWord } from './mentions.ts'
import { writtenValue } from './written.ts'

/** Facts of manifests and of programs of Pulumi in YAML or JSON, which are looked at document by document. */
export async function objectFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, name, text } = file
  const isOfKustomize = isKustomization(path)
  if (!isOfKustomize && (!/\.(?:ya?ml|json)$/.test(path) || !(text.includes('kind') || text.includes('resources') || /^Pulumi/.test(name))))
    return []
  // A file with gaps of a template is no YAML; its reader reports what is wrong with it.
  const { documents, refused } = await treeOf(sourceOf(path, text))
  if (refused) return []
  const strayMark = /^\.\.\.\s*$|^--- +[^\s#]/m.exec(text)?.[0]
  const cut =
    strayMark !== undefined && isOurs(text, file)
      ? [fact(file, `not every reader of YAML goes on behind \`${strayMark.trim()}\``, path, text)]
      : []
  if (isOfKustomize && !documents.some((each) => valueAt(each, 'spec'))) return documents.flatMap((each) => kustomizationFacts(each, file))
  return [
    ...cut,
    ...documents.flatMap((document) => [document, ...itemsOf(valueAt(document, 'items'))]).flatMap((each) => factsOf(each, file)),
  ]
}

const isOurs = (text: string, { policies }: ChangedFile): boolean => policies.inManifests && text.includes(policies.brand)

function factsOf(document: Node, file: ChangedFile): readonly Fact[] {
  const [version, kind] = [textOf(valueAt(document, 'apiVersion')), textOf(valueAt(document, 'kind'))]
  if (version === undefined || kind === undefined) return pulumiFacts(document, file)
  const [group = ''] = version.split('/')
  if (!file.policies.inManifests && !valueGivers.test(group)) return []
  const about: Manifest = { node: document, kind, group, name: textOf(valueAt(document, 'metadata', 'name')) ?? '' }
  if (group.split('.').includes(file.policies.brand)) return policyFacts(about, file)
  return [...deployerFacts(about, file), ...clusterFacts(document, group, kind, file)]
}

interface Manifest {
  readonly node: Node
  readonly kind: string
  readonly group: string
  readonly name: string
}

const titleOf = ({ kind, name }: Manifest) => (name === '' ? `\`${kind}\`` : `\`${kind}\` \`${name}\``)

const plainOf = (node: Node | undefined) => (node === undefined ? null : writtenValue(node))

// Controllers that apply manifests.

/** Groups whose objects apply configurations of Terraform, or programs. */
const valueGivers = /(?:^|\.)(?:infra\.contrib\.fluxcd\.io|app\.terraform\.io|tf\.upbound\.io|tf\.isaaguilar\.com|pulumi\.com)$/

/** Kinds, by group, that decide which manifests are applied and how; undefined: any kind of the group. */
const deployers: readonly (readonly [group: RegExp, kinds: RegExp | undefined, what: string])[] = [
  [/(?:^|\.)toolkit\.fluxcd\.io$/, undefined, 'Flux'],
  [/^argoproj\.io$/, /^(?:Application|ApplicationSet|AppProject|ConfigManagementPlugin|ArgoCD)$/, 'Argo CD'],
  [/^(?:fleet|helm)\.cattle\.io$/, undefined, 'Fleet'],
  [/^(?:configsync|configmanagement)\.gke\.io$/, undefined, 'Config Sync'],
  [/^apiextensions\.crossplane\.io$/, undefined, 'Crossplane'],
  [/^(?:protection|ops)\.crossplane\.io$/, undefined, 'Crossplane'],
  [valueGivers, undefined, 'a controller'],
]

/** Objects that only say where something is fetched from, and how often. */
const sourcesAlone = /^(?:HelmRepository|ImageRepository|ImagePolicy|ImageUpdateAutomation|Alert|Provider|Receiver)$/

function deployerFacts(manifest: Manifest, file: ChangedFile): readonly Fact[] {
  const { node, group, kind } = manifest
  const deployer = deployers.find(([groups, kinds]) => groups.test(group) && (kinds === undefined || kinds.test(kind)))
  if (deployer && (isApart(node, file) || sourcesAlone.test(kind) || isOfOthers(manifest, file))) return []
  const ownFacts = [...configFacts(manifest, file), ...kyvernoFacts(manifest, file), ...memberFacts(manifest, file)]
  const what = deployer?.[2] ?? (isMade(manifest) ? 'a composition' : undefined)
  if (what === undefined) return ownFacts
  const { apiVersion: _, kind: __, metadata, status: ___, ...rest } = writtenValue(node) as Record<string, unknown>
  const { annotations, labels } = (metadata ?? {}) as Record<string, unknown>
  const why =
    what === 'a composition'
      ? `${titleOf(manifest)} is of no kind that is known here: a composition may make policies of it`
      : `${titleOf(manifest)} says to ${what} what is applied`
  return [fact(file, why, group, manifest.name, withoutTimes(rest), annotations ?? null, what === 'Flux' ? (labels ?? null) : null)]
}

/** How often something is looked at, which changes nothing of what is applied. */
function withoutTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTimes)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) =>
      /^(?:interval|retryInterval|timeout|retries|maxHistory|remediation|healthChecks|revisionHistoryLimit)$/.test(key)
        ? []
        : [[key, withoutTimes(each)]],
    ),
  )
}

/** Whether a composition makes nothing of ours: it is written out, without a program, and names no group of ours. */
function isOfOthers({ kind, node }: Manifest, { policies, text }: ChangedFile): boolean {
  if (kind !== 'Composition') return false
  const steps = itemsOf(valueAt(node, 'spec', 'pipeline')).map((step) => textOf(valueAt(step, 'functionRef', 'name')) ?? '')
  return (
    steps.every((step) => /patch-and-transform|auto-ready|auto-detect-ready|environment-configs/.test(step)) &&
    !text.includes(policies.brand)
  )
}

/** Facts of objects that hold values for others: those that something which applies manifests names, or that set it up. */
function configFacts(manifest: Manifest, file: ChangedFile): readonly Fact[] {
  const { kind, name, node, group } = manifest
  if (!/^(?:ConfigMap|Secret)$/.test(kind) && !isBrought.test(kind)) return []
  const { apiVersion: _, kind: __, status: ___, ...rest } = writtenValue(node) as Record<string, unknown>
  if (/^argocd-|^flux-/.test(name)) return [fact(file, `${titleOf(manifest)} sets up what applies manifests`, group, rest)]
  const by = fileWithWord(name, file.path, file.repository)
  if (by !== undefined) return [fact(file, `\`${by}\` names ${titleOf(manifest)}`, group, rest)]
  const remote = isBrought.test(kind) ? remoteIn(manifest, file) : []
  return remote.length === 0
    ? []
    : [fact(file, `${titleOf(manifest)} may bring a credential by which policies are applied`, group, name, remote)]
}

/** Kinds of objects by which operators bring secrets from elsewhere, or take them there. */
const isBrought =
  /^(?:Cluster)?(?:External|Sealed|Sops|Push|Infisical|Doppler|AzureKeyVault|AWS|GCP|Bitwarden|Akeyless)Secrets?$|^(?:Vault\w*Secret|SecretProviderClass|OnePasswordItem|HCPVaultSecretsApp|SecretClaim|InfisicalStaticSecret)$/

/** The places of secrets that an object names and that seem to be of another: they have no word of its name, or one of what applies policies. */
function remoteIn({ node, name }: Manifest, { path, policies }: ChangedFile): readonly string[] {
  if (!policies.inManifests) return []
  const wordsOf = (text: string) => text.toLowerCase().match(/[a-z\d]{2,}/g) ?? []
  const ownWords = new Set([name, textOf(valueAt(node, 'metadata', 'namespace')) ?? '', folderOf(path)].flatMap(wordsOf))
  const places: string[] = []
  const look = (value: unknown, key: string): void => {
    if (typeof value === 'string') {
      // A class of a driver has its objects as a text.
      if (key === 'objects') for (const [, place = ''] of value.matchAll(ofObjects)) places.push(place)
      else if (ofPlace.test(key)) places.push(value)
    } else if (typeof value === 'object' && value !== null)
      for (const [inner, each] of Object.entries(value)) look(each, Array.isArray(value) ? key : inner)
  }
  look(plainOf(valueAt(node, 'spec')), '')
  const isOfOthers = (place: string) => {
    const words = wordsOf(place)
    return words.some((word) => word === policies.brand.toLowerCase() || ofAppliers.test(word)) || !words.some((word) => ownWords.has(word))
  }
  return [...new Set(places)].filter(isOfOthers).sort()
}

/** Keys with the place of a secret. */
const ofPlace = /^(?:key|path|secretPath|vaultPath|itemPath|secretName|objectName|remoteKey|secretsPath|name)$/
const ofObjects = /\b(?:objectName|secretPath|path)"?:\s*["']?([\w./:@-]+)/g
const ofAppliers = /^(?:crossplane|providers?|iam|polic(?:y|ies)|argocd|flux|terraform|tofu|pulumi|deploy\w*|admin\w*|root|operations|ops)$/

/** Facts of who is in which group of another provider, whose groups the service may take over. */
function memberFacts(manifest: Manifest, file: ChangedFile): readonly Fact[] {
  const { kind, node, group, name } = manifest
  if (!file.policies.nameGroups || !/(?:Group|Team|User)?Member(?:ship)?s?$|Group$|GroupAssignment$/.test(kind)) return []
  const forProvider = valueAt(node, 'spec', 'forProvider')
  return forProvider ? [fact(file, `${titleOf(manifest)} says who is in which group`, group, name, writtenValue(forProvider))] : []
}

/** Facts of rules that change or remove objects. */
function kyvernoFacts(manifest: Manifest, file: ChangedFile): readonly Fact[] {
  const { group, node } = manifest
  if (!/(?:^|\.)(?:kyverno\.io|gatekeeper\.sh)$/.test(group)) return []
  const spec = JSON.stringify(plainOf(valueAt(node, 'spec')))
  const acts = /mutate|cleanup|generate|conditions|schedule/.test(spec) || /Cleanup|Assign|Modify/.test(manifest.kind)
  const isOurs = spec.includes(file.policies.brand) || /"\*|"kinds?":\["Policy"/.test(spec)
  return acts && isOurs ? [fact(file, `${titleOf(manifest)} may change or remove policies`, group, manifest.name, spec)] : []
}

/** Whether an object may be one that a composition makes others of. */
function isMade({ node, group, kind }: Manifest): boolean {
  // The arguments and the configuration of a provider are not generated into other objects.
  if (valueAt(node, 'spec', 'forProvider') !== undefined || /ProviderConfig$/.test(kind)) return false
  return !isPlainGroup(group) && !/^(?:CustomResourceDefinition|List|Kustomization|Component)$/.test(kind)
}

/** Whether an object applies only what is not in the folders of policies: it names a literal path, elsewhere. */
function isApart(node: Node, { policies, path, text, repository }: ChangedFile): boolean {
  const paths = pathsIn(node)
  const brand = policies.brand.toLowerCase()
  if (paths === undefined) return false
  if (paths.length === 0) return /\bchart:|"chart"/.test(text) && !text.includes('urn:v1:') && !text.toLowerCase().includes(`.${brand}.`)
  return paths.every((written) => {
    const places = [joinPath('', written), joinPath(folderOf(path), written)]
    const isAt = (each: string) => places.some((place) => place === '' || each === place || each.startsWith(`${place}/`))
    return !policies.files.some(isAt) && !deployersIn(repository).some((each) => each !== path && isAt(each))
  })
}

/** The files that apply others: what is applied from them leads on. */
function deployersIn(repository: Repository): readonly string[] {
  return repository.once(deployersIn, () =>
    repository
      .texts(isManifestFile)
      .filter(({ text }) => /toolkit\.fluxcd\.io|argoproj\.io\/v1alpha1|cattle\.io/.test(text) && /\bkind\b/.test(text))
      .map(({ path }) => path),
  )
}

/** The paths that an object names; undefined where one is made from something else. */
function pathsIn(node: Node): readonly string[] | undefined {
  const spec = valueAt(node, 'spec')
  const sources = [valueAt(spec, 'source'), ...itemsOf(valueAt(spec, 'sources'))]
  const nodes = [valueAt(spec, 'path'), ...sources.map((each) => valueAt(each, 'path')), valueAt(spec, 'chart', 'spec', 'chart')]
  if (valueAt(spec, 'generators') || valueAt(spec, 'compositeTypeRef')) return undefined
  const texts = nodes.flatMap((each) => (each === undefined ? [] : [textOf(each)]))
  if (texts.some((each) => each === undefined || each.includes('{{') || each.includes('${'))) return undefined
  return texts.filter((each) => each !== undefined)
}

/** Parts of a kustomization that do not change which policies are applied, or that are read with them. */
const harmless: ReadonlySet<string> = new Set(
  'apiVersion kind metadata images replicas commonLabels labels commonAnnotations resources bases configMapGenerator secretGenerator generatorOptions namespace'.split(
    ' ',
  ),
)

interface Kustomization {
  readonly path: string
  /** The folders and files that it names, below the top of the repository: whatever is written like a path. */
  readonly taken: readonly string[]
  /** It is applied to whatever is taken by those that name it. */
  readonly isPart: boolean
  /** The same of all that it names. */
  readonly hasParts: boolean
}

const kustomizationsIn = (repository: Repository): readonly Kustomization[] =>
  repository.once(kustomizationsIn, () =>
    repository.texts(isKustomization).map(({ path, text }) => ({
      path,
      taken: [...new Set(text.replace(/(?<=^|\s)#.*/gm, '').match(/[\w@%+~./-]+/g))].map((word) => joinPath(folderOf(path), word)),
      isPart: /\bkind["']?\s*:\s*["']?Component\b/.test(text),
      hasParts: /\b(?:transformers|generators|validators|configurations)["']?\s*:/.test(text),
    })),
  )

/** Whether there are policies next to a kustomization or in what it takes; or, of a part of others, in what these take. */
function putsTogetherPolicies(path: string, { policies, repository }: ChangedFile): boolean {
  const all = kustomizationsIn(repository)
  const names = ({ taken }: Kustomization, other: Kustomization) => taken.includes(folderOf(other.path)) || taken.includes(other.path)
  const isIn = (folder: string) => policies.files.some((each) => folder === '' || each === folder || each.startsWith(`${folder}/`))
  const reached = new Set(all.filter((each) => each.path === path))
  for (const each of reached) {
    if (isIn(folderOf(each.path)) || each.taken.some((place) => place !== '' && isIn(place))) return true
    for (const other of all) if (names(each, other) || (names(other, each) && (each.isPart || other.hasParts))) reached.add(other)
  }
  return false
}

/** A place elsewhere without its version: of another version, it is still the same that was trusted. */
const withoutVersion = (place: string): string => place.replace(/[?#].*/, '').replace(/\/v?\d+(?:\.\d+)+[\w.+-]*(?=\/|$)/g, '')

/**
 * Facts of a kustomization that may list policies: its parts other than lists of files. Of one that puts together something else, only what it
 * takes from elsewhere: that may hold policies.
 */
function kustomizationFacts(node: Node, file: ChangedFile): readonly Fact[] {
  const { policies, path } = file
  if (!policies.inManifests) return []
  const remote = ['resources', 'bases', 'components'].flatMap((word) =>
    itemsOf(valueAt(node, word)).flatMap((item) =>
      /:\/\/|\?ref=|^git@|^[\w.-]+\.\w+\/[\w.-]+\/[\w.-]+/.test(textOf(item) ?? '') ? [textOf(item) as string] : [],
    ),
  )
  if (!putsTogetherPolicies(path, file)) {
    const places = [...new Set(remote.map(withoutVersion))].sort()
    return places.map((place) => fact(file, 'it takes manifests from elsewhere, which may hold policies', path, place))
  }
  const rest = entriesOf(node).flatMap(({ key, value }) => (harmless.has(key.value) ? [] : [[key.value, writtenValue(value)]]))
  const written = ['labels', 'commonLabels', 'commonAnnotations'].flatMap((word) => plainOf(valueAt(node, word)) ?? [])
  if (deploying.test(JSON.stringify(written))) rest.push(['written', written])
  return remote.length + rest.length === 0 ? [] : [fact(file, 'it says how manifests are put together', path, remote, rest)]
}

// Manifests of our provider.

/** Annotations and labels by which something is applied in another way, or not at all, or taken over. */
const deploying =
  /(?:^|\.)(?:argoproj\.io|helm\.sh|fluxcd\.io|fluxcd\.controlplane\.io|crossplane\.io|cattle\.io|config\.kubernetes\.io|kapp\.k14s\.io|kluctl\.io|werf\.io|kyverno\.io|gke\.io)\//

function policyFacts(manifest: Manifest, file: ChangedFile): readonly Fact[] {
  const { node, kind, group, name } = manifest
  const { policies } = file
  const title = titleOf(manifest)
  const ownFacts: Fact[] = []
  const said = ['annotations', 'labels'].flatMap((word) =>
    entriesOf(valueAt(node, 'metadata', word)).flatMap(({ key, value }) =>
      deploying.test(key.value) ? [[key.value, plainOf(value)]] : [],
    ),
  )
  if (said.length > 0)
    ownFacts.push(fact(file, `an annotation or a label of ${title} says how it is applied`, group, kind, name, said.sort()))
  const owners = ['ownerReferences', 'finalizers', 'deletionTimestamp'].flatMap((word) => plainOf(valueAt(node, 'metadata', word)) ?? [])
  if (owners.length > 0) ownFacts.push(fact(file, `${title} goes with what owns it`, group, kind, name, owners))
  const labels = entriesOf(valueAt(node, 'metadata', 'labels')).filter(
    ({ key }) => !deploying.test(key.value) && fileWithWord(key.value, file.path, file.repository),
  )
  if (labels.length > 0)
    ownFacts.push(
      fact(
        file,
        `a label of ${title} is named by what applies manifests`,
        group,
        kind,
        name,
        labels.map(({ key, value }) => [key.value, plainOf(value)]),
      ),
    )
  if (kindOfCrossplane(kind) !== undefined) {
    const first = valueAt(node, 'spec', 'initProvider')
    if (first)
      ownFacts.push(
        fact(file, `what ${title} has under \`initProvider\` only counts when it is made`, group, kind, name, writtenValue(first)),
      )
    if (policies.nameUnknown && kindOfCrossplane(kind) !== 'policy')
      ownFacts.push(fact(file, `${title} may be a group that a policy names`, group, kind, plainOf(valueAt(node, 'spec'))))
    return ownFacts
  }
  const parameters = ['forProvider', 'initProvider'].map((word) => valueAt(node, 'spec', word))
  for (const { attribute, why } of countingParts(kind, policies)) {
    const policyValues = parameters.flatMap((each) =>
      entriesOf(each).flatMap(({ key, value }) => (attribute.test(key.value) ? [[key.value, plainOf(value)]] : [])),
    )
    if (policyValues.length > 0) ownFacts.push(fact(file, `${title} ${why}`, group, kind, identified(parameters), policyValues))
  }
  return ownFacts
}

/** An attribute of other resources than policies that has a part in who is granted what. */
interface Part {
  readonly attribute: RegExp
  readonly why: string
  readonly isAsked: (policies: Policies) => boolean
  /** The types that it is looked for in; undefined: all. */
  readonly of?: RegExp
}

const parts: readonly Part[] = [
  {
    attribute: /^(?:groups?|members?|group(?:_?[nN]ame|_?[iI]d|Ref|Selector)|users?|user_?[iI]ds?)s?$/,
    why: 'says who is in which group',
    isAsked: ({ nameGroups }) => nameGroups,
  },
  { attribute: /^name$/, why: 'is the group of this name', isAsked: ({ nameGroups }) => nameGroups, of: /identity_?group|^group$/i },
  {
    attribute: /group|attribute|mapping|metadata/i,
    why: 'says which groups the users of another provider are in',
    isAsked: ({ nameGroups }) => nameGroups,
    of: /identity_?provider/i,
  },
  { attribute: /^roles?$/, why: 'has a role, by which the service grants access', isAsked: () => true },
  { attribute: /^tags?(?:_all|All)?$/, why: 'has tags, which conditions look at', isAsked: ({ readTags }) => readTags },
]

/** The attributes of a type, or kind, of resource that count where there are such policies. */
export function countingParts(type: string, policies: Policies): readonly Part[] {
  return parts.filter(({ isAsked, of }) => isAsked(policies) && of?.test(type) !== false)
}

/** The attributes that distinguish resources of one kind, next to their names. */
function identified(given: readonly (Node | undefined)[]): unknown {
  return given.flatMap((each) => ['login', 'name', 'urn'].map((word) => plainOf(valueAt(each, word))))
}

// Programs of Pulumi in YAML.

/** Parts of a Pulumi project or stack other than its resources and the values that are read with them. */
const projectWords = ['main', 'runtime', 'stackConfigDir', 'environment', 'imports', 'plugins', 'packages', 'components']

function pulumiFacts(document: Node, file: ChangedFile): readonly Fact[] {
  const { policies, name } = file
  if (!/^(?:Pulumi|Main)(?:\.[\w-]+)?\.(?:ya?ml|json)$/.test(name)) return []
  const said = projectWords.flatMap((word) => (valueAt(document, word) === undefined ? [] : [[word, plainOf(valueAt(document, word))]]))
  const project = said.length === 0 ? [] : [fact(file, 'it says how the program is run, and with which values', file.path, said)]
  return [
    ...project,
    ...entriesOf(valueAt(document, 'resources')).flatMap(({ key, value }) => resourceFacts(key.value, value, policies, file)),
  ]
}

/** Packages of Pulumi whose resources are what they are called. */
const known =
  /^(?:aws|aws-native|azure|azure-native|gcp|google-native|random|tls|time|null|cloudflare|datadog|github|gitlab|digitalocean|hcloud|linode|vault|consul|nomad|postgresql|mysql|mongodbatlas|newrelic|pagerduty|okta|auth0|keycloak|openstack|vsphere|local|archive|std|docker-build)$/

function resourceFacts(name: string, value: Node, policies: ChangedFile['policies'], file: ChangedFile): readonly Fact[] {
  const type = textOf(valueAt(value, 'type')) ?? ''
  const title = `\`${name}\``
  if (/^(?:kubernetes|command|pulumi|docker):/.test(type))
    return [fact(file, `${title} applies or runs something else`, type, writtenValue(value))]
  const [pkg] = type.split(':', 1)
  if (pkg !== policies.brand && !known.test(pkg ?? ''))
    return [fact(file, `${title} may be a component, whose resources are not read`, type, writtenValue(value))]
  if (!type.startsWith(`${policies.brand}:`)) return []
  const options = valueAt(value, 'options')
  if (kindOfPulumi(type, policies.brand) !== undefined) {
    const taken = ['import', 'retainOnDelete'].flatMap((word) =>
      valueAt(options, word) === undefined ? [] : [[word, plainOf(valueAt(options, word))]],
    )
    return taken.length === 0 ? [] : [fact(file, `${title} takes over what there is already, or leaves it`, type, name, taken)]
  }
  const properties = valueAt(value, 'properties')
  return countingParts(type, policies).flatMap(({ attribute, why }) => {
    const partEntries = entriesOf(properties).flatMap((entry) =>
      attribute.test(entry.key.value) ? [[entry.key.value, plainOf(entry.value)]] : [],
    )
    return partEntries.length > 0 ? [fact(file, `${title} ${why}`, type, identified([properties]), partEntries)] : []
  })
}
