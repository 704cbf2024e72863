import type { ReadSource } from '../parser/read.ts'
import type { Source } from '../source.ts'
import { type Formatted, formatted } from './fmt.ts'
import { sorted } from './sort.ts'

/**
 * A file in its layout, by what was read of it; undefined where its layout is not ours: it holds no policy, a tool generates it, or another
 * program fills it in.
 */
export async function formattedFile(
  source: Source,
  read: ReadSource | undefined,
  { sort = false }: { readonly sort?: boolean } = {},
): Promise<Formatted | undefined> {
  if (!read || read.refused || !notations.has(source.notation)) return undefined
  if (read.kind === 'declared' || read.kind === 'examples' || isTemplate(read)) return undefined
  const result = await formatted(sort ? await sorted(source, read.facts.policies) : source)
  return 'problems' in result || read.holdsPolicies || read.resemblesPolicies ? result : undefined
}

const notations: ReadonlySet<string> = new Set(['json', 'yaml', 'hcl', 'hcl-json'])

/** Whether another program fills in a text before it is used. */
function isTemplate(read: ReadSource): boolean {
  return read.kind === 'policies' && read.isTemplate === true
}
