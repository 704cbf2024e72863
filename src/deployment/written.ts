import type { Node, NumberNode, TextNode } from '../tree.ts'

/**
 * Words and numbers without quotes that readers of YAML take differently: `yes` is a boolean for those of version 1.1, `0o10`, `010` and `1_0` are
 * other numbers, and `1:30` is 90.
 */
const readDifferently = /^(?:y|yes|n|no|on|off|[-+]?0[box]?[\da-f_]+|[-+]?\d[\d_]*\.?[\d_]*|[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?)$/i

/** How many characters such a word or number has at most. */
const longest = 100

/**
 * The value of a node, where it matters how it is written: readers of YAML differ, and some take every value as a text. A number that is written in
 * another form than its shortest is that text, and a text without quotes that may be something else is marked.
 */
export function writtenValue(node: Node): unknown {
  switch (node.kind) {
    case 'list':
      return node.items.map(writtenValue)
    case 'map': {
      const object: Record<string, unknown> = Object.create(null)
      for (const { key, value } of node.entries) object[key.value] = writtenValue(value)
      return object
    }
    case 'number': {
      const written = writtenAs(node)
      return written === String(node.value) ? node.value : written
    }
    case 'text':
      return node.value.length <= longest && readDifferently.test(node.value) && writtenAs(node) === node.value
        ? `!plain ${node.value}`
        : node.value
    case 'unknown':
      return node.expression
    default:
      return node.value
  }
}

/** The text of a value where it is written, quotes included. */
function writtenAs({ source, start, end }: TextNode | NumberNode): string {
  return source.text.slice(start, end)
}
