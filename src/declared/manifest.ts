import type { Entry, Node } from '../tree.ts'
import { fieldOf, kindOfCrossplane } from './attributes.ts'
import { type Declaration, type Declared, entriesOf, itemsOf, listAt, nameAt, spanOf, textAt, textOf, unknownAt, within } from './record.ts'

/** Whether a document is a manifest of Kubernetes, of whatever kind. */
export function isManifest(document: Node): boolean {
  return textOf(within(document, 'apiVersion')) !== undefined && textOf(within(document, 'kind')) !== undefined
}

function kindOf(manifest: Node, brand: string) {
  return kindOfCrossplane(textOf(within(manifest, 'apiVersion')) ?? '', textOf(within(manifest, 'kind')) ?? '', brand)
}

/** The manifests of a document: itself, or those of a list. */
function manifestsIn(document: Node): readonly Node[] {
  return textOf(within(document, 'kind')) === 'List' ? itemsOf(within(document, 'items')) : [document]
}

/** Whether a document holds a manifest of ours. */
export function holdsManifest(document: Node, brand: string): boolean {
  return isManifest(document) && manifestsIn(document).some((each) => kindOf(each, brand) !== undefined)
}

/** The fields that name other manifests, by the ending of a field. */
const endings = ['Refs', 'Ref', 'Selector'] as const

/** What a manifest that names another in place of a URN means by it. */
const targets: Readonly<Record<string, string>> = { resources: 'ResourceGroup', permissionsGroups: 'PermissionsGroup' }

/**
 * The records that manifests of Crossplane describe: `spec.forProvider`, and beneath it `spec.initProvider`. A reference to
 * another manifest is the name that it will get; what a selector finds is not known.
 */
export function readManifests(document: Node, brand: string): Declaration {
  const records = manifestsIn(document).flatMap((manifest): readonly Declared[] => {
    const kind = kindOf(manifest, brand)
    if (!kind) return []
    const name = textOf(within(manifest, 'metadata', 'name')) ?? ''
    const address = `${textOf(within(manifest, 'kind'))}/${name}`
    const own = within(manifest, 'spec', 'forProvider')
    const given = entriesOf(own)
    const first = entriesOf(within(manifest, 'spec', 'initProvider')).filter(
      ({ key }) => !given.some((entry) => entry.key.value === key.value),
    )
    const all = [...given, ...first]
    const references = all.flatMap((entry) => referenced(entry, kind, address))
    const plain = all.filter(({ key }) => wordOf(key.value, kind) === undefined)
    return [
      {
        kind,
        address,
        attributes: joined(plain, references),
        span: spanOf(own ?? manifest),
        isWritten: true,
        ...(kind !== 'policy' && { urn: nameAt(within(manifest, 'metadata', 'name') ?? manifest, `${address}.urn`, '') }),
      },
    ]
  })
  return { records, diagnostics: [] }
}

/** The attribute that a field fills with the names of others. */
function wordOf(word: string, kind: Declared['kind']): string | undefined {
  const ending = endings.find((each) => word.endsWith(each))
  const head = ending && word.slice(0, -ending.length)
  return [head, `${head}s`].find((each) => each !== undefined && fieldOf(kind, each) !== undefined)
}

interface Reference {
  readonly word: string
  readonly at: Entry
  readonly items: readonly Node[]
}

function referenced(entry: Entry, kind: Declared['kind'], address: string): readonly Reference[] {
  const { key, value } = entry
  const word = wordOf(key.value, kind)
  if (word === undefined) return []
  const target = targets[fieldOf(kind, word)?.to ?? '']
  const items = (value.kind === 'list' ? value.items : [value]).map((item, i) => {
    const name = textOf(within(item, 'name'))
    // Names of manifests mean the same in every file.
    return name !== undefined && target !== undefined && !key.value.endsWith('Selector')
      ? nameAt(item, `${target}/${name}.urn`, '')
      : unknownAt(item, `${address}.${key.value}${value.kind === 'list' ? `[${i}]` : ''}`, '')
  })
  return [{ word, at: entry, items }]
}

/** The attributes with what references add to them. */
function joined(plain: readonly Entry[], references: readonly Reference[]): readonly Entry[] {
  const out = [...plain]
  for (const { word, at, items } of references) {
    const known = out.findIndex(({ key }) => key.value === word)
    const before = out[known]
    if (before?.value.kind === 'list') out[known] = { key: before.key, value: listAt(before.value, [...before.value.items, ...items]) }
    else if (before?.value.kind === 'null') out[known] = { key: before.key, value: listAt(at.value, items) }
    else if (!before) out.push({ key: textAt(at.key, word), value: listAt(at.value, items) })
  }
  return out
}
