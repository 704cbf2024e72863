import { field, type MapNode, type Node } from './tree.ts'

/** Policies in places where none is read: nobody here applies them, and another program may. */
export interface HiddenPolicy {
  /** The policy, or the text that holds one. */
  readonly node: Node
  /** The keys that lead to it; none where it is the document itself. */
  readonly path: readonly string[]
}

const lists = ['allow', 'deny', 'except'] as const

/** Whether an object surely is a policy, whatever holds it: it says who, by their URNs, and what they may do or must not. */
export function isSurelyPolicy(node: Node): boolean {
  if (node.kind !== 'map') return false
  const identities = field(node, 'identities')
  if (identities?.kind !== 'list' || !identities.items.some((item) => item.kind === 'text' && /^urn:v1:[^:]*:identity:/.test(item.value)))
    return false
  const holdsList = (map: MapNode, keys: readonly string[]) => keys.some((key) => field(map, key)?.kind === 'list')
  const permissions = field(node, 'permissions')
  return holdsList(node, [...lists, 'permissionsGroups']) || (permissions?.kind === 'map' && holdsList(permissions, lists))
}

/** Whether a text holds a policy, in JSON or in YAML: `data` of a ConfigMap, a request of a collection, a template. */
function holdsPolicyText(text: string): boolean {
  return ['urn:v1:', ':identity:', 'identities', 'permissions'].every((word) => text.includes(word))
}

/** What describes an interface or a shape shows examples: they are applied by nobody. */
const described: Readonly<Record<string, true>> = { example: true, examples: true, default: true, const: true, enum: true }

function isDescription(document: Node): boolean {
  if (document.kind !== 'map') return false
  const schema = field(document, '$schema')
  return (
    ['openapi', 'swagger'].some((key) => field(document, key)?.kind === 'text') ||
    (schema?.kind === 'text' && /json-schema\.org/.test(schema.value))
  )
}

/** The first policy that is in a document, however deep: as an object, or in a text. `isAsked`: also where it is the document. */
export function policyIn(document: Node, isAsked: (found: HiddenPolicy) => boolean = () => true): HiddenPolicy | undefined {
  const isExample = isDescription(document)
  const open: HiddenPolicy[] = [{ node: document, path: [] }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, path } = next
    if ((node.kind === 'text' ? holdsPolicyText(node.value) : isSurelyPolicy(node)) && isAsked(next)) return next
    if (node.kind === 'list')
      for (const [i, item] of [...node.items.entries()].reverse()) open.push({ node: item, path: [...path, String(i)] })
    if (node.kind !== 'map') continue
    for (const { key, value } of [...node.entries].reverse())
      if (!(isExample && Object.hasOwn(described, key.value))) open.push({ node: value, path: [...path, key.value] })
  }
  return undefined
}
