import type { Edit } from '../diagnostic.ts'
import { applyEdits } from '../edits.ts'
import type { Policy } from '../policy.ts'
import { unsortedIn } from '../rules/document/unsorted-list.ts'
import { isInSpan, type Source, sourceOf } from '../source.ts'
import { contentOf, writtenOf } from './content.ts'

/**
 * A source with the lists of its policies sorted, each entry with its comments: identities, resources, actions and permissions groups, whose
 * order has no meaning. A list stays as it is where it is unclear which entry a comment is about. `policies`: those read from the source.
 */
export async function sorted(source: Source, policies: readonly Policy[]): Promise<Source> {
  const { path, text, notation } = source
  const result = sourceOf(path, applyEdits(text, sortingEdits(source, policies)).text, notation)
  return (await unorderedContentOf(result)) === (await unorderedContentOf(source)) ? result : source
}

/** The edits that sort each list. A list of a configuration that is not within the policy may be used elsewhere, by its places. */
function sortingEdits(source: Source, policies: readonly Policy[]): readonly (readonly Edit[])[] {
  return policies.flatMap((policy) =>
    [...unsortedIn(policy)].flatMap(({ fix }) =>
      fix?.edits.every(({ span }) => span.source === source && isInSpan(span, policy.span)) ? [fix.edits] : [],
    ),
  )
}

/** All that a text says but for the order of lists, and its comments but for theirs. */
async function unorderedContentOf(source: Source): Promise<string> {
  const { problems, values, comments } = await contentOf(source)
  return JSON.stringify([problems.length, unordered(JSON.parse(values || 'null')), comments.map(writtenOf).sort()])
}

function unordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(unordered(item))).sort()
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value).map(([key, item]) => [key, unordered(item)])
}
