import { pushTo } from '../collections.ts'
import { providerConfigPrefix, referring } from '../declared/manifest.ts'
import { compareText } from '../diagnostic.ts'
import { folderOf, joinPath, nameIn, pathBetween } from '../hcl/paths.ts'
import { treeOf } from '../parser/tree.ts'
import type { OpenFact, Policy } from '../policy.ts'
import { digest, field, type MapNode, marks, type Node, plainValue } from '../tree.ts'
import type { Around, FileRead } from './files.ts'
import { isKustomization } from './kustomization.ts'

/**
 * Policies in manifests, each with what decides elsewhere how it is applied: the configuration of its provider, the
 * kustomizations that list its file, another manifest of its name. All of it is part of the account that it is applied to, so
 * that a policy for which it changes is not taken for the same. `around`: all texts of the run that may decide it; `brand`: in
 * the groups of our manifests.
 */
export async function withApplied(each: readonly FileRead[], around: readonly Around[], brand: string): Promise<readonly FileRead[]> {
  const files = new Map(around.map(({ source, file }) => [source, file] as const))
  const policies = each.flatMap((one) => policiesIn(one).map((policy) => ({ policy, file: files.get(one.source) })))
  if (policies.length === 0) return each
  const lists = listingOf(await kustomizationsIn(around), [...new Set(policies.flatMap(({ file }) => file ?? []))])
  const manifests = await manifestsAround(around, brand)
  const configurations = configurationsIn(manifests)
  const contents = new Map<string, Set<string>>()
  for (const { policy } of policies) {
    const policyTexts = contents.get(policy.address ?? '') ?? new Set()
    contents.set(policy.address ?? '', policyTexts.add(JSON.stringify([plainValue(policy.node), policy.account?.id])))
  }
  const marked = (policy: Policy, file: string | undefined): Policy => {
    const { account } = policy
    if (!isOfManifest(policy) || !account) return policy
    const said = [
      ...(configurations.get(account.fact.slice(providerConfigPrefix.length)) ?? []),
      ...(file === undefined ? [] : (lists.get(file) ?? [])),
      // Which of two manifests of one name is applied last is not known.
      ...((contents.get(policy.address ?? '')?.size ?? 0) > 1 ? ['one of several'] : []),
    ]
    const open = policy.open?.map((entry) => {
      const given = manifestsGiving(entry, manifests)
      return given.length === 0 ? entry : withMark(entry, given)
    })
    if (said.length === 0 && !open?.some((entry, i) => entry !== policy.open?.[i])) return policy
    return { ...policy, account: said.length === 0 ? account : withMark(account, said), ...(open && { open }) }
  }
  return each.map((one): FileRead => {
    if (policiesIn(one).length === 0) return one
    const { facts } = one.read
    const policies = facts.policies.map((policy) => marked(policy, files.get(one.source)))
    if (policies.every((policy, i) => policy === facts.policies[i])) return one
    return { ...one, read: { ...one.read, facts: { ...facts, policies } } }
  })
}

function policiesIn({ read }: FileRead): readonly Policy[] {
  return read.kind === 'declared' ? read.facts.policies.filter(isOfManifest) : []
}

function isOfManifest({ account }: Policy): boolean {
  return account?.fact.startsWith(providerConfigPrefix) === true
}

function withMark<T extends OpenFact>(fact: T, said: readonly string[]): T {
  return { ...fact, id: `${fact.id ?? fact.fact}${marks.start}${digest(JSON.stringify(said))}${marks.end}` }
}

// Other manifests of our provider.

/** A manifest in a group of our provider. */
interface Manifest {
  readonly kind: string
  readonly name: string
  readonly labels: MapNode | undefined
  /** The desired state, as a text. */
  readonly text: string
}

async function manifestsAround(around: readonly Around[], brand: string): Promise<readonly Manifest[]> {
  const out: Manifest[] = []
  for (const { source } of around) {
    if (!source.text.includes(brand)) continue
    for (const manifest of (await treeOf(source)).documents.flatMap(manifestsIn)) {
      const [kind = '', version = ''] = ['kind', 'apiVersion'].map((word) => textIn(manifest, word))
      const [group = ''] = version.split('/')
      if (!group.split('.').includes(brand)) continue
      const [metadata, spec] = [mapIn(manifest, 'metadata'), field(manifest, 'spec')]
      const name = (metadata && textIn(metadata, 'name')) ?? ''
      const text = JSON.stringify([kind, group, name, spec ? plainValue(spec) : null])
      out.push({ kind, name, labels: metadata && mapIn(metadata, 'labels'), text })
    }
  }
  return out.sort((a, b) => compareText(a.text, b.text))
}

/** The configurations of our providers, by their names. */
function configurationsIn(manifests: readonly Manifest[]): ReadonlyMap<string, readonly string[]> {
  const out = new Map<string, string[]>()
  for (const { kind, name, text } of manifests) if (/^(Cluster)?ProviderConfig$/.test(kind)) pushTo(out, name, text)
  return out
}

