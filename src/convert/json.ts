import type { Node } from '../tree.ts'

/** A document in JSON, with two blanks for each level. Depth is within the limits of the readers. */
export function jsonText(node: Node): string {
  return `${written(node, '\n')}\n`
}

function written(node: Node, newline: string): string {
  const inner = `${newline}  `
  switch (node.kind) {
    case 'list':
      return node.items.length === 0 ? '[]' : `[${inner}${node.items.map((item) => written(item, inner)).join(`,${inner}`)}${newline}]`
    case 'map': {
      if (node.entries.length === 0) return '{}'
      const [only] = node.entries
      // `{ "urn": … }` and the like are read best on one line.
      if (node.entries.length === 1 && only?.value.kind === 'text' && (only.key.value === 'urn' || only.key.value === 'action'))
        return `{ ${quoted(only.key.value)}: ${quoted(only.value.value)} }`
      const entries = node.entries.map(({ key, value }) => `${quoted(key.value)}: ${written(value, inner)}`)
      return `{${inner}${entries.join(`,${inner}`)}${newline}}`
    }
    case 'unknown':
      return JSON.stringify(node.expression)
    case 'text':
      return quoted(node.value)
    default:
      return JSON.stringify(node.value)
  }
}

/** A string in quotes, with invisible characters escaped. */
function quoted(value: string): string {
  return JSON.stringify(value).replace(/[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu, (c) =>
    Array.from({ length: c.length }, (_, i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  )
}
