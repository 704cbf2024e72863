// The notation of the generated tables of operations and actions, which src/actions/unfold.ts reads.

/** The letter of each method in a table of operations. */
export const methods = { DELETE: 'D', GET: 'G', PATCH: 'A', POST: 'P', PUT: 'U' }

/**
 * A sorted list of paths with what neighbours share written once: `ip/get`, `ip/move`, `task` is `ip(get,move),task`.
 * Only neighbours are joined, so that unfolding gives the list back in its order.
 */
export function fold(paths) {
  const parts = []
  for (let i = 0; i < paths.length; ) {
    const [head, ...tail] = paths[i]
    if (tail.length === 0) {
      parts.push(head)
      i++
      continue
    }
    const below = []
    for (; i < paths.length && paths[i][0] === head && paths[i].length > 1; i++) below.push(paths[i].slice(1))
    parts.push(below.length === 1 ? `${head}/${below[0].join('/')}` : `${head}(${fold(below)})`)
  }
  return parts.join(',')
}
