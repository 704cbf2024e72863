import type { Node } from '../../src/tree.ts'

/** A tree with its places, as one text: `0-7{1-4"a": 5-6 1}`. */
export function drawn(node: Node): string {
  const place = `${node.start}-${node.end}`
  if (node.kind === 'list') return `${place}[${node.items.map(drawn).join(', ')}]`
  if (node.kind === 'map') return `${place}{${node.entries.map(({ key, value }) => `${drawn(key)}: ${drawn(value)}`).join(', ')}}`
  if (node.kind === 'unknown') return `${place}\${${node.expression}}`
  if (node.kind === 'text') return `${place}${JSON.stringify(node.value)}`
  const kind = node.value === null ? 'null' : typeof node.value
  return `${place}${kind === node.kind ? '' : node.kind} ${Object.is(node.value, -0) ? '-0' : node.value}`
}
