import type { Diagnostic } from '../diagnostic.ts'
import { policyIn } from '../hidden.ts'
import { visible } from '../names.ts'
import { type Entry, type MapNode, type Node, plainValue, type UnknownNode } from '../tree.ts'
import { fieldOf, isCrossplaneGroup, type Kind, kindOfCrossplane } from './attributes.ts'
import {
  contentOf,
  type Declaration,
  type Declared,
  entriesOf,
  itemsOf,
  listNode,
  nameAt,
  spanOf,
  textNodeAt,
  textOf,
  unknownAt,
  valueAt,
} from './record.ts'

/** The prefix of the account of a policy in a manifest; the name of the configuration of its provider follows. */
export const providerConfigPrefix = 'providerConfigRef '

/** The prefix of the scope of values from other manifests; what names or selects these manifests follows, as JSON. */
export const referring = 'manifests '

/** Whether a document is a manifest of Kubernetes, of any kind. */
export function isManifest(document: Node): boolean {
  return textOf(valueAt(document, 'apiVersion')) !== undefined && textOf(valueAt(document, 'kind')) !== undefined
}

/** By its kind in a group for access; elsewhere, since providers have many names, by the fields that the provider is given. */
function kindOf(manifest: Node, brand: string): Kind | undefined {
  const isOurs = isCrossplaneGroup(textOf(valueAt(manifest, 'apiVersion')) ?? '', brand)
  const named = isOurs ? kindOfCrossplane(textOf(valueAt(manifest, 'kind')) ?? '') : undefined
  return named ?? kindByFields(given(manifest), isOurs)
}

/** The arguments of the provider: `spec.forProvider`, then those only in `spec.initProvider`. */
function given(manifest: Node): readonly Entry[] {
  const own = entriesOf(valueAt(manifest, 'spec', 'forProvider'))
  const first = entriesOf(valueAt(manifest, 'spec', 'initProvider')).map((entry) => ({ key: entry.key, value: onceAt(entry) }))
  return [...own, ...first.filter(({ key }) => !own.some((entry) => entry.key.value === key.value))]
}

/** An argument that counts only when the resource is created: the present value is not known. */
function onceAt({ key, value }: Entry): Node {
  return /^(?:name|description)$/.test(key.value) ? value : unknownAt(value, `spec.initProvider.${key.value}`, value.source.path)
}

/** The kind of record that fields with values describe; undefined where it is not clear. `isOurs`: the manifest is one for access. */
function kindByFields(fields: readonly Entry[], isOurs: boolean): Kind | undefined {
  const fieldsGiven = new Set(fields.flatMap(({ key }) => fieldOf('policy', wordOf(key.value, 'policy') ?? key.value)?.to ?? []))
  const hasActions = fieldsGiven.has('allow') || fieldsGiven.has('except') || fieldsGiven.has('deny')
  if (!isOurs && !fields.some(({ value }) => holdsUrn(value))) return undefined
  if (fieldsGiven.has('identities') && (hasActions || fieldsGiven.has('permissionsGroups'))) return 'policy'
  if (!isOurs || fieldsGiven.has('identities')) return undefined
  if (hasActions && !fieldsGiven.has('resources')) return 'permissionsGroup'
  return fieldsGiven.has('resources') && !hasActions ? 'resourceGroup' : undefined
}

function holdsUrn(value: Node): boolean {
  return [value, ...itemsOf(value)].some((each) => textOf(each)?.startsWith('urn:v1:'))
}

/** The manifests of a document: itself, or those of a list (`List`, `IAMPolicyList`). */
function manifestsIn(document: Node): readonly Node[] {
  const items = valueAt(document, 'items')
  return textOf(valueAt(document, 'kind'))?.endsWith('List') && items?.kind === 'list' ? items.items : [document]
}

/** Whether a document holds a manifest of ours, or one that looks as if it were meant to be. */
export function holdsManifest(document: Node, brand: string): boolean {
  return isManifest(document) && manifestsIn(document).some((each) => kindOf(each, brand) !== undefined || hidesPolicy(each))
}

