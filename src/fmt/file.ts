import type { ReadSource } from '../parser/read.ts'
import { isHcl, type Source, sourceOf } from '../source.ts'
import { type Formatted, formatted } from './fmt.ts'
import { sorted } from './sort.ts'

/**
 * A file in its layout, by what was read of it; undefined where its layout is not ours: it holds no policy, a tool generates it, or another
 * program fills it in. `sort`: its lists are sorted too; reads a text of JSON or YAML.
 */
export async function formattedFile(
  source: Source,
  read: ReadSource | undefined,
  sort?: (source: Source) => Promise<ReadSource>,
): Promise<Formatted | undefined> {
  if (!read || read.refused || !notations.has(source.notation)) return undefined
  if (read.kind === 'declared' || read.kind === 'examples' || isTemplate(read)) return undefined
  const result = await formatted(source)
  if ('problems' in result) return result
  const declares = read.kind === 'configuration' && read.declaresPolicies
  if (!read.holdsPolicies && !read.resemblesPolicies && !declares) return undefined
  if (!sort) return result
  if (isHcl(source.notation)) return formatted(await sorted(source, read.facts.policies))
  // Laid out first: in a block it is clear which entry a comment is about.
  const laidOut = sourceOf(source.path, result.text, source.notation)
  return formatted(await sorted(laidOut, (await sort(laidOut)).facts.policies))
}

const notations: ReadonlySet<string> = new Set(['json', 'yaml', 'hcl', 'hcl-json'])

/** Whether another program fills in a text before it is used. */
function isTemplate(read: ReadSource): boolean {
  return read.kind === 'policies' && read.isTemplate === true
}
