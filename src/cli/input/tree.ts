import type { Reading } from '../../parser/reading.ts'
import { readTree } from '../../parser/tree.ts'
import type { Source } from '../../source.ts'

/** The tree of a text, with the full YAML reader where it needs that. */
export async function treeOf(source: Source): Promise<Reading> {
  const reading = readTree(source)
  return reading.needsYaml ? readTree(source, (await import('../../parser/yaml.ts')).readYaml) : reading
}