/** The desired state in a manifest, without the observed one and the metadata. */
function desired(manifest: Node): readonly Node[] {
  return entriesOf(manifest).flatMap(({ key, value }) => (key.value === 'status' || key.value === 'metadata' ? [] : [value]))
}

/** A part of a manifest, at any depth, that has the fields of a policy with URNs in them. */
function likePolicy(manifest: Node): Node | undefined {
  const open: Node[] = [...desired(manifest)]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.kind === 'list') open.push(...node.items)
    if (node.kind !== 'map') continue
    if (kindByFields(node.entries, false) === 'policy') return node
    open.push(...node.entries.map(({ value }) => value))
  }
  return undefined
}

/** Whether a manifest holds a policy where none is read: as an object, or in a text, as a ConfigMap does. */
function hidesPolicy(manifest: Node): boolean {
  return likePolicy(manifest) !== undefined || desired(manifest).some((part) => policyIn(part, true) !== undefined)
}

/** A warning that a manifest is not read though it looks like a policy: a user may rely on what it says, and it has no effect here. */
function unread(manifest: MapNode): Diagnostic {
  const kind = textOf(valueAt(manifest, 'kind')) ?? ''
  const isTemplate = kind === 'Composition' || kind === 'CompositionRevision'
  return {
    code: 'shape',
    severity: 'error',
    message: `\`${visible(kind.slice(0, 100))}\` resembles a policy and is not read: what it allows and denies is not known`,
    span: spanOf(valueAt(manifest, 'kind') ?? manifest),
    help: isTemplate
      ? 'lint what it renders: `crossplane render … | grantwise lint -`'
      : 'policies are read from `spec.forProvider` of a managed resource',
  }
}

/** Whether a manifest only looks at what is there already: what it says is not applied. */
function isObserved(manifest: Node): boolean {
  const policies = itemsOf(valueAt(manifest, 'spec', 'managementPolicies')).map(textOf)
  return policies.length > 0 && policies.every((each) => each === 'Observe')
}

/** Annotations by which a manifest is not applied, or not for now. */
const holding = ['crossplane.io/paused', 'config.kubernetes.io/local-config'] as const

/** Why what a manifest says is not applied to what there is already; undefined where it is. */
function heldBy(manifest: Node): string | undefined {
  const annotations = valueAt(manifest, 'metadata', 'annotations')
  const held = holding.filter((word) => {
    const value = valueAt(annotations, word)
    return value !== undefined && textOf(value) !== 'false'
  })
  const policies = itemsOf(valueAt(manifest, 'spec', 'managementPolicies')).map(textOf)
  const isWhole = policies.length === 0 || policies.includes('*') || (policies.includes('Create') && policies.includes('Update'))
  return held.length > 0 || !isWhole ? [...held, ...(isWhole ? [] : policies)].join(' ') : undefined
}

/**
 * The account of a policy as an unknown value: it is that of the provider's configuration, and depends on whether the manifest is
 * applied at all.
 */
function accountOf(manifest: Node): UnknownNode {
  const name = textOf(valueAt(manifest, 'spec', 'providerConfigRef', 'name')) ?? 'default'
  const kind = textOf(valueAt(manifest, 'spec', 'providerConfigRef', 'kind')) ?? ''
  return unknownAt(manifest, `${providerConfigPrefix}${name}`, '', JSON.stringify([name, kind, heldBy(manifest)]))
}

/** The fields that name other manifests, by the ending of a field. */
const endings = ['Refs', 'Ref', 'Selector'] as const

/** The kind of manifest that a reference in place of a URN means, by field. */
const targets: Readonly<Record<string, string>> = { resources: 'ResourceGroup', permissionsGroups: 'PermissionsGroup' }

