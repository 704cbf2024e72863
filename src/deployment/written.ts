import { type Node, type ScalarNode, valueWith } from '../tree.ts'

/**
 * Words and numbers without quotes that readers of YAML take differently: `yes` is a boolean for those of version 1.1, `0o10`, `010` and `1_0` are
 * other numbers, and `1:30` is 90.
 */
export const readDifferently =
  /^(?:y|yes|n|no|on|off|[-+]?0(?:x[\da-f_]+|b[01_]+|o?[0-7_]+)|[-+]?\d[\d_]*\.?[\d_]*|[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?)$/i

/** How many characters such a word or number has at most. */
const longest = 100

/**
 * The value of a node, where it matters how it is written: readers of YAML differ, and some take every value as a text. A number that is written in
 * another form than its shortest is that text, and a text without quotes that may be something else is marked.
 */
export function writtenValue(node: Node): unknown {
  return valueWith(node, writtenScalar)
}

function writtenScalar({ kind, value, source, start, end }: ScalarNode): unknown {
  if (kind !== 'number' && kind !== 'text') return value
  const written = source.text.slice(start, end)
  if (kind === 'number') return written === String(value) ? value : written
  return value.length <= longest && readDifferently.test(value) && written === value ? `!plain ${value}` : value
}
