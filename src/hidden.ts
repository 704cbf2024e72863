import { field, type MapNode, type Node } from './tree.ts'

/** A policy in a place that no reader reads: it has no effect here, but another program may apply it. */
export interface HiddenPolicy {
  /** The policy, or the text that holds one. */
  readonly node: Node
  /** The keys that lead to it; none where it is the document itself. */
  readonly path: readonly string[]
}

const lists = ['allow', 'deny', 'except'] as const

/** The key that a review of access begins with, and the keys that it may have besides. */
export const reviewKey = 'grantwise-review'
const keysOfReviews: ReadonlySet<string> = new Set([reviewKey, 'round', 'due', 'owners', 'open', 'decisions', 'chain'])

/** Whether a document is a review of access and nothing else: the policies in it are records of what policies granted. */
export function isReview(document: Node): boolean {
  return (
    document.kind === 'map' &&
    document.entries[0]?.key.value === reviewKey &&
    document.entries.every(({ key }) => keysOfReviews.has(key.value))
  )
}

/** Whether an object is certainly a policy, in any context: it has URNs of identities, and actions that are allowed or denied. */
export function isCertainlyPolicy(node: Node): boolean {
  if (node.kind !== 'map') return false
  const identities = field(node, 'identities')
  if (identities?.kind !== 'list' || !identities.items.some((item) => item.kind === 'text' && /^urn:v1:[^:]*:identity:/.test(item.value)))
    return false
  const holdsList = (map: MapNode, keys: readonly string[]) => keys.some((key) => field(map, key)?.kind === 'list')
  const permissions = field(node, 'permissions')
  return holdsList(node, [...lists, 'permissionsGroups']) || (permissions?.kind === 'map' && holdsList(permissions, lists))
}

/**
 * Whether a text holds a policy, in JSON: the request of a collection, a value of a template. A text in a manifest is a file, in
 * YAML as well; elsewhere such a text may be a note.
 */
export function holdsPolicyText(text: string, isInManifest: boolean): boolean {
  if ((isInManifest || /^\s*[[{]/.test(text)) && mentionsPolicy(text, isInManifest)) return true
  return decodedIn(text).some((each) => (isInManifest || /^\s*[[{]/.test(each)) && mentionsPolicy(each, isInManifest))
}

function mentionsPolicy(text: string, isInManifest: boolean): boolean {
  if (!['urn:v1:', ':identity:', 'identities'].every((word) => text.includes(word))) return false
  // In a manifest it may be in the words of another tool.
  return text.includes('permissions') || (isInManifest && lists.some((word) => text.includes(word)))
}

/** The decoded parts of a text in base64: the whole text where it is nothing else, over several lines as well. */
function decodedIn(text: string): readonly string[] {
  if (!mayBeEncoded(text)) return []
  const whole = text.replace(/[\r\n]/g, '')
  const parts = /^[A-Za-z0-9+/]{40,}={0,2}\s*$/.test(whole) ? [whole.trim()] : (text.match(/[A-Za-z0-9+/]{40,}={0,2}/g) ?? [])
  return parts.flatMap((part) => {
    try {
      return [atob(part.slice(0, part.length - (part.replace(/=+$/, '').length % 4 === 1 ? 1 : 0)))]
    } catch {
      return []
    }
  })
}

/** The word that all URNs begin with, in base64: by what is before it, one of three. */
export const encodedWords = ['dXJuOnYxO', 'Vybjp2MT', '1cm46djE6'] as const

function mayBeEncoded(text: string): boolean {
  const plain = /[\r\n]/.test(text) ? text.replace(/[\r\n]/g, '') : text
  return encodedWords.some((word) => plain.includes(word))
}

/** Keys of examples in descriptions of interfaces and shapes: these are not applied. */
const described: Readonly<Record<string, true>> = { example: true, examples: true, default: true, const: true, enum: true }

function isDescription(document: Node): boolean {
  if (document.kind !== 'map') return false
  const schema = field(document, '$schema')
  return (
    ['openapi', 'swagger'].some((key) => field(document, key)?.kind === 'text') ||
    (schema?.kind === 'text' && /json-schema\.org/.test(schema.value))
  )
}

/** Whether an object is a manifest of Kubernetes. */
function isManifest(node: Node): boolean {
  return node.kind === 'map' && ['apiVersion', 'kind'].every((key) => field(node, key)?.kind === 'text')
}

/** The first policy that is in a document, however deep: as an object, or in a text. `isInManifest`: the document is part of one. */
export function policyIn(document: Node, isInManifest = false): HiddenPolicy | undefined {
  const isExample = isDescription(document)
  const open: (HiddenPolicy & { readonly isInManifest: boolean })[] = [{ node: document, path: [], isInManifest }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, path } = next
    if (node.kind === 'text' ? holdsPolicyText(node.value, next.isInManifest) : isCertainlyPolicy(node)) return next
    const isInManifest = next.isInManifest || isManifest(node)
    const add = (key: string, inner: Node) => open.push({ node: inner, path: [...path, key], isInManifest })
    if (node.kind === 'list') for (const [i, item] of [...node.items.entries()].reverse()) add(String(i), item)
    if (node.kind !== 'map') continue
    for (const { key, value } of [...node.entries].reverse()) if (!(isExample && Object.hasOwn(described, key.value))) add(key.value, value)
  }
  return undefined
}