/** A reference to another manifest is the name that it will get; what a selector finds is not known. */
export function readManifests(document: Node, brand: string): Declaration {
  const records: Declared[] = []
  const diagnostics: Diagnostic[] = []
  for (const manifest of manifestsIn(document)) {
    const kind = kindOf(manifest, brand)
    if (kind && !isObserved(manifest)) records.push(recordOf(manifest, kind))
    else if (!kind && manifest.kind === 'map' && hidesPolicy(manifest)) diagnostics.push(unread(manifest))
  }
  return { records, diagnostics }
}

function recordOf(manifest: Node, kind: Kind): Declared {
  const word = textOf(valueAt(manifest, 'kind')) ?? ''
  const address = `${word}/${textOf(valueAt(manifest, 'metadata', 'name')) ?? ''}`
  const all = given(manifest)
  const references = all.flatMap((entry) => referenced(entry, kind, address, /^IAM(?=[A-Z])/i.exec(word)?.[0] ?? ''))
  const ownEntries = all.filter(({ key }) => wordOf(key.value, kind) === undefined)
  const attributes = joined(ownEntries, references)
  return {
    kind,
    address,
    attributes: kind === 'policy' || heldBy(manifest) === undefined ? attributes : attributes.map((entry) => keptIn(entry, kind, address)),
    span: spanOf(valueAt(manifest, 'spec', 'forProvider') ?? manifest),
    isWritten: true,
    ...(kind === 'policy'
      ? { account: accountOf(manifest) }
      : { urn: nameAt(valueAt(manifest, 'metadata', 'name') ?? manifest, `${address}.urn`, '') }),
  }
}

/** A list of a group that is not applied: what there is already stays, and is not known. */
function keptIn({ key, value }: Entry, kind: Kind, address: string): Entry {
  const isKept = fieldOf(kind, key.value)?.holds === 'texts'
  return { key, value: isKept ? unknownAt(value, `${address}.${key.value}`, '') : value }
}

/** The attribute that a field fills with the names of others. */
function wordOf(word: string, kind: Kind): string | undefined {
  const ending = endings.find((each) => word.endsWith(each))
  const head = ending && word.slice(0, -ending.length)
  return [head, `${head}s`].find((each) => each !== undefined && fieldOf(kind, each) !== undefined)
}

interface Reference {
  readonly word: string
  readonly at: Entry
  readonly items: readonly Node[]
}

/** `prefix`: what the kinds of the manifest's provider begin with. */
function referenced(entry: Entry, kind: Kind, address: string, prefix: string): readonly Reference[] {
  const { key, value } = entry
  const word = wordOf(key.value, kind)
  if (word === undefined) return []
  const target = targets[fieldOf(kind, word)?.to ?? '']
  const items = (value.kind === 'list' ? value.items : [value]).map((item, i) => {
    const name = textOf(valueAt(item, 'name'))
    // Names of manifests mean the same in every file.
    return name !== undefined && target !== undefined && !key.value.endsWith('Selector')
      ? nameAt(item, `${prefix}${target}/${name}.urn`, '')
      : unknownAt(
          item,
          `${address}.${key.value}${value.kind === 'list' ? `[${i}]` : ''}`,
          referring + JSON.stringify(plainValue(item)),
          contentOf(item),
        )
  })
  return [{ word, at: entry, items }]
}

/** The attributes with what references add to them. */
function joined(plain: readonly Entry[], references: readonly Reference[]): readonly Entry[] {
  const out = [...plain]
  for (const { word, at, items } of references) {
    const sameIndex = out.findIndex(({ key }) => key.value === word)
    const before = out[sameIndex]
    if (before?.value.kind === 'list')
      out[sameIndex] = { key: before.key, value: listNode(before.value, [...before.value.items, ...items]) }
    else if (before?.value.kind === 'null') out[sameIndex] = { key: before.key, value: listNode(at.value, items) }
    else if (!before) out.push({ key: textNodeAt(at.key, word), value: listNode(at.value, items) })
  }
  return out
}