/** The manifests that a reference names, or that a selector finds; those that it may find where that is not plain. */
function manifestsGiving({ scope }: OpenFact, manifests: readonly Manifest[]): readonly string[] {
  if (!scope.startsWith(referring)) return []
  const asked = JSON.parse(scope.slice(referring.length)) as { name?: unknown; matchLabels?: unknown } | null
  const { name, matchLabels } = asked ?? {}
  const wanted = typeof matchLabels === 'object' && matchLabels !== null ? Object.entries(matchLabels) : []
  const isFound = (each: Manifest) =>
    typeof name === 'string'
      ? each.name === name
      : wanted.every(([key, value]) => each.labels !== undefined && plainIn(each.labels, key) === value)
  return manifests.filter(isFound).map(({ text }) => text)
}

function mapIn(node: MapNode, key: string): MapNode | undefined {
  const value = field(node, key)
  return value?.kind === 'map' ? value : undefined
}

function plainIn(node: MapNode, key: string): unknown {
  const value = field(node, key)
  return value && plainValue(value)
}

function manifestsIn(document: Node): readonly MapNode[] {
  if (document.kind !== 'map') return []
  const items = field(document, 'items')
  return items?.kind === 'list' ? items.items.flatMap((item) => (item.kind === 'map' ? [item] : [])) : [document]
}

// Kustomizations.

interface Kustomization {
  readonly folder: string
  /** The listed files, by absolute paths. */
  readonly lists: readonly string[]
  /** The annotations that it adds to all listed objects. */
  readonly annotations: string
}

async function kustomizationsIn(around: readonly Around[]): Promise<readonly Kustomization[]> {
  const out: Kustomization[] = []
  for (const { source, file } of around) {
    if (!isKustomization(source) || !/^kustomization\.ya?ml$/.test(nameIn(file))) continue
    for (const document of (await treeOf(source)).documents) {
      // A kustomization of Flux is a manifest, and lists nothing.
      if (document.kind !== 'map' || field(document, 'spec')) continue
      const folder = folderOf(file)
      const lists = ['resources', 'bases', 'components'].flatMap((word) => {
        const list = field(document, word)
        return list?.kind === 'list' ? list.items.flatMap((item) => (item.kind === 'text' ? [joinPath(folder, item.value)] : [])) : []
      })
      const written = mapIn(document, 'commonAnnotations')?.entries ?? []
      // Those by which manifests are not applied.
      const annotations = written.filter(({ key }) => /^(crossplane|config\.kubernetes)\.io\//.test(key.value))
      out.push({ folder, lists, annotations: annotations.map(({ key, value }) => `${key.value} ${String(plainValue(value))}`).join(' ') })
    }
  }
  return out
}

/**
 * The kustomizations of files: those not listed by another one that each file is in, or that it is in none though it is below
 * one. Nothing where there is one, or none at all, and it is listed.
 */
function listingOf(all: readonly Kustomization[], files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const out = new Map<string, string[]>()
  if (all.length === 0) return out
  const byFolder = new Map(all.map((each) => [each.folder, each]))
  const listed = new Set(all.flatMap(({ lists }) => lists))
  const roots = all.filter(({ folder }) => !listed.has(folder))
  const wanted = new Set(files)
  const holders = new Map<string, Map<string, string>>()
  for (const root of roots) {
    const seen = new Set<Kustomization>()
    const open: (readonly [each: Kustomization, annotations: string])[] = [[root, root.annotations]]
    for (let next = open.pop(); next; next = open.pop()) {
      const [each, annotations] = next
      if (seen.has(each)) continue
      seen.add(each)
      for (const path of each.lists) {
        if (wanted.has(path)) holders.set(path, (holders.get(path) ?? new Map()).set(root.folder, annotations))
        const inner = byFolder.get(path)
        if (inner) open.push([inner, annotations + inner.annotations])
      }
    }
  }
  const folders = [...new Set([...holders.values()].flatMap((each) => [...each.keys()]))]
  const above = commonFolder(folders)
  for (const file of files) {
    const ownFolders = [...(holders.get(file) ?? [])].map(([folder, annotations]) => [pathBetween(above, folder), annotations] as const)
    const said = ownFolders.flatMap(([folder, annotations]) =>
      folders.length > 1 || annotations !== '' ? [`${folder} ${annotations}`] : [],
    )
    if (ownFolders.length === 0 && all.some(({ folder }) => folder === '' || file.startsWith(`${folder}/`)))
      out.set(file, ['listed by no kustomization'])
    else if (said.length > 0) out.set(file, said.sort())
  }
  return out
}

/** The folder that all of some folders are in. */
function commonFolder(folders: readonly string[]): string {
  const [first = '', ...others] = folders
  const parts = first.split('/')
  const isShared = (length: number) => {
    const start = `${parts.slice(0, length).join('/')}/`
    return others.every((other) => `${other}/`.startsWith(start))
  }
  let length = parts.length
  while (length > 0 && !isShared(length)) length--
  return parts.slice(0, length).join('/')
}

function textIn(node: MapNode, key: string): string | undefined {
  const value = field(node, key)
  return value?.kind === 'text' ? value.value : undefined
}
